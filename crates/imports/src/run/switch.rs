//! End of a file that takes effect as a whole: one transaction puts all rows into effect and ends the import,
//! or nothing remains.

use background::Attempts;
use store::{Scope, audit::table};
use values::{Error, Message};

use super::{PATIENCE, Runner, final_messages, queue, remove, staging, verdict};
use crate::{
    apply::Applying,
    codes,
    import::{
        Import, ImportStatus,
        row::{ImportRows, Outcome},
        row_counts::RowCounts,
        strategy::Strategy,
    },
    run::{contention::is_contention, queue::Stop},
};

impl Runner<'_> {
    pub(super) async fn switch(
        &self,
        import: &Import,
        applying: &mut dyn Applying,
        scope: &Scope,
        counts: RowCounts,
        notes: &[Message],
    ) -> Result<(), Stop> {
        let mut attempts = Attempts::within(PATIENCE);
        loop {
            let turn = self.turns.acquire().await.map_err(Error::internal)?;
            let outcome = self.try_to_switch(import, applying, scope, counts, notes.to_vec()).await;
            drop(turn);
            match outcome {
                Err(Stop::Broken(error)) if is_contention(&error) => {
                    self.wait_for_others(import, error, &mut attempts).await?;
                }
                outcome => return outcome,
            }
        }
    }

    async fn try_to_switch(
        &self,
        import: &Import,
        applying: &mut dyn Applying,
        scope: &Scope,
        counts: RowCounts,
        notes: Vec<Message>,
    ) -> Result<(), Stop> {
        let tx = self.db.begin_long().await?;
        queue::lock_owned(&tx, import).await?;
        applying.switch(&tx).await.map_err(super::reading_stop)?.map_err(|why| Stop::Failed(vec![why]))?;
        let mut counts = counts;
        if import.strategy == Strategy::ReplaceAll {
            tx.update_statistics(&[table::<ImportRows>()]).await?;
            let unnamed_ids = applying.unnamed_ids(&tx).await?;
            let count = counts
                .get(Outcome::Removed)
                .saturating_add(i64::try_from(unnamed_ids.len()).unwrap_or(i64::MAX));
            if let Some(expected) = import.removals_expected.filter(|expected| *expected != count) {
                return Err(codes::OTHER_WOULD_GO.with("count", count).with("expected", expected).into());
            }
            let last = queue::last_line(&tx, import).await?;
            counts = counts + remove(&tx, import, applying, scope, &unnamed_ids, last).await?;
        }
        let (status, messages) = verdict(counts);
        queue::end(&tx, self.authority, import, status, &final_messages(messages, notes)).await?;
        Ok(tx.commit().await?)
    }

    /// Ends an import that cannot continue. Its staged rows are deleted, and its rows are marked as skipped.
    pub(super) async fn fail(&self, import: &Import, messages: &[Message]) -> Result<(), Stop> {
        let importer = self.registry.get(import.r#type).ok();
        let Some(importer) =
            importer.filter(|importer| importer.is_whole() && import.undoes.is_none() && !import.dry_run)
        else {
            return queue::finish(self.db, self.authority, import, ImportStatus::Failed, messages).await;
        };
        let tx = self.db.begin_long().await?;
        queue::lock_owned(&tx, import).await?;
        let last = queue::last_line(&tx, import).await?;
        importer.forget_staged(&tx, import).await?;
        staging::nothing_done(&tx, import, i64::from(last)).await?;
        queue::end(&tx, self.authority, import, ImportStatus::Failed, messages).await?;
        Ok(tx.commit().await?)
    }
}

impl From<Message> for Stop {
    fn from(message: Message) -> Self {
        Self::Failed(vec![message])
    }
}
