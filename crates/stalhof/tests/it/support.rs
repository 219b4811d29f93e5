//! Test application in process, with two tenants and callers with any permissions.

use std::{cell::Cell, path::Path, rc::Rc, time::Duration};

use actix_http::Request;
use actix_web::{
    dev::ServiceResponse,
    http::{
        Method, StatusCode,
        header::{CONTENT_TYPE, HeaderMap},
    },
    test,
    web::{Bytes, Data},
};
use api::{app::app, state::State};
use background::{Background, Running};
use clap::Parser;
use futures_util::future::LocalBoxFuture;
use identity::{
    caller::{Callers, LOOKUP_LIFETIME},
    password::Passwords,
    role::{RoleInput, Roles},
    session::{self, Credentials, Lifetime},
    source::Source,
    user::{self, Account},
};
use lists::Creatable;
use mail::{mailbox::ReceivedMail, transport::Transport};
use sea_orm::{ConnectionTrait, QueryOrder};
use serde_json::Value;
use stalhof::{config::Settings, mail_queue::MailSender, server_state};
use storage::{Reserve, Storage};
use store::{Database, Scope, Scoped};
use tempfile::TempDir;
use tenancy::tenant::{self, TenantInput, Tenants};
use testkit::{Template, TestDatabase};
use values::{Permission, PermissionSet, TenantId, now};

pub(crate) const PASSWORD: &str = "profil-traeger-walzwerk";

/// Hash of [`PASSWORD`] with argon2's smallest parameters, since most tests do not depend on the time that a
/// sign-in takes.
const PASSWORD_HASH: &str =
    "$argon2id$v=19$m=8,t=1,p=1$c3RhbGhvZi10ZXN0LXNhbHQ$6/BeeHqLvXSExT7H1JRwNkMURpMd1astlWpCddDKegY";

type Call = Rc<dyn Fn(Request) -> LocalBoxFuture<'static, Answer>>;

/// Application with a database of its own.
pub(crate) struct TestApp {
    pub db: TestDatabase,
    /// First of two independent tenants.
    pub north: i64,
    pub south: i64,
    call: Call,
    state: Data<State>,
    settings: Settings,
    users: Cell<u32>,
    /// Folder of uploaded files, deleted with the test.
    pub folder: TempDir,
}

/// Waits until processes look up sessions again, together with the versions of changes by other processes.
pub(crate) async fn look_up_anew() {
    tokio::time::sleep(LOOKUP_LIFETIME).await;
}

/// Caller of the API.
#[derive(Clone)]
pub(crate) struct Client {
    call: Call,
    pub token: Option<String>,
    language: &'static str,
}

/// Response of the API.
#[derive(Debug)]
pub(crate) struct Answer {
    pub status: StatusCode,
    pub headers: HeaderMap,
    pub bytes: Bytes,
}

impl TestApp {
    pub(crate) async fn new() -> Self {
        let db = testkit::database().await;
        let [north, south] = two_tenants(&db).await;
        Self::over(db, north, south).await
    }

    /// Application on a PostgreSQL of the test's own, with a standby that may serve its reads.
    pub(crate) async fn with_replica(url: &str, replica: &str) -> Self {
        let db = testkit::database_with_replica(url, replica).await;
        let [north, south] = two_tenants(&db).await;
        Self::over(db, north, south).await
    }

    /// Application with two tenants and the articles of the demo.
    pub(crate) async fn with_assortment() -> Self {
        static ASSORTMENT: Template = Template::new("assortment");
        let fill = async |db: &Database, _: &Path| {
            two_tenants(db).await;
            stalhof::demo::fill_catalogue(db).await.unwrap();
        };
        Self::over_template(&ASSORTMENT, fill).await
    }

    /// Application with the companies and users of the demo.
    pub(crate) async fn demo() -> Self {
        static ACCOUNTS: Template = Template::new("accounts");
        let fill = async |db: &Database, _: &Path| stalhof::demo::accounts(db).await.unwrap();
        Self::over_template(&ACCOUNTS, fill).await
    }

