//! All that a seller asks, compiled: the prices of their lists, stocks and processings, and the adjustments. Nothing in it changes.
//!
//! Sixteen bytes a price: what a price is for, and from which quantity on, is kept once for all that share it. The lists of an
//! article's prices lie side by side, so that asking which of them have one reads little memory.

mod builder;
mod difference;
mod update;

use std::{collections::HashMap, sync::Arc};

use kernel::{Decimal, Money, TenantId, Unit};

pub use self::builder::{Builder, Unchanged};
pub(crate) use self::{difference::Difference, update::Update};
use super::{processing, tree::Tree};
use crate::{
    exact::Ratio,
    price_adjustment::terms::{Adjustment, ApplyTo},
    price_list::seller_lists::List,
    price_side::{Side, TierStart},
};

/// What a stock costs.
#[derive(Debug, Clone)]
pub struct StockPrices {
    pub id: i64,
    pub article_id: i64,
    pub warehouse_id: i64,
    pub external: Side,
    pub internal: Side,
}

/// The book of a seller. What is large in it is shared with what is made of it, as by [`Book::with_list`].
#[derive(Debug, Clone)]
pub struct Book {
    pub seller: TenantId,
    /// The groups that the seller is in.
    pub(super) groups: Vec<i64>,
    pub(super) lists: Vec<List>,
    pub(super) links: Arc<[Link]>,
    pub(super) processing_prices: Arc<processing::Prices>,
    kept: Arc<Kept>,
    newer: Arc<NewerPrices>,
    changed: Option<Changed>,
}

/// Articles whose prices have changed since those of all were compiled, each with all prices that it has now.
#[derive(Debug, Default)]
struct NewerPrices {
    articles: HashMap<i64, Arc<Kept>>,
    bytes: usize,
}

/// Other prices of one list.
#[derive(Debug, Clone)]
struct Changed {
    /// The list's place.
    list: usize,
    /// Of the articles whose price changes; one without prices is taken out of the list.
    kept: Arc<Kept>,
}

/// What prices are kept of articles.
#[derive(Debug)]
struct Kept {
    articles: HashMap<i64, u32>,
    /// Where the prices of an article begin; one more than articles.
    first_entry: Vec<u32>,
    first_stock: Vec<u32>,
    /// The places of the lists that the entries are of; ascending for each article.
    lists: Box<[u16]>,
    entries: Box<[Entry]>,
    stocks: Box<[Stock]>,
    /// Of stocks.
    stock_prices: Vec<Entry>,
    bases: Vec<Basis>,
    starts: Vec<Start>,
}

/// An adjustment with its conditions compiled.
#[derive(Debug)]
pub(super) struct Link {
    pub(super) adjustment: Adjustment,
    pub(super) tree: Option<Tree>,
}

/// A price from a quantity on. Packed, because there are millions of them.
#[derive(Debug, Clone, Copy)]
#[repr(Rust, packed(2))]
struct Entry {
    /// In millionths of a EUR.
    price: i64,
    /// Among the starts; 0: from nothing on.
    from: u32,
    /// Among the bases.
    basis: u16,
}

/// The quantity that tiers begin at. Packed: where each article has its own there are as many as prices.
#[derive(Debug, Clone, Copy)]
#[repr(Rust, packed(2))]
struct Start {
    /// In millionths.
    quantity: i64,
    unit: Option<Unit>,
}

#[derive(Debug, Clone, Copy)]
struct Stock {
    id: i64,
    warehouse_id: i64,
    /// Among the prices of stocks.
    external: (u32, u32),
    internal: (u32, u32),
}

/// What prices are for.
#[derive(Debug, Clone, Copy)]
struct Basis {
    quantity: Decimal,
    per: Ratio,
    unit: Unit,
}

/// A price that was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Priced {
    pub price: Money,
    /// From this quantity on; none: the price without tiers.
    pub from: Option<TierStart>,
    /// One divided by the price's quantity.
    pub(super) per: Ratio,
}

/// Why there is no price though something is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct BelowFirstTier;

/// Prices of one article in one list, or of a side of a stock.
#[derive(Clone, Copy)]
pub(super) struct Prices<'b> {
    kept: &'b Kept,
    entries: &'b [Entry],
}

/// Prices of one article in all lists.
#[derive(Clone, Copy)]
pub(super) struct InLists<'b> {
    prices: Prices<'b>,
    /// Whose they are.
    lists: &'b [u16],
    /// Those that a list has instead.
    changed: Option<(usize, Prices<'b>)>,
}

/// A stock of an article.
#[derive(Clone, Copy)]
pub(super) struct StockOf<'b> {
    pub(super) id: i64,
    pub(super) warehouse_id: i64,
    pub(super) external: Prices<'b>,
    pub(super) internal: Prices<'b>,
}

impl Book {
    /// The same prices with these adjustments instead.
    #[must_use]
    pub fn with_adjustments(&self, adjustments: Vec<Adjustment>) -> Self {
        Self { links: links(self.seller, adjustments), ..self.clone() }
    }

    pub(crate) fn list(&self, id: i64) -> Option<&List> {
        self.lists.iter().find(|known| known.head.id == id)
    }

