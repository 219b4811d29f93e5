//! A user's own account: name, language, password, sessions.

use actix_web::http::Method;
use identity::password_reset;
use sea_orm::{ConnectionTrait, Statement};
use serde_json::{Value, json};
use store::Scope;
use values::{PermissionSet, now, permissions};

use crate::{
    sessions::fail_until_throttled,
    support::{Client, PASSWORD, TestApp},
};

const ME: &str = "/api/users/me";
const CHANGE: &str = "/api/users/me/password";
const STRENGTH: &str = "/api/users/me/password/strength";
const SESSIONS: &str = "/api/sessions";
const NEW: &str = "walzwerk-nordwind-kantine";

fn passwords(current: &str, new: &str) -> Value {
    json!({ "current_password": current, "new_password": new })
}

/// Signs in a new user of the northern tenant without permissions; also returns their e-mail address.
async fn sign_in_new_user(app: &TestApp) -> (Client, String) {
    let email = app.user(Some(app.north), PermissionSet::default()).await;
    (sign_in(app, &email, PASSWORD, "").await, email)
}

async fn sign_in(app: &TestApp, email: &str, password: &str, user_agent: &'static str) -> Client {
    let anonymous = app.anonymous();
    let request = anonymous.request(Method::POST, SESSIONS).insert_header(("user-agent", user_agent));
    let opened =
        anonymous.call(request.set_json(json!({ "email": email, "password": password }))).await.is(201);
    anonymous.signed_in(&opened["session"]["token"])
}

async fn change(client: &Client, patch: Value) -> crate::support::Answer {
    client.send(Method::PATCH, ME, Some(patch)).await
}

#[actix_web::test]
async fn input_beyond_the_limits_of_the_contract_is_refused() {
    let app = TestApp::new().await;
    let admin = app.platform().await;
    let (long, just) = ("x".repeat(256), "x".repeat(255));
    let strength = "/api/users/me/password/strength";
    admin.post(strength, json!({ "password": long })).await.is_refused_at(&["password"]);
    admin.post(strength, json!({ "password": just })).await.is(200);
    admin.get(&format!("/api/admin/views?list={long}")).await.is_refused_at(&["list"]);
    admin.get("/api/admin/views?list=").await.is_refused_at(&["list"]);
    admin.get(&format!("/api/admin/views?list={just}")).await.is(200);
    let image = "/api/admin/categories/1/image";
    admin.get(&format!("{image}?v={}", "x".repeat(65))).await.is_refused_at(&["v"]);
    admin.get(&format!("{image}?v={}", "x".repeat(64))).await.is(404);
    for list in ["x".repeat(65), "-x".to_owned(), "Ä".to_owned()] {
        let choice = json!({ "list": list, "view_id": null });
        admin.put("/api/admin/views/default", choice).await.is_refused_at(&["list"]);
    }
    let template = json!({ "article_number_addition_template": long });
    let preview = admin.post("/api/admin/processings/preview", template).await;
    preview.is_refused_at(&["article_number_addition_template"]);
    let no_form = "--limit\r\nContent-Disposition: form-data; name=\"\u{c5}\t\r\n\r\n\r\n--limit--\r\n";
    let upload = admin
        .request(Method::PUT, image)
        .insert_header(("content-type", "multipart/form-data; boundary=limit"))
        .set_payload(no_form);
    admin.call(upload).await.is_refused_at(&["file"]);
    for field in ["name", "language", "version"] {
        let patch = json!({ field: null });
        let refused = admin.send(Method::PATCH, "/api/users/me", Some(patch)).await;
        refused.is_refused_at(&[field]);
    }
}

#[actix_web::test]
async fn a_user_changes_their_own_name_and_language_and_nothing_else() {
    let app = TestApp::new().await;
    let (client, email) = sign_in_new_user(&app).await;
    let before = client.get(ME).await.is(200);
    assert_eq!(before["language"], Value::Null);
    let patch = json!({ "name": "  Nora Söder ", "language": "en", "version": before["version"] });
    let after = change(&client, patch.clone()).await.is(200);
    assert_eq!((&after["name"], &after["language"]), (&json!("Nora Söder"), &json!("en")));
    assert_eq!((&after["email"], &after["tenant"]["short_code"]), (&json!(email), &json!("NORD")));
    assert_eq!(client.get(ME).await.is(200), after);
    assert_eq!(change(&client, patch).await.is(409)["code"], "stale");
    assert_eq!(change(&client, json!({ "language": "de" })).await.is(200)["name"], "Nora Söder");

    change(&client, json!({ "name": " " })).await.is_refused_at(&["name"]);
    change(&client, json!({ "name": "x".repeat(256) })).await.is_refused_at(&["name"]);
    change(&client, json!({ "language": "fr" })).await.is_refused_at(&["language"]);
    for (field, value) in [
        ("email", json!("chef@test.example")),
        ("role_ids", json!([1])),
        ("permissions", json!(["user.list"])),
        ("tenant_id", Value::Null),
        ("id", json!(1)),
        ("disabled", json!(false)),
    ] {
        change(&client, json!({ field: value })).await.is_refused_at(&[field]);
    }

    let admin = app.platform().await;
    assert_eq!(change(&admin, json!({ "name": "Verwaltung" })).await.is(200)["name"], "Verwaltung");
    assert_eq!(client.get(ME).await.is(200)["name"], "Nora Söder");
}

