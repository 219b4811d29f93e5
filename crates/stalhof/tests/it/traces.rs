//! Traces that the server sends to a collector, also to one that is unreachable.

use std::{net::TcpListener, time::Duration};

use api::server_process::ServerProcess;
use sea_orm::{ConnectionTrait, DbBackend};
use stalhof::{config::TraceSettings, traces::Traces};
use tokio::time::{Instant, sleep};
use tracing_subscriber::Registry;

use crate::{
    catalog::{Catalog, MATERIALS, id},
    imports::{GOOD, articles, ended, for_north},
    support::TestApp,
    trace_collector::{Collector, SentSpan, Server, header},
};

const TRACE: &str = "0af7651916cd43dd8448eb211c80319c";
const CALLER: &str = "b7ad6b7169203331";

fn within<'s>(spans: &'s [SentSpan], parent: &SentSpan) -> Vec<&'s SentSpan> {
    spans.iter().filter(|sent| sent.span.parent_span_id == parent.span.span_id).collect()
}

#[actix_web::test]
async fn a_request_an_import_batch_and_a_job_are_traced_without_user_input() {
    let catalog = Catalog::new().await;
    let Catalog { admin, app, .. } = &catalog;
    let import = articles(GOOD).send(admin, &for_north(app)).await.is(201);
    let collector = Collector::start();
    let mut server = Server::start(
        app,
        collector.address,
        &[
            ("OTEL_EXPORTER_OTLP_HEADERS", "authorization=Bearer%20collector"),
            ("OTEL_RESOURCE_ATTRIBUTES", "deployment.environment.name=test"),
        ],
    )
    .await;
    let process = header(&server.get("/readyz", "").await, "x-server-process").to_owned();
    let token = format!("Authorization: Bearer {}\r\n", admin.token.as_ref().unwrap());
    let caller = format!("traceparent: 00-{TRACE}-{CALLER}-01\r\n");
    let uri = format!("{MATERIALS}/{}?filter[search]=geheim", catalog.material);
    let answer = server.get(&uri, &(token.clone() + &caller)).await;
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    server.get("/api/no/such/geheim", "").await;
    assert_eq!(ended(admin, &import).await["status"], "Success");
    let (status, _) = server.end().await;
    assert!(status.success(), "{}", server.log());

    let spans = collector.spans();
    let named = |name: &str| spans.iter().filter(|sent| sent.span.name == name).collect::<Vec<_>>();
    let [request] = named("GET /api/admin/materials/{id}")[..] else { panic!("{spans:#?}") };
    assert_eq!(hex::encode(&request.span.trace_id), TRACE);
    assert_eq!(hex::encode(&request.span.parent_span_id), CALLER);
    assert_eq!(request.span.kind, 2, "a server's");
    assert_eq!(request.attribute("http.route"), "/api/admin/materials/{id}");
    assert_eq!(request.attribute("http.response.status_code"), "200");
    let request_id = header(&answer, "x-request-id");
    assert_eq!((request.attribute("stalhof.request_id"), request_id.len()), (request_id, 32));
    let statements = within(&spans, request);
    assert!(statements.iter().any(|sent| sent.span.name == "SELECT material"), "{spans:#?}");
    let system = if app.db.get_database_backend() == DbBackend::Sqlite { "sqlite" } else { "postgresql" };
    for sent in statements {
        assert_eq!(sent.attribute("db.system.name"), system);
        assert_eq!(sent.attribute("stalhof.request_id"), request_id);
        assert_eq!(hex::encode(&sent.span.trace_id), TRACE);
    }
    let of_statements = spans.iter().filter(|sent| !sent.attribute("db.system.name").is_empty());
    assert!(of_statements.clone().all(|sent| !sent.span.parent_span_id.is_empty()), "none stands alone");
    assert!(spans.iter().any(|sent| sent.attribute("http.response.status_code") == "404"));

    let [batch] = named("import batch")[..] else { panic!("{spans:#?}") };
    assert_eq!(batch.attribute("stalhof.import"), id(&import).to_string());
    assert_eq!(batch.attribute("stalhof.rows"), "1");
    let [work] = named("imports")[..] else { panic!("{spans:#?}") };
    assert_eq!(batch.span.parent_span_id, work.span.span_id);
    let transactions = within(&spans, batch);
    assert!(transactions.iter().any(|sent| sent.attribute("stalhof.statements").parse::<i64>().unwrap() > 3));
    let jobs: Vec<_> = spans.iter().filter(|sent| sent.attribute("stalhof.queue") == "jobs").collect();
    assert!(jobs.iter().any(|job| job.span.name == job.attribute("stalhof.job")), "{jobs:#?}");
    assert!(jobs.iter().any(|job| !within(&spans, job).is_empty()), "{spans:#?}");

    let resource = collector.resource();
    assert_eq!(resource["service.name"], "stalhof");
    assert_eq!((&resource["service.instance.id"], process.is_empty()), (&process, false));
    assert_eq!(resource["deployment.environment.name"], "test");
    assert_eq!(collector.authorization(), "Bearer collector");
    let sent = collector.text();
    for secret in ["geheim", "S235", "Träger", "HEB", "test.example", admin.token.as_ref().unwrap()] {
        assert!(!sent.contains(secret), "{secret} was sent");
    }
}

