//! Deliveries: an event for each webhook that listens, with its attempts.
//!
//! An event waits for earlier ones with the same subject. Its data are stored for 30 days, the rest for 90.

pub mod attempt;
pub mod entity;

use std::collections::HashMap;

use background::Figures;
use chrono::TimeDelta;
use lists::{Field, ListQuery, Listed, Page};
use sea_orm::{
    ActiveValue::Set, ColumnTrait, Condition, ConnectionTrait, DeriveActiveEnum, EntityTrait, EnumIter,
    FromQueryResult, PaginatorTrait, QueryFilter, QuerySelect, QueryTrait, Statement, prelude::StringLen,
    sea_query::Expr,
};
use serde::{Deserialize, Serialize};
use serde_json::{json, value::RawValue};
use store::{Database, Owner, Scope, Scoped, Write};
use utoipa::ToSchema;
use values::{Instant, Message, Result, TenantId, now};

use self::{attempt::Attempts, entity::ActiveModel};
pub use self::{
    attempt::DeliveryAttempt,
    entity::{Column, Entity as Deliveries, Model as Delivery},
};
use crate::{
    codes,
    event::{Envelope, Event, EventType},
    queue::{self, WebhookQueue},
    webhook::entity::{Entity as Webhooks, Model as Webhook},
};

/// Time for which data of events are stored.
pub const DATA_KEPT: TimeDelta = TimeDelta::days(30);
/// Time for which deliveries are stored.
pub const DELIVERIES_KEPT: TimeDelta = TimeDelta::days(90);
/// Number of rows in one statement.
const ROWS_PER_INSERT: usize = 500;

/// State of a delivery: waiting or retried, accepted, given up, or withdrawn before it was sent.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema, EnumIter, DeriveActiveEnum,
)]
#[serde(rename_all = "snake_case")]
#[schema(as = WebhookDeliveryStatus)]
#[sea_orm(rs_type = "String", db_type = "String(StringLen::N(16))", rename_all = "snake_case")]
pub enum DeliveryStatus {
    Pending,
    Delivered,
    Failed,
    Withdrawn,
}

impl DeliveryStatus {
    pub const NAMES: &'static [&'static str] = &["pending", "delivered", "failed", "withdrawn"];
}

impl Scoped for Deliveries {
    const ID: Column = Column::Id;
    const OWNER: Owner<Column> = Owner::Tenant(Column::TenantId);
}

impl Listed for Deliveries {
    const FIELDS: &'static [Field] = &[
        Field::choice("event", &Column::Event, EventType::NAMES).unsorted(),
        Field::choice("status", &Column::Status, DeliveryStatus::NAMES).unsorted(),
        Field::time("created_at", &Column::CreatedAt),
    ];
    const DEFAULT_SORT: &'static str = "-id";
}

impl Delivery {
    /// The reason for the last failure.
    pub fn failure(&self) -> Option<Message> {
        serde_json::from_str(self.last_failure.as_deref()?).ok()
    }

    /// Body of its request; `None` once its data are deleted. `source` is the public address of the
    /// installation.
    pub fn body(&self, source: &str) -> Option<String> {
        let data: Box<RawValue> = serde_json::from_str(self.data.as_deref()?).ok()?;
        let envelope = Envelope {
            id: &self.message_id,
            r#type: self.event,
            source,
            subject: &self.subject,
            timestamp: self.created_at,
            tenant_id: self.tenant_id.into(),
            data: &data,
        };
        serde_json::to_string(&envelope).ok()
    }
}

fn webhook_condition(webhook: &Webhook) -> Condition {
    Condition::all().add(Column::TenantId.eq(webhook.tenant_id)).add(Column::WebhookId.eq(webhook.id))
}

fn row(tenant: TenantId, webhook_id: i64, event: &Event, now: Instant) -> ActiveModel {
    ActiveModel {
        tenant_id: Set(tenant),
        webhook_id: Set(webhook_id),
        message_id: Set(format!("msg_{}", uuid::Uuid::now_v7().simple())),
        event: Set(event.event_type),
        subject: Set(event.subject.clone()),
        data: Set(Some(event.data.to_string())),
        status: Set(DeliveryStatus::Pending),
        due_at: Set(Some(now)),
        is_by_hand: Set(event.event_type == EventType::Test),
        is_tried_once: Set(event.event_type == EventType::Test),
        attempts: Set(0),
        attempts_in_row: Set(0),
        log: Set(Attempts::default()),
        created_at: Set(now),
        updated_at: Set(now),
        ..Default::default()
    }
}

