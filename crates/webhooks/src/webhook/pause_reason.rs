//! Reason of a webhook's pause.

use sea_orm::{DeriveActiveEnum, EnumIter, prelude::StringLen};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Reason of a pause: paused by a user, the receiver declines events, or has accepted none for days.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema, EnumIter, DeriveActiveEnum,
)]
#[serde(rename_all = "snake_case")]
#[schema(as = WebhookPauseReason)]
#[sea_orm(rs_type = "String", db_type = "String(StringLen::N(16))", rename_all = "snake_case")]
pub enum PauseReason {
    ByHand,
    Gone,
    Undeliverable,
}
