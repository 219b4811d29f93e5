//! A caller with all permissions except that to view prices cannot find out a price anywhere.

use pricing::permissions;
use std::collections::BTreeSet;

use actix_web::http::Method;

use serde_json::{Value, json};

use super::{Operation, operations, token};
use crate::{
    catalog::id,
    imports::{IMPORTS, ended},
    price_lists,
    stocks::{self, Depot},
    support::{Answer, Client, Form, all_but},
};

/// Digits of all prices of this test, with the decimal point at any position.
const DIGITS: &str = "38712345";

fn tells_a_price(answer: &Answer) -> bool {
    let text = String::from_utf8_lossy(&answer.bytes);
    text.chars().filter(|sign| !['.', ','].contains(sign)).collect::<String>().contains(DIGITS)
}

/// Creates a stock with prices, some of them under review, from a form, a call and a file; returns the ids of
/// all related records.
async fn priced(depot: &Depot) -> Vec<i64> {
    let user = &depot.user;
    let stock = id(&user.post(stocks::PATH, depot.stock(0, 0)).await.is(201));
    let uri = format!("/api/admin/prices/{stock}");
    let price = |amount: &str| json!({ "price": amount, "unit": "m" });
    let prices = json!({ "external_price": price("38712.345"), "internal_price": price("3871.2345") });
    user.put(&uri, prices).await.is(200);

    let workers = depot.catalog.app.workers().await;
    let number = depot.articles[0]["article_number"].as_str().unwrap();
    let header = "Artikelnummer;Lager;Preis;Interner Preis;Staffel 1 ab;Staffelpreis 1";
    let mut imports = Vec::new();
    // the first one changes a tier; one row of the second is put under review and another refused
    for rows in [
        format!("{number};DU;38712,345;;5;38712,345"),
        format!("{number};DU;3871,2345;;;\r\n{number};HH;38712,345 x;;;"),
        format!("{number};DU;387123,45;;;"),
    ] {
        for kind in ["Price", "Listing"] {
            let file = format!("{header}\r\n{rows}\r\n");
            let form = Form::new().field("type", kind).file("Preise.csv", file);
            imports.push(id(&ended(user, &form.send(user, IMPORTS).await.is(201)).await));
        }
    }
    workers.end().await;
    let held = user.get("/api/admin/held-prices").await.is(200);
    let held = held["data"].as_array().unwrap().iter().map(id);
    [stock].into_iter().chain(imports).chain(held).collect()
}

/// Reading operations whose answer contains a price.
async fn telling(client: &Client, operations: &[Operation], ids: &[i64], stock: i64) -> BTreeSet<String> {
    let mut telling = BTreeSet::new();
    for operation in operations {
        let query = match &*operation.id {
            "audit.list" => format!("?filter[record]=stock&filter[record_id]={stock}&page[size]=200"),
            "audit.export" => format!("?format=csv&filter[record]=stock&filter[record_id]={stock}"),
            id if id.ends_with(".export") => "?format=csv".to_owned(),
            _ => String::new(),
        };
        let uris: BTreeSet<_> =
            ids.iter().map(|id| operation.path.replace("{id}", &id.to_string())).collect();
        for uri in uris {
            if tells_a_price(&client.german().get(&format!("{uri}{query}")).await) {
                telling.insert(operation.id.clone());
            }
        }
    }
    // an entry in its own history
    let history = "/api/admin/audit?filter[record]=held_price&page[size]=200";
    if tells_a_price(&client.get(history).await) {
        telling.insert("audit.list of held prices".to_owned());
    }
    telling
}

#[actix_web::test]
async fn callers_who_may_not_view_prices_see_none_anywhere() {
    let depot = Depot::new().await;
    let app = &depot.catalog.app;
    let ids = priced(&depot).await;
    let reads = |operation: &Operation| {
        // the endless stream only reports the progress of imports
        operation.method == Method::GET && operation.id != "imports.events"
    };
    let operations: Vec<_> = operations().into_iter().filter(reads).collect();
    let response = telling(&depot.user, &operations, &ids, ids[0]).await;
    for place in [
        "audit.export",
        "audit.list",
        "audit.list of held prices",
        "held_prices.list",
        "imports.error_file",
        "imports.errors",
        "imports.rows",
        "imports.upload_file",
        "prices.export",
        "prices.list",
        "prices.view",
        "stocks.list",
        "stocks.view",
        "v1.changes",
        "v1.listing",
        "v1.listings",
    ] {
        assert!(response.contains(place), "{place} is no place to look: {response:?}");
    }
    let blind = app.caller(Some(app.north), all_but(permissions::VIEW_PRICE)).await;
    assert_eq!(telling(&blind, &operations, &ids, ids[0]).await, BTreeSet::new());
    let blind = app.caller(None, all_but(permissions::VIEW_PRICE)).await;
    let none: Vec<_> = operations.into_iter().filter(|operation| !operation.id.starts_with("v1.")).collect();
    assert_eq!(telling(&blind, &none, &ids, ids[0]).await, BTreeSet::new(), "of the platform");
}