/// Writes events for these webhooks of a tenant, in their order.
#[expect(clippy::disallowed_methods, reason = "of webhooks that listen to the events")]
pub(crate) async fn write(
    tx: &Write,
    tenant: TenantId,
    webhook_ids: &[i64],
    events: &[Event],
    now: Instant,
) -> Result<()> {
    let rows = events.iter().flat_map(|event| webhook_ids.iter().map(|id| row(tenant, *id, event, now)));
    let rows: Vec<ActiveModel> = rows.collect();
    for some in rows.chunks(ROWS_PER_INSERT) {
        Deliveries::insert_many(some.to_vec()).exec_without_returning(tx).await?;
    }
    Ok(())
}

/// The deliveries of a webhook, the latest first.
pub async fn list(
    db: &Database,
    scope: &Scope,
    webhook_id: i64,
    query: &ListQuery<Deliveries>,
) -> Result<Page<Delivery>> {
    let webhook = scope.get::<Webhooks>(db, webhook_id).await?;
    let deliveries = scope.find::<Deliveries>().filter(webhook_condition(&webhook));
    query.fetch_from(db, deliveries.into_query()).await
}

/// Writes a test event for a webhook. It is sent immediately, even if the webhook is paused, and tried once.
#[expect(clippy::disallowed_methods, reason = "of a webhook that the caller may configure")]
pub async fn test(db: &Database, scope: &Scope, webhook_id: i64) -> Result<Delivery> {
    let tx = db.begin().await?;
    let webhook = scope.get::<Webhooks>(&tx, webhook_id).await?;
    let now = now();
    let event = Event {
        event_type: EventType::Test,
        subject: format!("webhooks/{}", webhook.id),
        data: json!({ "webhook_id": webhook.id }),
    };
    queue::wake(&tx, &webhook, now).await?;
    let row = row(webhook.tenant_id, webhook.id, &event, now);
    let delivery = Deliveries::insert(row).exec_with_returning(&tx).await?;
    tx.commit().await?;
    Ok(delivery)
}

/// Sends an event again with the same id, by which a receiver can recognise a repetition. A pending one is
/// tried now.
///
/// # Errors
/// [`codes::WEBHOOK_BODY_FORGOTTEN`] if its data have been deleted.
#[expect(clippy::disallowed_methods, reason = "the delivery that the caller's scope has given")]
pub async fn send_again(db: &Database, scope: &Scope, id: i64) -> Result<Delivery> {
    let tx = db.begin().await?;
    let before = scope.get::<Deliveries>(&tx, id).await?;
    let webhook = scope.get::<Webhooks>(&tx, before.webhook_id).await?;
    let now = now();
    queue::wake(&tx, &webhook, now).await?;
    // Read again under the lock, so that no sender can change it.
    let before = scope.get_locked::<Deliveries>(&tx, id).await?;
    if before.data.is_none() {
        return Err(codes::WEBHOOK_BODY_FORGOTTEN.into());
    }
    let is_repeated = before.status != DeliveryStatus::Pending;
    let update = Deliveries::update_many()
        .col_expr(Column::Status, Expr::value(DeliveryStatus::Pending))
        .col_expr(Column::DueAt, Expr::value(Some(now)))
        .col_expr(Column::IsByHand, Expr::value(true))
        .col_expr(Column::IsTriedOnce, Expr::value(before.is_tried_once || is_repeated))
        .col_expr(Column::UpdatedAt, Expr::value(now))
        .filter(Column::TenantId.eq(before.tenant_id))
        .filter(Column::Id.eq(id));
    let changed = update.exec_with_returning(&tx).await?;
    tx.commit().await?;
    changed.into_iter().next().ok_or_else(|| codes::NOT_FOUND.into())
}

/// Restarts the attempts of all pending deliveries of a webhook.
#[expect(clippy::disallowed_methods, reason = "of a webhook that the caller resumes")]
pub(crate) async fn begin_anew(tx: &Write, webhook: &Webhook, now: Instant) -> Result<()> {
    Deliveries::update_many()
        .col_expr(Column::DueAt, Expr::value(Some(now)))
        .col_expr(Column::AttemptsInRow, Expr::value(0_i64))
        .col_expr(Column::TriedSince, Expr::value(None::<Instant>))
        .filter(webhook_condition(webhook).add(Column::DueAt.is_not_null()))
        .exec(tx)
        .await?;
    Ok(())
}

/// Removes the deliveries of a webhook that is deleted.
#[expect(clippy::disallowed_methods, reason = "of a webhook that the caller may delete")]
pub(crate) async fn remove_all(tx: &Write, webhook: &Webhook) -> Result<()> {
    Deliveries::delete_many().filter(webhook_condition(webhook)).exec(tx).await?;
    Ok(())
}

