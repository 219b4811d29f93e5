//! Strategies for records that do not exist, or that a file does not name.

use sea_orm::{DeriveActiveEnum, EnumIter, prelude::StringLen};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Strategy for records that do not exist, or that the file does not name.
#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    Hash,
    Default,
    Serialize,
    Deserialize,
    ToSchema,
    EnumIter,
    DeriveActiveEnum,
)]
#[sea_orm(rs_type = "String", db_type = "String(StringLen::N(16))")]
#[serde(rename_all = "snake_case")]
#[schema(as = ImportStrategy)]
pub enum Strategy {
    /// Creates missing records, and leaves records that are not named unchanged.
    #[default]
    #[sea_orm(string_value = "add_and_replace")]
    AddAndReplace,
    /// Skips rows whose records do not exist.
    #[sea_orm(string_value = "only_existing")]
    OnlyExisting,
    /// Creates missing records, and removes records that are not named once all rows are applied. Requires a
    /// dry run first, which reports the number of removals.
    #[sea_orm(string_value = "replace_all")]
    ReplaceAll,
}

impl Strategy {
    pub const ALL: [Self; 3] = [Self::AddAndReplace, Self::OnlyExisting, Self::ReplaceAll];

    /// Name on the wire.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::AddAndReplace => "add_and_replace",
            Self::OnlyExisting => "only_existing",
            Self::ReplaceAll => "replace_all",
        }
    }
}

/// Records that a file with the strategy `replace_all` covers.
#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    Hash,
    Default,
    Serialize,
    Deserialize,
    ToSchema,
    EnumIter,
    DeriveActiveEnum,
)]
#[sea_orm(rs_type = "String", db_type = "String(StringLen::N(16))")]
#[serde(rename_all = "snake_case")]
#[schema(as = ImportReplaceScope)]
pub enum ReplaceScope {
    /// Stocks in the warehouses that the file names.
    #[default]
    #[sea_orm(string_value = "named_warehouses")]
    NamedWarehouses,
    /// All records, also in warehouses that the file does not name.
    #[sea_orm(string_value = "all")]
    All,
}

impl ReplaceScope {
    pub const ALL: [Self; 2] = [Self::NamedWarehouses, Self::All];

    /// Name on the wire.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::NamedWarehouses => "named_warehouses",
            Self::All => "all",
        }
    }
}

/// Number of removals above which it must be confirmed, independent of their share.
const MANY_REMOVALS: i64 = 100;

/// True if the number of `removed` records must be confirmed, if `remaining` ones stay in the same
/// scope: more than 100, or more than a tenth of all.
pub fn needs_confirmation(removed: i64, remaining: i64) -> bool {
    removed > MANY_REMOVALS || removed.saturating_mul(10) > removed.saturating_add(remaining)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_removals_or_a_large_share_need_confirmation() {
        for (removed, remaining, confirmed) in [
            (0, 0, false),
            (0, 5, false),
            (1, 9, false),
            (1, 8, true),
            (100, 900, false),
            (101, 100_000, true),
        ] {
            assert_eq!(
                needs_confirmation(removed, remaining),
                confirmed,
                "{removed} of {}",
                removed + remaining
            );
        }
    }
}
