//! What an article costs a buyer as time goes by: the past as it was, by the history, the future as far as it is known by now. The
//! article itself is as it is today.

mod past;
mod points;

#[cfg(test)]
pub(crate) mod tests;

use std::sync::Arc;

use catalog::measured::Measured;
use chrono::TimeDelta;
use chrono_tz::Tz;
use kernel::{
    Code, Database, Decimal, Instant, Message, Money, Result, Scope, Unit, Violations,
    error::Violation,
    past::{KEPT, Life, at},
};
use logistics::matching::directory::{Directory, Named};
use tenancy::{tenant::Party, tenant_group};

use self::past::Lives;
pub use self::past::former_rows;
use super::{
    Buyer, Cart, Line, Moment, Sight,
    ask::{Answer, Parties, Question, parties, shown_warehouses},
    book::{Book, Builder},
    explain::{PriceOutcome, explain},
    lines::Known,
    quote,
    target::CartTargets,
};
use crate::{
    exact::{Exact, Ratio},
    price_adjustment::terms::Adjustment,
    surcharge_table::surcharges,
};

/// The most steps of an answer.
pub const STEPS_MAX: usize = 400;
/// The longest time that is looked at.
pub const LONGEST: TimeDelta = TimeDelta::days(3_653);
/// The most moments at which something may change that are looked at: each day of the longest time, and some.
const POINTS_MAX: usize = 5_000;

/// What an article costs from a moment on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    pub from: Instant,
    /// The first moment at which it is no longer so, or is no longer looked at.
    pub until: Instant,
    /// Or why there is no price.
    pub price: Result<Priced, Message>,
    /// Lists that apply and have a price as well, and come later.
    pub overlaps: Vec<(i64, String)>,
    pub past: bool,
}

/// A price, and where it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Priced {
    /// Of the quantity, in EUR, rounded.
    pub total: Decimal,
    /// Of one unit of those that prices of the article are for.
    pub unit_price: Option<Money>,
    pub list: Option<(i64, String)>,
    pub stock_id: Option<i64>,
}

/// What an article costs as time goes by.
#[derive(Debug)]
pub struct Course {
    pub seller: Party,
    pub buyer: Option<Party>,
    pub article: Measured,
    pub quantity: Decimal,
    pub unit: Unit,
    /// Without a break.
    pub steps: Vec<Step>,
    /// Whether it would go on: there are more steps than are told.
    pub cut: bool,
    /// What it costs at the moment that is to be explained; `None` where none is, and where nothing is known of it.
    pub explained: Option<Answer>,
}

/// Of which time what is asked for.
#[derive(Debug, Clone, Copy)]
pub struct Times {
    pub from: Instant,
    pub until: Instant,
    /// The moment of which it is explained how the price comes about.
    pub explained: Option<Instant>,
}

/// What an article costs between two moments; the question has one line, and its own moment does not count.
///
/// # Errors
/// Whatever is wrong with the question: the line's fields stand at their own names.
pub async fn over_time(
    db: &Database,
    scope: &Scope,
    time_zone: Tz,
    question: Question,
    times: Times,
    now: Instant,
) -> Result<Course> {
    let questions = [question];
    let parties = parties(db, scope, &questions).await.map_err(|error| match error {
        kernel::Error::Invalid(violations) => kernel::Error::Invalid(unindexed(violations)),
        error => error,
    })?;
    let named: Vec<Named> =
        questions.iter().flat_map(|question| &question.lines).map(|line| line.named.clone()).collect();
    let directory = Directory::of_catalogue(db, scope, &named).await?;
    let shown = shown_warehouses(db, &questions, &parties, &directory).await?;
    let [question] = questions;
    let (Some(Parties { seller, buyer, sells, sight }), Some(wanted)) =
        (parties.into_iter().next(), question.lines.into_iter().next())
    else {
        return Err(Code::InvalidInput.into());
    };
    let known = Known::of_bare_lines(db).await?;
    let (article, line) = wanted
        .read(&directory, &known, (!sells).then_some((&shown, seller.id)))
        .map_err(kernel::Error::Invalid)?;
    let groups = match &buyer {
        Some(buyer) => tenant_group::of_member(db, buyer.id.into()).await?,
        None => Vec::new(),
    };
    let ids: Vec<i64> = buyer.iter().chain([&seller]).map(|party| party.id.into()).collect();
    let lives = Lives::of(db, seller.id, &article, &ids, now - KEPT).await?;
    let asked = Asked {
        now,
        cart: Cart {
            buyer: buyer.as_ref().map(|buyer| Buyer { tenant: buyer.id.into(), groups }),
            moment: Moment::new(now, time_zone),
            lines: vec![line],
        },
        sight,
        time_zone,
        price_unit: article.price_unit,
    };
    let (steps, cut) = asked.steps(&lives, (times.from, times.until));
    let (quantity, unit) = asked
        .cart
        .lines
        .first()
        .map_or((Decimal::ZERO, article.listing_unit), |line| (line.quantity, line.unit));
    let explained = times.explained.filter(|moment| *moment >= lives.known_from).map(|moment| {
        let (book, cart) = (Arc::new(lives.book_at(moment)), asked.cart_at(moment));
        Answer {
            seller: seller.clone(),
            buyer: buyer.clone(),
            quote: quote(&book, &cart, sight, true),
            targets: CartTargets::default(),
            lines: vec![Ok((article.clone(), 0))],
            book,
            cart,
        }
    });
    Ok(Course { seller, buyer, article, quantity, unit, steps, cut, explained })
}

