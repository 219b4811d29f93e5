//! Stocks that only the tenant's own system knows: requested live, once for concurrent callers, and answered
//! by the last known quantity while that system is unreachable.

use std::{
    collections::VecDeque,
    net::IpAddr,
    sync::{
        Arc, Mutex,
        atomic::{AtomicU16, Ordering},
    },
    time::{Duration, Instant},
};

use api::state::State;
use futures_util::future::{BoxFuture, join_all};
use outbound::{Outbound, Resolve, Rules};
use sea_orm::{ConnectionTrait, Statement};
use serde_json::{Value, json};
use values::PermissionSet;

use super::{
    PATH, SECRET,
    erp_server::{ErpServer, HOST, Reaction, json as answers, status},
    faulty_entries, misbehaving, settings_of, timeout_for,
};
use crate::{
    catalog::{ARTICLES, Catalog, id},
    support::Client,
    warehouses::warehouse,
};

const ASK: &str = "/api/v1/availability";
const STOCKS: &str = "/api/admin/stocks";

/// Tenant with stocks of another system, and two processes that serve them.
struct Tenant {
    catalog: Catalog,
    user: Client,
    other: Client,
    numbers: Vec<String>,
    stocks: Vec<i64>,
    api: i64,
}

impl Tenant {
    async fn new(server: &ErpServer, articles: i64, change: Value) -> Self {
        Self::with_names(server, articles, change, &[]).await
    }

    /// Same with a resolver that answers each name with these addresses, one after the other.
    async fn with_names(server: &ErpServer, articles: i64, change: Value, addresses: &[&str]) -> Self {
        let catalog = Catalog::new().await;
        let plain = catalog.app.caller(Some(catalog.app.north), PermissionSet::all()).await;
        let addresses: VecDeque<IpAddr> = addresses.iter().map(|address| address.parse().unwrap()).collect();
        let with_names = |state: &mut State| {
            if !addresses.is_empty() {
                let names = Names(Mutex::new(addresses));
                state.outbound = Outbound::with_resolver(
                    Rules::with_networks(vec!["127.9.9.0/24".parse().unwrap()]),
                    names,
                );
            }
        };
        let (_, user) = catalog.app.with_secret_key_and(&plain, with_names).await;
        let (_, other) = catalog.app.with_secret_key(&plain).await;
        user.post("/api/admin/warehouses", warehouse("Leipzig", "L")).await.is(201);
        let (mut numbers, mut stocks) = (Vec::new(), Vec::new());
        for index in 0..articles {
            let length = (6 + index).to_string();
            let article = catalog.admin.post(ARTICLES, catalog.article(0, &length)).await.is(201);
            let number = article["article_number"].as_str().unwrap().to_owned();
            let stock = json!({
                "article_number": number, "warehouse_short_code": "L", "availability_type": "external-api"
            });
            stocks.push(id(&user.post(STOCKS, stock).await.is(201)));
            numbers.push(number);
        }
        let api = id(&user.post(PATH, settings_of(server, change)).await.is(201));
        Self { catalog, user, other, numbers, stocks, api }
    }

    async fn live(&self) -> Value {
        self.user.get(&format!("{STOCKS}/{}/live", self.stocks[0])).await.is(200)
    }

    async fn ask(&self, client: &Client) -> Value {
        let item = |number: &String| json!({ "article_number": number, "quantity": "1" });
        let items: Vec<Value> = self.numbers.iter().map(item).collect();
        client.post(ASK, json!({ "items": items })).await.is(200)["data"].clone()
    }

    async fn state(&self) -> Value {
        self.user.get(&format!("{PATH}/{}", self.api)).await.is(200)["state"].clone()
    }

    async fn execute(&self, sql: &str) {
        let tx = self.catalog.app.db.begin().await.unwrap();
        tx.execute_raw(Statement::from_string(tx.get_database_backend(), sql)).await.unwrap();
        tx.commit().await.unwrap();
    }

    /// Ends the pause of the circuit breaker.
    async fn end_pause(&self) {
        let pause = "UPDATE external_api_state SET open_until = '2026-01-01T00:00:00+00:00' WHERE open_until IS NOT NULL";
        self.execute(pause).await;
    }
}

/// Resolver that answers with one address after the other, and then with the last one.
struct Names(Mutex<VecDeque<IpAddr>>);

