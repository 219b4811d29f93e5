//! Stocks and prices in bulk: as rows of files, one by one, or all together; and only once, even if they are
//! sent repeatedly.

use actix_web::http::Method;
use logistics::permissions;
use sea_orm::{ConnectionTrait, Statement};
use serde_json::{Value, json};
use values::{PermissionSet, now};

use super::{place, with};
use crate::{
    access::token,
    catalog::id,
    stocks::{self, Depot},
    support::{Answer, Client, all_but},
    warehouses::warehouse,
};

const STOCKS: &str = "/api/v1/stocks";
const PRICES: &str = "/api/v1/prices";

fn results(answer: &Value) -> Vec<&str> {
    answer["data"].as_array().unwrap().iter().map(|item| item["result"].as_str().unwrap()).collect()
}

/// Fields and codes of the errors of an item.
fn faults(item: &Value) -> Vec<(String, &str)> {
    let fault = |fault: &'_ Value| fault["field"].as_str().unwrap_or("-").to_owned();
    item["errors"].as_array().unwrap().iter().map(|one| (fault(one), one["code"].as_str().unwrap())).collect()
}

async fn put(client: &Client, uri: &str, items: Vec<Value>) -> Value {
    client.put(uri, json!({ "items": items })).await.is(200)
}

#[actix_web::test]
async fn stocks_are_created_changed_or_left_unchanged_by_their_numbers() {
    let depot = Depot::new().await;
    let (_, erp) = token(&depot.catalog.app, &depot.user, &["import-stocks"]).await;
    let first =
        with(place(&depot, 0, "du"), json!({ "quantity": "3", "quantity_unit": "piece", "lead_time": 2880 }));
    let remnant = with(place(&depot, 0, "DU"), json!({ "quantity": "2.5", "length": "2500" }));
    let always = with(place(&depot, 1, "HH"), json!({ "availability_type": "always" }));
    let made = put(&erp, STOCKS, vec![first.clone(), remnant.clone(), always.clone()]).await;
    assert_eq!(results(&made), ["created", "created", "created"]);
    let stock = depot.user.get(&format!("{}/{}", stocks::PATH, made["data"][0]["id"])).await.is(200);
    for (field, expected) in [
        ("quantity", json!("36")),
        ("lead_time", json!(2880)),
        ("availability_type", json!("quantity")),
        ("version", json!(1)),
    ] {
        assert_eq!(stock[field], expected, "{field}");
    }
    let same = put(&erp, STOCKS, vec![first, remnant, always]).await;
    assert_eq!(results(&same), ["unchanged", "unchanged", "unchanged"]);
    assert_eq!(same["data"][1]["id"], made["data"][1]["id"]);
    // omitted fields stay, null removes a value
    let changed = put(
        &erp,
        STOCKS,
        vec![
            with(place(&depot, 0, "DU"), json!({ "lead_time": null })),
            with(place(&depot, 1, "HH"), json!({ "quantity": 7.5 })),
        ],
    );
    assert_eq!(results(&changed.await), ["updated", "updated"]);
    let stock = depot.user.get(&format!("{}/{}", stocks::PATH, made["data"][0]["id"])).await.is(200);
    assert_eq!((&stock["quantity"], &stock["lead_time"]), (&json!("36"), &Value::Null));
    let stock = depot.user.get(&format!("{}/{}", stocks::PATH, made["data"][2]["id"])).await.is(200);
    assert_eq!((&stock["quantity"], &stock["availability_type"]), (&json!("7.5"), &json!("quantity")));
}

#[actix_web::test]
async fn the_history_names_the_token_and_the_call() {
    let depot = Depot::new().await;
    let (token, erp) = token(&depot.catalog.app, &depot.user, &["import-stocks"]).await;
    let items = vec![
        with(place(&depot, 0, "DU"), json!({ "quantity": "1" })),
        with(place(&depot, 1, "DU"), json!({ "quantity": "1" })),
    ];
    let made = put(&erp, STOCKS, items.clone()).await;
    put(&erp, STOCKS, items).await;
    put(&erp, STOCKS, vec![with(place(&depot, 0, "DU"), json!({ "quantity": "2" }))]).await;
    let of = |index: usize| {
        format!(
            "/api/admin/audit?filter[record]=stock&filter[record_id]={}&sort=at",
            made["data"][index]["id"]
        )
    };
    let history = depot.user.get(&of(0)).await.is(200);
    let entries = history["data"].as_array().unwrap();
    assert_eq!(entries.len(), 2, "{history}");
    assert_eq!(entries[0]["action"], "created");
    assert_eq!(entries[1]["changes"].as_array().unwrap().len(), 1, "{history}");
    for entry in entries {
        assert_eq!((&entry["channel"], &entry["through"]["id"]), (&json!("token"), &json!(token)), "{entry}");
    }
    assert_eq!(depot.user.get(&of(1)).await.is(200)["data"].as_array().unwrap().len(), 1);
}

