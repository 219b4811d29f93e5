//! Samples of each format with their tables, and files made to do harm.

use std::io::Cursor;

use proptest::prelude::*;
use values::Language;

use super::*;
use crate::codes;

const DATANORM_4: &[u8] = include_bytes!("samples/datanorm4.001");
const DATANORM_5: &[u8] = include_bytes!("samples/datanorm5.001");
const BMECAT_1_2: &[u8] = include_bytes!("samples/bmecat12.xml");
const BMECAT_2005: &[u8] = include_bytes!("samples/bmecat2005.xml");

type Item = Result<TransformedRow, Problem>;

fn datanorm(file: &[u8]) -> Vec<Item> {
    match DatanormReader::new(Cursor::new(file), NumberColumn::External) {
        Ok(rows) => rows.collect(),
        Err(problem) => vec![Err(problem)],
    }
}

fn bmecat(file: &[u8]) -> Vec<Item> {
    bmecat_with(file, None)
}

fn bmecat_stocks(file: &[u8]) -> Vec<Item> {
    bmecat_with(file, Some("UDX.NORD.STOCK"))
}

fn bmecat_with(file: &[u8], quantity_element: Option<&str>) -> Vec<Item> {
    match BmecatReader::new(Cursor::new(file), NumberColumn::External, quantity_element) {
        Ok(rows) => rows.collect(),
        Err(problem) => vec![Err(problem)],
    }
}

/// Rows as `heading=cell`, problems as their sentences.
fn row_texts(items: Vec<Item>) -> Vec<String> {
    let line = |item: Item| match item {
        Ok(row) => {
            let cells: Vec<_> = row.cells.iter().map(|(heading, cell)| format!("{heading}={cell}")).collect();
            format!("{}: {}", row.line, cells.join("; "))
        }
        Err(problem) => {
            let text = problem.message.text(Language::En);
            if problem.is_fatal { format!("FATAL {text}") } else { text }
        }
    };
    items.into_iter().map(line).collect()
}

#[test]
fn the_sample_of_datanorm_4_becomes_its_table() {
    assert_eq!(
        row_texts(datanorm(DATANORM_4)),
        [
            "3: Externe Artikelnummer=IPE200; Bezeichnung=IPE-Träger 200 S235JR, 12 m; Preis=1285.00; \
             Preismenge=1000; Preiseinheit=kg; Währung=EUR",
            "7: Externe Artikelnummer=RG6040640; Preis=857.00; Interner Preis=385.6500; Währung=EUR",
            "7: Externe Artikelnummer=RG6050850; Interner Preis=1073.00; Währung=EUR",
            "7: Externe Artikelnummer=RG6060950; Preis=1612.00; Währung=EUR",
            "Line 7: the discount “2;500” is not calculated. Only the list price is taken over.",
            "8: Externe Artikelnummer=100033162; Preis=285.00; Währung=EUR",
        ]
    );
}

#[test]
fn the_sample_of_datanorm_5_becomes_its_table() {
    assert_eq!(
        row_texts(datanorm(DATANORM_5)),
        [
            "2: Externe Artikelnummer=IPE200; Bezeichnung=IPE-Träger 200 S235JR; Preis=1285.00; \
             Preismenge=1000; Preiseinheit=kg; Währung=EUR",
            "3: Externe Artikelnummer=100033152; Preis=280.00; Preismenge=1; Währung=EUR",
            "4: Externe Artikelnummer=VSP-983-B; Preis=34.10; Preismenge=100; Interner Preis=29.1555; \
             Interne Preismenge=100; Währung=EUR",
            "5: Externe Artikelnummer=NETTO1; Interner Preis=0.99; Interne Preismenge=10; Währung=EUR",
        ]
    );
}

#[test]
fn the_sample_of_bmecat_1_2_becomes_its_table() {
    assert_eq!(
        row_texts(bmecat(BMECAT_1_2)),
        [
            "25: Externe Artikelnummer=IPE200; Bezeichnung=IPE-Träger 200; Preis=1285.50; Preismenge=1000; \
             Preiseinheit=kg; Interner Preis=1156.95; Interne Preismenge=1000; Interne Preiseinheit=kg; \
             Staffel 1 ab=5000; Staffelpreis 1=1190.00; Währung=EUR; Lieferzeit=3 Tage",
            "Line 30: the value “auf Anfrage” cannot be used for Preis. Please have the sender correct the file.",
        ]
    );
}

#[test]
fn the_sample_of_bmecat_2005_becomes_its_table() {
    assert_eq!(
        row_texts(bmecat(BMECAT_2005)),
        ["15: Externe Artikelnummer=IPE200; Preis=12.3450; Preismenge=1; Preiseinheit=Stk; Währung=EUR",]
    );
}

