//! Statements on a connection of its own, without the limits of requests.

use sea_orm::sqlx::{self, AssertSqlSafe, Connection, PgConnection, Row};
use values::{Error, Result};

/// Connects to PostgreSQL.
pub(crate) async fn connect(url: &str) -> Result<PgConnection> {
    PgConnection::connect(url).await.map_err(database_error)
}

/// Executes statements without a result.
pub(crate) async fn execute(connection: &mut PgConnection, sql: impl Into<String>) -> Result<()> {
    sqlx::raw_sql(AssertSqlSafe(sql.into())).execute(connection).await.map_err(database_error)?;
    Ok(())
}

/// Reads the first column of a query.
pub(crate) async fn texts(connection: &mut PgConnection, sql: &str) -> Result<Vec<String>> {
    let rows =
        sqlx::query(AssertSqlSafe(sql.to_owned())).fetch_all(connection).await.map_err(database_error)?;
    rows.iter().map(|row| row.try_get(0).map_err(database_error)).collect()
}

/// Runs a query with a boolean result.
pub(crate) async fn is_true(connection: &mut PgConnection, question: &str) -> Result<bool> {
    let row = sqlx::query(AssertSqlSafe(question.to_owned()))
        .fetch_one(connection)
        .await
        .map_err(database_error)?;
    row.try_get(0).map_err(database_error)
}

/// Converts an error of a connection.
pub(crate) fn database_error(error: sqlx::Error) -> Error {
    sea_orm::DbErr::Query(sea_orm::RuntimeErr::SqlxError(error.into())).into()
}
