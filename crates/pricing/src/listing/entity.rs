//! Table of the stocks with both sides: the whole row, with the version and the time of the prices.

use logistics::stock::Availability;
use sea_orm::entity::prelude::*;
use values::{Decimal, Instant, Minutes, TenantId, Unit};

use crate::price_side::Tiers;

/// Row of the table `stock`: a stock with both sides, and the version and time of its prices.
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
    /// Length in millimetres; 0 for that of the article. The same applies to width and height.
    pub length: Decimal,
    pub width: Decimal,
    pub height: Decimal,
    pub availability_type: Availability,
    /// Quantity in the article's base unit.
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
    /// Time of the last change of prices; `None` if there never was a price.
    pub price_updated_at: Option<Instant>,
    /// Version of the quantity side.
    pub version: i64,
    /// Number of its last change, once it has one.
    pub change: Option<i64>,
    pub created_at: Instant,
    pub updated_at: Instant,
}

/// Relations of the table `stock`: none are declared.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
