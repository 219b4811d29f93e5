//! What a change of lists or adjustments would do to prices, found by doing it: the change is made as it would be saved, what the
//! seller would ask then is read, and the change is undone. The sample carts and the catalogue are calculated by the book as it
//! is and by the book as it would be, at the same moment.

mod adjustments;
mod catalogue;
mod customers;
mod lists;
mod plan;
mod rehearsed;
mod samples;
mod stock_value;

#[cfg(test)]
mod tests;

use std::sync::Arc;

use kernel::{Database, Decimal, Instant, Message, Result, Scope, TenantId, Unit};
use tenancy::tenant::Party;

pub use self::{
    adjustments::{AdjustmentChange, of_adjustments},
    catalogue::{Catalogue, Mover, Moves},
    lists::{ListChange, of_list},
    rehearsed::of_rehearsal,
    stock_value::StockValue,
};
use self::{catalogue::Tally, customers::Classes, plan::Plan};
use crate::{
    aside::aside,
    exact::Exact,
    quote::{
        book::{Book, Difference},
        calculation::Calculation,
    },
};

/// About so many carts of one article are calculated, each by both books.
pub const CARTS_MAX: usize = 200_000;
/// The most customers that are named.
pub const CUSTOMERS_MAX: usize = 100;
/// The most articles that are named.
pub const MOVERS_MAX: usize = 20;

/// What a change would do.
#[derive(Debug)]
pub struct Impact {
    /// The first moment at which both are calculated.
    pub at: Instant,
    pub examined: Examined,
    pub catalogue: Catalogue,
    pub customers: Customers,
    /// By name; none to whoever may not list them.
    pub sample_carts: Option<Vec<SampleImpact>>,
    /// `None` to users who may not list stocks.
    pub stock_value: Option<StockValue>,
    /// Prices that look like a mistake: they would wait for a release, and count as they are.
    pub held: u64,
}

/// Carts of one article that were calculated. What no cart shows may change all the same.
#[derive(Debug)]
pub struct Examined {
    pub carts: u64,
    /// The first one is the one that is named where nothing else is said.
    pub moments: Vec<Instant>,
    pub quantities: Vec<ExaminedQuantity>,
    /// Groups of customers who are asked the same.
    pub customer_groups: u64,
    /// True if every article was calculated for each group at each moment and in each quantity.
    pub complete: bool,
}

/// A quantity in which articles were calculated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExaminedQuantity {
    /// One unit of what prices of the article refer to.
    PriceUnit,
    Exactly(Decimal, Unit),
    /// At a number of a condition, just below and just above it; EUR without a unit.
    Around(Decimal, Option<Unit>),
    /// The quantities from which on an article has other prices.
    Breaks,
}

/// For whom prices change.
#[derive(Debug)]
pub struct Customers {
    pub count: u64,
    /// Those that the seller names, directly or by a group, by short code; the others are customers like anybody.
    pub named: Vec<Party>,
}

/// A sample cart by both books.
#[derive(Debug)]
pub struct SampleImpact {
    pub id: i64,
    pub name: String,
    /// The first of the moments at which it changes, or the first one.
    pub at: Instant,
    pub before: SampleTotal,
    pub after: SampleTotal,
    /// None where one of both is none.
    pub change: Option<Change>,
}

/// What a sample cart costs by a book.
#[derive(Debug)]
pub struct SampleTotal {
    /// EUR, rounded; none where a line is refused.
    pub total: Option<Decimal>,
    pub as_expected: bool,
    /// Why lines have no price: the line from 0, the field where it is one.
    pub refused: Vec<(usize, Option<String>, Message)>,
}

/// How much a price moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Change {
    /// EUR, rounded.
    pub amount: Decimal,
    /// Of what it was, rounded to two places; none of nothing.
    pub percent: Option<Decimal>,
}

impl Change {
    fn of(before: Exact, after: Exact) -> Self {
        let by = after.minus(before).unwrap_or_default();
        Self { amount: by.shown(), percent: by.percent_of(before) }
    }
}

/// A seller before and after a change.
struct Comparison {
    seller: TenantId,
    before: Arc<Book>,
    after: Arc<Book>,
    /// With the first moment as the present one.
    calculation: Calculation,
    difference: Difference,
    plan: Arc<Plan>,
    held: u64,
}

impl Comparison {
    /// `calculation`: with the first moment as the present one. `only_then`: no other moment is looked at.
    fn new(
        [before, after]: [Arc<Book>; 2],
        calculation: Calculation,
        difference: Difference,
        only_then: bool,
    ) -> Self {
        let plan = Arc::new(Plan::new([&before, &after], &calculation, &difference, only_then));
        Self { seller: before.seller, before, after, calculation, difference, plan, held: 0 }
    }

    async fn made(self, db: &Database, scope: &Scope) -> Result<Impact> {
        let sample_carts = samples::of(db, scope, &self).await?;
        let classes = Classes::of(db, &self).await?;
        let tally = catalogue::examined(db, &self, &classes).await?;
        let stock_value = stock_value::value_stocks(db, scope, &self, &classes, &tally).await?;
        let Tally { catalogue, changed, carts, is_complete, .. } = tally;
        Ok(Impact {
            at: self.calculation.now,
            examined: self.plan.examined(classes.all.len(), carts, is_complete),
            customers: classes.customers(&changed),
            catalogue,
            sample_carts,
            stock_value,
            held: self.held,
        })
    }
}
