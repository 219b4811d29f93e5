//! Applies the rows of a file in batches, for any type of import: finds the records of a batch together, lets
//! the type draft the change of each, writes the differences in one statement, and returns a result for every
//! row.

use std::collections::{BTreeSet, HashMap, HashSet};

use futures_util::future::BoxFuture;
use sea_orm::{
    ColumnTrait, ConnectionTrait, DbBackend, DbErr, QueryFilter, QueryOrder, QuerySelect, Select, Value,
    sea_query::LockType,
};
use sheets::{Row, RowFault, number::Style, summing::SumColumns};
use store::{
    Keyed, Owner, Scope, Scoped, Write,
    audit::{Action, Channel, HistoryEntry},
    scope::many::is_key_taken,
};
use values::{Error, Message, Result};

use self::{
    plan::{Plan, Plans, Rest, ToWrite, split, staged},
    record_fields::{by_key, name_of, version_of},
    record_lines::{Ids, RecordLines},
};
use crate::{
    cells::Line,
    codes,
    import::{
        Import,
        row::{self, Outcome},
        strategy::{ReplaceScope, Strategy},
    },
    importer::{
        Aim, Draft, Importer, Key, KeyOf, Model, ReviewedDraft, Waiting, lines, not_whole,
        parts::RowParts,
        stage::{self, Staging},
    },
    record_permissions, unresolved,
};

pub(crate) mod applying;
pub mod direct;
mod plan;
mod record_fields;
pub(crate) mod record_lines;
mod removal;

pub(crate) use self::{
    applying::{Applying, RowPlans, RowResult},
    record_fields::{id_of, key_of},
};

pub(crate) struct Applier<I: Importer> {
    importer: I,
    /// Import; `None` for a call, whose changes are noted in the history because no file records them.
    import_id: Option<i64>,
    scope: Scope,
    aim: I::Aim,
    strategy: Strategy,
    replace_scope: ReplaceScope,
    /// Places that the rows have named so far, for a file that replaces the records in them.
    named_places: BTreeSet<i64>,
    style: Style,
    dry_run: bool,
    /// True if the caller may not see prices, and must not infer them from the values under review.
    hides_held: bool,
    /// True if nothing will be written, so that the caller could repeat it with other values.
    is_trial: bool,
    /// Import whose earlier attempt may have staged rows, if the file takes effect as a whole.
    resumes: Option<Import>,
    /// Lines in which records were seen, by a hash of their keys, while the records are not written yet: in a
    /// dry run, or for a file that takes effect as a whole. Otherwise the stored rows are read.
    record_lines: Option<RecordLines>,
    /// Ids that a real run has processed since its first batch; most rows need no search for an earlier one.
    processed_ids: Option<Ids>,
    /// Records of the batch that is being applied.
    applied: HashMap<Key, u32>,
    /// Ids of these records.
    applied_ids: Vec<i64>,
}

impl<I: Importer> Applier<I> {
    pub(crate) fn new(importer: I, scope: Scope, import: &Import) -> Self {
        Self {
            importer,
            import_id: Some(import.id),
            scope: scope.through(Channel::Import(import.id)),
            aim: I::Aim::from_id(import.aim_id),
            strategy: import.strategy,
            replace_scope: import.replace_scope,
            named_places: BTreeSet::new(),
            style: Style::default(),
            dry_run: import.dry_run,
            hides_held: import.hides_held,
            is_trial: import.dry_run,
            resumes: (I::TYPE.is_whole() && !import.dry_run && import.checkpoint > 0).then(|| import.clone()),
            record_lines: (import.dry_run || I::TYPE.is_whole()).then(RecordLines::default),
            processed_ids: None,
            applied: HashMap::new(),
            applied_ids: Vec::new(),
        }
    }

