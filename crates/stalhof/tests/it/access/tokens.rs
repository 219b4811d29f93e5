//! Personal access tokens: created, used, restricted with their owner, ended.

use actix_web::http::Method;
use catalog::permissions::LIST_ARTICLES;
use chrono::{DateTime, TimeDelta, Utc};
use identity::permissions::{CREATE_TOKEN, DELETE_TOKEN, LIST_TOKENS, UPDATE_TOKEN, VIEW_TOKEN};
use sea_orm::{ConnectionTrait, DbBackend, Statement};
use serde_json::{Value, json};
use values::{
    PermissionSet, now,
    permissions::{ACCESS_ADMIN, ACCESS_SHOP},
};

use crate::{
    catalog::{column, id},
    support::{Client, Form, TestApp},
};

const TOKENS: &str = "/api/admin/tokens";
const ARTICLES: &str = "/api/admin/articles";
const IMPORTS: &str = "/api/admin/imports";

/// Creates a token of the client with these abilities, and a client that uses it.
pub(crate) async fn token(app: &TestApp, client: &Client, abilities: &[&str]) -> (i64, Client) {
    let input = json!({ "name": abilities.join(" und "), "abilities": abilities });
    let issued = client.post(TOKENS, input).await.is(201);
    (id(&issued["token"]), app.with_token(issued["plain_text"].as_str().unwrap()))
}

async fn execute(app: &TestApp, sql: &str) {
    let tx = app.db.begin().await.unwrap();
    assert!(tx.execute_unprepared(sql).await.unwrap().rows_affected() > 0, "{sql}");
    tx.commit().await.unwrap();
}

fn time(value: &Value) -> DateTime<Utc> {
    value.as_str().unwrap().parse().unwrap()
}

/// Permissions to manage tokens, and one of the catalogue.
fn holder() -> PermissionSet {
    [ACCESS_ADMIN, LIST_TOKENS, VIEW_TOKEN, CREATE_TOKEN, UPDATE_TOKEN, DELETE_TOKEN, LIST_ARTICLES]
        .into_iter()
        .collect()
}

#[actix_web::test]
async fn a_token_is_created_used_renamed_and_revoked() {
    let app = TestApp::new().await;
    let user = app.caller(Some(app.north), holder()).await;
    let input = json!({ "name": " ERP ", "abilities": ["access-admin"] });
    let issued = user.post(TOKENS, input).await.is(201);
    let plain_text = issued["plain_text"].as_str().unwrap();
    let made = &issued["token"];
    assert_eq!((&made["name"], &made["abilities"]), (&json!("ERP"), &json!(["access-admin"])));
    assert_eq!((&made["own"], &made["revocable"]), (&json!(true), &json!(true)));
    assert_eq!((&made["last_used_at"], &made["last_used_address"]), (&Value::Null, &Value::Null));
    assert!(plain_text.starts_with(made["prefix"].as_str().unwrap()) && plain_text.starts_with("pat_"));
    assert!(plain_text.ends_with(made["last_four"].as_str().unwrap()));
    let lifetime = time(&made["expires_at"]) - time(&made["created_at"]);
    assert!((lifetime - TimeDelta::days(90)).abs() < TimeDelta::minutes(1), "{lifetime}");

    let program = app.with_token(plain_text);
    program.get(ARTICLES).await.is(200);
    let me = program.get("/api/users/me").await.is(200);
    assert_eq!(me["permissions"], json!([{ "name": "access-admin" }, { "name": "article.list" }]));

    let uri = format!("{TOKENS}/{}", id(made));
    let seen = user.get(&uri).await.is(200);
    assert_eq!(seen["last_used_address"], "127.0.0.1");
    assert!(now() - time(&seen["last_used_at"]) < TimeDelta::minutes(1));
    assert!(!seen.to_string().contains(plain_text));
    let renamed = user.put(&uri, json!({ "name": "Warenwirtschaft", "version": 1 })).await.is(200);
    assert_eq!((&renamed["name"], &renamed["version"]), (&json!("Warenwirtschaft"), &json!(2)));
    assert_eq!(user.put(&uri, json!({ "name": "x", "version": 1 })).await.is(409)["code"], "stale");
    user.put(&uri, json!({ "name": " ", "version": 2 })).await.is_refused_at(&["name"]);

    user.delete(&uri).await.is(204);
    let refused = program.get(ARTICLES).await.is(401);
    assert_eq!(refused["code"], "token_revoked");
    assert_eq!(refused["message"], "This access token has been revoked. Please use a new one.");
    let german = program.german().get(ARTICLES).await.is(401);
    assert_eq!(german["message"], "Dieses Zugriffstoken wurde widerrufen. Bitte verwenden Sie ein neues.");
    user.get(&uri).await.is(404);
    user.delete(&uri).await.is(404);
    // until a month after its expiry
    app.clean_up(now() + TimeDelta::days(119)).await;
    program.get(ARTICLES).await.is(401);
    assert_eq!(program.get(ARTICLES).await.is(401)["code"], "token_revoked");
    app.clean_up(now() + TimeDelta::days(121)).await;
    assert_eq!(program.get(ARTICLES).await.is(401)["code"], "unauthenticated");
}

