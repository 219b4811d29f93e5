//! Tests of matching files, from their bytes to the rows in the database.

mod undo;

use catalog::article;
use imports::{
    import::{Import, ImportStatus, row::Outcome, strategy::Strategy},
    testbed::{Bed, counts, reasons},
};
use lists::Detailed;
use serde_json::json;
use sheets::{Cell, Row, number::Style};

use super::*;
use crate::{
    matching::Matchings,
    testbed::{articles, matched, warehouse},
};

const HEADER: &str =
    "Mandant;Artikelnummer;Externe Artikelnummer;Lager;Externe Lagernummer;Externe Mandantennummer\n";

fn file(rows: &[&str]) -> String {
    HEADER.to_owned() + &rows.join("\n")
}

/// Two tenants, the articles HEB-200, IPE-80 and L-50, the warehouses DU and HH of the first tenant, and LNZ
/// of the other.
async fn bed() -> Bed {
    let bed = Bed::for_importer::<MatchingImporter>().await;
    let article_rows = ["HEB-200", "IPE-80", "L-50"].map(|number| (number, "6", None));
    articles(&bed.db, &article_rows).await;
    for (scope, code) in [(&bed.scope, "DU"), (&bed.scope, "HH"), (&bed.other, "LNZ")] {
        warehouse(&bed, scope, code).await;
    }
    bed
}

/// Matchings in the form `HEB-200=4711 DU=L1 K77`, sorted by their keys.
async fn matchings(bed: &Bed, scope: &Scope) -> Vec<String> {
    let rows = scope.find::<Matchings>().order_by_asc(Column::Name).all(&*bed.db).await.unwrap();
    let details = Matchings::detailed(&*bed.db, scope, rows).await.unwrap();
    let pair = |own: Option<String>, external: Option<String>| Some(format!("{}={}", own?, external?));
    let texts = details.into_iter().map(|detail| {
        let row = detail.matching;
        let article = pair(detail.article.map(|article| article.article_number), row.external_article_number);
        let warehouse =
            pair(detail.warehouse.map(|place| place.short_code), row.external_warehouse_identifier);
        [article, warehouse, row.external_tenant_identifier]
            .into_iter()
            .flatten()
            .collect::<Vec<_>>()
            .join(" ")
    });
    texts.collect()
}

async fn import(bed: &Bed, rows: &[&str]) -> Import {
    bed.import(file(rows)).await
}

/// Imports one row that must be refused and returns the reasons.
async fn refused(bed: &Bed, row: &str) -> Vec<String> {
    let import = import(bed, &[row]).await;
    assert_eq!((import.status, counts(&import)), (ImportStatus::Failed, [0, 0, 0, 1]), "{row}");
    bed.reasons(&import).await.remove(0).1
}

fn cell(text: &str) -> Cell {
    Cell::Text(text.to_owned())
}

fn row(line: u32, cells: [&str; 6]) -> Row {
    Row { line, cells: cells.map(cell).to_vec(), faults: Vec::new() }
}

async fn prepared(bed: &Bed) -> MatchingImporter {
    let header: Vec<_> = HEADER.trim().split(';').map(Title::new).collect();
    MatchingImporter::prepare(&bed.db, &bed.scope, &header, Language::De).await.unwrap().unwrap()
}

async fn id_of(bed: &Bed, article_number: &str) -> i64 {
    let select =
        bed.scope.find::<article::Articles>().filter(article::Column::ArticleNumber.eq(article_number));
    select.one(&*bed.db).await.unwrap().unwrap().id
}