    /// Creates an applier for the items of a call, whose numbers have decimal points.
    pub(crate) fn for_call(importer: I, scope: Scope) -> Self {
        let strategy = Strategy::default();
        Self {
            importer,
            import_id: None,
            hides_held: !scope.may(record_permissions::VIEW_PRICE),
            is_trial: false,
            scope,
            aim: I::Aim::from_id(None),
            strategy,
            replace_scope: ReplaceScope::default(),
            named_places: BTreeSet::new(),
            style: Style::Point,
            dry_run: false,
            resumes: None,
            record_lines: None,
            processed_ids: None,
            applied: HashMap::new(),
            applied_ids: Vec::new(),
        }
    }

    /// Marks that nothing will be written.
    pub(crate) fn set_trial(&mut self) {
        self.is_trial = true;
    }

    /// Import whose rows are staged, if it takes effect as a whole.
    fn stages_for(&self) -> Option<i64> {
        self.import_id.filter(|_| I::TYPE.is_whole() && !self.dry_run)
    }

    /// Query for the records that rows may name: the visible ones, or only the writer's own if others are
    /// visible as well.
    fn records(&self) -> Select<I::Record> {
        let select = self.scope.find::<I::Record>();
        match I::Record::OWNER {
            Owner::TenantOrZero(_) => select.filter(self.scope.own::<I::Record>()),
            _ => select,
        }
    }

    async fn apply_batch(&mut self, tx: &Write, rows: &[Row]) -> Result<Vec<RowResult>> {
        let lines = lines(rows, self.style);
        let Plans { each: plans, existing, lines_by_key } = self.plans(tx, &lines).await?;
        let (removed, drafts) = split(&plans);
        let written = self.write(tx, removed, drafts).await?;
        let written = by_key::<I>(written);
        let (mut parts, mut waiting) = (Vec::new(), Vec::new());
        let applied = self.row_results(tx, plans, &existing, &written, &mut parts, &mut waiting)?;
        self.note_places(existing.values().chain(written.values()));
        I::Parts::write(&self.importer, tx, &self.scope, parts).await?;
        unresolved::record_occurrences(
            tx,
            &self.scope,
            self.import_id,
            &self.all_unmatched(&lines, &applied),
        )
        .await?;
        if !waiting.is_empty() {
            self.importer.store_under_review(tx, &self.scope, waiting).await?;
        }
        self.applied = lines_by_key;
        let ids = applied.iter().filter_map(|applied| match applied {
            RowResult::Done { record_id, .. } => *record_id,
            RowResult::Refused(_) | RowResult::Unresolved(_) => None,
        });
        self.applied_ids = ids.collect();
        if self.import_id.is_some() && !self.dry_run {
            let confirmed_ids = applied.iter().filter_map(|applied| match applied {
                RowResult::Done { outcome, record_id, .. } if *outcome != Outcome::Removed => *record_id,
                _ => None,
            });
            I::confirm(tx, &self.scope, &confirmed_ids.collect::<Vec<_>>()).await?;
        }
        Ok(applied)
    }

    async fn remember_rows(&mut self, tx: &Write, rows: &[Row]) -> Result<()> {
        let (Some(import), Some(first), Some(last)) = (self.import_id, rows.first(), rows.last()) else {
            return Ok(());
        };
        let lines = lines(rows, self.style);
        self.importer.resolve(tx, &self.scope, &lines).await?;
        let applied = row::applied_lines(tx, &self.scope, import, first.line, last.line).await?;
        let of_line = |line: &Line<'_>| Some((self.importer.key(*line).ok()?, line.row.line));
        let keys = lines.iter().filter(|line| applied.contains(&line.row.line)).filter_map(of_line);
        let keys: Vec<(KeyOf, u32)> = keys.collect();
        let existing = self.existing(tx, keys.iter().map(|(key, _)| key)).await?;
        for (key, line) in keys {
            let key = existing_key(key, &existing);
            self.note_place_of(&key);
            if let Some(record_lines) = &mut self.record_lines {
                record_lines.insert(&key, line);
            }
        }
        Ok(())
    }

