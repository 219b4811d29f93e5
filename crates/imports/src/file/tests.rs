//! Whole files of every kind, hostile ones among them.

use std::{
    io::{Cursor, Write},
    path::PathBuf,
};

use kernel::Language;
use proptest::prelude::*;
use tempfile::TempDir;
use zip::{CompressionMethod, ZipWriter, write::SimpleFileOptions};

use super::{error_file::ErrorFile, *};

/// A file in a folder of its own.
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

/// Header and rows, or the first refusal.
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

/// A zip file with these parts.
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

/// A workbook with one sheet, of this XML.
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

// CSV

#[test]
fn a_german_csv_file_is_read_in_every_encoding() {
    let text = "Artikeltyp;Länge [m];Bezeichnung\r\nRohr;12,5;Ø 12 „groß“\r\n";
    for encoding in [
        Encoding::Utf8,
        Encoding::Utf8WithMark,
        Encoding::Utf16LittleEndian,
        Encoding::Utf16BigEndian,
        Encoding::Windows1252,
    ] {
        let mut bytes = encoding.mark().to_vec();
        encoding.encode(text, &mut bytes);
        let (header, rows) = read(bytes).unwrap();
        assert_eq!(header, ["Artikeltyp", "Länge [m]", "Bezeichnung"], "{encoding:?}");
        assert_eq!(texts(&rows[0]), ["Rohr", "12,5", "Ø 12 „groß“"], "{encoding:?}");
    }
}

#[test]
fn trailing_columns_and_rows_do_not_count() {
    let (header, rows) =
        read("sep=;\r\n;;;\r\na;b;;\r\n1;2;;\r\n\r\n;;;\r\n  ;\r\n3;4;;\r\n;;;\r\n").unwrap();
    assert_eq!(header, ["a", "b"]);
    let rows: Vec<_> = rows.iter().map(|row| (row.line, texts(row))).collect();
    assert_eq!(rows, [(4, vec!["1", "2"]), (8, vec!["3", "4"])]);
}

#[test]
fn a_row_of_another_width_is_a_fault_of_its_own() {
    let (_, rows) = read("a;b;c\n1;2;3\n1;2\n1;2;3;4\n1;2;3;;\n1;2;\n").unwrap();
    let faults: Vec<_> = rows.iter().map(codes).collect();
    assert_eq!(faults, [vec![], vec![Code::CellCount], vec![Code::CellCount], vec![], vec![]]);
    assert_eq!(texts(&rows[1]), ["1", "2", ""]);
    assert_eq!(texts(&rows[2]), ["1", "2", "3", "4"], "nothing is lost");
    let text = rows[2].faults[0].message.text(Language::De);
    assert_eq!(text, "Die Zeile hat 4 Zellen, die Kopfzeile 3");
}

#[test]
fn what_no_database_takes_is_refused_cell_by_cell() {
    let long = "x".repeat(MAX_CELL + 1);
    let filler = "gut;gut\n".repeat(100);
    let text = format!("a;b\n{filler}x\0y;\u{1b}\n{long};ok\nä\tb;\"x\r\ny\"\n");
    let (_, rows) = read(text).unwrap();
    let rows = &rows[100..];
    assert_eq!(codes(&rows[0]), [Code::InvalidCharacters, Code::InvalidCharacters]);
    assert_eq!(texts(&rows[0])[0], "x\u{FFFD}y", "a NUL goes nowhere");
    assert_eq!(codes(&rows[1]), [Code::CellTooLong]);
    assert_eq!(rows[1].faults[0].column, Some(0));
    assert_eq!(texts(&rows[1])[0].len(), MAX_CELL + 1);
    assert_eq!(codes(&rows[2]), []);
    assert_eq!(
        codes(&read([b"a;b\nx\xC3;1\n".as_slice(), &[0xFF]].concat()).unwrap().1[0]),
        [],
        "Windows-1252 has all bytes"
    );
}

