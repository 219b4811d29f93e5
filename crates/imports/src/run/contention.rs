//! Errors that only mean a conflict with another writer.

use store::constraint;
use values::{Error, Fault};

use crate::{apply::Applying, codes};

/// True if another writer has just changed a record, taken a key or deleted a referenced record, or on a lock
/// timeout or a deadlock: planned again, the rows can be applied.
pub(crate) fn is_conflict(error: &Error, applying: &dyn Applying) -> bool {
    match error {
        Error::Refused(message) => message.code == codes::STALE,
        Error::Database(of_database) => {
            applying.is_key_taken(of_database)
                || constraint::is_foreign_key(of_database)
                || is_contention(error)
        }
        _ => false,
    }
}

/// True for a conflict of work that writes no record. Recognised by the database's error code, since messages
/// may be in any language.
pub(crate) fn is_contention(error: &Error) -> bool {
    error.fault() == Some(Fault::Busy)
}

#[cfg(test)]
mod tests;
