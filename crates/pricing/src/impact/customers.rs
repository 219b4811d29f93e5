//! Classes of customers for the comparison: customers to whom the same lists and adjustments apply are one
//! class.

use std::collections::{BTreeMap, HashMap};

use store::Database;
use tenancy::{
    tenant::{self, Party},
    tenant_group,
};
use values::{Instant, Result};

use super::{CUSTOMERS_MAX, Comparison, Customers};
use crate::quote::{Buyer, audience::BuyerTerms, book::BookDifference};

/// Maximum number of ids of one statement.
const IDS: usize = 5_000;

/// Customers that the change may concern.
#[derive(Debug)]
pub(super) struct CustomerClasses {
    pub(super) all: Vec<CustomerClass>,
    /// Number of tenants that no list or adjustment distinguishes from an anonymous buyer.
    unnamed: u64,
}

/// Customers with the same prices.
#[derive(Debug)]
pub(super) struct CustomerClass {
    /// One of the customers; `None` for an anonymous buyer.
    pub(super) buyer: Option<Buyer>,
    /// Customers that the seller's prices name, by short code; empty for the anonymous buyer.
    pub(super) parties: Vec<Party>,
}

impl CustomerClasses {
    pub(super) async fn load(db: &Database, comparison: &Comparison) -> Result<Self> {
        let (before, after) = (comparison.before.named_buyers(), comparison.after.named_buyers());
        let groups: Vec<i64> = before.groups.union(&after.groups).copied().collect();
        let mut groups_of: HashMap<i64, Vec<i64>> = HashMap::new();
        for (group, tenant) in tenant_group::members_of(db, &groups).await? {
            groups_of.entry(tenant).or_default().push(group);
        }
        let mut ids: Vec<i64> =
            before.tenants.union(&after.tenants).chain(groups_of.keys()).copied().collect();
        ids.sort_unstable();
        ids.dedup();
        let mut parties = Vec::new();
        for ids in ids.chunks(IDS) {
            parties.extend(tenant::parties(db, ids.iter().copied()).await?);
        }
        parties.sort_by(|one, other| (&one.short_code, one.id).cmp(&(&other.short_code, other.id)));

        let anonymous = comparison.terms(None);
        let mut by_terms: BTreeMap<Vec<[BuyerTerms; 2]>, CustomerClass> = BTreeMap::new();
        let mut apart = 0;
        for party in parties {
            let tenant = party.id.into();
            let buyer = Buyer { tenant, groups: groups_of.remove(&tenant).unwrap_or_default() };
            let terms = comparison.terms(Some(&buyer));
            if terms == anonymous {
                continue;
            }
            apart += 1;
            let class = by_terms
                .entry(terms)
                .or_insert_with(|| CustomerClass { buyer: Some(buyer), parties: Vec::new() });
            class.parties.push(party);
        }
        by_terms.insert(anonymous, CustomerClass { buyer: None, parties: Vec::new() });
        let mattering = by_terms.into_iter().filter(|(terms, _)| comparison.matters_for(terms));
        let mut all: Vec<CustomerClass> = mattering.map(|(_, class)| class).collect();
        // the anonymous buyer first, then by short code
        all.sort_by(|one, other| {
            let key = |class: &CustomerClass| class.parties.first().map(|party| party.short_code.clone());
            key(one).cmp(&key(other))
        });
        let unnamed = tenant::count(db).await?.saturating_sub(apart);
        Ok(Self { all, unnamed })
    }

    /// Returns the customers of the classes with a price that changes.
    pub(super) fn customers(&self, changed: &[Option<usize>]) -> Customers {
        let (mut count, mut parties) = (0, Vec::new());
        for (class, _) in self.all.iter().zip(changed).filter(|(_, changed)| changed.is_some()) {
            count += if class.buyer.is_none() { self.unnamed } else { class.parties.len() as u64 };
            parties.extend(class.parties.iter().cloned());
        }
        parties.sort_by(|one: &Party, other| (&one.short_code, one.id).cmp(&(&other.short_code, other.id)));
        parties.truncate(CUSTOMERS_MAX);
        Customers { count, parties }
    }
}

impl Comparison {
    /// Returns the lists and adjustments that apply to a buyer before and after, at each moment.
    fn terms(&self, buyer: Option<&Buyer>) -> Vec<[BuyerTerms; 2]> {
        let at = |at: &Instant| [&self.before, &self.after].map(|book| book.terms(buyer, *at));
        self.plan.moments.iter().map(at).collect()
    }

    fn matters_for(&self, terms: &[[BuyerTerms; 2]]) -> bool {
        let BookDifference { adjustments, lists, articles, priced_lists, processings } = &self.difference;
        let mut books = terms.iter().flatten();
        // prices of stocks and of processings are the same for all buyers
        if !processings.is_empty() || (!articles.is_empty() && priced_lists.is_empty()) {
            return true;
        }
        let internal = |list: &i64| [&self.before, &self.after].iter().any(|book| book.is_internal(*list));
        let lists = || lists.iter().chain(priced_lists);
        lists().any(internal)
            || books.any(|terms| {
                adjustments.iter().any(|id| terms.adjustments.contains(id))
                    || lists().any(|list| terms.lists.iter().any(|(id, _)| id == list))
            })
    }
}
