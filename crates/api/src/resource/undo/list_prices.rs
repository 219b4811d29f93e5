//! The prices of a list: the price and its tiers are taken back each by itself, what waits for a release is not.

use imports::row;
use kernel::{
    Code, Result, Scoped,
    audit::{self, Change, Fields},
    former,
};
use pricing::{
    price_list_entry::{Entries, Entry, taken_back::put_back},
    price_side::Side,
};
use sea_orm::{ColumnTrait, IntoActiveModel, QueryFilter, TryIntoModel};

use super::{
    commands::{Task, Undone},
    stocks::before,
};

const PRICE: [&str; 3] = ["price", "price_quantity", "price_unit"];
const TIERS: [&str; 1] = ["bulk_prices"];

pub(super) fn writes(change: &Change) -> bool {
    PRICE.contains(&change.field.as_str()) || TIERS.contains(&change.field.as_str())
}

pub(super) async fn undo(task: Task<'_>) -> Result<Undone> {
    let is = task.scope.find::<Entries>().filter(Entries::ID.eq(task.record_id)).one(task.db()).await?;
    match (task.entry.action.as_str(), is) {
        ("created", None) | ("deleted", Some(_)) => Ok(Undone::Already),
        ("created", Some(is)) => {
            task.refuse_grown(writes).await?;
            give(&task, &is, Some(is.version), Side::default()).await
        }
        ("deleted", None) => {
            let fields = row::changes_of(&task.entry.changes);
            let fields: Fields = fields.into_iter().map(|change| (change.field, change.from)).collect();
            let was = former::made_of::<Entries>(task.record_id, &task.entry.record_name, &fields)?;
            let was = was.try_into_model()?;
            give(&task, &was, None, Side::of_entry(&was)).await
        }
        (_, None) => Err(Code::DeletedSince.into()),
        (_, Some(is)) => change(&task, is).await,
    }
}

async fn change(task: &Task<'_>, is: Entry) -> Result<Undone> {
    let changes = row::changes_of(&task.entry.changes);
    let now = audit::of_model::<Entries>(&is);
    // read after the record: what comes later still makes its version another one
    let later: Vec<Change> = task.since().await?.into_iter().flatten().collect();
    let after = before(&now, later.iter().rev());
    let was = before(&after, changes.iter());
    let (mut former, mut overtaken, mut undone) = (now.clone(), Vec::new(), false);
    for value in [&PRICE[..], &TIERS] {
        let is_own = |field: &str| value.contains(&field);
        let own = |fields: &Fields| {
            let own = fields.iter().filter(|(field, _)| is_own(field));
            own.map(|(field, content)| (field.clone(), content.clone())).collect::<Fields>()
        };
        let noted = || changes.iter().filter(|change| is_own(&change.field));
        if noted().next().is_none() {
            continue;
        }
        match own(&now) {
            now if now == own(&after) => former.extend(own(&was)),
            now if now == own(&was) => undone = true,
            _ => overtaken.extend(noted().cloned()),
        }
    }
    task.refuse_changed(overtaken).await?;
    if former == now {
        return if undone { Ok(Undone::Already) } else { Err(Code::NotUndoable.into()) };
    }
    let mut row = is.clone().into_active_model();
    former::give_back::<Entries>(&mut row, &former)?;
    let side = Side::of_entry(&row.try_into_model()?);
    give(task, &is, Some(is.version), side).await
}

async fn give(task: &Task<'_>, row: &Entry, version: Option<i64>, side: Side) -> Result<Undone> {
    let place = (row.price_list_id, row.article_id);
    put_back(task.db(), &task.scope, place, (task.record_id, version), side).await?;
    Ok(Undone::Now)
}
