//! Table of deliveries: an event for a webhook, with its attempts.

use sea_orm::entity::prelude::*;
use values::{Instant, TenantId};

use super::{DeliveryStatus, attempt::Attempts};
use crate::event::EventType;

/// Row of the table `webhook_delivery`.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "webhook_delivery")]
pub struct Model {
    #[sea_orm(primary_key)]
    pub id: i64,
    pub tenant_id: TenantId,
    pub webhook_id: i64,
    /// Id by which the receiver recognises a repetition.
    pub message_id: String,
    pub event: EventType,
    pub subject: String,
    /// Data of the event as JSON; `None` once they are deleted.
    pub data: Option<String>,
    pub status: DeliveryStatus,
    /// Time of the next attempt; only while it is pending.
    pub due_at: Option<Instant>,
    /// True if a user requested the next attempt, which is then made even if the webhook is paused.
    pub is_by_hand: bool,
    /// True if the next attempt is the only one, and no other event waits for it.
    pub is_tried_once: bool,
    pub attempts: i64,
    /// Number of failed attempts since the webhook was resumed; pauses grow with it.
    pub attempts_in_row: i64,
    /// Time of the first of those attempts.
    pub tried_since: Option<Instant>,
    pub delivered_at: Option<Instant>,
    pub last_status: Option<i64>,
    pub last_duration_ms: Option<i64>,
    /// Last failure: a `values::Message` as JSON.
    pub last_failure: Option<String>,
    #[sea_orm(column_type = "JsonBinary")]
    pub log: Attempts,
    pub created_at: Instant,
    pub updated_at: Instant,
}

/// Relations of the table `webhook_delivery`.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
