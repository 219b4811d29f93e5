//! Prices of processings over HTTP: their fields, and the records that they refer to.

use actix_web::http::Method;
use pricing::permissions;
use serde_json::{Value, json};
use values::PermissionSet;

use crate::{
    catalog::{Catalog, TYPES, id},
    exports::lines,
    processings::{self, sawing},
    support::{Answer, Client, all_but},
};

pub(crate) const PATH: &str = "/api/admin/processing-prices";
const AUDIT: &str = "/api/admin/audit";

/// Input for the price of a processing each time, for articles of a type or for all others.
pub(crate) fn costs(processing: i64, article_type: Option<i64>, price: &str) -> Value {
    json!({ "processing_id": processing, "article_type_id": article_type, "price": { "price": price, "unit": "piece" } })
}

/// Two processings, and a user who sets prices for them.
struct Saws {
    catalog: Catalog,
    user: Client,
    band: i64,
    miter: i64,
}

impl Saws {
    async fn new() -> Self {
        let catalog = Catalog::new().await;
        let user = catalog.app.caller(Some(catalog.app.north), PermissionSet::all()).await;
        let made = async |name: &str| {
            id(&catalog.admin.post(processings::PATH, sawing(name, "-{schnittlaenge}")).await.is(201))
        };
        let (band, miter) = (made("Bandsäge").await, made("Gehrung").await);
        Self { catalog, user, band, miter }
    }

    fn beam(&self) -> i64 {
        id(&self.catalog.beam)
    }

    /// Prices of the list in its order.
    async fn listed(&self, query: &str) -> Vec<String> {
        let list = self.user.get(&format!("{PATH}?{query}")).await.is(200);
        let price = |row: &Value| row["price"]["price"].as_str().unwrap().to_owned();
        list["data"].as_array().unwrap().iter().map(price).collect()
    }
}

async fn undo(client: &Client, answer: &Answer) {
    let request = json!({ "request_id": answer.header("x-request-id") });
    assert_eq!(client.post(&format!("{AUDIT}/undo"), request).await.is(200)["done"], 1);
}

#[actix_web::test]
async fn a_price_is_created_shown_changed_and_deleted() {
    let saws = Saws::new().await;
    let Saws { catalog, user, band, miter } = &saws;
    let made = user.post(PATH, costs(*band, Some(saws.beam()), "4.50")).await.is(201);
    for (field, expected) in [
        ("tenant", json!({ "id": catalog.app.north, "short_code": "NORD" })),
        ("processing", json!({ "id": band, "name": "Bandsäge" })),
        ("article_type", json!({ "id": saws.beam(), "name": catalog.beam["name"] })),
        ("price", json!({ "price": "4.5", "price_quantity": "1", "unit": "piece" })),
        ("version", json!(1)),
    ] {
        assert_eq!(made[field], expected, "{field}");
    }
    let uri = format!("{PATH}/{}", made["id"]);
    assert_eq!(user.get(&uri).await.is(200), made);
    let mut back = made.clone();
    back["price"]["price_quantity"] = "10".into();
    back["release"] = true.into();
    let changed = user.put(&uri, back.clone()).await.is(200);
    assert_eq!((&changed["price"]["price_quantity"], &changed["version"]), (&json!("10"), &json!(2)));
    assert_eq!(user.put(&uri, back).await.is(409)["code"], "stale");
    let patched = user.send(Method::PATCH, &uri, Some(json!({ "article_type_id": null }))).await.is(200);
    assert_eq!((&patched["article_type"], &patched["price"]), (&Value::Null, &changed["price"]));

    // unknown to another tenant
    let south = catalog.app.caller(Some(catalog.app.south), PermissionSet::all()).await;
    for refused in
        [south.get(&uri).await, south.put(&uri, costs(*band, None, "1")).await, south.delete(&uri).await]
    {
        refused.is(404);
    }
    assert_eq!(south.get(PATH).await.is(200)["meta"]["total"], 0);
    // and a platform user without a chosen tenant has none
    assert_eq!(catalog.admin.get(PATH).await.is(422)["code"], "tenant_required");
    catalog.admin.post(PATH, costs(*miter, None, "1")).await.is(422);
    user.delete(&uri).await.is(204);
    user.get(&uri).await.is(404);
}

