//! Incidents of feeds that have not ended.

use sea_orm::entity::prelude::*;
use values::{Instant, TenantId};

use super::Light;
use crate::settings::fields::FileKind;

/// Row of the table `feed_incident`.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "feed_incident")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub tenant_id: TenantId,
    #[sea_orm(primary_key, auto_increment = false)]
    pub settings_id: i64,
    #[sea_orm(primary_key, auto_increment = false)]
    pub kind: FileKind,
    /// The light at the beginning.
    pub light: Light,
    pub began_at: Instant,
}

/// Relations of the table `feed_incident`.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