    /// Application with all data of the demo.
    pub(crate) async fn full_demo() -> Self {
        static DEMO: Template = Template::new("demo");
        let fill = async |db: &Database, folder: &Path| {
            stalhof::demo::fill(db, &Storage::in_folder(folder).unwrap()).await.unwrap();
        };
        let app = Self::over_template(&DEMO, fill).await;
        copy_uploads(DEMO.folder(), app.folder.path());
        app
    }

    /// Application with the data of a template, whose first two tenants are north and south.
    async fn over_template(template: &Template, fill: impl AsyncFnOnce(&Database, &Path)) -> Self {
        let db = template.database(fill).await;
        let tenants = Scope::platform().find::<Tenants>().order_by_asc(Tenants::ID).all(&*db).await.unwrap();
        Self::over(db, tenants[0].id, tenants[1].id).await
    }

    async fn over(db: TestDatabase, north: i64, south: i64) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let settings = settings(folder.path());
        let state = Data::new(state_of(&db, &settings));
        let call = served(&state).await;
        Self { db, north, south, call, state, settings, users: Cell::new(0), folder }
    }

    /// Same database with a process that has other settings.
    pub(crate) async fn with_settings(self, settings: Settings) -> Self {
        let state = Data::new(state_of(&self.db, &settings));
        let call = served(&state).await;
        Self { call, state, settings, ..self }
    }

    /// State that all requests of this process share.
    pub(crate) fn state(&self) -> Data<State> {
        self.state.clone()
    }

    pub(crate) fn anonymous(&self) -> Client {
        Client { call: self.call.clone(), token: None, language: "en" }
    }

    /// Client with this token.
    pub(crate) fn with_token(&self, token: &str) -> Client {
        Client { token: Some(token.to_owned()), ..self.anonymous() }
    }

    /// Client of a platform administrator with all permissions.
    pub(crate) async fn platform(&self) -> Client {
        self.caller(None, PermissionSet::all()).await
    }

    /// Client of a user of `tenant`, or of the platform, with exactly these permissions.
    pub(crate) async fn caller(&self, tenant: Option<i64>, rights: PermissionSet) -> Client {
        let email = self.user(tenant, rights).await;
        self.sign_in(email).await
    }

    pub(crate) async fn sign_in(&self, email: String) -> Client {
        let credentials = Credentials {
            source: Source::new(&email, "test"),
            email,
            password: PASSWORD.to_owned(),
            user_agent: None,
        };
        let token = session::open(&self.db, &Passwords::default(), Lifetime::default(), credentials, now())
            .await
            .unwrap();
        self.with_token(&token)
    }

    /// Creates a user and returns their e-mail address.
    pub(crate) async fn user(&self, tenant: Option<i64>, rights: PermissionSet) -> String {
        let number = self.users.replace(self.users.get() + 1);
        let platform = Scope::platform();
        let permissions = rights.iter().collect();
        let role = RoleInput { name: format!("Rolle {number}"), permissions, version: None };
        let role = Roles::create(&self.db, &platform, role).await.unwrap();
        let email = format!("user{number}@test.example");
        let input = Account {
            name: format!("User {number}"),
            email: email.clone(),
            tenant_id: tenant.map(TenantId),
            role_ids: vec![role.role.id],
            password_hash: Some(PASSWORD_HASH.to_owned()),
        };
        user::enroll(&self.db, &platform, input).await.unwrap();
        email
    }

    /// Runs the import workers until they are ended.
    pub(crate) async fn workers(&self) -> Running {
        let imports = Background::new((*self.db).clone(), self.state.panics.clone())
            .queue(api::work::imports(&self.state));
        imports.start(self.folder.path()).await.unwrap()
    }

    /// Runs all background work until it is ended.
    pub(crate) async fn background(&self) -> Running {
        stalhof::queues::registered(&self.state).start(self.folder.path()).await.unwrap()
    }

    /// Deletes data that has expired at that time.
    pub(crate) async fn clean_up(&self, at: values::Instant) {
        for job in stalhof::cleanup::JOBS {
            (job.run)(self.state.clone(), at).await.unwrap();
        }
    }

    /// Disables a user by SQL.
    pub(crate) async fn disable(&self, user: i64) {
        let tx = self.db.begin().await.unwrap();
        let sql = format!("UPDATE \"user\" SET status = 'Disabled' WHERE id = {user}");
        tx.execute_unprepared(&sql).await.unwrap();
        tx.commit().await.unwrap();
    }

    /// Sends due mails, and returns all mails sent to an address, newest first.
    pub(crate) async fn mails_to(&self, address: &str) -> Vec<ReceivedMail> {
        assert!(deliver(&self.state).await.unwrap());
        self.state.mailbox.latest().into_iter().filter(|mail| mail.address == address).collect()
    }

    /// Same database with a process that is configured differently.
    pub(crate) async fn otherwise(&self, demo: bool, transport: Option<Transport>) -> (Data<State>, Client) {
        let mut state = state(&self.db, &self.state.settings.data_dir);
        state.demo = demo;
        state.transport = transport.unwrap_or(state.transport);
        let state = Data::new(state);
        let call = served(&state).await;
        (state, Client { call, token: None, language: "en" })
    }

    /// Same database with a process whose disk is nearly full.
    pub(crate) async fn nearly_full(&self) -> Client {
        let mut state = state(&self.db, &self.state.settings.data_dir);
        state.storage = state.storage.with_reserve(Reserve::Bytes(u64::MAX));
        Client { call: served(&Data::new(state)).await, token: None, language: "en" }
    }

    /// Same database with a process that has another setting for partners.
    pub(crate) async fn with_partners(&self, partners: stalhof::config::Partners) -> Client {
        let mut state = state(&self.db, &self.state.settings.data_dir);
        state.settings.partners = partners.into();
        Client { call: served(&Data::new(state)).await, token: None, language: "en" }
    }

    /// Same database with a process that has a secret key for credentials, allows plain FTP and may connect
    /// to servers of tests.
    pub(crate) async fn with_secret_key(&self, user: &Client) -> (Data<State>, Client) {
        self.with_secret_key_and(user, |_| {}).await
    }

    /// Like [`Self::with_secret_key`], with a state that is changed before it serves.
    pub(crate) async fn with_secret_key_and(
        &self,
        user: &Client,
        change: impl FnOnce(&mut State),
    ) -> (Data<State>, Client) {
        let mut settings = settings(&self.state.settings.data_dir);
        settings.secret_keys = Some("AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=".into());
        settings.plain_ftp = true;
        settings.outbound_networks = vec!["127.9.9.0/24".parse().unwrap()];
        let mut state = server_state::create((*self.db).clone(), &settings, false).unwrap();
        state.settle_pause = Duration::from_millis(50);
        change(&mut state);
        let state = Data::new(state);
        let call = served(&state).await;
        (state, Client { call, token: user.token.clone(), language: "en" })
    }

    /// Settings with which a command uses the same database and files.
    pub(crate) fn settings(&self) -> Settings {
        Settings { database_url: Some(self.db.url.clone()), ..self.settings.clone() }
    }

    /// Metrics as a monitoring system reads them.
    pub(crate) async fn metrics(&self) -> String {
        stalhof::metrics::text(&self.state).await.unwrap()
    }

    /// Another process with the same database and caches of its own.
    pub(crate) async fn another_process(&self) -> Client {
        self.process_on(Database::connect(&self.db.url).await.unwrap()).await
    }

    /// Another process, with its own connections to the database.
    pub(crate) async fn process_on(&self, db: Database) -> Client {
        let state = Data::new(state(&db, &self.state.settings.data_dir));
        Client { call: served(&state).await, token: None, language: "en" }
    }

    /// Process with its own connections, whose cached sessions outlast every test.
    pub(crate) async fn with_lasting_lookups(&self) -> Process {
        let db = Database::connect(&self.db.url).await.unwrap();
        let mut state = state(&db, &self.state.settings.data_dir);
        state.http.callers = Callers::new(Duration::from_hours(1));
        let state = Data::new(state);
        Process { call: served(&state).await, state }
    }

    pub(crate) async fn another(&self) -> Client {
        let state = Data::new(state(&self.db, &self.state.settings.data_dir));
        Client { call: served(&state).await, token: None, language: "en" }
    }
}

