//! Impact of a change of lists or adjustments on prices. The change is made as it would be saved, the
//! resulting prices are read, and the transaction is rolled back. Sample carts and the catalogue are priced
//! with the current book and with the changed one, at the same moment.

mod adjustments;
mod catalogue;
mod customers;
mod lists;
mod plan;
mod rehearsal;
mod samples;
mod stock_value;

#[cfg(test)]
mod tests;

use std::sync::Arc;

use store::{Database, Scope};
use tenancy::tenant::Party;
use values::{Decimal, Instant, Message, Result, TenantId, Unit};

pub use self::{
    adjustments::{AdjustmentChange, adjustment_impact},
    catalogue::{Catalogue, Mover, Moves},
    lists::{ListChange, list_impact},
    rehearsal::rehearse_impact,
    stock_value::StockValue,
};
use self::{catalogue::Tally, customers::CustomerClasses, plan::Plan};
use crate::{
    blocking::run_blocking,
    exact::Exact,
    quote::{
        book::{Book, BookDifference},
        calculation::Calculation,
    },
};

/// Approximate maximum number of carts of one article; each is priced with both books.
pub const CARTS_MAX: usize = 200_000;
/// Maximum number of customers listed.
pub const CUSTOMERS_MAX: usize = 100;
/// Maximum number of articles listed.
pub const MOVERS_MAX: usize = 20;

/// Impact of a change.
#[derive(Debug)]
pub struct Impact {
    /// First moment at which prices are compared.
    pub at: Instant,
    pub examined: ExaminedCarts,
    pub catalogue: Catalogue,
    pub customers: Customers,
    /// Sample carts by name; `None` for users without permission to list them.
    pub sample_carts: Option<Vec<SampleImpact>>,
    /// Stock value; `None` for users without permission to list stocks.
    pub stock_value: Option<StockValue>,
    /// Number of implausible prices. They would be under review, so the comparison counts the current ones.
    pub under_review: u64,
}

/// Carts of one article that were compared. A price that none of them contains may change all the same.
#[derive(Debug)]
pub struct ExaminedCarts {
    pub carts: u64,
    /// Moments of the comparison; the first one is the default.
    pub moments: Vec<Instant>,
    pub quantities: Vec<ExaminedQuantity>,
    /// Number of groups of customers with the same prices.
    pub customer_groups: u64,
    /// True if every article was compared for each group, at each moment and in each quantity.
    pub complete: bool,
}

/// Quantity in which articles were compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExaminedQuantity {
    /// One unit, in the price unit of the article.
    PriceUnit,
    Exactly(Decimal, Unit),
    /// Values at, just below and just above a number of a condition; in EUR if there is no unit.
    Around(Decimal, Option<Unit>),
    /// Starts of the article's quantity breaks.
    Breaks,
}

/// Customers whose prices change.
#[derive(Debug)]
pub struct Customers {
    pub count: u64,
    /// Customers that the seller's prices name, directly or by a group, by short code; all others have the
    /// same prices as an anonymous buyer.
    pub parties: Vec<Party>,
}

/// Sample cart priced with both books.
#[derive(Debug)]
pub struct SampleImpact {
    pub id: i64,
    pub name: String,
    /// First moment at which its total changes, or the first moment of the comparison.
    pub at: Instant,
    pub before: SampleTotal,
    pub after: SampleTotal,
    /// Difference; `None` if one of the totals is missing.
    pub change: Option<AmountChange>,
}

/// Total of a sample cart by one book.
#[derive(Debug)]
pub struct SampleTotal {
    /// Total in EUR, rounded; `None` if a line is refused.
    pub total: Option<Decimal>,
    pub as_expected: bool,
    /// Reasons why lines have no price: index of the line, field if the reason is about one, and message.
    pub refused: Vec<(usize, Option<String>, Message)>,
}

/// Difference of a price.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AmountChange {
    /// Difference in EUR, rounded.
    pub amount: Decimal,
    /// Difference in percent of the former price, rounded to two places; `None` if that price was zero.
    pub percent: Option<Decimal>,
}

impl AmountChange {
    fn between(before: Exact, after: Exact) -> Self {
        let by = after.minus(before).unwrap_or_default();
        Self { amount: by.shown(), percent: by.percent_of(before) }
    }
}

/// Prices of a seller before and after a change.
struct Comparison {
    seller: TenantId,
    before: Arc<Book>,
    after: Arc<Book>,
    /// Calculation with the first moment of the comparison as the current one.
    calculation: Calculation,
    difference: BookDifference,
    plan: Arc<Plan>,
    under_review: u64,
}

impl Comparison {
    /// Prepares a comparison. `calculation` has its first moment as the current one. With `only_then`, no
    /// other moment is compared.
    fn new(
        [before, after]: [Arc<Book>; 2],
        calculation: Calculation,
        difference: BookDifference,
        only_then: bool,
    ) -> Self {
        let plan = Arc::new(Plan::new([&before, &after], &calculation, &difference, only_then));
        Self { seller: before.seller, before, after, calculation, difference, plan, under_review: 0 }
    }

    async fn compare(self, db: &Database, scope: &Scope) -> Result<Impact> {
        let sample_carts = samples::price_samples(db, scope, &self).await?;
        let classes = CustomerClasses::load(db, &self).await?;
        let tally = catalogue::compare_articles(db, &self, &classes).await?;
        let stock_value = stock_value::value_stocks(db, scope, &self, &classes, &tally).await?;
        let Tally { catalogue, changed, carts, is_complete, .. } = tally;
        Ok(Impact {
            at: self.calculation.now,
            examined: self.plan.examined(classes.all.len(), carts, is_complete),
            customers: classes.customers(&changed),
            catalogue,
            sample_carts,
            stock_value,
            under_review: self.under_review,
        })
    }
}
