//! Undo for users: changes are written as a patch, and deleted users cannot be restored, because none of
//! their data are stored any more.

use identity::user::{self, UserDetail, UserPatch, Users};
use imports::import::row;
use lists::Deletable;
use serde_json::{Map, Value, json};
use store::{
    audit::Change,
    standing::{ChangeState, ChangesByState},
};
use values::{Result, Validated, Violations};

use super::{
    commands::{Task, UndoState},
    former_parts::restore_parts,
};
use crate::{codes, resource::record_update::read};

const DISABLED: &str = "Disabled";

/// True if the change can be made by hand; progress of an invitation cannot.
pub(super) fn writes(change: &Change) -> bool {
    match change.field.as_str() {
        "name" | "email" | "narrowed" | "user_role" | "user_permission" => true,
        "status" => change.from == DISABLED || change.to == DISABLED,
        _ => false,
    }
}

pub(super) async fn undo(task: Task<'_>) -> Result<UndoState> {
    let current = match user::get(task.db(), &task.scope, task.record_id).await {
        Err(error) if error.code() == codes::NOT_FOUND && task.entry.action == "created" => {
            return Ok(UndoState::Already);
        }
        Err(error) if error.code() == codes::NOT_FOUND => return Err(codes::DELETED_SINCE.into()),
        user => user?,
    };
    if task.entry.action == "created" {
        task.refuse_changed_since_creation().await?;
        <Users as Deletable>::delete(task.db(), &task.scope, task.record_id).await?;
        return Ok(UndoState::Reverted);
    }
    let later: Vec<Change> = task.changes_since().await?.into_iter().flatten().collect();
    let changes: Vec<Change> = row::changes_of(&task.entry.changes).into_iter().filter(writes).collect();
    let states =
        changes.iter().map(|change| (ChangeState::after_later_changes(change, later.iter()), change));
    let states: ChangesByState<_> = states.collect();
    let Some(former) = task.former(states.revert(Change::clone)).await? else {
        return Ok(UndoState::Already);
    };
    let patch: Validated<UserPatch> = read(&patch(&current, &former), Violations::new())?;
    let site = task.state.settings.public_url.clone();
    user::change(task.db(), &task.scope, task.record_id, patch, &site).await?;
    Ok(UndoState::Reverted)
}

/// Builds the patch that restores the values before these changes.
fn patch(current: &UserDetail, former: &[&Change]) -> Value {
    let find_change = |field: &str| former.iter().copied().find(|change| change.field == field);
    let mut patch = Map::new();
    patch.insert("version".to_owned(), current.user.version.into());
    for field in ["name", "email"] {
        patch.extend(find_change(field).map(|change| (field.to_owned(), change.from.clone())));
    }
    if let Some(roles) = find_change("user_role") {
        let now: Vec<Value> = current.roles.iter().map(|(id, _)| json!(id)).collect();
        patch.insert("role_ids".to_owned(), restore_parts(&now, roles, &[]).into());
    }
    let narrowed = find_change("narrowed").map_or(current.chosen.is_some(), |change| change.from == true);
    if find_change("narrowed").is_some() && !narrowed {
        patch.insert("narrowed".to_owned(), false.into());
    } else if let Some(permissions) = find_change("user_permission") {
        let now = current.chosen.unwrap_or_default();
        let now: Vec<Value> = now.iter().map(|permission| json!(permission.as_str())).collect();
        patch.insert("permissions".to_owned(), restore_parts(&now, permissions, &[]).into());
    }
    patch.extend(
        find_change("status").map(|change| ("disabled".to_owned(), (change.from == DISABLED).into())),
    );
    patch.into()
}
