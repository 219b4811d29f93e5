//! Tenants, roles, users, sessions.

use sea_orm_migration::prelude::*;

use crate::column::{
    boolean, folded, id, index, integer, optional_integer, optional_text, optional_time, part_of, record,
    reference, text, time,
};

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

#[expect(clippy::too_many_lines, reason = "a list of tables")]
#[async_trait::async_trait]
impl MigrationTrait for Migration {
    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }

    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let mut tenant = Table::create()
            .table("tenant")
            .col(id())
            .col(text("company"))
            .col(folded(manager, "company_fold"))
            .col(text("short_code"))
            .col(folded(manager, "short_code_fold"))
            .col(optional_text("address"))
            .col(optional_text("email"))
            .col(optional_text("phone"))
            .col(optional_text("external_api_type"))
            .take();
        manager.create_table(record(&mut tenant).take()).await?;
        manager.create_index(index("tenant", &["short_code_fold"], true)).await?;
        manager.create_index(index("tenant", &["company_fold", "id"], false)).await?;
        manager.create_table(permissions_of("tenant_permission", "tenant_id", "tenant")).await?;

        let mut role = Table::create()
            .table("role")
            .col(id())
            .col(optional_integer("tenant_id"))
            .col(text("name"))
            .col(folded(manager, "name_fold"))
            .foreign_key(&mut part_of("role", "tenant_id", "tenant"))
            .take();
        manager.create_table(record(&mut role).take()).await?;
        manager.create_index(index("role", &["name_fold"], true)).await?;
        manager.create_table(permissions_of("role_permission", "role_id", "role")).await?;

        let mut user = Table::create()
            .table("user")
            .col(id())
            .col(optional_integer("tenant_id"))
            .col(text("name"))
            .col(folded(manager, "name_fold"))
            .col(text("email"))
            .col(folded(manager, "email_fold"))
            .col(optional_text("password_hash"))
            .col(
                text("status")
                    .check(Expr::col("status").is_in([
                        "InvitationQueued",
                        "InvitationPending",
                        "InvitationExpired",
                        "Verified",
                        "Disabled",
                    ]))
                    .take(),
            )
            .col(boolean("narrowed"))
            .col(optional_text("language"))
            .foreign_key(&mut part_of("user", "tenant_id", "tenant"))
            .take();
        manager.create_table(record(&mut user).take()).await?;
        manager.create_index(index("user", &["email_fold"], true)).await?;
        manager.create_index(index("user", &["tenant_id", "name_fold", "id"], false)).await?;
        manager.create_table(permissions_of("user_permission", "user_id", "user")).await?;

        manager
            .create_table(
                Table::create()
                    .table("user_role")
                    .col(integer("user_id"))
                    .col(integer("role_id"))
                    .primary_key(Index::create().col("user_id").col("role_id"))
                    .foreign_key(&mut part_of("user_role", "user_id", "user"))
                    .foreign_key(&mut reference("user_role", "role_id", "role"))
                    .take(),
            )
            .await?;
        manager.create_index(index("user_role", &["role_id"], false)).await?;

        // One row: grows with every change of a right, so that callers can be kept in memory and are never stale.
        manager
            .create_table(
                Table::create()
                    .table("rights_version")
                    .col(ColumnDef::new("id").big_integer().not_null().primary_key())
                    .col(integer("version"))
                    .take(),
            )
            .await?;
        let first = Query::insert()
            .into_table("rights_version")
            .columns(["id", "version"])
            .values_panic([1.into(), 1.into()])
            .take();
        manager.execute(first).await?;

        manager
            .create_table(
                Table::create()
                    .table("session")
                    .col(id())
                    .col(integer("user_id"))
                    .col(text("token_hash"))
                    .col(optional_text("user_agent"))
                    .col(time("created_at"))
                    .col(time("last_used_at"))
                    .col(time("expires_at"))
                    .foreign_key(&mut part_of("session", "user_id", "user"))
                    .take(),
            )
            .await?;
        manager.create_index(index("session", &["token_hash"], true)).await?;
        manager.create_index(index("session", &["user_id", "last_used_at"], false)).await?;
        manager.create_index(index("session", &["expires_at"], false)).await?;

        manager
            .create_table(
                Table::create()
                    .table("sign_in_failure")
                    .col(ColumnDef::new("source").text().not_null().primary_key())
                    .col(integer("failures"))
                    .col(time("last_at"))
                    .col(time("blocked_until"))
                    .take(),
            )
            .await?;
        manager.create_index(index("sign_in_failure", &["last_at"], false)).await?;

        manager
            .create_table(
                Table::create()
                    .table("one_time_link")
                    .col(id())
                    .col(integer("user_id"))
                    .col(text("purpose"))
                    .col(text("token_hash"))
                    .col(time("created_at"))
                    .col(time("expires_at"))
                    .col(optional_time("used_at"))
                    .foreign_key(&mut part_of("one_time_link", "user_id", "user"))
                    .take(),
            )
            .await?;
        manager.create_index(index("one_time_link", &["token_hash"], true)).await?;
        manager.create_index(index("one_time_link", &["user_id"], false)).await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for table in [
            "one_time_link",
            "sign_in_failure",
            "session",
            "rights_version",
            "user_role",
            "user_permission",
            "user",
            "role_permission",
            "role",
            "tenant_permission",
            "tenant",
        ] {
            manager.drop_table(Table::drop().table(table).take()).await?;
        }
        Ok(())
    }
}

/// A set of permissions that belongs to a row of `owner`.
fn permissions_of(table: &'static str, column: &'static str, owner: &'static str) -> TableCreateStatement {
    Table::create()
        .table(table)
        .col(integer(column))
        .col(text("permission"))
        .primary_key(Index::create().col(column).col("permission"))
        .foreign_key(&mut part_of(table, column, owner))
        .take()
}
