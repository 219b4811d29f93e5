//! Two implementations of the calculation with amounts: fast with error bounds, and exact.
//!
//! A cart is calculated with [`BoundedIntegers`] first: integers with an upper bound of their error. If a
//! comparison or a rounding could turn out either way within that error, the numbers are in doubt, and the
//! cart is calculated again with [`Fractions`]. So a truncated digit never decides anything.

use std::{cell::Cell, cmp::Ordering};

use num_bigint::{BigInt, BigUint, Sign};
use num_traits::{One, Signed, ToPrimitive, Zero};
use values::Decimal;

use crate::exact::{Exact, Ratio};

/// Calculation with amounts in EUR or kg.
pub(super) trait Arithmetic {
    type Amount: Clone;

    fn convert_ratio(&self, ratio: Ratio) -> Self::Amount;

    fn convert_exact(&self, exact: Exact) -> Self::Amount;

    fn plus(&self, one: &Self::Amount, other: &Self::Amount) -> Self::Amount;

    fn minus(&self, one: &Self::Amount, other: &Self::Amount) -> Self::Amount;

    /// Returns the amount times a value that is not negative, divided by a divisor above zero.
    fn times(&self, amount: &Self::Amount, value: Decimal, divisor: i64) -> Self::Amount;

    fn compare(&self, one: &Self::Amount, other: &Self::Amount) -> Ordering;

    /// Converts an amount into a result.
    fn result(&self, amount: &Self::Amount) -> Exact;

    fn sum<'a>(&self, amounts: impl Iterator<Item = &'a Self::Amount>) -> Self::Amount
    where
        Self::Amount: 'a,
    {
        amounts.fold(self.convert_exact(Exact::ZERO), |sum, amount| self.plus(&sum, amount))
    }

    /// True if the amount is below a trillion and above minus a trillion.
    fn is_bounded(&self, amount: &Self::Amount) -> bool {
        let bound = self.convert_exact(Exact::BOUND);
        let negated = self.minus(&self.convert_exact(Exact::ZERO), amount);
        [amount, &negated].iter().all(|amount| self.compare(amount, &bound) == Ordering::Less)
    }
}

/// Returns the fast result, or the exact one if the fast numbers are in doubt.
pub(super) fn decided<T>(
    fast: impl FnOnce(&BoundedIntegers) -> T,
    exactly: impl FnOnce(&Fractions) -> T,
) -> T {
    let bounded = BoundedIntegers::default();
    let result = fast(&bounded);
    if bounded.in_doubt.get() { exactly(&Fractions) } else { result }
}

/// Integers with an upper bound of their error.
#[derive(Debug, Default)]
pub(super) struct BoundedIntegers {
    in_doubt: Cell<bool>,
}

/// Number that is at least `low` and at most `error` above it, both in fractions of half a unit of the
/// fifteenth place; see [`PART_BITS`].
#[derive(Debug, Clone, Copy)]
pub(super) struct Between {
    low: i128,
    error: u64,
}

/// Half a unit of the fifteenth place has 2^31 parts. So a trillion, and a percentage of it, fit into 128
/// bits.
const PART_BITS: u32 = 31;

impl BoundedIntegers {
    fn doubt(&self) -> Between {
        self.in_doubt.set(true);
        Between { low: 0, error: 0 }
    }

    fn bounded_by(&self, low: Option<i128>, error: Option<u64>) -> Between {
        match (low, error) {
            (Some(low), Some(error)) => Between { low, error },
            _ => self.doubt(),
        }
    }
}

impl Between {
    fn high(self) -> i128 {
        self.low.saturating_add(self.error.into())
    }
}

impl Arithmetic for BoundedIntegers {
    type Amount = Between;

