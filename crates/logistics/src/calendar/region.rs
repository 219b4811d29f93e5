//! Regions with known public holidays: the German states and Austria.

use std::{fmt, str::FromStr};

use sea_orm::{DeriveActiveEnum, EnumIter, prelude::StringLen};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use values::Language;

macro_rules! regions {
    // `$code` is a token, because the documentation does not accept a literal that a macro has matched as
    // such.
    ($($region:ident $code:tt $de:literal $en:literal)*) => {
        /// Region with public holidays of its own, by its ISO 3166 code.
        #[derive(
            Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema, EnumIter, DeriveActiveEnum,
        )]
        #[sea_orm(rs_type = "String", db_type = "String(StringLen::N(8))")]
        pub enum Region { $(#[serde(rename = $code)] #[sea_orm(string_value = $code)] $region,)* }

        impl Region {
            pub const ALL: &'static [Self] = &[$(Self::$region,)*];

            /// Codes of all regions.
            pub const CODES: &'static [&'static str] = &[$($code,)*];

            /// Name for people.
            pub fn name(self, language: Language) -> &'static str {
                match (self, language) {
                    $((Self::$region, Language::De) => $de, (Self::$region, Language::En) => $en,)*
                }
            }

            /// Name in the API, in the database and in settings.
            pub fn as_str(self) -> &'static str {
                match self { $(Self::$region => $code,)* }
            }
        }
    };
}

regions! {
    BadenWuerttemberg     "DE-BW" "Baden-Württemberg" "Baden-Württemberg"
    Bavaria               "DE-BY" "Bayern" "Bavaria"
    Berlin                "DE-BE" "Berlin" "Berlin"
    Brandenburg           "DE-BB" "Brandenburg" "Brandenburg"
    Bremen                "DE-HB" "Bremen" "Bremen"
    Hamburg               "DE-HH" "Hamburg" "Hamburg"
    Hesse                 "DE-HE" "Hessen" "Hesse"
    MecklenburgVorpommern "DE-MV" "Mecklenburg-Vorpommern" "Mecklenburg-Vorpommern"
    LowerSaxony           "DE-NI" "Niedersachsen" "Lower Saxony"
    NorthRhineWestphalia  "DE-NW" "Nordrhein-Westfalen" "North Rhine-Westphalia"
    RhinelandPalatinate   "DE-RP" "Rheinland-Pfalz" "Rhineland-Palatinate"
    Saarland              "DE-SL" "Saarland" "Saarland"
    Saxony                "DE-SN" "Sachsen" "Saxony"
    SaxonyAnhalt          "DE-ST" "Sachsen-Anhalt" "Saxony-Anhalt"
    SchleswigHolstein     "DE-SH" "Schleswig-Holstein" "Schleswig-Holstein"
    Thuringia             "DE-TH" "Thüringen" "Thuringia"
    Austria               "AT" "Österreich" "Austria"
}

impl fmt::Display for Region {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for Region {
    type Err = String;

    fn from_str(code: &str) -> Result<Self, String> {
        let region = Self::ALL.iter().copied().find(|region| region.as_str() == code);
        region.ok_or_else(|| format!("possible are {}", Self::CODES.join(", ")))
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use serde_json::Value;

    use super::*;

    #[test]
    fn region_names_in_files_match_those_on_screen() {
        for (folder, language) in [("de", Language::De), ("en", Language::En)] {
            let path =
                format!("{}/../../frontend/src/i18n/{folder}/warehouses.json", env!("CARGO_MANIFEST_DIR"));
            let texts: Value = serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap();
            for region in Region::ALL {
                assert_eq!(texts["enums"]["region"][region.as_str()], region.name(language));
            }
        }
    }
}
