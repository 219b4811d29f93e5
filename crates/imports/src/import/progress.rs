//! Recent changes of imports, for clients that show their progress.

use sea_orm::{ColumnTrait, Condition, ConnectionTrait, QueryFilter, QueryOrder, QuerySelect, Statement};
use store::Scope;
use values::{Instant, Result};

use super::{Column, Import, ImportStatus, Imports};

/// Maximum number of imports; more than run concurrently.
const AT_MOST: u64 = 500;

/// Visible imports that are running, or have changed since a moment.
pub async fn since(db: &impl ConnectionTrait, scope: &Scope, since: Instant) -> Result<Vec<Import>> {
    let moving =
        Condition::any().add(Column::Status.eq(ImportStatus::InProgress)).add(Column::UpdatedAt.gte(since));
    Ok(scope.find::<Imports>().filter(moving).order_by_asc(Column::Id).limit(AT_MOST).all(db).await?)
}

/// Value that differs whenever any import has changed, in any process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pulse(Option<Instant>, Option<i64>);

/// Query that reads only the ends of two indexes.
const PULSE: &str = "SELECT (SELECT max(updated_at) FROM import) AS changed_at, \
    (SELECT CAST(sum(rows_done) AS bigint) FROM import WHERE status = 'InProgress') AS rows_done";

/// Reads the latest change of all imports, to compare it with the previous one.
pub async fn pulse(db: &impl ConnectionTrait) -> Result<Pulse> {
    let statement = Statement::from_string(db.get_database_backend(), PULSE);
    let row = db.query_one_raw(statement).await?.ok_or_else(|| values::Error::internal("no pulse"))?;
    Ok(Pulse(row.try_get("", "changed_at")?, row.try_get("", "rows_done")?))
}
