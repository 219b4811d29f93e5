//! Books out of the database, kept in memory and brought up to date by the log of changed articles
//! ([`kernel::kept`]).

mod figures;
mod first;

use std::{
    collections::{BTreeSet, HashMap},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use kernel::{
    Code, Database, Decimal, Error, Result, Scope, TenantId, Unit,
    kept::{self, ChangedArticles, PriceChanges, PricePart, PriceVersions},
    spans::SPANS,
};
use sea_orm::{
    ColumnTrait, Condition, ConnectionTrait, DbBackend, IdenStatic, QueryFilter, QueryOrder, QueryResult,
    QuerySelect, QueryTrait,
    sea_query::{Expr, IntoCondition, Query, SimpleExpr},
};
use serde::de::DeserializeOwned;
use tenancy::tenant_group;
use tokio::sync::Semaphore;
use tracing::Instrument;

use self::figures::BookCounts;
pub use self::figures::{BookFigures, BookOrigin};
use super::book::{Book, Builder, StockPrices, Unchanged, Update};
use crate::{
    listing::{self, Listings},
    price_adjustment,
    price_list::{PriceList, seller_lists::lists},
    price_list_entry::{self, Entries},
    price_side::{Prices, Side, Tiers},
    processing_price,
};

/// Rows of one statement.
const ROWS: u64 = 10_000;

/// Changed articles of one statement.
const ARTICLES: usize = 500;

/// The MiB of all books that a process keeps, where nothing else is set. One is kept, however large it is.
pub const BOOKS_MB: usize = 512;

/// How many books are read at a time: each takes a connection for as long as it lasts.
const READ_AT_ONCE: usize = 2;

/// How long a request waits for a book: programs and the interface wait for ten seconds for their answer.
const PATIENCE: Duration = Duration::from_secs(8);
/// After which it is worth another try.
const AGAIN_SECONDS: u64 = 5;

/// The books that a process keeps, each for the version of its seller's prices. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Books {
    shelf: Arc<Mutex<Shelf>>,
    readers: Arc<Semaphore>,
    patience: Duration,
    bytes_max: usize,
    counts: Arc<BookCounts>,
}

#[derive(Debug, Default)]
struct Shelf {
    of: HashMap<TenantId, Place>,
    /// Counts the readings.
    readings: u64,
}

#[derive(Debug, Default)]
struct Place {
    turn: Arc<tokio::sync::Mutex<()>>,
    kept: Option<Compiled>,
    last_read: u64,
    /// Its prices are being put in order.
    is_compacting: bool,
}

/// A book, and the versions of what it was compiled from.
#[derive(Debug, Clone)]
struct Compiled {
    versions: PriceVersions,
    book: Arc<Book>,
}

impl Default for Books {
    fn default() -> Self {
        Self::new(BOOKS_MB)
    }
}

impl Books {
    /// Keeps books up to this size in MiB, but always one.
    pub fn new(megabytes: usize) -> Self {
        Self {
            shelf: Arc::default(),
            readers: Arc::new(Semaphore::new(READ_AT_ONCE)),
            patience: PATIENCE,
            bytes_max: megabytes.saturating_mul(1 << 20),
            counts: Arc::default(),
        }
    }

    /// The book of a seller as it is now, whichever process has changed it.
    ///
    /// # Errors
    /// [`Code::PricesLoading`] where it takes longer than a request may wait.
    pub async fn of(&self, db: &Database, seller: TenantId) -> Result<Arc<Book>> {
        let wanted = kept::prices_version(db, seller).await?;
        if let Some(book) = self.read(seller, wanted) {
            self.counts.add(BookOrigin::Cached, Duration::ZERO);
            return Ok(book);
        }
        // Whoever waits for a large book may give up; it is compiled all the same, and there when it is asked for again.
        let compiling = self.clone().compile(db.clone(), seller, wanted);
        let compiling = tokio::spawn(compiling.instrument(tracing::info_span!(target: SPANS, "price book")));
        match tokio::time::timeout(self.patience, compiling).await {
            Ok(compiled) => compiled.map_err(Error::internal)?,
            Err(_) => Err(Error::Later { code: Code::PricesLoading, seconds: AGAIN_SECONDS }),
        }
    }

