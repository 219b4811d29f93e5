//! Tests of article files, from their bytes to the rows in the database.

mod former_names;
mod other_numbers;
mod undo;

use imports::{
    import::{ImportStatus, row::Outcome},
    testbed::{counts, reasons},
};
use lists::{Creatable, Managed};
use sea_orm::{ColumnTrait, QueryFilter};
use serde_json::json;
use sheets::{Cell, Row, number::Style};
use values::Language;

use super::{
    testbed::{Bed, decimal},
    *,
};
use crate::{
    article_type::{self, ArticleTypeInput, ArticleTypes},
    material::{self, MaterialInput, Materials},
    shape::Dimension,
};

const HEADER: &str =
    "Artikeltyp;Artikelnummer;Bezeichnung;Werkstoff;Durchmesser;Länge [m];Ausführung;Gewicht\n";

fn file(rows: &[&str]) -> String {
    HEADER.to_owned() + &rows.join("\n")
}

#[tokio::test]
async fn articles_are_created_with_rendered_numbers_names_and_weights() {
    let bed = Bed::new().await;
    let import = bed
        .import(&file(&[
            "Rundrohr;;;S235JR;60.3;6;nahtlos;",
            "rundrohr;;;1.0577;Ø 76.1;12,5;geschweißt;",
            "RUNDROHR;Lager-7;Sonderrohr;baustahl;60,3;0,5;x;1,5",
        ]))
        .await;
    assert_eq!((import.status, counts(&import)), (ImportStatus::Success, [3, 0, 0, 0]));
    assert_eq!((import.rows_total, import.rows_done), (Some(3), 3));
    assert!(import.started_at.is_some() && import.finished_at.is_some() && import.lease_until.is_none());

    let articles = bed.articles().await;
    let actual: Vec<_> = articles
        .iter()
        .map(|article| {
            let Article { article_number, article_name, weight_per_base_unit, .. } = article;
            (article_number.as_str(), article_name.as_str(), weight_per_base_unit.unwrap().to_string())
        })
        .collect();
    assert_eq!(
        actual,
        [
            ("Lager-7", "Sonderrohr", "1.5".to_owned()),
            ("RO-60.3-S235-6000", "Rohr 60,3 x 6,00 S235JR", "4.11".to_owned()),
            ("RO-76.1-S355J2-12500", "Rohr 76,1 x 12,50 S355J2", "5.24".to_owned()),
        ]
    );
    let overridden: Vec<_> = articles
        .iter()
        .map(|article| {
            [
                article.article_number_overridden,
                article.article_name_overridden,
                article.weight_per_base_unit_overridden,
            ]
        })
        .collect();
    assert_eq!(overridden, [[true; 3], [false; 3], [false; 3]]);
    let rows = bed.rows(&import).await;
    let actual: Vec<_> =
        rows.iter().map(|row| (row.line, row.outcome, &*row.record_name, row.record_id)).collect();
    assert_eq!(
        actual,
        [
            (2, Outcome::Created, "RO-60.3-S235-6000", Some(articles[1].id)),
            (3, Outcome::Created, "RO-76.1-S355J2-12500", Some(articles[2].id)),
            (4, Outcome::Created, "Lager-7", Some(articles[0].id)),
        ]
    );
    assert_eq!(articles[1].article_name_fold, "rohr 60,3 x 6,00 s235jr");
}

