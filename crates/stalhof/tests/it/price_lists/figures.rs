//! Figures beside the prices of a list, tiers that stay when a price is replaced, and the history of one
//! price.

use pricing::permissions;
use serde_json::{Value, json};
use values::PermissionSet;

use super::{PATH, list};
use crate::{
    catalog::id,
    stocks::{self, Depot},
    support::all_but,
};

/// Creates a list with 920 EUR a tonne, and from 20 pieces on 890, for an article of 61.3 kg/m.
async fn priced(depot: &Depot) -> (String, i64) {
    let created = depot.user.post(PATH, list("Verkauf", depot.catalog.app.north)).await.is(201);
    let article = id(&depot.articles[0]);
    let uri = format!("{PATH}/{}/prices", created["id"]);
    let tier = json!({ "quantity_from": "20", "quantity_unit": "piece", "price": "890", "price_quantity": "1", "unit": "t" });
    let prices = json!({ "prices": [
        { "article_id": article, "price": { "price": "920", "unit": "t" }, "bulk_prices": [tier] },
        { "article_id": id(&depot.articles[1]), "price": { "price": "60", "unit": "m" } },
    ] });
    depot.user.put(&uri, prices).await.is(200);
    (uri, article)
}

async fn cost(depot: &Depot, money: Value) -> i64 {
    let stock = id(&depot.user.post(stocks::PATH, depot.stock(0, 0)).await.is(201));
    let input = json!({ "internal_price": money, "external_price": { "price": "920", "unit": "t" } });
    depot.user.put(&format!("/api/admin/prices/{stock}"), input).await.is(200);
    stock
}

#[actix_web::test]
async fn a_price_is_shown_per_tonne_and_with_its_margin() {
    let depot = Depot::new().await;
    let (uri, _) = priced(&depot).await;
    // 55.17 a metre of 61.3 kg is 900 a tonne
    let stock = cost(&depot, json!({ "price": "55.17", "unit": "m" })).await;
    let rows = depot.user.get(&format!("{uri}?sort=id&include=figures")).await.is(200);
    let first = &rows["data"][0]["figures"];
    assert_eq!(first["per_tonne"], "920");
    assert_eq!(first["margin"], json!({ "amount": "20", "percent": "2.17" }));
    // the second article has no weight, and no stock
    assert_eq!(rows["data"][1]["figures"], json!({ "per_tonne": null, "margin": null }));
    assert!(depot.user.get(&uri).await.is(200)["data"][0].get("figures").is_none());
    let price = depot.user.get(&format!("/api/admin/prices/{stock}")).await.is(200);
    assert_eq!(price["external_price_per_tonne"], "920");

    let north = Some(depot.catalog.app.north);
    let blind = depot.catalog.app.caller(north, all_but(permissions::VIEW_PRICE)).await;
    let rows = blind.get(&format!("{uri}?sort=id&include=figures")).await.is(200);
    assert_eq!(rows["data"][0]["figures"], json!({ "per_tonne": "920", "margin": null }));
    let south = Some(depot.catalog.app.south);
    let foreign = depot.catalog.app.caller(south, PermissionSet::all()).await;
    foreign.get(&format!("{uri}?include=figures")).await.is(404);
}

#[actix_web::test]
async fn a_replaced_price_keeps_its_quantity_breaks_on_request() {
    let depot = Depot::new().await;
    let (uri, article) = priced(&depot).await;
    let replace = async |keep: Value| {
        let price = json!({ "article_id": article, "price": { "price": "921", "unit": "t" } });
        let body = json!({ "prices": [price], "keep_bulk_prices": keep });
        depot.user.put(&uri, body).await.is(200)["data"][0]["bulk_prices"].as_array().unwrap().len()
    };
    assert_eq!(replace(json!(true)).await, 1);
    assert_eq!(replace(Value::Null).await, 0);
    // there are no tiers left to keep
    assert_eq!(replace(json!(true)).await, 0);
    let taken_out = json!({ "prices": [{ "article_id": article }], "keep_bulk_prices": true });
    assert_eq!(depot.user.put(&uri, taken_out).await.is(200)["data"], json!([]));
}

#[actix_web::test]
async fn the_history_of_a_record_can_be_filtered_by_field() {
    let depot = Depot::new().await;
    let stock = cost(&depot, json!({ "price": "800", "unit": "t" })).await;
    let uri = format!("/api/admin/prices/{stock}");
    let change = |external: &str, internal: &str| {
        json!({
            "external_price": { "price": external, "unit": "t" },
            "internal_price": { "price": internal, "unit": "t" },
        })
    };
    depot.user.put(&uri, change("921", "800")).await.is(200);
    depot.user.put(&uri, change("921", "801")).await.is(200);
    let history = async |field: &str| {
        let query =
            format!("/api/admin/audit?filter[record]=stock&filter[record_id]={stock}&filter[field]={field}");
        let entries = depot.user.get(&query).await.is(200);
        entries["data"].as_array().unwrap().len()
    };
    assert_eq!(history("external_price").await, 2);
    assert_eq!(history("internal_price").await, 2);
    // the name of a field is not a pattern
    assert_eq!(history("external%price").await, 0);
    assert_eq!(history("externalxprice").await, 0);
    let all = depot.user.get("/api/admin/audit?filter[field]=external_price").await;
    all.is_refused_at(&["filter[record_id]"]);
    let file = depot.user.get("/api/admin/audit/export?format=csv&filter[field]=external_price").await;
    file.is_refused_at(&["filter[record_id]"]);
}
