//! Timeline of the lists that price an article for a buyer: the list in effect, overlaps and gaps.

use sea_orm::{ColumnTrait, ConnectionTrait, QueryFilter, QueryOrder, sea_query::ExprTrait};
use store::Scope;
use tenancy::{partner, tenant_group};
use values::{Instant, Period, RecordReference, Referable, Result, Violations, fold};

use super::{Applies, Column, ListType, PriceList, PriceLists, Rank, audience, ownership::owned_by};
use crate::{
    codes,
    price_list_entry::{self, Entries},
    price_side::Side,
    quote::request::BUYER,
};

/// List with a price of the article that applies to the buyer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bar {
    pub list: PriceList,
    pub applies: Applies,
    pub side: Side,
}

/// Period in which the same lists are in effect.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Segment {
    pub period: Period<Instant>,
    /// List with the highest precedence; `None` for a gap, in which the price of the stock applies.
    pub counts: Option<i64>,
    /// Other lists in effect, by precedence.
    pub behind: Vec<i64>,
}

/// Lists, and the periods that result from them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Timeline {
    /// Lists by their beginning.
    pub bars: Vec<Bar>,
    /// Consecutive periods from the first beginning on; the last one has no end.
    pub segments: Vec<Segment>,
}

/// Builds the timeline of an article and a buyer from the lists of the acting tenant and its groups; without
/// a buyer, for the tenant itself. As with quotes, every trading partner can be the buyer.
///
/// # Errors
/// The article or the buyer is unknown.
pub async fn load(
    db: &impl ConnectionTrait,
    scope: &Scope,
    article: i64,
    buyer: &RecordReference,
    r#type: ListType,
) -> Result<Timeline> {
    let seller = scope.tenant()?;
    let mut violations = Violations::new();
    if price_list_entry::load_articles(db, scope, [article]).await?.is_empty() {
        violations.add("article_id", codes::UNKNOWN_REFERENCE);
    }
    let buyer = if buyer.is_absent() {
        seller.into()
    } else {
        let parties = partner::parties(db, scope, buyer.id(), buyer.folded()).await?;
        let candidates =
            parties.into_iter().map(|party| (party.id.into(), fold(&party.short_code), party.id.into()));
        buyer.resolve(&mut violations, BUYER, &Referable::new(candidates)).copied().unwrap_or_default()
    };
    violations.check()?;
    let lists = scope
        .find::<PriceLists>()
        .filter(owned_by(seller))
        .filter(Column::Type.eq(r#type))
        .filter(Column::ValidUntil.is_null().or(super::ever_in_effect_condition()))
        .order_by_asc(Column::ValidFrom)
        .order_by_asc(Column::Id)
        .all(db)
        .await?;
    let audiences = audience::load_many(db, &lists).await?;
    // internal prices are for the seller only, as with quotes
    let for_whom = match r#type {
        ListType::Internal => seller.into(),
        ListType::Sales => buyer,
    };
    let member_of = tenant_group::load_groups(db, for_whom).await?;
    let entries = Scope::platform()
        .find::<Entries>()
        .filter(price_list_entry::Column::ArticleId.eq(article))
        .filter(price_list_entry::priced())
        .filter(price_list_entry::Column::TenantId.is_in(lists.iter().map(PriceList::owner_key)))
        .filter(price_list_entry::Column::PriceListId.is_in(lists.iter().map(|list| list.id)))
        .all(db)
        .await?;
    let bar = |list: PriceList| {
        let entry = entries.iter().find(|entry| entry.price_list_id == list.id)?;
        let audience = audiences.get(&list.id)?;
        let applies = Applies::to_tenant(&list, audience.ids(), for_whom, &member_of)?;
        Some(Bar { side: Side::from_entry(entry), applies, list })
    };
    let bars: Vec<Bar> = lists.into_iter().filter_map(bar).collect();
    Ok(Timeline { segments: segments(&bars), bars })
}

/// Returns the periods between any two moments at which a list begins or ends.
fn segments(bars: &[Bar]) -> Vec<Segment> {
    let mut moments: Vec<Instant> =
        bars.iter().flat_map(|bar| [Some(bar.list.valid_from), bar.list.valid_until]).flatten().collect();
    moments.sort_unstable();
    moments.dedup();
    let mut segments: Vec<Segment> = Vec::new();
    for (index, from) in moments.iter().enumerate() {
        let mut holding: Vec<(Rank, i64)> = bars
            .iter()
            .filter(|bar| bar.list.period().contains(from))
            .map(|bar| (bar.applies.rank(&bar.list), bar.list.id))
            .collect();
        holding.sort_unstable();
        let mut holding = holding.into_iter().map(|(_, id)| id);
        let segment = Segment {
            period: Period::new(*from, moments.get(index + 1).copied()),
            counts: holding.next(),
            behind: holding.collect(),
        };
        match segments.last_mut() {
            Some(last) if last.counts == segment.counts && last.behind == segment.behind => {
                last.period.until = segment.period.until;
            }
            _ => segments.push(segment),
        }
    }
    segments
}

#[cfg(test)]
mod tests {
    use chrono::TimeDelta;
    use values::TenantId;

    use super::*;
    use crate::price_list::ListScope;

    fn bar(id: i64, from: i64, until: Option<i64>, applies: Applies) -> Bar {
        let list = PriceList {
            id,
            owner_tenant_id: Some(TenantId(1)),
            owner_tenant_group_id: None,
            name: String::new(),
            name_fold: String::new(),
            name_sort: String::new(),
            customer_name: None,
            customer_name_fold: String::new(),
            customer_name_sort: String::new(),
            announce: false,
            r#type: ListType::Sales,
            scope: ListScope::Own,
            valid_from: DAY0 + TimeDelta::days(from),
            valid_until: until.map(|day| DAY0 + TimeDelta::days(day)),
            price_count: 0,
            version: 1,
            created_at: DAY0,
            updated_at: DAY0,
        };
        Bar { list, applies, side: Side::default() }
    }

    const DAY0: Instant = chrono::DateTime::UNIX_EPOCH;

    type SegmentDays = (i64, Option<i64>, Option<i64>, Vec<i64>);

    fn in_days(bars: &[Bar]) -> Vec<SegmentDays> {
        let day = |moment: Instant| (moment - DAY0).num_days();
        let days = |segment: Segment| {
            let Segment { period, counts, behind } = segment;
            (day(period.from), period.until.map(day), counts, behind)
        };
        segments(bars).into_iter().map(days).collect()
    }

    #[test]
    fn adjacent_lists_leave_no_gap_and_do_not_overlap() {
        use Applies::{Global, Group, Own};
        let lists = [bar(1, 0, Some(10), Own), bar(2, 10, None, Own)];
        assert_eq!(in_days(&lists), [(0, Some(10), Some(1), vec![]), (10, None, Some(2), vec![])]);
        let gap = [bar(1, 0, Some(9), Own), bar(2, 10, Some(11), Own)];
        assert_eq!(
            in_days(&gap),
            [
                (0, Some(9), Some(1), vec![]),
                (9, Some(10), None, vec![]),
                (10, Some(11), Some(2), vec![]),
                (11, None, None, vec![])
            ]
        );
        // own before group before global, whatever their beginning; then the later one, then the higher id
        let several = [
            bar(1, 0, None, Global),
            bar(2, 5, None, Group),
            bar(3, 3, None, Own),
            bar(4, 1, None, Own),
            bar(5, 3, None, Own),
        ];
        assert_eq!(
            in_days(&several),
            [
                (0, Some(1), Some(1), vec![]),
                (1, Some(3), Some(4), vec![1]),
                (3, Some(5), Some(5), vec![3, 4, 1]),
                (5, None, Some(5), vec![3, 4, 2, 1]),
            ]
        );
    }
}
