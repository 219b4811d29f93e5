//! Short writes on SQLite share a commit, so that its one writer waits for the disk once for all of them.
//!
//! Writers take turns in the order in which they come. Each short write stands in a savepoint of one open transaction.
//! The first one that is done queues up again to commit; whoever was in the queue before joins the transaction. So a
//! write without company commits at once, and no write waits for others that came after the commit was asked for. All
//! who share a commit learn its one outcome, and nobody is answered before the database has confirmed it.

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

use super::{COMMIT, Guard, begin_immediately};
use crate::{
    error::{Error, Result},
    fault::Fault,
    writes::Announced,
};

/// How long a write waits for its turn.
const PATIENCE: Duration = Duration::from_secs(5);
/// A transaction that has been open for so long, or is waited for by so many, takes no more writes in.
const OPEN: Duration = Duration::from_millis(50);
const MEMBERS: usize = 100;

/// The order of those who write. Cheap to clone.
#[derive(Debug, Clone)]
pub(super) struct Turns {
    writer: DatabaseConnection,
    guard: Guard,
    place: Arc<tokio::sync::Mutex<Option<Arc<Shared>>>>,
    waiting: Arc<AtomicUsize>,
}

/// Counts a write among those that wait, until it is dropped.
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

/// Whoever holds it writes. It holds the open transaction, where there is one.
pub(super) type Place = OwnedMutexGuard<Option<Arc<Shared>>>;

/// A transaction of several writes.
#[derive(Debug)]
pub(super) struct Shared {
    transaction: DatabaseTransaction,
    began: Instant,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    /// They are done but for the commit.
    waiting: Vec<Waiting>,
    /// A savepoint was begun and has not been released: its write goes on, or was given up.
    unfinished: bool,
    /// A statement has met it. It may have ended the transaction.
    fault: Option<DbErr>,
}

#[derive(Debug)]
pub(super) struct Waiting {
    announced: Announced,
    outcome: oneshot::Sender<Outcome>,
}

/// What became of a commit.
#[derive(Debug, Clone)]
pub(super) enum Outcome {
    Confirmed,
    /// Nothing was written.
    Refused(DbErr),
    /// No answer came.
    Unknown(String),
}

impl Outcome {
    pub(super) fn into_result(self) -> Result<()> {
        match self {
            Self::Confirmed => Ok(()),
            Self::Refused(error) => Err(error.into()),
            Self::Unknown(cause) => Err(Error::OutcomeUnknown(cause)),
        }
    }
}

/// A write's turn in a transaction that it may share. Dropped before its [`Turn::end`], the write has never been.
#[derive(Debug)]
pub(super) struct Turn {
    // dropped before the place is free, so that whoever takes the place holds the only other one
    shared: Arc<Shared>,
    place: Place,
    turns: Turns,
}

impl Turns {
    pub(super) fn new(writer: DatabaseConnection, guard: Guard) -> Self {
        Self { writer, guard, place: Arc::default(), waiting: Arc::default() }
    }

    /// The number of writes that wait for their turn.
    pub(super) fn waiting(&self) -> usize {
        self.waiting.load(Ordering::Relaxed)
    }

    /// A turn in the open transaction, or in a new one.
    pub(super) async fn join(&self) -> Result<Turn, DbErr> {
        let mut place = self.queue().await?;
        if place.as_ref().is_some_and(|shared| !shared.takes_more()) {
            place = self.settle(place, Shared::takes_more_when_tidied).await?;
        }
        let shared = if let Some(open) = &*place {
            open.clone()
        } else {
            let transaction = begin_immediately(&self.writer, &self.guard).await?;
            let shared = Shared { transaction, began: Instant::now(), state: Mutex::default() };
            place.insert(Arc::new(shared)).clone()
        };
        shared.state().unfinished = true;
        let turn = Turn { shared, place, turns: self.clone() };
        turn.send("SAVEPOINT member").await?;
        Ok(turn)
    }

    /// A turn with no transaction open.
    pub(super) async fn alone(&self) -> Result<Place, DbErr> {
        let place = self.queue().await?;
        if place.is_none() { Ok(place) } else { self.settle(place, |_| false).await }
    }

    async fn queue(&self) -> Result<Place, DbErr> {
        let _waits = Waits::new(&self.waiting);
        let place = async {
            tokio::time::timeout(PATIENCE, self.place.clone().lock_owned()).await.map_err(|_| busy())
        };
        self.guard.bounded(place).await
    }

