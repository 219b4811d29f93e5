//! Unresolved numbers over HTTP.

use logistics::permissions;
use serde_json::{Value, json};
use values::PermissionSet;

use crate::{
    catalog::id,
    imports::{IMPORTS, counts, ended},
    stocks::{self, Depot},
    support::{Client, Form, TestApp, all_but},
};

pub(crate) const PATH: &str = "/api/admin/unresolved-numbers";

/// Uploads a file of stocks.
async fn upload(client: &Client, content: &str) -> Value {
    Form::new().field("type", "Stock").file("Bestand.csv", content).send(client, IMPORTS).await.is(201)
}

/// Creates an unresolved number for a tenant's user, from a file for one of their warehouses.
pub(crate) async fn unresolved(app: &TestApp, person: &Client, number: &str, place: &str) -> Value {
    let file = format!("Externe Artikelnummer;Lager;Menge\r\n{number};{place};1\r\n");
    let workers = app.workers().await;
    let import = upload(person, &file).await;
    ended(person, &import).await;
    workers.end().await;
    let found = person.get(&format!("{PATH}?filter[number_equals]={number}")).await.is(200);
    found["data"][0].clone()
}

#[actix_web::test]
async fn a_number_is_listed_with_suggestions_and_its_rows_imported_once_matched() {
    let depot = Depot::new().await;
    let Depot { user, articles, catalog, .. } = &depot;
    let number = articles[0]["article_number"].as_str().unwrap();
    let workers = catalog.app.workers().await;
    let file =
        format!("Externe Artikelnummer;Bezeichnung;Lager;Menge\r\n4711;{number};DU;2\r\n0815;;DU;1\r\n");
    let import = ended(user, &upload(user, &file).await).await;
    assert_eq!(import["rows_unresolved"], 2);

    let listed = user.get(&format!("{PATH}?sort=number")).await.is(200);
    let listed_numbers: Vec<_> =
        listed["data"].as_array().unwrap().iter().map(|row| (&row["number"], &row["waiting"])).collect();
    assert_eq!(listed_numbers, [(&json!("0815"), &json!(1)), (&json!("4711"), &json!(1))]);
    let row = &listed["data"][1];
    let uri = format!("{PATH}/{}", id(row));
    let shown = user.get(&uri).await.is(200);
    let suggested = &shown["suggestions"][0];
    assert_eq!((&suggested["id"], &suggested["reason"]), (&articles[0]["id"], &json!("designation")));

    // neither an article nor a warehouse
    user.post(&format!("{uri}/match"), json!({})).await.is_refused_at(&["article_id"]);
    let matched =
        user.post(&format!("{uri}/match"), json!({ "article_id": articles[0]["id"] })).await.is(200);
    let replayed = ended(user, &json!({ "id": matched["imports"][0] })).await;
    assert_eq!((counts(&replayed), &replayed["replays"]), ([1, 0, 0, 0], &import["id"]));
    let stocks = user.get(stocks::PATH).await.is(200);
    assert_eq!(stocks["data"][0]["external_article_number"], "4711");
    user.get(&uri).await.is(404);

    // matched by a file or a form, the rows wait for a user who imports them
    let matching = json!({ "article_id": articles[1]["id"], "external_article_number": "0815" });
    user.post("/api/admin/matchings", matching).await.is(201);
    let replay = user.post(&format!("{PATH}/replay"), json!({})).await.is(200);
    assert_eq!(counts(&ended(user, &json!({ "id": replay["imports"][0] })).await), [1, 0, 0, 0]);
    assert_eq!(user.post(&format!("{PATH}/replay"), json!({})).await.is(409)["code"], "nothing_waits");
    workers.end().await;
}

#[actix_web::test]
async fn suggestions_are_listed_and_accepted_together_and_undone() {
    let depot = Depot::new().await;
    let Depot { user, articles, catalog, .. } = &depot;
    let number = |at: usize| articles[at]["article_number"].as_str().unwrap().to_owned();
    let workers = catalog.app.workers().await;
    let file = format!(
        "Externe Artikelnummer;Bezeichnung;Lager;Menge\r\n4711;{};DU;2\r\n4712;{};DU;1\r\n0815;;DU;1\r\n",
        number(0),
        number(1)
    );
    let import = ended(user, &upload(user, &file).await).await;
    let listed = user.get(&format!("{PATH}/suggestions?sort=number")).await.is(200);
    let suggested: Vec<_> =
        listed["data"].as_array().unwrap().iter().map(|row| &row["suggestions"][0]["number"]).collect();
    assert_eq!(suggested, [&Value::Null, &json!(number(0)), &json!(number(1))]);

    let ids: Vec<i64> = listed["data"].as_array().unwrap().iter().map(id).collect();
    let all = json!({ "matches": [
        { "number_id": ids[1], "target": number(0) },
        { "number_id": ids[2], "target": number(1).to_lowercase() },
        { "number_id": ids[0], "target": "NIE" },
    ] });
    let reader = catalog.app.caller(Some(catalog.app.north), all_but(permissions::CREATE_MATCHING)).await;
    reader.post(&format!("{PATH}/bulk-match"), all.clone()).await.is(403);
    let answer = user.post(&format!("{PATH}/bulk-match"), all.clone()).await;
    let request = answer.header("x-request-id").to_owned();
    let matched = answer.is(200);
    assert_eq!((&matched["done"], &matched["refused"][0]["name"]), (&json!(2), &json!("0815")), "{matched}");
    // one import contains both rows
    assert_eq!(matched["imports"].as_array().map(Vec::len), Some(1));
    let replayed = ended(user, &json!({ "id": matched["imports"][0] })).await;
    assert_eq!((counts(&replayed), &replayed["replays"]), ([2, 0, 0, 0], &import["id"]));
    // two of them no longer exist
    assert_eq!(user.post(&format!("{PATH}/bulk-match"), all).await.is(409)["code"], "selection_changed");
    workers.end().await;

    let deletes = json!({ "records": 2, "prices": 0 });
    let undo = json!({ "request_id": request, "deletes": deletes });
    assert_eq!(user.post("/api/admin/audit/undo", undo).await.is(200)["done"], 2);
    assert_eq!(user.get("/api/admin/matchings").await.is(200)["meta"]["total"], 0);
}

#[actix_web::test]
async fn numbers_are_ignored_together_and_only_with_the_permission() {
    let depot = Depot::new().await;
    let Depot { user, catalog, .. } = &depot;
    let row = unresolved(&catalog.app, user, "X-1", "DU").await;
    let north = Some(catalog.app.north);
    let change = |ignored: bool| json!({ "selection": { "ids": [row["id"]], "count": 1 }, "change": { "field": "ignored", "value": ignored } });
    let reader = catalog.app.caller(north, all_but(permissions::UPDATE_MATCHING)).await;
    reader.post(&format!("{PATH}/bulk-change"), change(true)).await.is(403);
    assert_eq!(user.post(&format!("{PATH}/bulk-change"), change(true)).await.is(200)["done"], 1);
    assert_eq!(user.get(&format!("{PATH}/{}", row["id"])).await.is(200)["state"], "ignored");
    assert_eq!(user.post(&format!("{PATH}/bulk-change"), change(false)).await.is(200)["done"], 1);
    assert_eq!(user.get(&format!("{PATH}?filter[state]=open")).await.is(200)["meta"]["total"], 1);

    let other = catalog.app.caller(Some(catalog.app.south), PermissionSet::all()).await;
    assert_eq!(other.get(PATH).await.is(200)["meta"]["total"], 0);
    other.get(&format!("{PATH}/{}", row["id"])).await.is(404);
}
