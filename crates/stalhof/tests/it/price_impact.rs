//! Impact of a change of prices over HTTP: computed without changing anything.

mod everywhere;
mod examined;

use pricing::permissions;
use sea_orm::{ConnectionTrait, Statement};
use serde_json::{Value, json};
use values::PermissionSet;

use crate::{
    catalog::id,
    price_adjustments::{self, adjustment},
    price_lists::{self, after, list, shift},
    stocks::{self, Depot},
    support::{TestApp, all_but},
};

const IMPACT: &str = "/api/admin/price-adjustments/impact";
const CARTS: &str = "/api/admin/sample-carts";

/// Creates a stock of the article of 61.3 kg/m at 985 a tonne with a cost of 950: a truckload of it is
/// 24,625.
async fn priced() -> Depot {
    let depot = Depot::new().await;
    let stock = id(&depot.user.post(stocks::PATH, depot.stock(0, 0)).await.is(201));
    costs(&depot, stock, "950").await;
    depot
}

async fn costs(depot: &Depot, stock: i64, internal: &str) {
    let body = json!({
        "external_price": { "price": "985", "unit": "t" }, "internal_price": { "price": internal, "unit": "t" },
    });
    depot.user.put(&format!("/api/admin/prices/{stock}"), body).await.is(200);
}

fn cart(depot: &Depot, name: &str, buyer: Value) -> Value {
    let line = json!({ "article_id": depot.articles[0]["id"], "quantity": "2", "unit": "t" });
    json!({ "name": name, "buyer_id": buyer, "lines": [line] })
}

fn with(mut input: Value, changes: Value) -> Value {
    for (field, value) in changes.as_object().unwrap() {
        input[field] = value.clone();
    }
    input
}

/// Number of rows of each table that could have been written.
async fn rows(app: &TestApp) -> Vec<i64> {
    let mut counts = Vec::new();
    for sql in [
        "SELECT count(*) FROM price_adjustment",
        "SELECT count(*) FROM price_adjustment_record",
        "SELECT count(*) FROM price_adjustment_tenant",
        "SELECT count(*) FROM price_list_entry",
        "SELECT count(*) FROM audit_entry",
        "SELECT CAST(coalesce(sum(version), 0) AS bigint) FROM price_adjustment",
        "SELECT CAST(coalesce(sum(position), 0) AS bigint) FROM price_adjustment",
        "SELECT CAST(coalesce(sum(version), 0) AS bigint) FROM price_list",
        "SELECT CAST(coalesce(sum(version), 0) AS bigint) FROM price_list_entry",
        "SELECT CAST(coalesce(sum(version), 0) AS bigint) FROM prices_version",
        "SELECT CAST(coalesce(sum(price_version), 0) AS bigint) FROM stock",
        "SELECT count(*) FROM held_price",
        "SELECT count(*) FROM price_list",
    ] {
        let statement = Statement::from_string(app.db.get_database_backend(), sql);
        let row = app.db.query_one_raw(statement).await.unwrap().unwrap();
        counts.push(row.try_get_by_index::<i64>(0).unwrap());
    }
    counts
}

