//! What all requests of a server share.

use std::{sync::Arc, time::Duration};

use background::{Ending, Panics};
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
    live::listeners::Live, metrics::counters::Metrics, server_process::ServerProcess,
};

/// What all requests of a server share.
#[derive(Debug)]
pub struct State {
    pub db: Database,
    pub settings: Settings,
    /// The process as others name it.
    pub process: ServerProcess,
    /// Whether the database holds demo data; the sign-in page then names the accounts.
    pub demo: bool,
    pub passwords: Passwords,
    pub callers: Callers,
    /// How mails leave.
    pub transport: Transport,
    /// What the demo has sent.
    pub mailbox: Mailbox,
    /// Seals credentials for other systems.
    pub keys: Keys,
    /// Leads to systems of tenants.
    pub outbound: Outbound,
    /// The time for which a file on another server must not change before it is fetched.
    pub settle_pause: Duration,
    /// The limits of answers of webhooks' receivers.
    pub webhook_limits: http::Limits,
    /// Uploaded files.
    pub storage: Storage,
    /// Wakes a worker when an import is queued.
    pub imports_waiting: Arc<Notify>,
    /// Tells whoever looks on that imports move.
    pub live: Arc<Live>,
    pub metrics: Metrics,
    /// What sellers ask, compiled.
    pub books: Books,
    /// How often tokens may call.
    pub(crate) limits: Limits,
    /// How often background work has panicked.
    pub panics: Panics,
    /// Exports read for long: they leave connections to others.
    pub exports: FairTurns,
    /// Calls external APIs, with the tokens that it was issued.
    pub external_apis: ApiCaller,
    /// Tests of connections to servers of tenants.
    pub connection_tests: FairTurns,
    /// What calculates whole catalogues leaves processors to others.
    pub comparisons: Semaphore,
    /// Changes of records that name no version.
    pub(crate) changes: ChangeQueues,
    /// Read when it is first needed.
    xsrf: OnceCell<xsrf::Key>,
    ending: watch::Sender<bool>,
}

const EXPORTS_AT_ONCE: usize = 2;
const COMPARISONS_AT_ONCE: usize = 2;
const CONNECTION_TESTS_AT_ONCE: usize = 4;

impl State {
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
            live: Arc::default(),
            db,
            settings,
            process: ServerProcess::this(),
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

    /// The same server on a database of which nothing stays: nobody is told of what is written there.
    pub(crate) fn rehearsing(&self, db: Database) -> Result<Self> {
        Ok(Self { storage: self.storage.clone(), ..Self::new(db, self.settings.clone(), self.demo)? })
    }

    /// How prices are calculated.
    pub fn calculator(&self) -> Calculator<'_> {
        Calculator { books: &self.books, time_zone: self.time_zone() }
    }

    /// The time zone of this installation: of schedules, order days and prices.
    pub(crate) fn time_zone(&self) -> Tz {
        self.settings.installation().time_zone
    }

    /// What anti-forgery values are made with.
    pub async fn xsrf_key(&self) -> Result<&xsrf::Key> {
        self.xsrf.get_or_try_init(|| xsrf::Key::load(&self.db)).await
    }

    /// From now on the server is not ready for new requests.
    pub fn end(&self) {
        self.ending.send_replace(true);
    }

    pub fn is_ending(&self) -> bool {
        *self.ending.borrow()
    }

    /// As whoever keeps a request open learns it.
    pub fn ending(&self) -> Ending {
        self.ending.subscribe().into()
    }
}
