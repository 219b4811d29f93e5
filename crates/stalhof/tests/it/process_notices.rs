//! Notices between processes that share a database. SQLite has one process.

use actix_web::web::Data;
use api::state::State;
use sea_orm::{ConnectionTrait, DbBackend};
use serde_json::{Value, json};
use stalhof::process_notices::ProcessNotices;
use values::PermissionSet;

use crate::{
    access::token,
    support::{Client, Process, TestApp},
};

const NAME: &str = "Renate Walz";
const ME: &str = "/api/users/me";
const MATERIALS: &str = "/api/admin/materials";
const WAREHOUSES: &str = "/api/v1/warehouses";

/// Two processes and the notices they have received.
struct Pair {
    app: TestApp,
    other: Process,
    here: ProcessNotices,
    there: ProcessNotices,
}

impl Pair {
    /// Returns `None` on SQLite.
    async fn new() -> Option<Self> {
        let app = TestApp::new().await;
        if app.db.get_database_backend() == DbBackend::Sqlite {
            return None;
        }
        let other = app.with_lasting_lookups().await;
        let (here, there) = (ProcessNotices::new("here"), ProcessNotices::new("there"));
        let mut pair = Self { app, other, here, there };
        pair.exchange().await;
        Some(pair)
    }

    /// Signs in a user, who then calls both processes; the other one has looked up their session.
    async fn user(&mut self) -> (Client, Client) {
        let here = self.app.platform().await;
        self.exchange().await;
        let there = self.other.called_by(&here);
        name(&there).await;
        (here, there)
    }

    async fn exchange(&mut self) {
        let here: Data<State> = self.app.state();
        self.here.exchange(&here).await.unwrap();
        self.there.exchange(&self.other.state).await.unwrap();
    }
}

async fn name(client: &Client) -> Value {
    client.get(ME).await.is(200)["name"].take()
}

async fn rename(user: &Client) {
    let version = user.get(ME).await.is(200)["version"].clone();
    user.patch(ME, json!({ "name": NAME, "version": version })).await.is(200);
}

#[actix_web::test]
async fn a_process_is_notified_of_changes_of_another_one() {
    let Some(mut pair) = Pair::new().await else { return };
    let (user, there) = pair.user().await;
    rename(&user).await;
    assert_ne!(name(&there).await, NAME, "before it has read a notice");
    pair.exchange().await;
    assert_eq!(name(&there).await, NAME);

    user.delete("/api/sessions/current").await.is(204);
    there.get(ME).await.is(200);
    pair.exchange().await;
    there.get(ME).await.is(401);
}

#[actix_web::test]
async fn a_process_that_has_missed_a_notice_treats_all_rows_as_changed() {
    let Some(mut pair) = Pair::new().await else { return };
    let (user, there) = pair.user().await;
    rename(&user).await;
    let here = pair.app.state();
    pair.here.exchange(&here).await.unwrap();
    pair.app.db.writer().execute_unprepared("DELETE FROM process_notice").await.unwrap();
    pair.exchange().await;
    assert_ne!(name(&there).await, NAME, "its notice has been deleted");
    user.post(MATERIALS, json!({ "name": "S235JR" })).await.is(201);
    pair.exchange().await;
    assert_eq!(name(&there).await, NAME);
}

#[actix_web::test]
async fn calls_of_a_token_are_counted_across_all_processes() {
    let Some(mut pair) = Pair::new().await else { return };
    let owner = pair.app.caller(Some(pair.app.north), PermissionSet::all()).await;
    let (_, program) = token(&pair.app, &owner, &["access-admin"]).await;
    let there = pair.other.called_by(&program);
    for _ in 0..600 {
        program.get(WAREHOUSES).await.is(200);
    }
    program.get(WAREHOUSES).await.is(429);
    let left = there.get(WAREHOUSES).await;
    assert!(left.header("ratelimit").contains("r=599"), "{}", left.header("ratelimit"));
    pair.exchange().await;
    assert_eq!(there.get(WAREHOUSES).await.is(429)["code"], "rate_limited");
}