#[actix_web::test]
async fn a_new_discount_shows_its_impact_on_the_catalogue_and_the_sample_carts() {
    let depot = priced().await;
    let (user, app) = (&depot.user, &depot.catalog.app);
    user.post(CARTS, cart(&depot, "Zwei Tonnen", Value::Null)).await.is(201);
    let before = rows(app).await;
    let data = user.post(IMPACT, json!({ "create": adjustment("Rabatt") })).await.is(200);
    for (field, expected) in [
        ("articles_in_all", json!(1)),
        ("articles_examined", json!(1)),
        ("articles_touched", json!(1)),
        ("below_internal_before", json!(0)),
        ("below_internal_after", json!(0)),
        ("up", json!({ "prices": 0, "median_percent": null, "largest_percent": null })),
        ("down", json!({ "prices": 2, "median_percent": "3", "largest_percent": "3" })),
        ("held", json!(0)),
    ] {
        assert_eq!(data[field], expected, "{field}");
    }
    let mover = &data["movers"][0];
    assert_eq!(mover["article"]["id"], depot.articles[0]["id"]);
    assert_eq!(mover["buyer"], Value::Null);
    assert_eq!(
        [
            &mover["quantity"],
            &mover["unit"],
            &mover["before"],
            &mover["after"],
            &mover["change"],
            &mover["percent"]
        ],
        [&json!("25"), &json!("t"), &json!("24625"), &json!("23886.25"), &json!("-738.75"), &json!("-3")]
    );
    let sample = &data["sample_carts"][0];
    assert_eq!(sample["before"], json!({ "total": "1970", "as_expected": true, "errors": [] }));
    assert_eq!(sample["after"], json!({ "total": "1910.9", "as_expected": false, "errors": [] }));
    assert_eq!((&sample["change"], &sample["percent"]), (&json!("-59.1"), &json!("-3")));
    // no customer is named: it applies to all
    assert_eq!(data["customers"]["named"], json!([]));
    assert!(data["customers"]["count"].as_u64().unwrap() >= 2, "{data}");

    // with four percent off, a tonne costs less than the internal price
    let cheap = with(adjustment("Rabatt"), json!({ "value": "4" }));
    let data = user.post(IMPACT, json!({ "create": cheap })).await.is(200);
    assert_eq!(
        (&data["below_internal_before"], &data["below_internal_after"], &data["movers"][0]["below_internal"]),
        (&json!(0), &json!(1), &json!(true))
    );
    assert_eq!(rows(app).await, before, "nothing is written");
}

#[actix_web::test]
async fn the_impact_of_a_change_deletion_or_reordering_equals_that_of_saving_it() {
    let depot = priced().await;
    let (user, app) = (&depot.user, &depot.catalog.app);
    let first = id(&user.post(price_adjustments::PATH, adjustment("Rabatt")).await.is(201));
    let second = with(
        adjustment("Fracht"),
        json!({ "operation": "surcharge", "value": "10", "calculation_type": "perTon" }),
    );
    let second = id(&user.post(price_adjustments::PATH, second).await.is(201));
    let largest = |data: &Value| {
        let mover = &data["movers"][0];
        [&mover["before"], &mover["after"]].map(|total| total.as_str().unwrap().to_owned())
    };
    let before = rows(app).await;

    // 25 t cost 24,625 less three percent, with 250 of freight
    let changed = with(adjustment("Rabatt"), json!({ "value": "2", "version": 1 }));
    let body = json!({ "update": { "id": first, "input": changed } });
    assert_eq!(largest(&user.post(IMPACT, body).await.is(200)), ["24136.25", "24382.5"]);
    let body = json!({ "delete": { "id": second } });
    assert_eq!(largest(&user.post(IMPACT, body).await.is(200)), ["24136.25", "23886.25"]);
    // three percent of the base price are the same at any position
    let order = json!({ "order": { "ids": [second, first], "seen": [first, second] } });
    let data = user.post(IMPACT, order.clone()).await.is(200);
    assert_eq!((&data["articles_touched"], &data["movers"]), (&json!(0), &json!([])));
    assert_eq!(data["customers"], json!({ "count": 0, "named": [] }));
    assert_eq!(rows(app).await, before, "nothing is written");

    // three percent of the running price are not
    let uri = format!("{}/{first}", price_adjustments::PATH);
    let running = with(adjustment("Rabatt"), json!({ "calculation_type": "relativeToAdjusted" }));
    user.put(&uri, running).await.is(200);
    let data = user.post(IMPACT, order).await.is(200);
    assert_eq!(largest(&data), ["24136.25", "24128.75"]);

    // at a time when the discount has ended, nothing changes
    let over = with(
        adjustment("Rabatt"),
        json!({ "valid_from": "2030-01-01T00:00:00Z", "valid_until": "2031-01-01T00:00:00Z" }),
    );
    let data = user.post(IMPACT, json!({ "update": { "id": first, "input": over } })).await.is(200);
    // without a time, the impact is computed for now, for the end of the current discount, and for the start
    // and end of the other one
    assert_eq!(
        (largest(&data), &data["articles_touched"]),
        (["24136.25", "24875"].map(str::to_owned), &json!(1))
    );
    let further = ["2030-01-01T00:00:00Z", "2031-01-01T00:00:00Z"].map(Value::from);
    assert_eq!(data["examined"]["moments"].as_array().unwrap()[1..], further);
    let body = json!({ "update": { "id": first, "input": over }, "at": "2031-01-01T00:00:00Z" });
    let data = user.post(IMPACT, body).await.is(200);
    assert_eq!(
        (&data["at"], largest(&data)),
        (&json!("2031-01-01T00:00:00Z"), ["24136.25", "24875"].map(str::to_owned))
    );
}

