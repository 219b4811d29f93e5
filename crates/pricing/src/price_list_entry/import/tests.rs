//! Import of files into price lists, with a database.

mod undo;
mod versions;

use imports::{
    import::{
        Import, ImportStatus,
        row::{self, Outcome},
        strategy::Strategy,
    },
    testbed::{Bed, counts, reasons},
};
use lists::{Creatable, Deletable};
use logistics::testbed::articles;
use sea_orm::{EntityTrait, PaginatorTrait, QueryFilter, QueryOrder};
use store::Scope;
use values::{Language, TenantId};

use super::*;
use crate::{
    codes,
    held_price::decision::Decision,
    price_list::{ListScope, ListType, PriceListInput, PriceLists},
    price_list_entry::{
        DecidedInput, DecisionsInput, EntriesInput, EntryInput, import::stage_entity as price_list_stage,
    },
};

const HEADER: &str = "Artikelnummer;Preis;Preismenge;Preiseinheit\r\n";

fn input(scope: &Scope, name: &str) -> PriceListInput {
    PriceListInput {
        name: name.into(),
        customer_name: None,
        announce: false,
        owner_tenant_id: Some(scope.tenant().unwrap().into()),
        owner_tenant_group_id: None,
        r#type: ListType::Sales,
        scope: ListScope::Global,
        valid_from: values::now(),
        limited: false,
        valid_until: None,
        tenant_ids: Vec::new(),
        tenant_group_ids: Vec::new(),
        excluded_tenant_ids: Vec::new(),
        version: None,
    }
}

async fn list_of(bed: &Bed, scope: &Scope, name: &str) -> i64 {
    create_list(bed, scope, input(scope, name)).await
}

async fn create_list(bed: &Bed, scope: &Scope, input: PriceListInput) -> i64 {
    let before = values::now() - chrono::TimeDelta::minutes(6);
    price_list::create_at(&bed.db, scope, input, before).await.unwrap().list.id
}

async fn bed() -> Bed {
    let mut bed = Bed::for_importer::<PriceListImporter>().await;
    let article_rows =
        [("HEB-200", "12.1", Some("61.3")), ("IPE-80", "6", Some("6")), ("UNP-100", "6", Some("10.6"))];
    articles(&bed.db, &article_rows).await;
    bed.aim = Some(list_of(&bed, &bed.scope, "Verkauf").await);
    bed
}

fn list(bed: &Bed) -> i64 {
    bed.aim.unwrap()
}

async fn entries(bed: &Bed) -> Vec<Entry> {
    let of_list = bed.scope.find::<Entries>().filter(Column::PriceListId.eq(list(bed)));
    of_list.order_by_asc(Column::Id).all(&*bed.db).await.unwrap()
}

/// Prices such as `HEB-200 850,00 € je t`, with a price under review after a question mark.
async fn prices(bed: &Bed) -> Vec<String> {
    let text = |side: Side| side.price.map(|price| price.text(Language::De)).unwrap_or_default();
    let texts = entries(bed).await.into_iter().map(|entry| {
        let review_text = entry
            .held
            .clone()
            .map(|held_entry| format!(" ? {}", text(held_entry.wanted)))
            .unwrap_or_default();
        format!("{} {}{review_text}", entry.name, text(Side::from_entry(&entry)))
    });
    texts.collect()
}

async fn price_count(bed: &Bed) -> i64 {
    bed.scope.get::<PriceLists>(&*bed.db, list(bed)).await.unwrap().price_count
}

#[expect(clippy::disallowed_methods, reason = "all staged rows, of all tenants")]
async fn staged_rows(bed: &Bed) -> u64 {
    price_list_stage::Entity::find().count(&*bed.db).await.unwrap()
}

async fn save(bed: &Bed, number: &str, price: Option<&str>) {
    let price = price.map(|price| values::Money {
        price: price.parse().unwrap(),
        price_quantity: Decimal::ONE,
        unit: values::Unit::Tonne,
    });
    let price = EntryInput { article_number: Some(number.into()), price, ..EntryInput::default() };
    let input = EntriesInput { prices: vec![price], keep_bulk_prices: None };
    crate::price_list_entry::update_many(&bed.db, &bed.scope, list(bed), input).await.unwrap();
}

fn status_text(import: &Import) -> String {
    import.status_text(Language::De).unwrap_or_default()
}