#[test]
fn bmecat_stocks_are_read_from_the_senders_own_element() {
    assert_eq!(
        row_texts(bmecat_stocks(BMECAT_2005)),
        [
            "15: Externe Artikelnummer=IPE200; Menge=48; Einheit=Stk",
            "19: Externe Artikelnummer=NUR-BESTAND; Menge=0",
        ]
    );
    // prices that cannot be used do not matter to stocks, quantities do
    let file = |quantity: &str| {
        format!(
            "<BMECAT><ARTICLE><SUPPLIER_AID>A</SUPPLIER_AID><ARTICLE_PRICE price_type=\"net_list\">\
             <PRICE_AMOUNT>auf Anfrage</PRICE_AMOUNT></ARTICLE_PRICE>\
             <UDX.NORD.STOCK>{quantity}</UDX.NORD.STOCK></ARTICLE></BMECAT>"
        )
    };
    // three places could be read as thousands
    for (quantity, cell) in [("7.5", "7.5"), ("7.125", "7.1250"), ("7125", "7125"), ("0.0625", "0.0625")] {
        let expected = format!("1: Externe Artikelnummer=A; Menge={cell}");
        assert_eq!(row_texts(bmecat_stocks(file(quantity).as_bytes())), [expected]);
    }
    for quantity in ["-1", "viel"] {
        let sentence = format!("Line 1: the value “{quantity}” cannot be used for Menge");
        assert!(row_texts(bmecat_stocks(file(quantity).as_bytes()))[0].starts_with(&sentence));
    }
}

#[test]
fn a_table_is_written_as_csv_and_its_problems_are_reported() {
    let mut file = Vec::new();
    let rows = DatanormReader::new(Cursor::new(DATANORM_4), NumberColumn::Own).unwrap();
    let report = write_csv(&DATANORM_HEADINGS, rows, &mut file).unwrap();
    assert_eq!((report.rows, report.problem_count, report.problems.len()), (5, 1, 1));
    let text = String::from_utf8(file).unwrap();
    let lines: Vec<_> = text.lines().collect();
    assert!(lines[0].starts_with("\u{feff}\"Artikelnummer\";\"Externe Artikelnummer\";\"Bezeichnung\""));
    assert_eq!(
        lines[1],
        "\"IPE200\";\"\";\"IPE-Träger 200 S235JR, 12 m\";\"1285.00\";\"1000\";\"kg\";\"\";\"\";\"\";\"EUR\""
    );
    assert_eq!(lines.len(), 6);

    let row = TransformedRow { line: 1, cells: vec![("A", "x\"y;\nz".to_owned())] };
    let scientific = TransformedRow { line: 2, cells: vec![("A", "12E5".to_owned())] };
    let unusable = || Problem::record(3, NumberColumn::Own, "N", &["A", "B"], "C", "x");
    let many = std::iter::repeat_with(|| Err(unusable())).take(1_000);
    let mut file = Vec::new();
    let rows = [Ok(row), Ok(scientific), Err(Problem::note(2, codes::REQUIRED.into()))];
    let report = write_csv(&["Artikelnummer", "A", "B"], rows.into_iter().chain(many), &mut file).unwrap();
    assert_eq!((report.rows, report.problem_count, report.problems.len()), (2, 1_001, PROBLEMS_MAX));
    let refused = "\"N\";\"Zeile 3, C: x\";\"Zeile 3, C: x\"\r\n".repeat(1_000);
    let expected = format!(
        "\u{feff}\"Artikelnummer\";\"A\";\"B\"\r\n\"\";\"x\"\"y;\nz\";\"\"\r\n\"\";\"'12E5\";\"\"\r\n{refused}"
    );
    assert_eq!(String::from_utf8(file).unwrap(), expected);
}

#[test]
fn price_files_are_converted_to_csv_with_the_senders_numbers() {
    let converted = |format, file: &[u8]| {
        let mut csv = Vec::new();
        let report =
            convert(&Conversion::from(format), Cursor::new(file), &mut csv).map_err(|error| error.code());
        report.map(|report| (report.rows, report.problem_count, String::from_utf8(csv).unwrap()))
    };
    let (rows, problems, csv) = converted(PriceFormat::Datanorm, DATANORM_5).unwrap();
    assert_eq!((rows, problems), (4, 0));
    assert!(csv.starts_with("\u{feff}\"Externe Artikelnummer\";\"Bezeichnung\";\"Preis\""), "{csv}");
    let (rows, problems, csv) = converted(PriceFormat::Bmecat, BMECAT_1_2).unwrap();
    assert_eq!((rows, problems), (1, 1));
    assert!(csv.contains("\r\n\"IPE200\";\"IPE-Träger 200\";\"1285.50\""), "{csv}");
    // in both columns of prices: a profile may leave out one of them
    assert_eq!(csv.matches("\"Zeile 30, Preis: auf Anfrage\"").count(), 2, "{csv}");

    assert_eq!(converted(PriceFormat::Datanorm, BMECAT_1_2), Err(codes::TRANSFORMER_FORMAT));
    let cut_off = &BMECAT_1_2[..BMECAT_1_2.len() - 20];
    assert_eq!(converted(PriceFormat::Bmecat, cut_off), Err(codes::FILE_DAMAGED));
}

