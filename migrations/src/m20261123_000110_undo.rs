//! Which request has written an entry of the history, and which other entry it takes back.

use sea_orm_migration::prelude::*;

use crate::column::{dropped, optional_integer, text};

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }

    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for column in [text("request").default("").take(), optional_integer("undoes")] {
            manager.alter_table(Table::alter().table("audit_entry").add_column(column).take()).await?;
        }
        let index = "CREATE INDEX audit_entry_undoes_index ON audit_entry (undoes) WHERE undoes IS NOT NULL";
        manager.get_connection().execute_unprepared(index).await?;
        Ok(())
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager.drop_index(dropped("audit_entry", "audit_entry_undoes_index")).await?;
        for column in ["undoes", "request"] {
            manager.alter_table(Table::alter().table("audit_entry").drop_column(column).take()).await?;
        }
        Ok(())
    }
}