impl Resolve for Names {
    fn resolve<'a>(&'a self, _: &'a str) -> BoxFuture<'a, std::io::Result<Vec<IpAddr>>> {
        let mut addresses = self.0.lock().unwrap();
        let next = if addresses.len() > 1 { addresses.pop_front() } else { addresses.front().copied() };
        Box::pin(async move { Ok(next.into_iter().collect()) })
    }
}

/// Server whose status can be changed; 200 answers with a quantity.
async fn changeable() -> (ErpServer, Arc<AtomicU16>) {
    let now = Arc::new(AtomicU16::new(200));
    let shared = now.clone();
    let server = ErpServer::start(move |_| match shared.load(Ordering::SeqCst) {
        200 => answers(&json!({ "free": "12.5" })),
        429 => Reaction::Answer(429, vec![("Retry-After", "120".to_owned())], Vec::new()),
        0 => Reaction::Silence,
        other => status(other),
    })
    .await;
    (server, now)
}

#[actix_web::test]
async fn a_hundred_requests_of_two_processes_for_one_article_cause_one_call() {
    let body = json!({ "free": 40 }).to_string();
    let server = ErpServer::start(move |_| Reaction::Late(Duration::from_millis(300), body.clone())).await;
    let tenant = Tenant::new(&server, 1, json!({ "timeout_ms": 10_000 })).await;
    let questions =
        (0..100).map(|index| tenant.ask(if index % 2 == 0 { &tenant.user } else { &tenant.other }));
    for answer in join_all(questions).await {
        assert_eq!(
            (&answer[0]["available"], &answer[0]["answered_by"]),
            (&json!("yes"), &json!("live")),
            "{answer}"
        );
        assert_eq!(answer[0]["quantity"], "40");
    }
    assert_eq!(server.received().len(), 1, "{:?}", server.targets());
    // recent enough for a minute
    assert_eq!(tenant.live().await["answered_by"], "live");
    assert_eq!(server.received().len(), 1);
}

#[actix_web::test]
async fn stocks_that_could_not_be_requested_in_time_say_so_and_do_not_blame_the_server() {
    let body = json!({ "free": 40 }).to_string();
    let server = ErpServer::start(move |_| Reaction::Late(Duration::from_millis(700), body.clone())).await;
    // four calls at once: the ninth has no turn within a second
    let tenant = Tenant::new(&server, 9, json!({ "timeout_ms": 1_000 })).await;
    tenant.ask(&tenant.user).await;
    let calls = server.received().len();
    assert!((4..9).contains(&calls), "{:?}", server.targets());
    let db = &*tenant.catalog.app.db;
    let unsent = "SELECT stock_id FROM external_quantity WHERE failure LIKE '%api_time_limit%'";
    let unsent = Statement::from_string(db.get_database_backend(), unsent);
    let unsent = db.query_all_raw(unsent).await.unwrap().len();
    assert!((1..=9 - calls).contains(&unsent), "{unsent} of 9, {calls} calls");
}

