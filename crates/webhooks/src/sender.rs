//! Sender: processes the queue of one webhook at a time and sends due deliveries, in order per subject.
//!
//! An attempt is recorded after it was made, so an event arrives twice if a process dies in between; both
//! have the same id. A failure pauses only this webhook, longer each time. A receiver that has accepted
//! nothing for three days, or answers 410, is paused until a user resumes it.

use std::time::{Duration, Instant as Stopwatch};

use background::{ShutdownSignal, lease};
use chrono::TimeDelta;
use futures_util::future::{BoxFuture, join_all};
use outbound::{
    Outbound, Tls,
    http::{
        Answer, Bytes, Call, Client, HeaderMap, HeaderName, HeaderValue, HttpsUrl, Limits, Method, header,
    },
};
use secrets::{Keys, SecretString};
use store::{Database, Scope, Write};
use values::{Code, Instant, Message, Result, now};

use crate::{
    codes,
    delivery::{self, AfterAttempt, Delivery, DeliveryAttempt, DeliveryStatus},
    event::EventType,
    queue::{self, WebhookQueue, WebhookQueues},
    signature,
    webhook::{self, PauseReason, Webhook, Webhooks, signing},
};

/// The limits of an answer; its body is discarded.
pub const LIMITS: Limits =
    Limits { idle: Duration::from_secs(15), total: Duration::from_secs(15), bytes: 1 << 20, redirects: 0 };
/// Number of simultaneous requests to a receiver, each for another subject; one that fails gets a single one.
const REQUESTS_AT_ONCE: i64 = 4;
/// Time after which other webhooks get their turn.
const TURN: Duration = Duration::from_secs(10);
/// Pause after a first failure; each further one triples it.
const FIRST_PAUSE: TimeDelta = TimeDelta::seconds(10);
const LONGEST_PAUSE: TimeDelta = TimeDelta::hours(6);
/// Time after which a receiver that accepts nothing is paused, and a single event is given up.
pub const GIVE_UP_AFTER: TimeDelta = TimeDelta::days(3);
/// Status by which a receiver declines further events.
const GONE: u16 = 410;

/// Handler that is notified when a webhook is paused.
pub trait PauseNotice: Send + Sync {
    /// Called in the transaction that pauses the webhook.
    fn paused<'a>(&'a self, tx: &'a Write, webhook: &'a Webhook) -> BoxFuture<'a, Result<()>>;
}

/// Dependencies of the sender.
#[derive(Clone, Copy)]
pub struct Sender<'a> {
    pub db: &'a Database,
    pub keys: &'a Keys,
    pub outbound: &'a Outbound,
    /// The public address of the installation.
    pub source: &'a str,
    pub limits: Limits,
    pub notice: &'a dyn PauseNotice,
}

impl std::fmt::Debug for Sender<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Sender").field("source", &self.source).finish_non_exhaustive()
    }
}

/// Attempted request.
struct SentRequest {
    delivery: Delivery,
    attempt: DeliveryAttempt,
    /// The pause that the receiver has asked for.
    retry_after: Option<TimeDelta>,
}

impl SentRequest {
    fn succeeded(&self) -> bool {
        self.attempt.failure.is_none()
    }

    /// True if its outcome counts for the receiver: a failed test pauses nothing.
    fn counts(&self) -> bool {
        self.succeeded() || self.delivery.event != EventType::Test
    }
}

/// Next step after a batch.
enum Step {
    Send(Webhook, Vec<Delivery>),
    Pause(Webhook, PauseReason),
    /// The queue was released, or another process has claimed it.
    End,
}

/// The pause after a number of failures in a row.
fn pause_after(failures: i64) -> TimeDelta {
    let factor = 3_i32.pow(u32::try_from((failures - 1).clamp(0, 12)).unwrap_or_default());
    FIRST_PAUSE.checked_mul(factor).unwrap_or(LONGEST_PAUSE).min(LONGEST_PAUSE)
}