    fn convert_ratio(&self, ratio: Ratio) -> Between {
        let halves = ratio.parts(Exact::SCALE.unsigned_abs());
        let parts = halves.and_then(|(halves, rest)| {
            let (parts, rest) = rest.parts(1 << PART_BITS)?;
            let low = i128::try_from(halves).ok()?.checked_mul(1 << PART_BITS)?;
            Some((low.checked_add(i128::try_from(parts).ok()?)?, u64::from(rest.numerator != 0)))
        });
        let (low, error) = parts.unzip();
        self.bounded_by(low, error)
    }

    fn convert_exact(&self, exact: Exact) -> Between {
        self.bounded_by(exact.halves().checked_mul(1 << PART_BITS), Some(0))
    }

    fn plus(&self, one: &Between, other: &Between) -> Between {
        self.bounded_by(one.low.checked_add(other.low), one.error.checked_add(other.error))
    }

    fn minus(&self, one: &Between, other: &Between) -> Between {
        self.bounded_by(one.low.checked_sub(other.high()), one.error.checked_add(other.error))
    }

    fn times(&self, amount: &Between, value: Decimal, divisor: i64) -> Between {
        const HUNDRED: i64 = 100;
        const MILLION: i64 = 1_000_000;
        // most values have at most four places
        let (value, places) = match value.millionths() {
            value if value % HUNDRED == 0 => (value / HUNDRED, MILLION / HUNDRED),
            value => (value, MILLION),
        };
        let divisor = i128::from(places) * i128::from(divisor);
        let Some(product) = amount.low.checked_mul(value.into()) else { return self.doubt() };
        let low = product.div_euclid(divisor);
        let cut = low * divisor != product;
        let error = match amount.error {
            0 => Some(u64::from(cut)),
            error => u64::try_from(i128::from(error) * i128::from(value) / divisor)
                .ok()
                .and_then(|error| error.checked_add(2)),
        };
        self.bounded_by(Some(low), error)
    }

    fn compare(&self, one: &Between, other: &Between) -> Ordering {
        let (one_high, other_high) = (one.high(), other.high());
        if one.low > other_high {
            Ordering::Greater
        } else if one_high < other.low {
            Ordering::Less
        } else {
            if one.error != 0 || other.error != 0 {
                self.doubt();
            }
            one.low.cmp(&other.low)
        }
    }

    fn result(&self, amount: &Between) -> Exact {
        // towards zero
        let halves = |parts: i128| parts / (1 << PART_BITS);
        let result = halves(amount.low);
        if amount.error != 0 && result != halves(amount.high()) {
            self.doubt();
        }
        Exact::from_halves(result)
    }
}

/// Fractions of any size.
#[derive(Debug)]
pub(super) struct Fractions;

/// Numerator over a denominator, with further decimal places. All amounts of an item have the same
/// denominator, whatever percentages are applied to them.
#[derive(Debug, Clone)]
pub(super) struct Fraction {
    numerator: BigInt,
    denominator: BigUint,
    places: u32,
}

impl Fraction {
    fn over(numerator: impl Into<BigInt>, denominator: impl Into<BigUint>) -> Self {
        Self { numerator: numerator.into(), denominator: denominator.into(), places: 0 }
    }

    /// Returns both numerators over a common denominator, with the same number of places.
    fn side_by_side(one: &Self, other: &Self) -> (BigInt, BigInt, BigUint, u32) {
        let places = one.places.max(other.places);
        let in_places =
            |fraction: &Self| &fraction.numerator * BigInt::from(10).pow(places - fraction.places);
        let (left, right) = (in_places(one), in_places(other));
        if one.denominator == other.denominator {
            return (left, right, one.denominator.clone(), places);
        }
        let common = common_divisor(&one.denominator, &other.denominator);
        let (of_one, of_other) = (&one.denominator / &common, &other.denominator / &common);
        let denominator = &one.denominator * &of_other;
        (left * BigInt::from(of_other), right * BigInt::from(of_one), denominator, places)
    }
}

