//! Prices of a list as items of a call: by the numbers that people and other systems use, and through the same rules and the same
//! guard as those of files.

use imports::{
    apply::direct::{Column, Said, Table},
    cells::Wanted,
};
use kernel::Money;
use logistics::{
    matching::directory,
    stock::place_columns::{ARTICLE, EXTERNAL_ARTICLE},
};
use serde::Deserialize;
use utoipa::ToSchema;

use crate::{
    listing::{
        import::EXTERNAL_SIDE,
        items::{columns_for, side_cells, side_columns},
    },
    price_side::TierInput,
};

/// What an article costs in a price list. What is left out stays as it is; `null` takes it away, and what has neither price nor tiers
/// then is taken out of the list.
#[derive(Debug, Clone, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({
    "article_number": "HEB-200-S235JR-12.1",
    "price": { "price": "855.00", "price_quantity": "1", "unit": "t" }
}))]
pub struct PriceListItem {
    /// Whatever its case.
    #[schema(max_length = 255, example = "HEB-200-S235JR-12.1")]
    pub article_number: Option<String>,
    /// What another system calls the article, if a matching says so: instead of the article number, or with it.
    #[schema(max_length = 255)]
    pub external_article_number: Option<String>,
    #[serde(default)]
    #[schema(value_type = Option<Money>)]
    pub price: Wanted<Money>,
    /// The price from larger quantities on, in any order; all of them.
    #[serde(default)]
    #[schema(value_type = Option<Vec<TierInput>>, max_items = 50)]
    pub bulk_prices: Wanted<Vec<TierInput>>,
}

/// Prices of a list as rows.
pub fn table(items: &[PriceListItem]) -> Table {
    let tiers = items.iter().map(|item| columns_for(&item.bulk_prices)).max().unwrap_or_default();
    let columns = [
        Column::new(ARTICLE.de, directory::ARTICLE.name).or(directory::EXTERNAL_ARTICLE),
        Column::new(EXTERNAL_ARTICLE.de, directory::EXTERNAL_ARTICLE),
    ];
    let side = side_columns(EXTERNAL_SIDE, ["price", "bulk_prices"], tiers);
    Table::new(columns.into_iter().chain(side).collect(), items, |item| {
        let article = [item.article_number.cell(), item.external_article_number.cell()];
        article.into_iter().chain(side_cells(&item.price, &item.bulk_prices, tiers)).collect()
    })
}
