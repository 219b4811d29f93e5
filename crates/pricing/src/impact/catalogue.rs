//! Comparison of a seller's articles with both books, for each class of customers, in the carts of a plan.

use std::{
    cmp::Reverse,
    collections::{BTreeSet, HashMap},
    sync::Arc,
};

use catalog::{
    article,
    article_units::{self, ArticleUnits},
};
use sea_orm::ColumnTrait;
use store::{Database, Scope};
use tenancy::tenant::Party;
use values::{Decimal, Instant, Result, Unit};

use super::{
    AmountChange, CARTS_MAX, Comparison, MOVERS_MAX,
    customers::CustomerClasses,
    plan::{EACH_MAX, Plan, select_variants},
    run_blocking,
};
use crate::{
    exact::Exact,
    findings::{
        NamedRecords, fitting_articles,
        generated_carts::{SoldArticle, TRUCKLOAD, amount},
    },
    quote::{
        Buyer, Cart, Line, Moment, Viewpoint,
        book::{Book, BookDifference},
        lines::LineRecords,
        quote,
    },
};

/// Number of carts calculated in one blocking task.
const STRETCH: usize = 10_000;
/// Number of articles read by one statement.
const READ: usize = 5_000;

/// Impact of a change on a catalogue. A price here is the amount for a quantity of an article and a class of
/// customers.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Catalogue {
    /// Number of articles that the change may concern: for a list, those that have or had a price in it; for
    /// adjustments, all sold articles.
    pub articles_in_all: u64,
    /// Number of articles compared: all of them, or an evenly distributed sample.
    pub articles_examined: u64,
    /// Number of articles with a price that changes.
    pub articles_touched: u64,
    /// Number of articles that a customer pays less for than the internal price.
    pub below_internal_before: u64,
    pub below_internal_after: u64,
    /// Number of articles that get a price which they did not have.
    pub articles_appearing: u64,
    /// Number of articles that lose a price.
    pub articles_vanishing: u64,
    pub up: Moves,
    pub down: Moves,
    /// Articles with their largest change, each once, the largest change first.
    pub movers: Vec<Mover>,
}

/// Prices that change in one direction. Percentages are absolute.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Moves {
    pub prices: u64,
    /// Median of the changes.
    pub median_percent: Option<Decimal>,
    pub largest_percent: Option<Decimal>,
}

/// Article with a changed price.
#[derive(Debug, Clone)]
pub struct Mover {
    pub article: Arc<ArticleUnits>,
    /// One of the customers who pay the price; `None` for an anonymous buyer.
    pub buyer: Option<Party>,
    pub at: Instant,
    pub quantity: Decimal,
    pub unit: Unit,
    /// Name of a processing that is done once and included in the price.
    pub processing: Option<String>,
    /// Former price in EUR, rounded.
    pub before: Decimal,
    pub after: Decimal,
    pub change: AmountChange,
    /// True if the new price is below the internal price.
    pub below_internal: bool,
}

impl PartialEq for Mover {
    fn eq(&self, other: &Self) -> bool {
        let key = |mover: &Self| (mover.article.id, mover.quantity, mover.unit, mover.before, mover.after);
        key(self) == key(other)
    }
}

impl Eq for Mover {}

/// Running counts of the comparison.
#[derive(Debug, Default)]
pub(super) struct Tally {
    pub(super) catalogue: Catalogue,
    /// Index of the first moment at which a price changes, for each class.
    pub(super) changed: Vec<Option<usize>>,
    /// Ids of the articles with a price that changes.
    pub(super) touched: Vec<i64>,
    /// Number of carts calculated.
    pub(super) carts: u64,
    /// True if all carts of all articles were calculated.
    pub(super) is_complete: bool,
}

/// Inputs of the comparison that are the same for all articles.
struct Setup {
    books: [Arc<Book>; 2],
    /// Moments in the order of the plan.
    moments: Vec<Moment>,
    plan: Arc<Plan>,
    /// One buyer of each class.
    buyers: Vec<(Option<Buyer>, Option<Party>)>,
    companion: Option<Line>,
    /// Lists whose quantity breaks are compared; if empty, those of stocks.
    lists: Vec<i64>,
    /// Names of processings by id.
    processings: HashMap<i64, String>,
}

