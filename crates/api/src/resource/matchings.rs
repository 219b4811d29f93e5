//! Matchings over HTTP: what other systems call articles and warehouses.

use chrono::{DateTime, Utc};
use kernel::may;
use logistics::{
    matching::{self, ArticleName, Matching, MatchingDetail, MatchingInput, Matchings},
    warehouse::WarehouseName,
};
use serde::Serialize;
use utoipa::ToSchema;

use crate::{
    http::{
        access::Authorized,
        answer::{Created, Done, Download, Listing, Shown, created, done, listing, shown},
        bulk::{self, BulkOutcome, Selection},
        export::{Export, Table, time},
        input::{About, Body, Db, Id, List},
        routes::{Answer, Routes},
    },
    publish,
    resource::tenants::TenantReference,
    words,
};

pub(crate) fn routes(routes: &mut Routes) {
    publish!(routes, "matchings": list, export, create, view, update, delete, bulk_delete);
}

/// What another system calls an article, a warehouse, or both.
#[derive(Serialize, ToSchema)]
#[schema(as = Matching)]
struct MatchingView {
    id: i64,
    tenant: TenantReference,
    #[schema(required)]
    article: Option<ArticleReference>,
    /// Unique within the tenant together with the external warehouse identifier, whatever their case.
    #[schema(required)]
    external_article_number: Option<String>,
    #[schema(required)]
    warehouse: Option<WarehouseReference>,
    #[schema(required)]
    external_warehouse_identifier: Option<String>,
    /// What the other system calls the tenant: a row of a file that carries it must agree.
    #[schema(required)]
    external_tenant_identifier: Option<String>,
    /// Counts the changes; to be sent back with a change.
    version: i64,
    created_at: DateTime<Utc>,
    updated_at: DateTime<Utc>,
}

/// An article as other records refer to it.
#[derive(Serialize, ToSchema)]
struct ArticleReference {
    id: i64,
    article_number: String,
}

/// A warehouse as other records refer to it.
#[derive(Serialize, ToSchema)]
struct WarehouseReference {
    id: i64,
    short_code: String,
}

impl From<ArticleName> for ArticleReference {
    fn from(ArticleName { id, article_number }: ArticleName) -> Self {
        Self { id, article_number }
    }
}

impl From<WarehouseName> for WarehouseReference {
    fn from(WarehouseName { id, short_code }: WarehouseName) -> Self {
        Self { id, short_code }
    }
}

impl From<MatchingDetail> for MatchingView {
    fn from(MatchingDetail { matching, tenant, article, warehouse }: MatchingDetail) -> Self {
        let Matching { id, tenant_id, version, created_at, updated_at, .. } = matching;
        Self {
            id,
            tenant: TenantReference { id: tenant_id, short_code: tenant },
            article: article.map(ArticleReference::from),
            external_article_number: matching.external_article_number,
            warehouse: warehouse.map(WarehouseReference::from),
            external_warehouse_identifier: matching.external_warehouse_identifier,
            external_tenant_identifier: matching.external_tenant_identifier,
            version,
            created_at,
            updated_at,
        }
    }
}

/// Lists matchings.
#[utoipa::path(get, path = "/api/admin/matchings")]
async fn list(
    by: Authorized<may::ListMatchings>,
    Db(db): Db,
    List(query): List<Matchings>,
) -> Answer<Listing<MatchingView>> {
    Ok(listing(matching::list(&db, by.scope(), &query).await?))
}

/// Exports all matchings that the filters match.
#[utoipa::path(get, path = "/api/admin/matchings/export")]
async fn export(by: Authorized<may::ListMatchings>, export: Export<Matchings>) -> Answer<Download> {
    let table = Table {
        words: words!("matchings"),
        columns: &[
            ("article_number", |row: &MatchingDetail, _| {
                row.article.as_ref().map(|article| article.article_number.as_str()).into()
            }),
            ("external_article_number", |row, _| row.matching.external_article_number.as_deref().into()),
            ("warehouse_short_code", |row, _| {
                row.warehouse.as_ref().map(|warehouse| warehouse.short_code.as_str()).into()
            }),
            ("external_warehouse_identifier", |row, _| {
                row.matching.external_warehouse_identifier.as_deref().into()
            }),
            ("tenant_id", |row, _| row.tenant.as_str().into()),
            ("external_tenant_identifier", |row, _| {
                row.matching.external_tenant_identifier.as_deref().into()
            }),
            ("updated_at", |row, _| time(row.matching.updated_at)),
        ],
    };
    let detailed = async |db: &_, rows| matching::detailed(db, by.scope(), rows).await;
    Ok(export.table(by.scope(), &table, detailed).await?)
}

/// Creates a matching.
#[utoipa::path(post, path = "/api/admin/matchings")]
async fn create(
    by: Authorized<may::CreateMatching>,
    Db(db): Db,
    Body(input): Body<MatchingInput>,
) -> Answer<Created<MatchingView>> {
    Ok(created(matching::create(&db, by.scope(), input).await?))
}

/// Shows a matching.
#[utoipa::path(get, path = "/api/admin/matchings/{id}")]
async fn view(by: Authorized<may::ViewMatching>, Db(db): Db, Id(id): Id) -> Answer<Shown<MatchingView>> {
    Ok(shown(matching::view(&db, by.scope(), id).await?))
}

/// Changes a matching.
#[utoipa::path(put, path = "/api/admin/matchings/{id}")]
async fn update(
    by: Authorized<may::UpdateMatching>,
    Db(db): Db,
    Id(id): Id,
    Body(input): Body<MatchingInput>,
) -> Answer<Shown<MatchingView>> {
    Ok(shown(matching::update(&db, by.scope(), id, input).await?))
}

/// Deletes a matching.
#[utoipa::path(delete, path = "/api/admin/matchings/{id}")]
async fn delete(by: Authorized<may::DeleteMatching>, Db(db): Db, Id(id): Id) -> Answer<Done> {
    Ok(done(matching::delete(&db, by.scope(), id).await?))
}

/// Deletes many matchings.
#[utoipa::path(post, path = "/api/admin/matchings/bulk-delete")]
async fn bulk_delete(
    by: Authorized<may::DeleteMatching>,
    Db(db): Db,
    About(request): About,
    matching: bulk::Matching<Matchings>,
    Body(selection): Body<Selection>,
) -> Answer<Shown<BulkOutcome>> {
    let one = async |id, _: &str| matching::delete(&db, by.scope(), id).await;
    let records = (&db, by.scope());
    Ok(shown(
        bulk::each(records, &matching, &selection, matching::Column::Name, request.language, one).await?,
    ))
}
