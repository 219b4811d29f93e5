//! Table of the ranges of commercial lengths, from the lowest to the highest; lengths are in the base unit.

use sea_orm::entity::prelude::*;
use values::Decimal;

/// Row of the table `trade_dimension_cluster`: one range of a commercial length and the length that it is
/// invoiced with.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "trade_dimension_cluster")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub trade_dimension_id: i64,
    #[sea_orm(primary_key, auto_increment = false)]
    pub position: i64,
    pub short_code: String,
    pub short_code_fold: String,
    pub minimum: Option<Decimal>,
    pub maximum: Option<Decimal>,
    pub calculation_value: Decimal,
}

/// Relations to other tables; none is declared.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
