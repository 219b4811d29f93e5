//! First compilation of a seller's book, whose parts are read in parallel.

use std::{
    mem,
    sync::{
        Arc, Mutex, PoisonError,
        mpsc::{SyncSender, sync_channel},
    },
};

use sea_orm::Condition;
use store::{Database, versioned_cache::PriceVersions};
use tokio::{runtime::Handle, task::spawn_blocking};
use values::{Error, Result, TenantId};

use super::{VersionedBook, for_each_price, rules, stocks};
use crate::{
    price_list::PriceList,
    price_side::Side,
    quote::book::{Builder, StockPrices},
};

/// Number of parts of a book that are read in parallel, each with its own connection.
const PARTS_AT_ONCE: usize = 3;

/// Number of pages that can wait for the builder, and the rows of each.
const PAGES: usize = 4;
const PAGE: usize = 5_000;

enum Part {
    Stocks,
    List(Box<PriceList>),
}

enum Page {
    Stocks(Vec<StockPrices>),
    Entries(i64, Vec<(i64, Side)>),
}

/// Reads all prices of a seller. They are not of a single moment, but none is older than the versions; later
/// changes are then applied like any other change.
pub(super) async fn read_all(db: &Database, seller: TenantId) -> Result<VersionedBook> {
    let snapshot = db.snapshot().await?;
    let versions = PriceVersions::read(&snapshot, seller).await?;
    let (builder, lists) = rules(&snapshot, seller).await?;
    drop(snapshot);
    let lists = lists.into_iter().map(|list| Part::List(Box::new(list)));
    let parts: Vec<_> = lists.chain([Part::Stocks]).collect();
    let parts = Arc::new(Mutex::new(parts));
    let (sender, pages) = sync_channel(PAGES);
    // rows are decoded on blocking threads, so that requests are not delayed
    let reader = |_| {
        let (db, parts, sender, runtime) = (db.clone(), parts.clone(), sender.clone(), Handle::current());
        spawn_blocking(move || runtime.block_on(read_parts(&db, seller, &parts, &sender)))
    };
    let readers: Vec<_> = (0..PARTS_AT_ONCE).map(reader).collect();
    drop(sender);
    let building = spawn_blocking(move || {
        let mut builder = builder;
        for page in pages {
            page.add_to(&mut builder);
        }
        builder.build()
    });
    for reader in readers {
        reader.await.map_err(Error::internal)??;
    }
    let book = building.await.map_err(Error::internal)?;
    Ok(VersionedBook { versions, book: Arc::new(book) })
}

/// Reads parts until there are no more.
async fn read_parts(
    db: &Database,
    seller: TenantId,
    parts: &Mutex<Vec<Part>>,
    sender: &SyncSender<Page>,
) -> Result<()> {
    let db = &db.with_own_connection().await?;
    // the channel is closed only if another reader has failed
    let send = |page| drop(sender.send(page));
    loop {
        let part = parts.lock().unwrap_or_else(PoisonError::into_inner).pop();
        match part {
            None => return Ok(()),
            Some(Part::Stocks) => {
                let mut page = Vec::new();
                let each = |stock| {
                    page.push(stock);
                    if page.len() >= PAGE {
                        send(Page::Stocks(mem::take(&mut page)));
                    }
                };
                stocks(db, seller, Condition::all(), each).await?;
                send(Page::Stocks(page));
            }
            Some(Part::List(list)) => {
                let mut page = Vec::new();
                let each = |article, side| {
                    page.push((article, side));
                    if page.len() >= PAGE {
                        send(Page::Entries(list.id, mem::take(&mut page)));
                    }
                };
                for_each_price(db, &list, each).await?;
                send(Page::Entries(list.id, page));
            }
        }
    }
}

impl Page {
    fn add_to(self, builder: &mut Builder) {
        match self {
            Self::Stocks(stocks) => stocks.iter().for_each(|stock| builder.stock(stock)),
            Self::Entries(list, entries) => {
                // an entry without a price is under review
                for (article, side) in entries.iter().filter(|(_, side)| !side.is_empty()) {
                    builder.entry(list, *article, side);
                }
            }
        }
    }
}
