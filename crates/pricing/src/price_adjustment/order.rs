//! Order in which adjustments are applied: explicit, without equal positions, changed as a whole.

use sea_orm::sea_query::LockType;
use values::order::check_order;

use super::{
    ActiveModel, Column, ConnectionTrait, Database, Deserialize, PriceAdjustment, PriceAdjustments,
    QueryOrder, QuerySelect, Result, Scope, Set, ToSchema, Validate, Validated, Write, matching, tidy,
};

/// New order of all adjustments of a tenant.
#[derive(Debug, Clone, Deserialize, ToSchema, Validate)]
#[serde(deny_unknown_fields)]
#[schema(as = PriceAdjustmentOrder, example = json!({ "ids": [9, 7, 8], "seen": [7, 8, 9] }))]
pub struct OrderInput {
    /// All ids, each once, in the new order.
    #[schema(max_items = 200)]
    #[validate(length(max = 200))]
    pub ids: Vec<i64>,
    /// Order that was edited. If it is not the current one, the call is rejected.
    #[schema(max_items = 200)]
    #[validate(length(max = 200))]
    pub seen: Vec<i64>,
}

tidy!(OrderInput:);

/// Reorders all adjustments of the acting tenant. Those that move are changed, with an entry in their
/// history.
///
/// # Errors
/// The order was changed, or an adjustment was created or deleted, since it was read; ids that are missing,
/// unknown or duplicate.
pub async fn reorder(db: &Database, scope: &Scope, input: impl Into<Validated<OrderInput>>) -> Result<()> {
    let input = input.into();
    input.broken().clone().check()?;
    scope.tenant()?;
    let tx = db.begin().await?;
    arrange(&tx, scope, input).await?;
    tx.commit().await
}

/// Like [`reorder`], in a transaction that the caller commits.
pub(crate) async fn arrange(
    tx: &Write,
    scope: &Scope,
    input: impl Into<Validated<OrderInput>>,
) -> Result<()> {
    let OrderInput { ids, seen } = input.into().valid()?;
    // locks before reading, so that a call that waited for the lock reads the new order
    matching::lock_tenant(tx, scope).await?;
    let rows = ordered(tx, scope).await?;
    let current: Vec<i64> = rows.iter().map(|row| row.id).collect();
    check_order(&ids, &seen, &current)?;
    let moved = rows.into_iter().filter_map(|row| {
        let position = (1..).zip(&ids).find(|(_, id)| **id == row.id).map(|(position, _)| position)?;
        (position != row.position)
            .then(|| (row, ActiveModel { position: Set(position), ..Default::default() }))
    });
    let moved: Vec<_> = moved.collect();
    let ids: Vec<i64> = moved.iter().map(|(row, _)| row.id).collect();
    scope.vacate_positions::<PriceAdjustments>(tx, Column::Position, &ids).await?;
    scope.update_many::<PriceAdjustments>(tx, moved).await?;
    Ok(())
}

/// Loads all adjustments in their order, with a lock.
async fn ordered(tx: &impl ConnectionTrait, scope: &Scope) -> Result<Vec<PriceAdjustment>> {
    let rows = scope.find::<PriceAdjustments>().order_by_asc(Column::Position).order_by_asc(Column::Id);
    Ok(rows.lock(LockType::NoKeyUpdate).all(tx).await?)
}
