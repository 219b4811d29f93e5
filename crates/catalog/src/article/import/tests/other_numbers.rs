//! Tests of GTINs, drawing numbers and other numbers in files.

use lists::{ListQuery, Managed};
use sheets::{Dialect, Format};
use std::io::Read;

use super::*;
use crate::article::{self, Articles, other_number::NumberKind};

const HEADER: &str =
    "Artikeltyp;Artikelnummer;Werkstoff;Durchmesser;Länge [m];Ausführung;EAN;Zeichnungs-Nr.;Other numbers\n";

fn file(rows: &[&str]) -> String {
    HEADER.to_owned() + &rows.join("\n")
}

/// Other numbers of each article, sorted by article number.
async fn numbers(bed: &Bed) -> Vec<(String, Vec<(NumberKind, String)>)> {
    let mut all = Vec::new();
    for article in bed.articles().await {
        let detail = article::get(&bed.db, &bed.scope, article.id).await.unwrap();
        let numbers = detail.other_numbers.into_iter().map(|other| (other.kind, other.number)).collect();
        all.push((article.article_number, numbers));
    }
    all
}

#[tokio::test]
async fn other_numbers_are_written_changed_and_cleared() {
    let bed = Bed::new().await;
    let both = file(&[
        "Rundrohr;A;S235JR;60.3;6;nahtlos;4 006381 333931;Z-1, Z-2;\"\"\"X;1\"\"; Y\"",
        "Rundrohr;B;S235JR;60.3;7;nahtlos;;;",
    ]);
    let dry = bed.dry_run(&both).await;
    assert_eq!((counts(&dry), bed.articles().await.len()), ([2, 0, 0, 0], 0));
    let import = bed.import(&both).await;
    assert_eq!(counts(&import), [2, 0, 0, 0]);
    let entry = |kind: NumberKind, number: &str| (kind, number.to_owned());
    let all = vec![
        entry(NumberKind::Gtin, "4006381333931"),
        entry(NumberKind::Drawing, "Z-1"),
        entry(NumberKind::Drawing, "Z-2"),
        entry(NumberKind::Free, "X;1"),
        entry(NumberKind::Free, "Y"),
    ];
    assert_eq!(numbers(&bed).await, [("A".to_owned(), all.clone()), ("B".to_owned(), vec![])]);
    assert_eq!(counts(&bed.import(&both).await), [0, 0, 2, 0], "the same again changes nothing");

    // An empty cell changes nothing, `#LEER` clears the value, and a number that one row removes is free for
    // later rows.
    let import =
        bed.import("Artikelnummer;GTIN;Zeichnungsnummer;Weitere Nummer\nA;#LEER;Z-2;\nB;;Z-1;\n").await;
    assert_eq!(
        bed.reasons(&import).await,
        reasons(&[(3, &["Zeichnungsnummer: Diese Nummer hat schon der Artikel A"])])
    );
    let import = bed.import("Artikelnummer;Zeichnungsnummer\nB;Z-1\n").await;
    assert_eq!(counts(&import), [0, 1, 0, 0]);
    let rows = bed.rows(&import).await;
    let after = serde_json::to_string(&rows[0].after).unwrap();
    assert!(after.contains("article_other_number") && after.contains("Z-1"), "{after}");
    let remaining =
        vec![entry(NumberKind::Free, "X;1"), entry(NumberKind::Free, "Y"), entry(NumberKind::Drawing, "Z-2")];
    let mut actual = numbers(&bed).await;
    actual[0].1.sort();
    let mut remaining = remaining;
    remaining.sort();
    assert_eq!(
        actual,
        [("A".to_owned(), remaining), ("B".to_owned(), vec![entry(NumberKind::Drawing, "Z-1")])]
    );
    let versions: Vec<i64> = bed.articles().await.iter().map(|article| article.version).collect();
    assert_eq!(versions, [2, 2], "a change of other numbers is one of the article");
}