#[tokio::test]
async fn matchings_are_created_changed_and_left_unchanged() {
    let bed = bed().await;
    let rows = [
        "NORD;heb-200;0004711;;;K77",
        "nord;IPE-80;0004712;du;L1;",
        ";;;HH;L2;",
        // In the warehouse that L1 stands for since the row before last.
        ";L-50;0004711;;l1;k77",
    ];
    let dry = bed.dry_run(file(&rows)).await;
    assert_eq!(
        (dry.status, counts(&dry)),
        (ImportStatus::Success, [4, 0, 0, 0]),
        "{:?}",
        bed.reasons(&dry).await
    );
    assert_eq!(matchings(&bed, &bed.scope).await, [""; 0]);
    let first = import(&bed, &rows).await;
    assert_eq!((first.status, counts(&first)), (ImportStatus::Success, [4, 0, 0, 0]));
    let expected = ["HEB-200=0004711 K77", "L-50=0004711 DU=l1 k77", "IPE-80=0004712 DU=L1", "HH=L2"];
    assert_eq!(matchings(&bed, &bed.scope).await, expected);
    assert_eq!(matchings(&bed, &bed.other).await, [""; 0]);

    let again = import(&bed, &rows).await;
    assert_eq!(counts(&again), [0, 0, 4, 0]);
    // An empty cell changes nothing, `#LEER` clears; a warehouse can change in its only matching.
    let second = import(&bed, &[";IPE-80;0004711;;;#LEER", ";;0004712;;l1;", ";;;du;L2;"]).await;
    assert_eq!(counts(&second), [0, 2, 1, 0], "{:?}", bed.reasons(&second).await);
    let expected = ["IPE-80=0004711", "L-50=0004711 DU=l1 k77", "IPE-80=0004712 DU=L1", "DU=L2"];
    assert_eq!(matchings(&bed, &bed.scope).await, expected);

    let rows = bed.rows(&second).await;
    let actual: Vec<_> = rows.iter().map(|row| (row.line, row.outcome, row.record_name.as_str())).collect();
    assert_eq!(
        actual,
        [
            (2, Outcome::Updated, "0004711"),
            (3, Outcome::Unchanged, "0004712, L1"),
            (4, Outcome::Updated, "L2")
        ]
    );
    let (heb, ipe) = (id_of(&bed, "HEB-200").await, id_of(&bed, "IPE-80").await);
    assert_eq!(
        (rows[0].before.clone().unwrap(), rows[0].after.clone().unwrap()),
        (json!({ "article_id": heb, "external_tenant_identifier": "K77" }), json!({ "article_id": ipe }))
    );
    assert_eq!((&rows[1].before, &rows[1].after), (&None, &None));
}

#[tokio::test]
async fn all_faults_of_a_row_are_reported_at_their_columns() {
    let bed = bed().await;
    for (row, expected) in [
        (
            "SUED;HEB-300;1,23457E+12;LNZ;L1;",
            &[
                "Externe Artikelnummer: „1,23457E+12“ wurde von der Tabellenkalkulation verkürzt; bitte formatieren Sie \
                 die Spalte als Text oder Zahl",
                "Mandant: Das ist nicht der Mandant, für den importiert wird: NORD",
                "Artikelnummer: „HEB-300“ gibt es nicht",
                "Lager: „LNZ“ gibt es nicht",
            ][..],
        ),
        ("Nirgendwo;HEB-200;1;;;", &["Mandant: Das ist nicht der Mandant, für den importiert wird: NORD"]),
        (";HEB-200;;;;", &["Externe Artikelnummer: Pflichtfeld"]),
        (";;4711;;;", &["Artikelnummer: Pflichtfeld"]),
        (
            ";#LEER;4711;#LEER;L1;",
            &[
                "Artikelnummer: Dieses Feld kann nicht geleert werden",
                "Lager: Dieses Feld kann nicht geleert werden",
            ],
        ),
        (";;;;L9;", &["Lager: Pflichtfeld"]),
        (";HEB-200;4711;XX;;", &["Lager: „XX“ gibt es nicht", "Externe Lagernummer: Pflichtfeld"]),
        (
            ";;;;;#LEER",
            &[
                "Externe Artikelnummer: Bitte geben Sie einen Artikel oder ein Lager mit der externen Kennung an, oder wie das andere System den Mandanten nennt.",
            ],
        ),
    ] {
        assert_eq!(refused(&bed, row).await, expected, "{row}");
    }
    let long = refused(&bed, &format!(";HEB-200;{};;;", "x".repeat(256))).await;
    assert!(long[0].starts_with("Externe Artikelnummer: ") && long[0].contains("255"), "{long:?}");
    assert_eq!(matchings(&bed, &bed.scope).await, [""; 0]);
}