#[actix_web::test]
async fn a_processing_has_one_price_per_article_type_and_one_for_all_others() {
    let saws = Saws::new().await;
    let Saws { catalog, user, band, miter } = &saws;
    let general = user.post(PATH, costs(*band, None, "4")).await.is(201);
    let own = user.post(PATH, costs(*band, Some(saws.beam()), "5")).await.is(201);
    for (taken, text) in [(None, "4"), (None, "9"), (Some(saws.beam()), "5")] {
        let refused = user.post(PATH, costs(*band, taken, text)).await;
        refused.is_refused_at(&["processing_id"]);
        assert_eq!(refused.is(422)["error_codes"]["processing_id"], json!(["processing_price_taken"]));
    }
    let uri = format!("{PATH}/{}", id(&own));
    user.put(&uri, costs(*band, None, "5")).await.is_refused_at(&["processing_id"]);
    user.put(&uri, costs(*miter, None, "5")).await.is(200);
    user.post(PATH, costs(*band, Some(saws.beam()), "5")).await.is(201);
    // each tenant has prices of its own
    let south = catalog.app.caller(Some(catalog.app.south), PermissionSet::all()).await;
    south.post(PATH, costs(*band, None, "4")).await.is(201);

    let gone = format!("{PATH}/bulk-delete");
    let selection = json!({ "ids": [general["id"], own["id"]], "count": 2 });
    assert_eq!(user.post(&gone, selection).await.is(200)["done"], 2);
    assert_eq!(saws.listed("").await, ["5"]);
}

#[actix_web::test]
async fn errors_of_a_price_are_reported_at_their_fields() {
    let saws = Saws::new().await;
    let Saws { user, band, .. } = &saws;
    let priced = |price: Value| json!({ "processing_id": band, "price": price });
    for (input, fields) in [
        (costs(987, Some(987), "-1"), vec!["article_type_id", "price.price", "processing_id"]),
        (costs(*band, None, "100000000"), vec!["price.price"]),
        (costs(*band, None, "0.00001"), vec!["price.price"]),
        (
            priced(json!({ "price": "1", "price_quantity": "0", "unit": "piece" })),
            vec!["price.price_quantity"],
        ),
        (priced(json!({ "price": "1", "unit": "m" })), vec!["price.unit"]),
        (priced(json!({ "price": "1", "unit": "kg" })), vec!["price.unit"]),
        (priced(Value::Null), vec!["price"]),
        (json!({ "price": { "price": "1", "unit": "piece" } }), vec!["processing_id"]),
    ] {
        user.post(PATH, input).await.is_refused_at(&fields);
    }
    assert_eq!(saws.listed("").await, Vec::<String>::new());
    // zero is a price, and so is one for a hundred cuts
    user.post(PATH, costs(*band, None, "0")).await.is(201);
    let many = json!({ "processing_id": band, "article_type_id": saws.beam(), "price": { "price": "99999999.9999", "price_quantity": "100", "unit": "piece" } });
    user.post(PATH, many).await.is(201);
}

#[actix_web::test]
async fn prices_are_paged_sorted_found_and_exported() {
    let saws = Saws::new().await;
    let Saws { user, band, miter, .. } = &saws;
    for input in [costs(*miter, None, "1"), costs(*band, Some(saws.beam()), "2"), costs(*band, None, "3")] {
        user.post(PATH, input).await.is(201);
    }
    let (by_band, by_beam) =
        (format!("filter[processing_id]={band}"), format!("filter[article_type_id]={}", saws.beam()));
    for (query, expected) in [
        ("", vec!["1", "2", "3"]),
        ("sort=processing", vec!["2", "3", "1"]),
        ("sort=-processing", vec!["1", "3", "2"]),
        ("sort=article_type", vec!["2", "1", "3"]),
        ("page[size]=2&page[number]=2&sort=processing", vec!["1"]),
        (&by_band, vec!["2", "3"]),
        (&by_beam, vec!["2"]),
        ("filter[search]=SAEGE", vec!["2", "3"]),
        ("filter[search]=band%20trag", vec!["2"]),
        ("filter[search]=band%20gehr", vec![]),
    ] {
        assert_eq!(saws.listed(query).await, expected, "{query}");
    }
    let file = lines(&user.german().get(&format!("{PATH}/export?format=csv&sort=processing")).await);
    assert_eq!(file.len(), 4);
    assert!(file[1].starts_with("Bandsäge;") && file[3].starts_with("Gehrung;;1;1;"), "{file:?}");
}

