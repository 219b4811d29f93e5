//! Incremental updates of a book: articles whose prices have changed get their own prices, which are merged
//! with all others once there are many.

use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    sync::Arc,
};

use super::{Book, CompiledPrices, NewerPrices, StockPrices, builder::PriceRows};
use crate::price_side::Side;

/// Maximum number of articles with newer prices before all prices are merged: the larger of this number and a
/// share of all articles.
const NEWER_MAX: usize = 1_000;
const NEWER_SHARE: usize = 16;

/// Current prices of articles in some lists and in stocks.
#[derive(Debug, Default)]
pub(crate) struct Update {
    articles: BTreeMap<i64, ArticleUpdate>,
}

#[derive(Debug, Default)]
struct ArticleUpdate {
    /// Lists in which the article's price has changed, with the new prices; `None` if it was removed.
    lists: BTreeMap<i64, Option<Side>>,
    stocks: Option<Vec<StockPrices>>,
}

impl Update {
    /// Removes articles from a list; [`Self::entry`] adds their new prices.
    pub(crate) fn list(&mut self, list: i64, articles: &BTreeSet<i64>) {
        for article in articles {
            self.articles.entry(*article).or_default().lists.insert(list, None);
        }
    }

    pub(crate) fn entry(&mut self, list: i64, article: i64, side: Side) {
        self.articles.entry(article).or_default().lists.insert(list, Some(side));
    }

    /// Removes the stocks of articles; [`Self::stock`] adds the new ones.
    pub(crate) fn stocks(&mut self, articles: &BTreeSet<i64>) {
        for article in articles {
            self.articles.entry(*article).or_default().stocks = Some(Vec::new());
        }
    }

    pub(crate) fn stock(&mut self, stock: StockPrices) {
        self.articles.entry(stock.article_id).or_default().stocks.get_or_insert_default().push(stock);
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.articles.is_empty()
    }
}

impl Book {
    /// Returns the book with changed prices from the database.
    #[must_use]
    pub(crate) fn updated(&self, update: &Update) -> Self {
        debug_assert!(self.list_override.is_none(), "only what was read is brought up to date");
        let places: HashMap<i64, u16> = self.lists.iter().map(|list| list.head.id).zip(0..).collect();
        let mut newer = NewerPrices { articles: self.newer.articles.clone(), bytes: self.newer.bytes };
        for (article, update) in &update.articles {
            let compiled = Arc::new(self.updated_article(*article, update, &places));
            newer.bytes += compiled.bytes_alone();
            if let Some(older) = newer.articles.insert(*article, compiled) {
                newer.bytes -= older.bytes_alone();
            }
        }
        Self { newer: Arc::new(newer), ..self.clone() }
    }

    fn updated_article(
        &self,
        article: i64,
        update: &ArticleUpdate,
        places: &HashMap<i64, u16>,
    ) -> CompiledPrices {
        let mut rows = PriceRows::new();
        let compiled = self.prices_of(article);
        let changed: BTreeSet<u16> =
            update.lists.keys().filter_map(|list| places.get(list).copied()).collect();
        let place = |list: u16| (!changed.contains(&list)).then_some(list);
        rows.copy_article(compiled, None, article, place, update.stocks.is_none());
        for (list, side) in &update.lists {
            if let (Some(place), Some(side)) = (places.get(list), side) {
                rows.entry(*place, article, side);
            }
        }
        for stock in update.stocks.iter().flatten() {
            rows.stock(stock);
        }
        rows.build()
    }

    /// True if so much of the book is newer prices that reading and updating it is no longer fast.
    pub(crate) fn is_fragmented(&self) -> bool {
        let all = self.compiled.articles.len();
        self.newer.articles.len() > usize::max(NEWER_MAX, all / NEWER_SHARE)
    }

    /// Returns the same book with all prices merged.
    #[must_use]
    pub(crate) fn compacted(&self) -> Self {
        let mut rows = PriceRows::new();
        rows.copy_all(self, Some, true);
        Self { compiled: Arc::new(rows.build()), newer: Arc::default(), ..self.clone() }
    }

    /// Returns this book on top of `compacted`, into which its older version was merged meanwhile; `None` if
    /// this book has another base.
    pub(crate) fn rebased(&self, older: &Self, compacted: &Self) -> Option<Self> {
        if !Arc::ptr_eq(&self.compiled, &older.compiled) {
            return None;
        }
        let has_changed = |(article, compiled): &(&i64, &Arc<CompiledPrices>)| {
            !older.newer.articles.get(article).is_some_and(|older| Arc::ptr_eq(older, compiled))
        };
        let articles = self.newer.articles.iter().filter(has_changed);
        let articles: HashMap<i64, Arc<CompiledPrices>> =
            articles.map(|(article, compiled)| (*article, compiled.clone())).collect();
        let bytes = articles.values().map(|compiled| compiled.bytes_alone()).sum();
        let newer = Arc::new(NewerPrices { articles, bytes });
        Some(Self { compiled: compacted.compiled.clone(), newer, ..self.clone() })
    }
}

impl CompiledPrices {
    /// Returns the size in bytes of the prices of a single article.
    fn bytes_alone(&self) -> usize {
        size_of::<(i64, Arc<Self>)>() + size_of::<Self>() + self.bytes()
    }
}
