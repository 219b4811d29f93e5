//! Changes of e-mail addresses: both addresses are notified, and the owner of the former one can undo the
//! change.

use futures_util::future::join_all;
use identity::permissions;
use sea_orm::ConnectionTrait;
use serde_json::{Value, json};
use values::PermissionSet;

use crate::support::{Answer, Client, PASSWORD, TestApp, all_but};

const USERS: &str = "/api/admin/users";
const UNDO: &str = "/api/email-undo";
const GOOD: &str = "amboss-nebel-kran-17";

/// Two parts of a link: the path of the API, and the secret.
type Link = (String, String);

async fn execute(app: &TestApp, sql: &str) {
    let tx = app.db.begin().await.unwrap();
    tx.execute_unprepared(sql).await.unwrap();
    tx.commit().await.unwrap();
}

async fn id_of(admin: &Client, email: &str) -> i64 {
    let found = admin.get(&format!("{USERS}?filter[email]={email}")).await.is(200);
    found["data"][0]["id"].as_i64().unwrap()
}

async fn change(admin: &Client, user: i64, email: &str) -> Answer {
    admin
        .send(actix_web::http::Method::PATCH, &format!("{USERS}/{user}"), Some(json!({ "email": email })))
        .await
}

async fn undo_link(app: &TestApp, address: &str) -> Link {
    let mail = &app.mails_to(address).await[0];
    let (id, secret) = mail.link().unwrap().split_once("/email-undo?id=").unwrap().1.split_once('#').unwrap();
    (format!("{UNDO}/{id}"), secret.to_owned())
}

async fn view(app: &TestApp, (path, secret): &Link) -> Answer {
    app.anonymous().post(path, json!({ "secret": secret })).await
}

async fn undo(app: &TestApp, (path, secret): &Link) -> Answer {
    app.anonymous().put(path, json!({ "secret": secret })).await
}

async fn sign_in(app: &TestApp, email: &str, password: &str) -> Answer {
    app.anonymous().post("/api/sessions", json!({ "email": email, "password": password })).await
}

#[actix_web::test]
async fn an_address_change_notifies_both_addresses_and_the_former_can_undo_it() {
    let app = TestApp::new().await;
    let admin = app.caller(Some(app.north), PermissionSet::all()).await;
    let former = app.user(Some(app.north), PermissionSet::default()).await;
    let user = id_of(&admin, &former).await;
    change(&admin, user, "dieb@test.example").await.is(200);

    let notice = app.mails_to(&former).await.remove(0);
    assert_eq!(notice.subject, "Die E-Mail-Adresse Ihres Kontos bei Stalhof wurde geändert");
    let names = ["dieb@test.example", former.as_str(), "Der Link gilt 7 Tage"];
    assert!(names.iter().all(|name| notice.text.contains(name)), "{}", notice.text);
    let arrived = app.mails_to("dieb@test.example").await.remove(0);
    assert_eq!(arrived.subject, "Diese E-Mail-Adresse gehört jetzt zu Ihrem Konto bei Stalhof");
    assert!(arrived.link().unwrap().ends_with("/login"), "the new address takes nothing back");

    // the user sees who made the change
    let thief = app.sign_in("dieb@test.example".to_owned()).await;
    let own = thief.get("/api/users/me/email-changes").await.is(200);
    let entry = &own["data"][0];
    assert_eq!(
        (&entry["former_email"], &entry["own"], &entry["undone_at"]),
        (&json!(former), &json!(false), &Value::Null)
    );
    assert!(entry["changed_by"].is_string());

    let link = undo_link(&app, &former).await;
    let seen = view(&app, &link).await.is(200);
    assert_eq!(
        (&seen["state"], &seen["former_email"], &seen["email"]),
        (&json!("open"), &json!(former), &json!("dieb@test.example"))
    );
    thief.get("/api/users/me").await.is(200);
    let restored = undo(&app, &link).await.is(200);
    assert_eq!(restored["email"], json!(former));
    thief.get("/api/users/me").await.is(401);
    // neither the former password nor the new address can be used to sign in
    sign_in(&app, &former, PASSWORD).await.is(401);
    sign_in(&app, "dieb@test.example", PASSWORD).await.is(401);
    let reset = &restored["password_reset"];
    let path = format!("/api/password-reset/{}", reset["id"].as_str().unwrap());
    app.anonymous().put(&path, json!({ "secret": reset["secret"], "password": GOOD })).await.is(204);
    let owner = sign_in(&app, &former, GOOD).await;
    owner.is(201);
    let mails = app.mails_to(&former).await;
    assert!(
        mails.iter().any(|mail| mail.subject == "Die Änderung Ihrer E-Mail-Adresse wurde rückgängig gemacht")
    );
    let dropped = app.mails_to("dieb@test.example").await.remove(0);
    assert_eq!(dropped.subject, "Diese E-Mail-Adresse gehört nicht mehr zu Ihrem Konto bei Stalhof");

    // the link works once, and both changes are in the history
    assert_eq!(view(&app, &link).await.is(200)["state"], "used");
    assert_eq!(undo(&app, &link).await.is(409)["code"], "link_used");
    let history =
        admin.get(&format!("/api/admin/audit?filter[record]=user&filter[record_id]={user}")).await.is(200);
    let entries = history["data"].as_array().unwrap().iter();
    let of_email =
        |entry: &&Value| entry["changes"].as_array().unwrap().iter().any(|change| change["field"] == "email");
    assert_eq!(entries.filter(of_email).filter(|entry| entry["action"] == "changed").count(), 2);
}

