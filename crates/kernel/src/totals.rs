//! Kept totals of lists: an exact count per request would cost far more than the page itself.
//!
//! A total of a large table may be stale for a hundred times as long as counting takes, ten seconds at the most, so
//! that counting never takes more than about one hundredth of the time. Small tables are counted each time.

use std::{
    collections::HashMap,
    sync::{Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

/// Tables of up to so many rows are counted exactly, each time.
pub(crate) const COUNTED_EACH_TIME: u64 = 5_000;

const STALE_PER_COST: u32 = 100;
const STALE_AT_MOST: Duration = Duration::from_secs(10);
const KEPT_AT_MOST: usize = 2_000;

#[derive(Debug, Default)]
pub(crate) struct Totals {
    kept: Mutex<HashMap<String, Kept>>,
}

#[derive(Debug, Clone, Copy)]
struct Kept {
    total: u64,
    stale_at: Instant,
    /// Somebody counts again; meanwhile the others take the stale total.
    being_counted: bool,
}

impl Totals {
    /// The kept total of a query; `None` asks the caller to count and to [`Totals::keep`] the result.
    pub(crate) fn get(&self, query: &str) -> Option<u64> {
        let mut kept = self.lock();
        let known = kept.get_mut(query)?;
        if known.stale_at > Instant::now() || known.being_counted {
            return Some(known.total);
        }
        known.being_counted = true;
        None
    }

    pub(crate) fn keep(&self, query: String, total: u64, cost: Duration) {
        let now = Instant::now();
        let mut kept = self.lock();
        if kept.len() >= KEPT_AT_MOST {
            kept.retain(|_, known| known.stale_at > now);
        }
        if kept.len() >= KEPT_AT_MOST {
            kept.clear();
        }
        let stale_at = now + (cost * STALE_PER_COST).min(STALE_AT_MOST);
        kept.insert(query, Kept { total, stale_at, being_counted: false });
    }

    /// Counting failed: the next request counts.
    pub(crate) fn forget(&self, query: &str) {
        self.lock().remove(query);
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<String, Kept>> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_total_is_kept_in_proportion_to_its_cost_and_counted_by_one_at_a_time() {
        let totals = Totals::default();
        assert_eq!(totals.get("q"), None);
        totals.keep("q".into(), 7, Duration::from_secs(1));
        assert_eq!(totals.get("q"), Some(7));

        totals.keep("q".into(), 8, Duration::ZERO);
        assert_eq!(totals.get("q"), None, "stale: the first to ask counts");
        assert_eq!(totals.get("q"), Some(8), "the others do not wait");
        totals.forget("q");
        assert_eq!(totals.get("q"), None);
    }
}
