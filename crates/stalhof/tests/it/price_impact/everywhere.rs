//! Every way of changing a price shows its impact, with the same numbers, and writes nothing.

use pricing::{permissions, surcharge_table::surcharges::Month};
use serde_json::{Value, json};
use values::{Permission, PermissionSet, today};

use super::{IMPACT, listed, price, priced, rows, stock, with};
use crate::{
    catalog::id,
    imports::{IMPORTS, ended},
    price_adjustments::{self, adjustment},
    price_lists::{self, list, shift},
    processing_prices::{self, costs},
    processings::{self, sawing},
    support::{Answer, Client, Form, TestApp, all_but},
};

const AUDIT: &str = "/api/admin/audit";
const TABLES: &str = "/api/admin/surcharge-tables";
const PRICES: &str = "/api/admin/prices/impact";
const RELEASE: &str = "/api/admin/held-prices/bulk-change/impact";
const DELETION: &str = "/api/admin/price-lists/bulk-delete/impact";

/// Newest history entry of a kind of records.
async fn last(client: &Client, record: &str) -> i64 {
    let listed = client.get(&format!("{AUDIT}?filter[record]={record}&sort=-at")).await.is(200);
    id(&listed["data"][0])
}

async fn impact_of_undo(client: &Client, record: &str) -> Value {
    let entry = last(client, record).await;
    client.post(&format!("{AUDIT}/{entry}/impact"), json!(null)).await.is(200)
}

fn request(answer: &Answer) -> Value {
    json!({ "request_id": answer.header("x-request-id") })
}

/// Totals before and after of the largest change.
fn largest(view: &Value) -> [String; 2] {
    let mover = &view["movers"][0];
    [&mover["before"], &mover["after"]]
        .map(|total| total.as_str().unwrap_or_else(|| panic!("{view}")).to_owned())
}

#[actix_web::test]
async fn surcharge_values_show_their_impact_in_their_month_and_required_releases() {
    let depot = priced().await;
    let (user, app) = (&depot.user, &depot.catalog.app);
    let month = |later: i32| Month::from_date(today()).plus(later).to_string();
    let table = json!({ "name": "Legierung", "kind": "alloy", "keyed_by": "material" });
    let table = id(&user.post(TABLES, table).await.is(201));
    let uri = format!("{TABLES}/{table}");
    let values = |of: &str, amount: &str| json!({ "values": [{ "material_id": depot.catalog.material, "month": of, "value": amount }] });
    user.put(&format!("{uri}/values"), values(&month(0), "100")).await.is(200);
    user.put(&format!("{uri}/values"), values(&month(1), "100")).await.is(200);
    let alloy = with(
        adjustment("Legierung"),
        json!({ "operation": "surcharge", "calculation_type": "perTon", "surcharge_table_id": table, "value": null }),
    );
    user.post(price_adjustments::PATH, alloy).await.is(201);
    let before = rows(app).await;

    let view =
        user.post(&format!("{uri}/impact"), json!({ "values": values(&month(0), "110") })).await.is(200);
    assert_eq!((largest(&view), &view["held"]), (["27125", "27375"].map(str::to_owned), &json!(0)));
    // a value for the next month has its impact in that month
    let view =
        user.post(&format!("{uri}/impact"), json!({ "values": values(&month(1), "1000") })).await.is(200);
    assert_eq!((&view["articles_touched"], &view["held"]), (&json!(1), &json!(1)), "{view}");
    assert!(view["movers"][0]["at"].as_str().unwrap().starts_with(&month(1)), "{view}");
    // based on another table it has more values
    let other = json!({ "name": "Alle", "kind": "alloy", "keyed_by": "material" });
    let other = id(&user.post(TABLES, other).await.is(201));
    user.put(&format!("{TABLES}/{other}/values"), values(&month(2), "90")).await.is(200);
    let change =
        json!({ "name": "Legierung", "kind": "alloy", "keyed_by": "material", "base_table_id": other });
    let view = user.post(&format!("{uri}/impact"), json!({ "change": change })).await.is(200);
    assert!(view["movers"][0]["at"].as_str().unwrap().starts_with(&month(2)), "{view}");
    assert_eq!(rows(app).await[5..9], before[5..9], "nothing is written");
    user.post(&format!("{uri}/impact"), json!({})).await.is_refused_at(&["values"]);
    user.post(&format!("{uri}/impact"), json!({ "values": values("2026-13", "1") }))
        .await
        .is_refused_at(&["values.0.month"]);
}

