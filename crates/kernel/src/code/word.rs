//! Words and sentences that messages contain, in both languages.

use serde::{Deserialize, Serialize};

use super::Language;

/// Word within a message that differs between the languages.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Word {
    Material,
    TradeDimension,
    AnOption,
    ANumber,
    AText,
    NumberOrDate,
    Length,
    Width,
    Height,
    Thickness,
    WebThickness,
    FlangeThickness,
    Radius,
    Diameter,
    Side,
    AcrossFlats,
    Format,
    PieceArea,
    PieceWeight,
}

impl Word {
    /// Returns the word in a language.
    pub fn text(self, language: Language) -> &'static str {
        let (de, en) = match self {
            Self::Material => ("Werkstoff", "material"),
            Self::TradeDimension => ("Handelslänge", "trade dimension"),
            Self::AnOption => ("eine Option", "an option"),
            Self::ANumber => ("eine Zahl mit Einheit", "a number with a unit"),
            Self::AText => ("einen Text", "a text"),
            Self::NumberOrDate => (
                "eine Zahl wie 123.45 oder ein Datum wie 2026-12-31",
                "a number such as 123.45 or a date such as 2026-12-31",
            ),
            Self::Length => ("Länge", "length"),
            Self::Width => ("Breite", "width"),
            Self::Height => ("Höhe", "height"),
            Self::Thickness => ("Dicke", "thickness"),
            Self::WebThickness => ("Stegdicke", "web thickness"),
            Self::FlangeThickness => ("Flanschdicke", "flange thickness"),
            Self::Radius => ("Radius", "radius"),
            Self::Diameter => ("Durchmesser", "diameter"),
            Self::Side => ("Kantenlänge", "side"),
            Self::AcrossFlats => ("Schlüsselweite", "width across flats"),
            Self::Format => ("Format (Länge x Breite)", "format (length x width)"),
            Self::PieceArea => ("Fläche je Stück", "area per piece"),
            Self::PieceWeight => ("Gewicht je Stück", "weight per piece"),
        };
        match language {
            Language::De => de,
            Language::En => en,
        }
    }
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
