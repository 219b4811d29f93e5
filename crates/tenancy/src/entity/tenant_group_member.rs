//! Table of the members of tenant groups.

use sea_orm::entity::prelude::*;

/// Row of the table `tenant_group_member`: membership of a tenant in a group.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "tenant_group_member")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub tenant_group_id: i64,
    #[sea_orm(primary_key, auto_increment = false)]
    pub tenant_id: i64,
}

/// Relations to other tables; none is declared.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
