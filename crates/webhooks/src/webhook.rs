//! Webhooks of a tenant: the URLs that receive events, and the secrets that sign their requests.
//!
//! A secret is sealed ([`secrets`]) and shown once. After a rotation the former one also signs for as long as
//! the user has chosen, so that receivers can be changed one after the other. Every change of a webhook also
//! changes its queue ([`crate::queue`]), in the same transaction.

pub mod entity;
mod input;
pub mod pause_reason;
mod stored_secrets;

use std::collections::HashMap;

use chrono::TimeDelta;
use lists::{Deletable, Detailed, Field, Listed, listed_reference};
use outbound::http::HttpsUrl;
use sea_orm::{ActiveValue::Set, ColumnTrait, ConnectionTrait, EntityTrait, PaginatorTrait, QueryFilter};
use secrets::{Keys, SecretString};
use store::{
    Database, Owner, Recorded, Resource, Scope, Scoped, Write,
    change_feed::{self, Stream},
    deadline,
    scope::refuse_stale,
    usage,
};
use tenancy::tenant::{self, Tenants};
use values::{Instant, Phrase, Result, TenantId, Validated, now};

use crate::{
    codes, delivery,
    event::EventTypes,
    permissions,
    queue::{self, WebhookQueue},
    signature::generate_secret,
};

pub(crate) use self::stored_secrets::signing;
pub use self::{
    entity::{ActiveModel, Column, Entity as Webhooks, Model as Webhook},
    input::{RotationInput, WebhookInput},
    pause_reason::PauseReason,
    stored_secrets::{PREVIOUS_SECRET, SECRET},
};

/// Maximum number of webhooks of a tenant.
pub const WEBHOOKS_MAX: u64 = 20;

impl Scoped for Webhooks {
    const ID: Column = Column::Id;
    const OWNER: Owner<Column> = Owner::Tenant(Column::TenantId);
}

impl Recorded for Webhooks {
    const RESOURCE: &'static Resource = &Resource::new::<Self>(
        "webhooks",
        Phrase { de: "Webhooks", en: "webhooks" },
        permissions::CONFIGURE_WEBHOOKS,
    )
    .refers(&[listed_reference::<Self, Tenants>("tenant_id")]);
    const NAME: Column = Column::Url;
    const VERSION: Column = Column::Version;
    const CREATED_AT: Column = Column::CreatedAt;
    const UPDATED_AT: Column = Column::UpdatedAt;
}

impl Listed for Webhooks {
    const FIELDS: &'static [Field] =
        &[Field::id("tenant_id", &Column::TenantId), Field::time("updated_at", &Column::UpdatedAt)];
    const DEFAULT_SORT: &'static str = "-updated_at";
}

impl Webhook {
    /// Host of the receiver.
    pub fn host(&self) -> String {
        let url = HttpsUrl::parse(&self.url);
        url.map_or_else(|_| self.url.clone(), |url| url.host().to_owned())
    }
}

/// Webhook with its tenant, its queue, and the number of its pending deliveries.
#[derive(Debug, Clone)]
pub struct WebhookDetail {
    pub webhook: Webhook,
    /// Short code of the tenant.
    pub tenant: String,
    pub queue: WebhookQueue,
    pub pending: i64,
}

/// Webhook with a newly generated secret.
#[derive(Debug)]
pub struct NewSecret {
    pub detail: WebhookDetail,
    pub secret: SecretString,
}

impl<C: ConnectionTrait> Detailed<C> for Webhooks {
    type Detail = WebhookDetail;

    /// Loads the state of the webhooks' deliveries, in the same order.
    async fn detailed(db: &C, scope: &Scope, rows: Vec<Webhook>) -> Result<Vec<WebhookDetail>> {
        let codes = tenant::short_codes(db, scope, rows.iter().map(|row| row.tenant_id)).await?;
        let mut queues: HashMap<i64, WebhookQueue> = queue::load_queues(db, &rows).await?;
        let pending: HashMap<i64, i64> = delivery::count_pending(db, &rows).await?;
        let detail = |webhook: Webhook| {
            Some(WebhookDetail {
                tenant: codes.get(&webhook.tenant_id).cloned().unwrap_or_default(),
                queue: queues.remove(&webhook.id)?,
                pending: pending.get(&webhook.id).copied().unwrap_or_default(),
                webhook,
            })
        };
        Ok(rows.into_iter().filter_map(detail).collect())
    }
}

