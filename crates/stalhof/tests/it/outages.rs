//! Answers while the disk is full or the database is unreachable: a message with the reason, and a time for
//! the next attempt.

use actix_web::http::Method;
use sea_orm::ConnectionTrait;
use serde_json::json;
use values::now;

use crate::support::{Form, TestApp};

#[actix_web::test]
async fn an_unreachable_database_is_reported_immediately_with_a_retry_time() {
    let app = TestApp::new().await;
    let caller = app.platform().await;
    app.db.health().set_reachable(false);
    let answer = caller.get("/api/admin/materials").await;
    let retry = answer.headers.get("retry-after").and_then(|value| value.to_str().ok()).map(str::to_owned);
    assert_eq!(answer.is(503)["code"], "database_away");
    assert_eq!(retry.as_deref(), Some("10"));
    let ready = app.anonymous().get("/readyz").await;
    assert_eq!(ready.is(503)["code"], "database_away");
    assert!(ready.is(503)["message"].as_str().unwrap().starts_with("The database cannot be reached"));
    app.anonymous().get("/healthz").await.is(204);

    app.db.health().set_reachable(true);
    app.anonymous().get("/readyz").await.is(204);
    caller.get("/api/admin/materials").await.is(200);
}

#[actix_web::test]
async fn files_are_refused_on_a_nearly_full_disk_and_small_changes_are_not() {
    let app = TestApp::new().await;
    let platform = app.platform().await;
    let client = app.nearly_full().await.signed_in(&platform.token.clone().into());
    let imports = format!("/api/admin/imports?tenant_id={}", app.north);
    let upload = || Form::new().field("type", "Article").file("a.csv", "Artikeltyp\r\nX");
    let refused = upload().send(&client, &imports).await;
    assert!(refused.headers.contains_key("retry-after"));
    assert_eq!(refused.is(507)["code"], "disk_nearly_full");
    assert_eq!(client.get("/api/admin/articles/export?format=csv").await.is(507)["code"], "disk_nearly_full");
    client.get("/api/admin/articles").await.is(200);
    // an import accepted before says what it waits for
    let import = upload().send(&platform, &imports).await.is(201);
    assert_eq!(import["status_message"], serde_json::Value::Null);
    for uri in [imports.clone(), format!("/api/admin/imports/{}?tenant_id={}", import["id"], app.north)] {
        let shown = client.get(&uri).await.is(200);
        let import = shown["data"].get(0).unwrap_or(&shown);
        assert!(import["status_message"].as_str().unwrap().starts_with("The import waits"), "{import}");
    }
    client.post("/api/admin/materials", json!({ "name": "S235JR" })).await.is(201);
    assert_eq!(std::fs::read_dir(app.folder.path().join("spool")).unwrap().count(), 0);
}

#[actix_web::test]
async fn reads_succeed_if_the_use_of_a_session_cannot_be_recorded() {
    let app = TestApp::new().await;
    let caller = app.platform().await;
    let long_ago = now() - chrono::TimeDelta::minutes(5);
    let tx = app.db.begin().await.unwrap();
    let sql = format!("UPDATE session SET last_used_at = '{}'", long_ago.format("%Y-%m-%d %H:%M:%S+00:00"));
    tx.execute_unprepared(&sql).await.unwrap();
    tx.commit().await.unwrap();
    // another transaction writes for longer than requests wait
    let held = app.db.begin().await.unwrap();
    held.execute_unprepared("UPDATE session SET user_agent = 'held'").await.unwrap();
    caller.send(Method::GET, "/api/admin/materials", None).await.is(200);
    drop(held);
}

#[actix_web::test]
async fn a_write_with_a_failed_statement_is_acknowledged_only_if_it_is_committed() {
    let app = TestApp::new().await;
    let tx = app.db.begin().await.unwrap();
    tx.execute_unprepared("UPDATE tenant SET company = 'Anders GmbH'").await.unwrap();
    tx.execute_unprepared("SELECT 1 FROM no_such_table").await.unwrap_err();
    let acknowledged = tx.commit().await.is_ok();
    let kept = app.platform().await.get("/api/admin/tenants").await.is(200);
    assert_eq!(acknowledged, kept["data"][0]["company"] == "Anders GmbH");
}
