//! Webhooks over HTTP: their events, the secret that signs requests, and pauses.

mod deliveries;

use chrono::{DateTime, Utc};
use http_api::{
    access::Authorized,
    answer::{AcceptedJson, CreatedIn, OkJson, accepted_json, created_in, ok_json},
    input::{Body, Db, Id, RequestInfo},
    publish,
    routes::{Answer, Routes},
};
use lists::{Creatable, Detailed, Managed};
use logistics::stock::Stocks;
use secrets::ExposeSecret;
use serde::Serialize;
use store::Scope;
use utoipa::ToSchema;
use values::{Language, Message, Result, Validated};
use webhooks::{
    delivery,
    event::EventType,
    may,
    webhook::{self, NewSecret, PauseReason, RotationInput, Webhook, WebhookDetail, WebhookInput, Webhooks},
};

use self::deliveries::DeliveryView;
use crate::{
    codes,
    resource::{crud::operations, tenants::TenantReference, view::HasView},
    state::{Server, State},
};

const PATH: &str = "/api/admin/webhooks";

pub(crate) fn routes(routes: &mut Routes) {
    publish!(routes, Webhooks: create, options, rotate_secret, test, pause, resume);
    operations::<Webhooks>(routes, PATH)
        .list::<may::ConfigureWebhooks>(
            "Lists webhooks with the state of their deliveries; a tenant has at most 20.",
        )
        .view::<may::ConfigureWebhooks>(
            "Shows a webhook with the state of its deliveries, without its secret.",
        )
        .update::<may::ConfigureWebhooks>(
            "Changes a webhook; its secret stays. Pending events are delivered to the new address.",
        )
        .delete::<may::ConfigureWebhooks>("Deletes a webhook with its secret and its deliveries.");
    deliveries::routes(routes);
}

/// Address of a tenant that receives events.
#[derive(Serialize, ToSchema)]
#[schema(as = Webhook)]
pub(crate) struct WebhookView {
    id: i64,
    tenant: TenantReference,
    /// Address that events are sent to.
    #[schema(example = "https://erp.nordstahl.example/stalhof")]
    url: String,
    /// Types of events that it receives.
    events: Vec<EventType>,
    /// CA certificates (PEM) that are trusted for the receiver.
    #[schema(required, example = "-----BEGIN CERTIFICATE-----")]
    ca_certificate: Option<String>,
    /// End of the time in which the former secret signs as well; `null` without one.
    #[schema(required)]
    previous_secret_until: Option<DateTime<Utc>>,
    state: WebhookState,
    /// Number of changes so far; send it back with a change.
    version: i64,
    created_at: DateTime<Utc>,
    updated_at: DateTime<Utc>,
}

/// State of the deliveries of a webhook.
#[derive(Serialize, ToSchema)]
struct WebhookState {
    status: WebhookStatus,
    /// Number of pending events.
    #[schema(example = 3)]
    pending: i64,
    /// Time of the first failure since the last success.
    #[schema(required)]
    failing_since: Option<DateTime<Utc>>,
    /// End of the pause after a failure.
    #[schema(required)]
    retry_at: Option<DateTime<Utc>>,
    /// Time at which an event was last accepted.
    #[schema(required)]
    last_success_at: Option<DateTime<Utc>>,
    /// Time since which deliveries are paused until a user resumes them.
    #[schema(required)]
    paused_at: Option<DateTime<Utc>>,
    /// Reason for the pause.
    #[schema(required)]
    pause_reason: Option<PauseReason>,
    /// Reason for the last failure and advice, in the language of `Accept-Language`; `null` after a success.
    #[schema(required, example = "Der Empfänger „erp.nordstahl.example“ hat mit Status 500 geantwortet.")]
    last_failure: Option<String>,
}

/// State of a webhook: no delivery yet, the last one succeeded, events are refused, deliveries are paused, or
/// events cannot be signed because the key of the server or the secret is missing.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
enum WebhookStatus {
    Unused,
    Ok,
    Failing,
    Paused,
    Inactive,
}

/// Webhook with its new secret, which is shown only now.
#[derive(Serialize, ToSchema)]
struct WebhookWithSecret {
    webhook: WebhookView,
    /// Secret that signs events, in the format of Standard Webhooks.
    #[schema(example = "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD")]
    secret: String,
}

impl From<(WebhookDetail, Language)> for WebhookView {
    fn from((detail, language): (WebhookDetail, Language)) -> Self {
        let WebhookDetail { webhook, tenant, queue, pending } = detail;
        let failure = queue.last_failure.as_deref();
        let failure: Option<Message> = failure.and_then(|failure| serde_json::from_str(failure).ok());
        let is_unsigned = failure.as_ref().is_some_and(|failure| {
            matches!(
                failure.code,
                codes::SECRET_KEY_MISSING | codes::SECRET_KEY_UNKNOWN | codes::SECRET_DAMAGED
            )
        });
        let status = if webhook.paused_at.is_some() {
            WebhookStatus::Paused
        } else if is_unsigned {
            WebhookStatus::Inactive
        } else if queue.failing_since.is_some() {
            WebhookStatus::Failing
        } else if queue.last_success_at.is_some() {
            WebhookStatus::Ok
        } else {
            WebhookStatus::Unused
        };
        let state = WebhookState {
            status,
            pending,
            failing_since: queue.failing_since,
            retry_at: queue.retry_at,
            last_success_at: queue.last_success_at,
            paused_at: webhook.paused_at,
            pause_reason: webhook.pause_reason,
            last_failure: failure.map(|failure| failure.text(language)),
        };
        Self {
            id: webhook.id,
            tenant: TenantReference::new(webhook.tenant_id, tenant),
            url: webhook.url,
            events: webhook.events.0,
            ca_certificate: webhook.ca_certificate,
            previous_secret_until: webhook.previous_secret_until,
            state,
            version: webhook.version,
            created_at: webhook.created_at,
            updated_at: webhook.updated_at,
        }
    }
}

