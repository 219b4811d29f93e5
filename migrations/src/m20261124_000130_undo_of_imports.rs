//! An import that takes another one back; rows whose record stays because somebody has edited it since.

use sea_orm_migration::prelude::*;

use crate::{
    admitted::admit,
    column::{dropped, integer, optional_integer},
};

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

const OUTCOME: [&str; 2] = ["import_row", "outcome"];
const BEFORE: &str =
    "'created', 'updated', 'unchanged', 'refused', 'held', 'unresolved', 'removed', 'skipped'";
const AFTER: &str =
    "'created', 'updated', 'unchanged', 'refused', 'held', 'unresolved', 'removed', 'skipped', 'kept'";

/// What failed or was cancelled can be tried again.
const ONCE: &str = "CREATE UNIQUE INDEX import_undoes_key ON import (undoes) \
    WHERE undoes IS NOT NULL AND NOT dry_run AND status NOT IN ('Failed', 'Cancelled')";

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }

    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for column in [integer("rows_kept").default(0).take(), optional_integer("undoes")] {
            manager.alter_table(Table::alter().table("import").add_column(column).take()).await?;
        }
        manager.get_connection().execute_unprepared(ONCE).await?;
        admit(manager, OUTCOME, BEFORE, AFTER).await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let unknown = format!("DELETE FROM import_row WHERE outcome NOT IN ({BEFORE})");
        manager.get_connection().execute_unprepared(&unknown).await?;
        admit(manager, OUTCOME, AFTER, BEFORE).await?;
        manager.drop_index(dropped("import", "import_undoes_key")).await?;
        for column in ["rows_kept", "undoes"] {
            manager.alter_table(Table::alter().table("import").drop_column(column).take()).await?;
        }
        Ok(())
    }
}
