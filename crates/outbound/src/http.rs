//! HTTP client for URLs that users have entered: HTTPS only, one connection for each call, everything
//! limited.
//!
//! No proxies, no cookies, no compression. Redirects are off unless a caller allows them, and each is checked
//! like the first URL.

use std::time::Duration;

use http_body_util::{BodyExt, Full};
pub use hyper::{
    Method, StatusCode,
    body::Bytes,
    header::{self, HeaderMap, HeaderName, HeaderValue},
};
use hyper::{
    Request, Response,
    body::{Body, Incoming},
    client::conn::http1,
};
use hyper_util::rt::TokioIo;
use tokio::{task::JoinSet, time::timeout};
use url::{Position, Url};

use crate::{Failure, Host, Outbound, Tls};

/// Maximum length of a URL.
const URL_MAX: usize = 2048;
/// Maximum size of an answer's head.
const HEAD_BYTES_MAX: usize = 64 * 1024;
const HEADERS_MAX: usize = 100;
const HTTPS_PORT: u16 = 443;

/// URL that may be called: `https://`, without credentials and without a fragment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HttpsUrl(Url);

impl HttpsUrl {
    /// Parses a URL.
    ///
    /// # Errors
    /// [`Failure::InvalidUrl`] if it is too long, not `https://`, or has credentials or a fragment.
    pub fn parse(text: &str) -> Result<Self, Failure> {
        // The parser would remove line breaks and replace backslashes.
        let is_foreign = |c: char| c.is_control() || c.is_whitespace() || c == '\\';
        let begins = text
            .split_at_checked("https://".len())
            .is_some_and(|(scheme, rest)| scheme.eq_ignore_ascii_case("https://") && !rest.starts_with('/'));
        if text.len() > URL_MAX || text.contains(is_foreign) || !begins {
            return Err(Failure::InvalidUrl);
        }
        Self::checked(Url::parse(text).map_err(|_| Failure::InvalidUrl)?)
    }

    fn checked(url: Url) -> Result<Self, Failure> {
        let has_credentials = !url.username().is_empty() || url.password().is_some();
        let is_plain = url.scheme() == "https" && url.fragment().is_none() && url.port() != Some(0);
        if !is_plain || has_credentials || !url.has_host() { Err(Failure::InvalidUrl) } else { Ok(Self(url)) }
    }

    /// URL that an answer redirects to.
    fn join(&self, location: &HeaderValue) -> Result<Self, Failure> {
        self.resolve(location.to_str().map_err(|_| Failure::Redirected)?)
    }

    /// Resolves a reference in an answer against this URL.
    pub fn resolve(&self, reference: &str) -> Result<Self, Failure> {
        let mut url = self.0.join(reference).map_err(|_| Failure::Redirected)?;
        url.set_fragment(None);
        Self::checked(url).map_err(|_| Failure::Redirected)
    }

    /// The path without its query.
    pub fn path(&self) -> &str {
        self.0.path()
    }

    /// Host for messages.
    pub fn host(&self) -> &str {
        self.0.host_str().unwrap_or_default()
    }

    /// Address as text.
    pub fn as_str(&self) -> &str {
        self.0.as_str()
    }

    /// True if scheme, host and port are the same.
    pub fn is_same_origin(&self, other: &Self) -> bool {
        self.0.origin() == other.0.origin()
    }
}

/// HTTP request.
#[derive(Debug, Clone)]
pub struct Call {
    pub method: Method,
    pub url: HttpsUrl,
    pub headers: HeaderMap,
    pub body: Bytes,
}

/// Limits of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Maximum time without a byte from the other side.
    pub idle: Duration,
    /// Maximum time from resolving the name to the end of the body, including redirects.
    pub total: Duration,
    /// Maximum size of the body.
    pub bytes: usize,
    /// Maximum number of redirects that are followed, for GET and HEAD only.
    pub redirects: u8,
}

impl Default for Limits {
    fn default() -> Self {
        Self { idle: Duration::from_secs(10), total: Duration::from_mins(1), bytes: 10 << 20, redirects: 0 }
    }
}

/// Answer with any status.
#[derive(Debug, Clone)]
pub struct Answer {
    pub status: StatusCode,
    pub headers: HeaderMap,
    pub body: Vec<u8>,
}

/// Calls other systems. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Client {
    outbound: Outbound,
    tls: Tls,
}

impl Client {
    /// Creates a client.
    pub fn new(outbound: Outbound, tls: Tls) -> Self {
        Self { outbound, tls }
    }

