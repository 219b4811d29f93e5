//! Buyers that a price book treats differently.

use std::collections::BTreeSet;

use values::Instant;

use super::{Buyer, book::Book, chain::left_out_because};
use crate::{
    condition::{Condition, ConditionType, ExpectedValue},
    price_list::{Applies, ListType, Status},
};

/// Tenants and groups that a book names in lists, adjustments or their conditions.
#[derive(Debug, Default)]
pub(crate) struct NamedBuyers {
    pub(crate) tenants: BTreeSet<i64>,
    pub(crate) groups: BTreeSet<i64>,
}

/// Lists and adjustments of a book that apply to a buyer at a moment. Buyers with equal terms get the same
/// prices.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct BuyerTerms {
    /// Sales lists by id.
    pub(crate) lists: Vec<(i64, Applies)>,
    /// Ids of adjustments.
    pub(crate) adjustments: BTreeSet<i64>,
    /// Results of the conditions on tenants and groups.
    condition_results: Vec<bool>,
}

impl Book {
    pub(crate) fn named_buyers(&self) -> NamedBuyers {
        let mut buyers = NamedBuyers::default();
        for list in &self.lists {
            buyers.tenants.extend(list.head.owner_tenant_id.map(i64::from));
            buyers.tenants.extend(list.tenants.iter().chain(&list.excluded));
            buyers.groups.extend(list.head.owner_tenant_group_id);
            buyers.groups.extend(&list.groups);
        }
        for link in self.links.iter() {
            let tenants = link.adjustment.tenant_ids.iter().chain(&link.adjustment.excluded_tenant_ids);
            buyers.tenants.extend(tenants.map(|tenant| i64::from(*tenant)));
            buyers.groups.extend(&link.adjustment.tenant_group_ids);
            for (kind, ids) in link.adjustment.conditions.iter().flat_map(Condition::references) {
                match kind {
                    ConditionType::Tenant => buyers.tenants.extend(ids),
                    ConditionType::TenantGroup => buyers.groups.extend(ids),
                    _ => {}
                }
            }
        }
        buyers
    }

    pub(crate) fn terms(&self, buyer: Option<&Buyer>, at: Instant) -> BuyerTerms {
        let (tenant, groups) = buyer.map_or((0, &[][..]), |buyer| (buyer.tenant, buyer.groups.as_slice()));
        let lists = self
            .lists
            .iter()
            .filter(|list| list.head.r#type == ListType::Sales && list.head.status(&at) == Status::Active);
        let lists = lists.filter_map(|list| Some((list.head.id, list.applies_to(tenant, groups)?)));
        let links: Vec<_> =
            self.links.iter().filter(|link| left_out_because(link, buyer, at).is_none()).collect();
        let trees = links.iter().filter_map(|link| link.adjustment.conditions.as_ref());
        let condition_results =
            trees.flat_map(|tree| tree.tests("")).filter_map(|(_, test)| match &test.expected {
                ExpectedValue::OneOf { ids, .. } => match test.subject {
                    ConditionType::Tenant => Some(ids.contains(&tenant)),
                    ConditionType::TenantGroup => Some(groups.iter().any(|group| ids.contains(group))),
                    _ => None,
                },
                _ => None,
            });
        BuyerTerms {
            lists: lists.collect(),
            condition_results: condition_results.collect(),
            adjustments: links.iter().map(|link| link.adjustment.id).collect(),
        }
    }

    /// True if a list has internal prices.
    pub(crate) fn is_internal(&self, list: i64) -> bool {
        self.lists.iter().any(|other| other.head.id == list && other.head.r#type == ListType::Internal)
    }
}
