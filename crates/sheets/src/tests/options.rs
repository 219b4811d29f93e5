//! Tests of recognised and chosen options.

use super::*;
use crate::{
    codes,
    number::Style,
    options::recognise,
    summing::{SumColumns, Sums},
};

const KNOWN: [&str; 4] = ["Artikelnummer", "Lager", "Menge", "Preis"];

fn count_of_known(cells: &[Cell]) -> usize {
    cells.iter().filter(|cell| KNOWN.contains(&cell.as_str().trim())).count()
}

/// Recognised options of a file, its header, its rows and the number of sum rows.
fn recognised(bytes: impl AsRef<[u8]>, options: &ReadOptions) -> (ReadOptions, Vec<String>, Vec<Row>, u64) {
    let upload = upload(bytes);
    let options = recognise(&upload.path, Content::Table, options, &count_of_known).unwrap();
    let mut sheet = open_with(&upload.path, Content::Table, &options).unwrap();
    let header = sheet.header().iter().map(|cell| cell.as_str().to_owned()).collect();
    let mut rows = sheet.rows().unwrap();
    let all = rows.by_ref().collect::<Result<Vec<_>>>().unwrap();
    let sums = rows.sum_rows();
    (options, header, all, sums)
}

#[test]
fn headings_are_found_below_titles() {
    for (file, line, rows, sums) in [
        ("Artikelnummer;Lager;Menge\nA;DU;1\n", None, 1, 0),
        ("Bestand vom 27.11.;;\n;;\nArtikelnummer;Lager;Menge\nA;DU;1\nSumme;;1\n", Some(3), 1, 1),
        ("Bestand\nArtikelnummer\nA\nB\n", Some(2), 2, 0),
        ("Firma: X;Stand: heute;\nArtikelnummer;Lager;Menge\nA;DU;1\n", Some(2), 1, 0),
        // no name is known
        ("Liste\nTeil;Ort;Anzahl\nA;DU;1\nB;DU;2\n", Some(2), 2, 0),
        ("Teil;Ort;Anzahl\nA;Lager;1\n", None, 1, 0),
        ("Teil\nA\nB\n", None, 2, 0),
    ] {
        let (options, _, all, left_out) = recognised(file, &ReadOptions::default());
        assert_eq!((options.header_line, all.len(), left_out), (line, rows, sums), "{file:?}");
    }
}

#[test]
fn footnotes_are_left_out_only_below_the_table() {
    let read = |file: &str| {
        let upload = upload(file);
        let mut sheet = open_with(&upload.path, Content::Table, &ReadOptions::default()).unwrap();
        let mut rows = sheet.rows().unwrap();
        let lines = rows.by_ref().map(|row| row.unwrap().line).collect::<Vec<_>>();
        (lines, rows.footnotes().to_vec(), rows.sum_rows())
    };
    let table = "Artikelnummer;Lager;Menge\nA;DU;1\n";
    let below = format!("{table}Summe;;1\n\nPreise freibleibend\n;Stand: 27.11.2026;\n");
    let texts = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>();
    assert_eq!(read(&below), (vec![2], texts(&["Preise freibleibend", "Stand: 27.11.2026"]), 1));
    // a remark between rows is a row, which the import refuses
    let between = format!("{table}Preise freibleibend;;\nB;DU;2\n");
    assert_eq!(read(&between), (vec![2, 3, 4], Vec::new(), 0));
    let last = format!("{table}Preise freibleibend;DU;3\n");
    assert_eq!(read(&last), (vec![2, 3], Vec::new(), 0));
    // in a file with one column, a text is a value
    assert_eq!(read("Bezeichnung\nPreise freibleibend\n"), (vec![2], Vec::new(), 0));
    // pages of remarks are not the end of a table
    let many = format!("{table}{}", "Preise freibleibend;;\n".repeat(21));
    let (lines, notes, _) = read(&many);
    assert_eq!((lines.len(), notes.len()), (22, 0));
}