#[actix_web::test]
async fn errors_of_a_token_are_reported_at_their_fields() {
    let app = TestApp::new().await;
    let user = app.caller(Some(app.north), holder()).await;
    let in_days = |days: i64| now() + TimeDelta::days(days);
    for (change, refused) in [
        (json!({ "name": "" }), &["name"][..]),
        (json!({ "name": "x".repeat(256) }), &["name"]),
        (json!({ "abilities": [] }), &["abilities"]),
        (json!({ "abilities": ["access-admin", "access-admin"] }), &["abilities.1"]),
        (json!({ "abilities": ["access-everything"] }), &["abilities.0"]),
        (json!({ "abilities": ["access-admin", "access-shop"] }), &["abilities"]),
        (json!({ "abilities": ["import-prices", "listings:read"] }), &["abilities"]),
        (json!({ "expires_at": now() }), &["expires_at"]),
        (json!({ "expires_at": in_days(367) }), &["expires_at"]),
        (json!({ "expires_at": "morgen" }), &["expires_at"]),
        (json!({ "user_id": 1 }), &["user_id"]),
    ] {
        let mut input = json!({ "name": "ERP", "abilities": ["access-admin"], "expires_at": in_days(1) });
        input.as_object_mut().unwrap().extend(change.as_object().unwrap().clone());
        user.post(TOKENS, input).await.is_refused_at(refused);
    }
    let beyond = user.post(TOKENS, json!({ "name": "ERP", "abilities": ["access-shop"] })).await.is(422);
    assert_eq!(beyond["errors"]["abilities"][0], "For “access-shop” you lack these rights: access-shop");

    let longest = json!({ "name": "ERP", "abilities": ["access-admin"], "expires_at": in_days(365) });
    user.post(TOKENS, longest.clone()).await.is(201);
    user.post(TOKENS, json!({ "name": "erp", "abilities": ["access-admin"] })).await.is_refused_at(&["name"]);
    // a name is unique only among the user's own tokens
    app.caller(Some(app.north), holder()).await.post(TOKENS, longest).await.is(201);
}

#[actix_web::test]
async fn tokens_are_paged_filtered_and_sorted() {
    let app = TestApp::new().await;
    let user = app.caller(None, holder()).await;
    for (name, days) in [("Preise", 30), ("Bestände", 7), ("Shop", 90)] {
        let expires_at = now() + TimeDelta::days(days);
        let input = json!({ "name": name, "abilities": ["access-admin"], "expires_at": expires_at });
        user.post(TOKENS, input).await.is(201);
    }
    let list = async |query: &str| user.get(&format!("{TOKENS}?{query}")).await.is(200);
    assert_eq!(column(&list("").await, "name"), ["Shop", "Bestände", "Preise"]);
    assert_eq!(column(&list("sort=expires_at").await, "name"), ["Bestände", "Preise", "Shop"]);
    assert_eq!(column(&list("sort=name&page[size]=2").await, "name"), ["Bestände", "Preise"]);
    assert_eq!(column(&list("filter[name]=BESTANDE").await, "name"), ["Bestände"]);
    let soon = form_urlencoded::byte_serialize((now() + TimeDelta::days(8)).to_rfc3339().as_bytes())
        .collect::<String>();
    assert_eq!(column(&list(&format!("filter[expires_at_lesser_than]={soon}")).await, "name"), ["Bestände"]);
    let me = id(&user.get("/api/users/me").await.is(200));
    assert_eq!(column(&list(&format!("filter[user_id]={me}")).await, "name").len(), 3);
    assert_eq!(column(&list("sort=last_used_at").await, "name").len(), 3);
}

#[actix_web::test]
async fn malformed_expired_and_unknown_tokens_are_refused() {
    let app = TestApp::new().await;
    let user = app.caller(None, holder()).await;
    let (id, program) = token(&app, &user, &["access-admin"]).await;
    program.get(ARTICLES).await.is(200);
    let good = program.token.clone().unwrap();
    let unknown = identity::secret::Secret::new("pat_").unwrap().text;
    let shortened = &good[..good.len() - 1];
    for wrong in
        [unknown.as_str(), shortened, &format!("{good}x"), &good.replace("pat_", "ses_"), "pat_", "x"]
    {
        let caller = app.with_token(wrong);
        assert_eq!(caller.get(ARTICLES).await.is(401)["code"], "unauthenticated", "{wrong}");
    }
    let past = "UPDATE personal_access_token SET expires_at = '2026-01-01T00:00:00+00:00'";
    execute(&app, &format!("{past} WHERE id = {id}")).await;
    let answer = program.get(ARTICLES).await.is(401);
    assert_eq!(answer["code"], "token_expired");
    assert!(answer["message"].as_str().unwrap().contains("access-admin"), "names the token: {answer}");
    // an expired token in a client does not prevent its user from signing in
    program.post("/api/sessions", json!({ "email": "", "password": "" })).await.is(422);
}

#[actix_web::test]
async fn a_malformed_token_is_refused_without_the_database() {
    let app = TestApp::new().await;
    let good = identity::secret::Secret::new("pat_").unwrap().text;
    let mangled = if good.ends_with('x') { "y" } else { "x" };
    let mangled = app.with_token(&format!("{}{mangled}", &good[..good.len() - 1]));
    let well_formed = app.with_token(&good);
    app.db.clone().close().await.unwrap();
    mangled.get(ARTICLES).await.is(401);
    assert!(well_formed.get(ARTICLES).await.status.is_server_error(), "this one is looked up");
}

