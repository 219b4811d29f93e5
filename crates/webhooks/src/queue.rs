//! Queue of a webhook: a row that a sender claims by a lease, so that only one of several processes delivers
//! at a time.
//!
//! Transactions that write an event for a webhook also change its row. They therefore wait for each other,
//! and the ids of events are in the order of the commits.

pub mod entity;

use std::collections::HashMap;

use background::{Leased, lease};
use chrono::TimeDelta;
use sea_orm::{
    ActiveValue::Set, ColumnTrait, Condition, ConnectionTrait, EntityTrait, PaginatorTrait, QueryFilter,
    QuerySelect, QueryTrait, Statement, UpdateMany, sea_query::Expr,
};
use store::{
    Database, Recorded, Scope, Write,
    change_feed::{self, Stream},
};
use values::{Instant, Result};

use self::entity::ActiveModel;
pub use self::entity::{Column, Entity as WebhookQueues, Model as WebhookQueue};
use crate::webhook::{
    entity::{Column as WebhookColumn, Entity as Webhooks, Model as Webhook},
    pause_reason::PauseReason,
};

impl Leased for WebhookQueues {
    const ID: Column = Column::Id;
    const OWNER: Column = Column::LeaseOwner;
    const UNTIL: Column = Column::LeaseUntil;
    const FENCE: Column = Column::Fence;
    /// Longer than a batch of requests takes; renewed before each batch.
    const LEASE: TimeDelta = TimeDelta::minutes(1);
}

fn webhook_condition(webhook: &Webhook) -> Condition {
    Condition::all().add(Column::TenantId.eq(webhook.tenant_id)).add(Column::WebhookId.eq(webhook.id))
}

fn look_due(webhook: &Webhook, now: Instant) -> Option<Instant> {
    (webhook.events.include_polled() && webhook.paused_at.is_none()).then_some(now)
}

/// Number of the last change of records `E` that the webhook does not report.
async fn first_cursor<E: Recorded>(tx: &Write, webhook: &Webhook) -> Result<i64> {
    if !webhook.events.include_polled() {
        return Ok(0);
    }
    change_feed::end::<E>(tx, Stream::for_tenant(webhook.tenant_id)).await
}

/// Creates the queue of a new webhook, which reports changes of records `E` from now on.
#[expect(clippy::disallowed_methods, reason = "the queue of a webhook that this transaction has created")]
pub(crate) async fn create<E: Recorded>(tx: &Write, webhook: &Webhook, now: Instant) -> Result<()> {
    let row = ActiveModel {
        tenant_id: Set(webhook.tenant_id),
        webhook_id: Set(webhook.id),
        is_paused: Set(false),
        fence: Set(0),
        failures_in_row: Set(0),
        look_due_at: Set(look_due(webhook, now)),
        looked_at: Set(Some(now)),
        change_cursor: Set(first_cursor::<E>(tx, webhook).await?),
        created_at: Set(now),
        ..Default::default()
    };
    WebhookQueues::insert(row).exec_without_returning(tx).await?;
    Ok(())
}

/// Starts polling the changes of records `E` from now on, or stops it, after the events of a webhook have
/// changed.
pub(crate) async fn listen<E: Recorded>(tx: &Write, webhook: &Webhook, now: Instant) -> Result<()> {
    let from_now_on = [
        (Column::LookDueAt, Expr::value(look_due(webhook, now))),
        (Column::LookedAt, Expr::value(Some(now))),
        (Column::ChangeCursor, Expr::value(first_cursor::<E>(tx, webhook).await?)),
    ];
    change(tx, webhook, from_now_on).await
}

/// Stops the deliveries of a webhook.
pub(crate) async fn pause(tx: &Write, webhook: &Webhook) -> Result<()> {
    let paused = [
        (Column::IsPaused, Expr::value(true)),
        (Column::DueAt, Expr::value(None::<Instant>)),
        (Column::LookDueAt, Expr::value(None::<Instant>)),
    ];
    change(tx, webhook, paused).await
}

