//! Templates of names and numbers: text with `{placeholder}`, `{placeholder:unit}` and
//! `{placeholder:unit:decimals}`; `{{` and `}}` are literal braces. Rendering is pure: the same values give
//! the same text.

use std::fmt;

use values::{Decimal, Message, Unit, unit::convert};

use crate::codes;

/// Placeholder of an article's material.
pub const MATERIAL: &str = "material";
/// Placeholder of the short code of the range that an article's length falls into.
pub const TRADE_DIMENSION: &str = "trade_dimension";
/// Placeholders that do not belong to an attribute.
pub const RESERVED: [&str; 2] = [MATERIAL, TRADE_DIMENSION];

/// Well-formed template; [`Template::bind`] checks that its placeholders exist.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Template {
    parts: Vec<Part>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Part {
    Literal(String),
    Placeholder(Placeholder),
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Placeholder {
    name: String,
    unit: Option<Unit>,
    decimals: Option<u32>,
}

impl Template {
    /// Parses a template; returns everything that is wrong with it otherwise.
    pub fn parse(text: &str) -> Result<Self, Vec<Message>> {
        let mut parser =
            Parser { rest: text.chars().enumerate().peekable(), parts: Vec::new(), faults: Vec::new() };
        parser.run();
        if parser.faults.is_empty() { Ok(Self { parts: parser.parts }) } else { Err(parser.faults) }
    }

    /// Returns the template with a placeholder renamed.
    #[must_use]
    pub fn renamed(mut self, from: &str, to: &str) -> Self {
        for part in &mut self.parts {
            if let Part::Placeholder(placeholder) = part
                && placeholder.name == from
            {
                to.clone_into(&mut placeholder.name);
            }
        }
        self
    }

    /// Binds the placeholders to slots; returns everything that does not fit otherwise.
    pub fn bind(&self, slots: &[Slot<'_>]) -> Result<Bound, Vec<Message>> {
        let mut faults = Vec::new();
        let mut parts = Vec::with_capacity(self.parts.len());
        for part in &self.parts {
            match part {
                Part::Literal(text) => parts.push(BoundPart::Literal(text.clone())),
                Part::Placeholder(placeholder) => match placeholder.bind(slots) {
                    Ok(part) => parts.push(part),
                    Err(fault) if faults.contains(&fault) => {}
                    Err(fault) => faults.push(fault),
                },
            }
        }
        if faults.is_empty() { Ok(Bound { parts }) } else { Err(faults) }
    }
}

/// Writes the template's source; parsing it again gives the same template.
impl fmt::Display for Template {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for part in &self.parts {
            match part {
                Part::Literal(text) => f.write_str(&text.replace('{', "{{").replace('}', "}}"))?,
                Part::Placeholder(placeholder) => write!(f, "{{{placeholder}}}")?,
            }
        }
        Ok(())
    }
}

impl fmt::Display for Placeholder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)?;
        if let Some(unit) = self.unit {
            write!(f, ":{}", unit.as_str())?;
        }
        if let Some(decimals) = self.decimals {
            write!(f, ":{decimals}")?;
        }
        Ok(())
    }
}

struct Parser<I: Iterator<Item = (usize, char)>> {
    rest: std::iter::Peekable<I>,
    parts: Vec<Part>,
    faults: Vec<Message>,
}

impl<I: Iterator<Item = (usize, char)>> Parser<I> {
    fn run(&mut self) {
        let mut literal = String::new();
        while let Some((position, character)) = self.rest.next() {
            let doubled =
                matches!(character, '{' | '}') && self.rest.next_if(|(_, next)| *next == character).is_some();
            match character {
                '{' if !doubled => {
                    if !literal.is_empty() {
                        self.parts.push(Part::Literal(std::mem::take(&mut literal)));
                    }
                    self.placeholder(position);
                }
                '}' if !doubled => self.unbalanced(position),
                _ => literal.push(character),
            }
        }
        if !literal.is_empty() {
            self.parts.push(Part::Literal(literal));
        }
    }

    /// Parses the text after a `{`.
    fn placeholder(&mut self, opened_at: usize) {
        let mut written = String::new();
        loop {
            match self.rest.next_if(|(_, next)| *next != '{') {
                Some((_, '}')) => break,
                Some((_, character)) => written.push(character),
                None => return self.unbalanced(opened_at),
            }
        }
        match parse_placeholder(&written) {
            Some(placeholder) => self.parts.push(Part::Placeholder(placeholder)),
            None => self.faults.push(codes::PLACEHOLDER_FORMAT.with("placeholder", written)),
        }
    }