#[actix_web::test]
async fn a_cart_of_one_article_hides_its_price_from_callers_who_may_not_view_it() {
    let depot = Depot::new().await;
    let app = &depot.catalog.app;
    priced(&depot).await;
    let cart = |name: &str| {
        let line = json!({ "article_id": depot.articles[0]["id"], "quantity": "1", "unit": "m" });
        json!({ "name": name, "lines": [line] })
    };
    let carts = "/api/admin/sample-carts";
    let made = depot.user.post(carts, cart("Ein Meter")).await;
    let uri = format!("{carts}/{}", id(&made.is(201)));
    let blind = app.caller(Some(app.north), all_but(permissions::VIEW_PRICE)).await;
    for answer in [
        blind.post(carts, cart("Noch einer")).await,
        blind.get(carts).await,
        blind.get(&uri).await,
        blind.get(&format!("{carts}/export?format=csv")).await,
        blind.get(&format!("{uri}/difference")).await,
        blind.put(&uri, cart("Anders")).await,
        blind.post(&format!("{uri}/accept"), json!({})).await,
        blind.get("/api/admin/price-adjustments/findings").await,
    ] {
        assert!(answer.status.as_u16() == 403 || answer.status.as_u16() == 409, "{:?}", answer.status);
        assert!(!tells_a_price(&answer), "{:?}", answer.bytes);
    }
    assert_eq!(depot.user.get(carts).await.is(200)["meta"]["total"], 1);
    // the expected total of the cart is not in the history either
    let change = json!({ "name": "Ein Meter", "lines": cart("")["lines"], "expected_total": "387123.45" });
    depot.user.put(&uri, change).await.is(200);
    let history = "/api/admin/audit?filter[record]=sample_cart";
    assert!(tells_a_price(&depot.user.get(history).await));
    assert!(!tells_a_price(&blind.get(history).await));
}

#[actix_web::test]
async fn writing_prices_reveals_none_to_callers_who_may_not_view_them() {
    let depot = Depot::new().await;
    let app = &depot.catalog.app;
    let stock = priced(&depot).await[0];
    let number = &depot.articles[0]["article_number"];
    let item = json!({
        "article_number": number, "warehouse_short_code": "DU",
        "external_price": { "price": "1", "unit": "m" },
    });
    let (_, program) = token(app, &depot.user, &["import-prices"]).await;
    let (_, seeing) = token(app, &depot.user, &["import-prices", "listings:read"]).await;
    let put = "/api/v1/prices";
    for (client, sees) in [(&seeing, true), (&program, false)] {
        let response = client.put(put, json!({ "items": [item], "dry_run": sees })).await;
        assert_eq!(response.is(200)["data"][0]["result"], "held");
        let code = if sees { "price_jump" } else { "price_suspicious" };
        assert_eq!(response.is(200)["data"][0]["warnings"][0]["code"], code);
        assert_eq!(tells_a_price(&response), sees, "{}", response.is(200));
    }
    let blind = app.caller(Some(app.north), all_but(permissions::VIEW_PRICE)).await;
    let uri = format!("/api/admin/prices/{stock}");
    let one: Value = json!({ "external_price": { "price": "1", "unit": "m" } });
    for answer in [
        blind.send(Method::PATCH, &uri, Some(one.clone())).await,
        blind.put(&uri, one.clone()).await,
        blind.put("/api/admin/prices/bulk", json!({ "prices": [{ "id": stock, "version": 1 }] })).await,
        blind.put("/api/admin/prices/bulk", json!({ "prices": [{ "id": stock }] })).await,
        blind
            .send(Method::PATCH, &format!("{}/{stock}", stocks::PATH), Some(json!({ "quantity": "1" })))
            .await,
    ] {
        assert!(!tells_a_price(&answer), "{:?}", answer.bytes);
    }
    // users may read the files that they have uploaded themselves
    let file = format!("Artikelnummer;Lager;Preis\r\n{};DU;38712,345\r\n", number.as_str().unwrap());
    let form = Form::new().field("type", "Price").file("Preise.csv", file);
    let own = id(&form.send(&blind, IMPORTS).await.is(201));
    assert!(tells_a_price(&blind.get(&format!("{IMPORTS}/{own}/upload-file")).await));
    let other = app.caller(Some(app.north), all_but(permissions::VIEW_PRICE)).await;
    for file in ["upload-file", "errors"] {
        let refused = other.get(&format!("{IMPORTS}/{own}/{file}")).await.is(403);
        assert!(refused["message"].as_str().unwrap().contains("listing.view"), "{refused}");
    }
}

