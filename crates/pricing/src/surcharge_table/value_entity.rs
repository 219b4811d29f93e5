//! What a table of surcharges says of a material or an article type in a month.

use kernel::{Decimal, TenantId};
use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "surcharge_value")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub tenant_id: TenantId,
    #[sea_orm(primary_key, auto_increment = false)]
    pub surcharge_table_id: i64,
    /// The material or the article type: what tells rows apart.
    #[sea_orm(primary_key, auto_increment = false)]
    pub key_id: i64,
    /// `2026-12`.
    #[sea_orm(primary_key, auto_increment = false)]
    pub month: String,
    pub material_id: Option<i64>,
    pub article_type_id: Option<i64>,
    /// EUR a tonne.
    pub value: Decimal,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
