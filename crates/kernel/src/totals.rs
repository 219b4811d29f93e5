//! Cached totals of lists: an exact count for each request would cost far more than the page itself.
//!
//! A total of a large table may be stale for a hundred times as long as counting takes, ten seconds at most,
//! so that counting never takes more than about one hundredth of the time. Small tables are counted each time
//! and not cached.

use std::{
    collections::hash_map::RandomState,
    hash::BuildHasher,
    sync::{Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use hashlink::LruCache;

use crate::list_key::ListKey;

const STALE_PER_COST: u32 = 100;
const STALE_AT_MOST: Duration = Duration::from_secs(10);
const KEPT_AT_MOST: usize = 2_000;
const TURNS: usize = 32;

#[derive(Debug)]
pub(crate) struct Totals {
    /// Totals by list; the least recently used are dropped first.
    kept: Mutex<LruCache<ListKey, Kept>>,
    turns: [tokio::sync::Mutex<()>; TURNS],
    hasher: RandomState,
}

#[derive(Debug, Clone, Copy)]
struct Kept {
    total: u64,
    stale_at: Instant,
}

/// Result of a look-up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Known {
    Total(u64),
    /// Expired: the caller counts, and meanwhile the others use the stale total.
    Stale,
    /// Missing: the caller waits for [`Totals::turn`] and counts.
    Nothing,
}

impl Default for Totals {
    fn default() -> Self {
        let kept = Mutex::new(LruCache::new(KEPT_AT_MOST));
        Self { kept, turns: Default::default(), hasher: RandomState::default() }
    }
}

impl Totals {
    pub(crate) fn get(&self, list: &ListKey) -> Known {
        let mut kept = self.lock();
        let Some(known) = kept.get_mut(list) else { return Known::Nothing };
        let now = Instant::now();
        if known.stale_at > now {
            return Known::Total(known.total);
        }
        // If the caller gives up, another one counts after that time.
        known.stale_at = now + STALE_AT_MOST;
        Known::Stale
    }

    /// True if a total is cached, stale or not.
    pub(crate) fn has(&self, list: &ListKey) -> bool {
        self.lock().peek(list).is_some()
    }

    /// Lock for counting a list without a total, so that requests for the same list wait for the first of
    /// them. One of a fixed number of locks, chosen by hash.
    pub(crate) async fn turn(&self, list: &ListKey) -> tokio::sync::MutexGuard<'_, ()> {
        let index = usize::try_from(self.hasher.hash_one(list) % TURNS as u64).unwrap_or_default();
        self.turns.get(index).expect("there are as many turns").lock().await
    }

    pub(crate) fn keep(&self, list: ListKey, total: u64, cost: Duration) {
        let stale_at = Instant::now() + (cost * STALE_PER_COST).min(STALE_AT_MOST);
        self.lock().insert(list, Kept { total, stale_at });
    }

    pub(crate) fn forget(&self, list: &ListKey) {
        self.lock().remove(list);
    }

    fn lock(&self) -> MutexGuard<'_, LruCache<ListKey, Kept>> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(query: &str) -> ListKey {
        ListKey { table: "note", tenant: None, query: query.to_owned() }
    }

    #[tokio::test]
    async fn a_total_is_kept_in_proportion_to_its_cost_and_counted_by_one_at_a_time() {
        let (totals, list) = (Totals::default(), list("q"));
        assert_eq!(totals.get(&list), Known::Nothing);
        totals.keep(list.clone(), 7, Duration::from_secs(1));
        assert_eq!(totals.get(&list), Known::Total(7));

        totals.keep(list.clone(), 8, Duration::ZERO);
        assert_eq!(totals.get(&list), Known::Stale, "the first to ask counts");
        assert_eq!(totals.get(&list), Known::Total(8), "the others do not wait");

        let first = totals.turn(&list).await;
        let second = tokio::time::timeout(Duration::from_millis(10), totals.turn(&list)).await;
        assert!(second.is_err(), "an unknown total is counted once");
        drop(first);
        drop(totals.turn(&list).await);
    }

    #[test]
    fn the_least_recently_used_make_room() {
        let totals = Totals::default();
        for number in 0..KEPT_AT_MOST {
            totals.keep(list(&number.to_string()), 1, Duration::from_secs(1));
        }
        assert_eq!(totals.get(&list("0")), Known::Total(1));
        totals.keep(list("new"), 1, Duration::from_secs(1));
        assert!(totals.has(&list("0")) && totals.has(&list("new")) && totals.has(&list("2")));
        assert!(!totals.has(&list("1")), "was used longest ago");
        totals.forget(&list("0"));
        assert!(!totals.has(&list("0")));
    }
}
