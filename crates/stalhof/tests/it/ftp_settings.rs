//! FTP settings over HTTP: saved with and without a secret key, changed, paused, undone; secrets are never
//! returned.

use actix_web::http::Method;
use feeds::{
    permissions,
    settings::{FtpSettingsTable, PASSWORD},
};
use sea_orm::{ConnectionTrait, Statement};
use secrets::ExposeSecret;
use serde_json::{Value, json};
use store::Scope;
use values::PermissionSet;

use crate::{
    catalog::id,
    support::{Answer, Client, TestApp, all_but},
};

pub(crate) const PATH: &str = "/api/admin/ftp-settings";
const AUDIT: &str = "/api/admin/audit";
const SECRET: &str = "kanarienvogel-7391";

/// Settings of an SFTP server with a price file that is fetched daily.
pub(crate) fn settings(name: &str) -> Value {
    json!({
        "protocol": "sftp",
        "host": format!("{}.example", name.to_lowercase().replace(|c: char| !c.is_ascii_alphanumeric(), "")),
        "username": "nord",
        "price_file": {
            "enabled": true, "file_name": "preise_*.csv", "transformer": "standard", "as_price_list": false
        },
        "stock_file": { "enabled": false, "file_name": null, "transformer": "standard" },
        "schedules": { "price": { "type": "daily", "time": "06:00" }, "stock": null },
        "after_reading": "leave",
    })
}

fn with(mut input: Value, change: Value) -> Value {
    input.as_object_mut().unwrap().extend(change.as_object().unwrap().clone());
    input
}

async fn undo(client: &Client, answer: &Answer) {
    let request = json!({ "request_id": answer.header("x-request-id") });
    assert_eq!(client.post(&format!("{AUDIT}/undo"), request).await.is(200)["done"], 1);
}

/// User of the first tenant, on a server with a secret key.
async fn with_key(app: &TestApp) -> (actix_web::web::Data<api::state::State>, Client) {
    app.with_secret_key(&app.caller(Some(app.north), PermissionSet::all()).await).await
}

/// Due time of the files of a kind; `None` without a schedule, and `Some(None)` while it is paused.
async fn due(app: &TestApp, kind: &str) -> Option<Option<String>> {
    let sql = format!("SELECT CAST(due_at AS TEXT) AS due FROM schedule WHERE kind = '{kind}'");
    let statement = Statement::from_string(app.db.get_database_backend(), sql);
    let row = app.db.query_one_raw(statement).await.unwrap();
    row.map(|row| row.try_get("", "due").unwrap())
}

#[actix_web::test]
async fn settings_are_saved_shown_changed_and_undone() {
    let app = TestApp::new().await;
    let (_, user) = with_key(&app).await;
    assert_eq!(user.get(PATH).await.is(200)["data"], json!([]));
    let made = user.post(PATH, with(settings("Werk"), json!({ "password": SECRET }))).await.is(201);
    assert_eq!(made["tenant"], json!({ "id": app.north, "short_code": "NORD" }));
    assert_eq!(
        (&made["port"], &made["password_set"], &made["host_key"]),
        (&json!(22), &json!(true), &json!(null))
    );
    let again = user.post(PATH, settings("Anderes")).await.is(422);
    assert_eq!(again["error_codes"]["host"], json!(["ftp_settings_exist"]));
    let uri = format!("{PATH}/{}", id(&made));
    assert_eq!(user.get(&uri).await.is(200), made);
    assert_eq!(user.get(PATH).await.is(200)["data"], json!([made]));

    // a record that was read can be sent back, and changes nothing else
    let answer = user.put(&uri, with(made.clone(), json!({ "base_path": "/export" }))).await;
    let changed = answer.is(200);
    assert_eq!((&changed["base_path"], &changed["password_set"]), (&json!("/export"), &json!(true)));
    assert_eq!(user.put(&uri, made.clone()).await.is(409)["code"], "stale");
    undo(&user, &answer).await;
    assert_eq!(user.get(&uri).await.is(200)["base_path"], json!(null));

    let schedule = json!({ "schedules": { "price": { "type": "weekly", "day": 1, "time": "05:30" } } });
    let answer = user.send(Method::PATCH, &uri, Some(schedule)).await;
    assert_eq!(answer.is(200)["schedules"]["price"]["type"], "weekly");
    undo(&user, &answer).await;
    assert_eq!(user.get(&uri).await.is(200)["schedules"], made["schedules"]);

    let gone = user.delete(&uri).await;
    gone.is(204);
    assert_eq!(due(&app, "ftp_price").await, None);
    undo(&user, &gone).await;
    let back = user.get(&uri).await.is(200);
    assert_eq!((&back["password_set"], &back["price_file"]), (&json!(false), &made["price_file"]));
    assert!(due(&app, "ftp_price").await.unwrap().is_some());
}

