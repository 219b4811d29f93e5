//! Undoes the rows of an import, batch by batch, for any type of import. A row is undone as a whole: if its
//! record still is as the import left it, its former state is restored, it is deleted if the import created
//! it, or recreated if the import deleted it. Records that were edited since are left unchanged.

pub mod reversible;
pub mod undo;
pub(crate) mod undo_rows;

use std::collections::{BTreeMap, HashMap, HashSet};

use futures_util::future::BoxFuture;
use sea_orm::{
    ActiveModelTrait, ActiveValue, ColumnTrait, ConnectionTrait, DbBackend, DbErr, EntityTrait, IdenStatic,
    IntoActiveModel, Iterable, QueryFilter, QueryOrder, QuerySelect, TryIntoModel, sea_query::LockType,
};
use serde_json::Value as Json;
use sheets::{Cell, Row, RowFault, number::Style};
use store::{
    Scope, Scoped, Write,
    audit::{self, Action, Change, Channel, Fields},
    reconstruction,
    scope::history_fields,
    standing::{ChangeState, ChangesByState, RevertResult},
    usage,
};
use values::{Code, Error, Message, Result};

use self::reversible::{Exchange, RestoredRecord, Reversible};
use crate::{
    apply::{Applying, RowResult, id_of, key_of},
    codes,
    import::{
        Import,
        row::{self, ImportRow, Outcome},
    },
    importer::{Aim, Draft, Importer, Key, Model},
};

pub(crate) struct Reverser<I: Importer> {
    scope: Scope,
    /// Import that is undone.
    undone: i64,
    tenant: i64,
    aim: I::Aim,
    dry_run: bool,
    r#type: std::marker::PhantomData<fn() -> I>,
}

/// Planned undo of a row.
enum Plan {
    /// The former state is in place already.
    Same,
    Blocked(Outcome, Vec<RowFault>),
    /// Restores these fields of the record and exchanges its parts.
    Write {
        fields: Fields,
        parts: Option<Exchange>,
    },
    Remove {
        parts: Option<Exchange>,
    },
    Recreate {
        fields: Fields,
        parts: Option<Exchange>,
    },
}

/// Current records of a batch.
struct CurrentRecords<M> {
    records: HashMap<i64, M>,
    parts: HashMap<i64, Vec<Json>>,
    released: HashMap<i64, Vec<Change>>,
}

/// Records that the batch has written.
struct Written<M> {
    changed: HashMap<i64, M>,
    recreated: HashMap<i64, M>,
}

impl<I: Reversible> Reverser<I> {
    pub(crate) fn new(scope: Scope, import: &Import, undone: i64) -> Self {
        Self {
            scope: scope.through(Channel::Import(import.id)),
            undone,
            tenant: import.tenant_id,
            aim: I::Aim::from_id(import.aim_id),
            dry_run: import.dry_run,
            r#type: std::marker::PhantomData,
        }
    }

    /// Names of the fields in faults.
    pub(crate) fn header() -> Vec<Cell> {
        let columns = <I::Record as EntityTrait>::Column::iter();
        let columns = columns.map(|column| column.as_str().to_owned());
        columns.chain(I::PARTS.map(str::to_owned)).map(Cell::Text).collect()
    }

    async fn undo_batch(&self, tx: &Write, lines: &[Row]) -> Result<Vec<RowResult>> {
        let lines: Vec<i64> = lines.iter().map(|row| i64::from(row.line)).collect();
        let rows = undo_rows::rows_of(tx, self.tenant, self.undone, &lines).await?;
        let ids: Vec<i64> = rows.iter().filter_map(|row| row.record_id).collect();
        I::begin(tx, &self.scope, &ids, self.aim).await?;
        let current = self.load_current(tx, &rows, ids).await?;
        let mut plans = Vec::with_capacity(rows.len());
        for row in &rows {
            plans.push(Self::plan(row, &current));
        }
        self.refuse_used(tx, &rows, &mut plans).await?;
        self.refuse_taken_parts(tx, &rows, &mut plans).await?;
        let written = self.write(tx, &rows, &mut plans, &current).await?;
        let lines_under_review = rows.iter().filter(|row| row.outcome == Outcome::Held).map(|row| row.line);
        let dropped =
            I::drop_under_review(tx, &self.scope, self.undone, &lines_under_review.collect::<Vec<_>>())
                .await?;
        let results = rows.iter().zip(plans).map(|(row, plan)| {
            let applied = self.undo_result(row, plan, &current, &written);
            if dropped.contains(&row.line) { also_dropped(applied) } else { applied }
        });
        Ok(results.collect())
    }

