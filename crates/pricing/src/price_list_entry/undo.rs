//! Undo of list prices: restores former prices. A person requests it, so the price guard does not apply.

use std::collections::HashSet;

use catalog::article::{self, Articles};
use sea_orm::{ColumnTrait, IntoActiveModel, QueryFilter, QuerySelect, TryIntoModel};
use store::{
    Database, Scope, Write,
    audit::{self, Action, Change},
    reconstruction,
    scope::history_fields,
    standing::{RevertResult, Values, changes_since_creation},
};
use values::{Error, Result};

use super::{ActiveModel, Column, Entries, Entry, load_articles, select_entries, writing};
use crate::{
    price_list::{self, PriceCounts, PriceList, note_prices},
    price_side::Side,
};

/// A price is one value with its quantity and unit. Undoing an entry removes the proposals that it made.
const VALUES: Values = Values { value_of: part_of, emptied: &[HELD] };

const HELD: &str = "held";
const FIELDS: [&str; 5] = ["price", "price_quantity", "price_unit", "bulk_prices", HELD];

fn column_of(field: &str) -> &str {
    field.split('.').next().unwrap_or(field)
}

fn part_of(field: &str) -> &str {
    match column_of(field) {
        "price_quantity" | "price_unit" => "price",
        column => column,
    }
}

/// True for changes that an undo reverts. Decisions about prices under review are not reverted.
pub fn writes(change: &Change) -> bool {
    let column = column_of(&change.field);
    FIELDS.contains(&column) && (column != HELD || !change.to.is_null())
}

/// Price with the entry of its history that is undone.
#[derive(Debug)]
pub struct UndoablePrice {
    /// Current price.
    pub row: Entry,
    pub entry: i64,
    pub is_creation: bool,
    pub changes: Vec<Change>,
    /// Changes after the entry, the oldest first.
    pub later: Vec<Change>,
}

impl UndoablePrice {
    /// Returns the former price; without price and quantity breaks, the article is removed from the list.
    fn revert(&self) -> Result<RevertResult<Side>> {
        if self.is_creation {
            let changed = changes_since_creation(&self.later, writes);
            let was = RevertResult::Former(Side::default());
            return Ok(if changed.is_empty() { was } else { RevertResult::Superseded(changed) });
        }
        let changes: Vec<Change> = self.changes.iter().filter(|change| writes(change)).cloned().collect();
        let now = history_fields::model_fields::<Entries>(&self.row);
        VALUES.revert(&now, &changes, &self.later).try_map(|mut former| {
            former.retain(|field, _| column_of(field) != HELD);
            let mut row = self.row.clone().into_active_model();
            reconstruction::restore_fields::<Entries>(&mut row, &former)?;
            Ok(Side::from_entry(&row.try_into_model()?))
        })
    }
}

/// Undo of several prices of a list in one transaction. The list is locked until [`Self::commit`].
pub struct ListUndo {
    tx: Write,
    list: PriceList,
    writer: Scope,
}

impl ListUndo {
    /// Begins the transaction, and locks the list.
    ///
    /// # Errors
    /// The caller cannot write the list, or it has expired.
    pub async fn begin(db: &Database, scope: &Scope, list: i64) -> Result<Self> {
        let tx = db.begin_long().await?;
        let (list, writer) = price_list::lock_for_change(&tx, scope, list).await?;
        Ok(Self { tx, list, writer })
    }

    /// Loads the prices with these ids that are in the list.
    pub async fn prices(&self, ids: &[i64]) -> Result<Vec<Entry>> {
        let prices = select_entries(&self.writer, &self.list).filter(Column::Id.is_in(ids.iter().copied()));
        Ok(prices.all(&self.tx).await?)
    }

    /// Transaction that has locked the prices.
    pub fn transaction(&self) -> &Write {
        &self.tx
    }

    /// Restores the former prices of entries that are not superseded, and returns the outcome of each. Their
    /// prices under review are removed.
    pub async fn undo(&self, noted: Vec<UndoablePrice>) -> Result<Vec<RevertResult<()>>> {
        let Self { tx, list, writer } = self;
        let (mut outcomes, mut undone, mut counts) = (Vec::new(), Vec::new(), PriceCounts::default());
        let (mut removed, mut changed) = (Vec::new(), Vec::new());
        for noted in noted {
            outcomes.push(noted.revert()?.try_map(|side| {
                counts.add(&Side::from_entry(&noted.row), &side);
                undone.push((noted.row.id, noted.entry));
                if side.is_empty() {
                    removed.push(noted.row);
                } else {
                    changed.push((noted.row, writing::columns(side, None)));
                }
                Ok(())
            })?);
        }
        let is_any = !undone.is_empty();
        tx.mark_as_undoing(audit::table::<Entries>(), undone);
        if is_any {
            note_prices(tx, writer, list, counts).await?;
        }
        writing::adjust_price_count(tx, writer, list, 0, removed.len()).await?;
        writing::remove(tx, writer, removed).await?;
        writer.update_many::<Entries>(tx, changed).await?;
        tx.store_notes().await?;
        Ok(outcomes)
    }

    /// Commits the transaction, which releases the list.
    pub async fn commit(self) -> Result<()> {
        self.tx.commit().await
    }
}

/// Recreates the price of an article in a list, with its former id. If it was only under review, it is so
/// again.
///
/// # Errors
/// The caller cannot write the list, it has expired, or it has another price for the article.
pub async fn recreate(db: &Database, scope: &Scope, was: &Entry) -> Result<()> {
    let tx = db.begin().await?;
    let (list, writer) = price_list::lock_for_change(&tx, scope, was.price_list_id).await?;
    let article = load_articles(&tx, scope, [was.article_id]).await?.remove(&was.article_id);
    let article = article.ok_or_else(Error::not_found)?;
    let side = Side::from_entry(was);
    let mut counts = PriceCounts { under_review: u64::from(side.is_empty()), ..PriceCounts::default() };
    counts.add(&Side::default(), &side);
    note_prices(&tx, &writer, &list, counts).await?;
    writing::adjust_price_count(&tx, &writer, &list, 1, 0).await?;
    let held_entry = was.held.clone().filter(|_| side.is_empty());
    writer.create_all::<Entries>(&tx, [writing::first_row(&list, &article, side, held_entry)]).await?;
    tx.commit().await
}

/// Recreates the prices of a list that was just recreated itself, with their former ids, except those of
/// deleted articles.
pub(crate) async fn recreate_entries(
    tx: &Write,
    writer: &Scope,
    list: &PriceList,
    mut rows: Vec<ActiveModel>,
) -> Result<()> {
    let articles = rows.iter().filter_map(|row| row.article_id.try_as_ref().copied());
    let query = writer.find::<Articles>().filter(article::Column::Id.is_in(articles));
    let ids: Vec<i64> = query.select_only().column(article::Column::Id).into_tuple().all(tx).await?;
    let existing_ids: HashSet<i64> = ids.into_iter().collect();
    rows.retain(|row| {
        let is_of_list = row.price_list_id.try_as_ref() == Some(&list.id);
        is_of_list && row.article_id.try_as_ref().is_some_and(|article| existing_ids.contains(article))
    });
    let entries = writer.recreate_rows::<Entries>(tx, rows).await?;
    for row in &entries {
        writer.note::<Entries>(tx, Action::Created, None, Some(row));
    }
    writing::adjust_price_count(tx, writer, list, entries.len(), 0).await?;
    tx.store_notes().await
}
