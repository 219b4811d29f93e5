//! Groups of article types over HTTP.

use catalog::article_type_group::{
    self, ArticleTypeGroup, ArticleTypeGroupDetail, ArticleTypeGroupInput, ArticleTypeGroups,
};
use chrono::{DateTime, Utc};
use kernel::{in_use::Usage, may, usage};
use serde::Serialize;
use utoipa::ToSchema;

use crate::{
    http::{
        access::Authorized,
        answer::{Created, Done, Download, Listing, Shown, Whole, created, done, listing, shown},
        bulk::{self, BulkOutcome, Matching, Selection},
        export::{Export, Table, time},
        input::{About, Body, Db, Id, List},
        routes::{Answer, Routes},
    },
    publish, words,
};

pub(crate) fn routes(routes: &mut Routes) {
    publish!(routes, ArticleTypeGroups: list, export, create, view, update, delete, bulk_delete, usage);
}

/// A group of article types.
#[derive(Serialize, ToSchema)]
#[schema(as = ArticleTypeGroup)]
struct ArticleTypeGroupView {
    id: i64,
    /// Unique, whatever its case.
    name: String,
    #[schema(required)]
    description: Option<String>,
    /// How many article types are in it.
    article_type_count: u64,
    /// Counts the changes; to be sent back with a change.
    version: i64,
    created_at: DateTime<Utc>,
    updated_at: DateTime<Utc>,
}

impl From<ArticleTypeGroupDetail> for ArticleTypeGroupView {
    fn from(ArticleTypeGroupDetail { group, article_type_count }: ArticleTypeGroupDetail) -> Self {
        let ArticleTypeGroup { id, name, description, version, created_at, updated_at, .. } = group;
        Self { id, name, description, article_type_count, version, created_at, updated_at }
    }
}

/// Lists groups of article types.
#[utoipa::path(get, path = "/api/admin/article-type-groups")]
async fn list(
    by: Authorized<may::ListArticleTypeGroups>,
    Db(db): Db,
    List(query): List<ArticleTypeGroups>,
) -> Answer<Listing<ArticleTypeGroupView>> {
    Ok(listing(article_type_group::list(&db, by.scope(), &query).await?))
}

/// Exports all groups of article types that the filters match.
#[utoipa::path(get, path = "/api/admin/article-type-groups/export")]
async fn export(
    by: Authorized<may::ListArticleTypeGroups>,
    export: Export<ArticleTypeGroups>,
) -> Answer<Download> {
    let table = Table {
        words: words!("articleTypeGroups"),
        columns: &[
            ("name", |row: &ArticleTypeGroupDetail, _| row.group.name.as_str().into()),
            ("description", |row, _| row.group.description.as_deref().into()),
            ("article_type_count", |row, _| row.article_type_count.into()),
            ("updated_at", |row, _| time(row.group.updated_at)),
        ],
    };
    let detailed = async |db: &_, rows| article_type_group::detailed(db, by.scope(), rows).await;
    Ok(export.table(by.scope(), &table, detailed).await?)
}

/// Creates a group of article types.
#[utoipa::path(post, path = "/api/admin/article-type-groups")]
async fn create(
    by: Authorized<may::CreateArticleTypeGroup>,
    Db(db): Db,
    Body(input): Body<ArticleTypeGroupInput>,
) -> Answer<Created<ArticleTypeGroupView>> {
    Ok(created(article_type_group::create(&db, by.scope(), input).await?))
}

/// Shows a group of article types.
#[utoipa::path(get, path = "/api/admin/article-type-groups/{id}")]
async fn view(
    by: Authorized<may::ViewArticleTypeGroup>,
    Db(db): Db,
    Id(id): Id,
) -> Answer<Shown<ArticleTypeGroupView>> {
    Ok(shown(article_type_group::get(&db, by.scope(), id).await?))
}

/// Changes a group of article types.
#[utoipa::path(put, path = "/api/admin/article-type-groups/{id}")]
async fn update(
    by: Authorized<may::UpdateArticleTypeGroup>,
    Db(db): Db,
    Id(id): Id,
    Body(input): Body<ArticleTypeGroupInput>,
) -> Answer<Shown<ArticleTypeGroupView>> {
    Ok(shown(article_type_group::update(&db, by.scope(), id, input).await?))
}

/// Deletes a group that no article type is in.
#[utoipa::path(delete, path = "/api/admin/article-type-groups/{id}")]
async fn delete(by: Authorized<may::DeleteArticleTypeGroup>, Db(db): Db, Id(id): Id) -> Answer<Done> {
    Ok(done(article_type_group::delete(&db, by.scope(), id).await?))
}

/// Deletes many groups of article types, as far as each of them can be deleted.
#[utoipa::path(post, path = "/api/admin/article-type-groups/bulk-delete")]
async fn bulk_delete(
    by: Authorized<may::DeleteArticleTypeGroup>,
    Db(db): Db,
    About(request): About,
    matching: Matching<ArticleTypeGroups>,
    Body(selection): Body<Selection>,
) -> Answer<Shown<BulkOutcome>> {
    let one = async |id, _: &str| article_type_group::delete(&db, by.scope(), id).await;
    let records = (&db, by.scope());
    Ok(shown(
        bulk::each(records, &matching, &selection, article_type_group::Column::Name, request.language, one)
            .await?,
    ))
}

/// Shows where a group of article types is used.
#[utoipa::path(get, path = "/api/admin/article-type-groups/{id}/usage")]
async fn usage(
    by: Authorized<may::ViewArticleTypeGroup>,
    Db(db): Db,
    Id(id): Id,
) -> Answer<Shown<Whole<Usage>>> {
    Ok(shown(usage::of::<ArticleTypeGroups>(&db, by.scope(), id).await?))
}
