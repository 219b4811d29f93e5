//! Books that are updated over long random sequences of changes equal newly compiled books.

use std::{collections::HashSet, fmt::Write as _};

use lists::{Creatable, Deletable, Managed};
use logistics::stock::Stocks;
use store::usage;

use super::*;
use crate::{
    listing::{Listings, PriceInput, PriceOfStock, PricesInput},
    price_adjustment::{PriceAdjustments, terms::Operation},
    price_list::{
        PriceLists,
        change::PriceChange,
        copy::{CopyInput, copy},
        seller_lists::List,
    },
    price_list_entry::bulk::{self, BulkInput},
    price_side::TierInput,
    quote::{book::BookDifference, over_time::tests::adjustment, tests::world::Dice},
};

/// Default number of changes; `STALHOF_SEQUENCES` overrides it.
const CHANGES: u64 = 120;

const ARTICLES: [&str; 5] = ["HEB-100", "HEB-120", "HEB-140", "HEB-160", "HEB-200"];
const WAREHOUSES: [&str; 2] = ["DU", "HH"];

/// A seller whose prices change at random.
struct Seller {
    bed: Bed,
    dice: Dice,
    /// Counter that makes names unique.
    name_count: u64,
}

impl Seller {
    async fn new(seed: u64) -> Self {
        let bed = Bed::for_importer::<PriceImporter>().await;
        articles(&bed.db, &ARTICLES.map(|number| (number, "12.1", Some("61.3")))).await;
        for code in WAREHOUSES {
            warehouse(&bed, &bed.scope, code).await;
        }
        Self { bed, dice: Dice::new(seed), name_count: 0 }
    }

    fn name(&mut self) -> String {
        self.name_count += 1;
        format!("Nr. {}", self.name_count)
    }

    async fn ids<E: store::Recorded>(&self) -> Vec<i64> {
        let rows = self.bed.scope.find::<E>().select_only().column(E::ID).order_by_asc(E::ID);
        rows.into_tuple().all(&*self.bed.db).await.unwrap()
    }

    /// Picks one of the ids, or an unknown one if there are none.
    fn pick(&mut self, ids: &[i64]) -> i64 {
        if ids.is_empty() { i64::MAX } else { self.dice.pick(ids) }
    }

    fn money(&mut self) -> Money {
        let unit = self.dice.pick(&[Unit::Tonne, Unit::Kilogram, Unit::Metre]);
        let price_quantity = self.dice.pick(&[Decimal::ONE, Decimal::from(100)]);
        Money { price: Decimal::from(1 + i32::try_from(self.dice.below(900)).unwrap()), price_quantity, unit }
    }

    fn price(&mut self) -> Option<Money> {
        (!self.dice.one_in(4)).then(|| self.money())
    }

    fn tiers(&mut self) -> Vec<TierInput> {
        let count = if self.dice.one_in(2) { 0 } else { self.dice.below(3) };
        let mut tier = |number: u64| {
            let Money { price, price_quantity, unit } = self.money();
            let quantity_from = Decimal::from(i32::try_from(10 * number + 1).unwrap());
            TierInput { quantity_from, quantity_unit: Some(Unit::Tonne), price, price_quantity, unit }
        };
        (0..count).map(&mut tier).collect()
    }

    fn place(&mut self) -> StockInput {
        let article = self.dice.pick(&ARTICLES);
        let code = self.dice.pick(&WAREHOUSES);
        StockInput {
            article_number: Some(article.into()),
            warehouse_short_code: Some(code.into()),
            // remnants are not in the book
            length: self.dice.one_in(5).then(|| Decimal::from(2_000)),
            ..in_stock(None)
        }
    }

    fn prices_of_stock(&mut self, id: i64) -> PriceOfStock {
        PriceOfStock {
            id,
            internal_price: self.price(),
            external_price: self.price(),
            internal_bulk_prices: Vec::new(),
            external_bulk_prices: self.tiers(),
            version: None,
        }
    }

    fn entry(&mut self) -> EntryInput {
        let article_number = Some(self.dice.pick(&ARTICLES).into());
        // without a price and quantity breaks, the article is removed from the list
        let (price, bulk_prices) = (self.price(), self.tiers());
        EntryInput { article_id: None, article_number, price, bulk_prices, version: None }
    }

