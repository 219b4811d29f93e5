//! CSV: separated cells, quoted where necessary. No data is lost: a quote that is never closed spoils its own
//! line only.

use std::{
    collections::VecDeque,
    fs::File,
    io::{Read, Seek, SeekFrom},
};

use values::{Error, Result};

use super::{
    Cell, MAX_COLUMNS, ROW_BYTES, ReadOptions, Record, RowFault,
    encoding::{DetectedEncoding, Encoding},
    lines::{Line, Lines},
    options::DELIMITERS,
};
use crate::codes;

/// Dialect of a CSV file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Dialect {
    pub encoding: Encoding,
    pub delimiter: char,
    /// True if the first line is `sep=;`, an instruction for spreadsheet programs.
    pub has_instruction: bool,
}

/// Number of lines from which the delimiter is detected.
const SAMPLE: usize = 100;

/// Maximum number of lines with an unclosed quote, each of which is read twice; a file with more is damaged.
const UNCLOSED_AT_MOST: u32 = 1_000;

impl Dialect {
    /// Detects the dialect of a file, and the number of places that are invalid in its encoding. Chosen
    /// options take precedence.
    pub(super) fn detect(file: &mut File, options: &ReadOptions) -> Result<(Self, u64)> {
        let DetectedEncoding { encoding, broken } = match options.encoding {
            Some(chosen) => DetectedEncoding::chosen(file, chosen),
            None => DetectedEncoding::in_file(file),
        }
        .map_err(Error::internal)?;
        let mut lines = lines(file, encoding)?;
        let mut sample = Vec::new();
        let mut instructed = None;
        while sample.len() < SAMPLE
            && let Some(line) = lines.next()?
        {
            match instruction(&line) {
                Some(delimiter) if line.number == 1 => instructed = Some(delimiter),
                _ => sample.push(line),
            }
        }
        let delimiter = options.delimiter.or(instructed).unwrap_or_else(|| likeliest_delimiter(&sample));
        Ok((Self { encoding, delimiter, has_instruction: instructed.is_some() }, broken))
    }
}

/// Delimiter of a `sep=;` line.
fn instruction(line: &Line) -> Option<char> {
    let (text, _) = line.parts();
    let (key, value) = text.trim_matches('"').split_once('=')?;
    DELIMITERS.into_iter().find(|delimiter| key.eq_ignore_ascii_case("sep") && value.chars().eq([*delimiter]))
}

/// Delimiter by which most lines have as many cells as the first. It counts lines, not records, since only
/// the majority matters. Below a title, which no delimiter splits, it is the one by which most lines have the
/// same number of cells.
fn likeliest_delimiter(sample: &[Line]) -> char {
    let widths = |delimiter: char| {
        let widths = sample.iter().map(|line| width(line, delimiter)).filter(|width| *width > 0);
        widths.collect::<Vec<usize>>()
    };
    let count_equal =
        |widths: &[usize], expected: usize| widths.iter().filter(|width| **width == expected).count();
    let agreement = |delimiter: char| {
        let widths = widths(delimiter);
        widths.first().filter(|first| **first > 1).map_or(0, |first| count_equal(&widths, *first))
    };
    let below_title = |delimiter: char| {
        let widths = widths(delimiter);
        let counts = widths.iter().filter(|width| **width > 1).map(|width| count_equal(&widths, *width));
        counts.max().unwrap_or_default()
    };
    let has_title = DELIMITERS.into_iter().all(|delimiter| agreement(delimiter) == 0);
    // `max_by_key` returns the last of equal elements, hence the reversal.
    let likeliest = DELIMITERS
        .into_iter()
        .rev()
        .max_by_key(|delimiter| if has_title { below_title(*delimiter) } else { agreement(*delimiter) });
    likeliest.unwrap_or(';')
}

/// Number of cells up to the last that is not empty.
fn width(line: &Line, delimiter: char) -> usize {
    let mut splitter = Splitter::new(delimiter);
    splitter.feed(line);
    super::width(&splitter.finish())
}

fn lines(file: &mut File, encoding: Encoding) -> Result<Lines<&mut File>> {
    let start = encoding.mark().len() as u64;
    file.seek(SeekFrom::Start(start)).map_err(Error::internal)?;
    Ok(Lines::new(file, encoding))
}

/// Records of a file, including the header.
pub(super) struct Records<R> {
    lines: Lines<R>,
    splitter: Splitter,
    /// Lines that were read as part of a record and turned out not to belong to it.
    put_back: VecDeque<Line>,
    /// Expected number of cells of a record, once the header is known.
    width: Option<usize>,
    unclosed: u32,
}

