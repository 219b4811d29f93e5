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
const TOTALS_AT_MOST: usize = 2_000;
const COUNTING_LOCKS: usize = 32;

/// Cached totals of lists.
#[derive(Debug)]
pub struct Totals {
    /// Totals by list; the least recently used are dropped first.
    cache: Mutex<LruCache<ListKey, StoredTotal>>,
    counting_locks: [tokio::sync::Mutex<()>; COUNTING_LOCKS],
    hasher: RandomState,
}

#[derive(Debug, Clone, Copy)]
struct StoredTotal {
    total: u64,
    stale_at: Instant,
}

/// Result of a look-up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CachedTotal {
    Fresh(u64),
    /// Expired: the caller counts, and meanwhile the others use the stale total.
    Stale,
    /// Missing in the cache: the caller waits for [`Totals::counting_lock`] and counts.
    Missing,
}

impl Default for Totals {
    fn default() -> Self {
        let cache = Mutex::new(LruCache::new(TOTALS_AT_MOST));
        Self { cache, counting_locks: Default::default(), hasher: RandomState::default() }
    }
}

impl Totals {
    /// Looks up a total; the first caller that finds an expired one has to count.
    pub fn get(&self, list: &ListKey) -> CachedTotal {
        let mut totals = self.lock();
        let Some(entry) = totals.get_mut(list) else { return CachedTotal::Missing };
        let now = Instant::now();
        if entry.stale_at > now {
            return CachedTotal::Fresh(entry.total);
        }
        // If the caller gives up, another one counts after that time.
        entry.stale_at = now + STALE_AT_MOST;
        CachedTotal::Stale
    }

    /// True if a total is cached, stale or not.
    pub fn has(&self, list: &ListKey) -> bool {
        self.lock().peek(list).is_some()
    }

    /// Lock for counting a list without a total, so that requests for the same list wait for the first of
    /// them. One of a fixed number of locks, chosen by hash.
    pub async fn counting_lock(&self, list: &ListKey) -> tokio::sync::MutexGuard<'_, ()> {
        let index = usize::try_from(self.hasher.hash_one(list) % COUNTING_LOCKS as u64).unwrap_or_default();
        self.counting_locks.get(index).expect("there are as many locks").lock().await
    }

    /// Stores a total, and for how long it is fresh: the longer, the more counting cost.
    pub fn store(&self, list: ListKey, total: u64, cost: Duration) {
        let stale_at = Instant::now() + (cost * STALE_PER_COST).min(STALE_AT_MOST);
        self.lock().insert(list, StoredTotal { total, stale_at });
    }

    /// Removes a total.
    pub fn forget(&self, list: &ListKey) {
        self.lock().remove(list);
    }

    fn lock(&self) -> MutexGuard<'_, LruCache<ListKey, StoredTotal>> {
        self.cache.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(query: &str) -> ListKey {
        ListKey { table: "note", tenant: None, query: query.to_owned() }
    }

    #[tokio::test]
    async fn a_total_is_cached_in_proportion_to_its_cost_and_counted_once_at_a_time() {
        let (totals, list) = (Totals::default(), list("q"));
        assert_eq!(totals.get(&list), CachedTotal::Missing);
        totals.store(list.clone(), 7, Duration::from_secs(1));
        assert_eq!(totals.get(&list), CachedTotal::Fresh(7));

        totals.store(list.clone(), 8, Duration::ZERO);
        assert_eq!(totals.get(&list), CachedTotal::Stale, "the first caller counts");
        assert_eq!(totals.get(&list), CachedTotal::Fresh(8), "the others do not wait");

        let first = totals.counting_lock(&list).await;
        let second = tokio::time::timeout(Duration::from_millis(10), totals.counting_lock(&list)).await;
        assert!(second.is_err(), "an unknown total is counted once");
        drop(first);
        drop(totals.counting_lock(&list).await);
    }

    #[test]
    fn the_least_recently_used_total_is_evicted() {
        let totals = Totals::default();
        for number in 0..TOTALS_AT_MOST {
            totals.store(list(&number.to_string()), 1, Duration::from_secs(1));
        }
        assert_eq!(totals.get(&list("0")), CachedTotal::Fresh(1));
        totals.store(list("new"), 1, Duration::from_secs(1));
        assert!(totals.has(&list("0")) && totals.has(&list("new")) && totals.has(&list("2")));
        assert!(!totals.has(&list("1")), "the least recently used");
        totals.forget(&list("0"));
        assert!(!totals.has(&list("0")));
    }
}
