//! Roles over HTTP.

use identity::role::{self, RoleDetail, RoleInput, Roles};
use kernel::{Permission, PermissionSet, may};

use crate::{
    http::{
        access::Authorized,
        answer::Download,
        export::{Column, Export, Labels, time},
        routes::{Answer, Routes},
    },
    publish,
    resource::{
        crud::{crud, operations, view_of},
        search::found,
        tenants::{TenantOfRecord, owner},
        words_of,
    },
    words,
};

pub(crate) fn routes(routes: &mut Routes) {
    operations::<Roles>(routes, "/api/admin/roles")
        .list::<may::ListRoles>("Lists the roles of the platform and of one's own tenant.")
        .create::<may::CreateRole>("Creates a role of the tenant that is acted for, or of the platform.")
        .view::<may::ViewRole>("Shows a role.")
        .update::<may::UpdateRole>("Changes a role; its users have its rights with their next call.")
        .delete::<may::DeleteRole>("Deletes a role that no user holds.")
        .usage::<may::ViewRole>("Shows who holds a role.");
    publish!(routes, Roles: export);
}

view_of! {
    /// A named set of rights.
    RoleView as Role, of detail: RoleDetail, row detail.role;
    #[schema(example = "Einkauf")]
    name: String = detail.role.name,
    /// `null`: one of the platform, usable by every tenant.
    #[schema(required)]
    tenant: Option<TenantOfRecord> = TenantOfRecord::of(detail.role.tenant_id, detail.tenant),
    permissions: Vec<Permission> = detail.permissions.iter().collect(),
    /// How many users hold it, of those that the caller sees.
    #[schema(example = 3)]
    user_count: u64 = detail.user_count,
    /// Whether the caller may change it.
    writable: bool = detail.writable,
}

crud!(Roles in role: RoleDetail => RoleView, RoleInput);
found!(Roles, of detail => detail.tenant);

const COLUMNS: &[Column<Told>] = &[
    ("name", |(row, _), _| row.role.name.as_str().into()),
    ("tenant", |(row, _), words| owner(row.role.tenant_id, row.tenant.as_deref(), words)),
    ("permissions", |(_, permissions), _| permissions.as_str().into()),
    ("user_count", |(row, _), _| row.user_count.into()),
    ("updated_at", |(row, _), _| time(row.role.updated_at)),
];

/// Exports all roles that the filters match.
#[utoipa::path(get, path = "/api/admin/roles/export")]
async fn export(by: Authorized<may::ListRoles>, export: Export<Roles>) -> Answer<Download> {
    let labels = Labels::new(words!("permissions"), export.language)?;
    let told = async |db: &_, rows| {
        let told = |row: RoleDetail| {
            let permissions = told(row.permissions, &labels);
            (row, permissions)
        };
        Ok(role::detailed(db, by.scope(), rows).await?.into_iter().map(told).collect())
    };
    Ok(export.table(by.scope(), words_of::<Roles>()?, COLUMNS, told).await?)
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
