//! Writing of list prices, shared by the spreadsheet view, bulk changes and imports.

use catalog::article_units::ArticleUnits;
use sea_orm::{ActiveValue::Set, QueryOrder, QuerySelect};
use store::{
    Scope, Write,
    audit::{Action, Channel},
};
use values::Result;

use super::{ActiveModel, Column, Entries, Entry, Guard, HeldEntry, select_entries};
use crate::{
    price_list::{self, PriceCounts, PriceList, PriceLists, note_prices},
    price_side::Side,
};

/// Number of prices in memory at the same time.
const CHUNK: u64 = 1_000;

/// New price of an article in a list.
#[derive(Debug, Clone)]
pub(crate) struct NewPrice<'a> {
    /// Existing row; `None` if the list has no price for the article.
    pub(crate) before: Option<Entry>,
    pub(crate) article: &'a ArticleUnits,
    pub(crate) side: Side,
    /// Import and line that set the price.
    pub(crate) row: Option<(i64, i64)>,
    pub(crate) review_policy: ReviewPolicy,
}

/// Treatment of prices under review when a price is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ReviewPolicy {
    /// All stay under review.
    Keep,
    /// The writer's own proposal is replaced; those of other users stay.
    ReplaceOwn,
    /// All are discarded, as the writer has chosen.
    Discard,
}

/// Decision about a proposal.
#[derive(Debug)]
pub(super) struct ReviewDecision {
    pub(super) before: Entry,
    /// Price of the article from now on.
    pub(super) side: Side,
    /// Proposals that stay under review.
    pub(super) others: Option<HeldEntry>,
    /// Import whose price is released.
    pub(super) import: Option<i64>,
}

/// Numbers of written prices by result.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct WriteCounts {
    pub(crate) created: u64,
    pub(crate) changed: u64,
    pub(crate) unchanged: u64,
    pub(crate) under_review: u64,
    pub(crate) removed: u64,
}

/// Writes prices of a list that the caller has locked, or puts them under review if they are implausible.
pub(crate) async fn apply(
    tx: &Write,
    writer: &Scope,
    list: &PriceList,
    guard: &Guard,
    new_prices: Vec<NewPrice<'_>>,
) -> Result<WriteCounts> {
    let (mut outcome, mut counts) = (WriteCounts::default(), PriceCounts::default());
    let (mut created, mut changed, mut removed) = (Vec::new(), Vec::new(), Vec::new());
    for NewPrice { before, article, side, row, review_policy } in new_prices {
        let Some(before) = before else {
            if side.is_empty() {
                continue;
            }
            match guard.check(&Side::default(), &side, article, row) {
                None => {
                    counts.added += 1;
                    created.push(first_row(list, article, side, None));
                }
                held_entry => {
                    outcome.under_review += 1;
                    counts.under_review += 1;
                    created.push(first_row(list, article, Side::default(), held_entry));
                }
            }
            continue;
        };
        let is = Side::from_entry(&before);
        let waits = before.held.clone().filter(|_| review_policy != ReviewPolicy::Discard);
        if side.is_empty() {
            counts.add(&is, &side);
            removed.push(before);
        } else if let Some(held_entry) = guard.check(&is, &side, article, row) {
            outcome.under_review += 1;
            let held_entry = Some(held_entry.join(waits));
            if before.held != held_entry {
                counts.under_review += 1;
                changed.push((before, columns(is, held_entry)));
            }
        } else {
            let waits = match review_policy {
                ReviewPolicy::ReplaceOwn => HeldEntry::without_own(waits, guard.created_by),
                ReviewPolicy::Keep | ReviewPolicy::Discard => waits,
            };
            if is == side && before.held == waits {
                outcome.unchanged += 1;
            } else {
                outcome.changed += 1;
                counts.add(&is, &side);
                changed.push((before, columns(side, waits)));
            }
        }
    }
    outcome.created = created.len() as u64;
    outcome.removed = removed.len() as u64;
    if !(created.is_empty() && changed.is_empty() && removed.is_empty()) {
        note_prices(tx, writer, list, counts).await?;
    }
    adjust_price_count(tx, writer, list, created.len(), removed.len()).await?;
    remove(tx, writer, removed).await?;
    writer.update_many::<Entries>(tx, changed).await?;
    writer.create_all::<Entries>(tx, created).await?;
    Ok(outcome)
}

