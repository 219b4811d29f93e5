//! Time slices of running imports while others wait.

use tokio::time::{Duration, Instant};

use super::{Runner, queue};
use crate::{import::Import, run::queue::Stop};

/// Minimum time before an import gives way to a tenant without a running import.
const SHORTEST: Duration = Duration::from_secs(5);
/// Number of slices after which an import gives way even if others could.
const OVERDUE: u32 = 6;

/// Time slice of an import.
#[derive(Debug)]
pub(super) struct TimeSlice {
    began: Instant,
    length: Duration,
}

impl TimeSlice {
    /// Begins with the first row that has not been applied. The slice is at least as long as it took to get
    /// there after the import was claimed, so that most of the time is spent on new rows.
    pub(super) fn since(claimed: Instant) -> Self {
        Self { began: Instant::now(), length: SHORTEST.max(claimed.elapsed()) }
    }
}

impl Runner<'_> {
    /// True if the process ends, or it is another tenant's turn.
    pub(super) async fn must_stop(&self, import: &Import, slice: &TimeSlice) -> Result<bool, Stop> {
        if self.ending.is_set() {
            return Ok(true);
        }
        let had = slice.began.elapsed();
        let is_overdue = had > slice.length * OVERDUE;
        Ok(had > slice.length && queue::must_give_way(self.db, import, is_overdue).await?)
    }
}
