//! What a tenant has of an article in a warehouse. What they ask for it stands in the same row and is written by the prices.

use kernel::{Decimal, Instant, Minutes, TenantId};
use sea_orm::entity::prelude::*;

use super::Availability;

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
    /// In millimetres; 0: that of the article.
    pub length: Decimal,
    pub width: Decimal,
    pub height: Decimal,
    pub availability_type: Availability,
    /// In the article's base unit.
    pub quantity: Option<Decimal>,
    pub lead_time: Option<Minutes>,
    pub version: i64,
    /// The number of its last change, once it has one.
    pub change: Option<i64>,
    pub created_at: Instant,
    pub updated_at: Instant,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
