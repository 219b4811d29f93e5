//! The binary: commands, settings, background work, metrics and traces.

pub mod backup;
pub mod cleanup;
pub mod codes;
pub mod config;
pub mod demo;
pub mod distribute;
pub mod feed_health;
pub mod feed_runs;
pub mod file_place;
pub mod folder;
pub mod mail_queue;
pub mod metrics;
pub mod migrate;
pub mod process_notices;
pub mod queues;
mod raw_sql;
pub mod removal;
mod replays;
pub mod sealed_columns;
pub mod serve;
pub mod server_state;
pub mod traces;
pub mod watch;
pub mod webhook_polls;
pub mod webhook_queue;
