//! Sample files of two suppliers: `STALHOF_WRITE_EXAMPLES=1` writes them, otherwise they are compared.

use std::path::PathBuf;

use rust_xlsxwriter::{ExcelDateTime, Format as Look, Formula, Workbook};
use sheets::{Cell, Encoding, Format};

/// File as a German spreadsheet program writes it. Lines 2 to 11 are new articles, 12 to 15 change existing
/// ones, 16 to 18 are unchanged; the others are faulty.
const NORD: &str = r#"Artikeltyp;Artikelnummer;Bezeichnung;Werkstoff;Gewicht [kg/m];IPE-Profil;HEA-Profil;HEB-Profil;Breite [mm];Dicke [mm];Durchmesser [mm];Ausführung;Länge [m]
HEB;;;S355J2;;;;200;;;;;18,1
HEB;;;S355J2;;;;220;;;;;18,1
HEB;;;1.0577;;;;240;;;;;18,1
IPE;;;S275JR;;200;;;;;;;12,1
IPE;;;S275JR;;240;;;;;;;12,1
HEA;;;S355K2;;;160;;;;;;12,1
Flachstahl;;;S275JR;3,14;;;;40;10;;;6
Flachstahl;NORD-4711;Flachstahl 60 x 15 S235JR, gerichtet und geölt;S235JR;7,07;;;;60;15;;;12
Rundstahl;;;C45E;6,31;;;;;;32;blank h9;3
Rundstahl;;;42CrMo4;1.248,5;;;;;;450;warmgewalzt;6
HEB;HEB-260-S235JR-12.1;Breitflanschträger HEB 260 S235JR 12,1 m;;;;;;;;;;
;FL-50x8-S235JR-6;;;3,2;;;;;;;;
Rundstahl;RD-20-S235JR-WG-6;;;2,5;;;;;;;;
;IPE-300-S235JR-12.1;I-Träger IPE 300 S235JR 12,1 m (±50 mm);;;;;;;;;;
IPE;IPE-200-S235JR-12.1;;S235JR;;200;;;;;;;12,1
HEA;;;S235JR;;;200;;;;;;12,1
HEB;HEB-200-S235JR-12.1;HEB 200 S235JR 12,1 m;1.0038;61,3;;;200;;;;;12,1
Trapezblech;;;S235JR;;;;;;;;;6
HEB;;;St 37-2;;;;180;;;;;14,1
HEB;;;S235JR;;;;1000;;;;;12,1
HEA;;;S275JR;;;180;;;;;;
Flachstahl;;;S275JR;6,28;;;;80;10;;;ca. 6 m
Blech;BL-60-2000x6000-S235JR;;S235JR;471;;;;;;;;
;;;S235JR;;200;;;;;;;14,1
IPE;;;S275JR;;200;;;;;;;12,1
Rundstahl;;;S235JR;-1,58;;;;;;16;gebürstet;3
Flachstahl;;"=SUMME(A1;A2)";S999;;;;;50;5;;;6
Flachstahl;;;S275JR;3,93;;;;50;10
Rundstahl;;;S275JR;2,47;;;;;;2,0E+01;warmgewalzt;6
"#;

const SUED: [&str; 14] = [
    "Artikeltyp",
    "Art.-Nr.",
    "Bezeichnung",
    "W.-Nr.",
    "Gewicht",
    "Höhe [mm]",
    "Breite [mm]",
    "Wanddicke [mm]",
    "Außendurchmesser [mm]",
    "Herstellart",
    "Norm",
    "Blechdicke [mm]",
    "Format",
    "Länge [m]",
];

