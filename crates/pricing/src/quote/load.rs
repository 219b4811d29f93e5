//! Loads price books from the database, caches them, and updates them from the log of changed articles
//! ([`store::versioned_cache`]).

mod figures;
mod first;

use std::{
    collections::{BTreeSet, HashMap},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use sea_orm::{
    ColumnTrait, Condition, ConnectionTrait, DbBackend, IdenStatic, QueryFilter, QueryOrder, QueryResult,
    QuerySelect, QueryTrait,
    sea_query::{Expr, IntoCondition, Query, SimpleExpr},
};
use serde::de::DeserializeOwned;
use store::{
    Database, Scope,
    spans::SPANS,
    versioned_cache::{self, ChangedArticles, PriceChanges, PricePart, PriceVersions},
};
use tenancy::tenant_group;
use tokio::sync::Semaphore;
use tracing::Instrument;
use values::{Decimal, Error, Result, TenantId, Unit};

use self::figures::BookCounts;
pub use self::figures::{BookFigures, BookOrigin};
use super::book::{Book, Builder, StockPrices, UnchangedParts, Update};
use crate::{
    codes,
    listing::{self, Listings},
    price_adjustment,
    price_list::{PriceList, seller_lists::load_lists},
    price_list_entry::{self, Entries},
    price_side::{Prices, Side, Tiers},
    processing_price,
};

/// Maximum number of rows of one statement.
const ROWS: u64 = 10_000;

/// Maximum number of changed articles in one statement.
const ARTICLES: usize = 500;

/// Default size in MiB of all books that a process caches. One book is always cached, however large.
pub const BOOKS_MB: usize = 512;

/// Maximum number of books that are read at the same time; each occupies a connection meanwhile.
const READ_AT_ONCE: usize = 2;

/// Maximum time that a request waits for a book. Programs and the interface wait ten seconds for their
/// response.
const PATIENCE: Duration = Duration::from_secs(8);
/// Time in seconds after which the client should retry.
const AGAIN_SECONDS: u64 = 5;

/// Cache of the books of a process, each with the version of its seller's prices. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Books {
    cache: Arc<Mutex<BookCache>>,
    readers: Arc<Semaphore>,
    patience: Duration,
    bytes_max: usize,
    counts: Arc<BookCounts>,
}

#[derive(Debug, Default)]
struct BookCache {
    entries: HashMap<TenantId, CacheEntry>,
    /// Counter of reads, which orders the books by their last use.
    readings: u64,
}

#[derive(Debug, Default)]
struct CacheEntry {
    compile_lock: Arc<tokio::sync::Mutex<()>>,
    compiled: Option<VersionedBook>,
    last_read: u64,
    /// True while the prices of the book are being merged.
    is_compacting: bool,
}

/// Book, and the versions of the prices from which it was compiled.
#[derive(Debug, Clone)]
struct VersionedBook {
    versions: PriceVersions,
    book: Arc<Book>,
}

impl Default for Books {
    fn default() -> Self {
        Self::new(BOOKS_MB)
    }
}

impl Books {
    /// Creates a cache of this size in MiB; it always holds at least one book.
    pub fn new(megabytes: usize) -> Self {
        Self {
            cache: Arc::default(),
            readers: Arc::new(Semaphore::new(READ_AT_ONCE)),
            patience: PATIENCE,
            bytes_max: megabytes.saturating_mul(1 << 20),
            counts: Arc::default(),
        }
    }

    /// Returns the current book of a seller, including changes by other processes.
    ///
    /// # Errors
    /// [`codes::PRICES_LOADING`] if compiling the book takes longer than a request may wait.
    pub async fn load(&self, db: &Database, seller: TenantId) -> Result<Arc<Book>> {
        let current_version = versioned_cache::prices_version(db, seller).await?;
        if let Some(book) = self.read(seller, current_version) {
            self.counts.add(BookOrigin::Cached, Duration::ZERO);
            return Ok(book);
        }
        // If the request times out, the book is compiled all the same and is cached for the next request.
        let compiling = self.clone().compile(db.clone(), seller, current_version);
        let compiling = tokio::spawn(compiling.instrument(tracing::info_span!(target: SPANS, "price book")));
        match tokio::time::timeout(self.patience, compiling).await {
            Ok(compiled) => compiled.map_err(Error::internal)?,
            Err(_) => Err(Error::Later { code: codes::PRICES_LOADING, seconds: AGAIN_SECONDS }),
        }
    }

