//! A fresh, migrated database for every test: SQLite, or PostgreSQL where `TEST_DATABASE_URL` names a server.

pub mod note;
pub mod rules;
pub mod smtp;

use std::{
    ops::Deref,
    sync::{
        OnceLock,
        atomic::{AtomicU32, Ordering},
        mpsc,
    },
    thread,
};

use kernel::Database;
use migrations::Migrator;
use sea_orm::{ConnectionTrait, DbErr};
use sea_orm_migration::MigratorTrait;
use tempfile::TempDir;
use tokio::sync::OnceCell;

/// A database of one test, which goes with it.
#[derive(Debug)]
pub struct TestDatabase {
    database: Database,
    /// How another connection reaches it.
    pub url: String,
    _folder: Option<TempDir>,
    _on_server: Option<OnServer>,
}

/// A database of a PostgreSQL server.
#[derive(Debug)]
struct OnServer {
    server: String,
    name: String,
}

impl Drop for OnServer {
    /// It is dropped beside the next tests: hundreds of databases would need gigabytes.
    fn drop(&mut self) {
        static DROPPING: OnceLock<mpsc::Sender<(String, String)>> = OnceLock::new();
        let dropping = DROPPING.get_or_init(|| {
            let (sender, databases) = mpsc::channel();
            thread::spawn(move || drop_each(&databases));
            sender
        });
        // nothing is left to do when the process ends
        let _ = dropping.send((std::mem::take(&mut self.server), std::mem::take(&mut self.name)));
    }
}

/// Many at once: each statement makes the server write to its files what other tests have changed.
fn drop_each(databases: &mpsc::Receiver<(String, String)>) {
    const AT_ONCE: usize = 40;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    let mut ended = Vec::with_capacity(AT_ONCE);
    for database in databases {
        ended.push(database);
        if ended.len() < AT_ONCE {
            continue;
        }
        for (server, name) in ended.drain(..) {
            let statement = format!("DROP DATABASE {name} WITH (FORCE)");
            if let Err(error) = runtime.block_on(on_server(&server, &statement)) {
                eprintln!("{name} stays: {error}");
            }
        }
    }
}

impl Deref for TestDatabase {
    type Target = Database;

    fn deref(&self) -> &Database {
        &self.database
    }
}

/// A fresh database with all migrations applied.
///
/// # Panics
/// When the database cannot be made: the test cannot run.
pub async fn database() -> TestDatabase {
    match std::env::var("TEST_DATABASE_URL") {
        Ok(server) => postgres(&server).await,
        Err(_) => sqlite().await,
    }
}

/// The migrated file is made once and copied for every test.
async fn sqlite() -> TestDatabase {
    static TEMPLATE: OnceCell<TempDir> = OnceCell::const_new();
    let template = TEMPLATE
        .get_or_init(|| async {
            let folder = TempDir::new().expect("a folder for the template");
            let database =
                Database::connect(&Database::embedded_url(folder.path())).await.expect("SQLite opens");
            Migrator::up(database.writer(), None).await.expect("the migrations apply");
            database.writer().execute_unprepared("PRAGMA wal_checkpoint(TRUNCATE)").await.expect("one file");
            folder
        })
        .await;
    let folder = TempDir::new().expect("a folder for the database");
    let file = "stalhof.db";
    std::fs::copy(template.path().join(file), folder.path().join(file)).expect("the template can be copied");
    let url = Database::embedded_url(folder.path());
    let database = Database::connect(&url).await.expect("SQLite opens");
    // what goes with the test need not outlive the machine's power
    database.writer().execute_unprepared("PRAGMA synchronous = OFF").await.expect("one writer");
    TestDatabase { database, url, _folder: Some(folder), _on_server: None }
}

/// The migrated database is made once per run and serves as template.
async fn postgres(server: &str) -> TestDatabase {
    static TEMPLATE: OnceCell<String> = OnceCell::const_new();
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let run = std::process::id();
    let template = TEMPLATE
        .get_or_init(|| async {
            let name = format!("template_{run}");
            on_server(
                server,
                &format!("CREATE DATABASE {name} LC_COLLATE 'C.UTF-8' LC_CTYPE 'C.UTF-8' TEMPLATE template0"),
            )
            .await
            .expect("the server makes databases");
            let database = Database::connect(&in_server(server, &name)).await.expect("PostgreSQL answers");
            Migrator::up(database.writer(), None).await.expect("the migrations apply");
            database.close().await.expect("a template has no connections");
            name
        })
        .await;
    let name = format!("test_{run}_{}", COUNT.fetch_add(1, Ordering::Relaxed));
    on_server(server, &format!("CREATE DATABASE {name} TEMPLATE {template} STRATEGY wal_log"))
        .await
        .expect("the server makes databases");
    let url = in_server(server, &name);
    let database = Database::connect(&url).await.expect("PostgreSQL answers");
    let on_server = OnServer { server: server.to_owned(), name };
    TestDatabase { database, url, _folder: None, _on_server: Some(on_server) }
}

async fn on_server(server: &str, statement: &str) -> Result<(), DbErr> {
    let connection = sea_orm::Database::connect(server).await?;
    connection.execute_unprepared(statement).await?;
    connection.close().await
}

fn in_server(server: &str, database: &str) -> String {
    let (before, _) = server.rsplit_once('/').expect("TEST_DATABASE_URL ends in /database");
    format!("{before}/{database}")
}
