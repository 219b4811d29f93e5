//! Staged prices of an import, and the transaction in which they all take effect.

use std::collections::{HashMap, HashSet};

use catalog::article::{self, Articles};
use futures_util::future::BoxFuture;
use imports::{
    import::Imports,
    importer::stage::{PlannedState, RequestedChange, StagePlan, StagedRows},
};
use sea_orm::{
    ActiveValue::{self, Set},
    ColumnTrait, Condition, EntityTrait, QueryFilter, QueryOrder, QuerySelect,
};
use serde::{Deserialize, Serialize};
use store::{Part, Scope, Write, audit};
use values::{Decimal, Error, Message, Result, Unit, now};

use super::PriceListImporter;
use crate::{
    codes,
    price_list::{PriceList, PriceLists},
    price_list_entry::{
        self, Entries, Entry, HeldEntry, entity as entry,
        import::stage_entity::{ActiveModel, Column, Entity as Stages},
        writing,
    },
    price_side::Tiers,
};

impl Part for Stages {
    type Whole = Imports;
    const WHOLE: Column = Column::ImportId;
    const TENANT: Option<Column> = Some(Column::TenantId);
    const IS_NOTED: bool = false;
}

/// Number of new prices after which the statistics of the database are updated, and again at four times as
/// many.
const GROWN: usize = 1_000;

/// Staged change of a price by a row.
#[derive(Debug, Serialize, Deserialize)]
struct StagedChange {
    line: u32,
    article: i64,
    /// Id of the price, or the reserved id of a new one.
    price: i64,
    /// Version of the price when the row was read; 0 if there was none.
    version: i64,
    becomes: StagedAction,
}

#[derive(Debug, Serialize, Deserialize)]
enum StagedAction {
    Written(Box<Columns>),
    /// The price was named and stays unchanged.
    Same,
    Gone,
}

/// Columns of a price that a row sets.
#[derive(Debug, Serialize, Deserialize)]
struct Columns {
    name: String,
    price: Option<Decimal>,
    price_quantity: Option<Decimal>,
    price_unit: Option<Unit>,
    bulk_prices: Option<Tiers>,
    held: Option<HeldEntry>,
}

impl StagedChange {
    fn is_new(&self) -> bool {
        self.version == 0
    }
}

/// Staged changes of the rows of a batch.
struct Batch {
    import: i64,
    line: u32,
    prices: String,
}

impl StagedRows for Batch {
    fn save<'a>(&'a self, tx: &'a Write, scope: &'a Scope) -> BoxFuture<'a, Result<()>> {
        let line = Set(i64::from(self.line));
        let row = ActiveModel { line, prices: Set(self.prices.clone()), ..Default::default() };
        // a batch with only refused rows stages nothing
        let rows = if self.line == 0 { Vec::new() } else { vec![row] };
        Box::pin(scope.insert_parts::<Stages>(tx, self.import, rows))
    }
}

/// Returns the resulting prices, and the staged changes for them.
pub(super) async fn plan(
    tx: &Write,
    scope: &Scope,
    import: i64,
    staged: Vec<RequestedChange<PriceListImporter>>,
) -> Result<StagePlan<PriceListImporter>> {
    let (mut changes, mut will_be) = (Vec::with_capacity(staged.len()), Vec::with_capacity(staged.len()));
    let new = staged.iter().filter(|staged| staged.before.is_none()).count();
    let mut ids = scope.reserve_ids::<Entries>(tx, new).await?.into_iter();
    for RequestedChange { line, before, becomes } in staged {
        let version = before.as_ref().map_or(0, |before| before.version);
        let (article, price, becomes) = match becomes {
            PlannedState::Written(draft) => {
                let id = before.as_ref().map(|before| before.id).or_else(|| ids.next());
                let after = planned_entry(
                    &draft,
                    id.ok_or_else(missing_price)?,
                    before.as_ref(),
                    scope.tenant()?.into(),
                )?;
                let (article, price, columns) = (after.article_id, after.id, columns(&after));
                will_be.push(after);
                (article, price, StagedAction::Written(columns))
            }
            PlannedState::Same => keep_or_remove(before, StagedAction::Same)?,
            PlannedState::Gone => keep_or_remove(before, StagedAction::Gone)?,
        };
        changes.push(StagedChange { line, article, price, version, becomes });
    }
    let line = changes.last().map_or(0, |last| last.line);
    let prices = serde_json::to_string(&changes).map_err(Error::internal)?;
    Ok(StagePlan { will_be, staged_rows: Box::new(Batch { import, line, prices }) })
}

