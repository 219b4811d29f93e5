//! Durations of work and transport in whole minutes, on the wire and in the database.

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

use crate::{
    code::{Code, Language},
    codes,
    decimal::Decimal,
    fold::fold,
    visible::visible,
};

const MINUTES_PER_HOUR: i64 = 60;
/// Minutes of a day; in a lead time it is a working day.
const MINUTES_PER_DAY: i64 = 24 * MINUTES_PER_HOUR;
/// Minutes of five working days.
const MINUTES_PER_WEEK: i64 = 5 * MINUTES_PER_DAY;

/// Duration in whole minutes, from 0 to 43,200 (30 days).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, DeriveValueType)]
pub struct Minutes(i64);

impl Minutes {
    pub const ZERO: Self = Self(0);
    /// 30 days.
    pub const MAX: Self = Self(43_200);

    /// Creates a duration from minutes; `None` below zero and above 30 days.
    pub const fn from_minutes(minutes: i64) -> Option<Self> {
        if minutes >= 0 && minutes <= Self::MAX.0 { Some(Self(minutes)) } else { None }
    }

    /// Creates a duration of `count` units of `unit` minutes each; `None` for fractions of a minute and above
    /// 30 days.
    pub fn from_count(count: Decimal, unit: i64) -> Option<Self> {
        let minutes = count.scaled(unit, 1).filter(|minutes| minutes.rounded(0) == *minutes)?;
        Self::from_minutes(minutes.millionths() / Decimal::ONE.millionths())
    }

    /// Number of minutes.
    pub const fn minutes(self) -> i64 {
        self.0
    }

    /// Elapsed time; not affected by clock changes.
    pub fn elapsed(self) -> chrono::TimeDelta {
        chrono::TimeDelta::minutes(self.0)
    }

    /// Parses a duration from a form or a file: `1h20m`, `1h`, `20m`, `1:20`, `80` (minutes), `1,5h`. Case
    /// and spaces are ignored.
    ///
    /// # Errors
    /// [`codes::INVALID_DURATION`] for anything else, for fractions of a minute and for more than 30 days.
    pub fn read(text: &str) -> Result<Self, Code> {
        let text: String = text.chars().filter(|c| !c.is_whitespace()).flat_map(char::to_lowercase).collect();
        minutes_of(&text).and_then(Self::from_minutes).ok_or(codes::INVALID_DURATION)
    }

    /// Parses a lead time in working days from a form or a file: `3`, `3 Tage`, `3 AT`, `2 Wochen` (of five
    /// days), `sofort`; or `48h`, `1 Tag 12h` and anything with a unit that [`Minutes::read`] accepts. A
    /// range such as `2-3 Tage` gives the longer time.
    ///
    /// # Errors
    /// [`codes::INVALID_LEAD_TIME`] for anything else, for fractions of a minute and for more than 30 days.
    pub fn read_lead_time(text: &str) -> Result<Self, Code> {
        let text = fold(&visible(text));
        let minutes = lead_time(longer_of_range(&text).unwrap_or(&text));
        minutes.and_then(Self::from_minutes).ok_or(codes::INVALID_LEAD_TIME)
    }

    /// Lead time as lists and files show it: `3 Tage`, `1 Tag 12h`, `4h30m`.
    pub fn lead_time_text(self, language: Language) -> String {
        let (days, rest) = (self.0 / MINUTES_PER_DAY, self.0 % MINUTES_PER_DAY);
        if days == 0 && rest > 0 {
            return self.to_string();
        }
        let unit = match (language, days) {
            (Language::De, 1) => "Tag",
            (Language::De, _) => "Tage",
            (Language::En, 1) => "day",
            (Language::En, _) => "days",
        };
        if rest == 0 { format!("{days} {unit}") } else { format!("{days} {unit} {}", Self(rest)) }
    }

    /// Working days of a lead time, and the remaining minutes.
    pub fn working_days(self) -> (usize, Self) {
        let days = usize::try_from(self.0 / MINUTES_PER_DAY).unwrap_or_default();
        (days, Self(self.0 % MINUTES_PER_DAY))
    }
}

