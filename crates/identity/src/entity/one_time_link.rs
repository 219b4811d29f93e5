//! Table of one-time links.

use sea_orm::entity::prelude::*;
use values::Instant;

/// Row of the table `one_time_link`: a link that a user was sent; only the hash of its secret is stored.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "one_time_link")]
pub struct Model {
    #[sea_orm(primary_key)]
    pub id: i64,
    pub user_id: i64,
    pub purpose: String,
    pub token_hash: String,
    /// Id of the link if its secret is transmitted separately.
    pub public_id: Option<String>,
    /// Hash of a value that must not change while the link is valid.
    pub bound_to: Option<String>,
    pub created_at: Instant,
    pub expires_at: Instant,
    pub used_at: Option<Instant>,
}

/// Relations to other tables; none is declared.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
