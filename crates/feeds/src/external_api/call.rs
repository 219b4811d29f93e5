//! Calls of external APIs: requests with their proof, answers within bounds, and failures as a closed list of
//! sentences.

use std::time::Duration;

use base64::{Engine, engine::general_purpose::STANDARD};
use chrono::{DateTime, Utc};
use outbound::{
    Outbound, Tls,
    http::{
        Answer, Bytes, Call, Client, HeaderMap, HeaderName, HeaderValue, HttpsUrl, Limits, Method, header,
    },
};
use secrets::{ExposeSecret, SecretString};
use tokio::time::Instant;
use values::{Message, Result, now};

use super::{
    oauth::{TokenCache, token_key},
    target::{ApiCredential, ApiTarget, ClientCredentials},
    template::encoded,
};
use crate::codes;

/// Maximum number of bytes of all pages of an answer.
pub const BYTES_MAX: usize = 10 << 20;
/// Maximum number of pages of an answer.
pub const PAGES_MAX: usize = 20;
/// The longest pause that another system can ask for.
pub const PAUSE_MAX: Duration = Duration::from_hours(1);
/// The largest answer of a token server.
const TOKEN_BYTES_MAX: usize = 64 * 1024;
/// The longest `ETag` that is remembered.
const TAG_MAX: usize = 255;
/// Text in place of a secret.
const MASK: &str = "••••";

/// A request without its proof.
#[derive(Debug, Clone)]
pub struct ApiRequest {
    pub method: Method,
    pub url: HttpsUrl,
    /// JSON.
    pub body: Option<String>,
    /// `ETag` of the stored answer, so that an unchanged one is not sent again.
    pub if_none_match: Option<String>,
}

impl ApiRequest {
    /// A request for an address.
    pub fn get(url: HttpsUrl) -> Self {
        Self { method: Method::GET, url, body: None, if_none_match: None }
    }
}

/// An answer with its duration.
#[derive(Debug, Clone)]
pub struct ApiAnswer {
    pub answer: Answer,
    pub duration: Duration,
}

/// The reason why a call has brought nothing.
#[derive(Debug, Clone)]
pub struct ApiFailure {
    pub message: Message,
    /// Pause that the other system requests, at most an hour.
    pub retry_after: Option<Duration>,
}

impl From<Message> for ApiFailure {
    fn from(message: Message) -> Self {
        Self { message, retry_after: None }
    }
}

/// Caller of external APIs, with a cache of their tokens.
#[derive(Debug, Default)]
pub struct ApiCaller {
    tokens: TokenCache,
}

/// Header for display, with secrets masked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HeaderSample {
    pub name: String,
    pub value: String,
}

impl ApiCaller {
    /// Sends a request, and once more with a new token if the one in memory is refused. All of it ends at the
    /// deadline.
    ///
    /// # Errors No answer in time, or no token. An answer with any status is an answer.
    pub async fn send(
        &self,
        outbound: &Outbound,
        target: &ApiTarget,
        request: &ApiRequest,
        deadline: Instant,
        bytes: usize,
    ) -> Result<ApiAnswer, ApiFailure> {
        let began = Instant::now();
        let client = client(outbound, target)?;
        let exchange = Exchange { caller: self, client: &client, target, request, deadline, bytes };
        let answer = exchange.run().await?;
        Ok(ApiAnswer { answer, duration: began.elapsed() })
    }
}

impl ApiCaller {
    /// The secrets that calls of a server carry.
    pub(super) fn secrets(&self, target: &ApiTarget) -> Vec<SecretString> {
        match &target.credential {
            ApiCredential::None => Vec::new(),
            ApiCredential::Basic { username, password } => {
                let header = STANDARD.encode(format!("{username}:{}", password.expose_secret()));
                vec![password.clone(), header.into()]
            }
            ApiCredential::Bearer(secret) | ApiCredential::Header { value: secret, .. } => {
                vec![secret.clone()]
            }
            ApiCredential::Oauth2(credentials) => {
                let token = self.tokens.get(&token_key(target.tenant, credentials));
                std::iter::once(credentials.client_secret.clone()).chain(token).collect()
            }
        }
    }
}

/// One request with all that it needs.
struct Exchange<'a> {
    caller: &'a ApiCaller,
    client: &'a Client,
    target: &'a ApiTarget,
    request: &'a ApiRequest,
    deadline: Instant,
    bytes: usize,
}

