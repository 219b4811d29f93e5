//! Sign-ins whose password is still being looked at are counted apart from wrong ones.

use sea_orm_migration::prelude::*;

use crate::column::integer;

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

const TABLE: &str = "sign_in_failure";

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }

    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let pending = integer("pending").default(0).take();
        manager.alter_table(Table::alter().table(TABLE).add_column(pending).take()).await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager.alter_table(Table::alter().table(TABLE).drop_column("pending").take()).await
    }
}
