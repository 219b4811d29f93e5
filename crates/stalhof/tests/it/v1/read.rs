//! Reads, look-ups and availability for programs; conditional requests and rate limits.

use actix_web::http::Method;
use serde_json::{Value, json};
use values::PermissionSet;

use super::{place, with};
use crate::{
    access::token,
    catalog::column,
    imports::{IMPORTS, ended},
    stocks::Depot,
    support::{Client, Form, TestApp},
};

async fn put(client: &Client, what: &str, items: Vec<Value>) {
    client.put(&format!("/api/v1/{what}"), json!({ "items": items })).await.is(200);
}

#[actix_web::test]
async fn every_token_finds_articles_and_warehouses_by_their_numbers() {
    let depot = Depot::new().await;
    let app = &depot.catalog.app;
    let numbers: Vec<_> =
        depot.articles.iter().map(|article| article["article_number"].as_str().unwrap()).collect();
    for ability in ["access-shop", "import-prices", "import-stocks", "listings:read", "stock:availability"] {
        let (_, program) = token(app, &depot.user, &[ability]).await;
        let uri =
            format!("/api/v1/articles?number={}&number=no&number={}", numbers[1].to_lowercase(), numbers[0]);
        let mut found = column(&program.get(&uri).await.is(200), "article_number")
            .into_iter()
            .map(str::to_owned)
            .collect::<Vec<_>>();
        found.sort_unstable();
        let mut expected = numbers.clone();
        expected.sort_unstable();
        assert_eq!(found, expected);
        let warehouses = program.get("/api/v1/warehouses").await.is(200);
        assert_eq!(column(&warehouses, "short_code"), ["DU", "HH"]);
        assert_eq!(
            warehouses["data"][0],
            json!({ "id": depot.warehouses[0], "short_code": "DU", "name": "Duisburg" })
        );
    }
    let (_, program) = token(app, &depot.user, &["listings:read", "stock:availability"]).await;
    for (query, path, code) in [
        ("number=", "number", "required"),
        ("number=x&name=y", "name", "unknown_parameter"),
        ("filter[namen]=y", "filter[namen]", "unknown_parameter"),
        (&*"number=x&".repeat(101), "number", "too_many"),
    ] {
        let refused = program.get(&format!("/api/v1/articles?{query}")).await.is(422);
        assert_eq!(refused["error_codes"], json!({ path: [code] }), "{query}");
    }
    let south = app.caller(Some(app.south), PermissionSet::all()).await;
    assert_eq!(south.get("/api/v1/warehouses").await.is(200)["data"], json!([]));
    let platform = app.platform().await;
    assert_eq!(platform.get("/api/v1/warehouses").await.is(422)["code"], "tenant_required");
    let chosen = format!("/api/v1/warehouses?tenant_id={}", app.north);
    assert_eq!(column(&platform.get(&chosen).await.is(200), "short_code"), ["DU", "HH"]);
}

#[actix_web::test]
async fn stocks_are_read_without_prices_and_listings_with_them() {
    let depot = Depot::new().await;
    let app = &depot.catalog.app;
    put(&depot.user, "stocks", vec![with(place(&depot, 0, "DU"), json!({ "quantity": "5" }))]).await;
    let price = json!({ "price": "85", "price_quantity": "100", "unit": "kg" });
    put(&depot.user, "prices", vec![with(place(&depot, 0, "DU"), json!({ "external_price": price }))]).await;
    let (_, stocks) = token(app, &depot.user, &["stock:availability"]).await;
    let (_, listings) = token(app, &depot.user, &["listings:read"]).await;
    let shown = stocks.get("/api/v1/stocks").await.is(200);
    assert_eq!(shown["data"][0]["quantity"], "5");
    assert!(
        !shown["data"].to_string().contains("external_price")
            && !shown["data"].to_string().contains("\"85\"")
    );
    let shown = listings
        .get(&format!("/api/v1/listings?filter[article_id]={}", depot.articles[0]["id"]))
        .await
        .is(200);
    assert_eq!(shown["data"][0]["external_price"], price);
    listings.get("/api/v1/stocks").await.is(403);
    stocks.get("/api/v1/listings").await.is(403);
}

#[actix_web::test]
async fn a_program_sees_its_own_imports() {
    let depot = Depot::new().await;
    let app = &depot.catalog.app;
    let work = app.workers().await;
    let (_, program) = token(app, &depot.user, &["import-stocks"]).await;
    let file = b"Artikelnummer;Lager;Menge\r\nNO;DU;1\r\n";
    let form = || Form::new().field("type", "Stock").file("liste.csv", file);
    let own = form().send(&program, IMPORTS).await.is(201);
    let colleague = app.caller(Some(app.north), PermissionSet::all()).await;
    form().send(&colleague, IMPORTS).await.is(201);
    ended(&program, &own).await;
    let listed = program.get("/api/v1/imports").await.is(200);
    assert_eq!((listed["data"].as_array().unwrap().len(), &listed["data"][0]["id"]), (1, &own["id"]));
    work.end().await;
}

