//! A bucket of a service that speaks S3.

use std::{error::Error as _, io, str::FromStr, sync::Arc, time::Duration};

use futures_util::stream::try_unfold;
use http_body_util::{BodyExt, StreamBody};
use hyper_rustls::{HttpsConnector, HttpsConnectorBuilder};
use hyper_util::{
    client::legacy::{Client, Error as ClientError, connect::HttpConnector as TcpConnector},
    rt::{TokioExecutor, TokioTimer},
};
use object_store::{
    BackoffConfig, ClientOptions, ObjectStore, RetryConfig,
    aws::AmazonS3Builder,
    client::{
        HttpClient, HttpConnector, HttpError, HttpErrorKind, HttpRequest, HttpRequestBody, HttpResponse,
        HttpResponseBody, HttpService,
    },
    path::Path,
    prefix::PrefixStore,
};
use secrecy::{ExposeSecret, SecretString};
use tokio::time::timeout;
use tokio_rustls::rustls::ClientConfig;
use values::{Error, Result};

/// Timeout of a connection.
const CONNECT_WITHIN: Duration = Duration::from_secs(2);
/// Timeout until an answer begins; a user's request waits at most ten seconds.
const ANSWER_WITHIN: Duration = Duration::from_secs(4);
/// Same for a call that sends a part of a file.
const STORED_WITHIN: Duration = Duration::from_secs(10);
/// Maximum time without a byte of an answer that has begun.
const IDLE: Duration = Duration::from_secs(4);
/// Idle connections are closed earlier than servers usually do it.
const UNUSED: Duration = Duration::from_secs(15);
/// Maximum time after the first attempt at which another one may begin.
const RETRY_WITHIN: Duration = Duration::from_secs(4);
const RETRIES: usize = 3;

/// The address of a bucket, and of a prefix in it: `s3://bucket/prefix`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BucketAddress {
    bucket: String,
    prefix: Path,
}

impl FromStr for BucketAddress {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let expected = || "expected is an address like s3://bucket/prefix".to_owned();
        let rest = text.strip_prefix("s3://").ok_or_else(expected)?;
        let (bucket, prefix) = rest.split_once('/').unwrap_or((rest, ""));
        let is_name = |name: &str| {
            name.len() >= 3
                && name.bytes().all(|byte| {
                    byte.is_ascii_lowercase() || byte.is_ascii_digit() || matches!(byte, b'-' | b'.')
                })
        };
        let is_plain = |prefix: &str| {
            prefix
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.' | b'/'))
        };
        if !is_name(bucket) || !is_plain(prefix) {
            return Err(expected());
        }
        let prefix = Path::parse(prefix).map_err(|_| expected())?;
        Ok(Self { bucket: bucket.to_owned(), prefix })
    }
}

impl std::fmt::Display for BucketAddress {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "s3://{}/{}", self.bucket, self.prefix)
    }
}

/// Bucket with its service and credentials. Missing values come from the environment (`AWS_…`).
#[derive(Debug, Clone)]
pub struct Bucket {
    pub address: BucketAddress,
    pub region: Option<String>,
    /// The address of a service that is not Amazon's.
    pub endpoint: Option<String>,
    pub access_key_id: Option<String>,
    pub secret_access_key: Option<SecretString>,
    /// The verification of the service's certificate.
    pub tls: Arc<ClientConfig>,
}

