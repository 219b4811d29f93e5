//! State that all requests of a server share.

use std::{
    future::{Ready, ready},
    sync::Arc,
    time::Duration,
};

use actix_web::{FromRequest, HttpRequest, dev::Payload, web::Data};
use background::{Background, Panics, ShutdownSignal};
use chrono_tz::Tz;
use feeds::{external_api::call::ApiCaller, run::SETTLE_PAUSE};
use http_api::{
    context::HttpState, contract::Schemas, fair_queue::FairQueue, input::Input, problem::Refusal,
};
use identity::password::Passwords;
use mail::{mailbox::Mailbox, transport::Transport};
use outbound::{Outbound, http};
use pricing::quote::{calculation::Calculator, load::Books};
use secrets::Keys;
use storage::Storage;
use store::Database;
use tokio::sync::{Notify, Semaphore, watch};
use utoipa::openapi::path::Operation;
use values::{Error, Result};
use webhooks::sender;

use crate::{
    change_queues::ChangeQueues, import_progress::listeners::ImportListeners, server_process::ServerProcess,
    settings::ServerSettings,
};

/// State that all requests of a server share.
#[derive(Debug)]
pub struct State {
    pub db: Database,
    pub settings: ServerSettings,
    /// Server process, with the name that other processes see.
    pub process: ServerProcess,
    /// True if the database contains demo data; the sign-in page then shows the accounts.
    pub demo: bool,
    pub passwords: Passwords,
    /// State of the HTTP layer: sessions, limits, counters.
    pub http: HttpState,
    /// Transport of mails.
    pub transport: Transport,
    /// Mails that the demo has sent.
    pub mailbox: Mailbox,
    /// Seals credentials for other systems.
    pub keys: Keys,
    /// Client for systems of tenants.
    pub outbound: Outbound,
    /// Time for which a file on another server must not change before it is fetched.
    pub settle_pause: Duration,
    /// Limits for answers of webhooks' receivers.
    pub webhook_limits: http::Limits,
    /// Uploaded files.
    pub storage: Storage,
    /// Wakes a worker when an import is queued.
    pub imports_waiting: Arc<Notify>,
    /// Notifies clients that listen to the progress of imports.
    pub import_listeners: Arc<ImportListeners>,
    /// Compiled price books of sellers.
    pub books: Books,
    /// Number of panics in background work.
    pub panics: Panics,
    /// Caller of external APIs, with cached tokens.
    pub external_apis: ApiCaller,
    /// Queue of tests of connections to servers of tenants.
    pub connection_tests: FairQueue,
    /// Permits for calculations of whole catalogues, which must leave processors for other work.
    pub comparisons: Semaphore,
    /// Queues of changes of records without a version.
    pub(crate) changes: ChangeQueues,
    /// Lists the queues and jobs of this server.
    pub(crate) background: fn(&Data<Self>) -> Background,
    ending: watch::Sender<bool>,
}

const COMPARISONS_AT_ONCE: usize = 2;
const CONNECTION_TESTS_AT_ONCE: usize = 4;

/// Parts of a server that its settings decide.
#[derive(Debug)]
pub struct ServerParts {
    pub settings: ServerSettings,
    /// Transport of mails.
    pub transport: Transport,
    /// Mails that the demo has sent.
    pub mailbox: Mailbox,
    /// Seals credentials for other systems.
    pub keys: Keys,
    /// Client for systems of tenants.
    pub outbound: Outbound,
    /// Uploaded files.
    pub storage: Storage,
    /// Lists the queues and jobs of a server.
    pub background: fn(&Data<State>) -> Background,
}

impl State {
    /// Creates the state of a process.
    pub fn new(db: Database, parts: ServerParts, demo: bool) -> Self {
        let ServerParts { settings, transport, mailbox, keys, outbound, storage, background } = parts;
        Self {
            transport,
            mailbox,
            keys,
            outbound,
            settle_pause: SETTLE_PAUSE,
            webhook_limits: sender::LIMITS,
            storage,
            books: Books::new(settings.price_books_mb),
            imports_waiting: Arc::default(),
            import_listeners: Arc::default(),
            db,
            settings,
            process: ServerProcess::current(),
            demo,
            passwords: Passwords::default(),
            http: HttpState::default(),
            panics: Panics::default(),
            external_apis: ApiCaller::default(),
            connection_tests: FairQueue::new(CONNECTION_TESTS_AT_ONCE),
            comparisons: Semaphore::new(COMPARISONS_AT_ONCE),
            changes: ChangeQueues::default(),
            background,
            ending: watch::Sender::new(false),
        }
    }

    /// Returns the same server on a database whose changes are rolled back: its writes notify no clients.
    pub(crate) fn rehearsing(&self, db: Database) -> Self {
        let parts = ServerParts {
            settings: self.settings.clone(),
            transport: self.transport.clone(),
            mailbox: Mailbox::default(),
            keys: self.keys.clone(),
            outbound: self.outbound.clone(),
            storage: self.storage.clone(),
            background: self.background,
        };
        Self::new(db, parts, self.demo)
    }

    /// Returns the calculator of prices.
    pub fn calculator(&self) -> Calculator<'_> {
        Calculator { books: &self.books, time_zone: self.time_zone() }
    }

    /// Time zone of this installation: for schedules, order days and prices.
    pub fn time_zone(&self) -> Tz {
        self.settings.installation.time_zone
    }

    /// Marks the server as not ready for new requests.
    pub fn end(&self) {
        self.ending.send_replace(true);
    }

    /// True once the process has begun to end.
    pub fn is_ending(&self) -> bool {
        *self.ending.borrow()
    }

    /// Returns a signal for the end of the server, for requests that stay open.
    pub fn ending(&self) -> ShutdownSignal {
        self.ending.subscribe().into()
    }
}

/// State of the server as a parameter of a handler.
#[derive(Debug)]
pub struct Server(pub Data<State>);

impl Server {
    /// Returns the state of the server that answers a request.
    pub(crate) fn read(request: &HttpRequest) -> Result<&Data<State>> {
        request.app_data::<Data<State>>().ok_or_else(|| Error::internal("no state"))
    }
}

impl FromRequest for Server {
    type Error = Refusal;
    type Future = Ready<Result<Self, Refusal>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        ready(Self::read(request).map(|state| Self(state.clone())).map_err(Refusal))
    }
}

impl Input for Server {
    fn describe(_: &mut Operation, _: &mut Schemas) {}
}
