//! Numbers that nothing matches.

use kernel::{Instant, TenantId};
use sea_orm::entity::prelude::*;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// What a number is a number of.
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
    /// What the other system calls the tenant.
    #[sea_orm(string_value = "tenant")]
    Tenant,
}

/// Whether somebody cares about a number.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema, EnumIter, DeriveActiveEnum,
)]
#[sea_orm(rs_type = "String", db_type = "String(StringLen::N(16))")]
#[serde(rename_all = "snake_case")]
#[schema(as = UnresolvedState)]
pub enum State {
    #[sea_orm(string_value = "open")]
    Open,
    /// Nobody wants to hear of it.
    #[sea_orm(string_value = "ignored")]
    Ignored,
}

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "unresolved_number")]
pub struct Model {
    #[sea_orm(primary_key)]
    pub id: i64,
    pub tenant_id: TenantId,
    pub kind: Kind,
    /// As it was seen first.
    pub number: String,
    pub number_fold: String,
    pub number_sort: String,
    /// What a file last called the article, the warehouse or the tenant; empty where none did.
    pub designation: String,
    pub designation_fold: String,
    /// As a document of the other system says it; empty where none does.
    pub gtin: String,
    pub state: State,
    /// In how many rows it was seen; 0 of one that only a document of the other system names.
    pub times: i64,
    /// The import that saw it last; none: a call.
    pub import_id: Option<i64>,
    pub version: i64,
    /// When it was seen first.
    pub created_at: Instant,
    pub updated_at: Instant,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
