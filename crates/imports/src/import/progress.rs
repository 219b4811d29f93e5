//! What has changed lately, for whoever looks on while imports are worked on.

use kernel::{Instant, Result, Scope};
use sea_orm::{ColumnTrait, Condition, ConnectionTrait, QueryFilter, QueryOrder, QuerySelect, Statement};

use super::{Column, Import, ImportStatus, Imports};

/// More than are worked on at a time.
const AT_MOST: u64 = 500;

/// Those that the caller sees and that are worked on, or have changed since.
pub async fn since(db: &impl ConnectionTrait, scope: &Scope, since: Instant) -> Result<Vec<Import>> {
    let moving =
        Condition::any().add(Column::Status.eq(ImportStatus::InProgress)).add(Column::UpdatedAt.gte(since));
    Ok(scope.find::<Imports>().filter(moving).order_by_asc(Column::Id).limit(AT_MOST).all(db).await?)
}

/// Another one whenever any import has changed, whoever works on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pulse(Option<Instant>, Option<i64>);

/// Read from the ends of two indexes.
const PULSE: &str = "SELECT (SELECT max(updated_at) FROM import) AS changed_at, \
    (SELECT CAST(sum(rows_done) AS bigint) FROM import WHERE status = 'InProgress') AS rows_done";

pub async fn pulse(db: &impl ConnectionTrait) -> Result<Pulse> {
    let read = Statement::from_string(db.get_database_backend(), PULSE);
    let row = db.query_one_raw(read).await?.ok_or_else(|| kernel::Error::internal("no pulse"))?;
    Ok(Pulse(row.try_get("", "changed_at")?, row.try_get("", "rows_done")?))
}
