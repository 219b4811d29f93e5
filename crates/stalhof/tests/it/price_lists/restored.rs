//! Deletion of a list needs confirmation, and its undo restores the prices; one price of a save can be undone
//! alone.

use serde_json::{Value, json};

use super::{
    PATH, after,
    prices::{costs, listed, price, put},
};
use crate::{
    catalog::id,
    stocks::Depot,
    support::{Answer, Client},
};

const AUDIT: &str = "/api/admin/audit";

/// Entries of a list, newest first.
async fn history(user: &Client, list: i64) -> Vec<Value> {
    let uri = format!("{AUDIT}?filter[record]=price_list&filter[record_id]={list}");
    user.get(&uri).await.is(200)["data"].as_array().unwrap().clone()
}

async fn undo_entry(user: &Client, entry: &Value, said: Value) -> Answer {
    user.post(&format!("{AUDIT}/{}/undo", entry["id"]), said).await
}

/// List with two prices.
async fn filled(depot: &Depot) -> (i64, String) {
    let (list, uri) = listed(depot, "Verkauf").await;
    let [first, second] = [0, 1].map(|article| depot.articles[article]["id"].clone());
    let prices = json!([
        { "article_id": first, "price": price("850", "1", "t") },
        { "article_id": second, "price": price("10", "1", "m") },
    ]);
    put(&depot.user, &uri, prices).await;
    (list, uri)
}

#[actix_web::test]
async fn the_creation_of_a_list_cannot_be_undone_once_it_has_had_prices() {
    let depot = Depot::new().await;
    let user = &depot.user;
    let (empty, uri) = listed(&depot, "Leer").await;
    let created = history(user, empty).await.remove(0);
    assert_eq!(created["undoable"], true);
    let before = user.get(&format!("{PATH}/{empty}")).await.is(200);
    let article = depot.articles[0]["id"].clone();
    put(user, &uri, json!([{ "article_id": article, "price": price("850", "1", "t") }])).await;
    let after = user.get(&format!("{PATH}/{empty}")).await.is(200);
    assert_ne!(after["updated_at"], before["updated_at"], "its prices change its date");
    assert_eq!(after["version"], before["version"], "does not conflict with an edit");
    assert_eq!(history(user, empty).await[0]["undoable"], false);
    let refused = undo_entry(&user.german(), &created, json!({})).await.is(409);
    assert_eq!(refused["code"], "changed_since");
    assert!(refused["message"].as_str().unwrap().contains("Preise"), "{refused}");
    // even if they have been removed again
    put(user, &uri, json!([{ "article_id": article }])).await;
    assert_eq!(history(user, empty).await[0]["undoable"], false);
    user.get(&format!("{PATH}/{empty}")).await.is(200);
}

#[actix_web::test]
async fn undoing_the_creation_of_a_list_needs_a_confirmed_price_count() {
    let depot = Depot::new().await;
    let user = &depot.user;
    let (list, _) = filled(&depot).await;
    let copy = json!({ "name": "Kopie", "valid_from": after(7200) });
    let copy = id(&user.post(&format!("{PATH}/{list}/copy"), copy).await.is(201)["price_list"]);
    let uri = format!("{PATH}/{copy}");
    let prices = format!("{uri}/prices?sort=id");
    let rows = user.get(&prices).await.is(200)["data"].clone();
    let created = history(user, copy).await.remove(0);
    assert_eq!(created["undoable"], true);

    let deletes = json!({ "records": 1, "prices": 2 });
    for said in [
        json!({}),
        json!({ "deletes": { "records": 1 } }),
        json!({ "deletes": { "records": 1, "prices": 3 } }),
    ] {
        let asked = undo_entry(user, &created, said).await.is(200);
        assert_eq!((&asked["done"], &asked["asks_for_deletions"]), (&json!(0), &deletes));
        user.get(&uri).await.is(200);
    }
    let undone = undo_entry(user, &created, json!({ "deletes": deletes })).await;
    assert_eq!(undone.is(200)["done"], 1);
    user.get(&uri).await.is(404);

    let deleted = history(user, copy).await.remove(0);
    assert_eq!((&deleted["action"], &deleted["undoable"]), (&json!("deleted"), &json!(true)));
    assert!(
        deleted["changes"]
            .as_array()
            .unwrap()
            .iter()
            .any(|change| { (&change["field"], &change["from"]) == (&json!("price_count"), &json!(2)) })
    );
    assert_eq!(undo_entry(user, &deleted, json!({})).await.is(200)["done"], 1);
    assert_eq!(user.get(&uri).await.is(200)["price_count"], 2);
    let back = user.get(&prices).await.is(200)["data"].clone();
    for row in 0..2 {
        for field in ["id", "article", "price", "bulk_prices"] {
            assert_eq!(back[row][field], rows[row][field], "{field}");
        }
    }
    assert_eq!(undo_entry(user, &deleted, json!({})).await.is(409)["code"], "already_undone");
}

