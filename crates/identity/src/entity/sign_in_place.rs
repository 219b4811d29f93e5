//! A place from which somebody has signed in.

use kernel::Instant;
use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "sign_in_place")]
pub struct Model {
    /// The hash of the account and the address.
    #[sea_orm(primary_key, auto_increment = false)]
    pub place: String,
    pub user_id: i64,
    pub last_at: Instant,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
