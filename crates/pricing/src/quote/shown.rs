//! Shown amounts of steps: in whole cents, adding up to the total.

use std::cmp::Reverse;

use values::Decimal;

use crate::exact::Exact;

/// Millionths in one cent.
const CENT: i64 = 10_000;

/// Exact amount of a step, split into what is shown of it and the rest.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct ShownAmount {
    /// Amount in cents.
    shown: Decimal,
    /// Half units of the fifteenth place that the shown amount lacks.
    rest: i64,
}

impl ShownAmount {
    /// Rounds an amount.
    #[inline]
    pub(super) fn new(amount: Exact) -> Self {
        let (shown, rest) = amount.shown_and_rest();
        Self { shown, rest }
    }

    pub(super) fn negated(self) -> Self {
        Self { shown: Decimal::from_millionths(-self.shown.millionths()), rest: -self.rest }
    }

    pub(super) fn shown(self) -> Decimal {
        self.shown
    }

    pub(super) fn exact(self) -> Exact {
        Exact::from_halves(Exact::from_decimal(self.shown).halves() + i128::from(self.rest))
    }

    /// Shows a cent more or less, as if the amount had been rounded in the other direction.
    fn turn(&mut self) {
        let cent = CENT * self.rest.signum();
        self.shown = Decimal::from_millionths(self.shown.millionths() + cent);
        self.rest -= Exact::CENT * self.rest.signum();
    }
}

/// Changes the shown amounts of steps, so that the shown base price plus the steps is the shown total, and
/// returns the difference that remains. What they lack is distributed over the largest steps, one cent each,
/// as if they had been rounded in the other direction. Steps of whole cents do not change.
pub(super) fn add_up<S>(
    base: Exact,
    steps: &mut [S],
    amount: impl Fn(&mut S) -> &mut ShownAmount,
    total: Exact,
) -> Decimal {
    let sum: i64 = steps.iter_mut().map(|step| amount(step).shown.millionths()).sum();
    let mut lacking = total.shown().millionths() - base.shown().millionths() - sum;
    // the difference is a cent or two: searching for the largest step is faster than sorting all
    while lacking.abs() >= CENT {
        let direction = lacking.signum();
        let can_turn = steps.iter_mut().map(&amount).filter(|amount| amount.rest * direction > 0);
        // the first of several of the same size
        let Some(largest) = can_turn.min_by_key(|amount| Reverse(amount.exact().abs())) else { break };
        largest.turn();
        lacking -= CENT * direction;
    }
    Decimal::from_millionths(lacking)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn exact(text: &str) -> Exact {
        Exact::from_decimal(text.parse().unwrap())
    }

    #[test]
    fn shown_steps_add_up_to_the_shown_total() {
        for (base, steps, total, shown) in [
            ("34.9", vec!["-5.235"], "29.665", vec!["-5.23"]),
            ("49.95", vec!["-4.995"], "44.955", vec!["-4.99"]),
            // the larger of the two
            ("10", vec!["0.004", "0.304"], "10.308", vec!["0", "0.31"]),
            ("10", vec!["0.304", "0.304", "0.004"], "10.612", vec!["0.31", "0.3", "0"]),
            // whole cents do not change
            ("10.004", vec!["45", "0.001"], "55.005", vec!["45", "0.01"]),
            ("2191.81215", vec!["77.88165", "-65.754364"], "2203.939436", vec!["77.88", "-65.75"]),
            ("0.5", vec!["-0.5", "0"], "0", vec!["-0.5", "0"]),
            ("1", vec![], "1", vec![]),
            ("1000000", vec!["12345.674", "12345.674"], "1024691.348", vec!["12345.68", "12345.67"]),
        ] {
            let mut recorded: Vec<_> = steps.iter().map(|step| ShownAmount::new(exact(step))).collect();
            let rest = add_up(exact(base), &mut recorded, |amount| amount, exact(total));
            assert_eq!(rest, Decimal::ZERO, "{base}");
            let amounts: Vec<_> = recorded.iter().map(|amount| amount.shown().to_string()).collect();
            assert_eq!(amounts, shown, "{base}");
            let unchanged: Vec<_> = recorded.iter().map(|amount| amount.exact().to_string()).collect();
            assert_eq!(unchanged, steps, "{base}");
        }
    }

    #[test]
    fn less_than_a_cent_is_not_distributed() {
        // no decimal is large enough for the rounded total
        let mut steps = [ShownAmount::new(exact("1.996"))];
        let total = exact("999999999999.996");
        let rest = add_up(exact("999999999998"), &mut steps, |amount| amount, total);
        assert_eq!((rest.to_string(), steps[0].shown().to_string()), ("-0.000001".into(), "2".into()));
    }
}
