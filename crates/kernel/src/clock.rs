//! The one clock: UTC, cut to microseconds so that both databases give back what was written.

use chrono::{DateTime, SubsecRound, Utc};

/// A moment in UTC.
pub type Instant = DateTime<Utc>;

/// The present moment. Rules that depend on time take it as a parameter instead, so that tests need no waiting.
#[expect(clippy::disallowed_methods, reason = "the one place that reads the clock")]
pub fn now() -> Instant {
    Utc::now().trunc_subsecs(6)
}
