//! Exact decimals with six places: a scaled 64-bit integer in both databases, a string on the wire, never a
//! float.

use std::{fmt, str::FromStr};

use sea_orm::DeriveValueType;
use serde::{
    Deserialize, Deserializer, Serialize, Serializer,
    de::{self, MapAccess, Visitor, value::MapAccessDeserializer},
};
use serde_json::value::RawValue;
use utoipa::{
    PartialSchema, ToSchema,
    openapi::{ObjectBuilder, RefOr, Schema, schema::Type},
};

const PLACES: u32 = 6;
const SCALE: i64 = 10_i64.pow(PLACES);

/// Decimal of at most twelve digits before and six after the point.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, DeriveValueType)]
#[sea_orm(column_type = "Decimal(Some((18, 6)))")]
pub struct Decimal(i64);

/// Error for a text that is no such decimal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NotADecimal;

/// Message within an error of the JSON parser; `api` replaces it by the code `no_decimal`.
impl fmt::Display for NotADecimal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("no decimal")
    }
}

impl Decimal {
    pub const ZERO: Self = Self(0);
    pub const ONE: Self = Self(SCALE);
    /// Largest value: twelve nines before the point and six after it.
    pub const MAX: Self = Self(10_i64.pow(18) - 1);

    /// Creates a decimal from millionths, the stored form.
    pub const fn from_millionths(millionths: i64) -> Self {
        Self(millionths)
    }

    /// Millionths, the stored form.
    pub const fn millionths(self) -> i64 {
        self.0
    }

    /// Returns `self * numerator / denominator`, rounded half away from zero; `None` if out of range or
    /// divided by zero.
    pub fn scaled(self, numerator: i64, denominator: i64) -> Option<Self> {
        let product = i128::from(self.0) * i128::from(numerator);
        let denominator = i128::from(denominator);
        if denominator == 0 {
            return None;
        }
        let half = denominator.abs() / 2 * if (product < 0) == (denominator < 0) { 1 } else { -1 };
        let rounded = (product + half * denominator.signum()) / denominator;
        i64::try_from(rounded).ok().map(Self).filter(|value| value.0.abs() <= Self::MAX.0)
    }

    /// Returns `self * other`, rounded half away from zero to six places; `None` if out of range.
    pub fn times(self, other: Self) -> Option<Self> {
        self.scaled(other.0, SCALE)
    }

    /// Value rounded half away from zero to a number of places.
    #[must_use]
    pub fn rounded(self, places: u32) -> Self {
        let step = 10_i64.pow(PLACES - places.min(PLACES));
        let half = step / 2 * self.0.signum();
        Self((self.0 + half) / step * step)
    }

    /// True if the value has at most `before` digits before the point and `after` digits after it.
    pub fn fits(self, before: u32, after: u32) -> bool {
        let (whole, behind) = (self.0.unsigned_abs() / SCALE.unsigned_abs(), self.0 % SCALE);
        whole < 10_u64.pow(before) && behind % 10_i64.pow(PLACES - after.min(PLACES)) == 0
    }

    /// Text with exactly this number of places, a point and no grouping.
    pub fn fixed(self, places: u32) -> String {
        let rounded = self.rounded(places).0;
        let sign = if rounded < 0 { "-" } else { "" };
        let magnitude = rounded.unsigned_abs();
        let (whole, behind) = (magnitude / SCALE.unsigned_abs(), magnitude % SCALE.unsigned_abs());
        if places == 0 {
            format!("{sign}{whole}")
        } else {
            let digits = format!("{behind:06}");
            format!("{sign}{whole}.{}", digits.get(..places.min(PLACES) as usize).unwrap_or(&digits))
        }
    }
}

impl From<i32> for Decimal {
    fn from(whole: i32) -> Self {
        Self(i64::from(whole) * SCALE)
    }
}

impl fmt::Display for Decimal {
    /// Writes the shortest form: `12`, `12.5`, `-0.000001`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = self.fixed(PLACES);
        f.write_str(text.trim_end_matches('0').trim_end_matches('.'))
    }
}

impl FromStr for Decimal {
    type Err = NotADecimal;

    /// Parses an optional minus sign, digits, and a point with one to six digits. Grouping, exponents and
    /// spaces are refused.
    fn from_str(text: &str) -> Result<Self, NotADecimal> {
        let (negative, digits) = match text.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, text),
        };
        let (whole, behind) =
            digits.split_once('.').map_or((digits, None), |(whole, behind)| (whole, Some(behind)));
        let all_digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
        if !all_digits(whole)
            || !behind.is_none_or(|behind| all_digits(behind) && behind.len() <= PLACES as usize)
        {
            return Err(NotADecimal);
        }
        let whole = whole.trim_start_matches('0');
        if whole.len() > 12 {
            return Err(NotADecimal);
        }
        let millionths: i64 =
            format!("{whole}{:0<6}", behind.unwrap_or_default()).parse().map_err(|_| NotADecimal)?;
        Ok(Self(if negative { -millionths } else { millionths }))
    }
}

