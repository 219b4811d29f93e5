//! Numbers at the start and the end of the calculation: exact fractions, and results that are rounded once
//! when they are shown. Intermediate amounts are in [`crate::quote`].

use std::{cmp::Ordering, fmt, iter::Sum};

use num_bigint::{BigInt, BigUint};
use num_traits::ToPrimitive;
use serde::{Serialize, Serializer};
use utoipa::{
    PartialSchema, ToSchema,
    openapi::{ObjectBuilder, RefOr, Schema, schema::Type},
};
use values::{Decimal, Unit};

/// Fraction that is not negative. Equality is by value: `2/6` equals `1/3`.
#[derive(Debug, Clone, Copy)]
pub struct Ratio {
    pub(crate) numerator: u128,
    /// Denominator, above zero.
    pub(crate) denominator: u128,
}

impl Ratio {
    pub const ONE: Self = Self { numerator: 1, denominator: 1 };
    pub const ZERO: Self = Self { numerator: 0, denominator: 1 };

    /// Converts a decimal; `None` if it is negative.
    pub fn from_decimal(decimal: Decimal) -> Option<Self> {
        const MILLION: u64 = 1_000_000;
        let millionths = u64::try_from(decimal.millionths()).ok()?;
        if millionths.is_multiple_of(MILLION) {
            return Some(Self { numerator: (millionths / MILLION).into(), denominator: 1 });
        }
        let common = common_divisor(millionths.into(), MILLION.into());
        Some(Self { numerator: u128::from(millionths) / common, denominator: u128::from(MILLION) / common })
    }

    /// Returns the number of base units of its category in one of this unit, in lowest terms.
    pub fn from_unit(unit: Unit) -> Self {
        let (factor, per) = unit.factor();
        Self { numerator: factor.unsigned_abs().into(), denominator: per.unsigned_abs().into() }
    }

    /// Returns the same ratio in lowest terms.
    #[must_use]
    pub fn reduced(self) -> Self {
        let common = common_divisor(self.numerator, self.denominator);
        Self { numerator: self.numerator / common, denominator: self.denominator / common }
    }

    /// Divides; `None` if numbers become too large, or if the divisor is zero.
    pub fn over(self, other: Self) -> Option<Self> {
        if other.numerator == 0 {
            return None;
        }
        self.times(Self { numerator: other.denominator, denominator: other.numerator })
    }

    /// Multiplies; `None` if numbers become too large.
    pub fn times(self, other: Self) -> Option<Self> {
        let product = |a: Self, b: Self| {
            let numerator = a.numerator.checked_mul(b.numerator)?;
            Some(Self { numerator, denominator: a.denominator.checked_mul(b.denominator)? })
        };
        product(self, other).or_else(|| {
            // reduces both fractions, then crosswise
            let (one, other) = (self.reduced(), other.reduced());
            let (left, right) = (
                Self { numerator: one.numerator, denominator: other.denominator }.reduced(),
                Self { numerator: other.numerator, denominator: one.denominator }.reduced(),
            );
            product(left, right)
        })
    }

    /// True if the fraction is small enough for an amount in EUR or kg: below a trillion.
    pub fn is_amount(self) -> bool {
        const TRILLION: u128 = 10_u128.pow(12);
        self.numerator / self.denominator < TRILLION
    }

    /// Rounds half up to six places; `None` if the decimal would be out of range.
    pub fn to_decimal(self) -> Option<Decimal> {
        let (parts, rest) = self.parts(1_000_000)?;
        let up = rest.numerator >= rest.denominator - rest.numerator;
        let millionths = i64::try_from(parts + u128::from(up)).ok()?;
        Some(Decimal::from_millionths(millionths)).filter(|decimal| *decimal <= Decimal::MAX)
    }

    /// True if this is an integral multiple of another fraction, which is above zero; `None` if numbers
    /// become too large.
    pub fn is_multiple_of(self, other: Self) -> Option<bool> {
        let times = self.over(other)?;
        Some(times.numerator % times.denominator == 0)
    }

    /// Splits into parts of the size `1 / to_one`: returns their number, and the remainder as a fraction of a
    /// part.
    pub(crate) fn parts(self, to_one: u128) -> Option<(u128, Self)> {
        let Self { numerator, denominator } = self;
        let split = |numerator: u128, denominator: u128| {
            let rest = Self { numerator: numerator % denominator, denominator };
            (numerator / denominator, rest)
        };
        if let Some(parts) = numerator.checked_mul(to_one) {
            return Some(split(parts, denominator));
        }
        let parts = BigUint::from(numerator) * to_one;
        let rest = (&parts % denominator).to_u128()?;
        Some(((parts / denominator).to_u128()?, Self { numerator: rest, denominator }))
    }
}

