//! How often a token may call what programs work with, so that one that runs wild leaves room for the others: announced with every
//! answer (`RateLimit`, as the draft of the IETF has it), counted for each process by itself.

use std::{
    collections::HashMap,
    sync::{Mutex, PoisonError},
    time::{Duration, Instant},
};

use actix_web::http::header::{HeaderMap, HeaderName, HeaderValue};
use kernel::{Code, Error, Result};

/// What is limited.
pub(crate) const PATHS: &str = "/api/v1/";

const CALLS: u64 = 600;
const WINDOW: Duration = Duration::from_mins(1);
/// Of so many tokens it is known what they have called, before those that are over are forgotten.
const KNOWN: usize = 10_000;

const POLICY: HeaderName = HeaderName::from_static("ratelimit-policy");
const LIMIT: HeaderName = HeaderName::from_static("ratelimit");

/// The calls of tokens, by their ids.
#[derive(Debug, Default)]
pub(crate) struct Limits(Mutex<HashMap<i64, Window>>);

#[derive(Debug, Clone, Copy)]
struct Window {
    began: Instant,
    calls: u64,
}

/// What a token may still call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Allowance {
    calls: u64,
    /// Until then.
    seconds: u64,
}

impl Limits {
    /// Counts a call.
    pub(crate) fn take(&self, token: i64, now: Instant) -> Result<Allowance> {
        let mut windows = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if windows.len() >= KNOWN {
            windows.retain(|_, window| window.is_open(now));
        }
        let window = windows.entry(token).or_insert(Window { began: now, calls: 0 });
        if !window.is_open(now) {
            *window = Window { began: now, calls: 0 };
        }
        let seconds = window.left(now);
        if window.calls == CALLS {
            return Err(Error::Later { code: Code::RateLimited, seconds });
        }
        window.calls += 1;
        Ok(Allowance { calls: CALLS - window.calls, seconds })
    }
}

impl Window {
    fn is_open(&self, now: Instant) -> bool {
        now.saturating_duration_since(self.began) < WINDOW
    }

    /// Seconds, of which a part counts as one.
    fn left(&self, now: Instant) -> u64 {
        let left = WINDOW.saturating_sub(now.saturating_duration_since(self.began));
        left.as_secs() + u64::from(left.subsec_nanos() > 0)
    }
}

impl Allowance {
    /// That of a token which has been refused because it has called too often.
    pub(crate) fn spent(error: &Error) -> Option<Self> {
        match error {
            Error::Later { code: Code::RateLimited, seconds } => Some(Self { calls: 0, seconds: *seconds }),
            _ => None,
        }
    }

    pub(crate) fn announce(self, headers: &mut HeaderMap) {
        let policy = format!("\"token\";q={CALLS};w={}", WINDOW.as_secs());
        let left = format!("\"token\";r={};t={}", self.calls, self.seconds);
        for (name, value) in [(POLICY, policy), (LIMIT, left)] {
            if let Ok(value) = HeaderValue::try_from(value) {
                headers.insert(name, value);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_token_has_its_calls_in_each_minute() {
        let limits = Limits::default();
        let begin = Instant::now();
        let at = |millis: u64| begin + Duration::from_millis(millis);
        assert_eq!(limits.take(1, at(0)).unwrap(), Allowance { calls: 599, seconds: 60 });
        for _ in 1..CALLS {
            limits.take(1, at(1_500)).unwrap();
        }
        let refused = limits.take(1, at(1_500)).unwrap_err();
        assert!(matches!(refused, Error::Later { code: Code::RateLimited, seconds: 59 }), "{refused}");
        assert_eq!(limits.take(2, at(1_500)).unwrap().calls, 599, "another token");
        limits.take(1, at(59_999)).unwrap_err();
        assert_eq!(limits.take(1, at(60_000)).unwrap(), Allowance { calls: 599, seconds: 60 });
    }
}
