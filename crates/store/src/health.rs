//! Health of the database: is it reachable, and can it be written?

use std::{
    sync::{Mutex, PoisonError},
    time::Duration,
};

use tokio::{
    sync::{Notify, watch},
    time::Instant,
};
use values::fault::Fault;

/// Grace period of running statements once the database is known to be unreachable.
const PATIENCE: Duration = Duration::from_secs(2);
/// Period in which the connections of a pool are suspect after one of them was given up.
const SUSPECT_FOR: Duration = Duration::from_secs(1);

/// Health shared by all connections; `api` monitors the database and reports here.
#[derive(Debug)]
pub struct Health {
    away: watch::Sender<bool>,
    write_fault: Mutex<Option<Fault>>,
    check: Notify,
}

impl Default for Health {
    fn default() -> Self {
        Self { away: watch::Sender::new(false), write_fault: Mutex::default(), check: Notify::new() }
    }
}

impl Health {
    /// True if the database is unreachable.
    pub fn is_away(&self) -> bool {
        *self.away.borrow()
    }

    /// Records the result of a check: true if the database answered.
    pub fn set_reachable(&self, is_reachable: bool) {
        self.away.send_if_modified(|away| std::mem::replace(away, !is_reachable) == is_reachable);
    }

    /// Last fault that prevented a write; `None` once a commit has succeeded.
    pub fn write_fault(&self) -> Option<Fault> {
        *self.write_fault.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Fault because of which nothing works, or only reading.
    pub fn fault(&self) -> Option<Fault> {
        if self.is_away() { Some(Fault::Away) } else { self.write_fault() }
    }

    /// Resolves when the state of the database should be checked.
    pub async fn check_requested(&self) {
        self.check.notified().await;
    }

    /// Resolves at the deadline, or shortly after the database is known to be unreachable.
    pub(crate) async fn timed_out(&self, until: Instant) {
        let mut away = self.away.subscribe();
        let unreachable = async {
            // The sender is part of `self`, so it outlives this.
            let _ = away.wait_for(|away| *away).await;
            tokio::time::sleep(PATIENCE).await;
        };
        tokio::select! {
            () = tokio::time::sleep_until(until) => {}
            () = unreachable => {}
        }
    }

    /// Records a fault that a statement has met.
    pub(crate) fn record_fault(&self, fault: Fault) {
        if fault.keeps_from_writing() {
            *self.write_fault.lock().unwrap_or_else(PoisonError::into_inner) = Some(fault);
        }
        if fault == Fault::Away {
            self.check.notify_one();
        }
    }

    /// Records a confirmed commit, which clears a fault of the disk.
    pub(crate) fn record_commit(&self) {
        let mut fault = self.write_fault.lock().unwrap_or_else(PoisonError::into_inner);
        if fault.take().is_some() {
            tracing::info!("the database can be written again");
        }
    }
}

/// Suspicion against the connections of a pool. Since it is unknown which connection was interrupted, none
/// that is returned to the pool is used again for a moment.
#[derive(Debug, Default)]
pub(crate) struct Suspicion(Mutex<Option<Instant>>);

impl Suspicion {
    /// Marks the pool as suspect: a statement was interrupted, or a transaction failed to begin or end.
    pub(crate) fn mark_suspect(&self) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(Instant::now() + SUSPECT_FOR);
    }

    pub(crate) fn is_suspect(&self) -> bool {
        let until = *self.0.lock().unwrap_or_else(PoisonError::into_inner);
        until.is_some_and(|until| Instant::now() < until)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_statement_times_out_earlier_if_the_database_is_unreachable() {
        let health = Health::default();
        let began = Instant::now();
        health.timed_out(began + Duration::from_secs(10)).await;
        assert_eq!(began.elapsed(), Duration::from_secs(10));

        let began = Instant::now();
        let fail_later = async {
            tokio::time::sleep(Duration::from_secs(1)).await;
            health.set_reachable(false);
        };
        tokio::join!(health.timed_out(began + Duration::from_secs(10)), fail_later);
        assert_eq!(began.elapsed(), Duration::from_secs(1) + PATIENCE);
    }

    #[tokio::test(start_paused = true)]
    async fn faults_and_commits_determine_the_health_of_the_database() {
        let health = Health::default();
        health.record_fault(Fault::Busy);
        assert_eq!(health.fault(), None);
        health.record_fault(Fault::DiskFull);
        assert_eq!(health.fault(), Some(Fault::DiskFull));
        health.set_reachable(false);
        assert_eq!(health.fault(), Some(Fault::Away));
        health.set_reachable(true);
        assert_eq!(health.fault(), Some(Fault::DiskFull));
        health.record_commit();
        assert_eq!(health.fault(), None);
    }

    #[tokio::test(start_paused = true)]
    async fn suspicion_expires() {
        let suspicion = Suspicion::default();
        assert!(!suspicion.is_suspect());
        suspicion.mark_suspect();
        assert!(suspicion.is_suspect());
        tokio::time::advance(SUSPECT_FOR).await;
        assert!(!suspicion.is_suspect());
    }
}
