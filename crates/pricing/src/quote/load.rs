//! Books out of the database, kept as long as nothing of them changes.

use std::{
    collections::{BTreeSet, HashMap},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use kernel::{
    Code, Database, Decimal, Error, Result, Scope, TenantId, Unit,
    kept::{self, PricePart, PriceVersions},
};
use sea_orm::{ColumnTrait, Condition, ConnectionTrait, QueryFilter, QueryOrder, QuerySelect};
use tenancy::tenant_group;
use tokio::sync::Semaphore;

use super::book::{Book, Builder, StockPrices, Unchanged};
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

/// The bytes of all books that a process keeps. One is kept, however large it is.
const BYTES_MAX: usize = 512 << 20;

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
}

/// A book, and the versions of what it was compiled from.
#[derive(Debug, Clone)]
struct Compiled {
    versions: PriceVersions,
    book: Arc<Book>,
}

impl Default for Books {
    fn default() -> Self {
        Self { shelf: Arc::default(), readers: Arc::new(Semaphore::new(READ_AT_ONCE)), patience: PATIENCE }
    }
}

impl Books {
    /// The book of a seller as it is now, whichever process has changed it.
    ///
    /// # Errors
    /// [`Code::PricesLoading`] where it takes longer than a request may wait.
    pub async fn of(&self, db: &Database, seller: TenantId) -> Result<Arc<Book>> {
        let wanted = kept::prices_version(db, seller).await?;
        if let Some(book) = self.read(seller, wanted) {
            return Ok(book);
        }
        // Whoever waits for a large book may give up; it is compiled all the same, and there when it is asked for again.
        let compiling = tokio::spawn(self.clone().compile(db.clone(), seller, wanted));
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
            return Ok(book);
        }
        let _reader = self.readers.acquire().await.map_err(Error::internal)?;
        let known = self.lock().of.get(&seller).and_then(|place| place.kept.clone());
        let read = read(&db.snapshot().await?, seller, known).await?;
        // Millions of prices are put into their order, for which nobody's connection is needed.
        let compiled = tokio::task::spawn_blocking(|| read.compiled()).await.map_err(Error::internal)?;
        let book = compiled.book.clone();
        self.keep(seller, compiled);
        Ok(book)
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
        places.shrink(seller, BYTES_MAX);
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

/// The rows of a seller that have changed, and the book that has the others.
struct Read {
    versions: PriceVersions,
    builder: Builder,
    known: Option<(Compiled, Unchanged)>,
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
        Ok(Self { builder: gathered(db, seller, Some(&unchanged)).await?, parts, unchanged })
    }

    pub(crate) fn compiled(self, known: &Book) -> Book {
        self.builder.build_from(known, &self.unchanged)
    }
}

/// Reads a seller's rows as they are; what has not changed since an older book stays there.
async fn read(db: &impl ConnectionTrait, seller: TenantId, known: Option<Compiled>) -> Result<Read> {
    let versions = PriceVersions::read(db, seller).await?;
    let known = known.map(|known| {
        let unchanged = known.unchanged(&versions);
        (known, unchanged)
    });
    let builder = gathered(db, seller, known.as_ref().map(|(_, unchanged)| unchanged)).await?;
    Ok(Read { versions, builder, known })
}

/// The rules of a seller, and their prices without those that have not changed.
async fn gathered(
    db: &impl ConnectionTrait,
    seller: TenantId,
    unchanged: Option<&Unchanged>,
) -> Result<Builder> {
    let groups = tenant_group::of_member(db, seller.into()).await?;
    let lists = lists(db, seller, &groups, Condition::all()).await?;
    let changed = |list: i64| unchanged.is_none_or(|unchanged| !unchanged.lists.contains(&list));
    let heads: Vec<PriceList> =
        lists.iter().map(|list| list.head.clone()).filter(|head| changed(head.id)).collect();
    let mut builder = Builder::new(seller, groups, lists, price_adjustment::of_seller(db, seller).await?);
    for price in processing_price::of_seller(db, seller).await? {
        builder.processing_price(&price);
    }
    for list in heads {
        prices_of(db, &list, |article, side| builder.entry(list.id, article, &side)).await?;
    }
    if unchanged.is_none_or(|unchanged| !unchanged.stocks) {
        stocks(db, seller, &mut builder).await?;
    }
    Ok(builder)
}

impl Read {
    fn compiled(self) -> Compiled {
        let book = match self.known {
            Some((known, unchanged)) => self.builder.build_from(&known.book, &unchanged),
            None => self.builder.build(),
        };
        Compiled { versions: self.versions, book: Arc::new(book) }
    }
}

impl Compiled {
    /// What it holds of what these are the versions of.
    fn unchanged(&self, now: &PriceVersions) -> Unchanged {
        let lists = self.book.lists.iter().map(|list| list.head.id);
        Unchanged {
            lists: lists.filter(|id| self.versions.of_list(*id) == now.of_list(*id)).collect(),
            stocks: self.versions.of_stocks() == now.of_stocks(),
        }
    }
}

/// The prices of a list by article.
pub async fn prices_of(
    db: &impl ConnectionTrait,
    list: &PriceList,
    mut each: impl FnMut(i64, Side),
) -> Result<()> {
    use price_list_entry::Column::{
        ArticleId, BulkPrices, Id, Price, PriceListId, PriceQuantity, PriceUnit, TenantId,
    };
    type Row = (i64, i64, Option<Decimal>, Option<Decimal>, Option<Unit>, Option<Tiers>);
    let mut behind = 0;
    loop {
        let rows: Vec<Row> = Scope::platform()
            .find::<Entries>()
            .select_only()
            .columns([Id, ArticleId, Price, PriceQuantity, PriceUnit, BulkPrices])
            .filter(TenantId.eq(list.owner_key()))
            .filter(PriceListId.eq(list.id))
            .filter(ArticleId.gt(behind))
            .order_by_asc(ArticleId)
            .limit(ROWS)
            .into_tuple()
            .all(db)
            .await?;
        for (_, article, price, quantity, unit, tiers) in &rows {
            each(*article, Side::kept(*price, *quantity, *unit, tiers.as_ref()));
        }
        match rows.last() {
            Some((_, article, ..)) if rows.len() as u64 == ROWS => behind = *article,
            _ => return Ok(()),
        }
    }
}

/// Stocks in whole dimensions: remnants are sold by agreement.
async fn stocks(db: &impl ConnectionTrait, seller: TenantId, builder: &mut Builder) -> Result<()> {
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
            .filter(Id.gt(behind))
            .order_by_asc(Id)
            .limit(ROWS)
            .all(db)
            .await?;
        for row in &rows {
            let Prices { external, internal } = Prices::of(row);
            let (id, article_id, warehouse_id) = (row.id, row.article_id, row.warehouse_id);
            builder.stock(&StockPrices { id, article_id, warehouse_id, external, internal });
        }
        match rows.last() {
            Some(row) if rows.len() as u64 == ROWS => behind = row.id,
            _ => return Ok(()),
        }
    }
}

#[cfg(test)]
mod tests;