#[actix_web::test]
async fn errors_are_reported_at_their_item_and_field() {
    let depot = Depot::new().await;
    let (_, erp) = token(&depot.catalog.app, &depot.user, &["import-stocks"]).await;
    let here = |fields: Value| with(place(&depot, 0, "DU"), fields);
    let cases = [
        (here(json!({ "quantity": "1" })), "created", vec![]),
        (here(json!({ "quantity": "2" })), "refused", vec![("article_number", "repeated_item")]),
        (here(json!({ "quantity": "-0.000001", "length": "1" })), "refused", vec![("quantity", "too_small")]),
        (
            here(json!({ "quantity": "1", "quantity_unit": "l", "length": "2" })),
            "refused",
            vec![("quantity_unit", "wrong_unit_category")],
        ),
        (
            here(json!({ "quantity": "1", "lead_time": -1, "length": "3" })),
            "refused",
            vec![("lead_time", "invalid_lead_minutes")],
        ),
        (
            here(json!({ "quantity": "1", "length": "12001" })),
            "refused",
            vec![("length", "longer_than_article")],
        ),
        (
            here(json!({ "quantity": "1", "width": "1" })),
            "refused",
            vec![("width", "dimension_not_extended")],
        ),
        (
            here(json!({ "availability_type": "quantity", "quantity": null, "length": "4" })),
            "refused",
            vec![("quantity", "required")],
        ),
        (
            here(json!({ "availability_type": null, "quantity": "1", "length": "5" })),
            "refused",
            vec![("availability_type", "not_clearable")],
        ),
        (
            json!({ "article_number": "NO-1", "warehouse_short_code": "XX", "quantity": "1" }),
            "refused",
            vec![("article_number", "unknown_name"), ("warehouse_short_code", "unknown_name")],
        ),
        (
            json!({ "quantity": "1" }),
            "refused",
            vec![("article_number", "required"), ("warehouse_short_code", "required")],
        ),
        (
            json!({ "external_article_number": "4711", "warehouse_short_code": "DU", "quantity": "1" }),
            "unresolved",
            vec![("external_article_number", "unmatched")],
        ),
        (
            json!({ "article_number": "1,23E+12", "warehouse_short_code": "DU", "quantity": "1" }),
            "refused",
            vec![("article_number", "unknown_name")],
        ),
    ];
    let answer = put(&erp, STOCKS, cases.iter().map(|(item, _, _)| item.clone()).collect()).await;
    for (index, (item, result, expected)) in cases.iter().enumerate() {
        let item_result = &answer["data"][index];
        assert_eq!(
            (&item_result["index"], &item_result["result"]),
            (&json!(index), &json!(result)),
            "{item} {item_result}"
        );
        let mut found = faults(item_result);
        found.sort_unstable();
        let expected: Vec<_> = expected.iter().map(|(field, code)| ((*field).to_owned(), *code)).collect();
        assert_eq!(found, expected, "{item}");
        assert_eq!(item_result["id"].is_null(), *result != "created", "{item}");
    }
    // an invalid body refuses the whole call, and nothing is written
    for (body, path, code) in [
        (json!({ "items": [] }), "items", "too_few"),
        (json!({ "items": vec![json!({}); 1_001] }), "items", "too_many"),
        (json!({ "items": [{}, 7] }), "items.1", "wrong_type"),
        (json!({ "items": [here(json!({ "lead_time": "2" }))] }), "items.0.lead_time", "wrong_type"),
        (json!({ "items": [here(json!({ "quantities": "1" }))] }), "items.0.quantities", "unknown_field"),
        (json!({}), "items", "required"),
    ] {
        assert_eq!(erp.put(STOCKS, body).await.is(422)["error_codes"], json!({ path: [code] }));
    }
    put(&erp, STOCKS, vec![json!({}); 1_000]).await;
    // the maximum number of stored digits, and zero
    for (quantity, length) in [("1.123456", "6"), ("0", "7"), ("999999999999.999999", "8")] {
        let kept = put(&erp, STOCKS, vec![here(json!({ "quantity": quantity, "length": length }))]).await;
        let stock = depot.user.get(&format!("{}/{}", stocks::PATH, kept["data"][0]["id"])).await.is(200);
        assert_eq!(stock["quantity"], quantity);
        depot.user.delete(&format!("{}/{}", stocks::PATH, kept["data"][0]["id"])).await.is(204);
    }
    // another tenant's names of warehouses and articles are unknown here
    let app = &depot.catalog.app;
    let south = app.caller(Some(app.south), PermissionSet::all()).await;
    let linz = id(&south.post("/api/admin/warehouses", warehouse("Linz", "LNZ")).await.is(201));
    let matching = json!({
        "article_id": depot.articles[0]["id"], "external_article_number": "0815",
        "warehouse_id": linz, "external_warehouse_identifier": "W9",
    });
    south.post("/api/admin/matchings", matching).await.is(201);
    let foreign = [
        (json!({ "warehouse_short_code": "LNZ" }), "refused", "warehouse_short_code", "unknown_name"),
        (
            json!({ "external_warehouse_identifier": "W9" }),
            "unresolved",
            "external_warehouse_identifier",
            "unmatched",
        ),
        (
            json!({ "external_article_number": "0815", "warehouse_short_code": "DU" }),
            "unresolved",
            "external_article_number",
            "unmatched",
        ),
    ];
    for (fields, result, field, code) in foreign {
        let mut item = with(json!({ "quantity": "1" }), fields);
        if item["external_article_number"].is_null() {
            item = with(item, json!({ "article_number": depot.articles[0]["article_number"] }));
        }
        let item_result = put(&erp, STOCKS, vec![item]).await;
        assert_eq!(
            (results(&item_result), faults(&item_result["data"][0])),
            (vec![result], vec![(field.to_owned(), code)])
        );
    }
    assert_eq!(depot.user.get(stocks::PATH).await.is(200)["meta"]["total"], 1);
}

