//! JSON documents with lists of objects: `{ "articles": [ { … }, … ], "warehouses": [ … ] }`, read entry by
//! entry. An entry is a row; its first cell contains its place in the document. Other members of the document
//! are skipped.

use std::{
    collections::HashSet,
    fs::File,
    io::{BufRead, BufReader, Read, Seek, SeekFrom},
};

use serde_json::{Map, Value, json};
use values::{Error, Result};

use super::{Cell, MAX_COLUMNS, ROW_BYTES, Row, RowFault, is_blank, table::CellContent};
use crate::codes;

/// Heading of the first cell, which contains places such as `articles.17`.
pub const PLACE: &str = "place";

const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";
/// Maximum number of skipped members that an error names.
const NAMES_MAX: usize = 10;
/// Maximum length of a member's name.
const NAME_BYTES: usize = 1_024;

/// Document with the members of its entries.
pub(super) struct Document {
    file: File,
    lists: &'static [&'static str],
    /// Members of all entries, in the order of their first occurrence.
    keys: Vec<String>,
}

/// True if the first bytes are those of a JSON document. A table can begin with a brace as well, in the
/// heading `{guete}`.
pub(super) fn is_document(start: &[u8]) -> bool {
    let start = start.strip_prefix(BYTE_ORDER_MARK).unwrap_or(start);
    let mut visible_bytes = start.iter().filter(|byte| !byte.is_ascii_whitespace());
    match (visible_bytes.next(), visible_bytes.next()) {
        (Some(b'{'), next) => matches!(next, Some(b'"' | b'}') | None),
        (Some(b'['), next) => matches!(next, Some(b'{' | b'[' | b'"' | b']')),
        _ => false,
    }
}

impl Document {
    /// Reads the whole document once, so that errors are found before any of it is used.
    pub(super) fn open(file: File, lists: &'static [&'static str]) -> Result<Self> {
        let mut document = Self { file, lists, keys: Vec::new() };
        let (mut keys, mut unique_keys) = (Vec::new(), HashSet::new());
        let mut entries = document.entries()?;
        while let Some(Entry { value, .. }) = entries.next()? {
            let Value::Object(members) = value else { continue };
            for key in members.into_iter().map(|(key, _)| key) {
                if !unique_keys.contains(&key) {
                    if keys.len() + 1 == MAX_COLUMNS {
                        return Err(codes::TOO_MANY_COLUMNS.with("max", MAX_COLUMNS).into());
                    }
                    unique_keys.insert(key.clone());
                    keys.push(key);
                }
            }
        }
        document.keys = keys;
        Ok(document)
    }

    pub(super) fn header(&self) -> Vec<Cell> {
        [PLACE].into_iter().chain(self.keys.iter().map(String::as_str)).map(Cell::text).collect()
    }

    pub(super) fn rows(&mut self) -> Result<Records<'_>> {
        let keys = self.keys.clone();
        Ok(Records { entries: self.entries()?, keys })
    }

    fn entries(&mut self) -> Result<Entries<BufReader<&mut File>>> {
        self.file.rewind().map_err(Error::internal)?;
        let mut start = [0; BYTE_ORDER_MARK.len()];
        let count = self.file.read(&mut start).map_err(Error::internal)?;
        let marked = start.get(..count) == Some(BYTE_ORDER_MARK);
        let begins = if marked { BYTE_ORDER_MARK.len() as u64 } else { 0 };
        self.file.seek(SeekFrom::Start(begins)).map_err(Error::internal)?;
        Ok(Entries::new(BufReader::new(&mut self.file), self.lists))
    }
}

/// Entries of all lists as rows, numbered from 1.
pub(super) struct Records<'d> {
    entries: Entries<BufReader<&'d mut File>>,
    keys: Vec<String>,
}

impl Records<'_> {
    pub(super) fn next(&mut self) -> Result<Option<Row>> {
        let Some(Entry { number, list, index, value }) = self.entries.next()? else { return Ok(None) };
        let mut cells = vec![Cell::Text(format!("{list}.{index}"))];
        let mut faults = Vec::new();
        if let Value::Object(mut members) = value {
            cells.extend(self.keys.iter().map(|key| members.remove(key).map(cell).unwrap_or_default()));
        } else {
            // after all members, so that it is not lost
            cells.resize(1 + self.keys.len(), Cell::default());
            cells.push(cell(value));
            faults.push(RowFault::in_row(codes::OBJECT_EXPECTED));
        }
        Ok(Some(Row { line: number, cells, faults }))
    }
}

