//! Changes the values that a column admits, in a table that others refer to.

use sea_orm_migration::{prelude::*, sea_orm::DbBackend};

/// Changes the values that a column admits, as its check lists them: `CHECK (status IN ('a', 'b'))`.
pub async fn admit(
    manager: &SchemaManager<'_>,
    [table, column]: [&str; 2],
    from: &str,
    to: &str,
) -> Result<(), DbErr> {
    let of_postgres = format!("{column} IN ({to})");
    rewrite(manager, [table, column], &of_postgres, [&format!("({from})"), &format!("({to})")]).await
}

/// Changes what a check demands, as its text says it.
pub async fn demand(
    manager: &SchemaManager<'_>,
    check: [&str; 2],
    from: &str,
    to: &str,
) -> Result<(), DbErr> {
    rewrite(manager, check, to, [from, to]).await
}

async fn rewrite(
    manager: &SchemaManager<'_>,
    [table, name]: [&str; 2],
    of_postgres: &str,
    [from, to]: [&str; 2],
) -> Result<(), DbErr> {
    let db = manager.get_connection();
    if manager.get_database_backend() == DbBackend::Postgres {
        let check = format!("{table}_{name}_check");
        db.execute_unprepared(&format!(
            "ALTER TABLE \"{table}\" DROP CONSTRAINT {check}; \
             ALTER TABLE \"{table}\" ADD CONSTRAINT {check} CHECK ({of_postgres})"
        ))
        .await?;
        return Ok(());
    }
    // SQLite changes no constraint, and making the table anew would delete what refers to it. The rows stay
    // as they are, so that the schema's text can be changed (https://sqlite.org/lang_altertable.html, section
    // 7).
    db.execute_unprepared("PRAGMA writable_schema = ON").await?;
    let (from, to) = (from.replace('\'', "''"), to.replace('\'', "''"));
    let changed = db
        .execute_unprepared(&format!(
            "UPDATE sqlite_schema SET sql = replace(sql, '{from}', '{to}') WHERE type = 'table' AND name = '{table}' \
             AND instr(sql, '{from}') > 0"
        ))
        .await?;
    if changed.rows_affected() != 1 {
        return Err(DbErr::Migration(format!("the check {name} of {table} is not as expected")));
    }
    db.execute_unprepared("PRAGMA writable_schema = RESET").await?;
    Ok(())
}