impl Sender<'_> {
    /// Processes a claimed queue until nothing is due, its turn is over, or the process ends.
    ///
    /// # Errors
    /// Failures of the database. The lease then expires, and deliveries since the last record are sent again.
    pub async fn work(&self, mut queue: WebhookQueue, ending: &ShutdownSignal) -> Result<()> {
        let began = Stopwatch::now();
        let mut attempted = Vec::new();
        loop {
            let goes_on = began.elapsed() < TURN && !ending.is_set();
            match self.step(&mut queue, attempted, goes_on).await? {
                Step::Send(webhook, batch) => attempted = self.send(&webhook, batch).await,
                Step::Pause(webhook, reason) => return self.pause(&queue, &webhook, reason).await,
                Step::End => return Ok(()),
            }
        }
    }

    /// Records attempts and selects the next deliveries, in one transaction that locks the queue.
    async fn step(
        &self,
        queue: &mut WebhookQueue,
        attempted: Vec<SentRequest>,
        goes_on: bool,
    ) -> Result<Step> {
        let tx = self.db.begin().await?;
        if !lease::lock_if_owned::<WebhookQueues>(&tx, queue).await? {
            return Ok(Step::End);
        }
        let Some(webhook) = webhook::find(&tx, queue).await? else { return Ok(Step::End) };
        let now = now();
        let reason = record(&tx, queue, attempted, now).await?;
        if let Some(reason) = reason.filter(|_| webhook.paused_at.is_none()) {
            queue::renew(&tx, queue).await?;
            tx.commit().await?;
            return Ok(Step::Pause(webhook, reason));
        }
        // For a paused webhook, only deliveries that a user has requested.
        let only_by_hand = webhook.paused_at.is_some() || queue.retry_at.is_some_and(|until| until > now);
        let size = if queue.failing_since.is_some() { 1 } else { REQUESTS_AT_ONCE };
        let batch = if goes_on {
            delivery::next_batch(&tx, queue, now, only_by_hand, size).await?
        } else {
            Vec::new()
        };
        if batch.is_empty() {
            let due_at = next_due(&tx, queue, &webhook, now).await?;
            queue::release(&tx, queue, due_at).await?;
            tx.commit().await?;
            return Ok(Step::End);
        }
        queue::renew(&tx, queue).await?;
        tx.commit().await?;
        Ok(Step::Send(webhook, batch))
    }

    /// Sends deliveries concurrently.
    async fn send(&self, webhook: &Webhook, batch: Vec<Delivery>) -> Vec<SentRequest> {
        let secrets = signing(self.keys, webhook, now());
        let sent = batch.into_iter().map(|delivery| self.attempt(webhook, &secrets, delivery));
        join_all(sent).await
    }

    async fn attempt(
        &self,
        webhook: &Webhook,
        secrets: &Result<Vec<SecretString>, Code>,
        delivery: Delivery,
    ) -> SentRequest {
        let (at, stopwatch) = (now(), Stopwatch::now());
        let outcome = match secrets {
            Ok(secrets) => self.call(webhook, secrets, &delivery, at).await,
            Err(code) => Err((*code).into()),
        };
        let host = webhook.host();
        let (status, retry_after, failure) = match outcome {
            Ok(answer) if answer.status.is_success() => (Some(answer.status), None, None),
            Ok(answer) => {
                let status = answer.status.as_u16();
                let failure = match status {
                    GONE => codes::WEBHOOK_GONE.with("host", host),
                    _ => codes::WEBHOOK_REFUSED.with("host", host).with("status", status),
                };
                (Some(answer.status), retry_after(&answer), Some(failure))
            }
            Err(failure) => (None, None, Some(failure)),
        };
        let duration_ms = i64::try_from(stopwatch.elapsed().as_millis()).unwrap_or(i64::MAX);
        let (id, tenant) = (delivery.id, delivery.tenant_id);
        match &failure {
            None => tracing::debug!(delivery = id, %tenant, duration_ms, "a webhook was delivered"),
            Some(failure) => {
                let cause = failure.code.as_str();
                tracing::info!(delivery = id, %tenant, duration_ms, cause, "a webhook was not delivered");
            }
        }
        let status = status.map(|status| status.as_u16());
        let attempt = DeliveryAttempt { at, status, duration_ms, failure, by_hand: delivery.is_by_hand };
        SentRequest { delivery, attempt, retry_after }
    }

    async fn call(
        &self,
        webhook: &Webhook,
        secrets: &[SecretString],
        delivery: &Delivery,
        at: Instant,
    ) -> Result<Answer, Message> {
        let host = webhook.host();
        let body = delivery.body(self.source).ok_or(codes::WEBHOOK_BODY_FORGOTTEN)?;
        let tls = match &webhook.ca_certificate {
            Some(authorities) => {
                Tls::with_authorities(authorities.as_bytes()).map_err(|_| codes::AUTHORITY_INVALID)?
            }
            None => Tls::default(),
        };
        let url = HttpsUrl::parse(&webhook.url).map_err(|failure| failure.message(&host))?;
        let headers = signed_headers(secrets, delivery, at.timestamp(), &body)?;
        let call = Call { method: Method::POST, url, headers, body: Bytes::from(body) };
        let client = Client::new(self.outbound.clone(), tls);
        client.send(call, self.limits).await.map_err(|failure| failure.message(&host))
    }

    /// Pauses a webhook. Its row is locked before its queue, in the same order as by users.
    async fn pause(&self, queue: &WebhookQueue, webhook: &Webhook, reason: PauseReason) -> Result<()> {
        let tx = self.db.begin().await?;
        let system = Scope::platform().acting_for(Some(webhook.tenant_id));
        let locked = system.get_locked::<Webhooks>(&tx, webhook.id).await?;
        if !lease::lock_if_owned::<WebhookQueues>(&tx, queue).await? {
            return Ok(());
        }
        if locked.paused_at.is_none() {
            let paused = webhook::pause_for(&tx, &system, &locked, reason, now()).await?;
            self.notice.paused(&tx, &paused).await?;
            tracing::warn!(webhook = paused.id, tenant = %paused.tenant_id, ?reason, "a webhook was paused");
        }
        queue::release(&tx, queue, None).await?;
        tx.commit().await
    }
}

