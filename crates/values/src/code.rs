//! Error codes: class, name on the wire, and texts in both languages.

mod word;

use std::{
    borrow::Cow,
    collections::{BTreeMap, HashMap},
    sync::LazyLock,
};

use serde::{Deserialize, Deserializer, Serialize, de::Error as _};
use utoipa::{
    PartialSchema, ToSchema,
    openapi::{ObjectBuilder, RefOr, Schema, schema::Type},
};

pub use self::word::{Phrase, Word, WordSet};

/// Language of the product. German is the default and the fallback.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Language {
    #[default]
    De,
    En,
}

/// Class of an error; `http_api` maps each class to an HTTP status.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Class {
    Unauthenticated,
    Forbidden,
    NotFound,
    Gone,
    MethodNotAllowed,
    Conflict,
    TooLarge,
    TimedOut,
    UnsupportedMedia,
    Invalid,
    TooMany,
    Unavailable,
    NoRoom,
    Internal,
}

/// Writes a type with a name as this name, to JSON and for debugging.
macro_rules! written_as_name {
    ($type:ident) => {
        impl std::fmt::Debug for $type {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.name)
            }
        }

        impl serde::Serialize for $type {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.name)
            }
        }
    };
}
pub(crate) use written_as_name;

/// Machine-readable error code. Messages may change, codes do not. Each crate declares its own with
/// [`codes!`](crate::codes!), and keeps their texts in two files.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Code {
    name: &'static str,
    class: Class,
}

impl Code {
    #[doc(hidden)]
    pub const fn declared(name: &'static str, class: Class) -> Self {
        Self { name, class }
    }

    /// Returns the codes of all crates of this program, by name.
    pub fn all() -> impl Iterator<Item = Self> {
        DECLARED.values().map(|declared| declared.code)
    }

    /// Finds a code by its name.
    pub fn find(name: &str) -> Option<Self> {
        DECLARED.get(name).map(|declared| declared.code)
    }

    /// Name on the wire and in error files.
    pub fn as_str(self) -> &'static str {
        self.name
    }

    /// Class of the error, which gives the HTTP status.
    pub fn class(self) -> Class {
        self.class
    }

    /// Text with placeholders in braces.
    pub fn template(self, language: Language) -> &'static str {
        DECLARED.get(self.name).map_or(self.name, |declared| declared.text.text(language))
    }
}

written_as_name!(Code);

impl<'de> Deserialize<'de> for Code {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = Cow::<str>::deserialize(deserializer)?;
        Self::find(&name).ok_or_else(|| D::Error::custom(format!("unknown code: {name}")))
    }
}

impl PartialSchema for Code {
    fn schema() -> RefOr<Schema> {
        ObjectBuilder::new()
            .schema_type(Type::String)
            .description(Some("Machine-readable error code. Messages may change, codes do not."))
            .enum_values(Some(Self::all().map(Self::as_str)))
            .examples(["unknown_reference"])
            .into()
    }
}

impl ToSchema for Code {}

/// Codes of a crate, with their texts as JSON objects from code to text.
#[doc(hidden)]
pub struct CodeSet {
    pub codes: &'static [Code],
    pub de: &'static str,
    pub en: &'static str,
}

inventory::collect!(CodeSet);

struct DeclaredCode {
    code: Code,
    text: Phrase,
}

/// Codes of all crates of this program, by name.
static DECLARED: LazyLock<BTreeMap<&str, DeclaredCode>> = LazyLock::new(|| {
    let of_crate = |set: &'static CodeSet| {
        let text = texts_by_name(set.de, set.en);
        set.codes.iter().map(move |code| (code.name, DeclaredCode { code: *code, text: text(code.name) }))
    };
    inventory::iter::<CodeSet>().flat_map(of_crate).collect()
});

/// Reads the texts of a crate from its two files, JSON objects from name to text. A name without a text gets
/// an empty one, which a test reports.
fn texts_by_name(de: &'static str, en: &'static str) -> impl Fn(&str) -> Phrase {
    let read = |json| -> HashMap<String, String> {
        serde_json::from_str(json).expect("texts are a JSON object, which a test reads")
    };
    let texts = [read(de), read(en)];
    move |name| {
        // they live as long as the program, like the table that they are read for
        let [de, en] = texts.each_ref().map(|texts| &*texts.get(name).cloned().unwrap_or_default().leak());
        Phrase { de, en }
    }
}

/// Declares the error codes of a crate as constants, each with its class and its name on the wire. Their
/// texts are in the crate's `texts/errors.de.json` and `texts/errors.en.json`.
#[macro_export]
macro_rules! codes {
    ($($constant:ident $class:ident $name:literal)*) => {
        $(pub const $constant: $crate::Code = $crate::Code::declared($name, $crate::Class::$class);)*

        $crate::inventory::submit! {
            $crate::code::CodeSet {
                codes: &[$($constant,)*],
                de: include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/texts/errors.de.json")),
                en: include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/texts/errors.en.json")),
            }
        }
    };
}
