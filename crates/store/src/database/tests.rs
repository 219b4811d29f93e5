//! Tests that every confirmed write is stored, whatever fails: BEGIN, COMMIT, ROLLBACK, one after the other.

use std::collections::HashSet;

use sea_orm::{ConnectionTrait, Statement};
use tokio::{task::JoinHandle, time::Instant};
use values::{codes, error::Error};

use super::*;

const FAILURES: [Failure; 4] = [Failure::Begin, Failure::Commit, Failure::Rollback, Failure::Statement];

/// Failure of a write, caused on a real connection.
#[derive(Debug, Clone, Copy)]
enum Failure {
    /// The connection is already in a transaction that the driver has not begun.
    Begin,
    /// A deferred foreign key refuses the commit; the transaction stays open, and its rollback succeeds.
    Commit,
    /// The database has ended the transaction by itself, as it does when its disk is full: neither COMMIT nor
    /// ROLLBACK finds one, and the driver believes that it is still open.
    Rollback,
    /// The same failure, noticed by a later statement.
    Statement,
}

struct Bed {
    db: Database,
    /// Stands for another process.
    witness: DatabaseConnection,
    _folder: tempfile::TempDir,
}

impl Bed {
    async fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let url = Database::embedded_url(folder.path());
        let db = Database::connect(&url).await.unwrap();
        for sql in [
            "CREATE TABLE whole (id INTEGER PRIMARY KEY)",
            "CREATE TABLE part (whole_id INTEGER REFERENCES whole (id) DEFERRABLE INITIALLY DEFERRED)",
            "CREATE TABLE ledger (entry TEXT NOT NULL UNIQUE)",
        ] {
            db.writer().execute_unprepared(sql).await.unwrap();
        }
        let witness = sea_orm::Database::connect(&url).await.unwrap();
        Self { db, witness, _folder: folder }
    }

    async fn write(&self, entry: &str) -> Result<()> {
        let tx = self.db.begin().await?;
        tx.execute_unprepared(&format!("INSERT INTO ledger VALUES ('{entry}')")).await?;
        tx.commit().await
    }

    /// Causes a failure. Returns true if the write reported success, in which case the entry must be stored.
    async fn fail(&self, failure: Failure, entry: &str) -> bool {
        let outcome = self.try_to_fail(failure, entry).await;
        assert!(!matches!(outcome, Err(Error::OutcomeUnknown(_))), "{failure:?}: {outcome:?}");
        outcome.is_ok()
    }

    async fn try_to_fail(&self, failure: Failure, entry: &str) -> Result<()> {
        let insert = format!("INSERT INTO ledger VALUES ('{entry}')");
        match failure {
            Failure::Begin => {
                self.db.writer().execute_unprepared("BEGIN IMMEDIATE").await?;
                self.write(entry).await
            }
            Failure::Commit => {
                let tx = self.db.begin().await?;
                tx.execute_unprepared(&insert).await?;
                tx.execute_unprepared("INSERT INTO part VALUES (7)").await?;
                tx.commit().await
            }
            Failure::Rollback => {
                let tx = self.db.begin().await?;
                tx.execute_unprepared(&insert).await?;
                tx.execute_unprepared("ROLLBACK").await?;
                tx.commit().await
            }
            Failure::Statement => {
                let tx = self.db.begin().await?;
                tx.execute_unprepared(&insert).await?;
                tx.execute_unprepared("ROLLBACK").await?;
                // ends by being dropped: the driver's rollback fails
                tx.execute_unprepared("INSERT INTO no_such_table VALUES (1)").await?;
                tx.commit().await
            }
        }
    }

    /// Entries that other processes see.
    async fn stored_names(&self) -> Vec<String> {
        let sql = "SELECT entry FROM ledger ORDER BY entry";
        let rows = self.witness.query_all_raw(Statement::from_string(DbBackend::Sqlite, sql)).await.unwrap();
        rows.iter().map(|row| row.try_get("", "entry").unwrap()).collect()
    }
}

#[tokio::test]
async fn each_failure_is_reported_and_later_writes_are_stored() {
    for failure in FAILURES {
        let bed = Bed::new().await;
        assert!(!bed.fail(failure, "failed").await, "{failure:?} was no failure");
        bed.write("after").await.unwrap();
        assert_eq!(bed.stored_names().await, ["after"], "{failure:?}");
    }
}

#[tokio::test]
async fn writes_after_two_failures_are_stored() {
    for first in FAILURES {
        for second in FAILURES {
            let bed = Bed::new().await;
            let mut expected = vec!["after"];
            for (failure, entry) in [(first, "first"), (second, "second")] {
                if bed.fail(failure, entry).await {
                    expected.push(entry);
                }
            }
            bed.write("after").await.unwrap();
            expected.sort_unstable();
            assert_eq!(bed.stored_names().await, expected, "{first:?}, then {second:?}");
        }
    }
}

/// Begins a write and leaves it open after one statement.
async fn begin_write(db: &Database, entry: &str) -> Write {
    let tx = db.begin().await.unwrap();
    tx.execute_unprepared(&format!("INSERT INTO ledger VALUES ('{entry}')")).await.unwrap();
    tx
}