#[actix_web::test]
async fn only_customers_with_a_changed_price_are_listed() {
    let depot = priced().await;
    let (user, app) = (&depot.user, &depot.catalog.app);
    user.post(CARTS, cart(&depot, "Anyone", Value::Null)).await.is(201);
    user.post(CARTS, cart(&depot, "South", app.south.into())).await.is(201);
    // the platform can see which companies are customers
    let platform = &depot.catalog.admin;
    let as_north = format!("{IMPACT}?tenant_id={}", app.north);
    let south = with(adjustment("Süd"), json!({ "tenant_ids": [app.south] }));
    let data = platform.post(&as_north, json!({ "create": south })).await.is(200);
    let customer = json!({ "id": app.south, "short_code": "SUED", "company": "SUED GmbH" });
    assert_eq!(data["customers"], json!({ "count": 1, "named": [customer] }));
    assert_eq!(data["movers"][0]["buyer"], customer);
    let carts = data["sample_carts"].as_array().unwrap();
    let changes: Vec<_> = carts.iter().map(|cart| (&cart["name"], &cart["change"])).collect();
    assert_eq!(changes, [(&json!("Anyone"), &json!("0")), (&json!("South"), &json!("-59.1"))]);

    // members of a group, and tenants named by a condition
    let group = json!({ "name": "Verbund", "description": null, "tenant_ids": [app.south] });
    let group = id(&depot.catalog.admin.post("/api/admin/tenant-groups", group).await.is(201));
    let grouped = with(adjustment("Verbund"), json!({ "tenant_group_ids": [group] }));
    let data = platform.post(&as_north, json!({ "create": grouped })).await.is(200);
    assert_eq!(data["customers"], json!({ "count": 1, "named": [customer] }));
    let conditions = json!({ "type": "tenant", "op": "not_in", "value": [app.south] });
    let others = with(adjustment("Andere"), json!({ "conditions": conditions }));
    let data = platform.post(&as_north, json!({ "create": others })).await.is(200);
    assert_eq!(data["customers"]["named"], json!([]));
    assert!(data["customers"]["count"].as_u64().unwrap() >= 1, "{data}");
    assert_eq!(data["movers"][0]["buyer"], Value::Null);
}

