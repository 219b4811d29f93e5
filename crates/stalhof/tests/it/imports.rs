//! Imports from upload to error file, as the screen and an ERP use them.

use std::{
    process::{Child, Command, Stdio},
    time::Duration,
};

use imports::import_type::ImportType;
use serde_json::{Value, json};
use values::{Language, PermissionSet};

use crate::{
    catalog::{ARTICLES, Catalog, id},
    examples::example,
    exports::lines,
    support::{Client, Form, TestApp, all_but},
};

pub(crate) const IMPORTS: &str = "/api/admin/imports";

pub(crate) fn articles(content: impl AsRef<[u8]>) -> Form {
    Form::new().field("type", "Article").file("Träger.csv", content)
}

/// Path at which the platform's administrator uploads for the first tenant.
pub(crate) fn for_north(app: &TestApp) -> String {
    format!("{IMPORTS}?tenant_id={}", app.north)
}

pub(crate) async fn ended(client: &Client, import: &Value) -> Value {
    let uri = format!("{IMPORTS}/{}", id(import));
    for _ in 0..3_000 {
        let now = client.get(&uri).await.is(200);
        if !matches!(now["status"].as_str(), Some("Queued" | "InProgress")) {
            return now;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    panic!("the import does not end: {}", client.get(&uri).await.is(200));
}

/// Counts: created, updated, unchanged, refused.
pub(crate) fn counts(import: &Value) -> [i64; 4] {
    ["rows_created", "rows_updated", "rows_unchanged", "rows_refused"]
        .map(|name| import[name].as_i64().unwrap())
}

pub(crate) const GOOD: &str =
    "Artikeltyp;Werkstoff;Höhe;Länge [m];Oberfläche\r\nBreitflanschträger HEB;S235JR;200;12,1;roh\r\n";

#[actix_web::test]
async fn imports_are_found_by_name_file_and_type_and_listed_without_dry_runs() {
    let catalog = Catalog::new().await;
    let Catalog { admin, app, .. } = &catalog;
    articles(GOOD).send(admin, &for_north(app)).await.is(201);
    let named = articles(GOOD).field("name", "Lieferprogramm").field("dry_run", "true");
    named.send(admin, &for_north(app)).await.is(201);
    for (query, names) in [
        ("filter[search]=tr%C3%A4ger.csv&filter[dry_run]=false", json!([null])),
        ("filter[search]=TRAG&filter[dry_run]=true", json!(["Lieferprogramm"])),
        // an import without a name is found by its type, in both languages
        ("filter[search]=artikel", json!([null])),
        ("filter[search]=articles", json!([null])),
        ("filter[search]=programm", json!(["Lieferprogramm"])),
    ] {
        let found = admin.get(&format!("{IMPORTS}?{query}")).await.is(200);
        let found: Vec<&Value> = found["data"].as_array().unwrap().iter().map(|row| &row["name"]).collect();
        assert_eq!(json!(found), names, "{query}");
    }
}

/// The search finds imports by the names of types on screen.
#[test]
fn imports_are_found_by_the_words_of_the_screen() {
    for (language, texts) in [
        (Language::De, include_str!("../../../../frontend/src/i18n/de/shell.json")),
        (Language::En, include_str!("../../../../frontend/src/i18n/en/shell.json")),
    ] {
        let texts: Value = serde_json::from_str(texts).unwrap();
        for r#type in ImportType::ALL {
            assert_eq!(texts["imports"]["types"][r#type.as_str()], r#type.words().text(language));
        }
    }
}

#[actix_web::test]
async fn a_running_import_is_stopped_by_users_who_may_cancel_it() {
    let catalog = Catalog::new().await;
    let Catalog { admin, app, .. } = &catalog;
    let import = articles(GOOD).send(admin, &for_north(app)).await.is(201);
    let uri = format!("{IMPORTS}/{}/stop", id(&import));
    let nothing = || Value::Null;
    app.caller(Some(app.south), PermissionSet::all()).await.post(&uri, nothing()).await.is(404);
    let reader = app.caller(Some(app.north), all_but(imports::permissions::DELETE_IMPORT)).await;
    assert_eq!(reader.post(&uri, nothing()).await.is(403)["code"], "forbidden");
    let administrator = app.caller(Some(app.north), PermissionSet::all()).await;
    let stopped = administrator.post(&uri, nothing()).await.is(200);
    assert_eq!((&stopped["status"], &stopped["rows_done"]), (&"Cancelled".into(), &0.into()));
    assert_eq!(administrator.post(&uri, nothing()).await.is(409)["code"], "not_running");
}

#[actix_web::test]
async fn a_dry_run_applied_by_concurrent_requests_is_one_import() {
    let catalog = Catalog::new().await;
    let Catalog { admin, app, .. } = &catalog;
    let workers = app.workers().await;
    let tried = articles(GOOD).field("dry_run", "true").send(admin, &for_north(app)).await.is(201);
    ended(admin, &tried).await;
    let uri = format!("{IMPORTS}/{}/apply?tenant_id={}", id(&tried), app.north);
    let applied = futures_util::future::join_all((0..8).map(|_| admin.post(&uri, Value::Null))).await;
    let applied: Vec<i64> = applied.iter().map(|answer| id(&answer.is(201))).collect();
    assert!(applied.iter().all(|import| *import == applied[0]), "{applied:?}");
    assert_eq!(admin.get(IMPORTS).await.is(200)["meta"]["total"], 2);
    workers.end().await;
}

#[actix_web::test]
async fn a_file_is_uploaded_applied_corrected_and_uploaded_again() {
    let catalog = Catalog::new().await;
    let Catalog { admin, app, .. } = &catalog;
    let workers = app.workers().await;
    let faulty = format!(
        "{GOOD}Breitflanschträger HEB;S999;200;6;roh\r\nBreitflanschträger HEB;S235JR;201;sechs;roh\r\n"
    );
    let queued = articles(&faulty).field("name", "Erste Liste").send(admin, &for_north(app)).await.is(201);
    assert_eq!(queued["tenant"]["id"], app.north);
    assert_eq!((&queued["name"], &queued["upload_file"]), (&"Erste Liste".into(), &"Träger.csv".into()));

    let import = ended(admin, &queued).await;
    assert_eq!(import["status"], "PartialSuccess", "{import}");
    assert_eq!(counts(&import), [1, 0, 0, 2]);
    assert_eq!(import["rows_total"], 3);
    assert_eq!(import["error_file"], "Träger-errors.csv");
    let uri = format!("{IMPORTS}/{}", id(&import));
    assert_eq!(admin.german().get(&uri).await.is(200)["error_file"], "Träger-Fehler.csv");

    let errors = admin.get(&format!("{uri}/errors?page[size]=1&page[number]=2")).await.is(200);
    assert_eq!(errors["meta"]["total"], 2);
    assert_eq!(errors["data"][0]["line"], 4);
    let columns: Vec<_> =
        errors["data"][0]["errors"].as_array().unwrap().iter().map(|e| &e["column"]).collect();
    assert_eq!(columns, ["Höhe", "Länge [m]"]);
    assert_eq!(admin.get(&format!("{uri}/upload-file")).await.bytes, faulty.as_bytes());

    let answer = admin.german().get(&format!("{uri}/error-file")).await;
    let disposition = "attachment; filename=\"Tr_ger-Fehler.csv\"; filename*=UTF-8''Tr%C3%A4ger%2DFehler.csv";
    assert_eq!(answer.header("content-disposition"), disposition);
    let text = String::from_utf8(answer.bytes.to_vec()).unwrap();
    assert_eq!(text.lines().count(), 3, "{text}");
    assert!(!text.contains("12,1"), "{text}");
    let corrected = text.replace("S999", "S235JR").replace("201;sechs", "200;18");
    let second = articles(corrected).send(admin, &for_north(app)).await.is(201);
    let second = ended(admin, &second).await;
    assert_eq!((&second["status"], counts(&second)), (&"Success".into(), [2, 0, 0, 0]));
    assert_eq!(second["error_file"], Value::Null);
    assert_eq!(
        admin.get(&format!("{IMPORTS}/{}/error-file", id(&second))).await.is(404)["code"],
        "not_found"
    );
    assert_eq!(admin.get(ARTICLES).await.is(200)["meta"]["total"], 3);

    let list = admin.get(&format!("{IMPORTS}?sort=created_at&filter[status]=Success")).await.is(200);
    assert_eq!((&list["meta"]["total"], &list["data"][0]["id"]), (&1.into(), &second["id"]));

    let export = format!("{IMPORTS}/export?format=csv&sort=created_at");
    let found = lines(&admin.german().get(&export).await);
    assert_eq!(
        found[0],
        "Name;Status;Inhalt;Nur prüfen (Probelauf);Zeilen;Neu angelegt;Geändert;Unverändert;Abgelehnt;Zur Freigabe;Ohne Zuordnung;Entfernt;\
         Übersprungen;Seitdem geändert;Macht rückgängig;Datei;\
         Mandant;Hochgeladen von;Hochgeladen;Begonnen;Beendet"
    );
    let begins = |line: &str| line.split(';').take(16).collect::<Vec<_>>().join(";");
    assert_eq!(
        begins(&found[1]),
        "Erste Liste;Teilweise erfolgreich;Artikel;Nein;3;1;0;0;2;0;0;0;0;0;;Träger.csv"
    );
    assert_eq!(begins(&found[2]), "Artikel;Erfolgreich;Artikel;Nein;2;2;0;0;0;0;0;0;0;0;;Träger.csv");
    assert_eq!(found.len(), 3);
    let south = app.caller(Some(app.south), PermissionSet::all()).await;
    assert_eq!(lines(&south.get(&export).await).len(), 1, "another tenant's imports");
    workers.end().await;
}

#[actix_web::test]
async fn users_who_see_an_import_see_the_results_of_its_rows() {
    let catalog = Catalog::new().await;
    let Catalog { admin, app, .. } = &catalog;
    let workers = app.workers().await;
    let import = async |rows: &str, dry_run: &str| {
        let form = articles(format!("{GOOD}{rows}")).field("dry_run", dry_run);
        ended(admin, &form.send(admin, &for_north(app)).await.is(201)).await
    };
    let first = import("", "false").await;
    let rows = "Breitflanschträger HEB;S235JR;200;6;roh\r\nBreitflanschträger HEB;S999;200;7;roh\r\n";
    let dry = import(rows, "true").await;
    let second = import(rows, "false").await;

    let listed_rows = async |import: &Value, filter: &str| {
        admin.get(&format!("{IMPORTS}/{}/rows?{filter}", id(import))).await.is(200)
    };
    let all = listed_rows(&second, "").await;
    let outcomes = |rows: &Value| {
        let rows = rows["data"].as_array().unwrap().iter();
        rows.map(|row| (row["line"].as_i64().unwrap(), row["outcome"].clone())).collect::<Vec<_>>()
    };
    let expected = [(2, "unchanged".into()), (3, "created".into()), (4, "refused".into())];
    assert_eq!(outcomes(&all), expected);
    assert_eq!(outcomes(&listed_rows(&dry, "").await), expected, "and so it was announced");
    let row = &all["data"][1];
    assert_eq!(row["record"], "article");
    let article = admin.get(&format!("{ARTICLES}/{}", row["record_id"])).await.is(200);
    assert_eq!(row["record_name"], article["article_number"]);
    let change = |field: &str| {
        let changes = row["changes"].as_array().unwrap().iter();
        changes.clone().find(|change| change["field"] == field).map(|change| change["to"].clone())
    };
    assert_eq!(change("article_number"), Some(article["article_number"].clone()));
    assert_eq!(change("material_id").unwrap()["name"], "S235JR");
    assert_eq!(
        (&all["data"][0]["changes"], &all["data"][2]["record_id"]),
        (&serde_json::json!([]), &Value::Null)
    );
    let some =
        listed_rows(&second, "filter[outcome]=created&filter[outcome]=refused&sort=-line&page[size]=1").await;
    assert_eq!((outcomes(&some), &some["meta"]["total"]), (vec![(4, "refused".into())], &2.into()));
    admin.get(&format!("{IMPORTS}/{}/rows?filter[outcome]=lost", id(&second))).await.is(422);
    admin.get(&format!("{IMPORTS}/{}/rows?filter[name]=x", id(&second))).await.is(422);
    let former = import("Breitflanschträger HEB;St 37-2;200;8;roh\r\n", "true").await;
    let warned = listed_rows(&former, "filter[warned]=true").await;
    assert_eq!(outcomes(&warned), [(3, "created".into())]);
    let note = warned["data"][0]["warnings"][0]["message"].as_str().unwrap();
    assert!(note.contains("St 37-2") && note.contains("S235JR"), "{note}");
    assert_eq!(outcomes(&listed_rows(&former, "filter[warned]=false").await), [(2, "unchanged".into())]);
    assert_eq!(listed_rows(&second, "filter[warned]=true").await["meta"]["total"], 0);

    // the articles of an import are those of its rows, even after later imports
    let of = async |filter: String| {
        let articles = admin.get(&format!("{ARTICLES}?{filter}")).await.is(200);
        let articles = articles["data"].as_array().unwrap().iter().map(id).collect::<Vec<_>>();
        articles.len()
    };
    assert_eq!(of(format!("filter[import_id]={}", id(&first))).await, 1);
    assert_eq!(of(format!("filter[import_id]={}", id(&second))).await, 2);
    assert_eq!(of(format!("filter[import_id]={}&filter[import_id]={}", id(&first), id(&second))).await, 2);
    assert_eq!(of(format!("filter[import_id_not_equals]={}", id(&first))).await, 1);
    assert_eq!(of(format!("filter[import_id]={}", id(&former) + 1)).await, 0);

    for tenant in [app.north, app.south] {
        let caller = app.caller(Some(tenant), PermissionSet::all()).await;
        let status = if tenant == app.north { 200 } else { 404 };
        caller.get(&format!("{IMPORTS}/{}/rows", id(&second))).await.is(status);
    }
    let blind = app.caller(Some(app.north), all_but(imports::permissions::VIEW_IMPORT)).await;
    blind.get(&format!("{IMPORTS}/{}/rows", id(&second))).await.is(403);
    workers.end().await;
}

/// The samples belong to the demo's catalogue: if that changes, their guide must still be right.
#[actix_web::test]
async fn the_samples_of_two_suppliers_are_imported_as_their_guide_describes() {
    let app = TestApp::with_assortment().await;
    let admin = app.platform().await;
    let workers = app.workers().await;
    let guide = std::fs::read_to_string(example("README.md")).unwrap();
    for name in ["lieferant-nord.csv", "lieferant-sued.xlsx"] {
        let row = guide.lines().find(|line| line.starts_with(&format!("| `{name}`"))).unwrap();
        let said: Vec<i64> = row.split('|').filter_map(|cell| cell.trim().parse().ok()).collect();
        let form = Form::new().field("type", "Article").file(name, std::fs::read(example(name)).unwrap());
        let import = ended(&admin, &form.send(&admin, &for_north(&app)).await.is(201)).await;
        assert_eq!(counts(&import), said[1..], "{name}");
    }
    workers.end().await;
}

#[actix_web::test]
async fn an_identical_file_is_reported_and_changes_nothing() {
    let catalog = Catalog::new().await;
    let Catalog { admin, app, .. } = &catalog;
    let workers = app.workers().await;
    let dry = articles(GOOD).field("dry_run", "true").send(admin, &for_north(app)).await.is(201);
    assert_eq!(counts(&ended(admin, &dry).await), [1, 0, 0, 0]);
    assert_eq!(admin.get(ARTICLES).await.is(200)["meta"]["total"], 0);
    let first = articles(GOOD).send(admin, &for_north(app)).await.is(201);
    assert_eq!(first["identical_to"], Value::Null, "a dry run does not count");
    ended(admin, &first).await;
    let second = articles(GOOD).send(admin, &for_north(app)).await.is(201);
    assert_eq!(second["identical_to"]["id"], first["id"]);
    assert_eq!(counts(&ended(admin, &second).await), [0, 0, 1, 0]);
    workers.end().await;
}

#[actix_web::test]
async fn a_dry_run_is_applied_without_another_upload() {
    let catalog = Catalog::new().await;
    let Catalog { admin, app, .. } = &catalog;
    let apply = |id: i64| format!("{IMPORTS}/{id}/apply?tenant_id={}", app.north);
    let file = format!("{GOOD}Breitflanschträger HEB;S999;200;6;roh\r\n");
    let form = articles(&file).field("name", "Träger").field("dry_run", "true");
    let tried = form.send(admin, &for_north(app)).await.is(201);
    assert_eq!(admin.post(&apply(id(&tried)), Value::Null).await.is(409)["code"], "no_dry_run", "queued");
    let workers = app.workers().await;
    ended(admin, &tried).await;
    admin.post(&format!("{IMPORTS}/{}/apply", id(&tried)), Value::Null).await.is(422);

    let applied = admin.post(&apply(id(&tried)), Value::Null).await.is(201);
    assert_ne!(applied["id"], tried["id"]);
    let listed_rows = ["name", "type", "upload_file", "dry_run"].map(|field| applied[field].clone());
    assert_eq!(serde_json::json!(listed_rows), serde_json::json!(["Träger", "Article", "Träger.csv", false]));
    assert_eq!(counts(&ended(admin, &applied).await), [1, 0, 0, 1]);
    assert_eq!(admin.get(ARTICLES).await.is(200)["meta"]["total"], 1);
    let uploaded = admin.get(&format!("{IMPORTS}/{}/upload-file", id(&applied))).await;
    assert_eq!(uploaded.bytes, file.as_bytes());

    assert_eq!(
        admin.post(&apply(id(&applied)), Value::Null).await.is(409)["code"],
        "no_dry_run",
        "it was no dry run"
    );
    let failing = articles("Artikeltyp;Werkstoff\r\nx;y\r\n").field("dry_run", "true");
    let failed = failing.send(admin, &for_north(app)).await.is(201);
    assert_eq!(ended(admin, &failed).await["status"], "Failed");
    assert_eq!(
        admin.post(&apply(id(&failed)), Value::Null).await.is(409)["code"],
        "no_dry_run",
        "no row was valid"
    );
    // articles belong to the platform
    let own = app.caller(Some(app.north), PermissionSet::all()).await;
    own.post(&apply(id(&tried)), Value::Null).await.is(403);
    let other = app.caller(Some(app.south), PermissionSet::all()).await;
    other.post(&format!("{IMPORTS}/{}/apply", id(&tried)), Value::Null).await.is(404);
    workers.end().await;
}

#[actix_web::test]
async fn only_queued_imports_can_be_cancelled() {
    let catalog = Catalog::new().await;
    let Catalog { admin, app, .. } = &catalog;
    let waiting = articles(GOOD).send(admin, &for_north(app)).await.is(201);
    let uri = format!("{IMPORTS}/{}", id(&waiting));
    admin.delete(&uri).await.is(204);
    assert_eq!(admin.get(&uri).await.is(200)["status"], "Cancelled");
    assert_eq!(admin.delete(&uri).await.is(409)["code"], "not_queued");
    let workers = app.workers().await;
    let import = articles(GOOD).send(admin, &for_north(app)).await.is(201);
    ended(admin, &import).await;
    assert_eq!(admin.delete(&format!("{IMPORTS}/{}", id(&import))).await.is(409)["code"], "not_queued");
    assert_eq!(admin.get(&uri).await.is(200)["status"], "Cancelled");
    workers.end().await;
}

#[actix_web::test]
async fn errors_of_an_upload_are_reported_at_their_fields() {
    let catalog = Catalog::new().await;
    let Catalog { admin, app, .. } = &catalog;
    let north = for_north(app);
    Form::new().field("type", "Article").send(admin, &north).await.is_refused_at(&["file"]);
    Form::new().file("a.csv", GOOD).send(admin, &north).await.is_refused_at(&["type"]);
    articles("").send(admin, &north).await.is_refused_at(&["file"]);
    articles(GOOD).field("type", "Article").send(admin, &north).await.is_refused_at(&["type"]);
    articles(GOOD).file("b.csv", GOOD).send(admin, &north).await.is_refused_at(&["file"]);
    articles(GOOD)
        .field("dry_run", "ja")
        .field("colour", "red")
        .send(admin, &north)
        .await
        .is_refused_at(&["colour", "dry_run"]);
    for said in ["", "2", "yes", "truee", "01"] {
        articles(GOOD).field("dry_run", said).send(admin, &north).await.is_refused_at(&["dry_run"]);
    }
    articles(GOOD).field("name", &"x".repeat(256)).send(admin, &north).await.is_refused_at(&["name"]);
    articles(GOOD).field("name", &"x".repeat(5000)).send(admin, &north).await.is_refused_at(&["name"]);
    Form::new().field("type", "Beam").file("a.csv", GOOD).send(admin, &north).await.is_refused_at(&["type"]);
    let large = vec![b'x'; (50 << 20) + 1];
    let refused = articles(large).send(&admin.german(), &north).await.is_refused_at(&["file"]);
    assert_eq!(refused["errors"]["file"][0], "Die Datei ist zu groß; erlaubt sind 50 MiB");

    assert_eq!(articles(GOOD).send(admin, IMPORTS).await.is(422)["code"], "tenant_required");
    assert_eq!(admin.post(&north, serde_json::json!({})).await.is(415)["code"], "unsupported_media");
    assert_eq!(admin.get(IMPORTS).await.is(200)["meta"]["total"], 0, "nothing was queued");
    for (said, dry_run) in
        [("True", true), ("TRUE", true), ("1", true), ("False", false), ("0", false), ("false", false)]
    {
        let import = articles(GOOD).field("dry_run", said).send(admin, &north).await.is(201);
        assert_eq!(import["dry_run"], dry_run, "{said}");
    }
}

#[actix_web::test]
async fn an_unreadable_file_fails_with_a_reason() {
    let catalog = Catalog::new().await;
    let Catalog { admin, app, .. } = &catalog;
    let workers = app.workers().await;
    for (content, reason) in [
        (&b"%PDF-1.7 ..."[..], "The file is a PDF, no table."),
        (&b"\x00\x01\x02\x03\x04\x05\xff\xfe\x00\x00binary"[..], "The file is neither CSV nor XLSX."),
        (b"PK\x03\x04 not really", "The file is"),
        (b"Artikeltyp;H\xf6he\r\n", "The file contains only a header"),
        (b"Farbe;Gewicht\r\nrot;1\r\n", "The column "),
    ] {
        let import = articles(content).send(admin, &for_north(app)).await.is(201);
        let import = ended(admin, &import).await;
        assert_eq!(import["status"], "Failed", "{import}");
        let message = import["status_message"].as_str().unwrap();
        assert!(message.starts_with(reason), "{message}");
    }
    assert_eq!(admin.get(ARTICLES).await.is(200)["meta"]["total"], 0);
    workers.end().await;
}

#[actix_web::test]
async fn other_tenants_imports_are_hidden_and_article_imports_need_their_permission() {
    let catalog = Catalog::new().await;
    let Catalog { admin, app, .. } = &catalog;
    let import = articles(GOOD).send(admin, &for_north(app)).await.is(201);
    let uri = format!("{IMPORTS}/{}", id(&import));
    let (north, south) = (
        app.caller(Some(app.north), PermissionSet::all()).await,
        app.caller(Some(app.south), PermissionSet::all()).await,
    );
    assert_eq!(north.get(&uri).await.is(200)["tenant"], import["tenant"]);
    for part in ["", "/errors", "/upload-file", "/error-file"] {
        south.get(&format!("{uri}{part}")).await.is(404);
    }
    south.delete(&uri).await.is(404);
    assert_eq!(south.get(IMPORTS).await.is(200)["meta"]["total"], 0);
    assert_eq!(articles(GOOD).send(&north, IMPORTS).await.is(403)["code"], "platform_only");

    let without = app.caller(None, all_but(catalog::permissions::UPDATE_ARTICLE)).await;
    assert_eq!(articles(GOOD).send(&without, &for_north(app)).await.is(403)["code"], "forbidden");
}

#[actix_web::test]
async fn an_import_runs_with_the_current_permissions_of_its_uploader() {
    let catalog = Catalog::new().await;
    let Catalog { admin, app, .. } = &catalog;
    let import = articles(GOOD).send(admin, &for_north(app)).await.is(201);
    app.disable(import["created_by"]["id"].as_i64().unwrap()).await;
    let other = app.platform().await;
    let workers = app.workers().await;
    let import = ended(&other, &import).await;
    assert_eq!(import["status"], "Failed");
    assert!(import["status_message"].as_str().unwrap().contains("may no longer"), "{import}");
    assert_eq!(other.get(ARTICLES).await.is(200)["meta"]["total"], 0);
    workers.end().await;
}

/// Server as a separate process, killed when it is dropped.
struct Server(Child);

impl Server {
    fn start(app: &TestApp) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_stalhof"));
        command.arg("serve").env("DATABASE_URL", &app.db.url).env("STALHOF_LISTEN", "127.0.0.1:0");
        command.env("STALHOF_DATA_DIR", app.folder.path()).env("STALHOF_DISK_RESERVE_MB", "0");
        Self(command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.0.kill().unwrap();
        self.0.wait().unwrap();
    }
}

#[actix_web::test]
async fn a_server_killed_during_an_import_finishes_it_after_the_restart() {
    const ROWS: i64 = 6_000;
    let catalog = Catalog::new().await;
    let Catalog { admin, app, .. } = &catalog;
    let rows = (1..=ROWS).map(|row| format!("Breitflanschträger HEB;S235JR;200;{row};roh\n"));
    let file = GOOD.lines().next().unwrap().to_owned() + "\n" + &rows.collect::<String>();
    let import = articles(file).send(admin, &for_north(app)).await.is(201);
    let uri = format!("{IMPORTS}/{}", id(&import));
    let done = async || admin.get(&uri).await.is(200)["rows_done"].as_i64().unwrap();

    let mut killed_at = Vec::new();
    for _ in 0..3 {
        let before = done().await;
        let server = Server::start(app);
        while before < ROWS && done().await <= before {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        drop(server);
        killed_at.push(done().await);
    }
    assert!(killed_at[0] < ROWS, "killed in the middle, at {killed_at:?}");
    let _server = Server::start(app);
    let import = ended(admin, &import).await;
    assert_eq!((&import["status"], counts(&import)), (&"Success".into(), [ROWS, 0, 0, 0]), "{killed_at:?}");
    assert_eq!(admin.get(ARTICLES).await.is(200)["meta"]["total"], ROWS);
    let changed = admin.get(&format!("{ARTICLES}?page[size]=200")).await.is(200);
    assert!(changed["data"].as_array().unwrap().iter().all(|article| article["version"] == 1));
}
