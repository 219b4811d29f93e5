//! Roles over HTTP.

use chrono::{DateTime, Utc};
use identity::role::{self, RoleDetail, RoleInput, Roles};
use kernel::{Permission, PermissionSet, in_use::Usage, may, usage};
use serde::Serialize;
use utoipa::ToSchema;

use crate::{
    http::{
        access::Authorized,
        answer::{Created, Done, Download, Listing, Shown, Whole, created, done, listing, shown},
        export::{Export, Labels, Table, time},
        input::{Body, Db, Id, List},
        routes::{Answer, Routes},
    },
    publish,
    resource::tenants::{TenantOfRecord, owner},
    words,
};

pub(crate) fn routes(routes: &mut Routes) {
    publish!(routes, Roles: list, export, create, view, update, delete, usage);
}

/// A named set of rights.
#[derive(Serialize, ToSchema)]
#[schema(as = Role)]
struct RoleView {
    id: i64,
    name: String,
    /// `null`: one of the platform, usable by every tenant.
    #[schema(required)]
    tenant: Option<TenantOfRecord>,
    permissions: Vec<Permission>,
    /// How many users hold it, of those that the caller sees.
    user_count: u64,
    /// Whether the caller may change it.
    writable: bool,
    /// Counts the changes; to be sent back with a change.
    version: i64,
    created_at: DateTime<Utc>,
    updated_at: DateTime<Utc>,
}

impl From<RoleDetail> for RoleView {
    fn from(RoleDetail { role, tenant, permissions, user_count, writable }: RoleDetail) -> Self {
        let role::Role { id, tenant_id, name, version, created_at, updated_at, .. } = role;
        let tenant = TenantOfRecord::of(tenant_id, tenant);
        let permissions = permissions.iter().collect();
        Self { id, name, tenant, permissions, user_count, writable, version, created_at, updated_at }
    }
}

/// Lists the roles of the platform and of one's own tenant.
#[utoipa::path(get, path = "/api/admin/roles")]
async fn list(
    by: Authorized<may::ListRoles>,
    Db(db): Db,
    List(query): List<Roles>,
) -> Answer<Listing<RoleView>> {
    Ok(listing(role::list(&db, by.scope(), &query).await?))
}

/// Exports all roles that the filters match.
#[utoipa::path(get, path = "/api/admin/roles/export")]
async fn export(by: Authorized<may::ListRoles>, export: Export<Roles>) -> Answer<Download> {
    let table = Table {
        words: words!("roles"),
        columns: &[
            ("name", |(row, _): &Told, _| row.role.name.as_str().into()),
            ("tenant", |(row, _), words| owner(row.role.tenant_id, row.tenant.as_deref(), words)),
            ("permissions", |(_, permissions), _| permissions.as_str().into()),
            ("user_count", |(row, _), _| row.user_count.into()),
            ("updated_at", |(row, _), _| time(row.role.updated_at)),
        ],
    };
    let labels = Labels::new(words!("permissions"), export.language)?;
    let told = async |db: &_, rows| {
        let told = |row: RoleDetail| {
            let permissions = told(row.permissions, &labels);
            (row, permissions)
        };
        Ok(role::detailed(db, by.scope(), rows).await?.into_iter().map(told).collect())
    };
    Ok(export.table(by.scope(), &table, told).await?)
}

/// A role, and its rights in words.
type Told = (RoleDetail, String);

fn told(permissions: PermissionSet, labels: &Labels) -> String {
    permissions.iter().map(|permission| in_words(permission, labels)).collect::<Vec<_>>().join(", ")
}

/// As the screen calls a permission: `Preise: Ändern`.
fn in_words(permission: Permission, labels: &Labels) -> String {
    let single = labels.text(&["singles", &permission.as_str().replace('.', "-")]);
    let Some((area, verb)) = permission.as_str().split_once('.').filter(|_| single.is_empty()) else {
        return single.to_owned();
    };
    let full = labels.text(&["full"]);
    full.replace("{{area}}", labels.text(&["areas", area])).replace("{{verb}}", labels.text(&["verbs", verb]))
}

/// Creates a role of the tenant that is acted for, or of the platform.
#[utoipa::path(post, path = "/api/admin/roles")]
async fn create(
    by: Authorized<may::CreateRole>,
    Db(db): Db,
    Body(input): Body<RoleInput>,
) -> Answer<Created<RoleView>> {
    Ok(created(role::create(&db, by.scope(), input).await?))
}

/// Shows a role.
#[utoipa::path(get, path = "/api/admin/roles/{id}")]
async fn view(by: Authorized<may::ViewRole>, Db(db): Db, Id(id): Id) -> Answer<Shown<RoleView>> {
    Ok(shown(role::get(&db, by.scope(), id).await?))
}

/// Changes a role; its users have its rights with their next call.
#[utoipa::path(put, path = "/api/admin/roles/{id}")]
async fn update(
    by: Authorized<may::UpdateRole>,
    Db(db): Db,
    Id(id): Id,
    Body(input): Body<RoleInput>,
) -> Answer<Shown<RoleView>> {
    Ok(shown(role::update(&db, by.scope(), id, input).await?))
}

/// Deletes a role that no user holds.
#[utoipa::path(delete, path = "/api/admin/roles/{id}")]
async fn delete(by: Authorized<may::DeleteRole>, Db(db): Db, Id(id): Id) -> Answer<Done> {
    Ok(done(role::delete(&db, by.scope(), id).await?))
}

/// Shows who holds a role.
#[utoipa::path(get, path = "/api/admin/roles/{id}/usage")]
async fn usage(by: Authorized<may::ViewRole>, Db(db): Db, Id(id): Id) -> Answer<Shown<Whole<Usage>>> {
    Ok(shown(usage::of::<Roles>(&db, by.scope(), id).await?))
}

#[cfg(test)]
mod tests {
    use kernel::Language;

    use super::*;

    #[test]
    fn every_permission_is_told_in_the_words_of_the_screen() {
        for (language, expected) in [(Language::De, "Preise: Ändern"), (Language::En, "Prices: Change")] {
            let labels = Labels::new(words!("permissions"), language).unwrap();
            for permission in PermissionSet::ALL.iter() {
                let told = in_words(permission, &labels);
                assert!(
                    !told.is_empty() && !told.starts_with(": ") && !told.ends_with(": "),
                    "{permission:?}: {told}"
                );
            }
            assert_eq!(in_words(Permission::UpdatePrice, &labels), expected);
        }
    }
}
