//! Shown amounts of steps: in whole cents, adding up to the total.

use kernel::Decimal;

use crate::exact::Exact;

const CENT: i64 = 10_000;

/// Returns the amounts of steps in cents, so that the shown base price plus the steps is the shown total.
/// Each is rounded; the remaining difference is distributed over the largest steps, one cent each, as if they
/// had been rounded in the other direction. Steps of whole cents do not change.
pub(super) fn adding_up(base: Exact, steps: &[Exact], total: Exact) -> Vec<Decimal> {
    let mut amounts: Vec<i64> = steps.iter().map(|step| step.shown().millionths()).collect();
    let sum: i64 = amounts.iter().sum();
    let mut lacking = total.shown().millionths() - base.shown().millionths() - sum;
    let size = |place: &usize| steps.get(*place).map(|step| (*step).max(step.negated()));
    let mut left: Vec<usize> = if lacking == 0 { Vec::new() } else { (0..steps.len()).collect() };
    // the difference is a cent or two: searching for the largest step is faster than sorting all
    while lacking != 0
        && let Some(place) = left.iter().copied().rev().max_by_key(size)
    {
        left.retain(|other| *other != place);
        let (Some(step), Some(amount)) = (steps.get(place), amounts.get_mut(place)) else { continue };
        let was_rounded = Exact::of(Decimal::from_millionths(*amount)).cmp(step);
        let can_move = if lacking > 0 { was_rounded.is_lt() } else { was_rounded.is_gt() };
        if can_move {
            *amount += CENT * lacking.signum();
            lacking -= CENT * lacking.signum();
        }
    }
    amounts.into_iter().map(Decimal::from_millionths).collect()
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
            let amounts = adding_up(exact(base), &steps, exact(total));
            let amounts: Vec<_> = amounts.iter().map(ToString::to_string).collect();
            assert_eq!(amounts, shown, "{base}");
        }
    }
}
