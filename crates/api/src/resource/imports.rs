//! Imports over HTTP: files are uploaded, wait in a queue and are applied in the background.

mod events;
mod form;
mod groups;
mod impact;
mod price_format;
mod rows;
mod wizard;

use std::collections::HashMap;

use chrono::{DateTime, Utc};
use feeds::{external_api, settings as ftp_settings};
use http_api::{
    access::Authorized,
    answer::{
        Created, CreatedIn, Download, NoContent, OkJson, OkPage, created, created_in, download,
        download_file, no_content, ok_json, ok_page,
    },
    export::{Column, Export, time},
    input::{Body, ConfirmedRemovals, Db, Id, List, RequestInfo},
    publish,
    routes::{Answer, Routes},
    upload::Upload,
};
use identity::user;
use imports::{
    import::{
        self, Import, ImportStatus, Imports,
        mapping::{MappedColumn, Mapping},
        replay_cause::{self, ReplayCause},
        report,
        settings::Settings,
        strategy::{ReplaceScope, Strategy},
        upload::ImportInput,
    },
    import_profile,
    import_type::ImportType,
    may,
    revert::undo,
    run::stopping,
};
use pricing::price_list;
use sea_orm::ConnectionTrait;
use serde::{Deserialize, Serialize};
use store::Scope;
use tenancy::tenant;
use utoipa::ToSchema;
use values::{Language, Message, Result, TenantId};

use crate::{
    codes,
    resource::texts_of,
    state::{Server, State},
    work::{self, IMPORT_TYPES},
};

use self::form::UploadForm;

pub(crate) fn routes(routes: &mut Routes) {
    wizard::routes(routes);
    publish!(routes, Imports: list, export, create, apply, undo, stop, view, delete, upload_file, error_file);
    rows::routes(routes);
    groups::routes(routes);
    impact::routes(routes);
    events::routes(routes);
}

/// Options for the undo of an import.
#[derive(Debug, Deserialize, ToSchema)]
#[schema(as = ImportUndoInput)]
#[serde(deny_unknown_fields)]
struct UndoInput {
    /// True to return the result of each row without writing anything.
    #[serde(default)]
    #[schema(default = false)]
    dry_run: bool,
}

/// An import.
#[derive(Serialize, ToSchema)]
#[schema(as = Import)]
#[expect(clippy::struct_excessive_bools, reason = "independent facts")]
pub(in crate::resource) struct ImportView {
    id: i64,
    #[schema(required, example = "Lieferprogramm November")]
    name: Option<String>,
    r#type: ImportType,
    status: ImportStatus,
    /// Reason for the status, and notes about an unusual way in which the file was read; for people, in the
    /// language of `Accept-Language`.
    #[schema(required, example = "Die Datei wurde als Windows-1252 gelesen.")]
    status_message: Option<String>,
    dry_run: bool,
    /// True if rows that are hidden in the spreadsheet are left out.
    skip_hidden_rows: bool,
    /// Price list that the rows belong to.
    #[schema(required)]
    price_list: Option<ListOfImport>,
    strategy: Strategy,
    /// Records that a file with the strategy `replace_all` replaces.
    replace_scope: ReplaceScope,
    /// Number of records that would be deleted, which the call that applies the dry run must confirm; `null`
    /// if no confirmation is needed.
    #[schema(required, example = 4967)]
    removals_to_confirm: Option<i64>,
    /// Import that this one undoes: it has the rows of that one and no file.
    #[schema(required)]
    undoes: Option<i64>,
    /// Import that undoes this one.
    #[schema(required)]
    undone_by: Option<i64>,
    /// True if it has changed anything that can be undone.
    undoable: bool,
    /// Name of the uploaded file.
    #[schema(example = "lieferprogramm.csv")]
    upload_file: String,
    /// Name of the file of refused rows, if there is one.
    #[schema(required, example = "lieferprogramm-fehler.csv")]
    error_file: Option<String>,
    /// True if the uploaded file and the refused rows are still stored: for 90 days.
    files_kept: bool,
    /// Number of rows; known once the file has been scanned.
    #[schema(required, example = 250)]
    rows_total: Option<i64>,
    #[schema(example = 250)]
    rows_done: i64,
    #[schema(example = 120)]
    rows_created: i64,
    #[schema(example = 30)]
    rows_updated: i64,
    #[schema(example = 97)]
    rows_unchanged: i64,
    #[schema(example = 3)]
    rows_refused: i64,
    /// Rows with prices that look like a mistake and wait for a release.
    rows_held: i64,
    /// Rows with numbers that no matching resolves yet; they wait for one: `/api/admin/unresolved-numbers`.
    rows_unresolved: i64,
    /// Records that were deleted, or whose values from the file were removed.
    rows_removed: i64,
    /// Rows without an existing record, in an import that only changes existing ones.
    rows_skipped: i64,
    /// Rows of an undo whose records were edited since and stay unchanged.
    rows_kept: i64,
    /// Last import of the identical file, if there was one.
    #[schema(required)]
    identical_to: Option<EarlierImport>,
    /// Import some of whose rows are imported again.
    #[schema(required)]
    replays: Option<i64>,
    /// Reason for importing them again; `null` if `replays` is, and for imports before 28 November 2026.
    #[schema(required)]
    replay_cause: Option<ReplayCause>,
    /// Latest import that repeats rows of this one, unless they were corrected.
    #[schema(required)]
    replayed_by: Option<i64>,
    /// Meanings chosen for columns whose names were not recognised.
    #[schema(required)]
    mapping: Option<Vec<MappedColumn>>,
    /// Settings for reading and completing the file; with the recognised sheet and heading line once it has
    /// begun.
    #[schema(required)]
    settings: Option<Settings>,
    tenant: TenantOfImport,
    /// User who uploaded the file; `null` if they have been deleted, or if a feed or an external API
    /// delivered it.
    #[schema(required)]
    created_by: Option<Uploader>,
    #[schema(required)]
    feed: Option<FeedOfImport>,
    #[schema(required)]
    external_api: Option<ExternalApiOfImport>,
    created_at: DateTime<Utc>,
    updated_at: DateTime<Utc>,
    #[schema(required)]
    started_at: Option<DateTime<Utc>>,
    #[schema(required)]
    finished_at: Option<DateTime<Utc>>,
}

