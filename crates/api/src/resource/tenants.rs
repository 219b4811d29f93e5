//! Tenants over HTTP.

use chrono::{DateTime, Utc};
use identity::{
    role::Roles,
    staff::{self, Effect, Staffed},
    user::Users,
};
use imports::{file::table::Entry, import::Imports};
use kernel::{
    Permission, may,
    usage::{By, Reference, Usage},
};
use logistics::{closure::Closures, matching::Matchings, warehouse::Warehouses};
use serde::{Deserialize, Serialize};
use tenancy::tenant::{self, Tenant, TenantDetail, TenantInput, Tenants};
use utoipa::ToSchema;

use crate::{
    http::{
        access::Authorized,
        answer::{Created, Done, Download, Listing, Shown, Whole, created, done, listing, shown},
        export::{Export, Labels, Table, time},
        input::{Body, Confirmation, Db, Id, List},
        routes::{Answer, Routes},
    },
    publish, words,
};

pub(crate) fn routes(routes: &mut Routes) {
    publish!(routes, "tenants": list, export, create, view, update, delete, effect, usage);
}

/// What keeps a tenant from being deleted.
const USED_BY: &[&dyn Reference] = &[
    &By::<Users>::filter("tenant_id"),
    &By::<Roles>::filter("tenant_id"),
    &By::<Imports>::filter("tenant_id"),
    &By::<Warehouses>::filter("tenant_id"),
    &By::<Closures>::filter("tenant_id"),
    &By::<Matchings>::filter("tenant_id"),
];

/// A company that trades on the platform.
#[derive(Serialize, ToSchema)]
#[schema(as = Tenant)]
struct TenantView {
    id: i64,
    company: String,
    /// Unique, whatever its case.
    short_code: String,
    #[schema(required)]
    address: Option<String>,
    #[schema(required)]
    email: Option<String>,
    #[schema(required)]
    phone: Option<String>,
    /// The interface by which the tenant's own system is asked.
    #[schema(required)]
    external_api_type: Option<String>,
    /// The ceiling of what the tenant's users can be allowed.
    permissions: Vec<Permission>,
    /// Those that the tenant is in, by name.
    tenant_groups: Vec<GroupOfTenant>,
    user_count: u64,
    /// Counts the changes; to be sent back with a change.
    version: i64,
    created_at: DateTime<Utc>,
    updated_at: DateTime<Utc>,
}

#[derive(Serialize, ToSchema)]
struct GroupOfTenant {
    id: i64,
    name: String,
}

impl From<Staffed> for TenantView {
    fn from(Staffed { tenant: TenantDetail { tenant, ceiling, groups }, user_count }: Staffed) -> Self {
        let Tenant { id, company, short_code, address, email, phone, external_api_type, .. } = tenant;
        Self {
            id,
            company,
            short_code,
            address,
            email,
            phone,
            external_api_type,
            permissions: ceiling.iter().collect(),
            tenant_groups: groups.into_iter().map(|(id, name)| GroupOfTenant { id, name }).collect(),
            user_count,
            version: tenant.version,
            created_at: tenant.created_at,
            updated_at: tenant.updated_at,
        }
    }
}

/// The tenant that a record belongs to.
#[derive(Serialize, ToSchema)]
pub(super) struct TenantOfRecord {
    pub(super) id: i64,
    pub(super) company: String,
}

impl TenantOfRecord {
    pub(super) fn of(id: Option<i64>, company: Option<String>) -> Option<Self> {
        Some(Self { id: id?, company: company.unwrap_or_default() })
    }
}

/// The tenant that a record belongs to, as files name them.
#[derive(Serialize, ToSchema)]
pub(super) struct TenantReference {
    pub(super) id: i64,
    pub(super) short_code: String,
}

/// Whose a record is, in a file: of a tenant or the platform's.
pub(super) fn owner(tenant: Option<i64>, company: Option<&str>, words: &Labels) -> Entry {
    if tenant.is_none() { words.text(&["platform"]).into() } else { company.into() }
}

/// Lists tenants; to those who belong to one, their own.
#[utoipa::path(get, path = "/api/admin/tenants")]
async fn list(
    by: Authorized<may::ListTenants>,
    Db(db): Db,
    List(query): List<Tenants>,
) -> Answer<Listing<TenantView>> {
    let page = tenant::list(&db, by.scope(), &query).await?;
    Ok(listing(page.detailed(async |rows| staff::of(&db, by.scope(), rows).await).await?))
}

