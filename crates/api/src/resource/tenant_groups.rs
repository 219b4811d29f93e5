//! Groups of tenants over HTTP.

use http_api::{
    export::{Column, time},
    routes::Routes,
};
use store::Database;
use tenancy::{
    may,
    tenant_group::{TenantGroupDetail, TenantGroups},
};

use crate::resource::{
    crud::{Exportable, operations, view_of},
    search::findable,
    tenants::TenantOfRecord,
    view::HasView,
};

pub(crate) fn routes(routes: &mut Routes) {
    operations::<TenantGroups>(routes, "/api/admin/tenant-groups")
        .list::<may::ListTenantGroups>("Lists groups of tenants.")
        .export::<may::ListTenantGroups>("Exports all groups of tenants that match the filters.")
        .create::<may::CreateTenantGroup>("Creates a group of tenants.")
        .view::<may::ViewTenantGroup>("Shows a group of tenants.")
        .update::<may::UpdateTenantGroup>("Changes a group of tenants.")
        .delete::<may::DeleteTenantGroup>("Deletes a group without tenants.")
        .bulk_delete::<may::DeleteTenantGroup>(
            "Deletes many groups of tenants and leaves those that are in use.",
        )
        .usage::<may::ViewTenantGroup>("Shows where a group of tenants is used.");
}

view_of! {
    /// A group of tenants.
    TenantGroupView as TenantGroup, of detail: TenantGroupDetail, row detail.group;
    /// Unique, ignoring case.
    #[schema(example = "Einkaufsverbund Nord")]
    name: String = detail.group.name,
    #[schema(required, example = "Gemeinsamer Einkauf der Häuser im Norden")]
    description: Option<String> = detail.group.description,
    /// Members whom the caller sees, by company.
    tenants: Vec<TenantOfRecord> = detail.tenants.iter().map(TenantOfRecord::from).collect(),
    #[schema(example = 3)]
    tenant_count: u64 = detail.tenants.len() as u64,
}

impl HasView for TenantGroups {
    type Source = Database;
    type View = TenantGroupView;
}

findable!(TenantGroups, row => row.description);

impl Exportable for TenantGroups {
    const COLUMNS: &'static [Column<TenantGroupDetail>] = &[
        ("name", |row, _| row.group.name.as_str().into()),
        ("description", |row, _| row.group.description.as_deref().into()),
        ("tenant_count", |row, _| (row.tenants.len() as u64).into()),
        ("updated_at", |row, _| time(row.group.updated_at)),
    ];
}
