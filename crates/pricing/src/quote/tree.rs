//! Conditions as the calculation tests them: in one row, with a bit for each node that holds.

use chrono::NaiveDate;
use kernel::{Decimal, Unit, Weekday};

use super::article::Article;
use crate::{
    condition::{Comparison, Condition, ConditionType, Expected, Test},
    exact::{Exact, Ratio},
};

/// What conditions see of a cart.
#[derive(Debug, Clone, Copy)]
pub(super) struct OfCart<'c> {
    /// In kg.
    pub(super) weight: Exact,
    pub(super) base: Exact,
    /// Before the adjustment that asks.
    pub(super) total: Exact,
    pub(super) buyer: Option<i64>,
    pub(super) groups: &'c [i64],
    pub(super) weekday: Weekday,
    pub(super) date: NaiveDate,
}

/// What conditions see of an item.
#[derive(Debug, Clone, Copy)]
pub(super) struct OfItem<'c> {
    pub(super) article: &'c Article,
    pub(super) quantity: Ratio,
    pub(super) unit: Unit,
    /// In kg.
    pub(super) weight: Option<Exact>,
    pub(super) warehouse: Option<i64>,
    /// Of a processing the one that it is, of an article all that is done to it.
    pub(super) processings: &'c [i64],
}

/// A tree in the order in which it is read.
#[derive(Debug)]
pub(super) struct Tree {
    nodes: Vec<Node>,
    /// Whether it asks for anything of an item.
    pub(super) of_item: bool,
}

#[derive(Debug)]
struct Node {
    kind: Kind,
    /// The first node behind it and all that it holds.
    end: usize,
}

#[derive(Debug)]
enum Kind {
    All,
    Any,
    Not,
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
        let mut tree = Self { nodes: Vec::new(), of_item: false };
        tree.add(condition);
        tree
    }

    fn add(&mut self, condition: &Condition) {
        let (kind, parts) = match condition {
            Condition::All(parts) => (Kind::All, parts.as_slice()),
            Condition::Any(parts) => (Kind::Any, parts.as_slice()),
            Condition::Not(parts) => (Kind::Not, parts.as_slice()),
            Condition::Test(test) => (Kind::of(test), &[][..]),
        };
        self.of_item |= kind.is_of_item();
        let at = self.nodes.len();
        self.nodes.push(Node { kind, end: at + 1 });
        for part in parts {
            self.add(part);
        }
        let end = self.nodes.len();
        if let Some(node) = self.nodes.get_mut(at) {
            node.end = end;
        }
    }

    /// A bit for each node that holds; the lowest is that of the whole tree.
    pub(super) fn holding(&self, cart: &OfCart<'_>, item: &OfItem<'_>) -> u64 {
        let mut bits = 0;
        self.test(0, cart, item, &mut bits);
        bits
    }

    fn test(&self, at: usize, cart: &OfCart<'_>, item: &OfItem<'_>, bits: &mut u64) -> bool {
        let Some(node) = self.nodes.get(at) else { return true };
        let mut parts = (0, 0);
        let mut next = at + 1;
        while next < node.end {
            parts.0 += usize::from(self.test(next, cart, item, bits));
            parts.1 += 1;
            next = self.nodes.get(next).map_or(node.end, |part| part.end);
        }
        let holds = match node.kind {
            Kind::All => parts.0 == parts.1,
            Kind::Any => parts.0 > 0,
            Kind::Not => parts.0 == 0,
            ref kind => kind.holds(cart, item),
        };
        *bits |= u64::from(holds) << at;
        holds
    }
}

impl Kind {
    fn of(test: &Test) -> Self {
        match &test.expected {
            Expected::Number { op, value, unit } => {
                let (op, amount) = (*op, Exact::of(*value));
                let weight = || Exact::bound(*value, unit.unwrap_or(Unit::Kilogram));
                match (test.subject, unit) {
                    (ConditionType::CartWeight, _) => Self::CartWeight(op, weight()),
                    (ConditionType::ItemWeight, _) => Self::ItemWeight(op, weight()),
                    (ConditionType::CartBasePrice, _) => Self::CartBase(op, amount),
                    (ConditionType::ItemQuantity, Some(unit)) => {
                        Self::ItemQuantity(op, Ratio::of(*value).unwrap_or(Ratio::ZERO), *unit)
                    }
                    _ => Self::CartTotal(op, amount),
                }
            }
            Expected::OneOf { negated, ids } => {
                let mut ids = ids.clone();
                ids.sort_unstable();
                Self::OneOf(test.subject, *negated, ids.into())
            }
            Expected::Weekday { negated, days } => Self::Weekday(*negated, days.as_slice().into()),
            Expected::Date { op, value } => Self::Date(*op, *value),
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

    fn holds(&self, cart: &OfCart<'_>, item: &OfItem<'_>) -> bool {
        match self {
            Self::All | Self::Any | Self::Not => false,
            Self::CartWeight(op, bound) => op.holds(&cart.weight, bound),
            Self::CartBase(op, bound) => op.holds(&cart.base, bound),
            Self::CartTotal(op, bound) => op.holds(&cart.total, bound),
            Self::ItemWeight(op, bound) => item.weight.is_some_and(|weight| op.holds(&weight, bound)),
            Self::ItemQuantity(op, bound, unit) => {
                let quantity = item.article.convert(item.quantity, item.unit, *unit);
                quantity.is_some_and(|quantity| op.holds(&quantity, bound))
            }
            Self::OneOf(subject, negated, ids) => {
                let found = records(*subject, cart, item).iter().any(|id| ids.binary_search(id).is_ok());
                found != *negated
            }
            Self::Weekday(negated, days) => days.contains(&cart.weekday) != *negated,
            Self::Date(op, date) => op.holds(&cart.date, date),
        }
    }
}

/// The records that a subject has; none of what is unknown.
pub(super) fn records<'c>(subject: ConditionType, cart: &'c OfCart<'_>, item: &'c OfItem<'_>) -> &'c [i64] {
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

/// What a comparison of a number met, in its unit.
pub(super) fn number(
    subject: ConditionType,
    unit: Option<Unit>,
    cart: &OfCart<'_>,
    item: &OfItem<'_>,
) -> Option<Decimal> {
    let weight = |weight: Exact| weight.in_unit(unit.unwrap_or(Unit::Kilogram));
    match subject {
        ConditionType::CartWeight => weight(cart.weight),
        ConditionType::ItemWeight => weight(item.weight?),
        ConditionType::CartBasePrice => Some(cart.base.to_decimal()),
        ConditionType::AdjustedCartTotal => Some(cart.total.to_decimal()),
        ConditionType::ItemQuantity => item.article.convert(item.quantity, item.unit, unit?)?.to_decimal(),
        _ => None,
    }
}
