//! Check of an installation: the database is intact, every reference is valid, every file exists.

use std::collections::{BTreeMap, HashSet};

use sea_orm::sqlx::{self, AssertSqlSafe, PgConnection, Row};
use store::Database;
use values::Result;

use super::{NAMED_FILES, postgres, sqlite};
use crate::{
    config::Settings,
    distribute::misplaced_tables,
    raw_sql::{self, database_error},
};

/// Result of a check.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// Number of rows in each table; counting them proves that they can be read.
    pub tables: BTreeMap<String, u64>,
    /// Number of files that rows name.
    pub files: usize,
    /// Problems, as texts for the operator.
    pub problems: Vec<String>,
}

/// Runs all checks. It only reads, so that it can run beside a server.
pub async fn check(settings: &Settings) -> Result<Report> {
    let url = settings.database_url();
    let mut report = Report::default();
    let file_keys = if let Some(file) = Database::embedded_file(&url) {
        let mut connection = sqlite::open(&file).await?;
        report.problems = sqlite::problems(&mut connection).await?;
        report.tables = sqlite::tables(&mut connection).await?;
        sqlite::texts(&mut connection, NAMED_FILES).await?
    } else {
        let mut connection = raw_sql::connect(&url).await?;
        report.problems = postgres_problems(&mut connection).await?;
        report.problems.extend(misplaced_tables(&mut connection).await?);
        for table in postgres::names(&mut connection).await? {
            let rows = count(&mut connection, &format!("\"{table}\"")).await?;
            report.tables.insert(table, rows);
        }
        raw_sql::texts(&mut connection, NAMED_FILES).await?
    };
    report.files = file_keys.len();
    let stored: HashSet<String> = settings.storage()?.keys().await?.into_iter().collect();
    for key in file_keys.iter().filter(|key| !stored.contains(*key)) {
        report.problems.push(format!("the file {key} is missing"));
    }
    Ok(report)
}

/// Finds invalid references. PostgreSQL enforces them itself, but a damaged disk can break them.
async fn postgres_problems(connection: &mut PgConnection) -> Result<Vec<String>> {
    let sql = "SELECT c.conname::text, child.relname::text, parent.relname::text, \
        (SELECT string_agg(format('p.%I = c.%I', pa.attname, ca.attname), ' AND ' ORDER BY k.n) \
         FROM unnest(c.conkey, c.confkey) WITH ORDINALITY AS k(child, parent, n) \
         JOIN pg_attribute ca ON ca.attrelid = c.conrelid AND ca.attnum = k.child \
         JOIN pg_attribute pa ON pa.attrelid = c.confrelid AND pa.attnum = k.parent), \
        (SELECT string_agg(format('c.%I IS NOT NULL', ca.attname), ' AND ') FROM unnest(c.conkey) AS k(child) \
         JOIN pg_attribute ca ON ca.attrelid = c.conrelid AND ca.attnum = k.child) \
        FROM pg_constraint c JOIN pg_class child ON child.oid = c.conrelid \
        JOIN pg_class parent ON parent.oid = c.confrelid \
        WHERE c.contype = 'f' AND child.relnamespace = current_schema()::regnamespace";
    let keys = sqlx::query(sql).fetch_all(&mut *connection).await.map_err(database_error)?;
    let mut problems = Vec::new();
    for key in keys {
        let [name, child, parent, equal, given] =
            [0, 1, 2, 3, 4].map(|index| key.try_get::<String, _>(index));
        let (name, child, parent) =
            (name.map_err(database_error)?, child.map_err(database_error)?, parent.map_err(database_error)?);
        let (equal, given) = (equal.map_err(database_error)?, given.map_err(database_error)?);
        let orphans = format!(
            "\"{child}\" c WHERE {given} AND NOT EXISTS (SELECT 1 FROM \"{parent}\" p WHERE {equal})"
        );
        let orphans = count(connection, &orphans).await?;
        if orphans > 0 {
            problems.push(format!(
                "{orphans} rows of {child} refer to rows of {parent} that are not there ({name})"
            ));
        }
    }
    Ok(problems)
}

async fn count(connection: &mut PgConnection, from: &str) -> Result<u64> {
    let sql = format!("SELECT count(*) FROM {from}");
    let row = sqlx::query(AssertSqlSafe(sql)).fetch_one(&mut *connection).await.map_err(database_error)?;
    Ok(row.try_get::<i64, _>(0).map_err(database_error)?.unsigned_abs())
}
