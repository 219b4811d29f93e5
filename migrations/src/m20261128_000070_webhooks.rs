//! Webhooks of tenants: the addresses that receive events, the queue of each, and deliveries. Roles, users
//! and tenants that may configure external APIs may configure webhooks, too.

use sea_orm_migration::prelude::*;

use crate::{
    column::{
        boolean, create_table, execute, index, integer, json, named_index, optional_integer, optional_text,
        optional_time, records, reference, text, time,
    },
    tenant_table::TenantTable,
};

const WEBHOOKS: &str = "webhook";
const QUEUE: &str = "webhook_queue";
const DELIVERIES: &str = "webhook_delivery";

#[derive(Debug, Clone, Copy)]
pub(crate) struct Webhooks;

impl MigrationName for Webhooks {
    fn name(&self) -> &'static str {
        "m20261128_000070_webhooks"
    }
}

#[async_trait::async_trait]
impl MigrationTrait for Webhooks {
    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }

    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        TenantTable::of_records(WEBHOOKS)
            .column(text("url"))
            .column(json("events"))
            .column(optional_text("ca_certificate"))
            .column(optional_text("secret_sealed"))
            .column(optional_text("previous_secret_sealed"))
            .column(optional_time("previous_secret_until"))
            .column(optional_time("paused_at"))
            .column(optional_text("pause_reason"))
            .check("pause_reason", "pause_reason IN ('by_hand', 'gone', 'undeliverable')")
            .check("paused_at", "(paused_at IS NULL) = (pause_reason IS NULL)")
            .create(manager)
            .await?;
        create_queue(manager).await?;
        create_deliveries(manager).await?;
        let grants = [("role_permission", "role_id"), ("tenant_permission", "tenant_id"), ("user_permission", "user_id")]
            .map(|(table, holder)| {
                format!(
                    "INSERT INTO {table} ({holder}, permission) SELECT {holder}, 'configure-webhooks' FROM {table} \
                     WHERE permission = 'configure-external-api'"
                )
            });
        execute(manager, &grants).await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for table in [DELIVERIES, QUEUE, WEBHOOKS] {
            manager.drop_table(Table::drop().table(table).take()).await?;
        }
        let grants = ["role_permission", "tenant_permission", "user_permission"]
            .map(|table| format!("DELETE FROM {table} WHERE permission = 'configure-webhooks'"));
        execute(manager, &grants).await
    }
}

async fn create_queue(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    let table = records(QUEUE)
        .col(integer("tenant_id"))
        .col(integer("webhook_id"))
        .col(boolean("is_paused"))
        .col(optional_time("due_at"))
        .col(optional_time("retry_at"))
        .col(optional_text("lease_owner"))
        .col(optional_time("lease_until"))
        .col(integer("fence"))
        .col(integer("failures_in_row"))
        .col(optional_time("failing_since"))
        .col(optional_time("last_success_at"))
        .col(optional_text("last_failure"))
        .col(optional_time("look_due_at"))
        .col(optional_time("looked_at"))
        .col(integer("change_cursor"))
        .col(time("created_at"))
        .foreign_key(&mut reference(QUEUE, "tenant_id", "tenant"))
        .check(Expr::cust("(lease_owner IS NULL) = (lease_until IS NULL)"))
        .take();
    let indexes = [
        index(QUEUE, &["tenant_id", "webhook_id"], true),
        index(QUEUE, &["due_at", "id"], false),
        index(QUEUE, &["look_due_at", "id"], false),
    ];
    create_table(manager, &table, indexes).await
}

async fn create_deliveries(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    let table = records(DELIVERIES)
        .col(integer("tenant_id"))
        .col(integer("webhook_id"))
        .col(text("message_id"))
        .col(text("event"))
        .col(text("subject"))
        .col(optional_text("data"))
        .col(text("status"))
        .col(optional_time("due_at"))
        .col(boolean("is_by_hand"))
        .col(boolean("is_tried_once"))
        .col(integer("attempts"))
        .col(integer("attempts_in_row"))
        .col(optional_time("tried_since"))
        .col(optional_time("delivered_at"))
        .col(optional_integer("last_status"))
        .col(optional_integer("last_duration_ms"))
        .col(optional_text("last_failure"))
        .col(json("log"))
        .col(time("created_at"))
        .col(time("updated_at"))
        .foreign_key(&mut reference(DELIVERIES, "tenant_id", "tenant"))
        .check(Expr::cust("status IN ('pending', 'delivered', 'failed', 'withdrawn')"))
        .check(Expr::cust("(status = 'pending') = (due_at IS NOT NULL)"))
        .check(Expr::cust("status <> 'pending' OR data IS NOT NULL"))
        .take();
    let indexes = [
        index(DELIVERIES, &["tenant_id", "webhook_id", "due_at", "id"], false),
        named_index(
            "webhook_delivery_subject_index",
            DELIVERIES,
            &["tenant_id", "webhook_id", "subject", "due_at", "id"],
        ),
        index(DELIVERIES, &["tenant_id", "webhook_id", "id"], false),
        index(DELIVERIES, &["created_at", "id"], false),
    ];
    create_table(manager, &table, indexes).await
}
