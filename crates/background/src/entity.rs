//! Table of jobs: due time, lease and last result.

use sea_orm::entity::prelude::*;
use values::Instant;

/// Row of the table `background_job`.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "background_job")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub name: String,
    pub due_at: Instant,
    /// Process that runs the job.
    pub lease_owner: Option<String>,
    pub lease_until: Option<Instant>,
    pub fence: i64,
    pub started_at: Option<Instant>,
    pub finished_at: Option<Instant>,
    pub failed_at: Option<Instant>,
    /// Reason of the last failure in one word; the cause is in the log.
    pub failure: Option<String>,
    pub failures_in_row: i64,
    pub runs: i64,
    pub failed_runs: i64,
}

/// Relations of the table `background_job`.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
