//! Tables in files: CSV, XLSX, and JSON documents with lists. The format is recognised by the content, not by
//! the file name, and written files are read back unchanged. Independent of domains, column names and the
//! database.
//!
//! Rows are streamed: no file needs more memory than a few rows and the strings that cells share.

mod archive;
pub mod codes;
mod compound;
mod csv;
mod encoding;
pub mod error_file;
mod footnotes;
mod foreign;
pub mod header;
pub mod json;
mod kind;
mod lines;
pub mod number;
pub mod options;
pub mod summing;
pub mod table;
mod workbook;
mod xlsx;
mod xml;

use std::{fs::File, path::Path};

use serde::{Deserialize, Serialize};
pub use values::visible;
use values::{Code, Error, Message, Result, is_invisible, rule::TEXT_MAX};

pub use self::{csv::Dialect, encoding::Encoding, options::ReadOptions};
use self::{footnotes::Footnotes, kind::Kind};

/// Maximum sizes of files.
pub const MAX_CSV_BYTES: u64 = 50 << 20;
/// Maximum size of an XLSX file, in bytes.
pub const MAX_XLSX_BYTES: u64 = 20 << 20;
/// Maximum size of a JSON file, in bytes.
pub const MAX_JSON_BYTES: u64 = 50 << 20;
/// Maximum length of a cell in spreadsheet programs, in characters.
pub const MAX_CELL: usize = 32_767;
/// Maximum number of columns: enough for prices of two sides with 50 quantity breaks of five columns each.
pub const MAX_COLUMNS: usize = 550;
/// Maximum number of rows of a file.
pub const MAX_ROWS: u64 = 1_000_000;
/// Maximum length of a row, in bytes.
const ROW_BYTES: usize = 1 << 20;

/// Format of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    Csv(Dialect),
    Xlsx,
    Json,
}

/// Expected content of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Content {
    Table,
    /// JSON object with some of these lists.
    Document(&'static [&'static str]),
}

/// Cell of a row.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Cell {
    Text(String),
    /// Number of a spreadsheet, with a decimal point and without grouping or exponent.
    Number {
        number: String,
    },
    /// JSON value that is no text: `4711`, `true`, `["a"]`.
    Value {
        json: String,
    },
}

/// Row that is not empty. It has as many cells as the header; it has more only if that is one of its faults.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    /// Line in the file where the row starts, as a spreadsheet or text editor counts, from 1.
    pub line: u32,
    pub cells: Vec<Cell>,
    /// Faults of the row's form, independent of its meaning. A row with faults is not applied.
    pub faults: Vec<RowFault>,
}

/// Fault of a row.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RowFault {
    /// Index of the cell; `None` if the fault concerns the whole row.
    pub column: Option<usize>,
    pub message: Message,
}

/// Opened file.
pub struct Sheet {
    format: Format,
    notes: Vec<Message>,
    header: Vec<Cell>,
    header_line: u32,
    source: Source,
    /// True if the line of the headings was chosen.
    has_chosen_header: bool,
    skips_hidden: bool,
    /// Texts of constant columns after the last column of the file.
    constants: Vec<Cell>,
}

enum Source {
    Csv(File, Dialect),
    Xlsx(Box<workbook::Workbook>),
    Json(json::Document),
}

/// Rows below the header. The iterator ends after an error.
pub struct Rows<'s> {
    records: Records<'s>,
    format: Format,
    width: usize,
    count: u64,
    /// Number of hidden rows so far.
    hidden: u64,
    skips_hidden: bool,
    /// Number of sum rows that were left out.
    sums: u64,
    footnotes: Footnotes,
    constants: &'s [Cell],
    ended: bool,
}