impl PartialEq for Ratio {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Ratio {}

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
        // Compares the whole parts, then the reciprocals of the remainders: the numbers become smaller with
        // each step.
        let (mut left, mut right) = (*self, *other);
        let mut turned = false;
        loop {
            let wholes = (left.numerator / left.denominator).cmp(&(right.numerator / right.denominator));
            let rests = (left.numerator % left.denominator, right.numerator % right.denominator);
            let ordering = match (wholes, rests) {
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
            return if turned { ordering.reverse() } else { ordering };
        }
    }
}

/// Greatest common divisor of two numbers that are not both zero.
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

/// Decimal places of amounts that are shown before they are rounded to cents.
const PLACES: u32 = 15;

/// Result in EUR or kg, between minus a trillion and a trillion. Its value is truncated to half units of the
/// fifteenth place, which is enough to round it correctly to fifteen or fewer places. Equal results have
/// equal values.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Exact(i128);

impl Exact {
    pub const ZERO: Self = Self(0);
    /// Half units of the fifteenth place in one EUR or kg.
    pub(crate) const SCALE: i128 = 2 * 10_i128.pow(PLACES);
    /// First value that is too large.
    pub(crate) const BOUND: Self = Self(10_i128.pow(12) * Self::SCALE);
    const OF_A_MILLIONTH: i128 = Self::SCALE / 1_000_000;
    /// Half units of the fifteenth place in one cent.
    pub(crate) const CENT: i64 = 2 * 10_i64.pow(PLACES - 2);

    /// Converts a decimal, exactly.
    pub const fn from_decimal(decimal: Decimal) -> Self {
        Self(decimal.millionths() as i128 * Self::OF_A_MILLIONTH)
    }

    /// Converts a weight into kg as a bound for comparisons, however large.
    pub fn bound(value: Decimal, unit: Unit) -> Self {
        // even a number of milligrams with six places has only twelve in kg
        let (factor, per) = unit.factor();
        Self(Self::from_decimal(value).0.saturating_mul(factor.into()) / i128::from(per))
    }

    /// Creates a result from half units of the fifteenth place.
    pub(crate) const fn from_halves(halves: i128) -> Self {
        Self(halves)
    }

    /// Returns the value in half units of the fifteenth place.
    pub(crate) const fn halves(self) -> i128 {
        self.0
    }

    /// Converts a weight in kg into a unit of mass, rounded half away from zero to fifteen places; `None` if
    /// it is too large.
    pub fn in_unit(self, unit: Unit) -> Option<Self> {
        let (factor, per) = unit.factor();
        Self(divided(self.0.checked_mul(per.into())?, factor.into())).bounded()
    }

    /// Rounds to six places, unless that would change its comparison with a number.
    #[must_use]
    pub fn rounded_beside(self, number: Decimal) -> Self {
        let (rounded, number) = (Self::from_decimal(self.to_decimal()), Self::from_decimal(number));
        if rounded.cmp(&number) == self.cmp(&number) { rounded } else { self }
    }

    /// Converts a fraction; `None` if it is too large.
    pub fn from_ratio(ratio: Ratio) -> Option<Self> {
        let (halves, _) = ratio.parts(Self::SCALE.unsigned_abs())?;
        Self(i128::try_from(halves).ok()?).bounded()
    }

    /// Returns the value; `None` if it is too large.
    pub fn bounded(self) -> Option<Self> {
        (self.0.abs() < Self::BOUND.0).then_some(self)
    }

    /// Adds; `None` if the sum is too large.
    pub fn plus(self, other: Self) -> Option<Self> {
        Self(self.0 + other.0).bounded()
    }

    /// Subtracts; `None` if the difference is too large.
    pub fn minus(self, other: Self) -> Option<Self> {
        self.plus(Self(-other.0))
    }

    /// Returns the value without its sign.
    #[must_use]
    pub const fn abs(self) -> Self {
        Self(self.0.abs())
    }

    /// Returns the value with the opposite sign.
    #[must_use]
    pub const fn negated(self) -> Self {
        Self(-self.0)
    }

    /// Rounds half away from zero to two places, as amounts are shown.
    pub fn shown(self) -> Decimal {
        const CENT: u64 = Exact::CENT.cast_unsigned();
        const TWOS: u32 = CENT.trailing_zeros();
        // a division of 128 bits takes ten times as long
        match u64::try_from((self.0.unsigned_abs() + u128::from(CENT / 2)) >> TWOS) {
            Ok(without_twos) => {
                let cents = (without_twos / (CENT >> TWOS)).cast_signed();
                Decimal::from_millionths(if self.0 < 0 { -cents } else { cents } * 10_000)
            }
            Err(_) => within(divided(self.0, CENT.into()).saturating_mul(10_000)),
        }
    }

