//! Table of the tenants that price lists name.

use sea_orm::entity::prelude::*;

/// Row of the table `price_list_tenant`: a tenant that a price list names.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "price_list_tenant")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub price_list_id: i64,
    #[sea_orm(primary_key, auto_increment = false)]
    pub tenant_id: i64,
}

/// Relations of the table `price_list_tenant`: none are declared.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
