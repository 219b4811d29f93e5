//! Migration of the schema: by one process at a time, and never of a schema that this version does not know.
//!
//! On PostgreSQL migrations run on connections of their own, without the limits of requests. They try to lock
//! tables only for a short time, so that other statements do not queue behind them, and wait without limit
//! for another process that migrates.

use std::{fs::TryLockError, path::Path, time::Duration};

use api::server_process::{self, ServerProcess};
use migrations::{BEFORE_BASELINE, Migrator, Upgrading};
use sea_orm::{
    ConnectionTrait, DatabaseConnection, DbBackend, DbErr, RuntimeErr, Statement,
    sqlx::{self, PgConnection, Row, error::DatabaseError},
};
use sea_orm_migration::MigratorTrait;
use store::{Database, MIGRATING};
use tokio::time::{Instant, sleep};
use values::{Error, Result};

/// Advisory lock of PostgreSQL for changes of the schema.
pub(crate) const ADVISORY_LOCK: i64 = 7_421_001;
/// Interval for polling the lock. Waiting in the lock itself would keep a snapshot open, for whose end the
/// other process would wait when it creates an index concurrently.
const LOOK_EVERY: Duration = Duration::from_millis(500);
/// Interval between two log lines about the same wait.
const LOG_EVERY: Duration = Duration::from_secs(15);
/// Pause before retrying tables that were in use.
const RETRY_AFTER: Duration = Duration::from_secs(1);

/// Other version of the program, whose schema this version does not know.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum OtherVersion {
    /// Development version from before the migrations were replaced by the baseline.
    Development,
    Later,
}

impl OtherVersion {
    /// Finds the version that has applied these migrations, if it is neither this one nor an earlier one.
    pub(crate) fn find<'a>(applied: impl IntoIterator<Item = &'a str>) -> Option<Self> {
        Self::find_by::<Migrator>(applied)
    }

    fn find_by<'a, M: MigratorTrait>(applied: impl IntoIterator<Item = &'a str>) -> Option<Self> {
        let migrations = M::migrations();
        let is_known = |name: &str| migrations.iter().any(|migration| migration.name() == name);
        let mut unknown = applied.into_iter().filter(|name| !is_known(name)).peekable();
        unknown.peek()?;
        Some(if unknown.any(|name| name == BEFORE_BASELINE) { Self::Development } else { Self::Later })
    }

    /// Returns the reason why a database is refused, and advice for the operator.
    fn refusal(self) -> &'static str {
        match self {
            Self::Development => {
                "the database was made by a development version from before the first release. This version cannot \
                 read it, nor restore a backup of it. Keep that database with the program that made it, and start \
                 this version with a new one: an empty database in DATABASE_URL, or another folder in \
                 STALHOF_DATA_DIR"
            }
            Self::Later => {
                "the database was changed by a later version, and this version does not know what it holds. Start \
                 that version or a later one, or restore a backup from before the change into an empty database"
            }
        }
    }
}

/// Applies missing migrations, under a lock. `url` is the address of `db`.
pub async fn migrate(db: &Database, url: &str, data_dir: &Path) -> Result<()> {
    if db.get_database_backend() == DbBackend::Postgres {
        let connections = Database::connect_for_migrations(url).await?;
        let outcome = migrate_postgres(&connections).await;
        connections.close().await?;
        return outcome;
    }
    let path = data_dir.join("migrate.lock");
    let lock = tokio::task::spawn_blocking(move || {
        let file = std::fs::File::create(path)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                tracing::info!("waits until another process has brought the schema up to date");
                file.lock()?;
            }
            Err(TryLockError::Error(error)) => return Err(error),
        }
        Ok(file)
    });
    let lock = lock.await.map_err(Error::internal)?.map_err(Error::internal)?;
    let outcome = bring_up_to_date::<Migrator>(db.writer()).await;
    drop(lock);
    outcome.map_err(explain)
}

/// Applies missing migrations, unless another version has changed the schema. Stops before one that contracts
/// the schema while a process runs that does not know it.
///
/// # Errors
/// A sentence for the operator; migrations before the one that it names have been applied.
pub async fn bring_up_to_date<M: Upgrading>(connection: &DatabaseConnection) -> Result<(), DbErr> {
    let applied = M::get_migration_models(connection).await?;
    let applied: Vec<&str> = applied.iter().map(|migration| migration.version.as_str()).collect();
    if let Some(other) = OtherVersion::find_by::<M>(applied.iter().copied()) {
        return Err(DbErr::Custom(other.refusal().to_owned()));
    }
    let missing = M::migrations();
    let missing = missing.iter().map(|migration| migration.name()).filter(|name| !applied.contains(name));
    let missing: Vec<&str> = missing.collect();
    let mut done = 0;
    for (place, contracting) in missing.iter().enumerate().filter(|(_, name)| M::CONTRACTING.contains(name)) {
        // an earlier migration may create the table of processes
        up_by::<M>(connection, place - done).await?;
        done = place;
        if let Some(process) = server_process::unprepared(connection, contracting).await? {
            let ServerProcess { name, version, .. } = process;
            return Err(DbErr::Custom(format!(
                "the server process {name} of version {version} is alive and needs what the migration \
                 {contracting} takes away. End it, wait half a minute, and run stalhof migrate again. The steps before \
                 are done, and both versions may serve until then"
            )));
        }
    }
    M::up(connection, None).await
}