#[test]
fn broken_bytes_cost_their_own_rows_and_are_told() {
    let good = "Träger;Länge\r\nGröße;ä\r\n";
    let upload = upload([good.as_bytes(), b"Tr\xE4ger;x\r\nx;\xC3\r\n", "Höhe;ß\r\n".as_bytes()].concat());
    let mut sheet = open(&upload.path).unwrap();
    let notes: Vec<_> = sheet.notes().iter().map(|note| note.text(Language::De)).collect();
    assert_eq!(notes.len(), 1);
    assert!(notes[0].starts_with("Die Datei ist in UTF-8 gespeichert") && notes[0].contains("(Stellen: 2)"));
    let rows: Vec<_> = sheet.rows().unwrap().map(Result::unwrap).collect();
    let found: Vec<_> = rows
        .iter()
        .map(|row| (row.line, row.faults.iter().map(|fault| (fault.column, fault.message.code)).collect()))
        .collect::<Vec<(u32, Vec<_>)>>();
    let expected = [
        (2, vec![]),
        (3, vec![(Some(0), Code::CharacterSet)]),
        (4, vec![(Some(1), Code::CharacterSet)]),
        (5, vec![]),
    ];
    assert_eq!(found, expected);
    assert_eq!(texts(&rows[3]), ["Höhe", "ß"]);
}

#[test]
fn how_a_file_was_read_is_told_unless_it_is_utf8() {
    let notes = |bytes: &[u8]| {
        let upload = upload(bytes);
        let sheet = open(&upload.path).unwrap();
        sheet.notes().iter().map(|note| note.text(Language::En)).collect::<Vec<_>>().join("\n")
    };
    assert_eq!(notes("a;ä\n".as_bytes()), "");
    assert_eq!(notes("\u{FEFF}a;ä\n".as_bytes()), "");
    assert!(notes(b"a;\xE4\n").contains("read as Windows-1252."));
    assert!(notes(b"\xFF\xFEa\0;\0\xE4\0\n\0").contains("read as UTF-16."));
    let cut = notes(b"\xFF\xFEa\0;\0\xE4\0\n");
    assert!(cut.contains("read as UTF-16.") && cut.contains("(places: 1)"), "{cut}");
}

#[test]
fn in_an_old_code_page_rows_in_utf8_are_refused() {
    let mut bytes = b"Tr\xE4ger;L\xE4nge\r\nGr\xF6\xDFe;\xFC\xE4\xF6\xFC\xE4\xF6\xFC\r\n".to_vec();
    bytes.extend("Träger;x\r\n".as_bytes());
    let (header, rows) = read(bytes).unwrap();
    assert_eq!(header, ["Träger", "Länge"]);
    assert_eq!(rows.iter().map(codes).collect::<Vec<_>>(), [vec![], vec![Code::CharacterSet]]);
}

#[test]
fn what_nobody_sees_is_neither_a_row_nor_in_the_name_of_a_column() {
    let (header, rows) = read(
        "\u{FEFF}\u{FEFF}Artikel\u{AD}typ;\u{200B}Länge [\u{2060}m]\r\n\
         \u{200B};\u{FEFF}\r\nRund\u{AD}rohr;12,5\r\n",
    )
    .unwrap();
    assert_eq!(header, ["Artikeltyp", "Länge [m]"]);
    let found: Vec<_> = rows.iter().map(|row| (row.line, texts(row))).collect();
    assert_eq!(found, [(3, vec!["Rund\u{AD}rohr", "12,5"])]);
    let rows =
        format!("<row>{}</row><row>{}</row>", inline("A1", "a\u{AD}b"), inline("A2", "&#8203;&#xFEFF;"));
    assert_eq!(read(workbook(sheet(&rows))).unwrap(), (vec!["ab".to_owned()], vec![]));
}

#[test]
fn texts_that_look_the_same_are_seen_to_be() {
    for (text, seen) in [
        ("Rund\u{AD}rohr\u{200B}", "Rundrohr"),
        ("\u{202A}12,5\u{202C}", "12,5"),
        ("\u{FEFF}\u{2060}\u{200E}A", "A"),
        ("Träger", "Träger"),
        ("पानी 👩\u{200D}🔧", "पानी 👩\u{200D}🔧"),
    ] {
        assert_eq!(visible(text), seen);
    }
    assert!(is_blank(" \u{200B}\u{A0}") && !is_blank("\u{200D}"));
}

#[test]
fn the_sign_at_the_end_of_an_old_file_is_no_row() {
    let (_, rows) = read("a;b\r\n1;2\r\n\u{1A}").unwrap();
    assert_eq!(rows.iter().map(texts).collect::<Vec<_>>(), [["1", "2"]]);
    assert!(rows[0].faults.is_empty());
    assert_eq!(read("\u{1A}").unwrap_err(), Code::FileEmpty);
}

