//! The server as its HTTP layer sees it: database, files and settings, and the state that the layer keeps in
//! memory.

use std::net::IpAddr;

use actix_web::{HttpRequest, web::Data};
use identity::{caller::Callers, session::Lifetime, xsrf::XsrfKey};
use storage::Storage;
use store::{Database, scope::PartnerCircle};
use tokio::sync::OnceCell;
use values::{Error, Result};

use crate::{answer_counters::AnswerCounters, fair_queue::FairQueue, limit::Limits};

/// Server that the layer belongs to. An application registers it as `Data<dyn ServerContext>`.
pub trait ServerContext: Send + Sync {
    /// Database.
    fn db(&self) -> &Database;
    /// Uploaded files.
    fn storage(&self) -> &Storage;
    /// State of the layer.
    fn http(&self) -> &HttpState;
    /// Time after which a session ends.
    fn session_lifetime(&self) -> Lifetime;
    /// Partners that the users of a tenant see.
    fn partner_circle(&self) -> PartnerCircle;
    /// Addresses of proxies whose `X-Forwarded-For` is believed.
    fn trusted_proxies(&self) -> &[IpAddr];
    /// Maximum size of an uploaded file.
    fn upload_max_bytes(&self) -> u64;
    /// True if people reach the server over HTTPS.
    fn is_public_over_https(&self) -> bool;
    /// Paths whose answers contain secrets. Their calls are processed once, but their answers are not stored.
    fn secret_paths(&self) -> &'static [&'static str];
}

/// State that the layer keeps in memory.
#[derive(Debug)]
pub struct HttpState {
    pub callers: Callers,
    /// Rate limits of tokens.
    pub limits: Limits,
    /// Queue of exports, which occupy connections for a long time.
    pub exports: FairQueue,
    pub answers: AnswerCounters,
    /// Anti-forgery key, read when it is first needed.
    xsrf: OnceCell<XsrfKey>,
}

const EXPORTS_AT_ONCE: usize = 2;

impl Default for HttpState {
    fn default() -> Self {
        Self {
            callers: Callers::default(),
            limits: Limits::default(),
            exports: FairQueue::new(EXPORTS_AT_ONCE),
            answers: AnswerCounters::default(),
            xsrf: OnceCell::new(),
        }
    }
}

/// Returns the key of anti-forgery values.
pub(crate) async fn xsrf_key(server: &dyn ServerContext) -> Result<&XsrfKey> {
    server.http().xsrf.get_or_try_init(|| XsrfKey::load(server.db())).await
}

/// Returns the server that answers a request.
pub(crate) fn server(request: &HttpRequest) -> Result<&Data<dyn ServerContext>> {
    request.app_data::<Data<dyn ServerContext>>().ok_or_else(|| Error::internal("no state"))
}
