//! Settings of imports: how a file is read and completed, and the headings that it has.

use sea_orm_migration::prelude::*;

use crate::column::{execute, optional_json};

const COLUMNS: [&str; 2] = ["settings", "header"];

#[derive(Debug, Clone, Copy)]
pub(crate) struct ImportSettings;

impl MigrationName for ImportSettings {
    fn name(&self) -> &'static str {
        "m20261127_000003_import_settings"
    }
}

#[async_trait::async_trait]
impl MigrationTrait for ImportSettings {
    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }

    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for column in COLUMNS {
            let add = Table::alter().table("import").add_column(optional_json(column)).take();
            manager.alter_table(add).await?;
        }
        Ok(())
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        execute(manager, &COLUMNS.map(|column| format!("ALTER TABLE import DROP COLUMN {column}"))).await
    }
}
