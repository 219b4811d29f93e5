//! Queue of imports: an import is its own job, which a worker claims by a lease.

use background::{Leased, lease};
use chrono::TimeDelta;
use sea_orm::{
    ActiveEnum, ColumnTrait, Condition, ConnectionTrait, EntityTrait, ExprTrait, QueryFilter, Statement,
    sea_query::Expr,
};
use store::{
    Database, Write,
    audit::{Action, Channel, HistoryEntry},
};
use values::{Error, Message, Result, TenantId, UserId, now};

use crate::{
    codes,
    import::{
        self, Column, Import, ImportStatus, Imports, entity::Headings, row::Outcome, row_counts::RowCounts,
    },
    run::{Reading, authority::Authority},
};

/// Number of attempts without progress after which an import is given up.
const ATTEMPTS: i64 = 3;

impl Leased for Imports {
    const ID: Column = Column::Id;
    const OWNER: Column = Column::LeaseOwner;
    const UNTIL: Column = Column::LeaseUntil;
    const FENCE: Column = Column::Fence;
    const LEASE: TimeDelta = TimeDelta::seconds(30);

    fn open() -> Condition {
        Condition::all().add(Column::Status.eq(ImportStatus::InProgress))
    }
}

/// Query for the next import: one whose worker has lost its lease, or a queued one. The tenants with the
/// fewest running imports come first, and among these the one that has waited longest for a turn. Only one
/// import of each tenant and type runs at a time, in the order of uploading.
const NEXT: &str = "SELECT i.id FROM import i WHERE (i.status = 'InProgress' AND i.lease_until < $1) \
    OR (i.status = 'Queued' AND NOT EXISTS (SELECT 1 FROM import o WHERE o.tenant_id = i.tenant_id \
    AND o.type = i.type AND o.status = 'InProgress')) \
    ORDER BY (SELECT count(*) FROM import r WHERE r.tenant_id = i.tenant_id AND r.status = 'InProgress' \
    AND r.lease_until >= $1), \
    (SELECT max(t.turn_at) FROM import t WHERE t.tenant_id = i.tenant_id) NULLS FIRST, i.id";

/// Claims the next import for `owner`.
pub(crate) async fn claim(db: &Database, owner: &str) -> Result<Option<Import>> {
    claim_of(db, owner, NEXT).await
}

/// Claims this import for `owner`, if it is queued.
pub(crate) async fn claim_only(db: &Database, owner: &str, id: i64) -> Result<Option<Import>> {
    let only =
        format!("SELECT i.id FROM import i WHERE i.id = {id} AND i.status = 'Queued' AND i.created_at <= $1");
    claim_of(db, owner, &only).await
}

async fn claim_of(db: &Database, owner: &str, next: &str) -> Result<Option<Import>> {
    let set = [
        "status = 'InProgress'",
        "attempt = attempt + 1",
        "started_at = coalesce(started_at, $1)",
        "turn_at = $1",
        "updated_at = $1",
        "version = version + 1",
    ];
    lease::claim::<Imports>(db, owner, now(), next, &set).await
}

/// Error of an import that was interrupted so often without progress that the file itself is to blame.
pub(crate) fn given_up(import: &Import) -> Option<Message> {
    (import.attempt > ATTEMPTS).then(|| codes::IMPORT_GIVEN_UP.with("attempts", ATTEMPTS))
}

/// Reason why work on an import stops before its end.
#[derive(Debug)]
pub(crate) enum Stop {
    /// Another worker has taken over, or the import has ended.
    Lost,
    /// Import that cannot continue.
    Failed(Vec<Message>),
    /// Problem of the machine; a retry may succeed.
    Broken(Error),
}

impl From<Error> for Stop {
    fn from(error: Error) -> Self {
        Self::Broken(error)
    }
}

impl From<sea_orm::DbErr> for Stop {
    fn from(error: sea_orm::DbErr) -> Self {
        Self::Broken(error.into())
    }
}

