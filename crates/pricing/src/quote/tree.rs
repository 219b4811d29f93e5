//! Conditions compiled for evaluation: a flat list of nodes, with a bit for each one that is fulfilled.

use chrono::NaiveDate;
use values::{Unit, Weekday};

use super::{arithmetic::Arithmetic, article::Article};
use crate::{
    condition::{Comparison, Condition, ConditionType, ExpectedValue, Test},
    exact::{Exact, Ratio},
    price_adjustment::terms::ItemType,
};

/// Properties of a cart that conditions test, besides its sums.
#[derive(Debug, Clone, Copy)]
pub(super) struct CartContext<'c> {
    pub(super) buyer: Option<i64>,
    pub(super) groups: &'c [i64],
    pub(super) weekday: Weekday,
    pub(super) date: NaiveDate,
}

/// Sums of a cart that conditions compare.
#[derive(Debug, Clone)]
pub(super) struct Sums<N> {
    /// Weight in kg.
    pub(super) weight: N,
    pub(super) base: N,
    /// Total before the adjustment with the condition.
    pub(super) total: N,
}

/// Properties of an item that conditions test, besides its weight.
#[derive(Debug, Clone, Copy)]
pub(super) struct ItemContext<'c> {
    pub(super) kind: ItemType,
    pub(super) article: &'c Article,
    pub(super) quantity: Ratio,
    pub(super) unit: Unit,
    pub(super) warehouse: Option<i64>,
    /// Ids: of a processing, its own; of an article, all its processings.
    pub(super) processings: &'c [i64],
}

impl ItemContext<'_> {
    /// Converts the quantity. That of a processing is a number of operations: cuts are not pieces of the
    /// article, and are not converted.
    pub(super) fn quantity_in(&self, unit: Unit) -> Option<Ratio> {
        match self.kind {
            ItemType::Article => self.article.convert(self.quantity, self.unit, unit),
            ItemType::Processing | ItemType::Shipping => (unit == self.unit).then_some(self.quantity),
        }
    }
}

/// Tree in depth-first order: a node is followed by its parts.
#[derive(Debug)]
pub(super) struct Tree {
    nodes: Vec<Node>,
    /// True if a condition depends on the item.
    pub(super) of_item: bool,
    /// True if a condition depends on the cart total before its adjustment.
    pub(super) of_total: bool,
}

/// Amounts of a cart and of one of its items, which conditions compare.
pub(super) struct Amounts<'a, A: Arithmetic> {
    pub(super) arithmetic: &'a A,
    pub(super) sums: &'a Sums<A::Amount>,
    /// Weight of the item, in kg.
    pub(super) weight: Option<&'a A::Amount>,
}

/// Node of the tree. `All`, `Any` and `Not` have a bit for each of their parts.
#[derive(Debug)]
enum Node {
    All(u64),
    Any(u64),
    Not(u64),
    CartWeight(Comparison, Exact),
    CartBase(Comparison, Exact),
    CartTotal(Comparison, Exact),
    ItemQuantity(Comparison, Ratio, Unit),
    ItemWeight(Comparison, Exact),
    OneOf(ConditionType, bool, Box<[i64]>),
    Weekday(bool, Box<[Weekday]>),
    Date(Comparison, NaiveDate),
}

impl Tree {
    pub(super) fn new(condition: &Condition) -> Self {
        let mut tree = Self { nodes: Vec::new(), of_item: false, of_total: false };
        tree.add(condition);
        tree
    }

    /// Adds a condition with its parts, and returns its bit.
    fn add(&mut self, condition: &Condition) -> u64 {
        let bit = 1 << self.nodes.len();
        let (parts, node): (_, fn(u64) -> Node) = match condition {
            Condition::Test(test) => {
                let node = Node::new(test);
                self.of_item |= node.is_of_item();
                self.of_total |= matches!(node, Node::CartTotal(..));
                self.nodes.push(node);
                return bit;
            }
            Condition::All(parts) => (parts, Node::All),
            Condition::Any(parts) => (parts, Node::Any),
            Condition::Not(parts) => (parts, Node::Not),
        };
        let place = self.nodes.len();
        self.nodes.push(node(0));
        let bits = parts.iter().fold(0, |bits, part| bits | self.add(part));
        if let Some(placeholder) = self.nodes.get_mut(place) {
            *placeholder = node(bits);
        }
        bit
    }

    /// Returns a bit for each node that is fulfilled; the lowest is that of the root.
    pub(super) fn fulfilled_bits<A: Arithmetic>(
        &self,
        cart: &CartContext<'_>,
        item: &ItemContext<'_>,
        amounts: &Amounts<'_, A>,
    ) -> u64 {
        // parts are evaluated before the node that contains them
        self.nodes.iter().enumerate().rev().fold(0, |fulfilled_bits, (place, node)| {
            fulfilled_bits | u64::from(node.holds(cart, item, amounts, fulfilled_bits)) << place
        })
    }
}

