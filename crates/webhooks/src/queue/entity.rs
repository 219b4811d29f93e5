//! The queue of a webhook: when it is to be worked on, by whom, and how deliveries went.

use kernel::{Instant, TenantId};
use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "webhook_queue")]
pub struct Model {
    #[sea_orm(primary_key)]
    pub id: i64,
    pub tenant_id: TenantId,
    pub webhook_id: i64,
    /// Same as at the webhook; it stands here so that writers of events and users who pause wait for one
    /// another.
    pub is_paused: bool,
    /// The time at which the queue is due next; `None` if nothing waits, or it is paused.
    pub due_at: Option<Instant>,
    /// The end of the pause after a failure.
    pub retry_at: Option<Instant>,
    pub lease_owner: Option<String>,
    pub lease_until: Option<Instant>,
    pub fence: i64,
    pub failures_in_row: i64,
    pub failing_since: Option<Instant>,
    pub last_success_at: Option<Instant>,
    /// Why the last delivery failed: a `kernel::Message` as JSON; `None` after a success.
    pub last_failure: Option<String>,
    /// The time of the next look for changes of stocks; `None` if it does not listen to them, or is paused.
    pub look_due_at: Option<Instant>,
    /// The moment of the last look that saw all changes; before the first one, that from which on they are reported.
    pub looked_at: Option<Instant>,
    /// The number of the last change that was seen.
    pub change_cursor: i64,
    /// Changes before it are not reported.
    pub created_at: Instant,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
