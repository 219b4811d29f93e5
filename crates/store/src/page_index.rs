//! Page indexes: the row at each position of a list, so that any page is found directly.
//!
//! A dense index contains the ids of all rows in order. A sparse one contains the sorted value and the id of
//! every n-th row; it is used if nearly all rows of a table match, or more than fit into memory.
//!
//! An index is built when a list is slow and requested again, in the background and one at a time, so that
//! building takes at most one processor from requests. While it is unknown if a page is quick, its readers
//! wait for one another: the first one finds out, and a slow page does not become slower because many request
//! it. An index is outdated by the next write that may change its list ([`crate::writes`]). Where other
//! processes write too (PostgreSQL), they report their writes within a second, and no index is older than ten
//! seconds.

use std::{
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use hashlink::LruCache;
use sea_orm::Value;
use tokio::sync::OwnedMutexGuard;

use crate::{
    list_key::ListKey,
    writes::{CommitNumber, Writes},
};

/// Rows of the table between two entries of a sparse index.
const APART: u64 = 128;
/// Maximum number of unmatched rows for a sparse index, since all of them may be between two entries.
const UNMATCHED_AT_MOST: u64 = 2_000;
/// Maximum number of rows of a dense index.
const DENSE_AT_MOST: u64 = 1_000_000;
/// Duration above which reading a page is slow.
const SLOW: Duration = Duration::from_millis(3);
/// Time after which a build counts as given up, and after which a list that is not requested again needs no
/// index.
const PATIENCE: Duration = Duration::from_secs(10);
/// Maximum size of all indexes together, in bytes.
const BYTES_AT_MOST: usize = 32 << 20;
/// Maximum number of lists with an entry here.
const LISTS_AT_MOST: usize = 2_000;

/// Positions of the rows of a list, in ascending order.
#[derive(Debug)]
pub enum PageIndex {
    Dense(Ids),
    Sparse {
        every: u64,
        entries: Vec<IndexEntry>,
        /// Rows without a value, which come before the first entry.
        empty: u64,
        total: u64,
    },
    /// Number of rows for each referenced row in the sort order, and for no reference.
    Grouped(Vec<Group>),
}

/// Rows of a list that refer to the same row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Group {
    pub id: Option<i64>,
    pub rows: u64,
}

/// Sorted value and id of a row.
#[derive(Debug, Clone, PartialEq)]
pub struct IndexEntry {
    pub value: Value,
    pub id: i64,
}

/// Ids in any order: as distances from the smallest one, if these fit into four bytes.
#[derive(Debug)]
pub enum Ids {
    Near { smallest: i64, distances: Box<[u32]> },
    Far(Box<[i64]>),
}

/// Interval of entries in the index of a list with `total` of the `table` rows of its table; 1 is a dense
/// index.
pub fn entry_every(total: u64, table: u64) -> u64 {
    let unmatched = table.saturating_sub(total);
    if unmatched > UNMATCHED_AT_MOST && total <= DENSE_AT_MOST {
        1
    } else {
        (APART * total / table.max(1)).clamp(2, APART)
    }
}

impl From<Vec<i64>> for Ids {
    fn from(ids: Vec<i64>) -> Self {
        let smallest = ids.iter().copied().min().unwrap_or_default();
        let distance = |id: &i64| u32::try_from(id.checked_sub(smallest)?).ok();
        match ids.iter().map(distance).collect::<Option<Box<[u32]>>>() {
            Some(distances) => Self::Near { smallest, distances },
            None => Self::Far(ids.into()),
        }
    }
}

impl Ids {
    fn len(&self) -> usize {
        match self {
            Self::Near { distances, .. } => distances.len(),
            Self::Far(ids) => ids.len(),
        }
    }

    fn bytes(&self) -> usize {
        match self {
            Self::Near { distances, .. } => size_of_val::<[u32]>(distances),
            Self::Far(ids) => size_of_val::<[i64]>(ids),
        }
    }

