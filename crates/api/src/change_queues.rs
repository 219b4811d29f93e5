//! The order in which changes of one record come that name no version: each reads the record as the one before has left it.
//! Other processes are met by another attempt.

use std::{
    collections::hash_map::RandomState,
    hash::{BuildHasher, Hash},
};

use tokio::sync::{Mutex, MutexGuard};

/// Records share queues, so that their number does not grow.
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
    /// Waits until those who came before for the same record are done. The next one's turn begins when the place is dropped.
    pub(crate) async fn queue(&self, record: impl Hash) -> Option<MutexGuard<'_, ()>> {
        let index = usize::try_from(self.hasher.hash_one(record) % QUEUES as u64).ok()?;
        Some(self.queues.get(index)?.lock().await)
    }
}
