//! That imports move, for all who look on: told by the workers of this process, and of others by a look at the database.

use std::{sync::Arc, time::Duration};

use actix_web::web::Data;
use imports::moving;
use kernel::{Code, Error, Result};
use sea_orm::{ConnectionTrait, DbBackend};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};

use crate::state::State;

/// So many listen at a time: each keeps a connection for as long as it does.
const LISTENERS: usize = 500;
const LATER_SECONDS: u64 = 30;
/// How often one looks for what other processes do.
const EVERY: Duration = Duration::from_secs(2);

/// Who listens.
#[derive(Debug)]
pub struct Live {
    moved: watch::Sender<()>,
    places: Arc<Semaphore>,
}

/// One who listens, as long as this lives.
#[derive(Debug)]
pub struct Listener {
    moved: watch::Receiver<()>,
    _place: OwnedSemaphorePermit,
}

impl Default for Live {
    fn default() -> Self {
        Self { moved: watch::Sender::default(), places: Arc::new(Semaphore::new(LISTENERS)) }
    }
}

impl Live {
    /// An import has changed.
    pub fn moved(&self) {
        self.moved.send_replace(());
    }

    pub fn listen(&self) -> Result<Listener> {
        let place = self.places.clone().try_acquire_owned();
        let place = place.map_err(|_| Error::Later { code: Code::Busy, seconds: LATER_SECONDS })?;
        Ok(Listener { moved: self.moved.subscribe(), _place: place })
    }

    fn is_heard(&self) -> bool {
        self.moved.receiver_count() > 0
    }
}

impl Listener {
    /// Resolves when imports have changed since the last time.
    pub async fn moved(&mut self) {
        if self.moved.changed().await.is_err() {
            // the server is gone, which tells it otherwise
            std::future::pending::<()>().await;
        }
    }
}

/// For as long as the server runs. Never returns. SQLite has one process, which tells by itself.
pub async fn watch(state: Data<State>) {
    if state.db.get_database_backend() == DbBackend::Sqlite {
        return std::future::pending().await;
    }
    let mut known = None;
    loop {
        tokio::time::sleep(EVERY).await;
        if !state.live.is_heard() || state.db.health().is_away() {
            continue;
        }
        match moving::pulse(&state.db).await {
            Ok(pulse) if known.replace(pulse) != Some(pulse) => state.live.moved(),
            Ok(_) => {}
            Err(error) => tracing::debug!(%error, "whether imports move is not known"),
        }
    }
}
