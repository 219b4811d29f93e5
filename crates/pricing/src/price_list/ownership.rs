//! Who owns a price list: a tenant, or a group of tenants, whose list the platform writes.

use std::collections::HashSet;

use kernel::{Code, Result, Scope, TenantId, Violations};
use sea_orm::{ColumnTrait, Condition, ConnectionTrait, QueryFilter, QuerySelect};
use tenancy::{tenant, tenant_group};

use super::{Column, PriceList, PriceListInput, PriceLists};

/// The lists of a tenant and of the groups that it is in.
pub(crate) fn owned_by(tenant: TenantId) -> Condition {
    Condition::any()
        .add(Column::OwnerTenantId.eq(tenant))
        .add(Column::OwnerTenantGroupId.in_subquery(tenant_group::ids_of(tenant)))
}

/// Those that the caller's company owns, itself or through a group; all of them for the platform.
pub(crate) fn own(scope: &Scope) -> Condition {
    scope.tenant().map_or_else(|_| Condition::all(), owned_by)
}

/// Those of these lists that the caller's company owns, itself or through a group.
pub(super) async fn own_of(db: &impl ConnectionTrait, scope: &Scope, ids: &[i64]) -> Result<HashSet<i64>> {
    let found = scope.find::<PriceLists>().filter(Column::Id.is_in(ids.iter().copied()));
    let found = match scope.tenant() {
        Ok(tenant) => found.filter(owned_by(tenant)),
        Err(_) => found,
    };
    Ok(found.select_only().column(Column::Id).into_tuple::<i64>().all(db).await?.into_iter().collect())
}

/// Whether the caller's company owns a list, itself or through a group.
pub(crate) async fn owns(db: &impl ConnectionTrait, scope: &Scope, list: i64) -> Result<bool> {
    Ok(own_of(db, scope, &[list]).await?.contains(&list))
}

/// Refuses whoever only buys by a list what is told to its owner alone.
pub(crate) async fn refuse_others(db: &impl ConnectionTrait, scope: &Scope, list: &PriceList) -> Result<()> {
    if owns(db, scope, list.id).await? { Ok(()) } else { Err(Code::ForOwnerOnly.into()) }
}

/// As whom the owner of an input is written for; what is wrong is added.
pub(super) async fn owner(
    db: &impl ConnectionTrait,
    scope: &Scope,
    input: &PriceListInput,
    violations: &mut Violations,
) -> Result<Option<Scope>> {
    match (input.owner_tenant_id, input.owner_tenant_group_id) {
        (Some(tenant), None) => {
            let known = tenant::companies(db, scope, [TenantId(tenant)]).await?;
            if known.is_empty() {
                violations.add("owner_tenant_id", Code::UnknownReference);
                return Ok(None);
            }
            Ok(Some(scope.acting_for(Some(TenantId(tenant)))))
        }
        (None, Some(group)) => {
            if !scope.is_platform() {
                violations.add("owner_tenant_group_id", Code::NotOwnPriceList);
            } else if !tenant_group::names(db, scope, [group]).await?.contains_key(&group) {
                violations.add("owner_tenant_group_id", Code::UnknownReference);
            } else {
                return Ok(Some(scope.acting_for(None)));
            }
            Ok(None)
        }
        _ => {
            violations.add("owner_tenant_id", Code::OneOwner);
            violations.add("owner_tenant_group_id", Code::OneOwner);
            Ok(None)
        }
    }
}
