//! Takes back what the history holds: a change gives the fields their former values, a deletion makes the record again, a
//! creation is deleted. It goes the way of a form, by the same commands, rules and permissions, so that nothing comes back that
//! could not be typed; and it is in the history itself, and can be taken back. One entry is one change; what belongs together is
//! taken back by its request.

mod belongings;
mod commands;
#[cfg(test)]
mod contract;
mod creation;
mod former;
mod impact;
mod list_prices;
mod people;
mod price_lists;
mod records;
mod stocks;
mod surcharge_tables;

use std::collections::HashSet;

use identity::audit::{AuditEntries, AuditEntry, Column, of_request};
use imports::import::row;
use kernel::{
    Code, Database, Error, Permission, Result, Scope, TenantId,
    audit::{Action, RequestId, Undoing},
    deadline, may,
};
use sea_orm::{
    ColumnTrait, Condition, ConnectionTrait, PaginatorTrait, QueryFilter, QueryOrder, QuerySelect,
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use self::{
    commands::{Task, Told, Undone},
    creation::Deletions,
    records::Undo,
};
use crate::{
    http::{
        access::{Authorized, InSession},
        answer::{Shown, shown},
        bulk::Refused,
        input::{About, Body, Id, Server},
        request::Request,
        routes::{Answer, Routes},
    },
    publish,
    state::State,
};

pub(crate) fn routes(routes: &mut Routes) {
    publish!(routes, "audit": undo, undo_request);
    impact::routes(routes);
}

/// What is taken back with an entry of the history.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct UndoInput {
    /// How many articles were said to change with it; without it as many as the entry's own change has changed.
    #[schema(example = 12)]
    change_articles: Option<u64>,
    /// What was said to be deleted with it: the undo of a creation is a deletion, and nothing is deleted unless this is said.
    deletes: Option<Deletions>,
}

/// A request that is taken back as a whole.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct UndoRequestInput {
    /// As its answer has named it in `X-Request-Id`.
    #[schema(min_length = 32, max_length = 32, example = "019376f0c2d87b3fb1f4a0e5c6d7e8f9")]
    request_id: String,
    /// How many articles were said to change with it; without it as many as it has changed itself.
    #[schema(example = 12)]
    change_articles: Option<u64>,
    /// What was said to be deleted with it: the undo of a creation is a deletion, and nothing is deleted unless this is said.
    deletes: Option<Deletions>,
}

/// What became of what was to be taken back.
#[derive(Debug, Default, Serialize, ToSchema)]
struct UndoOutcome {
    #[schema(example = 12)]
    done: u64,
    /// Records that stay as they are, each with its reasons.
    refused: Vec<Refused>,
    /// Nothing was done, because so many articles would change with it: to be said with the next try.
    #[schema(required, example = 12)]
    asks_for_articles: Option<u64>,
    /// Nothing was done, because this would be deleted with it: to be said with the next try.
    #[schema(required)]
    asks_for_deletions: Option<Deletions>,
}

type By = InSession<Authorized<may::AccessAdmin>>;

/// Takes back an entry of the history, and nothing else; with a price list that was deleted its prices come back. Needs the permission
/// by which that is done otherwise, and `audit.list` for what somebody else has done. Refused where the record has been changed again
/// since; where it would be deleted, what goes is asked for first.
#[utoipa::path(post, path = "/api/admin/audit/{id}/undo")]
async fn undo(
    by: By,
    Server(state): Server,
    About(request): About,
    Id(id): Id,
    Body(input): Body<UndoInput>,
) -> Answer<Shown<UndoOutcome>> {
    let entry = readable(by.scope()).filter(Column::Id.eq(id)).one(&state.db).await?;
    let entry = entry.ok_or_else(Error::not_found)?;
    let followers = match input.change_articles {
        None => followers(&state.db, by.scope(), &entry).await?,
        said => said,
    };
    let said = Confirmed { change_articles: followers, deletes: input.deletes };
    Ok(shown(taken_back((&state, by.scope(), &request), vec![entry], said).await?))
}

