//! Satisfiability of adjustments: a search for an item, a buyer and a day that fulfil all conditions.
//!
//! The numbers in conditions divide all possible values into cells within which every comparison has the same
//! result: below the smallest number, that number, between it and the next. The search tries one value of
//! each cell. It assumes that everything is possible that depends on other records, such as the type of an
//! article. So an adjustment that it excludes can never apply; one that it does not exclude may still never
//! apply.

use std::collections::{BTreeMap, BTreeSet};

use chrono::{Datelike, Days, NaiveDate};
use values::{Decimal, TenantId, Unit, Weekday};

use crate::{
    condition::{Comparison, Condition, ConditionType, ExpectedValue, Test},
    exact::{Exact, Ratio},
    price_adjustment::terms::{Adjustment, ApplyTo, ItemType},
};

/// Maximum number of steps of a search.
const STEPS_MAX: usize = 20_000;

/// Period in which an adjustment may apply.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Within {
    /// First day; `None` for no limit.
    pub(crate) from: Option<NaiveDate>,
    /// Last day; `None` for no limit.
    pub(crate) until: Option<NaiveDate>,
}

/// Returns true if an adjustment can apply within these days, ignoring all others; `None` if the search takes
/// too long.
pub(crate) fn can_apply(adjustment: &Adjustment, within: Within) -> Option<bool> {
    let mut world = Values::default();
    world.collect_values(adjustment, within);
    let formula = world.formula(adjustment);
    if world.is_impossible() {
        return Some(false);
    }
    let mut search = Search { sizes: world.sizes(), chosen: Vec::new(), steps: 0 };
    search.chosen = vec![None; search.sizes.len()];
    search.fulfils(&formula)
}

/// Variable that conditions depend on; its values are the cells that they distinguish.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Variable {
    Kind,
    /// Weights of the item and of the cart, which is at least as heavy.
    Weights,
    Base,
    Total,
    /// Quantity, by the index of the units' category.
    Quantity(usize),
    /// One of the named records, or another one, or none.
    OneOf(ConditionType),
    /// True if a record is among several, such as an article's categories.
    Among(ConditionType, i64),
    Day,
}

/// Condition over numbered variables.
#[derive(Debug)]
enum Formula {
    All(Vec<Self>),
    Any(Vec<Self>),
    /// Fulfilled if none of the parts is.
    Not(Vec<Self>),
    /// Result for each value of a variable.
    Test(usize, Vec<bool>),
}

#[derive(Debug, Default)]
struct Values {
    variables: Vec<Variable>,
    /// Weights in kg.
    weights: BTreeSet<Exact>,
    bases: BTreeSet<Exact>,
    totals: BTreeSet<Exact>,
    /// Quantities in base units, by the index of the units' category.
    quantities: BTreeMap<usize, Vec<Ratio>>,
    ids: BTreeMap<ConditionType, BTreeSet<i64>>,
    days: Vec<NaiveDate>,
}

/// Types of items in carts. There is no shipping item yet: an adjustment for shipping alone never applies.
const KINDS: [ItemType; 2] = [ItemType::Article, ItemType::Processing];

/// True if a cart or an article can have several records of this kind.
const fn is_plural(subject: ConditionType) -> bool {
    matches!(subject, ConditionType::Category | ConditionType::Processing | ConditionType::TenantGroup)
}

/// Returns the number of cells between and at these numbers, none of which is negative: even cells are
/// between numbers, odd ones are a number.
fn cells(numbers: usize) -> usize {
    2 * numbers + 1
}

fn holds(op: Comparison, cell: usize, number: usize) -> bool {
    op.holds(&cell, &(2 * number + 1))
}

impl Values {
    fn collect_values(&mut self, adjustment: &Adjustment, within: Within) {
        let tests = adjustment.conditions.as_ref().map(|tree| tree.tests("")).unwrap_or_default();
        let mut dates = BTreeSet::new();
        for (_, test) in tests {
            match &test.expected {
                ExpectedValue::Number { value, unit, .. } => self.collect_number(test.subject, *value, *unit),
                ExpectedValue::OneOf { ids, .. } => self.ids.entry(test.subject).or_default().extend(ids),
                ExpectedValue::Date { value, .. } => {
                    dates.insert(*value);
                }
                ExpectedValue::Weekday { .. } => {}
            }
        }
        for (subject, ids) in records_outside_conditions(adjustment) {
            self.ids.entry(subject).or_default().extend(ids);
        }
        for numbers in self.quantities.values_mut() {
            numbers.sort_unstable();
            numbers.dedup();
        }
        self.days = representative_days(&dates, within);
    }

