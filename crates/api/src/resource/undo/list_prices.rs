//! The prices of a list: the price and its tiers are taken back each by itself. What an entry has made wait waits no longer; what was
//! decided about stays so.

use std::collections::{BTreeMap, HashMap};

use identity::audit::AuditEntry;
use imports::import::row;
use kernel::{
    Code, Error, Result, Scope, Scoped, TenantId, Write,
    audit::{self, Change, Fields},
    former,
    scope::history_fields,
};
use pricing::{
    price_list,
    price_list_entry::{
        Entries, Entry,
        undo::{Back, made_again, put_back},
    },
    price_side::Side,
};
use sea_orm::{ColumnTrait, IntoActiveModel, QueryFilter, TryIntoModel};
use serde_json::Value;

use super::{
    commands::{Task, Told, Undone, grown, is_later, lives},
    stocks::before,
};
use crate::{http::request::Request, state::State};

const PRICE: [&str; 3] = ["price", "price_quantity", "price_unit"];
const TIERS: [&str; 1] = ["bulk_prices"];
/// It is told part by part.
const HELD: [&str; 1] = ["held"];

/// The ids of one statement.
const IDS: usize = 1_000;

pub(super) fn writes(change: &Change) -> bool {
    let is = |value: &[&str]| is_part_of(&change.field, value);
    is(&PRICE) || is(&TIERS) || (is(&HELD) && !change.to.is_null())
}

fn is_part_of(field: &str, value: &[&str]) -> bool {
    value.contains(&field.split('.').next().unwrap_or(field))
}

/// Whether it is one of those that are taken back many at once.
pub(super) fn is_one_of_many(entry: &AuditEntry) -> bool {
    entry.record == audit::table::<Entries>() && ["created", "changed"].contains(&entry.action.as_str())
}

pub(super) async fn undo(task: Task<'_>) -> Result<Undone> {
    if task.entry.action == "deleted" {
        let is = task.scope.find::<Entries>().filter(Entries::ID.eq(task.record_id)).one(task.db()).await?;
        if is.is_some() {
            return Ok(Undone::Already);
        }
        let fields = row::changes_of(&task.entry.changes);
        let fields: Fields = fields.into_iter().map(|change| (change.field, change.from)).collect();
        let was = former::made_of::<Entries>(task.record_id, &task.entry.record_name, &fields)?;
        made_again(task.db(), &task.scope, &was.try_into_model()?).await?;
        return Ok(Undone::Now);
    }
    let request = task.request;
    let mut told = undo_many((task.state, &task.scope, request), vec![task.entry.clone()]).await?;
    told.pop().map_or_else(|| Err(Error::not_found()), |told| told.outcome)
}

/// Takes back what was done to prices, each once: of each list all at once, as far as each of them can be.
pub(super) async fn undo_many(
    (state, scope, request): (&State, &Scope, &Request),
    entries: Vec<AuditEntry>,
) -> Result<Vec<Told>> {
    let mut told = Vec::new();
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
                    None => told.push(gone(id, entry)),
                }
            }
        }
    }
    for ((tenant, list), entries) in of_lists {
        let task = OfList { state, scope: scope.acting_for(tenant.map(TenantId)), request, entries };
        let mut of_list = Vec::new();
        let ids: Vec<i64> = task.entries.keys().copied().collect();
        let former = async |tx: &Write, rows: Vec<Entry>| task.former(tx, rows, &mut of_list).await;
        match put_back(&state.db, &task.scope, list, &ids, former).await {
            Ok(()) => told.extend(of_list),
            Err(error) => {
                let names = price_list::names(&state.db, &task.scope, [list]).await?;
                let name = names.into_values().next().unwrap_or_default();
                told.push(Told { id: list, name, outcome: Err(error) });
            }
        }
    }
    Ok(told)
}

/// A price that is in no list any more.
fn gone(id: i64, entry: AuditEntry) -> Told {
    let outcome =
        if entry.action == "created" { Ok(Undone::Already) } else { Err(Code::DeletedSince.into()) };
    Told { id, name: entry.record_name, outcome }
}

