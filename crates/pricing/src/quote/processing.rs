//! What a processing costs: what the question says, else what the seller asks for articles of the type, else what they ask for all
//! others.

use std::collections::HashMap;

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
