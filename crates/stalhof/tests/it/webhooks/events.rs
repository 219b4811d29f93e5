//! Events of webhooks: each is caused as in practice, and written once.

use actix_web::{http::Method, web::Data};
use api::{state::State, webhook_events};
use chrono::TimeDelta;
use identity::token::reminder;
use sea_orm::ConnectionTrait;
use serde_json::{Value, json};
use stalhof::{feed_health, webhook_polls};
use values::now;

use super::{Bed, PATH, is_signed};
use crate::{
    catalog::id,
    ftp_settings,
    imports::ended,
    price_lists,
    stocks::{Depot, PATH as STOCKS},
    support::{Client, Form},
};

/// Tenant with stocks, and a webhook that subscribes to their changes.
struct StockBed {
    depot: Depot,
    state: Data<State>,
    user: Client,
    webhook: i64,
}

impl StockBed {
    async fn new() -> Self {
        let depot = Depot::new().await;
        let (state, user) = depot.catalog.app.with_secret_key(&depot.user).await;
        user.post(STOCKS, depot.stock(1, 0)).await.is(201);
        let input = json!({ "url": "https://erp.example/", "events": ["stock.changed", "price.changed"] });
        let webhook = id(&user.post(PATH, input).await.is(201)["webhook"]);
        Self { depot, state, user, webhook }
    }

    /// Looks for changes; returns event, subject and data of what was written for the webhook since the last
    /// call.
    async fn look(&self) -> Vec<(String, String, Value)> {
        self.execute("UPDATE webhook_queue SET look_due_at = created_at").await;
        webhook_polls::poll_all(&self.state).await.unwrap();
        let uri = format!("{PATH}/{}/deliveries?sort=id&filter[status]=pending", self.webhook);
        let mut events = Vec::new();
        for delivery in self.user.get(&uri).await.is(200)["data"].as_array().unwrap() {
            let uri = format!("/api/admin/webhook-deliveries/{}", id(delivery));
            let shown = self.user.get(&uri).await.is(200);
            let body: Value = serde_json::from_str(shown["request"]["body"].as_str().unwrap()).unwrap();
            let text = |name: &str| body[name].as_str().unwrap().to_owned();
            events.push((text("type"), text("subject"), body["data"].clone()));
        }
        self.execute("UPDATE webhook_delivery SET due_at = NULL, status = 'withdrawn'").await;
        events
    }

    async fn execute(&self, sql: &str) {
        let tx = self.depot.catalog.app.db.begin().await.unwrap();
        tx.execute_unprepared(sql).await.unwrap();
        tx.commit().await.unwrap();
    }
}

#[actix_web::test]
async fn changes_of_stocks_are_events_and_many_are_combined_into_one() {
    let bed = StockBed::new().await;
    // existing records cause no event
    assert_eq!(bed.look().await, []);
    let stock = id(&bed.user.post(STOCKS, bed.depot.stock(0, 0)).await.is(201));
    let event = |event: &str, deleted: bool| {
        (event.to_owned(), format!("stocks/{stock}"), json!({ "stock_id": stock, "deleted": deleted }))
    };
    assert_eq!(bed.look().await, [event("stock.changed", false)]);
    assert_eq!(bed.look().await, []);
    // sets earlier changes back in time, so that times distinguish the two sides
    bed.execute("UPDATE stock SET updated_at = '2026-01-01 00:00:00+00:00'").await;
    let price = json!({ "external_price": { "price": "850", "unit": "t" } });
    bed.user.send(Method::PATCH, &format!("/api/admin/prices/{stock}"), Some(price)).await.is(200);
    assert_eq!(bed.look().await, [event("price.changed", false)]);
    bed.user.delete(&format!("{STOCKS}/{stock}")).await.is(204);
    assert_eq!(bed.look().await, [event("stock.changed", true), event("price.changed", true)]);

    let cursor = bed.user.get("/api/v1/changes").await.is(200)["cursor"].clone();
    for length in 1..=51 {
        let mut stock = bed.depot.stock(0, 0);
        stock["length"] = json!(length.to_string());
        bed.user.post(STOCKS, stock).await.is(201);
    }
    let bulk = json!({ "bulk": true, "count": 51, "since": cursor });
    assert_eq!(bed.look().await, [("stock.changed".to_owned(), "stocks".to_owned(), bulk)]);
}

