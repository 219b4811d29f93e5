//! Customers' view of the price lists of others: nothing before a list starts unless it is announced, and
//! never the name that its owner gave it.

use serde_json::{Value, json};
use values::PermissionSet;

use super::{PATH, after, list, shift, with};
use crate::{
    access::token,
    catalog::{column, id},
    imports::IMPORTS,
    stocks::Depot,
    support::{Client, Form},
};

const V1: &str = "/api/v1/price-lists";
const QUOTES: &str = "/api/v1/quotes";

/// Creates a list for all with a price of the first article, which starts in an hour.
async fn planned(depot: &Depot, name: &str, changes: Value) -> i64 {
    let global = with(list(name, depot.catalog.app.north), json!({ "scope": "global" }));
    let list = id(&depot.user.post(PATH, with(global, changes)).await.is(201));
    let prices = json!({ "prices": [{
        "article_id": depot.articles[0]["id"], "price": { "price": "850", "unit": "t" },
    }] });
    depot.user.put(&format!("{PATH}/{list}/prices"), prices).await.is(200);
    list
}

async fn buyer(depot: &Depot) -> Client {
    depot.catalog.app.caller(Some(depot.catalog.app.south), PermissionSet::all()).await
}

async fn names(client: &Client, query: &str) -> Vec<Value> {
    let read = async |path: &str| {
        let page = client.get(&format!("{path}?{query}")).await.is(200);
        column(&page, "name").into_iter().map(Value::from).collect()
    };
    let names: Vec<Value> = read(PATH).await;
    assert_eq!(read(V1).await, names, "{query}");
    names
}

/// Lists in the explanation of the buyer's price of the first article at a time, and the total.
async fn explained(client: &Client, changes: Value) -> (Value, Value) {
    let cart = with(json!({ "seller_short_code": "NORD" }), changes);
    let quote =
        client.post(QUOTES, json!({ "carts": [cart], "explain": true })).await.is(200)["data"][0].take();
    (quote["lines"][0]["explanation"]["lists"].clone(), quote["total"].clone())
}

#[actix_web::test]
async fn a_planned_list_is_hidden_from_customers_until_it_begins() {
    let depot = Depot::new().await;
    let app = &depot.catalog.app;
    let buyer = buyer(&depot).await;
    let (_, program) = token(app, &buyer, &["listings:read", "import-prices"]).await;
    let own = id(&buyer.post(PATH, list("Eigene", app.south)).await.is(201));
    let list = planned(&depot, "Anpassung gegen Wettbewerb", json!({})).await;
    let item = json!({ "article_number": depot.articles[0]["article_number"], "price": { "price": "1", "unit": "t" } });
    let import = |list: i64| {
        let list = list.to_string();
        Form::new()
            .field("type", "PriceList")
            .field("price_list_id", &list)
            .file("Preise.csv", "Artikelnummer;Preis\n")
    };
    let tries = async |list: i64| {
        let uri = format!("{PATH}/{list}");
        let changed = json!({ "change": { "percent": "1" }, "from_price_list_id": list });
        [
            buyer.get(&uri).await,
            buyer.delete(&uri).await,
            buyer.get(&format!("{uri}/prices")).await,
            buyer.get(&format!("{uri}/prices/export?format=csv")).await,
            buyer.get(&format!("{uri}/audience")).await,
            buyer.post(&format!("{uri}/archive"), json!({})).await,
            buyer.post(&format!("{uri}/copy/preview"), json!({})).await,
            buyer.post(&format!("{PATH}/{own}/prices/change"), changed).await,
            import(list).send(&buyer, IMPORTS).await,
            program.get(&format!("{V1}/{list}")).await,
            program.get(&format!("{V1}/{list}/prices")).await,
            program.put(&format!("{V1}/{list}/prices"), json!({ "items": [item] })).await,
        ]
        .map(|answer| {
            let body: Value = serde_json::from_slice(&answer.bytes).unwrap();
            (answer.status.as_u16(), body["code"].clone(), body["error_codes"].clone())
        })
    };
    assert_eq!(tries(list).await, tries(987_654).await);
    for query in ["", "sort=-name", "filter[status]=pending", "filter[name]=wettbewerb"] {
        let expected = if query.contains("name]") { vec![] } else { vec![json!("Eigene")] };
        assert_eq!(names(&buyer, query).await, expected, "{query}");
    }
    let search = "/api/admin/search?q=wettbewerb";
    assert_eq!(buyer.get(search).await.is(200)["data"], json!([]));
    assert_eq!(depot.user.get(search).await.is(200)["data"][0]["total"], 1);

    shift(app, list, -1, None).await;
    assert_eq!(names(&buyer, "").await, ["Anpassung gegen Wettbewerb", "Eigene"]);
    assert_eq!(buyer.get(&format!("{PATH}/{list}/prices")).await.is(200)["meta"]["total"], 1);

    // a list that ended before it started is never shown
    shift(app, list, -60, Some(-60)).await;
    buyer.get(&format!("{PATH}/{list}")).await.is(404);
}

