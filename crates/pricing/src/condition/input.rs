//! Conditions on the wire and in the database: validated when read, and written in the same form.

use std::{borrow::Cow, collections::BTreeSet};

use chrono::{Datelike, NaiveDate};
use logistics::calendar::{YEARS, unknown_year};
use serde::{Deserialize, Serialize};
use utoipa::{
    PartialSchema, ToSchema,
    openapi::{
        ArrayBuilder, KnownFormat, ObjectBuilder, OneOfBuilder, RefOr, Schema, SchemaFormat, schema::Type,
    },
};
use values::{Decimal, Unit, UnitCategory, Violations, Weekday};

use super::{Condition, ConditionType, DEPTH_MAX, ExpectedValue, IDS_MAX, Kind, NODES_MAX, Operator, Test};
use crate::codes;

/// Condition: either a group, which has exactly one of `all`, `any` and `not`, or a comparison, which has
/// `type`, `op` and `value`. At most 5 levels, and 50 groups and comparisons.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = Condition, example = json!({ "all": [
    { "type": "cart_weight", "op": "greater_equals", "value": "10", "unit": "t" },
    { "not": [{ "type": "weekday", "op": "in", "value": ["saturday", "sunday"] }] },
] }))]
pub struct ConditionInput {
    /// Parts that must all be fulfilled; at least one part.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(no_recursion, min_items = 1)]
    pub all: Option<Vec<Self>>,
    /// Parts of which one must be fulfilled; at least one part.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(no_recursion, min_items = 1)]
    pub any: Option<Vec<Self>>,
    /// Parts of which none may be fulfilled; at least one part.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(no_recursion, min_items = 1)]
    pub not: Option<Vec<Self>>,
    /// Subject of the comparison.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub r#type: Option<ConditionType>,
    /// Operator: one of the first six for amounts, quantities, weights and the date; `in` or `not_in` for
    /// records and the weekday.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub op: Option<Operator>,
    /// Expected value: a decimal that is not negative, ids of records, weekdays, or a date such as
    /// `2026-12-31`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<ConditionValue>,
    /// Unit of a quantity or weight.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unit: Option<Unit>,
}

/// Expected value of a comparison.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum ConditionValue {
    Number(Decimal),
    /// Date.
    Text(String),
    /// Ids without duplicates, at most 200.
    Ids(Vec<i64>),
    /// Weekdays without duplicates.
    Weekdays(Vec<String>),
}

impl ToSchema for ConditionValue {
    fn name() -> Cow<'static, str> {
        "ConditionValue".into()
    }
}

/// A number and a date are both strings in the schema: the subject of the comparison decides between them,
/// not their form.
impl PartialSchema for ConditionValue {
    fn schema() -> RefOr<Schema> {
        let text = || ObjectBuilder::new().schema_type(Type::String);
        let id = ObjectBuilder::new()
            .schema_type(Type::Integer)
            .format(Some(SchemaFormat::KnownFormat(KnownFormat::Int64)));
        // as a pattern: generated clients distinguish lists of strings and of numbers, but no third kind
        let days = text().pattern(Some(format!("^({})$", Weekday::ALL.map(Weekday::as_str).join("|"))));
        let list = |items: ObjectBuilder, max| {
            ArrayBuilder::new().items(items).min_items(Some(1)).max_items(Some(max)).unique_items(true)
        };
        OneOfBuilder::new()
            .description(Some("A decimal number or a date; ids of records; or weekdays."))
            .item(text().max_length(Some(TEXT_MAX)).examples(["61.3"]))
            .item(list(id, IDS_MAX))
            .item(list(days, Weekday::ALL.len()))
            .into()
    }
}

/// Length of the longest number or date: twelve digits, and fifteen decimal places of a value found in a
/// cart.
const TEXT_MAX: usize = 28;

impl ConditionInput {
    /// Returns the tree if it is valid; violations are added with their paths below `path`.
    pub fn read(&self, path: &str, violations: &mut Violations) -> Option<Condition> {
        let condition = self.read_stored(path, violations)?;
        check_years(&condition, path, violations);
        Some(condition)
    }

    /// Validates a tree that may have been saved before years were limited.
    fn read_stored(&self, path: &str, violations: &mut Violations) -> Option<Condition> {
        if self.has_more_than(&mut { NODES_MAX }) {
            violations.add(path, codes::TOO_MANY.with("max", NODES_MAX));
            return None;
        }
        self.read_node(path, 1, violations)
    }

