//! Lists of another system that are fetched by schedule: once for each due time, and only if they have
//! changed.

use std::{
    sync::{
        Arc, Mutex,
        atomic::{AtomicU16, Ordering},
    },
    time::Duration,
};

use actix_web::{http::Method, web::Data};
use api::{list_fetches::fetch_lists, state::State};
use background::schedule::{self, ScheduleRow, ScheduledOutcome, Subject};
use chrono::TimeDelta;
use feeds::{external_api::due::SCHEDULE_KIND, permissions};
use sea_orm::ConnectionTrait;
use serde_json::{Value, json};
use values::{PermissionSet, TenantId, now};

use super::{
    AUDIT, PATH,
    erp_server::{ErpServer, HOST, Reaction, Received, json as answers, status},
    settings_of,
};
use crate::{
    catalog::{Catalog, id},
    imports::{IMPORTS, counts, ended},
    support::Client,
};

/// Tenant whose external API is asked for its lists each day at six.
struct Bed {
    catalog: Catalog,
    state: Data<State>,
    user: Client,
    api: i64,
}

impl Bed {
    async fn new(server: &ErpServer, change: Value) -> Self {
        let catalog = Catalog::new().await;
        let user = catalog.app.caller(Some(catalog.app.north), PermissionSet::all()).await;
        let (state, user) = catalog.app.with_secret_key(&user).await;
        let mut input = json!({
            "meta_data": { "articles": { "path": "articles", "number": "/no" } },
            "schedule": { "type": "daily", "time": "06:00" },
        });
        input.as_object_mut().unwrap().extend(change.as_object().unwrap().clone());
        let api = id(&user.post(PATH, settings_of(server, input)).await.is(201));
        Self { catalog, state, user, api }
    }

    fn uri(&self) -> String {
        format!("{PATH}/{}", self.api)
    }

    fn subject(&self) -> Subject {
        Subject { tenant: TenantId(self.catalog.app.north), kind: SCHEDULE_KIND, id: self.api }
    }

    async fn row(&self) -> Option<ScheduleRow> {
        schedule::find(&*self.catalog.app.db, self.subject()).await.unwrap()
    }

    /// Row of the schedule when it is due `days` days later.
    async fn row_after(&self, days: i64) -> ScheduleRow {
        let row = self.row().await.unwrap();
        ScheduleRow { due_at: row.due_at.map(|due_at| due_at + TimeDelta::days(days)), ..row }
    }

    /// Runs what is due some days later, as the scheduler does; returns the code of a failure.
    async fn run_after(&self, days: i64) -> Option<&'static str> {
        match fetch_lists(&self.state, &self.row_after(days).await).await {
            Ok(ScheduledOutcome::Succeeded) => None,
            Ok(ScheduledOutcome::Failed(code)) => Some(code.as_str()),
            Err(error) => Some(error.code().as_str()),
        }
    }

    async fn imports(&self) -> Vec<Value> {
        let page = self.user.get(&format!("{IMPORTS}?sort=id")).await.is(200);
        page["data"].as_array().unwrap().clone()
    }

    /// Runs the imports in the queue.
    async fn import(&self) -> Vec<Value> {
        let workers = self.catalog.app.workers().await;
        let mut all = Vec::new();
        for import in self.imports().await {
            all.push(ended(&self.user, &import).await);
        }
        workers.end().await;
        all
    }

    async fn last_fetch(&self) -> Value {
        self.user.get(&self.uri()).await.is(200)["last_fetch"].clone()
    }

    async fn troubled(&self) -> Value {
        let about = "/api/admin/attention?about=troubled_external_apis";
        self.user.get(about).await.is(200)["data"][0]["count"].clone()
    }
}

/// Response with a list and an ETag, or 304 if the request names the same one.
fn tagged(request: &Received, tag: &str, list: &Value) -> Reaction {
    let sent = request
        .head
        .lines()
        .find_map(|line| line.to_lowercase().strip_prefix("if-none-match: ").map(str::to_owned));
    if sent.as_deref() == Some(tag) {
        return status(304);
    }
    Reaction::Answer(200, vec![("ETag", tag.to_owned())], list.to_string().into_bytes())
}

