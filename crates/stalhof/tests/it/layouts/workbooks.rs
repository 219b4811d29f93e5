//! Workbooks as used in the trade: `STALHOF_WRITE_EXAMPLES=1` writes them, otherwise they are compared.

use rust_xlsxwriter::{DocProperties, ExcelDateTime, Format, FormatAlign, Workbook, Worksheet};
use sheets::{Content, ReadOptions};

/// Cell of a row.
#[derive(Clone, Copy)]
enum Value {
    Empty,
    Text(&'static str),
    Number(f64),
    /// Number displayed with leading zeros.
    Padded(f64),
    /// Number displayed with `€`.
    Euro(f64),
}

use Value::{Empty, Euro, Number as N, Padded, Text as T};

/// Function that builds a workbook.
type Write = fn() -> Workbook;

const WORKBOOKS: &[(&str, Write)] = &[
    ("bestand-verbundene-titel.xlsx", merged_titles),
    ("preisliste-zwei-kopfzeilen.xlsx", two_heading_lines),
    ("bestand-gefiltert.xlsx", hidden_rows_and_columns),
    ("bestand-mehrere-blaetter.xlsx", several_sheets),
    ("preisliste-preiseinheit.xlsx", price_units),
];

/// Report with merged title cells, a gap, a sum and a remark below.
fn merged_titles() -> Workbook {
    let mut workbook = workbook();
    let title = Format::new().set_bold().set_align(FormatAlign::Center);
    let sheet = workbook.add_worksheet().set_name("Lagerliste").unwrap();
    sheet.merge_range(0, 0, 0, 4, "Lagerbestandsliste Werk Duisburg", &title).unwrap();
    sheet.merge_range(1, 0, 1, 4, "Stichtag 27.11.2026 · Lager DU", &title).unwrap();
    rows(
        sheet,
        3,
        &[
            &[T("Artikelnummer"), T("Bezeichnung"), T("Lager"), T("Menge"), T("ME")],
            &[T("HEB-300-S235JR-12.1"), T("Breitflanschträger HEB 300"), T("DU"), N(24.2), T("m")],
            &[T("HEB-400-S235JR-12.1"), T("Breitflanschträger HEB 400"), T("DU"), N(12.1), T("m")],
            &[T("Gesamt"), Empty, Empty, N(36.3), T("m")],
            &[],
            &[T("Alle Mengen vorbehaltlich Zwischenverkauf.")],
        ],
    );
    workbook
}

/// Price list with headings in two lines: groups above, columns below.
fn two_heading_lines() -> Workbook {
    let mut workbook = workbook();
    let bold = Format::new().set_bold().set_align(FormatAlign::Center);
    let sheet = workbook.add_worksheet().set_name("Preise").unwrap();
    sheet.merge_range(0, 0, 0, 2, "Material", &bold).unwrap();
    sheet.merge_range(0, 3, 0, 5, "Konditionen", &bold).unwrap();
    rows(
        sheet,
        1,
        &[
            &[T("Art.-Nr."), T("Bezeichnung"), T("Lager"), T("Preis"), T("Preiseinheit"), T("Einheit")],
            &[T("HEB-300-S235JR-12.1"), T("HEB 300"), T("DU"), N(92.5), N(100.0), T("kg")],
            &[T("HEB-400-S235JR-12.1"), T("HEB 400"), T("DU"), N(94.0), N(100.0), T("kg")],
            &[],
            &[T("Preise freibleibend")],
            &[T("Alle Preise zzgl. MwSt.")],
            &[T("Stand:"), T("27.11.2026")],
        ],
    );
    workbook
}

/// Export of material numbers with leading zeros, one row filtered out and an inner column hidden.
fn hidden_rows_and_columns() -> Workbook {
    let mut workbook = workbook();
    let sheet = workbook.add_worksheet().set_name("MB52").unwrap();
    rows(
        sheet,
        0,
        &[
            &[
                T("Materialnummer"),
                T("Materialkurztext"),
                T("Buchungskreis"),
                T("Lagerort"),
                T("Frei verwendbar"),
                T("BME"),
            ],
            &[Padded(4711.0), T("HEB 300 S235JR"), N(1000.0), T("DU01"), N(24.2), T("M")],
            &[Padded(4712.0), T("HEB 400 S235JR"), N(1000.0), T("DU01"), N(12.1), T("M")],
        ],
    );
    sheet.set_column_hidden(2).unwrap();
    sheet.set_row_hidden(2).unwrap();
    workbook
}

/// Cover, table and legend, each on a sheet of its own.
fn several_sheets() -> Workbook {
    let mut workbook = workbook();
    let cover = workbook.add_worksheet().set_name("Deckblatt").unwrap();
    rows(
        cover,
        1,
        &[&[T("Nordstahl Handel GmbH")], &[T("Bestandsliste für Kunden")], &[T("Stand: 27.11.2026")]],
    );
    let sheet = workbook.add_worksheet().set_name("Bestand").unwrap();
    rows(
        sheet,
        0,
        &[
            &[T("Artikelnummer"), T("Lager"), T("Bestand"), T("Mengeneinheit")],
            &[T("HEB-300-S235JR-12.1"), T("DU"), N(24.2), T("m")],
            &[T("HEB-400-S235JR-12.1"), T("DU"), N(12.1), T("m")],
        ],
    );
    let legend = workbook.add_worksheet().set_name("Legende").unwrap();
    rows(
        legend,
        0,
        &[&[T("Kürzel"), T("Bedeutung")], &[T("DU"), T("Duisburg")], &[T("m"), T("laufender Meter")]],
    );
    workbook
}

/// Prices for 1, 100 and 1,000 of a unit that is in a column of its own, as written by trade programs.
fn price_units() -> Workbook {
    let mut workbook = workbook();
    let sheet = workbook.add_worksheet().set_name("VK-Preise").unwrap();
    rows(
        sheet,
        0,
        &[
            &[T("VK-Preisliste 12/2026")],
            &[],
            &[T("Artikelnummer"), T("Lager"), T("VK-Preis"), T("PE"), T("ME"), T("Währung")],
            &[T("HEB-300-S235JR-12.1"), T("DU"), Euro(925.0), N(1000.0), T("kg"), T("EUR")],
            &[T("HEB-400-S235JR-12.1"), T("DU"), Euro(94.0), N(100.0), T("kg"), T("EUR")],
            &[T("Irrtum und Zwischenverkauf vorbehalten")],
        ],
    );
    workbook
}

fn workbook() -> Workbook {
    let mut workbook = Workbook::new();
    let saved = ExcelDateTime::from_ymd(2026, 11, 27).unwrap();
    workbook.set_properties(&DocProperties::new().set_creation_datetime(&saved));
    workbook
}

fn rows(sheet: &mut Worksheet, first: u32, rows: &[&[Value]]) {
    let padded = Format::new().set_num_format("00000000");
    let euro = Format::new().set_num_format("#,##0.00\\ \"€\"");
    for (row, cells) in (first..).zip(rows) {
        for (column, value) in (0..).zip(*cells) {
            match *value {
                Empty => continue,
                T(text) => sheet.write_string(row, column, text),
                N(number) => sheet.write_number(row, column, number),
                Padded(number) => sheet.write_number_with_format(row, column, number, &padded),
                Euro(number) => sheet.write_number_with_format(row, column, number, &euro),
            }
            .unwrap();
        }
    }
}

/// All cells of the imported sheet, with hidden rows and columns.
fn contents(bytes: &[u8]) -> (Vec<String>, Vec<Vec<String>>, u64) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file");
    std::fs::write(&path, bytes).unwrap();
    let mut sheet = sheets::open_with(&path, Content::Table, &ReadOptions::default()).unwrap();
    let texts = |cells: &[sheets::Cell]| cells.iter().map(|cell| cell.as_str().to_owned()).collect();
    let header = texts(sheet.header());
    let mut rows = sheet.rows().unwrap();
    let all = rows.by_ref().map(|row| texts(&row.unwrap().cells)).collect();
    (header, all, rows.hidden_rows())
}

#[test]
fn the_workbooks_are_checked_in() {
    for (name, make) in WORKBOOKS {
        let made = make().save_to_buffer().unwrap();
        let path = super::path(name);
        if std::env::var_os("STALHOF_WRITE_EXAMPLES").is_some() {
            std::fs::write(&path, &made).unwrap();
        }
        let advice = "set STALHOF_WRITE_EXAMPLES=1 and run the test again";
        let known = std::fs::read(&path).unwrap_or_else(|error| panic!("{name}: {error}; {advice}"));
        assert_eq!(contents(&known), contents(&made), "{name}: {advice}");
    }
}