#[test]
fn the_name_of_a_column_is_as_long_as_any_name() {
    let spaced = |length: usize| "Artikel".to_owned() + &" ".repeat(length - 10) + "typ;b\n1;2\n";
    assert!(read(spaced(255)).is_ok());
    assert_eq!(read(spaced(256)).unwrap_err(), Code::ColumnNameTooLong);
    let upload = upload("a;".to_owned() + &"x".repeat(1_000_000));
    let refused = open(&upload.path).err().unwrap().to_string();
    assert!(refused.starts_with("The heading of column B is longer than 255 characters"), "{refused}");
}

#[test]
fn too_many_columns_are_refused_in_the_header_and_a_fault_below() {
    assert_eq!(read("a;".repeat(200) + "b\n1\n").unwrap_err(), Code::TooManyColumns);
    assert!(read("a;".repeat(199) + "b\n").is_ok());
    let (_, rows) = read("a;b\n".to_owned() + &"1;".repeat(100_000) + "\n").unwrap();
    assert_eq!(codes(&rows[0]), [Code::CellCount]);
}

#[test]
fn rows_are_limited() {
    let upload = upload("a\n".to_owned() + &"1\n".repeat(1_000_001));
    let mut sheet = open(&upload.path).unwrap();
    let (read, error) = sheet.rows().unwrap().fold((0, None), |(read, error), row| match row {
        Ok(_) => (read + 1, error),
        Err(refused) => (read, Some(refusal(&refused))),
    });
    assert_eq!((read, error), (1_000_000, Some(Code::TooManyRows)));
}

// What is no table

