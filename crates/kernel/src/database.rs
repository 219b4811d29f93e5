//! The connection to either database, with the settings that both need, and the one way to begin a write.

use std::{
    path::Path,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use sea_orm::{
    AccessMode, ConnectOptions, ConnectionTrait, DatabaseConnection, DatabaseTransaction, DbBackend, DbErr,
    EntityTrait, ExecResult, IsolationLevel, QueryResult, SqliteTransactionMode, Statement,
    TransactionOptions, TransactionTrait,
    sqlx::sqlite::{SqliteJournalMode, SqliteSynchronous},
};

use crate::{
    audit::{Entry, Journal},
    error::Result,
    signposts::{Signposts, Written},
    totals::Totals,
};

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
        Ok(Write {
            transaction,
            signposts: self.signposts.clone(),
            journal: Mutex::default(),
            written: Mutex::default(),
        })
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
    journal: Mutex<Journal>,
    written: Mutex<Written>,
}

impl Write {
    /// Makes it so, with an entry for each record that was changed.
    pub async fn commit(self) -> Result<()> {
        let journal = std::mem::take(&mut *self.journal.lock().unwrap_or_else(PoisonError::into_inner));
        journal.store(&self).await?;
        self.transaction.commit().await?;
        self.signposts
            .something_was_written(self.written.into_inner().unwrap_or_else(PoisonError::into_inner));
        Ok(())
    }

    /// Notes what is done here, to be stored with it.
    pub fn note(&self, entry: Entry) {
        self.journal.lock().unwrap_or_else(PoisonError::into_inner).note(entry);
    }

    pub async fn rollback(self) -> Result<(), DbErr> {
        self.transaction.rollback().await
    }

    fn has_written(&self, sql: &str) {
        self.written.lock().unwrap_or_else(PoisonError::into_inner).statement(sql);
    }
}

#[async_trait::async_trait]
impl ConnectionTrait for Write {
    fn get_database_backend(&self) -> DbBackend {
        self.transaction.get_database_backend()
    }

    async fn execute_raw(&self, statement: Statement) -> Result<ExecResult, DbErr> {
        let sql = statement.sql.clone();
        let result = self.transaction.execute_raw(statement).await?;
        if result.rows_affected() > 0 {
            self.has_written(&sql);
        }
        Ok(result)
    }

    async fn execute_unprepared(&self, sql: &str) -> Result<ExecResult, DbErr> {
        self.has_written(sql);
        self.transaction.execute_unprepared(sql).await
    }

    async fn query_one_raw(&self, statement: Statement) -> Result<Option<QueryResult>, DbErr> {
        let sql = statement.sql.clone();
        let row = self.transaction.query_one_raw(statement).await?;
        if row.is_some() {
            self.has_written(&sql);
        }
        Ok(row)
    }

    async fn query_all_raw(&self, statement: Statement) -> Result<Vec<QueryResult>, DbErr> {
        let sql = statement.sql.clone();
        let rows = self.transaction.query_all_raw(statement).await?;
        if !rows.is_empty() {
            self.has_written(&sql);
        }
        Ok(rows)
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
                .pragma("cache_size", "-8192")
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
