//! Signposts along the order of a list: where every so many matching rows stand, or each of a few. From the nearest one a
//! page is a few steps away, wherever it lies and however far apart its rows are.
//!
//! They are set where a list is slow and asked for again, in the background and for one list at a time, so that they
//! never take more than one processor from those who wait; who asks for what was slow meanwhile takes turns, so that
//! it is not slower still. They are gone with the next write to a table that the list
//! reads, or the next deletion anywhere, for it may change further tables. Where other processes write too (PostgreSQL),
//! that is noticed late: after ten seconds at the most.

use std::{
    collections::{HashMap, HashSet},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use sea_orm::Value;

/// Between two of them lie about so many rows of the table, matching or not.
const APART: u64 = 256;
/// Of so many rows each has its own: what is rare is far apart.
const RARE: u64 = 10_000;
/// What takes longer is slow.
pub(crate) const SLOW: Duration = Duration::from_millis(3);
/// Who has not set them by then has given up; and what is not asked for again within that time is not worth any.
const WORKS: Duration = Duration::from_secs(10);
/// In all lists: some 20 MB.
const AT_MOST: usize = 250_000;

#[derive(Debug)]
pub(crate) struct Signposts {
    roads: Mutex<HashMap<String, Road>>,
    writes: Mutex<Writes>,
    kept: Duration,
}

/// How often something was written.
#[derive(Debug, Default)]
struct Writes {
    anywhere: u64,
    /// By the table's name in quotes, as it stands in a list's query.
    by_table: HashMap<String, u64>,
}

/// What a transaction has written to.
#[derive(Debug, Default)]
pub(crate) struct Written {
    anywhere: bool,
    tables: HashSet<String>,
}

impl Written {
    /// A statement that has written, or may have.
    pub(crate) fn statement(&mut self, sql: &str) {
        let mut words = sql.split_ascii_whitespace();
        let table = match (words.next(), words.next()) {
            (Some("INSERT"), Some("INTO")) => words.next(),
            (Some("UPDATE"), table) => table,
            (Some("SELECT" | "WITH" | "LOCK"), _) => return,
            _ => None,
        };
        match table {
            Some(table) => self.tables.insert(table.trim_matches('"').to_owned()),
            None => std::mem::replace(&mut self.anywhere, true),
        };
    }
}

/// The order of one list.
#[derive(Debug, Clone)]
enum Road {
    /// Was slow, so far from the nearer end.
    Asked {
        until: Instant,
        distance: u64,
    },
    /// Somebody sets its signposts.
    Works {
        until: Instant,
        distance: u64,
        turn: Arc<tokio::sync::Mutex<()>>,
    },
    Signposted {
        until: Instant,
        writes: u64,
        along: Arc<Along>,
    },
}

/// At every how many rows one is to be set, where so many rows of a table match.
pub(crate) fn every_of(total: u64, table: u64) -> u64 {
    if total <= RARE { 1 } else { (APART * total / table.max(1)).max(1) }
}

/// The signposts of a list, in ascending order.
#[derive(Debug)]
pub(crate) struct Along {
    /// The rows before the first one.
    pub(crate) before: u64,
    pub(crate) posts: Vec<Signpost>,
    pub(crate) every: u64,
    /// The number of matching rows.
    pub(crate) total: u64,
}

/// Where a row stands: its sorted value, which may be NULL, and its id.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Signpost {
    pub(crate) value: Option<Value>,
    pub(crate) id: i64,
}

impl Signposts {
    pub(crate) fn new(alone: bool) -> Self {
        let kept = Duration::from_secs(if alone { 600 } else { 10 });
        Self { roads: Mutex::default(), writes: Mutex::default(), kept }
    }

    pub(crate) fn something_was_written(&self, written: Written) {
        let mut writes = self.writes.lock().unwrap_or_else(PoisonError::into_inner);
        writes.anywhere += u64::from(written.anywhere);
        for table in written.tables {
            *writes.by_table.entry(format!("\"{table}\"")).or_default() += 1;
        }
    }

    /// How often something was written that the list may show: what is set before a later write is worth nothing.
    pub(crate) fn writes(&self, list: &str) -> u64 {
        let writes = self.writes.lock().unwrap_or_else(PoisonError::into_inner);
        let read = writes.by_table.iter().filter(|(table, _)| list.contains(*table));
        writes.anywhere + read.map(|(_, times)| times).sum::<u64>()
    }

