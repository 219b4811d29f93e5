//! Comparison operators of filters.

use values::{codes, message::Message};

/// Comparison operator, written after the field's name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Operator {
    /// Contains, for text; equals, for anything else.
    Is,
    /// Exact match of a text.
    Equals,
    /// Beginning of a text.
    StartsWith,
    NotEquals,
    LesserThan,
    LesserEquals,
    GreaterThan,
    GreaterEquals,
    /// Missing value, or with `false` any value.
    Empty,
}

impl Operator {
    /// Operators with the longest suffix first, so that none hides another.
    pub const ALL: [Self; 9] = [
        Self::GreaterEquals,
        Self::LesserEquals,
        Self::GreaterThan,
        Self::StartsWith,
        Self::LesserThan,
        Self::NotEquals,
        Self::Equals,
        Self::Empty,
        Self::Is,
    ];

    /// Suffix of the operator in the name of a query parameter, such as `_equals`.
    pub fn suffix(self) -> &'static str {
        match self {
            Self::Is => "",
            Self::Equals => "_equals",
            Self::StartsWith => "_starts_with",
            Self::NotEquals => "_not_equals",
            Self::LesserThan => "_lesser_than",
            Self::LesserEquals => "_lesser_equals",
            Self::GreaterThan => "_greater_than",
            Self::GreaterEquals => "_greater_equals",
            Self::Empty => "_empty",
        }
    }

    /// Splits `name_not_equals` into name and operator; the first split with a known name wins.
    pub fn split<T>(text: &str, find_field: impl Fn(&str) -> Option<T>) -> Option<(T, Self)> {
        Self::ALL
            .iter()
            .find_map(|operator| Some((find_field(text.strip_suffix(operator.suffix())?)?, *operator)))
    }

    /// Error for an operator that a field does not have, with a list of those that it has: `name,
    /// name_not_equals`.
    pub fn unknown(name: &str, operators: &[Self]) -> Message {
        let names = operators.iter().map(|operator| format!("{name}{}", operator.suffix()));
        codes::UNKNOWN_OPERATOR.list("known", names.collect::<Vec<_>>())
    }
}
