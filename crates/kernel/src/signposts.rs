//! Signposts along the order of a list: which row stands where, or, where nearly all rows of a table match and where there
//! are very many, where every so many-th stands. From the nearest one a page is a few steps away, wherever it lies.
//!
//! They are set where a list is slow and asked for again, in the background and for one list at a time, so that they
//! never take more than one processor from those who wait. As long as nobody knows a page to be quick, those who ask for
//! it take turns: the first finds that out, and what is slow is not slower still because many want it. They are gone
//! with the next write to a table that the list reads, or the next deletion anywhere, for it may change further tables.
//! Where other processes write too (PostgreSQL), that is noticed late: after ten seconds at the most.

use std::{
    collections::{HashMap, HashSet},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use sea_orm::Value;

/// Between two of them lie so many rows, where nearly all rows of a table match.
const APART: u64 = 128;
/// Where more rows than this do not match, they may lie all between two of them.
const BETWEEN: u64 = 2_000;
/// Of so many rows each is known by its id.
const EACH: u64 = 1_000_000;
/// What takes longer is slow.
const SLOW: Duration = Duration::from_millis(3);
/// Who has not set them by then has given up; and what is not asked for again within that time is not worth any.
const WORKS: Duration = Duration::from_secs(10);
/// In all lists, in bytes.
const AT_MOST: usize = 32 << 20;
/// Lists of which anything is known.
const LISTS: usize = 2_000;

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

/// What is known of one list.
#[derive(Debug)]
struct Road {
    until: Instant,
    /// Pages that begin nearer to an end than this are quick.
    quick: u64,
    turn: Turn,
    state: State,
}

/// Held by the one who reads a page that nobody knows to be quick.
pub(crate) type Turn = Arc<tokio::sync::Mutex<()>>;

#[derive(Debug)]
enum State {
    /// Was slow, or not.
    Walked {
        slow: bool,
    },
    /// Somebody sets its signposts.
    Works,
    Signposted {
        writes: u64,
        along: Arc<Along>,
    },
}

impl Default for Road {
    fn default() -> Self {
        let until = Instant::now() + WORKS;
        Self { until, quick: 0, turn: Turn::default(), state: State::Walked { slow: false } }
    }
}

/// At every how many rows one is to be set, where so many rows of a table match.
pub(crate) fn every_of(total: u64, table: u64) -> u64 {
    let between = table.saturating_sub(total);
    if between > BETWEEN && total <= EACH { 1 } else { (APART * total / table.max(1)).clamp(2, APART) }
}

/// The signposts of a list, in ascending order.
#[derive(Debug)]
pub(crate) enum Along {
    /// All rows, by their ids.
    Each(Vec<u32>),
    Every {
        every: u64,
        posts: Vec<Signpost>,
        /// The rows before the first one.
        before: u64,
        /// The number of matching rows.
        total: u64,
    },
}

/// Where a row stands: its sorted value and its id.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Signpost {
    pub(crate) value: Value,
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
            Some(Road { until, state: State::Signposted { writes, along }, .. })
                if *until > Instant::now() && *writes == current =>
            {
                Some(along.clone())
            }
            _ => None,
        }
    }

    /// What to hold while reading a page that begins so far from the nearer end; `None` where that is known to be quick.
    pub(crate) fn turn(&self, list: &str, distance: u64) -> Option<Turn> {
        let mut roads = self.lock();
        let road = known(&mut roads, list);
        (distance >= road.quick).then(|| road.turn.clone())
    }

    /// How long it took to read a page. Whether the caller should set signposts: when that was slow, and not for the first
    /// time, and nobody sets any.
    pub(crate) fn was_read(&self, list: &str, distance: u64, took: Duration) -> bool {
        let standing = self.along(list).is_some();
        let mut roads = self.lock();
        let now = Instant::now();
        let busy = roads.values().any(|road| matches!(road.state, State::Works) && road.until > now);
        let road = known(&mut roads, list);
        if took <= SLOW {
            road.quick = road.quick.max(distance + 1);
            return false;
        }
        road.quick = road.quick.min(distance);
        let again = !matches!(road.state, State::Walked { slow: false });
        if busy || standing {
            return false;
        }
        road.state = if again { State::Works } else { State::Walked { slow: true } };
        road.until = now + WORKS;
        again
    }

    /// `writes` is what [`Self::writes`] said before the first signpost was set.
    pub(crate) fn set(&self, list: &str, writes: u64, along: Along) {
        if along.bytes() > AT_MOST {
            return;
        }
        let mut roads = self.lock();
        let mut set: usize = roads.values().map(Road::bytes).sum();
        while set + along.bytes() > AT_MOST {
            let standing = roads.values_mut().filter(|road| road.bytes() > 0);
            let Some(oldest) = standing.min_by_key(|road| road.until) else { break };
            set -= oldest.bytes();
            *oldest = Road::default();
        }
        let road = known(&mut roads, list);
        road.until = Instant::now() + self.kept;
        road.state = State::Signposted { writes, along: Arc::new(along) };
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<String, Road>> {
        self.roads.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What is still known of a list, or nothing yet.
fn known<'a>(roads: &'a mut HashMap<String, Road>, list: &str) -> &'a mut Road {
    let now = Instant::now();
    if roads.get(list).is_none_or(|road| road.until <= now) {
        if roads.len() >= LISTS {
            roads.retain(|_, road| road.until > now);
        }
        if roads.len() >= LISTS {
            roads.clear();
        }
        roads.insert(list.to_owned(), Road::default());
    }
    roads.get_mut(list).expect("it was just put there")
}

