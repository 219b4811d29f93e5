//! Tests of workers that crash, stall, recover, or run concurrently.

use sea_orm::DbBackend;
use tokio::sync::watch;
use values::Instant;

use super::*;
use crate::{import::row::Outcome, testbed::Bed};

/// Number of different notes: more than two batches.
const ROWS: usize = 2_400;

fn file() -> String {
    let rows = (0..ROWS).map(|row| format!("N{row};{row}\n"));
    "Name;Zahl\n".to_owned() + &rows.collect::<String>()
}

impl Bed {
    async fn claimed(&self, owner: &str) -> Option<Import> {
        claim(&self.db, owner).await.unwrap()
    }

    /// Runs until the first batch is applied, as if the process was asked to end.
    async fn run_a_little(&self, claimed: &Import) {
        let (_sender, ending) = watch::channel(true);
        self.run_until(claimed, ending).await;
    }

    async fn sql(&self, sql: &str) {
        let tx = self.db.begin().await.unwrap();
        tx.execute_unprepared(sql).await.unwrap();
        tx.commit().await.unwrap();
    }

    async fn set(&self, import: &Import, what: &str) {
        self.sql(&format!("UPDATE import SET {what} WHERE id = {}", import.id)).await;
    }

    /// Makes a batch fail after it has done everything else.
    async fn forbid_checkpoints(&self) {
        if self.db.get_database_backend() == DbBackend::Postgres {
            self.sql("ALTER TABLE import ADD CONSTRAINT stop CHECK (rows_done <= 1000)").await;
        } else {
            self.sql(
                "CREATE TRIGGER stop BEFORE UPDATE OF rows_done ON import WHEN new.rows_done > 1000 \
                 BEGIN SELECT raise(ABORT, 'stop'); END",
            )
            .await;
        }
    }

    async fn allow_checkpoints(&self) {
        if self.db.get_database_backend() == DbBackend::Postgres {
            self.sql("ALTER TABLE import DROP CONSTRAINT stop").await;
        } else {
            self.sql("DROP TRIGGER stop").await;
        }
    }

    /// Expires the lease, as for a stalled worker.
    async fn fall_silent(&self, import: &Import) {
        self.set(import, "lease_until = '1970-01-01 00:00:00+00:00'").await;
    }
}

fn applied(import: &Import) -> (ImportStatus, i64, i64, i64) {
    (import.status, import.rows_created, import.rows_updated + import.rows_unchanged, import.rows_refused)
}

const ALL: (ImportStatus, i64, i64, i64) = (ImportStatus::Success, 2_400, 0, 0);

#[tokio::test]
async fn an_interrupted_import_continues_after_its_last_batch() {
    let bed = Bed::new().await;
    let import = bed.upload(&bed.scope, file(), false).await;
    let first = bed.claimed("first").await.unwrap();
    bed.run_a_little(&first).await;
    let between = bed.now(&import).await;
    assert_eq!(
        (between.status, between.rows_done, between.checkpoint),
        (ImportStatus::InProgress, 1_000, 1_001)
    );
    assert_eq!(bed.notes().await.len(), 1_000);

    let second = bed.claimed("second").await.expect("it was given back at once");
    assert_eq!((second.id, second.fence, second.attempt), (import.id, first.fence + 1, 1));
    bed.run(&second).await;
    assert_eq!(applied(&bed.now(&import).await), ALL);
    assert_eq!(bed.notes().await.len(), ROWS);
}

#[tokio::test]
async fn a_worker_that_lost_its_lease_writes_nothing_more() {
    let bed = Bed::new().await;
    let import = bed.upload(&bed.scope, file(), false).await;
    let silent = bed.claimed("silent").await.unwrap();
    assert_eq!(bed.claimed("other").await, None, "the lease is valid");
    bed.fall_silent(&silent).await;
    let other = bed.claimed("other").await.unwrap();

    bed.run(&silent).await;
    assert_eq!(bed.notes().await.len(), 0);
    let now = bed.now(&import).await;
    assert_eq!((now.status, now.rows_done), (ImportStatus::InProgress, 0));
    assert!(matches!(renew(&bed.db, &silent).await, Err(Stop::Lost)));
    assert!(matches!(
        finish(&bed.db, &bed.authority, &silent, ImportStatus::Failed, &[]).await,
        Err(Stop::Lost)
    ));

    bed.run(&other).await;
    assert_eq!(applied(&bed.now(&import).await), ALL);
    bed.run(&silent).await;
    assert_eq!(applied(&bed.now(&import).await), ALL, "nor after the import has finished");
}

