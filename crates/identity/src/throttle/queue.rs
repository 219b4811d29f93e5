//! Queues of sign-ins that wait for the results of others. In each process only one attempt per queue polls
//! for admission, so that many waiting ones cost the database no more than one.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError, Weak},
};

use tokio::sync::OwnedMutexGuard;

type Lock = tokio::sync::Mutex<()>;

/// Queues by source, one for each that has pending attempts; cheap to clone.
#[derive(Debug, Clone, Default)]
pub(crate) struct Queues {
    locks: Arc<Mutex<HashMap<String, Weak<Lock>>>>,
}

impl Queues {
    /// Waits until the caller is first in the queue of `source`. First come, first served.
    pub(super) async fn enter(&self, source: String) -> FirstPlace {
        let lock = self.lock(&source);
        FirstPlace { source, _first: lock.lock_owned().await }
    }

    fn lock(&self, source: &str) -> Arc<Lock> {
        let mut locks = self.locks.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(lock) = locks.get(source).and_then(Weak::upgrade) {
            return lock;
        }
        locks.retain(|_, lock| lock.strong_count() > 0);
        let lock = Arc::new(Lock::default());
        locks.insert(source.to_owned(), Arc::downgrade(&lock));
        lock
    }
}

/// First position in a queue, until it is dropped.
#[derive(Debug)]
pub(super) struct FirstPlace {
    source: String,
    _first: OwnedMutexGuard<()>,
}

impl FirstPlace {
    pub(super) fn source(&self) -> &str {
        &self.source
    }
}
