//! `POST` under an `Idempotency-Key`: processed once, and answered the same way again. The first commit of
//! the call stores the key; the answer is stored after it.

use std::rc::Rc;

use actix_web::{
    HttpMessage, HttpResponse,
    body::{BoxBody, EitherBody, MessageBody},
    dev::{ServiceRequest, ServiceResponse},
    http::Method,
    middleware::Next,
};
use store::first_commit;
use values::Result;

use crate::{
    access, codes,
    context::server,
    idempotency_key::read_key,
    json::JSON,
    keyed_call::Call,
    problem::{Refusal, status},
};

/// Returns the call of a request with a key.
fn keyed_call(request: &ServiceRequest) -> Result<Option<Rc<Call>>> {
    if request.method() != Method::POST {
        return Ok(None);
    }
    let Some(user) = access::user(request.request()) else { return Ok(None) };
    let Some(key) = read_key(request.request())? else { return Ok(None) };
    let line = format!("{} {}\n", request.method(), request.uri());
    let server = server(request.request())?.clone();
    Ok(Some(Rc::new(Call::new(server, user, key, line))))
}

/// True if a call was refused because it was processed already. Another attempt may have committed since the
/// key was looked up; then this one is refused because of its records.
async fn was_done(call: &Call, refusal: &values::Error) -> bool {
    let done = match refusal.code() {
        codes::ALREADY_DONE => Ok(true),
        code if status(code).is_client_error() => call.was_done().await,
        _ => Ok(false),
    };
    done.unwrap_or_else(|error| error.code() == codes::ALREADY_DONE)
}

/// Answers a call that is repeated under its `Idempotency-Key` with the stored answer.
pub async fn middleware(
    request: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
) -> Result<ServiceResponse<EitherBody<impl MessageBody>>, actix_web::Error> {
    let call = match keyed_call(&request) {
        Ok(Some(call)) => call,
        Ok(None) => return next.call(request).await.map(ServiceResponse::map_into_left_body),
        Err(error) => return Ok(request.error_response(Refusal(error)).map_into_right_body()),
    };
    let has_json = matches!(request.mime_type(), Ok(Some(kind)) if kind.essence_str() == JSON);
    if !has_json && let Err(error) = call.refuse_repeated().await {
        let answer = if error.code() == codes::ALREADY_DONE { call.replayed().await } else { Err(error) };
        let answer = answer.unwrap_or_else(|error| HttpResponse::from_error(Refusal(error)));
        return Ok(request.into_response(answer).map_into_right_body());
    }
    request.extensions_mut().insert(call.clone());
    let claimed_call = call.clone();
    let take = move |backend| claimed_call.take(backend);
    let (response, is_taken) = first_commit::with(take, codes::ALREADY_DONE, next.call(request)).await;
    let response = response?;
    let refused = response.response().error().and_then(|error| error.as_error::<Refusal>());
    if let Some(Refusal(error)) = refused
        && was_done(&call, error).await
    {
        let answer = call.replayed().await.unwrap_or_else(|error| HttpResponse::from_error(Refusal(error)));
        return Ok(response.into_response(answer).map_into_right_body());
    }
    let is_secret = call.has_secret_answer(response.request());
    if !is_taken || is_secret || !response.status().is_success() {
        return Ok(response.map_into_left_body());
    }
    let (request, response) = response.into_parts();
    let (response, body) = response.into_parts();
    let body = match body.try_into_bytes() {
        Ok(bytes) => {
            if let Err(error) = call.store(&response, &bytes).await {
                // the work is committed and will not be repeated: only its answer is lost
                tracing::warn!(%error, "the answer to a call under a key was not stored");
            }
            BoxBody::new(bytes)
        }
        Err(body) => body.boxed(),
    };
    Ok(ServiceResponse::new(request, response.set_body(body)).map_into_right_body())
}
