//! A stock as an offer: the whole row, of which the version and the time are those of its prices.

use kernel::{Decimal, Instant, Minutes, TenantId, Unit};
use logistics::stock::Availability;
use sea_orm::entity::prelude::*;

use crate::price_side::Tiers;

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
    pub internal_price: Option<Decimal>,
    pub internal_price_quantity: Option<Decimal>,
    pub internal_price_unit: Option<Unit>,
    #[sea_orm(column_type = "JsonBinary", nullable)]
    pub internal_bulk_prices: Option<Tiers>,
    pub external_price: Option<Decimal>,
    pub external_price_quantity: Option<Decimal>,
    pub external_price_unit: Option<Unit>,
    #[sea_orm(column_type = "JsonBinary", nullable)]
    pub external_bulk_prices: Option<Tiers>,
    pub price_version: i64,
    /// None as long as it never had a price.
    pub price_updated_at: Option<Instant>,
    /// Of the quantity side.
    pub version: i64,
    /// The number of its last change, once it has one.
    pub change: Option<i64>,
    pub created_at: Instant,
    pub updated_at: Instant,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
