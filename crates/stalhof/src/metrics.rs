//! Metrics for a monitoring system: `GET /metrics`, on a listener of its own.

use std::{net::SocketAddr, sync::atomic::AtomicU64};

use actix_web::{
    App, HttpResponse, HttpServer,
    dev::Server,
    web::{self, Data},
};
use api::{
    server_process::{self, ServerProcess},
    state::State,
};
use pricing::quote::load::BookOrigin;
use prometheus_client::{
    encoding::{EncodeLabelSet, text::encode},
    metrics::{counter::Counter, family::Family, gauge::Gauge},
    registry::{Registry, Unit},
};
use store::ReplicaFigures;
use values::{Error, Result, now};

use crate::queues;

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct StateLabel {
    state: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct QueueLabels {
    queue: &'static str,
    state: &'static str,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct OriginLabel {
    origin: &'static str,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct ServerLabel {
    server: &'static str,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct JobLabel {
    job: &'static str,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct WorkLabel {
    work: &'static str,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct ProcessLabels {
    process: String,
    version: String,
}

/// Serves the metrics until it is stopped.
pub fn listen(state: Data<State>, address: SocketAddr) -> Result<Server> {
    let app = move || App::new().app_data(state.clone()).route("/metrics", web::get().to(serve_metrics));
    let server = HttpServer::new(app).workers(1).disable_signals().bind(address);
    let server = server.map_err(|error| Error::internal(format!("cannot listen on {address}: {error}")))?;
    Ok(server.run())
}

async fn serve_metrics(state: Data<State>) -> HttpResponse {
    match text(&state).await {
        Ok(text) => HttpResponse::Ok()
            .content_type("application/openmetrics-text; version=1.0.0; charset=utf-8")
            .body(text),
        Err(_) => HttpResponse::InternalServerError().finish(),
    }
}

/// Returns the present metrics in the text format of OpenMetrics, which Prometheus reads.
pub async fn text(state: &Data<State>) -> Result<String> {
    let mut registry = Registry::with_prefix("stalhof");
    let answers = &state.http.answers;
    registry.register("http_requests", "Answered requests", answers.requests.clone());
    registry.register_with_unit(
        "http_request_duration",
        "Time from a request to its answer, without streamed bodies",
        Unit::Seconds,
        answers.durations.clone(),
    );
    add_state(&mut registry, state);
    add_replica(&mut registry, state);
    add_price_books(&mut registry, state);
    if let Err(error) = add_queues(&mut registry, state).await {
        // `database_up` reports an outage; the other metrics are still useful
        tracing::debug!(%error, "queues are not measured");
    }
    if let Err(error) = add_background(&mut registry, state).await {
        tracing::debug!(%error, "background work is not measured");
    }
    let mut text = String::new();
    encode(&mut text, &registry).map_err(Error::internal)?;
    Ok(text)
}

/// Adds the metrics that need no database.
fn add_state(registry: &mut Registry, state: &State) {
    let mut add = |name: &str, help: &str, value: f64| {
        let gauge = Gauge::<f64, AtomicU64>::default();
        gauge.set(value);
        registry.register(name, help, gauge);
    };
    let health = state.db.health();
    let yes = |holds: bool| f64::from(u8::from(holds));
    add("database_up", "Whether the database answers", yes(!health.is_away()));
    add("database_writable", "Whether the last write was not refused", yes(health.fault().is_none()));
    let (connections, idle) = state.db.connections();
    add("database_connections", "Open connections to the database", connections.into());
    add("database_connections_idle", "Connections that nobody uses", idle.into());
    if let Ok(room) = state.storage.room() {
        add("disk_free_bytes", "Free space of the data folder's disk", float(room.free));
        add("disk_total_bytes", "Size of the data folder's disk", float(room.total));
        add(
            "files_accepted",
            "Whether there is room for uploads and imports",
            yes(state.storage.check_free_space().is_ok()),
        );
    }
    if let Some(bytes) = resident_bytes() {
        add("process_resident_memory_bytes", "Memory of the process", float(bytes));
    }
    let process = Gauge::<i64>::default();
    process.set(1);
    let labels = [("process".into(), state.process.name.clone().into())];
    registry.sub_registry_with_labels(labels.into_iter()).register(
        "process_info",
        "The process that is read",
        process,
    );
    let build = Gauge::<i64>::default();
    build.set(1);
    let labels = [("version".into(), env!("CARGO_PKG_VERSION").into())];
    registry.sub_registry_with_labels(labels.into_iter()).register(
        "build_info",
        "The running version",
        build,
    );
}

/// Adds metrics of the read replica, if there is one.
fn add_replica(registry: &mut Registry, state: &State) {
    let Some(ReplicaFigures { is_used, lag, reads, fallbacks }) = state.db.replica_figures() else { return };
    let used = Gauge::<i64>::default();
    used.set(is_used.into());
    registry.register("replica_used", "Whether reads go to the read replica", used);
    let seconds = Gauge::<f64, AtomicU64>::default();
    seconds.set(lag.as_secs_f64());
    let help = "Time by which the read replica is behind";
    registry.register_with_unit("replica_lag", help, Unit::Seconds, seconds);
    let served = Family::<ServerLabel, Counter>::default();
    for (server, count) in [("replica", reads), ("primary", fallbacks)] {
        served.get_or_create(&ServerLabel { server }).inc_by(count);
    }
    registry.register("replica_reads", "Reads meant for the read replica by who has served them", served);
}

fn add_price_books(registry: &mut Registry, state: &State) {
    let figures = state.books.figures();
    let mut add = |name: &str, help: &str, value: usize| {
        let gauge = Gauge::<i64>::default();
        gauge.set(i64::try_from(value).unwrap_or(i64::MAX));
        registry.register(name, help, gauge);
    };
    add("price_books", "Sellers whose compiled prices are in memory", figures.books);
    add("price_books_bytes", "Memory of all compiled prices", figures.bytes);
    add("price_books_max_bytes", "The bound of that memory", figures.bytes_max);
    let requests = Family::<OriginLabel, Counter>::default();
    let seconds = Family::<OriginLabel, Counter<f64, AtomicU64>>::default();
    for (origin, count) in BookOrigin::ALL.into_iter().zip(figures.counts) {
        let labels = OriginLabel { origin: origin.name() };
        requests.get_or_create(&labels).inc_by(count.books);
        if origin != BookOrigin::Cached {
            seconds.get_or_create(&labels).inc_by(count.took.as_secs_f64());
        }
    }
    registry.register("price_book_requests", "Requests of compiled prices by their origin", requests);
    registry.register_with_unit(
        "price_book_compile",
        "Time in which prices were read and compiled, by origin",
        Unit::Seconds,
        seconds,
    );
}

async fn add_queues(registry: &mut Registry, state: &State) -> Result<()> {
    let imports = Family::<StateLabel, Gauge>::default();
    for (status, count) in imports::import::numbers(&state.db).await? {
        imports.get_or_create(&StateLabel { state: status }).set(count);
    }
    registry.register("imports", "Imports by their state", imports);
    let processes = Family::<ProcessLabels, Gauge>::default();
    for ServerProcess { name, version, .. } in server_process::load_alive(&state.db).await? {
        processes.get_or_create(&ProcessLabels { process: name, version }).set(1);
    }
    registry.register("server_process", "Server processes that are alive, on PostgreSQL", processes);
    let waiting = mail::outbox::waiting(&state.db).await?;
    let mails = Gauge::<i64>::default();
    mails.set(waiting.messages);
    registry.register("mails_waiting", "Mails that have not left", mails);
    let age = Gauge::<i64>::default();
    age.set(waiting.since.map_or(0, |since| (now() - since).num_seconds().max(0)));
    registry.register_with_unit(
        "mails_oldest_age",
        "How long the oldest of them has waited",
        Unit::Seconds,
        age,
    );
    Ok(())
}

async fn add_background(registry: &mut Registry, state: &Data<State>) -> Result<()> {
    let panics = Family::<WorkLabel, Counter>::default();
    for (work, count) in state.panics.all() {
        panics.get_or_create(&WorkLabel { work }).inc_by(count);
    }
    registry.register("background_panics", "Panics of background work in this process", panics);

    let now = now();
    let board = queues::registered(state).board(now).await?;
    let queues = Family::<QueueLabels, Gauge>::default();
    for (queue, figures) in board.queues {
        for (state, count) in
            [("waiting", figures.waiting), ("running", figures.running), ("failed", figures.failed)]
        {
            queues.get_or_create(&QueueLabels { queue, state }).set(count);
        }
    }
    registry.register("background_queue", "What waits, runs, and failed within 24 hours, by queue", queues);

    let (failures, overdue) = (Family::<JobLabel, Gauge>::default(), Family::<JobLabel, Gauge>::default());
    for (job, row) in board.jobs {
        let Some(row) = row else { continue };
        failures.get_or_create(&JobLabel { job }).set(row.failures_in_row);
        overdue.get_or_create(&JobLabel { job }).set((now - row.due_at).num_seconds().max(0));
    }
    registry.register("background_job_failures", "How often a job has failed in a row", failures);
    registry.register_with_unit(
        "background_job_overdue",
        "How long a job has been due, also while it runs",
        Unit::Seconds,
        overdue,
    );
    Ok(())
}

#[expect(clippy::cast_precision_loss, reason = "no disk is so large that it matters")]
fn float(number: u64) -> f64 {
    number as f64
}

/// Returns the resident memory from Linux; `None` on other systems.
fn resident_bytes() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    line.trim().strip_suffix(" kB")?.trim().parse::<u64>().ok().map(|kilobytes| kilobytes * 1024)
}
