//! Imports: an accepted file is applied once, whatever dies meanwhile; only a queued import can be cancelled.

mod dry_run;
pub mod entity;
pub mod inspection;
pub mod mapping;
pub mod progress;
pub mod refusal;
pub mod report;
pub mod retention;
pub mod row;
pub mod strategy;

use std::path::Path;

use background::Figures;
use chrono::TimeDelta;
use kernel::{
    Code, Database, Field, Instant, Language, Listed, Message, Owner, Permission, PermissionSet, Phrase,
    Recorded, Reference, Resource, Result, Scope, Scoped, UserId, Violations, Write,
    audit::Action,
    fold, now,
    rule::{optional, trimmed},
    shortened,
};
use sea_orm::{
    ActiveValue::Set, ColumnTrait, Condition, ConnectionTrait, DeriveActiveEnum, EntityTrait, EnumIter,
    ExprTrait, PaginatorTrait, QueryFilter, QueryOrder, QuerySelect, prelude::StringLen, sea_query::Expr,
};
use serde::{Deserialize, Serialize};
use sheets::{Cell, header::Title, number::Style};
use tenancy::tenant::Tenants;
use utoipa::ToSchema;

pub use self::{
    dry_run::{apply, rehearse},
    entity::{ActiveModel, Column, Entity as Imports, Model as Import},
};
use storage::{Storage, Stored};

use self::{
    dry_run::applied,
    mapping::Mapping,
    strategy::{ReplaceScope, Strategy, needs_confirmation},
};
use crate::{import_type::ImportType, importer::Registry};

/// Where uploaded files are kept.
pub(crate) const FOLDER: &str = "imports";

/// As much as is told of why an import ended as it did, in characters; a list shows it of each.
const STATUS_MAX: usize = 4_000;

/// How far an import is. The last four are final.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema, EnumIter, DeriveActiveEnum,
)]
#[sea_orm(rs_type = "String", db_type = "String(StringLen::N(16))")]
#[schema(example = "PartialSuccess")]
pub enum ImportStatus {
    #[sea_orm(string_value = "Queued")]
    Queued,
    #[sea_orm(string_value = "InProgress")]
    InProgress,
    /// All rows were applied.
    #[sea_orm(string_value = "Success")]
    Success,
    /// Some rows were applied, others refused.
    #[sea_orm(string_value = "PartialSuccess")]
    PartialSuccess,
    /// No row was applied.
    #[sea_orm(string_value = "Failed")]
    Failed,
    #[sea_orm(string_value = "Cancelled")]
    Cancelled,
}

impl Scoped for Imports {
    const ID: Column = Column::Id;
    const OWNER: Owner<Column> = Owner::Tenant(Column::TenantId);

    /// Who may not enter the admin area as such is a token for uploads: it sees its owner's, of the types that it may upload.
    fn visible_to(scope: &Scope) -> Condition {
        let own = scope.own::<Self>();
        if scope.may(Permission::AccessAdmin) {
            return own;
        }
        let may = |needed: &Permission| scope.may(*needed);
        let types = ImportType::ALL.iter().copied().filter(|r#type| r#type.needs().iter().all(may));
        own.add(Column::CreatedBy.eq(scope.user())).add(Column::Type.is_in(types))
    }
}

impl Recorded for Imports {
    const RESOURCE: &'static Resource =
        &Resource::new::<Self>("imports", Phrase { de: "Importe", en: "imports" }, Permission::ListImports)
            .refers(&[Reference::of::<Self, Tenants>("tenant_id")]);
    const NAME: Column = Column::UploadFile;
    const VERSION: Column = Column::Version;
    const CREATED_AT: Column = Column::CreatedAt;
    const UPDATED_AT: Column = Column::UpdatedAt;
    /// The file, and the work on it: how that ended is told when it does.
    const UNNOTED: &'static [Column] = &[
        Column::Status,
        Column::StatusMessage,
        Column::UploadKey,
        Column::Sha256,
        Column::NumberStyle,
        Column::SkipHiddenRows,
        Column::HidesPrices,
        Column::Mapping,
        Column::HeaderKey,
        Column::Applies,
        Column::RowsTotal,
        Column::RowsHidden,
        Column::RowsDone,
        Column::RowsCreated,
        Column::RowsUpdated,
        Column::RowsUnchanged,
        Column::RowsRefused,
        Column::RowsHeld,
        Column::RowsUnresolved,
        Column::RowsRemoved,
        Column::RowsSkipped,
        Column::RemovalsExpected,
        Column::RowsKept,
        Column::StartedAt,
        Column::FinishedAt,
        Column::TurnAt,
        Column::LeaseOwner,
        Column::LeaseUntil,
        Column::Fence,
        Column::Attempt,
        Column::Checkpoint,
    ];
}

