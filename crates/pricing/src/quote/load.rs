//! Books out of the database, kept as long as nothing of them changes.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use kernel::{Database, Decimal, Result, Scope, TenantId, Unit, kept};
use sea_orm::{ColumnTrait, Condition, ConnectionTrait, QueryFilter, QueryOrder, QuerySelect};
use tenancy::tenant_group;

use super::book::{Book, Builder, List, StockPrices};
use crate::{
    listing::{self, Listings},
    price_adjustment,
    price_list::{self, PriceLists, audience},
    price_list_entry::{self, Entries},
    price_side::{Prices, Side, Tiers},
};

/// Rows of one statement.
const ROWS: u64 = 10_000;

/// The bytes of all books that a process keeps. One is kept, however large it is.
const BYTES_MAX: usize = 512 << 20;

/// The books that a process keeps, each for the version of its seller's prices.
#[derive(Debug, Default)]
pub struct Books(Mutex<Shelf>);

#[derive(Debug, Default)]
struct Shelf {
    of: HashMap<TenantId, Place>,
    /// Counts the readings.
    readings: u64,
}

#[derive(Debug, Default)]
struct Place {
    turn: Arc<tokio::sync::Mutex<()>>,
    book: Option<(i64, Arc<Book>)>,
    last_read: u64,
}

impl Books {
    /// The book of a seller as it is now, whichever process has changed it.
    pub async fn of(&self, db: &Database, seller: TenantId) -> Result<Arc<Book>> {
        let wanted = kept::prices_version(db, seller).await?;
        let turn = match self.read(seller, wanted) {
            Ok(book) => return Ok(book),
            Err(turn) => turn,
        };
        // One compiles, the others take what comes of it.
        let _turn = turn.lock().await;
        if let Ok(book) = self.read(seller, wanted) {
            return Ok(book);
        }
        let snapshot = db.snapshot().await?;
        let version = kept::prices_version(&snapshot, seller).await?;
        let book = Arc::new(load(&snapshot, seller).await?);
        self.keep(seller, version, book.clone());
        Ok(book)
    }

    fn read(&self, seller: TenantId, wanted: i64) -> Result<Arc<Book>, Arc<tokio::sync::Mutex<()>>> {
        let mut places = self.lock();
        places.readings += 1;
        let readings = places.readings;
        let place = places.of.entry(seller).or_default();
        place.last_read = readings;
        match &place.book {
            Some((version, book)) if *version >= wanted => Ok(book.clone()),
            _ => Err(place.turn.clone()),
        }
    }

    fn keep(&self, seller: TenantId, version: i64, book: Arc<Book>) {
        let mut places = self.lock();
        places.of.entry(seller).or_default().book = Some((version, book));
        places.shrink(seller, BYTES_MAX);
    }

    fn lock(&self) -> MutexGuard<'_, Shelf> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Shelf {
    /// Forgets the books that were read longest ago, but not the newest.
    fn shrink(&mut self, newest: TenantId, bytes_max: usize) {
        let bytes = |place: &Place| place.book.as_ref().map_or(0, |(_, book)| book.bytes());
        let mut total: usize = self.of.values().map(bytes).sum();
        while total > bytes_max {
            let others = self.of.iter().filter(|(seller, place)| **seller != newest && place.book.is_some());
            let Some(oldest) = others.min_by_key(|(_, place)| place.last_read).map(|(seller, _)| *seller)
            else {
                return;
            };
            total -= self.of.remove(&oldest).map_or(0, |place| bytes(&place));
        }
    }
}

/// Compiles the book of a seller from the rows as they are.
pub async fn load(db: &impl ConnectionTrait, seller: TenantId) -> Result<Book> {
    let groups = tenant_group::of_member(db, seller.into()).await?;
    let lists = lists(db, seller, &groups).await?;
    let ids: Vec<i64> = lists.iter().map(|list| list.head.id).collect();
    let mut builder = Builder::new(seller, groups, lists, price_adjustment::of_seller(db, seller).await?);
    for list in ids {
        prices_of(db, list, |article, side| builder.entry(list, article, &side)).await?;
    }
    stocks(db, seller, &mut builder).await?;
    Ok(builder.build())
}

/// The lists of a seller and of their groups that hold at some moment.
async fn lists(db: &impl ConnectionTrait, seller: TenantId, groups: &[i64]) -> Result<Vec<List>> {
    use price_list::Column::{Id, OwnerTenantGroupId, OwnerTenantId};
    let owned =
        Condition::any().add(OwnerTenantId.eq(seller)).add(OwnerTenantGroupId.is_in(groups.iter().copied()));
    let heads = Scope::platform().find::<PriceLists>().filter(owned).order_by_asc(Id).all(db).await?;
    let heads: Vec<_> = heads.into_iter().filter(|head| !head.period().is_empty()).collect();
    let mut named = audience::of(db, &heads).await?;
    let list = |head: price_list::PriceList| {
        let named = named.remove(&head.id).unwrap_or_default();
        List { tenants: named.named, groups: named.groups, head }
    };
    Ok(heads.into_iter().map(list).collect())
}

/// The prices of a list by article.
pub async fn prices_of(db: &impl ConnectionTrait, list: i64, mut each: impl FnMut(i64, Side)) -> Result<()> {
    use price_list_entry::Column::{ArticleId, BulkPrices, Id, Price, PriceListId, PriceQuantity, PriceUnit};
    type Row = (i64, i64, Option<Decimal>, Option<Decimal>, Option<Unit>, Option<Tiers>);
    let mut behind = 0;
    loop {
        let rows: Vec<Row> = Scope::platform()
            .find::<Entries>()
            .select_only()
            .columns([Id, ArticleId, Price, PriceQuantity, PriceUnit, BulkPrices])
            .filter(PriceListId.eq(list))
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
        ExternalBulkPrices, ExternalPrice, Height, Id, InternalBulkPrices, InternalPrice, Length, TenantId,
        Width,
    };
    let columns = [ExternalPrice, ExternalBulkPrices, InternalPrice, InternalBulkPrices];
    let priced = columns.iter().fold(Condition::any(), |any, column| any.add(column.is_not_null()));
    let whole =
        [Length, Width, Height].iter().fold(Condition::all(), |all, side| all.add(side.eq(Decimal::ZERO)));
    let mut behind = 0;
    loop {
        let rows = Scope::platform()
            .find::<Listings>()
            .filter(TenantId.eq(seller))
            .filter(priced.clone())
            .filter(whole.clone())
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
