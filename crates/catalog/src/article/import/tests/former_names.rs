//! Tests of former names of materials in files.

use imports::import::row::ImportRow;

use super::*;

#[tokio::test]
async fn former_names_of_materials_are_recognised_with_a_note() {
    let bed = Bed::new().await;
    let import = bed
        .import(&file(&[
            "Rundrohr;A;;St 37-2;60.3;6;nahtlos;",
            "Rundrohr;B;;RST37-2;60.3;7;nahtlos;",
            "Rundrohr;C;;1.0038;60.3;8;nahtlos;",
            "Rundrohr;D;;V2A;60.3;9;nahtlos;",
        ]))
        .await;
    assert_eq!(counts(&import), [3, 0, 0, 1]);
    let articles = bed.articles().await;
    assert!(articles.iter().all(|article| article.material_id == articles[0].material_id));
    let notes = |row: &ImportRow| {
        row.warnings().iter().map(|note| (note.column(), note.text(Language::De))).collect::<Vec<_>>()
    };
    let actual: Vec<_> = bed.rows(&import).await.iter().map(notes).collect();
    let former_name_note = |text: &str| {
        let note = format!("„{text}“ ist eine frühere Bezeichnung, gelesen wurde S235JR");
        vec![(Some("Werkstoff".to_owned()), note)]
    };
    assert_eq!(actual, [former_name_note("St 37-2"), former_name_note("RST37-2"), vec![], vec![]]);
    assert_eq!(
        bed.reasons(&import).await,
        reasons(&[(5, &["Werkstoff: Der Werkstoff „V2A“ ist unbekannt"])])
    );

    let again = bed.import("Artikelnummer;Werkstoff\nA;St 37-2\n").await;
    assert_eq!(counts(&again), [0, 0, 1, 0]);
    assert_eq!(bed.rows(&again).await[0].warnings().len(), 1, "also of a row that changes nothing");
}
