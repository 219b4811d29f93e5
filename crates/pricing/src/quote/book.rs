//! Price book of a seller, compiled and immutable: prices of lists, stocks and processings, and the
//! adjustments.
//!
//! A price takes sixteen bytes: its price unit and the start of its quantity break are stored once for all
//! prices that share them. The prices of an article in all lists are adjacent in memory, so finding the lists
//! that have one reads little memory.

mod builder;
mod difference;
mod update;

use std::{collections::HashMap, sync::Arc};

use values::{Decimal, Money, TenantId, Unit};

pub use self::builder::{Builder, UnchangedParts};
pub(crate) use self::{difference::BookDifference, update::Update};
use super::{processing, tree::Tree};
use crate::{
    exact::Ratio,
    price_adjustment::terms::{Adjustment, ApplyTo},
    price_list::seller_lists::List,
    price_side::{Side, TierStart},
};

/// Prices of a stock.
#[derive(Debug, Clone)]
pub struct StockPrices {
    pub id: i64,
    pub article_id: i64,
    pub warehouse_id: i64,
    pub external: Side,
    pub internal: Side,
}

/// Price book of a seller. Its large parts are shared with books derived from it, for example by
/// [`Book::with_list`].
#[derive(Debug, Clone)]
pub struct Book {
    pub seller: TenantId,
    /// Groups that the seller is a member of.
    pub(super) groups: Vec<i64>,
    pub(super) lists: Vec<List>,
    pub(super) links: Arc<[Link]>,
    pub(super) processing_prices: Arc<processing::Prices>,
    compiled: Arc<CompiledPrices>,
    newer: Arc<NewerPrices>,
    list_override: Option<ListOverride>,
}

/// Articles whose prices have changed since the last full compilation, each with all its current prices.
#[derive(Debug, Default)]
struct NewerPrices {
    articles: HashMap<i64, Arc<CompiledPrices>>,
    bytes: usize,
}

/// Replaced prices of one list.
#[derive(Debug, Clone)]
struct ListOverride {
    /// Index of the list.
    list: usize,
    /// Prices of the articles that change; an article without prices is removed from the list.
    compiled: Arc<CompiledPrices>,
}

/// Compiled prices of articles.
#[derive(Debug)]
struct CompiledPrices {
    articles: HashMap<i64, u32>,
    /// Index of the first entry of each article, and the end; one more than there are articles.
    first_entry: Vec<u32>,
    first_stock: Vec<u32>,
    /// Index of the list of each entry, ascending within an article.
    lists: Box<[u16]>,
    entries: Box<[Entry]>,
    stocks: Box<[Stock]>,
    /// Prices of the stocks.
    stock_prices: Vec<Entry>,
    bases: Vec<Basis>,
    starts: Vec<Start>,
}

/// Adjustment with compiled conditions.
#[derive(Debug)]
pub(super) struct Link {
    pub(super) adjustment: Adjustment,
    pub(super) tree: Option<Tree>,
}

/// Price from a quantity on. Packed, because there are millions of them.
#[derive(Debug, Clone, Copy)]
#[repr(Rust, packed(2))]
struct Entry {
    /// Price in millionths of a EUR.
    price: i64,
    /// Index into the starts; 0 for a price without a quantity break.
    from: u32,
    /// Index into the bases.
    basis: u16,
}

/// Start of a quantity break. Packed, because there are as many as prices if each article has its own.
#[derive(Debug, Clone, Copy)]
#[repr(Rust, packed(2))]
struct Start {
    /// Quantity in millionths.
    quantity: i64,
    unit: Option<Unit>,
}

#[derive(Debug, Clone, Copy)]
struct Stock {
    id: i64,
    warehouse_id: i64,
    external: StockPriceRange,
    internal: StockPriceRange,
}

/// Half-open range of indexes into the prices of stocks.
#[derive(Debug, Clone, Copy)]
struct StockPriceRange {
    from: u32,
    to: u32,
}

/// Price unit and quantity of a price.
#[derive(Debug, Clone, Copy)]
struct Basis {
    quantity: Decimal,
    per: Ratio,
    unit: Unit,
}

