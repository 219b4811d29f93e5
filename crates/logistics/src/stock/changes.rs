//! What has changed of a tenant's stocks, in an order of which whoever reads on from where they were skips nothing.
//!
//! A write empties the number of its row. Whoever asks numbers what is committed and has none yet, one after the other and behind
//! all numbers that were given before: so a number never appears below one that somebody has read, whatever was written at once, and
//! those who write do not wait for each other. Deleted stocks are remembered for 90 days.

use chrono::TimeDelta;
use kernel::{Code, Database, Instant, Result, Scope, Snapshot, TenantId, Write, now};
use sea_orm::{ConnectionTrait, DbBackend, FromQueryResult, Statement, Value};

/// The most changes that are read, and numbered, at once.
pub const PAGE: i64 = 500;

/// How long it is known that a stock was deleted.
fn kept() -> TimeDelta {
    TimeDelta::days(90)
}

/// Changes behind a number.
#[derive(Debug)]
pub struct Changes {
    /// In their order. A stock that has changed again since comes once.
    pub changes: Vec<Change>,
    /// Where to read on.
    pub cursor: i64,
    /// Whether there are more already.
    pub more: bool,
    /// The moment as of which they were read; what they concern is read as of the same.
    pub snapshot: Snapshot,
}

#[derive(Debug, Clone, FromQueryResult)]
pub struct Change {
    number: i64,
    pub stock_id: i64,
    /// What a deleted one was called; `None` of one that is there.
    pub gone: Option<String>,
}

#[derive(FromQueryResult)]
struct Known {
    last: i64,
    forgotten: i64,
}

/// What has changed since this number; since 0, all stocks.
///
/// # Errors
/// [`Code::CursorExpired`] when deletions since then are no longer known.
pub async fn since(db: &Database, scope: &Scope, since: i64) -> Result<Changes> {
    let tenant = scope.tenant()?;
    let waits = query(db, WAITS, [tenant.into()]);
    if db.query_one_raw(waits).await?.is_some() {
        number(db, tenant).await?;
    }
    // both as of one moment: what is forgotten between them would be missed
    let snapshot = db.snapshot().await?;
    let read = query(db, READ, [tenant.into(), since.into(), PAGE.into()]);
    let changes = Change::find_by_statement(read).all(&snapshot).await?;
    let known = Known::find_by_statement(query(db, KNOWN, [tenant.into()])).one(&snapshot).await?;
    let Known { last, forgotten } = known.unwrap_or(Known { last: 0, forgotten: 0 });
    if since != 0 && !(forgotten..=last).contains(&since) {
        return Err(Code::CursorExpired.into());
    }
    let cursor = changes.last().map_or(since, |change| change.number);
    let more = i64::try_from(changes.len()).is_ok_and(|read| read == PAGE);
    Ok(Changes { changes, cursor, more, snapshot })
}

/// Gives numbers to what waits for one. Whoever does so for a tenant does it alone.
async fn number(db: &Database, tenant: TenantId) -> Result<()> {
    let tx = db.begin().await?;
    let alone = Known::find_by_statement(query(&tx, ALONE, [tenant.into()])).one(&tx).await?;
    let mut last = alone.map(|known| known.last).unwrap_or_default();
    // rows that are being written are left to the next one
    let unlocked =
        if tx.get_database_backend() == DbBackend::Postgres { "FOR UPDATE SKIP LOCKED" } else { "" };
    for numbers in [NUMBER_GONE, NUMBER_STOCKS] {
        let sql = numbers.replace("{unlocked}", unlocked);
        let own = tx.of(Some(tenant));
        let given = own.query_all_raw(query(&tx, &sql, [tenant.into(), last.into(), PAGE.into()])).await?;
        for row in given {
            last = last.max(row.try_get_by_index(0)?);
        }
    }
    tx.execute_raw(query(&tx, GIVEN, [last.into(), tenant.into()])).await?;
    tx.commit().await
}

/// Remembers stocks that are about to be deleted.
pub async fn gone(tx: &Write, scope: &Scope, ids: &[i64]) -> Result<()> {
    let tenant = scope.tenant()?;
    let ids: Vec<String> = ids.iter().map(i64::to_string).collect();
    let sql = GONE.replace("{ids}", &ids.join(", "));
    tx.of(Some(tenant)).execute_raw(query(tx, &sql, [tenant.into(), now().into()])).await?;
    Ok(())
}