/// Exports all tenants that the filters match.
#[utoipa::path(get, path = "/api/admin/tenants/export")]
async fn export(by: Authorized<may::ListTenants>, export: Export<Tenants>) -> Answer<Download> {
    let table = Table {
        words: words!("tenants"),
        columns: &[
            ("company", |row: &Staffed, _| row.tenant.tenant.company.as_str().into()),
            ("short_code", |row, _| row.tenant.tenant.short_code.as_str().into()),
            ("address", |row, _| row.tenant.tenant.address.as_deref().into()),
            ("email", |row, _| row.tenant.tenant.email.as_deref().into()),
            ("phone", |row, _| row.tenant.tenant.phone.as_deref().into()),
            ("external_api_type", |row, _| row.tenant.tenant.external_api_type.as_deref().into()),
            ("tenant_groups", |row, _| {
                let names: Vec<_> = row.tenant.groups.iter().map(|(_, name)| name.as_str()).collect();
                names.join(", ").as_str().into()
            }),
            ("user_count", |row, _| row.user_count.into()),
            ("updated_at", |row, _| time(row.tenant.tenant.updated_at)),
        ],
    };
    let scope = &by.scope().acting_for(None);
    let detailed = async |db: &_, rows| staff::of(db, scope, tenant::detailed(db, scope, rows).await?).await;
    Ok(export.table(scope, &table, detailed).await?)
}

/// Creates a tenant.
#[utoipa::path(post, path = "/api/admin/tenants")]
async fn create(
    by: Authorized<may::CreateTenant>,
    Db(db): Db,
    Body(input): Body<TenantInput>,
) -> Answer<Created<TenantView>> {
    let tenant = tenant::create(&db, by.scope(), input).await?;
    Ok(created(Staffed { tenant, user_count: 0 }))
}

/// Shows a tenant.
#[utoipa::path(get, path = "/api/admin/tenants/{id}")]
async fn view(by: Authorized<may::ViewTenant>, Db(db): Db, Id(id): Id) -> Answer<Shown<TenantView>> {
    let tenant = tenant::view(&db, by.scope(), id).await?;
    Ok(shown(staff::of_one(&db, by.scope(), tenant).await?))
}

/// Changes a tenant. His ceiling can grow, and his users have what it gives them with their next call; it never shrinks.
#[utoipa::path(put, path = "/api/admin/tenants/{id}")]
async fn update(
    by: Authorized<may::UpdateTenant>,
    Db(db): Db,
    Id(id): Id,
    Body(input): Body<TenantInput>,
) -> Answer<Shown<TenantView>> {
    let tenant = tenant::update(&db, by.scope(), id, input).await?;
    Ok(shown(staff::of_one(&db, by.scope(), tenant).await?))
}

/// Deletes a tenant without users, roles and imports; the company has to be retyped.
#[utoipa::path(delete, path = "/api/admin/tenants/{id}")]
async fn delete(
    by: Authorized<may::DeleteTenant>,
    Db(db): Db,
    Id(id): Id,
    Confirmation(company): Confirmation,
) -> Answer<Done> {
    Ok(done(tenant::delete(&db, by.scope(), id, &company, USED_BY).await?))
}

/// A ceiling that has not been saved yet.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct CeilingInput {
    permissions: Vec<Permission>,
}

/// What a higher ceiling gives to the users of a tenant as soon as it is saved.
#[derive(Serialize, ToSchema)]
#[schema(as = CeilingEffect)]
struct EffectView {
    /// All users of the tenant.
    user_count: u64,
    /// Those who get a right that they do not have.
    gaining_count: u64,
    /// What the ceiling grows by.
    permissions: Vec<GainedPermission>,
}

#[derive(Serialize, ToSchema)]
struct GainedPermission {
    name: Permission,
    /// How many users have roles with it, and get it at once.
    user_count: u64,
}

impl From<Effect> for EffectView {
    fn from(Effect { total, gaining, permissions }: Effect) -> Self {
        let gained = |(name, user_count)| GainedPermission { name, user_count };
        let permissions = permissions.into_iter().map(gained).collect();
        Self { user_count: total, gaining_count: gaining, permissions }
    }
}

/// Shows what a higher ceiling would give to the users of a tenant.
#[utoipa::path(post, path = "/api/admin/tenants/{id}/effect")]
async fn effect(
    by: Authorized<may::UpdateTenant>,
    Db(db): Db,
    Id(id): Id,
    Body(CeilingInput { permissions }): Body<CeilingInput>,
) -> Answer<Shown<EffectView>> {
    let ceiling = permissions.into_iter().collect();
    Ok(shown(staff::effect(&db, by.scope(), id, ceiling).await?))
}

/// Shows what keeps a tenant from being deleted.
#[utoipa::path(get, path = "/api/admin/tenants/{id}/usage")]
async fn usage(by: Authorized<may::ViewTenant>, Db(db): Db, Id(id): Id) -> Answer<Shown<Whole<Usage>>> {
    Ok(shown(tenant::usage(&db, by.scope(), id, USED_BY).await?))
}
