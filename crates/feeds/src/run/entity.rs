//! Runs of feeds.

use sea_orm::entity::prelude::*;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use values::{Instant, TenantId, UserId};

use crate::settings::fields::FileKind;

/// Cause of a run: its schedule, a request of a user, or a user who imports a stored file again.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema, EnumIter, DeriveActiveEnum,
)]
#[serde(rename_all = "snake_case")]
#[schema(as = FtpRunCause)]
#[sea_orm(rs_type = "String", db_type = "String(StringLen::N(16))", rename_all = "snake_case")]
pub enum RunCause {
    /// Due by its schedule.
    Schedule,
    /// Requested by a user.
    ByHand,
    /// A user imports a stored file again.
    Again,
}

/// Outcome of a run: file queued for import, nothing new, file still being written, or failure.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema, EnumIter, DeriveActiveEnum,
)]
#[serde(rename_all = "snake_case")]
#[schema(as = FtpRunOutcome)]
#[sea_orm(rs_type = "String", db_type = "String(StringLen::N(16))", rename_all = "snake_case")]
pub enum RunOutcome {
    /// A file was queued for import.
    Imported,
    /// All matching files were imported before.
    NothingNew,
    /// A file is still being written.
    Waiting,
    /// The run failed.
    Failed,
}

impl RunOutcome {
    pub const NAMES: &'static [&'static str] = &["imported", "nothing_new", "waiting", "failed"];
}

/// Row of the table `feed_run`.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "feed_run")]
pub struct Model {
    #[sea_orm(primary_key)]
    pub id: i64,
    pub tenant_id: TenantId,
    /// Id of the FTP settings, which may have been deleted.
    pub settings_id: i64,
    pub kind: FileKind,
    pub cause: RunCause,
    /// Id of the user who requested it, and who may have been deleted.
    pub asked_by: Option<UserId>,
    /// `None` until a process has begun.
    pub started_at: Option<Instant>,
    pub finished_at: Option<Instant>,
    pub outcome: Option<RunOutcome>,
    /// The reason for waiting or failing: a `values::Message` as JSON.
    pub failure: Option<String>,
    /// Answer of the server to the failed step: one line, at most 300 characters, without secrets.
    pub answer: Option<String>,
    pub file_name: Option<String>,
    pub bytes: Option<i64>,
    pub sha256: Option<String>,
    /// Id of the import, which may have been deleted.
    pub import_id: Option<i64>,
    pub created_at: Instant,
    pub updated_at: Instant,
}

/// Relations of the table `feed_run`.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
