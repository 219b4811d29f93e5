//! Table of stocks, the quantity side. Prices are in the same row and are written by the price side.

use sea_orm::entity::prelude::*;
use values::{Decimal, Instant, Minutes, TenantId};

use super::Availability;

/// Row of the table `stock`: quantity of an article in a warehouse, with its availability and lead time.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "stock")]
pub struct Model {
    #[sea_orm(primary_key)]
    pub id: i64,
    pub tenant_id: TenantId,
    /// Article number and warehouse, for the history.
    pub name: String,
    pub article_id: i64,
    pub warehouse_id: i64,
    /// Length in millimetres, like width and height; 0 for that of the article.
    pub length: Decimal,
    pub width: Decimal,
    pub height: Decimal,
    pub availability_type: Availability,
    /// Quantity in the article's base unit.
    pub quantity: Option<Decimal>,
    pub lead_time: Option<Minutes>,
    pub version: i64,
    /// Number of its last change in the change feed; `None` until the first one is numbered.
    pub change: Option<i64>,
    pub created_at: Instant,
    pub updated_at: Instant,
}

/// Relations to other tables; none is declared.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