    /// Reads the records of these rows, locked until the transaction ends.
    async fn load_current(
        &self,
        tx: &Write,
        rows: &[ImportRow],
        ids: Vec<i64>,
    ) -> Result<CurrentRecords<Model<I>>> {
        let mut records = self.scope.find::<I::Record>().filter(I::Record::ID.is_in(ids.clone()));
        if tx.get_database_backend() != DbBackend::Sqlite {
            records = records.order_by_asc(I::Record::ID).lock(LockType::Update);
        }
        let records = records.all(tx).await?;
        let ids_under_review =
            rows.iter().filter(|row| row.outcome == Outcome::Held).filter_map(|row| row.record_id);
        let (record, channel) = (audit::table::<I::Record>(), Channel::Import(self.undone));
        Ok(CurrentRecords {
            records: records.into_iter().map(|record| (id_of::<I>(&record), record)).collect(),
            parts: I::parts_of(tx, &self.scope, &ids).await?,
            released: reconstruction::changes_through(
                tx,
                record,
                &ids_under_review.collect::<Vec<_>>(),
                channel,
            )
            .await?,
        })
    }

    fn plan(row: &ImportRow, current: &CurrentRecords<Model<I>>) -> Plan {
        let Some(id) = row.record_id else { return Plan::Same };
        let mut changes = row.changes();
        if let Some(released) = current.released.get(&id).filter(|_| row.outcome == Outcome::Held) {
            add_later(&mut changes, released);
        }
        if changes.is_empty() {
            return Plan::Same;
        }
        let parts = I::PARTS.and_then(|name| changes.iter().position(|change| change.field == name));
        let parts = parts.map(|index| changes.swap_remove(index));
        let current_parts = current.parts.get(&id).map_or(&[][..], Vec::as_slice);
        let Some(record) = current.records.get(&id) else {
            let was_there = row.before.is_some();
            return match (was_there, row.after.is_some()) {
                // the import has deleted it
                (true, false) => Plan::Recreate {
                    fields: changes.into_iter().map(|change| (change.field, change.from)).collect(),
                    parts: parts.map(|parts| Exchange {
                        record: id,
                        removed: vec![],
                        added: list(&parts.from),
                    }),
                },
                (false, _) => Plan::Same,
                (true, true) => blocked(Outcome::Kept, codes::GONE_SINCE),
            };
        };
        let now = history_fields::model_fields::<I::Record>(record);
        match (row.before.is_some(), row.after.is_some()) {
            (true, false) => Plan::Same,
            (false, true) => {
                let own: Vec<Json> = parts.map(|parts| list(&parts.to)).unwrap_or_default();
                let mut edited = edited_since(&now, &changes);
                if !same_parts(&own, current_parts) {
                    edited.extend(I::PARTS.map(str::to_owned));
                }
                if !edited.is_empty() {
                    return Plan::Blocked(
                        Outcome::Kept,
                        edited.iter().map(|field| Self::edited(field)).collect(),
                    );
                }
                let removed = current_parts.to_vec();
                Plan::Remove {
                    parts: (!removed.is_empty()).then_some(Exchange { record: id, removed, added: vec![] }),
                }
            }
            _ => Self::plan_change(id, now, &changes, parts.as_ref(), current_parts),
        }
    }

    fn plan_change(
        id: i64,
        mut now: Fields,
        changes: &[Change],
        parts: Option<&Change>,
        current_parts: &[Json],
    ) -> Plan {
        let of_field = |change: &Change| {
            let current = now.get(&change.field).unwrap_or(&Json::Null);
            ChangeState::compare(current, &change.to, &change.from, Json::eq)
        };
        let fields = changes.iter().map(|change| (of_field(change), change));
        let states = fields
            .chain(parts.map(|parts| (ChangeState::compare_current_parts(parts, current_parts), parts)));
        match states.collect::<ChangesByState<&Change>>().revert(Change::clone) {
            RevertResult::Superseded(changes) => Plan::Blocked(
                Outcome::Kept,
                changes.iter().map(|change| Self::edited(&change.field)).collect(),
            ),
            RevertResult::Already | RevertResult::Nothing => Plan::Same,
            RevertResult::Former(changes) => {
                let (parts, fields): (Vec<_>, Vec<_>) =
                    changes.into_iter().partition(|change| I::PARTS == Some(&*change.field));
                now.extend(fields.into_iter().map(|change| (change.field.clone(), change.from.clone())));
                let exchange = |parts: &Change| Exchange {
                    record: id,
                    removed: list(&parts.to),
                    added: list(&parts.from),
                };
                Plan::Write { fields: now, parts: parts.first().copied().map(exchange) }
            }
        }
    }

