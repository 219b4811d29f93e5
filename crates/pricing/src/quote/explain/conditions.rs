//! Explains the conditions of an adjustment: for each node its result and the compared value.

use serde::{Serialize, Serializer};
use utoipa::ToSchema;
use values::Unit;

use crate::{
    condition::{Condition, ConditionInput, ConditionType, ConditionValue, ExpectedValue, Operator},
    exact::{Exact, Ratio},
    quote::{
        Cart, ItemQuote, Line, Quote, chain,
        tree::{self, CartContext, ItemContext, Sums},
    },
};

/// Node of a condition tree with its result.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = QuoteCondition, example = json!({ "holds": true, "group": null, "type": "cart_weight",
    "op": "greater_equals", "value": "10", "unit": "t", "found": "12.5" }))]
pub struct ConditionExplanation {
    pub holds: bool,
    /// Kind of a group; `null` for a comparison.
    #[schema(required)]
    pub group: Option<ConditionGroup>,
    /// Parts of a group.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(no_recursion)]
    pub parts: Vec<Self>,
    /// Subject of a comparison; the fields below belong to comparisons too.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub r#type: Option<ConditionType>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub op: Option<Operator>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<ConditionValue>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unit: Option<Unit>,
    /// Compared value of the cart or item; left out if unknown, an empty list if the item has no such record.
    /// A number has more than six places if rounding would change the comparison.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub found: Option<ConditionValue>,
}

/// Number of a group's parts that must be fulfilled: all, at least one, or none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ConditionGroup {
    All,
    Any,
    Not,
}

/// Conditions of one step; the explained tree is built lazily, on serialisation.
#[derive(Debug, Clone, Copy)]
pub struct Conditions<'q> {
    pub(super) condition: &'q Condition,
    /// Bit for each fulfilled node in depth-first order; the lowest is the root's. At most `NODES_MAX` nodes.
    pub(super) fulfilled_bits: u64,
    /// Total of the cart before the adjustment with the condition.
    pub(super) total: Exact,
    pub(super) quote: &'q Quote,
    pub(super) cart: &'q Cart,
    pub(super) line: &'q Line,
    pub(super) item: &'q ItemQuote,
}

impl Conditions<'_> {
    /// Returns the conditions with the values that they were compared with.
    pub fn tree(&self) -> ConditionExplanation {
        let Self { total, quote, line, item, .. } = *self;
        let sums = Sums { weight: quote.weight, base: quote.base, total };
        let processing = item.number.and_then(|number| line.processings.get(number));
        let (quantity, unit) =
            processing.map_or((line.quantity, line.unit), |processing| (processing.quantity, Unit::Piece));
        let processings: Vec<i64> = match processing {
            Some(processing) => vec![processing.id],
            None => line.processings.iter().map(|processing| processing.id).collect(),
        };
        let item_context = ItemContext {
            kind: item.kind,
            article: &line.article,
            quantity: Ratio::from_decimal(quantity).unwrap_or(Ratio::ZERO),
            unit,
            warehouse: line.warehouse,
            processings: &processings,
        };
        let cart_context = chain::cart_context(self.cart);
        ExplanationBuilder {
            fulfilled_bits: self.fulfilled_bits,
            sums,
            cart_context,
            item_context,
            weight: item.weight,
        }
        .node(self.condition)
    }
}

impl Serialize for Conditions<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.tree().serialize(serializer)
    }
}

/// Walks the tree in the order of its bits.
struct ExplanationBuilder<'q> {
    /// The lowest bit is that of the next node.
    fulfilled_bits: u64,
    sums: Sums<Exact>,
    cart_context: CartContext<'q>,
    item_context: ItemContext<'q>,
    /// Weight of the item.
    weight: Option<Exact>,
}

impl ExplanationBuilder<'_> {
    fn node(&mut self, condition: &Condition) -> ConditionExplanation {
        let holds = self.fulfilled_bits & 1 == 1;
        self.fulfilled_bits >>= 1;
        let (group, parts) = match condition {
            Condition::All(parts) => (ConditionGroup::All, parts),
            Condition::Any(parts) => (ConditionGroup::Any, parts),
            Condition::Not(parts) => (ConditionGroup::Not, parts),
            Condition::Test(test) => {
                let input = ConditionInput::from(condition.clone());
                return ConditionExplanation {
                    holds,
                    group: None,
                    parts: Vec::new(),
                    r#type: input.r#type,
                    op: input.op,
                    value: input.value,
                    unit: input.unit,
                    found: self.compared_value(test.subject, &test.expected),
                };
            }
        };
        let parts = parts.iter().map(|part| self.node(part)).collect();
        ConditionExplanation {
            holds,
            group: Some(group),
            parts,
            r#type: None,
            op: None,
            value: None,
            unit: None,
            found: None,
        }
    }

    fn compared_value(&self, subject: ConditionType, expected: &ExpectedValue) -> Option<ConditionValue> {
        match expected {
            ExpectedValue::Number { value, unit, .. } => {
                let actual = tree::number(subject, *unit, &self.sums, &self.item_context, self.weight)?;
                Some(ConditionValue::Text(actual.rounded_beside(*value).to_string()))
            }
            ExpectedValue::OneOf { ids, .. } => {
                let record_ids = tree::records(subject, &self.cart_context, &self.item_context);
                // groups of a buyer are shown only if the condition names them
                let is_visible = |id: &&i64| subject != ConditionType::TenantGroup || ids.contains(id);
                Some(ConditionValue::Ids(record_ids.iter().filter(is_visible).copied().collect()))
            }
            ExpectedValue::Weekday { .. } => {
                Some(ConditionValue::Weekdays(vec![self.cart_context.weekday.as_str().to_owned()]))
            }
            ExpectedValue::Date { .. } => Some(ConditionValue::Text(self.cart_context.date.to_string())),
        }
    }
}