#[actix_web::test]
async fn external_numbers_are_accepted_in_place_of_own_numbers() {
    let depot = Depot::new().await;
    let matching = json!({
        "article_id": depot.articles[0]["id"], "external_article_number": "4711",
        "warehouse_id": depot.warehouses[0], "external_warehouse_identifier": "W1",
    });
    depot.user.post("/api/admin/matchings", matching).await.is(201);
    let (_, erp) = token(&depot.catalog.app, &depot.user, &["import-stocks"]).await;
    let item =
        json!({ "external_article_number": "4711", "external_warehouse_identifier": "w1", "quantity": "5" });
    let made = put(&erp, STOCKS, vec![item.clone(), item]).await;
    assert_eq!(results(&made), ["created", "refused"]);
    assert_eq!(faults(&made["data"][1]), [("external_article_number".to_owned(), "repeated_item")]);
    let stock = depot.user.get(&format!("{}/{}", stocks::PATH, made["data"][0]["id"])).await.is(200);
    assert_eq!(
        (&stock["article"]["id"], &stock["warehouse"]["short_code"]),
        (&depot.articles[0]["id"], &json!("DU"))
    );
}

#[actix_web::test]
async fn prices_are_checked_for_plausibility_and_keep_omitted_fields() {
    let depot = Depot::new().await;
    let app = &depot.catalog.app;
    let stock = id(&depot.user.post(stocks::PATH, depot.stock(0, 0)).await.is(201));
    let (_, erp) = token(app, &depot.user, &["import-prices"]).await;
    let money = |price: &str| json!({ "price": price, "price_quantity": "100", "unit": "kg" });
    let tiers = json!([
        { "quantity_from": "10", "price": "83", "price_quantity": "100", "unit": "kg" },
        { "quantity_from": "60", "quantity_unit": "m", "price": "840", "unit": "t" },
    ]);
    let item = |fields: Value| with(place(&depot, 0, "DU"), fields);
    let said = item(
        json!({ "external_price": money("85"), "internal_price": { "price": "700", "unit": "t" }, "external_bulk_prices": tiers }),
    );
    let done = put(&erp, PRICES, vec![said.clone()]).await;
    assert_eq!(results(&done), ["updated"], "{done}");
    assert_eq!(done["data"][0]["id"], stock);
    let shown = depot.user.get(&format!("/api/admin/prices/{stock}")).await.is(200);
    let kept: Vec<_> = shown["external_bulk_prices"]
        .as_array()
        .unwrap()
        .iter()
        .map(|tier| {
            ["quantity_from", "quantity_unit", "price", "price_quantity", "unit"]
                .map(|field| tier[field].clone())
        })
        .collect();
    assert_eq!(
        kept,
        [["60", "m", "840", "1", "t"].map(Value::from), ["10", "piece", "83", "100", "kg"].map(Value::from)]
    );
    assert_eq!(results(&put(&erp, PRICES, vec![said]).await), ["unchanged"]);
    // ten times as high
    let held = put(&erp, PRICES, vec![item(json!({ "external_price": money("850") }))]).await;
    assert_eq!(results(&held), ["held"]);
    assert_eq!(held["data"][0]["warnings"][0]["field"], "external_price.price");
    let shown = depot.user.get(&format!("/api/admin/prices/{stock}")).await.is(200);
    assert_eq!(
        (&shown["external_price"]["price"], &shown["held"]["external_price"]["price"]),
        (&json!("85"), &json!("850"))
    );
    assert_eq!(shown["external_bulk_prices"].as_array().unwrap().len(), 2);
    // for a tier, at its index in the item, whatever the stored order
    let tiers = json!([
        { "quantity_from": "10", "price": "83", "price_quantity": "100", "unit": "kg" },
        { "quantity_from": "5", "price": "8400", "unit": "t" },
    ]);
    let held = put(&erp, PRICES, vec![item(json!({ "external_bulk_prices": tiers }))]).await;
    let warnings = held["data"][0]["warnings"].as_array().unwrap();
    let item_result: Vec<_> = warnings.iter().map(|warning| &warning["field"]).collect();
    assert_eq!(item_result, ["external_bulk_prices.1.price"]);
    // a plausible price replaces the one under review
    let cleared =
        item(json!({ "external_price": money("86"), "external_bulk_prices": [], "internal_price": null }));
    assert_eq!(results(&put(&erp, PRICES, vec![cleared]).await), ["updated"]);
    let shown = depot.user.get(&format!("/api/admin/prices/{stock}")).await.is(200);
    assert_eq!(
        (&shown["held"], &shown["internal_price"], &shown["external_bulk_prices"]),
        (&Value::Null, &Value::Null, &json!([]))
    );

    let wrong = put(
        &erp,
        PRICES,
        vec![
            with(place(&depot, 1, "DU"), json!({ "external_price": money("1") })),
            item(json!({ "external_price": { "price": "-1", "unit": "t" } })),
            with(place(&depot, 0, "HH"), json!({ "external_price": { "price": "1", "unit": "l" } })),
        ],
    )
    .await;
    assert_eq!(results(&wrong), ["refused", "refused", "refused"]);
    assert_eq!(faults(&wrong["data"][0]), [("article_number".to_owned(), "no_stock")]);
    assert_eq!(faults(&wrong["data"][1]), [("external_price.price".to_owned(), "too_small")]);
    let duplicate = json!([tiers[0], tiers[0]]);
    let wrong = put(&erp, PRICES, vec![item(json!({ "external_bulk_prices": duplicate }))]).await;
    assert_eq!(faults(&wrong["data"][0]), [("external_bulk_prices.1.quantity_from".to_owned(), "duplicate")]);
    // 120 m are ten bars
    let converted =
        json!([tiers[0], { "quantity_from": "120", "quantity_unit": "m", "price": "840", "unit": "t" }]);
    let wrong = put(&erp, PRICES, vec![item(json!({ "external_bulk_prices": converted }))]).await;
    assert_eq!(faults(&wrong["data"][0]), [("external_bulk_prices.1.quantity_from".to_owned(), "duplicate")]);
    let most: Vec<_> =
        (1..=50).map(|from| with(tiers[0].clone(), json!({ "quantity_from": from }))).collect();
    assert_eq!(
        results(&put(&erp, PRICES, vec![item(json!({ "external_bulk_prices": most }))]).await),
        ["updated"]
    );
    let many = item(json!({ "external_bulk_prices": vec![tiers[0].clone(); 51] }));
    let refused = erp.put(PRICES, json!({ "items": [many] })).await.is(422);
    assert_eq!(refused["error_codes"], json!({ "items.0.external_bulk_prices": ["too_many"] }));
}

