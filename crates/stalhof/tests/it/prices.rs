//! Prices over HTTP: the price side of stocks, and prices under review.

use actix_web::http::Method;
use pricing::permissions;
use serde_json::{Value, json};
use values::PermissionSet;

use crate::{
    catalog::id,
    stocks::{self, Depot},
    support::{Client, all_but},
};

const PATH: &str = "/api/admin/prices";
const HELD: &str = "/api/admin/held-prices";

fn price(amount: &str, quantity: &str, unit: &str) -> Value {
    json!({ "price": amount, "price_quantity": quantity, "unit": unit })
}

async fn stocked(depot: &Depot) -> [i64; 2] {
    let mut made = [0; 2];
    for (article, made) in made.iter_mut().enumerate() {
        *made = id(&depot.user.post(stocks::PATH, depot.stock(article, 0)).await.is(201));
    }
    made
}

async fn decide(user: &Client, ids: &[Value], decision: &str) -> Value {
    let selection = json!({ "ids": ids, "count": ids.len() });
    let body = json!({ "selection": selection, "change": { "field": "decision", "value": decision } });
    user.post(&format!("{HELD}/bulk-change"), body).await.is(200)
}

#[actix_web::test]
async fn prices_have_their_own_version_a_margin_and_sorted_quantity_breaks() {
    let depot = Depot::new().await;
    let user = &depot.user;
    let [first, _] = stocked(&depot).await;
    let uri = format!("{PATH}/{first}");
    let tier = |from: &str, unit: Option<&str>, amount: &str| json!({ "quantity_from": from, "quantity_unit": unit, "price": amount, "unit": "t" });
    let input = json!({
        "external_price": price("85", "100", "kg"), "internal_price": price("780", "1", "t"),
        "external_bulk_prices": [tier("20", None, "810"), tier("120", Some("m"), "830")], "version": 1,
    });
    let changed = user.put(&uri, input.clone()).await.is(200);
    assert_eq!(changed["version"], 2);
    assert_eq!(changed["margin"], json!({ "amount": "7", "percent": "8.24" }));
    let tiers: Vec<_> = changed["external_bulk_prices"]
        .as_array()
        .unwrap()
        .iter()
        .map(|tier| (&tier["quantity_from"], &tier["quantity_unit"], &tier["price"]))
        .collect();
    // as entered and in the same order: 120 m are ten bars
    let [metres, bars] = [json!("120"), json!("20")];
    assert_eq!(tiers, [(&metres, &json!("m"), &json!("830")), (&bars, &json!("piece"), &json!("810"))]);
    assert_eq!(user.put(&uri, input).await.is(409)["code"], "stale");
    // prices that were read can be sent back; the quantity side is separate
    assert_eq!(user.put(&uri, changed.clone()).await.is(200)["version"], 2);
    let stock = user.get(&format!("{}/{first}", stocks::PATH)).await.is(200);
    assert_eq!((&stock["version"], &stock["external_price"]), (&json!(1), &changed["external_price"]));
    let kept = user.send(Method::PATCH, &uri, Some(json!({ "internal_price": null }))).await.is(200);
    assert_eq!(
        (&kept["margin"], &kept["external_bulk_prices"]),
        (&Value::Null, &changed["external_bulk_prices"])
    );

    user.delete(&uri).await.is(204);
    assert_eq!(user.get(&uri).await.is(200)["external_price"], Value::Null);
}

