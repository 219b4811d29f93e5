//! Single calls by programs: versions as headers, the paths of new records, and idempotency keys.

use actix_web::http::Method;
use serde_json::{Value, json};
use values::PermissionSet;

use crate::{
    catalog::id,
    support::{Answer, Client, TestApp},
};

const MATERIALS: &str = "/api/admin/materials";

fn material(name: &str, density: &str) -> Value {
    json!({ "name": name, "density": density })
}

async fn send(client: &Client, method: Method, uri: &str, header: (&str, &str), body: &Value) -> Answer {
    client.call(client.request(method, uri).insert_header(header).set_json(body)).await
}

#[actix_web::test]
async fn a_record_has_an_etag_that_guards_changes_and_deletion() {
    let app = TestApp::new().await;
    let admin = app.platform().await;
    let created = admin.post(MATERIALS, material("S355J2", "7.85")).await;
    let uri = format!("{MATERIALS}/{}", id(&created.is(201)));
    assert_eq!(created.header("location"), uri);
    let shown = admin.get(&uri).await;
    assert_eq!(shown.header("etag"), "\"1\"");
    assert_eq!(admin.get(MATERIALS).await.header("etag"), "", "a list has no version");

    let changed =
        send(&admin, Method::PATCH, &uri, ("if-match", "\"1\""), &json!({ "density": "7.9" })).await;
    assert_eq!((changed.is(200)["version"].clone(), changed.header("etag")), (json!(2), "\"2\""));
    for (method, body) in [(Method::PATCH, json!({ "density": "8" })), (Method::PUT, material("S355J2", "8"))]
    {
        let stale = send(&admin, method, &uri, ("if-match", "\"1\""), &body).await.is(409);
        assert_eq!((&stale["code"], &stale["current"]["version"]), (&json!("stale"), &json!(2)));
        assert_eq!(stale["current"]["density"], "7.9");
    }
    let mut read = admin.get(&uri).await.is(200);
    read["version"] = 1.into();
    assert_eq!(send(&admin, Method::PUT, &uri, ("if-match", "\"2\""), &read).await.is(409)["code"], "stale");
    for wrong in ["2", "\"x\"", "\"1\", \"2\"", "W/\"2\""] {
        let refused = send(&admin, Method::PUT, &uri, ("if-match", wrong), &material("S355J2", "8")).await;
        assert_eq!(refused.is(422)["error_codes"], json!({ "If-Match": ["invalid_parameter"] }), "{wrong}");
    }
    send(&admin, Method::PUT, &uri, ("if-match", "*"), &material("S355J2", "8")).await.is(200);

    let delete =
        async |tag| admin.call(admin.request(Method::DELETE, &uri).insert_header(("if-match", tag))).await;
    assert_eq!(delete("\"2\"").await.is(409)["code"], "stale");
    delete("\"3\"").await.is(204);
}

#[actix_web::test]
async fn a_post_with_an_idempotency_key_is_executed_once_and_answered_again() {
    let app = TestApp::new().await;
    let admin = app.platform().await;
    let post = async |key, uri: &str, body: Value| {
        send(&admin, Method::POST, uri, ("idempotency-key", key), &body).await
    };
    let first = post("m-1", MATERIALS, material("S355J2", "7.85")).await;
    assert_eq!((first.is(201)["name"].clone(), first.header("idempotent-replayed")), (json!("S355J2"), ""));
    let again = post("m-1", MATERIALS, material("S355J2", "7.85")).await;
    again.is(201);
    assert_eq!((&again.bytes, again.header("idempotent-replayed")), (&first.bytes, "true"));
    assert_eq!(again.header("location"), first.header("location"));
    assert_eq!(admin.get(MATERIALS).await.is(200)["meta"]["total"], 1);

    // a different call, and another user
    assert_eq!(post("m-1", MATERIALS, material("S460", "7.85")).await.is(422)["code"], "key_reused");
    let other = app.caller(None, PermissionSet::all()).await;
    send(&other, Method::POST, MATERIALS, ("idempotency-key", "m-1"), &material("S460", "7.85"))
        .await
        .is(201);

    // a refused call leaves the key unused, and so does one that changes nothing
    post("m-2", MATERIALS, material("s355j2", "7.85")).await.is(422);
    post("m-2", MATERIALS, material("S690", "7.85")).await.is(201);
    let fault = post("", MATERIALS, material("S960", "7.85")).await.is(422);
    assert_eq!(fault["error_codes"], json!({ "Idempotency-Key": ["required"] }));

    // many records are deleted in several transactions, but only once
    let ids: Vec<Value> = admin.get(MATERIALS).await.is(200)["data"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| row["id"].clone())
        .collect();
    let selection = json!({ "ids": ids, "count": ids.len() });
    let bulk = format!("{MATERIALS}/bulk-delete");
    let deleted = post("m-3", &bulk, selection.clone()).await;
    let repeated = post("m-3", &bulk, selection).await;
    assert_eq!((repeated.is(200), repeated.header("idempotent-replayed")), (deleted.is(200), "true"));
    assert_eq!(admin.get(MATERIALS).await.is(200)["meta"]["total"], 0);
}

/// A second attempt finds the key unused, and then the result of the first one.
#[actix_web::test]
async fn concurrent_attempts_with_an_idempotency_key_are_answered_alike() {
    let app = TestApp::new().await;
    let admin = app.platform().await;
    for round in 0..6 {
        let (key, body) = (format!("a-{round}"), material(&format!("S{round}"), "7.85"));
        let attempts =
            (0..4).map(|_| send(&admin, Method::POST, MATERIALS, ("idempotency-key", &key), &body));
        let answers = futures_util::future::join_all(attempts).await;
        for answer in &answers {
            answer.is(201);
        }
        let replayed = answers.iter().filter(|answer| answer.header("idempotent-replayed") == "true").count();
        assert_eq!(replayed, 3);
    }
    assert_eq!(admin.get(MATERIALS).await.is(200)["meta"]["total"], 6);
}

#[actix_web::test]
async fn the_secret_of_a_token_is_not_stored_with_an_idempotency_key() {
    let app = TestApp::new().await;
    let admin = app.platform().await;
    let body = json!({ "name": "ERP", "abilities": ["access-admin"] });
    let post =
        async || send(&admin, Method::POST, "/api/admin/tokens", ("idempotency-key", "t"), &body).await;
    let issued = post().await;
    let path = format!("/api/admin/tokens/{}", issued.is(201)["token"]["id"]);
    assert_eq!(issued.header("location"), path);
    assert_eq!(post().await.is(409)["code"], "already_done");
    assert_eq!(admin.get("/api/admin/tokens").await.is(200)["meta"]["total"], 1);
}

#[actix_web::test]
async fn null_in_place_of_a_required_value_is_reported_as_required() {
    let app = TestApp::new().await;
    let admin = app.platform().await;
    let refused = admin.post("/api/admin/closures", json!({ "date": null, "name": "x" })).await.is(422);
    assert_eq!(refused["error_codes"]["date"], json!(["required"]));
}
