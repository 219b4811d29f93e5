//! Imports that repeat rows of an earlier one, and their reasons.

use std::collections::HashMap;

use sea_orm::{
    ColumnTrait, ConnectionTrait, DeriveActiveEnum, EnumIter, QueryFilter, QueryOrder, QuerySelect,
    prelude::StringLen,
};
use serde::{Deserialize, Serialize};
use store::Scope;
use utoipa::ToSchema;
use values::Result;

use super::{Column, Imports};

/// Reason for importing rows of an earlier import again.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema, EnumIter, DeriveActiveEnum,
)]
#[sea_orm(rs_type = "String", db_type = "String(StringLen::N(16))")]
#[serde(rename_all = "snake_case")]
pub enum ReplayCause {
    /// A person has corrected refused rows.
    #[sea_orm(string_value = "correction")]
    Correction,
    /// The caller has matched the number for which the rows waited, or requested the rows of all matched
    /// numbers.
    #[sea_orm(string_value = "request")]
    Request,
    /// A matching was added in any way; the rows are imported automatically for the user who uploaded them.
    #[sea_orm(string_value = "automatic")]
    Automatic,
}

/// Returns the latest import that repeats rows of each of these because their numbers were matched.
pub async fn replays_of(
    db: &impl ConnectionTrait,
    scope: &Scope,
    imports: impl IntoIterator<Item = i64>,
) -> Result<HashMap<i64, i64>> {
    let replays: Vec<(Option<i64>, i64)> = scope
        .find::<Imports>()
        .select_only()
        .columns([Column::Replays, Column::Id])
        .filter(Column::Replays.is_in(imports))
        .filter(Column::ReplayCause.is_in([ReplayCause::Request, ReplayCause::Automatic]))
        .order_by_asc(Column::Id)
        .into_tuple()
        .all(db)
        .await?;
    Ok(replays.into_iter().filter_map(|(replayed, id)| Some((replayed?, id))).collect())
}
