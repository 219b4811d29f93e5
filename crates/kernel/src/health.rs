//! Health of the database: is it reachable, and can it be written?

use std::{
    sync::{Mutex, PoisonError},
    time::Duration,
};

use tokio::{
    sync::{Notify, watch},
    time::Instant,
};

use crate::fault::Fault;

/// Grace period of running statements once the database is known to be unreachable.
const PATIENCE: Duration = Duration::from_secs(2);
/// Period in which the connections of a pool are suspect after one of them was given up.
const DISTRUST: Duration = Duration::from_secs(1);

/// Health shared by all connections; `api` monitors the database and reports here.
#[derive(Debug)]
pub struct Health {
    away: watch::Sender<bool>,
    writing: Mutex<Option<Fault>>,
    doubt: Notify,
}

impl Default for Health {
    fn default() -> Self {
        Self { away: watch::Sender::new(false), writing: Mutex::default(), doubt: Notify::new() }
    }
}

impl Health {
    /// True if the database is unreachable.
    pub fn is_away(&self) -> bool {
        *self.away.borrow()
    }

    /// Records the result of a check: true if the database answered.
    pub fn answers(&self, answers: bool) {
        self.away.send_if_modified(|away| std::mem::replace(away, !answers) == answers);
    }

    /// Last fault that prevented a write; `None` once a commit has succeeded.
    pub fn keeps_from_writing(&self) -> Option<Fault> {
        *self.writing.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Fault because of which nothing works, or only reading.
    pub fn fault(&self) -> Option<Fault> {
        if self.is_away() { Some(Fault::Away) } else { self.keeps_from_writing() }
    }

    /// Resolves when the state of the database should be checked.
    pub async fn doubted(&self) {
        self.doubt.notified().await;
    }

    /// Resolves at the deadline, or shortly after the database is known to be unreachable.
    pub(crate) async fn given_up(&self, until: Instant) {
        let mut away = self.away.subscribe();
        let gone = async {
            // The sender is part of `self`, so it outlives this.
            let _ = away.wait_for(|away| *away).await;
            tokio::time::sleep(PATIENCE).await;
        };
        tokio::select! {
            () = tokio::time::sleep_until(until) => {}
            () = gone => {}
        }
    }

    /// Records a fault that a statement has met.
    pub(crate) fn met(&self, fault: Fault) {
        if fault.keeps_from_writing() {
            *self.writing.lock().unwrap_or_else(PoisonError::into_inner) = Some(fault);
        }
        if fault == Fault::Away {
            self.doubt.notify_one();
        }
    }

    /// Records a confirmed commit, which clears a fault of the disk.
    pub(crate) fn written(&self) {
        let mut writing = self.writing.lock().unwrap_or_else(PoisonError::into_inner);
        if writing.take().is_some() {
            tracing::info!("the database can be written again");
        }
    }
}

/// Suspicion against the connections of a pool. Since it is unknown which connection was interrupted, none
/// that is returned to the pool is used again for a moment.
#[derive(Debug, Default)]
pub(crate) struct Distrust(Mutex<Option<Instant>>);

impl Distrust {
    /// Marks the pool as suspect: a statement was interrupted, or a transaction failed to begin or end.
    pub(crate) fn arise(&self) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(Instant::now() + DISTRUST);
    }

    pub(crate) fn is_there(&self) -> bool {
        let until = *self.0.lock().unwrap_or_else(PoisonError::into_inner);
        until.is_some_and(|until| Instant::now() < until)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_statement_is_given_up_at_its_time_or_soon_after_the_database_is_gone() {
        let health = Health::default();
        let began = Instant::now();
        health.given_up(began + Duration::from_secs(10)).await;
        assert_eq!(began.elapsed(), Duration::from_secs(10));

        let began = Instant::now();
        let gone = async {
            tokio::time::sleep(Duration::from_secs(1)).await;
            health.answers(false);
        };
        tokio::join!(health.given_up(began + Duration::from_secs(10)), gone);
        assert_eq!(began.elapsed(), Duration::from_secs(1) + PATIENCE);
    }

    #[tokio::test(start_paused = true)]
    async fn failures_and_successes_decide_if_the_database_can_be_written() {
        let health = Health::default();
        health.met(Fault::Busy);
        assert_eq!(health.fault(), None);
        health.met(Fault::DiskFull);
        assert_eq!(health.fault(), Some(Fault::DiskFull));
        health.answers(false);
        assert_eq!(health.fault(), Some(Fault::Away));
        health.answers(true);
        assert_eq!(health.fault(), Some(Fault::DiskFull));
        health.written();
        assert_eq!(health.fault(), None);
    }

    #[tokio::test(start_paused = true)]
    async fn distrust_passes() {
        let distrust = Distrust::default();
        assert!(!distrust.is_there());
        distrust.arise();
        assert!(distrust.is_there());
        tokio::time::advance(DISTRUST).await;
        assert!(!distrust.is_there());
    }
}
