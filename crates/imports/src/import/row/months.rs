//! The months in which rows of imports are forgotten.

use chrono::TimeDelta;
use kernel::{
    Database, Instant, Result,
    months::{Month, MonthColumn, MonthlyTable},
    past, retention,
};
use sea_orm::{EntityTrait, QueryFilter, sea_query::Expr};

use super::entity::{Entity as ImportRows, Outcome};

/// The time for which files and refused rows are stored, and rows that changed nothing; counted from the end of an import.
pub const FILES_KEPT: TimeDelta = TimeDelta::days(90);

/// The time for which rows are stored that have changed a record, which are its history: as long as other entries.
pub const CHANGES_KEPT: TimeDelta = past::KEPT;

/// The time within which an import ends.
const LONGEST_IMPORT: TimeDelta = TimeDelta::days(1);

const ROWS: MonthlyTable =
    MonthlyTable { name: "import_row", column: MonthColumn::Number, key: "tenant_id, import_id, line" };

/// The month at whose end a row is forgotten that is written now: rows that changed nothing go with the file of their
/// import, all others with the history.
pub(crate) fn last_month(outcome: Outcome, now: Instant) -> Month {
    let goes_with_file = matches!(outcome, Outcome::Unchanged | Outcome::Refused | Outcome::Unresolved);
    let stored = if goes_with_file { FILES_KEPT } else { CHANGES_KEPT };
    Month::at(now + stored + LONGEST_IMPORT)
}

/// Creates the partitions for rows to come.
pub async fn prepare(db: &Database, now: Instant) -> Result<()> {
    ROWS.prepare(db, now + CHANGES_KEPT + LONGEST_IMPORT).await
}

/// Forgets the rows whose last month is over.
#[expect(clippy::disallowed_methods, reason = "as time goes by, of all tenants")]
pub(crate) async fn forget(db: &Database, now: Instant) -> Result<()> {
    prepare(db, now).await?;
    let month = Month::at(now);
    let some = format!(
        "rowid IN (SELECT rowid FROM import_row WHERE last_month < {} LIMIT {})",
        month.number(),
        retention::BATCH
    );
    ROWS.forget_before(db, month, &ImportRows::delete_many().filter(Expr::cust(some))).await
}
