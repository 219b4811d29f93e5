//! Prices that look like a mistake and wait: somebody with the right to change prices releases them as they are, releases what
//! was probably meant, or refuses them. Each user has one proposal for a stock: the last one. Those of several users wait side by
//! side, so that no proposal is lost unseen.

pub mod decision;
pub mod entity;

use std::{
    cmp::Reverse,
    collections::{HashMap, HashSet},
};

use kernel::{
    Field, Keyed, Listed, Owner, Permission, Phrase, Recorded, Reference, Resource, Result, Scope, Scoped,
    Write, audit::Action,
};
use sea_orm::{ActiveValue::Set, ColumnTrait, ConnectionTrait, QueryFilter};
use tenancy::tenant::Tenants;

pub use self::entity::{ActiveModel, Column, Entity as HeldPrices, Model as HeldPrice};
use crate::{guard::Suspicions, listing::entity::Entity as Listings, price_side::Prices};

impl Scoped for HeldPrices {
    const ID: Column = Column::Id;
    const OWNER: Owner<Column> = Owner::Tenant(Column::TenantId);
}

impl Recorded for HeldPrices {
    const RESOURCE: &'static Resource = &Resource::new::<Self>(
        "held_prices",
        Phrase { de: "Angehaltene Preise", en: "held prices" },
        Permission::ListPrices,
    )
    .refers(&[Reference::of::<Self, Tenants>("tenant_id"), Reference::loose::<Listings>("stock_id")])
    .hides(&["wanted"], Permission::ViewPrice);
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

/// Prices that are about to be held.
#[derive(Debug, Clone)]
pub struct Holding {
    pub stock: i64,
    /// What the stock is called.
    pub name: String,
    pub wanted: Prices,
    pub mended: Option<Prices>,
    pub suspicions: Suspicions,
    /// The import and its line.
    pub row: Option<(i64, i64)>,
}

/// A held price and the user who proposed it.
#[derive(Debug, Clone)]
pub struct Proposal {
    pub held: HeldPrice,
    /// Their name; `None` where it has not been looked up or they are gone.
    pub by: Option<String>,
}

impl From<HeldPrice> for Proposal {
    fn from(held: HeldPrice) -> Self {
        Self { held, by: None }
    }
}

/// Those that wait, by the ids of their stocks: the caller's own first, then the newest.
pub(crate) async fn of_stocks(
    db: &impl ConnectionTrait,
    scope: &Scope,
    stocks: impl IntoIterator<Item = i64>,
) -> Result<HashMap<i64, Vec<HeldPrice>>> {
    let mut held = scope.find::<HeldPrices>().filter(Column::StockId.is_in(stocks)).all(db).await?;
    let caller = creator(scope);
    held.sort_by_key(|held| (held.created_by != caller, Reverse(held.updated_at), Reverse(held.id)));
    let mut by_stock: HashMap<i64, Vec<HeldPrice>> = HashMap::new();
    for held in held {
        by_stock.entry(held.stock_id).or_default().push(held);
    }
    Ok(by_stock)
}

/// The user whose proposals a caller makes; 0: the system.
pub(crate) fn creator(scope: &Scope) -> i64 {
    scope.user().map_or(0, |user| user.0)
}

/// The proposals of the caller, by the ids of their stocks.
async fn own_of_stocks(
    db: &impl ConnectionTrait,
    scope: &Scope,
    stocks: impl IntoIterator<Item = i64>,
) -> Result<HashMap<i64, HeldPrice>> {
    let own = scope.find::<HeldPrices>().filter(Column::StockId.is_in(stocks));
    let own = own.filter(Column::CreatedBy.eq(creator(scope))).all(db).await?;
    Ok(own.into_iter().map(|held| (held.stock_id, held)).collect())
}

/// Holds prices, in place of what the same user wanted for these stocks before; what other users want waits on. Other prices than
/// before get an id of their own, so that nobody releases what they have not seen.
pub(crate) async fn hold(tx: &Write, scope: &Scope, held: Vec<Holding>) -> Result<()> {
    if held.is_empty() {
        return Ok(());
    }
    let mut known = own_of_stocks(tx, scope, held.iter().map(|held| held.stock)).await?;
    for Holding { stock, wanted, mended, .. } in &held {
        let is_other = |known: &&HeldPrice| (&known.wanted, &known.mended) != (wanted, mended);
        if let Some(other) = known.get(stock).filter(is_other) {
            scope.delete::<HeldPrices>(tx, other.id).await?;
            known.remove(stock);
        }
    }
    let rows = held.into_iter().map(|Holding { stock, name, wanted, mended, suspicions, row }| ActiveModel {
        name: Set(name),
        stock_id: Set(stock),
        wanted: Set(wanted),
        mended: Set(mended),
        suspicions: Set(suspicions),
        import_id: Set(row.map(|(import, _)| import)),
        line: Set(row.map(|(_, line)| line)),
        created_by: Set(creator(scope)),
        ..Default::default()
    });
    let rows = scope.upsert::<HeldPrices>(tx, rows.collect()).await?;
    // what waits because of an import is told by its row
    for row in rows.iter().filter(|row| row.import_id.is_none() && !known.contains_key(&row.stock_id)) {
        scope.note::<HeldPrices>(tx, Action::Created, None, Some(row));
    }
    Ok(())
}

/// What these lines of an import want waits no longer; the lines of which something waited.
pub(crate) async fn drop_of(tx: &Write, scope: &Scope, import: i64, lines: &[i64]) -> Result<HashSet<i64>> {
    if lines.is_empty() {
        return Ok(HashSet::new());
    }
    let held = scope
        .find::<HeldPrices>()
        .filter(Column::ImportId.eq(import))
        .filter(Column::Line.is_in(lines.iter().copied()))
        .all(tx)
        .await?;
    for held in &held {
        scope.delete::<HeldPrices>(tx, held.id).await?;
    }
    Ok(held.into_iter().filter_map(|held| held.line).collect())
}

/// Drops what the caller wanted for these stocks before, who has given them prices that need no release. What other users want
/// waits on.
pub(crate) async fn forget_own(tx: &Write, scope: &Scope, stocks: Vec<i64>) -> Result<()> {
    if stocks.is_empty() {
        return Ok(());
    }
    for held in own_of_stocks(tx, scope, stocks).await?.into_values() {
        scope.delete::<HeldPrices>(tx, held.id).await?;
    }
    Ok(())
}

/// Drops everything that waits for these stocks, whose prices are taken away or given back.
pub(crate) async fn forget(tx: &Write, scope: &Scope, stocks: Vec<i64>) -> Result<()> {
    if stocks.is_empty() {
        return Ok(());
    }
    for held in of_stocks(tx, scope, stocks).await?.into_values().flatten() {
        scope.delete::<HeldPrices>(tx, held.id).await?;
    }
    Ok(())
}
