//! The one clock: UTC, cut to microseconds so that both databases give back what was written. The one calendar: that of the
//! installation's time zone.

use std::sync::OnceLock;

use chrono::{DateTime, NaiveDate, SubsecRound, Utc};
use chrono_tz::Tz;

/// A moment in UTC.
pub type Instant = DateTime<Utc>;

/// The present moment. Rules that depend on time take it as a parameter instead, so that tests need no waiting.
#[expect(clippy::disallowed_methods, reason = "the one place that reads the clock")]
pub fn now() -> Instant {
    Utc::now().trunc_subsecs(6)
}

static TIME_ZONE: OnceLock<Tz> = OnceLock::new();

/// Says, once, in which time zone the installation is; until then it is in Berlin.
pub fn declare_time_zone(time_zone: Tz) {
    TIME_ZONE.get_or_init(|| time_zone);
}

/// The day that calendars of the installation show. Rules that depend on the day take it as a parameter instead.
pub fn today() -> NaiveDate {
    now().with_timezone(TIME_ZONE.get().unwrap_or(&Tz::Europe__Berlin)).date_naive()
}
