//! Matchings over HTTP: other systems' numbers for articles and warehouses.

use http_api::{
    export::{Column, time},
    routes::Routes,
};
use logistics::{
    matching::{ArticleName, MatchingDetail, Matchings},
    may,
    warehouse::WarehouseName,
};
use store::Database;

use crate::resource::{
    crud::{Exportable, operations, view_of},
    search::findable,
    tenants::TenantReference,
    view::HasView,
};

pub(crate) fn routes(routes: &mut Routes) {
    operations::<Matchings>(routes, "/api/admin/matchings")
        .list::<may::ListMatchings>("Lists the matchings of the tenant.")
        .export::<may::ListMatchings>("Exports all matchings of the tenant that match the filters.")
        .create::<may::CreateMatching>("Creates a matching.")
        .view::<may::ViewMatching>("Shows a matching.")
        .update::<may::UpdateMatching>("Changes a matching.")
        .delete::<may::DeleteMatching>("Deletes a matching.")
        .bulk_delete::<may::DeleteMatching>("Deletes many matchings.");
}

view_of! {
    /// Another system's number for an article, a warehouse, or both.
    MatchingView as Matching, of detail: MatchingDetail, row detail.matching;
    tenant: TenantReference = TenantReference::new(detail.matching.tenant_id, detail.tenant),
    #[schema(required)]
    article: Option<ArticleReference> = detail.article.map(ArticleReference::from),
    /// Unique within the tenant together with the external warehouse identifier, ignoring case.
    #[schema(required, example = "4711-200")]
    external_article_number: Option<String> = detail.matching.external_article_number,
    #[schema(required)]
    warehouse: Option<WarehouseReference> = detail.warehouse.map(WarehouseReference::from),
    #[schema(required, example = "LG-3")]
    external_warehouse_identifier: Option<String> = detail.matching.external_warehouse_identifier,
    /// Name of the tenant in the other system: a row of a file with such a column must agree.
    #[schema(required, example = "NS-01")]
    external_tenant_identifier: Option<String> = detail.matching.external_tenant_identifier,
}

view_of! {
    /// An article as other records refer to it.
    part ArticleReference as ArticleReference, of article: ArticleName;
    id: i64 = article.id,
    #[schema(example = "HEB-200-S235JR")]
    article_number: String = article.article_number,
}

view_of! {
    /// A warehouse as other records refer to it.
    part WarehouseReference as WarehouseReference, of warehouse: WarehouseName;
    id: i64 = warehouse.id,
    #[schema(example = "DU")]
    short_code: String = warehouse.short_code,
}

impl HasView for Matchings {
    type Source = Database;
    type View = MatchingView;
}

findable!(Matchings, of detail => detail.article.map(|article| article.article_number));

impl Exportable for Matchings {
    const COLUMNS: &'static [Column<MatchingDetail>] = &[
        ("article_number", |row, _| {
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
        ("external_tenant_identifier", |row, _| row.matching.external_tenant_identifier.as_deref().into()),
        ("updated_at", |row, _| time(row.matching.updated_at)),
    ];
}