#[actix_web::test]
async fn unreachable_systems_yield_the_last_known_quantity_and_lists_never_call_them() {
    let (server, now) = changeable().await;
    let tenant = Tenant::new(&server, 1, json!({ "cache_seconds": 0, "timeout_ms": 2_000 })).await;
    let unasked = tenant.user.get(&format!("{STOCKS}/{}", tenant.stocks[0])).await.is(200);
    assert_eq!((&unasked["last_known"], server.received().len()), (&json!(null), 0));
    let live = tenant.live().await;
    assert_eq!(
        (&live["answered_by"], &live["quantity"], &live["reason"]),
        (&json!("live"), &json!("12.5"), &json!(null))
    );
    let calls = server.received().len();

    for (away, reason) in [(503, "status 503"), (401, "status 401"), (0, "did not answer in time")] {
        now.store(away, Ordering::SeqCst);
        let began = Instant::now();
        let last = tenant.live().await;
        assert_eq!(
            (&last["answered_by"], &last["quantity"]),
            (&json!("last_known"), &json!("12.5")),
            "{last}"
        );
        assert_eq!(last["as_of"], live["as_of"]);
        assert!(last["reason"].as_str().unwrap().contains(reason), "{last}");
        assert!(began.elapsed() < Duration::from_secs(3), "{:?}", began.elapsed());
    }
    let answer = tenant.ask(&tenant.user).await;
    assert_eq!((&answer[0]["available"], &answer[0]["answered_by"]), (&json!("yes"), &json!("last_known")));
    assert_eq!((&answer[0]["as_of"], &answer[0]["source"]), (&live["as_of"], &json!("external-api")));

    let before = server.received().len();
    assert!(before > calls);
    let list = tenant.user.get(STOCKS).await.is(200);
    let known = json!({ "quantity": "12.5", "as_of": live["as_of"] });
    assert_eq!((&list["data"][0]["last_known"], &list["data"][0]["quantity"]), (&known, &json!(null)));
    assert_eq!(server.received().len(), before);
    let log = tenant.user.get(&format!("{PATH}/{}/calls", tenant.api)).await.is(200);
    let log = log["data"].as_array().unwrap();
    assert_eq!((log.len(), &log[1]["status"], &log[0]["status"]), (before, &json!(null), &json!(null)));
    assert!(log.iter().all(|call| call["purpose"] == "availability"));

    // without an API the last known quantity stays
    tenant.user.delete(&format!("{PATH}/{}", tenant.api)).await.is(204);
    let last = tenant.live().await;
    assert_eq!((&last["answered_by"], &last["quantity"]), (&json!("last_known"), &json!("12.5")));
    assert!(last["reason"].as_str().unwrap().contains("No external API"), "{last}");
}

#[actix_web::test]
async fn a_stock_is_unknown_until_its_system_has_answered() {
    let (server, now) = changeable().await;
    now.store(503, Ordering::SeqCst);
    let tenant = Tenant::new(&server, 1, json!({})).await;
    let answer = tenant.ask(&tenant.user).await;
    assert_eq!((&answer[0]["available"], &answer[0]["answered_by"]), (&json!("unknown"), &json!("unknown")));
    let live = tenant.live().await;
    assert_eq!(
        (&live["answered_by"], &live["quantity"], &live["as_of"]),
        (&json!("unknown"), &json!(null), &json!(null))
    );
}

#[actix_web::test]
async fn five_failures_open_the_breaker_and_one_probe_of_all_processes_closes_it() {
    let (server, now) = changeable().await;
    let tenant = Tenant::new(&server, 1, json!({ "cache_seconds": 0 })).await;
    now.store(503, Ordering::SeqCst);
    for failures in 1..=5 {
        tenant.ask(if failures % 2 == 0 { &tenant.user } else { &tenant.other }).await;
        assert_eq!(tenant.state().await["failures_in_row"], failures);
    }
    let state = tenant.state().await;
    assert_eq!((&state["status"], &state["last_failure"]["code"]), (&json!("open"), &json!("api_down")));
    for client in [&tenant.user, &tenant.other] {
        assert_eq!(tenant.ask(client).await[0]["answered_by"], "unknown");
    }
    let live = tenant.live().await;
    assert!(live["reason"].as_str().unwrap().contains("after several failures"), "{live}");
    assert_eq!(server.received().len(), 5, "an open breaker asks nothing");

    // a failed probe opens it again
    tenant.end_pause().await;
    join_all((0..10).map(|index| tenant.ask(if index % 2 == 0 { &tenant.user } else { &tenant.other })))
        .await;
    assert_eq!((server.received().len(), &tenant.state().await["status"]), (6, &json!("open")));
    now.store(200, Ordering::SeqCst);
    assert_eq!(tenant.ask(&tenant.user).await[0]["answered_by"], "unknown");
    tenant.end_pause().await;
    assert_eq!(tenant.ask(&tenant.other).await[0]["answered_by"], "live");
    assert_eq!((server.received().len(), &tenant.state().await["status"]), (7, &json!("ok")));

    now.store(503, Ordering::SeqCst);
    for _ in 0..6 {
        tenant.ask(&tenant.user).await;
    }
    let closed = tenant.user.post(&format!("{PATH}/{}/close-breaker", tenant.api), json!({})).await.is(200);
    assert_eq!(
        (&closed["state"]["failures_in_row"], &closed["state"]["open_until"]),
        (&json!(0), &json!(null))
    );
    now.store(200, Ordering::SeqCst);
    assert_eq!(tenant.ask(&tenant.user).await[0]["answered_by"], "live");
}

