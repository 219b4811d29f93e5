//! Price lists for programs: read by the tenants that they apply to, filled in bulk by their owner.

use actix_web::http::Method;
use serde_json::{Value, json};
use values::PermissionSet;

use crate::{
    access::token,
    catalog::id,
    price_lists::{self, list, shift},
    stocks::Depot,
    support::Client,
};

const LISTS: &str = "/api/v1/price-lists";

fn results(answer: &Value) -> Vec<&str> {
    answer["data"].as_array().unwrap().iter().map(|item| item["result"].as_str().unwrap()).collect()
}

async fn listed(depot: &Depot, scope: &str) -> i64 {
    let mut input = list("Verkauf", depot.catalog.app.north);
    input["scope"] = json!(scope);
    id(&depot.user.post(price_lists::PATH, input).await.is(201))
}

async fn costs(user: &Client, list: i64) -> Vec<Value> {
    let rows = user.get(&format!("{LISTS}/{list}/prices?sort=article_number")).await.is(200)["data"].clone();
    rows.as_array().unwrap().iter().map(|row| row["price"]["price"].clone()).collect()
}

#[actix_web::test]
async fn prices_are_written_by_article_number_and_read_again() {
    let depot = Depot::new().await;
    let (app, user) = (&depot.catalog.app, &depot.user);
    let (_, erp) = token(app, user, &["import-prices"]).await;
    let (_, shop) = token(app, user, &["listings:read"]).await;
    let list = listed(&depot, "own").await;
    let uri = format!("{LISTS}/{list}/prices");
    let [first, second] = [0, 1].map(|article| depot.articles[article]["article_number"].clone());
    let item = |number: &Value, price: &str| json!({ "article_number": number, "price": { "price": price, "unit": "t" } });
    let put = async |items: Value| erp.put(&uri, json!({ "items": items })).await.is(200);

    let tried = erp.put(&uri, json!({ "items": [item(&first, "850")], "dry_run": true })).await.is(200);
    assert_eq!((results(&tried), &tried["data"][0]["id"]), (vec!["created"], &Value::Null));
    assert!(costs(&shop, list).await.is_empty());

    let made = put(json!([item(&first, "850"), item(&json!("NIE"), "1"), item(&first, "860"), { "article_number": second }])).await;
    assert_eq!(results(&made), ["created", "refused", "refused", "refused"]);
    let fault = |index: usize| made["data"][index]["errors"][0].clone();
    assert_eq!((&fault(1)["field"], &fault(1)["code"]), (&json!("article_number"), &json!("unknown_name")));
    assert_eq!((&fault(2)["field"], &fault(2)["code"]), (&json!("article_number"), &json!("repeated_item")));
    assert_eq!((&fault(3)["field"], &fault(3)["code"]), (&json!("price.price"), &json!("required")));
    assert_eq!(costs(&shop, list).await, [json!("850")]);
    let shown = shop.get(&format!("{LISTS}/{list}")).await.is(200);
    assert_eq!((&shown["price_count"], &shown["status"]), (&json!(1), &json!("pending")));
    assert_eq!(shop.get(LISTS).await.is(200)["data"][0]["id"], list);

    assert_eq!(results(&put(json!([item(&first, "850")])).await), ["unchanged"]);
    let tiers = json!([{ "quantity_from": "10", "price": "840", "unit": "t" }]);
    let tiered = json!([{ "article_number": first, "bulk_prices": tiers }, { "article_number": second, "price": { "price": "9", "unit": "m" } }]);
    let done = put(tiered).await;
    assert_eq!(results(&done), ["updated", "created"], "{done}");
    let held = put(json!([item(&first, "8500")])).await;
    assert_eq!(
        (results(&held), &held["data"][0]["warnings"][0]["field"]),
        (vec!["held"], &json!("price.price"))
    );
    assert_eq!(costs(&shop, list).await, [json!("850"), json!("9")]);
    let rows = user.get(&format!("{}/{list}/prices", price_lists::PATH)).await.is(200);
    assert_eq!(rows["data"][0]["held"]["price"]["price"], "8500");

    // an entry without price and tiers is removed, and the history records that
    let gone = put(json!([{ "article_number": second, "price": null }])).await;
    assert_eq!(results(&gone), ["removed"]);
    assert_eq!(results(&put(json!([{ "article_number": second, "price": null }])).await), ["unchanged"]);
    assert_eq!(shop.get(&format!("{LISTS}/{list}")).await.is(200)["price_count"], 1);
    let history = "/api/admin/audit?filter[record]=price_list_entry&filter[action]=deleted";
    let history = user.get(history).await.is(200);
    assert_eq!((&history["meta"]["total"], &history["data"][0]["record_name"]), (&json!(1), &second));
}

