//! What a browser is told and asked for: headers on every answer, and the anti-forgery token on unsafe calls.

use actix_web::{
    HttpRequest,
    body::MessageBody,
    cookie::{Cookie, SameSite},
    dev::{ServiceRequest, ServiceResponse},
    http::header::{CONTENT_SECURITY_POLICY, HOST, HeaderMap, HeaderName, HeaderValue, ORIGIN},
    middleware::Next,
    web,
};
use identity::secret::Secret;
use kernel::{Code, Result};

use crate::{app::State, http::problem::Refusal};

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

/// What an answer without its own policy, data and files, may do in a browser: nothing.
const NOTHING: &str = "default-src 'none'; frame-ancestors 'none'; sandbox";

pub async fn middleware(
    request: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
) -> Result<ServiceResponse<impl MessageBody>, actix_web::Error> {
    let refused = forged(request.request());
    let fresh = request.cookie(XSRF_COOKIE).is_none();
    let mut response = if refused {
        let refusal = actix_web::Error::from(Refusal::from(Code::CsrfMismatch));
        request.error_response(refusal).map_into_right_body()
    } else {
        next.call(request).await?.map_into_left_body()
    };
    if refused || fresh && wants_cookie(response.request()) {
        let cookie = xsrf_cookie(response.request()).map_err(Refusal::from)?;
        response.response_mut().add_cookie(&cookie)?;
    }
    protect(response.headers_mut());
    Ok(response)
}

/// What every answer tells a browser.
pub(crate) fn protect(headers: &mut HeaderMap) {
    for (name, value) in HEADERS {
        headers.insert(HeaderName::from_static(name), HeaderValue::from_static(value));
    }
    if !headers.contains_key(CONTENT_SECURITY_POLICY) {
        headers.insert(CONTENT_SECURITY_POLICY, HeaderValue::from_static(NOTHING));
    }
}

/// An unsafe call from a browser that does not come from our own pages. Programs, which send none of a browser's
/// headers, carry no cookies that could be abused. Nor does a personal access token come along unasked: a browser sends it
/// only where a page of ours has put it, the one for trying the API.
fn forged(request: &HttpRequest) -> bool {
    let headers = request.headers();
    let by_token = text(headers, "authorization").is_some_and(|header| header.starts_with("Bearer pat_"));
    if request.method().is_safe() || by_token {
        return false;
    }
    let site = text(headers, "sec-fetch-site");
    let origin = headers.get(ORIGIN).and_then(|value| value.to_str().ok());
    if site.is_none() && origin.is_none() {
        return false;
    }
    let same_site = match (site, origin) {
        (Some(site), _) => matches!(site, "same-origin" | "none"),
        (None, Some(origin)) => {
            let host = headers.get(HOST).and_then(|value| value.to_str().ok());
            origin.split_once("://").map(|(_, origin)| origin) == host
        }
        (None, None) => true,
    };
    let cookie = request.cookie(XSRF_COOKIE);
    let repeated = text(headers, XSRF_HEADER);
    let confirmed =
        cookie.is_some_and(|cookie| !cookie.value().is_empty() && Some(cookie.value()) == repeated);
    !(same_site && confirmed)
}

fn text<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    headers.get(name).and_then(|value| value.to_str().ok())
}

/// Pages and the first call of the UI; not every file.
fn wants_cookie(request: &HttpRequest) -> bool {
    request.method().is_safe() && !request.path().starts_with("/assets/")
}

fn xsrf_cookie(request: &HttpRequest) -> Result<Cookie<'static>> {
    let secret = Secret::new("")?;
    let secure = request
        .app_data::<web::Data<State>>()
        .is_some_and(|state| state.settings.public_url().starts_with("https:"));
    Ok(Cookie::build(XSRF_COOKIE, secret.text).path("/").same_site(SameSite::Strict).secure(secure).finish())
}
