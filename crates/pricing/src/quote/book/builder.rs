//! Builds a book from rows in any order, and from the unchanged parts of an older book.

use std::{
    collections::{HashMap, HashSet},
    hash::Hash,
    mem,
    sync::Arc,
};

use values::{Decimal, Money, TenantId, Unit};

use super::{
    ArticleStock, Basis, Book, CompiledPrices, Entry, Link, NewerPrices, Start, Stock, StockPriceRange,
    StockPrices, links,
};
use crate::{
    exact::Ratio,
    price_adjustment::terms::Adjustment,
    price_list::seller_lists::List,
    price_side::{Side, TierStart},
    processing_price::ProcessingPrice,
    quote::processing,
};

/// Start of a price without a quantity break.
const NOTHING: TierStart = TierStart { quantity: Decimal::ZERO, unit: None };

/// Builder of a book from rows in any order.
#[derive(Debug)]
pub struct Builder {
    seller: TenantId,
    groups: Vec<i64>,
    lists: Vec<List>,
    list_places: HashMap<i64, u16>,
    links: Arc<[Link]>,
    processing_prices: processing::Prices,
    rows: PriceRows,
}

/// Prices in the order in which they were added, before they are sorted.
#[derive(Debug)]
pub(super) struct PriceRows {
    articles: HashMap<i64, u32>,
    /// Entries with the row of their article and the index of their list.
    entries: Vec<(u32, u16, Entry)>,
    stocks: Vec<(u32, Stock)>,
    stock_prices: Vec<Entry>,
    bases: Interner<(Decimal, Unit), Basis>,
    starts: Interner<TierStart, Start>,
}

/// Indexes that the bases and starts of another book have in this one.
pub(super) struct Numbers {
    bases: Vec<Option<u16>>,
    starts: Vec<u32>,
}

/// Parts that have not changed since a book was compiled.
#[derive(Debug, Default)]
pub struct UnchangedParts {
    /// Lists whose prices are the same.
    pub lists: HashSet<i64>,
    pub stocks: bool,
}

/// Values by number, without duplicates.
#[derive(Debug)]
struct Interner<K, V> {
    numbers: HashMap<K, usize>,
    values: Vec<V>,
    /// Last value requested; the next one is mostly the same.
    last: Option<(K, usize)>,
}

impl From<TierStart> for Start {
    fn from(TierStart { quantity, unit }: TierStart) -> Self {
        Self { quantity: quantity.millionths(), unit }
    }
}

impl From<Start> for TierStart {
    fn from(Start { quantity, unit }: Start) -> Self {
        Self { quantity: Decimal::from_millionths(quantity), unit }
    }
}

impl<K: Eq + Hash + Copy, V> Interner<K, V> {
    fn new() -> Self {
        Self { numbers: HashMap::new(), values: Vec::new(), last: None }
    }

    fn number(&mut self, key: K, value: impl FnOnce() -> V) -> usize {
        if let Some((_, number)) = self.last.filter(|(last, _)| *last == key) {
            return number;
        }
        let number = *self.numbers.entry(key).or_insert_with(|| {
            self.values.push(value());
            self.values.len() - 1
        });
        self.last = Some((key, number));
        number
    }
}

impl Builder {
    /// Creates a builder. Of the lists, only those of the seller and of `groups` are included.
    pub fn new(seller: TenantId, groups: Vec<i64>, lists: Vec<List>, adjustments: Vec<Adjustment>) -> Self {
        let owned = |list: &List| {
            list.head.owner_tenant_id == Some(seller)
                || list.head.owner_tenant_group_id.is_some_and(|owner| groups.contains(&owner))
        };
        let lists: Vec<List> = lists.into_iter().filter(owned).take(usize::from(u16::MAX)).collect();
        let list_places = lists.iter().zip(0..).map(|(list, place)| (list.head.id, place)).collect();
        Self {
            seller,
            groups,
            lists,
            list_places,
            links: links(seller, adjustments),
            processing_prices: processing::Prices::default(),
            rows: PriceRows::new(),
        }
    }

    /// Adds the price of an article in a list. Prices of lists that are not in the book are ignored.
    pub fn entry(&mut self, list: i64, article: i64, side: &Side) {
        let Some(list) = self.list_places.get(&list).copied() else { return };
        self.rows.entry(list, article, side);
    }

    /// Adds the prices of a whole stock.
    pub fn stock(&mut self, stock: &StockPrices) {
        self.rows.stock(stock);
    }

    /// Adds the price of a processing.
    pub fn processing_price(&mut self, price: &ProcessingPrice) {
        self.processing_prices.add(price);
    }