#[actix_web::test]
async fn a_dry_run_reports_all_results_and_writes_nothing() {
    let depot = Depot::new().await;
    let (_, erp) = token(&depot.catalog.app, &depot.user, &["import-stocks"]).await;
    let items = [with(place(&depot, 0, "DU"), json!({ "quantity": "1" }))];
    let tried = erp.put(STOCKS, json!({ "items": items, "dry_run": true })).await.is(200);
    assert_eq!(
        (results(&tried), &tried["data"][0]["id"], &tried["dry_run"]),
        (vec!["created"], &Value::Null, &json!(true))
    );
    assert_eq!(depot.user.get(stocks::PATH).await.is(200)["meta"]["total"], 0);
}

#[actix_web::test]
async fn a_caller_needs_the_permissions_of_an_upload_of_the_type() {
    let depot = Depot::new().await;
    let app = &depot.catalog.app;
    let body = json!({ "items": [with(place(&depot, 0, "DU"), json!({ "quantity": "1" }))] });
    let (_, prices) = token(app, &depot.user, &["import-prices"]).await;
    assert_eq!(prices.put(STOCKS, body.clone()).await.is(403)["code"], "forbidden");
    let (_, reads) = token(app, &depot.user, &["stock:availability"]).await;
    assert_eq!(reads.put(STOCKS, body.clone()).await.is(403)["code"], "ability_missing");
    let clerk = app.caller(Some(app.north), all_but(permissions::UPDATE_STOCK)).await;
    assert_eq!(clerk.put(STOCKS, body.clone()).await.is(403)["code"], "forbidden");
    // users may write as well; another tenant does not know the names; the platform must choose a tenant
    let south = app.caller(Some(app.south), PermissionSet::all()).await;
    assert_eq!(results(&south.put(STOCKS, body.clone()).await.is(200)), ["refused"]);
    assert_eq!(app.platform().await.put(STOCKS, body.clone()).await.is(422)["code"], "tenant_required");
    assert_eq!(results(&depot.user.put(STOCKS, body).await.is(200)), ["created"]);
}

