//! Deliveries over HTTP: requests to a webhook, their attempts, and sending an event again.

use chrono::{DateTime, Utc};
use http_api::{
    access::Authorized,
    answer::{AcceptedJson, OkJson, OkPage, accepted_json, ok_json, ok_page},
    input::{Db, Id, List, RequestInfo},
    publish,
    routes::{Answer, Routes},
};
use serde::Serialize;
use utoipa::ToSchema;
use values::Language;
use webhooks::{
    delivery::{self, Deliveries, Delivery, DeliveryAttempt, DeliveryStatus},
    event::EventType,
    may,
    sender::{ID_HEADER, TIMESTAMP_HEADER},
    webhook::Webhooks,
};

use crate::state::Server;

pub(super) fn routes(routes: &mut Routes) {
    publish!(routes, Webhooks: deliveries);
    publish!(routes, "webhook_deliveries": view, send_again);
}

/// Event for a webhook, with the result of its last attempt.
#[derive(Serialize, ToSchema)]
#[schema(as = WebhookDelivery)]
pub(super) struct DeliveryView {
    id: i64,
    /// Webhook that it is for.
    webhook_id: i64,
    /// Id that the receiver sees; a repetition has the same.
    #[schema(example = "msg_0197e4a5c6d27f10b2a1c4d5e6f70819")]
    message_id: String,
    event: EventType,
    /// Record that the event is about. Events of one subject are delivered in their order.
    #[schema(example = "imports/42")]
    subject: String,
    created_at: DateTime<Utc>,
    status: DeliveryStatus,
    /// Number of attempts.
    #[schema(example = 1)]
    attempts: i64,
    /// Time of the next attempt; `null` if there will be none.
    #[schema(required)]
    next_attempt_at: Option<DateTime<Utc>>,
    /// Time at which the receiver last accepted it.
    #[schema(required)]
    delivered_at: Option<DateTime<Utc>>,
    /// Status of the last answer; `null` if there was none.
    #[schema(required, example = 200)]
    last_status: Option<i64>,
    /// Duration of the last attempt in milliseconds.
    #[schema(required, example = 84)]
    last_duration_ms: Option<i64>,
    /// Reason for the last failure and advice, in the language of `Accept-Language`.
    #[schema(required, example = "Der Server „erp.nordstahl.example“ hat nicht rechtzeitig geantwortet.")]
    last_failure: Option<String>,
}

/// Delivery with its request and its attempts.
#[derive(Serialize, ToSchema)]
struct WebhookDeliveryDetail {
    #[serde(flatten)]
    delivery: DeliveryView,
    /// Request; `null` once the data of the event are deleted, after 30 days.
    #[schema(required)]
    request: Option<WebhookRequest>,
    /// Attempts, the oldest first; the last 50.
    log: Vec<WebhookAttempt>,
}

/// Request of a delivery.
#[derive(Serialize, ToSchema)]
struct WebhookRequest {
    /// Headers, without the signature.
    headers: Vec<WebhookHeader>,
    /// Body as JSON.
    #[schema(example = r#"{"id":"msg_0197e4a5c6d27f10b2a1c4d5e6f70819","type":"import.finished"}"#)]
    body: String,
}

/// Header of a request.
#[derive(Serialize, ToSchema)]
struct WebhookHeader {
    /// Name of the header.
    #[schema(example = "webhook-id")]
    name: String,
    /// Value of the header.
    #[schema(example = "msg_0197e4a5c6d27f10b2a1c4d5e6f70819")]
    value: String,
}

/// Attempt to deliver an event.
#[derive(Serialize, ToSchema)]
struct WebhookAttempt {
    /// Start of the attempt.
    at: DateTime<Utc>,
    /// Status of the answer; `null` if there was none.
    #[schema(required, example = 500)]
    status: Option<u16>,
    /// Duration in milliseconds.
    #[schema(example = 84)]
    duration_ms: i64,
    /// Reason for a failure, in the language of `Accept-Language`.
    #[schema(required, example = "Der Empfänger „erp.nordstahl.example“ hat mit Status 500 geantwortet.")]
    failure: Option<String>,
    /// True if a user requested it.
    by_hand: bool,
}

impl DeliveryView {
    pub(super) fn new(delivery: Delivery, language: Language) -> Self {
        let last_failure = delivery.failure().map(|failure| failure.text(language));
        Self {
            id: delivery.id,
            webhook_id: delivery.webhook_id,
            message_id: delivery.message_id,
            event: delivery.event,
            subject: delivery.subject,
            created_at: delivery.created_at,
            status: delivery.status,
            attempts: delivery.attempts,
            next_attempt_at: delivery.due_at,
            delivered_at: delivery.delivered_at,
            last_status: delivery.last_status,
            last_duration_ms: delivery.last_duration_ms,
            last_failure,
        }
    }
}

impl WebhookDeliveryDetail {
    fn new(delivery: Delivery, source: &str, language: Language) -> Self {
        let attempt = |attempt: &DeliveryAttempt| WebhookAttempt {
            at: attempt.at,
            status: attempt.status,
            duration_ms: attempt.duration_ms,
            failure: attempt.failure.as_ref().map(|failure| failure.text(language)),
            by_hand: attempt.by_hand,
        };
        let log: Vec<WebhookAttempt> = delivery.log.0.iter().map(attempt).collect();
        let header = |name: &str, value: String| WebhookHeader { name: name.to_owned(), value };
        let request = delivery.body(source).map(|body| {
            let mut headers = vec![
                header("content-type", "application/json".to_owned()),
                header(ID_HEADER, delivery.message_id.clone()),
            ];
            if let Some(last) = log.last() {
                headers.push(header(TIMESTAMP_HEADER, last.at.timestamp().to_string()));
            }
            WebhookRequest { headers, body }
        });
        Self { delivery: DeliveryView::new(delivery, language), request, log }
    }
}

/// Lists deliveries of a webhook, the latest first. They are stored for 90 days.
#[utoipa::path(get, path = "/api/admin/webhooks/{id}/deliveries")]
async fn deliveries(
    by: Authorized<may::ConfigureWebhooks>,
    Db(db): Db,
    RequestInfo(request): RequestInfo,
    Id(id): Id,
    List(query): List<Deliveries>,
) -> Answer<OkPage<DeliveryView>> {
    let page = delivery::list(&db, by.scope(), id, &query).await?;
    Ok(ok_page(page.map(|delivery| DeliveryView::new(delivery, request.language))))
}

/// Shows a delivery with its attempts, and with its request while that is stored.
#[utoipa::path(get, path = "/api/admin/webhook-deliveries/{id}")]
async fn view(
    by: Authorized<may::ConfigureWebhooks>,
    Server(state): Server,
    RequestInfo(request): RequestInfo,
    Id(id): Id,
) -> Answer<OkJson<WebhookDeliveryDetail>> {
    let delivery = by.scope().get::<Deliveries>(&state.db, id).await?;
    let source = state.settings.public_url.clone();
    Ok(ok_json(WebhookDeliveryDetail::new(delivery, &source, request.language)))
}

/// Sends an event again, with the same id: a receiver that has it may ignore it. A pending one is tried now.
#[utoipa::path(post, path = "/api/admin/webhook-deliveries/{id}/send-again")]
async fn send_again(
    by: Authorized<may::ConfigureWebhooks>,
    Db(db): Db,
    RequestInfo(request): RequestInfo,
    Id(id): Id,
) -> Answer<AcceptedJson<DeliveryView>> {
    let delivery = delivery::send_again(&db, by.scope(), id).await?;
    Ok(accepted_json(DeliveryView::new(delivery, request.language)))
}
