//! Tenants over HTTP.

use http_api::{
    access::Authorized,
    answer::{Download, OkJson, ok_json},
    export::{Column, Export, Labels, time},
    input::{Body, Db, Id},
    publish,
    routes::{Answer, Routes},
};
use identity::tenant_users::{self, Effect, TenantWithUserCount};
use lists::{Creatable, Detailed, Managed};
use sea_orm::ConnectionTrait;
use serde::{Deserialize, Serialize};
use sheets::table::CellContent;
use store::{Scope, Snapshot};
use tenancy::{
    external_api_kind::ExternalApiKind,
    may,
    tenant::{self, Party, Tenant, TenantInput, Tenants},
};
use utoipa::ToSchema;
use values::{Permission, Result, TenantId, Validated};

use crate::{
    resource::{
        crud::{operations, view_of},
        search::findable,
        texts_of,
        view::HasView,
    },
    state::State,
};

pub(crate) fn routes(routes: &mut Routes) {
    operations::<Tenants>(routes, "/api/admin/tenants")
        .list::<may::ListTenants>("Lists tenants; users of a tenant see their own only.")
        .create::<may::CreateTenant>("Creates a tenant.")
        .view::<may::ViewTenant>("Shows a tenant.")
        .update::<may::UpdateTenant>(
            "Changes a tenant. Its maximum permissions can grow but never shrink; its users have new ones from their next call on.",
        )
        .delete::<may::DeleteTenant>("Deletes a tenant without users, roles and imports.")
        .usage::<may::ViewTenant>("Shows the records that prevent the deletion of a tenant.");
    publish!(routes, Tenants: export, effect);
}

view_of! {
    /// A company that trades on the platform.
    TenantView as Tenant, of detail: TenantWithUserCount, row detail.tenant.tenant;
    #[schema(example = "Nordstahl Handel GmbH")]
    company: String = detail.tenant.tenant.company,
    /// Short name for display; the company if none was entered.
    #[schema(example = "Nordstahl")]
    name: String = detail.tenant.tenant.name,
    /// Unique, ignoring case.
    #[schema(example = "NORD")]
    short_code: String = detail.tenant.tenant.short_code,
    #[schema(required, example = "Hafenstraße 12, 47119 Duisburg")]
    address: Option<String> = detail.tenant.tenant.address,
    #[schema(required, example = "kontakt@nordstahl.example")]
    email: Option<String> = detail.tenant.tenant.email,
    #[schema(required, example = "+49 203 555010")]
    phone: Option<String> = detail.tenant.tenant.phone,
    /// Interface of the tenant's own system.
    #[schema(required, example = "generic_json")]
    external_api_type: Option<ExternalApiKind> = detail.tenant.tenant.external_api_type,
    /// Change of a price in percent that needs no release; `null`: 30.
    #[schema(required, example = 30)]
    price_guard_percent: Option<i64> = detail.tenant.tenant.price_guard_percent,
    /// Maximum permissions of the tenant's users.
    permissions: Vec<Permission> = detail.tenant.ceiling.iter().collect(),
    /// Groups of the tenant, by name.
    tenant_groups: Vec<GroupOfTenant> = detail.tenant.groups.into_iter().map(|(id, name)| GroupOfTenant { id, name }).collect(),
    #[schema(example = 4)]
    user_count: u64 = detail.user_count,
}

#[derive(Serialize, ToSchema)]
struct GroupOfTenant {
    id: i64,
    #[schema(example = "Einkaufsverbund Nord")]
    name: String,
}

impl HasView for Tenants {
    type Source = State;
    type View = TenantView;

    fn reading_scope(scope: &Scope) -> Scope {
        scope.acting_for(None)
    }
}

impl Detailed<State> for Tenants {
    type Detail = TenantWithUserCount;

    async fn detailed(state: &State, scope: &Scope, rows: Vec<Tenant>) -> Result<Vec<TenantWithUserCount>> {
        load_details(&state.db, scope, rows).await
    }
}

async fn load_details(
    db: &impl ConnectionTrait,
    scope: &Scope,
    rows: Vec<Tenant>,
) -> Result<Vec<TenantWithUserCount>> {
    tenant_users::with_user_counts(db, scope, tenant::detailed(db, scope, rows).await?).await
}

impl Managed<State> for Tenants {
    type Input = TenantInput;

    async fn update(
        state: &State,
        scope: &Scope,
        id: i64,
        input: impl Into<Validated<TenantInput>>,
    ) -> Result<TenantWithUserCount> {
        let tenant = tenant::update(&state.db, scope, id, input).await?;
        tenant_users::with_user_count(&state.db, scope, tenant).await
    }
}

impl Creatable<State> for Tenants {
    async fn create(
        state: &State,
        scope: &Scope,
        input: impl Into<Validated<TenantInput>>,
    ) -> Result<TenantWithUserCount> {
        Ok(TenantWithUserCount { tenant: tenant::create(&state.db, scope, input).await?, user_count: 0 })
    }
}

findable!(Tenants, row => Some(row.short_code));

