//! Reset of a forgotten password: who gets a link, what it can do, and that it reveals no accounts.

use std::{
    io::Write,
    sync::{Arc, Mutex},
};

use actix_web::http::Method;
use futures_util::future::join_all;
use identity::link;
use sea_orm::ConnectionTrait;
use serde_json::json;
use tenancy::permissions;
use values::{PermissionSet, now};

use crate::{
    catalog::id,
    support::{Answer, Client, PASSWORD, TestApp, all_but},
};

const REQUEST: &str = "/api/password-reset";
const GOOD: &str = "amboss-nebel-kran-17";

/// Two parts of a link: the path of the API, and the secret.
type Link = (String, String);

fn link_of(text: &str) -> Link {
    let (id, secret) = text.split_once("/password-reset?id=").unwrap().1.split_once('#').unwrap();
    (format!("{REQUEST}/{id}"), secret.to_owned())
}

async fn ask(app: &TestApp, email: &str) -> Answer {
    app.anonymous().post(REQUEST, json!({ "email": email })).await
}

/// Link that a user is sent.
async fn linked(app: &TestApp, email: &str) -> Link {
    ask(app, email).await.is(202);
    link_of(app.mails_to(email).await[0].link().unwrap())
}

async fn set(app: &TestApp, (path, secret): &Link, password: &str) -> Answer {
    app.anonymous().put(path, json!({ "secret": secret, "password": password })).await
}

async fn view(app: &TestApp, (path, secret): &Link) -> Answer {
    app.anonymous().post(path, json!({ "secret": secret })).await
}

async fn sign_in(app: &TestApp, email: &str, password: &str) -> Answer {
    app.anonymous().post("/api/sessions", json!({ "email": email, "password": password })).await
}

async fn execute(app: &TestApp, sql: &str) {
    let tx = app.db.begin().await.unwrap();
    tx.execute_unprepared(sql).await.unwrap();
    tx.commit().await.unwrap();
}

#[actix_web::test]
async fn a_link_sets_a_new_password_once_and_ends_every_session() {
    let app = TestApp::new().await;
    let signed_in = app.caller(Some(app.north), PermissionSet::all()).await;
    let email = "user0@test.example";
    ask(&app, " USER0@test.example").await.is(202);
    // to the address of the account
    let link = link_of(app.mails_to(email).await[0].link().unwrap());
    assert_eq!(view(&app, &link).await.is(200), json!({ "email": email }));
    for (password, enough) in [("user0123", false), (GOOD, true)] {
        let body = json!({ "secret": link.1, "password": password });
        let rated = app.anonymous().post(&format!("{}/strength", link.0), body).await;
        assert_eq!(rated.is(200)["enough"], enough);
    }
    set(&app, &link, "user0").await.is_refused_at(&["password"]);
    set(&app, &link, "user0test").await.is_refused_at(&["password"]);
    let same = set(&app, &link, PASSWORD).await.is_refused_at(&["password"]);
    assert_eq!(same["errors"]["password"][0], "Please choose a password other than the current one");
    signed_in.get("/api/users/me").await.is(200);

    let answer = set(&app, &link, GOOD).await;
    answer.is(204);
    assert!(answer.header("set-cookie").is_empty(), "the reset signs in no user");
    signed_in.get("/api/users/me").await.is(401);
    sign_in(&app, email, PASSWORD).await.is(401);
    sign_in(&app, email, GOOD).await.is(201);

    for used in [set(&app, &link, "kessel-wolke-harke-23").await, view(&app, &link).await] {
        let body = used.is(404);
        assert_eq!(
            (&body["code"], &body["message"]),
            (&json!("invalid_link"), &json!("This link is invalid"))
        );
    }
    let notice = &app.mails_to(email).await[0];
    assert_eq!(notice.subject, "Ihr Passwort für Stalhof wurde geändert");
    assert!(notice.link().unwrap().ends_with("/forgot-password"));
    assert!(!notice.text.contains(GOOD));
}

#[actix_web::test]
async fn only_one_of_fifty_concurrent_uses_of_a_link_succeeds() {
    let app = TestApp::new().await;
    let email = app.user(None, PermissionSet::default()).await;
    let link = linked(&app, &email).await;
    let passwords: Vec<_> = (0..50).map(|number| format!("{GOOD}-{number}")).collect();
    let answers = join_all(passwords.iter().map(|password| set(&app, &link, password))).await;
    let succeeded: Vec<_> =
        answers.iter().zip(&passwords).filter(|(answer, _)| answer.status.is_success()).collect();
    assert_eq!(succeeded.len(), 1);
    for answer in &answers {
        // the others are too late, or are rejected because the server is busy
        assert!([204, 404, 503].contains(&answer.status.as_u16()), "{}", answer.status);
    }
    sign_in(&app, &email, succeeded[0].1).await.is(201);
    let notices = app.mails_to(&email).await;
    assert_eq!(notices.iter().filter(|mail| mail.subject.contains("geändert")).count(), 1);
}

