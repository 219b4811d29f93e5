//! Conditions of price adjustments: a tree of groups (all, any, not) and comparisons, with its forms in
//! requests, in the database and as text ([`text`]).

mod input;
pub mod text;

#[cfg(test)]
mod tests;

use std::{
    cmp::Ordering,
    collections::{BTreeMap, BTreeSet},
};

use chrono::NaiveDate;
use sea_orm::FromJsonQueryResult;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use values::{Decimal, Unit, Weekday};

pub use self::input::{ConditionInput, ConditionValue};

/// Maximum depth of a tree; a comparison alone is one level.
pub const DEPTH_MAX: usize = 5;
/// Maximum number of groups and comparisons of a tree.
pub const NODES_MAX: usize = 50;
/// Maximum number of records in one comparison.
pub const IDS_MAX: usize = 200;

/// Valid condition tree.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, FromJsonQueryResult)]
#[serde(try_from = "ConditionInput", into = "ConditionInput")]
pub enum Condition {
    /// Fulfilled if all parts are.
    All(Vec<Self>),
    /// Fulfilled if at least one part is.
    Any(Vec<Self>),
    /// Fulfilled if none of the parts is.
    Not(Vec<Self>),
    Test(Test),
}

/// Comparison. An unknown value, such as the weight of an article without one, fulfils no comparison of
/// numbers, and is in no list of records.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Test {
    pub subject: ConditionType,
    pub expected: ExpectedValue,
}

/// Expected value of a comparison, by the kind of its subject.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ExpectedValue {
    /// Amount in EUR, which has no unit, or a quantity or weight.
    Number {
        op: Comparison,
        value: Decimal,
        unit: Option<Unit>,
    },
    /// Records. One match is enough if the subject has several, such as an article's categories.
    OneOf {
        negated: bool,
        ids: Vec<i64>,
    },
    Weekday {
        negated: bool,
        days: Vec<Weekday>,
    },
    /// Day in the installation's time zone.
    Date {
        op: Comparison,
        value: NaiveDate,
    },
}

/// Comparison operator for two values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Comparison {
    Equals,
    NotEquals,
    LesserThan,
    LesserEquals,
    GreaterThan,
    GreaterEquals,
}

/// Subject of a comparison: a property of the cart as a whole, of one of its items, of the buyer, or of the
/// moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ConditionType {
    /// Weight of all items that have one; kg unless a unit is given.
    CartWeight,
    /// Sum of all base prices, in EUR.
    CartBasePrice,
    /// Total of the cart before the adjustment that has the condition, in EUR.
    AdjustedCartTotal,
    /// Quantity of the item, in a unit that must be given. For a processing, the number of operations, in
    /// pieces; in other units it is unknown.
    ItemQuantity,
    /// Weight of the item; kg unless a unit is given.
    ItemWeight,
    Article,
    ArticleType,
    /// Any category of the article, or an ancestor of one. A category without an article type contains the
    /// articles of its nearest ancestor.
    Category,
    Material,
    Processing,
    /// Warehouse that the item is to be delivered from, if the cart names one.
    Warehouse,
    /// Buyer.
    Tenant,
    /// Any group of the buyer.
    TenantGroup,
    Weekday,
    /// Day, in the installation's time zone.
    Date,
}

/// Operator of a comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = ConditionOperator)]
pub enum Operator {
    Equals,
    NotEquals,
    LesserThan,
    LesserEquals,
    GreaterThan,
    GreaterEquals,
    In,
    NotIn,
}

/// Kind of value of a subject.
enum Kind {
    Amount,
    Quantity,
    Weight,
    Records,
    Weekday,
    Date,
}

impl ConditionType {
    pub const ALL: [Self; 15] = [
        Self::CartWeight,
        Self::CartBasePrice,
        Self::AdjustedCartTotal,
        Self::ItemQuantity,
        Self::ItemWeight,
        Self::Article,
        Self::ArticleType,
        Self::Category,
        Self::Material,
        Self::Processing,
        Self::Warehouse,
        Self::Tenant,
        Self::TenantGroup,
        Self::Weekday,
        Self::Date,
    ];

