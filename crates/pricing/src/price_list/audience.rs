//! Audience of a list: the tenants that it applies to, with the reasons.

use std::collections::{HashMap, HashSet};

use kernel::{Result, Scope};
use sea_orm::{ConnectionTrait, QueryOrder};
use tenancy::{tenant, tenant_group};

use super::{
    ListExcluded, ListGroups, ListScope, ListTenants, PriceList, PriceLists, Whom,
    excluded_tenant_entity as price_list_excluded_tenant, tenant_entity as price_list_tenant,
    tenant_group_entity as price_list_tenant_group,
};

/// Tenants and groups that a list names, and the number of tenants that it applies to.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Named {
    /// Tenants by ascending id.
    pub named: Vec<i64>,
    /// Groups by ascending id.
    pub groups: Vec<i64>,
    /// Excluded tenants by ascending id. They are excluded in any case.
    pub excluded: Vec<i64>,
    pub count: u64,
}

impl Named {
    pub fn whom(&self) -> Whom<'_> {
        Whom { tenants: &self.named, groups: &self.groups, excluded: &self.excluded }
    }

    /// True if both have the same tenants, groups and exclusions.
    pub(crate) fn is_same_as(&self, other: &Self) -> bool {
        (&self.named, &self.groups, &self.excluded) == (&other.named, &other.groups, &other.excluded)
    }
}

/// Reason why a list applies to a tenant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Because {
    /// The tenant owns the list.
    Owner,
    Named,
    /// The tenant is a member of the group with this name.
    Group(String),
    /// The list is for all.
    Global,
}

/// Tenant that a list applies to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reached {
    pub id: i64,
    pub company: String,
    /// Reasons, at least one.
    pub because: Vec<Because>,
}

/// Audience of a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Audience {
    pub count: u64,
    /// Tenants by company; for a list for all, empty unless the caller sees all tenants.
    pub tenants: Vec<Reached>,
    /// Excluded tenants, by company.
    pub excluded: Vec<(i64, String)>,
}

/// Loads the tenants and groups that a list names and excludes, without the count.
pub(crate) async fn named_by(db: &impl ConnectionTrait, list: i64) -> Result<Named> {
    Ok(parts(db, &[list]).await?.remove(&list).unwrap_or_default())
}

/// Loads the tenants and groups of lists, without the counts. The caller must be allowed to see the lists.
async fn parts(db: &impl ConnectionTrait, lists: &[i64]) -> Result<HashMap<i64, Named>> {
    let all = Scope::platform();
    let mut found: HashMap<i64, Named> = HashMap::new();
    let tenants = all.parts::<ListTenants>(lists.iter().copied());
    for part in tenants.order_by_asc(price_list_tenant::Column::TenantId).all(db).await? {
        found.entry(part.price_list_id).or_default().named.push(part.tenant_id);
    }
    let groups = all.parts::<ListGroups>(lists.iter().copied());
    for part in groups.order_by_asc(price_list_tenant_group::Column::TenantGroupId).all(db).await? {
        found.entry(part.price_list_id).or_default().groups.push(part.tenant_group_id);
    }
    let excluded = all.parts::<ListExcluded>(lists.iter().copied());
    for part in excluded.order_by_asc(price_list_excluded_tenant::Column::TenantId).all(db).await? {
        found.entry(part.price_list_id).or_default().excluded.push(part.tenant_id);
    }
    Ok(found)
}

