//! Result of a row.

use std::collections::BTreeMap;

use sea_orm::{FromJsonQueryResult, entity::prelude::*};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::import::refusal::Faults;

/// Result of a row.
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
    /// The record already had the values of the row; nothing was written.
    #[sea_orm(string_value = "unchanged")]
    Unchanged,
    /// The row was refused; the errors contain the reasons.
    #[sea_orm(string_value = "refused")]
    Refused,
    /// A value is implausible and waits for a release; the warnings name it.
    #[sea_orm(string_value = "held")]
    Held,
    /// The row contains a number without a matching, and waits until it is matched.
    #[sea_orm(string_value = "unresolved")]
    Unresolved,
    /// The record was removed, by the row or by a file that replaces all records.
    #[sea_orm(string_value = "removed")]
    Removed,
    /// The record does not exist, and only existing records were to be changed.
    #[sea_orm(string_value = "skipped")]
    Skipped,
    /// The record was edited since, so an undo left it unchanged.
    #[sea_orm(string_value = "kept")]
    Kept,
}

/// Unchanged rows by their offset from the first line: id and name of each record.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, FromJsonQueryResult)]
pub struct PackedRows(pub(super) BTreeMap<i64, (i64, String)>);

/// Row of the table `import_row`.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "import_row")]
pub struct Model {
    pub tenant_id: i64,
    pub import_id: i64,
    /// Line number, unique within the import: the primary key consists of tenant, import and line.
    #[sea_orm(primary_key, auto_increment = false)]
    pub line: i64,
    pub outcome: Outcome,
    /// Table and id of the record.
    pub record: String,
    pub record_id: Option<i64>,
    /// Name of the record at that time.
    pub record_name: String,
    #[sea_orm(column_type = "JsonBinary", nullable)]
    pub before: Option<Json>,
    #[sea_orm(column_type = "JsonBinary", nullable)]
    pub after: Option<Json>,
    /// Warnings about an accepted row.
    #[sea_orm(column_type = "JsonBinary", nullable)]
    pub warnings: Option<Faults>,
    /// Largest change of the record's values that are checked for plausibility, in percent, up or down.
    #[sea_orm(column_name = "price_change")]
    pub change_percent: Option<values::Decimal>,
    /// Number of the month at whose end the row is deleted.
    pub last_month: i32,
    /// Unchanged rows that this row represents; `None` for a single row.
    #[sea_orm(column_type = "Json", nullable)]
    pub packed: Option<PackedRows>,
}

/// Relations of the table `import_row`.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