fn keep_or_remove(before: Option<Entry>, action: StagedAction) -> Result<(i64, i64, StagedAction)> {
    let before = before.ok_or_else(missing_price)?;
    Ok((before.article_id, before.id, action))
}

fn missing_price() -> Error {
    Error::internal("a price is kept aside that there is not")
}

/// Returns the price that results from a draft.
fn planned_entry(draft: &entry::ActiveModel, id: i64, before: Option<&Entry>, tenant: i64) -> Result<Entry> {
    fn set<V: Clone + Into<sea_orm::Value>>(value: &ActiveValue<V>) -> Result<V> {
        value.try_as_ref().cloned().ok_or_else(|| Error::internal("a draft of a price lacks a column"))
    }
    let now = now();
    Ok(Entry {
        id,
        tenant_id: tenant,
        price_list_id: set(&draft.price_list_id)?,
        article_id: set(&draft.article_id)?,
        name: set(&draft.name)?,
        price: set(&draft.price)?,
        price_quantity: set(&draft.price_quantity)?,
        price_unit: set(&draft.price_unit)?,
        bulk_prices: set(&draft.bulk_prices)?,
        held: set(&draft.held)?,
        version: before.map_or(0, |before| before.version) + 1,
        change: None,
        created_at: before.map_or(now, |before| before.created_at),
        updated_at: now,
    })
}

fn columns(entry: &Entry) -> Box<Columns> {
    Box::new(Columns {
        name: entry.name.clone(),
        price: entry.price,
        price_quantity: entry.price_quantity,
        price_unit: entry.price_unit,
        bulk_prices: entry.bulk_prices.clone(),
        held: entry.held.clone(),
    })
}

/// Loads the next staged batch after a line, with its last line.
#[expect(clippy::disallowed_methods, reason = "the worker's own import")]
async fn next_batch(
    tx: &Write,
    tenant: i64,
    import: i64,
    after: i64,
) -> Result<Option<(i64, Vec<StagedChange>)>> {
    let batches = Stages::find().filter(import_condition(tenant, import)).filter(Column::Line.gt(after));
    let Some(batch) = batches.order_by_asc(Column::Line).limit(1).one(tx).await? else { return Ok(None) };
    Ok(Some((batch.line, serde_json::from_str(&batch.prices).map_err(Error::internal)?)))
}

fn import_condition(tenant: i64, import: i64) -> Condition {
    Condition::all().add(Column::TenantId.eq(tenant)).add(Column::ImportId.eq(import))
}

/// Loads the articles and lines of all staged changes.
pub(super) async fn list_staged(tx: &Write, tenant: i64, import: i64) -> Result<Vec<(i64, u32)>> {
    let (mut staged, mut after) = (Vec::new(), 0);
    while let Some((line, changes)) = next_batch(tx, tenant, import, after).await? {
        staged.extend(changes.iter().map(|change| (change.article, change.line)));
        after = line;
    }
    Ok(staged)
}