impl Exchange<'_> {
    async fn run(&self) -> Result<Answer, ApiFailure> {
        let ApiCredential::Oauth2(credentials) = &self.target.credential else {
            return self.send(None).await;
        };
        let tokens = &self.caller.tokens;
        let key = token_key(self.target.tenant, credentials);
        let cached = tokens.get(&key);
        let token = match &cached {
            Some(token) => token.clone(),
            None => self.fetch_token(key, credentials).await?,
        };
        let answer = self.send(Some(&token)).await?;
        if answer.status.as_u16() != 401 {
            return Ok(answer);
        }
        tokens.forget(&key, &token);
        if cached.is_none() {
            return Ok(answer);
        }
        let token = self.fetch_token(key, credentials).await?;
        self.send(Some(&token)).await
    }

    async fn send(&self, token: Option<&SecretString>) -> Result<Answer, ApiFailure> {
        let ApiRequest { method, url, body, .. } = self.request;
        let call = Call {
            method: method.clone(),
            url: url.clone(),
            headers: headers(self.target, self.request, token),
            body: body.clone().map(Bytes::from).unwrap_or_default(),
        };
        self.send_call(call, self.bytes).await
    }

    async fn send_call(&self, call: Call, bytes: usize) -> Result<Answer, ApiFailure> {
        let host = call.url.host().to_owned();
        let remaining = self.deadline.saturating_duration_since(Instant::now());
        let limits = Limits { idle: remaining, total: remaining, bytes, redirects: 0 };
        let answer = self.client.send(call, limits).await;
        answer.map_err(|failure| failure.message(&host).into())
    }

    /// Fetches a token (RFC 6749, section 4.4), with the client's password in the header.
    async fn fetch_token(
        &self,
        key: [u8; 32],
        credentials: &ClientCredentials,
    ) -> Result<SecretString, ApiFailure> {
        let ClientCredentials { token_url, client_id, client_secret, scope } = credentials;
        let mut headers = HeaderMap::new();
        let (user, secret) = (form_encoded(client_id), form_encoded(client_secret.expose_secret()));
        headers.insert(header::AUTHORIZATION, basic(&user, &secret));
        let form = HeaderValue::from_static("application/x-www-form-urlencoded");
        headers.insert(header::CONTENT_TYPE, form);
        headers.insert(header::ACCEPT, HeaderValue::from_static("application/json"));
        let scope = scope.as_ref().map(|scope| format!("&scope={}", form_encoded(scope)));
        let body = format!("grant_type=client_credentials{}", scope.unwrap_or_default());
        let call = Call { method: Method::POST, url: token_url.clone(), headers, body: body.into() };
        let failed = |reason: Message| {
            Message::from(codes::API_TOKEN_FAILED).with("host", token_url.host()).message("reason", reason)
        };
        let answer = self.send_call(call, TOKEN_BYTES_MAX).await;
        let answer = answer.map_err(|failure| ApiFailure { message: failed(failure.message), ..failure })?;
        check_status(&answer, token_url, now())
            .map_err(|failure| ApiFailure { message: failed(failure.message), ..failure })?;
        let token = self.caller.tokens.store_answer(key, &answer.body);
        token.ok_or_else(|| failed(codes::API_TOKEN_UNREADABLE.into()).into())
    }
}

/// The client that trusts the authorities of the settings.
fn client(outbound: &Outbound, target: &ApiTarget) -> Result<Client, ApiFailure> {
    let tls = match &target.authorities {
        Some(authorities) => Tls::with_authorities(authorities.as_bytes())
            .map_err(|_| Message::from(codes::AUTHORITY_INVALID))?,
        None => Tls::default(),
    };
    Ok(Client::new(outbound.clone(), tls))
}

fn headers(target: &ApiTarget, request: &ApiRequest, token: Option<&SecretString>) -> HeaderMap {
    let mut headers = HeaderMap::new();
    headers.insert(header::ACCEPT, HeaderValue::from_static("application/json"));
    if request.body.is_some() {
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    }
    if let Some(tag) = &request.if_none_match
        && let Ok(value) = HeaderValue::from_str(tag)
    {
        headers.insert(header::IF_NONE_MATCH, value);
    }
    let bearer = |token: &SecretString| sensitive(&format!("Bearer {}", token.expose_secret()));
    let proof = match &target.credential {
        ApiCredential::None => None,
        ApiCredential::Basic { username, password } => {
            Some((header::AUTHORIZATION, basic(username, password.expose_secret())))
        }
        ApiCredential::Bearer(token) => Some((header::AUTHORIZATION, bearer(token))),
        ApiCredential::Header { name, value } => {
            let name = HeaderName::from_bytes(name.as_bytes()).ok();
            name.map(|name| (name, sensitive(value.expose_secret())))
        }
        ApiCredential::Oauth2(_) => token.map(|token| (header::AUTHORIZATION, bearer(token))),
    };
    if let Some((name, value)) = proof {
        headers.insert(name, value);
    }
    headers
}