#[tokio::test]
async fn invalid_other_numbers_are_reported_at_their_cells() {
    let bed = Bed::new().await;
    bed.import(&file(&["Rundrohr;A;S235JR;60.3;6;nahtlos;4006381333931;;N 1"])).await;
    let wrong = file(&[
        "Rundrohr;B;S235JR;60.3;7;nahtlos;4006381333932;;",
        "Rundrohr;C;S235JR;60.3;8;nahtlos;123;Z-1,z-1;",
        "Rundrohr;D;S999;60.3;9;nahtlos;04006381333931;;n  1",
        "Rundrohr;E;S235JR;60.3;10;nahtlos;;Z-7;",
        "Rundrohr;F;S235JR;60.3;11;nahtlos;4,00638E+12;Z-8;Z-7",
        "Rundrohr;G;S235JR;60.3;12;nahtlos;;Z-7;",
    ]);
    let expected: &[(i64, &[&str])] = &[
        (2, &["EAN: Die Prüfziffer stimmt nicht: Auf 400638133393 folgt 1"]),
        (3, &["EAN: Eine GTIN (EAN) hat 8, 12, 13 oder 14 Ziffern", "Zeichnungs-Nr.: Doppelter Wert"]),
        (
            4,
            &[
                "Werkstoff: Der Werkstoff „S999“ ist unbekannt",
                "EAN: Diese Nummer hat schon der Artikel A",
                "Other numbers: Diese Nummer hat schon der Artikel A",
            ],
        ),
        (
            6,
            &[
                "EAN: „4,00638E+12“ wurde von der Tabellenkalkulation verkürzt; bitte formatieren Sie die Spalte als Text oder Zahl",
            ],
        ),
        (7, &["Zeichnungs-Nr.: Der Eintrag kommt in dieser Datei schon in Zeile 5 vor"]),
    ];
    let dry = bed.dry_run(&wrong).await;
    assert_eq!((counts(&dry), bed.reasons(&dry).await), ([1, 0, 0, 5], reasons(expected)));
    let import = bed.import(&wrong).await;
    assert_eq!((counts(&import), bed.reasons(&import).await), ([1, 0, 0, 5], reasons(expected)));
    assert_eq!(bed.numbers().await, ["A", "E"]);
}

#[tokio::test]
async fn exported_other_numbers_are_imported_unchanged() {
    let bed = Bed::new().await;
    bed.import(&file(&[
        "Rundrohr;A;S235JR;60.3;6;nahtlos;4006381333931;Z-1, Z-2;\"\"\"X;1\"\"; 3\"\" Rohr\"",
        "Rundrohr;B;S235JR;60.3;7;nahtlos;96385074;;'1E5",
    ]))
    .await;
    for format in [Format::Csv(Dialect::GERMAN), Format::Xlsx] {
        for language in [Language::De, Language::En] {
            let query = ListQuery::parse_unpaged([]).unwrap();
            let mut bytes = Vec::new();
            let mut file =
                export::export(&bed.db, &bed.scope, &bed.storage, &query, format, language).await.unwrap();
            file.read_to_end(&mut bytes).unwrap();
            let again = bed.import(bytes).await;
            assert_eq!(
                counts(&again),
                [0, 0, 2, 0],
                "{format:?} {language:?} {:?}",
                bed.reasons(&again).await
            );
        }
    }
}

#[tokio::test]
async fn a_former_number_is_dropped_when_a_file_uses_it_for_another_article() {
    let bed = Bed::new().await;
    bed.import(&file(&["Rundrohr;A;S235JR;60.3;6;nahtlos;;;"])).await;
    let article = bed.articles().await.remove(0);
    let mut input = article::ArticleInput::from(article::get(&bed.db, &bed.scope, article.id).await.unwrap());
    input.article_number = Some("A2".into());
    let scope = Scope::platform();
    let renamed = Articles::update(&bed.db, &scope, article.id, input).await.unwrap();
    assert_eq!(renamed.other_numbers.len(), 1);
    bed.import(&file(&["Rundrohr;A;S235JR;60.3;7;nahtlos;;;"])).await;
    assert_eq!(numbers(&bed).await, [("A".to_owned(), vec![]), ("A2".to_owned(), vec![])]);
}
