//! Retention of data as in `docs/operations.md`, with a clock that is set ahead.

use chrono::TimeDelta;
use migrations::Migrator;
use sea_orm::{ConnectionTrait, DbBackend, Statement};
use sea_orm_migration::MigratorTrait;
use serde_json::{Value, json};
use store::{
    audit::{Action, HistoryEntry},
    months::Month,
};
use values::{PermissionSet, now};

use crate::{
    catalog::id,
    support::{Client, Form, PASSWORD, TestApp},
};

async fn count(app: &TestApp, from: &str) -> i64 {
    let sql = format!("SELECT count(*) AS rows FROM {from}");
    let statement = Statement::from_string(app.db.get_database_backend(), sql);
    app.db.query_one_raw(statement).await.unwrap().unwrap().try_get("", "rows").unwrap()
}

async fn after(app: &TestApp, days: i64) {
    app.clean_up(now() + TimeDelta::days(days)).await;
}

/// Days after which data that is deleted by the month is gone.
const MONTH: i64 = 31;

fn files(app: &TestApp) -> usize {
    std::fs::read_dir(app.folder.path().join("uploads/imports")).unwrap().count()
}

/// Import of rows that are all refused, more than one batch of them; returned once it has ended.
async fn import(app: &TestApp, admin: &Client) -> String {
    let rows = "Unbekannt;1\r\n".repeat(1_100);
    let form =
        Form::new().field("type", "Article").file("a.csv", format!("Artikeltyp;Artikelnummer\r\n{rows}"));
    let import = form.send(admin, &format!("/api/admin/imports?tenant_id={}", app.north)).await.is(201);
    let uri = format!("/api/admin/imports/{}", id(&import));
    let workers = app.workers().await;
    for _ in 0..1_500 {
        if admin.get(&uri).await.is(200)["finished_at"] != Value::Null {
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
    workers.end().await;
    uri
}

#[actix_web::test]
async fn files_of_imports_are_deleted_after_90_days_and_the_import_stays() {
    let app = TestApp::new().await;
    let admin = app.platform().await;
    let uri = import(&app, &admin).await;
    assert_eq!((files(&app), count(&app, "import_error").await), (1, 1_100));
    let before = admin.get(&uri).await.is(200);
    assert_eq!(before["files_kept"], true);

    after(&app, 89).await;
    assert_eq!((files(&app), count(&app, "import_error").await), (1, 1_100));
    after(&app, 91).await;
    assert_eq!((files(&app), count(&app, "import_error").await), (0, 0));

    // the clock of sessions is not set ahead
    let admin = app.platform().await;
    let import = admin.get(&uri).await.is(200);
    assert_eq!((&import["files_kept"], &import["error_file"]), (&json!(false), &Value::Null));
    for kept in ["upload_file", "rows_refused", "status", "updated_at", "version"] {
        assert_eq!(import[kept], before[kept]);
    }
    for file in ["upload-file", "error-file"] {
        let refused = admin.get(&format!("{uri}/{file}")).await.is(404);
        assert_eq!(refused["code"], "files_forgotten");
        assert_eq!(refused["message"], "The files were deleted 90 days after the import.");
    }
    assert_eq!(admin.get(&format!("{uri}/errors")).await.is(200)["meta"]["total"], 0);
    // and once more, with nothing left to do
    after(&app, 92).await;
}

#[actix_web::test]
async fn unchanged_rows_are_deleted_with_the_files_and_others_with_the_history() {
    let app = TestApp::new().await;
    let admin = app.platform().await;
    let uri = import(&app, &admin).await;
    let imported: i64 = uri.rsplit('/').next().unwrap().parse().unwrap();
    // as if these had been written immediately
    let later = Month::at(now() + TimeDelta::days(401)).number();
    let outcome = |outcome: &str, lines: &str| {
        let month = if outcome == "unchanged" { "last_month".to_owned() } else { later.to_string() };
        format!(
            "UPDATE import_row SET outcome = '{outcome}', last_month = {month} \
             WHERE import_id = {imported} AND line {lines}"
        )
    };
    let tx = app.db.begin().await.unwrap();
    for sql in [outcome("created", "< 12"), outcome("updated", "IN (12, 13)"), outcome("unchanged", "= 14")] {
        tx.execute_unprepared(&sql).await.unwrap();
    }
    tx.commit().await.unwrap();
    assert_eq!(count(&app, "import_row").await, 1_100);
    after(&app, 89).await;
    assert_eq!(count(&app, "import_row").await, 1_100);
    after(&app, 91 + MONTH).await;
    assert_eq!(count(&app, "import_row").await, 12);
    after(&app, 399).await;
    assert_eq!(count(&app, "import_row WHERE outcome IN ('created', 'updated')").await, 12);
    after(&app, 401 + MONTH).await;
    assert_eq!((count(&app, "import_row").await, count(&app, "import").await), (0, 1));
}

#[actix_web::test]
async fn unreferenced_files_are_deleted_and_those_of_queued_imports_stay() {
    let app = TestApp::new().await;
    let admin = app.platform().await;
    let form = Form::new().field("type", "Article").file("a.csv", "Artikeltyp\r\nx\r\n");
    form.send(&admin, &format!("/api/admin/imports?tenant_id={}", app.north)).await.is(201);
    let folder = app.folder.path().join("uploads/imports");
    std::fs::write(folder.join("left-behind"), "x").unwrap();
    for file in std::fs::read_dir(&folder).unwrap() {
        let file = std::fs::File::open(file.unwrap().path()).unwrap();
        file.set_modified(std::time::SystemTime::now() - std::time::Duration::from_hours(25)).unwrap();
    }
    std::fs::write(folder.join("arriving"), "x").unwrap();
    after(&app, 200).await;
    assert_eq!(files(&app), 2);
    assert!(folder.join("arriving").exists());
}

#[actix_web::test]
async fn addresses_are_deleted_after_90_days_and_the_history_after_400() {
    let app = TestApp::new().await;
    let user = app.user(Some(app.north), PermissionSet::all()).await;
    app.anonymous().post("/api/sessions", json!({ "email": user, "password": PASSWORD })).await.is(201);
    let tx = app.db.begin().await.unwrap();
    for number in 0..2_500 {
        let mut entry = HistoryEntry::new(Action::Created, "article", Some(number));
        entry.address = Some("192.0.2.7".to_owned());
        tx.note(entry);
    }
    tx.commit().await.unwrap();
    let all = count(&app, "audit_entry").await;
    assert!(all > 2_501);

    let known = "audit_entry WHERE address <> ''";
    after(&app, 89).await;
    assert_eq!(count(&app, known).await, 2_501);
    after(&app, 91).await;
    assert_eq!((count(&app, known).await, count(&app, "audit_entry").await), (0, all));
    after(&app, 399).await;
    assert_eq!(count(&app, "audit_entry").await, all);
    after(&app, 401 + MONTH).await;
    assert_eq!(count(&app, "audit_entry").await, 0);
}

#[actix_web::test]
async fn expired_sessions_links_and_addresses_of_tokens_are_deleted() {
    let app = TestApp::new().await;
    let admin = app.platform().await;
    let person = json!({ "name": "Ute", "email": "ute@nord.example", "tenant_id": app.north, "role_ids": [],
        "permissions": null });
    let person = id(&admin.post("/api/admin/users", person).await.is(201));
    admin.post(&format!("/api/admin/users/{person}/invite"), json!({})).await.is(200);
    let token = json!({ "name": "ERP", "abilities": ["access-admin"] });
    let token = admin.post("/api/admin/tokens", token).await.is(201);
    app.with_token(token["plain_text"].as_str().unwrap()).get("/api/users/me").await.is(200);
    let addresses = "personal_access_token WHERE last_used_address IS NOT NULL";
    let seen = async || {
        [
            count(&app, "session").await,
            count(&app, "one_time_link").await,
            count(&app, "mail WHERE kind = 'invitation' AND text IS NOT NULL").await,
            count(&app, addresses).await,
        ]
    };
    assert_eq!(seen().await, [1, 1, 1, 1]);
    after(&app, 1).await;
    assert_eq!(seen().await, [0, 1, 1, 1], "a session lives for 12 hours");
    after(&app, 6).await;
    assert_eq!(seen().await, [0, 1, 1, 1]);
    // nothing has been sent meanwhile
    after(&app, 8).await;
    assert_eq!(seen().await, [0, 0, 0, 1]);
    assert_eq!(count(&app, "mail WHERE failed_at IS NOT NULL AND due_at IS NULL").await, 1);
    after(&app, 89).await;
    assert_eq!(seen().await, [0, 0, 0, 1]);
    after(&app, 91).await;
    assert_eq!(seen().await, [0, 0, 0, 0]);
    assert_eq!(count(&app, "mail WHERE kind = 'invitation'").await, 0);
}

#[actix_web::test]
async fn mail_files_are_deleted_like_stored_mails_and_other_files_stay() {
    let app = TestApp::new().await;
    let admin = app.platform().await;
    let person = json!({ "name": "Ute", "email": "ute@nord.example", "tenant_id": app.north, "role_ids": [],
        "permissions": null });
    let person = id(&admin.post("/api/admin/users", person).await.is(201));
    admin.post(&format!("/api/admin/users/{person}/invite"), json!({})).await.is(200);
    assert_eq!(app.mails_to("ute@nord.example").await.len(), 1);
    let folder = app.folder.path().join("mails");
    std::fs::write(folder.join("Ablage.eml"), "x").unwrap();
    let files = || std::fs::read_dir(&folder).unwrap().count();
    for (days, left) in [(29, 2), (31, 1), (400, 1)] {
        after(&app, days).await;
        assert_eq!(
            (files(), count(&app, "mail").await),
            (left, i64::try_from(left).unwrap() - 1),
            "after {days} days"
        );
    }
    assert!(folder.join("Ablage.eml").exists());
}

#[actix_web::test]
async fn existing_rows_get_their_month_in_a_migration() {
    let app = TestApp::new().await;
    let former = "m20261129_000600_history_by_month";
    let later = Migrator::migrations().iter().skip_while(|migration| migration.name() != former).count();
    Migrator::down(app.db.writer(), Some(u32::try_from(later).unwrap())).await.unwrap();
    let row = |line: i64, outcome: &str| {
        format!(
            "INSERT INTO import_row (import_id, tenant_id, line, outcome, record, record_name) \
             VALUES (7, {}, {line}, '{outcome}', 'stock', '')",
            app.north
        )
    };
    let entry = "INSERT INTO audit_entry (id, at, action, record, record_name, channel, address, changes) \
        VALUES (1000, '2026-01-02 00:00:00+00', 'created', 'stock', '', 'system', '', '[]')";
    for sql in [row(1, "unchanged"), row(2, "updated"), entry.to_owned()] {
        app.db.writer().execute_unprepared(&sql).await.unwrap();
    }
    if app.db.get_database_backend() == DbBackend::Postgres {
        app.db.writer().execute_unprepared("SELECT setval('audit_entry_id_seq', 1000)").await.unwrap();
    }
    let before = count(&app, "audit_entry").await;
    Migrator::up(app.db.writer(), None).await.unwrap();

    assert_eq!(count(&app, "audit_entry").await, before);
    let month = |days| Month::at(now() + TimeDelta::days(days)).number();
    for (line, days) in [(1, 91), (2, 401)] {
        let found = format!("import_row WHERE line = {line} AND last_month = {}", month(days));
        assert_eq!(count(&app, &found).await, 1, "line {line}");
    }
    let tx = app.db.begin().await.unwrap();
    tx.note(HistoryEntry::new(Action::Created, "article", Some(1)));
    tx.commit().await.unwrap();
    assert_eq!(count(&app, "audit_entry WHERE id > 1000").await, 1);
}

#[actix_web::test]
async fn months_are_added_ahead_and_dropped_as_a_whole() {
    let app = TestApp::new().await;
    if app.db.get_database_backend() != DbBackend::Postgres {
        return;
    }
    let partitions =
        async |table: &str| count(&app, &format!("pg_inherits WHERE inhparent = '{table}'::regclass")).await;
    assert_eq!((partitions("audit_entry").await, partitions("import_row").await), (3, 15));
    after(&app, 200).await;
    let added = partitions("audit_entry").await;
    assert!(added > 6, "none is dropped before 400 days: {added}");
    after(&app, 700).await;
    let left = partitions("audit_entry").await;
    assert!((14..=16).contains(&left), "{left} months are the 400 days and one ahead");
    after(&app, 700).await;
    assert_eq!(partitions("audit_entry").await, left, "nothing is left to do");
}
