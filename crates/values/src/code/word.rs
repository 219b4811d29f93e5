//! Words and sentences that messages contain, in both languages.

use std::{borrow::Cow, collections::BTreeMap, sync::LazyLock};

use serde::{Deserialize, Deserializer, de::Error as _};

use super::{Language, texts_by_name, written_as_name};

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
        DECLARED.get(self.name).map_or(self.name, |text| text.text(language))
    }
}

written_as_name!(Word);

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

/// Words of all crates of this program, by name.
static DECLARED: LazyLock<BTreeMap<&str, Phrase>> = LazyLock::new(|| {
    let of_crate = |set: &'static WordSet| {
        let text = texts_by_name(set.de, set.en);
        set.words.iter().map(move |word| (word.name, text(word.name)))
    };
    inventory::iter::<WordSet>().flat_map(of_crate).collect()
});

/// Declares the words of a crate as constants, each with its name in stored messages. Their texts are in the
/// crate's `texts/words.de.json` and `texts/words.en.json`.
#[macro_export]
macro_rules! words {
    ($($constant:ident $name:literal)*) => {
        $(pub(crate) const $constant: $crate::code::Word = $crate::code::Word::declared($name);)*

        $crate::inventory::submit! {
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
