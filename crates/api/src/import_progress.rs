//! Progress of imports in other processes, for the listeners of this one; workers of this process report it
//! themselves.

pub mod listeners;

use std::time::Duration;

use actix_web::web::Data;
use imports::import::progress;
use sea_orm::{ConnectionTrait, DbBackend};

use crate::state::State;

/// Interval between two looks at other processes' progress.
const EVERY: Duration = Duration::from_secs(2);

/// Wakes listeners when imports of other processes progress. Never returns. SQLite has one process, whose
/// workers wake them.
pub async fn watch(state: Data<State>) {
    if state.db.get_database_backend() == DbBackend::Sqlite {
        return std::future::pending().await;
    }
    let mut last = None;
    loop {
        tokio::time::sleep(EVERY).await;
        if !state.import_listeners.has_listeners() || state.db.health().is_away() {
            continue;
        }
        match progress::pulse(&state.db).await {
            Ok(pulse) if last.replace(pulse) != Some(pulse) => state.import_listeners.notify(),
            Ok(_) => {}
            Err(error) => tracing::debug!(%error, "whether imports move is not known"),
        }
    }
}