impl Road {
    fn bytes(&self) -> usize {
        match &self.state {
            State::Signposted { along, .. } => along.bytes(),
            _ => 0,
        }
    }
}

impl Along {
    pub(crate) fn total(&self) -> u64 {
        match self {
            Self::Each(ids) => ids.len() as u64,
            Self::Every { total, .. } => *total,
        }
    }

    /// The ids of so many rows from this number on, counted from 0, where each is known.
    pub(crate) fn at(&self, row: u64, size: u64) -> Option<Vec<i64>> {
        let Self::Each(ids) = self else { return None };
        let (from, size) = (usize::try_from(row).ok()?, usize::try_from(size).ok()?);
        Some(ids.iter().skip(from).take(size).map(|id| i64::from(*id)).collect())
    }

    /// The last signpost at or before the row with this number, and how many rows lie between. `None` where there is none.
    pub(crate) fn before(&self, row: u64) -> Option<(&Signpost, u64)> {
        let Self::Every { every, posts, before, .. } = self else { return None };
        let row = row.checked_sub(*before)?;
        let post = posts.get(usize::try_from(row / every).ok()?)?;
        Some((post, row % every))
    }

    fn bytes(&self) -> usize {
        match self {
            Self::Each(ids) => size_of_val(ids.as_slice()),
            // with what its text takes
            Self::Every { posts, .. } => posts.len() * (size_of::<Signpost>() + 64),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const EVERY: u64 = 64;

    fn along(posts: usize) -> Along {
        let post = |id: usize| Signpost { value: "a".into(), id: i64::try_from(id).unwrap() };
        let posts: Vec<_> = (0..posts).map(post).collect();
        Along::Every { every: EVERY, before: 10, total: 10 + posts.len() as u64 * EVERY, posts }
    }

    const QUICK: Duration = Duration::from_millis(1);
    const TOO_LONG: Duration = Duration::from_millis(30);

    #[test]
    fn signposts_are_set_once_where_a_list_is_slow_again() {
        let signposts = Signposts::new(false);
        assert!(!signposts.was_read("q", 0, TOO_LONG), "once is no reason");
        assert!(signposts.was_read("q", 0, TOO_LONG));
        assert!(!signposts.was_read("q", 0, TOO_LONG), "somebody is at it");
        assert!(signposts.along("q").is_none());
        for _ in 0..3 {
            assert!(!signposts.was_read("other", 0, TOO_LONG), "one list at a time");
        }
        signposts.set("q", signposts.writes("q"), along(3));
        assert!(!signposts.was_read("other", 0, TOO_LONG));
        assert!(!signposts.was_read("other", 0, QUICK));
        assert!(signposts.was_read("other", 0, TOO_LONG), "now it is its turn");
        assert!(signposts.along("q").is_some());
        assert!(signposts.along("other").is_none());
        signposts.set("other", signposts.writes("other"), along(3));
        assert!(!signposts.was_read("other", 0, TOO_LONG), "no signpost helped there");
    }

    #[test]
    fn who_asks_for_what_nobody_knows_to_be_quick_takes_turns() {
        let signposts = Signposts::new(false);
        let first = signposts.turn("q", 500).expect("nobody knows");
        assert!(Arc::ptr_eq(&first, &signposts.turn("q", 700).unwrap()), "they wait for one another");
        assert!(!Arc::ptr_eq(&first, &signposts.turn("other", 500).unwrap()));
        signposts.was_read("q", 500, QUICK);
        assert!(signposts.turn("q", 500).is_none() && signposts.turn("q", 0).is_none());
        assert!(signposts.turn("q", 501).is_some(), "further on it may be slow");
        signposts.was_read("q", 300, TOO_LONG);
        assert!(signposts.turn("q", 299).is_none());
        assert!(signposts.turn("q", 300).is_some(), "no longer");
    }

    #[test]
    fn no_more_is_known_than_there_is_room_for() {
        let signposts = Signposts::new(false);
        for number in 0..=LISTS {
            signposts.was_read(&number.to_string(), 0, QUICK);
        }
        assert!(signposts.lock().len() <= LISTS);
        assert!(signposts.turn(&LISTS.to_string(), 0).is_none());
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
            signposts.set(list, signposts.writes(list), along(3));
            assert!(signposts.along(list).is_some());
            signposts.something_was_written(written(sql));
            assert!(signposts.along(list).is_none(), "{sql}");
        }
        assert!(signposts.was_read(list, 0, TOO_LONG), "they are set anew");

        let before = signposts.writes(list);
        signposts.something_was_written(written("UPDATE \"article\" SET a = 2"));
        signposts.set(list, before, along(3));
        assert!(signposts.along(list).is_none());
    }

    #[test]
    fn what_the_list_does_not_read_leaves_them() {
        let list = "SELECT id FROM \"article\" WHERE \"import_id\" = 1";
        let signposts = Signposts::new(false);
        signposts.set(list, signposts.writes(list), along(3));
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
        assert_eq!(found(9), None, "before the first one");
        assert_eq!(found(10), Some((0, 0)));
        assert_eq!(found(EVERY + 9), Some((0, EVERY - 1)));
        assert_eq!(found(2 * EVERY + 15), Some((2, 5)));
        assert_eq!(found(3 * EVERY + 10), None);
        assert_eq!(along.at(0, 40), None);
    }

    #[test]
    fn each_row_is_known_where_there_are_not_very_many() {
        let along = Along::Each(vec![7, 3, 5]);
        assert_eq!(along.at(0, 2), Some(vec![7, 3]));
        assert_eq!(along.at(2, 40), Some(vec![5]));
        assert_eq!(along.at(3, 40), Some(vec![]));
        assert_eq!((along.total(), along.before(0)), (3, None));
    }

    #[test]
    fn each_row_is_to_be_known_where_many_rows_that_do_not_match_may_lie_between_two() {
        assert_eq!(every_of(1_000_000, 1_000_000), APART);
        assert_eq!(every_of(1_000_000 - BETWEEN, 1_000_000), APART - 1);
        assert_eq!(every_of(1_000_000 - BETWEEN - 1, 1_000_000), 1);
        assert_eq!(every_of(3, 1_000_000), 1);
        assert_eq!(every_of(EACH + 1, 4 * EACH), APART / 4, "of very many each is too much");
        assert_eq!(every_of(EACH + 1, 1_000_000_000), 2);
        assert_eq!(every_of(EACH + 1, 0), APART, "a total that is older than the table's");
    }

    #[test]
    fn there_are_never_too_many() {
        let signposts = Signposts::new(false);
        let ids = |bytes: usize| Along::Each(vec![1; bytes / 4]);
        for list in ["a", "b", "c"] {
            signposts.set(list, 0, ids(AT_MOST / 2));
        }
        assert!(signposts.along("a").is_none(), "the oldest makes room");
        assert!(signposts.along("b").is_some() && signposts.along("c").is_some());
        signposts.set("d", 0, ids(AT_MOST + 4));
        assert!(signposts.along("d").is_none());
        assert!(signposts.along("c").is_some(), "nothing makes room for what is not kept");
    }
}
