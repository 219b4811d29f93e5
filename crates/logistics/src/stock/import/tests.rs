//! Tests of stock files on a database.

mod undo;

use imports::{
    import::{ImportStatus, refusal::Refusal, row::Outcome, strategy::Strategy},
    testbed::{Bed, counts},
};
use sea_orm::{ActiveValue::Set, QueryOrder};
use store::Scope;
use values::{Code, Decimal, Language};

use super::StockImporter;
use crate::{
    codes,
    stock::{ActiveModel, Availability, Column, Stock, Stocks},
    testbed::{articles, matched, warehouse},
};

async fn bed() -> Bed {
    let bed = Bed::for_importer::<StockImporter>().await;
    articles(&bed.db, &[("HEB-200", "12.1", None), ("BL-10", "6", None)]).await;
    warehouse(&bed, &bed.scope, "DU").await;
    warehouse(&bed, &bed.scope, "HH").await;
    warehouse(&bed, &bed.other, "LNZ").await;
    bed
}

async fn stocks(bed: &Bed, scope: &Scope) -> Vec<Stock> {
    scope.find::<Stocks>().order_by_asc(Column::Id).all(&*bed.db).await.unwrap()
}

async fn faults(bed: &Bed, file: &str) -> Vec<(i64, Vec<Code>)> {
    let import = bed.upload(&bed.scope, file, false).await;
    bed.work(&import).await;
    codes(&bed.refusals(&import).await)
}

fn codes(refusals: &[Refusal]) -> Vec<(i64, Vec<Code>)> {
    let codes = |refusal: &Refusal| refusal.messages.0.iter().map(|fault| fault.fault.message.code).collect();
    refusals.iter().map(|refusal| (refusal.line, codes(refusal))).collect()
}

#[tokio::test]
async fn stocks_are_created_changed_and_left_unchanged() {
    let bed = bed().await;
    let file = "Artikelnummer;Lager;Menge;Einheit;Lieferzeit;Länge [mm]\r\n\
                heb-200;du;3;St;2;\r\n\
                HEB-200;DU;1;Stück;;6.000\r\n\
                BL-10;HH;12,5;;;\r\n";
    let first = bed.upload(&bed.scope, file, false).await;
    assert_eq!(counts(&bed.work(&first).await), [3, 0, 0, 0]);
    let created = stocks(&bed, &bed.scope).await;
    let actual: Vec<_> =
        created.iter().map(|stock| (&*stock.name, stock.quantity.map(|it| it.to_string()))).collect();
    let expected = [
        ("HEB-200, DU", Some("36.3".to_owned())),
        ("HEB-200, DU, 6000 mm", Some("12.1".to_owned())),
        ("BL-10, HH", Some("12.5".to_owned())),
    ];
    assert_eq!(actual, expected);
    assert_eq!(created[0].lead_time.map(values::Minutes::minutes), Some(2 * 24 * 60));

    let again = bed.upload(&bed.scope, file, false).await;
    assert_eq!(counts(&bed.work(&again).await), [0, 0, 3, 0]);
    assert_eq!(stocks(&bed, &bed.scope).await, created, "not even the version changes");

    // An empty cell changes nothing, and a stock that is always available has no quantity.
    let change = "Artikelnummer;Lager;Verfügbarkeit;Menge\r\nHEB-200;DU;immer;\r\nBL-10;HH;;13\r\n";
    let changed = bed.upload(&bed.scope, change, false).await;
    assert_eq!(counts(&bed.work(&changed).await), [0, 2, 0, 0]);
    let now = stocks(&bed, &bed.scope).await;
    assert_eq!((now[0].availability_type, now[0].quantity), (Availability::Always, None));
    assert_eq!((now[0].lead_time, now[0].version), (created[0].lead_time, 2));
    assert!(stocks(&bed, &bed.other).await.is_empty());
}