#[actix_web::test]
async fn a_secret_is_sealed_never_shown_and_removed_when_the_connection_changes() {
    let app = TestApp::new().await;
    let (state, user) = with_key(&app).await;
    let made = user.post(PATH, with(settings("Werk"), json!({ "password": SECRET }))).await.is(201);
    let uri = format!("{PATH}/{}", id(&made));
    let row = Scope::platform().get::<FtpSettingsTable>(&*app.db, id(&made)).await.unwrap();
    let opened = state.keys.open(PASSWORD.cell(row.id), row.password_sealed.as_ref().unwrap()).unwrap();
    assert_eq!(opened.expose_secret(), SECRET);
    let history =
        user.get(&format!("{AUDIT}?filter[record]=ftp_settings&filter[record_id]={}", row.id)).await;
    for text in [made.to_string(), history.is(200).to_string(), user.get(&uri).await.is(200).to_string()] {
        assert!(!text.contains(SECRET) && !text.contains("v1."), "{text}");
    }
    assert!(history.is(200).to_string().contains("password_set_at"));

    for change in [
        json!({ "host": "anderes.example" }),
        json!({ "port": 2222 }),
        json!({ "username": "sued" }),
        json!({ "protocol": "ftps" }),
        json!({ "password": "" }),
    ] {
        let kept = user.send(Method::PATCH, &uri, Some(json!({ "password": SECRET }))).await.is(200);
        assert_eq!(kept["password_set"], true, "{change}");
        let same = user.send(Method::PATCH, &uri, Some(json!({ "base_path": "/neu" }))).await.is(200);
        assert_eq!(same["password_set"], true, "{change}");
        let cleared = user.send(Method::PATCH, &uri, Some(change.clone())).await.is(200);
        assert_eq!(cleared["password_set"], false, "{change}");
    }
    let both = json!({ "host": "drittes.example", "password": SECRET });
    assert_eq!(user.send(Method::PATCH, &uri, Some(both)).await.is(200)["password_set"], true);
}

#[actix_web::test]
async fn settings_can_be_saved_without_a_key_but_secrets_cannot() {
    let app = TestApp::new().await;
    let user = app.caller(Some(app.north), PermissionSet::all()).await;
    let options = user.get(&format!("{PATH}/options")).await.is(200);
    assert_eq!(
        options,
        json!({
            "secrets_available": false, "plain_ftp_allowed": false,
            "transformers": ["standard", "import_profile", "datanorm", "bmecat"]
        })
    );
    let refused = user.post(PATH, with(settings("Werk"), json!({ "password": SECRET }))).await.is(409);
    assert_eq!(refused["code"], "secret_key_missing");
    assert_eq!(user.get(PATH).await.is(200)["meta"]["total"], 0);
    let made = user.post(PATH, with(settings("Werk"), json!({ "password": "" }))).await.is(201);
    assert_eq!(made["password_set"], false);
    let uri = format!("{PATH}/{}", id(&made));
    let key = json!({ "private_key": "-----BEGIN OPENSSH PRIVATE KEY-----\nx" });
    let refused = user.send(Method::PATCH, &uri, Some(key)).await.is(409);
    assert_eq!(refused["code"], "secret_key_missing");
    let plain = user.send(Method::PATCH, &uri, Some(json!({ "protocol": "ftp" }))).await.is(422);
    assert_eq!(plain["error_codes"]["protocol"], json!(["plain_ftp_forbidden"]));
    let (_, user) = with_key(&app).await;
    assert_eq!(
        user.send(Method::PATCH, &uri, Some(json!({ "protocol": "ftp" }))).await.is(200)["protocol"],
        "ftp"
    );
}

