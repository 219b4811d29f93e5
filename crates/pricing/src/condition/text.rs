//! Conditions as one line of text, to copy, compare and paste. The form is the same in all languages and uses
//! the names on the wire:
//! `all(cart_weight >= 10 t, any(material in (3, 7), not(weekday in (saturday, sunday))))`.
//!
//! Case and white space are ignored. A printed condition is parsed into the same tree.

use std::fmt;

use values::{Decimal, Message, Unit, Violations};

use super::{
    Condition, ConditionInput, ConditionType, ConditionValue, DEPTH_MAX, ExpectedValue, NODES_MAX, Operator,
    Test,
};
use crate::{codes, words};

/// Maximum length of a text, in characters; any valid tree fits.
pub const LENGTH_MAX: usize = 100_000;

/// Error in a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// Position of the character, from 1.
    pub position: usize,
    pub message: Message,
}

impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (name, parts) = match self {
            Self::All(parts) => ("all", parts),
            Self::Any(parts) => ("any", parts),
            Self::Not(parts) => ("not", parts),
            Self::Test(test) => return test.fmt(f),
        };
        write!(f, "{name}(")?;
        listed(f, parts)?;
        f.write_str(")")
    }
}

impl fmt::Display for Test {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ", self.subject.as_str())?;
        let member = |negated: bool| if negated { "not in (" } else { "in (" };
        match &self.expected {
            ExpectedValue::Number { op, value, unit } => {
                write!(f, "{} {value}", sign(op.operator()))?;
                unit.map_or(Ok(()), |unit| write!(f, " {}", unit.as_str()))
            }
            ExpectedValue::Date { op, value } => write!(f, "{} {value}", sign(op.operator())),
            ExpectedValue::OneOf { negated, ids } => {
                f.write_str(member(*negated))?;
                listed(f, ids)?;
                f.write_str(")")
            }
            ExpectedValue::Weekday { negated, days } => {
                f.write_str(member(*negated))?;
                listed(f, days.iter().map(|day| day.as_str()))?;
                f.write_str(")")
            }
        }
    }
}

fn listed<T: fmt::Display>(f: &mut fmt::Formatter<'_>, entries: impl IntoIterator<Item = T>) -> fmt::Result {
    for (index, entry) in entries.into_iter().enumerate() {
        if index > 0 {
            f.write_str(", ")?;
        }
        write!(f, "{entry}")?;
    }
    Ok(())
}

fn sign(op: Operator) -> &'static str {
    SIGNS.iter().find(|(_, operator)| *operator == op).map_or("in", |(sign, _)| sign)
}

/// Signs in the order in which they are tried: longer ones first.
const SIGNS: [(&str, Operator); 6] = [
    ("<=", Operator::LesserEquals),
    (">=", Operator::GreaterEquals),
    ("!=", Operator::NotEquals),
    ("<", Operator::LesserThan),
    (">", Operator::GreaterThan),
    ("=", Operator::Equals),
];

const GROUPS: [&str; 3] = ["all", "any", "not"];

/// Parses a text.
///
/// # Errors
/// The first syntax error; for a well-formed text, all violations.
pub fn parse(text: &str) -> Result<Condition, Vec<Fault>> {
    if text.chars().count() > LENGTH_MAX {
        return Err(vec![Fault { position: 1, message: codes::TOO_LONG.with("max", LENGTH_MAX) }]);
    }
    let mut reader = Reader { rest: text, position: 1, places: Vec::new(), nodes: 0 };
    let input = reader.whole().map_err(|fault| vec![fault])?;
    let mut violations = Violations::new();
    let condition = input.read(ROOT, &mut violations);
    match condition {
        Some(condition) if violations.is_empty() => Ok(condition),
        _ => Err(violations
            .into_iter()
            .map(|broken| Fault { position: reader.place(&broken.path), message: broken.message })
            .collect()),
    }
}

const ROOT: &str = "condition";

/// Maximum number of digits before and after the decimal point.
const DIGITS: [usize; 2] = [12, 6];

/// True if the text is digits, with at most one decimal point between them.
fn is_plain_number(text: &str) -> bool {
    let (whole, behind) = text.split_once('.').unwrap_or((text, "0"));
    let are_digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    are_digits(whole) && are_digits(behind)
}

/// Returns the correct form of a number with a comma; the last comma or point is the decimal separator.
/// `None` if that is no number.
fn with_point(before: &str, behind: &str) -> Option<String> {
    let written = if behind.contains('.') {
        format!("{before}{behind}")
    } else {
        format!("{}.{behind}", before.replace('.', ""))
    };
    written.parse::<Decimal>().is_ok().then_some(written)
}

