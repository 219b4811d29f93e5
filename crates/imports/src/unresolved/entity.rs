//! Unresolved numbers.

use sea_orm::entity::prelude::*;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use values::{Instant, TenantId};

/// Kind of record that a number identifies.
#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Serialize,
    Deserialize,
    ToSchema,
    EnumIter,
    DeriveActiveEnum,
)]
#[sea_orm(rs_type = "String", db_type = "String(StringLen::N(16))")]
#[serde(rename_all = "snake_case")]
#[schema(as = UnresolvedKind)]
pub enum Kind {
    #[sea_orm(string_value = "article")]
    Article,
    #[sea_orm(string_value = "warehouse")]
    Warehouse,
    /// Number of the tenant in the other system.
    #[sea_orm(string_value = "tenant")]
    Tenant,
}

/// State of an unresolved number.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema, EnumIter, DeriveActiveEnum,
)]
#[sea_orm(rs_type = "String", db_type = "String(StringLen::N(16))")]
#[serde(rename_all = "snake_case")]
#[schema(as = UnresolvedState)]
pub enum State {
    #[sea_orm(string_value = "open")]
    Open,
    /// Marked as irrelevant.
    #[sea_orm(string_value = "ignored")]
    Ignored,
}

/// Row of the table `unresolved_number`.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "unresolved_number")]
pub struct Model {
    #[sea_orm(primary_key)]
    pub id: i64,
    pub tenant_id: TenantId,
    pub kind: Kind,
    /// Number in its first spelling.
    pub number: String,
    pub number_fold: String,
    pub number_sort: String,
    /// Latest name of the article, the warehouse or the tenant in a file; empty if no file had one.
    pub designation: String,
    pub designation_fold: String,
    /// GTIN from a document of the other system; empty without one.
    pub gtin: String,
    pub state: State,
    /// Number of rows in which it was seen; 0 if only a document of the other system names it.
    pub times: i64,
    /// Import in which it was seen last; `None` for a call.
    pub import_id: Option<i64>,
    pub version: i64,
    /// Time at which it was seen first.
    pub created_at: Instant,
    pub updated_at: Instant,
}

/// Relations of the table `unresolved_number`.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
