//! Undo of price files.

use super::*;

const HEADER: &str = "Artikelnummer;Lager;Preis;Preismenge;Preiseinheit;Staffel 1 ab;Staffelpreis 1\r\n";

async fn prices(bed: &Bed) -> Vec<Prices> {
    listings(bed).await.iter().map(Prices::from_listing).collect()
}

#[tokio::test]
async fn undo_restores_prices_and_tiers_without_changing_quantities() {
    let bed = stocked().await;
    bed.import(format!("{HEADER}HEB-200;DU;850;1;t;10;830\r\n")).await;
    let before = prices(&bed).await;
    let import = bed.import(format!("{HEADER}HEB-200;DU;86;100;kg;20;84\r\nIPE-80;DU;12;1;m;;\r\n")).await;
    assert_eq!(counts(&import), [0, 2, 0, 0]);
    let changed = prices(&bed).await;
    let stock = bed.scope.get::<Stocks>(&*bed.db, listings(&bed).await[0].id).await.unwrap();
    let undo = bed.undo(&import, false).await;
    assert_eq!(bed.outcomes(&undo).await, ["HEB-200, DU Updated", "IPE-80, DU Updated"]);
    assert_eq!(prices(&bed).await, before);
    assert_eq!(bed.scope.get::<Stocks>(&*bed.db, stock.id).await.unwrap(), stock, "the other side");
    bed.undo(&undo, false).await;
    assert_eq!(prices(&bed).await, changed);
}

#[tokio::test]
async fn undo_drops_prices_under_review_and_reverts_released_ones() {
    let bed = stocked().await;
    bed.import(format!("{HEADER}HEB-200;DU;850;1;t;;\r\nIPE-80;DU;10;1;m;;\r\n")).await;
    let before = prices(&bed).await;
    let import = bed.import(format!("{HEADER}HEB-200;DU;8500;1;t;;\r\nIPE-80;DU;100;1;m;;\r\n")).await;
    assert_eq!(import.rows_held, 2);
    let first = ids_under_review(&bed).await[0];
    decide(&bed, first, Decision::Release).await.unwrap();
    assert_ne!(prices(&bed).await, before);

    let undo = bed.undo(&import, false).await;
    let expected = ["HEB-200, DU Updated", "IPE-80, DU Updated: Der Preis zur Freigabe wurde verworfen"];
    assert_eq!(bed.outcomes(&undo).await, expected);
    assert_eq!((prices(&bed).await, ids_under_review(&bed).await), (before, vec![]));

    // a released price that was changed since stays
    let import = bed.import(format!("{HEADER}HEB-200;DU;8500;1;t;;\r\n")).await;
    let waiting = ids_under_review(&bed).await[0];
    decide(&bed, waiting, Decision::Release).await.unwrap();
    bed.import(format!("{HEADER}HEB-200;DU;8600;1;t;;\r\n")).await;
    let undo = bed.undo(&import, false).await;
    assert_eq!(bed.rows(&undo).await[0].outcome, Outcome::Kept);
    assert_eq!(external(&listings(&bed).await[0]).as_deref(), Some("8.600,00 € je t"));
}

#[tokio::test]
async fn undo_removes_and_restores_both_sides_of_a_listing() {
    let bed = bed::<ListingImporter>().await;
    let file = "Artikelnummer;Lager;Menge;Mengeneinheit;Preis;Preiseinheit;Interner Preis;Interne Preiseinheit;Lieferzeit\r\n\
                HEB-200;DU;3;St;850;t;780;t;2\r\n\
                IPE-80;DU;5;m;1;m;2;m;\r\n";
    let import = bed.import(file).await;
    assert_eq!((import.rows_created, import.rows_held), (1, 1));
    let before = listings(&bed).await;
    let undo = bed.undo(&import, false).await;
    assert_eq!(bed.outcomes(&undo).await, ["HEB-200, DU Removed", "IPE-80, DU Removed"]);
    assert!(
        listings(&bed).await.is_empty() && ids_under_review(&bed).await.is_empty(),
        "prices under review are removed too"
    );
    let again = bed.undo(&undo, false).await;
    assert_eq!(bed.outcomes(&again).await, ["HEB-200, DU Created", "IPE-80, DU Created"]);
    let plain = |listings: Vec<Listing>| -> Vec<Listing> {
        let epoch = values::Instant::UNIX_EPOCH;
        let plain =
            |listing| Listing { created_at: epoch, updated_at: epoch, price_updated_at: None, ..listing };
        listings.into_iter().map(plain).collect()
    };
    assert_eq!(plain(listings(&bed).await), plain(before));

    // restoring a quantity raises the version of its own side
    let change = bed.import("Artikelnummer;Lager;Menge;Mengeneinheit;Preis\r\nHEB-200;DU;2;St;\r\n").await;
    bed.undo(&change, false).await;
    let now = listings(&bed).await;
    let stock = bed.scope.get::<Stocks>(&*bed.db, now[0].id).await.unwrap();
    assert_eq!((stock.version, stock.quantity.map(|it| it.to_string()).as_deref()), (3, Some("36.3")));
}
