//! Undo of entries of the history: a change restores the fields' former values, a deletion creates the record
//! again, a creation is deleted. It runs the commands, rules and permissions of the form, so that it restores
//! nothing that could not be entered; it is recorded in the history as well, and can itself be undone. One
//! entry is one change; all entries of a request can be undone together.

mod commands;
#[cfg(test)]
mod coverage_tests;
mod creation;
mod former_parts;
mod impact;
mod list_prices;
mod part_records;
mod people;
mod price_lists;
mod records;
mod stocks;
mod surcharge_tables;

use std::collections::HashSet;

use http_api::{
    access::{Authorized, InSession},
    answer::{OkJson, ok_json},
    bulk::RefusedRecord,
    input::{Body, Id, RequestInfo},
    publish,
    routes::{Answer, Routes},
};
use identity::audit::{AuditEntries, AuditEntry, Column, request_condition};
use imports::import::row;
use sea_orm::{
    ColumnTrait, Condition, ConnectionTrait, PaginatorTrait, QueryFilter, QueryOrder, QuerySelect,
};
use serde::{Deserialize, Serialize};
use store::{
    Database, Scope,
    audit::{Action, RequestId, UndoInProgress},
    deadline,
};
use utoipa::ToSchema;
use values::{Error, Result, TenantId};

use self::{
    commands::{Task, UndoCaller, UndoResult, UndoState},
    creation::Deletions,
    records::Undo,
};
use crate::{codes, state::Server};

pub(crate) fn routes(routes: &mut Routes) {
    publish!(routes, "audit": undo, undo_request);
    impact::routes(routes);
}

/// Options for the undo of an entry of the history.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct UndoInput {
    /// Number of articles that the caller confirms to change; by default as many as the entry itself has
    /// changed.
    #[schema(example = 12)]
    change_articles: Option<u64>,
    /// Deletions that the caller confirms: the undo of a creation is a deletion, and nothing is deleted
    /// without this.
    deletes: Option<Deletions>,
}

/// Request to be undone as a whole.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct UndoRequestInput {
    /// Id of the request, from `X-Request-Id` of its answer.
    #[schema(min_length = 32, max_length = 32, example = "019376f0c2d87b3fb1f4a0e5c6d7e8f9")]
    request_id: String,
    /// Number of articles that the caller confirms to change; by default as many as the request itself has
    /// changed.
    #[schema(example = 12)]
    change_articles: Option<u64>,
    /// Deletions that the caller confirms: the undo of a creation is a deletion, and nothing is deleted
    /// without this.
    deletes: Option<Deletions>,
}

/// Result of an undo.
#[derive(Debug, Default, Serialize, ToSchema)]
struct UndoOutcome {
    #[schema(example = 12)]
    done: u64,
    /// Records that stay unchanged, each with its reasons.
    refused: Vec<RefusedRecord>,
    /// Number of articles that would change. Nothing was done: the next call must confirm this number.
    #[schema(required, example = 12)]
    asks_for_articles: Option<u64>,
    /// Deletions that would be made. Nothing was done: the next call must confirm them.
    #[schema(required)]
    asks_for_deletions: Option<Deletions>,
}

type By = InSession<Authorized<values::may::AccessAdmin>>;

/// Undoes a single entry of the history; the prices of a deleted price list are restored with it. Needs the
/// permission for that operation, and `audit.list` for entries of other users. Refused if the record has been
/// changed again since; a deletion must be confirmed first.
#[utoipa::path(post, path = "/api/admin/audit/{id}/undo")]
async fn undo(
    by: By,
    Server(state): Server,
    RequestInfo(request): RequestInfo,
    Id(id): Id,
    Body(input): Body<UndoInput>,
) -> Answer<OkJson<UndoOutcome>> {
    let entry = readable(by.scope()).filter(Column::Id.eq(id)).one(&state.db).await?;
    let entry = entry.ok_or_else(Error::not_found)?;
    let followers = match input.change_articles {
        None => count_affected_articles(&state.db, by.scope(), &entry).await?,
        confirmed => confirmed,
    };
    let confirmed = ConfirmedEffects { change_articles: followers, deletes: input.deletes };
    let caller = UndoCaller { state: &state, scope: by.scope(), request: &request };
    Ok(ok_json(undo_entries(caller, vec![entry], confirmed).await?))
}