    async fn compile(self, db: Database, seller: TenantId, min_version: i64) -> Result<Arc<Book>> {
        let compile_lock = self.lock().entries.entry(seller).or_default().compile_lock.clone();
        // One caller compiles the book; all others wait for it.
        let _guard = compile_lock.lock().await;
        if let Some(book) = self.read(seller, min_version) {
            self.counts.add(BookOrigin::Cached, Duration::ZERO);
            return Ok(book);
        }
        let _reader = self.readers.acquire().await.map_err(Error::internal)?;
        let began = Instant::now();
        let cached = self.lock().entries.get(&seller).and_then(|entry| entry.compiled.clone());
        let is_first = cached.is_none();
        let pending_update = db.on_replica(|db| read_current(db, seller, cached.clone())).await?;
        let origin = if is_first { BookOrigin::Compiled } else { pending_update.origin() };
        // Sorting millions of prices needs no connection and would block the executor.
        let compiled =
            tokio::task::spawn_blocking(|| pending_update.compiled()).await.map_err(Error::internal)?;
        let book = compiled.book.clone();
        let is_fragmented = book.is_fragmented();
        self.keep(seller, compiled);
        self.counts.add(origin, began.elapsed());
        if is_fragmented && self.begin_compaction(seller) {
            tokio::spawn(self.clone().compact(seller, book.clone()));
        }
        Ok(book)
    }

    /// Returns true, and marks the book, unless its prices are already being merged.
    fn begin_compaction(&self, seller: TenantId) -> bool {
        self.lock()
            .entries
            .get_mut(&seller)
            .is_some_and(|entry| !std::mem::replace(&mut entry.is_compacting, true))
    }

    /// Merges the prices of a book, which can be read and updated meanwhile.
    async fn compact(self, seller: TenantId, book: Arc<Book>) {
        let older = book.clone();
        let compacted = tokio::task::spawn_blocking(move || older.compacted()).await;
        let compile_lock = self.lock().entries.entry(seller).or_default().compile_lock.clone();
        // an update that began before would overwrite the merged prices
        let _guard = compile_lock.lock().await;
        let mut cache = self.lock();
        let Some(entry) = cache.entries.get_mut(&seller) else { return };
        entry.is_compacting = false;
        if let (Ok(compacted), Some(compiled)) = (compacted, &mut entry.compiled)
            && let Some(rebased) = compiled.book.rebased(&book, &compacted)
        {
            compiled.book = Arc::new(rebased);
        }
    }

    /// Figures of the cached books and of the requests so far.
    pub fn figures(&self) -> BookFigures {
        let cache = self.lock();
        let compiled = || cache.entries.values().filter_map(|entry| entry.compiled.as_ref());
        BookFigures {
            books: compiled().count(),
            bytes: compiled().map(|compiled| compiled.book.bytes()).sum(),
            bytes_max: self.bytes_max,
            counts: self.counts.all(),
        }
    }

    fn read(&self, seller: TenantId, min_version: i64) -> Option<Arc<Book>> {
        let mut cache = self.lock();
        cache.readings += 1;
        let readings = cache.readings;
        let entry = cache.entries.get_mut(&seller)?;
        entry.last_read = readings;
        let compiled = entry.compiled.as_ref().filter(|compiled| compiled.versions.whole() >= min_version)?;
        Some(compiled.book.clone())
    }

    fn keep(&self, seller: TenantId, compiled: VersionedBook) {
        let mut cache = self.lock();
        cache.entries.entry(seller).or_default().compiled = Some(compiled);
        cache.shrink(seller, self.bytes_max);
    }