    async fn plan_for(&mut self, import: i64, tx: &Write, rows: &[Row]) -> Result<RowPlans> {
        if let (Some(import), Some(record_lines)) = (&self.resumes, &mut self.record_lines) {
            for (key, line) in I::Staging::staged(tx, import).await? {
                record_lines.insert(&key, line);
            }
            self.resumes = None;
        }
        let lines = lines(rows, self.style);
        let Plans { each: plans, existing, lines_by_key } = self.plans(tx, &lines).await?;
        let staged = staged(&lines, &plans, &existing);
        let stage::StagePlan { will_be, staged_rows } =
            I::Staging::stage(&self.importer, tx, &self.scope, import, staged).await?;
        let will_be = by_key::<I>(will_be);
        let applied = self.row_results(tx, plans, &existing, &will_be, &mut Vec::new(), &mut Vec::new())?;
        let unmatched = self.all_unmatched(&lines, &applied);
        self.applied = lines_by_key;
        self.committed();
        Ok(RowPlans { applied, staged_rows, unmatched })
    }

    /// Plans the rows of a batch.
    async fn plans(&mut self, tx: &Write, lines: &[Line<'_>]) -> Result<Plans<I>> {
        self.importer.resolve(tx, &self.scope, lines).await?;
        let keys = lines.iter().map(|line| {
            if line.row.faults.is_empty() { self.importer.key(*line) } else { Err(line.row.faults.clone()) }
        });
        let keys: Vec<Result<KeyOf, Vec<RowFault>>> = keys.collect();
        let existing = self.existing(tx, keys.iter().flatten()).await?;
        let earlier = self.earlier(tx, existing.values()).await?;
        I::Parts::find(&mut self.importer, tx, &self.scope, &existing.values().collect::<Vec<_>>()).await?;

        let mut lines_by_key = HashMap::new();
        let plan = |(line, key): (_, Result<KeyOf, _>)| {
            let key = match key {
                Ok(keys) => existing_key(keys, &existing),
                Err(faults) => return Plan::Refused(faults),
            };
            self.plan(line, key, &existing, &earlier, &mut lines_by_key)
        };
        let each = lines.iter().copied().zip(keys).map(plan).collect();
        Ok(Plans { each, existing, lines_by_key })
    }

    /// Returns the results of the rows, and collects further steps for written records.
    fn row_results<'w>(
        &self,
        tx: &Write,
        plans: Vec<Plan<I>>,
        existing: &HashMap<Key, Model<I>>,
        written: &'w HashMap<Key, Model<I>>,
        parts: &mut Vec<(&'w Model<I>, I::Parts)>,
        waiting: &mut Vec<Waiting<I::UnderReview>>,
    ) -> Result<Vec<RowResult>> {
        plans.into_iter().map(|plan| self.row_result(tx, plan, existing, written, parts, waiting)).collect()
    }

    /// Deletes records and writes the changed ones; returns the written rows.
    async fn write(
        &self,
        tx: &Write,
        removed: Vec<Model<I>>,
        drafts: Vec<Draft<I>>,
    ) -> Result<Vec<Model<I>>> {
        self.scope.delete_many::<I::Record>(tx, removed.iter().map(id_of::<I>).collect()).await?;
        let written = self.scope.upsert::<I::Record>(tx, drafts).await?;
        let created: Vec<&Model<I>> = written.iter().filter(|row| version_of::<I>(row) == 1).collect();
        I::on_created_or_deleted(tx, &self.scope, &created, &removed.iter().collect::<Vec<_>>()).await?;
        Ok(written)
    }

    /// Reads the records of these keys. If they are about to be written, they are locked until the
    /// transaction ends and read in their latest state. A record that another writer inserts meanwhile is
    /// detected by its version after the write; the batch is then planned again and finds it.
    async fn existing<'k>(
        &self,
        tx: &Write,
        keys: impl Iterator<Item = &'k KeyOf>,
    ) -> Result<HashMap<Key, Model<I>>> {
        let keys: Vec<&Key> = keys.flat_map(|keys| &keys.0).collect();
        if keys.is_empty() {
            return Ok(HashMap::new());
        }
        let mut select = self.records();
        for (number, column) in I::Record::KEY.iter().enumerate() {
            let mut values: Vec<_> = keys.iter().filter_map(|key| key.0.get(number)).collect();
            values.sort_unstable();
            values.dedup();
            select = select.filter(column.is_in(values.into_iter().map(Value::from)));
        }
        // Locked in a fixed order. SQLite has no other writers, and the order would prevent the use of the
        // key's index.
        if self.stages_for().is_none() && tx.get_database_backend() != DbBackend::Sqlite {
            let lock = if I::REMOVES { LockType::Update } else { LockType::NoKeyUpdate };
            select = select.order_by_asc(I::Record::ID).lock(lock);
        }
        let records = select.all(tx).await?;
        Ok(by_key::<I>(records))
    }