/// The headers of a request. Several signatures are separated by spaces.
fn signed_headers(
    secrets: &[SecretString],
    delivery: &Delivery,
    timestamp: i64,
    body: &str,
) -> Result<HeaderMap, Code> {
    let signatures =
        secrets.iter().map(|secret| signature::sign(secret, &delivery.message_id, timestamp, body));
    let signatures: Vec<String> = signatures.collect::<Option<_>>().ok_or(codes::SECRET_DAMAGED)?;
    let mut headers = HeaderMap::new();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    for (name, value) in [
        (ID_HEADER, delivery.message_id.clone()),
        (TIMESTAMP_HEADER, timestamp.to_string()),
        (SIGNATURE_HEADER, signatures.join(" ")),
    ] {
        headers.insert(
            HeaderName::from_static(name),
            HeaderValue::try_from(value).map_err(|_| codes::UNEXPECTED)?,
        );
    }
    Ok(headers)
}

/// Header with the id of a message.
pub const ID_HEADER: &str = "webhook-id";
/// Header with the time at which a request was signed, in seconds.
pub const TIMESTAMP_HEADER: &str = "webhook-timestamp";
/// Header with the signatures.
pub const SIGNATURE_HEADER: &str = "webhook-signature";

/// The pause that an answer asks for, in seconds.
fn retry_after(answer: &Answer) -> Option<TimeDelta> {
    let seconds: i64 = answer.headers.get(header::RETRY_AFTER)?.to_str().ok()?.trim().parse().ok()?;
    Some(TimeDelta::try_seconds(seconds)?.clamp(TimeDelta::zero(), LONGEST_PAUSE))
}

