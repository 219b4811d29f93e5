//! What an import into a price list keeps aside until all of its file becomes effective.

use sea_orm::entity::prelude::*;

/// The prices that one batch of rows wants.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "price_list_stage")]
pub struct Model {
    pub tenant_id: i64,
    pub import_id: i64,
    /// The last one of the batch. Unique in its import only: with it and the tenant it is the key.
    #[sea_orm(primary_key, auto_increment = false)]
    pub line: i64,
    /// JSON that only the import reads.
    pub prices: String,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