/// Headers of a request for display, with secrets masked.
pub fn masked_headers(target: &ApiTarget, request: &ApiRequest) -> Vec<HeaderSample> {
    let placeholder = SecretString::from(String::new());
    let headers = headers(target, request, Some(&placeholder));
    let proof = match &target.credential {
        ApiCredential::None => None,
        ApiCredential::Header { name, .. } => Some((name.to_lowercase(), MASK.to_owned())),
        ApiCredential::Basic { .. } => Some(("authorization".to_owned(), format!("Basic {MASK}"))),
        ApiCredential::Bearer(_) | ApiCredential::Oauth2(_) => {
            Some(("authorization".to_owned(), format!("Bearer {MASK}")))
        }
    };
    let samples = headers.iter().map(|(name, value)| {
        let masked = proof.as_ref().filter(|(proof, _)| proof == name.as_str());
        let value = match masked {
            Some((_, mask)) => mask.clone(),
            None => value.to_str().unwrap_or_default().to_owned(),
        };
        HeaderSample { name: name.to_string(), value }
    });
    samples.collect()
}

/// Rejects an answer without a success status.
///
/// # Errors
/// A message about the status, with the pause that the answer requests.
pub fn check_status(answer: &Answer, url: &HttpsUrl, now: DateTime<Utc>) -> Result<(), ApiFailure> {
    let status = answer.status.as_u16();
    let code = match status {
        200..=299 => return Ok(()),
        401 | 403 => codes::API_REFUSED,
        429 => codes::API_THROTTLED,
        404 => codes::API_NOT_FOUND,
        500..=599 => codes::API_DOWN,
        _ => codes::API_STATUS,
    };
    let message = code.with("host", url.host()).with("status", status);
    Err(ApiFailure { message, retry_after: retry_after(&answer.headers, now) })
}

/// The `ETag` of an answer (RFC 9110), for `If-None-Match`; `None` for one that is too long to be remembered.
pub fn entity_tag(headers: &HeaderMap) -> Option<String> {
    let tag = headers.get(header::ETAG)?.to_str().ok()?.trim();
    let is_quoted = tag.trim_start_matches("W/").starts_with('"') && tag.len() > 2 && tag.ends_with('"');
    (is_quoted && tag.len() <= TAG_MAX).then(|| tag.to_owned())
}

/// Pause in `Retry-After`, in seconds or as a date.
fn retry_after(headers: &HeaderMap, now: DateTime<Utc>) -> Option<Duration> {
    let text = headers.get(header::RETRY_AFTER)?.to_str().ok()?.trim();
    let pause = if let Ok(seconds) = text.parse::<u64>() {
        Duration::from_secs(seconds)
    } else {
        let until = DateTime::parse_from_rfc2822(text).ok()?;
        (until.with_timezone(&Utc) - now).to_std().unwrap_or_default()
    };
    Some(pause.min(PAUSE_MAX))
}

/// The address of the next page in the header `Link` (RFC 8288).
pub fn next_link(headers: &HeaderMap) -> Option<&str> {
    let links = headers.get_all(header::LINK).iter().filter_map(|value| value.to_str().ok());
    links.flat_map(|text| text.split('<').skip(1)).find_map(|link| {
        let (url, parameters) = link.split_once('>')?;
        let is_next = parameters.split(';').any(|parameter| {
            let Some((name, value)) = parameter.split_once('=') else { return false };
            let value = value.trim().trim_end_matches(',').trim().trim_matches('"');
            name.trim().eq_ignore_ascii_case("rel")
                && value.split_whitespace().any(|relation| relation.eq_ignore_ascii_case("next"))
        });
        is_next.then_some(url)
    })
}

/// The address of a next page, which has to be of the same origin as the base URL.
///
/// # Errors
/// [`codes::API_PAGE_ELSEWHERE`] for any other.
pub fn next_page(target: &ApiTarget, current: &HttpsUrl, reference: &str) -> Result<HttpsUrl, Message> {
    let next = current.resolve(reference).ok().filter(|next| next.is_same_origin(&target.base_url));
    next.ok_or_else(|| codes::API_PAGE_ELSEWHERE.with("host", target.base_url.host()))
}

fn basic(username: &str, password: &str) -> HeaderValue {
    sensitive(&format!("Basic {}", STANDARD.encode(format!("{username}:{password}"))))
}

/// A header value that logs do not show. A text that fits no header is left out, and refused by the other side.
fn sensitive(text: &str) -> HeaderValue {
    let mut value = HeaderValue::from_bytes(text.as_bytes()).unwrap_or(HeaderValue::from_static(""));
    value.set_sensitive(true);
    value
}

fn form_encoded(text: &str) -> String {
    encoded(text).replace("%20", "+")
}

