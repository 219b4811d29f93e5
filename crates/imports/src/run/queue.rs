//! The queue: an import is its own job, which a worker holds by a lease.

use background::{Leased, lease};
use chrono::TimeDelta;
use kernel::{
    Code, Database, Error, Message, Result, TenantId, UserId, Write,
    audit::{Action, Channel, HistoryEntry},
    now,
};
use sea_orm::{
    ActiveEnum, ColumnTrait, Condition, ConnectionTrait, EntityTrait, ExprTrait, IdenStatic, QueryFilter,
    Statement, sea_query::Expr,
};

use crate::{
    import::{
        self, Column, Import, ImportStatus, Imports, entity::Headings, row::Outcome, row_counts::RowCounts,
    },
    run::{Reading, authority::Authority},
};

/// How often an import may be interrupted without getting any further.
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

/// Whose turn it is, or who was left behind by a worker that fell silent. Tenants take turns: those first of whom least is
/// running, and of these whoever has waited longest for a turn. Of one tenant and type only one import runs at a time, in
/// the order of uploading.
const NEXT: &str = "SELECT i.id FROM import i WHERE (i.status = 'InProgress' AND i.lease_until < $1) \
    OR (i.status = 'Queued' AND NOT EXISTS (SELECT 1 FROM import o WHERE o.tenant_id = i.tenant_id \
    AND o.type = i.type AND o.status = 'InProgress')) \
    ORDER BY (SELECT count(*) FROM import r WHERE r.tenant_id = i.tenant_id AND r.status = 'InProgress' \
    AND r.lease_until >= $1), \
    (SELECT max(t.turn_at) FROM import t WHERE t.tenant_id = i.tenant_id) NULLS FIRST, i.id";

/// The next import; now it is `owner`'s.
pub(crate) async fn claim(db: &Database, owner: &str) -> Result<Option<Import>> {
    claim_of(db, owner, NEXT).await
}

/// This import, if it is queued; now it is `owner`'s.
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

/// Whether the import has been interrupted so often without getting any further that the file itself is to blame.
pub(crate) fn given_up(import: &Import) -> Option<Message> {
    (import.attempt > ATTEMPTS).then(|| Code::ImportGivenUp.with("attempts", ATTEMPTS))
}

