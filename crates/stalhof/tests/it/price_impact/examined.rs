//! Times and quantities that a change names are examined, and the answer lists them.

use actix_web::http::Method;
use chrono::{Datelike, TimeDelta};
use logistics::permissions;

use serde_json::{Value, json};

use super::{CARTS, IMPACT, cart, costs, priced, with};
use crate::{
    catalog::id,
    price_adjustments::{self, adjustment},
    stocks,
    support::all_but,
};

fn surcharge(name: &str, amount: &str, conditions: Value) -> Value {
    let changes = json!({
        "operation": "surcharge", "calculation_type": "absolute", "value": amount, "conditions": conditions,
    });
    with(adjustment(name), changes)
}

/// Tomorrow's date and weekday in Germany.
fn tomorrow() -> (chrono::NaiveDate, &'static str) {
    let day = values::today() + TimeDelta::days(1);
    let names = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];
    (day, names[day.weekday().num_days_from_monday() as usize])
}

fn kinds(view: &Value) -> Vec<(String, Value, Value)> {
    let quantities = view["examined"]["quantities"].as_array().unwrap().iter();
    let quantity = |quantity: &Value| {
        let kind = quantity["kind"].as_str().unwrap().to_owned();
        (kind, quantity["value"].clone(), quantity["unit"].clone())
    };
    quantities.map(quantity).collect()
}

#[actix_web::test]
async fn a_surcharge_of_another_weekday_shows_its_effect_on_that_day() {
    let depot = priced().await;
    let user = &depot.user;
    user.post(CARTS, cart(&depot, "Zwei Tonnen", Value::Null)).await.is(201);
    let (day, weekday) = tomorrow();
    let conditions = json!({ "type": "weekday", "op": "in", "value": [weekday] });
    let off = with(surcharge("Samstag", "50", conditions), json!({ "active": false }));
    let made = user.post(price_adjustments::PATH, off.clone()).await.is(201);
    let on = with(off, json!({ "active": true, "version": 1 }));
    let view = user.post(IMPACT, json!({ "update": { "id": id(&made), "input": on } })).await.is(200);
    assert_eq!(view["articles_touched"], 1, "{view}");
    assert_eq!(view["examined"]["moments"].as_array().unwrap().len(), 7, "{view}");
    assert_eq!(view["examined"]["complete"], true);
    let mover = &view["movers"][0];
    let noon = mover["at"].as_str().unwrap().parse::<values::Instant>().unwrap();
    assert_eq!(noon.date_naive(), day, "{mover}");
    assert_eq!([&mover["before"], &mover["after"]], [&json!("985"), &json!("1035")]);
    let sample = &view["sample_carts"][0];
    assert_eq!((&sample["at"], &sample["change"]), (&mover["at"], &json!("50")));
    // a request for one time examines only that
    let body = json!({ "delete": { "id": id(&made) }, "at": values::now().to_rfc3339() });
    let view = user.post(IMPACT, body).await.is(200);
    assert_eq!(view["examined"]["moments"].as_array().unwrap().len(), 1);
}

#[actix_web::test]
async fn a_surcharge_for_small_quantities_shows_its_effect_on_them() {
    let depot = priced().await;
    let user = &depot.user;
    let small = |amount: &str| {
        let conditions = json!({ "type": "cart_weight", "op": "lesser_than", "value": "100", "unit": "kg" });
        surcharge("Kleinmenge", amount, conditions)
    };
    let made = user.post(price_adjustments::PATH, small("25")).await.is(201);
    let raised = with(small("250"), json!({ "version": 1 }));
    let view = user.post(IMPACT, json!({ "update": { "id": id(&made), "input": raised } })).await.is(200);
    assert_eq!(view["articles_touched"], 1, "{view}");
    let mover = &view["movers"][0];
    assert_eq!(
        (&mover["quantity"], &mover["unit"], &mover["change"]),
        (&json!("99.999"), &json!("kg"), &json!("225"))
    );
    assert_eq!(
        kinds(&view),
        [
            ("price_unit".to_owned(), Value::Null, Value::Null),
            ("exactly".to_owned(), json!("25"), json!("t")),
            ("around".to_owned(), json!("100"), json!("kg")),
        ]
    );
    // one unit, a truckload and three quantities around the number
    assert_eq!((&view["examined"]["carts"], &view["examined"]["customer_groups"]), (&json!(5), &json!(1)));
}