/// What is taken back of a list, by the ids of its prices.
struct OfList<'a> {
    state: &'a State,
    scope: Scope,
    request: &'a Request,
    /// In the order in which rows and history lie.
    entries: BTreeMap<i64, AuditEntry>,
}

/// What a price was before an entry, now that others may have followed.
enum Former {
    Was(Side),
    Already,
    /// Nothing that could be taken back.
    Nothing,
    Overtaken(Vec<Change>),
}

impl OfList<'_> {
    /// What prices were; of each it tells what becomes of it.
    async fn former(&self, tx: &Write, rows: Vec<Entry>, told: &mut Vec<Told>) -> Result<Vec<Back>> {
        let ids: Vec<i64> = rows.iter().map(|row| row.id).collect();
        let mut later: HashMap<i64, Vec<Change>> = HashMap::new();
        for other in lives(tx, &self.scope, audit::table::<Entries>(), &ids).await? {
            let Some(id) = other.record_id else { continue };
            if self.entries.get(&id).is_some_and(|entry| is_later(&other, entry)) {
                later.entry(id).or_default().extend(row::changes_of(&other.changes));
            }
        }
        let mut back = Vec::with_capacity(rows.len());
        for is in rows {
            let Some(entry) = self.entries.get(&is.id) else { continue };
            let later = later.remove(&is.id).unwrap_or_default();
            let (id, name) = (is.id, entry.record_name.clone());
            let outcome = match former_of(entry, &is, &later)? {
                Former::Was(side) => {
                    back.push(Back { row: is, side, entry: entry.id });
                    Ok(Undone::Now)
                }
                Former::Already => Ok(Undone::Already),
                Former::Nothing => Err(Code::NotUndoable.into()),
                Former::Overtaken(changes) => {
                    let (state, scope, request) = (self.state, self.scope, self.request);
                    let task = Task { state, scope, request, entry, record_id: id, change_articles: 0 };
                    task.refuse_changed(changes).await.map(|()| Undone::Already)
                }
            };
            told.push(Told { id, name, outcome });
        }
        Ok(back)
    }
}

fn former_of(entry: &AuditEntry, is: &Entry, later: &[Change]) -> Result<Former> {
    if entry.action == "created" {
        let grown = grown(later, writes);
        return Ok(if grown.is_empty() { Former::Was(Side::default()) } else { Former::Overtaken(grown) });
    }
    let changes = row::changes_of(&entry.changes);
    let now = history_fields::of_model::<Entries>(is);
    let after = before(&now, later.iter().rev());
    let was = before(&after, changes.iter());
    let (mut former, mut overtaken, mut undone) = (now.clone(), Vec::new(), false);
    for value in [&PRICE[..], &TIERS, &HELD] {
        let own = |fields: &Fields| {
            fields.iter().filter(|(field, _)| is_part_of(field, value)).map(owned).collect()
        };
        let noted = || changes.iter().filter(|change| is_part_of(&change.field, value) && writes(change));
        if noted().next().is_none() {
            continue;
        }
        let mut own_was: Fields = own(&was);
        if value == HELD {
            for waited in own_was.values_mut() {
                *waited = Value::Null;
            }
        }
        match filled(&own(&now)) {
            now if now == filled(&own(&after)) => former.extend(own_was),
            now if now == filled(&own_was) => undone = true,
            _ => overtaken.extend(noted().cloned()),
        }
    }
    if !overtaken.is_empty() {
        return Ok(Former::Overtaken(overtaken));
    }
    if filled(&former) == filled(&now) {
        return Ok(if undone { Former::Already } else { Former::Nothing });
    }
    former.retain(|field, _| !is_part_of(field, &HELD));
    let mut row = is.clone().into_active_model();
    former::give_back::<Entries>(&mut row, &former)?;
    Ok(Former::Was(Side::of_entry(&row.try_into_model()?)))
}

/// Without what is not there, however that is told.
fn filled(fields: &Fields) -> Fields {
    fields.iter().filter(|(_, content)| !content.is_null()).map(owned).collect()
}

fn owned((field, content): (&String, &Value)) -> (String, Value) {
    (field.clone(), content.clone())
}
