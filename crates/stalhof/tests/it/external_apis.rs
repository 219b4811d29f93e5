//! External APIs over HTTP: settings whose secrets never come back, and tests against servers that misbehave.

pub(crate) mod erp_server;
mod live;
mod meta_data;
mod schedule;

use std::time::{Duration, Instant};

use actix_web::http::Method;
use feeds::{
    external_api::{ExternalApis, SECRET as SECRET_COLUMN},
    permissions,
};
use secrets::ExposeSecret;
use serde_json::{Value, json};
use store::Scope;
use values::PermissionSet;

use self::erp_server::{ErpServer, HOST, Reaction, json as answers, status};
use crate::{
    catalog::id,
    support::{Client, TestApp, all_but},
};

pub(crate) const PATH: &str = "/api/admin/external-apis";
const TEST: &str = "/api/admin/external-apis/test";
const AUDIT: &str = "/api/admin/audit";
const SECRET: &str = "kanarienvogel-7391";

/// Settings of an API that answers for one article at a time.
pub(crate) fn settings(name: &str) -> Value {
    let host = name.to_lowercase().replace(|c: char| !c.is_ascii_alphanumeric(), "");
    json!({
        "base_url": format!("https://{host}.example/api"), "authentication": "none", "active": true,
        "availability": { "method": "GET", "path": "stock/{article_number}", "lines_max": 1, "quantity": "/free" },
    })
}

/// Same settings for a server of this process.
pub(crate) fn settings_of(server: &ErpServer, change: Value) -> Value {
    let mut input = settings("erp");
    input["base_url"] = server.url().into();
    input["ca_certificate"] = server.authority.clone().into();
    input["timeout_ms"] = 10_000.into();
    input.as_object_mut().unwrap().extend(change.as_object().unwrap().clone());
    input
}

fn with(mut input: Value, change: Value) -> Value {
    input.as_object_mut().unwrap().extend(change.as_object().unwrap().clone());
    input
}

/// User of the first tenant, on a server with a secret key.
async fn user_with_key(app: &TestApp) -> (actix_web::web::Data<api::state::State>, Client) {
    app.with_secret_key(&app.caller(Some(app.north), PermissionSet::all()).await).await
}

async fn tested(user: &Client, settings: Value) -> Value {
    let input =
        json!({ "settings": settings, "id": null, "endpoint": "availability", "article_number": "HEB 200" });
    user.post(TEST, input).await.is(200)
}

#[actix_web::test]
async fn settings_are_saved_shown_changed_and_undone() {
    let app = TestApp::new().await;
    let (_, user) = user_with_key(&app).await;
    assert_eq!(user.get(PATH).await.is(200)["data"], json!([]));
    let made = user.post(PATH, settings("Werk")).await.is(201);
    assert_eq!(made["tenant"], json!({ "id": app.north, "short_code": "NORD" }));
    let state = json!({ "status": "unused", "failures_in_row": 0, "open_until": null, "last_success_at": null, "last_failure": null });
    assert_eq!(
        (&made["kind"], &made["timeout_ms"], &made["state"]),
        (&json!("generic_json"), &json!(3000), &state)
    );
    let again = user.post(PATH, settings("Anderes")).await.is(422);
    assert_eq!(again["error_codes"]["kind"], json!(["external_api_exists"]));
    let uri = format!("{PATH}/{}", id(&made));
    assert_eq!(user.get(&uri).await.is(200), made);
    assert_eq!(user.get(PATH).await.is(200)["data"], json!([made]));

    let answer = user.put(&uri, with(made.clone(), json!({ "cache_seconds": 5 }))).await;
    assert_eq!(answer.is(200)["cache_seconds"], 5);
    assert_eq!(user.put(&uri, made.clone()).await.is(409)["code"], "stale");
    let request = |answer: &crate::support::Answer| json!({ "request_id": answer.header("x-request-id") });
    assert_eq!(user.post(&format!("{AUDIT}/undo"), request(&answer)).await.is(200)["done"], 1);
    assert_eq!(user.get(&uri).await.is(200)["cache_seconds"], 60);

    let mut endpoint = made["availability"].clone();
    endpoint["unit_if_missing"] = "kg".into();
    let answer = user.send(Method::PATCH, &uri, Some(json!({ "availability": endpoint }))).await;
    assert_eq!(answer.is(200)["availability"]["unit_if_missing"], "kg");
    assert_eq!(user.post(&format!("{AUDIT}/undo"), request(&answer)).await.is(200)["done"], 1);
    assert_eq!(user.get(&uri).await.is(200)["availability"], made["availability"]);

    let gone = user.delete(&uri).await;
    gone.is(204);
    assert_eq!(user.post(&format!("{AUDIT}/undo"), request(&gone)).await.is(200)["done"], 1);
    let back = user.get(&uri).await.is(200);
    assert_eq!((&back["availability"], &back["base_url"]), (&made["availability"], &made["base_url"]));
}

