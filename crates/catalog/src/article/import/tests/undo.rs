//! Tests of the undo of article files.

use crate::article::other_number::{self, NumberKind};

use super::*;

/// Article without version and time of its last change.
fn plain(mut article: Article) -> Article {
    (article.version, article.updated_at) = (0, article.created_at);
    article
}

async fn numbers(bed: &Bed, article: &Article) -> Vec<(NumberKind, String)> {
    let tx = bed.db.begin().await.unwrap();
    let mut all = other_number::load_by_article(&tx, &bed.scope, [article.id]).await.unwrap();
    let mut numbers: Vec<_> = all.remove(&article.id).unwrap_or_default();
    numbers.sort_by(|a, b| a.number.cmp(&b.number));
    numbers.into_iter().map(|number| (number.kind, number.number)).collect()
}

const HEADER: &str = "Artikeltyp;Artikelnummer;Bezeichnung;Werkstoff;Durchmesser;Länge [m];Ausführung;Gewicht;Zeichnungsnummer\n";

#[tokio::test]
async fn undo_restores_values_texts_and_other_numbers() {
    let bed = Bed::new().await;
    let first = bed.import(format!("{HEADER}Rundrohr;R1;;S235JR;60.3;6;nahtlos;;Z-1\n")).await;
    let before = bed.articles().await.remove(0);
    let second =
        bed.import(format!("{HEADER}Rundrohr;R1;Sonder;S355J2;76.1;7;geschweißt;9,5;\"Z-2, Z-3\"\n")).await;
    assert_eq!(counts(&second), [0, 1, 0, 0]);
    let changed = bed.articles().await.remove(0);
    assert_eq!((&*changed.article_name, changed.weight_per_base_unit), ("Sonder", Some(decimal("9.5"))));

    let undo = bed.undo(&second, false).await;
    assert_eq!(bed.outcomes(&undo).await, ["R1 Updated"]);
    let now = bed.articles().await.remove(0);
    assert_eq!(now.version, 3);
    assert_eq!(numbers(&bed, &now).await, [(NumberKind::Drawing, "Z-1".to_owned())]);
    assert_eq!(plain(now), plain(before.clone()));

    // After an undo of the undo it is again as in the file.
    let again = bed.undo(&undo, false).await;
    assert_eq!(bed.outcomes(&again).await, ["R1 Updated"]);
    let now = bed.articles().await.remove(0);
    assert_eq!(numbers(&bed, &now).await.len(), 2);
    assert_eq!(plain(now), plain(changed));

    // A change by a later file counts as an edit.
    let unchanged = bed.undo(&first, false).await;
    assert_eq!(bed.rows(&unchanged).await[0].outcome, Outcome::Kept);
    bed.undo(&again, false).await;
    let undo = bed.undo(&first, false).await;
    assert_eq!(bed.outcomes(&undo).await, ["R1 Removed"]);
    assert!(bed.articles().await.is_empty());
    let again = bed.undo(&undo, false).await;
    assert_eq!(bed.outcomes(&again).await, ["R1 Created"]);
    let article = bed.articles().await.remove(0);
    assert_eq!((article.id, article.version), (before.id, 1));
    assert_eq!(numbers(&bed, &article).await, [(NumberKind::Drawing, "Z-1".to_owned())]);
    assert_eq!(plain(Article { created_at: before.created_at, ..article }), plain(before));
}

#[tokio::test]
async fn undo_is_refused_if_a_drawing_number_to_restore_is_taken_meanwhile() {
    let bed = Bed::new().await;
    bed.import(format!("{HEADER}Rundrohr;R1;;S235JR;60.3;6;nahtlos;;Z-1\n")).await;
    let import = bed.import("Artikelnummer;Zeichnungsnummer\nR1;Z-2\n").await;
    bed.import(format!("{HEADER}Rundrohr;R2;;S235JR;60.3;7;nahtlos;;Z-1\n")).await;
    let undo = bed.undo(&import, false).await;
    let expected = "R1 Refused: Lässt sich nicht wiederherstellen: ";
    assert!(bed.outcomes(&undo).await[0].starts_with(expected), "{:?}", bed.outcomes(&undo).await);
    assert_eq!(undo.status, ImportStatus::Failed);
    let article = bed.articles().await.remove(0);
    assert_eq!(numbers(&bed, &article).await, [(NumberKind::Drawing, "Z-2".to_owned())]);
}

/// A name that has been rendered with another template since the import is not overwritten.
#[tokio::test]
async fn a_name_rendered_anew_since_the_import_counts_as_an_edit() {
    let bed = Bed::new().await;
    bed.import(&file(&["Rundrohr;R1;;S235JR;60.3;6;nahtlos;"])).await;
    let import = bed.import("Artikelnummer;Länge [m]\nR1;7\n").await;
    let tx = bed.db.begin().await.unwrap();
    let article = bed.articles().await.remove(0);
    let row = ActiveModel {
        article_name: sea_orm::ActiveValue::Set("Rohr neu".to_owned()),
        article_name_fold: sea_orm::ActiveValue::Set("rohr neu".to_owned()),
        ..Default::default()
    };
    bed.scope.update_from::<Articles>(&tx, &article, row).await.unwrap();
    tx.commit().await.unwrap();
    let undo = bed.undo(&import, false).await;
    let expected = "R1 Kept: article_name: Seit dem Import geändert; der Eintrag bleibt, wie er ist";
    assert_eq!(bed.outcomes(&undo).await, [expected]);
}