fn common_divisor(one: &BigUint, other: &BigUint) -> BigUint {
    let (mut one, mut other) = (one.clone(), other.clone());
    while !other.is_zero() {
        let rest = one % &other;
        one = other;
        other = rest;
    }
    one
}

impl Arithmetic for Fractions {
    type Amount = Fraction;

    fn convert_ratio(&self, ratio: Ratio) -> Fraction {
        let ratio = ratio.reduced();
        Fraction::over(ratio.numerator, ratio.denominator)
    }

    fn convert_exact(&self, exact: Exact) -> Fraction {
        // two halves of a unit are ten tenths of it
        Fraction { places: 16, ..Fraction::over(BigInt::from(exact.halves()) * 5, BigUint::one()) }
    }

    fn plus(&self, one: &Fraction, other: &Fraction) -> Fraction {
        let (left, right, denominator, places) = Fraction::side_by_side(one, other);
        Fraction { numerator: left + right, denominator, places }
    }

    fn minus(&self, one: &Fraction, other: &Fraction) -> Fraction {
        let (left, right, denominator, places) = Fraction::side_by_side(one, other);
        Fraction { numerator: left - right, denominator, places }
    }

    fn times(&self, amount: &Fraction, value: Decimal, divisor: i64) -> Fraction {
        // divisors of percentages, and of weights in kilograms and tonnes
        let more = match divisor {
            1 => 0,
            100 => 2,
            1_000 => 3,
            _ => {
                let denominator = &amount.denominator * divisor.unsigned_abs();
                return self.times(&Fraction { denominator, ..amount.clone() }, value, 1);
            }
        };
        let Fraction { numerator, denominator, places } = amount.clone();
        Fraction { numerator: numerator * value.millionths(), denominator, places: places + 6 + more }
    }

    fn compare(&self, one: &Fraction, other: &Fraction) -> Ordering {
        let (left, right, ..) = Fraction::side_by_side(one, other);
        left.cmp(&right)
    }

    fn result(&self, amount: &Fraction) -> Exact {
        let Fraction { numerator, denominator, places } = amount;
        let denominator = BigInt::from_biguint(Sign::Plus, denominator * BigUint::from(10_u32).pow(*places));
        // rounds towards zero, as integer division does
        let halves = numerator * Exact::SCALE / denominator;
        Exact::from_halves(halves.to_i128().unwrap_or(if halves.is_negative() {
            i128::MIN
        } else {
            i128::MAX
        }))
    }

