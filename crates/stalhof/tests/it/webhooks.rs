//! Webhooks over HTTP, against receivers in this process: signed, retried, paused, in order.

mod events;

use std::time::Duration;

use actix_web::{http::Method, web::Data};
use api::state::State;
use chrono::TimeDelta;
use sea_orm::{ConnectionTrait, Statement};
use secrets::SecretString;
use serde_json::{Value, json};
use stalhof::webhook_queue;
use testkit::webhook_receiver::{ReceivedRequest, Reply, WebhookReceiver};
use values::{PermissionSet, TenantId, now};
use webhooks::{
    delivery,
    event::{Event, EventType},
    permissions,
    publish::publish,
    queue, signature,
};

use crate::{
    catalog::id,
    support::{Client, TestApp, all_but},
};

const PATH: &str = "/api/admin/webhooks";

/// Webhook with all fields set.
pub(crate) fn webhook(name: &str) -> Value {
    let host = name.to_lowercase().replace(|c: char| !c.is_ascii_alphanumeric(), "");
    json!({ "url": format!("https://{host}.example/stalhof"), "events": ["import.finished"], "ca_certificate": null })
}

/// Creates a webhook for a user, using a server that has a secret key; it replaces the oldest one if there
/// are too many.
pub(crate) async fn created(app: &TestApp, user: &Client, name: &str) -> i64 {
    let (_, user) = app.with_secret_key(user).await;
    let list = user.get(&format!("{PATH}?sort=id")).await.is(200);
    if let [oldest, .., _] = list["data"].as_array().unwrap().as_slice()
        && list["meta"]["total"] == 20
    {
        user.delete(&format!("{PATH}/{}", id(oldest))).await.is(204);
    }
    id(&user.post(PATH, webhook(name)).await.is(201)["webhook"])
}

/// Creates a webhook and a delivery of a test event to it, whose id it returns.
pub(crate) async fn tested(app: &TestApp, user: &Client, name: &str) -> i64 {
    let webhook = created(app, user, name).await;
    id(&user.post(&format!("{PATH}/{webhook}/test"), json!({})).await.is(202))
}

/// Valid body for this schema, if it is one of webhooks.
pub(crate) fn body_of(schema: &str, name: &str) -> Option<Value> {
    match schema {
        "WebhookInput" => Some(webhook(name)),
        "RotationInput" => Some(json!({ "overlap_hours": 1 })),
        _ => None,
    }
}

/// Tenant with a webhook, and the receiver that it sends to.
struct Bed {
    app: TestApp,
    state: Data<State>,
    user: Client,
    receiver: WebhookReceiver,
    webhook: i64,
    secret: String,
}

impl Bed {
    async fn new() -> Self {
        let app = TestApp::new().await;
        let user = app.caller(Some(app.north), PermissionSet::all()).await;
        let (state, user) = app.with_secret_key(&user).await;
        let receiver = WebhookReceiver::start().await;
        let input = json!({
            "url": receiver.url("/stalhof"), "events": ["import.finished", "prices.held"],
            "ca_certificate": receiver.authority(),
        });
        let created = user.post(PATH, input).await.is(201);
        let secret = created["secret"].as_str().unwrap().to_owned();
        let webhook = id(&created["webhook"]);
        Self { app, state, user, receiver, webhook, secret }
    }

    fn uri(&self, action: &str) -> String {
        format!("{PATH}/{}{action}", self.webhook)
    }

    async fn publish(&self, subject: &str, number: i64) {
        let tx = self.app.db.begin().await.unwrap();
        let data = json!({ "number": number });
        let event = Event { event_type: EventType::ImportFinished, subject: subject.to_owned(), data };
        publish(&tx, TenantId(self.app.north), event).await.unwrap();
        tx.commit().await.unwrap();
    }

    /// Sends due deliveries, as a process does.
    async fn send(&self) {
        send(&self.state).await;
    }

    /// Ends pauses: waiting deliveries are due now.
    async fn later(&self) {
        let now = now();
        self.change("UPDATE webhook_delivery SET due_at = $1 WHERE due_at > $1", now).await;
        self.change("UPDATE webhook_queue SET due_at = $1, retry_at = NULL WHERE due_at > $1", now).await;
    }

