//! Reasons why days and departures do not count, as data from which screens make sentences.

use chrono::NaiveDate;
use logistics::{
    calendar::{DayOff, holiday::Holiday, region::Region},
    shipping::itinerary::{SkipReason, SkippedDeparture},
};
use serde::Serialize;
use utoipa::ToSchema;
use values::{ClockTime, Weekday};

/// Departure that goods do not travel with.
#[derive(Serialize, ToSchema)]
#[schema(as = SkippedDeparture)]
pub(in crate::resource) struct SkippedDepartureView {
    date: NaiveDate,
    time: ClockTime,
    reason: SkipReasonView,
}

/// Reason why goods do not travel with a departure, or why a day is a day off; fields of other reasons are
/// `null`.
#[derive(Serialize, ToSchema)]
#[schema(as = SkipReason)]
pub(in crate::resource) struct SkipReasonView {
    code: SkipReasonCode,
    /// Minutes by which goods are late, with `missed`.
    #[schema(required, example = 12)]
    minutes: Option<i64>,
    /// Weekday, with `not_in_working_week`.
    #[schema(required)]
    weekday: Option<Weekday>,
    /// Public holiday, with `public_holiday`.
    #[schema(required)]
    holiday: Option<Holiday>,
    /// Name of the closure, with `closed`.
    #[schema(required, example = "Inventur")]
    name: Option<String>,
    /// Region of the holiday, with `public_holiday`.
    #[schema(required)]
    region: Option<Region>,
}

/// Reasons.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
enum SkipReasonCode {
    Missed,
    NotInWorkingWeek,
    PublicHoliday,
    Closed,
    Dropped,
}

impl SkipReasonView {
    fn plain(code: SkipReasonCode) -> Self {
        Self { code, minutes: None, weekday: None, holiday: None, name: None, region: None }
    }

    /// Builds a reason at a place in a region with its public holidays.
    pub(in crate::resource) fn new(reason: SkipReason, region: Region) -> Self {
        match reason {
            SkipReason::Missed(late) => {
                // a fraction of a minute is late as well
                let minutes = (late.num_seconds() + 59) / 60;
                Self { minutes: Some(minutes), ..Self::plain(SkipReasonCode::Missed) }
            }
            SkipReason::Dropped => Self::plain(SkipReasonCode::Dropped),
            SkipReason::SenderClosed(day_off) => Self::from_day_off(day_off, region),
        }
    }

    /// Builds the reason for a day off at a place in a region with its public holidays.
    pub(in crate::resource) fn from_day_off(day_off: DayOff, region: Region) -> Self {
        match day_off {
            DayOff::NotInWorkingWeek(weekday) => {
                Self { weekday: Some(weekday), ..Self::plain(SkipReasonCode::NotInWorkingWeek) }
            }
            DayOff::PublicHoliday(holiday) => Self {
                holiday: Some(holiday),
                region: Some(region),
                ..Self::plain(SkipReasonCode::PublicHoliday)
            },
            DayOff::Closed(name) => Self { name: Some(name), ..Self::plain(SkipReasonCode::Closed) },
        }
    }
}

impl SkippedDepartureView {
    pub(in crate::resource) fn new(skipped: SkippedDeparture, region: Region) -> Self {
        let SkippedDeparture { date, time, reason } = skipped;
        Self { date, time, reason: SkipReasonView::new(reason, region) }
    }
}
