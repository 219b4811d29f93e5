//! Uploaded files: CSV and XLSX, opened by what they contain and not by what they are called.
//!
//! Rows stream: no file, however it is made, takes more memory than a few rows and the strings that cells share.

mod archive;
mod csv;
mod encoding;
pub mod error_file;
pub mod header;
mod lines;
pub mod number;
pub mod table;
mod workbook;
mod xlsx;
mod xml;

use std::{
    fs::File,
    io::{Read, Seek},
    path::Path,
};

use kernel::{Code, Error, Message, Result};
use serde::{Deserialize, Serialize};

pub use self::{csv::Dialect, encoding::Encoding};

/// The largest files that are read.
pub const MAX_CSV_BYTES: u64 = 50 << 20;
pub const MAX_XLSX_BYTES: u64 = 20 << 20;
/// The longest cell of a spreadsheet program, in characters.
pub const MAX_CELL: usize = 32_767;
pub const MAX_COLUMNS: usize = 200;
pub const MAX_ROWS: u64 = 1_000_000;
/// The longest row, in bytes.
const ROW_BYTES: usize = 1 << 20;

/// How a file is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    Csv(Dialect),
    Xlsx,
}

/// A cell of a row.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Cell {
    Text(String),
    /// A typed number of a spreadsheet, with a decimal point and neither grouping nor exponent.
    Number {
        number: String,
    },
}

/// A row that holds anything. It has as many cells as the header; more only if that is one of its faults.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    /// Where it starts in the file, as a spreadsheet or text editor counts, from 1.
    pub line: u32,
    pub cells: Vec<Cell>,
    /// What is wrong with the row as such, whatever it means. A row with faults is not applied.
    pub faults: Vec<Fault>,
}

/// One thing that is wrong with a row.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fault {
    /// The index of the cell; `None` when the row as a whole is meant.
    pub column: Option<usize>,
    pub message: Message,
}

/// An opened file.
pub struct Sheet {
    format: Format,
    header: Vec<Cell>,
    source: Source,
}

enum Source {
    Csv(File, Dialect),
    Xlsx(Box<workbook::Workbook>),
}

/// The rows below the header. After an error there is nothing more.
pub struct Rows<'s> {
    records: Records<'s>,
    width: usize,
    count: u64,
    ended: bool,
}

enum Records<'s> {
    Csv(csv::Records<&'s mut File>),
    Xlsx(xlsx::Records<'s>),
}

/// Cells as they stand in the file, before any rule.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Record {
    line: u32,
    cells: Vec<Cell>,
    faults: Vec<Fault>,
}

/// Opens a file and reads its header: the first row that holds anything.
pub fn open(path: &Path) -> Result<Sheet> {
    let mut file = File::open(path).map_err(Error::internal)?;
    let (format, source) = match kind(&mut file)? {
        Kind::Xlsx => {
            at_most(&file, MAX_XLSX_BYTES)?;
            (Format::Xlsx, Source::Xlsx(Box::new(workbook::Workbook::open(file)?)))
        }
        Kind::Text => {
            at_most(&file, MAX_CSV_BYTES)?;
            let dialect = Dialect::detect(&mut file)?;
            (Format::Csv(dialect), Source::Csv(file, dialect))
        }
    };
    let mut sheet = Sheet { format, header: Vec::new(), source };
    let header = sheet.records()?.next_with_content()?.ok_or(Code::FileEmpty)?;
    sheet.header = header_cells(header)?;
    Ok(sheet)
}

impl Sheet {
    pub fn format(&self) -> Format {
        self.format
    }

    /// The cells of the header up to the last that is not empty.
    pub fn header(&self) -> &[Cell] {
        &self.header
    }

    /// The rows below the header, from the start each time.
    pub fn rows(&mut self) -> Result<Rows<'_>> {
        let width = self.header.len();
        let mut records = self.records()?;
        records.next_with_content()?;
        if let Records::Csv(records) = &mut records {
            records.expect_width(width);
        }
        Ok(Rows { records, width, count: 0, ended: false })
    }

    fn records(&mut self) -> Result<Records<'_>> {
        Ok(match &mut self.source {
            Source::Csv(file, dialect) => Records::Csv(csv::Records::open(file, *dialect)?),
            Source::Xlsx(workbook) => Records::Xlsx(xlsx::Records::open(workbook)?),
        })
    }
}

impl Records<'_> {
    fn next_with_content(&mut self) -> Result<Option<Record>> {
        loop {
            let record = match self {
                Self::Csv(records) => records.next()?,
                Self::Xlsx(records) => records.next()?,
            };
            if record.as_ref().is_none_or(|record| width(&record.cells) > 0) {
                return Ok(record);
            }
        }
    }
}

