//! Prices of a list in its history: one entry for each save, bulk change or import, with the number of
//! changed prices. Details are in the entries of the prices, or in the rows of the import.

use imports::import::{Import, ImportStatus};
use sea_orm::{ColumnTrait, QueryFilter};
use store::{
    Scope, Write,
    audit::{Action, Channel, HistoryEntry},
};
use values::{Result, TenantId, UserId};

use super::{Column, PriceList, PriceLists};
use crate::price_side::Side;

/// Numbers of prices changed by one operation.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct PriceCounts {
    pub changed: u64,
    pub added: u64,
    pub removed: u64,
    /// Number of prices that are put under review.
    pub under_review: u64,
}

impl PriceCounts {
    /// Counts a changed price; an unchanged one is ignored.
    pub(crate) fn add(&mut self, before: &Side, after: &Side) {
        match (before.is_empty(), after.is_empty()) {
            (true, true) => {}
            (true, false) => self.added += 1,
            (false, true) => self.removed += 1,
            (false, false) => self.changed += u64::from(before != after),
        }
    }

    fn count_in(self, entry: &mut HistoryEntry) {
        let Self { changed, added, removed, under_review } = self;
        for (field, number) in [
            ("prices_changed", changed),
            ("prices_added", added),
            ("prices_removed", removed),
            ("prices_held", under_review),
        ] {
            entry.count(field, number);
        }
    }
}

/// Updates the time of a list's last change, and records the numbers in its history. All calls in one
/// transaction make one entry.
pub async fn note_prices(tx: &Write, writer: &Scope, list: &PriceList, counts: PriceCounts) -> Result<()> {
    writer.touch::<PriceLists>(tx, list.id).await?;
    let mut entry = writer.summary::<PriceLists>(Action::PricesChanged, list);
    counts.count_in(&mut entry);
    tx.summarise(entry);
    Ok(())
}

/// Records the results of an import of prices, or of its undo, in the history of the list.
pub async fn note_import(tx: &Write, import: &Import) -> Result<()> {
    let has_written = import.undoes.is_some()
        || matches!(import.status, ImportStatus::Success | ImportStatus::PartialSuccess);
    let Some(list) = import.aim_id.filter(|_| has_written && !import.dry_run) else { return Ok(()) };
    let Some(list) = Scope::platform().find::<PriceLists>().filter(Column::Id.eq(list)).one(tx).await? else {
        return Ok(());
    };
    let mut entry =
        HistoryEntry::new(Action::PricesChanged, store::audit::table::<PriceLists>(), Some(list.id));
    entry.name = Some(list.name);
    (entry.tenant, entry.user) = (Some(TenantId(import.tenant_id)), import.created_by.map(UserId));
    entry.channel = Channel::Import(import.id);
    let number = |rows: i64| rows.unsigned_abs();
    let counts = PriceCounts {
        changed: number(import.rows_updated),
        added: number(import.rows_created),
        removed: number(import.rows_removed),
        under_review: number(import.rows_held),
    };
    counts.count_in(&mut entry);
    tx.summarise(entry);
    Ok(())
}
