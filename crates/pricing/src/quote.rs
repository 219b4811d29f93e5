//! Price calculation: a pure function of a compiled book, a cart and a moment. It uses no database, no clock
//! and no floating point.
//!
//! Amounts are exact until they are shown ([`arithmetic`]). Shown amounts are rounded to cents once: each
//! item, and the cart's total. The difference between the shown items and the shown total is reported as
//! rounding; the shown steps of an item add up to its shown total.

mod arithmetic;
pub mod article;
pub(crate) mod audience;
mod base;
pub mod book;
pub mod calculation;
mod chain;
pub mod explain;
mod item;
pub(crate) mod lines;
pub mod load;
pub mod over_time;
pub mod processing;
pub mod request;
mod run;
mod shown;
pub mod shown_warehouses;
pub mod target;
mod tree;
pub(crate) mod trial;

pub use self::chain::refused_field;

#[cfg(test)]
pub(crate) mod tests;

use std::sync::Arc;

use chrono::{Datelike, NaiveDate};
use chrono_tz::Tz;
use values::{Decimal, Instant, Message, Money, Unit, Weekday, local_time_in};

use self::{
    arithmetic::{Arithmetic, decided},
    article::Article,
    base::{BasePrices, Candidates, ListOutcomes, find_base_prices},
    book::Book,
    chain::Chain,
    item::Item,
    run::{Run, Step},
    shown::add_up,
};
use crate::{
    codes,
    exact::{Exact, Ratio},
    price_adjustment::terms::ItemType,
    surcharge_table::surcharges::Month,
};

/// Cart of a buyer, to be priced by the book of one seller.
#[derive(Debug, Clone)]
pub struct Cart {
    /// Buyer; `None` for an anonymous one, to whom only lists and adjustments for all apply.
    pub buyer: Option<Buyer>,
    pub moment: Moment,
    pub lines: Vec<Line>,
}

/// Buyer of a cart.
#[derive(Debug, Clone, Default)]
pub struct Buyer {
    pub tenant: i64,
    /// Groups that the buyer is a member of.
    pub groups: Vec<i64>,
}

/// Point in time, with its date and weekday in the installation's time zone.
#[derive(Debug, Clone, Copy)]
pub struct Moment {
    pub at: Instant,
    pub date: NaiveDate,
    pub weekday: Weekday,
}

impl Moment {
    /// Creates a moment from an instant and a time zone.
    pub fn new(at: Instant, time_zone: Tz) -> Self {
        let date = local_time_in(time_zone, &at).date();
        Self { at, date, weekday: date.weekday().into() }
    }
}

/// Line of a cart.
#[derive(Debug, Clone)]
pub struct Line {
    pub article: Arc<Article>,
    /// Quantity, above zero.
    pub quantity: Decimal,
    pub unit: Unit,
    /// Warehouse to deliver from; `None` for any.
    pub warehouse: Option<i64>,
    pub processings: Vec<Processing>,
}

/// Processing of a line's articles, which is an item of its own.
#[derive(Debug, Clone, Copy)]
pub struct Processing {
    pub id: i64,
    /// Number of operations, such as cuts; above zero.
    pub quantity: Decimal,
    /// Price by pieces, each piece being one operation; `None` for the seller's price.
    pub price: Option<Money>,
}

/// Side that a quote is calculated for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Viewpoint {
    /// Seller, who sees everything.
    Seller,
    /// Buyer, who sees neither the seller's costs nor other customers nor lists and adjustments that do not
    /// apply.
    Buyer,
}

/// Priced cart.
#[derive(Debug)]
pub struct Quote {
    /// Lines in the order of the cart.
    pub lines: Vec<LineQuote>,
    /// Sum of the base prices of all lines that are not refused; `total` is the sum to pay for them.
    pub base: Exact,
    pub total: Exact,
    /// Weight in kg of all articles that have one.
    pub weight: Exact,
    /// Margin; only for the seller, and only if all articles have an internal price.
    pub margin: Option<Margin>,
    viewpoint: Viewpoint,
    record: Option<Record>,
}

/// Priced line, or the reasons why it is refused.
#[derive(Debug)]
pub struct LineQuote {
    /// Reasons why the line has no price; a refused line does not count in the cart.
    pub refused: Vec<Message>,
    /// The article, then its processings; empty if the line is refused.
    pub items: Vec<ItemQuote>,
    /// Warnings about a price that could be calculated, such as a missing surcharge value.
    pub warnings: Vec<Message>,
    base_prices: BasePrices,
    /// Cost of the articles to the seller.
    pub internal: Option<Exact>,
    pub margin: Option<Margin>,
}

