//! Quotes of carts over HTTP, and which parts of them a caller sees.

use catalog::article_units;
use pricing::permissions;
use sea_orm::Condition;
use serde_json::{Value, json};
use store::{Scope, statements::sent_by};
use values::PermissionSet;

use crate::{
    access::token,
    catalog::id,
    price_adjustments::{self, adjustment},
    processing_prices::{self, costs},
    processings::{self, sawing},
    stocks::{self, Depot},
    support::{Client, TestApp, all_but},
};

const PATH: &str = "/api/admin/quotes";
const PROGRAMS: &str = "/api/v1/quotes";

/// Creates a stock of the article of 61.3 kg/m at 985 a tonne, with an internal price of 900.
async fn priced(depot: &Depot) -> i64 {
    let stock = id(&depot.user.post(stocks::PATH, depot.stock(0, 0)).await.is(201));
    price(depot, stock, "985").await;
    stock
}

async fn price(depot: &Depot, stock: i64, external: &str) {
    let of = |price: &str| json!({ "price": price, "unit": "t" });
    let body = json!({ "external_price": of(external), "internal_price": of("900") });
    depot.user.put(&format!("/api/admin/prices/{stock}"), body).await.is(200);
}

/// The cart names articles by id and by number and has a buyer, relevant categories and processings.
#[actix_web::test]
async fn a_quote_sends_two_database_statements() {
    let depot = Depot::new().await;
    priced(&depot).await;
    let Depot { user, articles, catalog, .. } = &depot;
    let sawing =
        id(&catalog.admin.post(processings::PATH, sawing("Sägen", "-{schnittlaenge}")).await.is(201));
    user.post(processing_prices::PATH, costs(sawing, None, "4.5")).await.is(201);
    let beams = json!({ "name": "Träger", "parent_id": null });
    let beams = id(&catalog.admin.post("/api/admin/categories", beams).await.is(201));
    let apply_to = json!({ "apply_to": { "kind": "item", "categories": [beams] } });
    user.post(price_adjustments::PATH, with(adjustment("Träger"), apply_to)).await.is(201);
    let sawn = json!({ "quantity": "1", "unit": "t", "processings": [{ "processing_id": sawing, "quantity": "2" }] });
    let lines = json!([
        with(sawn.clone(), json!({ "article_id": articles[0]["id"] })),
        with(sawn, json!({ "article_number": articles[0]["article_number"] })),
    ]);
    let body = json!({ "carts": [with(cart(&depot, lines), json!({ "at": "2026-12-01T12:00:00Z" }))] });
    let first = user.post(PATH, body.clone()).await.is(200);
    let (again, sent) = sent_by(user.post(PATH, body)).await;
    assert_eq!(again.is(200), first);
    let sent: Vec<_> = sent.iter().filter(|sql| !sql.starts_with("SELECT t.id AS session_id")).collect();
    assert_eq!(sent.len(), 2, "{sent:#?}");
    assert!(sent[0].contains("FROM \"article\"") && sent[1].contains("prices_version"), "{sent:#?}");
}

/// Tenants, groups, categories and processings are cached, so each kind of change must become visible.
#[actix_web::test]
async fn a_quote_reflects_changes_since_the_previous_one() {
    let depot = Depot::new().await;
    priced(&depot).await;
    let Depot { user, articles, catalog, .. } = &depot;
    let admin = &catalog.admin;
    let processing = admin.post(processings::PATH, sawing("Sägen", "-{schnittlaenge}")).await.is(201);
    user.post(processing_prices::PATH, costs(id(&processing), None, "4.5")).await.is(201);
    let category = json!({ "name": "Träger", "parent_id": null });
    let category = admin.post("/api/admin/categories", category).await.is(201);
    let apply_to = json!({ "apply_to": { "kind": "item", "categories": [id(&category)] } });
    user.post(price_adjustments::PATH, with(adjustment("Träger"), apply_to)).await.is(201);
    let line = json!({ "article_id": articles[0]["id"], "quantity": "1", "unit": "t", "processings": [{ "processing_id": id(&processing), "quantity": "2" }] });
    let body = json!({ "carts": [{ "buyer_short_code": "SUED", "lines": [line] }] });
    let ask = async || user.post(PATH, body.clone()).await;
    let before = ask().await.is(200);
    assert_eq!(before["data"][0]["lines"][0]["items"][0]["total"], "985");

    let below = json!({ "name": "HEB", "parent_id": id(&category), "article_type_id": depot.measured });
    admin.post("/api/admin/categories", below).await.is(201);
    assert_eq!(ask().await.is(200)["data"][0]["lines"][0]["items"][0]["total"], "955.45");

    let south = format!("/api/admin/tenants/{}", catalog.app.south);
    admin.patch(&south, json!({ "company": "Südeisen KG" })).await.is(200);
    assert_eq!(ask().await.is(200)["data"][0]["buyer"]["company"], "Südeisen KG");
    admin.patch(&south, json!({ "short_code": "SUEDEISEN" })).await.is(200);
    ask().await.is_refused_at(&["carts.0.buyer_short_code"]);
    admin.patch(&south, json!({ "short_code": "SUED" })).await.is(200);
    ask().await.is(200);

    let prices = user.get(processing_prices::PATH).await.is(200);
    user.delete(&format!("{}/{}", processing_prices::PATH, prices["data"][0]["id"])).await.is(204);
    admin.delete(&format!("{}/{}", processings::PATH, id(&processing))).await.is(204);
    let refused = ask().await.is(200)["data"][0]["lines"][0]["errors"][0].clone();
    assert_eq!(refused["field"], "processings.0.processing_id");
}

