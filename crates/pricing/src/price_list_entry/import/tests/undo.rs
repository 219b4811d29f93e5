//! Undo of imports into price lists.

use super::*;
use crate::codes;

#[tokio::test]
async fn undo_restores_removes_and_recreates_prices() {
    let bed = bed().await;
    save(&bed, "IPE-80", Some("900")).await;
    save(&bed, "UNP-100", Some("700")).await;
    let before = prices(&bed).await;
    let file = format!("{HEADER}HEB-200;850;1;t\r\nIPE-80;910;1;t\r\nUNP-100;#LEER;;\r\n");
    let import = bed.import(&file).await;
    let after = prices(&bed).await;
    assert_eq!((after.len(), price_count(&bed).await), (2, 2));
    let undo = bed.undo(&import, false).await;
    assert_eq!(bed.outcomes(&undo).await, ["HEB-200 Removed", "IPE-80 Updated", "UNP-100 Created"]);
    assert_eq!((prices(&bed).await, price_count(&bed).await), (before, 2));
    let again = bed.undo(&undo, false).await;
    assert_eq!(again.status, ImportStatus::Success);
    let mut now = prices(&bed).await;
    now.sort();
    let mut expected = after;
    expected.sort();
    assert_eq!((now, price_count(&bed).await), (expected, 2));
}

#[tokio::test]
async fn undo_restores_prices_removed_by_a_replacing_file() {
    let bed = bed().await;
    save(&bed, "IPE-80", Some("900")).await;
    save(&bed, "UNP-100", Some("700")).await;
    let before = prices(&bed).await;
    let [_, applied] = bed.try_and_apply(format!("{HEADER}HEB-200;850;1;t\r\n"), Strategy::ReplaceAll).await;
    assert_eq!((applied.rows_removed, price_count(&bed).await), (2, 1));
    bed.undo(&applied, false).await;
    assert_eq!((prices(&bed).await, price_count(&bed).await), (before, 2));
}

#[tokio::test]
async fn later_changes_are_kept() {
    let bed = bed().await;
    save(&bed, "IPE-80", Some("900")).await;
    let import = bed.import(format!("{HEADER}HEB-200;850;1;t\r\nIPE-80;910;1;t\r\n")).await;
    save(&bed, "IPE-80", Some("920")).await;
    let undo = bed.undo(&import, false).await;
    let outcomes: Vec<_> = bed.rows(&undo).await.iter().map(|row| row.outcome).collect();
    assert_eq!(outcomes, [Outcome::Removed, Outcome::Kept]);
    assert_eq!(
        (undo.status, prices(&bed).await),
        (ImportStatus::PartialSuccess, vec!["IPE-80 920,00 € je t".to_owned()])
    );
}

#[tokio::test]
async fn undo_removes_prices_under_review_and_reverts_released_ones() {
    let bed = bed().await;
    save(&bed, "IPE-80", Some("900")).await;
    save(&bed, "HEB-200", Some("850")).await;
    let before = prices(&bed).await;
    let import = bed.import(format!("{HEADER}IPE-80;9000;1;t\r\nHEB-200;8500;1;t\r\n")).await;
    assert_eq!(import.rows_held, 2);
    let entry = entries(&bed).await.remove(0);
    let release = DecisionsInput {
        prices: vec![DecidedInput { id: entry.id, version: entry.version, proposal: None }],
        decision: Decision::Release,
    };
    crate::price_list_entry::decide(&bed.db, &bed.scope, list(&bed), release).await.unwrap();
    assert_eq!(prices(&bed).await, ["IPE-80 9.000,00 € je t", "HEB-200 850,00 € je t ? 8.500,00 € je t"]);
    bed.undo(&import, false).await;
    assert_eq!(prices(&bed).await, before);
}

#[tokio::test]
async fn an_expired_list_is_left_unchanged() {
    let bed = bed().await;
    let import = bed.import(format!("{HEADER}HEB-200;850;1;t\r\n")).await;
    let queued = bed.queue_undo(&import, false).await.unwrap();
    price_list::archive(&bed.db, &bed.scope, list(&bed), None).await.unwrap();
    let undo = bed.work(&queued).await;
    assert_eq!((undo.status, entries(&bed).await.len()), (ImportStatus::Failed, 1));
    assert!(status_text(&undo).contains("ist abgelaufen"), "{}", status_text(&undo));
    let refused = bed.queue_undo(&import, false).await.unwrap_err();
    assert_eq!(refused.code(), codes::PRICE_LIST_EXPIRED);
}
