//! What is known of the database: whether it answers, and whether it can write.

use std::{
    sync::{Mutex, PoisonError},
    time::Duration,
};

use tokio::{
    sync::{Notify, watch},
    time::Instant,
};

use crate::fault::Fault;

/// How long a statement that was under way is waited for once the database is known to be away.
const PATIENCE: Duration = Duration::from_secs(2);
/// How long the connections of a pool are not trusted after one of them had to be given up.
const DISTRUST: Duration = Duration::from_secs(1);

/// Shared by all connections; `api` watches the database and says here what it sees.
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
    /// Whether the database does not answer.
    pub fn is_away(&self) -> bool {
        *self.away.borrow()
    }

    /// Whether it does, as somebody who has asked it saw.
    pub fn answers(&self, answers: bool) {
        self.away.send_if_modified(|away| std::mem::replace(away, !answers) == answers);
    }

    /// Why nothing can be written, as far as one knows.
    pub fn keeps_from_writing(&self) -> Option<Fault> {
        *self.writing.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Why nothing can be done, or not everything.
    pub fn fault(&self) -> Option<Fault> {
        if self.is_away() { Some(Fault::Away) } else { self.keeps_from_writing() }
    }

    /// Resolves when there is reason to ask how the database is.
    pub async fn doubted(&self) {
        self.doubt.notified().await;
    }

    /// Resolves at the time, but soon after the database is known to be away.
    pub(crate) async fn given_up(&self, until: Instant) {
        let mut away = self.away.subscribe();
        let gone = async {
            // The sender lives as long as this.
            let _ = away.wait_for(|away| *away).await;
            tokio::time::sleep(PATIENCE).await;
        };
        tokio::select! {
            () = tokio::time::sleep_until(until) => {}
            () = gone => {}
        }
    }

    /// What the end of a statement says of the database.
    pub(crate) fn met(&self, fault: Fault) {
        if fault.keeps_from_writing() {
            *self.writing.lock().unwrap_or_else(PoisonError::into_inner) = Some(fault);
        }
        if fault == Fault::Away {
            self.doubt.notify_one();
        }
    }

    /// A commit was confirmed.
    pub(crate) fn written(&self) {
        let mut writing = self.writing.lock().unwrap_or_else(PoisonError::into_inner);
        if writing.take().is_some() {
            tracing::info!("the database can be written again");
        }
    }
}

/// Whether the connections of a pool may be used again. Which of them was left in the middle of something is not known
/// here, so that for a moment none is that comes back.
#[derive(Debug, Default)]
pub(crate) struct Distrust(Mutex<Option<Instant>>);

impl Distrust {
    /// A connection was left in the middle of a statement, or has failed to begin or to end a transaction.
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
    async fn what_fails_and_what_succeeds_says_whether_one_can_write() {
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
