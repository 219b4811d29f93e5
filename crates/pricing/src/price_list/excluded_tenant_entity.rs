//! Table of the tenants that price lists exclude.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "price_list_excluded_tenant")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub price_list_id: i64,
    #[sea_orm(primary_key, auto_increment = false)]
    pub tenant_id: i64,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
