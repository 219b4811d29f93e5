//! Counters of a process, updated with each answered request.

use std::time::Duration;

use actix_web::http::{Method, StatusCode};
use prometheus_client::{
    encoding::EncodeLabelSet,
    metrics::{counter::Counter, family::Family, histogram::Histogram},
};

/// Counters and durations of a process's requests.
#[derive(Debug, Clone)]
pub struct AnswerCounters {
    pub requests: Family<AnswerLabels, Counter>,
    pub durations: Family<RouteLabels, Histogram, fn() -> Histogram>,
}

/// Labels of a number of answers.
#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
pub struct AnswerLabels {
    method: &'static str,
    route: String,
    status: u16,
}

/// Labels of a duration.
#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
pub struct RouteLabels {
    method: &'static str,
    route: String,
}

/// Buckets in seconds: from a cached list up to the maximum time of a request.
const BUCKETS: [f64; 11] = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0, 2.5, 10.0];

impl Default for AnswerCounters {
    fn default() -> Self {
        Self {
            requests: Family::default(),
            durations: Family::new_with_constructor(|| Histogram::new(BUCKETS)),
        }
    }
}

impl AnswerCounters {
    /// Counts an answer. `route` is the template of its path, which limits the number of series.
    pub fn record(&self, method: &Method, route: Option<String>, status: StatusCode, took: Duration) {
        let method = method_name(method);
        let route = route.unwrap_or_else(|| "other".to_owned());
        self.durations
            .get_or_create(&RouteLabels { method, route: route.clone() })
            .observe(took.as_secs_f64());
        self.requests.get_or_create(&AnswerLabels { method, route, status: status.as_u16() }).inc();
    }
}

/// Returns the name of an HTTP method; clients can send arbitrary ones.
pub(crate) fn method_name(method: &Method) -> &'static str {
    match *method {
        Method::GET => "GET",
        Method::HEAD => "HEAD",
        Method::POST => "POST",
        Method::PUT => "PUT",
        Method::PATCH => "PATCH",
        Method::DELETE => "DELETE",
        _ => "other",
    }
}
