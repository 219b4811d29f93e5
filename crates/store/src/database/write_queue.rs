//! Write queue of SQLite: short writes share a commit, so that the single writer waits for the disk once for
//! all of them.
//!
//! Writers are served in order of arrival. Each short write runs in a savepoint of one open transaction. The
//! first one that is done queues up again to commit; writes that were queued before it join the transaction.
//! A single write therefore commits immediately, and no write waits for others that arrived after the commit was
//! requested. All members of a commit get its one outcome, and none before the database has confirmed it.

use std::{
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use sea_orm::{ConnAcquireErr, ConnectionTrait, DatabaseConnection, DatabaseTransaction, DbErr};
use tokio::{
    sync::{OwnedMutexGuard, oneshot},
    time::Instant,
};
use values::{
    error::{Error, Result},
    fault::Fault,
};

use super::{COMMIT, PoolGuard, begin_write};
use crate::writes::AnnouncedWrites;

/// Maximum time that a write waits in the queue.
const PATIENCE: Duration = Duration::from_secs(5);
/// Limits of a shared transaction: after this time open, or with this number of waiting members, it accepts
/// no more writes. Tests queue writes one after the other, which takes longer on a slow machine.
const OPEN: Duration = Duration::from_millis(if cfg!(test) { 5_000 } else { 50 });
const MEMBERS: usize = 100;

/// Queue of writers. Cheap to clone.
#[derive(Debug, Clone)]
pub(super) struct WriteQueue {
    writer: DatabaseConnection,
    guard: PoolGuard,
    writer_lock: Arc<tokio::sync::Mutex<Option<Arc<SharedTransaction>>>>,
    waiting: Arc<AtomicUsize>,
}

/// Counts a write as waiting until it is dropped.
struct Waits<'a>(&'a AtomicUsize);

impl<'a> Waits<'a> {
    fn new(waiting: &'a AtomicUsize) -> Self {
        waiting.fetch_add(1, Ordering::Relaxed);
        Self(waiting)
    }
}

impl Drop for Waits<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Lock of the one writer, with the open transaction if there is one.
pub(super) type WriterLock = OwnedMutexGuard<Option<Arc<SharedTransaction>>>;

/// Transaction of several writes.
#[derive(Debug)]
pub(super) struct SharedTransaction {
    transaction: DatabaseTransaction,
    began: Instant,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    /// Writes that are done and wait for the commit.
    waiting: Vec<Waiting>,
    /// True if a savepoint was begun and not released: its write is in progress, or was given up.
    unfinished: bool,
    /// Fault that a statement has met, which may have ended the transaction.
    fault: Option<DbErr>,
}

#[derive(Debug)]
pub(super) struct Waiting {
    announced: AnnouncedWrites,
    outcome: oneshot::Sender<CommitOutcome>,
}

/// Outcome of a commit.
#[derive(Debug, Clone)]
pub(super) enum CommitOutcome {
    Confirmed,
    /// Refused: the database wrote nothing.
    Refused(DbErr),
    /// Unanswered.
    Unknown(String),
}

impl CommitOutcome {
    pub(super) fn into_result(self) -> Result<()> {
        match self {
            Self::Confirmed => Ok(()),
            Self::Refused(error) => Err(error.into()),
            Self::Unknown(cause) => Err(Error::OutcomeUnknown(cause)),
        }
    }
}

/// Slot of a write in a transaction that it may share. If it is dropped before [`WriteSlot::end`], the write
/// is undone.
#[derive(Debug)]
pub(super) struct WriteSlot {
    // dropped before `lock`, so that the next holder of the lock has the only other reference
    shared: Arc<SharedTransaction>,
    lock: WriterLock,
    queue: WriteQueue,
}

impl WriteQueue {
    pub(super) fn new(writer: DatabaseConnection, guard: PoolGuard) -> Self {
        Self { writer, guard, writer_lock: Arc::default(), waiting: Arc::default() }
    }

    /// Number of writes in the queue.
    pub(super) fn waiting(&self) -> usize {
        self.waiting.load(Ordering::Relaxed)
    }

    /// Waits for a slot in the open transaction, or in a new one.
    pub(super) async fn join_shared(&self) -> Result<WriteSlot, DbErr> {
        let mut lock = self.lock_writer().await?;
        if lock.as_ref().is_some_and(|shared| !shared.can_take_more()) {
            lock = self.finish_shared(lock, SharedTransaction::can_take_more_after_rollback).await?;
        }
        let shared = if let Some(open) = &*lock {
            open.clone()
        } else {
            let transaction = begin_write(&self.writer, &self.guard).await?;
            let shared = SharedTransaction { transaction, began: Instant::now(), state: Mutex::default() };
            lock.insert(Arc::new(shared)).clone()
        };
        shared.state().unfinished = true;
        let slot = WriteSlot { shared, lock, queue: self.clone() };
        slot.send("SAVEPOINT member").await?;
        Ok(slot)
    }

    /// Waits for the lock with no transaction open.
    pub(super) async fn lock_exclusively(&self) -> Result<WriterLock, DbErr> {
        let lock = self.lock_writer().await?;
        if lock.is_none() { Ok(lock) } else { self.finish_shared(lock, |_| false).await }
    }

    async fn lock_writer(&self) -> Result<WriterLock, DbErr> {
        let _waits = Waits::new(&self.waiting);
        let lock = async {
            tokio::time::timeout(PATIENCE, self.writer_lock.clone().lock_owned()).await.map_err(|_| busy())
        };
        self.guard.bounded(lock).await
    }

