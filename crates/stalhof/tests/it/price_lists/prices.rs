//! Prices of a list over HTTP: saved in bulk by the sheet, and changed all together.

use pricing::permissions;
use serde_json::{Value, json};

use super::{PATH, after, list, shift};
use crate::{
    catalog::id,
    stocks::{self, Depot},
    support::{Answer, Client, all_but},
};

pub(super) fn price(amount: &str, quantity: &str, unit: &str) -> Value {
    json!({ "price": amount, "price_quantity": quantity, "unit": unit })
}

/// Creates a list of the north; returns its id and the path of its prices.
pub(super) async fn listed(depot: &Depot, name: &str) -> (i64, String) {
    let created = depot.user.post(PATH, list(name, depot.catalog.app.north)).await.is(201);
    let list = id(&created);
    (list, format!("{PATH}/{list}/prices"))
}

pub(super) async fn put(user: &Client, uri: &str, prices: Value) -> Value {
    user.put(uri, json!({ "prices": prices })).await.is(200)["data"].clone()
}

/// Prices of the articles in the list.
pub(super) async fn costs(user: &Client, uri: &str) -> Vec<String> {
    let rows = user.get(&format!("{uri}?sort=article_number")).await.is(200)["data"].clone();
    rows.as_array()
        .unwrap()
        .iter()
        .map(|row| row["price"]["price"].as_str().unwrap_or("-").to_owned())
        .collect()
}