    /// Name on the wire and in texts.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::CartWeight => "cart_weight",
            Self::CartBasePrice => "cart_base_price",
            Self::AdjustedCartTotal => "adjusted_cart_total",
            Self::ItemQuantity => "item_quantity",
            Self::ItemWeight => "item_weight",
            Self::Article => "article",
            Self::ArticleType => "article_type",
            Self::Category => "category",
            Self::Material => "material",
            Self::Processing => "processing",
            Self::Warehouse => "warehouse",
            Self::Tenant => "tenant",
            Self::TenantGroup => "tenant_group",
            Self::Weekday => "weekday",
            Self::Date => "date",
        }
    }

    /// True if the values are ids of records.
    pub const fn names_records(self) -> bool {
        matches!(self.kind(), Kind::Records)
    }

    const fn kind(self) -> Kind {
        match self {
            Self::CartBasePrice | Self::AdjustedCartTotal => Kind::Amount,
            Self::ItemQuantity => Kind::Quantity,
            Self::CartWeight | Self::ItemWeight => Kind::Weight,
            Self::Article
            | Self::ArticleType
            | Self::Category
            | Self::Material
            | Self::Processing
            | Self::Warehouse
            | Self::Tenant
            | Self::TenantGroup => Kind::Records,
            Self::Weekday => Kind::Weekday,
            Self::Date => Kind::Date,
        }
    }

    /// Operators that the subject allows.
    pub const fn operators(self) -> &'static [Operator] {
        match self.kind() {
            Kind::Records | Kind::Weekday => &[Operator::In, Operator::NotIn],
            Kind::Amount | Kind::Quantity | Kind::Weight | Kind::Date => &[
                Operator::Equals,
                Operator::NotEquals,
                Operator::LesserThan,
                Operator::LesserEquals,
                Operator::GreaterThan,
                Operator::GreaterEquals,
            ],
        }
    }
}

impl Operator {
    /// Name on the wire.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Equals => "equals",
            Self::NotEquals => "not_equals",
            Self::LesserThan => "lesser_than",
            Self::LesserEquals => "lesser_equals",
            Self::GreaterThan => "greater_than",
            Self::GreaterEquals => "greater_equals",
            Self::In => "in",
            Self::NotIn => "not_in",
        }
    }

    fn comparison(self) -> Option<Comparison> {
        match self {
            Self::Equals => Some(Comparison::Equals),
            Self::NotEquals => Some(Comparison::NotEquals),
            Self::LesserThan => Some(Comparison::LesserThan),
            Self::LesserEquals => Some(Comparison::LesserEquals),
            Self::GreaterThan => Some(Comparison::GreaterThan),
            Self::GreaterEquals => Some(Comparison::GreaterEquals),
            Self::In | Self::NotIn => None,
        }
    }
}

impl Comparison {
    /// True if a value fulfils the comparison with the expected one.
    pub fn holds<T: Ord + ?Sized>(self, value: &T, expected: &T) -> bool {
        self.agrees(value.cmp(expected))
    }

    /// True if the operator accepts this ordering of the value relative to the expected one.
    pub fn agrees(self, ordering: Ordering) -> bool {
        match self {
            Self::Equals => ordering.is_eq(),
            Self::NotEquals => ordering.is_ne(),
            Self::LesserThan => ordering.is_lt(),
            Self::LesserEquals => ordering.is_le(),
            Self::GreaterThan => ordering.is_gt(),
            Self::GreaterEquals => ordering.is_ge(),
        }
    }

    const fn operator(self) -> Operator {
        match self {
            Self::Equals => Operator::Equals,
            Self::NotEquals => Operator::NotEquals,
            Self::LesserThan => Operator::LesserThan,
            Self::LesserEquals => Operator::LesserEquals,
            Self::GreaterThan => Operator::GreaterThan,
            Self::GreaterEquals => Operator::GreaterEquals,
        }
    }
}

impl Condition {
    /// Returns all comparisons with their paths below `path`: `conditions.all.2`.
    pub fn tests(&self, path: &str) -> Vec<(String, &Test)> {
        let mut tests = Vec::new();
        self.collect(path, &mut tests);
        tests
    }

    fn collect<'c>(&'c self, path: &str, tests: &mut Vec<(String, &'c Test)>) {
        let (name, parts) = match self {
            Self::All(parts) => ("all", parts),
            Self::Any(parts) => ("any", parts),
            Self::Not(parts) => ("not", parts),
            Self::Test(test) => return tests.push((path.to_owned(), test)),
        };
        for (index, part) in parts.iter().enumerate() {
            part.collect(&format!("{path}.{name}.{index}"), tests);
        }
    }

    /// Returns the ids of the records that the condition refers to, by subject.
    pub fn references(&self) -> BTreeMap<ConditionType, BTreeSet<i64>> {
        let mut references: BTreeMap<_, BTreeSet<i64>> = BTreeMap::new();
        for (_, test) in self.tests("") {
            if let ExpectedValue::OneOf { ids, .. } = &test.expected {
                references.entry(test.subject).or_default().extend(ids);
            }
        }
        references
    }
}
