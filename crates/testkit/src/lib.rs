//! A fresh, migrated database for every test: SQLite, or PostgreSQL where `TEST_DATABASE_URL` names a server.

pub mod certificates;
pub mod file_server;
pub mod note;
mod permissions;
pub mod rules;
pub mod s3_server;
pub mod smtp;
pub mod webhook_receiver;

use std::{
    ops::Deref,
    path::Path,
    sync::{
        OnceLock,
        atomic::{AtomicU32, Ordering},
        mpsc,
    },
    thread,
    time::Duration,
};

use migrations::Migrator;
use sea_orm::{ConnectionTrait, DbBackend, DbErr, Statement};
use sea_orm_migration::MigratorTrait;
use store::Database;
use tempfile::TempDir;
use tokio::sync::OnceCell;

/// Database of one test, which is deleted with this value.
#[derive(Debug)]
pub struct TestDatabase {
    database: Database,
    /// URL for further connections.
    pub url: String,
    _folder: Option<TempDir>,
    _on_server: Option<OnServer>,
}

impl TestDatabase {
    /// Waits until another write waits for the one that a test has open.
    ///
    /// # Panics
    /// If none does within ten seconds.
    pub async fn until_a_write_waits(&self) {
        for _ in 0..1_000 {
            if self.waiting_writes().await > 0 {
                return;
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        panic!("no write waits for the one that is open");
    }

    async fn waiting_writes(&self) -> usize {
        if let Some(waiting) = self.database.waiting_writes() {
            return waiting;
        }
        let sql = "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";
        let statement = Statement::from_string(DbBackend::Postgres, sql);
        self.database.query_all_raw(statement).await.expect("PostgreSQL tells who waits").len()
    }
}

/// A database of a PostgreSQL server.
#[derive(Debug)]
struct OnServer {
    server: String,
    name: String,
}

impl Drop for OnServer {
    /// Databases are dropped during the next tests, because hundreds of them would need gigabytes.
    fn drop(&mut self) {
        static DROPPING: OnceLock<mpsc::Sender<(String, String)>> = OnceLock::new();
        let dropping = DROPPING.get_or_init(|| {
            let (sender, databases) = mpsc::channel();
            thread::spawn(move || drop_each(&databases));
            sender
        });
        // The remaining ones are left to the end of the process.
        let _ = dropping.send((std::mem::take(&mut self.server), std::mem::take(&mut self.name)));
    }
}

/// Drops many together, because each statement makes the server flush the changes of other tests to disk.
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
            if let Err(error) = runtime.block_on(execute(&server, &statement)) {
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

/// Creates a database with all migrations applied.
///
/// # Panics
/// If the database cannot be created, so the test cannot run.
pub async fn database() -> TestDatabase {
    static EMPTY: Template = Template::new("empty");
    EMPTY.database(async |_, _| {}).await
}

/// Migrates a PostgreSQL database of the test's own, with a standby that may serve its reads.
///
/// # Panics
/// If the database cannot be created, so the test cannot run.
pub async fn database_with_replica(url: &str, replica: &str) -> TestDatabase {
    let database = Database::connect(url).await.expect("PostgreSQL answers");
    Migrator::up(database.writer(), None).await.expect("the migrations apply");
    let database = database.with_replica(replica, 4).await.expect("the standby may be away");
    TestDatabase { database, url: url.to_owned(), _folder: None, _on_server: None }
}

/// A migrated database that is filled once per process; tests begin with copies of it.
#[derive(Debug)]
pub struct Template {
    name: &'static str,
    template_database: OnceCell<TemplateDatabase>,
}

#[derive(Debug)]
struct TemplateDatabase {
    /// Folder with SQLite's file, and with files that the rows name.
    folder: TempDir,
    on_server: Option<String>,
}

const FILE: &str = "stalhof.db";

impl Template {
    /// Creates a template with the name of its database.
    pub const fn new(name: &'static str) -> Self {
        Self { name, template_database: OnceCell::const_new() }
    }

    /// Returns a copy. The first call creates the template; `fill` writes rows into it, and files into its
    /// folder.
    ///
    /// # Panics
    /// If the database cannot be created, so the test cannot run.
    pub async fn database(&self, fill: impl AsyncFnOnce(&Database, &Path)) -> TestDatabase {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let server = std::env::var("TEST_DATABASE_URL").ok();
        let TemplateDatabase { folder, on_server } =
            self.template_database.get_or_init(|| self.make(server.as_deref(), fill)).await;
        let (Some(server), Some(template)) = (server, on_server) else { return sqlite(folder).await };
        let name = format!("test_{}_{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
        execute(&server, &format!("CREATE DATABASE {name} TEMPLATE {template} STRATEGY wal_log"))
            .await
            .expect("the server makes databases");
        let url = in_server(&server, &name);
        let database = Database::connect(&url).await.expect("PostgreSQL answers");
        TestDatabase { database, url, _folder: None, _on_server: Some(OnServer { server, name }) }
    }

    /// Returns the folder with the files.
    ///
    /// # Panics
    /// If no database has been copied yet.
    pub fn folder(&self) -> &Path {
        self.template_database.get().expect("a template").folder.path()
    }

    async fn make(&self, server: Option<&str>, fill: impl AsyncFnOnce(&Database, &Path)) -> TemplateDatabase {
        let folder = TempDir::new().expect("a folder for the template");
        let name = format!("template_{}_{}", self.name, std::process::id());
        let url = match server {
            Some(server) => {
                let sql = "LC_COLLATE 'C.UTF-8' LC_CTYPE 'C.UTF-8' TEMPLATE template0";
                let create = format!("CREATE DATABASE {name} {sql}");
                execute(server, &create).await.expect("the server makes databases");
                in_server(server, &name)
            }
            None => Database::embedded_url(folder.path()),
        };
        let database = Database::connect(&url).await.expect("the database opens");
        if server.is_none() {
            forget_durability(&database).await;
        }
        Migrator::up(database.writer(), None).await.expect("the migrations apply");
        fill(&database, folder.path()).await;
        if server.is_none() {
            database.writer().execute_unprepared("PRAGMA wal_checkpoint(TRUNCATE)").await.expect("one file");
        }
        database.close().await.expect("a template has no connections");
        TemplateDatabase { folder, on_server: server.map(|_| name) }
    }
}

async fn sqlite(template: &TempDir) -> TestDatabase {
    let folder = TempDir::new().expect("a folder for the database");
    std::fs::copy(template.path().join(FILE), folder.path().join(FILE)).expect("the template can be copied");
    let url = Database::embedded_url(folder.path());
    let database = Database::connect(&url).await.expect("SQLite opens");
    forget_durability(&database).await;
    TestDatabase { database, url, _folder: Some(folder), _on_server: None }
}

/// Lets SQLite write without waiting for the disk: test data need not survive a power failure.
async fn forget_durability(database: &Database) {
    database.writer().execute_unprepared("PRAGMA synchronous = OFF").await.expect("one writer");
}

async fn execute(server: &str, statement: &str) -> Result<(), DbErr> {
    let connection = sea_orm::Database::connect(server).await?;
    connection.execute_unprepared(statement).await?;
    connection.close().await
}

fn in_server(server: &str, database: &str) -> String {
    let (before, _) = server.rsplit_once('/').expect("TEST_DATABASE_URL ends in /database");
    format!("{before}/{database}")
}
