//! Lists of a seller with their audiences, for the calculation and the price guard.

use sea_orm::{ColumnTrait, Condition, ConnectionTrait, QueryFilter, QueryOrder};
use store::Scope;
use values::{Result, TenantId};

use super::{Applies, AudienceIds, PriceList, PriceLists, audience};

/// Head of a list, and its audience.
#[derive(Debug, Clone)]
pub struct List {
    pub head: PriceList,
    pub tenants: Vec<i64>,
    pub groups: Vec<i64>,
    /// Tenants that the list excludes.
    pub excluded: Vec<i64>,
}

impl List {
    /// Returns the reason why the list applies to a tenant that is a member of these groups; `None` if it
    /// does not apply.
    pub(crate) fn applies_to(&self, tenant: i64, member_of: &[i64]) -> Option<Applies> {
        let whom = AudienceIds { tenants: &self.tenants, groups: &self.groups, excluded: &self.excluded };
        Applies::to_tenant(&self.head, whom, tenant, member_of)
    }
}

/// Loads the lists of a seller and of their groups that fulfil a condition and are in effect at some time.
pub(crate) async fn load_lists(
    db: &impl ConnectionTrait,
    seller: TenantId,
    groups: &[i64],
    condition: Condition,
) -> Result<Vec<List>> {
    use super::Column::{Id, OwnerTenantGroupId, OwnerTenantId};
    let owned =
        Condition::any().add(OwnerTenantId.eq(seller)).add(OwnerTenantGroupId.is_in(groups.iter().copied()));
    let heads = Scope::platform()
        .find::<PriceLists>()
        .filter(owned)
        .filter(condition)
        .order_by_asc(Id)
        .all(db)
        .await?;
    let heads: Vec<_> = heads.into_iter().filter(|head| !head.period().is_empty()).collect();
    let mut audiences = audience::load_many(db, &heads).await?;
    let list = |head: PriceList| {
        let audience = audiences.remove(&head.id).unwrap_or_default();
        List { tenants: audience.tenants, groups: audience.groups, excluded: audience.excluded, head }
    };
    Ok(heads.into_iter().map(list).collect())
}