    fn lock(&self) -> MutexGuard<'_, BookCache> {
        self.cache.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl BookCache {
    /// Removes the least recently read books, but never the newest.
    fn shrink(&mut self, newest: TenantId, bytes_max: usize) {
        let bytes = |entry: &CacheEntry| entry.compiled.as_ref().map_or(0, |compiled| compiled.book.bytes());
        let mut total: usize = self.entries.values().map(bytes).sum();
        while total > bytes_max {
            let others =
                self.entries.iter().filter(|(seller, entry)| **seller != newest && entry.compiled.is_some());
            let Some(oldest) = others.min_by_key(|(_, entry)| entry.last_read).map(|(seller, _)| *seller)
            else {
                return;
            };
            total -= self.entries.remove(&oldest).map_or(0, |entry| bytes(&entry));
        }
    }
}

/// Cached book with the changes that were read for it.
struct PendingUpdate {
    versions: PriceVersions,
    previous: Arc<Book>,
    update: Update,
    /// Rules and changed parts, from which the book is built again, if there are any.
    rebuilt: Option<(Builder, UnchangedParts)>,
}

/// Prices of a seller as changed by a rehearsal, read within its transaction.
pub(crate) struct RehearsedPrices {
    pub(crate) parts: BTreeSet<PricePart>,
    builder: Builder,
    unchanged: UnchangedParts,
}

impl RehearsedPrices {
    /// Reads the prices that the rehearsal has changed. `previous` is the book before it.
    pub(crate) async fn read(db: &Database, seller: TenantId, previous: &Book) -> Result<Self> {
        let parts = db.rehearsed_prices(seller);
        let all_lists = parts.contains(&PricePart::Lists);
        let is_unchanged = |id: &i64| !all_lists && !parts.contains(&PricePart::List(*id));
        let unchanged = UnchangedParts {
            lists: previous.lists.iter().map(|list| list.head.id).filter(is_unchanged).collect(),
            stocks: !parts.contains(&PricePart::Stocks),
        };
        Ok(Self { builder: load_builder(db, seller, &unchanged).await?, parts, unchanged })
    }

