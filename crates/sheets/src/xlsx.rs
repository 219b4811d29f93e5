//! XLSX: the cells of one sheet, row by row. A formula has the value that was saved with it.

use chrono::{Days, NaiveDate, NaiveTime};
use quick_xml::events::{BytesStart, Event};
use values::{Message, Result};

use super::{
    Cell, MAX_COLUMNS, ROW_BYTES, Record, RowFault,
    options::missing_sheet,
    workbook::{CELL_BYTES, Workbook, WorkbookData, unescaped},
    xml::{Xml, attribute, damaged, name},
};
use crate::codes;

/// Maximum number of rows of a worksheet.
const LINES: u32 = 1_048_576;

/// Rows of the sheet that are not empty, including the header.
pub(super) struct Records<'w> {
    xml: Xml<'w>,
    shared: WorkbookData<'w>,
    ended: bool,
}

/// Attributes of a cell element.
struct Head {
    column: Option<usize>,
    style: usize,
    kind: Kind,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Number,
    SharedString,
    Text,
    Bool,
    Error,
    IsoDate,
}

/// Chooses the sheet that is read: the first that is not hidden or, if that is empty, the first that is not
/// empty. Returns a note if it could have been another sheet.
pub(super) fn choose_sheet(workbook: &mut Workbook) -> Result<Option<Message>> {
    let names: Vec<String> = workbook.sheet_names().map(str::to_owned).collect();
    let first_holds_any = holds_any(workbook)?;
    let mut others = Vec::new();
    for (index, name) in names.iter().enumerate().skip(1) {
        workbook.choose(index);
        // A sheet that cannot be read is ignored.
        if holds_any(workbook).unwrap_or(false) {
            others.push((index, name));
        }
    }
    workbook.choose(0);
    let first = names.first().map(String::as_str).unwrap_or_default();
    let other_names =
        |others: &[(usize, &String)]| others.iter().map(|(_, name)| (*name).clone()).collect::<Vec<_>>();
    match (first_holds_any, others.split_first()) {
        (_, None) => Ok(None),
        (true, _) => {
            Ok(Some(codes::SHEETS_NOT_READ.with("sheet", first).list("others", other_names(&others))))
        }
        (false, Some(((chosen, name), rest))) => {
            workbook.choose(*chosen);
            Ok(Some(match rest {
                [] => codes::SHEET_READ.with("sheet", name).with("first", first),
                rest => codes::SHEETS_NOT_READ.with("sheet", name).list("others", other_names(rest)),
            }))
        }
    }
}

/// Chooses the sheet with this name.
pub(super) fn choose_named(workbook: &mut Workbook, sheet_name: &str) -> Result<()> {
    let names: Vec<String> = workbook.sheet_names().map(str::to_owned).collect();
    let has_name = |name: &String| values::fold(name) == values::fold(sheet_name);
    let sheet = names.iter().position(has_name).ok_or_else(|| missing_sheet(sheet_name, &names))?;
    workbook.choose(sheet);
    Ok(())
}

/// True if any cell of the chosen sheet is filled.
fn holds_any(workbook: &mut Workbook) -> Result<bool> {
    let mut records = Records::open(workbook)?;
    while let Some(record) = records.next()? {
        if super::width(&record.cells) > 0 {
            return Ok(true);
        }
    }
    Ok(false)
}

impl<'w> Records<'w> {
    pub(super) fn open(workbook: &'w mut Workbook) -> Result<Self> {
        let (xml, shared) = workbook.sheet()?;
        Ok(Self { xml, shared, ended: false })
    }

