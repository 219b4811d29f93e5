//! Read replica: a streaming standby of PostgreSQL that serves some reads.
//!
//! A read uses it only through [`Database::on_replica`], and only once the standby has replayed everything
//! that the primary had committed when the read began. So callers see their own writes and those of all
//! others, whichever process has written them, and no session has to remember a position in the log. If a
//! standby does not get there in time, or fails during a read, the primary reads instead, without an error.

use std::{
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use sea_orm::{
    ConnectionTrait, DatabaseConnection, DbBackend, DbErr, QueryResult, RuntimeErr, Statement,
    TransactionTrait,
};
use values::error::{Error, Result};

use super::{Database, PoolGuard, Snapshot, pools::postgres, reading::snapshot_options};
use crate::spans::StatementGroup;

/// Maximum time that a read waits for the standby.
const PATIENCE: Duration = Duration::from_millis(150);
/// First pause between two checks of a waiting read; each is twice as long as the one before.
const PAUSE: Duration = Duration::from_millis(1);
/// Period in which no read tries a standby that was too slow or has failed.
const SUSPENDED_FOR: Duration = Duration::from_secs(1);
/// Maximum lag of a standby that reads still try.
const LAG_MAX: Duration = Duration::from_secs(1);
/// Time limit of a check of the standby.
const ANSWER_WITHIN: Duration = Duration::from_secs(2);

/// Position in the log of the primary, after everything that it has confirmed: a commit is flushed before it
/// is confirmed, unless that is switched off.
const CONFIRMED: &str = "\
    SELECT format('%s/%s/%s', (SELECT system_identifier FROM pg_control_system()), left(pg_walfile_name(place), 8), \
    current_database()) AS history, (place - '0/0')::bigint AS place \
    FROM (SELECT CASE current_setting('synchronous_commit') WHEN 'off' THEN pg_current_wal_insert_lsn() \
    ELSE pg_current_wal_flush_lsn() END AS place) AS log";

/// Position up to which a standby has replayed the log; the history is NULL in a server that is no standby.
const REPLAYED: &str = "\
    SELECT CASE WHEN pg_is_in_recovery() THEN format('%s/%s/%s', system_identifier, \
    lpad(upper(to_hex(greatest(timeline_id, min_recovery_end_timeline))), 8, '0'), current_database()) END AS history, \
    (pg_last_wal_replay_lsn() - '0/0')::bigint AS place \
    FROM pg_control_system(), pg_control_checkpoint(), pg_control_recovery()";

/// Standby, and the condition in which this process has found it.
#[derive(Debug)]
pub(super) struct Replica {
    pool: DatabaseConnection,
    guard: PoolGuard,
    condition: Mutex<Condition>,
    reads: AtomicU64,
    fallbacks: AtomicU64,
}

#[derive(Debug, Default)]
struct Condition {
    /// Reason why no read uses it, according to the last check.
    problem: Option<String>,
    /// Position that it has not replayed yet, and the time at which the primary had confirmed it.
    awaited: Option<(Instant, i64)>,
    lag: Duration,
    suspended_until: Option<Instant>,
}

/// Figures about the read replica.
#[derive(Debug, Clone, Copy)]
pub struct ReplicaFigures {
    /// False as long as all reads use the primary.
    pub is_used: bool,
    /// Lag at the last check.
    pub lag: Duration,
    /// Number of reads that it has served.
    pub reads: u64,
    /// Number of reads that the primary has served instead.
    pub fallbacks: u64,
}

/// Position in the log of one database; the history consists of cluster, timeline and name.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Position {
    history: Option<String>,
    place: i64,
}

impl Position {
    async fn read(db: &impl ConnectionTrait, sql: &str) -> Result<Self, DbErr> {
        let row = db.query_one_raw(Statement::from_string(DbBackend::Postgres, sql)).await?;
        let read = |row: QueryResult| {
            let place: Option<i64> = row.try_get("", "place")?;
            Ok(Self { history: row.try_get("", "history")?, place: place.unwrap_or_default() })
        };
        row.map_or_else(|| Err(DbErr::RecordNotFound("a place in the log".to_owned())), read)
    }

    /// Reason why a server at this position can never serve reads of a primary at the other one.
    fn obstacle(&self, primary: &Self) -> Option<&'static str> {
        match &self.history {
            None => Some("it is no standby"),
            history if *history != primary.history => Some("it does not follow this primary"),
            _ => None,
        }
    }
}

