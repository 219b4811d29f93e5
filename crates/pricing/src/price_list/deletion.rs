//! Deletion of price lists with their prices, and its undo.

use lists::Deletable;
use store::{Database, Scope, audit::Action, deadline, usage};
use values::{Result, Validated, now};

use super::{PriceListInput, PriceLists, Status, writing::insert};
use crate::{codes, price_list_entry};

impl Deletable for PriceLists {
    /// Deletes a pending list with its prices. The history records the number of prices and each of them, so
    /// that everything can be restored.
    async fn delete(db: &Database, scope: &Scope, id: i64) -> Result<()> {
        let writer = scope.get::<Self>(db, id).await?.writer(scope)?;
        deadline::extend(deadline::MANY_RECORDS);
        let tx = db.begin_long().await?;
        let list = usage::release::<Self>(&tx, &writer, id, |list| match list.status(&now()) {
            Status::Pending => Ok(()),
            Status::Active | Status::Inactive => Err(codes::PRICE_LIST_IN_FORCE.into()),
        })
        .await?;
        let prices = price_list_entry::writing::remove_all(&tx, &writer, &list).await?;
        writer.delete::<Self>(&tx, id).await?;
        if let Some(mut entry) = writer.entry::<Self>(Action::Deleted, Some(&list), None) {
            entry.note_removed(DELETED_PRICES, prices);
            tx.note(entry);
        }
        tx.commit().await
    }
}

/// Field in the history with the number of prices that were deleted with a list. Without it they cannot be
/// restored.
pub const DELETED_PRICES: &str = "price_count";

/// Recreates a deleted list, with the prices that `next` returns until it returns none.
///
/// # Errors
/// All violations, by field, the same as those of a new list.
pub async fn recreate(
    db: &Database,
    scope: &Scope,
    input: Validated<PriceListInput>,
    mut next: impl AsyncFnMut() -> Result<Vec<price_list_entry::ActiveModel>>,
) -> Result<()> {
    let tx = db.begin_long().await?;
    let list = insert(&tx, scope, input, None, now()).await?;
    let writer = list.writer(scope)?;
    loop {
        let rows = next().await?;
        if rows.is_empty() {
            return tx.commit().await;
        }
        price_list_entry::undo::recreate_entries(&tx, &writer, &list, rows).await?;
    }
}
