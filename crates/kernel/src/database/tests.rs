//! Nothing is acknowledged that the database has not kept, whatever fails: BEGIN, COMMIT, ROLLBACK, one after the other.

use sea_orm::{ConnectionTrait, Statement};
use tokio::time::Instant;

use super::*;

const FAILURES: [Failure; 4] = [Failure::Begin, Failure::Commit, Failure::Rollback, Failure::Statement];

/// What can go wrong with a write, brought about on a real connection.
#[derive(Debug, Clone, Copy)]
enum Failure {
    /// The connection is in a transaction already, of which the driver knows nothing.
    Begin,
    /// A deferred foreign key refuses the commit; the transaction stays open, and its rollback succeeds.
    Commit,
    /// The database has ended the transaction by itself, as it does when its disk is full: neither COMMIT nor ROLLBACK
    /// finds one, and the driver takes it to be still open.
    Rollback,
    /// The same, noticed by a statement that follows.
    Statement,
}

struct Bed {
    db: Database,
    /// Another process, as it were.
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

    /// Brings a failure about. Whatever a write in it says it has kept is kept; it says whether it has.
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

    /// What is there for everybody.
    async fn kept(&self) -> Vec<String> {
        let sql = "SELECT entry FROM ledger ORDER BY entry";
        let rows = self.witness.query_all_raw(Statement::from_string(DbBackend::Sqlite, sql)).await.unwrap();
        rows.iter().map(|row| row.try_get("", "entry").unwrap()).collect()
    }
}

#[tokio::test]
async fn each_failure_is_told_and_nothing_that_follows_is_lost() {
    for failure in FAILURES {
        let bed = Bed::new().await;
        assert!(!bed.fail(failure, "failed").await, "{failure:?} was no failure");
        bed.write("after").await.unwrap();
        assert_eq!(bed.kept().await, ["after"], "{failure:?}");
    }
}

#[tokio::test]
async fn nothing_that_follows_two_failures_is_lost() {
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
            assert_eq!(bed.kept().await, expected, "{first:?}, then {second:?}");
        }
    }
}

#[tokio::test]
async fn a_snapshot_that_was_lost_leaves_no_reader_behind_the_times() {
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
async fn a_database_that_is_away_is_not_waited_for() {
    let guard = Guard::default();
    let began = Instant::now();
    guard.bounded(std::future::pending::<Result<(), DbErr>>()).await.unwrap_err();
    assert_eq!(began.elapsed(), Duration::from_secs(10));

    let began = Instant::now();
    guard.health.answers(false);
    let refused = guard.bounded(async { Ok(()) }).await.unwrap_err();
    assert_eq!((Fault::of(&refused), began.elapsed()), (Some(Fault::Away), Duration::ZERO));
    guard.health.answers(true);
    guard.bounded(async { Ok(()) }).await.unwrap();
}
