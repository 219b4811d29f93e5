//! Connection to the collector of traces, as the library calls it.

use std::{
    error::Error,
    iter::successors,
    sync::atomic::{AtomicBool, Ordering},
};

use opentelemetry_http::{Bytes, HttpClient, HttpError, Request, Response};
use outbound::{ServiceClient, Tls};
use tokio::runtime::Handle;

/// Client of the collector. Spans come from a thread of their library, which has no runtime of its own.
#[derive(Debug)]
pub(super) struct Collector {
    client: ServiceClient,
    runtime: Handle,
    is_away: AtomicBool,
}

impl Collector {
    pub(super) fn new() -> Self {
        let client = ServiceClient::new(&Tls::default());
        Self { client, runtime: Handle::current(), is_away: AtomicBool::new(false) }
    }

    async fn exchange(&self, request: Request<Bytes>) -> Result<Response<Bytes>, HttpError> {
        let client = self.client.clone();
        self.runtime.spawn(async move { client.send(request).await }).await?
    }

    /// Logs the beginning and the end of an outage.
    fn log(&self, outcome: &Result<Response<Bytes>, HttpError>) {
        let cause = match outcome {
            Ok(answer) if answer.status().is_success() => None,
            Ok(answer) => Some(answer.status().to_string()),
            Err(error) => Some(causes(&**error)),
        };
        let was_away = self.is_away.swap(cause.is_some(), Ordering::Relaxed);
        match cause {
            Some(cause) if !was_away => {
                tracing::warn!(
                    cause,
                    "traces cannot be sent; those that do not fit into the queue are dropped"
                );
            }
            None if was_away => tracing::info!("traces are sent again"),
            _ => {}
        }
    }
}

/// Joins an error with its causes.
fn causes(error: &(dyn Error + 'static)) -> String {
    let causes = successors(Some(error), |error| (*error).source());
    causes.map(ToString::to_string).collect::<Vec<_>>().join(": ")
}

#[async_trait::async_trait]
impl HttpClient for Collector {
    async fn send_bytes(&self, request: Request<Bytes>) -> Result<Response<Bytes>, HttpError> {
        let outcome = self.exchange(request).await;
        self.log(&outcome);
        outcome
    }
}
