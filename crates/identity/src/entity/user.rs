//! Table of users.

use sea_orm::entity::prelude::*;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use values::Instant;

/// Status of a user: can sign in, is disabled, or the stage of their invitation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, EnumIter, DeriveActiveEnum, Serialize, ToSchema)]
#[schema(as = UserStatus, example = "Verified")]
#[sea_orm(rs_type = "String", db_type = "String(StringLen::N(24))")]
pub enum Status {
    /// User without an invitation, or with a withdrawn one.
    #[sea_orm(string_value = "NotInvited")]
    NotInvited,
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
        &["NotInvited", "InvitationQueued", "InvitationPending", "InvitationExpired", "Verified", "Disabled"];

    /// True if the stored status is that of an open invitation, which may have expired since.
    pub(crate) fn is_invited(self) -> bool {
        matches!(self, Self::InvitationQueued | Self::InvitationPending)
    }
}

/// Imports about whose end the user gets a mail.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema, EnumIter, DeriveActiveEnum,
)]
#[sea_orm(rs_type = "String", db_type = "String(StringLen::N(16))")]
#[serde(rename_all = "lowercase")]
#[schema(example = "problems")]
pub enum ImportNotices {
    #[default]
    #[sea_orm(string_value = "never")]
    Never,
    /// Failed imports only, and those with rows that were refused, are under review or match nothing.
    #[sea_orm(string_value = "problems")]
    Problems,
    #[sea_orm(string_value = "always")]
    Always,
}

/// Row of the table `user`: an account, with or without a tenant.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "user")]
pub struct Model {
    #[sea_orm(primary_key)]
    pub id: i64,
    pub tenant_id: Option<values::TenantId>,
    pub name: String,
    pub name_fold: String,
    pub email: String,
    pub email_fold: String,
    /// Normalised address, unique per account.
    pub email_key: String,
    pub password_hash: Option<String>,
    pub status: Status,
    /// True if the user is restricted to a chosen subset of the permissions of their roles.
    pub narrowed: bool,
    pub language: Option<String>,
    pub import_notices: ImportNotices,
    pub version: i64,
    pub created_at: Instant,
    pub updated_at: Instant,
}

/// Relations to other tables; none is declared.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