#[actix_web::test]
async fn prices_of_processings_show_their_impact_on_lines_with_them() {
    let depot = priced().await;
    let (user, catalog) = (&depot.user, &depot.catalog);
    let band =
        id(&catalog.admin.post(processings::PATH, sawing("Bandsäge", "-{schnittlaenge}")).await.is(201));
    let impact = format!("{}/impact", processing_prices::PATH);
    let view = user.post(&impact, json!({ "create": costs(band, None, "12.5") })).await.is(200);
    assert_eq!((&view["articles_appearing"], &view["articles_touched"]), (&json!(1), &json!(1)), "{view}");
    let made = id(&user.post(processing_prices::PATH, costs(band, None, "12.5")).await.is(201));
    let update = json!({ "id": made, "input": costs(band, None, "125") });
    let view = user.post(&impact, json!({ "update": update })).await.is(200);
    assert_eq!((largest(&view), &view["held"]), (["997.5", "1110"].map(str::to_owned), &json!(1)));
    assert_eq!(view["movers"][0]["processing"], "Bandsäge");
    let view = user.post(&impact, json!({ "delete": { "id": made } })).await.is(200);
    assert_eq!(view["articles_vanishing"], 1);
    assert_eq!(user.get(&format!("{}/{made}", processing_prices::PATH)).await.is(200)["version"], 1);
    user.post(&impact, json!({})).await.is_refused_at(&["create"]);
}

#[actix_web::test]
async fn the_deletion_of_a_list_and_its_undo_show_their_impact() {
    let depot = priced().await;
    let (user, app) = (&depot.user, &depot.catalog.app);
    let (list, impact) = listed(&depot).await;
    let view = user.post(&impact, json!({ "delete": true })).await.is(200);
    assert_eq!(largest(&view), ["22500", "24625"].map(str::to_owned));
    let before = rows(app).await;
    let deleted = user.delete(&format!("{}/{list}", price_lists::PATH)).await;
    deleted.is(204);
    let view = impact_of_undo(user, "price_list").await;
    assert_eq!(largest(&view), ["24625", "22500"].map(str::to_owned), "{view}");
    assert_eq!(view["customers"]["count"], 1);
    let view = user.post(&format!("{AUDIT}/impact"), request(&deleted)).await.is(200);
    assert_eq!(largest(&view), ["24625", "22500"].map(str::to_owned), "{view}");
    user.get(&format!("{}/{list}", price_lists::PATH)).await.is(404);
    assert_eq!(rows(app).await[3], before[3] - 1, "the price is still gone");
}

#[actix_web::test]
async fn undoing_prices_and_adjustments_shows_the_impact_without_writing() {
    let depot = priced().await;
    let (user, app) = (&depot.user, &depot.catalog.app);
    let (list, _) = listed(&depot).await;
    shift(app, list, -3600, None).await;
    let prices = json!({ "prices": [with(price(&depot, 0, "950"), json!({ "version": 1 }))] });
    let saved = user.put(&format!("{}/{list}/prices", price_lists::PATH), prices).await;
    saved.is(200);
    let before = rows(app).await;
    for view in [
        impact_of_undo(user, "price_list_entry").await,
        user.post(&format!("{AUDIT}/impact"), request(&saved)).await.is(200),
    ] {
        assert_eq!(largest(&view), ["23750", "22500"].map(str::to_owned), "{view}");
        assert_eq!(view["movers"][0]["buyer"]["short_code"], "SUED");
    }
    assert_eq!(rows(app).await, before, "nothing is written");

    let made = id(&user.post(price_adjustments::PATH, adjustment("Rabatt")).await.is(201));
    let uri = format!("{}/{made}", price_adjustments::PATH);
    user.put(&uri, with(adjustment("Rabatt"), json!({ "value": "5" }))).await.is(200);
    let view = impact_of_undo(user, "price_adjustment").await;
    assert_eq!(largest(&view)[0], "23393.75", "{view}");
    let same =
        user.post(IMPACT, json!({ "update": { "id": made, "input": adjustment("Rabatt") } })).await.is(200);
    let figures = |view: &Value| ["down", "up", "customers"].map(|field| view[field].clone());
    assert_eq!(
        (figures(&view), largest(&view)),
        (figures(&same), largest(&same)),
        "as for the change itself"
    );
    user.delete(&uri).await.is(204);
    let view = impact_of_undo(user, "price_adjustment").await;
    assert_eq!(view["articles_touched"], 1, "{view}");
    user.get(&uri).await.is(404);
}

