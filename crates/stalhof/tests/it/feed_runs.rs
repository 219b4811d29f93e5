//! Runs of feeds against an SFTP server in this process.

mod health;
mod servers;

use std::{
    path::PathBuf,
    time::{Duration, Instant},
};

use actix_web::{http::Method, web::Data};
use api::state::State;
use background::schedule::{self, ScheduleRow, ScheduledOutcome, Subject};
use feeds::settings::fields::FileKind;
use imports::permissions;
use serde_json::{Value, json};
use stalhof::feed_runs;
use testkit::file_server::{
    LISTEN, PASSWORD, USER,
    sftp::{SftpMood, SftpServer, ed25519_key},
};
use values::TenantId;

use crate::{
    catalog::id,
    imports::{IMPORTS, counts, ended},
    price_lists::{PATH as PRICE_LISTS, list},
    stocks::{Depot, PATH as STOCKS},
    support::Client,
};

const PATH: &str = "/api/admin/ftp-settings";
/// Tenant with a feed of stocks, and the server that it fetches from.
struct Bed {
    depot: Depot,
    state: Data<State>,
    user: Client,
    folder: tempfile::TempDir,
    server: SftpServer,
    feed: i64,
}

fn settings(port: u16) -> Value {
    json!({
        "protocol": "sftp", "host": LISTEN, "port": port, "username": USER, "password": PASSWORD,
        "price_file": { "enabled": false, "transformer": "standard", "as_price_list": false },
        "stock_file": { "enabled": true, "file_name": "bestand*.csv", "transformer": "standard" },
        "schedules": { "price": null, "stock": { "type": "daily", "time": "06:00" } },
        "after_reading": "leave",
    })
}

impl Bed {
    async fn new() -> Self {
        let depot = Depot::new().await;
        let (state, user) = depot.catalog.app.with_secret_key(&depot.user).await;
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("erledigt")).unwrap();
        let server = SftpServer::start(folder.path(), SftpMood::Honest).await;
        let feed = id(&user.post(PATH, settings(server.port)).await.is(201));
        Self { depot, state, user, folder, server, feed }
    }

    fn uri(&self, action: &str) -> String {
        format!("{PATH}/{}/{action}", self.feed)
    }

    fn file(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Writes a file with stocks of the first article and the given modification time.
    fn write(&self, name: &str, quantity: &str, changed: u64) {
        let number = self.depot.articles[0]["article_number"].as_str().unwrap();
        std::fs::write(self.file(name), format!("Artikelnummer;Lager;Menge\r\n{number};DU;{quantity}\r\n"))
            .unwrap();
        let changed = std::time::UNIX_EPOCH + Duration::from_secs(1_764_300_000 + changed);
        std::fs::File::options().append(true).open(self.file(name)).unwrap().set_modified(changed).unwrap();
    }

    async fn change(&self, change: Value) {
        self.user.send(Method::PATCH, &format!("{PATH}/{}", self.feed), Some(change)).await.is(200);
    }

    async fn row(&self) -> Option<ScheduleRow> {
        self.row_of(FileKind::Stock).await
    }

    async fn row_of(&self, kind: FileKind) -> Option<ScheduleRow> {
        let tenant = TenantId(self.depot.catalog.app.north);
        let subject = Subject { tenant, kind: kind.schedule_kind(), id: self.feed };
        schedule::find(&*self.depot.catalog.app.db, subject).await.unwrap()
    }

    /// Runs what is due, as the scheduler does; returns the code of a failure.
    async fn run(&self) -> Option<&'static str> {
        self.run_of(FileKind::Stock).await
    }

    async fn run_of(&self, kind: FileKind) -> Option<&'static str> {
        let row = self.row_of(kind).await.unwrap();
        match feed_runs::fetch(&self.state, &row, kind).await {
            Ok(ScheduledOutcome::Succeeded) => None,
            Ok(ScheduledOutcome::Failed(code)) => Some(code.as_str()),
            Err(error) => Some(error.code().as_str()),
        }
    }

    async fn runs(&self) -> Vec<Value> {
        let page = self.user.get(&self.uri("runs")).await.is(200);
        page["data"].as_array().unwrap().clone()
    }

    /// Outcome, code and file of the latest run.
    async fn last(&self) -> (String, Value, Value) {
        let run = self.runs().await.remove(0);
        let word = |name: &str| run[name].clone();
        (run["outcome"].as_str().unwrap_or("open").to_owned(), word("failure"), word("file_name"))
    }

    async fn imports(&self) -> Vec<Value> {
        let page = self.user.get(&format!("{IMPORTS}?sort=id")).await.is(200);
        page["data"].as_array().unwrap().clone()
    }

    /// Runs the imports in the queue.
    async fn import(&self) -> Vec<Value> {
        let workers = self.depot.catalog.app.workers().await;
        let mut all = Vec::new();
        for import in self.imports().await {
            all.push(ended(&self.user, &import).await);
        }
        workers.end().await;
        all
    }

    async fn quantities(&self) -> Vec<String> {
        let stocks = self.user.get(STOCKS).await.is(200);
        let quantity = |stock: &Value| stock["quantity"].as_str().unwrap_or_default().to_owned();
        stocks["data"].as_array().unwrap().iter().map(quantity).collect()
    }
}

