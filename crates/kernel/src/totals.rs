//! Kept totals of lists: an exact count per request would cost far more than the page itself.
//!
//! A total of a large table may be stale for a hundred times as long as counting takes, ten seconds at the most, so
//! that counting never takes more than about one hundredth of the time. Small tables are counted each time.

use std::{
    collections::{HashMap, hash_map::RandomState},
    hash::BuildHasher,
    sync::{Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

/// Tables of up to so many rows are counted exactly, each time.
pub(crate) const COUNTED_EACH_TIME: u64 = 5_000;

const STALE_PER_COST: u32 = 100;
const STALE_AT_MOST: Duration = Duration::from_secs(10);
const KEPT_AT_MOST: usize = 2_000;
const TURNS: usize = 32;

#[derive(Debug, Default)]
pub(crate) struct Totals {
    kept: Mutex<HashMap<String, Kept>>,
    turns: [tokio::sync::Mutex<()>; TURNS],
    hasher: RandomState,
}

#[derive(Debug, Clone, Copy)]
struct Kept {
    total: u64,
    stale_at: Instant,
}

/// What is known of a total.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Known {
    Total(u64),
    /// The caller counts; meanwhile the others take the stale total.
    Stale,
    /// The caller counts in his turn.
    Nothing,
}

impl Totals {
    pub(crate) fn get(&self, query: &str) -> Known {
        let mut kept = self.lock();
        let Some(known) = kept.get_mut(query) else { return Known::Nothing };
        let now = Instant::now();
        if known.stale_at > now {
            return Known::Total(known.total);
        }
        // Should the caller give up, somebody else counts after that time.
        known.stale_at = now + STALE_AT_MOST;
        Known::Stale
    }

    /// One of many turns to count what nobody knows: those who ask for the same wait for the first.
    pub(crate) async fn turn(&self, query: &str) -> tokio::sync::MutexGuard<'_, ()> {
        let index = usize::try_from(self.hasher.hash_one(query) % TURNS as u64).unwrap_or_default();
        self.turns.get(index).expect("there are as many turns").lock().await
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
        kept.insert(query, Kept { total, stale_at });
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<String, Kept>> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_total_is_kept_in_proportion_to_its_cost_and_counted_by_one_at_a_time() {
        let totals = Totals::default();
        assert_eq!(totals.get("q"), Known::Nothing);
        totals.keep("q".into(), 7, Duration::from_secs(1));
        assert_eq!(totals.get("q"), Known::Total(7));

        totals.keep("q".into(), 8, Duration::ZERO);
        assert_eq!(totals.get("q"), Known::Stale, "the first to ask counts");
        assert_eq!(totals.get("q"), Known::Total(8), "the others do not wait");

        let first = totals.turn("q").await;
        let second = tokio::time::timeout(Duration::from_millis(10), totals.turn("q")).await;
        assert!(second.is_err(), "what nobody knows is counted once");
        drop(first);
        drop(totals.turn("q").await);
    }
}