#[actix_web::test]
async fn the_impact_of_an_invalid_change_is_refused_with_the_same_errors() {
    let depot = priced().await;
    let (user, app) = (&depot.user, &depot.catalog.app);
    let own = id(&user.post(price_adjustments::PATH, adjustment("Rabatt")).await.is(201));
    let broken = with(
        adjustment(""),
        json!({ "value": "0", "tenant_ids": [1_000_000], "valid_from": "2027-01-01T00:00:00Z", "valid_until": "2026-01-01T00:00:00Z" }),
    );
    let places = ["name", "tenant_ids.0", "valid_until", "value"];
    user.post(price_adjustments::PATH, broken.clone()).await.is_refused_at(&places);
    user.post(IMPACT, json!({ "create": broken })).await.is_refused_at(&places);
    user.post(IMPACT, json!({ "update": { "id": own, "input": broken } })).await.is_refused_at(&places);
    user.post(IMPACT, json!({ "create": adjustment("RABATT") })).await.is_refused_at(&["name"]);
    let stale = with(adjustment("Rabatt"), json!({ "version": 7 }));
    assert_eq!(
        user.post(IMPACT, json!({ "update": { "id": own, "input": stale } })).await.is(409)["code"],
        "stale"
    );
    let order = json!({ "order": { "ids": [own], "seen": [own, 1_000_000] } });
    user.post(IMPACT, order).await.is_refused_at(&["ids"]);
    for none in [json!({}), json!({ "create": adjustment("A"), "delete": { "id": own } })] {
        let refused = user.post(IMPACT, none).await.is_refused_at(&["create"]);
        assert_eq!(refused["error_codes"]["create"], json!(["one_change"]));
    }
    user.post(IMPACT, json!({ "delete": { "id": own }, "at": "1999-01-01T00:00:00Z" }))
        .await
        .is_refused_at(&["at"]);

    // unknown to another tenant
    let south = app.caller(Some(app.south), PermissionSet::all()).await;
    south.post(IMPACT, json!({ "delete": { "id": own } })).await.is(404);
    south.post(IMPACT, json!({ "update": { "id": own, "input": adjustment("X") } })).await.is(404);
    assert_eq!(
        depot.catalog.admin.post(IMPACT, json!({ "create": adjustment("X") })).await.is(422)["code"],
        "tenant_required"
    );

    // the impact needs the permission for the change and the permission to see prices
    for (lacking, body) in [
        (permissions::CREATE_PRICE_ADJUSTMENT, json!({ "create": adjustment("A") })),
        (permissions::UPDATE_PRICE_ADJUSTMENT, json!({ "update": { "id": own, "input": adjustment("A") } })),
        (permissions::UPDATE_PRICE_ADJUSTMENT, json!({ "order": { "ids": [own], "seen": [own] } })),
        (permissions::DELETE_PRICE_ADJUSTMENT, json!({ "delete": { "id": own } })),
        (permissions::VIEW_PRICE, json!({ "delete": { "id": own } })),
        (permissions::VIEW_PRICE_ADJUSTMENT, json!({ "delete": { "id": own } })),
    ] {
        let caller = app.caller(Some(app.north), all_but(lacking)).await;
        caller.post(IMPACT, body).await.is(403);
    }
    let caller = app.caller(Some(app.north), all_but(permissions::LIST_PRICE_ADJUSTMENTS)).await;
    let data = caller.post(IMPACT, json!({ "delete": { "id": own } })).await.is(200);
    assert_eq!((&data["sample_carts"], &data["articles_touched"]), (&Value::Null, &json!(1)));
}

/// List of the north for the south, with the first article at 900 a tonne, which is its internal price.
async fn listed(depot: &Depot) -> (i64, String) {
    let app = &depot.catalog.app;
    costs(depot, stock(depot).await, "870").await;
    let input = with(list("Verkauf", app.north), json!({ "tenant_ids": [app.south] }));
    let made = id(&depot.catalog.admin.post(price_lists::PATH, input).await.is(201));
    let prices = json!({ "prices": [price(depot, 0, "900")] });
    depot.user.put(&format!("{}/{made}/prices", price_lists::PATH), prices).await.is(200);
    (made, format!("{}/{made}/impact", price_lists::PATH))
}

async fn stock(depot: &Depot) -> i64 {
    id(&depot.user.get(stocks::PATH).await.is(200)["data"][0])
}

fn price(depot: &Depot, article: usize, amount: &str) -> Value {
    json!({ "article_id": depot.articles[article]["id"], "price": { "price": amount, "unit": "t" } })
}

