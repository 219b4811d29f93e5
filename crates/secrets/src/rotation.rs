//! Rotation of keys: seals all sealed columns again under the current key. It can be interrupted at any
//! point; the next run continues.

use sea_orm::{ConnectionTrait, DbBackend, FromQueryResult, Statement};
use store::Database;
use values::Result;

use crate::{Failure, Keys, SealedColumn, SealedValue, keys::Key};

/// Number of rows in one transaction.
const BATCH: i64 = 100;

/// Result for one column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ColumnRotation {
    pub column: SealedColumn,
    /// Number of values that were sealed again.
    pub resealed: u64,
    /// Number of values that were under the current key already.
    pub current: u64,
    /// Ids of rows that no key can open; they stay unchanged.
    pub unreadable: Vec<i64>,
}

#[derive(FromQueryResult)]
struct Row {
    id: i64,
    sealed: SealedValue,
}

/// Reseals those values of these columns that are under another key than the current one.
pub async fn rotate(db: &Database, keys: &Keys, columns: &[SealedColumn]) -> Result<Vec<ColumnRotation>> {
    let key = keys.current().ok_or(Failure::NoKey)?;
    let mut all = Vec::new();
    for column in columns {
        let mut rotated = ColumnRotation { column: *column, resealed: 0, current: 0, unreadable: Vec::new() };
        let mut after = 0;
        while let Some(last) = rotate_batch(db, keys, key, &mut rotated, after).await? {
            after = last;
        }
        all.push(rotated);
    }
    Ok(all)
}

/// Processes the rows after the id `after`, and returns the last of them.
async fn rotate_batch(
    db: &Database,
    keys: &Keys,
    key: &Key,
    rotated: &mut ColumnRotation,
    after: i64,
) -> Result<Option<i64>> {
    let SealedColumn { table, column } = rotated.column;
    let tx = db.begin().await?;
    let backend = tx.get_database_backend();
    // A running server waits for this, or this for its new secret; SQLite has a single writer.
    let lock = if backend == DbBackend::Postgres { " FOR UPDATE" } else { "" };
    let sql = format!(
        "SELECT id, {column} AS sealed FROM \"{table}\" WHERE id > $1 AND {column} IS NOT NULL ORDER BY id LIMIT $2{lock}"
    );
    let statement = Statement::from_sql_and_values(backend, sql, [after.into(), BATCH.into()]);
    let rows = Row::find_by_statement(statement).all(&tx).await?;
    let last = rows.last().map(|row| row.id);
    for row in rows {
        if row.sealed.is_under(key) {
            rotated.current += 1;
            continue;
        }
        let cell = rotated.column.cell(row.id);
        let Ok(secret) = keys.open(cell, &row.sealed) else {
            rotated.unreadable.push(row.id);
            continue;
        };
        let sql = format!("UPDATE \"{table}\" SET {column} = $1 WHERE id = $2");
        let values = [keys.seal(cell, &secret)?.into(), row.id.into()];
        tx.execute_raw(Statement::from_sql_and_values(backend, sql, values)).await?;
        rotated.resealed += 1;
    }
    tx.commit().await?;
    Ok(last)
}

#[cfg(test)]
mod tests;
