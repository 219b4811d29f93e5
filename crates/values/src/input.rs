//! Validation of input. A rule of a field is declared at the field, as `#[validate(...)]`, and mapped to its
//! code here. Rules between fields, and those that need rows, belong to the domain, which adds them to the
//! broken rules of the fields so that all are reported together.

use std::ops::Deref;

use serde::{Deserialize, Deserializer, de::DeserializeOwned};
use serde_json::Value;
use utoipa::{
    PartialSchema, ToSchema,
    openapi::{RefOr, Schema},
};
use validator::{Validate, ValidationError, ValidationErrors, ValidationErrorsKind};

use crate::{
    code::Code,
    codes,
    error::{Result, Violations},
    message::Message,
};

/// Input of a client: its fields declare their rules, and its texts are trimmed before they are validated.
pub trait Input: Validate {
    /// Trims the texts. See [`crate::tidy!`].
    fn tidy(&mut self);
}

/// Input whose fields have been validated, with the rules that they break. Commands accept nothing else, so
/// that neither a request nor an import, the demo or a command line bypasses the rules.
#[derive(Debug, Clone)]
#[must_use = "its faults have to be reported"]
pub struct Validated<T> {
    input: T,
    broken: Violations,
}

impl<T> Validated<T> {
    /// Returns the input if no field breaks a rule.
    pub fn valid(self) -> Result<T> {
        self.broken.check()?;
        Ok(self.input)
    }

    /// Replaces the broken rules by those of the input from which this one was made.
    pub fn broken_as(mut self, broken: Violations) -> Self {
        self.broken = broken;
        self
    }

    /// Broken rules of the fields.
    pub fn broken(&self) -> &Violations {
        &self.broken
    }

    /// Splits into the input and the broken rules of its fields, to which the caller adds the rules between
    /// fields.
    pub fn parts(self) -> (T, Violations) {
        (self.input, self.broken)
    }
}

/// Access to fields that have no rules, such as a version or an id.
impl<T> Deref for Validated<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.input
    }
}

impl<T: Input> From<T> for Validated<T> {
    fn from(mut input: T) -> Self {
        input.tidy();
        let mut broken = Violations::new();
        if let Err(errors) = input.validate() {
            translate(&mut broken, "", &errors);
        }
        Self { input, broken }
    }
}

/// Validates a body while it is read, before any handler runs.
impl<'de, T: Input + DeserializeOwned> Deserialize<'de> for Validated<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        T::deserialize(deserializer).map(Self::from)
    }
}

impl<T: ToSchema> ToSchema for Validated<T> {
    fn name() -> std::borrow::Cow<'static, str> {
        T::name()
    }

    fn schemas(schemas: &mut Vec<(String, RefOr<Schema>)>) {
        T::schemas(schemas);
    }
}

impl<T: ToSchema> PartialSchema for Validated<T> {
    fn schema() -> RefOr<Schema> {
        T::schema()
    }
}

/// Validation error with a code. The values that the code's text names are its parameters.
pub fn broken(code: Code) -> ValidationError {
    ValidationError::new(code.as_str())
}

/// Broken rules of a value that is read on its own, with paths below `path`.
pub fn violations_below(path: &str, value: &impl Validate) -> Violations {
    let mut broken = Violations::new();
    if let Err(errors) = value.validate() {
        translate(&mut broken, &format!("{path}."), &errors);
    }
    broken
}

/// Adds the broken rules of fields, with paths in wire names: `clusters.2.minimum`.
fn translate(violations: &mut Violations, prefix: &str, errors: &ValidationErrors) {
    let mut fields: Vec<_> = errors.errors().iter().collect();
    fields.sort_unstable_by_key(|(field, _)| *field);
    for (field, kind) in fields {
        let path = format!("{prefix}{}", field.strip_prefix("r#").unwrap_or(field));
        match kind {
            ValidationErrorsKind::Field(errors) => {
                for error in errors {
                    violations.add(&path, message(error));
                }
            }
            ValidationErrorsKind::Struct(errors) => translate(violations, &format!("{path}."), errors),
            ValidationErrorsKind::List(list) => {
                for (index, errors) in list {
                    translate(violations, &format!("{path}.{index}."), errors);
                }
            }
        }
    }
}

/// Translates an error of a validation rule into a message with the rule's limits.
pub fn message(error: &ValidationError) -> Message {
    let param = |name: &str| error.params.get(name);
    match error.code.as_ref() {
        "length" => length(param("value"), param("min"), param("max")),
        "range" => range(param("value"), param("min"), param("max")),
        code => {
            let code = Code::find(code).expect("a rule is named after the code that it breaks");
            let mut params: Vec<_> = error.params.iter().filter(|(name, _)| *name != "value").collect();
            params.sort_unstable_by_key(|(name, _)| *name);
            params
                .into_iter()
                .fold(code.into(), |message: Message, (name, value)| message.with(name, plain_text(value)))
        }
    }
}

/// Message for a wrong length: entries of a list or characters of a text; an empty text is a missing field.
fn length(value: Option<&Value>, min: Option<&Value>, max: Option<&Value>) -> Message {
    let number = |bound: Option<&Value>| bound.and_then(Value::as_u64);
    let (actual_length, too_few, too_many) = match value {
        Some(Value::Array(entries)) => (entries.len(), codes::TOO_FEW, codes::TOO_MANY),
        Some(Value::String(text)) if text.is_empty() => return codes::REQUIRED.into(),
        Some(Value::String(text)) => (text.chars().count(), codes::TOO_SHORT, codes::TOO_LONG),
        _ => (0, codes::TOO_FEW, codes::TOO_MANY),
    };
    match number(max) {
        Some(max) if actual_length as u64 > max => too_many.with("max", max),
        _ => too_few.with("min", number(min).unwrap_or_default()),
    }
}

