//! What an import does with records that there are not, or that its file does not name.

use sea_orm_migration::prelude::*;

use crate::{
    admitted::admit,
    column::{integer, optional_integer, text},
};

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

const COUNTS: [&str; 2] = ["rows_removed", "rows_skipped"];

const OUTCOME: [&str; 2] = ["import_row", "outcome"];
const BEFORE: &str = "'created', 'updated', 'unchanged', 'refused', 'held', 'unresolved'";
const AFTER: &str =
    "'created', 'updated', 'unchanged', 'refused', 'held', 'unresolved', 'removed', 'skipped'";

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }

    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let counts = COUNTS.map(|count| integer(count).default(0).take());
        let strategy = text("strategy").default("add_and_replace").take();
        // How many records the dry run has named that go.
        for column in counts.into_iter().chain([strategy, optional_integer("removals_expected")]) {
            manager.alter_table(Table::alter().table("import").add_column(column).take()).await?;
        }
        admit(manager, OUTCOME, BEFORE, AFTER).await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let known = format!("DELETE FROM import_row WHERE outcome NOT IN ({BEFORE})");
        manager.get_connection().execute_unprepared(&known).await?;
        admit(manager, OUTCOME, AFTER, BEFORE).await?;
        for column in COUNTS.into_iter().chain(["strategy", "removals_expected"]) {
            manager.alter_table(Table::alter().table("import").drop_column(column).take()).await?;
        }
        Ok(())
    }
}
