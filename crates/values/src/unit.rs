//! Units of measure: every unit belongs to one category, and only units of the same category convert into
//! each other.

use std::sync::LazyLock;

use sea_orm::{DeriveActiveEnum, EnumIter, prelude::StringLen};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{
    code::{Code, Language},
    codes,
    decimal::Decimal,
    fold::fold,
    message::Message,
};

/// Category of units: the measured dimension.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema, EnumIter, DeriveActiveEnum,
)]
#[serde(rename_all = "snake_case")]
#[sea_orm(rs_type = "String", db_type = "String(StringLen::N(16))", rename_all = "snake_case")]
pub enum UnitCategory {
    Area,
    Length,
    Mass,
    Pieces,
    Volume,
}

macro_rules! units {
    // `$wire` is a `tt` because the derive of the API documentation does not see a matched `literal`
    ($($unit:ident $wire:tt $category:ident $symbol:literal $factor:literal / $per:literal [$($name:literal),*])*) => {
        /// Unit of measure.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema, EnumIter, DeriveActiveEnum)]
        #[sea_orm(rs_type = "String", db_type = "String(StringLen::N(8))")]
        #[schema(example = "m")]
        pub enum Unit { $(#[serde(rename = $wire)] #[sea_orm(string_value = $wire)] $unit,)* }

        impl Unit {
            pub const ALL: &'static [Self] = &[$(Self::$unit,)*];

            /// Names of all units.
            pub const NAMES: &'static [&'static str] = &[$($wire,)*];

            /// Name on the wire, in the database and in templates.
            pub fn as_str(self) -> &'static str {
                match self { $(Self::$unit => $wire,)* }
            }

            pub fn category(self) -> UnitCategory {
                match self { $(Self::$unit => UnitCategory::$category,)* }
            }

            /// Symbol after a number: `m²`.
            pub fn symbol(self, language: Language) -> &'static str {
                match (self, language) {
                    // the only symbol that is a word
                    (Self::Piece, Language::En) => "pcs",
                    $((Self::$unit, _) => $symbol,)*
                }
            }

            /// Conversion factor to the category's base unit, as a fraction.
            pub fn factor(self) -> (i64, i64) {
                match self { $(Self::$unit => ($factor, $per),)* }
            }

            /// Further spellings in files and by people.
            pub fn spellings(self) -> &'static [&'static str] {
                match self { $(Self::$unit => &[$($name),*],)* }
            }
        }
    };
}

units! {
    Millimetre       "mm"    Length "mm"  1 / 1             ["Millimeter", "millimetre", "MMT"]
    Centimetre       "cm"    Length "cm"  10 / 1            ["Zentimeter", "centimetre", "CMT"]
    Decimetre        "dm"    Length "dm"  100 / 1           ["Dezimeter", "decimetre", "DMT"]
    Metre            "m"     Length "m"   1000 / 1          ["Meter", "metre", "lfm", "lfdm", "mtr", "LM", "Laufmeter", "lfd. m", "lfd.m", "lfd m"]
    Kilometre        "km"    Length "km"  1_000_000 / 1     ["Kilometer", "kilometre", "KMT"]
    SquareMillimetre "mm2"   Area   "mm²" 1 / 1_000_000     ["qmm", "MMK"]
    SquareCentimetre "cm2"   Area   "cm²" 1 / 10000         ["qcm", "CMK"]
    SquareDecimetre  "dm2"   Area   "dm²" 1 / 100           ["qdm", "DMK"]
    SquareMetre      "m2"    Area   "m²"  1 / 1             ["qm", "Quadratmeter", "square metre", "MTK"]
    Milligram        "mg"    Mass   "mg"  1 / 1_000_000     ["Milligramm", "MGM"]
    Gram             "g"     Mass   "g"   1 / 1000          ["Gramm", "gr", "GRM"]
    Kilogram         "kg"    Mass   "kg"  1 / 1             ["Kilogramm", "kilogram", "kilo", "KGM", "KGS"]
    Tonne            "t"     Mass   "t"   1000 / 1          ["to", "Tonne", "Tonnen", "tonnes", "TNE", "MT"]
    Piece            "piece" Pieces "St"  1 / 1             ["Stk", "Stck", "Stück", "Stueck", "pc", "pcs", "pce", "pieces", "H87", "C62", "EA", "each"]
    CubicCentimetre  "cm3"   Volume "cm³" 1 / 1000          ["ccm", "ml", "MLT", "CMQ"]
    CubicDecimetre   "dm3"   Volume "dm³" 1 / 1             ["DMQ"]
    Litre            "l"     Volume "l"   1 / 1             ["Liter", "litre", "ltr"]
    CubicMetre       "m3"    Volume "m³"  1000 / 1          ["cbm", "Kubikmeter", "cubic metre", "MTQ"]
}

/// Folded spellings of 100 kg, the DTN of UN/ECE Recommendation 20.
const DECITONNE: [&str; 4] = ["dt", "dtn", "dezitonne", "decitonne"];

impl UnitCategory {
    pub const ALL: &'static [Self] = &[Self::Area, Self::Length, Self::Mass, Self::Pieces, Self::Volume];

    /// Unit in which values of this category are stored.
    pub fn base(self) -> Unit {
        match self {
            Self::Area => Unit::SquareMetre,
            Self::Length => Unit::Millimetre,
            Self::Mass => Unit::Kilogram,
            Self::Pieces => Unit::Piece,
            Self::Volume => Unit::CubicDecimetre,
        }
    }

    /// Units of the category, in the order of [`Unit::ALL`].
    pub fn units(self) -> impl Iterator<Item = Unit> {
        Unit::ALL.iter().copied().filter(move |unit| unit.category() == self)
    }
}

