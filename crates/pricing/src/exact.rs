//! The numbers of the calculation: fractions, which are exact, and amounts of fifteen places, which every step rounds to once.

use std::{cmp::Ordering, fmt, iter::Sum};

use kernel::{Decimal, Unit};
use serde::{Serialize, Serializer};
use utoipa::{
    PartialSchema, ToSchema,
    openapi::{ObjectBuilder, RefOr, Schema, schema::Type},
};

/// A fraction that is not negative.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ratio {
    numerator: u128,
    /// Above zero.
    denominator: u128,
}

impl Ratio {
    pub const ONE: Self = Self { numerator: 1, denominator: 1 };
    pub const ZERO: Self = Self { numerator: 0, denominator: 1 };

    /// `None` of a number below zero.
    pub fn of(decimal: Decimal) -> Option<Self> {
        const MILLION: u64 = 1_000_000;
        let millionths = u64::try_from(decimal.millionths()).ok()?;
        if millionths.is_multiple_of(MILLION) {
            return Some(Self { numerator: (millionths / MILLION).into(), denominator: 1 });
        }
        let common = common_divisor(millionths.into(), MILLION.into());
        Some(Self { numerator: u128::from(millionths) / common, denominator: u128::from(MILLION) / common })
    }

    /// How many base units of its category one of this unit is.
    pub fn of_unit(unit: Unit) -> Self {
        let (factor, per) = unit.factor();
        Self { numerator: factor.unsigned_abs().into(), denominator: per.unsigned_abs().into() }.reduced()
    }

    #[must_use]
    pub fn reduced(self) -> Self {
        let common = common_divisor(self.numerator, self.denominator);
        Self { numerator: self.numerator / common, denominator: self.denominator / common }
    }

    /// `None` where numbers become too large, or by zero.
    pub fn over(self, other: Self) -> Option<Self> {
        if other.numerator == 0 {
            return None;
        }
        self.times(Self { numerator: other.denominator, denominator: other.numerator })
    }

    /// `None` where numbers become too large.
    pub fn times(self, other: Self) -> Option<Self> {
        let product = |a: Self, b: Self| {
            let numerator = a.numerator.checked_mul(b.numerator)?;
            Some(Self { numerator, denominator: a.denominator.checked_mul(b.denominator)? })
        };
        product(self, other).or_else(|| {
            // crosswise: both fractions may be reduced already
            let (left, right) = (
                Self { numerator: self.numerator, denominator: other.denominator }.reduced(),
                Self { numerator: other.numerator, denominator: self.denominator }.reduced(),
            );
            product(left.reduced(), right.reduced())
        })
    }

    /// Rounded half up to six places; `None` beyond the range.
    pub fn to_decimal(self) -> Option<Decimal> {
        let millionths = i64::try_from(self.scaled(6)?).ok()?;
        Some(Decimal::from_millionths(millionths)).filter(|decimal| *decimal <= Decimal::MAX)
    }

    /// Whether it is a whole number of times another one that is above zero; `None` where numbers become too large.
    pub fn is_multiple_of(self, other: Self) -> Option<bool> {
        let times = self.over(other)?;
        Some(times.numerator % times.denominator == 0)
    }

    /// In units of so many places, rounded half up.
    fn scaled(self, places: u32) -> Option<u128> {
        let Self { numerator, denominator } = self;
        if let Some(scaled) = numerator.checked_mul(10_u128.pow(places)) {
            let (whole, rest) = (scaled / denominator, scaled % denominator);
            return Some(if rest >= denominator - rest { whole + 1 } else { whole });
        }
        // digit by digit, as by hand
        let (mut whole, mut rest) = (numerator / denominator, numerator % denominator);
        for _ in 0..places {
            rest = rest.checked_mul(10)?;
            whole = whole.checked_mul(10)?.checked_add(rest / denominator)?;
            rest %= denominator;
        }
        if rest >= denominator - rest { whole.checked_add(1) } else { Some(whole) }
    }
}

