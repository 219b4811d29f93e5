//! Comparison of adjustments by their definitions, without a cart.

use std::collections::BTreeSet;

use values::Instant;

use super::generated_carts::named_records;
use crate::{
    condition::{Condition, ConditionType, ExpectedValue},
    exact::Ratio,
    price_adjustment::terms::{Adjustment, ApplyTo, CalculationType, Value},
};

/// Kinds of amounts that can be compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Absolute,
    ByWeight,
    Percent,
}

/// Features of a cart that limit adjustments.
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

/// True if two adjustments may be one given twice: they do the same, with an equal value or limited by the
/// same feature, and their periods and buyers do not exclude one another.
pub(super) fn may_overlap(one: &Adjustment, other: &Adjustment) -> bool {
    one.operation == other.operation
        && kind(one.calculation_type) == kind(other.calculation_type)
        && share_a_moment(one, other)
        && may_share_a_buyer(one, other)
        && !are_same(one, other)
        && (is_equal_value(one, other) || !limits(one).is_disjoint(&limits(other)))
}

/// True if two adjustments do the same under the same conditions, and both can apply at the same time.
pub(super) fn are_same(one: &Adjustment, other: &Adjustment) -> bool {
    let effect = |adjustment: &Adjustment| {
        let Adjustment { operation, value, calculation_type, ignore_on_further_adjustments, .. } =
            adjustment.clone();
        (operation, value, calculation_type, ignore_on_further_adjustments, adjustment.purchase_constraints)
    };
    effect(one) == effect(other)
        && sorted_apply_to(&one.apply_to) == sorted_apply_to(&other.apply_to)
        && one.conditions.as_ref().map(sorted) == other.conditions.as_ref().map(sorted)
        && share_a_buyer(one, other)
        && share_a_moment(one, other)
}

fn share_a_buyer(one: &Adjustment, other: &Adjustment) -> bool {
    let for_all =
        |adjustment: &Adjustment| adjustment.tenant_ids.is_empty() && adjustment.tenant_group_ids.is_empty();
    // tenants that one adjustment names and the other excludes are not shared
    let only_excluded = |one: &Adjustment, other: &Adjustment| {
        let excluded = |tenant| other.excluded_tenant_ids.contains(tenant);
        one.tenant_group_ids.is_empty() && !one.tenant_ids.is_empty() && one.tenant_ids.iter().all(excluded)
    };
    if only_excluded(one, other) || only_excluded(other, one) {
        return false;
    }
    for_all(one)
        || for_all(other)
        || one.tenant_ids.iter().any(|tenant| other.tenant_ids.contains(tenant))
        || one.tenant_group_ids.iter().any(|group| other.tenant_group_ids.contains(group))
}

fn share_a_moment(one: &Adjustment, other: &Adjustment) -> bool {
    let ends_before = |until: Option<Instant>, from: Option<Instant>| {
        until.zip(from).is_some_and(|(until, from)| until <= from)
    };
    !ends_before(one.valid_until, other.valid_from) && !ends_before(other.valid_until, one.valid_from)
}

/// Returns the targets of an adjustment with their ids in ascending order.
fn sorted_apply_to(to: &ApplyTo) -> ApplyTo {
    let ids = |ids: &[i64]| {
        let mut ids = ids.to_vec();
        ids.sort_unstable();
        ids
    };
    match to {
        ApplyTo::Item { articles, article_types, categories, materials } => ApplyTo::Item {
            articles: ids(articles),
            article_types: ids(article_types),
            categories: ids(categories),
            materials: ids(materials),
        },
        ApplyTo::ItemType { item_types } => {
            let mut item_types = item_types.clone();
            item_types.sort_unstable();
            ApplyTo::ItemType { item_types }
        }
    }
}

/// Returns a condition with its parts in a canonical order. A group of a single part, except `not`, is
/// replaced by that part.
fn sorted(condition: &Condition) -> Condition {
    let parts = |parts: &[Condition]| {
        let mut parts: Vec<Condition> = parts.iter().map(sorted).collect();
        parts.sort_by_cached_key(ToString::to_string);
        parts
    };
    match condition {
        Condition::All(inner) | Condition::Any(inner) if inner.len() == 1 => {
            inner.first().map_or_else(|| condition.clone(), sorted)
        }
        Condition::All(inner) => Condition::All(parts(inner)),
        Condition::Any(inner) => Condition::Any(parts(inner)),
        Condition::Not(inner) => Condition::Not(parts(inner)),
        Condition::Test(test) => {
            let mut test = test.clone();
            match &mut test.expected {
                ExpectedValue::OneOf { ids, .. } => ids.sort_unstable(),
                ExpectedValue::Weekday { days, .. } => days.sort_unstable_by_key(|day| *day as usize),
                ExpectedValue::Number { .. } | ExpectedValue::Date { .. } => {}
            }
            Condition::Test(test)
        }
    }
}

fn kind(calculation_type: CalculationType) -> Kind {
    match calculation_type {
        CalculationType::Absolute => Kind::Absolute,
        CalculationType::PerKg | CalculationType::PerTon => Kind::ByWeight,
        CalculationType::RelativeToAdjusted | CalculationType::RelativeToBase => Kind::Percent,
    }
}

/// True if the values are equal; 35 EUR per tonne equals 0.035 EUR per kg, exactly.
pub(super) fn is_equal_value(one: &Adjustment, other: &Adjustment) -> bool {
    let ratio = |adjustment: &Adjustment| {
        let Value::Fixed(value) = adjustment.value else { return None };
        let per = if adjustment.calculation_type == CalculationType::PerTon { 1_000 } else { 1 };
        Ratio::from_decimal(value)?.over(Ratio::from_decimal(per.into())?)
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

/// Returns the features by which an adjustment is limited, in its conditions or outside them.
fn limits(adjustment: &Adjustment) -> BTreeSet<Limit> {
    let tests = adjustment.conditions.iter().flat_map(|tree| tree.tests(""));
    let numbers = tests.filter(|(_, test)| !matches!(test.expected, ExpectedValue::OneOf { .. }));
    let numbers = numbers.map(|(_, test)| test.subject);
    let records = named_records(adjustment).into_iter().filter(|(_, ids)| !ids.is_empty());
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