    /// Fault at a field that was edited since.
    fn edited(field: &str) -> RowFault {
        let field = field.split('.').next().unwrap_or_default();
        let column = Self::header().iter().position(|cell| cell.as_str() == field);
        RowFault { column, message: codes::EDITED_SINCE.into() }
    }

    /// Cancels the deletion of records that are in use by now, or that have more content than the import
    /// created.
    async fn refuse_used(&self, tx: &Write, rows: &[ImportRow], plans: &mut [Plan]) -> Result<()> {
        let removed = rows.iter().zip(&*plans).filter(|(_, plan)| matches!(plan, Plan::Remove { .. }));
        let ids: Vec<i64> = removed.filter_map(|(row, _)| row.record_id).collect();
        let used = usage::used::<I::Record>(tx, self.scope.tenant().ok(), &ids).await?;
        let with_unrecorded_content = I::with_unrecorded_content(tx, &self.scope, &ids).await?;
        for (row, plan) in rows.iter().zip(plans) {
            let (Some(id), Plan::Remove { .. }) = (row.record_id, &*plan) else { continue };
            if with_unrecorded_content.contains(&id) {
                *plan = blocked(Outcome::Kept, codes::EDITED_SINCE);
            } else if used.contains(&id) {
                *plan = blocked(Outcome::Refused, codes::USED_ELSEWHERE);
            }
        }
        Ok(())
    }

    async fn refuse_taken_parts(&self, tx: &Write, rows: &[ImportRow], plans: &mut [Plan]) -> Result<()> {
        let exchanges: Vec<Exchange> = plans.iter().filter_map(Plan::parts).cloned().collect();
        let refused = I::refused_parts(tx, &self.scope, &exchanges).await?;
        for (row, plan) in rows.iter().zip(plans) {
            if let Some(why) = row.record_id.and_then(|id| refused.get(&id)) {
                *plan = Plan::Blocked(Outcome::Refused, vec![not_as_before(why.clone())]);
            }
        }
        Ok(())
    }

    /// Writes the planned changes; a change that turns out to be impossible is not made.
    async fn write(
        &self,
        tx: &Write,
        rows: &[ImportRow],
        plans: &mut [Plan],
        current: &CurrentRecords<Model<I>>,
    ) -> Result<Written<Model<I>>> {
        let scope = &self.scope;
        let removed = rows.iter().zip(&*plans).filter(|(_, plan)| matches!(plan, Plan::Remove { .. }));
        let removed: Vec<i64> = removed.filter_map(|(row, _)| row.record_id).collect();
        let parts = |plans: &[Plan], is_included: fn(&Plan) -> bool| -> Vec<Exchange> {
            plans.iter().filter(|plan| is_included(plan)).filter_map(Plan::parts).cloned().collect()
        };
        I::exchange(tx, scope, parts(plans, |plan| matches!(plan, Plan::Remove { .. }))).await?;
        let removed_records: Vec<&Model<I>> =
            removed.iter().filter_map(|id| current.records.get(id)).collect();
        scope.delete_many::<I::Record>(tx, removed.clone()).await?;

        let (mut changed, mut recreated) = (Vec::new(), Vec::new());
        for (index, draft) in self.drafts(tx, rows, plans, current).await? {
            let (Some(plan), Some(id)) =
                (plans.get_mut(index), rows.get(index).and_then(|row| row.record_id))
            else {
                continue;
            };
            match draft {
                Err(why) => {
                    let why = why.into_iter().map(not_as_before).collect();
                    *plan = Plan::Blocked(Outcome::Refused, why);
                }
                Ok(mut draft) if matches!(plan, Plan::Recreate { .. }) => {
                    draft.set(I::Record::ID, id.into());
                    recreated.push(draft);
                }
                Ok(draft) => match current.records.get(&id) {
                    Some(record) if drafted_key::<I>(&draft) == key_of::<I>(record) => changed.push(draft),
                    _ => *plan = blocked(Outcome::Kept, codes::EDITED_SINCE),
                },
            }
        }
        let changed = scope.upsert::<I::Record>(tx, changed).await?;
        let recreated = scope.recreate_rows::<I::Record>(tx, recreated).await?;
        I::on_created_or_deleted(tx, scope, &recreated.iter().collect::<Vec<_>>(), &removed_records).await?;
        I::on_recreated(tx, scope, &recreated.iter().collect::<Vec<_>>()).await?;
        let by_id = |records: Vec<Model<I>>| -> HashMap<i64, Model<I>> {
            records.into_iter().map(|record| (id_of::<I>(&record), record)).collect()
        };
        let written = Written { changed: by_id(changed), recreated: by_id(recreated) };
        for (row, plan) in rows.iter().zip(&mut *plans) {
            let is_recreated = |id| written.recreated.contains_key(&id);
            if matches!(plan, Plan::Recreate { .. }) && !row.record_id.is_some_and(is_recreated) {
                *plan = blocked(Outcome::Refused, codes::MADE_AGAIN);
            }
        }
        I::exchange(tx, scope, parts(plans, |plan| !matches!(plan, Plan::Remove { .. }))).await?;
        Ok(written)
    }

