//! A person who signs in.

use kernel::Instant;
use sea_orm::entity::prelude::*;
use serde::Serialize;
use utoipa::ToSchema;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "user")]
pub struct Model {
    #[sea_orm(primary_key)]
    pub id: i64,
    pub tenant_id: Option<i64>,
    pub name: String,
    pub name_fold: String,
    pub email: String,
    pub email_fold: String,
    pub password_hash: Option<String>,
    pub status: Status,
    /// Whether the rights chosen for him, rather than all of his roles, count.
    pub narrowed: bool,
    pub language: Option<String>,
    pub version: i64,
    pub created_at: Instant,
    pub updated_at: Instant,
}

/// Whether a user can sign in, and if not, how far his invitation has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, EnumIter, DeriveActiveEnum, Serialize, ToSchema)]
#[schema(as = UserStatus)]
#[sea_orm(rs_type = "String", db_type = "String(StringLen::N(24))")]
pub enum Status {
    #[sea_orm(string_value = "InvitationQueued")]
    InvitationQueued,
    #[sea_orm(string_value = "InvitationPending")]
    InvitationPending,
    #[sea_orm(string_value = "InvitationExpired")]
    InvitationExpired,
    #[sea_orm(string_value = "Verified")]
    Verified,
    #[sea_orm(string_value = "Disabled")]
    Disabled,
}

impl Status {
    pub const NAMES: &'static [&'static str] =
        &["InvitationQueued", "InvitationPending", "InvitationExpired", "Verified", "Disabled"];
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