/// Queues a write behind the one in progress.
async fn queued(db: &Database, entry: &'static str) -> JoinHandle<Write> {
    let db = db.clone();
    let queued = tokio::spawn(async move { begin_write(&db, entry).await });
    tokio::time::sleep(A_MOMENT).await;
    queued
}

async fn committing(write: Write) -> JoinHandle<Result<()>> {
    let committing = tokio::spawn(write.commit());
    tokio::time::sleep(A_MOMENT).await;
    committing
}

const A_MOMENT: Duration = Duration::from_millis(10);

#[tokio::test]
async fn writes_queued_behind_another_share_its_commit() {
    let bed = Bed::new().await;
    let first = begin_write(&bed.db, "first").await;
    let second = queued(&bed.db, "second").await;
    let first = committing(first).await;
    let second = second.await.unwrap();
    assert!(!first.is_finished(), "it was acknowledged without a commit");
    assert!(bed.stored_names().await.is_empty());

    let third = queued(&bed.db, "third").await;
    second.commit().await.unwrap();
    first.await.unwrap().unwrap();
    assert_eq!(bed.stored_names().await, ["first", "second"]);
    third.await.unwrap().commit().await.unwrap();
    assert_eq!(bed.stored_names().await, ["first", "second", "third"]);
}

/// Three writes of a shared transaction: the first waits for the commit, the second is in progress, the third
/// is queued.
async fn three(bed: &Bed) -> (JoinHandle<Result<()>>, Write, JoinHandle<Write>) {
    let first = begin_write(&bed.db, "first").await;
    let second = queued(&bed.db, "second").await;
    let third = queued(&bed.db, "third").await;
    let first = committing(first).await;
    (first, second.await.unwrap(), third)
}

#[tokio::test]
async fn an_abandoned_write_does_not_affect_the_others() {
    for rolled_back in [true, false] {
        let bed = Bed::new().await;
        let (first, second, third) = three(&bed).await;
        if rolled_back {
            second.rollback().await.unwrap();
        } else {
            drop(second);
        }
        third.await.unwrap().commit().await.unwrap();
        first.await.unwrap().unwrap();
        assert_eq!(bed.stored_names().await, ["first", "third"]);
    }
}

#[tokio::test]
async fn a_shared_commit_survives_the_cancellation_of_a_member() {
    let bed = Bed::new().await;
    let first = begin_write(&bed.db, "first").await;
    let second = queued(&bed.db, "second").await;
    let first = committing(first).await;
    first.abort();
    second.await.unwrap().commit().await.unwrap();
    bed.write("third").await.unwrap();
    assert_eq!(bed.stored_names().await, ["first", "second", "third"]);
}

#[tokio::test]
async fn a_transaction_ended_by_the_database_is_refused_to_all_members() {
    for failure in [Failure::Rollback, Failure::Statement] {
        let bed = Bed::new().await;
        let (first, second, third) = three(&bed).await;
        second.execute_unprepared("ROLLBACK").await.unwrap();
        match failure {
            Failure::Statement => {
                second.execute_unprepared("INSERT INTO no_such_table VALUES (1)").await.unwrap_err();
                drop(second);
            }
            _ => drop(second.commit().await.unwrap_err()),
        }
        let refused = first.await.unwrap().unwrap_err();
        assert_eq!(refused.fault(), Some(Fault::Busy), "{refused:?}");
        third.await.unwrap().commit().await.unwrap();
        assert_eq!(bed.stored_names().await, ["third"], "{failure:?}");
    }
}

#[tokio::test]
async fn a_shared_commit_has_the_time_limit_of_any_commit() {
    let bed = Bed::new().await;
    let first = begin_write(&bed.db, "first").await;
    let second = queued(&bed.db, "second").await;
    let (first, second) = (committing(first).await, second.await.unwrap());
    tokio::time::pause();
    let outcome = first.await.unwrap();
    assert!(matches!(outcome, Err(Error::OutcomeUnknown(_))), "{outcome:?}");
    tokio::time::resume();
    second.commit().await.unwrap();
    assert_eq!(bed.stored_names().await, ["first", "second"]);
}

#[tokio::test]
async fn a_long_write_shares_no_commit() {
    let bed = Bed::new().await;
    let first = begin_write(&bed.db, "first").await;
    let long = tokio::spawn({
        let db = bed.db.clone();
        async move { db.begin_long().await }
    });
    tokio::time::sleep(A_MOMENT).await;
    first.commit().await.unwrap();
    let long = long.await.unwrap().unwrap();
    long.execute_unprepared("INSERT INTO ledger VALUES ('long')").await.unwrap();
    let behind = queued(&bed.db, "behind").await;
    assert_eq!(bed.stored_names().await, ["first"]);
    long.commit().await.unwrap();
    behind.await.unwrap().rollback().await.unwrap();
    assert_eq!(bed.stored_names().await, ["first", "long"]);
}

