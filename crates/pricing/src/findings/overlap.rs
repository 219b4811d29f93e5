//! Discounts and surcharges that are given twice: two adjustments of the same kind that both change the price
//! of one item.

use super::{
    FindingKind,
    analysis::{Examination, FOUND_MAX, FoundWeakness},
    comparison::{is_equal_value, may_overlap},
};
impl Examination<'_> {
    /// Finds pairs of adjustments that overlap.
    pub(super) fn overlaps(&self, places: &[usize]) -> Vec<FoundWeakness> {
        let pairs = places.iter().enumerate().flat_map(|(number, earlier)| {
            places.iter().skip(number + 1).map(move |later| (*earlier, *later))
        });
        pairs.filter_map(|(earlier, later)| self.overlap(earlier, later)).take(FOUND_MAX).collect()
    }

    /// Finds two adjustments of the same kind that change the price of the same item in a cart. Different
    /// values are reported only if one of them never applies without the other, like steps by quantity that
    /// were meant to replace one another.
    fn overlap(&self, earlier: usize, later: usize) -> Option<FoundWeakness> {
        let (one, other) = (self.adjustment(earlier)?, self.adjustment(later)?);
        if !self.interact(earlier, later) || !may_overlap(one, other) {
            return None;
        }
        let cart = self.runs.iter().position(|run| run.change_one_item(earlier, later))?;
        if !is_equal_value(one, other) && !self.is_nested(earlier, later) && !self.is_nested(later, earlier) {
            return None;
        }
        let otherwise = self.without(cart, &[later])?.total;
        let example = Some((cart, otherwise));
        Some(FoundWeakness { kind: FindingKind::Overlap, place: later, others: vec![earlier], example })
    }

    /// True if an adjustment changes no cart that another one leaves unchanged.
    fn is_nested(&self, inner: usize, outer: usize) -> bool {
        self.runs.iter().all(|run| !run.changes(inner) || run.changes(outer))
    }
}

#[cfg(test)]
mod tests;