    /// Reads the next row.
    pub(super) fn next(&mut self) -> Result<Option<Record>> {
        while !self.ended {
            let before = self.xml.line;
            match self.xml.next()? {
                Event::Start(element) if name(&element) == "row" => {
                    let number = attribute(&element, "r").map_or(Ok(before), |number| number.parse());
                    // Imports rely on ascending lines, as spreadsheet programs do.
                    let Some(number) = number.ok().filter(|number| (before..=LINES).contains(number)) else {
                        return Err(damaged(before));
                    };
                    let hidden = attribute(&element, "hidden").is_some_and(|is| is == "1" || is == "true");
                    self.xml.renew(CELL_BYTES);
                    return Ok(Some(Record { hidden, ..self.row(number)? }));
                }
                Event::End(element) if element.local_name().into_inner() == "sheetData" => {
                    self.xml.finish()?;
                    self.ended = true;
                }
                Event::Eof => return Err(damaged(before)),
                _ => {}
            }
        }
        Ok(None)
    }

    fn row(&mut self, line: u32) -> Result<Record> {
        self.xml.line = line;
        let mut record = Record { line, hidden: false, cells: Vec::new(), faults: Vec::new() };
        let (mut column, mut bytes) = (0, 0);
        loop {
            match self.xml.next()? {
                Event::Start(element) if name(&element) == "c" => {
                    let head = head(&element);
                    column = head.column.unwrap_or(column);
                    if let Some(cell) = self.cell(&head)? {
                        bytes += cell.as_str().len();
                        if bytes > ROW_BYTES {
                            return Err(codes::FILE_BOMB.into());
                        }
                        if head.kind == Kind::Error {
                            record.faults.push(RowFault::in_cell(
                                column,
                                codes::FORMULA_ERROR.with("value", cell.as_str()),
                            ));
                        }
                        put(&mut record.cells, column, cell)?;
                    }
                    column += 1;
                }
                Event::Start(_) => self.xml.skip()?,
                Event::End(_) => {
                    self.xml.line = line + 1;
                    self.xml.renew(CELL_BYTES);
                    return Ok(record);
                }
                Event::Eof => return Err(damaged(line)),
                _ => {}
            }
        }
    }

    /// Reads the value of a cell, if it has one.
    fn cell(&mut self, head: &Head) -> Result<Option<Cell>> {
        self.xml.renew(CELL_BYTES);
        let mut text = String::new();
        loop {
            let line = self.xml.line;
            match self.xml.next()? {
                Event::Start(element) => match name(&element) {
                    "v" => self.xml.text(&mut text)?,
                    "is" => {
                        text.clear();
                        self.xml.string_item(&mut text)?;
                    }
                    _ => self.xml.skip()?,
                },
                Event::End(_) => break,
                Event::Eof => return Err(damaged(line)),
                _ => {}
            }
        }
        if text.is_empty() {
            return Ok(None);
        }
        Ok(Some(match head.kind {
            Kind::Number => self.number(head.style, text),
            Kind::SharedString => {
                let string = text.trim().parse().ok().and_then(|index| self.shared.strings.get(index));
                Cell::text(string.ok_or_else(|| damaged(self.xml.line))?)
            }
            Kind::Text => Cell::text(&unescaped(&text)),
            Kind::Bool => {
                Cell::text(if text.trim() == "1" || text.trim() == "true" { "true" } else { "false" })
            }
            Kind::Error | Kind::IsoDate => Cell::Text(text),
        }))
    }

    fn number(&self, style: usize, text: String) -> Cell {
        let Ok(number) = text.trim().parse::<f64>() else { return Cell::Text(text) };
        let date =
            if self.shared.styles.shows_date(style) { date(number, self.shared.from_1904) } else { None };
        match (date, plain(number)) {
            (Some(date), _) => Cell::Text(date),
            (None, Some(number)) => match self.shared.styles.digits(style) {
                // a number that is shown with leading zeros is an identifier, hence text
                Some(digits) if number.len() < digits && number.bytes().all(|byte| byte.is_ascii_digit()) => {
                    Cell::Text(format!("{number:0>digits$}"))
                }
                _ => Cell::Number { number },
            },
            (None, None) => Cell::Text(text),
        }
    }
}

