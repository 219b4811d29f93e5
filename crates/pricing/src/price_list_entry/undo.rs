//! Prices of a list as they were before somebody changed them. A person wants it so, and the guard has nothing to say.

use std::collections::HashSet;

use catalog::article::{self, Articles};
use kernel::{
    Database, Error, Result, Scope, Write,
    audit::{self, Action},
};
use sea_orm::{ColumnTrait, QueryFilter, QuerySelect};

use super::{ActiveModel, Column, Entries, Entry, articles_of, of_list, writing};
use crate::{
    price_list::{self, PriceCounts, PriceList, note_prices},
    price_side::Side,
};

/// Prices that are in memory at a time.
const CHUNK: usize = 1_000;

/// A price that an entry of the history is taken back of.
#[derive(Debug)]
pub struct Back {
    /// As it is.
    pub row: Entry,
    /// As it was; without price and tiers it is taken out of the list.
    pub side: Side,
    pub entry: i64,
}

/// Gives prices of a list back what they were, all at once: those of the rows of these ids of which it is said. What waits at them
/// waits no longer.
///
/// # Errors
/// When the list is not theirs to write or has expired, and whatever says so.
pub async fn put_back(
    db: &Database,
    scope: &Scope,
    list: i64,
    ids: &[i64],
    mut former: impl AsyncFnMut(&Write, Vec<Entry>) -> Result<Vec<Back>>,
) -> Result<()> {
    let tx = db.begin_long().await?;
    let (list, writer) = price_list::written(&tx, scope, list).await?;
    for ids in ids.chunks(CHUNK) {
        let rows = of_list(&writer, &list).filter(Column::Id.is_in(ids.iter().copied())).all(&tx).await?;
        let back = former(&tx, rows).await?;
        let entries = back.iter().map(|back| (back.row.id, back.entry));
        tx.takes_back(audit::table::<Entries>(), entries);
        if !back.is_empty() {
            let mut counts = PriceCounts::default();
            for back in &back {
                counts.add(&Side::of_entry(&back.row), &back.side);
            }
            note_prices(&tx, &writer, &list, counts).await?;
        }
        let (gone, given): (Vec<_>, Vec<_>) = back.into_iter().partition(|back| back.side.is_empty());
        writing::count(&tx, &writer, &list, 0, gone.len()).await?;
        writing::remove(&tx, &writer, gone.into_iter().map(|back| back.row).collect()).await?;
        let given = given.into_iter().map(|back| (back.row, writing::columns(back.side, None)));
        writer.update_many::<Entries>(&tx, given.collect()).await?;
        tx.store_notes().await?;
    }
    tx.commit().await
}

/// Makes the price of an article in a list again, under the id that it had. What only waited for one waits again.
///
/// # Errors
/// When the list is not theirs to write or has expired, or when it has a price of the article by now.
pub async fn made_again(db: &Database, scope: &Scope, was: &Entry) -> Result<()> {
    let tx = db.begin().await?;
    let (list, writer) = price_list::written(&tx, scope, was.price_list_id).await?;
    let article = articles_of(&tx, scope, [was.article_id]).await?.remove(&was.article_id);
    let article = article.ok_or_else(Error::not_found)?;
    let side = Side::of_entry(was);
    let mut counts = PriceCounts { held: u64::from(side.is_empty()), ..PriceCounts::default() };
    counts.add(&Side::default(), &side);
    note_prices(&tx, &writer, &list, counts).await?;
    writing::count(&tx, &writer, &list, 1, 0).await?;
    let held = was.held.clone().filter(|_| side.is_empty());
    writer.create_all::<Entries>(&tx, [writing::first(&list, &article, side, held)]).await?;
    tx.commit().await
}

/// Makes the prices of a list again that has just been made again itself, under the ids that they had; all but those whose article
/// is gone.
pub(crate) async fn make_list_again(
    tx: &Write,
    writer: &Scope,
    list: &PriceList,
    mut rows: Vec<ActiveModel>,
) -> Result<()> {
    let articles = rows.iter().filter_map(|row| row.article_id.try_as_ref().copied());
    let known = writer.find::<Articles>().filter(article::Column::Id.is_in(articles));
    let known: Vec<i64> = known.select_only().column(article::Column::Id).into_tuple().all(tx).await?;
    let known: HashSet<i64> = known.into_iter().collect();
    rows.retain(|row| {
        let is_of_list = row.price_list_id.try_as_ref() == Some(&list.id);
        is_of_list && row.article_id.try_as_ref().is_some_and(|article| known.contains(article))
    });
    let made = writer.make_again::<Entries>(tx, rows).await?;
    for row in &made {
        writer.note::<Entries>(tx, Action::Created, None, Some(row));
    }
    writing::count(tx, writer, list, made.len(), 0).await?;
    tx.store_notes().await
}
