//! Files in an S3 bucket, served by this process.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
    time::{Duration, Instant},
};

use actix_web::http::Method;
use identity::server_key;
use serde_json::{Value, json};
use stalhof::{backup, config::Settings, file_place, removal};
use testkit::s3_server::{ACCESS_KEY_ID, BUCKET, S3Server, S3State, SECRET_ACCESS_KEY};
use tokio::time::sleep;

use crate::{
    backup::empty_place,
    categories::{self, age, picture},
    imports::{IMPORTS, articles, ended, for_north},
    support::{Answer, Client, TestApp, settings},
};

/// Settings that store files in a bucket of the server.
fn in_bucket(server: &S3Server, prefix: &str, settings: Settings) -> Settings {
    let mut settings =
        Settings { files: Some(format!("s3://{BUCKET}/{prefix}").parse().unwrap()), ..settings };
    settings.bucket.aws_endpoint_url = Some(server.endpoint());
    settings.bucket.aws_access_key_id = Some(ACCESS_KEY_ID.to_owned());
    settings.bucket.aws_secret_access_key = Some(SECRET_ACCESS_KEY.into());
    settings
}

async fn app_with_bucket() -> (S3Server, TestApp) {
    let (server, app) = (S3Server::start().await, TestApp::new().await);
    let settings = in_bucket(&server, "prod", settings(app.folder.path()));
    fs::remove_dir(app.folder.path().join("uploads")).unwrap();
    (server, app.with_settings(settings).await)
}

/// Stores a picture, whose address is returned, and the file of an import.
async fn two_files(app: &TestApp, admin: &Client) -> (String, Value) {
    let category = categories::create(admin, "Träger", None).await;
    let image = format!("{}/{category}/image", categories::PATH);
    picture().send_by(Method::PUT, admin, &image).await.is(200);
    (image, articles("Artikeltyp\r\nX").send(admin, &for_north(app)).await.is(201))
}

/// Objects below a prefix.
fn objects(server: &S3Server, prefix: &str) -> Vec<PathBuf> {
    fn below(folder: &Path, found: &mut Vec<PathBuf>) {
        for entry in fs::read_dir(folder).into_iter().flatten() {
            let path = entry.unwrap().path();
            if path.is_dir() { below(&path, found) } else { found.push(path) }
        }
    }
    let mut found = Vec::new();
    below(&server.bucket().join(prefix), &mut found);
    found
}

fn is_away(answer: &Answer) {
    assert_eq!(answer.is(503)["code"], "files_away");
    assert_eq!(answer.header("retry-after"), "10");
}

#[actix_web::test]
async fn uploads_and_pictures_are_stored_as_objects_and_not_in_the_data_folder() {
    let (server, app) = app_with_bucket().await;
    let admin = app.platform().await;
    let workers = app.workers().await;
    let content = format!("Artikeltyp;Werkstoff\r\n{}", "Unbekannt;S235JR\r\n".repeat(1_000));
    let import = articles(&content).send(&admin, &for_north(&app)).await.is(201);
    let import = ended(&admin, &import).await;
    assert_eq!((&import["status"], &import["rows_refused"]), (&json!("Failed"), &json!(1_000)));
    workers.end().await;
    let uri = format!("{IMPORTS}/{}", import["id"]);
    let file = admin.get(&format!("{uri}/upload-file")).await;
    file.is(200);
    assert!(file.bytes == content.as_bytes());
    admin.get(&format!("{uri}/error-file")).await.is(200);

    let category = categories::create(&admin, "Träger", None).await;
    let image = format!("{}/{category}/image", categories::PATH);
    picture().send_by(Method::PUT, &admin, &image).await.is(200);
    for uri in [image.clone(), format!("{image}/thumbnail")] {
        let shown = admin.get(&uri).await;
        shown.is(200);
        assert!(image::load_from_memory(&shown.bytes).is_ok());
    }
    assert_eq!(objects(&server, "prod").len(), 3);
    assert!(!app.folder.path().join("uploads").exists());

    // left behind by a process that died before it recorded the file
    let orphan = app.state().storage.store_bytes("images", b"picture".to_vec()).await.unwrap();
    for object in objects(&server, "prod") {
        age(&object);
    }
    app.clean_up(values::now()).await;
    assert_eq!(objects(&server, "prod").len(), 3);
    assert!(!server.bucket().join("prod").join(orphan).exists());
    admin.delete(&image).await.is(200);
    assert_eq!(objects(&server, "prod").len(), 1);
    assert_eq!(admin.get(&image).await.is(404)["code"], "not_found");
}

