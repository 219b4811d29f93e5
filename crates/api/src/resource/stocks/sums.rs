//! Sums of the stocks that match the filters of a list.

use std::future::{Ready, ready};

use actix_web::{FromRequest, HttpRequest, dev::Payload};
use http_api::{
    access::Authorized,
    answer::{OkJson, ok_json},
    contract::Schemas,
    input::{self, Db, Input, List},
    problem::Refusal,
    publish,
    routes::{Answer, Routes},
};
use lists::{ListQuery, Page};
use logistics::{
    may,
    stock::{
        Stocks,
        sums::{self, ArticleSum, Sum, Sums},
    },
};
use serde::Serialize;
use utoipa::{ToSchema, openapi::path::Operation};
use values::{Decimal, Error, Result, Unit};

use super::TradedArticle;
use crate::resource::matchings::WarehouseReference;

pub(super) fn routes(routes: &mut Routes) {
    publish!(routes, Stocks: sums);
}

/// Sums of the stocks that match the filters.
#[derive(Serialize, ToSchema)]
#[schema(as = StockSums)]
struct SumsView {
    total: SumView,
    /// Sums by warehouse, in the order of their short codes.
    warehouses: Vec<WarehouseSumView>,
    /// Articles of the page, in the order of their numbers.
    articles: Vec<ArticleSumView>,
    /// Number of articles on all pages.
    #[schema(example = 41)]
    articles_total: u64,
}

/// Sum of stocks.
#[derive(Serialize, ToSchema)]
#[schema(as = StockSum)]
struct SumView {
    #[schema(example = 12)]
    stocks: u64,
    /// Stocks that are always available or whose quantity is in another system: they add nothing.
    #[schema(example = 1)]
    without_quantity: u64,
    /// Stocks with a quantity whose article has no weight: they add nothing to the weight.
    #[schema(example = 0)]
    without_weight: u64,
    /// Stocks with a quantity that cannot be counted in pieces: they add nothing to the pieces.
    #[schema(example = 0)]
    without_pieces: u64,
    /// Exact sum in kg, rounded to three places.
    #[schema(example = "2225.19")]
    weight: Decimal,
    /// Number of pieces; remnants are counted by their own size.
    #[schema(example = "3")]
    pieces: Decimal,
}

/// Sum of one warehouse.
#[derive(Serialize, ToSchema)]
#[schema(as = WarehouseStockSum)]
struct WarehouseSumView {
    warehouse: WarehouseReference,
    sum: SumView,
}

/// Sum of one article.
#[derive(Serialize, ToSchema)]
#[schema(as = ArticleStockSum)]
struct ArticleSumView {
    article: TradedArticle,
    /// Exact sum in the quantity unit.
    #[schema(example = "36.3")]
    quantity: Decimal,
    /// Base unit of the article.
    quantity_unit: Unit,
    sum: SumView,
}

/// Query for sums: that of a list, but without a selection of fields.
struct SumQuery(ListQuery<Stocks>);

impl FromRequest for SumQuery {
    type Error = Refusal;
    type Future = Ready<Result<Self, Refusal>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let parameters = input::parameters(request);
        let query = ListQuery::parse(parameters.iter().map(|(name, value)| (&**name, &**value)));
        ready(query.map(Self).map_err(Refusal))
    }
}

impl Input for SumQuery {
    fn describe(operation: &mut Operation, schemas: &mut Schemas) {
        List::<Stocks>::describe(operation, schemas);
    }
}

/// Adds up all stocks that match the filters, by warehouse and by article.
#[utoipa::path(get, path = "/api/admin/stocks/sums")]
async fn sums(
    by: Authorized<may::ListStocks>,
    Db(db): Db,
    SumQuery(query): SumQuery,
) -> Answer<OkJson<SumsView>> {
    Ok(ok_json(SumsView::try_from(sums::sums(&db, by.scope(), &query).await?)?))
}

impl TryFrom<Sums> for SumsView {
    type Error = Error;

    fn try_from(Sums { total, warehouses, articles }: Sums) -> Result<Self> {
        let Page { rows, total: articles_total, .. } = articles;
        let warehouses = warehouses.into_iter().map(|(warehouse, sum)| {
            Ok(WarehouseSumView { warehouse: warehouse.into(), sum: SumView::try_from(sum)? })
        });
        let articles = rows.into_iter().map(ArticleSumView::try_from);
        Ok(Self {
            total: total.try_into()?,
            warehouses: warehouses.collect::<Result<_>>()?,
            articles: articles.collect::<Result<_>>()?,
            articles_total,
        })
    }
}

impl TryFrom<Sum> for SumView {
    type Error = Error;

    fn try_from(sum: Sum) -> Result<Self> {
        let Sum { stocks, without_quantity, without_weight, without_pieces, .. } = sum;
        let (weight, pieces) = (sum.weight()?, sum.pieces()?);
        Ok(Self { stocks, without_quantity, without_weight, without_pieces, weight, pieces })
    }
}

impl TryFrom<ArticleSum> for ArticleSumView {
    type Error = Error;

    fn try_from(row: ArticleSum) -> Result<Self> {
        let (quantity, sum) = (row.quantity()?, row.sum.try_into()?);
        Ok(Self { quantity_unit: row.article.base_unit, article: row.article.into(), quantity, sum })
    }
}
