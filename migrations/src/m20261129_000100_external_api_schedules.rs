//! Schedules by which lists of external APIs are fetched, the last fetch, and the external API that an import
//! runs for.

use sea_orm_migration::prelude::*;

use crate::column::{execute, optional_integer, optional_json, optional_text, optional_time};

const STATES: &str = "external_api_state";

#[derive(Debug, Clone, Copy)]
pub(crate) struct ExternalApiSchedules;

impl MigrationName for ExternalApiSchedules {
    fn name(&self) -> &'static str {
        "m20261129_000100_external_api_schedules"
    }
}

#[async_trait::async_trait]
impl MigrationTrait for ExternalApiSchedules {
    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }

    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let one = Expr::cust("external_api_id IS NULL OR (created_by IS NULL AND feed_id IS NULL)");
        let outcome = Expr::cust("fetch_outcome IN ('imported', 'unchanged', 'failed')");
        let failure = Expr::cust(
            "(fetch_failure IS NOT NULL) = (fetch_outcome IS NOT NULL AND fetch_outcome = 'failed')",
        );
        let columns = [
            ("external_api", optional_json("schedule")),
            ("import", optional_integer("external_api_id").check(one).take()),
            (STATES, optional_time("fetched_at")),
            (STATES, optional_time("fetch_due_at")),
            (STATES, optional_text("fetch_outcome").check(outcome).take()),
            (STATES, optional_text("fetch_failure").check(failure).take()),
            (STATES, optional_integer("fetch_import_id")),
            (STATES, optional_json("list_tags")),
        ];
        for (table, column) in columns {
            manager.alter_table(Table::alter().table(table).add_column(column).take()).await?;
        }
        Ok(())
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let columns = [
            (STATES, "list_tags"),
            (STATES, "fetch_import_id"),
            (STATES, "fetch_failure"),
            (STATES, "fetch_outcome"),
            (STATES, "fetch_due_at"),
            (STATES, "fetched_at"),
            ("import", "external_api_id"),
            ("external_api", "schedule"),
        ];
        let drop = columns.map(|(table, column)| format!("ALTER TABLE {table} DROP COLUMN {column}"));
        execute(manager, &drop).await
    }
}
