//! Record of this process's writes, by which cached lists detect that they are outdated.
//!
//! Commits are numbered. For each table, the last one that wrote rows of each tenant is recorded, and the
//! last one that did not name a tenant, which counts for all. A deletion may change further tables, but only
//! rows of the same tenant: references between tenants' tables include the tenant.

use std::{
    collections::{HashMap, HashSet},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use hashlink::LinkedHashMap;
use serde::{Deserialize, Serialize};
use values::id::TenantId;

use crate::list_key::ListKey;

/// Maximum number of tenants whose last write is recorded individually, for each table.
const TENANTS: usize = 10_000;

/// Table name for an unknown table, or for any number of tables.
const ANY_TABLE: &str = "";

/// Target of a write statement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Target {
    Nothing,
    Table(String),
    /// Any table: the statement deletes, or is not understood.
    AnyTable,
}

impl Target {
    pub(crate) fn from_sql(sql: &str) -> Self {
        let mut words = sql.split_ascii_whitespace();
        let table = match (words.next(), words.next()) {
            (Some("INSERT"), Some("INTO")) => words.next(),
            (Some("UPDATE"), table) => table,
            (Some("SELECT" | "LOCK" | "PRAGMA"), _) => return Self::Nothing,
            (Some("WITH"), _) if !["INSERT", "UPDATE", "DELETE"].iter().any(|word| sql.contains(word)) => {
                return Self::Nothing;
            }
            _ => None,
        };
        table.map_or(Self::AnyTable, |table| Self::Table(table.trim_matches('"').to_owned()))
    }
}

/// Tables that a transaction has written to, with the tenant of the rows; `None` if the statement did not
/// name one.
#[derive(Debug, Default)]
pub(crate) struct WrittenTables(HashSet<(String, Option<TenantId>)>);

impl WrittenTables {
    pub(crate) fn add(&mut self, target: Target, tenant: Option<TenantId>) {
        let table = match target {
            Target::Nothing => return,
            Target::Table(table) => table,
            Target::AnyTable => ANY_TABLE.to_owned(),
        };
        self.0.insert((table, tenant));
    }

    fn extend(&mut self, other: &Self) {
        self.0.extend(other.0.iter().cloned());
        if self.0.len() > ANNOUNCED_MAX {
            self.0 = HashSet::from([(ANY_TABLE.to_owned(), None)]);
        }
    }
}

/// Number of a commit of this process; 0 before the first one.
pub type CommitNumber = u64;

/// Numbers of the last commits to each table.
#[derive(Debug, Default)]
pub struct Writes(Mutex<Commits>);

#[derive(Debug, Default)]
struct Commits {
    last: CommitNumber,
    /// Last commits by name of the table.
    tables: HashMap<String, LastCommits>,
    /// Changed rows that other processes have not been notified of; `None` without notices.
    unannounced: Option<WrittenTables>,
}

/// Rows that a process has changed, in a form for other processes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChangedRows {
    /// Name of the table; `None`: any table.
    pub table: Option<String>,
    /// Tenant of the rows; `None`: perhaps all tenants.
    pub tenant: Option<i64>,
}

impl ChangedRows {
    /// Rows of any table, for a process that has missed a notice.
    pub const ANY: Self = Self { table: None, tenant: None };
}

/// Maximum number of entries; more are announced as rows of any table.
const ANNOUNCED_MAX: usize = 1_000;

/// Last commits that wrote to a table.
#[derive(Debug, Default)]
struct LastCommits {
    any: CommitNumber,
    /// Last commit that did not name the tenant.
    of_nobody: CommitNumber,
    /// Last commit of each tenant, oldest first.
    by_tenant: LinkedHashMap<TenantId, CommitNumber>,
    /// Latest commit among those that were dropped from `by_tenant`.
    forgotten: CommitNumber,
}

impl Writes {
    pub(crate) fn committed(&self, written: WrittenTables) {
        let mut commits = self.lock();
        if let Some(unannounced) = &mut commits.unannounced {
            unannounced.extend(&written);
        }
        commits.count(written);
    }

