//! Findings from carts: adjustments that have no price left to change, depend on their order, or do the same.

use super::{
    FindingKind,
    comparison::{are_same, may_overlap},
    generated_carts::CartSources,
};
use crate::{
    condition::{Condition, ConditionType},
    exact::Exact,
    price_adjustment::terms::{Adjustment, CalculationType},
    quote::{
        Cart,
        book::Book,
        trial::{Run, Trial},
    },
};

/// Maximum number of generated carts, including those without a price: each has to be priced.
const CARTS_MAX: usize = 8_000;
/// Maximum number of trials of pairs.
const RUNS_MAX: usize = 100_000;
/// Maximum number of carts in which one pair is tried.
const TRIES_MAX: usize = 40;
/// Maximum number of findings of a kind.
pub(super) const FOUND_MAX: usize = 100;

/// Finding about an adjustment. Adjustments are indexes in the book.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct FoundWeakness {
    pub(super) kind: FindingKind,
    pub(super) place: usize,
    pub(super) others: Vec<usize>,
    /// Index of the cart that shows it, and its total in the alternative.
    pub(super) example: Option<(usize, Exact)>,
}

impl FoundWeakness {
    /// Creates a finding without a cart.
    pub(super) fn new(kind: FindingKind, place: usize) -> Self {
        Self { kind, place, others: Vec::new(), example: None }
    }
}

/// Carts with their results.
pub(super) struct Examination<'b> {
    book: &'b Book,
    /// Carts, sample carts first.
    pub(super) trials: Vec<Trial<'b>>,
    pub(super) runs: Vec<Run>,
    /// Adjustments that change the price of each cart, or would without the others.
    effective_alone: Vec<Vec<usize>>,
    /// True for each adjustment that is a percentage of the running total or has a condition on it.
    on_total: Vec<bool>,
    /// Pairs that both change the price of one cart.
    interacting: Pairs<bool>,
    spent: usize,
    generated_count: usize,
    /// True if more carts could have been generated.
    is_cut: bool,
}

/// Value for each pair of adjustments.
struct Pairs<T> {
    size: usize,
    values: Vec<T>,
}

impl<T: Clone + Default> Pairs<T> {
    fn new(size: usize) -> Self {
        Self { size, values: vec![T::default(); size * size] }
    }

    fn at(&mut self, one: usize, other: usize) -> Option<&mut T> {
        self.values.get_mut(one * self.size + other)
    }
}

impl<'b> Examination<'b> {
    pub(super) fn new(book: &'b Book) -> Self {
        let on_total = |adjustment: &Adjustment| {
            adjustment.calculation_type == CalculationType::RelativeToAdjusted
                || adjustment.conditions.as_ref().is_some_and(asks_for_total)
        };
        let on_total: Vec<bool> = book.adjustments().map(on_total).collect();
        Self {
            book,
            trials: Vec::new(),
            runs: Vec::new(),
            effective_alone: Vec::new(),
            interacting: Pairs::new(on_total.len()),
            on_total,
            spent: 0,
            generated_count: 0,
            is_cut: false,
        }
    }

    /// True if the analysis did not reach its limits.
    pub(super) fn is_complete(&self) -> bool {
        self.spent < RUNS_MAX && !self.is_cut
    }

    pub(super) fn add(&mut self, trial: Trial<'b>) {
        let Some(run) = trial.run(&trial.links) else { return };
        // an adjustment that fails for another reason than the total fails on its own, too
        let alone = |place: &usize| {
            (run.idle.contains(place) || self.counts_on_total(*place))
                && trial.run(&[*place]).is_some_and(|alone| !alone.effective.is_empty())
        };
        let effective_alone: Vec<usize> = trial
            .links
            .iter()
            .filter(|place| run.effective.contains(place) || alone(place))
            .copied()
            .collect();
        for (number, one) in effective_alone.iter().enumerate() {
            for other in effective_alone.iter().skip(number + 1) {
                if let Some(interacting) = self.interacting.at(*one, *other) {
                    *interacting = true;
                }
            }
        }
        self.effective_alone.push(effective_alone);
        self.runs.push(run);
        self.trials.push(trial);
    }

    fn counts_on_total(&self, place: usize) -> bool {
        self.on_total.get(place).copied().unwrap_or_default()
    }

