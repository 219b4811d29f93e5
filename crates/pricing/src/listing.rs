//! Listings: stocks with their prices. Prices are changed here, for one or many stocks; implausible ones are
//! put under review ([`crate::guard`]) instead of being written.

pub mod entity;
pub mod import;
pub mod items;
mod prices;
pub mod undo;

use std::collections::HashMap;

use catalog::{
    article,
    article_units::{self, ArticleUnits},
};
use lists::{
    Deletable, Field, Listed,
    search::{ReferredTable, SearchedColumns},
};
use logistics::{
    matching,
    stock::{
        Availability, PLACE_TAKEN, external_numbers,
        references::{ReferencedRecords, StockIds, StockReferences},
        search_of_articles,
    },
    warehouse::{self, WarehouseName},
};
use sea_orm::{
    ColumnTrait, Condition, ConnectionTrait, QueryFilter, QueryOrder, QuerySelect, sea_query::LockType,
};
use serde::Deserialize;
use store::{
    Database, Keyed, NumberedColumns, Owner, PriceRole, Recorded, Resource, Scope, Scoped, Unique, Write,
    scope::refuse_stale, usage,
};
use tenancy::tenant;
use utoipa::ToSchema;
use validator::Validate;
use values::{Decimal, Error, Instant, Money, Phrase, Result, Validated, Violations, tidy};

use crate::{
    codes,
    guard::{self, Verdict},
    held_price::{self, NewReview, Proposal},
    permissions,
    price_side::{self, PriceMargin, Prices, Side, TierInput, Tiers},
};

pub use self::entity::{ActiveModel, Column, Entity as Listings, Model as Listing};

impl Scoped for Listings {
    const ID: Column = Column::Id;
    const OWNER: Owner<Column> = Owner::Tenant(Column::TenantId);
}

impl Recorded for Listings {
    const PRICES: Option<PriceRole<Column>> = Some(PriceRole::Stocks {
        article: Column::ArticleId,
        columns: &[
            Column::ArticleId,
            Column::WarehouseId,
            Column::Length,
            Column::Width,
            Column::Height,
            Column::InternalPrice,
            Column::InternalPriceQuantity,
            Column::InternalPriceUnit,
            Column::InternalBulkPrices,
            Column::ExternalPrice,
            Column::ExternalPriceQuantity,
            Column::ExternalPriceUnit,
            Column::ExternalBulkPrices,
        ],
    });
    const RESOURCE: &'static Resource =
        &Resource::new::<Self>("prices", Phrase { de: "Preise", en: "prices" }, permissions::LIST_PRICES)
            .hides(&PRICE_FIELDS, permissions::VIEW_PRICE);
    const NAME: Column = Column::Name;
    const VERSION: Column = Column::PriceVersion;
    const CREATED_AT: Column = Column::CreatedAt;
    const UPDATED_AT: Column = Column::PriceUpdatedAt;
    const NUMBERED: Option<NumberedColumns<Column>> = Some(NumberedColumns::by_owner(Column::Change));
    const UNIQUE: &'static [Unique] = &[PLACE_TAKEN];
    /// Columns that belong to the quantity side, or follow from article and warehouse.
    const UNNOTED: &'static [Column] = &[Column::Name, Column::Version, Column::UpdatedAt];
}

/// Fields that contain prices.
const PRICE_FIELDS: [&str; 8] = [
    "internal_price",
    "internal_price_quantity",
    "internal_price_unit",
    "internal_bulk_prices",
    "external_price",
    "external_price_quantity",
    "external_price_unit",
    "external_bulk_prices",
];

impl Keyed for Listings {
    const KEY: &'static [Column] =
        &[Column::ArticleId, Column::WarehouseId, Column::Length, Column::Width, Column::Height];
}