/// Priced item: an article or a processing of a line.
#[derive(Debug, Clone, Copy)]
pub struct ItemQuote {
    pub kind: ItemType,
    pub processing: Option<i64>,
    pub base: Exact,
    pub total: Exact,
    /// Weight of the line's article, in kg.
    pub weight: Option<Exact>,
    /// Index among the line's processings; `None` for the article.
    number: Option<usize>,
    /// Index among all priced items of the cart.
    place: usize,
}

/// Difference between a price and the internal price.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Margin {
    pub amount: Exact,
    /// Margin in percent of the price; `None` if the price is zero.
    pub percent: Option<Decimal>,
}

/// Record of a calculation, for its explanation. Lists and links are indexes into the book.
#[derive(Debug)]
struct Record {
    candidates: Candidates,
    list_outcomes: ListOutcomes,
    chain: Chain,
    /// Total of the cart before each link of the chain that has a condition on it.
    before: Vec<Option<Exact>>,
    /// Steps item by item, one for each link; their shown amounts add up.
    steps: Vec<Step>,
    /// Difference that remains between the shown steps and the shown total of each item; empty without links.
    roundings: Vec<Decimal>,
}

impl Record {
    /// Returns the steps of an item, one for each link of the chain.
    fn item_steps(&self, place: usize) -> &[Step] {
        let links = self.chain.links.len();
        self.steps.get(place * links..(place + 1) * links).unwrap_or_default()
    }
}

impl Quote {
    /// Returns the shown total less the sum of all shown item totals.
    pub fn rounding(&self) -> Decimal {
        let items = self
            .lines
            .iter()
            .flat_map(|line| &line.items)
            .map(|item| Exact::from_decimal(item.total.shown()));
        Exact::from_decimal(self.total.shown()).minus(items.sum()).unwrap_or_default().shown()
    }
}

/// Cart before its chain runs, with the base prices of its lines.
struct PreparedCart {
    candidates: Candidates,
    /// Outcomes of the lists, if an explanation is requested.
    list_outcomes: Option<ListOutcomes>,
    lines: Vec<LineQuote>,
    /// Items of the lines that have a base price.
    items: Vec<Item>,
    chain: Chain,
}

impl PreparedCart {
    fn new(book: &Book, cart: &Cart, viewpoint: Viewpoint, explained: bool) -> Self {
        let candidates = Candidates::select(book, cart, viewpoint);
        let mut list_outcomes = explained.then(|| ListOutcomes::new(book, &candidates, cart.lines.len()));
        let mut lines: Vec<LineQuote> = Vec::with_capacity(cart.lines.len());
        let mut items: Vec<Item> = Vec::with_capacity(cart.lines.len());
        // looks up all lines before the first one is priced, so that the processor can load their memory in
        // parallel
        let in_lists: Vec<_> = cart.lines.iter().map(|line| book.in_lists(line.article.id)).collect();
        for (place, (line, in_lists)) in cart.lines.iter().zip(in_lists).enumerate() {
            let base_prices = find_base_prices(book, &candidates, line, in_lists, list_outcomes.as_mut());
            let (refused, line_items) = match items_of(book, place, line, &base_prices) {
                Ok(line_items) => (Vec::new(), line_items),
                Err(refused) => (vec![refused], Vec::new()),
            };
            items.extend(line_items);
            let internal = base_prices.internal.and_then(|internal| Exact::from_ratio(internal.amount));
            let (items, warnings, margin) = (Vec::new(), Vec::new(), None);
            lines.push(LineQuote { refused, items, warnings, base_prices, internal, margin });
        }
        Self { candidates, list_outcomes, lines, items, chain: Chain::select(book, cart) }
    }

    /// Returns the lines that adjustments refuse, and the items of all other lines.
    fn refusals(&self, arithmetic: &impl Arithmetic, book: &Book, cart: &Cart) -> (Refusals, Vec<Item>) {
        let refusals = self.chain.refusals(arithmetic, book, cart, &self.items);
        let is_refused = |item: &&Item| refusals.iter().any(|(line, _)| *line == item.line);
        let items = self.items.iter().filter(|item| !is_refused(item)).copied().collect();
        (refusals, items)
    }

    /// Runs the cart through its chain, without the refused lines.
    fn run(&self, arithmetic: &impl Arithmetic, book: &Book, cart: &Cart, explained: bool) -> ChainResult {
        let (mut refusals, mut items) = self.refusals(arithmetic, book, cart);
        let internal: Vec<_> =
            self.lines.iter().map(|line| Some(line.base_prices.internal.as_ref()?.amount)).collect();
        let mut reruns = 0..RERUNS_MAX;
        loop {
            let run = self.chain.run_with_margins(arithmetic, book, cart, &items, &internal, explained);
            let too_large = match run {
                Ok(run) => return ChainResult { refusals, items, run },
                Err(too_large) => too_large,
            };
            // runs again without these lines: nothing of them counts
            let refused = match reruns.next() {
                Some(_) => too_large,
                None => items.iter().map(|item| item.line).collect(),
            };
            refusals.extend(refused.iter().map(|line| (*line, codes::AMOUNT_TOO_LARGE.into())));
            items.retain(|item| !refused.contains(&item.line));
        }
    }
}

