//! Tables whose rows are deleted by month. On PostgreSQL each month is a partition, which is dropped as a
//! whole; on SQLite the rows are deleted in batches.

use chrono::{Datelike, TimeDelta, TimeZone, Utc};
use sea_orm::{ConnectionTrait, DbBackend, QueryTrait, Statement};
use values::{clock::Instant, error::Result};

use crate::{database::Database, retention};

/// Calendar month in UTC, numbered from the year 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Month(i32);

impl Month {
    /// Month of a moment.
    pub fn at(moment: Instant) -> Self {
        Self(moment.year() * 12 + moment.month0().cast_signed())
    }

    /// Number: twelve times the year plus the preceding months of that year.
    pub fn number(self) -> i32 {
        self.0
    }

    /// First moment of the month.
    pub fn start(self) -> Instant {
        let (year, month) = self.year_and_month();
        Utc.with_ymd_and_hms(year, month, 1, 0, 0, 0).single().unwrap_or(Instant::MAX_UTC)
    }

    fn next(self) -> Self {
        Self(self.0 + 1)
    }

    fn year_and_month(self) -> (i32, u32) {
        (self.0.div_euclid(12), self.0.rem_euclid(12).unsigned_abs() + 1)
    }
}

/// Column that decides to which month a row belongs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MonthColumn {
    /// Moment within the month.
    Time,
    /// Number of the month.
    Number,
}

impl MonthColumn {
    /// Start of a month as the bound of a partition.
    fn bound(self, month: Month) -> String {
        match self {
            Self::Time => format!("'{}'", month.start().to_rfc3339()),
            Self::Number => month.number().to_string(),
        }
    }
}

/// Table that PostgreSQL partitions by month.
///
/// Its partitions are named like `table_2026_11` and follow each other without a gap. The first one also
/// takes all older rows.
#[derive(Debug, Clone, Copy)]
pub struct MonthlyTable {
    pub name: &'static str,
    pub column: MonthColumn,
    /// Columns of the primary key, which is unique within a month.
    pub key: &'static str,
}

/// Time before its month at which a partition is created, so that rows can be written even if that fails for
/// weeks.
const AHEAD: TimeDelta = TimeDelta::days(31);

/// Advisory lock of PostgreSQL for creating and dropping partitions.
const ADVISORY_LOCK: i64 = 7_421_003;

impl MonthlyTable {
    /// Creates the partitions for rows up to a moment, and some time ahead. Writers are not blocked.
    pub async fn prepare(&self, db: &Database, until: Instant) -> Result<()> {
        let last = Month::at(until + AHEAD);
        let is_ready = |months: &[Month]| months.last().is_some_and(|month| *month >= last);
        if db.get_database_backend() != DbBackend::Postgres || is_ready(&self.months(db).await?) {
            return Ok(());
        }
        let tx = db.begin_long().await?;
        lock(&tx).await?;
        let Self { name, key, column } = self;
        let latest = self.months(&tx).await?.last().copied();
        let mut month = latest.map_or(last, Month::next);
        while month <= last {
            let partition = self.partition(month);
            let lower = latest.map_or_else(|| "MINVALUE".to_owned(), |_| column.bound(month));
            let upper = column.bound(month.next());
            for sql in [
                // creating a partition directly would lock the whole table
                format!("CREATE TABLE \"{partition}\" (LIKE \"{name}\" INCLUDING ALL EXCLUDING IDENTITY)"),
                format!("ALTER TABLE \"{partition}\" ADD PRIMARY KEY ({key})"),
                format!(
                    "ALTER TABLE \"{name}\" ATTACH PARTITION \"{partition}\" FOR VALUES FROM ({lower}) TO ({upper})"
                ),
            ] {
                tx.execute_unprepared(&sql).await?;
            }
            month = month.next();
        }
        tx.commit().await
    }

    /// Deletes the rows of all months before one: drops their partitions, or repeats the statement that
    /// deletes a batch of these rows until it finds none.
    ///
    /// # Errors
    /// If the table is in use for long; a later attempt continues.
    pub async fn forget_before(
        &self,
        db: &Database,
        month: Month,
        batch: &(impl QueryTrait + Sync),
    ) -> Result<()> {
        if db.get_database_backend() != DbBackend::Postgres {
            return retention::in_batches(db, batch).await;
        }
        if self.months(db).await?.first().is_none_or(|first| *first >= month) {
            return Ok(());
        }
        let tx = db.begin_long().await?;
        lock(&tx).await?;
        // waits for readers of the whole table, and blocks others for a second at most
        tx.execute_unprepared("SET LOCAL lock_timeout = '1s'").await?;
        for over in self.months(&tx).await?.into_iter().filter(|over| *over < month) {
            tx.execute_unprepared(&format!("DROP TABLE \"{}\"", self.partition(over))).await?;
        }
        tx.commit().await
    }

    fn partition(&self, month: Month) -> String {
        let (year, month) = month.year_and_month();
        format!("{}_{year:04}_{month:02}", self.name)
    }

    /// Months that have a partition, in order.
    async fn months(&self, db: &impl ConnectionTrait) -> Result<Vec<Month>> {
        let sql = "SELECT c.relname::text AS name FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid \
            WHERE i.inhparent = $1::regclass";
        let rows = Statement::from_sql_and_values(DbBackend::Postgres, sql, [self.name.into()]);
        let mut months = Vec::new();
        for row in db.query_all_raw(rows).await? {
            let name: String = row.try_get("", "name")?;
            months.extend(self.month_of(&name));
        }
        months.sort();
        Ok(months)
    }

    /// Month of a partition.
    fn month_of(&self, partition: &str) -> Option<Month> {
        let (year, month) = partition.strip_prefix(self.name)?.strip_prefix('_')?.split_once('_')?;
        let (year, month): (i32, i32) = (year.parse().ok()?, month.parse().ok()?);
        Some(Month(year * 12 + month - 1))
    }
}

/// Waits until no other process creates or drops partitions.
async fn lock(tx: &impl ConnectionTrait) -> Result<()> {
    tx.execute_unprepared(&format!("SELECT pg_advisory_xact_lock({ADVISORY_LOCK})")).await?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROWS: MonthlyTable = MonthlyTable { name: "stored_row", column: MonthColumn::Number, key: "id" };

    fn month(text: &str) -> Month {
        Month::at(format!("{text}T00:00:00Z").parse().unwrap())
    }

    #[test]
    fn december_is_followed_by_january() {
        let december = month("2026-12-31");
        assert_eq!(december.number(), 2026 * 12 + 11);
        assert_eq!(december.next(), month("2027-01-01"));
        assert_eq!(december.next().start().to_rfc3339(), "2027-01-01T00:00:00+00:00");
    }

    #[test]
    fn partitions_are_named_after_their_month() {
        let december = month("2026-12-01");
        assert_eq!(ROWS.partition(december), "stored_row_2026_12");
        assert_eq!(ROWS.month_of("stored_row_2026_12"), Some(december));
        assert_eq!(ROWS.month_of("stored_row_of_others"), None);
        assert_eq!(MonthColumn::Time.bound(december), "'2026-12-01T00:00:00+00:00'");
    }
}
