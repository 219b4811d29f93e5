//! Users whom nobody has invited are told from those whose invitation has expired.

use sea_orm_migration::{prelude::*, sea_orm::DbBackend};

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

const BEFORE: &str = "'InvitationQueued', 'InvitationPending', 'InvitationExpired', 'Verified', 'Disabled'";
const AFTER: &str =
    "'NotInvited', 'InvitationQueued', 'InvitationPending', 'InvitationExpired', 'Verified', 'Disabled'";

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }

    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        admit(manager, BEFORE, AFTER).await?;
        let never = "UPDATE \"user\" SET status = 'NotInvited' WHERE status = 'InvitationExpired' AND NOT EXISTS \
                     (SELECT 1 FROM audit_entry WHERE record = 'user' AND record_id = \"user\".id AND action = 'invited')";
        manager.get_connection().execute_unprepared(never).await?;
        Ok(())
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let before = "UPDATE \"user\" SET status = 'InvitationExpired' WHERE status = 'NotInvited'";
        manager.get_connection().execute_unprepared(before).await?;
        admit(manager, AFTER, BEFORE).await
    }
}

async fn admit(manager: &SchemaManager<'_>, from: &str, to: &str) -> Result<(), DbErr> {
    let db = manager.get_connection();
    if manager.get_database_backend() == DbBackend::Postgres {
        db.execute_unprepared(&format!(
            "ALTER TABLE \"user\" DROP CONSTRAINT user_status_check; \
             ALTER TABLE \"user\" ADD CONSTRAINT user_status_check CHECK (status IN ({to}))"
        ))
        .await?;
        return Ok(());
    }
    // SQLite changes no constraint, and making the table anew would delete what refers to it. The rows stay as they are, so
    // that the schema's text can be changed (https://sqlite.org/lang_altertable.html, section 7).
    db.execute_unprepared("PRAGMA writable_schema = ON").await?;
    let (from, to) = (from.replace('\'', "''"), to.replace('\'', "''"));
    let changed = db
        .execute_unprepared(&format!(
            "UPDATE sqlite_schema SET sql = replace(sql, '({from})', '({to})') WHERE type = 'table' AND name = 'user' \
             AND instr(sql, '({from})') > 0"
        ))
        .await?;
    if changed.rows_affected() != 1 {
        return Err(DbErr::Migration("the states of users are not as expected".to_owned()));
    }
    db.execute_unprepared("PRAGMA writable_schema = RESET").await?;
    Ok(())
}
