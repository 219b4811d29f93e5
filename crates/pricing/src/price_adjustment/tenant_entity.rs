//! Table of the tenants that price adjustments name, as buyers or in conditions.

use sea_orm::entity::prelude::*;
use values::TenantId;

/// Row of the table `price_adjustment_tenant`: a tenant that an adjustment names.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "price_adjustment_tenant")]
pub struct Model {
    /// Owner of the adjustment.
    #[sea_orm(primary_key, auto_increment = false)]
    pub tenant_id: TenantId,
    #[sea_orm(primary_key, auto_increment = false)]
    pub adjustment_id: i64,
    #[sea_orm(primary_key, auto_increment = false)]
    pub named_tenant_id: i64,
}

/// Relations of the table `price_adjustment_tenant`: none are declared.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