#[derive(Serialize, ToSchema)]
struct EarlierImport {
    id: i64,
    created_at: DateTime<Utc>,
}

/// Price list that an import is for.
#[derive(Serialize, ToSchema)]
#[schema(as = PriceListOfImport)]
struct ListOfImport {
    id: i64,
    /// Name of the list; `null` if the caller does not see it or it is deleted.
    #[schema(required, example = "Verkauf 2027")]
    name: Option<String>,
}

#[derive(Serialize, ToSchema)]
struct TenantOfImport {
    id: i64,
    #[schema(example = "Nordstahl Handel GmbH")]
    company: String,
}

#[derive(Serialize, ToSchema)]
struct Uploader {
    id: i64,
    #[schema(example = "Eva Lindner")]
    name: String,
}

/// FTP settings with which a file was fetched.
#[derive(Serialize, ToSchema)]
struct FeedOfImport {
    id: i64,
    /// Name of the server.
    #[schema(example = "sftp.lieferant.example")]
    host: String,
}

/// External API whose lists were fetched.
#[derive(Serialize, ToSchema)]
struct ExternalApiOfImport {
    id: i64,
    /// Name of the server.
    #[schema(example = "erp.lieferant.example")]
    host: String,
}

/// Data related to imports, by id.
pub(super) struct RelatedRecords {
    companies: HashMap<TenantId, String>,
    users: HashMap<i64, String>,
    feeds: HashMap<i64, String>,
    external_apis: HashMap<i64, String>,
    created_at: HashMap<i64, DateTime<Utc>>,
    undos: HashMap<i64, i64>,
    replays: HashMap<i64, i64>,
    lists: HashMap<i64, String>,
    /// True if unfinished imports wait because the database or the storage is not available.
    paused: bool,
}

impl RelatedRecords {
    pub(super) async fn load(imports: &[Import], db: &impl ConnectionTrait, scope: &Scope) -> Result<Self> {
        let tenants = imports.iter().map(|import| TenantId(import.tenant_id));
        let companies = tenant::companies(db, scope, tenants).await?;
        let users = user::lookup::names(db, imports.iter().filter_map(|import| import.created_by)).await?;
        let feeds =
            ftp_settings::hosts(db, scope, imports.iter().filter_map(|import| import.feed_id)).await?;
        let apis = imports.iter().filter_map(|import| import.external_api_id);
        let external_apis = external_api::hosts(db, scope, apis).await?;
        let earlier = imports.iter().filter_map(|import| import.identical_to);
        let created_at = import::creation_times(db, scope, earlier).await?;
        let undos = undo::undos_of(db, scope, imports.iter().map(|import| import.id)).await?;
        let replays = replay_cause::replays_of(db, scope, imports.iter().map(|import| import.id)).await?;
        let lists = imports.iter().filter_map(|import| import.aim_id);
        Ok(Self {
            lists: price_list::names(db, scope, lists).await?,
            undos,
            replays,
            companies: companies.into_iter().collect(),
            users: users.into_iter().collect(),
            feeds: feeds.into_iter().collect(),
            external_apis: external_apis.into_iter().collect(),
            created_at: created_at.into_iter().collect(),
            paused: false,
        })
    }

