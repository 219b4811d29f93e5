//! Table of the records that the lines of sample carts name: exactly one of the ids is set.

use sea_orm::entity::prelude::*;
use values::TenantId;

/// Row of the table `sample_cart_record`: a record that a line names, by exactly one id.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "sample_cart_record")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub tenant_id: TenantId,
    #[sea_orm(primary_key, auto_increment = false)]
    pub cart_id: i64,
    /// Position among the cart's records, from 1; makes the key unique and has no other meaning.
    #[sea_orm(primary_key, auto_increment = false)]
    pub number: i64,
    pub article_id: Option<i64>,
    pub warehouse_id: Option<i64>,
    pub processing_id: Option<i64>,
}

/// Relations of the table `sample_cart_record`: none are declared.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
