//! Batches of a file that takes effect as a whole. One batch is staged while the next one is planned, which
//! is possible because planning reads no record that the file changes: it changes none before its end.

use background::Attempts;
use sheets::{Cell, Row};
use store::Scope;
use tokio::{sync::mpsc, time::Instant};
use tracing::{Instrument, Span};
use values::Error;

use super::{
    AppliedBatch, Batch, PATIENCE, Runner, batches::batch_span, count_rows, queue, reading_stop, save_rows,
    slice::TimeSlice,
};
use crate::{
    apply::{Applying, RowPlans},
    import::{Import, row_counts::RowCounts},
    run::{contention::is_contention, queue::Stop},
    unresolved,
};

/// Batch that is planned and not staged yet.
struct Ready {
    span: Span,
    rows: Vec<Row>,
    planned: RowPlans,
}

impl Runner<'_> {
    /// Stages all rows; returns the counts of their results, or `None` if the import is to continue later.
    pub(super) async fn stage_all(
        &self,
        import: &Import,
        applying: &mut dyn Applying,
        scope: &Scope,
        header: &[Cell],
        mut batches: mpsc::Receiver<Batch>,
        claimed: Instant,
    ) -> Result<Option<RowCounts>, Stop> {
        let mut counts = import.row_counts();
        let slice = TimeSlice::since(claimed);
        let record = applying.record();
        let mut ready: Option<Ready> = None;
        loop {
            let next = batches.recv().await.transpose()?;
            if ready.is_none() && next.is_none() {
                return Ok(Some(counts));
            }
            self.storage.check_free_space()?;
            let turn = self.turns.acquire().await.map_err(Error::internal)?;
            let (staged, planned) = tokio::join!(
                self.stage_batch(import, scope, record, header, ready.as_ref()),
                self.plan_batch(import, applying, next)
            );
            drop(turn);
            if let Some(staged_counts) = staged? {
                counts = counts + staged_counts;
                if self.must_stop(import, &slice).await? {
                    return Ok(None);
                }
            }
            ready = planned?;
        }
    }

    async fn plan_batch(
        &self,
        import: &Import,
        applying: &mut dyn Applying,
        rows: Option<Vec<Row>>,
    ) -> Result<Option<Ready>, Stop> {
        let Some(rows) = rows else { return Ok(None) };
        let span = batch_span(import, &rows);
        let mut attempts = Attempts::within(PATIENCE);
        loop {
            match self.try_to_plan(applying, &rows).instrument(span.clone()).await {
                Err(Stop::Broken(error)) if is_contention(&error) => {
                    self.wait_for_others(import, error, &mut attempts).await?;
                }
                planned => return Ok(Some(Ready { planned: planned?, rows, span })),
            }
        }
    }

    async fn try_to_plan(&self, applying: &mut dyn Applying, rows: &[Row]) -> Result<RowPlans, Stop> {
        let tx = self.db.begin_long().await?;
        let planned = applying.plan_staging(&tx, rows).await.map_err(reading_stop)?;
        tx.commit().await?;
        Ok(planned)
    }

    async fn stage_batch(
        &self,
        import: &Import,
        scope: &Scope,
        record: &'static str,
        header: &[Cell],
        ready: Option<&Ready>,
    ) -> Result<Option<RowCounts>, Stop> {
        let Some(ready) = ready else { return Ok(None) };
        let mut attempts = Attempts::within(PATIENCE);
        loop {
            match self.try_to_stage(import, scope, record, header, ready).instrument(ready.span.clone()).await
            {
                Err(Stop::Broken(error)) if is_contention(&error) => {
                    self.wait_for_others(import, error, &mut attempts).await?;
                }
                outcome => return outcome.map(Some),
            }
        }
    }

    async fn try_to_stage(
        &self,
        import: &Import,
        scope: &Scope,
        record: &'static str,
        header: &[Cell],
        Ready { rows, planned: RowPlans { applied, staged_rows, unmatched }, .. }: &Ready,
    ) -> Result<RowCounts, Stop> {
        let Some(last) = rows.last() else { return Ok(RowCounts::default()) };
        let tx = self.db.begin_long().await?;
        queue::lock_owned(&tx, import).await?;
        staged_rows.save(&tx, scope).await?;
        unresolved::record_occurrences(&tx, scope, Some(import.id), unmatched).await?;
        let counts = count_rows(applied);
        let applied_batch = AppliedBatch { rows, results: applied };
        save_rows(&tx, self.authority, scope, import, record, header, applied_batch).await?;
        queue::record(&tx, import, last.line, counts).await?;
        tx.commit().await?;
        self.authority.notify_progress();
        Ok(counts)
    }
}