#[actix_web::test]
async fn the_use_of_a_token_is_written_at_most_once_a_minute() {
    let app = TestApp::new().await;
    let user = app.caller(None, holder()).await;
    let (id, program) = token(&app, &user, &["access-admin"]).await;
    let used = async || {
        let seen = user.get(&format!("{TOKENS}/{id}")).await.is(200);
        (seen["last_used_at"].clone(), seen["last_used_address"].clone())
    };
    let from = |address: [u8; 4]| program.request(Method::GET, ARTICLES).peer_addr((address, 50_000).into());
    program.call(from([10, 0, 0, 1])).await.is(200);
    let first = used().await;
    assert_eq!(first.1, "10.0.0.1");
    program.call(from([10, 0, 0, 2])).await.is(200);
    assert_eq!(used().await, first);
    let minute_ago = (now() - TimeDelta::seconds(61)).to_rfc3339();
    execute(&app, &format!("UPDATE personal_access_token SET last_used_at = '{minute_ago}' WHERE id = {id}"))
        .await;
    program.call(from([10, 0, 0, 3])).await.is(200);
    let third = used().await;
    assert_eq!(third.1, "10.0.0.3");
    assert!(time(&third.0) >= time(&first.0));
    assert_eq!(user.get(&format!("{TOKENS}/{id}")).await.is(200)["version"], 1, "use is no change");
}

#[actix_web::test]
async fn a_token_stops_working_when_its_owner_is_disabled_or_deleted() {
    let app = TestApp::new().await;
    let admin = app.platform().await;
    let user = app.caller(Some(app.north), holder()).await;
    let (_, program) = token(&app, &user, &["access-admin"]).await;
    let owner = id(&program.get("/api/users/me").await.is(200));
    let uri = format!("/api/admin/users/{owner}");

    app.disable(owner).await;
    program.get(ARTICLES).await.is(401);
    execute(&app, &format!("UPDATE \"user\" SET status = 'Verified' WHERE id = {owner}")).await;
    program.get(ARTICLES).await.is(200);

    // a user who is disabled and enabled again needs new tokens
    let input = json!({ "name": "Auswertung", "abilities": ["access-admin"] });
    let second = user.post(TOKENS, input).await.is(201);
    let second = app.with_token(second["plain_text"].as_str().unwrap());
    admin.send(Method::PATCH, &uri, Some(json!({ "disabled": true }))).await.is(200);
    for program in [&program, &second] {
        assert_eq!(program.get(ARTICLES).await.is(401)["code"], "token_revoked");
    }
    admin.send(Method::PATCH, &uri, Some(json!({ "disabled": false }))).await.is(200);
    for program in [&program, &second] {
        assert_eq!(program.get(ARTICLES).await.is(401)["code"], "token_revoked");
    }

    let other = app.caller(Some(app.north), holder()).await;
    let (_, program) = token(&app, &other, &["access-admin"]).await;
    let owner = id(&program.get("/api/users/me").await.is(200));
    admin.delete(&format!("/api/admin/users/{owner}")).await.is(204);
    program.get(ARTICLES).await.is(401);
}

#[actix_web::test]
async fn a_token_loses_permissions_immediately_with_its_owner() {
    let app = TestApp::new().await;
    let admin = app.platform().await;
    let rights = holder().union([ACCESS_SHOP].into_iter().collect());
    let user = app.caller(Some(app.north), rights).await;
    let (_, program) = token(&app, &user, &["access-admin", "access-shop"]).await;
    program.get(ARTICLES).await.is(200);
    let owner = id(&program.get("/api/users/me").await.is(200));
    let role = &admin.get(&format!("/api/admin/users/{owner}")).await.is(200)["roles"][0];
    let role = format!("/api/admin/roles/{}", id(role));
    let held = async |permissions: Value| {
        admin.put(&role, json!({ "name": "Rolle", "permissions": permissions })).await.is(200);
    };

    held(json!(["access-admin", "access-shop", "material.list"])).await;
    assert_eq!(program.get(ARTICLES).await.is(403)["code"], "forbidden");
    program.get("/api/admin/materials").await.is(200);
    // without the admin area only the shop is left
    held(json!(["access-shop", "material.list"])).await;
    program.get("/api/admin/materials").await.is(403);
    let me = program.get("/api/users/me").await.is(200);
    assert_eq!(me["permissions"], json!([{ "name": "access-shop" }]));
    // and permissions that the user gains apply to the token as well, within its abilities
    held(json!(["access-admin", "access-shop", "article.list", "user.update"])).await;
    program.get(ARTICLES).await.is(200);
    let answer = program.send(Method::PATCH, &format!("/api/admin/users/{owner}"), Some(json!({}))).await;
    assert_eq!(answer.is(403)["code"], "session_required");
}

#[actix_web::test]
async fn only_hashes_are_at_rest() {
    let app = TestApp::new().await;
    let user = app.caller(None, holder()).await;
    let (id, program) = token(&app, &user, &["access-admin"]).await;
    program.get(ARTICLES).await.is(200);
    let plain_text = program.token.unwrap();
    let row = user.get(&format!("{TOKENS}/{id}")).await.is(200);
    let (prefix, end) = (row["prefix"].as_str().unwrap(), row["last_four"].as_str().unwrap());
    // the hidden part between them has more than 200 bits
    let hidden = &plain_text[prefix.len()..plain_text.len() - end.len()];
    let everything = dump(&app).await;
    assert!(everything.contains(prefix), "the dump holds the tokens");
    for kept_nowhere in [plain_text.as_str(), hidden] {
        assert!(!everything.contains(kept_nowhere));
    }
}