    /// Drafts of the rows that are to be written.
    async fn drafts(
        &self,
        tx: &Write,
        rows: &[ImportRow],
        plans: &mut [Plan],
        current: &CurrentRecords<Model<I>>,
    ) -> Result<Vec<(usize, Result<Draft<I>, Vec<Message>>)>> {
        let (mut indexes, mut restored, mut drafts) = (Vec::new(), Vec::new(), Vec::new());
        for (index, (row, plan)) in rows.iter().zip(plans).enumerate() {
            let id = row.record_id.unwrap_or_default();
            let (is, was) = match plan {
                Plan::Write { fields, .. } => {
                    let Some(is) = current.records.get(&id) else { continue };
                    let mut was = is.clone().into_active_model();
                    let restored_row =
                        reconstruction::restore_fields::<I::Record>(&mut was, fields).map(|()| was);
                    (Some(is.clone()), restored_row)
                }
                Plan::Recreate { fields, .. } => {
                    (None, reconstruction::recreate_row::<I::Record>(id, &row.record_name, fields))
                }
                Plan::Same | Plan::Blocked(..) | Plan::Remove { .. } => continue,
            };
            match was.and_then(|was| was.try_into_model().map_err(Error::from)) {
                Ok(was) => {
                    indexes.push(index);
                    restored.push(RestoredRecord { was, is });
                }
                // columns have been added since
                Err(error) => {
                    tracing::warn!(import = self.undone, line = row.line, %error, "a row cannot be read back");
                    drafts.push((index, Err(vec![codes::EDITED_SINCE.into()])));
                }
            }
        }
        if !restored.is_empty() {
            let replacements = I::drafts(tx, &self.scope, &restored).await?;
            drafts.extend(indexes.into_iter().zip(replacements));
        }
        Ok(drafts)
    }

    fn undo_result(
        &self,
        row: &ImportRow,
        plan: Plan,
        current: &CurrentRecords<Model<I>>,
        written: &Written<Model<I>>,
    ) -> RowResult {
        let id = row.record_id.unwrap_or_default();
        let before = current.records.get(&id);
        let (outcome, action, after, parts, warnings) = match plan {
            Plan::Same => (Outcome::Unchanged, None, None, None, Vec::new()),
            Plan::Blocked(outcome, faults) => (outcome, None, None, None, faults),
            Plan::Write { parts, .. } => {
                (Outcome::Updated, Some(Action::Changed), written.changed.get(&id), parts, Vec::new())
            }
            Plan::Remove { parts } => (Outcome::Removed, Some(Action::Deleted), None, parts, Vec::new()),
            Plan::Recreate { parts, .. } => {
                (Outcome::Created, Some(Action::Created), written.recreated.get(&id), parts, Vec::new())
            }
        };
        let entry = action.and_then(|action| {
            let before = before.filter(|_| action != Action::Created);
            self.scope.entry::<I::Record>(action, before, after)
        });
        let mut changes = entry.map(|entry| entry.changes()).unwrap_or_default();
        if let (Some(field), Some(Exchange { removed, added, .. })) = (I::PARTS, parts) {
            changes.push(Change { field: field.to_owned(), from: removed.into(), to: added.into() });
        }
        let (from, to) = row::compact(changes);
        let is_gone = self.dry_run && outcome == Outcome::Created;
        RowResult::Done {
            outcome,
            record_id: row.record_id.filter(|_| !is_gone),
            name: row.record_name.clone(),
            before: action.filter(|action| *action != Action::Created).map(|_| from),
            after: action.filter(|action| *action != Action::Deleted).map(|_| to),
            warnings,
            change_percent: None,
        }
    }
}

