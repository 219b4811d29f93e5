//! Table of the server's own keys.

use sea_orm::entity::prelude::*;

/// Row of the table `server_key`: a key that all processes share for one purpose.
#[derive(Clone, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "server_key")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub purpose: String,
    pub key: String,
}

impl std::fmt::Debug for Model {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Model").field("purpose", &self.purpose).finish_non_exhaustive()
    }
}

/// Relations to other tables; none is declared.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