#[test]
fn every_cell_has_a_heading_of_its_format() {
    for (items, headings) in [
        (datanorm(DATANORM_4), &DATANORM_HEADINGS[..]),
        (datanorm(DATANORM_5), &DATANORM_HEADINGS[..]),
        (bmecat(BMECAT_1_2), &BMECAT_HEADINGS[..]),
        (bmecat(BMECAT_2005), &BMECAT_HEADINGS[..]),
    ] {
        for (heading, _) in items.into_iter().filter_map(Result::ok).flat_map(|row| row.cells) {
            assert!(headings.contains(&heading), "{heading}");
        }
    }
}

/// A file of version 5 with one record.
fn version_5(record: &str) -> Vec<String> {
    row_texts(datanorm(format!("V;050;P;20261128;EUR;\r\n{record}\r\n").as_bytes()))
}

#[test]
fn unusable_values_are_reported_with_their_line() {
    for (record, field, value) in [
        ("P;N1;1;1;12,50;;", "Preis", "12,50"),
        ("P;N1;1;1;-5;;", "Preis", "-5"),
        ("P;N1;1;1;0;;", "Preis", "0"),
        ("P;N1;1;1;;;", "Preis", ""),
        ("P;N1;1;1;1234567890123;;", "Preis", "1234567890123"),
        ("P;N1;3;1;500;;", "Preiskennzeichen", "3"),
        ("P;N1;1;x;500;;", "Preismenge", "x"),
        ("P;N1;1;-1;500;;", "Preismenge", "-1"),
        ("P;;1;1;500;;", "Externe Artikelnummer", ""),
        ("P", "Externe Artikelnummer", ""),
    ] {
        let sentence = format!(
            "Line 2: the value “{value}” cannot be used for {field}. Please have the sender correct the file."
        );
        assert_eq!(version_5(record), [sentence], "{record}");
    }
}

#[test]
fn the_header_of_version_4_may_have_any_width() {
    for width in [0, 20, 103, 104, 105, 110] {
        let header = format!("V 010126MUSTER GMBH{:width$}04EUR", "");
        let rows =
            row_texts(datanorm(format!("{header}\r\nA;N;4711;00;HEB;12 M;1;2;kg;9250;;;\r\n").as_bytes()));
        let expected = "2: Externe Artikelnummer=4711; Bezeichnung=HEB 12 M; Preis=92.50; Preismenge=100; \
                        Preiseinheit=kg; Währung=EUR";
        assert_eq!(rows, [expected], "{width}");
    }
}

#[test]
fn files_of_other_formats_are_refused() {
    for file in [
        &b""[..],
        b"\r\n\r\n",
        b"V 281126Preisliste 05EUR",
        b"V 281126Preisliste 04",
        b"Artikel;Preis\r\n",
        b"V;040;P;",
        b"V 281126",
        b"\x1a",
        b"PK\x03\x04",
        BMECAT_1_2,
    ] {
        assert_eq!(
            row_texts(datanorm(file)),
            [
                "FATAL This is not a file in the format DATANORM 4/5. Please check that the right file is fetched, or \
              choose another transformer."
            ]
        );
    }
    for file in [
        &b""[..],
        b"Artikel;Preis",
        b"<html><body/></html>",
        b"<?xml version='1.0' encoding='UTF-16'?><BMECAT/>",
        b"<?xml version='1.0' encoding='x'?><BMECAT/>",
    ] {
        assert_eq!(
            row_texts(bmecat(file)),
            [
                "FATAL This is not a file in the format BMEcat 1.2/2005. Please check that the right file is fetched, or \
              choose another transformer."
            ]
        );
    }
    assert_eq!(row_texts(bmecat(b"<BMECAT/>")), Vec::<String>::new());
}

fn is_one_fatal_problem(items: &[Item]) -> bool {
    matches!(items, [Err(Problem { is_fatal: true, .. })])
}

