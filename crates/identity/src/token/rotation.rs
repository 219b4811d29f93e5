//! Rotation of a token: a new one with the same name and abilities replaces it, while the old one stays valid
//! for a period in which programs can change over, at most until its own expiry.

use chrono::{DateTime, TimeDelta, Utc};
use sea_orm::{ActiveValue::Set, ColumnTrait};
use serde::Deserialize;
use store::{Database, Scope, scope::refuse_stale};
use utoipa::ToSchema;
use validator::Validate;
use values::{Instant, Result, Validated, tidy};

use super::{
    AT_MOST, Column, CreatedToken, Tokens, check_abilities, check_expiry, default_lifetime, get, issue, own,
    reminder,
};
use crate::{codes, entity::personal_access_token::ActiveModel};

/// Default number of hours for which the old token stays valid.
const HOURS: i64 = 24;

/// Input to replace a token.
#[derive(Debug, Clone, Default, Deserialize, ToSchema, Validate)]
#[serde(deny_unknown_fields)]
pub struct TokenRotation {
    /// Expiry of the new token, at most 365 days from now, of which the last counts in full; 90 days if left
    /// out.
    pub expires_at: Option<DateTime<Utc>>,
    /// Number of hours for which the old token stays valid, unless it expires before; 24 if left out, 0 ends
    /// it immediately.
    #[schema(minimum = 0, maximum = 168, example = 24)]
    #[validate(range(min = 0, max = 168))]
    pub overlap_hours: Option<i64>,
    /// Version that the user has seen; rejected if it is older than the current one.
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
) -> Result<CreatedToken> {
    let (input, mut violations) = input.into().parts();
    let tx = db.begin().await?;
    let before = get(&tx, scope, id).await?;
    if !before.own {
        return Err(codes::NOT_OWN_TOKEN.into());
    }
    refuse_stale(input.version, before.token.version)?;
    if before.token.replaced_at.is_some() {
        return Err(codes::TOKEN_REPLACED.into());
    }
    check_abilities(&mut violations, scope, &before.abilities);
    let expires_at = input.expires_at.unwrap_or(now + default_lifetime());
    check_expiry(&mut violations, expires_at, now);
    let overlap = input.overlap_hours.unwrap_or(HOURS);
    violations.check()?;
    if own(&tx, scope, Column::ReplacedAt.is_not_null()).await? >= AT_MOST {
        return Err(codes::TOO_MANY_REPLACED.with("max", AT_MOST).into());
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
