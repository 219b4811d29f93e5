//! The cause of imports that repeat rows of others, with what finds them, and an index of what other systems
//! call tenants.

use sea_orm_migration::prelude::*;

use crate::column::execute;

#[derive(Debug, Clone, Copy)]
pub(crate) struct ReplayCause;

impl MigrationName for ReplayCause {
    fn name(&self) -> &'static str {
        "m20261128_000002_replay_cause"
    }
}

#[async_trait::async_trait]
impl MigrationTrait for ReplayCause {
    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }

    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let changes = [
            "CREATE INDEX import_replays_index ON import (replays) WHERE replays IS NOT NULL",
            "ALTER TABLE import ADD COLUMN replay_cause text \
             CHECK (replay_cause IN ('correction', 'request', 'automatic'))",
            "CREATE INDEX matching_external_tenant_index \
             ON matching (tenant_id, external_tenant_identifier_fold) WHERE external_tenant_identifier_fold <> ''",
        ];
        execute(manager, &changes).await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let undo = [
            "DROP INDEX matching_external_tenant_index",
            "DROP INDEX import_replays_index",
            "ALTER TABLE import DROP COLUMN replay_cause",
        ];
        execute(manager, &undo).await
    }
}
