//! Imports: an accepted file is applied exactly once, even after crashes; only a queued import can be
//! cancelled.

pub mod correction;
pub mod dry_run;
pub mod entity;
pub mod inspection;
pub mod mapping;
pub mod progress;
pub(crate) mod queued_row;
pub mod refusal;
pub mod replay_cause;
pub mod report;
pub mod retention;
pub mod row;
pub mod row_counts;
pub mod services;
pub mod settings;
pub mod start;
pub mod strategy;
pub mod suggestion;
pub mod upload;
pub mod uploader;

use background::Figures;
use chrono::TimeDelta;
use lists::{
    Field, Listed, listed_reference,
    search::{self, SearchedColumns},
};
use sea_orm::{
    ColumnTrait, Condition, ConnectionTrait, EntityTrait, ExprTrait, PaginatorTrait, QueryFilter, QueryOrder,
    QuerySelect, sea_query::Expr,
};
use sheets::{Cell, header::Title, number::Style};
use store::{Database, Owner, Recorded, Resource, Scope, Scoped, audit::Action};
use tenancy::tenant::Tenants;
use values::{
    ExternalApiId, FeedId, Instant, Language, Message, Permission, Phrase, Principal, Result, UserId, fold,
    now, shortened,
};

pub use self::entity::{ActiveModel, Column, Entity as Imports, ImportStatus, Model as Import};
use crate::{codes, import_type::ImportType, permissions};

/// Storage folder of uploaded files.
pub(crate) const FOLDER: &str = "imports";

/// Name of the target record on the wire; so far it can only be a price list.
pub(crate) const AIM_FIELD: &str = "price_list_id";

/// Maximum length of the status text of an import, in characters; lists show it for each.
const STATUS_MAX: usize = 4_000;

impl Scoped for Imports {
    const ID: Column = Column::Id;
    const OWNER: Owner<Column> = Owner::Tenant(Column::TenantId);

    /// Restricts callers without access to the admin area: tokens for uploads see their owner's imports of
    /// the types that they may upload, and feeds see imports of their types.
    fn visible_to(scope: &Scope) -> Condition {
        let own = scope.own::<Self>();
        if scope.may(values::permissions::ACCESS_ADMIN) {
            return own;
        }
        let may = |needed: &Permission| scope.may(*needed);
        let types = ImportType::ALL.iter().copied().filter(|r#type| r#type.needs().iter().all(may));
        let is_source = scope.principal().is_some_and(|principal| principal.user().is_none());
        let uploaded = (!is_source).then(|| Column::CreatedBy.eq(scope.user()));
        own.add_option(uploaded).add(Column::Type.is_in(types))
    }
}

impl Recorded for Imports {
    const RESOURCE: &'static Resource =
        &Resource::new::<Self>("imports", Phrase { de: "Importe", en: "imports" }, permissions::LIST_IMPORTS)
            .refers(&[listed_reference::<Self, Tenants>("tenant_id")]);
    const NAME: Column = Column::UploadFile;
    const VERSION: Column = Column::Version;
    const CREATED_AT: Column = Column::CreatedAt;
    const UPDATED_AT: Column = Column::UpdatedAt;
    /// Columns about the file and the work on it; the result is noted when the import ends.
    const UNNOTED: &'static [Column] = &[
        Column::Status,
        Column::StatusMessage,
        // the channel of the entry implies it
        Column::FeedId,
        Column::ExternalApiId,
        Column::UploadKey,
        Column::Sha256,
        Column::NumberStyle,
        Column::SkipHiddenRows,
        Column::HidesHeld,
        Column::Mapping,
        Column::Settings,
        Column::Header,
        Column::HeaderKey,
        Column::Applies,
        Column::ReplayCause,
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
        Field::text("name", &Column::NameFold).optional(),
        Field::search("search", &Column::SearchFold, &SEARCHED),
        Field::bool("dry_run", &Column::DryRun).unsorted(),
        Field::choice("type", &Column::Type, ImportType::NAMES),
        Field::choice(
            "status",
            &Column::Status,
            &["Queued", "InProgress", "Success", "PartialSuccess", "Failed", "Cancelled"],
        ),
        Field::id("tenant_id", &Column::TenantId),
        Field::id(AIM_FIELD, &Column::AimId).optional(),
        Field::time("created_at", &Column::CreatedAt),
        Field::time("updated_at", &Column::UpdatedAt),
    ];
    const DEFAULT_SORT: &'static str = "-updated_at";
}

const SEARCHED: SearchedColumns = SearchedColumns {
    columns: &[&Column::SearchFold],
    trigrams: None,
    references: &[],
    read: search::words,
    beginnings: None,
};

/// Returns the folded text by which an import is found: its name, or the words for its type, and its file name.
pub(crate) fn search_text(name: Option<&str>, r#type: ImportType, file: &str) -> String {
    let words = r#type.words();
    match name {
        Some(name) => fold(&format!("{name} {file}")),
        None => fold(&format!("{} {} {file}", words.de, words.en)),
    }
}

/// Cancels an import that has not begun. If a worker claims it at the same time, whichever is first wins.
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
        return Err(codes::NOT_QUEUED.into());
    }
    scope.note::<Imports>(&tx, Action::Cancelled, Some(&import), Some(&import));
    tx.commit().await
}