#[actix_web::test]
async fn an_announced_list_is_shown_to_customers_before_it_begins() {
    let depot = Depot::new().await;
    let buyer = buyer(&depot).await;
    let list = planned(&depot, "Verkauf 2027", json!({ "announce": true })).await;
    let uri = format!("{PATH}/{list}");
    let shown = buyer.get(&uri).await.is(200);
    assert_eq!(
        (&shown["name"], &shown["status"], &shown["customer_name"], &shown["announce"]),
        (&json!("Verkauf 2027"), &json!("pending"), &Value::Null, &Value::Null)
    );
    let own = depot.user.get(&uri).await.is(200);
    assert_eq!((&own["customer_name"], &own["announce"]), (&Value::Null, &json!(true)));
    depot.user.put(&uri, with(own, json!({ "announce": false }))).await.is(200);
    buyer.get(&uri).await.is(404);
}

#[actix_web::test]
async fn customers_see_filter_and_sort_only_by_the_name_for_customers() {
    let depot = Depot::new().await;
    let buyer = buyer(&depot).await;
    let named = |name: &str| json!({ "customer_name": name, "announce": true });
    let secret = planned(&depot, "Anpassung gegen Wettbewerb", named("Preisliste Träger")).await;
    let plain = planned(&depot, "Preisliste Bleche", json!({ "announce": true })).await;
    let own = id(&buyer.post(PATH, list("Zuschnitte", depot.catalog.app.south)).await.is(201));

    assert_eq!(names(&buyer, "").await, ["Preisliste Bleche", "Preisliste Träger", "Zuschnitte"]);
    assert_eq!(names(&buyer, "sort=-name").await, ["Zuschnitte", "Preisliste Träger", "Preisliste Bleche"]);
    assert_eq!(names(&depot.user, "").await, ["Anpassung gegen Wettbewerb", "Preisliste Bleche"]);
    for (filter, theirs, owners) in [
        ("filter[name]=wettbewerb", 0, 1),
        ("filter[name_starts_with]=anpassung", 0, 1),
        ("filter[name_equals]=anpassung+gegen+wettbewerb", 0, 1),
        ("filter[name_not_equals]=anpassung+gegen+wettbewerb", 3, 1),
        ("filter[name]=tr%C3%A4ger", 1, 0),
        ("filter[name_starts_with]=preisliste", 2, 1),
        ("filter[customer_name]=tr%C3%A4ger", 1, 1),
        ("filter[customer_name_equals]=preisliste+bleche", 1, 1),
    ] {
        for (client, expected) in [(&buyer, theirs), (&depot.user, owners)] {
            assert_eq!(
                client.get(&format!("{PATH}?{filter}")).await.is(200)["meta"]["total"],
                expected,
                "{filter}"
            );
        }
    }
    let found = async |client: &Client, text: &str| {
        client.get(&format!("/api/admin/search?q={text}")).await.is(200)["data"][0]["records"][0]["name"]
            .clone()
    };
    assert_eq!(found(&buyer, "wettbewerb").await, Value::Null);
    assert_eq!(found(&buyer, "preisliste+tr").await, "Preisliste Träger");
    assert_eq!(found(&depot.user, "wettbewerb").await, "Anpassung gegen Wettbewerb");

    // no answer of any kind contains the name that the owner gave it
    let refused = json!({ "ids": [secret, plain, own], "count": 3 });
    let answers = [
        buyer.get(PATH).await,
        buyer.get(&format!("{PATH}/export?format=csv")).await,
        buyer.get(&format!("{PATH}/{secret}")).await,
        buyer.get(&format!("{PATH}/{secret}/prices/export?format=csv")).await,
        buyer.get(&format!("{V1}/{secret}")).await,
        buyer.post(&format!("{PATH}/bulk-delete"), refused).await,
        buyer.post(&format!("{PATH}/{secret}/archive"), json!({})).await,
        buyer.get("/api/admin/audit").await,
    ];
    for answer in answers {
        let text = String::from_utf8_lossy(&answer.bytes).into_owned();
        assert!(!text.contains("Wettbewerb"), "{text}");
    }
    let file = depot.user.get(&format!("{PATH}/export?format=csv")).await;
    let text = String::from_utf8_lossy(&file.bytes).into_owned();
    assert!(text.contains("Anpassung gegen Wettbewerb") && text.contains("Preisliste Träger"), "{text}");
}