/// All values of all tables, and on SQLite the files as well.
async fn dump(app: &TestApp) -> String {
    let mut text = tables(app, &[]).await;
    if let Some(file) = app.db.url.strip_prefix("sqlite://") {
        let file = file.split('?').next().unwrap();
        for file in [file.to_owned(), format!("{file}-wal")] {
            text += &String::from_utf8_lossy(&std::fs::read(file).unwrap_or_default());
        }
    }
    text
}

/// All values of all tables except these.
pub(crate) async fn tables(app: &TestApp, except: &[&str]) -> String {
    let backend = app.db.get_database_backend();
    let (tables, value) = match backend {
        DbBackend::Postgres => {
            ("SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'", "t::text")
        }
        _ => ("SELECT name FROM sqlite_master WHERE type = 'table' AND sql NOT LIKE '%VIRTUAL%'", ""),
    };
    let rows = async |sql: &str, column: &str| {
        let rows = app.db.query_all_raw(Statement::from_string(backend, sql)).await.unwrap();
        rows.iter().filter_map(|row| row.try_get::<Option<String>>("", column).unwrap()).collect::<Vec<_>>()
    };
    let mut text = String::new();
    for table in rows(tables, "name").await.into_iter().filter(|table| !except.contains(&&**table)) {
        let value = if value.is_empty() {
            let columns = rows(&format!("SELECT name FROM pragma_table_info('{table}')"), "name").await;
            columns
                .iter()
                .map(|column| format!("coalesce(\"{column}\", '')"))
                .collect::<Vec<_>>()
                .join(" || ' ' || ")
        } else {
            value.to_owned()
        };
        text += &rows(&format!("SELECT {value} AS value FROM \"{table}\" t"), "value").await.join("\n");
    }
    text
}

#[actix_web::test]
async fn users_who_may_change_a_user_see_and_revoke_their_tokens() {
    let app = TestApp::new().await;
    let manages = ["access-admin", "article.list", "user.list", "user.view", "user.update"];
    let manages = PermissionSet::parse(manages).union(holder());
    let stronger = manages.union(PermissionSet::parse(["material.list"]));
    let [user, manager, strong, foreign] = [
        app.caller(Some(app.north), holder()).await,
        app.caller(Some(app.north), manages).await,
        app.caller(Some(app.north), stronger).await,
        app.caller(Some(app.south), manages).await,
    ];
    let platform = app.platform().await;
    let (of_user, program) = token(&app, &user, &["access-admin"]).await;
    let (of_manager, _) = token(&app, &manager, &["access-admin"]).await;
    let (of_strong, _) = token(&app, &strong, &["access-admin"]).await;
    let seen = async |client: &Client| {
        let list = client.get(&format!("{TOKENS}?sort=created_at")).await.is(200);
        list["data"].as_array().unwrap().iter().map(id).collect::<Vec<_>>()
    };
    assert_eq!(seen(&user).await, [of_user]);
    assert_eq!(seen(&manager).await, [of_user, of_manager, of_strong]);
    assert_eq!(seen(&platform).await, [of_user, of_manager, of_strong]);
    assert_eq!(seen(&foreign).await, [0; 0]);

    let uri = |id: i64| format!("{TOKENS}/{id}");
    user.get(&uri(of_manager)).await.is(404);
    user.delete(&uri(of_manager)).await.is(404);
    foreign.delete(&uri(of_user)).await.is(404);
    let shown = manager.get(&uri(of_user)).await.is(200);
    assert_eq!((&shown["own"], &shown["revocable"]), (&json!(false), &json!(true)));
    let renamed = manager.put(&uri(of_user), json!({ "name": "x" })).await;
    assert_eq!(renamed.is(403)["code"], "not_own_token");
    assert_eq!(manager.get(&uri(of_strong)).await.is(200)["revocable"], false);
    assert_eq!(manager.delete(&uri(of_strong)).await.is(403)["code"], "beyond_own_rights");
    manager.delete(&uri(of_user)).await.is(204);
    program.get(ARTICLES).await.is(401);
    platform.delete(&uri(of_strong)).await.is(204);
}

