//! Price adjustments for the calculation: kind and amount of the discount or surcharge, audience, targets and
//! period.

use std::sync::Arc;

use sea_orm::{DeriveActiveEnum, EnumIter, FromJsonQueryResult, prelude::StringLen};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use values::{Decimal, Instant, TenantId, Unit, Violations, input::message, rule};

use crate::{codes, condition::Condition, surcharge_table::surcharges::CompiledTable};

/// Link of the chain of adjustments. Those of the platform precede those of the seller, each ordered by
/// position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Adjustment {
    pub id: i64,
    /// Owner; `None` for an adjustment of the platform, which is for all sellers.
    pub owner: Option<TenantId>,
    pub position: i64,
    pub name: String,
    pub active: bool,
    pub operation: Operation,
    pub value: Value,
    pub calculation_type: CalculationType,
    /// Conditions; `None` if it always applies.
    pub conditions: Option<Condition>,
    /// True if the basis of later relative adjustments excludes its amount.
    pub ignore_on_further_adjustments: bool,
    pub apply_to: ApplyTo,
    /// Buyers that it is for; if both tenants and groups are empty, all buyers.
    pub tenant_ids: Vec<TenantId>,
    pub tenant_group_ids: Vec<i64>,
    /// Tenants that it never applies to.
    pub excluded_tenant_ids: Vec<TenantId>,
    pub purchase_constraints: Option<PurchaseConstraints>,
    pub valid_from: Option<Instant>,
    /// First moment at which it is no longer valid.
    pub valid_until: Option<Instant>,
}

/// Value of an adjustment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Value {
    /// Value above zero: EUR, or percent for a relative calculation.
    Fixed(Decimal),
    /// EUR per tonne, by the article and the month.
    OfTable(Arc<CompiledTable>),
}

/// Direction of an adjustment.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema, EnumIter, DeriveActiveEnum,
)]
#[serde(rename_all = "snake_case")]
#[schema(as = AdjustmentOperation)]
#[sea_orm(rs_type = "String", db_type = "String(StringLen::N(16))", rename_all = "snake_case")]
pub enum Operation {
    Discount,
    Surcharge,
}

/// Calculation of an adjustment's amount. The names are those of the specification.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema, EnumIter, DeriveActiveEnum,
)]
#[sea_orm(rs_type = "String", db_type = "String(StringLen::N(24))", rename_all = "camelCase")]
#[serde(rename_all = "camelCase")]
pub enum CalculationType {
    /// EUR, once for each item of the cart that the adjustment applies to. If it is for articles and
    /// processings, it is charged once for each line, as are the next two.
    Absolute,
    /// EUR per kilogram.
    PerKg,
    /// EUR per tonne.
    PerTon,
    /// Percent of the running price: the base price with the previous adjustments, without ignored ones.
    RelativeToAdjusted,
    /// Percent of the base price.
    RelativeToBase,
}

/// Type of an item of a cart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ItemType {
    Article,
    Processing,
    /// Freight; carts have no such item yet.
    Shipping,
}

/// Targets of an adjustment: articles named by any of the lists, or whole types of items.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema, FromJsonQueryResult)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum ApplyTo {
    /// Articles that are named by their own id, or by that of their type, their material, one of their
    /// categories or an ancestor of it. A category without an article type contains the articles of its
    /// nearest ancestor. At least one id in total.
    Item {
        #[serde(default)]
        #[schema(max_items = 200)]
        articles: Vec<i64>,
        #[serde(default)]
        #[schema(max_items = 200)]
        article_types: Vec<i64>,
        #[serde(default)]
        #[schema(max_items = 200)]
        categories: Vec<i64>,
        #[serde(default)]
        #[schema(max_items = 200)]
        materials: Vec<i64>,
    },
    /// All items of these types.
    ItemType {
        #[schema(min_items = 1, max_items = 3)]
        item_types: Vec<ItemType>,
    },
}

/// Quantities of an article that can be ordered in one line. They refuse a line and change no price. At least
/// one of the three is required; only adjustments for articles have constraints.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema, FromJsonQueryResult)]
#[serde(deny_unknown_fields)]
pub struct PurchaseConstraints {
    /// Smallest quantity, above zero.
    pub min_quantity: Option<Decimal>,
    /// Largest quantity, not below the smallest.
    pub max_quantity: Option<Decimal>,
    /// Step of quantities, above zero: only whole multiples of it are allowed.
    pub multiple_of: Option<Decimal>,
    pub unit: Unit,
}

/// Maximum number of ids in one list of an adjustment.
pub const IDS_MAX: usize = 200;

impl Adjustment {
    /// True if the adjustment is for articles and processings but charged once for each line: amounts that
    /// are not percentages do not grow with the number of items.
    pub fn is_once_per_line(&self) -> bool {
        let both = |item_types: &[ItemType]| {
            [ItemType::Article, ItemType::Processing].iter().all(|item_type| item_types.contains(item_type))
        };
        !self.calculation_type.is_relative()
            && matches!(&self.apply_to, ApplyTo::ItemType { item_types } if both(item_types))
    }
}