#[actix_web::test]
async fn viewing_a_link_does_not_use_it_up() {
    let app = TestApp::new().await;
    let email = app.user(None, PermissionSet::default()).await;
    let link = linked(&app, &email).await;
    let page = link.0.replace("/api/password-reset/", "/password-reset?id=");
    for _ in 0..100 {
        for method in [Method::GET, Method::HEAD] {
            let answer = app.anonymous().send(method.clone(), &link.0, None).await;
            assert_eq!(answer.status.as_u16(), 405);
            app.anonymous().send(method, &page, None).await;
        }
    }
    view(&app, &link).await.is(200);
    set(&app, &link, GOOD).await.is(204);
}

#[actix_web::test]
async fn invalid_links_are_all_answered_alike() {
    let app = TestApp::new().await;
    let email = app.user(None, PermissionSet::default()).await;
    let other = app.user(None, PermissionSet::default()).await;
    let (first, foreign) = (linked(&app, &email).await, linked(&app, &other).await);
    let good = linked(&app, &email).await;
    let mangled = |secret: String| (good.0.clone(), secret);
    app.user(None, PermissionSet::default()).await;
    let invited = link::invite(&app.db, 3, now()).await.unwrap();
    let mut links = vec![
        first,
        (good.0.clone(), foreign.1.clone()),
        (foreign.0.clone(), good.1.clone()),
        (format!("{REQUEST}/1"), good.1.clone()),
        mangled(String::new()),
        mangled("lnk_".into()),
        mangled(good.1.to_uppercase()),
        mangled(good.1[..good.1.len() - 1].to_owned()),
        mangled(good.1.replace("lnk_", "ses_")),
        mangled(invited),
    ];
    // and a reset link cannot be used as an invitation
    app.anonymous().get(&format!("/api/verification/{}", good.1)).await.is(404);
    view(&app, &good).await.is(200);
    view(&app, &foreign).await.is(200);

    let expired = linked(&app, &other).await;
    execute(
        &app,
        "UPDATE one_time_link SET expires_at = created_at WHERE purpose = 'password_reset' AND user_id = 2",
    )
    .await;
    links.push(expired);
    let mut bodies: Vec<_> = Vec::new();
    for link in &links {
        let strength = (format!("{}/strength", link.0), link.1.clone());
        let body = json!({ "secret": link.1, "password": GOOD });
        for answer in [
            view(&app, link).await,
            set(&app, link, GOOD).await,
            app.anonymous().post(&strength.0, body).await,
        ] {
            let mut body = answer.is(404);
            body["request_id"] = json!("");
            bodies.push(body);
        }
    }
    bodies.dedup();
    assert_eq!(bodies.len(), 1, "{bodies:?}");
    assert_eq!(bodies[0]["message"], "This link is invalid");
    set(&app, &good, GOOD).await.is(204);
}

#[actix_web::test]
async fn a_link_is_invalid_after_a_change_of_password_address_or_status() {
    let app = TestApp::new().await;
    let admin = app.platform().await;
    let patch = async |user: i64, body| {
        admin.send(Method::PATCH, &format!("/api/admin/users/{user}"), Some(body)).await.is(200);
    };
    let mut cases = Vec::new();
    for _ in 0..3 {
        let email = app.user(None, PermissionSet::default()).await;
        let link = linked(&app, &email).await;
        let found = admin.get(&format!("/api/admin/users?filter[email]={email}")).await.is(200);
        cases.push((id(&found["data"][0]), link));
    }
    patch(cases[0].0, json!({ "disabled": true })).await;
    patch(cases[1].0, json!({ "email": "umgezogen@test.example" })).await;
    execute(&app, &format!("UPDATE \"user\" SET password_hash = 'another' WHERE id = {}", cases[2].0)).await;
    for (user, link) in &cases {
        view(&app, link).await.is(404);
        set(&app, link, GOOD).await.is(404);
        assert!(*user > 0);
    }
    // after the account is enabled again, the old link stays invalid
    patch(cases[0].0, json!({ "disabled": false })).await;
    view(&app, &cases[0].1).await.is(404);
}

