//! Stocks, whose quantities and prices are two forms of one record: an entry of the history can be of either side, and that of a
//! deletion is of both.

use std::collections::BTreeSet;

use identity::audit::AuditEntry;
use imports::import::row;
use kernel::{
    Code, Permission, Result, Scoped,
    audit::{self, Change, Fields},
    former,
    scope::history_fields,
};
use logistics::stock::Stocks;
use pricing::{
    held_price::{
        HeldPrices,
        decision::{self, Change, Decision, ReleasedStocks},
    },
    listing::{Listing, Listings, undo as taken_back},
};
use sea_orm::{ColumnTrait, IntoActiveModel, QueryFilter, TryIntoModel};

use super::commands::{Task, Undone};
use crate::resource::crud::Deletable;

const SIDES: [&str; 2] = ["internal", "external"];

/// What a noted field is part of: a price is one value with its quantity and unit.
fn value_of(field: &str) -> &str {
    let is_price = |side: &&str| field.strip_prefix(*side).is_some_and(|rest| rest.starts_with("_price"));
    SIDES.into_iter().find(is_price).unwrap_or(field)
}

fn is_of_prices(change: &Change) -> bool {
    SIDES.iter().any(|side| change.field.starts_with(side))
}

/// The permissions of the forms of those sides that an entry has changed.
pub(super) fn needs(entry: &AuditEntry) -> Vec<Permission> {
    let changes = row::changes_of(&entry.changes);
    let of_stock = match entry.action.as_str() {
        "created" => return vec![Permission::DeleteStock],
        "deleted" => Some(Permission::CreateStock),
        _ => changes.iter().any(|change| !is_of_prices(change)).then_some(Permission::UpdateStock),
    };
    let is_priced =
        |change: &Change| is_of_prices(change) && !(entry.action == "deleted" && change.from.is_null());
    let of_prices = changes.iter().any(is_priced).then_some(Permission::UpdatePrice);
    of_stock.into_iter().chain(of_prices).collect()
}

pub(super) async fn undo(task: Task<'_>) -> Result<Undone> {
    let is = task.scope.find::<Listings>().filter(Listings::ID.eq(task.record_id)).one(task.db()).await?;
    match (task.entry.action.as_str(), is) {
        ("created", None) | ("deleted", Some(_)) => Ok(Undone::Already),
        ("created", Some(_)) => {
            task.refuse_grown().await?;
            <Stocks as Deletable>::delete(task.db(), &task.scope, task.record_id).await?;
            Ok(Undone::Now)
        }
        ("deleted", None) => {
            let fields = row::changes_of(&task.entry.changes);
            let fields: Fields = fields.into_iter().map(|change| (change.field, change.from)).collect();
            let was = former::made_of::<Listings>(task.record_id, &task.entry.record_name, &fields)?;
            taken_back::made_again(task.db(), &task.scope, &was.try_into_model()?).await?;
            Ok(Undone::Now)
        }
        (_, None) => Err(Code::DeletedSince.into()),
        (_, Some(is)) => change(&task, is).await,
    }
}

async fn change(task: &Task<'_>, is: Listing) -> Result<Undone> {
    let changes = row::changes_of(&task.entry.changes);
    let now = history_fields::of_model::<Listings>(&is);
    // read after the record: what comes later still makes its versions other ones
    let later: Vec<Change> = task.since().await?.into_iter().flatten().collect();
    let after = before(&now, later.iter().rev());
    let was = before(&after, changes.iter());

    let (mut former, mut overtaken, mut undone) = (now.clone(), Vec::new(), false);
    let values: BTreeSet<&str> = changes.iter().map(|change| value_of(&change.field)).collect();
    for value in values {
        let own = |fields: &Fields| {
            let own = fields.iter().filter(|(field, _)| value_of(field) == value);
            own.map(|(field, content)| (field.clone(), content.clone())).collect::<Fields>()
        };
        match own(&now) {
            now if now == own(&after) => former.extend(own(&was)),
            now if now == own(&was) => undone = true,
            _ => overtaken.extend(changes.iter().filter(|change| value_of(&change.field) == value).cloned()),
        }
    }
    task.refuse_changed(overtaken).await?;
    if former == now {
        return if undone { Ok(Undone::Already) } else { Err(Code::NotUndoable.into()) };
    }
    let mut row = is.clone().into_active_model();
    former::give_back::<Listings>(&mut row, &former)?;
    let was = row.try_into_model()?;
    taken_back::given_back(task.db(), &task.scope, &is, &was).await?;
    Ok(Undone::Now)
}

/// What a record was like before these changes, the last of which comes first.
pub(super) fn before<'c>(after: &Fields, changes: impl Iterator<Item = &'c Change>) -> Fields {
    let mut fields = after.clone();
    fields.extend(changes.map(|change| (change.field.clone(), change.from.clone())));
    fields
}

/// What was held waits no longer. What was decided stays so: whoever wants those prices saves them again.
pub(super) async fn unhold(task: Task<'_>) -> Result<Undone> {
    let refused = Change::Decision(Decision::Refuse);
    match decision::change(task.db(), &task.scope, task.record_id, &refused, &ReleasedStocks::default()).await
    {
        Err(error) if error.code() == Code::NotFound => Ok(Undone::Already),
        outcome => outcome.map(|()| Undone::Now),
    }
}

/// Held prices that were decided about or have made way: they follow what has become of the prices.
pub(super) fn follows_prices(entry: &AuditEntry) -> bool {
    entry.record == audit::table::<HeldPrices>() && entry.action != "created"
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_price_is_one_value_with_its_quantity_and_unit() {
        let columns = ["internal_price", "internal_price_quantity", "internal_price_unit"];
        assert_eq!(columns.map(value_of), ["internal"; 3]);
        assert_eq!(value_of("external_price_unit"), "external");
        assert_eq!(value_of("external_bulk_prices"), "external_bulk_prices");
        assert_eq!(value_of("quantity"), "quantity");
    }

    #[test]
    fn what_was_before_is_told_by_the_first_of_several_changes() {
        let change =
            |from: i64, to: i64| Change { field: "quantity".to_owned(), from: from.into(), to: to.into() };
        let now: Fields = [("quantity".to_owned(), json!(3))].into();
        let changes = [change(1, 2), change(2, 3)];
        assert_eq!(before(&now, changes.iter().rev())["quantity"], json!(1));
    }
}
