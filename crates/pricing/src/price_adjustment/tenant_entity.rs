//! A tenant that a price adjustment names, as one who buys or in its conditions.

use kernel::TenantId;
use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "price_adjustment_tenant")]
pub struct Model {
    /// Whose the adjustment is.
    #[sea_orm(primary_key, auto_increment = false)]
    pub tenant_id: TenantId,
    #[sea_orm(primary_key, auto_increment = false)]
    pub adjustment_id: i64,
    #[sea_orm(primary_key, auto_increment = false)]
    pub named_tenant_id: i64,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
