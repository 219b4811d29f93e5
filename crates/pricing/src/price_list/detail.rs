//! Price lists with the records that they refer to, limited to what the caller can see.

use std::collections::{HashMap, HashSet};

use lists::Detailed;
use sea_orm::{ColumnTrait, ConnectionTrait, QueryFilter, QuerySelect};
use store::Scope;
use tenancy::{tenant, tenant_group};
use values::{Result, TenantId, fold, now};

use super::{Column, PriceList, PriceLists, Status, audience, ownership::own_ids};

/// List with the records that it refers to.
#[derive(Debug, Clone)]
pub struct PriceListDetail {
    /// List, with the name that the caller sees.
    pub list: PriceList,
    /// Name for customers, if it differs; `None` unless the caller owns or can write the list.
    pub customer_name: Option<String>,
    /// True if customers see the list before it begins; `None` unless the caller owns or can write the list.
    pub announce: Option<bool>,
    /// Company of the tenant that owns the list.
    pub owner: Option<String>,
    /// Name of the group that owns the list.
    pub owner_group: Option<String>,
    pub status: Status,
    /// True if the caller's company owns the list, itself or through a group. Only owners see its audience.
    pub own: bool,
    /// True if the caller could write the list; permissions are checked separately.
    pub writable: bool,
    /// Tenants that the list names, by company; empty unless the caller owns the list.
    pub tenants: Vec<(i64, String)>,
    /// Groups that the list names, by name; empty unless the caller owns the list.
    pub tenant_groups: Vec<(i64, String)>,
    /// Tenants that the list excludes, by company; empty unless the caller owns the list.
    pub excluded_tenants: Vec<(i64, String)>,
    pub price_count: u64,
    /// Number of tenants that the list applies to now; `None` unless the caller owns it.
    pub audience_count: Option<u64>,
}

/// Loads a list with the names that the caller can see.
pub async fn view(db: &impl ConnectionTrait, scope: &Scope, id: i64) -> Result<PriceListDetail> {
    let list = scope.get::<PriceLists>(db, id).await?;
    Ok(PriceLists::detailed(db, scope, vec![list]).await?.remove(0))
}

/// Loads the names of lists that the caller can see.
pub async fn names(
    db: &impl ConnectionTrait,
    scope: &Scope,
    ids: impl IntoIterator<Item = i64>,
) -> Result<HashMap<i64, String>> {
    let ids: Vec<i64> = ids.into_iter().collect();
    if ids.is_empty() {
        return Ok(HashMap::new());
    }
    let names = scope.find::<PriceLists>().filter(Column::Id.is_in(ids)).select_only().column(Column::Id);
    let names = names.expr_as(scope.column::<PriceLists>(Column::Name), "name");
    let names: Vec<(i64, String)> = names.into_tuple().all(db).await?;
    Ok(names.into_iter().collect())
}

impl<C: ConnectionTrait> Detailed<C> for PriceLists {
    type Detail = PriceListDetail;

    /// Loads the records that lists refer to.
    async fn detailed(db: &C, scope: &Scope, lists: Vec<PriceList>) -> Result<Vec<PriceListDetail>> {
        // Every user who sees a list sees its owner; only the owner sees its audience.
        let all = Scope::platform();
        let ids: Vec<i64> = lists.iter().map(|list| list.id).collect();
        let own = own_ids(db, scope, &ids).await?;
        let audiences = audience::load_many(db, &lists).await?;
        let tenant_ids =
            audiences.values().flat_map(|audience| audience.tenants.iter().chain(&audience.excluded));
        let tenant_ids = tenant_ids.copied();
        let owners = lists.iter().filter_map(|list| list.owner_tenant_id).map(i64::from);
        let companies = tenant::companies(db, &all, owners.chain(tenant_ids).map(TenantId)).await?;
        let mut companies: Vec<(i64, String)> =
            companies.into_iter().map(|(tenant, company)| (tenant.into(), company)).collect();
        companies.sort_by_cached_key(|(id, company)| (fold(company), *id));
        let groups = audiences.values().flat_map(|audience| audience.groups.iter().copied());
        let groups = groups.chain(lists.iter().filter_map(|list| list.owner_tenant_group_id));
        let groups: HashSet<i64> = groups.collect();
        let mut groups: Vec<(i64, String)> =
            tenant_group::names(db, &all, groups).await?.into_iter().collect();
        groups.sort_by_cached_key(|(id, name)| (fold(name), *id));
        let moment = now();
        let name_of = |names: &[(i64, String)], id: Option<i64>| {
            names.iter().find(|(record_id, _)| Some(*record_id) == id).map(|(_, name)| name.clone())
        };
        let select_names = |names: &[(i64, String)], ids: &[i64]| {
            names.iter().filter(|(id, _)| ids.contains(id)).cloned().collect::<Vec<_>>()
        };
        let detail = |list: PriceList| {
            let own = own.contains(&list.id);
            let audience = audiences.get(&list.id).filter(|_| own);
            let writable = list.writer(scope).is_ok();
            let sees_all = own || writable;
            PriceListDetail {
                customer_name: list.customer_name.clone().filter(|_| sees_all),
                announce: sees_all.then_some(list.announce),
                owner: name_of(&companies, list.owner_tenant_id.map(i64::from)),
                owner_group: name_of(&groups, list.owner_tenant_group_id),
                status: list.status(&moment),
                own,
                writable,
                tenants: audience
                    .map(|audience| select_names(&companies, &audience.tenants))
                    .unwrap_or_default(),
                tenant_groups: audience
                    .map(|audience| select_names(&groups, &audience.groups))
                    .unwrap_or_default(),
                excluded_tenants: audience
                    .map(|audience| select_names(&companies, &audience.excluded))
                    .unwrap_or_default(),
                price_count: list.price_count.unsigned_abs(),
                audience_count: audience.map(|audience| audience.count),
                list,
            }
        };
        Ok(lists.into_iter().map(detail).collect())
    }
}