    async fn compile(self, db: Database, seller: TenantId, wanted: i64) -> Result<Arc<Book>> {
        let turn = self.lock().of.entry(seller).or_default().turn.clone();
        // One compiles, the others take what comes of it.
        let _turn = turn.lock().await;
        if let Some(book) = self.read(seller, wanted) {
            self.counts.add(BookOrigin::Cached, Duration::ZERO);
            return Ok(book);
        }
        let _reader = self.readers.acquire().await.map_err(Error::internal)?;
        let began = Instant::now();
        let known = self.lock().of.get(&seller).and_then(|place| place.kept.clone());
        let is_first = known.is_none();
        let read = db.on_replica(|db| read_current(db, seller, known.clone())).await?;
        let origin = if is_first { BookOrigin::Compiled } else { read.origin() };
        // Millions of prices are put into their order, for which nobody's connection is needed.
        let compiled = tokio::task::spawn_blocking(|| read.compiled()).await.map_err(Error::internal)?;
        let book = compiled.book.clone();
        let is_fragmented = book.is_fragmented();
        self.keep(seller, compiled);
        self.counts.add(origin, began.elapsed());
        if is_fragmented && self.begin_compaction(seller) {
            tokio::spawn(self.clone().compact(seller, book.clone()));
        }
        Ok(book)
    }

    /// True where nothing puts the seller's prices in order yet.
    fn begin_compaction(&self, seller: TenantId) -> bool {
        self.lock()
            .of
            .get_mut(&seller)
            .is_some_and(|place| !std::mem::replace(&mut place.is_compacting, true))
    }

    /// Puts the prices of a book in order, while it is read and updated.
    async fn compact(self, seller: TenantId, book: Arc<Book>) {
        let older = book.clone();
        let compacted = tokio::task::spawn_blocking(move || older.compacted()).await;
        let turn = self.lock().of.entry(seller).or_default().turn.clone();
        // an update that began before would put its own prices in the place of these
        let _turn = turn.lock().await;
        let mut places = self.lock();
        let Some(place) = places.of.get_mut(&seller) else { return };
        place.is_compacting = false;
        if let (Ok(compacted), Some(kept)) = (compacted, &mut place.kept)
            && let Some(rebased) = kept.book.rebased(&book, &compacted)
        {
            kept.book = Arc::new(rebased);
        }
    }

    /// Figures of the books in memory and of the requests so far.
    pub fn figures(&self) -> BookFigures {
        let places = self.lock();
        let kept = || places.of.values().filter_map(|place| place.kept.as_ref());
        BookFigures {
            books: kept().count(),
            bytes: kept().map(|kept| kept.book.bytes()).sum(),
            bytes_max: self.bytes_max,
            counts: self.counts.all(),
        }
    }

    fn read(&self, seller: TenantId, wanted: i64) -> Option<Arc<Book>> {
        let mut places = self.lock();
        places.readings += 1;
        let readings = places.readings;
        let place = places.of.get_mut(&seller)?;
        place.last_read = readings;
        let kept = place.kept.as_ref().filter(|kept| kept.versions.whole() >= wanted)?;
        Some(kept.book.clone())
    }

    fn keep(&self, seller: TenantId, compiled: Compiled) {
        let mut places = self.lock();
        places.of.entry(seller).or_default().kept = Some(compiled);
        places.shrink(seller, self.bytes_max);
    }

