//! The price calculation: a pure function of a compiled book, a cart and a moment. No database, no clock, no float.
//!
//! Amounts are exact until they are shown ([`arithmetic`]); what is shown is rounded to cents once: each item, and the cart's total.
//! What the shown items lack of the shown total stands beside them as rounding; the shown steps of an item add up to it.

mod arithmetic;
pub mod article;
pub mod ask;
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
mod run;
mod shown;
pub mod shown_warehouses;
pub mod target;
mod tree;
pub(crate) mod trial;
pub(crate) mod whom;

pub use self::chain::refused_field;

#[cfg(test)]
pub(crate) mod tests;

use std::sync::Arc;

use chrono::{Datelike, NaiveDate};
use chrono_tz::Tz;
use kernel::{Code, Decimal, Instant, Message, Money, Unit, Weekday, shown_in};

use self::{
    arithmetic::{Arithmetic, decided},
    article::Article,
    base::{Candidates, Found, found},
    book::Book,
    chain::Chain,
    item::Item,
    run::{Run, Step},
};
use crate::{
    exact::{Exact, Ratio},
    price_adjustment::terms::ItemType,
    surcharge_table::surcharges::Month,
};

/// What somebody wants to buy of the book's seller.
#[derive(Debug, Clone)]
pub struct Cart {
    /// None: anybody. Then only what is for all applies.
    pub buyer: Option<Buyer>,
    pub moment: Moment,
    pub lines: Vec<Line>,
}

/// Who buys.
#[derive(Debug, Clone, Default)]
pub struct Buyer {
    pub tenant: i64,
    /// The groups that the buyer is in.
    pub groups: Vec<i64>,
}

/// A moment, and what calendars of the installation show then.
#[derive(Debug, Clone, Copy)]
pub struct Moment {
    pub at: Instant,
    pub date: NaiveDate,
    pub weekday: Weekday,
}

impl Moment {
    pub fn new(at: Instant, time_zone: Tz) -> Self {
        let date = shown_in(time_zone, &at).date();
        Self { at, date, weekday: date.weekday().into() }
    }
}

/// A line of a cart.
#[derive(Debug, Clone)]
pub struct Line {
    pub article: Arc<Article>,
    /// Above zero.
    pub quantity: Decimal,
    pub unit: Unit,
    /// Whence it is to come; none: from anywhere.
    pub warehouse: Option<i64>,
    pub processings: Vec<Processing>,
}

/// What is done to the articles of a line: an item of its own.
#[derive(Debug, Clone, Copy)]
pub struct Processing {
    pub id: i64,
    /// How often, as cuts; above zero.
    pub quantity: Decimal,
    /// For pieces, that is for how often it is done; none: what the seller asks for it.
    pub price: Option<Money>,
}

/// Who looks at the result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sight {
    /// Everything.
    Seller,
    /// Nothing of what it costs the seller, of other customers, and of what does not apply.
    Buyer,
}

/// What a cart costs.
#[derive(Debug)]
pub struct Quote {
    /// As those of the cart.
    pub lines: Vec<LineQuote>,
    /// Of all lines that are not refused: the base prices, and what is paid.
    pub base: Exact,
    pub total: Exact,
    /// Of those that have a weight, in kg.
    pub weight: Exact,
    /// For the seller, where all articles have an internal price.
    pub margin: Option<Margin>,
    sight: Sight,
    record: Option<Record>,
}

/// What a line costs, or why it is refused.
#[derive(Debug)]
pub struct LineQuote {
    /// Why it has no price; what is refused is no part of the cart.
    pub refused: Vec<Message>,
    /// The article, then what is done to it; none of a line that is refused.
    pub items: Vec<ItemQuote>,
    /// What its price lacks, though it has one.
    pub warnings: Vec<Message>,
    found: Found,
    /// What the articles cost the seller.
    pub internal: Option<Exact>,
    pub margin: Option<Margin>,
}

/// What an item costs.
#[derive(Debug, Clone, Copy)]
pub struct ItemQuote {
    pub kind: ItemType,
    pub processing: Option<i64>,
    pub base: Exact,
    pub total: Exact,
    /// The weight of the article in its line, in kg.
    pub weight: Option<Exact>,
    /// Among the line's processings.
    number: Option<usize>,
    /// Among all items of the cart.
    place: usize,
}

/// What is left of a price above the internal one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Margin {
    pub amount: Exact,
    /// Of what is paid; none of nothing.
    pub percent: Option<Decimal>,
}

/// How it came about, as places in the book.
#[derive(Debug)]
struct Record {
    candidates: Candidates,
    chain: Chain,
    /// The cart's total before each link of the chain whose conditions ask for it.
    before: Vec<Option<Exact>>,
    /// For each link of the chain one for each item.
    steps: Vec<Step>,
    items: usize,
}

impl Quote {
    /// What is lacking from the shown totals of all items to the shown total.
    pub fn rounding(&self) -> Decimal {
        let items = self.lines.iter().flat_map(|line| &line.items).map(|item| Exact::of(item.total.shown()));
        Exact::of(self.total.shown()).minus(items.sum()).unwrap_or_default().shown()
    }
}

/// A cart before its chain: what its lines are asked for.
struct Asked {
    candidates: Candidates,
    lines: Vec<LineQuote>,
    /// Without those of lines that have no price.
    items: Vec<Item>,
    chain: Chain,
}