    /// Splits into the shown amount and the half units of the fifteenth place that it lacks.
    #[inline]
    pub(crate) fn shown_and_rest(self) -> (Decimal, i64) {
        const CENT: u64 = Exact::CENT.cast_unsigned();
        const FOUR_THOUSAND: u64 = 400_000 * CENT;
        // most amounts of steps are not negative and below four thousand EUR: 64 bits are enough for them
        if let Ok(halves @ 0..FOUR_THOUSAND) = u64::try_from(self.0) {
            let cents = (halves + CENT / 2) / CENT;
            let rest = halves.cast_signed() - (cents * CENT).cast_signed();
            return (Decimal::from_millionths(cents.cast_signed() * 10_000), rest);
        }
        let shown = self.shown();
        (shown, i64::try_from(self.0 - Self::from_decimal(shown).0).unwrap_or_default())
    }

    /// Rounds half away from zero to six places.
    pub fn to_decimal(self) -> Decimal {
        within(divided(self.0, Self::OF_A_MILLIONTH))
    }

    /// Like [`Self::percent_of`], before rounding; `None` if it is too large.
    pub fn exact_percent_of(self, whole: Self) -> Option<Self> {
        if whole.0 == 0 {
            return None;
        }
        let halves: BigInt = BigInt::from(self.0) * 100 * Self::SCALE / whole.0;
        Self(halves.to_i128()?).bounded()
    }

    /// Returns the amount changed by a percentage of at most two places, negative for a discount, rounded
    /// once, half away from zero, to cents. `None` if it is too large.
    pub fn shown_changed_by(self, percent: Decimal) -> Option<Decimal> {
        const WHOLE: i128 = 10_000;
        let hundredths = i128::from(percent.millionths() / 10_000);
        let changed = self.0.checked_mul(WHOLE + hundredths)?;
        let cents = divided(changed, Self::SCALE / 100 * WHOLE);
        Some(Decimal::from_millionths(i64::try_from(cents).ok()?.checked_mul(10_000)?))
            .filter(|amount| amount.millionths().abs() <= Decimal::MAX.millionths())
    }

    /// Returns the share of another amount, in percent, rounded to two places; `None` if that amount is zero.
    pub fn percent_of(self, whole: Self) -> Option<Decimal> {
        if whole.0 == 0 {
            return None;
        }
        let hundredths = divided(self.0.checked_mul(10_000)?.checked_mul(whole.0.signum())?, whole.0.abs());
        Some(Decimal::from_millionths(i64::try_from(hundredths).ok()?.checked_mul(10_000)?))
            .filter(|percent| percent.millionths().abs() <= Decimal::MAX.millionths())
    }
}

/// Converts millionths; a value out of range becomes the largest decimal.
fn within(millionths: i128) -> Decimal {
    let max = Decimal::MAX.millionths();
    let millionths = millionths.clamp((-max).into(), max.into());
    Decimal::from_millionths(i64::try_from(millionths).unwrap_or(max))
}

/// Divides by a divisor above zero, rounding half away from zero.
fn divided(number: i128, divisor: i128) -> i128 {
    let whole = number / divisor;
    let rest = number - whole * divisor;
    if rest.abs() >= divisor - rest.abs() { whole + number.signum() } else { whole }
}

/// Sum of shown amounts, which are whole cents.
impl Sum for Exact {
    fn sum<I: Iterator<Item = Self>>(amounts: I) -> Self {
        Self(amounts.map(|amount| amount.0).sum())
    }
}

