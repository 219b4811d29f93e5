//! Tables written as CSV, XLSX or JSON, row by row, so that their length does not matter. They are read back
//! unchanged: no spreadsheet program runs a text as a formula, and no number is ambiguous.

use std::{
    borrow::Cow,
    io::{Seek, Write},
};

use chrono::NaiveDateTime;
use rust_xlsxwriter::{ExcelDateTime, Format as Style, Workbook, Worksheet, XlsxError};
use values::{Decimal, Error, Result};

use super::{Cell, Dialect, Encoding, Format, csv, json};
use crate::codes;

/// Maximum number of rows of a worksheet.
const MAX_ROWS: u32 = 1_048_576;
/// Number of digits that spreadsheet programs preserve; longer numbers are written as text.
const MAX_DIGITS: usize = 15;

impl Dialect {
    /// Dialect that German spreadsheet programs open by double click.
    pub const GERMAN: Self =
        Self { encoding: Encoding::Utf8WithMark, delimiter: ';', has_instruction: false };
}

/// Content of a cell that is written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CellContent {
    Text(String),
    /// Number with a decimal point and without grouping or exponent.
    Number(String),
    /// Time in the reader's time zone.
    Time(NaiveDateTime),
    /// Raw JSON.
    Value(String),
}

impl Default for CellContent {
    fn default() -> Self {
        Self::Text(String::new())
    }
}

impl From<&str> for CellContent {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<Decimal> for CellContent {
    fn from(number: Decimal) -> Self {
        let text = number.to_string();
        let digits = text.bytes().filter(u8::is_ascii_digit).count();
        if digits > MAX_DIGITS { Self::Text(with_comma(&text)) } else { Self::Number(text) }
    }
}

impl From<Cell> for CellContent {
    fn from(cell: Cell) -> Self {
        match cell {
            Cell::Text(text) => Self::Text(text),
            Cell::Number { number } => Self::Number(number),
            Cell::Value { json } => Self::Value(json),
        }
    }
}

impl From<i64> for CellContent {
    fn from(number: i64) -> Self {
        Self::Number(number.to_string())
    }
}

impl From<u64> for CellContent {
    fn from(number: u64) -> Self {
        Self::Number(number.to_string())
    }
}

/// Joins several texts in one cell.
impl<'t> FromIterator<&'t str> for CellContent {
    fn from_iter<I: IntoIterator<Item = &'t str>>(texts: I) -> Self {
        Self::Text(texts.into_iter().collect::<Vec<_>>().join(", "))
    }
}

impl<E: Into<Self>> From<Option<E>> for CellContent {
    fn from(entry: Option<E>) -> Self {
        entry.map_or_else(Self::default, Into::into)
    }
}

/// Writer of a table.
pub struct TableWriter<W> {
    target: W,
    writer: Writer,
}

enum Writer {
    Csv(csv::Writer),
    Xlsx(Box<XlsxWriter>),
    Json(json::Writer),
}

impl<W: Write + Seek + Send> TableWriter<W> {
    /// Begins with a header, which stays visible while scrolling.
    pub fn new(target: W, format: Format, header: &[CellContent]) -> Result<Self> {
        let writer = match format {
            Format::Csv(dialect) => Writer::Csv(csv::Writer::new(dialect)),
            Format::Xlsx => Writer::Xlsx(Box::new(XlsxWriter::new(header)?)),
            Format::Json => Writer::Json(json::Writer::default()),
        };
        let mut table = Self { target, writer };
        table.add(header)?;
        Ok(table)
    }

    /// Writes a row.
    pub fn add(&mut self, row: &[CellContent]) -> Result<()> {
        match &mut self.writer {
            Writer::Csv(writer) => {
                let texts: Vec<_> = row.iter().map(text_of).collect();
                writer.write(texts.iter().map(AsRef::as_ref));
                self.target.write_all(&writer.take()).map_err(Error::internal)
            }
            Writer::Xlsx(writer) => writer.add(row),
            Writer::Json(writer) => {
                self.target.write_all(writer.add(row).as_bytes()).map_err(Error::internal)
            }
        }
    }

    /// Finishes the file and returns the target.
    pub fn finish(mut self) -> Result<W> {
        match self.writer {
            Writer::Csv(_) => {}
            Writer::Xlsx(mut writer) => {
                writer.workbook.save_to_writer(&mut self.target).map_err(Error::internal)?;
            }
            Writer::Json(writer) => {
                self.target.write_all(writer.finish().as_bytes()).map_err(Error::internal)?;
            }
        }
        Ok(self.target)
    }
}

