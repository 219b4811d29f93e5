//! Numbers in cells: texts, parsed by [`values::reader`], and a spreadsheet's own numbers.

pub use values::reader::{Style, is_scientific};
use values::{
    Decimal, Message, UnitCategory,
    reader::{self, BasisReading, NumberReading, PriceReading, QuantityReading},
};

use super::Cell;
use crate::codes;

/// Evidence of a file's number style, collected from its cells.
#[derive(Debug, Clone, Copy, Default)]
pub struct Evidence {
    comma: bool,
    point: bool,
}

impl Evidence {
    /// Takes a cell into account.
    pub fn see(&mut self, cell: &Cell) {
        if self.comma {
            return;
        }
        if let Cell::Text(text) = cell {
            match reader::decimal_sign(text) {
                Some(Style::Comma) => self.comma = true,
                Some(Style::Point) => self.point = true,
                None => {}
            }
        }
    }

    /// Combines the evidence of two columns.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self { comma: self.comma || other.comma, point: self.point || other.point }
    }

    /// Number style of the file: a single decimal comma decides for commas; without any evidence it is
    /// `otherwise`.
    pub fn style(self, otherwise: Style) -> Style {
        match (self.comma, self.point) {
            (true, _) => Style::Comma,
            (false, true) => Style::Point,
            (false, false) => otherwise,
        }
    }
}

/// Maximum number of decimal places.
pub const PLACES: usize = 6;

/// Parses the number in a cell. Texts may have at most six decimal places; a spreadsheet's own numbers are
/// rounded to six.
pub fn parse(cell: &Cell, style: Style) -> Result<Decimal, Message> {
    parse_to(cell, style, PLACES)
}

/// Parses the number in a cell; a spreadsheet's own numbers are rounded to `places`, since further ones were
/// computed, not typed.
pub fn parse_to(cell: &Cell, style: Style, places: usize) -> Result<Decimal, Message> {
    match cell {
        Cell::Text(text) => reader::read_number(text, style).map(|number| number.value),
        Cell::Number { number } => rounded(number, places.min(PLACES)),
        Cell::Value { json } => reader::read_number(json, Style::Point).map(|number| number.value),
    }
}

/// Parses the quantity in a cell, with a unit if the cell has one; see [`reader::read_quantity`].
pub fn parse_quantity(
    cell: &Cell,
    style: Style,
    category: Option<UnitCategory>,
) -> Result<QuantityReading, Message> {
    if let Cell::Text(text) = cell {
        return reader::read_quantity(text, style, category);
    }
    Ok(QuantityReading { amount: certain(parse(cell, style)?), unit: None })
}

/// Parses the price in a cell, with its quantity and unit if the cell has them; see [`reader::read_price`]. A
/// spreadsheet's own number is rounded to the decimal places of a price.
pub fn parse_price(cell: &Cell, style: Style, places: usize) -> Result<PriceReading, Message> {
    if let Cell::Text(text) = cell {
        return reader::read_price(text, style);
    }
    let amount = certain(parse_to(cell, style, places)?);
    Ok(PriceReading { amount, price_quantity: None, unit: None })
}

/// Parses the quantity of a price from a cell of its own: `100`, `kg`, `100 kg`; see [`reader::read_basis`].
pub fn parse_basis(cell: &Cell, style: Style) -> Result<BasisReading, Message> {
    if let Cell::Text(text) = cell {
        return reader::read_basis(text, style);
    }
    Ok(BasisReading { quantity: Some(certain(parse(cell, style)?)), unit: None })
}

const fn certain(value: Decimal) -> NumberReading {
    NumberReading { value, is_doubtful: false }
}

/// True if a spreadsheet's own number has more decimal places than these.
pub fn is_rounded(cell: &Cell, places: usize) -> bool {
    let Cell::Number { number } = cell else { return false };
    number.split_once('.').is_some_and(|(_, fraction)| fraction.trim_end_matches('0').len() > places)
}