#[actix_web::test]
async fn a_passphrase_stays_with_its_key() {
    let app = TestApp::new().await;
    let (_, user) = with_key(&app).await;
    let refused = user.post(PATH, with(settings("Werk"), json!({ "private_key_passphrase": SECRET }))).await;
    assert_eq!(refused.is(422)["error_codes"], json!({ "private_key": ["required"] }));
    let key = "-----BEGIN OPENSSH PRIVATE KEY-----\nx";
    let both = json!({ "private_key": key, "private_key_passphrase": SECRET });
    let made = user.post(PATH, with(settings("Werk"), both.clone())).await.is(201);
    assert_eq!((&made["private_key_set"], &made["private_key_passphrase_set"]), (&json!(true), &json!(true)));
    let uri = format!("{PATH}/{}", id(&made));
    let change = async |change: Value| {
        let settings = user.send(Method::PATCH, &uri, Some(change)).await.is(200);
        (settings["private_key_set"] == true, settings["private_key_passphrase_set"] == true)
    };
    for (input, expected) in [
        (json!({ "base_path": "/x" }), (true, true)),
        (json!({ "private_key_passphrase": "" }), (true, false)),
        (json!({ "private_key_passphrase": SECRET }), (true, true)),
        // another key, which is not encrypted
        (json!({ "private_key": key }), (true, false)),
        (both.clone(), (true, true)),
        (json!({ "private_key": "" }), (false, false)),
        (both.clone(), (true, true)),
        (json!({ "host": "anderes.example" }), (false, false)),
    ] {
        assert_eq!(change(input.clone()).await, expected, "{input}");
    }
    let elsewhere = json!({ "protocol": "ftps", "port": 21, "private_key_passphrase": SECRET });
    let refused = user.send(Method::PATCH, &uri, Some(elsewhere)).await.is(422);
    assert_eq!(refused["error_codes"]["private_key_passphrase"], json!(["private_key_needs_sftp"]));
}

#[actix_web::test]
async fn schedules_are_due_paused_and_resumed() {
    let app = TestApp::new().await;
    let user = app.caller(Some(app.north), PermissionSet::all()).await;
    let made = user.post(PATH, settings("Werk")).await.is(201);
    let uri = format!("{PATH}/{}", id(&made));
    let runs = user.get(&format!("{uri}/next-runs")).await.is(200);
    assert_eq!((runs["price"].as_array().unwrap().len(), &runs["stock"]), (5, &json!([])));
    let first = due(&app, "ftp_price").await.unwrap().unwrap();
    assert_eq!(due(&app, "ftp_stock").await, None);

    // changing another field does not move the due time
    user.send(Method::PATCH, &uri, Some(json!({ "base_path": "/export" }))).await.is(200);
    assert_eq!(due(&app, "ftp_price").await, Some(Some(first.clone())));
    let paused = user.post(&format!("{uri}/pause"), json!({ "file": "price" })).await;
    assert_eq!(paused.is(200)["schedules"]["price"]["paused"], true);
    assert_eq!(due(&app, "ftp_price").await, Some(None));
    assert_eq!(user.get(&format!("{uri}/next-runs")).await.is(200)["price"], json!([]));
    let same = user.post(&format!("{uri}/pause"), json!({ "file": "price" })).await.is(200);
    assert_eq!(same["version"], paused.is(200)["version"]);
    let resumed = user.post(&format!("{uri}/resume"), json!({ "file": "price" })).await.is(200);
    assert_eq!(resumed["schedules"]["price"]["paused"], false);
    assert_eq!(due(&app, "ftp_price").await, Some(Some(first)));
    let missing = user.post(&format!("{uri}/pause"), json!({ "file": "stock" })).await.is(409);
    assert_eq!(missing["code"], "no_schedule");

    let mut off = made["price_file"].clone();
    off["enabled"] = false.into();
    user.send(Method::PATCH, &uri, Some(json!({ "price_file": off }))).await.is(200);
    assert_eq!(due(&app, "ftp_price").await, None);
}

#[actix_web::test]
async fn planned_runs_are_previewed_with_their_reasons() {
    let app = TestApp::new().await;
    let user = app.caller(Some(app.north), PermissionSet::all()).await;
    let uri = format!("{PATH}/next-runs");
    let schedule = json!({ "schedule": { "type": "monthly", "day": 31, "time": "06:00" } });
    let runs = user.post(&uri, schedule).await.is(200);
    let runs = runs["runs"].as_array().unwrap().clone();
    assert_eq!(runs.len(), 5);
    // of five months in a row, at least two have no 31st
    let short = runs.iter().filter(|run| run["reasons"][0]["code"] == "last_day_of_month").count();
    assert!((2..=3).contains(&short), "{runs:?}");
    assert!(runs.iter().all(|run| run["shown"].as_str().unwrap().ends_with("T06:00:00")), "{runs:?}");
    let broken = json!({ "schedule": { "type": "weekly", "day": 8, "time": "24:00" } });
    let refused = user.post(&uri, broken).await.is(422);
    assert_eq!(refused["error_codes"], json!({ "schedule.time": ["invalid_clock_time"] }));
}