impl CalculationType {
    pub const NAMES: &'static [&'static str] =
        &["absolute", "perKg", "perTon", "relativeToAdjusted", "relativeToBase"];

    /// True if the value is a percentage.
    pub const fn is_relative(self) -> bool {
        matches!(self, Self::RelativeToAdjusted | Self::RelativeToBase)
    }

    /// True if the value is by weight.
    pub const fn is_by_weight(self) -> bool {
        matches!(self, Self::PerKg | Self::PerTon)
    }

    /// True if the value is based on the price so far.
    pub const fn is_of_running_price(self) -> bool {
        matches!(self, Self::Absolute | Self::RelativeToAdjusted)
    }
}

/// Maximum surcharge in percent.
const SURCHARGE_MAX: i32 = 1_000;
/// Maximum discount in percent.
const DISCOUNT_MAX: i32 = 100;

/// Adds the violations of an adjustment's value: exactly one of the value and the table is required, and a
/// table is per tonne.
pub fn check_source(
    violations: &mut Violations,
    value: Option<Decimal>,
    surcharge_table: Option<i64>,
    operation: Operation,
    calculation_type: CalculationType,
) {
    match (value, surcharge_table) {
        (Some(value), None) => check_value(violations, "value", value, operation, calculation_type),
        (None, Some(_)) if calculation_type != CalculationType::PerTon => {
            violations.add("calculation_type", codes::TABLE_IS_PER_TON);
        }
        (None, Some(_)) => {}
        (None, None) => violations.add("value", codes::ONE_VALUE),
        (Some(_), Some(_)) => violations.add("surcharge_table_id", codes::ONE_VALUE),
    }
}

/// Adds the violations of a value: it is above zero, with at most eight digits before and four after the
/// decimal point; at most 100 percent for a discount, 1,000 for a surcharge.
pub fn check_value(
    violations: &mut Violations,
    path: &str,
    value: Decimal,
    operation: Operation,
    calculation_type: CalculationType,
) {
    if let Err(error) = rule::positive::<8, 4>(&value) {
        violations.add(path, message(&error));
        return;
    }
    let max = match operation {
        Operation::Discount => DISCOUNT_MAX,
        Operation::Surcharge => SURCHARGE_MAX,
    };
    if calculation_type.is_relative() && value > Decimal::from(max) {
        violations.add(path, codes::TOO_BIG.with("max", max));
    }
}

impl ApplyTo {
    /// Adds violations below the path: no target, too many ids, or duplicates.
    pub fn check(&self, violations: &mut Violations, path: &str) {
        match self {
            Self::Item { .. } => {
                if self.references().iter().all(|(_, ids)| ids.is_empty()) {
                    violations.add(path, codes::TOO_FEW.with("min", 1));
                }
                for (field, ids) in self.references() {
                    if ids.len() > IDS_MAX {
                        violations.add(format!("{path}.{field}"), codes::TOO_MANY.with("max", IDS_MAX));
                    }
                    rule::unique(violations, ids, |index| format!("{path}.{field}.{index}"));
                }
            }
            Self::ItemType { item_types } => {
                if item_types.is_empty() {
                    violations.add(format!("{path}.item_types"), codes::TOO_FEW.with("min", 1));
                }
                rule::unique(violations, item_types, |index| format!("{path}.item_types.{index}"));
            }
        }
    }

    /// True if it can apply to an article.
    pub fn is_for_articles(&self) -> bool {
        match self {
            Self::Item { .. } => true,
            Self::ItemType { item_types } => item_types.contains(&ItemType::Article),
        }
    }