/// Answer as available, reason, warehouse and first error.
fn in_short(line: &Value) -> [String; 4] {
    let error = &line["errors"][0];
    let error = error["code"].as_str().map(|code| format!("{} {code}", error["field"].as_str().unwrap()));
    let [available, reason, warehouse] =
        [&line["available"], &line["reason"], &line["warehouse"]["short_code"]]
            .map(|value| value.as_str().unwrap_or_default().to_owned());
    [available, reason, warehouse, error.unwrap_or_default()]
}

#[actix_web::test]
async fn availability_is_answered_item_by_item() {
    let depot = Depot::new().await;
    let app = &depot.catalog.app;
    put(
        &depot.user,
        "stocks",
        vec![
            with(place(&depot, 0, "DU"), json!({ "quantity": "24" })),
            with(place(&depot, 0, "HH"), json!({ "quantity": "60", "lead_time": 2880 })),
            with(place(&depot, 0, "HH"), json!({ "quantity": "600", "length": "6000" })),
            with(place(&depot, 1, "DU"), json!({ "availability_type": "external-api" })),
        ],
    )
    .await;
    let (_, program) = token(app, &depot.user, &["stock:availability"]).await;
    let number = &depot.articles[0]["article_number"];
    let ask = |fields: Value| with(json!({ "article_number": number }), fields);
    let cases = [
        (ask(json!({ "quantity": "24" })), ["yes", "enough", "DU", ""]),
        (ask(json!({ "quantity": "2", "unit": "piece" })), ["yes", "enough", "DU", ""]),
        (ask(json!({ "quantity": 24.000_001 })), ["yes", "enough", "HH", ""]),
        // 24 m of 61.3 kg each; a requested quantity need not convert exactly
        (ask(json!({ "quantity": "1000", "unit": "kg" })), ["yes", "enough", "DU", ""]),
        (ask(json!({ "quantity": "1471.2", "unit": "kg" })), ["yes", "enough", "DU", ""]),
        (ask(json!({ "quantity": "1.471201", "unit": "t" })), ["yes", "enough", "HH", ""]),
        (ask(json!({ "quantity": "0.0001", "unit": "mm" })), ["yes", "enough", "DU", ""]),
        (ask(json!({ "quantity": "25", "warehouse_short_code": "du" })), ["no", "too_little", "DU", ""]),
        (ask(json!({ "quantity": "61" })), ["no", "too_little", "HH", ""]),
        (
            json!({ "article_number": depot.articles[1]["article_number"], "quantity": "1" }),
            ["unknown", "not_asked", "DU", ""],
        ),
        (
            json!({ "article_number": depot.articles[1]["article_number"], "warehouse_short_code": "HH", "quantity": "1" }),
            ["no", "no_stock", "", ""],
        ),
        (
            json!({ "article_number": "NO", "quantity": "1" }),
            ["unknown", "refused", "", "article_number unknown_reference"],
        ),
        (
            json!({ "external_article_number": "4711", "quantity": "1" }),
            ["unknown", "refused", "", "external_article_number unmatched"],
        ),
        (ask(json!({ "quantity": "0" })), ["unknown", "refused", "", "quantity not_greater"]),
        (
            ask(json!({ "quantity": "1", "unit": "l" })),
            ["unknown", "refused", "", "unit wrong_unit_category"],
        ),
    ];
    let items: Vec<_> = cases.iter().map(|(item, _)| item.clone()).collect();
    let answer = program.post("/api/v1/availability", json!({ "items": items })).await.is(200);
    for ((item, expected), line) in cases.iter().zip(answer["data"].as_array().unwrap()) {
        assert_eq!(in_short(line), *expected, "{item}: {line}");
        assert_eq!(line["earliest_at"].is_null(), expected[0] != "yes", "{line}");
    }
    for (items, code) in
        [(json!([]), "too_few"), (json!(vec![ask(json!({ "quantity": "1" })); 201]), "too_many")]
    {
        let refused = program.post("/api/v1/availability", json!({ "items": items })).await.is(422);
        assert_eq!(refused["error_codes"], json!({ "items": [code] }));
    }
}