/// Writes a whole table whose rows arrive in chunks.
pub fn write<W: Write + Seek + Send>(
    target: W,
    format: Format,
    header: &[CellContent],
    chunks: &mut dyn Iterator<Item = Vec<Vec<CellContent>>>,
) -> Result<W> {
    let mut table = TableWriter::new(target, format, header)?;
    for row in chunks.flatten() {
        table.add(&row)?;
    }
    table.finish()
}

/// Text of a cell in the notation of German spreadsheet programs.
fn text_of(entry: &CellContent) -> Cow<'_, str> {
    match entry {
        CellContent::Text(text) | CellContent::Value(text) => harmless(text),
        CellContent::Number(number) => Cow::Owned(with_comma(number)),
        CellContent::Time(time) => Cow::Owned(time.format("%d.%m.%Y %H:%M").to_string()),
    }
}

/// Formats a number with a decimal comma. Three places get a zero appended, since `1,234` could also be a
/// thousand.
pub fn with_comma(number: &str) -> String {
    match number.split_once('.') {
        Some((whole, fraction)) if fraction.len() == 3 => format!("{whole},{fraction}0"),
        Some((whole, fraction)) => format!("{whole},{fraction}"),
        None => number.to_owned(),
    }
}

/// Workbook with one sheet that is spooled to a temporary file as it grows.
struct XlsxWriter {
    workbook: Workbook,
    rows: u32,
    time: Style,
}

impl XlsxWriter {
    fn new(header: &[CellContent]) -> Result<Self> {
        let mut workbook = Workbook::new();
        let sheet = workbook.add_worksheet_with_constant_memory();
        sheet.and_then(|sheet| prepare(sheet, header)).map_err(Error::internal)?;
        Ok(Self { workbook, rows: 0, time: Style::new().set_num_format("dd.mm.yyyy hh:mm") })
    }

    fn add(&mut self, row: &[CellContent]) -> Result<()> {
        let number = self.rows;
        if number == MAX_ROWS {
            return Err(codes::WORKBOOK_FULL.with("max", MAX_ROWS - 1).into());
        }
        self.rows += 1;
        let sheet = self.workbook.worksheet_from_index(0).map_err(Error::internal)?;
        for (column, entry) in (0..).zip(row) {
            write_entry(sheet, number, column, entry, &self.time).map_err(Error::internal)?;
        }
        Ok(())
    }
}

fn prepare(sheet: &mut Worksheet, header: &[CellContent]) -> Result<(), XlsxError> {
    sheet.set_freeze_panes(1, 0)?;
    for (column, entry) in (0..).zip(header) {
        let width = u32::try_from(text_of(entry).chars().count()).unwrap_or_default();
        sheet.set_column_width(column, f64::from(width.clamp(12, 40) + 2))?;
    }
    Ok(())
}

fn write_entry(
    sheet: &mut Worksheet,
    row: u32,
    column: u16,
    entry: &CellContent,
    time: &Style,
) -> Result<(), XlsxError> {
    match entry {
        CellContent::Number(number) => match number.parse::<f64>() {
            Ok(number) => sheet.write_number(row, column, number)?,
            Err(_) => sheet.write_string(row, column, number)?,
        },
        CellContent::Time(at) => {
            match ExcelDateTime::parse_from_str(&at.format("%Y-%m-%dT%H:%M:%S").to_string()) {
                Ok(at) => sheet.write_datetime_with_format(row, column, &at, time)?,
                // spreadsheets support only the years 1900 to 9999
                Err(_) => sheet.write_string(row, column, at.to_string())?,
            }
        }
        CellContent::Text(text) if text.is_empty() => return Ok(()),
        CellContent::Text(text) | CellContent::Value(text) => {
            let text = harmless(text);
            // A row with a longer cell has been refused anyway, with a reason.
            let end = text.char_indices().nth(super::MAX_CELL).map_or(text.len(), |(end, _)| end);
            sheet.write_string(row, column, text.get(..end).unwrap_or_default())?
        }
    };
    Ok(())
}

/// Prefixes an apostrophe to a text that a spreadsheet program would run as a formula, and to one that looks
/// as if it had been prefixed.
fn harmless(text: &str) -> Cow<'_, str> {
    if is_active(text) && !is_number(text) { Cow::Owned(format!("'{text}")) } else { Cow::Borrowed(text) }
}

/// Removes the apostrophe that [`harmless`] has prefixed.
pub(super) fn restore(cell: &mut Cell) {
    if let Cell::Text(text) = cell
        && text.starts_with('\'')
        && is_active(text)
    {
        text.remove(0);
    }
}

/// True if the text, after any apostrophes, begins like a formula.
fn is_active(text: &str) -> bool {
    text.trim_start_matches('\'').starts_with(['=', '+', '-', '@', '\t', '\r'])
}

fn is_number(text: &str) -> bool {
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    digits.starts_with(|c: char| c.is_ascii_digit())
        && digits.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b'.' | b','))
}
