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