    pub(crate) fn compiled(self, previous: &Book) -> Book {
        self.builder.build_from(previous, &self.unchanged)
    }
}

/// Reads the current prices of a seller: all rows, or only the changes since a cached book.
async fn read_current(
    db: Database,
    seller: TenantId,
    cached: Option<VersionedBook>,
) -> Result<PendingUpdate> {
    let previous = match cached {
        Some(cached) => cached,
        None => first::read_all(&db, seller).await?,
    };
    read(&db.snapshot().await?, seller, previous).await
}

/// Reads the changes of a seller's prices since a book was compiled. Versions, changes and rows are read in
/// one snapshot: no change is missed, and none is applied to rows that do not contain it yet.
async fn read(db: &impl ConnectionTrait, seller: TenantId, previous: VersionedBook) -> Result<PendingUpdate> {
    let VersionedBook { versions: older, book: previous } = previous;
    let versions = PriceVersions::read(db, seller).await?;
    let changes = versions.changes_since(db, &older).await?;
    let unchanged = UnchangedParts {
        lists: (previous.lists.iter().map(|list| list.head.id))
            .filter(|id| changes.in_list(*id) != Some(&ChangedArticles::Any))
            .collect(),
        stocks: changes.in_stocks() != Some(&ChangedArticles::Any),
    };
    let update = changed_prices(db, seller, &previous, &changes).await?;
    let is_updated = !changes.rules() && unchanged.stocks && unchanged.lists.len() == previous.lists.len();
    let rebuilt =
        if is_updated { None } else { Some((load_builder(db, seller, &unchanged).await?, unchanged)) };
    Ok(PendingUpdate { versions, previous, update, rebuilt })
}

/// Reads the current prices of the articles that have changed.
async fn changed_prices(
    db: &impl ConnectionTrait,
    seller: TenantId,
    previous: &Book,
    changes: &PriceChanges,
) -> Result<Update> {
    let mut update = Update::default();
    for list in &previous.lists {
        let Some(ChangedArticles::These(articles)) = changes.in_list(list.head.id) else { continue };
        update.list(list.head.id, articles);
        for articles in chunks(articles) {
            let these = price_list_entry::Column::ArticleId.is_in(articles);
            for (article, side) in entries(db, &list.head, these).await? {
                if !side.is_empty() {
                    update.entry(list.head.id, article, side);
                }
            }
        }
    }
    if let Some(ChangedArticles::These(articles)) = changes.in_stocks() {
        update.stocks(articles);
        for articles in chunks(articles) {
            let these = listing::Column::ArticleId.is_in(articles);
            stocks(db, seller, these.into_condition(), |stock| update.stock(stock)).await?;
        }
    }
    Ok(update)
}

/// Splits ids into chunks for one statement each.
fn chunks(articles: &BTreeSet<i64>) -> impl Iterator<Item = Vec<i64>> {
    let articles: Vec<i64> = articles.iter().copied().collect();
    let starts = (0..articles.len()).step_by(ARTICLES);
    starts.map(move |from| articles.iter().skip(from).take(ARTICLES).copied().collect())
}

/// Reads the rules of a seller, and all prices except the unchanged ones.
async fn load_builder(
    db: &impl ConnectionTrait,
    seller: TenantId,
    unchanged: &UnchangedParts,
) -> Result<Builder> {
    let (mut builder, lists) = rules(db, seller).await?;
    for list in lists.into_iter().filter(|list| !unchanged.lists.contains(&list.id)) {
        let mut add = |article: i64, side: Side| {
            // an entry without a price is under review
            if !side.is_empty() {
                builder.entry(list.id, article, &side);
            }
        };
        for_each_price(db, &list, &mut add).await?;
    }
    if !unchanged.stocks {
        stocks(db, seller, Condition::all(), |stock| builder.stock(&stock)).await?;
    }
    Ok(builder)
}

/// Reads the rules of a seller, and their lists.
async fn rules(db: &impl ConnectionTrait, seller: TenantId) -> Result<(Builder, Vec<PriceList>)> {
    let groups = tenant_group::load_groups(db, seller.into()).await?;
    let lists = load_lists(db, seller, &groups, Condition::all()).await?;
    let heads = lists.iter().map(|list| list.head.clone()).collect();
    let mut builder =
        Builder::new(seller, groups, lists, price_adjustment::load_for_seller(db, seller).await?);
    for price in processing_price::load_for_seller(db, seller).await? {
        builder.processing_price(&price);
    }
    Ok((builder, heads))
}

impl PendingUpdate {
    fn origin(&self) -> BookOrigin {
        match &self.rebuilt {
            Some((_, unchanged))
                if !unchanged.stocks || unchanged.lists.len() < self.previous.lists.len() =>
            {
                BookOrigin::Compiled
            }
            _ => BookOrigin::Updated,
        }
    }

