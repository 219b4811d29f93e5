//! Run of a cart through its chain: one adjustment after the other, each for all items before the next one
//! begins.

use std::{cmp::Ordering, collections::BTreeSet};

use serde::Serialize;
use utoipa::ToSchema;
use values::Decimal;

use super::{
    Cart, Margin,
    arithmetic::Arithmetic,
    article::Article,
    book::{Book, Link},
    chain::{Chain, Processings, applies, cart_context, item_context},
    item::{Item, RunningAmounts, sums_of},
    shown::ShownAmount,
    tree::{Amounts, CartContext, ItemContext, Sums},
};
use crate::{
    exact::{Exact, Ratio},
    price_adjustment::terms::{Adjustment, CalculationType, Operation, Value},
    surcharge_table::surcharges::Month,
};

/// Result of a run.
#[derive(Debug)]
pub(super) struct Run {
    /// Amounts of the items, in their order.
    pub(super) items: Vec<FinalAmounts>,
    pub(super) base: Exact,
    pub(super) total: Exact,
    /// Weight in kg of all articles that have one.
    pub(super) weight: Exact,
    /// Margins of the lines whose article has an internal price, by line.
    pub(super) margins: Vec<(usize, Margin)>,
    /// Margin of all articles; `None` unless each has an internal price.
    pub(super) margin: Option<Margin>,
    /// Indexes of items and of the adjustments whose tables have no value for them.
    pub(super) lacking: Vec<(usize, usize)>,
    /// Cart total before each link of the chain that has a condition on it; empty unless an explanation is
    /// requested.
    pub(super) before: Vec<Option<Exact>>,
    /// Steps item by item, one for each link; those of the last link unless an explanation is requested.
    pub(super) steps: Vec<Step>,
}

/// Final amounts of an item.
#[derive(Debug, Clone, Copy)]
pub(super) struct FinalAmounts {
    pub(super) base: Exact,
    pub(super) total: Exact,
    pub(super) weight: Option<Exact>,
}

/// Effect of an adjustment on an item.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Step {
    pub(super) outcome: AdjustmentOutcome,
    /// One bit for each node of the conditions that is fulfilled.
    pub(super) fulfilled_bits: u64,
    /// Price that the calculation is based on; zero if that is the base price or the weight of the item.
    pub(super) running_basis: Exact,
    /// Signed amount, limited so that the price does not fall below zero.
    pub(super) amount: ShownAmount,
}

impl Step {
    /// True if the adjustment applied, even if nothing was left of the price to take off.
    pub(super) fn is_applied(&self) -> bool {
        matches!(self.outcome, AdjustmentOutcome::Applied | AdjustmentOutcome::Floored)
    }
}

/// Outcome of an adjustment for an item: it was applied; it was applied until nothing was left of the price;
/// it is for other items; its conditions are not fulfilled; the item has no weight; its table has no value
/// for the article in the month; it is charged once for each line, and was charged for another item of this
/// line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum AdjustmentOutcome {
    Applied,
    Floored,
    #[default]
    NotThisItem,
    Conditions,
    NoWeight,
    NoTableValue,
    OncePerLine,
}

/// Run, with the amounts of the items at its end.
type RunWithAmounts<N> = (Run, Vec<RunningAmounts<N>>);

impl Chain {
    /// Runs all items through the chain. `explained`: records the cart totals and the step of each item.
    ///
    /// # Errors
    /// The lines whose amounts become too large, or make the cart's amounts too large.
    pub(super) fn run<A: Arithmetic>(
        &self,
        arithmetic: &A,
        book: &Book,
        cart: &Cart,
        items: &[Item],
        explained: bool,
    ) -> Result<RunWithAmounts<A::Amount>, BTreeSet<usize>> {
        let processings = Processings::from_cart(cart);
        let cart_context = cart_context(cart);
        // each item belongs to a line of the cart
        let item_contexts: Vec<_> =
            items.iter().map_while(|item| item_context(cart, item, &processings)).collect();
        let mut running = RunningAmounts::all(arithmetic, items);
        let mut sums = sums_of(arithmetic, items, &running);
        let month = Month::from_date(cart.moment.date);
        // without an explanation, all links fill in the same steps
        let per_item = if explained { self.links.len() } else { 1 };
        let mut steps = vec![Step::default(); per_item * items.len()];
        let mut before = Vec::with_capacity(if explained { per_item } else { 0 });
        let mut lacking = Vec::new();
        for (link_number, (place, link)) in self.links(book).enumerate() {
            let asks_for_total = link.tree.as_ref().is_some_and(|tree| tree.of_total);
            if asks_for_total {
                sums.total = arithmetic.sum(running.iter().map(|running| &running.total));
            }
            if explained {
                before.push(asks_for_total.then(|| arithmetic.result(&sums.total)));
            }
            let (for_all, charged) = (None, None);
            let mut at =
                LinkRun { arithmetic, link, cart_context, sums: &sums, month, explained, for_all, charged };
            let mut too_large = BTreeSet::new();
            // filled in place: copying a step takes half as long as calculating it
            let column = if explained { link_number } else { 0 };
            let link_steps =
                steps.chunks_exact_mut(per_item).filter_map(|item_steps| item_steps.get_mut(column));
            let rows = items.iter().zip(&item_contexts).zip(&mut running).zip(link_steps).enumerate();
            for (number, (((item, item_context), running), step)) in rows {
                if at.step(item, item_context, running, step).is_none() {
                    too_large.insert(item.line);
                }
                if step.outcome == AdjustmentOutcome::NoTableValue {
                    lacking.push((number, place));
                }
            }
            // later adjustments would calculate with invalid amounts
            if !too_large.is_empty() {
                return Err(too_large);
            }
        }
        let beyond = beyond_the_sum(arithmetic, items, &running);
        if !beyond.is_empty() {
            return Err(beyond);
        }
        sums.total = arithmetic.sum(running.iter().map(|running| &running.total));
        let result = |ratio: Ratio| Exact::from_ratio(ratio).unwrap_or_default();
        let paid = |(item, running): (&Item, &RunningAmounts<A::Amount>)| FinalAmounts {
            base: result(item.base),
            total: arithmetic.result(&running.total),
            weight: item.weight.map(result),
        };
        let run = Run {
            items: items.iter().zip(&running).map(paid).collect(),
            base: arithmetic.result(&sums.base),
            total: arithmetic.result(&sums.total),
            weight: arithmetic.result(&sums.weight),
            margins: Vec::new(),
            margin: None,
            lacking,
            before,
            steps,
        };
        Ok((run, running))
    }

