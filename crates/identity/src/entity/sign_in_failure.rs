//! Table of failed sign-ins by source.

use sea_orm::entity::prelude::*;
use values::Instant;

/// Row of the table `sign_in_failure`: failures of one source, and the time until which it is blocked.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "sign_in_failure")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub source: String,
    /// Number of attempts since the last success, including pending ones.
    pub failures: i64,
    /// Number of attempts without a result yet.
    pub pending: i64,
    pub last_at: Instant,
    pub blocked_until: Instant,
}

/// Relations to other tables; none is declared.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