#[actix_web::test]
async fn a_file_of_prices_shows_its_impact_before_it_is_applied() {
    let depot = priced().await;
    let (user, app) = (&depot.user, &depot.catalog.app);
    let (list, _) = listed(&depot).await;
    shift(app, list, -3600, None).await;
    let workers = app.workers().await;
    let number = depot.articles[0]["article_number"].as_str().unwrap();
    let file =
        |amount: &str| format!("Artikelnummer;Preis;Preismenge;Preiseinheit\r\n{number};{amount};1;t\r\n");
    let tried = async |amount: &str| {
        let form = Form::new().field("type", "PriceList").field("price_list_id", &list.to_string());
        let form = form.field("dry_run", "true").file("Preise.csv", file(amount));
        ended(user, &form.send(user, IMPORTS).await.is(201)).await
    };
    let dry_run = tried("950").await;
    assert_eq!((&dry_run["status"], &dry_run["rows_updated"]), (&json!("Success"), &json!(1)), "{dry_run}");
    let before = rows(app).await;
    let uri = format!("{IMPORTS}/{}/impact", id(&dry_run));
    let view = user.post(&uri, json!(null)).await.is(200);
    assert_eq!(largest(&view), ["22500", "23750"].map(str::to_owned), "{view}");
    assert_eq!(rows(app).await, before, "nothing is written");
    let listed = user.get(IMPORTS).await.is(200);
    assert_eq!(listed["meta"]["total"], 1, "no import is left behind");
    // an implausible price would be put under review
    let view =
        user.post(&format!("{IMPORTS}/{}/impact", id(&tried("9000").await)), json!(null)).await.is(200);
    assert_eq!((&view["held"], &view["articles_touched"]), (&json!(1), &json!(0)), "{view}");
    // the dry run can still be applied
    user.post(&format!("{IMPORTS}/{}/apply", id(&dry_run)), json!(null)).await.is(201);
    workers.end().await;
}

/// Sends the request as users of the north who lack one of these permissions.
async fn is_refused_without(app: &TestApp, lacking: &[Permission], uri: &str, body: &Value) {
    for permission in lacking {
        let caller = app.caller(Some(app.north), all_but(*permission)).await;
        caller.post(uri, body.clone()).await.is(403);
    }
}

#[actix_web::test]
async fn prices_of_stocks_show_their_impact_before_they_are_saved() {
    let depot = priced().await;
    let (user, app) = (&depot.user, &depot.catalog.app);
    let stock = stock(&depot).await;
    let prices = |external: Value| {
        let internal = json!({ "price": "950", "unit": "t" });
        json!({ "prices": [{ "id": stock, "external_price": external, "internal_price": internal }] })
    };
    let per_tonne = |amount: &str| json!({ "price": amount, "unit": "t" });
    let before = rows(app).await;
    let view = user.post(PRICES, prices(per_tonne("1000"))).await.is(200);
    assert_eq!((largest(&view), &view["held"]), (["24625", "25000"].map(str::to_owned), &json!(0)));
    // it applies to all customers
    assert_eq!((&view["customers"]["named"], &view["movers"][0]["buyer"]), (&json!([]), &Value::Null));
    let view = user.post(PRICES, prices(Value::Null)).await.is(200);
    assert_eq!((&view["articles_vanishing"], &view["articles_touched"]), (&json!(1), &json!(1)), "{view}");
    // an implausible price would be put under review, like the tenant's other prices already under review
    let view = user.post(PRICES, prices(per_tonne("9850"))).await.is(200);
    assert_eq!((&view["held"], &view["articles_touched"]), (&json!(1), &json!(0)), "{view}");
    assert_eq!(rows(app).await, before, "nothing is written");
    let colleague = app.caller(Some(app.north), PermissionSet::all()).await;
    colleague
        .put(&format!("/api/admin/prices/{stock}"), json!({ "external_price": per_tonne("9850") }))
        .await
        .is(200);
    let view = user.post(PRICES, prices(per_tonne("1000"))).await.is(200);
    assert_eq!((&view["held"], &view["articles_touched"]), (&json!(0), &json!(1)), "{view}");

    // refused like the save
    let stale = with(prices(per_tonne("1000"))["prices"][0].clone(), json!({ "version": 1 }));
    user.post(PRICES, json!({ "prices": [stale] })).await.is_refused_at(&["prices.0.version"]);
    user.post(PRICES, prices(per_tonne("-1"))).await.is_refused_at(&["prices.0.external_price.price"]);
    user.post(PRICES, json!({ "prices": [] })).await.is_refused_at(&["prices"]);
    let many: Vec<Value> = (1..=5_001).map(|id| json!({ "id": id })).collect();
    user.post(PRICES, json!({ "prices": many })).await.is_refused_at(&["prices"]);
    let lacking = [permissions::UPDATE_PRICE, permissions::VIEW_PRICE];
    is_refused_without(app, &lacking, PRICES, &prices(per_tonne("1000"))).await;
    let south = app.caller(Some(app.south), PermissionSet::all()).await;
    south.post(PRICES, prices(per_tonne("1000"))).await.is_refused_at(&["prices.0.id"]);
    let nowhere = depot.catalog.admin.post(PRICES, prices(per_tonne("1000"))).await;
    assert_eq!(nowhere.is(422)["code"], "tenant_required");
}

