//! What an import did with a row.

use sea_orm::entity::prelude::*;

use super::Outcome;
use crate::import::refusal::Faults;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "import_row")]
pub struct Model {
    pub tenant_id: i64,
    pub import_id: i64,
    /// Unique in its import only: with it and the tenant it is the key.
    #[sea_orm(primary_key, auto_increment = false)]
    pub line: i64,
    pub outcome: Outcome,
    /// The table and the id of the record.
    pub record: String,
    pub record_id: Option<i64>,
    /// What the record was called then.
    pub record_name: String,
    #[sea_orm(column_type = "JsonBinary", nullable)]
    pub before: Option<Json>,
    #[sea_orm(column_type = "JsonBinary", nullable)]
    pub after: Option<Json>,
    /// What there is to say of a row that was accepted.
    #[sea_orm(column_type = "JsonBinary", nullable)]
    pub warnings: Option<Faults>,
    /// By how many percent a price of the record has changed, up or down.
    pub price_change: Option<kernel::Decimal>,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
