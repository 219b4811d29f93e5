//! Prices that look like a mistake and wait: somebody with the right to change prices releases them as they are, releases what
//! was probably meant, or refuses them. Of a stock there are the last ones only.

use std::collections::{HashMap, HashSet};

use kernel::{
    Code, Database, Error, Field, Keyed, Listed, Owner, Permission, Phrase, Recorded, Reference, Resource,
    Result, Scope, Scoped, Write,
    audit::{Action, Channel},
};
use sea_orm::{ActiveValue::Set, ColumnTrait, ConnectionTrait, QueryFilter};
use serde::Deserialize;
use tenancy::tenant::Tenants;
use utoipa::ToSchema;

pub use crate::entity::held_price::{ActiveModel, Column, Entity as HeldPrices, Model as HeldPrice};
use crate::{
    guard::Suspicions,
    listing::{self, Listings},
    price_side::Prices,
};

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
    const UNNOTED: &'static [Column] = &[Column::Name, Column::Suspicions, Column::Mended];
}

impl Keyed for HeldPrices {
    const KEY: &'static [Column] = &[Column::StockId];
}

impl Listed for HeldPrices {
    const FIELDS: &'static [Field] = &[
        Field::id("stock_id", &Column::StockId),
        Field::id("import_id", &Column::ImportId),
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

/// What becomes of held prices.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = HeldPriceDecision)]
pub enum Decision {
    /// They hold as they are.
    Release,
    /// What was probably meant holds.
    ReleaseMended,
    /// The prices stay as they were before.
    Refuse,
}

/// What is decided.
#[derive(Debug, Clone, Copy, Deserialize, ToSchema)]
#[serde(tag = "field", content = "value", rename_all = "snake_case")]
#[schema(as = HeldPriceChange)]
pub enum Change {
    Decision(Decision),
}

/// A held price with what it would change.
#[derive(Debug, Clone)]
pub struct HeldPriceDetail {
    pub held: HeldPrice,
    /// The prices as they are.
    pub current: Prices,
}

pub async fn detailed(
    db: &impl ConnectionTrait,
    scope: &Scope,
    held: Vec<HeldPrice>,
) -> Result<Vec<HeldPriceDetail>> {
    let mut current = listing::prices_of(db, scope, held.iter().map(|held| held.stock_id)).await?;
    let detail = |held: HeldPrice| HeldPriceDetail {
        current: current.remove(&held.stock_id).unwrap_or_default().0,
        held,
    };
    Ok(held.into_iter().map(detail).collect())
}

/// Those that wait, by the ids of their stocks.
pub(crate) async fn of_stocks(
    db: &impl ConnectionTrait,
    scope: &Scope,
    stocks: impl IntoIterator<Item = i64>,
) -> Result<HashMap<i64, HeldPrice>> {
    let held = scope.find::<HeldPrices>().filter(Column::StockId.is_in(stocks)).all(db).await?;
    Ok(held.into_iter().map(|held| (held.stock_id, held)).collect())
}

/// Holds prices, in place of what was held of the same stocks. Other prices than before get an id of their own, so that nobody
/// releases what they have not seen.
pub(crate) async fn hold(tx: &Write, scope: &Scope, held: Vec<Holding>) -> Result<()> {
    if held.is_empty() {
        return Ok(());
    }
    let mut known = of_stocks(tx, scope, held.iter().map(|held| held.stock)).await?;
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

/// What was held of these stocks counts no longer.
pub(crate) async fn forget(tx: &Write, scope: &Scope, stocks: Vec<i64>) -> Result<()> {
    if stocks.is_empty() {
        return Ok(());
    }
    for held in of_stocks(tx, scope, stocks).await?.into_values() {
        scope.delete::<HeldPrices>(tx, held.id).await?;
    }
    Ok(())
}

/// Decides about held prices.
pub async fn change(db: &Database, scope: &Scope, id: i64, change: &Change) -> Result<()> {
    let tx = db.begin().await?;
    // the stock first, as whoever changes its prices: otherwise two could wait for each other
    let stock = scope.get::<HeldPrices>(&tx, id).await?.stock_id;
    let own = scope.get_locked::<Listings>(&tx, stock).await?;
    let held = scope.get_locked::<HeldPrices>(&tx, id).await?;
    let Change::Decision(decision) = change;
    let prices = match decision {
        Decision::Release => Some(held.wanted),
        Decision::ReleaseMended => Some(held.mended.ok_or_else(|| Error::from(Code::NothingMended))?),
        Decision::Refuse => None,
    };
    if let Some(prices) = prices {
        // it is the import that has wanted them, and whose undo takes them back
        let way = held.import_id.map_or(*scope, |import| scope.through(Channel::Import(import)));
        listing::write(&tx, &way, vec![(own, prices)]).await?;
    }
    scope.delete::<HeldPrices>(&tx, id).await?;
    tx.commit().await
}