/// Resumes the deliveries of a webhook from now on.
pub(crate) async fn resume(tx: &Write, webhook: &Webhook, now: Instant) -> Result<()> {
    let resumed = [
        (Column::IsPaused, Expr::value(false)),
        (Column::DueAt, Expr::value(Some(now))),
        (Column::RetryAt, Expr::value(None::<Instant>)),
        (Column::FailuresInRow, Expr::value(0_i64)),
        (Column::FailingSince, Expr::value(None::<Instant>)),
        (Column::LookDueAt, Expr::value(look_due(webhook, now))),
    ];
    change(tx, webhook, resumed).await
}

/// Makes the queue of a webhook due now, even if it is paused, for a request of a user.
pub(crate) async fn wake(tx: &Write, webhook: &Webhook, now: Instant) -> Result<()> {
    change(tx, webhook, [(Column::DueAt, Expr::value(Some(now)))]).await
}

#[expect(clippy::disallowed_methods, reason = "the queue of a webhook that the caller has found")]
async fn change(
    tx: &Write,
    webhook: &Webhook,
    changes: impl IntoIterator<Item = (Column, Expr)>,
) -> Result<()> {
    let update = changes
        .into_iter()
        .fold(WebhookQueues::update_many(), |update, (column, value)| update.col_expr(column, value));
    update.filter(webhook_condition(webhook)).exec(tx).await?;
    Ok(())
}

/// Removes the queue of a webhook that is deleted.
#[expect(clippy::disallowed_methods, reason = "the queue of a webhook that the caller may delete")]
pub(crate) async fn remove(tx: &Write, webhook: &Webhook) -> Result<()> {
    WebhookQueues::delete_many().filter(webhook_condition(webhook)).exec(tx).await?;
    Ok(())
}

/// The queues of webhooks, by the id of the webhook.
#[expect(clippy::disallowed_methods, reason = "of webhooks that the caller has found through their scope")]
pub(crate) async fn load_queues(
    db: &impl ConnectionTrait,
    webhooks: &[Webhook],
) -> Result<HashMap<i64, WebhookQueue>> {
    if webhooks.is_empty() {
        return Ok(HashMap::new());
    }
    let queues = WebhookQueues::find()
        .filter(Column::TenantId.is_in(webhooks.iter().map(|webhook| webhook.tenant_id)))
        .filter(Column::WebhookId.is_in(webhooks.iter().map(|webhook| webhook.id)));
    Ok(queues.all(db).await?.into_iter().map(|queue| (queue.webhook_id, queue)).collect())
}

/// Makes the queues of webhooks due as soon as possible, and returns the ids of those webhooks that still
/// exist.
pub(crate) async fn make_due(tx: &Write, webhooks: &[Webhook], now: Instant) -> Result<Vec<i64>> {
    let Some(first) = webhooks.first() else { return Ok(Vec::new()) };
    let ids: Vec<String> = webhooks.iter().map(|webhook| webhook.id.to_string()).collect();
    // Uses only the row's own columns, which are read again after waiting for another transaction.
    let sql = format!(
        "UPDATE webhook_queue SET due_at = CASE WHEN due_at <= $1 THEN due_at WHEN is_paused THEN NULL \
         WHEN retry_at > $1 THEN CASE WHEN due_at < retry_at THEN due_at ELSE retry_at END ELSE $1 END \
         WHERE tenant_id = $2 AND webhook_id IN ({}) RETURNING webhook_id",
        ids.join(", ")
    );
    let values = [now.into(), first.tenant_id.into()];
    let statement = Statement::from_sql_and_values(tx.get_database_backend(), sql, values);
    let rows = tx.query_all_raw(statement).await?;
    Ok(rows.iter().map(|row| row.try_get_by_index(0)).collect::<Result<_, _>>()?)
}

/// Claims a queue that is due, those of answering receivers first; others only if `with_failing`.
pub async fn claim(
    db: &Database,
    owner: &str,
    now: Instant,
    with_failing: bool,
) -> Result<Option<WebhookQueue>> {
    let only_healthy = if with_failing { "" } else { "AND i.failing_since IS NULL" };
    let next = format!(
        "SELECT i.id FROM webhook_queue i WHERE i.due_at <= $1 AND (i.lease_until IS NULL OR i.lease_until <= $1) \
         {only_healthy} ORDER BY CASE WHEN i.failing_since IS NULL THEN 0 ELSE 1 END, i.due_at, i.id"
    );
    lease::claim::<WebhookQueues>(db, owner, now, &next, &[]).await
}