/// How many articles have changed with an entry, where such follow it.
async fn followers(db: &Database, scope: &Scope, entry: &AuditEntry) -> Result<Option<u64>> {
    if !FOLLOWED.contains(&entry.record.as_str()) || entry.action != "changed" || entry.request.is_empty() {
        return Ok(None);
    }
    // one moment is one transaction
    let written = readable(scope)
        .filter(Column::At.eq(entry.at))
        .filter(Column::Request.eq(&entry.request))
        .filter(Column::Record.eq("article"))
        .filter(Column::Action.eq("changed"));
    Ok(Some(written.count(db).await?))
}

/// Takes back all that a request has written, as far as each record can be. As for a single entry.
#[utoipa::path(post, path = "/api/admin/audit/undo")]
async fn undo_request(
    by: By,
    Server(state): Server,
    About(request): About,
    Body(input): Body<UndoRequestInput>,
) -> Answer<Shown<UndoOutcome>> {
    let written = written_by(&state.db, by.scope(), &input.request_id).await?;
    let said = Confirmed { change_articles: input.change_articles, deletes: input.deletes };
    Ok(shown(taken_back((&state, by.scope(), &request), written, said).await?))
}

/// All that a request has written and the caller may know of; at least one entry.
async fn written_by(db: &Database, scope: &Scope, request_id: &str) -> Result<Vec<AuditEntry>> {
    let asked = RequestId::parse(request_id).ok_or_else(Error::not_found)?;
    let written = readable(scope)
        .filter(of_request(asked))
        // a summary of prices goes with them
        .filter(Column::Action.ne(Action::PricesChanged.name()));
    let written = written.order_by_asc(Column::Id).all(db).await?;
    if written.is_empty() {
        return Err(Error::not_found());
    }
    Ok(written)
}

/// What the caller may know of: what they have done themselves, or everything that they may read in the history.
fn readable(scope: &Scope) -> sea_orm::Select<AuditEntries> {
    let own = (!scope.may(Permission::ListAudit)).then(|| Column::UserId.eq(scope.user().map(i64::from)));
    scope.find::<AuditEntries>().filter(Condition::all().add_option(own))
}

/// Records that articles follow: what these changes do to articles is done again when they are taken back.
const FOLLOWED: [&str; 4] = ["article_type", "attribute", "material", "trade_dimension"];

/// What the caller has said that they know of.
#[derive(Clone, Copy)]
struct Confirmed {
    change_articles: Option<u64>,
    deletes: Option<Deletions>,
}

async fn taken_back(
    (state, scope, request): (&State, &Scope, &Request),
    mut entries: Vec<AuditEntry>,
    said: Confirmed,
) -> Result<UndoOutcome> {
    deadline::extend(deadline::MANY_RECORDS);
    let is_changed = |entry: &AuditEntry| entry.action == "changed";
    let mut followers = 0;
    if entries.iter().any(|entry| is_changed(entry) && FOLLOWED.contains(&entry.record.as_str())) {
        let all = entries.len();
        entries.retain(|entry| !(is_changed(entry) && entry.record == "article"));
        followers = (all - entries.len()) as u64;
    }
    if !entries.iter().all(stocks::follows_prices) {
        entries.retain(|entry| !stocks::follows_prices(entry));
    }
    let deleted_lists: Vec<i64> = entries
        .iter()
        .filter(|entry| entry.record == "price_list" && entry.action == "deleted")
        .filter_map(|entry| entry.record_id)
        .collect();
    if !deleted_lists.is_empty() {
        entries.retain(|entry| !price_lists::goes_with(entry, &deleted_lists));
    }
    let possible: Vec<_> = entries.iter().filter(|entry| way(scope, entry).is_ok()).collect();
    let deletes = creation::deletions(&state.db, scope, &possible).await?;
    if deletes != said.deletes.unwrap_or_default() {
        return Ok(UndoOutcome { asks_for_deletions: Some(deletes), ..UndoOutcome::default() });
    }
    // what was made or removed last comes first; what has changed with something else follows it again
    if !entries.iter().all(is_changed) {
        entries.reverse();
    }
    let mut outcome = UndoOutcome::default();
    let mut errors = Vec::new();
    let mut seen = HashSet::new();
    let is_one_of_many = |entry: &AuditEntry| {
        list_prices::is_one_of_many(entry) && way(scope, entry).is_ok() && seen.insert(entry.record_id)
    };
    let (many, entries): (Vec<_>, Vec<_>) = entries.into_iter().partition(is_one_of_many);
    let mut told = list_prices::undo_many((state, scope, request), many).await?;
    for entry in entries {
        let outcome = one((state, scope, request), &entry, said.change_articles.unwrap_or(followers)).await;
        told.push(Told { id: entry.record_id.unwrap_or_default(), name: entry.record_name, outcome });
    }
    for Told { id, name, outcome: told } in told {
        match told {
            Ok(Undone::Now) => outcome.done += 1,
            Ok(Undone::Already) => errors.push((id, name, Code::AlreadyUndone.into())),
            Err(error) => errors.push((id, name, error)),
        }
    }
    // whoever takes back one thing is told at once why not
    if outcome.done == 0
        && errors.len() == 1
        && let Some((_, _, error)) = errors.pop()
    {
        return match error {
            Error::Refused(message) if message.code == Code::ArticlesChange => {
                Ok(UndoOutcome { asks_for_articles: message.number("count"), ..outcome })
            }
            error => Err(error),
        };
    }
    errors.retain(|(_, _, error)| error.code() != Code::AlreadyUndone);
    if outcome.done == 0 && errors.is_empty() {
        return Err(Code::AlreadyUndone.into());
    }
    let refused =
        errors.into_iter().map(|(id, name, error)| Refused::new(id, name, &error, request.language));
    outcome.refused.extend(refused);
    Ok(outcome)
}