    /// Takes the rows that were changed since the last call. The first call returns none and starts the
    /// collection.
    pub(crate) fn take_changed(&self) -> Vec<ChangedRows> {
        let changed = self.lock().unannounced.replace(WrittenTables::default()).unwrap_or_default();
        let rows = changed.0.into_iter().map(|(table, tenant)| ChangedRows {
            table: Some(table).filter(|table| table != ANY_TABLE),
            tenant: tenant.map(i64::from),
        });
        rows.collect()
    }

    /// Counts commits of another process.
    pub(crate) fn others_committed(&self, changed: Vec<ChangedRows>) {
        let rows = changed.into_iter().map(|ChangedRows { table, tenant }| {
            (table.unwrap_or_else(|| ANY_TABLE.to_owned()), tenant.map(TenantId))
        });
        self.lock().count(WrittenTables(rows.collect()));
    }

    /// Last commit: rows that are read from now on are at least as new.
    pub fn now(&self) -> CommitNumber {
        self.lock().last
    }

    /// Last commit that may have written to one of these tables.
    pub(crate) fn last_commit_to(&self, tables: &[&str]) -> CommitNumber {
        let commits = self.lock();
        let last = |table: &&str| commits.tables.get(*table).map_or(0, |last| last.any);
        tables.iter().chain([&ANY_TABLE]).map(last).max().unwrap_or_default()
    }

    /// Last commit that may have changed the list: rows of its tenant in its own table, or rows of any tenant
    /// in another table that it reads.
    pub(crate) fn last_change(&self, list: &ListKey) -> CommitNumber {
        let commits = self.lock();
        let read = commits.tables.iter().filter_map(|(table, last)| {
            if table == list.table || (table == ANY_TABLE && !list.reads_further_tables()) {
                Some(last.last_write(list.tenant))
            } else if table == ANY_TABLE || list.names(table) {
                Some(last.any)
            } else {
                None
            }
        });
        read.max().unwrap_or_default()
    }

    fn lock(&self) -> MutexGuard<'_, Commits> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Commits {
    fn count(&mut self, written: WrittenTables) {
        self.last += 1;
        for (table, tenant) in written.0 {
            self.tables.entry(table).or_default().add(tenant, self.last);
        }
    }
}

impl LastCommits {
    fn add(&mut self, tenant: Option<TenantId>, number: CommitNumber) {
        self.any = number;
        let Some(tenant) = tenant else {
            self.of_nobody = number;
            return;
        };
        self.by_tenant.insert(tenant, number);
        if self.by_tenant.len() > TENANTS
            && let Some((_, oldest)) = self.by_tenant.pop_front()
        {
            self.forgotten = oldest;
        }
    }

    fn last_write(&self, tenant: Option<TenantId>) -> CommitNumber {
        let Some(tenant) = tenant else { return self.any };
        let own = self.by_tenant.get(&tenant).copied().unwrap_or(self.forgotten);
        Ord::max(own, self.of_nobody)
    }
}

/// Rows that a commit is about to write. They count as written when this is dropped, even without an answer,
/// since a commit with unknown outcome may have succeeded.
#[derive(Debug)]
pub(crate) struct AnnouncedWrites {
    pub(crate) writes: Arc<Writes>,
    pub written: WrittenTables,
}

