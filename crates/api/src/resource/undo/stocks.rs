//! Undo for stocks, whose quantities and prices are two forms of one record: an entry of the history belongs
//! to one side, and that of a deletion to both.

use identity::audit::AuditEntry;
use imports::import::row;
use pricing::{
    held_price::{
        HeldPrices,
        decision::{self, Decision, ReleasedStocks},
    },
    listing::{
        self, Listing, Listings,
        undo::{recreate, restore, revert},
    },
};
use sea_orm::{ColumnTrait, QueryFilter, TryIntoModel};
use store::{
    Scoped,
    audit::{self, Change, Fields},
    reconstruction,
};
use values::{Permission, Result};

use super::commands::{Task, UndoState};
use crate::codes;

const SIDES: [&str; 2] = ["internal", "external"];

fn is_of_prices(change: &Change) -> bool {
    SIDES.iter().any(|side| change.field.starts_with(side))
}

/// Returns the permissions for the sides that an entry has changed.
pub(super) fn needs(entry: &AuditEntry) -> Vec<Permission> {
    let changes = row::changes_of(&entry.changes);
    let of_stock = match entry.action.as_str() {
        "created" => return vec![logistics::permissions::DELETE_STOCK],
        "deleted" => Some(logistics::permissions::CREATE_STOCK),
        _ => {
            changes.iter().any(|change| !is_of_prices(change)).then_some(logistics::permissions::UPDATE_STOCK)
        }
    };
    let is_priced =
        |change: &Change| is_of_prices(change) && !(entry.action == "deleted" && change.from.is_null());
    let of_prices = changes.iter().any(is_priced).then_some(pricing::permissions::UPDATE_PRICE);
    of_stock.into_iter().chain(of_prices).collect()
}

pub(super) async fn undo(task: Task<'_>) -> Result<UndoState> {
    let is = task.scope.find::<Listings>().filter(Listings::ID.eq(task.record_id)).one(task.db()).await?;
    match (task.entry.action.as_str(), is) {
        ("created", None) | ("deleted", Some(_)) => Ok(UndoState::Already),
        ("created", Some(_)) => {
            task.refuse_changed_since_creation().await?;
            listing::delete_stock(task.db(), &task.scope, task.record_id).await?;
            Ok(UndoState::Reverted)
        }
        ("deleted", None) => {
            let fields = row::changes_of(&task.entry.changes);
            let fields: Fields = fields.into_iter().map(|change| (change.field, change.from)).collect();
            let was =
                reconstruction::recreate_row::<Listings>(task.record_id, &task.entry.record_name, &fields)?;
            recreate(task.db(), &task.scope, &was.try_into_model()?).await?;
            Ok(UndoState::Reverted)
        }
        (_, None) => Err(codes::DELETED_SINCE.into()),
        (_, Some(is)) => change(&task, is).await,
    }
}

async fn change(task: &Task<'_>, is: Listing) -> Result<UndoState> {
    let changes = row::changes_of(&task.entry.changes);
    // read after the record: a later change fails because of the versions
    let later: Vec<Change> = task.changes_since().await?.into_iter().flatten().collect();
    let Some(was) = task.former(revert(&is, &changes, &later)?).await? else {
        return Ok(UndoState::Already);
    };
    restore(task.db(), &task.scope, &is, &was).await?;
    Ok(UndoState::Reverted)
}

/// Withdraws prices under review. Decisions stay: such prices have to be saved again.
pub(super) async fn withdraw_from_review(task: Task<'_>) -> Result<UndoState> {
    let refused = decision::HeldPriceChange::Decision(Decision::Refuse);
    match decision::change(task.db(), &task.scope, task.record_id, &refused, &ReleasedStocks::default()).await
    {
        Err(error) if error.code() == codes::NOT_FOUND => Ok(UndoState::Already),
        outcome => outcome.map(|()| UndoState::Reverted),
    }
}

/// True for entries of decided or replaced prices under review: their undo follows from that of the prices.
pub(super) fn is_undone_with_prices(entry: &AuditEntry) -> bool {
    entry.record == audit::table::<HeldPrices>() && entry.action != "created"
}
