//! What an import does with records that there are not, or that its file does not name.

use sea_orm::{DeriveActiveEnum, EnumIter, prelude::StringLen};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// What an import does with records that there are not, or that its file does not name.
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
    /// Makes what there is not, and leaves what is not named.
    #[default]
    #[sea_orm(string_value = "add_and_replace")]
    AddAndReplace,
    /// Skips what there is not.
    #[sea_orm(string_value = "only_existing")]
    OnlyExisting,
    /// Makes what there is not; what is not named goes, once all rows are applied. Checked in a dry run first, which says how
    /// many go.
    #[sea_orm(string_value = "replace_all")]
    ReplaceAll,
}

impl Strategy {
    pub const ALL: [Self; 3] = [Self::AddAndReplace, Self::OnlyExisting, Self::ReplaceAll];

    /// The name on the wire.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::AddAndReplace => "add_and_replace",
            Self::OnlyExisting => "only_existing",
            Self::ReplaceAll => "replace_all",
        }
    }
}

/// What a file that replaces all speaks of.
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
    /// Of stocks: those in the warehouses that the file names.
    #[default]
    #[sea_orm(string_value = "named_warehouses")]
    NamedWarehouses,
    /// All, also in warehouses that the file does not name.
    #[sea_orm(string_value = "all")]
    All,
}

impl ReplaceScope {
    pub const ALL: [Self; 2] = [Self::NamedWarehouses, Self::All];

    /// The name on the wire.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::NamedWarehouses => "named_warehouses",
            Self::All => "all",
        }
    }
}

/// So many removals are confirmed by their number, whatever their share.
const MANY_REMOVALS: i64 = 100;

/// Whether `removed` records that go are confirmed by their number, where `left` of the same scope stay: more than 100, or more than a
/// tenth of all.
pub fn needs_confirmation(removed: i64, left: i64) -> bool {
    removed > MANY_REMOVALS || removed.saturating_mul(10) > removed.saturating_add(left)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_removals_and_a_large_share_are_confirmed_by_their_number() {
        for (removed, left, confirmed) in [
            (0, 0, false),
            (0, 5, false),
            (1, 9, false),
            (1, 8, true),
            (100, 900, false),
            (101, 100_000, true),
        ] {
            assert_eq!(needs_confirmation(removed, left), confirmed, "{removed} of {}", removed + left);
        }
    }
}