fn cell(value: Value) -> Cell {
    match value {
        Value::Null => Cell::default(),
        // databases do not accept NUL
        Value::String(text) => Cell::Text(text.replace('\0', "\u{FFFD}")),
        value => Cell::Value { json: value.to_string() },
    }
}

/// Entry of a list.
#[derive(Debug, PartialEq)]
struct Entry {
    /// Number among the entries of all lists.
    number: u32,
    list: &'static str,
    index: u32,
    value: Value,
}

/// Reader of entries, with only one in memory at a time.
struct Entries<R> {
    source: std::io::Bytes<R>,
    peeked: Option<u8>,
    line: u32,
    lists: &'static [&'static str],
    state: State,
    number: u32,
    /// Lists that have been read, and skipped members of the document.
    read_lists: Vec<&'static str>,
    skipped_members: Vec<String>,
}

#[derive(Clone, Copy)]
enum State {
    Start,
    Members { first: bool },
    In { list: &'static str, index: u32 },
    End,
}

impl<R: BufRead> Entries<R> {
    fn new(source: R, lists: &'static [&'static str]) -> Self {
        let (read_lists, skipped_members) = (Vec::new(), Vec::new());
        Self {
            source: source.bytes(),
            peeked: None,
            line: 1,
            lists,
            state: State::Start,
            number: 0,
            read_lists,
            skipped_members,
        }
    }

    fn next(&mut self) -> Result<Option<Entry>> {
        loop {
            match self.state {
                State::Start => {
                    if self.token()? != Some(b'{') {
                        return Err(codes::DOCUMENT_EXPECTED.list("lists", self.lists).into());
                    }
                    self.state = State::Members { first: true };
                }
                State::Members { first } => self.member(first)?,
                State::In { list, index } => {
                    if let Some(value) = self.entry(list, index)? {
                        self.state = State::In { list, index: index + 1 };
                        self.number += 1;
                        return Ok(Some(Entry { number: self.number, list, index, value }));
                    }
                    self.state = State::Members { first: false };
                }
                State::End => return Ok(None),
            }
        }
    }

    /// Reads the next member's name and enters its list; a member that is no known list is skipped.
    fn member(&mut self, first: bool) -> Result<()> {
        let mut token = self.token()?;
        if token == Some(b'}') {
            return self.end();
        }
        if !first {
            self.expect(token, b',')?;
            token = self.token()?;
        }
        self.expect(token, b'"')?;
        self.peeked = token;
        let mut name = Vec::new();
        if !self.raw(&mut name, Some(NAME_BYTES))? {
            return Err(self.damaged());
        }
        let Ok(Value::String(name)) = serde_json::from_slice(&name) else { return Err(self.damaged()) };
        let colon = self.token()?;
        self.expect(colon, b':')?;
        let begins = self.token()?;
        let Some(list) = self.lists.iter().copied().find(|list| *list == name) else {
            if self.skipped_members.len() < NAMES_MAX {
                self.skipped_members.push(if is_blank(&name) { format!("„{name}“") } else { name });
            }
            self.peeked = begins;
            self.state = State::Members { first: false };
            return self.raw(&mut Vec::new(), None).map(|_| ());
        };
        if self.read_lists.contains(&list) {
            return Err(codes::LIST_REPEATED.with("name", list).into());
        }
        if begins != Some(b'[') {
            return Err(codes::LIST_EXPECTED.with("name", list).into());
        }
        self.read_lists.push(list);
        self.state = State::In { list, index: 0 };
        Ok(())
    }

    /// Reads the next entry of a list; `None` at its end.
    fn entry(&mut self, list: &str, index: u32) -> Result<Option<Value>> {
        let mut token = self.token()?;
        if token == Some(b']') {
            return Ok(None);
        }
        if index > 0 {
            self.expect(token, b',')?;
            token = self.token()?;
        }
        self.peeked = token;
        match self.value(&format!("{list}.{index}"))? {
            Ok(value) => Ok(Some(value)),
            Err(_) => Err(self.damaged()),
        }
    }

    /// Checks that only white space follows and that there was a list.
    fn end(&mut self) -> Result<()> {
        if self.token()?.is_some() {
            return Err(self.damaged());
        }
        if self.read_lists.is_empty() {
            let members = if self.skipped_members.is_empty() {
                vec!["–".to_owned()]
            } else {
                self.skipped_members.clone()
            };
            return Err(codes::LISTS_MISSING.list("lists", self.lists).list("found", members).into());
        }
        self.state = State::End;
        Ok(())
    }

