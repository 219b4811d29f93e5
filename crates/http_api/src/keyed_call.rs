//! `POST` under an `Idempotency-Key`, and the stored answer.

use std::{cell::RefCell, rc::Rc};

use actix_web::{
    HttpMessage, HttpRequest, HttpResponse,
    http::{
        StatusCode,
        header::{CONTENT_TYPE, ContentType, LOCATION},
    },
    web::Data,
};
use identity::idempotency::{Key, StoredAnswer};
use sea_orm::{DbBackend, Statement};
use values::{Result, now};

use crate::{codes, context::ServerContext, idempotency_key::REPLAYED, json::JSON};

/// Call with a key.
pub(super) struct Call {
    server: Data<dyn ServerContext>,
    user: i64,
    key: String,
    line: String,
    /// Key of the whole request, once its body is read.
    request_key: RefCell<Key>,
    answer: RefCell<Option<StoredAnswer>>,
}

impl Call {
    pub(super) fn new(server: Data<dyn ServerContext>, user: i64, key: String, line: String) -> Self {
        let request_key = RefCell::new(Key::new(key.clone(), line.as_bytes()));
        Self { server, user, key, line, request_key, answer: RefCell::default() }
    }

    /// Statement that stores the key.
    pub(super) fn take(&self, backend: DbBackend) -> Statement {
        self.request_key.borrow().take(backend, self.user, now())
    }

    /// Adds the body of the call.
    ///
    /// # Errors
    /// [`codes::ALREADY_DONE`] if the call was processed before; its answer is then the stored one.
    pub(super) async fn read(&self, body: &[u8]) -> Result<()> {
        let request_key = Key::new(self.key.clone(), &[self.line.as_bytes(), body].concat());
        self.request_key.replace(request_key);
        self.refuse_repeated().await
    }

    pub(super) async fn refuse_repeated(&self) -> Result<()> {
        let request_key = self.request_key.borrow().clone();
        match request_key.stored(self.server.db(), self.user, now()).await? {
            Some(stored) => {
                self.answer.replace(Some(stored));
                Err(codes::ALREADY_DONE.into())
            }
            None => request_key.refuse_too_many(self.server.db(), self.user, now()).await,
        }
    }

    /// True if another attempt has processed the call. On SQLite writers share a commit and see each other's
    /// writes before it: this waits for that commit.
    pub(super) async fn was_done(&self) -> Result<bool> {
        self.server.db().begin().await?.commit().await?;
        let request_key = self.request_key.borrow().clone();
        let stored = request_key.stored(self.server.db(), self.user, now()).await?;
        let is_done = stored.is_some();
        self.answer.replace(stored);
        Ok(is_done)
    }

    /// Returns the stored answer of a call that was processed before.
    pub(super) async fn replayed(&self) -> Result<HttpResponse> {
        if self.answer.borrow().is_none() {
            self.refuse_repeated().await.or_else(|error| match error.code() {
                codes::ALREADY_DONE => Ok(()),
                _ => Err(error),
            })?;
        }
        let Some(stored) = self.answer.take() else { return Err(codes::ALREADY_DONE.into()) };
        let status = u16::try_from(stored.status).ok().and_then(|status| StatusCode::from_u16(status).ok());
        let mut response = HttpResponse::build(status.ok_or(codes::ALREADY_DONE)?);
        response.insert_header((REPLAYED, "true"));
        if let Some(location) = stored.location {
            response.insert_header((LOCATION, location));
        }
        Ok(if stored.answer.is_empty() {
            response.finish()
        } else {
            response.insert_header(ContentType::json()).body(stored.answer)
        })
    }

    /// True if the answer of this call contains a secret, so that it is not stored.
    pub(super) fn has_secret_answer(&self, request: &HttpRequest) -> bool {
        request.match_pattern().is_some_and(|path| self.server.secret_paths().contains(&&*path))
    }

    /// Stores the answer.
    pub(super) async fn store(&self, response: &HttpResponse<()>, body: &[u8]) -> Result<()> {
        let header = |name| response.headers().get(name).and_then(|value| value.to_str().ok());
        let is_kept = body.is_empty() || header(CONTENT_TYPE).is_some_and(|kind| kind.starts_with(JSON));
        let (true, Ok(answer)) = (is_kept, str::from_utf8(body)) else { return Ok(()) };
        let stored = StoredAnswer {
            status: response.status().as_u16().into(),
            location: header(LOCATION).map(str::to_owned),
            answer: answer.to_owned(),
        };
        let request_key = self.request_key.borrow().clone();
        request_key.store(self.server.db(), self.user, &stored).await
    }
}

/// Returns the call of a request with a key.
pub(super) fn call(request: &HttpRequest) -> Option<Rc<Call>> {
    request.extensions().get::<Rc<Call>>().cloned()
}
