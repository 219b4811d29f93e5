//! Restores one record to its state before an entry of its history, with the commands of its form.

use std::collections::BTreeSet;

use http_api::request::Request;
use identity::audit::AuditEntry;
use imports::import::row;
use lists::{Creatable, Managed};
use sea_orm::{ConnectionTrait, DbErr, FromQueryResult, ModelTrait, sea_query::ValueType};
use serde_json::{Map, Value};
use store::{
    Database, Recorded, Scope,
    audit::Change,
    standing::{ChangeState, ChangesByState, RevertResult, changes_since_creation},
};
use values::{Result, Validated, Violations};

use super::{former_parts::restore_parts, part_records};
use crate::{
    codes,
    resource::{
        history::{changes::load_change_views, select_history, texts::HistoryTexts},
        record_update::{Contract, Current, override_flag, read},
        view::{DataSource, HasView, Writable},
    },
    state::State,
};

/// Caller of an undo, with the server that it runs on.
#[derive(Clone, Copy)]
pub(super) struct UndoCaller<'a> {
    pub state: &'a State,
    pub scope: &'a Scope,
    pub request: &'a Request,
}

/// Undo of one entry.
pub(super) struct Task<'a> {
    pub state: &'a State,
    /// Scope acting for the tenant of the record.
    pub scope: Scope,
    pub request: &'a Request,
    pub entry: &'a AuditEntry,
    pub record_id: i64,
    pub change_articles: u64,
}

/// Result of the undo of an entry.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum UndoState {
    Reverted,
    /// The record was in the former state already.
    Already,
}

/// Result for a record, or for all records that are undone together with it.
pub(super) struct UndoResult {
    pub id: i64,
    pub name: String,
    pub outcome: Result<UndoState>,
}

/// A resource whose records are restored from the input that their history contains.
pub(super) trait Undoable: Writable + Creatable<<Self as HasView>::Source> {
    /// Parts of its records: their names in the history, and the lists of the input that they correspond to.
    const PARTS: &'static [(&'static str, &'static str)] = &[];

    /// Converts changes into those of the API's fields, one for each.
    async fn to_api_changes(_: &Database, _: &Scope, changes: Vec<Change>) -> Result<Vec<Change>> {
        Ok(changes)
    }

    /// Completes an input with derived fields that the history does not contain.
    fn complete(_input: &mut Value) {}

    async fn delete(state: &State, scope: &Scope, id: i64, name: &str) -> Result<()>;
}

/// True if a change in the history is one of a writable field.
pub(super) fn writes<R: Undoable>(change: &Change) -> bool {
    let field = change.field.split('.').next().unwrap_or_default();
    let is_part = R::PARTS.iter().any(|(table, list)| *table == field || *list == field);
    is_part
        || field == "attribute_values"
        || Contract::from_types::<R::Input, R::View>().has_input_field(field)
}

pub(super) async fn run<R: Undoable>(task: Task<'_>) -> Result<UndoState> {
    match task.entry.action.as_str() {
        "created" => task.delete::<R>().await,
        "deleted" => task.create::<R>().await,
        _ => task.change::<R>().await,
    }
}