    fn list(&mut self) -> PriceListInput {
        let valid_from = now() + TimeDelta::minutes(6 + i64::try_from(self.dice.below(9_000)).unwrap());
        let r#type = self.dice.pick(&[ListType::Sales, ListType::Internal]);
        let scope = if r#type == ListType::Sales { ListScope::Global } else { ListScope::Own };
        let name = self.name();
        PriceListInput { r#type, scope, ..head(&self.bed, &name, valid_from) }
    }

    /// Makes a random change. A rejected change, such as a second stock in the same place, is an error.
    async fn change(&mut self) -> Result<()> {
        match self.dice.below(19) {
            kind @ ..=9 => self.change_stocks(kind).await,
            kind @ 10..=16 => self.change_lists(kind).await,
            _ => self.change_adjustment().await,
        }
    }

    async fn change_stocks(&mut self, kind: u64) -> Result<()> {
        let stocks = self.ids::<Stocks>().await;
        let stock = self.pick(&stocks);
        match kind {
            0 | 1 => {
                let place = self.place();
                stock::create(&self.bed.db, &self.bed.scope, place).await.map(drop)
            }
            2 => {
                let place = self.place();
                stock::update(&self.bed.db, &self.bed.scope, stock, place).await.map(drop)
            }
            3 => usage::delete::<Stocks>(&self.bed.db, &self.bed.scope, stock, |_| Ok(())).await,
            4 => Listings::delete(&self.bed.db, &self.bed.scope, stock).await,
            5 | 6 => {
                let PriceOfStock {
                    internal_price,
                    external_price,
                    internal_bulk_prices,
                    external_bulk_prices,
                    ..
                } = self.prices_of_stock(stock);
                let input = PriceInput {
                    internal_price,
                    external_price,
                    internal_bulk_prices,
                    external_bulk_prices,
                    version: None,
                };
                crate::listing::update(&self.bed.db, &self.bed.scope, stock, input).await.map(drop)
            }
            7 => {
                let prices = stocks.iter().map(|id| self.prices_of_stock(*id)).collect();
                let input = PricesInput { prices };
                crate::listing::update_many(&self.bed.db, &self.bed.scope, input, 500).await.map(drop)
            }
            8 => {
                let mut file = "Artikelnummer;Lager;Preis;Preiseinheit\r\n".to_owned();
                for article in ARTICLES {
                    if self.dice.one_in(2) {
                        writeln!(file, "{article};DU;{};t\r", 1 + self.dice.below(900)).unwrap();
                    }
                }
                self.bed.import(file).await;
                Ok(())
            }
            _ => {
                // deletes several stocks in one statement
                let tx = self.bed.db.begin().await?;
                let some: Vec<i64> = stocks.into_iter().filter(|_| self.dice.one_in(3)).collect();
                self.bed.scope.delete_many::<Listings>(&tx, some).await?;
                tx.commit().await
            }
        }
    }

    async fn change_lists(&mut self, kind: u64) -> Result<()> {
        let lists = self.bed.scope.find::<PriceLists>().all(&*self.bed.db).await?;
        let lists = lists.iter().filter(|list| !list.period().is_empty());
        let lists: Vec<i64> = lists.map(|list| list.id).collect();
        let list = self.pick(&lists);
        match kind {
            13 | 15 if lists.len() > 8 => PriceLists::delete(&self.bed.db, &self.bed.scope, list).await,
            10 | 11 => {
                let mut prices = vec![self.entry()];
                if self.dice.one_in(3) {
                    let other = self.entry();
                    prices
                        .extend(Some(other).filter(|other| other.article_number != prices[0].article_number));
                }
                let input = EntriesInput { prices, keep_bulk_prices: None };
                price_list_entry::update_many(&self.bed.db, &self.bed.scope, list, input).await.map(drop)
            }
            12 => {
                let from_price_list_id = self.dice.one_in(2).then(|| self.pick(&lists));
                let input = BulkInput {
                    price_ids: None,
                    from_price_list_id,
                    change: PriceChange { percent: Some(Decimal::from(3)), ..PriceChange::default() },
                    rounding: None,
                    discard_waiting: true,
                    dry_run: false,
                    count: None,
                };
                let none_held = async |_: &_, _: &_, _| Ok(());
                let (db, scope) = (&self.bed.db, &self.bed.scope);
                let query = lists::ListQuery::default();
                bulk::change(db, scope, list, &query, input, none_held).await.map(drop)
            }
            13 => {
                let input = self.list();
                PriceLists::create(&self.bed.db, &self.bed.scope, input).await.map(drop)
            }
            14 if self.dice.one_in(2) => {
                price_list::archive(&self.bed.db, &self.bed.scope, list, None).await.map(drop)
            }
            14 => {
                let input = self.list();
                PriceLists::update(&self.bed.db, &self.bed.scope, list, input).await.map(drop)
            }
            15 => {
                let input = CopyInput {
                    name: self.name(),
                    valid_from: now() + TimeDelta::days(20),
                    valid_until: None,
                    owner_tenant_id: None,
                    owner_tenant_group_id: None,
                    change: PriceChange { percent: Some(Decimal::from(7)), ..PriceChange::default() },
                    rounding: None,
                    ends_original: self.dice.one_in(3),
                    version: None,
                };
                copy(&self.bed.db, &self.bed.scope, list, input).await.map(drop)
            }
            _ if lists.len() > 4 => PriceLists::delete(&self.bed.db, &self.bed.scope, list).await,
            _ => Ok(()),
        }
    }

    async fn change_adjustment(&mut self) -> Result<()> {
        let adjustments = self.ids::<PriceAdjustments>().await;
        let one = self.pick(&adjustments);
        let percent = i32::try_from(1 + self.dice.below(9)).unwrap();
        let name = self.name();
        let mut input = adjustment(&name, Some(percent), None, "");
        input.operation = self.dice.pick(&[Operation::Surcharge, Operation::Discount]);
        let (db, scope) = (&self.bed.db, &self.bed.scope);
        match self.dice.below(3) {
            0 if adjustments.len() < 5 => PriceAdjustments::create(db, scope, input).await.map(drop),
            1 => PriceAdjustments::update(db, scope, one, input).await.map(drop),
            _ => PriceAdjustments::delete(db, scope, one).await,
        }
    }
}

/// Compares everything in two books.
fn assert_same(book: &Book, fresh: &Book, context: &str) {
    let all = BTreeSet::from([PricePart::Stocks, PricePart::Lists]);
    assert_eq!(BookDifference::between(fresh, book, &all), BookDifference::default(), "{context}");
    let articles = |book: &Book| book.articles().collect::<HashSet<_>>();
    assert_eq!(articles(book), articles(fresh), "{context}");
    assert_eq!(book.articles().count(), fresh.articles().count(), "{context}");
    assert_eq!((book.prices(), &book.groups), (fresh.prices(), &fresh.groups), "{context}");
    // the number of prices of a list is derived data
    let head =
        |list: &List| PriceList { price_count: 0, updated_at: list.head.created_at, ..list.head.clone() };
    let lists = |book: &Book| book.lists.iter().map(head).collect::<Vec<_>>();
    assert_eq!(lists(book), lists(fresh), "{context}");
    let links = |book: &Book| book.adjustments().cloned().collect::<Vec<_>>();
    assert_eq!(links(book), links(fresh), "{context}");
}

#[tokio::test]
async fn an_incrementally_updated_book_equals_a_fresh_one() {
    let requested_count = std::env::var("STALHOF_SEQUENCES").ok().and_then(|count| count.parse().ok());
    let count: u64 = requested_count.unwrap_or(CHANGES);
    let mut seller = Seller::new(37).await;
    let tenant = seller.bed.scope.tenant().unwrap();
    // one process reads the book after every change, the other one only sometimes
    let (often, seldom) = (Books::default(), Books::default());
    let (mut changed, mut updated): (u64, u64) = (0, 0);
    for number in 0..count {
        match seller.change().await {
            Ok(()) => changed += 1,
            Err(error) => assert!(!matches!(error, Error::Internal(_) | Error::Database(_)), "{error:?}"),
        }
        let fresh = Books::default().load(&seller.bed.db, tenant).await.unwrap();
        let book = often.load(&seller.bed.db, tenant).await.unwrap();
        assert_same(&book, &fresh, &format!("change {number}"));
        if seller.dice.one_in(12) {
            let book = seldom.load(&seller.bed.db, tenant).await.unwrap();
            assert_same(&book, &fresh, &format!("changes until {number}"));
        }
        updated = often.figures().counts[BookOrigin::Updated as usize].books;
    }
    assert!(changed > count / 2 && updated > count / 3, "{changed} {updated} of {count}");
    // most changes were of single articles: only a few compiled everything
    let compiled = often.figures().counts[BookOrigin::Compiled as usize].books;
    assert!(compiled < count / 4, "{compiled} of {count}");
}

#[tokio::test]
async fn a_change_missing_from_the_log_recompiles_the_part() {
    let bed = stocked().await;
    let (books, seller) = (Books::default(), bed.scope.tenant().unwrap());
    let origin = || books.figures().counts.map(|count| count.books);
    books.load(&bed.db, seller).await.unwrap();
    price(&bed, "851,00").await;
    books.load(&bed.db, seller).await.unwrap();
    assert_eq!(origin(), [0, 1, 1]);
    // processes of older versions write no log, and a cleaned-up log looks the same
    price(&bed, "852,00").await;
    behind_its_back(&bed, "DELETE FROM price_change").await;
    price(&bed, "853,00").await;
    assert_eq!(tonne(&bed, &books, now()).await, ["853", "780"]);
    assert_eq!(origin(), [0, 1, 2]);
}

#[tokio::test]
async fn old_changes_are_removed_from_the_log() {
    let bed = stocked().await;
    let (books, seller) = (Books::default(), bed.scope.tenant().unwrap());
    books.load(&bed.db, seller).await.unwrap();
    price(&bed, "851,00").await;
    let clean_up = async |at: values::Instant| {
        let tx = bed.db.begin().await.unwrap();
        versioned_cache::clean_up(&tx, at).await.unwrap();
        tx.commit().await.unwrap();
    };
    clean_up(now() + TimeDelta::hours(5)).await;
    assert_eq!(tonne(&bed, &books, now()).await, ["851", "780"]);
    price(&bed, "852,00").await;
    clean_up(now() + TimeDelta::hours(7)).await;
    assert_eq!(tonne(&bed, &books, now()).await, ["852", "780"]);
    assert_eq!(books.figures().counts.map(|count| count.books)[1..], [1, 2]);
}

/// Sets prices of a stock, and checks after each that every process returns it immediately.
async fn set_and_read(bed: &Bed, processes: &[Books; 2], stock: i64, article: i64) {
    let seller = bed.scope.tenant().unwrap();
    for euros in 851..=870 {
        let external_price = Some(money(&euros.to_string()));
        let input = PriceInput {
            internal_price: None,
            external_price,
            internal_bulk_prices: Vec::new(),
            external_bulk_prices: Vec::new(),
            version: None,
        };
        crate::listing::update(&bed.db, &bed.scope, stock, input).await.unwrap();
        // a newly started process reads all prices while others are written
        for books in processes.iter().chain([&Books::default()]) {
            let book = books.load(&bed.db, seller).await.unwrap();
            let prices: Vec<_> = book.in_stocks(article).map(|stock| stock.external.at(|_| None)).collect();
            let price = prices[0].unwrap().unwrap().price.price;
            assert_eq!(price, Decimal::from(euros), "article {article}");
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn each_process_sees_prices_written_before_the_request() {
    let seller = Seller::new(1).await;
    let bed = &seller.bed;
    for article in ARTICLES {
        let place = StockInput { article_number: Some(article.into()), ..in_stock(None) };
        stock::create(&bed.db, &bed.scope, place).await.unwrap();
    }
    let stocks = bed.scope.find::<Listings>().all(&*bed.db).await.unwrap();
    let processes = [Books::default(), Books::default()];
    let writers = stocks.iter().map(|stock| set_and_read(bed, &processes, stock.id, stock.article_id));
    futures_util::future::join_all(writers).await;
    let updated = processes[0].figures().counts[BookOrigin::Updated as usize].books;
    // how many writes one update takes in depends on the machine
    assert!(updated > 5, "{updated}");
    let tenant = bed.scope.tenant().unwrap();
    let fresh = Books::default().load(&bed.db, tenant).await.unwrap();
    for books in processes {
        assert_same(&books.load(&bed.db, tenant).await.unwrap(), &fresh, "after all writes");
    }
}
