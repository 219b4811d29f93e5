//! Differences between two books of a seller.

use std::collections::{BTreeSet, HashMap};

use store::versioned_cache::PricePart;
use values::Unit;

use super::{Book, Prices};
use crate::{price_adjustment::terms::Adjustment, price_list::seller_lists::List, price_side::TierStart};

/// Records that differ between two books.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct BookDifference {
    pub(crate) adjustments: Vec<i64>,
    /// Lists that are in only one of the two books, or differ in validity or audience.
    pub(crate) lists: Vec<i64>,
    /// Articles with another price in a list or stock.
    pub(crate) articles: Vec<i64>,
    /// Lists in which the price of an article differs.
    pub(crate) priced_lists: Vec<i64>,
    pub(crate) processings: Vec<i64>,
}

impl BookDifference {
    /// Compares two books. `parts`: the parts that may differ.
    pub(crate) fn between(before: &Book, after: &Book, parts: &BTreeSet<PricePart>) -> Self {
        let (articles, priced_lists) = prices(before, after, parts);
        Self {
            adjustments: adjustments(before, after),
            lists: lists(before, after),
            articles: articles.into_iter().collect(),
            priced_lists: priced_lists.into_iter().collect(),
            processings: before.processing_prices.differing(&after.processing_prices),
        }
    }
}

fn adjustments(before: &Book, after: &Book) -> Vec<i64> {
    let [was, is] = [before, after]
        .map(|book| book.adjustments().map(|one| (one.id, one)).collect::<HashMap<i64, &Adjustment>>());
    let ids: BTreeSet<i64> = was.keys().chain(is.keys()).copied().collect();
    ids.into_iter().filter(|id| was.get(id) != is.get(id)).collect()
}

fn lists(before: &Book, after: &Book) -> Vec<i64> {
    let ids: BTreeSet<i64> =
        [before, after].iter().flat_map(|book| book.lists()).map(|list| list.head.id).collect();
    let differs = |id: &i64| match [before.list(*id), after.list(*id)] {
        [Some(was), Some(is)] => !was.holds_as(is),
        _ => true,
    };
    ids.into_iter().filter(differs).collect()
}

/// Returns the articles whose prices differ, and the lists of those prices.
fn prices(before: &Book, after: &Book, parts: &BTreeSet<PricePart>) -> (BTreeSet<i64>, BTreeSet<i64>) {
    let of_all = parts.contains(&PricePart::Lists);
    let ids: BTreeSet<i64> = after.lists().chain(before.lists()).map(|list| list.head.id).collect();
    let ids: Vec<i64> =
        ids.into_iter().filter(|id| of_all || parts.contains(&PricePart::List(*id))).collect();
    let of_stocks = parts.contains(&PricePart::Stocks);
    let (mut articles, mut priced) = (BTreeSet::new(), BTreeSet::new());
    if ids.is_empty() && !of_stocks {
        return (articles, priced);
    }
    let all: BTreeSet<i64> = before.articles().chain(after.articles()).collect();
    for article in all {
        for id in &ids {
            let [was, is] = [before, after].map(|book| book.in_list(*id, article));
            if !same(was, is) {
                articles.insert(article);
                priced.insert(*id);
            }
        }
        if of_stocks && !same_stocks(before, after, article) {
            articles.insert(article);
        }
    }
    (articles, priced)
}

fn same(was: Option<Prices<'_>>, is: Option<Prices<'_>>) -> bool {
    match (was, is) {
        (Some(was), Some(is)) => {
            was.entries.len() == is.entries.len()
                && was.entries.iter().zip(is.entries).all(|(one, other)| was.priced(one) == is.priced(other))
        }
        (was, is) => was.is_none() && is.is_none(),
    }
}

fn same_stocks(before: &Book, after: &Book, article: i64) -> bool {
    let (mut was, mut is) = (before.in_stocks(article), after.in_stocks(article));
    loop {
        match (was.next(), is.next()) {
            (None, None) => return true,
            (Some(was), Some(is)) => {
                let one = [was.external, was.internal].map(Some);
                let other = [is.external, is.internal].map(Some);
                let alike = one.into_iter().zip(other).all(|(one, other)| same(one, other));
                if (was.id, was.warehouse_id) != (is.id, is.warehouse_id) || !alike {
                    return false;
                }
            }
            _ => return false,
        }
    }
}

impl List {
    /// True if another version of the list has the same type, owner, validity and audience.
    fn holds_as(&self, other: &Self) -> bool {
        let head = |list: &Self| {
            let head = &list.head;
            (
                head.r#type,
                head.scope,
                head.owner_tenant_id,
                head.owner_tenant_group_id,
                head.valid_from,
                head.valid_until,
            )
        };
        let whom = |list: &Self| {
            [&list.tenants, &list.groups, &list.excluded]
                .map(|ids| ids.iter().copied().collect::<BTreeSet<i64>>())
        };
        head(self) == head(other) && whom(self) == whom(other)
    }
}

impl Book {
    pub(crate) fn lists(&self) -> impl Iterator<Item = &List> {
        self.lists.iter()
    }

    /// Processings for which the seller has a price.
    pub(crate) fn priced_processings(&self) -> impl Iterator<Item = i64> {
        self.processing_prices.processings()
    }

    fn in_list(&self, list: i64, article: i64) -> Option<Prices<'_>> {
        let place = self.lists.iter().position(|existing| existing.head.id == list)?;
        self.in_lists(article).in_list(place)
    }

    /// Returns the quantities at which the price of an article changes in these lists, or in stocks if there
    /// are no lists.
    pub(crate) fn breaks(
        &self,
        article: i64,
        lists: &[i64],
        listing_unit: Unit,
    ) -> Vec<(values::Decimal, Unit)> {
        let in_lists = lists.iter().filter_map(|list| self.in_list(*list, article));
        let in_stocks = self.in_stocks(article).filter(|_| lists.is_empty()).map(|stock| stock.external);
        let starts = in_lists.chain(in_stocks).flat_map(|prices| {
            let starts: Vec<TierStart> =
                prices.entries.iter().filter_map(|entry| prices.start(entry.from)).collect();
            starts
        });
        starts.map(|start| (start.quantity, start.unit(listing_unit))).collect()
    }
}
