//! Tests with whole files of every kind, including hostile ones.

use std::{
    io::{Cursor, Write},
    path::PathBuf,
};

use tempfile::TempDir;
use zip::{CompressionMethod, ZipWriter, write::SimpleFileOptions};

use super::*;

mod csv;
mod error_file;
mod no_table;
mod options;
mod xlsx;

/// File in a folder of its own.
struct Upload {
    path: PathBuf,
    _folder: TempDir,
}

fn upload(bytes: impl AsRef<[u8]>) -> Upload {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("upload");
    std::fs::write(&path, bytes).unwrap();
    Upload { path, _folder: folder }
}

fn refusal(error: &Error) -> Code {
    match error {
        Error::Refused(message) => message.code,
        other => panic!("{other}"),
    }
}

type Table = (Vec<String>, Vec<Row>);

/// Reads header and rows, or returns the first error.
fn read(bytes: impl AsRef<[u8]>) -> Result<Table, Code> {
    let upload = upload(bytes);
    let mut sheet = open(&upload.path).map_err(|error| refusal(&error))?;
    let header = sheet.header().iter().map(|cell| cell.as_str().to_owned()).collect();
    let rows = sheet.rows().map_err(|error| refusal(&error))?.collect::<Result<Vec<_>>>();
    Ok((header, rows.map_err(|error| refusal(&error))?))
}

fn texts(row: &Row) -> Vec<&str> {
    row.cells.iter().map(Cell::as_str).collect()
}

fn codes(row: &Row) -> Vec<Code> {
    row.faults.iter().map(|fault| fault.message.code).collect()
}

/// Builds a zip file with these parts.
fn zipped<'a>(parts: impl IntoIterator<Item = (&'a str, Vec<u8>)>) -> Vec<u8> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    let options = SimpleFileOptions::default().compression_method(CompressionMethod::Deflated);
    for (name, content) in parts {
        zip.start_file(name, options).unwrap();
        zip.write_all(&content).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

const RELATIONS: &str = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";

/// Builds a workbook with one sheet of this XML.
fn workbook(sheet: impl Into<Vec<u8>>) -> Vec<u8> {
    workbook_with("<sheet name=\"a\" r:id=\"r1\"/>", "", [("xl/worksheets/sheet1.xml", sheet.into())])
}

fn workbook_with<'a>(
    sheets: &str,
    properties: &str,
    parts: impl IntoIterator<Item = (&'a str, Vec<u8>)>,
) -> Vec<u8> {
    let relation = |id: &str, kind: &str, target: &str| {
        format!("<Relationship Id=\"{id}\" Type=\"{RELATIONS}/{kind}\" Target=\"{target}\"/>")
    };
    let main = format!("<workbook xmlns:r=\"{RELATIONS}\">{properties}<sheets>{sheets}</sheets></workbook>");
    let relations = [
        relation("r1", "worksheet", "worksheets/sheet1.xml"),
        relation("r2", "worksheet", "/xl/worksheets/sheet2.xml"),
        relation("r3", "sharedStrings", "sharedStrings.xml"),
        relation("r4", "styles", "styles.xml"),
    ];
    let fixed = [
        (
            "_rels/.rels",
            format!("<Relationships>{}</Relationships>", relation("m", "officeDocument", "xl/workbook.xml")),
        ),
        ("xl/workbook.xml", main),
        ("xl/_rels/workbook.xml.rels", format!("<Relationships>{}</Relationships>", relations.concat())),
    ];
    zipped(fixed.into_iter().map(|(name, text)| (name, text.into_bytes())).chain(parts))
}

fn sheet(rows: &str) -> String {
    format!("<worksheet><dimension ref=\"A1:XFD1048576\"/><sheetData>{rows}</sheetData></worksheet>")
}

fn inline(reference: &str, text: &str) -> String {
    format!("<c r=\"{reference}\" t=\"inlineStr\"><is><t>{text}</t></is></c>")
}