/// Minutes of a unit of time as headings and cells write it: `Tage`, `AT`, `Std.`, `min`.
pub fn minutes_of_unit(name: &str) -> Option<i64> {
    match fold(name.trim().trim_end_matches('.')).as_str() {
        "d" | "tag" | "tage" | "tagen" | "day" | "days" | "at" | "wt" | "arbeitstag" | "arbeitstage"
        | "arbeitstagen" | "werktag" | "werktage" | "werktagen" | "working day" | "working days"
        | "business day" | "business days" => Some(MINUTES_PER_DAY),
        "w" | "wo" | "woche" | "wochen" | "week" | "weeks" => Some(MINUTES_PER_WEEK),
        "h" | "std" | "stunde" | "stunden" | "hour" | "hours" => Some(MINUTES_PER_HOUR),
        "min" | "minute" | "minuten" | "minutes" => Some(1),
        _ => None,
    }
}

/// Returns `3 tage` for `2-3 tage` and for `2 bis 3 tage`.
fn longer_of_range(text: &str) -> Option<&str> {
    let end = text.find(|c: char| !c.is_ascii_digit())?;
    let (shorter, rest) = text.split_at(end);
    let longer = ["-", "–", "bis", "to"].iter().find_map(|word| rest.trim_start().strip_prefix(word))?;
    let longer = longer.trim_start();
    let end = longer.find(|c: char| !c.is_ascii_digit()).unwrap_or(longer.len());
    (whole(shorter)? < whole(longer.get(..end)?)?).then_some(longer)
}

fn lead_time(text: &str) -> Option<i64> {
    if matches!(text, "sofort" | "immediate" | "immediately") {
        return Some(0);
    }
    // a number without a unit means days
    let clock = || minutes_of(&text.replace(' ', "")).filter(|_| text.contains(['h', 'm', ':']));
    counted(text).or_else(|| days_and_clock(text)).or_else(clock)
}

/// Parses a number with a unit of time; without a unit it means days.
fn counted(text: &str) -> Option<i64> {
    let (number, unit) = text.split_at(text.find(char::is_alphabetic).unwrap_or(text.len()));
    let minutes = if unit.is_empty() { MINUTES_PER_DAY } else { minutes_of_unit(unit)? };
    whole_minutes(number.trim_end(), minutes)
}

/// Parses `1 tag 12h`.
fn days_and_clock(text: &str) -> Option<i64> {
    text.match_indices(' ').find_map(|(at, _)| {
        let (days, clock) = text.split_at(at);
        let days = counted(days).filter(|_| days.contains(char::is_alphabetic))?;
        let clock = clock.replace(' ', "");
        let clock = minutes_of(&clock).filter(|_| clock.contains(['h', 'm', ':']))?;
        (days % MINUTES_PER_DAY == 0 && clock < MINUTES_PER_DAY).then(|| days.checked_add(clock))?
    })
}

fn minutes_of(text: &str) -> Option<i64> {
    if let Some((hours, minutes)) = text.split_once(':') {
        return whole(hours)?
            .checked_mul(MINUTES_PER_HOUR)?
            .checked_add(below_an_hour(two_digits(minutes)?)?);
    }
    match text.split_once('h') {
        Some((hours, "")) => whole_minutes(hours, MINUTES_PER_HOUR),
        Some((hours, minutes)) => {
            let minutes = below_an_hour(whole(minutes.strip_suffix('m')?)?)?;
            whole(hours)?.checked_mul(MINUTES_PER_HOUR)?.checked_add(minutes)
        }
        None => whole(text.strip_suffix('m').unwrap_or(text)),
    }
}

/// Minutes of a number of units, which may have decimals if the result is whole minutes.
fn whole_minutes(number: &str, minutes: i64) -> Option<i64> {
    number.bytes().next().filter(u8::is_ascii_digit)?;
    let count: Decimal = number.replace(',', ".").parse().ok()?;
    Minutes::from_count(count, minutes).map(Minutes::minutes)
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
    /// Writes the form of files: `1h20m`, `1h`, `20m`.
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
        Self::from_minutes(minutes).ok_or_else(|| de::Error::custom("whole minutes from 0 to 43200"))
    }
}

/// Named `Duration` in the contract. The Rust type has another name, because the standard library has a
/// `Duration` and the macros of the contract describe that one as text.
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
    fn only_whole_minutes_within_the_bounds_are_deserialised() {
        let read = |json: &str| serde_json::from_str::<Minutes>(json).ok();
        assert_eq!(read("0"), Some(Minutes::ZERO));
        assert_eq!(read("43200"), Some(Minutes::MAX));
        for json in ["-1", "43201", "1.5", "\"80\"", "null"] {
            assert_eq!(read(json), None, "{json}");
        }
        assert_eq!(serde_json::to_string(&Minutes::MAX).unwrap(), "43200");
    }
}
