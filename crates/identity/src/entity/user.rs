//! A person who signs in.

use kernel::Instant;
use sea_orm::entity::prelude::*;

use crate::user::{ImportNotices, Status};

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "user")]
pub struct Model {
    #[sea_orm(primary_key)]
    pub id: i64,
    pub tenant_id: Option<kernel::TenantId>,
    pub name: String,
    pub name_fold: String,
    pub email: String,
    pub email_fold: String,
    /// As addresses are compared: one account each.
    pub email_key: String,
    pub password_hash: Option<String>,
    pub status: Status,
    /// Whether the rights chosen for him, rather than all of his roles, count.
    pub narrowed: bool,
    pub language: Option<String>,
    pub import_notices: ImportNotices,
    pub version: i64,
    pub created_at: Instant,
    pub updated_at: Instant,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
