//! Clock and calendar. Moments are in UTC, cut to microseconds so that both databases return what was
//! written; days are those of the installation's time zone.

use std::sync::OnceLock;

use chrono::{
    DateTime, LocalResult, NaiveDate, NaiveDateTime, Offset, SubsecRound, TimeDelta, TimeZone, Utc,
};
use chrono_tz::Tz;

/// Moment in UTC.
pub type Instant = DateTime<Utc>;

/// Current moment. Rules that depend on time take it as a parameter instead, so that tests need no waiting.
#[expect(clippy::disallowed_methods, reason = "the one place that reads the clock")]
pub fn now() -> Instant {
    Utc::now().trunc_subsecs(6)
}

static TIME_ZONE: OnceLock<Tz> = OnceLock::new();

/// Sets the time zone of the installation; only the first call has an effect. The default is Berlin.
pub fn declare_time_zone(time_zone: Tz) {
    TIME_ZONE.get_or_init(|| time_zone);
}

/// Time zone of the installation.
pub fn time_zone() -> Tz {
    TIME_ZONE.get().copied().unwrap_or(Tz::Europe__Berlin)
}

/// Local time of a moment in a time zone; in UTC if the local time is out of range.
pub fn local_time_in(time_zone: Tz, moment: &Instant) -> NaiveDateTime {
    let utc = moment.naive_utc();
    let offset = moment.with_timezone(&time_zone).offset().fix();
    utc.checked_add_offset(offset).unwrap_or(utc)
}

/// First moment with a given local time in a time zone. A time that a clock change skips gives the first
/// moment after it; one that occurs twice gives the earlier moment.
pub fn earliest_moment_at(time_zone: Tz, local_time: NaiveDateTime) -> Instant {
    // no clock change skips more than a few hours
    let moment = (0..24 * 60).find_map(|later| {
        match time_zone.from_local_datetime(&(local_time + TimeDelta::minutes(later))) {
            LocalResult::Single(moment) | LocalResult::Ambiguous(moment, _) => Some(moment),
            LocalResult::None => None,
        }
    });
    moment.map_or_else(|| local_time.and_utc(), |moment: DateTime<Tz>| moment.with_timezone(&Utc))
}

/// Current day in the installation's time zone. Rules that depend on the day take it as a parameter instead.
pub fn today() -> NaiveDate {
    local_time_in(time_zone(), &now()).date()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_are_shown_as_local_time_in_any_time_zone() {
        let clock_text = |zone: Tz, moment: &str| local_time_in(zone, &moment.parse().unwrap()).to_string();
        assert_eq!(clock_text(Tz::Europe__Berlin, "2026-07-01T22:30:00Z"), "2026-07-02 00:30:00");
        assert_eq!(clock_text(Tz::America__New_York, "2026-01-01T03:00:00Z"), "2025-12-31 22:00:00");
        assert_eq!(local_time_in(Tz::Europe__Berlin, &Instant::MAX_UTC), Instant::MAX_UTC.naive_utc());
        assert_eq!(local_time_in(Tz::America__New_York, &Instant::MIN_UTC), Instant::MIN_UTC.naive_utc());
    }

    #[test]
    fn skipped_local_times_map_to_the_change_and_repeated_ones_to_the_first() {
        let first = |local_time: &str| {
            earliest_moment_at(Tz::Europe__Berlin, local_time.parse().unwrap()).to_rfc3339()
        };
        assert_eq!(first("2026-07-01T06:00:00"), "2026-07-01T04:00:00+00:00");
        assert_eq!(first("2026-03-29T02:30:00"), "2026-03-29T01:00:00+00:00");
        assert_eq!(first("2026-10-25T02:30:00"), "2026-10-25T00:30:00+00:00");
    }
}