#[tokio::test]
async fn a_file_adds_and_replaces_prices_and_keeps_the_rest() {
    let bed = bed().await;
    save(&bed, "IPE-80", Some("900")).await;
    save(&bed, "UNP-100", Some("700")).await;
    let file = "Artikelnummer;Bezeichnung;Preis;Preismenge;Preiseinheit;Staffel 1 ab;Staffelpreis 1;Preis geändert\r\n\
                HEB-200;Träger;850,00;;t;10;830;gestern\r\nIPE-80;;92,50;100;kg;;;\r\n";
    let import = bed.import(file).await;
    assert_eq!((import.status, counts(&import)), (ImportStatus::Success, [1, 1, 0, 0]));
    let expected = ["IPE-80 92,50 € je 100 kg", "UNP-100 700,00 € je t", "HEB-200 850,00 € je t"];
    assert_eq!(prices(&bed).await, expected);
    let imported_entries = entries(&bed).await;
    assert_eq!(imported_entries[2].bulk_prices.as_ref().unwrap().iter().count(), 1);
    assert_eq!(
        (imported_entries[0].version, imported_entries[1].version, imported_entries[2].version),
        (2, 1, 1)
    );
    assert_eq!((price_count(&bed).await, staged_rows(&bed).await), (3, 0));

    // the history of a price refers to its row
    let rows = bed.rows(&import).await;
    let records: Vec<_> = rows.iter().map(|row| (row.outcome, row.record_id)).collect();
    assert_eq!(
        records,
        [(Outcome::Created, Some(imported_entries[2].id)), (Outcome::Updated, Some(imported_entries[0].id))]
    );
    assert!(rows[1].changes().iter().any(|change| change.field == "price" && change.from != change.to));

    assert_eq!(counts(&bed.import(file).await), [0, 0, 2, 0]);
    assert_eq!(entries(&bed).await, imported_entries);

    // a price that is cleared with its quantity breaks is removed; an empty row changes nothing
    let file = "Artikelnummer;Preis;Staffel 1 ab\r\nHEB-200;#LEER;#LEER\r\nIPE-80;;\r\n";
    let import = bed.import(file).await;
    assert_eq!((import.rows_removed, import.rows_unchanged), (1, 1));
    assert_eq!((prices(&bed).await.len(), price_count(&bed).await), (2, 2));
    let import = bed.import(file).await;
    assert_eq!((import.status, import.rows_unchanged), (ImportStatus::Success, 2));
}

#[tokio::test]
async fn price_units_of_list_prices_and_tiers_are_read_from_headings() {
    let bed = bed().await;
    let file =
        "Artikelnummer;Preis (EUR/100 kg);Staffel 1 ab [St];Staffelpreis 1 je t\r\nHEB-200;92,50;5;900\r\n";
    let import = bed.import(file).await;
    assert_eq!((import.status, counts(&import)), (ImportStatus::Success, [1, 0, 0, 0]));
    assert_eq!(prices(&bed).await, ["HEB-200 92,50 € je 100 kg"]);
    let side = Side::from_entry(&entries(&bed).await[0]);
    assert_eq!(side.tiers.iter().next().unwrap().price.text(Language::De), "900,00 € je t");
    let foreign = bed.import(file.replace("EUR/", "CHF/")).await;
    assert_eq!(foreign.status, ImportStatus::Failed);
    assert!(
        status_text(&foreign).contains("Spalte „Preis (CHF/100 kg)“: Preise sind in EUR"),
        "{}",
        status_text(&foreign)
    );
}