impl PartialOrd for Ratio {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Ratio {
    fn cmp(&self, other: &Self) -> Ordering {
        let crosswise =
            (self.numerator.checked_mul(other.denominator), other.numerator.checked_mul(self.denominator));
        if let (Some(left), Some(right)) = crosswise {
            return left.cmp(&right);
        }
        // By whole parts, then by what is left of each, turned round: numbers become smaller with each step.
        let (mut left, mut right) = (*self, *other);
        let mut turned = false;
        loop {
            let wholes = (left.numerator / left.denominator).cmp(&(right.numerator / right.denominator));
            let rests = (left.numerator % left.denominator, right.numerator % right.denominator);
            let found = match (wholes, rests) {
                (Ordering::Equal, (0, 0)) => Ordering::Equal,
                (Ordering::Equal, (0, _)) => Ordering::Less,
                (Ordering::Equal, (_, 0)) => Ordering::Greater,
                (Ordering::Equal, (left_rest, right_rest)) => {
                    left = Self { numerator: left.denominator, denominator: left_rest };
                    right = Self { numerator: right.denominator, denominator: right_rest };
                    turned = !turned;
                    continue;
                }
                (unequal, _) => unequal,
            };
            return if turned { found.reverse() } else { found };
        }
    }
}

/// Of numbers that are not both zero.
fn common_divisor(mut a: u128, mut b: u128) -> u128 {
    while b != 0 {
        // most numbers are small
        if let (Ok(mut small), Ok(mut other)) = (u64::try_from(a), u64::try_from(b)) {
            while other != 0 {
                (small, other) = (other, small % other);
            }
            return small.into();
        }
        (a, b) = (b, a % b);
    }
    a
}

const PLACES: u32 = 15;
const SCALE: i128 = 10_i128.pow(PLACES);

/// An amount with fifteen places, in EUR or kg: below a trillion, also below zero.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Exact(i128);

impl Exact {
    pub const ZERO: Self = Self(0);
    /// The first that is too large.
    const BOUND: i128 = 10_i128.pow(12) * SCALE;

    /// Exactly.
    pub const fn of(decimal: Decimal) -> Self {
        Self(decimal.millionths() as i128 * 10_i128.pow(PLACES - 6))
    }

    /// A weight in kg that weights are compared with, however large.
    pub fn bound(value: Decimal, unit: Unit) -> Self {
        let (factor, per) = unit.factor();
        Self(divided(Self::of(value).0.saturating_mul(factor.into()), per.into()))
    }

    /// A weight in kg in a unit of mass, rounded half away from zero to six places; `None` where it is too large.
    pub fn in_unit(self, unit: Unit) -> Option<Decimal> {
        let (factor, per) = unit.factor();
        let of_unit = self.0.checked_mul(per.into())?;
        Some(Self(divided(of_unit, factor.into())).bounded()?.to_decimal())
    }

    /// EUR for each of so many, rounded half away from zero to fifteen places; `None` where it is too large.
    pub fn times(self, price: Decimal, per: i64) -> Option<Self> {
        const TENTHS: i64 = 100;
        // prices have four places
        let price = price.millionths() / TENTHS;
        let divisor = i128::from(per) * i128::from(1_000_000 / TENTHS);
        Self(divided(self.0.checked_mul(price.into())?, divisor)).bounded()
    }

    /// Rounded half up to fifteen places; `None` where it is too large.
    pub fn of_ratio(ratio: Ratio) -> Option<Self> {
        Self(i128::try_from(ratio.scaled(PLACES)?).ok()?).bounded()
    }

    /// `None` of a sum that is too large.
    pub fn bounded(self) -> Option<Self> {
        (self.0.abs() < Self::BOUND).then_some(self)
    }

    /// So many percent of it, rounded half away from zero to fifteen places; `None` where it is too large.
    pub fn percent(self, percent: Decimal) -> Option<Self> {
        const PER: i128 = 100 * 1_000_000;
        let product = self.0.checked_mul(percent.millionths().into())?;
        Self(divided(product, PER)).bounded()
    }