    fn collect_number(&mut self, subject: ConditionType, value: Decimal, unit: Option<Unit>) {
        match subject {
            ConditionType::CartWeight | ConditionType::ItemWeight => {
                self.weights.insert(Exact::bound(value, unit.unwrap_or(Unit::Kilogram)));
            }
            ConditionType::CartBasePrice => {
                self.bases.insert(Exact::from_decimal(value));
            }
            ConditionType::ItemQuantity => {
                if let Some((category, number)) = in_base_units(value, unit) {
                    self.quantities.entry(category).or_default().push(number);
                }
            }
            _ => {
                self.totals.insert(Exact::from_decimal(value));
            }
        }
    }

    fn is_impossible(&self) -> bool {
        self.days.is_empty()
    }

    fn sizes(&self) -> Vec<usize> {
        let size = |variable: &Variable| match variable {
            Variable::Kind => KINDS.len(),
            Variable::Weights => self.weight_pairs().len(),
            Variable::Base => cells(self.bases.len()),
            Variable::Total => cells(self.totals.len()),
            // one more value: the quantity cannot be converted
            Variable::Quantity(category) => cells(self.quantities.get(category).map_or(0, Vec::len)) + 1,
            Variable::OneOf(subject) => self.ids.get(subject).map_or(0, BTreeSet::len) + 1,
            Variable::Among(..) => 2,
            Variable::Day => self.days.len(),
        };
        self.variables.iter().map(size).collect()
    }

    /// Returns pairs of cells: of an item's weight, `None` if it is unknown, and of its cart's weight.
    fn weight_pairs(&self) -> Vec<(Option<usize>, usize)> {
        let cells = cells(self.weights.len());
        let items = std::iter::once(None).chain((0..cells).map(Some));
        items
            .flat_map(|item| (item.unwrap_or(0)..cells).map(move |cart| (item, cart)))
            .filter(|(item, cart)| {
                // weights are not negative
                let below = |cell: usize| cell == 0 && self.weights.first() == Some(&Exact::ZERO);
                !below(*cart) && !item.is_some_and(below)
            })
            .collect()
    }

    fn variable(&mut self, variable: Variable) -> usize {
        if let Some(place) = self.variables.iter().position(|existing| *existing == variable) {
            return place;
        }
        self.variables.push(variable);
        self.variables.len() - 1
    }

    fn formula(&mut self, adjustment: &Adjustment) -> Formula {
        let mut all = Vec::new();
        if let Some(tree) = &adjustment.conditions {
            all.push(self.condition(tree));
        }
        let kinds: Vec<ItemType> = match &adjustment.apply_to {
            ApplyTo::ItemType { item_types } => item_types.clone(),
            ApplyTo::Item { articles, article_types, categories, materials } => {
                let filters = [
                    (ConditionType::Article, articles),
                    (ConditionType::ArticleType, article_types),
                    (ConditionType::Category, categories),
                    (ConditionType::Material, materials),
                ];
                let any = filters.into_iter().filter(|(_, ids)| !ids.is_empty());
                let any = any.map(|(subject, ids)| self.one_of(subject, ids)).collect();
                all.push(Formula::Any(any));
                vec![ItemType::Article]
            }
        };
        let kind = self.variable(Variable::Kind);
        all.push(Formula::Test(kind, KINDS.iter().map(|kind| kinds.contains(kind)).collect()));
        if !adjustment.tenant_ids.is_empty() || !adjustment.tenant_group_ids.is_empty() {
            let tenants: Vec<i64> = ids_of(&adjustment.tenant_ids);
            let any = vec![
                self.one_of(ConditionType::Tenant, &tenants),
                self.one_of(ConditionType::TenantGroup, &adjustment.tenant_group_ids),
            ];
            all.push(Formula::Any(any));
        }
        if !adjustment.excluded_tenant_ids.is_empty() {
            let excluded: Vec<i64> = ids_of(&adjustment.excluded_tenant_ids);
            all.push(Formula::Not(vec![self.one_of(ConditionType::Tenant, &excluded)]));
        }
        Formula::All(all)
    }

