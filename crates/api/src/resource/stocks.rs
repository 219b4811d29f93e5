//! Stocks over HTTP: quantities of articles in a tenant's warehouses.

mod live_quantity;
mod sums;

use catalog::{
    article::image::pictures, article_summary::ArticleSummary, article_units::ArticleUnits, image::ImageInfo,
};
use chrono::{DateTime, Utc};
use http_api::{
    access::Authorized,
    answer::{Download, NoContent, OkJson, no_content, ok_json},
    bulk::{self, BulkOutcome, Filters, Selection},
    export::{Column, Export, time},
    if_match::IfMatch,
    input::{Body, Db, Id, RequestInfo},
    publish,
    routes::{Answer, Routes},
};
use lists::{Creatable, Detailed, Managed, UnversionedField};
use logistics::stock::{
    self, Availability, Dimensions, StockDetail, StockInput, Stocks, external_quantity::ExternalQuantity,
};
use pricing::{
    listing::{self, Listings},
    price_side::{Prices, TierInput, Tiers},
    quote::over_time::former_rows,
};
use sea_orm::ConnectionTrait;
use store::{Database, Scope, Snapshot};
use values::{Decimal, Minutes, Money, Result, Unit, Validated};

use crate::{
    resource::{
        categories::ImageView,
        crud::{operations, view_of},
        matchings::WarehouseReference,
        tenants::TenantReference,
        texts_of,
        view::HasView,
    },
    state::State,
};

pub(crate) fn routes(routes: &mut Routes) {
    operations::<Stocks>(routes, "/api/admin/stocks")
        .list::<logistics::may::ListStocks>("Lists the stocks of the tenant.")
        .create::<logistics::may::CreateStock>("Creates a stock.")
        .view::<logistics::may::ViewStock>("Shows a stock.")
        .update::<logistics::may::UpdateStock>("Changes the quantity side of a stock.")
        .bulk_change::<logistics::may::UpdateStock>("Changes one field of many stocks.");
    publish!(routes, Stocks: export, delete, bulk_delete);
    live_quantity::routes(routes);
    sums::routes(routes);
}

/// Stock with its prices, for callers who may see them.
#[derive(Debug, Clone)]
pub struct StockOffer {
    stock: StockDetail,
    prices: Prices,
    price_updated_at: Option<DateTime<Utc>>,
    image: Option<ImageInfo>,
}

view_of! {
    /// Stock of an article in a warehouse of a tenant. The prices are `null` or empty for callers who may not
    /// see any.
    StockView as Stock, of offer: StockOffer, row offer.stock.stock;
    tenant: TenantReference = TenantReference::new(offer.stock.stock.tenant_id, offer.stock.tenant),
    article: TradedArticle = TradedArticle::from(&offer.stock.article),
    /// Picture of the article, for callers who may see articles.
    #[schema(required)]
    image: Option<ImageView> = offer.image.map(ImageView::from),
    /// Other system's number for the article: in this warehouse, or in any.
    #[schema(required, example = "4711-200")]
    external_article_number: Option<String> = offer.stock.external_article_number,
    warehouse: WarehouseReference = WarehouseReference::from(offer.stock.warehouse),
    availability_type: Availability = offer.stock.stock.availability_type,
    /// Quantity in the quantity unit; `null` unless the stock is available by quantity.
    #[schema(required, example = "36.3")]
    quantity: Option<Decimal> = offer.stock.stock.quantity,
    /// The article's base unit.
    quantity_unit: Unit = offer.stock.article.base_unit,
    /// Weight of the quantity in kg, rounded to three places; `null` without a quantity or a weight of the
    /// article.
    #[schema(required, example = "2225.19")]
    weight: Option<Decimal> =
        offer.stock.stock.quantity.and_then(|quantity| offer.stock.article.weight_of(quantity)),
    #[schema(required)]
    lead_time: Option<Minutes> = offer.stock.stock.lead_time,
    /// Length of a remnant, in millimetres; `null` for that of the article.
    #[schema(required, example = "6000")]
    length: Option<Decimal> = Dimensions::from_stock(&offer.stock.stock).length,
    #[schema(required, example = "1000")]
    width: Option<Decimal> = Dimensions::from_stock(&offer.stock.stock).width,
    #[schema(required, example = "500")]
    height: Option<Decimal> = Dimensions::from_stock(&offer.stock.stock).height,
    #[schema(required)]
    internal_price: Option<Money> = offer.prices.internal.price,
    #[schema(required)]
    external_price: Option<Money> = offer.prices.external.price,
    internal_bulk_prices: Vec<TierInput> = tiers(&offer.prices.internal.tiers, offer.stock.article.listing_unit),
    external_bulk_prices: Vec<TierInput> = tiers(&offer.prices.external.tiers, offer.stock.article.listing_unit),
    /// Time of the last change of the prices.
    #[schema(required)]
    price_updated_at: Option<DateTime<Utc>> = offer.price_updated_at,
    /// Time at which an import last wrote it or confirmed it as unchanged.
    #[schema(required)]
    confirmed_at: Option<DateTime<Utc>> = offer.stock.confirmed_at,
    /// Last answer of the tenant's own system, only with `external-api`. Lists and records never call it.
    #[schema(required)]
    last_known: Option<LastKnownView> = offer.stock.last_known.map(LastKnownView::from),
}

