//! Base prices: the choice of the list or stock that prices a line, and the resulting amount.

use std::cell::Cell;

use values::{Message, Money, Unit};

use super::{
    Cart, Line, Viewpoint,
    article::Article,
    book::{Book, BookPrice, InLists, Prices},
};
use crate::{
    codes,
    exact::Ratio,
    price_list::{Applies, ListType, Rank, Status},
};

/// Lists of a book that apply, by type and rank.
#[derive(Debug)]
pub(super) struct Candidates {
    /// Indexes of the sales lists in the book.
    pub(super) sales: Vec<(usize, Applies)>,
    /// Indexes of the internal lists that apply to the seller; empty for the buyer's sight.
    internal: Vec<usize>,
    /// Sales lists that do not apply, with the reasons; empty for the buyer's sight.
    pub(super) others: Vec<(usize, ListExclusion)>,
    viewpoint: Viewpoint,
}

/// Reason why a list does not apply at all.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ListExclusion {
    Pending,
    Expired,
    /// Its audience does not include the buyer.
    NotForBuyer,
}

/// Outcome of a list or a stock for a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SourceOutcome {
    Won,
    /// The list or stock has no price for the article.
    NoPrice,
    /// The quantity is below its first quantity break, and there is no price for less.
    BelowFirstTier,
    /// The line's unit cannot be converted into the price's unit.
    NotConvertible,
    /// Another list or stock takes precedence.
    OtherFirst,
    /// Another stock is cheaper.
    Dearer,
    /// The stock is in another warehouse than the requested one.
    OtherWarehouse,
}

/// Source of a line's price.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Source {
    /// Index of a list in the book.
    List(usize),
    /// Id of a stock.
    Stock(i64),
}

/// Price of a line.
#[derive(Debug, Clone, Copy)]
pub(super) struct Base {
    pub(super) source: Source,
    pub(super) priced: BookPrice,
    pub(super) amount: Ratio,
}

/// Reason why a line has no price; later variants are more specific.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum NoPriceReason {
    NoPrice,
    BelowFirstTier,
    NotConvertible,
    TooLarge,
}

/// Prices found for a line.
#[derive(Debug)]
pub(super) struct BasePrices {
    pub(super) base: Result<Base, NoPriceReason>,
    pub(super) internal: Option<Base>,
    /// Outcome of each stock, by its id; empty unless an explanation is requested.
    pub(super) stocks: Vec<(i64, SourceOutcome)>,
}

/// Outcomes of the lists that apply, line by line.
#[derive(Debug)]
pub(super) struct ListOutcomes {
    outcomes: Vec<SourceOutcome>,
    /// Outcomes of all lists of the book for a line that another list prices.
    of_others: Vec<SourceOutcome>,
}

impl ListOutcomes {
    pub(super) fn new(book: &Book, candidates: &Candidates, lines: usize) -> Self {
        let outcomes = Vec::with_capacity(candidates.sales.len() * lines);
        Self { outcomes, of_others: vec![SourceOutcome::NoPrice; book.lists.len()] }
    }

    /// Returns the outcomes of a line, in the order of the candidates.
    pub(super) fn for_line(&self, candidates: &Candidates, line: usize) -> &[SourceOutcome] {
        let lists = candidates.sales.len();
        self.outcomes.get(line * lists..(line + 1) * lists).unwrap_or_default()
    }

    /// Adds the lists behind one that prices the line.
    fn add_others(&mut self, in_lists: InLists<'_>, lists: impl Iterator<Item = usize>) {
        in_lists.mark(&mut self.of_others, SourceOutcome::OtherFirst, SourceOutcome::NoPrice);
        let outcome = |list: usize| self.of_others.get(list).copied().unwrap_or(SourceOutcome::NoPrice);
        self.outcomes.extend(lists.map(outcome));
    }
}

