//! Table of mails that wait or were sent. The text is cleared when a mail is sent, because it contains secret
//! links.

use sea_orm::entity::prelude::*;
use values::Instant;

use crate::Kind;

/// Row of the table `mail`.
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
    /// Time of the next attempt; `None` once the mail was sent or given up.
    pub due_at: Option<Instant>,
    pub sent_at: Option<Instant>,
    pub failed_at: Option<Instant>,
    pub error: Option<String>,
    /// Process that is sending it.
    pub lease_owner: Option<String>,
    pub lease_until: Option<Instant>,
}

/// Relations of the table `mail`.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
