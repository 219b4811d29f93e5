//! Tests of workbooks, including hostile ones.

use values::Language;

use super::*;
use crate::codes;

#[test]
fn cells_of_a_workbook_are_read_as_displayed() {
    let strings = "<sst uniqueCount=\"99999999999999\"><si><t xml:space=\"preserve\"> a &amp; b</t></si>\
                   <si><r><t>IPE</t></r><r><rPr><b/></rPr><t> 80</t></r><rPh sb=\"0\" eb=\"1\"><t>aid</t></rPh></si>\
                   <si><t>x_x000D_y_x005F_x000D_</t></si><si/></sst>";
    let styles = "<styleSheet><numFmts><numFmt numFmtId=\"164\" formatCode=\"dd.mm.yyyy\"/>\
                  <numFmt numFmtId=\"165\" formatCode=\"0.00\\ &quot;Tsd d&quot;\"/>\
                  <numFmt numFmtId=\"166\" formatCode=\"00000000\"/></numFmts>\
                  <cellStyleXfs><xf numFmtId=\"14\"/></cellStyleXfs>\
                  <cellXfs><xf numFmtId=\"0\"/><xf numFmtId=\"164\"/><xf numFmtId=\"165\"/><xf numFmtId=\"22\"/>\
                  <xf numFmtId=\"21\"/><xf numFmtId=\"166\"/></cellXfs></styleSheet>";
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
        ("<c s=\"5\"><v>4711</v></c>", Cell::text("00004711")),
        ("<c s=\"5\"><v>123456789</v></c>", Cell::Number { number: "123456789".to_owned() }),
        ("<c s=\"5\"><v>12.5</v></c>", Cell::Number { number: "12.5".to_owned() }),
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
    for (cell, (xml, expected)) in rows[0].cells.iter().zip(&cells) {
        assert_eq!(cell, expected, "{xml}");
    }
    assert_eq!(codes(&rows[0]), [codes::FORMULA_ERROR]);
    assert_eq!(rows[0].faults[0].column, Some(cells.len() - 1));
}

