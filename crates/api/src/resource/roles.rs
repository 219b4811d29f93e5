//! Roles over HTTP.

use std::collections::HashMap;

use identity::role::{self, RoleDetail, RoleInput, Roles};
use kernel::{Language, Permission, PermissionSet, Result, may};

use crate::{
    http::{
        access::Authorized,
        answer::Download,
        export::{Column, Export, Labels, time},
        routes::{Answer, Routes},
    },
    publish,
    resource::{
        ALL,
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
    /// Named set of permissions.
    RoleView as Role, of detail: RoleDetail, row detail.role;
    #[schema(example = "Einkauf")]
    name: String = detail.role.name,
    /// Tenant of the role; `null` for a role of the platform, which every tenant can use.
    #[schema(required)]
    tenant: Option<TenantOfRecord> = TenantOfRecord::of(detail.role.tenant_id, detail.tenant),
    permissions: Vec<Permission> = detail.permissions.iter().collect(),
    /// Number of users with the role, among those whom the caller sees.
    #[schema(example = 3)]
    user_count: u64 = detail.user_count,
    /// True if the caller may change it.
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

/// Exports all roles that match the filters.
#[utoipa::path(get, path = "/api/admin/roles/export")]
async fn export(by: Authorized<may::ListRoles>, export: Export<Roles>) -> Answer<Download> {
    let rights = RightsInWords::new(export.language)?;
    let told = async |db: &_, rows| {
        let told = |row: RoleDetail| {
            let permissions = rights.all(row.permissions);
            (row, permissions)
        };
        Ok(role::detailed(db, by.scope(), rows).await?.into_iter().map(told).collect())
    };
    Ok(export.table(by.scope(), words_of::<Roles>()?, COLUMNS, told).await?)
}

/// Role with its permissions as text.
type Told = (RoleDetail, String);

/// Texts of the screens for permissions.
struct RightsInWords {
    own: Labels,
    /// Names of areas; the area of a resource is named like its screen.
    areas: HashMap<&'static str, String>,
}

impl RightsInWords {
    fn new(language: Language) -> Result<Self> {
        let with_words =
            ALL.iter().filter_map(|published| Some((published.resource.list.as_str(), published.words?)));
        let areas = with_words.filter_map(|(list, words)| Some((list.split_once('.')?.0, words)));
        let areas = areas.chain([("audit", words!("audit"))]);
        let areas = areas.map(|(area, words)| Ok((area, Labels::new(words, language)?.title().to_owned())));
        Ok(Self { own: Labels::new(words!("permissions"), language)?, areas: areas.collect::<Result<_>>()? })
    }

    fn all(&self, permissions: PermissionSet) -> String {
        permissions.iter().map(|permission| self.one(permission)).collect::<Vec<_>>().join(", ")
    }

    /// Text of a permission: `Preise: Ändern`.
    fn one(&self, permission: Permission) -> String {
        let single = self.own.text(&["singles", &permission.as_str().replace('.', "-")]);
        let Some((area, verb)) = permission.as_str().split_once('.').filter(|_| single.is_empty()) else {
            return single.to_owned();
        };
        let named = match self.own.text(&["areas", area]) {
            "" => self.areas.get(area).map_or("", String::as_str),
            named => named,
        };
        self.own
            .text(&["full"])
            .replace("{{area}}", named)
            .replace("{{verb}}", self.own.text(&["verbs", verb]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_permission_has_a_text_of_its_screen() {
        for (language, expected) in [(Language::De, "Preise: Ändern"), (Language::En, "Prices: Change")] {
            let rights = RightsInWords::new(language).unwrap();
            for permission in PermissionSet::ALL.iter() {
                let told = rights.one(permission);
                assert!(
                    !told.is_empty() && !told.starts_with(": ") && !told.ends_with(": "),
                    "{permission:?}: {told}"
                );
            }
            assert_eq!(rights.one(Permission::UpdatePrice), expected);
        }
    }
}
