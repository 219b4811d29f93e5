//! Deletion of expired rows in batches, so that others can write in between and no statement takes long.

use sea_orm::{
    ColumnTrait, Condition, ConnectionTrait, EntityTrait, Order, QueryFilter, QueryOrder, QuerySelect,
    QueryTrait, sea_query::SelectStatement,
};
use values::{clock::Instant, error::Result};

use crate::database::Database;

/// Rows of a batch.
pub const BATCH: u64 = 1_000;

/// Repeats a statement that changes or deletes a batch of rows until it finds none, each time in a
/// transaction of its own.
pub async fn in_batches(db: &Database, batch: &(impl QueryTrait + Sync)) -> Result<()> {
    let batch = batch.build(db.get_database_backend());
    loop {
        let tx = db.begin_long().await?;
        let changed = tx.execute_raw(batch.clone()).await?.rows_affected();
        tx.commit().await?;
        if changed == 0 {
            return Ok(());
        }
    }
}

/// Query for the next rows to delete: the oldest that fulfil the condition.
#[expect(clippy::disallowed_methods, reason = "as time goes by, of all tenants")]
pub fn oldest<E: EntityTrait>(
    id: E::Column,
    at: E::Column,
    before: Instant,
    which: Condition,
) -> SelectStatement {
    E::find()
        .select_only()
        .column(id)
        .filter(at.lt(before))
        .filter(which)
        .order_by(at, Order::Asc)
        .limit(BATCH)
        .into_query()
}