/// Price found in the book.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BookPrice {
    pub price: Money,
    /// Start of the quantity break; `None` for the price without one.
    pub from: Option<TierStart>,
    /// One divided by the price's quantity.
    pub(super) per: Ratio,
}

/// Error for a quantity below the first quantity break, without a price for less.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct BelowFirstTier;

/// Prices of one article in one list, or of one side of a stock.
#[derive(Clone, Copy)]
pub(super) struct Prices<'b> {
    compiled: &'b CompiledPrices,
    entries: &'b [Entry],
}

/// Prices of one article in all lists.
#[derive(Clone, Copy)]
pub(super) struct InLists<'b> {
    prices: Prices<'b>,
    /// Index of the list of each price.
    lists: &'b [u16],
    /// Replaced prices of one list, by its index.
    list_override: Option<(usize, Prices<'b>)>,
}

/// Stock of an article.
#[derive(Clone, Copy)]
pub(super) struct ArticleStock<'b> {
    pub(super) id: i64,
    pub(super) warehouse_id: i64,
    pub(super) external: Prices<'b>,
    pub(super) internal: Prices<'b>,
}

impl Book {
    /// Returns a book with the same prices and other adjustments.
    #[must_use]
    pub fn with_adjustments(&self, adjustments: Vec<Adjustment>) -> Self {
        Self { links: links(self.seller, adjustments), ..self.clone() }
    }

    pub(crate) fn list(&self, id: i64) -> Option<&List> {
        self.lists.iter().find(|list| list.head.id == id)
    }

    /// Returns a book in which a list has another head and audience, or is added.
    #[must_use]
    pub fn with_list(&self, list: List) -> Self {
        let mut book = self.clone();
        match book.lists.iter_mut().find(|existing| existing.head.id == list.head.id) {
            Some(existing) => *existing = list,
            None => book.lists.push(list),
        }
        book
    }

    /// Returns a book in which a list is never in effect.
    #[must_use]
    pub fn without_list(&self, list: i64) -> Self {
        let mut book = self.clone();
        for existing in book.lists.iter_mut().filter(|existing| existing.head.id == list) {
            existing.head.valid_until = Some(existing.head.valid_from);
        }
        book
    }

