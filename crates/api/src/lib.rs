//! HTTP: one file per resource, sign-in, the OpenAPI document, the embedded UI.

pub mod app;
pub mod backup;
mod change_queues;
pub mod cleaning;
pub mod config;
pub mod demo;
pub mod fair_turns;
pub mod feed_health;
pub mod feed_runs;
pub mod folder;
pub mod frontend;
pub mod http;
mod import_notice;
mod links;
pub mod live;
pub mod metrics;
pub mod migrate;
pub mod post;
pub mod removal;
mod replays;
pub mod resource;
pub mod sealed_columns;
pub mod serve;
pub mod state;
pub mod watch;
pub mod work;