#[test]
fn chosen_options_take_precedence_over_recognised_ones() {
    let file = "a,b;c\nd,e;f\ng,h;i\n";
    let chosen = ReadOptions { delimiter: Some(','), header_line: Some(2), ..ReadOptions::default() };
    let (_, header, rows, _) = recognised(file, &chosen);
    assert_eq!(header, ["d", "e;f"]);
    assert_eq!((rows.len(), texts(&rows[0])), (1, vec!["g", "h;i"]));
    let chosen = ReadOptions { encoding: Some(Encoding::Windows1250), ..ReadOptions::default() };
    let (_, header, ..) = recognised(b"\xB9;b\nc;d\n", &chosen);
    assert_eq!(header, ["ą", "b"]);
    let marked = ReadOptions { encoding: Some(Encoding::Utf8), ..ReadOptions::default() };
    assert_eq!(recognised("\u{FEFF}ä;b\nc;d\n", &marked).1, ["ä", "b"]);
}

#[test]
fn a_chosen_heading_line_after_the_last_row_is_named() {
    let refused = |file: &str| {
        let options = ReadOptions { header_line: Some(3), ..ReadOptions::default() };
        refusal(&open_with(&upload(file).path, Content::Table, &options).err().unwrap())
    };
    assert_eq!(refused("a;b\nc;d\n\n"), codes::HEADER_LINE_MISSING);
    assert_eq!(refused("\n;;\n"), codes::FILE_EMPTY);
}

#[test]
fn constants_are_columns_after_those_of_the_file() {
    let options = ReadOptions { constants: vec![("Lager".into(), "DU".into())], ..ReadOptions::default() };
    let (_, header, rows, _) = recognised("Artikelnummer;Menge;\nA;1;\nB;2;x\n", &options);
    assert_eq!(header, ["Artikelnummer", "Menge", "Lager"]);
    assert_eq!(texts(&rows[0]), ["A", "1", "DU"]);
    assert_eq!((texts(&rows[1]), codes(&rows[1])), (vec!["B", "2", "DU", "x"], vec![codes::CELL_COUNT]));
}

#[test]
fn the_sheet_with_the_known_headings_is_read_and_another_can_be_chosen() {
    let mut workbook = rust_xlsxwriter::Workbook::new();
    for (name, rows) in [
        ("Deckblatt", [["Preisliste", ""], ["Stand", "heute"]]),
        ("Preise", [["Artikelnummer", "Preis"], ["A", "1"]]),
    ] {
        let sheet = workbook.add_worksheet();
        sheet.set_name(name).unwrap();
        for (number, row) in (0..).zip(rows) {
            sheet.write_row(number, 0, row).unwrap();
        }
    }
    let bytes = workbook.save_to_buffer().unwrap();
    let (options, header, ..) = recognised(&bytes, &ReadOptions::default());
    assert_eq!(
        (options.sheet.as_deref(), header),
        (Some("Preise"), vec!["Artikelnummer".into(), "Preis".into()])
    );
    let chosen = ReadOptions { sheet: Some("deckblatt".into()), ..ReadOptions::default() };
    assert_eq!(recognised(&bytes, &chosen).1, ["Preisliste"]);
    let upload = upload(&bytes);
    let other = ReadOptions { sheet: Some("Lager".into()), ..ReadOptions::default() };
    let refused = open_with(&upload.path, Content::Table, &other).err().unwrap();
    assert_eq!(refusal(&refused), codes::SHEET_MISSING);
}

#[test]
fn rows_of_one_article_are_summed_into_the_first() {
    let file = "a;l;m\nA;DU;12,1\nB;DU;1\na;du;24,2\nA;HH;5 kg\nA;HH;7\nA;DU;viel\n";
    let upload = upload(file);
    let mut sheet = open(&upload.path).unwrap();
    let columns = SumColumns { same: vec![0, 1], quantity: 2 };
    let sums = Sums::collect(&mut sheet.rows().unwrap(), &columns, Style::Comma).unwrap();
    assert_eq!(sums.left_out(), 1);
    let rows: Vec<_> = sheet.rows().unwrap().filter_map(|row| sums.apply(row.unwrap(), &columns)).collect();
    let quantities: Vec<_> = rows.iter().map(|row| (row.line, row.cells[2].as_str())).collect();
    assert_eq!(quantities, [(2, "36,3"), (3, "1"), (5, "5 kg"), (6, "7"), (7, "viel")]);
}
