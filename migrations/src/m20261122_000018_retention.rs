//! What finds that which has been kept long enough.

use sea_orm_migration::prelude::*;

use crate::column::{dropped, index};

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }

    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for statement in [
            "CREATE INDEX import_files_index ON import (finished_at) WHERE upload_key <> ''",
            "CREATE INDEX audit_entry_address_index ON audit_entry (at) WHERE address <> ''",
        ] {
            manager.get_connection().execute_unprepared(statement).await?;
        }
        manager.create_index(index("import", &["upload_key"], false)).await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager.drop_index(dropped("import", "import_upload_key_index")).await?;
        manager.drop_index(dropped("audit_entry", "audit_entry_address_index")).await?;
        manager.drop_index(dropped("import", "import_files_index")).await
    }
}
