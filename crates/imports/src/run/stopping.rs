//! Stopping a running import. Rows that it has applied stay applied and are reported; its worker finds that
//! it has lost the import.

use std::time::Duration;

use background::Attempts;
use store::{Database, Scope, audit::Action};
use values::{Message, Result};

use super::{queue, staging};
use crate::{
    codes,
    import::{self, Import, ImportStatus, Imports},
    registry::Registry,
    run::{authority::Authority, contention::is_contention, queue::Stop},
};

/// Maximum wait for the batch in progress, within the time limit of a request.
const PATIENCE: Duration = Duration::from_secs(6);

/// Stops an import, or cancels one that has not begun. Waits for the batch that is being applied.
pub async fn stop(
    db: &Database,
    registry: &Registry,
    authority: &dyn Authority,
    scope: &Scope,
    id: i64,
) -> Result<Import> {
    let mut attempts = Attempts::within(PATIENCE);
    loop {
        match try_to_stop(db, registry, authority, scope, id).await {
            Err(error) if is_contention(&error) && attempts.pause().await => {}
            outcome => return outcome,
        }
    }
}

async fn try_to_stop(
    db: &Database,
    registry: &Registry,
    authority: &dyn Authority,
    scope: &Scope,
    id: i64,
) -> Result<Import> {
    let tx = db.begin_long().await?;
    let import = scope.get_locked::<Imports>(&tx, id).await?;
    match import.status {
        ImportStatus::InProgress => {}
        ImportStatus::Queued => {
            drop(tx);
            import::cancel(db, scope, id).await?;
            return scope.get::<Imports>(db, id).await;
        }
        _ => return Err(codes::NOT_RUNNING.into()),
    }
    let is_whole = !import.dry_run && import.undoes.is_none() && import.r#type.is_whole();
    if is_whole {
        // none of it has taken effect
        registry.get(import.r#type)?.forget_staged(&tx, &import).await?;
        staging::nothing_done(&tx, &import, import.checkpoint).await.map_err(stop_error)?;
    }
    let code = match (is_whole, import.dry_run) {
        (true, _) => codes::WHOLE_IMPORT_STOPPED,
        (false, true) => codes::DRY_RUN_STOPPED,
        (false, false) => codes::IMPORT_STOPPED,
    };
    let rows = import.rows_total.unwrap_or(import.rows_done);
    let message: Message = code.with("done", import.rows_done).with("rows", rows);
    let stopped =
        queue::close(&tx, &import, ImportStatus::Cancelled, &[message]).await.map_err(stop_error)?;
    if let Some(mut entry) = scope.entry::<Imports>(Action::Cancelled, Some(&import), Some(&stopped)) {
        entry.add_detail("rows_done", import.rows_done);
        tx.note(entry);
    }
    authority.ends(&tx, &stopped).await?;
    tx.commit().await?;
    authority.notify_progress();
    Ok(stopped)
}

fn stop_error(stop: Stop) -> values::Error {
    match stop {
        Stop::Broken(error) => error,
        Stop::Lost | Stop::Failed(_) => codes::NOT_RUNNING.into(),
    }
}

#[cfg(test)]
mod tests;
