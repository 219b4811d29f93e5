//! Tenants over HTTP: to choose from, for now.

use chrono::{DateTime, Utc};
use kernel::may;
use serde::Serialize;
use tenancy::tenant::{self, Tenant, Tenants};
use utoipa::ToSchema;

use crate::{
    http::{
        access::Authorized,
        answer::{Listing, Shown, listing, shown},
        input::{Db, Id, List},
        routes::{Answer, Routes},
    },
    publish,
};

pub(crate) fn routes(routes: &mut Routes) {
    publish!(routes, "tenants": list, view);
}

/// A company that trades on the platform.
#[derive(Serialize, ToSchema)]
#[schema(as = Tenant)]
struct TenantView {
    id: i64,
    company: String,
    short_code: String,
    version: i64,
    created_at: DateTime<Utc>,
    updated_at: DateTime<Utc>,
}

impl From<Tenant> for TenantView {
    fn from(tenant: Tenant) -> Self {
        let Tenant { id, company, short_code, version, created_at, updated_at, .. } = tenant;
        Self { id, company, short_code, version, created_at, updated_at }
    }
}

/// The tenant that a record belongs to.
#[derive(Serialize, ToSchema)]
pub(super) struct TenantOfRecord {
    id: i64,
    company: String,
}

impl TenantOfRecord {
    pub(super) fn of(id: Option<i64>, company: Option<String>) -> Option<Self> {
        Some(Self { id: id?, company: company.unwrap_or_default() })
    }
}

/// Lists tenants.
#[utoipa::path(get, path = "/api/admin/tenants")]
async fn list(
    by: Authorized<may::ListTenants>,
    Db(db): Db,
    List(query): List<Tenants>,
) -> Answer<Listing<TenantView>> {
    Ok(listing(tenant::list(&db, by.scope(), &query).await?))
}

/// Shows a tenant.
#[utoipa::path(get, path = "/api/admin/tenants/{id}")]
async fn view(by: Authorized<may::ViewTenant>, Db(db): Db, Id(id): Id) -> Answer<Shown<TenantView>> {
    Ok(shown(tenant::get(&db, by.scope(), id).await?))
}
