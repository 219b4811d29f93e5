//! Prices of processings over HTTP.

mod impact;

use http_api::{
    export::{Column, time},
    routes::Routes,
};
use pricing::{
    may,
    processing_price::{ProcessingPriceDetail, ProcessingPrices},
};
use serde::Serialize;
use store::Database;
use utoipa::ToSchema;
use values::Money;

use crate::resource::{
    crud::{Exportable, operations, view_of},
    tenants::TenantReference,
    view::HasView,
};

pub(crate) fn routes(routes: &mut Routes) {
    operations::<ProcessingPrices>(routes, "/api/admin/processing-prices")
        .list::<may::ListPrices>("Lists the processing prices of the tenant.")
        .export::<may::ListPrices>("Exports all processing prices that match the filters.")
        .create::<may::CreatePrice>("Creates a processing price.")
        .view::<may::ViewPrice>("Shows a processing price.")
        .update::<may::UpdatePrice>("Changes a processing price.")
        .delete::<may::DeletePrice>("Deletes a processing price.")
        .bulk_delete::<may::DeletePrice>("Deletes many processing prices.");
    impact::routes(routes);
}

view_of! {
    /// Price of a tenant for a processing.
    ProcessingPriceView as ProcessingPrice, of detail: ProcessingPriceDetail, row detail.price;
    tenant: TenantReference = TenantReference::new(detail.price.tenant_id, detail.tenant),
    processing: ProcessingReference = ProcessingReference { id: detail.price.processing_id, name: detail.processing },
    /// Article type it is for; `null` for all types without a price of their own.
    #[schema(required)]
    article_type: Option<ArticleTypeReference> = detail.price.article_type_id.map(|id| ArticleTypeReference {
        id,
        name: detail.article_type.unwrap_or_default(),
    }),
    /// Price per piece: per time that the processing is done.
    price: Money = detail.price.price,
}

/// A processing that a record names.
#[derive(Serialize, ToSchema)]
struct ProcessingReference {
    id: i64,
    #[schema(example = "Sägen gerade")]
    name: String,
}

/// An article type that a record names.
#[derive(Serialize, ToSchema)]
struct ArticleTypeReference {
    id: i64,
    #[schema(example = "Breitflanschträger HEB")]
    name: String,
}

impl HasView for ProcessingPrices {
    type Source = Database;
    type View = ProcessingPriceView;
}

impl Exportable for ProcessingPrices {
    const COLUMNS: &'static [Column<ProcessingPriceDetail>] = &[
        ("processing_id", |row, _| row.processing.as_str().into()),
        ("article_type_id", |row, _| row.article_type.as_deref().into()),
        ("price", |row, _| row.price.price.price.into()),
        ("price_quantity", |row, _| row.price.price.price_quantity.into()),
        ("updated_at", |row, _| time(row.price.updated_at)),
    ];
}
