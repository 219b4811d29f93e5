//! Connection to either database with the settings that both need, and the entry points for writes.

mod compiled;
mod journal;
mod pools;
mod reading;
mod rehearsal;
mod replica;
mod tenant_write;
mod write_queue;

use std::{
    collections::{BTreeSet, HashMap},
    future::Future,
    path::{Path, PathBuf},
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use sea_orm::{
    ConnAcquireErr, ConnectionTrait, DatabaseConnection, DatabaseTransaction, DbBackend, DbErr, EntityTrait,
    RuntimeErr, SqliteTransactionMode, TransactionOptions, TransactionTrait,
    sqlx::{self, Connection, sqlite::SqliteConnectOptions},
};
use values::{Error, Fault, Result, TenantId};

pub use self::{
    pools::{MIGRATING, POSTGRES_CONNECTIONS},
    reading::Snapshot,
    replica::ReplicaFigures,
};
use self::{
    pools::{SQLITE_READERS, postgres, postgres_for_migrations, sqlite},
    rehearsal::Rehearsal,
    replica::Replica,
    write_queue::{CommitOutcome, WriteQueue, WriteSlot, WriterLock},
};
use crate::{
    audit::{HistoryEntry, Journal},
    deadline::{self, Committing},
    first_commit,
    health::{Health, Suspicion},
    page_index::PageIndexes,
    spans::StatementGroup,
    statements::record_statement,
    totals::Totals,
    versioned_cache::{self, CacheTopic, ChangedArticles, Compilations, OutdatedPrices, PricePart},
    writes::{AnnouncedWrites, ChangedRows, CommitNumber, Writes, WrittenTables},
};

/// Connections for reading and for writing. Cheap to clone.
///
/// SQLite has one writing connection and a pool of connections that cannot write; PostgreSQL has one pool for
/// both.
#[derive(Clone, Debug)]
pub struct Database {
    reader: DatabaseConnection,
    writer: DatabaseConnection,
    totals: Arc<Totals>,
    page_indexes: Arc<PageIndexes>,
    compilations: Arc<Compilations>,
    reader_guard: PoolGuard,
    writer_guard: PoolGuard,
    /// Write queue of SQLite, which has one writer at a time; `None` on PostgreSQL.
    write_queue: Option<WriteQueue>,
    /// Transaction of a rehearsal: everything runs in it and is rolled back.
    rehearsal: Option<Arc<Rehearsal>>,
    replica: Option<Arc<Replica>>,
    /// Snapshot of the replica that all statements read from.
    reading: Option<Arc<Snapshot>>,
}

/// Time limit of a commit, which no other limit shortens.
const COMMIT: Duration = Duration::from_secs(10);

impl Database {
    /// Connects by URL: `sqlite:///path/to/file.db` or `postgres://...`.
    pub async fn connect(url: &str) -> Result<Self> {
        Self::connect_pool(url, POSTGRES_CONNECTIONS).await
    }

    /// Connects with a pool of another size on PostgreSQL; the pools of SQLite have fixed sizes.
    pub async fn connect_pool(url: &str, connections: u32) -> Result<Self> {
        let writer_guard = PoolGuard::default();
        let (reader, reader_guard, writer) = if url.starts_with("sqlite:") {
            let reader_guard = PoolGuard { suspicion: Arc::default(), ..writer_guard.clone() };
            let writer = sea_orm::Database::connect(sqlite(url, 1, false, &writer_guard)).await?;
            let reader = sea_orm::Database::connect(sqlite(url, SQLITE_READERS, true, &reader_guard)).await?;
            (reader, reader_guard, writer)
        } else {
            let pool = sea_orm::Database::connect(postgres(url, connections, &writer_guard)).await?;
            (pool.clone(), writer_guard.clone(), pool)
        };
        let alone = reader.get_database_backend() == DbBackend::Sqlite;
        let write_queue = alone.then(|| WriteQueue::new(writer.clone(), writer_guard.clone()));
        Ok(Self {
            reader,
            writer,
            totals: Arc::default(),
            page_indexes: Arc::new(PageIndexes::new(Arc::default(), alone)),
            compilations: Arc::default(),
            reader_guard,
            writer_guard,
            write_queue,
            rehearsal: None,
            replica: None,
            reading: None,
        })
    }

    /// Connects to PostgreSQL for migrations: a pool of two, whose statements have no time limit.
    pub async fn connect_for_migrations(url: &str) -> Result<DatabaseConnection> {
        Ok(sea_orm::Database::connect(postgres_for_migrations(url)).await?)
    }

    /// Health of the database.
    pub fn health(&self) -> &Health {
        &self.reader_guard.health
    }

    /// URL of the embedded database in a folder.
    pub fn embedded_url(folder: &Path) -> String {
        format!("sqlite://{}", folder.join("stalhof.db").display())
    }

    /// File of the embedded database that a URL names.
    pub fn embedded_file(url: &str) -> Option<PathBuf> {
        let options: SqliteConnectOptions = url.strip_prefix("sqlite:").and(url.parse().ok())?;
        Some(options.get_filename().to_owned())
    }

    /// Begins a write of few rows. On SQLite it takes the write lock immediately, so that a read before a
    /// write never ends in "database is locked", and shares its commit with the short writes queued behind
    /// it.
    pub async fn begin(&self) -> Result<Write> {
        self.refuse_on_replica()?;
        record_statement("BEGIN");
        let group = StatementGroup::new("transaction", self.get_database_backend());
        if let Some(rehearsal) = &self.rehearsal {
            return Ok(self.write(rehearsal.part(&self.writer_guard).await?, group));
        }
        let transaction = match &self.write_queue {
            Some(queue) => Transaction::Shared(queue.join_shared().await?),
            None => self.own_transaction(None).await?,
        };
        Ok(self.write(transaction, group))
    }

    /// Begins a write that may take long. It has a commit of its own, so that no short write waits for its
    /// end.
    pub async fn begin_long(&self) -> Result<Write> {
        self.refuse_on_replica()?;
        record_statement("BEGIN");
        let group = StatementGroup::new("transaction", self.get_database_backend());
        if let Some(rehearsal) = &self.rehearsal {
            return Ok(self.write(rehearsal.part(&self.writer_guard).await?, group));
        }
        let lock = match &self.write_queue {
            Some(queue) => Some(queue.lock_exclusively().await?),
            None => None,
        };
        Ok(self.write(self.own_transaction(lock).await?, group))
    }

    /// Refuses a write within a read of the replica, because such a read may run twice.
    fn refuse_on_replica(&self) -> Result<()> {
        if self.reading.is_some() {
            return Err(Error::internal("a write within a read of the replica"));
        }
        Ok(())
    }

    async fn own_transaction(&self, lock: Option<WriterLock>) -> Result<Transaction, DbErr> {
        let transaction = begin_write(&self.writer, &self.writer_guard).await?;
        Ok(Transaction::Own { transaction, _writer_lock: lock })
    }

    fn write(&self, transaction: Transaction, group: StatementGroup) -> Write {
        Write {
            transaction,
            group,
            guard: self.writer_guard.clone(),
            broken: AtomicBool::new(false),
            writes: self.page_indexes.writes().clone(),
            journal: Mutex::default(),
            undone_entries: Mutex::default(),
            written: Mutex::default(),
            outdated: Mutex::default(),
            outdated_prices: Mutex::default(),
            required: Mutex::default(),
            rehearsal: self.rehearsal.clone(),
        }
    }

    /// Checks by a write that changes nothing that the database accepts writes.
    pub async fn try_to_write(&self) -> Result<()> {
        let tx = self.begin_long().await?;
        match tx.get_database_backend() {
            DbBackend::Sqlite => tx.execute_unprepared("PRAGMA user_version = 0").await?,
            _ => tx.execute_unprepared("SELECT pg_logical_emit_message(true, 'stalhof', 'probe')").await?,
        };
        tx.commit().await
    }

    /// Begins a write during which no other one can write to the table. For rules about many rows, such as
    /// "no category stands below itself".
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

    /// Updates the planner's statistics of tables that have grown. PostgreSQL does so by itself, but a minute
    /// later at the earliest. Until then it assumes that a tenant with only new rows has none, and reads all
    /// of them to find one. Statistics that take longer than 3 seconds are left to PostgreSQL.
    pub async fn update_statistics(&self, tables: &[&str]) -> Result<()> {
        if self.get_database_backend() != DbBackend::Postgres {
            return Ok(());
        }
        let tx = self.begin_long().await?;
        tx.execute_unprepared("SET LOCAL statement_timeout = '3s'").await?;
        tx.update_statistics(tables).await?;
        tx.commit().await
    }

    /// Connection that writes; on SQLite migrations run on it.
    pub fn writer(&self) -> &DatabaseConnection {
        &self.writer
    }

    /// Number of writes in the write queue. `None` on PostgreSQL, where the server queues them.
    pub fn waiting_writes(&self) -> Option<usize> {
        self.write_queue.as_ref().map(WriteQueue::waiting)
    }

    /// Closes all connections.
    pub async fn close(self) -> Result<()> {
        if let Some(replica) = self.replica {
            replica.close().await?;
        }
        self.reader.close().await?;
        Ok(self.writer.close().await?)
    }

    /// Number of connections of all pools, and number of idle ones.
    pub fn connections(&self) -> (u32, u32) {
        let idle = |idle: usize| u32::try_from(idle).unwrap_or(u32::MAX);
        if self.get_database_backend() == DbBackend::Sqlite {
            let pools = [self.reader.get_sqlite_connection_pool(), self.writer.get_sqlite_connection_pool()];
            let sum = |measure: fn(&sqlx::SqlitePool) -> u32| pools.iter().map(|pool| measure(pool)).sum();
            return (sum(sqlx::SqlitePool::size), pools.iter().map(|pool| idle(pool.num_idle())).sum());
        }
        let pool = self.reader.get_postgres_connection_pool();
        (pool.size(), idle(pool.num_idle()))
    }

    /// Returns the rows that this process changed since the last call, for other processes that share the
    /// database. The first call returns none.
    pub fn take_changed_rows(&self) -> Vec<ChangedRows> {
        self.page_indexes.writes().take_changed()
    }

    /// Registers rows that other processes changed, so that lists of them are read again.
    pub fn others_changed(&self, rows: Vec<ChangedRows>) {
        self.page_indexes.writes().others_committed(rows);
    }

    /// Number of this process's last commit that may have written to one of these tables.
    pub(crate) fn last_commit_to(&self, tables: &[&str]) -> CommitNumber {
        self.page_indexes.writes().last_commit_to(tables)
    }

    /// Cached totals of lists.
    pub fn totals(&self) -> &Totals {
        &self.totals
    }

    pub(crate) fn compilations(&self) -> &Compilations {
        &self.compilations
    }

    /// Page indexes of lists.
    pub fn page_indexes(&self) -> &PageIndexes {
        &self.page_indexes
    }
}

/// Guard around the statements of a pool: time limits, health and suspect connections.
#[derive(Debug, Clone, Default)]
struct PoolGuard {
    health: Arc<Health>,
    suspicion: Arc<Suspicion>,
}

impl PoolGuard {
    /// Runs a statement within its time limit. The connection of a statement that is cut off is not used
    /// again.
    async fn bounded<T>(&self, statement: impl Future<Output = Result<T, DbErr>>) -> Result<T, DbErr> {
        let Self { health, suspicion } = self;
        if health.is_away() {
            return Err(away());
        }
        tokio::select! {
            biased;
            outcome = statement => outcome.map_err(|error| match Fault::from_db_error(&error) {
                // no connection is free because the database is down
                Some(Fault::Busy) if health.is_away() => away(),
                Some(fault) => {
                    if fault == Fault::Away {
                        // open connections may have lost their server as well
                        suspicion.mark_suspect();
                    }
                    health.record_fault(fault);
                    error
                }
                None => error,
            }),
            () = health.timed_out(deadline::statement_deadline()) => {
                suspicion.mark_suspect();
                health.record_fault(Fault::Away);
                Err(if health.is_away() { away() } else { DbErr::ConnectionAcquire(ConnAcquireErr::Timeout) })
            }
        }
    }

    /// Commits within a time limit of its own.
    async fn commit(&self, transaction: DatabaseTransaction) -> CommitOutcome {
        match tokio::time::timeout(COMMIT, transaction.commit()).await {
            Ok(Ok(())) => {
                self.health.record_commit();
                CommitOutcome::Confirmed
            }
            Ok(Err(error)) => {
                self.suspicion.mark_suspect();
                if let Some(fault) = Fault::from_db_error(&error) {
                    self.health.record_fault(fault);
                }
                if was_refused(&error) {
                    CommitOutcome::Refused(error)
                } else {
                    CommitOutcome::Unknown(error.to_string())
                }
            }
            Err(_) => {
                self.suspicion.mark_suspect();
                self.health.record_fault(Fault::Away);
                CommitOutcome::Unknown("no answer to COMMIT".to_owned())
            }
        }
    }

    /// True if a connection is in no transaction and can be used again. After COMMIT and ROLLBACK have both
    /// failed it still is in one; the next write would be added to that transaction and lost with it.
    async fn is_reusable<DB: sqlx::Database>(&self, connection: &mut DB::Connection) -> sqlx::Result<bool> {
        if self.suspicion.is_suspect() {
            return Ok(false);
        }
        if connection.is_in_transaction() {
            // completes a rollback that has been started
            connection.ping().await?;
        }
        Ok(!connection.is_in_transaction())
    }
}

/// Begins a transaction; on SQLite it takes the write lock immediately.
async fn begin_write(writer: &DatabaseConnection, guard: &PoolGuard) -> Result<DatabaseTransaction, DbErr> {
    let options = TransactionOptions {
        sqlite_transaction_mode: Some(SqliteTransactionMode::Immediate),
        ..Default::default()
    };
    guard.bounded(writer.begin_with_options(options)).await.inspect_err(|error| {
        // a connection that cannot begin is not used again
        if Fault::from_db_error(error) != Some(Fault::Busy) {
            guard.suspicion.mark_suspect();
        }
    })
}

fn away() -> DbErr {
    DbErr::Conn(RuntimeErr::Internal("the database does not answer".to_owned()))
}

/// Transaction of a write: its own, or one that short writes share.
#[derive(Debug)]
enum Transaction {
    Own {
        transaction: DatabaseTransaction,
        /// Slot in the write queue, released after the transaction.
        _writer_lock: Option<WriterLock>,
    },
    Shared(WriteSlot),
}

impl Transaction {
    fn inner(&self) -> &DatabaseTransaction {
        match self {
            Self::Own { transaction, .. } => transaction,
            Self::Shared(slot) => slot.transaction(),
        }
    }
}

/// Write in progress. If it is dropped without [`Write::commit`], nothing is written.
#[derive(Debug)]
pub struct Write {
    transaction: Transaction,
    group: StatementGroup,
    guard: PoolGuard,
    /// True after a failed statement that may have ended the whole transaction.
    broken: AtomicBool,
    writes: Arc<Writes>,
    journal: Mutex<Journal>,
    /// History entries that are being undone, by table and id of the record.
    undone_entries: Mutex<HashMap<(&'static str, i64), i64>>,
    written: Mutex<WrittenTables>,
    /// Topics whose rows this write has changed.
    outdated: Mutex<BTreeSet<CacheTopic>>,
    outdated_prices: Mutex<OutdatedPrices>,
    /// Version of a topic that this write relies on.
    required: Mutex<Option<(CacheTopic, i64)>>,
    rehearsal: Option<Arc<Rehearsal>>,
}

impl Write {
    /// Updates the planner's statistics of tables with the rows that this transaction has written, for its
    /// next statements.
    pub async fn update_statistics(&self, tables: &[&str]) -> Result<()> {
        if self.get_database_backend() == DbBackend::Postgres {
            let tables: Vec<_> = tables.iter().map(|table| format!("\"{table}\"")).collect();
            self.execute_unprepared(&format!("ANALYZE {}", tables.join(", "))).await?;
        }
        Ok(())
    }

    /// Commits the write with a history entry for each changed record. `Ok` means that the database has
    /// confirmed it.
    ///
    /// # Errors
    /// [`Error::OutcomeUnknown`] if the commit was not answered; any other error means that nothing was
    /// written.
    pub async fn commit(self) -> Result<()> {
        let journal = std::mem::take(&mut *self.journal.lock().unwrap_or_else(PoisonError::into_inner));
        let required = self.required.lock().unwrap_or_else(PoisonError::into_inner).take();
        journal.store(&self, required).await?;
        let outdated = std::mem::take(&mut *self.outdated.lock().unwrap_or_else(PoisonError::into_inner));
        for topic in outdated {
            versioned_cache::changed(&self, topic).await?;
        }
        let prices =
            std::mem::take(&mut *self.outdated_prices.lock().unwrap_or_else(PoisonError::into_inner));
        match &self.rehearsal {
            Some(rehearsal) => rehearsal.add_prices(prices),
            // last, because this waits for row locks: two writes never wait for each other
            None => versioned_cache::prices_changed(&self, &prices).await?,
        }
        if let Some((statement, refusal)) = first_commit::pending(self.get_database_backend())
            && self.query_one_raw(statement).await?.is_none()
        {
            return Err(refusal.into());
        }
        self.refuse_broken()?;
        let Self { transaction, guard, writes, written, .. } = self;
        let written = written.into_inner().unwrap_or_else(PoisonError::into_inner);
        let announced = AnnouncedWrites { writes, written };
        record_statement("COMMIT");
        let committing = Committing::begin();
        let outcome = match transaction {
            Transaction::Own { transaction, _writer_lock } => {
                let outcome = guard.commit(transaction).await;
                drop(announced);
                outcome
            }
            Transaction::Shared(slot) => slot.end(announced).await,
        };
        outcome.into_result()?;
        committing.succeeded();
        first_commit::committed();
        Ok(())
    }

    /// Marks everything compiled from the rows of a topic as outdated as soon as this is committed.
    pub(crate) fn outdates(&self, topic: Option<CacheTopic>) {
        if let Some(topic) = topic {
            self.outdated.lock().unwrap_or_else(PoisonError::into_inner).insert(topic);
        }
    }

    /// Marks prices of a tenant, or of all (`None`), as outdated as soon as this is committed.
    pub(crate) fn outdates_prices(
        &self,
        tenant: Option<TenantId>,
        part: PricePart,
        articles: ChangedArticles,
    ) {
        let mut outdated = self.outdated_prices.lock().unwrap_or_else(PoisonError::into_inner);
        outdated
            .entry((tenant, part))
            .or_insert_with(|| ChangedArticles::These(BTreeSet::new()))
            .add(articles);
    }

    /// Makes the commit fail with [`codes::STALE`] if the topic has another version by then. Locks must
    /// prevent a change between that check and the end of the commit.
    pub fn relies_on(&self, topic: CacheTopic, version: i64) {
        *self.required.lock().unwrap_or_else(PoisonError::into_inner) = Some((topic, version));
    }

    /// Marks what is noted of these records from now on as undo of these history entries, given as (record,
    /// entry).
    pub fn mark_as_undoing(&self, record: &'static str, entries: impl IntoIterator<Item = (i64, i64)>) {
        let entries = entries.into_iter().map(|(id, entry)| ((record, id), entry));
        *self.undone_entries.lock().unwrap_or_else(PoisonError::into_inner) = entries.collect();
    }

    /// Notes a history entry, which is stored with this write.
    pub fn note(&self, mut entry: HistoryEntry) {
        if let (None, Some(id)) = (entry.undoes, entry.record_id) {
            let undone_entries = self.undone_entries.lock().unwrap_or_else(PoisonError::into_inner);
            entry.undoes = undone_entries.get(&(entry.record, id)).copied();
        }
        self.journal.lock().unwrap_or_else(PoisonError::into_inner).note(entry);
    }

    /// Adds to the summary of a record and action, which is stored on commit.
    pub fn summarise(&self, entry: HistoryEntry) {
        self.journal.lock().unwrap_or_else(PoisonError::into_inner).summarise(entry);
    }

    /// Stores the entries noted so far, so that memory does not grow with the size of the transaction. Later
    /// notes of the same record become entries of their own.
    pub async fn store_notes(&self) -> Result<()> {
        let journal = self.journal.lock().unwrap_or_else(PoisonError::into_inner).take_noted();
        journal.store(self, None).await
    }

    /// Rolls the write back. In a shared transaction the next write undoes it, or the end of the transaction.
    pub async fn rollback(self) -> Result<(), DbErr> {
        let Self { transaction, guard, .. } = self;
        record_statement("ROLLBACK");
        match transaction {
            Transaction::Own { transaction, _writer_lock } => {
                guard.bounded(transaction.rollback()).await.inspect_err(|_| guard.suspicion.mark_suspect())
            }
            Transaction::Shared(slot) => {
                drop(slot);
                Ok(())
            }
        }
    }

    /// Runs a statement of this write. After a failure that ends the transaction all further ones are
    /// refused: PostgreSQL would answer COMMIT with a rollback that looks like success, and SQLite would
    /// commit each statement by itself.
    async fn statement<T>(&self, statement: impl Future<Output = Result<T, DbErr>>) -> Result<T, DbErr> {
        self.refuse_broken()?;
        self.group.count();
        let outcome = self.guard.bounded(statement).await;
        if let Err(error) = &outcome
            && (self.get_database_backend() != DbBackend::Sqlite || Fault::from_db_error(error).is_some())
        {
            self.broken.store(true, Ordering::Relaxed);
            if let Transaction::Shared(slot) = &self.transaction {
                slot.record_fault(error);
            }
        }
        outcome
    }

    fn refuse_broken(&self) -> Result<(), DbErr> {
        if self.broken.load(Ordering::Relaxed) {
            return Err(DbErr::Custom("an earlier statement of this transaction has failed".to_owned()));
        }
        Ok(())
    }
}

/// True if the database itself refused a commit; a server that shuts down while it commits has not answered.
fn was_refused(error: &DbErr) -> bool {
    let answered = match error {
        DbErr::Exec(RuntimeErr::SqlxError(error)) | DbErr::Query(RuntimeErr::SqlxError(error)) => {
            matches!(**error, sqlx::Error::Database(_))
        }
        _ => false,
    };
    answered && Fault::from_db_error(error) != Some(Fault::Away)
}

#[cfg(test)]
mod tests;