    fn lock(&self) -> MutexGuard<'_, Shelf> {
        self.shelf.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Shelf {
    /// Forgets the books that were read longest ago, but not the newest.
    fn shrink(&mut self, newest: TenantId, bytes_max: usize) {
        let bytes = |place: &Place| place.kept.as_ref().map_or(0, |kept| kept.book.bytes());
        let mut total: usize = self.of.values().map(bytes).sum();
        while total > bytes_max {
            let others = self.of.iter().filter(|(seller, place)| **seller != newest && place.kept.is_some());
            let Some(oldest) = others.min_by_key(|(_, place)| place.last_read).map(|(seller, _)| *seller)
            else {
                return;
            };
            total -= self.of.remove(&oldest).map_or(0, |place| bytes(&place));
        }
    }
}

/// A book, and what was read of what has changed since.
struct Read {
    versions: PriceVersions,
    known: Arc<Book>,
    update: Update,
    /// Rules and parts that are compiled anew, if any.
    anew: Option<(Builder, Unchanged)>,
}

/// Prices of a seller that a rehearsal has changed, read in it.
pub(crate) struct Rehearsed {
    pub(crate) parts: BTreeSet<PricePart>,
    builder: Builder,
    unchanged: Unchanged,
}

impl Rehearsed {
    /// `known`: the seller's book before.
    pub(crate) async fn read(db: &Database, seller: TenantId, known: &Book) -> Result<Self> {
        let parts = db.rehearsed_prices(seller);
        let all_lists = parts.contains(&PricePart::Lists);
        let is_unchanged = |id: &i64| !all_lists && !parts.contains(&PricePart::List(*id));
        let unchanged = Unchanged {
            lists: known.lists.iter().map(|list| list.head.id).filter(is_unchanged).collect(),
            stocks: !parts.contains(&PricePart::Stocks),
        };
        Ok(Self { builder: gathered(db, seller, &unchanged).await?, parts, unchanged })
    }