impl Listed for Listings {
    const FIELDS: &'static [Field] = &[
        Field::search("search", &Column::ArticleId, &SEARCHED),
        Field::id("article_id", &Column::ArticleId).grouped_as(
            "article_number",
            &article::Column::Id,
            &article::Column::ArticleNumberSort,
        ),
        Field::by_name("article_number", &Column::ArticleId, catalog::article::select_by_numbers),
        Field::by_name("external_article_number", &Column::Id, external_numbers::stocks_of_numbers),
        Field::id("warehouse_id", &Column::WarehouseId),
        Field::by_name("warehouse_short_code", &Column::WarehouseId, warehouse::ids_of_short_codes),
        Field::by_name(
            "external_warehouse_identifier",
            &Column::WarehouseId,
            matching::warehouses_of_identifiers,
        ),
        Field::id("tenant_id", &Column::TenantId),
        Field::by_subquery("article_type_id", &Column::ArticleId, catalog::article::select_by_types),
        Field::by_subquery("material_id", &Column::ArticleId, catalog::article::select_by_materials),
        Field::choice("availability_type", &Column::AvailabilityType, Availability::NAMES).unsorted(),
        Field::filled("priced", &Column::ExternalPrice),
        Field::time("updated_at", &Column::PriceUpdatedAt).nullable(),
    ];
    const DEFAULT_SORT: &'static str = "id";
    const NEEDS_TENANT: bool = true;
}

const SEARCHED: SearchedColumns = SearchedColumns {
    columns: &[],
    trigrams: None,
    references: &[ReferredTable {
        name: "article",
        column: &Column::ArticleId,
        id: &article::Column::Id,
        columns: &[],
        within: Some(lists::list::within::<catalog::article::Articles>),
        beginnings: None,
    }],
    read: search_of_articles,
    beginnings: None,
};

/// All prices of a stock. Omitted prices are removed.
#[derive(Debug, Clone, Deserialize, ToSchema, Validate)]
#[serde(deny_unknown_fields)]
pub struct PriceInput {
    /// Cost of the goods to their owner; no other tenant sees it.
    pub internal_price: Option<Money>,
    /// Price for customers.
    pub external_price: Option<Money>,
    /// Quantity breaks of the internal price, in any order.
    #[serde(default)]
    #[schema(max_items = 50)]
    pub internal_bulk_prices: Vec<TierInput>,
    /// Quantity breaks of the external price, in any order.
    #[serde(default)]
    #[schema(max_items = 50)]
    pub external_bulk_prices: Vec<TierInput>,
    /// Version that was edited; rejected if it is not the current one.
    pub version: Option<i64>,
}

tidy!(PriceInput:);

/// Prices of many stocks.
#[derive(Debug, Clone, Deserialize, ToSchema, Validate)]
#[serde(deny_unknown_fields)]
pub struct PricesInput {
    /// Prices by stock; each stock at most once.
    #[schema(min_items = 1, max_items = 500)]
    pub prices: Vec<PriceOfStock>,
}

tidy!(PricesInput:);

/// All prices of one of many stocks. Omitted prices are removed.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PriceOfStock {
    pub id: i64,
    pub internal_price: Option<Money>,
    pub external_price: Option<Money>,
    #[serde(default)]
    #[schema(max_items = 50)]
    pub internal_bulk_prices: Vec<TierInput>,
    #[serde(default)]
    #[schema(max_items = 50)]
    pub external_bulk_prices: Vec<TierInput>,
    /// Version that was edited; rejected if it is not the current one.
    pub version: Option<i64>,
}

impl From<PriceOfStock> for PriceInput {
    fn from(of_stock: PriceOfStock) -> Self {
        let PriceOfStock {
            internal_price,
            external_price,
            internal_bulk_prices,
            external_bulk_prices,
            version,
            ..
        } = of_stock;
        Self { internal_price, external_price, internal_bulk_prices, external_bulk_prices, version }
    }
}

/// Maximum number of stocks of one call.
pub const MANY_MAX: usize = 500;
/// Maximum number of stocks whose change of prices one call compares. More stocks are saved by several calls.
pub const IMPACT_MAX: usize = 5_000;

