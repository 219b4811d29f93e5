//! Mails from their cause to the mail server.

use actix_web::web::Data;
use api::state::State;
use identity::permissions;
use mail::transport::Transport;
use sea_orm::{ConnectionTrait, Statement};
use serde_json::{Value, json};
use stalhof::server_state;
use testkit::{
    certificates::Authority,
    smtp::{Behaviour, Security, SmtpServer},
};
use values::{PermissionSet, now};

use crate::{
    catalog::id,
    support::{Client, TestApp, deliver, settings},
};

const USERS: &str = "/api/admin/users";
const FROM: &str = "Stalhof <post@stalhof.example>";

async fn user(admin: &Client, name: &str) -> i64 {
    let input = json!({ "name": name, "email": format!("{name}@test.example"), "tenant_id": null, "role_ids": [], "permissions": null });
    id(&admin.post(USERS, input).await.is(201))
}

async fn invite(admin: &Client, user: i64) -> Value {
    admin.post(&format!("{USERS}/{user}/invite"), json!({})).await.is(200)
}

async fn shown(admin: &Client, user: i64) -> (String, bool) {
    let shown = admin.get(&format!("{USERS}/{user}")).await.is(200);
    (shown["status"].as_str().unwrap().to_owned(), shown["undelivered"].as_bool().unwrap())
}

/// Makes all pending mails due now, so that tests need not wait.
async fn later(app: &TestApp) {
    let tx = app.db.begin().await.unwrap();
    let sql = "UPDATE mail SET due_at = $1 WHERE due_at IS NOT NULL";
    let statement = Statement::from_sql_and_values(tx.get_database_backend(), sql, [now().into()]);
    tx.execute_raw(statement).await.unwrap();
    tx.commit().await.unwrap();
}

async fn through(app: &TestApp, server: &SmtpServer) -> Data<State> {
    app.otherwise(false, Some(Transport::smtp(&server.url(), FROM).unwrap())).await.0
}

#[actix_web::test]
async fn an_unavailable_mail_server_only_delays_mails() {
    let app = TestApp::new().await;
    let admin = app.platform().await;
    let server = SmtpServer::start().await;
    let (address, state) = (server.address, through(&app, &server).await);
    server.stop().await;
    let mut invited = Vec::new();
    for number in 0..20 {
        let user = user(&admin, &format!("neu{number}")).await;
        invite(&admin, user).await;
        invited.push(user);
    }
    // one attempt detects the failure; the other mails keep their attempts
    assert!(!deliver(&state).await.unwrap());
    assert!(!deliver(&state).await.unwrap());
    for user in &invited {
        assert_eq!(shown(&admin, *user).await, ("InvitationQueued".into(), false));
    }
    let server = SmtpServer::at(address).await;
    later(&app).await;
    assert!(deliver(&state).await.unwrap());
    let mut addresses: Vec<_> = server.received().into_iter().flat_map(|mail| mail.to).collect();
    addresses.sort();
    addresses.dedup();
    assert_eq!((server.received().len(), addresses.len()), (20, 20));
    for user in invited {
        assert_eq!(shown(&admin, user).await, ("InvitationPending".into(), false));
    }
}

#[actix_web::test]
async fn a_process_that_dies_after_sending_causes_one_duplicate_with_the_same_id() {
    let app = TestApp::new().await;
    let admin = app.platform().await;
    let server = SmtpServer::start().await;
    let state = through(&app, &server).await;
    let user = user(&admin, "neu").await;
    invite(&admin, user).await;
    // the server has accepted it, but this was not recorded
    server.set(Behaviour::HangsUpAfterwards);
    assert!(!deliver(&state).await.unwrap());
    server.set(Behaviour::Accepts);
    later(&app).await;
    deliver(&state).await.unwrap();
    later(&app).await;
    deliver(&state).await.unwrap();
    let ids: Vec<_> = server
        .received()
        .iter()
        .map(|mail| mail.content.lines().find(|line| line.starts_with("Message-ID")).unwrap().to_owned())
        .collect();
    assert_eq!(ids.len(), 2);
    assert_eq!(ids[0], ids[1]);
}

#[actix_web::test]
async fn an_undeliverable_invitation_is_marked_until_it_is_sent_again() {
    let app = TestApp::new().await;
    let admin = app.platform().await;
    let server = SmtpServer::start().await;
    let state = through(&app, &server).await;
    server.set(Behaviour::Answers("550 5.1.1 unknown"));
    let user = user(&admin, "neu").await;
    let first = invite(&admin, user).await;
    assert!(deliver(&state).await.unwrap(), "the server is there");
    assert_eq!(shown(&admin, user).await, ("InvitationPending".into(), true));
    let path = |invitation: &Value| {
        let link = invitation["link"].as_str().unwrap();
        format!("/api/verification/{}", link.split_once("token=").unwrap().1)
    };
    // once the mail is sent, the link works anyway
    app.anonymous().get(&path(&first)).await.is(200);

    server.set(Behaviour::Accepts);
    let second = invite(&admin, user).await;
    assert_eq!(shown(&admin, user).await, ("InvitationQueued".into(), false));
    deliver(&state).await.unwrap();
    assert_eq!(shown(&admin, user).await, ("InvitationPending".into(), false));
    app.anonymous().get(&path(&first)).await.is(404);
    app.anonymous().get(&path(&second)).await.is(200);
}