    async fn change(&self, sql: &str, moment: values::Instant) {
        let tx = self.app.db.begin().await.unwrap();
        let statement = Statement::from_sql_and_values(tx.get_database_backend(), sql, [moment.into()]);
        tx.execute_raw(statement).await.unwrap();
        tx.commit().await.unwrap();
    }

    async fn state(&self) -> Value {
        self.user.get(&self.uri("")).await.is(200)["state"].clone()
    }

    /// Deliveries, oldest first.
    async fn deliveries(&self) -> Vec<Value> {
        let page = self.user.get(&self.uri("/deliveries?sort=id")).await.is(200);
        page["data"].as_array().unwrap().clone()
    }

    async fn statuses(&self) -> Vec<String> {
        let text = |delivery: &Value| delivery["status"].as_str().unwrap().to_owned();
        self.deliveries().await.iter().map(text).collect()
    }

    /// Subject and number of the received events.
    fn came(&self) -> Vec<(String, i64)> {
        let event = |request: &ReceivedRequest| {
            let body: Value = serde_json::from_str(&request.body).unwrap();
            (
                body["subject"].as_str().unwrap().to_owned(),
                body["data"]["number"].as_i64().unwrap_or_default(),
            )
        };
        self.receiver.received().iter().map(event).collect()
    }
}

/// Processes all due queues.
async fn send(state: &Data<State>) {
    let (_going_on, ending) = tokio::sync::watch::channel(false);
    while let Some(queue) = queue::claim(&state.db, "test", now(), true).await.unwrap() {
        webhook_queue::send(state, queue, &ending.clone().into()).await.unwrap();
    }
}

/// Checks that a request is signed by this secret.
fn is_signed(request: &ReceivedRequest, secret: &str) -> bool {
    let secret = SecretString::from(secret.to_owned());
    let timestamp = request.header("webhook-timestamp").parse().unwrap();
    let expected = signature::sign(&secret, request.header("webhook-id"), timestamp, &request.body).unwrap();
    request.header("webhook-signature").split(' ').any(|signature| signature == expected)
}

#[actix_web::test]
async fn an_event_is_delivered_signed_and_logged() {
    let bed = Bed::new().await;
    assert_eq!(bed.state().await["status"], "unused");
    bed.publish("imports/42", 7).await;
    assert_eq!((bed.state().await["pending"].clone(), bed.receiver.received().len()), (json!(1), 0));
    bed.send().await;
    let request = bed.receiver.received().remove(0);
    assert_eq!(request.target, "POST /stalhof");
    assert_eq!(request.header("content-type"), "application/json");
    assert!(is_signed(&request, &bed.secret) && !is_signed(&request, "whsec_AAAA"));
    let age = now().timestamp() - request.header("webhook-timestamp").parse::<i64>().unwrap();
    assert!((0..60).contains(&age), "{age}");
    let body: Value = serde_json::from_str(&request.body).unwrap();
    let delivery = bed.deliveries().await.remove(0);
    assert_eq!(
        body,
        json!({
            "id": delivery["message_id"], "type": "import.finished", "source": bed.state.settings.public_url,
            "subject": "imports/42", "timestamp": body["timestamp"], "tenant_id": bed.app.north,
            "data": { "number": 7 },
        })
    );
    assert_eq!(request.header("webhook-id"), delivery["message_id"].as_str().unwrap());
    assert_eq!((&delivery["status"], &delivery["attempts"]), (&json!("delivered"), &json!(1)));
    let shown = bed.user.get(&format!("/api/admin/webhook-deliveries/{}", id(&delivery))).await.is(200);
    assert_eq!(shown["request"]["body"], request.body);
    let text = shown.to_string();
    assert!(!text.contains("v1,") && !text.contains(&bed.secret), "{text}");
    assert_eq!((&shown["log"][0]["status"], &shown["log"][0]["failure"]), (&json!(200), &Value::Null));
    assert_eq!(
        (bed.state().await["status"].clone(), bed.state().await["pending"].clone()),
        (json!("ok"), json!(0))
    );
    // an event that it does not subscribe to
    let tx = bed.app.db.begin().await.unwrap();
    let event = Event { event_type: EventType::FeedLate, subject: "feeds/1".to_owned(), data: json!({}) };
    publish(&tx, TenantId(bed.app.north), event).await.unwrap();
    tx.commit().await.unwrap();
    assert_eq!(bed.deliveries().await.len(), 1);
}