#[actix_web::test]
async fn a_backup_includes_the_objects_and_restores_them() {
    let (server, app) = app_with_bucket().await;
    let admin = app.platform().await;
    file_place::verify(&app.db, &app.state().storage).await.unwrap();
    articles("Artikeltyp\r\nX").send(&admin, &for_north(&app)).await.is(201);
    let large = format!("Artikeltyp\r\n{}", "Unbekannt\r\n".repeat(600_000));
    articles(&large).send(&admin, &for_north(&app)).await.is(201);
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("stalhof.backup");
    let made = backup::backup(&app.settings(), &file).await.unwrap();
    // two uploads, and the marker
    assert_eq!((made.files, objects(&server, "prod").len()), (3, 3));

    let place = empty_place(&app, folder.path()).await;
    let place = in_bucket(&server, "restored", place);
    let used = Settings { files: Some(format!("s3://{BUCKET}/prod").parse().unwrap()), ..place.clone() };
    let refused = backup::restore(&used, &file).await.unwrap_err().to_string();
    assert!(refused.contains("s3://files/prod is not empty"), "{refused}");
    let (_, report) = backup::restore(&place, &file).await.unwrap();
    assert_eq!((report.files, report.problems), (2, Vec::<String>::new()));
    let contents = |prefix: &str| {
        let root = server.bucket().join(prefix);
        let mut found: Vec<_> = objects(&server, prefix)
            .iter()
            .map(|path| (path.strip_prefix(&root).unwrap().to_owned(), fs::read(path).unwrap()))
            .collect();
        found.sort();
        found
    };
    assert!(contents("prod") == contents("restored"));
    let db = stalhof::serve::open(&place).await.unwrap();
    file_place::verify(&db, &place.storage().unwrap()).await.unwrap();

    let gone =
        objects(&server, "restored").into_iter().find(|path| path.parent().unwrap().ends_with("imports"));
    fs::remove_file(gone.unwrap()).unwrap();
    let problems = backup::check(&place).await.unwrap().problems;
    assert!(matches!(&problems[..], [problem] if problem.starts_with("the file imports/")), "{problems:?}");
    server.decide(|_| S3State::Refuses(500));
    backup::check(&place).await.unwrap_err();
    backup::backup(&app.settings(), &folder.path().join("second")).await.unwrap_err();
    assert!(!folder.path().join("second").exists());
}

#[actix_web::test]
async fn removing_a_tenant_deletes_its_objects() {
    let (server, app) = app_with_bucket().await;
    let admin = app.platform().await;
    for tenant in [app.north, app.south] {
        articles("Artikeltyp\r\nX").send(&admin, &format!("{IMPORTS}?tenant_id={tenant}")).await.is(201);
    }
    let folder = app.folder.path().join("removed");
    server.decide(|_| S3State::Refuses(503));
    removal::remove(&app.settings(), &app.db, "NORD", &folder).await.unwrap_err();
    assert_eq!(objects(&server, "prod").len(), 2);
    server.decide(|_| S3State::Works);
    let gone = removal::remove(&app.settings(), &app.db, "NORD", &folder).await.unwrap();
    assert_eq!((gone.files, objects(&server, "prod").len()), (1, 1));
    let exported: Vec<_> = fs::read_dir(folder.join("before/files/imports")).unwrap().collect();
    assert_eq!(fs::read(exported[0].as_ref().unwrap().path()).unwrap(), b"Artikeltyp\r\nX");
    assert_eq!(backup::check(&app.settings()).await.unwrap().problems, Vec::<String>::new());
}

#[actix_web::test]
async fn an_unreachable_bucket_is_reported_with_a_retry_time_and_loses_nothing() {
    let (server, app) = app_with_bucket().await;
    let admin = app.platform().await;
    let (image, import) = two_files(&app, &admin).await;

    server.decide(|_| S3State::Refuses(503));
    is_away(&admin.get(&image).await);
    is_away(&admin.get(&format!("{IMPORTS}/{}/upload-file", import["id"])).await);
    is_away(&picture().send_by(Method::PUT, &admin, &image).await);
    is_away(&articles("Artikeltyp\r\nY").send(&admin, &for_north(&app)).await);
    let imports = admin.get(&for_north(&app)).await.is(200);
    assert_eq!(imports["data"].as_array().unwrap().len(), 1);
    // everything else keeps working
    app.anonymous().get("/readyz").await.is(204);
    admin.post("/api/admin/materials", json!({ "name": "S235JR" })).await.is(201);

    // an import waits without counting a failed attempt
    let workers = app.workers().await;
    tokio::time::sleep(Duration::from_secs(4)).await;
    let uri = format!("{IMPORTS}/{}", import["id"]);
    assert_eq!(admin.get(&uri).await.is(200)["finished_at"], Value::Null);
    server.decide(|_| S3State::Works);
    let import = ended(&admin, &import).await;
    assert_eq!((&import["status"], &import["rows_refused"]), (&json!("Failed"), &json!(1)));
    workers.end().await;
    admin.get(&image).await.is(200);
}

