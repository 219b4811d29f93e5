//! HTTP: one file per resource, sign-in, the OpenAPI document, the embedded UI.

pub mod app;
mod change_queues;
pub mod codes;
mod contract;
pub mod demo_accounts;
pub mod feed_versions;
pub mod frontend;
mod import_notice;
pub mod import_progress;
pub mod job_scope;
pub mod links;
pub mod list_fetches;
mod live_stock;
pub mod resource;
pub mod server_process;
pub mod settings;
pub mod state;
pub mod steel_catalogue;
pub mod webhook_events;
pub mod work;
