//! Tests of error files, which must be read back unchanged.

use proptest::prelude::*;
use values::Language;

use super::*;
use crate::{codes, error_file::ErrorFile};

/// Bytes of an error file with these rows, all refused.
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
        RowFault::in_cell(1, codes::NOT_A_NUMBER.with("value", "abc")),
        RowFault::in_row(codes::CELL_TOO_LONG.with("max", 7)),
    ];
    let mut expected = Vec::new();
    Encoding::Windows1252.encode(
        "Artikeltyp;Länge [m];Fehler;Fehlercode;Zeile\r\n\
         Rohr;abc;\"Länge [m]: „abc“ ist keine Zahl; Die Zelle ist zu lang; erlaubt sind 7 Zeichen\";\
         not_a_number cell_too_long;2\r\n",
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
fn formulas_are_escaped_and_numbers_left_unchanged() {
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
    fn an_error_file_keeps_the_cells_of_the_upload(
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
            faults: vec![RowFault::in_row(codes::NOT_A_NUMBER.with("value", "x"))],
        }).collect();
        let (_, actual) = read(error_file(format, &header, &rows)).unwrap();
        let actual: Vec<Vec<_>> = actual.iter().map(|row| texts(row)[..3].to_vec()).collect();
        prop_assert_eq!(actual, table);
    }
}