#[actix_web::test]
async fn a_secret_is_sealed_never_shown_and_removed_when_the_address_changes() {
    let app = TestApp::new().await;
    let (state, user) = user_with_key(&app).await;
    let basic = json!({ "authentication": "basic", "username": "nord", "secret": SECRET });
    let made = user.post(PATH, with(settings("Werk"), basic)).await.is(201);
    let uri = format!("{PATH}/{}", id(&made));
    let row = Scope::platform().get::<ExternalApis>(&*app.db, id(&made)).await.unwrap();
    let opened = state.keys.open(SECRET_COLUMN.cell(row.id), row.secret_sealed.as_ref().unwrap()).unwrap();
    assert_eq!(opened.expose_secret(), SECRET);
    let history =
        user.get(&format!("{AUDIT}?filter[record]=external_api&filter[record_id]={}", row.id)).await;
    for text in [made.to_string(), history.is(200).to_string(), user.get(&uri).await.is(200).to_string()] {
        assert!(!text.contains(SECRET) && !text.contains("v1."), "{text}");
    }
    for change in [
        json!({ "base_url": "https://anderes.example/api" }),
        json!({ "base_url": "https://werk.example:8443/api" }),
        json!({ "username": "sued" }),
        json!({ "authentication": "bearer", "username": null }),
        json!({ "authentication": "none", "username": null }),
        json!({ "secret": "" }),
    ] {
        let start = json!({
            "base_url": "https://werk.example/api", "authentication": "basic", "username": "nord", "secret": SECRET
        });
        assert_eq!(user.send(Method::PATCH, &uri, Some(start)).await.is(200)["secret_set"], true, "{change}");
        let same = json!({ "base_url": "https://WERK.example/other" });
        assert_eq!(user.send(Method::PATCH, &uri, Some(same)).await.is(200)["secret_set"], true, "{change}");
        let cleared = user.send(Method::PATCH, &uri, Some(change.clone())).await.is(200);
        assert_eq!(cleared["secret_set"], false, "{change}");
    }
}

#[actix_web::test]
async fn errors_of_the_settings_are_reported_at_their_fields() {
    let app = TestApp::new().await;
    let (_, user) = user_with_key(&app).await;
    let endpoint =
        |change: Value| json!({ "availability": with(settings("w")["availability"].clone(), change) });
    let list = |change: Value| json!({ "meta_data": { "warehouses": with(json!({ "path": "w", "number": "/n" }), change) } });
    for (change, path, code) in [
        (json!({ "base_url": "http://werk.example" }), "base_url", "invalid_https_url"),
        (json!({ "base_url": "https://a:b@werk.example" }), "base_url", "invalid_https_url"),
        (json!({ "base_url": "https://werk.example/?key=1" }), "base_url", "api_base_url_query"),
        (json!({ "authentication": "basic" }), "username", "required"),
        (json!({ "username": "nord" }), "username", "not_for_authentication"),
        (json!({ "secret": "x" }), "secret", "not_for_authentication"),
        (json!({ "authentication": "header", "header_name": "Host" }), "header_name", "api_header_invalid"),
        (json!({ "authentication": "header", "header_name": "a b" }), "header_name", "api_header_invalid"),
        (
            json!({ "authentication": "oauth2", "username": "u", "token_url": "x" }),
            "token_url",
            "invalid_https_url",
        ),
        (json!({ "ca_certificate": "x" }), "ca_certificate", "authority_invalid"),
        (endpoint(json!({ "path": "../stock/{article_number}" })), "availability.path", "api_path_invalid"),
        (
            endpoint(json!({ "path": "https://x.example/{article_number}" })),
            "availability.path",
            "api_path_invalid",
        ),
        (
            endpoint(json!({ "path": "stock/{article}/{article_number}" })),
            "availability.path",
            "api_placeholder_unknown",
        ),
        (endpoint(json!({ "path": "stock" })), "availability.path", "api_article_missing"),
        (endpoint(json!({ "body": "{}" })), "availability.body", "api_body_needs_post"),
        (endpoint(json!({ "method": "POST", "body": "{" })), "availability.body", "api_body_invalid"),
        (endpoint(json!({ "lines_max": 2 })), "availability.lines_max", "api_one_line_only"),
        (
            endpoint(json!({ "path": "s?n={article_numbers}", "lines_max": 2 })),
            "availability.article_number",
            "required",
        ),
        (endpoint(json!({ "quantity": "free" })), "availability.quantity", "api_pointer_invalid"),
        (list(json!({ "gtin": "/g" })), "meta_data.warehouses.gtin", "api_articles_only"),
        (list(json!({ "path": "w/{warehouse}" })), "meta_data.warehouses.path", "api_placeholder_unknown"),
    ] {
        let refused = user.post(PATH, with(settings("Werk"), change.clone())).await.is(422);
        assert_eq!(refused["error_codes"][path], json!([code]), "{change} {refused}");
    }
}

