//! The secrets of a webhook: sealed, bound to their row, and shown only when they are generated.

use sea_orm::{ActiveValue::Set, ColumnTrait, Condition, EntityTrait, QueryFilter, sea_query::Expr};
use secrets::{Keys, SealedColumn, SecretString};
use store::Write;
use values::{Code, Instant, Result};

use super::{ActiveModel, Column, Webhook, Webhooks};
use crate::codes;

/// The sealed secrets.
pub const SECRET: SealedColumn = SealedColumn { table: "webhook", column: "secret_sealed" };
/// The sealed secrets before the last rotation.
pub const PREVIOUS_SECRET: SealedColumn = SealedColumn { table: "webhook", column: "previous_secret_sealed" };

/// Stores the secret of a new webhook; needs its id, to which the secret is bound.
#[expect(clippy::disallowed_methods, reason = "the row that this transaction has created")]
pub(super) async fn seal_first(
    tx: &Write,
    keys: &Keys,
    webhook: Webhook,
    secret: &SecretString,
) -> Result<Webhook> {
    let sealed = keys.seal(SECRET.cell(webhook.id), secret)?;
    let this = Condition::all().add(Column::Id.eq(webhook.id)).add(Column::TenantId.eq(webhook.tenant_id));
    let update = Webhooks::update_many().col_expr(Column::SecretSealed, Expr::value(Some(sealed.clone())));
    update.filter(this).exec(tx).await?;
    Ok(Webhook { secret_sealed: Some(sealed), ..webhook })
}

/// Change that replaces the secret. A former one that cannot be opened any more no longer signs.
pub(super) fn rotated(
    keys: &Keys,
    before: &Webhook,
    secret: &SecretString,
    until: Instant,
) -> Result<ActiveModel> {
    let former = before.secret_sealed.as_ref();
    let former = former.and_then(|sealed| keys.open(SECRET.cell(before.id), sealed).ok());
    let former = former.map(|secret| keys.seal(PREVIOUS_SECRET.cell(before.id), &secret)).transpose()?;
    Ok(ActiveModel {
        secret_sealed: Set(Some(keys.seal(SECRET.cell(before.id), secret)?)),
        previous_secret_until: Set(former.as_ref().map(|_| until)),
        previous_secret_sealed: Set(former),
        ..Default::default()
    })
}

/// Secrets that sign at present, the current one first.
///
/// # Errors
/// The reason why the current one cannot be opened.
pub(crate) fn signing(keys: &Keys, webhook: &Webhook, now: Instant) -> Result<Vec<SecretString>, Code> {
    let sealed = webhook.secret_sealed.as_ref().ok_or(codes::SECRET_DAMAGED)?;
    let mut secrets = vec![keys.open(SECRET.cell(webhook.id), sealed)?];
    if webhook.previous_secret_until.is_some_and(|until| until > now)
        && let Some(sealed) = &webhook.previous_secret_sealed
    {
        secrets.extend(keys.open(PREVIOUS_SECRET.cell(webhook.id), sealed));
    }
    Ok(secrets)
}