#[tokio::test]
async fn empty_cells_keep_values_and_clear_markers_remove_them() {
    let bed = Bed::new().await;
    bed.import(&file(&["Rundrohr;R1;Sonder;S235JR;60.3;6;nahtlos;7,5"])).await;
    let before = bed.articles().await.remove(0);

    let import = bed.import("Artikelnummer;Artikeltyp;Ausführung;Gewicht\nr1;;;\n").await;
    assert_eq!(counts(&import), [0, 0, 1, 0]);
    let after = bed.articles().await.remove(0);
    assert_eq!((after.version, after.updated_at), (before.version, before.updated_at));

    let import = bed.import("Artikelnummer;Artikeltyp;Ausführung;Gewicht\nR1;Rundrohr;geschweißt;\n").await;
    assert_eq!(counts(&import), [0, 1, 0, 0]);
    let after = bed.articles().await.remove(0);
    assert_eq!(
        (after.version, after.id, after.created_at),
        (before.version + 1, before.id, before.created_at)
    );
    assert_eq!((after.article_name.as_str(), after.weight_per_base_unit), ("Sonder", Some(decimal("7.5"))));

    let import = bed.import("Artikelnummer;Artikeltyp;Bezeichnung;Gewicht\nR1;;#LEER;#EMPTY\n").await;
    assert_eq!(counts(&import), [0, 1, 0, 0]);
    let after = bed.articles().await.remove(0);
    assert_eq!(after.article_name, "Rohr 60,3 x 6,00 S235JR");
    assert!(!after.article_name_overridden && !after.weight_per_base_unit_overridden);
    assert_eq!(after.weight_per_base_unit, Some(decimal("4.11")), "the calculated weight");

    let import = bed.import("Artikelnummer;Artikeltyp;Werkstoff;Länge [m]\nR1;#LEER;#LEER;#LEER\n").await;
    let expected = ["Artikeltyp: Dieses Feld kann nicht geleert werden"];
    assert_eq!(bed.reasons(&import).await, reasons(&[(2, &expected)]));
    let import = bed.import("Artikelnummer;Artikeltyp;Werkstoff;Länge [m]\nR1;;#LEER;#LEER\n").await;
    let expected = [
        "Länge [m]: Dieses Feld kann nicht geleert werden",
        "Werkstoff: Die Vorlage des Artikeltyps braucht einen Werkstoff",
    ];
    assert_eq!(bed.reasons(&import).await, reasons(&[(2, &expected)]));
}

#[tokio::test]
async fn a_file_without_types_updates_articles_by_their_numbers() {
    let bed = Bed::new().await;
    bed.import(&file(&["Rundrohr;R1;;S235JR;60.3;6;nahtlos;"])).await;
    let import = bed
        .import("Artikelnummer;Werkstoff;Ausführung\nr1;S355J2;geschweißt\nR2;S235JR;x\n;S235JR;x\n")
        .await;
    assert_eq!(counts(&import), [0, 1, 0, 2]);
    assert_eq!(bed.articles().await[0].article_name, "Rohr 60,3 x 6,00 S355J2");
    let expected = [(3, &["Artikelnummer: „R2“ gibt es nicht"][..]), (4, &["Artikelnummer: Pflichtfeld"])];
    assert_eq!(bed.reasons(&import).await, reasons(&expected));
}

#[tokio::test]
async fn calculated_weights_follow_changed_values_and_overridden_ones_stay() {
    let bed = Bed::new().await;
    bed.import(&file(&["Rundrohr;A;;S235JR;60.3;6;x;", "Rundrohr;B;;S235JR;60.3;7;x;9"])).await;
    bed.import("Artikeltyp;Artikelnummer;Durchmesser\n;A;76.1\n;B;76.1\n").await;
    let articles = bed.articles().await;
    let weights = articles
        .iter()
        .map(|article| (article.weight_per_base_unit.unwrap(), article.weight_per_base_unit_overridden));
    assert_eq!(weights.collect::<Vec<_>>(), [(decimal("5.24"), false), (decimal("9"), true)]);

    // A weight equal to the calculated one ends the override.
    bed.import("Artikeltyp;Artikelnummer;Gewicht\n;B;5,24\n").await;
    bed.import("Artikeltyp;Artikelnummer;Durchmesser\n;B;60.3\n").await;
    assert_eq!(bed.articles().await[1].weight_per_base_unit, Some(decimal("4.11")));
}

#[tokio::test]
async fn an_article_is_found_by_the_number_rendered_from_its_values() {
    let bed = Bed::new().await;
    let row = "Rundrohr;;;S235JR;60.3;6;nahtlos;";
    bed.import(&file(&[row])).await;
    assert_eq!(counts(&bed.import(&file(&[row, ""])).await), [0, 0, 1, 0]);
    let other = "Rundrohr;;;S235JR;60.3;6;geschweißt;";
    assert_eq!(counts(&bed.import(&file(&[other])).await), [0, 1, 0, 0]);
    assert_eq!(bed.numbers().await, ["RO-60.3-S235-6000"]);
}