#[tokio::test]
async fn a_refused_row_fails_the_whole_file() {
    let bed = bed().await;
    save(&bed, "IPE-80", Some("900")).await;
    let before = entries(&bed).await;
    let file =
        format!("{HEADER}HEB-200;850;1;t\r\nNIE;1;1;t\r\nIPE-80;910;1;t\r\nIPE-80;920;1;t\r\nUNP-100;;;\r\n");
    let import = bed.import(&file).await;
    assert_eq!((import.status, counts(&import)), (ImportStatus::Failed, [0, 0, 0, 3]));
    assert_eq!((import.rows_skipped, import.rows_done), (2, 5));
    assert!(status_text(&import).contains("abgelehnte Zeilen: 3"), "{}", status_text(&import));
    assert_eq!((entries(&bed).await, price_count(&bed).await, staged_rows(&bed).await), (before, 1, 0));
    let expected = reasons(&[
        (3, &["Artikelnummer: „NIE“ gibt es nicht"]),
        (5, &["Artikelnummer: Der Eintrag kommt in dieser Datei schon in Zeile 4 vor"]),
        (6, &["Preis: Pflichtfeld"]),
    ]);
    assert_eq!(bed.reasons(&import).await, expected);
    // a failed import cannot be undone
    assert!(!import.is_undoable());
    assert!(bed.rows(&import).await.iter().all(|row| row.record_id.is_none() && row.changes().is_empty()));
    // an external number without a matching is refused as well: no row of such a file waits for a matching
    let file = "Externe Artikelnummer;Preis\r\n4711;850\r\n";
    let import = bed.import(file).await;
    assert_eq!((import.rows_refused, import.rows_unresolved), (1, 0));
}

#[tokio::test]
async fn a_replacing_file_removes_exactly_the_confirmed_prices() {
    let bed = bed().await;
    for (number, price) in [("HEB-200", "850"), ("IPE-80", "900")] {
        save(&bed, number, Some(price)).await;
    }
    let file = format!("{HEADER}UNP-100;700;1;t\r\nIPE-80;910;1;t\r\n");
    let untried = bed.submit(&bed.scope, &file, false, Strategy::ReplaceAll).await.unwrap_err();
    assert_eq!(untried.code(), codes::TRY_FIRST);
    let [tried, applied] = bed.try_and_apply(&file, Strategy::ReplaceAll).await;
    assert_eq!((tried.rows_removed, counts(&tried)), (1, [1, 1, 0, 0]));
    assert_eq!((applied.status, applied.rows_removed), (ImportStatus::Success, 1));
    assert_eq!(prices(&bed).await, ["IPE-80 910,00 € je t", "UNP-100 700,00 € je t"]);
    assert_eq!(price_count(&bed).await, 2);

    // prices added or removed meanwhile change the confirmed number
    let file = format!("{HEADER}IPE-80;915;1;t\r\n");
    for (price, actual_count) in [(Some("850"), 2), (None, 1)] {
        save(&bed, "HEB-200", Some("850")).await;
        if price.is_some() {
            save(&bed, "HEB-200", None).await;
        }
        let tried = bed.submit(&bed.scope, &file, true, Strategy::ReplaceAll).await.unwrap();
        let tried = bed.work(&tried).await;
        save(&bed, "HEB-200", price).await;
        let before = entries(&bed).await;
        let applied = bed.apply(&tried).await;
        assert_eq!(applied.status, ImportStatus::Failed);
        let expected = format!("was bestätigt wurde (Einträge: {actual_count} statt {})", tried.rows_removed);
        assert!(status_text(&applied).contains(&expected), "{}", status_text(&applied));
        assert_eq!((entries(&bed).await, applied.rows_updated), (before, 0));
    }
}

#[tokio::test]
async fn an_import_of_existing_prices_only_skips_the_rest() {
    let bed = bed().await;
    save(&bed, "IPE-80", Some("900")).await;
    let file = format!("{HEADER}HEB-200;850;1;t\r\nIPE-80;910;1;t\r\n");
    let import = bed.submit(&bed.scope, &file, false, Strategy::OnlyExisting).await.unwrap();
    let import = bed.work(&import).await;
    assert_eq!((import.rows_skipped, import.rows_updated), (1, 1));
    assert_eq!(prices(&bed).await, ["IPE-80 910,00 € je t"]);
}

#[tokio::test]
async fn a_dry_run_reports_all_results_and_writes_nothing() {
    let bed = bed().await;
    save(&bed, "IPE-80", Some("900")).await;
    let before = entries(&bed).await;
    let file = format!("{HEADER}HEB-200;850;1;t\r\nIPE-80;9000;1;t\r\n");
    let tried = bed.dry_run(&file).await;
    assert_eq!((tried.rows_created, tried.rows_held), (1, 1));
    assert_eq!(
        (entries(&bed).await, price_count(&bed).await, staged_rows(&bed).await),
        (before.clone(), 1, 0)
    );
    let rows = bed.rows(&tried).await;
    assert_eq!((rows[0].record_id, rows[1].outcome), (None, Outcome::Held));

    // the dry run fails as the file itself would, so that no user applies a file without effect
    let tried = bed.dry_run(format!("{HEADER}HEB-200;850;1;t\r\nNIE;1;1;t\r\n")).await;
    assert_eq!((tried.status, tried.rows_created, tried.rows_refused), (ImportStatus::Failed, 1, 1));
    assert!(status_text(&tried).contains("abgelehnte Zeilen: 1"), "{}", status_text(&tried));
    assert_eq!((entries(&bed).await, staged_rows(&bed).await), (before, 0));
}