    /// Sends a call and reads the whole answer.
    pub async fn send(&self, call: Call, limits: Limits) -> Result<Answer, Failure> {
        timeout(limits.total, self.follow(call, limits)).await.unwrap_or(Err(Failure::Silent))
    }

    async fn follow(&self, mut call: Call, limits: Limits) -> Result<Answer, Failure> {
        let mut followed = 0;
        loop {
            let answer = match self.exchange(&call, limits).await {
                // A forbidden host and an unreachable one give the same error.
                Err(Failure::Unreachable) if followed > 0 => return Err(Failure::Redirected),
                outcome => outcome?,
            };
            let Some(location) = location(&answer) else { return Ok(answer) };
            let is_reading = call.method == Method::GET || call.method == Method::HEAD;
            if followed >= limits.redirects || !is_reading {
                return Err(Failure::Redirected);
            }
            let url = call.url.join(location)?;
            if !url.is_same_origin(&call.url) {
                // Credentials are only for the host that they were entered for.
                call.headers.clear();
            }
            call.url = url;
            followed += 1;
        }
    }

    async fn exchange(&self, call: &Call, limits: Limits) -> Result<Answer, Failure> {
        let host = Host::from_url(&call.url.0)?;
        let stream = self.outbound.connect(&host, call.url.0.port().unwrap_or(HTTPS_PORT)).await?;
        let secured = timeout(limits.idle, self.tls.secure(stream, &host));
        let secured = secured.await.map_err(|_| Failure::Silent)??;
        let mut builder = http1::Builder::new();
        builder.max_buf_size(HEAD_BYTES_MAX).max_headers(HEADERS_MAX);
        let (mut sender, connection) =
            builder.handshake(TokioIo::new(secured)).await.map_err(|error| classify(&error))?;
        // Ends with this call in any case.
        let mut driver = JoinSet::new();
        driver.spawn(connection);
        let answer = timeout(limits.idle, sender.send_request(request(call)?)).await;
        let answer = answer.map_err(|_| Failure::Silent)?.map_err(|error| classify(&error))?;
        read(answer, limits).await
    }
}

fn request(call: &Call) -> Result<Request<Full<Bytes>>, Failure> {
    let url = &call.url.0;
    let authority = &url[Position::BeforeHost..Position::AfterPort];
    let mut request = Request::new(Full::new(call.body.clone()));
    *request.method_mut() = call.method.clone();
    *request.uri_mut() =
        url[Position::BeforePath..Position::AfterQuery].parse().map_err(|_| Failure::InvalidUrl)?;
    *request.headers_mut() = call.headers.clone();
    let headers = request.headers_mut();
    headers.insert(header::HOST, HeaderValue::try_from(authority).map_err(|_| Failure::InvalidUrl)?);
    headers.insert(header::USER_AGENT, HeaderValue::from_static("Stalhof"));
    headers.insert(header::ACCEPT_ENCODING, HeaderValue::from_static("identity"));
    Ok(request)
}

fn location(answer: &Answer) -> Option<&HeaderValue> {
    let redirects = [301, 302, 303, 307, 308].contains(&answer.status.as_u16());
    if redirects { answer.headers.get(header::LOCATION) } else { None }
}

async fn read(answer: Response<Incoming>, limits: Limits) -> Result<Answer, Failure> {
    let (head, mut incoming) = answer.into_parts();
    let encoding = head.headers.get(header::CONTENT_ENCODING);
    if encoding.is_some_and(|encoding| encoding != "identity") {
        return Err(Failure::Unreadable);
    }
    let too_large = Failure::TooLarge(limits.bytes);
    if incoming.size_hint().lower() > limits.bytes as u64 {
        return Err(too_large);
    }
    let mut body = Vec::new();
    while let Some(frame) = timeout(limits.idle, incoming.frame()).await.map_err(|_| Failure::Silent)? {
        let frame = frame.map_err(|error| classify(&error))?;
        let Some(data) = frame.data_ref() else { continue };
        if body.len() + data.len() > limits.bytes {
            return Err(too_large);
        }
        body.extend_from_slice(data);
    }
    Ok(Answer { status: head.status, headers: head.headers, body })
}

fn classify(error: &hyper::Error) -> Failure {
    if error.is_parse() { Failure::Unreadable } else { Failure::Interrupted }
}

#[cfg(test)]
pub(crate) mod tests;
