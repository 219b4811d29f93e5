//! Tests of stopping running imports.

use tokio::sync::watch;
use values::Language;

use super::*;
use crate::{codes, testbed::Bed};

fn file() -> String {
    let rows: Vec<String> = (0..2_400).map(|row| format!("N{row};{row}")).collect();
    format!("Name;Zahl\n{}\n", rows.join("\n"))
}

impl Bed {
    async fn stop(&self, import: &Import) -> Result<Import> {
        stop(&self.db, &self.registry, &self.authority, &self.scope, import.id).await
    }

    /// Starts an import and applies its first batch; returns it as its worker has claimed it.
    async fn begun(&self, dry_run: bool) -> Import {
        self.upload(&self.scope, file(), dry_run).await;
        let claimed = queue::claim(&self.db, "worker").await.unwrap().unwrap();
        let (_sender, ending) = watch::channel(true);
        self.run_until(&claimed, ending).await;
        queue::claim(&self.db, "worker").await.unwrap().unwrap()
    }
}

#[tokio::test]
async fn a_stopped_import_reports_its_applied_rows_and_can_be_undone() {
    let bed = Bed::new().await;
    let claimed = bed.begun(false).await;
    let next = bed.upload(&bed.scope, "Name\nA\n", false).await;
    let stopped = bed.stop(&claimed).await.unwrap();
    assert_eq!(
        (stopped.status, stopped.rows_created, stopped.is_final()),
        (ImportStatus::Cancelled, 1_000, true)
    );
    assert_eq!(
        stopped.status_text(Language::De).unwrap(),
        "Der Import wurde angehalten, nach 1000 von 2400 Zeilen. Was bis dahin übernommen wurde, bleibt und lässt sich \
         rückgängig machen."
    );
    // its worker notices at the next batch
    bed.run(&claimed).await;
    assert_eq!((bed.now(&claimed).await.rows_created, bed.notes().await.len()), (1_000, 1_000));
    assert_eq!(bed.stop(&claimed).await.unwrap_err().code(), codes::NOT_RUNNING);
    assert_eq!(bed.work(&next).await.status, ImportStatus::Success, "the next one goes on");
    assert!(stopped.is_undoable());
    assert_eq!(bed.undo(&stopped, false).await.rows_removed, 1_000);
    assert_eq!(bed.notes().await.len(), 1);
}

#[tokio::test]
async fn a_dry_run_is_stopped_and_a_queued_import_cancelled() {
    let bed = Bed::new().await;
    let claimed = bed.begun(true).await;
    let queued = bed.upload(&bed.scope, file(), false).await;
    assert_eq!(bed.stop(&claimed).await.unwrap().status, ImportStatus::Cancelled);
    assert_eq!(bed.stop(&queued).await.unwrap().status, ImportStatus::Cancelled);
    assert_eq!(bed.notes().await.len(), 0);
    assert!(matches!(queue::renew(&bed.db, &claimed).await, Err(Stop::Lost)));
}

/// Stopping is queued after the batch that is being applied, and before the next one.
#[tokio::test]
async fn an_import_is_stopped_while_its_worker_is_busy() {
    let bed = Bed::new().await;
    bed.upload(&bed.scope, file(), false).await;
    let claimed = queue::claim(&bed.db, "worker").await.unwrap().unwrap();
    let stop = async {
        while bed.now(&claimed).await.rows_done == 0 {
            tokio::time::sleep(std::time::Duration::from_millis(5)).await;
        }
        bed.stop(&claimed).await
    };
    let (_, stopped) = tokio::join!(bed.run(&claimed), stop);
    let notes = i64::try_from(bed.notes().await.len()).unwrap();
    match stopped {
        Ok(stopped) => assert_eq!((stopped.status, stopped.rows_created), (ImportStatus::Cancelled, notes)),
        Err(error) => assert_eq!((error.code(), notes), (codes::NOT_RUNNING, 2_400)),
    }
    assert_eq!(bed.now(&claimed).await.rows_created, notes);
}

#[tokio::test]
async fn concurrent_requests_to_apply_a_dry_run_give_one_import() {
    let bed = Bed::new().await;
    let tried = bed.dry_run("Name;Zahl\nA;1\n").await;
    let applied = futures_util::future::join_all((0..8).map(|_| bed.queue_applied(&tried))).await;
    assert!(applied.iter().all(|import| import.id == applied[0].id), "{applied:?}");
    assert_eq!(bed.work(&applied[0]).await.rows_created, 1);
    assert_eq!(bed.queue_applied(&tried).await.id, applied[0].id, "also later");
    // after an undo, it can be applied again
    bed.undo(&bed.now(&applied[0]).await, false).await;
    let again = bed.queue_applied(&tried).await;
    assert_ne!(again.id, applied[0].id);
    assert_eq!(bed.stop(&again).await.unwrap().status, ImportStatus::Cancelled);
    assert_ne!(bed.queue_applied(&tried).await.id, again.id, "nor does one count that came to nothing");
}
