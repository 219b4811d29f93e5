//! The connection to either database, with the settings that both need, and the one way to begin a write.

mod compiled;
mod journal;
mod pools;
mod reading;
mod rehearsal;
mod replica;
mod turns;
mod write_of;

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

pub use self::{
    pools::{MIGRATING, POSTGRES_CONNECTIONS},
    reading::Snapshot,
    replica::ReplicaFigures,
};
use self::{
    pools::{SQLITE_READERS, postgres, postgres_for_migrations, sqlite},
    rehearsal::Rehearsal,
    replica::Replica,
    turns::{Outcome, Place, Turn, Turns},
};
use crate::{
    audit::{HistoryEntry, Journal},
    deadline::{self, Committing},
    error::{Error, Result},
    fault::Fault,
    first_commit,
    health::{Distrust, Health},
    id::TenantId,
    kept::{self, ChangedArticles, Compilations, OutdatedPrices, PricePart, Topic},
    page_index::PageIndexes,
    spans::StatementGroup,
    statements::sent,
    totals::Totals,
    writes::{Announced, ChangedRows, CommitNumber, Writes, Written},
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
    page_indexes: Arc<PageIndexes>,
    compilations: Arc<Compilations>,
    /// Of the readers and of the writer.
    guards: (Guard, Guard),
    /// On SQLite, where one writes at a time.
    turns: Option<Turns>,
    /// The transaction in which everything takes place, where nothing of it is to stay.
    rehearsal: Option<Arc<Rehearsal>>,
    replica: Option<Arc<Replica>>,
    /// The snapshot of the replica that all statements read from.
    reading: Option<Arc<Snapshot>>,
}

/// What a commit may take. It is never cut by any other limit.
const COMMIT: Duration = Duration::from_secs(10);

impl Database {
    /// Connects by URL: `sqlite:///path/to/file.db` or `postgres://...`.
    pub async fn connect(url: &str) -> Result<Self> {
        Self::connect_pool(url, POSTGRES_CONNECTIONS).await
    }

    /// The same with another size of PostgreSQL's pool; SQLite has one writer and as many readers as help.
    pub async fn connect_pool(url: &str, connections: u32) -> Result<Self> {
        let guard = Guard::default();
        let (reader, writer, guards) = if url.starts_with("sqlite:") {
            let readers = Guard { distrust: Arc::default(), ..guard.clone() };
            let writer = sea_orm::Database::connect(sqlite(url, 1, false, &guard)).await?;
            let reader = sea_orm::Database::connect(sqlite(url, SQLITE_READERS, true, &readers)).await?;
            (reader, writer, (readers, guard))
        } else {
            let pool = sea_orm::Database::connect(postgres(url, connections, &guard)).await?;
            (pool.clone(), pool, (guard.clone(), guard))
        };
        let alone = reader.get_database_backend() == DbBackend::Sqlite;
        let page_indexes = Arc::new(PageIndexes::new(Arc::default(), alone));
        let turns = alone.then(|| Turns::new(writer.clone(), guards.1.clone()));
        Ok(Self {
            reader,
            writer,
            totals: Arc::default(),
            page_indexes,
            compilations: Arc::default(),
            guards,
            turns,
            rehearsal: None,
            replica: None,
            reading: None,
        })
    }

    /// Connects to PostgreSQL to change its schema: a pool of two, whose statements may take as long as they need.
    pub async fn connect_for_migrations(url: &str) -> Result<DatabaseConnection> {
        Ok(sea_orm::Database::connect(postgres_for_migrations(url)).await?)
    }

    /// What is known of it.
    pub fn health(&self) -> &Health {
        &self.guards.0.health
    }

    /// The URL of the embedded database in a folder.
    pub fn embedded_url(folder: &Path) -> String {
        format!("sqlite://{}", folder.join("stalhof.db").display())
    }

    /// The file of the embedded database that a URL names.
    pub fn embedded_file(url: &str) -> Option<PathBuf> {
        let options: SqliteConnectOptions = url.strip_prefix("sqlite:").and(url.parse().ok())?;
        Some(options.get_filename().to_owned())
    }

