//! Impact of a change of a price list, of a copy made from it, and of its existence.

use std::{
    collections::{BTreeSet, HashMap},
    sync::Arc,
};

use store::{Database, Scope, Write};
use values::{Instant, Period, Result, Validated, now};

use super::{Comparison, Impact};
use crate::{
    price_list::{
        self, PriceListInput, PriceLists,
        audience::{self, ListAudience},
        copy::{self, CopyInput},
        seller_lists::List,
    },
    price_list_entry::{self, EntriesInput},
    price_side::Side,
    quote::{
        book::{Book, BookDifference},
        calculation::Calculator,
        load,
    },
};

/// Maximum number of prices of a list that one call compares. More prices are saved by several calls.
const PRICES_MAX: usize = 5_000;

/// Change of a list.
#[derive(Debug)]
pub enum ListChange {
    /// The list is compared with the seller's prices without it.
    Presence,
    /// Its head, some of its prices, or both are changed.
    Amended { head: Option<Validated<PriceListInput>>, prices: Option<Validated<EntriesInput>> },
    /// The list is deleted with its prices.
    Deleted,
    /// The list is archived, which ends it immediately.
    Archived,
    /// A copy is made of the list, which may end the list.
    Copied(Validated<CopyInput>),
}

/// List after the change.
struct ChangedList {
    list: List,
    /// Prices that change, by article.
    prices: Vec<(i64, Side)>,
    under_review: u64,
    /// List that the copy is made from, after the change.
    original: Option<List>,
}