#[actix_web::test]
async fn a_deleted_list_is_restored_with_all_of_its_prices() {
    let depot = Depot::new().await;
    let user = &depot.user;
    let (list, uri) = filled(&depot).await;
    let kept = user.get(&format!("{uri}?filter[article_id]={}", depot.articles[0]["id"])).await.is(200);
    let deleted = user.delete(&format!("{PATH}/{list}")).await;
    deleted.is(204);
    // an article deleted meanwhile has no price
    depot
        .catalog
        .admin
        .delete(&format!(
            "/api/admin/articles/{}?confirm={}",
            depot.articles[1]["id"],
            depot.articles[1]["article_number"].as_str().unwrap()
        ))
        .await
        .is(204);
    let request = json!({ "request_id": deleted.header("x-request-id") });
    assert_eq!(user.post(&format!("{AUDIT}/undo"), request).await.is(200)["done"], 1);
    assert_eq!(costs(user, &uri).await, ["850"]);
    assert_eq!(user.get(&uri).await.is(200)["data"][0]["id"], kept["data"][0]["id"]);
    assert_eq!(user.get(&format!("{PATH}/{list}")).await.is(200)["price_count"], 1);
    // earlier changes of a price can still be undone
    put(user, &uri, json!([{ "article_id": depot.articles[0]["id"], "price": price("860", "1", "t") }]))
        .await;
    assert_eq!(costs(user, &uri).await, ["860"]);
}

#[actix_web::test]
async fn one_price_of_a_save_can_be_undone_alone() {
    let depot = Depot::new().await;
    let user = &depot.user;
    let (_, uri) = filled(&depot).await;
    let [first, second] = [0, 1].map(|article| depot.articles[article]["id"].clone());
    let raised = json!({ "prices": [
        { "article_id": first, "price": price("860", "1", "t") },
        { "article_id": second, "price": price("11", "1", "m") },
    ] });
    let raised = user.put(&uri, raised).await;
    let row = id(&raised.is(200)["data"][0]);
    let entries = format!("{AUDIT}?filter[record]=price_list_entry&filter[record_id]={row}");
    let entry = user.get(&entries).await.is(200)["data"][0].clone();
    assert_eq!(undo_entry(user, &entry, json!({})).await.is(200)["done"], 1);
    assert_eq!(costs(user, &uri).await, ["850", "11"]);
    let all = json!({ "request_id": raised.header("x-request-id") });
    assert_eq!(user.post(&format!("{AUDIT}/undo"), all).await.is(200)["done"], 1, "the other one");
    assert_eq!(costs(user, &uri).await, ["850", "10"]);
}

#[actix_web::test]
async fn prices_under_review_survive_a_bulk_change_unless_they_are_discarded() {
    let depot = Depot::new().await;
    let user = &depot.user;
    let (list, uri) = listed(&depot, "Verkauf").await;
    let [first, second] = [0, 1].map(|article| depot.articles[article]["id"].clone());
    put(user, &uri, json!([{ "article_id": first, "price": price("850", "1", "t") }])).await;
    // ten times as much is put under review, and so is the first price of an article without one
    put(user, &uri, json!([{ "article_id": first, "price": price("8500", "1", "t") }])).await;
    let jump = json!([{ "article_id": second, "price": price("1000", "1", "m") }]);
    put(user, &uri, jump).await;
    let waiting = async || {
        let rows = user.get(&format!("{uri}?filter[held]=true&sort=id")).await.is(200)["data"].clone();
        rows.as_array().unwrap().iter().map(|row| row["article"]["id"].clone()).collect::<Vec<_>>()
    };
    let before = waiting().await;
    assert!(before.contains(&first), "{before:?}");

    let change = format!("{uri}/change");
    let raise = |discard: bool, dry_run: bool| json!({ "change": { "percent": "2" }, "discard_waiting": discard, "dry_run": dry_run });
    let preview = user.post(&change, raise(false, true)).await.is(200);
    assert_eq!(preview["waiting"], json!(before.len()));
    let raised = user.post(&change, raise(false, false)).await.is(200);
    assert_eq!((&raised["waiting"], &raised["changed"]), (&preview["waiting"], &preview["changed"]));
    assert_eq!(waiting().await, before, "they stay under review");
    assert_eq!(costs(user, &uri).await[0], "867");

    let gone = user.post(&change, raise(true, false)).await.is(200);
    assert_eq!(gone["waiting"], json!(before.len()));
    assert!(waiting().await.is_empty());
    user.get(&format!("{PATH}/{list}")).await.is(200);
}
