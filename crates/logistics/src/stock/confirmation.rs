//! Confirmations of stocks: time at which an import last wrote a stock or found that it matches the file. Most
//! stocks of a daily file match it, so nothing is written into the stock itself.

use std::collections::HashMap;

use sea_orm::{
    ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter, QuerySelect,
    entity::prelude::*,
    sea_query::{Expr, ExprTrait, OnConflict, Query, SimpleExpr},
};
use store::{Scope, Write};
use values::{Instant, Result, TenantId, now};

use super::{Stocks, entity::Column as StockColumn};

/// Row of the table `stock_confirmation`, one for each stock that an import has named.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "stock_confirmation")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub tenant_id: TenantId,
    #[sea_orm(primary_key, auto_increment = false)]
    pub stock_id: i64,
    pub confirmed_at: Instant,
}

/// Relations of the table `stock_confirmation`.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}

/// Records that a file wrote stocks of the tenant or found that they match.
pub async fn confirm(tx: &Write, scope: &Scope, stocks: &[i64]) -> Result<()> {
    if stocks.is_empty() {
        return Ok(());
    }
    let tenant = scope.tenant()?;
    let confirmed = Query::select()
        .columns([StockColumn::TenantId, StockColumn::Id])
        .expr(Expr::val(now()))
        .from(Stocks)
        .and_where(StockColumn::TenantId.eq(tenant))
        .and_where(StockColumn::Id.is_in(stocks.iter().copied()))
        .take();
    let same = OnConflict::columns([Column::TenantId, Column::StockId])
        .update_column(Column::ConfirmedAt)
        .to_owned();
    let mut insert = Query::insert();
    insert.into_table(Entity).columns([Column::TenantId, Column::StockId, Column::ConfirmedAt]);
    insert.select_from(confirmed).map_err(values::Error::internal)?.on_conflict(same);
    tx.for_tenant(Some(tenant)).execute(&insert).await?;
    Ok(())
}

/// Loads the times at which stocks of these tenants were confirmed.
#[expect(clippy::disallowed_methods, reason = "parts of stocks that have been found through a scope")]
pub async fn load(
    db: &impl ConnectionTrait,
    tenants: impl IntoIterator<Item = TenantId>,
    stocks: Vec<i64>,
) -> Result<HashMap<i64, Instant>> {
    let mut tenants: Vec<TenantId> = tenants.into_iter().collect();
    tenants.sort_unstable();
    tenants.dedup();
    let rows = Entity::find()
        .select_only()
        .columns([Column::StockId, Column::ConfirmedAt])
        .filter(Column::TenantId.is_in(tenants))
        .filter(Column::StockId.is_in(stocks));
    Ok(rows.into_tuple::<(i64, Instant)>().all(db).await?.into_iter().collect())
}

/// Condition: the stock was confirmed since then.
pub(super) fn is_since(moment: Value) -> SimpleExpr {
    let confirmation = |column: Column| Expr::col((Entity, column));
    let confirmations = Query::select()
        .expr(Expr::val(1))
        .from(Entity)
        .and_where(confirmation(Column::TenantId).equals((Stocks, StockColumn::TenantId)))
        .and_where(confirmation(Column::StockId).equals((Stocks, StockColumn::Id)))
        .and_where(confirmation(Column::ConfirmedAt).gte(moment))
        .take();
    Expr::exists(confirmations)
}