    /// Begins a write of few rows. On SQLite it takes the writer's place at once, so that reading first and writing
    /// afterwards never ends in "database is locked", and shares its commit with the short writes that wait behind it.
    pub async fn begin(&self) -> Result<Write> {
        self.refuse_on_replica()?;
        sent("BEGIN");
        let group = StatementGroup::new("transaction", self.get_database_backend());
        if let Some(rehearsal) = &self.rehearsal {
            return Ok(self.write(rehearsal.part(&self.guards.1).await?, group));
        }
        let transaction = match &self.turns {
            Some(turns) => Transaction::Shared(turns.join().await?),
            None => self.own_transaction(None).await?,
        };
        Ok(self.write(transaction, group))
    }

    /// Begins a write that may take long. It commits by itself, so that no short write has to wait for its end to be
    /// confirmed.
    pub async fn begin_long(&self) -> Result<Write> {
        self.refuse_on_replica()?;
        sent("BEGIN");
        let group = StatementGroup::new("transaction", self.get_database_backend());
        if let Some(rehearsal) = &self.rehearsal {
            return Ok(self.write(rehearsal.part(&self.guards.1).await?, group));
        }
        let place = match &self.turns {
            Some(turns) => Some(turns.alone().await?),
            None => None,
        };
        Ok(self.write(self.own_transaction(place).await?, group))
    }

    /// Refuses a write within a read of the replica, which may run twice.
    fn refuse_on_replica(&self) -> Result<()> {
        if self.reading.is_some() {
            return Err(Error::internal("a write within a read of the replica"));
        }
        Ok(())
    }

    async fn own_transaction(&self, place: Option<Place>) -> Result<Transaction, DbErr> {
        let transaction = begin_immediately(&self.writer, &self.guards.1).await?;
        Ok(Transaction::Own { transaction, _place: place })
    }

    fn write(&self, transaction: Transaction, group: StatementGroup) -> Write {
        Write {
            transaction,
            group,
            guard: self.guards.1.clone(),
            broken: AtomicBool::new(false),
            writes: self.page_indexes.writes().clone(),
            journal: Mutex::default(),
            taking_back: Mutex::default(),
            written: Mutex::default(),
            outdated: Mutex::default(),
            outdated_prices: Mutex::default(),
            required: Mutex::default(),
            rehearsal: self.rehearsal.clone(),
        }
    }

