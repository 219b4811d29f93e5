//! Conditions of price adjustments as text, like in the list of adjustments.

use serde_json::Value as Json;
use values::{Language, Unit};

use super::texts::{HistoryTexts, group_of};

/// Conditions on amounts in EUR.
const AMOUNTS: [&str; 2] = ["cart_base_price", "adjusted_cart_total"];

impl HistoryTexts {
    /// Prints a tree as a sentence; with `inner`, in brackets if it has several parts.
    pub(super) fn condition(&self, condition: &Json, inner: bool) -> String {
        let Some((group, parts)) = group_of(condition) else { return self.comparison(condition) };
        let several = parts.len() > 1;
        let within = several || group == "not";
        let joint = self.conditions.text(&["summary", if group == "all" { "and" } else { "or" }]);
        let text = parts.iter().map(|part| self.condition(part, within)).collect::<Vec<_>>().join(joint);
        match group {
            "not" => format!("{} ({text})", self.conditions.text(&["summary", "not"])),
            _ if inner && several => format!("({text})"),
            _ => text,
        }
    }

    fn comparison(&self, condition: &Json) -> String {
        let text = |field: &str| condition[field].as_str().unwrap_or_default();
        let (subject, op) = (text("type"), text("op"));
        let one = condition["value"].as_array().is_none_or(|values| values.len() == 1);
        let how = match op {
            "in" => self.conditions.text(&["summary", if one { "in_one" } else { "in_other" }]),
            "not_in" => self.conditions.text(&["summary", if one { "notIn_one" } else { "notIn_other" }]),
            op if subject == "date" => self.conditions.text(&["dateOp", op]),
            op => self.conditions.text(&["op", op]),
        };
        let subject_name = self.why_price.text(&["conditions", "type", subject]);
        format!("{subject_name} {how} {}", self.compared(subject, condition))
    }

    fn compared(&self, subject: &str, condition: &Json) -> String {
        let Some(value) = condition["value"].as_str() else {
            return self.value("price_adjustment", subject, &condition["value"]);
        };
        if subject == "date" {
            let parts: Vec<_> = value.split('-').rev().collect();
            return parts.join(if self.language == Language::De { "." } else { "-" });
        }
        let amount = if self.language == Language::De { value.replace('.', ",") } else { value.to_owned() };
        if AMOUNTS.contains(&subject) {
            return format!("{amount} €");
        }
        let unit: Option<Unit> = serde_json::from_value(condition["unit"].clone()).ok();
        format!("{amount} {}", unit.unwrap_or(Unit::Kilogram).symbol(self.language))
    }
}
