//! The password and the private key of settings: sealed, bound to their row, and never shown.

use kernel::{Code, Result, Write};
use sea_orm::{ColumnTrait, Condition, EntityTrait, QueryFilter, sea_query::Expr};
use secrets::{Keys, SealedColumn};

use super::{Column, FtpInstallation, FtpSettings, FtpSettingsTable, entered_secret::EnteredSecret};

/// The sealed passwords.
pub const PASSWORD: SealedColumn = SealedColumn { table: "ftp_settings", column: "password_sealed" };
/// The sealed private keys.
pub const PRIVATE_KEY: SealedColumn = SealedColumn { table: "ftp_settings", column: "private_key_sealed" };

/// The secrets of an input.
#[derive(Debug, Default)]
pub(super) struct EnteredSecrets {
    pub(super) password: Option<EnteredSecret>,
    pub(super) private_key: Option<EnteredSecret>,
}

impl EnteredSecrets {
    pub(super) fn without_empty(self) -> Self {
        let filled = |secret: &EnteredSecret| !secret.is_empty();
        Self { password: self.password.filter(filled), private_key: self.private_key.filter(filled) }
    }
}

/// The effect of a save on a stored secret.
pub(super) enum SecretEffect {
    Unchanged,
    Removed,
    Entered(EnteredSecret),
}

pub(super) fn secret_effect(entered: Option<EnteredSecret>, leads_elsewhere: bool) -> SecretEffect {
    match entered {
        None if leads_elsewhere => SecretEffect::Removed,
        None => SecretEffect::Unchanged,
        Some(secret) if secret.is_empty() => SecretEffect::Removed,
        Some(secret) => SecretEffect::Entered(secret),
    }
}

/// Refuses secrets while the server has no key to seal them.
pub(super) fn refuse_unsealable(installation: FtpInstallation<'_>, entered: &EnteredSecrets) -> Result<()> {
    let mut secrets = [&entered.password, &entered.private_key].into_iter().flatten();
    let is_secret = secrets.any(|secret| !secret.is_empty());
    if is_secret && !installation.keys.is_configured() {
        return Err(Code::SecretKeyMissing.into());
    }
    Ok(())
}

/// Stores the secrets of a row that was just created: they are bound to its id.
#[expect(clippy::disallowed_methods, reason = "the row that this transaction has created")]
pub(super) async fn seal(
    tx: &Write,
    keys: &Keys,
    settings: &FtpSettings,
    entered: &EnteredSecrets,
) -> Result<()> {
    let id = Column::Id.eq(settings.id);
    let this = Condition::all().add(id).add(Column::TenantId.eq(settings.tenant_id));
    for (column, cell, secret) in [
        (Column::PasswordSealed, PASSWORD.cell(settings.id), &entered.password),
        (Column::PrivateKeySealed, PRIVATE_KEY.cell(settings.id), &entered.private_key),
    ] {
        let Some(secret) = secret else { continue };
        let sealed = keys.seal(cell, secret.secret())?;
        let update = FtpSettingsTable::update_many().col_expr(column, Expr::value(sealed));
        update.filter(this.clone()).exec(tx).await?;
    }
    Ok(())
}
