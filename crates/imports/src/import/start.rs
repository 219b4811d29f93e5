//! Imports of files on disk, for a user or a feed: checked, stored and queued like uploads.

use std::path::Path;

use values::{Language, Principal, Result, TenantId};

use super::{
    Import,
    services::ImportServices,
    upload::{self, ImportInput, QueueHook},
    uploader::{self, Uploader},
};
use crate::{import_profile, run::authority::Authority};

/// File on disk that is to be imported.
#[derive(Debug, Clone)]
pub struct FileToImport<'a> {
    /// User or feed on whose behalf the import runs.
    pub principal: Principal,
    pub tenant: TenantId,
    /// Import profile with which it is read.
    pub profile_id: Option<i64>,
    /// Language of messages about the file as a whole.
    pub language: Language,
    pub path: &'a Path,
    pub input: ImportInput,
}

/// Queues the import of a file, which can be deleted afterwards.
///
/// # Errors
/// If the principal lacks a permission, if there is no such profile, and all reasons for refusing an upload.
pub async fn start(
    services: ImportServices<'_>,
    authority: &dyn Authority,
    file: FileToImport<'_>,
) -> Result<Import> {
    start_with(services, authority, file, None).await
}

/// Queues the import of a file, together with the writes of a hook.
///
/// # Errors
/// Those of [`start`], and those of the hook.
pub async fn start_with(
    services: ImportServices<'_>,
    authority: &dyn Authority,
    file: FileToImport<'_>,
    hook: Option<&dyn QueueHook>,
) -> Result<Import> {
    let FileToImport { principal, tenant, profile_id, language, path, input } = file;
    let needs = uploader::demanded(principal, input.r#type, input.r#type.needs_of(input.strategy));
    let scope = authority.scope_of(principal, tenant, &needs).await?;
    let scope = scope.ok_or_else(|| uploader::not_permitted(principal))?;
    let profile = import_profile::find_for_type(services.db, &scope, profile_id, input.r#type).await?;
    let by = Uploader { scope: &scope, rights: scope.rights(), language };
    upload::submit_with(services, by, input.read_by(profile), path, hook).await
}

#[cfg(test)]
mod tests;
