//! Table of the buyers of sample carts.

use sea_orm::entity::prelude::*;
use values::TenantId;

/// Row of the table `sample_cart_buyer`: the buyer of a sample cart.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "sample_cart_buyer")]
pub struct Model {
    /// Owner of the cart.
    #[sea_orm(primary_key, auto_increment = false)]
    pub tenant_id: TenantId,
    #[sea_orm(primary_key, auto_increment = false)]
    pub cart_id: i64,
    #[sea_orm(primary_key, auto_increment = false)]
    pub buyer_id: i64,
}

/// Relations of the table `sample_cart_buyer`: none are declared.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