/// Releases the claims of a dead process.
pub async fn release_all_of(db: &Database, dead: &str) -> Result<()> {
    lease::release_all_of::<WebhookQueues>(db, dead).await
}

/// Renews the lease for another batch, and stores the result of the last one.
#[expect(clippy::disallowed_methods, reason = "the sender's own queue, by its fence")]
pub(crate) async fn renew(tx: &Write, queue: &WebhookQueue) -> Result<bool> {
    lease::change(tx, queue, with_outcome(queue, lease::renewed(WebhookQueues::update_many()))).await
}

/// Releases a queue, which is due again at this time.
#[expect(clippy::disallowed_methods, reason = "the sender's own queue, by its fence")]
pub(crate) async fn release(tx: &Write, queue: &WebhookQueue, due_at: Option<Instant>) -> Result<bool> {
    let update = with_outcome(queue, lease::released(WebhookQueues::update_many()));
    lease::change(tx, queue, update.col_expr(Column::DueAt, Expr::value(due_at))).await
}

fn with_outcome(queue: &WebhookQueue, update: UpdateMany<WebhookQueues>) -> UpdateMany<WebhookQueues> {
    update
        .col_expr(Column::RetryAt, Expr::value(queue.retry_at))
        .col_expr(Column::FailuresInRow, Expr::value(queue.failures_in_row))
        .col_expr(Column::FailingSince, Expr::value(queue.failing_since))
        .col_expr(Column::LastSuccessAt, Expr::value(queue.last_success_at))
        .col_expr(Column::LastFailure, Expr::value(queue.last_failure.clone()))
}

/// State after polling for changes: start and time of the next poll.
#[derive(Debug, Clone, Copy)]
pub struct Poll {
    pub cursor: i64,
    pub looked_at: Option<Instant>,
    pub next_at: Instant,
}

/// Records a poll. False if another process was faster, or the webhook was paused or deleted.
#[expect(clippy::disallowed_methods, reason = "a queue that the program works on")]
pub async fn record_poll(tx: &Write, queue: &WebhookQueue, poll: Poll) -> Result<bool> {
    let same = Condition::all()
        .add(Column::TenantId.eq(queue.tenant_id))
        .add(Column::Id.eq(queue.id))
        .add(Column::ChangeCursor.eq(queue.change_cursor))
        .add(Column::LookDueAt.eq(queue.look_due_at));
    let update = WebhookQueues::update_many()
        .col_expr(Column::ChangeCursor, Expr::value(poll.cursor))
        .col_expr(Column::LookedAt, Expr::value(poll.looked_at))
        .col_expr(Column::LookDueAt, Expr::value(Some(poll.next_at)));
    Ok(update.filter(same).exec(tx).await?.rows_affected > 0)
}

/// Number of queues with an unexpired lease.
#[expect(clippy::disallowed_methods, reason = "a figure of the whole installation")]
pub(crate) async fn count_running(db: &impl ConnectionTrait, now: Instant) -> Result<i64> {
    let running = WebhookQueues::find().filter(Column::LeaseUntil.gt(now)).count(db).await?;
    Ok(i64::try_from(running).unwrap_or(i64::MAX))
}

/// Counts webhooks that deliver nothing and were not paused by a user: up to `max`, among those visible to
/// the caller.
#[expect(clippy::disallowed_methods, reason = "narrowed by the webhooks that the caller may see")]
pub async fn count_troubled(db: &impl ConnectionTrait, scope: &Scope, max: u64) -> Result<u64> {
    let failing = WebhookQueues::find()
        .select_only()
        .column(Column::WebhookId)
        .filter(Column::FailingSince.is_not_null())
        .into_query();
    let paused = [PauseReason::Gone, PauseReason::Undeliverable];
    let unhealthy = Condition::any()
        .add(WebhookColumn::PauseReason.is_in(paused))
        .add(WebhookColumn::Id.in_subquery(failing));
    let unhealthy = scope.find::<Webhooks>().filter(unhealthy).limit(max);
    Ok(unhealthy.count(db).await?)
}