#[tokio::test]
async fn weighed_quantities_are_stored_with_six_decimal_places_of_the_base_unit() {
    let bed = Bed::for_importer::<StockImporter>().await;
    articles(&bed.db, &[("HEB-200", "12.1", Some("61.3"))]).await;
    warehouse(&bed, &bed.scope, "DU").await;
    for (quantity, expected, results) in [
        ("14157;kg", "230.946166", [1, 0, 0, 0]),
        ("14,157;t", "230.946166", [0, 0, 1, 0]),
        ("14157000;g", "230.946166", [0, 0, 1, 0]),
        ("141,57;DTN", "230.946166", [0, 0, 1, 0]),
        ("141,57;100kg", "230.946166", [0, 0, 1, 0]),
        ("141,57 dt;", "230.946166", [0, 0, 1, 0]),
        ("1000;KGM", "16.313214", [0, 1, 0, 0]),
    ] {
        let file = format!("Artikelnummer;Lager;Menge;Mengeneinheit\r\nHEB-200;DU;{quantity}\r\n");
        let import = bed.upload(&bed.scope, &file, false).await;
        assert_eq!(counts(&bed.work(&import).await), results, "{quantity}");
        let stock = stocks(&bed, &bed.scope).await.remove(0);
        assert_eq!(stock.quantity.unwrap().to_string(), expected, "{quantity}");
    }
}

#[tokio::test]
async fn every_fault_of_a_row_is_reported_at_its_column() {
    let bed = bed().await;
    let refused = faults(
        &bed,
        "Artikelnummer;Lager;Menge;Einheit;Lieferzeit;Länge [mm];Breite [mm];Verfügbarkeit;Mandant\r\n\
         HEB-300;DU;1;;;;;;\r\n\
         HEB-200;LNZ;1;;;;;;\r\n\
         HEB-200;DU;-1;;;;;;\r\n\
         HEB-200;DU;1,1234567;;;;;;\r\n\
         HEB-200;DU;1;kg;;;;;\r\n\
         HEB-200;DU;1;l;;;;;\r\n\
         HEB-200;DU;1;;99;;;;\r\n\
         HEB-200;DU;1;;;12.101;;;\r\n\
         HEB-200;DU;1;;;;500;;\r\n\
         HEB-200;DU;5;;;;;immer;\r\n\
         HEB-200;DU;;;;;;;\r\n\
         HEB-200;DU;1;;;;;manchmal;SUED\r\n\
         1,23E+12;DU;1;;;;;;\r\n",
    )
    .await;
    let codes: Vec<_> = refused.into_iter().map(|(_, codes)| codes).collect();
    let expected: Vec<Vec<Code>> = vec![
        vec![codes::UNKNOWN_NAME],
        vec![codes::UNKNOWN_NAME],
        vec![codes::TOO_SMALL],
        vec![codes::INVALID_DECIMAL],
        vec![codes::NO_WEIGHT],
        vec![codes::WRONG_UNIT_CATEGORY],
        vec![codes::INVALID_LEAD_TIME],
        vec![codes::LONGER_THAN_ARTICLE],
        vec![codes::DIMENSION_NOT_EXTENDED],
        vec![codes::QUANTITY_NOT_ALLOWED],
        vec![codes::REQUIRED],
        vec![codes::NOT_THIS_TENANT, codes::INVALID_PARAMETER],
        vec![codes::SCIENTIFIC_NUMBER],
    ];
    assert_eq!(codes, expected);
    assert!(stocks(&bed, &bed.scope).await.is_empty());
}

#[tokio::test]
async fn lead_times_in_files_are_working_days_like_in_forms() {
    let bed = bed().await;
    let file = "Artikelnummer;Lager;Menge;Lieferzeit;Länge [mm]\r\n\
                HEB-200;DU;1;3 Tage;\r\n\
                HEB-200;HH;1;2 Wochen;\r\n\
                BL-10;DU;1;sofort;\r\n\
                BL-10;HH;1;2-3 Tage;\r\n\
                HEB-200;DU;1;48h;6000\r\n\
                HEB-200;HH;1;31;6000\r\n\
                HEB-200;HH;1;auf Anfrage;5000\r\n";
    let refused = faults(&bed, file).await;
    assert_eq!(refused, [(7, vec![codes::INVALID_LEAD_TIME]), (8, vec![codes::INVALID_LEAD_TIME])]);
    let created = stocks(&bed, &bed.scope).await;
    let days =
        created.iter().map(|stock| stock.lead_time.map(|time| time.lead_time_text(values::Language::De)));
    let mut days: Vec<_> = days.map(Option::unwrap_or_default).collect();
    days.sort(); // rows are made in the order of their keys
    assert_eq!(days, ["0 Tage", "10 Tage", "2 Tage", "3 Tage", "3 Tage"]);
}

