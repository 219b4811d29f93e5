//! Deletes price lists with their prices, and makes them again.

use kernel::{Code, Database, Result, Scope, Validated, audit::Action, deadline, now, usage};

use super::{PriceListInput, PriceLists, Status, writing::insert};
use crate::price_list_entry;

/// Deletes a list that is pending, with its prices. The history notes how many they were and each of them, so that all of it can
/// come back.
pub async fn delete(db: &Database, scope: &Scope, id: i64) -> Result<()> {
    let writer = scope.get::<PriceLists>(db, id).await?.writer(scope)?;
    deadline::extend(deadline::MANY_RECORDS);
    let tx = db.begin_long().await?;
    let list = usage::release::<PriceLists>(&tx, &writer, id, |list| match list.status(&now()) {
        Status::Pending => Ok(()),
        Status::Active | Status::Inactive => Err(Code::PriceListInForce.into()),
    })
    .await?;
    let prices = price_list_entry::writing::remove_all(&tx, &writer, &list).await?;
    writer.delete::<PriceLists>(&tx, id).await?;
    if let Some(mut entry) = writer.entry::<PriceLists>(Action::Deleted, Some(&list), None) {
        entry.lose(DELETED_PRICES, prices);
        tx.note(entry);
    }
    tx.commit().await
}

/// The history's name for the number of prices that were deleted with a list. Without it they cannot be restored.
pub const DELETED_PRICES: &str = "price_count";

/// Makes a list again that was deleted, with the prices that `next` gives until there are none.
///
/// # Errors
/// All broken rules at their fields, as of a new list.
pub async fn make_again(
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
        price_list_entry::undo::make_list_again(&tx, &writer, &list, rows).await?;
    }
}
