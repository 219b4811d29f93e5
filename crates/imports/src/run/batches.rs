//! Batches of a file, one after the other: each commits together with the progress of the import.

use background::Attempts;
use sheets::{Cell, Row};
use store::{Scope, Write, audit::table, spans::SPANS};
use tokio::{sync::mpsc, time::Instant};
use tracing::{Instrument, Span};
use values::Error;

use super::{
    AppliedBatch, Batch, GROWN, PATIENCE, Runner, count_rows, done_before, queue, reading_stop, save_rows,
    slice::TimeSlice,
};
use crate::{
    apply::Applying,
    codes,
    import::{
        Import,
        row::{ImportRows, Outcome},
        row_counts::RowCounts,
    },
    run::{
        contention::{is_conflict, is_contention},
        queue::Stop,
    },
};

impl Runner<'_> {
    /// Applies batch by batch; returns the counts of all results, or `None` if the import is to continue
    /// later.
    pub(super) async fn apply_all(
        &self,
        import: &Import,
        applying: &mut dyn Applying,
        scope: &Scope,
        header: &[Cell],
        mut batches: mpsc::Receiver<Batch>,
        claimed: Instant,
    ) -> Result<Option<RowCounts>, Stop> {
        let mut counts = import.row_counts();
        let mut grown = counts.get(Outcome::Created).saturating_add(GROWN);
        let mut slice = TimeSlice::since(claimed);
        while let Some(batch) = batches.recv().await {
            let batch = batch?;
            self.storage.check_free_space()?;
            let tried = batch.partition_point(|row| row.line <= done_before(import));
            let (tried, batch) = batch.split_at(tried);
            if !tried.is_empty() {
                self.remember(import, applying, tried).await?;
                slice = TimeSlice::since(claimed);
            }
            if batch.is_empty() {
                if self.ending.is_set() {
                    return Ok(None);
                }
                continue;
            }
            counts = counts + self.apply_batch(import, applying, scope, header, batch).await?;
            if counts.get(Outcome::Created) >= grown && !import.dry_run {
                grown = counts.get(Outcome::Created).saturating_mul(4);
                self.update_statistics(import, applying.record()).await;
            }
            if self.must_stop(import, &slice).await? {
                return Ok(None);
            }
        }
        Ok(Some(counts))
    }

    /// Remembers rows that an earlier worker has tried.
    async fn remember(&self, import: &Import, applying: &mut dyn Applying, rows: &[Row]) -> Result<(), Stop> {
        let mut attempts = Attempts::within(PATIENCE);
        loop {
            let turn = self.turns.acquire().await.map_err(Error::internal)?;
            let outcome = self.try_to_remember(import, applying, rows).await;
            drop(turn);
            match outcome {
                Err(Stop::Broken(error)) if is_contention(&error) => {
                    self.wait_for_others(import, error, &mut attempts).await?;
                }
                outcome => return outcome,
            }
        }
    }

    async fn try_to_remember(
        &self,
        import: &Import,
        applying: &mut dyn Applying,
        rows: &[Row],
    ) -> Result<(), Stop> {
        let tx = self.db.begin_long().await?;
        queue::renew_within(&tx, import).await?;
        applying.remember(&tx, rows).await?;
        Ok(tx.commit().await?)
    }

    /// Updates the planner's statistics after a table has grown much, for the statements of later batches.
    async fn update_statistics(&self, import: &Import, record: &str) {
        let rows = table::<ImportRows>();
        if let Err(error) = self.db.update_statistics(&[record, rows]).await {
            tracing::warn!(import = import.id, %error, "the statistics of tables that have grown were not updated");
        }
    }

    /// Applies a batch, with retries on conflicts with other writers, such as articles that were created or
    /// locked meanwhile.
    pub(super) async fn apply_batch(
        &self,
        import: &Import,
        applying: &mut dyn Applying,
        scope: &Scope,
        header: &[Cell],
        batch: &[Row],
    ) -> Result<RowCounts, Stop> {
        let mut attempts = Attempts::within(PATIENCE);
        loop {
            let turn = self.turns.acquire().await.map_err(Error::internal)?;
            let attempt = self.try_batch(import, applying, scope, header, batch);
            let outcome = attempt.instrument(batch_span(import, batch)).await;
            drop(turn);
            match outcome {
                Err(Stop::Broken(error)) if is_conflict(&error, applying) => {
                    self.wait_for_others(import, error, &mut attempts).await?;
                }
                // concerns the target
                Err(Stop::Broken(error @ Error::Refused(_))) => return Err(reading_stop(error)),
                outcome => return outcome,
            }
        }
    }

    /// Pauses before a retry after a conflict with other writers, and renews the lease.
    pub(super) async fn wait_for_others(
        &self,
        import: &Import,
        error: Error,
        attempts: &mut Attempts,
    ) -> Result<(), Stop> {
        tracing::debug!(import = import.id, %error, "other writers are in the way");
        if self.ending.is_set() {
            return Err(Stop::Broken(error));
        }
        if !attempts.pause().await {
            return Err(codes::IMPORT_HELD_UP.with("minutes", PATIENCE.as_secs() / 60).into());
        }
        match queue::renew(self.db, import).await {
            // this can conflict with them, too
            Err(Stop::Broken(error)) if is_contention(&error) => Ok(()),
            renewed => renewed,
        }
    }

    async fn try_batch(
        &self,
        import: &Import,
        applying: &mut dyn Applying,
        scope: &Scope,
        header: &[Cell],
        batch: &[Row],
    ) -> Result<RowCounts, Stop> {
        let Some(last) = batch.last() else { return Ok(RowCounts::default()) };
        let tx = self.db.begin_long().await?;
        queue::lock_owned(&tx, import).await?;
        let applied = applying.apply(&tx, batch).await?;
        // A dry run's writes are rolled back; only their results are stored.
        let tx = if import.dry_run { self.begin_again(tx).await? } else { tx };
        let counts = count_rows(&applied);
        let applied_batch = AppliedBatch { rows: batch, results: &applied };
        save_rows(&tx, self.authority, scope, import, applying.record(), header, applied_batch).await?;
        queue::record(&tx, import, last.line, counts).await?;
        tx.commit().await?;
        self.authority.notify_progress();
        applying.committed();
        Ok(counts)
    }

    async fn begin_again(&self, tx: Write) -> Result<Write, Stop> {
        tx.rollback().await?;
        Ok(self.db.begin_long().await?)
    }
}

/// Begins the span of a batch.
pub(super) fn batch_span(import: &Import, rows: &[Row]) -> Span {
    tracing::info_span!(
        target: SPANS,
        "import batch",
        stalhof.import = import.id,
        stalhof.rows = i64::try_from(rows.len()).unwrap_or(i64::MAX)
    )
}