/// Article of which carts are compared.
struct Examinee {
    /// Index among all compared articles.
    place: usize,
    sold: SoldArticle,
    measured: Arc<ArticleUnits>,
}

/// Price of a quantity of an article for a customer.
#[derive(Debug, Clone, Copy)]
struct Price {
    /// Total; `None` if there is no price.
    total: Option<Exact>,
    below_internal: bool,
}

pub(super) async fn compare_articles(
    db: &Database,
    comparison: &Comparison,
    classes: &CustomerClasses,
) -> Result<Tally> {
    let books = [comparison.before.clone(), comparison.after.clone()];
    let plan = comparison.plan.clone();
    let ids = concerned(comparison);
    let in_all = ids.len();
    let mut buyers: Vec<_> =
        classes.all.iter().map(|class| (class.buyer.clone(), class.parties.first().cloned())).collect();
    if buyers.is_empty() {
        // the change concerns no customer, but the catalogue is compared all the same
        buyers.push((None, None));
    }
    let line_records =
        LineRecords::load(db, books.iter().map(|book| &**book), plan.processings().collect()).await?;
    let carts_each = plan.carts_each(buyers.len()).max(1);
    let ids = preferred(db, comparison, &line_records, ids, (CARTS_MAX / carts_each).max(1)).await?;
    let companion =
        if plan.needs_companion() { companion(db, comparison, &line_records).await? } else { None };
    let BookDifference { lists, priced_lists, .. } = &comparison.difference;
    let setup = Arc::new(Setup {
        moments: plan.moments.iter().map(|at| comparison.calculation.moment(Some(*at))).collect(),
        lists: lists.iter().chain(priced_lists).copied().collect(),
        processings: line_records.processings.clone(),
        companion,
        plan,
        books,
        buyers,
    });
    let mut counting = Counting::new(setup.buyers.len());
    let mut place = 0;
    for ids in ids.chunks(READ) {
        let id_filter = article::Column::Id.is_in(ids.iter().copied());
        let articles = article_units::load(db, &Scope::platform(), id_filter).await?;
        let articles = articles.into_iter().map(|measured| {
            place += 1;
            Arc::new(Examinee {
                place,
                sold: SoldArticle::new(&measured, &line_records),
                measured: Arc::new(measured),
            })
        });
        let articles: Vec<_> = articles.collect();
        for stretch in articles.chunks((STRETCH / carts_each).max(1)) {
            let (setup, stretch) = (setup.clone(), stretch.to_vec());
            counting = run_blocking(move || {
                for article in &stretch {
                    counting.add(&setup, article);
                }
                counting
            })
            .await?;
        }
    }
    let mut tally = counting.finished();
    tally.changed.truncate(classes.all.len());
    tally.catalogue.articles_in_all = in_all as u64;
    tally.is_complete &= tally.catalogue.articles_examined == in_all as u64;
    Ok(tally)
}

/// Returns the articles that a change may concern, by id.
fn concerned(comparison: &Comparison) -> Vec<i64> {
    let Comparison { before, after, difference, .. } = comparison;
    let books = [before, after];
    let of_all = !(difference.adjustments.is_empty() && difference.processings.is_empty());
    let mut ids: Vec<i64> = if of_all {
        books.iter().flat_map(|book| book.articles()).collect()
    } else {
        let in_book = |book: &&Arc<Book>| {
            let lists = difference.lists.iter();
            lists.flat_map(|list| Book::articles_in(book, *list)).collect::<Vec<_>>()
        };
        books.iter().flat_map(in_book).chain(difference.articles.iter().copied()).collect()
    };
    ids.sort_unstable();
    ids.dedup();
    ids
}

/// Returns at most `max` articles: first those that changed adjustments name, and one for each type, category
/// and material that they name; the others are an evenly distributed sample.
async fn preferred(
    db: &Database,
    comparison: &Comparison,
    line_records: &LineRecords,
    ids: Vec<i64>,
    max: usize,
) -> Result<Vec<i64>> {
    if ids.len() <= max {
        return Ok(ids);
    }
    let Comparison { before, after, difference, .. } = comparison;
    let changed = before.adjustments().chain(after.adjustments());
    let changed = changed.filter(|adjustment| difference.adjustments.contains(&adjustment.id));
    let named_articles =
        fitting_articles(db, &NamedRecords::from_adjustments(changed), line_records, &ids).await?;
    let mut chosen: BTreeSet<i64> = named_articles.into_iter().take(max).collect();
    let others: Vec<i64> = ids.into_iter().filter(|id| !chosen.contains(id)).collect();
    chosen.extend(sampled(&others, max.saturating_sub(chosen.len()).max(1)));
    Ok(chosen.into_iter().collect())
}

