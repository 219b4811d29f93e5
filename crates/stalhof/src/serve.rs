//! Server process: start, operation and end.

use std::time::Duration;

use actix_web::{HttpServer, web};
use api::{
    app::app,
    demo_accounts, import_progress,
    server_process::{self, ServerProcess},
};
use imports::import::row::months;
use store::Database;
use tracing_subscriber::{
    Layer,
    filter::{FilterExt, filter_fn},
    layer::SubscriberExt,
    util::SubscriberInitExt,
};
use values::{Error, Result, now};

use crate::{
    config::{LogFormat, Settings},
    demo, file_place, folder, metrics, migrate, process_notices, queues, server_state,
    traces::Traces,
    watch,
};

/// Connects to the database and brings its schema up to date.
pub async fn open(settings: &Settings) -> Result<Database> {
    folder::prepare(&settings.data_dir)?;
    let db = connect_primary(settings).await?;
    migrate::migrate(&db, &settings.database_url(), &settings.data_dir).await?;
    prepare_months(&db).await?;
    folder::protect(&settings.data_dir)?;
    Ok(db)
}

/// Connects to the database once another process has brought its schema up to date.
async fn open_migrated(settings: &Settings) -> Result<Database> {
    folder::prepare(&settings.data_dir)?;
    let db = connect_primary(settings).await?;
    migrate::wait_until_migrated(&db).await?;
    prepare_months(&db).await?;
    folder::protect(&settings.data_dir)?;
    Ok(db)
}

/// Creates the partitions for future history: the last process may have ended months ago.
async fn prepare_months(db: &Database) -> Result<()> {
    identity::audit::prepare(db, now()).await?;
    months::prepare(db, now()).await
}

/// Connects to the database, which must not be a standby of another one.
async fn connect_primary(settings: &Settings) -> Result<Database> {
    let db = connect(settings).await?;
    if db.is_standby().await? {
        return Err(Error::internal(
            "DATABASE_URL names a standby, which cannot be written: name its primary there. The standby may serve reads: \
             name it in DATABASE_READ_URL",
        ));
    }
    Ok(db)
}

/// Adds the standby in the settings for reads, if there is one.
async fn with_replica(db: Database, settings: &Settings) -> Result<Database> {
    match &settings.database_read_url {
        Some(url) => db.with_replica(url, settings.database_connections).await,
        None => Ok(db),
    }
}

/// Connects to the database without changing it.
pub async fn connect(settings: &Settings) -> Result<Database> {
    let connected = Database::connect_pool(&settings.database_url(), settings.database_connections).await;
    connected.map_err(|error| Error::internal(format!("cannot use the database: {error}")))
}

