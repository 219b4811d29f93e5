//! Table of days on which warehouses are closed.

use chrono::NaiveDate;
use sea_orm::entity::prelude::*;
use values::{Instant, TenantId};

/// Row of the table `closure`: a day on which one or all warehouses of a tenant are closed.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "closure")]
pub struct Model {
    #[sea_orm(primary_key)]
    pub id: i64,
    pub tenant_id: TenantId,
    /// Id of the warehouse; `None` for all of the tenant.
    pub warehouse_id: Option<i64>,
    /// Same id with 0 for all, because unique columns must not be NULL.
    pub warehouse_key: i64,
    pub date: NaiveDate,
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