    /// The same with another head and audience of a list, or with one that it has not yet.
    #[must_use]
    pub fn with_list(&self, list: List) -> Self {
        let mut book = self.clone();
        match book.lists.iter_mut().find(|known| known.head.id == list.head.id) {
            Some(known) => *known = list,
            None => book.lists.push(list),
        }
        book
    }

    /// The same as if a list never held.
    #[must_use]
    pub fn without_list(&self, list: i64) -> Self {
        let mut book = self.clone();
        for known in book.lists.iter_mut().filter(|known| known.head.id == list) {
            known.head.valid_until = Some(known.head.valid_from);
        }
        book
    }

    /// The same with other prices of articles in a list, in the place of any that were set before; an empty one is taken out.
    #[must_use]
    pub fn with_prices<'s>(&self, list: i64, prices: impl IntoIterator<Item = (i64, &'s Side)>) -> Self {
        let Some(place) = self.lists.iter().position(|known| known.head.id == list) else {
            return self.clone();
        };
        let known = self.lists.iter().filter(|known| known.head.id == list).cloned().collect();
        let mut builder = Builder::new(self.seller, self.groups.clone(), known, Vec::new());
        for (article, side) in prices {
            builder.entry(list, article, side);
        }
        let changed = Changed { list: place, kept: builder.build().kept };
        Self { changed: Some(changed), ..self.clone() }
    }

    /// The prices of an article in lists; those that were set instead count.
    pub(super) fn in_lists(&self, article: i64) -> InLists<'_> {
        let (lists, prices) = self.prices_of(article).in_lists(article);
        let changed = self.changed.as_ref().filter(|changed| changed.kept.articles.contains_key(&article));
        let changed = changed.map(|Changed { list, kept }| (*list, kept.in_lists(article).1));
        InLists { prices, lists, changed }
    }

    pub(super) fn in_stocks(&self, article: i64) -> impl Iterator<Item = StockOf<'_>> {
        self.prices_of(article).in_stocks(article)
    }

    fn prices_of(&self, article: i64) -> &Kept {
        self.newer.articles.get(&article).unwrap_or(&self.kept)
    }

    /// As they are applied.
    pub fn adjustments(&self) -> impl Iterator<Item = &Adjustment> {
        self.links.iter().map(|link| &link.adjustment)
    }

    /// The articles that have a price or a stock.
    pub fn articles(&self) -> impl Iterator<Item = i64> {
        let come = self.changed.iter().flat_map(|changed| changed.kept.articles.keys());
        let come = come.filter(|article| !self.prices_of(**article).articles.contains_key(article));
        let known = self.kept.articles.keys().filter(|article| !self.newer.articles.contains_key(article));
        let newer = self.newer.articles.values().flat_map(|kept| kept.articles.keys());
        known.chain(newer).chain(come).copied()
    }

    /// The articles that have a price in a list, and those whose price in it has been set.
    pub fn articles_in(&self, list: i64) -> impl Iterator<Item = i64> {
        let place = self.lists.iter().position(|known| known.head.id == list);
        let has = move |article: &i64| {
            self.changed.as_ref().is_some_and(|changed| changed.kept.articles.contains_key(article))
                || place.is_some_and(|place| self.in_lists(*article).of(place).is_some())
        };
        self.articles().filter(has)
    }

    #[cfg(test)]
    pub(super) fn shares_prices_with(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.kept, &other.kept) && Arc::ptr_eq(&self.newer, &other.newer)
    }

    /// The number of prices in the book, tiers counted.
    pub fn prices(&self) -> usize {
        let outdated: usize = self.newer.articles.keys().map(|article| self.kept.prices(*article)).sum();
        let newer: usize = self.newer.articles.iter().map(|(article, kept)| kept.prices(*article)).sum();
        self.kept.entries.len() + self.kept.stock_prices.len() - outdated + newer
    }

    /// The size in bytes, without adjustments and the names of lists.
    pub fn bytes(&self) -> usize {
        self.kept.bytes() + self.newer.bytes
    }

    /// Whether an adjustment asks for categories.
    pub fn asks_for_categories(&self) -> bool {
        use crate::condition::ConditionType::Category;
        self.links.iter().any(|link| {
            let named = matches!(&link.adjustment.apply_to, ApplyTo::Item { categories, .. } if !categories.is_empty());
            let asked = || link.adjustment.conditions.as_ref().is_some_and(|tree| tree.references().contains_key(&Category));
            named || asked()
        })
    }
}

impl Kept {
    /// The lists of an article's prices, and the prices.
    fn in_lists(&self, article: i64) -> (&[u16], Prices<'_>) {
        let lists = self.of_article(article, &self.first_entry, &self.lists);
        let entries = self.of_article(article, &self.first_entry, &self.entries);
        (lists, Prices { kept: self, entries })
    }

