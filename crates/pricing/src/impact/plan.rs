//! Carts that are compared for each article: at the moments and in the quantities that the conditions,
//! periods and tables of a change name. They are generated in the same way as those for findings.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use chrono::{NaiveTime, TimeZone};
use values::{Decimal, Instant, Money, Unit};

use super::{ExaminedCarts, ExaminedQuantity};
use crate::{
    condition::ConditionType,
    findings::generated_carts::{
        CartAmount, CartSources, CartValues, PROCESSING_PRICE, SoldArticle, TRUCKLOAD, pick_digit,
        spread_from,
    },
    price_adjustment::terms::{Adjustment, Value},
    price_list::PriceList,
    quote::{
        Line, Processing,
        book::{Book, BookDifference},
        calculation::Calculation,
    },
    surcharge_table::surcharges::Month,
};

/// Maximum number of carts of one article. If there are more, each article gets a different selection.
pub(super) const EACH_MAX: usize = 240;
/// Maximum number of moments.
const MOMENTS_MAX: usize = 16;
/// Maximum number of beginnings and ends of unchanged lists.
const OTHER_LISTS_MAX: usize = 6;
/// Maximum number of combinations of moment, quantity, warehouse and processing for one article and one
/// customer.
const VARIANTS_MAX: usize = 240;
/// Maximum number of processings.
const PROCESSINGS_MAX: usize = 8;
/// Maximum number of quantity breaks of an article.
const BREAKS_MAX: usize = 6;

/// Moments and quantities in which articles are compared.
#[derive(Debug)]
pub(super) struct Plan {
    /// Moments of the comparison; the first one is the default.
    pub(super) moments: Vec<Instant>,
    variants: Vec<Variant>,
    /// True if the quantity breaks of changed lists are compared.
    has_breaks: bool,
    /// Processings for which the seller has a price; the others get a made-up price.
    priced: BTreeSet<i64>,
    is_complete: bool,
}

/// Variant of the cart in which an article is bought.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Variant {
    /// Index among the moments.
    pub(super) moment: usize,
    pub(super) amount: CartAmount,
    warehouse: Option<i64>,
    pub(super) processing: Option<i64>,
    /// True if the cart also has a truckload of another article.
    pub(super) is_accompanied: bool,
}

impl Variant {
    fn plain(moment: usize, amount: CartAmount) -> Self {
        Self { moment, amount, warehouse: None, processing: None, is_accompanied: false }
    }
}

/// Change, with the calculation at its first moment.
struct PlannedChange<'c> {
    books: [&'c Book; 2],
    calculation: &'c Calculation,
    difference: &'c BookDifference,
    /// Derives moments and quantities from conditions.
    sources: CartSources,
}

impl Plan {
    /// Plans the carts. `calculation` has the first moment as the current one. With `only_then`, no other
    /// moment is compared.
    pub(super) fn new(
        books: [&Book; 2],
        calculation: &Calculation,
        difference: &BookDifference,
        only_then: bool,
    ) -> Self {
        let priced: BTreeSet<i64> = books.iter().flat_map(|book| book.priced_processings()).collect();
        let sources = CartSources {
            articles: BTreeMap::new(),
            others: Vec::new(),
            buyers: HashMap::new(),
            processings: priced.clone(),
            calculation: calculation.clone(),
        };
        let change = PlannedChange { books, calculation, difference, sources };
        let (moments, all_moments) = if only_then { (vec![calculation.now], true) } else { change.moments() };
        let (variants, all_variants) = change.variants(&moments);
        let has_breaks = !(difference.lists.is_empty() && difference.articles.is_empty());
        Self { moments, variants, has_breaks, priced, is_complete: all_moments && all_variants }
    }

    /// Variants of the carts of an article with these quantity breaks, without duplicates.
    pub(super) fn variants_of(&self, breaks: &[(Decimal, Unit)]) -> Vec<Variant> {
        let step = breaks.len().div_ceil(BREAKS_MAX).max(1);
        let amounts =
            breaks.iter().step_by(step).map(|(quantity, unit)| CartAmount::Exactly(*quantity, *unit));
        let amounts: Vec<CartAmount> = amounts.filter(|_| self.has_breaks).collect();
        let at_breaks = (0..self.moments.len())
            .flat_map(|moment| amounts.iter().map(move |amount| Variant::plain(moment, *amount)));
        self.variants.iter().copied().chain(at_breaks).collect()
    }

    /// Estimated number of carts of an article for a number of groups of customers.
    pub(super) fn carts_each(&self, groups: usize) -> usize {
        let breaks = if self.has_breaks { BREAKS_MAX.min(2) * self.moments.len() } else { 0 };
        (groups * (self.variants.len() + breaks)).min(EACH_MAX)
    }

