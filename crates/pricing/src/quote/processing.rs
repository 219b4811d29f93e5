//! What a processing costs: what the question says, else what the seller asks for articles of the type, else what they ask for all
//! others.

use std::collections::{BTreeSet, HashMap};

use kernel::Money;
use serde::Serialize;
use utoipa::ToSchema;

use super::{Processing, article::Article};
use crate::processing_price::ProcessingPrice;

/// Where the price of a processing comes from: it was named in the question; it is the seller's for the article's type; it is the
/// seller's for all others.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ProcessingPriceSource {
    Question,
    ArticleType,
    General,
}

/// A price of a processing that was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Found {
    pub(super) source: ProcessingPriceSource,
    /// Of the seller's own.
    pub(super) id: Option<i64>,
    pub(super) price: Money,
}

/// The prices of a seller: id and price by processing and article type, if any.
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

    /// Processings that cost something else, of some article type or of all others.
    pub(super) fn differing(&self, other: &Self) -> Vec<i64> {
        let price = |prices: &Self, place: &(i64, Option<i64>)| prices.0.get(place).map(|(_, price)| *price);
        let places = self.0.keys().chain(other.0.keys());
        let differing: BTreeSet<i64> = places
            .filter(|place| price(self, place) != price(other, place))
            .map(|(processing, _)| *processing)
            .collect();
        differing.into_iter().collect()
    }

    pub(super) fn of(&self, article: &Article, processing: &Processing) -> Option<Found> {
        if let Some(price) = processing.price {
            return Some(Found { source: ProcessingPriceSource::Question, id: None, price });
        }
        let kept = |article_type: Option<i64>, source: ProcessingPriceSource| {
            let (id, price) = *self.0.get(&(processing.id, article_type))?;
            Some(Found { source, id: Some(id), price })
        };
        kept(Some(article.article_type_id), ProcessingPriceSource::ArticleType)
            .or_else(|| kept(None, ProcessingPriceSource::General))
    }
}
