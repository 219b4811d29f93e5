//! Backups are made while the server is running and restore everything.

use std::path::Path;

use catalog::material::{MaterialInput, Materials};
use lists::Creatable;
use sea_orm::{ConnectionTrait, DbBackend, Statement};
use serde_json::{Value, json};
use stalhof::{backup, config::Settings};
use store::Scope;

use crate::support::{Form, TestApp};

/// Settings for an empty database of the kind under test, and for its folder.
pub(crate) async fn empty_place(app: &TestApp, folder: &Path) -> Settings {
    let settings = Settings { data_dir: folder.join("restored"), ..app.settings() };
    if app.db.get_database_backend() == DbBackend::Sqlite {
        return Settings { database_url: None, ..settings };
    }
    let (server, own) = app.db.url.rsplit_once('/').unwrap();
    let name = format!("{own}_restored");
    let create = format!("CREATE DATABASE {name} TEMPLATE template0");
    sea_orm::Database::connect(format!("{server}/postgres"))
        .await
        .unwrap()
        .execute_unprepared(&create)
        .await
        .unwrap();
    Settings { database_url: Some(format!("{server}/{name}")), ..settings }
}

pub(crate) async fn filled() -> (TestApp, Value) {
    let app = TestApp::new().await;
    let admin = app.platform().await;
    for number in 0..20 {
        // tabs, line ends, quotes and backslashes often break formats
        let display_name = format!("Stahl \\ \"{number}\" ß");
        admin
            .post(
                "/api/admin/materials",
                json!({ "name": format!("M{number}"), "display_name": display_name }),
            )
            .await
            .is(201);
    }
    let upload = Form::new().field("type", "Article").file("a.csv", "Artikeltyp\r\nX");
    upload.send(&admin, &format!("/api/admin/imports?tenant_id={}", app.north)).await.is(201);
    let materials = admin.get("/api/admin/materials?page[size]=100").await.is(200);
    (app, materials)
}

#[actix_web::test]
async fn a_backup_is_restored_completely() {
    let (app, materials) = filled().await;
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("stalhof.backup");
    let made = backup::backup(&app.settings(), &file).await.unwrap();
    assert_eq!((made.tables["material"], made.tables["import"], made.files), (20, 1, 1));
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        assert_eq!(std::fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
    }
    backup::backup(&app.settings(), &file).await.unwrap_err();

    let place = empty_place(&app, folder.path()).await;
    let (_, report) = backup::restore(&place, &file).await.unwrap();
    assert_eq!((&report.tables, report.files), (&made.tables, 1));
    assert_eq!(report.problems, Vec::<String>::new());
    // the schema is current, so that the server can start without a migration
    let db = stalhof::serve::open(&place).await.unwrap();
    let sql = "SELECT name, display_name FROM material ORDER BY id";
    let rows = db.query_all_raw(Statement::from_string(db.get_database_backend(), sql)).await.unwrap();
    let rows: Vec<(String, String)> = rows
        .iter()
        .map(|row| (row.try_get("", "name").unwrap(), row.try_get("", "display_name").unwrap()))
        .collect();
    let expected: Vec<(String, String)> = materials["data"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| {
            (row["name"].as_str().unwrap().to_owned(), row["display_name"].as_str().unwrap().to_owned())
        })
        .collect();
    assert_eq!(rows.len(), expected.len());
    assert!(expected.iter().all(|row| rows.contains(row)));
    // sequences continue where they were
    let input = MaterialInput {
        name: "new".to_owned(),
        display_name: None,
        article_number_name: None,
        material_number: None,
        density: None,
        change_articles: None,
        version: None,
    };
    assert!(Materials::create(&db, &Scope::platform(), input).await.unwrap().id > 20);

    backup::restore(&place, &file).await.unwrap_err();
}

#[actix_web::test]
async fn a_damaged_or_truncated_backup_is_refused_before_anything_is_written() {
    let (app, _) = filled().await;
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("stalhof.backup");
    backup::backup(&app.settings(), &file).await.unwrap();
    let whole = std::fs::read(&file).unwrap();
    let place = empty_place(&app, folder.path()).await;
    let middle = whole.len() / 2;
    // in the content of an entry: metadata that a ZIP file stores twice may be damaged in one place
    let name = b"manifest.json";
    let content = whole.windows(name.len()).position(|bytes| bytes == name).unwrap() + name.len() + 100;
    let flipped = [&whole[..content], &[whole[content] ^ 0xff], &whole[content + 1..]].concat();
    for (damage, content) in [("empty", &[][..]), ("cut off", &whole[..middle]), ("flipped", &flipped)] {
        std::fs::write(&file, content).unwrap();
        backup::restore(&place, &file).await.expect_err(damage);
        assert!(!place.data_dir.join("uploads").exists(), "{damage}");
    }
    std::fs::write(&file, &whole).unwrap();
    backup::restore(&place, &file).await.unwrap();
}

#[actix_web::test]
async fn a_check_lists_missing_files_and_a_backup_without_them_fails() {
    let (app, _) = filled().await;
    let settings = app.settings();
    assert_eq!(backup::check(&settings).await.unwrap().problems, Vec::<String>::new());
    let kept = app.folder.path().join("uploads/imports");
    for file in std::fs::read_dir(kept).unwrap() {
        std::fs::remove_file(file.unwrap().path()).unwrap();
    }
    let found = backup::check(&settings).await.unwrap().problems;
    assert!(matches!(&found[..], [problem] if problem.starts_with("the file imports/")), "{found:?}");
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("stalhof.backup");
    backup::backup(&settings, &file).await.unwrap_err();
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0, "half a backup stays behind");
}

/// A new column that names a file must be added to the backup.
#[actix_web::test]
async fn every_column_that_names_files_is_listed() {
    let db = testkit::database().await;
    let sql = match db.get_database_backend() {
        DbBackend::Sqlite => {
            "SELECT t.name || '.' || c.name AS place FROM pragma_table_list t, pragma_table_info(t.name) c \
             WHERE t.schema = 'main' AND t.type = 'table' AND (c.name = 'key' OR c.name LIKE '%\\_key' ESCAPE '\\')"
        }
        _ => {
            "SELECT table_name || '.' || column_name AS place FROM information_schema.columns \
             WHERE table_schema = current_schema() AND (column_name = 'key' OR column_name LIKE '%\\_key')"
        }
    };
    let rows = db.query_all_raw(Statement::from_string(db.get_database_backend(), sql)).await.unwrap();
    let mut places: Vec<String> = rows.iter().map(|row| row.try_get("", "place").unwrap()).collect();
    places.sort();
    // keys of other kinds
    places.retain(|place| {
        ![
            "closure.warehouse_key",
            "ftp_settings.host_key", // by which a server is recognised
            "idempotency.key",
            "import.header_key",
            "processing_price.article_type_key",
            "server_key.key",
            "user.email_key",
        ]
        .contains(&place.as_str())
    });
    let expected = [
        "article_image.key",
        "article_image.thumbnail_key",
        "category_image.key",
        "category_image.thumbnail_key",
        "import.upload_key",
    ];
    assert_eq!(places, expected);
}