#[tokio::test]
async fn a_quantity_and_its_unit_may_share_a_cell() {
    let bed = bed().await;
    let file = "Artikelnummer;Lager;Menge;Mengeneinheit\r\n\
                HEB-200;DU;12 St;\r\n\
                HEB-200;HH;12,1 m;m\r\n\
                BL-10;DU;12,1 m;Stück\r\n\
                BL-10;HH;3 Pfund;\r\n";
    let refused = faults(&bed, file).await;
    assert_eq!(refused, [(4, vec![codes::CELL_UNIT_DIFFERS]), (5, vec![codes::UNKNOWN_UNIT])]);
    let quantities: Vec<_> = stocks(&bed, &bed.scope).await.iter().map(|stock| stock.quantity).collect();
    let metres = |text: &str| Some(text.parse::<Decimal>().unwrap());
    assert_eq!(quantities, [metres("145.2"), metres("12.1")]);
    // The unit in the heading may contradict too.
    let heading = "Artikelnummer;Lager;Menge [t]\r\nHEB-200;DU;12 St\r\n";
    assert_eq!(faults(&bed, heading).await, [(2, vec![codes::CELL_UNIT_DIFFERS])]);
}

#[tokio::test]
async fn faults_of_lead_times_name_the_unit_of_the_column() {
    let bed = bed().await;
    let refused = async |column: &str, cell: &str| {
        let file = format!("Artikelnummer;Lager;Menge;{column}\r\nHEB-200;DU;1;{cell}\r\n");
        faults(&bed, &file).await.remove(0).1
    };
    for cell in ["43201", "auf Anfrage"] {
        assert_eq!(refused("Lieferzeit [min]", cell).await, [codes::INVALID_LEAD_MINUTES], "{cell}");
        assert_eq!(refused("Lieferzeit [Tage]", cell).await, [codes::INVALID_LEAD_TIME], "{cell}");
        assert_eq!(refused("Lieferzeit", cell).await, [codes::INVALID_LEAD_TIME], "{cell}");
    }
}

#[tokio::test]
async fn external_numbers_are_matched_or_stay_unresolved() {
    let bed = bed().await;
    matched(&bed, &bed.scope, "4711", "HEB-200", None).await;
    matched(&bed, &bed.other, "4712", "HEB-200", None).await;
    let file = "Externe Artikelnummer;Lager;Menge\r\n4711;DU;1\r\n4712;DU;2\r\n4713;DU;x\r\n";
    let import = bed.upload(&bed.scope, file, false).await;
    let now = bed.work(&import).await;
    // Matchings of other tenants do not apply; other errors do not depend on a matching.
    assert_eq!(counts(&now), [1, 0, 0, 1]);
    assert_eq!(now.rows_unresolved, 1);
    assert_eq!(bed.refusals(&import).await.iter().map(|refusal| refusal.line).collect::<Vec<_>>(), [3, 4]);
}

#[tokio::test]
async fn a_stock_that_a_file_names_twice_is_applied_once() {
    let bed = bed().await;
    matched(&bed, &bed.scope, "4711", "HEB-200", None).await;
    let refused =
        faults(&bed, "Artikelnummer;Externe Artikelnummer;Lager;Menge\r\nHEB-200;;DU;1\r\n;4711;du;2\r\n")
            .await;
    assert_eq!(refused, [(3, vec![codes::REPEATED_ROW])]);
    assert_eq!(stocks(&bed, &bed.scope).await.len(), 1);
}

#[tokio::test]
async fn a_replacing_file_needs_a_dry_run_and_sets_missing_stocks_to_zero() {
    let bed = bed().await;
    bed.import("Artikelnummer;Lager;Menge\r\nHEB-200;DU;12,1\r\nBL-10;DU;6\r\nBL-10;HH;18\r\n").await;
    let others = "Artikelnummer;Lager;Menge\r\nHEB-200;LNZ;12,1\r\n";
    let of_other = bed.upload(&bed.other, others, false).await;
    bed.work(&of_other).await;

    let file = "Artikelnummer;Lager;Menge\r\nHEB-200;DU;12,1\r\nHEB-200;HH;24,2\r\n";
    let unchecked = bed.submit(&bed.scope, file, false, Strategy::ReplaceAll).await.unwrap_err();
    assert!(format!("{unchecked:?}").contains("try_first"), "{unchecked:?}");

    let [tried, applied] = bed.try_and_apply(file, Strategy::ReplaceAll).await;
    assert_eq!((counts(&tried), tried.rows_removed), ([1, 0, 1, 0], 2));
    assert_eq!((counts(&applied), applied.rows_removed), ([1, 0, 1, 0], 2));
    let actual: Vec<_> = stocks(&bed, &bed.scope)
        .await
        .iter()
        .map(|stock| format!("{} {}", stock.name, stock.quantity.unwrap()))
        .collect();
    assert_eq!(actual, ["HEB-200, DU 12.1", "BL-10, DU 0", "BL-10, HH 0", "HEB-200, HH 24.2"]);
    let would_go: Vec<_> = bed.rows(&tried).await;
    let would_go: Vec<_> = would_go.iter().filter(|row| row.outcome == Outcome::Removed).collect();
    assert_eq!(would_go.iter().map(|row| &*row.record_name).collect::<Vec<_>>(), ["BL-10, DU", "BL-10, HH"]);
    assert_eq!(would_go[0].before, Some(serde_json::json!({ "quantity": "6" })));
    let rows = bed.rows(&applied).await;
    let removed: Vec<_> = rows.iter().filter(|row| row.outcome == Outcome::Removed).collect();
    assert_eq!(removed.iter().map(|row| row.line).collect::<Vec<_>>(), [4, 5]);
    assert_eq!(removed[0].before, Some(serde_json::json!({ "quantity": "6" })));
    let other = &stocks(&bed, &bed.other).await[0];
    assert_eq!(other.quantity.unwrap().to_string(), "12.1", "another tenant's stock is unchanged");

    // A stock that is already at zero is not removed again.
    let [again, _] = bed.try_and_apply(file, Strategy::ReplaceAll).await;
    assert_eq!(again.rows_removed, 0);
}