    /// Runs [`finish_shared`] to its end even if the caller is cancelled meanwhile, so that the other members
    /// get their outcome.
    async fn finish_shared(
        &self,
        lock: WriterLock,
        stays_open: fn(&SharedTransaction) -> bool,
    ) -> Result<WriterLock, DbErr> {
        tokio::spawn(finish_shared(self.guard.clone(), lock, stays_open)).await.map_err(|_| busy())
    }
}

/// Undoes a write that was given up, and commits unless the transaction is to stay open.
async fn finish_shared(
    guard: PoolGuard,
    mut lock: WriterLock,
    stays_open: fn(&SharedTransaction) -> bool,
) -> WriterLock {
    if let Some(shared) = lock.take() {
        match shared.rollback_unfinished(&guard).await {
            Ok(()) if stays_open(&shared) => *lock = Some(shared),
            rolled_back => shared.close(&guard, rolled_back.err()).await,
        }
    }
    lock
}

impl SharedTransaction {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn can_take_more(&self) -> bool {
        !self.state().unfinished && self.can_take_more_after_rollback()
    }

    fn can_take_more_after_rollback(&self) -> bool {
        self.began.elapsed() < OPEN && self.state().waiting.len() < MEMBERS
    }

    /// Undoes a write that was given up. Fails if the database has ended the transaction by itself, because
    /// then the savepoint is gone.
    async fn rollback_unfinished(&self, guard: &PoolGuard) -> Result<(), DbErr> {
        if !self.state().unfinished {
            return Ok(());
        }
        for sql in ["ROLLBACK TO member", "RELEASE member"] {
            guard.bounded(self.transaction.execute_unprepared(sql)).await?;
        }
        self.state().unfinished = false;
        Ok(())
    }

    /// Commits, or rolls everything back because of an error, and sends the outcome to the members.
    async fn close(self: Arc<Self>, guard: &PoolGuard, broken: Option<DbErr>) {
        // no other slot exists
        let Some(Self { transaction, state, .. }) = Arc::into_inner(self) else { return };
        let State { waiting, fault, .. } = state.into_inner().unwrap_or_else(PoisonError::into_inner);
        let outcome =
            match broken {
                None => guard.commit(transaction).await,
                Some(error) => {
                    if guard.bounded(transaction.rollback()).await.is_err() {
                        guard.suspicion.mark_suspect();
                    }
                    // the error of one write is hidden from the others, which can retry
                    CommitOutcome::Refused(fault.unwrap_or_else(|| {
                        if Fault::from_db_error(&error).is_some() { error } else { busy() }
                    }))
                }
            };
        let (announced, members): (Vec<_>, Vec<_>) =
            waiting.into_iter().map(|Waiting { announced, outcome }| (announced, outcome)).unzip();
        // invalidates cached lists before any member gets its outcome
        drop(announced);
        for member in members {
            // a member that was cancelled receives nothing
            let _ = member.send(outcome.clone());
        }
    }
}

impl WriteSlot {
    pub(super) fn transaction(&self) -> &DatabaseTransaction {
        &self.shared.transaction
    }

    /// Records an error of a statement. A fault of the machine may have ended the shared transaction.
    pub(super) fn record_fault(&self, error: &DbErr) {
        if Fault::from_db_error(error).is_some() {
            self.shared.state().fault.get_or_insert_with(|| error.clone());
        }
    }

    /// Ends the write and waits for the commit, at most as long as for any commit. If the caller is cancelled
    /// meanwhile, the write is still committed.
    pub(super) async fn end(self, announced: AnnouncedWrites) -> CommitOutcome {
        let (outcome, answer) = oneshot::channel();
        tokio::spawn(self.finish(Waiting { announced, outcome }));
        match tokio::time::timeout(COMMIT, answer).await {
            Ok(Ok(outcome)) => outcome,
            Ok(Err(_)) => CommitOutcome::Unknown("nobody was left to commit".to_owned()),
            Err(_) => CommitOutcome::Unknown("others have held up the commit".to_owned()),
        }
    }

    async fn finish(self, waiting: Waiting) {
        if let Err(error) = self.send("RELEASE member").await {
            drop(self);
            let _ = waiting.outcome.send(CommitOutcome::Refused(error));
            return;
        }
        let first = {
            let mut state = self.shared.state();
            state.unfinished = false;
            state.waiting.push(waiting);
            state.waiting.len() == 1
        };
        let queue = self.queue.clone();
        drop(self);
        if first {
            let lock = queue.writer_lock.clone().lock_owned().await;
            finish_shared(queue.guard, lock, |_| false).await;
        }
    }

    async fn send(&self, sql: &str) -> Result<(), DbErr> {
        let sent = self.queue.guard.bounded(self.transaction().execute_unprepared(sql)).await;
        sent.map(|_| ()).inspect_err(|error| self.record_fault(error))
    }
}

impl Drop for WriteSlot {
    fn drop(&mut self) {
        let empty = {
            let state = self.shared.state();
            state.unfinished && state.waiting.is_empty()
        };
        if empty {
            // rolled back when the last reference is dropped
            *self.lock = None;
        }
    }
}

fn busy() -> DbErr {
    DbErr::ConnectionAcquire(ConnAcquireErr::Timeout)
}
