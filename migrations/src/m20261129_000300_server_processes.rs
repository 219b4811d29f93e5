//! Server processes that share the database, with the schema that each knows.

use sea_orm_migration::prelude::*;

use crate::column::{create_table, text, text_key, time};

#[derive(Debug, Clone, Copy)]
pub(crate) struct ServerProcesses;

impl MigrationName for ServerProcesses {
    fn name(&self) -> &'static str {
        "m20261129_000300_server_processes"
    }
}

#[async_trait::async_trait]
impl MigrationTrait for ServerProcesses {
    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }

    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let table = Table::create()
            .table("server_process")
            .col(text_key("name"))
            .col(text("program_version"))
            .col(text("schema"))
            .col(time("started_at"))
            .col(time("seen_at"))
            .take();
        create_table(manager, &table, []).await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager.drop_table(Table::drop().table("server_process").take()).await
    }
}