/// Query for the number of waiting tenants without a running import, and for the number of running imports
/// that give way before this one: those of tenants with more running imports first, and among these the ones
/// whose turn began earlier.
const WAITING: &str = "WITH running AS (SELECT r.id, r.tenant_id, r.turn_at, \
    count(*) OVER (PARTITION BY r.tenant_id) AS number FROM import r \
    WHERE r.status = 'InProgress' AND r.lease_until >= $1) \
    SELECT (SELECT count(DISTINCT i.tenant_id) FROM import i WHERE i.status IN ('Queued', 'InProgress') \
    AND i.tenant_id NOT IN (SELECT tenant_id FROM running)) AS waiting, \
    (SELECT count(*) FROM running o JOIN running own ON own.id = $2 AND o.id <> own.id \
    WHERE o.number > own.number OR (o.number = own.number AND o.turn_at < own.turn_at) \
    OR (o.number = own.number AND o.turn_at = own.turn_at AND o.id < own.id)) AS before_own";

/// True if a tenant without a running import is waiting and this import has to give way; with `is_overdue`,
/// also if others could.
pub(crate) async fn must_give_way(db: &Database, import: &Import, is_overdue: bool) -> Result<bool> {
    let values = [now().into(), import.id.into()];
    let statement = Statement::from_sql_and_values(db.get_database_backend(), WAITING, values);
    let Some(row) = db.query_one_raw(statement).await? else { return Ok(false) };
    let (waiting, before_own): (i64, i64) = (row.try_get_by_index(0)?, row.try_get_by_index(1)?);
    Ok(waiting > if is_overdue { 0 } else { before_own })
}

/// Ensures that the import still belongs to the worker, and locks it and its tenant until the transaction
/// ends.
pub(crate) async fn lock_owned(tx: &Write, import: &Import) -> Result<(), Stop> {
    require_lease(lease::lock_if_owned::<Imports>(tx, import).await?)
}

/// Renews the lease like [`renew`], within a transaction that does other work.
#[expect(clippy::disallowed_methods, reason = "the worker's own import, by its fence")]
pub(crate) async fn renew_within(tx: &Write, import: &Import) -> Result<(), Stop> {
    let update = lease::renewed(Imports::update_many());
    require_lease(lease::change(tx, import, update).await?)
}

/// Renews the lease of the worker.
pub(crate) async fn renew(db: &Database, import: &Import) -> Result<(), Stop> {
    require_lease(lease::renew::<Imports>(db, import).await?)
}

/// Records the number of rows, the number of hidden ones, and the reading of the file.
#[expect(clippy::disallowed_methods, reason = "the worker's own import, by its fence")]
pub(crate) async fn begin(
    db: &Database,
    import: &Import,
    rows_total: i64,
    rows_hidden: i64,
    reading: Option<Reading<'_>>,
) -> Result<(), Stop> {
    let tx = db.begin().await?;
    let style = reading.as_ref().map(|reading| import::style_name(reading.style));
    let mut update = lease::renewed(Imports::update_many())
        .col_expr(Column::RowsTotal, Expr::value(rows_total))
        .col_expr(Column::RowsHidden, Expr::value(rows_hidden))
        .col_expr(Column::NumberStyle, Expr::value(style));
    if let Some(Reading { options, header, .. }) = reading {
        let settings = import.settings.clone().unwrap_or_default().with_recognised(options);
        let settings = (!settings.is_empty()).then_some(settings);
        let header = Headings(header.iter().map(|cell| cell.as_str().trim().to_owned()).collect());
        update = update
            .col_expr(Column::Settings, Expr::value(settings))
            .col_expr(Column::Header, Expr::value(Some(header)));
    }
    require_lease(lease::change(&tx, import, update).await?)?;
    Ok(tx.commit().await?)
}

/// Records a batch up to line `checkpoint`, in the transaction that applies it.
#[expect(clippy::disallowed_methods, reason = "the worker's own import, by its fence")]
pub(crate) async fn record(
    tx: &impl ConnectionTrait,
    import: &Import,
    checkpoint: u32,
    counts: RowCounts,
) -> Result<(), Stop> {
    let counted = counts.iter().map(|(outcome, rows)| (outcome.column(), rows));
    let update = lease::renewed(Imports::update_many())
        .col_expr(Column::Checkpoint, Expr::value(i64::from(checkpoint)))
        // There is progress, so a later interruption counts as the first one.
        .col_expr(Column::Attempt, Expr::value(0_i64));
    let update = [(Column::RowsDone, counts.total())]
        .into_iter()
        .chain(counted)
        .fold(update, |update, (column, rows)| update.col_expr(column, Expr::col(column).add(rows)));
    require_lease(lease::change(tx, import, update).await?)
}