/// Rounds half away from zero: a spreadsheet computes with more places than it shows.
fn rounded(number: &str, places: usize) -> Result<Decimal, Message> {
    let (whole, fraction) = number.split_once('.').unwrap_or((number, "0"));
    let kept_digits = fraction.get(..places).unwrap_or(fraction);
    let point = if kept_digits.is_empty() { "" } else { "." };
    let value: Decimal = format!("{whole}{point}{kept_digits}").parse().map_err(|_| out_of_range())?;
    let up = fraction.as_bytes().get(places).is_some_and(|digit| *digit >= b'5');
    let last_place = (places..PLACES).fold(1, |step, _| step * 10);
    let step = match (up, number.starts_with('-')) {
        (false, _) => 0,
        (true, false) => last_place,
        (true, true) => -last_place,
    };
    let value = Decimal::from_millionths(value.millionths() + step);
    if value.fits(12, 6) { Ok(value) } else { Err(out_of_range()) }
}

fn out_of_range() -> Message {
    codes::INVALID_DECIMAL.with("before", 12).with("after", 6)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use values::Code;

    fn read(text: &str, style: Style) -> Result<String, Code> {
        parse(&Cell::Text(text.to_owned()), style)
            .map(|value| value.to_string())
            .map_err(|message| message.code)
    }

    #[test]
    fn unambiguous_numbers_are_read_equally_in_every_style() {
        for (text, expected) in [
            ("12", "12"),
            ("0", "0"),
            ("-0", "0"),
            ("007", "7"),
            ("12,5", "12.5"),
            ("12.5", "12.5"),
            ("0,125", "0.125"),
            ("0.125", "0.125"),
            ("1.234,56", "1234.56"),
            ("1,234.56", "1234.56"),
            ("1.234.567", "1234567"),
            ("1,234,567", "1234567"),
            ("1.234.567,8", "1234567.8"),
            ("1 234,5", "1234.5"),
            ("1\u{A0}234,5", "1234.5"),
            ("1\u{202F}234\u{202F}567,25", "1234567.25"),
            ("1'234.5", "1234.5"),
            ("1 234", "1234"),
            ("1234,567", "1234.567"),
            ("1234.567", "1234.567"),
            ("12,3456", "12.3456"),
            (" 12,5\u{A0}", "12.5"),
            ("+3", "3"),
            ("-3,25", "-3.25"),
            ("−3,25", "-3.25"),
            ("1,250000000", "1.25"),
            (",5", "0.5"),
            ("-.5", "-0.5"),
            ("1 234,567", "1234.567"),
        ] {
            for style in [Style::Comma, Style::Point] {
                assert_eq!(read(text, style).as_deref(), Ok(expected), "{text:?} {style:?}");
            }
        }
    }

    #[test]
    fn a_single_separator_before_three_digits_follows_the_style_of_the_file() {
        for (text, comma, point) in
            [("1.234", "1234", "1.234"), ("1,234", "1.234", "1234"), ("-123.456", "-123456", "-123.456")]
        {
            assert_eq!(read(text, Style::Comma).as_deref(), Ok(comma));
            assert_eq!(read(text, Style::Point).as_deref(), Ok(point));
        }
    }

    #[test]
    fn invalid_numbers_are_refused() {
        for text in [
            "",
            "-",
            "abc",
            "12 kg",
            "1,2,3",
            "1.23.456",
            "12.34,5",
            "1..2",
            "5,",
            "1-",
            "--1",
            "1 23",
            "0x1",
            "1.234.56",
            "1,234,56",
            "٣",
            "1 234 5",
            "12'34",
            "01.234.567",
            "1.234 567,8",
            "∞",
            "#LEER",
        ] {
            assert_eq!(read(text, Style::Comma), Err(codes::NOT_A_NUMBER), "{text:?}");
        }
        for text in ["1,23E+12", "1.23457E+15", "1E5", "-4e-3"] {
            assert_eq!(read(text, Style::Comma), Err(codes::SCIENTIFIC_NUMBER), "{text:?}");
        }
        for text in ["1000000000000", "1234567890123,5", "0,1234567", "9".repeat(1_000).as_str()] {
            assert_eq!(read(text, Style::Comma), Err(codes::INVALID_DECIMAL), "{text:?}");
        }
    }

    #[test]
    fn a_spreadsheet_number_is_rounded_to_six_places() {
        for (number, expected) in [
            ("12.1", Ok("12.1")),
            ("1.234", Ok("1.234")),
            ("-5", Ok("-5")),
            ("7.33333333333333", Ok("7.333333")),
            ("0.66666666666667", Ok("0.666667")),
            ("-0.0000005", Ok("-0.000001")),
            ("0.0000001", Ok("0")),
            ("999999999999.9999996", Err(codes::INVALID_DECIMAL)),
            ("1000000000000", Err(codes::INVALID_DECIMAL)),
        ] {
            let result = parse(&Cell::Number { number: number.to_owned() }, Style::Comma);
            let result = result.map(|value| value.to_string()).map_err(|message| message.code);
            assert_eq!(result.as_deref(), expected.as_ref().map(|text| *text), "{number}");
        }
    }

    #[test]
    fn a_spreadsheet_number_is_rounded_once_to_the_places_of_its_field() {
        for (number, expected) in [
            ("879.333333333333", "879.3333"),
            ("0.00004999996", "0"),
            ("-0.00005", "-0.0001"),
            ("12.1", "12.1"),
            ("7", "7"),
        ] {
            let cell = Cell::Number { number: number.to_owned() };
            assert_eq!(parse_to(&cell, Style::Comma, 4).unwrap().to_string(), expected, "{number}");
            assert_eq!(is_rounded(&cell, 4), number != expected, "{number}");
        }
        let typed = Cell::text("879,333333");
        assert_eq!(parse_to(&typed, Style::Comma, 4).unwrap().to_string(), "879.333333", "refused later");
        assert!(!is_rounded(&typed, 4));
    }

    #[test]
    fn unambiguous_numbers_determine_the_style_of_a_file() {
        for (cells, otherwise, expected) in [
            (&["1.234", "12,5"][..], Style::Point, Style::Comma),
            (&["12.5", "12,5"], Style::Point, Style::Comma),
            (&["1.234", "12.5"], Style::Comma, Style::Point),
            (&["1.234.567"], Style::Point, Style::Comma),
            (&["1,234,567"], Style::Comma, Style::Point),
            (&["1.234", "7", "abc"], Style::Comma, Style::Comma),
            (&["1.234", "7", "abc"], Style::Point, Style::Point),
        ] {
            let mut evidence = Evidence::default();
            for cell in cells {
                evidence.see(&Cell::text(cell));
            }
            assert_eq!(evidence.style(otherwise), expected, "{cells:?}");
        }
    }

    proptest! {
        #[test]
        fn decimals_are_read_back_from_every_notation(millionths in -999_999_999_999_999_999_i64..=999_999_999_999_999_999) {
            let value = Decimal::from_millionths(millionths);
            let english = value.fixed(6);
            let (whole, fraction) = english.split_once('.').unwrap();
            let (sign, whole) = whole.strip_prefix('-').map_or(("", whole), |whole| ("-", whole));
            let mut grouped = String::new();
            for (index, digit) in whole.char_indices() {
                if index > 0 && (whole.len() - index) % 3 == 0 {
                    grouped.push('.');
                }
                grouped.push(digit);
            }
            for text in [english.clone(), english.replace('.', ","), format!("{sign}{grouped},{fraction}")] {
                prop_assert_eq!(parse(&Cell::text(&text), Style::Comma), Ok(value), "{}", text);
            }
        }

        #[test]
        fn the_parsers_never_panic(text in "[-+0-9.,' eE\u{A0}−x€/kgjet]{0,20}") {
            for style in [Style::Comma, Style::Point] {
                let _ = (reader::read_number(&text, style), reader::read_price(&text, style));
                let _ = (reader::read_quantity(&text, style, None), reader::decimal_sign(&text));
            }
        }
    }
}