    pub(super) fn adjustment(&self, place: usize) -> Option<&'b Adjustment> {
        self.book.adjustment(place)
    }

    /// Tries carts; `None` is a cart that could not be generated.
    pub(super) fn try_all(&mut self, carts: impl IntoIterator<Item = Option<Cart>>) {
        for cart in carts {
            if self.generated_count >= CARTS_MAX {
                self.is_cut = true;
                return;
            }
            self.generated_count += 1;
            if let Some(trial) = cart.and_then(|cart| Trial::prepare(self.book, cart)) {
                self.add(trial);
            }
        }
    }

    /// Tries carts to which two adjustments may apply. Only pairs that have not interacted yet, and whose order
    /// may matter or that may overlap.
    pub(super) fn try_pairs(&mut self, sources: &CartSources, working: &[(usize, &Adjustment)]) {
        for (number, (earlier, one)) in working.iter().enumerate() {
            for (later, other) in working.iter().skip(number + 1) {
                let may_depend = self.counts_on_total(*earlier) || self.counts_on_total(*later);
                if self.interact(*earlier, *later) || !(may_depend || may_overlap(one, other)) {
                    continue;
                }
                self.try_all(sources.carts(self.book, &[*one, *other]));
                if self.is_cut {
                    return;
                }
            }
        }
    }

    /// True if there is a cart whose price both change, or would without the others.
    pub(super) fn interact(&self, one: usize, other: usize) -> bool {
        self.interacting
            .values
            .get(one * self.interacting.size + other)
            .is_some_and(|interacting| *interacting)
    }

    /// Returns the first cart in which an adjustment changes a price.
    fn effective(&self, place: usize) -> Option<usize> {
        self.runs.iter().position(|run| run.effective.contains(&place))
    }

    /// Runs a cart without some adjustments.
    pub(super) fn without(&self, cart: usize, others: &[usize]) -> Option<Run> {
        let trial = self.trials.get(cart)?;
        let links: Vec<usize> = trial.links.iter().filter(|place| !others.contains(place)).copied().collect();
        trial.run(&links)
    }

    /// Finds an adjustment that would apply on its own in some carts, but has no effect in any of them after
    /// the adjustments before it.
    pub(super) fn shadowed(&self, place: usize) -> Option<FoundWeakness> {
        // an adjustment with purchase constraints has an effect by refusing lines
        let refuses = self.adjustment(place)?.purchase_constraints.is_some();
        if refuses || self.effective(place).is_some() {
            return None;
        }
        let effective_alone: Vec<usize> = (0..self.effective_alone.len())
            .filter(|cart| {
                self.effective_alone
                    .get(*cart)
                    .is_some_and(|effective_alone| effective_alone.contains(&place))
            })
            .collect();
        // an adjustment that takes off nothing may still change the basis of later ones
        let does_nothing = |cart: &usize| {
            let without = self.without(*cart, &[place]);
            self.runs.get(*cart).zip(without).is_some_and(|(run, without)| run.total == without.total)
        };
        if !effective_alone.iter().all(does_nothing) {
            return None;
        }
        let cart = *effective_alone.first()?;
        let before = self.runs.get(cart)?.effective.clone();
        let links = &self.trials.get(cart)?.links;
        let before: Vec<usize> = links
            .iter()
            .take_while(|link| **link != place)
            .filter(|link| before.contains(link))
            .copied()
            .collect();
        let mut others = Vec::new();
        for other in &before {
            if self.without(cart, &[*other]).is_some_and(|run| run.effective.contains(&place)) {
                others.push(*other);
            }
        }
        if others.is_empty() {
            others = before;
        }
        let otherwise = self.without(cart, &others)?.total;
        Some(FoundWeakness { kind: FindingKind::Shadowed, place, others, example: Some((cart, otherwise)) })
    }

    /// Finds an adjustment that changes no price in the first `samples` carts.
    pub(super) fn not_in_samples(&self, place: usize, samples: usize) -> Option<FoundWeakness> {
        let first = self.effective(place);
        if first.is_some_and(|cart| cart < samples) {
            return None;
        }
        let example = first.and_then(|cart| Some((cart, self.without(cart, &[place])?.total)));
        Some(FoundWeakness { kind: FindingKind::NeverInSampleCarts, place, others: Vec::new(), example })
    }

    /// Finds two adjustments that do the same for the same buyer at the same time.
    pub(super) fn duplicate(&self, earlier: usize, later: usize) -> Option<FoundWeakness> {
        if !are_same(self.adjustment(earlier)?, self.adjustment(later)?) {
            return None;
        }
        let both = |run: &Run| run.effective.contains(&earlier) && run.effective.contains(&later);
        let cart = self.runs.iter().position(both);
        let example = cart.and_then(|cart| Some((cart, self.without(cart, &[later])?.total)));
        Some(FoundWeakness { kind: FindingKind::Duplicate, place: later, others: vec![earlier], example })
    }

    /// Finds pairs whose order changes a total.
    pub(super) fn order_dependent(&mut self) -> Vec<FoundWeakness> {
        let mut tries: Pairs<usize> = Pairs::new(self.on_total.len());
        let mut weaknesses = Vec::new();
        for (cart, (effective_alone, run)) in self.effective_alone.iter().zip(&self.runs).enumerate() {
            for (number, earlier) in effective_alone.iter().enumerate() {
                for later in effective_alone.iter().skip(number + 1) {
                    let may_depend = self.counts_on_total(*earlier)
                        || self.counts_on_total(*later)
                        || run.floored.contains(earlier)
                        || run.floored.contains(later);
                    let Some(count) =
                        tries.at(*earlier, *later).filter(|count| may_depend && **count < TRIES_MAX)
                    else {
                        continue;
                    };
                    if self.spent >= RUNS_MAX || weaknesses.len() >= FOUND_MAX {
                        return weaknesses;
                    }
                    *count += 1;
                    self.spent += 1;
                    if let Some(otherwise) = self.swapped(cart, *earlier, *later) {
                        *count = TRIES_MAX;
                        let (kind, example) = (FindingKind::OrderDependent, Some((cart, otherwise)));
                        weaknesses.push(FoundWeakness {
                            kind,
                            place: *later,
                            others: vec![*earlier],
                            example,
                        });
                    }
                }
            }
        }
        weaknesses
    }

    /// Returns the total of a cart with two adjustments swapped, if it differs, and if it also differs for
    /// the two alone.
    fn swapped(&self, cart: usize, earlier: usize, later: usize) -> Option<Exact> {
        let trial = self.trials.get(cart)?;
        let alone = trial.run(&[earlier, later])?.total.shown();
        if trial.run(&[later, earlier])?.total.shown() == alone {
            return None;
        }
        let swapped = |place: &usize| match *place {
            place if place == earlier => later,
            place if place == later => earlier,
            place => place,
        };
        let links: Vec<usize> = trial.links.iter().map(swapped).collect();
        let otherwise = trial.run(&links)?.total;
        (otherwise.shown() != self.runs.get(cart)?.total.shown()).then_some(otherwise)
    }
}

fn asks_for_total(tree: &Condition) -> bool {
    tree.tests("").iter().any(|(_, test)| test.subject == ConditionType::AdjustedCartTotal)
}

#[cfg(test)]
mod tests;