#[tokio::test]
async fn a_stalled_worker_that_resumes_applies_no_row_twice() {
    let bed = Bed::new().await;
    let import = bed.upload(&bed.scope, file(), false).await;
    let silent = bed.claimed("silent").await.unwrap();
    bed.run_a_little(&silent).await;
    let other = bed.claimed("other").await.unwrap();
    tokio::join!(bed.run(&silent), bed.run(&other));
    assert_eq!(applied(&bed.now(&import).await), ALL);
    assert!(bed.notes().await.iter().all(|note| note.version == 1));
}

#[tokio::test]
async fn a_machine_fault_does_not_count_as_a_failed_attempt() {
    let mut bed = Bed::new().await;
    let import = bed.upload(&bed.scope, file(), false).await;
    let roomy = bed.storage.clone();
    for attempt in 0..2 * ATTEMPTS {
        let claimed = bed.claimed("worker").await.unwrap();
        bed.storage = roomy.clone().with_reserve(storage::Reserve::Bytes(u64::MAX));
        assert!(bed.run(&claimed).await, "it waits for the machine");
        assert_eq!(bed.now(&import).await.status, ImportStatus::InProgress);
        if attempt % 2 == 0 {
            release(&bed.db, &claimed).await.unwrap();
        } else {
            // another process takes it over, and its worker notices that later
            bed.fall_silent(&claimed).await;
            let other = bed.claimed("other").await.unwrap();
            assert!(matches!(release(&bed.db, &claimed).await, Err(Stop::Lost)));
            forgive(&bed.db, &claimed).await.unwrap();
            bed.fall_silent(&other).await;
            forgive(&bed.db, &other).await.unwrap();
        }
    }
    bed.storage = roomy;
    assert_eq!(applied(&bed.work(&import).await), ALL);
}

#[tokio::test]
async fn a_tenant_runs_one_import_of_a_type_at_a_time_in_upload_order() {
    let bed = Bed::new().await;
    let first = bed.upload(&bed.scope, file(), false).await;
    let second = bed.upload(&bed.scope, file(), false).await;
    let others = bed.upload(&bed.other, file(), false).await;
    let running = bed.claimed("a").await.unwrap();
    assert_eq!(running.id, first.id);
    assert_eq!(bed.claimed("b").await.map(|import| import.id), Some(others.id));
    assert_eq!(bed.claimed("c").await, None);
    finish(&bed.db, &bed.authority, &running, ImportStatus::Success, &[]).await.unwrap();
    assert_eq!(bed.claimed("c").await.map(|import| import.id), Some(second.id));
}

#[tokio::test]
async fn one_of_two_concurrent_workers_gets_the_import() {
    let bed = Bed::new().await;
    for _ in 0..10 {
        let import = bed.upload(&bed.scope, file(), false).await;
        let (a, b, c) = tokio::join!(bed.claimed("a"), bed.claimed("b"), bed.claimed("c"));
        let claimed: Vec<_> = [a, b, c].into_iter().flatten().collect();
        assert_eq!(claimed.iter().map(|claimed| claimed.id).collect::<Vec<_>>(), [import.id]);
        finish(&bed.db, &bed.authority, &claimed[0], ImportStatus::Success, &[]).await.unwrap();
    }
}

#[tokio::test]
async fn an_import_is_either_claimed_or_cancelled() {
    let bed = Bed::new().await;
    for _ in 0..10 {
        let import = bed.upload(&bed.scope, file(), false).await;
        let (claimed, cancelled) =
            tokio::join!(bed.claimed("a"), crate::import::cancel(&bed.db, &bed.scope, import.id));
        assert_ne!(claimed.is_some(), cancelled.is_ok());
        if let Some(claimed) = claimed {
            finish(&bed.db, &bed.authority, &claimed, ImportStatus::Success, &[]).await.unwrap();
        }
    }
}

