//! Undo for price lists, whose prices are records of their own: they are deleted and restored with their
//! list.

use chrono::TimeDelta;
use identity::audit::{AuditEntry, Column};
use imports::import::row;
use pricing::{
    price_list::{
        PriceLists,
        deletion::{self, DELETED_PRICES},
    },
    price_list_entry::{self, Entries},
};
use sea_orm::{ColumnTrait, QueryFilter, QueryOrder, QuerySelect};
use store::{
    audit::{self, Fields},
    reconstruction,
};
use values::Result;

use super::commands::{self, Task, UndoState};

/// Maximum number of prices in a statement.
const CHUNK: u64 = 1_000;

/// True if the entry has the deleted prices; older entries do not have them.
pub(super) fn restores(entry: &AuditEntry) -> bool {
    row::changes_of(&entry.changes).iter().any(|change| change.field == DELETED_PRICES)
}

pub(super) async fn undo(task: Task<'_>) -> Result<UndoState> {
    if task.entry.action != "deleted" {
        return commands::run::<PriceLists>(task).await;
    }
    if task.find_row::<PriceLists>().await?.is_some() {
        return Ok(UndoState::Already);
    }
    let input = task.former_input::<PriceLists>().await?;
    let mut last = 0;
    let next = async || {
        let entries = deleted_prices(&task, last).await?;
        last = entries.last().map_or(last, |entry| entry.id);
        entries.iter().map(former_price).collect()
    };
    deletion::recreate(task.db(), &task.scope, input, next).await?;
    Ok(UndoState::Reverted)
}

/// Loads the next prices that were deleted by the request that deleted the list.
async fn deleted_prices(task: &Task<'_>, last: i64) -> Result<Vec<AuditEntry>> {
    let entries = task
        .scope
        .find::<identity::audit::AuditEntries>()
        .filter(Column::At.between(task.entry.at - TimeDelta::minutes(10), task.entry.at))
        .filter(Column::Request.eq(&task.entry.request))
        .filter(Column::Record.eq(audit::table::<Entries>()))
        .filter(Column::Action.eq("deleted"))
        .filter(Column::Id.gt(last));
    Ok(entries.order_by_asc(Column::Id).limit(CHUNK).all(task.db()).await?)
}

fn former_price(entry: &AuditEntry) -> Result<price_list_entry::ActiveModel> {
    let fields = row::changes_of(&entry.changes).into_iter().map(|change| (change.field, change.from));
    let fields: Fields = fields.collect();
    reconstruction::recreate_row::<Entries>(entry.record_id.unwrap_or_default(), &entry.record_name, &fields)
}

/// True if a price was deleted with its list and is restored with it.
pub(super) fn is_deleted_with(price: &AuditEntry, lists: &[i64]) -> bool {
    price.record == audit::table::<Entries>()
        && price.action == "deleted"
        && row::changes_of(&price.changes).iter().any(|change| {
            change.field == "price_list_id" && change.from.as_i64().is_some_and(|list| lists.contains(&list))
        })
}