    /// Runs like [`Self::run`], and calculates the margins over the internal prices of the lines' articles.
    ///
    /// # Errors
    /// The same as those of [`Self::run`].
    pub(super) fn run_with_margins<A: Arithmetic>(
        &self,
        arithmetic: &A,
        book: &Book,
        cart: &Cart,
        items: &[Item],
        internal: &[Option<Ratio>],
        explained: bool,
    ) -> Result<Run, BTreeSet<usize>> {
        let (mut run, running) = self.run(arithmetic, book, cart, items, explained)?;
        let zero = || arithmetic.convert_exact(Exact::ZERO);
        let (mut sold, mut cost) = (zero(), Some(zero()));
        let margin = |total: &A::Amount, internal: &A::Amount| {
            let amount = arithmetic.result(&arithmetic.minus(total, internal));
            Margin { amount, percent: amount.percent_of(arithmetic.result(total)) }
        };
        for (item, running) in items.iter().zip(&running).filter(|(item, _)| item.processing.is_none()) {
            sold = arithmetic.plus(&sold, &running.total);
            let internal = internal.get(item.line).copied().flatten();
            let internal = internal.map(|internal| arithmetic.convert_ratio(internal));
            run.margins
                .extend(internal.as_ref().map(|internal| (item.line, margin(&running.total, internal))));
            cost = cost.zip(internal).map(|(cost, internal)| arithmetic.plus(&cost, &internal));
        }
        run.margin = cost.map(|cost| margin(&sold, &cost));
        Ok(run)
    }
}

/// Returns the lines of the largest items, without which the sums of all others are not too large.
fn beyond_the_sum<A: Arithmetic>(
    arithmetic: &A,
    items: &[Item],
    running: &[RunningAmounts<A::Amount>],
) -> BTreeSet<usize> {
    let larger =
        |running: &'_ RunningAmounts<A::Amount>| match arithmetic.compare(&running.base, &running.total) {
            Ordering::Greater => running.base.clone(),
            _ => running.total.clone(),
        };
    let mut beyond = BTreeSet::new();
    let mut by_size: Option<Vec<(usize, A::Amount)>> = None;
    loop {
        let is_amount = |amount_of: fn(&RunningAmounts<A::Amount>) -> &A::Amount| {
            let rest = items.iter().zip(running).filter(|(item, _)| !beyond.contains(&item.line));
            arithmetic.is_bounded(&arithmetic.sum(rest.map(|(_, running)| amount_of(running))))
        };
        if is_amount(|running| &running.base) && is_amount(|running| &running.total) {
            return beyond;
        }
        let by_size = by_size.get_or_insert_with(|| {
            let sizes = items.iter().zip(running).map(|(item, running)| (item.line, larger(running)));
            let mut sizes: Vec<_> = sizes.collect();
            sizes.sort_by(|(_, one), (_, other)| arithmetic.compare(one, other));
            sizes
        });
        let Some((largest, _)) = by_size.pop() else { return beyond };
        beyond.insert(largest);
    }
}

/// Link of the chain, applied to one item after the other.
struct LinkRun<'a, A: Arithmetic> {
    arithmetic: &'a A,
    link: &'a Link,
    cart_context: CartContext<'a>,
    sums: &'a Sums<A::Amount>,
    month: Month,
    explained: bool,
    /// Fulfilled conditions, if they depend on the cart alone: the same for all items.
    for_all: Option<u64>,
    /// Last line that was charged, for an adjustment that is charged once for each line.
    charged: Option<usize>,
}

