//! Figures of the cached books of a process, for monitoring.

use std::{
    sync::{Mutex, PoisonError},
    time::Duration,
};

/// Origin of a requested book.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BookOrigin {
    /// The cached book was up to date.
    Cached,
    /// Changed articles and rules were read into the cached book.
    Updated,
    /// All stocks or lists were read.
    Compiled,
}

impl BookOrigin {
    pub const ALL: [Self; 3] = [Self::Cached, Self::Updated, Self::Compiled];

    /// Name of the origin in the metrics.
    pub fn name(self) -> &'static str {
        match self {
            Self::Cached => "cached",
            Self::Updated => "updated",
            Self::Compiled => "compiled",
        }
    }
}

/// Number of requested books of one origin, and the time that compiling them took.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct BookCount {
    pub books: u64,
    pub took: Duration,
}

/// Cached books at a moment, and the requests until then.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BookFigures {
    pub books: usize,
    pub bytes: usize,
    pub bytes_max: usize,
    /// Counts in the order of [`BookOrigin::ALL`].
    pub counts: [BookCount; BookOrigin::ALL.len()],
}

#[derive(Debug, Default)]
pub(super) struct BookCounts(Mutex<[BookCount; BookOrigin::ALL.len()]>);

impl BookCounts {
    pub(super) fn add(&self, origin: BookOrigin, took: Duration) {
        let mut counts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = counts.get_mut(origin as usize) {
            count.books += 1;
            count.took += took;
        }
    }

    pub(super) fn all(&self) -> [BookCount; BookOrigin::ALL.len()] {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
