//! Table of personal access tokens, by which programs call on behalf of a user.

use sea_orm::entity::prelude::*;
use values::Instant;

/// Row of the table `personal_access_token`: a token of a user; only the hash of its secret is stored.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "personal_access_token")]
pub struct Model {
    #[sea_orm(primary_key)]
    pub id: i64,
    pub user_id: i64,
    pub name: String,
    pub name_fold: String,
    pub abilities: String,
    pub token_hash: String,
    pub prefix: String,
    pub last_four: String,
    pub expires_at: Instant,
    pub last_used_at: Option<Instant>,
    pub last_used_address: Option<String>,
    /// Time of the last reminder of the expiry, or of the creation if that was within the reminder period.
    pub reminded_at: Option<Instant>,
    /// Time at which another token replaced it; it stays valid until it expires.
    pub replaced_at: Option<Instant>,
    pub version: i64,
    pub created_at: Instant,
    pub updated_at: Instant,
}

/// Relations to other tables; none is declared.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
