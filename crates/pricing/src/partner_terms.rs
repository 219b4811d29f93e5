//! Terms of a trading partner: their groups, and the price lists and adjustments of the caller's company that
//! apply to them, each with its reasons.

use std::collections::HashMap;

use lists::Detailed;
use sea_orm::{ColumnTrait, Condition, QueryFilter, QueryOrder};
use store::{Database, Scope};
use tenancy::{partner::Partners, tenant_group};
use values::{Result, now};

use crate::{
    price_adjustment::{self, PriceAdjustment, PriceAdjustmentDetail, PriceAdjustments},
    price_list::{
        self, ListType, PriceList, PriceListDetail, PriceLists,
        audience::{self, AudienceReason, ListAudience},
    },
};

/// Terms of a trading partner.
#[derive(Debug)]
pub struct PartnerTerms {
    /// Groups that the caller can see, by name.
    pub groups: Vec<(i64, String)>,
    /// Sales lists that apply now or later, each with at least one reason; ordered by their beginning.
    pub price_lists: Vec<(PriceListDetail, Vec<AudienceReason>)>,
    /// Active adjustments in their order, each with at least one reason.
    pub adjustments: Vec<(PriceAdjustmentDetail, Vec<AudienceReason>)>,
}

/// Partner with their groups.
struct Member {
    id: i64,
    groups: Vec<(i64, String)>,
}

/// Loads the terms of a partner; adjustments only on request.
pub async fn load(
    db: &Database,
    scope: &Scope,
    partner: i64,
    with_adjustments: bool,
) -> Result<PartnerTerms> {
    scope.tenant()?;
    let partner = scope.get::<Partners>(db, partner).await?;
    let ids = tenant_group::load_groups(db, partner.id).await?;
    let visible = tenant_group::names(db, scope, ids.iter().copied()).await?;
    let names: HashMap<i64, String> = tenant_group::names(db, &Scope::platform(), ids).await?;
    let member = Member { id: partner.id, groups: names.into_iter().collect() };
    let mut groups: Vec<(i64, String)> = visible.into_iter().collect();
    groups.sort_by(|(_, a), (_, b)| a.cmp(b));
    let price_lists = member.price_lists(db, scope).await?;
    let adjustments = if with_adjustments { member.adjustments(db, scope).await? } else { Vec::new() };
    Ok(PartnerTerms { groups, price_lists, adjustments })
}

/// Returns the ids of the caller's sales lists that apply to a partner now or later.
pub(crate) async fn list_ids(db: &Database, scope: &Scope, partner: i64, groups: &[i64]) -> Result<Vec<i64>> {
    let names = groups.iter().map(|id| (*id, String::new())).collect();
    let lists = Member { id: partner, groups: names }.lists(db, scope).await?;
    Ok(lists.into_iter().map(|(list, _)| list.id).collect())
}

impl Member {
    async fn price_lists(
        &self,
        db: &Database,
        scope: &Scope,
    ) -> Result<Vec<(PriceListDetail, Vec<AudienceReason>)>> {
        let (lists, reasons): (Vec<_>, Vec<_>) = self.lists(db, scope).await?.into_iter().unzip();
        Ok(PriceLists::detailed(db, scope, lists).await?.into_iter().zip(reasons).collect())
    }

    /// Loads the sales lists of the caller's company that have not ended and apply to the partner.
    async fn lists(&self, db: &Database, scope: &Scope) -> Result<Vec<(PriceList, Vec<AudienceReason>)>> {
        use price_list::Column;
        let not_ended = Condition::any().add(Column::ValidUntil.is_null()).add(Column::ValidUntil.gt(now()));
        let lists = scope.find::<PriceLists>().filter(price_list::own_lists(scope)).filter(not_ended);
        let lists = lists.filter(Column::Type.eq(ListType::Sales));
        let lists = lists.order_by_asc(Column::ValidFrom).order_by_asc(Column::Id).all(db).await?;
        let mut audiences = audience::load_many(db, &lists).await?;
        let with_reasons = lists.into_iter().map(|list| {
            let reasons = self.reasons_of_list(&list, &audiences.remove(&list.id).unwrap_or_default());
            (list, reasons)
        });
        Ok(with_reasons.filter(|(_, reasons)| !reasons.is_empty()).collect())
    }

    fn reasons_of_list(&self, list: &PriceList, audience: &ListAudience) -> Vec<AudienceReason> {
        let mut reasons = self.reasons(&audience.tenants, &audience.groups, &audience.excluded);
        if audience.excluded.contains(&self.id) {
            return reasons;
        }
        if list.scope == price_list::ListScope::Global {
            reasons.push(AudienceReason::Global);
        } else if audience.names_no_one() {
            if list.owner_tenant_id.map(i64::from) == Some(self.id) {
                reasons.push(AudienceReason::Owner);
            }
            reasons.extend(list.owner_tenant_group_id.and_then(|owner| self.group(owner)));
        }
        reasons
    }

    /// Returns the reasons by name and by group; empty if the partner is excluded.
    fn reasons(&self, tenants: &[i64], groups: &[i64], excluded: &[i64]) -> Vec<AudienceReason> {
        if excluded.contains(&self.id) {
            return Vec::new();
        }
        let by_name = tenants.contains(&self.id).then_some(AudienceReason::Named);
        by_name.into_iter().chain(groups.iter().filter_map(|id| self.group(*id))).collect()
    }

    fn group(&self, id: i64) -> Option<AudienceReason> {
        self.groups
            .iter()
            .find(|(group, _)| *group == id)
            .map(|(_, name)| AudienceReason::Group(name.clone()))
    }

    async fn adjustments(
        &self,
        db: &Database,
        scope: &Scope,
    ) -> Result<Vec<(PriceAdjustmentDetail, Vec<AudienceReason>)>> {
        use price_adjustment::Column;
        let not_ended = Condition::any().add(Column::ValidUntil.is_null()).add(Column::ValidUntil.gt(now()));
        let rows = scope.find::<PriceAdjustments>().filter(Column::Active.eq(true)).filter(not_ended);
        let rows = rows.order_by_asc(Column::Position).order_by_asc(Column::Id).all(db).await?;
        let (rows, reasons): (Vec<_>, Vec<_>) = rows
            .into_iter()
            .map(|row| {
                let reasons = self.reasons_of_adjustment(&row);
                (row, reasons)
            })
            .filter(|(_, reasons)| !reasons.is_empty())
            .unzip();
        Ok(PriceAdjustments::detailed(db, scope, rows).await?.into_iter().zip(reasons).collect())
    }

    fn reasons_of_adjustment(&self, row: &PriceAdjustment) -> Vec<AudienceReason> {
        let (tenants, groups, excluded) =
            (&row.tenant_ids.0, &row.tenant_group_ids.0, &row.excluded_tenant_ids.0);
        let for_all = tenants.is_empty() && groups.is_empty() && !excluded.contains(&self.id);
        if for_all { vec![AudienceReason::Global] } else { self.reasons(tenants, groups, excluded) }
    }
}
