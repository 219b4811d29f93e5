//! Table of roles.

use sea_orm::entity::prelude::*;
use values::Instant;

/// Row of the table `role`: a role, without its permissions.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "role")]
pub struct Model {
    #[sea_orm(primary_key)]
    pub id: i64,
    /// Tenant of the role; `None` if every tenant can use it.
    pub tenant_id: Option<values::TenantId>,
    pub name: String,
    pub name_fold: String,
    pub version: i64,
    pub created_at: Instant,
    pub updated_at: Instant,
}

/// Relations to other tables; none is declared.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