    fn window(&self, from: usize, size: usize) -> Vec<i64> {
        match self {
            Self::Near { smallest, distances } => {
                let window = distances.iter().skip(from).take(size);
                window.map(|distance| smallest + i64::from(*distance)).collect()
            }
            Self::Far(ids) => ids.iter().skip(from).take(size).copied().collect(),
        }
    }
}

impl PageIndex {
    /// Number of rows of the list.
    pub fn total(&self) -> u64 {
        match self {
            Self::Dense(ids) => ids.len() as u64,
            Self::Sparse { total, .. } => *total,
            Self::Grouped(groups) => groups.iter().map(|group| group.rows).sum(),
        }
    }

    /// Returns the ids of `size` rows starting at `row`, counted from 0, or `None` if the index is not dense.
    pub fn ids(&self, row: u64, size: u64) -> Option<Vec<i64>> {
        let Self::Dense(ids) = self else { return None };
        Some(ids.window(usize::try_from(row).ok()?, usize::try_from(size).ok()?))
    }

    /// Last entry at or before this row, and the distance of the row from it. `None` if there is no such
    /// entry.
    pub fn entry_before(&self, row: u64) -> Option<(&IndexEntry, u64)> {
        let Self::Sparse { every, entries, empty, .. } = self else { return None };
        let row = row.checked_sub(*empty)?;
        let entry = entries.get(usize::try_from(row / every).ok()?)?;
        Some((entry, row % every))
    }

    fn bytes(&self) -> usize {
        match self {
            Self::Dense(ids) => ids.bytes(),
            // including an estimate for texts
            Self::Sparse { entries, .. } => entries.len() * (size_of::<IndexEntry>() + 64),
            Self::Grouped(groups) => size_of_val::<[Group]>(groups),
        }
    }
}

/// Page indexes of this process, and its experience with lists that have none.
#[derive(Debug)]
pub struct PageIndexes {
    lists: Mutex<Lists>,
    writes: Arc<Writes>,
    lifetime: Duration,
}

#[derive(Debug)]
struct Lists {
    /// Entries by list; the least recently used are dropped first.
    entries: LruCache<ListKey, ListEntry>,
    /// Time until which another request is assumed to be building an index.
    building_until: Option<Instant>,
}

/// Index of a list, or the experience with reading its pages.
#[derive(Debug)]
struct ListEntry {
    until: Instant,
    /// Distance from the nearer end below which pages are quick.
    quick_within: u64,
    was_slow: bool,
    /// Lock of the one request that reads a page that may be slow.
    reading: Arc<tokio::sync::Mutex<()>>,
    index: Option<(CommitNumber, Arc<PageIndex>)>,
}

impl ListEntry {
    fn new() -> Self {
        Self {
            until: Instant::now() + PATIENCE,
            quick_within: 0,
            was_slow: false,
            reading: Arc::default(),
            index: None,
        }
    }

    fn bytes(&self) -> usize {
        self.index.as_ref().map_or(0, |(_, index)| index.bytes())
    }
}

/// Look-up of an index for a page, alive until the page is read.
#[derive(Debug)]
pub struct Lookup {
    pub index: Option<Arc<PageIndex>>,
    list: Option<ListKey>,
    distance: u64,
    started: Instant,
    /// Lock while a page is read that may be slow.
    _reading: Option<OwnedMutexGuard<()>>,
}

impl PageIndexes {
    /// Creates an empty store. `alone` is true if no other process writes to the database.
    pub fn new(writes: Arc<Writes>, alone: bool) -> Self {
        let lifetime = Duration::from_secs(if alone { 600 } else { 10 });
        let lists = Lists { entries: LruCache::new(LISTS_AT_MOST), building_until: None };
        Self { lists: Mutex::new(lists), writes, lifetime }
    }

    /// Commits that invalidate the indexes.
    pub fn writes(&self) -> &Arc<Writes> {
        &self.writes
    }