enum Records<'s> {
    Csv(csv::Records<&'s mut File>),
    Xlsx(xlsx::Records<'s>),
    Json(json::Records<'s>),
}

/// Cells as they are in the file, before any rule.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Record {
    line: u32,
    /// True if the row is hidden in its spreadsheet, for example by a filter.
    hidden: bool,
    cells: Vec<Cell>,
    faults: Vec<RowFault>,
}

/// Opens a table and reads its header: the first row that is not empty.
pub fn open(path: &Path) -> Result<Sheet> {
    open_as(path, Content::Table)
}

/// Opens a file with this content. The header of a document consists of the place of an entry and the members
/// of all entries.
pub fn open_as(path: &Path, content: Content) -> Result<Sheet> {
    open_with(path, content, &ReadOptions::default())
}

/// Opens a file with chosen options.
pub fn open_with(path: &Path, content: Content, options: &ReadOptions) -> Result<Sheet> {
    let mut file = File::open(path).map_err(Error::internal)?;
    let kind = match (Kind::recognise(&mut file), content) {
        // "neither CSV nor XLSX" would be no help for a document
        (Err(error), Content::Document(lists)) if NO_DOCUMENT.contains(&error.code()) => {
            return Err(codes::DOCUMENT_EXPECTED.list("lists", lists).into());
        }
        (kind, _) => kind?,
    };
    let (format, notes, source) = match (kind, content) {
        (Kind::Json, Content::Document(lists)) => {
            at_most(&file, MAX_JSON_BYTES)?;
            let document = json::Document::open(file, lists)?;
            let header = document.header().into_iter().map(|cell| heading(&cell)).collect();
            return Ok(Sheet {
                header_line: 1,
                format: Format::Json,
                notes: Vec::new(),
                header,
                source: Source::Json(document),
                has_chosen_header: false,
                skips_hidden: false,
                constants: Vec::new(),
            });
        }
        (Kind::Json, Content::Table) => return Err(codes::TABLE_EXPECTED.into()),
        (_, Content::Document(lists)) => return Err(codes::DOCUMENT_EXPECTED.list("lists", lists).into()),
        (kind, Content::Table) => table(file, kind, options)?,
    };
    let mut sheet = Sheet {
        format,
        notes,
        header: Vec::new(),
        header_line: options.header_line.unwrap_or_default(),
        source,
        has_chosen_header: options.header_line.is_some(),
        skips_hidden: options.skips_hidden_rows,
        constants: options.constants.iter().map(|(_, text)| Cell::text(text)).collect(),
    };
    let Some(header) = sheet.records_from_header()?.1 else {
        return Err(match options.header_line {
            Some(line) if sheet.records()?.next_with_content()?.is_some() => {
                codes::HEADER_LINE_MISSING.with("line", line).into()
            }
            _ => codes::FILE_EMPTY.into(),
        });
    };
    sheet.header_line = header.line;
    sheet.header = header_cells(header)?;
    sheet.header.extend(options.constants.iter().map(|(name, _)| Cell::text(name)));
    Ok(sheet)
}

fn table(mut file: File, kind: Kind, options: &ReadOptions) -> Result<(Format, Vec<Message>, Source)> {
    match kind {
        Kind::Xlsx => {
            at_most(&file, MAX_XLSX_BYTES)?;
            let mut workbook = workbook::Workbook::open(file)?;
            let note = match &options.sheet {
                Some(name) => xlsx::choose_named(&mut workbook, name).map(|()| None)?,
                None => xlsx::choose_sheet(&mut workbook)?,
            };
            Ok((Format::Xlsx, Vec::from_iter(note), Source::Xlsx(Box::new(workbook))))
        }
        Kind::Text | Kind::Json => {
            at_most(&file, MAX_CSV_BYTES)?;
            let (dialect, broken) = Dialect::detect(&mut file, options)?;
            let notes = if options.encoding.is_some() { Vec::new() } else { notes(dialect.encoding, broken) };
            Ok((Format::Csv(dialect), notes, Source::Csv(file, dialect)))
        }
    }
}

impl Sheet {
    /// Format of the file.
    pub fn format(&self) -> Format {
        self.format
    }

    /// Notes on how the file was read, where that may be unexpected.
    pub fn notes(&self) -> &[Message] {
        &self.notes
    }

    /// Cells of the header up to the last that is not empty.
    pub fn header(&self) -> &[Cell] {
        &self.header
    }

    /// Line of the header in the file, from 1.
    pub fn header_line(&self) -> u32 {
        self.header_line
    }

    /// Returns the rows below the header, from the start each time.
    pub fn rows(&mut self) -> Result<Rows<'_>> {
        let width = self.header.len() - self.constants.len();
        let (format, skips_hidden) = (self.format, self.skips_hidden);
        let Self { source, constants, header_line, has_chosen_header, .. } = self;
        let (mut records, _) = from_header(source, *has_chosen_header, *header_line)?;
        if let Records::Csv(records) = &mut records {
            records.expect_width(width);
        }
        Ok(Rows {
            records,
            format,
            width,
            count: 0,
            hidden: 0,
            skips_hidden,
            sums: 0,
            footnotes: Footnotes::default(),
            constants,
            ended: false,
        })
    }

    /// Returns the records after the headings, and the headings.
    fn records_from_header(&mut self) -> Result<(Records<'_>, Option<Record>)> {
        from_header(&mut self.source, self.has_chosen_header, self.header_line)
    }

    fn records(&mut self) -> Result<Records<'_>> {
        all_records(&mut self.source)
    }
}

