//! Sign-in, sessions and sign-out.

use std::time::Duration;

use actix_web::{http::Method, test::TestRequest};
use futures_util::future::join_all;
use sea_orm::ConnectionTrait;
use serde_json::{Value, json};
use values::{PermissionSet, now, permissions};

use crate::support::{Answer, Client, PASSWORD, TestApp, look_up_anew};

const PATH: &str = "/api/sessions";

fn credentials(email: &str, password: &str) -> Value {
    json!({ "email": email, "password": password })
}

/// Fails until the source has to wait for more than a second, so that the next attempt comes too early on a
/// slow machine, too.
pub(crate) async fn fail_until_throttled(attempt: impl AsyncFn() -> Answer) {
    for _ in 0..600 {
        let answer = attempt().await;
        if answer.status == 429 && answer.header("retry-after").parse::<u32>().unwrap() >= 2 {
            return;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("wrong passwords are not throttled");
}

#[actix_web::test]
async fn a_user_signs_in_is_recognized_and_signs_out() {
    let app = TestApp::new().await;
    let email = app.user(Some(app.north), PermissionSet::from_iter([permissions::ACCESS_SHOP])).await;
    let mut client = app.anonymous();
    let opened = client.post(PATH, credentials(&email.to_uppercase(), PASSWORD)).await.is(201);
    client.token = Some(opened["session"]["token"].as_str().unwrap().to_owned());

    let me = client.get("/api/users/me").await.is(200);
    assert_eq!(me["email"], email);
    assert_eq!(me["tenant_id"], app.north);
    assert_eq!(me["tenant"]["short_code"], "NORD");
    assert_eq!(me["permissions"], json!([{ "name": "access-shop" }]));
    let session = client.get("/api/sessions/current").await.is(200);
    assert!(session["session"]["idle_expires_at"].as_str() < session["session"]["expires_at"].as_str());

    client.delete("/api/sessions/current").await.is(204);
    assert_eq!(client.get("/api/users/me").await.is(401)["code"], "unauthenticated");
}

#[actix_web::test]
async fn a_wrong_password_an_unknown_account_and_a_disabled_one_get_the_same_answer() {
    let app = TestApp::new().await;
    let email = app.user(None, PermissionSet::all()).await;
    let disabled = app.user(None, PermissionSet::all()).await;
    let disable = format!("UPDATE \"user\" SET status = 'Disabled' WHERE email = '{disabled}'");
    app.db.writer().execute_unprepared(&disable).await.unwrap();
    let client = app.anonymous();
    let mut answers = Vec::new();
    for (email, password) in [(&*email, "falsch"), ("nobody@test.example", PASSWORD), (&disabled, PASSWORD)] {
        let mut body = client.post(PATH, credentials(email, password)).await.is(401);
        body["request_id"] = Value::Null;
        answers.push(body);
    }
    assert_eq!(answers[0]["message"], "Your credentials are invalid.");
    assert!(answers.iter().all(|answer| *answer == answers[0]), "{answers:?}");
    client.post(PATH, json!({ "email": "", "password": "" })).await.is_refused_at(&["email", "password"]);
}

#[actix_web::test]
async fn failures_throttle_their_source_and_lock_no_user_out() {
    let app = TestApp::new().await;
    let email = app.user(None, PermissionSet::all()).await;
    let client = app.anonymous();
    for _ in 0..5 {
        client.post(PATH, credentials(&email, "falsch")).await.is(401);
    }
    fail_until_throttled(async || client.post(PATH, credentials(&email, "falsch")).await).await;
    let answer = client.post(PATH, credentials(&email, PASSWORD)).await;
    assert_eq!(answer.is(429)["code"], "too_many_attempts");
    assert!(answer.header("retry-after").parse::<u32>().unwrap() >= 1);

    let elsewhere = client.request(Method::POST, PATH).peer_addr(([127, 0, 0, 2], 50_000).into());
    client.call(elsewhere.set_json(credentials(&email, PASSWORD))).await.is(201);
}

#[actix_web::test]
async fn an_attacked_account_stays_open_for_addresses_used_before() {
    let app = TestApp::new().await;
    let email = app.user(None, PermissionSet::all()).await;
    let (client, another) = (app.anonymous(), app.another().await);
    let from = |client: &Client, number: u8, email: &str, password: &str| {
        let request = client.request(Method::POST, PATH).peer_addr(([10, 0, 0, number], 50_000).into());
        request.set_json(credentials(email, password))
    };
    client.call(from(&client, 200, &email, PASSWORD)).await.is(201);
    let mut waits = Vec::new();
    for name in [&*email, "nobody@test.example"] {
        for number in 0..40 {
            client.call(from(&client, number, name, "falsch")).await.is(401);
        }
        // each half minute one more is free, which passes on a slow machine
        let mut further = 40..60;
        while client.call(from(&client, further.next().unwrap(), name, "falsch")).await.status != 429 {}
        // in any process, and with any spelling of the account
        let slowed = another.call(from(&another, 60, &format!(" {}", name.to_uppercase()), PASSWORD)).await;
        assert_eq!(slowed.is(429)["code"], "too_many_attempts");
        waits.push(slowed.header("retry-after").parse::<u32>().unwrap());
    }
    assert!(waits.iter().all(|wait| (1..=30).contains(wait)), "{waits:?}");
    client.call(from(&client, 200, &email, "vertippt")).await.is(401);
    another.call(from(&another, 200, &email, PASSWORD)).await.is(201);
}

#[actix_web::test]
async fn successful_sign_ins_are_never_throttled() {
    let app = TestApp::new().await;
    let email = app.user(None, PermissionSet::all()).await;
    let client = app.anonymous();
    for _ in 0..4 {
        client.post(PATH, credentials(&email, "falsch")).await.is(401);
        client.post(PATH, credentials(&email, PASSWORD)).await.is(201);
    }
}

#[actix_web::test]
async fn concurrent_sign_ins_with_right_passwords_are_never_throttled() {
    let app = TestApp::new().await;
    let email = app.user(None, PermissionSet::all()).await;
    let (client, another) = (app.anonymous(), app.another().await);
    client.post(PATH, credentials(&email, "falsch")).await.is(401);
    let sign_in = async |client: &Client| client.post(PATH, credentials(&email, PASSWORD)).await.status;
    // the maximum that a process handles at the same time
    let one = join_all((0..12).map(|_| sign_in(&client)));
    let other = join_all((0..12).map(|_| sign_in(&another)));
    let (one, other) = tokio::join!(one, other);
    // on a slow machine the last ones time out
    assert!(
        one.iter().chain(&other).all(|status| [201, 503].contains(&status.as_u16())),
        "{one:?} {other:?}"
    );
    assert!(one.iter().chain(&other).any(|status| *status == 201), "{one:?} {other:?}");
}

#[actix_web::test]
async fn a_session_ends_by_idleness_and_by_age_and_polls_do_not_extend_it() {
    let app = TestApp::new().await;
    let admin = app.platform().await;
    let set = async |column: &str, minutes: i64| {
        let at = (now() + chrono::TimeDelta::minutes(minutes)).to_rfc3339();
        let sql = format!("UPDATE session SET {column} = '{at}'");
        app.db.writer().execute_unprepared(&sql).await.unwrap();
        look_up_anew().await;
    };
    let poll = || admin.request(Method::GET, "/api/users/me").insert_header(("x-passive", "1"));
    set("last_used_at", -29).await;
    admin.call(poll()).await.is(200);
    set("last_used_at", -31).await;
    admin.call(poll()).await.is(401);

    set("last_used_at", -29).await;
    admin.get("/api/users/me").await.is(200);
    let session = admin.get("/api/sessions/current").await.is(200);
    let idle: values::Instant = session["session"]["idle_expires_at"].as_str().unwrap().parse().unwrap();
    assert!(idle > now() + chrono::TimeDelta::minutes(28), "the request before has kept the session: {idle}");

    set("expires_at", -1).await;
    admin.get("/api/users/me").await.is(401);
}

#[actix_web::test]
async fn changed_permissions_apply_to_existing_sessions() {
    let app = TestApp::new().await;
    let user = app.caller(Some(app.north), PermissionSet::all()).await;
    user.get("/api/admin/materials").await.is(200);
    let mut other_process = app.another().await;
    other_process.token.clone_from(&user.token);
    other_process.get("/api/admin/materials").await.is(200);

    for sql in [
        "DELETE FROM tenant_permission WHERE permission = 'material.list'",
        "UPDATE kept_version SET version = version + 1 WHERE topic = 'rights'",
    ] {
        app.db.writer().execute_unprepared(sql).await.unwrap();
    }
    look_up_anew().await;
    for client in [&user, &other_process] {
        assert_eq!(client.get("/api/admin/materials").await.is(403)["code"], "forbidden");
    }
}

#[actix_web::test]
async fn a_browser_must_repeat_the_anti_forgery_token() {
    let app = TestApp::new().await;
    let admin = app.platform().await;
    let body = json!({ "name": "S235JR" });
    let post = || admin.request(Method::POST, "/api/admin/materials").set_json(body.clone());

    let cross_site = admin.call(post().insert_header(("sec-fetch-site", "cross-site"))).await;
    assert_eq!(cross_site.is(403)["code"], "csrf_mismatch");
    let without = admin.call(post().insert_header(("sec-fetch-site", "same-origin"))).await;
    assert_eq!(without.is(403)["code"], "csrf_mismatch");
    let cookie = without.header("set-cookie").split(';').next().unwrap().to_owned();
    let token = cookie.strip_prefix("XSRF-TOKEN=").unwrap().to_owned();
    assert!(token.len() >= 43 && without.header("set-cookie").contains("SameSite=Strict"));

    let repeated = post()
        .insert_header(("sec-fetch-site", "same-origin"))
        .insert_header(("cookie", cookie.clone()))
        .insert_header(("x-xsrf-token", token.clone()));
    admin.call(repeated).await.is(201);
    let foreign_origin = post()
        .insert_header(("origin", "https://evil.example"))
        .insert_header(("host", "stalhof.example"))
        .insert_header(("cookie", cookie))
        .insert_header(("x-xsrf-token", token));
    admin.call(foreign_origin).await.is(403);
}

/// XSRF token that came with an answer.
fn xsrf(answer: &Answer) -> Option<String> {
    let cookie = answer.header("set-cookie").split(';').next().unwrap_or_default();
    cookie.strip_prefix("XSRF-TOKEN=").map(str::to_owned)
}

/// Request as our own page sends it, with this token as cookie and header.
fn from_own_page(request: TestRequest, value: &str) -> TestRequest {
    request
        .insert_header(("origin", "http://localhost:8080"))
        .insert_header(("host", "localhost:8080"))
        .insert_header(("sec-fetch-site", "same-origin"))
        .insert_header(("cookie", format!("XSRF-TOKEN={value}")))
        .insert_header(("x-xsrf-token", value))
}

#[actix_web::test]
async fn an_anti_forgery_value_comes_from_the_server_and_is_valid_for_one_session() {
    let app = TestApp::new().await;
    let email = app.user(None, PermissionSet::all()).await;
    let (client, another) = (app.anonymous(), app.another().await);
    let sign_in = |client: &Client, value: &str| {
        let request = client.request(Method::POST, PATH).set_json(credentials(&email, PASSWORD));
        from_own_page(request, value)
    };
    let made_up = "A".repeat(43);
    for forged in [&*made_up, "A.A", &format!("{made_up}.{made_up}")] {
        let refused = client.call(sign_in(&client, forged)).await;
        assert_eq!(refused.is(403)["code"], "csrf_mismatch");
        assert!(xsrf(&refused).is_some(), "the next try can be right");
    }
    let nobody = xsrf(&client.get("/api/config").await).unwrap();
    // created by any process
    let opened = another.call(sign_in(&another, &nobody)).await;
    let mine = xsrf(&opened).unwrap();
    let me = client.signed_in(&opened.is(201)["session"]["token"]);
    let second = client.call(sign_in(&client, &nobody)).await;
    let theirs = xsrf(&second).unwrap();
    let create = |name: &str, value: &str| {
        let request = me.request(Method::POST, "/api/admin/materials").set_json(json!({ "name": name }));
        from_own_page(request, value)
    };
    for (number, forged) in [&made_up, &nobody, &theirs].into_iter().enumerate() {
        let refused = me.call(create(&format!("W{number}"), forged)).await;
        assert_eq!(refused.is(403)["code"], "csrf_mismatch");
        assert_eq!(xsrf(&refused).as_ref(), Some(&mine), "a fresh one comes with the refusal");
    }
    me.call(create("S235JR", &mine)).await.is(201);

    // opening a page keeps a valid cookie, and the first call replaces an invalid one
    let with =
        |request: TestRequest, value: &str| request.insert_header(("cookie", format!("XSRF-TOKEN={value}")));
    assert_eq!(xsrf(&client.call(with(client.request(Method::GET, "/"), &mine)).await), None);
    let look = |value: &str| with(me.request(Method::GET, "/api/users/me"), value);
    assert_eq!(xsrf(&me.call(look(&mine)).await), None);
    assert_eq!(xsrf(&me.call(look(&nobody)).await).as_ref(), Some(&mine));
    let leave = from_own_page(me.request(Method::DELETE, "/api/sessions/current"), &mine);
    me.call(leave).await.is(204);
    let ended = me.call(look(&mine)).await;
    ended.is(401);
    assert_eq!(xsrf(&ended), None);
    // a cookie that the server made for an ended session works for a new sign-in
    client.call(sign_in(&client, &mine)).await.is(201);
}

#[actix_web::test]
async fn an_invalid_token_does_not_block_public_operations() {
    let app = TestApp::new().await;
    let email = app.user(None, PermissionSet::all()).await;
    let (_, demo) = app.otherwise(true, None).await;
    for token in ["ses_old", "pat_old", "nonsense", &format!("{}x", app.platform().await.token.unwrap())] {
        let client = app.with_token(token);
        client.get("/api/config").await.is(200);
        client.get("/api/verification/lnk_no").await.is(404);
        client.post("/api/password-reset/x", json!({ "secret": "lnk_no" })).await.is(404);
        client.post("/api/password-reset", json!({ "email": "x@y.example" })).await.is(202);
        client.post(PATH, credentials(&email, PASSWORD)).await.is(201);
        demo.clone().signed_in(&json!(token)).get("/api/demo/mails").await.is(200);
        client.get("/api/users/me").await.is(401);
    }
}

#[actix_web::test]
async fn a_platform_user_chooses_a_tenant_and_a_tenants_user_only_their_own() {
    let app = TestApp::new().await;
    let admin = app.platform().await;
    let user = app.caller(Some(app.north), PermissionSet::all()).await;
    let (north, south) = (app.north, app.south);
    let list = |tenant: String| format!("/api/admin/tenants?tenant_id={tenant}");

    user.get(&list(north.to_string())).await.is(200);
    assert_eq!(user.get(&list(south.to_string())).await.is(403)["code"], "tenant_mismatch");
    admin.get(&list(south.to_string())).await.is(200);
    admin.get(&list("999999".into())).await.is_refused_at(&["tenant_id"]);
    admin.get(&list("x".into())).await.is_refused_at(&["tenant_id"]);
    admin.get(&format!("{}&tenant_id={south}", list(north.to_string()))).await.is_refused_at(&["tenant_id"]);

    let companies = |body: Value| body["data"].as_array().unwrap().len();
    assert_eq!(companies(admin.get(&list(south.to_string())).await.is(200)), 2);
    assert_eq!(companies(user.get("/api/admin/tenants").await.is(200)), 1);
    user.get(&format!("/api/admin/tenants/{south}")).await.is(404);
}
