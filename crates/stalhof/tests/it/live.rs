//! Progress of running imports as clients receive it over a real connection.

use std::{net::SocketAddr, time::Duration};

use actix_web::{HttpServer, dev::ServerHandle};
use api::app::app;
use sea_orm::ConnectionTrait;
use serde_json::Value;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
    time::{Instant, timeout},
};
use values::PermissionSet;

use crate::{
    catalog::{Catalog, id},
    imports::{GOOD, IMPORTS, articles, for_north},
    support::{Client, TestApp},
};

/// Serves the app on a port of its own.
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

/// Client that listens to the event stream.
struct Listening {
    connection: TcpStream,
    heard: String,
}

impl Listening {
    async fn connect(address: SocketAddr, client: &Client) -> Self {
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

    /// Waits until the received text is as expected, and returns it.
    async fn until(&mut self, expected: impl Fn(&str) -> bool) -> &str {
        let end = Instant::now() + Duration::from_secs(20);
        while !expected(&self.heard) {
            let left = end.saturating_duration_since(Instant::now());
            assert!(!left.is_zero() && self.hear(left).await, "not heard: {}", self.heard);
        }
        &self.heard
    }

    /// Reads more of the stream; false at its end.
    async fn hear(&mut self, within: Duration) -> bool {
        let mut some = vec![0; 16 << 10];
        let Ok(read) = timeout(within, self.connection.read(&mut some)).await else { return true };
        let read = read.unwrap_or_default();
        self.heard.push_str(&String::from_utf8_lossy(&some[..read]));
        read > 0 && !self.heard.ends_with("\r\n0\r\n\r\n")
    }

    /// Waits until the stream has ended; returns false if it does not end within ten seconds.
    async fn is_over(&mut self) -> bool {
        let end = Instant::now() + Duration::from_secs(10);
        while Instant::now() < end {
            if !self.hear(Duration::from_millis(500)).await {
                return true;
            }
        }
        false
    }

    /// Events received so far.
    fn events(&self) -> Vec<Value> {
        let lines = self.heard.lines().filter_map(|line| line.strip_prefix("data: "));
        lines.map(|data| serde_json::from_str(data).unwrap()).collect()
    }
}

#[actix_web::test]
async fn only_subscribers_who_may_see_an_import_follow_it_from_upload_to_end() {
    let catalog = Catalog::new().await;
    let Catalog { admin, app, .. } = &catalog;
    let (address, server) = listening(app);
    let mut platform = Listening::connect(address, admin).await;
    assert!(platform.heard.contains("content-type: text/event-stream"), "{}", platform.heard);
    let mut south =
        Listening::connect(address, &app.caller(Some(app.south), PermissionSet::all()).await).await;

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
async fn the_stream_ends_with_the_session_a_permission_change_or_the_server() {
    let catalog = Catalog::new().await;
    let Catalog { admin, app, .. } = &catalog;
    let (address, server) = listening(app);
    let leaving = app.caller(Some(app.north), PermissionSet::all()).await;
    let demoted = app.caller(Some(app.north), PermissionSet::all()).await;
    let me = demoted.get("/api/users/me").await.is(200);
    let mut gone = Listening::connect(address, &leaving).await;
    let mut less = Listening::connect(address, &demoted).await;
    let mut stays = Listening::connect(address, admin).await;

    leaving.delete("/api/sessions/current").await.is(204);
    let tx = app.db.begin().await.unwrap();
    let narrow = format!("UPDATE \"user\" SET narrowed = true WHERE id = {}", id(&me));
    tx.execute_unprepared(&narrow).await.unwrap();
    tx.execute_unprepared("UPDATE kept_version SET version = version + 1 WHERE topic = 'rights'")
        .await
        .unwrap();
    tx.commit().await.unwrap();
    // an import moves, whereupon the access of all listeners is checked again
    articles(GOOD).send(admin, &for_north(app)).await.is(201);
    app.state().import_listeners.notify();
    assert!(gone.is_over().await, "{}", gone.heard);
    assert!(less.is_over().await, "{}", less.heard);
    stays.until(|heard| heard.contains("\"status\":\"Queued\"")).await;

    let began = Instant::now();
    app.state().end();
    server.stop(true).await;
    assert!(began.elapsed() < Duration::from_secs(5), "the server waits for subscribers");
    assert!(stays.is_over().await);
}

#[actix_web::test]
async fn subscribers_are_notified_of_imports_of_another_process() {
    let catalog = Catalog::new().await;
    let Catalog { admin, app, .. } = &catalog;
    if app.db.get_database_backend() == sea_orm::DbBackend::Sqlite {
        return;
    }
    let (address, server) = listening(app);
    let watching = actix_web::rt::spawn(api::import_progress::watch(app.state()));
    let mut listening = Listening::connect(address, admin).await;
    let mut other = app.another_process().await;
    other.token.clone_from(&admin.token);
    let queued = articles(GOOD).send(&other, &for_north(app)).await.is(201);
    listening.until(|heard| heard.contains("\"status\":\"Queued\"")).await;
    assert_eq!(listening.events()[0]["id"], queued["id"]);
    watching.abort();
    server.stop(false).await;
}