impl Drop for AnnouncedWrites {
    fn drop(&mut self) {
        self.writes.committed(std::mem::take(&mut self.written));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OURS: Option<TenantId> = Some(TenantId(1));
    const THEIRS: Option<TenantId> = Some(TenantId(2));

    fn list(tenant: Option<TenantId>, query: &str) -> ListKey {
        ListKey { table: "note", tenant, query: query.to_owned() }
    }

    fn write(writes: &Writes, sql: &str, tenant: Option<TenantId>) {
        let mut written = WrittenTables::default();
        written.add(Target::from_sql(sql), tenant);
        writes.committed(written);
    }

    const PLAIN: &str = r#"SELECT "id" FROM "note" WHERE "import_id" = 1"#;
    const WITH_TAGS: &str =
        r#"SELECT "id" FROM "note" WHERE "id" IN (SELECT "note_id" FROM "tag" WHERE "name" = 'a')"#;

    #[test]
    fn the_target_of_a_statement_is_recognised() {
        let table = |name: &str| Target::Table(name.to_owned());
        for (sql, target) in [
            ("INSERT INTO note (a) SELECT 1", table("note")),
            ("INSERT INTO \"note\" VALUES (1)", table("note")),
            ("UPDATE \"note\" SET a = 1", table("note")),
            ("SELECT 1 FROM \"note\" FOR UPDATE", Target::Nothing),
            ("LOCK TABLE \"note\" IN SHARE ROW EXCLUSIVE MODE", Target::Nothing),
            ("WITH n AS (SELECT 1) SELECT * FROM n", Target::Nothing),
            ("WITH n AS (SELECT 1) UPDATE note SET a = 1", Target::AnyTable),
            ("WITH n AS (DELETE FROM note RETURNING id) SELECT * FROM n", Target::AnyTable),
            ("DELETE FROM \"note\"", Target::AnyTable),
            ("INSERT OR REPLACE INTO note VALUES (1)", Target::AnyTable),
            ("VACUUM", Target::AnyTable),
        ] {
            assert_eq!(Target::from_sql(sql), target, "{sql}");
        }
    }

    /// Checks which of these lists a write changes: ours and theirs of one table, ours that reads another
    /// one, and that of all.
    fn changed(sql: &str, tenant: Option<TenantId>) -> [bool; 4] {
        let writes = Writes::default();
        write(&writes, "INSERT INTO something_else VALUES (1)", None);
        let before = writes.now();
        write(&writes, sql, tenant);
        let lists = [list(OURS, PLAIN), list(THEIRS, PLAIN), list(OURS, WITH_TAGS), list(None, PLAIN)];
        lists.map(|list| writes.last_change(&list) > before)
    }

    #[test]
    fn a_write_affects_lists_of_its_tenant_and_lists_that_read_its_table() {
        for (sql, tenant, expected) in [
            ("UPDATE \"note\" SET a = 1", OURS, [true, false, true, true]),
            ("UPDATE \"note\" SET a = 1", THEIRS, [false, true, false, true]),
            ("UPDATE \"note\" SET a = 1", None, [true; 4]),
            ("INSERT INTO tag VALUES (1)", OURS, [false, false, true, false]),
            ("INSERT INTO tag VALUES (1)", THEIRS, [false, false, true, false]),
            ("INSERT INTO tag VALUES (1)", None, [false, false, true, false]),
            ("DELETE FROM \"material\"", OURS, [true, false, true, true]),
            // rows that are deleted together with those of the other table
            ("DELETE FROM \"material\"", THEIRS, [false, true, true, true]),
            ("DELETE FROM \"material\"", None, [true; 4]),
            ("UPDATE \"import\" SET a = 1", None, [false; 4]),
            ("SELECT 1 FROM \"note\"", None, [false; 4]),
        ] {
            assert_eq!(changed(sql, tenant), expected, "{sql} {tenant:?}");
        }
    }

    #[test]
    fn a_tenant_dropped_from_the_record_counts_as_written_later() {
        let writes = Writes::default();
        for tenant in 0..=TENANTS {
            let tenant = TenantId(i64::try_from(tenant).unwrap());
            write(&writes, "UPDATE note SET a = 1", Some(tenant));
        }
        let last_change =
            |tenant: usize| writes.last_change(&list(Some(TenantId(i64::try_from(tenant).unwrap())), PLAIN));
        assert_eq!((last_change(0), last_change(1), last_change(TENANTS)), (1, 2, TENANTS as u64 + 1));
        write(&writes, "UPDATE note SET a = 1", Some(TenantId(-1)));
        assert_eq!((last_change(0), last_change(1)), (2, 2), "never too early");
        assert_eq!(writes.lock().tables["note"].by_tenant.len(), TENANTS);
    }

    #[test]
    fn a_commit_with_an_unknown_outcome_counts_as_a_write() {
        let writes = Arc::new(Writes::default());
        let mut written = WrittenTables::default();
        written.add(Target::from_sql("UPDATE note SET a = 1"), OURS);
        drop(AnnouncedWrites { writes: writes.clone(), written });
        assert_eq!(writes.last_change(&list(OURS, PLAIN)), 1);
    }
}
