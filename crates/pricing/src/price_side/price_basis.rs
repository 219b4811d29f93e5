//! Price units in the headings of price columns: `EUR/100 kg`, `kg`, `je t`.

use sheets::header::measure::{Word, words};
use values::{Currency, Decimal, Message, Money, Unit, reader::PriceReading};

use crate::codes;

/// Quantity and unit that the heading of a price column names, if any.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct PriceBasis {
    pub quantity: Option<Decimal>,
    pub unit: Option<Unit>,
}

/// Price quantity and unit that a row names, if any.
#[derive(Debug, Clone, Copy)]
pub(super) struct RowBasis {
    pub(super) per: Option<Decimal>,
    pub(super) unit: Option<Unit>,
}

impl RowBasis {
    /// Returns the quantity and unit in a price cell: `92,50 €/100 kg`. A unit without a quantity means one
    /// of it.
    pub(super) fn from_reading(reading: &PriceReading) -> Self {
        let one = reading.unit.map(|_| Decimal::ONE);
        Self { per: reading.price_quantity.map(|quantity| quantity.value).or(one), unit: reading.unit }
    }

    /// Fills missing values from another basis.
    pub(super) fn or(self, other: Self) -> Self {
        Self { per: self.per.or(other.per), unit: self.unit.or(other.unit) }
    }

    /// Returns a price with this quantity and unit.
    pub(super) fn money(self, price: Decimal) -> Money {
        let price_quantity = self.per.unwrap_or(Decimal::ONE);
        Money { price, price_quantity, unit: self.unit.unwrap_or(Unit::Piece) }
    }
}

impl PriceBasis {
    /// Returns the quantity and unit of the row's other columns or of the heading, if the price cell
    /// contradicts them.
    pub(super) fn contradiction(self, row: RowBasis, of_cell: RowBasis) -> Option<RowBasis> {
        let is_other_unit = row.unit.is_some() && self.unit.is_some() && row.unit != self.unit;
        // a row takes precedence over its heading
        let of_heading = if is_other_unit { None } else { self.quantity };
        let said = row.or(RowBasis { per: of_heading, unit: self.unit });
        let differs = |one: Option<Decimal>, other: Option<Decimal>| {
            one.zip(other).is_some_and(|(one, other)| one != other)
        };
        let other_unit = of_cell.unit.zip(said.unit).is_some_and(|(one, other)| one != other);
        let row_basis = RowBasis { per: said.per, unit: said.unit.or(of_cell.unit) };
        (other_unit || differs(of_cell.per, said.per)).then_some(row_basis)
    }

    /// Parses the text after the name of a price column. Rejects any other text, and other currencies.
    pub fn read(measure: &str) -> Result<Self, Message> {
        let refused = || {
            let refused = Message::from(codes::NOT_A_PRICE_BASIS).with("text", measure);
            refused.units("known", Unit::ALL.iter().copied())
        };
        let (mut basis, mut is_per, mut has_currency) = (Self::default(), false, false);
        for word in words(measure) {
            match word {
                Word::Currency(Currency::Foreign) => {
                    return Err(codes::FOREIGN_CURRENCY.with("text", measure));
                }
                Word::Currency(Currency::Euro) if !has_currency => has_currency = true,
                Word::Number(number)
                    if basis == Self::default() && number > Decimal::ZERO && (is_per || !has_currency) =>
                {
                    basis.quantity = Some(number);
                }
                Word::Unit(unit) if basis.unit.is_none() => basis.unit = Some(unit),
                Word::Per if !is_per && basis == Self::default() => is_per = true,
                Word::In => {}
                _ => return Err(refused()),
            }
        }
        match basis {
            // "[100]" is ambiguous
            Self { quantity: Some(_), unit: None } if !is_per => Err(refused()),
            Self { quantity: None, unit: None } if is_per || !has_currency => Err(refused()),
            // "EUR/t" is for one tonne, while "t" leaves the quantity open
            Self { quantity: None, unit: Some(_) } if is_per => {
                Ok(Self { quantity: Some(Decimal::ONE), ..basis })
            }
            basis => Ok(basis),
        }
    }

    /// Combines two headings of one price; `None` if their units differ.
    pub(super) fn and(self, other: Self) -> Option<Self> {
        let agree = self.unit.is_none() || other.unit.is_none() || self.unit == other.unit;
        agree.then(|| Self { quantity: self.quantity.or(other.quantity), unit: self.unit.or(other.unit) })
    }

    /// Returns the price of a row. The quantity and unit of the row take precedence over the heading, and the
    /// heading over the existing price.
    pub(super) fn money(self, price: Decimal, row: RowBasis, existing: Option<Money>, usual: Unit) -> Money {
        let is_other_unit = row.unit.is_some() && self.unit.is_some() && row.unit != self.unit;
        let price_quantity = match (row.per, self.quantity) {
            (Some(per), _) => per,
            (_, Some(quantity)) if !is_other_unit => quantity,
            // a unit without a quantity means one of it
            _ if row.unit.is_some() || self.unit.is_some() => Decimal::ONE,
            _ => existing.map_or(Decimal::ONE, |money| money.price_quantity),
        };
        let unit = row.unit.or(self.unit).unwrap_or_else(|| existing.map_or(usual, |money| money.unit));
        Money { price, price_quantity, unit }
    }