    /// `None` where it is too large.
    pub fn plus(self, other: Self) -> Option<Self> {
        Self(self.0 + other.0).bounded()
    }

    /// `None` where it is too large.
    pub fn minus(self, other: Self) -> Option<Self> {
        self.plus(Self(-other.0))
    }

    /// With the other sign.
    #[must_use]
    pub const fn negated(self) -> Self {
        Self(-self.0)
    }

    /// As it is shown: rounded half away from zero to two places.
    pub fn shown(self) -> Decimal {
        const CENT: u64 = 10_u64.pow(PLACES - 2);
        const TWOS: u32 = CENT.trailing_zeros();
        // a division of 128 bits takes ten times as long, and each step of an explanation has two
        match u64::try_from((self.0.unsigned_abs() + u128::from(CENT / 2)) >> TWOS) {
            Ok(without_twos) => {
                let cents = (without_twos / (CENT >> TWOS)).cast_signed();
                Decimal::from_millionths(if self.0 < 0 { -cents } else { cents } * 10_000)
            }
            Err(_) => within(divided(self.0, CENT.into()).saturating_mul(10_000)),
        }
    }

    /// Rounded half away from zero to six places.
    pub fn to_decimal(self) -> Decimal {
        within(divided(self.0, 10_i128.pow(PLACES - 6)))
    }

    /// What part of another amount it is, in percent, rounded to two places; none of nothing.
    pub fn percent_of(self, whole: Self) -> Option<Decimal> {
        if whole.0 == 0 {
            return None;
        }
        let hundredths = divided(self.0.checked_mul(10_000)?.checked_mul(whole.0.signum())?, whole.0.abs());
        Some(Decimal::from_millionths(i64::try_from(hundredths).ok()?.checked_mul(10_000)?))
            .filter(|percent| percent.millionths().abs() <= Decimal::MAX.millionths())
    }
}

/// Of a sum that is too large the largest decimal.
fn within(millionths: i128) -> Decimal {
    let max = Decimal::MAX.millionths();
    let millionths = millionths.clamp((-max).into(), max.into());
    Decimal::from_millionths(i64::try_from(millionths).unwrap_or(max))
}

/// Rounded half away from zero, by a divisor above zero.
fn divided(number: i128, divisor: i128) -> i128 {
    let whole = number / divisor;
    let rest = number - whole * divisor;
    if rest.abs() >= divisor - rest.abs() { whole + number.signum() } else { whole }
}

/// Of amounts of which there are not more than a cart has.
impl Sum for Exact {
    fn sum<I: Iterator<Item = Self>>(amounts: I) -> Self {
        Self(amounts.map(|amount| amount.0).sum())
    }
}

impl fmt::Display for Exact {
    /// The shortest form: `2191.81215`, `-65.7543645`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.0 < 0 { "-" } else { "" };
        let (whole, behind) = (self.0.abs() / SCALE, self.0.abs() % SCALE);
        if behind == 0 {
            return write!(f, "{sign}{whole}");
        }
        let behind = format!("{behind:015}");
        write!(f, "{sign}{whole}.{}", behind.trim_end_matches('0'))
    }
}

impl Serialize for Exact {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl ToSchema for Exact {
    fn name() -> std::borrow::Cow<'static, str> {
        "Exact".into()
    }
}

