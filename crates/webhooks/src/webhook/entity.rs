//! Table of webhooks.

use sea_orm::entity::prelude::*;
use secrets::SealedValue;
use values::{Instant, TenantId};

use super::pause_reason::PauseReason;
use crate::event::EventTypes;

/// Row of the table `webhook`.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "webhook")]
pub struct Model {
    #[sea_orm(primary_key)]
    pub id: i64,
    pub tenant_id: TenantId,
    pub url: String,
    #[sea_orm(column_type = "JsonBinary")]
    pub events: EventTypes,
    /// Certificates of authorities (PEM) that are trusted for the receiver.
    pub ca_certificate: Option<String>,
    pub secret_sealed: Option<SealedValue>,
    /// Secret before the last rotation, which also signs until `previous_secret_until`.
    pub previous_secret_sealed: Option<SealedValue>,
    pub previous_secret_until: Option<Instant>,
    pub paused_at: Option<Instant>,
    pub pause_reason: Option<PauseReason>,
    pub version: i64,
    pub created_at: Instant,
    pub updated_at: Instant,
}

/// Relations of the table `webhook`.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
