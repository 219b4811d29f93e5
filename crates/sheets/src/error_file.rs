//! Error files: the refused rows of an upload in its own format, with the reasons added.
//!
//! Corrected error files can be uploaded again: the added columns are ignored, and the apostrophe that keeps
//! spreadsheet programs from running a cell as a formula is removed.

use std::io::{Seek, Write};

use values::{Language, Result};

use super::{
    Cell, Format, RowFault,
    header::{OWN, is_own},
    table::{CellContent, TableWriter},
};

/// Writer of an error file, row by row, so that its length does not matter.
pub struct ErrorFile<W> {
    table: TableWriter<W>,
    language: Language,
    /// Cells of the uploaded header.
    header: Vec<Cell>,
    /// Flags of the uploaded columns that are written: all but those that an earlier error file added.
    written_columns: Vec<bool>,
}

impl<W: Write + Seek + Send> ErrorFile<W> {
    /// Begins with the header of the upload.
    pub fn new(target: W, format: Format, header: &[Cell], language: Language) -> Result<Self> {
        let written_columns: Vec<_> = header.iter().map(|cell| !is_own(cell.as_str())).collect();
        let added =
            OWN.map(|[german, english]| if language == Language::De { german } else { english }.to_owned());
        let table = TableWriter::new(target, format, &entries(&written_columns, header, added))?;
        Ok(Self { table, language, header: header.to_vec(), written_columns })
    }

    /// Adds a refused row with all its reasons.
    pub fn add(&mut self, line: u32, cells: &[Cell], faults: &[RowFault]) -> Result<()> {
        let reasons: Vec<_> = faults.iter().map(|fault| self.reason(fault)).collect();
        let mut codes: Vec<_> = faults.iter().map(|fault| fault.message.code.as_str()).collect();
        codes.dedup();
        let added = [reasons.join("; "), codes.join(" "), line.to_string()];
        self.table.add(&entries(&self.written_columns, cells, added))
    }

    /// Finishes the file and returns the target.
    pub fn finish(self) -> Result<W> {
        self.table.finish()
    }

    fn reason(&self, fault: &RowFault) -> String {
        let text = fault.message.text(self.language);
        match fault.column.and_then(|column| self.header.get(column)) {
            Some(name) if !name.as_str().trim().is_empty() => format!("{}: {text}", name.as_str().trim()),
            _ => text,
        }
    }
}

/// Arranges a row: cells below the header, the added columns, then cells beyond the header.
fn entries(written_columns: &[bool], cells: &[Cell], added: [String; 3]) -> Vec<CellContent> {
    let (below, beyond) = cells.split_at_checked(written_columns.len()).unwrap_or((cells, &[]));
    let below =
        below.iter().zip(written_columns).filter(|(_, is_written)| **is_written).map(|(cell, _)| cell);
    let entry = |cell: &Cell| CellContent::from(cell.clone());
    below.map(entry).chain(added.map(CellContent::Text)).chain(beyond.iter().map(entry)).collect()
}

/// Name of the error file of an upload.
pub fn name(upload: &str, language: Language) -> String {
    let (stem, extension) = upload.rsplit_once('.').unwrap_or((upload, "csv"));
    let errors = if language == Language::De { "Fehler" } else { "errors" };
    format!("{stem}-{errors}.{extension}")
}
