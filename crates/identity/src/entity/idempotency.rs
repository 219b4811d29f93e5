//! Table of idempotency keys and stored answers.

use sea_orm::entity::prelude::*;
use values::Instant;

/// Row of the table `idempotency`: an idempotency key of a user, with the answer to repeat.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "idempotency")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub user_id: i64,
    #[sea_orm(primary_key, auto_increment = false)]
    pub key: String,
    pub fingerprint: String,
    pub answer: String,
    /// Status of the answer; 0 until there is one.
    pub status: i64,
    /// Path of the created record.
    pub location: Option<String>,
    pub created_at: Instant,
}

/// Relations to other tables; none is declared.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