async fn one(
    (state, scope, request): (&State, &Scope, &Request),
    entry: &AuditEntry,
    change_articles: u64,
) -> Result<Undone> {
    let (undo, record_id) = way(scope, entry)?;
    let undoing = Undoing { record: undo.record(), record_id, entry: entry.id };
    let scope = scope.acting_for(entry.tenant_id.map(TenantId)).undoing(undoing);
    (undo.run)(Task { state, scope, request, entry, record_id, change_articles }).await
}

/// How an entry is taken back, and of which record, if that can and may be done.
fn way(scope: &Scope, entry: &AuditEntry) -> Result<(&'static Undo, i64)> {
    let (Some(undo), Some(record_id)) = (Undo::of(entry), entry.record_id) else {
        return Err(Code::NotUndoable.into());
    };
    if entry.action == "deleted" && !(undo.restores)(entry) {
        return Err(Code::NotUndoable.into());
    }
    if let Some(missing) = undo.needs(entry).into_iter().find(|needed| !scope.may(*needed)) {
        return Err(Code::Forbidden.with("permission", missing.as_str()).into());
    }
    Ok((undo, record_id))
}

/// Which of these entries have been taken back.
pub(super) async fn undone(
    db: &impl ConnectionTrait,
    scope: &Scope,
    entries: &[AuditEntry],
) -> Result<HashSet<i64>> {
    let ids = entries.iter().map(|entry| entry.id).filter(|id| *id > 0);
    let found = scope.find::<AuditEntries>().filter(Column::Undoes.is_in(ids));
    let found: Vec<Option<i64>> = found.select_only().column(Column::Undoes).into_tuple().all(db).await?;
    Ok(found.into_iter().flatten().collect())
}

/// Which of these entries the caller may take back, as far as that can be said beforehand; `undone` have been taken back.
pub(super) async fn offered(
    db: &impl ConnectionTrait,
    scope: &Scope,
    entries: &[AuditEntry],
    undone: &HashSet<i64>,
) -> Result<HashSet<i64>> {
    let possible = entries.iter().filter(|entry| !undone.contains(&entry.id) && is_offered(scope, entry));
    let possible: Vec<_> = possible.collect();
    let as_created = creation::still_as_created(db, scope, &possible).await?;
    let offered = possible.iter().filter(|entry| !creation::deletes(entry) || as_created.contains(&entry.id));
    Ok(offered.map(|entry| entry.id).collect())
}

/// Whether the caller may take an entry back, as far as that can be said by itself.
fn is_offered(scope: &Scope, entry: &AuditEntry) -> bool {
    Undo::of(entry).is_some_and(|undo| {
        undo.needs(entry).into_iter().all(|needed| scope.may(needed))
            && (entry.action != "deleted" || (undo.restores)(entry))
            && (entry.action != "changed" || row::changes_of(&entry.changes).iter().any(undo.writes))
    })
}