    /// Returns a note with the price that is used, if a row contradicts its heading.
    pub(super) fn note(self, row: RowBasis, money: &Money) -> Option<Message> {
        let is_other_unit = row.unit.is_some() && self.unit.is_some() && row.unit != self.unit;
        let is_other_quantity = row.per.is_some() && self.quantity.is_some() && row.per != self.quantity;
        let used = || match row.unit.or(self.unit) {
            Some(_) => codes::HEADING_OVERRULED.price("value", money),
            // the unit is that of the former price
            None => Message::from(codes::HEADING_OVERRULED).number_of("value", money.price_quantity),
        };
        (is_other_unit || is_other_quantity).then(used)
    }
}

#[cfg(test)]
mod tests {
    use values::{Code, Language};

    use super::*;

    fn basis(text: &str) -> Result<(Option<String>, Option<&'static str>), Code> {
        let basis = PriceBasis::read(text).map_err(|message| message.code)?;
        Ok((basis.quantity.map(|quantity| quantity.to_string()), basis.unit.map(Unit::as_str)))
    }

    #[test]
    fn price_units_are_read_from_headings_in_both_languages() {
        for (text, quantity, unit) in [
            ("EUR/100 kg", Some("100"), Some("kg")),
            ("€/100kg", Some("100"), Some("kg")),
            ("€/kg", Some("1"), Some("kg")),
            ("EUR/to", Some("1"), Some("t")),
            ("EUR pro Tonne", Some("1"), Some("t")),
            ("per 1000 kg", Some("1000"), Some("kg")),
            ("je 1.000 kg", Some("1000"), Some("kg")),
            ("je t", Some("1"), Some("t")),
            ("/ t", Some("1"), Some("t")),
            ("je t in EUR", Some("1"), Some("t")),
            ("kg", None, Some("kg")),
            ("100 kg", Some("100"), Some("kg")),
            ("EUR t", None, Some("t")),
            ("€/Stück", Some("1"), Some("piece")),
            ("€/lfm", Some("1"), Some("m")),
            ("€/m²", Some("1"), Some("m2")),
            ("EUR/100", Some("100"), None),
            ("EUR", None, None),
        ] {
            assert_eq!(basis(text), Ok((quantity.map(str::to_owned), unit)), "{text}");
        }
    }

    #[test]
    fn foreign_currencies_and_unknown_units_are_refused() {
        for text in ["CHF/t", "USD", "$/t", "t in CHF", "£"] {
            assert_eq!(basis(text), Err(codes::FOREIGN_CURRENCY), "{text}");
        }
        for text in [
            "Banane",
            "100",
            "EUR/Banane",
            "kg/m",
            "EUR/",
            "je",
            "EUR/0 kg",
            "%",
            "ct/kg",
            "EUR 100",
            "t/EUR/t",
        ] {
            assert_eq!(basis(text), Err(codes::NOT_A_PRICE_BASIS), "{text}");
        }
    }

    #[test]
    fn the_row_overrides_the_heading_with_a_note() {
        let result = |heading: &str, per: Option<i32>, unit: Option<Unit>| {
            let row = RowBasis { per: per.map(Decimal::from), unit };
            let basis = PriceBasis::read(heading).unwrap();
            let money = basis.money(Decimal::ONE, row, None, Unit::Metre);
            let note = basis.note(row, &money).map(|note| note.text(Language::De));
            (money.price_quantity.to_string(), money.unit.as_str(), note)
        };
        let (kg, t) = (Some(Unit::Kilogram), Some(Unit::Tonne));
        assert_eq!(result("EUR/100 kg", None, None), ("100".into(), "kg", None));
        assert_eq!(result("EUR/100 kg", None, kg), ("100".into(), "kg", None));
        assert_eq!(result("kg", Some(100), None), ("100".into(), "kg", None));
        assert_eq!(result("EUR/100", None, kg), ("100".into(), "kg", None));
        assert_eq!(result("EUR", None, None), ("1".into(), "m", None));
        let overruled =
            |price: &str| Some(format!("Die Angabe in der Zeile gilt, nicht die Überschrift: {price}"));
        assert_eq!(result("EUR/100 kg", None, t), ("1".into(), "t", overruled("1,00 € je t")));
        assert_eq!(
            result("EUR/100 kg", Some(1000), None),
            ("1000".into(), "kg", overruled("1,00 € je 1000 kg"))
        );
        assert_eq!(result("kg", None, t), ("1".into(), "t", overruled("1,00 € je t")));
    }
}
