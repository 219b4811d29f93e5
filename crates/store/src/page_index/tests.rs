//! Tests of page indexes without a database.

use values::id::TenantId;

use super::*;
use crate::writes::{Target, WrittenTables};

const EVERY: u64 = 64;
const QUICK: Duration = Duration::from_millis(1);
const TOO_LONG: Duration = Duration::from_millis(30);

const OURS: Option<TenantId> = Some(TenantId(1));
const THEIRS: Option<TenantId> = Some(TenantId(2));

fn list(tenant: Option<TenantId>, query: &str) -> ListKey {
    ListKey { table: "note", tenant, query: query.to_owned() }
}

fn indexes() -> PageIndexes {
    PageIndexes::new(Arc::default(), false)
}

fn write(indexes: &PageIndexes, sql: &str, tenant: Option<TenantId>) {
    let mut written = WrittenTables::default();
    written.add(Target::from_sql(sql), tenant);
    indexes.writes.committed(written);
}

fn sparse(entries: usize) -> PageIndex {
    let entry = |id: usize| IndexEntry { value: "a".into(), id: i64::try_from(id).unwrap() };
    let entries: Vec<_> = (0..entries).map(entry).collect();
    PageIndex::Sparse { every: EVERY, empty: 10, total: 10 + entries.len() as u64 * EVERY, entries }
}

fn dense(ids: Vec<i64>) -> PageIndex {
    PageIndex::Dense(ids.into())
}

/// Stores an index as built now.
fn keep(indexes: &PageIndexes, list: &ListKey, index: PageIndex) {
    indexes.store(list.clone(), indexes.writes.now(), index);
}

#[test]
fn an_index_is_built_once_for_a_list_that_is_slow_repeatedly() {
    let (indexes, list, other) = (indexes(), list(None, "q"), list(None, "other"));
    assert!(!indexes.record_duration(&list, 0, TOO_LONG), "one slow page is no reason");
    assert!(indexes.record_duration(&list, 0, TOO_LONG));
    assert!(!indexes.record_duration(&list, 0, TOO_LONG), "an index is being built");
    assert!(indexes.current(&list).is_none());
    for _ in 0..3 {
        assert!(!indexes.record_duration(&other, 0, TOO_LONG), "one list at a time");
    }
    keep(&indexes, &list, sparse(3));
    assert!(!indexes.record_duration(&other, 0, TOO_LONG));
    assert!(!indexes.record_duration(&other, 0, QUICK));
    assert!(indexes.record_duration(&other, 0, TOO_LONG), "now it is its turn");
    assert!(indexes.current(&list).is_some());
    assert!(indexes.current(&other).is_none());
    keep(&indexes, &other, sparse(3));
    assert!(!indexes.record_duration(&other, 0, TOO_LONG), "it has an index");
}

#[tokio::test]
async fn readers_of_possibly_slow_pages_wait_for_each_other() {
    let (indexes, list) = (indexes(), list(None, "q"));
    let waits = async |distance| {
        let looked = indexes.look_up(Some(list.clone()), distance);
        tokio::time::timeout(Duration::from_millis(20), looked).await.is_err()
    };
    let first = indexes.look_up(Some(list.clone()), 500).await;
    assert!(waits(700).await && waits(0).await, "pages may be slow");
    indexes.look_up(Some(super::tests::list(None, "other")), 500).await;

    indexes.record_duration(&list, 500, QUICK);
    assert!(!waits(500).await && !waits(0).await);
    assert!(waits(501).await, "later pages may be slow");
    indexes.record_duration(&list, 300, TOO_LONG);
    assert!(!waits(299).await);
    assert!(waits(300).await, "it was slow there");

    keep(&indexes, &list, sparse(3));
    assert!(!waits(300).await, "there is an index now");
    drop(first);
}

#[test]
fn indexes_stay_within_their_limits() {
    let indexes = indexes();
    for number in 0..=LISTS_AT_MOST {
        indexes.record_duration(&list(None, &number.to_string()), 0, QUICK);
    }
    assert_eq!(indexes.lock().entries.len(), LISTS_AT_MOST);
    let is_known = |number: usize| indexes.lock().entries.peek(&list(None, &number.to_string())).is_some();
    assert!(!is_known(0) && is_known(1) && is_known(LISTS_AT_MOST), "only the oldest is gone");
}