#[actix_web::test]
async fn prices_are_added_to_a_list_changed_and_removed() {
    let depot = Depot::new().await;
    let user = &depot.user;
    let (list, uri) = listed(&depot, "Verkauf").await;
    let [first, second] = [0, 1].map(|article| depot.articles[article]["id"].clone());
    let number = depot.articles[0]["article_number"].as_str().unwrap();
    let tier = |from: &str, unit: Option<&str>, amount: &str| json!({ "quantity_from": from, "quantity_unit": unit, "price": amount, "unit": "t" });
    let made = put(
        user,
        &uri,
        json!([
            { "article_number": number.to_lowercase(), "price": price("850", "1", "t"), "version": 0,
              "bulk_prices": [tier("20", None, "810"), tier("120", Some("m"), "830")] },
            { "article_id": second, "price": price("10", "1", "m") },
        ]),
    )
    .await;
    assert_eq!((&made[0]["version"], &made[0]["article"]["id"]), (&json!(1), &first));
    // 120 m are ten bars
    let tiers = made[0]["bulk_prices"].as_array().unwrap();
    let tiers: Vec<_> =
        tiers.iter().map(|tier| (tier["quantity_from"].clone(), tier["quantity_unit"].clone())).collect();
    assert_eq!(tiers, [(json!("120"), json!("m")), (json!("20"), json!("piece"))]);
    assert_eq!(user.get(&format!("{PATH}/{list}")).await.is(200)["price_count"], 2);

    // two users change the same price: the second gets an error, and nothing of theirs is written
    put(user, &uri, json!([{ "article_id": first, "price": price("860", "1", "t"), "version": 1 }])).await;
    let late = json!({ "prices": [
        { "article_id": second, "price": price("11", "1", "m") },
        { "article_id": first, "price": price("870", "1", "t"), "version": 1 },
    ] });
    let refused = user.put(&uri, late).await.is(422);
    assert_eq!(refused["error_codes"], json!({ "prices.1.version": ["stale"] }));
    let again = json!({ "prices": [{ "article_id": second, "price": price("11", "1", "m"), "version": 0 }] });
    assert_eq!(user.put(&uri, again).await.is(422)["error_codes"], json!({ "prices.0.version": ["stale"] }));
    assert_eq!(costs(user, &uri).await, ["860", "10"]);

    let left = put(
        user,
        &uri,
        json!([{ "article_id": second }, { "article_id": first, "bulk_prices": [tier("5", None, "800")] }]),
    )
    .await;
    assert_eq!(left.as_array().unwrap().len(), 1);
    assert_eq!(costs(user, &uri).await, ["-"]);
    // old and new price with the author
    let history = user
        .get(&format!("/api/admin/audit?filter[record]=price_list_entry&filter[record_id]={}", made[1]["id"]))
        .await
        .is(200);
    let actions: Vec<_> =
        history["data"].as_array().unwrap().iter().map(|entry| entry["action"].clone()).collect();
    assert_eq!(actions, [json!("deleted"), json!("created")]);
    assert_eq!(user.get(&format!("{PATH}/{list}")).await.is(200)["price_count"], 1);

    // the history shows prices only to users who may see those of the list
    let history =
        format!("/api/admin/audit?filter[record]=price_list_entry&filter[record_id]={}", made[0]["id"]);
    let fields = |entries: Value| {
        let entries = entries["data"].as_array().unwrap().clone();
        let changes = entries.iter().flat_map(|entry| entry["changes"].as_array().unwrap().clone());
        changes.map(|change| change["field"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert!(fields(user.get(&history).await.is(200)).contains(&"price".to_owned()));
    let blind = all_but(permissions::VIEW_PRICE_LIST);
    let blind = depot.catalog.app.caller(Some(depot.catalog.app.north), blind).await;
    let result = fields(blind.get(&history).await.is(200));
    assert_eq!(result, ["article_id", "price_list_id", "tenant_id"]);
}

#[actix_web::test]
async fn errors_are_reported_at_their_cell_and_nothing_is_written() {
    let depot = Depot::new().await;
    let user = &depot.user;
    let (_, uri) = listed(&depot, "Verkauf").await;
    let [first, second] = [0, 1].map(|article| depot.articles[article]["id"].clone());
    let tier = |from: &str, unit: &str| json!({ "quantity_from": from, "quantity_unit": unit, "price": "1", "unit": "m" });
    let body = json!({ "prices": [
        { "article_id": first, "price": price("850", "1", "t"), "version": 3 },
        { "article_id": second, "price": price("850", "1", "t"),
          "bulk_prices": [tier("1", "piece"), tier("6", "m"), tier("0", "m"), tier("1", "kg")] },
        { "article_id": 987_654_321, "price": price("1", "1", "t") },
        { "article_number": "GIBT ES NICHT", "price": price("1", "1", "t") },
        { "price": price("1", "1", "t") },
        { "article_id": first, "price": price("123456789", "0", "t") },
    ] });
    let refused = user.put(&uri, body).await.is(422);
    assert_eq!(
        refused["error_codes"],
        json!({
            "prices.0.version": ["stale"],
            "prices.1.price.unit": ["no_weight"],
            "prices.1.bulk_prices.1.quantity_from": ["duplicate"],
            "prices.1.bulk_prices.2.quantity_from": ["not_greater"],
            "prices.1.bulk_prices.3.quantity_unit": ["no_weight"],
            "prices.2.article_id": ["unknown_reference"],
            "prices.3.article_number": ["unknown_reference"],
            "prices.4.article_id": ["required"],
            "prices.5.article_id": ["duplicate"],
            "prices.5.price.price": ["invalid_decimal"],
            "prices.5.price.price_quantity": ["not_greater"],
        })
    );
    assert_eq!(costs(user, &uri).await, [""; 0]);
    for (count, code) in [(0, "too_few"), (501, "too_many")] {
        let many: Vec<_> = (0..count).map(|number| json!({ "article_id": number })).collect();
        let refused = user.put(&uri, json!({ "prices": many })).await.is(422);
        assert_eq!(refused["error_codes"], json!({ "prices": [code] }));
    }
    for amount in ["1e30", "123456789012345678901", "-0.0000001"] {
        let body = json!({ "prices": [{ "article_id": first, "price": price(amount, "1", "t") }] });
        user.put(&uri, body).await.is(422);
    }
    let below = json!({ "prices": [{ "article_id": first, "price": price("-0.0001", "1", "t") }] });
    assert_eq!(
        user.put(&uri, below).await.is(422)["error_codes"],
        json!({ "prices.0.price.price": ["too_small"] })
    );
}

#[actix_web::test]
async fn implausible_prices_are_put_under_review_and_an_expired_list_takes_none() {
    let depot = Depot::new().await;
    let user = &depot.user;
    let (list, uri) = listed(&depot, "Verkauf").await;
    let article = depot.articles[0]["id"].clone();
    put(user, &uri, json!([{ "article_id": article, "price": price("92.50", "100", "kg") }])).await;
    let held = put(user, &uri, json!([{ "article_id": article, "price": price("925", "100", "kg") }])).await;
    assert_eq!(held[0]["price"]["price"], "92.5");
    assert_eq!(
        (&held[0]["held"]["price"]["price"], &held[0]["held"]["mended"]),
        (&json!("925"), &price("925", "1", "t"))
    );
    assert_eq!(held[0]["held"]["reasons"][0]["code"], "price_basis_times");
    let waiting = user.get(&format!("{uri}?filter[held]=true")).await.is(200);
    assert_eq!(waiting["meta"]["total"], 1);
    let decide = format!("{uri}/decide");
    let body = |price: &Value, decision: &str| json!({ "prices": [{ "id": price["id"], "version": price["version"] }], "decision": decision });
    // another user proposes another price meanwhile: a user can release only what they have seen
    let other =
        put(user, &uri, json!([{ "article_id": article, "price": price("9250", "100", "kg") }])).await;
    user.post(&decide, body(&held[0], "release")).await.is_refused_at(&["prices.0.version"]);
    put(user, &uri, json!([{ "article_id": article, "price": price("925", "100", "kg") }])).await;
    user.post(&decide, body(&other[0], "release")).await.is_refused_at(&["prices.0.version"]);
    let held = user.get(&uri).await.is(200)["data"].clone();
    let mended = user.post(&decide, body(&held[0], "release_mended")).await.is(200)["data"].clone();
    assert_eq!((&mended[0]["price"], &mended[0]["held"]), (&price("925", "1", "t"), &Value::Null));
    user.post(&decide, body(&mended[0], "release")).await.is_refused_at(&["prices.0.id"]);
    // a change of 30 % is accepted; beyond that it is put under review and can be refused
    let raised =
        put(user, &uri, json!([{ "article_id": article, "price": price("1202.5", "1", "t") }])).await;
    assert_eq!(raised[0]["held"], Value::Null);
    let jump = put(user, &uri, json!([{ "article_id": article, "price": price("1566", "1", "t") }])).await;
    assert_eq!(jump[0]["held"]["reasons"][0]["code"], "price_jump");
    user.post(&decide, body(&jump[0], "release_mended")).await.is_refused_at(&["prices.0.id"]);
    let refused = user.post(&decide, body(&jump[0], "refuse")).await.is(200)["data"].clone();
    assert_eq!((&refused[0]["price"]["price"], &refused[0]["held"]), (&json!("1202.5"), &Value::Null));

    shift(&depot.catalog.app, list, -60, Some(-1)).await;
    let late = json!({ "prices": [{ "article_id": article, "price": price("1", "1", "t") }] });
    assert_eq!(user.put(&uri, late).await.is(409)["code"], "price_list_expired");
    let change = json!({ "change": { "percent": "1" } });
    for dry_run in [true, false] {
        let mut change = change.clone();
        change["dry_run"] = dry_run.into();
        assert_eq!(user.post(&format!("{uri}/change"), change).await.is(409)["code"], "price_list_expired");
    }
}

#[actix_web::test]
async fn prices_below_the_internal_price_are_put_under_review_even_if_new() {
    let depot = Depot::new().await;
    let (user, app) = (&depot.user, &depot.catalog.app);
    let for_all = super::with(list("Verkauf", app.north), json!({ "scope": "global", "announce": true }));
    let list = id(&user.post(PATH, for_all).await.is(201));
    let uri = format!("{PATH}/{list}/prices");
    let article = depot.articles[0]["id"].clone();
    let stock = id(&user.post(stocks::PATH, depot.stock(0, 0)).await.is(201));
    let internal = json!({ "internal_price": price("90", "100", "kg") });
    user.put(&format!("/api/admin/prices/{stock}"), internal).await.is(200);
    let ask = async |amount: &str| {
        put(user, &uri, json!([{ "article_id": article, "price": price(amount, "1", "t") }])).await[0].take()
    };
    let count = async || user.get(&format!("{PATH}/{list}")).await.is(200)["price_count"].clone();
    let decide = async |price: &Value, decision: &str| {
        let prices = json!([{ "id": price["id"], "version": price["version"] }]);
        user.post(&format!("{uri}/decide"), json!({ "prices": prices, "decision": decision })).await
    };

    let held = ask("850").await;
    assert_eq!((&held["price"], &held["held"]["price"]["price"]), (&Value::Null, &json!("850")));
    // the reason does not include the internal price
    let reasons = json!([{ "code": "list_below_internal", "message": "The price is below the internal price of the article." }]);
    assert_eq!((&held["held"]["reasons"], count().await), (&reasons, json!(1)));
    // a price under review is neither charged nor shown to customers nor copied
    let south = app.caller(Some(app.south), values::PermissionSet::all()).await;
    assert_eq!(south.get(&uri).await.is(200)["data"], json!([]));
    let timeline = json!({ "article_id": article, "type": "sales" });
    assert_eq!(user.post(&format!("{PATH}/timeline"), timeline).await.is(200)["segments"], json!([]));
    let file = user.get(&format!("{uri}/export?format=csv")).await;
    assert_eq!(String::from_utf8_lossy(&file.bytes).lines().count(), 1);
    let copy = json!({ "name": "Kopie", "valid_from": after(9_000), "change": {} });
    let copy = user.post(&format!("{PATH}/{list}/copy"), copy).await.is(201);
    assert_eq!(copy["price_list"]["price_count"], 0);

    // a refused price is removed; an undo puts it under review again
    let refused = decide(&held, "refuse").await;
    assert_eq!((&refused.is(200)["data"], count().await), (&json!([]), json!(0)));
    let undo = json!({ "request_id": refused.header("x-request-id") });
    user.post("/api/admin/audit/undo", undo).await.is(200);
    let again = user.get(&format!("{uri}?filter[held]=true")).await.is(200)["data"][0].take();
    assert_eq!((&again["held"]["price"], count().await), (&held["held"]["price"], json!(1)));
    let released = decide(&again, "release").await.is(200)["data"][0].take();
    assert_eq!((&released["price"]["price"], &released["held"]), (&json!("850"), &Value::Null));
    // a released price is accepted; a lower one is put under review, a higher one is not
    assert_eq!(ask("850").await["held"], Value::Null);
    assert_eq!(ask("840").await["held"]["reasons"][0]["code"], "list_below_internal");
    assert_eq!(ask("900").await["held"], Value::Null);

    // an internal list takes precedence over the stock, unless it is of another company or has expired
    let north = app.north;
    let mut cheap = super::list("Einkauf", north);
    cheap["type"] = "internal".into();
    cheap["valid_from"] = after(400).into();
    let cheap_list = id(&user.post(PATH, cheap.clone()).await.is(201));
    let inside = json!([{ "article_id": article, "price": price("800", "1", "t") }]);
    put(user, &format!("{PATH}/{cheap_list}/prices"), inside).await;
    shift(app, list, 800, None).await;
    assert_eq!(ask("820").await["held"], Value::Null);
    assert_eq!(ask("790").await["held"]["reasons"][0]["code"], "list_below_internal");
    shift(app, cheap_list, -60, Some(-1)).await;
    assert_eq!(ask("819").await["held"]["reasons"][0]["code"], "list_below_internal");
    // in bulk as well
    let lowered = json!({ "change": { "percent": "-1" } });
    let result = user.post(&format!("{uri}/change"), lowered.clone()).await.is(200);
    assert_eq!((&result["held"], &result["waiting"]), (&json!(0), &json!(1)), "they stay in review");
    let mut discarding = lowered;
    discarding["discard_waiting"] = true.into();
    let result = user.post(&format!("{uri}/change"), discarding).await.is(200);
    assert_eq!((&result["held"], &result["changed"]), (&json!(1), &json!(0)));
}

#[actix_web::test]
async fn a_bulk_change_of_prices_is_previewed_and_applied() {
    let depot = Depot::new().await;
    let user = &depot.user;
    let (list, uri) = listed(&depot, "Verkauf").await;
    let [first, second] = [0, 1].map(|article| depot.articles[article]["id"].clone());
    put(
        user,
        &uri,
        json!([
            { "article_id": first, "price": price("850", "1", "t") },
            { "article_id": second, "price": price("10", "1", "m") },
        ]),
    )
    .await;
    let change = format!("{uri}/change");
    let mut raise = json!({ "change": { "per_ton": "15" }, "dry_run": true });
    let result = user.post(&change, raise.clone()).await.is(200);
    assert_eq!(
        (&result["changed"], &result["impossible"], &result["median_percent"]),
        (&json!(1), &json!(1), &json!("1.76"))
    );
    assert_eq!(result["lines"][0]["reason"]["code"], "no_weight");
    assert_eq!(result["lines"][1]["after"]["price"]["price"], "865");
    assert_eq!(costs(user, &uri).await, ["850", "10"]);
    raise["dry_run"] = false.into();
    raise["count"] = 3.into();
    assert_eq!(user.post(&change, raise.clone()).await.is(409)["code"], "selection_changed");
    raise["count"] = 2.into();
    user.post(&change, raise).await.is(200);
    assert_eq!(costs(user, &uri).await, ["865", "10"]);
    // only prices that match the filters, rounded to whole numbers
    let of_second = format!("{change}?filter[article_id]={second}");
    user.post(&of_second, json!({ "change": { "percent": "4" }, "rounding": { "to": "0.5" } })).await.is(200);
    assert_eq!(costs(user, &uri).await, ["865", "10.5"]);
    // a large change is put under review
    let result = user.post(&change, json!({ "change": { "percent": "31" } })).await.is(200);
    assert_eq!((&result["held"], &result["changed"]), (&json!(2), &json!(0)));
    assert_eq!(costs(user, &uri).await, ["865", "10.5"]);
    for (body, at) in [
        (json!({}), "change"),
        (json!({ "change": { "percent": "1", "absolute": "1" } }), "change"),
        (json!({ "change": { "percent": "-101" } }), "change.percent"),
        (json!({ "change": {}, "rounding": { "to": "0" } }), "rounding.to"),
        (json!({ "change": { "percent": "1" }, "from_price_list_id": list }), "from_price_list_id"),
        (json!({ "change": { "percent": "1" }, "price_ids": [987_654] }), "price_ids.0"),
    ] {
        user.post(&change, body).await.is_refused_at(&[at]);
    }
    // taken from another list, including prices that this one lacks
    let (other, taken) = listed(&depot, "Andere").await;
    put(user, &taken, json!([{ "article_id": first, "price": price("860", "1", "t") }])).await;
    let from = json!({ "from_price_list_id": list, "change": {} });
    let result = user.post(&format!("{taken}/change"), from).await.is(200);
    assert_eq!((&result["created"], &result["changed"]), (&json!(1), &json!(1)));
    assert_eq!(costs(user, &taken).await, ["865", "10.5"]);
    assert_eq!(user.get(&format!("{PATH}/{other}")).await.is(200)["price_count"], 2);
}

#[actix_web::test]
async fn a_bulk_change_of_prices_is_undone_as_a_whole() {
    let depot = Depot::new().await;
    let user = &depot.user;
    let (list, uri) = listed(&depot, "Verkauf").await;
    let [first, second] = [0, 1].map(|article| depot.articles[article]["id"].clone());
    let dear = json!([
        { "article_id": first, "price": price("850", "1", "t") },
        { "article_id": second, "price": price("10", "1", "m") },
    ]);
    put(user, &uri, dear).await;
    let change = format!("{uri}/change");
    let undo = async |answer: &Answer| {
        let request = json!({ "request_id": answer.header("x-request-id") });
        user.post("/api/admin/audit/undo", request).await
    };
    let done = |done: u64| json!({ "done": done, "refused": [], "asks_for_articles": null, "asks_for_deletions": null });

    // undone, redone, and undone again
    let raised = user.post(&change, json!({ "change": { "percent": "4" } })).await;
    raised.is(200);
    assert_eq!(costs(user, &uri).await, ["884", "10.4"]);
    let back = undo(&raised).await;
    assert_eq!(back.is(200), done(2));
    assert_eq!(costs(user, &uri).await, ["850", "10"]);
    assert_eq!(undo(&raised).await.is(409)["code"], "already_undone");
    let of_first = user.get(&format!("{uri}?filter[article_id]={first}")).await.is(200)["data"][0].take();
    let history =
        format!("/api/admin/audit?filter[record]=price_list_entry&filter[record_id]={}", of_first["id"]);
    let entries = user.get(&history).await.is(200)["data"].clone();
    assert_eq!((&entries[0]["undoes"], &entries[1]["undone"]), (&entries[1]["id"], &json!(true)));
    assert_eq!(undo(&back).await.is(200), done(2));
    assert_eq!(costs(user, &uri).await, ["884", "10.4"]);

    // prices that the change has put under review no longer are
    let jump = user.post(&change, json!({ "change": { "percent": "50" } })).await;
    assert_eq!(jump.is(200)["held"], 2);
    assert_eq!(user.get(&format!("{uri}?filter[held]=true")).await.is(200)["meta"]["total"], 2);
    assert_eq!(undo(&jump).await.is(200), done(2));
    assert_eq!(user.get(&format!("{uri}?filter[held]=true")).await.is(200)["meta"]["total"], 0);
    assert_eq!(costs(user, &uri).await, ["884", "10.4"]);

    // prices changed by another user since are left alone and reported
    let rounded = user.post(&change, json!({ "change": {}, "rounding": { "to": "5" } })).await;
    rounded.is(200);
    assert_eq!(costs(user, &uri).await, ["885", "10"]);
    put(user, &uri, json!([{ "article_id": first, "price": price("899", "1", "t") }])).await;
    let part = undo(&rounded).await.is(200);
    assert_eq!((&part["done"], &part["refused"][0]["id"]), (&json!(1), &of_first["id"]));
    assert_eq!(costs(user, &uri).await, ["899", "10.4"]);

    // prices added from another list are removed, and replaced ones restored
    let (other, taken) = listed(&depot, "Andere").await;
    put(user, &taken, json!([{ "article_id": first, "price": price("860", "1", "t") }])).await;
    let from = json!({ "from_price_list_id": list, "change": {} });
    let taken_over = user.post(&format!("{taken}/change"), from.clone()).await;
    taken_over.is(200);
    assert_eq!(undo(&taken_over).await.is(200), done(2));
    assert_eq!(costs(user, &taken).await, ["860"]);
    assert_eq!(user.get(&format!("{PATH}/{other}")).await.is(200)["price_count"], 1);

    // nothing of an expired list is undone, and this is reported once
    let again = user.post(&format!("{taken}/change"), from).await;
    again.is(200);
    shift(&depot.catalog.app, other, -60, Some(-1)).await;
    assert_eq!(undo(&again).await.is(409)["code"], "price_list_expired");
    assert_eq!(costs(user, &taken).await, ["899", "10.4"]);
}

#[actix_web::test]
async fn a_next_version_copies_the_prices_and_ends_the_previous_one() {
    let depot = Depot::new().await;
    let (user, app) = (&depot.user, &depot.catalog.app);
    let (list, uri) = listed(&depot, "Verkauf").await;
    let [first, second] = [0, 1].map(|article| depot.articles[article]["id"].clone());
    put(
        user,
        &uri,
        json!([
            { "article_id": first, "price": price("850", "1", "t") },
            { "article_id": second, "price": price("10", "1", "m") },
        ]),
    )
    .await;
    shift(app, list, -3600, None).await;
    let change = json!({ "change": { "percent": "3" }, "rounding": { "to": "0.1", "direction": "up" } });
    let result = user.post(&format!("{PATH}/{list}/copy/preview"), change.clone()).await.is(200);
    assert_eq!((&result["changed"], &result["median_percent"]), (&json!(2), &json!("3")));
    let begins = after(7200);
    let mut input = change;
    input["name"] = "Verkauf neu".into();
    input["valid_from"] = begins.clone().into();
    input["ends_original"] = true.into();
    let made = user.post(&format!("{PATH}/{list}/copy"), input.clone()).await.is(201);
    let copy = &made["price_list"];
    assert_eq!((&copy["status"], &copy["price_count"]), (&json!("pending"), &json!(2)));
    assert_eq!(costs(user, &format!("{PATH}/{}/prices", copy["id"])).await, ["875.5", "10.3"]);
    let original = user.get(&format!("{PATH}/{list}")).await.is(200);
    assert_eq!((&original["status"], &original["valid_until"]), (&json!("active"), &copy["valid_from"]));
    assert_eq!(costs(user, &uri).await, ["850", "10"]);

    // the timeline of the lists: they are adjacent, so there is no gap and no overlap
    let timeline = format!("{PATH}/timeline");
    let seen = user.post(&timeline, json!({ "article_id": first, "type": "sales" })).await.is(200);
    let segments = seen["segments"].as_array().unwrap();
    let counts: Vec<_> = segments.iter().map(|segment| segment["counts"].clone()).collect();
    assert_eq!(counts, [json!(list), copy["id"].clone()]);
    assert!(segments.iter().all(|segment| segment["behind"] == json!([])), "{segments:?}");
    assert_eq!(segments[0]["until"], segments[1]["from"]);
    let of_internal = user.post(&timeline, json!({ "article_id": first, "type": "internal" })).await.is(200);
    assert_eq!(of_internal["segments"], json!([]));
    for (buyer, counts) in [
        (json!({ "buyer_id": app.north }), json!(list)),
        (json!({ "buyer_short_code": "nord" }), json!(list)),
        (json!({ "buyer_id": app.north, "buyer_short_code": "NORD" }), json!(list)),
        // the list is the north's own
        (json!({ "buyer_short_code": "SUED" }), Value::Null),
    ] {
        let of_buyer = super::with(json!({ "article_id": first, "type": "sales" }), buyer);
        assert_eq!(user.post(&timeline, of_buyer).await.is(200)["segments"][0]["counts"], counts);
    }
    for (unknown, at) in [
        (
            json!({ "article_id": 987_654, "buyer_id": 987_654, "type": "sales" }),
            &["article_id", "buyer_id"][..],
        ),
        (json!({ "article_id": first, "buyer_short_code": "NIE", "type": "sales" }), &["buyer_short_code"]),
    ] {
        user.post(&timeline, unknown).await.is_refused_at(at);
    }

    // an invalid copy writes nothing
    input["name"] = "VERKAUF".into();
    user.post(&format!("{PATH}/{list}/copy"), input.clone()).await.is_refused_at(&["name"]);
    input["name"] = "Dritte".into();
    input["valid_from"] = after(8000).into();
    let late = user.post(&format!("{PATH}/{list}/copy"), input.clone()).await.is(422);
    assert_eq!(late["error_codes"], json!({ "valid_from": ["behind_original"] }));
    input["valid_from"] = after(10).into();
    let soon = user.post(&format!("{PATH}/{list}/copy"), input.clone()).await.is(422);
    assert_eq!(soon["error_codes"], json!({ "valid_from": ["too_soon"] }));
    input["ends_original"] = false.into();
    input["valid_from"] = begins.into();
    user.post(&format!("{PATH}/{list}/copy"), input).await.is(201);
}

#[actix_web::test]
async fn articles_of_a_list_cannot_be_deleted_until_the_list_is_deleted() {
    let depot = Depot::new().await;
    let user = &depot.user;
    let (list, uri) = listed(&depot, "Verkauf").await;
    let article = depot.articles[0]["id"].clone();
    put(user, &uri, json!([{ "article_id": article, "price": price("850", "1", "t") }])).await;
    let number = depot.articles[0]["article_number"].as_str().unwrap();
    let of_article = format!("/api/admin/articles/{article}?confirm={number}");
    assert_eq!(depot.catalog.admin.delete(&of_article).await.is(409)["code"], "in_use");
    // an export is imported as it is shown
    let file = user.get(&format!("{uri}/export?format=csv")).await;
    let text = String::from_utf8_lossy(&file.bytes).into_owned();
    assert!(text.contains(number) && text.contains("850"), "{text}");
    user.delete(&format!("{PATH}/{list}")).await.is(204);
    user.get(&uri).await.is(404);
    depot.catalog.admin.delete(&of_article).await.is(204);
}

#[actix_web::test]
async fn a_change_of_a_price_is_undone_from_the_history() {
    let depot = Depot::new().await;
    let user = &depot.user;
    let (list, uri) = listed(&depot, "Verkauf").await;
    let article = depot.articles[0]["id"].clone();
    let save = async |price: Value| user.put(&uri, json!({ "prices": [price] })).await;
    let undo = async |answer: &Answer| {
        let body = json!({ "request_id": answer.header("x-request-id") });
        user.post("/api/admin/audit/undo", body).await
    };
    let tier = json!([{ "quantity_from": "10", "price": "800", "unit": "t" }]);
    let made =
        save(json!({ "article_id": article, "price": price("850", "1", "t"), "bulk_prices": tier })).await;
    let record = id(&made.is(200)["data"][0]);
    let raised =
        save(json!({ "article_id": article, "price": price("86", "100", "kg"), "bulk_prices": tier })).await;
    raised.is(200);
    let count = async || user.get(&format!("{PATH}/{list}")).await.is(200)["price_count"].clone();

    let back = undo(&raised).await;
    assert_eq!(back.is(200)["done"], 1);
    assert_eq!(costs(user, &uri).await, ["850"]);
    assert_eq!(undo(&back).await.is(200)["done"], 1);
    assert_eq!(costs(user, &uri).await, ["86"]);

    // tiers changed by another user since are left alone, and so is a price that was changed again
    let again =
        save(json!({ "article_id": article, "price": price("87", "100", "kg"), "bulk_prices": tier })).await;
    again.is(200);
    assert_eq!(undo(&raised).await.is(409)["code"], "changed_since");
    assert_eq!(undo(&made).await.is(409)["code"], "changed_since");

    let gone = save(json!({ "article_id": article })).await;
    gone.is(200);
    assert_eq!((costs(user, &uri).await.len(), count().await), (0, json!(0)));
    assert_eq!(undo(&gone).await.is(200)["done"], 1);
    let rows = user.get(&uri).await.is(200);
    assert_eq!((id(&rows["data"][0]), &rows["data"][0]["price"]), (record, &price("87", "100", "kg")));
    assert_eq!(rows["data"][0]["bulk_prices"].as_array().unwrap().len(), 1);
    assert_eq!(count().await, 1);
    assert_eq!(undo(&gone).await.is(409)["code"], "already_undone");
    let weak = all_but(permissions::UPDATE_PRICE_LIST);
    let weak = depot.catalog.app.caller(Some(depot.catalog.app.north), weak).await;
    let body = json!({ "request_id": again.header("x-request-id") });
    weak.post("/api/admin/audit/undo", body).await.is(403);
}
