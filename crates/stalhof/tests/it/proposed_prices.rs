//! Prices under review proposed by several users at the same time: none of them replaces another one
//! unnoticed.

use futures_util::future::join_all;
use serde_json::{Value, json};
use values::PermissionSet;

use crate::{
    catalog::id,
    price_lists,
    stocks::{self, Depot},
    support::Client,
};

const PATH: &str = "/api/admin/prices";
const HELD: &str = "/api/admin/held-prices";

fn per_metre(amount: &str) -> Value {
    json!({ "price": amount, "price_quantity": "1", "unit": "m" })
}

async fn colleagues<const N: usize>(depot: &Depot) -> [Client; N] {
    let app = &depot.catalog.app;
    let mut users = Vec::new();
    for _ in 0..N {
        users.push(app.caller(Some(app.north), PermissionSet::all()).await);
    }
    users.try_into().ok().unwrap()
}

async fn stock_at(depot: &Depot, article: usize, amount: &str) -> i64 {
    let stock = id(&depot.user.post(stocks::PATH, depot.stock(article, 0)).await.is(201));
    depot.user.put(&format!("{PATH}/{stock}"), json!({ "external_price": per_metre(amount) })).await.is(200);
    stock
}

async fn decide(user: &Client, ids: &[&Value], decision: &str) -> Value {
    let selection = json!({ "ids": ids, "count": ids.len() });
    let body = json!({ "selection": selection, "change": { "field": "decision", "value": decision } });
    user.post(&format!("{HELD}/bulk-change"), body).await.is(200)
}

#[actix_web::test]
async fn a_second_user_sees_the_first_proposal_and_both_stay_under_review() {
    let depot = Depot::new().await;
    let stock = stock_at(&depot, 0, "10").await;
    let uri = format!("{PATH}/{stock}");
    let [first, second] = colleagues(&depot).await;
    let wants = async |user: &Client, amount: &str| {
        let version = user.get(&uri).await.is(200)["version"].clone();
        let input = json!({ "external_price": per_metre(amount), "version": version });
        user.put(&uri, input).await.is(200)["held"].clone()
    };
    let alone = wants(&first, "100").await;
    assert_eq!((&alone["external_price"], &alone["others"]), (&per_metre("100"), &json!([])));
    let both = wants(&second, "200").await;
    assert_eq!(
        (&both["external_price"], &both["others"][0]["external_price"]),
        (&per_metre("200"), &per_metre("100"))
    );
    assert_eq!((&both["others"][0]["by"], &both["others"][0]["id"]), (&alone["by"], &alone["id"]));
    assert_ne!(both["by"], alone["by"]);
    assert!(alone["by"]["name"].is_string());
    // each user has one proposal
    assert_eq!(wants(&second, "300").await["others"].as_array().unwrap().len(), 1);

    // the reviewer sees both, in the list and at the stock
    let held = depot.user.get(HELD).await.is(200);
    assert_eq!(held["meta"]["total"], 2);
    let of = |amount: &str| {
        let rows = held["data"].as_array().unwrap().iter();
        rows.clone().find(|row| row["wanted"]["external_price"]["price"] == amount).unwrap()
    };
    let (hundred, three_hundred) = (of("100"), of("300"));
    assert_eq!(hundred["others"][0]["wanted"]["external_price"], per_metre("300"));
    assert_eq!(hundred["others"][0]["by"], three_hundred["by"]);

    // a plausible price replaces only the user's own proposal
    assert_eq!(wants(&second, "11").await["external_price"], per_metre("100"));
    wants(&second, "300").await;
    let held = depot.user.get(HELD).await.is(200);
    let ids: Vec<&Value> = held["data"].as_array().unwrap().iter().map(|row| &row["id"]).collect();
    // one of two is released, the other one is reported as undecided
    let outcome = decide(&depot.user, &ids, "release").await;
    assert_eq!((&outcome["done"], outcome["refused"].as_array().unwrap().len()), (&json!(1), 1));
    assert_eq!(depot.user.get(HELD).await.is(200)["meta"]["total"], 1);
    let rest = depot.user.get(HELD).await.is(200)["data"][0].clone();
    decide(&depot.user, &[&rest["id"]], "refuse").await;
    assert_eq!(depot.user.get(&uri).await.is(200)["held"], Value::Null);
}

#[actix_web::test]
async fn concurrent_proposals_without_a_version_are_all_accepted() {
    let depot = Depot::new().await;
    let stocks = [stock_at(&depot, 0, "10").await, stock_at(&depot, 1, "10").await];
    let users: [Client; 6] = colleagues(&depot).await;
    let calls = users.iter().enumerate().map(async |(number, user)| {
        let mut prices: Vec<Value> = stocks
            .iter()
            .map(|stock| json!({ "id": stock, "external_price": per_metre(&format!("{}", 100 + number)) }))
            .collect();
        if number % 2 == 1 {
            prices.reverse();
        }
        user.put(&format!("{PATH}/bulk"), json!({ "prices": prices })).await.status
    });
    let statuses = join_all(calls).await;
    assert!(statuses.iter().all(|status| *status == 200), "{statuses:?}");
    let held = depot.user.get(HELD).await.is(200);
    assert_eq!(held["meta"]["total"], 12, "each user's price for each stock");
}

#[actix_web::test]
async fn list_prices_proposed_by_several_users_are_reviewed_side_by_side() {
    let depot = Depot::new().await;
    let [first, second] = colleagues(&depot).await;
    let list =
        depot.user.post(price_lists::PATH, price_lists::list("Verkauf", depot.catalog.app.north)).await;
    let uri = format!("{}/{}/prices", price_lists::PATH, id(&list.is(201)));
    let article = depot.articles[0]["id"].clone();
    let put = async |user: &Client, amount: &str| {
        let prices = json!({ "prices": [{ "article_id": article, "price": per_metre(amount) }] });
        user.put(&uri, prices).await.is(200)["data"][0].clone()
    };
    put(&depot.user, "10").await;
    put(&first, "100").await;
    let both = put(&second, "200").await;
    let held = &both["held"];
    assert_eq!((&held["price"], &held["others"][0]["price"]), (&per_metre("200"), &per_metre("100")));
    assert_ne!(held["by"], held["others"][0]["by"]);
    // a plausible price removes only the user's own proposal
    let fine = put(&second, "11").await;
    assert_eq!((&fine["price"], &fine["held"]["price"]), (&per_metre("11"), &per_metre("100")));
    let both = put(&second, "200").await;

    let decide = async |row: &Value, proposal: Value, decision: &str| {
        let price = json!({ "id": row["id"], "version": row["version"], "proposal": proposal });
        depot.user.post(&format!("{uri}/decide"), json!({ "prices": [price], "decision": decision })).await
    };
    decide(&both, json!(2), "release").await.is_refused_at(&["prices.0.proposal"]);
    let released = decide(&both, both["held"]["others"][0]["proposal"].clone(), "release").await.is(200);
    let row = &released["data"][0];
    assert_eq!((&row["price"], &row["held"]["price"]), (&per_metre("100"), &per_metre("200")));
    let refused = decide(row, Value::Null, "refuse").await.is(200);
    assert_eq!(
        (&refused["data"][0]["price"], &refused["data"][0]["held"]),
        (&per_metre("100"), &Value::Null)
    );
}