#[test]
fn a_write_of_one_tenant_keeps_the_indexes_of_others() {
    let (indexes, ours, theirs) = (indexes(), list(OURS, "SELECT 1"), list(THEIRS, "SELECT 2"));
    let fill = || {
        keep(&indexes, &ours, sparse(3));
        keep(&indexes, &theirs, sparse(3));
    };
    let current = || (indexes.current(&ours).is_some(), indexes.current(&theirs).is_some());
    fill();
    assert_eq!(current(), (true, true));
    write(&indexes, "INSERT INTO note VALUES (1)", OURS);
    assert_eq!(current(), (false, true));
    write(&indexes, "DELETE FROM note", THEIRS);
    assert_eq!(current(), (false, false));
    fill();
    write(&indexes, "UPDATE note SET a = 1", None);
    assert_eq!(current(), (false, false), "a write without a tenant");
    assert!(indexes.record_duration(&ours, 0, TOO_LONG), "it is built anew");
}

#[test]
fn writes_during_the_build_of_an_index_make_it_outdated() {
    let (indexes, ours) = (indexes(), list(OURS, "SELECT 1"));
    let before = indexes.writes.now();
    write(&indexes, "UPDATE note SET a = 1", THEIRS);
    indexes.store(ours.clone(), before, sparse(3));
    assert!(indexes.current(&ours).is_some(), "another tenant's write");
    write(&indexes, "UPDATE note SET a = 1", OURS);
    indexes.store(ours.clone(), before, sparse(3));
    assert!(indexes.current(&ours).is_none());

    keep(&indexes, &ours, sparse(3));
    indexes.store(ours.clone(), before, sparse(2));
    assert!(indexes.current(&ours).is_some(), "an index that was started earlier does not replace it");
}

#[test]
fn the_entry_before_a_row_is_found() {
    let index = sparse(3);
    let entry_before = |row| index.entry_before(row).map(|(entry, further)| (entry.id, further));
    assert_eq!(entry_before(9), None, "before the first one");
    assert_eq!(entry_before(10), Some((0, 0)));
    assert_eq!(entry_before(EVERY + 9), Some((0, EVERY - 1)));
    assert_eq!(entry_before(2 * EVERY + 15), Some((2, 5)));
    assert_eq!(entry_before(3 * EVERY + 10), None);
    assert_eq!(index.ids(0, 40), None);
}

#[test]
fn a_dense_index_stores_ids_that_are_close_together_in_four_bytes() {
    let far = 1_i64 << 48;
    for (ids, bytes) in [
        (vec![7, 3, 5], 4),
        (vec![far + 7, far, far + i64::from(u32::MAX)], 4),
        (vec![-7, 3, 5], 4),
        (vec![7, far, 5], 8),
        (vec![i64::MAX, i64::MIN, 0], 8),
    ] {
        let index = dense(ids.clone());
        assert_eq!(index.ids(0, 2), Some(ids[..2].to_vec()), "{ids:?}");
        assert_eq!(index.ids(2, 40), Some(ids[2..].to_vec()));
        assert_eq!(index.ids(3, 40), Some(vec![]));
        assert_eq!((index.total(), index.entry_before(0), index.bytes()), (3, None, 3 * bytes));
    }
    assert_eq!(dense(vec![]).total(), 0);
}

#[test]
fn an_index_is_dense_if_many_rows_do_not_match() {
    let (unmatched, dense) = (UNMATCHED_AT_MOST, DENSE_AT_MOST);
    assert_eq!(entry_every(1_000_000, 1_000_000), APART);
    assert_eq!(entry_every(1_000_000 - unmatched, 1_000_000), APART - 1);
    assert_eq!(entry_every(1_000_000 - unmatched - 1, 1_000_000), 1);
    assert_eq!(entry_every(3, 1_000_000), 1);
    assert_eq!(entry_every(dense + 1, 4 * dense), APART / 4, "too many rows for an entry each");
    assert_eq!(entry_every(dense + 1, 1_000_000_000), 2);
    assert_eq!(entry_every(dense + 1, 0), APART, "an outdated total");
}

#[test]
fn the_least_recently_used_index_is_evicted() {
    let indexes = indexes();
    let ids = |bytes: usize| dense(vec![1; bytes / 4]);
    let [a, b, c, d] = ["a", "b", "c", "d"].map(|query| list(None, query));
    for list in [&a, &b, &c] {
        keep(&indexes, list, ids(BYTES_AT_MOST * 3 / 10));
    }
    assert!(indexes.current(&a).is_some(), "it was used recently");
    keep(&indexes, &d, ids(BYTES_AT_MOST * 3 / 10));
    let standing = [&a, &b, &c, &d].map(|list| indexes.current(list).is_some());
    assert_eq!(standing, [true, false, true, true]);
    keep(&indexes, &b, ids(BYTES_AT_MOST + 4));
    assert!(indexes.current(&b).is_none());
    assert!(indexes.current(&c).is_some(), "nothing is evicted for an index that is not stored");
}
