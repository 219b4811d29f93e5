//! Numbers as people write them: `1.234,56` and `1,234.56`. Strict and exact; nothing is ever a float.

use kernel::{Code, Decimal, Message, shortened};

use super::{Cell, visible};

/// What a single sign between digits means where both readings are possible: `1.234` is 1234 in a file with decimal
/// commas and 1.234 in one with decimal points.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Style {
    #[default]
    Comma,
    Point,
}

/// The style of a whole file, collected from its cells.
#[derive(Debug, Clone, Copy, Default)]
pub struct Evidence {
    comma: bool,
    point: bool,
}

impl Evidence {
    pub fn see(&mut self, cell: &Cell) {
        if self.comma {
            return;
        }
        if let Cell::Text(text) = cell
            && let Some(style) = Digits::read(visible(text).trim()).ok().and_then(|digits| digits.style())
        {
            match style {
                Style::Comma => self.comma = true,
                Style::Point => self.point = true,
            }
        }
    }

    /// What two columns show together.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self { comma: self.comma || other.comma, point: self.point || other.point }
    }

    /// One decimal comma makes a file one with decimal commas; without any evidence it is what `otherwise` says.
    pub fn style(self, otherwise: Style) -> Style {
        match (self.comma, self.point) {
            (true, _) => Style::Comma,
            (false, true) => Style::Point,
            (false, false) => otherwise,
        }
    }
}

impl Style {
    fn sign(self) -> char {
        match self {
            Self::Comma => ',',
            Self::Point => '.',
        }
    }

    fn of(sign: char) -> Self {
        if sign == ',' { Self::Comma } else { Self::Point }
    }
}

/// The number in a cell. At most six places behind the point; a spreadsheet's own numbers are rounded to them.
pub fn parse(cell: &Cell, style: Style) -> Result<Decimal, Message> {
    match cell {
        Cell::Text(text) => parse_text(visible(text).trim(), style),
        Cell::Number { number } => rounded(number),
        Cell::Value { json } => parse_text(json, Style::Point),
    }
}

/// The same of a text.
pub fn parse_text(text: &str, style: Style) -> Result<Decimal, Message> {
    let digits = Digits::read(text).map_err(|code| code.with("value", shortened(text, SHOWN)))?;
    let (whole, behind) = digits.as_decimal(style);
    let behind = behind.trim_end_matches('0');
    let sign = if digits.negative { "-" } else { "" };
    let point = if behind.is_empty() { "" } else { "." };
    // The grammar was checked above, so that only too many digits are left to refuse.
    format!("{sign}{whole}{point}{behind}").parse().map_err(|_| out_of_range())
}

/// Rounds half away from zero to six places: a spreadsheet computes with more than it shows.
fn rounded(number: &str) -> Result<Decimal, Message> {
    let (whole, behind) = number.split_once('.').unwrap_or((number, "0"));
    let kept = behind.get(..6).unwrap_or(behind);
    let value: Decimal = format!("{whole}.{kept}").parse().map_err(|_| out_of_range())?;
    let up = behind.as_bytes().get(6).is_some_and(|digit| *digit >= b'5');
    let step = match (up, number.starts_with('-')) {
        (false, _) => 0,
        (true, false) => 1,
        (true, true) => -1,
    };
    let value = Decimal::from_millionths(value.millionths() + step);
    if value.fits(12, 6) { Ok(value) } else { Err(out_of_range()) }
}

fn out_of_range() -> Message {
    Code::InvalidDecimal.with("before", 12).with("after", 6)
}

/// Whether a spreadsheet program has replaced a long number by its power of ten: `1,23457E+12`.
pub fn is_scientific(text: &str) -> bool {
    let Some((mantissa, exponent)) = text.split_once(['e', 'E']) else { return false };
    let all_digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let (whole, behind) = mantissa.split_once([',', '.']).unwrap_or((mantissa, "0"));
    all_digits(whole.trim_start_matches(['+', '-']))
        && all_digits(behind)
        && all_digits(exponent.trim_start_matches(['+', '-']))
}

