//! Import profiles over HTTP: saved, applied to files, transferred by a file, rejected if they do not fit;
//! and their owners.

use actix_web::http::Method;
use serde_json::{Value, json};
use values::PermissionSet;

use crate::{
    catalog::id,
    exports::lines,
    imports::{IMPORTS, ended},
    stocks::{self, Depot},
    support::{Answer, Client, Form, all_but},
};

const PATH: &str = "/api/admin/import-profiles";
const AUDIT: &str = "/api/admin/audit";

/// Profile for files of a supplier whose headings are not recognised and that have no warehouse.
fn supplier(name: &str) -> Value {
    json!({
        "name": name,
        "type": "Stock",
        "settings": { "decimal_sign": ".", "constants": [{ "field": "warehouse", "value": "DU" }] },
        "mapping": [
            { "column": "Teil", "field": "article_number" },
            { "column": "Vorrat", "field": "quantity" },
            { "column": "Farbe", "field": null },
        ],
    })
}

fn file(article: &str, quantity: &str) -> String {
    format!("Teil;Vorrat;Farbe\r\n{article};{quantity};rot\r\n")
}

async fn inspect(client: &Client, profile: &Value, r#type: &str, content: &str) -> Answer {
    let form = Form::new().field("type", r#type).field("profile_id", &profile.to_string());
    form.file("Liste.csv", content).send(client, &format!("{IMPORTS}/inspect")).await
}

async fn undo(client: &Client, answer: &Answer) {
    let request = json!({ "request_id": answer.header("x-request-id") });
    assert_eq!(client.post(&format!("{AUDIT}/undo"), request).await.is(200)["done"], 1);
}

fn number(article: &Value) -> &str {
    article["article_number"].as_str().unwrap()
}

#[actix_web::test]
async fn a_profile_is_created_shown_changed_and_deleted_and_each_is_undone() {
    let Depot { catalog, user, .. } = Depot::new().await;
    let made = user.post(PATH, supplier("Werk Nord")).await.is(201);
    assert_eq!(made["settings"], supplier("")["settings"]);
    assert_eq!(made["mapping"], supplier("")["mapping"]);
    assert_eq!(made["tenant"], json!({ "id": catalog.app.north, "short_code": "NORD" }));
    let uri = format!("{PATH}/{}", id(&made));
    assert_eq!(user.get(&uri).await.is(200), made);

    let mut back = made.clone();
    back["settings"]["constants"][0]["value"] = "L".into();
    let answer = user.put(&uri, back.clone()).await;
    assert_eq!(answer.is(200)["settings"]["constants"][0]["value"], "L");
    assert_eq!(user.put(&uri, back).await.is(409)["code"], "stale");
    undo(&user, &answer).await;
    assert_eq!(user.get(&uri).await.is(200)["settings"], made["settings"]);
    let renamed = user.send(Method::PATCH, &uri, Some(json!({ "name": "Werk Süd" }))).await;
    assert_eq!(
        (&renamed.is(200)["name"], &renamed.is(200)["mapping"]),
        (&json!("Werk Süd"), &made["mapping"])
    );

    assert_eq!(user.get(&format!("{uri}/usage")).await.is(200), json!({ "data": [] }));
    let gone = user.delete(&uri).await;
    gone.is(204);
    user.get(&uri).await.is(404);
    undo(&user, &gone).await;
    let listed = user.get(&format!("{PATH}?filter[type]=Stock&filter[name]=werk")).await.is(200);
    assert_eq!(listed["meta"]["total"], 1);
    assert_eq!(listed["data"][0]["mapping"], made["mapping"]);
    let export = lines(&user.german().get(&format!("{PATH}/export?format=csv")).await);
    assert!(export[1].starts_with("Werk Süd;Bestände;3;1;"), "{export:?}");
}

#[actix_web::test]
async fn errors_of_a_profile_are_reported_at_their_fields() {
    let Depot { catalog: _catalog, user, .. } = Depot::new().await;
    user.post(PATH, supplier("Werk Nord")).await.is(201);
    let refused = async |change: Value, at: &[&str]| {
        let mut input = supplier("Anderes");
        input.as_object_mut().unwrap().extend(change.as_object().unwrap().clone());
        user.post(PATH, input).await.is_refused_at(at);
    };
    refused(json!({ "name": "werk nord" }), &["name"]).await;
    refused(json!({ "type": "ExternalApiMetaData", "settings": {}, "mapping": [] }), &["type"]).await;
    refused(json!({ "mapping": [{ "column": "x", "field": "colour" }] }), &["mapping.0.field"]).await;
    refused(
        json!({ "mapping": [{ "column": "x", "field": "warehouse", "unit": "kg" }] }),
        &["mapping.0.unit"],
    )
    .await;
    refused(json!({ "mapping": [{ "column": "x\u{0}", "field": null }] }), &["mapping.0.column"]).await;
    let twice = json!([{ "column": "x", "field": "quantity" }, { "column": "y", "field": "quantity" }]);
    refused(json!({ "mapping": twice }), &["mapping.1.field"]).await;
    let much: Vec<Value> = (0..551).map(|at| json!({ "column": at.to_string(), "field": null })).collect();
    refused(json!({ "mapping": much }), &["mapping"]).await;
    refused(json!({ "settings": { "header_line": 0 } }), &["settings.header_line"]).await;
    refused(json!({ "settings": { "sheet": "x".repeat(256) } }), &["settings.sheet"]).await;
    refused(json!({ "settings": { "encoding": "EBCDIC" } }), &["settings.encoding"]).await;
    let blank = json!([{ "field": "warehouse", "value": " " }, { "field": "colour", "value": "x" }]);
    let at = ["settings.constants.0.value", "settings.constants.1.field"];
    refused(json!({ "settings": { "constants": blank } }), &at).await;
    refused(
        json!({ "type": "Price", "settings": { "sum_rows": true }, "mapping": [] }),
        &["settings.sum_rows"],
    )
    .await;

    let profile = user.get(PATH).await.is(200)["data"][0].clone();
    let mut other = supplier("Werk Nord");
    other["type"] = "Listing".into();
    let answer = user.put(&format!("{PATH}/{}", id(&profile)), other).await;
    answer.is_refused_at(&["type"]);
    assert_eq!(answer.is(422)["error_codes"]["type"], json!(["import_type_fixed"]));
}

#[actix_web::test]
async fn a_profile_reads_files_and_reports_missing_columns() {
    let Depot { catalog, user, articles, .. } = Depot::new().await;
    let workers = catalog.app.workers().await;
    let client = user.german();
    let article = number(&articles[0]);
    let profile = client.post(PATH, supplier("Werk Nord")).await.is(201);

    let found = inspect(&client, &profile["id"], "Stock", &file(article, "1.234")).await.is(200);
    let read: Vec<&Value> =
        found["columns"].as_array().unwrap().iter().map(|column| &column["field"]).collect();
    assert_eq!(json!(read), json!(["article_number", "quantity", null]));
    assert_eq!((&found["decimal_sign"], &found["problems"]), (&json!("."), &json!([])));
    assert_eq!(found["profile"]["settings"], profile["settings"]);
    assert_eq!(found["profile"]["missing_columns"], json!([]));
    assert_eq!(found["remembered"], Value::Null);

    let other = format!("Teil;Bestand\r\n{article};7\r\n");
    let found = inspect(&client, &profile["id"], "Stock", &other).await.is(200);
    assert_eq!(found["profile"]["missing_columns"], json!(["Vorrat", "Farbe"]));
    assert_eq!(found["columns"][0]["field"], "article_number", "what is there counts");
    inspect(&client, &profile["id"], "Price", &other).await.is_refused_at(&["profile_id"]);
    inspect(&client, &json!(999_999), "Stock", &other).await.is_refused_at(&["profile_id"]);

    let upload = |content: String| {
        let form = Form::new().field("type", "Stock").field("profile_id", &profile["id"].to_string());
        form.file("Liste.csv", content)
    };
    let done = ended(&client, &upload(file(article, "1.234")).send(&client, IMPORTS).await.is(201)).await;
    assert_eq!(done["status"], "Success", "{done}");
    assert_eq!(client.get(stocks::PATH).await.is(200)["data"][0]["quantity"], "1.234");
    let again = ended(&client, &upload(file(article, "2.5")).send(&client, IMPORTS).await.is(201)).await;
    assert_eq!((&again["status"], &again["rows_updated"]), (&json!("Success"), &json!(1)));
    upload(other).send(&client, IMPORTS).await.is_refused_at(&["mapping.1.column", "mapping.2.column"]);

    // the other choices of the last import of such a file are offered without the profile
    let form = Form::new().field("type", "Stock").file("Liste.csv", file(article, "3"));
    let found = form.send(&client, &format!("{IMPORTS}/inspect")).await.is(200);
    assert_eq!(found["remembered"]["constants"], profile["settings"]["constants"]);
    assert_eq!(found["problems"][0]["code"], "column_missing", "it is not assumed: {}", found["problems"]);
    workers.end().await;
}

#[actix_web::test]
async fn a_file_of_profiles_is_saved_completely_or_not_at_all() {
    let Depot { catalog, user, .. } = Depot::new().await;
    let import = format!("{PATH}/import");
    let file = json!({ "profiles": [supplier("Nord"), supplier("Süd")] });
    let saved = user.post(&import, file.clone()).await;
    assert_eq!(saved.is(200), json!({ "created": 2, "replaced": 0 }));
    user.post(&import, file.clone()).await.is_refused_at(&["profiles.0.name", "profiles.1.name"]);

    let mut changed = json!({ "profiles": [supplier("nord"), supplier("West")], "replace": true });
    changed["profiles"][0]["mapping"] = json!([]);
    assert_eq!(user.post(&import, changed).await.is(200), json!({ "created": 1, "replaced": 1 }));
    let listed = user.get(&format!("{PATH}?sort=name")).await.is(200);
    let names: Vec<&Value> = listed["data"].as_array().unwrap().iter().map(|row| &row["name"]).collect();
    assert_eq!(json!(names), json!(["nord", "Süd", "West"]));
    assert_eq!(listed["data"][0]["mapping"], json!([]));

    // one invalid profile rejects all of them, and each error names its field
    let mut wrong = json!({ "profiles": [supplier("Ost"), supplier("Ost"), supplier("Mitte")] });
    wrong["profiles"][2]["mapping"][0]["field"] = "colour".into();
    user.post(&import, wrong).await.is_refused_at(&["profiles.1.name", "profiles.2.mapping.0.field"]);
    let other = json!({ "profiles": [supplier("Ost"), { "name": "Süd", "type": "Price", "settings": {}, "mapping": [] }], "replace": true });
    user.post(&import, other).await.is_refused_at(&["profiles.1.type"]);
    let mut outdated = json!({ "profiles": [supplier("West"), supplier("nord")], "replace": true });
    outdated["profiles"][1]["version"] = 1.into();
    user.post(&import, outdated).await.is_refused_at(&["profiles.1.version"]);
    assert_eq!(user.get(PATH).await.is(200)["meta"]["total"], 3);

    // contents of a malicious file
    for (body, at) in [
        (json!({ "profiles": [] }), "profiles"),
        (json!({ "profiles": vec![supplier("x"); 201] }), "profiles"),
        (json!({ "profiles": [supplier(&"x".repeat(256))] }), "profiles.0.name"),
        (json!({ "profiles": [supplier("a\u{0}b")] }), "profiles.0.name"),
    ] {
        user.post(&import, body).await.is_refused_at(&[at]);
    }
    for body in [json!({ "profiles": 1 }), json!({ "profiles": [{ "name": "x" }] }), json!([])] {
        assert!(user.post(&import, body).await.status.is_client_error());
    }
    let many: Vec<Value> = (0..198).map(|at| supplier(&format!("Nummer {at}"))).collect();
    let answer = user.post(&import, json!({ "profiles": many })).await;
    assert_eq!(answer.is(422)["code"], "too_many", "three are there, and 200 are the most");
    // another tenant has profiles of its own
    let south = catalog.app.caller(Some(catalog.app.south), PermissionSet::all()).await;
    assert_eq!(south.post(&import, file).await.is(200)["created"], 2);
}

#[actix_web::test]
async fn a_profile_needs_the_permissions_of_its_import_type_and_belongs_to_a_tenant() {
    let Depot { catalog, user, .. } = Depot::new().await;
    let app = &catalog.app;
    let made = user.post(PATH, supplier("Werk Nord")).await.is(201);
    let uri = format!("{PATH}/{}", id(&made));
    let south = app.caller(Some(app.south), PermissionSet::all()).await;
    for refused in [south.get(&uri).await, south.put(&uri, supplier("x")).await, south.delete(&uri).await] {
        refused.is(404);
    }
    assert_eq!(south.get(PATH).await.is(200)["meta"]["total"], 0);
    inspect(&south, &made["id"], "Stock", &file("x", "1")).await.is_refused_at(&["profile_id"]);
    let form = Form::new().field("type", "Stock").field("profile_id", &made["id"].to_string());
    form.file("x.csv", file("x", "1")).send(&south, IMPORTS).await.is_refused_at(&["profile_id"]);
    assert_eq!(catalog.admin.get(PATH).await.is(422)["code"], "tenant_required");

    let clerk = app.caller(Some(app.north), all_but(logistics::permissions::UPDATE_STOCK)).await;
    clerk.get(&uri).await.is(200);
    clerk.post(PATH, supplier("x")).await.is(403);
    clerk.post(&format!("{PATH}/import"), json!({ "profiles": [supplier("x")] })).await.is(403);
    clerk.put(&uri, supplier("x")).await.is(403);
    clerk.delete(&uri).await.is(403);

    // constants are data: those with prices are shown only to users who may see prices
    let prices = json!({ "name": "Preise", "type": "Price", "settings": { "constants": [{ "field": "price", "value": "9" }] }, "mapping": [] });
    let prices = user.post(PATH, prices).await.is(201);
    let blind = app.caller(Some(app.north), all_but(pricing::permissions::VIEW_PRICE)).await;
    assert_eq!(blind.get(PATH).await.is(200)["meta"]["total"], 1);
    blind.get(&format!("{PATH}/{}", id(&prices))).await.is(404);
    blind.post(PATH, supplier("preise")).await.is_refused_at(&["name"]);
}