#[tokio::test]
async fn all_errors_of_a_row_are_reported_together() {
    let bed = Bed::new().await;
    let import = bed
        .import(&file(&[
            "Rundrohr;;;S999;61;lang;;abc",
            "Vierkant;;;S235JR;60.3;6;x;",
            ";neu;;S235JR;60.3;6;x;",
            ";;;S235JR;60.3;6;x;",
            "Rundrohr;1,23E+12;;S235JR;60.3;6;x;",
            "Rundrohr;;;S235JR;60.3;-6;x;",
            "Rundrohr;;;S235JR;60.3;6;x;0",
            "Rundrohr;;;;60.3;6;x;",
            "Rundrohr;gut;;S235JR;60.3;6;x;",
        ]))
        .await;
    assert_eq!((import.status, counts(&import)), (ImportStatus::PartialSuccess, [1, 0, 0, 8]));
    assert_eq!(
        bed.reasons(&import).await,
        reasons(&[
            (
                2,
                &[
                    "Werkstoff: Der Werkstoff „S999“ ist unbekannt",
                    "Gewicht: „abc“ ist keine Zahl",
                    "Durchmesser: „61“ ist keine Option von „Durchmesser“",
                    "Länge [m]: „lang“ ist keine Zahl",
                    "Ausführung: Für „Ausführung“ fehlt ein Wert",
                ]
            ),
            (3, &["Artikeltyp: Der Artikeltyp „Vierkant“ ist unbekannt"]),
            (4, &["Artikeltyp: Pflichtfeld"]),
            (5, &["Artikeltyp: Pflichtfeld"]),
            (
                6,
                &[
                    "Artikelnummer: „1,23E+12“ wurde von der Tabellenkalkulation verkürzt; bitte formatieren Sie die Spalte als Text oder Zahl"
                ]
            ),
            (7, &["Länge [m]: Muss mindestens 0 sein"]),
            (8, &["Gewicht: Muss größer als 0 sein"]),
            (9, &["Werkstoff: Die Vorlage des Artikeltyps braucht einen Werkstoff"]),
        ])
    );
}

#[tokio::test]
async fn dimensions_that_are_not_positive_are_refused_with_their_column() {
    let bed = Bed::new().await;
    let scope = Scope::platform();
    let flat = bed.scope.find::<ArticleTypes>().filter(article_type::Column::NameFold.eq("flachstahl"));
    let id = flat.one(&*bed.db).await.unwrap().unwrap().id;
    let mut input = ArticleTypeInput::from(article_type::get(&*bed.db, &scope, id).await.unwrap());
    input.attributes[0].dimension = Some(Dimension::Length);
    ArticleTypes::update(&bed.db, &scope, id, input).await.unwrap();
    let rows = "Artikeltyp;Länge [cm];Farbe\nFlachstahl;0;rot\nFlachstahl;-2;rot\nFlachstahl;0 mm;rot\nFlachstahl;1;rot\n";
    let import = bed.import(rows).await;
    assert_eq!(counts(&import), [1, 0, 0, 3]);
    let reason: &[&str] = &["Länge [cm]: Muss größer als 0 sein"];
    assert_eq!(bed.reasons(&import).await, reasons(&[(2, reason), (3, reason), (4, reason)]));
}

#[tokio::test]
async fn an_attribute_of_another_type_and_a_change_of_type_are_refused() {
    let bed = Bed::new().await;
    bed.import(&file(&["Rundrohr;A;;S235JR;60.3;6;x;"])).await;
    let header = "Artikeltyp;Artikelnummer;Länge [m];Farbe\n";
    let import =
        bed.import(&(header.to_owned() + "Rundrohr;A;;rot\nFlachstahl;A;2;rot\nFlachstahl;;2;rot\n")).await;
    assert_eq!(counts(&import), [1, 0, 0, 2]);
    assert_eq!(
        bed.reasons(&import).await,
        reasons(&[
            (2, &["Farbe: Das Attribut gehört nicht zu diesem Artikeltyp"]),
            (3, &["Artikeltyp: Der Artikeltyp eines bestehenden Artikels kann nicht geändert werden"]),
        ])
    );
    assert_eq!(bed.numbers().await, ["A", "FL-2000-rot"]);
}

