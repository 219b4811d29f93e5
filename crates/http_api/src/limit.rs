//! Rate limit for calls of a token under `/api/v1`, so that a runaway program does not slow down others. Each
//! answer announces it (`RateLimit`, after the draft of the IETF). Processes that share a database exchange
//! their counts, so that the limit applies to all of them together.

use std::{
    collections::HashMap,
    sync::{Mutex, PoisonError},
    time::{Duration, Instant},
};

use actix_web::http::header::{HeaderMap, HeaderName, HeaderValue};
use values::{Error, Result};

use crate::codes;

/// Prefix of the limited paths.
pub(crate) const PATHS: &str = "/api/v1/";

const CALLS: u64 = 600;
const WINDOW: Duration = Duration::from_mins(1);
/// Number of tokens in the table from which expired windows are deleted.
const PRUNE_ABOVE: usize = 10_000;

const POLICY: HeaderName = HeaderName::from_static("ratelimit-policy");
const LIMIT: HeaderName = HeaderName::from_static("ratelimit");

/// Calls of tokens, by their ids.
#[derive(Debug, Default)]
pub struct Limits(Mutex<HashMap<i64, Window>>);

#[derive(Debug, Clone, Copy)]
struct Window {
    began: Instant,
    calls: u64,
    /// Calls that were not announced to other processes yet.
    unannounced: u64,
}

/// Remaining calls of a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Allowance {
    calls: u64,
    /// Seconds until the window ends.
    seconds: u64,
}

impl Limits {
    /// Counts a call.
    pub(crate) fn take(&self, token: i64, now: Instant) -> Result<Allowance> {
        let mut windows = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if windows.len() >= PRUNE_ABOVE {
            windows.retain(|_, window| window.is_open(now));
        }
        let window = windows.entry(token).or_insert(Window::new(now));
        window.reopen(now);
        let seconds = window.remaining_seconds(now);
        if window.calls >= CALLS {
            return Err(Error::Later { code: codes::RATE_LIMITED, seconds });
        }
        window.calls += 1;
        window.unannounced += 1;
        Ok(Allowance { calls: CALLS - window.calls, seconds })
    }

    /// Takes the calls of tokens since the last call of this function.
    pub fn take_calls(&self) -> Vec<(i64, u64)> {
        let mut windows = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let calls = windows
            .iter_mut()
            .map(|(token, window)| (*token, std::mem::take(&mut window.unannounced)))
            .filter(|(_, calls)| *calls > 0);
        calls.collect()
    }

    /// Adds calls that another process has answered.
    pub fn add_calls(&self, calls: &[(i64, u64)], now: Instant) {
        let mut windows = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        for (token, calls) in calls {
            let window = windows.entry(*token).or_insert(Window::new(now));
            window.reopen(now);
            window.calls = window.calls.saturating_add(*calls).min(CALLS);
        }
    }
}

impl Window {
    fn new(now: Instant) -> Self {
        Self { began: now, calls: 0, unannounced: 0 }
    }

    /// Starts a new window once the present one has ended.
    fn reopen(&mut self, now: Instant) {
        if !self.is_open(now) {
            *self = Self { unannounced: self.unannounced, ..Self::new(now) };
        }
    }

    fn is_open(&self, now: Instant) -> bool {
        now.saturating_duration_since(self.began) < WINDOW
    }

    /// Remaining seconds, rounded up.
    fn remaining_seconds(&self, now: Instant) -> u64 {
        let remaining = WINDOW.saturating_sub(now.saturating_duration_since(self.began));
        remaining.as_secs() + u64::from(remaining.subsec_nanos() > 0)
    }
}

impl Allowance {
    /// Allowance of a token whose call was refused by the limit.
    pub(crate) fn exhausted(error: &Error) -> Option<Self> {
        match error {
            Error::Later { code: codes::RATE_LIMITED, seconds } => Some(Self { calls: 0, seconds: *seconds }),
            _ => None,
        }
    }

    pub(crate) fn announce(self, headers: &mut HeaderMap) {
        let policy = format!("\"token\";q={CALLS};w={}", WINDOW.as_secs());
        let limit = format!("\"token\";r={};t={}", self.calls, self.seconds);
        for (name, value) in [(POLICY, policy), (LIMIT, limit)] {
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
    fn each_token_has_its_own_limit_of_calls_per_minute() {
        let limits = Limits::default();
        let begin = Instant::now();
        let at = |millis: u64| begin + Duration::from_millis(millis);
        assert_eq!(limits.take(1, at(0)).unwrap(), Allowance { calls: 599, seconds: 60 });
        for _ in 1..CALLS {
            limits.take(1, at(1_500)).unwrap();
        }
        let refused = limits.take(1, at(1_500)).unwrap_err();
        assert!(matches!(refused, Error::Later { code: codes::RATE_LIMITED, seconds: 59 }), "{refused}");
        assert_eq!(limits.take(2, at(1_500)).unwrap().calls, 599, "another token");
        limits.take(1, at(59_999)).unwrap_err();
        assert_eq!(limits.take(1, at(60_000)).unwrap(), Allowance { calls: 599, seconds: 60 });
    }

    #[test]
    fn calls_in_other_processes_count_towards_the_limit() {
        let (one, other) = (Limits::default(), Limits::default());
        let begin = Instant::now();
        for _ in 0..400 {
            one.take(1, begin).unwrap();
        }
        assert_eq!(other.take(1, begin).unwrap().calls, 599, "before it has read a notice");
        other.add_calls(&one.take_calls(), begin);
        assert_eq!(one.take_calls(), []);
        assert_eq!(other.take(1, begin).unwrap().calls, 198);
        assert_eq!(other.take_calls(), [(1, 2)], "only its own calls");
        other.add_calls(&[(1, 1_000)], begin);
        other.take(1, begin).unwrap_err();
        assert_eq!(other.take(1, begin + WINDOW).unwrap().calls, 599);
    }
}
