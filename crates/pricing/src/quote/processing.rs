//! Price of a processing: that of the request, else the seller's price for the article type, else the
//! seller's general price.

use std::collections::{BTreeSet, HashMap};

use serde::Serialize;
use utoipa::ToSchema;
use values::Money;

use super::{Processing, article::Article};
use crate::processing_price::ProcessingPrice;

/// Source of a processing's price: the request, the seller's price for the article type, or the seller's
/// general price.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ProcessingPriceSource {
    Question,
    ArticleType,
    General,
}

/// Price found for a processing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct MatchedPrice {
    pub(super) source: ProcessingPriceSource,
    /// Id of the seller's price; `None` if the price is from the request.
    pub(super) id: Option<i64>,
    pub(super) price: Money,
}

/// Processing prices of a seller: id and price by processing and, if specific, article type.
#[derive(Debug, Default)]
pub(super) struct Prices(HashMap<(i64, Option<i64>), (i64, Money)>);

impl Prices {
    pub(super) fn add(&mut self, row: &ProcessingPrice) {
        self.0.insert((row.processing_id, row.article_type_id), (row.id, row.price));
    }

    /// Processings that have a price.
    pub(super) fn processings(&self) -> impl Iterator<Item = i64> {
        let ids: BTreeSet<i64> = self.0.keys().map(|(processing, _)| *processing).collect();
        ids.into_iter()
    }

    /// Returns the processings with another price, for an article type or in general.
    pub(super) fn differing(&self, other: &Self) -> Vec<i64> {
        let price = |prices: &Self, place: &(i64, Option<i64>)| prices.0.get(place).map(|(_, price)| *price);
        let places = self.0.keys().chain(other.0.keys());
        let differing: BTreeSet<i64> = places
            .filter(|place| price(self, place) != price(other, place))
            .map(|(processing, _)| *processing)
            .collect();
        differing.into_iter().collect()
    }

    /// Finds the price of a processing of an article: that of the question, that for the article's type, or the
    /// general one.
    pub(super) fn find(&self, article: &Article, processing: &Processing) -> Option<MatchedPrice> {
        if let Some(price) = processing.price {
            return Some(MatchedPrice { source: ProcessingPriceSource::Question, id: None, price });
        }
        let stored_price = |article_type: Option<i64>, source: ProcessingPriceSource| {
            let (id, price) = *self.0.get(&(processing.id, article_type))?;
            Some(MatchedPrice { source, id: Some(id), price })
        };
        stored_price(Some(article.article_type_id), ProcessingPriceSource::ArticleType)
            .or_else(|| stored_price(None, ProcessingPriceSource::General))
    }
}
