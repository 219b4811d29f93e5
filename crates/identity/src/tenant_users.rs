//! Users of tenants: their number, and the effect of higher maximum permissions on them.

use std::collections::HashMap;

use sea_orm::{ColumnTrait, ConnectionTrait, QueryFilter, QueryOrder, QuerySelect};
use store::{Scope, Scoped};
use tenancy::tenant::{self, TenantDetail, Tenants};
use values::{Permission, PermissionSet, Result, TenantId, Violations};

use crate::{
    rights::{self, PermissionSubject},
    user::{Column, Users},
};

/// Counts the users of tenants; tenants without any are absent.
async fn count(
    db: &impl ConnectionTrait,
    scope: &Scope,
    tenants: impl IntoIterator<Item = i64>,
) -> Result<HashMap<i64, u64>> {
    let rows: Vec<(i64, i64)> = scope
        .acting_for(None)
        .find::<Users>()
        .select_only()
        .column(Column::TenantId)
        .column_as(Column::Id.count(), "users")
        .filter(Column::TenantId.is_in(tenants))
        .group_by(Column::TenantId)
        .into_tuple()
        .all(db)
        .await?;
    Ok(rows.into_iter().map(|(tenant, users)| (tenant, users.unsigned_abs())).collect())
}

/// Tenant with the number of its users.
#[derive(Debug, Clone)]
pub struct TenantWithUserCount {
    pub tenant: TenantDetail,
    pub user_count: u64,
}

/// Adds the numbers of users to tenants.
pub async fn with_user_counts(
    db: &impl ConnectionTrait,
    scope: &Scope,
    tenants: Vec<TenantDetail>,
) -> Result<Vec<TenantWithUserCount>> {
    let counts = count(db, scope, tenants.iter().map(|detail| detail.tenant.id)).await?;
    let with_count = |tenant: TenantDetail| TenantWithUserCount {
        user_count: counts.get(&tenant.tenant.id).copied().unwrap_or_default(),
        tenant,
    };
    Ok(tenants.into_iter().map(with_count).collect())
}

/// Adds the number of users to one tenant.
pub async fn with_user_count(
    db: &impl ConnectionTrait,
    scope: &Scope,
    tenant: TenantDetail,
) -> Result<TenantWithUserCount> {
    Ok(with_user_counts(db, scope, vec![tenant]).await?.remove(0))
}

/// Effect of higher maximum permissions on the users of a tenant: permissions of their roles that were
/// withheld before.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Effect {
    /// Number of users of the tenant.
    pub total: u64,
    /// Number of users who gain a permission.
    pub gaining: u64,
    /// Added permissions, each with the number of users who gain it.
    pub permissions: Vec<(Permission, u64)>,
}

const USERS_AT_ONCE: usize = 500;

/// Calculates the effect of new maximum permissions; rejects the same input as their change does.
pub async fn effect(
    db: &impl ConnectionTrait,
    scope: &Scope,
    id: i64,
    ceiling: PermissionSet,
) -> Result<Effect> {
    let scope = &scope.acting_for(None);
    tenant::get(db, scope, id).await?;
    scope.claim::<Tenants>()?;
    let mut violations = Violations::new();
    let added =
        tenant::added_permissions(&mut violations, scope, tenant::ceiling(db, TenantId(id)).await?, ceiling);
    violations.check()?;

    let users = scope.find::<Users>().filter(Column::TenantId.eq(id)).order_by_asc(Users::ID).all(db).await?;
    let mut effect = Effect {
        total: users.len().try_into().unwrap_or(u64::MAX),
        gaining: 0,
        permissions: added.iter().map(|permission| (permission, 0)).collect(),
    };
    for batch in users.chunks(USERS_AT_ONCE) {
        let holders: Vec<PermissionSubject> = batch.iter().map(PermissionSubject::from).collect();
        for mut permissions in rights::load_permissions(db, &holders).await?.into_values() {
            permissions.ceiling = Some(ceiling);
            let gained = permissions.effective().intersection(added);
            effect.gaining += u64::from(!gained.is_empty());
            for (permission, users) in &mut effect.permissions {
                *users += u64::from(gained.contains(*permission));
            }
        }
    }
    Ok(effect)
}
