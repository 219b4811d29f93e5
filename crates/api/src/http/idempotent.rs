//! `POST` under an `Idempotency-Key`: done once, and answered the same way again. The key is taken by the first commit of the
//! call; the answer is stored once there is one.

use std::{cell::RefCell, rc::Rc};

use actix_web::{
    HttpMessage, HttpRequest, HttpResponse,
    body::{BoxBody, EitherBody, MessageBody},
    dev::{ServiceRequest, ServiceResponse},
    http::{
        Method, StatusCode,
        header::{CONTENT_TYPE, ContentType, LOCATION},
    },
    middleware::Next,
    web::Data,
};
use identity::idempotency::{Key, Stored};
use kernel::{Code, Result, first_commit, now};

use crate::{
    http::{
        access,
        input::{self, JSON},
        problem::Refusal,
        repeatable::{REPLAYED, key},
    },
    state::State,
};

/// Paths whose answers hold secrets. Calls to them are done once, but their answers are not stored.
const SECRET: [&str; 2] = ["/api/admin/tokens", "/api/admin/tokens/{id}/rotation"];

/// A call under a key.
pub(crate) struct Call {
    state: Data<State>,
    user: i64,
    key: String,
    line: String,
    /// By the whole request, once its body is known.
    asked: RefCell<Key>,
    answer: RefCell<Option<Stored>>,
}

impl Call {
    fn new(request: &ServiceRequest) -> Result<Option<Rc<Self>>> {
        if request.method() != Method::POST {
            return Ok(None);
        }
        let Some(user) = access::user(request.request()) else { return Ok(None) };
        let Some(key) = key(request.request())? else { return Ok(None) };
        let line = format!("{} {}\n", request.method(), request.uri());
        let asked = RefCell::new(Key::new(key.clone(), line.as_bytes()));
        let state = input::state(request.request())?.clone();
        Ok(Some(Rc::new(Self { state, user, key, line, asked, answer: RefCell::default() })))
    }

    /// Adds the body of the call.
    ///
    /// # Errors
    /// [`Code::AlreadyDone`] if the call was done before; its answer is then the one that was stored.
    pub(crate) async fn read(&self, body: &[u8]) -> Result<()> {
        let asked = Key::new(self.key.clone(), &[self.line.as_bytes(), body].concat());
        self.asked.replace(asked);
        self.refuse_repeated().await
    }

    async fn refuse_repeated(&self) -> Result<()> {
        let asked = self.asked.borrow().clone();
        match asked.stored(&self.state.db, self.user, now()).await? {
            Some(stored) => {
                self.answer.replace(Some(stored));
                Err(Code::AlreadyDone.into())
            }
            None => asked.refuse_too_many(&self.state.db, self.user, now()).await,
        }
    }

    /// The answer that was stored for a call which is refused because it was done before.
    async fn replayed(&self) -> Result<HttpResponse> {
        if self.answer.borrow().is_none() {
            self.refuse_repeated().await.or_else(|error| match error.code() {
                Code::AlreadyDone => Ok(()),
                _ => Err(error),
            })?;
        }
        let Some(stored) = self.answer.take() else { return Err(Code::AlreadyDone.into()) };
        let status = u16::try_from(stored.status).ok().and_then(|status| StatusCode::from_u16(status).ok());
        let mut response = HttpResponse::build(status.ok_or(Code::AlreadyDone)?);
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

    /// Stores what was answered.
    async fn store(&self, response: &HttpResponse<()>, body: &[u8]) -> Result<()> {
        let header = |name| response.headers().get(name).and_then(|value| value.to_str().ok());
        let is_kept = body.is_empty() || header(CONTENT_TYPE).is_some_and(|kind| kind.starts_with(JSON));
        let (true, Ok(answer)) = (is_kept, str::from_utf8(body)) else { return Ok(()) };
        let stored = Stored {
            status: response.status().as_u16().into(),
            location: header(LOCATION).map(str::to_owned),
            answer: answer.to_owned(),
        };
        let asked = self.asked.borrow().clone();
        asked.store(&self.state.db, self.user, &stored).await
    }
}

/// The call under a key that a request is.
pub(crate) fn call(request: &HttpRequest) -> Option<Rc<Call>> {
    request.extensions().get::<Rc<Call>>().cloned()
}

pub async fn middleware(
    request: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
) -> Result<ServiceResponse<EitherBody<impl MessageBody>>, actix_web::Error> {
    let call = match Call::new(&request) {
        Ok(Some(call)) => call,
        Ok(None) => return next.call(request).await.map(ServiceResponse::map_into_left_body),
        Err(error) => return Ok(request.error_response(Refusal(error)).map_into_right_body()),
    };
    let has_json = matches!(request.mime_type(), Ok(Some(kind)) if kind.essence_str() == JSON);
    if !has_json && let Err(error) = call.refuse_repeated().await {
        let answer = if error.code() == Code::AlreadyDone { call.replayed().await } else { Err(error) };
        let answer = answer.unwrap_or_else(|error| HttpResponse::from_error(Refusal(error)));
        return Ok(request.into_response(answer).map_into_right_body());
    }
    request.extensions_mut().insert(call.clone());
    let taken = call.clone();
    let take = move |backend| taken.asked.borrow().take(backend, taken.user, now());
    let (response, is_taken) = first_commit::with(take, Code::AlreadyDone, next.call(request)).await;
    let response = response?;
    let refused = response.response().error().and_then(|error| error.as_error::<Refusal>());
    if refused.is_some_and(|Refusal(error)| error.code() == Code::AlreadyDone) {
        let answer = call.replayed().await.unwrap_or_else(|error| HttpResponse::from_error(Refusal(error)));
        return Ok(response.into_response(answer).map_into_right_body());
    }
    let is_secret = response.request().match_pattern().is_some_and(|path| SECRET.contains(&&*path));
    if !is_taken || is_secret || !response.status().is_success() {
        return Ok(response.map_into_left_body());
    }
    let (request, response) = response.into_parts();
    let (response, body) = response.into_parts();
    let body = match body.try_into_bytes() {
        Ok(bytes) => {
            if let Err(error) = call.store(&response, &bytes).await {
                // what was done stands, and is not done again: only its answer cannot be repeated
                tracing::warn!(%error, "the answer to a call under a key was not stored");
            }
            BoxBody::new(bytes)
        }
        Err(body) => body.boxed(),
    };
    Ok(ServiceResponse::new(request, response.set_body(body)).map_into_right_body())
}
