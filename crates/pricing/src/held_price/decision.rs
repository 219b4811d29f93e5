//! Decisions about prices under review, and the changes that they would make.

use std::{
    collections::HashSet,
    sync::{Mutex, PoisonError},
};

use sea_orm::ConnectionTrait;
use serde::Deserialize;
use store::{Database, Scope, audit::Channel};
use utoipa::ToSchema;
use values::{Error, Result};

use super::{HeldPrice, HeldPrices, Proposal, load_by_stock};
use crate::{
    codes,
    listing::{self, Listings},
    price_side::Prices,
};

/// Decision about prices under review.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = HeldPriceDecision)]
pub enum Decision {
    /// The proposed price takes effect.
    Release,
    /// The suggested price takes effect.
    ReleaseMended,
    /// The prices stay as they are.
    Refuse,
}

/// Change of many prices under review.
#[derive(Debug, Clone, Copy, Deserialize, ToSchema)]
#[serde(tag = "field", content = "value", rename_all = "snake_case")]
#[schema(as = HeldPriceChange)]
pub enum HeldPriceChange {
    Decision(Decision),
}

/// Price under review, with the current prices and the other proposals.
#[derive(Debug, Clone)]
pub struct HeldPriceDetail {
    pub proposal: Proposal,
    /// Proposals of other users for the same stock.
    pub others: Vec<Proposal>,
    /// Current prices.
    pub current: Prices,
}

/// Loads the current prices and the other proposals for prices under review.
pub async fn detailed(
    db: &impl ConnectionTrait,
    scope: &Scope,
    held_prices: Vec<HeldPrice>,
) -> Result<Vec<HeldPriceDetail>> {
    let current =
        listing::load_prices(db, scope, held_prices.iter().map(|held_price| held_price.stock_id)).await?;
    let waiting = load_by_stock(db, scope, held_prices.iter().map(|held_price| held_price.stock_id)).await?;
    let detail = |held_price: HeldPrice| HeldPriceDetail {
        current: current.get(&held_price.stock_id).cloned().unwrap_or_default().0,
        others: waiting
            .get(&held_price.stock_id)
            .into_iter()
            .flatten()
            .filter(|other| other.id != held_price.id)
            .cloned()
            .map(Proposal::from)
            .collect(),
        proposal: held_price.into(),
    };
    Ok(held_prices.into_iter().map(detail).collect())
}

/// Stocks for which one call has released a price: a second release would overwrite it.
#[derive(Debug, Default)]
pub struct ReleasedStocks(Mutex<HashSet<i64>>);

impl ReleasedStocks {
    fn add(&self, stock: i64) -> Result<()> {
        let mut stocks = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if stocks.insert(stock) { Ok(()) } else { Err(codes::OTHER_PRICE_RELEASED.into()) }
    }
}

/// Decides about prices under review. Proposals of other users for the same stock stay.
///
/// # Errors
/// The prices are no longer under review, there is no suggestion, or the same call has released another price
/// of the stock.
pub async fn change(
    db: &Database,
    scope: &Scope,
    id: i64,
    change: &HeldPriceChange,
    released: &ReleasedStocks,
) -> Result<()> {
    let tx = db.begin().await?;
    // locks the stock first, as every change of its prices does, to avoid a deadlock
    let stock = scope.get::<HeldPrices>(&tx, id).await?.stock_id;
    let own = scope.get_locked::<Listings>(&tx, stock).await?;
    let held_price = scope.get_locked::<HeldPrices>(&tx, id).await?;
    let HeldPriceChange::Decision(decision) = change;
    let prices = match decision {
        Decision::Release => Some(held_price.wanted),
        Decision::ReleaseMended => Some(held_price.mended.ok_or_else(|| Error::from(codes::NOTHING_MENDED))?),
        Decision::Refuse => None,
    };
    if let Some(prices) = prices {
        released.add(stock)?;
        // recorded as a change by the import, so that undoing the import reverts it
        let write_scope =
            held_price.import_id.map_or(*scope, |import| scope.through(Channel::Import(import)));
        listing::write(&tx, &write_scope, vec![(own, prices)]).await?;
    }
    scope.delete::<HeldPrices>(&tx, id).await?;
    tx.commit().await
}