fn imported(name: &str) -> (String, Value, Value) {
    ("imported".to_owned(), Value::Null, json!(name))
}

#[actix_web::test]
async fn a_manual_run_imports_stocks_once_and_can_be_undone() {
    let bed = Bed::new().await;
    bed.write("bestand.csv", "5", 0);
    let asked = bed.user.post(&bed.uri("run"), json!({ "file": "stock" })).await.is(202);
    let again = bed.user.post(&bed.uri("run"), json!({ "file": "stock" })).await.is(202);
    assert_eq!(asked, again);
    assert_eq!((&asked["cause"], &asked["outcome"]), (&json!("by_hand"), &Value::Null));
    let refused = bed.user.post(&bed.uri("run"), json!({ "file": "price" })).await.is(409);
    assert_eq!(refused["code"], "feed_file_disabled");

    let folder = tempfile::tempdir().unwrap();
    let background = stalhof::queues::registered(&bed.state).start(folder.path()).await.unwrap();
    let began = Instant::now();
    while bed.last().await.0 == "open" && began.elapsed() < Duration::from_secs(30) {
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    assert_eq!(bed.last().await, imported("bestand.csv"));
    let import = ended(&bed.user, &bed.imports().await[0]).await;
    background.end().await;
    assert_eq!((counts(&import), &import["created_by"]), ([1, 0, 0, 0], &Value::Null));
    assert_eq!(import["feed"], json!({ "id": bed.feed, "host": LISTEN }));
    assert_eq!(bed.quantities().await, ["5"]);
    let runs = bed.runs().await;
    assert_eq!((runs.len(), &runs[0]["id"]), (1, &asked["id"]));
    assert_eq!(runs[0]["import"], json!({ "id": id(&import), "status": "Success" }));
    assert_eq!(runs[0]["asked_by"]["id"], asked["asked_by"]["id"]);
    assert!(bed.row().await.unwrap().due_at.unwrap() > values::now(), "due at its next time");
    // the key that the server has presented is pinned
    let key = bed.user.get(&format!("{PATH}/{}", bed.feed)).await.is(200)["host_key"].clone();
    assert!(key.as_str().unwrap().starts_with("ssh-ed25519 SHA256:"), "{key}");

    bed.user.post(&format!("{IMPORTS}/{}/undo", id(&import)), json!({})).await.is(201);
    bed.import().await;
    assert_eq!(bed.quantities().await, Vec::<String>::new());
}

#[actix_web::test]
async fn unchanged_content_is_imported_once_and_former_content_again() {
    let bed = Bed::new().await;
    bed.write("bestand.csv", "5", 0);
    assert_eq!((bed.run().await, bed.last().await), (None, imported("bestand.csv")));
    let nothing = ("nothing_new".to_owned(), Value::Null, json!("bestand.csv"));
    assert_eq!((bed.run().await, bed.last().await), (None, nothing.clone()));
    // sent again unchanged, and under another name
    bed.write("bestand.csv", "5", 60);
    assert_eq!((bed.run().await, bed.last().await), (None, nothing));
    bed.write("bestand_2.csv", "5", 120);
    bed.run().await;
    assert_eq!(bed.last().await, ("nothing_new".to_owned(), Value::Null, json!("bestand_2.csv")));
    assert_eq!(bed.imports().await.len(), 1);

    // further files are fetched oldest first, in a run each
    bed.write("bestand_2.csv", "7", 300);
    bed.write("bestand.csv", "6", 200);
    let before = bed.runs().await.len();
    assert_eq!((bed.run().await, bed.last().await), (None, imported("bestand_2.csv")));
    let runs = bed.runs().await;
    assert_eq!((runs.len() - before, &runs[1]["file_name"]), (2, &json!("bestand.csv")));
    bed.import().await;
    assert_eq!(bed.quantities().await, ["7"]);

    // a newer file with former values
    std::fs::remove_file(bed.file("bestand.csv")).unwrap();
    bed.write("bestand_2.csv", "5", 400);
    assert_eq!((bed.run().await, bed.last().await), (None, imported("bestand_2.csv")));
    bed.import().await;
    assert_eq!(bed.quantities().await, ["5"]);
    assert_eq!(bed.imports().await.len(), 4);
}

#[actix_web::test]
async fn a_growing_file_waits_unless_a_marker_file_declares_it_complete() {
    let bed = Bed::new().await;
    bed.write("bestand.csv", "5", 0);
    let path = bed.file("bestand.csv");
    let writing = tokio::spawn(async move {
        loop {
            let mut file = std::fs::File::options().append(true).open(&path).unwrap();
            std::io::Write::write_all(&mut file, b"\r\n").unwrap();
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    });
    assert_eq!(bed.run().await, Some("feed_file_waiting"));
    let (outcome, failure, name) = bed.last().await;
    assert_eq!((&*outcome, failure, name), ("waiting", json!("feed_file_waiting"), json!("bestand.csv")));
    writing.abort();
    let _ = writing.await;
    assert!(bed.imports().await.is_empty());
    assert_eq!((bed.run().await, bed.last().await), (None, imported("bestand.csv")));

    bed.write("bestand_2.csv", "6", 100);
    std::fs::write(bed.file("bestand_2.csv.done"), "").unwrap();
    assert_eq!((bed.run().await, bed.last().await), (None, imported("bestand_2.csv")));
}

/// A process may die between any two steps of a run.
#[actix_web::test]
async fn an_interrupted_run_imports_its_file_exactly_once() {
    let bed = Bed::new().await;
    bed.write("bestand.csv", "5", 0);
    bed.write("bestand_2.csv", "6", 100);
    let row = bed.row().await.unwrap();
    let mut patience = Duration::from_millis(1);
    let mut cut = 0;
    loop {
        let run = feed_runs::fetch(&bed.state, &row, FileKind::Stock);
        match tokio::time::timeout(patience, run).await {
            Ok(outcome) => break assert_eq!(outcome.unwrap(), ScheduledOutcome::Succeeded),
            Err(_) => cut += 1,
        }
        patience += Duration::from_millis(3);
        assert!(cut < 1_000, "the run takes {patience:?}");
    }
    assert!(cut > 10, "{cut} runs were cut");
    let imports = bed.import().await;
    let files: Vec<_> = imports.iter().map(|import| import["upload_file"].as_str().unwrap()).collect();
    assert_eq!(files, ["bestand.csv", "bestand_2.csv"]);
    assert_eq!(bed.quantities().await, ["6"]);
    let runs = bed.runs().await;
    let imported = runs.iter().filter(|run| run["outcome"] == "imported").count();
    assert_eq!((imported, runs.iter().filter(|run| run["outcome"].is_null()).count()), (2, 0), "{runs:?}");
    assert_eq!(std::fs::read_dir(bed.state.settings.data_dir.join("spool")).unwrap().count(), 0);
}

#[actix_web::test]
async fn two_processes_that_run_the_same_feed_import_its_file_once() {
    let bed = Bed::new().await;
    for round in 0..5 {
        bed.write("bestand.csv", &format!("{}", round + 1), round * 10);
        let row = bed.row().await.unwrap();
        let (other, _) = bed.depot.catalog.app.with_secret_key(&bed.user).await;
        let one = feed_runs::fetch(&bed.state, &row, FileKind::Stock);
        let two = feed_runs::fetch(&other, &row, FileKind::Stock);
        let (one, two) = tokio::join!(one, two);
        assert!(one.is_ok() || two.is_ok(), "{one:?} {two:?}");
        assert_eq!(bed.imports().await.len() as u64, round + 1);
    }
}

#[actix_web::test]
async fn both_feeds_of_new_settings_concurrently_pin_the_same_host_key() {
    let bed = Bed::new().await;
    bed.write("bestand.csv", "5", 0);
    bed.write("preise.csv", "5", 0);
    let price_file = json!({
        "enabled": true, "file_name": "preise*.csv", "transformer": "standard", "as_price_list": false
    });
    let schedule = json!({ "type": "daily", "time": "06:00" });
    let schedules = json!({ "price": schedule, "stock": schedule });
    bed.change(json!({ "price_file": price_file, "schedules": schedules })).await;
    let (stock, price) = tokio::join!(bed.run(), bed.run_of(FileKind::Price));
    assert_eq!((stock, price), (None, None), "{:?}", bed.runs().await);
    assert_eq!(bed.imports().await.len(), 2);
}

#[actix_web::test]
async fn files_are_moved_or_deleted_once_their_import_has_succeeded() {
    let bed = Bed::new().await;
    bed.change(json!({ "after_reading": "move", "processed_folder": "erledigt" })).await;
    bed.write("bestand.csv", "5", 0);
    assert_eq!((bed.run().await, bed.last().await), (None, imported("bestand.csv")));
    // not before the import has ended
    assert_eq!(bed.run().await, None);
    assert!(bed.file("bestand.csv").exists());
    bed.import().await;
    assert_eq!(bed.run().await, None);
    assert!(!bed.file("bestand.csv").exists() && bed.file("erledigt/bestand.csv").exists());
    // the clean-up of the file is not recorded as a run
    assert_eq!(bed.runs().await.len(), 1);
    assert_eq!(bed.run().await, Some("remote_file_missing"));

    bed.change(json!({ "after_reading": "delete", "processed_folder": null })).await;
    bed.write("bestand.csv", "6", 100);
    std::fs::write(bed.file("bestand.csv.done"), "").unwrap();
    std::fs::write(bed.file("bestand_leer.csv"), "Artikelnummer;Lager;Menge\r\nNIE;DU;1\r\n").unwrap();
    assert_eq!(bed.run().await, None);
    bed.import().await;
    assert_eq!(bed.run().await, None);
    // a file whose rows were all refused stays on the server
    assert!(!bed.file("bestand.csv").exists() && bed.file("bestand_leer.csv").exists());
    assert!(!bed.file("bestand.csv.done").exists(), "it goes with its file");
    assert_eq!(bed.run().await, None);
    assert_eq!(bed.imports().await.len(), 3);
}

#[actix_web::test]
async fn a_stored_file_is_imported_again_with_the_permissions_of_an_upload() {
    let bed = Bed::new().await;
    bed.write("bestand.csv", "5", 0);
    bed.run().await;
    bed.import().await;
    std::fs::remove_file(bed.file("bestand.csv")).unwrap();
    assert_eq!(bed.run().await, Some("remote_file_missing"));
    let runs = bed.runs().await;
    let [failed, first] = [id(&runs[0]), id(&runs[1])];
    let refused = bed.user.post(&bed.uri("repeat"), json!({ "run_id": failed })).await.is(409);
    assert_eq!(refused["code"], "feed_run_has_no_file");
    bed.user.post(&bed.uri("repeat"), json!({ "run_id": failed + 1_000 })).await.is(404);
    let app = &bed.depot.catalog.app;
    let without = app.caller(Some(app.north), crate::support::all_but(permissions::CREATE_IMPORT)).await;
    let refused = without.post(&bed.uri("repeat"), json!({ "run_id": first })).await.is(403);
    assert_eq!(refused["code"], "forbidden");

    let run = bed.user.post(&bed.uri("repeat"), json!({ "run_id": first })).await.is(202);
    assert_eq!((&run["cause"], &run["file_name"]), (&json!("again"), &json!("bestand.csv")));
    assert_eq!(run["sha256"], runs[1]["sha256"]);
    let imports = bed.import().await;
    let import = &imports[1];
    assert_eq!((counts(import), &run["import"]["id"]), ([0, 0, 1, 0], &import["id"]));
    assert_eq!(import["created_by"]["id"], run["asked_by"]["id"]);
}

/// Each failure is recorded at its run, nothing is imported, and the next run works.
#[actix_web::test]
async fn each_fault_of_a_server_has_its_own_code_and_the_next_run_succeeds() {
    let bed = Bed::new().await;
    bed.write("bestand.csv", "5", 0);
    for (mood, code) in [
        (SftpMood::HangsUpAtRead, "host_interrupted"),
        (SftpMood::ReadsLong, "answer_unreadable"),
        (SftpMood::Announces(5 << 30, 5 << 30), "remote_file_too_large"),
        (SftpMood::Touches, "remote_file_changed"),
        (SftpMood::ListsForEver("x.csv"), "listing_too_long"),
        (SftpMood::Forbids("nein"), "remote_file_missing"),
        (SftpMood::HasNoSftp, "remote_refused"),
    ] {
        let server = SftpServer::start(bed.folder.path(), mood).await;
        bed.change(json!({ "port": server.port, "password": PASSWORD })).await;
        assert_eq!(bed.run().await, Some(code), "{mood:?}");
        let (outcome, failure, _) = bed.last().await;
        assert_eq!((&*outcome, failure), ("failed", json!(code)), "{mood:?}");
        let message = bed.runs().await[0]["message"].as_str().unwrap().to_owned();
        assert!(!message.contains(['{', '}']), "{message}");
    }
    assert!(bed.imports().await.is_empty());
    bed.change(json!({ "port": bed.server.port, "password": PASSWORD })).await;
    assert_eq!((bed.run().await, bed.last().await), (None, imported("bestand.csv")));
}

#[actix_web::test]
async fn each_wrong_setting_has_its_own_code_and_the_next_run_succeeds() {
    let bed = Bed::new().await;
    bed.write("bestand.csv", "5", 0);
    bed.change(json!({ "password": "falsch" })).await;
    assert_eq!(bed.run().await, Some("remote_sign_in_refused"));
    bed.change(json!({ "password": "" })).await;
    assert_eq!(bed.run().await, Some("remote_credential_missing"));
    bed.change(json!({ "password": PASSWORD })).await;

    let stock = |name: &str| json!({ "stock_file": { "enabled": true, "file_name": name, "transformer": "standard" } });
    bed.change(stock("fehlt.csv")).await;
    assert_eq!(bed.run().await, Some("remote_file_missing"));
    assert_eq!(bed.last().await.2, json!("fehlt.csv"));
    bed.change(stock("erledigt")).await;
    assert_eq!(bed.run().await, Some("remote_not_a_file"));
    bed.change(stock("bestand*.csv")).await;
    std::fs::write(bed.file("bestand.csv"), "").unwrap();
    assert_eq!(bed.run().await, Some("file_empty"));

    // another server at the address of the one with the pinned key
    bed.write("bestand.csv", "5", 0);
    let key = ed25519_key();
    let other = SftpServer::with_keys(bed.folder.path(), SftpMood::Honest, vec![key], None).await;
    bed.change(json!({ "port": other.port, "password": PASSWORD })).await;
    let pinned = format!("ssh-ed25519 SHA256:{}", "k".repeat(43));
    bed.user.post(&bed.uri("trust-host-key"), json!({ "host_key": pinned })).await.is(200);
    assert_eq!(bed.run().await, Some("host_key_changed"));
    assert!(bed.runs().await[0]["message"].as_str().unwrap().contains(&pinned));
    assert!(other.paths().is_empty(), "no file was asked for");
    assert!(bed.imports().await.is_empty());

    bed.change(json!({ "port": bed.server.port, "password": PASSWORD })).await;
    assert_eq!((bed.run().await, bed.last().await), (None, imported("bestand.csv")));
    // a server without a secret key
    let row = bed.row().await.unwrap();
    let keyless = feed_runs::fetch(&bed.depot.catalog.app.state(), &row, FileKind::Stock).await.unwrap();
    assert_eq!(keyless, ScheduledOutcome::Failed(secrets::codes::SECRET_KEY_MISSING));
}

#[actix_web::test]
async fn changing_the_settings_during_a_run_ends_it_without_an_import() {
    let bed = Bed::new().await;
    bed.write("bestand.csv", "5", 0);
    let during = async |deletes: bool| {
        let row = bed.row().await.unwrap();
        let run = Box::pin(feed_runs::fetch(&bed.state, &row, FileKind::Stock));
        let change = async {
            tokio::time::sleep(Duration::from_millis(40)).await;
            if deletes {
                bed.user.delete(&format!("{PATH}/{}", bed.feed)).await.is(204);
            } else {
                bed.user.post(&bed.uri("pause"), json!({ "file": "stock" })).await.is(200);
            }
        };
        tokio::join!(run, change).0.unwrap()
    };
    let changed = ScheduledOutcome::Failed(feeds::codes::FEED_SETTINGS_CHANGED);
    // the first run pins the key; during a run the settings cannot be changed
    bed.write("bestand_1.csv", "4", 0);
    bed.run().await;
    let before = bed.imports().await.len();
    bed.write("bestand.csv", "6", 100);
    assert_eq!(during(false).await, changed);
    assert_eq!(bed.last().await.1, json!("feed_settings_changed"));
    bed.user.post(&bed.uri("resume"), json!({ "file": "stock" })).await.is(200);
    assert_eq!(during(true).await, changed);
    assert_eq!(bed.imports().await.len(), before);
    bed.user.get(&bed.uri("runs")).await.is(404);
}

#[actix_web::test]
async fn a_bmecat_stock_file_is_read_from_the_configured_element() {
    let bed = Bed::new().await;
    let number = bed.depot.articles[0]["article_number"].as_str().unwrap();
    let constants = json!({ "constants": [{ "field": "warehouse", "value": "DU" }] });
    let profile = json!({ "name": "Lager", "type": "Stock", "settings": constants, "mapping": [] });
    let profile = id(&bed.user.post("/api/admin/import-profiles", profile).await.is(201));
    bed.change(json!({
        "stock_file": {
            "enabled": true, "file_name": "bestand.xml", "transformer": "bmecat", "quantity_element": "UDX.NORD.STOCK"
        },
        "stock_profile_id": profile,
    }))
    .await;
    let article = format!(
        "<BMECAT><ARTICLE><SUPPLIER_AID>{number}</SUPPLIER_AID><ARTICLE_ORDER_DETAILS><ORDER_UNIT>C62</ORDER_UNIT>\
         </ARTICLE_ORDER_DETAILS><USER_DEFINED_EXTENSIONS><UDX.NORD.STOCK>8</UDX.NORD.STOCK>\
         </USER_DEFINED_EXTENSIONS></ARTICLE></BMECAT>"
    );
    std::fs::write(bed.file("bestand.xml"), article).unwrap();
    assert_eq!((bed.run().await, bed.last().await), (None, imported("bestand.xml")));
    let import = bed.import().await.remove(0);
    // the sender's number waits for a matching
    assert_eq!((&import["rows_total"], &import["rows_unresolved"]), (&json!(1), &json!(1)), "{import}");
}

#[actix_web::test]
async fn a_price_file_becomes_the_next_version_of_its_list() {
    let bed = Bed::new().await;
    let app = &bed.depot.catalog.app;
    let number = bed.depot.articles[0]["article_number"].as_str().unwrap();
    let prices = |transformer: &str| {
        json!({
            "price_file": {
                "enabled": true, "file_name": "preise*", "transformer": transformer, "as_price_list": true,
                "price_list_name": "Verkauf",
            },
            "schedules": {
                "price": { "type": "daily", "time": "05:00" }, "stock": { "type": "daily", "time": "06:00" },
            },
        })
    };
    bed.change(prices("standard")).await;
    let content = format!("Artikelnummer;Preis;Preismenge;Preiseinheit\r\n{number};850;1;t\r\n");
    std::fs::write(bed.file("preise.csv"), content).unwrap();
    assert_eq!(bed.run_of(FileKind::Price).await, Some("feed_price_list_missing"));

    let first = id(&bed.user.post(PRICE_LISTS, list("Verkauf", app.north)).await.is(201));
    assert_eq!((bed.run_of(FileKind::Price).await, bed.last().await), (None, imported("preise.csv")));
    let import = bed.import().await.remove(0);
    assert_eq!((counts(&import), &import["status"]), ([1, 0, 0, 0], &json!("Success")));
    let lists = bed.user.get(&format!("{PRICE_LISTS}?sort=id")).await.is(200);
    let [former, version] = [&lists["data"][0], &lists["data"][1]];
    assert_eq!((id(former), &import["price_list"]["id"]), (first, &version["id"]));
    assert!(version["name"].as_str().unwrap().starts_with("Verkauf 2"), "{version}");
    // it takes effect in minutes, not in a year
    let begins: chrono::DateTime<chrono::Utc> = version["valid_from"].as_str().unwrap().parse().unwrap();
    assert!(begins - values::now() < chrono::TimeDelta::minutes(10), "{begins}");

    // a file of another format is converted first
    bed.change(prices("datanorm")).await;
    let datanorm = include_bytes!("../../../feeds/src/transformer/samples/datanorm4.001");
    std::fs::write(bed.file("preise.csv"), datanorm).unwrap();
    assert_eq!(bed.run_of(FileKind::Price).await, None);
    let import = bed.import().await.remove(1);
    let uri = format!("{IMPORTS}/{}/upload-file", id(&import));
    let kept = bed.user.get(&uri).await;
    assert!(String::from_utf8_lossy(&kept.bytes).contains("\"Externe Artikelnummer\";"), "{kept:?}");
    std::fs::write(bed.file("preise.csv"), "kein DATANORM").unwrap();
    assert_eq!(bed.run_of(FileKind::Price).await, Some("transformer_format"));
}

#[actix_web::test]
async fn a_record_that_cannot_be_converted_is_refused_and_its_price_list_does_not_take_effect() {
    let bed = Bed::new().await;
    let app = &bed.depot.catalog.app;
    // price lists have no internal prices and lead times
    let unread = ["Interner Preis", "Interne Preismenge", "Interne Preiseinheit", "Lieferzeit"];
    let mapping: Vec<Value> =
        unread.iter().map(|column| json!({ "column": column, "field": null })).collect();
    let profile = json!({ "name": "Katalog", "type": "PriceList", "settings": {}, "mapping": mapping });
    let profile = id(&bed.user.post("/api/admin/import-profiles", profile).await.is(201));
    bed.change(json!({
        "price_file": {
            "enabled": true, "file_name": "preise.xml", "transformer": "bmecat", "as_price_list": true,
            "price_list_name": "Verkauf",
        },
        "price_profile_id": profile,
        "schedules": { "price": { "type": "daily", "time": "05:00" }, "stock": { "type": "daily", "time": "06:00" } },
    }))
    .await;
    bed.user.post(PRICE_LISTS, list("Verkauf", app.north)).await.is(201);
    for (index, number) in ["TRAEGER", "BLECH"].into_iter().enumerate() {
        let matching =
            json!({ "article_id": bed.depot.articles[index]["id"], "external_article_number": number });
        bed.user.post("/api/admin/matchings", matching).await.is(201);
    }
    let article = |number: &str, price: &str| {
        format!(
            "<ARTICLE><SUPPLIER_AID>{number}</SUPPLIER_AID><ARTICLE_ORDER_DETAILS><ORDER_UNIT>MTR</ORDER_UNIT>\
             </ARTICLE_ORDER_DETAILS><ARTICLE_PRICE price_type=\"net_list\"><PRICE_AMOUNT>{price}</PRICE_AMOUNT>\
             </ARTICLE_PRICE></ARTICLE>"
        )
    };
    let file = |second: &str| {
        format!("<BMECAT>{}{}</BMECAT>", article("TRAEGER", "1285.50"), article("BLECH", second))
    };
    std::fs::write(bed.file("preise.xml"), file("auf Anfrage")).unwrap();
    assert_eq!(bed.run_of(FileKind::Price).await, None);
    let import = bed.import().await.remove(0);
    // prices of a list are applied as a whole
    assert_eq!((counts(&import), &import["status"]), ([0, 0, 0, 1], &json!("Failed")), "{import}");
    let errors = bed.user.get(&format!("{IMPORTS}/{}/errors", id(&import))).await.is(200);
    let cells = errors["data"][0]["cells"].to_string();
    assert!(cells.contains("BLECH") && cells.contains("Zeile 1, Preis: auf Anfrage"), "{errors:#}");
    let lists = async || bed.user.get(&format!("{PRICE_LISTS}?sort=id")).await.is(200)["data"].clone();
    let begins = |version: &Value| {
        version["valid_from"].as_str().unwrap().parse::<chrono::DateTime<chrono::Utc>>().unwrap()
    };
    assert!(begins(&lists().await[1]) - values::now() > chrono::TimeDelta::days(300));

    // the corrected file follows
    std::fs::write(bed.file("preise.xml"), file("1190")).unwrap();
    assert_eq!(bed.run_of(FileKind::Price).await, None);
    let import = bed.import().await.remove(1);
    let errors = bed.user.get(&format!("{IMPORTS}/{}/errors", id(&import))).await.is(200);
    assert_eq!((counts(&import), &import["status"]), ([2, 0, 0, 0], &json!("Success")), "{errors:#}");
    let lists = lists().await;
    let version =
        lists.as_array().unwrap().iter().find(|version| version["id"] == import["price_list"]["id"]);
    assert!(begins(version.unwrap()) - values::now() < chrono::TimeDelta::minutes(10), "{lists:#}");
}
