//! Timetable of a leg: departures that repeat each week, and dates on which they differ.

use std::collections::{BTreeMap, BTreeSet};

use chrono::{Datelike, NaiveDate};
use sea_orm::FromJsonQueryResult;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use values::{
    ClockTime, Violations, Weekday,
    rule::{self, clock_time},
};

use crate::{
    calendar::{YEARS, unknown_year},
    codes,
};

/// Maximum number of departures of a leg in a week.
pub const DEPARTURES_MAX: u64 = 100;
/// Maximum number of exceptions of a leg.
pub const EXCEPTIONS_MAX: u64 = 400;

/// Departure that repeats each week, in the installation's time zone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Departure {
    pub weekday: Weekday,
    pub time: ClockTime,
}

/// Date on which departures differ from those of the week.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct DepartureException {
    pub date: NaiveDate,
    /// Time of the departure; `null`, only for dropped ones, means all of the day.
    pub time: Option<ClockTime>,
    pub r#type: ExceptionType,
}

/// Kind of an exception.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ExceptionType {
    Dropped,
    /// Additional departure, which runs even if the sender is closed on that day.
    Added,
}

/// Departures of a week, in their order.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, FromJsonQueryResult)]
pub struct Departures(pub Vec<Departure>);

/// Exceptions of a leg, in the order of their dates.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, FromJsonQueryResult)]
pub struct DepartureExceptions(pub Vec<DepartureException>);

/// Departure of an input, whose time may be invalid.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DepartureInput {
    pub weekday: Weekday,
    pub time: String,
}

/// Exception of an input, whose time may be invalid.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExceptionInput {
    pub date: NaiveDate,
    pub time: Option<String>,
    pub r#type: ExceptionType,
}

impl From<DepartureException> for ExceptionInput {
    fn from(exception: DepartureException) -> Self {
        let DepartureException { date, time, r#type } = exception;
        Self { date, time: time.map(|time| time.to_string()), r#type }
    }
}

/// Reads the departures of an input and sorts them; each needs a valid time and occurs once.
pub(super) fn departures(violations: &mut Violations, inputs: &[DepartureInput]) -> Departures {
    if inputs.len() as u64 > DEPARTURES_MAX {
        return Departures::default(); // the rule of the field reports it
    }
    let mut parse = |(index, input): (usize, &DepartureInput)| {
        let time = required_time(violations, &format!("departures.{index}.time"), Some(&input.time))?;
        Some(Departure { weekday: input.weekday, time })
    };
    let departures: Vec<_> = inputs.iter().enumerate().map(&mut parse).collect();
    // Unreadable departures never count as duplicates of each other.
    let keys = departures.iter().enumerate().map(|(index, departure)| departure.ok_or(index));
    rule::unique(violations, keys, |index| format!("departures.{index}.time"));
    let departures: BTreeSet<_> = departures.into_iter().flatten().collect();
    Departures(departures.into_iter().collect())
}

/// Reads the exceptions of an input and sorts them by date; each occurs once, an added one needs a time, and
/// no departure is both dropped and added.
pub(super) fn exceptions(violations: &mut Violations, inputs: &[ExceptionInput]) -> DepartureExceptions {
    if inputs.len() as u64 > EXCEPTIONS_MAX {
        return DepartureExceptions::default(); // the rule of the field reports it
    }
    let mut exceptions = BTreeSet::new();
    // Kind of exception for each departure of a date, or for the whole date.
    let mut kinds: BTreeMap<(NaiveDate, Option<ClockTime>), ExceptionType> = BTreeMap::new();
    for (index, input) in inputs.iter().enumerate() {
        let at = |field: &str| format!("exceptions.{index}.{field}");
        if !YEARS.contains(&input.date.year()) {
            violations.add(at("date"), unknown_year());
            continue;
        }
        let time = match input.r#type {
            ExceptionType::Added => {
                let Some(time) = required_time(violations, &at("time"), input.time.as_deref()) else {
                    continue;
                };
                Some(time)
            }
            ExceptionType::Dropped => {
                let is_given = input.time.as_deref().is_some_and(|text| !text.trim().is_empty());
                let time = clock_time(violations, &at("time"), input.time.as_deref());
                if is_given && time.is_none() {
                    continue;
                }
                time
            }
        };
        match kinds.insert((input.date, time), input.r#type) {
            Some(other) if other != input.r#type => violations.add(at("type"), codes::EXCEPTIONS_CONTRADICT),
            Some(_) => violations.add(at("date"), codes::DUPLICATE),
            None => {
                exceptions.insert(DepartureException { date: input.date, time, r#type: input.r#type });
            }
        }
    }
    // If all departures of a date are dropped, a single one must not be dropped again.
    for (index, input) in inputs.iter().enumerate() {
        let is_single = input.r#type == ExceptionType::Dropped
            && input.time.as_deref().is_some_and(|text| text.trim().parse::<ClockTime>().is_ok());
        if is_single && kinds.contains_key(&(input.date, None)) {
            violations.add(format!("exceptions.{index}.time"), codes::DAY_DROPPED);
        }
    }
    DepartureExceptions(exceptions.into_iter().collect())
}

/// Reads a required time of day.
fn required_time(violations: &mut Violations, path: &str, text: Option<&str>) -> Option<ClockTime> {
    if text.is_none_or(|text| text.trim().is_empty()) {
        violations.add(path, codes::REQUIRED);
    }
    clock_time(violations, path, text)
}