#[actix_web::test]
async fn the_impact_of_a_list_compares_with_prices_without_it() {
    let depot = priced().await;
    let (user, app) = (&depot.user, &depot.catalog.app);
    user.post(CARTS, cart(&depot, "South", app.south.into())).await.is(201);
    let (list, impact) = listed(&depot).await;
    costs(&depot, stock(&depot).await, "950").await;
    let before = rows(app).await;
    // it starts in an hour, which is the time of the impact
    let data = user.post(&impact, json!({})).await.is(200);
    assert!(data["at"].as_str().unwrap() > values::now().to_rfc3339().as_str(), "{data}");
    assert_eq!(
        [
            &data["articles_in_all"],
            &data["articles_touched"],
            &data["below_internal_before"],
            &data["below_internal_after"]
        ],
        [&json!(1), &json!(1), &json!(0), &json!(1)]
    );
    let mover = &data["movers"][0];
    assert_eq!([&mover["before"], &mover["after"]], [&json!("24625"), &json!("22500")]);
    assert_eq!(mover["buyer"]["short_code"], "SUED");
    assert_eq!(
        data["customers"],
        json!({ "count": 1, "named": [{ "id": app.south, "short_code": "SUED", "company": "SUED GmbH" }] })
    );
    assert_eq!(data["sample_carts"][0]["change"], "-170");
    // at present it does not apply yet
    let data = user.post(&impact, json!({ "at": values::now().to_rfc3339() })).await.is(200);
    assert_eq!(data["articles_touched"], 0);
    assert_eq!(rows(app).await, before, "nothing is written");

    // tenants that only buy by it, and strangers, get no impact
    let south = app.caller(Some(app.south), PermissionSet::all()).await;
    let platform = depot.catalog.admin.post(&impact, json!({})).await.is(200);
    assert_eq!(platform["articles_touched"], 1, "the platform asks for the owner");
    shift(app, list, -3600, None).await;
    assert_eq!(south.post(&impact, json!({})).await.is(403)["code"], "for_owner_only");
    user.post(&format!("{}/1000000/impact", price_lists::PATH), json!({})).await.is(404);
}

#[actix_web::test]
async fn the_impact_of_a_list_includes_its_prices_and_customers() {
    let depot = priced().await;
    let (user, app) = (&depot.user, &depot.catalog.app);
    let (list, impact) = listed(&depot).await;
    let before = rows(app).await;
    let view = user.get(&format!("{}/{list}", price_lists::PATH)).await.is(200);
    let head = json!({
        "name": view["name"], "owner_tenant_id": app.north, "type": "sales", "scope": "own",
        "valid_from": view["valid_from"], "limited": false, "tenant_ids": [app.south], "version": view["version"],
    });
    let movers = |data: &Value| -> Vec<Value> {
        let movers = data["movers"].as_array().unwrap().iter();
        movers.map(|mover| json!([mover["article"]["id"], mover["before"], mover["after"]])).collect()
    };
    let [first, second] = [0, 1].map(|article| depot.articles[article]["id"].clone());

    // one price changes and one is added: the second article has no weight and is counted in metres
    let metre = json!({ "article_id": second, "price": { "price": "12", "unit": "m" } });
    let prices = json!({ "prices": [price(&depot, 0, "910"), metre] });
    let data = user.post(&impact, prices).await.is(200);
    assert_eq!(movers(&data), [json!([first, "22500", "22750"])]);
    assert_eq!((&data["articles_in_all"], &data["articles_appearing"]), (&json!(2), &json!(1)));
    assert_eq!(data["up"]["median_percent"], "1.11");
    // once removed, the price of the stock applies again
    let data = user.post(&impact, json!({ "prices": [{ "article_id": first }] })).await.is(200);
    assert_eq!(movers(&data), [json!([first, "22500", "24625"])]);
    // implausible prices would be put under review, and so would those below the internal price
    for held in ["9000", "869"] {
        let data = user.post(&impact, json!({ "prices": [price(&depot, 0, held)] })).await.is(200);
        assert_eq!((&data["held"], &data["articles_touched"]), (&json!(1), &json!(0)));
    }

    // for all customers instead of one
    let global = with(head.clone(), json!({ "scope": "global", "tenant_ids": [] }));
    let data = user.post(&impact, json!({ "change": global })).await.is(200);
    assert_eq!(movers(&data), [json!([first, "24625", "22500"])]);
    assert_eq!(data["customers"]["named"], json!([]));
    assert!(data["customers"]["count"].as_u64().unwrap() >= 1, "{data}");
    // both changes together
    let data =
        user.post(&impact, json!({ "change": head, "prices": [price(&depot, 0, "880")] })).await.is(200);
    assert_eq!(movers(&data), [json!([first, "22500", "22000"])]);
    // as an internal list it is no longer a price
    let internal =
        with(head.clone(), json!({ "type": "internal", "tenant_ids": [], "tenant_group_ids": [] }));
    let data = user.post(&impact, json!({ "change": internal })).await.is(200);
    assert_eq!(movers(&data), [json!([first, "22500", "24625"])]);
    assert_eq!(rows(app).await, before, "nothing is written");

    // refused like the save
    let broken =
        json!({ "change": with(head.clone(), json!({ "name": "" })), "prices": [price(&depot, 0, "910")] });
    user.post(&impact, broken).await.is_refused_at(&["name"]);
    let unknown = json!({ "prices": [price(&depot, 0, "910"), { "article_id": 1_000_000, "price": { "price": "1", "unit": "t" } }] });
    user.post(&impact, unknown).await.is_refused_at(&["prices.1.article_id"]);
    user.post(&impact, json!({ "prices": [] })).await.is_refused_at(&["prices"]);
    let many = vec![price(&depot, 0, "910"); 5_001];
    user.post(&impact, json!({ "prices": many })).await.is_refused_at(&["prices"]);
    let viewer = app.caller(Some(app.north), all_but(permissions::UPDATE_PRICE_LIST)).await;
    viewer.post(&impact, json!({ "change": head })).await.is(403);
    viewer.post(&impact, json!({})).await.is(200);
    for lacking in [permissions::VIEW_PRICE, permissions::VIEW_PRICE_LIST] {
        let caller = app.caller(Some(app.north), all_but(lacking)).await;
        caller.post(&impact, json!({})).await.is(403);
    }
}