const COLUMNS: &[Column<TenantWithUserCount>] = &[
    ("company", |row, _| row.tenant.tenant.company.as_str().into()),
    ("name", |row, _| row.tenant.tenant.name.as_str().into()),
    ("short_code", |row, _| row.tenant.tenant.short_code.as_str().into()),
    ("address", |row, _| row.tenant.tenant.address.as_deref().into()),
    ("email", |row, _| row.tenant.tenant.email.as_deref().into()),
    ("phone", |row, _| row.tenant.tenant.phone.as_deref().into()),
    ("external_api_type", |row, _| row.tenant.tenant.external_api_type.map(ExternalApiKind::as_str).into()),
    ("price_guard_percent", |row, _| row.tenant.tenant.price_guard_percent.into()),
    ("tenant_groups", |row, _| {
        let names: Vec<_> = row.tenant.groups.iter().map(|(_, name)| name.as_str()).collect();
        names.join(", ").as_str().into()
    }),
    ("user_count", |row, _| row.user_count.into()),
    ("updated_at", |row, _| time(row.tenant.tenant.updated_at)),
];

/// Exports all tenants that match the filters.
#[utoipa::path(get, path = "/api/admin/tenants/export")]
async fn export(by: Authorized<may::ListTenants>, export: Export<Tenants>) -> Answer<Download> {
    let scope = Tenants::reading_scope(by.scope());
    let detailed = async |db: &Snapshot, rows| load_details(db, &scope, rows).await;
    Ok(export.table(&scope, texts_of::<Tenants>()?, COLUMNS, detailed).await?)
}

/// Tenant that a record belongs to.
#[derive(Serialize, ToSchema)]
pub(super) struct TenantOfRecord {
    pub(super) id: i64,
    #[schema(example = "Nordstahl Handel GmbH")]
    pub(super) company: String,
}

impl TenantOfRecord {
    pub(super) fn new(id: Option<TenantId>, company: Option<String>) -> Option<Self> {
        Some(Self { id: id?.into(), company: company.unwrap_or_default() })
    }
}

impl From<&(i64, String)> for TenantOfRecord {
    fn from((id, company): &(i64, String)) -> Self {
        Self { id: *id, company: company.clone() }
    }
}

/// Tenant that a record belongs to, with its name for files.
#[derive(Serialize, ToSchema)]
pub(super) struct TenantReference {
    id: i64,
    #[schema(example = "NORD")]
    short_code: String,
}

impl TenantReference {
    pub(super) fn new(id: TenantId, short_code: String) -> Self {
        Self { id: id.into(), short_code }
    }
}

/// Trading partner that buys or sells.
#[derive(Serialize, ToSchema)]
#[schema(as = TradingParty)]
pub(super) struct PartyView {
    id: i64,
    #[schema(example = "NORD")]
    short_code: String,
    #[schema(example = "Nordstahl Handel GmbH")]
    company: String,
}

impl From<&Party> for PartyView {
    fn from(Party { id, short_code, company }: &Party) -> Self {
        Self { id: (*id).into(), short_code: short_code.clone(), company: company.clone() }
    }
}

/// Text for the owner of a record in a file: a tenant or the platform.
pub(super) fn owner(tenant: Option<TenantId>, company: Option<&str>, labels: &Labels) -> CellContent {
    if tenant.is_none() { labels.platform().into() } else { company.into() }
}

/// Maximum permissions that have not been saved yet.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct CeilingInput {
    permissions: Vec<Permission>,
}

/// Permissions that users of a tenant get as soon as higher maximum permissions are saved.
#[derive(Serialize, ToSchema)]
#[schema(as = CeilingEffect)]
struct EffectView {
    /// Number of all users of the tenant.
    #[schema(example = 4)]
    user_count: u64,
    /// Number of users who get a permission that they do not have yet.
    #[schema(example = 0)]
    gaining_count: u64,
    /// Permissions that are added to the maximum.
    permissions: Vec<GainedPermission>,
}

#[derive(Serialize, ToSchema)]
struct GainedPermission {
    name: Permission,
    /// Number of users with roles that contain it, who get it immediately.
    #[schema(example = 2)]
    user_count: u64,
}

impl From<Effect> for EffectView {
    fn from(Effect { total, gaining, permissions }: Effect) -> Self {
        let gained = |(name, user_count)| GainedPermission { name, user_count };
        let permissions = permissions.into_iter().map(gained).collect();
        Self { user_count: total, gaining_count: gaining, permissions }
    }
}

/// Previews the effect of higher maximum permissions on the users of a tenant.
#[utoipa::path(post, path = "/api/admin/tenants/{id}/effect")]
async fn effect(
    by: Authorized<may::UpdateTenant>,
    Db(db): Db,
    Id(id): Id,
    Body(CeilingInput { permissions }): Body<CeilingInput>,
) -> Answer<OkJson<EffectView>> {
    let ceiling = permissions.into_iter().collect();
    Ok(ok_json(tenant_users::effect(&db, by.scope(), id, ceiling).await?))
}