    pub(super) fn with_outage(self, server: &State) -> Self {
        let paused = server.db.health().fault().is_some() || server.storage.check_free_space().is_err();
        Self { paused, ..self }
    }

    /// Message about an import besides its status.
    fn message(&self, import: &Import, language: Language) -> Option<String> {
        if self.paused && !import.is_final() {
            return Some(Message::from(codes::IMPORT_PAUSED).text(language));
        }
        import.status_text(language)
    }

    pub(super) fn view(&self, import: Import, language: Language) -> ImportView {
        let identical_to = import.identical_to.and_then(|id| {
            self.created_at.get(&id).map(|created_at| EarlierImport { id, created_at: *created_at })
        });
        let created_by =
            import.created_by.and_then(|id| Some(Uploader { id, name: self.users.get(&id)?.clone() }));
        let feed =
            import.feed_id.and_then(|id| Some(FeedOfImport { id, host: self.feeds.get(&id)?.clone() }));
        let external_api = import
            .external_api_id
            .and_then(|id| Some(ExternalApiOfImport { id, host: self.external_apis.get(&id)?.clone() }));
        let company = self.companies.get(&TenantId(import.tenant_id)).cloned().unwrap_or_default();
        ImportView {
            id: import.id,
            status_message: self.message(&import, language),
            error_file: report::error_file_name(&import, language),
            files_kept: import.files_kept(),
            undoes: import.undoes,
            undone_by: self.undos.get(&import.id).copied(),
            removals_to_confirm: import.removals_to_confirm(),
            undoable: import.is_undoable() && !self.undos.contains_key(&import.id),
            name: import.name,
            r#type: import.r#type,
            status: import.status,
            dry_run: import.dry_run,
            skip_hidden_rows: import.skip_hidden_rows,
            price_list: import.aim_id.map(|id| ListOfImport { id, name: self.lists.get(&id).cloned() }),
            strategy: import.strategy,
            replace_scope: import.replace_scope,
            upload_file: import.upload_file,
            rows_total: import.rows_total,
            rows_done: import.rows_done,
            rows_created: import.rows_created,
            rows_updated: import.rows_updated,
            rows_unchanged: import.rows_unchanged,
            rows_refused: import.rows_refused,
            rows_held: import.rows_held,
            rows_unresolved: import.rows_unresolved,
            rows_removed: import.rows_removed,
            rows_skipped: import.rows_skipped,
            rows_kept: import.rows_kept,
            identical_to,
            replays: import.replays,
            replay_cause: import.replay_cause,
            replayed_by: self.replays.get(&import.id).copied(),
            mapping: import.mapping.map(|Mapping(columns)| columns),
            settings: import.settings,
            tenant: TenantOfImport { id: import.tenant_id, company },
            created_by,
            feed,
            external_api,
            created_at: import.created_at,
            updated_at: import.updated_at,
            started_at: import.started_at,
            finished_at: import.finished_at,
        }
    }
}

const PATH: &str = "/api/admin/imports";

pub(in crate::resource) async fn load_view(
    import: Import,
    server: &State,
    scope: &Scope,
    language: Language,
) -> Result<ImportView> {
    let related = RelatedRecords::load(std::slice::from_ref(&import), &server.db, scope).await?;
    Ok(related.with_outage(server).view(import, language))
}

/// Lists imports.
#[utoipa::path(get, path = "/api/admin/imports")]
async fn list(
    by: Authorized<may::ListImports>,
    Server(state): Server,
    RequestInfo(request): RequestInfo,
    List(query): List<Imports>,
) -> Answer<OkPage<ImportView>> {
    let page = query.fetch::<Import>(&state.db, by.scope(), |select| select).await?;
    let related = RelatedRecords::load(&page.rows, &state.db, by.scope()).await?.with_outage(&state);
    Ok(ok_page(page.map(|import| related.view(import, request.language))))
}