#[actix_web::test]
async fn a_failed_delivery_is_repeated_under_the_same_id() {
    let bed = Bed::new().await;
    let impatient = |state: &mut State| {
        state.webhook_limits.idle = Duration::from_secs(2);
        state.webhook_limits.total = Duration::from_secs(2);
    };
    let (impatient, _) = bed.app.with_secret_key_and(&bed.user, impatient).await;
    for (reply, status, failure) in [
        (Reply::Status(500), json!(500), "status 500"),
        (Reply::Nothing, Value::Null, "did not answer in time"),
        (Reply::After(Duration::from_secs(6), 200), Value::Null, "did not answer in time"),
        (Reply::WithHeader(302, "Location: https://127.0.0.1/".to_owned()), Value::Null, "redirects"),
    ] {
        let before = bed.receiver.received().len();
        bed.receiver.answers(move |_| reply.clone());
        bed.publish("imports/1", 1).await;
        send(if failure.ends_with("in time") { &impatient } else { &bed.state }).await;
        let delivery = bed.deliveries().await.pop().unwrap();
        let text = delivery["last_failure"].as_str().unwrap();
        assert_eq!((&delivery["status"], &delivery["last_status"]), (&json!("pending"), &status));
        assert!(text.contains(failure), "{text}");
        let state = bed.state().await;
        assert_eq!((&state["status"], state["last_failure"].as_str()), (&json!("failing"), Some(text)));
        assert!(!state["retry_at"].is_null());
        // nothing is sent before the pause is over
        bed.send().await;
        assert_eq!(bed.receiver.received().len(), before + 1);
        bed.receiver.answers_with(200);
        bed.later().await;
        bed.send().await;
        let requests = bed.receiver.received().split_off(before);
        assert_eq!(requests.len(), 2);
        assert_eq!(requests[0].header("webhook-id"), requests[1].header("webhook-id"));
        assert_eq!(requests[0].body, requests[1].body);
        let delivery = bed.deliveries().await.pop().unwrap();
        assert_eq!((&delivery["status"], &delivery["attempts"]), (&json!("delivered"), &json!(2)));
        assert_eq!(bed.state().await["status"], "ok");
    }
}

#[actix_web::test]
async fn a_pause_requested_by_a_receiver_is_kept() {
    let bed = Bed::new().await;
    bed.receiver.answers(|_| Reply::WithHeader(429, "Retry-After: 1800".to_owned()));
    bed.publish("imports/1", 1).await;
    bed.send().await;
    let retry_at: values::Instant = bed.state().await["retry_at"].as_str().unwrap().parse().unwrap();
    assert!(retry_at - now() > TimeDelta::minutes(29), "{retry_at}");
}

#[actix_web::test]
async fn a_failed_event_delays_only_later_events_of_its_subject() {
    let bed = Bed::new().await;
    for number in 1..=5 {
        bed.publish("imports/1", number).await;
        bed.publish(&format!("imports/{}", number + 10), number).await;
    }
    // the first event of one subject is rejected
    let mut refused = 0;
    bed.receiver.answers(move |request| {
        let is_first = request.body.contains("\"imports/1\"") && request.body.contains("{\"number\":1}");
        refused += i32::from(is_first);
        Reply::Status(if is_first && refused <= 2 { 503 } else { 200 })
    });
    bed.send().await;
    bed.change("UPDATE webhook_queue SET due_at = $1, retry_at = NULL", now()).await;
    bed.send().await;
    let of_first = |came: Vec<(String, i64)>| -> Vec<i64> {
        came.into_iter().filter(|(subject, _)| subject == "imports/1").map(|(_, number)| number).collect()
    };
    assert_eq!((of_first(bed.came()), bed.came().len()), (vec![1], 6));
    bed.later().await;
    bed.send().await;
    bed.later().await;
    bed.send().await;
    assert_eq!(of_first(bed.came()), [1, 1, 1, 2, 3, 4, 5]);
    assert_eq!(bed.statuses().await, vec!["delivered"; 10]);
}

