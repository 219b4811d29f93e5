//! The connection to either database, with the settings that both need, and the one way to begin a write.

use std::{path::Path, sync::Arc, time::Duration};

use sea_orm::{
    AccessMode, ConnectOptions, ConnectionTrait, DatabaseConnection, DatabaseTransaction, DbBackend, DbErr,
    EntityTrait, ExecResult, IsolationLevel, QueryResult, SqliteTransactionMode, Statement,
    TransactionOptions, TransactionTrait,
    sqlx::sqlite::{SqliteJournalMode, SqliteSynchronous},
};

use crate::{error::Result, signposts::Signposts, totals::Totals};

/// Readers and the writer. Cheap to clone.
///
/// On SQLite there is one writing connection beside a pool of connections that cannot write; on PostgreSQL both are
/// the same pool.
#[derive(Clone, Debug)]
pub struct Database {
    reader: DatabaseConnection,
    writer: DatabaseConnection,
    totals: Arc<Totals>,
    signposts: Arc<Signposts>,
}

const SQLITE_READERS: u32 = 4;
const POSTGRES_CONNECTIONS: u32 = 10;

impl Database {
    /// Connects by URL: `sqlite:///path/to/file.db` or `postgres://...`.
    pub async fn connect(url: &str) -> Result<Self> {
        let (reader, writer) = if url.starts_with("sqlite:") {
            let writer = sea_orm::Database::connect(sqlite(url, 1, false)).await?;
            (sea_orm::Database::connect(sqlite(url, SQLITE_READERS, true)).await?, writer)
        } else {
            let pool = sea_orm::Database::connect(postgres(url)).await?;
            (pool.clone(), pool)
        };
        let alone = reader.get_database_backend() == DbBackend::Sqlite;
        Ok(Self { reader, writer, totals: Arc::default(), signposts: Arc::new(Signposts::new(alone)) })
    }

    /// The URL of the embedded database in a folder.
    pub fn embedded_url(folder: &Path) -> String {
        format!("sqlite://{}", folder.join("stalhof.db").display())
    }

    /// Begins a write. On SQLite it takes the writer's place at once, so that reading first and writing afterwards
    /// never ends in "database is locked".
    pub async fn begin(&self) -> Result<Write> {
        let options = TransactionOptions {
            sqlite_transaction_mode: Some(SqliteTransactionMode::Immediate),
            ..Default::default()
        };
        let transaction = self.writer.begin_with_options(options).await?;
        Ok(Write { transaction, signposts: self.signposts.clone() })
    }

    /// Begins to read everything as it is at this moment, however long it takes.
    pub async fn snapshot(&self) -> Result<DatabaseTransaction> {
        let postgres = self.get_database_backend() == DbBackend::Postgres;
        let options = TransactionOptions {
            isolation_level: postgres.then_some(IsolationLevel::RepeatableRead),
            access_mode: postgres.then_some(AccessMode::ReadOnly),
            ..Default::default()
        };
        Ok(self.reader.begin_with_options(options).await?)
    }

    /// Begins a write beside which no other one writes rows of the table: for rules that concern many rows at once, as
    /// that nothing stands below itself.
    pub async fn begin_alone<E: EntityTrait>(&self) -> Result<Write> {
        let tx = self.begin().await?;
        if tx.get_database_backend() == DbBackend::Postgres {
            let table = E::default();
            tx.execute_unprepared(&format!(
                "LOCK TABLE \"{}\" IN SHARE ROW EXCLUSIVE MODE",
                table.table_name()
            ))
            .await?;
        }
        Ok(tx)
    }

    /// The connection that migrations run on.
    pub fn writer(&self) -> &DatabaseConnection {
        &self.writer
    }

    /// Closes all connections.
    pub async fn close(self) -> Result<()> {
        self.reader.close().await?;
        Ok(self.writer.close().await?)
    }

    /// Answers when the database does.
    pub async fn ping(&self) -> Result<()> {
        Ok(self.reader.ping().await?)
    }