#[actix_web::test]
async fn the_impact_covers_minimum_quantities_and_ends_of_periods() {
    let depot = priced().await;
    let user = &depot.user;
    let least = |number: &str| {
        with(
            adjustment("Mindestmenge"),
            json!({ "value": "0.0001", "purchase_constraints": { "min_quantity": number, "unit": "kg" } }),
        )
    };
    let made = user.post(price_adjustments::PATH, least("100")).await.is(201);
    let raised = with(least("300"), json!({ "version": 1 }));
    let view = user.post(IMPACT, json!({ "update": { "id": id(&made), "input": raised } })).await.is(200);
    assert_eq!(view["articles_vanishing"], 1, "{view}");

    // a moved end matters between the old and the new one
    let (first, second) = ("2031-01-01T00:00:00Z", "2031-06-01T00:00:00Z");
    let ends = |until: &str| with(adjustment("Rabatt"), json!({ "valid_until": until }));
    let made = user.post(price_adjustments::PATH, ends(first)).await.is(201);
    let longer = with(ends(second), json!({ "version": 1 }));
    let view = user.post(IMPACT, json!({ "update": { "id": id(&made), "input": longer } })).await.is(200);
    assert_eq!((&view["articles_touched"], &view["movers"][0]["at"]), (&json!(1), &json!(first)), "{view}");
}

#[actix_web::test]
async fn the_stock_of_changed_articles_is_valued_before_and_after() {
    let depot = priced().await;
    let user = &depot.user;
    // 36.3 m of 61.3 kg/m are 2.22519 t: 2,191.81 at 985 a tonne
    let impact = user.post(IMPACT, json!({ "create": adjustment("Rabatt") })).await.is(200);
    let value = &impact["stock_value"];
    for (field, expected) in [
        ("buyer", Value::Null),
        ("stocks", json!(1)),
        ("without_price", json!(0)),
        ("before", json!("2191.81")),
        ("after", json!("2126.06")),
        ("change", json!("-65.75")),
        ("percent", json!("-3")),
        ("complete", json!(true)),
    ] {
        assert_eq!(value[field], expected, "{field}");
    }
    assert_eq!(value["at"], impact["at"]);
    // a fixed amount is charged once for the whole stock of a warehouse, at the time at which it applies
    let (_, weekday) = tomorrow();
    let conditions = json!({ "type": "weekday", "op": "in", "value": [weekday] });
    let impact = user.post(IMPACT, json!({ "create": surcharge("Samstag", "50", conditions) })).await.is(200);
    let value = &impact["stock_value"];
    assert_eq!((&value["after"], &value["change"]), (&json!("2241.81"), &json!("50")));
    assert_eq!(value["at"], impact["movers"][0]["at"]);
    // a second warehouse adds a line of its own; a stock without a price is counted
    let other = id(&user.post(stocks::PATH, depot.stock(0, 1)).await.is(201));
    let impact = user.post(IMPACT, json!({ "create": adjustment("Rabatt") })).await.is(200);
    let value = &impact["stock_value"];
    assert_eq!(
        (&value["stocks"], &value["without_price"], &value["before"]),
        (&json!(2), &json!(1), &json!("2191.81"))
    );
    costs(&depot, other, "950").await;
    let impact = user.post(IMPACT, json!({ "create": adjustment("Rabatt") })).await.is(200);
    assert_eq!(
        (&impact["stock_value"]["before"], &impact["stock_value"]["without_price"]),
        (&json!("4383.62"), &json!(0))
    );
    // remnants are not included, and neither are stocks without a quantity
    let remnant = with(depot.stock(0, 1), json!({ "length": "6000" }));
    user.post(stocks::PATH, remnant).await.is(201);
    let listed = user.get(stocks::PATH).await.is(200);
    for row in listed["data"].as_array().unwrap().iter().filter(|row| row["length"].is_null()) {
        let uri = format!("{}/{}", stocks::PATH, row["id"]);
        user.send(Method::PATCH, &uri, Some(json!({ "quantity": "0" }))).await.is(200);
    }
    let impact = user.post(IMPACT, json!({ "create": adjustment("Rabatt") })).await.is(200);
    let value = &impact["stock_value"];
    assert_eq!((&impact["articles_touched"], &value["stocks"]), (&json!(1), &json!(0)));
    assert_eq!(
        [&value["before"], &value["after"], &value["percent"]],
        [&json!("0"), &json!("0"), &Value::Null]
    );
}

#[actix_web::test]
async fn the_value_of_stock_is_shown_to_users_who_may_list_stocks() {
    let depot = priced().await;
    let app = &depot.catalog.app;
    let colleague = app.caller(Some(app.north), all_but(permissions::LIST_STOCKS)).await;
    let impact = colleague.post(IMPACT, json!({ "create": adjustment("Rabatt") })).await.is(200);
    assert_eq!((&impact["articles_touched"], &impact["stock_value"]), (&json!(1), &Value::Null));
}
