//! Audience of a list: the tenants that it applies to, with the reasons.

use std::collections::{HashMap, HashSet};

use sea_orm::{ConnectionTrait, QueryOrder};
use store::Scope;
use tenancy::{tenant, tenant_group};
use values::Result;

use super::{
    AudienceIds, ListExcluded, ListGroups, ListScope, ListTenants, PriceList, PriceLists,
    excluded_tenant_entity as price_list_excluded_tenant, tenant_entity as price_list_tenant,
    tenant_group_entity as price_list_tenant_group,
};

/// Tenants and groups that a list names, and the number of tenants that it applies to.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ListAudience {
    /// Tenants by ascending id.
    pub tenants: Vec<i64>,
    /// Groups by ascending id.
    pub groups: Vec<i64>,
    /// Excluded tenants by ascending id. They are excluded in any case.
    pub excluded: Vec<i64>,
    pub count: u64,
}

impl ListAudience {
    /// Returns the ids of tenants and groups.
    pub fn ids(&self) -> AudienceIds<'_> {
        AudienceIds { tenants: &self.tenants, groups: &self.groups, excluded: &self.excluded }
    }

    /// True if the list names neither tenants nor groups, so that it applies to its owner.
    pub fn names_no_one(&self) -> bool {
        self.tenants.is_empty() && self.groups.is_empty()
    }

    /// True if both have the same tenants, groups and exclusions.
    pub(crate) fn is_same_as(&self, other: &Self) -> bool {
        (&self.tenants, &self.groups, &self.excluded) == (&other.tenants, &other.groups, &other.excluded)
    }
}

/// Reason why a list applies to a tenant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AudienceReason {
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
pub struct AudienceMember {
    pub id: i64,
    pub company: String,
    /// Reasons, at least one.
    pub reasons: Vec<AudienceReason>,
}

/// Audience of a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AudienceDetail {
    pub count: u64,
    /// Tenants by company; for a list for all, empty unless the caller sees all tenants.
    pub tenants: Vec<AudienceMember>,
    /// Excluded tenants, by company.
    pub excluded: Vec<(i64, String)>,
}

/// Loads the tenants and groups that a list names and excludes, without the count.
pub(crate) async fn load(db: &impl ConnectionTrait, list: i64) -> Result<ListAudience> {
    Ok(load_ids(db, &[list]).await?.remove(&list).unwrap_or_default())
}

/// Loads the tenants and groups of lists, without the counts. The caller must be allowed to see the lists.
async fn load_ids(db: &impl ConnectionTrait, lists: &[i64]) -> Result<HashMap<i64, ListAudience>> {
    let all = Scope::platform();
    let mut audiences: HashMap<i64, ListAudience> = HashMap::new();
    let tenants = all.parts::<ListTenants>(lists.iter().copied());
    for part in tenants.order_by_asc(price_list_tenant::Column::TenantId).all(db).await? {
        audiences.entry(part.price_list_id).or_default().tenants.push(part.tenant_id);
    }
    let groups = all.parts::<ListGroups>(lists.iter().copied());
    for part in groups.order_by_asc(price_list_tenant_group::Column::TenantGroupId).all(db).await? {
        audiences.entry(part.price_list_id).or_default().groups.push(part.tenant_group_id);
    }
    let excluded = all.parts::<ListExcluded>(lists.iter().copied());
    for part in excluded.order_by_asc(price_list_excluded_tenant::Column::TenantId).all(db).await? {
        audiences.entry(part.price_list_id).or_default().excluded.push(part.tenant_id);
    }
    Ok(audiences)
}

