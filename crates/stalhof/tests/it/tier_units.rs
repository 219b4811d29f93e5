//! Tiers keep quantity and unit as entered and compare exactly, whatever their source and in every view.

use serde_json::{Value, json};

use crate::{
    catalog::id,
    stocks::{self, Depot},
    support::Client,
};

const PRICES: &str = "/api/admin/prices";

fn money(amount: &str, unit: &str) -> Value {
    json!({ "price": amount, "price_quantity": "1", "unit": unit })
}

fn tier(from: &str, unit: &str, amount: &str) -> Value {
    json!({ "quantity_from": from, "quantity_unit": unit, "price": amount, "price_quantity": "1", "unit": "t" })
}

/// Creates a stock of the article of 61.3 kg/m at 950 a tonne, at 930 from 5 t on.
async fn priced(depot: &Depot) -> i64 {
    let stock = id(&depot.user.post(stocks::PATH, depot.stock(0, 0)).await.is(201));
    let prices =
        json!({ "external_price": money("950", "t"), "external_bulk_prices": [tier("5", "t", "930")] });
    depot.user.put(&format!("{PRICES}/{stock}"), prices).await.is(200);
    stock
}

/// Total, and the tier that applies.
async fn quote(depot: &Depot, user: &Client, quantity: &str, unit: &str) -> (Value, Value, Value) {
    let line = json!({ "article_id": depot.articles[0]["id"], "quantity": quantity, "unit": unit });
    let cart = json!({ "carts": [{ "lines": [line] }], "explain": true });
    let quoted = user.post("/api/admin/quotes", cart).await.is(200)["data"][0].take();
    let price = &quoted["lines"][0]["explanation"]["price"];
    (quoted["total"].clone(), price["quantity_from"].clone(), price["quantity_unit"].clone())
}

#[actix_web::test]
async fn a_quantity_break_from_five_tonnes_applies_in_every_order_unit() {
    let depot = Depot::new().await;
    priced(&depot).await;
    let reached = (json!("4650"), json!("5"), json!("t"));
    for (quantity, unit) in [("5", "t"), ("5000", "kg"), ("5000000", "g"), ("81.566069", "m")] {
        assert_eq!(quote(&depot, &depot.user, quantity, unit).await, reached, "{quantity} {unit}");
    }
    for (quantity, unit) in [("4999.999999", "kg"), ("81.566068", "m")] {
        let missed = quote(&depot, &depot.user, quantity, unit).await;
        assert_eq!((missed.0, missed.1), (json!("4750"), Value::Null), "{quantity} {unit}");
    }
}

#[actix_web::test]
async fn a_quantity_break_is_shown_and_written_back_as_it_was_entered() {
    let depot = Depot::new().await;
    let user = &depot.user;
    let stock = priced(&depot).await;
    let uri = format!("{PRICES}/{stock}");
    let entered = json!([tier("5", "t", "930")]);
    let read = user.get(&uri).await.is(200);
    assert_eq!(read["external_bulk_prices"], entered);
    assert_eq!(user.put(&uri, read.clone()).await.is(200)["version"], read["version"]);
    let shown = user.get(&format!("{}/{stock}", stocks::PATH)).await.is(200);
    assert_eq!(shown["external_bulk_prices"], entered);

    // the same quantity in another unit is the same tier: it is not reviewed like a new one
    let same =
        json!({ "external_price": money("950", "t"), "external_bulk_prices": [tier("5000", "kg", "929")] });
    let changed = user.put(&uri, same).await.is(200);
    assert_eq!(
        (&changed["held"], &changed["external_bulk_prices"][0]["quantity_unit"]),
        (&Value::Null, &json!("kg"))
    );
    // a price under review includes the unit, and is released as proposed
    let high =
        json!({ "external_price": money("950", "t"), "external_bulk_prices": [tier("5", "t", "9300")] });
    user.put(&uri, high).await.is(200);
    let held = user.get("/api/admin/held-prices").await.is(200)["data"][0].take();
    let [current, wanted] = ["current", "wanted"].map(|which| held[which]["external_bulk_prices"][0].clone());
    assert_eq!((&current["quantity_from"], &current["quantity_unit"]), (&json!("5000"), &json!("kg")));
    assert_eq!((&wanted["quantity_from"], &wanted["quantity_unit"]), (&json!("5"), &json!("t")));
    // two tiers from exactly the same quantity: 5 t are no whole number of metres
    for (other, unit, expected) in [("5000", "kg", 422), ("81.566068", "m", 200), ("81.566069", "m", 200)] {
        let twice = json!({ "external_price": money("950", "t"),
            "external_bulk_prices": [tier("5", "t", "930"), tier(other, unit, "931")] });
        let answer = user.put(&uri, twice).await;
        answer.is(expected);
        if expected == 422 {
            let codes = json!({ "external_bulk_prices.1.quantity_from": ["duplicate"] });
            assert_eq!(answer.is(422)["error_codes"], codes);
        } else {
            let first = &answer.is(200)["external_bulk_prices"][0]["quantity_unit"];
            assert_eq!(first == "m", other == "81.566068", "in their order");
        }
    }
}