/// `carts.0.seller_id` is `seller_id` where there is one cart only.
fn unindexed(violations: Violations) -> Violations {
    let mut own = Violations::new();
    for Violation { path, message } in violations {
        own.add(path.strip_prefix("carts.0.").unwrap_or(&path), message);
    }
    own
}

/// What is asked at each moment.
struct Asked {
    cart: Cart,
    sight: Sight,
    time_zone: Tz,
    price_unit: Unit,
    now: Instant,
}

impl Asked {
    /// The steps, and whether there would be more.
    fn steps(&self, lives: &Lives, (from, until): (Instant, Instant)) -> (Vec<Step>, bool) {
        let mut points = points::of(lives, self.time_zone, (from, until), self.now);
        let mut cut = points.len() > POINTS_MAX;
        let end = points.get(POINTS_MAX).copied().unwrap_or(until);
        points.truncate(POINTS_MAX);
        let mut steps: Vec<Step> = Vec::new();
        // one book for all moments at which the same was so
        let mut book: Option<(Option<Instant>, Book)> = None;
        for (index, point) in points.iter().enumerate() {
            let standing = lives.changed_before(*point);
            let book = match &mut book {
                Some((since, book)) if *since == standing => book,
                book => &mut book.insert((standing, lives.book_at(*point))).1,
            };
            let known = *point >= lives.known_from;
            let (price, overlaps) =
                if known { self.at(book, *point) } else { (Err(Code::PastUnknown.into()), Vec::new()) };
            let step = Step {
                from: *point,
                until: points.get(index + 1).copied().unwrap_or(end),
                price,
                overlaps,
                past: *point < self.now,
            };
            let full = steps.len() == STEPS_MAX;
            match steps.last_mut() {
                Some(last) if last.says_the_same(&step) => last.until = step.until,
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

    fn at(&self, book: &Book, point: Instant) -> (Result<Priced, Message>, Vec<(i64, String)>) {
        let cart = self.cart_at(point);
        let quoted = quote(book, &cart, self.sight, true);
        let explained = explain(book, &cart, &quoted, self.now).map(|(_, lines)| lines).unwrap_or_default();
        let (Some(line), Some(explained)) = (quoted.lines.first(), explained.first()) else {
            return (Err(Code::NoPrice.into()), Vec::new());
        };
        let others = explained.lists.iter().filter(|list| list.outcome == PriceOutcome::OtherFirst);
        let overlaps = others.map(|list| (list.id, list.name.to_owned())).collect();
        if let Some(refused) = line.refused.first() {
            return (Err(refused.clone()), overlaps);
        }
        let won = explained.lists.iter().find(|list| list.outcome == PriceOutcome::Won);
        let priced = Priced {
            total: quoted.total.shown(),
            unit_price: cart.lines.first().and_then(|line| self.unit_price(line, quoted.total)),
            list: won.map(|list| (list.id, list.name.to_owned())),
            stock_id: explained.price.as_ref().and_then(|price| price.stock_id),
        };
        (Ok(priced), overlaps)
    }

    /// What one unit of those that prices are for comes to.
    fn unit_price(&self, line: &Line, total: Exact) -> Option<Money> {
        let quantity = line.article.convert(Ratio::of(line.quantity)?, line.unit, self.price_unit)?;
        let price = Ratio::of(total.to_decimal())?.over(quantity)?.to_decimal()?.rounded(PLACES);
        Some(Money { price, price_quantity: Decimal::ONE, unit: self.price_unit })
    }
}

/// The places of a price.
const PLACES: u32 = 4;

impl Step {
    fn says_the_same(&self, other: &Self) -> bool {
        (&self.price, &self.overlaps, self.past) == (&other.price, &other.overlaps, other.past)
    }
}

impl Lives {
    /// The last change of what is kept before a moment, or at it.
    fn changed_before(&self, moment: Instant) -> Option<Instant> {
        self.changes().filter(|change| *change <= moment).max()
    }

    /// What was compiled at a moment, as far as it concerns the article.
    fn book_at(&self, moment: Instant) -> Book {
        fn all<T: Clone>(lives: &[Life<T>], moment: Instant) -> Vec<T> {
            lives.iter().filter_map(|life| at(life, moment).cloned()).collect()
        }
        let tables = surcharges::compiled(&all(&self.tables, moment));
        let adjustments = all(&self.adjustments, moment).into_iter();
        let adjustments = adjustments.filter_map(|row| Adjustment::of_row(row, &tables).ok()).collect();
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
