//! Table of the members of tenant groups.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "tenant_group_member")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub tenant_group_id: i64,
    #[sea_orm(primary_key, auto_increment = false)]
    pub tenant_id: i64,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