#[actix_web::test]
async fn a_buyer_can_query_only_stocks_that_a_seller_offers() {
    let depot = Depot::new().await;
    let app = &depot.catalog.app;
    // Hamburg has more, but without a sales price
    let stock =
        |warehouse: &str, quantity: &str| with(place(&depot, 0, warehouse), json!({ "quantity": quantity }));
    put(&depot.user, "stocks", vec![stock("DU", "24"), stock("HH", "60")]).await;
    let price = json!({ "external_price": { "price": "985", "unit": "t" } });
    put(&depot.user, "prices", vec![with(place(&depot, 0, "DU"), price)]).await;
    let buyer = app.caller(Some(app.south), PermissionSet::all()).await;
    let (_, program) = token(app, &buyer, &["stock:availability", "listings:read"]).await;
    let uri = "/api/v1/availability";
    let asked = |seller: &str, fields: Value| {
        let item = with(json!({ "article_number": depot.articles[0]["article_number"] }), fields);
        json!({ "seller_short_code": seller, "items": [item] })
    };
    for (fields, expected) in [
        (json!({ "quantity": "24" }), ["yes", "enough", "DU", ""]),
        (json!({ "quantity": "25" }), ["no", "too_little", "DU", ""]),
        (json!({ "quantity": "24", "warehouse_short_code": "du" }), ["yes", "enough", "DU", ""]),
        (
            json!({ "quantity": "24", "warehouse_short_code": "HH" }),
            ["unknown", "refused", "", "warehouse_short_code unknown_reference"],
        ),
        (
            json!({ "quantity": "24", "warehouse_short_code": "NIE" }),
            ["unknown", "refused", "", "warehouse_short_code unknown_reference"],
        ),
        (
            json!({ "quantity": "24", "external_warehouse_identifier": "DU" }),
            ["unknown", "refused", "", "external_warehouse_identifier unknown_reference"],
        ),
    ] {
        let line = program.post(uri, asked("nord", fields.clone())).await.is(200)["data"][0].take();
        assert_eq!(in_short(&line), expected, "{fields}: {line}");
        assert_eq!((&line["quantity"], line["earliest_at"].is_null()), (&Value::Null, expected[0] != "yes"));
    }
    // their own code refers to their own stocks, of which there are none
    let own = program.post(uri, asked("SUED", json!({ "quantity": "1" }))).await.is(200);
    assert_eq!(own["data"][0]["reason"], "no_stock");
    // a program with access to prices can name other sellers
    let (_, blind) = token(app, &buyer, &["stock:availability"]).await;
    for (client, seller) in [(&program, "NIE"), (&blind, "NORD")] {
        let refused = client.post(uri, asked(seller, json!({ "quantity": "1" }))).await.is(422);
        assert_eq!(refused["error_codes"], json!({ "seller_short_code": ["unknown_reference"] }));
    }
}

#[actix_web::test]
async fn a_client_with_the_current_answer_gets_304() {
    let depot = Depot::new().await;
    let user = &depot.user;
    let ask = async |known: &str| {
        let request = user.request(Method::GET, "/api/v1/stocks").insert_header(("if-none-match", known));
        user.call(request).await
    };
    put(user, "stocks", vec![with(place(&depot, 0, "DU"), json!({ "quantity": "5" }))]).await;
    let first = user.get("/api/v1/stocks").await;
    first.is(200);
    let tag = first.header("etag").to_owned();
    assert!(tag.starts_with("W/\"") && first.header("cache-control") == "private, no-cache", "{tag}");
    for known in [tag.clone(), format!("\"x\", {tag}"), tag.replace("W/", ""), "*".to_owned()] {
        let again = ask(&known).await;
        assert_eq!(
            (again.status.as_u16(), again.bytes.len(), again.header("etag")),
            (304, 0, &*tag),
            "{known}"
        );
    }
    put(user, "stocks", vec![with(place(&depot, 0, "DU"), json!({ "quantity": "6" }))]).await;
    let changed = ask(&tag).await;
    assert_eq!(changed.is(200)["data"][0]["quantity"], "6");
    assert_ne!(changed.header("etag"), tag);
    // a refusal has no ETag
    assert_eq!(user.get("/api/v1/stocks?sort=x").await.header("etag"), "");
}

#[actix_web::test]
async fn a_token_is_shown_its_remaining_calls_and_refused_beyond_the_limit() {
    let app = TestApp::new().await;
    let user = app.caller(Some(app.north), PermissionSet::all()).await;
    let (_, program) = token(&app, &user, &["listings:read"]).await;
    let (_, other) = token(&app, &user, &["stock:availability"]).await;
    let first = program.get("/api/v1/warehouses").await;
    assert_eq!(first.header("ratelimit-policy"), "\"token\";q=600;w=60");
    assert_eq!(first.header("ratelimit"), "\"token\";r=599;t=60");
    for _ in 1..600 {
        program.get("/api/v1/articles?number=").await.is(422);
    }
    let refused = program.get("/api/v1/warehouses").await;
    assert_eq!(refused.is(429)["code"], "rate_limited");
    let later = refused.header("retry-after");
    assert!((1..=60).contains(&later.parse::<u64>().unwrap()));
    assert_eq!(refused.header("ratelimit"), format!("\"token\";r=0;t={later}"));
    assert_eq!(refused.header("ratelimit-policy"), first.header("ratelimit-policy"));
    // others are not affected; users and other paths are not limited
    other.get("/api/v1/stocks").await.is(200);
    program.get("/api/users/me").await.is(200);
    assert_eq!(user.get("/api/v1/warehouses").await.header("ratelimit"), "");
}