/// Returns a truckload of a sold article, for conditions on whole carts.
async fn companion(
    db: &Database,
    comparison: &Comparison,
    line_records: &LineRecords,
) -> Result<Option<Line>> {
    let Some(last) = comparison.before.articles().max() else { return Ok(None) };
    let articles = article_units::load(db, &Scope::platform(), article::Column::Id.eq(last)).await?;
    let sold = articles.first().map(|measured| SoldArticle::new(measured, line_records));
    Ok(sold.map(|sold| Line {
        article: sold.article,
        quantity: TRUCKLOAD,
        unit: Unit::Tonne,
        warehouse: None,
        processings: Vec::new(),
    }))
}

/// Picks at most `max` ids, evenly distributed.
fn sampled(ids: &[i64], max: usize) -> Vec<i64> {
    if ids.len() <= max {
        return ids.to_vec();
    }
    (0..max).filter_map(|number| ids.get(number * ids.len() / max).copied()).collect()
}

impl Setup {
    /// Returns the starts of an article's quantity breaks, before and after the change.
    fn breaks(&self, measured: &ArticleUnits) -> Vec<(Decimal, Unit)> {
        let breaks_in = |book: &Arc<Book>| book.breaks(measured.id, &self.lists, measured.listing_unit);
        let mut breaks: Vec<(Decimal, Unit)> = self.books.iter().flat_map(breaks_in).collect();
        breaks.sort_by_key(|(quantity, _)| *quantity);
        breaks.dedup();
        breaks
    }
}

impl Price {
    fn calculate(book: &Book, cart: &Cart) -> Self {
        let quote = quote(book, cart, Viewpoint::Seller, false);
        let line = quote.lines.first();
        Self {
            total: line.is_some_and(|line| line.refused.is_empty()).then_some(quote.total),
            below_internal: line
                .and_then(|line| line.margin)
                .is_some_and(|margin| margin.amount < Exact::ZERO),
        }
    }
}

/// Counts the results article by article.
#[derive(Default)]
struct Counting {
    tally: Tally,
    /// Absolute changes in hundredths of a percent.
    up: Vec<i64>,
    down: Vec<i64>,
}

impl Counting {
    fn new(classes: usize) -> Self {
        let tally = Tally { changed: vec![None; classes], is_complete: true, ..Tally::default() };
        Self { tally, ..Self::default() }
    }

