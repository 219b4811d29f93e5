//! Records that are written back as they were read, while others change their read-only parts.

use serde_json::{Value, json};

use crate::{
    catalog::id,
    shipping_legs::leg,
    shipping_nodes::{NODES, node, nodes},
    stocks::{self, Depot},
    support::TestApp,
};

const PRICES: &str = "/api/admin/prices";

fn price(amount: &str) -> Value {
    json!({ "external_price": { "price": amount, "price_quantity": "100", "unit": "kg" } })
}

#[actix_web::test]
async fn quantity_and_price_of_a_stock_survive_changes_of_each_other() {
    let depot = Depot::new().await;
    let user = &depot.user;
    let stock = id(&user.post(stocks::PATH, depot.stock(0, 0)).await.is(201));
    let (stock_uri, price_uri) = (format!("{}/{stock}", stocks::PATH), format!("{PRICES}/{stock}"));
    user.patch(&price_uri, price("85")).await.is(200);

    // prices change after the stock was read
    let mut read = user.get(&stock_uri).await.is(200);
    assert_eq!(read["external_price"]["price"], "85");
    user.patch(&price_uri, price("86")).await.is(200);
    user.patch(&price_uri, price("87")).await.is(200);
    read["lead_time"] = 2_880.into();
    let written = user.put(&stock_uri, read).await.is(200);
    assert_eq!((&written["lead_time"], &written["external_price"]["price"]), (&json!(2_880), &json!("87")));

    // the quantity changes after the prices were read
    let mut prices = user.get(&price_uri).await.is(200);
    user.patch(&stock_uri, json!({ "availability_type": "quantity", "quantity": "11" })).await.is(200);
    user.patch(&stock_uri, json!({ "quantity": "12" })).await.is(200);
    prices["external_price"]["price"] = "88".into();
    let written = user.put(&price_uri, prices).await.is(200);
    assert_eq!((&written["external_price"]["price"], &written["quantity"]), (&json!("88"), &json!("12")));

    // a value that the stock never had was not read from it: refused as stale, with the current record
    let mut prices = user.get(&price_uri).await.is(200);
    user.patch(&stock_uri, json!({ "quantity": "13" })).await.is(200);
    prices["quantity"] = "99".into();
    let refused = user.put(&price_uri, prices).await.is(409);
    assert_eq!((&refused["code"], &refused["current"]["quantity"]), (&json!("stale"), &json!("13")));
    // and if nothing has changed meanwhile, a read-only field is reported as such
    user.patch(&price_uri, price("89")).await.is(200);
    let mut prices = user.get(&price_uri).await.is(200);
    prices["quantity"] = "99".into();
    assert_eq!(
        user.put(&price_uri, prices).await.is(422)["error_codes"],
        json!({ "quantity": ["read_only"] })
    );
}

#[actix_web::test]
async fn a_shipping_node_can_be_written_back_after_a_new_leg() {
    let app = TestApp::new().await;
    let admin = app.platform().await;
    let [linz, wels] = nodes(&admin, ["Depot Linz", "Depot Wels"]).await;
    let uri = format!("{NODES}/{linz}");
    let mut read = admin.get(&uri).await.is(200);
    admin.post("/api/admin/shipping-legs", leg(linz, wels)).await.is(201);
    read["address"] = "Hafenstraße 61".into();
    let written = admin.put(&uri, read).await.is(200);
    assert_eq!(
        (&written["address"], &written["outgoing_legs"][0]["node"]["name"]),
        (&json!("Hafenstraße 61"), &json!("Depot Wels"))
    );
    // without a version, the body was not read from a record
    let mut input = node("Depot Linz");
    input["outgoing_legs"] = json!([]);
    assert_eq!(
        admin.put(&uri, input).await.is(422)["error_codes"],
        json!({ "outgoing_legs": ["read_only"] })
    );
}