impl<A: Arithmetic> LinkRun<'_, A> {
    /// Applies the adjustment to an item, and fills in the step; `None` if an amount becomes too large.
    fn step(
        &mut self,
        item: &Item,
        item_context: &ItemContext<'_>,
        running: &mut RunningAmounts<A::Amount>,
        step: &mut Step,
    ) -> Option<()> {
        let adjustment = &self.link.adjustment;
        step.outcome = AdjustmentOutcome::NotThisItem;
        if !applies(&adjustment.apply_to, item, item_context) {
            return Some(());
        }
        if self.charged == Some(item.line) {
            step.outcome = AdjustmentOutcome::OncePerLine;
            return Some(());
        }
        step.fulfilled_bits = self.fulfilled_bits(item_context, running);
        step.outcome = AdjustmentOutcome::Conditions;
        if step.fulfilled_bits & 1 == 0 {
            return Some(());
        }
        if adjustment.is_once_per_line() {
            self.charged = Some(item.line);
        }
        let Some(value) = value_of(adjustment, item_context.article, self.month) else {
            step.outcome = AdjustmentOutcome::NoTableValue;
            return Some(());
        };
        running.adjust(self.arithmetic, adjustment, value, step, self.explained)
    }

    /// Returns one bit for each node of the conditions that is fulfilled; the lowest is that of the root.
    fn fulfilled_bits(&mut self, item_context: &ItemContext<'_>, running: &RunningAmounts<A::Amount>) -> u64 {
        let Some(tree) = &self.link.tree else { return 1 };
        if let Some(fulfilled_bits) = self.for_all {
            return fulfilled_bits;
        }
        let Self { arithmetic, sums, cart_context, .. } = *self;
        let fulfilled_bits = tree.fulfilled_bits(
            &cart_context,
            item_context,
            &Amounts { arithmetic, sums, weight: running.weight.as_ref() },
        );
        if !tree.of_item {
            self.for_all = Some(fulfilled_bits);
        }
        fulfilled_bits
    }
}

/// Returns the value of an adjustment for an article; `None` if its table has no value.
pub(super) fn value_of(adjustment: &Adjustment, article: &Article, month: Month) -> Option<Decimal> {
    match &adjustment.value {
        Value::Fixed(value) => Some(*value),
        Value::OfTable(table) => table.at(article, month),
    }
}

impl<N: Clone> RunningAmounts<N> {
    /// Applies an adjustment; `None` if an amount becomes too large. `explained`: fills in the amounts of the
    /// step.
    fn adjust<A: Arithmetic<Amount = N>>(
        &mut self,
        arithmetic: &A,
        adjustment: &Adjustment,
        value: Decimal,
        step: &mut Step,
        explained: bool,
    ) -> Option<()> {
        let (basis, divisor) = match adjustment.calculation_type {
            CalculationType::Absolute => (&self.relative_basis, None),
            CalculationType::RelativeToAdjusted => (&self.relative_basis, Some(100)),
            CalculationType::RelativeToBase => (&self.base, Some(100)),
            by_weight @ (CalculationType::PerKg | CalculationType::PerTon) => {
                let Some(weight) = &self.weight else {
                    step.outcome = AdjustmentOutcome::NoWeight;
                    return Some(());
                };
                (weight, Some(if by_weight == CalculationType::PerTon { 1_000 } else { 1 }))
            }
        };
        let full = match divisor {
            Some(divisor) => arithmetic.times(basis, value, divisor),
            None => arithmetic.convert_exact(Exact::from_decimal(value)),
        };
        let full = Some(full).filter(|full| arithmetic.is_bounded(full))?;
        if explained && adjustment.calculation_type.is_of_running_price() {
            step.running_basis = arithmetic.result(basis);
        }
        // the basis of later relative adjustments is a price of its own: ignored adjustments do not change
        // it, and neither of the two falls below zero
        if !adjustment.ignore_on_further_adjustments {
            self.relative_basis = changed(arithmetic, adjustment.operation, &self.relative_basis, &full)?.0;
        }
        let (total, floored) = changed(arithmetic, adjustment.operation, &self.total, &full)?;
        step.outcome = if floored { AdjustmentOutcome::Floored } else { AdjustmentOutcome::Applied };
        if explained {
            let amount = ShownAmount::new(arithmetic.result(if floored { &self.total } else { &full }));
            step.amount = match adjustment.operation {
                Operation::Discount => amount.negated(),
                Operation::Surcharge => amount,
            };
        }
        self.total = total;
        Some(())
    }
}

/// Returns the adjusted price, and true if it would have fallen below zero; `None` if it is too large.
fn changed<A: Arithmetic>(
    arithmetic: &A,
    operation: Operation,
    price: &A::Amount,
    by: &A::Amount,
) -> Option<(A::Amount, bool)> {
    match operation {
        Operation::Surcharge => {
            let sum = arithmetic.plus(price, by);
            arithmetic.is_bounded(&sum).then_some((sum, false))
        }
        Operation::Discount if arithmetic.compare(price, by) == Ordering::Less => {
            Some((arithmetic.convert_exact(Exact::ZERO), true))
        }
        Operation::Discount => Some((arithmetic.minus(price, by), false)),
    }
}
