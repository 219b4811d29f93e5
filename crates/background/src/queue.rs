//! The loop that works on a queue for as long as the process runs, the same for all queues.

use std::{future::Future, panic::AssertUnwindSafe, sync::Arc, time::Duration};

use futures_util::FutureExt;
use kernel::{Error, Fault, Instant, Result, spans::SPANS};
use tokio::{task::JoinSet, time};
use tracing::{Instrument, Span, field::Empty};

use crate::{Ending, Panics, backoff};

/// How long a worker waits at most before it tries again to claim something.
const LONGEST_PAUSE: Duration = Duration::from_secs(15);

/// Work that waits in a table.
pub trait Queue: Send + Sync + 'static {
    /// What was claimed.
    type Item: Send + 'static;

    /// As operators read it.
    const NAME: &'static str;
    /// So many items are under way at a time in a process.
    const PLACES: usize;
    /// How long an idle worker waits before it looks again: another process may have queued or lost something.
    const POLL: Duration;
    /// The first and the longest pause after items that have asked for one.
    const PAUSES: (Duration, Duration) = (Self::POLL, LONGEST_PAUSE);
    /// How long the end of the process waits for items that are under way.
    const PATIENCE: Duration = Duration::MAX;

    /// The next item; it is `owner`'s for the time of a lease.
    fn claim(&self, owner: &str) -> impl Future<Output = Result<Option<Self::Item>>> + Send;

    /// Works on an item, and notes how that went. Should it panic, the item's lease runs out.
    fn work(&self, item: Self::Item, ending: Ending) -> impl Future<Output = Turn> + Send;

    /// What there is to do and how it goes.
    fn figures(&self, now: Instant) -> impl Future<Output = Result<Figures>> + Send;

    /// Whether work could succeed, as far as one knows.
    fn can_work(&self) -> bool {
        true
    }

    /// Resolves when something was queued by this process.
    fn woken(&self) -> impl Future<Output = ()> + Send {
        std::future::pending()
    }

    /// Before the first claim. `dead` is a process that is known to have ended, so that its leases need not be waited for.
    fn prepare(&self, _dead: Option<&str>) -> impl Future<Output = Result<()>> + Send {
        std::future::ready(Ok(()))
    }
}

/// How a worker goes on after an item.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Turn {
    Next,
    /// With others it would be the same for now; one waits longer each time.
    Pause,
}

/// A queue in numbers.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Figures {
    pub waiting: i64,
    /// Since when the oldest of them waits.
    pub waiting_since: Option<Instant>,
    pub running: i64,
    /// Within the last 24 hours, for good.
    pub failed: i64,
}

/// Works off everything that is queued, one item after the other; false where a pause has ended that.
pub async fn work_off<Q: Queue>(queue: &Q, owner: &str) -> Result<bool> {
    let (_going_on, ending) = tokio::sync::watch::channel(false);
    while let Some(item) = queue.claim(owner).await? {
        if queue.work(item, ending.clone().into()).await == Turn::Pause {
            return Ok(false);
        }
    }
    Ok(true)
}

/// The worker of a process.
pub(crate) struct Worker<Q> {
    queue: Arc<Q>,
    owner: String,
    ending: Ending,
    panics: Panics,
    running: JoinSet<Turn>,
    /// Claims that failed in a row, and items that asked for a pause.
    claims_failed: u32,
    items_failed: u32,
    paused_until: Option<time::Instant>,
}

impl<Q: Queue> Worker<Q> {
    pub(crate) fn new(queue: Arc<Q>, owner: String, ending: Ending, panics: Panics) -> Self {
        Self {
            queue,
            owner,
            ending,
            panics,
            running: JoinSet::new(),
            claims_failed: 0,
            items_failed: 0,
            paused_until: None,
        }
    }

    pub(crate) async fn serve(mut self) {
        while !self.ending.has_come() {
            while let Some(ended) = self.running.try_join_next() {
                self.note(ended);
            }
            self.paused_until = self.paused_until.filter(|until| *until > time::Instant::now());
            if self.paused_until.is_some() || self.running.len() >= Q::PLACES || !self.queue.can_work() {
                self.rest().await;
                continue;
            }
            // A panic costs a claim and not the worker its life.
            match AssertUnwindSafe(self.queue.claim(&self.owner)).catch_unwind().await {
                Ok(Ok(item)) => {
                    self.claims_failed = 0;
                    match item {
                        Some(item) => self.begin(item),
                        None => self.rest().await,
                    }
                }
                Ok(Err(error)) => self.cannot_claim(&error),
                Err(_) => {
                    self.panics.count(Q::NAME);
                    self.cannot_claim(&Error::internal("panic"));
                }
            }
        }
        // Those that are cut off here leave their leases behind.
        let all = async {
            while let Some(ended) = self.running.join_next().await {
                told(Q::NAME, &self.panics, &ended);
            }
        };
        let _ = time::timeout(Q::PATIENCE, all).await;
    }

    fn begin(&mut self, item: Q::Item) {
        let (queue, ending) = (self.queue.clone(), self.ending.clone());
        let span = tracing::info_span!(
            target: SPANS,
            "work",
            otel.name = Q::NAME,
            otel.kind = "consumer",
            stalhof.queue = Q::NAME,
            stalhof.job = Empty,
            stalhof.import = Empty
        );
        // In a task of its own, so that a panic costs an item an attempt and not the worker its life.
        self.running.spawn(async move { queue.work(item, ending).await }.instrument(span));
    }

    fn note(&mut self, ended: Result<Turn, tokio::task::JoinError>) {
        told(Q::NAME, &self.panics, &ended);
        match ended {
            Ok(Turn::Next) => self.items_failed = 0,
            Ok(Turn::Pause) => {
                self.items_failed = self.items_failed.saturating_add(1);
                self.pause(self.items_failed, Q::PAUSES);
            }
            Err(_) => {}
        }
    }

    fn cannot_claim(&mut self, error: &Error) {
        // Others write, or the machine has a problem that is told elsewhere: said once.
        if self.claims_failed == 0 && error.fault() != Some(Fault::Busy) {
            tracing::warn!(%error, queue = Q::NAME, "a queue cannot be read");
        }
        self.claims_failed = self.claims_failed.saturating_add(1);
        self.pause(self.claims_failed, (Q::POLL, LONGEST_PAUSE));
    }

    fn pause(&mut self, failures: u32, (first, longest): (Duration, Duration)) {
        self.paused_until = Some(time::Instant::now() + backoff::pause(failures, first, longest));
    }

    /// Waits until there may be something to do.
    async fn rest(&mut self) {
        let until = self.paused_until.unwrap_or_else(|| time::Instant::now() + Q::POLL);
        let paused = self.paused_until.is_some();
        tokio::select! {
            () = self.queue.woken(), if !paused => {}
            () = time::sleep_until(until) => {}
            Some(ended) = self.running.join_next() => self.note(ended),
            () = self.ending.comes() => {}
        }
    }
}

/// Names the span of the item that is under way.
pub(crate) fn name_span(job: &'static str) {
    Span::current().record("otel.name", job).record("stalhof.job", job);
}

fn told(queue: &'static str, panics: &Panics, ended: &Result<Turn, tokio::task::JoinError>) {
    if let Err(error) = ended
        && error.is_panic()
    {
        panics.count(queue);
        tracing::error!(%error, queue, "work has panicked");
    }
}

#[cfg(test)]
mod tests;