async fn under_key(client: &Client, uri: &str, key: &str, body: &Value) -> Answer {
    let request = client.request(Method::PUT, uri).insert_header(("idempotency-key", key));
    client.call(request.set_json(body)).await
}

#[actix_web::test]
async fn a_call_with_an_idempotency_key_is_executed_once() {
    let depot = Depot::new().await;
    let app = &depot.catalog.app;
    let (_, erp) = token(app, &depot.user, &["import-stocks", "import-prices"]).await;
    let body =
        |quantity: &str| json!({ "items": [with(place(&depot, 0, "DU"), json!({ "quantity": quantity }))] });
    let first = under_key(&erp, STOCKS, "\"nachtlauf-1\"", &body("1")).await;
    assert_eq!((results(&first.is(200)), first.header("idempotent-replayed")), (vec!["created"], ""));
    put(&erp, STOCKS, vec![with(place(&depot, 0, "DU"), json!({ "quantity": "2" }))]).await;
    let again = under_key(&erp, STOCKS, "nachtlauf-1", &body("1")).await;
    assert_eq!((&again.bytes, again.header("idempotent-replayed")), (&first.bytes, "true"));
    let stock = format!("{}/{}", stocks::PATH, first.is(200)["data"][0]["id"]);
    assert_eq!(depot.user.get(&stock).await.is(200)["quantity"], "2", "it was not done again");

    let price = json!({ "items": [with(place(&depot, 0, "DU"), json!({ "external_price": null }))] });
    for (uri, body) in [(STOCKS, body("3")), (PRICES, price)] {
        assert_eq!(under_key(&erp, uri, "nachtlauf-1", &body).await.is(422)["code"], "key_reused");
    }
    // another user's key is independent, and a key of a call that did nothing is free
    let other = app.caller(Some(app.north), PermissionSet::all()).await;
    assert_eq!(results(&under_key(&other, STOCKS, "nachtlauf-1", &body("2")).await.is(200)), ["unchanged"]);
    under_key(&erp, STOCKS, "nachtlauf-2", &json!({ "items": [] })).await.is(422);
    let mut dry = body("4");
    dry["dry_run"] = true.into();
    under_key(&erp, STOCKS, "nachtlauf-2", &dry).await.is(200);
    assert_eq!(results(&under_key(&erp, STOCKS, "nachtlauf-2", &body("5")).await.is(200)), ["updated"]);
    for (key, code) in
        [("", "required"), ("\"\"", "required"), (&*"x".repeat(256), "too_long"), ("ä", "not_printable")]
    {
        let refused = under_key(&erp, STOCKS, key, &body("1")).await.is(422);
        assert_eq!(refused["error_codes"], json!({ "Idempotency-Key": [code] }), "{key}");
    }
    // keys are stored for a day
    app.clean_up(now() + identity::idempotency::answer_lifetime() - chrono::TimeDelta::minutes(1)).await;
    assert_eq!(under_key(&erp, STOCKS, "nachtlauf-1", &body("3")).await.is(422)["code"], "key_reused");
    app.clean_up(now() + identity::idempotency::answer_lifetime() + chrono::TimeDelta::minutes(1)).await;
    assert_eq!(results(&under_key(&erp, STOCKS, "nachtlauf-1", &body("3")).await.is(200)), ["updated"]);
}

