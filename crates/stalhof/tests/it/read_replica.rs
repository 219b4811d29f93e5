//! Reads from a streaming standby of PostgreSQL that lags, conflicts, is unreachable and is promoted in turn.
//! It needs a PostgreSQL of its own, because a standby needs other settings than all other tests.

use std::{
    collections::BTreeSet,
    io::{BufRead, BufReader, Write},
    path::PathBuf,
    process::{Child, ChildStdin, ChildStdout, Command, Stdio},
    time::{Duration, Instant},
};

use actix_web::http::Method;
use sea_orm::{ConnectionTrait, DatabaseConnection, DbBackend, Statement};
use serde_json::{Value, json};
use store::{Database, ReplicaFigures};
use tokio::time::sleep;
use values::{PermissionSet, Result};

use crate::{
    catalog::{Catalog, column, id},
    exports::lines,
    imports::{IMPORTS, ended},
    stocks::{self, Depot},
    support::{Client, Form, PASSWORD, TestApp, settings},
    warehouses::warehouse,
};

const WAREHOUSES: &str = "/api/admin/warehouses";
const AUDIT: &str = "/api/admin/audit";

/// Tables that the exports, the compiled prices, the history and the lists of all tenants of this test read.
/// The history names users and imports; compiled prices are those of the versions that are read with them.
const READ_ON_REPLICA: &[&str] = &[
    "attribute",
    "attribute_option",
    "audit_entry",
    "closure",
    "import",
    "import_row",
    "pg_control_system",
    "price_adjustment",
    "price_change",
    "price_list",
    "price_list_excluded_tenant",
    "price_list_tenant",
    "price_list_tenant_group",
    "prices_version",
    "processing_price",
    "stock",
    "tenant",
    "tenant_group_member",
    "user",
    "warehouse",
    "warehouse_cut_off",
];

/// Primary and standby, started by `scripts/postgres-standby`.
struct Servers {
    script: Child,
    commands: Option<ChildStdin>,
    answers: BufReader<ChildStdout>,
    primary: String,
    standby: String,
    log: PathBuf,
}

impl Servers {
    fn start() -> Self {
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../../scripts/postgres-standby");
        let mut script = Command::new(script).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let mut answers = BufReader::new(script.stdout.take().unwrap());
        let mut first = String::new();
        answers.read_line(&mut first).unwrap();
        let [primary, standby, log] = first.split_whitespace().collect::<Vec<_>>()[..] else {
            panic!("no servers: {first}");
        };
        let (primary, standby, log) = (primary.to_owned(), standby.to_owned(), log.into());
        Self { commands: script.stdin.take(), script, answers, primary, standby, log }
    }

    fn standby(&mut self, command: &str) {
        writeln!(self.commands.as_ref().unwrap(), "{command}").unwrap();
        let mut done = String::new();
        self.answers.read_line(&mut done).unwrap();
        assert_eq!(done.trim(), command);
    }

    async fn connect_standby(&self) -> DatabaseConnection {
        sea_orm::Database::connect(&self.standby).await.unwrap()
    }

    /// Tables and views in the statements of the standby's log.
    fn tables_read(&self) -> BTreeSet<String> {
        let log = std::fs::read_to_string(&self.log).unwrap();
        let mut tables = BTreeSet::new();
        let mut words =
            log.split(|c: char| c.is_whitespace() || "(),;".contains(c)).filter(|word| !word.is_empty());
        while let Some(word) = words.next() {
            if ["FROM", "JOIN", "INTO", "UPDATE"].contains(&word)
                && let Some(table) = words.next()
                && table != "SELECT"
            {
                tables.insert(table.trim_matches('"').to_owned());
            }
        }
        tables
    }
}

impl Drop for Servers {
    fn drop(&mut self) {
        drop(self.commands.take());
        // its result does not matter at the end of the test
        let _ = self.script.wait();
    }
}

async fn execute(connection: &impl ConnectionTrait, sql: &str) {
    connection.execute_unprepared(sql).await.unwrap();
}

/// Number of warehouses.
async fn count(db: &impl ConnectionTrait) -> Result<i64> {
    let sql = "SELECT count(*)::bigint AS n FROM warehouse";
    let row = db.query_one_raw(Statement::from_string(DbBackend::Postgres, sql)).await?;
    Ok(row.unwrap().try_get("", "n")?)
}

/// Waits until a check of the standby has this result.
async fn until_used(db: &Database, is_used: bool) -> ReplicaFigures {
    let began = Instant::now();
    loop {
        db.check_replica().await;
        let figures = db.replica_figures().unwrap();
        if figures.is_used == is_used {
            return figures;
        }
        assert!(began.elapsed() < Duration::from_secs(20), "{figures:?}");
        sleep(Duration::from_millis(100)).await;
    }
}

/// List of all tenants, history, export and quote, as a caller of this process sees them.
struct Reader<'d> {
    depot: &'d Depot,
    admin: Client,
    user: Client,
}