#[actix_web::test]
async fn an_unreachable_collector_delays_no_request_and_the_end_by_a_few_seconds() {
    let app = TestApp::new().await;
    let closed = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = closed.local_addr().unwrap();
    drop(closed);
    // accepts connections and never answers
    let silent = TcpListener::bind("127.0.0.1:0").unwrap();
    for (address, is_refused) in [(address, true), (silent.local_addr().unwrap(), false)] {
        let began = Instant::now();
        let mut server = Server::start(&app, address, &[("OTEL_BSP_MAX_QUEUE_SIZE", "20")]).await;
        let started = began.elapsed();
        let began = Instant::now();
        // more than fit into the queue
        for _ in 0..100 {
            let answer = server.get("/api/admin/materials", "").await;
            assert!(answer.starts_with("HTTP/1.1 401"), "{answer}");
        }
        let answered = began.elapsed();
        if is_refused {
            sleep(Duration::from_secs(1)).await;
            let log = server.log();
            assert_eq!(log.matches("traces cannot be sent").count(), 1, "{log}");
        }
        let (status, took) = server.end().await;
        let log = server.log();
        assert!(status.success(), "{log}");
        assert!(
            started < Duration::from_secs(15) && answered < Duration::from_secs(5),
            "{started:?} {answered:?}"
        );
        assert!(took < Duration::from_secs(6), "{took:?}");
        assert!(is_refused || log.contains("the last traces were not sent"), "{log}");
    }
}

#[actix_web::test]
async fn an_outage_of_the_collector_is_logged_once_and_its_end_too() {
    let app = TestApp::new().await;
    let collector = Collector::start();
    let mut server = Server::start(&app, collector.address, &[]).await;
    let called = async |times: usize| {
        let began = Instant::now();
        let expected = collector.calls() + times;
        while collector.calls() < expected {
            assert!(began.elapsed() < Duration::from_secs(20));
            server.get("/healthz", "").await;
            sleep(Duration::from_millis(10)).await;
        }
    };
    called(1).await;
    collector.answers_with(400);
    called(5).await;
    collector.answers_with(200);
    called(2).await;
    let log = server.log();
    assert_eq!(log.matches("traces cannot be sent").count(), 1, "{log}");
    assert_eq!(log.matches("traces are sent again").count(), 1, "{log}");
    let (status, took) = server.end().await;
    assert!(status.success() && took < Duration::from_secs(5), "{took:?}");
    let log = server.log();
    assert!(!log.contains("the last traces were not sent"), "{log}");
}

#[actix_web::test]
async fn traces_are_exported_only_to_a_collector_and_a_wrong_one_is_reported() {
    let settings = |endpoint: Option<&str>| TraceSettings {
        otel_exporter_otlp_endpoint: endpoint.map(ToOwned::to_owned),
        otel_service_name: None,
    };
    let process = ServerProcess::current();
    let without = Traces::start(&settings(None), &process).unwrap();
    assert!(without.layer::<Registry>().is_none());
    let named = Traces::start(&settings(Some("http://127.0.0.1:4318/")), &process).unwrap();
    assert!(named.layer::<Registry>().is_some());
    let wrong = Traces::start(&settings(Some("http://a b")), &process).unwrap_err();
    assert!(wrong.to_string().contains("traces cannot be sent to http://a b"), "{wrong}");
}

#[actix_web::test]
async fn readiness_and_metrics_name_the_process() {
    let app = TestApp::new().await;
    let ready = app.anonymous().get("/readyz").await;
    assert_eq!(ready.headers.get("x-server-process").unwrap(), app.state().process.name.as_str());
    app.state().end();
    let ready = app.anonymous().get("/readyz").await;
    ready.is(503);
    assert_eq!(ready.headers.get("x-server-process").unwrap(), app.state().process.name.as_str());
    let line = format!("stalhof_process_info{{process=\"{}\"}} 1", app.state().process.name);
    let text = app.metrics().await;
    assert!(text.lines().any(|found| found == line), "{text}");
}
