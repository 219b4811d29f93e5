//! The queue: an import is its own job. A worker holds it by a lease; what a worker writes counts only as long as its
//! fence, a number that every claim raises, is the import's.

use chrono::TimeDelta;
use kernel::{
    Code, Database, Error, Instant, Message, Result, TenantId, UserId, Write,
    audit::{Action, Channel, HistoryEntry},
    now,
};
use sea_orm::{
    ActiveEnum, ColumnTrait, ConnectionTrait, DbBackend, EntityTrait, ExprTrait, FromQueryResult,
    QueryFilter, QuerySelect, SqlErr, Statement, sea_query::Expr,
};

use crate::{
    import::{Column, Import, ImportStatus, Imports},
    refusal::{self, Refusals},
    row::{self, ImportRows},
};

/// How long a worker may be silent.
pub(crate) const LEASE: TimeDelta = TimeDelta::seconds(30);
/// How often an import may be interrupted without getting any further.
const ATTEMPTS: i64 = 3;

/// How many rows came out how.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Counts {
    pub created: i64,
    pub updated: i64,
    pub unchanged: i64,
    pub refused: i64,
}

impl Counts {
    pub(crate) fn done(self) -> i64 {
        self.created + self.updated + self.unchanged + self.refused
    }
}

/// The import whose turn it is, or that was left behind by a worker that fell silent; now it is `owner`'s.
///
/// Tenants take turns: those first of whom least is running, and of these whoever has waited longest for a turn. Of one
/// tenant and type only one import runs at a time, in the order of uploading.
pub(crate) async fn claim(db: &Database, owner: &str) -> Result<Option<Import>> {
    let tx = db.begin().await?;
    let now = now();
    let sql = format!(
        "UPDATE import SET status = 'InProgress', lease_owner = $1, lease_until = $2, fence = fence + 1, \
         attempt = attempt + 1, started_at = coalesce(started_at, $3), turn_at = $3, updated_at = $3, \
         version = version + 1 \
         WHERE id = (SELECT i.id FROM import i WHERE (i.status = 'InProgress' AND i.lease_until < $3) \
         OR (i.status = 'Queued' AND NOT EXISTS (SELECT 1 FROM import o WHERE o.tenant_id = i.tenant_id \
         AND o.type = i.type AND o.status = 'InProgress')) \
         ORDER BY (SELECT count(*) FROM import r WHERE r.tenant_id = i.tenant_id AND r.status = 'InProgress' \
         AND r.lease_until >= $3), \
         (SELECT max(t.turn_at) FROM import t WHERE t.tenant_id = i.tenant_id) NULLS FIRST, i.id \
         LIMIT 1{}) RETURNING *",
        match tx.get_database_backend() {
            DbBackend::Postgres => " FOR UPDATE OF i SKIP LOCKED",
            _ => "",
        }
    );
    let values = [owner.into(), (now + LEASE).into(), now.into()];
    let statement = Statement::from_sql_and_values(tx.get_database_backend(), sql, values);
    match Import::find_by_statement(statement).one(&tx).await {
        Ok(import) => {
            tx.commit().await?;
            Ok(import)
        }
        // Another worker has just claimed one of the same tenant and type.
        Err(error) if matches!(error.sql_err(), Some(SqlErr::UniqueConstraintViolation(_))) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// Whether the import has been interrupted so often without getting any further that the file itself is to blame.
pub(crate) fn given_up(import: &Import) -> Option<Message> {
    (import.attempt > ATTEMPTS).then(|| Code::ImportGivenUp.with("attempts", ATTEMPTS))
}

/// Gives back what a process of this name had claimed: it is known to be dead.
#[expect(clippy::disallowed_methods, reason = "the queue belongs to no tenant")]
pub(crate) async fn release_all_of(db: &Database, owner: &str) -> Result<()> {
    let tx = db.begin().await?;
    Imports::update_many()
        .col_expr(Column::LeaseUntil, Expr::value(Instant::UNIX_EPOCH))
        .filter(Column::Status.eq(ImportStatus::InProgress))
        .filter(Column::LeaseOwner.eq(owner))
        .exec(&tx)
        .await?;
    tx.commit().await
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

/// Whether a tenant waits of whom nothing is running.
pub(crate) async fn others_wait(db: &Database) -> Result<bool> {
    let waiting = "SELECT id FROM import i WHERE i.status = 'Queued' AND NOT EXISTS (SELECT 1 \
        FROM import o WHERE o.tenant_id = i.tenant_id AND o.status = 'InProgress') LIMIT 1";
    let statement = Statement::from_string(db.get_database_backend(), waiting);
    Ok(db.query_one_raw(statement).await?.is_some())
}

/// Makes sure that the import is still the worker's, and that nobody takes it, or its tenant, away until the transaction
/// ends.
#[expect(clippy::disallowed_methods, reason = "the worker's own import, by its fence")]
pub(crate) async fn hold(tx: &Write, import: &Import) -> Result<(), Stop> {
    let own = Imports::find().select_only().column(Column::Id).filter(claimed(import)).lock_exclusive();
    let own: Option<i64> = own.into_tuple().one(tx).await?;
    held(own.map_or(0, |_| 1))
}

/// Says that the worker is alive.
pub(crate) async fn renew(db: &Database, import: &Import) -> Result<(), Stop> {
    change(db, import, |update| update.col_expr(Column::LeaseUntil, Expr::value(now() + LEASE))).await
}

/// How many rows there are. An interrupted dry run begins again: what it has seen so far it saw in memory only.
#[expect(clippy::disallowed_methods, reason = "the worker's own import, by its fence")]
pub(crate) async fn begin(db: &Database, import: &Import, rows_total: i64) -> Result<(), Stop> {
    let tx = db.begin().await?;
    let mut update = Imports::update_many()
        .col_expr(Column::RowsTotal, Expr::value(rows_total))
        .col_expr(Column::LeaseUntil, Expr::value(now() + LEASE));
    if import.dry_run {
        Refusals::delete_many().filter(refusal::Column::ImportId.eq(import.id)).exec(&tx).await?;
        ImportRows::delete_many()
            .filter(row::Column::TenantId.eq(import.tenant_id))
            .filter(row::Column::ImportId.eq(import.id))
            .exec(&tx)
            .await?;
        for column in [
            Column::RowsDone,
            Column::RowsCreated,
            Column::RowsUpdated,
            Column::RowsUnchanged,
            Column::RowsRefused,
            Column::Checkpoint,
        ] {
            update = update.col_expr(column, Expr::value(0_i64));
        }
    }
    held(update.filter(claimed(import)).exec(&tx).await?.rows_affected)?;
    Ok(tx.commit().await?)
}

/// Records a batch up to line `checkpoint`, in the transaction that applies it.
#[expect(clippy::disallowed_methods, reason = "the worker's own import, by its fence")]
pub(crate) async fn record(
    tx: &impl ConnectionTrait,
    import: &Import,
    checkpoint: u32,
    counts: Counts,
) -> Result<(), Stop> {
    let add = |column: Column, count: i64| (column, Expr::col(column).add(count));
    let sums = [
        add(Column::RowsDone, counts.done()),
        add(Column::RowsCreated, counts.created),
        add(Column::RowsUpdated, counts.updated),
        add(Column::RowsUnchanged, counts.unchanged),
        add(Column::RowsRefused, counts.refused),
    ];
    let update = Imports::update_many()
        .col_expr(Column::Checkpoint, Expr::value(i64::from(checkpoint)))
        .col_expr(Column::LeaseUntil, Expr::value(now() + LEASE))
        // It gets on, so that a later interruption is a new matter.
        .col_expr(Column::Attempt, Expr::value(0_i64));
    let update = sums.into_iter().fold(update, |update, (column, sum)| update.col_expr(column, sum));
    held(update.filter(claimed(import)).exec(tx).await?.rows_affected)
}

/// Ends an import, and tells the history how.
#[expect(clippy::disallowed_methods, reason = "the worker's own import, by its fence")]
pub(crate) async fn finish(
    db: &Database,
    import: &Import,
    status: ImportStatus,
    messages: &[Message],
) -> Result<(), Stop> {
    let text = serde_json::to_string(messages).map_err(Error::internal)?;
    let message = (!messages.is_empty()).then_some(text);
    let now = now();
    let tx = db.begin().await?;
    let finished = Imports::update_many()
        .col_expr(Column::Status, Expr::value(status))
        .col_expr(Column::StatusMessage, Expr::value(message))
        .col_expr(Column::FinishedAt, Expr::value(now))
        .col_expr(Column::UpdatedAt, Expr::value(now))
        .col_expr(Column::Version, Expr::col(Column::Version).add(1))
        .col_expr(Column::LeaseOwner, Expr::value(None::<String>))
        .col_expr(Column::LeaseUntil, Expr::value(None::<Instant>));
    held(finished.filter(claimed(import)).exec(&tx).await?.rows_affected)?;
    if let Some(finished) = Imports::find_by_id(import.id).one(&tx).await? {
        tx.note(told(&finished));
    }
    Ok(tx.commit().await?)
}

/// How an import ended, in the name of whoever uploaded it.
fn told(import: &Import) -> HistoryEntry {
    let mut entry = HistoryEntry::new(Action::Finished, "import", Some(import.id));
    entry.name = Some(import.upload_file.clone());
    (entry.tenant, entry.user) = (Some(TenantId(import.tenant_id)), import.created_by.map(UserId));
    entry.channel = Channel::Import(import.id);
    entry.tell("status", import.status.to_value());
    for (field, rows) in [
        ("rows_created", import.rows_created),
        ("rows_updated", import.rows_updated),
        ("rows_unchanged", import.rows_unchanged),
        ("rows_refused", import.rows_refused),
    ] {
        entry.tell(field, rows);
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
pub(crate) async fn release(db: &Database, import: &Import) -> Result<(), Stop> {
    change(db, import, |update| {
        update
            .col_expr(Column::LeaseUntil, Expr::value(Instant::UNIX_EPOCH))
            .col_expr(Column::Attempt, Expr::value(0_i64))
    })
    .await
}

#[expect(clippy::disallowed_methods, reason = "the worker's own import, by its fence")]
async fn change(
    db: &Database,
    import: &Import,
    set: impl FnOnce(sea_orm::UpdateMany<Imports>) -> sea_orm::UpdateMany<Imports>,
) -> Result<(), Stop> {
    let tx = db.begin().await?;
    let changed = set(Imports::update_many()).filter(claimed(import)).exec(&tx).await?;
    tx.commit().await?;
    held(changed.rows_affected)
}

fn claimed(import: &Import) -> sea_orm::Condition {
    sea_orm::Condition::all()
        .add(Column::Id.eq(import.id))
        .add(Column::Fence.eq(import.fence))
        .add(Column::Status.eq(ImportStatus::InProgress))
}

fn held(rows: u64) -> Result<(), Stop> {
    if rows == 0 { Err(Stop::Lost) } else { Ok(()) }
}

#[cfg(test)]
mod tests;
