//! Change feeds: rows of a table in the order of their last changes. A reader who continues from a number
//! misses nothing.
//!
//! Every write clears the number of its row ([`crate::NumberedColumns`]). A reader gives numbers to committed
//! changes that have none, all above the numbers given before. So no number ever appears below one that was
//! read, even with many concurrent writers, and writers do not wait for each other. Deletions are remembered
//! for 90 days.

use std::collections::HashSet;

use chrono::TimeDelta;
use sea_orm::{ConnectionTrait, DbBackend, FromQueryResult, QueryResult, Statement, Value};
use values::{Error, Instant, Result, TenantId, codes};

use crate::{
    Database, Snapshot, Write,
    bulk::Rows,
    deleted_record::NumberedTable,
    scope::{Recorded, numbered_table},
};

/// Maximum number of changes that are read and numbered in one go.
pub const PAGE: i64 = 500;
/// Batch size when all changes of a stream are numbered.
const NUMBERED_AT_ONCE: i64 = 10_000;
/// Period for which a deletion is remembered.
const REMEMBERED: TimeDelta = TimeDelta::days(90);

/// Rows of a table that share one sequence of numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stream {
    tenant: i64,
    part: i64,
}

impl Stream {
    /// Rows of the platform.
    pub const PLATFORM: Self = Self { tenant: 0, part: 0 };

    /// Returns the stream with the changes of a tenant.
    pub fn for_tenant(tenant: TenantId) -> Self {
        Self { tenant: tenant.into(), part: 0 }
    }

    /// Rows of one part of a tenant, or of one part of the platform.
    pub fn for_part(tenant: Option<TenantId>, part: i64) -> Self {
        Self { tenant: tenant.map_or(0, i64::from), part }
    }
}

/// Page of changes after a number.
#[derive(Debug)]
pub struct Changes {
    /// Changes in order; a row that was changed several times occurs once.
    pub changes: Vec<RowChange>,
    /// Number to continue from.
    pub cursor: i64,
    /// True if there are further changes.
    pub has_more: bool,
    /// Snapshot in which the changes were read; the rows are to be read in it as well.
    pub snapshot: Snapshot,
}

/// Row that was written or deleted.
#[derive(Debug, Clone, FromQueryResult)]
pub struct RowChange {
    number: i64,
    pub id: i64,
    /// Name of a deleted row; `None` for one that exists.
    pub deleted_name: Option<String>,
}

#[derive(FromQueryResult)]
struct Counter {
    last: i64,
    forgotten: i64,
}

/// Reads the changes after a number, or all rows after 0. The caller must be allowed to read the stream.
///
/// # Errors
/// [`codes::CURSOR_EXPIRED`] if deletions since that number are no longer remembered.
pub async fn since<E: Recorded>(db: &Database, stream: Stream, since: i64) -> Result<Changes> {
    let feed = Feed::new::<E>()?;
    if db.query_one_raw(feed.query(db, WAITS, stream, [])).await?.is_some() {
        let tx = db.begin().await?;
        feed.number(&tx, stream, PAGE).await?;
        tx.commit().await?;
    }
    // both in one snapshot: a deletion that is cleaned up between the two reads would be missed
    let snapshot = db.snapshot().await?;
    let read = feed.query(db, READ, stream, [since.into(), PAGE.into()]);
    let changes = RowChange::find_by_statement(read).all(&snapshot).await?;
    let counter = Counter::find_by_statement(feed.query(db, COUNTER, stream, [])).one(&snapshot).await?;
    let Counter { last, forgotten } = counter.unwrap_or(Counter { last: 0, forgotten: 0 });
    if since != 0 && !(forgotten..=last).contains(&since) {
        return Err(codes::CURSOR_EXPIRED.into());
    }
    let cursor = changes.last().map_or(since, |change| change.number);
    let has_more = i64::try_from(changes.len()).is_ok_and(|read| read == PAGE);
    Ok(Changes { changes, cursor, has_more, snapshot })
}

/// Numbers all committed changes, so that [`end`] has little left to do.
pub async fn number_all<E: Recorded>(db: &Database, stream: Stream) -> Result<()> {
    let feed = Feed::new::<E>()?;
    loop {
        let tx = db.begin_long().await?;
        let (_, numbered) = feed.number(&tx, stream, NUMBERED_AT_ONCE).await?;
        tx.commit().await?;
        if numbered == 0 {
            return Ok(());
        }
    }
}