impl Rows<'_> {
    fn next_row(&mut self) -> Result<Option<Row>> {
        let Some(record) = self.records.next_with_content()? else { return Ok(None) };
        self.count += 1;
        if self.count > MAX_ROWS {
            return Err(Code::TooManyRows.with("max", MAX_ROWS).into());
        }
        // A spreadsheet does not store empty cells; a text file that lacks cells may have lost them.
        let may_be_short = matches!(self.records, Records::Xlsx(_));
        Ok(Some(row(record, self.width, may_be_short)))
    }
}

impl Iterator for Rows<'_> {
    type Item = Result<Row>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.ended {
            return None;
        }
        let row = self.next_row().transpose();
        self.ended = !matches!(row, Some(Ok(_)));
        row
    }
}

impl Cell {
    fn text(text: &str) -> Self {
        Self::Text(text.to_owned())
    }

    pub fn as_str(&self) -> &str {
        match self {
            Self::Text(text) => text,
            Self::Number { number } => number,
        }
    }
}

impl Default for Cell {
    fn default() -> Self {
        Self::Text(String::new())
    }
}

impl Fault {
    pub fn of_row(message: impl Into<Message>) -> Self {
        Self { column: None, message: message.into() }
    }

    pub fn of_cell(column: usize, message: impl Into<Message>) -> Self {
        Self { column: Some(column), message: message.into() }
    }
}

enum Kind {
    Text,
    Xlsx,
}

/// What the first bytes say. A text file has hardly any control characters; a picture or a program has many.
fn kind(file: &mut File) -> Result<Kind> {
    let mut start = Vec::new();
    file.by_ref().take(4096).read_to_end(&mut start).map_err(Error::internal)?;
    file.rewind().map_err(Error::internal)?;
    let marked = [b"\xFF\xFE", b"\xFE\xFF"].iter().any(|mark| start.starts_with(*mark));
    let is_control = |byte: &&u8| byte.is_ascii_control() && !matches!(byte, b'\t' | b'\n' | b'\r');
    let controls = start.iter().filter(is_control).count();
    if start.starts_with(b"PK") {
        Ok(Kind::Xlsx)
    } else if start.starts_with(b"%PDF") || (!marked && controls * 50 > start.len()) {
        Err(Code::FileUnreadable.into())
    } else {
        Ok(Kind::Text)
    }
}

fn at_most(file: &File, max: u64) -> Result<()> {
    let length = file.metadata().map_err(Error::internal)?.len();
    if length > max {
        return Err(Code::FileTooLarge.with("max", format!("{} MiB", max >> 20)).into());
    }
    Ok(())
}

fn header_cells(header: Record) -> Result<Vec<Cell>> {
    let mut cells = header.cells;
    cells.truncate(width(&cells));
    if cells.len() > MAX_COLUMNS {
        return Err(Code::TooManyColumns.with("max", MAX_COLUMNS).into());
    }
    Ok(cells)
}

/// The number of cells up to the last that is not empty.
fn width(cells: &[Cell]) -> usize {
    cells.iter().rposition(|cell| !cell.as_str().trim().is_empty()).map_or(0, |last| last + 1)
}

fn row(record: Record, expected: usize, may_be_short: bool) -> Row {
    let Record { line, mut cells, mut faults } = record;
    let found = width(&cells);
    if found > expected || (cells.len() < expected && !may_be_short) {
        let found = if found > expected { found } else { cells.len() };
        let count = Code::CellCount.with("found", found).with("expected", expected);
        if faults.is_empty() {
            faults.push(Fault::of_row(count));
        }
        cells.truncate(MAX_COLUMNS.max(expected));
    }
    cells.resize(expected.max(found.min(MAX_COLUMNS)), Cell::default());
    for (index, cell) in cells.iter_mut().enumerate() {
        faults.extend(unprintable(cell).map(|message| Fault::of_cell(index, message)));
        table::restore(cell);
    }
    Row { line, cells, faults }
}

/// Refuses what no database and no screen takes; a NUL does not even get into an error file.
fn unprintable(cell: &mut Cell) -> Option<Message> {
    let Cell::Text(text) = cell else { return None };
    if text.contains('\0') {
        *text = text.replace('\0', "\u{FFFD}");
    }
    let is_broken = |c: char| c == '\u{FFFD}' || (c.is_control() && !matches!(c, '\t' | '\n' | '\r'));
    if text.len() > MAX_CELL && text.chars().count() > MAX_CELL {
        Some(Code::CellTooLong.with("max", MAX_CELL))
    } else if text.contains(is_broken) {
        Some(Code::InvalidCharacters.into())
    } else {
        None
    }
}

#[cfg(test)]
mod tests;
