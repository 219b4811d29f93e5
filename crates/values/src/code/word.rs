//! Words and sentences that messages contain, in both languages.

use std::{borrow::Cow, collections::BTreeMap, fmt, sync::LazyLock};

use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};

use super::Language;

/// Word within a message that differs between the languages. Each crate declares its own with
/// [`words!`](crate::words!), and keeps their texts in two files.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Word {
    name: &'static str,
}

impl Word {
    #[doc(hidden)]
    pub const fn declared(name: &'static str) -> Self {
        Self { name }
    }

    /// Returns the words of all crates of this program, by name.
    pub fn all() -> impl Iterator<Item = Self> {
        DECLARED.keys().map(|name| Self { name })
    }

    /// Name in a stored message.
    pub fn as_str(self) -> &'static str {
        self.name
    }

    /// Returns the word in a language.
    pub fn text(self, language: Language) -> &'static str {
        DECLARED.get(self.name).map_or(self.name, |texts| texts.text(language))
    }
}

impl fmt::Debug for Word {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

impl Serialize for Word {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name)
    }
}

impl<'de> Deserialize<'de> for Word {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = Cow::<str>::deserialize(deserializer)?;
        let declared = DECLARED.get_key_value(&*name).map(|(name, _)| Self { name });
        declared.ok_or_else(|| D::Error::custom(format!("unknown word: {name}")))
    }
}

/// Words of a crate, with their texts as JSON objects from word to text.
#[doc(hidden)]
pub struct WordSet {
    pub words: &'static [Word],
    pub de: &'static str,
    pub en: &'static str,
}

inventory::collect!(WordSet);

struct Texts {
    de: String,
    en: String,
}

impl Texts {
    fn text(&self, language: Language) -> &str {
        match language {
            Language::De => &self.de,
            Language::En => &self.en,
        }
    }
}

/// Words of all crates of this program, by name.
static DECLARED: LazyLock<BTreeMap<&str, Texts>> = LazyLock::new(|| {
    let mut declared = BTreeMap::new();
    for set in inventory::iter::<WordSet> {
        let (mut de, mut en) = (super::texts_by_name(set.de), super::texts_by_name(set.en));
        for word in set.words {
            let [de, en] = [&mut de, &mut en].map(|texts| texts.remove(word.name).unwrap_or_default());
            declared.insert(word.name, Texts { de, en });
        }
    }
    declared
});

/// Declares the words of a crate as constants, each with its name in stored messages. Their texts are in the
/// crate's `texts/words.de.json` and `texts/words.en.json`.
#[macro_export]
macro_rules! words {
    ($($constant:ident $name:literal)*) => {
        $(pub(crate) const $constant: $crate::code::Word = $crate::code::Word::declared($name);)*

        $crate::code::inventory::submit! {
            $crate::code::WordSet {
                words: &[$($constant,)*],
                de: include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/texts/words.de.json")),
                en: include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/texts/words.en.json")),
            }
        }
    };
}

/// Sentence or name in both languages, for use within a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Phrase {
    pub de: &'static str,
    pub en: &'static str,
}

impl Phrase {
    /// Returns the phrase in a language.
    pub fn text(self, language: Language) -> &'static str {
        match language {
            Language::De => self.de,
            Language::En => self.en,
        }
    }
}