/// Writes all staged changes into the list, which the transaction has locked, or returns the reason why that
/// is no longer possible.
pub(super) async fn switch(
    tx: &Write,
    writer: &Scope,
    list: &PriceList,
    import: i64,
) -> Result<Result<(), Message>> {
    let tenant = list.owner_key();
    let (mut created_count, mut removed_count, mut changed, mut rewritten) = (0, 0, 0, false);
    let (mut after, mut statistics_threshold) = (0, GROWN);
    while let Some((line, changes)) = next_batch(tx, tenant, import, after).await? {
        after = line;
        let others = changed_by_others(tx, writer, list, &changes).await?;
        // after the first conflict nothing more is written, conflicts are only counted
        changed += if others + changed > 0 { others } else { write(tx, writer, list, &changes).await? };
        rewritten |= changes.iter().any(|change| matches!(change.becomes, StagedAction::Written(_)));
        created_count += changes.iter().filter(|change| change.is_new()).count();
        removed_count += changes.iter().filter(|change| matches!(change.becomes, StagedAction::Gone)).count();
        if created_count >= statistics_threshold {
            statistics_threshold = created_count.saturating_mul(4);
            tx.update_statistics(&[audit::table::<Entries>()]).await?;
        }
    }
    if changed > 0 {
        return Ok(Err(codes::CHANGED_MEANWHILE.with("count", changed)));
    }
    if created_count + removed_count > 0 || rewritten {
        writer.touch::<PriceLists>(tx, list.id).await?;
    }
    writing::adjust_price_count(tx, writer, list, created_count, removed_count).await?;
    discard(tx, tenant, import).await?;
    Ok(Ok(()))
}

/// Returns the number of rows whose price was changed since they were read: prices that stay or are removed,
/// and articles deleted before they get their first price. For prices that are written, the version is
/// compared when they are.
async fn changed_by_others(
    tx: &Write,
    writer: &Scope,
    list: &PriceList,
    changes: &[StagedChange],
) -> Result<usize> {
    let unwritten = changes.iter().filter(|change| !matches!(change.becomes, StagedAction::Written(_)));
    let expected_versions: HashMap<i64, i64> =
        unwritten.map(|change| (change.price, change.version)).collect();
    let mut count = expected_versions.len();
    if !expected_versions.is_empty() {
        let query = price_list_entry::select_entries(writer, list)
            .filter(entry::Column::Id.is_in(expected_versions.keys().copied()))
            .select_only()
            .columns([entry::Column::Id, entry::Column::Version]);
        let current_versions: Vec<(i64, i64)> = query.into_tuple().all(tx).await?;
        count -= current_versions
            .iter()
            .filter(|(id, version)| expected_versions.get(id) == Some(version))
            .count();
    }
    let new: HashSet<i64> =
        changes.iter().filter(|change| change.is_new()).map(|change| change.article).collect();
    if !new.is_empty() {
        let query = writer.find::<Articles>().filter(article::Column::Id.is_in(new.iter().copied()));
        let existing_articles: Vec<i64> =
            query.select_only().column(article::Column::Id).into_tuple().all(tx).await?;
        count += new.len() - existing_articles.len();
    }
    Ok(count)
}

/// Writes a batch; returns the number of prices that were changed by others meanwhile.
async fn write(tx: &Write, writer: &Scope, list: &PriceList, changes: &[StagedChange]) -> Result<usize> {
    let removed = changes.iter().filter(|change| matches!(change.becomes, StagedAction::Gone));
    writer.delete_many::<Entries>(tx, removed.map(|change| change.price).collect()).await?;
    let rows = changes.iter().filter_map(|change| match &change.becomes {
        StagedAction::Written(columns) => Some(change_row(list, change, columns)),
        StagedAction::Same | StagedAction::Gone => None,
    });
    let versions: HashMap<i64, i64> = changes.iter().map(|change| (change.price, change.version)).collect();
    let written = writer.upsert_reserved::<Entries>(tx, rows.collect()).await?;
    Ok(written.iter().filter(|(id, version)| versions.get(id) != Some(&(version - 1))).count())
}

fn change_row(list: &PriceList, change: &StagedChange, columns: &Columns) -> entry::ActiveModel {
    entry::ActiveModel {
        id: Set(change.price),
        price_list_id: Set(list.id),
        article_id: Set(change.article),
        name: Set(columns.name.clone()),
        price: Set(columns.price),
        price_quantity: Set(columns.price_quantity),
        price_unit: Set(columns.price_unit),
        bulk_prices: Set(columns.bulk_prices.clone()),
        held: Set(columns.held.clone()),
        ..Default::default()
    }
}

/// Deletes the staged changes of an import.
#[expect(clippy::disallowed_methods, reason = "the worker's own import")]
pub(super) async fn discard(tx: &Write, tenant: i64, import: i64) -> Result<()> {
    Stages::delete_many().filter(import_condition(tenant, import)).exec(tx).await?;
    Ok(())
}