    fn in_stocks(&self, article: i64) -> impl Iterator<Item = StockOf<'_>> {
        let prices = |(from, to): (u32, u32)| {
            let entries = self.stock_prices.get(from as usize..to as usize).unwrap_or_default();
            Prices { kept: self, entries }
        };
        self.of_article(article, &self.first_stock, &self.stocks).iter().map(move |stock| StockOf {
            id: stock.id,
            warehouse_id: stock.warehouse_id,
            external: prices(stock.external),
            internal: prices(stock.internal),
        })
    }

    fn of_article<'b, T>(&self, article: i64, first: &[u32], all: &'b [T]) -> &'b [T] {
        let found = || {
            let row = *self.articles.get(&article)? as usize;
            all.get(*first.get(row)? as usize..*first.get(row + 1)? as usize)
        };
        found().unwrap_or_default()
    }

    /// The number of prices of an article, tiers counted.
    fn prices(&self, article: i64) -> usize {
        let in_stock = |stock: StockOf<'_>| stock.external.entries.len() + stock.internal.entries.len();
        self.in_lists(article).0.len() + self.in_stocks(article).map(in_stock).sum::<usize>()
    }

    fn bytes(&self) -> usize {
        let articles = self.articles.capacity() * (size_of::<(i64, u32)>() + 1);
        articles
            + (self.first_entry.capacity() + self.first_stock.capacity()) * size_of::<u32>()
            + self.lists.len() * size_of::<u16>()
            + (self.entries.len() + self.stock_prices.capacity()) * size_of::<Entry>()
            + self.stocks.len() * size_of::<Stock>()
            + self.bases.capacity() * size_of::<Basis>()
            + self.starts.capacity() * size_of::<Start>()
    }
}

impl<'b> InLists<'b> {
    /// Those in the list at a place, if it has any.
    pub(super) fn of(&self, list: usize) -> Option<Prices<'b>> {
        if let Some((changed, prices)) = self.changed
            && changed == list
        {
            return Some(prices).filter(|prices| !prices.is_empty());
        }
        let list = u16::try_from(list).ok()?;
        let first = self.lists.partition_point(|known| *known < list);
        let tiers = self.lists.get(first..)?.iter().take_while(|known| **known == list).count();
        let entries = self.prices.entries.get(first..first + tiers).filter(|entries| !entries.is_empty())?;
        Some(Prices { entries, ..self.prices })
    }
}

impl Prices<'_> {
    /// The price for a quantity, which `in_unit` gives in the unit of a tier, exactly; `None` of it where nothing leads there,
    /// and then the tier does not count. Of the tiers that are reached the one counts that begins last.
    pub(super) fn at(
        self,
        in_unit: impl Fn(Option<Unit>) -> Option<Ratio>,
    ) -> Option<Result<Priced, BelowFirstTier>> {
        self.entries.first()?;
        let mut found: Option<Reached<'_>> = None;
        for entry in self.entries.iter().rev() {
            let Some(start) = self.start(entry.from) else {
                found =
                    found.or(Some(Reached { entry, unit: None, from: Ratio::ZERO, quantity: Ratio::ZERO }));
                break;
            };
            // those of one unit are in their order
            if found.is_some_and(|found| found.unit == start.unit) {
                continue;
            }
            let Some((quantity, from)) = in_unit(start.unit).zip(Ratio::of(start.quantity)) else { continue };
            let reached = Reached { entry, unit: start.unit, from, quantity };
            if from <= quantity && found.is_none_or(|found| reached.begins_later(found)) {
                found = Some(reached);
            }
        }
        Some(found.and_then(|found| self.priced(found.entry)).ok_or(BelowFirstTier))
    }

    /// None of a price from nothing on.
    fn start(self, from: u32) -> Option<TierStart> {
        let start = self.kept.starts.get(from as usize).filter(|_| from != 0)?;
        Some(TierStart::from(*start))
    }

    fn priced(self, entry: &Entry) -> Option<Priced> {
        let basis = self.kept.bases.get(usize::from(entry.basis))?;
        let price = Money {
            price: Decimal::from_millionths(entry.price),
            price_quantity: basis.quantity,
            unit: basis.unit,
        };
        Some(Priced { price, from: self.start(entry.from), per: basis.per })
    }

    pub(super) fn is_empty(self) -> bool {
        self.entries.is_empty()
    }
}

/// A tier that a quantity reaches.
#[derive(Clone, Copy)]
struct Reached<'b> {
    entry: &'b Entry,
    unit: Option<Unit>,
    from: Ratio,
    /// In the same unit.
    quantity: Ratio,
}

impl Reached<'_> {
    /// Compares tiers in different units: the quantity is fewer times that of the one that begins later.
    fn begins_later(self, other: Self) -> bool {
        let times = |reached: Self| reached.quantity.over(reached.from);
        times(self).zip(times(other)).is_some_and(|(times, of_other)| times < of_other)
    }
}

/// Those of the platform and of the seller in their order, compiled.
fn links(seller: TenantId, mut adjustments: Vec<Adjustment>) -> Arc<[Link]> {
    adjustments.retain(|adjustment| adjustment.owner.is_none_or(|owner| owner == seller));
    adjustments.sort_by_key(|link| (link.owner.is_some(), link.position, link.id));
    let compiled =
        |adjustment: Adjustment| Link { tree: adjustment.conditions.as_ref().map(Tree::new), adjustment };
    adjustments.into_iter().map(compiled).collect()
}