#[tokio::test]
async fn a_file_that_crashes_its_workers_is_given_up() {
    let bed = Bed::new().await;
    let import = bed.upload(&bed.scope, file(), false).await;
    for _ in 0..ATTEMPTS {
        let claimed = bed.claimed("short-lived").await.unwrap();
        assert_eq!(given_up(&claimed), None);
        bed.fall_silent(&claimed).await;
    }
    let claimed = bed.claimed("last").await.unwrap();
    bed.run(&claimed).await;
    let import = bed.now(&import).await;
    assert_eq!(import.status, ImportStatus::Failed);
    let reason = import.status_text(values::Language::De).unwrap();
    assert_eq!(reason, "Der Import wurde nach 3 abgebrochenen Versuchen aufgegeben");
    assert_eq!(bed.notes().await.len(), 0);
}

#[tokio::test]
async fn a_file_that_has_changed_is_not_read_further() {
    let bed = Bed::new().await;
    let import = bed.upload(&bed.scope, file(), false).await;
    let claimed = bed.claimed("first").await.unwrap();
    bed.run_a_little(&claimed).await;
    std::fs::write(bed.path_of(&import.upload_key), file().replace("N1000;", "M1000;")).unwrap();
    let claimed = bed.claimed("second").await.unwrap();
    bed.run(&claimed).await;
    let import = bed.now(&import).await;
    assert_eq!((import.status, import.rows_created), (ImportStatus::Failed, 1_000));
    let reason = import.status_text(values::Language::De).unwrap();
    assert!(reason.starts_with("Die Datei ist nicht mehr die, die hochgeladen wurde"), "{reason}");
    assert_eq!(bed.notes().await.len(), 1_000, "applied rows are reported and can be undone");
    bed.undo(&import, false).await;
    assert_eq!(bed.notes().await.len(), 0);
}

#[tokio::test]
async fn leases_of_a_dead_process_are_released_at_the_next_start() {
    let bed = Bed::new().await;
    let import = bed.upload(&bed.scope, file(), false).await;
    bed.claimed("dead").await.unwrap();
    lease::release_all_of::<Imports>(&bed.db, "another owner").await.unwrap();
    assert_eq!(bed.claimed("next").await, None);
    lease::release_all_of::<Imports>(&bed.db, "dead").await.unwrap();
    assert_eq!(bed.claimed("next").await.map(|claimed| claimed.id), Some(import.id));
}

/// The records that its rows named are remembered, although no record was written.
#[tokio::test]
async fn an_interrupted_dry_run_continues_after_its_last_batch() {
    let bed = Bed::new().await;
    bed.import("Name;Zahl\nN7;7\n").await;
    let import = bed.upload(&bed.scope, file() + "X;viele\nN5;1\nN7;1\nN2000;1\n", true).await;
    let first = bed.claimed("first").await.unwrap();
    bed.run_a_little(&first).await;
    assert_eq!((bed.now(&import).await.rows_done, bed.stored_row_count().await), (1_000, 1_001));
    let import = bed.work(&import).await;
    assert_eq!(applied(&import), (ImportStatus::PartialSuccess, 2_399, 1, 4));
    assert_eq!(import.rows_done, 2_404);
    let reasons = bed.reasons(&import).await;
    let repeated = |line: u32| format!("Name: Der Eintrag kommt in dieser Datei schon in Zeile {line} vor");
    for (reason, line) in reasons[1..].iter().zip([7, 9, 2_002]) {
        assert_eq!(reason.1, [repeated(line)]);
    }
    assert_eq!(bed.notes().await.len(), 1);
}

#[tokio::test]
async fn a_dry_run_that_fails_repeatedly_without_progress_is_given_up() {
    let bed = Bed::new().await;
    let import = bed.upload(&bed.scope, file(), true).await;
    let next = bed.upload(&bed.scope, "Name\nA\n", false).await;
    bed.forbid_checkpoints().await;
    // the first attempt makes progress
    for _ in 0..=ATTEMPTS {
        let claimed = bed.claimed("worker").await.unwrap();
        assert_eq!(claimed.id, import.id);
        assert!(!bed.run(&claimed).await);
        bed.fall_silent(&claimed).await;
    }
    let claimed = bed.claimed("worker").await.unwrap();
    bed.run(&claimed).await;
    let import = bed.now(&import).await;
    assert_eq!((import.status, import.rows_done), (ImportStatus::Failed, 1_000));
    let reason = import.status_text(values::Language::En).unwrap();
    assert_eq!(reason, "The import was given up after 3 interrupted attempts");
    bed.allow_checkpoints().await;
    assert_eq!(bed.work(&next).await.status, ImportStatus::Success, "the next one does not wait for it");
}

