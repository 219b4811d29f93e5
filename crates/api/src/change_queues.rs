//! Order of changes of one record that have no version: each reads the record in the state that the previous
//! one left. Conflicts with other processes are retried.

use std::{
    collections::hash_map::RandomState,
    hash::{BuildHasher, Hash},
};

use tokio::sync::{Mutex, MutexGuard};

/// Number of queues; records share them, so that it stays constant.
const QUEUES: usize = 256;

#[derive(Debug)]
pub(crate) struct ChangeQueues {
    hasher: RandomState,
    queues: [Mutex<()>; QUEUES],
}

impl Default for ChangeQueues {
    fn default() -> Self {
        Self { hasher: RandomState::new(), queues: std::array::from_fn(|_| Mutex::default()) }
    }
}

impl ChangeQueues {
    /// Waits until earlier changes of the same record are done. The next one continues when the returned
    /// guard is dropped.
    pub(crate) async fn queue(&self, record: impl Hash) -> Option<MutexGuard<'_, ()>> {
        let index = usize::try_from(self.hasher.hash_one(record) % QUEUES as u64).ok()?;
        Some(self.queues.get(index)?.lock().await)
    }
}
