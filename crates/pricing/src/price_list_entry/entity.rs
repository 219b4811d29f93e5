//! What an article costs in a price list.

use kernel::{Decimal, Instant, Unit};
use sea_orm::entity::prelude::*;

use crate::{price_list_entry::HeldEntry, price_side::Tiers};

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "price_list_entry")]
pub struct Model {
    #[sea_orm(primary_key)]
    pub id: i64,
    /// Who owns the list; 0: a group of tenants does.
    pub tenant_id: i64,
    pub price_list_id: i64,
    pub article_id: i64,
    /// The article number, for the history.
    pub name: String,
    /// None: there is a price from the first tier on.
    pub price: Option<Decimal>,
    pub price_quantity: Option<Decimal>,
    pub price_unit: Option<Unit>,
    #[sea_orm(column_type = "JsonBinary", nullable)]
    pub bulk_prices: Option<Tiers>,
    /// What was wanted and looks like a mistake, until somebody releases it.
    #[sea_orm(column_type = "JsonBinary", nullable)]
    pub held: Option<HeldEntry>,
    pub version: i64,
    /// The number of its last change, once it has one.
    pub change: Option<i64>,
    pub created_at: Instant,
    pub updated_at: Instant,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