impl<'f> Records<&'f mut File> {
    pub(super) fn open(file: &'f mut File, dialect: Dialect) -> Result<Self> {
        let mut records = Self::new(lines(file, dialect.encoding)?, dialect.delimiter);
        if dialect.has_instruction {
            records.lines.next()?;
        }
        Ok(records)
    }
}

impl<R: Read> Records<R> {
    fn new(lines: Lines<R>, delimiter: char) -> Self {
        Self {
            lines,
            splitter: Splitter::new(delimiter),
            put_back: VecDeque::new(),
            width: None,
            unclosed: 0,
        }
    }

    /// Reads the next record, including empty ones.
    pub(super) fn next(&mut self) -> Result<Option<Record>> {
        let Some(first) = self.next_line()? else { return Ok(None) };
        let mut further = Vec::new();
        let mut bytes = first.text.len();
        let mut complete = self.splitter.feed(&first);
        while !complete && bytes <= ROW_BYTES && self.still_fits() {
            let Some(line) = self.next_line()? else { break };
            bytes += line.text.len();
            complete = self.splitter.feed(&line);
            further.push(line);
        }
        let believed = further.is_empty() || (self.splitter.well_formed && self.still_fits());
        let cells = self.splitter.finish();
        if complete && believed {
            return Ok(Some(Record { line: first.number, hidden: false, cells, faults: Vec::new() }));
        }
        self.first_line_alone(&first, further).map(Some)
    }

    pub(super) fn expect_width(&mut self, width: usize) {
        self.width = Some(width);
    }

    /// True if the record so far has no more cells than the header.
    fn still_fits(&self) -> bool {
        self.width.is_none_or(|width| super::width(&self.splitter.cells) <= width)
    }

    fn next_line(&mut self) -> Result<Option<Line>> {
        match self.put_back.pop_front() {
            Some(line) => Ok(Some(line)),
            None => self.lines.next(),
        }
    }

    /// Ends a record after its first line, because a quote was not closed, or only by a quote of a later
    /// record. The line's quotes count as text.
    fn first_line_alone(&mut self, first: &Line, further: Vec<Line>) -> Result<Record> {
        self.unclosed += 1;
        if self.unclosed > UNCLOSED_AT_MOST || self.width.is_none() {
            return Err(codes::FILE_DAMAGED.with("line", first.number).into());
        }
        for line in further.into_iter().rev() {
            self.put_back.push_front(line);
        }
        let (text, _) = first.parts();
        let cells = text.split(self.splitter.delimiter).take(MAX_COLUMNS).map(Cell::text).collect();
        let faults = vec![RowFault::in_row(codes::UNCLOSED_QUOTE)];
        Ok(Record { line: first.number, hidden: false, cells, faults })
    }
}

/// Splits a record into cells, line by line.
struct Splitter {
    delimiter: char,
    cells: Vec<Cell>,
    cell: String,
    state: State,
    /// True if each closing quote is at the end of its cell. Otherwise it may be the opening quote of a later
    /// cell.
    well_formed: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    /// Start of a cell: a quote opens it.
    Start,
    /// Outside quotes: a quote is text.
    Plain,
    /// Inside quotes: delimiters and line breaks are text, and a double quote is a quote.
    Quoted,
}

impl Splitter {
    fn new(delimiter: char) -> Self {
        Self { delimiter, cells: Vec::new(), cell: String::new(), state: State::Start, well_formed: true }
    }

    /// Adds a line; returns true if the record ends with it.
    fn feed(&mut self, line: &Line) -> bool {
        let (mut rest, terminator) = line.parts();
        loop {
            match self.state {
                State::Quoted => {
                    let Some((text, behind)) = rest.split_once('"') else {
                        self.cell.push_str(rest);
                        self.cell.push_str(terminator);
                        return false;
                    };
                    self.cell.push_str(text);
                    rest = behind;
                    if let Some(behind) = rest.strip_prefix('"') {
                        self.cell.push('"');
                        rest = behind;
                    } else {
                        self.well_formed &= rest.is_empty() || rest.starts_with(self.delimiter);
                        self.state = State::Plain;
                    }
                }
                State::Start | State::Plain => {
                    if self.state == State::Start
                        && let Some(behind) = rest.strip_prefix('"')
                    {
                        self.state = State::Quoted;
                        rest = behind;
                    } else if let Some((text, behind)) = rest.split_once(self.delimiter) {
                        self.cell.push_str(text);
                        self.end_cell();
                        rest = behind;
                    } else {
                        self.cell.push_str(rest);
                        self.end_cell();
                        return true;
                    }
                }
            }
        }
    }

