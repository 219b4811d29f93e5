//! Settings that are tested before they are saved.

use sea_orm::{ColumnTrait, QueryFilter};
use serde::Deserialize;
use store::Scope;
use utoipa::ToSchema;
use validator::Validate;
use values::{Input, Result, Validated, Violations};

use super::{
    Column, FtpInstallation, FtpSettings, FtpSettingsInput, FtpSettingsTable, check, fields::FileKind,
};
use crate::codes;

/// Settings to be tested before they are saved.
#[derive(Debug, Clone, Deserialize, ToSchema, Validate)]
#[serde(deny_unknown_fields)]
#[schema(as = FtpTestInput)]
pub struct TestInput {
    /// The file that is fetched and read; without it the folder is only listed.
    pub file: Option<FileKind>,
    #[validate(nested)]
    pub settings: FtpSettingsInput,
}

impl Input for TestInput {
    fn tidy(&mut self) {
        self.settings.tidy();
    }
}

/// Returns validated settings that are not saved, with the saved ones of the acting tenant.
///
/// # Errors
/// All violated rules, at their fields below `settings`.
pub async fn check_entered(
    installation: FtpInstallation<'_>,
    scope: &Scope,
    input: Validated<TestInput>,
) -> Result<(TestInput, Option<FtpSettings>)> {
    let tenant = scope.tenant()?;
    let saved = scope.find::<FtpSettingsTable>().filter(Column::TenantId.eq(tenant));
    let saved = saved.one(installation.db).await?;
    let (input, mut wrong) = input.parts();
    let mut wrong_settings = Violations::new();
    check(installation, scope, saved.as_ref(), &input.settings, &mut wrong_settings).await?;
    // a file is tested as if it were enabled
    if let Some(kind) = input.file {
        if input.settings.file(kind).file_name.is_none() {
            wrong_settings.add(format!("{}_file.file_name", kind.as_str()), codes::REQUIRED);
        }
        let price_file = &input.settings.price_file;
        if kind == FileKind::Price && price_file.as_price_list && price_file.price_list_name.is_none() {
            wrong_settings.add("price_file.price_list_name", codes::REQUIRED);
        }
    }
    for violation in wrong_settings.iter() {
        wrong.add(format!("settings.{}", violation.path), violation.message.clone());
    }
    wrong.check()?;
    Ok((input, saved))
}
