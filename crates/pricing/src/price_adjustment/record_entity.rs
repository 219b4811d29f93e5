//! Table of the records that price adjustments name, as targets or in conditions: exactly one of the ids is
//! set.

use sea_orm::entity::prelude::*;
use values::TenantId;

/// Row of the table `price_adjustment_record`: a record that an adjustment names, by exactly one id.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "price_adjustment_record")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub tenant_id: TenantId,
    #[sea_orm(primary_key, auto_increment = false)]
    pub adjustment_id: i64,
    /// Position among the adjustment's records, from 1; makes the key unique and has no other meaning.
    #[sea_orm(primary_key, auto_increment = false)]
    pub number: i64,
    pub article_id: Option<i64>,
    pub article_type_id: Option<i64>,
    pub category_id: Option<i64>,
    pub material_id: Option<i64>,
    pub processing_id: Option<i64>,
    pub warehouse_id: Option<i64>,
    pub named_tenant_group_id: Option<i64>,
}

/// Relations of the table `price_adjustment_record`: none are declared.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
