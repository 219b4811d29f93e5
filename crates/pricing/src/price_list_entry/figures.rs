//! Further figures of list prices: the price per tonne, and the owner's margin over the internal price.

use std::collections::HashMap;

use sea_orm::ConnectionTrait;
use store::Scope;
use values::{Decimal, Result};

use super::{Entry, Guard, load_articles};
use crate::{
    permissions,
    price_list::PriceList,
    price_side::{PriceMargin, Prices, Side, per_tonne},
};

/// Further figures of one price.
#[derive(Debug, Clone, Copy, Default)]
pub struct Figures {
    /// Price in EUR per tonne; `None` for an article without a weight.
    pub per_tonne: Option<Decimal>,
    /// Margin; `None` if the internal price is unknown, or the caller cannot see it.
    pub margin: Option<PriceMargin>,
}

/// Loads the figures of entries of one list, by their ids. The internal prices are those that the guard of
/// the list uses: from the internal list with the highest precedence, or else the cheapest of the owner's
/// stocks.
pub(super) async fn load(
    db: &impl ConnectionTrait,
    scope: &Scope,
    list: &PriceList,
    entries: &[Entry],
) -> Result<HashMap<i64, Figures>> {
    let articles = load_articles(db, scope, entries.iter().map(|entry| entry.article_id)).await?;
    let guard = match list.writer(scope) {
        Ok(writer) if scope.may(permissions::VIEW_PRICE) && writer.tenant().is_ok() => {
            let mut guard = Guard::load(db, &writer, list).await?;
            guard.load_costs(db, &writer, articles.values()).await?;
            Some(guard)
        }
        _ => None,
    };
    let figures = |entry: &Entry| {
        let article = articles.get(&entry.article_id)?;
        let external = Side::from_entry(entry);
        let cost = guard.as_ref().and_then(|guard| guard.internal_price(entry.article_id));
        let margin = cost.and_then(|internal| {
            PriceMargin::calculate(
                &Prices { internal: internal.clone(), external: external.clone() },
                article,
            )
        });
        let per_tonne = external.price.and_then(|price| per_tonne(&price, article));
        Some((entry.id, Figures { per_tonne, margin }))
    };
    Ok(entries.iter().filter_map(figures).collect())
}
