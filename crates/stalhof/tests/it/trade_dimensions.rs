//! Commercial lengths over HTTP.

use serde_json::{Value, json};

use crate::{
    catalog::{column, resent},
    support::TestApp,
};

const PATH: &str = "/api/admin/trade-dimensions";
const FIELDS: &[&str] = &["name", "clusters", "version"];

fn cluster(short_code: &str, minimum: Option<&str>, maximum: Option<&str>, calculation_value: &str) -> Value {
    json!({
        "short_code": short_code, "minimum": minimum, "maximum": maximum, "calculation_value": calculation_value
    })
}

fn beams(name: &str) -> Value {
    json!({ "name": name, "clusters": [
        cluster("L06", None, Some("6.11"), "6.1"),
        cluster("L08", Some("6.11"), Some("8.11"), "8.1"),
        cluster("L10", Some("8.11"), None, "10.1"),
    ] })
}

fn uri(record: &Value) -> String {
    format!("{PATH}/{}", record["id"])
}

#[actix_web::test]
async fn a_trade_dimension_is_created_shown_changed_and_deleted() {
    let app = TestApp::new().await;
    let admin = app.platform().await;
    let created = admin.post(PATH, beams(" Träger ")).await.is(201);
    assert_eq!(created["name"], "Träger");
    assert_eq!(created["clusters"], beams("")["clusters"]);
    assert_eq!(created["version"], 1);
    assert_eq!(admin.get(&uri(&created)).await.is(200), created);
    assert_eq!(admin.get(PATH).await.is(200)["data"], json!([created]));

    let mut change = resent(&created, FIELDS);
    change["clusters"] = json!([
        cluster("L12", Some("6.2"), Some("12.11"), "12.1"),
        cluster("l06", Some("3"), Some("6.200"), "6.1"),
    ]);
    let changed = admin.put(&uri(&created), change.clone()).await.is(200);
    let upward =
        [cluster("l06", Some("3"), Some("6.2"), "6.1"), cluster("L12", Some("6.2"), Some("12.11"), "12.1")];
    assert_eq!(changed["clusters"], json!(upward));
    assert_eq!(changed["version"], 2);
    assert_eq!(admin.get(&uri(&created)).await.is(200), changed);
    assert_eq!(admin.put(&uri(&created), change).await.is(409)["code"], "stale");

    let mut renamed = resent(&changed, FIELDS);
    renamed["name"] = json!("Profile");
    assert_eq!(admin.put(&uri(&created), renamed).await.is(200)["clusters"], json!(upward));

    assert_eq!(admin.get(&format!("{}/usage", uri(&created))).await.is(200)["data"], json!([]));
    admin.delete(&uri(&created)).await.is(204);
    admin.get(&uri(&created)).await.is(404);
    admin.delete(&uri(&created)).await.is(404);
}

#[actix_web::test]
async fn invalid_ranges_are_refused_at_their_fields_and_change_nothing() {
    let app = TestApp::new().await;
    let admin = app.platform().await;
    let created = admin.post(PATH, beams("Träger")).await.is(201);
    let gap = json!({ "name": "", "clusters": [
        cluster("L06", None, Some("6.11"), "0"),
        cluster("L 8", Some("6.12"), Some("8.11"), "8.1"),
        cluster("L10", Some("8.1"), None, "10.1"),
    ] });
    let paths = [
        "name",
        "clusters.0.calculation_value",
        "clusters.1.short_code",
        "clusters.1.minimum",
        "clusters.2.minimum",
    ];
    let body = admin.german().put(&uri(&created), gap.clone()).await.is_refused_at(&paths);
    assert_eq!(body["errors"]["clusters.2.minimum"], json!(["Überschneidet sich mit Bereich „L 8“"]));
    let body = admin.post(PATH, gap).await.is_refused_at(&paths);
    let text = "Gap after the range “L06”";
    assert_eq!(body["errors"]["clusters.1.minimum"], json!([text]));
    assert_eq!(admin.get(&uri(&created)).await.is(200), created);

    let single = json!({ "name": "X", "clusters": [cluster("L", None, None, "6")] });
    admin.post(PATH, single).await.is_refused_at(&["clusters"]);
    let mut no_value = beams("X");
    no_value["clusters"][1]["calculation_value"] = Value::Null;
    admin.post(PATH, no_value).await.is_refused_at(&["clusters.1.calculation_value"]);
    let mut no_number = beams("X");
    no_number["clusters"][2]["minimum"] = json!("8,11");
    admin.post(PATH, no_number).await.is_refused_at(&["clusters.2.minimum"]);
}

#[actix_web::test]
async fn names_are_unique_ignoring_case_and_short_codes_only_within_a_dimension() {
    let app = TestApp::new().await;
    let admin = app.platform().await;
    admin.post(PATH, beams("Träger")).await.is(201);
    admin.post(PATH, beams("TRÄGER")).await.is_refused_at(&["name"]);
    let other = admin.post(PATH, beams("Stabstahl")).await.is(201);
    admin.put(&uri(&other), beams("trager")).await.is_refused_at(&["name"]);
}

#[actix_web::test]
async fn a_list_is_paged_sorted_and_filtered_and_shows_the_ranges() {
    let app = TestApp::new().await;
    let admin = app.platform().await;
    for name in ["Träger", "Ärmel", "Stabstahl"] {
        admin.post(PATH, beams(name)).await.is(201);
    }
    let list = async |query: &str| admin.get(&format!("{PATH}?{query}")).await.is(200);
    assert_eq!(column(&list("").await, "name"), ["Ärmel", "Stabstahl", "Träger"]);
    assert_eq!(column(&list("sort=-updated_at").await, "name"), ["Stabstahl", "Ärmel", "Träger"]);
    assert_eq!(column(&list("filter[name]=trager").await, "name"), ["Träger"]);
    let page = list("page[number]=2&page[size]=2").await;
    assert_eq!(column(&page, "name"), ["Träger"]);
    assert_eq!(page["data"][0]["clusters"], beams("")["clusters"]);
    assert_eq!(page["meta"]["total"], 3);
    admin.get(&format!("{PATH}?sort=clusters")).await.is_refused_at(&["sort"]);
}

#[actix_web::test]
async fn a_tenants_user_reads_trade_dimensions_but_does_not_write_them() {
    let app = TestApp::new().await;
    let created = app.platform().await.post(PATH, beams("Träger")).await.is(201);
    let user = app.caller(Some(app.north), values::PermissionSet::all()).await;
    assert_eq!(user.get(&uri(&created)).await.is(200), created);
    assert_eq!(user.post(PATH, beams("X")).await.is(403)["code"], "platform_only");
    assert_eq!(user.put(&uri(&created), beams("X")).await.is(403)["code"], "platform_only");
    assert_eq!(user.delete(&uri(&created)).await.is(403)["code"], "platform_only");
}
