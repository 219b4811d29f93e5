//! What a change of a price list would do, what a list made of another one would, and what the list itself does.

use std::{collections::HashMap, sync::Arc};

use kernel::{Database, Instant, Result, Scope, Validated, Write, now};

use super::{Comparison, Impact, Subject};
use crate::{
    price_list::{
        self, PriceListInput, PriceLists, audience,
        copy::{self, CopyInput},
    },
    price_list_entry::{self, EntriesInput},
    price_side::Side,
    quote::{
        book::{Book, List},
        calculation::Calculator,
        load,
    },
};

/// The most prices of a list that are compared in one call. Whoever saves them needs several.
const PRICES_MAX: usize = 5_000;

/// What becomes of a list.
#[derive(Debug)]
pub enum ListChange {
    /// It is there at all, as against the seller without it.
    Presence,
    /// Its head, some of its prices, or both are changed.
    Amended { head: Option<Validated<PriceListInput>>, prices: Option<Validated<EntriesInput>> },
    /// Another one is made of it, with which it may end.
    Copied(Validated<CopyInput>),
}

/// A list as it would be.
struct Made {
    list: List,
    /// Those that change, by article.
    prices: Vec<(i64, Side)>,
    held: u64,
    /// The list that it is made of, as it would be.
    original: Option<List>,
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
    let made = match change {
        ListChange::Presence => None,
        ListChange::Amended { head, prices } => {
            let tx = db.begin().await?;
            let made = amended(&tx, scope, id, head, prices).await?;
            tx.rollback().await?;
            Some(made)
        }
        ListChange::Copied(input) => {
            let tx = db.begin_long().await?;
            let made = copied(&tx, scope, id, input).await?;
            tx.rollback().await?;
            Some(made)
        }
    };
    let head = made.as_ref().map_or(&list, |made| &made.list.head);
    let begins = head.valid_from;
    let ending = made.as_ref().and_then(|made| made.original.as_ref());
    let subject = std::iter::once(head.id).chain(ending.map(|original| original.head.id)).collect();
    let seller = match head.owner_tenant_id {
        Some(owner) => owner,
        None => scope.tenant()?,
    };
    let calculation = calculator.of(db, seller).await?;
    let book = calculation.book.clone();
    let waiting = made.as_ref().map_or(0, |made| made.held);
    let (before, after) = match made {
        None => (Arc::new(book.without_list(id)), book),
        Some(made) => {
            let after = made.within(&book);
            (book, Arc::new(after))
        }
    };
    let at = at.unwrap_or_else(|| begins.max(calculation.now));
    let calculation = calculation.at(at);
    Comparison { seller, before, after, calculation, subject: Subject::Lists(subject), held: waiting }
        .made(db, scope)
        .await
}

async fn amended(
    tx: &Write,
    scope: &Scope,
    id: i64,
    head: Option<Validated<PriceListInput>>,
    prices: Option<Validated<EntriesInput>>,
) -> Result<Made> {
    if let Some(head) = head {
        price_list::amend(tx, scope, id, head).await?;
    }
    let (mut articles, mut details) = (Vec::new(), Vec::new());
    if let Some(prices) = prices {
        (articles, details) = price_list_entry::write_many(tx, scope, id, prices, PRICES_MAX).await?;
    }
    let waiting = details.iter().filter(|detail| detail.entry.held.is_some()).count();
    let mut sides: HashMap<i64, Side> =
        details.into_iter().map(|detail| (detail.entry.article_id, detail.side)).collect();
    let side = |article: i64| (article, sides.remove(&article).unwrap_or_default());
    let prices = articles.into_iter().map(side).collect();
    Ok(Made { list: read(tx, scope, id).await?, prices, held: waiting as u64, original: None })
}

async fn copied(tx: &Write, scope: &Scope, id: i64, input: Validated<CopyInput>) -> Result<Made> {
    let (copy, _) = copy::made(tx, scope, id, input, now()).await?;
    let mut prices = Vec::new();
    load::prices_of(tx, &copy, |article, side| prices.push((article, side))).await?;
    let original = Some(read(tx, scope, id).await?);
    Ok(Made { list: read(tx, scope, copy.id).await?, prices, held: 0, original })
}

async fn read(tx: &Write, scope: &Scope, id: i64) -> Result<List> {
    let head = scope.get::<PriceLists>(tx, id).await?;
    let (tenants, groups) = audience::named_by(tx, id).await?;
    Ok(List { head, tenants, groups })
}

impl Made {
    /// The same book with it.
    fn within(self, book: &Book) -> Book {
        let Self { list, prices, original, .. } = self;
        let id = list.head.id;
        let book = original.map_or_else(|| book.clone(), |original| book.with_list(original));
        book.with_list(list).with_prices(id, prices.iter().map(|(article, side)| (*article, side)))
    }
}
