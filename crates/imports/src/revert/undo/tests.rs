//! Tests of undos on a database, with the simplest type of import.

use sea_orm::ActiveValue::Set;
use store::Scope;
use testkit::note::{Note, NoteRow, Notes};
use tokio::sync::watch;

use crate::{
    codes,
    import::{ImportStatus, row::Outcome},
    run::queue,
    testbed::Bed,
};

/// Number of rows: more than two batches.
const ROWS: usize = 2_400;

fn file(number: usize) -> String {
    let rows = (0..ROWS).map(|row| format!("N{row};{}\n", row + number));
    "Name;Zahl\n".to_owned() + &rows.collect::<String>()
}

/// Notes as texts: `A=1`.
async fn notes(bed: &Bed) -> Vec<String> {
    let text = |note: Note| match note.number {
        Some(number) => format!("{}={number}", note.name),
        None => note.name,
    };
    let mut notes: Vec<String> = bed.notes().await.into_iter().map(text).collect();
    notes.sort();
    notes
}

async fn edit(bed: &Bed, name: &str, number: i64) {
    let note = bed.notes().await.into_iter().find(|note| note.name == name).unwrap();
    let tx = bed.db.begin().await.unwrap();
    let row = NoteRow { number: Set(Some(number)), ..Default::default() };
    bed.scope.update_from::<Notes>(&tx, &note, row).await.unwrap();
    tx.commit().await.unwrap();
}

async fn delete(bed: &Bed, name: &str) {
    let note = bed.notes().await.into_iter().find(|note| note.name == name).unwrap();
    let tx = bed.db.begin().await.unwrap();
    bed.scope.delete::<Notes>(&tx, note.id).await.unwrap();
    tx.commit().await.unwrap();
}

#[tokio::test]
async fn created_records_are_deleted_and_changed_ones_restored() {
    let bed = Bed::new().await;
    bed.import("Name;Zahl\nA;1\nB;2\nC;\n").await;
    let import = bed.import("Name;Zahl\nA;5\nB;2\nC;3\nD;4\nE;5\n").await;
    let before = bed.notes().await;

    let tried = bed.undo(&import, true).await;
    let expected = ["A Updated", "C Updated", "D Removed", "E Removed"];
    assert_eq!(
        (bed.outcomes(&tried).await, tried.status),
        (expected.map(str::to_owned).to_vec(), ImportStatus::Success)
    );
    assert_eq!(bed.notes().await, before, "nothing is written");

    let undo = bed.undo(&import, false).await;
    assert_eq!(bed.outcomes(&undo).await, expected);
    assert_eq!((undo.rows_total, undo.rows_updated, undo.rows_removed), (Some(4), 2, 2));
    assert_eq!(
        (undo.undoes, notes(&bed).await),
        (Some(import.id), ["A=1", "B=2", "C"].map(str::to_owned).to_vec())
    );
    let rows = bed.rows(&undo).await;
    let states = |index: usize| (rows[index].before.clone(), rows[index].after.clone());
    assert_eq!(states(0), (Some(serde_json::json!({"number": 5})), Some(serde_json::json!({"number": 1}))));
    assert_eq!(rows[2].after, None);
    assert_eq!(rows[2].before.as_ref().unwrap()["name"], "D");

    // an undo can itself be undone, and recreated records have their former ids
    let again = bed.undo(&undo, false).await;
    let expected = ["A Updated", "C Updated", "D Created", "E Created"];
    assert_eq!(bed.outcomes(&again).await, expected);
    let plain = |notes: Vec<Note>| -> Vec<_> {
        let mut notes: Vec<_> =
            notes.into_iter().map(|note| (note.id, note.name, note.name_fold, note.number)).collect();
        notes.sort();
        notes
    };
    assert_eq!(plain(bed.notes().await), plain(before));
    let last = bed.undo(&again, false).await;
    assert_eq!(
        (last.status, notes(&bed).await),
        (ImportStatus::Success, ["A=1", "B=2", "C"].map(str::to_owned).to_vec())
    );
}

#[tokio::test]
async fn later_edits_stay_and_restored_values_are_left_unchanged() {
    let bed = Bed::new().await;
    bed.import("Name;Zahl\nA;1\nB;1\nC;1\nD;1\n").await;
    let import = bed.import("Name;Zahl\nA;2\nB;2\nC;2\nD;2\nE;2\nF;2\nG;2\n").await;
    edit(&bed, "A", 7).await;
    edit(&bed, "B", 1).await;
    delete(&bed, "C").await;
    edit(&bed, "E", 7).await;
    delete(&bed, "F").await;

    let undo = bed.undo(&import, false).await;
    let edited = "number: Seit dem Import geändert; der Eintrag bleibt, wie er ist";
    let expected = [
        format!("A Kept: {edited}"),
        "B Unchanged".to_owned(),
        "C Kept: Seit dem Import gelöscht".to_owned(),
        "D Updated".to_owned(),
        format!("E Kept: {edited}"),
        "F Unchanged".to_owned(),
        "G Removed".to_owned(),
    ];
    assert_eq!(bed.outcomes(&undo).await, expected);
    assert_eq!((undo.status, undo.rows_kept), (ImportStatus::PartialSuccess, 3));
    assert_eq!(notes(&bed).await, ["A=7", "B=1", "D=1", "E=7"]);
    assert_eq!(bed.rows(&undo).await[0].outcome, Outcome::Kept);
}