#[actix_web::test]
async fn a_new_password_ends_the_other_sessions_and_every_link() {
    let app = TestApp::new().await;
    let (client, email) = sign_in_new_user(&app).await;
    let (other, _) = sign_in_new_user(&app).await;
    let elsewhere = sign_in(&app, &email, PASSWORD, "").await;
    let id = client.get(ME).await.is(200)["id"].as_i64().unwrap();
    let count = async |table: &str, condition: &str| {
        let sql = format!("SELECT COUNT(*) AS count FROM {table} WHERE {condition}");
        let row =
            app.db.query_one_raw(Statement::from_string(app.db.get_database_backend(), sql)).await.unwrap();
        row.unwrap().try_get::<i64>("", "count").unwrap()
    };
    let links = format!("user_id = {id}");
    password_reset::send(&app.db, &Scope::platform(), id, "http://test.example", now()).await.unwrap();
    assert_eq!(count("one_time_link", &links).await, 1);

    client.put(CHANGE, passwords(PASSWORD, NEW)).await.is(204);
    client.get(ME).await.is(200);
    elsewhere.get(ME).await.is(401);
    other.get(ME).await.is(200);
    assert_eq!(count("one_time_link", &links).await, 0);
    app.anonymous().post(SESSIONS, json!({ "email": email, "password": PASSWORD })).await.is(401);
    sign_in(&app, &email, NEW, "").await;

    // the change is in the history without the password, and the user is notified
    let noted = format!("action = 'password_changed' AND record_id = {id}");
    assert_eq!(count("audit_entry", &noted).await, 1);
    assert_eq!(count("audit_entry", "CAST(changes AS TEXT) LIKE '%argon2%'").await, 0);
    assert_eq!(count("mail", "kind = 'password_changed'").await, 1);
}

#[actix_web::test]
async fn wrong_weak_and_unchanged_passwords_are_refused() {
    let app = TestApp::new().await;
    let (client, email) = sign_in_new_user(&app).await;
    let elsewhere = sign_in(&app, &email, PASSWORD, "").await;
    let errors = |body: Value, field: &str| body["errors"][field][0].as_str().unwrap().to_owned();

    client.put(CHANGE, passwords("", "")).await.is_refused_at(&["current_password", "new_password"]);
    let wrong = client.put(CHANGE, passwords("falsch", NEW)).await.is_refused_at(&["current_password"]);
    assert_eq!(errors(wrong, "current_password"), "The current password is not correct");
    let same = client.put(CHANGE, passwords(PASSWORD, PASSWORD)).await.is_refused_at(&["new_password"]);
    assert!(errors(same, "new_password").starts_with("Please choose a password other"));
    let weak = client.german().put(CHANGE, passwords(PASSWORD, "password1234")).await;
    let weak = errors(weak.is_refused_at(&["new_password"]), "new_password");
    assert!(
        weak.starts_with("Ihr Passwort ist nicht stark genug. Das ist ein sehr häufiges Passwort."),
        "{weak}"
    );
    client.put(CHANGE, passwords(PASSWORD, "Xk7#p")).await.is_refused_at(&["new_password"]);
    client
        .put(CHANGE, passwords(PASSWORD, &format!("{NEW}{}", "ä".repeat(255))))
        .await
        .is_refused_at(&["new_password"]);
    // a password must not contain the user's name or address
    client.put(CHANGE, passwords(PASSWORD, &email)).await.is_refused_at(&["new_password"]);
    client.put(CHANGE, json!({ "new_password": NEW })).await.is_refused_at(&["current_password"]);

    elsewhere.get(ME).await.is(200);
    sign_in(&app, &email, PASSWORD, "").await;
}

#[actix_web::test]
async fn guesses_in_a_stolen_session_are_throttled_and_the_owner_is_not() {
    let app = TestApp::new().await;
    let (thief, email) = sign_in_new_user(&app).await;
    let owner = sign_in(&app, &email, PASSWORD, "").await;
    for _ in 0..5 {
        thief.put(CHANGE, passwords("falsch", NEW)).await.is_refused_at(&["current_password"]);
    }
    fail_until_throttled(async || thief.put(CHANGE, passwords("falsch", NEW)).await).await;
    let slowed = thief.put(CHANGE, passwords(PASSWORD, NEW)).await;
    assert_eq!(slowed.is(429)["code"], "too_many_attempts");
    assert!(slowed.header("retry-after").parse::<u32>().unwrap() >= 1);
    // changing the IP address does not help an attacker
    let moved = thief.request(Method::PUT, CHANGE).peer_addr(([127, 0, 0, 2], 50_000).into());
    thief.call(moved.set_json(passwords(PASSWORD, NEW))).await.is(429);

    owner.put(CHANGE, passwords(PASSWORD, NEW)).await.is(204);
    thief.get(ME).await.is(401);
}

