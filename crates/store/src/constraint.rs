//! Constraints of the database that refused a statement.

use sea_orm::{DbErr, RuntimeErr, SqlErr, sqlx::error::DatabaseError};

/// Name of the unique index that refused a row, such as `material_name_fold_key`.
///
/// SQLite names the columns instead, unless one of them is an expression; our indexes are named after their
/// columns.
pub fn violated_key(error: &DbErr) -> Option<String> {
    let Some(SqlErr::UniqueConstraintViolation(text)) = error.sql_err() else { return None };
    if let Some(name) = database_error(error).and_then(DatabaseError::constraint) {
        return Some(without_shard(name).to_owned());
    }
    let (_, constraint) = text.split_once("UNIQUE constraint failed: ")?;
    if let Some(name) = constraint.strip_prefix("index '") {
        return name.split_once('\'').map(|(name, _)| name.to_owned());
    }
    let mut columns = constraint.split(", ").filter_map(|column| column.trim().split_once('.'));
    let (table, first) = columns.next()?;
    let columns = columns.fold(first.to_owned(), |all, (_, column)| format!("{all}_{column}"));
    Some(format!("{table}_{columns}_key"))
}

/// Name of a constraint without the shard number that Citus appends, as in `stock_place_key_102169`.
fn without_shard(name: &str) -> &str {
    let shard = name.rsplit_once('_').filter(|(_, shard)| shard.bytes().all(|byte| byte.is_ascii_digit()));
    shard.map_or(name, |(whole, _)| whole)
}

/// True if a foreign key prevents the deletion of a row; both databases have a separate code for RESTRICT.
pub(crate) fn is_referred_to(error: &DbErr) -> bool {
    const RESTRICT: [&str; 2] = ["1811", "23001"];
    let code = database_error(error).and_then(DatabaseError::code);
    code.is_some_and(|code| RESTRICT.contains(&&*code)) || is_foreign_key(error)
}

/// True if a foreign key refused a statement.
pub fn is_foreign_key(error: &DbErr) -> bool {
    matches!(error.sql_err(), Some(SqlErr::ForeignKeyConstraintViolation(_)))
}

fn database_error(error: &DbErr) -> Option<&dyn DatabaseError> {
    match error {
        DbErr::Exec(RuntimeErr::SqlxError(error)) | DbErr::Query(RuntimeErr::SqlxError(error)) => {
            error.as_database_error()
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::without_shard;

    #[test]
    fn shard_numbers_are_stripped_from_constraint_names() {
        for (name, whole) in [
            ("stock_place_key_102169", "stock_place_key"),
            ("stock_place_key", "stock_place_key"),
            ("material_name_fold_key", "material_name_fold_key"),
        ] {
            assert_eq!(without_shard(name), whole);
        }
    }
}
