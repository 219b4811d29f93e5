//! Books of stocks and lists as they are kept, and how a change shows.

use chrono::TimeDelta;
use chrono_tz::Tz;
use imports::testbed::Bed;
use kernel::{Money, RecordReference, now};
use logistics::{
    directory::Named,
    stock::{self, Availability, StockInput},
    testbed::{articles, warehouse},
};

use super::*;
use crate::{
    price_import::PriceImporter,
    price_list::{ListScope, ListType, PriceListInput},
    price_list_entry::{EntriesInput, EntryInput},
    quote::ask::{Question, Wanted, answer},
};

fn money(price: &str) -> Money {
    Money { price: price.parse().unwrap(), price_quantity: Decimal::ONE, unit: Unit::Tonne }
}

/// A beam of 61.3 kg/m, in stock for 850 a tonne, which costs 780.
async fn stocked() -> Bed {
    let bed = Bed::of::<PriceImporter>().await;
    articles(&bed.db, &[("HEB-200", "12.1", Some("61.3"))]).await;
    warehouse(&bed, &bed.scope, "DU").await;
    let input = StockInput {
        article_id: None,
        article_number: Some("HEB-200".into()),
        warehouse_id: None,
        warehouse_short_code: Some("DU".into()),
        availability_type: Availability::Always,
        quantity: None,
        quantity_unit: None,
        lead_time: None,
        length: None,
        width: None,
        height: None,
        version: None,
    };
    stock::create(&bed.db, &bed.scope, input).await.unwrap();
    price(&bed, "850,00").await;
    bed
}

async fn price(bed: &Bed, price: &str) {
    let file =
        format!("Artikelnummer;Lager;Preis;Preiseinheit;Interner Preis\r\nHEB-200;DU;{price};t;780\r\n");
    bed.import(file).await;
}

/// What a tonne costs anybody at a moment, and what it costs the seller.
async fn tonne(bed: &Bed, books: &Books, at: kernel::Instant) -> [String; 2] {
    let wanted = Wanted {
        named: Named { article: RecordReference::new(None, Some("HEB-200".into())), ..Named::default() },
        quantity: Decimal::ONE,
        unit: Some(Unit::Tonne),
        processings: Vec::new(),
    };
    let question = Question {
        seller: RecordReference::default(),
        buyer: RecordReference::default(),
        at,
        lines: vec![wanted],
    };
    let answers =
        answer(&bed.db, &bed.scope, books, Tz::Europe__Berlin, vec![question], false).await.unwrap();
    let line = &answers[0].quote.lines[0];
    let internal = line.internal.map_or_else(String::new, |internal| internal.to_string());
    [answers[0].quote.total.to_string(), internal]
}

#[tokio::test]
async fn lists_come_before_stocks_from_their_first_moment_on_and_every_change_shows() {
    let bed = stocked().await;
    let books = Books::default();
    assert_eq!(tonne(&bed, &books, now()).await, ["850", "780"]);
    price(&bed, "860,00").await;
    assert_eq!(tonne(&bed, &books, now()).await, ["860", "780"]);

    let valid_from = now() + TimeDelta::hours(1);
    let tenant = bed.scope.tenant().unwrap();
    let head = |name: &str, r#type: ListType, scope: ListScope| PriceListInput {
        name: name.into(),
        owner_tenant_id: Some(tenant.into()),
        owner_tenant_group_id: None,
        r#type,
        scope,
        valid_from,
        limited: false,
        valid_until: None,
        tenant_ids: Vec::new(),
        tenant_group_ids: Vec::new(),
        version: None,
    };
    let entry = |price: &str| EntriesInput {
        prices: vec![EntryInput {
            article_id: None,
            article_number: Some("HEB-200".into()),
            price: Some(money(price)),
            bulk_prices: Vec::new(),
            version: None,
        }],
    };
    for (name, r#type, scope, price) in [
        ("Verkauf", ListType::Sales, ListScope::Global, "900"),
        ("Einkauf", ListType::Internal, ListScope::Own, "800"),
        // of the owner alone
        ("Entwurf", ListType::Sales, ListScope::Own, "1"),
    ] {
        let list = price_list::create(&bed.db, &bed.scope, head(name, r#type, scope)).await.unwrap().list;
        price_list_entry::update_many(&bed.db, &bed.scope, list.id, entry(price)).await.unwrap();
    }
    let before = valid_from - TimeDelta::microseconds(1);
    assert_eq!(tonne(&bed, &books, before).await, ["860", "780"]);
    assert_eq!(tonne(&bed, &books, valid_from).await, ["900", "800"]);
    // as another process would know it
    assert_eq!(tonne(&bed, &Books::default(), valid_from).await, ["900", "800"]);
}

#[tokio::test]
async fn a_book_is_kept_until_its_own_sellers_prices_change() {
    let bed = stocked().await;
    let books = Books::default();
    let seller = bed.scope.tenant().unwrap();
    let first = books.of(&bed.db, seller).await.unwrap();
    assert!(Arc::ptr_eq(&first, &books.of(&bed.db, seller).await.unwrap()));
    // somebody else's write
    kept_version_of(&bed, TenantId(i64::from(seller) + 1)).await;
    assert!(Arc::ptr_eq(&first, &books.of(&bed.db, seller).await.unwrap()));
    price(&bed, "870,00").await;
    let second = books.of(&bed.db, seller).await.unwrap();
    assert!(!Arc::ptr_eq(&first, &second));
    assert_eq!(second.prices(), 2);
}

async fn kept_version_of(bed: &Bed, tenant: TenantId) {
    let sql = "INSERT INTO prices_version (tenant_id, version) VALUES ($1, 1)";
    let values = [i64::from(tenant).into()];
    let statement = sea_orm::Statement::from_sql_and_values(bed.db.get_database_backend(), sql, values);
    let tx = bed.db.begin().await.unwrap();
    tx.execute_raw(statement).await.unwrap();
    tx.commit().await.unwrap();
}

#[test]
fn the_books_that_were_read_longest_ago_go_first_and_the_newest_stays() {
    let mut places = Shelf::default();
    for (id, last_read) in [(1, 5), (2, 3), (3, 9)] {
        let book = Builder::new(TenantId(id), Vec::new(), Vec::new(), Vec::new()).build();
        let place = Place { book: Some((1, Arc::new(book))), last_read, ..Place::default() };
        places.of.insert(TenantId(id), place);
    }
    let one = places.of[&TenantId(1)].book.as_ref().unwrap().1.bytes();
    assert!(one > 0);
    let left = |places: &Shelf| {
        let mut left: Vec<i64> = places.of.keys().map(|id| (*id).into()).collect();
        left.sort_unstable();
        left
    };
    places.shrink(TenantId(3), 2 * one);
    assert_eq!(left(&places), [1, 3]);
    places.shrink(TenantId(3), 0);
    assert_eq!(left(&places), [3]);
}
