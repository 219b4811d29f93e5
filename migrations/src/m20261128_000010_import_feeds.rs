//! The feed that an import runs for, in place of a user.

use sea_orm_migration::prelude::*;

use crate::column::{execute, optional_integer};

#[derive(Debug, Clone, Copy)]
pub(crate) struct ImportFeeds;

impl MigrationName for ImportFeeds {
    fn name(&self) -> &'static str {
        "m20261128_000010_import_feeds"
    }
}

#[async_trait::async_trait]
impl MigrationTrait for ImportFeeds {
    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }

    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let one = Expr::cust("feed_id IS NULL OR created_by IS NULL");
        let add = Table::alter().table("import").add_column(optional_integer("feed_id").check(one)).take();
        manager.alter_table(add).await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        execute(manager, &["ALTER TABLE import DROP COLUMN feed_id"]).await
    }
}
