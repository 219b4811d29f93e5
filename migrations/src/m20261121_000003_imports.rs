//! Imports, which are their own queue, and the rows they refused.

use sea_orm_migration::prelude::*;

use crate::column::{
    boolean, folded, id, index, integer, json, optional_integer, optional_text, optional_time, part_of,
    record, text,
};

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }

    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let mut import = Table::create()
            .table("import")
            .col(id())
            .col(integer("tenant_id"))
            .col(optional_integer("created_by"))
            .col(optional_text("name"))
            .col(folded(manager, "name_fold"))
            .col(
                text("type")
                    .check(Expr::col("type").is_in([
                        "Listing",
                        "Price",
                        "Stock",
                        "Article",
                        "Matching",
                        "DeleteMatchings",
                        "ExternalApiMetaData",
                    ]))
                    .take(),
            )
            .col(
                text("status")
                    .check(Expr::col("status").is_in([
                        "Queued",
                        "InProgress",
                        "Success",
                        "PartialSuccess",
                        "Failed",
                        "Cancelled",
                    ]))
                    .take(),
            )
            .col(optional_text("status_message"))
            .col(boolean("dry_run"))
            .col(text("language"))
            // The uploaded file: its name, where it lies, and what it is.
            .col(text("upload_file"))
            .col(text("upload_key"))
            .col(integer("upload_size"))
            .col(text("sha256"))
            .col(optional_integer("identical_to"))
            // Progress and result.
            .col(optional_integer("rows_total"))
            .col(integer("rows_done"))
            .col(integer("rows_created"))
            .col(integer("rows_updated"))
            .col(integer("rows_unchanged"))
            .col(integer("rows_refused"))
            .col(optional_time("started_at"))
            .col(optional_time("finished_at"))
            // The job: who works on it until when; a worker whose fence is not the row's has lost it.
            .col(optional_text("lease_owner"))
            .col(optional_time("lease_until"))
            .col(integer("fence"))
            .col(integer("attempt"))
            .col(integer("checkpoint"))
            .foreign_key(&mut part_of("import", "tenant_id", "tenant"))
            .foreign_key(
                ForeignKey::create()
                    .from("import", "created_by")
                    .to("user", "id")
                    .on_delete(ForeignKeyAction::SetNull),
            )
            .foreign_key(
                ForeignKey::create()
                    .from("import", "identical_to")
                    .to("import", "id")
                    .on_delete(ForeignKeyAction::SetNull),
            )
            .take();
        manager.create_table(record(&mut import).take()).await?;
        for columns in [
            &["tenant_id", "updated_at", "id"][..],
            &["updated_at", "id"],
            &["tenant_id", "type", "sha256"],
            &["created_by"],
            &["identical_to"],
        ] {
            manager.create_index(index("import", columns, false)).await?;
        }
        for statement in [
            "CREATE UNIQUE INDEX import_in_progress_key ON import (tenant_id, type) WHERE status = 'InProgress'",
            "CREATE INDEX import_queued_index ON import (id) WHERE status IN ('Queued', 'InProgress')",
        ] {
            manager.get_connection().execute_unprepared(statement).await?;
        }

        manager
            .create_table(
                Table::create()
                    .table("import_error")
                    .col(integer("import_id"))
                    .col(integer("line"))
                    .col(json("cells"))
                    .col(json("messages"))
                    .primary_key(Index::create().col("import_id").col("line"))
                    .foreign_key(&mut part_of("import_error", "import_id", "import"))
                    .take(),
            )
            .await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for table in ["import_error", "import"] {
            manager.drop_table(Table::drop().table(table).take()).await?;
        }
        Ok(())
    }
}