#[actix_web::test]
async fn two_processes_deliver_in_order_and_once() {
    let bed = Bed::new().await;
    let (other, _) = bed.app.with_secret_key(&bed.user).await;
    let publishing = async {
        for number in 0..60 {
            bed.publish(&format!("imports/{}", number % 3), number).await;
        }
    };
    let work = async |state: &Data<State>| {
        for _ in 0..80 {
            send(state).await;
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    tokio::join!(publishing, work(&bed.state), work(&other));
    send(&bed.state).await;
    let came = bed.came();
    assert_eq!(came.len(), 60);
    for subject in 0..3 {
        let subject = format!("imports/{subject}");
        let numbers: Vec<i64> =
            came.iter().filter(|(known, _)| *known == subject).map(|(_, number)| *number).collect();
        assert!(numbers.is_sorted() && numbers.len() == 20, "{numbers:?}");
    }
}

#[actix_web::test]
async fn a_receiver_that_is_gone_is_paused_immediately_and_resumed_by_hand() {
    let bed = Bed::new().await;
    bed.user
        .send(Method::PATCH, "/api/users/me", Some(json!({ "import_notices": "problems" })))
        .await
        .is(200);
    bed.receiver.answers_with(410);
    bed.publish("imports/1", 1).await;
    bed.publish("imports/1", 2).await;
    bed.send().await;
    let state = bed.state().await;
    assert_eq!((&state["status"], &state["pause_reason"]), (&json!("paused"), &json!("gone")));
    assert_eq!((&state["pending"], bed.receiver.received().len()), (&json!(2), 1));
    let troubled = async || {
        let about = bed.user.get("/api/admin/attention?about=troubled_webhooks").await.is(200);
        about["data"][0]["count"].clone()
    };
    assert_eq!(troubled().await, 1);
    let address = bed.user.get("/api/users/me").await.is(200)["email"].as_str().unwrap().to_owned();
    let mails = bed.app.mails_to(&address).await;
    assert!(mails.iter().any(|mail| mail.subject.contains("127.9.9.9")), "{mails:?}");
    // events wait meanwhile, and nothing is sent
    bed.receiver.answers_with(200);
    bed.publish("imports/1", 3).await;
    bed.later().await;
    bed.send().await;
    assert_eq!(bed.receiver.received().len(), 1);
    let resumed = bed.user.post(&bed.uri("/resume"), json!({})).await.is(200);
    assert_eq!(resumed["state"]["paused_at"], Value::Null);
    bed.send().await;
    let numbers: Vec<i64> = bed.came().into_iter().map(|(_, number)| number).collect();
    assert_eq!((numbers, troubled().await), (vec![1, 1, 2, 3], json!(0)));
}

#[actix_web::test]
async fn a_receiver_that_fails_for_three_days_is_paused_with_one_mail() {
    let bed = Bed::new().await;
    bed.user
        .send(Method::PATCH, "/api/users/me", Some(json!({ "import_notices": "problems" })))
        .await
        .is(200);
    bed.receiver.answers_with(500);
    bed.publish("imports/1", 1).await;
    bed.send().await;
    let long_ago = now() - TimeDelta::days(3);
    bed.change("UPDATE webhook_queue SET failing_since = $1", long_ago).await;
    bed.change("UPDATE webhook_delivery SET tried_since = $1", long_ago).await;
    bed.later().await;
    bed.send().await;
    let state = bed.state().await;
    assert_eq!((&state["pause_reason"], &state["pending"]), (&json!("undeliverable"), &json!(1)));
    let address = bed.user.get("/api/users/me").await.is(200)["email"].as_str().unwrap().to_owned();
    assert_eq!(bed.app.mails_to(&address).await.len(), 1);
    bed.receiver.answers_with(200);
    bed.user.post(&bed.uri("/resume"), json!({})).await.is(200);
    bed.send().await;
    assert_eq!(bed.statuses().await, ["delivered"]);
}

#[actix_web::test]
async fn one_event_refused_for_three_days_fails_alone() {
    let bed = Bed::new().await;
    bed.receiver
        .answers(|request| Reply::Status(if request.body.contains("{\"number\":1}") { 422 } else { 200 }));
    bed.publish("imports/1", 1).await;
    bed.publish("imports/1", 2).await;
    bed.send().await;
    bed.publish("imports/2", 3).await;
    bed.change("UPDATE webhook_queue SET due_at = $1, retry_at = NULL", now()).await;
    bed.send().await;
    assert_eq!(bed.statuses().await, ["pending", "pending", "delivered"]);
    bed.change("UPDATE webhook_delivery SET tried_since = $1 WHERE attempts > 0", now() - TimeDelta::days(3))
        .await;
    bed.later().await;
    bed.send().await;
    bed.later().await;
    bed.send().await;
    assert_eq!(bed.statuses().await, ["failed", "delivered", "delivered"]);
    assert_eq!(bed.state().await["pause_reason"], Value::Null);
}

#[actix_web::test]
async fn a_rotated_secret_and_the_former_one_sign_until_the_overlap_ends() {
    let bed = Bed::new().await;
    let rotated = bed.user.post(&bed.uri("/rotate-secret"), json!({ "overlap_hours": 24 })).await.is(200);
    let new = rotated["secret"].as_str().unwrap().to_owned();
    assert!(!rotated["webhook"]["previous_secret_until"].is_null());
    bed.publish("imports/1", 1).await;
    bed.send().await;
    let request = bed.receiver.received().pop().unwrap();
    assert!(is_signed(&request, &new) && is_signed(&request, &bed.secret));
    bed.change("UPDATE webhook SET previous_secret_until = $1", now()).await;
    bed.publish("imports/1", 2).await;
    bed.send().await;
    let request = bed.receiver.received().pop().unwrap();
    assert!(is_signed(&request, &new) && !is_signed(&request, &bed.secret));
    let again = bed.user.post(&bed.uri("/rotate-secret"), json!({ "overlap_hours": 0 })).await.is(200);
    bed.publish("imports/1", 3).await;
    bed.send().await;
    let request = bed.receiver.received().pop().unwrap();
    assert!(is_signed(&request, again["secret"].as_str().unwrap()) && !is_signed(&request, &new));
}

#[actix_web::test]
async fn a_delivery_is_sent_again_and_a_test_is_sent_while_the_webhook_is_paused() {
    let bed = Bed::new().await;
    bed.publish("imports/1", 1).await;
    bed.send().await;
    bed.user.post(&bed.uri("/pause"), json!({})).await.is(200);
    let delivery = bed.deliveries().await.remove(0);
    let again = format!("/api/admin/webhook-deliveries/{}/send-again", id(&delivery));
    assert_eq!(bed.user.post(&again, json!({})).await.is(202)["status"], "pending");
    let test = bed.user.post(&bed.uri("/test"), json!({})).await.is(202);
    assert_eq!((&test["event"], &test["status"]), (&json!("test"), &json!("pending")));
    bed.publish("imports/1", 2).await;
    bed.send().await;
    let ids: Vec<String> =
        bed.receiver.received().iter().map(|request| request.header("webhook-id").to_owned()).collect();
    assert_eq!((ids.len(), &ids[0]), (3, &ids[1]));
    assert_eq!(bed.statuses().await, ["delivered", "delivered", "pending"]);
    let shown = bed.user.get(&format!("/api/admin/webhook-deliveries/{}", id(&delivery))).await.is(200);
    assert_eq!((&shown["log"][0]["by_hand"], &shown["log"][1]["by_hand"]), (&json!(false), &json!(true)));
    // a failed test does not pause the webhook, and is not retried
    bed.user.post(&bed.uri("/resume"), json!({})).await.is(200);
    bed.send().await;
    bed.receiver.answers_with(500);
    bed.user.post(&bed.uri("/test"), json!({})).await.is(202);
    bed.send().await;
    assert_eq!(bed.statuses().await, ["delivered", "delivered", "delivered", "failed"]);
    assert_eq!(bed.state().await["failing_since"], Value::Null);
}

#[actix_web::test]
async fn a_missing_secret_key_is_reported_and_loses_no_event() {
    let bed = Bed::new().await;
    let keyless = bed.app.caller(Some(bed.app.north), PermissionSet::all()).await;
    assert_eq!(keyless.get(&format!("{PATH}/options")).await.is(200), json!({ "secrets_available": false }));
    assert_eq!(keyless.post(PATH, webhook("Werk")).await.is(409)["code"], "secret_key_missing");
    let rotation = keyless.post(&bed.uri("/rotate-secret"), json!({ "overlap_hours": 1 })).await;
    assert_eq!(rotation.is(409)["code"], "secret_key_missing");
    bed.publish("imports/1", 1).await;
    send(&bed.app.state()).await;
    assert_eq!((bed.state().await["status"].clone(), bed.receiver.received().len()), (json!("inactive"), 0));
    bed.later().await;
    bed.send().await;
    assert_eq!((bed.state().await["status"].clone(), bed.receiver.received().len()), (json!("ok"), 1));
}

#[actix_web::test]
async fn settings_are_checked_changed_and_deleted() {
    let bed = Bed::new().await;
    for (change, field, code) in [
        (json!({ "url": "http://erp.example/" }), "url", "invalid_https_url"),
        (json!({ "url": "https://user:word@erp.example/" }), "url", "invalid_https_url"),
        (json!({ "events": [] }), "events", "required"),
        (json!({ "events": ["test"] }), "events", "required"),
        (json!({ "ca_certificate": "keine" }), "ca_certificate", "authority_invalid"),
    ] {
        let refused = bed.user.send(Method::PATCH, &bed.uri(""), Some(change.clone())).await.is(422);
        assert_eq!(refused["error_codes"][field], json!([code]), "{change}");
    }
    let changed = bed
        .user
        .send(Method::PATCH, &bed.uri(""), Some(json!({ "events": ["feed.late", "feed.late"] })))
        .await;
    assert_eq!(changed.is(200)["events"], json!(["feed.late"]));
    let request = json!({ "request_id": changed.header("x-request-id") });
    assert_eq!(bed.user.post("/api/admin/audit/undo", request).await.is(200)["done"], 1);
    assert_eq!(bed.user.get(&bed.uri("")).await.is(200)["events"], json!(["import.finished", "prices.held"]));
    let history = bed.user.get("/api/admin/audit?filter[record]=webhook").await.is(200).to_string();
    assert!(!history.contains("v1.") && !history.contains(&bed.secret), "{history}");
    for number in 2..=20 {
        bed.user.post(PATH, webhook(&format!("werk{number}"))).await.is(201);
    }
    assert_eq!(bed.user.post(PATH, webhook("eins zu viel")).await.is(409)["code"], "too_many_webhooks");
    bed.publish("imports/1", 1).await;
    bed.user.delete(&bed.uri("")).await.is(204);
    bed.publish("imports/1", 2).await;
    bed.send().await;
    assert_eq!(bed.receiver.received().len(), 0);
}

#[actix_web::test]
async fn other_tenants_neither_see_webhooks_nor_cause_deliveries() {
    let bed = Bed::new().await;
    bed.publish("imports/1", 1).await;
    let delivery = id(&bed.deliveries().await[0]);
    let south = bed.app.caller(Some(bed.app.south), PermissionSet::all()).await;
    for uri in [bed.uri(""), bed.uri("/deliveries"), format!("/api/admin/webhook-deliveries/{delivery}")] {
        south.get(&uri).await.is(404);
    }
    for uri in
        [bed.uri("/test"), bed.uri("/pause"), format!("/api/admin/webhook-deliveries/{delivery}/send-again")]
    {
        south.post(&uri, json!({})).await.is(404);
    }
    let tx = bed.app.db.begin().await.unwrap();
    let event =
        Event { event_type: EventType::ImportFinished, subject: "imports/9".to_owned(), data: json!({}) };
    publish(&tx, TenantId(bed.app.south), event).await.unwrap();
    tx.commit().await.unwrap();
    assert_eq!(bed.deliveries().await.len(), 1);
    let lacking = bed.app.caller(Some(bed.app.north), all_but(permissions::CONFIGURE_WEBHOOKS)).await;
    lacking.get(PATH).await.is(403);
}

#[actix_web::test]
async fn old_deliveries_lose_their_data_and_are_deleted_later() {
    let bed = Bed::new().await;
    bed.publish("imports/1", 1).await;
    bed.send().await;
    bed.user.post(&bed.uri("/pause"), json!({})).await.is(200);
    bed.publish("imports/1", 2).await;
    delivery::clean_up(&bed.app.db, now() + TimeDelta::days(31)).await.unwrap();
    assert_eq!(bed.statuses().await, ["delivered", "withdrawn"]);
    let delivery = id(&bed.deliveries().await[0]);
    let uri = format!("/api/admin/webhook-deliveries/{delivery}");
    assert_eq!(bed.user.get(&uri).await.is(200)["request"], Value::Null);
    let refused = bed.user.post(&format!("{uri}/send-again"), json!({})).await.is(409);
    assert_eq!(refused["code"], "webhook_body_forgotten");
    delivery::clean_up(&bed.app.db, now() + TimeDelta::days(91)).await.unwrap();
    assert!(bed.deliveries().await.is_empty());
}
