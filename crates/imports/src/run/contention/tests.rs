//! Tests of concurrent writers of the same records.

use std::sync::atomic::{AtomicUsize, Ordering};

use futures_util::future::join_all;
use sea_orm::{ConnectionTrait, DbBackend};
use sheets::Cell;
use values::{Language, Result};

use crate::{
    apply::direct::{AppliedItem, Call, Column, Table},
    import::{ImportStatus, row::Outcome},
    testbed::{Bed, notes::NoteImporter},
};

const WRITERS: u32 = 8;
const ROUNDS: u32 = 3;
const NOTES: u32 = 300;

/// Sets a number of some notes in one call, as `PUT /api/v1/...` does.
async fn put(bed: &Bed, number: u32) -> Result<Vec<AppliedItem>> {
    let columns = vec![Column::new("Name", "name"), Column::new("Zahl", "number")];
    let notes: Vec<u32> = (0..NOTES).collect();
    let cells = |note: &u32| {
        vec![Cell::Text(format!("N{note}")), Cell::Number { number: (number * 1_000 + note).to_string() }]
    };
    let table = Table::new(columns, &notes, cells);
    let mut call = Call::<NoteImporter>::prepare(&bed.db, &bed.scope, table, Language::De).await?;
    loop {
        match put_once(bed, &mut call).await {
            Err(error) => call.wait_for_others(error).await?,
            done => return done,
        }
    }
}

async fn put_once(bed: &Bed, call: &mut Call<NoteImporter>) -> Result<Vec<AppliedItem>> {
    let tx = bed.db.begin_long().await?;
    let done = call.apply(&tx).await?;
    tx.commit().await?;
    Ok(done)
}

/// Writers first create the same notes and then change them, while an import of more notes runs.
#[tokio::test]
async fn eight_writers_and_an_import_of_the_same_records_all_succeed() {
    let bed = Bed::new().await;
    let rows: Vec<String> = (0..800).map(|note| format!("N{note};{note}")).collect();
    let import = bed.upload(&bed.scope, format!("Name;Zahl\n{}\n", rows.join("\n")), false).await;
    let (created, written) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let writers = (0..WRITERS).map(|writer| {
        let (bed, created, written) = (&bed, &created, &written);
        async move {
            for round in 0..ROUNDS {
                let done = put(bed, 1 + writer * ROUNDS + round).await.unwrap();
                let count = |outcome| done.iter().filter(|done| done.outcome == outcome).count();
                let (new, changed) = (count(Outcome::Created), count(Outcome::Updated));
                assert_eq!(new + changed, NOTES as usize, "every item is applied");
                created.fetch_add(new, Ordering::Relaxed);
                written.fetch_add(new + changed, Ordering::Relaxed);
            }
        }
    });
    let (import, _) = tokio::join!(bed.work(&import), join_all(writers));
    assert_eq!((import.status, import.rows_done, import.rows_refused), (ImportStatus::Success, 800, 0));
    let notes = bed.notes().await;
    assert_eq!(notes.len(), 800);
    let count = |counted: &AtomicUsize| i64::try_from(counted.load(Ordering::Relaxed)).unwrap();
    let created = count(&created) + import.rows_created;
    assert_eq!(created, 800, "each note was made by one of them");
    let written = count(&written) + import.rows_created + import.rows_updated;
    let versions: i64 = notes.iter().map(|note| note.version).sum();
    assert_eq!(versions, written, "every reported write happened once");
}

/// The database server has German messages, so only the error code is usable.
#[tokio::test]
async fn a_deadlock_is_recognised_in_any_language_of_the_database() {
    let bed = Bed::new().await;
    if bed.db.get_database_backend() != DbBackend::Postgres {
        return;
    }
    let tx = bed.db.begin().await.unwrap();
    for sql in [
        "CREATE SEQUENCE met",
        "CREATE FUNCTION be_in_the_way() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN CASE nextval('met') \
         WHEN 1 THEN RAISE EXCEPTION 'Verklemmung entdeckt' USING ERRCODE = '40P01'; \
         WHEN 2 THEN RAISE EXCEPTION 'storniere Anfrage wegen Zeitüberschreitung einer Sperre' USING ERRCODE = '55P03'; \
         WHEN 3 THEN RAISE EXCEPTION 'konnte Zugriff nicht serialisieren' USING ERRCODE = '40001'; \
         ELSE RETURN NEW; END CASE; END $$",
        "CREATE TRIGGER in_the_way BEFORE INSERT ON note FOR EACH ROW EXECUTE FUNCTION be_in_the_way()",
    ] {
        tx.execute_unprepared(sql).await.unwrap();
    }
    tx.commit().await.unwrap();
    let import = bed.import("Name;Zahl\nA;1\n").await;
    assert_eq!((import.status, import.rows_created), (ImportStatus::Success, 1));
    assert_eq!(put(&bed, 1).await.unwrap().len(), NOTES as usize);
}
