//! What a change of adjustments would do.

use std::{collections::HashMap, sync::Arc};

use kernel::{Database, Instant, Result, Scope, TenantId, Validated, Write, usage};

use super::{Comparison, Impact};
use crate::{
    price_adjustment::{
        self, OrderInput, PriceAdjustment, PriceAdjustmentInput, PriceAdjustments, terms::Adjustment,
    },
    quote::{book::Difference, calculation::Calculator},
};

/// A change of adjustments as it would be saved.
#[derive(Debug)]
pub enum AdjustmentChange {
    Create(Validated<PriceAdjustmentInput>),
    Update { id: i64, input: Validated<PriceAdjustmentInput> },
    Delete { id: i64 },
    Order(Validated<OrderInput>),
}

/// What a change of adjustments would do to what their tenant asks, at a moment; without one now, or when the adjustment begins.
///
/// # Errors
/// Whatever the change itself would be refused for.
pub async fn of_adjustments(
    db: &Database,
    scope: &Scope,
    calculator: Calculator<'_>,
    change: AdjustmentChange,
    at: Option<Instant>,
) -> Result<Impact> {
    // an order saves itself while its impact is asked for: the book is the one that it was made of, or the order is refused
    let early = match &change {
        AdjustmentChange::Order(_) => Some(calculator.of(db, scope.tenant()?).await?),
        _ => None,
    };
    let tx = db.begin().await?;
    let (seller, row) = change.made(&tx, scope).await?;
    let adjustments = price_adjustment::of_seller(&tx, seller).await?;
    tx.rollback().await?;

    let calculation = match early {
        Some(calculation) => calculation,
        None => calculator.of(db, seller).await?,
    };
    let before = calculation.book.clone();
    let first = at.unwrap_or_else(|| {
        let was = row.as_ref().and_then(|row| before.adjustments().find(|known| known.id == row.id));
        let begins = row.as_ref().and_then(|row| row.valid_from);
        // what has begun ends or changes at once
        let begins = was.map_or(begins, |was| was.valid_from.min(begins));
        begins.map_or(calculation.now, |from| from.max(calculation.now))
    });
    let changed = row.map_or_else(|| moved(before.adjustments(), &adjustments), |row| vec![row.id]);
    let after = Arc::new(before.with_adjustments(adjustments));
    let difference = Difference { adjustments: changed, ..Difference::default() };
    Comparison::new([before, after], calculation.at(first), difference, at.is_some()).made(db, scope).await
}

impl AdjustmentChange {
    /// Whose adjustments they are, and the one that is changed.
    async fn made(self, tx: &Write, scope: &Scope) -> Result<(TenantId, Option<PriceAdjustment>)> {
        let row = match self {
            Self::Create(input) => price_adjustment::insert(tx, scope, input).await?,
            Self::Update { id, input } => price_adjustment::change(tx, scope, id, input).await?,
            Self::Delete { id } => {
                let row = usage::release::<PriceAdjustments>(tx, scope, id, |_| Ok(())).await?;
                scope.delete::<PriceAdjustments>(tx, id).await?;
                row
            }
            Self::Order(input) => {
                let seller = scope.tenant()?;
                price_adjustment::arrange(tx, scope, input).await?;
                return Ok((seller, None));
            }
        };
        Ok((row.tenant_id, Some(row)))
    }
}

/// The adjustments that have another position than before.
fn moved<'b>(before: impl Iterator<Item = &'b Adjustment>, after: &[Adjustment]) -> Vec<i64> {
    let was: HashMap<i64, i64> = before.map(|adjustment| (adjustment.id, adjustment.position)).collect();
    let elsewhere = |adjustment: &&Adjustment| was.get(&adjustment.id) != Some(&adjustment.position);
    after.iter().filter(elsewhere).map(|adjustment| adjustment.id).collect()
}
