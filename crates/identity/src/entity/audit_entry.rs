//! Entries of the audit, written by the kernel and only read here.

use kernel::Instant;
use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "audit_entry")]
pub struct Model {
    #[sea_orm(primary_key)]
    pub id: i64,
    pub at: Instant,
    pub action: String,
    pub record: String,
    pub record_id: Option<i64>,
    /// Empty where the record had no name.
    pub record_name: String,
    pub tenant_id: Option<i64>,
    pub user_id: Option<i64>,
    pub channel: String,
    pub channel_id: Option<i64>,
    /// Empty but for signing in.
    pub address: String,
    /// The request that did it; empty where there was none.
    pub request: String,
    /// The entry that it takes back.
    pub undoes: Option<i64>,
    #[sea_orm(column_type = "JsonBinary")]
    pub changes: Json,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
