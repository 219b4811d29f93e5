//! Tests of another system's documents on a database.

use std::sync::atomic::Ordering;

use imports::{
    import::{Import, ImportStatus, replay_cause::ReplayCause, strategy::Strategy, uploader::Uploader},
    registry::Registry,
    testbed::{Bed, counts, reasons},
    unresolved::{State, replay::Replay},
};
use lists::Creatable;
use sea_orm::QueryOrder;
use serde_json::{Value, json};
use values::{Language, PermissionSet};

use super::*;
use crate::{
    matching::{
        MatchingInput, Matchings,
        import::MatchingImporter,
        unresolved::{MatchInput, SuggestionReason, match_number, replay_matched, suggestions},
    },
    stock::{Stocks, import::StockImporter},
    testbed::{articles, warehouse},
};

async fn bed() -> Bed {
    let bed = Bed::for_importer::<MetaDataImporter>().await;
    articles(&bed.db, &[("HEB-200", "12.1", None), ("HEB-220", "12.1", None)]).await;
    warehouse(&bed, &bed.scope, "DU").await;
    bed
}

fn document() -> Value {
    json!({
        "created_at": "2026-11-24T06:00:00Z",
        "articles": [
            { "number": "0004711", "name": "Träger HEB-200, 12,1 m", "price": 812.5 },
            { "number": " 4712 " },
        ],
        "warehouses": [{ "identifier": "LG-3", "name": "DU" }],
        "tenants": [{ "identifier": "1000", "name": "Nord" }, { "identifier": "2000", "name": "Süd" }],
        "customers": [{ "number": "K1" }],
    })
}

async fn import(bed: &Bed, document: &Value) -> Import {
    bed.import(document.to_string()).await
}

async fn numbers(bed: &Bed, scope: &Scope) -> Vec<UnresolvedNumber> {
    scope.find::<UnresolvedNumbers>().order_by_asc(Column::Id).all(&*bed.db).await.unwrap()
}

async fn number_texts(bed: &Bed) -> Vec<String> {
    let numbers = numbers(bed, &bed.scope).await.into_iter();
    numbers.map(|row| format!("{:?} {} ({}) {}", row.kind, row.number, row.designation, row.times)).collect()
}

fn replay<'a>(bed: &'a Bed, registry: &'a Registry) -> Replay<'a> {
    let by = Uploader { scope: &bed.scope, rights: PermissionSet::all(), language: Language::De };
    Replay { db: &bed.db, storage: &bed.storage, registry, by, cause: ReplayCause::Request }
}

async fn matching(bed: &Bed, input: MatchingInput) {
    Matchings::create(&bed.db, &bed.scope, input).await.unwrap();
}

fn matching_input(article: &str, number: &str) -> MatchingInput {
    MatchingInput {
        article_number: Some(article.into()),
        external_article_number: Some(number.into()),
        ..MatchingInput::default()
    }
}

#[tokio::test]
async fn entries_of_the_document_become_unresolved_numbers_and_nothing_else() {
    let bed = bed().await;
    let first = import(&bed, &document()).await;
    assert_eq!((first.status, counts(&first)), (ImportStatus::Success, [5, 0, 0, 0]));
    let expected = [
        "Article 0004711 (Träger HEB-200, 12,1 m) 0",
        "Article 4712 () 0",
        "Tenant 1000 (Nord) 0",
        "Tenant 2000 (Süd) 0",
        "Warehouse LG-3 (DU) 0",
    ];
    assert_eq!(number_texts(&bed).await, expected);
    assert!(numbers(&bed, &bed.scope).await.iter().all(|row| row.import_id == Some(first.id)));
    assert!(numbers(&bed, &bed.other).await.is_empty());
    assert!(bed.scope.find::<Stocks>().all(&*bed.db).await.unwrap().is_empty());

    let again = import(&bed, &document()).await;
    assert_eq!(counts(&again), [0, 0, 5, 0]);
    let renamed = json!({ "articles": [{ "number": "4712", "name": "HEB-220" }, { "number": "0004711" }] });
    assert_eq!(counts(&import(&bed, &renamed).await), [0, 1, 1, 0]);
    assert_eq!(
        number_texts(&bed).await[..2],
        ["Article 0004711 (Träger HEB-200, 12,1 m) 0", "Article 4712 (HEB-220) 0"]
    );
}