struct Reader<'t> {
    rest: &'t str,
    /// Position of the next character, from 1.
    position: usize,
    /// Positions of the parts read so far, by path.
    places: Vec<(String, usize)>,
    nodes: usize,
}

impl<'t> Reader<'t> {
    fn whole(&mut self) -> Result<ConditionInput, Fault> {
        let input = self.node(ROOT, 1)?;
        self.skip_white();
        if self.rest.is_empty() { Ok(input) } else { Err(self.expected(["…"])) }
    }

    fn node(&mut self, path: &str, depth: usize) -> Result<ConditionInput, Fault> {
        self.note(path);
        let refused = |position: usize, message: Message| Err(Fault { position, message });
        if depth > DEPTH_MAX {
            return refused(self.position, codes::CONDITION_TOO_DEEP.with("max", DEPTH_MAX));
        }
        self.nodes += 1;
        if self.nodes > NODES_MAX {
            return refused(self.position, codes::TOO_MANY.with("max", NODES_MAX));
        }
        let began = (self.rest, self.position);
        let word = self.word();
        if let Some(group) = GROUPS.iter().find(|group| word.eq_ignore_ascii_case(group)) {
            self.need("(")?;
            let mut parts = Vec::new();
            if !self.take(")") {
                loop {
                    parts.push(self.node(&format!("{path}.{group}.{}", parts.len()), depth + 1)?);
                    if self.take(")") {
                        break;
                    }
                    if !self.take(",") {
                        return Err(self.expected([",", ")"]));
                    }
                }
            }
            let parts = Some(parts);
            return Ok(match *group {
                "all" => ConditionInput { all: parts, ..ConditionInput::default() },
                "any" => ConditionInput { any: parts, ..ConditionInput::default() },
                _ => ConditionInput { not: parts, ..ConditionInput::default() },
            });
        }
        let subject =
            ConditionType::ALL.into_iter().find(|subject| word.eq_ignore_ascii_case(subject.as_str()));
        let Some(subject) = subject else {
            (self.rest, self.position) = began;
            return Err(
                self.expected(GROUPS.into_iter().chain(ConditionType::ALL.map(ConditionType::as_str)))
            );
        };
        self.test(subject, path)
    }

    fn test(&mut self, subject: ConditionType, path: &str) -> Result<ConditionInput, Fault> {
        self.note(&format!("{path}.op"));
        let (op, value, unit);
        if let Some((_, signed)) = SIGNS.iter().find(|(sign, _)| self.take(sign)) {
            op = *signed;
            let value_path = format!("{path}.value");
            self.note(&value_path);
            value = self.single()?;
            self.note(&format!("{path}.unit"));
            unit = self.unit()?;
        } else {
            let negated = self.keyword("not");
            if !self.keyword("in") {
                let signs = SIGNS.map(|(sign, _)| sign);
                let words: &[&str] = if negated { &["in"] } else { &["in", "not in"] };
                let signs = if negated { &[][..] } else { &signs };
                return Err(self.expected(signs.iter().chain(words).copied()));
            }
            op = if negated { Operator::NotIn } else { Operator::In };
            value = self.list(&format!("{path}.value"))?;
            unit = None;
        }
        Ok(ConditionInput {
            r#type: Some(subject),
            op: Some(op),
            value: Some(value),
            unit,
            ..ConditionInput::default()
        })
    }

    /// Reads a number or a date.
    fn single(&mut self) -> Result<ConditionValue, Fault> {
        let began = (self.rest, self.position);
        let text = self.digits();
        let with_point = self.behind_comma().and_then(|behind| with_point(text, behind));
        if with_point.is_none() {
            if let Ok(number) = text.parse() {
                return Ok(ConditionValue::Number(number));
            }
            if super::input::date(text).is_some() {
                return Ok(ConditionValue::Text(text.to_owned()));
            }
        }
        (self.rest, self.position) = began;
        self.skip_white();
        let position = self.position;
        let message = match with_point {
            Some(number) => codes::CONDITION_COMMA.with("position", position).with("example", number),
            None if is_plain_number(text) => {
                let [before, after] = DIGITS;
                codes::CONDITION_DIGITS.with("position", position).with("before", before).with("after", after)
            }
            None => codes::CONDITION_TEXT.with("position", position).word("expected", words::NUMBER_OR_DATE),
        };
        Err(Fault { position, message })
    }

