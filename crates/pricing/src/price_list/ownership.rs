//! Ownership of price lists: by a tenant, or by a group of tenants, in which case the platform writes the
//! list.

use std::collections::HashSet;

use sea_orm::{ColumnTrait, Condition, ConnectionTrait, QueryFilter, QuerySelect};
use store::Scope;
use tenancy::{tenant, tenant_group};
use values::{Result, TenantId, Violations};

use super::{Column, PriceList, PriceListInput, PriceLists};
use crate::codes;

/// Condition for the lists of a tenant and of its groups.
pub(crate) fn owned_by(tenant: TenantId) -> Condition {
    Condition::any()
        .add(Column::OwnerTenantId.eq(tenant))
        .add(Column::OwnerTenantGroupId.in_subquery(tenant_group::ids_of(tenant)))
}

/// Condition for the lists that the caller's company owns, itself or through a group; all lists for the
/// platform.
pub(crate) fn own_lists(scope: &Scope) -> Condition {
    scope.tenant().map_or_else(|_| Condition::all(), owned_by)
}

/// Returns those of these lists that the caller's company owns, itself or through a group.
pub(super) async fn own_ids(db: &impl ConnectionTrait, scope: &Scope, ids: &[i64]) -> Result<HashSet<i64>> {
    let query = scope.find::<PriceLists>().filter(Column::Id.is_in(ids.iter().copied()));
    let query = match scope.tenant() {
        Ok(tenant) => query.filter(owned_by(tenant)),
        Err(_) => query,
    };
    Ok(query.select_only().column(Column::Id).into_tuple::<i64>().all(db).await?.into_iter().collect())
}

/// True if the caller's company owns a list, itself or through a group.
pub(crate) async fn owns(db: &impl ConnectionTrait, scope: &Scope, list: i64) -> Result<bool> {
    Ok(own_ids(db, scope, &[list]).await?.contains(&list))
}

/// Rejects callers whose company does not own the list.
pub(crate) async fn refuse_others(db: &impl ConnectionTrait, scope: &Scope, list: &PriceList) -> Result<()> {
    if owns(db, scope, list.id).await? { Ok(()) } else { Err(codes::FOR_OWNER_ONLY.into()) }
}

/// Returns the scope with which the owner in an input is written; violations are added.
pub(super) async fn owner_scope(
    db: &impl ConnectionTrait,
    scope: &Scope,
    input: &PriceListInput,
    violations: &mut Violations,
) -> Result<Option<Scope>> {
    match (input.owner_tenant_id, input.owner_tenant_group_id) {
        (Some(tenant), None) => {
            let companies = tenant::companies(db, scope, [TenantId(tenant)]).await?;
            if companies.is_empty() {
                violations.add("owner_tenant_id", codes::UNKNOWN_REFERENCE);
                return Ok(None);
            }
            Ok(Some(scope.acting_for(Some(TenantId(tenant)))))
        }
        (None, Some(group)) => {
            if !scope.is_platform() {
                violations.add("owner_tenant_group_id", codes::NOT_OWN_PRICE_LIST);
            } else if !tenant_group::names(db, scope, [group]).await?.contains_key(&group) {
                violations.add("owner_tenant_group_id", codes::UNKNOWN_REFERENCE);
            } else {
                return Ok(Some(scope.acting_for(None)));
            }
            Ok(None)
        }
        _ => {
            violations.add("owner_tenant_id", codes::ONE_OWNER);
            violations.add("owner_tenant_group_id", codes::ONE_OWNER);
            Ok(None)
        }
    }
}