/// Loads the tenants and groups of lists, with the number of tenants that each applies to. The caller must be
/// allowed to see the lists.
pub(crate) async fn of(db: &impl ConnectionTrait, lists: &[PriceList]) -> Result<HashMap<i64, Named>> {
    let ids: Vec<i64> = lists.iter().map(|list| list.id).collect();
    let mut found = parts(db, &ids).await?;
    let groups = found.values().flat_map(|named| named.groups.iter().copied());
    let groups: HashSet<i64> =
        groups.chain(lists.iter().filter_map(|list| list.owner_tenant_group_id)).collect();
    let members = tenant_group::members_of(db, &groups.into_iter().collect::<Vec<_>>()).await?;
    let all =
        if lists.iter().any(|list| list.scope == ListScope::Global) { tenant::count(db).await? } else { 0 };
    for list in lists {
        let named = found.entry(list.id).or_default();
        named.count = match list.scope {
            // excluded tenants exist, because references prevent their deletion
            ListScope::Global => all.saturating_sub(named.excluded.len() as u64),
            ListScope::Own => reached(list, named, &members).len() as u64,
        };
    }
    Ok(found)
}

/// Returns the tenants that a list with the scope `own` applies to.
fn reached(list: &PriceList, named: &Named, members: &[(i64, i64)]) -> HashSet<i64> {
    let groups = groups_of(list, named);
    let of_groups = members.iter().filter(|(group, _)| groups.contains(group)).map(|(_, tenant)| *tenant);
    let reached = of_groups.chain(named.named.iter().copied()).chain(owner_alone(list, named));
    reached.filter(|tenant| !named.excluded.contains(tenant)).collect()
}

/// Returns the groups by which such a list applies: those that it names, or, if it names nothing, the group
/// that owns it.
fn groups_of(list: &PriceList, named: &Named) -> Vec<i64> {
    let owner = list.owner_tenant_group_id.filter(|_| names_nobody(named));
    named.groups.iter().copied().chain(owner).collect()
}

fn owner_alone(list: &PriceList, named: &Named) -> Option<i64> {
    list.owner_tenant_id.map(i64::from).filter(|_| names_nobody(named))
}

fn names_nobody(named: &Named) -> bool {
    named.named.is_empty() && named.groups.is_empty()
}

/// Loads the audience of a list with the reasons, for its owner.
///
/// # Errors
/// The list has another owner.
pub async fn view(db: &impl ConnectionTrait, scope: &Scope, id: i64) -> Result<Audience> {
    let list = scope.get::<PriceLists>(db, id).await?;
    super::refuse_others(db, scope, &list).await?;
    let whom = of(db, std::slice::from_ref(&list)).await?.remove(&list.id).unwrap_or_default();
    let all = Scope::platform();
    let excluded = match whom.excluded.clone() {
        nobody if nobody.is_empty() => Vec::new(),
        excluded => tenant::in_order(db, Some(excluded)).await?,
    };
    if list.scope == ListScope::Global {
        let seen = if scope.is_platform() { tenant::in_order(db, None).await? } else { Vec::new() };
        let seen = seen.into_iter().filter(|(id, _)| !whom.excluded.contains(id));
        let tenants = seen.map(|(id, company)| Reached { id, company, because: vec![Because::Global] });
        return Ok(Audience { count: whom.count, tenants: tenants.collect(), excluded });
    }
    let groups = groups_of(&list, &whom);
    let members = tenant_group::members_of(db, &groups).await?;
    let names = tenant_group::names(db, &all, groups).await?;
    let ids = reached(&list, &whom, &members).into_iter().collect();
    let companies = tenant::in_order(db, Some(ids)).await?;
    let because = |id: i64| {
        let owner = (owner_alone(&list, &whom) == Some(id)).then_some(Because::Owner);
        let by_name = whom.named.contains(&id).then_some(Because::Named);
        let of_groups = members.iter().filter(|(_, tenant)| *tenant == id);
        let of_groups = of_groups.filter_map(|(group, _)| names.get(group).cloned().map(Because::Group));
        owner.into_iter().chain(by_name).chain(of_groups).collect()
    };
    let tenants = companies.into_iter().map(|(id, company)| Reached { because: because(id), id, company });
    let tenants: Vec<Reached> = tenants.collect();
    Ok(Audience { count: tenants.len() as u64, tenants, excluded })
}
