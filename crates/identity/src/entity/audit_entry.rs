//! Table of history entries, written by `store` and only read here.

use sea_orm::entity::prelude::*;
use values::Instant;

/// Row of the table `audit_entry`: an action on a record, with the caller and the changed fields.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "audit_entry")]
pub struct Model {
    #[sea_orm(primary_key)]
    pub id: i64,
    pub at: Instant,
    pub action: String,
    pub record: String,
    pub record_id: Option<i64>,
    /// Name of the record; empty if it has none.
    pub record_name: String,
    pub tenant_id: Option<i64>,
    pub user_id: Option<i64>,
    pub channel: String,
    pub channel_id: Option<i64>,
    /// Address of the client; only for sign-ins, otherwise empty.
    pub address: String,
    /// Id of the request; empty if there was none.
    pub request: String,
    /// Id of the entry that it undoes.
    pub undoes: Option<i64>,
    #[sea_orm(column_type = "JsonBinary")]
    pub changes: Json,
}

/// Relations to other tables; none is declared.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
