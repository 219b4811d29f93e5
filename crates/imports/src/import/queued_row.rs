//! Rows of queued imports.

use sea_orm::{ActiveModelTrait, ActiveValue::Set, Iterable};

use super::{ActiveModel, ImportStatus, row::Outcome};

/// Row of a queued import without any progress.
pub(crate) fn queued_row() -> ActiveModel {
    let mut row = ActiveModel {
        status: Set(ImportStatus::Queued),
        status_message: Set(None),
        rows_done: Set(0),
        fence: Set(0),
        attempt: Set(0),
        checkpoint: Set(0),
        ..Default::default()
    };
    for outcome in Outcome::iter() {
        row.set(outcome.column(), 0_i64.into());
    }
    row
}