    /// Builds the book, taking over the unchanged prices of another book of the seller.
    pub fn build_from(mut self, previous: &Book, unchanged: &UnchangedParts) -> Book {
        debug_assert!(previous.list_override.is_none(), "only what was read is taken over");
        if self.adds_nothing_to(previous, unchanged) {
            return self.over(previous.compiled.clone(), previous.newer.clone());
        }
        let place = |list: &List| {
            let id = list.head.id;
            unchanged.lists.contains(&id).then(|| self.list_places.get(&id).copied()).flatten()
        };
        let places: Vec<_> = previous.lists.iter().map(place).collect();
        let place = |list: u16| places.get(usize::from(list)).copied().flatten();
        self.rows.copy_all(previous, place, unchanged.stocks);
        self.build()
    }

    /// True if all prices are those of the other book, and the lists have the same indexes.
    fn adds_nothing_to(&self, previous: &Book, unchanged: &UnchangedParts) -> bool {
        let same_place = |(place, list): (u16, &List)| {
            let id = list.head.id;
            unchanged.lists.contains(&id) && self.list_places.get(&id) == Some(&place)
        };
        self.rows.is_empty() && unchanged.stocks && (0..).zip(&previous.lists).all(same_place)
    }

    /// Builds the book from the rows that were added.
    pub fn build(mut self) -> Book {
        let rows = mem::replace(&mut self.rows, PriceRows::new());
        self.over(Arc::new(rows.build()), Arc::default())
    }

    fn over(self, compiled: Arc<CompiledPrices>, newer: Arc<NewerPrices>) -> Book {
        let Self { seller, groups, lists, links, processing_prices, .. } = self;
        let processing_prices = Arc::new(processing_prices);
        Book { seller, groups, lists, links, processing_prices, compiled, newer, list_override: None }
    }
}

impl PriceRows {
    pub(super) fn new() -> Self {
        let mut starts = Interner::new();
        starts.number(NOTHING, || Start::from(NOTHING));
        Self {
            articles: HashMap::new(),
            entries: Vec::new(),
            stocks: Vec::new(),
            stock_prices: Vec::new(),
            bases: Interner::new(),
            starts,
        }
    }

    fn is_empty(&self) -> bool {
        self.entries.is_empty() && self.stocks.is_empty()
    }

    /// Adds the prices of an article in the list at an index.
    pub(super) fn entry(&mut self, list: u16, article: i64, side: &Side) {
        let row = self.row(article);
        for (from, price) in by_quantity(side) {
            let entry = self.compile_price(from, price);
            self.entries.extend(entry.map(|entry| (row, list, entry)));
        }
    }

    /// Adds the prices of a whole stock.
    pub(super) fn stock(&mut self, stock: &StockPrices) {
        let row = self.row(stock.article_id);
        let [external, internal] = [&stock.external, &stock.internal].map(|side| {
            let entries: Vec<_> =
                by_quantity(side).filter_map(|(from, price)| self.compile_price(from, price)).collect();
            self.prices_of_stock(entries)
        });
        let stock = Stock { id: stock.id, warehouse_id: stock.warehouse_id, external, internal };
        self.stocks.push((row, stock));
    }

    fn prices_of_stock(&mut self, entries: impl IntoIterator<Item = Entry>) -> StockPriceRange {
        let from = self.stock_prices.len();
        self.stock_prices.extend(entries);
        StockPriceRange { from: number(from), to: number(self.stock_prices.len()) }
    }

    fn row(&mut self, article: i64) -> u32 {
        let next = number(self.articles.len());
        *self.articles.entry(article).or_insert(next)
    }

    /// Compiles a price; `None` if there are more combinations of unit and quantity than a book can number.
    fn compile_price(&mut self, from: TierStart, price: Money) -> Option<Entry> {
        let basis = || Basis {
            quantity: price.price_quantity,
            per: Ratio::from_decimal(price.price_quantity)
                .and_then(|quantity| Ratio::ONE.over(quantity))
                .unwrap_or(Ratio::ZERO),
            unit: price.unit,
        };
        let basis = self.bases.number((price.price_quantity, price.unit), basis);
        let from = self.starts.number(from, || Start::from(from));
        Some(Entry { price: price.price.millionths(), from: number(from), basis: u16::try_from(basis).ok()? })
    }

    /// Takes over the prices of a book: those of lists for which `place` returns an index, and with `stocks`
    /// those of stocks.
    pub(super) fn copy_all(&mut self, book: &Book, place: impl Fn(u16) -> Option<u16>, stocks: bool) {
        let numbers = self.numbers(&book.compiled);
        let is_current = |article: &i64| !book.newer.articles.contains_key(article);
        let mut articles: Vec<_> = book.compiled.articles.keys().copied().filter(is_current).collect();
        // in the order in which they were read, so that the result is almost sorted
        articles.sort_unstable_by_key(|article| book.compiled.articles.get(article));
        for article in articles {
            self.copy_article(&book.compiled, Some(&numbers), article, &place, stocks);
        }
        for (article, compiled) in &book.newer.articles {
            self.copy_article(compiled, None, *article, &place, stocks);
        }
    }

