//! How long an import keeps its place while others wait for one.

use tokio::time::{Duration, Instant};

use super::{Runner, queue};
use crate::{import::Import, run::queue::Stop};

/// What every import has before it gives way to a tenant of whom nothing is running.
const SHORTEST: Duration = Duration::from_secs(5);
/// After so many slices it gives way whoever else could.
const OVERDUE: u32 = 6;

/// The time that an import has its place for.
#[derive(Debug)]
pub(super) struct TimeSlice {
    began: Instant,
    length: Duration,
}

impl TimeSlice {
    /// Begins with the first row that has not been applied. It is not shorter than what it took to get there since the import
    /// was claimed: most of the time is spent on what is new.
    pub(super) fn since(claimed: Instant) -> Self {
        Self { began: Instant::now(), length: SHORTEST.max(claimed.elapsed()) }
    }
}

impl Runner<'_> {
    /// True if the process ends, or it is another tenant's turn.
    pub(super) async fn must_stop(&self, import: &Import, slice: &TimeSlice) -> Result<bool, Stop> {
        if self.ending.has_come() {
            return Ok(true);
        }
        let had = slice.began.elapsed();
        let is_overdue = had > slice.length * OVERDUE;
        Ok(had > slice.length && queue::must_give_way(self.db, import, is_overdue).await?)
    }
}