impl Database {
    /// Lets reads by [`Database::on_replica`] use a standby. It need not be reachable yet.
    ///
    /// # Errors
    /// A sentence for the operator if either database is SQLite.
    pub async fn with_replica(self, url: &str, connections: u32) -> Result<Self> {
        if self.get_database_backend() != DbBackend::Postgres || url.starts_with("sqlite:") {
            return Err(Error::internal(
                "DATABASE_READ_URL names a standby of PostgreSQL; SQLite has none: remove the setting",
            ));
        }
        let guard = PoolGuard::default();
        let mut options = postgres(url, connections, &guard);
        options.connect_lazy(true);
        let pool = sea_orm::Database::connect(options).await?;
        let replica = Replica {
            pool,
            guard,
            condition: Mutex::default(),
            reads: AtomicU64::default(),
            fallbacks: AtomicU64::default(),
        };
        Ok(Self { replica: Some(Arc::new(replica)), ..self })
    }

    /// True if the server is read-only because it is the standby of another one.
    pub async fn is_standby(&self) -> Result<bool> {
        if self.get_database_backend() != DbBackend::Postgres {
            return Ok(false);
        }
        let sql = "SELECT pg_is_in_recovery() AS is_standby";
        let row = self.query_one_raw(Statement::from_string(DbBackend::Postgres, sql)).await?;
        Ok(row.map(|row| row.try_get("", "is_standby")).transpose()?.unwrap_or_default())
    }

    /// Reads in one snapshot of the standby, or from the primary if there is no standby, it lags or it fails.
    /// `read` may run twice, so it must not write; it may begin snapshots within the given one.
    ///
    /// Suits long reads that decide nothing. A read that decides if something is allowed, or which work is
    /// next, uses the primary.
    pub async fn on_replica<T, R>(&self, read: impl Fn(Self) -> R) -> Result<T>
    where
        R: Future<Output = Result<T>>,
    {
        let Some(replica) =
            self.replica.as_ref().filter(|_| self.rehearsal.is_none() && self.reading.is_none())
        else {
            return read(self.clone()).await;
        };
        if let Some(snapshot) = replica.begin(self).await {
            match read(Self { reading: Some(Arc::new(snapshot)), ..self.clone() }).await {
                Err(error) if is_own(&error) => replica.fail(&error),
                outcome => {
                    replica.reads.fetch_add(1, Ordering::Relaxed);
                    return outcome;
                }
            }
        }
        replica.fallbacks.fetch_add(1, Ordering::Relaxed);
        read(self.clone()).await
    }

    /// Returns the database with a connection of its own, for concurrent reads; on the standby with a later
    /// snapshot.
    pub async fn with_own_connection(&self) -> Result<Self> {
        let (Some(replica), Some(_)) = (&self.replica, &self.reading) else { return Ok(self.clone()) };
        match replica.begin(&self.primary()).await {
            Some(snapshot) => Ok(Self { reading: Some(Arc::new(snapshot)), ..self.clone() }),
            None => Err(failed("it serves no further snapshot").into()),
        }
    }

    /// Returns the database without the standby, for work that outlives a read there.
    #[must_use]
    pub fn primary(&self) -> Self {
        Self { reading: None, ..self.clone() }
    }

    /// Checks the standby: reads use it as long as it answers, follows this primary and hardly lags.
    pub async fn check_replica(&self) {
        let Some(replica) = &self.replica else { return };
        let confirmed = match Position::read(self, CONFIRMED).await {
            Ok(confirmed) => confirmed,
            Err(error) => {
                return replica.lock().report(Some(format!("the primary does not say its place: {error}")));
            }
        };
        let answer = tokio::time::timeout(ANSWER_WITHIN, Position::read(&replica.pool, REPLAYED)).await;
        let replayed = match answer {
            Ok(Ok(replayed)) => Ok(replayed),
            Ok(Err(error)) => Err(error.to_string()),
            Err(_) => {
                replica.guard.suspicion.mark_suspect();
                Err("it does not answer".to_owned())
            }
        };
        replica.guard.health.set_reachable(replayed.is_ok());
        replica.record_check(&confirmed, replayed);
    }

    /// Figures about the read replica, if there is one.
    pub fn replica_figures(&self) -> Option<ReplicaFigures> {
        let replica = self.replica.as_ref()?;
        let Condition { problem, lag, .. } = &*replica.lock();
        Some(ReplicaFigures {
            is_used: problem.is_none(),
            lag: *lag,
            reads: replica.reads.load(Ordering::Relaxed),
            fallbacks: replica.fallbacks.load(Ordering::Relaxed),
        })
    }
}

impl Replica {
    pub(super) async fn close(&self) -> Result<(), DbErr> {
        self.pool.clone().close().await
    }

    /// Begins a snapshot of everything that the primary has confirmed, if the standby gets there in time.
    async fn begin(&self, primary: &Database) -> Option<Snapshot> {
        if self.guard.health.is_away() || !self.lock().is_tried() {
            return None;
        }
        let outcome = match Position::read(primary, CONFIRMED).await {
            Ok(confirmed) => tokio::time::timeout(PATIENCE, self.begin_behind(&confirmed)).await,
            // the read itself will report the fault of the primary
            Err(_) => return None,
        };
        match outcome {
            Ok(Ok(snapshot)) => return Some(snapshot),
            Ok(Err(error)) => self.fail(&error),
            Err(_) => {
                // a statement may have been cut off
                self.guard.suspicion.mark_suspect();
                self.suspend();
            }
        }
        None
    }