/// A user who is locked out while their new password is being hashed cannot sign in with it.
#[actix_web::test]
async fn a_password_change_is_rolled_back_if_its_session_has_ended_meanwhile() {
    let app = TestApp::new().await;
    let (client, email) = sign_in_new_user(&app).await;
    let id = client.get(ME).await.is(200)["id"].as_i64().unwrap();
    let both = futures_util::future::join(client.put(CHANGE, passwords(PASSWORD, NEW)), async {
        tokio::time::sleep(std::time::Duration::from_millis(1)).await;
        let sql = format!("DELETE FROM session WHERE user_id = {id}");
        app.db.writer().execute_unprepared(&sql).await.unwrap();
    });
    let (answer, ()) = both.await;
    // in either order, the valid password is the one that the answer confirmed
    let valid = if answer.status.as_u16() == 204 { NEW } else { PASSWORD };
    sign_in(&app, &email, valid, "").await;
}

#[actix_web::test]
async fn the_strength_of_a_password_is_rated_with_advice() {
    let app = TestApp::new().await;
    let (client, _) = sign_in_new_user(&app).await;
    let of = async |client: &Client, password: &str| {
        client.post(STRENGTH, json!({ "password": password })).await.is(200)
    };
    let good = of(&client, NEW).await;
    assert_eq!(
        (&good["enough"], &good["warning"], &good["suggestions"]),
        (&json!(true), &Value::Null, &json!([]))
    );
    let weak = of(&client.german(), "password1").await;
    assert_eq!((&weak["score"], &weak["enough"]), (&json!(0), &json!(false)));
    assert_eq!(weak["warning"], "Das ist ein sehr häufiges Passwort.");
    assert!(
        of(&client, "password1").await["suggestions"][0].as_str().unwrap().starts_with("Add another word")
    );
    assert_eq!(of(&client, "Xk7#pQ").await["enough"], false, "it is too short");
    assert_eq!(of(&client, "").await["score"], 0);
    client.post(STRENGTH, json!({ "password": 7 })).await.is_refused_at(&["password"]);
}

#[actix_web::test]
async fn users_see_and_end_only_their_own_sessions() {
    const FIREFOX: &str = "Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0";
    let app = TestApp::new().await;
    let (other, _) = sign_in_new_user(&app).await;
    let email = app.user(Some(app.north), PermissionSet::from_iter([permissions::ACCESS_SHOP])).await;
    let client = sign_in(&app, &email, PASSWORD, FIREFOX).await;
    let program = sign_in(&app, &email, PASSWORD, "curl/8.5.0").await;
    let idle = sign_in(&app, &email, PASSWORD, "idle/1").await;
    for (agent, column, minutes) in [("idle/1", "last_used_at", -31), ("curl/8.5.0", "last_used_at", -5)] {
        let at = (now() + chrono::TimeDelta::minutes(minutes)).to_rfc3339();
        let sql = format!("UPDATE session SET {column} = '{at}' WHERE user_agent = '{agent}'");
        app.db.writer().execute_unprepared(&sql).await.unwrap();
    }
    idle.get(ME).await.is(401);

    let listed = client.get(SESSIONS).await.is(200);
    let [mine, theirs] = &listed["data"].as_array().unwrap()[..] else { panic!("{listed}") };
    assert_eq!(
        (&mine["browser"], &mine["system"], &mine["current"]),
        (&json!("Firefox"), &json!("Linux"), &json!(true))
    );
    assert_eq!(
        (&theirs["browser"], &theirs["system"], &theirs["current"]),
        (&json!("curl"), &Value::Null, &json!(false))
    );
    assert!(listed.to_string().find("token").is_none(), "{listed}");

    let uri = |session: &Value| format!("{SESSIONS}/{}", session["id"]);
    let foreign = other.get(SESSIONS).await.is(200)["data"][0].clone();
    for uri in [uri(&foreign), format!("{SESSIONS}/999999"), format!("{SESSIONS}/x")] {
        assert_eq!(client.delete(&uri).await.is(404)["code"], "not_found");
    }
    client.delete(&uri(theirs)).await.is(204);
    program.get(ME).await.is(401);
    client.delete(&uri(theirs)).await.is(404);

    let again = sign_in(&app, &email, PASSWORD, "").await;
    client.delete("/api/sessions/others").await.is(204);
    again.get(ME).await.is(401);
    other.get(ME).await.is(200);
    assert_eq!(client.get(SESSIONS).await.is(200)["data"].as_array().unwrap().len(), 1);
    client.delete(&uri(mine)).await.is(204);
    client.get(ME).await.is(401);
}
