//! Sums over the stocks that a list's filters match: per warehouse, per article, and in total.

use std::collections::HashMap;

use catalog::{
    article as article_table,
    article_summary::ArticleSummary,
    article_units::{self, ArticleUnits},
};
use lists::{ListQuery, Page};
use sea_orm::{ColumnTrait, QueryFilter, QuerySelect};
use store::{Database, Scope, deadline, run_blocking};
use values::{Decimal, Error, Result, Unit, fold, natural::sort_key};

use super::{Column, Dimensions, Stocks};
use crate::{
    codes,
    matching::warehouse_names,
    warehouse::{self, WarehouseName},
};

/// Maximum number of stocks in a sum. All of them are read in one statement, about 60 bytes each.
const MAX: u64 = 200_000;

/// Number of articles that are read in one statement.
const CHUNK: usize = 1_000;

/// Sum of stocks. A stock is counted but left out of a figure for which it lacks a quantity, a weight or the
/// size of a piece.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Sum {
    pub stocks: u64,
    pub without_quantity: u64,
    /// Number of stocks with a quantity whose article has no weight.
    pub without_weight: u64,
    /// Number of stocks with a quantity that cannot be counted in pieces.
    pub without_pieces: u64,
    /// Exact weight in trillionths of a kilogram.
    weight: i128,
    /// Pieces in millionths, rounded once per article and size.
    pieces: i128,
}

/// Sum of one article.
#[derive(Debug, Clone)]
pub struct ArticleSum {
    pub article: ArticleSummary,
    /// Exact quantity in millionths of the base unit.
    quantity: i128,
    pub sum: Sum,
}

/// Sums of the stocks that a list's filters match.
#[derive(Debug)]
pub struct Sums {
    pub total: Sum,
    /// Sums of warehouses, in the order of their short codes.
    pub warehouses: Vec<(WarehouseName, Sum)>,
    /// Page of articles, in the order of their numbers.
    pub articles: Page<ArticleSum>,
}

/// Columns of a stock: article, warehouse, length, width, height and quantity.
type Row = (i64, i64, Decimal, Decimal, Decimal, Option<Decimal>);

/// Adds up the stocks that the filters of `query` match. Its page selects the articles; its sort is ignored.
///
/// # Errors
/// If more than 200,000 stocks match.
pub async fn sums(db: &Database, scope: &Scope, query: &ListQuery<Stocks>) -> Result<Sums> {
    deadline::extend(deadline::MANY_RECORDS);
    let query = query.resolved(db).await?;
    let rows: Vec<Row> = query
        .matching(db, scope)?
        .select_only()
        .columns([
            Column::ArticleId,
            Column::WarehouseId,
            Column::Length,
            Column::Width,
            Column::Height,
            Column::Quantity,
        ])
        .limit(MAX + 1)
        .into_tuple()
        .all(db)
        .await?;
    if rows.len() as u64 > MAX {
        return Err(codes::TOO_MANY.with("max", MAX).into());
    }
    let (mut by_article, warehouse_ids) = group(rows);
    let mut ids: Vec<i64> = by_article.keys().copied().collect();
    ids.sort_unstable();
    let mut articles = Vec::with_capacity(ids.len());
    let mut by_warehouse: HashMap<i64, Sum> = HashMap::new();
    for chunk in ids.chunks(CHUNK) {
        let condition = article_table::Column::Id.is_in(chunk.iter().copied());
        let units = article_units::load(db, scope, condition).await?;
        let stocks = units.into_iter().map(|article| {
            let stocks = by_article.remove(&article.id).unwrap_or_default();
            (article, stocks)
        });
        let stocks: Vec<_> = stocks.collect();
        let added = run_blocking(move || add_up(&stocks)).await?;
        articles.extend(added.0);
        added.1.into_iter().for_each(|(warehouse, sum)| by_warehouse.entry(warehouse).or_default().add(&sum));
    }
    let condition = warehouse::Column::Id.is_in(warehouse_ids);
    let mut warehouses: Vec<_> = warehouse_names(db, scope, |select| select.filter(condition))
        .await?
        .into_iter()
        .filter_map(|warehouse| Some((by_warehouse.remove(&warehouse.id)?, warehouse)))
        .map(|(sum, warehouse)| (warehouse, sum))
        .collect();
    warehouses.sort_by_cached_key(|(warehouse, _)| sort_key(&fold(&warehouse.short_code)));
    articles.sort_by_cached_key(|sum: &ArticleSum| sort_key(&fold(&sum.article.article_number)));
    let total = warehouses.iter().fold(Sum::default(), |mut total, (_, sum)| {
        total.add(sum);
        total
    });
    let paging = query.paging();
    let count = articles.len() as u64;
    let skipped = usize::try_from(paging.offset()).unwrap_or(usize::MAX);
    let size = usize::try_from(paging.size).unwrap_or(usize::MAX);
    let page = articles.into_iter().skip(skipped).take(size).collect();
    Ok(Sums { total, warehouses, articles: paging.page_with(page, count) })
}

