//! Page indexes: which row of a list stands where, so that each page is found directly, wherever it lies.
//!
//! A dense index holds the ids of all rows in their order. A sparse one holds the sorted value and the id of every so
//! many-th row; it serves where nearly all rows of a table match, or more than can be held.
//!
//! They are built where a list is slow and asked for again, in the background and one at a time, so that they never take
//! more than one processor from those who wait. As long as nobody knows a page to be quick, those who ask for it wait for
//! one another: the first finds that out, and what is slow is not slower still because many want it. An index is out of
//! date with the next write that may change its list ([`crate::writes`]). Where other processes write too (PostgreSQL),
//! they say so within a second, and no index is older than ten seconds.

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

/// Between two entries of a sparse index lie so many rows of the table.
const APART: u64 = 128;
/// Where more rows than this do not match, they may all lie between two entries.
const UNMATCHED_AT_MOST: u64 = 2_000;
/// A dense index has no more rows.
const DENSE_AT_MOST: u64 = 1_000_000;
/// What takes longer is slow.
const SLOW: Duration = Duration::from_millis(3);
/// Whoever has not built an index by then has given up; and what is not asked for again within that time needs none.
const PATIENCE: Duration = Duration::from_secs(10);
/// All indexes together, in bytes.
const BYTES_AT_MOST: usize = 32 << 20;
/// Lists of which anything is known.
const LISTS_AT_MOST: usize = 2_000;

/// Which row stands where in a list, in ascending order.
#[derive(Debug)]
pub(crate) enum PageIndex {
    Dense(Ids),
    Sparse {
        every: u64,
        entries: Vec<IndexEntry>,
        /// Rows without a value, which come before the first entry.
        empty: u64,
        total: u64,
    },
    /// How many rows refer to each of the rows that the list is sorted by, and to none.
    Grouped(Vec<Group>),
}

/// The rows of a list that refer to the same row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Group {
    pub(crate) id: Option<i64>,
    pub(crate) rows: u64,
}

/// The sorted value and the id of a row.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct IndexEntry {
    pub(crate) value: Value,
    pub(crate) id: i64,
}

/// Ids in any order: as distances from the smallest one, where these fit into four bytes.
#[derive(Debug)]
pub(crate) enum Ids {
    Near { smallest: i64, distances: Box<[u32]> },
    Far(Box<[i64]>),
}

/// At every how many rows a list gets an entry, of which so many rows of a table match: 1 is a dense index.
pub(crate) fn entry_every(total: u64, table: u64) -> u64 {
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
    pub(crate) fn total(&self) -> u64 {
        match self {
            Self::Dense(ids) => ids.len() as u64,
            Self::Sparse { total, .. } => *total,
            Self::Grouped(groups) => groups.iter().map(|group| group.rows).sum(),
        }
    }

    /// The ids of so many rows from this one on, counted from 0. `None` where not all are known.
    pub(crate) fn ids(&self, row: u64, size: u64) -> Option<Vec<i64>> {
        let Self::Dense(ids) = self else { return None };
        Some(ids.window(usize::try_from(row).ok()?, usize::try_from(size).ok()?))
    }

    /// The last entry at or before this row, and how many rows further on it stands. `None` where there is none.
    pub(crate) fn entry_before(&self, row: u64) -> Option<(&IndexEntry, u64)> {
        let Self::Sparse { every, entries, empty, .. } = self else { return None };
        let row = row.checked_sub(*empty)?;
        let entry = entries.get(usize::try_from(row / every).ok()?)?;
        Some((entry, row % every))
    }

    fn bytes(&self) -> usize {
        match self {
            Self::Dense(ids) => ids.bytes(),
            // with what a text takes
            Self::Sparse { entries, .. } => entries.len() * (size_of::<IndexEntry>() + 64),
            Self::Grouped(groups) => size_of_val::<[Group]>(groups),
        }
    }
}

/// The page indexes of this process, and what it has learned about lists that have none.
#[derive(Debug)]
pub(crate) struct PageIndexes {
    lists: Mutex<Lists>,
    writes: Arc<Writes>,
    kept: Duration,
}

#[derive(Debug)]
struct Lists {
    /// The least recently used go first.
    known: LruCache<ListKey, Known>,
    /// Until then somebody builds an index.
    building_until: Option<Instant>,
}

/// What is known of a list.
#[derive(Debug)]
struct Known {
    until: Instant,
    /// Pages that begin nearer to an end than this are quick.
    quick_within: u64,
    was_slow: bool,
    /// Held by whoever reads a page that nobody knows to be quick.
    reading: Arc<tokio::sync::Mutex<()>>,
    index: Option<(CommitNumber, Arc<PageIndex>)>,
}