async fn finish(tx: Write, scope: &Scope, webhook: Webhook) -> Result<WebhookDetail> {
    let detail = Webhooks::detailed(&tx, scope, vec![webhook]).await?.pop().ok_or(codes::NOT_FOUND)?;
    tx.commit().await?;
    Ok(detail)
}

/// Creates a webhook of the acting tenant, with a secret. It reports changes of records `E` from now on.
///
/// # Errors
/// All violated rules at their fields; too many webhooks; no key to seal the secret.
pub async fn create<E: Recorded>(
    db: &Database,
    keys: &Keys,
    scope: &Scope,
    input: Validated<WebhookInput>,
) -> Result<NewSecret> {
    let row = input::read(input)?;
    let tenant = scope.tenant()?;
    if !keys.is_configured() {
        return Err(codes::SECRET_KEY_MISSING.into());
    }
    number_changes::<E>(db, &row, tenant).await?;
    let tx = db.begin().await?;
    let others = scope.find::<Webhooks>().filter(Column::TenantId.eq(tenant)).count(&tx).await?;
    if others >= WEBHOOKS_MAX {
        return Err(codes::TOO_MANY_WEBHOOKS.with("max", WEBHOOKS_MAX).into());
    }
    let webhook = scope.create::<Webhooks>(&tx, row).await?;
    let secret = generate_secret();
    let webhook = stored_secrets::seal_first(&tx, keys, webhook, &secret).await?;
    queue::create::<E>(&tx, &webhook, now()).await?;
    Ok(NewSecret { detail: finish(tx, scope, webhook).await?, secret })
}

/// Numbers the changes for a webhook that reports them in advance, to keep its transaction short.
async fn number_changes<E: Recorded>(db: &Database, row: &ActiveModel, tenant: TenantId) -> Result<()> {
    if row.events.try_as_ref().is_some_and(EventTypes::include_polled) {
        deadline::extend(deadline::MANY_RECORDS);
        change_feed::number_all::<E>(db, Stream::for_tenant(tenant)).await?;
    }
    Ok(())
}

/// Changes a webhook. Pending events are delivered to the new URL. Changes of records `E` that it newly
/// reports are reported from now on.
pub async fn update<E: Recorded>(
    db: &Database,
    scope: &Scope,
    id: i64,
    input: Validated<WebhookInput>,
) -> Result<WebhookDetail> {
    let version = input.version;
    let row = input::read(input)?;
    let former = scope.get::<Webhooks>(db, id).await?;
    if !former.events.include_polled() {
        number_changes::<E>(db, &row, former.tenant_id).await?;
    }
    let tx = db.begin().await?;
    let before = scope.get_locked::<Webhooks>(&tx, id).await?;
    refuse_stale(version, before.version)?;
    let webhook = scope.update_from::<Webhooks>(&tx, &before, row).await?;
    if before.events.include_polled() != webhook.events.include_polled() {
        queue::listen::<E>(&tx, &webhook, now()).await?;
    }
    finish(tx, scope, webhook).await
}

impl Deletable for Webhooks {
    /// Deletes a webhook with its deliveries. A running request is the last one.
    async fn delete(db: &Database, scope: &Scope, id: i64) -> Result<()> {
        let tx = db.begin().await?;
        let webhook = usage::release::<Self>(&tx, scope, id, |_| Ok(())).await?;
        // The queue first: concurrent writers of an event lock it, and write none if it has been deleted.
        queue::remove(&tx, &webhook).await?;
        delivery::remove_all(&tx, &webhook).await?;
        scope.delete::<Self>(&tx, id).await?;
        tx.commit().await
    }
}