/// Returns the number of articles that changed with an entry, for kinds of records that articles depend on.
async fn count_affected_articles(db: &Database, scope: &Scope, entry: &AuditEntry) -> Result<Option<u64>> {
    if !SOURCES_OF_ARTICLES.contains(&entry.record.as_str())
        || entry.action != "changed"
        || entry.request.is_empty()
    {
        return Ok(None);
    }
    // entries of one transaction have the same time
    let written = readable(scope)
        .filter(Column::At.eq(entry.at))
        .filter(Column::Request.eq(&entry.request))
        .filter(Column::Record.eq("article"))
        .filter(Column::Action.eq("changed"));
    Ok(Some(written.count(db).await?))
}

/// Undoes all changes of a request for each record that allows it, like single entries.
#[utoipa::path(post, path = "/api/admin/audit/undo")]
async fn undo_request(
    by: By,
    Server(state): Server,
    RequestInfo(request): RequestInfo,
    Body(input): Body<UndoRequestInput>,
) -> Answer<OkJson<UndoOutcome>> {
    let written = entries_of_request(&state.db, by.scope(), &input.request_id).await?;
    let confirmed = ConfirmedEffects { change_articles: input.change_articles, deletes: input.deletes };
    let caller = UndoCaller { state: &state, scope: by.scope(), request: &request };
    Ok(ok_json(undo_entries(caller, written, confirmed).await?))
}

/// Returns the entries of a request that the caller may see; at least one.
async fn entries_of_request(db: &Database, scope: &Scope, request_id: &str) -> Result<Vec<AuditEntry>> {
    let request_id = RequestId::parse(request_id).ok_or_else(Error::not_found)?;
    let written = readable(scope)
        .filter(request_condition(request_id))
        // the summary of prices is not an entry of its own
        .filter(Column::Action.ne(Action::PricesChanged.name()));
    let written = written.order_by_asc(Column::Id).all(db).await?;
    if written.is_empty() {
        return Err(Error::not_found());
    }
    Ok(written)
}

/// Selects the entries that the caller may see: their own, or everything that they may read in the history.
fn readable(scope: &Scope) -> sea_orm::Select<AuditEntries> {
    let own = (!scope.may(identity::permissions::LIST_AUDIT))
        .then(|| Column::UserId.eq(scope.user().map(i64::from)));
    scope.find::<AuditEntries>().filter(Condition::all().add_option(own))
}

/// Kinds of records that articles depend on: undoing their changes updates the articles again.
const SOURCES_OF_ARTICLES: [&str; 4] = ["article_type", "attribute", "material", "trade_dimension"];

/// Effects that the caller has confirmed.
#[derive(Clone, Copy)]
struct ConfirmedEffects {
    change_articles: Option<u64>,
    deletes: Option<Deletions>,
}

async fn undo_entries(
    caller: UndoCaller<'_>,
    mut entries: Vec<AuditEntry>,
    confirmed: ConfirmedEffects,
) -> Result<UndoOutcome> {
    let UndoCaller { state, scope, request } = caller;
    deadline::extend(deadline::MANY_RECORDS);
    let is_changed = |entry: &AuditEntry| entry.action == "changed";
    let mut followers = 0;
    if entries.iter().any(|entry| is_changed(entry) && SOURCES_OF_ARTICLES.contains(&entry.record.as_str())) {
        let all = entries.len();
        entries.retain(|entry| !(is_changed(entry) && entry.record == "article"));
        followers = (all - entries.len()) as u64;
    }
    if !entries.iter().all(stocks::is_undone_with_prices) {
        entries.retain(|entry| !stocks::is_undone_with_prices(entry));
    }
    let deleted_lists: Vec<i64> = entries
        .iter()
        .filter(|entry| entry.record == "price_list" && entry.action == "deleted")
        .filter_map(|entry| entry.record_id)
        .collect();
    if !deleted_lists.is_empty() {
        entries.retain(|entry| !price_lists::is_deleted_with(entry, &deleted_lists));
    }
    let possible: Vec<_> = entries.iter().filter(|entry| find_undo(scope, entry).is_ok()).collect();
    let deletes = creation::deletions(&state.db, scope, &possible).await?;
    if deletes != confirmed.deletes.unwrap_or_default() {
        return Ok(UndoOutcome { asks_for_deletions: Some(deletes), ..UndoOutcome::default() });
    }
    // latest creations and deletions first; for changes alone, the earliest first
    if !entries.iter().all(is_changed) {
        entries.reverse();
    }
    let mut outcome = UndoOutcome::default();
    let mut errors = Vec::new();
    let mut seen = HashSet::new();
    let is_one_of_many = |entry: &AuditEntry| {
        list_prices::is_one_of_many(entry) && find_undo(scope, entry).is_ok() && seen.insert(entry.record_id)
    };
    let (many, entries): (Vec<_>, Vec<_>) = entries.into_iter().partition(is_one_of_many);
    let mut results = list_prices::undo_many(caller, many).await?;
    for entry in entries {
        let outcome = undo_entry(caller, &entry, confirmed.change_articles.unwrap_or(followers)).await;
        results.push(UndoResult {
            id: entry.record_id.unwrap_or_default(),
            name: entry.record_name,
            outcome,
        });
    }
    for UndoResult { id, name, outcome: result } in results {
        match result {
            Ok(UndoState::Reverted) => outcome.done += 1,
            Ok(UndoState::Already) => errors.push((id, name, codes::ALREADY_UNDONE.into())),
            Err(error) => errors.push((id, name, error)),
        }
    }
    // the undo of a single record fails with its own error
    if outcome.done == 0
        && errors.len() == 1
        && let Some((_, _, error)) = errors.pop()
    {
        return match error {
            Error::Refused(message) if message.code == codes::ARTICLES_CHANGE => {
                Ok(UndoOutcome { asks_for_articles: message.number("count"), ..outcome })
            }
            error => Err(error),
        };
    }
    errors.retain(|(_, _, error)| error.code() != codes::ALREADY_UNDONE);
    if outcome.done == 0 && errors.is_empty() {
        return Err(codes::ALREADY_UNDONE.into());
    }
    let refused =
        errors.into_iter().map(|(id, name, error)| RefusedRecord::new(id, name, &error, request.language));
    outcome.refused.extend(refused);
    Ok(outcome)
}

