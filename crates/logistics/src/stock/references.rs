//! Records that stocks are shown with: article, warehouse, the number in another system, and the last
//! confirmation by an import.

use std::collections::HashMap;

use catalog::{
    article as article_table,
    article_units::{self, ArticleUnits},
};
use sea_orm::{ColumnTrait, ConnectionTrait, QueryFilter, QueryOrder, QuerySelect};
use store::Scope;
use values::{Instant, Result, TenantId};

use super::confirmation;
use crate::{
    matching::{self, Matchings, warehouse_names},
    warehouse::{self, WarehouseName},
};

/// References of stocks, by stock id.
#[derive(Debug, Default)]
pub struct StockReferences(HashMap<i64, ReferencedRecords>);

/// References of one stock.
#[derive(Debug, Clone)]
pub struct ReferencedRecords {
    pub article: ArticleUnits,
    pub warehouse: WarehouseName,
    pub external_article_number: Option<String>,
    pub confirmed_at: Option<Instant>,
}

/// Ids of a stock and of its references.
#[derive(Debug, Clone, Copy)]
pub struct StockIds {
    pub tenant: TenantId,
    pub stock: i64,
    pub article: i64,
    pub warehouse: i64,
}

impl StockReferences {
    /// Loads the references of stocks.
    pub async fn load(db: &impl ConnectionTrait, scope: &Scope, stocks: &[StockIds]) -> Result<Self> {
        if stocks.is_empty() {
            return Ok(Self::default());
        }
        let mut article_ids: Vec<i64> = stocks.iter().map(|ids| ids.article).collect();
        article_ids.sort_unstable();
        article_ids.dedup();
        let articles =
            article_units::load(db, scope, article_table::Column::Id.is_in(article_ids.clone())).await?;
        let articles: HashMap<i64, ArticleUnits> =
            articles.into_iter().map(|article| (article.id, article)).collect();
        let warehouse_ids: Vec<i64> = stocks.iter().map(|ids| ids.warehouse).collect();
        let warehouses =
            warehouse_names(db, scope, |select| select.filter(warehouse::Column::Id.is_in(warehouse_ids)))
                .await?;
        let warehouses: HashMap<i64, WarehouseName> =
            warehouses.into_iter().map(|warehouse| (warehouse.id, warehouse)).collect();
        let external = external_numbers(db, scope, article_ids).await?;
        let tenants = stocks.iter().map(|ids| ids.tenant);
        let ids = stocks.iter().map(|ids| ids.stock).collect();
        let confirmed = confirmation::load(db, tenants, ids).await?;
        let records = |StockIds { stock, article, warehouse, .. }: &StockIds| {
            let numbers = external.get(article).map_or(&[][..], Vec::as_slice);
            let own = numbers.iter().find(|(place, _)| *place == Some(*warehouse));
            let external = own.or_else(|| numbers.iter().find(|(place, _)| place.is_none()));
            let records = ReferencedRecords {
                article: articles.get(article)?.clone(),
                warehouse: warehouses.get(warehouse)?.clone(),
                external_article_number: external.map(|(_, number)| number.clone()),
                confirmed_at: confirmed.get(stock).copied(),
            };
            Some((*stock, records))
        };
        Ok(Self(stocks.iter().filter_map(records).collect()))
    }

    /// Removes and returns the references of a stock.
    pub fn take(&mut self, stock: i64) -> Option<ReferencedRecords> {
        self.0.remove(&stock)
    }
}

/// Loads the numbers of articles in other systems, oldest first, each with the warehouse that it is limited
/// to.
async fn external_numbers(
    db: &impl ConnectionTrait,
    scope: &Scope,
    articles: Vec<i64>,
) -> Result<HashMap<i64, Vec<(Option<i64>, String)>>> {
    let rows = scope
        .find::<Matchings>()
        .select_only()
        .columns([
            matching::Column::ArticleId,
            matching::Column::WarehouseId,
            matching::Column::ExternalArticleNumber,
        ])
        .filter(matching::Column::ArticleId.is_in(articles))
        .order_by_asc(matching::Column::Id);
    let rows: Vec<(i64, Option<i64>, String)> = rows.into_tuple().all(db).await?;
    let mut numbers: HashMap<i64, Vec<_>> = HashMap::new();
    for (article, warehouse, number) in rows {
        numbers.entry(article).or_default().push((warehouse, number));
    }
    Ok(numbers)
}
