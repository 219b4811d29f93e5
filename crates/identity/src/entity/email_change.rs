//! A change of a user's e-mail address.

use kernel::Instant;
use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "email_change")]
pub struct Model {
    #[sea_orm(primary_key)]
    pub id: i64,
    pub user_id: i64,
    pub former_email: String,
    pub new_email: String,
    /// The user who changed it; `None`: the system.
    pub changed_by: Option<i64>,
    /// Names the link that takes the change back; its secret travels apart.
    pub public_id: String,
    pub token_hash: String,
    pub created_at: Instant,
    /// When the link expires.
    pub expires_at: Instant,
    /// When the change was taken back, by this link or by that of an earlier change.
    pub undone_at: Option<Instant>,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
