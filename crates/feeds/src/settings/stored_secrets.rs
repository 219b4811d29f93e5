//! The password, the private key and its passphrase in settings: sealed, bound to their row, and never shown.

use sea_orm::{
    ActiveValue::{self, NotSet, Set},
    ColumnTrait, Condition, EntityTrait, QueryFilter,
    sea_query::Expr,
};
use secrets::{Keys, SealedColumn, SealedValue};
use store::Write;
use values::{Instant, Result};

use super::{
    ActiveModel, Column, FtpInstallation, FtpSettings, FtpSettingsTable, entered_secret::EnteredSecret,
};
use crate::codes;

/// The sealed passwords.
pub const PASSWORD: SealedColumn = SealedColumn { table: "ftp_settings", column: "password_sealed" };
/// The sealed private keys.
pub const PRIVATE_KEY: SealedColumn = SealedColumn { table: "ftp_settings", column: "private_key_sealed" };
/// The sealed passphrases of private keys.
pub const PASSPHRASE: SealedColumn =
    SealedColumn { table: "ftp_settings", column: "private_key_passphrase_sealed" };

/// The secrets of an input.
#[derive(Debug, Default)]
pub(super) struct EnteredSecrets {
    pub(super) password: Option<EnteredSecret>,
    pub(super) private_key: Option<EnteredSecret>,
    pub(super) passphrase: Option<EnteredSecret>,
}

impl EnteredSecrets {
    pub(super) fn without_empty(self) -> Self {
        let filled = |secret: &EnteredSecret| !secret.is_empty();
        let private_key = self.private_key.filter(filled);
        let passphrase = self.passphrase.filter(filled).filter(|_| private_key.is_some());
        Self { password: self.password.filter(filled), private_key, passphrase }
    }

    fn iter(&self) -> impl Iterator<Item = &EnteredSecret> {
        [&self.password, &self.private_key, &self.passphrase].into_iter().flatten()
    }
}

/// Sets the secrets of a row that is updated; `leads_elsewhere` is true for another server or user name.
pub(super) fn set_secrets(
    keys: &Keys,
    before: &FtpSettings,
    row: &mut ActiveModel,
    entered: EnteredSecrets,
    leads_elsewhere: bool,
    now: Instant,
) -> Result<()> {
    let is_other_key = leads_elsewhere || entered.private_key.is_some();
    let change = |column: SealedColumn, entered: Option<EnteredSecret>, removes: bool| match entered {
        None if !removes => Ok(NotSet),
        Some(secret) if !secret.is_empty() => {
            keys.seal(column.cell(before.id), secret.secret()).map(|sealed| Set(Some(sealed)))
        }
        _ => Ok(Set(None)),
    };
    let set_at = |sealed: &ActiveValue<Option<SealedValue>>| match sealed {
        Set(sealed) => Set(sealed.as_ref().map(|_| now)),
        _ => NotSet,
    };
    row.password_sealed = change(PASSWORD, entered.password, leads_elsewhere)?;
    row.password_set_at = set_at(&row.password_sealed);
    row.private_key_sealed = change(PRIVATE_KEY, entered.private_key, leads_elsewhere)?;
    row.private_key_set_at = set_at(&row.private_key_sealed);
    row.private_key_passphrase_sealed = change(PASSPHRASE, entered.passphrase, is_other_key)?;
    Ok(())
}

/// Refuses secrets while the server has no key to seal them.
pub(super) fn refuse_unsealable(installation: FtpInstallation<'_>, entered: &EnteredSecrets) -> Result<()> {
    let is_secret = entered.iter().any(|secret| !secret.is_empty());
    if is_secret && !installation.keys.is_configured() {
        return Err(codes::SECRET_KEY_MISSING.into());
    }
    Ok(())
}

/// Stores the secrets of a row that was just created: they are bound to its id.
#[expect(clippy::disallowed_methods, reason = "the row that this transaction has created")]
pub(super) async fn seal(
    tx: &Write,
    keys: &Keys,
    settings: FtpSettings,
    entered: &EnteredSecrets,
) -> Result<FtpSettings> {
    if entered.iter().next().is_none() {
        return Ok(settings);
    }
    let sealed = |column: SealedColumn, secret: &Option<EnteredSecret>| {
        let secret = secret.as_ref();
        secret.map(|secret| keys.seal(column.cell(settings.id), secret.secret())).transpose()
    };
    let settings = FtpSettings {
        password_sealed: sealed(PASSWORD, &entered.password)?,
        private_key_sealed: sealed(PRIVATE_KEY, &entered.private_key)?,
        private_key_passphrase_sealed: sealed(PASSPHRASE, &entered.passphrase)?,
        ..settings
    };
    let this = Condition::all().add(Column::Id.eq(settings.id)).add(Column::TenantId.eq(settings.tenant_id));
    let update = FtpSettingsTable::update_many()
        .col_expr(Column::PasswordSealed, Expr::value(settings.password_sealed.clone()))
        .col_expr(Column::PrivateKeySealed, Expr::value(settings.private_key_sealed.clone()))
        .col_expr(
            Column::PrivateKeyPassphraseSealed,
            Expr::value(settings.private_key_passphrase_sealed.clone()),
        );
    update.filter(this).exec(tx).await?;
    Ok(settings)
}
