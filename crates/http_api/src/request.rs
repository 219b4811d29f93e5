//! Outermost middleware: request id, language, log line, and the answer if a handler panics.

use std::{panic::AssertUnwindSafe, time::Instant};

use actix_web::{
    Error, HttpMessage, HttpResponse, ResponseError,
    body::{EitherBody, MessageBody},
    dev::{ServiceRequest, ServiceResponse},
    http::{
        StatusCode,
        header::{ACCEPT_LANGUAGE, CACHE_CONTROL, HeaderMap, HeaderName, HeaderValue},
    },
    middleware::Next,
};
use futures_util::FutureExt;
use store::{
    audit::RequestId,
    deadline::{self, Elapsed},
};
use tracing::Instrument;
use uuid::Uuid;
use values::{Decimal, Language};

use crate::{
    codes,
    context::server,
    problem::{self, Refusal},
    request_limits::REQUEST_TIMEOUT,
    request_span, security,
};

const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// Data about a request for all handlers.
#[derive(Debug, Clone)]
pub struct Request {
    pub id: String,
    pub number: RequestId,
    pub language: Language,
}

/// Answers a request within its deadline, with its language and id, and logs it.
pub async fn middleware(
    request: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
) -> Result<ServiceResponse<EitherBody<impl MessageBody>>, Error> {
    let number = RequestId(Uuid::now_v7().as_u128());
    let request_info = Request { id: number.text(), number, language: language(request.headers()) };
    request.extensions_mut().insert(request_info.clone());
    let span = request_span::begin(&request, &request_info.id);
    let answered = answer(request, next, request_info).instrument(span.clone()).await;
    let status = match &answered {
        Ok(response) => response.status(),
        Err(error) => error.as_response_error().status_code(),
    };
    request_span::end(&span, status);
    answered
}

async fn answer(
    request: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
    request_info: Request,
) -> Result<ServiceResponse<EitherBody<impl MessageBody>>, Error> {
    let started = Instant::now();
    let method = request.method().clone();
    let path = request.path().to_owned();
    let server = server(request.request()).ok().cloned();
    let handled = AssertUnwindSafe(next.call(request)).catch_unwind();
    let response = match deadline::within(REQUEST_TIMEOUT, handled).await {
        Ok(Ok(response)) => response?,
        Ok(Err(_)) => {
            tracing::error!(request_id = request_info.id, %method, path = shorten(&path), "handler panicked");
            return Err(AbortedRequest(values::Error::internal("handler panicked"), request_info).into());
        }
        Err(elapsed) => {
            tracing::error!(request_id = request_info.id, %method, path = shorten(&path), ?elapsed, "request took too long");
            let away = server.as_ref().is_some_and(|server| server.db().health().is_away());
            let dropped = AbortedRequest(timeout_error(elapsed, away), request_info);
            if let Some(server) = server {
                server.http().answers.record(&method, None, dropped.status_code(), started.elapsed());
            }
            return Err(dropped.into());
        }
    };
    let mut response = complete_refusal(response, &request_info);
    let headers = response.headers_mut();
    headers.insert(REQUEST_ID, HeaderValue::from_str(&request_info.id).expect("an id is hexadecimal"));
    if path.starts_with("/api/") && !headers.contains_key(CACHE_CONTROL) {
        headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    }
    let route = response.request().match_pattern();
    if let Some(server) = server {
        server.http().answers.record(&method, route.clone(), response.status(), started.elapsed());
    }
    let route = route.unwrap_or_else(|| shorten(&path));
    tracing::info!(
        request_id = request_info.id,
        %method,
        route,
        status = response.status().as_u16(),
        milliseconds = u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX),
    );
    Ok(response)
}

/// Returns the error of a request that took too long.
fn timeout_error(elapsed: Elapsed, away: bool) -> values::Error {
    match (elapsed.committed, away) {
        (true, _) => values::Error::OutcomeUnknown("cut off after a commit".to_owned()),
        (false, true) => codes::DATABASE_AWAY.into(),
        (false, false) => codes::TOOK_TOO_LONG.into(),
    }
}

/// Request that was aborted, so that no other middleware has processed its answer.
#[derive(Debug)]
struct AbortedRequest(values::Error, Request);

impl std::fmt::Display for AbortedRequest {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(f)
    }
}

impl ResponseError for AbortedRequest {
    fn status_code(&self) -> StatusCode {
        problem::status(self.0.code())
    }

    fn error_response(&self) -> HttpResponse {
        let Self(error, request_info) = self;
        let mut response = problem::answer(error, request_info.language, Some(&request_info.id));
        let headers = response.headers_mut();
        headers.insert(REQUEST_ID, HeaderValue::from_str(&request_info.id).expect("an id is hexadecimal"));
        headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
        security::protect(headers);
        response
    }
}

/// Shortens an arbitrary path for a log line.
fn shorten(path: &str) -> String {
    const LONGEST: usize = 100;
    let plain = |c: char| if c.is_ascii_graphic() { c } else { '?' };
    let mut shortened: String = path.chars().take(LONGEST).map(plain).collect();
    if path.chars().nth(LONGEST).is_some() {
        shortened.push('…');
    }
    shortened
}