    fn condition(&mut self, condition: &Condition) -> Formula {
        let mut all = |parts: &[Condition]| parts.iter().map(|part| self.condition(part)).collect();
        match condition {
            Condition::All(parts) => Formula::All(all(parts)),
            Condition::Any(parts) => Formula::Any(all(parts)),
            Condition::Not(parts) => Formula::Not(all(parts)),
            Condition::Test(test) => self.test(test),
        }
    }

    fn one_of(&mut self, subject: ConditionType, ids: &[i64]) -> Formula {
        if is_plural(subject) {
            let includes_id =
                |id: &i64| Formula::Test(self.variable(Variable::Among(subject, *id)), vec![false, true]);
            return Formula::Any(ids.iter().map(includes_id).collect());
        }
        let subject_ids = self.ids.get(&subject).cloned().unwrap_or_default();
        // the last value stands for another record, or none
        let table = subject_ids.iter().map(|id| ids.contains(id)).chain([false]).collect();
        Formula::Test(self.variable(Variable::OneOf(subject)), table)
    }

    fn test(&mut self, test: &Test) -> Formula {
        match &test.expected {
            ExpectedValue::Number { op, value, unit } => self.number(test.subject, *op, *value, *unit),
            ExpectedValue::OneOf { negated, ids } => negated_if(*negated, self.one_of(test.subject, ids)),
            ExpectedValue::Weekday { negated, days } => {
                let on = |day: &NaiveDate| days.contains(&Weekday::from(day.weekday())) != *negated;
                let table = self.days.iter().map(on).collect();
                Formula::Test(self.variable(Variable::Day), table)
            }
            ExpectedValue::Date { op, value } => {
                let table = self.days.iter().map(|day| op.holds(day, value)).collect();
                Formula::Test(self.variable(Variable::Day), table)
            }
        }
    }

    fn number(
        &mut self,
        subject: ConditionType,
        op: Comparison,
        value: Decimal,
        unit: Option<Unit>,
    ) -> Formula {
        let amounts = |numbers: &BTreeSet<Exact>| {
            let place = numbers.iter().position(|number| *number == Exact::from_decimal(value)).unwrap_or(0);
            let below_zero = |cell: usize| cell == 0 && numbers.first() == Some(&Exact::ZERO);
            (0..cells(numbers.len())).map(|cell| !below_zero(cell) && holds(op, cell, place)).collect()
        };
        match subject {
            ConditionType::CartWeight | ConditionType::ItemWeight => {
                let bound = Exact::bound(value, unit.unwrap_or(Unit::Kilogram));
                let place = self.weights.iter().position(|weight| *weight == bound).unwrap_or(0);
                let is_cart_weight = subject == ConditionType::CartWeight;
                let cell =
                    |(item, cart): (Option<usize>, usize)| if is_cart_weight { Some(cart) } else { item };
                let table = self.weight_pairs().into_iter().map(cell);
                let table = table.map(|cell| cell.is_some_and(|cell| holds(op, cell, place))).collect();
                Formula::Test(self.variable(Variable::Weights), table)
            }
            ConditionType::CartBasePrice => {
                let table = amounts(&self.bases);
                Formula::Test(self.variable(Variable::Base), table)
            }
            ConditionType::ItemQuantity => {
                let Some((category, number)) = in_base_units(value, unit) else {
                    return Formula::Any(Vec::new());
                };
                let numbers = self.quantities.get(&category).map_or(&[][..], Vec::as_slice);
                let place = numbers.iter().position(|existing| *existing == number).unwrap_or(0);
                // quantities are above zero
                let least = if numbers.first() == Some(&Ratio::ZERO) { 2 } else { 0 };
                let table = (0..cells(numbers.len())).map(|cell| cell >= least && holds(op, cell, place));
                let table = table.chain([false]).collect();
                Formula::Test(self.variable(Variable::Quantity(category)), table)
            }
            _ => {
                let table = amounts(&self.totals);
                Formula::Test(self.variable(Variable::Total), table)
            }
        }
    }
}

fn negated_if(negated: bool, formula: Formula) -> Formula {
    if negated { Formula::Not(vec![formula]) } else { formula }
}

