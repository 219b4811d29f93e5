//! Table of revoked personal access tokens, remembered while programs may still call with them.

use sea_orm::entity::prelude::*;
use values::Instant;

/// Row of the table `revoked_token`: hash of a revoked token, so that its use is recognised.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "revoked_token")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub token_hash: String,
    /// Time at which it would have expired.
    pub expires_at: Instant,
}

/// Relations to other tables; none is declared.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