#[tokio::test]
async fn paired_columns_are_required_together() {
    let bed = bed().await;
    let message = async |text: &str| bed.import(text).await.status_text(Language::De).unwrap();
    assert_eq!(
        message("Externe Artikelnummer;Lager\n4711;DU\n").await,
        "Es fehlt die Spalte „Artikelnummer“; gefunden wurden: Externe Artikelnummer, Lager\n\
         Es fehlt die Spalte „Externe Lagerkennung“; gefunden wurden: Externe Artikelnummer, Lager"
    );
    let missing = message("Mandant\nNORD\n").await;
    assert!(
        missing.starts_with("Es fehlt die Spalte „Externe Artikelnummer“ / „Externe Lagerkennung“"),
        "{missing}"
    );
    let english = "article_number,External article number,Changed\nHEB-200,4711,yesterday\n";
    assert_eq!(counts(&bed.import(english).await), [1, 0, 0, 0]);
}

#[tokio::test]
async fn repeated_matchings_and_contradicting_warehouses_are_refused() {
    let bed = bed().await;
    import(&bed, &[";HEB-200;A;DU;L1;", ";HEB-200;B;DU;L1;"]).await;
    // Far enough apart to be in different batches, which share only the database, and in a dry run nothing.
    let filler: Vec<String> = (0..1_100).map(|row| format!(";IPE-80;F{row};;;")).collect();
    let mut rows =
        vec![";HEB-200;neu;HH;L9;K1", ";IPE-80;NEU;;l9;", ";HEB-200;A;HH;L1;", ";HEB-200;andere;;;K2"];
    rows.extend(filler.iter().map(String::as_str));
    rows.extend([";IPE-80;neu;HH;L9;", ";IPE-80;C;DU;L9;", ";IPE-80;D;;l9;", ";HEB-200;noch eine;;;K2"]);
    let differs = "Externe Lagernummer: Diese externe Lagerkennung ist schon einem anderen Lager zugeordnet.";
    let tenant = "Externe Mandantennummer: Das ist nicht der Mandant, für den importiert wird: K1";
    let expected = reasons(&[
        (3, &["Externe Artikelnummer: Der Eintrag kommt in dieser Datei schon in Zeile 2 vor"]),
        (4, &[differs]),
        (5, &[tenant]),
        (1106, &["Externe Artikelnummer: Der Eintrag kommt in dieser Datei schon in Zeile 2 vor"]),
        (1107, &[differs]),
        (1109, &[tenant]),
    ]);
    let dry = bed.dry_run(file(&rows)).await;
    assert_eq!((counts(&dry), bed.reasons(&dry).await), ([1_102, 0, 0, 6], expected.clone()), "a dry run");
    let real = import(&bed, &rows).await;
    assert_eq!((counts(&real), bed.reasons(&real).await), ([1_102, 0, 0, 6], expected));
    let all = matchings(&bed, &bed.scope).await;
    assert!(all.contains(&"HEB-200=neu HH=L9 K1".to_owned()) && all.contains(&"IPE-80=D HH=l9".to_owned()));
}

#[tokio::test]
async fn records_of_other_tenants_are_reported_as_unknown() {
    let bed = bed().await;
    let theirs = bed.upload(&bed.other, file(&[";HEB-200;4711;LNZ;L1;K99", ";;;LNZ;L2;"]), false).await;
    assert_eq!(counts(&bed.work(&theirs).await), [2, 0, 0, 0]);
    for code in ["LNZ", "nirgends"] {
        let expected = format!("Lager: „{code}“ gibt es nicht");
        assert_eq!(refused(&bed, &format!(";HEB-200;4711;{code};L1;")).await, [expected]);
    }
    assert_eq!(refused(&bed, ";IPE-80;4712;;L2;").await, ["Lager: Pflichtfeld"]);
    let ours = import(&bed, &[";IPE-80;4711;DU;L1;K77"]).await;
    assert_eq!(counts(&ours), [1, 0, 0, 0], "the same keys are others here");
    for identifier in ["K99", "K00"] {
        let expected = "Externe Mandantennummer: Das ist nicht der Mandant, für den importiert wird: K77";
        assert_eq!(refused(&bed, &format!(";HEB-200;4712;;;{identifier}")).await, [expected]);
    }
    assert_eq!(matchings(&bed, &bed.scope).await, ["IPE-80=4711 DU=L1 K77"]);
    assert_eq!(matchings(&bed, &bed.other).await, ["HEB-200=4711 LNZ=L1 K99", "LNZ=L2"]);
}