    /// Reads the value that begins here.
    fn value(&mut self, place: &str) -> Result<serde_json::Result<Value>> {
        let mut bytes = Vec::new();
        if !self.raw(&mut bytes, Some(ROW_BYTES))? {
            let refused = codes::ENTRY_TOO_LONG.with("place", place);
            return Err(refused.with("max", format!("{} MiB", ROW_BYTES >> 20)).into());
        }
        Ok(serde_json::from_slice(&bytes))
    }

    /// Collects the raw bytes of a value, or skips it if `max` is `None`. Returns false if it is longer than
    /// `max`. Does not check that its content is valid JSON.
    fn raw(&mut self, bytes: &mut Vec<u8>, max: Option<usize>) -> Result<bool> {
        let (mut depth, mut quoted, mut escaped) = (0_u64, false, false);
        loop {
            let Some(byte) = self.byte()? else {
                // only a number or a word can end with the file, and neither may do so within an object
                return Err(self.damaged());
            };
            let ends_before = !quoted && depth == 0 && matches!(byte, b',' | b']' | b'}' | b':');
            if ends_before || (!quoted && depth == 0 && byte.is_ascii_whitespace()) {
                self.peeked = Some(byte);
                return Ok(true);
            }
            if let Some(max) = max {
                if bytes.len() == max {
                    return Ok(false);
                }
                bytes.push(byte);
            }
            match byte {
                _ if escaped => escaped = false,
                b'\\' if quoted => escaped = true,
                b'"' => quoted = !quoted,
                _ if quoted => {}
                b'{' | b'[' => depth += 1,
                b'}' | b']' => depth -= 1,
                _ => {}
            }
            if depth == 0 && !quoted && matches!(byte, b'"' | b'}' | b']') {
                return Ok(true);
            }
        }
    }

    /// Returns the next byte that is no white space.
    fn token(&mut self) -> Result<Option<u8>> {
        loop {
            match self.byte()? {
                Some(b' ' | b'\t' | b'\n' | b'\r') => {}
                token => return Ok(token),
            }
        }
    }

    fn byte(&mut self) -> Result<Option<u8>> {
        if let Some(byte) = self.peeked.take() {
            return Ok(Some(byte));
        }
        let byte = self.source.next().transpose().map_err(Error::internal)?;
        if byte == Some(b'\n') {
            self.line = self.line.saturating_add(1);
        }
        Ok(byte)
    }

    fn expect(&self, actual: Option<u8>, expected: u8) -> Result<()> {
        if actual == Some(expected) { Ok(()) } else { Err(self.damaged()) }
    }

    fn damaged(&self) -> Error {
        codes::DOCUMENT_DAMAGED.with("line", self.line).into()
    }
}

/// Writer of rows as such a document; the rows of each list must be consecutive.
#[derive(Default)]
pub(super) struct Writer {
    keys: Vec<String>,
    list: Option<String>,
}

impl Writer {
    /// Returns the text that a row adds to the file; the first row is the header.
    pub(super) fn add(&mut self, row: &[CellContent]) -> String {
        let texts = || row.iter().map(|cell| if let CellContent::Text(text) = cell { text } else { "" });
        if self.keys.is_empty() {
            self.keys = texts().map(str::to_owned).collect();
            return "{".to_owned();
        }
        let place = texts().next().unwrap_or_default();
        let list = place.rsplit_once('.').map_or(place, |(list, _)| list);
        let mut members = Map::new();
        let further = std::iter::repeat("value");
        for (key, cell) in self.keys.iter().map(String::as_str).chain(further).zip(row).skip(1) {
            match cell {
                CellContent::Text(text) if text.is_empty() => None,
                CellContent::Text(text) => members.insert(key.to_owned(), json!(text)),
                CellContent::Number(number) => members.insert(key.to_owned(), json!(number)),
                CellContent::Time(time) => members.insert(key.to_owned(), json!(time.to_string())),
                CellContent::Value(json) => {
                    members.insert(key.to_owned(), serde_json::from_str(json).unwrap_or_default())
                }
            };
        }
        let entry = Value::Object(members);
        if self.list.as_deref() == Some(list) {
            return format!(",\n    {entry}");
        }
        let before = if self.list.replace(list.to_owned()).is_some() { "\n  ]," } else { "" };
        format!("{before}\n  {}: [\n    {entry}", json!(list))
    }

    /// Returns the end of the file.
    pub(super) fn finish(&self) -> &'static str {
        if self.list.is_some() { "\n  ]\n}\n" } else { "}\n" }
    }
}