/// Otherwise some twenty dry runs would find out the internal price of a stock.
#[actix_web::test]
async fn dry_runs_do_not_reveal_internal_prices_to_callers_who_may_not_view_them() {
    let depot = Depot::new().await;
    let app = &depot.catalog.app;
    let user = &depot.user;
    let stock = id(&user.post(stocks::PATH, depot.stock(0, 0)).await.is(201));
    let price = |amount: &str| json!({ "price": amount, "unit": "m" });
    let prices = json!({ "external_price": price("100"), "internal_price": price("90") });
    user.put(&format!("/api/admin/prices/{stock}"), prices).await.is(200);
    let number = &depot.articles[0]["article_number"];
    let (_, program) = token(app, user, &["import-prices"]).await;
    let (_, seeing) = token(app, user, &["import-prices", "listings:read"]).await;
    let put = async |client: &Client, amount: &str, dry_run: bool| {
        let item = json!({
            "article_number": number, "warehouse_short_code": "DU", "external_price": price(amount),
        });
        let response =
            client.put("/api/v1/prices", json!({ "items": [item], "dry_run": dry_run })).await.is(200);
        let item = &response["data"][0];
        (item["result"].clone(), item["warnings"][0]["code"].clone())
    };
    let workers = app.workers().await;
    let file = async |client: &Client, amount: &str| {
        let file =
            format!("Artikelnummer;Lager;Preis [EUR/m]\r\n{};DU;{amount}\r\n", number.as_str().unwrap());
        let form = Form::new().field("type", "Price").field("dry_run", "true").file("Preise.csv", file);
        let import = ended(user, &form.send(client, IMPORTS).await.is(201)).await;
        import["rows_held"].clone()
    };
    assert_eq!(put(&seeing, "85", true).await, (json!("held"), json!("below_internal")));
    assert_eq!(file(&seeing, "85").await, 1);
    // the answer is the same just above and just below the internal price
    for amount in ["91", "85"] {
        assert_eq!(put(&program, amount, true).await, (json!("updated"), Value::Null), "{amount}");
        assert_eq!(file(&program, amount).await, 0, "{amount}");
    }
    workers.end().await;
    // a real write is still put under review
    assert_eq!(put(&program, "85", false).await, (json!("held"), json!("price_suspicious")));
    let held = user.get("/api/admin/held-prices").await.is(200);
    assert_eq!(held["data"][0]["reasons"][0]["code"], "below_internal");
}

