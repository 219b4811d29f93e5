//! Sample carts priced with both books.

use std::sync::Arc;

use kernel::{Database, Instant, Permission, Result, Scope};

use super::{Change, Comparison, SampleImpact, SampleTotal, aside};
use crate::{
    quote::{book::Book, calculation::Calculation},
    sample_cart::{
        SampleCart, SampleCarts,
        assembly::{Assembly, Outcome},
    },
};

/// Prices the sample carts; `None` for users without permission to list them.
pub(super) async fn of(
    db: &Database,
    scope: &Scope,
    comparison: &Comparison,
) -> Result<Option<Vec<SampleImpact>>> {
    if !scope.may(Permission::ListPriceAdjustments) {
        return Ok(None);
    }
    let mut carts = scope.acting_for(Some(comparison.seller)).find::<SampleCarts>().all(db).await?;
    carts.sort_by(|one, other| (&one.name_sort, one.id).cmp(&(&other.name_sort, other.id)));
    let books = [comparison.before.clone(), comparison.after.clone()];
    let assembly = Assembly::of(db, &[&books[0], &books[1]], &carts).await?;
    let calculation = comparison.calculation.clone();
    let moments = comparison.plan.moments.clone();
    let compared = move || {
        let compared = |cart: &SampleCart| SampleImpact::of(&assembly, &calculation, &moments, &books, cart);
        carts.iter().filter_map(compared).collect()
    };
    Ok(Some(aside(compared).await?))
}

impl SampleImpact {
    /// Compares a cart at the first moment at which it changes, or at the first moment. A cart may have a
    /// fixed moment.
    fn of(
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
        let outcomes = books.each_ref().map(|book| assembly.outcome(calculation, book, cart, false));
        let [before, after] = outcomes.each_ref().map(|outcome| SampleTotal::of(cart, outcome));
        let whole = before.total.is_some() && after.total.is_some();
        let change = whole.then(|| Change::of(outcomes[0].quote.total, outcomes[1].quote.total));
        let at = cart.at.unwrap_or(calculation.now);
        Self { id: cart.id, name: cart.name.clone(), at, before, after, change }
    }
}

impl SampleTotal {
    fn of(cart: &SampleCart, outcome: &Outcome) -> Self {
        let total = outcome.total();
        let refused = (0..cart.lines.0.len()).flat_map(|line| {
            outcome.refused(line).into_iter().map(move |(field, message)| (line, field, message))
        });
        Self { total, as_expected: total == cart.expected_total, refused: refused.collect() }
    }
}