#[actix_web::test]
async fn a_token_uploads_files_of_its_types_and_sees_no_others() {
    let app = TestApp::new().await;
    let rights = PermissionSet::all();
    let [user, colleague] =
        [app.caller(Some(app.north), rights).await, app.caller(Some(app.north), rights).await];
    let (_, prices) = token(&app, &user, &["import-prices"]).await;
    let (_, both) = token(&app, &user, &["import-prices", "import-stocks"]).await;
    let upload = async |client: &Client, kind: &str| {
        let form = Form::new().field("type", kind).file("Liste.csv", "Artikelnummer\r\nHEB-200\r\n");
        let answer = form.send(client, IMPORTS).await;
        (
            answer.status.as_u16(),
            answer.is(answer.status.as_u16())["code"].as_str().unwrap_or_default().to_owned(),
        )
    };
    let forbidden = (403, "forbidden".to_owned());
    let accepted = (201, String::new());
    for (kind, by_prices, by_both) in [
        ("Price", &accepted, &accepted),
        ("Stock", &forbidden, &accepted),
        ("Listing", &forbidden, &accepted),
        ("Article", &forbidden, &forbidden),
        ("Matching", &forbidden, &forbidden),
        ("DeleteMatchings", &forbidden, &forbidden),
        ("ExternalApiMetaData", &forbidden, &forbidden),
        ("ShippingNode", &forbidden, &forbidden),
        ("ShippingLeg", &forbidden, &forbidden),
    ] {
        assert_eq!(upload(&prices, kind).await, *by_prices, "{kind}");
        assert_eq!(upload(&both, kind).await, *by_both, "{kind}");
    }

    // the types of these imports are set by SQL, since their files cannot be uploaded yet
    let mut imports = Vec::new();
    for (by, kind) in [(&user, "Price"), (&user, "Stock"), (&user, "Article"), (&colleague, "Price")] {
        let (id, owner) = (import(&app, by).await, by);
        execute(&app, &format!("UPDATE import SET type = '{kind}' WHERE id = {id}")).await;
        owner.get(&format!("{IMPORTS}/{id}")).await.is(200);
        imports.push(id);
    }
    for (client, statuses) in [(&prices, [200, 404, 404, 404]), (&both, [200, 200, 404, 404])] {
        for (import, status) in imports.iter().zip(statuses) {
            for part in ["", "/errors", "/upload-file"] {
                let uri = format!("{IMPORTS}/{import}{part}");
                assert_eq!(client.get(&uri).await.status.as_u16(), status, "{uri}");
            }
        }
        let answer = client.get(IMPORTS).await.is(403);
        assert_eq!(answer["code"], "ability_missing");
        assert!(answer["message"].as_str().unwrap().ends_with("possible with it: access-admin."), "{answer}");
        client.delete(&format!("{IMPORTS}/{}", imports[0])).await.is(403);
    }
}

/// Creates an import as the domain does.
async fn import(app: &TestApp, client: &Client) -> i64 {
    let owner = id(&client.get("/api/users/me").await.is(200));
    let platform = app.platform().await;
    let form = Form::new().field("type", "Article").file("Liste.csv", "Artikelnummer\r\nHEB-200\r\n");
    let uploaded = form.send(&platform, &format!("{IMPORTS}?tenant_id={}", app.north)).await.is(201);
    execute(app, &format!("UPDATE import SET created_by = {owner} WHERE id = {}", id(&uploaded))).await;
    id(&uploaded)
}

/// Creates a token with this name and expiry.
async fn ending(client: &Client, name: &str, expires_at: DateTime<Utc>) -> i64 {
    let input = json!({ "name": name, "abilities": ["access-admin"], "expires_at": expires_at });
    id(&client.post(TOKENS, input).await.is(201)["token"])
}

/// Noon of the day `days` from now, so that the test does not depend on the time of the day.
fn noon_in(days: i64) -> DateTime<Utc> {
    let day = (now() + TimeDelta::days(days)).date_naive();
    day.and_hms_opt(12, 0, 0).unwrap().and_utc()
}

async fn remind(app: &TestApp, at: DateTime<Utc>) {
    let notice = &api::webhook_events::TokenEvents;
    identity::token::reminder::remind(&app.db, "https://stalhof.example", notice, at).await.unwrap();
}

/// All mails about expiring tokens: subject and text.
async fn reminders(app: &TestApp) -> Vec<String> {
    let sql = "SELECT subject || ' ' || coalesce(text, '') AS value FROM mail WHERE kind = 'token_expires' ORDER BY id";
    let rows =
        app.db.query_all_raw(Statement::from_string(app.db.get_database_backend(), sql)).await.unwrap();
    rows.iter().map(|row| row.try_get::<String>("", "value").unwrap()).collect()
}

async fn written(app: &TestApp, at: DateTime<Utc>) -> Vec<String> {
    remind(app, at).await;
    reminders(app).await
}

#[actix_web::test]
async fn owners_are_reminded_a_fortnight_and_a_day_before_a_token_expires() {
    let app = TestApp::new().await;
    let [user, gone] = [app.caller(None, holder()).await, app.caller(None, holder()).await];
    // one is created a week before its end and one on its last day, so their owners know when they end
    for (client, name, days) in [(&user, "Kurz", 7), (&user, "ERP", 30), (&gone, "Alt", 30)] {
        ending(client, name, noon_in(days)).await;
    }
    ending(&user, "Morgen", now() + TimeDelta::hours(20)).await;
    let owner = id(&gone.get("/api/users/me").await.is(200));
    app.disable(owner).await;
    let midnight = |days| noon_in(days) - TimeDelta::hours(12);
    assert_eq!(written(&app, now()).await, [""; 0]);
    for (at, mails) in [
        (midnight(6) - TimeDelta::seconds(1), 0),
        (midnight(6), 1), // a day before "Kurz"
        (noon_in(6), 1),
        (noon_in(7), 1),
        (midnight(16) - TimeDelta::seconds(1), 1),
        (midnight(16), 2), // a fortnight before "ERP"
        (noon_in(16), 2),
        (noon_in(28), 2),
        (midnight(29), 3), // and a day before
        (noon_in(29), 3),
        (noon_in(30), 3),
        (noon_in(40), 3),
    ] {
        assert_eq!(written(&app, at).await.len(), mails, "at {at}");
    }
    let [_, fortnight, day] = &reminders(&app).await[..] else { unreachable!() };
    for mail in [fortnight, day] {
        let ends = noon_in(30).format("%d.%m.%Y");
        assert!(mail.starts_with(&format!("Ihr Zugriffstoken „ERP“ läuft am {ends} ab")), "{mail}");
        assert!(mail.contains("\nhttps://stalhof.example/tokens\n"), "{mail}");
    }
}