    /// Sums in pairs, so that numbers of similar size are added.
    fn sum<'a>(&self, amounts: impl Iterator<Item = &'a Fraction>) -> Fraction {
        let mut sums: Vec<Fraction> = amounts.cloned().collect();
        while sums.len() > 1 {
            let pairs = sums.chunks(2).map(|pair| match pair {
                [one, other] => self.plus(one, other),
                rest => rest.first().cloned().unwrap_or_else(|| Fraction::over(0, BigUint::one())),
            });
            sums = pairs.collect();
        }
        sums.pop().unwrap_or_else(|| Fraction::over(0, BigUint::one()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ratio(numerator: u128, denominator: u128) -> Ratio {
        Ratio { numerator, denominator }
    }

    fn decimal(text: &str) -> Decimal {
        text.parse().unwrap()
    }

    /// Returns the exact result, and true if the fast numbers were not in doubt.
    fn both(calculate: impl Calculate) -> (Exact, bool) {
        let bounded = BoundedIntegers::default();
        let fast = calculate.calculate(&bounded);
        let exact = calculate.calculate(&Fractions);
        let sure = !bounded.in_doubt.get();
        assert!(!sure || fast == exact, "{fast} {exact}");
        (exact, sure)
    }

    trait Calculate {
        fn calculate<A: Arithmetic>(&self, arithmetic: &A) -> Exact;
    }

    /// Sum of a number of equal fractions, each times a value and divided by a divisor.
    struct Sum(Ratio, usize, &'static str, i64);

    impl Calculate for Sum {
        fn calculate<A: Arithmetic>(&self, arithmetic: &A) -> Exact {
            let one = arithmetic.times(&arithmetic.convert_ratio(self.0), decimal(self.2), self.3);
            arithmetic.result(&arithmetic.sum(std::iter::repeat_n(&one, self.1)))
        }
    }

    #[test]
    fn sums_of_fractions_are_exact_or_marked_as_in_doubt() {
        for (sum, expected, sure) in [
            (Sum(ratio(1, 3), 3, "1", 1), "1", false),
            (Sum(ratio(1, 3), 1, "16.515", 1), "5.505", false),
            (Sum(ratio(1, 3), 2, "1", 1), "0.666666666666667", true),
            (Sum(ratio(1, 4), 3, "3", 100), "0.0225", true),
            (Sum(ratio(100_000, 613), 7, "33.3333", 100), "380.641272430668842", true),
            (Sum(ratio(999_999_999_999, 1), 1, "1000", 100), "9999999999990", false),
            (Sum(ratio(1, 7), 40, "12.345678", 7), "10.078104489795918", true),
        ] {
            let (result, was_sure) = both(sum);
            assert_eq!((&*result.to_string(), was_sure), (expected, sure));
        }
    }

    #[test]
    fn amounts_that_may_be_equal_are_compared_exactly() {
        struct Less(Ratio, usize, &'static str);
        impl Calculate for Less {
            fn calculate<A: Arithmetic>(&self, arithmetic: &A) -> Exact {
                let part = arithmetic.convert_ratio(self.0);
                let sum = arithmetic.sum(std::iter::repeat_n(&part, self.1));
                let bound = arithmetic.convert_exact(Exact::from_decimal(decimal(self.2)));
                Exact::from_halves(match arithmetic.compare(&sum, &bound) {
                    Ordering::Less => -1,
                    Ordering::Equal => 0,
                    Ordering::Greater => 1,
                })
            }
        }
        for (sum, expected, sure) in [
            (Less(ratio(1, 3), 3, "1"), 0, false),
            (Less(ratio(1, 3), 3, "1.000001"), -1, true),
            (Less(ratio(1, 4), 4, "1"), 0, true),
            (Less(ratio(10_u128.pow(24) + 1, 10_u128.pow(24)), 1, "1"), 1, true),
            (Less(ratio(10_u128.pow(30) + 1, 10_u128.pow(30)), 1, "1"), 1, false),
        ] {
            assert_eq!(both(sum), (Exact::from_halves(expected), sure));
        }
    }

    #[test]
    fn negative_amounts_are_rounded_towards_zero_like_positive_ones() {
        struct Minus(Ratio, Ratio);
        impl Calculate for Minus {
            fn calculate<A: Arithmetic>(&self, arithmetic: &A) -> Exact {
                let [one, other] = [self.0, self.1].map(|ratio| arithmetic.convert_ratio(ratio));
                arithmetic.result(&arithmetic.minus(&one, &other))
            }
        }
        for (minus, expected) in [
            (Minus(ratio(1, 3), ratio(2, 3)), "-0.333333333333333"),
            (Minus(ratio(2, 3), ratio(2, 3)), "0"),
            (Minus(ratio(1, 8), ratio(1, 4)), "-0.125"),
        ] {
            assert_eq!(both(minus).0.to_string(), expected);
        }
    }

    #[test]
    fn amounts_are_bounded_by_a_trillion() {
        for (ratio, bounded) in
            [(ratio(10_u128.pow(12), 1), false), (ratio(10_u128.pow(24) - 1, 10_u128.pow(12)), true)]
        {
            assert_eq!(Fractions.is_bounded(&Fractions.convert_ratio(ratio)), bounded);
            assert_eq!(
                BoundedIntegers::default().is_bounded(&BoundedIntegers::default().convert_ratio(ratio)),
                bounded
            );
        }
    }
}
