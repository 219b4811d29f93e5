//! Hidden rows of an import's spreadsheet, and whether its uploader may see prices.

use sea_orm_migration::prelude::*;

use crate::column::{boolean, optional_integer};

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

const COLUMNS: [&str; 2] = ["skip_hidden_rows", "hides_prices"];

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }

    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let flags = COLUMNS.map(|column| boolean(column).default(false).take());
        for column in flags.into_iter().chain([optional_integer("rows_hidden")]) {
            manager.alter_table(Table::alter().table("import").add_column(column).take()).await?;
        }
        Ok(())
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for column in COLUMNS.into_iter().chain(["rows_hidden"]) {
            manager.alter_table(Table::alter().table("import").drop_column(column).take()).await?;
        }
        Ok(())
    }
}
