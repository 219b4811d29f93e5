//! Impact of any change of prices: the change is made in a rehearsal, as it would be saved, and the resulting
//! book is read there.

use std::sync::Arc;

use store::{Database, Scope};
use values::{Instant, Result, TenantId};

use super::{Comparison, Impact, run_blocking};
use crate::quote::{
    book::{Book, BookDifference},
    calculation::Calculator,
    load,
};

/// Makes a change in a rehearsal, and compares the seller's prices before and after. The change returns the
/// number of prices that would be under review.
///
/// # Errors
/// The same as those of the change itself.
pub async fn rehearse_impact(
    db: &Database,
    scope: &Scope,
    calculator: Calculator<'_>,
    seller: TenantId,
    change: impl AsyncFnOnce(&Database) -> Result<u64>,
) -> Result<Impact> {
    let calculation = calculator.load(db, seller).await?;
    let before = calculation.book.clone();
    let reading = db.rehearse(async |db| {
        let under_review = change(db).await?;
        Ok((under_review, load::RehearsedPrices::read(db, seller, &before).await?))
    });
    let (under_review, rehearsed) = reading.await?;
    let compared = {
        let before = before.clone();
        run_blocking(move || {
            let parts = rehearsed.parts.clone();
            let after = rehearsed.compiled(&before);
            let difference = BookDifference::between(&before, &after, &parts);
            (Arc::new(after), difference)
        })
    };
    let (after, difference) = compared.await?;
    let first = begins(&before, &after, &difference).map_or(calculation.now, |at| at.max(calculation.now));
    let comparison = Comparison::new([before, after], calculation.at(first), difference, false);
    Comparison { under_review, ..comparison }.compare(db, scope).await
}

/// Returns the time at which the first of all differing records begins; `None` if they are already in effect
/// or have no beginning.
fn begins(before: &Book, after: &Book, difference: &BookDifference) -> Option<Instant> {
    let BookDifference { adjustments, lists, priced_lists, articles, processings } = difference;
    if !processings.is_empty() || (!articles.is_empty() && priced_lists.is_empty()) {
        return None;
    }
    let books = [before, after];
    let of_adjustment = |id: &i64| {
        let versions = books.iter().filter_map(|book| book.adjustments().find(|one| one.id == *id));
        versions.map(|one| one.valid_from).min().flatten()
    };
    let of_list = |id: &i64| {
        let versions = books.iter().filter_map(|book| book.list(*id));
        versions.map(|list| list.head.valid_from).min()
    };
    let lists = lists.iter().chain(priced_lists).map(of_list);
    adjustments.iter().map(of_adjustment).chain(lists).min().flatten()
}