#[actix_web::test]
async fn due_lists_are_imported_only_once_by_two_servers() {
    let server = ErpServer::start(|_| {
        let body = json!([{ "no": "4711" }, { "no": "4712" }]).to_string();
        Reaction::Late(Duration::from_millis(200), body)
    })
    .await;
    let bed = Bed::new(&server, json!({})).await;
    let shown = bed.user.get(&bed.uri()).await.is(200);
    assert_eq!(shown["schedule"]["time"], "06:00");
    assert_eq!(shown["last_fetch"], json!(null));
    let row = bed.row().await.unwrap();
    assert!(row.due_at.is_some_and(|due_at| due_at > now()));

    // two servers look for due work at the same time
    let (other, _) = bed.catalog.app.with_secret_key(&bed.user).await;
    let tx = bed.catalog.app.db.begin().await.unwrap();
    schedule::set_due(&tx, bed.subject(), Some(now())).await.unwrap();
    tx.commit().await.unwrap();
    let folders = [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()];
    let one = stalhof::queues::registered(&bed.state).start(folders[0].path()).await.unwrap();
    let two = stalhof::queues::registered(&other).start(folders[1].path()).await.unwrap();
    let mut import = Value::Null;
    for _ in 0..600 {
        if let Some(first) = bed.imports().await.into_iter().next() {
            import = ended(&bed.user, &first).await;
            break;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    let mut next = bed.row().await.unwrap();
    for _ in 0..200 {
        if next.finished_at.is_some() {
            break;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
        next = bed.row().await.unwrap();
    }
    one.end().await;
    two.end().await;
    assert_eq!(counts(&import), [2, 0, 0, 0], "{import}");
    assert_eq!((bed.imports().await.len(), server.targets()), (1, vec!["GET /api/articles".to_owned()]));
    assert_eq!((&import["created_by"], &import["feed"]), (&json!(null), &json!(null)));
    assert_eq!(import["external_api"], json!({ "id": bed.api, "host": HOST }));
    assert_eq!((next.due_at, next.failure), (row.due_at, None));
    let last = bed.last_fetch().await;
    assert_eq!(
        (&last["import_id"], &last["failure"], &last["unchanged"]),
        (&import["id"], &json!(null), &json!(false))
    );
    let history = format!("{AUDIT}?filter[record]=import&filter[channel]=external_api");
    let history = bed.user.get(&history).await.is(200);
    assert_eq!(history["data"][0]["through"]["id"], bed.api, "{history}");
    let calls = bed.user.get(&format!("{}/calls", bed.uri())).await.is(200);
    assert_eq!((&calls["data"][0]["purpose"], &calls["data"][0]["lines"]), (&json!("meta_data"), &json!(2)));
}

/// A process may die between any two steps of a run.
#[actix_web::test]
async fn an_interrupted_fetch_is_repeated_and_imported_exactly_once() {
    let server = ErpServer::start(|_| answers(&json!([{ "no": "4711" }]))).await;
    let bed = Bed::new(&server, json!({})).await;
    let row = bed.row().await.unwrap();
    let (mut patience, mut cut) = (Duration::from_millis(1), 0);
    loop {
        match tokio::time::timeout(patience, fetch_lists(&bed.state, &row)).await {
            Ok(outcome) => break assert_eq!(outcome.unwrap(), ScheduledOutcome::Succeeded),
            Err(_) => cut += 1,
        }
        patience += Duration::from_millis(2);
        assert!(cut < 1_000, "the run takes {patience:?}");
    }
    assert!(cut > 2, "{cut} runs were cut");
    let calls = server.received().len();
    assert_eq!(bed.run_after(0).await, None);
    assert_eq!((bed.imports().await.len(), server.received().len()), (1, calls), "the run is done");
    // a process that has lost its lease to another one is too late
    let row = bed.row_after(1).await;
    let (other, _) = bed.catalog.app.with_secret_key(&bed.user).await;
    let (one, two) = tokio::join!(fetch_lists(&bed.state, &row), fetch_lists(&other, &row));
    assert!(one.is_ok() || two.is_ok(), "{one:?} {two:?}");
    assert_eq!(bed.imports().await.len(), 2);
    assert_eq!(std::fs::read_dir(bed.state.settings.data_dir.join("spool")).unwrap().count(), 0);
}

#[actix_web::test]
async fn unchanged_lists_are_not_imported_again() {
    let tags = Arc::new(Mutex::new(["\"a-1\"", "\"s-1\""]));
    let shared = tags.clone();
    let server = ErpServer::start(move |request| {
        let [articles, sites] = *shared.lock().unwrap();
        match request.target() {
            "GET /api/articles" => tagged(request, articles, &json!([{ "no": articles }])),
            _ => tagged(request, sites, &json!([{ "no": sites }])),
        }
    })
    .await;
    let lists = json!({
        "articles": { "path": "articles", "number": "/no" }, "warehouses": { "path": "sites", "number": "/no" },
    });
    let bed = Bed::new(&server, json!({ "meta_data": lists })).await;
    let statuses = async || -> Vec<i64> {
        let calls = bed.user.get(&format!("{}/calls", bed.uri())).await.is(200);
        calls["data"]
            .as_array()
            .unwrap()
            .iter()
            .take(2)
            .map(|call| call["status"].as_i64().unwrap())
            .collect()
    };
    assert_eq!(bed.run_after(0).await, None);
    assert_eq!(counts(&bed.import().await[0]), [2, 0, 0, 0]);

    assert_eq!((bed.run_after(1).await, statuses().await), (None, vec![304, 304]));
    let last = bed.last_fetch().await;
    assert_eq!((&last["unchanged"], &last["import_id"]), (&json!(true), &json!(null)), "{last}");
    assert_eq!(bed.imports().await.len(), 1);

    // only changed lists are imported
    tags.lock().unwrap()[1] = "\"s-2\"";
    assert_eq!((bed.run_after(2).await, statuses().await), (None, vec![200, 304]));
    let imports = bed.import().await;
    assert_eq!((imports.len(), counts(&imports[1])), (2, [1, 0, 0, 0]), "{imports:?}");
    assert_eq!((bed.run_after(3).await, bed.imports().await.len()), (None, 2));

    // on demand, and after a change of the settings, all lists are fetched
    let by_hand = bed.user.post(&format!("{}/import-meta-data", bed.uri()), json!({})).await.is(201);
    let last = bed.last_fetch().await;
    assert_eq!((&last["import_id"], statuses().await), (&by_hand["id"], vec![200, 200]));
    bed.import().await;
    assert_eq!((bed.run_after(4).await, statuses().await), (None, vec![304, 304]));
    bed.user.send(Method::PATCH, &bed.uri(), Some(json!({ "timeout_ms": 9_000 }))).await.is(200);
    assert_eq!((bed.run_after(5).await, statuses().await), (None, vec![200, 200]));
    // and after an import that has failed, too
    let waiting = bed.imports().await.pop().unwrap();
    bed.user.post(&format!("{IMPORTS}/{}/stop", id(&waiting)), json!({})).await;
    assert_eq!((bed.run_after(6).await, statuses().await), (None, vec![200, 200]));
}

#[actix_web::test]
async fn a_list_of_several_pages_is_always_read_completely() {
    let server = ErpServer::start(|request| {
        let more = !request.target().contains("page=2");
        let next = more.then_some("articles?page=2");
        tagged(request, "\"same\"", &json!({ "items": [{ "no": request.target() }], "next": next }))
    })
    .await;
    let list = json!({ "path": "articles", "list": "/items", "number": "/no", "next_page": "/next" });
    let bed = Bed::new(&server, json!({ "meta_data": { "articles": list } })).await;
    for day in 0..2 {
        assert_eq!(bed.run_after(day).await, None);
        bed.import().await;
    }
    assert_eq!((bed.imports().await.len(), server.received().len()), (2, 4));
    assert!(server.received().iter().all(|request| !request.head.to_lowercase().contains("if-none-match")));
}

#[actix_web::test]
async fn a_failed_fetch_has_a_reason_and_needs_the_attention_of_the_tenant() {
    let now = Arc::new(AtomicU16::new(503));
    let shared = now.clone();
    let server = ErpServer::start(move |_| match shared.load(Ordering::SeqCst) {
        200 => answers(&json!([{ "no": "4711" }])),
        other => status(other),
    })
    .await;
    let bed = Bed::new(&server, json!({})).await;
    assert_eq!(bed.troubled().await, 0);
    // a system that is down is retried soon
    assert!(fetch_lists(&bed.state, &bed.row().await.unwrap()).await.is_err());
    let last = bed.last_fetch().await;
    assert!(last["failure"].as_str().unwrap().contains("fault (status 503)"), "{last}");
    assert_eq!(
        (&last["unchanged"], &last["import_id"], bed.troubled().await),
        (&json!(false), &json!(null), json!(1))
    );
    // one that refuses is not
    now.store(401, Ordering::SeqCst);
    assert_eq!(bed.run_after(0).await, Some("api_refused"));
    assert!(bed.last_fetch().await["failure"].as_str().unwrap().contains("status 401"));
    assert_eq!(bed.imports().await.len(), 0);
    let south = bed.catalog.app.caller(Some(bed.catalog.app.south), PermissionSet::all()).await;
    let about = "/api/admin/attention?about=troubled_external_apis";
    assert_eq!(south.get(about).await.is(200)["data"][0]["count"], 0);

    now.store(200, Ordering::SeqCst);
    assert_eq!(bed.run_after(0).await, None);
    let last = bed.last_fetch().await;
    assert_eq!(
        (&last["failure"], bed.troubled().await, bed.imports().await.len()),
        (&json!(null), json!(0), 1)
    );
    // on demand a failure is recorded as well
    now.store(503, Ordering::SeqCst);
    bed.user.post(&format!("{}/import-meta-data", bed.uri()), json!({})).await.is(422);
    assert!(bed.last_fetch().await["failure"].as_str().unwrap().contains("status 503"));
    // a paused schedule needs no attention
    let paused = json!({ "schedule": { "type": "daily", "time": "06:00", "paused": true } });
    bed.user.send(Method::PATCH, &bed.uri(), Some(paused)).await.is(200);
    assert_eq!(bed.troubled().await, 0);
}

#[actix_web::test]
async fn a_schedule_follows_its_settings_and_is_restored_by_an_undo() {
    let server = ErpServer::start(|_| status(500)).await;
    let bed = Bed::new(&server, json!({})).await;
    let runs = async || {
        let runs = bed.user.get(&format!("{}/next-runs", bed.uri())).await.is(200)["runs"].clone();
        runs.as_array().unwrap().len()
    };
    let due = bed.row().await.unwrap().due_at;
    assert_eq!(runs().await, 5);
    let change = async |change: Value| {
        let answer = bed.user.send(Method::PATCH, &bed.uri(), Some(change)).await;
        answer.is(200);
        json!({ "request_id": answer.header("x-request-id") })
    };
    for gone in [
        json!({ "schedule": null }),
        json!({ "schedule": { "type": "daily", "time": "06:00", "paused": true } }),
        json!({ "active": false }),
    ] {
        let request = change(gone.clone()).await;
        assert_eq!((bed.row().await, runs().await), (None, 0), "{gone}");
        assert_eq!(bed.user.post(&format!("{AUDIT}/undo"), request).await.is(200)["done"], 1, "{gone}");
        assert_eq!((bed.row().await.unwrap().due_at, runs().await), (due, 5), "{gone}");
    }
    // another time changes the due time, another field does not
    let weekly = json!({ "type": "weekly", "day": 2, "time": " 07:30 " });
    change(json!({ "schedule": weekly })).await;
    let later = bed.row().await.unwrap().due_at;
    assert_ne!(later, due);
    change(json!({ "timeout_ms": 9_000 })).await;
    assert_eq!(bed.row().await.unwrap().due_at, later);
    let schedule = &bed.user.get(&bed.uri()).await.is(200)["schedule"];
    assert_eq!(schedule["time"], "07:30");
    let preview = bed.user.post(&format!("{PATH}/next-runs"), json!({ "schedule": schedule })).await.is(200);
    let saved = bed.user.get(&format!("{}/next-runs", bed.uri())).await.is(200);
    assert_eq!(preview["runs"], saved["runs"]);

    let none = json!({ "meta_data": { "articles": null } });
    let refused = bed.user.send(Method::PATCH, &bed.uri(), Some(none)).await.is(422);
    assert_eq!(refused["error_codes"]["schedule"], json!(["api_no_lists"]), "{refused}");
    let bad = json!({ "schedule": { "type": "weekly", "day": null, "time": "06:00" } });
    let refused = bed.user.send(Method::PATCH, &bed.uri(), Some(bad)).await.is(422);
    assert_eq!(refused["error_codes"]["schedule.day"], json!(["required"]), "{refused}");

    let gone = bed.user.delete(&bed.uri()).await;
    gone.is(204);
    assert_eq!(bed.row().await, None);
    let request = json!({ "request_id": gone.header("x-request-id") });
    assert_eq!(bed.user.post(&format!("{AUDIT}/undo"), request).await.is(200)["done"], 1);
    assert_eq!(bed.row().await.unwrap().due_at, later);
}

#[actix_web::test]
async fn a_tenant_that_loses_the_permission_fetches_nothing() {
    let server = ErpServer::start(|_| answers(&json!([{ "no": "4711" }]))).await;
    let bed = Bed::new(&server, json!({})).await;
    let tx = bed.catalog.app.db.begin().await.unwrap();
    let narrow = format!(
        "DELETE FROM tenant_permission WHERE tenant_id = {} AND permission = '{}'",
        bed.catalog.app.north,
        permissions::CONFIGURE_EXTERNAL_API.as_str()
    );
    tx.execute_unprepared(&narrow).await.unwrap();
    tx.commit().await.unwrap();
    assert_eq!(bed.run_after(0).await, Some("tenant_not_permitted"));
    assert_eq!((server.received().len(), bed.imports().await.len()), (0, 0));
}