    pub(super) fn processings(&self) -> impl Iterator<Item = i64> {
        self.variants.iter().filter_map(|variant| variant.processing)
    }

    pub(super) fn needs_companion(&self) -> bool {
        self.variants.iter().any(|variant| variant.is_accompanied)
    }

    pub(super) fn line(&self, variant: &Variant, sold: &SoldArticle, quantity: Decimal, unit: Unit) -> Line {
        let made_up = Money { price: PROCESSING_PRICE, price_quantity: Decimal::ONE, unit: Unit::Piece };
        let processing = |id: i64| Processing {
            id,
            quantity: Decimal::ONE,
            price: (!self.priced.contains(&id)).then_some(made_up),
        };
        let (warehouse, processings) = (variant.warehouse, variant.processing.map(processing));
        let processings = processings.into_iter().collect();
        Line { article: sold.article.clone(), quantity, unit, warehouse, processings }
    }

    pub(super) fn examined(&self, groups: usize, carts: u64, is_complete: bool) -> ExaminedCarts {
        let mut quantities: Vec<ExaminedQuantity> = Vec::new();
        let variant_quantities = self.variants.iter().map(|variant| match variant.amount {
            CartAmount::One => ExaminedQuantity::PriceUnit,
            CartAmount::Truckload => ExaminedQuantity::Exactly(TRUCKLOAD, Unit::Tonne),
            CartAmount::Exactly(quantity, unit) => ExaminedQuantity::Exactly(quantity, unit),
            CartAmount::Number(subject, value, unit, _) => {
                let is_weight = matches!(subject, ConditionType::CartWeight | ConditionType::ItemWeight);
                ExaminedQuantity::Around(value, unit.or(is_weight.then_some(Unit::Kilogram)))
            }
        });
        for quantity in variant_quantities.chain(self.has_breaks.then_some(ExaminedQuantity::Breaks)) {
            if !quantities.contains(&quantity) {
                quantities.push(quantity);
            }
        }
        ExaminedCarts {
            carts,
            moments: self.moments.clone(),
            quantities,
            customer_groups: groups as u64,
            complete: is_complete && self.is_complete,
        }
    }
}

/// Picks some or all of `in_all` numbers, a different selection for each article.
pub(super) fn select_variants(article: usize, in_all: usize) -> Box<dyn Iterator<Item = usize>> {
    spread_from(article.wrapping_mul(EACH_MAX), in_all, EACH_MAX)
}

