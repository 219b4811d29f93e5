//! Sample carts priced with both books.

use std::sync::Arc;

use store::{Database, Scope};
use values::{Instant, Result};

use super::{AmountChange, Comparison, SampleImpact, SampleTotal, run_blocking};
use crate::{
    permissions,
    quote::{book::Book, calculation::Calculation},
    sample_cart::{
        SampleCart, SampleCarts,
        assembly::{Assembly, CartOutcome},
    },
};

/// Prices the sample carts; `None` for users without permission to list them.
pub(super) async fn price_samples(
    db: &Database,
    scope: &Scope,
    comparison: &Comparison,
) -> Result<Option<Vec<SampleImpact>>> {
    if !scope.may(permissions::LIST_PRICE_ADJUSTMENTS) {
        return Ok(None);
    }
    let mut carts = scope.acting_for(Some(comparison.seller)).find::<SampleCarts>().all(db).await?;
    carts.sort_by(|one, other| (&one.name_sort, one.id).cmp(&(&other.name_sort, other.id)));
    let books = [comparison.before.clone(), comparison.after.clone()];
    let assembly = Assembly::load(db, &[&books[0], &books[1]], &carts).await?;
    let calculation = comparison.calculation.clone();
    let moments = comparison.plan.moments.clone();
    let compared = move || {
        let compared = |cart: &SampleCart| SampleImpact::new(&assembly, &calculation, &moments, &books, cart);
        carts.iter().filter_map(compared).collect()
    };
    Ok(Some(run_blocking(compared).await?))
}

impl SampleImpact {
    /// Compares a cart at the first moment at which it changes, or at the first moment. A cart may have a
    /// fixed moment.
    fn new(
        assembly: &Assembly,
        calculation: &Calculation,
        moments: &[Instant],
        books: &[Arc<Book>; 2],
        cart: &SampleCart,
    ) -> Option<Self> {
        let moments = if cart.at.is_some() { moments.get(..1)? } else { moments };
        let compared = |at: &Instant| Self::at(assembly, &calculation.clone().at(*at), books, cart);
        let changes = |impact: &Self| impact.before.total != impact.after.total;
        moments.iter().map(compared).find(changes).or_else(|| moments.first().map(compared))
    }

    fn at(assembly: &Assembly, calculation: &Calculation, books: &[Arc<Book>; 2], cart: &SampleCart) -> Self {
        let outcomes = books.each_ref().map(|book| assembly.calculate(calculation, book, cart, false));
        let [before, after] = outcomes.each_ref().map(|outcome| SampleTotal::new(cart, outcome));
        let whole = before.total.is_some() && after.total.is_some();
        let change = whole.then(|| AmountChange::between(outcomes[0].quote.total, outcomes[1].quote.total));
        let at = cart.at.unwrap_or(calculation.now);
        Self { id: cart.id, name: cart.name.clone(), at, before, after, change }
    }
}

impl SampleTotal {
    fn new(cart: &SampleCart, outcome: &CartOutcome) -> Self {
        let total = outcome.total();
        let refused = (0..cart.lines.0.len()).flat_map(|line| {
            outcome.refusals(line).into_iter().map(move |(field, message)| (line, field, message))
        });
        Self { total, as_expected: total == cart.expected_total, refused: refused.collect() }
    }
}
