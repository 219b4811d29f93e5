//! Tests of CSV files, in every encoding and with all kinds of damage.

use values::Language;

use super::*;
use crate::codes;

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
fn empty_trailing_columns_and_rows_are_ignored() {
    let (header, rows) =
        read("sep=;\r\n;;;\r\na;b;;\r\n1;2;;\r\n\r\n;;;\r\n  ;\r\n3;4;;\r\n;;;\r\n").unwrap();
    assert_eq!(header, ["a", "b"]);
    let rows: Vec<_> = rows.iter().map(|row| (row.line, texts(row))).collect();
    assert_eq!(rows, [(4, vec!["1", "2"]), (8, vec!["3", "4"])]);
}

#[test]
fn a_row_of_another_width_is_faulty() {
    let (_, rows) = read("a;b;c\n1;2;3\n1;2\n1;2;3;4\n1;2;3;;\n1;2;\n").unwrap();
    let faults: Vec<_> = rows.iter().map(codes).collect();
    assert_eq!(faults, [vec![], vec![codes::CELL_COUNT], vec![codes::CELL_COUNT], vec![], vec![]]);
    assert_eq!(texts(&rows[1]), ["1", "2", ""]);
    assert_eq!(texts(&rows[2]), ["1", "2", "3", "4"], "nothing is lost");
    let text = rows[2].faults[0].message.text(Language::De);
    assert_eq!(text, "Die Zeile hat 4 Zellen, die Kopfzeile 3");
}

