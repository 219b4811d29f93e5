//! Months in which rows of imports are deleted.

use chrono::TimeDelta;
use sea_orm::{EntityTrait, QueryFilter, sea_query::Expr};
use store::{
    Database,
    months::{Month, MonthColumn, MonthlyTable},
    past, retention,
};
use values::{Instant, Result};

use super::entity::{Entity as ImportRows, Outcome};

/// Period for which files, refused rows, and rows without changes are stored, counted from the end of an
/// import.
pub const FILES_KEPT: TimeDelta = TimeDelta::days(90);

/// Period for which rows with changes are stored, which are a part of the history: as long as other entries.
pub const CHANGES_KEPT: TimeDelta = past::KEPT;

/// Maximum duration of an import.
const LONGEST_IMPORT: TimeDelta = TimeDelta::days(1);

const ROWS: MonthlyTable =
    MonthlyTable { name: "import_row", column: MonthColumn::Number, key: "tenant_id, import_id, line" };

/// Month at whose end a row that is written now is deleted: rows without changes together with the file of
/// their import, all others with the history.
pub(crate) fn last_month(outcome: Outcome, now: Instant) -> Month {
    let goes_with_file = matches!(outcome, Outcome::Unchanged | Outcome::Refused | Outcome::Unresolved);
    let stored = if goes_with_file { FILES_KEPT } else { CHANGES_KEPT };
    Month::at(now + stored + LONGEST_IMPORT)
}

/// Creates the partitions for rows to come.
pub async fn prepare(db: &Database, now: Instant) -> Result<()> {
    ROWS.prepare(db, now + CHANGES_KEPT + LONGEST_IMPORT).await
}

/// Deletes the rows whose last month is over.
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