#[actix_web::test]
async fn an_owner_gets_one_reminder_a_day_for_all_tokens_and_missed_ones_later() {
    let app = TestApp::new().await;
    let user = app.caller(None, holder()).await;
    for (name, expires_at) in [
        ("Früh", noon_in(30) - TimeDelta::hours(11)),
        ("Spät", noon_in(30) + TimeDelta::hours(11)),
        ("Nah", noon_in(17)),
    ] {
        ending(&user, name, expires_at).await;
    }
    // the server was stopped until then
    let [mail] = &written(&app, noon_in(16)).await[..] else { panic!("one mail") };
    assert!(mail.starts_with("3 Ihrer Zugriffstoken laufen bald ab"), "{mail}");
    let named: Vec<_> =
        mail.lines().filter_map(|line| Some(line.split_once('„')?.1.split_once('“')?.0)).collect();
    assert_eq!(named, ["Nah", "Früh", "Spät"]);
    assert_eq!(written(&app, noon_in(16)).await.len(), 1);
    // the fortnight has passed, and so has the day before the last one
    assert_eq!(written(&app, noon_in(28)).await.len(), 1);
    assert_eq!(written(&app, noon_in(29)).await.len(), 2);
}

#[actix_web::test]
async fn only_one_of_several_servers_sends_reminders() {
    let app = TestApp::new().await;
    for _ in 0..10 {
        let user = app.caller(None, holder()).await;
        for name in ["ERP", "Shop"] {
            ending(&user, name, noon_in(30)).await;
        }
    }
    let at = noon_in(20);
    futures_util::future::join_all((0..8).map(|_| remind(&app, at))).await;
    let mails = reminders(&app).await;
    assert_eq!(mails.len(), 10);
    for mail in mails {
        assert!(mail.starts_with("2 Ihrer Zugriffstoken"), "{mail}");
    }
}

#[actix_web::test]
async fn revoked_and_replaced_tokens_are_dropped_from_unsent_reminders() {
    let app = TestApp::new().await;
    let user = app.caller(None, holder()).await;
    let [revoked, replaced, _] = [
        ending(&user, "Fort", noon_in(30)).await,
        ending(&user, "Neu", noon_in(30)).await,
        ending(&user, "Bleibt", noon_in(30)).await,
    ];
    let [waiting] = &written(&app, noon_in(16)).await[..] else { panic!("one mail") };
    assert!(waiting.starts_with("3 Ihrer Zugriffstoken"), "{waiting}");
    // it has not been sent yet, so it is written again without them
    let rotation = json!({ "expires_at": noon_in(60) });
    user.post(&format!("{TOKENS}/{replaced}/rotation"), rotation).await.is(201);
    assert_eq!(reminders(&app).await, [""; 0]);
    assert!(written(&app, noon_in(17)).await[0].starts_with("2 Ihrer Zugriffstoken"));
    user.delete(&format!("{TOKENS}/{revoked}")).await.is(204);
    assert_eq!(reminders(&app).await, [""; 0]);
    let [anew] = &written(&app, noon_in(17)).await[..] else { panic!("one mail") };
    assert!(anew.starts_with("Ihr Zugriffstoken „Bleibt“"), "{anew}");
    execute(&app, "UPDATE mail SET due_at = NULL, text = NULL, html = NULL, sent_at = created_at").await;
    assert_eq!(written(&app, noon_in(17)).await.len(), 1);
    assert_eq!(written(&app, noon_in(29)).await.len(), 2);
    // sent mails stay as they are, and the new token gets its own reminder a fortnight before its end
    assert_eq!(written(&app, noon_in(45)).await.len(), 2);
    let mails = written(&app, noon_in(46)).await;
    assert_eq!(mails.len(), 3);
    assert!(mails[2].starts_with("Ihr Zugriffstoken „Neu“"), "{mails:?}");
}

#[actix_web::test]
async fn the_history_names_the_token_but_never_its_secret() {
    let app = TestApp::new().await;
    let user = app.platform().await;
    let (_, program) = token(&app, &user, &["access-admin"]).await;
    let group = json!({ "name": "Träger", "description": null });
    program.post("/api/admin/article-type-groups", group).await.is(201);
    let history = user.get("/api/admin/audit").await.is(200);
    let entry = |record: &str| {
        let entries = history["data"].as_array().unwrap();
        entries.iter().find(|entry| entry["record"] == record).unwrap().clone()
    };
    let made = entry("article_type_group");
    assert_eq!((&made["channel"], &made["through"]["name"]), (&json!("token"), &json!("access-admin")));
    let issued = entry("personal_access_token");
    assert_eq!((&issued["channel"], &issued["action"]), (&json!("session"), &json!("created")));
    let secret = program.token.unwrap();
    for hidden in [&secret[4..], &secret[..8], &secret[secret.len() - 4..], "hash"] {
        assert!(!issued.to_string().contains(hidden), "{issued}");
    }
}

#[actix_web::test]
async fn a_replaced_token_causes_no_reminder() {
    let app = TestApp::new().await;
    let user = app.caller(None, holder()).await;
    let old = ending(&user, "ERP", noon_in(60)).await;
    let input = json!({ "overlap_hours": 168, "expires_at": noon_in(60) });
    user.post(&format!("{TOKENS}/{old}/rotation"), input).await.is(201);
    for days in 0..45 {
        assert_eq!(written(&app, noon_in(days)).await, [""; 0], "after {days} days");
    }
    assert_eq!(written(&app, noon_in(46)).await.len(), 1);
}