/// Last line that an import has recorded.
#[expect(clippy::disallowed_methods, reason = "the worker's own import")]
pub(crate) async fn last_line(tx: &impl ConnectionTrait, import: &Import) -> Result<u32, Stop> {
    let now = Imports::find_by_id(import.id).one(tx).await?.ok_or(Stop::Lost)?;
    Ok(u32::try_from(now.checkpoint).unwrap_or_default())
}

/// Ends an import, with an entry in the history and a notification.
pub(crate) async fn finish(
    db: &Database,
    authority: &dyn Authority,
    import: &Import,
    status: ImportStatus,
    messages: &[Message],
) -> Result<(), Stop> {
    let tx = db.begin().await?;
    end(&tx, authority, import, status, messages).await?;
    Ok(tx.commit().await?)
}

/// Ends an import within the transaction of its last changes.
pub(crate) async fn end(
    tx: &Write,
    authority: &dyn Authority,
    import: &Import,
    status: ImportStatus,
    messages: &[Message],
) -> Result<(), Stop> {
    let finished = close(tx, import, status, messages).await?;
    tx.note(finished_entry(&finished));
    Ok(authority.ends(tx, &finished).await?)
}

/// Records the end of an import and returns its final state.
#[expect(clippy::disallowed_methods, reason = "an import that the transaction holds, by its fence")]
pub(crate) async fn close(
    tx: &Write,
    import: &Import,
    status: ImportStatus,
    messages: &[Message],
) -> Result<Import, Stop> {
    let text = serde_json::to_string(messages).map_err(Error::internal)?;
    let message = (!messages.is_empty()).then_some(text);
    let now = now();
    let finished = lease::released(Imports::update_many())
        .col_expr(Column::Status, Expr::value(status))
        .col_expr(Column::StatusMessage, Expr::value(message))
        .col_expr(Column::FinishedAt, Expr::value(now))
        .col_expr(Column::UpdatedAt, Expr::value(now))
        .col_expr(Column::Version, Expr::col(Column::Version).add(1));
    require_lease(lease::change(tx, import, finished).await?)?;
    Imports::find_by_id(import.id).one(tx).await?.ok_or(Stop::Lost)
}

/// Results that the history mentions only if there are such rows.
const NAMED_IF_ANY: [Outcome; 3] = [Outcome::Removed, Outcome::Skipped, Outcome::Kept];

/// History entry about the end of an import, in the name of the uploader.
fn finished_entry(import: &Import) -> HistoryEntry {
    let mut entry = HistoryEntry::new(Action::Finished, "import", Some(import.id));
    entry.name = Some(import.upload_file.clone());
    (entry.tenant, entry.user) = (Some(TenantId(import.tenant_id)), import.created_by.map(UserId));
    entry.channel = Channel::Import(import.id);
    entry.add_detail("status", import.status.to_value());
    for (outcome, rows) in import.row_counts().iter() {
        if rows > 0 || !NAMED_IF_ANY.contains(&outcome) {
            entry.add_detail(outcome.counter(), rows);
        }
    }
    if let Some(undone) = import.undoes {
        entry.add_detail("undoes", undone);
    }
    if import.dry_run {
        entry.add_detail("dry_run", true);
    }
    entry
}

/// Uncounts an attempt that the file was not to blame for, even if another worker has taken over.
#[expect(clippy::disallowed_methods, reason = "the worker's own import")]
pub(crate) async fn forgive(db: &Database, import: &Import) -> Result<()> {
    let tx = db.begin().await?;
    Imports::update_many()
        .col_expr(Column::Attempt, Expr::col(Column::Attempt).sub(1))
        .filter(Column::Id.eq(import.id))
        .filter(Column::Attempt.gt(0))
        .filter(Column::Status.eq(ImportStatus::InProgress))
        .exec(&tx)
        .await?;
    tx.commit().await
}

/// Releases an import, to be continued immediately; the end of the process is no failed attempt.
#[expect(clippy::disallowed_methods, reason = "the worker's own import, by its fence")]
pub(crate) async fn release(db: &Database, import: &Import) -> Result<(), Stop> {
    let update = lease::expired(Imports::update_many()).col_expr(Column::Attempt, Expr::value(0_i64));
    let tx = db.begin().await?;
    let released = lease::change(&tx, import, update).await?;
    tx.commit().await?;
    require_lease(released)
}

fn require_lease(is_held: bool) -> Result<(), Stop> {
    if is_held { Ok(()) } else { Err(Stop::Lost) }
}

#[cfg(test)]
mod tests;