/// Why work on an import stops before its end.
#[derive(Debug)]
pub(crate) enum Stop {
    /// Somebody else works on the import, or it has ended.
    Lost,
    /// The import itself cannot go on.
    Failed(Vec<Message>),
    /// The machine has a problem; another attempt may succeed.
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

/// Tenants that wait and of whom nothing is running, and the running imports that are to give way before this one: those of
/// tenants with more of them first, and of these whoever has had their place for longest.
const WAITING: &str = "WITH running AS (SELECT r.id, r.tenant_id, r.turn_at, \
    count(*) OVER (PARTITION BY r.tenant_id) AS number FROM import r \
    WHERE r.status = 'InProgress' AND r.lease_until >= $1) \
    SELECT (SELECT count(DISTINCT i.tenant_id) FROM import i WHERE i.status IN ('Queued', 'InProgress') \
    AND i.tenant_id NOT IN (SELECT tenant_id FROM running)) AS waiting, \
    (SELECT count(*) FROM running o JOIN running own ON own.id = $2 AND o.id <> own.id \
    WHERE o.number > own.number OR (o.number = own.number AND o.turn_at < own.turn_at) \
    OR (o.number = own.number AND o.turn_at = own.turn_at AND o.id < own.id)) AS before_own";

/// True if a tenant with no running import waits and this import is the one to give way; where `is_overdue`, also if others
/// could.
pub(crate) async fn must_give_way(db: &Database, import: &Import, is_overdue: bool) -> Result<bool> {
    let values = [now().into(), import.id.into()];
    let statement = Statement::from_sql_and_values(db.get_database_backend(), WAITING, values);
    let Some(row) = db.query_one_raw(statement).await? else { return Ok(false) };
    let (waiting, before_own): (i64, i64) = (row.try_get_by_index(0)?, row.try_get_by_index(1)?);
    Ok(waiting > if is_overdue { 0 } else { before_own })
}

/// Makes sure that the import is still the worker's, and that nobody takes it, or its tenant, away until the transaction
/// ends.
pub(crate) async fn hold(tx: &Write, import: &Import) -> Result<(), Stop> {
    held(lease::hold::<Imports>(tx, import).await?)
}

/// The same as [`renew`], in a transaction that does something else.
#[expect(clippy::disallowed_methods, reason = "the worker's own import, by its fence")]
pub(crate) async fn stay(tx: &Write, import: &Import) -> Result<(), Stop> {
    let update = lease::renewed(Imports::update_many());
    held(lease::change(tx, import, update).await?)
}

/// Says that the worker is alive.
pub(crate) async fn renew(db: &Database, import: &Import) -> Result<(), Stop> {
    held(lease::renew::<Imports>(db, import).await?)
}

/// How many rows there are, and how many are hidden in the spreadsheet.
#[expect(clippy::disallowed_methods, reason = "the worker's own import, by its fence")]
pub(crate) async fn begin(
    db: &Database,
    import: &Import,
    (rows_total, rows_hidden): (i64, i64),
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
    held(lease::change(&tx, import, update).await?)?;
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
        // It gets on, so that a later interruption is a new matter.
        .col_expr(Column::Attempt, Expr::value(0_i64));
    let update = [(Column::RowsDone, counts.total())]
        .into_iter()
        .chain(counted)
        .fold(update, |update, (column, rows)| update.col_expr(column, Expr::col(column).add(rows)));
    held(lease::change(tx, import, update).await?)
}

/// How far an import has got.
#[expect(clippy::disallowed_methods, reason = "the worker's own import")]
pub(crate) async fn last_line(tx: &impl ConnectionTrait, import: &Import) -> Result<u32, Stop> {
    let now = Imports::find_by_id(import.id).one(tx).await?.ok_or(Stop::Lost)?;
    Ok(u32::try_from(now.checkpoint).unwrap_or_default())
}

/// Ends an import, and tells the history and whoever else wants to know how.
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

/// The same in the transaction that does what is told.
pub(crate) async fn end(
    tx: &Write,
    authority: &dyn Authority,
    import: &Import,
    status: ImportStatus,
    messages: &[Message],
) -> Result<(), Stop> {
    let finished = close(tx, import, status, messages).await?;
    tx.note(told(&finished));
    Ok(authority.ends(tx, &finished).await?)
}

/// Says that an import has ended, and gives it back as it is then.
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
    let finished = lease::ended(Imports::update_many())
        .col_expr(Column::Status, Expr::value(status))
        .col_expr(Column::StatusMessage, Expr::value(message))
        .col_expr(Column::FinishedAt, Expr::value(now))
        .col_expr(Column::UpdatedAt, Expr::value(now))
        .col_expr(Column::Version, Expr::col(Column::Version).add(1));
    held(lease::change(tx, import, finished).await?)?;
    Imports::find_by_id(import.id).one(tx).await?.ok_or(Stop::Lost)
}

/// Outcomes that the history names only where rows came out so.
const NAMED_IF_ANY: [Outcome; 3] = [Outcome::Removed, Outcome::Skipped, Outcome::Kept];

/// How an import ended, in the name of whoever uploaded it.
fn told(import: &Import) -> HistoryEntry {
    let mut entry = HistoryEntry::new(Action::Finished, "import", Some(import.id));
    entry.name = Some(import.upload_file.clone());
    (entry.tenant, entry.user) = (Some(TenantId(import.tenant_id)), import.created_by.map(UserId));
    entry.channel = Channel::Import(import.id);
    entry.tell("status", import.status.to_value());
    for (outcome, rows) in import.row_counts().iter() {
        if rows > 0 || !NAMED_IF_ANY.contains(&outcome) {
            entry.tell(outcome.column().as_str(), rows);
        }
    }
    if let Some(undone) = import.undoes {
        entry.tell("undoes", undone);
    }
    if import.dry_run {
        entry.tell("dry_run", true);
    }
    entry
}

/// Takes an attempt back that ended by no fault of the file, whoever works on the import by now.
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

/// Gives an import back, to be continued at once; being asked to end is no failed attempt.
#[expect(clippy::disallowed_methods, reason = "the worker's own import, by its fence")]
pub(crate) async fn release(db: &Database, import: &Import) -> Result<(), Stop> {
    let update = lease::run_out(Imports::update_many()).col_expr(Column::Attempt, Expr::value(0_i64));
    let tx = db.begin().await?;
    let released = lease::change(&tx, import, update).await?;
    tx.commit().await?;
    held(released)
}

fn held(held: bool) -> Result<(), Stop> {
    if held { Ok(()) } else { Err(Stop::Lost) }
}

#[cfg(test)]
mod tests;
