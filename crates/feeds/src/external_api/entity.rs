//! External APIs.

use sea_orm::entity::prelude::*;
use secrets::SealedValue;
use tenancy::external_api_kind::ExternalApiKind;
use values::{Instant, TenantId};

use super::fields::{Authentication, AvailabilityEndpoint, MetaDataEndpoints};
use crate::settings::fields::Schedule;

/// Row of the table `external_api`.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "external_api")]
pub struct Model {
    #[sea_orm(primary_key)]
    pub id: i64,
    pub tenant_id: TenantId,
    pub kind: ExternalApiKind,
    pub base_url: String,
    pub authentication: Authentication,
    /// The user name, or the client id with OAuth2.
    pub username: Option<String>,
    pub header_name: Option<String>,
    pub token_url: Option<String>,
    pub scope: Option<String>,
    pub secret_sealed: Option<SealedValue>,
    /// Time at which the secret was entered; `None` without one.
    pub secret_set_at: Option<Instant>,
    pub ca_certificate: Option<String>,
    pub timeout_ms: i64,
    pub cache_seconds: i64,
    pub active: bool,
    #[sea_orm(column_type = "JsonBinary")]
    pub availability: Option<AvailabilityEndpoint>,
    #[sea_orm(column_type = "JsonBinary")]
    pub meta_data: MetaDataEndpoints,
    /// The times at which the lists are fetched; `None`: by hand only.
    #[sea_orm(column_type = "JsonBinary")]
    pub schedule: Option<Schedule>,
    pub version: i64,
    pub created_at: Instant,
    pub updated_at: Instant,
}

/// Relations of the table `external_api`.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
