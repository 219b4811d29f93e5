//! Books of stocks and lists in the cache, and the effects of changes.

mod incremental;

use catalog::{
    article::Articles,
    processing::{ProcessingInput, ProcessingType, Processings},
};
use chrono::TimeDelta;
use chrono_tz::Tz;
use imports::testbed::Bed;
use lists::{Creatable, Deletable, Managed};
use logistics::{
    matching::directory::PlaceReference,
    stock::{self, Availability, StockInput},
    testbed::{articles, warehouse},
};
use values::{Money, RecordReference, now};

use super::*;
use crate::{
    codes,
    listing::import::PriceImporter,
    price_list::{self, ListScope, ListType, PriceListInput, PriceLists},
    price_list_entry::{EntriesInput, EntryInput},
    processing_price::{ProcessingPriceInput, ProcessingPrices},
    quote::{
        Processing,
        request::{QuoteRequest, RequestedLine, answer},
        target::RequestedPrices,
    },
};

fn money(price: &str) -> Money {
    Money { price: price.parse().unwrap(), price_quantity: Decimal::ONE, unit: Unit::Tonne }
}

/// A beam of 61.3 kg/m in stock, at 850 a tonne and an internal price of 780.
async fn stocked() -> Bed {
    let bed = Bed::for_importer::<PriceImporter>().await;
    articles(&bed.db, &[("HEB-200", "12.1", Some("61.3"))]).await;
    warehouse(&bed, &bed.scope, "DU").await;
    stock::create(&bed.db, &bed.scope, in_stock(None)).await.unwrap();
    price(&bed, "850,00").await;
    bed
}

/// Stock of a quantity; `None` for one that is always available.
fn in_stock(quantity: Option<i32>) -> StockInput {
    StockInput {
        article_id: None,
        article_number: Some("HEB-200".into()),
        warehouse_id: None,
        warehouse_short_code: Some("DU".into()),
        availability_type: if quantity.is_some() { Availability::Quantity } else { Availability::Always },
        quantity: quantity.map(Decimal::from),
        quantity_unit: None,
        lead_time: None,
        length: None,
        width: None,
        height: None,
        version: None,
    }
}

async fn price(bed: &Bed, price: &str) {
    let file =
        format!("Artikelnummer;Lager;Preis;Preiseinheit;Interner Preis\r\nHEB-200;DU;{price};t;780\r\n");
    bed.import(file).await;
}

/// Head of a list for all customers.
fn head(bed: &Bed, name: &str, valid_from: values::Instant) -> PriceListInput {
    PriceListInput {
        name: name.into(),
        customer_name: None,
        announce: false,
        owner_tenant_id: Some(bed.scope.tenant().unwrap().into()),
        owner_tenant_group_id: None,
        r#type: ListType::Sales,
        scope: ListScope::Global,
        valid_from,
        limited: false,
        valid_until: None,
        tenant_ids: Vec::new(),
        tenant_group_ids: Vec::new(),
        excluded_tenant_ids: Vec::new(),
        version: None,
    }
}

async fn price_in(bed: &Bed, list: i64, price: &str) {
    let price = EntryInput {
        article_id: None,
        article_number: Some("HEB-200".into()),
        price: Some(money(price)),
        bulk_prices: Vec::new(),
        version: None,
    };
    let input = EntriesInput { prices: vec![price], keep_bulk_prices: None };
    price_list_entry::update_many(&bed.db, &bed.scope, list, input).await.unwrap();
}

/// A tonne of the beam.
fn requested_line() -> RequestedLine {
    RequestedLine {
        place: PlaceReference {
            article: RecordReference::new(None, Some("HEB-200".into())),
            ..PlaceReference::default()
        },
        quantity: Decimal::ONE,
        unit: Some(Unit::Tonne),
        processings: Vec::new(),
        targets: RequestedPrices::default(),
    }
}

/// Returns the price of a tonne for an anonymous buyer at a moment, and its internal price.
async fn tonne(bed: &Bed, books: &Books, at: values::Instant) -> [String; 2] {
    let question = QuoteRequest {
        seller: RecordReference::default(),
        buyer: RecordReference::default(),
        as_customer: false,
        at,
        target_total: None,
        lines: vec![requested_line()],
    };
    let answers =
        answer(&bed.db, &bed.scope, books, Tz::Europe__Berlin, vec![question], false).await.unwrap();
    let line = &answers[0].quote.lines[0];
    let internal = line.internal.map_or_else(String::new, |internal| internal.to_string());
    [answers[0].quote.total.to_string(), internal]
}