#[cfg(test)]
mod tests {
    use outbound::http::StatusCode;

    use super::*;

    fn with(name: HeaderName, value: &str) -> HeaderMap {
        HeaderMap::from_iter([(name, HeaderValue::from_str(value).unwrap())])
    }

    #[test]
    fn retry_after_is_read_in_seconds_or_as_a_date_and_bounded() {
        let now = DateTime::parse_from_rfc3339("2026-11-28T12:00:00Z").unwrap().with_timezone(&Utc);
        for (text, expected) in [
            ("7", Some(7)),
            ("0", Some(0)),
            ("Sat, 28 Nov 2026 12:01:30 GMT", Some(90)),
            ("Sat, 28 Nov 2026 11:00:00 GMT", Some(0)),
            ("99999999", Some(3600)),
            ("-1", None),
            ("soon", None),
            ("99999999999999999999999", None),
        ] {
            let pause = retry_after(&with(header::RETRY_AFTER, text), now);
            assert_eq!(pause, expected.map(Duration::from_secs), "{text}");
        }
    }

    #[test]
    fn the_next_page_is_found_in_links_and_stays_at_its_origin() {
        for (link, expected) in [
            ("<https://erp.example/a?page=2>; rel=\"next\"", Some("https://erp.example/a?page=2")),
            ("</a?p=1>; rel=\"prev\", </a?p=3>; rel=next", Some("/a?p=3")),
            ("</a>; title=\"x\"; rel=\"last next\"", Some("/a")),
            ("</a>; rel=\"last\"", None),
            ("nonsense", None),
        ] {
            assert_eq!(next_link(&with(header::LINK, link)), expected, "{link}");
        }
        let target = ApiTarget {
            base_url: HttpsUrl::parse("https://erp.example/api").unwrap(),
            credential: ApiCredential::None,
            authorities: None,
            timeout: Duration::from_secs(1),
            tenant: values::TenantId(1),
        };
        let current = HttpsUrl::parse("https://erp.example/api/a?page=1").unwrap();
        let next =
            |reference: &str| next_page(&target, &current, reference).map(|url| url.as_str().to_owned());
        assert_eq!(next("?page=2").unwrap(), "https://erp.example/api/a?page=2");
        assert_eq!(next("https://erp.example/b").unwrap(), "https://erp.example/b");
        for elsewhere in
            ["https://other.example/", "http://erp.example/", "//other.example", "https://erp.example:444/"]
        {
            assert_eq!(next(elsewhere).unwrap_err().code, codes::API_PAGE_ELSEWHERE, "{elsewhere}");
        }
    }

    #[test]
    fn each_status_has_its_error_code() {
        let url = HttpsUrl::parse("https://erp.example/").unwrap();
        let code = |status: u16| {
            let status = StatusCode::from_u16(status).unwrap();
            let answer = Answer { status, headers: HeaderMap::new(), body: Vec::new() };
            check_status(&answer, &url, now()).err().map(|failure| failure.message.code)
        };
        for (status, expected) in [
            (200, None),
            (204, None),
            (304, Some(codes::API_STATUS)),
            (401, Some(codes::API_REFUSED)),
            (403, Some(codes::API_REFUSED)),
            (404, Some(codes::API_NOT_FOUND)),
            (429, Some(codes::API_THROTTLED)),
            (503, Some(codes::API_DOWN)),
        ] {
            assert_eq!(code(status), expected, "{status}");
        }
    }

    #[test]
    fn shown_headers_contain_no_secret() {
        let secret = || SecretString::from("geheim-7391".to_owned());
        let url = HttpsUrl::parse("https://erp.example/").unwrap();
        let credentials = ClientCredentials {
            token_url: url.clone(),
            client_id: "nord".into(),
            client_secret: secret(),
            scope: None,
        };
        for credential in [
            ApiCredential::Basic { username: "nord".into(), password: secret() },
            ApiCredential::Bearer(secret()),
            ApiCredential::Header { name: "X-Api-Key".into(), value: secret() },
            ApiCredential::Oauth2(credentials),
        ] {
            let target = ApiTarget {
                base_url: url.clone(),
                credential,
                authorities: None,
                timeout: Duration::from_secs(1),
                tenant: values::TenantId(1),
            };
            let request =
                ApiRequest { method: Method::POST, body: Some("{}".into()), ..ApiRequest::get(url.clone()) };
            let text = format!("{:?}", masked_headers(&target, &request));
            assert!(text.contains(MASK) && !text.contains("geheim"), "{text}");
            assert!(!text.contains(&STANDARD.encode("nord:geheim-7391")), "{text}");
            assert!(!format!("{target:?}").contains("geheim"));
        }
    }
}
