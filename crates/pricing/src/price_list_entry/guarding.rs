//! Guard of list prices: compares them with the former price, like the guard of stock prices, and with the
//! owner's internal price.

use std::collections::HashMap;

use catalog::article_units::ArticleUnits;
use sea_orm::{ColumnTrait, Condition, ConnectionTrait, QueryFilter, QuerySelect, sea_query::ExprTrait};
use store::Scope;
use tenancy::tenant_group;
use values::{Decimal, Result, Unit, now};

use super::{Column, Entries, HeldEntry, priced};
use crate::{
    codes,
    guard::{self, Suspicions, Verdict},
    held_price,
    listing::{self, Listings},
    price_list::{
        self, ListType, PriceList, Rank, Status,
        seller_lists::{self, List},
    },
    price_side::{Prices, Side, Tiers, in_quantity_of},
};

/// Data with which the prices of a list are checked.
#[derive(Debug)]
pub(crate) struct Guard {
    /// Limit of a price change, in percent.
    percent: i64,
    /// Internal lists of the owner that are in effect when the prices take effect, by precedence; `None` if
    /// internal prices are unknown.
    internal: Option<Vec<PriceList>>,
    /// User whose prices are checked; 0 for the system.
    pub(crate) created_by: i64,
    /// Internal prices by article, for the articles of the last call of [`Self::load_costs`].
    costs: HashMap<i64, Side>,
}

impl Guard {
    /// Creates the guard of a list. There are no internal prices to compare with for the list of a group, nor
    /// for a list of internal prices.
    pub(crate) async fn load(db: &impl ConnectionTrait, writer: &Scope, list: &PriceList) -> Result<Self> {
        let percent = match writer.tenant() {
            Ok(_) => listing::guard_percent(db, writer).await?,
            Err(_) => guard::USUAL_PERCENT,
        };
        let internal = match list.owner_tenant_id.filter(|_| list.r#type == ListType::Sales) {
            None => None,
            Some(owner) => {
                let groups = tenant_group::load_groups(db, owner.into()).await?;
                let moment = Ord::max(now(), list.valid_from);
                let mut ranked: Vec<(Rank, PriceList)> = Vec::new();
                let condition = Condition::all().add(price_list::Column::Type.eq(ListType::Internal));
                for list in seller_lists::load_lists(db, owner, &groups, condition).await? {
                    let applies = list.applies_to(owner.into(), &groups);
                    let List { head, .. } = list;
                    let holds = head.status(&moment) == Status::Active;
                    ranked.extend(applies.filter(|_| holds).map(|applies| (applies.rank(&head), head)));
                }
                ranked.sort_unstable_by_key(|(rank, _)| *rank);
                Some(ranked.into_iter().map(|(_, list)| list).collect())
            }
        };
        Ok(Self { percent, internal, created_by: held_price::creator(writer), costs: HashMap::new() })
    }

    /// Returns the guard without internal prices, for dry runs by callers who cannot see them.
    pub(crate) fn without_costs(self) -> Self {
        Self { internal: None, ..self }
    }