    /// Writes what changes nothing, to see whether one can write.
    pub async fn try_to_write(&self) -> Result<()> {
        let tx = self.begin_long().await?;
        match tx.get_database_backend() {
            DbBackend::Sqlite => tx.execute_unprepared("PRAGMA user_version = 0").await?,
            _ => tx.execute_unprepared("SELECT pg_logical_emit_message(true, 'stalhof', 'probe')").await?,
        };
        tx.commit().await
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

    /// Tells the planner of the database how tables have grown. PostgreSQL does so by itself, but a minute later at the earliest:
    /// until then it takes a tenant whose rows are all new for one without rows, and reads all of them to find one. What
    /// cannot be told within a few seconds is left to PostgreSQL.
    pub async fn tell_growth(&self, tables: &[&str]) -> Result<()> {
        if self.get_database_backend() != DbBackend::Postgres {
            return Ok(());
        }
        let tx = self.begin_long().await?;
        tx.execute_unprepared("SET LOCAL statement_timeout = '3s'").await?;
        tx.tell_growth(tables).await?;
        tx.commit().await
    }

    /// The connection that writes; on SQLite migrations run on it.
    pub fn writer(&self) -> &DatabaseConnection {
        &self.writer
    }

    /// The number of writes that wait for their turn. `None` on PostgreSQL, where the server lets them wait.
    pub fn waiting_writes(&self) -> Option<usize> {
        self.turns.as_ref().map(Turns::waiting)
    }

    /// Closes all connections.
    pub async fn close(self) -> Result<()> {
        if let Some(replica) = self.replica {
            replica.close().await?;
        }
        self.reader.close().await?;
        Ok(self.writer.close().await?)
    }

    /// Connections of all pools, and how many of them nobody uses.
    pub fn connections(&self) -> (u32, u32) {
        let idle = |idle: usize| u32::try_from(idle).unwrap_or(u32::MAX);
        if self.get_database_backend() == DbBackend::Sqlite {
            let pools = [self.reader.get_sqlite_connection_pool(), self.writer.get_sqlite_connection_pool()];
            let sum = |of: fn(&sqlx::SqlitePool) -> u32| pools.iter().map(|pool| of(pool)).sum();
            return (sum(sqlx::SqlitePool::size), pools.iter().map(|pool| idle(pool.num_idle())).sum());
        }
        let pool = self.reader.get_postgres_connection_pool();
        (pool.size(), idle(pool.num_idle()))
    }

    /// The rows that this process has changed since the last call, for other processes that share the
    /// database. The first call gives none.
    pub fn take_changed_rows(&self) -> Vec<ChangedRows> {
        self.page_indexes.writes().take_changed()
    }

    /// Counts rows that other processes have changed: lists that show them are read anew.
    pub fn others_changed(&self, rows: Vec<ChangedRows>) {
        self.page_indexes.writes().others_committed(rows);
    }

    /// The number of this process's last commit that may have written to one of these tables.
    pub(crate) fn last_commit_to(&self, tables: &[&str]) -> CommitNumber {
        self.page_indexes.writes().last_commit_to(tables)
    }

    pub(crate) fn totals(&self) -> &Totals {
        &self.totals
    }

    pub(crate) fn compilations(&self) -> &Compilations {
        &self.compilations
    }

    pub(crate) fn page_indexes(&self) -> &PageIndexes {
        &self.page_indexes
    }
}

/// What stands around the statements of a pool.
#[derive(Debug, Clone, Default)]
struct Guard {
    health: Arc<Health>,
    distrust: Arc<Distrust>,
}

impl Guard {
    /// Waits for a statement, but not for ever: what is cut off leaves a connection that is not used again.
    async fn bounded<T>(&self, statement: impl Future<Output = Result<T, DbErr>>) -> Result<T, DbErr> {
        let Self { health, distrust } = self;
        if health.is_away() {
            return Err(away());
        }
        tokio::select! {
            biased;
            outcome = statement => outcome.map_err(|error| match Fault::of(&error) {
                // waiting for a connection is in vain because there are none to be had
                Some(Fault::Busy) if health.is_away() => away(),
                Some(fault) => {
                    if fault == Fault::Away {
                        // what connections lead to may serve no more
                        distrust.arise();
                    }
                    health.met(fault);
                    error
                }
                None => error,
            }),
            () = health.given_up(deadline::of_statement()) => {
                distrust.arise();
                health.met(Fault::Away);
                Err(if health.is_away() { away() } else { DbErr::ConnectionAcquire(ConnAcquireErr::Timeout) })
            }
        }
    }

    /// Commits, and waits for the answer within a limit of its own.
    async fn commit(&self, transaction: DatabaseTransaction) -> Outcome {
        match tokio::time::timeout(COMMIT, transaction.commit()).await {
            Ok(Ok(())) => {
                self.health.written();
                Outcome::Confirmed
            }
            Ok(Err(error)) => {
                self.distrust.arise();
                if let Some(fault) = Fault::of(&error) {
                    self.health.met(fault);
                }
                if was_refused(&error) {
                    Outcome::Refused(error)
                } else {
                    Outcome::Unknown(error.to_string())
                }
            }
            Err(_) => {
                self.distrust.arise();
                self.health.met(Fault::Away);
                Outcome::Unknown("no answer to COMMIT".to_owned())
            }
        }
    }

