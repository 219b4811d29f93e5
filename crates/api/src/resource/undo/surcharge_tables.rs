//! Undo for surcharge tables: their values are restored independently, all of an entry or none.

use imports::import::row;
use pricing::surcharge_table::{SurchargeTables, revert_values};
use store::audit::Change;
use values::Result;

use super::commands::{self, Task, UndoState};

/// Name of values in the history.
const VALUES: &str = "surcharge_value";

pub(super) fn writes(change: &Change) -> bool {
    change.field == VALUES || commands::writes::<SurchargeTables>(change)
}

pub(super) async fn undo(task: Task<'_>) -> Result<UndoState> {
    let values = row::changes_of(&task.entry.changes).into_iter().find(|change| change.field == VALUES);
    let (is_change, is_restored) = (task.entry.action == "changed", task.entry.action == "deleted");
    let Some(values) = values.filter(|_| is_change || is_restored) else {
        return commands::run::<SurchargeTables>(task).await;
    };
    let (state, scope, record_id) = (task.state, task.scope, task.record_id);
    if is_restored {
        match commands::run::<SurchargeTables>(task).await? {
            UndoState::Reverted => revert_values(&state.db, &scope, record_id, &values).await?,
            UndoState::Already => return Ok(UndoState::Already),
        };
        return Ok(UndoState::Reverted);
    }
    if revert_values(&state.db, &scope, record_id, &values).await?.is_none() {
        task.refuse_changed(vec![values]).await?;
    }
    Ok(UndoState::Reverted)
}
