//! Price of an article for a buyer over time: past prices are reconstructed from the history, future ones
//! calculated from today's data. The article itself is as it is today.

mod past;
mod points;

#[cfg(test)]
pub(crate) mod tests;

use std::sync::Arc;

use catalog::article_units::ArticleUnits;
use chrono::TimeDelta;
use chrono_tz::Tz;
use logistics::matching::directory::{Directory, PlaceReference};
use store::{
    Database, Scope,
    past::{KEPT, StateHistory, state_at},
};
use tenancy::{tenant::Party, tenant_group};
use values::{Decimal, Instant, Message, Money, Result, Unit, Violations, error::Violation};

use self::past::PriceStates;
pub use self::past::former_rows;
use super::{
    Buyer, Cart, Line, Moment, Viewpoint,
    book::{Book, Builder},
    explain::{PriceOutcome, explain},
    lines::LineRecords,
    quote,
    request::{Parties, QuoteRequest, QuoteResponse, load_shown_warehouses, resolve_parties},
    target::CartTargets,
};
use crate::{
    codes,
    exact::{Exact, Ratio},
    price_adjustment::terms::Adjustment,
    surcharge_table::surcharges,
};

/// Maximum number of steps in a result.
pub const STEPS_MAX: usize = 400;
/// Longest period that can be requested.
pub const LONGEST: TimeDelta = TimeDelta::days(3_653);
/// Maximum number of moments that are examined: each day of the longest period, and some more.
const POINTS_MAX: usize = 5_000;

/// Period in which the price of an article stays the same.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    pub from: Instant,
    /// First moment at which the price is different, or the end of the requested period.
    pub until: Instant,
    /// Price, or the reason why there is none.
    pub price: Result<StepPrice, Message>,
    /// Other lists that apply and have a price, but have lower precedence.
    pub overlaps: Vec<(i64, String)>,
    pub past: bool,
}

/// Price, and its source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StepPrice {
    /// Price of the whole quantity in EUR, rounded.
    pub total: Decimal,
    /// Price of one unit, in the article's price unit.
    pub unit_price: Option<Money>,
    pub list: Option<(i64, String)>,
    pub stock_id: Option<i64>,
}

/// Price of an article over a period.
#[derive(Debug)]
pub struct PriceTimeline {
    pub seller: Party,
    pub buyer: Option<Party>,
    pub article: ArticleUnits,
    pub quantity: Decimal,
    pub unit: Unit,
    /// Consecutive steps without gaps.
    pub steps: Vec<Step>,
    /// True if there are more steps than the result contains.
    pub cut: bool,
    /// Explained price at the requested moment; `None` if no moment was requested or its prices are unknown.
    pub explained: Option<QuoteResponse>,
}

/// Requested period.
#[derive(Debug, Clone, Copy)]
pub struct RequestedPeriod {
    pub from: Instant,
    pub until: Instant,
    /// Moment for which the price is explained.
    pub explained: Option<Instant>,
}

/// Calculates the price of an article between two moments. The request has one line; its own moment is
/// ignored.
///
/// # Errors
/// Violations of the request; those of the line are reported under the bare names of its fields.
pub async fn over_time(
    db: &Database,
    scope: &Scope,
    time_zone: Tz,
    request: QuoteRequest,
    period: RequestedPeriod,
    now: Instant,
) -> Result<PriceTimeline> {
    let requests = [request];
    let parties = resolve_parties(db, scope, &requests).await.map_err(|error| match error {
        values::Error::Invalid(violations) => values::Error::Invalid(without_index(violations)),
        error => error,
    })?;
    let references: Vec<PlaceReference> =
        requests.iter().flat_map(|request| &request.lines).map(|line| line.place.clone()).collect();
    let directory = Directory::load_with_catalogue(db, scope, &references).await?;
    let shown_warehouses = load_shown_warehouses(db, &requests, &parties, &directory).await?;
    let [request] = requests;
    let (Some(Parties { seller, buyer, sells, viewpoint }), Some(requested)) =
        (parties.into_iter().next(), request.lines.into_iter().next())
    else {
        return Err(codes::INVALID_INPUT.into());
    };
    let line_records = LineRecords::load_categories(db).await?;
    let (article, line) = requested
        .read(&directory, &line_records, (!sells).then_some((&shown_warehouses, seller.id)))
        .map_err(values::Error::Invalid)?;
    let groups = match &buyer {
        Some(buyer) => tenant_group::load_groups(db, buyer.id.into()).await?,
        None => Vec::new(),
    };
    let ids: Vec<i64> = buyer.iter().chain([&seller]).map(|party| party.id.into()).collect();
    let states = PriceStates::load(db, seller.id, &article, &ids, now - KEPT).await?;
    let query = TimelineQuery {
        now,
        cart: Cart {
            buyer: buyer.as_ref().map(|buyer| Buyer { tenant: buyer.id.into(), groups }),
            moment: Moment::new(now, time_zone),
            lines: vec![line],
        },
        viewpoint,
        time_zone,
        price_unit: article.price_unit,
    };
    let (steps, cut) = query.steps(&states, period.from, period.until);
    let (quantity, unit) = query
        .cart
        .lines
        .first()
        .map_or((Decimal::ZERO, article.listing_unit), |line| (line.quantity, line.unit));
    let explained = period.explained.filter(|moment| *moment >= states.known_from).map(|moment| {
        let (book, cart) = (Arc::new(states.book_at(moment)), query.cart_at(moment));
        QuoteResponse {
            seller: seller.clone(),
            buyer: buyer.clone(),
            quote: quote(&book, &cart, viewpoint, true),
            targets: CartTargets::default(),
            lines: vec![Ok((article.clone(), 0))],
            book,
            cart,
        }
    });
    Ok(PriceTimeline { seller, buyer, article, quantity, unit, steps, cut, explained })
}

