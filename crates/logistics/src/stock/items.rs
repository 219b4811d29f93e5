//! Stocks as items of an API call, named by the numbers that people and other systems use; the rules are
//! those of files.

use imports::{
    apply::direct::{Column, Table, ToCell},
    cells::CellChange,
};
use serde::Deserialize;
use sheets::Cell;
use utoipa::ToSchema;
use values::{Decimal, Minutes, Unit};

use super::Availability;
use crate::{
    matching::directory,
    stock::place_columns::{ARTICLE, EXTERNAL_ARTICLE, EXTERNAL_WAREHOUSE, HEIGHT, LENGTH, WAREHOUSE, WIDTH},
    stock::quantity_columns::{AVAILABILITY, LEAD_TIME, QUANTITY, QUANTITY_UNIT},
};

/// Quantity of an article in a warehouse. Members that are left out stay unchanged; `null` clears them.
#[derive(Debug, Clone, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({
    "article_number": "HEB-200-S235JR-12.1",
    "warehouse_short_code": "DU",
    "quantity": "3",
    "quantity_unit": "piece"
}))]
pub struct StockItem {
    /// Article number, ignoring case.
    #[schema(max_length = 255, example = "HEB-200-S235JR-12.1")]
    pub article_number: Option<String>,
    /// Number of the article in another system, resolved by a matching; instead of the article number, or
    /// together with it.
    #[schema(max_length = 255)]
    pub external_article_number: Option<String>,
    /// Short code of the warehouse, ignoring case.
    #[schema(max_length = 255, example = "DU")]
    pub warehouse_short_code: Option<String>,
    /// Identifier of the warehouse in another system; instead of the short code, or together with it.
    #[schema(max_length = 255)]
    pub external_warehouse_identifier: Option<String>,
    /// Length of a remnant in millimetres; that of the article if absent.
    pub length: Option<Decimal>,
    /// Width of a remnant of a sheet in millimetres.
    pub width: Option<Decimal>,
    /// Height in millimetres, of goods that are cut in their height.
    pub height: Option<Decimal>,
    /// Kind of availability; unchanged if absent. For a new stock, and together with a quantity, the default
    /// is `quantity`.
    #[serde(default)]
    #[schema(value_type = Option<Availability>)]
    pub availability_type: CellChange<Availability>,
    /// Quantity, zero or above.
    #[serde(default)]
    #[schema(value_type = Option<Decimal>, example = "36.3")]
    pub quantity: CellChange<Decimal>,
    /// Unit of the quantity, any that the article is counted in; the article's base unit if absent.
    #[serde(default)]
    #[schema(value_type = Option<Unit>, example = "m")]
    pub quantity_unit: CellChange<Unit>,
    /// Lead time in whole minutes.
    #[serde(default)]
    #[schema(value_type = Option<Minutes>)]
    pub lead_time: CellChange<i64>,
}

/// Converts stocks to rows of an import.
pub fn table(items: &[StockItem]) -> Table {
    let quantity = [
        Column::new(AVAILABILITY.de, "availability_type"),
        Column::new(QUANTITY.de, "quantity"),
        Column::new(QUANTITY_UNIT.de, "quantity_unit"),
        Column::new(format!("{} [min]", LEAD_TIME.de), "lead_time"),
    ];
    let columns = place_columns().into_iter().chain(quantity).collect();
    Table::new(columns, items, |item| {
        let place = PlaceOfItem {
            article: &item.article_number,
            external_article: &item.external_article_number,
            warehouse: &item.warehouse_short_code,
            external_warehouse: &item.external_warehouse_identifier,
            sides: [item.length, item.width, item.height],
        };
        let quantity = [
            item.availability_type.to_cell(),
            item.quantity.to_cell(),
            item.quantity_unit.to_cell(),
            item.lead_time.to_cell(),
        ];
        place.cells().into_iter().chain(quantity).collect()
    })
}

/// Members by which an item names a stock.
#[derive(Debug, Clone, Copy)]
pub struct PlaceOfItem<'i> {
    pub article: &'i Option<String>,
    pub external_article: &'i Option<String>,
    pub warehouse: &'i Option<String>,
    pub external_warehouse: &'i Option<String>,
    pub sides: [Option<Decimal>; 3],
}

/// Columns of [`PlaceOfItem::cells`].
pub fn place_columns() -> Vec<Column> {
    vec![
        Column::new(ARTICLE.de, directory::ARTICLE.name).or(directory::EXTERNAL_ARTICLE),
        Column::new(EXTERNAL_ARTICLE.de, directory::EXTERNAL_ARTICLE),
        Column::new(WAREHOUSE.de, directory::WAREHOUSE.name).or(directory::EXTERNAL_WAREHOUSE),
        Column::new(EXTERNAL_WAREHOUSE.de, directory::EXTERNAL_WAREHOUSE),
        Column::new(LENGTH.de, "length"),
        Column::new(WIDTH.de, "width"),
        Column::new(HEIGHT.de, "height"),
    ]
}

impl PlaceOfItem<'_> {
    /// Cells that name the stock, in the order of [`place_columns`].
    pub fn cells(self) -> Vec<Cell> {
        let names = [self.article, self.external_article, self.warehouse, self.external_warehouse];
        names.into_iter().map(ToCell::to_cell).chain(self.sides.iter().map(ToCell::to_cell)).collect()
    }
}

impl ToCell for Availability {
    fn to_cell(&self) -> Cell {
        Cell::Text(self.as_str().to_owned())
    }
}