    /// Loads the internal prices of articles: from the internal list with the highest precedence, or else the
    /// cheapest of the owner's stocks.
    pub(crate) async fn load_costs<'a>(
        &mut self,
        db: &impl ConnectionTrait,
        writer: &Scope,
        articles: impl IntoIterator<Item = &'a ArticleUnits>,
    ) -> Result<()> {
        let Some(internal) = &self.internal else { return Ok(()) };
        let articles: HashMap<i64, &ArticleUnits> =
            articles.into_iter().map(|article| (article.id, article)).collect();
        let mut costs: HashMap<i64, Side> = HashMap::new();
        for (article, side) in stock_costs(db, writer, articles.keys().copied()).await? {
            let cheaper = |current: &Side| {
                articles.get(&article).is_some_and(|article| is_cheaper(&side, current, article))
            };
            if costs.get(&article).is_none_or(cheaper) {
                costs.insert(article, side);
            }
        }
        // the list with the highest precedence comes last, and overwrites all others
        let mut listed = list_costs(db, internal, articles.keys().copied()).await?;
        listed.sort_by_key(|(list, ..)| {
            internal.iter().rev().position(|internal_list| internal_list.id == *list)
        });
        costs.extend(listed.into_iter().map(|(_, article, side)| (article, side)));
        self.costs = costs;
        Ok(())
    }

    /// Internal price of an article among those loaded last.
    pub(super) fn internal_price(&self, article: i64) -> Option<&Side> {
        self.costs.get(&article)
    }

    /// Checks a new price; `None` if it is plausible.
    pub(crate) fn check(
        &self,
        before: &Side,
        after: &Side,
        article: &ArticleUnits,
        row: Option<(i64, i64)>,
    ) -> Option<HeldEntry> {
        let internal = self.costs.get(&article.id).cloned().unwrap_or_default();
        let beside = |external: &Side| Prices { internal: internal.clone(), external: external.clone() };
        let Verdict { suspicions, mended } =
            guard::check(&beside(before), &beside(after), article, self.percent)?;
        let mended = mended.map(|mended| mended.external);
        let Suspicions(mut suspicions) = suspicions;
        for suspicion in &mut suspicions {
            if let Some(field) = suspicion.field.strip_prefix("external_") {
                suspicion.field = field.to_owned();
            }
            // users who can see the list may lack permission to see internal prices
            if suspicion.message.code == codes::BELOW_INTERNAL {
                suspicion.message = codes::LIST_BELOW_INTERNAL.into();
            }
        }
        Some(HeldEntry {
            wanted: after.clone(),
            mended,
            suspicions: Suspicions(suspicions),
            row,
            created_by: self.created_by,
            others: Vec::new(),
        })
    }
}

/// Loads the internal prices of stocks in whole dimensions, by article.
async fn stock_costs(
    db: &impl ConnectionTrait,
    writer: &Scope,
    articles: impl Iterator<Item = i64>,
) -> Result<Vec<(i64, Side)>> {
    use listing::Column::{
        ArticleId, InternalBulkPrices, InternalPrice, InternalPriceQuantity, InternalPriceUnit, TenantId,
    };
    type Row = (i64, Option<Decimal>, Option<Decimal>, Option<Unit>, Option<Tiers>);
    let rows = writer
        .find::<Listings>()
        .filter(TenantId.eq(writer.tenant()?))
        .filter(ArticleId.is_in(articles))
        .filter(InternalPrice.is_not_null().or(InternalBulkPrices.is_not_null()))
        .filter(listing::whole())
        .select_only()
        .columns([ArticleId, InternalPrice, InternalPriceQuantity, InternalPriceUnit, InternalBulkPrices]);
    let rows: Vec<Row> = rows.into_tuple().all(db).await?;
    Ok(rows
        .into_iter()
        .map(|(article, price, quantity, unit, tiers)| {
            (article, Side::from_columns(price, quantity, unit, tiers.as_ref()))
        })
        .collect())
}

/// Loads the prices of articles in lists: list, article and price.
async fn list_costs(
    db: &impl ConnectionTrait,
    lists: &[PriceList],
    articles: impl Iterator<Item = i64>,
) -> Result<Vec<(i64, i64, Side)>> {
    if lists.is_empty() {
        return Ok(Vec::new());
    }
    // the lists of a group have another owner key, and count as well
    let rows = Scope::platform()
        .find::<Entries>()
        .filter(Column::TenantId.is_in(lists.iter().map(PriceList::owner_key)))
        .filter(Column::PriceListId.is_in(lists.iter().map(|list| list.id)))
        .filter(Column::ArticleId.is_in(articles))
        .filter(priced())
        .all(db)
        .await?;
    Ok(rows.iter().map(|row| (row.price_list_id, row.article_id, Side::from_entry(row))).collect())
}

/// True if one side is cheaper than another, comparing their base prices, or else those of their first
/// quantity breaks.
fn is_cheaper(side: &Side, other: &Side, article: &ArticleUnits) -> bool {
    let first = |side: &Side| side.price.or_else(|| side.tiers.iter().next().map(|tier| tier.price));
    let (Some(price), Some(other)) = (first(side), first(other)) else { return false };
    in_quantity_of(&other, &price, article).is_some_and(|other| price.price < other)
}