/// Warehouse, dimensions and quantity of a stock.
type Stock = (i64, Dimensions, Option<Decimal>);

/// Groups stocks by article, and collects the ids of all warehouses.
fn group(rows: Vec<Row>) -> (HashMap<i64, Vec<Stock>>, Vec<i64>) {
    let mut by_article: HashMap<i64, Vec<Stock>> = HashMap::new();
    let mut warehouses: Vec<i64> = Vec::new();
    for (article, warehouse, length, width, height, quantity) in rows {
        let dimensions = Dimensions::from_row(length, width, height);
        by_article.entry(article).or_default().push((warehouse, dimensions, quantity));
        warehouses.push(warehouse);
    }
    warehouses.sort_unstable();
    warehouses.dedup();
    (by_article, warehouses)
}

/// Sums per article, and per warehouse.
fn add_up(articles: &[(ArticleUnits, Vec<Stock>)]) -> (Vec<ArticleSum>, HashMap<i64, Sum>) {
    let mut by_warehouse: HashMap<i64, Sum> = HashMap::new();
    let sum_article = |(article, stocks): &(ArticleUnits, Vec<Stock>)| {
        let mut total =
            ArticleSum { article: ArticleSummary::from(article), quantity: 0, sum: Sum::default() };
        for (warehouse, dimensions, quantity) in stocks {
            let sum = Sum::from_stock(article, *dimensions, *quantity);
            total.sum.add(&sum);
            total.quantity += quantity.map_or(0, |quantity| i128::from(quantity.millionths()));
            by_warehouse.entry(*warehouse).or_default().add(&sum);
        }
        total
    };
    (articles.iter().map(sum_article).collect(), by_warehouse)
}

impl Sum {
    fn from_stock(article: &ArticleUnits, dimensions: Dimensions, quantity: Option<Decimal>) -> Self {
        let one = Self { stocks: 1, ..Self::default() };
        let Some(quantity) = quantity else { return Self { without_quantity: 1, ..one } };
        let weight = article.exact_weight_of(quantity);
        let pieces = pieces_of(article, dimensions, quantity);
        Self {
            without_weight: u64::from(weight.is_none()),
            without_pieces: u64::from(pieces.is_none()),
            weight: weight.unwrap_or_default(),
            pieces: pieces.map_or(0, |pieces| i128::from(pieces.millionths())),
            ..one
        }
    }

    fn add(&mut self, other: &Self) {
        self.stocks += other.stocks;
        self.without_quantity += other.without_quantity;
        self.without_weight += other.without_weight;
        self.without_pieces += other.without_pieces;
        self.weight += other.weight;
        self.pieces += other.pieces;
    }

    /// Weight in kilograms, rounded half up to grams.
    pub fn weight(&self) -> Result<Decimal> {
        const GRAM: i128 = 1_000_000_000;
        in_range((self.weight + GRAM / 2) / GRAM * 1_000)
    }

    /// Number of pieces, with six decimal places.
    pub fn pieces(&self) -> Result<Decimal> {
        in_range(self.pieces)
    }
}

impl ArticleSum {
    /// Quantity in the article's base unit.
    pub fn quantity(&self) -> Result<Decimal> {
        in_range(self.quantity)
    }
}

/// Converts a sum to a decimal.
fn in_range(millionths: i128) -> Result<Decimal> {
    let decimal = i64::try_from(millionths).ok().map(Decimal::from_millionths);
    let decimal = decimal.filter(|decimal| *decimal <= Decimal::MAX);
    decimal.ok_or_else(|| Error::from(codes::TOO_BIG.with("max", Decimal::MAX)))
}

/// Number of pieces of a quantity in the base unit, rounded to six places; a remnant counts by its own size.
fn pieces_of(article: &ArticleUnits, dimensions: Dimensions, quantity: Decimal) -> Option<Decimal> {
    let base = article.base_unit;
    if dimensions == Dimensions::default() || base == Unit::Piece {
        return article.convert(quantity, base, Unit::Piece);
    }
    let side = |dimension| {
        let own = dimensions.sides().into_iter().find(|(_, side_dimension, _)| *side_dimension == dimension);
        own.and_then(|(_, _, side)| side).or_else(|| article.dimension(dimension))
    };
    let (extent, unit) =
        catalog::shape::piece(article.extends_in(), side).filter(|(extent, _)| *extent > Decimal::ZERO)?;
    article.convert(quantity, base, unit)?.scaled(Decimal::ONE.millionths(), extent.millionths())
}