impl Task<'_> {
    pub(super) fn db(&self) -> &Database {
        &self.state.db
    }

    pub(super) async fn find_row<R: Undoable>(&self) -> Result<Option<R::Model>> {
        match R::reading_scope(&self.scope).get::<R>(self.db(), self.record_id).await {
            Err(error) if error.code() == codes::NOT_FOUND => Ok(None),
            row => row.map(Some),
        }
    }

    async fn delete<R: Undoable>(&self) -> Result<UndoState> {
        let Some(row) = self.find_row::<R>().await? else { return Ok(UndoState::Already) };
        self.refuse_changed_since_creation().await?;
        let name = name_of::<R>(&row);
        <R as Undoable>::delete(self.state, &self.scope, self.record_id, &name).await?;
        Ok(UndoState::Reverted)
    }

    async fn create<R: Undoable>(&self) -> Result<UndoState> {
        if self.find_row::<R>().await?.is_some() {
            return Ok(UndoState::Already);
        }
        let input = self.former_input::<R>().await?;
        R::create(R::Source::from_state(self.state), &self.scope, input).await?;
        Ok(UndoState::Reverted)
    }

    /// Builds the input that restores a deleted record.
    pub(super) async fn former_input<R: Undoable>(&self) -> Result<Validated<R::Input>> {
        let changes = R::to_api_changes(self.db(), &self.scope, row::changes_of(&self.entry.changes)).await?;
        let input = input::<R>(Map::new().into(), &changes.iter().collect::<Vec<_>>());
        read(&input, Violations::new())
    }

    async fn change<R: Undoable>(&self) -> Result<UndoState> {
        let Some(row) = self.find_row::<R>().await? else { return Err(codes::DELETED_SINCE.into()) };
        let current = Current::load::<R>(self.state, &R::reading_scope(&self.scope), row).await?;
        let view = current.0.into_iter().next().unwrap_or_default();
        // read after the record: a later change fails because of the version
        let later = self.changes_since().await?.into_iter().flatten().collect();
        let later = R::to_api_changes(self.db(), &self.scope, later).await?;
        let noted = row::changes_of(&self.entry.changes);
        let changes = R::to_api_changes(self.db(), &self.scope, noted.clone()).await?;

        let change_of = |field: &str| changes.iter().find(|change| change.field == field);
        let pairs = noted.iter().zip(&changes).filter(|(noted, _)| writes::<R>(noted));
        let states = pairs.filter_map(|(noted, change)| {
            let flag = override_flag(&change.field);
            let overridden = change_of(&flag);
            // derived fields become derived again
            let is_derived = overridden.is_none() && view.get(&flag) == Some(&Value::Bool(false));
            let state = ChangeState::after_later_changes(change, later.iter());
            (!is_derived).then_some((state, (noted, overridden.into_iter().chain([change]))))
        });
        let states: ChangesByState<_> = states.collect();
        let Some(former) = self.former(states.revert(|(noted, _)| noted.clone())).await? else {
            return Ok(UndoState::Already);
        };
        let former: Vec<&Change> = former.into_iter().flat_map(|(_, changes)| changes).collect();
        let mut input = input::<R>(view, &former);
        // the user who undoes a change confirms it, so that no price goes under review
        let confirmed = [("change_articles", self.change_articles.into()), ("release", true.into())];
        let contract = Contract::from_types::<R::Input, R::View>();
        let fields_of_input = confirmed.into_iter().filter(|(field, _)| contract.has_input_field(field));
        if let Some(fields) = input.as_object_mut() {
            fields.extend(fields_of_input.map(|(field, value): (&str, Value)| (field.to_owned(), value)));
        }
        let input: Validated<R::Input> = read(&input, Violations::new())?;
        <R as Managed<_>>::update(R::Source::from_state(self.state), &self.scope, self.record_id, input)
            .await?;
        Ok(UndoState::Reverted)
    }

    /// Refuses to delete a record that was changed since its creation, including its parts.
    pub(super) async fn refuse_changed_since_creation(&self) -> Result<()> {
        let later: Vec<Change> = self.changes_since().await?.into_iter().flatten().collect();
        self.refuse_changed(changes_since_creation(&later, |_| true)).await?;
        match part_records::records_with_changed_parts(
            self.db(),
            &self.scope,
            &self.entry.record,
            &[self.record_id],
        )
        .await?
        .first()
        {
            Some((_, field)) => {
                let change = Change { field: (*field).to_owned(), from: Value::Null, to: Value::Null };
                self.refuse_changed(vec![change]).await
            }
            None => Ok(()),
        }
    }

    /// Returns the changes of the record after the entry, the oldest first.
    pub(super) async fn changes_since(&self) -> Result<Vec<Vec<Change>>> {
        let history = history_of(self.db(), &self.scope, &self.entry.record, &[self.record_id]).await?;
        let later = history.iter().filter(|other| is_later(other, self.entry));
        Ok(later.map(|entry| row::changes_of(&entry.changes)).collect())
    }

    /// Returns the former state to restore, or `None` if the changes have been undone already.
    ///
    /// # Errors
    /// [`codes::NOT_UNDOABLE`] without changes, [`codes::CHANGED_SINCE`] if one of them was superseded.
    pub(super) async fn former<T>(&self, reverted: RevertResult<T>) -> Result<Option<T>> {
        match reverted {
            RevertResult::Former(former) => Ok(Some(former)),
            RevertResult::Already => Ok(None),
            RevertResult::Nothing => Err(codes::NOT_UNDOABLE.into()),
            RevertResult::Superseded(changes) => self.refuse_changed(changes).await.map(|()| None),
        }
    }

    /// Refuses to overwrite later changes of these fields.
    pub(super) async fn refuse_changed(&self, changes: Vec<Change>) -> Result<()> {
        if changes.is_empty() {
            return Ok(());
        }
        let texts = HistoryTexts::new(self.request.language)?;
        let changes = load_change_views(self.db(), &self.scope, vec![changes]).await?;
        let names: BTreeSet<_> =
            changes.iter().flatten().map(|change| texts.name(&self.entry.record, change)).collect();
        Err(codes::CHANGED_SINCE.list("fields", names).into())
    }
}

