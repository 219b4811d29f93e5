//! What an import did with a row.

use sea_orm::entity::prelude::*;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::import::refusal::Faults;

/// What became of a row.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema, EnumIter, DeriveActiveEnum,
)]
#[sea_orm(rs_type = "String", db_type = "String(StringLen::N(16))")]
#[serde(rename_all = "snake_case")]
#[schema(as = ImportRowOutcome)]
pub enum Outcome {
    #[sea_orm(string_value = "created")]
    Created,
    #[sea_orm(string_value = "updated")]
    Updated,
    /// The record already was as the row says: nothing was written.
    #[sea_orm(string_value = "unchanged")]
    Unchanged,
    /// The errors say why.
    #[sea_orm(string_value = "refused")]
    Refused,
    /// Something of it looks like a mistake and waits for a release: the warnings say what.
    #[sea_orm(string_value = "held")]
    Held,
    /// It names what nothing matches, and waits until that is matched.
    #[sea_orm(string_value = "unresolved")]
    Unresolved,
    /// The record went: the row, or a file that replaces all, says so.
    #[sea_orm(string_value = "removed")]
    Removed,
    /// There is no such record, and only what there is was to be changed.
    #[sea_orm(string_value = "skipped")]
    Skipped,
    /// Of an undo: somebody has edited the record since, and it stays as it is.
    #[sea_orm(string_value = "kept")]
    Kept,
}

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
    /// The largest change of a guarded value of the record, in percent, up or down.
    #[sea_orm(column_name = "price_change")]
    pub change_percent: Option<kernel::Decimal>,
    /// The number of the month at whose end the row is forgotten.
    pub last_month: i32,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