    /// Lines in which this import has already written these records, by id.
    async fn earlier(
        &mut self,
        tx: &Write,
        records: impl Iterator<Item = &Model<I>>,
    ) -> Result<HashMap<i64, u32>> {
        let Some(import) = self.import_id.filter(|_| self.record_lines.is_none()) else {
            return Ok(HashMap::new());
        };
        let processed_ids = match self.processed_ids.take() {
            Some(processed_ids) => processed_ids,
            None => row::records_of(tx, &self.scope, import).await?,
        };
        let ids: HashSet<i64> = records.map(id_of::<I>).filter(|id| processed_ids.may_contain(*id)).collect();
        self.processed_ids = Some(processed_ids);
        if ids.is_empty() {
            return Ok(HashMap::new());
        }
        row::lines_of(tx, &self.scope, import, self.record(), ids).await
    }

    fn all_unmatched(&self, lines: &[Line<'_>], applied: &[RowResult]) -> Vec<unresolved::Occurrence> {
        lines.iter().zip(applied).flat_map(|(line, applied)| self.unmatched(*line, applied)).collect()
    }

    /// Numbers in a refused row that no matching resolves.
    fn unmatched<'a>(
        &'a self,
        line: Line<'a>,
        applied: &'a RowResult,
    ) -> impl Iterator<Item = unresolved::Occurrence> + 'a {
        let faults = match applied {
            RowResult::Refused(faults) | RowResult::Unresolved(faults) => &**faults,
            RowResult::Done { .. } => &[],
        };
        let waits = matches!(applied, RowResult::Unresolved(_));
        let columns = faults.iter().filter(|fault| fault.message.code == codes::UNMATCHED);
        columns.filter_map(move |fault| {
            let unmatched = self.importer.unmatched(line, fault.column?)?;
            Some(unresolved::Occurrence { unmatched, line: line.row.line, waits })
        })
    }

    fn plan(
        &self,
        line: Line<'_>,
        key: Key,
        existing: &HashMap<Key, Model<I>>,
        earlier: &HashMap<i64, u32>,
        lines_by_key: &mut HashMap<Key, u32>,
    ) -> Plan<I> {
        let existing = existing.get(&key);
        let before = || self.record_lines.as_ref()?.first_line(&key);
        let earlier = || earlier.get(&id_of::<I>(existing?)).copied();
        if let Some(first) = lines_by_key.get(&key).copied().or_else(before).or_else(earlier) {
            let column = self.importer.key_column();
            let message = match self.import_id {
                Some(_) => codes::REPEATED_ROW.with("line", first),
                None => codes::REPEATED_ITEM.with("index", first),
            };
            return Plan::Refused(vec![RowFault { column, message }]);
        }
        if existing.is_none() && self.strategy == Strategy::OnlyExisting {
            return Plan::Skipped;
        }
        if existing.is_none() && I::REMOVES {
            let column = self.importer.key_column();
            return Plan::Refused(vec![RowFault { column, message: codes::NOTHING_TO_DELETE.into() }]);
        }
        let (draft, parts, is_same) =
            match (self.importer.draft(line, existing), I::Parts::read(&self.importer, line, existing)) {
                (Ok(draft), Ok((parts, is_same))) => (draft, parts, is_same),
                (draft, parts) => {
                    return Plan::Refused(
                        [draft.err(), parts.err()].into_iter().flatten().flatten().collect(),
                    );
                }
            };
        lines_by_key.insert(key.clone(), line.row.line);
        if let Some(name) = self.importer.settled(line, existing) {
            return Plan::Settled(name);
        }
        if let Some(existing) = existing.filter(|_| self.importer.is_removal(&draft)) {
            return Plan::Remove(Box::new(existing.clone()));
        }
        let mut warnings = self.importer.warnings(line);
        let ReviewedDraft { draft, under_review } = self.judge(line, draft, existing);
        let under_review = under_review.map(|(under_review, why)| {
            warnings.extend(why);
            under_review
        });
        let change_percent =
            existing.and_then(|existing| self.importer.change_percent(line, &draft, existing));
        let line = line.row.line;
        match existing {
            Some(existing) if is_same && I::is_same(&draft, existing) => {
                let (id, name) = (id_of::<I>(existing), name_of::<I>(existing));
                Plan::Unchanged { id, name, line, under_review, warnings }
            }
            _ => {
                let rest = Rest { line, parts, under_review, warnings, change_percent };
                Plan::Write(Box::new(ToWrite { key, draft, rest }))
            }
        }
    }

    /// Splits a draft into the part that can be written and the values under review.
    fn judge(&self, line: Line<'_>, draft: Draft<I>, existing: Option<&Model<I>>) -> ReviewedDraft<I> {
        if self.hides_held && self.is_trial {
            return ReviewedDraft { draft, under_review: None };
        }
        self.importer.judge(line, draft, existing)
    }

    fn row_result<'w>(
        &self,
        tx: &Write,
        plan: Plan<I>,
        existing: &HashMap<Key, Model<I>>,
        written: &'w HashMap<Key, Model<I>>,
        all_parts: &mut Vec<(&'w Model<I>, I::Parts)>,
        waiting: &mut Vec<Waiting<I::UnderReview>>,
    ) -> Result<RowResult> {
        let import = self.import_id;
        let (key, Rest { line, parts, under_review, warnings, change_percent }) = match plan {
            Plan::Unchanged { id, name, line, under_review, warnings } => {
                let outcome = if under_review.is_some() { Outcome::Held } else { Outcome::Unchanged };
                waiting.extend(under_review.map(|under_review| Waiting {
                    record: id,
                    name: name.clone(),
                    import,
                    line,
                    under_review,
                }));
                return Ok(RowResult::Done {
                    outcome,
                    record_id: Some(id),
                    name,
                    before: None,
                    after: None,
                    warnings,
                    change_percent: None,
                });
            }
            // a row of a file that takes effect as a whole cannot be imported alone later
            Plan::Refused(faults) if !I::TYPE.is_whole() && are_unmatched(&faults) => {
                return Ok(RowResult::Unresolved(faults));
            }
            Plan::Refused(faults) => return Ok(RowResult::Refused(faults)),
            Plan::Remove(row) => {
                if self.import_id.is_none() {
                    self.scope.note::<I::Record>(tx, Action::Deleted, Some(&row), None);
                }
                return Ok(self.removed(&row));
            }
            Plan::Settled(name) => return Ok(RowResult::settled(name)),
            Plan::Skipped => return Ok(RowResult::SKIPPED),
            Plan::Write(written) => {
                let ToWrite { key, rest, .. } = *written;
                (key, rest)
            }
        };
        let (before, after) = (existing.get(&key), written.get(&key));
        let after =
            after.ok_or_else(|| Error::internal("a row was written under another key than its own"))?;
        // Another writer has created or changed it since it was read: the batch is planned again.
        if version_of::<I>(after) != before.map_or(0, version_of::<I>) + 1 {
            return Err(codes::STALE.into());
        }
        let action = if before.is_some() { Action::Changed } else { Action::Created };
        let entry = self.scope.entry::<I::Record>(action, before, Some(after));
        let mut changes = entry.as_ref().map(HistoryEntry::changes).unwrap_or_default();
        changes.extend(parts.changes(&self.importer, before));
        if self.import_id.is_none()
            && let Some(entry) = entry
        {
            tx.note(entry);
        }
        all_parts.push((after, parts));
        let (from, to) = row::compact(changes);
        let is_new = before.is_none();
        let outcome = match (&under_review, is_new) {
            (Some(_), _) => Outcome::Held,
            (None, true) => Outcome::Created,
            (None, false) => Outcome::Updated,
        };
        let (record, name) = (id_of::<I>(after), name_of::<I>(after));
        waiting.extend(under_review.map(|under_review| Waiting { record, name, import, line, under_review }));
        Ok(RowResult::Done {
            outcome,
            record_id: Some(record).filter(|_| !is_new || !self.dry_run),
            name: name_of::<I>(after),
            before: (!is_new).then_some(from),
            after: Some(to),
            warnings,
            change_percent,
        })
    }
}

