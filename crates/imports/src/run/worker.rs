//! Import queue of the process: several imports run concurrently, and their batches take turns.

use std::{sync::Arc, time::Duration};

use background::{Figures, NextStep, Queue, ShutdownSignal};
use sea_orm::{ConnectionTrait, DbBackend};
use store::Database;
use tokio::sync::{Notify, Semaphore, watch};
use values::{Instant, Result};

use super::{Runner, authority::Authority, queue};
use crate::{
    import::{self, Import, Imports, services::ImportServices},
    registry::Registry,
    run::queue::Stop,
};
use storage::Storage;

/// Number of batches that are applied concurrently; SQLite has a single writer anyway.
const AT_ONCE_ON_POSTGRES: usize = 2;

/// Queue of all waiting imports.
pub struct ImportQueue {
    db: Database,
    storage: Storage,
    registry: &'static Registry,
    authority: Arc<dyn Authority>,
    turns: Semaphore,
    wake: Arc<Notify>,
}

impl std::fmt::Debug for ImportQueue {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ImportQueue").finish_non_exhaustive()
    }
}

impl ImportQueue {
    /// Creates the queue; `wake` signals that an import has been queued.
    pub fn new(
        db: Database,
        storage: Storage,
        registry: &'static Registry,
        authority: Arc<dyn Authority>,
        wake: Arc<Notify>,
    ) -> Self {
        let on_postgres = db.get_database_backend() == DbBackend::Postgres;
        let turns = Semaphore::new(if on_postgres { AT_ONCE_ON_POSTGRES } else { 1 });
        Self { db, storage, registry, authority, turns, wake }
    }

    /// Waits with an import whose batch the machine could not process, and releases it as soon as it can.
    /// This does not count as a failed attempt, since the file is not to blame.
    async fn wait_and_release(&self, import: &Import, mut ending: ShutdownSignal) {
        tracing::warn!(import = import.id, "import waits until there is room, or the database is back");
        while !ending.is_set() {
            tokio::select! {
                () = tokio::time::sleep(Self::POLL) => {}
                () = ending.wait() => {}
            }
            if !self.can_work() {
                continue;
            }
            let outcome = match queue::release(&self.db, import).await {
                // another process has taken it over meanwhile
                Err(Stop::Lost) => queue::forgive(&self.db, import).await,
                Err(Stop::Broken(error)) => Err(error),
                Ok(()) | Err(Stop::Failed(_)) => Ok(()),
            };
            match outcome {
                Ok(()) => return,
                Err(error) => {
                    tracing::debug!(import = import.id, %error, "an import cannot be given back yet");
                }
            }
        }
    }
}

impl Queue for ImportQueue {
    type Item = Import;

    const NAME: &'static str = "imports";
    /// Number of concurrent imports, so that a short file need not wait for a long one.
    const CONCURRENCY: usize = 8;
    const POLL: Duration = Duration::from_secs(2);

    async fn claim(&self, owner: &str) -> Result<Option<Import>> {
        queue::claim(&self.db, owner).await
    }

    async fn work(&self, import: Import, ending: ShutdownSignal) -> NextStep {
        let Self { db, storage, registry, authority, turns, .. } = self;
        authority.notify_progress();
        let runner = Runner { db, storage, registry, authority: &**authority, turns, ending: ending.clone() };
        if runner.run(&import).await {
            self.wait_and_release(&import, ending).await;
        }
        NextStep::Next
    }

    async fn figures(&self, now: Instant) -> Result<Figures> {
        import::figures(&self.db, now).await
    }

    /// True if the database and the storage seem able to process a batch.
    fn can_work(&self) -> bool {
        self.db.health().fault().is_none() && self.storage.check_free_space().is_ok()
    }

    async fn woken(&self) {
        self.wake.notified().await;
    }

    async fn prepare(&self, dead: Option<&str>) -> Result<()> {
        match dead {
            Some(dead) => background::lease::release_all_of::<Imports>(&self.db, dead).await,
            None => Ok(()),
        }
    }
}

/// Runs one queued import.
pub(crate) async fn work_on(services: ImportServices<'_>, authority: &dyn Authority, id: i64) -> Result<()> {
    let ImportServices { db, storage, registry } = services;
    let owner = uuid::Uuid::now_v7().to_string();
    if let Some(import) = queue::claim_only(db, &owner, id).await? {
        let (_going_on, ending) = watch::channel(false);
        let (turns, ending) = (Semaphore::new(1), ending.into());
        Runner { db, storage, registry, authority, turns: &turns, ending }.run(&import).await;
    }
    Ok(())
}

/// Runs all queued imports, one after the other: for callers that have nothing else to do.
pub async fn work_off(services: ImportServices<'_>, authority: &dyn Authority) -> Result<()> {
    let ImportServices { db, storage, registry } = services;
    let (_going_on, ending) = watch::channel(false);
    let turns = Semaphore::new(1);
    let owner = uuid::Uuid::now_v7().to_string();
    while let Some(import) = queue::claim(db, &owner).await? {
        let ending = ending.clone().into();
        Runner { db, storage, registry, authority, turns: &turns, ending }.run(&import).await;
    }
    Ok(())
}
