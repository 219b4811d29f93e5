//! A mail that waits, or that has left. Its text is kept only until then: it carries links that are secret.

use kernel::Instant;
use sea_orm::entity::prelude::*;

use crate::Kind;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "mail")]
pub struct Model {
    #[sea_orm(primary_key)]
    pub id: i64,
    pub user_id: Option<i64>,
    pub kind: Kind,
    pub name: String,
    pub address: String,
    pub language: String,
    pub subject: String,
    pub text: Option<String>,
    pub html: Option<String>,
    pub created_at: Instant,
    pub attempts: i64,
    /// When it is to be tried next; nothing once it has left or was given up.
    pub due_at: Option<Instant>,
    pub sent_at: Option<Instant>,
    pub failed_at: Option<Instant>,
    pub error: Option<String>,
    /// Who is sending it.
    pub lease_owner: Option<String>,
    pub lease_until: Option<Instant>,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
