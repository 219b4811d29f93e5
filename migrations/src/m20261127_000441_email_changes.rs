//! Changes of e-mail addresses, which the owner of the former address can take back for some days.

use sea_orm_migration::prelude::*;

use crate::column::{id, index, integer, optional_integer, optional_time, part_of, text, time};

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

const TABLE: &str = "email_change";

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }

    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let mut table = Table::create();
        table.table(TABLE).col(id()).col(integer("user_id"));
        table.col(text("former_email")).col(text("new_email")).col(optional_integer("changed_by"));
        table.col(text("public_id")).col(text("token_hash"));
        table.col(time("created_at")).col(time("expires_at")).col(optional_time("undone_at"));
        table.foreign_key(&mut part_of(TABLE, "user_id", "user"));
        manager.create_table(table).await?;
        manager.create_index(index(TABLE, &["public_id"], true)).await?;
        manager.create_index(index(TABLE, &["token_hash"], true)).await?;
        manager.create_index(index(TABLE, &["user_id", "created_at"], false)).await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager.drop_table(Table::drop().table(TABLE).take()).await
    }
}
