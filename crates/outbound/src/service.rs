//! HTTP client for services that the operator configures, not a user: any address, also without TLS.

use std::{error::Error, time::Duration};

use http_body_util::{BodyExt, Full, Limited};
use hyper::{Request, Response, body::Bytes};
use hyper_rustls::{HttpsConnector, HttpsConnectorBuilder};
use hyper_util::{
    client::legacy::{Client, connect::HttpConnector},
    rt::{TokioExecutor, TokioTimer},
};
use tokio::time::timeout;

use crate::Tls;

/// Timeout of a connection.
const CONNECT_WITHIN: Duration = Duration::from_secs(2);
/// Timeout of a whole call.
const ANSWER_WITHIN: Duration = Duration::from_secs(5);
/// Idle connections are closed earlier than servers usually do it.
const UNUSED: Duration = Duration::from_secs(15);
/// Maximum size of an answer.
const ANSWER_BYTES_MAX: usize = 64 * 1024;

/// Calls a service. Cheap to clone.
#[derive(Debug, Clone)]
pub struct ServiceClient(Client<HttpsConnector<HttpConnector>, Full<Bytes>>);

impl ServiceClient {
    /// Creates a client with the trusted roots of `tls`. Nothing is sent yet.
    pub fn new(tls: &Tls) -> Self {
        let mut tcp = HttpConnector::new();
        tcp.enforce_http(false);
        tcp.set_connect_timeout(Some(CONNECT_WITHIN));
        let https = HttpsConnectorBuilder::new()
            .with_tls_config((*tls.config()).clone())
            .https_or_http()
            .enable_http1()
            .wrap_connector(tcp);
        let mut builder = Client::builder(TokioExecutor::new());
        Self(builder.pool_timer(TokioTimer::new()).pool_idle_timeout(UNUSED).build(https))
    }

    /// Sends a request and reads the whole answer, with any status.
    pub async fn send(
        &self,
        request: Request<Bytes>,
    ) -> Result<Response<Bytes>, Box<dyn Error + Send + Sync>> {
        let exchange = async {
            let (head, body) = self.0.request(request.map(Full::new)).await?.into_parts();
            let body = Limited::new(body, ANSWER_BYTES_MAX).collect().await?.to_bytes();
            Ok(Response::from_parts(head, body))
        };
        timeout(ANSWER_WITHIN, exchange).await?
    }
}