/// Serves until the process is stopped; running requests are finished.
///
/// The process brings the schema up to date first if it `migrates`, and otherwise waits until another one
/// has.
pub async fn serve(
    mut settings: Settings,
    process: ServerProcess,
    fill_with_demo: bool,
    migrates: bool,
) -> Result<()> {
    values::declare_time_zone(settings.time_zone);
    let alone = folder::lock_data_folder(&settings)?;
    let db = if migrates { open(&settings).await? } else { open_migrated(&settings).await? };
    let files = settings.storage()?;
    file_place::verify(&db, &files).await?;
    let db = with_replica(db, &settings).await?;
    if fill_with_demo {
        demo::fill(&db, &files).await.map_err(|error| {
            Error::internal(format!("the demo data are not complete, start again to go on: {error}"))
        })?;
    }
    let is_demo = fill_with_demo && demo::is_in(&db).await?;
    // the demo shows all parts of the product
    settings.flags.processings |= is_demo;
    if is_demo && settings.shop_url.is_none() {
        settings.shop_url = Some(demo::SHOP_URL.to_owned());
    }
    let (listen, metrics_listen) = (settings.listen, settings.metrics_listen);
    let public_url = settings.public_url();
    let mut state = server_state::create(db, &settings, is_demo)?;
    state.process = process;
    let state = web::Data::new(state);
    if alone.is_some() {
        state.storage.empty_spool()?;
    }
    let background = queues::registered(&state).start(&settings.data_dir).await?;
    let shared = state.clone();
    let server = HttpServer::new(move || app(shared.clone()))
        .client_request_timeout(Duration::from_secs(5))
        .client_disconnect_timeout(Duration::from_secs(2))
        .shutdown_timeout(30)
        .max_connections(1024)
        .disable_signals()
        .bind(listen)
        .map_err(|error| Error::internal(format!("cannot listen on {listen}: {error}")))?
        .run();
    let handle = server.handle();
    let running = tokio::spawn(server);
    tracing::info!(%listen, "Stalhof is ready");
    announce(&public_url, is_demo);

    let metrics = match metrics_listen {
        Some(address) => Some(tokio::spawn(metrics::listen(state.clone(), address)?)),
        None => None,
    };
    let watching = [
        tokio::spawn(watch::watch(state.clone(), settings.database_url())),
        tokio::spawn(watch::watch_replica(state.clone())),
        tokio::spawn(import_progress::watch(state.clone())),
        tokio::spawn(server_process::watch(state.db.clone(), state.process.clone())),
        tokio::spawn(process_notices::watch(state.clone(), state.process.name.clone())),
    ];
    ended().await;
    tracing::info!("ending: running requests are finished first");
    state.end();
    // connections to the database that were opened for a request end with the thread that served it: other
    // users of such a connection must end before
    let calmly = async {
        background.end().await;
        handle.stop(true).await;
    };
    tokio::select! {
        () = calmly => {}
        () = ended() => handle.stop(false).await,
    }
    for watch in watching {
        watch.abort();
        // its last write ends before the next line
        let _ = watch.await;
    }
    if let Err(error) = state.process.leave(&state.db).await {
        tracing::debug!(%error, "the end of the process could not be recorded");
    }
    if let Some(metrics) = metrics {
        metrics.abort();
    }
    running.await.map_err(Error::internal)?.map_err(Error::internal)
}

/// Prints the address, for people who start the server by hand.
#[expect(clippy::print_stdout, reason = "this is the program's output")]
fn announce(public_url: &str, with_demo: bool) {
    println!("\n  Stalhof: {public_url}\n");
    if with_demo {
        println!("  Demo accounts, password {}:", demo_accounts::PASSWORD);
        for account in demo_accounts::ACCOUNTS {
            println!("    {:<28} {}", account.email, account.description);
        }
        println!();
    }
}

/// Resolves on SIGTERM or Ctrl-C.
async fn ended() {
    let interrupted = async {
        // without a handler the process would end immediately
        let _ = tokio::signal::ctrl_c().await;
    };
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        if let Ok(mut terminate) = signal(SignalKind::terminate()) {
            tokio::select! {
                () = interrupted => {}
                _ = terminate.recv() => {}
            }
            return;
        }
    }
    interrupted.await;
}

/// Logs one line per event on standard error; `RUST_LOG` selects events. Spans are only sent to the collector
/// of traces.
pub fn log(format: LogFormat, traces: &Traces) {
    let filter = tracing_subscriber::EnvFilter::try_from_default_env().unwrap_or_else(|_| {
        tracing_subscriber::EnvFilter::new("info,sqlx=warn,sea_orm_migration=warn,actix_server=warn")
    });
    // an unwritable log, for example with a full disk, would otherwise cause a panic
    let lines = tracing_subscriber::fmt::layer().with_writer(std::io::stderr).log_internal_errors(false);
    let lines = match format {
        LogFormat::Human => lines.compact().boxed(),
        LogFormat::Json => lines.json().flatten_event(true).boxed(),
    };
    let events = filter.and(filter_fn(|metadata| !metadata.is_span()));
    tracing_subscriber::registry().with(lines.with_filter(events)).with(traces.layer()).init();
}
