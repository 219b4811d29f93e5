//! Table of tenants.

use sea_orm::entity::prelude::*;
use values::Instant;

use crate::external_api_kind::ExternalApiKind;

/// Row of the table `tenant`: a tenant, without its maximum permissions.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "tenant")]
pub struct Model {
    #[sea_orm(primary_key)]
    pub id: i64,
    pub company: String,
    pub company_fold: String,
    pub company_sort: String,
    /// Short name for display; the company if none was entered.
    pub name: String,
    pub name_fold: String,
    pub name_sort: String,
    pub short_code: String,
    pub short_code_fold: String,
    pub short_code_sort: String,
    pub address: Option<String>,
    /// Town in the address, which trading partners see; `None` unless the address contains it as in `47119
    /// Duisburg`.
    pub place: Option<String>,
    pub place_fold: String,
    pub email: Option<String>,
    pub phone: Option<String>,
    pub external_api_type: Option<ExternalApiKind>,
    /// Maximum change of a price without a release, in percent; `None` for the default.
    pub price_guard_percent: Option<i64>,
    /// Time since which the tenant is being deleted; it is hidden from then on.
    pub removal_begun_at: Option<Instant>,
    pub version: i64,
    pub created_at: Instant,
    pub updated_at: Instant,
}

/// Relations to other tables; none is declared.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