#[tokio::test]
async fn later_rows_of_the_same_article_are_refused_with_the_first_line() {
    let bed = Bed::new().await;
    bed.import(&file(&["Rundrohr;alt;;S235JR;60.3;6;x;"])).await;
    // Far enough apart to be in different batches, which share no memory except the articles.
    let filler: Vec<_> = (0..1_200).map(|index| format!("Rundrohr;F{index};;S235JR;60.3;6;x;")).collect();
    let mut rows = vec![
        "Rundrohr;neu;;S235JR;60.3;6;x;",
        "Rundrohr;alt;;S235JR;60.3;6;x;",
        "Rundrohr;NEU;;S235JR;76.1;6;x;",
    ];
    rows.extend(filler.iter().map(String::as_str));
    rows.extend(["Rundrohr;neu;;S235JR;76.1;6;x;", "Rundrohr;Alt;;S235JR;76.1;6;x;"]);
    let expected = reasons(&[
        (4, &["Artikelnummer: Der Eintrag kommt in dieser Datei schon in Zeile 2 vor"]),
        (1205, &["Artikelnummer: Der Eintrag kommt in dieser Datei schon in Zeile 2 vor"]),
        (1206, &["Artikelnummer: Der Eintrag kommt in dieser Datei schon in Zeile 3 vor"]),
    ]);
    let text = file(&rows);
    let dry = bed.dry_run(&text).await;
    assert_eq!((counts(&dry), bed.reasons(&dry).await), ([1_201, 0, 1, 3], expected.clone()));
    let import = bed.import(&text).await;
    assert_eq!((counts(&import), bed.reasons(&import).await), ([1_201, 0, 1, 3], expected));
}

#[tokio::test]
async fn a_dry_run_reports_the_results_and_writes_nothing() {
    let bed = Bed::new().await;
    bed.import(&file(&["Rundrohr;A;;S235JR;60.3;6;x;"])).await;
    let before = bed.articles().await;
    let text =
        file(&["Rundrohr;A;;S235JR;60.3;6;y;", "Rundrohr;B;;S235JR;60.3;6;x;", "Rundrohr;C;;S235JR;1;6;x;"]);
    let dry = bed.dry_run(&text).await;
    assert_eq!((dry.status, counts(&dry)), (ImportStatus::PartialSuccess, [1, 1, 0, 1]));
    assert_eq!(bed.articles().await, before);
    let import = bed.import(&text).await;
    assert_eq!(counts(&import), counts(&dry));
    assert_eq!(bed.reasons(&import).await, bed.reasons(&dry).await);
    assert_eq!((dry.identical_to, import.identical_to), (None, None), "a dry run is no import of the file");
    assert_eq!(bed.upload(&bed.scope, &text, false).await.identical_to, Some(import.id));
    assert_eq!(bed.upload(&bed.other, &text, false).await.identical_to, None, "another tenant's import");
}

#[tokio::test]
async fn numbers_are_read_in_the_style_of_the_file() {
    let bed = Bed::new().await;
    let header = "Artikeltyp;Farbe;Länge [mm]\n";
    // 1.234 alone is ambiguous; the comma elsewhere decides.
    bed.import(&(header.to_owned() + "Flachstahl;a;1.234\nFlachstahl;b;1,5\n")).await;
    let header = "Artikeltyp,Farbe,Länge [mm]\n";
    bed.import(&(header.to_owned() + "Flachstahl,c,1.234\nFlachstahl,d,7\n")).await;
    assert_eq!(bed.numbers().await, ["FL-1.234-c", "FL-1.5-b", "FL-1234-a", "FL-7-d"]);
}