#[tokio::test]
async fn matched_entries_are_unchanged_and_matching_removes_a_candidate() {
    let bed = bed().await;
    matching(&bed, matching_input("HEB-200", "0004711")).await;
    let first = import(&bed, &document()).await;
    assert_eq!(counts(&first), [4, 0, 1, 0]);
    let rows = bed.rows(&first).await;
    assert_eq!((&*rows[0].record_name, rows[0].record_id), ("0004711", None));
    assert_eq!(number_texts(&bed).await.len(), 4);

    // Through a form, and through a file.
    matching(&bed, matching_input("HEB-220", "4712")).await;
    assert_eq!(number_texts(&bed).await.len(), 3);
    let file = "Lager;Externe Lagerkennung;Externe Mandantenkennung\r\nDU;lg-3;1000\r\n";
    assert_eq!(counts(&bed.import_as::<MatchingImporter>(file).await), [1, 0, 0, 0]);
    assert_eq!(number_texts(&bed).await, ["Tenant 2000 (Süd) 0"]);
    assert_eq!(counts(&import(&bed, &document()).await), [0, 0, 5, 0]);
}

#[tokio::test]
async fn a_candidate_is_suggested_by_name_and_matched_without_waiting_rows() {
    let bed = bed().await;
    import(&bed, &document()).await;
    let open_numbers = numbers(&bed, &bed.scope).await;
    let mut reasons = Vec::new();
    for number in &open_numbers {
        let first = suggestions(&bed.db, &bed.scope, number).await.unwrap().into_iter().next();
        reasons.push(first.map(|it| (it.number, it.reason)));
    }
    let by_designation = |number: &str| Some((number.to_owned(), SuggestionReason::Designation));
    assert_eq!(reasons[0], by_designation("HEB-200"));
    assert_eq!(reasons[2..], [by_designation("NORD"), None, by_designation("DU")]);

    let registry = Registry::default().with::<StockImporter>();
    let input = MatchInput { article_number: Some("HEB-200".into()), ..MatchInput::default() };
    let (detail, replays) =
        match_number(replay(&bed, &registry), open_numbers[0].id, input.into()).await.unwrap();
    assert_eq!(detail.matching.external_article_number.as_deref(), Some("0004711"));
    assert!(replays.is_empty());
    // Accepts only the acting tenant itself.
    for (tenant_id, code) in [(None, "required"), (Some(bed.other.tenant().unwrap().0), "unknown_reference")]
    {
        let input = MatchInput { tenant_id, ..MatchInput::default() };
        let refused =
            match_number(replay(&bed, &registry), open_numbers[2].id, input.into()).await.unwrap_err();
        assert!(format!("{refused:?}").contains(code), "{refused:?}");
    }
    let own = MatchInput { tenant_id: Some(bed.scope.tenant().unwrap().0), ..MatchInput::default() };
    let (detail, _) =
        match_number(replay(&bed, &registry), open_numbers[2].id, own.clone().into()).await.unwrap();
    assert_eq!(detail.matching.external_tenant_identifier.as_deref(), Some("1000"));
    assert_eq!(detail.matching.name, "1000");
    let second = match_number(replay(&bed, &registry), open_numbers[3].id, own.into()).await.unwrap_err();
    assert!(format!("{second:?}").contains("tenant_named"), "{second:?}");
    assert_eq!(numbers(&bed, &bed.scope).await.len(), 3);
    assert!(replay_matched(replay(&bed, &registry)).await.is_err(), "nothing waits");
    assert_eq!(numbers(&bed, &bed.scope).await.len(), 3, "and open candidates stay");
}

#[tokio::test]
async fn rows_of_files_wait_for_a_candidate_like_for_any_number() {
    let bed = bed().await;
    let first = import(&bed, &document()).await;
    bed.import_as::<StockImporter>("Externe Artikelnummer;Lager;Menge\r\n0004711;DU;3\r\n").await;
    assert_eq!(number_texts(&bed).await[0], "Article 0004711 (Träger HEB-200, 12,1 m) 1");
    assert_eq!(counts(&import(&bed, &document()).await), [0, 0, 5, 0], "its count and import stay");
    matching(&bed, matching_input("HEB-200", "0004711")).await;
    assert_eq!(number_texts(&bed).await.len(), 5, "its row still waits");
    assert_eq!(counts(&import(&bed, &document()).await), [0, 0, 5, 0]);

    let undone = bed.undo(&first, false).await;
    let outcomes = bed.outcomes(&undone).await;
    assert_eq!(outcomes[0], "0004711 Kept: Seit dem Import geändert; der Eintrag bleibt, wie er ist");
    assert_eq!(outcomes[1], "4712 Removed");
    assert_eq!(number_texts(&bed).await.len(), 1);
}

#[tokio::test]
async fn an_import_can_be_tried_undone_and_redone() {
    let bed = bed().await;
    let tried = bed.dry_run(document().to_string()).await;
    assert_eq!(counts(&tried), [5, 0, 0, 0]);
    assert!(number_texts(&bed).await.is_empty());
    let first = bed.apply(&tried).await;
    let before = number_texts(&bed).await;
    let renamed = import(&bed, &json!({ "articles": [{ "number": "4712", "name": "HEB-220" }] })).await;
    assert_eq!(bed.undo(&renamed, false).await.status, ImportStatus::Success);
    assert_eq!(number_texts(&bed).await, before);
    let undone = bed.undo(&first, false).await;
    assert_eq!((undone.rows_removed, number_texts(&bed).await.len()), (5, 0));
    assert_eq!(bed.undo(&undone, false).await.rows_created, 5);
    assert_eq!(number_texts(&bed).await.len(), 5);

    let only = bed
        .try_and_apply(json!({ "articles": [{ "number": "99" }] }).to_string(), Strategy::OnlyExisting)
        .await;
    assert_eq!(only[1].rows_skipped, 1);
}

