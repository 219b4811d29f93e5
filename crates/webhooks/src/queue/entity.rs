//! Table of the queues of webhooks: due time, lease and last result.

use sea_orm::entity::prelude::*;
use values::{Instant, TenantId};

/// Row of the table `webhook_queue`.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "webhook_queue")]
pub struct Model {
    #[sea_orm(primary_key)]
    pub id: i64,
    pub tenant_id: TenantId,
    pub webhook_id: i64,
    /// Copy of the webhook's flag, so that writers of events and users who pause wait for one another.
    pub is_paused: bool,
    /// Time at which the queue is due next; `None` if nothing waits, or it is paused.
    pub due_at: Option<Instant>,
    /// End of the pause after a failure.
    pub retry_at: Option<Instant>,
    pub lease_owner: Option<String>,
    pub lease_until: Option<Instant>,
    pub fence: i64,
    pub failures_in_row: i64,
    pub failing_since: Option<Instant>,
    pub last_success_at: Option<Instant>,
    /// Reason of the last failed delivery: a `values::Message` as JSON; `None` after a success.
    pub last_failure: Option<String>,
    /// Time of the next poll for changes of stocks; `None` if it does not listen to them, or is paused.
    pub look_due_at: Option<Instant>,
    /// Time of the last poll that saw all changes; before the first one, the time from which on they are
    /// reported.
    pub looked_at: Option<Instant>,
    /// Number of the last change that was seen.
    pub change_cursor: i64,
    /// Time of creation; earlier changes are not reported.
    pub created_at: Instant,
}

/// Relations of the table `webhook_queue`.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
