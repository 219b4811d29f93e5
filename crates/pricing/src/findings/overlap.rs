//! Discounts and surcharges that are given twice: two adjustments of one kind that both change the price of one item.

use std::collections::BTreeSet;

use super::{
    FindingKind,
    analysis::{Examination, FOUND_MAX, Found, are_same, share_a_moment},
    made::named,
};
use crate::{
    condition::{ConditionType, Expected},
    exact::Ratio,
    price_adjustment::terms::{Adjustment, CalculationType, Value},
};

/// Kinds of amounts that are compared with one another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Absolute,
    ByWeight,
    Percent,
}

/// Features of a cart that adjustments are limited by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Limit {
    Buyer,
    Article,
    Processing,
    Warehouse,
    Quantity,
    Price,
    Time,
}

/// Returns whether two adjustments come into question as one that is given twice: they do the same thing, with an equal value or
/// limited by the same feature, and their periods and buyers do not exclude one another.
pub(super) fn may_overlap(one: &Adjustment, other: &Adjustment) -> bool {
    one.operation == other.operation
        && kind(one.calculation_type) == kind(other.calculation_type)
        && share_a_moment(one, other)
        && may_share_a_buyer(one, other)
        && !are_same(one, other)
        && (is_equal_value(one, other) || !limits(one).is_disjoint(&limits(other)))
}

impl Examination<'_> {
    /// Pairs of adjustments that are one given twice.
    pub(super) fn overlaps(&self, places: &[usize]) -> Vec<Found> {
        let pairs = places.iter().enumerate().flat_map(|(number, earlier)| {
            places.iter().skip(number + 1).map(move |later| (*earlier, *later))
        });
        pairs.filter_map(|(earlier, later)| self.overlap(earlier, later)).take(FOUND_MAX).collect()
    }

    /// Two adjustments of one kind that change the price of the same item in a cart. With different values only where one of them
    /// never comes without the other, as steps by quantity that were meant to replace one another.
    fn overlap(&self, earlier: usize, later: usize) -> Option<Found> {
        let (one, other) = (self.adjustment(earlier)?, self.adjustment(later)?);
        if !self.have_met(earlier, later) || !may_overlap(one, other) {
            return None;
        }
        let cart = self.runs.iter().position(|run| run.change_one_item(earlier, later))?;
        if !is_equal_value(one, other) && !self.is_nested(earlier, later) && !self.is_nested(later, earlier) {
            return None;
        }
        let otherwise = self.without(cart, &[later])?.total;
        let shown = Some((cart, otherwise));
        Some(Found { kind: FindingKind::Overlap, place: later, others: vec![earlier], shown })
    }

    /// Returns whether an adjustment changes no cart that another one leaves as it is.
    fn is_nested(&self, inner: usize, outer: usize) -> bool {
        self.runs.iter().all(|run| !run.changes(inner) || run.changes(outer))
    }
}

fn kind(calculation_type: CalculationType) -> Kind {
    match calculation_type {
        CalculationType::Absolute => Kind::Absolute,
        CalculationType::PerKg | CalculationType::PerTon => Kind::ByWeight,
        CalculationType::RelativeToAdjusted | CalculationType::RelativeToBase => Kind::Percent,
    }
}

/// Compares 35 EUR per tonne with 0.035 EUR per kg exactly.
fn is_equal_value(one: &Adjustment, other: &Adjustment) -> bool {
    let ratio = |adjustment: &Adjustment| {
        let Value::Fixed(value) = adjustment.value else { return None };
        let per = if adjustment.calculation_type == CalculationType::PerTon { 1_000 } else { 1 };
        Ratio::of(value)?.over(Ratio::of(per.into())?)
    };
    match (&one.value, &other.value) {
        (Value::OfTable(table), Value::OfTable(same)) => table.id == same.id,
        _ => ratio(one).zip(ratio(other)).is_some_and(|(one, other)| one == other),
    }
}

fn may_share_a_buyer(one: &Adjustment, other: &Adjustment) -> bool {
    let only_names =
        |adjustment: &Adjustment| !adjustment.tenant_ids.is_empty() && adjustment.tenant_group_ids.is_empty();
    !(only_names(one) && only_names(other))
        || one.tenant_ids.iter().any(|tenant| other.tenant_ids.contains(tenant))
}

/// Returns the features by which an adjustment is limited, whether in its conditions or outside them.
fn limits(adjustment: &Adjustment) -> BTreeSet<Limit> {
    let tests = adjustment.conditions.iter().flat_map(|tree| tree.tests(""));
    let numbers = tests.filter(|(_, test)| !matches!(test.expected, Expected::OneOf { .. }));
    let numbers = numbers.map(|(_, test)| test.subject);
    let records = named(adjustment).into_iter().filter(|(_, ids)| !ids.is_empty());
    records.map(|(subject, _)| subject).chain(numbers).map(limit).collect()
}

fn limit(subject: ConditionType) -> Limit {
    match subject {
        ConditionType::Tenant | ConditionType::TenantGroup => Limit::Buyer,
        ConditionType::Article
        | ConditionType::ArticleType
        | ConditionType::Category
        | ConditionType::Material => Limit::Article,
        ConditionType::Processing => Limit::Processing,
        ConditionType::Warehouse => Limit::Warehouse,
        ConditionType::CartWeight | ConditionType::ItemQuantity | ConditionType::ItemWeight => {
            Limit::Quantity
        }
        ConditionType::CartBasePrice | ConditionType::AdjustedCartTotal => Limit::Price,
        ConditionType::Weekday | ConditionType::Date => Limit::Time,
    }
}

#[cfg(test)]
mod tests;
