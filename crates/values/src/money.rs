//! Prices: an amount in euros for a quantity of a unit, stored as agreed and never converted to a price for
//! one unit.

use sea_orm::FromJsonQueryResult;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{
    code::{Code, Language},
    codes,
    decimal::Decimal,
    error::Violations,
    input,
    message::Message,
    rule,
    unit::{Unit, UnitCategory},
};

/// Price: `850.00` for `1` `t`, `92.50` for `100` `kg`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, FromJsonQueryResult, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Money {
    /// Amount in EUR for the price quantity; not negative, at most eight digits before and four after the
    /// point.
    pub price: Decimal,
    /// Quantity that the price is for, in the unit; above zero.
    #[serde(default = "one")]
    #[schema(default = "1")]
    pub price_quantity: Decimal,
    pub unit: Unit,
}

const fn one() -> Decimal {
    Decimal::ONE
}

impl Money {
    /// Price in words: `92,50 € je 100 kg`, `850.00 € per t`.
    pub fn text(&self, language: Language) -> String {
        let places = if self.price.fits(12, 2) { 2 } else { 4 };
        let amount = self.price.fixed(places);
        let unit = self.unit.symbol(language);
        let quantity = match self.price_quantity {
            Decimal::ONE => String::new(),
            quantity => format!("{quantity} "),
        };
        match language {
            Language::De => {
                format!("{} € je {}{unit}", grouped(&amount, '.', ','), quantity.replace('.', ","))
            }
            Language::En => format!("{} € per {quantity}{unit}", grouped(&amount, ',', '.')),
        }
    }

    /// Adds the violations of a price whose unit must belong to one of these categories.
    pub fn check(&self, violations: &mut Violations, path: &str, categories: &[UnitCategory]) {
        rule::not_negative(violations, &format!("{path}.price"), Some(self.price), 8, 4);
        if let Err(error) = rule::positive::<9, 6>(&self.price_quantity) {
            violations.add(format!("{path}.price_quantity"), input::message(&error));
        }
        if !categories.contains(&self.unit.category()) {
            let possible_units = categories.iter().flat_map(|category| category.units());
            let refused =
                codes::WRONG_UNIT_CATEGORY.with("unit", self.unit.as_str()).units("known", possible_units);
            violations.add(format!("{path}.unit"), refused);
        }
    }
}

/// Formats `8390.00` as `8.390,00`.
fn grouped(amount: &str, group: char, point: char) -> String {
    let (whole, behind) = amount.split_once('.').unwrap_or((amount, ""));
    let mut text = String::new();
    for (index, digit) in whole.chars().enumerate() {
        if index > 0 && (whole.len() - index) % 3 == 0 {
            text.push(group);
        }
        text.push(digit);
    }
    if behind.is_empty() { text } else { format!("{text}{point}{behind}") }
}

impl Code {
    /// Message of this code with a price for a `{name}` of its text.
    pub fn price(self, name: &str, price: &Money) -> Message {
        Message::from(self).price(name, price)
    }
}

impl Message {
    /// Adds a price in the notation of each language: `92,50 € je 100 kg`.
    #[must_use]
    pub fn price(self, name: &str, price: &Money) -> Self {
        self.in_both(name, price.text(Language::De), price.text(Language::En))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn codes(money: Value) -> Vec<(String, Code)> {
        let money: Money = serde_json::from_value(money).unwrap();
        let mut violations = Violations::new();
        money.check(&mut violations, "external_price", &[UnitCategory::Mass, UnitCategory::Pieces]);
        violations.iter().map(|violation| (violation.path.clone(), violation.message.code)).collect()
    }

    #[test]
    fn a_price_is_an_amount_for_a_quantity_of_a_fitting_unit() {
        for good in [
            json!({ "price": "0", "unit": "t" }),
            json!({ "price": "99999999.9999", "price_quantity": "100", "unit": "kg" }),
            json!({ "price": "850", "price_quantity": "0.000001", "unit": "piece" }),
        ] {
            assert_eq!(codes(good.clone()), [], "{good}");
        }
        for (bad, field, code) in [
            (json!({ "price": "-0.0001", "unit": "t" }), "price", codes::TOO_SMALL),
            (json!({ "price": "100000000", "unit": "t" }), "price", codes::INVALID_DECIMAL),
            (json!({ "price": "0.00001", "unit": "t" }), "price", codes::INVALID_DECIMAL),
            (
                json!({ "price": "1", "price_quantity": "0", "unit": "t" }),
                "price_quantity",
                codes::NOT_GREATER,
            ),
            (
                json!({ "price": "1", "price_quantity": "-1", "unit": "t" }),
                "price_quantity",
                codes::NOT_GREATER,
            ),
            (json!({ "price": "1", "unit": "m" }), "unit", codes::WRONG_UNIT_CATEGORY),
        ] {
            assert_eq!(codes(bad.clone()), [(format!("external_price.{field}"), code)], "{bad}");
        }
    }

    #[test]
    fn prices_are_formatted_in_the_readers_language() {
        for (money, de, en) in [
            (json!({ "price": "8390", "unit": "t" }), "8.390,00 € je t", "8,390.00 € per t"),
            (
                json!({ "price": "92.5", "price_quantity": "100", "unit": "kg" }),
                "92,50 € je 100 kg",
                "92.50 € per 100 kg",
            ),
            (json!({ "price": "0.1234", "unit": "m" }), "0,1234 € je m", "0.1234 € per m"),
            (json!({ "price": "1234567", "unit": "t" }), "1.234.567,00 € je t", "1,234,567.00 € per t"),
        ] {
            let money: Money = serde_json::from_value(money).unwrap();
            assert_eq!([money.text(Language::De), money.text(Language::En)], [de, en]);
        }
    }

    #[test]
    fn a_price_without_a_quantity_is_for_one_unit() {
        let money: Money = serde_json::from_value(json!({ "price": "850", "unit": "t" })).unwrap();
        let expected = json!({ "price": "850", "price_quantity": "1", "unit": "t" });
        assert_eq!(serde_json::to_value(money).unwrap(), expected);
    }
}