#[actix_web::test]
async fn an_import_and_a_price_list_are_announced_once() {
    let bed = Bed::new().await;
    let every = json!({ "events": ["import.finished", "price_list.activated"] });
    bed.user.send(Method::PATCH, &bed.uri(""), Some(every)).await.is(200);
    let form =
        Form::new().field("type", "Stock").file("Bestand.csv", "Artikelnummer;Lager;Menge\r\nX;DU;1\r\n");
    let import = id(&form.send(&bed.user, "/api/admin/imports").await.is(201));
    let workers = bed.app.workers().await;
    ended(&bed.user, &json!({ "id": import })).await;
    workers.end().await;
    let list = bed.user.post(price_lists::PATH, price_lists::list("Winter", bed.app.north)).await.is(201);
    let announce = async || webhook_events::announce_price_lists(&bed.app.db, now()).await.unwrap();
    announce().await;
    price_lists::shift(&bed.app, id(&list), 0, None).await;
    announce().await;
    announce().await;
    let subjects: Vec<Value> =
        bed.deliveries().await.iter().map(|delivery| delivery["subject"].clone()).collect();
    assert_eq!(subjects, [format!("imports/{import}"), format!("price-lists/{}", id(&list))]);
}

#[actix_web::test]
async fn changes_are_reported_from_the_subscription_of_a_webhook_on() {
    let bed = StockBed::new().await;
    // one was deleted before, one is deleted before the first look
    let others = bed.user.post(STOCKS, bed.depot.stock(0, 1)).await.is(201);
    let input = json!({ "url": "https://wms.example/", "events": ["stock.changed"] });
    bed.user.delete(&format!("{STOCKS}/{}", id(&others))).await.is(204);
    let second = id(&bed.user.post(PATH, input).await.is(201)["webhook"]);
    let first = bed.user.get(STOCKS).await.is(200)["data"][0].clone();
    bed.user.delete(&format!("{STOCKS}/{}", id(&first))).await.is(204);
    let deleted = (
        "stock.changed".to_owned(),
        format!("stocks/{}", id(&first)),
        json!({ "stock_id": id(&first), "deleted": true }),
    );
    let bed = StockBed { webhook: second, ..bed };
    assert_eq!(bed.look().await, [deleted]);

    // a change while it is not subscribed, and one afterwards
    let events = async |events: Value| {
        let input = json!({ "events": events });
        bed.user.send(Method::PATCH, &format!("{PATH}/{second}"), Some(input)).await.is(200);
    };
    events(json!(["feed.late"])).await;
    let unreported = id(&bed.user.post(STOCKS, bed.depot.stock(0, 0)).await.is(201));
    events(json!(["feed.late", "stock.changed"])).await;
    assert_eq!(bed.look().await, []);
    let changed = json!({ "quantity": "7" });
    bed.user.send(Method::PATCH, &format!("{STOCKS}/{unreported}"), Some(changed)).await.is(200);
    assert_eq!(bed.look().await.len(), 1);
}

#[actix_web::test]
async fn prices_put_under_review_by_hand_or_by_call_are_events() {
    let bed = StockBed::new().await;
    let uri = format!("{PATH}/{}", bed.webhook);
    bed.user.send(Method::PATCH, &uri, Some(json!({ "events": ["prices.held"] }))).await.is(200);
    let stock = id(&bed.user.get(STOCKS).await.is(200)["data"][0]);
    let article = bed.depot.articles[1]["article_number"].clone();
    let price = |amount: &str| json!({ "price": amount, "price_quantity": "1", "unit": "m" });
    let by_hand = async |amount: &str| {
        let input = json!({ "external_price": price(amount) });
        bed.user.send(Method::PATCH, &format!("/api/admin/prices/{stock}"), Some(input)).await.is(200);
    };
    by_hand("85").await;
    assert_eq!(bed.look().await, []);
    let held = |subject: &str| {
        ("prices.held".to_owned(), subject.to_owned(), json!({ "import_id": null, "count": 1 }))
    };
    by_hand("850").await;
    assert_eq!(bed.look().await, [held("held-prices")]);
    let many = json!({ "prices": [{ "id": stock, "external_price": price("8500") }] });
    bed.user.put("/api/admin/prices/bulk", many).await.is(200);
    assert_eq!(bed.look().await, [held("held-prices")]);
    let item = |amount: &str| json!({ "article_number": article, "warehouse_short_code": "DU", "external_price": price(amount) });
    let call = async |dry_run: bool| {
        let input = json!({ "items": [item("860")], "dry_run": dry_run });
        let done = bed.user.put("/api/v1/prices", input).await.is(200);
        assert_eq!(done["data"][0]["result"], "held");
        bed.look().await
    };
    assert_eq!(call(true).await, []);
    assert_eq!(call(false).await, [held("held-prices")]);

    let app = &bed.depot.catalog.app;
    let list = id(&bed.user.post(price_lists::PATH, price_lists::list("Winter", app.north)).await.is(201));
    let (subject, prices) = (format!("price-lists/{list}"), format!("{}/{list}/prices", price_lists::PATH));
    let entry = |amount: &str| json!({ "article_number": article, "price": price(amount) });
    let enter = async |amount: &str| {
        bed.user.put(&prices, json!({ "prices": [entry(amount)] })).await.is(200);
        bed.look().await
    };
    assert_eq!(enter("90").await, []);
    assert_eq!(enter("900").await, [held(&subject)]);
    assert_eq!(enter("90").await, []);
    let change = json!({ "change": { "percent": "900" } });
    bed.user.post(&format!("{prices}/change"), change).await.is(200);
    assert_eq!(bed.look().await, [held(&subject)]);
    let items = json!({ "items": [entry("9000")] });
    bed.user.put(&format!("/api/v1/price-lists/{list}/prices"), items).await.is(200);
    assert_eq!(bed.look().await, [held(&subject)]);
}