/// Generates a new secret; the former one also signs for some hours, or ends immediately.
pub async fn rotate_secret(
    db: &Database,
    keys: &Keys,
    scope: &Scope,
    id: i64,
    input: Validated<RotationInput>,
) -> Result<NewSecret> {
    let input = input.valid()?;
    let tx = db.begin().await?;
    let before = scope.get_locked::<Webhooks>(&tx, id).await?;
    refuse_stale(input.version, before.version)?;
    let secret = generate_secret();
    let until = now() + TimeDelta::hours(input.overlap_hours);
    let row = stored_secrets::rotated(keys, &before, &secret, until)?;
    let webhook = scope.update_from::<Webhooks>(&tx, &before, row).await?;
    Ok(NewSecret { detail: finish(tx, scope, webhook).await?, secret })
}

/// Pauses a webhook: its events wait.
pub async fn pause(db: &Database, scope: &Scope, id: i64) -> Result<WebhookDetail> {
    let tx = db.begin().await?;
    let before = scope.get_locked::<Webhooks>(&tx, id).await?;
    if before.paused_at.is_some() {
        return finish(tx, scope, before).await;
    }
    let webhook = pause_for(&tx, scope, &before, PauseReason::ByHand, now()).await?;
    finish(tx, scope, webhook).await
}

/// Pauses a webhook in a transaction, for this reason.
pub(crate) async fn pause_for(
    tx: &Write,
    scope: &Scope,
    before: &Webhook,
    reason: PauseReason,
    now: Instant,
) -> Result<Webhook> {
    let row =
        ActiveModel { paused_at: Set(Some(now)), pause_reason: Set(Some(reason)), ..Default::default() };
    let webhook = scope.update_from::<Webhooks>(tx, before, row).await?;
    queue::pause(tx, &webhook).await?;
    Ok(webhook)
}

/// Resumes a webhook: waiting events are delivered now, in their order.
pub async fn resume(db: &Database, scope: &Scope, id: i64) -> Result<WebhookDetail> {
    let tx = db.begin().await?;
    let before = scope.get_locked::<Webhooks>(&tx, id).await?;
    if before.paused_at.is_none() {
        return finish(tx, scope, before).await;
    }
    let row = ActiveModel { paused_at: Set(None), pause_reason: Set(None), ..Default::default() };
    let webhook = scope.update_from::<Webhooks>(&tx, &before, row).await?;
    let now = now();
    delivery::begin_anew(&tx, &webhook, now).await?;
    queue::resume(&tx, &webhook, now).await?;
    finish(tx, scope, webhook).await
}

/// The webhooks of a tenant that listen to an event.
#[expect(clippy::disallowed_methods, reason = "events of their own tenant")]
pub(crate) async fn listening(
    db: &impl ConnectionTrait,
    tenant: values::TenantId,
    matches: impl Fn(&EventTypes) -> bool,
) -> Result<Vec<Webhook>> {
    let all = Webhooks::find().filter(Column::TenantId.eq(tenant)).all(db).await?;
    Ok(all.into_iter().filter(|webhook| matches(&webhook.events)).collect())
}

/// The webhooks of all tenants that listen to an event and are not paused.
#[expect(clippy::disallowed_methods, reason = "each gets events of its own tenant")]
pub(crate) async fn all_listening(
    db: &impl ConnectionTrait,
    matches: impl Fn(&EventTypes) -> bool,
) -> Result<Vec<Webhook>> {
    let all = Webhooks::find().filter(Column::PausedAt.is_null()).all(db).await?;
    Ok(all.into_iter().filter(|webhook| matches(&webhook.events)).collect())
}

/// Webhook of a queue, or `None` if it has been deleted.
#[expect(clippy::disallowed_methods, reason = "the program works on the queue of a webhook")]
pub async fn find(db: &impl ConnectionTrait, queue: &WebhookQueue) -> Result<Option<Webhook>> {
    let this = Webhooks::find().filter(Column::TenantId.eq(queue.tenant_id));
    Ok(this.filter(Column::Id.eq(queue.webhook_id)).one(db).await?)
}
