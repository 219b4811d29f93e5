//! Failed sign-ins of a source.

use kernel::Instant;
use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "sign_in_failure")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub source: String,
    /// All tries since the last right one, those without a verdict included.
    pub failures: i64,
    /// Tries without a verdict yet.
    pub pending: i64,
    pub last_at: Instant,
    pub blocked_until: Instant,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
