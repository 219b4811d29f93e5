//! Uploads: a file is checked, stored and queued as an import.

use std::path::Path;

use futures_util::future::BoxFuture;
use sea_orm::{
    ActiveValue::Set, ColumnTrait, Condition, ConnectionTrait, QueryFilter, QueryOrder, QuerySelect,
};
use storage::StoredFile;
use store::{Database, Scope, Write};
use values::{
    ExternalApiId, FeedId, Principal, Result, Violations, fold,
    rule::{optional, trimmed},
};

use super::{
    ActiveModel, Column, FOLDER, Import, ImportStatus, Imports, inspection,
    mapping::Mapping,
    queued_row::queued_row,
    replay_cause::ReplayCause,
    search_text,
    services::ImportServices,
    settings::Settings,
    strategy::{ReplaceScope, Strategy},
    style_name,
    uploader::{Uploader, check_rights, writer},
};
use crate::{
    codes, import_profile::ImportProfile, import_type::ImportType, record_permissions, revert::undo,
};

/// Input of an upload.
#[derive(Debug, Clone)]
pub struct ImportInput {
    pub r#type: ImportType,
    pub name: Option<String>,
    /// True if everything is checked and counted, but nothing written.
    pub dry_run: bool,
    /// True if rows that are hidden in the spreadsheet are left out.
    pub skip_hidden_rows: bool,
    /// Target record of the file, if its type has one.
    pub aim: Option<i64>,
    pub strategy: Strategy,
    /// Records that a file with the strategy `ReplaceAll` covers.
    pub replace_scope: ReplaceScope,
    /// Number of removals in a dry run.
    pub removals_expected: Option<i64>,
    /// Original name of the file.
    pub file_name: String,
    /// Meaning of its columns, where their names do not say it.
    pub mapping: Option<Mapping>,
    /// Settings for reading it, where they are not recognised.
    pub settings: Option<Settings>,
    /// Key by which files with the same columns are found.
    pub header_key: Option<String>,
    /// Import whose rows are repeated.
    pub replays: Option<ReplayedImport>,
    /// Dry run whose file is applied.
    pub applies: Option<i64>,
}

impl ImportInput {
    /// Creates an input without further settings.
    pub fn new(r#type: ImportType, file_name: impl Into<String>) -> Self {
        Self {
            r#type,
            name: None,
            dry_run: false,
            skip_hidden_rows: false,
            aim: None,
            strategy: Strategy::default(),
            replace_scope: ReplaceScope::default(),
            removals_expected: None,
            file_name: file_name.into(),
            mapping: None,
            settings: None,
            header_key: None,
            replays: None,
            applies: None,
        }
    }

    /// Takes settings and mapping from a profile, unless they are given.
    #[must_use]
    pub fn read_by(self, profile: Option<ImportProfile>) -> Self {
        let (settings, mapping) = profile.map(|profile| (profile.settings, profile.mapping)).unzip();
        let mapping = mapping.filter(|Mapping(columns)| !columns.is_empty());
        Self { settings: self.settings.or(settings), mapping: self.mapping.or(mapping), ..self }
    }
}

/// Import of which some rows are repeated.
#[derive(Debug, Clone)]
pub struct ReplayedImport {
    pub import: i64,
    pub cause: ReplayCause,
    /// Number style of its file.
    pub(crate) number_style: Option<String>,
}

/// Step in the transaction that queues an import: both happen, or neither.
pub trait QueueHook: Send + Sync {
    fn queued<'a>(&'a self, tx: &'a Write, import: &'a Import) -> BoxFuture<'a, Result<()>>;
}

/// Stores a file and queues it, if its type is in the registry.
pub async fn submit(
    services: ImportServices<'_>,
    by: Uploader<'_>,
    input: ImportInput,
    file: &Path,
) -> Result<Import> {
    submit_with(services, by, input, file, None).await
}