#[actix_web::test]
async fn a_token_is_replaced_while_the_old_one_stays_valid() {
    let app = TestApp::new().await;
    let user = app.caller(Some(app.north), holder()).await;
    let (old, program) = token(&app, &user, &["access-admin"]).await;
    let uri = format!("{TOKENS}/{old}");
    let rotation = format!("{uri}/rotation");
    let issued = user.post(&rotation, json!({})).await.is(201);
    let (new, plain_text) = (&issued["token"], issued["plain_text"].as_str().unwrap());
    let before = user.get(&uri).await.is(200);
    assert_ne!(id(new), old);
    for same in ["name", "abilities", "user"] {
        assert_eq!(new[same], before[same], "{same}");
    }
    let close =
        |time: DateTime<Utc>, expected: TimeDelta| (time - now() - expected).abs() < TimeDelta::minutes(1);
    assert!(close(time(&new["expires_at"]), TimeDelta::days(90)), "{new}");
    assert_eq!((&new["replaced_at"], &new["last_used_at"]), (&Value::Null, &Value::Null));
    assert!(close(time(&before["replaced_at"]), TimeDelta::zero()), "{before}");
    assert!(close(time(&before["expires_at"]), TimeDelta::days(1)), "{before}");
    assert!(plain_text.starts_with("pat_") && !before.to_string().contains(plain_text));

    let successor = app.with_token(plain_text);
    program.get(ARTICLES).await.is(200);
    successor.get(ARTICLES).await.is(200);
    let (name, seen) = (json!("access-admin"), user.get(&format!("{TOKENS}?sort=created_at")).await.is(200));
    assert_eq!(column(&seen, "name"), [name.clone(), name.clone()]);
    // a token that was replaced cannot be replaced again, with any version
    assert_eq!(user.post(&rotation, json!({ "version": 1 })).await.is(409)["code"], "stale");
    assert_eq!(user.post(&rotation, json!({ "version": 2 })).await.is(409)["code"], "token_replaced");
    // the successor has the name now
    let input = json!({ "name": name, "abilities": ["access-admin"] });
    user.post(TOKENS, input).await.is_refused_at(&["name"]);
    user.put(&uri, json!({ "name": "Altes ERP" })).await.is(200);

    // revoked before its end, without its successor
    user.delete(&uri).await.is(204);
    program.get(ARTICLES).await.is(401);
    successor.get(ARTICLES).await.is(200);
    let changes = user.get("/api/admin/audit?filter[record]=personal_access_token").await;
    assert_eq!(changes.status.as_u16(), 403, "this user reads no history");
    let history =
        app.platform().await.get("/api/admin/audit?filter[record]=personal_access_token&sort=at").await;
    let history = history.is(200);
    let history_entries: Vec<_> = history["data"]
        .as_array()
        .unwrap()
        .iter()
        .map(|entry| {
            let fields =
                entry["changes"].as_array().unwrap().iter().map(|change| change["field"].as_str().unwrap());
            (entry["action"].as_str().unwrap(), fields.filter(|field| *field != "name").collect::<Vec<_>>())
        })
        .collect();
    assert!(history_entries.contains(&("changed", vec!["expires_at", "replaced_at"])), "{history_entries:?}");
    assert_eq!(
        history_entries.iter().filter(|(action, _)| *action == "created").count(),
        2,
        "{history_entries:?}"
    );
    assert!(!history.to_string().contains("hash") && !history.to_string().contains(&plain_text[..8]));
}

#[actix_web::test]
async fn the_overlap_never_extends_beyond_the_expiry_of_the_old_token() {
    let app = TestApp::new().await;
    let user = app.caller(None, holder()).await;
    let rotated = async |expires_at: DateTime<Utc>, overlap: Value| {
        let old = ending(&user, &format!("{expires_at} {overlap}"), expires_at).await;
        let input = json!({ "overlap_hours": overlap, "expires_at": now() + TimeDelta::days(365) });
        user.post(&format!("{TOKENS}/{old}/rotation"), input).await.is(201);
        time(&user.get(&format!("{TOKENS}/{old}")).await.is(200)["expires_at"]) - now()
    };
    let (minute, later) = (TimeDelta::minutes(1), now() + TimeDelta::days(30));
    for (overlap, hours) in [(Value::Null, 24), (json!(0), 0), (json!(1), 1), (json!(168), 168)] {
        let left = rotated(later, overlap.clone()).await;
        assert!((left - TimeDelta::hours(hours)).abs() < minute, "{overlap}: {left}");
    }
    let left = rotated(now() + TimeDelta::hours(3), json!(168)).await;
    assert!((left - TimeDelta::hours(3)).abs() < minute, "{left}");

    let old = ending(&user, "ERP", later).await;
    for (change, refused) in [
        (json!({ "overlap_hours": -1 }), "overlap_hours"),
        (json!({ "overlap_hours": 169 }), "overlap_hours"),
        (json!({ "overlap_hours": "24" }), "overlap_hours"),
        (json!({ "expires_at": now() }), "expires_at"),
        (json!({ "expires_at": now() + TimeDelta::days(367) }), "expires_at"),
        (json!({ "name": "ERP 2" }), "name"),
        (json!({ "abilities": ["access-shop"] }), "abilities"),
    ] {
        user.post(&format!("{TOKENS}/{old}/rotation"), change).await.is_refused_at(&[refused]);
    }
    // an expired token can be replaced as well
    execute(&app, &format!("UPDATE personal_access_token SET expires_at = created_at WHERE id = {old}"))
        .await;
    let seen = user.get(&format!("{TOKENS}/{old}")).await.is(200);
    user.post(&format!("{TOKENS}/{old}/rotation"), json!({})).await.is(201);
    assert_eq!(user.get(&format!("{TOKENS}/{old}")).await.is(200)["expires_at"], seen["expires_at"]);
}

