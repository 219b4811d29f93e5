//! Connection pools of both databases, with the settings of each connection.

use std::time::Duration;

use sea_orm::{
    ConnectOptions,
    sqlx::{
        self,
        sqlite::{SqliteJournalMode, SqliteSynchronous},
    },
};

use super::PoolGuard;

pub(super) const SQLITE_READERS: u32 = 4;
/// Connections of the pool; more than processors, since most wait for a commit to reach the disk, which they
/// do together.
pub const POSTGRES_CONNECTIONS: u32 = 20;

/// Options for SQLite; `read_only` connections cannot write.
pub(super) fn sqlite(url: &str, connections: u32, read_only: bool, guard: &PoolGuard) -> ConnectOptions {
    let guard = guard.clone();
    let mut options = ConnectOptions::new(url);
    options
        .max_connections(connections)
        .min_connections(1)
        .acquire_timeout(Duration::from_secs(5))
        .test_before_acquire(false)
        .sqlx_logging(false)
        .map_sqlx_sqlite_pool_opts(move |pool| {
            let guard = guard.clone();
            pool.after_release(move |connection, _| {
                let guard = guard.clone();
                Box::pin(async move { guard.is_reusable::<sqlx::Sqlite>(connection).await })
            })
        })
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

pub(super) fn postgres(url: &str, connections: u32, guard: &PoolGuard) -> ConnectOptions {
    let guard = guard.clone();
    let mut options = ConnectOptions::new(url);
    options
        .max_connections(connections)
        .min_connections(1)
        .acquire_timeout(Duration::from_secs(3))
        .test_before_acquire_if_idle_for(Duration::from_secs(30))
        .sqlx_logging(false)
        .map_sqlx_postgres_pool_opts(move |pool| {
            let guard = guard.clone();
            pool.after_release(move |connection, _| {
                let guard = guard.clone();
                Box::pin(async move { guard.is_reusable::<sqlx::Postgres>(connection).await })
            })
        })
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

/// Application name of connections that change the schema, as `pg_stat_activity` shows it.
pub const MIGRATING: &str = "stalhof migrate";
/// Number of connections: one takes the lock that lets one process migrate at a time, the other migrates.
const MIGRATING_CONNECTIONS: u32 = 2;

/// Options for migrations, without the time limits of requests: an index of a large table takes minutes.
/// Waiting for a table lock is cut short, because all other users of that table queue behind it.
pub(super) fn postgres_for_migrations(url: &str) -> ConnectOptions {
    let mut options = ConnectOptions::new(url);
    options
        .max_connections(MIGRATING_CONNECTIONS)
        .min_connections(1)
        .acquire_timeout(Duration::from_secs(30))
        .idle_timeout(None)
        .max_lifetime(None)
        .sqlx_logging(false)
        .map_sqlx_postgres_opts(|options| {
            options.application_name(MIGRATING).options([
                ("statement_timeout", "0"),
                ("lock_timeout", "3s"),
                ("idle_in_transaction_session_timeout", "0"),
                ("TimeZone", "UTC"),
            ])
        });
    options
}