#[actix_web::test]
async fn the_release_of_prices_shows_its_impact_before_it_is_decided() {
    let depot = priced().await;
    let (user, app) = (&depot.user, &depot.catalog.app);
    let stock = stock(&depot).await;
    let input = json!({
        "external_price": { "price": "98.5", "unit": "t" }, "internal_price": { "price": "950", "unit": "t" },
    });
    user.put(&format!("/api/admin/prices/{stock}"), input).await.is(200);
    let held = id(&user.get("/api/admin/held-prices").await.is(200)["data"][0]);
    let decision = |value: &str, count: u64| {
        let selection = json!({ "ids": [held], "count": count });
        json!({ "selection": selection, "change": { "field": "decision", "value": value } })
    };
    let before = rows(app).await;
    let view = user.post(RELEASE, decision("release", 1)).await.is(200);
    assert_eq!(largest(&view), ["24625", "2462.5"].map(str::to_owned), "{view}");
    assert_eq!((&view["held"], &view["below_internal_after"]), (&json!(0), &json!(1)));
    // 98.50 for 100 kg is suggested, which is the current price
    for nothing in ["release_mended", "refuse"] {
        let view = user.post(RELEASE, decision(nothing, 1)).await.is(200);
        assert_eq!(view["articles_touched"], 0, "{nothing}: {view}");
    }
    // without ids, all records that match the filters are selected
    let all = json!({ "selection": { "ids": null, "count": 1 }, "change": decision("release", 1)["change"] });
    let matching = format!("{RELEASE}?filter[stock_id]={stock}");
    assert_eq!(user.post(&matching, all.clone()).await.is(200)["articles_touched"], 1);
    let other = format!("{RELEASE}?filter[stock_id]={}", stock + 1000);
    assert_eq!(user.post(&other, all).await.is(409)["code"], "selection_changed");
    assert_eq!(user.post(RELEASE, decision("release", 2)).await.is(409)["code"], "selection_changed");
    assert_eq!(rows(app).await, before, "nothing is written");
    assert_eq!(user.get("/api/admin/held-prices").await.is(200)["meta"]["total"], 1, "it still waits");
    let lacking = [permissions::UPDATE_PRICE, permissions::VIEW_PRICE];
    is_refused_without(app, &lacking, RELEASE, &decision("release", 1)).await;
    let south = app.caller(Some(app.south), PermissionSet::all()).await;
    south.post(RELEASE, decision("release", 1)).await.is(409);
}

#[actix_web::test]
async fn the_deletion_of_many_lists_shows_its_impact_on_all_prices_at_once() {
    let depot = priced().await;
    let (user, app) = (&depot.user, &depot.catalog.app);
    let (first, _) = listed(&depot).await;
    let other = with(list("Sonderverkauf", app.north), json!({ "tenant_ids": [app.south] }));
    let other = id(&user.post(price_lists::PATH, other).await.is(201));
    let prices = json!({ "prices": [price(&depot, 0, "890")] });
    user.put(&format!("{}/{other}/prices", price_lists::PATH), prices).await.is(200);
    let both = json!({ "ids": [first, other], "count": 2 });
    let before = rows(app).await;
    // after deleting only one list, the price of the other one would remain
    let view = user.post(DELETION, both.clone()).await.is(200);
    assert_eq!(largest(&view)[1], "24625", "{view}");
    assert_eq!((&view["articles_touched"], &view["customers"]["count"]), (&json!(1), &json!(1)));
    let named = format!("{DELETION}?filter[name]=Verkauf");
    let all = json!({ "ids": null, "count": 2 });
    assert_eq!(user.post(&named, all.clone()).await.is(200)["articles_touched"], 1);
    assert_eq!(
        user.post(&format!("{DELETION}?filter[name]=Nie"), all).await.is(409)["code"],
        "selection_changed"
    );
    assert_eq!(rows(app).await, before, "nothing is written");
    let lacking = [permissions::DELETE_PRICE_LIST, permissions::VIEW_PRICE_LIST, permissions::VIEW_PRICE];
    is_refused_without(app, &lacking, DELETION, &both).await;
    assert_eq!(depot.catalog.admin.post(DELETION, both.clone()).await.is(422)["code"], "tenant_required");

    // a list that cannot be deleted stays
    for list in [first, other] {
        shift(app, list, -3600, None).await;
    }
    assert_eq!(user.post(DELETION, both.clone()).await.is(200)["articles_touched"], 0);
    let south = app.caller(Some(app.south), PermissionSet::all()).await;
    assert_eq!(south.post(DELETION, both).await.is(200)["articles_touched"], 0, "they only buy by them");
}