impl Reader<'_> {
    async fn warehouses(&self) -> Vec<String> {
        let list = self.admin.get(&format!("{WAREHOUSES}?sort=id")).await.is(200);
        column(&list, "name").into_iter().map(str::to_owned).collect()
    }

    async fn last_change(&self) -> String {
        let list = self.admin.get(&format!("{AUDIT}?page[size]=1")).await.is(200);
        list["data"][0]["record_name"].as_str().unwrap().to_owned()
    }

    async fn exported(&self) -> usize {
        lines(&self.admin.get(&format!("{WAREHOUSES}/export?format=csv")).await).len() - 1
    }

    async fn total(&self) -> Value {
        let line = json!({ "article_id": self.depot.articles[0]["id"], "quantity": "1", "unit": "t" });
        let cart = json!({ "buyer_id": self.depot.catalog.app.south, "lines": [line] });
        self.user.post("/api/admin/quotes", json!({ "carts": [cart] })).await.is(200)["data"][0]["total"]
            .take()
    }

    /// Asserts that all of them show the last change.
    async fn sees(&self, warehouses: &[String], price: &str) {
        assert_eq!(self.warehouses().await, warehouses);
        assert_eq!(self.last_change().await, *warehouses.last().unwrap());
        assert_eq!(self.exported().await, warehouses.len());
        assert_eq!(self.total().await, price);
    }
}

/// Waits until the standby serves the list, the history and the export of a reader.
async fn until_served(db: &Database, reader: &Reader<'_>, warehouses: &[String], price: &str) {
    let began = Instant::now();
    loop {
        let before = db.replica_figures().unwrap();
        reader.sees(warehouses, price).await;
        let after = db.replica_figures().unwrap();
        if after.reads >= before.reads + 3 {
            return;
        }
        assert!(began.elapsed() < Duration::from_secs(20), "{after:?}");
        sleep(Duration::from_secs(1)).await;
    }
}

/// Changes a price and then adds a warehouse, by a user of the tenant.
async fn write(user: &Client, stock: i64, price: &str, warehouses: &mut Vec<String>) {
    let body = json!({ "external_price": { "price": price, "unit": "t" } });
    user.put(&format!("/api/admin/prices/{stock}"), body).await.is(200);
    let (name, code) = (format!("Lager {}", warehouses.len()), format!("L{}", warehouses.len()));
    user.post(WAREHOUSES, warehouse(&name, &code)).await.is(201);
    warehouses.push(name);
}

