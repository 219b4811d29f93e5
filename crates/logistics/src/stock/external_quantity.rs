//! Quantities of stocks that only the tenant's own system has: its last answer, and the claims of processes
//! that are querying it.
//!
//! A claim prevents that several processes query the same stock: one does, the others wait for its answer or
//! failure. The claim of a crashed process expires.

use std::collections::{BTreeSet, HashMap};

use sea_orm::{
    ActiveValue::Set,
    ColumnTrait, Condition, ConnectionTrait, EntityTrait, QueryFilter,
    entity::prelude::*,
    sea_query::{Expr, OnConflict},
};
use store::Database;
use values::{Decimal, Error, Instant, Message, Result, TenantId};

use super::{Availability, Stock};

/// Last answer and claim of a stock.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "external_quantity")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub tenant_id: TenantId,
    #[sea_orm(primary_key, auto_increment = false)]
    pub stock_id: i64,
    /// Amount in the base unit of the article.
    pub quantity: Option<Decimal>,
    /// Time of the answer.
    pub as_of: Option<Instant>,
    /// Time until which one process queries the system and all others wait.
    pub claimed_until: Option<Instant>,
    pub failed_at: Option<Instant>,
    /// Reason why the last query failed: a `values::Message` as JSON.
    pub failure: Option<String>,
}

pub use Model as KnownQuantity;

/// Relations to other tables; none is declared.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}

/// Quantity that another system has answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ExternalQuantity {
    /// Amount in the base unit of the article.
    pub quantity: Decimal,
    pub as_of: Instant,
    /// True if it was answered for this request, or is recent enough for it.
    pub is_live: bool,
}

impl KnownQuantity {
    /// Last answer, marked as not live.
    pub fn last_known(&self) -> Option<ExternalQuantity> {
        let (quantity, as_of) = self.quantity.zip(self.as_of)?;
        Some(ExternalQuantity { quantity, as_of, is_live: false })
    }

    /// Reason why the last query failed.
    pub fn message(&self) -> Option<Message> {
        serde_json::from_str(self.failure.as_deref()?).ok()
    }
}

fn these(tenant: TenantId, stocks: &[i64]) -> Condition {
    Condition::all().add(Column::TenantId.eq(tenant)).add(Column::StockId.is_in(stocks.iter().copied()))
}

/// Loads the rows of stocks, by stock id. No system is queried.
#[expect(clippy::disallowed_methods, reason = "parts of stocks that have been found through a scope")]
pub async fn load(
    db: &impl ConnectionTrait,
    tenant: TenantId,
    stocks: &[i64],
) -> Result<HashMap<i64, KnownQuantity>> {
    if stocks.is_empty() {
        return Ok(HashMap::new());
    }
    let rows = Entity::find().filter(these(tenant, stocks)).all(db).await?;
    Ok(rows.into_iter().map(|row| (row.stock_id, row)).collect())
}

/// Loads the last answers for stocks whose quantity only another system has. No system is queried.
#[expect(clippy::disallowed_methods, reason = "parts of stocks that have been found through a scope")]
pub(super) async fn last_known(
    db: &impl ConnectionTrait,
    stocks: &[Stock],
) -> Result<HashMap<i64, ExternalQuantity>> {
    let external = || stocks.iter().filter(|stock| stock.availability_type == Availability::ExternalApi);
    if external().next().is_none() {
        return Ok(HashMap::new());
    }
    let rows = Entity::find()
        .filter(Column::TenantId.is_in(external().map(|stock| stock.tenant_id)))
        .filter(Column::StockId.is_in(external().map(|stock| stock.id)));
    let rows = rows.all(db).await?;
    Ok(rows.into_iter().filter_map(|row| Some((row.stock_id, row.last_known()?))).collect())
}

/// Parameters of a claim on stocks.
#[derive(Debug, Clone, Copy)]
pub struct Claim {
    pub began: Instant,
    /// Time from which answers are recent enough.
    pub fresh_since: Instant,
    /// Time at which the claim of a crashed process expires.
    pub until: Instant,
}

/// Claims stocks and returns those that this process has to query: not those that another one is querying,
/// that were just answered, or whose query has just failed.
#[expect(clippy::disallowed_methods, reason = "parts of stocks that have been found through a scope")]
pub async fn claim(db: &Database, tenant: TenantId, stocks: &[i64], claim: Claim) -> Result<Vec<i64>> {
    if stocks.is_empty() {
        return Ok(Vec::new());
    }
    // Rows are locked in one order, to avoid deadlocks.
    let stocks: BTreeSet<i64> = stocks.iter().copied().collect();
    let tx = db.begin().await?;
    let rows = stocks.iter().map(|stock| ActiveModel {
        tenant_id: Set(tenant),
        stock_id: Set(*stock),
        ..Default::default()
    });
    let same = OnConflict::columns([Column::TenantId, Column::StockId]).do_nothing().to_owned();
    Entity::insert_many(rows).on_conflict(same).exec_without_returning(&tx).await?;
    let since =
        |column: Column, moment: Instant| Condition::any().add(column.is_null()).add(column.lt(moment));
    let mut claimed = Vec::new();
    for stock in stocks {
        let update = Entity::update_many()
            .col_expr(Column::ClaimedUntil, Expr::value(claim.until))
            .filter(these(tenant, &[stock]))
            .filter(since(Column::ClaimedUntil, claim.began))
            .filter(since(Column::AsOf, claim.fresh_since))
            .filter(since(Column::FailedAt, claim.began));
        if update.exec(&tx).await?.rows_affected == 1 {
            claimed.push(stock);
        }
    }
    tx.commit().await?;
    Ok(claimed)
}

/// Stores the results for stocks that this process has claimed, and ends the claims.
#[expect(clippy::disallowed_methods, reason = "parts of stocks that this process has claimed")]
pub async fn store(
    db: &Database,
    tenant: TenantId,
    mut outcomes: Vec<(i64, Result<Decimal, Message>)>,
    at: Instant,
) -> Result<()> {
    outcomes.sort_by_key(|(stock, _)| *stock);
    let tx = db.begin().await?;
    for (stock, outcome) in &outcomes {
        let update = Entity::update_many().col_expr(Column::ClaimedUntil, Expr::value(None::<Instant>));
        let update = match outcome {
            Ok(quantity) => update
                .col_expr(Column::Quantity, Expr::value(*quantity))
                .col_expr(Column::AsOf, Expr::value(at))
                .col_expr(Column::FailedAt, Expr::value(None::<Instant>))
                .col_expr(Column::Failure, Expr::value(None::<String>)),
            Err(message) => {
                let text = serde_json::to_string(message).map_err(Error::internal)?;
                update
                    .col_expr(Column::FailedAt, Expr::value(at))
                    .col_expr(Column::Failure, Expr::value(text))
            }
        };
        update.filter(these(tenant, std::slice::from_ref(stock))).exec(&tx).await?;
    }
    tx.commit().await
}