/// Returns the last number of a stream. Changes that are committed from now on get higher numbers; all others
/// have that number or a lower one.
pub async fn end<E: Recorded>(tx: &Write, stream: Stream) -> Result<i64> {
    let feed = Feed::new::<E>()?;
    loop {
        let (last, numbered) = feed.number(tx, stream, NUMBERED_AT_ONCE).await?;
        if numbered == 0 {
            return Ok(last);
        }
    }
}

/// Deletes the records of old deletions. A reader whose number is older has to start again.
pub async fn clean_up(tx: &Write, now: Instant) -> Result<()> {
    for sql in [FORGET_NUMBERED, FORGET_WAITING, FORGET] {
        let long_ago = (now - REMEMBERED).into();
        tx.execute_raw(Statement::from_sql_and_values(tx.get_database_backend(), sql, [long_ago])).await?;
    }
    Ok(())
}

/// Statements for one table.
struct Feed(NumberedTable);

impl Feed {
    fn new<E: Recorded>() -> Result<Self> {
        let table = numbered_table::<E>();
        table.map(Self).ok_or_else(|| Error::internal("changes of this table are not numbered"))
    }

    /// Statement with the names of this table; `$1` is the tenant of a stream, `$2` its part.
    fn sql(&self, template: &str) -> String {
        let NumberedTable { table, change, owner, part, .. } = self.0;
        let owner = owner.map(|owner| format!("{owner} = $1"));
        let part = part.map(|part| format!("{part} = $2"));
        let own: Vec<String> = owner.into_iter().chain(part).collect();
        let own = if own.is_empty() { "1 = 1".to_owned() } else { own.join(" AND ") };
        template.replace("{own}", &own).replace("{table}", table).replace("{change}", change)
    }

    fn query(
        &self,
        db: &impl ConnectionTrait,
        template: &str,
        stream: Stream,
        further: impl IntoIterator<Item = Value>,
    ) -> Statement {
        let values: Vec<Value> =
            [stream.tenant.into(), stream.part.into()].into_iter().chain(further).collect();
        Statement::from_sql_and_values(db.get_database_backend(), self.sql(template), values)
    }

    /// Numbers changes that have no number yet: at most `size` deletions and `size` rows, by one transaction
    /// at a time for each stream. Returns the last number and the count of numbered changes.
    async fn number(&self, tx: &Write, stream: Stream, size: i64) -> Result<(i64, usize)> {
        let counter = Counter::find_by_statement(self.query(tx, LOCK, stream, [])).one(tx).await?;
        let mut last = counter.map(|counter| counter.last).unwrap_or_default();
        let tenant = (stream.tenant != 0).then_some(TenantId(stream.tenant));
        let deletions =
            self.query(tx, &skipping_locked(tx, NUMBER_DELETED), stream, [last.into(), size.into()]);
        let mut numbered = 0;
        for row in tx.for_tenant(tenant).query_all_raw(deletions).await? {
            last = last.max(row.try_get_by_index(0)?);
            numbered += 1;
        }
        let waiting = self.waiting_rows(tx, stream, size).await?;
        if !waiting.is_empty() {
            let changes = (last + 1..).take(waiting.len()).map(Value::from).collect();
            last += i64::try_from(waiting.len()).map_err(Error::internal)?;
            numbered += waiting.len();
            let mut rows = Rows::default();
            rows.with(self.0.id, waiting.into_iter().map(Value::from).collect())?;
            rows.with(self.0.change, changes)?;
            let own =
                self.0.owner.map(|owner| format!("AND {owner} = {}", stream.tenant)).unwrap_or_default();
            rows.update(&tx.for_tenant(tenant), self.0.table, "", &own).await?;
        }
        tx.execute_raw(self.query(tx, SET_LAST, stream, [last.into()])).await?;
        Ok((last, numbered))
    }

    /// Locks at most `size` rows whose changes have no number yet. A row that was deleted and recreated under
    /// its id waits until its deletion has a number, which is the lower one. Deletions are read after the
    /// rows, so that none is missed, and by a statement of their own, because a sharded database joins tables
    /// of the platform with no other.
    async fn waiting_rows(&self, tx: &Write, stream: Stream, size: i64) -> Result<Vec<i64>> {
        let id = |row: QueryResult| Ok(row.try_get_by_index(0)?);
        let waiting = self.query(tx, &skipping_locked(tx, WAITING_ROWS), stream, [size.into()]);
        let waiting = tx.query_all_raw(waiting).await?.into_iter().map(id).collect::<Result<Vec<i64>>>()?;
        let (Some(first), Some(last)) = (waiting.first(), waiting.last()) else { return Ok(waiting) };
        let deleted = self.query(tx, WAITING_DELETIONS, stream, [(*first).into(), (*last).into()]);
        let deleted =
            tx.query_all_raw(deleted).await?.into_iter().map(id).collect::<Result<HashSet<i64>>>()?;
        Ok(waiting.into_iter().filter(|id| !deleted.contains(id)).collect())
    }
}