/// Listing with the records that it refers to.
#[derive(Debug, Clone)]
pub struct ListingDetail {
    pub listing: Listing,
    pub prices: Prices,
    pub margin: Option<PriceMargin>,
    /// Short code of the tenant.
    pub tenant: String,
    pub article: ArticleUnits,
    pub warehouse: WarehouseName,
    pub external_article_number: Option<String>,
    /// Time at which an import last wrote the stock or found it unchanged.
    pub confirmed_at: Option<Instant>,
    /// Prices under review: the caller's own first, then the newest.
    pub proposals: Vec<Proposal>,
}

impl ListingDetail {
    /// True if the caller has prices under review for this stock.
    pub fn has_proposal_by(&self, caller: &Scope) -> bool {
        let creator = held_price::creator(caller);
        self.proposals.iter().any(|proposal| proposal.held_price.created_by == creator)
    }
}

/// Loads a stock with its prices.
pub async fn view(db: &impl ConnectionTrait, scope: &Scope, id: i64) -> Result<ListingDetail> {
    let listing = scope.get::<Listings>(db, id).await?;
    Ok(detailed(db, scope, vec![listing]).await?.remove(0))
}

/// Loads the records that listings refer to; without prices for users who cannot see them.
pub async fn detailed(
    db: &impl ConnectionTrait,
    scope: &Scope,
    listings: Vec<Listing>,
) -> Result<Vec<ListingDetail>> {
    let ids = |listing: &Listing| StockIds {
        tenant: listing.tenant_id,
        stock: listing.id,
        article: listing.article_id,
        warehouse: listing.warehouse_id,
    };
    let ids: Vec<_> = listings.iter().map(ids).collect();
    let tenants = tenant::short_codes(db, scope, listings.iter().map(|listing| listing.tenant_id)).await?;
    let mut references = StockReferences::load(db, scope, &ids).await?;
    let sees_prices = scope.may(permissions::VIEW_PRICE);
    let stock_ids = ids.iter().filter(|_| sees_prices).map(|ids| ids.stock);
    let mut held_prices = held_price::load_by_stock(db, scope, stock_ids).await?;
    let detail = |listing: Listing| {
        let ReferencedRecords { article, warehouse, external_article_number, confirmed_at } =
            references.take(listing.id).ok_or_else(Error::not_found)?;
        let prices = if sees_prices { Prices::from_listing(&listing) } else { Prices::default() };
        Ok(ListingDetail {
            margin: PriceMargin::calculate(&prices, &article),
            prices,
            tenant: tenants.get(&listing.tenant_id).cloned().unwrap_or_default(),
            article,
            warehouse,
            external_article_number,
            confirmed_at,
            proposals: held_prices.remove(&listing.id).into_iter().flatten().map(Proposal::from).collect(),
            listing,
        })
    };
    listings.into_iter().map(detail).collect()
}

/// Condition for stocks in whole dimensions.
pub(crate) fn whole() -> Condition {
    use Column::{Height, Length, Width};
    [Length, Width, Height].iter().fold(Condition::all(), |all, side| all.add(side.eq(Decimal::ZERO)))
}

/// Loads the prices of stocks, with the time of their last change, by the ids of the stocks; empty for users
/// who cannot see prices.
pub async fn load_prices(
    db: &impl ConnectionTrait,
    scope: &Scope,
    ids: impl IntoIterator<Item = i64>,
) -> Result<HashMap<i64, (Prices, Option<Instant>)>> {
    if !scope.may(permissions::VIEW_PRICE) {
        return Ok(HashMap::new());
    }
    let listings = scope.find::<Listings>().filter(Column::Id.is_in(ids)).all(db).await?;
    let prices = |listing: &Listing| (listing.id, (Prices::from_listing(listing), listing.price_updated_at));
    Ok(listings.iter().map(prices).collect())
}