    /// [`settle`], also when whoever asks for it goes away meanwhile: the others get their answer.
    async fn settle(&self, place: Place, stays_open: fn(&Shared) -> bool) -> Result<Place, DbErr> {
        tokio::spawn(settle(self.guard.clone(), place, stays_open)).await.map_err(|_| busy())
    }
}

/// Undoes what was given up in the middle, and commits unless the transaction is to stay open.
async fn settle(guard: Guard, mut place: Place, stays_open: fn(&Shared) -> bool) -> Place {
    if let Some(shared) = place.take() {
        match shared.tidy(&guard).await {
            Ok(()) if stays_open(&shared) => *place = Some(shared),
            tidied => shared.close(&guard, tidied.err()).await,
        }
    }
    place
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn takes_more(&self) -> bool {
        !self.state().unfinished && self.takes_more_when_tidied()
    }

    fn takes_more_when_tidied(&self) -> bool {
        self.began.elapsed() < OPEN && self.state().waiting.len() < MEMBERS
    }

    /// Undoes a write that was given up. It fails where the database has ended the transaction by itself: no savepoint
    /// outlives that.
    async fn tidy(&self, guard: &Guard) -> Result<(), DbErr> {
        if !self.state().unfinished {
            return Ok(());
        }
        for sql in ["ROLLBACK TO member", "RELEASE member"] {
            guard.bounded(self.transaction.execute_unprepared(sql)).await?;
        }
        self.state().unfinished = false;
        Ok(())
    }

    /// Commits, or gives everything up because of an error, and tells those who wait.
    async fn close(self: Arc<Self>, guard: &Guard, broken: Option<DbErr>) {
        // nobody else has a turn
        let Some(Self { transaction, state, .. }) = Arc::into_inner(self) else { return };
        let State { waiting, fault, .. } = state.into_inner().unwrap_or_else(PoisonError::into_inner);
        let outcome = match broken {
            None => guard.commit(transaction).await,
            Some(error) => {
                if guard.bounded(transaction.rollback()).await.is_err() {
                    guard.distrust.arise();
                }
                // what is wrong with one write is not told to the others, who may try again
                Outcome::Refused(
                    fault.unwrap_or_else(|| if Fault::of(&error).is_some() { error } else { busy() }),
                )
            }
        };
        let (announced, told): (Vec<_>, Vec<_>) =
            waiting.into_iter().map(|Waiting { announced, outcome }| (announced, outcome)).unzip();
        // what is kept of lists is out of date before anybody is told
        drop(announced);
        for told in told {
            // whoever has left needs no answer
            let _ = told.send(outcome.clone());
        }
    }
}

impl Turn {
    pub(super) fn transaction(&self) -> &DatabaseTransaction {
        &self.shared.transaction
    }

    /// A statement of this write has failed. A fault of the machine may have ended the transaction of all.
    pub(super) fn met(&self, error: &DbErr) {
        if Fault::of(error).is_some() {
            self.shared.state().fault.get_or_insert_with(|| error.clone());
        }
    }

    /// Ends the write and waits for the commit, but not longer than for any. Should the caller go away meanwhile, it is ended
    /// and committed all the same.
    pub(super) async fn end(self, announced: Announced) -> Outcome {
        let (outcome, answer) = oneshot::channel();
        tokio::spawn(self.finish(Waiting { announced, outcome }));
        match tokio::time::timeout(COMMIT, answer).await {
            Ok(Ok(outcome)) => outcome,
            Ok(Err(_)) => Outcome::Unknown("nobody was left to commit".to_owned()),
            Err(_) => Outcome::Unknown("others have held up the commit".to_owned()),
        }
    }

    async fn finish(self, waiting: Waiting) {
        if let Err(error) = self.send("RELEASE member").await {
            drop(self);
            let _ = waiting.outcome.send(Outcome::Refused(error));
            return;
        }
        let first = {
            let mut state = self.shared.state();
            state.unfinished = false;
            state.waiting.push(waiting);
            state.waiting.len() == 1
        };
        let turns = self.turns.clone();
        drop(self);
        if first {
            let place = turns.place.clone().lock_owned().await;
            settle(turns.guard, place, |_| false).await;
        }
    }

    async fn send(&self, sql: &str) -> Result<(), DbErr> {
        let sent = self.turns.guard.bounded(self.transaction().execute_unprepared(sql)).await;
        sent.map(|_| ()).inspect_err(|error| self.met(error))
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        let empty = {
            let state = self.shared.state();
            state.unfinished && state.waiting.is_empty()
        };
        if empty {
            // rolled back when the last one lets go of it
            *self.place = None;
        }
    }
}

fn busy() -> DbErr {
    DbErr::ConnectionAcquire(ConnAcquireErr::Timeout)
}