#[actix_web::test]
async fn requests_do_not_reveal_accounts() {
    let app = TestApp::new().await;
    let admin = app.platform().await;
    let known = app.user(None, PermissionSet::default()).await;
    let of_tenant = app.user(Some(app.north), PermissionSet::default()).await;
    let disabled = app.user(None, PermissionSet::default()).await;
    let found = admin.get(&format!("/api/admin/users?filter[email]={disabled}")).await.is(200);
    app.disable(id(&found["data"][0])).await;
    let invited = json!({ "name": "Neu", "email": "neu@test.example", "tenant_id": null, "role_ids": [], "permissions": null });
    let invited = id(&admin.post("/api/admin/users", invited).await.is(201));
    admin.post(&format!("/api/admin/users/{invited}/invite"), json!({})).await.is(200);

    let mut answers = Vec::new();
    for email in [&known, &of_tenant, &disabled, "neu@test.example", "niemand@test.example"] {
        let answer = ask(&app, email).await;
        let mut headers: Vec<_> = answer
            .headers
            .iter()
            .filter(|(name, _)| !["x-request-id", "set-cookie"].contains(&name.as_str()))
            .map(|(name, value)| (name.to_string(), value.clone()))
            .collect();
        headers.sort_by(|(one, _), (other, _)| one.cmp(other));
        answers.push((answer.status, answer.bytes, headers));
    }
    answers.dedup();
    assert_eq!(answers.len(), 1, "{answers:?}");
    assert_eq!(answers[0].0.as_u16(), 202);

    assert_eq!(app.mails_to(&known).await.len(), 1);
    assert_eq!(app.mails_to(&of_tenant).await.len(), 1);
    assert!(app.mails_to(&disabled).await.is_empty());
    assert!(app.mails_to("niemand@test.example").await.is_empty());
    let to_invited = app.mails_to("neu@test.example").await;
    assert!(to_invited.iter().all(|mail| mail.subject.contains("Einladung")) && to_invited.len() == 1);
    ask(&app, "keine Adresse").await.is_refused_at(&["email"]);
}

async fn from(client: &Client, address: [u8; 4], email: &str) -> Answer {
    let request = client.request(Method::POST, REQUEST).peer_addr((address, 50_000).into());
    client.call(request.set_json(json!({ "email": email }))).await
}

#[actix_web::test]
async fn reset_requests_are_limited_by_account_and_by_ip_address() {
    let app = TestApp::new().await;
    let anybody = app.anonymous();
    let email = app.user(None, PermissionSet::default()).await;
    for number in 1..=5 {
        from(&anybody, [192, 0, 2, number], &email).await.is(202);
    }
    assert_eq!(app.mails_to(&email).await.len(), 3, "and there is no further mail");

    for number in 0..10 {
        let email = if number % 2 == 0 { email.clone() } else { format!("niemand{number}@test.example") };
        from(&anybody, [198, 51, 100, 1], &email).await.is(202);
    }
    let refused = from(&anybody, [198, 51, 100, 1], "niemand@test.example").await;
    assert_eq!(refused.is(429)["code"], "too_many_requests");
    let seconds: i64 = refused.header("retry-after").parse().unwrap();
    assert!((3500..=3601).contains(&seconds), "{seconds}");
    from(&anybody, [198, 51, 100, 2], &email).await.is(202);

    // an hour later all of it has been deleted
    let past = |column: &str| match app.db.get_database_backend() {
        sea_orm::DbBackend::Postgres => format!("{column} = {column} - INTERVAL '61 minutes'"),
        _ => format!("{column} = strftime('%Y-%m-%d %H:%M:%f+00:00', {column}, '-61 minutes')"),
    };
    app.mails_to(&email).await;
    for table in ["mail", "password_reset_request"] {
        execute(&app, &format!("UPDATE {table} SET {}", past("created_at"))).await;
    }
    from(&anybody, [198, 51, 100, 1], &email).await.is(202);
    assert_eq!(app.mails_to(&email).await.len(), 4);
}

#[actix_web::test]
async fn an_administrator_sends_a_link_that_only_its_owner_sees() {
    let app = TestApp::new().await;
    let admin = app.platform().await;
    let north = app.caller(Some(app.north), all_but(permissions::DELETE_TENANT)).await;
    let south = app.caller(Some(app.south), PermissionSet::all()).await;
    let weak = app.user(Some(app.north), PermissionSet::default()).await;
    let strong = app.user(Some(app.north), PermissionSet::all()).await;
    let id_of = async |email: &str| {
        id(&admin.get(&format!("/api/admin/users?filter[email]={email}")).await.is(200)["data"][0])
    };
    let uri = |user: i64| format!("/api/admin/users/{user}/password-reset");
    let weak_id = id_of(&weak).await;

    let answer = north.post(&uri(weak_id), json!({})).await;
    answer.is(202);
    assert!(answer.bytes.is_empty());
    let mails = app.mails_to(&weak).await;
    let link = link_of(mails[0].link().unwrap());
    assert_eq!(north.post(&uri(id_of(&strong).await), json!({})).await.is(403)["code"], "beyond_own_rights");
    south.post(&uri(weak_id), json!({})).await.is(404);
    admin.post(&uri(999_999), json!({})).await.is(404);
    for _ in 0..2 {
        admin.post(&uri(weak_id), json!({})).await.is(202);
    }
    let refused = admin.post(&uri(weak_id), json!({})).await;
    assert_eq!(refused.is(429)["code"], "too_many_requests");
    view(&app, &link).await.is(404);
    let latest = link_of(app.mails_to(&weak).await[0].link().unwrap());
    set(&app, &latest, GOOD).await.is(204);
    sign_in(&app, &weak, GOOD).await.is(201);

    app.disable(weak_id).await;
    assert_eq!(admin.post(&uri(weak_id), json!({})).await.is(409)["code"], "user_disabled");
    let input = json!({ "name": "Neu", "email": "neu@test.example", "tenant_id": null, "role_ids": [], "permissions": null });
    let invited = id(&admin.post("/api/admin/users", input).await.is(201));
    assert_eq!(admin.post(&uri(invited), json!({})).await.is(409)["code"], "not_verified");
}

