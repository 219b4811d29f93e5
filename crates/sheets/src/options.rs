//! Options for reading a file, and their recognition: sheet and line of the headings are found by known
//! names.

use std::path::Path;

use values::Result;

use super::{Cell, Content, Encoding, Sheet, Source, open_with, width};
use crate::codes;

/// Options for reading a file; those that are not chosen are recognised.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ReadOptions {
    /// Line of the headings, from 1.
    pub header_line: Option<u32>,
    /// Name of a worksheet.
    pub sheet: Option<String>,
    /// One of [`DELIMITERS`].
    pub delimiter: Option<char>,
    /// One of [`ENCODINGS`].
    pub encoding: Option<Encoding>,
    /// True to leave out rows that are hidden in a spreadsheet.
    pub skips_hidden_rows: bool,
    /// Heading and text of constant columns, which are added after the last one.
    pub constants: Vec<(String, String)>,
}

/// Delimiters of a text file, in order of preference if several would fit: a comma is also a decimal sign.
pub const DELIMITERS: [char; 4] = [';', '\t', '|', ','];

/// Encodings of a text file that can be chosen.
pub const ENCODINGS: [Encoding; 3] = [Encoding::Utf8, Encoding::Windows1252, Encoding::Windows1250];

/// Number of filled rows in which the headings are searched.
const LOOKED_AT: usize = 40;
/// Minimum number of filled cells in a row of a table below a title of one cell.
const TABLE_WIDTH: usize = 3;

/// Row that may contain the headings.
struct Candidate {
    line: u32,
    filled: usize,
    /// Number of headings that are known.
    known_headings: usize,
}

/// Completes options with the sheet and the line of the headings: the row in which `count_known` finds most,
/// or else the first wide row below a title. If the first row of the first sheet is as good, the options stay
/// empty.
pub fn recognise(
    path: &Path,
    content: Content,
    options: &ReadOptions,
    count_known: &dyn Fn(&[Cell]) -> usize,
) -> Result<ReadOptions> {
    let mut recognised = options.clone();
    if content != Content::Table {
        return Ok(recognised);
    }
    let first = ReadOptions { header_line: None, constants: Vec::new(), ..options.clone() };
    let mut sheet = open_with(path, content, &first)?;
    let mut best = candidates(&mut sheet, count_known)?;
    let names = sheet.sheet_names();
    if options.sheet.is_none() && names.len() > 1 {
        for name in names {
            let of_other = ReadOptions { sheet: Some(name.clone()), ..first.clone() };
            // a sheet that cannot be read is ignored
            let Ok(mut other) = open_with(path, content, &of_other) else { continue };
            let other_candidates = candidates(&mut other, count_known).unwrap_or_default();
            if most_known(&other_candidates) > most_known(&best) {
                best = other_candidates;
                recognised.sheet = Some(name);
            }
        }
    }
    if options.header_line.is_none() {
        recognised.header_line = headings(&best);
    }
    Ok(recognised)
}

fn candidates(sheet: &mut Sheet, count_known: &dyn Fn(&[Cell]) -> usize) -> Result<Vec<Candidate>> {
    let mut records = sheet.records()?;
    let mut candidates = Vec::new();
    while candidates.len() < LOOKED_AT
        && let Some(record) = records.next_with_content()?
    {
        let mut cells = record.cells;
        cells.truncate(width(&cells));
        let filled = cells.iter().filter(|cell| !super::is_blank(cell.as_str())).count();
        candidates.push(Candidate { line: record.line, filled, known_headings: count_known(&cells) });
    }
    Ok(candidates)
}

fn most_known(candidates: &[Candidate]) -> usize {
    candidates.iter().map(|candidate| candidate.known_headings).max().unwrap_or_default()
}

/// Line of the headings, if it is not the first filled one.
fn headings(candidates: &[Candidate]) -> Option<u32> {
    let (first, rest) = candidates.split_first()?;
    let most = most_known(rest);
    let is_title = first.filled == 1;
    if most > first.known_headings && (most > 1 || is_title) {
        return rest
            .iter()
            .find(|candidate| candidate.known_headings == most)
            .map(|candidate| candidate.line);
    }
    if first.known_headings > 0 || !is_title {
        return None;
    }
    // no name is known: the table begins where its rows become wide
    let widest = rest.iter().map(|candidate| candidate.filled).max().unwrap_or_default();
    let wide = TABLE_WIDTH.max(widest / 2 + 1);
    let mut table = rest.iter().filter(|candidate| candidate.filled >= wide);
    let line = table.next()?.line;
    table.next().map(|_| line)
}

impl Sheet {
    /// Names of the worksheets that are not hidden; empty for a text file.
    pub fn sheet_names(&self) -> Vec<String> {
        match &self.source {
            Source::Xlsx(workbook) => workbook.sheet_names().map(str::to_owned).collect(),
            Source::Csv(..) | Source::Json(_) => Vec::new(),
        }
    }

    /// Name of the worksheet that is read.
    pub fn sheet_name(&self) -> Option<&str> {
        match &self.source {
            Source::Xlsx(workbook) => workbook.chosen_name(),
            Source::Csv(..) | Source::Json(_) => None,
        }
    }
}

/// Error for a sheet that the workbook does not have.
pub(super) fn missing_sheet(sheet: &str, names: &[String]) -> values::Error {
    codes::SHEET_MISSING.with("sheet", sheet).list("sheets", names).into()
}