/// A server process beside the application.
pub(crate) struct Process {
    call: Call,
    pub state: Data<State>,
}

impl Process {
    /// Client of this process for the same user or program as another client.
    pub(crate) fn called_by(&self, client: &Client) -> Client {
        Client { call: self.call.clone(), ..client.clone() }
    }
}

async fn two_tenants(db: &Database) -> [i64; 2] {
    let mut tenants = [0; 2];
    for (id, short_code) in tenants.iter_mut().zip(["NORD", "SUED"]) {
        let input = TenantInput {
            company: format!("{short_code} GmbH"),
            short_code: short_code.to_owned(),
            permissions: PermissionSet::all().iter().collect(),
            ..TenantInput::default()
        };
        *id = tenant::create(db, &Scope::platform(), input).await.unwrap().tenant.id;
    }
    tenants
}

/// Copies the uploaded files of one data folder into another.
fn copy_uploads(from: &Path, to: &Path) {
    for kind in std::fs::read_dir(from.join("uploads")).unwrap() {
        let kind = kind.unwrap();
        let into = to.join("uploads").join(kind.file_name());
        std::fs::create_dir_all(&into).unwrap();
        for file in std::fs::read_dir(kind.path()).unwrap() {
            let file = file.unwrap();
            std::fs::copy(file.path(), into.join(file.file_name())).unwrap();
        }
    }
}

