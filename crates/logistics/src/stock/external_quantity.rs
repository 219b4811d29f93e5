//! Quantities of stocks that only the tenant's own system knows: the last that it has answered, and the claims of
//! processes that are asking it now.
//!
//! A claim keeps questions of all processes from asking the same twice: one process asks, the others wait for its answer
//! or its failure. A claim whose process has died ends by itself.

use std::collections::{BTreeSet, HashMap};

use kernel::{Database, Decimal, Error, Instant, Message, Result, TenantId};
use sea_orm::{
    ActiveValue::Set,
    ColumnTrait, Condition, ConnectionTrait, EntityTrait, QueryFilter,
    entity::prelude::*,
    sea_query::{Expr, OnConflict},
};

use super::{Availability, Stock};

/// A row for each stock that was asked for.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "external_quantity")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub tenant_id: TenantId,
    #[sea_orm(primary_key, auto_increment = false)]
    pub stock_id: i64,
    /// Amount in the base unit of the article.
    pub quantity: Option<Decimal>,
    /// Moment of the answer.
    pub as_of: Option<Instant>,
    /// Moment until which one process asks and all others wait.
    pub claimed_until: Option<Instant>,
    pub failed_at: Option<Instant>,
    /// The reason why the last question was not answered: a `kernel::Message` as JSON.
    pub failure: Option<String>,
}

pub use Model as KnownQuantity;

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}

/// A quantity that another system has answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ExternalQuantity {
    /// Amount in the base unit of the article.
    pub quantity: Decimal,
    pub as_of: Instant,
    /// True if it was answered for this question, or is new enough for it.
    pub is_live: bool,
}

impl KnownQuantity {
    /// The last answer, without one of the present.
    pub fn last_known(&self) -> Option<ExternalQuantity> {
        let (quantity, as_of) = self.quantity.zip(self.as_of)?;
        Some(ExternalQuantity { quantity, as_of, is_live: false })
    }

    /// The reason why the last question was not answered.
    pub fn message(&self) -> Option<Message> {
        serde_json::from_str(self.failure.as_deref()?).ok()
    }
}

fn these(tenant: TenantId, stocks: &[i64]) -> Condition {
    Condition::all().add(Column::TenantId.eq(tenant)).add(Column::StockId.is_in(stocks.iter().copied()))
}

/// The rows of some stocks, by their ids. No system is asked.
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

/// The last answers for those stocks of which only another system knows the quantity. No system is asked.
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

/// A question for stocks, which began at a moment.
#[derive(Debug, Clone, Copy)]
pub struct Claim {
    pub began: Instant,
    /// Answers since then are new enough.
    pub fresh_since: Instant,
    /// Moment at which the claim ends if its process dies.
    pub until: Instant,
}

/// Claims stocks, and returns those that this process has to ask for: not those that another one is asking for, has just
/// been answered, or has just asked for in vain.
#[expect(clippy::disallowed_methods, reason = "parts of stocks that have been found through a scope")]
pub async fn claim(db: &Database, tenant: TenantId, stocks: &[i64], claim: Claim) -> Result<Vec<i64>> {
    if stocks.is_empty() {
        return Ok(Vec::new());
    }
    // rows are locked in one order, so that no two processes wait for each other
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

/// Stores the outcome for a stock that this process has claimed, and ends the claim.
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