impl Candidates {
    /// Selects the lists of a book that can price lines of the cart; the others get a reason.
    pub(super) fn select(book: &Book, cart: &Cart, viewpoint: Viewpoint) -> Self {
        let (buyer, groups) =
            cart.buyer.as_ref().map_or((0, &[][..]), |buyer| (buyer.tenant, buyer.groups.as_slice()));
        let (mut sales, mut internal, mut others) = (Vec::new(), Vec::new(), Vec::new());
        for (place, list) in book.lists.iter().enumerate() {
            let status = list.head.status(&cart.moment.at);
            match (list.head.r#type, status) {
                (ListType::Internal, Status::Active) if viewpoint == Viewpoint::Seller => {
                    if let Some(applies) = list.applies_to(book.seller.into(), &book.groups) {
                        internal.push((applies.rank(&list.head), place));
                    }
                }
                (ListType::Internal, _) => {}
                (ListType::Sales, Status::Active) => match list.applies_to(buyer, groups) {
                    Some(applies) => sales.push((applies.rank(&list.head), place, applies)),
                    None => others.push((place, ListExclusion::NotForBuyer)),
                },
                (ListType::Sales, Status::Pending) => others.push((place, ListExclusion::Pending)),
                (ListType::Sales, Status::Inactive) => others.push((place, ListExclusion::Expired)),
            }
        }
        sales.sort_unstable_by_key(|(rank, ..): &(Rank, usize, Applies)| *rank);
        internal.sort_unstable_by_key(|(rank, _): &(Rank, usize)| *rank);
        if viewpoint == Viewpoint::Buyer {
            others.clear();
        }
        Self {
            sales: sales.into_iter().map(|(_, place, applies)| (place, applies)).collect(),
            internal: internal.into_iter().map(|(_, place)| place).collect(),
            others,
            viewpoint,
        }
    }
}

/// Quantity of an article, converted into any unit of a price.
struct QuantityConverter<'l> {
    article: &'l Article,
    quantity: Ratio,
    line: &'l Line,
    /// Quantity in the unit of the last conversion; most quantity breaks of an article have the same unit.
    last: Cell<Option<(Unit, Option<Ratio>)>>,
}

impl QuantityConverter<'_> {
    fn in_unit(&self, unit: Unit) -> Option<Ratio> {
        if let Some((last, quantity)) = self.last.get()
            && last == unit
        {
            return quantity;
        }
        let quantity = self.article.convert(self.quantity, self.line.unit, unit);
        self.last.set(Some((unit, quantity)));
        quantity
    }

    fn base(&self, source: Source, prices: Prices<'_>) -> Result<Base, NoPriceReason> {
        let in_unit = |unit: Option<Unit>| self.in_unit(unit.unwrap_or(self.article.listing_unit));
        let reached_price = prices.at(in_unit).ok_or(NoPriceReason::NoPrice)?;
        let reached_price = reached_price.map_err(|_| NoPriceReason::BelowFirstTier)?;
        let quantity = self.article.convert(self.quantity, self.line.unit, reached_price.price.unit);
        let quantity = quantity.ok_or(NoPriceReason::NotConvertible)?;
        let amount = quantity
            .times(reached_price.per)
            .and_then(|quantity| multiply_price(quantity, &reached_price.price));
        Ok(Base { source, priced: reached_price, amount: amount.ok_or(NoPriceReason::TooLarge)? })
    }
}

/// Returns the amount for a quantity in the price's unit.
pub(super) fn amount(quantity: Ratio, price: &Money) -> Option<Ratio> {
    multiply_price(quantity.over(Ratio::from_decimal(price.price_quantity)?)?, price)
}

/// Returns the amount for a multiple of the price's quantity; `None` if it is too large.
fn multiply_price(times: Ratio, price: &Money) -> Option<Ratio> {
    Ratio::from_decimal(price.price)?.times(times).filter(|amount| amount.is_amount())
}