/// A discount for members of a group applies only while the buyer is one.
#[actix_web::test]
async fn a_quote_reflects_new_members_of_a_group() {
    let depot = Depot::new().await;
    priced(&depot).await;
    let Depot { user, articles, catalog, .. } = &depot;
    let group = |tenants: &[i64]| json!({ "name": "Einkauf", "description": null, "tenant_ids": tenants });
    let (north, south) = (catalog.app.north, catalog.app.south);
    let made = catalog.admin.post("/api/admin/tenant-groups", group(&[north])).await.is(201);
    let uri = format!("/api/admin/tenant-groups/{}", id(&made));
    let test = json!({ "type": "tenant_group", "op": "in", "value": [id(&made)] });
    let discount = with(adjustment("Verbund"), json!({ "conditions": { "all": [test] } }));
    user.post(price_adjustments::PATH, discount).await.is(201);
    let line = json!({ "article_id": articles[0]["id"], "quantity": "1", "unit": "t" });
    let total = async || {
        let body = json!({ "carts": [cart(&depot, json!([line.clone()]))] });
        user.post(PATH, body).await.is(200)["data"][0]["total"].clone()
    };
    assert_eq!(total().await, "985");
    catalog.admin.put(&uri, group(&[north, south])).await.is(200);
    assert_eq!(total().await, "955.45");
    catalog.admin.put(&uri, group(&[north])).await.is(200);
    assert_eq!(total().await, "985");
}

#[actix_web::test]
async fn article_units_are_the_same_with_the_cached_catalogue() {
    let app = TestApp::with_assortment().await;
    let (db, everything) = (&*app.db, Scope::platform());
    let read = article_units::load(db, &everything, Condition::all()).await.unwrap();
    assert!(read.len() > 100 && read.iter().any(|article| !article.relations().is_empty()));
    assert_eq!(article_units::load_with_catalogue(db, &everything, Condition::all()).await.unwrap(), read);
}

fn cart(depot: &Depot, lines: Value) -> Value {
    json!({ "buyer_id": depot.catalog.app.south, "lines": lines })
}

fn with(mut input: Value, changes: Value) -> Value {
    for (field, value) in changes.as_object().unwrap() {
        input[field] = value.clone();
    }
    input
}

async fn quote(client: &Client, carts: Value) -> Value {
    client.post(PATH, json!({ "carts": carts, "explain": true })).await.is(200)["data"].take()
}

