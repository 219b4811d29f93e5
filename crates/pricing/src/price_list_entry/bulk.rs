//! Bulk change of the prices of a list: all, those that match filters, or selected ones; or taking prices
//! over from another list. A dry run uses the same steps.

use std::collections::HashMap;

use lists::ListQuery;
use sea_orm::{ColumnTrait, ConnectionTrait, QueryFilter, QueryOrder, QuerySelect};
use serde::Deserialize;
use store::{Database, Scope, Write, deadline};
use utoipa::ToSchema;
use validator::Validate;
use values::{Error, Result, Validated, Violations, now, tidy};

use super::{Column, Entries, Entry, Guard, LIST, load_articles, select_entries, writing};
use crate::{
    codes, permissions,
    price_list::{
        self, PriceList, PriceLists,
        change::{PriceChange, Rounding, Rule},
        difference::{ListDifference, PriceChangeResult},
    },
    price_side::Side,
};

/// Number of prices in memory at the same time.
const CHUNK: u64 = 1_000;

/// Bulk change of the prices of a list.
#[derive(Debug, Clone, Deserialize, ToSchema, Validate)]
#[serde(deny_unknown_fields)]
#[schema(as = PriceListChange)]
pub struct BulkInput {
    /// Ids of the prices, in the list that they are read from; `null` for all that match the filters.
    #[schema(max_items = 500)]
    #[validate(length(max = 500))]
    pub price_ids: Option<Vec<i64>>,
    /// List from which prices are taken over, with the change applied; the filters then refer to its prices.
    /// Articles that it does not contain stay unchanged. If omitted, the list's own prices are changed.
    pub from_price_list_id: Option<i64>,
    #[serde(default)]
    pub change: PriceChange,
    pub rounding: Option<Rounding>,
    /// True to discard a price under review if the price in effect changes; otherwise it stays under review.
    #[serde(default)]
    #[schema(default = false)]
    pub discard_waiting: bool,
    /// True to return the result without changing anything.
    #[serde(default)]
    #[schema(default = false)]
    pub dry_run: bool,
    /// Number of prices that the dry run returned. If it has changed since, the call is rejected.
    #[schema(example = 120)]
    pub count: Option<u64>,
}

tidy!(BulkInput:);

/// Changes the prices of a list that match the filters. `when_held` is called before the commit if prices are
/// put under review, with their number.
///
/// # Errors
/// Violations of the change, or a number of prices other than `count`.
pub async fn change(
    db: &Database,
    scope: &Scope,
    id: i64,
    query: &ListQuery<Entries>,
    input: impl Into<Validated<BulkInput>>,
    when_held: impl AsyncFnOnce(&Write, &PriceList, u64) -> Result<()>,
) -> Result<ListDifference> {
    let (input, mut violations) = input.into().parts();
    let rule = Rule { change: input.change, rounding: input.rounding };
    rule.check(&mut violations);
    if rule.is_idle() && input.from_price_list_id.is_none() {
        violations.add("change", codes::REQUIRED);
    }
    if input.from_price_list_id == Some(id) {
        violations.add("from_price_list_id", codes::SAME_LIST);
    }
    violations.check()?;
    deadline::extend(deadline::MANY_RECORDS);

    if input.dry_run {
        let snapshot = db.snapshot().await?;
        let list = scope.get::<PriceLists>(&snapshot, id).await?;
        let writer = list.writer(scope)?;
        list.refuse_expired(&now())?;
        let source = source(&snapshot, scope, &input).await?;
        let work = BulkRun { list: &list, source: source.as_ref(), rule, writer, input: &input };
        return work.through(&snapshot, None, scope, query).await;
    }
    let tx = db.begin_long().await?;
    let (list, writer) = price_list::lock_for_change(&tx, scope, id).await?;
    let source = source(&tx, scope, &input).await?;
    let work = BulkRun { list: &list, source: source.as_ref(), rule, writer, input: &input };
    let difference = work.through(&tx, Some(&tx), scope, query).await?;
    if difference.under_review > 0 {
        when_held(&tx, &list, difference.under_review).await?;
    }
    tx.commit().await?;
    Ok(difference)
}

/// Loads the list that prices are taken over from.
async fn source(db: &impl ConnectionTrait, scope: &Scope, input: &BulkInput) -> Result<Option<PriceList>> {
    let Some(from) = input.from_price_list_id else { return Ok(None) };
    match scope.get::<PriceLists>(db, from).await {
        Ok(source) => Ok(Some(source)),
        Err(error) if error.code() == codes::NOT_FOUND => {
            Err(Violations::error("from_price_list_id", codes::UNKNOWN_REFERENCE))
        }
        Err(error) => Err(error),
    }
}

struct BulkRun<'a> {
    list: &'a PriceList,
    /// List that prices are taken over from; `None` to change the list's own prices.
    source: Option<&'a PriceList>,
    rule: Rule,
    writer: Scope,
    input: &'a BulkInput,
}