#[tokio::test]
async fn list_prices_replace_stock_prices_from_the_moment_they_start() {
    let bed = stocked().await;
    let books = Books::default();
    assert_eq!(tonne(&bed, &books, now()).await, ["850", "780"]);
    price(&bed, "860,00").await;
    assert_eq!(tonne(&bed, &books, now()).await, ["860", "780"]);

    let valid_from = now() + TimeDelta::hours(1);
    for (name, r#type, scope, price) in [
        ("Verkauf", ListType::Sales, ListScope::Global, "900"),
        ("Einkauf", ListType::Internal, ListScope::Own, "800"),
        // for the owner alone
        ("Entwurf", ListType::Sales, ListScope::Own, "1"),
    ] {
        let head = PriceListInput { r#type, scope, ..head(&bed, name, valid_from) };
        let list = PriceLists::create(&bed.db, &bed.scope, head).await.unwrap().list;
        price_in(&bed, list.id, price).await;
    }
    let before = valid_from - TimeDelta::microseconds(1);
    assert_eq!(tonne(&bed, &books, before).await, ["860", "780"]);
    assert_eq!(tonne(&bed, &books, valid_from).await, ["900", "800"]);
    // as in another process
    assert_eq!(tonne(&bed, &Books::default(), valid_from).await, ["900", "800"]);
}

#[tokio::test]
async fn a_book_is_cached_until_prices_of_its_seller_change() {
    let bed = stocked().await;
    let books = Books::default();
    let seller = bed.scope.tenant().unwrap();
    let first = books.load(&bed.db, seller).await.unwrap();
    assert!(Arc::ptr_eq(&first, &books.load(&bed.db, seller).await.unwrap()));
    // a write of another tenant
    kept_version_of(&bed, TenantId(i64::from(seller) + 1)).await;
    assert!(Arc::ptr_eq(&first, &books.load(&bed.db, seller).await.unwrap()));
    price(&bed, "870,00").await;
    let second = books.load(&bed.db, seller).await.unwrap();
    assert!(!Arc::ptr_eq(&first, &second));
    assert_eq!(second.prices(), 2);
}

async fn kept_version_of(bed: &Bed, tenant: TenantId) {
    let sql = format!("INSERT INTO prices_version (tenant_id, part, version) VALUES ({tenant}, 0, 1)");
    behind_its_back(bed, &sql).await;
}

/// Writes without raising the version of the prices.
async fn behind_its_back(bed: &Bed, sql: &str) {
    let tx = bed.db.begin().await.unwrap();
    tx.execute_unprepared(sql).await.unwrap();
    tx.commit().await.unwrap();
}

#[tokio::test]
async fn only_changed_lists_and_stocks_are_reloaded() {
    let bed = stocked().await;
    let books = Books::default();
    let (early, late) = (now() + TimeDelta::hours(1), now() + TimeDelta::hours(2));
    let mut ids = Vec::new();
    for (name, from) in [("Früh", early), ("Spät", late)] {
        ids.push(PriceLists::create(&bed.db, &bed.scope, head(&bed, name, from)).await.unwrap().list.id);
    }
    for (list, price) in ids.iter().zip(["900", "910"]) {
        price_in(&bed, *list, price).await;
    }
    let prices = async || {
        let mut prices = Vec::new();
        for at in [now(), early, late] {
            let [price, _] = tonne(&bed, &books, at).await;
            prices.push(price);
        }
        prices
    };
    assert_eq!(prices().await, ["850", "900", "910"]);
    behind_its_back(&bed, "UPDATE price_list_entry SET price = 905000000").await;
    behind_its_back(&bed, "UPDATE stock SET external_price = 855000000").await;
    price_in(&bed, ids[1], "911").await;
    assert_eq!(prices().await, ["850", "900", "911"]);
    // the name of a list and the quantity of a stock do not concern prices
    let (id, renamed) = (ids[0], head(&bed, "Früher", early));
    PriceLists::update(&bed.db, &bed.scope, id, renamed).await.unwrap();
    let stock = bed.scope.find::<Listings>().one(&*bed.db).await.unwrap().unwrap();
    stock::update(&bed.db, &bed.scope, stock.id, in_stock(Some(5))).await.unwrap();
    assert_eq!(prices().await, ["850", "900", "911"]);
    price(&bed, "852,00").await;
    assert_eq!(prices().await, ["852", "900", "911"]);
    // a write that names no list
    let unnamed = format!(
        "INSERT INTO prices_version (tenant_id, part, version) VALUES ({}, -2, 1)",
        bed.scope.tenant().unwrap()
    );
    behind_its_back(&bed, &unnamed).await;
    assert_eq!(prices().await, ["852", "905", "911"]);
}

#[tokio::test]
async fn a_book_is_compiled_even_if_the_request_has_timed_out() {
    let bed = stocked().await;
    let books = Books { patience: Duration::from_millis(20), ..Books::default() };
    let seller = bed.scope.tenant().unwrap();
    let compile_lock = books.lock().entries.entry(seller).or_default().compile_lock.clone();
    let lock_guard = compile_lock.lock().await;
    let refused = books.load(&bed.db, seller).await.unwrap_err();
    assert_eq!(refused.code(), codes::PRICES_LOADING);
    assert!(books.read(seller, 1).is_none());
    drop(lock_guard);
    while books.read(seller, 1).is_none() {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

#[test]
fn least_recently_read_books_are_evicted_and_the_newest_stays() {
    let mut cache = BookCache::default();
    for (id, last_read) in [(1, 5), (2, 3), (3, 9)] {
        let book = Builder::new(TenantId(id), Vec::new(), Vec::new(), Vec::new()).build();
        let compiled = VersionedBook { versions: PriceVersions::default(), book: Arc::new(book) };
        let entry = CacheEntry { compiled: Some(compiled), last_read, ..CacheEntry::default() };
        cache.entries.insert(TenantId(id), entry);
    }
    let one = cache.entries[&TenantId(1)].compiled.as_ref().unwrap().book.bytes();
    assert!(one > 0);
    let remaining_ids = |cache: &BookCache| {
        let mut ids: Vec<i64> = cache.entries.keys().map(|id| (*id).into()).collect();
        ids.sort_unstable();
        ids
    };
    cache.shrink(TenantId(3), 2 * one);
    assert_eq!(remaining_ids(&cache), [1, 3]);
    cache.shrink(TenantId(3), 0);
    assert_eq!(remaining_ids(&cache), [3]);
}

/// Returns the price of sawing from the seller's prices, or the code that refuses it.
async fn sawn(bed: &Bed, books: &Books, processing: i64) -> String {
    let done = Processing { id: processing, quantity: Decimal::from(2), price: None };
    let line = RequestedLine { processings: vec![done], ..requested_line() };
    let request = QuoteRequest {
        seller: RecordReference::default(),
        buyer: RecordReference::default(),
        as_customer: false,
        at: now(),
        target_total: None,
        lines: vec![line],
    };
    let answers = answer(&bed.db, &bed.scope, books, Tz::Europe__Berlin, vec![request], false).await.unwrap();
    let line = &answers[0].quote.lines[0];
    let refused = line.refused.first().map(|refused| refused.code.as_str().to_owned());
    refused.unwrap_or_else(|| line.items[1].base.to_string())
}

#[tokio::test]
async fn changed_processing_prices_apply_to_the_next_quote_of_every_process() {
    let bed = stocked().await;
    let sawing = ProcessingInput {
        name: "Sägen".into(),
        display_name: None,
        r#type: ProcessingType::Sawing,
        article_number_addition_template: "-S{schnittlaenge}".into(),
        version: None,
    };
    let sawing = Processings::create(&bed.db, &Scope::platform(), sawing).await.unwrap().id;
    let beams = bed.scope.find::<Articles>().one(&*bed.db).await.unwrap().unwrap().article_type_id;
    let (first_process, second_process) = (Books::default(), Books::default());
    let results =
        async || [sawn(&bed, &first_process, sawing).await, sawn(&bed, &second_process, sawing).await];
    let both = |result: &str| [result.to_owned(), result.to_owned()];
    assert_eq!(results().await, both("no_processing_price"));

    let input = |article_type_id: Option<i64>, price: &str| ProcessingPriceInput {
        processing_id: sawing,
        article_type_id,
        price: Money { unit: Unit::Piece, ..money(price) },
        version: None,
        release: None,
    };
    let general = ProcessingPrices::create(&bed.db, &bed.scope, input(None, "4.5")).await.unwrap().price.id;
    assert_eq!(results().await, both("9"));
    ProcessingPrices::update(&bed.db, &bed.scope, general, input(None, "5")).await.unwrap();
    assert_eq!(results().await, both("10"));
    let own = ProcessingPrices::create(&bed.db, &bed.scope, input(Some(beams), "0")).await.unwrap().price.id;
    assert_eq!(results().await, both("0"));
    ProcessingPrices::delete(&bed.db, &bed.scope, own).await.unwrap();
    assert_eq!(results().await, both("10"));
    ProcessingPrices::delete(&bed.db, &bed.scope, general).await.unwrap();
    assert_eq!(results().await, both("no_processing_price"));
}
