//! Notices by which server processes that share the database tell each other what they have changed.

use sea_orm_migration::prelude::*;

use crate::column::{integer, json, text, time};

#[derive(Debug, Clone, Copy)]
pub(crate) struct ProcessNotices;

impl MigrationName for ProcessNotices {
    fn name(&self) -> &'static str {
        "m20261129_000500_process_notices"
    }
}

#[async_trait::async_trait]
impl MigrationTrait for ProcessNotices {
    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }

    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        // a process writes its notices into a ring of slots, so that none has to be deleted
        let notices = Table::create()
            .table("process_notice")
            .col(text("process"))
            .col(integer("slot"))
            .col(integer("serial"))
            .col(json("notice"))
            .col(time("written_at"))
            .primary_key(Index::create().col("process").col("slot"))
            .take();
        manager.create_table(notices).await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager.drop_table(Table::drop().table("process_notice").take()).await
    }
}