#[actix_web::test]
async fn a_price_list_of_a_group_is_announced_to_its_members() {
    let bed = Bed::new().await;
    let events = json!({ "events": ["price_list.activated"] });
    bed.user.send(Method::PATCH, &bed.uri(""), Some(events)).await.is(200);
    let admin = bed.app.platform().await;
    let mut lists = Vec::new();
    for (name, member) in [("Verbund", bed.app.north), ("Anderer Verbund", bed.app.south)] {
        let group = price_lists::group(&admin, name, &[member]).await;
        let mut list = price_lists::list(name, bed.app.north);
        (list["owner_tenant_id"], list["owner_tenant_group_id"]) = (Value::Null, group.into());
        lists.push(id(&admin.post(price_lists::PATH, list).await.is(201)));
    }
    for list in &lists {
        price_lists::shift(&bed.app, *list, 0, None).await;
    }
    for _ in 0..2 {
        webhook_events::announce_price_lists(&bed.app.db, now()).await.unwrap();
    }
    let deliveries = bed.deliveries().await;
    let subjects: Vec<&Value> = deliveries.iter().map(|delivery| &delivery["subject"]).collect();
    assert_eq!(subjects, [&json!(format!("price-lists/{}", lists[0]))]);
}

#[actix_web::test]
async fn a_feed_with_an_overdue_file_is_an_event() {
    let bed = Bed::new().await;
    bed.user.send(Method::PATCH, &bed.uri(""), Some(json!({ "events": ["feed.late"] }))).await.is(200);
    let settings = id(&bed.user.post(ftp_settings::PATH, ftp_settings::settings("Werk")).await.is(201));
    feed_health::watch(&bed.state, now()).await.unwrap();
    assert_eq!(bed.deliveries().await, [Value::Null; 0]);
    for days in [3, 4] {
        feed_health::watch(&bed.state, now() + TimeDelta::days(days)).await.unwrap();
    }
    bed.send().await;
    let request = bed.receiver.received().remove(0);
    assert_eq!((bed.receiver.received().len(), is_signed(&request, &bed.secret)), (1, true));
    let body: Value = serde_json::from_str(&request.body).unwrap();
    assert_eq!(
        (&body["type"], &body["subject"]),
        (&json!("feed.late"), &json!(format!("ftp-settings/{settings}")))
    );
    assert_eq!(
        body["data"],
        json!({ "settings_id": settings, "file": "price", "light": "late", "reason": null })
    );
}

#[actix_web::test]
async fn a_token_that_expires_soon_is_an_event_without_its_secret() {
    let bed = Bed::new().await;
    bed.user.send(Method::PATCH, &bed.uri(""), Some(json!({ "events": ["token.expiring"] }))).await.is(200);
    let expires_at = now() + TimeDelta::days(30);
    let input = json!({ "name": "ERP", "abilities": ["access-admin"], "expires_at": expires_at });
    let issued = bed.user.post("/api/admin/tokens", input).await.is(201);
    for days in [10, 20, 21] {
        let (site, at) = ("https://stalhof.example", now() + TimeDelta::days(days));
        reminder::remind(&bed.app.db, site, &webhook_events::TokenEvents, at).await.unwrap();
    }
    bed.send().await;
    let request = bed.receiver.received().remove(0);
    assert_eq!((bed.receiver.received().len(), is_signed(&request, &bed.secret)), (1, true));
    let body: Value = serde_json::from_str(&request.body).unwrap();
    let token = id(&issued["token"]);
    assert_eq!(
        (&body["type"], &body["subject"]),
        (&json!("token.expiring"), &json!(format!("tokens/{token}")))
    );
    assert_eq!((&body["data"]["token_id"], &body["data"]["name"]), (&json!(token), &json!("ERP")));
    assert_eq!(body["data"]["expires_at"], issued["token"]["expires_at"]);
    assert!(!request.body.contains(issued["plain_text"].as_str().unwrap()), "{}", request.body);
}