/// Condition: no earlier event with the same subject is pending; `d` is the event.
const IN_TURN: &str = "(d.is_tried_once OR NOT EXISTS (SELECT 1 FROM webhook_delivery e WHERE e.tenant_id = d.tenant_id \
    AND e.webhook_id = d.webhook_id AND e.subject = d.subject AND e.due_at IS NOT NULL AND e.id < d.id \
    AND NOT e.is_tried_once))";

/// Deliveries that may be sent now: at most one of each subject, apart from those that are tried once.
pub(crate) async fn next_batch(
    tx: &Write,
    queue: &WebhookQueue,
    now: Instant,
    only_by_hand: bool,
    size: i64,
) -> Result<Vec<Delivery>> {
    let which = if only_by_hand { "AND d.is_by_hand" } else { "" };
    let sql = format!(
        "SELECT d.* FROM webhook_delivery d WHERE d.tenant_id = $1 AND d.webhook_id = $2 AND d.due_at <= $3 {which} \
         AND {IN_TURN} ORDER BY d.due_at, d.id LIMIT $4"
    );
    let values = [queue.tenant_id.into(), queue.webhook_id.into(), now.into(), size.into()];
    let statement = Statement::from_sql_and_values(tx.get_database_backend(), sql, values);
    Ok(Delivery::find_by_statement(statement).all(tx).await?)
}

/// The time at which the next delivery of a webhook can be sent; `None` if nothing waits.
pub(crate) async fn next_due(
    tx: &Write,
    queue: &WebhookQueue,
    only_by_hand: bool,
) -> Result<Option<Instant>> {
    let which = if only_by_hand { "AND d.is_by_hand" } else { "" };
    let sql = format!(
        "SELECT d.due_at FROM webhook_delivery d WHERE d.tenant_id = $1 AND d.webhook_id = $2 \
         AND d.due_at IS NOT NULL {which} AND {IN_TURN} ORDER BY d.due_at, d.id LIMIT 1"
    );
    let values = [queue.tenant_id.into(), queue.webhook_id.into()];
    let statement = Statement::from_sql_and_values(tx.get_database_backend(), sql, values);
    let row = tx.query_one_raw(statement).await?;
    Ok(row.map(|row| row.try_get_by_index(0)).transpose()?)
}

/// The state of a delivery after an attempt.
#[derive(Debug, Clone, Copy)]
pub(crate) struct AfterAttempt {
    pub(crate) status: DeliveryStatus,
    /// Time of the next attempt, for a pending one.
    pub(crate) due_at: Option<Instant>,
}

/// Records an attempt of a delivery; the transaction must have locked the webhook's queue.
#[expect(clippy::disallowed_methods, reason = "a delivery whose webhook the sender works on")]
pub(crate) async fn record(
    tx: &Write,
    delivery: &Delivery,
    attempt: DeliveryAttempt,
    after: AfterAttempt,
    now: Instant,
) -> Result<()> {
    let failed = attempt.failure.is_some();
    let delivered_at = if failed { delivery.delivered_at } else { Some(now) };
    let failure = attempt.failure.as_ref().map(serde_json::to_string).transpose();
    let update = Deliveries::update_many()
        .col_expr(Column::Status, Expr::value(after.status))
        .col_expr(Column::DueAt, Expr::value(after.due_at))
        .col_expr(Column::IsByHand, Expr::value(false))
        .col_expr(Column::Attempts, Expr::value(delivery.attempts + 1))
        .col_expr(Column::AttemptsInRow, Expr::value(delivery.attempts_in_row + 1))
        .col_expr(Column::TriedSince, Expr::value(delivery.tried_since.or(Some(attempt.at))))
        .col_expr(Column::DeliveredAt, Expr::value(delivered_at))
        .col_expr(Column::LastStatus, Expr::value(attempt.status.map(i64::from)))
        .col_expr(Column::LastDurationMs, Expr::value(Some(attempt.duration_ms)))
        .col_expr(Column::LastFailure, Expr::value(failure.map_err(values::Error::internal)?))
        .col_expr(Column::Log, Expr::value(delivery.log.clone().with(attempt)))
        .col_expr(Column::UpdatedAt, Expr::value(now))
        .filter(Column::TenantId.eq(delivery.tenant_id))
        .filter(Column::Id.eq(delivery.id));
    update.exec(tx).await?;
    Ok(())
}

