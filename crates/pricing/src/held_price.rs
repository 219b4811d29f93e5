//! Prices under review: implausible prices that wait for a decision. A user who may change prices releases
//! them unchanged, releases the suggested ones, or rejects them. Each user has at most one proposal for a
//! stock: the last one. Proposals of several users are stored separately, so that none is lost unseen.

pub mod decision;
pub mod entity;

use std::{
    cmp::Reverse,
    collections::{HashMap, HashSet},
};

use lists::{Field, Listed, listed_reference};
use sea_orm::{ActiveValue::Set, ColumnTrait, ConnectionTrait, QueryFilter};
use store::{Keyed, Owner, Recorded, Reference, Resource, Scope, Scoped, Write, audit::Action};
use tenancy::tenant::Tenants;
use values::{Phrase, Result};

pub use self::entity::{ActiveModel, Column, Entity as HeldPrices, Model as HeldPrice};
use crate::{guard::Suspicions, listing::entity::Entity as Listings, permissions, price_side::Prices};

impl Scoped for HeldPrices {
    const ID: Column = Column::Id;
    const OWNER: Owner<Column> = Owner::Tenant(Column::TenantId);
}

impl Recorded for HeldPrices {
    const RESOURCE: &'static Resource = &Resource::new::<Self>(
        "held_prices",
        Phrase { de: "Angehaltene Preise", en: "held prices" },
        permissions::LIST_PRICES,
    )
    .refers(&[listed_reference::<Self, Tenants>("tenant_id"), Reference::loose::<Listings>("stock_id")])
    .hides(&["wanted"], permissions::VIEW_PRICE);
    const NAME: Column = Column::Name;
    const VERSION: Column = Column::Version;
    const CREATED_AT: Column = Column::CreatedAt;
    const UPDATED_AT: Column = Column::UpdatedAt;
    const UNNOTED: &'static [Column] = &[Column::Name, Column::Suspicions, Column::Mended, Column::CreatedBy];
}

impl Keyed for HeldPrices {
    const KEY: &'static [Column] = &[Column::StockId, Column::CreatedBy];
}

impl Listed for HeldPrices {
    const FIELDS: &'static [Field] = &[
        Field::id("stock_id", &Column::StockId),
        Field::id("import_id", &Column::ImportId).optional(),
        Field::id("tenant_id", &Column::TenantId),
        Field::time("updated_at", &Column::UpdatedAt),
    ];
    const DEFAULT_SORT: &'static str = "-updated_at";
    const NEEDS_TENANT: bool = true;
}

/// Prices to be put under review.
#[derive(Debug, Clone)]
pub struct NewReview {
    pub stock: i64,
    /// Name of the stock.
    pub name: String,
    pub prices: Prices,
    pub mended: Option<Prices>,
    pub suspicions: Suspicions,
    /// Import and line that set the prices.
    pub row: Option<(i64, i64)>,
}

/// Price under review, and the user who proposed it.
#[derive(Debug, Clone)]
pub struct Proposal {
    pub held_price: HeldPrice,
    /// Name of the user; `None` if it was not loaded or the user was deleted.
    pub by: Option<String>,
}

impl From<HeldPrice> for Proposal {
    fn from(held_price: HeldPrice) -> Self {
        Self { held_price, by: None }
    }
}

/// Loads the prices under review by the ids of their stocks: the caller's own first, then the newest.
pub(crate) async fn load_by_stock(
    db: &impl ConnectionTrait,
    scope: &Scope,
    stocks: impl IntoIterator<Item = i64>,
) -> Result<HashMap<i64, Vec<HeldPrice>>> {
    let mut held_prices = scope.find::<HeldPrices>().filter(Column::StockId.is_in(stocks)).all(db).await?;
    let caller = creator(scope);
    held_prices.sort_by_key(|held_price| {
        (held_price.created_by != caller, Reverse(held_price.updated_at), Reverse(held_price.id))
    });
    let mut by_stock: HashMap<i64, Vec<HeldPrice>> = HashMap::new();
    for held_price in held_prices {
        by_stock.entry(held_price.stock_id).or_default().push(held_price);
    }
    Ok(by_stock)
}