#[tokio::test]
async fn tenants_take_turns_and_none_waits_for_all_files_of_another() {
    let bed = Bed::new().await;
    let mut of_north = Vec::new();
    for r#type in ["Matching", "Price", "Stock", "Listing"] {
        let import = bed.upload(&bed.scope, file(), false).await;
        bed.set(&import, &format!("type = '{type}'")).await;
        of_north.push(import.id);
    }
    let south = bed.upload(&bed.other, file(), false).await.id;
    let claimed = async |owner: &str| bed.claimed(owner).await.map(|import| import.id);
    assert_eq!(claimed("a").await, Some(of_north[0]), "the first upload of two tenants without a turn");
    assert_eq!(claimed("b").await, Some(south), "their tenant has no running import");
    assert_eq!(claimed("c").await, Some(of_north[1]), "no other tenant waits");

    bed.sql(&format!("UPDATE import SET lease_until = '{}'", Instant::UNIX_EPOCH.to_rfc3339())).await;
    assert_eq!(claimed("d").await, Some(south), "all leases have expired, and theirs was the earlier turn");
    assert_eq!(claimed("e").await, Some(of_north[0]));
}

#[tokio::test]
async fn batches_of_several_imports_alternate() {
    let bed = Bed::new().await;
    let long = bed.upload(&bed.scope, file(), false).await;
    let short = bed.upload(&bed.other, "Name\nA\nB\n", false).await;
    let (first, second) = (bed.claimed("a").await.unwrap(), bed.claimed("b").await.unwrap());
    assert_eq!((first.id, second.id), (long.id, short.id));
    let (_going_on, ending) = watch::channel(false);
    let ended = async {
        bed.run_until(&second, ending.clone()).await;
        bed.now(&long).await
    };
    let (_, of_long) = tokio::join!(bed.run_until(&first, ending.clone()), ended);
    assert_eq!(bed.now(&short).await.status, ImportStatus::Success);
    assert_eq!(
        of_long.status,
        ImportStatus::InProgress,
        "the short file did not wait for the end of the long one"
    );
    assert_eq!(applied(&bed.now(&long).await), ALL);
}

#[tokio::test]
async fn the_import_with_the_longest_turn_gives_way_to_a_waiting_tenant() {
    let bed = Bed::new().await;
    let of_north = bed.upload(&bed.scope, file(), true).await;
    let also_of_north = bed.upload(&bed.scope, file(), true).await;
    bed.set(&also_of_north, "type = 'Stock'").await;
    let first = bed.claimed("a").await.unwrap();
    let second = bed.claimed("b").await.unwrap();
    assert_eq!((first.id, second.id), (of_north.id, also_of_north.id));
    let gives_way =
        async |import: &Import, is_overdue| must_give_way(&bed.db, import, is_overdue).await.unwrap();
    bed.upload(&bed.scope, file(), false).await;
    assert!(!gives_way(&first, true).await, "imports of the same tenant do not count");
    bed.upload(&bed.other, file(), false).await;
    assert!(gives_way(&first, false).await, "also a dry run");
    assert!(!gives_way(&second, false).await, "one of them is enough");
    assert!(gives_way(&second, true).await, "unless the first one does not give way");
    release(&bed.db, &first).await.unwrap();
    let of_south = bed.claimed("c").await.unwrap();
    assert_eq!(of_south.tenant_id, bed.other.tenant().unwrap().0, "the slot is theirs");
    assert!(!gives_way(&second, true).await, "no other tenant waits");
    release(&bed.db, &second).await.unwrap();
    assert!(gives_way(&of_south, false).await, "the import that has given way waits as well");
}