/// As much of what is no number as a message shows.
const SHOWN: usize = 40;

/// A number taken apart: its digits, and what its signs mean where that is certain.
struct Digits {
    negative: bool,
    /// The digits before the last sign, without grouping.
    whole: String,
    last: Last,
    /// The digits behind the last sign.
    behind: String,
}

/// The last sign between the digits.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Last {
    /// There is none, or it is certainly grouping.
    None,
    /// There is grouping by this sign, hence the other one is the decimal sign.
    Grouping(char),
    Decimal(char),
    /// Decimal sign or grouping: `1.234`.
    Either(char),
}

impl Digits {
    fn read(text: &str) -> Result<Self, Code> {
        if is_scientific(text) {
            return Err(Code::ScientificNumber);
        }
        let (negative, unsigned) = match text.strip_prefix(['-', '−']) {
            Some(rest) => (true, rest),
            None => (false, text.strip_prefix('+').unwrap_or(text)),
        };
        let read = Self::read_unsigned(unsigned).ok_or(Code::NotANumber)?;
        Ok(Self { negative, ..read })
    }

    fn read_unsigned(text: &str) -> Option<Self> {
        let is_sign = |c: char| c == ',' || c == '.';
        let Some((before, sign, behind)) = split_at_last(text, is_sign) else {
            return Some(Self::new(ungrouped(text, is_space)?, Last::None, ""));
        };
        if !behind.bytes().all(|byte| byte.is_ascii_digit()) || behind.is_empty() {
            return None;
        }
        if before.contains(sign) {
            // The same sign again: all of them group.
            let whole = ungrouped(text, |c| c == sign)?;
            return Some(Self::new(whole, Last::Grouping(sign), ""));
        }
        let spaced = before.contains(is_space);
        let other = before.find(is_sign).and_then(|at| before.get(at..)?.chars().next());
        let whole = match other {
            Some(grouping) => ungrouped(before, |c| c == grouping)?,
            None => ungrouped(before, is_space)?,
        };
        let could_group = other.is_none()
            && !spaced
            && behind.len() == 3
            && (1..=3).contains(&whole.len())
            && !whole.starts_with('0');
        let last = if could_group { Last::Either(sign) } else { Last::Decimal(sign) };
        Some(Self::new(whole, last, behind))
    }

    fn new(whole: String, last: Last, behind: &str) -> Self {
        Self { negative: false, whole, last, behind: behind.to_owned() }
    }

    /// What the number alone says about the style of its file.
    fn style(&self) -> Option<Style> {
        match self.last {
            Last::None | Last::Either(_) => None,
            Last::Decimal(sign) => Some(Style::of(sign)),
            Last::Grouping(sign) => Some(Style::of(if sign == '.' { ',' } else { '.' })),
        }
    }

    /// The digits before and behind the decimal sign.
    fn as_decimal(&self, style: Style) -> (String, &str) {
        match self.last {
            Last::Either(sign) if sign != style.sign() => (format!("{}{}", self.whole, self.behind), ""),
            _ => (self.whole.clone(), &self.behind),
        }
    }
}

/// Spaces and apostrophes that group digits, the unbreakable and narrow ones among them.
fn is_space(c: char) -> bool {
    matches!(c, ' ' | '\u{A0}' | '\u{2009}' | '\u{202F}' | '\'' | '’')
}

fn split_at_last(text: &str, is_sign: impl Fn(char) -> bool) -> Option<(&str, char, &str)> {
    let (at, sign) = text.char_indices().rfind(|(_, c)| is_sign(*c))?;
    Some((text.get(..at)?, sign, text.get(at + sign.len_utf8()..)?))
}

