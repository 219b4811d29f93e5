//! Table of the schedules of tenants: due time, lease and last result.

use sea_orm::entity::prelude::*;
use values::{Instant, TenantId};

/// Row of the table `schedule`.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "schedule")]
pub struct Model {
    #[sea_orm(primary_key)]
    pub id: i64,
    pub tenant_id: TenantId,
    pub kind: String,
    /// Row that has the settings.
    pub subject_id: i64,
    /// `None` while it is paused.
    pub due_at: Option<Instant>,
    /// Process that runs it.
    pub lease_owner: Option<String>,
    pub lease_until: Option<Instant>,
    pub fence: i64,
    /// Number of processes that have died in this run.
    pub interrupted: i64,
    pub started_at: Option<Instant>,
    pub finished_at: Option<Instant>,
    /// Reason of the last failure in one word; `None` if the last run succeeded.
    pub failure: Option<String>,
    pub failures_in_row: i64,
}

/// Relations of the table `schedule`.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