#[actix_web::test]
async fn an_import_profile_in_use_cannot_be_deleted_and_must_fit_the_file() {
    let app = TestApp::new().await;
    let user = app.caller(Some(app.north), PermissionSet::all()).await;
    let south = app.caller(Some(app.south), PermissionSet::all()).await;
    let profile = |r#type: &str| json!({ "name": r#type, "type": r#type, "settings": {}, "mapping": [] });
    let path = "/api/admin/import-profiles";
    let price = id(&user.post(path, profile("Price")).await.is(201));
    let stock = id(&user.post(path, profile("Stock")).await.is(201));
    let foreign = id(&south.post(path, profile("Price")).await.is(201));
    let input = |profile: i64| {
        let mut input = with(settings("Werk"), json!({ "price_profile_id": profile }));
        input["price_file"]["transformer"] = "import_profile".into();
        input
    };
    for (profile, code) in
        [(stock, "not_for_this_type"), (foreign, "unknown_reference"), (0, "unknown_reference")]
    {
        let refused = user.post(PATH, input(profile)).await.is(422);
        assert_eq!(refused["error_codes"], json!({ "price_profile_id": [code] }));
    }
    let made = user.post(PATH, input(price)).await.is(201);
    assert_eq!(made["price_profile"], json!({ "id": price, "name": "Price" }));
    let kept = user.delete(&format!("{path}/{price}")).await.is(409);
    assert_eq!(kept["code"], "in_use");
    let usage = user.get(&format!("{path}/{price}/usage")).await.is(200);
    assert_eq!(usage["data"][0]["by"], "ftp_settings");
    user.delete(&format!("{PATH}/{}", id(&made))).await.is(204);
    user.delete(&format!("{path}/{price}")).await.is(204);
}

#[actix_web::test]
async fn a_host_key_is_trusted_only_for_its_server() {
    let app = TestApp::new().await;
    let user = app.caller(Some(app.north), PermissionSet::all()).await;
    let made = user.post(PATH, settings("Werk")).await.is(201);
    let uri = format!("{PATH}/{}", id(&made));
    let trust = format!("{uri}/trust-host-key");
    let key = format!("ssh-ed25519 SHA256:{}", "k".repeat(43));
    let refused = user.post(&trust, json!({ "host_key": "ssh-ed25519 AAAA" })).await.is(422);
    assert_eq!(refused["error_codes"]["host_key"], json!(["invalid_host_key"]));
    let stale = user.post(&trust, json!({ "host_key": key, "version": 7 })).await.is(409);
    assert_eq!(stale["code"], "stale");
    assert_eq!(user.post(&trust, json!({ "host_key": key })).await.is(200)["host_key"], json!(key));
    let same = user.send(Method::PATCH, &uri, Some(json!({ "username": "anders" }))).await.is(200);
    assert_eq!(same["host_key"], json!(key));
    let other = user.send(Method::PATCH, &uri, Some(json!({ "port": 2222 }))).await.is(200);
    assert_eq!(other["host_key"], json!(null));
    user.send(Method::PATCH, &uri, Some(json!({ "protocol": "ftps" }))).await.is(200);
    let refused = user.post(&trust, json!({ "host_key": key })).await.is(422);
    assert_eq!(refused["error_codes"]["host_key"], json!(["not_for_protocol"]));
}

#[actix_web::test]
async fn other_tenants_settings_are_hidden_and_each_operation_needs_its_permission() {
    let app = TestApp::new().await;
    let user = app.caller(Some(app.north), PermissionSet::all()).await;
    let made = user.post(PATH, settings("Werk")).await.is(201);
    let uri = format!("{PATH}/{}", id(&made));
    let south = app.caller(Some(app.south), PermissionSet::all()).await;
    south.get(&uri).await.is(404);
    south.post(&format!("{uri}/pause"), json!({ "file": "price" })).await.is(404);
    south.post(PATH, settings("Werk")).await.is(201);
    let lacking = app.caller(Some(app.north), all_but(permissions::CONFIGURE_FTP_IMPORT)).await;
    lacking.get(&uri).await.is(403);
    let admin = app.platform().await;
    assert_eq!(admin.get(PATH).await.is(200)["meta"]["total"], 2);
    assert_eq!(admin.get(&format!("{PATH}?tenant_id={}", app.north)).await.is(200)["meta"]["total"], 1);
}
