//! A code with the values that its text names.

use std::borrow::Cow;

use serde::{Deserialize, Deserializer, Serialize};

use super::{Code, Language, Phrase, Word};
use crate::{decimal::Decimal, unit::Unit};

/// A code with the values that its text names.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Message {
    pub code: Code,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    params: Vec<(String, Param)>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
enum Param {
    Text(#[serde(deserialize_with = "bounded")] String),
    Word { word: Word },
    Words { words: Vec<Word> },
    Units { units: Vec<Unit> },
    Phrases { de: String, en: String },
    Message { message: Message },
}

impl From<Code> for Message {
    fn from(code: Code) -> Self {
        Self { code, params: Vec::new() }
    }
}

impl Code {
    /// This code with a value for a `{name}` of its text.
    pub fn with(self, name: &str, value: impl ToString) -> Message {
        Message::from(self).with(name, value)
    }

    /// This code with several values for a `{name}` of its text.
    pub fn list<V: AsRef<str>>(self, name: &str, values: impl IntoIterator<Item = V>) -> Message {
        Message::from(self).list(name, values)
    }
}

/// As much of a value as a message quotes, in characters: any name of ours, and the beginning of whatever somebody sends.
pub(crate) const QUOTED_MAX: usize = 255;
/// As much of several values, in characters.
const LISTED_MAX: usize = 2_000;

/// At most so many characters of a text, the last of which then says that there is more.
pub fn shortened(text: &str, max: usize) -> Cow<'_, str> {
    if text.len() <= max || text.chars().nth(max).is_none() {
        return text.into();
    }
    let kept = text.char_indices().nth(max.saturating_sub(1)).map_or(0, |(end, _)| end);
    format!("{}…", text.get(..kept).unwrap_or_default()).into()
}

/// What a message repeats of a value: not too much, and on one line. A NUL, above all, no database takes.
fn quoted(value: &str) -> String {
    shortened(value, QUOTED_MAX).replace(char::is_control, " ")
}

/// A value of a stored message, which was perhaps written before there was a bound.
fn bounded<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    String::deserialize(deserializer).map(|text| shortened(&text, LISTED_MAX).into_owned())
}

impl Message {
    /// A value for a `{name}` of the text; of a long one only the beginning.
    #[must_use]
    pub fn with(mut self, name: &str, value: impl ToString) -> Self {
        let value = quoted(&value.to_string());
        self.params.push((name.to_owned(), Param::Text(value)));
        self
    }

    /// Several values, with commas between them; of many only the first.
    #[must_use]
    pub fn list<V: AsRef<str>>(mut self, name: &str, values: impl IntoIterator<Item = V>) -> Self {
        let mut list = String::new();
        let mut left = LISTED_MAX;
        for value in values {
            let value = quoted(value.as_ref());
            let next = if list.is_empty() { value } else { format!(", {value}") };
            let length = next.chars().count();
            // Room for the sign that there is more.
            if length >= left {
                list.push_str(", …");
                break;
            }
            left -= length;
            list.push_str(&next);
        }
        self.params.push((name.to_owned(), Param::Text(list)));
        self
    }

    /// A word of the reader's language for a `{name}` of the text.
    #[must_use]
    pub fn word(mut self, name: &str, word: Word) -> Self {
        self.params.push((name.to_owned(), Param::Word { word }));
        self
    }

    /// Words of the reader's language, with commas between them.
    #[must_use]
    pub fn words(mut self, name: &str, words: impl IntoIterator<Item = Word>) -> Self {
        self.params.push((name.to_owned(), Param::Words { words: words.into_iter().collect() }));
        self
    }

    /// A unit as the reader writes it.
    #[must_use]
    pub fn unit(self, name: &str, unit: Unit) -> Self {
        self.units(name, [unit])
    }

    /// Units as the reader writes them, each once, with commas between them.
    #[must_use]
    pub fn units(mut self, name: &str, units: impl IntoIterator<Item = Unit>) -> Self {
        let mut listed = Vec::new();
        for unit in units {
            if !listed.contains(&unit) {
                listed.push(unit);
            }
        }
        self.params.push((name.to_owned(), Param::Units { units: listed }));
        self
    }

    /// Sentences of the reader's language, one after the other.
    #[must_use]
    pub fn phrases(mut self, name: &str, phrases: &[Phrase]) -> Self {
        let of = |language| phrases.iter().map(|phrase| phrase.text(language)).collect::<Vec<_>>().join(" ");
        self.params.push((name.to_owned(), Param::Phrases { de: of(Language::De), en: of(Language::En) }));
        self
    }

    /// A number as the reader writes it.
    #[must_use]
    pub fn number_of(self, name: &str, number: Decimal) -> Self {
        let text = number.to_string();
        self.in_both(name, text.replace('.', ","), text)
    }

    /// A time of the installation's clock as the reader writes it: `31.12.2026 23:59:00 Uhr`.
    #[must_use]
    pub fn clock(self, name: &str, local: chrono::NaiveDateTime) -> Self {
        let (de, en) = (local.format("%d.%m.%Y %H:%M:%S Uhr"), local.format("%d-%m-%Y %H:%M:%S"));
        self.in_both(name, de.to_string(), en.to_string())
    }

    /// Texts that each language writes in its own way, with commas between them.
    #[must_use]
    pub fn texts(self, name: &str, texts: impl Fn(Language) -> Vec<String>) -> Self {
        let [de, en] = [Language::De, Language::En].map(|language| texts(language).join(", "));
        self.in_both(name, de, en)
    }

    pub(crate) fn in_both(mut self, name: &str, de: String, en: String) -> Self {
        self.params.push((name.to_owned(), Param::Phrases { de, en }));
        self
    }

    /// Another message, as one reads it within this one.
    #[must_use]
    pub fn message(mut self, name: &str, message: Self) -> Self {
        self.params.push((name.to_owned(), Param::Message { message }));
        self
    }

    /// A value that is a text, for whoever goes on with it.
    pub fn value(&self, name: &str) -> Option<&str> {
        self.params.iter().find_map(|(known, value)| match value {
            Param::Text(text) if known == name => Some(text.as_str()),
            _ => None,
        })
    }

    /// The same of a number.
    pub fn number(&self, name: &str) -> Option<u64> {
        self.value(name)?.parse().ok()
    }

    /// What a person reads.
    pub fn text(&self, language: Language) -> String {
        let mut text = String::new();
        let mut rest = self.code.template(language);
        while let Some((before, after)) = rest.split_once('{') {
            text.push_str(before);
            let (name, behind) = after.split_once('}').unwrap_or((after, ""));
            match self.params.iter().find(|(known, _)| known == name) {
                Some((_, Param::Text(value))) => text.push_str(value),
                Some((_, Param::Word { word })) => text.push_str(word.text(language)),
                Some((_, Param::Message { message })) => text.push_str(&message.text(language)),
                Some((_, Param::Phrases { de, en })) => text.push_str(match language {
                    Language::De => de,
                    Language::En => en,
                }),
                Some((_, Param::Words { words })) => {
                    let words: Vec<_> = words.iter().map(|word| word.text(language)).collect();
                    text.push_str(&words.join(", "));
                }
                Some((_, Param::Units { units })) => {
                    let units: Vec<_> = units.iter().map(|unit| unit.symbol(language)).collect();
                    text.push_str(&units.join(", "));
                }
                None => text.extend(["{", name, "}"]),
            }
            rest = behind;
        }
        text + rest
    }
}