fn all_records(source: &mut Source) -> Result<Records<'_>> {
    Ok(match source {
        Source::Csv(file, dialect) => Records::Csv(csv::Records::open(file, *dialect)?),
        Source::Xlsx(workbook) => Records::Xlsx(xlsx::Records::open(workbook)?),
        Source::Json(document) => Records::Json(document.rows()?),
    })
}

/// Returns the records after the headings, and the headings: the chosen line, or else the first that is not
/// empty.
fn from_header(
    source: &mut Source,
    is_chosen: bool,
    header_line: u32,
) -> Result<(Records<'_>, Option<Record>)> {
    let mut records = all_records(source)?;
    loop {
        match records.next_with_content()? {
            Some(record) if is_chosen && record.line < header_line => {}
            header => return Ok((records, header)),
        }
    }
}

impl Records<'_> {
    fn next_with_content(&mut self) -> Result<Option<Record>> {
        loop {
            let record = match self {
                Self::Csv(records) => records.next()?,
                Self::Xlsx(records) => records.next()?,
                Self::Json(_) => return Ok(None),
            };
            if record.as_ref().is_none_or(|record| width(&record.cells) > 0) {
                return Ok(record);
            }
        }
    }
}

impl Rows<'_> {
    /// Number of hidden rows so far, including those that were not left out.
    pub fn hidden_rows(&self) -> u64 {
        self.hidden
    }

    /// Number of sum rows that were left out so far: those with `Summe`, `Gesamt` or the like in their first
    /// filled cell.
    pub fn sum_rows(&self) -> u64 {
        self.sums
    }

    /// Lines below the table that were left out, such as `Preise freibleibend`; empty before the table has
    /// ended.
    pub fn footnotes(&self) -> &[String] {
        self.footnotes.texts()
    }

    fn next_row(&mut self) -> Result<Option<Row>> {
        let next = match &mut self.records {
            Records::Json(entries) => entries.next()?,
            records => loop {
                let Some(record) = self.footnotes.take() else {
                    match records.next_with_content()? {
                        Some(record) if is_sum(&record.cells) => self.sums += 1,
                        Some(record) => self.footnotes.push(record, self.width),
                        None => {
                            self.footnotes.end();
                            break None;
                        }
                    }
                    continue;
                };
                self.hidden += u64::from(record.hidden);
                if !(record.hidden && self.skips_hidden) {
                    let mut row = row(record, self.width, self.format);
                    let behind = self.width.min(row.cells.len());
                    row.cells.splice(behind..behind, self.constants.iter().cloned());
                    break Some(row);
                }
            },
        };
        self.count += u64::from(next.is_some());
        if self.count > MAX_ROWS {
            return Err(codes::TOO_MANY_ROWS.with("max", MAX_ROWS).into());
        }
        Ok(next)
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
    pub(crate) fn text(text: &str) -> Self {
        Self::Text(text.to_owned())
    }

    /// Text of the cell, for numbers as the file has it.
    pub fn as_str(&self) -> &str {
        match self {
            Self::Text(text) => text,
            Self::Number { number } => number,
            Self::Value { json } => json,
        }
    }
}

impl Default for Cell {
    fn default() -> Self {
        Self::Text(String::new())
    }
}

impl RowFault {
    /// Creates a fault of the whole row.
    pub fn in_row(message: impl Into<Message>) -> Self {
        Self { column: None, message: message.into() }
    }

    /// Creates a fault of the cell in a column, counted from 0.
    pub fn in_cell(column: usize, message: impl Into<Message>) -> Self {
        Self { column: Some(column), message: message.into() }
    }
}

/// Errors for files that are no tables.
const NO_DOCUMENT: [Code; 9] = [
    codes::FILE_UNREADABLE,
    codes::FILE_OLD_EXCEL,
    codes::FILE_ENCRYPTED,
    codes::FILE_UTF16,
    codes::FILE_PDF,
    codes::FILE_XML,
    codes::FILE_HTML,
    codes::FILE_DATANORM,
    codes::FILE_SAP_LIST,
];

/// Notes for users on the encoding of a text file.
fn notes(encoding: Encoding, broken: u64) -> Vec<Message> {
    let read_as = encoding.old_name().map(|name| codes::READ_AS.with("encoding", name));
    let name = encoding.old_name().unwrap_or("UTF-8");
    let broken = (broken > 0).then(|| codes::BROKEN_PLACES.with("encoding", name).with("count", broken));
    read_as.into_iter().chain(broken).collect()
}