fn in_base_units(value: Decimal, unit: Option<Unit>) -> Option<(usize, Ratio)> {
    let unit = unit?;
    Some((unit.category() as usize, Ratio::from_decimal(value)?.times(Ratio::from_unit(unit))?.reduced()))
}

fn ids_of(tenants: &[TenantId]) -> Vec<i64> {
    tenants.iter().map(|tenant| i64::from(*tenant)).collect()
}

/// Returns the records that an adjustment names outside its conditions.
fn records_outside_conditions(adjustment: &Adjustment) -> Vec<(ConditionType, Vec<i64>)> {
    let mut records = vec![
        (ConditionType::Tenant, ids_of(&adjustment.tenant_ids)),
        (ConditionType::Tenant, ids_of(&adjustment.excluded_tenant_ids)),
        (ConditionType::TenantGroup, adjustment.tenant_group_ids.clone()),
    ];
    if let ApplyTo::Item { articles, article_types, categories, materials } = &adjustment.apply_to {
        records.extend([
            (ConditionType::Article, articles.clone()),
            (ConditionType::ArticleType, article_types.clone()),
            (ConditionType::Category, categories.clone()),
            (ConditionType::Material, materials.clone()),
        ]);
    }
    records
}

/// Returns days that represent all others: each named day and the week after it, within the period.
fn representative_days(named_days: &BTreeSet<NaiveDate>, within: Within) -> Vec<NaiveDate> {
    const WEEK: Days = Days::new(7);
    let some = NaiveDate::from_ymd_opt(2_000, 1, 3).unwrap_or_default();
    let first = named_days.first().copied().or(within.until).unwrap_or(some);
    let before = |day: NaiveDate| day.checked_sub_days(WEEK).unwrap_or(NaiveDate::MIN);
    let start = within.from.unwrap_or_else(|| before(first.min(within.until.unwrap_or(first))));
    let begins = named_days.iter().copied().filter(|day| *day > start).chain([start]);
    let mut days = BTreeSet::new();
    for begin in begins {
        // the day itself and the week after it; the next named day begins another one
        days.extend(begin.iter_days().take(8));
    }
    days.into_iter().filter(|day| within.until.is_none_or(|until| *day <= until)).collect()
}

/// Backtracking search: chooses values one variable after the other, as long as the formula may still be
/// fulfilled.
struct Search {
    /// Number of values of each variable.
    sizes: Vec<usize>,
    chosen: Vec<Option<usize>>,
    steps: usize,
}

impl Search {
    /// Searches for values that fulfil the formula; `None` if that takes too long.
    fn fulfils(&mut self, formula: &Formula) -> Option<bool> {
        self.steps += 1;
        if self.steps > STEPS_MAX {
            return None;
        }
        if let Some(decided) = self.evaluate(formula) {
            return Some(decided);
        }
        let Some(open) = self.chosen.iter().position(Option::is_none) else { return Some(false) };
        let mut outcome = Some(false);
        for value in 0..self.sizes.get(open).copied().unwrap_or(0) {
            self.choose(open, Some(value));
            outcome = self.fulfils(formula);
            if outcome != Some(false) {
                break;
            }
        }
        self.choose(open, None);
        outcome
    }

    fn choose(&mut self, variable: usize, value: Option<usize>) {
        if let Some(chosen) = self.chosen.get_mut(variable) {
            *chosen = value;
        }
    }

    /// Evaluates the formula with the chosen values; `None` if they do not decide it.
    fn evaluate(&self, formula: &Formula) -> Option<bool> {
        // true if one of the parts has the sought result
        let any = |parts: &[Formula], sought: bool| {
            let mut undecided = false;
            for part in parts {
                match self.evaluate(part) {
                    Some(said) if said == sought => return Some(true),
                    Some(_) => {}
                    None => undecided = true,
                }
            }
            (!undecided).then_some(false)
        };
        match formula {
            Formula::All(parts) => any(parts, false).map(|one_fails| !one_fails),
            Formula::Any(parts) => any(parts, true),
            Formula::Not(parts) => any(parts, true).map(|one_holds| !one_holds),
            Formula::Test(variable, table) => {
                let chosen = self.chosen.get(*variable).copied().flatten();
                match chosen {
                    Some(value) => table.get(value).copied(),
                    None if table.iter().all(|holds| !holds) => Some(false),
                    None => None,
                }
            }
        }
    }
}

#[cfg(test)]
mod tests;