#[actix_web::test]
async fn reads_go_to_a_standby_and_are_never_older_than_previous_writes() {
    if std::env::var_os("TEST_DATABASE_URL").is_none() {
        return;
    }
    let mut servers = Servers::start();
    let app = TestApp::with_replica(&servers.primary, &servers.standby).await;
    let depot = Depot::over(Catalog::over(app).await).await;
    let Depot { catalog: Catalog { app, admin, .. }, user, .. } = &depot;
    let second = Database::connect(&app.db.url).await.unwrap();
    let second = second.with_replica(&servers.standby, 4).await.unwrap();
    let process = app.process_on(second.clone()).await;
    let first = Reader { depot: &depot, admin: admin.clone(), user: user.clone() };
    let other = Reader {
        depot: &depot,
        admin: process.signed_in(&admin.token.clone().into()),
        user: process.signed_in(&user.token.clone().into()),
    };
    let stock = id(&user.post(stocks::PATH, depot.stock(0, 0)).await.is(201));
    let mut names = vec!["Duisburg".to_owned(), "Hamburg".to_owned()];
    let standby = servers.connect_standby().await;
    until_used(&app.db, true).await;
    until_used(&second, true).await;

    // both processes read from it what either has just written
    for price in ["900", "901", "902"] {
        write(&first.user, stock, price, &mut names).await;
        other.sees(&names, price).await;
        write(&other.user, stock, &format!("{price}.5"), &mut names).await;
        first.sees(&names, &format!("{price}.5")).await;
    }
    until_served(&app.db, &first, &names, "902.5").await;
    until_served(&second, &other, &names, "902.5").await;

    // all other work does not use it
    daily_work(app, admin).await;
    let tables = servers.tables_read();
    let allowed: BTreeSet<_> = READ_ON_REPLICA.iter().map(ToString::to_string).collect();
    assert_eq!(tables, allowed);

    // lagging on purpose: all reads use the primary and see everything
    execute(&standby, "SELECT pg_wal_replay_pause()").await;
    let before = app.db.replica_figures().unwrap();
    for price in ["910", "911", "912"] {
        write(&first.user, stock, price, &mut names).await;
        other.sees(&names, price).await;
        first.sees(&names, price).await;
    }
    let after = app.db.replica_figures().unwrap();
    assert_eq!(after.reads, before.reads);
    assert!(after.fallbacks >= before.fallbacks + 12, "{after:?}");
    let behind = until_used(&app.db, false).await;
    assert!(behind.lag > Duration::from_secs(1), "{behind:?}");
    let text = app.metrics().await;
    assert!(
        text.contains("stalhof_replica_used 0")
            && text.contains(r#"stalhof_replica_reads_total{server="primary"}"#)
    );
    assert!(count(&standby).await.unwrap() < i64::try_from(names.len()).unwrap(), "the standby is behind");

    // caught up
    execute(&standby, "SELECT pg_wal_replay_resume()").await;
    until_used(&app.db, true).await;
    until_served(&app.db, &first, &names, "912").await;

    in_the_way(&app.db).await;
    refuse_writes(&servers, app, admin).await;

    // stopped while reads continue
    servers.standby("stop");
    write(&first.user, stock, "920", &mut names).await;
    first.sees(&names, "920").await;
    other.sees(&names, "920").await;
    until_used(&app.db, false).await;
    first.sees(&names, "920").await;
    servers.standby("start");
    until_used(&app.db, true).await;
    until_served(&app.db, &first, &names, "920").await;

    // promoted: it has its own timeline
    servers.standby("promote");
    write(&first.user, stock, "930", &mut names).await;
    first.sees(&names, "930").await;
    other.sees(&names, "930").await;
    until_used(&app.db, false).await;
    // and a primary is rejected as its own standby
    let itself = Database::connect(&app.db.url).await.unwrap().with_replica(&app.db.url, 1).await.unwrap();
    assert!(!itself.on_replica(async |db| db.is_standby().await).await.unwrap());
    assert_eq!(itself.replica_figures().unwrap().reads, 0);
}

/// Uses sessions, permissions, idempotency, queues and versions.
async fn daily_work(app: &TestApp, admin: &Client) {
    let email = app.user(Some(app.north), PermissionSet::all()).await;
    let body = json!({ "email": email, "password": PASSWORD });
    let token = app.anonymous().post("/api/sessions", body).await.is(201)["session"]["token"].clone();
    let visitor = app.anonymous().signed_in(&token);
    visitor.get("/api/admin/stocks").await.is(200);
    visitor.delete("/api/sessions/current").await;
    let material = json!({ "name": "S460" });
    for _ in 0..2 {
        let request =
            admin.request(Method::POST, "/api/admin/materials").insert_header(("idempotency-key", "k"));
        admin.call(request.set_json(&material)).await.is(201);
    }
    let running = app.background().await;
    let form = Form::new().field("type", "Article").file("a.csv", "Artikeltyp\r\nX");
    let import = form.send(admin, &format!("{IMPORTS}?tenant_id={}", app.north)).await.is(201);
    ended(admin, &import).await;
    running.end().await;
    for path in [
        "/api/admin/users",
        "/api/admin/roles",
        "/api/admin/imports",
        "/api/admin/tokens",
        "/api/admin/tenants",
    ] {
        admin.get(path).await.is(200);
    }
}

/// A read that is cancelled by the primary's vacuum is repeated on the primary.
async fn in_the_way(db: &Database) {
    let attempts = std::cell::Cell::new(0);
    let before = db.replica_figures().unwrap();
    let read = async |reader: Database| {
        attempts.set(attempts.get() + 1);
        let seen = count(&reader).await?;
        if attempts.get() == 1 {
            assert!(reader.is_standby().await?);
            assert!(reader.begin().await.is_err(), "nothing is written by what may run twice");
            execute(db.writer(), "UPDATE warehouse SET name = name").await;
            execute(db.writer(), "VACUUM warehouse").await;
            sleep(Duration::from_secs(2)).await;
        } else {
            assert!(!reader.is_standby().await?);
        }
        assert_eq!(count(&reader).await?, seen);
        Ok(seen)
    };
    assert!(db.on_replica(read).await.unwrap() > 2);
    let after = db.replica_figures().unwrap();
    assert_eq!((attempts.get(), after.fallbacks, after.reads), (2, before.fallbacks + 1, before.reads));
}

/// A process that is configured with the standby's address does not start, and one that was started before
/// answers 503.
async fn refuse_writes(servers: &Servers, app: &TestApp, admin: &Client) {
    let folder = tempfile::tempdir().unwrap();
    let mut settings = settings(folder.path());
    settings.database_url = Some(servers.standby.clone());
    let refusal = stalhof::serve::open(&settings).await.unwrap_err().to_string();
    assert!(refusal.contains("DATABASE_URL names a standby, which cannot be written"), "{refusal}");

    let process = app.process_on(Database::connect(&servers.standby).await.unwrap()).await;
    let admin = process.signed_in(&admin.token.clone().into());
    let answer = admin.post("/api/admin/materials", json!({ "name": "S500" })).await;
    assert_eq!(answer.header("retry-after"), "10");
    assert_eq!(answer.is(503)["code"], "database_away");
}