#[actix_web::test]
async fn a_token_that_was_ended_immediately_is_refused() {
    let app = TestApp::new().await;
    let user = app.caller(None, holder()).await;
    let (old, program) = token(&app, &user, &["access-admin"]).await;
    user.post(&format!("{TOKENS}/{old}/rotation"), json!({ "overlap_hours": 0 })).await.is(201);
    assert_eq!(program.get(ARTICLES).await.is(401)["code"], "token_expired");
}

#[actix_web::test]
async fn only_its_owner_replaces_a_token_and_within_current_permissions() {
    let app = TestApp::new().await;
    let admin = app.platform().await;
    let rights = holder().union([ACCESS_SHOP].into_iter().collect());
    let [user, foreign] =
        [app.caller(Some(app.north), rights).await, app.caller(Some(app.south), rights).await];
    let (old, program) = token(&app, &user, &["access-admin", "access-shop"]).await;
    let rotation = format!("{TOKENS}/{old}/rotation");
    assert_eq!(admin.post(&rotation, json!({})).await.is(403)["code"], "not_own_token");
    foreign.post(&rotation, json!({})).await.is(404);
    assert_eq!(program.post(&rotation, json!({})).await.is(403)["code"], "session_required");
    app.anonymous().post(&rotation, json!({})).await.is(401);

    let owner = id(&program.get("/api/users/me").await.is(200));
    let role = &admin.get(&format!("/api/admin/users/{owner}")).await.is(200)["roles"][0];
    let kept: Vec<_> = holder().iter().collect();
    let narrowed = json!({ "name": "Rolle", "permissions": kept });
    admin.put(&format!("/api/admin/roles/{}", id(role)), narrowed).await.is(200);
    let refused = user.post(&rotation, json!({})).await.is_refused_at(&["abilities"]);
    assert!(refused["errors"]["abilities"][0].as_str().unwrap().contains("access-shop"), "{refused}");
    assert_eq!(user.get(&format!("{TOKENS}/{old}")).await.is(200)["replaced_at"], Value::Null);
}

#[actix_web::test]
async fn only_one_of_several_concurrent_rotations_succeeds() {
    let app = TestApp::new().await;
    let user = app.caller(None, holder()).await;
    let (old, _) = token(&app, &user, &["access-admin"]).await;
    let rotation = format!("{TOKENS}/{old}/rotation");
    let answers = futures_util::future::join_all((0..8).map(|_| user.post(&rotation, json!({})))).await;
    let statuses: Vec<_> = answers.iter().map(|answer| answer.status.as_u16()).collect();
    assert_eq!(statuses.iter().filter(|status| **status == 201).count(), 1, "{statuses:?}");
    assert_eq!(statuses.iter().filter(|status| **status == 409).count(), 7, "{statuses:?}");
    assert_eq!(column(&user.get(TOKENS).await.is(200), "name").len(), 2);
}

#[actix_web::test]
async fn replaced_tokens_are_limited_and_deleted_a_month_after_they_expire() {
    let app = TestApp::new().await;
    let user = app.caller(None, holder()).await;
    let (mut current, _) = token(&app, &user, &["access-admin"]).await;
    for _ in 0..50 {
        let rotated = user.post(&format!("{TOKENS}/{current}/rotation"), json!({})).await.is(201);
        current = id(&rotated["token"]);
    }
    let rotation = format!("{TOKENS}/{current}/rotation");
    assert_eq!(user.post(&rotation, json!({})).await.is(409)["code"], "too_many_replaced");
    // they do not count towards the limit
    ending(&user, "ERP", noon_in(200)).await;

    let count = async |at| {
        app.clean_up(at).await;
        let sql = "SELECT name FROM personal_access_token";
        app.db.query_all_raw(Statement::from_string(app.db.get_database_backend(), sql)).await.unwrap().len()
    };
    assert_eq!(count(now() + TimeDelta::days(30)).await, 52);
    assert_eq!(count(now() + TimeDelta::days(32)).await, 2);
    // an expired token without a successor counts until it is revoked
    assert_eq!(count(now() + TimeDelta::days(300)).await, 2);
}

#[actix_web::test]
async fn requests_with_a_token_need_no_anti_forgery_value() {
    let app = TestApp::new().await;
    let user = app.platform().await;
    let (_, program) = token(&app, &user, &["access-admin"]).await;
    let create = |client: &Client| {
        let request = client.request(Method::POST, "/api/admin/article-type-groups");
        let request = request.insert_header(("sec-fetch-site", "same-origin"));
        request.set_json(json!({ "name": "Träger", "description": null }))
    };
    assert_eq!(user.call(create(&user)).await.is(403)["code"], "csrf_mismatch");
    program.call(create(&program)).await.is(201);
}