/// Loads the tenants and groups of lists, with the number of tenants that each applies to. The caller must be
/// allowed to see the lists.
pub(crate) async fn load_many(
    db: &impl ConnectionTrait,
    lists: &[PriceList],
) -> Result<HashMap<i64, ListAudience>> {
    let ids: Vec<i64> = lists.iter().map(|list| list.id).collect();
    let mut audiences = load_ids(db, &ids).await?;
    let groups = audiences.values().flat_map(|audience| audience.groups.iter().copied());
    let groups: HashSet<i64> =
        groups.chain(lists.iter().filter_map(|list| list.owner_tenant_group_id)).collect();
    let members = tenant_group::members_of(db, &groups.into_iter().collect::<Vec<_>>()).await?;
    let all =
        if lists.iter().any(|list| list.scope == ListScope::Global) { tenant::count(db).await? } else { 0 };
    for list in lists {
        let audience = audiences.entry(list.id).or_default();
        audience.count = match list.scope {
            // excluded tenants exist, because references prevent their deletion
            ListScope::Global => all.saturating_sub(audience.excluded.len() as u64),
            ListScope::Own => reached_tenants(list, audience, &members).len() as u64,
        };
    }
    Ok(audiences)
}

/// Returns the tenants that a list with the scope `own` applies to.
fn reached_tenants(list: &PriceList, audience: &ListAudience, members: &[(i64, i64)]) -> HashSet<i64> {
    let groups = groups_with_owner(list, audience);
    let of_groups = members.iter().filter(|(group, _)| groups.contains(group)).map(|(_, tenant)| *tenant);
    let tenants = of_groups.chain(audience.tenants.iter().copied()).chain(sole_owner(list, audience));
    tenants.filter(|tenant| !audience.excluded.contains(tenant)).collect()
}

/// Returns the groups by which such a list applies: those that it names, or, if it names nothing, the group
/// that owns it.
fn groups_with_owner(list: &PriceList, audience: &ListAudience) -> Vec<i64> {
    let owner = list.owner_tenant_group_id.filter(|_| audience.names_no_one());
    audience.groups.iter().copied().chain(owner).collect()
}

fn sole_owner(list: &PriceList, audience: &ListAudience) -> Option<i64> {
    list.owner_tenant_id.map(i64::from).filter(|_| audience.names_no_one())
}

/// Loads the audience of a list with the reasons, for its owner.
///
/// # Errors
/// The list has another owner.
pub async fn view(db: &impl ConnectionTrait, scope: &Scope, id: i64) -> Result<AudienceDetail> {
    let list = scope.get::<PriceLists>(db, id).await?;
    super::refuse_others(db, scope, &list).await?;
    let audience = load_many(db, std::slice::from_ref(&list)).await?.remove(&list.id).unwrap_or_default();
    let all = Scope::platform();
    let excluded = match audience.excluded.clone() {
        nobody if nobody.is_empty() => Vec::new(),
        excluded => tenant::sorted_by_company(db, Some(excluded)).await?,
    };
    if list.scope == ListScope::Global {
        let visible_tenants =
            if scope.is_platform() { tenant::sorted_by_company(db, None).await? } else { Vec::new() };
        let visible_tenants = visible_tenants.into_iter().filter(|(id, _)| !audience.excluded.contains(id));
        let tenants = visible_tenants.map(|(id, company)| AudienceMember {
            id,
            company,
            reasons: vec![AudienceReason::Global],
        });
        return Ok(AudienceDetail { count: audience.count, tenants: tenants.collect(), excluded });
    }
    let groups = groups_with_owner(&list, &audience);
    let members = tenant_group::members_of(db, &groups).await?;
    let names = tenant_group::names(db, &all, groups).await?;
    let ids = reached_tenants(&list, &audience, &members).into_iter().collect();
    let companies = tenant::sorted_by_company(db, Some(ids)).await?;
    let reasons = |id: i64| {
        let owner = (sole_owner(&list, &audience) == Some(id)).then_some(AudienceReason::Owner);
        let by_name = audience.tenants.contains(&id).then_some(AudienceReason::Named);
        let of_groups = members.iter().filter(|(_, tenant)| *tenant == id);
        let of_groups =
            of_groups.filter_map(|(group, _)| names.get(group).cloned().map(AudienceReason::Group));
        owner.into_iter().chain(by_name).chain(of_groups).collect()
    };
    let tenants =
        companies.into_iter().map(|(id, company)| AudienceMember { reasons: reasons(id), id, company });
    let tenants: Vec<AudienceMember> = tenants.collect();
    Ok(AudienceDetail { count: tenants.len() as u64, tenants, excluded })
}