#[cfg(test)]
mod tests {
    use std::io::{Cursor, Write as _};

    use super::*;
    use crate::{Content, Format, error_file::ErrorFile};

    const LISTS: &[&str] = &["articles", "places"];

    fn document(text: impl AsRef<[u8]>) -> Result<crate::Sheet> {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all(text.as_ref()).unwrap();
        crate::open_as(file.path(), Content::Document(LISTS))
    }

    fn rows(text: impl AsRef<[u8]>) -> (Vec<String>, Vec<Row>) {
        let mut sheet = document(text).unwrap();
        assert_eq!(sheet.format(), Format::Json);
        let header = sheet.header().iter().map(|cell| cell.as_str().to_owned()).collect();
        (header, sheet.rows().unwrap().map(Result::unwrap).collect())
    }

    fn refused(text: impl AsRef<[u8]>) -> String {
        match document(text).map(|_| ()).unwrap_err() {
            Error::Refused(message) => message.text(values::Language::En),
            other => panic!("{other}"),
        }
    }

    fn texts(row: &Row) -> Vec<&str> {
        row.cells.iter().map(Cell::as_str).collect()
    }

    #[test]
    fn entries_of_the_lists_are_rows_with_their_paths() {
        let (header, rows) = rows(
            "\u{FEFF} {\"made\": {\"by\": [\"x]\"]}, \"articles\": [{\"number\": \"0\\u0030 1\"},\n\
             {\"name\": \"HEB \\\"200\\\" {\", \"number\": null}], \"places\":[ {\"number\":\"A\",\"is\":[1,{\"a\":2}]} ] , \
             \"other\": [{\"number\": \"no\"}], \"n\": -1.5e3 }\n",
        );
        assert_eq!(header, ["place", "number", "name", "is"]);
        assert_eq!(rows.iter().map(|row| row.line).collect::<Vec<_>>(), [1, 2, 3]);
        assert_eq!(texts(&rows[0]), ["articles.0", "00 1", "", ""]);
        assert_eq!(texts(&rows[1]), ["articles.1", "", "HEB \"200\" {", ""]);
        assert_eq!(texts(&rows[2]), ["places.0", "A", "", "[1,{\"a\":2}]"]);
        assert!(rows.iter().all(|row| row.faults.is_empty()));
    }

