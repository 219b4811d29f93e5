//! Tests of files that are no table, or cannot be read as one.

use super::*;
use crate::codes;

#[test]
fn files_that_are_no_tables_are_refused() {
    let gzip =
        b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03\x4b\x4c\x4a\x06\x00\xc2\x41\x24\x35\x03\x00\x00\x00";
    let rubbish: Vec<u8> =
        (0..10_000_u32).map(|index| (index.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
    for (what, bytes, code) in [
        ("empty", &b""[..], codes::FILE_EMPTY),
        ("only a byte order mark", b"\xEF\xBB\xBF", codes::FILE_EMPTY),
        ("only white space", b" \r\n;;\r\n\t\r\n", codes::FILE_EMPTY),
        ("gzip", gzip, codes::FILE_UNREADABLE),
        ("rubbish", &rubbish, codes::FILE_UNREADABLE),
        ("PDF", b"%PDF-1.7\n1 0 obj\n", codes::FILE_PDF),
        ("a page", b"<html><table><tr><td>A</td></tr></table></html>", codes::FILE_HTML),
        ("PNG", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", codes::FILE_UNREADABLE),
        (
            "another file of old office programs",
            b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1\0\0\0\0\0\0\0\0",
            codes::FILE_UNREADABLE,
        ),
        ("UTF-16 without a mark", b"A\0r\0t\0", codes::FILE_UTF16),
        ("the same, big end first", b"\0A\0r\0t\x20\xAC", codes::FILE_UTF16),
        ("a zip that is no workbook", &zipped([("a.txt", b"a".to_vec())]), codes::FILE_UNREADABLE),
        ("a line without end", &b"a".repeat(2 << 20), codes::LINE_TOO_LONG),
    ] {
        assert_eq!(read(bytes).unwrap_err(), code, "{what}");
    }
}

/// Reads files of programs that really write such files.
#[test]
fn unreadable_workbooks_are_reported_by_their_kind() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata/files");
    for (name, code) in [("password.xlsx", codes::FILE_ENCRYPTED), ("old.xls", codes::FILE_OLD_EXCEL)] {
        let bytes = std::fs::read(format!("{folder}/{name}")).unwrap();
        assert_eq!(read(&bytes).unwrap_err(), code, "{name}");
        // The directory may be anywhere in the file.
        let shifted = [&bytes[..512], &vec![0xAA; (64 << 10) - 600], &bytes[512..]].concat();
        assert_eq!(read(shifted).unwrap_err(), code, "{name}, with its directory further back");
    }
    let mut encrypted = workbook(sheet(""));
    let entry = encrypted.windows(4).position(|window| window == b"PK\x01\x02").unwrap();
    encrypted[entry + 8] |= 1;
    assert_eq!(read(encrypted).unwrap_err(), codes::FILE_ENCRYPTED, "a zip whose directory says so");
}

#[test]
fn a_header_alone_has_no_rows() {
    assert_eq!(read("a;b\r\n").unwrap(), (vec!["a".to_owned(), "b".to_owned()], vec![]));
}

#[test]
fn files_that_are_too_large_are_not_opened() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("large");
    let mut file = File::create(&path).unwrap();
    file.write_all(&b"a;b\n".repeat(2_000)).unwrap();
    file.set_len(MAX_CSV_BYTES + 1).unwrap();
    drop(file);
    assert_eq!(refusal(&open(&path).err().unwrap()), codes::FILE_TOO_LARGE);
}