fn range(value: Option<&Value>, min: Option<&Value>, max: Option<&Value>) -> Message {
    let bound = |bound: Option<&Value>| bound.map_or_else(String::new, plain_text);
    match (value.and_then(Value::as_i64), min.and_then(Value::as_i64)) {
        (Some(value), Some(min)) if value < min => codes::TOO_SMALL.with("min", min),
        _ => codes::TOO_BIG.with("max", bound(max)),
    }
}

fn plain_text(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// Text, or optional text.
pub trait Text {
    /// Removes white space at both ends.
    fn trim_in_place(&mut self);
}

impl Text for String {
    fn trim_in_place(&mut self) {
        let trimmed = self.trim();
        if trimmed.len() < self.len() {
            *self = trimmed.to_owned();
        }
    }
}

impl Text for Option<String> {
    fn trim_in_place(&mut self) {
        if let Some(text) = self {
            text.trim_in_place();
        }
    }
}

/// Removes white space at both ends; an empty text becomes `None`.
pub fn trim_or_none(text: &mut Option<String>) {
    text.trim_in_place();
    if text.as_ref().is_some_and(String::is_empty) {
        *text = None;
    }
}

/// Implements `Input` by declaring the form in which texts are stored, as in `tidy!(TradeDimensionInput: trim
/// name; or_none description; parts clusters;)`: trimmed, trimmed or `None` if empty, or as the texts of its
/// parts.
#[macro_export]
macro_rules! tidy {
    (
        $input:ty: $(trim $($text:ident),+;)? $(or_none $($optional:ident),+;)? $(parts $($part:ident),+;)?
    ) => {
        impl $crate::input::Input for $input {
            fn tidy(&mut self) {
                $($($crate::input::Text::trim_in_place(&mut self.$text);)+)?
                $($($crate::input::trim_or_none(&mut self.$optional);)+)?
                $($(self.$part.iter_mut().for_each($crate::input::Input::tidy);)+)?
            }
        }
    };
}

#[cfg(test)]
mod tests {
    use serde::Serialize;

    use super::*;
    use crate::{
        code::Language,
        decimal::Decimal,
        rule::{SHORT_CODE, positive, printable},
    };

    #[derive(Debug, Clone, Deserialize, Serialize, Validate)]
    struct RangeInput {
        #[validate(length(min = 1, max = 3), regex(path = *SHORT_CODE, code = "invalid_short_code"))]
        r#type: String,
        #[validate(required, custom(function = positive::<3, 2>))]
        length: Option<Decimal>,
    }

    #[derive(Debug, Clone, Deserialize, Validate)]
    struct LadderInput {
        #[validate(length(min = 1, max = 3), custom(function = printable))]
        name: String,
        #[validate(length(max = 3))]
        note: Option<String>,
        #[validate(range(min = 1, max = 5))]
        size: i64,
        #[validate(length(max = 2), nested)]
        ranges: Vec<RangeInput>,
    }

    tidy!(LadderInput: trim name; or_none note; parts ranges;);
    tidy!(RangeInput: trim r#type;);

    fn broken_by(input: &str) -> Vec<(String, &'static str)> {
        let input: Validated<LadderInput> = serde_json::from_str(input).unwrap();
        input
            .broken()
            .iter()
            .map(|violation| (violation.path.clone(), violation.message.code.as_str()))
            .collect()
    }

    #[test]
    fn violations_have_a_code_and_a_path_in_wire_names() {
        let broken = broken_by(
            r#"{ "name": "a\nbc", "note": " 1234 ", "size": 0, "ranges": [
                { "type": " a ", "length": "1" }, { "type": "ä", "length": null }, { "type": "", "length": "0" } ] }"#,
        );
        let expected = [
            ("name", "too_long"),
            ("name", "not_printable"),
            ("note", "too_long"),
            ("ranges", "too_many"),
            ("size", "too_small"),
        ];
        assert_eq!(broken, expected.map(|(path, code)| (path.to_owned(), code)));
        let broken = broken_by(
            r#"{ "name": " ", "note": " ", "size": 6, "ranges": [
                { "type": "ä", "length": null }, { "type": "", "length": "0.001" } ] }"#,
        );
        let expected = [
            ("name", "required"),
            ("ranges.0.length", "required"),
            ("ranges.0.type", "invalid_short_code"),
            ("ranges.1.length", "invalid_decimal"),
            ("ranges.1.type", "required"),
            ("size", "too_big"),
        ];
        assert_eq!(broken, expected.map(|(path, code)| (path.to_owned(), code)));
    }

    #[test]
    fn rules_check_normalised_texts_and_report_all_violations_together() {
        let text =
            r#"{ "name": " abc ", "note": "  ", "size": 1, "ranges": [{ "type": " a\t", "length": "1" }] }"#;
        let input: Validated<LadderInput> = serde_json::from_str(text).unwrap();
        let LadderInput { name, note, ranges, .. } = input.valid().unwrap();
        assert_eq!((&*name, note, &*ranges[0].r#type), ("abc", None, "a"));

        let bad = LadderInput { name: "long".into(), note: None, size: 1, ranges: vec![] };
        let (_, mut violations) = Validated::from(bad).parts();
        violations.add("ranges", codes::TOO_FEW.with("min", 1));
        assert_eq!(violations.len(), 2);
        let texts: Vec<_> = violations.iter().map(|violation| violation.message.text(Language::De)).collect();
        assert_eq!(texts, ["Höchstens 3 Zeichen", "Zu wenige Einträge: mindestens 1"]);
    }
}