#[actix_web::test]
async fn changed_quantities_do_not_invalidate_cached_prices() {
    let depot = Depot::new().await;
    let app = &depot.catalog.app;
    let (_, erp) = token(app, &depot.user, &["import-stocks", "import-prices"]).await;
    let version =
        async || store::versioned_cache::prices_version(&*app.db, values::TenantId(app.north)).await.unwrap();
    let stock = |quantity: &str| with(place(&depot, 0, "DU"), json!({ "quantity": quantity }));
    let price = |price: &str| {
        let price = json!({ "price": price, "price_quantity": "1", "unit": "t" });
        with(place(&depot, 0, "DU"), json!({ "external_price": price }))
    };
    let before = version().await;
    assert_eq!(results(&put(&erp, STOCKS, vec![stock("3")]).await), ["created"]);
    assert_eq!(version().await, before, "it has no price yet");
    put(&erp, PRICES, vec![price("850")]).await;
    let priced = version().await;
    assert!(priced > before);
    assert_eq!(results(&put(&erp, STOCKS, vec![stock("4")]).await), ["updated"]);
    assert_eq!(version().await, priced);
    put(&erp, PRICES, vec![price("851")]).await;
    assert!(version().await > priced);
}

#[actix_web::test]
async fn stored_answers_are_limited_in_number_and_size() {
    use identity::idempotency::{BYTES_MAX, KEYS_MAX};
    let depot = Depot::new().await;
    let app = &depot.catalog.app;
    let (_, erp) = token(app, &depot.user, &["import-stocks"]).await;
    let body =
        |quantity: &str| json!({ "items": [with(place(&depot, 0, "DU"), json!({ "quantity": quantity }))] });
    let first = under_key(&erp, STOCKS, "erster", &body("1")).await;
    let stock = format!("{}/{}", stocks::PATH, first.is(200)["data"][0]["id"]);
    let quantity = async || depot.user.get(&stock).await.is(200)["quantity"].clone();
    let run = async |sql: &str, values: Vec<sea_orm::Value>| {
        let db = app.db.writer();
        let statement = Statement::from_sql_and_values(db.get_database_backend(), sql, values);
        db.execute_raw(statement).await.unwrap();
    };
    // together with the first, one less than the maximum
    let many = "INSERT INTO idempotency (user_id, \"key\", fingerprint, answer, created_at) \
        WITH RECURSIVE n(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < $1) \
        SELECT user_id, 'k' || n.n, '', '', created_at FROM idempotency, n";
    run(many, vec![(KEYS_MAX - 2).into()]).await;
    assert_eq!(results(&under_key(&erp, STOCKS, "letzter", &body("2")).await.is(200)), ["updated"]);
    let refused = under_key(&erp, STOCKS, "zu viel", &body("3")).await;
    assert_eq!(refused.is(429)["code"], "too_many_keys");
    let day = 24 * 60 * 60;
    let wait: i64 = refused.header("retry-after").parse().unwrap();
    assert!((day - 600..=day + 1).contains(&wait), "until the oldest is forgotten: {wait}");
    assert_eq!(quantity().await, "2", "nothing was done");
    // stored calls are answered; other users, and calls without a key, do not wait
    assert_eq!(under_key(&erp, STOCKS, "erster", &body("1")).await.bytes, first.bytes);
    let other = app.caller(Some(app.north), PermissionSet::all()).await;
    under_key(&other, STOCKS, "zu viel", &body("4")).await.is(200);
    put(&erp, STOCKS, vec![with(place(&depot, 0, "DU"), json!({ "quantity": "5" }))]).await;
    run("DELETE FROM idempotency WHERE \"key\" = 'k1'", Vec::new()).await;
    assert_eq!(results(&under_key(&erp, STOCKS, "zu viel", &body("3")).await.is(200)), ["updated"]);

    // answers are identical, byte for byte
    run("DELETE FROM idempotency WHERE \"key\" <> 'erster'", Vec::new()).await;
    let answer = |bytes: i64| sea_orm::Value::from("ä".repeat(usize::try_from(bytes).unwrap() / 2));
    let room = "UPDATE idempotency SET answer = $1 WHERE \"key\" = 'erster'";
    run(room, vec![answer(BYTES_MAX)]).await;
    assert_eq!(under_key(&erp, STOCKS, "gross", &body("6")).await.is(429)["code"], "too_many_keys");
    run(room, vec![answer(BYTES_MAX - 2)]).await;
    assert_eq!(results(&under_key(&erp, STOCKS, "gross", &body("6")).await.is(200)), ["updated"]);
    assert_eq!(under_key(&erp, STOCKS, "noch einer", &body("7")).await.is(429)["code"], "too_many_keys");
    assert_eq!(quantity().await, "6");
}

