//! Table of the cut-offs of warehouses.

use sea_orm::entity::prelude::*;
use values::{ClockTime, TenantId};

/// Row of the table `warehouse_cut_off`: order cut-off of a warehouse, usual or for one weekday.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "warehouse_cut_off")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub tenant_id: TenantId,
    #[sea_orm(primary_key, auto_increment = false)]
    pub warehouse_id: i64,
    /// Weekday, 1 for Monday to 7 for Sunday; 0 for every day without a row of its own.
    #[sea_orm(primary_key, auto_increment = false)]
    pub weekday: i64,
    pub cut_off: ClockTime,
}

/// Relations to other tables; none is declared.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