/// Forgets deletions of long ago. Where nobody has asked since, whoever asks next begins anew.
pub async fn clean_up(tx: &Write, now: Instant) -> Result<()> {
    for sql in [FORGET_NUMBERED, FORGET_WAITING, FORGET] {
        tx.execute_raw(query(tx, sql, [(now - kept()).into()])).await?;
    }
    Ok(())
}

const WAITS: &str = "SELECT 1 FROM stock WHERE tenant_id = $1 AND change IS NULL \
    UNION ALL SELECT 1 FROM stock_gone WHERE tenant_id = $1 AND change IS NULL LIMIT 1";

const KNOWN: &str = "SELECT last, forgotten FROM stock_change WHERE tenant_id = $1";

const ALONE: &str = "INSERT INTO stock_change (tenant_id, last, forgotten) VALUES ($1, 0, 0) \
    ON CONFLICT (tenant_id) DO UPDATE SET last = stock_change.last RETURNING last, forgotten";

// materialized: looked for again while rows are being numbered, other rows would be found
const NUMBER_GONE: &str = "UPDATE stock_gone SET change = $2 + numbered.rank FROM (WITH waiting AS MATERIALIZED ( \
    SELECT stock_id FROM stock_gone WHERE tenant_id = $1 AND change IS NULL ORDER BY stock_id LIMIT $3 {unlocked}) \
    SELECT stock_id, row_number() OVER (ORDER BY stock_id) AS rank FROM waiting) numbered \
    WHERE stock_gone.tenant_id = $1 AND stock_gone.stock_id = numbered.stock_id RETURNING change";

// one that was deleted and made again under its id waits until its deletion has a number, a lower one
const NUMBER_STOCKS: &str = "UPDATE stock SET change = $2 + numbered.rank FROM (WITH waiting AS MATERIALIZED ( \
    SELECT id FROM stock WHERE tenant_id = $1 AND change IS NULL AND NOT EXISTS (SELECT 1 FROM stock_gone \
        WHERE stock_gone.tenant_id = $1 AND stock_gone.stock_id = stock.id AND stock_gone.change IS NULL) \
    ORDER BY id LIMIT $3 {unlocked}) \
    SELECT id, row_number() OVER (ORDER BY id) AS rank FROM waiting) numbered \
    WHERE stock.tenant_id = $1 AND stock.id = numbered.id RETURNING change";

const GIVEN: &str = "UPDATE stock_change SET last = $1 WHERE tenant_id = $2";

// one statement, so that both tables are read as of one moment
const READ: &str = "SELECT number, stock_id, gone FROM ( \
    SELECT * FROM (SELECT change AS number, id AS stock_id, NULL AS gone FROM stock \
        WHERE tenant_id = $1 AND change > $2 ORDER BY change LIMIT $3) there \
    UNION ALL SELECT * FROM (SELECT change AS number, stock_id, name AS gone FROM stock_gone \
        WHERE tenant_id = $1 AND change > $2 ORDER BY change LIMIT $3) gone \
    ) changes ORDER BY number LIMIT $3";

const GONE: &str = "INSERT INTO stock_gone (tenant_id, stock_id, name, change, gone_at) \
    SELECT tenant_id, id, name, NULL, $2 FROM stock WHERE tenant_id = $1 AND id IN ({ids}) \
    ON CONFLICT (tenant_id, stock_id) DO UPDATE SET name = excluded.name, change = NULL, gone_at = excluded.gone_at";

const FORGET_NUMBERED: &str = "UPDATE stock_change SET forgotten = old.change FROM (SELECT tenant_id, max(change) AS change \
    FROM stock_gone WHERE gone_at < $1 AND change IS NOT NULL GROUP BY tenant_id) old \
    WHERE stock_change.tenant_id = old.tenant_id AND stock_change.forgotten < old.change";

const FORGET_WAITING: &str = "UPDATE stock_change SET last = last + 1, forgotten = last + 1 \
    WHERE tenant_id IN (SELECT tenant_id FROM stock_gone WHERE gone_at < $1 AND change IS NULL)";

const FORGET: &str = "DELETE FROM stock_gone WHERE gone_at < $1";

fn query(db: &impl ConnectionTrait, sql: &str, values: impl IntoIterator<Item = Value>) -> Statement {
    Statement::from_sql_and_values(db.get_database_backend(), sql, values)
}