/// Returns the user in whose name a caller makes proposals; 0 for the system.
pub(crate) fn creator(scope: &Scope) -> i64 {
    scope.user().map_or(0, |user| user.0)
}

/// Loads the caller's proposals by the ids of their stocks.
async fn load_own(
    db: &impl ConnectionTrait,
    scope: &Scope,
    stocks: impl IntoIterator<Item = i64>,
) -> Result<HashMap<i64, HeldPrice>> {
    let own = scope.find::<HeldPrices>().filter(Column::StockId.is_in(stocks));
    let own = own.filter(Column::CreatedBy.eq(creator(scope))).all(db).await?;
    Ok(own.into_iter().map(|held_price| (held_price.stock_id, held_price)).collect())
}

/// Puts prices under review, replacing the same user's proposals for these stocks; those of other users stay.
/// Different prices get a new id, so that users release only prices that they have seen.
pub(crate) async fn put_under_review(tx: &Write, scope: &Scope, reviews: Vec<NewReview>) -> Result<()> {
    if reviews.is_empty() {
        return Ok(());
    }
    let mut own_prices = load_own(tx, scope, reviews.iter().map(|review| review.stock)).await?;
    for NewReview { stock, prices, mended, .. } in &reviews {
        let is_other = |held_price: &&HeldPrice| (&held_price.wanted, &held_price.mended) != (prices, mended);
        if let Some(other) = own_prices.get(stock).filter(is_other) {
            scope.delete::<HeldPrices>(tx, other.id).await?;
            own_prices.remove(stock);
        }
    }
    let rows =
        reviews.into_iter().map(|NewReview { stock, name, prices, mended, suspicions, row }| ActiveModel {
            name: Set(name),
            stock_id: Set(stock),
            wanted: Set(prices),
            mended: Set(mended),
            suspicions: Set(suspicions),
            import_id: Set(row.map(|(import, _)| import)),
            line: Set(row.map(|(_, line)| line)),
            created_by: Set(creator(scope)),
            ..Default::default()
        });
    let rows = scope.upsert::<HeldPrices>(tx, rows.collect()).await?;
    // proposals of an import are recorded by its rows instead
    for row in rows.iter().filter(|row| row.import_id.is_none() && !own_prices.contains_key(&row.stock_id)) {
        scope.note::<HeldPrices>(tx, Action::Created, None, Some(row));
    }
    Ok(())
}

/// Removes the proposals of these lines of an import; returns the lines that had one.
pub(crate) async fn remove_by_import(
    tx: &Write,
    scope: &Scope,
    import: i64,
    lines: &[i64],
) -> Result<HashSet<i64>> {
    if lines.is_empty() {
        return Ok(HashSet::new());
    }
    let held_prices = scope
        .find::<HeldPrices>()
        .filter(Column::ImportId.eq(import))
        .filter(Column::Line.is_in(lines.iter().copied()))
        .all(tx)
        .await?;
    for held_price in &held_prices {
        scope.delete::<HeldPrices>(tx, held_price.id).await?;
    }
    Ok(held_prices.into_iter().filter_map(|held_price| held_price.line).collect())
}

/// Removes the caller's proposals for these stocks, whose new prices need no release. Those of other users
/// stay.
pub(crate) async fn remove_own(tx: &Write, scope: &Scope, stocks: Vec<i64>) -> Result<()> {
    if stocks.is_empty() {
        return Ok(());
    }
    for held_price in load_own(tx, scope, stocks).await?.into_values() {
        scope.delete::<HeldPrices>(tx, held_price.id).await?;
    }
    Ok(())
}

/// Removes all proposals for these stocks, whose prices are deleted or restored.
pub(crate) async fn remove_all(tx: &Write, scope: &Scope, stocks: Vec<i64>) -> Result<()> {
    if stocks.is_empty() {
        return Ok(());
    }
    for held_price in load_by_stock(tx, scope, stocks).await?.into_values().flatten() {
        scope.delete::<HeldPrices>(tx, held_price.id).await?;
    }
    Ok(())
}