/// Strips `carts.0.` from the paths of violations, because there is only one cart.
fn without_index(violations: Violations) -> Violations {
    let mut own = Violations::new();
    for Violation { path, message } in violations {
        own.add(path.strip_prefix("carts.0.").unwrap_or(&path), message);
    }
    own
}

/// Cart that is priced at each moment.
struct TimelineQuery {
    cart: Cart,
    viewpoint: Viewpoint,
    time_zone: Tz,
    price_unit: Unit,
    now: Instant,
}

impl TimelineQuery {
    /// Returns the steps, and true if there would be more.
    fn steps(&self, states: &PriceStates, from: Instant, until: Instant) -> (Vec<Step>, bool) {
        let mut points = points::find_points(states, self.time_zone, from, until, self.now);
        let mut cut = points.len() > POINTS_MAX;
        let end = points.get(POINTS_MAX).copied().unwrap_or(until);
        points.truncate(POINTS_MAX);
        let mut steps: Vec<Step> = Vec::new();
        // the book is reused for all moments between two changes
        let mut book: Option<(Option<Instant>, Book)> = None;
        for (index, point) in points.iter().enumerate() {
            let last_change = states.last_change_before(*point);
            let book = match &mut book {
                Some((since, book)) if *since == last_change => book,
                book => &mut book.insert((last_change, states.book_at(*point))).1,
            };
            let is_known = *point >= states.known_from;
            let (price, overlaps) = if is_known {
                self.price_at(book, *point)
            } else {
                (Err(codes::PAST_UNKNOWN.into()), Vec::new())
            };
            let step = Step {
                from: *point,
                until: points.get(index + 1).copied().unwrap_or(end),
                price,
                overlaps,
                past: *point < self.now,
            };
            let full = steps.len() == STEPS_MAX;
            match steps.last_mut() {
                Some(last) if last.is_same_as(&step) => last.until = step.until,
                _ if full => {
                    cut = true;
                    break;
                }
                _ => steps.push(step),
            }
        }
        (steps, cut)
    }

    fn cart_at(&self, moment: Instant) -> Cart {
        Cart { moment: Moment::new(moment, self.time_zone), ..self.cart.clone() }
    }

    fn price_at(&self, book: &Book, point: Instant) -> (Result<StepPrice, Message>, Vec<(i64, String)>) {
        let cart = self.cart_at(point);
        let quoted = quote(book, &cart, self.viewpoint, true);
        let explained = explain(book, &cart, &quoted, self.now).map(|(_, lines)| lines).unwrap_or_default();
        let (Some(line), Some(explained)) = (quoted.lines.first(), explained.first()) else {
            return (Err(codes::NO_PRICE.into()), Vec::new());
        };
        let others = explained.lists.iter().filter(|list| list.outcome == PriceOutcome::OtherFirst);
        let overlaps = others.map(|list| (list.id, list.name.to_owned())).collect();
        if let Some(refused) = line.refused.first() {
            return (Err(refused.clone()), overlaps);
        }
        let won = explained.lists.iter().find(|list| list.outcome == PriceOutcome::Won);
        let priced = StepPrice {
            total: quoted.total.shown(),
            unit_price: cart.lines.first().and_then(|line| self.unit_price(line, quoted.total)),
            list: won.map(|list| (list.id, list.name.to_owned())),
            stock_id: explained.price.as_ref().and_then(|price| price.stock_id),
        };
        (Ok(priced), overlaps)
    }

    /// Returns the price of one unit, in the article's price unit.
    fn unit_price(&self, line: &Line, total: Exact) -> Option<Money> {
        let quantity =
            line.article.convert(Ratio::from_decimal(line.quantity)?, line.unit, self.price_unit)?;
        let price = Ratio::from_decimal(total.to_decimal())?.over(quantity)?.to_decimal()?.rounded(PLACES);
        Some(Money { price, price_quantity: Decimal::ONE, unit: self.price_unit })
    }
}

/// Decimal places of a price.
const PLACES: u32 = 4;

impl Step {
    fn is_same_as(&self, other: &Self) -> bool {
        (&self.price, &self.overlaps, self.past) == (&other.price, &other.overlaps, other.past)
    }
}

impl PriceStates {
    /// Returns the time of the last change of the data at or before a moment.
    fn last_change_before(&self, moment: Instant) -> Option<Instant> {
        self.changes().filter(|change| *change <= moment).max()
    }

    /// Compiles the book as it was at a moment, with the prices of the article only.
    fn book_at(&self, moment: Instant) -> Book {
        fn all<T: Clone>(lives: &[StateHistory<T>], moment: Instant) -> Vec<T> {
            lives.iter().filter_map(|life| state_at(life, moment).cloned()).collect()
        }
        let tables = surcharges::compile(&all(&self.tables, moment));
        let adjustments = all(&self.adjustments, moment).into_iter();
        let adjustments = adjustments.filter_map(|row| Adjustment::from_row(row, &tables).ok()).collect();
        let mut builder =
            Builder::new(self.seller, self.groups.clone(), all(&self.lists, moment), adjustments);
        for (list, side) in all(&self.entries, moment) {
            builder.entry(list, self.article, &side);
        }
        for stock in all(&self.stocks, moment) {
            builder.stock(&stock);
        }
        builder.build()
    }
}