    fn unit(&mut self) -> Result<Option<Unit>, Fault> {
        let began = (self.rest, self.position);
        match self.word() {
            "" => Ok(None),
            word => Unit::parse(word).map(Some).ok_or_else(|| {
                (self.rest, self.position) = began;
                self.expected(Unit::NAMES.iter().copied())
            }),
        }
    }

    /// Reads ids or weekdays in parentheses.
    fn list(&mut self, path: &str) -> Result<ConditionValue, Fault> {
        self.note(path);
        self.need("(")?;
        let (mut ids, mut words) = (Vec::new(), Vec::new());
        if self.take(")") {
            return Ok(ConditionValue::Ids(ids));
        }
        loop {
            self.note(&format!("{path}.{}", ids.len() + words.len()));
            let began = (self.rest, self.position);
            match self.digits() {
                "" => match self.word() {
                    word if !word.is_empty() && ids.is_empty() => words.push(word.to_ascii_lowercase()),
                    _ => {
                        (self.rest, self.position) = began;
                        return Err(self.expected(["123"]));
                    }
                },
                digits => match digits.parse() {
                    Ok(id) if words.is_empty() => ids.push(id),
                    _ => {
                        (self.rest, self.position) = began;
                        return Err(self.expected(["123"]));
                    }
                },
            }
            if self.take(")") {
                break;
            }
            if !self.take(",") {
                return Err(self.expected([",", ")"]));
            }
        }
        Ok(if words.is_empty() { ConditionValue::Ids(ids) } else { ConditionValue::Weekdays(words) })
    }

    fn note(&mut self, path: &str) {
        self.skip_white();
        self.places.push((path.to_owned(), self.position));
    }

    /// Returns the position of the nearest part at or above a path.
    fn place(&self, path: &str) -> usize {
        let is_above = |candidate: &str| {
            path.strip_prefix(candidate).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        };
        let nearest = self
            .places
            .iter()
            .filter(|(candidate, _)| is_above(candidate))
            .max_by_key(|(candidate, _)| candidate.len());
        nearest.map_or(1, |(_, position)| *position)
    }

    fn expected<'e>(&mut self, expected: impl IntoIterator<Item = &'e str>) -> Fault {
        self.skip_white();
        let expected = expected.into_iter().collect::<Vec<_>>().join("  ");
        let message = codes::CONDITION_TEXT.with("position", self.position).with("expected", expected);
        Fault { position: self.position, message }
    }

    fn skip_white(&mut self) {
        self.span(char::is_whitespace);
    }

    /// Consumes the longest prefix of matching characters.
    fn span(&mut self, belongs: impl Fn(char) -> bool) -> &'t str {
        let end = self.rest.find(|c| !belongs(c)).unwrap_or(self.rest.len());
        let (prefix, rest) = self.rest.split_at(end);
        self.position += prefix.chars().count();
        self.rest = rest;
        prefix
    }

    fn word(&mut self) -> &'t str {
        self.skip_white();
        if self.rest.starts_with(|c: char| c.is_ascii_digit()) {
            return "";
        }
        self.span(|c| c.is_alphanumeric() || c == '_')
    }

    /// Consumes the characters of a number or a date.
    fn digits(&mut self) -> &'t str {
        self.skip_white();
        self.span(|c| c.is_ascii_digit() || c == '.' || c == '-')
    }

    /// Returns the digits after a comma that has a digit on both sides; a comma between parts of a group has
    /// none.
    fn behind_comma(&self) -> Option<&'t str> {
        let behind = self.rest.strip_prefix(',')?;
        let end = behind.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(behind.len());
        behind.get(..end).filter(|digits| digits.starts_with(|c: char| c.is_ascii_digit()))
    }

    fn keyword(&mut self, keyword: &str) -> bool {
        let began = (self.rest, self.position);
        if self.word().eq_ignore_ascii_case(keyword) {
            return true;
        }
        (self.rest, self.position) = began;
        false
    }

    fn take(&mut self, sign: &str) -> bool {
        self.skip_white();
        match self.rest.strip_prefix(sign) {
            Some(rest) => {
                self.rest = rest;
                self.position += sign.chars().count();
                true
            }
            None => false,
        }
    }

    fn need(&mut self, sign: &str) -> Result<(), Fault> {
        if self.take(sign) { Ok(()) } else { Err(self.expected([sign])) }
    }
}
