//! Span of a request, in the trace of its caller if there is one.

use actix_web::{
    dev::ServiceRequest,
    http::{StatusCode, header::HeaderName},
};
use opentelemetry::{
    Context,
    propagation::{Extractor, TextMapPropagator},
};
use opentelemetry_sdk::propagation::TraceContextPropagator;
use store::spans::SPANS;
use tracing::{Span, field::Empty};
use tracing_opentelemetry::OpenTelemetrySpanExt;

use crate::answer_counters::method_name;

/// Id of the request that a trace belongs to.
pub struct RequestId(pub String);

/// Begins the span of a request, within the span of the caller if there is one. Its name is the template of
/// its path: paths and queries contain input of users.
pub(crate) fn begin(request: &ServiceRequest, id: &str) -> Span {
    let method = method_name(request.method());
    let span = tracing::info_span!(
        target: SPANS,
        "request",
        otel.name = request.match_pattern().map_or_else(|| method.to_owned(), |route| format!("{method} {route}")),
        otel.kind = "server",
        otel.status_code = Empty,
        http.request.method = method,
        http.route = request.match_pattern(),
        http.response.status_code = Empty,
        stalhof.import = Empty
    );
    if !span.is_disabled() {
        let caller = TraceContextPropagator::new().extract_with_context(&Context::new(), &Headers(request));
        // the parent can only be set before the span is entered
        let _ = span.set_parent(caller.with_value(RequestId(id.to_owned())));
    }
    span
}

/// Records the answer to a request.
pub(crate) fn end(span: &Span, status: StatusCode) {
    span.record("http.response.status_code", i64::from(status.as_u16()));
    if status.is_server_error() {
        span.record("otel.status_code", "error");
    }
}

/// Headers of a request.
struct Headers<'a>(&'a ServiceRequest);

impl Extractor for Headers<'_> {
    fn get(&self, key: &str) -> Option<&str> {
        self.0.headers().get(key)?.to_str().ok()
    }

    fn keys(&self) -> Vec<&str> {
        self.0.headers().keys().map(HeaderName::as_str).collect()
    }
}