/// Adds the request's language and id to a refusal; logs a cause that is not shown.
fn complete_refusal<B: MessageBody>(
    response: ServiceResponse<B>,
    request_info: &Request,
) -> ServiceResponse<EitherBody<B>> {
    let answer = match response.response().error() {
        Some(error) => match error.as_error::<Refusal>() {
            Some(Refusal(error)) => {
                if let Some(cause) = error.hidden_cause() {
                    tracing::error!(request_id = request_info.id, cause, "request failed");
                }
                Some(problem::answer(error, request_info.language, Some(&request_info.id)))
            }
            None => Some(from_actix_error(error.as_response_error(), request_info)),
        },
        None => None,
    };
    match answer {
        Some(answer) => {
            let old_headers = response.headers().clone();
            let mut response = response.into_response(answer).map_into_right_body();
            for (name, value) in old_headers {
                if !response.headers().contains_key(&name) {
                    response.headers_mut().append(name, value);
                }
            }
            response
        }
        None => response.map_into_left_body(),
    }
}

/// Converts an error of actix: its status, with our texts.
fn from_actix_error(error: &dyn ResponseError, request_info: &Request) -> HttpResponse {
    let code = match error.status_code() {
        StatusCode::NOT_FOUND => codes::NOT_FOUND,
        StatusCode::METHOD_NOT_ALLOWED => codes::METHOD_NOT_ALLOWED,
        StatusCode::REQUEST_TIMEOUT => codes::REQUEST_TIMEOUT,
        StatusCode::PAYLOAD_TOO_LARGE => {
            return problem::answer(
                &codes::BODY_TOO_LARGE.with("max", "1 MiB").into(),
                request_info.language,
                Some(&request_info.id),
            );
        }
        status if status.is_client_error() => codes::INVALID_INPUT,
        _ => {
            tracing::error!(request_id = request_info.id, cause = %error, "request failed");
            codes::UNEXPECTED
        }
    };
    problem::answer(&code.into(), request_info.language, Some(&request_info.id))
}

/// Returns the supported language that `Accept-Language` prefers; the first of several equal ones.
fn language(headers: &HeaderMap) -> Language {
    let accepted = headers.get(ACCEPT_LANGUAGE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let spoken = accepted.split(',').filter_map(|range| {
        let (tag, parameters) = range.split_once(';').unwrap_or((range, ""));
        let language = match tag.trim().to_ascii_lowercase().split(['-', '_']).next()? {
            "de" => Language::De,
            "en" => Language::En,
            _ => return None,
        };
        Some((language, quality(parameters)?))
    });
    let best = spoken
        .filter(|(_, quality)| *quality > 0)
        .reduce(|best, next| if next.1 > best.1 { next } else { best });
    best.map(|(language, _)| language).unwrap_or_default()
}

/// Parses a quality like `q=0.8` in thousandths; `None` if it is invalid.
fn quality(parameters: &str) -> Option<i64> {
    const BEST: i64 = 1_000;
    let mut parameters = parameters.split(';').filter_map(|parameter| parameter.split_once('='));
    let Some((_, quality)) = parameters.find(|(name, _)| name.trim().eq_ignore_ascii_case("q")) else {
        return Some(BEST);
    };
    let quality: Decimal = quality.trim().parse().ok()?;
    quality.fits(1, 3).then(|| quality.millionths() / BEST).filter(|quality| (0..=BEST).contains(quality))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_preferred_supported_language_is_chosen() {
        for (accepted, expected) in [
            ("", Language::De),
            ("fr", Language::De),
            ("en", Language::En),
            ("EN-gb", Language::En),
            ("en_US", Language::En),
            ("fr, en", Language::En),
            ("en, de", Language::En),
            ("de;q=0.5, en;q=0.8", Language::En),
            ("de;q=0.799, en;q=0.8", Language::En),
            ("de;q=0.8, en;q=0.8", Language::De),
            ("en;q=0.8,de;q=0.8", Language::En),
            ("en;q=0.9, de", Language::De),
            ("en ; Q=0.001 , de;q=0", Language::En),
            ("en;q=0", Language::De),
            ("en;q=1.000, de;q=0.999", Language::En),
            ("en;q=1.001", Language::De),
            ("en;q=-1", Language::De),
            ("en;q=x", Language::De),
            ("english, eng", Language::De),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert(ACCEPT_LANGUAGE, HeaderValue::from_str(accepted).unwrap());
            assert_eq!(language(&headers), expected, "{accepted}");
        }
    }

    #[test]
    fn logged_paths_are_shortened_and_escaped() {
        assert_eq!(shorten("/api/admin/nothing"), "/api/admin/nothing");
        assert_eq!(shorten("/a\nb\u{1b}[2J\u{202e}ä"), "/a?b?[2J??");
        let long = shorten(&"/x".repeat(4_000));
        assert_eq!((long.chars().count(), long.ends_with('…')), (101, true));
    }
}
