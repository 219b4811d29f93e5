//! Webhooks as background work of this server: a queue that sends events, and mails about paused webhooks.

use std::{
    sync::atomic::{AtomicUsize, Ordering},
    time::Duration,
};

use actix_web::web::Data;
use api::state::State;
use background::{Figures, NextStep, Queue, ShutdownSignal};
use futures_util::future::BoxFuture;
use identity::user;
use mail::{Mail, WebhookNotice, WebhookPause, outbox};
use store::{Scope, Write};
use tenancy::tenant;
use values::{Instant, Result, now};
use webhooks::{
    delivery, permissions,
    queue::{self, WebhookQueue},
    sender::{PauseNotice, Sender},
    webhook::{PauseReason, Webhook},
};

/// Maximum number of workers for receivers whose last delivery failed: the others stay free for receivers
/// that answer.
const FAILING_AT_ONCE: usize = 4;

/// Queue of all webhooks.
#[derive(Debug)]
pub struct WebhookSender {
    state: Data<State>,
    failing: AtomicUsize,
}

impl WebhookSender {
    /// Creates the queue with nothing in progress.
    pub fn new(state: Data<State>) -> Self {
        Self { state, failing: AtomicUsize::default() }
    }
}

impl Queue for WebhookSender {
    type Item = WebhookQueue;

    const NAME: &'static str = "webhooks";
    const CONCURRENCY: usize = 8;
    const POLL: Duration = Duration::from_secs(1);
    /// Time to wait for a request in progress at the end of the process; with a receiver that does not
    /// answer, the event may be sent twice.
    const PATIENCE: Duration = Duration::from_secs(10);

    async fn claim(&self, owner: &str) -> Result<Option<WebhookQueue>> {
        let with_failing = self.failing.load(Ordering::Relaxed) < FAILING_AT_ONCE;
        queue::claim(&self.state.db, owner, now(), with_failing).await
    }

    async fn work(&self, queue: WebhookQueue, ending: ShutdownSignal) -> NextStep {
        let _failing = queue.failing_since.map(|_| Failing::new(&self.failing));
        let webhook = queue.webhook_id;
        match send(&self.state, queue, &ending).await {
            Ok(()) => NextStep::Next,
            Err(error) => {
                tracing::warn!(webhook, %error, "the deliveries of a webhook cannot be recorded");
                NextStep::Pause
            }
        }
    }

    async fn figures(&self, now: Instant) -> Result<Figures> {
        delivery::figures(&self.state.db, now).await
    }

    fn can_work(&self) -> bool {
        self.state.db.health().fault().is_none()
    }

    async fn prepare(&self, dead: Option<&str>) -> Result<()> {
        match dead {
            Some(dead) => queue::release_all_of(&self.state.db, dead).await,
            None => Ok(()),
        }
    }
}

/// Worker that a failing receiver occupies; it is free again when this is dropped.
struct Failing<'a>(&'a AtomicUsize);

impl<'a> Failing<'a> {
    fn new(count: &'a AtomicUsize) -> Self {
        count.fetch_add(1, Ordering::Relaxed);
        Self(count)
    }
}

impl Drop for Failing<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Sends the due events of a webhook whose queue was claimed.
///
/// # Errors
/// Failures of the database.
pub async fn send(state: &State, queue: WebhookQueue, ending: &ShutdownSignal) -> Result<()> {
    let source = state.settings.public_url.clone();
    let notice = Mails { site: &source };
    let sender = Sender {
        db: &state.db,
        keys: &state.keys,
        outbound: &state.outbound,
        source: &source,
        limits: state.webhook_limits,
        notice: &notice,
    };
    sender.work(queue, ending).await
}

/// Mails to the users of the tenant who may configure webhooks and want notices of problems.
struct Mails<'a> {
    site: &'a str,
}

impl PauseNotice for Mails<'_> {
    fn paused<'a>(&'a self, tx: &'a Write, webhook: &'a Webhook) -> BoxFuture<'a, Result<()>> {
        Box::pin(async move {
            let pause = match webhook.pause_reason {
                Some(PauseReason::Gone) => WebhookPause::Gone,
                Some(PauseReason::Undeliverable) => WebhookPause::Undeliverable,
                Some(PauseReason::ByHand) | None => return Ok(()),
            };
            let readers =
                user::wanting_notices(tx, webhook.tenant_id, permissions::CONFIGURE_WEBHOOKS).await?;
            let companies = tenant::companies(tx, &Scope::platform(), [webhook.tenant_id]).await?;
            let company = companies.into_iter().next().map(|(_, company)| company).unwrap_or_default();
            let page = format!("{}/webhooks/{}", self.site, webhook.id);
            let host = webhook.host();
            for reader in readers {
                let notice = WebhookNotice { host: &host, company: &company, pause };
                outbox::queue(tx, reader.recipient(), &Mail::Webhook { notice, page: &page }, now()).await?;
            }
            Ok(())
        })
    }
}