impl PlannedChange<'_> {
    /// Versions of each changed adjustment: before and after.
    fn adjustments(&self) -> impl Iterator<Item = Vec<&Adjustment>> {
        let versions = |id: &i64| self.books.into_iter().filter_map(|book| adjustment(book, *id)).collect();
        self.difference.adjustments.iter().map(versions)
    }

    fn parts(&self, versions: &[&Adjustment]) -> CartValues {
        let mut parts = self.sources.parts(versions);
        let bounds = versions.iter().filter_map(|adjustment| adjustment.purchase_constraints);
        for bounds in bounds {
            let numbers =
                [bounds.min_quantity, bounds.max_quantity, bounds.multiple_of].into_iter().flatten();
            let numbers = numbers.map(|number| (ConditionType::ItemQuantity, number, Some(bounds.unit)));
            parts.numbers.extend(numbers);
        }
        parts
    }

    /// Returns the moments at which anything can differ, the first one being that of the calculation; and
    /// true if they are complete.
    fn moments(&self) -> (Vec<Instant>, bool) {
        let now = self.calculation.now;
        let mut further: BTreeSet<Instant> = BTreeSet::new();
        for versions in self.adjustments() {
            further.extend(self.parts(&versions).moments);
            if let [was, is] = versions[..] {
                further.extend(differing_bounds(
                    was.valid_from,
                    was.valid_until,
                    is.valid_from,
                    is.valid_until,
                ));
                further.extend(self.months(&was.value, &is.value));
            }
        }
        for id in &self.difference.lists {
            let [was, is] = self.books.map(|book| book.list(*id).map(|list| &list.head));
            if let (Some(was), Some(is)) = (was, is) {
                let ends = differing_bounds(
                    Some(was.valid_from),
                    was.valid_until,
                    Some(is.valid_from),
                    is.valid_until,
                );
                further.extend(ends);
            }
        }
        further.extend(self.ends_of_other_lists());
        further.retain(|at| *at > now);
        let covers_all = further.len() < MOMENTS_MAX;
        (std::iter::once(now).chain(further).take(MOMENTS_MAX).collect(), covers_all)
    }

    /// Returns the beginnings and ends of other lists while a changed list is in effect: its precedence may
    /// differ then.
    fn ends_of_other_lists(&self) -> BTreeSet<Instant> {
        let changed = |head: &&PriceList| self.difference.lists.contains(&head.id);
        let lists = || self.books.into_iter().flat_map(|book| book.lists().map(|list| &list.head));
        let holds = |at: &Instant| {
            lists()
                .filter(changed)
                .any(|head| head.valid_from <= *at && head.valid_until.is_none_or(|until| *at < until))
        };
        let others = lists().filter(|head| !changed(head));
        let ends = others.flat_map(|head| std::iter::once(head.valid_from).chain(head.valid_until));
        let ends: BTreeSet<Instant> = ends.filter(|at| *at > self.calculation.now && holds(at)).collect();
        ends.into_iter().take(OTHER_LISTS_MAX).collect()
    }

    /// Returns the beginnings of the months for which two values differ.
    fn months(&self, was: &Value, is: &Value) -> Vec<Instant> {
        let (Value::OfTable(was), Value::OfTable(is)) = (was, is) else { return Vec::new() };
        let this = Month::from_date(self.calculation.moment(None).date);
        let months = was.months_other_than(is).into_iter().filter(|month| *month > this);
        let noon = |month: Month| {
            let noon = month.first_day()?.and_time(NaiveTime::from_hms_opt(12, 0, 0)?);
            self.calculation.time_zone().from_local_datetime(&noon).earliest().map(|noon| noon.to_utc())
        };
        months.filter_map(noon).collect()
    }

    /// Returns the variants of a cart, and true if they are complete.
    fn variants(&self, moments: &[Instant]) -> (Vec<Variant>, bool) {
        let BookDifference { adjustments, lists, articles, processings, .. } = self.difference;
        let mut variants: Vec<Variant> = Vec::new();
        let mut add = |variant: Variant| {
            if !variants.contains(&variant) {
                variants.push(variant);
            }
        };
        let mut covers_all = true;
        let of_prices = !(lists.is_empty() && articles.is_empty());
        if of_prices || !adjustments.is_empty() || processings.is_empty() {
            for moment in 0..if of_prices { moments.len() } else { 1 } {
                for amount in [CartAmount::One, CartAmount::Truckload] {
                    add(Variant::plain(moment, amount));
                }
            }
        }
        for processing in processings.iter().take(PROCESSINGS_MAX) {
            add(Variant { processing: Some(*processing), ..Variant::plain(0, CartAmount::One) });
        }
        covers_all &= processings.len() <= PROCESSINGS_MAX;
        let each = VARIANTS_MAX / adjustments.len().max(1);
        for (number, versions) in self.adjustments().enumerate() {
            let parts = self.parts(&versions);
            // the months of a table are only compared for the adjustments that use it
            let at: Vec<usize> = (0..moments.len())
                .filter(|moment| {
                    let at = moments.get(*moment);
                    *moment == 0
                        || at.is_some_and(|at| parts.moments.contains(at))
                        || self.is_of(&versions, at)
                })
                .collect();
            let (amounts, companions) = (parts.amounts(), 1 + usize::from(parts.accompanied));
            let in_all =
                at.len() * amounts.len() * parts.warehouses.len() * parts.processings.len() * companions;
            covers_all &= in_all <= each;
            let build_variant = |mut number: usize| {
                Some(Variant {
                    moment: *pick_digit(&mut number, &at)?,
                    amount: *pick_digit(&mut number, &amounts)?,
                    warehouse: *pick_digit(&mut number, &parts.warehouses)?,
                    processing: *pick_digit(&mut number, &parts.processings)?,
                    is_accompanied: number % companions == 1,
                })
            };
            spread_from(number * each, in_all, each.max(1)).filter_map(build_variant).for_each(&mut add);
        }
        covers_all &= variants.len() <= VARIANTS_MAX;
        variants.truncate(VARIANTS_MAX);
        (variants, covers_all)
    }

    /// True if these versions of an adjustment begin, end or change their value at a moment.
    fn is_of(&self, versions: &[&Adjustment], at: Option<&Instant>) -> bool {
        let [was, is] = *versions else { return false };
        let ends = differing_bounds(was.valid_from, was.valid_until, is.valid_from, is.valid_until);
        at.is_some_and(|at| ends.contains(at) || self.months(&was.value, &is.value).contains(at))
    }
}

fn adjustment(book: &Book, id: i64) -> Option<&Adjustment> {
    book.adjustments().find(|adjustment| adjustment.id == id)
}

/// Returns the beginnings and ends of two periods where they differ.
fn differing_bounds(
    was_from: Option<Instant>,
    was_until: Option<Instant>,
    is_from: Option<Instant>,
    is_until: Option<Instant>,
) -> Vec<Instant> {
    let differing = |was: Option<Instant>, is: Option<Instant>| if was == is { [None; 2] } else { [was, is] };
    differing(was_from, is_from).into_iter().chain(differing(was_until, is_until)).flatten().collect()
}