impl Bucket {
    /// Opens the bucket. Nothing is sent.
    pub(crate) fn open(&self) -> Result<Arc<dyn ObjectStore>> {
        let mut builder = AmazonS3Builder::from_env()
            .with_bucket_name(&self.address.bucket)
            .with_http_connector(Connector(self.tls.clone()))
            .with_retry(RetryConfig {
                backoff: BackoffConfig { max_backoff: Duration::from_secs(1), ..BackoffConfig::default() },
                max_retries: RETRIES,
                retry_timeout: RETRY_WITHIN,
            });
        if let Some(region) = &self.region {
            builder = builder.with_region(region);
        }
        if let Some(endpoint) = &self.endpoint {
            builder = builder.with_endpoint(endpoint.trim_end_matches('/'));
        }
        if let (Some(id), Some(secret)) = (&self.access_key_id, &self.secret_access_key) {
            builder = builder.with_access_key_id(id).with_secret_access_key(secret.expose_secret());
        }
        let store = builder
            .build()
            .map_err(|error| Error::internal(format!("cannot use {}: {error}", self.address)))?;
        Ok(Arc::new(PrefixStore::new(store, self.address.prefix.clone())))
    }
}

/// Reason why a bucket cannot be used, without the long answer of its service.
pub(crate) fn reason(error: &object_store::Error) -> String {
    use object_store::Error::{NotFound, PermissionDenied, Unauthenticated};
    match error {
        PermissionDenied { .. } | Unauthenticated { .. } => {
            "access is denied; check AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and what they may do".to_owned()
        }
        NotFound { .. } => "there is no such bucket".to_owned(),
        error => error.to_string(),
    }
}

/// True if not only the file but the whole bucket is missing.
pub(crate) fn lacks_bucket(error: &object_store::Error) -> bool {
    error.source().is_some_and(|source| source.to_string().contains("<Code>NoSuchBucket</Code>"))
}

/// Creates HTTP clients with the same TLS as for other systems, and timeouts for each step.
#[derive(Debug)]
struct Connector(Arc<ClientConfig>);

impl HttpConnector for Connector {
    fn connect(&self, _: &ClientOptions) -> object_store::Result<HttpClient> {
        let mut tcp = TcpConnector::new();
        tcp.enforce_http(false);
        tcp.set_nodelay(true);
        tcp.set_connect_timeout(Some(CONNECT_WITHIN));
        let https = HttpsConnectorBuilder::new()
            .with_tls_config((*self.0).clone())
            .https_or_http()
            .enable_http1()
            .wrap_connector(tcp);
        let client = Client::builder(TokioExecutor::new())
            .pool_timer(TokioTimer::new())
            .pool_idle_timeout(UNUSED)
            .build(https);
        Ok(HttpClient::new(Calls(client)))
    }
}

#[derive(Debug)]
struct Calls(Client<HttpsConnector<TcpConnector>, HttpRequestBody>);

#[async_trait::async_trait]
impl HttpService for Calls {
    async fn call(&self, request: HttpRequest) -> Result<HttpResponse, HttpError> {
        let within = if request.body().content_length() == 0 { ANSWER_WITHIN } else { STORED_WITHIN };
        let answer = timeout(within, self.0.request(request)).await.map_err(|_| silent())?;
        let (head, body) = answer.map_err(|error| failed(&error))?.into_parts();
        let frames = try_unfold(body, async |mut body| {
            match timeout(IDLE, body.frame()).await.map_err(|_| silent())? {
                Some(Ok(frame)) => Ok(Some((frame, body))),
                Some(Err(error)) => {
                    Err(HttpError::new(HttpErrorKind::Interrupted, io::Error::other(chain(&error))))
                }
                None => Ok(None),
            }
        });
        Ok(HttpResponse::from_parts(head, HttpResponseBody::new(StreamBody::new(frames))))
    }
}

fn silent() -> HttpError {
    HttpError::new(HttpErrorKind::Timeout, io::Error::from(io::ErrorKind::TimedOut))
}

fn failed(error: &ClientError) -> HttpError {
    let kind = if error.is_connect() { HttpErrorKind::Connect } else { HttpErrorKind::Interrupted };
    HttpError::new(kind, io::Error::other(chain(error)))
}

/// Text of an error and its causes.
fn chain(error: &(dyn std::error::Error + 'static)) -> String {
    let causes = std::iter::successors(Some(error), |error| (*error).source());
    causes.map(ToString::to_string).collect::<Vec<_>>().join(": ")
}

#[cfg(test)]
mod tests;