#[test]
fn a_line_or_a_record_without_an_end_is_refused_and_never_stored() {
    let endless = [b"V;050;P;20261128;EUR;\r\n".to_vec(), vec![b'x'; 8 << 20]].concat();
    assert!(is_one_fatal_problem(&datanorm(&endless)));
    assert!(is_one_fatal_problem(&datanorm(&vec![b'V'; 8 << 20])));
    let begin = |text: &str| [text.as_bytes().to_vec(), vec![b'x'; 8 << 20]].concat();
    for file in [
        begin("<BMECAT><ARTICLE><SUPPLIER_AID>"),
        begin("<BMECAT><"),
        begin("<BMECAT a='"),
        begin("<BMECAT><!--"),
        begin("<BMECAT><![CDATA["),
        begin("<!DOCTYPE BMECAT "),
        format!("<BMECAT><ARTICLE>{}", "<A/>".repeat(1 << 20)).into_bytes(),
        "<BMECAT>".repeat(40).into_bytes(),
        b"<BMECAT><ARTICLE>".to_vec(),
        b"<BMECAT><ARTICLE></BMECAT>".to_vec(),
        b"<BMECAT>\xff\xfe</BMECAT>".to_vec(),
    ] {
        let items = bmecat(&file);
        assert!(
            is_one_fatal_problem(&items),
            "{:?} {items:?}",
            String::from_utf8_lossy(&file[..30.min(file.len())])
        );
    }
}

#[test]
fn entities_are_never_expanded() {
    for declaration in [
        "<!DOCTYPE BMECAT [<!ENTITY a \"x\">]>",
        "<!DOCTYPE BMECAT [<!ENTITY a SYSTEM \"file:///etc/passwd\">]>",
        "<!DOCTYPE BMECAT [<!ENTITY % a SYSTEM \"http://example.com/\"> %a;]>",
        "",
    ] {
        let file =
            format!("{declaration}<BMECAT><ARTICLE><SUPPLIER_AID>&a;</SUPPLIER_AID></ARTICLE></BMECAT>");
        assert!(is_one_fatal_problem(&bmecat(file.as_bytes())), "{declaration}");
    }
}

#[test]
fn contradicting_prices_of_an_article_are_refused() {
    let article = |prices: &str| {
        let file = format!(
            "<BMECAT><ARTICLE><SUPPLIER_AID>N1</SUPPLIER_AID><ARTICLE_PRICE_DETAILS>{prices}\
             </ARTICLE_PRICE_DETAILS></ARTICLE></BMECAT>"
        );
        row_texts(bmecat(file.as_bytes()))
    };
    let price = |amount: &str, more: &str| {
        format!(
            "<ARTICLE_PRICE price_type=\"net_list\"><PRICE_AMOUNT>{amount}</PRICE_AMOUNT>{more}</ARTICLE_PRICE>"
        )
    };
    let two = price("1", "") + &price("2", "");
    let two_currencies = price("1", "<PRICE_CURRENCY>EUR</PRICE_CURRENCY>")
        + &price("2", "<PRICE_CURRENCY>CHF</PRICE_CURRENCY><LOWER_BOUND>9</LOWER_BOUND>");
    let many: String =
        (1..=7).map(|from| price("1", &format!("<LOWER_BOUND>{from}</LOWER_BOUND>"))).collect();
    for (prices, field, value) in [
        (two, "Preis", "2"),
        (two_currencies, "Währung", "EUR, CHF"),
        (many, "Staffel", "7"),
        (price("0", ""), "Preis", "0"),
        (price("1.5", "<PRICE_FACTOR>-1</PRICE_FACTOR>"), "Preis", "-1"),
        (price("1e5", ""), "Preis", "1e5"),
        (price("1,50", ""), "Preis", "1,50"),
    ] {
        let sentence = format!(
            "Line 1: the value “{value}” cannot be used for {field}. Please have the sender correct the file."
        );
        assert_eq!(article(&prices), [sentence], "{prices}");
    }
}

proptest! {
    #[test]
    fn transformers_never_panic(mut bytes in proptest::collection::vec(any::<u8>(), 0..300), at in 0_usize..2_000) {
        for sample in [DATANORM_4, DATANORM_5, BMECAT_1_2, BMECAT_2005] {
            let at = at.min(sample.len());
            let mixed = [&sample[..at], &bytes, &sample[at..]].concat();
            prop_assert!(datanorm(&mixed).len() < 1_000);
            prop_assert!(bmecat(&mixed).len() < 1_000);
        }
        bytes.retain(|byte| b";<>&A0P9\r\n/".contains(byte));
        prop_assert!(datanorm(&bytes).len() < 1_000);
        prop_assert!(bmecat(&bytes).len() < 1_000);
    }
}
