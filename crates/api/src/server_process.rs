//! Server processes that share a database: each sends heartbeats with the version of its schema, so that
//! operators see which versions run, and no migration removes what a running process of an older version
//! needs.
//!
//! Only PostgreSQL is shared; nothing is recorded in an embedded database. All times are those of the
//! database, because the clocks of machines differ.

use std::time::Duration;

use migrations::Migrator;
use sea_orm::{ConnectionTrait, DbBackend, DbErr, FromQueryResult, Statement};
use sea_orm_migration::MigratorTrait;
use store::Database;
use uuid::Uuid;
use values::{Instant, Result};

/// Interval between two heartbeats.
const HEARTBEAT_EVERY: Duration = Duration::from_secs(5);

/// Server process.
#[derive(Debug, Clone, PartialEq, Eq, FromQueryResult)]
pub struct ServerProcess {
    /// Host name, process id and a random part: in containers the first two may be the same.
    pub name: String,
    /// Version of the program.
    pub version: String,
    /// Name of the last migration that the process knows.
    pub schema: String,
}

impl ServerProcess {
    /// Describes this process, with a new name each time.
    pub fn current() -> Self {
        let host = std::fs::read_to_string("/proc/sys/kernel/hostname").ok();
        let host = host.or_else(|| std::env::var("COMPUTERNAME").ok()).unwrap_or_else(|| "server".to_owned());
        let chance: String = Uuid::now_v7().simple().to_string().chars().skip(24).collect();
        let newest = Migrator::migrations().last().map(|migration| migration.name().to_owned());
        Self {
            name: format!("{}:{}:{chance}", host.trim(), std::process::id()),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            schema: newest.unwrap_or_default(),
        }
    }

    /// Records a heartbeat, and deletes processes that died a day ago.
    pub async fn record_heartbeat(&self, db: &Database) -> Result<()> {
        const HEARTBEAT: &str = "INSERT INTO server_process (name, program_version, schema, started_at, seen_at) \
            VALUES ($1, $2, $3, now(), now()) ON CONFLICT (name) DO UPDATE SET seen_at = excluded.seen_at";
        const FORGET: [&str; 2] = [
            "DELETE FROM server_process WHERE seen_at < now() - interval '1 day'",
            "DELETE FROM process_notice WHERE written_at < now() - interval '1 day'",
        ];
        if db.get_database_backend() == DbBackend::Sqlite {
            return Ok(());
        }
        let values = [&self.name, &self.version, &self.schema].map(|text| text.as_str().into());
        let tx = db.begin().await?;
        tx.execute_raw(Statement::from_sql_and_values(DbBackend::Postgres, HEARTBEAT, values)).await?;
        for forget in FORGET {
            // counts as a deletion only if there was something to delete
            tx.execute_raw(Statement::from_string(DbBackend::Postgres, forget)).await?;
        }
        tx.commit().await
    }

    /// Records that the process has ended.
    pub async fn leave(&self, db: &Database) -> Result<()> {
        if db.get_database_backend() == DbBackend::Sqlite {
            return Ok(());
        }
        let leave = "DELETE FROM server_process WHERE name = $1";
        let leave = Statement::from_sql_and_values(DbBackend::Postgres, leave, [self.name.as_str().into()]);
        let tx = db.begin().await?;
        tx.execute_raw(leave).await?;
        tx.commit().await
    }
}

/// Sends heartbeats of a process until it is stopped.
pub async fn watch(db: Database, process: ServerProcess) {
    if db.get_database_backend() == DbBackend::Sqlite {
        return;
    }
    loop {
        if let Err(error) = process.record_heartbeat(&db).await {
            tracing::debug!(%error, "no sign of life could be given");
        }
        tokio::time::sleep(HEARTBEAT_EVERY).await;
    }
}

/// Server process with its heartbeats.
#[derive(Debug, Clone, FromQueryResult)]
pub struct ProcessHeartbeat {
    #[sea_orm(nested)]
    pub process: ServerProcess,
    pub started_at: Instant,
    pub seen_at: Instant,
    /// True if the last heartbeat is at most half a minute old.
    pub is_alive: bool,
}

/// Reads the processes with a heartbeat within a day that have not ended regularly, the newest first.
pub async fn load_recent(connection: &impl ConnectionTrait) -> Result<Vec<ProcessHeartbeat>, DbErr> {
    if connection.get_database_backend() == DbBackend::Sqlite {
        return Ok(Vec::new());
    }
    let sql = "SELECT name, program_version AS version, schema, started_at, seen_at, \
        seen_at > now() - interval '30 seconds' AS is_alive FROM server_process \
        WHERE seen_at > now() - interval '1 day' ORDER BY is_alive DESC, started_at DESC, name";
    ProcessHeartbeat::find_by_statement(Statement::from_string(DbBackend::Postgres, sql))
        .all(connection)
        .await
}

/// Reads the processes with a heartbeat within half a minute.
pub async fn load_alive(connection: &impl ConnectionTrait) -> Result<Vec<ServerProcess>, DbErr> {
    let recent = load_recent(connection).await?.into_iter().filter(|heartbeat| heartbeat.is_alive);
    Ok(recent.map(|heartbeat| heartbeat.process).collect())
}

/// Finds a running process that does not know a migration. No such process starts once the migration is done.
pub async fn unprepared(
    connection: &impl ConnectionTrait,
    migration: &str,
) -> Result<Option<ServerProcess>, DbErr> {
    // names of migrations begin with their date
    let is_unprepared = |process: &ServerProcess| process.schema.as_str() < migration;
    Ok(load_alive(connection).await?.into_iter().find(is_unprepared))
}
