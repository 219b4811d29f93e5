//! Events of this installation, written for webhooks in the transaction of the change.

use chrono::TimeDelta;
use feeds::health::{FeedSigns, Light};
use futures_util::future::BoxFuture;
use identity::{
    token::{Token, reminder::ExpiryNotice},
    user::User,
};
use imports::import::{Import, row::Outcome};
use pricing::price_list::{self, PriceList};
use serde_json::json;
use store::{Database, Scope, Write};
use values::{Instant, Result, TenantId};
use webhooks::{
    event::{Event, EventType},
    publish::{publish, publish_once, tenants_listening},
};

/// Time for which the beginning of a price list is still announced, in case no server ran then.
const ANNOUNCED_WITHIN: TimeDelta = TimeDelta::days(7);

/// Results of rows whose numbers the event about an import contains.
const COUNTED: [Outcome; 7] = [
    Outcome::Created,
    Outcome::Updated,
    Outcome::Unchanged,
    Outcome::Refused,
    Outcome::Held,
    Outcome::Unresolved,
    Outcome::Removed,
];

/// Writes the event that an import has ended.
pub async fn import_ended(tx: &Write, import: &Import) -> Result<()> {
    let tenant = TenantId(import.tenant_id);
    let subject = format!("imports/{}", import.id);
    let mut data = json!({
        "import_id": import.id,
        "type": import.r#type,
        "status": import.status,
        "dry_run": import.dry_run,
        "rows_total": import.rows_total,
    });
    let counts = import.row_counts();
    if let Some(data) = data.as_object_mut() {
        data.extend(COUNTED.map(|outcome| (outcome.counter().to_owned(), counts.get(outcome).into())));
    }
    let event = Event { event_type: EventType::ImportFinished, subject: subject.clone(), data };
    publish(tx, tenant, event).await?;
    if import.rows_held == 0 || import.dry_run {
        return Ok(());
    }
    let data = json!({ "import_id": import.id, "count": import.rows_held });
    publish(tx, tenant, Event { event_type: EventType::PricesHeld, subject, data }).await
}

/// Writes the event that prices of stocks from a user or a program are under review.
pub async fn stock_prices_held(tx: &Write, scope: &Scope, count: usize) -> Result<()> {
    prices_held(tx, scope.tenant()?, "held-prices".to_owned(), count as u64).await
}

/// Writes the event that prices of a list from a user or a program are under review by its owner.
pub async fn list_prices_held(tx: &Write, list: &PriceList, count: u64) -> Result<()> {
    // the platform releases prices of a group's list
    let Some(owner) = list.owner_tenant_id else { return Ok(()) };
    prices_held(tx, owner, format!("price-lists/{}", list.id), count).await
}

async fn prices_held(tx: &Write, tenant: TenantId, subject: String, count: u64) -> Result<()> {
    if count == 0 {
        return Ok(());
    }
    let data = json!({ "import_id": null, "count": count });
    publish(tx, tenant, Event { event_type: EventType::PricesHeld, subject, data }).await
}

/// Writes the event that the file of a feed is late, or cannot be imported.
pub async fn feed_troubled(tx: &Write, signs: &FeedSigns, light: Light) -> Result<()> {
    let data = json!({
        "settings_id": signs.feed.settings_id,
        "file": signs.feed.kind,
        "light": light,
        "reason": signs.reason.as_ref().map(|message| message.code),
    });
    let subject = format!("ftp-settings/{}", signs.feed.settings_id);
    publish(tx, signs.feed.tenant, Event { event_type: EventType::FeedLate, subject, data }).await
}

/// Notifies webhooks of tokens that expire soon.
#[derive(Debug)]
pub struct TokenEvents;

impl ExpiryNotice for TokenEvents {
    fn token_expires<'a>(
        &'a self,
        tx: &'a Write,
        owner: &'a User,
        token: &'a Token,
    ) -> BoxFuture<'a, Result<()>> {
        Box::pin(async move {
            let Some(tenant) = owner.tenant_id else { return Ok(()) };
            let data = json!({ "token_id": token.id, "name": token.name, "expires_at": token.expires_at });
            let subject = format!("tokens/{}", token.id);
            publish(tx, tenant, Event { event_type: EventType::TokenExpiring, subject, data }).await
        })
    }
}

/// Announces price lists of tenants and their groups that have begun.
///
/// # Errors
/// Failures of the database; what was written before stays.
pub async fn announce_price_lists(db: &Database, now: Instant) -> Result<()> {
    for tenant in tenants_listening(db, EventType::PriceListActivated).await? {
        let scope = Scope::platform().acting_for(Some(tenant));
        for list in price_list::find_begun(db, &scope, now - ANNOUNCED_WITHIN, now).await? {
            let data = json!({ "price_list_id": list.id, "name": list.name });
            let subject = format!("price-lists/{}", list.id);
            let event = Event { event_type: EventType::PriceListActivated, subject, data };
            let tx = db.begin().await?;
            publish_once(&tx, tenant, event, list.valid_from).await?;
            tx.commit().await?;
        }
    }
    Ok(())
}