    /// A connection is used again only when it is in no transaction: where COMMIT and ROLLBACK have both failed it still
    /// is, and whatever comes next would be written into that one, and lost with it.
    async fn admits<DB: sqlx::Database>(&self, connection: &mut DB::Connection) -> sqlx::Result<bool> {
        if self.distrust.is_there() {
            return Ok(false);
        }
        if connection.is_in_transaction() {
            // a rollback that was begun ends first
            connection.ping().await?;
        }
        Ok(!connection.is_in_transaction())
    }
}

/// A transaction that on SQLite takes the writer's place at once.
async fn begin_immediately(writer: &DatabaseConnection, guard: &Guard) -> Result<DatabaseTransaction, DbErr> {
    let options = TransactionOptions {
        sqlite_transaction_mode: Some(SqliteTransactionMode::Immediate),
        ..Default::default()
    };
    guard.bounded(writer.begin_with_options(options)).await.inspect_err(|error| {
        // a connection that cannot begin is not asked again
        if Fault::of(error) != Some(Fault::Busy) {
            guard.distrust.arise();
        }
    })
}

fn away() -> DbErr {
    DbErr::Conn(RuntimeErr::Internal("the database does not answer".to_owned()))
}

/// What a write takes place in: a transaction of its own, or one that short writes share.
#[derive(Debug)]
enum Transaction {
    Own {
        transaction: DatabaseTransaction,
        /// Given up after the transaction.
        _place: Option<Place>,
    },
    Shared(Turn),
}

impl Transaction {
    fn inner(&self) -> &DatabaseTransaction {
        match self {
            Self::Own { transaction, .. } => transaction,
            Self::Shared(turn) => turn.transaction(),
        }
    }
}

/// A write that has begun; dropped without [`Write::commit`], it has never been.
#[derive(Debug)]
pub struct Write {
    transaction: Transaction,
    group: StatementGroup,
    guard: Guard,
    /// A statement has failed that may have taken the others with it.
    broken: AtomicBool,
    writes: Arc<Writes>,
    journal: Mutex<Journal>,
    /// By table and id, the entries of the history that are taken back.
    taking_back: Mutex<HashMap<(&'static str, i64), i64>>,
    written: Mutex<Written>,
    /// Topics whose rows it has changed.
    outdated: Mutex<BTreeSet<Topic>>,
    outdated_prices: Mutex<OutdatedPrices>,
    /// Versions of topics that it relies on.
    required: Mutex<Option<(Topic, i64)>>,
    rehearsal: Option<Arc<Rehearsal>>,
}

impl Write {
    /// Tells the planner how tables have grown, with what the transaction itself has written: what it does next to all of that is
    /// planned by it.
    pub async fn tell_growth(&self, tables: &[&str]) -> Result<()> {
        if self.get_database_backend() == DbBackend::Postgres {
            let tables: Vec<_> = tables.iter().map(|table| format!("\"{table}\"")).collect();
            self.execute_unprepared(&format!("ANALYZE {}", tables.join(", "))).await?;
        }
        Ok(())
    }

    /// Makes it so, with an entry for each record that was changed. `Ok` means that the database has confirmed it.
    ///
    /// # Errors
    /// [`Error::OutcomeUnknown`] when no answer to the commit came; any other error means that nothing was written.
    pub async fn commit(self) -> Result<()> {
        let journal = std::mem::take(&mut *self.journal.lock().unwrap_or_else(PoisonError::into_inner));
        let required = self.required.lock().unwrap_or_else(PoisonError::into_inner).take();
        journal.store(&self, required).await?;
        let outdated = std::mem::take(&mut *self.outdated.lock().unwrap_or_else(PoisonError::into_inner));
        for topic in outdated {
            kept::changed(&self, topic).await?;
        }
        let prices =
            std::mem::take(&mut *self.outdated_prices.lock().unwrap_or_else(PoisonError::into_inner));
        match &self.rehearsal {
            Some(rehearsal) => rehearsal.add_prices(prices),
            // at the very end: nobody who waits here holds up somebody whom they wait for
            None => kept::prices_changed(&self, &prices).await?,
        }
        if let Some((statement, refusal)) = first_commit::pending(self.get_database_backend())
            && self.query_one_raw(statement).await?.is_none()
        {
            return Err(refusal.into());
        }
        self.refuse_broken()?;
        let Self { transaction, guard, writes, written, .. } = self;
        let written = written.into_inner().unwrap_or_else(PoisonError::into_inner);
        let announced = Announced { writes, written };
        sent("COMMIT");
        let committing = Committing::begin();
        let outcome = match transaction {
            Transaction::Own { transaction, _place } => {
                let outcome = guard.commit(transaction).await;
                drop(announced);
                outcome
            }
            Transaction::Shared(turn) => turn.end(announced).await,
        };
        outcome.into_result()?;
        committing.succeeded();
        first_commit::committed();
        Ok(())
    }