#[actix_web::test]
async fn a_quote_for_the_future_shows_a_customer_only_the_name_of_its_list() {
    let depot = Depot::new().await;
    let buyer = buyer(&depot).await;
    let secret =
        planned(&depot, "Anpassung gegen Wettbewerb", json!({ "customer_name": "Preisliste Träger" })).await;
    let without = with(list("Ohne Preise", depot.catalog.app.north), json!({ "scope": "global" }));
    depot.user.post(PATH, without).await.is(201);
    let line = json!([{ "article_id": depot.articles[0]["id"], "quantity": "1", "unit": "t" }]);
    let later = json!({ "at": after(7200), "lines": line });
    let (lists, total) = explained(&buyer, later.clone()).await;
    assert_eq!(total, "850");
    let expected_lists = json!([{
        "id": secret, "name": "Preisliste Träger", "applies": "global", "valid_from": null, "outcome": "won",
    }]);
    assert_eq!(lists, expected_lists);
    // as the seller shows it to the customer
    let shown = with(later.clone(), json!({ "as_customer": true, "buyer_short_code": "SUED" }));
    assert_eq!(explained(&depot.user, shown).await, (expected_lists, json!("850")));
    let (lists, _) = explained(&depot.user, with(later, json!({ "buyer_short_code": "SUED" }))).await;
    assert_eq!(column(&json!({ "data": lists }), "name"), ["Ohne Preise", "Anpassung gegen Wettbewerb"]);

    let asked = json!({
        "seller_short_code": "NORD", "article_id": depot.articles[0]["id"], "quantity": "1", "unit": "t",
        "from": after(0), "until": after(7200), "explain_at": after(7100),
    });
    let course = buyer.post("/api/admin/quotes/over-time", asked).await;
    let text = String::from_utf8_lossy(&course.bytes).into_owned();
    assert!(
        text.contains("Preisliste Träger") && !text.contains("Wettbewerb") && !text.contains("Ohne Preise"),
        "{text}"
    );
}

#[actix_web::test]
async fn a_copy_keeps_the_name_for_customers_and_is_not_announced() {
    let depot = Depot::new().await;
    let named = json!({ "customer_name": " Preisliste Träger ", "announce": true });
    let list = planned(&depot, "Verkauf 2027", named).await;
    let shown = depot.user.get(&format!("{PATH}/{list}")).await.is(200);
    assert_eq!((&shown["customer_name"], &shown["announce"]), (&json!("Preisliste Träger"), &json!(true)));
    let input = json!({ "name": "Verkauf 2028", "valid_from": after(7200) });
    let copy = depot.user.post(&format!("{PATH}/{list}/copy"), input).await.is(201)["price_list"].take();
    assert_eq!((&copy["customer_name"], &copy["announce"]), (&json!("Preisliste Träger"), &json!(false)));
    // an empty name counts as no name
    let uri = format!("{PATH}/{list}");
    assert_eq!(
        depot.user.put(&uri, with(shown, json!({ "customer_name": " " }))).await.is(200)["customer_name"],
        Value::Null
    );
}
