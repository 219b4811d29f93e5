//! Lists of another system that are fetched and imported as a document.

use serde_json::{Value, json};
use values::PermissionSet;

use super::{
    PATH,
    erp_server::{ErpServer, json as answers, status},
    settings_of,
};
use crate::{
    catalog::{Catalog, id},
    imports::{counts, ended},
    support::Client,
};

const NUMBERS: &str = "/api/admin/unresolved-numbers";

async fn tenant(server: &ErpServer, lists: Value) -> (Catalog, Client, String) {
    let catalog = Catalog::new().await;
    let user = catalog.app.caller(Some(catalog.app.north), PermissionSet::all()).await;
    let (_, user) = catalog.app.with_secret_key(&user).await;
    let api = user.post(PATH, settings_of(server, json!({ "meta_data": lists }))).await.is(201);
    (catalog, user, format!("{PATH}/{}", id(&api)))
}

#[actix_web::test]
async fn paginated_lists_become_unresolved_numbers() {
    let server = ErpServer::start(|request| match request.target() {
        "GET /api/articles?size=2" => answers(&json!({
            "items": [{ "no": "4711", "text": "HEB 200" }, { "no": 4712 }], "next": "articles?page=2"
        })),
        "GET /api/articles?page=2" => {
            answers(&json!({ "items": [{ "no": "4713" }, { "text": "ohne Nummer" }], "next": null }))
        }
        "GET /api/sites" => answers(&json!([{ "id": "LG-3", "name": "Leipzig" }])),
        _ => status(404),
    })
    .await;
    let lists = json!({
        "articles": { "path": "articles?size=2", "list": "/items", "number": "/no", "name": "/text", "next_page": "/next" },
        "warehouses": { "path": "sites", "number": "/id", "name": "/name" },
    });
    let (catalog, user, api) = tenant(&server, lists).await;
    let workers = catalog.app.workers().await;
    let queued = user.post(&format!("{api}/import-meta-data"), json!({})).await.is(201);
    assert_eq!(
        (&queued["type"], &queued["upload_file"]),
        (&json!("ExternalApiMetaData"), &json!("127.9.9.9.json")),
        "{queued}"
    );
    let import = ended(&user, &queued).await;
    assert_eq!(counts(&import), [4, 0, 0, 1], "{import}");
    let listed = user.get(&format!("{NUMBERS}?sort=number")).await.is(200);
    let numbers: Vec<_> =
        listed["data"].as_array().unwrap().iter().map(|row| row["number"].as_str().unwrap()).collect();
    assert_eq!(numbers, ["4711", "4712", "4713", "LG-3"]);
    let calls = user.get(&format!("{api}/calls")).await.is(200);
    assert_eq!((&calls["data"][1]["purpose"], &calls["data"][1]["lines"]), (&json!("meta_data"), &json!(4)));
    workers.end().await;
}

#[actix_web::test]
async fn a_list_that_cannot_be_fetched_imports_nothing() {
    let server = ErpServer::start(|_| status(503)).await;
    let lists = json!({ "articles": { "path": "articles", "number": "/no" } });
    let (_catalog, user, api) = tenant(&server, lists).await;
    let refused = user.post(&format!("{api}/import-meta-data"), json!({})).await.is(422);
    assert_eq!(refused["code"], "api_down", "{refused}");
    assert_eq!(user.get("/api/admin/imports").await.is(200)["meta"]["total"], 0);
    let none = json!({ "meta_data": { "articles": null } });
    user.send(actix_web::http::Method::PATCH, &api, Some(none)).await.is(200);
    assert_eq!(
        user.post(&format!("{api}/import-meta-data"), json!({})).await.is(409)["code"],
        "api_no_lists"
    );
}
