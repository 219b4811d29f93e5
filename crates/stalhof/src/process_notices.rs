//! Notices between server processes that share a database: the rows that each has changed, so that the others
//! do not show outdated lists, and the calls of tokens that it has answered, so that their rate limit applies
//! to all.
//!
//! Four times a second a process writes a notice of its changes and calls, if there are any, and reads those
//! of the others. Notices are numbered; a process that has missed one treats all rows as changed. Only
//! PostgreSQL is shared.

use std::{
    collections::HashMap,
    time::{Duration, Instant},
};

use actix_web::web::Data;
use api::state::State;
use http_api::limit::Limits;
use sea_orm::{ConnectionTrait, DbBackend, FromQueryResult, JsonValue, Statement};
use serde::{Deserialize, Serialize};
use store::{ChangedRows, Database};
use values::{Error, Result};

const EVERY: Duration = Duration::from_millis(250);

/// Number of stored notices of one process, which are then overwritten.
const SLOTS: i64 = 40;

/// Time without reading after which a process may have missed notices.
const GAP: Duration = Duration::from_secs(5);

/// Tables with the status of processes, which no list shows.
const SILENT: [&str; 2] = ["process_notice", "server_process"];

/// Changes and calls in a process since its last notice.
#[derive(Debug, Default, Serialize, Deserialize)]
struct Notice {
    rows: Vec<ChangedRows>,
    /// Calls by the ids of tokens.
    calls: Vec<(i64, u64)>,
}

#[derive(Debug, FromQueryResult)]
struct NoticeRow {
    process: String,
    serial: i64,
    notice: JsonValue,
}

/// Notices that a process has written and read.
#[derive(Debug)]
pub struct ProcessNotices {
    process: String,
    /// Number of its last notice.
    serial: i64,
    /// Number of the last notice read from each other process.
    read: HashMap<String, i64>,
    read_at: Option<Instant>,
}

impl ProcessNotices {
    /// Starts the exchange of notices for a process by its name.
    pub fn new(process: impl Into<String>) -> Self {
        Self { process: process.into(), serial: 0, read: HashMap::new(), read_at: None }
    }

    /// Writes a notice, and applies those of the others.
    ///
    /// # Errors
    /// Errors of the database. A notice that could not be written is missed by the others, which notice the
    /// gap in the numbers.
    pub async fn exchange(&mut self, state: &State) -> Result<()> {
        self.write(&state.db, &state.http.limits).await?;
        let began = Instant::now();
        if self.read_at.is_some_and(|at| began.duration_since(at) > GAP) {
            state.db.others_changed(vec![ChangedRows::ANY]);
        }
        self.read(&state.db, &state.http.limits).await?;
        self.read_at = Some(began);
        Ok(())
    }

    async fn write(&mut self, db: &Database, limits: &Limits) -> Result<()> {
        const WRITE: &str = "INSERT INTO process_notice (process, slot, serial, notice, written_at) \
            VALUES ($1, $2, $3, $4, now()) ON CONFLICT (process, slot) DO UPDATE \
            SET serial = excluded.serial, notice = excluded.notice, written_at = excluded.written_at";
        let mut notice = Notice { rows: db.take_changed_rows(), calls: limits.take_calls() };
        notice.rows.retain(|rows| rows.table.as_deref().is_none_or(|table| !SILENT.contains(&table)));
        if notice.rows.is_empty() && notice.calls.is_empty() {
            return Ok(());
        }
        self.serial += 1;
        let notice = serde_json::to_value(&notice).map_err(Error::internal)?;
        let values =
            [self.process.as_str().into(), (self.serial % SLOTS).into(), self.serial.into(), notice.into()];
        let tx = db.begin().await?;
        tx.execute_raw(Statement::from_sql_and_values(DbBackend::Postgres, WRITE, values)).await?;
        tx.commit().await
    }

    async fn read(&mut self, db: &Database, limits: &Limits) -> Result<()> {
        const READ: &str = "SELECT process, serial, notice FROM process_notice \
            WHERE process <> $1 AND written_at > now() - interval '10 seconds' ORDER BY process, serial";
        let values = [self.process.as_str().into()];
        let read = Statement::from_sql_and_values(DbBackend::Postgres, READ, values);
        for NoticeRow { process, serial, notice } in NoticeRow::find_by_statement(read).all(db).await? {
            let before = self.read.get(&process).copied();
            if before.is_some_and(|before| serial <= before) {
                continue;
            }
            let is_next = before.is_none_or(|before| serial == before + 1);
            self.read.insert(process, serial);
            // a newer version may use another format
            let notice = serde_json::from_value(notice)
                .unwrap_or(Notice { rows: vec![ChangedRows::ANY], calls: Vec::new() });
            db.others_changed(if is_next { notice.rows } else { vec![ChangedRows::ANY] });
            limits.add_calls(&notice.calls, Instant::now());
        }
        Ok(())
    }
}

/// Exchanges notices of a process until it is stopped.
pub async fn watch(state: Data<State>, process: String) {
    if state.db.get_database_backend() == DbBackend::Sqlite {
        return;
    }
    let mut notices = ProcessNotices::new(process);
    loop {
        if let Err(error) = notices.exchange(&state).await {
            tracing::debug!(%error, "no notices could be exchanged");
        }
        tokio::time::sleep(EVERY).await;
    }
}
