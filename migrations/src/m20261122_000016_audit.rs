//! What was changed, by whom and by which way. An entry outlives what it speaks of, so that it refers to nothing.

use sea_orm_migration::prelude::*;

use crate::column::{id, index, json, optional_integer, text, time};

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

/// What its list can be narrowed to; each in the order of the list, the newest at the end.
const NARROWED: [&[&str]; 5] = [
    &["at", "id"],
    &["record", "record_id", "at", "id"],
    &["tenant_id", "at", "id"],
    &["user_id", "at", "id"],
    &["action", "at", "id"],
];

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }

    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let mut entry = Table::create();
        entry.table("audit_entry").col(id()).col(time("at")).col(text("action")).col(text("record"));
        entry.col(optional_integer("record_id")).col(text("record_name"));
        entry.col(optional_integer("tenant_id")).col(optional_integer("user_id"));
        entry
            .col(text("channel"))
            .col(optional_integer("channel_id"))
            .col(text("address"))
            .col(json("changes"));
        manager.create_table(entry).await?;
        for columns in NARROWED {
            manager.create_index(index("audit_entry", columns, false)).await?;
        }
        // Who gives everything away must go on to hold everything.
        for permission in ["audit.list", "audit.view"] {
            let seen = format!(
                "INSERT INTO role_permission (role_id, permission) SELECT role_id, '{permission}' \
                 FROM role_permission WHERE permission = 'tenant.update'"
            );
            manager.get_connection().execute_unprepared(&seen).await?;
        }
        Ok(())
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager
            .get_connection()
            .execute_unprepared("DELETE FROM role_permission WHERE permission LIKE 'audit.%'")
            .await?;
        manager.drop_table(Table::drop().table("audit_entry").take()).await
    }
}
