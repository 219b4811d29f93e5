//! Generated carts for the analysis: the articles, buyers, days and warehouses that adjustments name, with
//! amounts at, just below and just above each number.

use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    sync::Arc,
};

use chrono::{Days, NaiveDate, NaiveTime, TimeZone};
use values::{Decimal, Instant, Money, Unit};

use crate::{
    condition::{ConditionType, ExpectedValue},
    exact::Ratio,
    price_adjustment::terms::{Adjustment, ApplyTo, ItemType},
    quote::{
        Buyer, Cart, Line, Processing, Viewpoint, article::Article, book::Book, calculation::Calculation,
        quote,
    },
};

/// Maximum number of carts for one adjustment, or for a pair.
const EACH_MAX: usize = 160;
/// Maximum number of records of a kind in the carts for one adjustment.
const RECORDS_MAX: usize = 3;
/// Price of a processing in a generated cart.
pub(crate) const PROCESSING_PRICE: Decimal = Decimal::from_millionths(10_000_000);
pub(crate) const TRUCKLOAD: Decimal = Decimal::from_millionths(25_000_000);
/// Distance of "just below" and "just above" from a number.
const STEP: Decimal = Decimal::from_millionths(1_000);

/// Records from which carts are generated.
pub(crate) struct CartSources {
    /// Articles that adjustments name, and one that fits each type, category and material.
    pub(crate) articles: BTreeMap<i64, SoldArticle>,
    /// Articles that no adjustment names.
    pub(crate) others: Vec<i64>,
    /// Buyers that adjustments name, and one of each group, with their groups.
    pub(crate) buyers: HashMap<i64, Vec<i64>>,
    pub(crate) processings: BTreeSet<i64>,
    pub(crate) calculation: Calculation,
}

/// Article in the form in which carts need it.
#[derive(Debug, Clone)]
pub(crate) struct SoldArticle {
    pub(crate) article: Arc<Article>,
    /// Price unit of the article, if quantities can be converted into it; otherwise the listing unit.
    pub(crate) unit: Unit,
}

/// Values from which the carts for some adjustments are generated.
#[derive(Debug, Default)]
pub(crate) struct CartValues {
    articles: Vec<i64>,
    buyers: Vec<Option<i64>>,
    pub(crate) moments: Vec<Instant>,
    pub(crate) warehouses: Vec<Option<i64>>,
    pub(crate) processings: Vec<Option<i64>>,
    /// Numbers in comparisons of an item or a cart.
    pub(crate) numbers: Vec<(ConditionType, Decimal, Option<Unit>)>,
    /// True if conditions on the cart are combined with those on an item: then some carts have a second line.
    pub(crate) accompanied: bool,
}

/// Quantity of an article in a generated cart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CartAmount {
    One,
    Truckload,
    Exactly(Decimal, Unit),
    /// Quantity at a number, or a step below or above.
    Number(ConditionType, Decimal, Option<Unit>, i8),
}

impl CartValues {
    pub(crate) fn amounts(&self) -> Vec<CartAmount> {
        let around = |(subject, value, unit): &(ConditionType, Decimal, Option<Unit>)| {
            [0, -1, 1].map(|side| CartAmount::Number(*subject, *value, *unit, side))
        };
        [CartAmount::One, CartAmount::Truckload]
            .into_iter()
            .chain(self.numbers.iter().flat_map(around))
            .collect()
    }
}

/// Picks a value by the last digit of a mixed-radix number, and removes that digit.
pub(crate) fn pick_digit<'t, T>(number: &mut usize, choices: &'t [T]) -> Option<&'t T> {
    let place = number.checked_rem(choices.len())?;
    *number /= choices.len();
    choices.get(place)
}