impl Listed for Imports {
    const FIELDS: &'static [Field] = &[
        Field::text("name", &Column::NameFold),
        Field::choice(
            "type",
            &Column::Type,
            &[
                "Listing",
                "Price",
                "PriceList",
                "Stock",
                "Article",
                "Matching",
                "DeleteMatchings",
                "ExternalApiMetaData",
            ],
        ),
        Field::choice(
            "status",
            &Column::Status,
            &["Queued", "InProgress", "Success", "PartialSuccess", "Failed", "Cancelled"],
        ),
        Field::id("tenant_id", &Column::TenantId),
        Field::id("price_list_id", &Column::PriceListId),
        Field::time("created_at", &Column::CreatedAt),
        Field::time("updated_at", &Column::UpdatedAt),
    ];
    const DEFAULT_SORT: &'static str = "-updated_at";
}

/// What somebody uploads.
#[derive(Debug, Clone)]
pub struct ImportInput {
    pub r#type: ImportType,
    pub name: Option<String>,
    /// Everything is checked and counted, nothing is written.
    pub dry_run: bool,
    /// Rows that are hidden in the spreadsheet are left out.
    pub skip_hidden_rows: bool,
    /// The price list that rows are prices of, where the type is one of those.
    pub price_list: Option<i64>,
    pub strategy: Strategy,
    /// What a file that replaces all speaks of.
    pub replace_scope: ReplaceScope,
    /// How many records a dry run has named that go.
    pub removals_expected: Option<i64>,
    /// What the file was called where it came from.
    pub file_name: String,
    /// What its columns mean, where their names do not say it.
    pub mapping: Option<Mapping>,
    /// By which files with the same columns are found.
    pub header_key: Option<String>,
    /// Of rows that have waited.
    pub replays: Option<Replayed>,
    /// The dry run whose file is applied.
    pub applies: Option<i64>,
}

/// An import of which some rows are done again.
#[derive(Debug, Clone)]
pub struct Replayed {
    pub import: i64,
    /// How its numbers were read.
    pub(crate) number_style: Option<String>,
}

