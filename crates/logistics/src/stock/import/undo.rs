//! Undo of stock imports: stocks get their previous values back, subject to the rules of stocks.

use std::collections::HashSet;

use imports::revert::reversible::{RestoredRecord, Reversible};
use sea_orm::{ColumnTrait, QueryFilter, QuerySelect, sea_query::Expr};
use store::{Scope, Scoped, Write};
use values::{Message, RecordReference, Result, Violations};

use super::StockImporter;
use crate::{
    codes,
    matching::directory::{Directory, Place, PlaceReference},
    stock::{ActiveModel, Dimensions, Stock, StockDraft, Stocks},
};

impl Reversible for StockImporter {
    async fn drafts(
        tx: &Write,
        scope: &Scope,
        former: &[RestoredRecord<Self>],
    ) -> Result<Vec<Result<ActiveModel, Vec<Message>>>> {
        let places = former.iter().map(|RestoredRecord { was, .. }| (was.article_id, was.warehouse_id));
        let directory = load_directory(tx, scope, places).await?;
        let drafts = former.iter().map(|RestoredRecord { was, .. }| draft(&directory, was));
        Ok(drafts.map(|draft| draft.map_err(Violations::into_messages)).collect())
    }

    /// Stocks with a price are not deleted, because it is in the same row.
    async fn with_unrecorded_content(tx: &Write, scope: &Scope, ids: &[i64]) -> Result<HashSet<i64>> {
        let priced = "internal_price IS NOT NULL OR internal_bulk_prices IS NOT NULL \
                      OR external_price IS NOT NULL OR external_bulk_prices IS NOT NULL";
        let priced = scope
            .find::<Stocks>()
            .select_only()
            .column(Stocks::ID)
            .filter(Stocks::ID.is_in(ids.iter().copied()))
            .filter(Expr::cust(format!("({priced})")));
        let priced: Vec<i64> = priced.into_tuple().all(tx).await?;
        Ok(priced.into_iter().collect())
    }
}

/// Loads the articles and warehouses with these ids.
pub async fn load_directory(
    tx: &Write,
    scope: &Scope,
    places: impl Iterator<Item = (i64, i64)>,
) -> Result<Directory> {
    let references: Vec<PlaceReference> = places
        .map(|(article, warehouse)| PlaceReference {
            article: RecordReference::new(Some(article), None),
            warehouse: RecordReference::new(Some(warehouse), None),
            ..PlaceReference::default()
        })
        .collect();
    Directory::load(tx, scope, &references).await
}

/// Row of a stock with its previous values.
///
/// # Errors
/// The rules that these values break now.
pub fn draft(directory: &Directory, was: &Stock) -> Result<ActiveModel, Violations> {
    let mut unknown = Violations::new();
    let (article, warehouse) = (directory.article(was.article_id), directory.warehouse(was.warehouse_id));
    for (field, is_there) in [("article_id", article.is_some()), ("warehouse_id", warehouse.is_some())] {
        if !is_there {
            unknown.add(field, codes::UNKNOWN_REFERENCE);
        }
    }
    let (Some(article), Some(warehouse)) = (article, warehouse) else { return Err(unknown) };
    let draft = StockDraft {
        availability: was.availability_type,
        quantity: was.quantity,
        quantity_unit: None,
        lead_time: was.lead_time.map(values::Minutes::minutes),
        dimensions: Dimensions::from_stock(was),
    };
    draft.row(Place { article, warehouse })
}
