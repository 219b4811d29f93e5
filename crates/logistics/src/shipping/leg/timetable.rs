//! The timetable of a leg: departures that repeat each week, and dates on which they differ.

use chrono::NaiveDate;
use kernel::{ClockTime, Weekday};
use sea_orm::FromJsonQueryResult;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Departures of a leg in a week.
pub const DEPARTURES_MAX: usize = 100;
/// Exceptions of a leg.
pub const EXCEPTIONS_MAX: usize = 400;

/// A departure that repeats each week, in the installation's time zone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Departure {
    pub weekday: Weekday,
    pub time: ClockTime,
}

/// A date on which departures differ from those of the week.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct DepartureException {
    pub date: NaiveDate,
    /// The time of the departure; `null`, for dropped ones only: all of the day.
    pub time: Option<ClockTime>,
    pub r#type: ExceptionType,
}

/// The way in which departures of a date differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ExceptionType {
    Dropped,
    /// Also runs if the sender is closed on that day.
    Added,
}

/// The departures of a week, in their order.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, FromJsonQueryResult)]
pub struct Departures(pub Vec<Departure>);

/// The exceptions of a leg, in the order of their dates.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, FromJsonQueryResult)]
pub struct DepartureExceptions(pub Vec<DepartureException>);
