//! Price lists with what they refer to, as far as the caller is told of it.

use std::collections::{HashMap, HashSet};

use kernel::{Result, Scope, TenantId, fold, now};
use sea_orm::{ColumnTrait, ConnectionTrait, QueryFilter, QuerySelect};
use tenancy::{tenant, tenant_group};

use super::{Column, PriceList, PriceLists, Status, audience, ownership::own_of};

/// A list with what it refers to.
#[derive(Debug, Clone)]
pub struct PriceListDetail {
    /// Its name is the one that the caller reads.
    pub list: PriceList,
    /// The name for customers, where it is another one; none for those who only buy by it.
    pub customer_name: Option<String>,
    /// True if customers see it before it begins; none for those who only buy by it.
    pub announce: Option<bool>,
    /// The company of the tenant that owns it.
    pub owner: Option<String>,
    /// The name of the group that owns it.
    pub owner_group: Option<String>,
    pub status: Status,
    /// Whether the caller's company owns it, itself or through a group. Who is meant is told to them alone.
    pub own: bool,
    /// Whether the caller may write it, as far as rights go.
    pub writable: bool,
    /// Whom it names, by company; empty for those who only buy by it.
    pub tenants: Vec<(i64, String)>,
    /// The groups that it names, by name; empty for those who only buy by it.
    pub tenant_groups: Vec<(i64, String)>,
    /// Whom it leaves out, by company; empty for those who only buy by it.
    pub excluded_tenants: Vec<(i64, String)>,
    pub price_count: u64,
    /// How many tenants it applies to now; none for those who only buy by it.
    pub audience_count: Option<u64>,
}

pub async fn view(db: &impl ConnectionTrait, scope: &Scope, id: i64) -> Result<PriceListDetail> {
    let list = scope.get::<PriceLists>(db, id).await?;
    Ok(detailed(db, scope, vec![list]).await?.remove(0))
}

/// The names of lists that the caller sees.
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

/// Lists with what they refer to.
pub async fn detailed(
    db: &impl ConnectionTrait,
    scope: &Scope,
    lists: Vec<PriceList>,
) -> Result<Vec<PriceListDetail>> {
    // Whose a list is says itself to whoever sees it, and to whom it applies to its owner.
    let all = Scope::platform();
    let ids: Vec<i64> = lists.iter().map(|list| list.id).collect();
    let own = own_of(db, scope, &ids).await?;
    let audiences = audience::of(db, &lists).await?;
    let named = audiences.values().flat_map(|audience| audience.named.iter().chain(&audience.excluded));
    let named = named.copied();
    let owners = lists.iter().filter_map(|list| list.owner_tenant_id).map(i64::from);
    let companies = tenant::companies(db, &all, owners.chain(named).map(TenantId)).await?;
    let mut companies: Vec<(i64, String)> =
        companies.into_iter().map(|(tenant, company)| (tenant.into(), company)).collect();
    companies.sort_by_cached_key(|(id, company)| (fold(company), *id));
    let groups = audiences.values().flat_map(|audience| audience.groups.iter().copied());
    let groups = groups.chain(lists.iter().filter_map(|list| list.owner_tenant_group_id));
    let groups: HashSet<i64> = groups.collect();
    let mut groups: Vec<(i64, String)> = tenant_group::names(db, &all, groups).await?.into_iter().collect();
    groups.sort_by_cached_key(|(id, name)| (fold(name), *id));
    let moment = now();
    let name_of = |named: &[(i64, String)], id: Option<i64>| {
        named.iter().find(|(known, _)| Some(*known) == id).map(|(_, name)| name.clone())
    };
    let among = |named: &[(i64, String)], ids: &[i64]| {
        named.iter().filter(|(id, _)| ids.contains(id)).cloned().collect::<Vec<_>>()
    };
    let detail = |list: PriceList| {
        let own = own.contains(&list.id);
        let audience = audiences.get(&list.id).filter(|_| own);
        let writable = list.writer(scope).is_ok();
        let is_told = own || writable;
        PriceListDetail {
            customer_name: list.customer_name.clone().filter(|_| is_told),
            announce: is_told.then_some(list.announce),
            owner: name_of(&companies, list.owner_tenant_id.map(i64::from)),
            owner_group: name_of(&groups, list.owner_tenant_group_id),
            status: list.status(&moment),
            own,
            writable,
            tenants: audience.map(|audience| among(&companies, &audience.named)).unwrap_or_default(),
            tenant_groups: audience.map(|audience| among(&groups, &audience.groups)).unwrap_or_default(),
            excluded_tenants: audience
                .map(|audience| among(&companies, &audience.excluded))
                .unwrap_or_default(),
            price_count: list.price_count.unsigned_abs(),
            audience_count: audience.map(|audience| audience.count),
            list,
        }
    };
    Ok(lists.into_iter().map(detail).collect())
}