/// Loads the history of records of a kind, the oldest entry first.
pub(super) async fn history_of(
    db: &impl ConnectionTrait,
    scope: &Scope,
    record: &str,
    ids: &[i64],
) -> Result<Vec<AuditEntry>> {
    let entries = db.query_all(&select_history(db, scope, record, ids)).await?;
    let entries = entries.iter().map(|row| AuditEntry::from_query_result(row, ""));
    let mut entries = entries.collect::<Result<Vec<_>, DbErr>>()?;
    entries.sort_by_key(|entry| (entry.at, entry.id));
    Ok(entries)
}

pub(super) fn is_later(other: &AuditEntry, entry: &AuditEntry) -> bool {
    (other.at, other.id) > (entry.at, entry.id)
}

/// Builds the input of a record from its view, with the values before these changes.
fn input<R: Undoable>(mut view: Value, changes: &[&Change]) -> Value {
    let contract = Contract::from_types::<R::Input, R::View>();
    let list_of = |change: &Change| {
        let part = R::PARTS.iter().find(|(table, _)| *table == change.field);
        part.map(|(_, list)| *list)
    };
    if let Some(fields) = view.as_object_mut() {
        for change in changes.iter().filter(|change| list_of(change).is_none()) {
            put(fields, &change.field, change.from.clone());
        }
    }
    let mut input = contract.input_of(&view);
    for (change, list) in changes.iter().filter_map(|change| Some((change, list_of(change)?))) {
        let Some(fields) = input.as_object_mut() else { continue };
        let now = fields.get(list).and_then(Value::as_array).cloned().unwrap_or_default();
        let former = restore_parts(&now, change, &contract.fields_of_entries(list));
        fields.insert(list.to_owned(), former.into());
    }
    for (_, list) in R::PARTS {
        if let Some(fields) = input.as_object_mut() {
            fields.entry(*list).or_insert_with(|| Value::Array(Vec::new()));
        }
    }
    R::complete(&mut input);
    input
}

/// Sets a value at the path of its field: `schedules.price` is a field of `schedules`.
fn put(fields: &mut Map<String, Value>, path: &str, value: Value) {
    match path.split_once('.') {
        Some((field, rest)) if fields.get(field).is_none_or(Value::is_object) => {
            let inner = fields.entry(field).or_insert_with(|| Map::new().into());
            if let Some(inner) = inner.as_object_mut() {
                put(inner, rest, value);
            }
        }
        _ => {
            fields.insert(path.to_owned(), value);
        }
    }
}

fn name_of<R: Recorded>(row: &R::Model) -> String {
    <Option<String> as ValueType>::try_from(row.get(R::NAME)).ok().flatten().unwrap_or_default()
}