#[test]
fn what_is_no_table_is_refused() {
    let gzip =
        b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03\x4b\x4c\x4a\x06\x00\xc2\x41\x24\x35\x03\x00\x00\x00";
    let rubbish: Vec<u8> =
        (0..10_000_u32).map(|index| (index.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
    for (what, bytes, code) in [
        ("empty", &b""[..], Code::FileEmpty),
        ("only a byte order mark", b"\xEF\xBB\xBF", Code::FileEmpty),
        ("only white space", b" \r\n;;\r\n\t\r\n", Code::FileEmpty),
        ("gzip", gzip, Code::FileUnreadable),
        ("rubbish", &rubbish, Code::FileUnreadable),
        ("PDF", b"%PDF-1.7\n1 0 obj\n", Code::FileUnreadable),
        ("PNG", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", Code::FileUnreadable),
        (
            "another file of old office programs",
            b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1\0\0\0\0\0\0\0\0",
            Code::FileUnreadable,
        ),
        ("UTF-16 without a mark", b"A\0r\0t\0", Code::FileUtf16),
        ("the same, big end first", b"\0A\0r\0t\x20\xAC", Code::FileUtf16),
        ("a zip that is no workbook", &zipped([("a.txt", b"a".to_vec())]), Code::FileUnreadable),
        ("a line without end", &b"a".repeat(2 << 20), Code::LineTooLong),
    ] {
        assert_eq!(read(bytes).unwrap_err(), code, "{what}");
    }
}

/// Written by programs that write such files.
#[test]
fn workbooks_that_cannot_be_read_are_told_as_what_they_are() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata/files");
    for (name, code) in [("password.xlsx", Code::FileEncrypted), ("old.xls", Code::FileOldExcel)] {
        let bytes = std::fs::read(format!("{folder}/{name}")).unwrap();
        assert_eq!(read(&bytes).unwrap_err(), code, "{name}");
        // Wherever the directory lies in the file.
        let shifted = [&bytes[..512], &vec![0xAA; (64 << 10) - 600], &bytes[512..]].concat();
        assert_eq!(read(shifted).unwrap_err(), code, "{name}, with its directory further back");
    }
    let mut encrypted = workbook(sheet(""));
    let entry = encrypted.windows(4).position(|window| window == b"PK\x01\x02").unwrap();
    encrypted[entry + 8] |= 1;
    assert_eq!(read(encrypted).unwrap_err(), Code::FileEncrypted, "a zip whose directory says so");
}

#[test]
fn a_header_alone_has_no_rows() {
    assert_eq!(read("a;b\r\n").unwrap(), (vec!["a".to_owned(), "b".to_owned()], vec![]));
}

#[test]
fn large_files_are_not_even_opened() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("large");
    let mut file = File::create(&path).unwrap();
    file.write_all(&b"a;b\n".repeat(2_000)).unwrap();
    file.set_len(MAX_CSV_BYTES + 1).unwrap();
    drop(file);
    assert_eq!(refusal(&open(&path).err().unwrap()), Code::FileTooLarge);
}

// XLSX

#[test]
fn cells_of_a_workbook_are_read_as_a_person_sees_them() {
    let strings = "<sst uniqueCount=\"99999999999999\"><si><t xml:space=\"preserve\"> a &amp; b</t></si>\
                   <si><r><t>IPE</t></r><r><rPr><b/></rPr><t> 80</t></r><rPh sb=\"0\" eb=\"1\"><t>aid</t></rPh></si>\
                   <si><t>x_x000D_y_x005F_x000D_</t></si><si/></sst>";
    let styles = "<styleSheet><numFmts><numFmt numFmtId=\"164\" formatCode=\"dd.mm.yyyy\"/>\
                  <numFmt numFmtId=\"165\" formatCode=\"0.00\\ &quot;Tsd d&quot;\"/></numFmts>\
                  <cellStyleXfs><xf numFmtId=\"14\"/></cellStyleXfs>\
                  <cellXfs><xf numFmtId=\"0\"/><xf numFmtId=\"164\"/><xf numFmtId=\"165\"/><xf numFmtId=\"22\"/>\
                  <xf numFmtId=\"21\"/></cellXfs></styleSheet>";
    let cells = [
        ("<c t=\"s\"><v>0</v></c>", Cell::text(" a & b")),
        ("<c t=\"s\"><v>1</v></c>", Cell::text("IPE 80")),
        ("<c t=\"s\"><v>2</v></c>", Cell::text("x\ry_x000D_")),
        ("<c t=\"s\"><v>3</v></c>", Cell::text("")),
        ("<c t=\"inlineStr\"><is><t>&#216; &lt;12&gt;</t></is></c>", Cell::text("Ø <12>")),
        ("<c t=\"inlineStr\"><is><t><![CDATA[a<b]]></t></is></c>", Cell::text("a<b")),
        ("<c><v>12.100000000000001</v></c>", Cell::Number { number: "12.1".to_owned() }),
        ("<c><v>0.30000000000000004</v></c>", Cell::Number { number: "0.3".to_owned() }),
        ("<c><v>1E-3</v></c>", Cell::Number { number: "0.001".to_owned() }),
        ("<c><v>4.012345678901E12</v></c>", Cell::Number { number: "4012345678901".to_owned() }),
        ("<c s=\"2\"><v>-0.5</v></c>", Cell::Number { number: "-0.5".to_owned() }),
        ("<c><v>1E300</v></c>", Cell::text("1E300")),
        ("<c s=\"1\"><v>45688</v></c>", Cell::text("2025-01-31")),
        ("<c s=\"3\"><v>45688.75</v></c>", Cell::text("2025-01-31T18:00:00")),
        ("<c s=\"4\"><v>0.5</v></c>", Cell::text("12:00:00")),
        ("<c t=\"b\"><v>1</v></c>", Cell::text("true")),
        ("<c t=\"d\"><v>2025-01-31</v></c>", Cell::text("2025-01-31")),
        ("<c t=\"str\"><f>A1&amp;B1</f><v>cached</v></c>", Cell::text("cached")),
        ("<c><f>1+1</f><v>2</v></c>", Cell::Number { number: "2".to_owned() }),
        ("<c s=\"7\"/>", Cell::text("")),
        ("<c t=\"e\"><f>1/0</f><v>#DIV/0!</v></c>", Cell::text("#DIV/0!")),
    ];
    let header = "<c t=\"str\"><v>h</v></c>".repeat(cells.len());
    let row: String = cells.iter().map(|(xml, _)| *xml).collect();
    let bytes = workbook_with(
        "<sheet name=\"hidden\" state=\"hidden\" r:id=\"r1\"/><sheet name=\"a\" r:id=\"r2\"/>",
        "",
        [
            ("xl/sharedStrings.xml", strings.as_bytes().to_vec()),
            ("xl/styles.xml", styles.as_bytes().to_vec()),
            ("xl/worksheets/sheet1.xml", sheet("<row><c><v>1</v></c></row>").into_bytes()),
            (
                "xl/worksheets/sheet2.xml",
                sheet(&format!("<row r=\"3\">{header}</row><row>{row}</row>")).into_bytes(),
            ),
        ],
    );
    let (_, rows) = read(&bytes).unwrap();
    assert_eq!(rows[0].line, 4);
    for (read, (xml, expected)) in rows[0].cells.iter().zip(&cells) {
        assert_eq!(read, expected, "{xml}");
    }
    assert_eq!(codes(&rows[0]), [Code::FormulaError]);
    assert_eq!(rows[0].faults[0].column, Some(cells.len() - 1));
}

#[test]
fn days_count_from_1904_where_the_workbook_says_so() {
    let styles = "<styleSheet><cellXfs><xf numFmtId=\"14\"/></cellXfs></styleSheet>";
    let date = |properties: &str, serial: &str| {
        let rows = format!("<row>{}</row><row><c s=\"0\"><v>{serial}</v></c></row>", inline("A1", "h"));
        let parts = [
            ("xl/styles.xml", styles.as_bytes().to_vec()),
            ("xl/worksheets/sheet1.xml", sheet(&rows).into_bytes()),
        ];
        let bytes = workbook_with("<sheet name=\"a\" r:id=\"r1\"/>", properties, parts);
        read(bytes).unwrap().1[0].cells[0].as_str().to_owned()
    };
    assert_eq!(date("", "1"), "1900-01-01");
    assert_eq!(date("", "61"), "1900-03-01");
    assert_eq!(date("", "2958465"), "9999-12-31");
    assert_eq!(date("", "2958466"), "2958466", "beyond the calendar it stays a number");
    assert_eq!(date("<workbookPr date1904=\"1\"/>", "44226"), "2025-01-31");
}

#[test]
fn the_only_sheet_with_data_is_read_and_others_are_told() {
    let of = |sheets: &[&str]| {
        let mut workbook = rust_xlsxwriter::Workbook::new();
        for (index, text) in sheets.iter().enumerate() {
            let sheet = workbook.add_worksheet();
            sheet.set_name(format!("Blatt {}", index + 1)).unwrap();
            match *text {
                "" => {}
                "hidden" => _ = sheet.set_hidden(true).write(0, 0, "x").unwrap(),
                "formatted" => {
                    let bold = rust_xlsxwriter::Format::new().set_bold();
                    sheet.write_blank(3, 3, &bold).unwrap();
                }
                text => _ = sheet.write(0, 0, text).unwrap(),
            }
        }
        let upload = upload(workbook.save_to_buffer().unwrap());
        let sheet = open(&upload.path).map_err(|error| error.to_string())?;
        let header = sheet.header()[0].as_str().to_owned();
        Ok((header, sheet.notes().iter().map(|note| note.text(Language::De)).collect::<Vec<_>>().join("\n")))
    };
    let read = |sheets: &[&str]| of(sheets).unwrap();
    assert_eq!(read(&["a", "", "formatted", "hidden"]), ("a".to_owned(), String::new()));
    assert_eq!(
        read(&["", "formatted", "b"]),
        (
            "b".to_owned(),
            "Gelesen wurde das Tabellenblatt „Blatt 3“, weil das erste Blatt „Blatt 1“ leer ist.".to_owned()
        )
    );
    let (header, note) = read(&["a", "b", "", "d"]);
    assert_eq!(header, "a");
    assert!(note.contains("„Blatt 1“; nicht gelesen wurden: Blatt 2, Blatt 4."), "{note}");
    let refused: Result<_, String> = of(&["", "b", "c"]);
    assert!(refused.unwrap_err().contains("several others hold data: Blatt 2, Blatt 3."));
    let empty: Result<_, String> = of(&["", "formatted"]);
    assert_eq!(empty.unwrap_err(), "The file is empty");
}

#[test]
fn a_part_that_is_said_to_be_many_sheets_is_one() {
    let sheets = "<sheet name=\"a\" r:id=\"r1\"/>".repeat(900);
    let rows = format!("<row>{}</row>", inline("A1", "a"));
    let upload =
        upload(workbook_with(&sheets, "", [("xl/worksheets/sheet1.xml", sheet(&rows).into_bytes())]));
    assert!(open(&upload.path).unwrap().notes().is_empty());
}

/// What is refused is kept by its line, and what is done is known by the last one.
#[test]
fn the_lines_of_a_workbook_ascend() {
    let cell = inline("A", "x");
    let lines = |numbers: &[&str]| {
        let row = |number: &&str| {
            let number = if number.is_empty() { String::new() } else { format!(" r=\"{number}\"") };
            format!("<row{number}>{cell}</row>")
        };
        let rows: String = numbers.iter().map(row).collect();
        read(workbook(sheet(&rows))).map(|(_, rows)| rows.iter().map(|row| row.line).collect::<Vec<_>>())
    };
    assert_eq!(lines(&["", "", ""]), Ok(vec![2, 3]));
    assert_eq!(lines(&["3", "7", ""]), Ok(vec![7, 8]));
    assert_eq!(lines(&["1", "1048576"]), Ok(vec![1_048_576]));
    for numbers in [
        &["1", "0"][..],
        &["0", "1"],
        &["1", "2", "2"],
        &["1", "9", "3"],
        &["1", "1048577"],
        &["1", "4294967295", ""],
        &["1", "99999999999"],
        &["1", "-1"],
        &["1", "zwei"],
    ] {
        assert_eq!(lines(numbers), Err(Code::FileDamaged), "{numbers:?}");
    }
}

#[test]
fn two_cells_far_apart_cost_nothing() {
    let rows = format!(
        "<row r=\"1\">{}{}</row><row r=\"1048576\"><c r=\"A1048576\"><v>7</v></c><c r=\"XFD1048576\" s=\"1\"/></row>",
        inline("A1", "h"),
        inline("B1", "i")
    );
    let bytes = workbook(sheet(&rows));
    assert!(bytes.len() < 1_500, "{}", bytes.len());
    let (_, rows) = read(&bytes).unwrap();
    assert_eq!((rows[0].line, texts(&rows[0])), (1_048_576, vec!["7", ""]));

    let rows =
        format!("<row r=\"1\">{}</row><row r=\"2\"><c r=\"XFD2\"><v>7</v></c></row>", inline("A1", "h"));
    assert_eq!(read(workbook(sheet(&rows))).unwrap_err(), Code::TooManyColumns);
}

#[test]
fn bombs_are_refused() {
    let header = format!("<row>{}</row>", inline("A1", "h"));
    let giant = |length: usize| sheet(&format!("{header}<row>{}</row>", inline("A2", &"x".repeat(length))));
    assert!(read(workbook(giant(MAX_CELL))).is_ok());
    assert_eq!(read(workbook(giant(2 << 20))).unwrap_err(), Code::FileBomb, "a cell of 2 MiB");
    assert_eq!(read(workbook(giant(180 << 20))).unwrap_err(), Code::FileBomb, "packed 1000:1");

    let runs = "<r><t>xxxxxxxxxxxxxxxxxxxx</t></r>".repeat(1 << 16);
    let cell = format!("<c t=\"inlineStr\"><is>{runs}</is></c>");
    assert_eq!(
        read(workbook(sheet(&format!("{header}<row>{cell}</row>")))).unwrap_err(),
        Code::FileBomb,
        "many short runs"
    );

    let nested = "<a>".repeat(1 << 18);
    assert_eq!(
        read(workbook(sheet(&format!("{header}{nested}")))).unwrap_err(),
        Code::FileBomb,
        "nested deeply"
    );
    let comment = format!("{header}<!--{}-->", "<x>".repeat(1 << 20));
    assert_eq!(read(workbook(sheet(&comment))).unwrap_err(), Code::FileBomb, "a long comment");

    let entities = "<!DOCTYPE a [<!ENTITY b \"bbbb\">]>".to_owned() + &sheet(&header);
    assert_eq!(read(workbook(entities)).unwrap_err(), Code::FileUnreadable, "a document type");
}

#[test]
fn a_row_of_shared_giants_is_refused() {
    let strings = format!("<sst><si><t>h</t></si><si><t>{}</t></si></sst>", "x".repeat(MAX_CELL));
    let giants: String = "<c t=\"s\"><v>1</v></c>".repeat(40);
    let rows = format!("<row>{}</row><row>{giants}</row>", "<c t=\"s\"><v>0</v></c>".repeat(40));
    let parts = [
        ("xl/sharedStrings.xml", strings.into_bytes()),
        ("xl/worksheets/sheet1.xml", sheet(&rows).into_bytes()),
    ];
    assert_eq!(
        read(workbook_with("<sheet name=\"a\" r:id=\"r1\"/>", "", parts)).unwrap_err(),
        Code::FileBomb
    );
}

#[test]
fn an_inline_string_of_512_mib_in_a_small_file_is_refused_at_once() {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    let options = SimpleFileOptions::default()
        .compression_method(CompressionMethod::Deflated)
        .compression_level(Some(1));
    zip.start_file("xl/worksheets/sheet1.xml", options).unwrap();
    let chunk = vec![b'x'; 1 << 20];
    for _ in 0..512 {
        zip.write_all(&chunk).unwrap();
    }
    let bytes = zip.finish().unwrap().into_inner();
    assert!(bytes.len() < 5 << 20);
    assert_eq!(read(bytes).unwrap_err(), Code::FileBomb);
}

#[test]
fn a_damaged_workbook_is_refused() {
    let noise = |row: u32| {
        (0..400).map(move |at| char::from(b'a' + ((row * 400 + at).wrapping_mul(2_654_435_761) >> 28) as u8))
    };
    let rows: Vec<_> =
        (0..100).map(|row| format!("<row>{}</row>", inline("A", &noise(row).collect::<String>()))).collect();
    let cells = format!("<row>{}</row>", inline("A", "h")) + &rows.concat();
    let whole = workbook(sheet(&cells));
    assert_eq!(read(&whole).unwrap().1.len(), 100);
    assert_eq!(read(&whole[..whole.len() / 2]).unwrap_err(), Code::FileDamaged, "cut");
    let mut flipped = whole.clone();
    let middle = whole.len() / 2;
    for byte in &mut flipped[middle..middle + 40] {
        *byte ^= 0x55;
    }
    assert_eq!(read(&flipped).unwrap_err(), Code::FileDamaged, "flipped bits");
    for sheet in [
        "",
        "<worksheet><sheetData><row><c><v>1</v>",
        "<worksheet/>",
        "<worksheet><sheetData><row></c>",
        "no xml",
    ] {
        assert_eq!(read(workbook(sheet)).unwrap_err(), Code::FileDamaged, "{sheet:?}");
    }
    let beyond = sheet("<row><c t=\"s\"><v>0</v></c></row>");
    assert_eq!(read(workbook(beyond)).unwrap_err(), Code::FileDamaged, "a string that is not there");
}

#[test]
fn workbooks_are_read_as_the_reference_reader_does() {
    let mut workbook = rust_xlsxwriter::Workbook::new();
    let sheet = workbook.add_worksheet();
    let values = [0.1 + 0.2, 12.1, 1.0 / 3.0, 1e15, 123_456_789.123_456, -0.000_001_5, 7.0, 1e-19];
    for (row, value) in (1..).zip(values) {
        sheet.write(0, 0, "Zahl").unwrap();
        sheet.write(row, 0, value).unwrap();
        sheet.write(0, 1, "Text").unwrap();
        sheet.write(row, 1, format!("Träger {row} _x000D_ & <b>")).unwrap();
    }
    let bytes = workbook.save_to_buffer().unwrap();
    let (_, rows) = read(&bytes).unwrap();

    let mut reference: calamine::Xlsx<_> = calamine::Reader::new(Cursor::new(bytes)).unwrap();
    let range = calamine::Reader::worksheet_range(&mut reference, "Sheet1").unwrap();
    for (row, expected) in rows.iter().zip(range.rows().skip(1)) {
        let number: f64 = row.cells[0].as_str().parse().unwrap();
        let expected_number: f64 = calamine::DataType::as_f64(&expected[0]).unwrap();
        assert!((number - expected_number).abs() <= expected_number.abs() * 1e-14, "{row:?}");
        assert_eq!(row.cells[1].as_str(), expected[1].to_string());
    }
    assert_eq!(rows.len(), values.len());
}

// Error files

/// The bytes of an error file with these rows, all refused.
fn error_file(format: Format, header: &[Cell], rows: &[Row]) -> Vec<u8> {
    let mut file = ErrorFile::new(Cursor::new(Vec::new()), format, header, Language::De).unwrap();
    for row in rows {
        file.add(row.line, &row.cells, &row.faults).unwrap();
    }
    file.finish().unwrap().into_inner()
}

#[test]
fn an_error_file_is_the_upload_with_reasons() {
    let text = "Artikeltyp;Länge [m]\r\nRohr;abc\r\n";
    let mut bytes = Vec::new();
    Encoding::Windows1252.encode(text, &mut bytes);
    let upload = upload(bytes);
    let mut sheet = open(&upload.path).unwrap();
    let (format, header) = (sheet.format(), sheet.header().to_vec());
    let mut rows: Vec<_> = sheet.rows().unwrap().map(Result::unwrap).collect();
    rows[0].faults = vec![
        Fault::of_cell(1, Code::NotANumber.with("value", "abc")),
        Fault::of_row(Code::RepeatedRow.with("line", 7)),
    ];
    let mut expected = Vec::new();
    Encoding::Windows1252.encode(
        "Artikeltyp;Länge [m];Fehler;Fehlercode;Zeile\r\n\
         Rohr;abc;\"Länge [m]: „abc“ ist keine Zahl; Der Artikel kommt in dieser Datei schon in Zeile 7 vor\";\
         not_a_number repeated_row;2\r\n",
        &mut expected,
    );
    assert_eq!(error_file(format, &header, &rows), expected);
}

#[test]
fn an_error_file_of_an_error_file_has_the_added_columns_once() {
    let (header, rows) = read("a;Fehler;Fehlercode;Zeile;b\n1;alt;old;9;2\n").unwrap();
    let header: Vec<_> = header.iter().map(|text| Cell::text(text)).collect();
    let dialect = Dialect { encoding: Encoding::Utf8, delimiter: ';', has_instruction: false };
    let bytes = error_file(Format::Csv(dialect), &header, &rows);
    assert_eq!(String::from_utf8(bytes).unwrap(), "a;b;Fehler;Fehlercode;Zeile\r\n1;2;;;2\r\n");
}

#[test]
fn formulas_are_made_harmless_and_numbers_are_not_touched() {
    let cells =
        ["=1+1", "+49 30", "-5", "+3,5", "@SUM(A1)", "\tx", "'=1", "-1.234,5", "--1", "=", "a=b", "'a"];
    let row = Row { line: 2, cells: cells.iter().map(|text| Cell::text(text)).collect(), faults: Vec::new() };
    let header: Vec<_> = (0..cells.len()).map(|index| Cell::text(&format!("h{index}"))).collect();
    let dialect = Dialect { encoding: Encoding::Utf8, delimiter: ';', has_instruction: false };
    let bytes = error_file(Format::Csv(dialect), &header, &[row]);
    let text = String::from_utf8(bytes).unwrap();
    let row = text.lines().nth(1).unwrap();
    assert_eq!(row, "'=1+1;'+49 30;-5;+3,5;'@SUM(A1);'\tx;''=1;-1.234,5;'--1;'=;a=b;'a;;;2");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn the_cells_of_an_error_file_are_those_of_the_upload(
        table in prop::collection::vec(prop::collection::vec("['=+@\t -]{0,2}[a-c0-9;,\"\r\n äß€_x'=-]{0,8}", 3), 1..6),
        xlsx in any::<bool>(),
        encoding in prop::sample::select(&[Encoding::Utf8, Encoding::Utf8WithMark, Encoding::Utf16LittleEndian, Encoding::Windows1252][..]),
        delimiter in prop::sample::select(&[';', ',', '\t', '|'][..]),
    ) {
        let format = if xlsx {
            Format::Xlsx
        } else {
            Format::Csv(Dialect { encoding, delimiter, has_instruction: true })
        };
        let header: Vec<_> = ["a", "b", "c"].iter().map(|text| Cell::text(text)).collect();
        let rows: Vec<_> = (2..).zip(&table).map(|(line, cells)| Row {
            line,
            cells: cells.iter().map(|text| Cell::text(text)).collect(),
            faults: vec![Fault::of_row(Code::NotANumber.with("value", "x"))],
        }).collect();
        let (_, read) = read(error_file(format, &header, &rows)).unwrap();
        let read: Vec<Vec<_>> = read.iter().map(|row| texts(row)[..3].to_vec()).collect();
        prop_assert_eq!(read, table);
    }
}
