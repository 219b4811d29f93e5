//! Entries that tell of deletions, by what was deleted: what records were at a moment is asked of those that are gone, too, by the
//! beginning of their names.

use sea_orm_migration::{prelude::*, sea_orm::DbBackend};

use crate::column::dropped;

const INDEX: &str = "audit_entry_deleted_index";

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }

    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let name = match manager.get_database_backend() {
            DbBackend::Postgres => "record_name COLLATE \"C\"",
            _ => "record_name",
        };
        let index = format!("CREATE INDEX {INDEX} ON audit_entry (record, {name}) WHERE action = 'deleted'");
        manager.get_connection().execute_unprepared(&index).await?;
        Ok(())
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager.drop_index(dropped("audit_entry", INDEX)).await
    }
}