impl CartSources {
    /// Generates carts to which these adjustments may apply, lazily; `None` if an article has no price or
    /// cannot be counted in the unit.
    pub(crate) fn carts<'s>(
        &'s self,
        book: &'s Book,
        adjustments: &[&Adjustment],
    ) -> impl Iterator<Item = Option<Cart>> + use<'s> {
        let parts = self.parts(adjustments);
        let amounts = parts.amounts();
        let companions = if parts.accompanied {
            self.companion().map_or(vec![None], |one| vec![None, Some(one)])
        } else {
            vec![None]
        };
        let in_all = parts.articles.len() * parts.buyers.len() * parts.moments.len() * amounts.len();
        let in_all = in_all * parts.warehouses.len() * parts.processings.len() * companions.len();
        spread(in_all, EACH_MAX).map(move |mut number| {
            let article = self.articles.get(pick_digit(&mut number, &parts.articles)?)?;
            let buyer = pick_digit(&mut number, &parts.buyers)?;
            let bare = self.cart(*buyer, *pick_digit(&mut number, &parts.moments)?, Vec::new());
            let (quantity, unit) = amount(book, article, &bare, pick_digit(&mut number, &amounts)?)?;
            let (warehouse, processing) =
                (pick_digit(&mut number, &parts.warehouses)?, pick_digit(&mut number, &parts.processings)?);
            let companion = pick_digit(&mut number, &companions)?.clone();
            let line = line(article, quantity, unit, *warehouse, *processing);
            Some(Cart { lines: std::iter::once(line).chain(companion).collect(), ..bare })
        })
    }

    fn cart(&self, buyer: Option<i64>, at: Instant, lines: Vec<Line>) -> Cart {
        let buyer = buyer
            .map(|tenant| Buyer { tenant, groups: self.buyers.get(&tenant).cloned().unwrap_or_default() });
        Cart { buyer, moment: self.calculation.moment(Some(at)), lines }
    }

    /// A truckload of another article.
    pub(crate) fn companion(&self) -> Option<Line> {
        let article = self.others.first().and_then(|other| self.articles.get(other))?;
        Some(line(article, TRUCKLOAD, Unit::Tonne, None, None))
    }

    pub(crate) fn parts(&self, adjustments: &[&Adjustment]) -> CartValues {
        let mut parts = CartValues {
            buyers: vec![None],
            moments: vec![self.calculation.now],
            warehouses: vec![None],
            processings: vec![None],
            ..CartValues::default()
        };
        let mut named_ids: BTreeMap<ConditionType, BTreeSet<i64>> = BTreeMap::new();
        let (mut tests_cart, mut tests_items) = (false, false);
        for adjustment in adjustments {
            let to_articles = matches!(adjustment.apply_to, ApplyTo::Item { .. });
            tests_items |= to_articles;
            for (subject, ids) in named_records(adjustment) {
                named_ids.entry(subject).or_default().extend(ids);
            }
            if let ApplyTo::ItemType { item_types } = &adjustment.apply_to
                && !item_types.contains(&ItemType::Article)
            {
                parts.processings.extend(self.processings.first().copied().map(Some));
            }
            parts.moments.extend(adjustment.valid_from.filter(|from| *from > self.calculation.now));
            for (_, test) in adjustment.conditions.iter().flat_map(|tree| tree.tests("")) {
                match &test.expected {
                    ExpectedValue::Number { value, unit, .. } => {
                        let of_whole = matches!(
                            test.subject,
                            ConditionType::CartWeight
                                | ConditionType::CartBasePrice
                                | ConditionType::AdjustedCartTotal
                        );
                        tests_cart |= of_whole;
                        tests_items |= !of_whole;
                        parts.numbers.push((test.subject, *value, *unit));
                    }
                    ExpectedValue::OneOf { .. } => tests_items = true,
                    ExpectedValue::Weekday { .. } => {
                        let today = self.calculation.moment(None).date;
                        parts
                            .moments
                            .extend(today.iter_days().skip(1).take(6).filter_map(|day| self.noon(day)));
                    }
                    ExpectedValue::Date { value, .. } => {
                        let days = [
                            value.checked_sub_days(Days::new(1)),
                            Some(*value),
                            value.checked_add_days(Days::new(1)),
                        ];
                        let days = days.into_iter().flatten().filter_map(|day| self.noon(day));
                        parts.moments.extend(days.filter(|at| *at > self.calculation.now));
                    }
                }
            }
        }
        parts.accompanied = tests_cart && tests_items;
        self.add_records(&mut parts, &named_ids);
        parts
    }

    /// Noon of a day, in the installation's time zone.
    fn noon(&self, day: NaiveDate) -> Option<Instant> {
        let noon = day.and_time(NaiveTime::from_hms_opt(12, 0, 0)?);
        self.calculation.time_zone().from_local_datetime(&noon).earliest().map(|noon| noon.to_utc())
    }

    fn add_records(&self, parts: &mut CartValues, named_ids: &BTreeMap<ConditionType, BTreeSet<i64>>) {
        let ids_of = |subject: ConditionType| named_ids.get(&subject).into_iter().flatten().copied();
        let fits = |subject: ConditionType, id: i64| {
            self.articles.iter().filter(move |(_, sold)| is_named(subject, id, sold))
        };
        parts.articles.extend(
            ids_of(ConditionType::Article).filter(|id| self.articles.contains_key(id)).take(RECORDS_MAX),
        );
        for subject in [ConditionType::ArticleType, ConditionType::Category, ConditionType::Material] {
            for id in ids_of(subject).take(RECORDS_MAX) {
                parts.articles.extend(fits(subject, id).map(|(article, _)| *article).next());
            }
        }
        // first the article that fits most of what is named: two adjustments that name different things may
        // both apply to it
        let fitting = |id: &i64| {
            let sold = self.articles.get(id);
            sold.map_or(0, |sold| {
                let fits = |subject, ids: &BTreeSet<i64>| ids.iter().any(|id| is_named(subject, *id, sold));
                named_ids.iter().filter(|(subject, ids)| fits(**subject, ids)).count()
            })
        };
        let best = self.articles.keys().copied().max_by_key(|id| (fitting(id), std::cmp::Reverse(*id)));
        parts.articles.splice(0..0, best.filter(|id| fitting(id) > 1));
        parts.articles.extend(self.others.iter().take(2));
        let mut seen = BTreeSet::new();
        parts.articles.retain(|article| seen.insert(*article));
        parts.buyers.extend(ids_of(ConditionType::Tenant).take(RECORDS_MAX).map(Some));
        // of each group, the buyer that is in most of the groups: adjustments for two groups may both apply
        // to it
        let groups: BTreeSet<i64> = ids_of(ConditionType::TenantGroup).take(RECORDS_MAX).collect();
        let shared = |member: &[i64]| member.iter().filter(|group| groups.contains(group)).count();
        for group in &groups {
            let members = self.buyers.iter().filter(|(_, member)| member.contains(group));
            let most = members.max_by_key(|(buyer, member)| (shared(member), std::cmp::Reverse(**buyer)));
            let buyer = most.map(|(buyer, _)| Some(*buyer));
            parts.buyers.extend(buyer.filter(|buyer| !parts.buyers.contains(buyer)));
        }
        parts.warehouses.extend(ids_of(ConditionType::Warehouse).take(RECORDS_MAX).map(Some));
        parts.processings.extend(ids_of(ConditionType::Processing).take(RECORDS_MAX).map(Some));
    }
}

