//! Background jobs and queues with their failures, for operators of the installation.

use background::{Board, Figures, JobRow};
use chrono::{DateTime, Utc};
use http_api::{
    access::Authorized,
    answer::{OkJson, ok_json},
    publish,
    routes::{Answer, Routes},
};
use identity::may;
use serde::Serialize;
use utoipa::ToSchema;
use values::{Instant, now};

use crate::{
    codes,
    server_process::{self, ProcessHeartbeat, ServerProcess},
    state::Server,
};

pub(crate) fn routes(routes: &mut Routes) {
    publish!(routes, "background_work": view);
}

/// Background work of all processes.
#[derive(Serialize, ToSchema)]
struct BackgroundWork {
    /// Jobs that run repeatedly.
    jobs: Vec<BackgroundJob>,
    queues: Vec<BackgroundQueue>,
    /// Server processes that share the database, the newest first. Empty with an embedded database, which has
    /// a single process.
    processes: Vec<BackgroundProcess>,
}

/// A server process.
#[derive(Serialize, ToSchema)]
struct BackgroundProcess {
    /// Host name, process id and a random part.
    #[schema(example = "steel-1:4711:9f3a5c7e")]
    name: String,
    /// The version of the program.
    #[schema(example = "1.0.0")]
    version: String,
    started_at: DateTime<Utc>,
    /// Time of the last heartbeat; there is one every 5 s.
    seen_at: DateTime<Utc>,
    /// False without a heartbeat for half a minute: the process has died, or cannot reach the database. Such
    /// a process is shown for a day.
    alive: bool,
}

impl From<ProcessHeartbeat> for BackgroundProcess {
    fn from(heartbeat: ProcessHeartbeat) -> Self {
        let ProcessHeartbeat { process: ServerProcess { name, version, .. }, started_at, seen_at, is_alive } =
            heartbeat;
        Self { name, version, started_at, seen_at, alive: is_alive }
    }
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
enum BackgroundJobState {
    /// Succeeded last, or has never run.
    Waiting,
    Running,
    /// Failed last, and will be retried.
    Failing,
}

/// Job; a single process runs it at a time.
#[derive(Serialize, ToSchema)]
struct BackgroundJob {
    #[schema(example = "sessions")]
    name: &'static str,
    state: BackgroundJobState,
    #[schema(required)]
    last_started_at: Option<DateTime<Utc>>,
    #[schema(required)]
    last_finished_at: Option<DateTime<Utc>>,
    /// Time of the next run; `null` before the first one.
    #[schema(required)]
    due_at: Option<DateTime<Utc>>,
    /// Process that runs it, by the name in its log at the start.
    #[schema(required, example = "019376f0c2d87b3fb1f4a0e5c6d7e8f9")]
    process: Option<String>,
    #[schema(required)]
    last_failed_at: Option<DateTime<Utc>>,
    /// Reason in one word: the code of the error, `panic`, `took_too_long`, or `interrupted` if the process
    /// ended meanwhile. The cause is in the log.
    #[schema(required, example = "database is locked")]
    last_failure: Option<String>,
    #[schema(example = 0)]
    failures_in_row: i64,
    /// Number of finished runs, failed ones included.
    #[schema(example = 1440)]
    runs: i64,
    #[schema(example = 0)]
    failed_runs: i64,
}

impl BackgroundJob {
    fn new(name: &'static str, row: Option<JobRow>, now: Instant) -> Self {
        let is_running = row.as_ref().is_some_and(|row| row.is_running(now));
        let state = match &row {
            _ if is_running => BackgroundJobState::Running,
            Some(row) if row.failures_in_row > 0 => BackgroundJobState::Failing,
            _ => BackgroundJobState::Waiting,
        };
        let (failures_in_row, runs, failed_runs) =
            row.as_ref().map(|row| (row.failures_in_row, row.runs, row.failed_runs)).unwrap_or_default();
        let at = |time: fn(&JobRow) -> Option<Instant>| row.as_ref().and_then(time);
        Self {
            name,
            state,
            last_started_at: at(|row| row.started_at),
            last_finished_at: at(|row| row.finished_at),
            due_at: at(|row| Some(row.due_at)),
            last_failed_at: at(|row| row.failed_at),
            failures_in_row,
            runs,
            failed_runs,
            process: row.as_ref().and_then(|row| row.lease_owner.clone()).filter(|_| is_running),
            last_failure: row.and_then(|row| row.failure),
        }
    }
}

/// Queue.
#[derive(Serialize, ToSchema)]
struct BackgroundQueue {
    #[schema(example = "imports")]
    name: &'static str,
    #[schema(example = 2)]
    waiting: i64,
    /// Time since which the oldest entry waits.
    #[schema(required)]
    waiting_since: Option<DateTime<Utc>>,
    #[schema(example = 1)]
    running: i64,
    /// Entries that failed finally within the last 24 hours; for jobs, those whose last run failed.
    #[schema(example = 0)]
    failed: i64,
}

impl BackgroundQueue {
    fn new(name: &'static str, figures: Figures) -> Self {
        let Figures { waiting, waiting_since, running, failed } = figures;
        Self { name, waiting, waiting_since, running, failed }
    }
}

/// Shows background jobs, queues, their failures and the server processes; only for users without a tenant.
#[utoipa::path(get, path = "/api/admin/background-work")]
async fn view(admin: Authorized<may::ViewAudit>, Server(state): Server) -> Answer<OkJson<BackgroundWork>> {
    if !admin.scope().is_platform() {
        return Err(codes::OPERATORS_ONLY.into());
    }
    let now = now();
    let Board { jobs, queues } = (state.background)(&state).board(now).await?;
    let jobs = jobs.into_iter().map(|(name, row)| BackgroundJob::new(name, row, now)).collect();
    let queues = queues.into_iter().map(|(name, figures)| BackgroundQueue::new(name, figures)).collect();
    let processes =
        server_process::load_recent(&state.db).await?.into_iter().map(BackgroundProcess::from).collect();
    Ok(ok_json(BackgroundWork { jobs, queues, processes }))
}
