//! Sample carts over HTTP: their expected totals, their current totals, and the reasons for a difference.

use actix_web::http::Method;
use pricing::permissions;
use serde_json::{Value, json};
use values::PermissionSet;

use crate::{
    catalog::{ARTICLES, id},
    price_adjustments::{self, adjustment},
    processing_prices::{self, costs},
    processings::{self, sawing},
    stocks::{self, Depot},
    support::{Client, all_but},
    warehouses::warehouse,
};

const PATH: &str = "/api/admin/sample-carts";
const ATTENTION: &str = "/api/admin/attention";

/// Creates a stock of the article of 61.3 kg/m at 985 a tonne.
async fn priced() -> (Depot, i64) {
    let depot = Depot::new().await;
    let stock = id(&depot.user.post(stocks::PATH, depot.stock(0, 0)).await.is(201));
    price(&depot, stock, "985").await;
    (depot, stock)
}

async fn price(depot: &Depot, stock: i64, external: &str) {
    let body = json!({ "external_price": { "price": external, "unit": "t" } });
    depot.user.put(&format!("/api/admin/prices/{stock}"), body).await.is(200);
}

/// Cart with some tonnes of the first article.
fn cart(depot: &Depot, name: &str, tonnes: &str) -> Value {
    let line = json!({ "article_id": depot.articles[0]["id"], "quantity": tonnes, "unit": "t" });
    json!({ "name": name, "lines": [line] })
}

/// Expected and calculated total, and the resulting status.
fn outcome(cart: &Value) -> [&Value; 3] {
    [&cart["expected_total"], &cart["total"], &cart["state"]]
}

async fn surprising(client: &Client) -> i64 {
    let data = client.get(ATTENTION).await.is(200)["data"].take();
    let carts = data.as_array().unwrap().iter().find(|one| one["about"] == "changed_sample_carts");
    carts.unwrap()["count"].as_i64().unwrap()
}

#[actix_web::test]
async fn an_exported_history_describes_lines_in_words_without_empty_fields() {
    let (depot, _) = priced().await;
    let cart = id(&depot.user.post(PATH, cart(&depot, "Halle", "2.5")).await.is(201));
    let uri =
        format!("/api/admin/audit/export?format=csv&filter[record]=sample_cart&filter[record_id]={cart}");
    let file = depot.user.german().get(&uri).await;
    let exported = String::from_utf8(file.bytes.to_vec()).unwrap();
    let number = depot.articles[0]["article_number"].as_str().unwrap();
    let line = format!("Erwarteter Betrag: 2462,5; Positionen: Artikel {number}, Menge 2,5, Einheit t;");
    assert!(exported.contains(&line), "{exported}");
}

#[actix_web::test]
async fn a_cart_is_created_shown_changed_and_deleted() {
    let (depot, _) = priced().await;
    let (user, app) = (&depot.user, &depot.catalog.app);
    let mut input = cart(&depot, " Stammkunden ", "2");
    input["buyer_id"] = app.south.into();
    input["lines"][0]["warehouse_id"] = depot.warehouses[0].into();
    let made = user.post(PATH, input.clone()).await.is(201);
    assert_eq!(made["name"], "Stammkunden");
    assert_eq!(made["buyer"], json!({ "id": app.south, "short_code": "SUED", "company": "SUED GmbH" }));
    assert_eq!(made["lines"][0]["article"]["article_number"], depot.articles[0]["article_number"]);
    assert_eq!(outcome(&made), [&json!("1970"), &json!("1970"), &json!("as_expected")]);
    let uri = format!("{PATH}/{}", id(&made));
    assert_eq!(user.get(&uri).await.is(200), made);
    assert_eq!(user.get(PATH).await.is(200)["data"], json!([made]));

    // the expected total can be entered, and stays when the cart is renamed
    let mut changed = cart(&depot, "Baustelle", "2");
    changed["expected_total"] = "1900".into();
    changed["version"] = 1.into();
    let row = user.put(&uri, changed.clone()).await.is(200);
    assert_eq!(outcome(&row), [&json!("1900"), &json!("1970"), &json!("differs")]);
    assert_eq!(user.put(&uri, changed.clone()).await.is(409)["code"], "stale");
    let patched = user.send(Method::PATCH, &uri, Some(json!({ "name": "Halle" }))).await.is(200);
    assert_eq!((&patched["name"], &patched["expected_total"]), (&json!("Halle"), &json!("1900")));
    user.post(PATH, cart(&depot, "HALLE", "1")).await.is_refused_at(&["name"]);

    // records named by a cart cannot be deleted while it exists
    let article = format!(
        "{ARTICLES}/{}?confirm={}",
        depot.articles[0]["id"],
        depot.articles[0]["article_number"].as_str().unwrap()
    );
    let used = depot.catalog.admin.delete(&article).await.is(409)["used_by"].take();
    assert!(used.as_array().unwrap().iter().any(|one| one["by"] == "sample_carts"), "{used}");

    // unknown to another tenant
    let south = app.caller(Some(app.south), PermissionSet::all()).await;
    for refused in
        [south.get(&uri).await, south.get(&format!("{uri}/difference")).await, south.delete(&uri).await]
    {
        refused.is(404);
    }
    south.post(&format!("{uri}/accept"), json!({})).await.is(404);
    assert_eq!(south.get(PATH).await.is(200)["data"], json!([]));

    // a restored cart has its expected total again
    let gone = user.delete(&uri).await;
    gone.is(204);
    user.get(&uri).await.is(404);
    let undo = json!({ "request_id": gone.header("x-request-id") });
    user.post("/api/admin/audit/undo", undo).await.is(200);
    let back = user.get(&uri).await.is(200);
    assert_eq!(outcome(&back), [&json!("1900"), &json!("1970"), &json!("differs")]);
}

