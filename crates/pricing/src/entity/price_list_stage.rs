//! What an import into a price list keeps aside until all of its file becomes effective.

use kernel::{Decimal, Unit};
use sea_orm::entity::prelude::*;

use crate::{price_list_entry::HeldEntry, price_list_import::Staging, price_side::Tiers};

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "price_list_stage")]
pub struct Model {
    pub tenant_id: i64,
    pub import_id: i64,
    /// Unique in its import only: with it and the tenant it is the key.
    #[sea_orm(primary_key, auto_increment = false)]
    pub line: i64,
    /// The price, or the one that will be made.
    pub price_id: i64,
    pub article_id: i64,
    /// The version of the price that the row was judged beside; 0: there was none.
    pub base_version: i64,
    pub becomes: Staging,
    pub name: String,
    pub price: Option<Decimal>,
    pub price_quantity: Option<Decimal>,
    pub price_unit: Option<Unit>,
    #[sea_orm(column_type = "JsonBinary", nullable)]
    pub bulk_prices: Option<Tiers>,
    #[sea_orm(column_type = "JsonBinary", nullable)]
    pub held: Option<HeldEntry>,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
