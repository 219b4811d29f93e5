//! Messages: an error code with the values for the placeholders of its text.

use std::borrow::Cow;

use serde::{Deserialize, Deserializer, Serialize};

use crate::{
    code::{Code, Language, Phrase, Word},
    decimal::Decimal,
    unit::Unit,
};

/// Error code with the values for the placeholders of its text.
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
    /// Message of this code with a value for the placeholder `{name}`.
    pub fn with(self, name: &str, value: impl ToString) -> Message {
        Message::from(self).with(name, value)
    }

    /// Message of this code with several values for the placeholder `{name}`.
    pub fn list<V: AsRef<str>>(self, name: &str, values: impl IntoIterator<Item = V>) -> Message {
        Message::from(self).list(name, values)
    }
}

/// Maximum length of a value that a message quotes, in characters: any name of ours, and the beginning of any
/// longer input.
pub(crate) const QUOTED_MAX: usize = 255;
/// Maximum length of a list of values, in characters.
const LISTED_MAX: usize = 2_000;

/// Shortens a text to at most `max` characters, the last of which is then an ellipsis.
pub fn shortened(text: &str, max: usize) -> Cow<'_, str> {
    if text.len() <= max || text.chars().nth(max).is_none() {
        return text.into();
    }
    let end = text.char_indices().nth(max.saturating_sub(1)).map_or(0, |(end, _)| end);
    format!("{}…", text.get(..end).unwrap_or_default()).into()
}

/// Prepares a value for a message: shortened and on one line. Above all it removes NUL, which no database
/// stores.
fn quoted(value: &str) -> String {
    shortened(value, QUOTED_MAX).replace(char::is_control, " ")
}

/// Reads a value of a stored message, which may be older than the length limit.
fn bounded<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    String::deserialize(deserializer).map(|text| shortened(&text, LISTED_MAX).into_owned())
}

impl Message {
    /// Sets the placeholder `{name}` to a value; a long one is shortened.
    #[must_use]
    pub fn with(mut self, name: &str, value: impl ToString) -> Self {
        let value = quoted(&value.to_string());
        self.params.push((name.to_owned(), Param::Text(value)));
        self
    }

    /// Sets a placeholder to several values, separated by commas; a long list is cut.
    #[must_use]
    pub fn list<V: AsRef<str>>(mut self, name: &str, values: impl IntoIterator<Item = V>) -> Self {
        let mut list = String::new();
        let mut remaining = LISTED_MAX;
        for value in values {
            let value = quoted(value.as_ref());
            let next = if list.is_empty() { value } else { format!(", {value}") };
            let length = next.chars().count();
            // Room for the ellipsis.
            if length >= remaining {
                list.push_str(", …");
                break;
            }
            remaining -= length;
            list.push_str(&next);
        }
        self.params.push((name.to_owned(), Param::Text(list)));
        self
    }

    /// Sets a placeholder to a word, which is translated.
    #[must_use]
    pub fn word(mut self, name: &str, word: Word) -> Self {
        self.params.push((name.to_owned(), Param::Word { word }));
        self
    }

    /// Sets a placeholder to words, which are translated and separated by commas.
    #[must_use]
    pub fn words(mut self, name: &str, words: impl IntoIterator<Item = Word>) -> Self {
        self.params.push((name.to_owned(), Param::Words { words: words.into_iter().collect() }));
        self
    }

    /// Sets a placeholder to a unit in the notation of the reader's language.
    #[must_use]
    pub fn unit(self, name: &str, unit: Unit) -> Self {
        self.units(name, [unit])
    }

    /// Sets a placeholder to units in the notation of the reader's language, without duplicates and separated
    /// by commas.
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

    /// Sets a placeholder to sentences in the reader's language, one after the other.
    #[must_use]
    pub fn phrases(mut self, name: &str, phrases: &[Phrase]) -> Self {
        let text_in =
            |language| phrases.iter().map(|phrase| phrase.text(language)).collect::<Vec<_>>().join(" ");
        self.params
            .push((name.to_owned(), Param::Phrases { de: text_in(Language::De), en: text_in(Language::En) }));
        self
    }

    /// Sets a placeholder to a number in the notation of the reader's language.
    #[must_use]
    pub fn number_of(self, name: &str, number: Decimal) -> Self {
        let text = number.to_string();
        self.in_both(name, text.replace('.', ","), text)
    }

    /// Sets a placeholder to a local time in the notation of the reader's language: `31.12.2026 23:59:00
    /// Uhr`.
    #[must_use]
    pub fn clock(self, name: &str, local: chrono::NaiveDateTime) -> Self {
        let (de, en) = (local.format("%d.%m.%Y %H:%M:%S Uhr"), local.format("%d-%m-%Y %H:%M:%S"));
        self.in_both(name, de.to_string(), en.to_string())
    }

    /// Sets a placeholder to texts that differ between the languages, separated by commas.
    #[must_use]
    pub fn texts(self, name: &str, texts: impl Fn(Language) -> Vec<String>) -> Self {
        let [de, en] = [Language::De, Language::En].map(|language| texts(language).join(", "));
        self.in_both(name, de, en)
    }

    pub(crate) fn in_both(mut self, name: &str, de: String, en: String) -> Self {
        self.params.push((name.to_owned(), Param::Phrases { de, en }));
        self
    }

    /// Sets a placeholder to the text of another message.
    #[must_use]
    pub fn message(mut self, name: &str, message: Self) -> Self {
        self.params.push((name.to_owned(), Param::Message { message }));
        self
    }

    /// Returns the value of a placeholder if it is a text, for further processing.
    pub fn value(&self, name: &str) -> Option<&str> {
        self.params.iter().find_map(|(param, value)| match value {
            Param::Text(text) if param == name => Some(text.as_str()),
            _ => None,
        })
    }

    /// Returns the value of a placeholder if it is a number.
    pub fn number(&self, name: &str) -> Option<u64> {
        self.value(name)?.parse().ok()
    }

    /// Text for people.
    pub fn text(&self, language: Language) -> String {
        let mut text = String::new();
        let mut rest = self.code.template(language);
        while let Some((before, after)) = rest.split_once('{') {
            text.push_str(before);
            let (name, behind) = after.split_once('}').unwrap_or((after, ""));
            match self.params.iter().find(|(param, _)| param == name) {
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

#[cfg(test)]
mod tests;
