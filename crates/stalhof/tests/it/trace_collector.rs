//! Collector of traces in this process, and the server as a separate process that sends them.

use std::{
    collections::BTreeMap,
    fs::File,
    net::{SocketAddr, TcpListener},
    process::{Child, Command, ExitStatus, Stdio},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use actix_web::{
    App, HttpRequest, HttpResponse, HttpServer,
    dev::ServerHandle,
    web::{Bytes, Data, PayloadConfig, post},
};
use opentelemetry_proto::tonic::{
    collector::trace::v1::ExportTraceServiceRequest,
    common::v1::{KeyValue, any_value::Value},
    trace::v1::Span,
};
use prost::Message;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
    time::sleep,
};

use crate::support::TestApp;

/// Span as the collector received it.
#[derive(Debug, Clone)]
pub(crate) struct SentSpan {
    pub span: Span,
    pub attributes: BTreeMap<String, String>,
}

impl SentSpan {
    pub(crate) fn attribute(&self, name: &str) -> &str {
        self.attributes.get(name).map(String::as_str).unwrap_or_default()
    }
}

/// Received calls, and the status that they are answered with.
#[derive(Debug)]
struct Calls {
    status: u16,
    bodies: Vec<Bytes>,
    authorization: String,
}

/// Collector that stops when this value is dropped.
pub(crate) struct Collector {
    pub address: SocketAddr,
    calls: Arc<Mutex<Calls>>,
    server: ServerHandle,
}

impl Drop for Collector {
    fn drop(&mut self) {
        drop(self.server.stop(false));
    }
}

impl Collector {
    pub(crate) fn start() -> Self {
        let calls = Calls { status: 200, bodies: Vec::new(), authorization: String::new() };
        let calls = Arc::new(Mutex::new(calls));
        let shared = Data::new(calls.clone());
        let app = move || {
            let app = App::new().app_data(shared.clone()).app_data(PayloadConfig::new(8 << 20));
            app.route("/v1/traces", post().to(receive))
        };
        let server = HttpServer::new(app).workers(1).disable_signals().bind("127.0.0.1:0").unwrap();
        let address = server.addrs()[0];
        let server = server.run();
        let handle = server.handle();
        actix_web::rt::spawn(server);
        Self { address, calls, server: handle }
    }

    pub(crate) fn answers_with(&self, status: u16) {
        lock(&self.calls).status = status;
    }

    /// Number of calls so far.
    pub(crate) fn calls(&self) -> usize {
        lock(&self.calls).bodies.len()
    }

    /// Authorization header that the server has sent.
    pub(crate) fn authorization(&self) -> String {
        lock(&self.calls).authorization.clone()
    }

    /// Everything that was sent, as received.
    pub(crate) fn text(&self) -> String {
        lock(&self.calls).bodies.iter().map(|body| String::from_utf8_lossy(body).into_owned()).collect()
    }

    /// All spans so far.
    pub(crate) fn spans(&self) -> Vec<SentSpan> {
        let requests = self.requests();
        let scopes = requests.into_iter().flat_map(|request| request.resource_spans);
        let spans = scopes.flat_map(|resource| resource.scope_spans).flat_map(|scope| scope.spans);
        spans.map(|span| SentSpan { attributes: texts(&span.attributes), span }).collect()
    }

    /// Attributes of the server that has sent them.
    pub(crate) fn resource(&self) -> BTreeMap<String, String> {
        let requests = self.requests();
        let resources = requests.iter().flat_map(|request| &request.resource_spans);
        resources.flat_map(|spans| texts(&spans.resource.as_ref().unwrap().attributes)).collect()
    }

    fn requests(&self) -> Vec<ExportTraceServiceRequest> {
        let calls = lock(&self.calls);
        calls.bodies.iter().map(|body| ExportTraceServiceRequest::decode(body.clone()).unwrap()).collect()
    }
}