view_of! {
    /// Last answer of the tenant's own system.
    part LastKnownView as LastKnownQuantity, of answer: ExternalQuantity;
    /// Amount in the quantity unit.
    #[schema(example = "36.3")]
    quantity: Decimal = answer.quantity,
    /// Moment of the answer.
    as_of: DateTime<Utc> = answer.as_of,
}

view_of! {
    /// Article with the units in which it is traded.
    part TradedArticle as TradedArticle, of article: ArticleSummary;
    id: i64 = article.id,
    #[schema(example = "HEB-200-S235JR")]
    article_number: String = article.article_number,
    #[schema(example = "HEB 200 S235JR")]
    article_name: String = article.article_name,
    /// Unit of stock quantities.
    base_unit: Unit = article.base_unit,
    /// Unit in which it is offered.
    listing_unit: Unit = article.listing_unit,
    /// Unit that prices refer to.
    price_unit: Unit = article.price_unit,
}

impl From<&ArticleUnits> for TradedArticle {
    fn from(article: &ArticleUnits) -> Self {
        ArticleSummary::from(article).into()
    }
}

/// Quantity breaks as they were entered, and as they can be sent back.
pub(super) fn tiers(tiers: &Tiers, listing_unit: Unit) -> Vec<TierInput> {
    let to_input = |tier: &pricing::price_side::Tier| TierInput {
        quantity_from: tier.from,
        quantity_unit: Some(tier.start().unit(listing_unit)),
        price: tier.price.price,
        price_quantity: tier.price.price_quantity,
        unit: tier.price.unit,
    };
    tiers.iter().map(to_input).collect()
}

impl HasView for Stocks {
    type Source = State;
    type View = StockView;
}

impl Detailed<State> for Stocks {
    type Detail = StockOffer;

    async fn detailed(state: &State, scope: &Scope, rows: Vec<Self::Model>) -> Result<Vec<StockOffer>> {
        load_offers(&state.db, scope, stock::detailed(&state.db, scope, rows).await?).await
    }
}

impl Managed<State> for Stocks {
    type Input = StockInput;
    const UNVERSIONED_FIELDS: &'static [(&'static str, UnversionedField)] = &[
        ("tenant", UnversionedField::Reference),
        ("article", UnversionedField::Reference),
        ("image", UnversionedField::Derived),
        ("external_article_number", UnversionedField::Derived),
        ("warehouse", UnversionedField::Reference),
        ("weight", UnversionedField::Derived),
        ("internal_price", UnversionedField::OtherSide),
        ("external_price", UnversionedField::OtherSide),
        ("internal_bulk_prices", UnversionedField::OtherSide),
        ("external_bulk_prices", UnversionedField::OtherSide),
        ("price_updated_at", UnversionedField::Time),
        ("confirmed_at", UnversionedField::Time),
        ("last_known", UnversionedField::Derived),
    ];

    async fn former_states(state: &State, scope: &Scope, id: i64) -> Result<Vec<StockOffer>> {
        let db = &state.db;
        let stock = scope.get::<Self>(db, id).await?;
        let since = stock.updated_at;
        let detail = stock::detailed(db, scope, vec![stock]).await?.remove(0);
        let offer = |listing: listing::Listing| StockOffer {
            stock: detail.clone(),
            prices: if scope.may(pricing::permissions::VIEW_PRICE) {
                Prices::from_listing(&listing)
            } else {
                Prices::default()
            },
            price_updated_at: listing.price_updated_at,
            image: None,
        };
        let listing = scope.get::<Listings>(db, id).await?;
        Ok(former_rows::<Listings>(db, id, &listing, since).await?.into_iter().map(offer).collect())
    }

    async fn update(
        state: &State,
        scope: &Scope,
        id: i64,
        input: impl Into<Validated<StockInput>>,
    ) -> Result<StockOffer> {
        load_offer(&state.db, scope, stock::update(&state.db, scope, id, input).await?).await
    }
}