async fn undo_entry(caller: UndoCaller<'_>, entry: &AuditEntry, change_articles: u64) -> Result<UndoState> {
    let UndoCaller { state, scope, request } = caller;
    let (undo, record_id) = find_undo(scope, entry)?;
    let undoing = UndoInProgress { record: undo.record(), record_id, entry: entry.id };
    let scope = scope.acting_for(entry.tenant_id.map(TenantId)).undoing(undoing);
    (undo.run)(Task { state, scope, request, entry, record_id, change_articles }).await
}

/// Finds the way to undo an entry and the id of its record.
///
/// # Errors
/// [`codes::NOT_UNDOABLE`] if the entry cannot be undone; [`codes::FORBIDDEN`] without the permission.
fn find_undo(scope: &Scope, entry: &AuditEntry) -> Result<(&'static Undo, i64)> {
    let (Some(undo), Some(record_id)) = (Undo::find(entry), entry.record_id) else {
        return Err(codes::NOT_UNDOABLE.into());
    };
    if entry.action == "deleted" && !(undo.restores)(entry) {
        return Err(codes::NOT_UNDOABLE.into());
    }
    if let Some(missing) = undo.needs(entry).into_iter().find(|needed| !scope.may(*needed)) {
        return Err(codes::FORBIDDEN.with("permission", missing.as_str()).into());
    }
    Ok((undo, record_id))
}

/// Returns the ids of those entries that have been undone.
pub(super) async fn undone_ids(
    db: &impl ConnectionTrait,
    scope: &Scope,
    entries: &[AuditEntry],
) -> Result<HashSet<i64>> {
    let ids = entries.iter().map(|entry| entry.id).filter(|id| *id > 0);
    let undos = scope.find::<AuditEntries>().filter(Column::Undoes.is_in(ids));
    let undone_ids: Vec<Option<i64>> =
        undos.select_only().column(Column::Undoes).into_tuple().all(db).await?;
    Ok(undone_ids.into_iter().flatten().collect())
}

/// Returns the ids of those entries that the caller may undo; `undone` have been undone. The undo itself can
/// still be refused.
pub(super) async fn undoable_ids(
    db: &impl ConnectionTrait,
    scope: &Scope,
    entries: &[AuditEntry],
    undone: &HashSet<i64>,
) -> Result<HashSet<i64>> {
    let possible = entries.iter().filter(|entry| !undone.contains(&entry.id) && is_undoable(scope, entry));
    let possible: Vec<_> = possible.collect();
    let as_created = creation::still_as_created(db, scope, &possible).await?;
    let offered = possible.iter().filter(|entry| !creation::deletes(entry) || as_created.contains(&entry.id));
    Ok(offered.map(|entry| entry.id).collect())
}

/// True if the entry by itself allows the caller to undo it.
fn is_undoable(scope: &Scope, entry: &AuditEntry) -> bool {
    Undo::find(entry).is_some_and(|undo| {
        undo.needs(entry).into_iter().all(|needed| scope.may(needed))
            && (entry.action != "deleted" || (undo.restores)(entry))
            && (entry.action != "changed" || row::changes_of(&entry.changes).iter().any(undo.writes))
    })
}