/// Refuses what is not accepted, before a file is kept.
pub(crate) fn check(
    registry: &Registry,
    scope: &Scope,
    rights: PermissionSet,
    r#type: ImportType,
) -> Result<()> {
    scope.tenant()?;
    r#type.demand(rights)?;
    registry.claim(r#type, scope)
}

/// As whom a file is imported; refused where somebody may not.
pub(crate) async fn writer(
    db: &Database,
    registry: &Registry,
    by: Uploader<'_>,
    r#type: ImportType,
    price_list: Option<i64>,
) -> Result<Scope> {
    let writer = registry.get(r#type)?.writer(db, by.scope, price_list).await?;
    check(registry, &writer, by.rights, r#type)?;
    Ok(writer)
}

pub(crate) fn check_rights(rights: PermissionSet, needed: &[Permission]) -> Result<()> {
    match needed.iter().find(|permission| !rights.contains(**permission)) {
        Some(missing) => Err(Code::Forbidden.with("permission", missing.as_str()).into()),
        None => Ok(()),
    }
}

/// Where an upload comes from.
#[derive(Debug, Clone, Copy)]
pub struct Uploader<'a> {
    pub scope: &'a Scope,
    /// What they may do, whatever they act for.
    pub rights: PermissionSet,
    pub language: Language,
}

/// Keeps a file and queues it, where its type is one of the registry's.
pub async fn submit(
    db: &Database,
    storage: &Storage,
    registry: &Registry,
    by: Uploader<'_>,
    mut input: ImportInput,
    file: &Path,
) -> Result<Import> {
    let writer = writer(db, registry, by, input.r#type, input.price_list).await?;
    let by = Uploader { scope: &writer, ..by };
    if input.strategy == Strategy::ReplaceAll {
        check_rights(by.rights, input.r#type.needs_to_replace())?;
        if !registry.get(input.r#type)?.replaces_all() {
            return Err(Violations::of("strategy", Code::NotReplaceable));
        }
        if !input.dry_run && input.removals_expected.is_none() {
            return Err(Code::TryFirst.into());
        }
    }
    if let Some(mapping) = &input.mapping {
        let importer = registry.get(input.r#type)?;
        let key =
            inspection::checked(db, (input.r#type, importer), (by.scope, by.language), mapping, file).await?;
        input.header_key = input.header_key.or(Some(key));
    }
    let stored = storage.keep(FOLDER, file).await?;
    let queued = create(db, by, input, &stored).await;
    // another request has queued it
    if queued.as_ref().map_or(true, |import| import.upload_key != stored.key) {
        storage.discard(&stored.key).await;
    }
    queued
}

/// Queues a stored file.
async fn create(db: &Database, by: Uploader<'_>, input: ImportInput, stored: &Stored) -> Result<Import> {
    let tx = db.begin().await?;
    if let Some(tried) = input.applies {
        // of several at once the first one queues it
        let tried = by.scope.get_locked::<Imports>(&tx, tried).await?;
        if let Some(applied) = applied(&tx, by.scope, &tried).await? {
            return Ok(applied);
        }
    }
    let import = queue(&tx, by, input, stored).await?;
    tx.commit().await?;
    Ok(import)
}

/// The same within a transaction.
pub(crate) async fn queue(
    tx: &Write,
    by: Uploader<'_>,
    input: ImportInput,
    stored: &Stored,
) -> Result<Import> {
    let Uploader { scope, language, .. } = by;
    let name = trimmed(input.name.clone());
    let mut violations = Violations::new();
    optional(&mut violations, "name", name.as_deref());
    violations.check()?;

    // An upload takes minutes, within which a tenant can be removed.
    tenancy::tenant::get(tx, scope, scope.tenant()?.into()).await?;
    let identical_to = identical(tx, scope, &input, &stored.sha256).await?;
    let row = ActiveModel {
        created_by: Set(scope.user().map(|UserId(id)| id)),
        name_fold: Set(fold(name.as_deref().unwrap_or_default())),
        name: Set(name),
        r#type: Set(input.r#type),
        status: Set(ImportStatus::Queued),
        status_message: Set(None),
        dry_run: Set(input.dry_run),
        skip_hidden_rows: Set(input.skip_hidden_rows),
        hides_prices: Set(!scope.may(Permission::ViewPrice)),
        price_list_id: Set(input.price_list),
        strategy: Set(input.strategy),
        replace_scope: Set(input.replace_scope),
        removals_expected: Set(input.removals_expected),
        language: Set(language_name(language).to_owned()),
        upload_file: Set(file_name(&input.file_name)),
        upload_key: Set(stored.key.clone()),
        upload_size: Set(i64::try_from(stored.size).unwrap_or(i64::MAX)),
        sha256: Set(stored.sha256.clone()),
        identical_to: Set(identical_to),
        replays: Set(input.replays.as_ref().map(|of| of.import)),
        applies: Set(input.applies),
        mapping: Set(input.mapping),
        header_key: Set(input.header_key),
        number_style: Set(input.replays.and_then(|of| of.number_style)),
        rows_done: Set(0),
        rows_created: Set(0),
        rows_updated: Set(0),
        rows_unchanged: Set(0),
        rows_refused: Set(0),
        rows_held: Set(0),
        rows_unresolved: Set(0),
        rows_removed: Set(0),
        rows_skipped: Set(0),
        rows_kept: Set(0),
        fence: Set(0),
        attempt: Set(0),
        checkpoint: Set(0),
        ..Default::default()
    };
    scope.create::<Imports>(tx, row).await
}

/// The last import of the same file that was meant.
async fn identical(
    tx: &impl ConnectionTrait,
    scope: &Scope,
    input: &ImportInput,
    sha256: &str,
) -> Result<Option<i64>> {
    let of_list = input.price_list.map(|list| Column::PriceListId.eq(list));
    let earlier: Option<i64> = scope
        .find::<Imports>()
        .select_only()
        .column(Column::Id)
        .filter(Column::TenantId.eq(scope.tenant()?))
        .filter(Column::Type.eq(input.r#type))
        .filter(Condition::all().add_option(of_list))
        .filter(Column::Sha256.eq(sha256))
        .filter(Column::DryRun.eq(false))
        .filter(Column::Status.ne(ImportStatus::Cancelled))
        .order_by_desc(Column::Id)
        .into_tuple()
        .one(tx)
        .await?;
    Ok(earlier)
}

/// Cancels an import that has not begun. Whoever comes first, this or a worker, wins.
#[expect(clippy::disallowed_methods, reason = "one conditional update, of a row that the scope has shown")]
pub async fn cancel(db: &Database, scope: &Scope, id: i64) -> Result<()> {
    let import = scope.get::<Imports>(db, id).await?;
    let tx = db.begin().await?;
    let now = now();
    let cancelled = Imports::update_many()
        .col_expr(Column::Status, Expr::value(ImportStatus::Cancelled))
        .col_expr(Column::FinishedAt, Expr::value(now))
        .col_expr(Column::UpdatedAt, Expr::value(now))
        .col_expr(Column::Version, Expr::col(Column::Version).add(1))
        .filter(Column::Id.eq(id))
        .filter(Column::Status.eq(ImportStatus::Queued))
        .exec(&tx)
        .await?;
    if cancelled.rows_affected == 0 {
        return Err(Code::NotQueued.into());
    }
    scope.note::<Imports>(&tx, Action::Cancelled, Some(&import), Some(&import));
    tx.commit().await
}

/// Forgets what an import was told of its columns, for files to come: it is offered no longer. What it was told itself it keeps.
#[expect(clippy::disallowed_methods, reason = "imports of the tenant of one that the scope has shown")]
pub async fn forget_mapping(db: &Database, scope: &Scope, id: i64) -> Result<()> {
    let import = scope.get::<Imports>(db, id).await?;
    let Some(key) = import.header_key else { return Ok(()) };
    let tx = db.begin().await?;
    Imports::update_many()
        .col_expr(Column::HeaderKey, Expr::value(Option::<String>::None))
        .filter(Column::TenantId.eq(import.tenant_id))
        .filter(Column::Type.eq(import.r#type))
        .filter(Column::HeaderKey.eq(key))
        .exec(&tx)
        .await?;
    tx.commit().await
}

/// When other imports were created, by id; for announcing identical files.
pub async fn creation_times(
    db: &impl ConnectionTrait,
    scope: &Scope,
    ids: impl IntoIterator<Item = i64>,
) -> Result<Vec<(i64, kernel::Instant)>> {
    let times = scope
        .find::<Imports>()
        .select_only()
        .columns([Column::Id, Column::CreatedAt])
        .filter(Column::Id.is_in(ids))
        .into_tuple()
        .all(db)
        .await?;
    Ok(times)
}

/// How many imports are in which state, whoever they belong to.
#[expect(clippy::disallowed_methods, reason = "a figure of the whole installation")]
pub async fn numbers(db: &impl ConnectionTrait) -> Result<Vec<(String, i64)>> {
    let counts = Imports::find()
        .select_only()
        .column(Column::Status)
        .column_as(Column::Id.count(), "number")
        .group_by(Column::Status);
    Ok(counts.into_tuple().all(db).await?)
}

/// The queue of all tenants.
#[expect(clippy::disallowed_methods, reason = "a figure of the whole installation")]
pub(crate) async fn figures(db: &impl ConnectionTrait, now: Instant) -> Result<Figures> {
    let open = Imports::find()
        .select_only()
        .column(Column::Status)
        .column_as(Column::Id.count(), "number")
        .column_as(Column::CreatedAt.min(), "since")
        // literally as in the index
        .filter(Condition::all().add(Expr::cust("status IN ('Queued', 'InProgress')")))
        .group_by(Column::Status);
    let mut figures = Figures::default();
    let open: Vec<(ImportStatus, i64, Option<Instant>)> = open.into_tuple().all(db).await?;
    for (status, number, since) in open {
        if status == ImportStatus::Queued {
            (figures.waiting, figures.waiting_since) = (number, since);
        } else {
            figures.running = number;
        }
    }
    let failed = Imports::find()
        .filter(Column::Status.eq(ImportStatus::Failed))
        .filter(Column::UpdatedAt.gt(now - TimeDelta::days(1)))
        .filter(Column::FinishedAt.gt(now - TimeDelta::days(1)));
    figures.failed = i64::try_from(failed.count(db).await?).unwrap_or(i64::MAX);
    Ok(figures)
}

/// What somebody has uploaded, for whoever may know everything of him.
#[expect(clippy::disallowed_methods, reason = "of a user whom the caller has found through his scope")]
pub async fn of_uploader(db: &impl ConnectionTrait, user: i64) -> Result<Vec<Import>> {
    Ok(Imports::find().filter(Column::CreatedBy.eq(user)).order_by_asc(Column::Id).all(db).await?)
}

impl Import {
    /// Why it ended as it did, in the reader's language.
    pub fn status_text(&self, language: Language) -> Option<String> {
        let messages: Vec<Message> =
            serde_json::from_str(self.status_message.as_deref()?).unwrap_or_default();
        let texts: Vec<_> = messages.iter().map(|message| message.text(language)).collect();
        (!texts.is_empty()).then(|| shortened(&texts.join("\n"), STATUS_MAX).into_owned())
    }

    /// Refuses to show the cells of somebody else's file to who may not see what they hold.
    pub fn check_content(&self, scope: &Scope) -> Result<()> {
        let is_own = self.created_by.is_some() && self.created_by == scope.user().map(|UserId(id)| id);
        match self.r#type.content().filter(|needed| !is_own && !scope.may(*needed)) {
            Some(needed) => Err(Code::Forbidden.with("permission", needed.as_str()).into()),
            None => Ok(()),
        }
    }

    /// The language of whoever uploaded it.
    pub fn language(&self) -> Language {
        if self.language == language_name(Language::En) { Language::En } else { Language::De }
    }

    /// How its numbers are read, where that is known.
    pub(crate) fn style(&self) -> Option<Style> {
        match self.number_style.as_deref()? {
            "point" => Some(Style::Point),
            _ => Some(Style::Comma),
        }
    }

    /// The header of its file, with what the columns mean.
    pub(crate) fn titles(&self, header: &[Cell]) -> Vec<Title> {
        self.mapping.as_ref().map_or_else(|| Title::of(header), |mapping| mapping.titles(header))
    }

    /// How many removals a dry run has named that are confirmed by this number, if they are.
    pub fn removals_to_confirm(&self) -> Option<i64> {
        let left = self.rows_updated + self.rows_unchanged + self.rows_held;
        let is_replacing = self.dry_run && self.strategy == Strategy::ReplaceAll;
        (is_replacing && needs_confirmation(self.rows_removed, left)).then_some(self.rows_removed)
    }

    /// Whether nothing will change any more.
    pub fn is_final(&self) -> bool {
        !matches!(self.status, ImportStatus::Queued | ImportStatus::InProgress)
    }
}

/// How numbers are read, as it is kept.
pub(crate) fn style_name(style: Style) -> &'static str {
    match style {
        Style::Comma => "comma",
        Style::Point => "point",
    }
}

pub(crate) fn language_name(language: Language) -> &'static str {
    match language {
        Language::De => "de",
        Language::En => "en",
    }
}

/// The last part of a path as a browser may send it, without anything that a header or a terminal would act on.
fn file_name(sent: &str) -> String {
    let last = sent.rsplit(['/', '\\']).next().unwrap_or_default();
    let name: String = last.chars().filter(|c| !c.is_control()).take(kernel::rule::TEXT_MAX).collect();
    if name.trim().is_empty() { "upload".to_owned() } else { name.trim().to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_name_is_the_last_part_of_a_path() {
        for (sent, kept) in [
            ("Artikel.csv", "Artikel.csv"),
            ("C:\\Users\\Änne\\Artikel 2026.xlsx", "Artikel 2026.xlsx"),
            ("../../etc/passwd", "passwd"),
            ("a\r\nb\0.csv", "ab.csv"),
            ("", "upload"),
            ("folder/", "upload"),
        ] {
            assert_eq!(file_name(sent), kept);
        }
        assert_eq!(file_name(&"ä".repeat(300)).chars().count(), 255);
    }

    #[test]
    fn fields_of_the_list_know_all_types_and_states() {
        let values = |name: &str| {
            let field = Imports::FIELDS.iter().find(|field| field.name == name).unwrap();
            match field.kind {
                kernel::list::Kind::Choice(values) => values.to_vec(),
                _ => Vec::new(),
            }
        };
        let types: Vec<_> = ImportType::ALL.iter().map(|kind| kind.as_str()).collect();
        assert_eq!(values("type"), types);
        assert_eq!(values("status").len(), <ImportStatus as sea_orm::Iterable>::iter().count());
    }
}
