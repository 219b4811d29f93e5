//! Runs the undo of an import: its batches are rows of the other import instead of rows of a file; everything
//! else is the same.

use sheets::Row;
use store::Scope;
use tokio::time::Instant;
use values::Message;

use super::{BATCH_ROWS, End, Runner, done_before, queue, slice::TimeSlice};
use crate::{
    codes,
    import::{Import, ImportStatus, row::Outcome, row_counts::RowCounts},
    revert::undo_rows,
    run::queue::Stop,
};

impl Runner<'_> {
    pub(super) async fn run_undo(&self, import: &Import, scope: &Scope, undone: i64) -> Result<End, Stop> {
        let claimed = Instant::now();
        let importer = self.registry.get(import.r#type).map_err(super::reading_stop)?;
        let (mut applying, header) = importer.reverse(*scope, import, undone);
        let total = undo_rows::count(self.db, import.tenant_id, undone).await?;
        queue::begin(self.db, import, total, 0, None).await?;
        let mut checkpoint = done_before(import);
        let mut counts = import.row_counts();
        let slice = TimeSlice::since(claimed);
        loop {
            let lines =
                undo_rows::lines_after(self.db, import.tenant_id, undone, checkpoint, BATCH_ROWS as u64)
                    .await?;
            let Some(last) = lines.last() else { return Ok(End::Finished(counts)) };
            checkpoint = *last;
            let batch: Vec<Row> =
                lines.into_iter().map(|line| Row { line, cells: Vec::new(), faults: Vec::new() }).collect();
            self.storage.check_free_space()?;
            counts = counts + self.apply_batch(import, &mut *applying, scope, &header, &batch).await?;
            if self.must_stop(import, &slice).await? {
                return Ok(End::Interrupted);
            }
        }
    }
}

pub(super) fn verdict(counts: RowCounts) -> (ImportStatus, Vec<Message>) {
    match (
        counts.sum([Outcome::Kept, Outcome::Refused]),
        counts.sum([Outcome::Created, Outcome::Updated, Outcome::Removed]),
    ) {
        (0, _) => (ImportStatus::Success, Vec::new()),
        (1.., 0) => (ImportStatus::Failed, vec![codes::NOTHING_UNDONE.into()]),
        _ => (ImportStatus::PartialSuccess, Vec::new()),
    }
}