/// Content of a cell of the workbook.
#[derive(Clone, Copy)]
enum Content {
    Empty,
    Text(&'static str),
    Number(f64),
    /// Formula and its result when the file was saved.
    Formula(&'static str, &'static str),
    /// Date that a spreadsheet program makes of 12.3, taking it for the twelfth of March.
    Date,
}

use Content::{Date, Empty, Formula as F, Number as N, Text as T};

const TUBE: Content = T("Rohr");
const COLD: Content = T("Hohlprofil kaltgefertigt");
const SHEET: Content = T("Blech");

/// Rows 2 to 9 are new articles, 10 to 12 change existing ones, 13 to 15 are unchanged; the others are
/// faulty.
#[rustfmt::skip]
const SUED_ROWS: &[[Content; 14]] = &[
    [TUBE, Empty, Empty, N(1.4404), N(5.13), Empty, Empty, N(3.6), N(60.3), T("geschweißt"), T("EN 10217-7"), Empty, Empty, N(6.0)],
    [TUBE, Empty, Empty, N(1.0039), F("=ROUND((48.3-5)*5*0.0246615,2)", "5.34"), Empty, Empty, N(5.0), N(48.3), T("GE"), T("EN 10219-1"), Empty, Empty, N(6.0)],
    [TUBE, T("SR-100815"), T("Präzisionsrohr 30 x 2 E235, blank geglüht"), N(1.0039), N(1.38), Empty, Empty, N(2.0), N(30.0), T("nahtlos"), T("EN 10305-1"), Empty, Empty, N(6.0)],
    [COLD, Empty, Empty, T("S235JRH"), N(11.7), N(100.0), N(100.0), N(4.0), Empty, Empty, Empty, Empty, Empty, N(12.0)],
    [COLD, Empty, Empty, T("S235JRH"), N(14.4), N(120.0), N(80.0), N(5.0), Empty, Empty, Empty, Empty, Empty, N(12.0)],
    [SHEET, Empty, Empty, T("S355MC"), Empty, Empty, Empty, Empty, Empty, Empty, Empty, N(6.0), T("2000 x 6000"), Empty],
    [SHEET, Empty, Empty, T("S235JR"), Empty, Empty, Empty, Empty, Empty, Empty, Empty, N(50.0), T("2000x6000"), Empty],
    [SHEET, Empty, Empty, N(1.4301), F("=1.2*7.9", "9.48"), Empty, Empty, Empty, Empty, Empty, Empty, N(1.2), T("1000x2000"), Empty],
    [Empty, T("HPW-100x100x10-S355J2H-12"), T("Quadratrohr 100 x 100 x 10 S355J2H, warmgefertigt, 12 m"), Empty, Empty, Empty, Empty, Empty, Empty, Empty, Empty, Empty, Empty, Empty],
    [TUBE, T("RO-60.3x3.6-S235JRH-GE-6"), Empty, Empty, Empty, Empty, Empty, Empty, Empty, Empty, T("EN 10255"), Empty, Empty, Empty],
    [SHEET, T("BL-2-1000x2000-1.4301"), Empty, Empty, N(16.0), Empty, Empty, Empty, Empty, Empty, Empty, Empty, Empty, Empty],
    [SHEET, Empty, Empty, T("1.4301"), N(23.7), Empty, Empty, Empty, Empty, Empty, Empty, N(3.0), T("1000x2000"), Empty],
    [SHEET, T("bl-10-1500x3000-s235jr"), Empty, T("S235JR"), Empty, Empty, Empty, Empty, Empty, Empty, Empty, N(10.0), T("1500 x 3000"), Empty],
    [TUBE, Empty, Empty, T("S355J2H"), Empty, Empty, Empty, N(3.6), N(60.3), T("NL"), T("EN 10210-1"), Empty, Empty, N(6.0)],
    [T("Rundrohr"), Empty, Empty, T("S235JRH"), Empty, Empty, Empty, N(2.0), N(25.0), T("GE"), T("EN 10219-1"), Empty, Empty, N(6.0)],
    [TUBE, Empty, Empty, N(1.9999), N(1.13), Empty, Empty, N(2.0), N(25.0), T("GE"), T("EN 10219-1"), Empty, Empty, N(6.0)],
    [TUBE, Empty, Empty, N(1.0039), N(1.13), Empty, Empty, N(2.0), N(25.0), Empty, T("EN 10219-1"), Empty, Empty, N(6.0)],
    [TUBE, Empty, Empty, N(1.0039), T("1,2 kg/m"), Empty, Empty, N(2.0), N(26.0), T("GE"), T("EN 10219-1"), Empty, Empty, N(6.0)],
    [TUBE, Empty, Empty, N(1.0039), F("=VLOOKUP(\"27x2\",A1:E2,5,FALSE)", "#N/A"), Empty, Empty, N(2.0), N(27.0), T("GE"), T("EN 10219-1"), Empty, Empty, N(6.0)],
    [TUBE, Empty, Empty, N(1.4404), N(5.13), Empty, Empty, N(3.6), N(60.3), T("geschweißt"), T("EN 10217-7"), Empty, Empty, N(6.0)],
    [Empty, Empty, Empty, T("S235JR"), Empty, Empty, Empty, Empty, Empty, Empty, Empty, N(8.0), T("1000x2000"), Empty],
    [SHEET, Empty, Empty, T("S235JR"), Empty, Empty, Empty, N(3.0), Empty, Empty, Empty, N(3.5), T("1000x2000"), Empty],
    [TUBE, T("HEB-200-S235JR-12.1"), Empty, Empty, Empty, Empty, Empty, Empty, Empty, Empty, Empty, Empty, Empty, Empty],
    [COLD, Empty, Empty, T("S235JRH"), N(2.0), N(30.0), N(20.0), Date, Empty, Empty, Empty, Empty, Empty, N(6.0)],
    [SHEET, Empty, Empty, T("St 52-3"), N(0.0), Empty, Empty, Empty, Empty, Empty, Empty, N(-5.0), T("1200x2400"), Empty],
];

pub(crate) fn example(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(name)
}

/// Bytes of the file as saved in the format "CSV (Trennzeichen-getrennt)".
fn nord() -> Vec<u8> {
    NORD.replace('\n', "\r\n").chars().map(|character| u8::try_from(character).unwrap()).collect()
}

fn sued() -> Vec<u8> {
    let mut workbook = Workbook::new();
    workbook.set_properties(
        &rust_xlsxwriter::DocProperties::new()
            .set_author("Südrohr AG")
            .set_creation_datetime(&ExcelDateTime::from_ymd(2026, 1, 5).unwrap()),
    );
    let bold = Look::new().set_bold();
    let sheet = workbook.add_worksheet().set_name("Artikel").unwrap();
    sheet.write_row_with_format(0, 0, SUED, &bold).unwrap();
    sheet.set_freeze_panes(1, 0).unwrap();
    for (row, cells) in (1..).zip(SUED_ROWS) {
        for (column, content) in (0..).zip(cells) {
            match content {
                Empty => continue,
                T(text) => sheet.write_string(row, column, *text),
                N(number) => sheet.write_number(row, column, *number),
                F(formula, result) => {
                    sheet.write_formula(row, column, Formula::new(*formula).set_result(*result))
                }
                Date => {
                    let date = ExcelDateTime::from_ymd(2026, 3, 12).unwrap();
                    sheet.write_datetime_with_format(
                        row,
                        column,
                        &date,
                        &Look::new().set_num_format("d. mmm"),
                    )
                }
            }
            .unwrap();
        }
    }
    sheet.autofit();
    workbook.save_to_buffer().unwrap()
}

/// Header and rows of a file as an import reads them.
fn table(bytes: &[u8]) -> (Format, Vec<Cell>, Vec<sheets::Row>) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file");
    std::fs::write(&path, bytes).unwrap();
    let mut sheet = sheets::open(&path).unwrap();
    let rows = sheet.rows().unwrap().collect::<Result<_, _>>().unwrap();
    (sheet.format(), sheet.header().to_vec(), rows)
}