#[actix_web::test]
async fn the_impact_of_archiving_a_list_is_that_of_its_end() {
    let depot = priced().await;
    let (user, app) = (&depot.user, &depot.catalog.app);
    let (list, impact) = listed(&depot).await;
    costs(&depot, stock(&depot).await, "950").await;
    let moves = |data: &Value| [&data["movers"][0]["before"], &data["movers"][0]["after"]].map(Value::clone);
    let archive = json!({ "archive": true });
    let pending = user.get(&format!("{}/{list}", price_lists::PATH)).await.is(200);
    let before = rows(app).await;
    // it would have applied from its start on
    let data = user.post(&impact, archive.clone()).await.is(200);
    assert_eq!(moves(&data), [json!("22500"), json!("24625")]);
    assert_eq!(data["at"], pending["valid_from"]);
    assert_eq!((&data["below_internal_before"], &data["below_internal_after"]), (&json!(1), &json!(0)));
    let at_present = with(archive.clone(), json!({ "at": values::now().to_rfc3339() }));
    assert_eq!(user.post(&impact, at_present).await.is(200)["articles_touched"], 0);
    assert_eq!(rows(app).await, before, "nothing is written");

    let both = with(archive.clone(), json!({ "prices": [price(&depot, 0, "910")] }));
    user.post(&impact, both).await.is_refused_at(&["archive"]);
    let viewer = app.caller(Some(app.north), all_but(permissions::UPDATE_PRICE_LIST)).await;
    viewer.post(&impact, archive.clone()).await.is(403);
    shift(app, list, -3600, Some(-60)).await;
    assert_eq!(user.post(&impact, archive).await.is(409)["code"], "price_list_expired");
}

#[actix_web::test]
async fn the_impact_of_archiving_an_active_list_is_that_of_now() {
    let depot = priced().await;
    let (user, app) = (&depot.user, &depot.catalog.app);
    let (list, impact) = listed(&depot).await;
    shift(app, list, -3600, None).await;
    let asked = values::now();
    let data = user.post(&impact, json!({ "archive": true })).await.is(200);
    let mover = &data["movers"][0];
    assert_eq!([&mover["before"], &mover["after"]], [&json!("22500"), &json!("24625")]);
    let at: values::Instant = data["at"].as_str().unwrap().parse().unwrap();
    assert!((asked..=values::now()).contains(&at), "{at}");
}

