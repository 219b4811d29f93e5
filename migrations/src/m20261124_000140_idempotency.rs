//! What programs were answered to calls that they may repeat, for a day.

use sea_orm_migration::prelude::*;

use crate::column::{index, integer, part_of, text, time};

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

const TABLE: &str = "idempotency";

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
                    .col(integer("user_id"))
                    .col(text("key"))
                    .col(text("fingerprint"))
                    .col(text("answer"))
                    .col(time("created_at"))
                    .primary_key(Index::create().col("user_id").col("key"))
                    .foreign_key(&mut part_of(TABLE, "user_id", "user"))
                    .take(),
            )
            .await?;
        manager.create_index(index(TABLE, &["created_at"], false)).await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager.drop_table(Table::drop().table(TABLE).take()).await
    }
}