impl Asked {
    fn of(book: &Book, cart: &Cart, sight: Sight, explained: bool) -> Self {
        let candidates = Candidates::of(book, cart, sight);
        let mut lines: Vec<LineQuote> = Vec::with_capacity(cart.lines.len());
        let mut items: Vec<Item> = Vec::with_capacity(cart.lines.len());
        // of all lines before the first one is priced: then the processor waits for their places in memory side by side
        let in_lists: Vec<_> = cart.lines.iter().map(|line| book.in_lists(line.article.id)).collect();
        for (place, (line, in_lists)) in cart.lines.iter().zip(in_lists).enumerate() {
            let found = found(book, &candidates, line, in_lists, explained);
            let (refused, of_line) = match items_of(book, place, line, &found) {
                Ok(of_line) => (Vec::new(), of_line),
                Err(refused) => (vec![refused], Vec::new()),
            };
            items.extend(of_line);
            let internal = found.internal.and_then(|internal| Exact::of_ratio(internal.amount));
            let (items, warnings, margin) = (Vec::new(), Vec::new(), None);
            lines.push(LineQuote { refused, items, warnings, found, internal, margin });
        }
        Self { candidates, lines, items, chain: Chain::of(book, cart) }
    }

    /// Why adjustments refuse lines, and the items of all others.
    fn refusals(&self, arithmetic: &impl Arithmetic, book: &Book, cart: &Cart) -> (Refusals, Vec<Item>) {
        let refusals = self.chain.refusals(arithmetic, book, cart, &self.items);
        let is_refused = |item: &&Item| refusals.iter().any(|(line, _)| *line == item.line);
        let items = self.items.iter().filter(|item| !is_refused(item)).copied().collect();
        (refusals, items)
    }

    /// Takes the cart through its chain, without the lines that are refused.
    fn run(&self, arithmetic: &impl Arithmetic, book: &Book, cart: &Cart, explained: bool) -> Outcome {
        let (mut refusals, mut items) = self.refusals(arithmetic, book, cart);
        let internal: Vec<_> =
            self.lines.iter().map(|line| Some(line.found.internal.as_ref()?.amount)).collect();
        let mut reruns = 0..RERUNS_MAX;
        loop {
            let run = self.chain.run_with_margins(arithmetic, book, cart, &items, &internal, explained);
            let too_large = match run {
                Ok(run) => return Outcome { refusals, items, run },
                Err(too_large) => too_large,
            };
            // without those lines once more: nothing of them counts
            let refused = match reruns.next() {
                Some(_) => too_large,
                None => items.iter().map(|item| item.line).collect(),
            };
            refusals.extend(refused.iter().map(|line| (*line, Code::AmountTooLarge.into())));
            items.retain(|item| !refused.contains(&item.line));
        }
    }
}

/// Lines that are refused, and why.
type Refusals = Vec<(usize, Message)>;

/// What came of a cart.
struct Outcome {
    refusals: Refusals,
    /// Those that went through the chain.
    items: Vec<Item>,
    run: Run,
}

/// How often a cart goes through its chain again because amounts in it are too large; then none of its lines has a price.
const RERUNS_MAX: usize = 3;

/// What a cart costs. `explained`: also how that comes about ([`explain`]).
pub fn quote(book: &Book, cart: &Cart, sight: Sight, explained: bool) -> Quote {
    let asked = Asked::of(book, cart, sight, explained);
    let Outcome { refusals, items, run } = decided(
        |bounded| asked.run(bounded, book, cart, explained),
        |fractions| asked.run(fractions, book, cart, explained),
    );
    let Asked { candidates, mut lines, chain, .. } = asked;
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
            let month = Month::of(cart.moment.date).to_string();
            line.warnings
                .push(Code::NoSurchargeValue.with("name", &link.adjustment.name).with("month", month));
        }
    }
    let mut quote = Quote {
        base: run.base,
        total: run.total,
        weight: run.weight,
        margin: None,
        lines,
        sight,
        record: None,
    };
    if sight == Sight::Seller {
        quote.margin = run.margin;
        for (line, margin) in &run.margins {
            if let Some(line) = quote.lines.get_mut(*line) {
                line.margin = Some(*margin);
            }
        }
    }
    if explained {
        let Run { before, steps, .. } = run;
        quote.record = Some(Record { candidates, chain, before, steps, items: items.len() });
    }
    quote
}

/// The article of a line and what is done to it.
fn items_of(book: &Book, place: usize, line: &Line, found: &Found) -> Result<Vec<Item>, Message> {
    let quantity = Ratio::of(line.quantity).unwrap_or(Ratio::ZERO);
    let base = match found.base {
        Ok(base) => base.amount,
        Err(refused) => return Err(refused.message(&line.article)),
    };
    let weight =
        line.article.convert(quantity, line.unit, Unit::Kilogram).filter(|weight| weight.is_amount());
    let mut items = Vec::with_capacity(1 + line.processings.len());
    items.push(Item { line: place, processing: None, base, weight, quantity, unit: line.unit });
    for (number, processing) in line.processings.iter().enumerate() {
        let found = book.processing_prices.of(&line.article, processing);
        let found = found.ok_or_else(|| Code::NoProcessingPrice.with("number", number + 1))?;
        let quantity = Ratio::of(processing.quantity).unwrap_or(Ratio::ZERO);
        let base = base::amount(quantity, &found.price).ok_or(Code::AmountTooLarge)?;
        items.push(Item { line: place, processing: Some(number), base, weight, quantity, unit: Unit::Piece });
    }
    Ok(items)
}
