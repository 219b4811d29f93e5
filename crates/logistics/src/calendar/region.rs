//! Regions whose public holidays are known: the German states and Austria.

use std::{fmt, str::FromStr};

use sea_orm::{DeriveActiveEnum, EnumIter, prelude::StringLen};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

macro_rules! regions {
    // `$code` is a token: the documentation does not see a literal that a macro has matched as such
    ($($region:ident $code:tt)*) => {
        /// A region with holidays of its own, by its code after ISO 3166.
        #[derive(
            Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema, EnumIter, DeriveActiveEnum,
        )]
        #[sea_orm(rs_type = "String", db_type = "String(StringLen::N(8))")]
        pub enum Region { $(#[serde(rename = $code)] #[sea_orm(string_value = $code)] $region,)* }

        impl Region {
            pub const ALL: &'static [Self] = &[$(Self::$region,)*];

            /// The codes of all regions.
            pub const CODES: &'static [&'static str] = &[$($code,)*];

            /// The name on the wire, in the database and in settings.
            pub fn as_str(self) -> &'static str {
                match self { $(Self::$region => $code,)* }
            }
        }
    };
}

regions! {
    BadenWuerttemberg     "DE-BW"
    Bavaria               "DE-BY"
    Berlin                "DE-BE"
    Brandenburg           "DE-BB"
    Bremen                "DE-HB"
    Hamburg               "DE-HH"
    Hesse                 "DE-HE"
    MecklenburgVorpommern "DE-MV"
    LowerSaxony           "DE-NI"
    NorthRhineWestphalia  "DE-NW"
    RhinelandPalatinate   "DE-RP"
    Saarland              "DE-SL"
    Saxony                "DE-SN"
    SaxonyAnhalt          "DE-ST"
    SchleswigHolstein     "DE-SH"
    Thuringia             "DE-TH"
    Austria               "AT"
}

impl fmt::Display for Region {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for Region {
    type Err = String;

    fn from_str(code: &str) -> Result<Self, String> {
        let known = Self::ALL.iter().copied().find(|region| region.as_str() == code);
        known.ok_or_else(|| format!("possible are {}", Self::CODES.join(", ")))
    }
}
