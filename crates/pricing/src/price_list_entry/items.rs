//! List prices as items of an API call: articles are named by the numbers of people and other systems, and
//! the rules and the guard are those of files.

use imports::{
    apply::direct::{Column, Table, ToCell},
    cells::CellChange,
};
use logistics::{
    matching::directory,
    stock::place_columns::{ARTICLE, EXTERNAL_ARTICLE},
};
use serde::Deserialize;
use utoipa::ToSchema;
use values::Money;

use crate::{
    listing::{
        import::EXTERNAL_SIDE,
        items::{columns_for, side_cells, side_columns},
    },
    price_side::TierInput,
};

/// Price of an article in a price list. Omitted values stay unchanged; `null` removes a value, and an article
/// left without price and quantity breaks is removed from the list.
#[derive(Debug, Clone, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({
    "article_number": "HEB-200-S235JR-12.1",
    "price": { "price": "855.00", "price_quantity": "1", "unit": "t" }
}))]
pub struct PriceListItem {
    /// Article number, in any case.
    #[schema(max_length = 255, example = "HEB-200-S235JR-12.1")]
    pub article_number: Option<String>,
    /// Number of the article in another system, resolved by a matching; instead of the article number, or
    /// with it.
    #[schema(max_length = 255)]
    pub external_article_number: Option<String>,
    #[serde(default)]
    #[schema(value_type = Option<Money>)]
    pub price: CellChange<Money>,
    /// All quantity breaks of the price, in any order.
    #[serde(default)]
    #[schema(value_type = Option<Vec<TierInput>>, max_items = 50)]
    pub bulk_prices: CellChange<Vec<TierInput>>,
}

/// Converts list prices into the rows of a file.
pub fn table(items: &[PriceListItem]) -> Table {
    let tiers = items.iter().map(|item| columns_for(&item.bulk_prices)).max().unwrap_or_default();
    let columns = [
        Column::new(ARTICLE.de, directory::ARTICLE.name).or(directory::EXTERNAL_ARTICLE),
        Column::new(EXTERNAL_ARTICLE.de, directory::EXTERNAL_ARTICLE),
    ];
    let side = side_columns(EXTERNAL_SIDE, ["price", "bulk_prices"], tiers);
    Table::new(columns.into_iter().chain(side).collect(), items, |item| {
        let article = [item.article_number.to_cell(), item.external_article_number.to_cell()];
        article.into_iter().chain(side_cells(&item.price, &item.bulk_prices, tiers)).collect()
    })
}