impl Unit {
    /// Parses a spelling, ignoring case, umlauts, dots and white space: `Stk.`, `M²`, `lfm`.
    pub fn parse(text: &str) -> Option<Self> {
        static SPELLINGS: LazyLock<Vec<(String, Unit)>> = LazyLock::new(|| {
            Unit::ALL
                .iter()
                .flat_map(|unit| {
                    let spellings = unit.spellings().iter().copied();
                    spellings
                        .chain([unit.as_str(), unit.symbol(Language::De)])
                        .map(|spelling| (fold(spelling), *unit))
                })
                .collect()
        });
        let folded = fold(text.trim().trim_end_matches('.'));
        SPELLINGS.iter().find(|(spelling, _)| *spelling == folded).map(|(_, unit)| *unit)
    }

    /// Parses a spelling that may stand for a multiple of a unit: a decitonne is 100 kg.
    pub fn parse_multiple(text: &str) -> Option<(i32, Self)> {
        if let Some(unit) = Self::parse(text) {
            return Some((1, unit));
        }
        let folded = fold(text.trim().trim_end_matches('.'));
        DECITONNE.contains(&&*folded).then_some((100, Self::Kilogram))
    }

    /// Parses a unit of a category like [`Unit::parse`]; the error lists the possible units.
    pub fn parse_in(text: &str, category: UnitCategory) -> Result<Self, Message> {
        let refused = |code: Code| code.with("unit", text).units("known", category.units());
        match Self::parse(text) {
            None => Err(refused(codes::UNKNOWN_UNIT)),
            Some(unit) if unit.category() != category => Err(refused(codes::WRONG_UNIT_CATEGORY)),
            Some(unit) => Ok(unit),
        }
    }

    /// One of this unit in base units of its category.
    pub fn in_base_units(self) -> Decimal {
        let (factor, per) = self.factor();
        Decimal::ONE.scaled(factor, per).expect("factors are small")
    }
}

/// Converts `value` from one unit to another, rounded half away from zero to six places.
///
/// Returns `None` if the units have different categories or the result is out of range.
pub fn convert(value: Decimal, from: Unit, to: Unit) -> Option<Decimal> {
    if from.category() != to.category() {
        return None;
    }
    let ((up, down), (to_up, to_down)) = (from.factor(), to.factor());
    value.scaled(up * to_down, down * to_up)
}

/// Converts like [`convert`]; `None` also if rounding would lose precision.
pub fn convert_exactly(value: Decimal, from: Unit, to: Unit) -> Option<Decimal> {
    convert(value, from, to).filter(|converted| convert(*converted, to, from) == Some(value))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decimal(text: &str) -> Decimal {
        text.parse().unwrap()
    }

    #[test]
    fn conversions_that_would_round_have_no_exact_result() {
        let exactly = |value: &str| convert_exactly(decimal(value), Unit::Millimetre, Unit::Metre);
        assert_eq!(exactly("12.123"), Some(decimal("0.012123")));
        assert_eq!(exactly("12.1234"), None);
        assert_eq!(convert_exactly(decimal("1"), Unit::Metre, Unit::Kilogram), None);
    }

    #[test]
    fn only_units_of_the_same_category_are_converted() {
        for (value, from, to, expected) in [
            ("12.1", "m", "mm", Some("12100")),
            ("12100", "mm", "m", Some("12.1")),
            ("121", "dm", "lfm", Some("12.1")),
            ("0.85", "to", "kg", Some("850")),
            ("1", "mm2", "m2", Some("0.000001")),
            ("1", "m3", "l", Some("1000")),
            ("3", "Stk.", "piece", Some("3")),
            ("1", "m", "m2", None),
            ("1", "kg", "m", None),
            ("999999999999", "km", "mm", None),
        ] {
            let (from, to) = (Unit::parse(from).unwrap(), Unit::parse(to).unwrap());
            assert_eq!(
                convert(decimal(value), from, to),
                expected.map(decimal),
                "{value} {from:?} in {to:?}"
            );
        }
    }

    #[test]
    fn spellings_are_found_in_any_case_and_belong_to_one_unit() {
        for (text, unit) in [
            ("M", Unit::Metre),
            ("m²", Unit::SquareMetre),
            ("M2", Unit::SquareMetre),
            ("Stück", Unit::Piece),
            ("STK.", Unit::Piece),
            ("to", Unit::Tonne),
            (" kg ", Unit::Kilogram),
        ] {
            assert_eq!(Unit::parse(text), Some(unit), "{text}");
        }
        assert_eq!(Unit::parse("Elle"), None);
        assert_eq!(Unit::parse(""), None);

        let mut owners = std::collections::HashMap::new();
        for unit in Unit::ALL {
            for spelling in unit.spellings().iter().chain([
                &unit.as_str(),
                &unit.symbol(Language::De),
                &unit.symbol(Language::En),
            ]) {
                assert_eq!(*owners.entry(fold(spelling)).or_insert(unit), unit, "{spelling}");
            }
        }
    }

    #[test]
    fn a_refusal_names_the_units_that_fit() {
        assert_eq!(Unit::parse_in("kg", UnitCategory::Length).unwrap_err().code, codes::WRONG_UNIT_CATEGORY);
        let message = Unit::parse_in("Elle", UnitCategory::Length).unwrap_err();
        assert_eq!(
            message.text(crate::Language::En),
            "Unknown unit “Elle”; possible units: mm, cm, dm, m, km"
        );
    }

    #[test]
    fn the_base_unit_of_a_category_has_factor_one() {
        for category in UnitCategory::ALL {
            assert_eq!(category.base().category(), *category);
            assert_eq!(category.base().in_base_units(), Decimal::ONE);
        }
    }
}
