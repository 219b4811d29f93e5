//! Table of the prices in price lists.

use sea_orm::entity::prelude::*;
use values::{Decimal, Instant, Unit};

use crate::{price_list_entry::HeldEntry, price_side::Tiers};

/// Row of the table `price_list_entry`: the price of an article in a price list.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "price_list_entry")]
pub struct Model {
    #[sea_orm(primary_key)]
    pub id: i64,
    /// Owner of the list; 0 if it is a group of tenants.
    pub tenant_id: i64,
    pub price_list_id: i64,
    pub article_id: i64,
    /// Article number, for the history.
    pub name: String,
    /// Base price; `None` if there are only quantity breaks.
    pub price: Option<Decimal>,
    pub price_quantity: Option<Decimal>,
    pub price_unit: Option<Unit>,
    #[sea_orm(column_type = "JsonBinary", nullable)]
    pub bulk_prices: Option<Tiers>,
    /// Implausible price under review.
    #[sea_orm(column_type = "JsonBinary", nullable)]
    pub held: Option<HeldEntry>,
    pub version: i64,
    /// Number of its last change, once it has one.
    pub change: Option<i64>,
    pub created_at: Instant,
    pub updated_at: Instant,
}

/// Relations of the table `price_list_entry`: none are declared.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
