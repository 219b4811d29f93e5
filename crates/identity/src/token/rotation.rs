//! Replacing a token: another of the same name and abilities takes its place, while the old one works on for as long as
//! programs need to change over, and never beyond its own end.

use chrono::{DateTime, TimeDelta, Utc};
use kernel::{Code, Database, Instant, Result, Scope, Validated, scope::refuse_stale, tidy};
use sea_orm::{ActiveValue::Set, ColumnTrait};
use serde::Deserialize;
use utoipa::ToSchema;
use validator::Validate;

use super::{
    AT_MOST, Column, Issued, Tokens, check_abilities, check_expiry, default_lifetime, get, issue, own,
    reminder,
};
use crate::entity::personal_access_token::ActiveModel;

/// How long the old token works on when nothing is said, in hours.
const HOURS: i64 = 24;

/// What a client says to replace a token.
#[derive(Debug, Clone, Default, Deserialize, ToSchema, Validate)]
#[serde(deny_unknown_fields)]
pub struct TokenRotation {
    /// Of the new token: at most 365 days from now, of which the last counts as a whole; 90 days if it is left out.
    pub expires_at: Option<DateTime<Utc>>,
    /// For how many hours the old token works on, unless it ends before; 24 if it is left out, 0 ends it at once.
    #[schema(minimum = 0, maximum = 168, example = 24)]
    #[validate(range(min = 0, max = 168))]
    pub overlap_hours: Option<i64>,
    /// The version that was seen; an older one than the current is refused.
    pub version: Option<i64>,
}

tidy!(TokenRotation:);

/// Replaces one of the caller's own tokens.
pub async fn rotate(
    db: &Database,
    scope: &Scope,
    id: i64,
    input: impl Into<Validated<TokenRotation>>,
    now: Instant,
) -> Result<Issued> {
    let (input, mut violations) = input.into().parts();
    let tx = db.begin().await?;
    let before = get(&tx, scope, id).await?;
    if !before.own {
        return Err(Code::NotOwnToken.into());
    }
    refuse_stale(input.version, before.token.version)?;
    if before.token.replaced_at.is_some() {
        return Err(Code::TokenReplaced.into());
    }
    check_abilities(&mut violations, scope, &before.abilities);
    let expires_at = input.expires_at.unwrap_or(now + default_lifetime());
    check_expiry(&mut violations, expires_at, now);
    let overlap = input.overlap_hours.unwrap_or(HOURS);
    violations.check()?;
    if own(&tx, scope, Column::ReplacedAt.is_not_null()).await? >= AT_MOST {
        return Err(Code::TooManyReplaced.with("max", AT_MOST).into());
    }

    let replaced = ActiveModel {
        replaced_at: Set(Some(now)),
        expires_at: Set(before.token.expires_at.min(now + TimeDelta::hours(overlap))),
        ..Default::default()
    };
    let replaced = scope.update::<Tokens>(&tx, id, Some(before.token.version), replaced).await?;
    reminder::withdraw(&tx, &replaced).await?;
    let issued = issue(&tx, scope, before.token.name, &before.abilities, expires_at, now).await?;
    tx.commit().await?;
    Ok(issued)
}
