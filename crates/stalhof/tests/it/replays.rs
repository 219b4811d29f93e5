//! Rows that waited for a number are imported automatically once it is matched, over HTTP.

use logistics::permissions;
use std::time::Duration;

use background::Running;

use serde_json::{Value, json};

use crate::{
    catalog::id,
    imports::{IMPORTS, counts, ended},
    stocks::{self, Depot},
    support::{Client, Form, all_but},
    unresolved_numbers::PATH as NUMBERS,
};

const MATCHINGS: &str = "/api/admin/matchings";

async fn upload(client: &Client, r#type: &str, content: &str) -> Value {
    let form = Form::new().field("type", r#type).file("Bestand.csv", content);
    form.send(client, IMPORTS).await.is(201)
}

/// Imports a file of two rows with external numbers; no replays run meanwhile.
async fn waiting_file(depot: &Depot, uploader: &Client) -> Value {
    let workers = depot.catalog.app.workers().await;
    let file = "Externe Artikelnummer;Lager;Menge\r\n0815;DU;2\r\n4711;DU;3\r\n";
    let import = ended(uploader, &upload(uploader, "Stock", file).await).await;
    workers.end().await;
    assert_eq!((&import["rows_unresolved"], &import["status"]), (&json!(2), &json!("PartialSuccess")));
    import
}

/// Import that repeats rows of another, once it has ended.
async fn replayed(client: &Client, import: &Value) -> Value {
    for _ in 0..600 {
        let now = client.get(&format!("{IMPORTS}/{}", id(import))).await.is(200);
        if !now["replayed_by"].is_null() {
            return ended(client, &json!({ "id": now["replayed_by"] })).await;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    panic!("no rows are replayed");
}

async fn numbers(client: &Client) -> Vec<String> {
    let listed = client.get(&format!("{NUMBERS}?sort=number")).await.is(200);
    listed["data"].as_array().unwrap().iter().map(|row| row["number"].as_str().unwrap().to_owned()).collect()
}

async fn imports(client: &Client) -> Value {
    client.get(IMPORTS).await.is(200)["meta"]["total"].clone()
}

#[actix_web::test]
async fn waiting_rows_are_imported_automatically_after_a_call_or_a_file_matches_them() {
    let depot = Depot::new().await;
    let Depot { user, articles, catalog, .. } = &depot;
    let import = waiting_file(&depot, user).await;

    // a program creates the matching while nothing runs in the background: committed changes are found after
    // the start
    let matching = json!({ "article_id": articles[0]["id"], "external_article_number": "0815" });
    user.post(MATCHINGS, matching).await.is(201);
    assert_eq!(numbers(user).await, ["0815", "4711"]);
    let background: Running = catalog.app.background().await;
    let first = replayed(user, &import).await;
    assert_eq!((counts(&first), &first["replays"]), ([1, 0, 0, 0], &import["id"]));
    assert_eq!(first["replay_cause"], "automatic");
    assert_eq!(numbers(user).await, ["4711"]);

    // a file matches the other one
    let number = articles[1]["article_number"].as_str().unwrap();
    let file = format!("Artikelnummer;Externe Artikelnummer\r\n{number};4711\r\n");
    ended(user, &upload(user, "Matching", &file).await).await;
    let mut second = replayed(user, &import).await;
    while second["id"] == first["id"] {
        tokio::time::sleep(Duration::from_millis(20)).await;
        second = replayed(user, &import).await;
    }
    assert_eq!(counts(&second), [1, 0, 0, 0]);
    assert!(numbers(user).await.is_empty());
    let stocks = user.get(&format!("{}?sort=id", stocks::PATH)).await.is(200);
    let external: Vec<_> =
        stocks["data"].as_array().unwrap().iter().map(|row| &row["external_article_number"]).collect();
    assert_eq!(external, ["0815", "4711"]);

    // each row once: there are four imports, and no more follow
    assert_eq!(imports(user).await, 4);
    let matching = json!({ "article_id": articles[1]["id"], "external_article_number": "9999" });
    user.post(MATCHINGS, matching).await.is(201);
    tokio::time::sleep(Duration::from_secs(3)).await;
    assert_eq!(imports(user).await, 4);
    background.end().await;
}

#[actix_web::test]
async fn waiting_rows_are_imported_only_with_the_permissions_of_their_uploader() {
    let depot = Depot::new().await;
    let Depot { user, articles, catalog, .. } = &depot;
    let north = Some(catalog.app.north);
    let uploader = catalog.app.caller(north, all_but(permissions::CREATE_MATCHING)).await;
    let import = waiting_file(&depot, &uploader).await;
    let matching = json!({ "article_id": articles[0]["id"], "external_article_number": "0815" });
    let matching = user.post(MATCHINGS, matching).await.is(201);
    let waits = async || {
        let background = catalog.app.background().await;
        tokio::time::sleep(Duration::from_secs(1)).await;
        background.end().await;
        assert_eq!(
            (numbers(user).await, imports(user).await),
            (vec!["0815".into(), "4711".into()], json!(1))
        );
    };

    // the matching is deleted before a replay has run
    user.delete(&format!("{MATCHINGS}/{}", id(&matching))).await.is(204);
    waits().await;

    // the uploader is deleted; another user imports the rows
    let matching = json!({ "article_id": articles[0]["id"], "external_article_number": "0815" });
    user.post(MATCHINGS, matching).await.is(201);
    let me = id(&uploader.get("/api/users/me").await.is(200));
    catalog.app.disable(me).await;
    waits().await;
    let replay = user.post(&format!("{NUMBERS}/replay"), json!({})).await.is(200);
    let workers = catalog.app.workers().await;
    let replay = ended(user, &json!({ "id": replay["imports"][0] })).await;
    workers.end().await;
    assert_eq!((counts(&replay), &replay["replay_cause"]), ([1, 0, 0, 0], &json!("request")));
    assert_eq!(replay["replays"], import["id"]);
}
