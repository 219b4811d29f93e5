//! How often what a tenant asks has changed: what is compiled from it is kept in memory as long as that stays.

use sea_orm_migration::prelude::*;

use crate::column::integer;

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }

    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let table = Table::create()
            .table("prices_version")
            .col(ColumnDef::new("tenant_id").big_integer().not_null().primary_key())
            .col(integer("version"))
            .take();
        manager.create_table(table).await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager.drop_table(Table::drop().table("prices_version").take()).await
    }
}
