//! Worker loop of a queue, the same for all queues, which runs as long as the process.

use std::{future::Future, panic::AssertUnwindSafe, sync::Arc, time::Duration};

use futures_util::FutureExt;
use store::spans::SPANS;
use tokio::{task::JoinSet, time};
use tracing::{Instrument, Span, field::Empty};
use values::{Error, Fault, Instant, Result};

use crate::{Backoff, Panics, ShutdownSignal};

/// Longest pause before a worker retries a failed claim.
const LONGEST_PAUSE: Duration = Duration::from_secs(15);

/// Work that waits in a table.
pub trait Queue: Send + Sync + 'static {
    /// Claimed item.
    type Item: Send + 'static;

    /// Name for operators.
    const NAME: &'static str;
    /// Maximum number of items that a process works on at a time.
    const CONCURRENCY: usize;
    /// Interval at which an idle worker polls for items of other processes.
    const POLL: Duration;
    /// Backoff after items that have asked for a pause.
    const BACKOFF: Backoff = Backoff { first: Self::POLL, longest: LONGEST_PAUSE };
    /// Maximum time that the end of the process waits for running items.
    const PATIENCE: Duration = Duration::MAX;

    /// Claims the next item for `owner`, for the duration of a lease.
    fn claim(&self, owner: &str) -> impl Future<Output = Result<Option<Self::Item>>> + Send;

    /// Processes an item and records the result. If it panics, the item's lease expires.
    fn work(&self, item: Self::Item, ending: ShutdownSignal) -> impl Future<Output = NextStep> + Send;

    /// Returns the figures of the queue.
    fn figures(&self, now: Instant) -> impl Future<Output = Result<Figures>> + Send;

    /// False if work is known to fail at present.
    fn can_work(&self) -> bool {
        true
    }

    /// Resolves when this process has queued an item.
    fn woken(&self) -> impl Future<Output = ()> + Send {
        std::future::pending()
    }

    /// Called before the first claim. `dead` is a process that is known to have ended, so that its leases can
    /// be released.
    fn prepare(&self, _dead: Option<&str>) -> impl Future<Output = Result<()>> + Send {
        std::future::ready(Ok(()))
    }
}

/// Next step of a worker after an item.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NextStep {
    Next,
    /// Other items would fail too at present; the pause grows each time.
    Pause,
}

/// Figures of a queue.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Figures {
    pub waiting: i64,
    /// Time since which the oldest item waits.
    pub waiting_since: Option<Instant>,
    pub running: i64,
    /// Number of items given up within the last 24 hours.
    pub failed: i64,
}

/// Processes all queued items one after the other; false if a pause has ended that.
pub async fn work_off<Q: Queue>(queue: &Q, owner: &str) -> Result<bool> {
    let (_going_on, ending) = tokio::sync::watch::channel(false);
    while let Some(item) = queue.claim(owner).await? {
        if queue.work(item, ending.clone().into()).await == NextStep::Pause {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Worker of a queue in this process.
pub(crate) struct Worker<Q> {
    queue: Arc<Q>,
    owner: String,
    ending: ShutdownSignal,
    panics: Panics,
    running: JoinSet<NextStep>,
    /// Numbers of failed claims in a row, and of items that asked for a pause.
    claims_failed: u32,
    items_failed: u32,
    paused_until: Option<time::Instant>,
}

impl<Q: Queue> Worker<Q> {
    pub(crate) fn new(queue: Arc<Q>, owner: String, ending: ShutdownSignal, panics: Panics) -> Self {
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
        while !self.ending.is_set() {
            while let Some(ended) = self.running.try_join_next() {
                self.note(ended);
            }
            self.paused_until = self.paused_until.filter(|until| *until > time::Instant::now());
            if self.paused_until.is_some() || self.running.len() >= Q::CONCURRENCY || !self.queue.can_work() {
                self.rest().await;
                continue;
            }
            // A panic in a claim must not end the worker.
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
        // Items that are cut off here leave their leases behind.
        let all = async {
            while let Some(ended) = self.running.join_next().await {
                record_end(Q::NAME, &self.panics, &ended);
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
        // In a task of its own, so that a panic costs the item an attempt and does not end the worker.
        self.running.spawn(async move { queue.work(item, ending).await }.instrument(span));
    }

    fn note(&mut self, ended: Result<NextStep, tokio::task::JoinError>) {
        record_end(Q::NAME, &self.panics, &ended);
        match ended {
            Ok(NextStep::Next) => self.items_failed = 0,
            Ok(NextStep::Pause) => {
                self.items_failed = self.items_failed.saturating_add(1);
                self.pause(self.items_failed, Q::BACKOFF);
            }
            Err(_) => {}
        }
    }

    fn cannot_claim(&mut self, error: &Error) {
        // A busy database or a fault of the machine is reported elsewhere; this is logged once.
        if self.claims_failed == 0 && error.fault() != Some(Fault::Busy) {
            tracing::warn!(%error, queue = Q::NAME, "a queue cannot be read");
        }
        self.claims_failed = self.claims_failed.saturating_add(1);
        self.pause(self.claims_failed, Backoff { first: Q::POLL, longest: LONGEST_PAUSE });
    }

    fn pause(&mut self, failures: u32, backoff: Backoff) {
        self.paused_until = Some(time::Instant::now() + backoff.pause(failures));
    }

    /// Waits until there may be work.
    async fn rest(&mut self) {
        let until = self.paused_until.unwrap_or_else(|| time::Instant::now() + Q::POLL);
        let paused = self.paused_until.is_some();
        tokio::select! {
            () = self.queue.woken(), if !paused => {}
            () = time::sleep_until(until) => {}
            Some(ended) = self.running.join_next() => self.note(ended),
            () = self.ending.wait() => {}
        }
    }
}

/// Sets the job's name in the current tracing span.
pub(crate) fn name_span(job: &'static str) {
    Span::current().record("otel.name", job).record("stalhof.job", job);
}

fn record_end(queue: &'static str, panics: &Panics, ended: &Result<NextStep, tokio::task::JoinError>) {
    if let Err(error) = ended
        && error.is_panic()
    {
        panics.count(queue);
        tracing::error!(%error, queue, "work has panicked");
    }
}

#[cfg(test)]
mod tests;
