//! Impact of a change of adjustments.

use std::{collections::HashMap, sync::Arc};

use store::{Database, Scope, Write, usage};
use values::{Instant, Result, TenantId, Validated};

use super::{Comparison, Impact};
use crate::{
    price_adjustment::{
        self, OrderInput, PriceAdjustment, PriceAdjustmentInput, PriceAdjustments, terms::Adjustment,
    },
    quote::{book::BookDifference, calculation::Calculator},
};

/// Change of adjustments, as it would be saved.
#[derive(Debug)]
pub enum AdjustmentChange {
    Create(Validated<PriceAdjustmentInput>),
    Update { id: i64, input: Validated<PriceAdjustmentInput> },
    Delete { id: i64 },
    Order(Validated<OrderInput>),
}

/// Calculates the impact of a change of adjustments on the prices of their tenant, at a moment; by default
/// now, or when the adjustment begins.
///
/// # Errors
/// The same as those of the change itself.
pub async fn adjustment_impact(
    db: &Database,
    scope: &Scope,
    calculator: Calculator<'_>,
    change: AdjustmentChange,
    at: Option<Instant>,
) -> Result<Impact> {
    // the interface saves an order while it requests its impact; with the book read first, either the order
    // is based on this book, or it is rejected
    let early = match &change {
        AdjustmentChange::Order(_) => Some(calculator.load(db, scope.tenant()?).await?),
        _ => None,
    };
    let tx = db.begin().await?;
    let (seller, row) = change.apply(&tx, scope).await?;
    let adjustments = price_adjustment::load_for_seller(&tx, seller).await?;
    tx.rollback().await?;

    let calculation = match early {
        Some(calculation) => calculation,
        None => calculator.load(db, seller).await?,
    };
    let before = calculation.book.clone();
    let first = at.unwrap_or_else(|| {
        let was =
            row.as_ref().and_then(|row| before.adjustments().find(|adjustment| adjustment.id == row.id));
        let begins = row.as_ref().and_then(|row| row.valid_from);
        // a change of an adjustment that has begun takes effect immediately
        let begins = was.map_or(begins, |was| was.valid_from.min(begins));
        begins.map_or(calculation.now, |from| from.max(calculation.now))
    });
    let changed = row.map_or_else(|| moved(before.adjustments(), &adjustments), |row| vec![row.id]);
    let after = Arc::new(before.with_adjustments(adjustments));
    let difference = BookDifference { adjustments: changed, ..BookDifference::default() };
    Comparison::new([before, after], calculation.at(first), difference, at.is_some()).compare(db, scope).await
}

impl AdjustmentChange {
    /// Makes the change; returns the tenant of the adjustments, and the changed one.
    async fn apply(self, tx: &Write, scope: &Scope) -> Result<(TenantId, Option<PriceAdjustment>)> {
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

/// Returns the adjustments whose position has changed.
fn moved<'b>(before: impl Iterator<Item = &'b Adjustment>, after: &[Adjustment]) -> Vec<i64> {
    let was: HashMap<i64, i64> = before.map(|adjustment| (adjustment.id, adjustment.position)).collect();
    let elsewhere = |adjustment: &&Adjustment| was.get(&adjustment.id) != Some(&adjustment.position);
    after.iter().filter(elsewhere).map(|adjustment| adjustment.id).collect()
}