#[tokio::test]
async fn a_replacing_file_leaves_warehouses_that_it_does_not_name() {
    let bed = bed().await;
    bed.import("Artikelnummer;Lager;Menge\r\nHEB-200;DU;12,1\r\nBL-10;DU;6\r\nBL-10;HH;18\r\n").await;
    let file = "Artikelnummer;Lager;Menge\r\nHEB-200;DU;24,2\r\n";
    let [tried, applied] = bed.try_and_apply(file, Strategy::ReplaceAll).await;
    assert_eq!((tried.rows_removed, applied.rows_removed), (1, 1));
    let remaining = stocks(&bed, &bed.scope).await;
    let remaining: Vec<_> =
        remaining.iter().map(|stock| format!("{} {}", stock.name, stock.quantity.unwrap())).collect();
    assert_eq!(remaining, ["HEB-200, DU 24.2", "BL-10, DU 0", "BL-10, HH 18"]);
}

#[tokio::test]
async fn an_interrupted_replacing_file_keeps_stocks_that_it_found_unchanged() {
    let bed = bed().await;
    let cut = (1..=1_100).map(|length| format!("HEB-200;HH;1;Stück;{length}\r\n"));
    let cut: String = cut.collect();
    let head = "Artikelnummer;Lager;Menge;Einheit;Länge [mm]\r\nHEB-200;DU;1;Stück;5.000\r\n";
    let before = bed.import(format!("{head}BL-10;DU;6;;\r\n{cut}BL-10;HH;18;;\r\n")).await;
    assert_eq!(counts(&before), [1_103, 0, 0, 0], "{:?}", bed.reasons(&before).await);
    let tried = bed.submit(&bed.scope, format!("{head}{cut}"), true, Strategy::ReplaceAll).await.unwrap();
    let tried = bed.work(&tried).await;
    assert_eq!(tried.rows_removed, 2);
    let applied = bed.queue_applied(&tried).await;
    bed.work_on_first_batch().await;
    assert_eq!(bed.now(&applied).await.rows_done, 1_000);
    let applied = bed.work(&applied).await;
    assert_eq!((counts(&applied), applied.rows_removed), ([0, 0, 1_101, 0], 2));
    let zero_stocks =
        stocks(&bed, &bed.scope).await.into_iter().filter(|stock| stock.quantity == Some(Decimal::ZERO));
    assert_eq!(zero_stocks.map(|stock| stock.name).collect::<Vec<_>>(), ["BL-10, DU", "BL-10, HH"]);
}

