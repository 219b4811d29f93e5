//! Polls the changes of stocks and prices for webhooks that subscribe to them. A few changes are one event
//! each; many become a single event, with the cursor for reading them in the change feed.

use std::time::Duration;

use actix_web::web::Data;
use api::state::State;
use background::{Figures, NextStep, Queue, ShutdownSignal};
use chrono::TimeDelta;
use logistics::stock::Stocks;
use pricing::listing::{Column, Listing, Listings};
use sea_orm::{ColumnTrait, ConnectionTrait, FromQueryResult, QueryFilter, Statement};
use serde_json::json;
use store::{
    Scope,
    change_feed::{self, RowChange, Stream},
};
use values::{Instant, Result, now};
use webhooks::{
    delivery,
    event::{Event, EventType},
    publish,
    queue::{self, Poll, WebhookQueue},
    webhook,
};

use crate::codes;

/// Maximum number of changes in one poll that are an event each.
const SINGLE_EVENTS_MAX: u64 = 50;
/// Pause between two polls that have found changes.
const POLL_INTERVAL: TimeDelta = TimeDelta::seconds(5);
/// Number of pending deliveries from which changes are not reported one by one any more.
const PENDING_MAX: u64 = 1_000;
const POLL_INTERVAL_WHEN_FULL: TimeDelta = TimeDelta::minutes(1);
/// Maximum age of a change when it is committed.
const COMMITTED_WITHIN: TimeDelta = TimeDelta::minutes(5);

/// Queue of webhooks whose tenants have changes that are not reported yet.
#[derive(Debug)]
pub struct WebhookPolls(pub Data<State>);

impl Queue for WebhookPolls {
    type Item = WebhookQueue;

    const NAME: &'static str = "webhook_looks";
    const CONCURRENCY: usize = 1;
    const POLL: Duration = Duration::from_secs(2);
    const PATIENCE: Duration = Duration::from_secs(10);

    async fn claim(&self, _: &str) -> Result<Option<WebhookQueue>> {
        next(&self.0, now()).await
    }

    async fn work(&self, queue: WebhookQueue, _: ShutdownSignal) -> NextStep {
        let webhook = queue.webhook_id;
        match poll(&self.0, queue).await {
            Ok(()) => NextStep::Next,
            Err(error) => {
                tracing::warn!(webhook, %error, "changes cannot be looked for");
                NextStep::Pause
            }
        }
    }

    /// Returns no figures: the changes wait as deliveries.
    async fn figures(&self, _: Instant) -> Result<Figures> {
        Ok(Figures::default())
    }

    fn can_work(&self) -> bool {
        self.0.db.health().fault().is_none()
    }
}

/// Finds a webhook that is due and whose tenant has unreported changes.
async fn next(state: &State, now: Instant) -> Result<Option<WebhookQueue>> {
    const NEXT: &str = "SELECT q.* FROM webhook_queue q WHERE q.look_due_at <= $1 AND ( \
        EXISTS (SELECT 1 FROM stock s WHERE s.tenant_id = q.tenant_id AND s.change IS NULL) \
        OR EXISTS (SELECT 1 FROM deleted_record d WHERE d.record_table = 'stock' \
            AND d.tenant_id = q.tenant_id AND d.part = 0 AND d.change IS NULL) \
        OR EXISTS (SELECT 1 FROM change_counter c WHERE c.record_table = 'stock' \
            AND c.tenant_id = q.tenant_id AND c.part = 0 AND c.last > q.change_cursor)) \
        ORDER BY q.look_due_at, q.id LIMIT 1";
    let statement = Statement::from_sql_and_values(state.db.get_database_backend(), NEXT, [now.into()]);
    Ok(WebhookQueue::find_by_statement(statement).one(&state.db).await?)
}

/// Polls for all webhooks that are due.
///
/// # Errors
/// Failures of the database; what was written before stays.
pub async fn poll_all(state: &State) -> Result<()> {
    while let Some(queue) = next(state, now()).await? {
        poll(state, queue).await?;
    }
    Ok(())
}