#[actix_web::test]
async fn a_price_change_is_shown_immediately_explained_and_accepted() {
    let (depot, stock) = priced().await;
    let user = &depot.user;
    let made = user.post(PATH, cart(&depot, "Zwei Tonnen", "2")).await.is(201);
    let uri = format!("{PATH}/{}", id(&made));
    assert_eq!(surprising(user).await, 0);

    price(&depot, stock, "1000").await;
    let added = user.post(price_adjustments::PATH, adjustment("Rabatt")).await.is(201);
    let row = user.get(&uri).await.is(200);
    // 2,000 less three percent
    assert_eq!(outcome(&row), [&json!("1970"), &json!("1940"), &json!("differs")]);
    assert_eq!(surprising(user).await, 1);
    let why = user.get(&format!("{uri}/difference")).await.is(200);
    assert_eq!(
        (&why["expected_total"], &why["total"], &why["difference"]),
        (&json!("1970"), &json!("1940"), &json!("-30"))
    );
    assert!(why["since"].as_str() <= made["created_at"].as_str(), "{why}");
    let nothing = json!({ "price_list_id": null, "stock_id": null, "processing_id": null, "price_adjustment_id": null });
    let of = |field: &str, id: i64| {
        let mut reference = nothing.clone();
        reference[field] = id.into();
        reference
    };
    assert_eq!(
        why["changes"],
        json!([
            {
                "line": 0, "kind": "base_price", "name": null, "reference": of("stock_id", stock),
                "before": "1970", "after": "2000", "errors": [],
            },
            {
                "line": 0, "kind": "adjustment", "name": "Rabatt", "reference": of("price_adjustment_id", id(&added)),
                "before": null, "after": "-60", "errors": [],
            },
        ])
    );

    let accept = format!("{uri}/accept");
    assert_eq!(user.post(&accept, json!({ "total": "1940", "version": 7 })).await.is(409)["code"], "stale");
    // only a total that the user has seen is accepted
    for seen in [json!("1970"), Value::Null] {
        let refused = user.post(&accept, json!({ "total": seen, "version": 1 })).await;
        assert_eq!(refused.is(409)["code"], "total_changed");
    }
    assert_eq!(outcome(&user.get(&uri).await.is(200)), [&json!("1970"), &json!("1940"), &json!("differs")]);
    let accepted = user.post(&accept, json!({ "total": "1940", "version": 1 })).await;
    let row = accepted.is(200);
    assert_eq!(outcome(&row), [&json!("1940"), &json!("1940"), &json!("as_expected")]);
    assert_eq!(surprising(user).await, 0);
    assert_eq!(user.get(&format!("{uri}/difference")).await.is(200)["changes"], json!([]));

    // after the undo it has the same explanation as before
    let undo = json!({ "request_id": accepted.header("x-request-id") });
    user.post("/api/admin/audit/undo", undo).await.is(200);
    let again = user.get(&format!("{uri}/difference")).await.is(200);
    assert_eq!(
        (&again["difference"], &again["changes"], &again["since"]),
        (&why["difference"], &why["changes"], &why["since"])
    );
}

#[actix_web::test]
async fn a_processing_costs_the_price_of_the_cart_or_its_current_price() {
    let (depot, _) = priced().await;
    let user = &depot.user;
    let sawing =
        id(&depot.catalog.admin.post(processings::PATH, sawing("Sägen", "-{schnittlaenge}")).await.is(201));
    let general = user.post(processing_prices::PATH, costs(sawing, None, "4.5")).await.is(201);
    let sawn = |name: &str, price: Value| {
        let mut input = cart(&depot, name, "1");
        input["lines"][0]["processings"] =
            json!([{ "processing_id": sawing, "quantity": "2", "price": price }]);
        input
    };
    let written = user.post(PATH, sawn("Mit Preis", json!({ "price": "7", "unit": "piece" }))).await.is(201);
    let left_out = user.post(PATH, sawn("Ohne Preis", Value::Null)).await.is(201);
    assert_eq!([&written["total"], &left_out["total"]], ["999", "994"]);

    user.put(&format!("{}/{}", processing_prices::PATH, id(&general)), costs(sawing, None, "5"))
        .await
        .is(200);
    let now = async |cart: &Value| user.get(&format!("{PATH}/{}", id(cart))).await.is(200);
    let (written, left_out) = (now(&written).await, now(&left_out).await);
    assert_eq!(outcome(&written), [&json!("999"), &json!("999"), &json!("as_expected")]);
    assert_eq!(outcome(&left_out), [&json!("994"), &json!("995"), &json!("differs")]);
    assert_eq!(left_out["lines"][0]["processings"][0]["price"], Value::Null);
    let why = user.get(&format!("{PATH}/{}/difference", id(&left_out))).await.is(200);
    let change = &why["changes"][0];
    assert_eq!(
        (&change["name"], &change["reference"]["processing_id"], &change["before"], &change["after"]),
        (&json!("Sägen"), &json!(sawing), &json!("9"), &json!("10"))
    );
    user.delete(&format!("{}/{}", processing_prices::PATH, id(&general))).await.is(204);
    assert_eq!(now(&left_out).await["lines"][0]["errors"][0]["code"], "no_processing_price");
    assert_eq!(outcome(&now(&written).await)[2], "as_expected");
}