    fn groups(&self) -> impl Iterator<Item = (&'static str, &Vec<Self>)> {
        let groups = [("all", &self.all), ("any", &self.any), ("not", &self.not)];
        groups.into_iter().filter_map(|(name, parts)| Some((name, parts.as_ref()?)))
    }

    /// True if there are more nodes than `remaining_nodes`.
    pub(super) fn has_more_than(&self, remaining_nodes: &mut usize) -> bool {
        match remaining_nodes.checked_sub(1) {
            Some(one_less) => *remaining_nodes = one_less,
            None => return true,
        }
        self.groups().any(|(_, parts)| parts.iter().any(|part| part.has_more_than(remaining_nodes)))
    }

    fn read_node(&self, path: &str, depth: usize, violations: &mut Violations) -> Option<Condition> {
        if depth > DEPTH_MAX {
            violations.add(path, codes::CONDITION_TOO_DEEP.with("max", DEPTH_MAX));
            return None;
        }
        let compares =
            self.r#type.is_some() || self.op.is_some() || self.value.is_some() || self.unit.is_some();
        let mut groups = self.groups();
        match (groups.next(), groups.next(), compares) {
            (Some((name, parts)), None, false) => {
                let path = format!("{path}.{name}");
                if parts.is_empty() {
                    violations.add(path, codes::TOO_FEW.with("min", 1));
                    return None;
                }
                let read_part = |(index, part): (usize, &Self)| {
                    part.read_node(&format!("{path}.{index}"), depth + 1, violations)
                };
                let nodes: Vec<_> = parts.iter().enumerate().map(read_part).collect();
                let parts = nodes.into_iter().collect::<Option<Vec<_>>>()?;
                Some(match name {
                    "all" => Condition::All(parts),
                    "any" => Condition::Any(parts),
                    _ => Condition::Not(parts),
                })
            }
            (None, _, true) => self.read_test(path, violations).map(Condition::Test),
            _ => {
                violations.add(path, codes::CONDITION_FORM);
                None
            }
        }
    }