#[actix_web::test]
async fn the_impact_of_a_copied_list_is_that_of_the_copy() {
    let depot = priced().await;
    let (user, app) = (&depot.user, &depot.catalog.app);
    let (list, impact) = listed(&depot).await;
    shift(app, list, -7200, None).await;
    let before = rows(app).await;
    let begins = after(7200);
    let copy = |changes: Value| {
        let copy = json!({ "name": "Verkauf neu", "valid_from": begins, "change": { "percent": "3" } });
        json!({ "copy": with(copy, changes) })
    };
    let moves = |data: &Value| [&data["movers"][0]["before"], &data["movers"][0]["after"]].map(Value::clone);

    // at its start, for the customers of the original
    let data = user.post(&impact, copy(json!({ "ends_original": true }))).await.is(200);
    assert_eq!(moves(&data), [json!("22500"), json!("23175")]);
    assert_eq!(
        (&data["up"]["median_percent"], &data["customers"]["named"][0]["id"]),
        (&json!("3"), &json!(app.south))
    );
    assert!(data["at"].as_str().unwrap().starts_with(begins.get(..16).unwrap()), "{data}");
    // a duplicate applies beside the original, and the later one takes precedence
    let data = user.post(&impact, copy(json!({}))).await.is(200);
    assert_eq!(moves(&data), [json!("22500"), json!("23175")]);
    // before its start nothing changes
    let data = user.post(&impact, with(copy(json!({})), json!({ "at": after(60) }))).await.is(200);
    assert_eq!((&data["articles_touched"], &data["articles_in_all"]), (&json!(0), &json!(1)));
    // the end of the copy is not that of the original
    let data = copy(json!({ "ends_original": true, "valid_until": after(9000) }));
    let data = user.post(&impact, with(data, json!({ "at": after(9600) }))).await.is(200);
    assert_eq!(moves(&data), [json!("22500"), json!("24625")]);
    assert_eq!(rows(app).await, before, "nothing is written");

    // refused like the copy
    user.post(&impact, copy(json!({ "name": "Verkauf" }))).await.is_refused_at(&["name"]);
    let soon = copy(json!({ "valid_from": after(10), "ends_original": true }));
    user.post(&impact, soon).await.is_refused_at(&["valid_from"]);
    let both = with(copy(json!({})), json!({ "prices": [price(&depot, 0, "910")] }));
    user.post(&impact, both).await.is_refused_at(&["copy"]);
    for (lacking, body) in [
        (permissions::CREATE_PRICE_LIST, copy(json!({}))),
        (permissions::UPDATE_PRICE_LIST, copy(json!({ "ends_original": true }))),
    ] {
        app.caller(Some(app.north), all_but(lacking)).await.post(&impact, body).await.is(403);
    }
}

const FINDINGS: &str = "/api/admin/price-adjustments/findings";

/// Findings as text: kind, adjustment and others.
fn kinds(data: &Value) -> Vec<String> {
    let names = |finding: &Value| -> Vec<String> {
        let others = finding["others"].as_array().unwrap().iter();
        others.map(|other| other["name"].as_str().unwrap().to_owned()).collect()
    };
    let data = data["data"].as_array().unwrap().iter();
    data.map(|finding| {
        let (kind, name) =
            (finding["kind"].as_str().unwrap(), finding["adjustment"]["name"].as_str().unwrap());
        format!("{kind} {name} {}", names(finding).join(", ")).trim().to_owned()
    })
    .collect()
}

