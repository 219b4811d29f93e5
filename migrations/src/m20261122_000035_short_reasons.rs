//! Reasons why imports failed repeat no more of the file than one reads: some repeated a cell of a megabyte.

use sea_orm_migration::{
    prelude::*,
    sea_orm::{ConnectionTrait, JsonValue, Statement},
};

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

/// What is no longer than this stays as it is, in characters.
const STORED_MAX: i64 = 20_000;
/// As much as stays of one value.
const VALUE_MAX: usize = 255;
/// As many reasons as stay of an import.
const REASONS_MAX: usize = 20;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }

    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let db = manager.get_connection();
        let backend = manager.get_database_backend();
        let next = "SELECT id, status_message FROM import WHERE length(status_message) > $1 AND id > $2 ORDER BY id LIMIT 1";
        let mut after = 0_i64;
        let find =
            |after: i64| Statement::from_sql_and_values(backend, next, [STORED_MAX.into(), after.into()]);
        while let Some(row) = db.query_one_raw(find(after)).await? {
            after = row.try_get("", "id")?;
            let message: String = row.try_get("", "status_message")?;
            let update = "UPDATE import SET status_message = $1 WHERE id = $2";
            let values = [shortened(&message).into(), after.into()];
            db.execute_raw(Statement::from_sql_and_values(backend, update, values)).await?;
        }
        Ok(())
    }

    async fn down(&self, _: &SchemaManager) -> Result<(), DbErr> {
        Ok(())
    }
}

/// `None` for what is no list of reasons, as nobody could read it anyway.
fn shortened(stored: &str) -> Option<String> {
    let mut reasons: JsonValue = stored.parse().ok()?;
    reasons.as_array_mut()?.truncate(REASONS_MAX);
    shorten(&mut reasons);
    Some(reasons.to_string())
}

fn shorten(value: &mut JsonValue) {
    match value {
        JsonValue::String(text) => {
            if let Some((end, _)) = text.char_indices().nth(VALUE_MAX) {
                text.truncate(end);
                text.push('…');
            }
        }
        JsonValue::Array(values) => values.iter_mut().for_each(shorten),
        JsonValue::Object(fields) => fields.values_mut().for_each(shorten),
        _ => {}
    }
}
