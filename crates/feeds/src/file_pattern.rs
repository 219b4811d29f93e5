//! File names of a feed: text with `*`, `?` and dates such as `{yyyyMMdd}`.
//!
//! A pattern matches the names in a folder and gives the order in which several files are read. The functions
//! are pure: the caller passes the local time of the installation.

use std::fmt;

use chrono::{Datelike, NaiveDate, NaiveDateTime, Timelike};
use values::Message;

use crate::{
    codes,
    source::{EntryKind, Listing, RemoteEntry, is_companion, is_safe_name},
};

/// The longest pattern and the longest name, in characters.
pub const FILE_PATTERN_MAX: usize = 255;
/// Maximum number of asterisks in a pattern.
pub const FILE_PATTERN_STARS_MAX: usize = 8;
/// The years that a date in a name can have.
const YEARS: std::ops::RangeInclusive<u32> = 2000..=2099;
/// Characters that may stand between the fields within braces.
const SEPARATORS: &str = "-_.";

/// A pattern of file names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FilePattern {
    text: String,
    parts: Vec<Part>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    Character(char),
    AnyCharacter,
    AnyText,
    Date(Field),
}

/// A field of a date in a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Field {
    Year,
    ShortYear,
    Month,
    Day,
    Hour,
    Minute,
    Second,
}

impl Field {
    /// Fields with their tokens; longer tokens precede their prefixes.
    const TOKENS: [(&'static str, Self); 7] = [
        ("yyyy", Self::Year),
        ("yy", Self::ShortYear),
        ("MM", Self::Month),
        ("dd", Self::Day),
        ("HH", Self::Hour),
        ("mm", Self::Minute),
        ("ss", Self::Second),
    ];

    const fn digits(self) -> usize {
        if matches!(self, Self::Year) { 4 } else { 2 }
    }

    /// The place of the field in [`Fields`].
    const fn place(self) -> usize {
        match self {
            Self::Year | Self::ShortYear => 0,
            Self::Month => 1,
            Self::Day => 2,
            Self::Hour => 3,
            Self::Minute => 4,
            Self::Second => 5,
        }
    }

    fn value_in(self, local_time: NaiveDateTime) -> u32 {
        match self {
            Self::Year => local_time.year().unsigned_abs(),
            Self::ShortYear => local_time.year().unsigned_abs() % 100,
            Self::Month => local_time.month(),
            Self::Day => local_time.day(),
            Self::Hour => local_time.hour(),
            Self::Minute => local_time.minute(),
            Self::Second => local_time.second(),
        }
    }
}

/// The values of year, month, day, hour, minute and second that a name contains.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Fields([Option<u32>; 6]);

impl Fields {
    fn with(mut self, field: Field, value: u32) -> Self {
        let value = if field == Field::ShortYear { 2000 + value } else { value };
        if let Some(slot) = self.0.get_mut(field.place()) {
            *slot = Some(value);
        }
        self
    }

    /// Date and time of these fields, with the first possible value for each missing one; `None` if the date
    /// does not exist.
    fn date_time(self) -> Option<NaiveDateTime> {
        let [year, month, day, hour, minute, second] = self.0;
        let year = year.unwrap_or(2000);
        if !YEARS.contains(&year) {
            return None;
        }
        let date = NaiveDate::from_ymd_opt(year.try_into().ok()?, month.unwrap_or(1), day.unwrap_or(1))?;
        date.and_hms_opt(hour.unwrap_or(0), minute.unwrap_or(0), second.unwrap_or(0))
    }
}

/// A file name that matches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NameMatch {
    /// The date in the name, if the pattern has one. Missing fields have their first possible value.
    pub date: Option<NaiveDateTime>,
}

impl fmt::Display for FilePattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl FilePattern {
    /// Parses a pattern as people enter it; the message contains the position of an error.
    pub fn parse(text: &str) -> Result<Self, Message> {
        if text.is_empty() {
            return Err(codes::REQUIRED.into());
        }
        if text.chars().count() > FILE_PATTERN_MAX {
            return Err(codes::TOO_LONG.with("max", FILE_PATTERN_MAX));
        }
        let mut parts = Vec::new();
        let mut characters = text.chars().enumerate();
        while let Some((index, character)) = characters.next() {
            match character {
                '*' if parts.last() == Some(&Part::AnyText) => {}
                '*' => parts.push(Part::AnyText),
                '?' => parts.push(Part::AnyCharacter),
                '{' => {
                    let inside: String =
                        characters.by_ref().map(|(_, c)| c).take_while(|c| *c != '}').collect();
                    let is_closed = text.chars().nth(index + 1 + inside.chars().count()) == Some('}');
                    let date = if is_closed { date_parts(&inside) } else { None };
                    parts.extend(date.ok_or_else(|| no_date(index))?);
                }
                '}' => return Err(no_date(index)),
                _ if is_foreign(character) => return Err(no_character(index)),
                _ => parts.push(Part::Character(character)),
            }
        }
        let stars = parts.iter().filter(|part| **part == Part::AnyText).count();
        if stars > FILE_PATTERN_STARS_MAX {
            return Err(codes::FILE_PATTERN_STARS.with("max", FILE_PATTERN_STARS_MAX));
        }
        let pattern = Self { text: text.to_owned(), parts };
        if let Some(index) = pattern.repeated_date() {
            return Err(no_date(index));
        }
        // a pattern without wildcards is a name, and some names are not possible
        match pattern.literal() {
            Some(name) if !is_safe_name(&name) => Err(no_character(0)),
            _ => Ok(pattern),
        }
    }