    /// Named records by field.
    pub fn references(&self) -> [(&'static str, &[i64]); 4] {
        match self {
            Self::Item { articles, article_types, categories, materials } => [
                ("articles", articles),
                ("article_types", article_types),
                ("categories", categories),
                ("materials", materials),
            ],
            Self::ItemType { .. } => {
                [("articles", &[]), ("article_types", &[]), ("categories", &[]), ("materials", &[])]
            }
        }
    }
}

impl PurchaseConstraints {
    /// Adds violations below the path.
    pub fn check(&self, violations: &mut Violations, path: &str) {
        let fields = [
            ("min_quantity", self.min_quantity),
            ("max_quantity", self.max_quantity),
            ("multiple_of", self.multiple_of),
        ];
        if fields.iter().all(|(_, value)| value.is_none()) {
            violations.add(path, codes::TOO_FEW.with("min", 1));
        }
        for (field, value) in fields {
            if let Some(Err(error)) = value.map(|value| rule::positive::<12, 6>(&value)) {
                violations.add(format!("{path}.{field}"), message(&error));
            }
        }
        if let (Some(min), Some(max)) = (self.min_quantity, self.max_quantity)
            && max < min
        {
            violations.add(format!("{path}.max_quantity"), codes::TOO_SMALL.with("min", min));
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use values::Code;

    fn codes(rule: impl FnOnce(&mut Violations)) -> Vec<(String, Code)> {
        let mut violations = Violations::new();
        rule(&mut violations);
        violations.into_iter().map(|broken| (broken.path, broken.message.code)).collect()
    }

    #[test]
    fn calculation_types_are_spelled_as_in_the_specification() {
        let all = ["absolute", "perKg", "perTon", "relativeToAdjusted", "relativeToBase"];
        for name in all {
            let calculation_type: CalculationType = serde_json::from_value(json!(name)).unwrap();
            assert_eq!(serde_json::to_value(calculation_type).unwrap(), json!(name));
            assert_eq!(sea_orm::ActiveEnum::to_value(&calculation_type), name);
        }
    }

    #[test]
    fn percentages_are_bounded_and_amounts_are_not() {
        use CalculationType::{PerTon, RelativeToAdjusted, RelativeToBase};
        use Operation::{Discount, Surcharge};
        for (value, operation, calculation, expected) in [
            ("100", Discount, RelativeToBase, None),
            ("100.0001", Discount, RelativeToAdjusted, Some(codes::TOO_BIG)),
            ("1000", Surcharge, RelativeToBase, None),
            ("1000.0001", Surcharge, RelativeToBase, Some(codes::TOO_BIG)),
            ("99999999.9999", Discount, PerTon, None),
            ("0.0001", Surcharge, PerTon, None),
            ("0", Surcharge, PerTon, Some(codes::NOT_GREATER)),
            ("-3", Discount, RelativeToBase, Some(codes::NOT_GREATER)),
            ("0.00001", Surcharge, PerTon, Some(codes::INVALID_DECIMAL)),
        ] {
            let actual = codes(|v| check_value(v, "value", value.parse().unwrap(), operation, calculation));
            let expected: Vec<_> = expected.into_iter().map(|code| ("value".to_owned(), code)).collect();
            assert_eq!(actual, expected, "{value} {operation:?} {calculation:?}");
        }
    }

    #[test]
    fn either_a_value_or_a_table_per_tonne_is_required() {
        use CalculationType::{PerKg, PerTon};
        let three = Some(Decimal::from(3));
        for (value, table, calculation, expected) in [
            (three, None, PerKg, None),
            (None, Some(7), PerTon, None),
            (None, Some(7), PerKg, Some(("calculation_type", codes::TABLE_IS_PER_TON))),
            (None, None, PerTon, Some(("value", codes::ONE_VALUE))),
            (three, Some(7), PerTon, Some(("surcharge_table_id", codes::ONE_VALUE))),
            (Some(Decimal::ZERO), None, PerTon, Some(("value", codes::NOT_GREATER))),
        ] {
            let actual = codes(|v| check_source(v, value, table, Operation::Surcharge, calculation));
            let expected: Vec<_> = expected.into_iter().map(|(path, code)| (path.to_owned(), code)).collect();
            assert_eq!(actual, expected, "{value:?} {table:?} {calculation:?}");
        }
    }

    #[test]
    fn an_adjustment_must_apply_to_something() {
        let violations_in = |apply_to: serde_json::Value| {
            let apply_to: ApplyTo = serde_json::from_value(apply_to).unwrap();
            codes(|v| apply_to.check(v, "apply_to"))
        };
        assert_eq!(violations_in(json!({ "kind": "item", "materials": [3] })), []);
        assert_eq!(violations_in(json!({ "kind": "item" })), [("apply_to".to_owned(), codes::TOO_FEW)]);
        assert_eq!(
            violations_in(json!({ "kind": "item", "articles": [3, 4, 3] })),
            [("apply_to.articles.2".to_owned(), codes::DUPLICATE)]
        );
        assert_eq!(
            violations_in(json!({ "kind": "item", "articles": (0..201).collect::<Vec<_>>() })),
            [("apply_to.articles".to_owned(), codes::TOO_MANY)]
        );
        assert_eq!(violations_in(json!({ "kind": "item_type", "item_types": ["article", "shipping"] })), []);
        assert_eq!(
            violations_in(json!({ "kind": "item_type", "item_types": [] })),
            [("apply_to.item_types".to_owned(), codes::TOO_FEW)]
        );
        assert!(serde_json::from_value::<ApplyTo>(json!({ "kind": "item", "item_types": [] })).is_err());
    }

    #[test]
    fn purchase_constraints_must_not_be_empty_or_unsatisfiable() {
        let violations_in = |constraints: serde_json::Value| {
            let constraints: PurchaseConstraints = serde_json::from_value(constraints).unwrap();
            codes(|v| constraints.check(v, "purchase_constraints"))
        };
        let at = |field: &str, code: Code| vec![(format!("purchase_constraints{field}"), code)];
        assert_eq!(violations_in(json!({ "min_quantity": "5", "max_quantity": "5", "unit": "t" })), []);
        assert_eq!(violations_in(json!({ "unit": "t" })), at("", codes::TOO_FEW));
        assert_eq!(
            violations_in(json!({ "min_quantity": "5", "max_quantity": "4.999999", "unit": "t" })),
            at(".max_quantity", codes::TOO_SMALL)
        );
        assert_eq!(
            violations_in(json!({ "multiple_of": "0", "unit": "t" })),
            at(".multiple_of", codes::NOT_GREATER)
        );
    }
}
