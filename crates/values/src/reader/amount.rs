//! Prices and quantities with the text around their number: `92,50 €/100 kg`, `EUR 1.234,50`, `12,1 m`.

use super::number::{Digits, NumberReading, SHOWN, Style, is_scientific, read_number};
use crate::{
    codes,
    decimal::Decimal,
    fold::fold,
    message::{Message, shortened},
    unit::{Unit, UnitCategory},
    visible::visible,
};

/// Parsed price, with its quantity and unit if the text contains them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PriceReading {
    pub amount: NumberReading,
    /// Price quantity: `100` of `92,50 €/100 kg`.
    pub price_quantity: Option<NumberReading>,
    /// Unit of the price quantity; without a quantity the price is for one of it.
    pub unit: Option<Unit>,
}

/// Parsed quantity, with its unit if the text contains one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct QuantityReading {
    pub amount: NumberReading,
    pub unit: Option<Unit>,
}

/// Parsed quantity and unit of a price: `100 kg`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BasisReading {
    pub quantity: Option<NumberReading>,
    pub unit: Option<Unit>,
}

/// Signs of the euro.
const CURRENCY: [&str; 3] = ["€", "euro", "eur"];

/// Words between an amount and its quantity, besides a slash.
const PER: [&str; 3] = ["je", "pro", "per"];

/// Decimal places of a round amount: `840,-`.
const ROUND: [&str; 3] = [",--", ",-", ",–"];

/// Parses a price: an amount with or without the currency, and its quantity and unit.
///
/// # Errors
/// Those of [`read_number`], and [`codes::UNKNOWN_UNIT`].
pub fn read_price(text: &str, style: Style) -> Result<PriceReading, Message> {
    let text = visible(text);
    let (amount, basis) = split_basis(text.trim());
    let (amount, is_round) = bare_amount(amount);
    // the comma before the dash is the decimal sign, in any style of file
    let amount = match is_round {
        true if amount.contains(',') => {
            return Err(codes::NOT_A_NUMBER.with("value", shortened(&text, SHOWN)));
        }
        true => NumberReading { is_doubtful: false, ..read_number(amount, Style::Comma)? },
        false => read_number(amount, style)?,
    };
    let Some(basis) = basis else { return Ok(PriceReading { amount, price_quantity: None, unit: None }) };
    match read_basis(basis, style)? {
        BasisReading { unit: None, .. } => Err(unknown_unit("")),
        BasisReading { quantity, unit } => Ok(PriceReading { amount, price_quantity: quantity, unit }),
    }
}

/// Parses the quantity of a price from a cell of its own: a quantity, a unit or both, such as `100`, `kg`,
/// `100kg` and `DTN`.
///
/// # Errors
/// Those of [`read_number`], and [`codes::UNKNOWN_UNIT`].
pub fn read_basis(text: &str, style: Style) -> Result<BasisReading, Message> {
    let text = visible(text);
    let (number, unit) = split_unit(text.trim());
    let quantity = if number.is_empty() { None } else { Some(read_number(number, style)?) };
    if unit.is_empty() {
        return match quantity {
            Some(_) => Ok(BasisReading { quantity, unit: None }),
            None => Err(unknown_unit("")),
        };
    }
    let (times, unit) = Unit::parse_multiple(unit).ok_or_else(|| unknown_unit(unit))?;
    let quantity = match quantity {
        None if times == 1 => None,
        None => Some(NumberReading { value: Decimal::from(times), is_doubtful: false }),
        Some(quantity) => Some(scaled(quantity, times)?),
    };
    Ok(BasisReading { quantity, unit: Some(unit) })
}

/// Statement in a price cell that there is no price.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoPrice {
    /// Dash: the cell counts as empty.
    Dash,
    /// Price on request (`auf Anfrage`).
    OnRequest,
}

/// Spellings of a price on request, folded and without dots and spaces.
const ON_REQUEST: [&str; 13] = [
    "aufanfrage",
    "aufanfr",
    "anfrage",
    "aa",
    "preisaufanfrage",
    "preisaa",
    "tagespreis",
    "zumtagespreis",
    "onrequest",
    "uponrequest",
    "priceonrequest",
    "poa",
    "por",
];

/// Parses a statement that there is no price; `None` for any other text.
pub fn read_no_price(text: &str) -> Option<NoPrice> {
    let text = visible(text);
    let text = text.trim();
    if !text.is_empty() && text.chars().all(|c| matches!(c, '-' | '–' | '—' | '−')) {
        return Some(NoPrice::Dash);
    }
    let bare: String = fold(text).chars().filter(|c| c.is_alphanumeric()).collect();
    ON_REQUEST.contains(&&*bare).then_some(NoPrice::OnRequest)
}

/// Parses a quantity with or without a unit, which must belong to `category` if that is given.
///
/// # Errors
/// Those of [`read_number`], [`codes::UNKNOWN_UNIT`] and [`codes::WRONG_UNIT_CATEGORY`].
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
    let (times, unit) = match (Unit::parse_multiple(unit), category) {
        (Some((times, unit)), None) => (times, unit),
        (Some((times, unit)), Some(category)) if unit.category() == category => (times, unit),
        (_, Some(category)) => (1, Unit::parse_in(unit, category)?),
        (None, None) => return Err(unknown_unit(unit)),
    };
    Ok(QuantityReading { amount: scaled(amount, times)?, unit: Some(unit) })
}

/// Number style that follows from a single number, price or quantity; `None` if it is ambiguous.
pub fn decimal_sign(text: &str) -> Option<Style> {
    let text = visible(text);
    let (amount, _) = split_basis(text.trim());
    let (amount, is_round) = bare_amount(amount);
    let (number, _) = split_unit(amount);
    let digits = Digits::read(number).ok()?;
    if is_round { Some(Style::Comma) } else { digits.style() }
}

fn unknown_unit(text: &str) -> Message {
    codes::UNKNOWN_UNIT.with("unit", shortened(text, SHOWN)).units("known", Unit::ALL.iter().copied())
}

fn scaled(number: NumberReading, times: i32) -> Result<NumberReading, Message> {
    let value = number.value.scaled(times.into(), 1).filter(|value| value.fits(12, 6));
    let value = value.ok_or_else(|| codes::INVALID_DECIMAL.with("before", 12).with("after", 6))?;
    Ok(NumberReading { value, ..number })
}

/// Splits `92,50 €/100 kg` into `92,50 €` and `100 kg`.
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

/// Removes the currency and the dash of a round amount; true if there was a dash.
fn bare_amount(text: &str) -> (&str, bool) {
    let bare = CURRENCY.iter().find_map(|sign| {
        let behind = text.len().checked_sub(sign.len()).and_then(|at| text.split_at_checked(at));
        let before = text.split_at_checked(sign.len());
        match (behind, before) {
            (Some((amount, suffix)), _) if suffix.eq_ignore_ascii_case(sign) => Some(amount.trim_end()),
            (_, Some((prefix, amount))) if prefix.eq_ignore_ascii_case(sign) => Some(amount.trim_start()),
            _ => None,
        }
    });
    let bare = bare.unwrap_or(text);
    let round = ROUND.iter().find_map(|round| bare.strip_suffix(round));
    (round.unwrap_or(bare), round.is_some())
}

/// Splits `12,1 m` into `12,1` and `m`. The unit starts at the first letter; either side may be empty.
fn split_unit(text: &str) -> (&str, &str) {
    let at = text.find(char::is_alphabetic).unwrap_or(text.len());
    let (number, unit) = text.split_at(at);
    (number.trim_end(), unit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_around_a_number_does_not_hide_its_decimal_sign() {
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