#[actix_web::test]
async fn only_users_who_configure_external_apis_reach_them() {
    let app = TestApp::new().await;
    let other = app.caller(Some(app.north), all_but(permissions::CONFIGURE_EXTERNAL_API)).await;
    for answer in [other.get(PATH).await, other.post(PATH, settings("Werk")).await] {
        answer.is(403);
    }
}

#[actix_web::test]
async fn a_test_shows_request_answer_and_lines() {
    let server = ErpServer::start(|_| answers(&json!({ "free": "12.5", "echo": SECRET }))).await;
    let app = TestApp::new().await;
    let (_, user) = user_with_key(&app).await;
    let header = json!({ "authentication": "header", "header_name": "X-Api-Key", "secret": SECRET });
    let test = tested(&user, settings_of(&server, header.clone())).await;
    assert_eq!(test["request"]["url"], format!("{}/stock/HEB%20200", server.url()));
    let headers = &test["request"]["headers"];
    assert!(
        headers.as_array().unwrap().contains(&json!({ "name": "x-api-key", "value": "••••" })),
        "{headers}"
    );
    assert_eq!((&test["response"]["status"], &test["failure"]), (&json!(200), &json!(null)));
    assert_eq!((&test["lines"][0]["quantity"], &test["line_count"]), (&json!("12.5"), &json!(1)));
    assert!(!test.to_string().contains(SECRET), "{test}");
    assert!(server.received()[0].head.contains(SECRET));

    // the stored secret is used, and the call is logged without its contents
    let made = user.post(PATH, settings_of(&server, header)).await.is(201);
    let input = with(
        settings_of(&server, json!({})),
        json!({ "authentication": "header", "header_name": "X-Api-Key" }),
    );
    let body = |settings: &Value| json!({ "settings": settings, "id": id(&made), "endpoint": "availability", "article_number": "1" });
    assert_eq!(user.post(TEST, body(&input)).await.is(200)["failure"], json!(null));
    assert!(server.received()[1].head.contains(SECRET));
    let elsewhere = with(input.clone(), json!({ "header_name": "X-Other" }));
    let refused = user.post(TEST, body(&elsewhere)).await.is(200);
    assert!(refused["failure"].as_str().unwrap().contains("no password"), "{refused}");
    assert_eq!((server.received().len(), &refused["request"]), (2, &json!(null)));
    let calls = user.get(&format!("{PATH}/{}/calls", id(&made))).await.is(200);
    assert_eq!(calls["data"].as_array().unwrap().len(), 1);
    assert_eq!(
        (&calls["data"][0]["path"], &calls["data"][0]["purpose"]),
        (&json!("/api/stock/1"), &json!("test"))
    );
    assert!(!calls.to_string().contains(SECRET));
    let shown = user.get(&format!("{PATH}/{}", id(&made))).await.is(200);
    assert_eq!(shown["state"]["status"], "unused", "a test is no part of the state");
}

type React = Box<dyn Fn() -> Reaction + Send + Sync>;

/// Misbehaving servers, each with a part of the resulting message.
fn misbehaving() -> Vec<(React, &'static str)> {
    let deep = || format!("{}{}", "[".repeat(10_000), "]".repeat(10_000)).into_bytes();
    let redirect = || Reaction::Answer(302, vec![("Location", format!("https://{HOST}:1/"))], Vec::new());
    vec![
        (Box::new(redirect), "redirects"),
        (Box::new(|| Reaction::Endless), "10 MiB"),
        (Box::new(move || Reaction::Answer(200, Vec::new(), deep())), "not readable JSON"),
        (Box::new(|| Reaction::Answer(200, Vec::new(), b"{\"free\": NaN}".to_vec())), "not readable JSON"),
        (Box::new(|| answers(&json!("text"))), "no list"),
        (Box::new(|| status(401)), "credentials (status 401)"),
        (Box::new(|| status(403)), "credentials (status 403)"),
        (Box::new(|| status(404)), "does not find"),
        (Box::new(|| status(429)), "too many requests"),
        (Box::new(|| status(503)), "fault (status 503)"),
        (Box::new(|| Reaction::Silence), "did not answer in time"),
        (Box::new(|| Reaction::Drip("{\"free\": 1}".repeat(10))), "did not answer in time"),
        (Box::new(|| Reaction::Late(Duration::from_secs(15), "{}".into())), "did not answer in time"),
    ]
}

