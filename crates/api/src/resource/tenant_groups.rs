//! Groups of tenants over HTTP.

use chrono::{DateTime, Utc};
use kernel::{in_use::Usage, may, usage};
use serde::Serialize;
use tenancy::tenant_group::{self, TenantGroup, TenantGroupDetail, TenantGroupInput, TenantGroups};
use utoipa::ToSchema;

use crate::{
    http::{
        access::Authorized,
        answer::{Created, Done, Download, Listing, Shown, Whole, created, done, listing, shown},
        bulk::{self, BulkOutcome, Matching, Selection},
        export::{Export, Table, time},
        input::{About, Body, Db, Id, List},
        routes::{Answer, Routes},
    },
    publish,
    resource::tenants::TenantOfRecord,
    words,
};

pub(crate) fn routes(routes: &mut Routes) {
    publish!(routes, TenantGroups: list, export, create, view, update, delete, bulk_delete, usage);
}

/// A group of tenants.
#[derive(Serialize, ToSchema)]
#[schema(as = TenantGroup)]
struct TenantGroupView {
    id: i64,
    /// Unique, whatever its case.
    name: String,
    #[schema(required)]
    description: Option<String>,
    /// Who is in it, of those that the caller sees, by company.
    tenants: Vec<TenantOfRecord>,
    tenant_count: u64,
    /// Counts the changes; to be sent back with a change.
    version: i64,
    created_at: DateTime<Utc>,
    updated_at: DateTime<Utc>,
}

impl From<TenantGroupDetail> for TenantGroupView {
    fn from(TenantGroupDetail { group, tenants }: TenantGroupDetail) -> Self {
        let TenantGroup { id, name, description, version, created_at, updated_at, .. } = group;
        let tenant_count = tenants.len() as u64;
        let tenants = tenants.into_iter().map(|(id, company)| TenantOfRecord { id, company }).collect();
        Self { id, name, description, tenants, tenant_count, version, created_at, updated_at }
    }
}

/// Lists groups of tenants.
#[utoipa::path(get, path = "/api/admin/tenant-groups")]
async fn list(
    by: Authorized<may::ListTenantGroups>,
    Db(db): Db,
    List(query): List<TenantGroups>,
) -> Answer<Listing<TenantGroupView>> {
    Ok(listing(tenant_group::list(&db, by.scope(), &query).await?))
}

/// Exports all groups of tenants that the filters match.
#[utoipa::path(get, path = "/api/admin/tenant-groups/export")]
async fn export(by: Authorized<may::ListTenantGroups>, export: Export<TenantGroups>) -> Answer<Download> {
    let table = Table {
        words: words!("tenantGroups"),
        columns: &[
            ("name", |row: &TenantGroupDetail, _| row.group.name.as_str().into()),
            ("description", |row, _| row.group.description.as_deref().into()),
            ("tenant_count", |row, _| (row.tenants.len() as u64).into()),
            ("updated_at", |row, _| time(row.group.updated_at)),
        ],
    };
    let detailed = async |db: &_, rows| tenant_group::detailed(db, by.scope(), rows).await;
    Ok(export.table(by.scope(), &table, detailed).await?)
}

/// Creates a group of tenants.
#[utoipa::path(post, path = "/api/admin/tenant-groups")]
async fn create(
    by: Authorized<may::CreateTenantGroup>,
    Db(db): Db,
    Body(input): Body<TenantGroupInput>,
) -> Answer<Created<TenantGroupView>> {
    Ok(created(tenant_group::create(&db, by.scope(), input).await?))
}

/// Shows a group of tenants.
#[utoipa::path(get, path = "/api/admin/tenant-groups/{id}")]
async fn view(
    by: Authorized<may::ViewTenantGroup>,
    Db(db): Db,
    Id(id): Id,
) -> Answer<Shown<TenantGroupView>> {
    Ok(shown(tenant_group::get(&db, by.scope(), id).await?))
}

/// Changes a group of tenants.
#[utoipa::path(put, path = "/api/admin/tenant-groups/{id}")]
async fn update(
    by: Authorized<may::UpdateTenantGroup>,
    Db(db): Db,
    Id(id): Id,
    Body(input): Body<TenantGroupInput>,
) -> Answer<Shown<TenantGroupView>> {
    Ok(shown(tenant_group::update(&db, by.scope(), id, input).await?))
}

/// Deletes a group that no tenant is in.
#[utoipa::path(delete, path = "/api/admin/tenant-groups/{id}")]
async fn delete(by: Authorized<may::DeleteTenantGroup>, Db(db): Db, Id(id): Id) -> Answer<Done> {
    Ok(done(tenant_group::delete(&db, by.scope(), id).await?))
}

/// Deletes many groups of tenants, as far as each of them can be deleted.
#[utoipa::path(post, path = "/api/admin/tenant-groups/bulk-delete")]
async fn bulk_delete(
    by: Authorized<may::DeleteTenantGroup>,
    Db(db): Db,
    About(request): About,
    matching: Matching<TenantGroups>,
    Body(selection): Body<Selection>,
) -> Answer<Shown<BulkOutcome>> {
    let one = async |id, _: &str| tenant_group::delete(&db, by.scope(), id).await;
    let records = (&db, by.scope());
    Ok(shown(
        bulk::each(records, &matching, &selection, tenant_group::Column::Name, request.language, one).await?,
    ))
}

/// Shows where a group of tenants is used.
#[utoipa::path(get, path = "/api/admin/tenant-groups/{id}/usage")]
async fn usage(by: Authorized<may::ViewTenantGroup>, Db(db): Db, Id(id): Id) -> Answer<Shown<Whole<Usage>>> {
    Ok(shown(usage::of::<TenantGroups>(&db, by.scope(), id).await?))
}
