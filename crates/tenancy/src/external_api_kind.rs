//! The kinds of external APIs.

use sea_orm::{DeriveActiveEnum, EnumIter, prelude::StringLen};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Interface of a tenant's own system: endpoints that answer with JSON.
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
#[serde(rename_all = "snake_case")]
#[sea_orm(rs_type = "String", db_type = "String(StringLen::N(32))", rename_all = "snake_case")]
pub enum ExternalApiKind {
    #[default]
    GenericJson,
}

impl ExternalApiKind {
    pub const ALL: &'static [Self] = &[Self::GenericJson];

    /// Name in the API.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::GenericJson => "generic_json",
        }
    }
}
