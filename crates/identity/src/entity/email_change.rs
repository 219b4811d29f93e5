//! Table of changes of users' e-mail addresses.

use sea_orm::entity::prelude::*;
use values::Instant;

/// Row of the table `email_change`: a changed e-mail address, and the link that undoes the change.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "email_change")]
pub struct Model {
    #[sea_orm(primary_key)]
    pub id: i64,
    pub user_id: i64,
    pub former_email: String,
    pub new_email: String,
    /// Id of the user who changed it; `None` for the system.
    pub changed_by: Option<i64>,
    /// Id of the link that undoes the change; its secret is transmitted separately.
    pub public_id: String,
    pub token_hash: String,
    pub created_at: Instant,
    /// Expiry of the link.
    pub expires_at: Instant,
    /// Time at which the change was undone, by this link or by that of an earlier change.
    pub undone_at: Option<Instant>,
}

/// Relations to other tables; none is declared.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