/// Makes a statement skip rows that are being written, which are left to the next reader.
fn skipping_locked(tx: &Write, template: &str) -> String {
    let skipping =
        if tx.get_database_backend() == DbBackend::Postgres { "FOR UPDATE SKIP LOCKED" } else { "" };
    template.replace("{skipping_locked}", skipping)
}

const WAITS: &str = "SELECT 1 FROM {table} WHERE {own} AND {change} IS NULL \
    UNION ALL SELECT 1 FROM deleted_record WHERE record_table = '{table}' AND tenant_id = $1 AND part = $2 \
        AND change IS NULL LIMIT 1";

const COUNTER: &str = "SELECT last, forgotten FROM change_counter \
    WHERE record_table = '{table}' AND tenant_id = $1 AND part = $2";

const LOCK: &str = "INSERT INTO change_counter (record_table, tenant_id, part, last, forgotten) \
    VALUES ('{table}', $1, $2, 0, 0) \
    ON CONFLICT (record_table, tenant_id, part) DO UPDATE SET last = change_counter.last RETURNING last, forgotten";

// materialized: if the query ran again while rows are being numbered, it would find other rows
const NUMBER_DELETED: &str = "UPDATE deleted_record SET change = $3 + numbered.rank FROM (WITH waiting AS MATERIALIZED ( \
    SELECT record_id FROM deleted_record WHERE record_table = '{table}' AND tenant_id = $1 AND part = $2 \
        AND change IS NULL ORDER BY record_id LIMIT $4 {skipping_locked}) \
    SELECT record_id, row_number() OVER (ORDER BY record_id) AS rank FROM waiting) numbered \
    WHERE deleted_record.record_table = '{table}' AND deleted_record.tenant_id = $1 AND deleted_record.part = $2 \
        AND deleted_record.record_id = numbered.record_id RETURNING change";

const WAITING_ROWS: &str =
    "SELECT id FROM {table} WHERE {own} AND {change} IS NULL ORDER BY id LIMIT $3 {skipping_locked}";

const WAITING_DELETIONS: &str = "SELECT record_id FROM deleted_record WHERE record_table = '{table}' \
    AND tenant_id = $1 AND part = $2 AND change IS NULL AND record_id BETWEEN $3 AND $4";

const SET_LAST: &str = "UPDATE change_counter SET last = $3 \
    WHERE record_table = '{table}' AND tenant_id = $1 AND part = $2";

// one statement, so that both tables are read in the same snapshot
const READ: &str = "SELECT number, id, deleted_name FROM ( \
    SELECT * FROM (SELECT {change} AS number, id, NULL AS deleted_name FROM {table} \
        WHERE {own} AND {change} > $3 ORDER BY {change} LIMIT $4) there \
    UNION ALL SELECT * FROM (SELECT change AS number, record_id AS id, name AS deleted_name FROM deleted_record \
        WHERE record_table = '{table}' AND tenant_id = $1 AND part = $2 AND change > $3 ORDER BY change LIMIT $4) gone \
    ) changes ORDER BY number LIMIT $4";

const FORGET_NUMBERED: &str = "UPDATE change_counter SET forgotten = old.change FROM ( \
    SELECT record_table, tenant_id, part, max(change) AS change FROM deleted_record \
        WHERE deleted_at < $1 AND change IS NOT NULL GROUP BY record_table, tenant_id, part) old \
    WHERE change_counter.record_table = old.record_table AND change_counter.tenant_id = old.tenant_id \
        AND change_counter.part = old.part AND change_counter.forgotten < old.change";

const FORGET_WAITING: &str = "UPDATE change_counter SET last = last + 1, forgotten = last + 1 \
    WHERE EXISTS (SELECT 1 FROM deleted_record WHERE deleted_record.record_table = change_counter.record_table \
        AND deleted_record.tenant_id = change_counter.tenant_id AND deleted_record.part = change_counter.part \
        AND deleted_record.deleted_at < $1 AND deleted_record.change IS NULL)";

const FORGET: &str = "DELETE FROM deleted_record WHERE deleted_at < $1";