#[actix_web::test]
async fn identical_concurrent_calls_are_executed_once() {
    let depot = Depot::new().await;
    let (_, erp) = token(&depot.catalog.app, &depot.user, &["import-stocks"]).await;
    let body = json!({ "items": [with(place(&depot, 0, "DU"), json!({ "quantity": "1" }))] });
    let calls = (0..8).map(|_| under_key(&erp, STOCKS, "gleichzeitig", &body));
    let answers = futures_util::future::join_all(calls).await;
    let replayed = answers.iter().filter(|answer| answer.header("idempotent-replayed") == "true").count();
    assert_eq!(replayed, 7);
    assert!(answers.iter().all(|answer| answer.is(200) == answers[0].is(200)));
}

/// Sends a body as text, since a JSON number would be rounded before it is sent.
async fn put_text(client: &Client, uri: &str, body: &str) -> Value {
    let request = client.request(Method::PUT, uri).insert_header(("content-type", "application/json"));
    client.call(request.set_payload(body.to_owned())).await.is(200)
}

#[actix_web::test]
async fn an_invalid_decimal_refuses_only_its_item() {
    let depot = Depot::new().await;
    let (_, erp) = token(&depot.catalog.app, &depot.user, &["import-stocks", "import-prices"]).await;
    let [number, other] = [0, 1].map(|article| depot.articles[article]["article_number"].as_str().unwrap());
    let body = format!(
        r#"{{ "items": [
            {{ "article_number": "{number}", "warehouse_short_code": "DU", "quantity": 0.30000000000000004 }},
            {{ "article_number": "{number}", "warehouse_short_code": "HH", "quantity": "2.5" }},
            {{ "article_number": "{other}", "warehouse_short_code": "DU", "quantity": "1.1234567" }},
            {{ "article_number": "{other}", "warehouse_short_code": "HH", "quantity": 0.1 }}
        ] }}"#
    );
    let answer = put_text(&erp, STOCKS, &body).await;
    assert_eq!(results(&answer), ["refused", "created", "refused", "created"]);
    assert_eq!((&answer["data"][2]["index"], &answer["data"][2]["id"]), (&json!(2), &Value::Null));
    for index in [0, 2] {
        assert_eq!(faults(&answer["data"][index]), [("quantity".to_owned(), "no_decimal")]);
    }
    let stocks = depot.user.get(&format!("{}?sort=id", stocks::PATH)).await.is(200);
    let quantities: Vec<_> =
        stocks["data"].as_array().unwrap().iter().map(|row| row["quantity"].as_str().unwrap()).collect();
    assert_eq!(quantities, ["2.5", "0.1"]);

    // within a price as well, and in a call whose only item is refused
    let body = format!(
        r#"{{ "items": [{{ "article_number": "{number}", "warehouse_short_code": "HH",
            "external_price": {{ "price": 92.50000001, "price_quantity": "100", "unit": "kg" }} }}] }}"#
    );
    let answer = put_text(&erp, PRICES, &body).await;
    assert_eq!(results(&answer), ["refused"]);
    assert_eq!(faults(&answer["data"][0]), [("external_price.price".to_owned(), "no_decimal")]);
}