#[actix_web::test]
async fn requests_for_cached_prices_are_counted_by_origin() {
    let depot = Depot::new().await;
    let stock = priced(&depot).await;
    let line = json!({ "article_id": depot.articles[0]["id"], "quantity": "1", "unit": "t" });
    let total = async || quote(&depot.user, json!([cart(&depot, json!([line]))])).await[0]["total"].clone();
    assert_eq!([total().await, total().await], ["985", "985"]);
    price(&depot, stock, "990").await;
    assert_eq!([total().await, total().await], ["990", "990"]);
    let text = depot.catalog.app.metrics().await;
    for line in [
        "stalhof_price_books 1",
        "stalhof_price_books_max_bytes 536870912",
        r#"stalhof_price_book_requests_total{origin="compiled"} 1"#,
        r#"stalhof_price_book_requests_total{origin="updated"} 1"#,
        r#"stalhof_price_book_requests_total{origin="cached"} 2"#,
    ] {
        assert!(text.lines().any(|found| found == line), "{line} is missing in\n{text}");
    }
    assert!(text.contains(r#"stalhof_price_book_compile_seconds_total{origin="updated"} "#), "{text}");
}

#[actix_web::test]
async fn a_cart_costs_the_prices_of_its_stocks_with_an_explanation() {
    let depot = Depot::new().await;
    let stock = priced(&depot).await;
    let number = &depot.articles[0]["article_number"];
    let lines = json!([
        { "article_number": number, "quantity": "3", "unit": "piece" },
        { "article_id": depot.articles[0]["id"], "quantity": "3", "warehouse_short_code": "du" },
        { "article_number": number, "quantity": "1", "unit": "t", "warehouse_short_code": "HH" },
        { "article_number": "NO", "quantity": "1" },
        { "article_number": number, "quantity": "0" },
        { "article_number": number, "quantity": "1", "unit": "l" },
        { "external_article_number": "4711", "quantity": "1" },
        { "article_id": depot.articles[1]["id"], "quantity": "1" },
    ]);
    let quoted = &quote(&depot.user, json!([cart(&depot, lines)])).await[0];
    let seller = json!({ "id": depot.catalog.app.north, "short_code": "NORD", "company": "NORD GmbH" });
    assert_eq!(quoted["seller"], seller);
    assert_eq!(quoted["buyer"]["id"], depot.catalog.app.south);
    // 3 pieces of 12 m are 36 m, of 61.3 kg each 2206.8 kg: 2.2068 t at 985 are 2173.698, at 900 are 1986.12
    let line = &quoted["lines"][0];
    let item = &line["items"][0];
    let expected = ["2173.7", "2173.7", "2173.698", "2206.8"];
    assert_eq!([&item["base"], &item["total"], &item["exact"], &item["weight"]], expected);
    assert_eq!(item["explanation"], json!({ "processing_price": null, "steps": [], "rounding": "0" }));
    assert_eq!(line["internal"], "1986.12");
    assert_eq!(line["margin"], json!({ "amount": "187.58", "percent": "8.63" }));
    let why = &line["explanation"];
    assert_eq!(why["stocks"], json!([{ "id": stock, "outcome": "won" }]));
    assert_eq!(why["price"]["price"], json!({ "price": "985", "price_quantity": "1", "unit": "t" }));
    assert_eq!(why["internal_price"]["exact"], "1986.12");
    let first = &why["price"]["conversions"][0];
    let known = json!({ "of_unit": "piece", "is_amount": "12", "is_unit": "m" });
    assert_eq!(
        (&first["amount"], &first["to_amount"], &first["because"]),
        (&json!("3"), &json!("36"), &known)
    );

    // without a unit the quantity is in the listing unit, pieces
    assert_eq!(quoted["lines"][1]["items"][0]["exact"], "2173.698");
    let refused: Vec<_> = quoted["lines"].as_array().unwrap()[2..]
        .iter()
        .map(|line| (line["errors"][0]["field"].as_str(), line["errors"][0]["code"].as_str().unwrap()))
        .collect();
    let expected = [
        (None, "no_price"),
        (Some("article_number"), "unknown_reference"),
        (Some("quantity"), "not_greater"),
        (Some("unit"), "wrong_unit_category"),
        (Some("external_article_number"), "unmatched"),
        (None, "no_price"),
    ];
    assert_eq!(refused, expected);
    // twice 2173.698: the total is rounded once and differs from the sum of the rounded lines
    assert_eq!((&quoted["total"], &quoted["rounding"]), (&json!("4347.4"), &json!("0")));
    assert_eq!(quoted["weight"], "4413.6");
}

#[actix_web::test]
async fn a_change_applies_to_the_next_quote_of_every_process() {
    let depot = Depot::new().await;
    let stock = priced(&depot).await;
    let mut other = depot.catalog.app.another_process().await;
    other.token.clone_from(&depot.user.token);
    let lines = || json!([{ "article_id": depot.articles[0]["id"], "quantity": "1", "unit": "t" }]);
    let total =
        async |client: &Client| quote(client, json!([cart(&depot, lines())])).await[0]["total"].clone();
    assert_eq!([total(&depot.user).await, total(&other).await], ["985", "985"]);
    price(&depot, stock, "990").await;
    assert_eq!([total(&other).await, total(&depot.user).await], ["990", "990"]);
    depot.user.delete(&format!("{}/{stock}", stocks::PATH)).await.is(204);
    let gone = quote(&other, json!([cart(&depot, lines())])).await;
    assert_eq!(gone[0]["lines"][0]["errors"][0]["code"], "no_price");
}

#[actix_web::test]
async fn a_buyer_sees_the_price_and_neither_cost_nor_margin() {
    let depot = Depot::new().await;
    let stock = priced(&depot).await;
    let app = &depot.catalog.app;
    let buyer = app.caller(Some(app.south), PermissionSet::all()).await;
    let lines = json!([{ "article_id": depot.articles[0]["id"], "quantity": "1", "unit": "t" }]);
    let mut bought = json!({ "seller_short_code": "nord", "lines": lines });
    let quoted = &quote(&buyer, json!([bought.clone()])).await[0];
    assert_eq!((&quoted["total"], &quoted["buyer"]["id"]), (&json!("985"), &json!(app.south)));
    let line = &quoted["lines"][0];
    for hidden in
        [&quoted["margin"], &line["margin"], &line["internal"], &line["explanation"]["internal_price"]]
    {
        assert_eq!(*hidden, Value::Null);
    }
    assert_eq!(line["explanation"]["stocks"], json!([{ "id": stock, "outcome": "won" }]));
    assert!(!quoted.to_string().contains("\"900\""), "{quoted}");
    // nor the prices of others
    bought["seller_short_code"] = Value::Null;
    bought["seller_id"] = app.north.into();
    bought["buyer_id"] = app.north.into();
    let refused = buyer.post(PATH, json!({ "carts": [bought] })).await;
    assert_eq!(refused.is(422)["error_codes"], json!({ "carts.0.buyer_id": ["unknown_reference"] }));
}

#[actix_web::test]
async fn a_buyer_can_name_only_warehouses_that_offer_the_article() {
    let depot = Depot::new().await;
    priced(&depot).await;
    let app = &depot.catalog.app;
    let buyer = app.caller(Some(app.south), PermissionSet::all()).await;
    let warehouses = "/api/admin/warehouses";
    let own = id(&buyer.post(warehouses, crate::warehouses::warehouse("Eigenes", "EIGEN")).await.is(201));
    // Hamburg has a stock without a sales price, and one of the other article with a price
    depot.user.post(stocks::PATH, depot.stock(0, 1)).await.is(201);
    let other = id(&depot.user.post(stocks::PATH, depot.stock(1, 1)).await.is(201));
    let meter = json!({ "external_price": { "price": "9", "unit": "m" } });
    depot.user.put(&format!("/api/admin/prices/{other}"), meter).await.is(200);
    let ask = async |warehouse: Value| {
        let mut line = json!({ "article_id": depot.articles[0]["id"], "quantity": "1", "unit": "t" });
        line.as_object_mut().unwrap().extend(warehouse.as_object().unwrap().clone());
        let cart = json!({ "seller_short_code": "NORD", "lines": [line] });
        let quoted = buyer.post(PROGRAMS, json!({ "carts": [cart] })).await.is(200)["data"][0].take();
        (quoted["total"].clone(), quoted["lines"][0]["errors"].clone())
    };
    assert_eq!(ask(json!({ "warehouse_short_code": "du" })).await, (json!("985"), json!([])));
    assert_eq!(ask(json!({ "warehouse_id": depot.warehouses[0] })).await, (json!("985"), json!([])));
    let (_, unknown) = ask(json!({ "warehouse_short_code": "NIE" })).await;
    assert_eq!(unknown[0]["field"], "warehouse_short_code");
    for code in ["HH", "EIGEN"] {
        assert_eq!(ask(json!({ "warehouse_short_code": code })).await.1, unknown, "{code}");
    }
    let (_, unknown) = ask(json!({ "warehouse_id": 987_654 })).await;
    for warehouse in [depot.warehouses[1], own] {
        assert_eq!(ask(json!({ "warehouse_id": warehouse })).await.1, unknown);
    }
    // and over time
    let mut asked = over_time(&depot);
    (asked["seller_short_code"], asked["warehouse_short_code"]) = ("NORD".into(), "DU".into());
    buyer.post(OVER_TIME, asked.clone()).await.is(200);
    asked["warehouse_short_code"] = "HH".into();
    buyer.post(OVER_TIME, asked).await.is_refused_at(&["warehouse_short_code"]);
}

#[actix_web::test]
async fn a_seller_can_request_a_quote_as_the_buyer_sees_it() {
    let depot = Depot::new().await;
    priced(&depot).await;
    let app = &depot.catalog.app;
    let discount = json!({
        "name": "Rabatt", "operation": "discount", "value": "10", "calculation_type": "relativeToBase",
        "apply_to": { "kind": "item_type", "item_types": ["article"] },
    });
    depot.user.post("/api/admin/price-adjustments", discount.clone()).await.is(201);
    let mut others = discount;
    others["name"] = "Nur für uns".into();
    others["tenant_ids"] = json!([app.north]);
    depot.user.post("/api/admin/price-adjustments", others).await.is(201);
    let lines = json!([{ "article_id": depot.articles[0]["id"], "quantity": "1", "unit": "t" }]);
    let at = values::now();
    let buyer = app.caller(Some(app.south), PermissionSet::all()).await;
    let bought = quote(&buyer, json!([{ "seller_short_code": "NORD", "at": at, "lines": lines }])).await;
    let sold = json!({ "buyer_id": app.south, "at": at, "lines": lines });
    let mut shown = sold.clone();
    shown["as_customer"] = true.into();
    assert_eq!(quote(&depot.user, json!([shown.clone()])).await, bought);
    assert_eq!(bought[0]["total"], "886.5");
    assert!(!bought.to_string().contains("Nur für uns") && !bought.to_string().contains("\"900\""));
    // without that the seller sees everything
    let sold = quote(&depot.user, json!([sold])).await;
    assert_eq!((&sold[0]["total"], &sold[0]["lines"][0]["internal"]), (&json!("886.5"), &json!("900")));
    assert!(sold.to_string().contains("Nur für uns"));
}

/// Processing of the first line of a cart: its total with the source of the price, or the field and code of
/// its error.
fn done(quoted: &Value) -> [Value; 3] {
    let line = &quoted["lines"][0];
    let error = &line["errors"][0];
    if !error.is_null() {
        return [error["field"].clone(), error["code"].clone(), Value::Null];
    }
    let item = &line["items"][1];
    let price = &item["explanation"]["processing_price"];
    [item["base"].clone(), price["source"].clone(), price["id"].clone()]
}

#[actix_web::test]
async fn the_price_of_a_processing_comes_only_from_the_seller() {
    let depot = Depot::new().await;
    priced(&depot).await;
    let (user, app) = (&depot.user, &depot.catalog.app);
    let sawing =
        id(&depot.catalog.admin.post(processings::PATH, sawing("Sägen", "-{schnittlaenge}")).await.is(201));
    let cut = json!({ "processing_id": sawing, "quantity": "3" });
    let line = |cut: &Value| json!([{ "article_id": depot.articles[0]["id"], "quantity": "1", "unit": "t", "processings": [cut] }]);
    let sold = async |cut: &Value| done(&quote(user, json!([{ "lines": line(cut) }])).await[0]);
    let buyer = app.caller(Some(app.south), PermissionSet::all()).await;
    let bought = async |cut: &Value| {
        done(&quote(&buyer, json!([{ "seller_short_code": "NORD", "lines": line(cut) }])).await[0])
    };
    let with_price = |price: Value| {
        let mut cut = cut.clone();
        cut["price"] = price;
        cut
    };
    let nothing = [Value::Null, json!("no_processing_price"), Value::Null];
    assert_eq!([sold(&cut).await, bought(&cut).await], [nothing.clone(), nothing]);

    let general = id(&user.post(processing_prices::PATH, costs(sawing, None, "4.5")).await.is(201));
    let response = [json!("13.5"), json!("general"), json!(general)];
    assert_eq!([sold(&cut).await, bought(&cut).await], [response.clone(), response]);
    let own = costs(sawing, Some(depot.measured), "5");
    let own = id(&user.post(processing_prices::PATH, own).await.is(201));
    let response = [json!("15"), json!("article_type"), json!(own)];
    assert_eq!([sold(&cut).await, bought(&cut).await], [response.clone(), response.clone()]);

    // the seller may set another price, a buyer may not
    let free = with_price(json!({ "price": "0", "unit": "piece" }));
    assert_eq!(sold(&free).await, [json!("0"), json!("question"), Value::Null]);
    let refused = [json!("processings.0.price"), json!("processing_price_of_seller"), Value::Null];
    assert_eq!(bought(&free).await, refused);
    assert_eq!(
        bought(&with_price(json!({ "price": "5", "unit": "piece" }))).await,
        refused,
        "though it is true"
    );
    assert_eq!(bought(&with_price(Value::Null)).await, response);
    let (_, program) = token(app, &buyer, &["listings:read"]).await;
    let cart = json!({ "seller_short_code": "NORD", "lines": line(&free) });
    let response = program.post(PROGRAMS, json!({ "carts": [cart], "explain": true })).await.is(200);
    assert_eq!(done(&response["data"][0]), refused);
    // the buyer's own prices for processings have no influence
    buyer.post(processing_prices::PATH, costs(sawing, None, "0")).await.is(201);
    assert_eq!(bought(&cut).await[2], own);
}

#[actix_web::test]
async fn programs_request_quotes_for_many_carts_within_limits() {
    let depot = Depot::new().await;
    priced(&depot).await;
    let app = &depot.catalog.app;
    let (_, program) = token(app, &depot.user, &["listings:read"]).await;
    let line = json!({ "article_id": depot.articles[0]["id"], "quantity": "1", "unit": "t" });
    let of = |carts: usize, lines: usize| json!({ "carts": vec![cart(&depot, json!(vec![line.clone(); lines])); carts] });
    let quoted = program.post(PROGRAMS, of(100, 20)).await.is(200);
    let data = quoted["data"].as_array().unwrap();
    assert_eq!((data.len(), &data[99]["index"], &data[99]["total"]), (100, &json!(99), &json!("19700")));
    assert_eq!(data[0]["explanation"], Value::Null, "unless it is asked for");
    for (body, path, code) in [
        (of(0, 1), "carts", "too_few"),
        (of(101, 1), "carts", "too_many"),
        (of(1, 0), "carts.0.lines", "too_few"),
        (of(1, 201), "carts.0.lines", "too_many"),
        (of(21, 96), "carts", "too_many"),
    ] {
        assert_eq!(program.post(PROGRAMS, body).await.is(422)["error_codes"], json!({ path: [code] }));
    }
    // processings count like lines
    let mut worked = of(10, 19);
    for line in worked["carts"]
        .as_array_mut()
        .unwrap()
        .iter_mut()
        .flat_map(|cart| cart["lines"].as_array_mut().unwrap())
    {
        line["processings"] = json!(vec![json!({ "processing_id": 1, "quantity": "1" }); 10]);
    }
    assert_eq!(program.post(PROGRAMS, worked).await.is(422)["error_codes"], json!({ "carts": ["too_many"] }));
    let mut late = of(1, 1);
    late["carts"][0]["at"] = "2150-01-01T00:00:00Z".into();
    assert_eq!(
        program.post(PROGRAMS, late).await.is(422)["error_codes"],
        json!({ "carts.0.at": ["invalid_parameter"] })
    );
    let mut unknown = of(1, 1);
    unknown["carts"][0]["seller_short_code"] = "NOBODY".into();
    let refused = program.post(PROGRAMS, unknown).await.is(422);
    assert_eq!(refused["error_codes"], json!({ "carts.0.seller_short_code": ["unknown_reference"] }));

    let (_, stocks) = token(app, &depot.user, &["stock:availability"]).await;
    stocks.post(PROGRAMS, of(1, 1)).await.is(403);
    let blind = app.caller(Some(app.north), all_but(permissions::VIEW_PRICE)).await;
    blind.post(PATH, of(1, 1)).await.is(403);
}

const OVER_TIME: &str = "/api/admin/quotes/over-time";

/// Request for a tonne of the first article, from a day ago to a day ahead.
fn over_time(depot: &Depot) -> Value {
    let day = chrono::TimeDelta::days(1);
    json!({
        "article_id": depot.articles[0]["id"], "quantity": "1", "unit": "t",
        "from": values::now() - day, "until": values::now() + day,
    })
}

#[actix_web::test]
async fn a_price_is_shown_over_time_and_past_prices_are_explained() {
    let depot = Depot::new().await;
    let stock = priced(&depot).await;
    price(&depot, stock, "990").await;
    let response = depot.user.post(OVER_TIME, over_time(&depot)).await.is(200);
    assert_eq!(response["seller"]["short_code"], "NORD");
    assert_eq!(
        (&response["article"]["id"], &response["quantity"], &response["unit"]),
        (&depot.articles[0]["id"], &json!("1"), &json!("t"))
    );
    assert_eq!(
        (&response["buyer"], &response["cut"], &response["explained"]),
        (&Value::Null, &json!(false), &Value::Null)
    );
    let steps = response["steps"].as_array().unwrap();
    let totals: Vec<_> =
        steps.iter().map(|step| (step["total"].as_str(), step["past"].as_bool().unwrap())).collect();
    assert_eq!(totals, [(None, true), (Some("985"), true), (Some("990"), true), (Some("990"), false)]);
    assert_eq!(steps[0]["error"]["code"], "no_price");
    assert_eq!(steps[1]["unit_price"], json!({ "price": "985", "price_quantity": "1", "unit": "t" }));
    assert_eq!(
        (&steps[1]["stock_id"], &steps[1]["list"], &steps[1]["error"]),
        (&json!(stock), &Value::Null, &Value::Null)
    );
    for pair in steps.windows(2) {
        assert_eq!(pair[0]["until"], pair[1]["from"]);
    }

    // as it was then, not as a quote of today would be
    let mut asked = over_time(&depot);
    asked["explain_at"] = steps[1]["from"].clone();
    let explained = depot.user.post(OVER_TIME, asked.clone()).await.is(200)["explained"].take();
    assert_eq!((&explained["total"], &explained["at"]), (&json!("985"), &steps[1]["from"]));
    let line = &explained["lines"][0];
    assert_eq!(line["explanation"]["price"]["price"]["price"], "985");
    assert_eq!(line["internal"], "900");
    asked["explain_at"] = steps[3]["from"].clone();
    assert_eq!(depot.user.post(OVER_TIME, asked).await.is(200)["explained"]["total"], "990");
}

#[actix_web::test]
async fn a_buyer_sees_prices_over_time_without_costs_and_others_see_none() {
    let depot = Depot::new().await;
    let stock = priced(&depot).await;
    let app = &depot.catalog.app;
    let buyer = app.caller(Some(app.south), PermissionSet::all()).await;
    let mut asked = over_time(&depot);
    asked["seller_short_code"] = "NORD".into();
    asked["explain_at"] = json!(values::now());
    let response = buyer.post(OVER_TIME, asked.clone()).await.is(200);
    assert_eq!(response["buyer"]["id"], app.south);
    assert_eq!(response["steps"].as_array().unwrap().last().unwrap()["total"], "985");
    assert_eq!(response["explained"]["lines"][0]["internal"], Value::Null);
    assert!(!response.to_string().contains("\"900\""), "{response}");

    // prices of others are not visible, and internal prices are no steps for a buyer
    let body = json!({ "external_price": { "price": "985", "unit": "t" }, "internal_price": { "price": "901", "unit": "t" } });
    depot.user.put(&format!("/api/admin/prices/{stock}"), body).await.is(200);
    let steps = |response: &Value| response["steps"].as_array().unwrap().len();
    assert_eq!(steps(&buyer.post(OVER_TIME, asked.clone()).await.is(200)), steps(&response));
    asked["buyer_id"] = app.north.into();
    let refused = buyer.post(OVER_TIME, asked).await.is(422);
    assert_eq!(refused["error_codes"], json!({ "buyer_id": ["unknown_reference"] }));
    let without = app.caller(Some(app.north), all_but(permissions::VIEW_PRICE)).await;
    without.post(OVER_TIME, over_time(&depot)).await.is(403);
}

#[actix_web::test]
async fn errors_of_a_request_over_time_are_reported_at_their_fields() {
    let depot = Depot::new().await;
    let ask = async |field: &str, value: Value| {
        let mut asked = over_time(&depot);
        asked[field] = value;
        depot.user.post(OVER_TIME, asked).await.is(422)["error_codes"].take()
    };
    assert_eq!(ask("quantity", json!("0")).await, json!({ "quantity": ["not_greater"] }));
    assert_eq!(ask("unit", json!("l")).await, json!({ "unit": ["wrong_unit_category"] }));
    assert_eq!(ask("article_id", json!(987)).await, json!({ "article_id": ["unknown_reference"] }));
    assert_eq!(
        ask("buyer_short_code", json!("XX")).await,
        json!({ "buyer_short_code": ["unknown_reference"] })
    );
    assert_eq!(ask("until", json!("2000-01-01T00:00:00Z")).await, json!({ "until": ["ends_before_start"] }));
    assert_eq!(ask("until", json!("2090-01-01T00:00:00Z")).await, json!({ "until": ["period_too_long"] }));
    assert_eq!(ask("from", json!("0001-01-01T00:00:00Z")).await, json!({ "from": ["invalid_parameter"] }));
}

#[actix_web::test]
async fn a_target_price_is_answered_with_the_required_percentages() {
    let depot = Depot::new().await;
    priced(&depot).await;
    let user = &depot.user;
    user.post(price_adjustments::PATH, adjustment("Rabatt")).await.is(201);
    let number = &depot.articles[0]["article_number"];
    // a tonne is 985, less 3 percent 955.45, with an internal price of 900
    let line = |more: Value| with(json!({ "article_number": number, "quantity": "1", "unit": "t" }), more);
    let aimed = async |client: &Client, more: Value, of_cart: Value| {
        let cart = with(cart(&depot, json!([line(more)])), of_cart);
        client.post(PATH, json!({ "carts": [cart] })).await.is(200)["data"][0].take()
    };
    let price = |price: &str, unit: &str| json!({ "target_price": { "price": price, "unit": unit } });
    let step = |from: &str, exact: &str, percent: &str, result: &str| json!({ "from": from, "exact_percent": exact, "percent": percent, "result": result });
    let expected = json!({
        "exact": "940",
        "from_paid": step("955.45", "-1.617039091527552", "-1.62", "939.97"),
        "from_base": step("985", "-4.568527918781726", "-4.57", "939.99"),
        "from_internal": step("900", "4.444444444444444", "4.44", "939.96"),
    });
    let answer = aimed(user, json!({ "target_total": "940" }), json!({ "target_total": "940" })).await;
    assert_eq!(
        (&answer["lines"][0]["target_total"], &answer["target_total"]),
        (&expected, &expected),
        "{answer}"
    );
    assert_eq!(answer["lines"][0]["target_price"], Value::Null);
    // a target for a unit applies to the whole line
    let answer = aimed(user, price("0.94", "kg"), json!({})).await;
    assert_eq!(answer["lines"][0]["target_price"], expected);
    assert_eq!((&answer["lines"][0]["target_total"], &answer["target_total"]), (&Value::Null, &Value::Null));
    // 61.3 kg a metre: 57.622 EUR a metre are 940 a tonne
    let answer = aimed(user, price("57.622", "m"), json!({})).await;
    assert_eq!(answer["lines"][0]["target_price"]["exact"], "940");

    let colleague = depot.catalog.app.caller(Some(depot.catalog.app.south), PermissionSet::all()).await;
    let bought = json!({ "seller_id": depot.catalog.app.north, "buyer_id": null });
    let answer = aimed(&colleague, json!({ "target_total": "940" }), bought).await;
    let target = &answer["lines"][0]["target_total"];
    assert_eq!((&target["from_paid"], &target["from_internal"]), (&expected["from_paid"], &Value::Null));

    // errors are reported at their fields; a refused line has no way to a target
    for (more, field) in [
        (json!({ "target_total": "0" }), "target_total"),
        (json!({ "target_total": "1.23456" }), "target_total"),
        (price("940", "l"), "target_price.unit"),
        (json!({ "target_price": { "price": "-1", "unit": "t" } }), "target_price.price"),
    ] {
        let answer = aimed(user, more, json!({})).await;
        assert_eq!(answer["lines"][0]["errors"][0]["field"], field, "{answer}");
        assert_eq!(answer["lines"][0]["target_total"], Value::Null);
    }
    let refused = with(cart(&depot, json!([line(json!({}))])), json!({ "target_total": "-1" }));
    user.post(PATH, json!({ "carts": [refused] })).await.is_refused_at(&["carts.0.target_total"]);
}

#[actix_web::test]
async fn a_target_total_includes_processings_and_a_target_price_does_not() {
    let depot = Depot::new().await;
    priced(&depot).await;
    let (user, catalog) = (&depot.user, &depot.catalog);
    let sawing =
        id(&catalog.admin.post(processings::PATH, sawing("Sägen", "-{schnittlaenge}")).await.is(201));
    let line = json!({
        "article_id": depot.articles[0]["id"], "quantity": "1", "unit": "t", "target_total": "1000",
        "target_price": { "price": "1000", "unit": "t" },
        "processings": [{ "processing_id": sawing, "quantity": "2", "price": { "price": "7.5", "unit": "piece" } }],
    });
    let answer = user.post(PATH, json!({ "carts": [cart(&depot, json!([line]))] })).await.is(200);
    let answer = &answer["data"][0]["lines"][0];
    // 985 and twice 7.50 already reach the target
    assert_eq!(answer["target_total"]["from_paid"]["percent"], "0");
    assert_eq!(answer["target_total"]["from_internal"], Value::Null);
    assert_eq!(answer["target_price"]["from_paid"]["from"], "985");
    assert_eq!(answer["target_price"]["from_internal"]["percent"], "11.11");
}
