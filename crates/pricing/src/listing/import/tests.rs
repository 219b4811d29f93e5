//! Import of prices and listings from files, with a database.

mod cells;
mod headings;
mod undo;

use std::time::Duration;

use imports::{
    import::{ImportStatus, row::Outcome, strategy::Strategy},
    revert::reversible::Reversible,
    testbed::{Bed, counts, reasons},
};
use logistics::{
    stock::{Availability, StockInput, Stocks},
    testbed::{articles, warehouse},
};
use sea_orm::QueryOrder;
use values::{Language, Unit};

use super::*;
use crate::{
    codes,
    held_price::{
        HeldPrices,
        decision::{self, Decision, HeldPriceChange, ReleasedStocks},
    },
    listing::Column,
};

async fn bed<I: Reversible>() -> Bed {
    let bed = Bed::for_importer::<I>().await;
    articles(&bed.db, &[("HEB-200", "12.1", Some("61.3")), ("IPE-80", "6", None)]).await;
    warehouse(&bed, &bed.scope, "DU").await;
    bed
}

async fn stocked() -> Bed {
    let bed = bed::<PriceImporter>().await;
    for number in ["HEB-200", "IPE-80"] {
        let input = StockInput {
            article_id: None,
            article_number: Some(number.into()),
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
    }
    bed
}

async fn listings(bed: &Bed) -> Vec<Listing> {
    bed.scope.find::<Listings>().order_by_asc(Column::Id).all(&*bed.db).await.unwrap()
}

fn external(listing: &Listing) -> Option<String> {
    Prices::from_listing(listing).external.price.map(|price| price.text(Language::De))
}

#[tokio::test]
async fn a_file_sets_prices_of_stocks_without_changing_quantities() {
    let bed = stocked().await;
    let before = bed.scope.find::<Stocks>().order_by_asc(stock::Column::Id).all(&*bed.db).await.unwrap();
    let file = "Artikelnummer;Lager;Preis;Preismenge;Preiseinheit;Interner Preis;Staffel 1 ab;Staffelpreis 1;Staffel 2 ab;Staffelpreis 2\r\n\
                HEB-200;DU;850,00;;t;780;20;810;10;830\r\n\
                IPE-80;DU;12,50;100;m;;;;;\r\n";
    let import = bed.import(file).await;
    assert_eq!(counts(&import), [0, 2, 0, 0]);
    let imported_listings = listings(&bed).await;
    assert_eq!(external(&imported_listings[0]).as_deref(), Some("850,00 € je t"));
    assert_eq!(external(&imported_listings[1]).as_deref(), Some("12,50 € je 100 m"));
    let tiers = Prices::from_listing(&imported_listings[0]).external.tiers;
    let tiers: Vec<_> =
        tiers.iter().map(|tier| (tier.from.to_string(), tier.price.price.to_string())).collect();
    assert_eq!(tiers, [("10".to_owned(), "830".to_owned()), ("20".to_owned(), "810".to_owned())]);
    // the version of the quantity side does not change, so that editing quantities is not disturbed
    let after = bed.scope.find::<Stocks>().order_by_asc(stock::Column::Id).all(&*bed.db).await.unwrap();
    assert_eq!(before, after);
    assert_eq!(imported_listings[0].price_version, 2);

    assert_eq!(counts(&bed.import(file).await), [0, 0, 2, 0]);
    assert_eq!(listings(&bed).await, imported_listings);
    // a quantity break may have its own units
    let file = "Artikelnummer;Lager;Preis;Preiseinheit;Staffel 1 ab;Staffelmengeneinheit 1;Staffelpreis 1;Staffelpreismenge 1;Staffelpreiseinheit 1\r\n\
                HEB-200;DU;850,00;t;;m;83;100;kg\r\n";
    assert_eq!(counts(&bed.import(file).await), [0, 0, 0, 1]);
    let file = file.replace("t;;m", "t;24,2;m");
    assert_eq!(counts(&bed.import(&file).await), [0, 1, 0, 0]);
    let tiers = Prices::from_listing(&listings(&bed).await[0]).external.tiers;
    let prices: Vec<_> = tiers.iter().map(|tier| tier.price.text(Language::De)).collect();
    assert_eq!(prices, ["83,00 € je 100 kg"]);
    // the same file changes nothing; the same quantity in another unit is a change
    assert_eq!(counts(&bed.import(&file).await), [0, 0, 1, 0]);
    let [tonnes, kilograms] = ["5;t", "5000;kg"].map(|from| file.replace("24,2;m", from));
    for (file, unit) in [(tonnes, Unit::Tonne), (kilograms, Unit::Kilogram)] {
        assert_eq!(counts(&bed.import(&file).await), [0, 1, 0, 0], "{file}");
        assert_eq!(counts(&bed.import(&file).await), [0, 0, 1, 0], "{file}");
        let tiers = Prices::from_listing(&listings(&bed).await[0]).external.tiers;
        assert_eq!(tiers.iter().map(|tier| tier.from_unit).collect::<Vec<_>>(), [Some(unit)]);
    }
    // empty cells leave the value, #LEER clears it
    let file = "Artikelnummer;Lager;Preis;Interner Preis;Staffel 1 ab\r\nHEB-200;DU;;#LEER;#LEER\r\n";
    assert_eq!(counts(&bed.import(file).await), [0, 1, 0, 0]);
    let prices = Prices::from_listing(&listings(&bed).await[0]);
    assert!(
        prices.external.price.is_some() && prices.internal.is_empty() && prices.external.tiers.is_empty()
    );
}

/// A file of prices does not contain quantities, and a quantity saved meanwhile is no change of a price.
#[tokio::test]
async fn a_quantity_that_changes_while_prices_are_applied_is_not_lost() {
    let bed = stocked().await;
    let before = bed.scope.find::<Stocks>().order_by_asc(stock::Column::Id).all(&*bed.db).await.unwrap();
    let import = bed.upload(&bed.scope, "Artikelnummer;Lager;Preis\r\nHEB-200;DU;850\r\n", false).await;

    let tx = bed.db.begin().await.unwrap();
    let change = stock::ActiveModel {
        availability_type: Set(Availability::Quantity),
        quantity: Set(Some("24.2".parse().unwrap())),
        ..Default::default()
    };
    bed.scope.update_many::<Stocks>(&tx, vec![(before[0].clone(), change)]).await.unwrap();
    let commit = async {
        tokio::time::sleep(Duration::from_millis(500)).await;
        tx.commit().await.unwrap();
    };
    let (now, ()) = tokio::join!(bed.work(&import), commit);

    assert_eq!(counts(&now), [0, 1, 0, 0]);
    let listing = listings(&bed).await.remove(0);
    assert_eq!(external(&listing).as_deref(), Some("850,00 € je t"));
    assert_eq!(listing.quantity.map(|it| it.to_string()), Some("24.2".to_owned()));
    assert_eq!(listing.version, before[0].version + 1);
}

#[tokio::test]
async fn an_implausible_price_is_put_under_review_and_released_or_rejected() {
    let bed = stocked().await;
    let header = "Artikelnummer;Lager;Preis;Preismenge;Preiseinheit\r\n";
    bed.import(format!("{header}HEB-200;DU;92,50;100;kg\r\nIPE-80;DU;10;1;m\r\n")).await;
    let before = listings(&bed).await;

    // a dry run reports the price but saves nothing
    let file = format!("{header}HEB-200;DU;925;100;kg\r\nIPE-80;DU;10,50;1;m\r\n");
    let tried = bed.dry_run(&file).await;
    assert_eq!((tried.rows_held, tried.rows_updated), (1, 1));
    assert!(bed.scope.find::<HeldPrices>().all(&*bed.db).await.unwrap().is_empty());

    let import = bed.import(&file).await;
    assert_eq!((import.status, import.rows_held, import.rows_updated), (ImportStatus::PartialSuccess, 1, 1));
    assert_eq!(external(&listings(&bed).await[0]), external(&before[0]));
    let row = bed.rows(&import).await.remove(0);
    assert_eq!((row.outcome, row.record_id), (Outcome::Held, Some(before[0].id)));
    assert_eq!(
        row.warnings()[0].text(Language::De),
        "925,00 € je 100 kg ist das 10-Fache des bisherigen Preises und sieht nach 925,00 € je t aus."
    );
    let held_prices = bed.scope.find::<HeldPrices>().all(&*bed.db).await.unwrap();
    assert_eq!(
        (held_prices[0].stock_id, held_prices[0].import_id, held_prices[0].line),
        (before[0].id, Some(import.id), Some(2))
    );

    // another tenant cannot decide
    let id = held_prices[0].id;
    let release = HeldPriceChange::Decision(Decision::Release);
    assert!(decision::change(&bed.db, &bed.other, id, &release, &ReleasedStocks::default()).await.is_err());
    decide(&bed, id, Decision::ReleaseMended).await.unwrap();
    assert_eq!(external(&listings(&bed).await[0]).as_deref(), Some("925,00 € je t"));
    assert!(decide(&bed, id, Decision::Release).await.is_err());

    // plausible prices replace those under review
    bed.import(format!("{header}HEB-200;DU;9250;1;t\r\n")).await;
    assert_eq!(bed.scope.find::<HeldPrices>().all(&*bed.db).await.unwrap().len(), 1);
    bed.import(format!("{header}HEB-200;DU;930;1;t\r\n")).await;
    assert!(bed.scope.find::<HeldPrices>().all(&*bed.db).await.unwrap().is_empty());
    bed.import(format!("{header}HEB-200;DU;925;1;t\r\n")).await;

    // rejected, then released unchanged
    for (decision, price) in [(Decision::Refuse, "925,00 € je t"), (Decision::Release, "9.250,00 € je t")]
    {
        bed.import(format!("{header}HEB-200;DU;9250;1;t\r\n")).await;
        let held_prices = bed.scope.find::<HeldPrices>().all(&*bed.db).await.unwrap();
        decide(&bed, held_prices[0].id, decision).await.unwrap();
        assert_eq!(external(&listings(&bed).await[0]).as_deref(), Some(price));
    }
}

#[tokio::test]
async fn a_quantity_break_under_review_is_reported_at_its_column() {
    let bed = stocked().await;
    let header = "Artikelnummer;Lager;Preis;Preiseinheit;Interner Preis;Interne Preiseinheit;\
                  Staffel 1 ab;Staffelpreis 1;Staffel 2 ab;Staffelmengeneinheit 2;Staffelpreis 2\r\n";
    bed.import(format!("{header}HEB-200;DU;850;t;700;t;20;830;121;m;840\r\n")).await;
    let warned_columns = async |row: &str| {
        let import = bed.import(format!("{header}{row}\r\n")).await;
        let row = bed.rows(&import).await.remove(0);
        row.warnings().iter().map(|warning| warning.name.clone().unwrap_or_default()).collect::<Vec<_>>()
    };
    // the first column contains the last quantity break, and the second one is in another unit
    assert_eq!(warned_columns("HEB-200;DU;850;t;700;t;20;8300;121;m;840").await, ["Staffelpreis 1"]);
    assert_eq!(warned_columns("HEB-200;DU;850;t;700;t;20;830;121;m;8400").await, ["Staffelpreis 2"]);
    // quantity breaks that the row does not contain fall below an internal price that it does
    assert_eq!(warned_columns("HEB-200;DU;850;t;845;t;;;;;").await, ["Preis", "Preis"]);
}

async fn decide(bed: &Bed, id: i64, decision: Decision) -> values::Result<()> {
    let change = HeldPriceChange::Decision(decision);
    decision::change(&bed.db, &bed.scope, id, &change, &ReleasedStocks::default()).await
}

async fn ids_under_review(bed: &Bed) -> Vec<i64> {
    let held_prices =
        bed.scope.find::<HeldPrices>().order_by_asc(held_price::Column::Id).all(&*bed.db).await.unwrap();
    held_prices.into_iter().map(|held_price| held_price.id).collect()
}

#[tokio::test]
async fn users_release_only_prices_that_they_have_seen() {
    let bed = stocked().await;
    let file = |price: &str| format!("Artikelnummer;Lager;Preis;Preiseinheit\r\nHEB-200;DU;{price};t\r\n");
    bed.import(file("850")).await;
    bed.import(file("8500")).await;
    let seen_ids = ids_under_review(&bed).await;
    // the same prices again keep the id
    let again = bed.import(file("8500")).await;
    assert_eq!(ids_under_review(&bed).await, seen_ids);
    let row = bed.scope.get::<HeldPrices>(&*bed.db, seen_ids[0]).await.unwrap();
    assert_eq!(row.import_id, Some(again.id));
    // different prices get a new id
    bed.import(file("85")).await;
    assert_ne!(ids_under_review(&bed).await, seen_ids);
    for decision in [Decision::Release, Decision::ReleaseMended, Decision::Refuse] {
        let late = decide(&bed, seen_ids[0], decision).await;
        assert_eq!(late.unwrap_err().code(), codes::NOT_FOUND);
    }
    assert_eq!(external(&listings(&bed).await[0]).as_deref(), Some("850,00 € je t"));
    assert_eq!(ids_under_review(&bed).await.len(), 1);
    // the price under review is deleted with its stock
    let waiting = ids_under_review(&bed).await[0];
    listing::delete_stock(&bed.db, &bed.scope, listings(&bed).await[0].id).await.unwrap();
    let late = decide(&bed, waiting, Decision::Release).await;
    assert_eq!(late.unwrap_err().code(), codes::NOT_FOUND);
}

#[tokio::test]
async fn prices_under_review_are_discarded_with_undone_or_removed_prices() {
    let bed = stocked().await;
    let header = "Artikelnummer;Lager;Preis;Preiseinheit;Interner Preis;Interne Preiseinheit\r\n";
    bed.import(format!("{header}HEB-200;DU;80;m;40;m\r\nIPE-80;DU;10;m;5;m\r\n")).await;
    let changed = bed.import(format!("{header}HEB-200;DU;81;m;41;m\r\nIPE-80;DU;10;m;5;m\r\n")).await;
    bed.import(format!("{header}HEB-200;DU;810;m;;\r\nIPE-80;DU;100;m;;\r\n")).await;
    assert_eq!(ids_under_review(&bed).await.len(), 2);
    // a release after the undo would restore the internal price that the undo removed
    bed.undo(&changed, true).await;
    assert_eq!(ids_under_review(&bed).await.len(), 2, "a dry run");
    bed.undo(&changed, false).await;
    assert_eq!(ids_under_review(&bed).await.len(), 1);
    bed.try_and_apply(format!("{header}HEB-200;DU;80;m;40;m\r\n"), Strategy::ReplaceAll).await;
    assert!(ids_under_review(&bed).await.is_empty());
    assert!(Prices::from_listing(&listings(&bed).await[1]).external.is_empty());
}

#[tokio::test]
async fn a_listing_creates_the_stock_and_only_its_prices_are_reviewed() {
    let bed = bed::<ListingImporter>().await;
    let file = "Artikelnummer;Lager;Menge;Mengeneinheit;Preis;Preiseinheit;Interner Preis;Interne Preiseinheit\r\n\
                HEB-200;DU;3;St;850;t;780;t\r\n\
                IPE-80;DU;5;m;1;m;2;m\r\n";
    let import = bed.import(file).await;
    assert_eq!((import.rows_created, import.rows_held), (1, 1));
    let imported_listings = listings(&bed).await;
    assert_eq!(
        imported_listings.iter().map(external).collect::<Vec<_>>(),
        [Some("850,00 € je t".to_owned()), None]
    );
    assert_eq!(imported_listings[1].quantity.map(|quantity| quantity.to_string()).as_deref(), Some("5"));

    // a changed quantity raises the version of its own side only
    let file = "Artikelnummer;Lager;Menge;Preis\r\nHEB-200;DU;2;\r\n";
    assert_eq!(counts(&bed.import(file).await), [0, 1, 0, 0]);
    let stock = bed.scope.get::<Stocks>(&*bed.db, imported_listings[0].id).await.unwrap();
    assert_eq!(
        (stock.version, stock.quantity.map(|quantity| quantity.to_string())),
        (2, Some("2".to_owned()))
    );
}

#[tokio::test]
async fn faults_of_a_price_are_reported_at_its_column() {
    let bed = stocked().await;
    let import = bed
        .import(
            "Artikelnummer;Lager;Preis;Preismenge;Preiseinheit;Währung;Länge [mm];Staffel 1 ab;Staffelpreis 1;Staffel 2 ab;Staffelpreis 2\r\n\
             HEB-200;DU;-1;;t;;;;;;\r\n\
             HEB-200;DU;1,12345;;t;;;;;;\r\n\
             HEB-200;DU;1;0;t;;;;;;\r\n\
             IPE-80;DU;1;;t;;;;;;\r\n\
             HEB-200;DU;1;;l;;;;;;\r\n\
             HEB-200;DU;1;;t;USD;;;;;\r\n\
             HEB-200;DU;1;;t;;6000;;;;\r\n\
             HEB-200;DU;1;;t;;;1;2;1;3\r\n\
             HEB-200;DU;1;;t;;;1;;;\r\n",
        )
        .await;
    let allowed_units = "mm, cm, dm, m, km, mg, g, kg, t, St";
    let unit = format!("Preiseinheit: Die Einheit „l“ passt nicht; möglich sind {allowed_units}");
    assert_eq!(
        bed.reasons(&import).await,
        reasons(&[
            (2, &["Preis: Muss mindestens 0 sein"]),
            (3, &["Preis: Kein gültiger Betrag: höchstens 8 Stellen vor und 4 nach dem Komma"]),
            (4, &["Preismenge: Muss größer als 0 sein"]),
            (
                5,
                &[
                    "Preiseinheit: Der Artikel IPE-80 hat kein Gewicht, deshalb lässt sich t nicht umrechnen. \
                   Bitte pflegen Sie das Gewicht des Artikels, oder wählen Sie eine andere Einheit."
                ]
            ),
            (6, &[&unit]),
            (
                7,
                &[
                    "Währung: Der Preis ist in „USD“, Preise sind hier in EUR. Bitte rechnen Sie ihn um, oder lassen Sie die Zeile weg."
                ]
            ),
            (
                8,
                &[
                    "Artikelnummer: In diesem Lager gibt es von diesem Artikel keinen Bestand mit diesen Maßen. \
                   Bitte legen Sie den Bestand zuerst an, oder importieren Sie ein Angebot."
                ]
            ),
            (9, &["Staffel 2 ab: Doppelter Wert"]),
            (10, &["Staffelpreis 1: Pflichtfeld"]),
        ])
    );
}

#[tokio::test]
async fn a_replacing_price_file_removes_unnamed_prices_and_keeps_the_stocks() {
    let bed = stocked().await;
    let header = "Artikelnummer;Lager;Preis;Preiseinheit\r\n";
    bed.import(format!("{header}HEB-200;DU;80;m\r\nIPE-80;DU;10;m\r\n")).await;
    let [tried, applied] =
        bed.try_and_apply(format!("{header}HEB-200;DU;80;m\r\n"), Strategy::ReplaceAll).await;
    assert_eq!((counts(&tried), tried.rows_removed), ([0, 0, 1, 0], 1));
    assert_eq!((counts(&applied), applied.rows_removed), ([0, 0, 1, 0], 1));
    let now = listings(&bed).await;
    assert_eq!(now.iter().map(external).collect::<Vec<_>>(), [Some("80,00 € je m".to_owned()), None]);
    assert_eq!(now[1].availability_type, Availability::Always);
    assert_eq!(now[1].version, 1, "the quantity side is unchanged");
}

#[tokio::test]
async fn a_replacing_listing_file_removes_unnamed_listings_completely() {
    let bed = bed::<ListingImporter>().await;
    let header = "Artikelnummer;Lager;Menge;Preis;Preiseinheit\r\n";
    bed.import(format!("{header}HEB-200;DU;12,1;80;m\r\nIPE-80;DU;6;10;m\r\n")).await;
    let file = format!("{header}HEB-200;DU;12,1;80;m\r\n");
    let [_, applied] = bed.try_and_apply(file, Strategy::ReplaceAll).await;
    assert_eq!(applied.rows_removed, 1);
    assert_eq!(listings(&bed).await.len(), 1);
}
