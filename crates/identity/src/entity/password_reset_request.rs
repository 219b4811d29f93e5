//! Table of requests for a new password, for existing and unknown accounts.

use sea_orm::entity::prelude::*;
use values::Instant;

/// Row of the table `password_reset_request`: a request for a new password, counted by its source.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "password_reset_request")]
pub struct Model {
    #[sea_orm(primary_key)]
    pub id: i64,
    /// Source of the request.
    pub source: String,
    /// Folded e-mail address of the account; `None` once the request has been answered.
    pub email_fold: Option<String>,
    pub created_at: Instant,
}

/// Relations to other tables; none is declared.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
