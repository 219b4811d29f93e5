//! Embedded database: a copy of its file from one snapshot.

use std::{collections::BTreeMap, fs, path::Path};

use sea_orm::sqlx::{self, AssertSqlSafe, Connection, Row, SqliteConnection, sqlite::SqliteConnectOptions};
use values::{Error, Result};

use super::{
    Contents, Kind, NAMED_FILES,
    archive::{Archive, Writer, unpack},
    beside,
};
use crate::raw_sql::database_error;

const ENTRY: &str = "database/stalhof.db";

/// Adds a copy of the database. It is stored beside the archive until it is added.
pub(super) async fn save(url: &str, archive: &Path, writer: &mut Writer) -> Result<Contents> {
    let copy = beside(archive, ".db");
    // left by an earlier attempt, if there is one
    let _ = fs::remove_file(&copy);
    let saved = save_by(url, &copy, writer).await;
    let _ = fs::remove_file(&copy);
    saved
}

async fn save_by(url: &str, copy: &Path, writer: &mut Writer) -> Result<Contents> {
    let options: SqliteConnectOptions = url.parse().map_err(database_error)?;
    let mut connection = SqliteConnection::connect_with(&options).await.map_err(database_error)?;
    let target = copy.display().to_string().replace('\'', "''");
    let vacuum = format!("VACUUM INTO '{target}'");
    sqlx::query(AssertSqlSafe(vacuum)).execute(&mut connection).await.map_err(database_error)?;
    connection.close().await.map_err(database_error)?;

    let mut copied = open(copy).await?;
    problems(&mut copied)
        .await?
        .into_iter()
        .next()
        .map_or(Ok(()), |problem| Err(Error::internal(format!("the database is damaged: {problem}"))))?;
    let contents = Contents {
        kind: Kind::Sqlite,
        migrations: texts(&mut copied, "SELECT version FROM seaql_migrations ORDER BY version").await?,
        tables: tables(&mut copied).await?,
        sequences: BTreeMap::new(),
        named_files: texts(&mut copied, NAMED_FILES).await?,
    };
    copied.close().await.map_err(database_error)?;
    writer.add(ENTRY, fs::File::open(copy)?)?;
    Ok(contents)
}

/// Refuses to restore over an existing database.
pub(super) fn refuse_unless_empty(file: &Path) -> Result<()> {
    if file.exists() {
        return Err(Error::internal(format!("there is a database already: {}", file.display())));
    }
    Ok(())
}

/// Restores the database. It gets its name when it is complete.
pub(super) fn restore(file: &Path, archive: &mut Archive) -> Result<()> {
    let half = beside(file, ".part");
    // left by an earlier attempt, if there is one
    let _ = fs::remove_file(&half);
    unpack(&mut archive.entry(ENTRY)?, &half)?;
    fs::rename(&half, file)?;
    super::sync_folder(file)
}

/// Opens a database for reading only.
pub(super) async fn open(file: &Path) -> Result<SqliteConnection> {
    let options = SqliteConnectOptions::new().filename(file).read_only(true);
    SqliteConnection::connect_with(&options).await.map_err(database_error)
}

/// Counts the rows of each table.
pub(super) async fn tables(connection: &mut SqliteConnection) -> Result<BTreeMap<String, u64>> {
    // without the internal tables of full-text indexes
    let names = "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' \
        AND name NOT LIKE 'sqlite_%' ORDER BY name";
    let mut tables = BTreeMap::new();
    for name in texts(connection, names).await? {
        let sql = format!("SELECT count(*) FROM \"{name}\"");
        let row =
            sqlx::query(AssertSqlSafe(sql)).fetch_one(&mut *connection).await.map_err(database_error)?;
        let count: i64 = row.try_get(0).map_err(database_error)?;
        tables.insert(name, count.unsigned_abs());
    }
    Ok(tables)
}

/// Returns the first column of a query.
pub(super) async fn texts(connection: &mut SqliteConnection, sql: &'static str) -> Result<Vec<String>> {
    let rows = sqlx::query(sql).fetch_all(connection).await.map_err(database_error)?;
    rows.iter().map(|row| row.try_get(0).map_err(database_error)).collect()
}

/// Finds damage and invalid references.
pub(super) async fn problems(connection: &mut SqliteConnection) -> Result<Vec<String>> {
    let mut problems = texts(connection, "PRAGMA integrity_check").await?;
    problems.retain(|line| line != "ok");
    let orphans =
        sqlx::query("PRAGMA foreign_key_check").fetch_all(connection).await.map_err(database_error)?;
    for row in orphans {
        let (table, parent): (String, String) =
            (row.try_get("table").map_err(database_error)?, row.try_get("parent").map_err(database_error)?);
        problems.push(format!("a row of {table} refers to a row of {parent} that is not there"));
    }
    Ok(problems)
}
