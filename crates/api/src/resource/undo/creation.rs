//! Undo of a creation, which is a deletion. It is offered only for a record in the state of its creation,
//! including its parts, and done only after the caller has confirmed the number of deletions.

use std::collections::{BTreeMap, HashMap, HashSet};

use identity::audit::{AuditEntries, AuditEntry, Column};
use pricing::{
    held_price::HeldPrices,
    price_list::{self, PriceLists},
    price_list_entry::Entries,
};
use sea_orm::{
    ConnectionTrait, DbErr,
    sea_query::{Alias, Expr, ExprTrait, Query},
};
use serde::{Deserialize, Serialize};
use store::{Scope, audit};
use utoipa::ToSchema;
use values::{Instant, Result};

use super::{part_records::records_with_changed_parts, records::Undo};
use crate::resource::history::select_history;

/// Number of records that an undo of creations deletes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = UndoDeletions)]
pub(super) struct Deletions {
    #[schema(example = 1)]
    records: u64,
    /// Number of prices in the price lists among them.
    #[serde(default)]
    #[schema(default = 0, example = 5000)]
    prices: u64,
}

/// True if the undo of an entry deletes a record. Removing a price from its list or from review does not
/// count.
pub(super) fn deletes(entry: &AuditEntry) -> bool {
    let parts = [audit::table::<Entries>(), audit::table::<HeldPrices>()];
    entry.action == "created" && !parts.contains(&entry.record.as_str()) && Undo::find(entry).is_some()
}

/// Counts the records that the undo of these entries would delete.
pub(super) async fn deletions(
    db: &impl ConnectionTrait,
    scope: &Scope,
    entries: &[&AuditEntry],
) -> Result<Deletions> {
    let as_created = still_as_created(db, scope, entries).await?;
    let entries: Vec<_> = entries.iter().filter(|entry| as_created.contains(&entry.id)).collect();
    let lists = entries.iter().filter(|entry| entry.record == audit::table::<PriceLists>());
    let lists = lists.filter_map(|entry| entry.record_id);
    let prices = price_list::count_prices(db, &scope.acting_for(None), lists).await?;
    Ok(Deletions { records: entries.len() as u64, prices })
}

/// Returns the ids of those creations whose records are still in the state of their creation.
pub(super) async fn still_as_created(
    db: &impl ConnectionTrait,
    scope: &Scope,
    entries: &[&AuditEntry],
) -> Result<HashSet<i64>> {
    let mut by_record: BTreeMap<&str, Vec<&AuditEntry>> = BTreeMap::new();
    for entry in entries.iter().filter(|entry| deletes(entry)) {
        by_record.entry(&entry.record).or_default().push(entry);
    }
    // callers who may read an entry may read the history of its record, regardless of the tenant they act for
    let scope = &scope.acting_for(None);
    let mut as_created = HashSet::new();
    for (record, entries) in by_record {
        let ids: Vec<i64> = entries.iter().filter_map(|entry| entry.record_id).collect();
        let changed = last_changes(db, scope, record, &ids).await?;
        let belongings = records_with_changed_parts(db, scope, record, &ids).await?;
        let belongings: HashSet<i64> = belongings.into_iter().map(|(id, _)| id).collect();
        let is_as_created = |entry: &&AuditEntry| {
            let id = entry.record_id.unwrap_or_default();
            !belongings.contains(&id) && changed.get(&id).is_none_or(|at| *at <= entry.at)
        };
        as_created.extend(entries.into_iter().filter(is_as_created).map(|entry| entry.id));
    }
    Ok(as_created)
}

/// Returns the time of the last change or deletion of records, without those that have been undone.
async fn last_changes(
    db: &impl ConnectionTrait,
    scope: &Scope,
    record: &str,
    ids: &[i64],
) -> Result<HashMap<i64, Instant>> {
    let life = Alias::new("life");
    let of_life = |column: Column| Expr::col((life.clone(), column));
    let mut undone = Query::select();
    undone
        .expr(Expr::val(1))
        .from(AuditEntries)
        .and_where(Expr::col((AuditEntries, Column::Undoes)).eq(of_life(Column::Id)));
    let mut changes = Query::select();
    changes
        .expr_as(of_life(Column::RecordId), "record_id")
        .expr_as(of_life(Column::At).max(), "at")
        .from_subquery(select_history(db, scope, record, ids), life.clone())
        .and_where(of_life(Column::Action).is_in(["changed", "deleted"]))
        .and_where(of_life(Column::Undoes).is_null())
        .and_where(Expr::exists(undone).not())
        .add_group_by([of_life(Column::RecordId)]);
    let rows = db.query_all(&changes).await?;
    let read = |row: &sea_orm::QueryResult| Ok((row.try_get("", "record_id")?, row.try_get("", "at")?));
    Ok(rows.iter().map(read).collect::<Result<_, DbErr>>()?)
}
