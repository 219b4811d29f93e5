//! Monitoring of the database while the server runs: if it answers, and if it can be written again.

use std::time::Duration;

use actix_web::web::Data;
use api::state::State;
use sea_orm::{
    ConnectionTrait, DbBackend,
    sqlx::{Connection, PgConnection, postgres::PgConnectOptions},
};
use values::{Fault, Result};

/// Interval of checks. With the timeout of an answer, an outage is noticed within three seconds.
const EVERY: Duration = Duration::from_millis(500);
const ANSWER_WITHIN: Duration = Duration::from_secs(2);

/// Checks the database at a URL while the server runs. Never returns.
pub async fn watch(state: Data<State>, url: String) {
    let mut probe = Probe::new(&state, &url);
    loop {
        tokio::select! {
            () = tokio::time::sleep(EVERY) => {}
            () = state.db.health().check_requested() => {}
        }
        look(&state, &mut probe).await;
    }
}

/// Checks the read replica while the server runs. Never returns.
pub async fn watch_replica(state: Data<State>) {
    loop {
        state.db.check_replica().await;
        tokio::time::sleep(EVERY).await;
    }
}

async fn look(state: &State, probe: &mut Probe) {
    let health = state.db.health();
    let was_away = health.is_away();
    let outcome = tokio::time::timeout(ANSWER_WITHIN, probe.ask()).await;
    let problem = match outcome {
        Ok(Ok(())) => None,
        Ok(Err(error)) => Some(error.to_string()),
        Err(_) => Some("no answer".to_owned()),
    };
    if problem.is_some() {
        probe.connection = None;
    }
    health.set_reachable(problem.is_none());
    match problem {
        Some(problem) if !was_away => tracing::error!(problem, "the database is away"),
        None if was_away => tracing::info!("the database is back"),
        _ => {}
    }
    // a failed write is retried here; a successful commit clears the state by itself
    if !health.is_away()
        && health.write_fault().is_some()
        && let Err(error) = state.db.try_to_write().await
    {
        tracing::debug!(%error, "the database can still not be written");
    }
}

/// Connection for checks, outside of all pools. SQLite is part of this process and always answers.
struct Probe {
    options: Option<PgConnectOptions>,
    connection: Option<PgConnection>,
}

impl Probe {
    fn new(state: &State, url: &str) -> Self {
        let postgres = state.db.get_database_backend() == DbBackend::Postgres;
        let options = postgres.then(|| url.parse().ok()).flatten();
        Self { options, connection: None }
    }

    async fn ask(&mut self) -> Result<()> {
        let Some(options) = &self.options else { return Ok(()) };
        let connection = match &mut self.connection {
            Some(connection) => connection,
            None => match PgConnection::connect_with(options).await {
                Ok(connection) => self.connection.insert(connection),
                Err(error) => return ignore_expected_error(error),
            },
        };
        connection.ping().await.map_err(database_error)
    }
}

/// Accepts the refusal of a server that is full, which does answer; one that is starting or ending does not
/// serve.
fn ignore_expected_error(error: sea_orm::sqlx::Error) -> Result<()> {
    let error = database_error(error);
    if error.fault() == Some(Fault::Busy) { Ok(()) } else { Err(error) }
}

fn database_error(error: sea_orm::sqlx::Error) -> values::Error {
    sea_orm::DbErr::Conn(sea_orm::RuntimeErr::SqlxError(error.into())).into()
}
