//! Rows of queued imports.

use sea_orm::{ActiveModelTrait, ActiveValue::Set, Iterable};
use values::UserId;

use super::{
    ActiveModel, ImportStatus, language_name,
    row::Outcome,
    strategy::{ReplaceScope, Strategy},
    uploader::Uploader,
};

/// Row of a caller's queued import, without a file and without any progress.
pub(crate) fn queued_row(by: &Uploader<'_>) -> ActiveModel {
    let mut row = ActiveModel {
        created_by: Set(by.scope.user().map(|UserId(id)| id)),
        language: Set(language_name(by.language).to_owned()),
        strategy: Set(Strategy::default()),
        replace_scope: Set(ReplaceScope::default()),
        removals_expected: Set(None),
        upload_key: Set(String::new()),
        upload_size: Set(0),
        sha256: Set(String::new()),
        identical_to: Set(None),
        replays: Set(None),
        replay_cause: Set(None),
        applies: Set(None),
        number_style: Set(None),
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