#[actix_web::test]
async fn findings_about_adjustments_include_an_example_cart() {
    let depot = priced().await;
    let (user, app) = (&depot.user, &depot.catalog.app);
    let data = user.get(FINDINGS).await.is(200);
    assert_eq!(data, json!({ "data": [], "sample_carts": 0, "made_carts": 0, "complete": true }));
    let make = async |name: &str, changes: Value| {
        id(&user.post(price_adjustments::PATH, with(adjustment(name), changes)).await.is(201))
    };
    make("Fracht", json!({ "operation": "surcharge", "value": "10", "calculation_type": "perTon" })).await;
    make("Rabatt", json!({ "calculation_type": "relativeToAdjusted" })).await;
    let weight =
        |op: &str, value: &str| json!({ "type": "cart_weight", "op": op, "value": value, "unit": "t" });
    let heavy = json!({ "all": [weight("greater_equals", "10"), weight("lesser_than", "5")] });
    make("Widerspruch", json!({ "conditions": heavy })).await;
    make("Vorbei", json!({ "valid_from": "2020-01-01T00:00:00Z", "valid_until": "2021-01-01T00:00:00Z" }))
        .await;
    make("Schwer", json!({ "conditions": weight("greater_equals", "10"), "value": "2" })).await;
    make("Schwer 2", json!({ "conditions": { "all": [weight("greater_equals", "10")] }, "value": "2" }))
        .await;
    make("Geruht", json!({ "active": false, "conditions": heavy })).await;
    user.post(CARTS, cart(&depot, "Zwei Tonnen", Value::Null)).await.is(201);

    let data = user.get(FINDINGS).await.is(200);
    assert_eq!(
        kinds(&data),
        [
            "never_applies Widerspruch",
            "expired Vorbei",
            "duplicate Schwer 2 Schwer",
            "order_dependent Rabatt Fracht",
            // the running price is reduced by earlier discounts
            "order_dependent Schwer Rabatt",
            "order_dependent Schwer 2 Rabatt",
            "never_in_sample_carts Schwer",
            "never_in_sample_carts Schwer 2",
        ]
    );
    assert_eq!((&data["sample_carts"], &data["complete"]), (&json!(1), &json!(true)));
    let finding = |place: usize| &data["data"][place];
    assert_eq!(finding(0)["cart"], Value::Null);
    // the sample cart shows it: 1,990 less three percent, or 1,970 less three percent and 20
    let order = finding(3);
    assert_eq!(order["cart"]["sample_cart"]["name"], "Zwei Tonnen");
    assert_eq!(
        (&order["cart"]["total"], &order["cart"]["otherwise"], &order["cart"]["buyer"]),
        (&json!("1930.3"), &json!("1930.9"), &Value::Null)
    );
    assert_eq!(order["message"], "Whether “Rabatt” is applied before or after “Fracht” changes the price.");
    let german = user.german().get(FINDINGS).await.is(200);
    assert_eq!(
        german["data"][3]["message"],
        "Ob „Rabatt“ vor oder nach „Fracht“ angewendet wird, ändert den Preis."
    );
    // quotes calculate the same total for a generated cart
    let shown = &finding(2)["cart"];
    assert_eq!(
        (&shown["sample_cart"], &shown["lines"][0]["article"]["id"]),
        (&Value::Null, &depot.articles[0]["id"])
    );
    let lines: Vec<Value> = shown["lines"]
        .as_array()
        .unwrap()
        .iter()
        .map(|line| json!({ "article_id": line["article"]["id"], "quantity": line["quantity"], "unit": line["unit"] }))
        .collect();
    let quote = json!({ "carts": [{ "at": shown["at"], "lines": lines }] });
    let quoted = user.post("/api/admin/quotes", quote).await.is(200)["data"][0].take();
    assert_eq!(quoted["total"], shown["total"]);
    assert_ne!(shown["total"], shown["otherwise"]);

    // an adjustment that leaves nothing for others, with its name
    let all = with(adjustment("Alles"), json!({ "value": "100" }));
    let all = id(&user.post(price_adjustments::PATH, all).await.is(201));
    let listed = user.get(price_adjustments::PATH).await.is(200);
    let seen: Vec<i64> = listed["data"].as_array().unwrap().iter().map(id).collect();
    let mut ids = seen.clone();
    ids.retain(|one| *one != all);
    ids.insert(0, all);
    user.put(&format!("{}/order", price_adjustments::PATH), json!({ "ids": ids, "seen": seen }))
        .await
        .is(204);
    let data = user.get(FINDINGS).await.is(200);
    let kinds = kinds(&data);
    assert!(kinds.contains(&"shadowed Schwer 2 Alles, Schwer".to_owned()), "{kinds:?}");

    // findings about other tenants are not visible, and they need the permission to list adjustments
    let south = app.caller(Some(app.south), PermissionSet::all()).await;
    assert_eq!(south.get(FINDINGS).await.is(200)["data"], json!([]));
    let caller = app.caller(Some(app.north), all_but(permissions::LIST_PRICE_ADJUSTMENTS)).await;
    caller.get(FINDINGS).await.is(403);
    assert_eq!(depot.catalog.admin.get(FINDINGS).await.is(422)["code"], "tenant_required");
    let north = depot.catalog.admin.get(&format!("{FINDINGS}?tenant_id={}", app.north)).await.is(200);
    assert_eq!(north["data"].as_array().unwrap().len(), kinds.len());
}