/// The later one of two imports of the same records must be undone first.
#[tokio::test]
async fn a_later_import_of_the_same_record_counts_as_an_edit() {
    let bed = Bed::new().await;
    let first = bed.import("Name;Zahl\nA;1\n").await;
    let second = bed.import("Name;Zahl\nA;2\n").await;
    let undo = bed.undo(&first, false).await;
    assert_eq!((undo.status, undo.rows_kept), (ImportStatus::Failed, 1));
    assert_eq!(
        undo.status_text(values::Language::De).unwrap(),
        "Kein Eintrag konnte rückgängig gemacht werden"
    );
    bed.undo(&second, false).await;
    // a failed undo can be repeated
    assert_eq!(bed.undo(&first, false).await.status, ImportStatus::Success);
    assert!(bed.notes().await.is_empty());
}

#[tokio::test]
async fn another_record_of_the_same_key_is_not_overwritten() {
    let bed = Bed::new().await;
    let import = bed.import("Name;Zahl\nA;1\nB;1\n").await;
    // has the last of all ids, so that no other is assigned again
    bed.import("Name;Zahl\nZ;1\n").await;
    let undo = bed.undo(&import, false).await;
    bed.import("Name;Zahl\nA;9\n").await;
    let again = bed.undo(&undo, false).await;
    let expected = ["A Refused: Inzwischen gibt es einen anderen Eintrag mit diesen Angaben", "B Created"];
    assert_eq!(bed.outcomes(&again).await, expected);
    assert_eq!(notes(&bed).await, ["A=9", "B=1", "Z=1"]);
}

#[tokio::test]
async fn only_a_finished_import_with_changes_is_undone_and_only_once() {
    let bed = Bed::new().await;
    let tried = bed.dry_run("Name;Zahl\nA;1\n").await;
    let code = async |import| bed.queue_undo(import, false).await.unwrap_err().code();
    assert_eq!(code(&tried).await, codes::IMPORT_NOT_UNDOABLE);
    let waiting = bed.upload(&bed.scope, "Name;Zahl\nA;1\n", false).await;
    assert_eq!(code(&waiting).await, codes::IMPORT_NOT_UNDOABLE);
    let import = bed.work(&waiting).await;
    let same = bed.import("Name;Zahl\nA;1\n").await;
    assert_eq!(code(&same).await, codes::NOTHING_TO_UNDO);

    bed.undo(&import, true).await;
    bed.queue_undo(&import, false).await.unwrap();
    assert_eq!(code(&import).await, codes::ALREADY_UNDONE, "it waits");
    bed.work_off().await;
    assert_eq!(code(&import).await, codes::ALREADY_UNDONE);
    let foreign = Scope::platform().acting_for(Some(bed.other.tenant().unwrap()));
    assert!(foreign.get::<crate::import::Imports>(&*bed.db, import.id).await.is_err());
}

/// Two concurrent requests: the index lets only one of them through.
#[tokio::test]
async fn one_of_two_concurrent_undos_is_refused() {
    let bed = Bed::new().await;
    let import = bed.import("Name;Zahl\nA;1\n").await;
    let (one, other) = tokio::join!(bed.queue_undo(&import, false), bed.queue_undo(&import, false));
    let refused = if one.is_ok() { other } else { one };
    assert_eq!(refused.unwrap_err().code(), codes::ALREADY_UNDONE);
    assert_eq!(bed.dry_run("Name;Zahl\nA;1\n").await.status, ImportStatus::Success);
    assert!(bed.notes().await.is_empty());
}

#[tokio::test]
async fn an_interrupted_undo_continues_after_its_last_batch() {
    let bed = Bed::new().await;
    let (created, changed) = (bed.import(file(0)).await, bed.import(file(1)).await);
    let undo = bed.queue_undo(&changed, false).await.unwrap();
    let first = queue::claim(&bed.db, "first").await.unwrap().unwrap();
    let (_sender, ending) = watch::channel(true);
    bed.run_until(&first, ending).await;
    let between = bed.now(&undo).await;
    assert_eq!((between.status, between.rows_done), (ImportStatus::InProgress, 1_000));
    assert_eq!(bed.notes().await.iter().filter(|note| note.version == 3).count(), 1_000);

    let second = queue::claim(&bed.db, "second").await.unwrap().unwrap();
    tokio::join!(bed.run(&first), bed.run(&second));
    let undo = bed.now(&undo).await;
    assert_eq!((undo.status, undo.rows_updated), (ImportStatus::Success, 2_400));
    assert!(bed.notes().await.iter().all(|note| note.version == 3), "none is written twice");
    assert_eq!(bed.rows(&undo).await.len(), 200);
    assert_eq!(bed.undo(&created, false).await.rows_removed, 2_400);
    assert!(bed.notes().await.is_empty());
}

/// The permissions of the user who undoes are checked when the undo runs.
#[tokio::test]
async fn users_who_may_no_longer_import_cannot_undo() {
    let bed = Bed::new().await;
    let import = bed.import("Name;Zahl\nA;1\n").await;
    bed.authority.revoked.store(true, std::sync::atomic::Ordering::Relaxed);
    assert_eq!(bed.undo(&import, false).await.status, ImportStatus::Failed);
    assert_eq!(notes(&bed).await, ["A=1"]);
}