impl BulkRun<'_> {
    /// Processes all prices. Without `tx` it only calculates the result.
    async fn through(
        &self,
        db: &impl ConnectionTrait,
        tx: Option<&Write>,
        scope: &Scope,
        query: &ListQuery<Entries>,
    ) -> Result<ListDifference> {
        let input = self.input;
        let mut guard = Guard::load(db, &self.writer, self.list).await?;
        // internal prices could be found out by repeating dry runs with different prices
        if tx.is_none() && !scope.may(permissions::VIEW_PRICE) {
            guard = guard.without_costs();
        }
        let read_from = self.source.unwrap_or(self.list);
        if let Some(ids) = &input.price_ids {
            refuse_unknown(db, &select_entries(scope, read_from), ids).await?;
        }
        let query = query.within_one(LIST, read_from.id);
        let (mut difference, mut selected_count, mut last) = (ListDifference::default(), 0, 0);
        loop {
            let mut rows = query.matching(db, scope)?.filter(Column::Id.gt(last));
            if let Some(ids) = &input.price_ids {
                rows = rows.filter(Column::Id.is_in(ids.iter().copied()));
            }
            let rows: Vec<Entry> = rows.order_by_asc(Column::Id).limit(CHUNK).all(db).await?;
            let Some(end) = rows.last() else { break };
            last = end.id;
            selected_count += rows.len() as u64;
            let new_prices = self.changed(db, scope, rows, &mut guard, &mut difference).await?;
            if let Some(tx) = tx {
                self.write(tx, scope, &guard, new_prices).await?;
            }
        }
        if let Some(expected) = input.count.filter(|expected| *expected != selected_count) {
            let message = codes::SELECTION_CHANGED.with("found", selected_count).with("expected", expected);
            return Err(Error::from(message));
        }
        Ok(difference.finished())
    }

    /// Calculates the new prices of a chunk: the existing row of the list, the article and the new price.
    async fn changed(
        &self,
        db: &impl ConnectionTrait,
        scope: &Scope,
        rows: Vec<Entry>,
        guard: &mut Guard,
        difference: &mut ListDifference,
    ) -> Result<Vec<(Option<Entry>, i64, Side)>> {
        let ids: Vec<i64> = rows.iter().map(|row| row.article_id).collect();
        let articles = load_articles(db, scope, ids.iter().copied()).await?;
        guard.load_costs(db, &self.writer, articles.values()).await?;
        let mut own = match self.source {
            None => HashMap::new(),
            Some(_) => by_article(select_entries(&self.writer, self.list), &ids, db).await?,
        };
        let mut new_prices = Vec::with_capacity(rows.len());
        for row in rows {
            let article = articles.get(&row.article_id).ok_or_else(Error::not_found)?;
            let source_side = Side::from_entry(&row);
            let before = if self.source.is_some() { own.remove(&article.id) } else { Some(row) };
            let is = before.as_ref().map(Side::from_entry).unwrap_or_default();
            let waits = before.as_ref().is_some_and(|before| before.held.is_some());
            let waits_on = waits && !self.input.discard_waiting;
            difference.waiting += u64::from(waits);
            let becomes = match self.rule.apply(&source_side, article) {
                Err(why) => PriceChangeResult::Impossible(why),
                // an entry without a price in effect has nothing to take over, and must not remove the list's
                // own price
                Ok(side) if side.is_empty() && (waits_on || self.source.is_some()) => {
                    PriceChangeResult::Changed(is.clone())
                }
                Ok(side) => match guard.check(&is, &side, article, None) {
                    Some(_) if waits_on => PriceChangeResult::Changed(is.clone()),
                    held_entry => {
                        new_prices.push((before, article.id, side.clone()));
                        if held_entry.is_some() {
                            PriceChangeResult::Held(side)
                        } else {
                            PriceChangeResult::Changed(side)
                        }
                    }
                },
            };
            difference.add(article, &is, becomes);
        }
        Ok(new_prices)
    }

    async fn write(
        &self,
        tx: &Write,
        scope: &Scope,
        guard: &Guard,
        new_prices: Vec<(Option<Entry>, i64, Side)>,
    ) -> Result<()> {
        let articles = load_articles(tx, scope, new_prices.iter().map(|(_, article, _)| *article)).await?;
        let review_policy = if self.input.discard_waiting {
            writing::ReviewPolicy::Discard
        } else {
            writing::ReviewPolicy::Keep
        };
        let changes = new_prices.into_iter().filter_map(|(before, article, side)| {
            let article = articles.get(&article)?;
            Some(writing::NewPrice { before, article, side, row: None, review_policy })
        });
        writing::apply(tx, &self.writer, self.list, guard, changes.collect()).await?;
        tx.store_notes().await
    }
}

/// Rejects ids of prices that are not in the list.
async fn refuse_unknown(
    db: &impl ConnectionTrait,
    rows: &sea_orm::Select<Entries>,
    ids: &[i64],
) -> Result<()> {
    let query = rows.clone().filter(Column::Id.is_in(ids.iter().copied())).select_only().column(Column::Id);
    let existing_ids: Vec<i64> = query.into_tuple().all(db).await?;
    let mut violations = Violations::new();
    for (index, id) in ids.iter().enumerate() {
        if !existing_ids.contains(id) {
            violations.add(format!("price_ids.{index}"), codes::UNKNOWN_REFERENCE);
        }
    }
    violations.check()
}

async fn by_article(
    rows: sea_orm::Select<Entries>,
    articles: &[i64],
    db: &impl ConnectionTrait,
) -> Result<HashMap<i64, Entry>> {
    let rows = rows.filter(Column::ArticleId.is_in(articles.iter().copied())).all(db).await?;
    Ok(rows.into_iter().map(|row| (row.article_id, row)).collect())
}