#[test]
fn dates_count_from_1904_if_the_workbook_declares_it() {
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
fn the_only_sheet_with_data_is_read_and_others_are_reported() {
    let read_sheets = |sheets: &[&str]| {
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
    let read = |sheets: &[&str]| read_sheets(sheets).unwrap();
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
    let (header, note) = read(&["", "b", "c"]);
    assert_eq!(header, "b");
    assert!(note.contains("„Blatt 2“; nicht gelesen wurden: Blatt 3."), "{note}");
    let empty: Result<_, String> = read_sheets(&["", "formatted"]);
    assert_eq!(empty.unwrap_err(), "The file is empty");
}

#[test]
fn a_part_listed_as_many_sheets_counts_once() {
    let sheets = "<sheet name=\"a\" r:id=\"r1\"/>".repeat(900);
    let rows = format!("<row>{}</row>", inline("A1", "a"));
    let upload =
        upload(workbook_with(&sheets, "", [("xl/worksheets/sheet1.xml", sheet(&rows).into_bytes())]));
    assert!(open(&upload.path).unwrap().notes().is_empty());
}

/// Lines must ascend, because refused rows are stored by line, and progress is the last line.
#[test]
fn row_numbers_of_a_workbook_must_ascend() {
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
        assert_eq!(lines(numbers), Err(codes::FILE_DAMAGED), "{numbers:?}");
    }
}

#[test]
fn distant_cells_are_read_without_filling_the_gap() {
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
    assert_eq!(read(workbook(sheet(&rows))).unwrap_err(), codes::TOO_MANY_COLUMNS);
}

#[test]
fn oversized_cells_and_markup_are_refused_as_bombs() {
    let header = format!("<row>{}</row>", inline("A1", "h"));
    let giant = |length: usize| sheet(&format!("{header}<row>{}</row>", inline("A2", &"x".repeat(length))));
    assert!(read(workbook(giant(MAX_CELL))).is_ok());
    assert_eq!(read(workbook(giant(2 << 20))).unwrap_err(), codes::FILE_BOMB, "a cell of 2 MiB");
    assert_eq!(read(workbook(giant(180 << 20))).unwrap_err(), codes::FILE_BOMB, "packed 1000:1");

    let runs = "<r><t>xxxxxxxxxxxxxxxxxxxx</t></r>".repeat(1 << 16);
    let cell = format!("<c t=\"inlineStr\"><is>{runs}</is></c>");
    assert_eq!(
        read(workbook(sheet(&format!("{header}<row>{cell}</row>")))).unwrap_err(),
        codes::FILE_BOMB,
        "many short runs"
    );

    let nested = "<a>".repeat(1 << 18);
    assert_eq!(
        read(workbook(sheet(&format!("{header}{nested}")))).unwrap_err(),
        codes::FILE_BOMB,
        "nested deeply"
    );
    let comment = format!("{header}<!--{}-->", "<x>".repeat(1 << 20));
    assert_eq!(read(workbook(sheet(&comment))).unwrap_err(), codes::FILE_BOMB, "a long comment");

    let entities = "<!DOCTYPE a [<!ENTITY b \"bbbb\">]>".to_owned() + &sheet(&header);
    assert_eq!(read(workbook(entities)).unwrap_err(), codes::FILE_UNREADABLE, "a document type");
}

#[test]
fn a_row_of_many_long_shared_strings_is_refused() {
    let strings = format!("<sst><si><t>h</t></si><si><t>{}</t></si></sst>", "x".repeat(MAX_CELL));
    let giants: String = "<c t=\"s\"><v>1</v></c>".repeat(40);
    let rows = format!("<row>{}</row><row>{giants}</row>", "<c t=\"s\"><v>0</v></c>".repeat(40));
    let parts = [
        ("xl/sharedStrings.xml", strings.into_bytes()),
        ("xl/worksheets/sheet1.xml", sheet(&rows).into_bytes()),
    ];
    assert_eq!(
        read(workbook_with("<sheet name=\"a\" r:id=\"r1\"/>", "", parts)).unwrap_err(),
        codes::FILE_BOMB
    );
}

#[test]
fn an_inline_string_of_512_mib_in_a_small_file_is_refused() {
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
    assert_eq!(read(bytes).unwrap_err(), codes::FILE_BOMB);
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
    assert_eq!(read(&whole[..whole.len() / 2]).unwrap_err(), codes::FILE_DAMAGED, "cut");
    let mut flipped = whole.clone();
    let middle = whole.len() / 2;
    for byte in &mut flipped[middle..middle + 40] {
        *byte ^= 0x55;
    }
    assert_eq!(read(&flipped).unwrap_err(), codes::FILE_DAMAGED, "flipped bits");
    for sheet in [
        "",
        "<worksheet><sheetData><row><c><v>1</v>",
        "<worksheet/>",
        "<worksheet><sheetData><row></c>",
        "no xml",
    ] {
        assert_eq!(read(workbook(sheet)).unwrap_err(), codes::FILE_DAMAGED, "{sheet:?}");
    }
    let beyond = sheet("<row><c t=\"s\"><v>0</v></c></row>");
    assert_eq!(read(workbook(beyond)).unwrap_err(), codes::FILE_DAMAGED, "a string that is not there");
}

#[test]
fn workbooks_are_read_like_by_the_reference_reader() {
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

#[test]
fn rows_that_a_filter_hides_are_counted_and_can_be_left_out() {
    let mut workbook = rust_xlsxwriter::Workbook::new();
    let sheet = workbook.add_worksheet();
    for (row, text) in (0..).zip(["Kopf", "a", "b", "c"]) {
        sheet.write(row, 0, text).unwrap();
    }
    sheet.set_row_hidden(2).unwrap();
    let upload = upload(workbook.save_to_buffer().unwrap());
    let read = |skips_hidden_rows: bool| {
        let options = ReadOptions { skips_hidden_rows, ..ReadOptions::default() };
        let mut sheet = open_with(&upload.path, Content::Table, &options).unwrap();
        let mut rows = sheet.rows().unwrap();
        let lines: Vec<u32> = rows.by_ref().map(|row| row.unwrap().line).collect();
        (lines, rows.hidden_rows())
    };
    assert_eq!(read(false), (vec![2, 3, 4], 1));
    assert_eq!(read(true), (vec![2, 4], 1));
}
