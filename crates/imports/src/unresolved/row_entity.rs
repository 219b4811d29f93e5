//! Rows of imports that wait for a number to be matched.

use sea_orm::entity::prelude::*;
use values::TenantId;

/// Row of the table `unresolved_row`.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "unresolved_row")]
pub struct Model {
    pub tenant_id: TenantId,
    #[sea_orm(primary_key, auto_increment = false)]
    pub unresolved_number_id: i64,
    #[sea_orm(primary_key, auto_increment = false)]
    pub import_id: i64,
    #[sea_orm(primary_key, auto_increment = false)]
    pub line: i64,
}

/// Relations of the table `unresolved_row`.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