/// Many writers, some of which are cancelled at any moment and some of which are refused.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn confirmed_writes_are_stored_and_refused_ones_not_despite_cancellations() {
    let bed = Bed::new().await;
    let mut writers = Vec::new();
    for number in 0..400_u64 {
        let db = bed.db.clone();
        writers.push(tokio::spawn(async move {
            let entry = format!("{number:04}");
            let write = async {
                let tx = if number % 29 == 0 { db.begin_long().await? } else { db.begin().await? };
                tx.execute_unprepared(&format!("INSERT INTO ledger VALUES ('{entry}')")).await?;
                if number % 7 == 0 {
                    tx.execute_unprepared(&format!("INSERT INTO ledger VALUES ('{entry}')")).await?;
                }
                tx.commit().await
            };
            // like callers that hang up; most stay
            let patience = if number % 3 == 0 { Duration::from_micros(number * 97 % 40_000) } else { COMMIT };
            let outcome = tokio::time::timeout(patience, write).await;
            (entry, outcome.ok().map(|outcome| outcome.map_err(|error| error.fault())))
        }));
    }
    let mut answers = Vec::new();
    for writer in writers {
        answers.push(writer.await.unwrap());
    }
    bed.write("after").await.unwrap();
    let stored_names: HashSet<_> = bed.stored_names().await.into_iter().collect();
    for (entry, answer) in &answers {
        match answer {
            Some(Ok(())) => assert!(stored_names.contains(entry), "{entry} was acknowledged and is lost"),
            Some(Err(_)) => assert!(!stored_names.contains(entry), "{entry} was refused and is there"),
            None => {}
        }
    }
    assert!(stored_names.contains("after"));
    let refused = answers.iter().filter(|(_, answer)| *answer == Some(Err(None))).count();
    assert!((1..=400 / 7 + 1).contains(&refused), "{refused} refused for their content");
    let turned_away = answers.iter().filter(|(_, answer)| matches!(answer, Some(Err(Some(_))))).count();
    assert_eq!(turned_away, 0, "others pay for those who leave");
}

#[tokio::test]
async fn a_lost_snapshot_leaves_no_reader_with_old_data() {
    let bed = Bed::new().await;
    for number in 0..SQLITE_READERS {
        let snapshot = bed.db.snapshot().await.unwrap();
        snapshot
            .query_all_raw(Statement::from_string(DbBackend::Sqlite, "SELECT * FROM ledger"))
            .await
            .unwrap();
        snapshot.execute_unprepared("ROLLBACK").await.unwrap();
        drop(snapshot);
        bed.write(&number.to_string()).await.unwrap();
        let sql = "SELECT count(*) AS number FROM ledger";
        let row =
            bed.db.query_one_raw(Statement::from_string(DbBackend::Sqlite, sql)).await.unwrap().unwrap();
        assert_eq!(row.try_get::<i64>("", "number").unwrap(), i64::from(number) + 1);
    }
}

#[tokio::test(start_paused = true)]
async fn statements_do_not_wait_for_an_unreachable_database() {
    let guard = PoolGuard::default();
    let began = Instant::now();
    guard.bounded(std::future::pending::<Result<(), DbErr>>()).await.unwrap_err();
    assert_eq!(began.elapsed(), Duration::from_secs(10));

    let began = Instant::now();
    guard.health.set_reachable(false);
    let refused = guard.bounded(async { Ok(()) }).await.unwrap_err();
    assert_eq!((Fault::from_db_error(&refused), began.elapsed()), (Some(Fault::Away), Duration::ZERO));
    guard.health.set_reachable(true);
    guard.bounded(async { Ok(()) }).await.unwrap();
}

#[tokio::test]
async fn a_rehearsal_is_rolled_back_and_invisible_to_others() {
    let bed = Bed::new().await;
    bed.write("before").await.unwrap();
    let insert = async |db: &Database, entry: &str, commits: bool| {
        let tx = db.begin().await?;
        tx.execute_unprepared(&format!("INSERT INTO ledger VALUES ('{entry}')")).await?;
        if commits { tx.commit().await } else { Ok(tx.rollback().await?) }
    };
    let rehearsed = bed.db.rehearse(async |db| {
        insert(db, "tried", true).await?;
        insert(db, "given up", false).await?;
        assert_eq!(entries(&bed.witness).await, ["before"]);
        Ok(entries(db).await)
    });
    assert_eq!(rehearsed.await.unwrap(), ["before", "tried"]);
    let failed = bed.db.rehearse(async |db| {
        insert(db, "tried", true).await?;
        Err::<(), _>(Error::not_found())
    });
    assert_eq!(failed.await.unwrap_err().code(), codes::NOT_FOUND);
    bed.write("after").await.unwrap();
    assert_eq!(entries(&bed.witness).await, ["after", "before"]);
}

async fn entries(db: &impl ConnectionTrait) -> Vec<String> {
    let sql = "SELECT entry FROM ledger ORDER BY entry";
    let rows = db.query_all_raw(Statement::from_string(db.get_database_backend(), sql)).await.unwrap();
    rows.iter().map(|row| row.try_get_by_index(0).unwrap()).collect()
}