#[actix_web::test]
async fn a_missing_file_is_reported_as_such() {
    let (server, app) = app_with_bucket().await;
    let admin = app.platform().await;
    let (image, import) = two_files(&app, &admin).await;
    for object in objects(&server, "prod") {
        fs::remove_file(object).unwrap();
    }
    let file = format!("{IMPORTS}/{}/upload-file", import["id"]);
    for uri in [image, file] {
        assert_eq!(admin.get(&uri).await.is(404)["code"], "stored_file_missing", "{uri}");
    }
    let workers = app.workers().await;
    let import = ended(&admin, &import).await;
    assert!(import["status_message"].as_str().unwrap().contains("not on this server"), "{import}");
    workers.end().await;
}

#[actix_web::test]
async fn a_process_with_the_files_of_another_installation_does_not_start() {
    let (server, app) = app_with_bucket().await;
    let verified = async |app: &TestApp, settings: &Settings| {
        let verified = file_place::verify(&app.db, &settings.storage().unwrap()).await;
        verified.map_err(|error| error.to_string())
    };
    let usual = app.settings();
    // two processes that start at the same time agree
    let both = tokio::join!(verified(&app, &usual), verified(&app, &usual));
    assert_eq!(both, (Ok(()), Ok(())));
    verified(&app, &usual).await.unwrap();
    let missing = "does not hold the files of this installation";
    let elsewhere = in_bucket(&server, "elsewhere", usual.clone());
    for (place, settings) in
        [("s3://files/elsewhere", elsewhere), ("uploads", Settings { files: None, ..usual.clone() })]
    {
        let refused = verified(&app, &settings).await.unwrap_err();
        assert!(refused.contains(place) && refused.contains(missing), "{refused}");
    }
    // the files of another installation
    let other = TestApp::new().await;
    let refused = verified(&other, &usual).await.unwrap_err();
    assert!(refused.contains("an installation with another database"), "{refused}");
    verified(&other, &other.settings()).await.unwrap();
    let refused = verified(&other, &usual).await.unwrap_err();
    assert!(refused.contains("the files of another installation"), "{refused}");

    let mut denied = usual.clone();
    denied.bucket.aws_secret_access_key = Some("wrong".into());
    let refused = verified(&app, &denied).await.unwrap_err();
    assert!(
        refused.contains("cannot use the files in s3://files/prod") && refused.contains("access is denied")
    );
    let nowhere = Settings { files: Some("s3://nowhere".parse().unwrap()), ..usual.clone() };
    let refused = verified(&app, &nowhere).await.unwrap_err();
    assert!(refused.contains("there is no such bucket"), "{refused}");
    drop(server);
    let began = Instant::now();
    let refused = verified(&app, &usual).await.unwrap_err();
    assert!(refused.contains("Connection refused"), "{refused}");
    assert!(began.elapsed() < Duration::from_secs(9));
}

#[actix_web::test]
async fn processes_that_start_concurrently_agree_on_the_file_marker() {
    let (_server, app) = app_with_bucket().await;
    let files = app.settings().storage().unwrap();
    let tx = app.db.begin().await.unwrap();
    let first = server_key::find_or_create(&tx, "files", "first".to_owned()).await.unwrap();
    files.mark(&first).await.unwrap();
    let second = async { file_place::verify(&app.db, &files).await.map_err(|error| error.to_string()) };
    let commit = async {
        // the second process finds no id yet, and the marker of the first
        sleep(Duration::from_millis(300)).await;
        tx.commit().await.unwrap();
    };
    assert_eq!(tokio::join!(second, commit).0, Ok(()));
    assert_eq!(server_key::find(&*app.db, "files").await.unwrap(), Some(first));
}

#[actix_web::test]
async fn an_unusable_bucket_ends_the_server_with_an_error_without_secrets() {
    let (server, app) = app_with_bucket().await;
    let serve = async |files: &str, secret: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_stalhof"));
        command.arg("serve").env("DATABASE_URL", &app.db.url).env("STALHOF_LISTEN", "127.0.0.1:0");
        command.env("STALHOF_DATA_DIR", app.folder.path()).env("STALHOF_FILES", files);
        command.env("AWS_ENDPOINT_URL", server.endpoint()).env("AWS_REGION", "eu-central-1");
        command.env("AWS_ACCESS_KEY_ID", ACCESS_KEY_ID).env("AWS_SECRET_ACCESS_KEY", secret);
        let output = actix_web::web::block(move || command.output().unwrap()).await.unwrap();
        assert!(!output.status.success());
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(!said.contains(secret), "{said}");
        said
    };
    let said = serve("files/prod", SECRET_ACCESS_KEY).await;
    assert!(said.contains("expected is an address like s3://bucket/prefix"), "{said}");
    let said = serve("s3://files/prod", "a wrong secret").await;
    assert!(said.contains("stalhof: cannot use the files in s3://files/prod: access is denied"), "{said}");
    server.decide(|_| S3State::Refuses(500));
    let said = serve("s3://files/prod", SECRET_ACCESS_KEY).await;
    assert!(said.contains("stalhof: cannot use the files in s3://files/prod"), "{said}");
}
