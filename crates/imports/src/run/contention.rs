//! Errors that mean nothing but that another writer was in the way.

use kernel::{Code, Error, Fault, constraint};

use crate::apply::Applying;

/// True if another writer has just changed a record, taken a key or deleted what a row refers to, or if there was a lock
/// or a deadlock: planned anew, the rows come out right.
pub(crate) fn is_conflict(error: &Error, applying: &dyn Applying) -> bool {
    match error {
        Error::Refused(message) => message.code == Code::Stale,
        Error::Database(of_database) => {
            applying.is_key_taken(of_database)
                || constraint::is_foreign_key(of_database)
                || is_contention(error)
        }
        _ => false,
    }
}

/// The same for work that writes no record. Recognised by the database's code: its messages come in any language.
pub(crate) fn is_contention(error: &Error) -> bool {
    error.fault() == Some(Fault::Busy)
}

#[cfg(test)]
mod tests;
