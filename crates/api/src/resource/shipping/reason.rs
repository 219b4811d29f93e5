//! Reasons why days and departures do not count, as data: screens put them into sentences.

use chrono::NaiveDate;
use kernel::{ClockTime, Weekday};
use logistics::{
    calendar::{DayOff, holiday::Holiday, region::Region},
    shipping::itinerary::{SkipReason, SkippedDeparture},
};
use serde::Serialize;
use utoipa::ToSchema;

/// A departure that goods do not travel with.
#[derive(Serialize, ToSchema)]
#[schema(as = SkippedDeparture)]
pub(in crate::resource) struct SkippedDepartureView {
    date: NaiveDate,
    time: ClockTime,
    reason: SkipReasonView,
}

/// The reason why goods do not travel with a departure, or why nobody works on a day; fields of other reasons are `null`.
#[derive(Serialize, ToSchema)]
#[schema(as = SkipReason)]
pub(in crate::resource) struct SkipReasonView {
    code: SkipReasonCode,
    /// The minutes by which goods come too late, with `missed`.
    #[schema(required, example = 12)]
    minutes: Option<i64>,
    /// The weekday, with `not_in_working_week`.
    #[schema(required)]
    weekday: Option<Weekday>,
    /// The holiday, with `public_holiday`.
    #[schema(required)]
    holiday: Option<Holiday>,
    /// The name of the closure, with `closed`.
    #[schema(required, example = "Inventur")]
    name: Option<String>,
    /// The region of the holiday, with `public_holiday`.
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

    /// A reason at a place with the public holidays of a region.
    pub(in crate::resource) fn new(reason: SkipReason, region: Region) -> Self {
        match reason {
            SkipReason::Missed(late) => {
                // a part of a minute is too late as well
                let minutes = (late.num_seconds() + 59) / 60;
                Self { minutes: Some(minutes), ..Self::plain(SkipReasonCode::Missed) }
            }
            SkipReason::Dropped => Self::plain(SkipReasonCode::Dropped),
            SkipReason::SenderClosed(day_off) => Self::from_day_off(day_off, region),
        }
    }

    /// The reason why nobody works on a day at a place with the public holidays of a region.
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