#[test]
fn characters_that_databases_refuse_are_reported_at_their_cells() {
    let long = "x".repeat(MAX_CELL + 1);
    let filler = "gut;gut\n".repeat(100);
    let text = format!("a;b\n{filler}x\0y;\u{1b}\n{long};ok\nä\tb;\"x\r\ny\"\n");
    let (_, rows) = read(text).unwrap();
    let rows = &rows[100..];
    assert_eq!(codes(&rows[0]), [codes::INVALID_CHARACTERS, codes::INVALID_CHARACTERS]);
    assert_eq!(texts(&rows[0])[0], "x\u{FFFD}y", "a NUL is replaced");
    assert_eq!(codes(&rows[1]), [codes::CELL_TOO_LONG]);
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
fn invalid_bytes_are_reported_and_affect_only_their_rows() {
    let good = "Träger;Länge\r\nGröße;ä\r\n";
    let upload = upload([good.as_bytes(), b"Tr\xE4ger;x\r\nx;\xC3\r\n", "Höhe;ß\r\n".as_bytes()].concat());
    let mut sheet = open(&upload.path).unwrap();
    let notes: Vec<_> = sheet.notes().iter().map(|note| note.text(Language::De)).collect();
    assert_eq!(notes.len(), 1);
    assert!(notes[0].starts_with("Die Datei ist in UTF-8 gespeichert") && notes[0].contains("(Stellen: 2)"));
    let rows: Vec<_> = sheet.rows().unwrap().map(Result::unwrap).collect();
    let actual: Vec<_> = rows
        .iter()
        .map(|row| (row.line, row.faults.iter().map(|fault| (fault.column, fault.message.code)).collect()))
        .collect::<Vec<(u32, Vec<_>)>>();
    let expected = [
        (2, vec![]),
        (3, vec![(Some(0), codes::CHARACTER_SET)]),
        (4, vec![(Some(1), codes::CHARACTER_SET)]),
        (5, vec![]),
    ];
    assert_eq!(actual, expected);
    assert_eq!(texts(&rows[3]), ["Höhe", "ß"]);
}

#[test]
fn the_encoding_is_reported_unless_it_is_utf8() {
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
fn rows_in_utf8_are_refused_within_an_old_code_page() {
    let mut bytes = b"Tr\xE4ger;L\xE4nge\r\nGr\xF6\xDFe;\xFC\xE4\xF6\xFC\xE4\xF6\xFC\r\n".to_vec();
    bytes.extend("Träger;x\r\n".as_bytes());
    let (header, rows) = read(bytes).unwrap();
    assert_eq!(header, ["Träger", "Länge"]);
    assert_eq!(rows.iter().map(codes).collect::<Vec<_>>(), [vec![], vec![codes::CHARACTER_SET]]);
}

#[test]
fn invisible_characters_are_neither_a_row_nor_part_of_a_column_name() {
    let (header, rows) = read(
        "\u{FEFF}\u{FEFF}Artikel\u{AD}typ;\u{200B}Länge [\u{2060}m]\r\n\
         \u{200B};\u{FEFF}\r\nRund\u{AD}rohr;12,5\r\n",
    )
    .unwrap();
    assert_eq!(header, ["Artikeltyp", "Länge [m]"]);
    let actual: Vec<_> = rows.iter().map(|row| (row.line, texts(row))).collect();
    assert_eq!(actual, [(3, vec!["Rund\u{AD}rohr", "12,5"])]);
    let rows =
        format!("<row>{}</row><row>{}</row>", inline("A1", "a\u{AD}b"), inline("A2", "&#8203;&#xFEFF;"));
    assert_eq!(read(workbook(sheet(&rows))).unwrap(), (vec!["ab".to_owned()], vec![]));
}

#[test]
fn texts_that_look_the_same_are_equal() {
    for (text, expected) in [
        ("Rund\u{AD}rohr\u{200B}", "Rundrohr"),
        ("\u{202A}12,5\u{202C}", "12,5"),
        ("\u{FEFF}\u{2060}\u{200E}A", "A"),
        ("Träger", "Träger"),
        ("पानी 👩\u{200D}🔧", "पानी 👩\u{200D}🔧"),
    ] {
        assert_eq!(visible(text), expected);
    }
    assert!(is_blank(" \u{200B}\u{A0}") && !is_blank("\u{200D}"));
}

#[test]
fn the_end_of_file_character_is_not_a_row() {
    let (_, rows) = read("a;b\r\n1;2\r\n\u{1A}").unwrap();
    assert_eq!(rows.iter().map(texts).collect::<Vec<_>>(), [["1", "2"]]);
    assert!(rows[0].faults.is_empty());
    assert_eq!(read("\u{1A}").unwrap_err(), codes::FILE_EMPTY);
}

#[test]
fn column_names_have_at_most_255_characters() {
    let spaced = |length: usize| "Artikel".to_owned() + &" ".repeat(length - 10) + "typ;b\n1;2\n";
    assert!(read(spaced(255)).is_ok());
    assert_eq!(read(spaced(256)).unwrap_err(), codes::COLUMN_NAME_TOO_LONG);
    let upload = upload("a;".to_owned() + &"x".repeat(1_000_000));
    let refused = open(&upload.path).err().unwrap().to_string();
    assert!(refused.starts_with("The heading of column B is longer than 255 characters"), "{refused}");
}

#[test]
fn too_many_columns_fail_the_file_in_its_header_and_the_row_below_it() {
    assert_eq!(read("a;".repeat(MAX_COLUMNS) + "b\n1\n").unwrap_err(), codes::TOO_MANY_COLUMNS);
    assert!(read("a;".repeat(MAX_COLUMNS - 1) + "b\n").is_ok());
    let (_, rows) = read("a;b\n".to_owned() + &"1;".repeat(100_000) + "\n").unwrap();
    assert_eq!(codes(&rows[0]), [codes::CELL_COUNT]);
}

#[test]
fn rows_are_limited() {
    let upload = upload("a\n".to_owned() + &"1\n".repeat(1_000_001));
    let mut sheet = open(&upload.path).unwrap();
    let (row_count, error) = sheet.rows().unwrap().fold((0, None), |(count, error), row| match row {
        Ok(_) => (count + 1, error),
        Err(refused) => (count, Some(refusal(&refused))),
    });
    assert_eq!((row_count, error), (1_000_000, Some(codes::TOO_MANY_ROWS)));
}