/// Reads the changes of a tenant's stocks since the last poll.
async fn poll(state: &State, queue: WebhookQueue) -> Result<()> {
    let began = now();
    let Some(webhook) = webhook::find(&state.db, &queue).await? else { return Ok(()) };
    let is_full = delivery::pending_up_to(&state.db, &queue, PENDING_MAX).await? >= PENDING_MAX;
    let (poll, events) = if is_full {
        let same = Poll {
            cursor: queue.change_cursor,
            looked_at: queue.looked_at,
            next_at: began + POLL_INTERVAL_WHEN_FULL,
        };
        (same, Vec::new())
    } else {
        let found = NewChanges::changes_since_last_poll(state, &queue).await?;
        let poll = Poll { cursor: found.cursor, looked_at: Some(began), next_at: now() + POLL_INTERVAL };
        (poll, found.into_events())
    };
    let tx = state.db.begin().await?;
    if queue::record_poll(&tx, &queue, poll).await? {
        publish::publish_to(&tx, &webhook, events).await?;
    }
    tx.commit().await
}

/// Changes of one side of stocks: all are counted, and those that become events are named.
#[derive(Default)]
struct Side {
    count: u64,
    stocks: Vec<(i64, bool)>,
}

impl Side {
    fn add(&mut self, stock: i64, is_deleted: bool) {
        self.count += 1;
        if self.count <= SINGLE_EVENTS_MAX {
            self.stocks.push((stock, is_deleted));
        }
    }

    fn into_events(self, event_type: EventType, since: i64) -> Vec<Event> {
        if self.count > SINGLE_EVENTS_MAX {
            let data = json!({ "bulk": true, "count": self.count, "since": since.to_string() });
            return vec![Event { event_type, subject: "stocks".to_owned(), data }];
        }
        let event = |(id, is_deleted): (i64, bool)| Event {
            event_type,
            subject: format!("stocks/{id}"),
            data: json!({ "stock_id": id, "deleted": is_deleted }),
        };
        self.stocks.into_iter().map(event).collect()
    }
}

/// Changes that a poll has found.
struct NewChanges {
    quantities: Side,
    prices: Side,
    since: i64,
    cursor: i64,
}

impl NewChanges {
    async fn changes_since_last_poll(state: &State, queue: &WebhookQueue) -> Result<Self> {
        let scope = Scope::platform().acting_for(Some(queue.tenant_id));
        let stream = Stream::for_tenant(queue.tenant_id);
        let since = queue.change_cursor;
        let mut found = Self { quantities: Side::default(), prices: Side::default(), since, cursor: since };
        loop {
            let read = match change_feed::since::<Stocks>(&state.db, stream, found.cursor).await {
                // deletions since then are not stored any more: everything must be read again
                Err(error) if error.code() == codes::CURSOR_EXPIRED && found.cursor != 0 => {
                    (found.since, found.cursor) = (0, 0);
                    continue;
                }
                read => read?,
            };
            let existing = read.changes.iter().filter(|change| change.deleted_name.is_none());
            let ids = existing.map(|change| change.id);
            let listings = scope
                .find::<Listings>()
                .filter(Column::TenantId.eq(queue.tenant_id))
                .filter(Column::Id.is_in(ids))
                .all(&read.snapshot)
                .await?;
            for change in &read.changes {
                let listing = listings.iter().find(|listing| listing.id == change.id);
                found.add(queue, change, listing);
            }
            found.cursor = read.cursor;
            if !read.has_more {
                return Ok(found);
            }
        }
    }

    /// Adds a change to the sides that it belongs to.
    fn add(&mut self, queue: &WebhookQueue, change: &RowChange, listing: Option<&Listing>) {
        let since =
            queue.looked_at.map_or(queue.created_at, |at| queue.created_at.max(at - COMMITTED_WITHIN));
        let id = change.id;
        let Some(listing) = listing else {
            self.quantities.add(id, true);
            self.prices.add(id, true);
            return;
        };
        let of_quantity = listing.updated_at >= since;
        let of_price = listing.price_updated_at.is_some_and(|at| at >= since);
        // a change that no time assigns to a side counts for both, so that none is lost
        let is_unknown = !of_quantity && !of_price;
        if of_quantity || is_unknown {
            self.quantities.add(id, false);
        }
        if of_price || is_unknown {
            self.prices.add(id, false);
        }
    }

    fn into_events(self) -> Vec<Event> {
        let mut events = self.quantities.into_events(EventType::StockChanged, self.since);
        events.extend(self.prices.into_events(EventType::PriceChanged, self.since));
        events
    }
}
