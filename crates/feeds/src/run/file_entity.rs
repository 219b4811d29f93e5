//! Files that feeds have taken from servers.

use sea_orm::entity::prelude::*;
use values::{Instant, TenantId};

use crate::settings::fields::FileKind;

/// Row of the table `feed_file`.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "feed_file")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub tenant_id: TenantId,
    #[sea_orm(primary_key, auto_increment = false)]
    pub settings_id: i64,
    #[sea_orm(primary_key, auto_increment = false)]
    pub kind: FileKind,
    #[sea_orm(primary_key, auto_increment = false)]
    pub file_name: String,
    /// The hash of the file as the server has it.
    #[sea_orm(primary_key, auto_increment = false)]
    pub sha256: String,
    /// Size and time of the file in the server's listing; `None` if it has none.
    pub bytes: Option<i64>,
    pub modified_at: Option<Instant>,
    /// The last import of this content.
    pub import_id: i64,
    pub taken_at: Instant,
    /// The last time that the file was listed, to the day.
    pub seen_at: Instant,
    /// True if the file need no longer be moved or deleted on the server.
    pub is_handled: bool,
}

/// Relations of the table `feed_file`.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
