//! Table of commercial lengths.

use sea_orm::entity::prelude::*;
use values::Instant;

/// Row of the table `trade_dimension`: a commercial length, without its ranges.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "trade_dimension")]
pub struct Model {
    #[sea_orm(primary_key)]
    pub id: i64,
    pub name: String,
    pub name_fold: String,
    pub name_sort: String,
    pub version: i64,
    pub created_at: Instant,
    pub updated_at: Instant,
}

/// Relations to other tables; none is declared.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