#[tokio::test]
async fn weights_are_read_in_the_unit_of_their_column() {
    let bed = Bed::new().await;
    for (unit, weight, expected) in [
        ("[kg]", "4,5", "4.5"),
        ("[kg/m]", "4,5", "4.5"),
        ("(kg/mm)", "0,0045", "4.5"),
        ("[t/km]", "4,5", "4.5"),
        ("[g]", "1", "0.001"),
    ] {
        let text =
            format!("Artikeltyp;Artikelnummer;Länge [m];Farbe;Gewicht {unit}\nFlachstahl;A;1;rot;{weight}\n");
        bed.import(&text).await;
        assert_eq!(bed.articles().await[0].weight_per_base_unit, Some(decimal(expected)), "{unit}");
    }
    let import = bed.import("Artikeltyp;Artikelnummer;Gewicht [kg/m²]\n;A;1\n").await;
    let expected =
        ["Gewicht [kg/m²]: Die Einheit „m²“ passt nicht; möglich sind mm, cm, dm, m, km".to_owned()];
    assert_eq!(bed.reasons(&import).await, [(2, expected.to_vec())]);
}

#[tokio::test]
async fn an_invalid_header_fails_the_import_with_all_reasons() {
    let bed = Bed::new().await;
    for (text, expected) in [
        (
            "Nummer;Länge [kg];Länge [m]\n1;2;3\n",
            "Es fehlt die Spalte „Artikeltyp“ / „Artikelnummer“; gefunden wurden: Nummer, Länge [kg], Länge [m]\n\
             Die Spalte „Nummer“ ist unbekannt\nDie Spalte „Länge [m]“ kommt mehrmals vor",
        ),
        (
            "Artikeltyp;Länge [kg];Gewicht [Elle]\n1;2;3\n",
            "Spalte „Länge [kg]“: Die Einheit „kg“ passt nicht; möglich sind mm, cm, dm, m, km\n\
             Spalte „Gewicht [Elle]“: Unbekannte Einheit „Elle“; möglich sind mg, g, kg, t",
        ),
        ("Artikeltyp;Länge [m]\n", "Die Datei enthält nur eine Kopfzeile"),
        ("\n\n", "Die Datei ist leer"),
    ] {
        let import = bed.import(text).await;
        assert_eq!(import.status, ImportStatus::Failed, "{text}");
        assert_eq!(import.status_text(Language::De).as_deref(), Some(expected));
    }
    let import = bed.import(&file(&["Rundrohr;;;S999;60.3;6;x;"])).await;
    assert_eq!(import.status_text(Language::En).as_deref(), Some("No row could be applied"));
}

#[tokio::test]
async fn a_file_that_is_damaged_at_its_end_is_not_applied_at_all() {
    let bed = Bed::new().await;
    let text = file(&["Rundrohr;A;;S235JR;60.3;6;x;"]) + "\n" + &"x".repeat(2 << 20);
    let import = bed.import(&text).await;
    assert_eq!((import.status, counts(&import)), (ImportStatus::Failed, [0; 4]));
    assert_eq!(
        import.status_text(Language::De).as_deref(),
        Some("Zeile 3 der Datei ist länger als 1 MiB. Bitte prüfen Sie, ob die Datei eine Tabelle ist.")
    );
    assert!(bed.articles().await.is_empty());
}

/// Prepares an importer of files with the header.
async fn prepared(bed: &Bed) -> ArticleImporter {
    let header: Vec<_> = HEADER.trim().split(';').map(Title::new).collect();
    let prepared = ArticleImporter::prepare(&bed.db, &bed.scope, &header, Language::De).await.unwrap();
    prepared.unwrap()
}

fn row_of(material: &str) -> Row {
    let cells = ["Rundrohr", "", "", material, "60.3", "6", "x", ""].map(|text| Cell::Text(text.to_owned()));
    Row { line: 2, cells: cells.to_vec(), faults: Vec::new() }
}

