//! Permissions of users: those of their roles, or a chosen subset of these, within the maximum permissions of
//! their tenant.

use std::collections::{HashMap, HashSet};

use sea_orm::{ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter, QueryOrder};
use store::{VersionedCache, grant::permissions_by_holder};
pub(crate) use tenancy::rights::changed;
use values::{PermissionSet, Result, TenantId};

use crate::{
    codes,
    entity::{
        role_permission,
        user::{self, Status},
        user_permission, user_role,
    },
};

/// Cache of users' permissions, valid until any permission changes.
#[derive(Debug)]
pub struct RightsCache(VersionedCache<i64, PermissionSet>);

const CACHED_USERS_MAX: usize = 10_000;

impl Default for RightsCache {
    fn default() -> Self {
        Self(VersionedCache::with_capacity(CACHED_USERS_MAX))
    }
}

impl RightsCache {
    /// Permissions of a user at `version`, which the caller has just read.
    pub(crate) async fn effective(
        &self,
        db: &impl ConnectionTrait,
        user: PermissionSubject,
        version: i64,
    ) -> Result<PermissionSet> {
        if let Some(rights) = self.0.get(&user.id, version) {
            return Ok(rights);
        }
        let rights = self::effective(db, user).await?;
        self.0.store(user.id, version, rights);
        Ok(rights)
    }
}

/// User whose permissions are requested.
#[derive(Debug, Clone, Copy)]
pub struct PermissionSubject {
    pub id: i64,
    pub tenant_id: Option<TenantId>,
    pub narrowed: bool,
}

impl From<&user::Model> for PermissionSubject {
    fn from(user: &user::Model) -> Self {
        Self { id: user.id, tenant_id: user.tenant_id, narrowed: user.narrowed }
    }
}

/// Effective permissions: roles ∩ chosen subset ∩ maximum permissions.
pub async fn effective(db: &impl ConnectionTrait, user: PermissionSubject) -> Result<PermissionSet> {
    Ok(load_permissions(db, &[user]).await?.remove(&user.id).unwrap_or_default().effective())
}

/// Permissions of a user, and the limits on them.
#[derive(Debug, Clone, Default)]
pub struct UserPermissions {
    /// Permissions of each role, by role id.
    pub of_roles: Vec<(i64, PermissionSet)>,
    /// Chosen subset, if the user is restricted to one.
    pub chosen: Option<PermissionSet>,
    /// Maximum permissions of the tenant.
    pub ceiling: Option<PermissionSet>,
}

impl UserPermissions {
    /// Granted permissions, before the maximum permissions are applied.
    pub fn granted(&self) -> PermissionSet {
        let of_roles = self.of_roles.iter().fold(PermissionSet::default(), |all, (_, one)| all.union(*one));
        self.chosen.map_or(of_roles, |chosen| chosen.intersection(of_roles))
    }

    /// Granted permissions that the maximum permissions of the tenant allow.
    pub fn effective(&self) -> PermissionSet {
        let granted = self.granted();
        self.ceiling.map_or(granted, |ceiling| ceiling.intersection(granted))
    }
}

/// Loads the permissions of users, by user id.
#[expect(clippy::disallowed_methods, reason = "rights are what a scope is made of")]
pub async fn load_permissions(
    db: &impl ConnectionTrait,
    users: &[PermissionSubject],
) -> Result<HashMap<i64, UserPermissions>> {
    let mut by_user: HashMap<i64, UserPermissions> =
        users.iter().map(|user| (user.id, UserPermissions::default())).collect();
    let roles = user_role::Entity::find()
        .filter(user_role::Column::UserId.is_in(users.iter().map(|user| user.id)))
        .order_by_asc(user_role::Column::RoleId)
        .all(db)
        .await?;
    let by_role = load_role_permissions(db, roles.iter().map(|row| row.role_id)).await?;
    for row in roles {
        let permissions = by_role.get(&row.role_id).copied().unwrap_or_default();
        by_user.entry(row.user_id).or_default().of_roles.push((row.role_id, permissions));
    }
    let narrowed = users.iter().filter(|user| user.narrowed).map(|user| user.id);
    let chosen = {
        use user_permission::{Column, Entity};
        permissions_by_holder::<Entity>(db, Column::UserId, Column::Permission, narrowed.clone()).await?
    };
    for user in narrowed {
        by_user.entry(user).or_default().chosen = Some(chosen.get(&user).copied().unwrap_or_default());
    }
    let tenants: HashSet<TenantId> = users.iter().filter_map(|user| user.tenant_id).collect();
    let ceilings = tenancy::tenant::ceilings(db, tenants).await?;
    for user in users {
        let ceiling = user.tenant_id.map(|tenant| ceilings.get(&tenant).copied().unwrap_or_default());
        by_user.entry(user.id).or_default().ceiling = ceiling;
    }
    Ok(by_user)
}

/// Loads the permissions of roles, by role id.
pub(crate) async fn load_role_permissions(
    db: &impl ConnectionTrait,
    roles: impl IntoIterator<Item = i64>,
) -> Result<HashMap<i64, PermissionSet>> {
    use role_permission::{Column, Entity};
    permissions_by_holder::<Entity>(db, Column::RoleId, Column::Permission, roles).await
}

/// True if a verified platform user has all permissions.
#[expect(clippy::disallowed_methods, reason = "asks about the platform as a whole")]
pub(crate) async fn has_administrator(db: &impl ConnectionTrait) -> Result<bool> {
    let platform = user::Entity::find()
        .filter(user::Column::TenantId.is_null())
        .filter(user::Column::Status.eq(Status::Verified))
        .order_by_asc(user::Column::Id);
    for one in platform.all(db).await? {
        if PermissionSet::all().is_subset(effective(db, PermissionSubject::from(&one)).await?) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Rejects a change after which no user could administer everything. `had_administrator` is false if there
/// was none before or the change cannot concern them. Call it after [`changed`], which serialises
/// such changes.
pub(crate) async fn require_remaining_administrator(
    db: &impl ConnectionTrait,
    had_administrator: bool,
) -> Result<()> {
    if had_administrator && !has_administrator(db).await? {
        Err(codes::LAST_ADMINISTRATOR.into())
    } else {
        Ok(())
    }
}