    fn read_test(&self, path: &str, violations: &mut Violations) -> Option<Test> {
        let (Some(subject), Some(op), Some(value)) = (self.r#type, self.op, &self.value) else {
            for (missing, field) in
                [(self.r#type.is_none(), "type"), (self.op.is_none(), "op"), (self.value.is_none(), "value")]
            {
                if missing {
                    violations.add(format!("{path}.{field}"), codes::REQUIRED);
                }
            }
            return None;
        };
        if !subject.operators().contains(&op) {
            let operators = subject.operators().iter().map(|operator| operator.as_str());
            violations.add(format!("{path}.op"), codes::UNKNOWN_OPERATOR.list("known", operators));
        }
        let unit = self.read_unit(subject, path, violations);
        let value_path = format!("{path}.value");
        let negated = op == Operator::NotIn;
        let wrong = |violations: &mut Violations| {
            violations.add(&value_path, codes::WRONG_TYPE);
            None
        };
        let expected = match (subject.kind(), value) {
            (Kind::Amount | Kind::Quantity | Kind::Weight, ConditionValue::Number(value)) => {
                if *value < Decimal::ZERO {
                    violations.add(&value_path, codes::TOO_SMALL.with("min", 0));
                }
                ExpectedValue::Number { op: op.comparison()?, value: *value, unit: unit? }
            }
            (Kind::Records, ConditionValue::Ids(ids)) => {
                distinct(ids, IDS_MAX, &value_path, violations);
                ExpectedValue::OneOf { negated, ids: ids.clone() }
            }
            (Kind::Weekday, ConditionValue::Weekdays(names)) => {
                distinct(names, Weekday::ALL.len(), &value_path, violations);
                let days: Vec<Option<Weekday>> = names.iter().map(|name| name.parse().ok()).collect();
                for (index, _) in days.iter().enumerate().filter(|(_, day)| day.is_none()) {
                    let refused =
                        codes::INVALID_PARAMETER.list("expected", Weekday::ALL.map(Weekday::as_str));
                    violations.add(format!("{value_path}.{index}"), refused);
                }
                ExpectedValue::Weekday { negated, days: days.into_iter().collect::<Option<_>>()? }
            }
            (Kind::Date, ConditionValue::Text(text)) => {
                let Some(value) = date(text) else {
                    violations.add(value_path, codes::INVALID_PARAMETER.with("expected", "YYYY-MM-DD"));
                    return None;
                };
                ExpectedValue::Date { op: op.comparison()?, value }
            }
            // an empty list is deserialised as a list of ids
            (Kind::Weekday, ConditionValue::Ids(ids)) if ids.is_empty() => {
                violations.add(value_path, codes::TOO_FEW.with("min", 1));
                return None;
            }
            _ => return wrong(violations),
        };
        Some(Test { subject, expected }).filter(|_| subject.operators().contains(&op))
    }

    /// Returns the unit; the outer `None` means that it is invalid.
    #[expect(clippy::option_option, reason = "refused, none, or one")]
    fn read_unit(
        &self,
        subject: ConditionType,
        path: &str,
        violations: &mut Violations,
    ) -> Option<Option<Unit>> {
        let path = format!("{path}.unit");
        match (subject.kind(), self.unit) {
            (Kind::Weight, Some(unit)) if unit.category() != UnitCategory::Mass => {
                let refused = codes::WRONG_UNIT_CATEGORY.with("unit", unit.as_str());
                violations.add(path, refused.units("known", UnitCategory::Mass.units()));
                None
            }
            (Kind::Weight, unit) => Some(Some(unit.unwrap_or(Unit::Kilogram))),
            (Kind::Quantity, None) => {
                violations.add(path, codes::REQUIRED);
                None
            }
            (Kind::Quantity, unit) => Some(unit),
            (_, Some(_)) => {
                violations.add(path, codes::UNIT_NOT_ALLOWED);
                None
            }
            (_, None) => Some(None),
        }
    }
}

/// Parses a date in the form `2026-12-31`, and no other.
pub(super) fn date(text: &str) -> Option<NaiveDate> {
    NaiveDate::parse_from_str(text, "%Y-%m-%d")
        .ok()
        .filter(|date| date.format("%Y-%m-%d").to_string() == text)
}

/// Adds a violation for each date outside the years with a known calendar.
fn check_years(condition: &Condition, path: &str, violations: &mut Violations) {
    for (path, test) in condition.tests(path) {
        if let ExpectedValue::Date { value, .. } = test.expected
            && !YEARS.contains(&value.year())
        {
            violations.add(format!("{path}.value"), unknown_year());
        }
    }
}

/// Adds violations unless there is at least one value, and each occurs once.
fn distinct<T: Ord>(values: &[T], max: usize, path: &str, violations: &mut Violations) {
    if values.is_empty() {
        violations.add(path, codes::TOO_FEW.with("min", 1));
    } else if values.len() > max {
        violations.add(path, codes::TOO_MANY.with("max", max));
    } else {
        let mut seen = BTreeSet::new();
        for (index, value) in values.iter().enumerate() {
            if !seen.insert(value) {
                violations.add(format!("{path}.{index}"), codes::DUPLICATE);
            }
        }
    }
}

/// Conversion of a saved tree.
impl TryFrom<ConditionInput> for Condition {
    type Error = String;

    fn try_from(input: ConditionInput) -> Result<Self, String> {
        let mut violations = Violations::new();
        match input.read_stored("conditions", &mut violations) {
            Some(condition) if violations.is_empty() => Ok(condition),
            _ => Err(values::Error::Invalid(violations).to_string()),
        }
    }
}

impl From<Condition> for ConditionInput {
    fn from(condition: Condition) -> Self {
        let parts = |parts: Vec<Condition>| Some(parts.into_iter().map(Self::from).collect());
        match condition {
            Condition::All(all) => Self { all: parts(all), ..Self::default() },
            Condition::Any(any) => Self { any: parts(any), ..Self::default() },
            Condition::Not(not) => Self { not: parts(not), ..Self::default() },
            Condition::Test(Test { subject, expected }) => {
                let member = |negated: bool| if negated { Operator::NotIn } else { Operator::In };
                let (op, value, unit) = match expected {
                    ExpectedValue::Number { op, value, unit } => {
                        (op.operator(), ConditionValue::Number(value), unit)
                    }
                    ExpectedValue::OneOf { negated, ids } => {
                        (member(negated), ConditionValue::Ids(ids), None)
                    }
                    ExpectedValue::Weekday { negated, days } => {
                        let names = days.into_iter().map(|day| day.as_str().to_owned()).collect();
                        (member(negated), ConditionValue::Weekdays(names), None)
                    }
                    ExpectedValue::Date { op, value } => {
                        (op.operator(), ConditionValue::Text(value.to_string()), None)
                    }
                };
                Self { r#type: Some(subject), op: Some(op), value: Some(value), unit, ..Self::default() }
            }
        }
    }
}