#[tokio::test]
async fn concurrent_imports_of_the_same_keys_lose_nothing() {
    let bed = bed().await;
    let rows: Vec<String> = (0..1_200).map(|row| format!(";HEB-200;N{row};DU;L1;")).collect();
    let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
    let first = bed.upload(&bed.scope, file(&rows), false).await;
    let second = bed.upload(&bed.scope, file(&rows), false).await;
    let [first, second] = bed.work_both_at_once([&first, &second]).await;
    assert_eq!((first.status, second.status), (ImportStatus::Success, ImportStatus::Success));
    assert_eq!(first.rows_created + second.rows_created, 1_200);
    assert_eq!(first.rows_unchanged + second.rows_unchanged, 1_200);
    let all = bed.scope.find::<Matchings>().all(&*bed.db).await.unwrap();
    assert!(all.len() == 1_200 && all.iter().all(|matching| matching.version == 1));
}

/// Two files that contradict each other: the first one is right, and nothing contradicts it afterwards.
#[tokio::test]
async fn concurrent_imports_never_map_an_external_warehouse_to_two_warehouses() {
    let bed = bed().await;
    let file_for = |code: &str| -> String {
        let rows: Vec<String> = (0..600).map(|row| format!(";HEB-200;{code}{row};{code};L1;")).collect();
        file(&rows.iter().map(String::as_str).collect::<Vec<_>>())
    };
    let first = bed.upload(&bed.scope, file_for("DU"), false).await;
    let second = bed.upload(&bed.scope, file_for("HH"), false).await;
    let mut both = bed.work_both_at_once([&first, &second]).await.map(|import| counts(&import));
    both.sort_unstable();
    assert_eq!(both, [[0, 0, 0, 600], [600, 0, 0, 0]]);
}

#[tokio::test]
async fn deleted_articles_are_unknown_and_referenced_ones_cannot_be_deleted() {
    let bed = bed().await;
    let rows = [";HEB-200;4711;;;", ";IPE-80;4712;;;"];
    let dry = bed.dry_run(file(&rows)).await;
    assert_eq!(counts(&dry), [2, 0, 0, 0]);
    let queued = bed.upload(&bed.scope, file(&rows), false).await;
    article::delete(&bed.db, &bed.storage, &Scope::platform(), id_of(&bed, "HEB-200").await, "HEB-200")
        .await
        .unwrap();
    let import = bed.work(&queued).await;
    assert_eq!(counts(&import), [1, 0, 0, 1]);
    assert_eq!(bed.reasons(&import).await, reasons(&[(2, &["Artikelnummer: „HEB-200“ gibt es nicht"])]));

    // The record cannot be deleted between its lookup and the write.
    let mut importer = prepared(&bed).await;
    let row = row(2, ["", "L-50", "4713", "", "", ""]);
    let line = Line { row: &row, style: Style::Comma };
    let id = id_of(&bed, "L-50").await;
    let tx = bed.db.begin().await.unwrap();
    importer.resolve(&tx, &bed.scope, &[line]).await.unwrap();
    let write = async {
        bed.db.until_a_write_waits().await;
        let draft = importer.draft(line, None).unwrap();
        bed.scope.upsert::<Matchings>(&tx, vec![draft]).await.unwrap();
        tx.commit().await.unwrap();
    };
    let platform = Scope::platform();
    let (deleted, ()) = tokio::join!(article::delete(&bed.db, &bed.storage, &platform, id, "L-50"), write);
    assert!(deleted.is_err(), "it is referenced by then");
    assert_eq!(matchings(&bed, &bed.scope).await, ["IPE-80=4712", "L-50=4713"]);
}