/// Digits, grouped by threes or not at all; always by the same sign.
fn ungrouped(text: &str, is_grouping: impl Fn(char) -> bool) -> Option<String> {
    let grouping = text.chars().find(|c| is_grouping(*c));
    let groups: Vec<&str> = match grouping {
        Some(sign) => text.split(sign).collect(),
        None => vec![text],
    };
    let digits_only =
        groups.iter().all(|group| !group.is_empty() && group.bytes().all(|byte| byte.is_ascii_digit()));
    let by_threes = match groups.as_slice() {
        [_] => true,
        [first, rest @ ..] => {
            first.len() <= 3 && !first.starts_with('0') && rest.iter().all(|group| group.len() == 3)
        }
        [] => false,
    };
    (digits_only && by_threes).then(|| groups.concat())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn read(text: &str, style: Style) -> Result<String, Code> {
        parse(&Cell::Text(text.to_owned()), style)
            .map(|value| value.to_string())
            .map_err(|message| message.code)
    }

    #[test]
    fn numbers_that_mean_the_same_in_every_file() {
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
            ("1 234,567", "1234.567"),
        ] {
            for style in [Style::Comma, Style::Point] {
                assert_eq!(read(text, style).as_deref(), Ok(expected), "{text:?} {style:?}");
            }
        }
    }

    #[test]
    fn a_single_sign_before_three_digits_follows_the_file() {
        for (text, comma, point) in
            [("1.234", "1234", "1.234"), ("1,234", "1.234", "1234"), ("-123.456", "-123456", "-123.456")]
        {
            assert_eq!(read(text, Style::Comma).as_deref(), Ok(comma));
            assert_eq!(read(text, Style::Point).as_deref(), Ok(point));
        }
    }

    #[test]
    fn what_is_no_number_is_refused() {
        for text in [
            "",
            "-",
            "abc",
            "12 kg",
            "1,2,3",
            "1.23.456",
            "12.34,5",
            "1..2",
            ",5",
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
            assert_eq!(read(text, Style::Comma), Err(Code::NotANumber), "{text:?}");
        }
        for text in ["1,23E+12", "1.23457E+15", "1E5", "-4e-3"] {
            assert_eq!(read(text, Style::Comma), Err(Code::ScientificNumber), "{text:?}");
        }
        for text in ["1000000000000", "1234567890123,5", "0,1234567", "9".repeat(1_000).as_str()] {
            assert_eq!(read(text, Style::Comma), Err(Code::InvalidDecimal), "{text:?}");
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
            ("999999999999.9999996", Err(Code::InvalidDecimal)),
            ("1000000000000", Err(Code::InvalidDecimal)),
        ] {
            let read = parse(&Cell::Number { number: number.to_owned() }, Style::Comma);
            let read = read.map(|value| value.to_string()).map_err(|message| message.code);
            assert_eq!(read.as_deref(), expected.as_ref().map(|text| *text), "{number}");
        }
    }

    #[test]
    fn one_decimal_comma_makes_the_style_of_a_file() {
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
        fn a_decimal_comes_back_however_it_is_written(millionths in -999_999_999_999_999_999_i64..=999_999_999_999_999_999) {
            let value = Decimal::from_millionths(millionths);
            let english = value.fixed(6);
            let (whole, behind) = english.split_once('.').unwrap();
            let (sign, whole) = whole.strip_prefix('-').map_or(("", whole), |whole| ("-", whole));
            let mut grouped = String::new();
            for (index, digit) in whole.char_indices() {
                if index > 0 && (whole.len() - index) % 3 == 0 {
                    grouped.push('.');
                }
                grouped.push(digit);
            }
            for text in [english.clone(), english.replace('.', ","), format!("{sign}{grouped},{behind}")] {
                prop_assert_eq!(parse_text(&text, Style::Comma), Ok(value), "{}", text);
            }
        }

        #[test]
        fn no_text_makes_the_parser_panic(text in "[-+0-9.,' eE\u{A0}−x]{0,20}") {
            let _ = (parse_text(&text, Style::Comma), parse_text(&text, Style::Point));
        }
    }
}
