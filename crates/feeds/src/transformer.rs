//! Transformers: read files of other formats row by row, as the tables that imports read.
//!
//! A transformer is an iterator over a reader. It has one record in memory at a time, so memory does not grow
//! with the file. Unreadable parts become a [`Problem`] with the line. [`convert`] writes the table as a file
//! for an import.

mod bmecat;
pub mod catalog;
mod datanorm;
mod decoded;

use std::{
    collections::VecDeque,
    fs::File,
    io::{self, BufRead, BufReader, BufWriter, Write},
    path::Path,
};

use imports::cells::literal;
use serde::{Deserialize, Serialize};
use store::run_blocking;
use utoipa::ToSchema;
use values::{Message, Result};

use crate::codes;

pub use self::{
    bmecat::{BMECAT_HEADINGS, BMECAT_STOCK_HEADINGS, BmecatReader},
    datanorm::{DATANORM_HEADINGS, DatanormReader},
};

/// Maximum number of problems of a file that are stored; the others are counted.
const PROBLEMS_MAX: usize = 100;

/// The column of an import that takes the article numbers of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NumberColumn {
    /// The file has our own numbers.
    Own,
    /// The file has the sender's numbers, which matchings resolve.
    External,
}

impl NumberColumn {
    /// Heading of the column in the table.
    pub const fn heading(self) -> &'static str {
        match self {
            Self::Own => heading::NUMBER,
            Self::External => heading::EXTERNAL_NUMBER,
        }
    }
}

/// German headings that imports recognise.
mod heading {
    pub(super) const NUMBER: &str = "Artikelnummer";
    pub(super) const EXTERNAL_NUMBER: &str = "Externe Artikelnummer";
    pub(super) const NAME: &str = "Bezeichnung";
    pub(super) const PRICE: &str = "Preis";
    pub(super) const PRICE_QUANTITY: &str = "Preismenge";
    pub(super) const PRICE_UNIT: &str = "Preiseinheit";
    pub(super) const INTERNAL_PRICE: &str = "Interner Preis";
    pub(super) const INTERNAL_PRICE_QUANTITY: &str = "Interne Preismenge";
    pub(super) const INTERNAL_PRICE_UNIT: &str = "Interne Preiseinheit";
    /// Columns of which an import of prices reads at least one.
    pub(super) const PRICES: [&str; 2] = [PRICE, INTERNAL_PRICE];
    pub(super) const CURRENCY: &str = "Währung";
    pub(super) const QUANTITY: &str = "Menge";
    pub(super) const UNIT: &str = "Einheit";
    pub(super) const LEAD_TIME: &str = "Lieferzeit";
    pub(super) const QUANTITIES_FROM: [&str; 5] =
        ["Staffel 1 ab", "Staffel 2 ab", "Staffel 3 ab", "Staffel 4 ab", "Staffel 5 ab"];
    pub(super) const BULK_PRICES: [&str; 5] =
        ["Staffelpreis 1", "Staffelpreis 2", "Staffelpreis 3", "Staffelpreis 4", "Staffelpreis 5"];
}

/// A row of the table: the cells that have a value, each with its heading.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TransformedRow {
    /// The line of the file at which its record ends.
    pub line: u64,
    pub cells: Vec<(&'static str, String)>,
}

/// A record that cannot be used, or the end of a file that cannot be read further.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    pub line: u64,
    pub message: Message,
    /// True if nothing after it can be read.
    pub is_fatal: bool,
    /// Row in place of an unusable record; the import refuses it, and so counts and reports the record.
    pub refused_cells: Vec<(&'static str, String)>,
}

impl Problem {
    fn fatal(line: u64, message: impl Into<Message>) -> Self {
        Self { line, message: message.into(), is_fatal: true, refused_cells: Vec::new() }
    }

    /// Something that is left out of a record that is used.
    fn note(line: u64, message: Message) -> Self {
        Self { line, message, is_fatal: false, refused_cells: Vec::new() }
    }

    /// Unusable value of a record. `columns` of the table take only numbers; a profile may leave out all but
    /// one of them.
    fn record(
        line: u64,
        number_column: NumberColumn,
        number: &str,
        columns: &[&'static str],
        field: &str,
        value: &str,
    ) -> Self {
        let message = codes::TRANSFORMER_VALUE.with("line", line).with("field", field).with("value", value);
        // neither a number nor a statement that there is no price, as `Preis: auf Anfrage` would be
        let text = format!("Zeile {line}, {field}: {value}");
        let value_cells = columns.iter().map(|column| (*column, text.clone()));
        let number_cell = (number_column.heading(), number.to_owned());
        let refused_cells = std::iter::once(number_cell).chain(value_cells).collect();
        Self { line, message, is_fatal: false, refused_cells }
    }
}

/// Rows that a reader has found but not yet returned.
#[derive(Debug, Default)]
struct RowQueue {
    rows: VecDeque<Result<TransformedRow, Problem>>,
    is_over: bool,
}

/// A reader that finds rows step by step.
trait StepReader {
    fn queue(&mut self) -> &mut RowQueue;

    /// Reads the next part of the file; false at its end.
    fn step(&mut self) -> Result<bool, Problem>;

