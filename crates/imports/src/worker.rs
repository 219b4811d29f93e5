//! The worker of a process: some imports are under way at a time, and their batches come by turns, for as long as the
//! server runs.

use std::{
    fs::{File, TryLockError},
    io::{Read, Seek, Write},
    path::Path,
    sync::Arc,
    time::Duration,
};

use futures_util::future::BoxFuture;
use kernel::{Database, Error, Fault, Permission, Result, Scope, TenantId, UserId};
use sea_orm::{ConnectionTrait, DbBackend};
use tokio::{
    sync::{Notify, Semaphore, watch},
    task::{JoinError, JoinHandle, JoinSet},
};

use crate::{
    import::Import,
    importer::Registry,
    queue::{self, Stop},
    runner::Runner,
};
use storage::Storage;

/// Says what somebody who has started an import may do now.
pub trait Authority: Send + Sync + 'static {
    /// His scope, if he still holds all these rights.
    fn scope_of<'a>(
        &'a self,
        user: UserId,
        tenant: TenantId,
        needs: &'a [Permission],
    ) -> BoxFuture<'a, Result<Option<Scope>>>;
}

/// The workers of a process. [`Workers::end`] ends them and waits; dropping only ends them.
pub struct Workers {
    ending: watch::Sender<bool>,
    task: JoinHandle<()>,
    _home: Home,
}

/// How long an idle worker waits before it looks again: another process may have queued or lost an import.
const POLL: Duration = Duration::from_secs(2);

/// So many imports of a process are under way at a time; their batches come by turns, so that a long file is no reason to
/// wait for a short one.
const PLACES: usize = 8;

/// So many batches are applied at a time; on SQLite there is a single writer anyway.
const AT_ONCE_ON_POSTGRES: usize = 2;

impl Workers {
    /// Starts working. `folder` is this installation's own: what a process before this one has left there unfinished
    /// is taken over at once. `wake` tells that an import has been queued.
    pub async fn start(
        db: Database,
        storage: Storage,
        registry: &'static Registry,
        authority: Arc<dyn Authority>,
        folder: &Path,
        wake: Arc<Notify>,
    ) -> Result<Self> {
        let home = Home::enter(folder).map_err(Error::internal)?;
        if let Some(dead) = &home.predecessor {
            queue::release_all_of(&db, dead).await?;
        }
        let (ending, ended) = watch::channel(false);
        let turns = Arc::new(Semaphore::new(at_once(&db)));
        let owner = home.owner.clone();
        let worker = Worker { db, storage, registry, authority, turns, owner, wake, ending: ended };
        Ok(Self { ending, task: tokio::spawn(worker.work()), _home: home })
    }

    /// Waits until running batches are finished; their imports go on in another process.
    pub async fn end(self) {
        // Workers that have died listen no more.
        let _ = self.ending.send(true);
        if let Err(error) = self.task.await {
            tracing::error!(%error, "the import worker has died");
        }
    }
}

fn at_once(db: &Database) -> usize {
    if db.get_database_backend() == DbBackend::Postgres { AT_ONCE_ON_POSTGRES } else { 1 }
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
        let ending = ending.clone();
        Runner { db, storage, registry, authority, turns: &turns, ending }.run(&import).await;
    }
    Ok(())
}

#[derive(Clone)]
struct Worker {
    db: Database,
    storage: Storage,
    registry: &'static Registry,
    authority: Arc<dyn Authority>,
    turns: Arc<Semaphore>,
    owner: String,
    wake: Arc<Notify>,
    ending: watch::Receiver<bool>,
}