/// Records attempts at their deliveries and in the queue; returns a reason for a pause, if there is one.
async fn record(
    tx: &Write,
    queue: &mut WebhookQueue,
    attempted: Vec<SentRequest>,
    now: Instant,
) -> Result<Option<PauseReason>> {
    let succeeded = attempted.iter().any(SentRequest::succeeded);
    let failed = attempted.iter().any(|attempted| attempted.counts() && !attempted.succeeded());
    if succeeded {
        queue.last_success_at = Some(now);
        (queue.failures_in_row, queue.failing_since, queue.retry_at) = (0, None, None);
        queue.last_failure = None;
    }
    if failed {
        queue.failures_in_row += 1;
        if !succeeded {
            queue.failing_since = queue.failing_since.or(Some(now));
        }
    }
    let is_gone = attempted.iter().any(|attempted| attempted.attempt.status == Some(GONE));
    let is_given_up = queue.failing_since.is_some_and(|since| now - since >= GIVE_UP_AFTER);
    let mut retry_at = None;
    for SentRequest { delivery, attempt, retry_after } in attempted {
        let tried_since = delivery.tried_since.unwrap_or(attempt.at);
        let pause = pause_after(delivery.attempts_in_row + 1).max(retry_after.unwrap_or_default());
        let after = if attempt.failure.is_none() {
            AfterAttempt { status: DeliveryStatus::Delivered, due_at: None }
        } else if delivery.is_tried_once || !is_given_up && !is_gone && now - tried_since >= GIVE_UP_AFTER {
            AfterAttempt { status: DeliveryStatus::Failed, due_at: None }
        } else {
            AfterAttempt { status: DeliveryStatus::Pending, due_at: Some(now + pause) }
        };
        if let Some(failure) = &attempt.failure
            && delivery.event != EventType::Test
        {
            let pause = pause_after(queue.failures_in_row).max(retry_after.unwrap_or_default());
            retry_at = retry_at.max(Some(now + pause));
            queue.last_failure = serde_json::to_string(failure).ok();
        }
        delivery::record(tx, &delivery, attempt, after, now).await?;
    }
    queue.retry_at = retry_at.or(queue.retry_at);
    Ok(if is_gone {
        Some(PauseReason::Gone)
    } else if failed && is_given_up {
        Some(PauseReason::Undeliverable)
    } else {
        None
    })
}

/// Time at which the queue is due next: not before the end of a pause, unless a user requests it.
async fn next_due(
    tx: &Write,
    queue: &WebhookQueue,
    webhook: &Webhook,
    now: Instant,
) -> Result<Option<Instant>> {
    let by_hand = delivery::next_due(tx, queue, true).await?;
    if webhook.paused_at.is_some() || by_hand.is_some_and(|due| due <= now) {
        return Ok(by_hand);
    }
    let due_at = delivery::next_due(tx, queue, false).await?;
    Ok(due_at.map(|due_at| queue.retry_at.map_or(due_at, |retry_at| due_at.max(retry_at))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_grow_to_six_hours_and_three_days_allow_twenty_attempts() {
        let pauses: Vec<i64> = (1..=9).map(|failures| pause_after(failures).num_seconds()).collect();
        assert_eq!(pauses, [10, 30, 90, 270, 810, 2_430, 7_290, 21_600, 21_600]);
        assert_eq!(pause_after(i64::MAX), LONGEST_PAUSE);
        let (mut elapsed, mut attempts) = (TimeDelta::zero(), 1);
        while elapsed < GIVE_UP_AFTER {
            elapsed += pause_after(attempts);
            attempts += 1;
        }
        assert_eq!(attempts, 20);
    }
}