#[actix_web::test]
async fn a_change_of_the_own_address_is_announced_in_the_users_language() {
    let app = TestApp::new().await;
    let email = app.user(Some(app.north), PermissionSet::all()).await;
    let own = app.sign_in(email.clone()).await;
    own.send(actix_web::http::Method::PATCH, "/api/users/me", Some(json!({ "language": "en" })))
        .await
        .is(200);
    let user = own.get("/api/users/me").await.is(200)["id"].as_i64().unwrap();
    change(&own, user, "eva@test.example").await.is(200);
    let notice = app.mails_to(&email).await.remove(0);
    assert_eq!(notice.subject, "The e-mail address of your account at Stalhof was changed");
    let own = app.sign_in("eva@test.example".to_owned()).await;
    assert_eq!(own.get("/api/users/me/email-changes").await.is(200)["data"][0]["own"], true);
    // changing only the case is no change of address
    let count = app.mails_to(&email).await.len();
    change(&own, user, "Eva@test.example").await.is(200);
    assert_eq!(app.mails_to(&email).await.len(), count);
}

#[actix_web::test]
async fn the_first_address_is_restored_after_several_changes_but_not_by_expired_links() {
    let app = TestApp::new().await;
    let admin = app.caller(Some(app.north), PermissionSet::all()).await;
    let former = app.user(Some(app.north), PermissionSet::default()).await;
    let user = id_of(&admin, &former).await;
    change(&admin, user, "b@test.example").await.is(200);
    let first = undo_link(&app, &former).await;
    change(&admin, user, "c@test.example").await.is(200);
    let second = undo_link(&app, "b@test.example").await;
    // a new password invalidates neither of them
    change(&admin, user, "d@test.example").await.is(200);
    assert_eq!(change(&admin, user, "e@test.example").await.is(429)["code"], "too_many_requests");
    assert_eq!(undo(&app, &first).await.is(200)["email"], json!(former));
    assert_eq!(undo(&app, &second).await.is(409)["code"], "link_used");

    execute(&app, "DELETE FROM mail").await;
    change(&admin, user, "f@test.example").await.is(200);
    let late = undo_link(&app, &former).await;
    execute(&app, "UPDATE email_change SET expires_at = created_at").await;
    assert_eq!(view(&app, &late).await.is(200)["state"], "expired");
    assert_eq!(undo(&app, &late).await.is(409)["code"], "link_expired");
    sign_in(&app, "f@test.example", PASSWORD).await.is(401);
}

#[actix_web::test]
async fn an_address_taken_by_another_account_is_restored_only_once_it_is_free() {
    let app = TestApp::new().await;
    let admin = app.caller(Some(app.north), PermissionSet::all()).await;
    let former = app.user(Some(app.north), PermissionSet::default()).await;
    let other = app.user(Some(app.south), PermissionSet::default()).await;
    let user = id_of(&admin, &former).await;
    change(&admin, user, "b@test.example").await.is(200);
    let link = undo_link(&app, &former).await;
    let platform = app.caller(None, PermissionSet::all()).await;
    let rival = id_of(&platform, &other).await;
    change(&platform, rival, &former).await.is(200);
    let refused = undo(&app, &link).await.is(409);
    assert_eq!(refused["code"], "former_email_taken");
    assert!(refused["message"].as_str().unwrap().contains("administrator"));
    sign_in(&app, "b@test.example", PASSWORD).await.is(201);
    change(&platform, rival, &other).await.is(200);
    undo(&app, &link).await.is(200);
}

#[actix_web::test]
async fn only_one_concurrent_undo_succeeds_and_invalid_links_are_answered_alike() {
    let app = TestApp::new().await;
    let admin = app.caller(Some(app.north), PermissionSet::all()).await;
    let emails = [
        app.user(Some(app.north), PermissionSet::default()).await,
        app.user(Some(app.north), PermissionSet::default()).await,
    ];
    let mut links = Vec::new();
    for (number, email) in emails.iter().enumerate() {
        change(&admin, id_of(&admin, email).await, &format!("neu{number}@test.example")).await.is(200);
        links.push(undo_link(&app, email).await);
    }
    let [one, other] = <[Link; 2]>::try_from(links).unwrap();
    let wrong = [
        (one.0.clone(), other.1.clone()),
        (other.0.clone(), one.1.clone()),
        (format!("{UNDO}/1"), one.1.clone()),
        (one.0.clone(), String::new()),
        (one.0.clone(), one.1.replace("lnk_", "ses_")),
    ];
    for link in &wrong {
        for answer in [view(&app, link).await, undo(&app, link).await] {
            assert_eq!(answer.is(404)["code"], "invalid_link");
        }
    }
    let answers = join_all((0..10).map(async |_| undo(&app, &one).await)).await;
    assert_eq!(answers.iter().filter(|answer| answer.status.is_success()).count(), 1);
    // a user who has never had a password gets no mail: the former address may have been a mistake
    let roles = json!({ "name": "Neu", "email": "falsch@test.example", "tenant_id": app.north, "role_ids": [], "permissions": null });
    let new = admin.post(USERS, roles).await.is(201)["id"].as_i64().unwrap();
    change(&admin, new, "richtig@test.example").await.is(200);
    assert!(app.mails_to("falsch@test.example").await.is_empty());
    // changing an address needs the permission
    let without = app.caller(Some(app.north), all_but(permissions::UPDATE_USER)).await;
    change(&without, new, "x@test.example").await.is(403);
}
