//! Constraints of the database that have refused a statement.

use sea_orm::{DbErr, RuntimeErr, SqlErr, sqlx::error::DatabaseError};

/// The name of the unique index that refused a row: `material_name_fold_key`.
///
/// SQLite names the columns instead, unless one of them is an expression; our indexes are called after their columns.
pub fn violated_key(error: &DbErr) -> Option<String> {
    let Some(SqlErr::UniqueConstraintViolation(text)) = error.sql_err() else { return None };
    if let Some(name) = of_database(error).and_then(DatabaseError::constraint) {
        return Some(name.to_owned());
    }
    let (_, named) = text.split_once("UNIQUE constraint failed: ")?;
    if let Some(name) = named.strip_prefix("index '") {
        return name.split_once('\'').map(|(name, _)| name.to_owned());
    }
    let mut columns = named.split(", ").filter_map(|column| column.trim().split_once('.'));
    let (table, first) = columns.next()?;
    let columns = columns.fold(first.to_owned(), |all, (_, column)| format!("{all}_{column}"));
    Some(format!("{table}_{columns}_key"))
}

/// Whether a foreign key keeps a row: both databases have a code of their own for those that say RESTRICT.
pub(crate) fn is_referred_to(error: &DbErr) -> bool {
    const RESTRICT: [&str; 2] = ["1811", "23001"];
    let code = of_database(error).and_then(DatabaseError::code);
    code.is_some_and(|code| RESTRICT.contains(&&*code)) || is_foreign_key(error)
}

/// True if a foreign key refused a statement.
pub fn is_foreign_key(error: &DbErr) -> bool {
    matches!(error.sql_err(), Some(SqlErr::ForeignKeyConstraintViolation(_)))
}

fn of_database(error: &DbErr) -> Option<&dyn DatabaseError> {
    match error {
        DbErr::Exec(RuntimeErr::SqlxError(error)) | DbErr::Query(RuntimeErr::SqlxError(error)) => {
            error.as_database_error()
        }
        _ => None,
    }
}
