//! Counters of panics in background work of this process.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, PoisonError},
};

/// Numbers of panics by the name of the queue or job. Cheap to clone.
#[derive(Debug, Clone, Default)]
pub struct Panics(Arc<Mutex<BTreeMap<&'static str, u64>>>);

impl Panics {
    pub(crate) fn count(&self, name: &'static str) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner).entry(name).or_default() += 1;
    }

    /// Returns the number of panics by job or queue.
    pub fn all(&self) -> BTreeMap<&'static str, u64> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}