    fn add(&mut self, setup: &Setup, article: &Examinee) {
        let (mut below, mut touched, mut appears, mut vanishes) = ([false; 2], false, false, false);
        let mut largest: Option<Mover> = None;
        let Examinee { place, sold, measured } = article;
        let variants = setup.plan.variants_of(&setup.breaks(measured));
        let in_all = setup.buyers.len() * variants.len();
        self.tally.is_complete &= in_all <= EACH_MAX;
        for number in select_variants(*place, in_all) {
            let class = number / variants.len().max(1);
            let Some(variant) = variants.get(number % variants.len().max(1)) else { continue };
            let Some((buyer, party)) = setup.buyers.get(class) else { continue };
            let Some(moment) = setup.moments.get(variant.moment) else { continue };
            let bare = Cart { buyer: buyer.clone(), moment: *moment, lines: Vec::new() };
            let [first, second] = setup.books.each_ref();
            let amount = |book: &Book| amount(book, sold, &bare, &variant.amount);
            let Some((quantity, unit)) = amount(first).or_else(|| amount(second)) else { continue };
            let line = setup.plan.line(variant, sold, quantity, unit);
            let companion = setup.companion.iter().filter(|_| variant.is_accompanied).cloned();
            let cart = Cart { lines: std::iter::once(line).chain(companion).collect(), ..bare };
            self.tally.carts += 1;
            let [before, after] = [first, second].map(|book| Price::calculate(book, &cart));
            below[0] |= before.below_internal;
            below[1] |= after.below_internal;
            let (was, is) = match (before.total, after.total) {
                (Some(was), Some(is)) => (was, is),
                (None, None) => continue,
                (was, _) => {
                    appears |= was.is_none();
                    vanishes |= was.is_some();
                    self.note(class, variant.moment, &mut touched);
                    continue;
                }
            };
            let change = AmountChange::between(was, is);
            let hundredths = change.percent.map(|percent| percent.millionths() / 10_000);
            if was.shown() == is.shown() && hundredths.is_none_or(|moved| moved == 0) {
                continue;
            }
            self.note(class, variant.moment, &mut touched);
            let catalogue = &mut self.tally.catalogue;
            let (direction, percents) = if is > was {
                (&mut catalogue.up, &mut self.up)
            } else {
                (&mut catalogue.down, &mut self.down)
            };
            direction.prices += 1;
            percents.extend(hundredths.map(i64::abs));
            let mover = Mover {
                article: measured.clone(),
                buyer: party.clone(),
                at: moment.at,
                quantity,
                unit,
                processing: variant.processing.and_then(|id| setup.processings.get(&id)).cloned(),
                before: was.shown(),
                after: is.shown(),
                change,
                below_internal: after.below_internal,
            };
            if largest.as_ref().is_none_or(|previous| mover.size() > previous.size()) {
                largest = Some(mover);
            }
        }
        if touched {
            self.tally.touched.push(measured.id);
        }
        let catalogue = &mut self.tally.catalogue;
        catalogue.articles_examined += 1;
        catalogue.articles_touched += u64::from(touched);
        catalogue.articles_appearing += u64::from(appears);
        catalogue.articles_vanishing += u64::from(vanishes);
        catalogue.below_internal_before += u64::from(below[0]);
        catalogue.below_internal_after += u64::from(below[1]);
        catalogue.movers.extend(largest);
        if catalogue.movers.len() >= MOVERS_MAX * 8 {
            catalogue.keep_largest();
        }
    }

    fn note(&mut self, class: usize, moment: usize, touched: &mut bool) {
        *touched = true;
        if let Some(first) = self.tally.changed.get_mut(class) {
            *first = Some(first.map_or(moment, |first| first.min(moment)));
        }
    }

    fn finished(mut self) -> Tally {
        let catalogue = &mut self.tally.catalogue;
        catalogue.keep_largest();
        catalogue.up.count(self.up);
        catalogue.down.count(self.down);
        self.tally
    }
}

impl Mover {
    /// Sort key: a change from a price of zero is the largest.
    fn size(&self) -> (i64, i64) {
        let percent = self.change.percent.map_or(i64::MAX, |percent| percent.millionths().abs());
        (percent, self.change.amount.millionths().abs())
    }
}

impl Catalogue {
    fn keep_largest(&mut self) {
        self.movers.sort_by_key(|mover| (Reverse(mover.size()), mover.article.id));
        self.movers.truncate(MOVERS_MAX);
    }
}

impl Moves {
    fn count(&mut self, mut hundredths: Vec<i64>) {
        hundredths.sort_unstable();
        let percent = |moved: &i64| Decimal::from_millionths(moved * 10_000);
        self.median_percent = hundredths.get(hundredths.len().saturating_sub(1) / 2).map(percent);
        self.largest_percent = hundredths.last().map(percent);
    }
}

#[cfg(test)]
mod tests {
    use super::sampled;

    #[test]
    fn a_sample_has_the_maximum_size_and_is_spread_evenly() {
        let ids: Vec<i64> = (1..=1_000_003).collect();
        for max in [1, 7, 100_000, 1_000_002] {
            let sample = sampled(&ids, max);
            assert_eq!((sample.len(), sample[0]), (max, 1));
            let steps: Vec<i64> = sample.windows(2).map(|pair| pair[1] - pair[0]).collect();
            let bounds = steps.iter().min().zip(steps.iter().max());
            assert!(bounds.is_none_or(|(least, most)| *least > 0 && most - least <= 1), "{max}: {bounds:?}");
        }
        assert_eq!(sampled(&ids, ids.len()), ids);
        assert!(sampled(&[], 7).is_empty());
    }
}
