//! Several rows of one thing, as batches of one article, taken together as one row.

use std::collections::{HashMap, HashSet};

use kernel::{Decimal, Result};

use super::{
    Cell, Row, Rows,
    number::{self, Style},
};

/// The columns by which rows are summed up.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SumColumns {
    /// Rows belong together that have the same texts here.
    pub same: Vec<usize>,
    pub quantity: usize,
}

/// Sums of rows that belong together; the first of them stands for all.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Sums {
    totals: HashMap<u32, Cell>,
    left_out: HashSet<u32>,
}

/// The first row of its kind.
struct First {
    line: u32,
    total: Decimal,
}

impl Sums {
    /// Reads all rows. A row whose quantity cannot be read stays as it is.
    pub fn collect(rows: &mut Rows<'_>, columns: &SumColumns, style: Style) -> Result<Self> {
        let mut sums = Self::default();
        let mut first: HashMap<Vec<String>, First> = HashMap::new();
        for row in rows {
            let row = row?;
            let Some(cell) = row.cells.get(columns.quantity).filter(|_| row.faults.is_empty()) else {
                continue;
            };
            let Ok(reading) = number::parse_quantity(cell, style, None) else { continue };
            let text = |index: &usize| {
                kernel::fold(row.cells.get(*index).map(Cell::as_str).unwrap_or_default().trim())
            };
            let mut same: Vec<String> = columns.same.iter().map(text).collect();
            same.extend(reading.unit.map(|unit| unit.as_str().to_owned()));
            match first.get_mut(&same) {
                None => {
                    first.insert(same, First { line: row.line, total: reading.amount.value });
                }
                Some(First { line, total }) => {
                    let millionths = total.millionths().checked_add(reading.amount.value.millionths());
                    // what is too large stays a row of its own, and is refused as such
                    let Some(sum) = millionths.map(Decimal::from_millionths).filter(|sum| sum.fits(12, 6))
                    else {
                        continue;
                    };
                    *total = sum;
                    let unit = reading.unit.map(|unit| format!(" {}", unit.as_str())).unwrap_or_default();
                    let total = total.to_string();
                    let total = if style == Style::Comma { total.replace('.', ",") } else { total };
                    sums.totals.insert(*line, Cell::Text(total + &unit));
                    sums.left_out.insert(row.line);
                }
            }
        }
        Ok(sums)
    }

    /// The number of rows that are left out.
    pub fn left_out(&self) -> u64 {
        self.left_out.len() as u64
    }

    /// The row with the sum, as it is, or left out.
    pub fn apply(&self, mut row: Row, columns: &SumColumns) -> Option<Row> {
        if self.left_out.contains(&row.line) {
            return None;
        }
        if let (Some(total), Some(cell)) = (self.totals.get(&row.line), row.cells.get_mut(columns.quantity)) {
            cell.clone_from(total);
        }
        Some(row)
    }
}