fn material_input(name: &str) -> MaterialInput {
    MaterialInput {
        name: name.to_owned(),
        display_name: None,
        article_number_name: None,
        material_number: None,
        density: None,
        change_articles: None,
        version: None,
    }
}

#[tokio::test]
async fn each_batch_sees_the_current_catalogue() {
    let bed = Bed::new().await;
    let scope = bed.scope;
    let mut importer = prepared(&bed).await;
    let row = row_of("Neustahl");
    let line = Line { row: &row, style: Style::Comma };
    let tx = bed.db.begin().await.unwrap();
    importer.resolve(&tx, &scope, &[line]).await.unwrap();
    assert_eq!(importer.key(line).unwrap_err().len(), 1);
    tx.commit().await.unwrap();

    Materials::create(&bed.db, &Scope::platform(), material_input("Neustahl")).await.unwrap();
    let tx = bed.db.begin().await.unwrap();
    importer.resolve(&tx, &scope, &[line]).await.unwrap();
    assert!(importer.key(line).is_ok());
    assert!(importer.draft(line, None).is_ok());
    tx.commit().await.unwrap();
}

/// The material that a row names stays locked, so that it cannot be renamed before the row is written.
#[tokio::test]
async fn referenced_materials_are_locked_until_the_batch_is_written() {
    let bed = Bed::new().await;
    let scope = bed.scope;
    let mut importer = prepared(&bed).await;
    let row = row_of("S235JR");
    let line = Line { row: &row, style: Style::Comma };
    let steel = scope.find::<material::Materials>().filter(material::Column::Name.eq("S235JR"));
    let id = steel.one(&*bed.db).await.unwrap().unwrap().id;

    let tx = bed.db.begin().await.unwrap();
    importer.resolve(&tx, &scope, &[line]).await.unwrap();
    let db = bed.db.clone();
    let renaming = tokio::spawn(async move {
        Materials::update(&db, &Scope::platform(), id, material_input("S236JR")).await
    });
    bed.db.until_a_write_waits().await;
    assert!(!renaming.is_finished());
    tx.commit().await.unwrap();
    renaming.await.unwrap().unwrap();
}

/// Each row stores the data for its undo and for the history.
#[tokio::test]
async fn each_row_stores_its_changes() {
    let bed = Bed::new().await;
    let first =
        file(&["Rundrohr;A;;S235JR;60.3;6;x;", "Rundrohr;B;;S235JR;60.3;6;x;", "Rundrohr;C;;Gold;60.3;6;x;"]);
    let first = bed.import(&first).await;
    let second =
        "Artikelnummer;Artikeltyp;Werkstoff;Gewicht;Bezeichnung\na;;S355J2;9,5;\nB;;;;\nB;;Stahl;;\n";
    let dry = bed.dry_run(second).await;
    let before = bed.articles().await;
    let second = bed.import(second).await;
    let materials: Vec<_> = bed.articles().await.iter().map(|article| article.material_id).collect();
    let expected = [
        (
            2,
            Outcome::Updated,
            Some(before[0].id),
            Some(json!({ "material_id": before[0].material_id, "weight_per_base_unit": "4.11",
                "weight_per_base_unit_overridden": false, "article_name": "Rohr 60,3 x 6,00 S235JR" })),
            Some(json!({ "material_id": materials[0], "weight_per_base_unit": "9.5",
                "weight_per_base_unit_overridden": true, "article_name": "Rohr 60,3 x 6,00 S355J2" })),
        ),
        (3, Outcome::Unchanged, Some(before[1].id), None, None),
        (4, Outcome::Refused, None, None, None),
    ];
    for import in [&dry, &second] {
        let rows = bed.rows(import).await;
        let rows = rows.into_iter().map(|row| (row.line, row.outcome, row.record_id, row.before, row.after));
        assert_eq!(rows.collect::<Vec<_>>(), expected);
    }
    assert_eq!(bed.articles().await[1], before[1], "not even the version");

    let rows = bed.rows(&first).await;
    let outcomes: Vec<_> = rows.iter().map(|row| (row.outcome, row.record_id.is_some())).collect();
    assert_eq!(outcomes, [(Outcome::Created, true), (Outcome::Created, true), (Outcome::Refused, false)]);
    let created = rows[0].after.as_ref().unwrap();
    assert_eq!((&rows[0].before, &created["article_number"]), (&None, &json!("A")));
    let of_dry_run = file(&["Rundrohr;D;;S235JR;60.3;6;x;"]);
    let row = bed.rows(&bed.dry_run(&of_dry_run).await).await.remove(0);
    assert_eq!((row.outcome, row.record_id, row.record_name.as_str()), (Outcome::Created, None, "D"));
}