#[actix_web::test]
async fn a_call_that_ends_after_its_api_is_deleted_leaves_no_log() {
    let body = json!({ "free": 40 }).to_string();
    let server = ErpServer::start(move |_| Reaction::Late(Duration::from_millis(400), body.clone())).await;
    let tenant = Tenant::new(&server, 1, json!({ "timeout_ms": 5_000 })).await;
    let delete = async {
        while server.received().is_empty() {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        tenant.user.delete(&format!("{PATH}/{}", tenant.api)).await.is(204);
    };
    let (live, ()) = futures_util::future::join(tenant.live(), delete).await;
    assert_eq!((&live["answered_by"], &live["quantity"]), (&json!("live"), &json!("40")));
    let db = &tenant.catalog.app.db;
    let calls = "SELECT id FROM external_api_call";
    let calls = Statement::from_string(db.get_database_backend(), calls);
    assert_eq!(db.query_all_raw(calls).await.unwrap().len(), 0);
}

#[actix_web::test]
async fn a_pause_requested_by_the_system_applies_immediately() {
    let (server, now) = changeable().await;
    let tenant = Tenant::new(&server, 1, json!({ "cache_seconds": 0 })).await;
    now.store(429, Ordering::SeqCst);
    tenant.ask(&tenant.user).await;
    tenant.ask(&tenant.other).await;
    let state = tenant.state().await;
    assert_eq!((&state["status"], server.received().len()), (&json!("open"), 1));
    let until: chrono::DateTime<chrono::Utc> = state["open_until"].as_str().unwrap().parse().unwrap();
    let pause = (until - values::now()).num_seconds();
    assert!((100..=120).contains(&pause), "{pause}");
}

#[actix_web::test]
async fn alternating_timeouts_do_not_open_the_breaker() {
    let count = AtomicU16::new(0);
    let server = ErpServer::start(move |_| {
        if count.fetch_add(1, Ordering::SeqCst).is_multiple_of(2) {
            Reaction::Silence
        } else {
            answers(&json!({ "free": 1 }))
        }
    })
    .await;
    let tenant = Tenant::new(&server, 1, json!({ "cache_seconds": 0, "timeout_ms": 2_000 })).await;
    for question in 0..6 {
        let expected = if question % 2 == 1 {
            "live"
        } else if question == 0 {
            "unknown"
        } else {
            "last_known"
        };
        assert_eq!(tenant.live().await["answered_by"], expected, "{question}");
    }
    assert_eq!(tenant.state().await["status"], "ok");
}

#[actix_web::test]
async fn many_lines_are_one_call_with_external_numbers_and_converted_units() {
    let server = ErpServer::start(|request| {
        let asked: Value = serde_json::from_str(&request.body).unwrap();
        let entry = |(index, line): (usize, &Value)| {
            let unit = ["m", "mm", "Elle"][index];
            json!({ "sku": line["sku"], "site": line["site"], "free": "2", "unit": unit })
        };
        let lines: Vec<Value> = asked["items"].as_array().unwrap().iter().enumerate().map(entry).collect();
        answers(&json!({ "items": lines }))
    })
    .await;
    let endpoint = json!({
        "method": "POST", "path": "stock/query", "body": "{\"items\": [{\"sku\": \"{article_number}\", \"site\": \"{warehouse}\"}]}",
        "lines_max": 200, "list": "/items", "article_number": "/sku", "warehouse": "/site", "quantity": "/free", "unit": "/unit"
    });
    let tenant = Tenant::new(&server, 3, json!({ "availability": endpoint })).await;
    let matching = json!({
        "article_number": tenant.numbers[0], "external_article_number": "4711", "warehouse_short_code": "L",
        "external_warehouse_identifier": "W-9"
    });
    tenant.user.post("/api/admin/matchings", matching).await.is(201);
    let answer = tenant.ask(&tenant.user).await;
    assert_eq!(server.targets(), ["POST /api/stock/query"]);
    let asked: Value = serde_json::from_str(&server.received()[0].body).unwrap();
    let skus: Vec<&Value> = asked["items"].as_array().unwrap().iter().map(|line| &line["sku"]).collect();
    assert!(skus.contains(&&json!("4711")) && skus.contains(&&json!(tenant.numbers[1])), "{asked}");
    assert!(asked["items"].as_array().unwrap().iter().all(|line| line["site"] == "W-9"), "{asked}");
    let by: Vec<&Value> = answer.as_array().unwrap().iter().map(|item| &item["answered_by"]).collect();
    assert_eq!(
        by.iter().filter(|by| **by == "live").count(),
        2,
        "a line with an unknown unit is not used: {answer}"
    );
    let quantities: Vec<&Value> = answer.as_array().unwrap().iter().map(|item| &item["quantity"]).collect();
    let (unit, quantities) = (answer[0]["quantity_unit"].as_str().unwrap(), format!("{quantities:?}"));
    assert!(quantities.contains("\"2\""), "{unit}: {quantities}");
}

#[actix_web::test]
async fn further_pages_are_read_only_from_the_same_origin() {
    let server = ErpServer::start(|request| {
        let page = |next: &str, sku: &str| {
            let body = json!([{ "sku": sku, "free": 5 }]).to_string().into_bytes();
            Reaction::Answer(200, vec![("Link", format!("<{next}>; rel=\"next\""))], body)
        };
        match request.target() {
            "GET /api/page/2" => answers(&json!([{ "sku": "4711", "free": 7 }])),
            "GET /api/endless" => page("/api/endless", "x"),
            target if target.starts_with("GET /api/loop") => page("/api/endless", "x"),
            target if target.starts_with("GET /api/away") => page("https://other.example/", "x"),
            _ => page("page/2", "x"),
        }
    })
    .await;
    let endpoint = |path: &str| {
        json!({
            "method": "GET", "path": format!("{path}?n={{article_numbers}}"), "lines_max": 1, "article_number": "/sku", "quantity": "/free"
        })
    };
    let tenant =
        Tenant::new(&server, 1, json!({ "availability": endpoint("stock"), "cache_seconds": 0 })).await;
    let matching = json!({ "article_number": tenant.numbers[0], "external_article_number": "4711" });
    tenant.user.post("/api/admin/matchings", matching).await.is(201);
    let live = tenant.live().await;
    assert_eq!((&live["answered_by"], &live["quantity"]), (&json!("live"), &json!("7")), "{live}");
    for (path, reason) in [("loop", "more than 20 pages"), ("away", "not on the server")] {
        let uri = format!("{PATH}/{}", tenant.api);
        let change = json!({ "availability": endpoint(path) });
        tenant.user.send(actix_web::http::Method::PATCH, &uri, Some(change)).await.is(200);
        let last = tenant.live().await;
        assert_eq!(last["answered_by"], "last_known");
        assert!(last["reason"].as_str().unwrap().contains(reason), "{last}");
    }
}

impl Tenant {
    /// Points the API to another server, after one that has answered with 12.5.
    async fn move_to(&self, server: &ErpServer, change: Value) {
        let mut input = json!({ "base_url": server.url(), "ca_certificate": server.authority });
        input.as_object_mut().unwrap().extend(change.as_object().unwrap().clone());
        let uri = format!("{PATH}/{}", self.api);
        self.user.send(actix_web::http::Method::PATCH, &uri, Some(input)).await.is(200);
    }

    /// Asserts that a request ends in time with the last known quantity and this reason.
    async fn answers_last_known(&self, reason: &str) {
        let began = Instant::now();
        let live = self.live().await;
        let answered = (&live["answered_by"], &live["quantity"]);
        assert_eq!(answered, (&json!("last_known"), &json!("12.5")), "{reason}: {live}");
        assert!(live["reason"].as_str().unwrap().contains(reason), "{reason}: {live}");
        let answer = self.ask(&self.user).await;
        let answered = (&answer[0]["answered_by"], &answer[0]["quantity"], &answer[0]["as_of"]);
        assert_eq!(answered, (&json!("last_known"), &json!("12.5"), &live["as_of"]), "{reason}: {answer}");
        assert!(began.elapsed() < Duration::from_secs(10), "{reason}: {:?}", began.elapsed());
    }
}

#[actix_web::test]
async fn misbehaving_servers_yield_the_last_known_quantity_with_a_reason() {
    let (good, _) = changeable().await;
    let tenant = Tenant::new(&good, 1, json!({ "cache_seconds": 0 })).await;
    assert_eq!(tenant.live().await["answered_by"], "live");
    for (react, expected) in misbehaving() {
        let server = ErpServer::start(move |_| react()).await;
        tenant.move_to(&server, json!({ "timeout_ms": timeout_for(expected) })).await;
        tenant.answers_last_known(expected).await;
        assert!(!server.received().is_empty(), "{expected}");
    }
    let endpoint = json!({
        "method": "GET", "path": "stock/{article_number}", "lines_max": 1, "quantity": "/free", "unit": "/unit"
    });
    for (entry, fault) in faulty_entries() {
        let server = ErpServer::start(move |_| answers(&entry)).await;
        tenant.move_to(&server, json!({ "availability": endpoint, "timeout_ms": 10_000 })).await;
        tenant.answers_last_known(fault).await;
    }
    let entry = json!({ "free": 5, "unit": "kg" });
    let server = ErpServer::start(move |_| answers(&entry)).await;
    tenant.move_to(&server, json!({})).await;
    assert_eq!(tenant.live().await["answered_by"], "live", "a unit that the article converts");
    // private addresses are reported like unreachable systems
    for url in ["https://127.0.0.1/api", "https://169.254.169.254/api", "https://[::1]/api"] {
        tenant.move_to(&server, json!({ "base_url": url })).await;
        let live = tenant.live().await;
        assert_eq!(live["answered_by"], "last_known", "{url}: {live}");
        assert!(live["reason"].as_str().unwrap().contains("cannot be reached"), "{url}: {live}");
    }
}

#[actix_web::test]
async fn an_unavailable_token_server_yields_the_last_known_quantity() {
    let (good, _) = changeable().await;
    let tenant = Tenant::new(&good, 1, json!({ "cache_seconds": 0 })).await;
    assert_eq!(tenant.live().await["answered_by"], "live");
    for (reaction, reason) in [(503, "status 503"), (0, "did not answer in time")] {
        let tokens = ErpServer::start(move |request| match request.target() {
            "POST /token" if reaction == 0 => Reaction::Silence,
            "POST /token" => status(reaction),
            _ => answers(&json!({ "free": 99 })),
        })
        .await;
        let oauth = json!({
            "authentication": "oauth2", "username": "nord", "secret": SECRET,
            "token_url": format!("https://{HOST}:{}/token", tokens.port), "timeout_ms": timeout_for(reason),
        });
        tenant.move_to(&tokens, oauth).await;
        tenant.answers_last_known(reason).await;
        assert!(tokens.targets().iter().all(|target| target == "POST /token"), "{:?}", tokens.targets());
    }
}

#[actix_web::test]
async fn a_host_that_later_resolves_to_a_private_address_is_not_called() {
    let name = "erp.lieferant.example";
    let server = ErpServer::start_as(name, |_| answers(&json!({ "free": "12.5" }))).await;
    let url = format!("https://{name}:{}/api", server.port);
    let change = json!({ "base_url": url, "cache_seconds": 0 });
    let tenant = Tenant::with_names(&server, 1, change, &[HOST, "127.0.0.1"]).await;
    let live = tenant.live().await;
    assert_eq!((&live["answered_by"], &live["quantity"]), (&json!("live"), &json!("12.5")), "{live}");
    tenant.answers_last_known("cannot be reached").await;
    assert_eq!(server.received().len(), 1);
}

#[actix_web::test]
async fn a_redirect_to_a_private_address_is_not_followed() {
    let canary = ErpServer::start(|_| answers(&json!({ "free": 99 }))).await;
    let port = canary.port;
    for host in [HOST, "127.0.0.1", "169.254.169.254"] {
        let (good, _) = changeable().await;
        let tenant = Tenant::new(&good, 1, json!({ "cache_seconds": 0 })).await;
        assert_eq!(tenant.live().await["answered_by"], "live");
        let location = format!("https://{host}:{port}/api");
        let server = ErpServer::start(move |_| {
            Reaction::Answer(307, vec![("Location", location.clone())], Vec::new())
        })
        .await;
        tenant.move_to(&server, json!({})).await;
        tenant.answers_last_known("redirects").await;
    }
    assert_eq!(canary.received().len(), 0);
}