    fn compiled(self) -> VersionedBook {
        let Self { versions, previous, update, rebuilt } = self;
        let updated = if update.is_empty() { previous } else { Arc::new(previous.updated(&update)) };
        let book = match rebuilt {
            Some((builder, unchanged)) => Arc::new(builder.build_from(&updated, &unchanged)),
            None => updated,
        };
        VersionedBook { versions, book }
    }
}

/// Calls `each` with the prices of a list, by article.
pub async fn for_each_price(
    db: &impl ConnectionTrait,
    list: &PriceList,
    mut each: impl FnMut(i64, Side),
) -> Result<()> {
    use price_list_entry::Column::ArticleId;
    let mut behind = 0;
    loop {
        let rows = entries(db, list, ArticleId.gt(behind)).await?;
        let (count, end) = (rows.len() as u64, rows.last().map(|(article, _)| *article));
        for (article, side) in rows {
            each(article, side);
        }
        match end {
            Some(article) if count == ROWS => behind = article,
            _ => return Ok(()),
        }
    }
}

/// Reads the first prices of a list that fulfil a condition, by article.
///
/// They are returned as one row with an array for each column: sending and decoding five million rows takes
/// longer than reading them.
async fn entries(
    db: &impl ConnectionTrait,
    list: &PriceList,
    condition: impl IntoCondition,
) -> Result<Vec<(i64, Side)>> {
    use price_list_entry::Column::{
        ArticleId, BulkPrices, Price, PriceListId, PriceQuantity, PriceUnit, TenantId,
    };
    let page = Scope::platform()
        .find::<Entries>()
        .select_only()
        .columns([ArticleId, Price, PriceQuantity, PriceUnit, BulkPrices])
        .filter(TenantId.eq(list.owner_key()))
        .filter(PriceListId.eq(list.id))
        .filter(condition.into_condition())
        .order_by_asc(ArticleId)
        .limit(ROWS)
        .into_query();
    let arrays = [ArticleId, Price, PriceQuantity, PriceUnit, BulkPrices]
        .map(|column| array_of(db.get_database_backend(), column));
    let rows = Query::select().exprs(arrays).from_subquery(page, "page").take();
    let row = db.query_one(&rows).await?.ok_or_else(|| Error::internal("no row of an aggregate"))?;
    let articles: Vec<i64> = column(&row, 0)?;
    let prices: Vec<Option<i64>> = column(&row, 1)?;
    let quantities: Vec<Option<i64>> = column(&row, 2)?;
    let units: Vec<Option<Unit>> = column(&row, 3)?;
    let tiers: Vec<Option<Tiers>> = column(&row, 4)?;
    let decimal = |millionths: Option<i64>| millionths.map(Decimal::from_millionths);
    let sides =
        prices.into_iter().zip(quantities).zip(units).zip(tiers).map(|(((price, quantity), unit), tiers)| {
            Side::from_columns(decimal(price), decimal(quantity), unit, tiers.as_ref())
        });
    Ok(articles.into_iter().zip(sides).collect())
}

/// Aggregates a column of all rows into one JSON array.
fn array_of(backend: DbBackend, column: price_list_entry::Column) -> SimpleExpr {
    let name = column.as_str();
    Expr::cust(match (backend, column) {
        (DbBackend::Postgres, _) => format!("CAST(json_agg(page.{name}) AS text)"),
        // SQLite stores JSON as text
        (_, price_list_entry::Column::BulkPrices) => format!("json_group_array(json(page.{name}))"),
        _ => format!("json_group_array(page.{name})"),
    })
}

/// Decodes a column of a page; PostgreSQL returns `NULL` if there are no rows.
fn column<T: DeserializeOwned>(row: &QueryResult, index: usize) -> Result<Vec<T>> {
    let array: Option<String> = row.try_get_by_index(index)?;
    array.map_or_else(|| Ok(Vec::new()), |array| serde_json::from_str(&array).map_err(Error::internal))
}

/// Calls `each` with the stocks that have a price and fulfil a condition. Only whole dimensions: remnants are
/// sold by agreement.
async fn stocks(
    db: &impl ConnectionTrait,
    seller: TenantId,
    condition: Condition,
    mut each: impl FnMut(StockPrices),
) -> Result<()> {
    use listing::Column::{
        ExternalBulkPrices, ExternalPrice, Id, InternalBulkPrices, InternalPrice, TenantId,
    };
    let columns = [ExternalPrice, ExternalBulkPrices, InternalPrice, InternalBulkPrices];
    let priced = columns.iter().fold(Condition::any(), |any, column| any.add(column.is_not_null()));
    let mut behind = 0;
    loop {
        let rows = Scope::platform()
            .find::<Listings>()
            .filter(TenantId.eq(seller))
            .filter(priced.clone())
            .filter(listing::whole())
            .filter(condition.clone())
            .filter(Id.gt(behind))
            .order_by_asc(Id)
            .limit(ROWS)
            .all(db)
            .await?;
        for row in &rows {
            let Prices { external, internal } = Prices::from_listing(row);
            let (id, article_id, warehouse_id) = (row.id, row.article_id, row.warehouse_id);
            each(StockPrices { id, article_id, warehouse_id, external, internal });
        }
        match rows.last() {
            Some(row) if rows.len() as u64 == ROWS => behind = row.id,
            _ => return Ok(()),
        }
    }
}

#[cfg(test)]
mod tests;
