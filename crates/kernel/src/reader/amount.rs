//! Prices and quantities with what stands beside their number: `92,50 €/100 kg`, `EUR 1.234,50`, `12,1 m`.

use super::number::{Digits, NumberReading, SHOWN, Style, is_scientific, read_number};
use crate::{
    code::{Code, Message, shortened},
    unit::{Unit, UnitCategory},
    visible::visible,
};

/// A price that was read, and what it is for as far as the text says so.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PriceReading {
    pub amount: NumberReading,
    /// `100` of `92,50 €/100 kg`.
    pub price_quantity: Option<NumberReading>,
    /// With it a price without a quantity is for one.
    pub unit: Option<Unit>,
}

/// A quantity that was read, and its unit as far as the text says it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct QuantityReading {
    pub amount: NumberReading,
    pub unit: Option<Unit>,
}

/// The signs of the installation's currency.
const CURRENCY: [&str; 3] = ["€", "euro", "eur"];

/// The words between an amount and what it is for; so does a slash.
const PER: [&str; 3] = ["je", "pro", "per"];

/// The places behind the comma of a round amount: `840,-`.
const ROUND: [&str; 3] = [",--", ",-", ",–"];

/// The price that a text is: an amount, with the currency or without it, and what it is for.
///
/// # Errors
/// Those of [`read_number`], and [`Code::UnknownUnit`].
pub fn read_price(text: &str, style: Style) -> Result<PriceReading, Message> {
    let text = visible(text);
    let (amount, basis) = split_basis(text.trim());
    let amount = read_number(bare_amount(amount), style)?;
    let Some(basis) = basis else { return Ok(PriceReading { amount, price_quantity: None, unit: None }) };
    let (quantity, unit) = split_unit(basis);
    let price_quantity = if quantity.is_empty() { None } else { Some(read_number(quantity, style)?) };
    Ok(PriceReading { amount, price_quantity, unit: Some(unit_named(unit)?) })
}

/// The quantity that a text is, with its unit or without it; the unit is one of `category`, where that is given.
///
/// # Errors
/// Those of [`read_number`], [`Code::UnknownUnit`] and [`Code::WrongUnitCategory`].
pub fn read_quantity(
    text: &str,
    style: Style,
    category: Option<UnitCategory>,
) -> Result<QuantityReading, Message> {
    let text = visible(text);
    let text = text.trim();
    let (number, unit) = split_unit(text);
    if unit.is_empty() || number.is_empty() || is_scientific(text) {
        return Ok(QuantityReading { amount: read_number(text, style)?, unit: None });
    }
    let amount = read_number(number, style)?;
    let unit = category.map_or_else(|| unit_named(unit), |category| Unit::parse_in(unit, category))?;
    Ok(QuantityReading { amount, unit: Some(unit) })
}

/// The style that a number, a price or a quantity alone shows, if any.
pub fn decimal_sign(text: &str) -> Option<Style> {
    let text = visible(text);
    let (amount, _) = split_basis(text.trim());
    let (number, _) = split_unit(bare_amount(amount));
    Digits::read(number).ok().and_then(|digits| digits.style())
}

fn unit_named(text: &str) -> Result<Unit, Message> {
    Unit::parse(text).ok_or_else(|| {
        Code::UnknownUnit.with("unit", shortened(text, SHOWN)).units("known", Unit::ALL.iter().copied())
    })
}

/// `92,50 €/100 kg` as `92,50 €` and `100 kg`.
fn split_basis(text: &str) -> (&str, Option<&str>) {
    if let Some((amount, basis)) = text.split_once('/') {
        return (amount.trim_end(), Some(basis.trim_start()));
    }
    for (at, _) in text.char_indices().filter(|(_, c)| c.is_whitespace()) {
        let (amount, rest) = text.split_at(at);
        let rest = rest.trim_start();
        let word = rest.split(char::is_whitespace).next().unwrap_or_default();
        if PER.iter().any(|per| word.eq_ignore_ascii_case(per)) {
            return (amount.trim_end(), Some(rest.get(word.len()..).unwrap_or_default().trim_start()));
        }
    }
    (text, None)
}

/// An amount without its currency, and without the dash of a round one.
fn bare_amount(text: &str) -> &str {
    let bare = CURRENCY.iter().find_map(|sign| {
        let behind = text.len().checked_sub(sign.len()).and_then(|at| text.split_at_checked(at));
        let before = text.split_at_checked(sign.len());
        match (behind, before) {
            (Some((amount, found)), _) if found.eq_ignore_ascii_case(sign) => Some(amount.trim_end()),
            (_, Some((found, amount))) if found.eq_ignore_ascii_case(sign) => Some(amount.trim_start()),
            _ => None,
        }
    });
    let bare = bare.unwrap_or(text);
    ROUND.iter().find_map(|round| bare.strip_suffix(round)).unwrap_or(bare)
}

/// `12,1 m` as `12,1` and `m`; without a letter no unit, and without anything before it no number.
fn split_unit(text: &str) -> (&str, &str) {
    let at = text.find(char::is_alphabetic).unwrap_or(text.len());
    let (number, unit) = text.split_at(at);
    (number.trim_end(), unit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_stands_beside_a_number_does_not_hide_its_decimal_sign() {
        for (text, expected) in [
            ("12,5", Some(Style::Comma)),
            ("92,50 €/100 kg", Some(Style::Comma)),
            ("EUR 1,234.50", Some(Style::Point)),
            ("12.1 m", Some(Style::Point)),
            ("1.234", None),
            ("1.234 €", None),
            ("0.925 t", Some(Style::Point)),
            ("HEB 200", None),
        ] {
            assert_eq!(decimal_sign(text), expected, "{text}");
        }
    }
}