impl PriceInput {
    /// Returns the valid prices of an input; violations are added with their paths below `path`.
    pub fn read(&self, article: &ArticleUnits, path: &str, violations: &mut Violations) -> Prices {
        let mut side = |price: Option<Money>, field: &str, tiers: &[TierInput], tiers_field: &str| {
            if let Some(price) = &price {
                price_side::check(price, article, &format!("{path}{field}"), violations);
            }
            Side { price, tiers: Tiers::read(tiers, article, &format!("{path}{tiers_field}"), violations) }
        };
        Prices {
            internal: side(
                self.internal_price,
                "internal_price",
                &self.internal_bulk_prices,
                "internal_bulk_prices",
            ),
            external: side(
                self.external_price,
                "external_price",
                &self.external_bulk_prices,
                "external_bulk_prices",
            ),
        }
    }
}

/// Changes the prices of a stock. If they are implausible, they are put under review, and the stock's prices
/// stay as they are.
pub async fn update(
    db: &Database,
    scope: &Scope,
    id: i64,
    input: impl Into<Validated<PriceInput>>,
) -> Result<ListingDetail> {
    let tx = db.begin().await?;
    let detail = update_in(&tx, scope, id, input).await?;
    tx.commit().await?;
    Ok(detail)
}

/// Like [`update`], in a transaction that the caller commits.
pub async fn update_in(
    tx: &Write,
    scope: &Scope,
    id: i64,
    input: impl Into<Validated<PriceInput>>,
) -> Result<ListingDetail> {
    let (input, mut violations) = input.into().parts();
    let own = scope.get_locked::<Listings>(tx, id).await?;
    refuse_stale(input.version, own.price_version)?;
    let articles = load_articles(tx, scope, std::slice::from_ref(&own)).await?;
    let article = articles.get(&own.article_id).ok_or_else(Error::not_found)?;
    let prices = input.read(article, "", &mut violations);
    violations.check()?;
    apply(tx, scope, vec![(own, prices)], &articles).await?;
    view(tx, scope, id).await
}

/// Changes the prices of at most `most` stocks, all or none. Implausible ones are put under review.
///
/// # Errors
/// All violations of all stocks, each below `prices.<index>`; also `stale` if a version is not the current
/// one.
pub async fn update_many(
    db: &Database,
    scope: &Scope,
    input: impl Into<Validated<PricesInput>>,
    most: usize,
) -> Result<Vec<ListingDetail>> {
    let tx = db.begin().await?;
    let details = update_many_in(&tx, scope, input, most).await?;
    tx.commit().await?;
    Ok(details)
}

/// Like [`update_many`], in a transaction that the caller commits.
pub async fn update_many_in(
    tx: &Write,
    scope: &Scope,
    input: impl Into<Validated<PricesInput>>,
    most: usize,
) -> Result<Vec<ListingDetail>> {
    let (PricesInput { prices }, mut violations) = input.into().parts();
    match prices.len() {
        0 => violations.add("prices", codes::TOO_FEW.with("min", 1)),
        count if count > most => violations.add("prices", codes::TOO_MANY.with("max", most)),
        _ => {}
    }
    values::rule::unique(&mut violations, prices.iter().map(|price| price.id), |index| {
        format!("prices.{index}.id")
    });
    violations.check()?;

    let ids: Vec<i64> = prices.iter().map(|price| price.id).collect();
    let rows = scope.find::<Listings>().filter(Column::Id.is_in(ids.clone())).order_by_asc(Column::Id);
    let rows = rows.lock(LockType::NoKeyUpdate).all(tx).await?;
    let articles = load_articles(tx, scope, &rows).await?;
    let mut rows: HashMap<i64, Listing> = rows.into_iter().map(|row| (row.id, row)).collect();
    let mut violations = Violations::new();
    let mut new_prices = Vec::with_capacity(prices.len());
    for (index, of_stock) in prices.into_iter().enumerate() {
        let path = format!("prices.{index}.");
        let Some(own) = rows.remove(&of_stock.id) else {
            violations.add(format!("{path}id"), codes::UNKNOWN_REFERENCE);
            continue;
        };
        let price = PriceInput::from(of_stock);
        if price.version.is_some_and(|version| version != own.price_version) {
            violations.add(format!("{path}version"), codes::STALE);
        }
        let article = articles.get(&own.article_id).ok_or_else(Error::not_found)?;
        let valid_prices = price.read(article, &path, &mut violations);
        new_prices.push((own, valid_prices));
    }
    violations.check()?;
    apply(tx, scope, new_prices, &articles).await?;
    let rows = scope.find::<Listings>().filter(Column::Id.is_in(ids.clone())).all(tx).await?;
    let details = detailed(tx, scope, rows).await?;
    let mut by_id: HashMap<i64, ListingDetail> =
        details.into_iter().map(|detail| (detail.listing.id, detail)).collect();
    Ok(ids.iter().filter_map(|id| by_id.remove(id)).collect())
}

