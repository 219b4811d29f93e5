//! Roles over HTTP.

use std::collections::HashMap;

use http_api::{
    access::Authorized,
    answer::Download,
    export::{Column, Export, Labels, time},
    publish,
    routes::{Answer, Routes},
    screen_texts,
};
use identity::role::{RoleDetail, Roles};
use lists::Detailed;
use store::Database;
use values::{Language, Permission, PermissionSet, Result};

use crate::resource::{
    ALL,
    crud::{operations, view_of},
    search::findable,
    tenants::{TenantOfRecord, owner},
    texts_of,
    view::HasView,
};

pub(crate) fn routes(routes: &mut Routes) {
    operations::<Roles>(routes, "/api/admin/roles")
        .list::<identity::may::ListRoles>("Lists the roles of the platform and of the caller's tenant.")
        .create::<identity::may::CreateRole>("Creates a role of the tenant or of the platform.")
        .view::<identity::may::ViewRole>("Shows a role.")
        .update::<identity::may::UpdateRole>(
            "Changes a role. Its users have its permissions from their next call on.",
        )
        .delete::<identity::may::DeleteRole>("Deletes a role without users.")
        .usage::<identity::may::ViewRole>("Shows the users of a role.");
    publish!(routes, Roles: export);
}

view_of! {
    /// Named set of permissions.
    RoleView as Role, of detail: RoleDetail, row detail.role;
    #[schema(example = "Einkauf")]
    name: String = detail.role.name,
    /// Tenant of the role; `null` for a role of the platform, which every tenant can use.
    #[schema(required)]
    tenant: Option<TenantOfRecord> = TenantOfRecord::new(detail.role.tenant_id, detail.tenant),
    permissions: Vec<Permission> = detail.permissions.iter().collect(),
    /// Number of users with the role, among those whom the caller sees.
    #[schema(example = 3)]
    user_count: u64 = detail.user_count,
    /// True if the caller may change it.
    writable: bool = detail.writable,
}

impl HasView for Roles {
    type Source = Database;
    type View = RoleView;
}

findable!(Roles, of detail => detail.tenant);

const COLUMNS: &[Column<RoleRow>] = &[
    ("name", |(row, _), _| row.role.name.as_str().into()),
    ("tenant", |(row, _), labels| owner(row.role.tenant_id, row.tenant.as_deref(), labels)),
    ("permissions", |(_, permissions), _| permissions.as_str().into()),
    ("user_count", |(row, _), _| row.user_count.into()),
    ("updated_at", |(row, _), _| time(row.role.updated_at)),
];

/// Exports all roles that match the filters.
#[utoipa::path(get, path = "/api/admin/roles/export")]
async fn export(by: Authorized<identity::may::ListRoles>, export: Export<Roles>) -> Answer<Download> {
    let texts = PermissionTexts::new(export.language)?;
    let to_rows = async |db: &_, rows| {
        let to_row = |row: RoleDetail| {
            let permissions = texts.join(row.permissions);
            (row, permissions)
        };
        Ok(Roles::detailed(db, by.scope(), rows).await?.into_iter().map(to_row).collect())
    };
    Ok(export.table(by.scope(), texts_of::<Roles>()?, COLUMNS, to_rows).await?)
}

/// Role with its permissions as text.
type RoleRow = (RoleDetail, String);

/// Texts of the screens for permissions.
struct PermissionTexts {
    own: Labels,
    /// Names of areas; the area of a resource is named like its screen.
    areas: HashMap<&'static str, String>,
}

impl PermissionTexts {
    fn new(language: Language) -> Result<Self> {
        let with_texts =
            ALL.iter().filter_map(|published| Some((published.resource.list.as_str(), published.texts?)));
        let areas = with_texts.filter_map(|(list, labels)| Some((list.split_once('.')?.0, labels)));
        let areas = areas.chain([("audit", screen_texts!("audit"))]);
        let areas = areas.map(|(area, texts)| Ok((area, Labels::new(texts, language)?.title().to_owned())));
        Ok(Self {
            own: Labels::new(screen_texts!("permissions"), language)?,
            areas: areas.collect::<Result<_>>()?,
        })
    }

    fn join(&self, permissions: PermissionSet) -> String {
        permissions.iter().map(|permission| self.text(permission)).collect::<Vec<_>>().join(", ")
    }

    /// Text of a permission: `Preise: Ändern`.
    fn text(&self, permission: Permission) -> String {
        let single = self.own.text(&["singles", &permission.as_str().replace('.', "-")]);
        let Some((area, verb)) = permission.as_str().split_once('.').filter(|_| single.is_empty()) else {
            return single.to_owned();
        };
        let name = match self.own.text(&["areas", area]) {
            "" => self.areas.get(area).map_or("", String::as_str),
            name => name,
        };
        self.own
            .text(&["full"])
            .replace("{{area}}", name)
            .replace("{{verb}}", self.own.text(&["verbs", verb]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_permission_has_a_label_in_both_languages() {
        for (language, expected) in [(Language::De, "Preise: Ändern"), (Language::En, "Prices: Change")] {
            let texts = PermissionTexts::new(language).unwrap();
            for permission in PermissionSet::all().iter() {
                let text = texts.text(permission);
                assert!(
                    !text.is_empty() && !text.starts_with(": ") && !text.ends_with(": "),
                    "{permission:?}: {text}"
                );
            }
            assert_eq!(texts.text(pricing::permissions::UPDATE_PRICE), expected);
        }
    }
}
