//! Error files: the uploaded rows that were refused, written as the upload was, with the reasons behind them.
//!
//! Corrected and uploaded again they are read as before: the columns added here are ignored, and what keeps spreadsheet
//! programs from taking a cell for a formula is taken away.

use std::{
    borrow::Cow,
    io::{Seek, Write},
};

use kernel::{Error, Language, Result};
use rust_xlsxwriter::{Workbook, Worksheet};

use super::{
    Cell, Fault, Format, csv,
    header::{OWN, is_own},
};

/// Writes an error file row by row, so that its length does not matter.
pub struct ErrorFile<W> {
    target: W,
    writer: Writer,
    language: Language,
    /// The cells of the uploaded header.
    header: Vec<Cell>,
    /// Which columns of the upload are kept: those that no earlier error file added.
    kept: Vec<bool>,
}

enum Writer {
    Csv(csv::Writer),
    Xlsx(Box<XlsxWriter>),
}

impl<W: Write + Seek + Send> ErrorFile<W> {
    /// Begins with the header of the upload.
    pub fn new(target: W, format: Format, header: &[Cell], language: Language) -> Result<Self> {
        let writer = match format {
            Format::Csv(dialect) => Writer::Csv(csv::Writer::new(dialect)),
            Format::Xlsx => Writer::Xlsx(Box::new(XlsxWriter::new()?)),
        };
        let kept = header.iter().map(|cell| !is_own(cell.as_str())).collect();
        let mut file = Self { target, writer, language, header: header.to_vec(), kept };
        let added =
            OWN.map(|[german, english]| if language == Language::De { german } else { english }.to_owned());
        file.write(&file.header.clone(), added)?;
        Ok(file)
    }

    /// Adds a refused row with all its reasons.
    pub fn add(&mut self, line: u32, cells: &[Cell], faults: &[Fault]) -> Result<()> {
        let reasons: Vec<_> = faults.iter().map(|fault| self.reason(fault)).collect();
        let mut codes: Vec<_> = faults.iter().map(|fault| fault.message.code.as_str()).collect();
        codes.dedup();
        let added = [reasons.join("; "), codes.join(" "), line.to_string()];
        self.write(cells, added)
    }

    /// Writes what is left and gives the target back.
    pub fn finish(mut self) -> Result<W> {
        if let Writer::Xlsx(mut writer) = self.writer {
            writer.workbook.save_to_writer(&mut self.target).map_err(Error::internal)?;
        }
        Ok(self.target)
    }

    fn reason(&self, fault: &Fault) -> String {
        let text = fault.message.text(self.language);
        match fault.column.and_then(|column| self.header.get(column)) {
            Some(name) if !name.as_str().trim().is_empty() => format!("{}: {text}", name.as_str().trim()),
            _ => text,
        }
    }

    /// The cells below the header, what this file adds, and cells beyond the header behind it all.
    fn write(&mut self, cells: &[Cell], added: [String; 3]) -> Result<()> {
        let (below, beyond) = cells.split_at_checked(self.kept.len()).unwrap_or((cells, &[]));
        let kept = below.iter().zip(&self.kept).filter(|(_, kept)| **kept).map(|(cell, _)| cell.clone());
        let row: Vec<_> = kept.chain(added.map(Cell::Text)).chain(beyond.iter().cloned()).collect();
        match &mut self.writer {
            Writer::Csv(writer) => {
                let texts: Vec<_> = row.iter().map(harmless).collect();
                writer.write(texts.iter().map(AsRef::as_ref));
                self.target.write_all(&writer.take()).map_err(Error::internal)
            }
            Writer::Xlsx(writer) => writer.write(&row),
        }
    }
}

/// A workbook with one sheet that is spooled to a temporary file as it grows.
struct XlsxWriter {
    workbook: Workbook,
    rows: u32,
}

impl XlsxWriter {
    fn new() -> Result<Self> {
        let mut workbook = Workbook::new();
        workbook.add_worksheet_with_constant_memory().map_err(Error::internal)?;
        Ok(Self { workbook, rows: 0 })
    }

    fn write(&mut self, cells: &[Cell]) -> Result<()> {
        let row = self.rows;
        self.rows += 1;
        let sheet = self.workbook.worksheet_from_index(0).map_err(Error::internal)?;
        for (column, cell) in (0..).zip(cells) {
            write_cell(sheet, row, column, cell).map_err(Error::internal)?;
        }
        Ok(())
    }
}

fn write_cell(
    sheet: &mut Worksheet,
    row: u32,
    column: u16,
    cell: &Cell,
) -> Result<(), rust_xlsxwriter::XlsxError> {
    match cell {
        Cell::Number { number } => match number.parse::<f64>() {
            Ok(number) => sheet.write_number(row, column, number)?,
            Err(_) => sheet.write_string(row, column, number)?,
        },
        Cell::Text(text) if text.is_empty() => return Ok(()),
        Cell::Text(_) => {
            let text = harmless(cell);
            // Beyond the longest cell the row has been refused anyway, and says so.
            let end = text.char_indices().nth(super::MAX_CELL).map_or(text.len(), |(end, _)| end);
            sheet.write_string(row, column, text.get(..end).unwrap_or_default())?
        }
    };
    Ok(())
}

/// A text that a spreadsheet program would run as a formula gets an apostrophe in front, and so does one that looks
/// like the result.
fn harmless(cell: &Cell) -> Cow<'_, str> {
    match cell {
        Cell::Text(text) if is_active(text) && !is_number(text) => Cow::Owned(format!("'{text}")),
        cell => Cow::Borrowed(cell.as_str()),
    }
}

/// Takes away the apostrophe that [`harmless`] put in front.
pub(super) fn restore(cell: &mut Cell) {
    if let Cell::Text(text) = cell
        && text.starts_with('\'')
        && is_active(text)
    {
        text.remove(0);
    }
}

/// Whether the text begins, behind any apostrophes, as a formula does.
fn is_active(text: &str) -> bool {
    text.trim_start_matches('\'').starts_with(['=', '+', '-', '@', '\t', '\r'])
}

fn is_number(text: &str) -> bool {
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    digits.starts_with(|c: char| c.is_ascii_digit())
        && digits.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b'.' | b','))
}

/// The name of the error file of an upload.
pub fn name(upload: &str, language: Language) -> String {
    let (stem, extension) = upload.rsplit_once('.').unwrap_or((upload, "csv"));
    let errors = if language == Language::De { "Fehler" } else { "errors" };
    format!("{stem}-{errors}.{extension}")
}