/// The number of statements does not depend on the rows of a batch or the matchings of an external warehouse.
#[tokio::test]
async fn a_batch_is_resolved_in_few_statements() {
    let bed = bed().await;
    import(&bed, &[";HEB-200;4711;DU;L1;"]).await;
    let mut importer = prepared(&bed).await;
    let rows =
        (0..500).map(|line| row(line, ["", "L-50", &format!("N{line}"), "DU", &format!("L{line}"), ""]));
    let rows: Vec<_> = rows.collect();
    let lines: Vec<_> = rows.iter().map(|row| Line { row, style: Style::Comma }).collect();
    let tx = bed.db.begin().await.unwrap();
    let (_, sent) = store::statements::sent_by(importer.resolve(&tx, &bed.scope, &lines)).await;
    assert_eq!(sent.len(), 4, "{sent:?}");
    tx.rollback().await.unwrap();
}

#[tokio::test]
async fn a_file_deletes_only_the_matchings_that_it_names() {
    let bed = Bed::for_importer::<MatchingDeleter>().await;
    articles(&bed.db, &[("HEB-200", "6", None), ("IPE-80", "6", None)]).await;
    warehouse(&bed, &bed.scope, "DU").await;
    warehouse(&bed, &bed.other, "LNZ").await;
    for (number, article) in [("4711", "HEB-200"), ("4712", "IPE-80"), ("4713", "IPE-80")] {
        matched(&bed, &bed.scope, number, article, None).await;
    }
    matched(&bed, &bed.scope, "4714", "HEB-200", Some(("DU", "L1"))).await;
    matched(&bed, &bed.other, "4711", "HEB-200", None).await;

    let file = "Externe Artikelnummer;Externe Lagerkennung;Artikelnummer\n\
                4711;;heb-200\n4712;;HEB-200\n4714;l1;\n4715;;\n4714;;\n4711;;\n";
    let dry = bed.dry_run(file).await;
    assert_eq!((dry.rows_removed, dry.rows_refused), (2, 4));
    let import = bed.import(file).await;
    assert_eq!((import.rows_removed, import.rows_refused), (2, 4));
    let expected = [
        (
            3,
            &[
                "Externe Artikelnummer: Die Zuordnung nennt einen anderen Artikel oder ein anderes Lager als diese Zeile.",
            ][..],
        ),
        (5, &["Externe Artikelnummer: Eine solche Zuordnung gibt es nicht."]),
        (6, &["Externe Artikelnummer: Eine solche Zuordnung gibt es nicht."]),
        (7, &["Externe Artikelnummer: Diesen Datensatz nennt schon Zeile 2 dieser Datei."]),
    ];
    let actual = bed.reasons(&import).await;
    assert_eq!(actual[..3], reasons(&expected)[..3]);
    assert_eq!(actual[3].0, 7);
    assert_eq!(matchings(&bed, &bed.scope).await, ["IPE-80=4712", "IPE-80=4713"]);
    assert_eq!(matchings(&bed, &bed.other).await, ["HEB-200=4711"]);
    let rows = bed.rows(&import).await;
    assert_eq!(rows[0].before.as_ref().unwrap()["external_article_number"], "4711");
}

#[tokio::test]
async fn a_replacing_file_removes_the_matchings_that_it_does_not_name() {
    let bed = bed().await;
    import(&bed, &["NORD;HEB-200;4711;;;", "NORD;IPE-80;4712;;;"]).await;
    let of_other = bed.upload(&bed.other, file(&["SUED;HEB-200;4711;;;"]), false).await;
    bed.work(&of_other).await;
    let replacing = file(&["NORD;HEB-200;4711;;;", "NORD;L-50;4713;;;"]);
    let [tried, applied] = bed.try_and_apply(replacing, Strategy::ReplaceAll).await;
    assert_eq!((tried.rows_removed, applied.rows_removed), (1, 1));
    assert_eq!(matchings(&bed, &bed.scope).await, ["HEB-200=4711", "L-50=4713"]);
    assert_eq!(matchings(&bed, &bed.other).await, ["HEB-200=4711"]);
}