/// Finds the prices of a line: in the lists that apply, in order, then in the stocks.
pub(super) fn find_base_prices(
    book: &Book,
    candidates: &Candidates,
    line: &Line,
    in_lists: InLists<'_>,
    mut list_outcomes: Option<&mut ListOutcomes>,
) -> BasePrices {
    let quantity = Ratio::from_decimal(line.quantity).unwrap_or(Ratio::ZERO);
    let article = &*line.article;
    let converter = QuantityConverter { article, quantity, line, last: Cell::new(None) };
    let explained = list_outcomes.is_some();
    let mut stocks = Vec::new();
    let mut base = Err(NoPriceReason::NoPrice);
    let mut listed_price = false;
    let mut sales = candidates.sales.iter().map(|(list, _)| *list);
    for list in sales.by_ref() {
        let tried = match in_lists.in_list(list) {
            Some(prices) => converter.base(Source::List(list), prices),
            None => Err(NoPriceReason::NoPrice),
        };
        if let Some(list_outcomes) = &mut list_outcomes {
            list_outcomes.outcomes.push(outcome(&tried));
        }
        base = better_reason(base, tried);
        listed_price = matches!(base, Ok(_) | Err(NoPriceReason::TooLarge));
        if listed_price {
            break;
        }
    }
    if let Some(list_outcomes) = list_outcomes {
        list_outcomes.add_others(in_lists, sales);
    }
    let mut internal: Option<Base> = candidates
        .internal
        .iter()
        .find_map(|list| converter.base(Source::List(*list), in_lists.in_list(*list)?).ok());
    let internal_listed = internal.is_some();
    let sees_internal = candidates.viewpoint == Viewpoint::Seller;
    for stock in book.in_stocks(article.id) {
        let source = Source::Stock(stock.id);
        let elsewhere = line.warehouse.is_some_and(|warehouse| warehouse != stock.warehouse_id);
        if elsewhere {
            if explained && !stock.external.is_empty() {
                stocks.push((stock.id, SourceOutcome::OtherWarehouse));
            }
            continue;
        }
        if sees_internal
            && !internal_listed
            && let Ok(other) = converter.base(source, stock.internal)
            && internal.is_none_or(|current| other.amount < current.amount)
        {
            internal = Some(other);
        }
        if listed_price {
            if explained && !stock.external.is_empty() {
                stocks.push((stock.id, SourceOutcome::OtherFirst));
            }
            continue;
        }
        let tried = converter.base(source, stock.external);
        if explained {
            stocks.push((stock.id, outcome(&tried)));
        }
        base = match (base, tried) {
            (Ok(current), Ok(other)) if other.amount >= current.amount => Ok(current),
            (Ok(current), Err(_)) => Ok(current),
            (_, Ok(other)) => Ok(other),
            (current, tried) => better_reason(current, tried),
        };
    }
    // exactly one stock wins: the cheapest, or, if none has a price, the first whose amount is too large
    let mut winner = base.as_ref().ok().map(|base| base.source);
    for (stock, outcome) in &mut stocks {
        let source = Source::Stock(*stock);
        if *outcome == SourceOutcome::Won && *winner.get_or_insert(source) != source {
            *outcome = SourceOutcome::Dearer;
        }
    }
    BasePrices { base, internal, stocks }
}

/// Combines two attempts: the second if it has a price, otherwise the more specific reason.
fn better_reason(
    current: Result<Base, NoPriceReason>,
    tried: Result<Base, NoPriceReason>,
) -> Result<Base, NoPriceReason> {
    match (current, tried) {
        (Err(first), Err(second)) => Err(first.max(second)),
        (_, tried) => tried,
    }
}

fn outcome(tried: &Result<Base, NoPriceReason>) -> SourceOutcome {
    match tried {
        Ok(_) | Err(NoPriceReason::TooLarge) => SourceOutcome::Won,
        Err(NoPriceReason::NoPrice) => SourceOutcome::NoPrice,
        Err(NoPriceReason::BelowFirstTier) => SourceOutcome::BelowFirstTier,
        Err(NoPriceReason::NotConvertible) => SourceOutcome::NotConvertible,
    }
}

impl NoPriceReason {
    pub(super) fn message(self, article: &Article) -> Message {
        match self {
            Self::NoPrice => codes::NO_PRICE.with("article", &article.article_number),
            Self::BelowFirstTier => codes::BELOW_FIRST_TIER.with("article", &article.article_number),
            Self::NotConvertible => codes::PRICE_NOT_CONVERTIBLE.with("article", &article.article_number),
            Self::TooLarge => codes::AMOUNT_TOO_LARGE.into(),
        }
    }
}