impl Serialize for Decimal {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// Name under which serde_json passes the raw text of a value. Other deserializers treat it as any newtype.
const AS_WRITTEN: &str = "$serde_json::private::RawValue";

/// Reads a string, as the API writes it, or a JSON number. A number is read from its raw text, since a float
/// would round it.
impl<'de> Deserialize<'de> for Decimal {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_newtype_struct(AS_WRITTEN, DecimalVisitor)
    }
}

struct DecimalVisitor;

impl<'de> Visitor<'de> for DecimalVisitor {
    type Value = Decimal;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a decimal")
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Decimal, A::Error> {
        let written = Box::<RawValue>::deserialize(MapAccessDeserializer::new(map))?;
        let read = match serde_json::from_str::<String>(written.get()) {
            Ok(text) => text.parse(),
            Err(_) => parse_json_number(written.get()),
        };
        read.map_err(de::Error::custom)
    }

    /// Reads a value that serde has buffered, for example because the tag of its enum comes later.
    fn visit_newtype_struct<D: Deserializer<'de>>(self, deserializer: D) -> Result<Decimal, D::Error> {
        deserializer.deserialize_any(self)
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Decimal, E> {
        text.parse().map_err(E::custom)
    }

    fn visit_i64<E: de::Error>(self, number: i64) -> Result<Decimal, E> {
        parse_json_number(&number.to_string()).map_err(E::custom)
    }

    fn visit_u64<E: de::Error>(self, number: u64) -> Result<Decimal, E> {
        parse_json_number(&number.to_string()).map_err(E::custom)
    }

    /// Reads a float if it has few enough digits to be exact.
    fn visit_f64<E: de::Error>(self, number: f64) -> Result<Decimal, E> {
        let written = number.to_string();
        let digits = written.bytes().filter(u8::is_ascii_digit).count();
        let exact = u32::try_from(digits).is_ok_and(|digits| digits <= f64::DIGITS);
        let read = if exact { parse_json_number(&written) } else { Err(NotADecimal) };
        read.map_err(E::custom)
    }
}

/// Parses a JSON number, which unlike a text may have an exponent and trailing zeros.
fn parse_json_number(written: &str) -> Result<Decimal, NotADecimal> {
    /// Largest exponent that is accepted; no decimal needs a larger one.
    const EXPONENT_MAX: u32 = 20;
    let (mantissa, exponent) = written.split_once(['e', 'E']).unwrap_or((written, "0"));
    let exponent: i32 = exponent.parse().map_err(|_| NotADecimal)?;
    if exponent.unsigned_abs() > EXPONENT_MAX {
        return Err(NotADecimal);
    }
    let (sign, digits) = mantissa.strip_prefix('-').map_or(("", mantissa), |digits| ("-", digits));
    let (whole, behind) = digits.split_once('.').unwrap_or((digits, ""));
    let shift = exponent.unsigned_abs() as usize;
    let (whole, behind) = if exponent < 0 {
        let padded = format!("{:0>shift$}{whole}", "");
        let (whole, moved) = padded.split_at_checked(padded.len() - shift).ok_or(NotADecimal)?;
        (whole.to_owned(), format!("{moved}{behind}"))
    } else {
        let padded = format!("{behind:0<shift$}");
        let (moved, behind) = padded.split_at_checked(shift).ok_or(NotADecimal)?;
        (format!("{whole}{moved}"), behind.to_owned())
    };
    match behind.trim_end_matches('0') {
        "" => format!("{sign}0{whole}").parse(),
        behind => format!("{sign}0{whole}.{behind}").parse(),
    }
}

impl ToSchema for Decimal {}

