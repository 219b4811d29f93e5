//! Prices in the cells of imported rows.

use imports::cells::Line;
use sheets::{Cell, number};
use values::{
    Message,
    reader::{NoPrice, PriceReading, read_no_price},
};

pub(crate) trait PriceCells {
    /// Reads the price in a cell, with its unit if the cell has one. A number cell of a spreadsheet is
    /// rounded to `places`.
    fn price(self, cell: &Cell, places: usize) -> Result<PriceReading, Message>;

    /// Returns the kind of a cell without a price: a dash, or a price on request.
    fn no_price(self, index: Option<usize>) -> Option<NoPrice>;
}

impl PriceCells for Line<'_> {
    fn price(self, cell: &Cell, places: usize) -> Result<PriceReading, Message> {
        number::parse_price(cell, self.style, places)
    }

    fn no_price(self, index: Option<usize>) -> Option<NoPrice> {
        index.and_then(|index| read_no_price(self.text(index)))
    }
}