impl fmt::Display for Exact {
    /// Writes the shortest form: `2191.81215`, `-65.7543645`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const WHOLE: u128 = 10_u128.pow(PLACES);
        let rounded = self.0.unsigned_abs().div_ceil(2);
        let sign = if self.0 < 0 { "-" } else { "" };
        let (whole, behind) = (rounded / WHOLE, rounded % WHOLE);
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
        Exact::from_decimal(text.parse().unwrap())
    }

    #[test]
    fn a_fraction_is_equal_to_another_one_of_the_same_value() {
        assert_eq!(ratio(2, 6), ratio(1, 3));
        assert_eq!(ratio(u128::MAX, u128::MAX), Ratio::ONE);
        assert_ne!(ratio(u128::MAX, u128::MAX - 1), Ratio::ONE);
        assert_eq!(ratio(0, 7), Ratio::ZERO);
    }

    #[test]
    fn results_are_rounded_once_to_fifteen_places_and_to_cents() {
        for (fraction, expected, shown) in [
            (ratio(1, 3), "0.333333333333333", "0.33"),
            (ratio(2, 3), "0.666666666666667", "0.67"),
            (ratio(1, 2 * 10_u128.pow(15)), "0.000000000000001", "0"),
            (ratio(1, 2 * 10_u128.pow(15) + 1), "0", "0"),
            (ratio(999_999_999_999, 1), "999999999999", "999999999999"),
            // less than half a cent, although equal to it in fifteen places
            (ratio(5 * 10_u128.pow(16) - 1, 10_u128.pow(19)), "0.005", "0"),
            (ratio(5 * 10_u128.pow(16), 10_u128.pow(19)), "0.005", "0.01"),
            // too many digits to multiply
            (ratio(10_u128.pow(37), 3 * 10_u128.pow(36)), "3.333333333333333", "3.33"),
            (ratio(2 * 10_u128.pow(37), 3 * 10_u128.pow(36)), "6.666666666666667", "6.67"),
            (ratio(u128::MAX, u128::MAX - 1), "1", "1"),
        ] {
            let exact = Exact::from_ratio(fraction).unwrap();
            assert_eq!((&*exact.to_string(), &*exact.shown().to_string()), (expected, shown), "{fraction:?}");
        }
        assert_eq!(Exact::from_ratio(ratio(10_u128.pow(12), 1)), None);
        assert_eq!(Exact::from_ratio(ratio(u128::MAX, 1)), None);
        assert!(
            !ratio(10_u128.pow(12), 1).is_amount() && ratio(10_u128.pow(24) - 1, 10_u128.pow(12)).is_amount()
        );
    }

    #[test]
    fn weights_are_shown_in_their_unit_and_compared_in_kilograms() {
        let kilograms = Exact::bound("0.000001".parse().unwrap(), Unit::Milligram);
        assert_eq!(kilograms.to_string(), "0.000000000001");
        assert_eq!(kilograms.in_unit(Unit::Milligram).unwrap().to_string(), "0.000001");
        assert_eq!(exact("1500").in_unit(Unit::Tonne).unwrap().to_string(), "1.5");
        assert_eq!(exact("999999999999").in_unit(Unit::Milligram), None);
    }

    #[test]
    fn a_compared_number_is_shown_with_enough_places_to_differ() {
        let third = Exact::from_ratio(ratio(1, 3)).unwrap();
        for (exact, number, shown) in [
            (third, "0.3", "0.333333"),
            (third, "0.333333", "0.333333333333333"),
            (Exact::from_ratio(ratio(9_999_999_999, 10_000_000)).unwrap(), "1000", "999.9999999"),
            (exact("1000"), "1000", "1000"),
        ] {
            assert_eq!(exact.rounded_beside(number.parse().unwrap()).to_string(), shown, "{number}");
        }
    }

    #[test]
    fn fractions_are_multiplied_unless_they_overflow() {
        let large = ratio(10_u128.pow(30), 7);
        assert_eq!(large.times(ratio(7, 10_u128.pow(30))).unwrap().reduced(), Ratio::ONE);
        assert_eq!(large.times(large), None);
        assert_eq!(large.over(large).unwrap().reduced(), Ratio::ONE);
        assert_eq!(large.over(Ratio::ZERO), None);
        assert_eq!(ratio(3, 10).is_multiple_of(ratio(1, 10)), Some(true));
        assert_eq!(ratio(3, 10).is_multiple_of(ratio(1, 4)), Some(false));
    }

    #[test]
    fn units_are_in_lowest_terms() {
        for unit in Unit::ALL {
            let (of_unit, reduced) = (Ratio::from_unit(*unit), Ratio::from_unit(*unit).reduced());
            assert_eq!(of_unit.numerator, reduced.numerator, "{unit:?}");
            assert_eq!(of_unit.denominator, reduced.denominator, "{unit:?}");
        }
    }

    #[test]
    fn fractions_of_any_size_are_compared() {
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
            // at the limits of the fast divisions
            ("3999.994999", "3999.99"),
            ("3999.995", "4000"),
            ("4000", "4000"),
            ("4000.005", "4000.01"),
            ("151115727.445", "151115727.45"),
            ("151115727.454999", "151115727.45"),
            ("151115727.455", "151115727.46"),
            ("-999999999999.985", "-999999999999.99"),
        ] {
            let amount = exact(amount);
            assert_eq!(amount.shown().to_string(), shown, "{amount}");
            let (split, rest) = amount.shown_and_rest();
            assert_eq!(split.to_string(), shown, "{amount}");
            assert_eq!(Exact(Exact::from_decimal(split).0 + i128::from(rest)), amount, "{amount}");
        }
    }

    #[test]
    fn shares_are_rounded_to_two_places() {
        assert_eq!(exact("-1").percent_of(exact("3")).unwrap().to_string(), "-33.33");
        assert_eq!(exact("1").percent_of(exact("-3")).unwrap().to_string(), "-33.33");
        assert_eq!(exact("1").percent_of(Exact::ZERO), None);
    }
}