impl Creatable<State> for Stocks {
    async fn create(
        state: &State,
        scope: &Scope,
        input: impl Into<Validated<StockInput>>,
    ) -> Result<StockOffer> {
        load_offer(&state.db, scope, stock::create(&state.db, scope, input).await?).await
    }
}

async fn load_offer(db: &Database, scope: &Scope, stock: StockDetail) -> Result<StockOffer> {
    Ok(load_offers(db, scope, vec![stock]).await?.remove(0))
}

/// Loads stocks with their prices, for callers who may see them.
async fn load_offers(
    db: &impl ConnectionTrait,
    scope: &Scope,
    stocks: Vec<StockDetail>,
) -> Result<Vec<StockOffer>> {
    let mut prices = listing::load_prices(db, scope, stocks.iter().map(|detail| detail.stock.id)).await?;
    let articles: Vec<i64> = stocks.iter().map(|detail| detail.stock.article_id).collect();
    let images = pictures(db, scope, &articles).await?;
    let offer = |stock: StockDetail| {
        let (prices, price_updated_at) = prices.remove(&stock.stock.id).unwrap_or_default();
        let image = images.get(&stock.stock.article_id).cloned();
        StockOffer { stock, prices, price_updated_at, image }
    };
    Ok(stocks.into_iter().map(offer).collect())
}

const COLUMNS: &[Column<StockOffer>] = &[
    ("article_number", |row, _| row.stock.article.article_number.as_str().into()),
    ("external_article_number", |row, _| row.stock.external_article_number.as_deref().into()),
    ("article_name", |row, _| row.stock.article.article_name.as_str().into()),
    ("warehouse_short_code", |row, _| row.stock.warehouse.short_code.as_str().into()),
    ("availability_type", |row, labels| {
        labels.choice("availability_type", row.stock.stock.availability_type)
    }),
    ("quantity", |row, _| row.stock.stock.quantity.into()),
    ("quantity_unit", |row, labels| labels.unit(row.stock.article.base_unit).into()),
    ("lead_time", |row, labels| {
        row.stock.stock.lead_time.map(|time| labels.lead_time(time)).as_deref().into()
    }),
    ("length", |row, _| Dimensions::from_stock(&row.stock.stock).length.into()),
    ("width", |row, _| Dimensions::from_stock(&row.stock.stock).width.into()),
    ("height", |row, _| Dimensions::from_stock(&row.stock.stock).height.into()),
    ("tenant_id", |row, _| row.stock.tenant.as_str().into()),
    ("updated_at", |row, _| time(row.stock.stock.updated_at)),
];

/// Exports all stocks of the tenant that match the filters.
#[utoipa::path(get, path = "/api/admin/stocks/export")]
async fn export(by: Authorized<logistics::may::ListStocks>, export: Export<Stocks>) -> Answer<Download> {
    let detailed = async |db: &Snapshot, rows| {
        load_offers(db, by.scope(), stock::detailed(db, by.scope(), rows).await?).await
    };
    Ok(export.table(by.scope(), texts_of::<Stocks>()?, COLUMNS, detailed).await?)
}

/// Deletes a stock and its prices.
#[utoipa::path(delete, path = "/api/admin/stocks/{id}")]
async fn delete(
    by: Authorized<logistics::may::DeleteStock>,
    Db(db): Db,
    Id(id): Id,
    IfMatch(version): IfMatch,
) -> Answer<NoContent> {
    if version.is_some() {
        by.scope().refuse_change::<Stocks>(&db, id, version).await?;
    }
    Ok(no_content(listing::delete_stock(&db, by.scope(), id).await?))
}

/// Deletes many stocks.
#[utoipa::path(post, path = "/api/admin/stocks/bulk-delete")]
async fn bulk_delete(
    by: Authorized<logistics::may::DeleteStock>,
    Db(db): Db,
    RequestInfo(request): RequestInfo,
    filters: Filters<Stocks>,
    Body(selection): Body<Selection>,
) -> Answer<OkJson<BulkOutcome>> {
    let one = async |id, _: &str| listing::delete_stock(&db, by.scope(), id).await;
    Ok(ok_json(bulk::apply_to_each(&db, by.scope(), &filters, &selection, request.language, one).await?))
}