#[test]
fn the_files_are_checked_in() {
    let files = [("lieferant-nord.csv", nord()), ("lieferant-sued.xlsx", sued())];
    if std::env::var_os("STALHOF_WRITE_EXAMPLES").is_some() {
        for (name, bytes) in &files {
            std::fs::write(example(name), bytes).unwrap();
        }
    }
    let [(nord, made), (sued, workbook)] = files;
    let advice = "set STALHOF_WRITE_EXAMPLES=1 and run the test again";
    assert!(std::fs::read(example(nord)).unwrap_or_default() == made, "{nord}: {advice}");
    let checked_in = std::fs::read(example(sued)).unwrap_or_else(|error| panic!("{sued}: {error}; {advice}"));
    assert_eq!(table(&checked_in), table(&workbook), "{sued}: {advice}");
}

#[test]
fn one_file_is_a_windows_1252_csv_and_the_other_a_workbook() {
    let (format, header, rows) = table(&nord());
    let Format::Csv(dialect) = format else { panic!("{format:?}") };
    assert_eq!((dialect.encoding, dialect.delimiter), (Encoding::Windows1252, ';'));
    assert_eq!(header[11].as_str(), "Ausführung");
    assert_eq!(rows.len(), 29);

    let (format, header, rows) = table(&sued());
    assert_eq!(format, Format::Xlsx);
    assert_eq!(header[8].as_str(), "Außendurchmesser [mm]");
    assert_eq!(rows.len(), SUED_ROWS.len());
    assert_eq!(rows[1].cells[4], Cell::Number { number: "5.34".to_owned() }, "a formula counts by its value");
}