#[actix_web::test]
async fn articles_are_listed_for_every_token() {
    let depot = Depot::new().await;
    let (_, program) = token(&depot.catalog.app, &depot.user, &["stock:availability"]).await;
    program.get("/api/admin/articles").await.is(403);
    let page = program.get("/api/v1/articles?sort=id&page[size]=1&page[number]=2").await.is(200);
    assert_eq!((&page["meta"]["total"], &page["meta"]["per_page"]), (&json!(2), &json!(1)));
    let article = &page["data"][0];
    for field in ["id", "article_number", "article_name", "material", "weight_per_base_unit"] {
        assert_eq!(article[field], depot.articles[1][field], "{field}");
    }
    let number = depot.articles[0]["article_number"].as_str().unwrap();
    let found = program.get(&format!("/api/v1/articles?filter[search]={number}")).await.is(200);
    assert_eq!(found["data"][0]["article_number"], number);
    // a number and a filter: both apply
    let none = format!("/api/v1/articles?number={number}&filter[id]={}", depot.articles[1]["id"]);
    assert_eq!(program.get(&none).await.is(200)["meta"]["total"], 0);
}

#[actix_web::test]
async fn stocks_and_listings_are_found_by_own_and_external_numbers() {
    let depot = Depot::new().await;
    let app = &depot.catalog.app;
    let quantity =
        |article, place_of: &str| with(place(&depot, article, place_of), json!({ "quantity": "5" }));
    let items = vec![quantity(0, "DU"), quantity(0, "HH"), quantity(1, "DU")];
    put(&depot.user, "stocks", items).await;
    let [first, second] = &depot.articles;
    let hamburg = depot.warehouses[1];
    for matching in [
        json!({ "article_id": first["id"], "external_article_number": "0815" }),
        json!({ "article_id": second["id"], "external_article_number": "4711",
            "warehouse_id": hamburg, "external_warehouse_identifier": "LG-2" }),
    ] {
        depot.user.post("/api/admin/matchings", matching).await.is(201);
    }
    // another tenant does not know the names
    let south = app.caller(Some(app.south), PermissionSet::all()).await;
    let place = json!({ "name": "Hamburg", "short_code": "HH" });
    let foreign = with(crate::warehouses::warehouse("Hamburg", "HH"), place);
    south.post("/api/admin/warehouses", foreign).await.is(201);

    let (_, program) = token(app, &depot.user, &["stock:availability", "listings:read"]).await;
    let number = first["article_number"].as_str().unwrap().to_lowercase();
    for (filters, expected) in [
        (format!("filter[article_number]={number}"), 2),
        (format!("filter[article_number]={number}&filter[warehouse_short_code]=hh"), 1),
        ("filter[warehouse_short_code]=DU&filter[warehouse_short_code]=HH".to_owned(), 3),
        ("filter[external_article_number]=0815".to_owned(), 2),
        ("filter[external_article_number]=815".to_owned(), 0),
        // the number of another warehouse is unknown here
        ("filter[external_article_number]=4711".to_owned(), 0),
        ("filter[external_warehouse_identifier]=lg-2".to_owned(), 1),
        ("filter[external_warehouse_identifier]=LG-9".to_owned(), 0),
        ("filter[warehouse_short_code]=D".to_owned(), 0),
    ] {
        for list in ["stocks", "listings"] {
            let found = program.get(&format!("/api/v1/{list}?{filters}")).await.is(200);
            assert_eq!(found["meta"]["total"], expected, "{list} {filters}");
            assert_eq!(found["data"].as_array().unwrap().len(), expected, "{list} {filters}");
        }
    }
    assert_eq!(south.get("/api/v1/stocks?filter[warehouse_short_code]=HH").await.is(200)["meta"]["total"], 0);

    let found = program.get("/api/v1/stocks?filter[external_warehouse_identifier]=LG-2").await.is(200);
    let one = format!("/api/v1/stocks/{}", found["data"][0]["id"]);
    assert_eq!(program.get(&one).await.is(200), found["data"][0]);
    south.get(&one).await.is(404);
    let listings = program.get("/api/v1/listings?filter[external_warehouse_identifier]=LG-2").await.is(200);
    let one = format!("/api/v1/listings/{}", listings["data"][0]["id"]);
    assert_eq!(program.get(&one).await.is(200), listings["data"][0]);
    let (_, stocks_only) = token(app, &depot.user, &["stock:availability"]).await;
    stocks_only.get(&one).await.is(403);
}