/// Time limit in milliseconds that is short only for servers that do not answer.
fn timeout_for(expected: &str) -> i64 {
    if expected == "did not answer in time" { 1_000 } else { 10_000 }
}

/// Entries with an unusable value, each with a part of the resulting message.
fn faulty_entries() -> [(Value, &'static str); 4] {
    [
        (json!({ "free": "12,5" }), "“12,5” is not a quantity"),
        (json!({ "free": "NaN" }), "“NaN” is not a quantity"),
        (json!({ "free": 5, "unit": "EUR" }), "“EUR” is not a known unit"),
        (json!({ "stock": 5 }), "no usable value at “/free”"),
    ]
}

#[actix_web::test]
async fn misbehaving_servers_end_a_test_in_time_with_an_error() {
    let app = TestApp::new().await;
    let (_, user) = user_with_key(&app).await;
    for (react, expected) in misbehaving() {
        let server = ErpServer::start(move |_| react()).await;
        let began = Instant::now();
        let test = tested(&user, settings_of(&server, json!({ "timeout_ms": timeout_for(expected) }))).await;
        let failure = test["failure"].as_str().unwrap();
        assert!(failure.contains(expected), "{expected}: {failure}");
        assert!(began.elapsed() < Duration::from_secs(10), "{expected}: {:?}", began.elapsed());
    }
    // invalid lines do not fail the whole answer
    for (entry, fault) in faulty_entries() {
        let server = ErpServer::start(move |_| answers(&entry)).await;
        let mut settings = settings_of(&server, json!({}));
        settings["availability"]["unit"] = "/unit".into();
        let test = tested(&user, settings).await;
        assert!(test["lines"][0]["fault"].as_str().unwrap().contains(fault), "{test}");
        assert_eq!((&test["failure"], &test["lines"][0]["quantity"]), (&json!(null), &json!(null)));
    }
    // a forbidden address is reported like an unreachable one
    for url in [
        "https://127.0.0.1/api",
        "https://localhost/api",
        "https://169.254.169.254/api",
        "https://gibtesnicht.example/api",
    ] {
        let test = tested(&user, with(settings("x"), json!({ "base_url": url }))).await;
        assert!(test["failure"].as_str().unwrap().contains("cannot be reached"), "{test}");
    }
}

#[actix_web::test]
async fn a_token_is_fetched_once_and_renewed_once_after_a_refusal() {
    let server = ErpServer::start(|request| {
        if request.target().starts_with("POST /token") {
            return answers(&json!({ "access_token": "t-8812", "token_type": "Bearer", "expires_in": 3600 }));
        }
        let is_known = request.head.contains("Bearer t-8812");
        if is_known && !request.target().contains("refused") {
            answers(&json!({ "free": 3 }))
        } else {
            status(401)
        }
    })
    .await;
    let app = TestApp::new().await;
    let (_, user) = user_with_key(&app).await;
    let oauth = json!({
        "authentication": "oauth2", "username": "nord", "secret": SECRET, "scope": "stock.read",
        "token_url": format!("https://{HOST}:{}/token", server.port),
    });
    for _ in 0..2 {
        let test = tested(&user, settings_of(&server, oauth.clone())).await;
        assert_eq!(test["lines"][0]["quantity"], "3", "{test}");
        assert!(!test.to_string().contains("t-8812"));
    }
    let targets = server.targets();
    assert_eq!(targets.iter().filter(|target| target.starts_with("POST /token")).count(), 1, "{targets:?}");
    let token = &server.received()[0];
    assert_eq!(token.body, "grant_type=client_credentials&scope=stock.read");
    assert!(token.head.contains("Basic ") && !token.head.contains(SECRET));

    let mut refused = settings_of(&server, oauth.clone());
    refused["availability"]["path"] = "refused/{article_number}".into();
    let test = tested(&user, refused).await;
    assert!(test["failure"].as_str().unwrap().contains("status 401"), "{test}");
    assert_eq!(server.received().len(), 6, "refused, a new token, and refused again: {:?}", server.targets());

    let down = ErpServer::start(|_| status(503)).await;
    let test = tested(
        &user,
        settings_of(&down, with(oauth, json!({ "token_url": format!("{}/token", down.url()) }))),
    )
    .await;
    let failure = test["failure"].as_str().unwrap();
    assert!(failure.contains("issued no token") && failure.contains("status 503"), "{failure}");
}