/// Exactly the rows whose records were written are reported.
#[tokio::test]
async fn a_worker_that_dies_in_a_batch_leaves_no_records_or_rows_of_it() {
    let bed = Bed::new().await;
    let import = bed.upload(&bed.scope, file(), false).await;
    let dying = bed.claimed("dying").await.unwrap();
    bed.run_a_little(&dying).await;
    assert_eq!((bed.notes().await.len(), bed.stored_row_count().await), (1_000, 1_000));
    // the next batch is applied and its rows are stored, but the checkpoint is not reached
    let claimed = bed.claimed("dying").await.unwrap();
    bed.forbid_checkpoints().await;
    assert!(!bed.run(&claimed).await);
    assert_eq!((bed.notes().await.len(), bed.stored_row_count().await), (1_000, 1_000));
    assert_eq!(bed.now(&import).await.rows_done, 1_000);
    bed.allow_checkpoints().await;
    bed.fall_silent(&claimed).await;
    assert_eq!(applied(&bed.work(&import).await), ALL);
    assert_eq!((bed.notes().await.len(), bed.stored_row_count().await), (2_400, 2_400));
    let rows = bed.rows(&import).await;
    assert!(rows.iter().all(|row| row.outcome == Outcome::Created && row.record_id.is_some()));
}

#[tokio::test]
async fn deleting_a_tenant_during_their_import_deletes_everything() {
    let bed = Bed::new().await;
    let import = bed.upload(&bed.scope, file(), false).await;
    let others = bed.upload(&bed.other, "Name\nA\n", false).await;
    let claimed = bed.claimed("worker").await.unwrap();
    bed.run_a_little(&claimed).await;
    let claimed = bed.claimed("worker").await.unwrap();
    assert_eq!(claimed.id, others.id, "their turn");
    bed.run(&claimed).await;
    let claimed = bed.claimed("worker").await.unwrap();
    assert_eq!(claimed.id, import.id);
    // like the deletion of a tenant
    for table in ["note", "import_row", "import"] {
        bed.sql(&format!("DELETE FROM {table} WHERE tenant_id = {}", import.tenant_id)).await;
    }
    assert!(!bed.run(&claimed).await, "nothing is left to wait for");
    assert_eq!(bed.stored_row_count().await, 1, "of the other tenant");
    assert_eq!(bed.notes().await.len(), 0);
    assert_eq!(testkit::note::all(&bed.db, &bed.other).await.len(), 1);
}

/// A row with the same key that another writer inserts meanwhile is no reason to fail, and is not reported as
/// the import's own.
#[tokio::test]
async fn two_imports_of_the_same_keys_report_which_one_created_them() {
    let bed = Bed::new().await;
    let first = bed.upload(&bed.scope, file(), false).await;
    let second = bed.upload(&bed.scope, file(), false).await;
    let [first, second] = bed.work_both_at_once([&first, &second]).await;
    assert_eq!((first.status, second.status), (ImportStatus::Success, ImportStatus::Success));
    assert_eq!(first.rows_created + second.rows_created, 2_400);
    assert_eq!(first.rows_unchanged + second.rows_unchanged, 2_400);
    assert!(bed.notes().await.iter().all(|note| note.version == 1));
}

/// The result of a row is what it has really done, even if another writer was faster by a moment.
#[tokio::test]
async fn a_record_that_another_writer_creates_meanwhile_is_reported_as_updated() {
    let bed = Bed::new().await;
    let import = bed.upload(&bed.scope, "Name;Zahl\nA;1\n", false).await;
    let claimed = bed.claimed("worker").await.unwrap();
    let tx = bed.db.begin().await.unwrap();
    let faster = vec![testkit::note::note("A", Some(7))];
    bed.scope.upsert::<testkit::note::Notes>(&tx, faster).await.unwrap();
    let committed = async {
        bed.db.until_a_write_waits().await;
        tx.commit().await.unwrap();
    };
    tokio::join!(bed.run(&claimed), committed);
    let row = bed.rows(&import).await.remove(0);
    let number = |number: i64| Some(serde_json::json!({ "number": number }));
    assert_eq!((row.outcome, row.before, row.after), (Outcome::Updated, number(7), number(1)));
    assert_eq!((bed.now(&import).await.rows_updated, bed.notes().await[0].version), (1, 2));
}