    /// Its rows belong to the topic: what is compiled from them is out of date once this is committed.
    pub(crate) fn outdates(&self, topic: Option<Topic>) {
        if let Some(topic) = topic {
            self.outdated.lock().unwrap_or_else(PoisonError::into_inner).insert(topic);
        }
    }

    /// What a tenant asks, or anybody, is out of date once this is committed.
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

    /// What is written follows from what was compiled of a topic: should that have changed, the commit is refused as
    /// [`Code::Stale`]. Locks must keep it from changing between that look and the end of the commit.
    pub fn relies_on(&self, topic: Topic, version: i64) {
        *self.required.lock().unwrap_or_else(PoisonError::into_inner) = Some((topic, version));
    }

    /// What is noted of these records from now on takes back these entries of the history.
    pub fn takes_back(&self, record: &'static str, entries: impl IntoIterator<Item = (i64, i64)>) {
        let entries = entries.into_iter().map(|(id, entry)| ((record, id), entry));
        *self.taking_back.lock().unwrap_or_else(PoisonError::into_inner) = entries.collect();
    }

    /// Notes what is done here, to be stored with it.
    pub fn note(&self, mut entry: HistoryEntry) {
        if let (None, Some(id)) = (entry.undoes, entry.record_id) {
            let taking_back = self.taking_back.lock().unwrap_or_else(PoisonError::into_inner);
            entry.undoes = taking_back.get(&(entry.record, id)).copied();
        }
        self.journal.lock().unwrap_or_else(PoisonError::into_inner).note(entry);
    }

    /// Adds to a summary of what is done here, one for each record and action, to be stored at the end.
    pub fn summarise(&self, entry: HistoryEntry) {
        self.journal.lock().unwrap_or_else(PoisonError::into_inner).summarise(entry);
    }

    /// Stores what was noted so far, so that memory does not grow with what one transaction does. What is noted of the same
    /// record afterwards is an entry of its own.
    pub async fn store_notes(&self) -> Result<()> {
        let journal = self.journal.lock().unwrap_or_else(PoisonError::into_inner).take_noted();
        journal.store(self, None).await
    }

    pub async fn rollback(self) -> Result<(), DbErr> {
        let Self { transaction, guard, .. } = self;
        sent("ROLLBACK");
        match transaction {
            Transaction::Own { transaction, _place } => {
                guard.bounded(transaction.rollback()).await.inspect_err(|_| guard.distrust.arise())
            }
            // whoever comes next undoes it, or nobody shares the transaction
            Transaction::Shared(turn) => {
                drop(turn);
                Ok(())
            }
        }
    }

    /// A statement of this write. Where one has failed that ends the transaction, whatever would follow stood alone:
    /// PostgreSQL answers its COMMIT by a rollback that looks like success, SQLite writes each statement by itself.
    async fn statement<T>(&self, statement: impl Future<Output = Result<T, DbErr>>) -> Result<T, DbErr> {
        self.refuse_broken()?;
        self.group.count();
        let outcome = self.guard.bounded(statement).await;
        if let Err(error) = &outcome
            && (self.get_database_backend() != DbBackend::Sqlite || Fault::of(error).is_some())
        {
            self.broken.store(true, Ordering::Relaxed);
            if let Transaction::Shared(turn) = &self.transaction {
                turn.met(error);
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

/// Whether the database itself has said no to a commit; a server that ends while it commits has said nothing.
fn was_refused(error: &DbErr) -> bool {
    let answered = match error {
        DbErr::Exec(RuntimeErr::SqlxError(error)) | DbErr::Query(RuntimeErr::SqlxError(error)) => {
            matches!(**error, sqlx::Error::Database(_))
        }
        _ => false,
    };
    answered && Fault::of(error) != Some(Fault::Away)
}

#[cfg(test)]
mod tests;