impl Known {
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

/// What there is to read a page by, from then until it is read.
#[derive(Debug)]
pub(crate) struct Lookup {
    pub(crate) index: Option<Arc<PageIndex>>,
    list: Option<ListKey>,
    distance: u64,
    started: Instant,
    /// Held while a page is read that nobody knows to be quick.
    _turn: Option<OwnedMutexGuard<()>>,
}

impl PageIndexes {
    /// `alone` is a process beside which no other one writes.
    pub(crate) fn new(writes: Arc<Writes>, alone: bool) -> Self {
        let kept = Duration::from_secs(if alone { 600 } else { 10 });
        let lists = Lists { known: LruCache::new(LISTS_AT_MOST), building_until: None };
        Self { lists: Mutex::new(lists), writes, kept }
    }

    pub(crate) fn writes(&self) -> &Arc<Writes> {
        &self.writes
    }

    /// The index of a list, whose page begins so far from the nearer end; `None` is a list that needs none. Where it has
    /// none, the caller waits for those who read such a page, unless it is known to be quick.
    pub(crate) async fn look_up(&self, list: Option<ListKey>, distance: u64) -> Lookup {
        let mut index = list.as_ref().and_then(|list| self.current(list));
        let mut turn = None;
        if let Some(list) = &list
            && index.is_none()
            && let Some(reading) = self.reading(list, distance)
        {
            turn = Some(reading.lock_owned().await);
            index = self.current(list);
        }
        Lookup { index, list, distance, started: Instant::now(), _turn: turn }
    }

    /// The page is read. Whether the caller should build an index of its list.
    pub(crate) fn was_read(&self, lookup: &Lookup) -> bool {
        match &lookup.list {
            Some(list) if lookup.index.is_none() => {
                self.took(list, lookup.distance, lookup.started.elapsed())
            }
            _ => false,
        }
    }

    fn current(&self, list: &ListKey) -> Option<Arc<PageIndex>> {
        let last_change = self.writes.last_change(list);
        let mut lists = self.lock();
        let known = lists.known.get(list).filter(|known| known.until > Instant::now())?;
        let (read_at, index) = known.index.as_ref()?;
        (*read_at >= last_change).then(|| index.clone())
    }

    fn reading(&self, list: &ListKey, distance: u64) -> Option<Arc<tokio::sync::Mutex<()>>> {
        let mut lists = self.lock();
        let known = lists.of(list);
        (distance >= known.quick_within).then(|| known.reading.clone())
    }

    /// How long it took to read a page without an index. Whether the caller should build one: when that was slow, and not
    /// for the first time, and nobody builds any.
    fn took(&self, list: &ListKey, distance: u64, took: Duration) -> bool {
        let built = self.current(list).is_some();
        let now = Instant::now();
        let mut lists = self.lock();
        let busy = lists.building_until.is_some_and(|until| until > now);
        let known = lists.of(list);
        if took <= SLOW {
            known.quick_within = known.quick_within.max(distance + 1);
            return false;
        }
        known.quick_within = known.quick_within.min(distance);
        if busy || built {
            return false;
        }
        known.until = now + PATIENCE;
        let again = std::mem::replace(&mut known.was_slow, true);
        if again {
            lists.building_until = Some(now + PATIENCE);
        }
        again
    }

    /// Keeps an index of what was read after that commit.
    pub(crate) fn keep(&self, list: ListKey, read_at: CommitNumber, index: PageIndex) {
        let mut lists = self.lock();
        if !matches!(index, PageIndex::Grouped(_)) {
            lists.building_until = None;
        }
        let bytes = index.bytes() + list.bytes();
        if bytes > BYTES_AT_MOST {
            return;
        }
        let known = lists.of(&list);
        if known.index.as_ref().is_some_and(|(newer, _)| *newer > read_at) {
            return;
        }
        known.index = None;
        lists.make_room(bytes);
        let known = lists.of(&list);
        known.until = Instant::now() + self.kept;
        known.was_slow = true;
        known.index = Some((read_at, Arc::new(index)));
    }

    fn lock(&self) -> MutexGuard<'_, Lists> {
        self.lists.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Lists {
    /// What is still known of a list, or nothing yet.
    fn of(&mut self, list: &ListKey) -> &mut Known {
        if self.known.peek(list).is_none_or(|known| known.until <= Instant::now()) {
            self.known.insert(list.clone(), Known::new());
        }
        self.known.get_mut(list).expect("it was just put there")
    }

    /// Drops indexes, the least recently used first, until there is room for so many bytes.
    fn make_room(&mut self, bytes: usize) {
        let mut kept: usize = self.known.iter().map(|(list, known)| list.bytes() + known.bytes()).sum();
        while kept + bytes > BYTES_AT_MOST
            && let Some((list, known)) = self.known.remove_lru()
        {
            kept -= list.bytes() + known.bytes();
        }
    }
}

#[cfg(test)]
mod tests;
