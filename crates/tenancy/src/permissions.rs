//! Permissions for tenants and their groups.

values::permissions! {
    LIST_TENANTS ListTenants "tenant.list"
    VIEW_TENANT ViewTenant "tenant.view"
    CREATE_TENANT CreateTenant "tenant.create"
    UPDATE_TENANT UpdateTenant "tenant.update"
    DELETE_TENANT DeleteTenant "tenant.delete"

    LIST_TENANT_GROUPS ListTenantGroups "tenant-group.list"
    VIEW_TENANT_GROUP ViewTenantGroup "tenant-group.view"
    CREATE_TENANT_GROUP CreateTenantGroup "tenant-group.create"
    UPDATE_TENANT_GROUP UpdateTenantGroup "tenant-group.update"
    DELETE_TENANT_GROUP DeleteTenantGroup "tenant-group.delete"
}