    /// Returns a book with other prices of articles in one list. They replace those of earlier calls; an
    /// empty side removes the price.
    #[must_use]
    pub fn with_prices<'s>(&self, list: i64, prices: impl IntoIterator<Item = (i64, &'s Side)>) -> Self {
        let Some(place) = self.lists.iter().position(|existing| existing.head.id == list) else {
            return self.clone();
        };
        let lists = self.lists.iter().filter(|existing| existing.head.id == list).cloned().collect();
        let mut builder = Builder::new(self.seller, self.groups.clone(), lists, Vec::new());
        for (article, side) in prices {
            builder.entry(list, article, side);
        }
        let list_override = ListOverride { list: place, compiled: builder.build().compiled };
        Self { list_override: Some(list_override), ..self.clone() }
    }

    /// Returns the prices of an article in lists; replaced prices take precedence.
    pub(super) fn in_lists(&self, article: i64) -> InLists<'_> {
        let (lists, prices) = self.prices_of(article).in_lists(article);
        let replaced =
            self.list_override.as_ref().filter(|replaced| replaced.compiled.articles.contains_key(&article));
        let list_override =
            replaced.map(|ListOverride { list, compiled }| (*list, compiled.in_lists(article).1));
        InLists { prices, lists, list_override }
    }

    pub(super) fn in_stocks(&self, article: i64) -> impl Iterator<Item = ArticleStock<'_>> {
        self.prices_of(article).in_stocks(article)
    }

    fn prices_of(&self, article: i64) -> &CompiledPrices {
        self.newer.articles.get(&article).unwrap_or(&self.compiled)
    }

    /// Adjustments in the order in which they apply.
    pub fn adjustments(&self) -> impl Iterator<Item = &Adjustment> {
        self.links.iter().map(|link| &link.adjustment)
    }

    /// Articles that have a price or a stock.
    pub fn articles(&self) -> impl Iterator<Item = i64> {
        let overriding = self.list_override.iter().flat_map(|replaced| replaced.compiled.articles.keys());
        let overriding =
            overriding.filter(|article| !self.prices_of(**article).articles.contains_key(article));
        let unchanged =
            self.compiled.articles.keys().filter(|article| !self.newer.articles.contains_key(article));
        let newer = self.newer.articles.values().flat_map(|compiled| compiled.articles.keys());
        unchanged.chain(newer).chain(overriding).copied()
    }

    /// Articles that have a price in a list, or whose price in it was replaced.
    pub fn articles_in(&self, list: i64) -> impl Iterator<Item = i64> {
        let place = self.lists.iter().position(|existing| existing.head.id == list);
        let has = move |article: &i64| {
            self.list_override
                .as_ref()
                .is_some_and(|replaced| replaced.compiled.articles.contains_key(article))
                || place.is_some_and(|place| self.in_lists(*article).in_list(place).is_some())
        };
        self.articles().filter(has)
    }

    #[cfg(test)]
    pub(super) fn shares_prices_with(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.compiled, &other.compiled) && Arc::ptr_eq(&self.newer, &other.newer)
    }

    /// Returns the number of prices in the book, including quantity breaks.
    pub fn prices(&self) -> usize {
        let outdated: usize = self.newer.articles.keys().map(|article| self.compiled.prices(*article)).sum();
        let newer: usize =
            self.newer.articles.iter().map(|(article, compiled)| compiled.prices(*article)).sum();
        self.compiled.entries.len() + self.compiled.stock_prices.len() - outdated + newer
    }

    /// Returns the size in bytes, without adjustments and the names of lists.
    pub fn bytes(&self) -> usize {
        self.compiled.bytes() + self.newer.bytes
    }

    /// True if an adjustment or its conditions refer to categories.
    pub fn asks_for_categories(&self) -> bool {
        use crate::condition::ConditionType::Category;
        self.links.iter().any(|link| {
            let Adjustment { apply_to, conditions, .. } = &link.adjustment;
            let names_categories =
                matches!(apply_to, ApplyTo::Item { categories, .. } if !categories.is_empty());
            let tests_category =
                || conditions.as_ref().is_some_and(|tree| tree.references().contains_key(&Category));
            names_categories || tests_category()
        })
    }
}

impl CompiledPrices {
    /// Returns the prices of an article with the index of the list of each.
    fn in_lists(&self, article: i64) -> (&[u16], Prices<'_>) {
        let lists = self.for_article(article, &self.first_entry, &self.lists);
        let entries = self.for_article(article, &self.first_entry, &self.entries);
        (lists, Prices { compiled: self, entries })
    }

    fn in_stocks(&self, article: i64) -> impl Iterator<Item = ArticleStock<'_>> {
        let prices = |range: StockPriceRange| {
            let entries = self.stock_prices.get(range.from as usize..range.to as usize).unwrap_or_default();
            Prices { compiled: self, entries }
        };
        self.for_article(article, &self.first_stock, &self.stocks).iter().map(move |stock| ArticleStock {
            id: stock.id,
            warehouse_id: stock.warehouse_id,
            external: prices(stock.external),
            internal: prices(stock.internal),
        })
    }

    fn for_article<'b, T>(&self, article: i64, first: &[u32], all: &'b [T]) -> &'b [T] {
        let find_slice = || {
            let row = *self.articles.get(&article)? as usize;
            all.get(*first.get(row)? as usize..*first.get(row + 1)? as usize)
        };
        find_slice().unwrap_or_default()
    }

    /// Returns the number of prices of an article, including quantity breaks.
    fn prices(&self, article: i64) -> usize {
        let in_stock = |stock: ArticleStock<'_>| stock.external.entries.len() + stock.internal.entries.len();
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
    /// Prices in the list at an index, if it has any.
    pub(super) fn in_list(&self, list: usize) -> Option<Prices<'b>> {
        if let Some((replaced, prices)) = self.list_override
            && replaced == list
        {
            return Some(prices).filter(|prices| !prices.is_empty());
        }
        let list = u16::try_from(list).ok()?;
        let first = self.lists.partition_point(|other| *other < list);
        let tiers = self.lists.get(first..)?.iter().take_while(|other| **other == list).count();
        let entries = self.prices.entries.get(first..first + tiers).filter(|entries| !entries.is_empty())?;
        Some(Prices { entries, ..self.prices })
    }

    /// Sets one value for each list that has a price and another one for those without, which is faster than
    /// asking list by list.
    pub(super) fn mark<T: Copy>(&self, lists: &mut [T], with_price: T, without_price: T) {
        lists.fill(without_price);
        let mut mark = |list: usize, has_price: bool| {
            if let Some(list) = lists.get_mut(list) {
                *list = if has_price { with_price } else { without_price };
            }
        };
        for list in self.lists {
            mark((*list).into(), true);
        }
        if let Some((replaced, prices)) = self.list_override {
            mark(replaced, !prices.is_empty());
        }
    }
}

