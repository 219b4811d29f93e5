//! Runs of feeds, and the files that they have taken.

use sea_orm_migration::prelude::*;

use crate::{
    column::{boolean, integer, optional_integer, optional_text, optional_time, text, time},
    tenant_table::TenantTable,
};

const RUNS: &str = "feed_run";
const FILES: &str = "feed_file";

#[derive(Debug, Clone, Copy)]
pub(crate) struct FeedRuns;

impl MigrationName for FeedRuns {
    fn name(&self) -> &'static str {
        "m20261128_000020_feed_runs"
    }
}

#[async_trait::async_trait]
impl MigrationTrait for FeedRuns {
    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }

    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        // settings and imports may be gone: a run says what happened then
        TenantTable::of_log(RUNS)
            .column(integer("settings_id"))
            .column(text("kind"))
            .column(text("cause"))
            .column(optional_integer("asked_by"))
            .column(optional_time("started_at"))
            .column(optional_time("finished_at"))
            .column(optional_text("outcome"))
            .column(optional_text("failure"))
            .column(optional_text("answer"))
            .column(optional_text("file_name"))
            .column(optional_integer("bytes"))
            .column(optional_text("sha256"))
            .column(optional_integer("import_id"))
            .check("kind", "kind IN ('price', 'stock')")
            .check("cause", "cause IN ('schedule', 'by_hand', 'again')")
            .check("outcome", "outcome IN ('imported', 'nothing_new', 'waiting', 'failed')")
            .check("finished_at", "(finished_at IS NULL) = (outcome IS NULL)")
            .check("failure", "failure IS NULL OR outcome IN ('waiting', 'failed')")
            .listed_by(&["settings_id"])
            .create(manager)
            .await?;
        TenantTable::parts_without_reference(FILES, "settings_id", &["kind", "file_name", "sha256"])
            .column(text("kind"))
            .column(text("file_name"))
            .column(text("sha256"))
            .column(optional_integer("bytes"))
            .column(optional_time("modified_at"))
            .column(integer("import_id"))
            .column(time("taken_at"))
            .column(time("seen_at"))
            .column(boolean("is_handled"))
            .check("kind", "kind IN ('price', 'stock')")
            .create(manager)
            .await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for table in [FILES, RUNS] {
            manager.drop_table(Table::drop().table(table).take()).await?;
        }
        Ok(())
    }
}