impl Plan {
    fn parts(&self) -> Option<&Exchange> {
        match self {
            Self::Write { parts, .. } | Self::Recreate { parts, .. } | Self::Remove { parts } => {
                parts.as_ref()
            }
            Self::Same | Self::Blocked(..) => None,
        }
    }
}

fn blocked(outcome: Outcome, why: Code) -> Plan {
    Plan::Blocked(outcome, vec![RowFault::in_row(why)])
}

fn not_as_before(why: Message) -> RowFault {
    let why = if why.code == codes::EDITED_SINCE {
        why
    } else {
        Message::from(codes::NOT_AS_BEFORE).message("why", why)
    };
    RowFault { column: None, message: why }
}

/// Adds a note that a value under review was dropped, which happens in any case.
fn also_dropped(applied: RowResult) -> RowResult {
    match applied {
        RowResult::Done { outcome, record_id, name, before, after, mut warnings, change_percent } => {
            warnings.push(RowFault::in_row(codes::HELD_PRICE_DROPPED));
            let outcome = if outcome == Outcome::Unchanged { Outcome::Updated } else { outcome };
            RowResult::Done { outcome, record_id, name, before, after, warnings, change_percent }
        }
        refused @ (RowResult::Refused(_) | RowResult::Unresolved(_)) => refused,
    }
}

/// Merges later changes of a record into those of an import.
fn add_later(changes: &mut Vec<Change>, later: &[Change]) {
    for later in later {
        match changes.iter_mut().find(|change| change.field == later.field) {
            Some(change) => change.to = later.to.clone(),
            None => changes.push(later.clone()),
        }
    }
    changes.retain(|change| change.from != change.to);
}

/// Fields that differ from the state in which an import left them.
fn edited_since(now: &Fields, imported_changes: &[Change]) -> Vec<String> {
    let imported_values: BTreeMap<&str, &Json> =
        imported_changes.iter().map(|change| (&*change.field, &change.to)).collect();
    let fields: HashSet<&str> =
        now.keys().map(String::as_str).chain(imported_values.keys().copied()).collect();
    let is_other = |field: &&str| {
        now.get(*field).unwrap_or(&Json::Null) != imported_values.get(*field).copied().unwrap_or(&Json::Null)
    };
    let mut edited: Vec<String> = fields.into_iter().filter(is_other).map(str::to_owned).collect();
    edited.sort_unstable();
    edited
}

fn list(parts: &Json) -> Vec<Json> {
    parts.as_array().cloned().unwrap_or_default()
}

fn same_parts(one: &[Json], other: &[Json]) -> bool {
    one.len() == other.len() && one.iter().all(|part| other.contains(part))
}

fn drafted_key<I: Importer>(draft: &Draft<I>) -> Key {
    Key::from_columns::<I::Record>(|column| match draft.get(column) {
        ActiveValue::Set(value) | ActiveValue::Unchanged(value) => Some(value),
        ActiveValue::NotSet => None,
    })
}

impl<I: Reversible> Applying for Reverser<I> {
    fn record(&self) -> &'static str {
        audit::table::<I::Record>()
    }

    fn numbers(&self) -> Vec<usize> {
        Vec::new()
    }

    fn read_as(&mut self, _: Style) {}

    fn apply<'a>(&'a mut self, tx: &'a Write, rows: &'a [Row]) -> BoxFuture<'a, Result<Vec<RowResult>>> {
        Box::pin(self.undo_batch(tx, rows))
    }

    fn committed(&mut self) {}

    fn is_key_taken(&self, error: &DbErr) -> bool {
        store::scope::many::is_key_taken::<I::Record>(error)
    }
}
