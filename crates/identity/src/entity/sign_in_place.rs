//! Table of places from which users have signed in.

use sea_orm::entity::prelude::*;
use values::Instant;

/// Row of the table `sign_in_place`: a place that an account has signed in from.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "sign_in_place")]
pub struct Model {
    /// Hash of account and address.
    #[sea_orm(primary_key, auto_increment = false)]
    pub place: String,
    pub user_id: i64,
    pub last_at: Instant,
}

/// Relations to other tables; none is declared.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
