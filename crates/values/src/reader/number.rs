//! Numbers as people write them: `1.234,56` and `1,234.56`.

use crate::{
    code::Code,
    codes,
    decimal::Decimal,
    message::{Message, shortened},
    visible::visible,
};

/// Number style, which decides on ambiguous signs: `1.234` is 1234 with decimal commas and 1.234 with decimal
/// points.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Style {
    #[default]
    Comma,
    Point,
}

impl Style {
    const fn sign(self) -> char {
        match self {
            Self::Comma => ',',
            Self::Point => '.',
        }
    }

    fn from_sign(sign: char) -> Self {
        if sign == ',' { Self::Comma } else { Self::Point }
    }
}

/// Parsed number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NumberReading {
    pub value: Decimal,
    /// True if the only sign was read as grouping and could also be the decimal sign: `1.234`.
    pub is_doubtful: bool,
}

/// Parses a number of at most twelve digits before and six after the decimal sign.
///
/// # Errors
/// [`codes::SCIENTIFIC_NUMBER`], [`codes::NOT_A_NUMBER`] or, for too many digits, [`codes::INVALID_DECIMAL`].
pub fn read_number(text: &str, style: Style) -> Result<NumberReading, Message> {
    let text = visible(text);
    let text = text.trim();
    let digits = Digits::read(text).map_err(|code| code.with("value", shortened(text, SHOWN)))?;
    let (whole, behind) = digits.parts(style);
    let behind = behind.trim_end_matches('0');
    let sign = if digits.is_negative { "-" } else { "" };
    let point = if behind.is_empty() { "" } else { "." };
    // The grammar was checked above, so the only remaining error is too many digits.
    let value = format!("{sign}{whole}{point}{behind}");
    let value = value.parse().map_err(|_| codes::INVALID_DECIMAL.with("before", 12).with("after", 6))?;
    Ok(NumberReading { value, is_doubtful: digits.is_doubtful(style) })
}

/// True if a spreadsheet program has replaced a long number by scientific notation: `1,23457E+12`.
pub fn is_scientific(text: &str) -> bool {
    let Some((mantissa, exponent)) = text.split_once(['e', 'E']) else { return false };
    let (whole, behind) = mantissa.split_once([',', '.']).unwrap_or((mantissa, "0"));
    are_digits(whole.trim_start_matches(['+', '-']))
        && are_digits(behind)
        && are_digits(exponent.trim_start_matches(['+', '-']))
}

/// Maximum length of an invalid number that a message quotes.
pub(super) const SHOWN: usize = 40;

/// Parsed digits of a number, and the meaning of its signs where that is certain.
pub(super) struct Digits {
    is_negative: bool,
    /// Digits before the last sign, without grouping.
    whole: String,
    last: Last,
    /// Digits after the last sign.
    behind: String,
}

/// Meaning of the last sign between the digits.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Last {
    /// Missing, or certainly grouping.
    None,
    /// Grouping by this sign, hence the other one is the decimal sign.
    Grouping(char),
    Decimal(char),
    /// Decimal sign or grouping: `1.234`.
    Either(char),
}

impl Digits {
    pub(super) fn read(text: &str) -> Result<Self, Code> {
        if is_scientific(text) {
            return Err(codes::SCIENTIFIC_NUMBER);
        }
        let (is_negative, unsigned) = match text.strip_prefix(['-', '−']) {
            Some(rest) => (true, rest),
            None => (false, text.strip_prefix('+').unwrap_or(text)),
        };
        let read = Self::read_unsigned(unsigned).ok_or(codes::NOT_A_NUMBER)?;
        Ok(Self { is_negative, ..read })
    }

    fn read_unsigned(text: &str) -> Option<Self> {
        let is_sign = |c: char| c == ',' || c == '.';
        let Some((before, sign, behind)) = split_at_last(text, is_sign) else {
            return Some(Self::new(ungrouped(text, is_space)?, Last::None, ""));
        };
        if !are_digits(behind) {
            return None;
        }
        if before.is_empty() {
            return Some(Self::new("0".to_owned(), Last::Decimal(sign), behind));
        }
        if before.contains(sign) {
            // The same sign again, so all of them are grouping.
            let whole = ungrouped(text, |c| c == sign)?;
            return Some(Self::new(whole, Last::Grouping(sign), ""));
        }
        let spaced = before.contains(is_space);
        let other = before.chars().find(|c| is_sign(*c));
        let whole = match other {
            Some(grouping) => ungrouped(before, |c| c == grouping)?,
            None => ungrouped(before, is_space)?,
        };
        // A group never begins with a zero: 0.925 is not 925.
        let could_group = other.is_none()
            && !spaced
            && behind.len() == 3
            && (1..=3).contains(&whole.len())
            && !whole.starts_with('0');
        let last = if could_group { Last::Either(sign) } else { Last::Decimal(sign) };
        Some(Self::new(whole, last, behind))
    }

    fn new(whole: String, last: Last, behind: &str) -> Self {
        Self { is_negative: false, whole, last, behind: behind.to_owned() }
    }

    /// Style that follows from the number itself.
    pub(super) fn style(&self) -> Option<Style> {
        match self.last {
            Last::None | Last::Either(_) => None,
            Last::Decimal(sign) => Some(Style::from_sign(sign)),
            Last::Grouping(sign) => Some(Style::from_sign(if sign == '.' { ',' } else { '.' })),
        }
    }

    fn is_doubtful(&self, style: Style) -> bool {
        matches!(self.last, Last::Either(sign) if sign != style.sign())
    }

    /// Digits before and after the decimal sign.
    fn parts(&self, style: Style) -> (String, &str) {
        if self.is_doubtful(style) {
            (format!("{}{}", self.whole, self.behind), "")
        } else {
            (self.whole.clone(), &self.behind)
        }
    }
}

fn are_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// True for spaces and apostrophes that group digits, including non-breaking and narrow spaces.
fn is_space(c: char) -> bool {
    matches!(c, ' ' | '\u{A0}' | '\u{2009}' | '\u{202F}' | '\'' | '’')
}

fn split_at_last(text: &str, is_sign: impl Fn(char) -> bool) -> Option<(&str, char, &str)> {
    let (at, sign) = text.char_indices().rfind(|(_, c)| is_sign(*c))?;
    Some((text.get(..at)?, sign, text.get(at + sign.len_utf8()..)?))
}

/// Removes the grouping of digits. They must be grouped by threes with a single sign, or not at all.
fn ungrouped(text: &str, is_grouping: impl Fn(char) -> bool) -> Option<String> {
    let grouping = text.chars().find(|c| is_grouping(*c));
    let groups: Vec<&str> = match grouping {
        Some(sign) => text.split(sign).collect(),
        None => vec![text],
    };
    let by_threes = match groups.as_slice() {
        [_] => true,
        [first, rest @ ..] => {
            first.len() <= 3 && !first.starts_with('0') && rest.iter().all(|group| group.len() == 3)
        }
        [] => false,
    };
    (by_threes && groups.iter().copied().all(are_digits)).then(|| groups.concat())
}