    pub(crate) fn along(&self, list: &str) -> Option<Arc<Along>> {
        let current = self.writes(list);
        match self.lock().get(list) {
            Some(Road::Signposted { until, writes, along })
                if *until > Instant::now() && *writes == current =>
            {
                Some(along.clone())
            }
            _ => None,
        }
    }

    /// A list was slow, so far from the nearer end. Whether the caller should set signposts: when that was not the first
    /// time, and nobody sets any.
    pub(crate) fn was_slow(&self, list: &str, distance: u64) -> bool {
        let now = Instant::now();
        let mut roads = self.lock();
        let until = now + WORKS;
        let busy = roads.values().any(|road| matches!(road, Road::Works { until, .. } if *until > now));
        match roads.get(list) {
            _ if busy => false,
            Some(road @ (Road::Asked { .. } | Road::Signposted { .. })) if road.until() > now => {
                let distance = road.distance().min(distance);
                roads.insert(list.to_owned(), Road::Works { until, distance, turn: Arc::default() });
                true
            }
            _ => {
                roads.retain(|_, road| road.until() > now);
                roads.insert(list.to_owned(), Road::Asked { until, distance });
                false
            }
        }
    }

    /// What to wait for before reading a page so far from the nearer end, while the list's signposts are set.
    pub(crate) fn turn(&self, list: &str, distance: u64) -> Option<Arc<tokio::sync::Mutex<()>>> {
        match self.lock().get(list) {
            Some(Road::Works { until, distance: slow, turn })
                if *until > Instant::now() && distance >= *slow =>
            {
                Some(turn.clone())
            }
            _ => None,
        }
    }

