//! Summing of several rows that mean the same, such as batches of one article, into one row.

use std::collections::{HashMap, HashSet};

use values::{Decimal, Result};

use super::{
    Cell, Row, Rows,
    number::{self, Style},
};

/// Columns for summing rows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SumColumns {
    /// Columns whose texts must be the same in all rows of a sum.
    pub same: Vec<usize>,
    pub quantity: usize,
}

/// Sums of rows; the first row of each sum stands for all.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Sums {
    totals: HashMap<u32, Cell>,
    left_out: HashSet<u32>,
}

/// First row of a sum.
struct First {
    line: u32,
    total: Decimal,
}

impl Sums {
    /// Reads all rows. A row whose quantity cannot be read is not summed.
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
                values::fold(row.cells.get(*index).map(Cell::as_str).unwrap_or_default().trim())
            };
            let mut same: Vec<String> = columns.same.iter().map(text).collect();
            same.extend(reading.unit.map(|unit| unit.as_str().to_owned()));
            match first.get_mut(&same) {
                None => {
                    first.insert(same, First { line: row.line, total: reading.amount.value });
                }
                Some(First { line, total }) => {
                    let millionths = total.millionths().checked_add(reading.amount.value.millionths());
                    // a quantity that would make the sum too large stays in a row of its own, which is
                    // refused
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

    /// Number of rows that are left out.
    pub fn left_out(&self) -> u64 {
        self.left_out.len() as u64
    }

    /// Returns the row with its sum, the unchanged row, or `None` if the row is left out.
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
