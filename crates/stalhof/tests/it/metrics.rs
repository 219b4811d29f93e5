//! Metrics for a monitoring system.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::support::{Form, TestApp};

#[actix_web::test]
async fn requests_are_counted_by_template_and_status_and_queues_have_lengths() {
    let app = TestApp::new().await;
    let admin = app.platform().await;
    let created = admin.post("/api/admin/materials", json!({ "name": "S235JR" })).await.is(201);
    let id = created["id"].as_i64().unwrap();
    admin.get(&format!("/api/admin/materials/{id}")).await.is(200);
    admin.get("/api/admin/materials/999999").await.is(404);
    app.anonymous().get("/no/such/path?secret=1").await;
    let upload = Form::new().field("type", "Article").file("a.csv", "Artikeltyp\r\nX");
    upload.send(&admin, &format!("/api/admin/imports?tenant_id={}", app.north)).await.is(201);

    let text = app.metrics().await;
    for line in [
        r#"stalhof_http_requests_total{method="POST",route="/api/admin/materials",status="201"} 1"#,
        r#"stalhof_http_requests_total{method="GET",route="/api/admin/materials/{id}",status="200"} 1"#,
        r#"stalhof_http_requests_total{method="GET",route="/api/admin/materials/{id}",status="404"} 1"#,
        r#"stalhof_http_request_duration_seconds_count{method="GET",route="/api/admin/materials/{id}"} 2"#,
        "stalhof_database_up 1.0",
        "stalhof_database_writable 1.0",
        "stalhof_files_accepted 1.0",
        r#"stalhof_imports{state="Queued"} 1"#,
        "stalhof_mails_waiting 0",
    ] {
        assert!(text.lines().any(|found| found == line), "{line} is missing in\n{text}");
    }
    for name in ["stalhof_disk_free_bytes ", "stalhof_database_connections ", "stalhof_build_info{version="] {
        assert!(text.contains(name), "{name} is missing");
    }
    assert!(!text.contains("secret") && !text.contains("no/such"), "what is made up is no label");

    app.db.health().set_reachable(false);
    let text = app.metrics().await;
    assert!(text.contains("stalhof_database_up 0.0") && text.contains("stalhof_http_requests_total"));
    app.db.health().set_reachable(true);
}

/// Names of series in the queries of a dashboard.
fn series(dashboard: &Value) -> BTreeSet<String> {
    let panels = dashboard["panels"].as_array().unwrap();
    let queries = panels.iter().flat_map(|panel| panel["targets"].as_array().unwrap());
    let expressions: Vec<_> = queries.map(|query| query["expr"].as_str().unwrap()).collect();
    let words =
        expressions.iter().flat_map(|text| text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_'));
    words.filter(|word| word.starts_with("stalhof_")).map(ToOwned::to_owned).collect()
}

#[actix_web::test]
async fn the_dashboard_shows_series_that_exist() {
    let app = TestApp::new().await;
    let admin = app.platform().await;
    admin.get("/api/admin/materials").await.is(200);
    let dashboard = include_str!("../../../../docker/grafana/stalhof.json");
    let named = series(&serde_json::from_str(dashboard).unwrap());
    assert!(named.len() > 15, "{named:?}");
    let documented = include_str!("../../../../docs/operations.md");
    let text = app.metrics().await;
    for name in named {
        // for a histogram and a counter, the comment names the family
        let family = name.trim_end_matches("_bucket").trim_end_matches("_total");
        // series with labels appear with their first sample, and some only where they apply
        let is_documented = ["{", "`"].iter().any(|end| documented.contains(&format!("`{name}{end}")));
        let is_there = text.contains(&format!("# HELP {family} "));
        assert!(is_there || is_documented, "{name} does not exist in\n{text}");
    }
}

#[actix_web::test]
async fn metrics_are_not_served_on_the_address_of_the_product() {
    let app = TestApp::new().await;
    let answer = app.anonymous().get("/metrics").await;
    assert!(!String::from_utf8_lossy(&answer.bytes).contains("stalhof_"));
}