    pub(crate) fn totals(&self) -> &Totals {
        &self.totals
    }

    pub(crate) fn signposts(&self) -> &Signposts {
        &self.signposts
    }
}

/// A write that has begun; dropped without [`Write::commit`], it has never been.
#[derive(Debug)]
pub struct Write {
    transaction: DatabaseTransaction,
    signposts: Arc<Signposts>,
}

impl Write {
    pub async fn commit(self) -> Result<(), DbErr> {
        self.transaction.commit().await?;
        self.signposts.something_was_written();
        Ok(())
    }

    pub async fn rollback(self) -> Result<(), DbErr> {
        self.transaction.rollback().await
    }
}

#[async_trait::async_trait]
impl ConnectionTrait for Write {
    fn get_database_backend(&self) -> DbBackend {
        self.transaction.get_database_backend()
    }

    async fn execute_raw(&self, statement: Statement) -> Result<ExecResult, DbErr> {
        self.transaction.execute_raw(statement).await
    }

    async fn execute_unprepared(&self, sql: &str) -> Result<ExecResult, DbErr> {
        self.transaction.execute_unprepared(sql).await
    }

    async fn query_one_raw(&self, statement: Statement) -> Result<Option<QueryResult>, DbErr> {
        self.transaction.query_one_raw(statement).await
    }

    async fn query_all_raw(&self, statement: Statement) -> Result<Vec<QueryResult>, DbErr> {
        self.transaction.query_all_raw(statement).await
    }
}

/// Reads go to the readers.
#[async_trait::async_trait]
impl ConnectionTrait for Database {
    fn get_database_backend(&self) -> DbBackend {
        self.reader.get_database_backend()
    }

    async fn execute_raw(&self, statement: Statement) -> Result<ExecResult, DbErr> {
        self.reader.execute_raw(statement).await
    }

    async fn execute_unprepared(&self, sql: &str) -> Result<ExecResult, DbErr> {
        self.reader.execute_unprepared(sql).await
    }

    async fn query_one_raw(&self, statement: Statement) -> Result<Option<QueryResult>, DbErr> {
        self.reader.query_one_raw(statement).await
    }

    async fn query_all_raw(&self, statement: Statement) -> Result<Vec<QueryResult>, DbErr> {
        self.reader.query_all_raw(statement).await
    }
}

fn sqlite(url: &str, connections: u32, read_only: bool) -> ConnectOptions {
    let mut options = ConnectOptions::new(url);
    options
        .max_connections(connections)
        .min_connections(1)
        .acquire_timeout(Duration::from_secs(5))
        .test_before_acquire(false)
        .sqlx_logging(false)
        .map_sqlx_sqlite_opts(move |options| {
            options
                .create_if_missing(true)
                .journal_mode(SqliteJournalMode::Wal)
                .synchronous(SqliteSynchronous::Full)
                .foreign_keys(true)
                .busy_timeout(Duration::from_secs(5))
                .pragma("temp_store", "MEMORY")
                .pragma("cache_size", "-16384")
                .pragma("wal_autocheckpoint", "1000")
                .pragma("journal_size_limit", "67108864")
                .pragma("trusted_schema", "OFF")
                .pragma("cell_size_check", "ON")
                .pragma("query_only", if read_only { "ON" } else { "OFF" })
        });
    options
}

fn postgres(url: &str) -> ConnectOptions {
    let mut options = ConnectOptions::new(url);
    options
        .max_connections(POSTGRES_CONNECTIONS)
        .min_connections(1)
        .acquire_timeout(Duration::from_secs(3))
        .test_before_acquire_if_idle_for(Duration::from_secs(30))
        .sqlx_logging(false)
        .map_sqlx_postgres_opts(|options| {
            options.options([
                ("statement_timeout", "8s"),
                ("lock_timeout", "3s"),
                ("idle_in_transaction_session_timeout", "15s"),
                ("TimeZone", "UTC"),
            ])
        });
    options
}
