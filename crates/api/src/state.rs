//! State that all requests of a server share.

use std::{sync::Arc, time::Duration};

use background::{Panics, ShutdownSignal};
use chrono_tz::Tz;
use feeds::{external_api::call::ApiCaller, run::SETTLE_PAUSE};
use identity::{caller::Callers, password::Passwords, xsrf};
use kernel::{Database, Result};
use mail::{mailbox::Mailbox, transport::Transport};
use outbound::{Outbound, http};
use pricing::quote::{calculation::Calculator, load::Books};
use secrets::Keys;
use storage::Storage;
use tokio::sync::{Notify, OnceCell, Semaphore, watch};
use webhooks::sender;

use crate::{
    change_queues::ChangeQueues, config::Settings, fair_turns::FairTurns, http::limit::Limits,
    import_progress::listeners::ImportListeners, metrics::counters::Metrics, server_process::ServerProcess,
};

/// State that all requests of a server share.
#[derive(Debug)]
pub struct State {
    pub db: Database,
    pub settings: Settings,
    /// Server process, with the name that other processes see.
    pub process: ServerProcess,
    /// True if the database contains demo data; the sign-in page then shows the accounts.
    pub demo: bool,
    pub passwords: Passwords,
    pub callers: Callers,
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
    pub metrics: Metrics,
    /// Compiled price books of sellers.
    pub books: Books,
    /// Rate limits of tokens.
    pub(crate) limits: Limits,
    /// Number of panics in background work.
    pub panics: Panics,
    /// Turns of exports, which occupy connections for a long time.
    pub exports: FairTurns,
    /// Caller of external APIs, with cached tokens.
    pub external_apis: ApiCaller,
    /// Turns of tests of connections to servers of tenants.
    pub connection_tests: FairTurns,
    /// Permits for calculations of whole catalogues, which must leave processors for other work.
    pub comparisons: Semaphore,
    /// Queues of changes of records without a version.
    pub(crate) changes: ChangeQueues,
    /// Anti-forgery key, read when it is first needed.
    xsrf: OnceCell<xsrf::XsrfKey>,
    ending: watch::Sender<bool>,
}

const EXPORTS_AT_ONCE: usize = 2;
const COMPARISONS_AT_ONCE: usize = 2;
const CONNECTION_TESTS_AT_ONCE: usize = 4;

impl State {
    /// Creates the state of a process.
    ///
    /// # Errors
    /// Invalid settings.
    pub fn new(db: Database, settings: Settings, demo: bool) -> Result<Self> {
        let mailbox = Mailbox::default();
        Ok(Self {
            transport: settings.mail_transport(demo.then(|| mailbox.clone()))?,
            mailbox,
            keys: settings.keys()?,
            outbound: Outbound::new(settings.outbound_rules()),
            settle_pause: SETTLE_PAUSE,
            webhook_limits: sender::LIMITS,
            storage: settings.storage()?,
            books: Books::new(settings.price_books_mb),
            imports_waiting: Arc::default(),
            import_listeners: Arc::default(),
            db,
            settings,
            process: ServerProcess::current(),
            demo,
            passwords: Passwords::default(),
            callers: Callers::default(),
            metrics: Metrics::default(),
            limits: Limits::default(),
            panics: Panics::default(),
            exports: FairTurns::new(EXPORTS_AT_ONCE),
            external_apis: ApiCaller::default(),
            connection_tests: FairTurns::new(CONNECTION_TESTS_AT_ONCE),
            comparisons: Semaphore::new(COMPARISONS_AT_ONCE),
            changes: ChangeQueues::default(),
            xsrf: OnceCell::new(),
            ending: watch::Sender::new(false),
        })
    }

    /// Returns the same server on a database whose changes are rolled back: its writes notify no clients.
    pub(crate) fn rehearsing(&self, db: Database) -> Result<Self> {
        Ok(Self { storage: self.storage.clone(), ..Self::new(db, self.settings.clone(), self.demo)? })
    }

    /// Returns the calculator of prices.
    pub fn calculator(&self) -> Calculator<'_> {
        Calculator { books: &self.books, time_zone: self.time_zone() }
    }

    /// Time zone of this installation: for schedules, order days and prices.
    pub(crate) fn time_zone(&self) -> Tz {
        self.settings.installation().time_zone
    }

    /// Returns the key of anti-forgery values.
    pub async fn xsrf_key(&self) -> Result<&xsrf::XsrfKey> {
        self.xsrf.get_or_try_init(|| xsrf::XsrfKey::load(&self.db)).await
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