#[tokio::test]
async fn implausible_prices_are_put_under_review_at_their_entry() {
    let bed = bed().await;
    save(&bed, "IPE-80", Some("900")).await;
    let import = bed.import(format!("{HEADER}IPE-80;9000;1;t\r\n")).await;
    assert_eq!((import.status, import.rows_held), (ImportStatus::PartialSuccess, 1));
    assert_eq!(prices(&bed).await, ["IPE-80 900,00 € je t ? 9.000,00 € je t"]);
    let entry = entries(&bed).await.remove(0);
    assert_eq!(entry.held.unwrap().row, Some((import.id, 2)));
    let why = bed.outcomes(&import).await;
    assert!(why[0].starts_with("IPE-80 Held: Preis: "), "{why:?}");
}

#[tokio::test]
async fn first_prices_below_the_internal_price_are_reviewed_and_undone_with_their_file() {
    let mut bed = bed().await;
    let sales = bed.aim;
    let (r#type, scope) = (ListType::Internal, ListScope::Own);
    let internal = PriceListInput { r#type, scope, ..input(&bed.scope, "Einkauf") };
    bed.aim = Some(create_list(&bed, &bed.scope, internal).await);
    save(&bed, "HEB-200", Some("900")).await;
    bed.aim = sales;
    let file = format!("{HEADER}HEB-200;850;1;t\r\nIPE-80;850;1;t\r\n");
    let tried = bed.dry_run(&file).await;
    assert_eq!((tried.rows_created, tried.rows_held), (1, 1));
    let import = bed.import(&file).await;
    assert_eq!((import.status, import.rows_created, import.rows_held), (ImportStatus::PartialSuccess, 1, 1));
    assert_eq!(prices(&bed).await, ["HEB-200  ? 850,00 € je t", "IPE-80 850,00 € je t"]);
    let why = bed.outcomes(&import).await;
    assert_eq!(why[0], "HEB-200 Held: Preis: Der Preis liegt unter dem internen Preis des Artikels.");
    // a row without a price is refused if there is no former price
    let silent = bed.import("Artikelnummer;Preis\r\nHEB-200;\r\n").await;
    assert_eq!(silent.rows_refused, 1);
    // a released price belongs to the file, whose undo removes it
    let entry = entries(&bed).await.remove(0);
    let decided_prices = vec![DecidedInput { id: entry.id, version: entry.version, proposal: None }];
    let input = DecisionsInput { prices: decided_prices, decision: Decision::Release };
    crate::price_list_entry::decide(&bed.db, &bed.scope, list(&bed), input).await.unwrap();
    assert_eq!(prices(&bed).await, ["HEB-200 850,00 € je t", "IPE-80 850,00 € je t"]);
    bed.undo(&import, false).await;
    assert_eq!((prices(&bed).await.len(), price_count(&bed).await), (0, 0));
}

#[tokio::test]
async fn all_prices_of_a_file_take_effect_together() {
    let bed = bed().await;
    save(&bed, "IPE-80", Some("900")).await;
    let file = format!("{HEADER}HEB-200;850;1;t\r\nIPE-80;910;1;t\r\n");
    let import = bed.upload(&bed.scope, &file, false).await;
    bed.work_on_first_batch().await;
    let running = bed.now(&import).await;
    assert_eq!((running.status, running.rows_done), (ImportStatus::InProgress, 2));
    // one staged batch
    assert_eq!((prices(&bed).await, staged_rows(&bed).await), (vec!["IPE-80 900,00 € je t".to_owned()], 1));
    // its rows refer to their prices, which have no history of the import yet
    let record_ids: Vec<i64> = bed.rows(&import).await.iter().filter_map(|row| row.record_id).collect();
    let happened = async || {
        let entries = row::happened(&*bed.db, store::audit::table::<Entries>(), &record_ids).await.unwrap();
        let mut ids: Vec<i64> = entries.iter().map(|entry| entry.record_id).collect();
        ids.sort_unstable();
        ids
    };
    assert_eq!((record_ids.len(), happened().await), (2, vec![]));
    // another process continues
    let import = bed.work(&import).await;
    assert_eq!((import.status, counts(&import)), (ImportStatus::Success, [1, 1, 0, 0]));
    let mut ids: Vec<i64> = entries(&bed).await.iter().map(|entry| entry.id).collect();
    ids.sort_unstable();
    assert_eq!(happened().await, ids);
    assert_eq!(prices(&bed).await, ["IPE-80 910,00 € je t", "HEB-200 850,00 € je t"]);
    assert_eq!((price_count(&bed).await, staged_rows(&bed).await), (2, 0));
}

#[tokio::test]
async fn a_row_from_an_earlier_attempt_is_reported_as_a_duplicate() {
    let bed = bed().await;
    let unknown = "NIE;1;1;t\r\n".repeat(1_000);
    let file = format!("{HEADER}HEB-200;850;1;t\r\n{unknown}HEB-200;860;1;t\r\n");
    let import = bed.upload(&bed.scope, &file, false).await;
    bed.work_on_first_batch().await;
    assert_eq!(bed.now(&import).await.rows_done, 1_000);
    let import = bed.work(&import).await;
    assert_eq!((import.rows_refused, import.rows_skipped), (1_001, 1));
    let last = bed.reasons(&import).await.pop().unwrap();
    assert_eq!(
        last,
        (1_003, vec!["Artikelnummer: Der Eintrag kommt in dieser Datei schon in Zeile 2 vor".to_owned()])
    );
}

#[tokio::test]
async fn a_row_from_the_previous_batch_is_reported_as_a_duplicate() {
    let bed = bed().await;
    let empty = "IPE-80;;;\r\n".repeat(999);
    let file = format!("{HEADER}HEB-200;850;1;t\r\n{empty}HEB-200;860;1;t\r\n");
    let import = bed.import(&file).await;
    let last = bed.reasons(&import).await.pop().unwrap();
    let repeated = "Artikelnummer: Der Eintrag kommt in dieser Datei schon in Zeile 2 vor";
    assert_eq!(last, (1_002, vec![repeated.to_owned()]));
}

#[tokio::test]
async fn prices_of_files_and_of_forms_get_distinct_ids() {
    let bed = bed().await;
    let first = bed.import(format!("{HEADER}HEB-200;850;1;t\r\n")).await;
    save(&bed, "IPE-80", Some("900")).await;
    let second = bed.import(format!("{HEADER}UNP-100;700;1;t\r\nHEB-200;851;1;t\r\n")).await;
    assert_eq!((first.status, second.status), (ImportStatus::Success, ImportStatus::Success));
    assert_eq!(
        prices(&bed).await,
        ["HEB-200 851,00 € je t", "IPE-80 900,00 € je t", "UNP-100 700,00 € je t"]
    );
}

#[tokio::test]
async fn concurrent_changes_are_not_overwritten() {
    let bed = bed().await;
    save(&bed, "IPE-80", Some("900")).await;
    for (number, price, expected) in
        [("IPE-80", "905", "IPE-80 905,00 € je t"), ("HEB-200", "800", "HEB-200 800,00 € je t")]
    {
        let file = format!("{HEADER}HEB-200;850;1;t\r\nIPE-80;910;1;t\r\nUNP-100;700;1;t\r\n");
        let import = bed.upload(&bed.scope, &file, false).await;
        bed.work_on_first_batch().await;
        save(&bed, number, Some(price)).await;
        let before = entries(&bed).await;
        let import = bed.work(&import).await;
        assert_eq!(import.status, ImportStatus::Failed);
        assert!(status_text(&import).contains("die Liste geändert (Preise: 1)"), "{}", status_text(&import));
        assert_eq!((entries(&bed).await, staged_rows(&bed).await), (before, 0));
        assert!(prices(&bed).await.contains(&expected.to_owned()));
    }
}

#[tokio::test]
async fn concurrent_files_into_one_list_are_not_mixed() {
    let bed = bed().await;
    let file = |price: u32| format!("{HEADER}HEB-200;{price};1;t\r\nIPE-80;{price};1;t\r\n");
    let (first, second) = (file(850), file(900));
    let one = bed.upload(&bed.scope, &first, false).await;
    let other = bed.upload(&bed.scope, &second, false).await;
    let both = bed.work_both_at_once([&one, &other]).await;
    let done: Vec<_> = both.iter().filter(|import| import.status == ImportStatus::Success).collect();
    assert!(!done.is_empty(), "{:?}", both.each_ref().map(status_text));
    let prices = prices(&bed).await;
    assert_eq!((prices.len(), price_count(&bed).await, staged_rows(&bed).await), (2, 2, 0));
    let price_of = |text: &str| text.split_once(' ').unwrap().1.to_owned();
    assert_eq!(price_of(&prices[0]), price_of(&prices[1]), "both prices are of one file");
}

#[tokio::test]
async fn a_list_archived_or_deleted_during_an_import_gets_none_of_its_prices() {
    let mut bed = bed().await;
    for ends in [true, false] {
        let name = if ends { "endet" } else { "geht" };
        bed.aim = Some(if ends { list_of(&bed, &bed.scope, name).await } else { pending(&bed, name).await });
        let import = bed.upload(&bed.scope, format!("{HEADER}HEB-200;850;1;t\r\n"), false).await;
        bed.work_on_first_batch().await;
        if ends {
            price_list::archive(&bed.db, &bed.scope, list(&bed), None).await.unwrap();
        } else {
            <PriceLists as Deletable>::delete(&bed.db, &bed.scope, list(&bed)).await.unwrap();
        }
        let import = bed.work(&import).await;
        assert_eq!(import.status, ImportStatus::Failed);
        let expected = if ends { "ist abgelaufen" } else { "gibt es nicht mehr" };
        assert!(status_text(&import).contains(expected), "{}", status_text(&import));
        assert_eq!((entries(&bed).await.len(), staged_rows(&bed).await, import.rows_skipped), (0, 0, 1));
    }
}

/// Creates a list that begins tomorrow, and so can be deleted.
async fn pending(bed: &Bed, name: &str) -> i64 {
    let input = PriceListInput {
        name: name.into(),
        customer_name: None,
        announce: false,
        owner_tenant_id: Some(bed.scope.tenant().unwrap().into()),
        owner_tenant_group_id: None,
        r#type: ListType::Sales,
        scope: ListScope::Own,
        valid_from: values::now() + chrono::TimeDelta::days(1),
        limited: false,
        valid_until: None,
        tenant_ids: Vec::new(),
        tenant_group_ids: Vec::new(),
        excluded_tenant_ids: Vec::new(),
        version: None,
    };
    PriceLists::create(&bed.db, &bed.scope, input).await.unwrap().list.id
}

#[tokio::test]
async fn prices_are_imported_only_into_lists_of_the_tenant() {
    let mut bed = bed().await;
    let of_other = list_of(&bed, &bed.other, "Fremd").await;
    let file = format!("{HEADER}HEB-200;850;1;t\r\n");
    #[expect(clippy::disallowed_methods, reason = "stands for authentication")]
    let nord = Scope::granted_by_authentication(
        bed.scope.tenant().ok(),
        None,
        bed.scope.user(),
        values::PermissionSet::all(),
    )
    .unwrap();
    bed.aim = Some(999);
    let refused = bed.submit(&nord, &file, false, Strategy::default()).await.unwrap_err();
    assert!(format!("{refused:?}").contains("unknown_reference"), "{refused:?}");
    // the list is global: every tenant can read it, but not write it
    bed.aim = Some(of_other);
    let refused = bed.submit(&nord, &file, false, Strategy::default()).await.unwrap_err();
    assert_eq!(refused.code(), codes::NOT_OWN_PRICE_LIST);
    bed.aim = None;
    let refused = bed.submit(&nord, &file, false, Strategy::default()).await.unwrap_err();
    assert!(format!("{refused:?}").contains("required"), "{refused:?}");

    // the platform writes as the owner, whichever tenant it acts for
    bed.aim = Some(of_other);
    let import = bed.submit(&bed.scope, &file, false, Strategy::default()).await.unwrap();
    assert_eq!(TenantId(import.tenant_id), bed.other.tenant().unwrap());
    let import = bed.work(&import).await;
    assert_eq!(import.status, ImportStatus::Success);
    let entry = bed.other.find::<Entries>().filter(Column::PriceListId.eq(of_other)).one(&*bed.db).await;
    assert_eq!(entry.unwrap().unwrap().tenant_id, import.tenant_id);
}
