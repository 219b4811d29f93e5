//! Table of warehouses.

use sea_orm::entity::prelude::*;
use values::{Instant, Minutes, TenantId};

use crate::calendar::region::Region;

/// Row of the table `warehouse`: a warehouse, without its cut-offs and closures.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "warehouse")]
pub struct Model {
    #[sea_orm(primary_key)]
    pub id: i64,
    pub tenant_id: TenantId,
    pub name: String,
    pub name_fold: String,
    pub name_sort: String,
    pub short_code: String,
    pub short_code_fold: String,
    pub short_code_sort: String,
    pub preparation_duration_before: Minutes,
    pub address: Option<String>,
    pub address_fold: String,
    /// Region whose public holidays apply there; `None` for that of the installation.
    pub region: Option<Region>,
    pub version: i64,
    /// Number of its last change in the change feed; `None` until the first one is numbered.
    pub change: Option<i64>,
    pub created_at: Instant,
    pub updated_at: Instant,
}

/// Relations to other tables; none is declared.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
