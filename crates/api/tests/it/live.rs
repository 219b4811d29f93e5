//! Imports while they are worked on, as whoever looks on hears of them: over a real connection.

use std::{net::SocketAddr, time::Duration};

use actix_web::{HttpServer, dev::ServerHandle};
use api::app::app;
use kernel::{Permission, PermissionSet};
use sea_orm::ConnectionTrait;
use serde_json::Value;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
    time::{Instant, timeout},
};

use crate::{
    catalog::{Catalog, id},
    imports::{IMPORTS, articles, ended, for_north},
    support::{Client, TestApp},
};

const GOOD: &str =
    "Artikeltyp;Werkstoff;Höhe;Länge [m];Oberfläche\r\nBreitflanschträger HEB;S235JR;200;12,1;roh\r\n";

/// The app on a port of its own.
fn listening(app: &TestApp) -> (SocketAddr, ServerHandle) {
    let state = app.state();
    let server = HttpServer::new(move || self::app(state.clone()))
        .workers(1)
        .shutdown_timeout(30)
        .disable_signals()
        .bind(("127.0.0.1", 0))
        .unwrap();
    let address = server.addrs()[0];
    let server = server.run();
    let handle = server.handle();
    actix_web::rt::spawn(server);
    (address, handle)
}

/// Somebody who listens.
struct Listening {
    connection: TcpStream,
    heard: String,
}

impl Listening {
    async fn of(address: SocketAddr, client: &Client) -> Self {
        let mut connection = TcpStream::connect(address).await.unwrap();
        let token = client.token.as_deref().unwrap_or_default();
        let request = format!(
            "GET {IMPORTS}/events HTTP/1.1\r\nHost: {address}\r\nAuthorization: Bearer {token}\r\nAccept-Language: de\r\n\r\n"
        );
        connection.write_all(request.as_bytes()).await.unwrap();
        let mut listening = Self { connection, heard: String::new() };
        listening.until(|heard| heard.contains("listening")).await;
        listening
    }

    /// What has been heard once it is as expected.
    async fn until(&mut self, expected: impl Fn(&str) -> bool) -> &str {
        let end = Instant::now() + Duration::from_secs(20);
        while !expected(&self.heard) {
            let left = end.saturating_duration_since(Instant::now());
            assert!(!left.is_zero() && self.hear(left).await, "not heard: {}", self.heard);
        }
        &self.heard
    }

    /// Whether there was more to hear.
    async fn hear(&mut self, within: Duration) -> bool {
        let mut some = [0; 16 << 10];
        let Ok(read) = timeout(within, self.connection.read(&mut some)).await else { return true };
        let read = read.unwrap_or_default();
        self.heard.push_str(&String::from_utf8_lossy(&some[..read]));
        read > 0 && !self.heard.ends_with("\r\n0\r\n\r\n")
    }

    /// Waits until nobody speaks any more.
    async fn is_over(&mut self) -> bool {
        let end = Instant::now() + Duration::from_secs(10);
        while Instant::now() < end {
            if !self.hear(Duration::from_millis(500)).await {
                return true;
            }
        }
        false
    }

    /// The events so far.
    fn events(&self) -> Vec<Value> {
        let lines = self.heard.lines().filter_map(|line| line.strip_prefix("data: "));
        lines.map(|data| serde_json::from_str(data).unwrap()).collect()
    }
}

#[actix_web::test]
async fn who_looks_on_hears_of_an_import_from_its_upload_to_its_end_and_others_do_not() {
    let catalog = Catalog::new().await;
    let Catalog { admin, app, .. } = &catalog;
    let (address, server) = listening(app);
    let mut platform = Listening::of(address, admin).await;
    assert!(platform.heard.contains("content-type: text/event-stream"), "{}", platform.heard);
    let mut south = Listening::of(address, &app.caller(Some(app.south), PermissionSet::ALL).await).await;

    let queued = articles(GOOD).field("name", "Erste Liste").send(admin, &for_north(app)).await.is(201);
    let workers = app.workers().await;
    platform.until(|heard| heard.contains("\"status\":\"Success\"")).await;
    let events = platform.events();
    assert!(events.iter().all(|event| event["id"] == queued["id"]), "{events:?}");
    let last = events.last().unwrap();
    assert_eq!((&last["rows_created"], &last["name"]), (&1.into(), &"Erste Liste".into()));
    assert!(platform.heard.contains("event: import\ndata: "), "{}", platform.heard);

    south.hear(Duration::from_millis(1_500)).await;
    assert_eq!(south.events(), Vec::<Value>::new());
    workers.end().await;
    server.stop(false).await;
}

#[actix_web::test]
async fn it_ends_with_the_session_with_a_change_of_rights_and_with_the_server() {
    let catalog = Catalog::new().await;
    let Catalog { admin, app, .. } = &catalog;
    let (address, server) = listening(app);
    let leaving = app.caller(Some(app.north), PermissionSet::ALL).await;
    let demoted = app.caller(Some(app.north), PermissionSet::ALL).await;
    let me = demoted.get("/api/users/me").await.is(200);
    let mut gone = Listening::of(address, &leaving).await;
    let mut less = Listening::of(address, &demoted).await;
    let mut stays = Listening::of(address, admin).await;

    leaving.delete("/api/sessions/current").await.is(204);
    let tx = app.db.begin().await.unwrap();
    let narrow = format!("UPDATE \"user\" SET narrowed = true WHERE id = {}", id(&me));
    tx.execute_unprepared(&narrow).await.unwrap();
    tx.execute_unprepared("UPDATE kept_version SET version = version + 1 WHERE topic = 'rights'")
        .await
        .unwrap();
    tx.commit().await.unwrap();
    // somebody moves, upon which one looks who is still let in
    articles(GOOD).send(admin, &for_north(app)).await.is(201);
    app.state().live.moved();
    assert!(gone.is_over().await, "{}", gone.heard);
    assert!(less.is_over().await, "{}", less.heard);
    stays.until(|heard| heard.contains("\"status\":\"Queued\"")).await;

    let began = Instant::now();
    app.state().end();
    server.stop(true).await;
    assert!(began.elapsed() < Duration::from_secs(5), "the server waits for those who listen");
    assert!(stays.is_over().await);
}

