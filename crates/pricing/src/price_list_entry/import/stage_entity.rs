//! Table of the staged prices of imports into price lists.

use sea_orm::entity::prelude::*;

/// Prices of one batch of rows.
/// Row of the table `price_list_stage`: the staged prices of a batch of an import.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "price_list_stage")]
pub struct Model {
    pub tenant_id: i64,
    pub import_id: i64,
    /// Last line of the batch. It is unique within an import only; the key consists of it, the import and the
    /// tenant.
    #[sea_orm(primary_key, auto_increment = false)]
    pub line: i64,
    /// JSON that only the import reads.
    pub prices: String,
}

/// Relations of the table `price_list_stage`: none are declared.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