impl Worker {
    async fn work(mut self) {
        let mut silent = false;
        let mut running = JoinSet::new();
        while !has_ended(&self.ending) {
            while let Some(ended) = running.try_join_next() {
                told(ended);
            }
            if running.len() == PLACES || !self.can_write() {
                self.rest(&mut running).await;
                continue;
            }
            match queue::claim(&self.db, &self.owner).await {
                Ok(Some(import)) => {
                    silent = false;
                    // In a task of its own, so that a panic costs the import an attempt and not the worker its life.
                    running.spawn(self.clone().run(import));
                }
                Ok(None) => {
                    silent = false;
                    self.rest(&mut running).await;
                }
                Err(error) => {
                    // others write, or the machine has a problem that is told elsewhere: said once
                    if !silent && error.fault() != Some(Fault::Busy) {
                        tracing::warn!(%error, "the import queue cannot be read");
                    }
                    silent = true;
                    self.rest(&mut running).await;
                }
            }
        }
        while let Some(ended) = running.join_next().await {
            told(ended);
        }
    }

    async fn run(mut self, import: Import) {
        let waits = {
            let Self { db, storage, registry, authority, turns, ending, .. } = &self;
            let (authority, ending) = (&**authority, ending.clone());
            Runner { db, storage, registry, authority, turns, ending }.run(&import).await
        };
        if waits {
            self.hold(&import).await;
        }
    }

    /// Waits with an import whose batch the machine could not take, and lets it go on at once when it can. That is no
    /// failed attempt: the file is not to blame.
    async fn hold(&mut self, import: &Import) {
        tracing::warn!(import = import.id, "import waits until there is room, or the database is back");
        while !has_ended(&self.ending) {
            self.pause().await;
            if !self.can_write() {
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

    /// Whether a batch would find room, as far as one knows.
    fn can_write(&self) -> bool {
        self.db.health().fault().is_none() && self.storage.admit().is_ok()
    }

    /// Waits until there may be something to do.
    async fn rest(&mut self, running: &mut JoinSet<()>) {
        tokio::select! {
            () = self.wake.notified() => {}
            () = tokio::time::sleep(POLL) => {}
            Some(ended) = running.join_next() => told(ended),
            _ = self.ending.changed() => {}
        }
    }

    async fn pause(&mut self) {
        tokio::select! {
            () = tokio::time::sleep(POLL) => {}
            _ = self.ending.changed() => {}
        }
    }
}

fn told(ended: Result<(), JoinError>) {
    if let Err(error) = ended {
        tracing::error!(%error, "an import has panicked");
    }
}

/// Whether the process is to end, or the workers were dropped.
pub(crate) fn has_ended(ending: &watch::Receiver<bool>) -> bool {
    *ending.borrow() || ending.has_changed().is_err()
}

/// The name under which a process works, and the proof that the one before it is dead: a lock on a file that the system
/// takes away with the process.
struct Home {
    owner: String,
    predecessor: Option<String>,
    _lock: Option<File>,
}

impl Home {
    fn enter(folder: &Path) -> std::io::Result<Self> {
        let owner = uuid::Uuid::now_v7().to_string();
        let mut file = File::options()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(folder.join("worker.lock"))?;
        match file.try_lock() {
            Ok(()) => {}
            // Another process works here, and is alive.
            Err(TryLockError::WouldBlock) => return Ok(Self { owner, predecessor: None, _lock: None }),
            Err(TryLockError::Error(error)) => return Err(error),
        }
        let mut predecessor = String::new();
        // Whatever stands there: a name that no import knows does no harm.
        let _ = Read::by_ref(&mut file).take(100).read_to_string(&mut predecessor);
        file.rewind()?;
        file.set_len(0)?;
        file.write_all(owner.as_bytes())?;
        file.sync_all()?;
        let predecessor = (!predecessor.is_empty()).then_some(predecessor);
        Ok(Self { owner, predecessor, _lock: Some(file) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_knows_the_one_before_it_only_when_that_is_dead() {
        let folder = tempfile::tempdir().unwrap();
        let first = Home::enter(folder.path()).unwrap();
        assert_eq!(first.predecessor, None);
        let beside = Home::enter(folder.path()).unwrap();
        assert_eq!(beside.predecessor, None, "the first is alive");
        let owner = first.owner.clone();
        drop(first);
        assert_eq!(Home::enter(folder.path()).unwrap().predecessor, Some(owner));
    }
}
