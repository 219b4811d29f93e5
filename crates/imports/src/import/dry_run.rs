//! Applying a dry run: exactly the tried file is written, for good or in a rehearsal.

use std::path::Path;

use sea_orm::ConnectionTrait;
use storage::StoredFile;
use store::Scope;
use values::Result;

use super::{
    Import, ImportStatus, Imports,
    row::Outcome,
    services::ImportServices,
    strategy::{Strategy, needs_confirmation},
    upload::{ImportInput, applied, create, submit},
    uploader::{Uploader, writer},
};
use crate::{
    codes,
    revert::undo,
    run::{authority::Authority, worker},
};

impl Import {
    /// Number of removals in a dry run, if it has to be entered as a confirmation.
    pub fn removals_to_confirm(&self) -> Option<i64> {
        let remaining = self.row_counts().sum([Outcome::Updated, Outcome::Unchanged, Outcome::Held]);
        let is_replacing = self.dry_run && self.strategy == Strategy::ReplaceAll;
        (is_replacing && needs_confirmation(self.rows_removed, remaining)).then_some(self.rows_removed)
    }
}

/// Queues the file of a dry run once more, to be written this time. Repeated requests all return the same
/// import.
///
/// # Errors
/// If the number of removals has to be confirmed ([`Import::removals_to_confirm`]), and the given number
/// differs or is missing.
pub async fn apply(
    services: ImportServices<'_>,
    by: Uploader<'_>,
    id: i64,
    confirmed_removals: Option<i64>,
) -> Result<Import> {
    let ImportServices { db, storage, registry } = services;
    let tried = ended(db, by.scope, id).await?;
    if let Some(undone) = tried.undoes {
        return undo::undo_once(db, registry, by, undone).await;
    }
    writer(db, registry, by, tried.r#type, tried.aim_id).await?;
    if let Some(applied) = applied(db, by.scope, &tried).await? {
        return Ok(applied);
    }
    tried.check_files_kept()?;
    if let Some(count) = tried.removals_to_confirm().filter(|count| confirmed_removals != Some(*count)) {
        return Err(codes::REMOVALS_UNCONFIRMED.with("count", count).into());
    }
    let file = storage.fetch(&tried.upload_key).await?;
    submit(services, by, written_input(&tried), &file).await
}

/// Applies a dry run immediately, in a rehearsal that is rolled back.
///
/// # Errors
/// If it has more than `rows_max` rows, or cannot be processed now.
pub async fn rehearse(
    services: ImportServices<'_>,
    authority: &dyn Authority,
    by: Uploader<'_>,
    id: i64,
    rows_max: i64,
) -> Result<Import> {
    let ImportServices { db, registry, .. } = services;
    let tried = ended(db, by.scope, id).await?;
    if tried.undoes.is_some() {
        return Err(codes::NO_DRY_RUN.into());
    }
    if tried.rows_total.unwrap_or_default() > rows_max {
        return Err(codes::TOO_MANY.with("max", rows_max).into());
    }
    let writer = writer(db, registry, by, tried.r#type, tried.aim_id).await?;
    tried.check_files_kept()?;
    let size = u64::try_from(tried.upload_size).unwrap_or_default();
    let stored = StoredFile { key: tried.upload_key.clone(), size, sha256: tried.sha256.clone() };
    let import = create(db, Uploader { scope: &writer, ..by }, written_input(&tried), &stored).await?;
    worker::work_on(services, authority, import.id).await?;
    let import = by.scope.get::<Imports>(db, import.id).await?;
    if import.is_final() { Ok(import) } else { Err(codes::BUSY.into()) }
}

/// Tries a file immediately, in a rehearsal that is rolled back: it is stored and queued as a dry run,
/// processed, and discarded.
///
/// # Errors
/// The codes of a refused upload; [`codes::BUSY`] if it cannot be processed now.
pub async fn try_file(
    services: ImportServices<'_>,
    authority: &dyn Authority,
    by: Uploader<'_>,
    input: ImportInput,
    file: &Path,
) -> Result<Import> {
    let queued = submit(services, by, ImportInput { dry_run: true, ..input }, file).await?;
    let worked = worker::work_on(services, authority, queued.id).await;
    services.storage.discard(&queued.upload_key).await;
    worked?;
    let tried = by.scope.get::<Imports>(services.db, queued.id).await?;
    if tried.is_final() { Ok(tried) } else { Err(codes::BUSY.into()) }
}

/// Dry run that has ended with success.
async fn ended(db: &impl ConnectionTrait, scope: &Scope, id: i64) -> Result<Import> {
    let tried = scope.get::<Imports>(db, id).await?;
    if tried.dry_run && matches!(tried.status, ImportStatus::Success | ImportStatus::PartialSuccess) {
        return Ok(tried);
    }
    Err(codes::NO_DRY_RUN.into())
}

/// Input that queues a dry run to be written.
fn written_input(tried: &Import) -> ImportInput {
    ImportInput {
        name: tried.name.clone(),
        skip_hidden_rows: tried.skip_hidden_rows,
        aim: tried.aim_id,
        strategy: tried.strategy,
        replace_scope: tried.replace_scope,
        removals_expected: (tried.strategy == Strategy::ReplaceAll).then_some(tried.rows_removed),
        mapping: tried.mapping.clone(),
        settings: tried.settings.clone(),
        header_key: tried.header_key.clone(),
        applies: Some(tried.id),
        ..ImportInput::new(tried.r#type, &*tried.upload_file)
    }
}