    /// Returns the cells of the record, which may end within quotes.
    fn finish(&mut self) -> Vec<Cell> {
        if self.state != State::Start {
            self.end_cell();
        }
        self.well_formed = true;
        std::mem::take(&mut self.cells)
    }

    fn end_cell(&mut self) {
        let cell = std::mem::take(&mut self.cell);
        // One cell more than allowed is enough to detect that there are too many.
        if self.cells.len() <= MAX_COLUMNS {
            self.cells.push(Cell::Text(cell));
        }
        self.state = State::Start;
    }
}

/// Writer for the records of a file.
pub(super) struct Writer {
    dialect: Dialect,
    bytes: Vec<u8>,
    record: String,
}

impl Writer {
    pub(super) fn new(dialect: Dialect) -> Self {
        let mut bytes = dialect.encoding.mark().to_vec();
        if dialect.has_instruction {
            dialect.encoding.encode(&format!("sep={}\r\n", dialect.delimiter), &mut bytes);
        }
        Self { dialect, bytes, record: String::new() }
    }

    pub(super) fn write<'c>(&mut self, cells: impl IntoIterator<Item = &'c str>) {
        self.record.clear();
        for (index, cell) in cells.into_iter().enumerate() {
            if index > 0 {
                self.record.push(self.dialect.delimiter);
            }
            if self.needs_quotes(cell) {
                self.record.push('"');
                self.record.push_str(&cell.replace('"', "\"\""));
                self.record.push('"');
            } else {
                self.record.push_str(cell);
            }
        }
        self.record.push_str("\r\n");
        self.dialect.encoding.encode(&self.record, &mut self.bytes);
    }

    /// Returns the bytes written since the last call.
    pub(super) fn take(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.bytes)
    }

    fn needs_quotes(&self, cell: &str) -> bool {
        cell.contains(['"', '\r', '\n', self.dialect.delimiter])
    }
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use proptest::prelude::*;

    use super::*;

    fn sample(text: &str) -> Vec<Line> {
        let mut lines = Lines::new(Cursor::new(text), Encoding::Utf8);
        std::iter::from_fn(|| lines.next().unwrap()).collect()
    }

    fn records(text: &str, width: usize) -> Vec<Record> {
        let mut records = Records::new(Lines::new(Cursor::new(text), Encoding::Utf8), ';');
        records.expect_width(width);
        std::iter::from_fn(|| records.next().unwrap()).collect()
    }

    fn cells(record: &Record) -> Vec<&str> {
        record.cells.iter().map(Cell::as_str).collect()
    }

    #[test]
    fn the_delimiter_is_the_one_that_fits_most_lines() {
        for (text, expected) in [
            ("a;b;c\n1;2;3\n", ';'),
            ("a,b,c\n1,2,3\n", ','),
            ("a\tb\n1,5\t2,5\n", '\t'),
            ("a|b\n1|2\n", '|'),
            ("Artikelnummer\nA1\nA2\n", ';'),
            ("Länge, Breite, Höhe;Preis\n1;2\n3;4\n", ';'),
            ("a;b\n1,5;2,5\n3,5;4,5\n", ';'),
            ("\"a;b\",c\n\"1;2\",3\n", ','),
            ("a;b;;;\n1;2;;;\n", ';'),
            ("\n\na,b\n1,2\n", ','),
            ("Bestand vom 27.11.2026\n\na\tb\tc\n1,5\t2,5\t3\n", '\t'),
            ("Bestand\na;b\n1,5;2,5\n3,5;4,5\n", ';'),
            ("a;b;c;d\nx;1,5;;\ny;2,5;;\n", ';'),
            ("", ';'),
        ] {
            assert_eq!(likeliest_delimiter(&sample(text)), expected, "{text:?}");
        }
    }

    #[test]
    fn the_sep_instruction_determines_the_delimiter() {
        for (text, expected) in [
            ("sep=;\r\n", Some(';')),
            ("SEP=,", Some(',')),
            ("\"sep=|\"\n", Some('|')),
            ("sep=\t\n", Some('\t')),
            ("sep=x", None),
            ("sep=", None),
            ("separator;b", None),
        ] {
            assert_eq!(instruction(&sample(text)[0]), expected, "{text:?}");
        }
    }

    #[test]
    fn cells_are_split_and_unquoted() {
        for (text, expected) in [
            ("a;b;c\r\n", vec!["a", "b", "c"]),
            ("a;;\n", vec!["a", "", ""]),
            ("\"a;b\";\"say \"\"x\"\"\"", vec!["a;b", "say \"x\""]),
            ("\"a\r\nb\";c\n", vec!["a\r\nb", "c"]),
            ("1/2\" Rohr;6\" lang\n", vec!["1/2\" Rohr", "6\" lang"]),
            ("\"Spezial\" Rohr;x\n", vec!["Spezial Rohr", "x"]),
            ("\"\";\"\"\"\"\n", vec!["", "\""]),
            (" \"a\" ;b\n", vec![" \"a\" ", "b"]),
        ] {
            assert_eq!(cells(&records(text, 3)[0]), expected, "{text:?}");
        }
    }

    #[test]
    fn line_numbers_are_those_of_the_file() {
        let read_records = records("a;b\r\n\r\n\"x\ny\";1\nz;2", 2);
        let numbers: Vec<_> = read_records.iter().map(|record| record.line).collect();
        assert_eq!(numbers, [1, 2, 3, 5]);
    }

    #[test]
    fn an_unclosed_quote_affects_only_its_own_line() {
        for (text, broken, count) in [
            ("a;b\n\"Spezial;2\nc;d\ne;f\n", "\"Spezial", 4),
            ("a;b\n\"Spezial;2\nc;d\n\"e\";f\n", "\"Spezial", 4),
            ("a;b\nc;d\ne;f\n\"Spezial;2", "\"Spezial", 4),
        ] {
            let read_records = records(text, 2);
            assert_eq!(read_records.len(), count, "{text:?}");
            for record in &read_records {
                assert_eq!(record.faults.is_empty(), cells(record) != [broken, "2"], "{text:?}: {record:?}");
            }
        }
    }

    #[test]
    fn an_unclosed_quote_in_a_long_file_is_found_without_reading_it_all() {
        let text = "a;b\n\"x;1\n".to_owned() + &"c;d\n".repeat(ROW_BYTES);
        assert_eq!(records(&text, 2).len(), ROW_BYTES + 2);
    }

    #[test]
    fn a_file_full_of_unclosed_quotes_is_damaged() {
        let text = "a\";\"b\n".repeat(100_000);
        let mut records = Records::new(Lines::new(Cursor::new(text), Encoding::Utf8), ';');
        records.expect_width(2);
        let refused = loop {
            match records.next() {
                Ok(Some(_)) => {}
                Ok(None) => panic!("read to the end"),
                Err(error) => break error,
            }
        };
        assert!(matches!(refused, Error::Refused(message) if message.code == codes::FILE_DAMAGED));
    }

    proptest! {
        #[test]
        fn output_of_the_reference_writer_is_read(
            table in prop::collection::vec(prop::collection::vec("[a-c;\"\r\n ä']{0,6}", 3), 1..6)
        ) {
            let mut writer = ::csv::WriterBuilder::new().delimiter(b';').from_writer(Vec::new());
            for row in &table {
                writer.write_record(row).unwrap();
            }
            let text = String::from_utf8(writer.into_inner().unwrap()).unwrap();
            let read_records = records(&text, 3);
            let actual: Vec<_> = read_records.iter().map(cells).collect();
            prop_assert_eq!(actual, table);
        }

        #[test]
        fn our_output_is_read_by_the_reference_reader(
            table in prop::collection::vec(prop::collection::vec("[a-c;\"\r\n ä']{0,6}", 3), 1..6)
        ) {
            let dialect = Dialect { encoding: Encoding::Utf8, delimiter: ';', has_instruction: false };
            let mut writer = Writer::new(dialect);
            for row in &table {
                writer.write(row.iter().map(String::as_str));
            }
            let bytes = writer.take();
            let mut reader = ::csv::ReaderBuilder::new().delimiter(b';').has_headers(false).from_reader(&bytes[..]);
            let actual: Vec<Vec<String>> =
                reader.records().map(|row| row.unwrap().iter().map(str::to_owned).collect()).collect();
            prop_assert_eq!(actual, table);
        }

        #[test]
        fn the_reader_never_panics_or_loses_a_line(text in "[a;\"\r\n]{0,60}") {
            let read_records = records(&text, 2);
            let lines = sample(&text);
            // Every line belongs to the record before it: numbers ascend and start at 1.
            prop_assert!(read_records.windows(2).all(|pair| pair[0].line < pair[1].line));
            prop_assert_eq!(read_records.first().map(|record| record.line), lines.first().map(|_| 1));
        }
    }
}