    fn unbalanced(&mut self, position: usize) {
        self.faults.push(codes::UNBALANCED_BRACE.with("position", position + 1));
    }
}

/// Parses `name`, `name:unit` or `name:unit:decimals`.
fn parse_placeholder(written: &str) -> Option<Placeholder> {
    let mut pieces = written.split(':').map(str::trim);
    let name = pieces.next().filter(|name| is_name(name))?.to_owned();
    let unit = pieces.next().map(Unit::parse);
    let decimals = pieces.next().map(decimals);
    if pieces.next().is_some() || unit == Some(None) || decimals == Some(None) {
        return None;
    }
    Some(Placeholder { name, unit: unit.flatten(), decimals: decimals.flatten() })
}

/// Parses a number of decimals, `0` to `6`.
fn decimals(digit: &str) -> Option<u32> {
    match digit.as_bytes() {
        [digit @ b'0'..=b'6'] => Some(u32::from(digit - b'0')),
        _ => None,
    }
}

fn is_name(name: &str) -> bool {
    !name.is_empty()
        && name.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_')
}

/// Slot that a placeholder can be bound to.
#[derive(Debug, Clone, Copy)]
pub struct Slot<'a> {
    pub placeholder: &'a str,
    /// Default unit of a measure; texts have none.
    pub unit: Option<Unit>,
}

impl Placeholder {
    fn bind(&self, slots: &[Slot<'_>]) -> Result<BoundPart, Message> {
        let malformed = || codes::PLACEHOLDER_FORMAT.with("placeholder", self);
        let entry = slots.iter().enumerate().find(|(_, slot)| slot.placeholder == self.name);
        let Some((index, slot)) = entry else {
            let placeholders = slots.iter().map(|slot| slot.placeholder);
            return Err(codes::UNKNOWN_PLACEHOLDER
                .with("placeholder", &self.name)
                .list("known", placeholders));
        };
        let unit = match (self.unit, slot.unit) {
            (None, default) => default,
            (Some(_), None) => return Err(malformed()),
            (Some(unit), Some(default)) if unit.category() != default.category() => {
                let possible_units = default.category().units();
                return Err(Message::from(codes::WRONG_UNIT_CATEGORY)
                    .unit("unit", unit)
                    .units("known", possible_units));
            }
            (unit, _) => unit,
        };
        Ok(BoundPart::Slot { index, unit, decimals: self.decimals })
    }
}

/// Template whose placeholders are bound to slots, by index.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bound {
    parts: Vec<BoundPart>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum BoundPart {
    Literal(String),
    Slot { index: usize, unit: Option<Unit>, decimals: Option<u32> },
}

/// Decimal sign of numbers: a point in article numbers, a comma in article names, which are German trade
/// names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DecimalSign {
    Point,
    Comma,
}

impl DecimalSign {
    /// Formats a number in its shortest form, or with exactly `decimals` places.
    pub fn write(self, number: Decimal, decimals: Option<u32>) -> String {
        let text = decimals.map_or_else(|| number.to_string(), |decimals| number.fixed(decimals));
        match self {
            Self::Point => text,
            Self::Comma => text.replace('.', ","),
        }
    }
}

/// Value of a placeholder in one article.
#[derive(Debug, Clone, Copy)]
pub enum Content<'a> {
    Text(&'a str),
    /// Number in the base unit of its category.
    Number(Decimal),
}

/// Reason why a text cannot be rendered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Gap {
    /// The slot has no value.
    Empty(usize),
    /// The number is out of range in the unit of the template.
    Range(usize),
}

impl Bound {
    /// True if the template shows the value of a slot.
    pub fn uses(&self, slot: usize) -> bool {
        self.parts.iter().any(|part| matches!(part, BoundPart::Slot { index, .. } if *index == slot))
    }

    /// Renders the text of one article.
    pub fn render<'a>(
        &self,
        sign: DecimalSign,
        content: impl Fn(usize) -> Option<Content<'a>>,
    ) -> Result<String, Gap> {
        let mut text = String::new();
        for part in &self.parts {
            match part {
                BoundPart::Literal(literal) => text.push_str(literal),
                BoundPart::Slot { index, unit, decimals } => {
                    match content(*index).ok_or(Gap::Empty(*index))? {
                        Content::Text(value) => text.push_str(value),
                        Content::Number(number) => {
                            let number_in_unit = unit
                                .map_or(Some(number), |unit| convert(number, unit.category().base(), unit));
                            text.push_str(&sign.write(number_in_unit.ok_or(Gap::Range(*index))?, *decimals));
                        }
                    }
                }
            }
        }
        Ok(text)
    }
}

#[cfg(test)]
mod tests;