fn head(element: &BytesStart<'_>) -> Head {
    let mut head = Head { column: None, style: 0, kind: Kind::Number };
    for attribute in element.attributes().with_checks(false).filter_map(Result::ok) {
        match attribute.key.into_inner() {
            "r" => head.column = column(&attribute.value),
            "s" => head.style = attribute.value.parse().unwrap_or_default(),
            "t" => {
                head.kind = match &*attribute.value {
                    "s" => Kind::SharedString,
                    "str" | "inlineStr" => Kind::Text,
                    "b" => Kind::Bool,
                    "e" => Kind::Error,
                    "d" => Kind::IsoDate,
                    _ => Kind::Number,
                }
            }
            _ => {}
        }
    }
    head
}

/// Index of the column in a reference such as `AB12`, from 0.
fn column(reference: &str) -> Option<usize> {
    let letters = reference.bytes().take_while(u8::is_ascii_alphabetic).take(4);
    let number =
        letters.fold(0, |number, letter| number * 26 + usize::from(letter.to_ascii_uppercase() - b'A') + 1);
    number.checked_sub(1)
}

/// Stores a value in its column. Columns too far to the right are refused, so that a single cell cannot take
/// much memory.
fn put(cells: &mut Vec<Cell>, column: usize, cell: Cell) -> Result<()> {
    if column >= MAX_COLUMNS {
        return Err(codes::TOO_MANY_COLUMNS.with("max", MAX_COLUMNS).into());
    }
    if cells.len() <= column {
        cells.resize(column + 1, Cell::default());
    }
    if let Some(place) = cells.get_mut(column) {
        *place = cell;
    }
    Ok(())
}

/// Formats a number as spreadsheets show it, with 15 digits and without exponent: 12.1 for
/// 12.100000000000001.
fn plain(number: f64) -> Option<String> {
    let scientific = format!("{number:.14e}");
    let (mantissa, exponent) = scientific.split_once('e')?;
    let exponent: i32 = exponent.parse().ok().filter(|exponent| (-20..=20).contains(exponent))?;
    let (sign, mantissa) = mantissa.strip_prefix('-').map_or(("", mantissa), |mantissa| ("-", mantissa));
    let digits = mantissa.replace('.', "");
    let digits = digits.trim_end_matches('0');
    if digits.is_empty() {
        return Some("0".to_owned());
    }
    let Ok(whole) = usize::try_from(exponent + 1) else {
        let zeros = "0".repeat(usize::try_from(-exponent - 1).ok()?);
        return Some(format!("{sign}0.{zeros}{digits}"));
    };
    Some(match digits.split_at_checked(whole) {
        Some((whole, "")) => format!("{sign}{whole}"),
        Some(("", fraction)) => format!("{sign}0.{fraction}"),
        Some((whole, fraction)) => format!("{sign}{whole}.{fraction}"),
        None => format!("{sign}{digits}{}", "0".repeat(whole - digits.len())),
    })
}

/// Converts a serial number of days to an ISO date, time or both; `None` outside the calendar of
/// spreadsheets.
fn date(serial: f64, from_1904: bool) -> Option<String> {
    const LAST: f64 = 2_958_466.0; // the day after 9999-12-31
    if !(0.0..LAST).contains(&serial) {
        return None;
    }
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "within 0 and 256 thousand million"
    )]
    let seconds = (serial * 86_400.0).round() as u64;
    let (days, seconds) = (seconds / 86_400, u32::try_from(seconds % 86_400).ok()?);
    let time = NaiveTime::from_num_seconds_from_midnight_opt(seconds, 0)?;
    if days == 0 && seconds > 0 {
        return Some(time.format("%H:%M:%S").to_string());
    }
    let (epoch, days) = match (from_1904, days) {
        (true, days) => (NaiveDate::from_ymd_opt(1904, 1, 1)?, days),
        // Spreadsheets count a 29 February 1900, which did not exist.
        (false, 0..60) => (NaiveDate::from_ymd_opt(1899, 12, 31)?, days),
        (false, days) => (NaiveDate::from_ymd_opt(1899, 12, 30)?, days),
    };
    let date = epoch.checked_add_days(Days::new(days))?;
    Some(if seconds == 0 { date.to_string() } else { format!("{date}T{time}") })
}