#[tokio::test]
async fn ignored_numbers_stay_ignored() {
    let bed = bed().await;
    import(&bed, &document()).await;
    let number = numbers(&bed, &bed.scope).await.remove(1);
    imports::unresolved::ignore(&bed.db, &bed.scope, number.id, true).await.unwrap();
    let renamed = json!({ "articles": [{ "number": "4712", "name": "HEB-220" }] });
    assert_eq!(counts(&import(&bed, &renamed).await), [0, 1, 0, 0]);
    assert_eq!(numbers(&bed, &bed.scope).await[1].state, State::Ignored);
}

#[tokio::test]
async fn errors_of_entries_are_reported_with_their_path() {
    let bed = bed().await;
    let document = json!({
        "articles": [
            { "number": 4711, "name": ["a"], "gtin": "4006381333932" },
            "4712",
            { "name": "ohne Nummer" },
            { "number": "x".repeat(256), "name": "a\u{7}" },
            { "number": "4713", "gtin": "4006381333931" },
            { "number": "4713" },
            { "number": "4714", "more": { "of": "it" } },
        ],
        "warehouses": [{ "identifier": true }, { "number": "LG-3" }],
    });
    let import = import(&bed, &document).await;
    assert_eq!((import.status, counts(&import)), (ImportStatus::PartialSuccess, [2, 0, 0, 7]));
    let text = "Hier muss ein Text in Anführungszeichen stehen";
    let expected = reasons(&[
        (
            1,
            &[
                &format!("articles.0.number: {text}"),
                &format!("articles.0.name: {text}"),
                "articles.0.gtin: Die Prüfziffer stimmt nicht: Auf 400638133393 folgt 1",
            ],
        ),
        (2, &["articles.1: Der Eintrag muss ein Objekt mit Feldern sein"]),
        (3, &["articles.2.number: Pflichtfeld"]),
        (4, &["articles.3.number: Höchstens 255 Zeichen", "articles.3.name: Unzulässige Steuerzeichen"]),
        (6, &["articles.5: Der Eintrag kommt in dieser Datei schon in Zeile 5 vor"]),
        (8, &[&format!("warehouses.0.identifier: {text}")]),
        (9, &["warehouses.1.identifier: Pflichtfeld"]),
    ]);
    assert_eq!(bed.reasons(&import).await, expected);
    assert_eq!(numbers(&bed, &bed.scope).await[0].gtin, "4006381333931");
}

#[tokio::test]
async fn other_documents_fail_the_import_with_the_reason() {
    let bed = bed().await;
    let cases = [
        ("Artikelnummer;Menge\r\n1;2\r\n", "kein JSON-Objekt"),
        ("[{\"number\": \"1\"}]", "kein JSON-Objekt"),
        ("{\"artikel\": []}", "keine der Listen articles, warehouses, tenants; gefunden wurden: artikel"),
        ("{\"articles\": []}", "Listen des Dokuments sind leer"),
        ("{\"articles\": [{\"number\": \"1\"},\n{]}", "in Zeile 2 fehlerhaft"),
    ];
    for (content, expected) in cases {
        let import = bed.import(content).await;
        let text = import.status_text(Language::De).unwrap_or_default();
        assert_eq!(import.status, ImportStatus::Failed, "{content}");
        assert!(text.contains(expected), "{content}: {text}");
    }
    assert!(
        number_texts(&bed).await.is_empty(),
        "a damaged document is refused before anything of it is applied"
    );
}

#[tokio::test]
async fn an_import_fails_after_its_permission_was_revoked() {
    let bed = bed().await;
    let import = bed.upload(&bed.scope, document().to_string(), false).await;
    bed.authority.revoked.store(true, Ordering::Relaxed);
    assert_eq!(bed.work(&import).await.status, ImportStatus::Failed);
    assert!(number_texts(&bed).await.is_empty());
}

#[tokio::test]
async fn many_entries_are_applied_in_batches_and_none_twice() {
    let bed = bed().await;
    let articles: Vec<Value> = (0..1_201).map(|number| json!({ "number": format!("N{number}") })).collect();
    let import = import(&bed, &json!({ "articles": articles })).await;
    assert_eq!(counts(&import), [1_201, 0, 0, 0]);
    assert_eq!(numbers(&bed, &bed.scope).await.len(), 1_201);
}