    /// Looks up the index of a list for a page at a `distance` from the nearer end; `None` is a list that
    /// needs no index. If there is no index and the page is not known to be quick, waits for other readers of
    /// such pages.
    pub async fn look_up(&self, list: Option<ListKey>, distance: u64) -> Lookup {
        let mut index = list.as_ref().and_then(|list| self.current(list));
        let mut lock = None;
        if let Some(list) = &list
            && index.is_none()
            && let Some(reading) = self.reading(list, distance)
        {
            lock = Some(reading.lock_owned().await);
            index = self.current(list);
        }
        Lookup { index, list, distance, started: Instant::now(), _reading: lock }
    }

    /// Reports that the page was read. Returns true if the caller should build an index of its list.
    pub fn finish_read(&self, lookup: &Lookup) -> bool {
        match &lookup.list {
            Some(list) if lookup.index.is_none() => {
                self.record_duration(list, lookup.distance, lookup.started.elapsed())
            }
            _ => false,
        }
    }

    fn current(&self, list: &ListKey) -> Option<Arc<PageIndex>> {
        let last_change = self.writes.last_change(list);
        let mut lists = self.lock();
        let entry = lists.entries.get(list).filter(|entry| entry.until > Instant::now())?;
        let (read_at, index) = entry.index.as_ref()?;
        (*read_at >= last_change).then(|| index.clone())
    }

    fn reading(&self, list: &ListKey, distance: u64) -> Option<Arc<tokio::sync::Mutex<()>>> {
        let mut lists = self.lock();
        let entry = lists.entry(list);
        (distance >= entry.quick_within).then(|| entry.reading.clone())
    }

    /// Records the time that reading a page without an index took. Returns true if the caller should build
    /// one: if reading was slow, not for the first time, and no index is being built.
    fn record_duration(&self, list: &ListKey, distance: u64, took: Duration) -> bool {
        let built = self.current(list).is_some();
        let now = Instant::now();
        let mut lists = self.lock();
        let busy = lists.building_until.is_some_and(|until| until > now);
        let entry = lists.entry(list);
        if took <= SLOW {
            entry.quick_within = entry.quick_within.max(distance + 1);
            return false;
        }
        entry.quick_within = entry.quick_within.min(distance);
        if busy || built {
            return false;
        }
        entry.until = now + PATIENCE;
        let again = std::mem::replace(&mut entry.was_slow, true);
        if again {
            lists.building_until = Some(now + PATIENCE);
        }
        again
    }

    /// Stores an index of rows that were read after a commit.
    pub fn store(&self, list: ListKey, read_at: CommitNumber, index: PageIndex) {
        let mut lists = self.lock();
        if !matches!(index, PageIndex::Grouped(_)) {
            lists.building_until = None;
        }
        let bytes = index.bytes() + list.bytes();
        if bytes > BYTES_AT_MOST {
            return;
        }
        let entry = lists.entry(&list);
        if entry.index.as_ref().is_some_and(|(newer, _)| *newer > read_at) {
            return;
        }
        entry.index = None;
        lists.make_room(bytes);
        let entry = lists.entry(&list);
        entry.until = Instant::now() + self.lifetime;
        entry.was_slow = true;
        entry.index = Some((read_at, Arc::new(index)));
    }

    fn lock(&self) -> MutexGuard<'_, Lists> {
        self.lists.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Lists {
    /// Returns the entry of a list, or a new one if it has none or an expired one.
    fn entry(&mut self, list: &ListKey) -> &mut ListEntry {
        if self.entries.peek(list).is_none_or(|entry| entry.until <= Instant::now()) {
            self.entries.insert(list.clone(), ListEntry::new());
        }
        self.entries.get_mut(list).expect("it was just put there")
    }

    /// Drops indexes, the least recently used first, until there is room for `bytes`.
    fn make_room(&mut self, bytes: usize) {
        let mut bytes_used: usize =
            self.entries.iter().map(|(list, entry)| list.bytes() + entry.bytes()).sum();
        while bytes_used + bytes > BYTES_AT_MOST
            && let Some((list, entry)) = self.entries.remove_lru()
        {
            bytes_used -= list.bytes() + entry.bytes();
        }
    }
}

#[cfg(test)]
mod tests;
