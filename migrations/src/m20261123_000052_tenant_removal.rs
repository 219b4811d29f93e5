//! Since when a tenant is being removed: from then on nobody acts for them or finds them.

use sea_orm_migration::prelude::*;

use crate::column::optional_time;

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

const COLUMN: &str = "removal_begun_at";

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }

    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager.alter_table(Table::alter().table("tenant").add_column(optional_time(COLUMN)).take()).await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager.alter_table(Table::alter().table("tenant").drop_column(COLUMN).take()).await
    }
}
