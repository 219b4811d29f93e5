//! Leases on rows: a worker claims a row for a limited time. Its writes count only while its fence, a number
//! that every claim raises, is that of the row.

use chrono::TimeDelta;
use sea_orm::{
    ColumnTrait, Condition, ConnectionTrait, DbBackend, EntityTrait, FromQueryResult, IdenStatic, ModelTrait,
    QueryFilter, QuerySelect, SqlErr, Statement, UpdateMany, sea_query::Expr,
};
use store::{Database, Write};
use values::{Instant, Result, now};

/// Table whose rows are each processed by one worker at a time.
pub trait Leased: EntityTrait {
    const ID: Self::Column;
    const OWNER: Self::Column;
    const UNTIL: Self::Column;
    const FENCE: Self::Column;

    /// Time after which a worker that does not renew its lease loses the row.
    const LEASE: TimeDelta;

    /// Condition for rows that are still to be processed; by default those with an owner.
    fn open() -> Condition {
        Condition::all().add(Self::OWNER.is_not_null())
    }
}

/// Claims the next row for `owner`.
///
/// `next` selects the ids of claimable rows from the table as `i`, next one first; `$1` is the current time.
/// `set` contains further changes of a claim.
pub async fn claim<E: Leased>(
    db: &Database,
    owner: &str,
    now: Instant,
    next: &str,
    set: &[&str],
) -> Result<Option<E::Model>> {
    let backend = db.get_database_backend();
    // Polled frequently, so it first looks without a write transaction.
    let look = Statement::from_sql_and_values(backend, format!("{next} LIMIT 1"), [now.into()]);
    if db.query_one_raw(look).await?.is_none() {
        return Ok(None);
    }
    let skip = if backend == DbBackend::Postgres { " FOR UPDATE OF i SKIP LOCKED" } else { "" };
    let (table, fence) = (E::default(), E::FENCE.as_str());
    let lease = [
        format!("{} = $2", E::OWNER.as_str()),
        format!("{} = $3", E::UNTIL.as_str()),
        format!("{fence} = {fence} + 1"),
    ];
    let sql = format!(
        "UPDATE \"{table}\" SET {changes} WHERE {id} = ({next} LIMIT 1{skip}) RETURNING *",
        table = table.table_name(),
        changes = lease.iter().map(String::as_str).chain(set.iter().copied()).collect::<Vec<_>>().join(", "),
        id = E::ID.as_str(),
    );
    let values = [now.into(), owner.into(), (now + E::LEASE).into()];
    let tx = db.begin().await?;
    let statement = Statement::from_sql_and_values(backend, sql, values);
    match E::Model::find_by_statement(statement).one(&tx).await {
        Ok(row) => {
            tx.commit().await?;
            Ok(row)
        }
        // The table has a unique constraint: another worker has just claimed a row that excludes this one.
        Err(error) if matches!(error.sql_err(), Some(SqlErr::UniqueConstraintViolation(_))) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// Changes a row if the worker still owns it; returns true if it does.
pub async fn change<E: Leased>(
    tx: &impl ConnectionTrait,
    row: &E::Model,
    update: UpdateMany<E>,
) -> Result<bool> {
    Ok(update.filter(own::<E>(row)).exec(tx).await?.rows_affected > 0)
}

/// Locks the row if the worker still owns it, so that it cannot be claimed until the transaction ends.
#[expect(clippy::disallowed_methods, reason = "the worker's own row, by its fence")]
pub async fn lock_if_owned<E: Leased>(tx: &Write, row: &E::Model) -> Result<bool> {
    let own = E::find().select_only().expr(Expr::val(1)).filter(own::<E>(row)).lock_exclusive();
    let own: Option<i32> = own.into_tuple().one(tx).await?;
    Ok(own.is_some())
}

/// Renews the lease; returns true if the worker still owns the row.
#[expect(clippy::disallowed_methods, reason = "the worker's own row, by its fence")]
pub async fn renew<E: Leased>(db: &Database, row: &E::Model) -> Result<bool> {
    let tx = db.begin().await?;
    let is_renewed = change::<E>(&tx, row, renewed(E::update_many())).await?;
    tx.commit().await?;
    Ok(is_renewed)
}

/// Adds a renewal of the lease to another change.
pub fn renewed<E: Leased>(update: UpdateMany<E>) -> UpdateMany<E> {
    update.col_expr(E::UNTIL, Expr::value(now() + E::LEASE))
}

/// Expires the lease, so that any worker can claim the row immediately.
pub fn expired<E: Leased>(update: UpdateMany<E>) -> UpdateMany<E> {
    update.col_expr(E::UNTIL, Expr::value(Instant::UNIX_EPOCH))
}

/// Removes the lease from the row.
pub fn released<E: Leased>(update: UpdateMany<E>) -> UpdateMany<E> {
    update.col_expr(E::OWNER, Expr::value(None::<String>)).col_expr(E::UNTIL, Expr::value(None::<Instant>))
}

/// Releases all rows that a dead process has claimed.
#[expect(clippy::disallowed_methods, reason = "a queue belongs to no tenant")]
pub async fn release_all_of<E: Leased>(db: &Database, dead: &str) -> Result<()> {
    let tx = db.begin().await?;
    expired(E::update_many()).filter(E::open()).filter(E::OWNER.eq(dead)).exec(&tx).await?;
    tx.commit().await
}

fn own<E: Leased>(row: &E::Model) -> Condition {
    E::open().add(E::ID.eq(row.get(E::ID))).add(E::FENCE.eq(row.get(E::FENCE)))
}
