//! Users whom nobody has invited are told from those whose invitation has expired.

use sea_orm_migration::prelude::*;

use crate::admitted::admit;

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

const STATUS: [&str; 2] = ["user", "status"];
const BEFORE: &str = "'InvitationQueued', 'InvitationPending', 'InvitationExpired', 'Verified', 'Disabled'";
const AFTER: &str =
    "'NotInvited', 'InvitationQueued', 'InvitationPending', 'InvitationExpired', 'Verified', 'Disabled'";

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }

    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        admit(manager, STATUS, BEFORE, AFTER).await?;
        let never = "UPDATE \"user\" SET status = 'NotInvited' WHERE status = 'InvitationExpired' AND NOT EXISTS \
                     (SELECT 1 FROM audit_entry WHERE record = 'user' AND record_id = \"user\".id AND action = 'invited')";
        manager.get_connection().execute_unprepared(never).await?;
        Ok(())
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let before = "UPDATE \"user\" SET status = 'InvitationExpired' WHERE status = 'NotInvited'";
        manager.get_connection().execute_unprepared(before).await?;
        admit(manager, STATUS, AFTER, BEFORE).await
    }
}
