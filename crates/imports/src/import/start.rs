//! Imports of files on disk, for a user or a feed: checked, kept and queued as uploads are.

use std::path::Path;

use kernel::{Database, Language, Principal, Result, TenantId};
use storage::Storage;

use super::{
    Import,
    upload::{self, ImportInput, QueueHook},
    uploader::{self, Uploader},
};
use crate::{import_profile, registry::Registry, run::authority::Authority};

/// A file on disk that is to be imported.
#[derive(Debug, Clone)]
pub struct FileToImport<'a> {
    /// The user or the feed that the import runs for.
    pub principal: Principal,
    pub tenant: TenantId,
    /// The import profile that it is read by.
    pub profile_id: Option<i64>,
    /// The language of messages about the file as a whole.
    pub language: Language,
    pub path: &'a Path,
    pub input: ImportInput,
}

/// Queues the import of a file. The file itself may go afterwards.
///
/// # Errors
/// If the principal lacks a right, if there is no such profile, and whatever an upload is refused for.
pub async fn start(
    engine: (&Database, &Storage, &Registry),
    authority: &dyn Authority,
    file: FileToImport<'_>,
) -> Result<Import> {
    start_with(engine, authority, file, None).await
}

/// Queues the import of a file, together with what a hook writes.
///
/// # Errors
/// The same as for [`start`], and whatever the hook refuses.
pub async fn start_with(
    (db, storage, registry): (&Database, &Storage, &Registry),
    authority: &dyn Authority,
    file: FileToImport<'_>,
    hook: Option<&dyn QueueHook>,
) -> Result<Import> {
    let FileToImport { principal, tenant, profile_id, language, path, input } = file;
    let needs = uploader::demanded(principal, input.r#type, input.r#type.needs_of(input.strategy));
    let scope = authority.scope_of(principal, tenant, &needs).await?;
    let scope = scope.ok_or_else(|| uploader::not_permitted(principal))?;
    let profile = import_profile::of_type(db, &scope, profile_id, input.r#type).await?;
    let by = Uploader { scope: &scope, rights: scope.rights(), language };
    upload::submit_with((db, storage, registry), by, input.read_by(profile), path, hook).await
}

#[cfg(test)]
mod tests;