/// Sends due mails; true if the mail server can be reached.
pub(crate) async fn deliver(state: &Data<State>) -> values::Result<bool> {
    background::work_off(&MailSender(state.clone()), "sender").await
}

fn state(db: &Database, folder: &Path) -> State {
    state_of(db, &settings(folder))
}

fn state_of(db: &Database, settings: &Settings) -> State {
    let mut state = server_state::create(db.clone(), settings, false).unwrap();
    state.transport = settings.mail_transport(Some(state.mailbox.clone())).unwrap();
    state
}

async fn served(state: &Data<State>) -> Call {
    let service = Rc::new(test::init_service(app(state.clone())).await);
    Rc::new(move |request| {
        let service = service.clone();
        Box::pin(async move {
            match test::try_call_service(&*service, request).await {
                Ok(response) => read(response).await,
                Err(error) => {
                    let response = error.error_response();
                    let (status, headers) = (response.status(), response.headers().clone());
                    Answer {
                        status,
                        headers,
                        bytes: actix_web::body::to_bytes(response.into_body()).await.unwrap(),
                    }
                }
            }
        })
    })
}

async fn read<B: actix_web::body::MessageBody>(response: ServiceResponse<B>) -> Answer {
    let (status, headers) = (response.status(), response.headers().clone());
    let goes_on = headers.get(CONTENT_TYPE).is_some_and(|kind| kind == "text/event-stream");
    let bytes = if goes_on { first(response).await } else { test::read_body(response).await };
    Answer { status, headers, bytes }
}

/// Start of a body that does not end by itself.
async fn first<B: actix_web::body::MessageBody>(response: ServiceResponse<B>) -> Bytes {
    let mut body = Box::pin(response.into_body());
    let chunk = std::future::poll_fn(|context| body.as_mut().poll_next(context)).await;
    chunk.and_then(Result::ok).unwrap_or_default()
}

/// Default settings, independent of the environment of the test run.
pub(crate) fn settings(folder: &Path) -> Settings {
    #[derive(Parser)]
    struct Cli {
        #[command(flatten)]
        settings: Settings,
    }
    // the free space of this machine must not influence a test
    Cli::parse_from(["stalhof", "--data-dir", folder.to_str().unwrap(), "--disk-reserve-mb", "0"]).settings
}

/// All permissions but one.
pub(crate) fn all_but(permission: Permission) -> PermissionSet {
    PermissionSet::all().without(permission)
}