/// Stores a file and queues it, with a step in the same transaction.
pub async fn submit_with(
    services: ImportServices<'_>,
    by: Uploader<'_>,
    mut input: ImportInput,
    file: &Path,
    hook: Option<&dyn QueueHook>,
) -> Result<Import> {
    let ImportServices { db, storage, registry } = services;
    let writer = writer(db, registry, by, input.r#type, input.aim).await?;
    let by = Uploader { scope: &writer, ..by };
    if input.strategy == Strategy::ReplaceAll {
        check_rights(by.rights, input.r#type.needs_to_replace())?;
        if !registry.get(input.r#type)?.replaces_all() {
            return Err(Violations::error("strategy", codes::NOT_REPLACEABLE));
        }
        if !input.dry_run && input.removals_expected.is_none() {
            return Err(codes::TRY_FIRST.into());
        }
    }
    input.settings = input.settings.filter(|settings| !settings.is_empty());
    if input.mapping.is_some() || input.settings.is_some() {
        let (settings, mapping) = (input.settings.as_ref(), input.mapping.as_ref());
        let key = inspection::checked(db, registry, by, input.r#type, settings, mapping, file).await?;
        input.header_key = input.header_key.or(Some(key));
    }
    let stored = storage.store(FOLDER, file).await?;
    let queued = create_with(db, by, input, &stored, hook).await;
    if let Ok(import) = &queued {
        // links the trace of the request or the feed to those of the batches
        tracing::Span::current().record("stalhof.import", import.id);
    }
    // another request has queued it
    if queued.as_ref().map_or(true, |import| import.upload_key != stored.key) {
        storage.discard(&stored.key).await;
    }
    queued
}

/// Queues a stored file.
pub(super) async fn create(
    db: &Database,
    by: Uploader<'_>,
    input: ImportInput,
    stored: &StoredFile,
) -> Result<Import> {
    create_with(db, by, input, stored, None).await
}

async fn create_with(
    db: &Database,
    by: Uploader<'_>,
    input: ImportInput,
    stored: &StoredFile,
    hook: Option<&dyn QueueHook>,
) -> Result<Import> {
    let tx = db.begin().await?;
    if let Some(tried) = input.applies {
        // the first of several concurrent requests queues it
        let tried = by.scope.get_locked::<Imports>(&tx, tried).await?;
        if let Some(applied) = applied(&tx, by.scope, &tried).await? {
            return Ok(applied);
        }
    }
    let import = queue(&tx, by, input, stored).await?;
    if let Some(hook) = hook {
        hook.queued(&tx, &import).await?;
    }
    tx.commit().await?;
    Ok(import)
}

/// Queues a stored file within a transaction.
pub(crate) async fn queue(
    tx: &Write,
    by: Uploader<'_>,
    input: ImportInput,
    stored: &StoredFile,
) -> Result<Import> {
    let scope = by.scope;
    let name = trimmed(input.name.clone());
    let mut violations = Violations::new();
    optional(&mut violations, "name", name.as_deref());
    violations.check()?;

    // An upload takes minutes, during which the tenant can be deleted.
    tenancy::tenant::get(tx, scope, scope.tenant()?.into()).await?;
    let identical_to = identical(tx, scope, &input, &stored.sha256).await?;
    let row = ActiveModel {
        feed_id: Set(scope.principal().and_then(Principal::feed).map(|FeedId(id)| id)),
        external_api_id: Set(scope.principal().and_then(Principal::external_api).map(|ExternalApiId(id)| id)),
        name_fold: Set(fold(name.as_deref().unwrap_or_default())),
        search_fold: Set(search_text(name.as_deref(), input.r#type, &input.file_name)),
        name: Set(name),
        r#type: Set(input.r#type),
        dry_run: Set(input.dry_run),
        skip_hidden_rows: Set(input.skip_hidden_rows),
        hides_held: Set(!scope.may(record_permissions::VIEW_PRICE)),
        aim_id: Set(input.aim),
        strategy: Set(input.strategy),
        replace_scope: Set(input.replace_scope),
        removals_expected: Set(input.removals_expected),
        upload_file: Set(file_name(&input.file_name)),
        upload_key: Set(stored.key.clone()),
        upload_size: Set(i64::try_from(stored.size).unwrap_or(i64::MAX)),
        sha256: Set(stored.sha256.clone()),
        identical_to: Set(identical_to),
        replays: Set(input.replays.as_ref().map(|replay| replay.import)),
        replay_cause: Set(input.replays.as_ref().map(|replay| replay.cause)),
        applies: Set(input.applies),
        mapping: Set(input.mapping),
        number_style: Set(input
            .replays
            .and_then(|replay| replay.number_style)
            .or_else(|| input.settings.as_ref()?.style().map(|style| style_name(style).to_owned()))),
        settings: Set(input.settings),
        header_key: Set(input.header_key),
        ..queued_row(&by)
    };
    scope.create::<Imports>(tx, row).await
}

/// Last import of the same file that was not a dry run.
async fn identical(
    tx: &impl ConnectionTrait,
    scope: &Scope,
    input: &ImportInput,
    sha256: &str,
) -> Result<Option<i64>> {
    let of_aim = input.aim.map(|aim| Column::AimId.eq(aim));
    let earlier: Option<i64> = scope
        .find::<Imports>()
        .select_only()
        .column(Column::Id)
        .filter(Column::TenantId.eq(scope.tenant()?))
        .filter(Column::Type.eq(input.r#type))
        .filter(Condition::all().add_option(of_aim))
        .filter(Column::Sha256.eq(sha256))
        .filter(Column::DryRun.eq(false))
        .filter(Column::Status.ne(ImportStatus::Cancelled))
        .order_by_desc(Column::Id)
        .into_tuple()
        .one(tx)
        .await?;
    Ok(earlier)
}

/// Last part of a path, which a browser may send, without control characters.
fn file_name(sent: &str) -> String {
    let last = sent.rsplit(['/', '\\']).next().unwrap_or_default();
    let name: String = last.chars().filter(|c| !c.is_control()).take(values::rule::TEXT_MAX).collect();
    if name.trim().is_empty() { "upload".to_owned() } else { name.trim().to_owned() }
}

/// Import that applies a dry run, unless it has failed, was cancelled or was undone.
pub(super) async fn applied(
    db: &impl ConnectionTrait,
    scope: &Scope,
    tried: &Import,
) -> Result<Option<Import>> {
    let applied = scope
        .find::<Imports>()
        .filter(Column::TenantId.eq(tried.tenant_id))
        .filter(Column::Applies.eq(tried.id))
        .filter(Column::Status.is_not_in([ImportStatus::Failed, ImportStatus::Cancelled]))
        .order_by_desc(Column::Id)
        .one(db)
        .await?;
    let Some(applied) = applied else { return Ok(None) };
    let undos = undo::undos_of(db, scope, [applied.id]).await?;
    Ok(Some(applied).filter(|applied| !undos.contains_key(&applied.id)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_name_is_the_last_part_of_a_path() {
        for (sent, expected) in [
            ("Artikel.csv", "Artikel.csv"),
            ("C:\\Users\\Änne\\Artikel 2026.xlsx", "Artikel 2026.xlsx"),
            ("../../etc/passwd", "passwd"),
            ("a\r\nb\0.csv", "ab.csv"),
            ("", "upload"),
            ("folder/", "upload"),
        ] {
            assert_eq!(file_name(sent), expected);
        }
        assert_eq!(file_name(&"ä".repeat(300)).chars().count(), 255);
    }
}