#[actix_web::test]
async fn a_repeated_call_is_executed_only_once() {
    let depot = Depot::new().await;
    let (_, erp) = token(&depot.catalog.app, &depot.user, &["import-prices"]).await;
    let list = listed(&depot, "own").await;
    let uri = format!("{LISTS}/{list}/prices");
    let number = &depot.articles[0]["article_number"];
    let body = |price: &str| json!({ "items": [{ "article_number": number, "price": { "price": price, "unit": "t" } }] });
    let send = async |price: &str| {
        let request = erp.request(Method::PUT, &uri).insert_header(("Idempotency-Key", "preise-1"));
        erp.call(request.set_json(body(price))).await
    };
    let once = send("850").await;
    assert_eq!(results(&once.is(200)), ["created"]);
    let again = send("850").await;
    assert_eq!((again.header("idempotent-replayed"), results(&again.is(200))), ("true", vec!["created"]));
    assert_eq!(send("860").await.status, 422);
}

#[actix_web::test]
async fn a_list_is_read_by_its_customers_and_written_only_by_its_owner() {
    let depot = Depot::new().await;
    let app = &depot.catalog.app;
    let south = app.caller(Some(app.south), PermissionSet::all()).await;
    let (_, buyer) = token(app, &south, &["listings:read", "import-prices"]).await;
    let number = &depot.articles[0]["article_number"];
    let body = json!({ "items": [{ "article_number": number, "price": { "price": "850", "unit": "t" } }] });
    let own = listed(&depot, "own").await;
    for uri in [format!("{LISTS}/{own}"), format!("{LISTS}/{own}/prices")] {
        buyer.get(&uri).await.is(404);
    }
    buyer.put(&format!("{LISTS}/{own}/prices"), body.clone()).await.is(404);
    buyer.put(&format!("{LISTS}/999999/prices"), body.clone()).await.is(404);

    let mut global = list("Für alle", app.north);
    (global["scope"], global["announce"]) = (json!("global"), json!(true));
    let global = id(&depot.user.post(price_lists::PATH, global).await.is(201));
    let (_, erp) = token(app, &depot.user, &["import-prices"]).await;
    erp.put(&format!("{LISTS}/{global}/prices"), body.clone()).await.is(200);
    assert_eq!(costs(&buyer, global).await, [json!("850")]);
    let refused = buyer.put(&format!("{LISTS}/{global}/prices"), body.clone()).await.is(403);
    assert_eq!(refused["code"], "not_own_price_list");
    // an ability only opens its own operations
    erp.get(&format!("{LISTS}/{global}")).await.is(403);
    let (_, reader) = token(app, &depot.user, &["listings:read"]).await;
    reader.put(&format!("{LISTS}/{global}/prices"), body.clone()).await.is(403);
    reader.delete(&format!("{}/{global}", price_lists::PATH)).await.is(403);

    shift(app, global, -7200, Some(-60)).await;
    assert_eq!(
        erp.put(&format!("{LISTS}/{global}/prices"), body).await.is(409)["code"],
        "price_list_expired"
    );
}

/// Users without permissions for price lists can still create such a token.
#[actix_web::test]
async fn a_token_for_prices_can_be_created_without_permissions_for_price_lists() {
    let depot = Depot::new().await;
    let app = &depot.catalog.app;
    let list = listed(&depot, "own").await;
    let lists = ["price_list.list", "price_list.view", "price_list.update"];
    let rights = PermissionSet::all().difference(PermissionSet::parse(lists));
    let user = app.caller(Some(app.north), rights).await;
    let (_, program) = token(app, &user, &["listings:read", "import-prices"]).await;
    program.get("/api/v1/listings").await.is(200);
    program.get(LISTS).await.is(403);
    let body = json!({ "items": [{ "article_number": depot.articles[0]["article_number"] }] });
    program.put(&format!("{LISTS}/{list}/prices"), body).await.is(403);
}