/// Stops offering the mapping of an import for later files with the same columns. The import itself is not
/// changed.
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

/// Creation times of other imports, by id; for announcing identical files.
pub async fn creation_times(
    db: &impl ConnectionTrait,
    scope: &Scope,
    ids: impl IntoIterator<Item = i64>,
) -> Result<Vec<(i64, values::Instant)>> {
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

/// Statuses of imports that the caller may see, by id.
pub async fn statuses(
    db: &impl ConnectionTrait,
    scope: &Scope,
    ids: impl IntoIterator<Item = i64>,
) -> Result<Vec<(i64, ImportStatus)>> {
    let ids: Vec<i64> = ids.into_iter().collect();
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let statuses = scope.find::<Imports>().select_only().columns([Column::Id, Column::Status]);
    Ok(statuses.filter(Column::Id.is_in(ids)).into_tuple().all(db).await?)
}

/// Number of imports in each status, over all tenants.
#[expect(clippy::disallowed_methods, reason = "a figure of the whole installation")]
pub async fn numbers(db: &impl ConnectionTrait) -> Result<Vec<(String, i64)>> {
    let counts = Imports::find()
        .select_only()
        .column(Column::Status)
        .column_as(Column::Id.count(), "number")
        .group_by(Column::Status);
    Ok(counts.into_tuple().all(db).await?)
}

/// Figures about the queue of all tenants.
#[expect(clippy::disallowed_methods, reason = "a figure of the whole installation")]
pub(crate) async fn figures(db: &impl ConnectionTrait, now: Instant) -> Result<Figures> {
    let open = Imports::find()
        .select_only()
        .column(Column::Status)
        .column_as(Column::Id.count(), "number")
        .column_as(Column::CreatedAt.min(), "since")
        // literally the condition of the partial index
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

/// Imports that a user has uploaded, for callers who may see everything about that user.
#[expect(clippy::disallowed_methods, reason = "the caller has found the user through their scope")]
pub async fn load_by_uploader(db: &impl ConnectionTrait, user: i64) -> Result<Vec<Import>> {
    Ok(Imports::find().filter(Column::CreatedBy.eq(user)).order_by_asc(Column::Id).all(db).await?)
}

impl Import {
    /// Messages about the end of the import.
    pub fn status_messages(&self) -> Vec<Message> {
        let stored = self.status_message.as_deref().unwrap_or_default();
        serde_json::from_str(stored).unwrap_or_default()
    }

    /// Reason for the final status, in the reader's language.
    pub fn status_text(&self, language: Language) -> Option<String> {
        let texts: Vec<_> = self.status_messages().iter().map(|message| message.text(language)).collect();
        (!texts.is_empty()).then(|| shortened(&texts.join("\n"), STATUS_MAX).into_owned())
    }

    /// User, feed or external API on whose behalf it runs; `None` once that user is deleted.
    pub fn principal(&self) -> Option<Principal> {
        let user = self.created_by.map(|id| Principal::User(UserId(id)));
        let feed = || self.feed_id.map(|id| Principal::Feed(FeedId(id)));
        let api = || self.external_api_id.map(|id| Principal::ExternalApi(ExternalApiId(id)));
        user.or_else(feed).or_else(api)
    }

    /// Refuses to show the cells of another user's file to callers without permission for its content.
    pub fn check_content(&self, scope: &Scope) -> Result<()> {
        let is_own = self.created_by.is_some() && self.created_by == scope.user().map(|UserId(id)| id);
        match self.r#type.content().filter(|needed| !is_own && !scope.may(*needed)) {
            Some(needed) => Err(codes::FORBIDDEN.with("permission", needed.as_str()).into()),
            None => Ok(()),
        }
    }

    /// Language of the uploader.
    pub fn language(&self) -> Language {
        if self.language == language_name(Language::En) { Language::En } else { Language::De }
    }

    /// Number style of the file, if it is known.
    pub fn style(&self) -> Option<Style> {
        match self.number_style.as_deref()? {
            "point" => Some(Style::Point),
            _ => Some(Style::Comma),
        }
    }

    /// Header of the file with the mapping of its columns.
    pub(crate) fn titles(&self, header: &[Cell]) -> Vec<Title> {
        self.mapping.as_ref().map_or_else(|| Title::from_header(header), |mapping| mapping.titles(header))
    }

    /// True if the import has ended.
    pub fn is_final(&self) -> bool {
        !matches!(self.status, ImportStatus::Queued | ImportStatus::InProgress)
    }
}

/// Stored name of a number style.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn filters_of_the_list_contain_all_types_and_states() {
        let values = |name: &str| {
            let field = Imports::FIELDS.iter().find(|field| field.name == name).unwrap();
            match field.kind {
                lists::list::Kind::Choice(values) => values.to_vec(),
                _ => Vec::new(),
            }
        };
        let types: Vec<_> = ImportType::ALL.iter().map(|kind| kind.as_str()).collect();
        assert_eq!(values("type"), types);
        assert_eq!(values("status").len(), <ImportStatus as sea_orm::Iterable>::iter().count());
    }
}