#[actix_web::test]
async fn what_another_process_does_is_heard_as_well() {
    let catalog = Catalog::new().await;
    let Catalog { admin, app, .. } = &catalog;
    if app.db.get_database_backend() == sea_orm::DbBackend::Sqlite {
        return;
    }
    let (address, server) = listening(app);
    let watching = actix_web::rt::spawn(api::live::watch(app.state()));
    let mut listening = Listening::of(address, admin).await;
    let mut other = app.another_process().await;
    other.token.clone_from(&admin.token);
    let queued = articles(GOOD).send(&other, &for_north(app)).await.is(201);
    listening.until(|heard| heard.contains("\"status\":\"Queued\"")).await;
    assert_eq!(listening.events()[0]["id"], queued["id"]);
    watching.abort();
    server.stop(false).await;
}

#[actix_web::test]
async fn a_mail_tells_whoever_wants_it_how_an_import_of_theirs_has_ended() {
    let catalog = Catalog::new().await;
    let Catalog { app, .. } = &catalog;
    let workers = app.workers().await;
    let email = app.user(None, PermissionSet::ALL).await;
    let client = app.sign_in(email.clone()).await;
    let import = async |content: &str| {
        let queued = articles(content).field("name", "Liste").send(&client, &for_north(app)).await.is(201);
        ended(&client, &queued).await
    };
    let choose = async |notices: &str| {
        let patch = serde_json::json!({ "import_notices": notices, "language": "de" });
        client.send(actix_web::http::Method::PATCH, "/api/users/me", Some(patch)).await
    };
    assert_eq!(client.get("/api/users/me").await.is(200)["import_notices"], "never");
    choose("sometimes").await.is_refused_at(&["import_notices"]);
    import(GOOD).await;
    assert_eq!(app.mails_to(&email).await.len(), 0);

    assert_eq!(choose("problems").await.is(200)["import_notices"], "problems");
    import(GOOD).await;
    assert_eq!(app.mails_to(&email).await.len(), 0, "nothing is wrong");
    let faulty = format!("{GOOD}Breitflanschträger HEB;S999;200;6;roh\r\n");
    let partial = import(&faulty).await;
    let mails = app.mails_to(&email).await;
    assert_eq!(mails.len(), 1);
    assert_eq!(mails[0].subject, "Import „Liste“ ist beendet und braucht Sie");
    // who belongs to no tenant gets there with the tenant of the import
    let link = format!("/imports/{}?tenantId={}", id(&partial), app.north);
    assert!(mails[0].text.contains(&link) && mails[0].text.contains("1 abgelehnt"), "{}", mails[0].text);

    choose("always").await.is(200);
    import(GOOD).await;
    assert_eq!(app.mails_to(&email).await.len(), 2);
    workers.end().await;
}

#[actix_web::test]
async fn what_needs_somebody_is_counted_as_far_as_they_may_do_something_about_it() {
    let catalog = Catalog::new().await;
    let Catalog { admin, app, .. } = &catalog;
    let workers = app.workers().await;
    let attention = async |client: &Client, query: &str| {
        let data = client.get(&format!("/api/admin/attention{query}")).await.is(200)["data"].clone();
        let data = data.as_array().unwrap().clone();
        data.iter()
            .map(|one| (one["about"].as_str().unwrap().to_owned(), one["count"].as_i64().unwrap()))
            .collect::<Vec<_>>()
    };
    let of = |about: &str, count: i64| (about.to_owned(), count);
    let north = app.caller(Some(app.north), PermissionSet::ALL).await;
    assert!(attention(&north, "").await.iter().all(|(_, count)| *count == 0));
    let faulty = format!("{GOOD}Breitflanschträger HEB;S999;200;6;roh\r\n");
    for content in [&*faulty, "Artikeltyp;Werkstoff\r\nNichts;Nichts\r\n"] {
        let queued = articles(content).send(admin, &for_north(app)).await.is(201);
        ended(admin, &queued).await;
    }
    let found = attention(&north, "").await;
    assert!(
        found.contains(&of("failed_imports", 1)) && found.contains(&of("partial_imports", 1)),
        "{found:?}"
    );
    let south = app.caller(Some(app.south), PermissionSet::ALL).await;
    assert!(attention(&south, "").await.iter().all(|(_, count)| *count == 0));

    // who belongs to no tenant chooses one for what is of one
    let of_all: Vec<_> = attention(admin, "").await.into_iter().map(|(about, _)| about).collect();
    assert_eq!(of_all, ["failed_imports", "partial_imports", "expiring_tokens", "expired_invitations"]);
    let of_one = attention(admin, &format!("?tenant_id={}", app.north)).await;
    assert_eq!(of_one.len(), 7);
    let looks =
        PermissionSet::from_iter([Permission::AccessAdmin, Permission::ListPrices, Permission::ViewPrice]);
    assert_eq!(attention(&app.caller(Some(app.north), looks).await, "").await, []);
    workers.end().await;
}