/// The numbers of pending deliveries, by the id of the webhook.
#[expect(clippy::disallowed_methods, reason = "of webhooks that the caller has found through their scope")]
pub(crate) async fn count_pending(
    db: &impl ConnectionTrait,
    webhooks: &[Webhook],
) -> Result<HashMap<i64, i64>> {
    if webhooks.is_empty() {
        return Ok(HashMap::new());
    }
    let pending = Deliveries::find()
        .select_only()
        .column(Column::WebhookId)
        .column_as(Column::Id.count(), "pending")
        .filter(Column::TenantId.is_in(webhooks.iter().map(|webhook| webhook.tenant_id)))
        .filter(Column::WebhookId.is_in(webhooks.iter().map(|webhook| webhook.id)))
        .filter(Column::DueAt.is_not_null())
        .group_by(Column::WebhookId);
    let pending: Vec<(i64, i64)> = pending.into_tuple().all(db).await?;
    Ok(pending.into_iter().collect())
}

/// The number of pending deliveries of a webhook, counted up to `max`.
#[expect(clippy::disallowed_methods, reason = "of a webhook that the program works on")]
pub async fn pending_up_to(db: &impl ConnectionTrait, queue: &WebhookQueue, max: u64) -> Result<u64> {
    let pending = Deliveries::find()
        .filter(Column::TenantId.eq(queue.tenant_id))
        .filter(Column::WebhookId.eq(queue.webhook_id))
        .filter(Column::DueAt.is_not_null())
        .limit(max);
    Ok(pending.count(db).await?)
}

/// True if a webhook has reported this event of a subject since a given time.
#[expect(clippy::disallowed_methods, reason = "of a webhook that listens to the event")]
pub(crate) async fn was_written(
    tx: &Write,
    webhook: &Webhook,
    event: EventType,
    subject: &str,
    since: Instant,
) -> Result<bool> {
    let written = Deliveries::find()
        .filter(webhook_condition(webhook))
        .filter(Column::Subject.eq(subject))
        .filter(Column::Event.eq(event))
        .filter(Column::CreatedAt.gte(since));
    Ok(written.limit(1).count(tx).await? > 0)
}

/// Number of deliveries that wait for a sender, and the time since which the oldest one waits.
async fn waiting(db: &impl ConnectionTrait) -> Result<(i64, Option<Instant>)> {
    let sql = "SELECT count(*) AS waiting, min(d.created_at) AS since FROM webhook_delivery d \
        JOIN webhook_queue q ON q.tenant_id = d.tenant_id AND q.webhook_id = d.webhook_id \
        WHERE d.due_at IS NOT NULL AND NOT q.is_paused";
    let row = db.query_one_raw(Statement::from_string(db.get_database_backend(), sql)).await?;
    let Some(row) = row else { return Ok((0, None)) };
    Ok((row.try_get("", "waiting")?, row.try_get("", "since")?))
}

/// Number of deliveries that were given up since a given time.
#[expect(clippy::disallowed_methods, reason = "a figure of the whole installation")]
async fn count_failed(db: &impl ConnectionTrait, since: Instant) -> Result<i64> {
    let failed = Deliveries::find()
        .filter(Column::Status.eq(DeliveryStatus::Failed))
        .filter(Column::CreatedAt.gt(since - DATA_KEPT))
        .filter(Column::UpdatedAt.gt(since));
    Ok(i64::try_from(failed.count(db).await?).unwrap_or(i64::MAX))
}

/// Figures of the deliveries of all webhooks as a queue; those of paused ones do not count as waiting.
pub async fn figures(db: &impl ConnectionTrait, now: Instant) -> Result<Figures> {
    let (waiting, waiting_since) = waiting(db).await?;
    let running = queue::count_running(db, now).await?;
    let failed = count_failed(db, now - TimeDelta::days(1)).await?;
    Ok(Figures { waiting, waiting_since, running, failed })
}

/// Deletes old data and deliveries. Events that a paused webhook has not sent within 30 days are withdrawn.
#[expect(clippy::disallowed_methods, reason = "queues belong to no tenant")]
pub async fn clean_up(db: &Database, now: Instant) -> Result<()> {
    let tx = db.begin_long().await?;
    let old = Column::CreatedAt.lt(now - DATA_KEPT);
    Deliveries::update_many()
        .col_expr(Column::Status, Expr::value(DeliveryStatus::Withdrawn))
        .col_expr(Column::DueAt, Expr::value(None::<Instant>))
        .col_expr(Column::UpdatedAt, Expr::value(now))
        .filter(old.clone())
        .filter(Column::DueAt.is_not_null())
        .exec(&tx)
        .await?;
    Deliveries::update_many()
        .col_expr(Column::Data, Expr::value(None::<String>))
        .filter(old)
        .filter(Column::Data.is_not_null())
        .exec(&tx)
        .await?;
    Deliveries::delete_many().filter(Column::CreatedAt.lt(now - DELIVERIES_KEPT)).exec(&tx).await?;
    tx.commit().await
}