/// Refused lines with their reasons.
type Refusals = Vec<(usize, Message)>;

/// Result of running a cart through its chain.
struct ChainResult {
    refusals: Refusals,
    /// Items that ran through the chain.
    items: Vec<Item>,
    run: Run,
}

/// Maximum number of reruns of a cart because of amounts that are too large. After that all its lines are
/// refused.
const RERUNS_MAX: usize = 3;

/// Prices a cart. With `explained`, the quote also records what [`explain`] needs.
pub fn quote(book: &Book, cart: &Cart, viewpoint: Viewpoint, explained: bool) -> Quote {
    let prepared_cart = PreparedCart::new(book, cart, viewpoint, explained);
    let ChainResult { refusals, items, run } = decided(
        |bounded| prepared_cart.run(bounded, book, cart, explained),
        |fractions| prepared_cart.run(fractions, book, cart, explained),
    );
    let PreparedCart { candidates, list_outcomes, mut lines, chain, .. } = prepared_cart;
    for (line, refused) in refusals {
        if let Some(line) = lines.get_mut(line) {
            line.refused.push(refused);
        }
    }
    for (place, (item, paid)) in items.iter().zip(&run.items).enumerate() {
        let processing = cart.lines.get(item.line).zip(item.processing);
        let processing = processing.and_then(|(line, number)| line.processings.get(number));
        if let Some(line) = lines.get_mut(item.line) {
            line.items.push(ItemQuote {
                kind: item.kind(),
                processing: processing.map(|processing| processing.id),
                number: item.processing,
                base: paid.base,
                total: paid.total,
                weight: paid.weight,
                place,
            });
        }
    }
    let mut lacking: Vec<(usize, usize)> =
        run.lacking.iter().filter_map(|(item, link)| Some((items.get(*item)?.line, *link))).collect();
    lacking.dedup();
    for (line, link) in lacking {
        if let (Some(line), Some(link)) = (lines.get_mut(line), book.links.get(link)) {
            let month = Month::from_date(cart.moment.date).to_string();
            line.warnings
                .push(codes::NO_SURCHARGE_VALUE.with("name", &link.adjustment.name).with("month", month));
        }
    }
    let mut quote = Quote {
        base: run.base,
        total: run.total,
        weight: run.weight,
        margin: None,
        lines,
        viewpoint,
        record: None,
    };
    if viewpoint == Viewpoint::Seller {
        quote.margin = run.margin;
        for (line, margin) in &run.margins {
            if let Some(line) = quote.lines.get_mut(*line) {
                line.margin = Some(*margin);
            }
        }
    }
    if let Some(list_outcomes) = list_outcomes {
        let Run { before, mut steps, .. } = run;
        let of_items = steps.chunks_mut(chain.links.len().max(1)).zip(&run.items);
        let roundings = of_items
            .map(|(steps, paid)| add_up(paid.base, steps, |step| &mut step.amount, paid.total))
            .collect();
        quote.record = Some(Record { candidates, list_outcomes, chain, before, steps, roundings });
    }
    quote
}

/// Returns the items of a line: its article and its processings.
fn items_of(book: &Book, place: usize, line: &Line, base_prices: &BasePrices) -> Result<Vec<Item>, Message> {
    let quantity = Ratio::from_decimal(line.quantity).unwrap_or(Ratio::ZERO);
    let base = match base_prices.base {
        Ok(base) => base.amount,
        Err(refused) => return Err(refused.message(&line.article)),
    };
    let weight =
        line.article.convert(quantity, line.unit, Unit::Kilogram).filter(|weight| weight.is_amount());
    let mut items = Vec::with_capacity(1 + line.processings.len());
    items.push(Item { line: place, processing: None, base, weight, quantity, unit: line.unit });
    for (number, processing) in line.processings.iter().enumerate() {
        let processing_price = book.processing_prices.find(&line.article, processing);
        let processing_price =
            processing_price.ok_or_else(|| codes::NO_PROCESSING_PRICE.with("number", number + 1))?;
        let quantity = Ratio::from_decimal(processing.quantity).unwrap_or(Ratio::ZERO);
        let base = base::amount(quantity, &processing_price.price).ok_or(codes::AMOUNT_TOO_LARGE)?;
        items.push(Item { line: place, processing: Some(number), base, weight, quantity, unit: Unit::Piece });
    }
    Ok(items)
}