#[actix_web::test]
async fn errors_of_prices_are_reported_at_their_cells_and_nothing_is_written() {
    let depot = Depot::new().await;
    let user = &depot.user;
    let [first, second] = stocked(&depot).await;
    let tier = |from: &str, unit: &str| json!({ "quantity_from": from, "quantity_unit": unit, "price": "1", "unit": "m" });
    let body = json!({ "prices": [
        { "id": first, "external_price": price("10", "1", "m"), "version": 1 },
        { "id": second, "external_price": price("850", "1", "t"), "version": 7,
          "internal_price": price("-1", "0", "m"),
          "external_bulk_prices": [tier("1", "piece"), tier("6", "m"), tier("0", "m"), tier("1", "kg")] },
        { "id": 987_654_321 },
    ] });
    let refused = user.put(&format!("{PATH}/bulk"), body).await.is(422);
    assert_eq!(
        refused["error_codes"],
        json!({
            "prices.1.version": ["stale"],
            "prices.1.external_price.unit": ["no_weight"],
            "prices.1.internal_price.price": ["too_small"],
            "prices.1.internal_price.price_quantity": ["not_greater"],
            "prices.1.external_bulk_prices.1.quantity_from": ["duplicate"],
            "prices.1.external_bulk_prices.2.quantity_from": ["not_greater"],
            "prices.1.external_bulk_prices.3.quantity_unit": ["no_weight"],
            "prices.2.id": ["unknown_reference"],
        })
    );
    assert_eq!(user.get(&format!("{PATH}/{first}")).await.is(200)["external_price"], Value::Null);
    for (count, code) in [(0, "too_few"), (501, "too_many")] {
        let many: Vec<_> = (0..count).map(|number| json!({ "id": number })).collect();
        let refused = user.put(&format!("{PATH}/bulk"), json!({ "prices": many })).await.is(422);
        assert_eq!(refused["error_codes"], json!({ "prices": [code] }));
    }
    let twice = json!({ "prices": [{ "id": first }, { "id": first }] });
    let refused = user.put(&format!("{PATH}/bulk"), twice).await.is(422);
    assert_eq!(refused["error_codes"], json!({ "prices.1.id": ["duplicate"] }));
}

#[actix_web::test]
async fn implausible_prices_are_put_under_review() {
    let depot = Depot::new().await;
    let user = &depot.user;
    let [first, second] = stocked(&depot).await;
    let put =
        async |changes: Value| user.put(&format!("{PATH}/bulk"), json!({ "prices": changes })).await.is(200);
    put(json!([
        { "id": first, "external_price": price("92.50", "100", "kg") },
        { "id": second, "external_price": price("10", "1", "m") },
    ]))
    .await;
    let answer = put(json!([
        { "id": first, "external_price": price("925", "100", "kg") },
        { "id": second, "external_price": price("11", "1", "m") },
    ]))
    .await;
    let [one, other] = [&answer["data"][0], &answer["data"][1]];
    assert_eq!((&one["external_price"]["price"], &one["version"]), (&json!("92.5"), &json!(2)));
    assert_eq!(one["held"]["external_price"]["price"], "925");
    assert_eq!((&other["external_price"]["price"], &other["held"]), (&json!("11"), &Value::Null));

    let held = user.german().get(HELD).await.is(200);
    let held = &held["data"][0];
    assert_eq!(held["mended"]["external_price"], price("925", "1", "t"));
    assert_eq!(held["reasons"][0]["code"], "price_basis_times");
    assert_eq!(
        held["reasons"][0]["message"],
        "925,00 € je 100 kg ist das 10-Fache des bisherigen Preises und sieht nach 925,00 € je t aus."
    );
    // only with the permission to change prices, and only those of the own tenant
    let app = &depot.catalog.app;
    let without = app.caller(Some(app.north), all_but(permissions::UPDATE_PRICE)).await;
    let body = json!({ "selection": { "ids": [held["id"]], "count": 1 }, "change": { "field": "decision", "value": "release" } });
    without.post(&format!("{HELD}/bulk-change"), body.clone()).await.is(403);
    let south = app.caller(Some(app.south), PermissionSet::all()).await;
    south.post(&format!("{HELD}/bulk-change"), body).await.is(409);
    assert_eq!(decide(user, &[held["id"].clone()], "release_mended").await["done"], 1);
    let now = user.get(&format!("{PATH}/{first}")).await.is(200);
    assert_eq!((&now["external_price"], &now["held"]), (&price("925", "1", "t"), &Value::Null));

    // below the internal price, and a change beyond the tenant's limit
    let uri = format!("{PATH}/{second}");
    for (input, code) in [
        (
            json!({ "external_price": price("11", "1", "m"), "internal_price": price("12", "1", "m") }),
            "below_internal",
        ),
        (json!({ "external_price": price("15", "1", "m") }), "price_jump"),
    ] {
        let shown = user.put(&uri, input).await.is(200);
        assert_eq!(shown["external_price"]["price"], "11");
        let held = user.get(HELD).await.is(200);
        assert_eq!(
            (&held["meta"]["total"], &held["data"][0]["reasons"][0]["code"]),
            (&json!(1), &json!(code))
        );
    }
    // a plausible price replaces the one under review
    user.put(&uri, json!({ "external_price": price("11.5", "1", "m") })).await.is(200);
    assert_eq!(user.get(HELD).await.is(200)["meta"]["total"], 0);
}