    fn numbers(&mut self, compiled: &CompiledPrices) -> Numbers {
        let start = |start: &Start| number(self.starts.number(TierStart::from(*start), || *start));
        let starts = compiled.starts.iter().map(start).collect();
        let basis =
            |basis: &Basis| u16::try_from(self.bases.number((basis.quantity, basis.unit), || *basis)).ok();
        Numbers { bases: compiled.bases.iter().map(basis).collect(), starts }
    }

    /// Renumbers a price of another book. `numbers`: the new indexes of all its bases and starts, if many
    /// prices are taken over.
    fn renumber(
        &mut self,
        compiled: &CompiledPrices,
        numbers: Option<&Numbers>,
        entry: &Entry,
    ) -> Option<Entry> {
        let (from, basis) = (entry.from as usize, usize::from(entry.basis));
        let (from, basis) = if let Some(numbers) = numbers {
            (*numbers.starts.get(from)?, numbers.bases.get(basis).copied().flatten()?)
        } else {
            let (start, basis) = (compiled.starts.get(from)?, compiled.bases.get(basis)?);
            let from = self.starts.number(TierStart::from(*start), || *start);
            let basis = self.bases.number((basis.quantity, basis.unit), || *basis);
            (number(from), u16::try_from(basis).ok()?)
        };
        Some(Entry { price: entry.price, from, basis })
    }

    /// Takes over the prices of an article.
    pub(super) fn copy_article(
        &mut self,
        compiled: &CompiledPrices,
        numbers: Option<&Numbers>,
        article: i64,
        place: impl Fn(u16) -> Option<u16>,
        stocks: bool,
    ) {
        let (lists, prices) = compiled.in_lists(article);
        for (list, entry) in lists.iter().zip(prices.entries) {
            let Some(place) = place(*list) else { continue };
            if let Some(entry) = self.renumber(compiled, numbers, entry) {
                let row = self.row(article);
                self.entries.push((row, place, entry));
            }
        }
        if !stocks {
            return;
        }
        for stock in compiled.in_stocks(article) {
            let row = self.row(article);
            let [external, internal] = [stock.external, stock.internal].map(|prices| {
                let renumbered = |entry| self.renumber(compiled, numbers, entry);
                let entries: Vec<_> = prices.entries.iter().filter_map(renumbered).collect();
                self.prices_of_stock(entries)
            });
            let ArticleStock { id, warehouse_id, .. } = stock;
            self.stocks.push((row, Stock { id, warehouse_id, external, internal }));
        }
    }

    pub(super) fn build(mut self) -> CompiledPrices {
        self.entries.sort_by_key(|(row, list, _)| (*row, *list));
        self.stocks.sort_by_key(|(row, stock)| (*row, stock.id));
        let articles = self.articles.len();
        let first_entry = first_indexes(articles, self.entries.iter().map(|(row, ..)| *row));
        let first_stock = first_indexes(articles, self.stocks.iter().map(|(row, _)| *row));
        self.articles.shrink_to_fit();
        self.stock_prices.shrink_to_fit();
        CompiledPrices {
            articles: self.articles,
            first_entry,
            first_stock,
            lists: self.entries.iter().map(|(_, list, _)| *list).collect(),
            entries: self.entries.into_iter().map(|(.., entry)| entry).collect(),
            stocks: self.stocks.into_iter().map(|(_, stock)| stock).collect(),
            stock_prices: self.stock_prices,
            bases: self.bases.values,
            starts: self.starts.values,
        }
    }
}

/// Returns the prices of a side, sorted by quantity.
fn by_quantity(side: &Side) -> impl Iterator<Item = (TierStart, Money)> {
    let base = side.price.map(|price| (NOTHING, price));
    base.into_iter().chain(side.tiers.iter().map(|tier| (tier.start(), tier.price)))
}

/// Returns the index of the first value of each row, and the end. `sorted_rows` ascends.
fn first_indexes(rows: usize, sorted_rows: impl Iterator<Item = u32>) -> Vec<u32> {
    let mut counts = vec![0; rows + 1];
    for row in sorted_rows {
        if let Some(count) = counts.get_mut(row as usize + 1) {
            *count += 1;
        }
    }
    let mut sum = 0;
    for count in &mut counts {
        sum += *count;
        *count = sum;
    }
    counts
}

fn number(place: usize) -> u32 {
    u32::try_from(place).expect("fewer than four billion prices")
}
