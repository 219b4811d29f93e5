//! Browser security: headers on every answer, and the anti-forgery token for unsafe calls.

use actix_web::{
    HttpMessage, HttpRequest,
    body::MessageBody,
    cookie::{Cookie, SameSite},
    dev::{ServiceRequest, ServiceResponse},
    http::{
        StatusCode,
        header::{CONTENT_SECURITY_POLICY, HeaderMap, HeaderName, HeaderValue, ORIGIN},
    },
    middleware::Next,
};
use values::Result;

use crate::{
    codes,
    context::{server, xsrf_key},
    problem::Refusal,
};

const XSRF_COOKIE: &str = "XSRF-TOKEN";
const XSRF_HEADER: &str = "x-xsrf-token";

const HEADERS: [(&str, &str); 6] = [
    ("x-content-type-options", "nosniff"),
    ("referrer-policy", "no-referrer"),
    ("cross-origin-opener-policy", "same-origin"),
    ("cross-origin-resource-policy", "same-origin"),
    ("permissions-policy", "camera=(), geolocation=(), microphone=()"),
    ("strict-transport-security", "max-age=31536000; includeSubDomains"),
];

/// Policy of answers without their own one, such as data and files: nothing is allowed.
const DENY_ALL_POLICY: &str = "default-src 'none'; frame-ancestors 'none'; sandbox";

/// Session that a call has opened, stored for this middleware.
pub struct OpenedSessionToken(pub String);

/// Checks the XSRF token of calls by browsers, and adds the security headers to every answer.
pub async fn middleware(
    request: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
) -> Result<ServiceResponse<impl MessageBody>, actix_web::Error> {
    let refused = forged(request.request()).await.map_err(Refusal::from)?;
    let mut response = if refused {
        let refusal = actix_web::Error::from(Refusal::from(codes::CSRF_MISMATCH));
        request.error_response(refusal).map_into_right_body()
    } else {
        next.call(request).await?.map_into_left_body()
    };
    if let Some(value) = fresh_value(&response, refused).await {
        let cookie = xsrf_cookie(response.request(), value);
        response.response_mut().add_cookie(&cookie)?;
    }
    protect(response.headers_mut());
    Ok(response)
}

/// Adds the security headers to an answer.
pub(crate) fn protect(headers: &mut HeaderMap) {
    for (name, value) in HEADERS {
        headers.insert(HeaderName::from_static(name), HeaderValue::from_static(value));
    }
    if !headers.contains_key(CONTENT_SECURITY_POLICY) {
        headers.insert(CONTENT_SECURITY_POLICY, HeaderValue::from_static(DENY_ALL_POLICY));
    }
}

/// True for an unsafe call from a browser that does not come from our own pages. Programs, which send none of
/// a browser's headers, have no cookies that could be abused. A personal access token is never sent
/// automatically either: a browser sends it only if our page for trying the API has set it.
async fn forged(request: &HttpRequest) -> Result<bool> {
    let headers = request.headers();
    let by_token = text(headers, "authorization").is_some_and(|header| header.starts_with("Bearer pat_"));
    if request.method().is_safe() || by_token || !is_browser(headers) {
        return Ok(false);
    }
    let same_site = match (text(headers, "sec-fetch-site"), text(headers, "origin")) {
        (Some(site), _) => matches!(site, "same-origin" | "none"),
        (None, origin) => {
            let origin = origin.and_then(|origin| origin.split_once("://")).map(|(_, origin)| origin);
            origin.is_some() && origin == text(headers, "host")
        }
    };
    let cookie = request.cookie(XSRF_COOKIE);
    let repeated = cookie.filter(|cookie| Some(cookie.value()) == text(headers, XSRF_HEADER));
    let Some(repeated) = repeated.filter(|_| same_site) else { return Ok(true) };
    let key = xsrf_key(&***server(request)?).await?;
    Ok(!key.confirms(session(headers), repeated.value()))
}

fn is_browser(headers: &HeaderMap) -> bool {
    headers.contains_key("sec-fetch-site") || headers.contains_key(ORIGIN)
}

/// Returns the session token of a call.
fn session(headers: &HeaderMap) -> Option<&str> {
    text(headers, "authorization")?.strip_prefix("Bearer ").filter(|token| token.starts_with("ses_"))
}

/// Returns the anti-forgery value that a browser needs for its next call and does not have yet: after a
/// refusal, when a session begins, and with pages and calls of the UI. Requests for pages carry no session,
/// so they do not change the value.
async fn fresh_value<B>(response: &ServiceResponse<B>, refused: bool) -> Option<String> {
    let request = response.request();
    let headers = request.headers();
    let opened =
        request.extensions().get::<OpenedSessionToken>().map(|OpenedSessionToken(token)| token.clone());
    let token = opened.as_deref().or(session(headers));
    let cookie = request.cookie(XSRF_COOKIE);
    let is_of_use = if opened.is_some() {
        is_browser(headers)
    } else {
        refused
            || wants_cookie(request)
                && (cookie.is_none() || token.is_some() && response.status() != StatusCode::UNAUTHORIZED)
    };
    if !is_of_use {
        return None;
    }
    // reading works without the database
    let key = xsrf_key(&***server(request).ok()?).await.ok()?;
    let is_good = cookie.is_some_and(|cookie| key.confirms(token, cookie.value()));
    if is_good { None } else { key.value(token).ok() }
}

fn text<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    headers.get(name).and_then(|value| value.to_str().ok())
}

/// True for pages and calls of the UI, not for files.
fn wants_cookie(request: &HttpRequest) -> bool {
    let is_file = ["/assets/", "/help/"].iter().any(|folder| request.path().starts_with(folder));
    request.method().is_safe() && !is_file
}

fn xsrf_cookie(request: &HttpRequest, value: String) -> Cookie<'static> {
    let secure = server(request).is_ok_and(|server| server.is_public_over_https());
    Cookie::build(XSRF_COOKIE, value).path("/").same_site(SameSite::Strict).secure(secure).finish()
}
