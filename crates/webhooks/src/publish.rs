//! Publishing: an event is written for the listening webhooks in the transaction of the change that it
//! reports, so that neither exists without the other.

use std::collections::BTreeSet;

use sea_orm::ConnectionTrait;
use store::Write;
use values::{Instant, Result, TenantId, now};

use crate::{
    delivery,
    event::{Event, EventType},
    queue,
    webhook::{self, Webhook},
};

/// Writes an event for each webhook of the tenant that listens to it; it is sent once `tx` is committed.
pub async fn publish(tx: &Write, tenant: TenantId, event: Event) -> Result<()> {
    let listening = webhook::listening(tx, tenant, |events| events.contains(event.event_type)).await?;
    deliver(tx, &listening, &[event]).await
}

/// Writes an event for each webhook of the tenant that listens to it, existed at the given time, and has not
/// reported the event since then.
pub async fn publish_once(tx: &Write, tenant: TenantId, event: Event, since: Instant) -> Result<()> {
    let mut uninformed = Vec::new();
    for webhook in webhook::listening(tx, tenant, |events| events.contains(event.event_type)).await? {
        if webhook.created_at <= since
            && !delivery::was_written(tx, &webhook, event.event_type, &event.subject, since).await?
        {
            uninformed.push(webhook);
        }
    }
    deliver(tx, &uninformed, &[event]).await
}

/// Writes those of the events that one webhook listens to.
pub async fn publish_to(tx: &Write, webhook: &Webhook, events: Vec<Event>) -> Result<()> {
    let listens = |event: &Event| webhook.events.contains(event.event_type);
    let events: Vec<Event> = events.into_iter().filter(listens).collect();
    deliver(tx, std::slice::from_ref(webhook), &events).await
}

/// The tenants with a webhook that listens to an event.
pub async fn tenants_listening(db: &impl ConnectionTrait, event: EventType) -> Result<BTreeSet<TenantId>> {
    let listening = webhook::all_listening(db, |events| events.contains(event)).await?;
    Ok(listening.into_iter().map(|webhook| webhook.tenant_id).collect())
}

async fn deliver(tx: &Write, webhooks: &[Webhook], events: &[Event]) -> Result<()> {
    let Some(first) = webhooks.first().filter(|_| !events.is_empty()) else { return Ok(()) };
    let now = now();
    let ids = queue::make_due(tx, webhooks, now).await?;
    delivery::write(tx, first.tenant_id, &ids, events, now).await
}