#[actix_web::test]
async fn a_cart_without_a_price_names_the_line_and_the_reason() {
    let (depot, stock) = priced().await;
    let user = &depot.user;
    let made = user.post(PATH, cart(&depot, "Zwei Tonnen", "2")).await.is(201);
    let uri = format!("{PATH}/{}", id(&made));
    user.delete(&format!("{}/{stock}", stocks::PATH)).await.is(204);
    let row = user.get(&uri).await.is(200);
    assert_eq!(outcome(&row), [&json!("1970"), &Value::Null, &json!("refused")]);
    assert_eq!(row["lines"][0]["errors"][0]["code"], "no_price");
    let why = user.get(&format!("{uri}/difference")).await.is(200);
    let change = &why["changes"][0];
    assert_eq!(
        (&change["kind"], &change["before"], &change["after"]),
        (&json!("refused"), &json!("1970"), &Value::Null)
    );
    assert_eq!(change["errors"][0]["code"], "no_price");
    assert_eq!(surprising(user).await, 1);
    // having no total may be the expected state
    let accepted = user.post(&format!("{uri}/accept"), json!({ "total": null })).await.is(200);
    assert_eq!(outcome(&accepted), [&Value::Null, &Value::Null, &json!("refused")]);
    assert_eq!(surprising(user).await, 0);
}

#[actix_web::test]
async fn errors_of_a_cart_are_reported_at_their_fields() {
    let (depot, _) = priced().await;
    let (user, app) = (&depot.user, &depot.catalog.app);
    let valid = cart(&depot, "Korb", "1");
    let refused = async |field: &str, value: Value, places: &[&str]| {
        let mut input = valid.clone();
        *input.pointer_mut(field).unwrap() = value;
        user.post(PATH, input).await.is_refused_at(places);
    };
    refused("/name", "".into(), &["name"]).await;
    refused("/lines", json!([]), &["lines"]).await;
    for quantity in ["0", "-1", "0.0000001", "1e30", "123456789012345678901"] {
        refused("/lines/0/quantity", quantity.into(), &["lines.0.quantity"]).await;
    }
    refused("/lines/0/unit", "l".into(), &["lines.0.unit"]).await;
    refused("/lines/0/article_id", 0.into(), &["lines.0.article_id"]).await;
    let more = |field: &str, value: Value| {
        let mut input = valid.clone();
        input[field] = value;
        input
    };
    user.post(PATH, more("buyer_id", 0.into())).await.is_refused_at(&["buyer_id"]);
    user.post(PATH, more("at", "1999-12-31T22:00:00Z".into())).await.is_refused_at(&["at"]);
    for total in ["-1", "0.001", "1e30"] {
        user.post(PATH, more("expected_total", total.into())).await.is_refused_at(&["expected_total"]);
    }
    let mut foreign = valid.clone();
    let south = app.caller(Some(app.south), PermissionSet::all()).await;
    let depot_of_south = south.post("/api/admin/warehouses", warehouse("SW", "SW")).await;
    foreign["lines"][0]["warehouse_id"] = id(&depot_of_south.is(201)).into();
    user.post(PATH, foreign).await.is_refused_at(&["lines.0.warehouse_id"]);
    let mut processed = valid.clone();
    processed["lines"][0]["processings"] = json!([{ "processing_id": 0, "quantity": "0.5" }]);
    user.post(PATH, processed)
        .await
        .is_refused_at(&["lines.0.processings.0.processing_id", "lines.0.processings.0.quantity"]);
    assert_eq!(user.get(PATH).await.is(200)["data"], json!([]));

    let looks = app.caller(Some(app.north), all_but(permissions::CREATE_PRICE_ADJUSTMENT)).await;
    looks.post(PATH, valid.clone()).await.is(403);
    // no more of them than can be calculated for each page
    for number in 0..200 {
        user.post(PATH, cart(&depot, &format!("Korb {number}"), "1")).await.is(201);
    }
    assert_eq!(user.post(PATH, cart(&depot, "Einer mehr", "1")).await.is(422)["code"], "too_many");
}