#[actix_web::test]
async fn a_revoked_invitation_is_not_sent() {
    let app = TestApp::new().await;
    let admin = app.platform().await;
    let revoked = user(&admin, "zurueck").await;
    invite(&admin, revoked).await;
    admin.delete(&format!("{USERS}/{revoked}/invite")).await.is(204);
    assert_eq!(shown(&admin, revoked).await.0, "NotInvited");
    let disabled = user(&admin, "gesperrt").await;
    invite(&admin, disabled).await;
    let uri = format!("{USERS}/{disabled}");
    let patch = Some(json!({ "disabled": true }));
    admin.send(actix_web::http::Method::PATCH, &uri, patch).await.is(200);
    let deleted = user(&admin, "geloescht").await;
    invite(&admin, deleted).await;
    admin.delete(&format!("{USERS}/{deleted}")).await.is(204);
    for name in ["zurueck", "gesperrt", "geloescht"] {
        assert!(app.mails_to(&format!("{name}@test.example")).await.is_empty(), "{name}");
    }
    let waiting = admin.get(&format!("{USERS}?filter[status]=NotInvited")).await.is(200);
    assert_eq!(waiting["data"][0]["name"], "zurueck", "a list finds what it shows");
}

#[actix_web::test]
async fn a_mail_server_with_a_certificate_of_a_private_authority_can_be_trusted() {
    let app = TestApp::new().await;
    let admin = app.platform().await;
    let company = Authority::new();
    let server =
        SmtpServer::secured(Security::FromTheBeginning(company.issue("127.0.0.1", 2100).acceptor())).await;
    let mut settings = settings(app.folder.path());
    settings.smtp_url = Some(format!("smtps://post:geheim@{}", server.address));
    settings.mail_from = Some(FROM.to_owned());
    settings.public_url = Some("https://stalhof.example".to_owned());
    let file = app.folder.path().join("ca.pem");
    settings.smtp_ca = Some(file.clone());
    let refused = || settings.mail_transport(None).unwrap_err().to_string();
    assert!(refused().contains("STALHOF_SMTP_CA") && refused().contains("ca.pem"), "{}", refused());
    std::fs::write(&file, "no certificate").unwrap();
    assert!(refused().contains("STALHOF_SMTP_CA is no PEM file"), "{}", refused());

    std::fs::write(&file, company.pem()).unwrap();
    let trusting = app.otherwise(false, Some(settings.mail_transport(None).unwrap())).await.0;
    settings.smtp_ca = None;
    let wary = app.otherwise(false, Some(settings.mail_transport(None).unwrap())).await.0;
    let created = user(&admin, "neu").await;
    invite(&admin, created).await;
    assert!(!deliver(&wary).await.unwrap());
    assert!(server.received().is_empty());
    later(&app).await;
    assert!(deliver(&trusting).await.unwrap());
    let [mail] = &server.received()[..] else { panic!("one mail") };
    assert!(mail.encrypted && mail.to == ["neu@test.example"], "{mail:?}");
    assert_eq!(server.overheard(), "");
}

#[actix_web::test]
async fn only_a_demo_shows_its_mails() {
    let app = TestApp::new().await;
    let admin = app.platform().await;
    let created = user(&admin, "neu").await;
    let invitation = invite(&admin, created).await;
    app.mails_to("neu@test.example").await;
    assert_eq!(app.anonymous().get("/api/demo/mails").await.is(404)["code"], "not_found");
    assert_eq!(admin.get("/api/demo/mails").await.is(404)["code"], "not_found");

    let (state, demo) = app.otherwise(true, None).await;
    assert_eq!(demo.get("/api/demo/mails").await.is(200), json!({ "data": [] }));
    let again = invite(&admin, created).await;
    deliver(&state).await.unwrap();
    let shown = demo.get("/api/demo/mails").await.is(200);
    assert_eq!(shown["data"].as_array().unwrap().len(), 1);
    assert_eq!(shown["data"][0]["link"], again["link"]);
    assert_ne!(again["link"], invitation["link"]);
    // without the demo, mails are not stored at all
    assert!(
        server_state::create((*app.db).clone(), &app.settings(), false).unwrap().mailbox.latest().is_empty()
    );
}

#[actix_web::test]
async fn links_use_the_configured_address_and_ignore_request_headers() {
    let app = TestApp::new().await;
    let admin = app.caller(None, PermissionSet::all().without(permissions::DELETE_USER)).await;
    let created = user(&admin, "neu").await;
    let request = admin
        .request(actix_web::http::Method::POST, &format!("{USERS}/{created}/invite"))
        .insert_header(("host", "evil.example"))
        .insert_header(("x-forwarded-host", "evil.example"))
        .insert_header(("forwarded", "host=evil.example"));
    let invitation = admin.call(request).await.is(200);
    let reset = app
        .anonymous()
        .request(actix_web::http::Method::POST, "/api/password-reset")
        .insert_header(("host", "evil.example"))
        .insert_header(("x-forwarded-host", "evil.example"))
        .set_json(json!({ "email": app.user(None, PermissionSet::default()).await }));
    app.anonymous().call(reset).await.is(202);
    for mail in [app.mails_to("neu@test.example").await, app.mails_to("user1@test.example").await].concat() {
        assert!(mail.link().unwrap().starts_with("http://127.0.0.1:8080/"), "{:?}", mail.link());
        assert!(!mail.text.contains("evil"));
    }
    assert!(invitation["link"].as_str().unwrap().starts_with("http://127.0.0.1:8080/"));
}
