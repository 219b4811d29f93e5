//! Durations of work and transport: whole minutes, on the wire and in the database.

use std::fmt;

use sea_orm::DeriveValueType;
use serde::{Deserialize, Deserializer, Serialize, de};
use utoipa::{
    PartialSchema, ToSchema,
    openapi::{
        ObjectBuilder, RefOr, Schema,
        schema::{KnownFormat, SchemaFormat, Type},
    },
};

use crate::{code::Code, decimal::Decimal};

const MINUTES_PER_HOUR: i64 = 60;

/// A duration in whole minutes, from none to 43,200 (30 days).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, DeriveValueType)]
pub struct Minutes(i64);

impl Minutes {
    pub const ZERO: Self = Self(0);
    /// 30 days.
    pub const MAX: Self = Self(43_200);

    /// From minutes; `None` below zero and above 30 days.
    pub const fn of_minutes(minutes: i64) -> Option<Self> {
        if minutes >= 0 && minutes <= Self::MAX.0 { Some(Self(minutes)) } else { None }
    }

    pub const fn minutes(self) -> i64 {
        self.0
    }

    /// Elapsed time: an hour is an hour also when the clock is changed.
    pub fn elapsed(self) -> chrono::TimeDelta {
        chrono::TimeDelta::minutes(self.0)
    }

    /// As forms and files write it: `1h20m`, `1h`, `20m`, `1:20`, `80` (minutes), `1,5h`. Case and spaces do not count.
    ///
    /// # Errors
    /// [`Code::InvalidDuration`] for anything else, for parts of a minute and for more than 30 days.
    pub fn read(text: &str) -> Result<Self, Code> {
        let text: String = text.chars().filter(|c| !c.is_whitespace()).flat_map(char::to_lowercase).collect();
        minutes_of(&text).and_then(Self::of_minutes).ok_or(Code::InvalidDuration)
    }
}

fn minutes_of(text: &str) -> Option<i64> {
    if let Some((hours, minutes)) = text.split_once(':') {
        return whole(hours)?
            .checked_mul(MINUTES_PER_HOUR)?
            .checked_add(below_an_hour(two_digits(minutes)?)?);
    }
    match text.split_once('h') {
        Some((hours, "")) => of_hours(hours),
        Some((hours, minutes)) => {
            let minutes = below_an_hour(whole(minutes.strip_suffix('m')?)?)?;
            whole(hours)?.checked_mul(MINUTES_PER_HOUR)?.checked_add(minutes)
        }
        None => whole(text.strip_suffix('m').unwrap_or(text)),
    }
}

/// Hours with decimals, as long as they are whole minutes.
fn of_hours(hours: &str) -> Option<i64> {
    hours.bytes().next().filter(u8::is_ascii_digit)?;
    let decimal: Decimal = hours.replace(',', ".").parse().ok()?;
    let millionths = decimal.millionths().checked_mul(MINUTES_PER_HOUR)?;
    let one = Decimal::ONE.millionths();
    (millionths % one == 0).then_some(millionths / one)
}

fn whole(digits: &str) -> Option<i64> {
    let all_digits = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    if all_digits { digits.parse().ok() } else { None }
}

fn two_digits(digits: &str) -> Option<i64> {
    if digits.len() == 2 { whole(digits) } else { None }
}

fn below_an_hour(minutes: i64) -> Option<i64> {
    (minutes < MINUTES_PER_HOUR).then_some(minutes)
}

impl fmt::Display for Minutes {
    /// The form that files write: `1h20m`, `1h`, `20m`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.0 / MINUTES_PER_HOUR, self.0 % MINUTES_PER_HOUR) {
            (0, minutes) => write!(f, "{minutes}m"),
            (hours, 0) => write!(f, "{hours}h"),
            (hours, minutes) => write!(f, "{hours}h{minutes}m"),
        }
    }
}

impl<'de> Deserialize<'de> for Minutes {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let minutes = i64::deserialize(deserializer)?;
        Self::of_minutes(minutes).ok_or_else(|| de::Error::custom("whole minutes from 0 to 43200"))
    }
}

/// Called otherwise in the contract than here, where the standard library has a `Duration` of its own, and the macros of
/// the contract take that name for a text.
impl ToSchema for Minutes {
    fn name() -> std::borrow::Cow<'static, str> {
        "Duration".into()
    }
}

impl PartialSchema for Minutes {
    fn schema() -> RefOr<Schema> {
        ObjectBuilder::new()
            .schema_type(Type::Integer)
            .format(Some(SchemaFormat::KnownFormat(KnownFormat::Int32)))
            .minimum(Some(0))
            .maximum(Some(Self::MAX.0))
            .description(Some("A duration in whole minutes; at most 30 days."))
            .examples([80])
            .into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_wire_takes_whole_minutes_within_the_bounds_only() {
        let read = |json: &str| serde_json::from_str::<Minutes>(json).ok();
        assert_eq!(read("0"), Some(Minutes::ZERO));
        assert_eq!(read("43200"), Some(Minutes::MAX));
        for json in ["-1", "43201", "1.5", "\"80\"", "null"] {
            assert_eq!(read(json), None, "{json}");
        }
        assert_eq!(serde_json::to_string(&Minutes::MAX).unwrap(), "43200");
    }
}