#[actix_web::test]
async fn many_prices_under_review_are_decided_together() {
    let depot = Depot::new().await;
    let user = &depot.user;
    let mut made = Vec::new();
    for (article, warehouse) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
        made.push(id(&user.post(stocks::PATH, depot.stock(article, warehouse)).await.is(201)));
    }
    let put = async |amount: &str| {
        let prices = made.iter().map(|id| json!({ "id": id, "external_price": price(amount, "1", "m") }));
        let prices = json!({ "prices": prices.collect::<Vec<_>>() });
        user.put(&format!("{PATH}/bulk"), prices).await.is(200);
    };
    let begin = async || {
        let nothing: Vec<_> = made.iter().map(|id| json!({ "id": id })).collect();
        user.put(&format!("{PATH}/bulk"), json!({ "prices": nothing })).await.is(200);
        put("10").await;
    };
    let waiting = async || {
        let held = user.get(HELD).await.is(200);
        held["data"].as_array().unwrap().iter().map(|held| held["id"].clone()).collect::<Vec<_>>()
    };
    let amounts = async || {
        let mut amounts = Vec::new();
        for id in &made {
            let shown = user.get(&format!("{PATH}/{id}")).await.is(200);
            amounts.push(shown["external_price"]["price"].as_str().unwrap().to_owned());
        }
        amounts
    };
    for (wanted, decision, after) in
        [("100", "refuse", "10"), ("100", "release_mended", "10"), ("15", "release", "15")]
    {
        begin().await;
        put(wanted).await;
        assert_eq!(amounts().await, ["10"; 4]);
        let outcome = decide(user, &waiting().await, decision).await;
        assert_eq!(outcome, json!({ "done": 4, "refused": [] }), "{decision}");
        assert!(waiting().await.is_empty());
        assert_eq!(amounts().await, [after; 4], "{decision}");
    }

    // one has been decided meanwhile, which is reported before anything is changed
    begin().await;
    put("100").await;
    let seen = waiting().await;
    decide(user, &seen[..1], "refuse").await;
    let selection = json!({ "ids": seen, "count": seen.len() });
    let body = json!({ "selection": selection, "change": { "field": "decision", "value": "release" } });
    assert_eq!(user.post(&format!("{HELD}/bulk-change"), body).await.is(409)["code"], "selection_changed");
    assert_eq!(amounts().await, ["10"; 4]);
    assert_eq!(decide(user, &seen[1..], "release").await["done"], 3);
    let mut released = amounts().await;
    released.sort();
    assert_eq!(released, ["10", "100", "100", "100"]);

    // prices for which the decision is not possible stay under review and do not block others
    begin().await;
    let two = json!({ "prices": [
        { "id": made[0], "external_price": price("15", "1", "m") },
        { "id": made[1], "external_price": price("100", "1", "m") } ] });
    user.put(&format!("{PATH}/bulk"), two).await.is(200);
    let outcome = decide(user, &waiting().await, "release_mended").await;
    assert_eq!((&outcome["done"], outcome["refused"].as_array().unwrap().len()), (&json!(1), 1));
    assert_eq!(waiting().await.len(), 1);
}
