//! Table of the values of surcharge tables, by row and month.

use sea_orm::entity::prelude::*;
use values::{Decimal, TenantId};

/// Row of the table `surcharge_value`: the value of a row of a surcharge table in a month.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "surcharge_value")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub tenant_id: TenantId,
    #[sea_orm(primary_key, auto_increment = false)]
    pub surcharge_table_id: i64,
    /// Id of the material or the article type, which identifies the row.
    #[sea_orm(primary_key, auto_increment = false)]
    pub key_id: i64,
    /// Month in the form `2026-12`.
    #[sea_orm(primary_key, auto_increment = false)]
    pub month: String,
    pub material_id: Option<i64>,
    pub article_type_id: Option<i64>,
    /// Surcharge in EUR per tonne.
    pub value: Decimal,
}

/// Relations of the table `surcharge_value`: none are declared.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