/// Otherwise some twenty dry runs would find out the former price by the percentage that it may change.
#[actix_web::test]
async fn dry_runs_do_not_reveal_former_prices_to_callers_who_may_not_view_them() {
    let depot = Depot::new().await;
    let app = &depot.catalog.app;
    let user = &depot.user;
    let stock = id(&user.post(stocks::PATH, depot.stock(0, 0)).await.is(201));
    let price = |amount: &str| json!({ "price": amount, "unit": "m" });
    let prices = json!({ "external_price": price("100"), "internal_price": price("60") });
    user.put(&format!("/api/admin/prices/{stock}"), prices).await.is(200);
    let number = depot.articles[0]["article_number"].as_str().unwrap();
    let (_, program) = token(app, user, &["import-prices"]).await;
    let (_, seeing) = token(app, user, &["import-prices", "listings:read"]).await;
    let put = async |client: &Client, amount: &str, dry_run: bool| {
        let tier = json!({ "quantity_from": "10", "price": amount, "unit": "m" });
        let item = json!({
            "article_number": number, "warehouse_short_code": "DU",
            "external_price": price(amount), "external_bulk_prices": [tier],
        });
        let response =
            client.put("/api/v1/prices", json!({ "items": [item], "dry_run": dry_run })).await.is(200);
        let codes = response["data"][0]["warnings"].as_array().unwrap().iter();
        let codes = codes.map(|warning| (warning["field"].clone(), warning["code"].clone()));
        (response["data"][0]["result"].clone(), codes.collect::<Vec<_>>())
    };
    let workers = app.workers().await;
    let blind = app.caller(Some(app.north), all_but(permissions::VIEW_PRICE)).await;
    let file = async |client: &Client, amount: &str| {
        let file = format!("Artikelnummer;Lager;Preis [EUR/m]\r\n{number};DU;{amount}\r\n");
        let form = Form::new().field("type", "Price").field("dry_run", "true").file("Preise.csv", file);
        ended(user, &form.send(client, IMPORTS).await.is(201)).await
    };
    let held = json!("held");
    for amount in ["131", "69", "1000", "10"] {
        assert_eq!(put(&seeing, amount, true).await.0, held, "{amount}");
        assert_eq!(file(user, amount).await["rows_held"], 1, "{amount}");
    }
    // the answer is the same on both sides of every limit
    for amount in ["131", "129", "71", "69", "59", "1000", "990", "10", "1"] {
        assert_eq!(put(&program, amount, true).await, (json!("updated"), vec![]), "{amount}");
        let import = file(&blind, amount).await;
        assert_eq!((&import["rows_held"], &import["rows_updated"]), (&json!(0), &json!(1)), "{amount}");
    }
    // nor can another user's dry run be filtered by the size of the change
    let tried = async |amount: &str, filter: &str| {
        let import = id(&file(user, amount).await);
        format!("{IMPORTS}/{import}/rows?filter[{filter}")
    };
    let raised = tried("120", "price_change_greater_than]=10").await;
    assert_eq!(user.get(&raised).await.is(200)["meta"]["total"], 1);
    blind.get(&raised).await.is(403);
    let jumped = tried("131", "outcome]=held").await;
    let row = blind.get(&jumped).await.is(200)["data"][0].take();
    assert_eq!(
        (&row["price_change"], &row["warnings"][0]["code"]),
        (&Value::Null, &json!("price_suspicious"))
    );
    workers.end().await;

    // a real write is put under review, with one general reason for all causes
    let external = json!("external_price.price");
    let suspicious = (external, json!("price_suspicious"));
    let (result, response) = put(&program, "50", false).await;
    assert_eq!((&result, &response[0]), (&held, &suspicious));
    assert!(response.iter().all(|(_, code)| *code == "price_suspicious"), "{response:?}");
    let reasons = user.get("/api/admin/held-prices").await.is(200)["data"][0]["reasons"].take();
    assert_eq!(reasons[0]["code"], "price_jump");
}

/// Internal prices are not part of a list, so users who change its prices need not see them.
#[actix_web::test]
async fn dry_runs_of_bulk_changes_hide_costs_from_callers_who_may_not_view_them() {
    let depot = Depot::new().await;
    let app = &depot.catalog.app;
    let user = &depot.user;
    let stock = id(&user.post(stocks::PATH, depot.stock(0, 0)).await.is(201));
    let internal = json!({ "internal_price": { "price": "90", "unit": "m" } });
    user.put(&format!("/api/admin/prices/{stock}"), internal).await.is(200);
    let list = id(&user.post(price_lists::PATH, price_lists::list("Verkauf", app.north)).await.is(201));
    let uri = format!("{}/{list}/prices", price_lists::PATH);
    let price = json!({ "article_id": depot.articles[0]["id"], "price": { "price": "100", "unit": "m" } });
    user.put(&uri, json!({ "prices": [price] })).await.is(200);
    let blind = app.caller(Some(app.north), all_but(permissions::VIEW_PRICE)).await;
    let change = json!({ "change": { "percent": "-15" }, "dry_run": true });
    for (client, held) in [(user, 1), (&blind, 0)] {
        assert_eq!(client.post(&format!("{uri}/change"), change.clone()).await.is(200)["held"], held);
    }
    // a real write is put under review, with the same general reason as elsewhere
    let change = json!({ "change": { "percent": "-15" } });
    assert_eq!(blind.post(&format!("{uri}/change"), change).await.is(200)["held"], 1);
    for (client, code) in [(user, "list_below_internal"), (&blind, "price_suspicious")] {
        let response = client.get(&uri).await.is(200);
        assert_eq!(response["data"][0]["held"]["reasons"][0]["code"], code);
    }
}
