//! Prices as items of an API call: stocks are named by the numbers of people and other systems, and the rules
//! and the guard are those of files.

use imports::{
    apply::direct::{Column, Table, ToCell},
    cells::CellChange,
};
use logistics::stock::items::{PlaceOfItem, place_columns};
use serde::Deserialize;
use sheets::{Cell, header::Heading};
use utoipa::ToSchema;
use values::{Decimal, Money};

use crate::{
    listing::import::{EXTERNAL_SIDE, INTERNAL_SIDE},
    price_side::{TierInput, tier_columns::tier_headings},
};

/// Prices of a stock. Omitted prices stay unchanged; `null` removes a price.
#[derive(Debug, Clone, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({
    "article_number": "HEB-200-S235JR-12.1",
    "warehouse_short_code": "DU",
    "external_price": { "price": "85.00", "price_quantity": "100", "unit": "kg" }
}))]
pub struct PriceItem {
    /// Article number, in any case.
    #[schema(max_length = 255, example = "HEB-200-S235JR-12.1")]
    pub article_number: Option<String>,
    /// Number of the article in another system, resolved by a matching; instead of the article number, or
    /// with it.
    #[schema(max_length = 255)]
    pub external_article_number: Option<String>,
    /// Short code of the warehouse, in any case.
    #[schema(max_length = 255, example = "DU")]
    pub warehouse_short_code: Option<String>,
    /// Identifier of the warehouse in another system; instead of the short code, or with it.
    #[schema(max_length = 255)]
    pub external_warehouse_identifier: Option<String>,
    /// Length of a remnant in millimetres; by default that of the article.
    pub length: Option<Decimal>,
    /// Width of a remnant of a sheet, in millimetres.
    pub width: Option<Decimal>,
    /// Height in millimetres, for goods cut in height.
    pub height: Option<Decimal>,
    /// Cost of the goods to their owner; no other tenant sees it.
    #[serde(default)]
    #[schema(value_type = Option<Money>)]
    pub internal_price: CellChange<Money>,
    /// Price for customers.
    #[serde(default)]
    #[schema(value_type = Option<Money>)]
    pub external_price: CellChange<Money>,
    /// All quantity breaks of the internal price, in any order.
    #[serde(default)]
    #[schema(value_type = Option<Vec<TierInput>>, max_items = 50)]
    pub internal_bulk_prices: CellChange<Vec<TierInput>>,
    /// All quantity breaks of the external price, in any order.
    #[serde(default)]
    #[schema(value_type = Option<Vec<TierInput>>, max_items = 50)]
    pub external_bulk_prices: CellChange<Vec<TierInput>>,
}

/// Converts prices into the rows of a file.
pub fn table(items: &[PriceItem]) -> Table {
    let most = |tiers: fn(&PriceItem) -> &CellChange<Vec<TierInput>>| {
        items.iter().map(|item| columns_for(tiers(item))).max().unwrap_or_default()
    };
    let internal = most(|item| &item.internal_bulk_prices);
    let external = most(|item| &item.external_bulk_prices);
    let sides = side_columns(INTERNAL_SIDE, ["internal_price", "internal_bulk_prices"], internal)
        .chain(side_columns(EXTERNAL_SIDE, ["external_price", "external_bulk_prices"], external));
    let columns = place_columns().into_iter().chain(sides).collect();
    Table::new(columns, items, |item| {
        let place = PlaceOfItem {
            article: &item.article_number,
            external_article: &item.external_article_number,
            warehouse: &item.warehouse_short_code,
            external_warehouse: &item.external_warehouse_identifier,
            sides: [item.length, item.width, item.height],
        };
        let internal = side_cells(&item.internal_price, &item.internal_bulk_prices, internal);
        let external = side_cells(&item.external_price, &item.external_bulk_prices, external);
        place.cells().into_iter().chain(internal).chain(external).collect()
    })
}

/// Returns the number of columns for quantity breaks; removing them all needs one.
pub(crate) fn columns_for(tiers: &CellChange<Vec<TierInput>>) -> usize {
    match tiers {
        CellChange::Keep => 0,
        CellChange::Clear => 1,
        CellChange::Set(tiers) => tiers.len().max(1),
    }
}

pub(crate) fn side_columns(
    headings: [&'static Heading; 3],
    [price, bulk]: [&'static str; 2],
    tiers: usize,
) -> impl Iterator<Item = Column> {
    let of_price = ["price", "price_quantity", "unit"].map(|field| format!("{price}.{field}"));
    let of_price = headings.into_iter().zip(of_price).map(|(heading, field)| Column::new(heading.de, field));
    let is_internal = price.starts_with("internal");
    let of_tier = move |index: usize| {
        let fields = ["quantity_from", "quantity_unit", "price", "price_quantity", "unit"];
        let headings = tier_headings(is_internal, index + 1).into_iter();
        headings
            .zip(fields)
            .map(move |(heading, field)| Column::new(heading, format!("{bulk}.{index}.{field}")))
    };
    of_price.chain((0..tiers).flat_map(of_tier))
}

pub(crate) fn side_cells(
    price: &CellChange<Money>,
    bulk: &CellChange<Vec<TierInput>>,
    tiers: usize,
) -> Vec<Cell> {
    let mut cells: Vec<Cell> = match price {
        CellChange::Keep => vec![Cell::default(); 3],
        CellChange::Clear => vec![CellChange::<Decimal>::Clear.to_cell(), Cell::default(), Cell::default()],
        CellChange::Set(Money { price, price_quantity, unit }) => {
            vec![price.to_cell(), price_quantity.to_cell(), unit.to_cell()]
        }
    };
    let end = cells.len() + tiers * 5;
    match bulk {
        CellChange::Set(bulk) if !bulk.is_empty() => cells.extend(bulk.iter().flat_map(tier_cells)),
        CellChange::Keep => {}
        CellChange::Set(_) | CellChange::Clear => cells.push(CellChange::<Decimal>::Clear.to_cell()),
    }
    cells.resize(end, Cell::default());
    cells
}

fn tier_cells(tier: &TierInput) -> [Cell; 5] {
    [
        tier.quantity_from.to_cell(),
        tier.quantity_unit.to_cell(),
        tier.price.to_cell(),
        tier.price_quantity.to_cell(),
        tier.unit.to_cell(),
    ]
}