/// Updates the number of prices of a list, in the transaction that adds or removes them.
pub(crate) async fn adjust_price_count(
    tx: &Write,
    writer: &Scope,
    list: &PriceList,
    added: usize,
    removed: usize,
) -> Result<()> {
    adjust_price_count_by_id(tx, writer, list.id, added, removed).await
}

/// Like [`adjust_price_count`], by the id of the list.
pub(crate) async fn adjust_price_count_by_id(
    tx: &Write,
    writer: &Scope,
    list: i64,
    added: usize,
    removed: usize,
) -> Result<()> {
    if added == removed {
        return Ok(());
    }
    let more = i64::try_from(added).unwrap_or(i64::MAX) - i64::try_from(removed).unwrap_or(i64::MAX);
    writer.count_on::<PriceLists>(tx, list, price_list::Column::PriceCount, more).await
}

/// Removes prices from their list.
pub(crate) async fn remove(tx: &Write, writer: &Scope, rows: Vec<Entry>) -> Result<()> {
    writer.delete_many::<Entries>(tx, rows.iter().map(|row| row.id).collect()).await?;
    for row in &rows {
        writer.note::<Entries>(tx, Action::Deleted, Some(row), None);
    }
    Ok(())
}

/// Removes all prices of a list that is about to be deleted, each with an entry in the history from which it
/// can be restored.
pub(crate) async fn remove_all(tx: &Write, writer: &Scope, list: &PriceList) -> Result<u64> {
    let mut removed = 0;
    loop {
        let rows = select_entries(writer, list).order_by_asc(Column::Id).limit(CHUNK).all(tx).await?;
        if rows.is_empty() {
            return Ok(removed);
        }
        removed += rows.len() as u64;
        remove(tx, writer, rows).await?;
        tx.store_notes().await?;
    }
}

/// Writes decisions about prices under review, each recorded as a change by the import that proposed the
/// price.
pub(super) async fn write_decisions(
    tx: &Write,
    writer: &Scope,
    list: &PriceList,
    decided: Vec<ReviewDecision>,
) -> Result<()> {
    if !decided.is_empty() {
        let mut counts = PriceCounts::default();
        for ReviewDecision { before, side, .. } in &decided {
            counts.add(&Side::from_entry(before), side);
        }
        note_prices(tx, writer, list, counts).await?;
    }
    let is_removed = |decided: &ReviewDecision| decided.side.is_empty() && decided.others.is_none();
    let (removed, remaining): (Vec<_>, Vec<_>) = decided.into_iter().partition(is_removed);
    adjust_price_count(tx, writer, list, 0, removed.len()).await?;
    remove(tx, writer, removed.into_iter().map(|decided| decided.before).collect()).await?;
    for ReviewDecision { before, side, others, import } in remaining {
        let write_scope = import.map_or(*writer, |import| writer.through(Channel::Import(import)));
        write_scope.update_many::<Entries>(tx, vec![(before, columns(side, others))]).await?;
    }
    Ok(())
}

/// Returns the row of an article that has no price in the list yet.
pub(crate) fn first_row(
    list: &PriceList,
    article: &ArticleUnits,
    side: Side,
    held_entry: Option<HeldEntry>,
) -> ActiveModel {
    ActiveModel {
        name: Set(article.article_number.clone()),
        price_list_id: Set(list.id),
        article_id: Set(article.id),
        ..columns(side, held_entry)
    }
}

/// Returns the columns of a price.
pub(crate) fn columns(side: Side, held_entry: Option<HeldEntry>) -> ActiveModel {
    ActiveModel {
        price: Set(side.price.map(|price| price.price)),
        price_quantity: Set(side.price.map(|price| price.price_quantity)),
        price_unit: Set(side.price.map(|price| price.unit)),
        bulk_prices: Set(side.tiers.or_none()),
        held: Set(held_entry),
        ..Default::default()
    }
}