    /// The name, if the pattern is one name without wildcards and dates.
    pub fn literal(&self) -> Option<String> {
        let character = |part: &Part| if let Part::Character(c) = part { Some(*c) } else { None };
        self.parts.iter().map(character).collect()
    }

    /// Name of a file at a local time of the installation; `None` if wildcards leave it open.
    pub fn name_at(&self, local_time: NaiveDateTime) -> Option<String> {
        let piece = |part: &Part| match part {
            Part::Character(character) => Some(character.to_string()),
            Part::Date(field) => {
                Some(format!("{:0width$}", field.value_in(local_time), width = field.digits()))
            }
            Part::AnyCharacter | Part::AnyText => None,
        };
        self.parts.iter().map(piece).collect()
    }

    /// Matches a name. Upper and lower case differ, as on the server. Unsafe names never match.
    pub fn matches(&self, name: &str) -> Option<NameMatch> {
        if !is_safe_name(name) {
            return None;
        }
        let name: Vec<char> = name.chars().collect();
        let mut search = Search { parts: &self.parts, name: &name, steps: 0 };
        let fields = search.run(0, 0, Fields::default())?;
        let has_date = fields != Fields::default();
        Some(NameMatch { date: if has_date { fields.date_time() } else { None } })
    }

    /// The files of a folder that match, oldest first: by the date in the name, or else by the time of the
    /// last change, and then by name. `.done` companions are signals and never read.
    pub fn files<'a>(&self, listing: &'a Listing) -> Vec<&'a RemoteEntry> {
        let is_readable = |entry: &&RemoteEntry| entry.kind == EntryKind::File && !is_companion(&entry.name);
        let entries = listing.entries.iter().filter(is_readable);
        let mut files: Vec<_> =
            entries.filter_map(|entry| Some((self.matches(&entry.name)?.date, entry))).collect();
        files.sort_by(|(date, entry), (other_date, other)| {
            (date, entry.modified, &entry.name).cmp(&(other_date, other.modified, &other.name))
        });
        files.into_iter().map(|(_, entry)| entry).collect()
    }

    /// The first folder whose name matches, for a message: a file was expected there.
    pub fn folder<'a>(&self, listing: &'a Listing) -> Option<&'a RemoteEntry> {
        let mut folders = listing.entries.iter().filter(|entry| entry.kind == EntryKind::Folder);
        folders.find(|entry| self.matches(&entry.name).is_some())
    }

    /// Position of the brace before a field that the pattern contains already.
    fn repeated_date(&self) -> Option<usize> {
        let mut seen = [false; 6];
        for part in &self.parts {
            let Part::Date(field) = part else { continue };
            if std::mem::replace(seen.get_mut(field.place())?, true) {
                return self.text.chars().collect::<Vec<_>>().iter().rposition(|c| *c == '{');
            }
        }
        None
    }
}

/// The parts within braces; `None` if they are anything but fields and separators.
fn date_parts(inside: &str) -> Option<Vec<Part>> {
    let mut parts = Vec::new();
    let mut rest = inside;
    while let Some(next) = rest.chars().next() {
        if SEPARATORS.contains(next) {
            parts.push(Part::Character(next));
            rest = rest.get(1..)?;
            continue;
        }
        let (token, field) = Field::TOKENS.iter().find(|(token, _)| rest.starts_with(token))?;
        parts.push(Part::Date(*field));
        rest = rest.strip_prefix(token)?;
    }
    parts.iter().any(|part| matches!(part, Part::Date(_))).then_some(parts)
}

fn is_foreign(character: char) -> bool {
    character.is_control() || matches!(character, '/' | '\\' | char::REPLACEMENT_CHARACTER)
}

fn no_date(index: usize) -> Message {
    let tokens = Field::TOKENS.map(|(token, _)| token);
    codes::FILE_PATTERN_DATE.with("position", index + 1).list("tokens", tokens).with("example", "{yyyyMMdd}")
}

fn no_character(index: usize) -> Message {
    codes::FILE_PATTERN_CHARACTER.with("position", index + 1)
}

/// Maximum number of steps of a search. The longest pattern against the longest name needs fewer, unless it
/// was designed to be slow; then the name does not match.
const STEPS_MAX: usize = 200_000;

/// A search for a way to match a name that gives a date of the calendar.
struct Search<'a> {
    parts: &'a [Part],
    name: &'a [char],
    steps: usize,
}

impl Search<'_> {
    fn run(&mut self, part: usize, position: usize, fields: Fields) -> Option<Fields> {
        self.steps += 1;
        if self.steps > STEPS_MAX {
            return None;
        }
        let Some(next) = self.parts.get(part) else {
            let is_complete = position == self.name.len() && fields.date_time().is_some();
            return is_complete.then_some(fields);
        };
        match *next {
            Part::Character(character) => {
                let matches = self.name.get(position) == Some(&character);
                if matches { self.run(part + 1, position + 1, fields) } else { None }
            }
            Part::AnyCharacter => {
                let exists = position < self.name.len();
                if exists { self.run(part + 1, position + 1, fields) } else { None }
            }
            Part::AnyText => (position..=self.name.len()).find_map(|end| self.run(part + 1, end, fields)),
            Part::Date(field) => {
                let end = position + field.digits();
                let digits: String = self.name.get(position..end)?.iter().collect();
                let is_number = digits.bytes().all(|byte| byte.is_ascii_digit());
                let value = if is_number { digits.parse().ok()? } else { return None };
                self.run(part + 1, end, fields.with(field, value))
            }
        }
    }
}

#[cfg(test)]
mod tests;