const COLUMNS: &[Column<ImportView>] = &[
    ("name", |row, labels| match &row.name {
        Some(name) => name.as_str().into(),
        None => labels.choice("type", row.r#type),
    }),
    ("status", |row, labels| labels.choice("status", row.status)),
    ("type", |row, labels| labels.choice("type", row.r#type)),
    ("dry_run", |row, labels| labels.yes_no(row.dry_run)),
    ("rows", |row, _| row.rows_total.into()),
    ("rows_created", |row, _| row.rows_created.into()),
    ("rows_updated", |row, _| row.rows_updated.into()),
    ("rows_unchanged", |row, _| row.rows_unchanged.into()),
    ("rows_refused", |row, _| row.rows_refused.into()),
    ("rows_held", |row, _| row.rows_held.into()),
    ("rows_unresolved", |row, _| row.rows_unresolved.into()),
    ("rows_removed", |row, _| row.rows_removed.into()),
    ("rows_skipped", |row, _| row.rows_skipped.into()),
    ("rows_kept", |row, _| row.rows_kept.into()),
    ("undoes", |row, _| row.undoes.into()),
    ("upload_file", |row, _| row.upload_file.as_str().into()),
    ("tenant", |row, _| row.tenant.company.as_str().into()),
    ("created_by", |row, _| {
        let feed = row.feed.as_ref().map(|feed| &*feed.host);
        row.created_by.as_ref().map(|user| &*user.name).or(feed).into()
    }),
    ("created_at", |row, _| time(row.created_at)),
    ("started_at", |row, _| row.started_at.map(time).into()),
    ("finished_at", |row, _| row.finished_at.map(time).into()),
];

/// Exports all imports that match the filters.
#[utoipa::path(get, path = "/api/admin/imports/export")]
async fn export(by: Authorized<may::ListImports>, export: Export<Imports>) -> Answer<Download> {
    let language = export.language;
    let views = async |db: &_, rows: Vec<Import>| {
        let related = RelatedRecords::load(&rows, db, by.scope()).await?;
        Ok(rows.into_iter().map(|import| related.view(import, language)).collect())
    };
    Ok(export.table(by.scope(), texts_of::<Imports>()?, COLUMNS, views).await?)
}

/// Uploads a file and queues its import.
#[utoipa::path(post, path = "/api/admin/imports")]
async fn create(
    by: Authorized<may::CreateImport>,
    Server(state): Server,
    RequestInfo(request): RequestInfo,
    Upload { form, file }: Upload<UploadForm>,
) -> Answer<Created<ImportView>> {
    let profile = import_profile::find_for_type(&state.db, by.scope(), form.profile_id, form.r#type).await?;
    let (file, _) = price_format::convert_price_file(&state, form.r#type, form.price_format, file).await?;
    let input = ImportInput {
        name: form.name,
        dry_run: form.dry_run.unwrap_or_default(),
        skip_hidden_rows: form.skip_hidden_rows.unwrap_or_default(),
        aim: form.price_list_id,
        strategy: form.strategy.unwrap_or_default(),
        replace_scope: form.replace_scope.unwrap_or_default(),
        mapping: form.mapping,
        settings: form.settings,
        ..ImportInput::new(form.r#type, file.name)
    };
    let input = input.read_by(profile);
    let language = request.language;
    let uploader = import::uploader::Uploader { scope: by.scope(), rights: by.caller.rights, language };
    let import = import::upload::submit(work::services(&state), uploader, input, file.content.path()).await?;
    state.imports_waiting.notify_one();
    Ok(created(load_view(import, &state, by.scope(), language).await?))
}

/// Applies a dry run: imports the same file as a new import. A repeated call returns that import, unless it
/// failed, was stopped or was undone. If the dry run has `removals_to_confirm`, the call must send that
/// number.
#[utoipa::path(post, path = "/api/admin/imports/{id}/apply")]
async fn apply(
    by: Authorized<may::CreateImport>,
    Server(state): Server,
    RequestInfo(request): RequestInfo,
    Id(id): Id,
    ConfirmedRemovals(confirmed): ConfirmedRemovals,
) -> Answer<CreatedIn<ImportView>> {
    let language = request.language;
    let uploader = import::uploader::Uploader { scope: by.scope(), rights: by.caller.rights, language };
    let import = import::dry_run::apply(work::services(&state), uploader, id, confirmed).await?;
    state.imports_waiting.notify_one();
    Ok(created_in(PATH, import.id, load_view(import, &state, by.scope(), language).await?))
}

/// Undoes a whole import, row by row in the background: as an import of its own, which can be undone as well.
/// Records that were changed since stay unchanged. Needs the permissions of its type, and those for deleting
/// such records.
#[utoipa::path(post, path = "/api/admin/imports/{id}/undo")]
async fn undo(
    by: Authorized<may::CreateImport>,
    Server(state): Server,
    RequestInfo(request): RequestInfo,
    Id(id): Id,
    Body(input): Body<UndoInput>,
) -> Answer<CreatedIn<ImportView>> {
    let language = request.language;
    let uploader = import::uploader::Uploader { scope: by.scope(), rights: by.caller.rights, language };
    let import = undo::undo(&state.db, &IMPORT_TYPES, uploader, id, input.dry_run).await?;
    state.imports_waiting.notify_one();
    Ok(created_in(PATH, import.id, load_view(import, &state, by.scope(), language).await?))
}

/// Stops a running import. Rows applied by then stay, are reported and can be undone together; an import that
/// takes effect as a whole leaves nothing. One that is still queued is cancelled.
#[utoipa::path(post, path = "/api/admin/imports/{id}/stop")]
async fn stop(
    by: Authorized<may::DeleteImport>,
    Server(state): Server,
    RequestInfo(request): RequestInfo,
    Id(id): Id,
) -> Answer<OkJson<ImportView>> {
    let import =
        stopping::stop(&state.db, &IMPORT_TYPES, &work::surroundings(&state), by.scope(), id).await?;
    Ok(ok_json(load_view(import, &state, by.scope(), request.language).await?))
}

/// Shows an import.
#[utoipa::path(get, path = "/api/admin/imports/{id}")]
async fn view(
    by: Authorized<may::ViewImport>,
    Server(state): Server,
    RequestInfo(request): RequestInfo,
    Id(id): Id,
) -> Answer<OkJson<ImportView>> {
    let import = by.scope().get::<Imports>(&state.db, id).await?;
    Ok(ok_json(load_view(import, &state, by.scope(), request.language).await?))
}

/// Cancels an import that is still queued.
#[utoipa::path(delete, path = "/api/admin/imports/{id}")]
async fn delete(by: Authorized<may::DeleteImport>, Db(db): Db, Id(id): Id) -> Answer<NoContent> {
    Ok(no_content(import::cancel(&db, by.scope(), id).await?))
}

/// Downloads the uploaded file.
#[utoipa::path(get, path = "/api/admin/imports/{id}/upload-file")]
async fn upload_file(by: Authorized<may::ViewImport>, Server(state): Server, Id(id): Id) -> Answer<Download> {
    let import = by.scope().get::<Imports>(&state.db, id).await?;
    import.check_content(by.scope())?;
    import.check_files_kept()?;
    let content = state.storage.read(&import.upload_key).await?;
    Ok(download(import.upload_file, content))
}

/// Downloads the refused rows with their reasons, to be corrected and uploaded again.
#[utoipa::path(get, path = "/api/admin/imports/{id}/error-file")]
async fn error_file(
    by: Authorized<may::ViewImport>,
    Server(state): Server,
    RequestInfo(request): RequestInfo,
    Id(id): Id,
) -> Answer<Download> {
    let import = by.scope().get::<Imports>(&state.db, id).await?;
    import.check_content(by.scope())?;
    import.check_files_kept()?;
    let name = report::error_file_name(&import, request.language).ok_or_else(values::Error::not_found)?;
    let file = report::error_file(&state.db, by.scope(), &state.storage, &import, request.language).await?;
    Ok(download_file(name, file))
}

#[cfg(test)]
mod tests {
    use imports::import::row::Outcome;
    use sea_orm::Iterable;
    use utoipa::{
        PartialSchema,
        openapi::{RefOr, Schema},
    };

    use super::*;

    #[test]
    fn an_import_and_its_export_count_the_rows_of_each_result() {
        let RefOr::T(Schema::Object(view)) = ImportView::schema() else { panic!("not an object") };
        for counter in Outcome::iter().map(Outcome::counter) {
            assert!(view.required.iter().any(|field| field == counter), "{counter}");
            assert!(COLUMNS.iter().any(|(heading, _)| *heading == counter), "{counter}");
        }
    }
}
