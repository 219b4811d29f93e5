//! Automatic replays: rows of imports that waited for a number are queued again as soon as it is matched in
//! any way, with the present permissions of their user or feed.

use std::{collections::VecDeque, time::Duration};

use actix_web::web::Data;
use api::{job_scope::scope_of_job, state::State};
use background::{Figures, NextStep, Queue, ShutdownSignal};
use imports::{
    import::{
        Import,
        replay_cause::ReplayCause,
        uploader::{self, Uploader},
    },
    permissions,
    registry::Registry,
    unresolved::replay::Replay,
};
use logistics::matching::unresolved::waiting_rows::{self, MatchedNumbers, Position};
use tokio::{sync::Mutex, time};
use values::{Fault, Instant, Language, Result};

use crate::codes;

/// Interval for scanning all waiting rows, even if no matching has changed: a row may begin to wait while its
/// number is being matched.
const SCAN_EVERY: Duration = Duration::from_mins(1);

/// Queue of waiting rows of all tenants whose numbers are matched.
#[derive(Debug)]
pub(crate) struct Replays {
    state: Data<State>,
    registry: &'static Registry,
    scan: Mutex<Scan>,
}

/// Progress of this process's scan.
#[derive(Debug, Default)]
struct Scan {
    found: VecDeque<MatchedNumbers>,
    /// Position from which the present scan continues.
    next: Option<Position>,
    begun: Option<time::Instant>,
    /// Last change of a matching when it began.
    seen: Option<Instant>,
}

impl Scan {
    fn is_due(&self, changed: Option<Instant>) -> bool {
        self.seen != changed || self.begun.is_none_or(|begun| begun.elapsed() >= SCAN_EVERY)
    }
}

impl Replays {
    pub(crate) fn new(state: Data<State>, registry: &'static Registry) -> Self {
        Self { state, registry, scan: Mutex::default() }
    }

    async fn replay(&self, matched: MatchedNumbers) -> Result<Vec<Import>> {
        let State { db, storage, .. } = &**self.state;
        let MatchedNumbers { tenant, principal, r#type, numbers } = matched;
        let needs = r#type.map_or_else(|| vec![permissions::CREATE_IMPORT], uploader::needs_of_feed);
        let Some(scope) = scope_of_job(db, principal, tenant, &needs).await? else {
            return Ok(Vec::new());
        };
        let by = Uploader { scope: &scope, rights: scope.rights(), language: Language::De };
        let replay = Replay { db, storage, registry: self.registry, by, cause: ReplayCause::Automatic };
        let ((), queued) = replay.run(&numbers, async |_| Ok(())).await?;
        Ok(queued)
    }
}

impl Queue for Replays {
    type Item = MatchedNumbers;

    const NAME: &'static str = "replays";
    const CONCURRENCY: usize = 1;
    const POLL: Duration = Duration::from_secs(2);
    const PATIENCE: Duration = Duration::from_secs(10);

    /// Returns the next matched numbers. There is no lease: if two processes find the same rows, one of them
    /// queues these.
    async fn claim(&self, _: &str) -> Result<Option<MatchedNumbers>> {
        let db = &self.state.db;
        let mut scan = self.scan.lock().await;
        loop {
            if let Some(found) = scan.found.pop_front() {
                return Ok(Some(found));
            }
            let from = if let Some(next) = scan.next.take() {
                next
            } else {
                let changed = waiting_rows::last_change(db).await?;
                if !scan.is_due(changed) {
                    return Ok(None);
                }
                (scan.begun, scan.seen) = (Some(time::Instant::now()), changed);
                Position::default()
            };
            let page = waiting_rows::matched_numbers(db, from).await?;
            (scan.found, scan.next) = (page.numbers.into(), page.next);
        }
    }

    async fn work(&self, matched: MatchedNumbers, _: ShutdownSignal) -> NextStep {
        let (tenant, principal) = (matched.tenant, matched.principal);
        match self.replay(matched).await {
            Ok(queued) if queued.is_empty() => NextStep::Next,
            Ok(queued) => {
                tracing::info!(?tenant, ?principal, imports = queued.len(), "rows that waited are imported");
                self.state.imports_waiting.notify_one();
                NextStep::Next
            }
            // another process or a user has queued them
            Err(error) if error.code() == codes::STALE => NextStep::Next,
            Err(error) => {
                if error.fault() != Some(Fault::Busy) {
                    tracing::warn!(?tenant, ?principal, %error, "rows that waited cannot be queued");
                }
                NextStep::Pause
            }
        }
    }

    async fn figures(&self, _: Instant) -> Result<Figures> {
        let page = waiting_rows::matched_numbers(&self.state.db, Position::default()).await?;
        let waiting = page.numbers.iter().map(|matched| matched.numbers.len()).sum::<usize>();
        Ok(Figures { waiting: i64::try_from(waiting).unwrap_or(i64::MAX), ..Figures::default() })
    }

    fn can_work(&self) -> bool {
        self.state.db.health().fault().is_none() && self.state.storage.check_free_space().is_ok()
    }
}