/// True if an article is the named one, or of the named type, category or material.
fn is_named(subject: ConditionType, id: i64, sold: &SoldArticle) -> bool {
    match subject {
        ConditionType::Article => sold.article.id == id,
        ConditionType::ArticleType => sold.article.article_type_id == id,
        ConditionType::Category => sold.article.categories.contains(&id),
        ConditionType::Material => sold.article.material_id == Some(id),
        _ => false,
    }
}

/// Returns the records that an adjustment names, in its conditions or outside them.
pub(crate) fn named_records(adjustment: &Adjustment) -> Vec<(ConditionType, BTreeSet<i64>)> {
    let mut records = vec![
        (
            ConditionType::Tenant,
            adjustment
                .tenant_ids
                .iter()
                .chain(&adjustment.excluded_tenant_ids)
                .map(|tenant| i64::from(*tenant))
                .collect(),
        ),
        (ConditionType::TenantGroup, adjustment.tenant_group_ids.iter().copied().collect()),
    ];
    if let ApplyTo::Item { articles, article_types, categories, materials } = &adjustment.apply_to {
        for (subject, ids) in [
            (ConditionType::Article, articles),
            (ConditionType::ArticleType, article_types),
            (ConditionType::Category, categories),
            (ConditionType::Material, materials),
        ] {
            records.push((subject, ids.iter().copied().collect()));
        }
    }
    records.extend(adjustment.conditions.iter().flat_map(crate::condition::Condition::references));
    records
}