impl Prices<'_> {
    /// Returns the price for a quantity. Of the quantity breaks that it reaches, the one that begins last
    /// counts. `in_unit` converts the quantity exactly into the unit of a quantity break; if it returns
    /// `None`, that break does not count.
    pub(super) fn at(
        self,
        in_unit: impl Fn(Option<Unit>) -> Option<Ratio>,
    ) -> Option<Result<BookPrice, BelowFirstTier>> {
        self.entries.first()?;
        let mut best: Option<ReachedBreak<'_>> = None;
        for entry in self.entries.iter().rev() {
            let Some(start) = self.start(entry.from) else {
                best = best.or(Some(ReachedBreak {
                    entry,
                    unit: None,
                    from: Ratio::ZERO,
                    quantity: Ratio::ZERO,
                }));
                break;
            };
            // quantity breaks of one unit are sorted
            if best.is_some_and(|best| best.unit == start.unit) {
                continue;
            }
            let Some((quantity, from)) = in_unit(start.unit).zip(Ratio::from_decimal(start.quantity)) else {
                continue;
            };
            let reached = ReachedBreak { entry, unit: start.unit, from, quantity };
            if from <= quantity && best.is_none_or(|best| reached.begins_later(best)) {
                best = Some(reached);
            }
        }
        Some(best.and_then(|best| self.priced(best.entry)).ok_or(BelowFirstTier))
    }

    /// Start of a quantity break; `None` for a price without one.
    fn start(self, from: u32) -> Option<TierStart> {
        let start = self.compiled.starts.get(from as usize).filter(|_| from != 0)?;
        Some(TierStart::from(*start))
    }

    fn priced(self, entry: &Entry) -> Option<BookPrice> {
        let basis = self.compiled.bases.get(usize::from(entry.basis))?;
        let price = Money {
            price: Decimal::from_millionths(entry.price),
            price_quantity: basis.quantity,
            unit: basis.unit,
        };
        Some(BookPrice { price, from: self.start(entry.from), per: basis.per })
    }

    pub(super) fn is_empty(self) -> bool {
        self.entries.is_empty()
    }
}

/// Quantity break that a quantity reaches.
#[derive(Clone, Copy)]
struct ReachedBreak<'b> {
    entry: &'b Entry,
    unit: Option<Unit>,
    from: Ratio,
    /// The requested quantity, in the unit of `from`.
    quantity: Ratio,
}

impl ReachedBreak<'_> {
    /// Compares quantity breaks in different units: the one that begins later is contained fewer times in the
    /// quantity.
    fn begins_later(self, other: Self) -> bool {
        let times = |reached: Self| reached.quantity.over(reached.from);
        times(self).zip(times(other)).is_some_and(|(times, of_other)| times < of_other)
    }
}

/// Compiles the adjustments of the platform and of the seller, in the order in which they apply.
fn links(seller: TenantId, mut adjustments: Vec<Adjustment>) -> Arc<[Link]> {
    adjustments.retain(|adjustment| adjustment.owner.is_none_or(|owner| owner == seller));
    adjustments.sort_by_key(|link| (link.owner.is_some(), link.position, link.id));
    let compiled =
        |adjustment: Adjustment| Link { tree: adjustment.conditions.as_ref().map(Tree::new), adjustment };
    adjustments.into_iter().map(compiled).collect()
}