    pub(crate) fn compiled(self, known: &Book) -> Book {
        self.builder.build_from(known, &self.unchanged)
    }
}

/// Reads a seller's rows as they are: all of them where no older book is there.
async fn read_current(db: Database, seller: TenantId, known: Option<Compiled>) -> Result<Read> {
    let known = match known {
        Some(known) => known,
        None => first::read_all(&db, seller).await?,
    };
    read(&db.snapshot().await?, seller, known).await
}

/// Reads a seller's rows as they are; what has not changed since an older book stays there. Versions, changes
/// and rows are those of one snapshot: no change is missed, and none is applied to rows that do not have it
/// yet.
async fn read(db: &impl ConnectionTrait, seller: TenantId, known: Compiled) -> Result<Read> {
    let Compiled { versions: older, book: known } = known;
    let versions = PriceVersions::read(db, seller).await?;
    let changes = versions.changes_since(db, &older).await?;
    let unchanged = Unchanged {
        lists: (known.lists.iter().map(|list| list.head.id))
            .filter(|id| changes.of_list(*id) != Some(&ChangedArticles::Any))
            .collect(),
        stocks: changes.of_stocks() != Some(&ChangedArticles::Any),
    };
    let update = changed_prices(db, seller, &known, &changes).await?;
    let is_updated = !changes.rules() && unchanged.stocks && unchanged.lists.len() == known.lists.len();
    let anew = if is_updated { None } else { Some((gathered(db, seller, &unchanged).await?, unchanged)) };
    Ok(Read { versions, known, update, anew })
}

/// The prices of the articles that are known to have changed, as they are now.
async fn changed_prices(
    db: &impl ConnectionTrait,
    seller: TenantId,
    known: &Book,
    changes: &PriceChanges,
) -> Result<Update> {
    let mut update = Update::default();
    for list in &known.lists {
        let Some(ChangedArticles::These(articles)) = changes.of_list(list.head.id) else { continue };
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
    if let Some(ChangedArticles::These(articles)) = changes.of_stocks() {
        update.stocks(articles);
        for articles in chunks(articles) {
            let these = listing::Column::ArticleId.is_in(articles);
            stocks(db, seller, these.into_condition(), |stock| update.stock(stock)).await?;
        }
    }
    Ok(update)
}

/// Splits ids into parts that one statement takes.
fn chunks(articles: &BTreeSet<i64>) -> impl Iterator<Item = Vec<i64>> {
    let articles: Vec<i64> = articles.iter().copied().collect();
    let starts = (0..articles.len()).step_by(ARTICLES);
    starts.map(move |from| articles.iter().skip(from).take(ARTICLES).copied().collect())
}

/// The rules of a seller, and their prices without those that have not changed.
async fn gathered(db: &impl ConnectionTrait, seller: TenantId, unchanged: &Unchanged) -> Result<Builder> {
    let (mut builder, lists) = rules(db, seller).await?;
    for list in lists.into_iter().filter(|list| !unchanged.lists.contains(&list.id)) {
        let mut add = |article: i64, side: Side| {
            // under review, and no price yet
            if !side.is_empty() {
                builder.entry(list.id, article, &side);
            }
        };
        prices_of(db, &list, &mut add).await?;
    }
    if !unchanged.stocks {
        stocks(db, seller, Condition::all(), |stock| builder.stock(&stock)).await?;
    }
    Ok(builder)
}

/// The rules of a seller, and their lists.
async fn rules(db: &impl ConnectionTrait, seller: TenantId) -> Result<(Builder, Vec<PriceList>)> {
    let groups = tenant_group::of_member(db, seller.into()).await?;
    let lists = lists(db, seller, &groups, Condition::all()).await?;
    let heads = lists.iter().map(|list| list.head.clone()).collect();
    let mut builder = Builder::new(seller, groups, lists, price_adjustment::of_seller(db, seller).await?);
    for price in processing_price::of_seller(db, seller).await? {
        builder.processing_price(&price);
    }
    Ok((builder, heads))
}

impl Read {
    fn origin(&self) -> BookOrigin {
        match &self.anew {
            Some((_, unchanged)) if !unchanged.stocks || unchanged.lists.len() < self.known.lists.len() => {
                BookOrigin::Compiled
            }
            _ => BookOrigin::Updated,
        }
    }

    fn compiled(self) -> Compiled {
        let Self { versions, known, update, anew } = self;
        let updated = if update.is_empty() { known } else { Arc::new(known.updated(&update)) };
        let book = match anew {
            Some((builder, unchanged)) => Arc::new(builder.build_from(&updated, &unchanged)),
            None => updated,
        };
        Compiled { versions, book }
    }
}

/// The prices of a list by article.
pub async fn prices_of(
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

/// The first prices of a list that fulfil a condition, by article.
///
/// They come as one row with an array for each column: five million rows of a statement take longer to be
/// sent and decoded than to be read.
async fn entries(
    db: &impl ConnectionTrait,
    list: &PriceList,
    wanted: impl IntoCondition,
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
        .filter(wanted.into_condition())
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
            Side::kept(decimal(price), decimal(quantity), unit, tiers.as_ref())
        });
    Ok(articles.into_iter().zip(sides).collect())
}

/// A column of all rows as one JSON array.
fn array_of(backend: DbBackend, column: price_list_entry::Column) -> SimpleExpr {
    let name = column.as_str();
    Expr::cust(match (backend, column) {
        (DbBackend::Postgres, _) => format!("CAST(json_agg(page.{name}) AS text)"),
        // JSON that is stored as text
        (_, price_list_entry::Column::BulkPrices) => format!("json_group_array(json(page.{name}))"),
        _ => format!("json_group_array(page.{name})"),
    })
}

/// A column of a page; PostgreSQL has none where there are no rows.
fn column<T: DeserializeOwned>(row: &QueryResult, place: usize) -> Result<Vec<T>> {
    let array: Option<String> = row.try_get_by_index(place)?;
    array.map_or_else(|| Ok(Vec::new()), |array| serde_json::from_str(&array).map_err(Error::internal))
}

/// Stocks that have a price and fulfil a condition. In whole dimensions: remnants are sold by agreement.
async fn stocks(
    db: &impl ConnectionTrait,
    seller: TenantId,
    wanted: Condition,
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
            .filter(wanted.clone())
            .filter(Id.gt(behind))
            .order_by_asc(Id)
            .limit(ROWS)
            .all(db)
            .await?;
        for row in &rows {
            let Prices { external, internal } = Prices::of(row);
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