impl Deletable for Listings {
    /// Removes the prices of a stock; the stock stays.
    async fn delete(db: &Database, scope: &Scope, id: i64) -> Result<()> {
        let tx = db.begin().await?;
        let own = scope.get_locked::<Self>(&tx, id).await?;
        held_price::remove_all(&tx, scope, vec![id]).await?;
        write(&tx, scope, vec![(own, Prices::default())]).await?;
        tx.commit().await
    }
}

/// Deletes a stock with its prices; the history records both sides.
pub async fn delete_stock(db: &Database, scope: &Scope, id: i64) -> Result<()> {
    usage::delete::<Listings>(db, scope, id, |_| Ok(())).await
}

/// Loads the articles of listings, by their ids.
async fn load_articles(
    db: &impl ConnectionTrait,
    scope: &Scope,
    listings: &[Listing],
) -> Result<HashMap<i64, ArticleUnits>> {
    let ids: Vec<i64> = listings.iter().map(|listing| listing.article_id).collect();
    let articles = article_units::load(db, scope, article::Column::Id.is_in(ids)).await?;
    Ok(articles.into_iter().map(|article| (article.id, article)).collect())
}

/// Writes prices, or puts them under review if they are implausible.
async fn apply(
    tx: &Write,
    scope: &Scope,
    new_prices: Vec<(Listing, Prices)>,
    articles: &HashMap<i64, ArticleUnits>,
) -> Result<()> {
    let percent = guard_percent(tx, scope).await?;
    let (mut written, mut reviews, mut settled) = (Vec::new(), Vec::new(), Vec::new());
    for (own, prices) in new_prices {
        let before = Prices::from_listing(&own);
        let article = articles.get(&own.article_id).ok_or_else(Error::not_found)?;
        if let Some(Verdict { suspicions, mended }) = guard::check(&before, &prices, article, percent) {
            reviews.push(NewReview { stock: own.id, name: own.name, prices, mended, suspicions, row: None });
            continue;
        }
        settled.push(own.id);
        if before != prices {
            written.push((own, prices));
        }
    }
    held_price::put_under_review(tx, scope, reviews).await?;
    held_price::remove_own(tx, scope, settled).await?;
    write(tx, scope, written).await
}

/// Writes prices without checking their plausibility.
pub(crate) async fn write(tx: &Write, scope: &Scope, prices: Vec<(Listing, Prices)>) -> Result<()> {
    let rows = prices.into_iter().map(|(own, prices)| {
        let mut row = ActiveModel::default();
        prices.write(&mut row);
        (own, row)
    });
    scope.update_many::<Listings>(tx, rows.collect()).await?;
    Ok(())
}

/// Limit in percent of a price change without a release, for the acting tenant.
pub(crate) async fn guard_percent(db: &impl ConnectionTrait, scope: &Scope) -> Result<i64> {
    let tenant = tenant::get(db, scope, scope.tenant()?.into()).await?;
    Ok(tenant.price_guard_percent.unwrap_or(guard::USUAL_PERCENT))
}