impl PartialSchema for Decimal {
    fn schema() -> RefOr<Schema> {
        ObjectBuilder::new()
            .schema_type(Type::String)
            .pattern(Some(r"^-?[0-9]{1,12}(\.[0-9]{1,6})?$"))
            .description(Some(
                "A decimal number as a string; at most 12 digits before and 6 behind the point. A request may have a JSON number.",
            ))
            .examples(["61.3"])
            .into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decimal(text: &str) -> Decimal {
        text.parse().unwrap()
    }

    #[test]
    fn decimals_are_printed_in_their_shortest_form() {
        for (text, shortest) in [
            ("0", "0"),
            ("-0.0", "0"),
            ("007.500", "7.5"),
            ("100", "100"),
            ("999999999999.999999", "999999999999.999999"),
            ("-0.000001", "-0.000001"),
            ("123456789012.345678", "123456789012.345678"),
        ] {
            assert_eq!(decimal(text).to_string(), shortest);
        }
    }

    #[test]
    fn invalid_decimals_are_refused() {
        for text in [
            "",
            "-",
            ".",
            "1.",
            ".5",
            "1,5",
            "1e3",
            "+1",
            " 1",
            "1 ",
            "0x1",
            "1.2.3",
            "1.1234567",
            "1000000000000",
            "٣",
        ] {
            assert_eq!(text.parse::<Decimal>(), Err(NotADecimal), "{text:?}");
        }
    }

    #[test]
    fn decimals_are_read_from_json_without_loss() {
        for (written, read) in [
            (r#""61.3""#, "61.3"),
            (r#""\u0036""#, "6"),
            ("61.3", "61.3"),
            ("-0", "0"),
            ("61", "61"),
            ("999999999999.999999", "999999999999.999999"),
            ("-123456789012.345678", "-123456789012.345678"),
            ("1.1000000000000000000000", "1.1"),
            ("1e-06", "0.000001"),
            ("0.00125E+3", "1.25"),
            ("1.25e11", "125000000000"),
            ("1234567e-6", "1.234567"),
        ] {
            assert_eq!(serde_json::from_str::<Decimal>(written).unwrap(), decimal(read), "{written}");
        }
        for written in [
            "61.3000001",
            "61.30000000000000001",
            "1000000000000",
            "1e-7",
            "1e12",
            "1e400",
            "-1e99999999999",
            "123456789012345678901234567890",
            r#""1e3""#,
            r#""1.0000000""#,
            r#""""#,
            "true",
            "null",
            "[1]",
            r#"{"a":1}"#,
        ] {
            let error = serde_json::from_str::<Decimal>(written).unwrap_err().to_string();
            assert!(error.starts_with(&NotADecimal.to_string()), "{written}: {error}");
        }
    }

    #[test]
    fn a_value_before_its_tag_is_read_as_well() {
        #[derive(Debug, Deserialize)]
        #[serde(tag = "field", content = "value")]
        enum Change {
            Weight(Option<Decimal>),
        }
        let read_weight = |value: &str| {
            let Change::Weight(weight) =
                serde_json::from_str(&format!(r#"{{"value":{value},"field":"Weight"}}"#))?;
            Ok::<_, serde_json::Error>(weight)
        };
        assert_eq!(read_weight(r#""61.3""#).unwrap(), Some(decimal("61.3")));
        assert_eq!(read_weight("61.3").unwrap(), Some(decimal("61.3")));
        assert_eq!(read_weight("-61").unwrap(), Some(decimal("-61")));
        assert_eq!(read_weight("null").unwrap(), None);
        assert!(read_weight("123456789012.345678").is_err(), "more digits than a float holds");
        assert!(read_weight("61.3000001").is_err());
        assert!(read_weight("true").is_err());
    }

    #[test]
    fn scaling_rounds_half_away_from_zero_and_stays_in_range() {
        assert_eq!(decimal("1").scaled(1, 3), Some(decimal("0.333333")));
        assert_eq!(decimal("2").scaled(1, 3), Some(decimal("0.666667")));
        assert_eq!(decimal("-2").scaled(1, 3), Some(decimal("-0.666667")));
        assert_eq!(decimal("2").scaled(-1, 3), Some(decimal("-0.666667")));
        assert_eq!(decimal("2").scaled(-1, -3), Some(decimal("0.666667")));
        assert_eq!(decimal("0.000001").scaled(1, 2), Some(decimal("0.000001")));
        assert_eq!(Decimal::MAX.scaled(2, 1), None);
        assert_eq!(Decimal::ONE.scaled(1, 0), None);
        assert_eq!(decimal("61.3").times(decimal("12.1")), Some(decimal("741.73")));
    }

    #[test]
    fn decimals_are_rounded_to_fixed_places() {
        assert_eq!(decimal("2.345").fixed(2), "2.35");
        assert_eq!(decimal("-2.345").fixed(2), "-2.35");
        assert_eq!(decimal("0.5").fixed(0), "1");
        assert_eq!(decimal("12").fixed(3), "12.000");
        assert_eq!(decimal("-0.4").fixed(0), "0");
    }
}
