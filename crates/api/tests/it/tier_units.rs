//! Tiers keep quantity and unit as they were entered and compare exactly, wherever they come from and wherever they are shown.

use migrations::Migrator;
use sea_orm::{ConnectionTrait, DbBackend, Statement};
use sea_orm_migration::MigratorTrait;
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

/// A stock of the article of 61.3 kg/m at 950 a tonne, at 930 from 5 t on.
async fn priced(depot: &Depot) -> i64 {
    let stock = id(&depot.user.post(stocks::PATH, depot.stock(0, 0)).await.is(201));
    let prices =
        json!({ "external_price": money("950", "t"), "external_bulk_prices": [tier("5", "t", "930")] });
    depot.user.put(&format!("{PRICES}/{stock}"), prices).await.is(200);
    stock
}

/// The total, and the tier that counts.
async fn quote(depot: &Depot, user: &Client, quantity: &str, unit: &str) -> (Value, Value, Value) {
    let line = json!({ "article_id": depot.articles[0]["id"], "quantity": quantity, "unit": unit });
    let cart = json!({ "carts": [{ "lines": [line] }], "explain": true });
    let quoted = user.post("/api/admin/quotes", cart).await.is(200)["data"][0].take();
    let price = &quoted["lines"][0]["explanation"]["price"];
    (quoted["total"].clone(), price["quantity_from"].clone(), price["quantity_unit"].clone())
}

#[actix_web::test]
async fn five_tonnes_reach_the_tier_from_five_tonnes_in_whichever_unit_they_are_ordered() {
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
async fn a_tier_is_shown_and_written_back_as_it_was_entered() {
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

    // the same quantity in another unit is another entry of the same tier: it is not held as a new one would be
    let same =
        json!({ "external_price": money("950", "t"), "external_bulk_prices": [tier("5000", "kg", "929")] });
    let changed = user.put(&uri, same).await.is(200);
    assert_eq!(
        (&changed["held"], &changed["external_bulk_prices"][0]["quantity_unit"]),
        (&Value::Null, &json!("kg"))
    );
    // what waits says the unit as well, and is released as it was wanted
    let high =
        json!({ "external_price": money("950", "t"), "external_bulk_prices": [tier("5", "t", "9300")] });
    user.put(&uri, high).await.is(200);
    let held = user.get("/api/admin/held-prices").await.is(200)["data"][0].take();
    let [current, wanted] = ["current", "wanted"].map(|which| held[which]["external_bulk_prices"][0].clone());
    assert_eq!((&current["quantity_from"], &current["quantity_unit"]), (&json!("5000"), &json!("kg")));
    assert_eq!((&wanted["quantity_from"], &wanted["quantity_unit"]), (&json!("5"), &json!("t")));
    // two tiers from the same quantity, exactly: 5 t are no whole number of metres
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

#[actix_web::test]
async fn tiers_of_earlier_versions_are_in_the_listing_unit() {
    let depot = Depot::new().await;
    let (user, db) = (&depot.user, &depot.catalog.app.db);
    let stock = priced(&depot).await;
    let prices = json!({ "external_price": money("950", "t"), "internal_price": money("700", "t"),
        "external_bulk_prices": [tier("3", "piece", "940"), tier("7", "piece", "930")],
        "internal_bulk_prices": [tier("4", "piece", "690")] });
    let uri = format!("{PRICES}/{stock}");
    let written = user.put(&uri, prices.clone()).await.is(200);
    let mut high = prices;
    high["external_bulk_prices"][1]["price"] = "9300".into();
    user.put(&uri, high).await.is(200);
    let held = user.get("/api/admin/held-prices").await.is(200);
    assert_eq!(held["data"][0]["wanted"]["external_bulk_prices"][1]["quantity_unit"], "piece");

    let steps =
        Migrator::migrations().iter().rev().position(|one| one.name().contains("000350")).unwrap() + 1;
    Migrator::down(db.writer(), Some(u32::try_from(steps).unwrap())).await.unwrap();
    let text = match db.writer().get_database_backend() {
        DbBackend::Postgres => "external_bulk_prices::text",
        _ => "external_bulk_prices",
    };
    let select = format!("SELECT {text} AS tiers FROM stock WHERE external_bulk_prices IS NOT NULL");
    let statement = Statement::from_string(db.writer().get_database_backend(), select);
    let row = db.writer().query_one_raw(statement).await.unwrap().unwrap();
    let before: Value = serde_json::from_str(&row.try_get::<String>("", "tiers").unwrap()).unwrap();
    let of_tier = |from: &str, price: &str| json!({ "from": from, "price": money(price, "t") });
    assert_eq!(before, json!([of_tier("3", "940"), of_tier("7", "930")]));

    Migrator::up(db.writer(), None).await.unwrap();
    let now = user.get(&uri).await.is(200);
    for side in ["external_bulk_prices", "internal_bulk_prices"] {
        assert_eq!(now[side], written[side]);
    }
    // who wants a price is not known to those versions
    let again = user.get("/api/admin/held-prices").await.is(200);
    for prices in ["current", "wanted", "mended"] {
        assert_eq!(again["data"][0][prices], held["data"][0][prices], "{prices}");
    }
}
