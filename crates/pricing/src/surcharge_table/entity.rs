//! Table of the surcharge tables, without their values.

use sea_orm::entity::prelude::*;
use values::{Instant, TenantId};

use crate::surcharge_table::surcharges::{KeyedBy, SurchargeKind};

/// Row of the table `surcharge_table`: a surcharge table, without its values.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "surcharge_table")]
pub struct Model {
    #[sea_orm(primary_key)]
    pub id: i64,
    pub tenant_id: TenantId,
    pub name: String,
    pub name_fold: String,
    pub name_sort: String,
    pub kind: SurchargeKind,
    pub keyed_by: KeyedBy,
    /// Base table, from which missing values are taken.
    pub base_table_id: Option<i64>,
    pub version: i64,
    pub created_at: Instant,
    pub updated_at: Instant,
}

/// Relations of the table `surcharge_table`: none are declared.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