#[tokio::test]
async fn a_wrong_unit_is_reported_with_its_column() {
    let bed = Bed::new().await;
    let failed = bed.import("Artikeltyp;Länge [Elle];Gewicht [m/m]\nRundrohr;6;1\n").await;
    assert_eq!(failed.status, ImportStatus::Failed);
    assert_eq!(
        failed.status_text(Language::De).unwrap(),
        "Spalte „Länge [Elle]“: Unbekannte Einheit „Elle“; möglich sind mm, cm, dm, m, km\n\
         Spalte „Gewicht [m/m]“: Die Einheit „m“ passt nicht; möglich sind mg, g, kg, t"
    );
    let import = bed
        .import(&file(&[
            "Rundrohr;;;S235JR;60.3;500 Elle;x;",
            "Rundrohr;;;S235JR;60.3;5 kg;x;",
            "Rundrohr;;;S235JR;60.3;fünf m;x;",
            "Rundrohr;;;S235JR;60.3;500 mm;x;",
        ]))
        .await;
    assert_eq!(counts(&import), [1, 0, 0, 3]);
    let reasons = bed.reasons(&import).await;
    assert!(reasons[0].1[0].starts_with("Länge [m]: Unbekannte Einheit „Elle“"), "{reasons:?}");
    assert!(reasons[1].1[0].starts_with("Länge [m]: Die Einheit „kg“ passt nicht"), "{reasons:?}");
    assert_eq!(reasons[2].1[0], "Länge [m]: „fünf m“ ist keine Zahl");
}

#[tokio::test]
async fn the_detected_file_format_is_reported_for_every_outcome() {
    let bed = Bed::new().await;
    let import = async |text: &[u8]| {
        let import = bed.upload(&bed.scope, text, false).await;
        bed.work(&import).await
    };
    let old =
        import(b"Artikeltyp;Werkstoff;Durchmesser;L\xE4nge;Ausf\xFChrung\nRundrohr;S235JR;60.3;6;gr\xFCn\n")
            .await;
    assert_eq!((old.status, counts(&old)), (ImportStatus::Success, [1, 0, 0, 0]));
    assert!(old.status_text(Language::De).unwrap().contains("als Windows-1252 gelesen"));
    assert!(old.status_text(Language::En).unwrap().contains("read as Windows-1252"));

    let failed = import(b"Artikeltyp;Fl\xE4che\nx;1\n").await;
    assert_eq!(failed.status, ImportStatus::Failed);
    let status_text = failed.status_text(Language::De).unwrap();
    assert_eq!(status_text.lines().next().unwrap(), "Die Spalte „Fläche“ ist unbekannt");
    assert!(status_text.lines().nth(1).unwrap().contains("als Windows-1252 gelesen"), "{status_text}");

    let rows = "Artikeltyp;Werkstoff;Durchmesser;Länge;Ausführung\nRundrohr;S235JR;60.3;7;grün\n";
    let broken = import(&[rows.as_bytes(), b"Rundrohr;S235JR;60.3;8;gr\xFCn\n"].concat()).await;
    assert_eq!((broken.status, counts(&broken)), (ImportStatus::PartialSuccess, [1, 0, 0, 1]));
    assert!(broken.status_text(Language::De).unwrap().contains("(Stellen: 1)"));
    let reasons = bed.reasons(&broken).await;
    assert_eq!(reasons[0].0, 3);
    assert!(
        reasons[0].1[0].starts_with("Ausführung: Die Zelle enthält Zeichen, die nicht zum Zeichensatz"),
        "{reasons:?}"
    );
    let whole = import(rows.as_bytes()).await;
    assert_eq!((counts(&whole), whole.status_text(Language::De)), ([0, 0, 1, 0], None));
}