async fn up_by<M: MigratorTrait>(connection: &DatabaseConnection, steps: usize) -> Result<(), DbErr> {
    match u32::try_from(steps) {
        Ok(0) => Ok(()),
        Ok(steps) => M::up(connection, Some(steps)).await,
        Err(error) => Err(DbErr::Custom(error.to_string())),
    }
}

/// Waits until another process has brought the schema up to date, without limit.
///
/// # Errors
/// A sentence for the operator if the schema is that of another version.
pub async fn wait_until_migrated(db: &Database) -> Result<()> {
    let mut logged = None;
    loop {
        let sql = "SELECT version FROM seaql_migrations";
        let read = db.query_all_raw(Statement::from_string(db.get_database_backend(), sql)).await;
        // a new database has no such table yet; an unavailable one may return
        let problem = read.as_ref().err().map(ToString::to_string);
        let applied: Vec<String> = (read.unwrap_or_default().iter())
            .map(|row| row.try_get_by_index(0))
            .collect::<Result<_, DbErr>>()?;
        if let Some(other) = OtherVersion::find(applied.iter().map(String::as_str)) {
            return Err(Error::internal(other.refusal()));
        }
        if Migrator::migrations().iter().all(|migration| applied.iter().any(|name| name == migration.name()))
        {
            return Ok(());
        }
        if is_due(&mut logged) {
            tracing::info!(problem, "waits until stalhof migrate has brought the schema up to date");
        }
        sleep(LOOK_EVERY).await;
    }
}

/// Returns the error for the operator, without the name of its kind.
fn explain(error: DbErr) -> Error {
    match error {
        DbErr::Custom(sentence) => Error::internal(sentence),
        error => error.into(),
    }
}

async fn migrate_postgres(connections: &DatabaseConnection) -> Result<()> {
    let mut holder = connections.get_postgres_connection_pool().acquire().await.map_err(Error::internal)?;
    wait_for_lock(&mut holder).await?;
    let outcome = apply(connections, &mut holder).await;
    let unlock = sqlx::query("SELECT pg_advisory_unlock($1)").bind(ADVISORY_LOCK);
    unlock.execute(&mut *holder).await.map_err(Error::internal)?;
    outcome
}

/// Waits until no other process migrates, without limit: it may be creating an index of a large table.
async fn wait_for_lock(holder: &mut PgConnection) -> Result<()> {
    let began = Instant::now();
    let mut logged = None;
    loop {
        let attempt = sqlx::query("SELECT pg_try_advisory_lock($1)").bind(ADVISORY_LOCK);
        if attempt.fetch_one(&mut *holder).await.and_then(|row| row.try_get(0)).map_err(Error::internal)? {
            return Ok(());
        }
        if is_due(&mut logged) {
            let waited = began.elapsed().as_secs();
            let others = active(holder, &format!("application_name = '{MIGRATING}'")).await;
            tracing::info!(waited, others, "waits until another process has brought the schema up to date");
        }
        sleep(LOOK_EVERY).await;
    }
}

/// Applies missing migrations, and retries if tables were in use: each is a transaction, which is rolled back
/// then.
async fn apply(connections: &DatabaseConnection, holder: &mut PgConnection) -> Result<()> {
    let began = Instant::now();
    let mut logged = None;
    loop {
        match bring_up_to_date::<Migrator>(connections).await {
            Err(error) if is_in_use(&error) => {
                if is_due(&mut logged) {
                    let waited = began.elapsed().as_secs();
                    let others = active(holder, "xact_start IS NOT NULL").await;
                    tracing::warn!(
                        waited,
                        others,
                        "waits for tables that are in use; the schema is changed then"
                    );
                }
                sleep(RETRY_AFTER).await;
            }
            outcome => return outcome.map_err(explain),
        }
    }
}

fn is_due(logged: &mut Option<Instant>) -> bool {
    let due = logged.is_none_or(|at| at.elapsed() >= LOG_EVERY);
    if due {
        *logged = Some(Instant::now());
    }
    due
}

/// True if a lock was not available in time, or there was a deadlock (PostgreSQL's manual, appendix A).
fn is_in_use(error: &DbErr) -> bool {
    let (DbErr::Conn(RuntimeErr::SqlxError(error))
    | DbErr::Exec(RuntimeErr::SqlxError(error))
    | DbErr::Query(RuntimeErr::SqlxError(error))) = error
    else {
        return false;
    };
    let code = error.as_database_error().and_then(DatabaseError::code);
    code.is_some_and(|code| ["55P03", "40P01"].contains(&&*code))
}

/// Describes the statements of other connections for the log, the longest first.
async fn active(holder: &mut PgConnection, which: &str) -> String {
    let sql = format!(
        "SELECT format('%s (%s, %s, %s s): %s', pid, application_name, coalesce(host(client_addr), 'local'), \
         extract(epoch FROM clock_timestamp() - coalesce(xact_start, backend_start))::bigint, left(query, 120)) \
         FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid() AND {which} \
         ORDER BY coalesce(xact_start, backend_start) LIMIT 3"
    );
    let rows = sqlx::query(sqlx::AssertSqlSafe(sql)).fetch_all(holder).await.unwrap_or_default();
    let each: Vec<String> = rows.iter().filter_map(|row| row.try_get(0).ok()).collect();
    each.join("; ")
}