    /// Begins a snapshot once the standby has replayed the log up to a position.
    async fn begin_behind(&self, confirmed: &Position) -> Result<Snapshot, DbErr> {
        let group = StatementGroup::new("replica snapshot", DbBackend::Postgres);
        let begin = self.pool.begin_with_options(snapshot_options(DbBackend::Postgres));
        let transaction = self.guard.bounded(begin).await?;
        let snapshot = Snapshot { transaction, guard: self.guard.clone(), group };
        let mut pause = PAUSE;
        loop {
            let replayed = Position::read(&snapshot, REPLAYED).await?;
            if let Some(obstacle) = replayed.obstacle(confirmed) {
                return Err(failed(obstacle));
            }
            if replayed.place >= confirmed.place {
                // Starts a new transaction on the same connection: its first statement takes a snapshot that
                // is later than the check. Another connection could lead to another standby behind the same
                // address.
                snapshot.execute_unprepared("COMMIT AND CHAIN").await?;
                return Ok(snapshot);
            }
            tokio::time::sleep(pause).await;
            pause *= 2;
        }
    }

    /// Stops using the standby for a moment, after a read has failed there.
    fn fail(&self, error: &impl std::fmt::Display) {
        tracing::warn!(%error, "a read of the replica goes to the primary");
        self.suspend();
    }

    /// Stops using the standby for a moment.
    fn suspend(&self) {
        self.lock().suspended_until = Some(Instant::now() + SUSPENDED_FOR);
    }

    fn record_check(&self, confirmed: &Position, replayed: Result<Position, String>) {
        let mut condition = self.lock();
        let place = replayed.as_ref().map_or(0, |replayed| replayed.place);
        condition.lag = match condition.awaited {
            Some((since, awaited)) if place < awaited => since.elapsed(),
            _ => Duration::ZERO,
        };
        if condition.lag.is_zero() {
            condition.awaited = Some((Instant::now(), confirmed.place));
        }
        let problem = match replayed.map(|replayed| replayed.obstacle(confirmed)) {
            Ok(Some(obstacle)) => Some(obstacle.to_owned()),
            Ok(None) => (condition.lag > LAG_MAX).then(|| "it is behind".to_owned()),
            Err(problem) => Some(problem),
        };
        condition.report(problem);
    }

    fn lock(&self) -> MutexGuard<'_, Condition> {
        self.condition.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Condition {
    /// Records the reason why no read uses the standby, and logs its changes.
    fn report(&mut self, problem: Option<String>) {
        match (&self.problem, &problem) {
            (before, Some(now)) if before.as_ref() != Some(now) => {
                tracing::warn!(problem = now, "the read replica is not used");
            }
            (Some(_), None) => tracing::info!("the read replica is used again"),
            _ => {}
        }
        self.problem = problem;
    }

    fn is_tried(&self) -> bool {
        self.problem.is_none() && self.suspended_until.is_none_or(|until| until <= Instant::now())
    }
}

/// True if a read failed because of the standby and not because of its own conditions.
fn is_own(error: &Error) -> bool {
    matches!(error, Error::Database(_))
}

fn failed(reason: &str) -> DbErr {
    DbErr::Conn(RuntimeErr::Internal(format!("the read replica: {reason}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(history: Option<&str>, place: i64) -> Position {
        Position { history: history.map(str::to_owned), place }
    }

    #[test]
    fn a_standby_must_follow_the_same_cluster_and_timeline() {
        let primary = at(Some("7/00000002/stalhof"), 100);
        assert_eq!(at(Some("7/00000002/stalhof"), 7).obstacle(&primary), None);
        for (other, obstacle) in [
            (at(None, 200), "it is no standby"),
            (at(Some("7/00000001/stalhof"), 200), "it does not follow this primary"),
            (at(Some("8/00000002/stalhof"), 200), "it does not follow this primary"),
        ] {
            assert_eq!(other.obstacle(&primary), Some(obstacle), "{other:?}");
        }
    }

    #[tokio::test]
    async fn sqlite_has_no_replica() {
        let folder = tempfile::tempdir().unwrap();
        let db = Database::connect(&Database::embedded_url(folder.path())).await.unwrap();
        assert_eq!(db.replica_figures().map(|figures| figures.reads), None);
        assert!(!db.on_replica(async |db| db.is_standby().await).await.unwrap());
        let refusal = db.with_replica("postgres://u:p@standby/d", 4).await.unwrap_err().to_string();
        assert!(refusal.contains("DATABASE_READ_URL names a standby of PostgreSQL"), "{refusal}");
    }
}