impl Client {
    /// Client of the same user with another session.
    pub(crate) fn signed_in(&self, token: &Value) -> Self {
        Self { token: token.as_str().map(str::to_owned), ..self.clone() }
    }

    pub(crate) fn german(&self) -> Self {
        Self { language: "de-DE,de;q=0.9,en;q=0.8", ..self.clone() }
    }

    pub(crate) async fn get(&self, uri: &str) -> Answer {
        self.send(Method::GET, uri, None).await
    }

    pub(crate) async fn post(&self, uri: &str, body: Value) -> Answer {
        self.send(Method::POST, uri, Some(body)).await
    }

    pub(crate) async fn put(&self, uri: &str, body: Value) -> Answer {
        self.send(Method::PUT, uri, Some(body)).await
    }

    pub(crate) async fn patch(&self, uri: &str, body: Value) -> Answer {
        self.send(Method::PATCH, uri, Some(body)).await
    }

    pub(crate) async fn delete(&self, uri: &str) -> Answer {
        self.send(Method::DELETE, uri, None).await
    }

    pub(crate) async fn send(&self, method: Method, uri: &str, body: Option<Value>) -> Answer {
        let request = self.request(method, uri);
        self.call(match body {
            Some(body) => request.set_json(body),
            None => request,
        })
        .await
    }

    /// Request with the caller's token, to be changed by the test.
    pub(crate) fn request(&self, method: Method, uri: &str) -> test::TestRequest {
        let request = test::TestRequest::with_uri(uri)
            .method(method)
            .insert_header(("accept-language", self.language))
            .peer_addr(([127, 0, 0, 1], 50_000).into());
        match &self.token {
            Some(token) => request.insert_header(("authorization", format!("Bearer {token}"))),
            None => request,
        }
    }

    pub(crate) async fn call(&self, request: test::TestRequest) -> Answer {
        (self.call)(request.to_request()).await
    }
}

impl Answer {
    /// Checks the status and returns the body.
    #[track_caller]
    pub(crate) fn is(&self, status: u16) -> Value {
        assert_eq!(self.status.as_u16(), status, "{}", String::from_utf8_lossy(&self.bytes));
        serde_json::from_slice(&self.bytes).unwrap_or(Value::Null)
    }

    /// Checks for a 422 with errors at exactly these paths.
    #[track_caller]
    pub(crate) fn is_refused_at(&self, paths: &[&str]) -> Value {
        let body = self.is(422);
        let mut found: Vec<_> = body["errors"].as_object().unwrap().keys().cloned().collect();
        found.sort();
        let mut expected: Vec<_> = paths.iter().map(ToString::to_string).collect();
        expected.sort();
        assert_eq!(found, expected, "{body}");
        body
    }

    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default()
    }
}

/// Multipart form as a browser sends it.
pub(crate) struct Form(Vec<u8>);

impl Form {
    pub(crate) fn new() -> Self {
        Self(Vec::new())
    }

    pub(crate) fn field(mut self, name: &str, value: &str) -> Self {
        let part = format!("--limit\r\nContent-Disposition: form-data; name=\"{name}\"\r\n\r\n{value}\r\n");
        self.0.extend(part.as_bytes());
        self
    }

    pub(crate) fn file(mut self, name: &str, content: impl AsRef<[u8]>) -> Self {
        let head = format!(
            "--limit\r\nContent-Disposition: form-data; name=\"file\"; filename=\"{name}\"\r\n\
             Content-Type: application/octet-stream\r\n\r\n"
        );
        self.0.extend(head.as_bytes());
        self.0.extend(content.as_ref());
        self.0.extend(b"\r\n");
        self
    }

    pub(crate) async fn send(self, client: &Client, uri: &str) -> Answer {
        self.send_by(Method::POST, client, uri).await
    }

    pub(crate) async fn send_by(mut self, method: Method, client: &Client, uri: &str) -> Answer {
        self.0.extend(b"--limit--\r\n");
        let request = client
            .request(method, uri)
            .insert_header((CONTENT_TYPE, "multipart/form-data; boundary=limit"))
            .set_payload(self.0);
        client.call(request).await
    }
}
