//! Server processes that share a database: each gives a sign of life with the schema that it knows, so that
//! an operator sees which versions run, and no migration takes away what a running process of an older
//! version needs.

use std::time::Duration;

use actix_web::web::Data;
use chrono::TimeDelta;
use kernel::{Database, Instant, Result, now};
use migrations::Migrator;
use sea_orm::{ConnectionTrait, DbBackend, DbErr, FromQueryResult, Statement};
use sea_orm_migration::MigratorTrait;

use crate::state::State;

/// The time between two signs of life.
const SIGN_EVERY: Duration = Duration::from_secs(5);
/// The time without a sign after which a process is taken for dead.
const DEAD_AFTER: TimeDelta = TimeDelta::seconds(30);
/// The time for which dead processes are shown.
const REMEMBERED: TimeDelta = TimeDelta::days(1);

/// A server process.
#[derive(Debug, Clone, PartialEq, Eq, FromQueryResult)]
pub struct ServerProcess {
    /// The machine and the number of the process there.
    pub name: String,
    /// The version of the program.
    pub version: String,
    /// The name of the last migration that the process knows.
    pub schema: String,
    pub started_at: Instant,
    pub seen_at: Instant,
}

impl ServerProcess {
    /// Describes this process.
    pub fn this() -> Self {
        let host = std::fs::read_to_string("/proc/sys/kernel/hostname").ok();
        let host = host.or_else(|| std::env::var("COMPUTERNAME").ok()).unwrap_or_else(|| "server".to_owned());
        let newest = Migrator::migrations().last().map(|migration| migration.name().to_owned());
        let now = now();
        Self {
            name: format!("{}:{}", host.trim(), std::process::id()),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            schema: newest.unwrap_or_default(),
            started_at: now,
            seen_at: now,
        }
    }

    /// Records that the process is alive, and forgets those that died long ago.
    pub async fn give_sign(&self, db: &Database) -> Result<()> {
        const SIGN: &str = "INSERT INTO server_process (name, program_version, schema, started_at, seen_at) \
            VALUES ($1, $2, $3, $4, $5) ON CONFLICT (name) DO UPDATE SET program_version = excluded.program_version, \
            schema = excluded.schema, started_at = excluded.started_at, seen_at = excluded.seen_at";
        let Self { name, version, schema, started_at, .. } = self;
        let now = now();
        let tx = db.begin().await?;
        let values = [
            name.as_str().into(),
            version.as_str().into(),
            schema.as_str().into(),
            (*started_at).into(),
            now.into(),
        ];
        let backend = tx.get_database_backend();
        tx.execute_raw(Statement::from_sql_and_values(backend, SIGN, values)).await?;
        let forget = "DELETE FROM server_process WHERE seen_at < $1";
        let long_ago = [(now - REMEMBERED).into()];
        tx.execute_raw(Statement::from_sql_and_values(backend, forget, long_ago)).await?;
        tx.commit().await
    }

    /// Records that the process has ended.
    pub async fn leave(&self, db: &Database) -> Result<()> {
        if db.get_database_backend() == DbBackend::Sqlite {
            return Ok(());
        }
        let tx = db.begin().await?;
        let leave = "DELETE FROM server_process WHERE name = $1";
        let backend = tx.get_database_backend();
        tx.execute_raw(Statement::from_sql_and_values(backend, leave, [self.name.as_str().into()])).await?;
        tx.commit().await
    }
}

/// Gives signs of life until it is stopped. An embedded database has one process, of which nothing need be
/// recorded.
pub async fn watch(state: Data<State>) {
    if state.db.get_database_backend() == DbBackend::Sqlite {
        return;
    }
    let this = ServerProcess::this();
    loop {
        if let Err(error) = this.give_sign(&state.db).await {
            tracing::debug!(%error, "no sign of life could be given");
        }
        tokio::time::sleep(SIGN_EVERY).await;
    }
}

/// Reads the processes that are alive, by name.
pub async fn alive(connection: &impl ConnectionTrait) -> Result<Vec<ServerProcess>, DbErr> {
    let sql = "SELECT name, program_version AS version, schema, started_at, seen_at FROM server_process \
        WHERE seen_at > $1 ORDER BY name";
    let since = [(now() - DEAD_AFTER).into()];
    let statement = Statement::from_sql_and_values(connection.get_database_backend(), sql, since);
    ServerProcess::find_by_statement(statement).all(connection).await
}