fn are_unmatched(faults: &[RowFault]) -> bool {
    !faults.is_empty() && faults.iter().all(|fault| fault.message.code == codes::UNMATCHED)
}

/// Key by which a record exists, or else the last one.
fn existing_key<M>(KeyOf(mut keys): KeyOf, existing: &HashMap<Key, M>) -> Key {
    match keys.iter().position(|key| existing.contains_key(key)) {
        Some(index) => keys.swap_remove(index),
        None => keys.pop().unwrap_or(Key(Vec::new())),
    }
}

impl<I: Importer> Applying for Applier<I> {
    fn record(&self) -> &'static str {
        store::audit::table::<I::Record>()
    }

    fn numbers(&self) -> Vec<usize> {
        self.importer.numbers()
    }

    fn sum_columns(&self) -> Option<SumColumns> {
        self.importer.sum_columns()
    }

    fn read_as(&mut self, style: Style) {
        self.style = style;
    }

    fn apply<'a>(&'a mut self, tx: &'a Write, rows: &'a [Row]) -> BoxFuture<'a, Result<Vec<RowResult>>> {
        Box::pin(self.apply_batch(tx, rows))
    }

    fn remember<'a>(&'a mut self, tx: &'a Write, rows: &'a [Row]) -> BoxFuture<'a, Result<()>> {
        Box::pin(self.remember_rows(tx, rows))
    }

    fn unnamed_ids<'a>(&'a self, tx: &'a Write) -> BoxFuture<'a, Result<Vec<i64>>> {
        Box::pin(self.unnamed(tx))
    }

    fn remove<'a>(&'a self, tx: &'a Write, ids: &'a [i64]) -> BoxFuture<'a, Result<Vec<RowResult>>> {
        if self.dry_run { Box::pin(self.would_remove(tx, ids)) } else { Box::pin(self.remove_some(tx, ids)) }
    }

    fn stages_rows(&self) -> bool {
        self.stages_for().is_some()
    }

    fn plan_staging<'a>(&'a mut self, tx: &'a Write, rows: &'a [Row]) -> BoxFuture<'a, Result<RowPlans>> {
        Box::pin(async move {
            let import = self.stages_for().ok_or_else(not_whole)?;
            self.plan_for(import, tx, rows).await
        })
    }

    fn switch<'a>(&'a self, tx: &'a Write) -> BoxFuture<'a, Result<Result<(), Message>>> {
        Box::pin(async move {
            match self.stages_for() {
                Some(import) => I::Staging::switch(&self.importer, tx, &self.scope, import).await,
                None => Ok(Ok(())),
            }
        })
    }

    fn committed(&mut self) {
        let applied = std::mem::take(&mut self.applied);
        if let Some(record_lines) = &mut self.record_lines {
            for (key, line) in applied {
                record_lines.insert(&key, line);
            }
        }
        let ids = std::mem::take(&mut self.applied_ids);
        if let Some(processed_ids) = &mut self.processed_ids {
            for id in ids {
                processed_ids.insert(id);
            }
        }
    }

    fn is_key_taken(&self, error: &DbErr) -> bool {
        is_key_taken::<I::Record>(error)
    }
}