impl Node {
    fn new(test: &Test) -> Self {
        match &test.expected {
            ExpectedValue::Number { op, value, unit } => {
                let (op, amount) = (*op, Exact::from_decimal(*value));
                let weight = || Exact::bound(*value, unit.unwrap_or(Unit::Kilogram));
                match (test.subject, unit) {
                    (ConditionType::CartWeight, _) => Self::CartWeight(op, weight()),
                    (ConditionType::ItemWeight, _) => Self::ItemWeight(op, weight()),
                    (ConditionType::CartBasePrice, _) => Self::CartBase(op, amount),
                    (ConditionType::ItemQuantity, Some(unit)) => {
                        Self::ItemQuantity(op, Ratio::from_decimal(*value).unwrap_or(Ratio::ZERO), *unit)
                    }
                    _ => Self::CartTotal(op, amount),
                }
            }
            ExpectedValue::OneOf { negated, ids } => {
                let mut ids = ids.clone();
                ids.sort_unstable();
                Self::OneOf(test.subject, *negated, ids.into())
            }
            ExpectedValue::Weekday { negated, days } => Self::Weekday(*negated, days.as_slice().into()),
            ExpectedValue::Date { op, value } => Self::Date(*op, *value),
        }
    }

    fn is_of_item(&self) -> bool {
        match self {
            Self::ItemQuantity(..) | Self::ItemWeight(..) => true,
            Self::OneOf(subject, ..) => {
                !matches!(subject, ConditionType::Tenant | ConditionType::TenantGroup)
            }
            _ => false,
        }
    }

    /// True if the node is fulfilled. `fulfilled_bits`: the bits of the later nodes.
    fn holds<A: Arithmetic>(
        &self,
        cart: &CartContext<'_>,
        item: &ItemContext<'_>,
        amounts: &Amounts<'_, A>,
        fulfilled_bits: u64,
    ) -> bool {
        let Amounts { arithmetic, sums, weight } = amounts;
        let is_so = |op: &Comparison, amount: &A::Amount, bound: &Exact| {
            op.agrees(arithmetic.compare(amount, &arithmetic.convert_exact(*bound)))
        };
        match self {
            Self::All(parts) => fulfilled_bits & parts == *parts,
            Self::Any(parts) => fulfilled_bits & parts != 0,
            Self::Not(parts) => fulfilled_bits & parts == 0,
            Self::CartWeight(op, bound) => is_so(op, &sums.weight, bound),
            Self::CartBase(op, bound) => is_so(op, &sums.base, bound),
            Self::CartTotal(op, bound) => is_so(op, &sums.total, bound),
            Self::ItemWeight(op, bound) => weight.is_some_and(|weight| is_so(op, weight, bound)),
            Self::ItemQuantity(op, bound, unit) => {
                item.quantity_in(*unit).is_some_and(|quantity| op.holds(&quantity, bound))
            }
            Self::OneOf(subject, negated, ids) => {
                let contains_any =
                    records(*subject, cart, item).iter().any(|id| ids.binary_search(id).is_ok());
                contains_any != *negated
            }
            Self::Weekday(negated, days) => days.contains(&cart.weekday) != *negated,
            Self::Date(op, date) => op.holds(&cart.date, date),
        }
    }
}

/// Returns the ids that a subject has; empty if unknown.
pub(super) fn records<'c>(
    subject: ConditionType,
    cart: &'c CartContext<'_>,
    item: &'c ItemContext<'_>,
) -> &'c [i64] {
    use std::slice::from_ref;
    match subject {
        ConditionType::Article => from_ref(&item.article.id),
        ConditionType::ArticleType => from_ref(&item.article.article_type_id),
        ConditionType::Category => &item.article.categories,
        ConditionType::Material => item.article.material_id.as_slice(),
        ConditionType::Processing => item.processings,
        ConditionType::Warehouse => item.warehouse.as_slice(),
        ConditionType::Tenant => cart.buyer.as_slice(),
        ConditionType::TenantGroup => cart.groups,
        _ => &[],
    }
}

/// Returns the number that a condition compares, in its unit, with at most fifteen places.
pub(super) fn number(
    subject: ConditionType,
    unit: Option<Unit>,
    sums: &Sums<Exact>,
    item: &ItemContext<'_>,
    weight: Option<Exact>,
) -> Option<Exact> {
    let in_unit = |weight: Exact| weight.in_unit(unit.unwrap_or(Unit::Kilogram));
    match subject {
        ConditionType::CartWeight => in_unit(sums.weight),
        ConditionType::ItemWeight => in_unit(weight?),
        ConditionType::CartBasePrice => Some(sums.base),
        ConditionType::AdjustedCartTotal => Some(sums.total),
        ConditionType::ItemQuantity => Exact::from_ratio(item.quantity_in(unit?)?),
        _ => None,
    }
}
