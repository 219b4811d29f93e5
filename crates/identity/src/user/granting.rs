//! Granting of permissions: checks that the caller may grant them, and explains why a user has one.

use sea_orm::{ActiveValue::Set, ColumnTrait, Condition, ConnectionTrait, QueryFilter, QueryOrder};
use store::{Scope, Write, grant};
use tenancy::tenant;
use values::{Permission, PermissionSet, Result, TenantId, Violations, rule};

use super::{UserPermissions, UserRoles, get};
use crate::{
    codes,
    entity::{user_permission, user_role},
    rights::{self, PermissionSubject},
    role::{self, Roles},
};

/// Explanation of a user's permission.
#[derive(Debug, Clone)]
pub struct PermissionExplanation {
    pub permission: Permission,
    pub is_effective: bool,
    /// Roles that give it.
    pub roles: Vec<(i64, String)>,
    /// True if it is in the chosen subset; `None` if the user is not restricted to one.
    pub chosen: Option<bool>,
    /// True if the maximum permissions of the tenant allow it; `None` on the platform.
    pub ceiling: Option<bool>,
}

/// Explains every permission for a user.
pub async fn explain(
    db: &impl ConnectionTrait,
    scope: &Scope,
    id: i64,
) -> Result<Vec<PermissionExplanation>> {
    let detail = get(db, scope, id).await?;
    let permissions = rights::load_permissions(db, &[PermissionSubject::from(&detail.user)])
        .await?
        .remove(&id)
        .unwrap_or_default();
    let gives = |role: i64, permission| {
        permissions.of_roles.iter().any(|(id, rights)| *id == role && rights.contains(permission))
    };
    let explanation = |permission: Permission| PermissionExplanation {
        permission,
        is_effective: detail.effective.contains(permission),
        roles: detail.roles.iter().filter(|(role, _)| gives(*role, permission)).cloned().collect(),
        chosen: permissions.chosen.map(|chosen| chosen.contains(permission)),
        ceiling: permissions.ceiling.map(|ceiling| ceiling.contains(permission)),
    };
    Ok(Permission::all().map(explanation).collect())
}

/// Roles and permissions that a user is to get.
pub(super) struct Grant {
    pub role_ids: Vec<i64>,
    pub chosen: Option<Vec<Permission>>,
}

/// Checks that the user's tenant can use the roles, and that the caller has all their permissions, even those
/// that only take effect if the maximum permissions of the tenant grow.
pub(super) async fn check_rights(
    violations: &mut Violations,
    db: &impl ConnectionTrait,
    scope: &Scope,
    tenant: Option<TenantId>,
    before: &rights::UserPermissions,
    Grant { role_ids, chosen }: &Grant,
) -> Result<()> {
    rule::unique(violations, role_ids, |index| format!("role_ids.{index}"));
    let usable = Condition::any()
        .add(role::Column::TenantId.is_null())
        .add_option(tenant.map(|tenant| role::Column::TenantId.eq(tenant)));
    let query = scope.find::<Roles>().filter(usable).filter(role::Column::Id.is_in(role_ids.iter().copied()));
    let existing_roles = query.order_by_asc(role::Column::NameFold).all(db).await?;
    for (index, id) in role_ids.iter().enumerate() {
        if !existing_roles.iter().any(|role| role.id == *id) {
            violations.add(format!("role_ids.{index}"), codes::UNKNOWN_REFERENCE);
        }
    }
    let of_roles = rights::load_role_permissions(db, existing_roles.iter().map(|role| role.id)).await?;
    let Some(chosen) = chosen else {
        for role in &existing_roles {
            let permissions = of_roles.get(&role.id).copied().unwrap_or_default();
            check_role(violations, scope, before, role, permissions);
        }
        return Ok(());
    };
    let of_roles = of_roles.into_values().fold(PermissionSet::default(), PermissionSet::union);
    let ceiling = match tenant {
        Some(tenant) => tenant::ceiling(db, tenant).await?,
        None => PermissionSet::all(),
    };
    let chosen: PermissionSet = chosen.iter().copied().collect();
    // Permissions that the roles do not have today must not appear when the roles get them.
    let beyond = chosen.difference(of_roles);
    if !beyond.is_empty() {
        violations.add("permissions", grant::permissions_message(codes::NOT_IN_ROLES, beyond));
    }
    grant::check_grant(violations, "permissions", scope, Some(ceiling), chosen.intersection(of_roles));
    Ok(())
}

/// Checks a role that a user gets with all its permissions. If they have it already, only the permissions
/// from which they were restricted are granted now; a caller who changes other fields does not need the rest.
fn check_role(
    violations: &mut Violations,
    scope: &Scope,
    before: &rights::UserPermissions,
    role: &role::Role,
    permissions: PermissionSet,
) {
    let has_role = before.of_roles.iter().any(|(id, _)| *id == role.id);
    let granted = if has_role { permissions.difference(before.granted()) } else { permissions };
    let beyond = grant::missing_permissions(scope, granted);
    if !beyond.is_empty() {
        violations.add(
            "role_ids",
            grant::permissions_message(codes::ROLE_NOT_GRANTABLE, beyond).with("role", &role.name),
        );
    }
}

pub(super) async fn write_grant(
    tx: &Write,
    scope: &Scope,
    user: i64,
    Grant { role_ids, chosen }: Grant,
) -> Result<()> {
    scope.remove_parts::<UserRoles>(tx, user, Condition::all()).await?;
    let roles =
        role_ids.into_iter().map(|id| user_role::ActiveModel { role_id: Set(id), ..Default::default() });
    scope.add_parts::<UserRoles>(tx, user, roles).await?;
    scope.remove_parts::<UserPermissions>(tx, user, Condition::all()).await?;
    let chosen: PermissionSet = chosen.into_iter().flatten().collect();
    let chosen = chosen.iter().map(|permission| user_permission::ActiveModel {
        permission: Set(permission.as_str().to_owned()),
        ..Default::default()
    });
    scope.add_parts::<UserPermissions>(tx, user, chosen).await?;
    rights::changed(tx).await
}
