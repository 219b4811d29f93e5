//! Applicability of lists to a buyer, and their precedence.

use std::cmp::Reverse;

use values::Instant;

use super::{ListScope, PriceList};

/// Reason why a list applies to a tenant, by precedence.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Applies {
    /// The list names the tenant, or is the owner's own.
    Own,
    /// The list names a group of the tenant, or is owned by one.
    Group,
    /// The list is for all.
    Global,
}

/// Precedence of lists in ascending order: own before group before global, then the later beginning, then the
/// higher id.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Rank(Applies, Reverse<Instant>, Reverse<i64>);

/// Tenants and groups that a list names, and the tenants that it excludes in any case.
#[derive(Debug, Clone, Copy, Default)]
pub struct AudienceIds<'a> {
    pub tenants: &'a [i64],
    pub groups: &'a [i64],
    pub excluded: &'a [i64],
}

impl Applies {
    /// Returns the reason why a list applies to a tenant that is a member of these groups; `None` if it does
    /// not apply.
    pub fn to_tenant(
        list: &PriceList,
        audience: AudienceIds<'_>,
        tenant: i64,
        member_of: &[i64],
    ) -> Option<Self> {
        let AudienceIds { tenants, groups, excluded } = audience;
        if excluded.contains(&tenant) {
            return None;
        }
        let in_any = |groups: &[i64]| groups.iter().any(|group| member_of.contains(group));
        let for_owner = list.scope == ListScope::Own && tenants.is_empty() && groups.is_empty();
        if tenants.contains(&tenant) || for_owner && list.owner_tenant_id.map(i64::from) == Some(tenant) {
            return Some(Self::Own);
        }
        let owner_group = list.owner_tenant_group_id.filter(|_| for_owner);
        if in_any(groups) || owner_group.is_some_and(|owner| member_of.contains(&owner)) {
            return Some(Self::Group);
        }
        (list.scope == ListScope::Global).then_some(Self::Global)
    }

    /// Precedence of a list that applies for this reason.
    pub fn rank(self, list: &PriceList) -> Rank {
        Rank(self, Reverse(list.valid_from), Reverse(list.id))
    }
}