#[tokio::test]
async fn invisible_characters_do_not_prevent_a_match() {
    let bed = Bed::new().await;
    bed.import(&file(&["Rundrohr;A-1;;S235JR;60.3;6;nahtlos;"])).await;
    let hidden = "Rund\u{AD}rohr;A-\u{200B}1\u{FEFF};\u{200B};S235\u{AD}JR;60.3\u{200B};\u{200B}6\u{AD} m;nahtlos;\u{200B}";
    let import = bed.import(&file(&[hidden]).replace("Artikelnummer", "Artikel\u{AD}nummer")).await;
    assert_eq!((counts(&import), bed.reasons(&import).await), ([0, 0, 1, 0], vec![]));
    let both = file(&["Rundrohr;B\u{AD}1;;S235JR;60.3;7;nahtlos;", "Rundrohr;B1;;S235JR;60.3;7;nahtlos;"]);
    let import = bed.import(&both).await;
    assert_eq!(counts(&import), [1, 0, 0, 1], "the same article twice");
    assert_eq!(bed.numbers().await, ["A-1", "B1"], "stored without invisible characters");
}

#[tokio::test]
async fn a_nul_in_a_column_name_is_replaced() {
    let bed = Bed::new().await;
    let import = bed.import("Artikel\0typ;Länge\nRundrohr;zwölf Meter und ein wenig mehr\nNix;1\n").await;
    assert_eq!((import.status, counts(&import)), (ImportStatus::Failed, [0, 0, 0, 2]));
    assert_eq!(bed.reasons(&import).await[1].1, ["Artikel\u{FFFD}typ: Der Artikeltyp „Nix“ ist unbekannt"]);
}

#[tokio::test]
async fn messages_stay_short_for_any_file_content() {
    let bed = Bed::new().await;
    let mib = "x".repeat(1_000_000);
    let status_text = async |text: &str| bed.import(text).await.status_text(Language::De).unwrap();
    assert!(status_text(&format!("Artikeltyp;{mib}\nRundrohr;1\n")).await.len() < 200);
    let columns: Vec<_> = (0..199).map(|index| format!("{index}{}", "x".repeat(250))).collect();
    let many = status_text(&format!("{}\na\n", columns.join(";"))).await;
    assert!(many.chars().count() <= 4_000 && many.starts_with("Es fehlt die Spalte „Artikeltyp“"), "{many}");
    let few: Vec<_> = (0..40).map(|index| format!("S{index}")).collect();
    let few = status_text(&format!("{}\na\n", few.join(";"))).await;
    assert!(few.ends_with("Weitere Fehler, die hier nicht gezeigt werden: 21"), "{few}");

    let long = "x".repeat(32_000);
    let cells = [&long; 8].map(String::as_str).join(";");
    let import = bed.import(&file(&[&cells, &format!("Rundrohr;{mib};;;;;;")])).await;
    assert_eq!((import.status, counts(&import)), (ImportStatus::Failed, [0, 0, 0, 2]));
    let stored = bed.refusals(&import).await;
    for refusal in &stored {
        let messages = serde_json::to_string(&refusal.messages).unwrap();
        assert!(messages.len() < 5_000, "{}", messages.len());
    }
    assert_eq!(stored[1].cells.0[1].as_str().len(), mib.len(), "the row itself is kept for the error file");

    let nameless = ";".repeat(60);
    let header = format!("Artikeltyp;{nameless}Durchmesser\n");
    let import = bed.import(&(header + "Rundrohr;" + &"x;".repeat(60) + "60.3\n")).await;
    let reasons = bed.reasons(&import).await;
    assert_eq!(reasons[0].1.len(), 21, "{reasons:?}");
    assert!(reasons[0].1[20].starts_with("Weitere Fehler, die hier nicht gezeigt werden: 4"), "{reasons:?}");
}
