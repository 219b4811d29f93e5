//! Personal access tokens.

use sea_orm_migration::prelude::*;

use crate::column::{folded, id, index, integer, optional_text, optional_time, part_of, record, text, time};

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

const TABLE: &str = "personal_access_token";

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }

    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let mut token = Table::create()
            .table(TABLE)
            .col(id())
            .col(integer("user_id"))
            .col(text("name"))
            .col(folded(manager, "name_fold"))
            // names with spaces between them
            .col(text("abilities").check(Expr::col("abilities").ne("")).take())
            .col(text("token_hash"))
            // what is left of the token to tell it from others
            .col(text("prefix"))
            .col(text("last_four"))
            .col(time("expires_at"))
            .col(optional_time("last_used_at"))
            .col(optional_text("last_used_address"))
            // when its owner was told that it is about to expire
            .col(optional_time("reminded_at"))
            .foreign_key(&mut part_of(TABLE, "user_id", "user"))
            .take();
        manager.create_table(record(&mut token).take()).await?;
        manager.create_index(index(TABLE, &["token_hash"], true)).await?;
        manager.create_index(index(TABLE, &["user_id", "name_fold"], true)).await?;
        for sorted in ["name_fold", "created_at", "expires_at", "last_used_at"] {
            manager.create_index(index(TABLE, &[sorted, "id"], false)).await?;
        }
        Ok(())
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager.drop_table(Table::drop().table(TABLE).take()).await
    }
}