    #[test]
    fn values_are_distinguished_from_texts_and_entries_must_be_objects() {
        let (_, rows) =
            rows(r#"{"articles": [{"number": 4711}, "4712", {"number": true}, {"number": "a\u0000b"}]}"#);
        assert_eq!(rows[0].cells[1], Cell::Value { json: "4711".to_owned() });
        assert_eq!(rows[2].cells[1], Cell::Value { json: "true".to_owned() });
        assert_eq!(rows[3].cells[1], Cell::text("a\u{FFFD}b"));
        assert_eq!(rows[1].faults, [RowFault::in_row(codes::OBJECT_EXPECTED)]);
        assert_eq!(texts(&rows[1]), ["articles.1", "", "4712"], "it is kept for the error file");
    }

    #[test]
    fn broken_documents_are_refused_with_the_reason() {
        let expected = "The file is no JSON object. For this content a JSON document with the lists articles, places is read.";
        for bytes in
            [&b"%PDF-1.7\n"[..], b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", b"{\0\0\0\0\"a\":1}", b"{\0\"\0a\0\"\0:\0"]
        {
            assert_eq!(refused(bytes), expected, "{bytes:?}");
        }
        let message = refused(r#"{"": [], " ": 1}"#);
        assert_eq!(message, "The document holds none of the lists articles, places; found were: „“, „ “");
        let long = format!("{{\"{}\": []}}", "a".repeat(2_000));
        assert_eq!(refused(long), "The JSON document is malformed in line 1 and cannot be read");
    }

    #[test]
    fn malformed_or_unexpected_documents_are_refused_with_the_reason() {
        let cases: [(&str, &str); 13] = [
            ("[{\"number\": \"1\"}]", "no JSON object"),
            ("{}", "none of the lists articles, places; found were: –"),
            ("{\"a\": 1, \"b\": []}", "found were: a, b"),
            ("{\"articles\": {}}", "“articles” has to be a list"),
            ("{\"articles\": [], \"articles\": []}", "occurs more than once"),
            ("{\"articles\": [\n{\"a\": \"1\"\n}", "malformed in line 3"),
            ("{\"articles\": [{\"a\": \"1\"},\n]}", "malformed in line 2"),
            ("{\"articles\": [{\"a\": 01}]}", "malformed in line 1"),
            ("{\"articles\": [{\"a\": \"1}]}", "malformed"),
            ("{\"articles\": [{} {}]}", "malformed"),
            ("{\"articles\": [] \"b\": 1}", "malformed"),
            ("{\"articles\": []} x", "malformed"),
            ("{\"articles\": [{}], }", "malformed"),
        ];
        for (text, expected) in cases {
            let refused = refused(text);
            assert!(refused.contains(expected), "{text}: {refused}");
        }
        assert!(refused(b"{\"articles\": [{\"a\": \"\xE4\"}]}").contains("malformed"), "only UTF-8 is JSON");
        let deep = format!("{{\"articles\": [{}{}]}}", "[".repeat(9_999), "]".repeat(9_999));
        assert!(refused(deep).contains("malformed"));
        let long = format!("{{\"articles\": [{{}}, {{\"a\": \"{}\"}}]}}", "x".repeat(ROW_BYTES));
        assert_eq!(refused(long), "The entry articles.1 of the document is longer than 1 MiB");
        let wide: Vec<_> = (0..MAX_COLUMNS).map(|number| format!("\"k{number}\": 1")).collect();
        assert!(
            refused(format!("{{\"articles\": [{{{}}}]}}", wide.join(","))).contains("more than 550 columns")
        );
    }

    #[test]
    fn documents_and_tables_are_distinguished() {
        let cases = [
            ("{\"articles\": []}", true),
            (" {\n}", true),
            ("[]", true),
            ("{guete};Menge\n1;2\n", false),
            ("{guete}\n", false),
            ("[Nr.];Menge\n", false),
            ("Artikelnummer;Menge\n", false),
        ];
        for (text, expected) in cases {
            assert_eq!(is_document(text.as_bytes()), expected, "{text}");
        }
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all(b"{\"articles\": []}").unwrap();
        assert!(
            matches!(crate::open(file.path()), Err(Error::Refused(message)) if message.code == codes::TABLE_EXPECTED)
        );
        assert!(refused("Artikelnummer;Menge\n1;2\n").contains("no JSON object"));
    }

    #[test]
    fn an_error_file_is_a_document_that_can_be_read_again() {
        let text =
            r#"{"articles": [{"number": 1, "more": {"a": [null]}}, "x"], "places": [{"number": "=1+1"}]}"#;
        let (header, before) = rows(text);
        let header: Vec<Cell> = header.iter().map(|text| Cell::text(text)).collect();
        let mut file =
            ErrorFile::new(Cursor::new(Vec::new()), Format::Json, &header, values::Language::En).unwrap();
        for row in &before {
            let number = header.iter().position(|cell| cell.as_str() == "number").unwrap();
            let faults = [RowFault::in_cell(number, codes::TEXT_EXPECTED)];
            file.add(row.line, &row.cells, &faults).unwrap();
        }
        let written = String::from_utf8(file.finish().unwrap().into_inner()).unwrap();
        let actual: Value = serde_json::from_str(&written).unwrap();
        let expected = json!({
            "articles": [
                {"number": 1, "more": {"a": [null]}, "Error": "number: This has to be a text in quotes", "Error code": "text_expected", "Line": "1"},
                {"value": "x", "Error": "number: This has to be a text in quotes", "Error code": "text_expected", "Line": "2"},
            ],
            "places": [{"number": "=1+1", "Error": "number: This has to be a text in quotes", "Error code": "text_expected", "Line": "3"}],
        });
        assert_eq!(actual, expected);
        let (_, after) = rows(&written);
        assert_eq!(after.len(), 3);
        assert_eq!(after[2].cells[0], Cell::text("places.0"));
    }

    #[test]
    fn memory_does_not_grow_with_the_document() {
        // one entry after the other, without storing any
        let listed: Vec<_> = (0..50_000).map(|number| format!("{{\"number\":\"{number}\"}}")).collect();
        let text = format!("{{\"articles\":[{}]}}", listed.join(","));
        let mut entries = Entries::new(Cursor::new(text), LISTS);
        let mut last = None;
        while let Some(entry) = entries.next().unwrap() {
            assert!(entries.skipped_members.is_empty() && entries.read_lists.len() == 1);
            last = Some(entry);
        }
        let last = last.unwrap();
        assert_eq!((last.number, last.index, last.value), (50_000, 49_999, json!({ "number": "49999" })));
    }
}