impl PartialSchema for Exact {
    fn schema() -> RefOr<Schema> {
        ObjectBuilder::new()
            .schema_type(Type::String)
            .pattern(Some(r"^-?[0-9]{1,12}(\.[0-9]{1,15})?$"))
            .description(Some("A decimal of at most fifteen places, before it is rounded."))
            .examples(["2191.81215"])
            .into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ratio(numerator: u128, denominator: u128) -> Ratio {
        Ratio { numerator, denominator }
    }

    fn exact(text: &str) -> Exact {
        Exact::of(text.parse().unwrap())
    }

    #[test]
    fn fractions_are_exact_and_rounded_half_up_to_fifteen_places() {
        for (fraction, expected) in [
            (ratio(1, 3), "0.333333333333333"),
            (ratio(2, 3), "0.666666666666667"),
            (ratio(1, 2 * 10_u128.pow(15)), "0.000000000000001"),
            (ratio(1, 2 * 10_u128.pow(15) + 1), "0"),
            (ratio(999_999_999_999, 1), "999999999999"),
            // too many digits to be multiplied: as by hand
            (ratio(10_u128.pow(37), 3 * 10_u128.pow(36)), "3.333333333333333"),
            (ratio(2 * 10_u128.pow(37), 3 * 10_u128.pow(36)), "6.666666666666667"),
        ] {
            assert_eq!(Exact::of_ratio(fraction).unwrap().to_string(), expected, "{fraction:?}");
        }
        assert_eq!(Exact::of_ratio(ratio(10_u128.pow(12), 1)), None);
        assert_eq!(Exact::of_ratio(ratio(u128::MAX, 1)), None);
    }

    #[test]
    fn fractions_are_multiplied_as_long_as_they_fit() {
        let large = ratio(10_u128.pow(30), 7);
        assert_eq!(large.times(ratio(7, 10_u128.pow(30))).unwrap().reduced(), Ratio::ONE);
        assert_eq!(large.times(large), None);
        assert_eq!(large.over(large).unwrap().reduced(), Ratio::ONE);
        assert_eq!(large.over(Ratio::ZERO), None);
        assert_eq!(ratio(3, 10).is_multiple_of(ratio(1, 10)), Some(true));
        assert_eq!(ratio(3, 10).is_multiple_of(ratio(1, 4)), Some(false));
    }

    #[test]
    fn fractions_are_compared_whatever_their_size() {
        let huge = u128::MAX;
        for (left, right, expected) in [
            (ratio(1, 3), ratio(333_333, 1_000_000), Ordering::Greater),
            (ratio(2, 6), ratio(1, 3), Ordering::Equal),
            (ratio(huge, huge - 1), ratio(huge - 1, huge - 2), Ordering::Less),
            (ratio(huge - 1, huge), ratio(huge - 2, huge - 1), Ordering::Greater),
            (ratio(huge, 3), ratio(huge, 2), Ordering::Less),
            (ratio(huge, huge), ratio(1, 1), Ordering::Equal),
        ] {
            assert_eq!(left.cmp(&right), expected, "{left:?} {right:?}");
            assert_eq!(right.cmp(&left), expected.reverse(), "{right:?} {left:?}");
        }
    }

    #[test]
    fn amounts_are_shown_half_up_away_from_zero() {
        for (amount, shown) in [
            ("0.005", "0.01"),
            ("0.004999", "0"),
            ("-0.005", "-0.01"),
            ("-0.004999", "0"),
            ("2191.81215", "2191.81"),
            ("-65.754364", "-65.75"),
            // at the bound of what is divided fast
            ("151115727.445", "151115727.45"),
            ("151115727.454999", "151115727.45"),
            ("151115727.455", "151115727.46"),
            ("-999999999999.985", "-999999999999.99"),
        ] {
            assert_eq!(exact(amount).shown().to_string(), shown, "{amount}");
        }
    }

    #[test]
    fn percentages_are_rounded_once() {
        let percent = |amount: &str, percent: &str| exact(amount).percent(percent.parse().unwrap());
        assert_eq!(percent("2191.81215", "3").unwrap().to_string(), "65.7543645");
        assert_eq!(percent("0.000001", "0.000001").unwrap().to_string(), "0.00000000000001");
        assert_eq!(percent("999999999999", "101"), None);
        assert_eq!(exact("-1").percent_of(exact("3")).unwrap().to_string(), "-33.33");
        assert_eq!(exact("1").percent_of(exact("-3")).unwrap().to_string(), "-33.33");
        assert_eq!(exact("1").percent_of(Exact::ZERO), None);
    }
}
