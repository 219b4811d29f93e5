//! Shown amounts of steps: in whole cents, adding up to the total.

use std::cmp::{Ordering, Reverse};

use kernel::Decimal;

use crate::exact::Exact;

const CENT: i64 = 10_000;

/// Returns the amounts of steps in cents, so that the shown base price plus the steps is the shown total, and
/// the difference that remains. Each is rounded; what they then lack is distributed over the largest steps,
/// one cent each, as if they had been rounded in the other direction. Steps of whole cents do not change.
pub(super) fn adding_up(
    base: Exact,
    steps: impl Iterator<Item = Exact> + Clone,
    total: Exact,
) -> (Vec<Decimal>, Decimal) {
    let mut amounts: Vec<Decimal> = steps.clone().map(Exact::shown).collect();
    let sum: i64 = amounts.iter().map(|amount| amount.millionths()).sum();
    let mut lacking = total.shown().millionths() - base.shown().millionths() - sum;
    // the difference is a cent or two: searching for the largest step is faster than sorting all
    while lacking != 0 {
        let was_rounded = if lacking > 0 { Ordering::Less } else { Ordering::Greater };
        let steps = steps.clone().zip(&mut amounts);
        let can_move = steps.filter(|(step, amount)| Exact::of(**amount).cmp(step) == was_rounded);
        // the first of several of the same size
        let largest = can_move.min_by_key(|(step, _)| Reverse(step.abs()));
        let Some((_, amount)) = largest else { break };
        *amount = Decimal::from_millionths(amount.millionths() + CENT * lacking.signum());
        lacking -= CENT * lacking.signum();
    }
    (amounts, Decimal::from_millionths(lacking))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn exact(text: &str) -> Exact {
        Exact::of(text.parse().unwrap())
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
        ] {
            let steps: Vec<_> = steps.into_iter().map(exact).collect();
            let (amounts, rest) = adding_up(exact(base), steps.into_iter(), exact(total));
            let amounts: Vec<_> = amounts.iter().map(ToString::to_string).collect();
            assert_eq!(
                (amounts, rest),
                (shown.into_iter().map(str::to_owned).collect(), Decimal::ZERO),
                "{base}"
            );
        }
    }
}
