//! Documents of another system, over HTTP.

use serde_json::{Value, json};
use values::PermissionSet;

use crate::{
    imports::{IMPORTS, counts, ended},
    stocks::Depot,
    support::{Form, all_but},
};

const NUMBERS: &str = "/api/admin/unresolved-numbers";

fn upload(name: &str, document: &Value) -> Form {
    Form::new().field("type", "ExternalApiMetaData").file(name, document.to_string())
}

#[actix_web::test]
async fn a_document_yields_candidates_to_match_and_its_errors_can_be_corrected() {
    let depot = Depot::new().await;
    let Depot { user, articles, catalog, .. } = &depot;
    let name = &articles[0]["article_number"];
    let workers = catalog.app.workers().await;
    let document = json!({
        "articles": [{ "number": "0004711", "name": name }, { "number": 4712, "name": "x" }],
        "warehouses": [{ "identifier": "LG-3" }],
        "tenants": [{ "identifier": "1000" }],
    });
    let queued = upload("Stamm.json", &document).send(user, IMPORTS).await.is(201);
    let import = ended(user, &queued).await;
    assert_eq!(counts(&import), [3, 0, 0, 1], "{import}");
    let errors = user.get(&format!("{IMPORTS}/{}/errors", import["id"])).await.is(200);
    assert_eq!(errors["data"][0]["errors"][0]["column"], "articles.1.number", "{errors}");
    let file = user.get(&format!("{IMPORTS}/{}/error-file", import["id"])).await;
    assert_eq!(file.headers.get("content-type").unwrap(), "application/json");
    let file: Value = serde_json::from_slice(&file.bytes).unwrap();
    assert_eq!(file["articles"][0]["number"], 4712);

    let listed = user.get(&format!("{NUMBERS}?sort=number")).await.is(200);
    let reported: Vec<_> =
        listed["data"].as_array().unwrap().iter().map(|row| (&row["number"], &row["kind"])).collect();
    let expected = [("1000", "tenant"), ("0004711", "article"), ("LG-3", "warehouse")]
        .map(|(n, k)| (json!(n), json!(k)));
    assert_eq!(reported, expected.each_ref().map(|(number, kind)| (number, kind)));
    let [tenant, article] = [&listed["data"][0], &listed["data"][1]];
    assert_eq!((&article["times"], &article["waiting"]), (&json!(0), &json!(0)));
    let shown = user.get(&format!("{NUMBERS}/{}", article["id"])).await.is(200);
    assert_eq!(shown["suggestions"][0]["id"], articles[0]["id"]);
    let attention = user.get("/api/admin/attention").await.is(200);
    let open = attention["data"]
        .as_array()
        .unwrap()
        .iter()
        .find(|reported| reported["about"] == "open_numbers")
        .unwrap();
    assert_eq!(open["count"], 0, "they have not occurred in a file yet");

    let uri = format!("{NUMBERS}/{}/match", article["id"]);
    let matched = user.post(&uri, json!({ "article_id": articles[0]["id"] })).await.is(200);
    assert_eq!(matched["imports"], json!([]));
    let uri = format!("{NUMBERS}/{}/match", tenant["id"]);
    user.post(&uri, json!({})).await.is_refused_at(&["tenant_id"]);
    user.post(&uri, json!({ "tenant_id": catalog.app.south })).await.is_refused_at(&["tenant_id"]);
    user.post(&uri, json!({ "tenant_id": catalog.app.north })).await.is(200);
    assert_eq!(user.get(NUMBERS).await.is(200)["meta"]["total"], 1);

    // a matching created elsewhere also removes its number from the list
    let warehouse = user.get("/api/admin/warehouses").await.is(200)["data"][0]["id"].clone();
    let place = json!({ "warehouse_id": warehouse, "external_warehouse_identifier": "lg-3" });
    user.post("/api/admin/matchings", place).await.is(201);
    assert_eq!(user.get(NUMBERS).await.is(200)["meta"]["total"], 0);
    workers.end().await;
}

#[actix_web::test]
async fn only_users_who_configure_external_apis_can_upload_a_document() {
    let depot = Depot::new().await;
    let app = &depot.catalog.app;
    let document = json!({ "articles": [{ "number": "1" }] });
    let other = app.caller(Some(app.north), all_but(feeds::permissions::CONFIGURE_EXTERNAL_API)).await;
    upload("a.json", &document).send(&other, IMPORTS).await.is(403);
    let only = PermissionSet::from_iter([
        values::permissions::ACCESS_ADMIN,
        imports::permissions::CREATE_IMPORT,
        imports::permissions::VIEW_IMPORT,
        feeds::permissions::CONFIGURE_EXTERNAL_API,
    ]);
    let only = app.caller(Some(app.north), only).await;
    upload("a.json", &document).send(&only, IMPORTS).await.is(201);
}