impl WebhookWithSecret {
    fn new(NewSecret { detail, secret }: NewSecret, language: Language) -> Self {
        let secret = secret.expose_secret().to_owned();
        Self { webhook: (detail, language).into(), secret }
    }
}

impl HasView for Webhooks {
    type Source = State;
    type View = WebhookView;
}

impl Detailed<State> for Webhooks {
    type Detail = WebhookDetail;

    async fn detailed(state: &State, scope: &Scope, rows: Vec<Webhook>) -> Result<Vec<WebhookDetail>> {
        Self::detailed(&state.db, scope, rows).await
    }
}

impl Managed<State> for Webhooks {
    type Input = WebhookInput;

    async fn update(
        state: &State,
        scope: &Scope,
        id: i64,
        input: impl Into<Validated<WebhookInput>>,
    ) -> Result<WebhookDetail> {
        webhook::update::<Stocks>(&state.db, scope, id, input.into()).await
    }
}

impl Creatable<State> for Webhooks {
    async fn create(
        state: &State,
        scope: &Scope,
        input: impl Into<Validated<WebhookInput>>,
    ) -> Result<WebhookDetail> {
        Ok(webhook::create::<Stocks>(&state.db, &state.keys, scope, input.into()).await?.detail)
    }
}

/// Creates a webhook of the acting tenant. Its secret is shown only in this answer.
#[utoipa::path(post, path = "/api/admin/webhooks")]
async fn create(
    by: Authorized<may::ConfigureWebhooks>,
    Server(state): Server,
    RequestInfo(request): RequestInfo,
    Body(input): Body<Validated<WebhookInput>>,
) -> Answer<CreatedIn<WebhookWithSecret>> {
    let created = webhook::create::<Stocks>(&state.db, &state.keys, by.scope(), input).await?;
    Ok(created_in(PATH, created.detail.webhook.id, WebhookWithSecret::new(created, request.language)))
}

/// Capabilities of this server.
#[derive(Serialize, ToSchema)]
struct WebhookOptions {
    /// False if the server has no key to encrypt secrets: no webhook can be created.
    #[schema(example = true)]
    secrets_available: bool,
}

/// Shows if webhooks can be created on this server.
#[utoipa::path(get, path = "/api/admin/webhooks/options")]
async fn options(
    _: Authorized<may::ConfigureWebhooks>,
    Server(state): Server,
) -> Answer<OkJson<WebhookOptions>> {
    Ok(ok_json(WebhookOptions { secrets_available: state.keys.is_configured() }))
}

/// Generates a new secret, which is shown only in this answer. During the overlap, events have a signature
/// with the former secret as well.
#[utoipa::path(post, path = "/api/admin/webhooks/{id}/rotate-secret")]
async fn rotate_secret(
    by: Authorized<may::ConfigureWebhooks>,
    Server(state): Server,
    RequestInfo(request): RequestInfo,
    Id(id): Id,
    Body(input): Body<Validated<RotationInput>>,
) -> Answer<OkJson<WebhookWithSecret>> {
    let rotated = webhook::rotate_secret(&state.db, &state.keys, by.scope(), id, input).await?;
    Ok(ok_json(WebhookWithSecret::new(rotated, request.language)))
}

/// Sends a test event within a few seconds, even while the webhook is paused. It is tried once; a failure
/// does not pause the webhook.
#[utoipa::path(post, path = "/api/admin/webhooks/{id}/test")]
async fn test(
    by: Authorized<may::ConfigureWebhooks>,
    Db(db): Db,
    RequestInfo(request): RequestInfo,
    Id(id): Id,
) -> Answer<AcceptedJson<DeliveryView>> {
    let delivery = delivery::test(&db, by.scope(), id).await?;
    Ok(accepted_json(DeliveryView::new(delivery, request.language)))
}

/// Pauses a webhook: its events wait and none is lost. Those older than 30 days are withdrawn.
#[utoipa::path(post, path = "/api/admin/webhooks/{id}/pause")]
async fn pause(
    by: Authorized<may::ConfigureWebhooks>,
    Db(db): Db,
    RequestInfo(request): RequestInfo,
    Id(id): Id,
) -> Answer<OkJson<WebhookView>> {
    let detail = webhook::pause(&db, by.scope(), id).await?;
    Ok(ok_json((detail, request.language)))
}

/// Resumes a webhook: waiting events are delivered now, in their order.
#[utoipa::path(post, path = "/api/admin/webhooks/{id}/resume")]
async fn resume(
    by: Authorized<may::ConfigureWebhooks>,
    Db(db): Db,
    RequestInfo(request): RequestInfo,
    Id(id): Id,
) -> Answer<OkJson<WebhookView>> {
    let detail = webhook::resume(&db, by.scope(), id).await?;
    Ok(ok_json((detail, request.language)))
}