async fn receive(calls: Data<Arc<Mutex<Calls>>>, request: HttpRequest, body: Bytes) -> HttpResponse {
    let header = |name: &str| request.headers().get(name).map(|value| value.to_str().unwrap().to_owned());
    assert_eq!(header("content-type").as_deref(), Some("application/x-protobuf"));
    let mut calls = lock(&calls);
    calls.authorization = header("authorization").unwrap_or_default();
    calls.bodies.push(body);
    HttpResponse::build(calls.status.try_into().unwrap()).finish()
}

fn lock(calls: &Mutex<Calls>) -> MutexGuard<'_, Calls> {
    calls.lock().unwrap_or_else(PoisonError::into_inner)
}

fn texts(attributes: &[KeyValue]) -> BTreeMap<String, String> {
    let text = |attribute: &KeyValue| match attribute.value.as_ref().and_then(|value| value.value.as_ref()) {
        Some(Value::StringValue(text)) => text.clone(),
        Some(Value::IntValue(number)) => number.to_string(),
        Some(Value::BoolValue(yes)) => yes.to_string(),
        other => format!("{other:?}"),
    };
    attributes.iter().map(|attribute| (attribute.key.clone(), text(attribute))).collect()
}

/// Server process that ends with this value at the latest.
pub(crate) struct Server<'a> {
    app: &'a TestApp,
    address: SocketAddr,
    child: Child,
}

impl<'a> Server<'a> {
    /// Starts it on the database of a test, with traces for a collector, and waits until it is ready.
    pub(crate) async fn start(app: &'a TestApp, collector: SocketAddr, variables: &[(&str, &str)]) -> Self {
        let free = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = free.local_addr().unwrap();
        drop(free);
        let mut command = Command::new(env!("CARGO_BIN_EXE_stalhof"));
        command.arg("serve").env("DATABASE_URL", &app.db.url).env("STALHOF_LISTEN", address.to_string());
        command.env("STALHOF_DATA_DIR", app.folder.path()).env("STALHOF_DISK_RESERVE_MB", "0");
        command.env("OTEL_EXPORTER_OTLP_ENDPOINT", format!("http://{collector}"));
        command.env("OTEL_BSP_SCHEDULE_DELAY", "50").envs(variables.iter().copied());
        let log = File::create(app.folder.path().join("log")).unwrap();
        let child = command.stdout(Stdio::null()).stderr(log).spawn().unwrap();
        let server = Self { app, address, child };
        let began = Instant::now();
        while !server.try_to_get("/readyz", "").await.is_ok_and(|answer| answer.starts_with("HTTP/1.1 204")) {
            assert!(began.elapsed() < Duration::from_secs(20), "{}", server.log());
            sleep(Duration::from_millis(20)).await;
        }
        server
    }

    /// Complete response with its head.
    pub(crate) async fn get(&self, uri: &str, headers: &str) -> String {
        self.try_to_get(uri, headers).await.unwrap()
    }

    async fn try_to_get(&self, uri: &str, headers: &str) -> std::io::Result<String> {
        let mut stream = TcpStream::connect(self.address).await?;
        let head =
            format!("GET {uri} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n{headers}\r\n", self.address);
        stream.write_all(head.as_bytes()).await?;
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).await?;
        Ok(String::from_utf8_lossy(&answer).into_owned())
    }

    /// Log so far.
    pub(crate) fn log(&self) -> String {
        std::fs::read_to_string(self.app.folder.path().join("log")).unwrap()
    }

    /// Ends it by a signal, as an operator does, and waits for its exit.
    pub(crate) async fn end(&mut self) -> (ExitStatus, Duration) {
        let id = rustix::process::Pid::from_child(&self.child);
        rustix::process::kill_process(id, rustix::process::Signal::TERM).unwrap();
        let began = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                return (status, began.elapsed());
            }
            assert!(began.elapsed() < Duration::from_secs(30), "{}", self.log());
            sleep(Duration::from_millis(20)).await;
        }
    }
}

impl Drop for Server<'_> {
    fn drop(&mut self) {
        // already ended if the test was successful
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Value of a header in the head of a response.
pub(crate) fn header<'a>(answer: &'a str, name: &str) -> &'a str {
    let mut lines = answer.lines().filter_map(|line| line.split_once(": "));
    lines.find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, value)| value).unwrap_or_default()
}
