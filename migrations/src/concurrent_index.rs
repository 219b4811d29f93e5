//! Indexes of tables that may already be large: created and dropped while others write, outside a
//! transaction.
//!
//! A migration with such indexes holds nothing else and says `Some(false)` in `use_transaction`. It can be
//! begun again at any point: what an interrupted attempt has left is dropped first.

use sea_orm_migration::{
    prelude::*,
    sea_orm::{
        DbBackend, RuntimeErr,
        sqlx::{self, AssertSqlSafe},
    },
};

/// An index by its name and what follows it: `ON stock (tenant_id, name_fold, id)`.
#[derive(Debug, Clone, Copy)]
pub struct ConcurrentIndex {
    pub name: &'static str,
    pub definition: &'static str,
}

impl ConcurrentIndex {
    pub async fn create(&self, manager: &SchemaManager<'_>) -> Result<(), DbErr> {
        self.drop(manager).await?;
        let Self { name, definition } = self;
        execute(manager, &format!("CREATE INDEX{{concurrently}} \"{name}\" {definition}")).await
    }

    pub async fn drop(&self, manager: &SchemaManager<'_>) -> Result<(), DbErr> {
        execute(manager, &format!("DROP INDEX{{concurrently}} IF EXISTS \"{}\"", self.name)).await
    }
}

/// Executes a statement on a connection without time limits: it waits for all older transactions, and blocks
/// no
/// other connection meanwhile.
async fn execute(manager: &SchemaManager<'_>, sql: &str) -> Result<(), DbErr> {
    let connection = match manager.get_connection() {
        SchemaManagerConnection::Connection(connection)
            if manager.get_database_backend() == DbBackend::Postgres =>
        {
            connection
        }
        connection => {
            connection.execute_unprepared(&sql.replace("{concurrently}", "")).await?;
            return Ok(());
        }
    };
    let failed = |error: sqlx::Error| DbErr::Exec(RuntimeErr::SqlxError(error.into()));
    let mut connection = connection.get_postgres_connection_pool().acquire().await.map_err(failed)?;
    for sql in [
        "SET statement_timeout = 0",
        "SET lock_timeout = 0",
        &sql.replace("{concurrently}", " CONCURRENTLY"),
        "RESET statement_timeout",
        "RESET lock_timeout",
    ] {
        if let Err(error) = sqlx::raw_sql(AssertSqlSafe(sql.to_owned())).execute(&mut *connection).await {
            // its settings are not for other users of the pool
            let _ = connection.close().await;
            return Err(failed(error));
        }
    }
    Ok(())
}
