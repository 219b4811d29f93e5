//! What a change of a price list would do, and what the list itself does.

use std::sync::Arc;

use kernel::{Database, Instant, Result, Scope, Validated, Write};

use super::{Comparison, Impact, Subject};
use crate::{
    price_list::{self, PriceList, PriceListInput, PriceLists, audience},
    price_list_entry::{self, EntriesInput},
    price_side::Side,
    quote::{book::List, calculation::Calculator},
};

/// A change of a list as it would be saved: its head, some of its prices, or both. Without both: that there is the list at all.
#[derive(Debug, Default)]
pub struct ListChange {
    pub head: Option<Validated<PriceListInput>>,
    pub prices: Option<Validated<EntriesInput>>,
}

/// A list as it would be.
struct Made {
    list: PriceList,
    tenants: Vec<i64>,
    groups: Vec<i64>,
    /// By article.
    prices: Vec<(i64, Side)>,
    held: u64,
}

/// What a change of a list would do to what its owner asks, at a moment; without one now, or when the list begins. Of the list of a
/// group: to what the tenant asks who is acted for.
///
/// # Errors
/// Whatever the change itself would be refused for; when somebody else owns the list.
pub async fn of_list(
    db: &Database,
    scope: &Scope,
    calculator: Calculator<'_>,
    id: i64,
    change: ListChange,
    at: Option<Instant>,
) -> Result<Impact> {
    let list = scope.get::<PriceLists>(db, id).await?;
    price_list::refuse_others(db, scope, &list).await?;
    let seller = match list.owner_tenant_id {
        Some(owner) => owner,
        None => scope.tenant()?,
    };
    let made = if change.head.is_some() || change.prices.is_some() {
        let tx = db.begin().await?;
        let made = change.made(&tx, scope, id).await?;
        tx.rollback().await?;
        Some(made)
    } else {
        None
    };
    let calculation = calculator.of(db, seller).await?;
    let book = calculation.book.clone();
    let begins = made.as_ref().map_or(list.valid_from, |made| made.list.valid_from);
    let held = made.as_ref().map_or(0, |made| made.held);
    let (before, after) = match made {
        None => (Arc::new(book.without_list(id)), book),
        Some(Made { list, tenants, groups, prices, .. }) => {
            let after = book.with_list(List { head: list, tenants, groups });
            let prices = prices.iter().map(|(article, side)| (*article, side));
            (book, Arc::new(after.with_prices(id, prices)))
        }
    };
    let at = at.unwrap_or_else(|| begins.max(calculation.now));
    let calculation = calculation.at(at);
    Comparison { seller, before, after, calculation, subject: Subject::List(id), held }.made(db, scope).await
}

impl ListChange {
    async fn made(self, tx: &Write, scope: &Scope, id: i64) -> Result<Made> {
        if let Some(head) = self.head {
            price_list::amend(tx, scope, id, head).await?;
        }
        let (mut articles, mut details) = (Vec::new(), Vec::new());
        if let Some(prices) = self.prices {
            (articles, details) = price_list_entry::write_many(tx, scope, id, prices).await?;
        }
        let held = details.iter().filter(|detail| detail.entry.held.is_some()).count() as u64;
        let side = |article: i64| {
            let kept = details.iter().find(|detail| detail.entry.article_id == article);
            (article, kept.map(|detail| detail.side.clone()).unwrap_or_default())
        };
        let prices = articles.into_iter().map(side).collect();
        let list = scope.get::<PriceLists>(tx, id).await?;
        let (tenants, groups) = audience::named_by(tx, id).await?;
        Ok(Made { list, tenants, groups, prices, held })
    }
}
