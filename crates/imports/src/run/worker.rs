//! Imports as a queue of the process: some are under way at a time, and their batches come by turns.

use std::{sync::Arc, time::Duration};

use background::{Ending, Figures, Queue, Turn};
use kernel::{Database, Instant, Result};
use sea_orm::{ConnectionTrait, DbBackend};
use tokio::sync::{Notify, Semaphore, watch};

use super::{Runner, authority::Authority, queue};
use crate::{
    import::{self, Import, Imports},
    registry::Registry,
    run::queue::Stop,
};
use storage::Storage;

/// So many batches are applied at a time; on SQLite there is a single writer anyway.
const AT_ONCE_ON_POSTGRES: usize = 2;

/// All imports that wait.
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
    /// `wake` tells that an import has been queued.
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

    /// Waits with an import whose batch the machine could not take, and lets it go on at once when it can. That is no
    /// failed attempt: the file is not to blame.
    async fn hold(&self, import: &Import, mut ending: Ending) {
        tracing::warn!(import = import.id, "import waits until there is room, or the database is back");
        while !ending.has_come() {
            tokio::select! {
                () = tokio::time::sleep(Self::POLL) => {}
                () = ending.comes() => {}
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
    /// So that a long file is no reason to wait for a short one.
    const PLACES: usize = 8;
    const POLL: Duration = Duration::from_secs(2);

    async fn claim(&self, owner: &str) -> Result<Option<Import>> {
        queue::claim(&self.db, owner).await
    }

    async fn work(&self, import: Import, ending: Ending) -> Turn {
        let Self { db, storage, registry, authority, turns, .. } = self;
        authority.moved();
        let runner = Runner { db, storage, registry, authority: &**authority, turns, ending: ending.clone() };
        if runner.run(&import).await {
            self.hold(&import, ending).await;
        }
        Turn::Next
    }

    async fn figures(&self, now: Instant) -> Result<Figures> {
        import::figures(&self.db, now).await
    }

    /// Whether a batch would find room, as far as one knows.
    fn can_work(&self) -> bool {
        self.db.health().fault().is_none() && self.storage.admit().is_ok()
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

/// Works on one import that is queued, and ends.
pub(crate) async fn work_on(
    db: &Database,
    storage: &Storage,
    registry: &Registry,
    authority: &dyn Authority,
    id: i64,
) -> Result<()> {
    let owner = uuid::Uuid::now_v7().to_string();
    if let Some(import) = queue::claim_only(db, &owner, id).await? {
        let (_going_on, ending) = watch::channel(false);
        let (turns, ending) = (Semaphore::new(1), ending.into());
        Runner { db, storage, registry, authority, turns: &turns, ending }.run(&import).await;
    }
    Ok(())
}

/// Works off everything that is queued, one import after the other, and ends: for whoever has nothing else to do.
pub async fn work_off(
    db: &Database,
    storage: &Storage,
    registry: &Registry,
    authority: &dyn Authority,
) -> Result<()> {
    let (_going_on, ending) = watch::channel(false);
    let turns = Semaphore::new(1);
    let owner = uuid::Uuid::now_v7().to_string();
    while let Some(import) = queue::claim(db, &owner).await? {
        let ending = ending.clone().into();
        Runner { db, storage, registry, authority, turns: &turns, ending }.run(&import).await;
    }
    Ok(())
}