#[actix_web::test]
async fn records_in_use_cannot_be_deleted_and_changes_are_recorded_and_undone() {
    let saws = Saws::new().await;
    let Saws { catalog, user, band, .. } = &saws;
    let answer = user.post(PATH, costs(*band, Some(saws.beam()), "4.5")).await;
    let made = answer.is(201);
    let name = format!("Bandsäge, {}", catalog.beam["name"].as_str().unwrap());
    for (uri, filter) in [
        (format!("{}/{band}", processings::PATH), "processing_id"),
        (format!("{TYPES}/{}?confirm=x", saws.beam()), "article_type_id"),
    ] {
        let refused = catalog.admin.delete(&uri).await.is(409);
        assert_eq!(refused["code"], "in_use");
        let used = json!([{ "by": "processing_prices", "filter": filter, "count": 1, "examples": [{ "id": made["id"], "name": name }] }]);
        assert_eq!(refused["used_by"], used);
    }
    let uri = format!("{PATH}/{}", id(&made));
    let changed = user.put(&uri, costs(*band, Some(saws.beam()), "5")).await;
    changed.is(200);
    let history = format!("{AUDIT}?filter[record]=processing_price&filter[record_id]={}", id(&made));
    let entry = user.get(&history).await.is(200)["data"][0].take();
    let money = |price: &str| json!({ "price": price, "price_quantity": "1", "unit": "piece" });
    assert_eq!(entry["record_name"], name);
    let [change] = &entry["changes"].as_array().unwrap()[..] else { panic!("{entry}") };
    assert_eq!(
        [&change["field"], &change["from"], &change["to"]],
        [&json!("price"), &money("4.5"), &money("5")]
    );
    undo(user, &changed).await;
    assert_eq!(user.get(&uri).await.is(200)["price"], money("4.5"));
    let gone = user.delete(&uri).await;
    gone.is(204);
    undo(user, &gone).await;
    assert_eq!(saws.listed(&format!("filter[article_type_id]={}", saws.beam())).await, ["4.5"]);
}

#[actix_web::test]
async fn callers_who_may_not_view_prices_see_none() {
    let saws = Saws::new().await;
    let Saws { catalog, user, band, miter } = &saws;
    let uri = format!("{PATH}/{}", id(&user.post(PATH, costs(*band, None, "38712.345")).await.is(201)));
    let blind = catalog.app.caller(Some(catalog.app.north), all_but(permissions::VIEW_PRICE)).await;
    for answer in [
        blind.get(PATH).await,
        blind.get(&uri).await,
        blind.get(&format!("{PATH}/export?format=csv")).await,
        blind.post(PATH, costs(*miter, None, "1")).await,
        blind.put(&uri, costs(*band, None, "1")).await,
        blind.send(Method::PATCH, &uri, Some(json!({ "version": 1 }))).await,
        blind.get(&format!("{AUDIT}?filter[record]=processing_price")).await,
    ] {
        assert!([200, 403].contains(&answer.status.as_u16()), "{}", answer.status);
        assert!(!String::from_utf8_lossy(&answer.bytes).contains("38712.3"), "{:?}", answer.bytes);
    }
    assert_eq!(user.get(PATH).await.is(200)["meta"]["total"], 1);
    assert_eq!(user.get(&uri).await.is(200)["version"], 1);
}

#[actix_web::test]
async fn an_implausible_price_of_a_processing_is_saved_only_once_released() {
    let saws = Saws::new().await;
    let user = &saws.user;
    let uri = format!("{PATH}/{}", id(&user.post(PATH, costs(saws.band, None, "12.5")).await.is(201)));
    let price = async || user.get(&uri).await.is(200)["price"]["price"].clone();

    let asked = user.put(&uri, costs(saws.band, None, "125")).await.is(409);
    assert_eq!(asked["code"], "release_needed");
    assert_eq!(asked["error_codes"], json!({ "price.price": ["price_point_times"] }));
    let asked = user.put(&uri, costs(saws.band, None, "16.3")).await.is(409);
    assert_eq!(asked["error_codes"], json!({ "price.price": ["price_jump"] }));
    assert_eq!(price().await, "12.5");
    // the same price for ten at a time
    let mut ten = costs(saws.band, None, "125");
    ten["price"]["price_quantity"] = json!("10");
    user.put(&uri, ten).await.is(200);

    let mut released = costs(saws.band, None, "125");
    released["release"] = json!(true);
    // a program cannot release prices
    let token = json!({ "name": "ERP", "abilities": ["access-admin"] });
    let token = user.post("/api/admin/tokens", token).await.is(201);
    let program = saws.catalog.app.with_token(token["plain_text"].as_str().unwrap());
    assert_eq!(program.put(&uri, released.clone()).await.is(409)["code"], "release_needed");
    let saved = user.put(&uri, released).await;
    assert_eq!(saved.is(200)["price"]["price_quantity"], "1");
    undo(user, &saved).await;
    assert_eq!(user.get(&uri).await.is(200)["price"]["price_quantity"], "10");
}
