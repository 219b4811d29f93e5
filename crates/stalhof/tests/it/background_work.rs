//! Overview of background work: jobs, queues and failures.

use std::{path::Path, time::Duration};

use api::server_process::ServerProcess;
use identity::permissions;
use sea_orm::{ConnectionTrait, DbBackend};
use serde_json::{Value, json};
use values::PermissionSet;

use crate::support::{Client, Form, TestApp};

const PATH: &str = "/api/admin/background-work";

fn named<'a>(list: &'a Value, name: &str) -> &'a Value {
    list.as_array().unwrap().iter().find(|entry| entry["name"] == name).unwrap()
}

/// Waits until every job has run and the other queues are empty.
async fn once_all_have_run(admin: &Client) -> Value {
    for _ in 0..500 {
        let shown = admin.get(PATH).await.is(200);
        let ran = shown["jobs"].as_array().unwrap().iter().all(|job| job["runs"].as_i64() > Some(0));
        let done = ["imports", "replays", "mails"].iter().all(|queue| {
            let queue = named(&shown["queues"], queue);
            queue["waiting"] == 0 && queue["running"] == 0
        });
        if ran && done {
            return shown;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    panic!("some work is not done");
}

#[actix_web::test]
async fn platform_administrators_see_due_running_and_failed_work() {
    let app = TestApp::new().await;
    let admin = app.platform().await;
    let upload = Form::new().field("type", "Article").file("a.csv", "Artikeltyp\r\nX");
    upload.send(&admin, &format!("/api/admin/imports?tenant_id={}", app.north)).await.is(201);
    let person = json!({ "name": "Ute", "email": "ute@nord.example", "tenant_id": app.north, "role_ids": [],
        "permissions": null });
    let person = crate::catalog::id(&admin.post("/api/admin/users", person).await.is(201));
    admin.post(&format!("/api/admin/users/{person}/invite"), json!({})).await.is(200);

    let before = admin.get(PATH).await.is(200);
    assert_eq!(before["jobs"].as_array().unwrap().len(), stalhof::cleanup::JOBS.len());
    let spool = named(&before["jobs"], "spool");
    assert_eq!(
        (&spool["state"], &spool["due_at"], &spool["runs"]),
        (&json!("waiting"), &Value::Null, &json!(0))
    );
    for queue in ["imports", "mails"] {
        let queue = named(&before["queues"], queue);
        assert_eq!(
            (&queue["waiting"], &queue["running"], &queue["failed"]),
            (&json!(1), &json!(0), &json!(0))
        );
        assert!(queue["waiting_since"].is_string());
    }

    // the clean-up meets a missing table
    let rename = async |from: &str, to: &str| {
        let tx = app.db.begin().await.unwrap();
        tx.execute_unprepared(&format!("ALTER TABLE {from} RENAME TO {to}")).await.unwrap();
        tx.commit().await.unwrap();
    };
    rename("sign_in_failure", "hidden").await;
    let background = app.background().await;
    let shown = once_all_have_run(&admin).await;
    background.end().await;
    rename("hidden", "sign_in_failure").await;

    let failing = named(&shown["jobs"], "sessions");
    assert_eq!((&failing["state"], &failing["failures_in_row"]), (&json!("failing"), &json!(1)));
    assert_eq!((&failing["last_failure"], &failing["failed_runs"]), (&json!("unexpected"), &json!(1)));
    assert!(failing["last_failed_at"].is_string() && failing["due_at"].is_string());
    assert!(!shown.to_string().contains("sign_in_failure"), "no cause is shown");
    let spool = named(&shown["jobs"], "spool");
    assert_eq!((&spool["state"], &spool["last_failure"]), (&json!("waiting"), &Value::Null));
    assert_eq!((&spool["runs"], &spool["failed_runs"]), (&json!(1), &json!(0)));
    assert_eq!(named(&shown["queues"], "jobs")["failed"], 1);

    // the queues are empty by now: refused rows, and a mail that was sent
    let after = admin.get(PATH).await.is(200);
    let imports = named(&after["queues"], "imports");
    assert_eq!(
        (&imports["waiting"], &imports["running"], &imports["failed"]),
        (&json!(0), &json!(0), &json!(1))
    );
    let mails = named(&after["queues"], "mails");
    assert_eq!((&mails["waiting"], &mails["waiting_since"]), (&json!(0), &Value::Null));

    let metrics = app.metrics().await;
    for line in [
        r#"stalhof_background_queue{queue="imports",state="failed"} 1"#,
        r#"stalhof_background_queue{queue="mails",state="waiting"} 0"#,
        r#"stalhof_background_job_failures{job="sessions"} 1"#,
        r#"stalhof_background_job_failures{job="spool"} 0"#,
        r#"stalhof_background_job_overdue_seconds{job="spool"} 0"#,
    ] {
        assert!(metrics.lines().any(|found| found == line), "{line} is missing in\n{metrics}");
    }
}

#[actix_web::test]
async fn every_queue_and_job_has_a_name_in_both_languages() {
    let app = TestApp::new().await;
    let shown = app.platform().await.get(PATH).await.is(200);
    for language in ["de", "en"] {
        let texts = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join(format!("../../frontend/src/i18n/{language}/operation.json"));
        let texts: Value = serde_json::from_str(&std::fs::read_to_string(texts).unwrap()).unwrap();
        for kind in ["queues", "jobs"] {
            let mut names: Vec<&str> =
                shown[kind].as_array().unwrap().iter().map(|one| one["name"].as_str().unwrap()).collect();
            let mut named: Vec<&str> =
                texts[kind]["names"].as_object().unwrap().keys().map(String::as_str).collect();
            names.sort_unstable();
            named.sort_unstable();
            assert_eq!(named, names, "{kind} in {language}");
        }
    }
}

#[actix_web::test]
async fn server_processes_are_shown_with_their_last_heartbeat() {
    let app = TestApp::new().await;
    let admin = app.platform().await;
    assert_eq!(admin.get(PATH).await.is(200)["processes"], json!([]));
    let [running, silent, ended] = [(); 3].map(|()| ServerProcess::current());
    for process in [&running, &silent, &ended] {
        process.record_heartbeat(&app.db).await.unwrap();
    }
    ended.leave(&app.db).await.unwrap();
    if app.db.get_database_backend() == DbBackend::Sqlite {
        assert_eq!(admin.get(PATH).await.is(200)["processes"], json!([]), "it has one process");
        return;
    }
    let sql = format!(
        "UPDATE server_process SET seen_at = seen_at - interval '31 s' WHERE name = '{}'",
        silent.name
    );
    app.db.writer().execute_unprepared(&sql).await.unwrap();
    let shown = admin.get(PATH).await.is(200);
    let shown: Vec<_> =
        shown["processes"].as_array().unwrap().iter().map(|one| (&one["name"], &one["alive"])).collect();
    assert_eq!(shown, [(&json!(running.name), &json!(true)), (&json!(silent.name), &json!(false))]);
}

#[actix_web::test]
async fn only_platform_administrators_see_background_work() {
    let app = TestApp::new().await;
    let tenant = app.caller(Some(app.north), PermissionSet::all()).await;
    assert_eq!(tenant.get(PATH).await.is(403)["code"], "operators_only");
    let without = app.caller(None, PermissionSet::all().without(permissions::VIEW_AUDIT)).await;
    assert_eq!(without.get(PATH).await.is(403)["code"], "forbidden");
    app.anonymous().get(PATH).await.is(401);
    // platform administrators keep this access while they act for a tenant
    app.platform().await.get(&format!("{PATH}?tenant_id={}", app.south)).await.is(200);
}

#[actix_web::test]
async fn a_process_that_ends_releases_its_jobs() {
    let app = TestApp::new().await;
    let admin = app.platform().await;
    for _ in 0..3 {
        app.background().await.end().await;
    }
    let shown = admin.get(PATH).await.is(200);
    for job in shown["jobs"].as_array().unwrap() {
        assert_eq!((&job["process"], &job["failures_in_row"]), (&Value::Null, &json!(0)), "{job}");
    }
}
