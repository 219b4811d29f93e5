//! Undo of changes to prices of a list: the price and its quantity breaks are restored independently.
//! Proposals that an entry has put under review are withdrawn; decisions stay.

use std::collections::{BTreeMap, HashMap};

use http_api::request::Request;
use identity::audit::AuditEntry;
use imports::import::row;
use pricing::{
    price_list,
    price_list_entry::{
        Entries, Entry,
        undo::{ListUndo, UndoablePrice, recreate},
    },
};
use sea_orm::{ColumnTrait, QueryFilter, TryIntoModel};
use store::{
    Scope, Scoped, Write,
    audit::{self, Change, Fields},
    reconstruction,
    standing::RevertResult,
};
use values::{Error, Result, TenantId};

use super::commands::{Task, UndoCaller, UndoResult, UndoState, history_of, is_later};
use crate::{codes, state::State};

/// Maximum number of ids in a statement.
const IDS: usize = 1_000;

/// True if the entry is undone together with others of its kind.
pub(super) fn is_one_of_many(entry: &AuditEntry) -> bool {
    entry.record == audit::table::<Entries>() && ["created", "changed"].contains(&entry.action.as_str())
}

pub(super) async fn undo(task: Task<'_>) -> Result<UndoState> {
    if task.entry.action == "deleted" {
        let is = task.scope.find::<Entries>().filter(Entries::ID.eq(task.record_id)).one(task.db()).await?;
        if is.is_some() {
            return Ok(UndoState::Already);
        }
        let fields = row::changes_of(&task.entry.changes);
        let fields: Fields = fields.into_iter().map(|change| (change.field, change.from)).collect();
        let was = reconstruction::recreate_row::<Entries>(task.record_id, &task.entry.record_name, &fields)?;
        recreate(task.db(), &task.scope, &was.try_into_model()?).await?;
        return Ok(UndoState::Reverted);
    }
    let caller = UndoCaller { state: task.state, scope: &task.scope, request: task.request };
    let mut results = undo_many(caller, vec![task.entry.clone()]).await?;
    results.pop().map_or_else(|| Err(Error::not_found()), |result| result.outcome)
}

/// Undoes entries of prices, all of a list together; prices that cannot be undone are reported.
pub(super) async fn undo_many(caller: UndoCaller<'_>, entries: Vec<AuditEntry>) -> Result<Vec<UndoResult>> {
    let UndoCaller { state, scope, request } = caller;
    let mut results = Vec::new();
    let mut of_lists: BTreeMap<(Option<i64>, i64), BTreeMap<i64, AuditEntry>> = BTreeMap::new();
    let mut by_tenant: BTreeMap<Option<i64>, Vec<AuditEntry>> = BTreeMap::new();
    for entry in entries {
        by_tenant.entry(entry.tenant_id).or_default().push(entry);
    }
    for (tenant, mut entries) in by_tenant {
        let scope = scope.acting_for(tenant.map(TenantId));
        while !entries.is_empty() {
            let chunk: Vec<_> = entries.split_off(entries.len().saturating_sub(IDS));
            let ids = chunk.iter().filter_map(|entry| entry.record_id);
            let rows = scope.find::<Entries>().filter(Entries::ID.is_in(ids)).all(&state.db).await?;
            let lists: HashMap<i64, i64> = rows.iter().map(|row| (row.id, row.price_list_id)).collect();
            for entry in chunk {
                let id = entry.record_id.unwrap_or_default();
                match lists.get(&id) {
                    Some(list) => drop(of_lists.entry((tenant, *list)).or_default().insert(id, entry)),
                    None => results.push(missing_price_result(id, entry)),
                }
            }
        }
    }
    for ((tenant, list), entries) in of_lists {
        let task = ListPriceUndo { state, scope: scope.acting_for(tenant.map(TenantId)), request, entries };
        match task.undo(list).await {
            Ok(outcomes) => results.extend(outcomes),
            Err(error) => {
                let names = price_list::names(&state.db, &task.scope, [list]).await?;
                let name = names.into_values().next().unwrap_or_default();
                results.push(UndoResult { id: list, name, outcome: Err(error) });
            }
        }
    }
    Ok(results)
}

/// Result for a price that is not in a list any more.
fn missing_price_result(id: i64, entry: AuditEntry) -> UndoResult {
    let outcome =
        if entry.action == "created" { Ok(UndoState::Already) } else { Err(codes::DELETED_SINCE.into()) };
    UndoResult { id, name: entry.record_name, outcome }
}

/// Undo of the prices of a list, by their ids.
struct ListPriceUndo<'a> {
    state: &'a State,
    scope: Scope,
    request: &'a Request,
    /// Entries in the order in which rows and history are stored.
    entries: BTreeMap<i64, AuditEntry>,
}

impl ListPriceUndo<'_> {
    async fn undo(&self, list: i64) -> Result<Vec<UndoResult>> {
        let undo = ListUndo::begin(&self.state.db, &self.scope, list).await?;
        let ids: Vec<i64> = self.entries.keys().copied().collect();
        let mut results = Vec::new();
        for ids in ids.chunks(IDS) {
            let prices = undo.prices(ids).await?;
            let noted = self.load_noted_prices(undo.transaction(), prices).await?;
            let ids: Vec<i64> = noted.iter().map(|noted| noted.row.id).collect();
            let outcomes = undo.undo(noted).await?;
            for (id, outcome) in ids.into_iter().zip(outcomes) {
                results.extend(self.outcome(id, outcome).await);
            }
        }
        undo.commit().await?;
        Ok(results)
    }

    /// Loads the history of prices.
    async fn load_noted_prices(&self, tx: &Write, prices: Vec<Entry>) -> Result<Vec<UndoablePrice>> {
        let ids: Vec<i64> = prices.iter().map(|price| price.id).collect();
        let mut later: HashMap<i64, Vec<Change>> = HashMap::new();
        for other in history_of(tx, &self.scope, audit::table::<Entries>(), &ids).await? {
            let Some(id) = other.record_id else { continue };
            if self.entries.get(&id).is_some_and(|entry| is_later(&other, entry)) {
                later.entry(id).or_default().extend(row::changes_of(&other.changes));
            }
        }
        let noted = |row: Entry| {
            let entry = self.entries.get(&row.id)?;
            Some(UndoablePrice {
                entry: entry.id,
                is_creation: entry.action == "created",
                changes: row::changes_of(&entry.changes),
                later: later.remove(&row.id).unwrap_or_default(),
                row,
            })
        };
        Ok(prices.into_iter().filter_map(noted).collect())
    }

    async fn outcome(&self, id: i64, outcome: RevertResult<()>) -> Option<UndoResult> {
        let entry = self.entries.get(&id)?;
        let (state, scope, request) = (self.state, self.scope, self.request);
        let task = Task { state, scope, request, entry, record_id: id, change_articles: 0 };
        let former = task.former(outcome).await;
        let outcome = former.map(|former| former.map_or(UndoState::Already, |()| UndoState::Reverted));
        Some(UndoResult { id, name: entry.record_name.clone(), outcome })
    }
}