fn line(
    sold: &SoldArticle,
    quantity: Decimal,
    unit: Unit,
    warehouse: Option<i64>,
    processing: Option<i64>,
) -> Line {
    let price = Money { price: PROCESSING_PRICE, price_quantity: Decimal::ONE, unit: Unit::Piece };
    let processing = processing.map(|id| Processing { id, quantity: Decimal::ONE, price: Some(price) });
    let processings = processing.into_iter().collect();
    Line { article: sold.article.clone(), quantity, unit, warehouse, processings }
}

/// Returns a quantity of an article that is at a number, just below or just above it; `None` if the article
/// cannot be counted in the unit, or has no price.
pub(crate) fn amount(
    book: &Book,
    sold: &SoldArticle,
    bare: &Cart,
    amount: &CartAmount,
) -> Option<(Decimal, Unit)> {
    let (at, unit, side) = match *amount {
        CartAmount::One => return Some((Decimal::ONE, sold.unit)),
        CartAmount::Truckload => (TRUCKLOAD, Unit::Tonne, 0),
        CartAmount::Exactly(quantity, unit) => (quantity, unit, 0),
        CartAmount::Number(ConditionType::ItemQuantity, value, unit, side) => (value, unit?, side),
        CartAmount::Number(ConditionType::CartWeight | ConditionType::ItemWeight, value, unit, side) => {
            (value, unit.unwrap_or(Unit::Kilogram), side)
        }
        // the quantity that costs about this amount, calculated again with the price of that quantity
        CartAmount::Number(_, value, _, side) => {
            let first = worth(book, sold, bare, value, Decimal::ONE)?;
            (worth(book, sold, bare, value, first).unwrap_or(first), sold.unit, side)
        }
    };
    let step = if unit == Unit::Piece { Decimal::ONE } else { STEP };
    let quantity = Decimal::from_millionths(at.millionths() + i64::from(side) * step.millionths());
    let counted =
        Ratio::from_decimal(quantity).and_then(|quantity| sold.article.convert(quantity, unit, sold.unit));
    (quantity > Decimal::ZERO && counted.is_some()).then_some((quantity, unit))
}

/// Returns the quantity of an article that is worth an amount, at the price for `quantity`.
fn worth(book: &Book, sold: &SoldArticle, bare: &Cart, value: Decimal, quantity: Decimal) -> Option<Decimal> {
    let cart = Cart { lines: vec![line(sold, quantity, sold.unit, None, None)], ..bare.clone() };
    let worth = Ratio::from_decimal(quote(book, &cart, Viewpoint::Buyer, false).base.to_decimal())?;
    let each = worth.over(Ratio::from_decimal(quantity)?)?;
    let places = if sold.unit == Unit::Piece { 0 } else { 3 };
    let enough = Ratio::from_decimal(value)?.over(each)?.to_decimal()?.rounded(places);
    (enough > Decimal::ZERO).then_some(enough)
}

/// Returns at most `most` numbers below `in_all` without duplicates, spread so that all combinations are
/// reached early.
fn spread(in_all: usize, most: usize) -> Box<dyn Iterator<Item = usize>> {
    spread_from(0, in_all, most)
}

/// Like [`spread`], but from a start: a caller that continues at the end of a previous call gets other
/// numbers.
pub(crate) fn spread_from(start: usize, in_all: usize, most: usize) -> Box<dyn Iterator<Item = usize>> {
    if in_all <= most {
        return Box::new(0..in_all);
    }
    let common = |mut a: usize, mut b: usize| {
        while b != 0 {
            (a, b) = (b, a % b);
        }
        a
    };
    // a stride near the golden section, coprime to the count: no number is repeated
    let stride = (in_all * 8 / 13..in_all).find(|stride| common(*stride, in_all) == 1).unwrap_or(1);
    let start = start % in_all;
    Box::new((start..start + most).map(move |number| number * stride % in_all))
}