/// Calculates the impact of a change of a list on the prices of its owner, at a moment; by default at the
/// first moment from now on at which anything differs. For the list of a group, on the prices of the acting
/// tenant.
///
/// # Errors
/// The same as those of the change itself; also if the list has another owner.
pub async fn list_impact(
    db: &Database,
    scope: &Scope,
    calculator: Calculator<'_>,
    id: i64,
    change: ListChange,
    at: Option<Instant>,
) -> Result<Impact> {
    let list = scope.get::<PriceLists>(db, id).await?;
    price_list::refuse_others(db, scope, &list).await?;
    let changes_prices = matches!(&change, ListChange::Amended { prices: Some(_), .. });
    let is_deleted = matches!(change, ListChange::Deleted);
    let changed = match change {
        ListChange::Presence | ListChange::Deleted => None,
        ListChange::Amended { head, prices } => {
            let tx = db.begin().await?;
            let changed = amend_list(&tx, scope, id, head, prices).await?;
            tx.rollback().await?;
            Some(changed)
        }
        ListChange::Archived => {
            let tx = db.begin().await?;
            price_list::end_at_once(&tx, scope, id, None).await?;
            let list = read_list(&tx, scope, id).await?;
            tx.rollback().await?;
            Some(ChangedList { list, prices: Vec::new(), under_review: 0, original: None })
        }
        ListChange::Copied(input) => {
            let tx = db.begin_long().await?;
            let changed = copy_list(&tx, scope, id, input).await?;
            tx.rollback().await?;
            Some(changed)
        }
    };
    let head = changed.as_ref().map_or(&list, |changed| &changed.list.head);
    let ending = changed.as_ref().and_then(|changed| changed.original.as_ref());
    let lists = std::iter::once(head.id).chain(ending.map(|original| original.head.id)).collect();
    let seller = match head.owner_tenant_id {
        Some(owner) => owner,
        None => scope.tenant()?,
    };
    let calculation = calculator.load(db, seller).await?;
    let book = calculation.book.clone();
    let first = match &changed {
        Some(changed) if changed.original.is_none() => {
            let from_the_beginning = changes_prices
                || (changed.list.head.r#type, changed.list.head.scope) != (list.r#type, list.scope)
                || book.list(id).is_some_and(|current| !changed.list.names_the_same_as(current));
            first_difference(&list.period(), &changed.list.head.period(), from_the_beginning)
        }
        _ => head.valid_from,
    };
    let under_review = changed.as_ref().map_or(0, |changed| changed.under_review);
    let (before, after) = match changed {
        None if is_deleted => (book.clone(), Arc::new(book.without_list(id))),
        None => (Arc::new(book.without_list(id)), book),
        Some(changed) => {
            let after = changed.within(&book);
            (book, Arc::new(after))
        }
    };
    let first = at.unwrap_or_else(|| first.max(calculation.now));
    let difference = BookDifference { lists, ..BookDifference::default() };
    let comparison = Comparison::new([before, after], calculation.at(first), difference, at.is_some());
    Comparison { under_review, ..comparison }.compare(db, scope).await
}

/// Returns the first moment at which the old and the new list differ. If only the end changes, that is the
/// earlier of the two ends; if the beginning changes, the earlier of the two beginnings.
fn first_difference(was: &Period<Instant>, is: &Period<Instant>, from_the_beginning: bool) -> Instant {
    let earlier_end = [was.until, is.until].into_iter().flatten().min();
    match earlier_end {
        _ if was.from != is.from => was.from.min(is.from),
        Some(end) if was.until != is.until && !from_the_beginning => end,
        _ => is.from,
    }
}

async fn amend_list(
    tx: &Write,
    scope: &Scope,
    id: i64,
    head: Option<Validated<PriceListInput>>,
    prices: Option<Validated<EntriesInput>>,
) -> Result<ChangedList> {
    if let Some(head) = head {
        price_list::amend(tx, scope, id, head).await?;
    }
    let (mut articles, mut details) = (Vec::new(), Vec::new());
    if let Some(prices) = prices {
        let written = price_list_entry::update_many_in(tx, scope, id, prices, PRICES_MAX).await?;
        (articles, details) = (written.articles, written.details);
    }
    let under_review = details.iter().filter(|detail| detail.entry.held.is_some()).count();
    let mut sides: HashMap<i64, Side> =
        details.into_iter().map(|detail| (detail.entry.article_id, detail.side)).collect();
    let side = |article: i64| (article, sides.remove(&article).unwrap_or_default());
    let prices = articles.into_iter().map(side).collect();
    Ok(ChangedList {
        list: read_list(tx, scope, id).await?,
        prices,
        under_review: under_review as u64,
        original: None,
    })
}

async fn copy_list(tx: &Write, scope: &Scope, id: i64, input: Validated<CopyInput>) -> Result<ChangedList> {
    let (copy, _) = copy::copy_in(tx, scope, id, input, now()).await?;
    let mut prices = Vec::new();
    load::for_each_price(tx, &copy, |article, side| prices.push((article, side))).await?;
    let original = Some(read_list(tx, scope, id).await?);
    Ok(ChangedList { list: read_list(tx, scope, copy.id).await?, prices, under_review: 0, original })
}

async fn read_list(tx: &Write, scope: &Scope, id: i64) -> Result<List> {
    let head = scope.get::<PriceLists>(tx, id).await?;
    let ListAudience { tenants, groups, excluded, .. } = audience::load(tx, id).await?;
    Ok(List { head, tenants, groups, excluded })
}

impl List {
    fn names_the_same_as(&self, other: &Self) -> bool {
        let sorted = |ids: &[i64]| ids.iter().copied().collect::<BTreeSet<i64>>();
        let all = |list: &Self| [&list.tenants, &list.groups, &list.excluded].map(|ids| sorted(ids));
        all(self) == all(other)
    }
}

impl ChangedList {
    /// Returns the book with the changed list.
    fn within(self, book: &Book) -> Book {
        let Self { list, prices, original, .. } = self;
        let id = list.head.id;
        let book = original.map_or_else(|| book.clone(), |original| book.with_list(original));
        book.with_list(list).with_prices(id, prices.iter().map(|(article, side)| (*article, side)))
    }
}

#[cfg(test)]
mod tests {
    use chrono::TimeDelta;
    use chrono_tz::Tz;
    use lists::Creatable;

    use super::*;
    use crate::{
        price_list::{ListScope, ListType, change::PriceChange},
        quote::{
            load::Books,
            over_time::tests::{entry, list, stocked},
        },
    };

    #[tokio::test]
    async fn a_moved_start_or_end_of_a_list_is_compared_when_it_takes_effect() {
        let bed = stocked().await;
        let tenant = i64::from(bed.scope.tenant().unwrap());
        let day = |count: i64| now() + TimeDelta::days(count);
        let (from, until) = (day(30), day(60));
        let input = PriceListInput {
            limited: true,
            valid_until: Some(until),
            ..list("Verkauf", ListType::Sales, ListScope::Global, from, tenant)
        };
        let changed = PriceLists::create(&bed.db, &bed.scope, input.clone()).await.unwrap().list;
        entry(&bed, changed.id, Some("900")).await;
        let books = Books::default();
        let calculator = Calculator { books: &books, time_zone: Tz::Europe__Berlin };
        let input =
            PriceListInput { valid_from: changed.valid_from, valid_until: changed.valid_until, ..input };
        let (later, earlier, unlimited, shorter, renamed) = (
            PriceListInput { valid_from: day(45), ..input.clone() },
            PriceListInput { valid_from: day(10), ..input.clone() },
            PriceListInput { limited: false, valid_until: None, ..input.clone() },
            PriceListInput { valid_until: Some(day(50)), ..input.clone() },
            PriceListInput { name: "Anders".to_owned(), ..input },
        );
        for (head, moment, touched) in [
            (later, changed.valid_from, 1),
            (earlier.clone(), earlier.valid_from, 1),
            (unlimited, changed.valid_until.unwrap(), 1),
            (shorter.clone(), shorter.valid_until.unwrap(), 1),
            (renamed, changed.valid_from, 0),
        ] {
            let change = ListChange::Amended { head: Some(Validated::from(head)), prices: None };
            let impact =
                list_impact(&bed.db, &bed.scope, calculator, changed.id, change, None).await.unwrap();
            assert!((impact.at - moment).abs() < TimeDelta::milliseconds(1), "{} {moment}", impact.at);
            assert_eq!(impact.catalogue.articles_touched, touched);
        }
        // a copy is another list, which differs from its beginning on
        let copy = CopyInput {
            name: "Kopie".to_owned(),
            valid_from: day(45),
            valid_until: None,
            owner_tenant_id: None,
            owner_tenant_group_id: None,
            change: PriceChange::default(),
            rounding: None,
            ends_original: true,
            version: None,
        };
        let change = ListChange::Copied(Validated::from(copy.clone()));
        let impact = list_impact(&bed.db, &bed.scope, calculator, changed.id, change, None).await.unwrap();
        assert!((impact.at - copy.valid_from).abs() < TimeDelta::milliseconds(1), "{}", impact.at);
    }

    #[test]
    fn a_list_is_compared_at_the_first_moment_that_differs() {
        let day = |text: &str| format!("{text}T00:00:00Z").parse::<Instant>().unwrap();
        let period =
            |(from, until): (&str, &str)| Period::new(day(from), (!until.is_empty()).then(|| day(until)));
        for (was, is, from_the_beginning, expected) in [
            // begins later, and earlier
            (("2027-01-01", ""), ("2027-02-15", ""), false, "2027-01-01"),
            (("2027-02-15", ""), ("2027-01-01", ""), false, "2027-01-01"),
            (("2027-01-01", ""), ("2027-02-15", "2027-03-01"), true, "2027-01-01"),
            // the end is cleared, set, moved
            (("2027-01-01", "2027-07-01"), ("2027-01-01", ""), false, "2027-07-01"),
            (("2027-01-01", ""), ("2027-01-01", "2027-07-01"), false, "2027-07-01"),
            (("2027-01-01", "2027-09-01"), ("2027-01-01", "2027-07-01"), false, "2027-07-01"),
            // something else differs, too
            (("2027-01-01", "2027-07-01"), ("2027-01-01", ""), true, "2027-01-01"),
            (("2027-01-01", "2027-07-01"), ("2027-01-01", "2027-07-01"), false, "2027-01-01"),
        ] {
            let actual = first_difference(&period(was), &period(is), from_the_beginning);
            assert_eq!(actual, day(expected), "{was:?} {is:?}");
        }
    }
}
