//! Personal access tokens that were revoked: whoever still calls with one is told so.

use sea_orm_migration::prelude::*;

use crate::column::{index, time};

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

const TABLE: &str = "revoked_token";

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }

    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager
            .create_table(
                Table::create()
                    .table(TABLE)
                    .col(ColumnDef::new("token_hash").text().not_null().primary_key())
                    .col(time("expires_at"))
                    .take(),
            )
            .await?;
        manager.create_index(index(TABLE, &["expires_at"], false)).await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager.drop_table(Table::drop().table(TABLE).take()).await
    }
}