#[tokio::test]
async fn stocks_are_kept_if_a_row_failed_or_more_would_be_removed_than_confirmed() {
    let bed = bed().await;
    bed.import("Artikelnummer;Lager;Menge\r\nHEB-200;DU;12,1\r\nBL-10;DU;6\r\n").await;
    let faulty = "Artikelnummer;Lager;Menge\r\nHEB-200;DU;1\r\nBL-10;DU;viel\r\n";
    let [_, applied] = bed.try_and_apply(faulty, Strategy::ReplaceAll).await;
    assert_eq!((applied.status, applied.rows_removed), (ImportStatus::PartialSuccess, 0));
    assert!(applied.status_text(Language::De).unwrap().contains("nichts entfernt"));
    assert_eq!(stocks(&bed, &bed.scope).await[1].quantity.unwrap().to_string(), "6");

    let tried =
        bed.submit(&bed.scope, "Artikelnummer;Lager;Menge\r\nHEB-200;DU;2\r\n", true, Strategy::ReplaceAll);
    let tried = bed.work(&tried.await.unwrap()).await;
    assert_eq!(tried.rows_removed, 1);
    bed.import("Artikelnummer;Lager;Menge;Einheit;Länge [mm]\r\nHEB-200;DU;1;Stück;6.000\r\n").await;
    let applied = bed.apply(&tried).await;
    assert_eq!((applied.status, applied.rows_removed), (ImportStatus::PartialSuccess, 0));
    assert!(applied.status_text(Language::De).unwrap().contains("der Probelauf hatte 1 genannt"));
}

#[tokio::test]
async fn an_import_of_existing_stocks_only_skips_the_rest() {
    let bed = bed().await;
    bed.import("Artikelnummer;Lager;Menge\r\nHEB-200;DU;12,1\r\n").await;
    let file = "Artikelnummer;Lager;Menge\r\nHEB-200;DU;24,2\r\nBL-10;DU;6\r\n";
    let import = bed.submit(&bed.scope, file, false, Strategy::OnlyExisting).await.unwrap();
    let import = bed.work(&import).await;
    assert_eq!((counts(&import), import.rows_skipped), ([0, 1, 0, 0], 1));
    assert_eq!(import.status, ImportStatus::Success);
    assert_eq!(stocks(&bed, &bed.scope).await.len(), 1);
}

#[tokio::test]
async fn a_stock_repeated_in_a_later_batch_is_applied_once() {
    let bed = bed().await;
    bed.import("Artikelnummer;Lager;Menge\r\nBL-10;DU;6\r\n").await;
    let unknown = "HEB-300;DU;1\r\n".repeat(1_100);
    let file = format!(
        "Artikelnummer;Lager;Menge\r\nHEB-200;DU;12,1\r\nBL-10;DU;6\r\n{unknown}BL-10;DU;18\r\nHEB-200;DU;24,2\r\n"
    );
    let import = bed.upload(&bed.scope, &file, false).await;
    bed.work(&import).await;
    let repeated: Vec<_> = codes(&bed.refusals(&import).await)
        .into_iter()
        .filter(|(_, codes)| codes == &[codes::REPEATED_ROW])
        .map(|(line, _)| line)
        .collect();
    assert_eq!(repeated, [1_104, 1_105]);
    let quantities: Vec<_> =
        stocks(&bed, &bed.scope).await.iter().map(|stock| stock.quantity.map(|it| it.to_string())).collect();
    assert_eq!(quantities, [Some("6".to_owned()), Some("12.1".to_owned())]);
}

/// The file gives another lead time; meanwhile another user changes the quantity, which the file does not
/// contain.
#[tokio::test]
async fn a_concurrent_change_during_an_import_is_not_lost() {
    let bed = bed().await;
    bed.import("Artikelnummer;Lager;Menge\r\nHEB-200;DU;12,1\r\n").await;
    let before = stocks(&bed, &bed.scope).await.remove(0);
    let import = bed.upload(&bed.scope, "Artikelnummer;Lager;Lieferzeit\r\nHEB-200;DU;3\r\n", false).await;

    let tx = bed.db.begin().await.unwrap();
    let change = ActiveModel { quantity: Set(Some("24.2".parse().unwrap())), ..Default::default() };
    bed.scope.update_many::<Stocks>(&tx, vec![(before.clone(), change)]).await.unwrap();
    let commit = async {
        bed.db.until_a_write_waits().await;
        tx.commit().await.unwrap();
    };
    let (now, ()) = tokio::join!(bed.work(&import), commit);

    assert_eq!(counts(&now), [0, 1, 0, 0]);
    let stock = stocks(&bed, &bed.scope).await.remove(0);
    assert_eq!(stock.quantity.map(|it| it.to_string()), Some("24.2".to_owned()));
    assert_eq!(stock.lead_time.map(values::Minutes::minutes), Some(3 * 24 * 60));
    assert_eq!(stock.version, before.version + 2);
    // The import records only the fields that the file has changed.
    let row = bed.rows(&import).await.remove(0);
    assert_eq!(row.changes().iter().map(|change| &*change.field).collect::<Vec<_>>(), ["lead_time"]);
}