    /// `writes` is what [`Self::writes`] said before the first signpost was set.
    pub(crate) fn set(&self, list: String, writes: u64, along: Along) {
        let now = Instant::now();
        let mut roads = self.lock();
        roads.retain(|_, road| road.until() > now);
        let set: usize = roads.values().map(Road::len).sum();
        if set + along.posts.len() > AT_MOST {
            roads.retain(|_, road| road.len() == 0);
        }
        if along.posts.len() <= AT_MOST {
            let along = Arc::new(along);
            roads.insert(list, Road::Signposted { until: now + self.kept, writes, along });
        }
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<String, Road>> {
        self.roads.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Road {
    fn until(&self) -> Instant {
        match self {
            Self::Asked { until, .. } | Self::Works { until, .. } | Self::Signposted { until, .. } => *until,
        }
    }

    fn distance(&self) -> u64 {
        match self {
            Self::Asked { distance, .. } | Self::Works { distance, .. } => *distance,
            Self::Signposted { .. } => u64::MAX,
        }
    }

    fn len(&self) -> usize {
        match self {
            Self::Signposted { along, .. } => along.posts.len(),
            _ => 0,
        }
    }
}

impl Along {
    /// The ids of so many rows from this number on, where each has its signpost.
    pub(crate) fn at(&self, row: u64, size: u64) -> Option<Vec<i64>> {
        let (from, size) = (usize::try_from(row).ok()?, usize::try_from(size).ok()?);
        (self.every == 1).then(|| self.posts.iter().skip(from).take(size).map(|post| post.id).collect())
    }

    /// The last signpost at or before the row with this number, counted from 0, and how many rows lie between. `None`
    /// where there is none, or its value is NULL, from which nothing can be compared.
    pub(crate) fn before(&self, row: u64) -> Option<(&Signpost, u64)> {
        let row = row.checked_sub(self.before)?;
        let post = self.posts.get(usize::try_from(row / self.every).ok()?)?;
        post.value.is_some().then_some((post, row % self.every))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const EVERY: u64 = 64;

    fn along(posts: usize) -> Along {
        let post = |id: usize| Signpost { value: Some("a".into()), id: i64::try_from(id).unwrap() };
        let total = posts as u64 * EVERY;
        Along { before: 0, posts: (0..posts).map(post).collect(), every: EVERY, total }
    }

    #[test]
    fn signposts_are_set_once_where_a_list_is_slow_again() {
        let signposts = Signposts::new(false);
        assert!(!signposts.was_slow("q", 0), "once is no reason");
        assert!(signposts.was_slow("q", 0));
        assert!(!signposts.was_slow("q", 0), "somebody is at it");
        assert!(signposts.along("q").is_none());
        for _ in 0..3 {
            assert!(!signposts.was_slow("other", 0), "one list at a time");
        }
        signposts.set("q".into(), signposts.writes("q"), along(3));
        assert!(!signposts.was_slow("other", 0));
        assert!(signposts.was_slow("other", 0), "now it is its turn");
        assert!(signposts.along("q").is_some());
        assert!(signposts.along("other").is_none());
    }

    fn written(sql: &str) -> Written {
        let mut written = Written::default();
        written.statement(sql);
        written
    }

    #[test]
    fn a_write_to_what_the_list_reads_makes_them_worthless_also_while_they_are_set() {
        let list = "SELECT id FROM \"article\" WHERE \"import_id\" = 1";
        let signposts = Signposts::new(false);
        for sql in
            ["INSERT INTO article (a) SELECT 1", "UPDATE \"article\" SET a = 1", "DELETE FROM \"material\""]
        {
            signposts.set(list.into(), signposts.writes(list), along(3));
            assert!(signposts.along(list).is_some());
            signposts.something_was_written(written(sql));
            assert!(signposts.along(list).is_none(), "{sql}");
        }
        assert!(signposts.was_slow(list, 0), "they are set anew");

        let before = signposts.writes(list);
        signposts.something_was_written(written("UPDATE \"article\" SET a = 2"));
        signposts.set(list.into(), before, along(3));
        assert!(signposts.along(list).is_none());
    }

    #[test]
    fn what_the_list_does_not_read_leaves_them() {
        let list = "SELECT id FROM \"article\" WHERE \"import_id\" = 1";
        let signposts = Signposts::new(false);
        signposts.set(list.into(), signposts.writes(list), along(3));
        for sql in
            ["UPDATE \"session\" SET a = 1", "UPDATE \"import\" SET a = 1", "SELECT 1 FROM \"article\""]
        {
            signposts.something_was_written(written(sql));
            assert!(signposts.along(list).is_some(), "{sql}");
        }
    }

    #[test]
    fn the_nearest_signpost_is_found() {
        let along = along(3);
        let found = |row| along.before(row).map(|(post, further)| (post.id, further));
        assert_eq!(found(0), Some((0, 0)));
        assert_eq!(found(EVERY - 1), Some((0, EVERY - 1)));
        assert_eq!(found(2 * EVERY + 5), Some((2, 5)));
        assert_eq!(found(3 * EVERY), None);
        let nothing =
            Along { before: 0, posts: vec![Signpost { value: None, id: 1 }], every: EVERY, total: 1 };
        assert_eq!(nothing.before(0), None);
        assert_eq!(along.at(0, 40), None);
        let later = Along { before: 10, ..along };
        assert_eq!(later.before(9), None);
        assert_eq!(later.before(EVERY + 11).map(|(post, further)| (post.id, further)), Some((1, 1)));
    }

    #[test]
    fn while_they_are_set_those_who_ask_for_what_was_slow_take_turns() {
        let signposts = Signposts::new(false);
        signposts.was_slow("q", 700);
        assert!(signposts.turn("q", 900).is_none(), "nobody sets any");
        signposts.was_slow("q", 500);
        assert!(signposts.turn("q", 499).is_none(), "nearer pages are quick");
        assert!(signposts.turn("q", 500).is_some() && signposts.turn("other", 500).is_none());
        signposts.set("q".into(), 0, along(3));
        assert!(signposts.turn("q", 500).is_none());
    }

    #[test]
    fn each_of_a_few_rows_has_its_own() {
        let along = Along { every: every_of(3, 1_000_000), total: 3, ..along(3) };
        assert_eq!(along.at(0, 2), Some(vec![0, 1]));
        assert_eq!(along.at(2, 40), Some(vec![2]));
        assert_eq!(along.at(3, 40), Some(vec![]));
    }

    #[test]
    fn between_two_lie_about_as_many_rows_of_the_table_however_many_match() {
        assert_eq!(every_of(1_000_000, 1_000_000), APART);
        assert_eq!(every_of(500_000, 1_000_000), APART / 2);
        assert_eq!(every_of(RARE + 1, 1_000_000_000), 1);
        assert_eq!(every_of(RARE + 1, 0), APART * (RARE + 1), "a total that is older than the table's");
    }

    #[test]
    fn there_are_never_too_many() {
        let signposts = Signposts::new(false);
        for list in ["a", "b", "c"] {
            signposts.set(list.into(), 0, along(AT_MOST / 2));
        }
        assert!(signposts.along("a").is_none() && signposts.along("c").is_some());
        signposts.set("d".into(), 0, along(AT_MOST + 1));
        assert!(signposts.along("d").is_none());
    }
}