    /// Returns the next row. A step that fails is the last one.
    fn next_row(&mut self) -> Option<Result<TransformedRow, Problem>> {
        loop {
            if let Some(row) = self.queue().rows.pop_front() {
                return Some(row);
            }
            if self.queue().is_over {
                return None;
            }
            let step = self.step();
            self.queue().is_over = !matches!(step, Ok(true));
            if let Err(problem) = step {
                return Some(Err(problem));
            }
        }
    }
}

/// Result of converting a file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TransformReport {
    /// The number of records with a usable row.
    pub rows: u64,
    /// The number of problems; `problems` has the first ones.
    pub problem_count: u64,
    pub problems: Vec<Problem>,
}

/// Format of files that are not tables.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum PriceFormat {
    /// DATANORM 4 or 5; the header of the file names the version.
    Datanorm,
    /// BMEcat 1.2 and 2005.
    Bmecat,
}

/// The way in which a file becomes a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Conversion {
    Prices(PriceFormat),
    /// The stocks of a BMEcat file, from an element of the sender.
    BmecatStocks {
        quantity_element: String,
    },
}

impl From<PriceFormat> for Conversion {
    fn from(format: PriceFormat) -> Self {
        Self::Prices(format)
    }
}

/// Writes a file as a CSV file for an import. Its articles have the sender's numbers.
///
/// # Errors
/// A file of another format, or one that cannot be read to its end: nothing of it may be imported.
pub fn convert(conversion: &Conversion, reader: impl BufRead, writer: impl Write) -> Result<TransformReport> {
    const NUMBER: NumberColumn = NumberColumn::External;
    let headings = |all: &[&'static str]| -> Vec<_> {
        all.iter().copied().filter(|name| *name != NumberColumn::Own.heading()).collect()
    };
    let unreadable = |problem: Problem| problem.message;
    let report = match conversion {
        Conversion::Prices(PriceFormat::Datanorm) => {
            let rows = DatanormReader::new(reader, NUMBER).map_err(unreadable)?;
            write_csv(&headings(&DATANORM_HEADINGS), rows, writer)?
        }
        Conversion::Prices(PriceFormat::Bmecat) => {
            let rows = BmecatReader::new(reader, NUMBER, None).map_err(unreadable)?;
            write_csv(&headings(&BMECAT_HEADINGS), rows, writer)?
        }
        Conversion::BmecatStocks { quantity_element } => {
            let rows = BmecatReader::new(reader, NUMBER, Some(quantity_element)).map_err(unreadable)?;
            write_csv(&headings(&BMECAT_STOCK_HEADINGS), rows, writer)?
        }
    };
    match report.problems.iter().find(|problem| problem.is_fatal) {
        Some(problem) => Err(problem.message.clone().into()),
        None => Ok(report),
    }
}

/// Converts a file into `to`, an existing empty file, in a blocking task.
///
/// # Errors
/// Same as for [`convert`], and files that cannot be read or written.
pub async fn convert_file(conversion: Conversion, from: &Path, to: &Path) -> Result<TransformReport> {
    let (from, to) = (from.to_owned(), to.to_owned());
    run_blocking(move || {
        // not created: a caller that has given up has removed it
        let to = File::options().write(true).open(to)?;
        convert(&conversion, BufReader::new(File::open(from)?), BufWriter::new(to))
    })
    .await?
}

/// Writes a table as CSV: semicolons, quoted cells, UTF-8 with a byte order mark. Texts that a cell would
/// give another meaning are marked as literal.
pub fn write_csv(
    headings: &[&'static str],
    rows: impl Iterator<Item = Result<TransformedRow, Problem>>,
    mut writer: impl Write,
) -> io::Result<TransformReport> {
    let mut report = TransformReport::default();
    writer.write_all("\u{feff}".as_bytes())?;
    write_line(&mut writer, headings.iter().copied())?;
    for row in rows {
        match row {
            Ok(row) => {
                write_line(&mut writer, cells_by_heading(headings, &row.cells))?;
                report.rows += 1;
            }
            Err(problem) => {
                if !problem.refused_cells.is_empty() {
                    write_line(&mut writer, cells_by_heading(headings, &problem.refused_cells))?;
                }
                report.problem_count += 1;
                if report.problems.len() < PROBLEMS_MAX || problem.is_fatal {
                    report.problems.push(problem);
                }
            }
        }
    }
    writer.flush()?;
    Ok(report)
}

/// Cells in the order of the headings, empty where there is none.
fn cells_by_heading<'a>(
    headings: &[&'static str],
    cells: &'a [(&'static str, String)],
) -> impl Iterator<Item = &'a str> {
    headings
        .iter()
        .map(|heading| cells.iter().find(|(own, _)| own == heading).map_or("", |(_, cell)| cell.as_str()))
}

fn write_line<'a>(writer: &mut impl Write, cells: impl Iterator<Item = &'a str>) -> io::Result<()> {
    for (index, cell) in cells.enumerate() {
        let separator = if index == 0 { "" } else { ";" };
        write!(writer, "{separator}\"{}\"", literal(cell).replace('"', "\"\""))?;
    }
    writer.write_all(b"\r\n")
}

#[cfg(test)]
mod tests;
