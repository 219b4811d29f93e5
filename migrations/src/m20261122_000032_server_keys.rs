//! Keys of the server's own, which all its processes share: made when first needed, told to nobody.

use sea_orm_migration::prelude::*;

use crate::column::text;

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }

    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager
            .create_table(
                Table::create()
                    .table("server_key")
                    .col(ColumnDef::new("purpose").text().not_null().primary_key())
                    .col(text("key"))
                    .take(),
            )
            .await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager.drop_table(Table::drop().table("server_key").take()).await
    }
}