#[actix_web::test]
async fn the_history_records_actions_by_links_but_no_secrets() {
    let app = TestApp::new().await;
    let admin = app.platform().await;
    let email = "neu@test.example";
    let input =
        json!({ "name": "Neu", "email": email, "tenant_id": null, "role_ids": [], "permissions": null });
    let user = id(&admin.post("/api/admin/users", input).await.is(201));
    let uri = format!("/api/admin/users/{user}");
    admin.post(&format!("{uri}/invite"), json!({})).await.is(200);
    admin.delete(&format!("{uri}/invite")).await.is(204);
    let invitation = admin.post(&format!("{uri}/invite"), json!({})).await.is(200);
    let token = invitation["link"].as_str().unwrap().split_once("token=").unwrap().1;
    let accept = format!("/api/verification/{token}");
    app.anonymous().put(&accept, json!({ "password": PASSWORD })).await.is(204);
    let link = linked(&app, email).await;
    set(&app, &link, GOOD).await.is(204);
    admin.post(&format!("{uri}/password-reset"), json!({})).await.is(202);

    let history = format!("/api/admin/audit?filter[record]=user&filter[record_id]={user}");
    let history = admin.get(&history).await.is(200);
    let entries = history["data"].as_array().unwrap().iter().rev();
    let listed: Vec<_> =
        entries.map(|entry| (entry["action"].as_str().unwrap(), entry["user"]["name"].as_str())).collect();
    let (admin, invited) = (Some("User 0"), Some("Neu"));
    assert_eq!(
        listed,
        [
            ("created", admin),
            ("invited", admin),
            ("invitation_revoked", admin),
            ("invited", admin),
            ("verified", invited),
            ("reset_requested", None),
            ("password_changed", invited),
            ("reset_requested", admin),
        ]
    );
    let text = history.to_string();
    for secret in ["lnk_", "argon2", GOOD, PASSWORD] {
        assert!(!text.contains(secret), "{secret}");
    }
}

#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<u8>>>);

impl Write for Log {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().extend(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[actix_web::test]
async fn secrets_are_neither_logged_nor_kept_in_the_database() {
    let app = TestApp::new().await;
    let email = app.user(None, PermissionSet::default()).await;
    let log = Log::default();
    let writer = log.clone();
    let subscriber = tracing_subscriber::fmt()
        .with_max_level(tracing::Level::DEBUG)
        .with_writer(move || writer.clone())
        .finish();
    // With only one dispatcher, call sites that another test reaches first would be registered for that
    // test's thread, where no subscriber is interested, and would stay silent from then on.
    let _second = tracing::Dispatch::new(tracing_subscriber::registry());
    let listening = tracing::subscriber::set_default(subscriber);
    let link = linked(&app, &email).await;
    set(&app, &link, "zu kurz").await.is(422);
    set(&app, &link, GOOD).await.is(204);
    set(&app, &link, GOOD).await.is(404);
    app.mails_to(&email).await;
    drop(listening);
    let log = String::from_utf8(log.0.lock().unwrap().clone()).unwrap();
    assert!(log.contains("a mail has left"), "the log has been heard: {log}");
    for secret in [&*link.1, GOOD, &link.1[4..], &email] {
        assert!(!log.contains(secret), "{secret} is in the log");
    }
    let stored = app
        .db
        .query_all_raw(sea_orm::Statement::from_string(
            app.db.get_database_backend(),
            "SELECT count(*) AS n FROM mail WHERE text IS NOT NULL OR html IS NOT NULL",
        ))
        .await
        .unwrap();
    assert_eq!(stored[0].try_get::<i64>("", "n").unwrap(), 0);
}
