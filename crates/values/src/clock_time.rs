//! Times of day and weekdays in the installation's time zone.

use std::{fmt, str::FromStr};

use chrono::NaiveTime;
use sea_orm::DeriveValueType;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use utoipa::{
    PartialSchema, ToSchema,
    openapi::{ObjectBuilder, RefOr, Schema, schema::Type},
};

use crate::{code::Code, codes};

const MINUTES_PER_HOUR: u16 = 60;
const MINUTES_PER_DAY: u16 = 24 * MINUTES_PER_HOUR;

/// Time of day to the minute, from 00:00 to 23:59.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, DeriveValueType)]
#[sea_orm(value_type = "String")]
pub struct ClockTime(u16);

impl ClockTime {
    /// Returns `None` if there is no such time of day.
    pub const fn new(hour: u16, minute: u16) -> Option<Self> {
        if hour < 24 && minute < MINUTES_PER_HOUR {
            Some(Self(hour * MINUTES_PER_HOUR + minute))
        } else {
            None
        }
    }

    /// Minutes since 00:00.
    pub const fn minutes(self) -> u16 {
        self.0
    }

    /// Returns the time as hours and minutes.
    pub fn time(self) -> NaiveTime {
        let (hour, minute) = (self.0 / MINUTES_PER_HOUR, self.0 % MINUTES_PER_HOUR);
        NaiveTime::from_hms_opt(hour.into(), minute.into(), 0).expect("below 24:00")
    }
}

impl fmt::Display for ClockTime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        debug_assert!(self.0 < MINUTES_PER_DAY);
        write!(f, "{:02}:{:02}", self.0 / MINUTES_PER_HOUR, self.0 % MINUTES_PER_HOUR)
    }
}

/// Error for a text that is no time of day.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NotAClockTime;

impl fmt::Display for NotAClockTime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a time of day from 00:00 to 23:59 is expected")
    }
}

impl std::error::Error for NotAClockTime {}

impl From<NotAClockTime> for Code {
    fn from(NotAClockTime: NotAClockTime) -> Self {
        codes::INVALID_CLOCK_TIME
    }
}

impl FromStr for ClockTime {
    type Err = NotAClockTime;

    /// Parses exactly two digits, a colon and two digits.
    fn from_str(text: &str) -> Result<Self, NotAClockTime> {
        let number = |digits: &str| {
            let two = digits.len() == 2 && digits.bytes().all(|byte| byte.is_ascii_digit());
            if two { digits.parse().ok() } else { None }
        };
        let (hour, minute) = text.split_once(':').ok_or(NotAClockTime)?;
        number(hour)
            .zip(number(minute))
            .and_then(|(hour, minute)| Self::new(hour, minute))
            .ok_or(NotAClockTime)
    }
}

impl Serialize for ClockTime {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for ClockTime {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = std::borrow::Cow::<'de, str>::deserialize(deserializer)?;
        text.parse().map_err(de::Error::custom)
    }
}

impl ToSchema for ClockTime {}

impl PartialSchema for ClockTime {
    fn schema() -> RefOr<Schema> {
        ObjectBuilder::new()
            .schema_type(Type::String)
            .pattern(Some("^([01][0-9]|2[0-3]):[0-5][0-9]$"))
            .description(Some("A time of day in the installation's time zone."))
            .examples(["12:00"])
            .into()
    }
}

/// Day of the week; the week begins on Monday.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Weekday {
    Monday,
    Tuesday,
    Wednesday,
    Thursday,
    Friday,
    Saturday,
    Sunday,
}

impl Weekday {
    pub const ALL: [Self; 7] = [
        Self::Monday,
        Self::Tuesday,
        Self::Wednesday,
        Self::Thursday,
        Self::Friday,
        Self::Saturday,
        Self::Sunday,
    ];

    /// Number as it is stored: 1 for Monday to 7 for Sunday (ISO 8601).
    pub const fn number(self) -> i64 {
        self as i64 + 1
    }

    /// Name on the wire and in settings.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Monday => "monday",
            Self::Tuesday => "tuesday",
            Self::Wednesday => "wednesday",
            Self::Thursday => "thursday",
            Self::Friday => "friday",
            Self::Saturday => "saturday",
            Self::Sunday => "sunday",
        }
    }

    /// Returns the weekday with a number, Monday being 1; `None` if there is none.
    pub fn from_number(number: i64) -> Option<Self> {
        Self::ALL.into_iter().find(|weekday| weekday.number() == number)
    }
}

impl FromStr for Weekday {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        let weekday = Self::ALL.into_iter().find(|weekday| weekday.as_str() == name);
        weekday.ok_or_else(|| format!("possible are {}", Self::ALL.map(Self::as_str).join(", ")))
    }
}

impl From<chrono::Weekday> for Weekday {
    fn from(weekday: chrono::Weekday) -> Self {
        match weekday {
            chrono::Weekday::Mon => Self::Monday,
            chrono::Weekday::Tue => Self::Tuesday,
            chrono::Weekday::Wed => Self::Wednesday,
            chrono::Weekday::Thu => Self::Thursday,
            chrono::Weekday::Fri => Self::Friday,
            chrono::Weekday::Sat => Self::Saturday,
            chrono::Weekday::Sun => Self::Sunday,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_week_runs_from_monday_to_sunday() {
        let names: Vec<_> = Weekday::ALL.iter().map(|day| serde_json::to_value(day).unwrap()).collect();
        let expected = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];
        assert_eq!(names, expected);
        assert!(Weekday::ALL.is_sorted());
        for weekday in Weekday::ALL {
            assert_eq!(Weekday::from_number(weekday.number()), Some(weekday));
            assert_eq!(weekday.as_str().parse(), Ok(weekday));
        }
        assert_eq!((Weekday::from_number(0), Weekday::from_number(8)), (None, None));
        assert_eq!(Weekday::from(chrono::Weekday::Sun), Weekday::Sunday);
    }
}
