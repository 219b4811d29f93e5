//! Stocks, prices and the caller's imports, for reading by programs.

use chrono::{DateTime, Utc};
use http_api::{
    access::Authorized,
    answer::{OkJson, OkPage, ok_page},
    etag::{WithEtag, with_etag},
    input::{Db, Id, List, RequestInfo},
    publish,
    routes::{Answer, Routes},
};
use imports::import::{self, Import, Imports};
use logistics::stock::{self, Availability, Dimensions, StockDetail, Stocks};
use pricing::listing::Listings;
use sea_orm::{ColumnTrait, QueryFilter};
use values::{Decimal, Minutes, Unit};

use crate::{
    resource::{
        crud::view_of,
        imports::{ImportView, RelatedRecords},
        matchings::WarehouseReference,
        prices::{PriceView, load_listings},
        stocks::TradedArticle,
    },
    state::Server,
};

pub(super) fn routes(routes: &mut Routes) {
    publish!(routes, "v1": imports, listings, listing, stocks, stock);
}

view_of! {
    /// Stock of an article in a warehouse of a tenant, without prices.
    StockLevelView as StockLevel, of detail: StockDetail, row detail.stock;
    article: TradedArticle = TradedArticle::from(&detail.article),
    /// Other system's number for the article: in this warehouse, or in any.
    #[schema(required, example = "4711-200")]
    external_article_number: Option<String> = detail.external_article_number,
    warehouse: WarehouseReference = WarehouseReference::from(detail.warehouse),
    availability_type: Availability = detail.stock.availability_type,
    /// Quantity in the quantity unit; `null` unless the stock is available by quantity.
    #[schema(required, example = "36.3")]
    quantity: Option<Decimal> = detail.stock.quantity,
    /// The article's base unit.
    quantity_unit: Unit = detail.article.base_unit,
    #[schema(required)]
    lead_time: Option<Minutes> = detail.stock.lead_time,
    /// Length of a remnant, in millimetres; `null` for that of the article.
    #[schema(required, example = "6000")]
    length: Option<Decimal> = Dimensions::from_stock(&detail.stock).length,
    #[schema(required, example = "1000")]
    width: Option<Decimal> = Dimensions::from_stock(&detail.stock).width,
    #[schema(required, example = "500")]
    height: Option<Decimal> = Dimensions::from_stock(&detail.stock).height,
    /// Time at which an import last wrote it or confirmed it as unchanged.
    #[schema(required)]
    confirmed_at: Option<DateTime<Utc>> = detail.confirmed_at,
}

/// Lists the stocks of the tenant, without prices.
#[utoipa::path(get, path = "/api/v1/stocks")]
async fn stocks(
    by: Authorized<logistics::may::ListStocks>,
    Db(db): Db,
    List(query): List<Stocks>,
) -> Answer<WithEtag<OkPage<StockLevelView>>> {
    let page = query.resolved(&db).await?.fetch(&db, by.scope(), |select| select).await?;
    Ok(WithEtag(ok_page(page.detailed(async |rows| stock::detailed(&db, by.scope(), rows).await).await?)))
}

/// Shows a stock, without prices.
#[utoipa::path(get, path = "/api/v1/stocks/{id}")]
async fn stock(
    by: Authorized<logistics::may::ViewStock>,
    Db(db): Db,
    Id(id): Id,
) -> Answer<WithEtag<OkJson<StockLevelView>>> {
    Ok(with_etag(StockLevelView::from(stock::view(&db, by.scope(), id).await?)))
}

/// Shows the prices of a stock.
#[utoipa::path(get, path = "/api/v1/listings/{id}")]
async fn listing(
    by: Authorized<pricing::may::ViewPrice>,
    Db(db): Db,
    Id(id): Id,
) -> Answer<WithEtag<OkJson<PriceView>>> {
    Ok(with_etag(PriceView::from(pricing::listing::view(&db, by.scope(), id).await?)))
}

/// Lists the stocks of the tenant with their prices.
#[utoipa::path(get, path = "/api/v1/listings")]
async fn listings(
    by: Authorized<pricing::may::ListPrices>,
    Db(db): Db,
    List(query): List<Listings>,
) -> Answer<WithEtag<OkPage<PriceView>>> {
    let page = query.fetch(&db, by.scope(), |select| select).await?;
    let detailed = async |rows| load_listings(&db, by.scope(), rows).await;
    Ok(WithEtag(ok_page(page.detailed(detailed).await?)))
}

/// Lists the imports that the caller has uploaded.
#[utoipa::path(get, path = "/api/v1/imports")]
async fn imports(
    by: Authorized<imports::may::ViewImport>,
    Server(state): Server,
    RequestInfo(request): RequestInfo,
    List(query): List<Imports>,
) -> Answer<WithEtag<OkPage<ImportView>>> {
    let own = import::Column::CreatedBy.eq(by.caller.id);
    let page = query.fetch::<Import>(&state.db, by.scope(), |select| select.filter(own)).await?;
    let related = RelatedRecords::load(&page.rows, &state.db, by.scope()).await?.with_outage(&state);
    Ok(WithEtag(ok_page(page.map(|import| related.view(import, request.language)))))
}