fn at_most(file: &File, max: u64) -> Result<()> {
    let length = file.metadata().map_err(Error::internal)?.len();
    if length > max {
        return Err(codes::FILE_TOO_LARGE.with("max", format!("{} MiB", max >> 20)).into());
    }
    Ok(())
}

fn header_cells(header: Record) -> Result<Vec<Cell>> {
    let mut cells = header.cells;
    cells.truncate(width(&cells));
    for cell in &mut cells {
        *cell = heading(cell);
    }
    if cells.len() > MAX_COLUMNS {
        return Err(codes::TOO_MANY_COLUMNS.with("max", MAX_COLUMNS).into());
    }
    // Names are limited because every fault of a column contains its name, and spaces are ignored, so a known
    // column could have a name of any length.
    let is_long = |cell: &Cell| cell.as_str().trim().chars().count() > TEXT_MAX;
    if let Some(column) = cells.iter().position(is_long) {
        let refused = codes::COLUMN_NAME_TOO_LONG.with("column", header::letters(column));
        return Err(refused.with("max", TEXT_MAX).into());
    }
    Ok(cells)
}

/// Name of a column without unprintable characters.
fn heading(cell: &Cell) -> Cell {
    Cell::text(&visible(cell.as_str()).replace(is_unprintable, "\u{FFFD}"))
}

/// First words of a sum row, folded.
const SUMS: [&str; 14] = [
    "summe",
    "summen",
    "gesamt",
    "gesamtsumme",
    "gesamtergebnis",
    "endsumme",
    "zwischensumme",
    "ubertrag",
    "ergebnis",
    "total",
    "grand total",
    "subtotal",
    "sum",
    "*",
];

/// True for a row that sums up others: its first filled cell is such a word, and a number follows. The
/// asterisks are SAP's.
fn is_sum(cells: &[Cell]) -> bool {
    let mut filled = cells.iter().map(|cell| cell.as_str().trim()).filter(|text| !is_blank(text));
    let Some(first) = filled.next() else { return false };
    let first = values::fold(first.trim_end_matches([':', '.', ' ']));
    let word = if first.chars().all(|c| c == '*') { "*" } else { &*first };
    SUMS.contains(&word) && filled.any(|text| text.contains(|c: char| c.is_ascii_digit()))
}

/// Number of cells up to the last that is not empty.
fn width(cells: &[Cell]) -> usize {
    cells.iter().rposition(|cell| !is_blank(cell.as_str())).map_or(0, |last| last + 1)
}

/// True if a text has no visible characters.
pub fn is_blank(text: &str) -> bool {
    text.chars().all(|c| c.is_whitespace() || is_invisible(c))
}

fn row(record: Record, expected: usize, format: Format) -> Row {
    let Record { line, mut cells, mut faults, .. } = record;
    // A spreadsheet does not store empty cells; a text file with missing cells may have lost them.
    let may_be_short = format == Format::Xlsx;
    let actual = width(&cells);
    if actual > expected || (cells.len() < expected && !may_be_short) {
        let actual = if actual > expected { actual } else { cells.len() };
        let count = codes::CELL_COUNT.with("found", actual).with("expected", expected);
        if faults.is_empty() {
            faults.push(RowFault::in_row(count));
        }
        cells.truncate(MAX_COLUMNS.max(expected));
    }
    cells.resize(expected.max(actual.min(MAX_COLUMNS)), Cell::default());
    for (index, cell) in cells.iter_mut().enumerate() {
        faults.extend(unprintable(cell, format).map(|message| RowFault::in_cell(index, message)));
        table::restore(cell);
    }
    Row { line, cells, faults }
}

fn is_unprintable(c: char) -> bool {
    c.is_control() && !matches!(c, '\t' | '\n' | '\r')
}

/// Refuses characters that databases or screens cannot handle; a NUL is removed even from the error file.
fn unprintable(cell: &mut Cell, format: Format) -> Option<Message> {
    let Cell::Text(text) = cell else { return None };
    let has_controls = text.contains(is_unprintable);
    if text.contains('\0') {
        *text = text.replace('\0', "\u{FFFD}");
    }
    let misread = match format {
        Format::Csv(dialect) => dialect.encoding.misreads(text),
        Format::Xlsx | Format::Json => text.contains('\u{FFFD}'),
    };
    if text.len() > MAX_CELL && text.chars().count() > MAX_CELL {
        Some(codes::CELL_TOO_LONG.with("max", MAX_CELL))
    } else if has_controls || (misread && format == Format::Xlsx) {
        Some(codes::INVALID_CHARACTERS.into())
    } else if misread {
        Some(codes::CHARACTER_SET.into())
    } else {
        None
    }
}

#[cfg(test)]
mod tests;
