//! Somebody has asked for a new password, whoever he is.

use kernel::Instant;
use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "password_reset_request")]
pub struct Model {
    #[sea_orm(primary_key)]
    pub id: i64,
    /// Where it came from.
    pub source: String,
    /// For whom; nothing once it has been answered.
    pub email_fold: Option<String>,
    pub created_at: Instant,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
