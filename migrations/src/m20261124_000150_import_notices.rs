//! Whether somebody is written to when an import of theirs has ended; who was invited in vain is found at once.

use sea_orm_migration::prelude::*;

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }

    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for sql in [
            "ALTER TABLE \"user\" ADD COLUMN import_notices text NOT NULL DEFAULT 'never' \
             CONSTRAINT user_import_notices_check CHECK (import_notices IN ('never', 'problems', 'always'))",
            "CREATE INDEX user_invitation_expired_index ON \"user\" (id) WHERE status = 'InvitationExpired'",
        ] {
            manager.get_connection().execute_unprepared(sql).await?;
        }
        Ok(())
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for sql in
            ["DROP INDEX user_invitation_expired_index", "ALTER TABLE \"user\" DROP COLUMN import_notices"]
        {
            manager.get_connection().execute_unprepared(sql).await?;
        }
        Ok(())
    }
}
