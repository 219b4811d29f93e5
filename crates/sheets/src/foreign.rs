//! Files of other kinds that users mistake for tables: each gets its own error with advice.

use values::{Code, fold::fold};

use crate::codes;

/// Error for a file that is no table, by its first bytes; `None` if it may be one.
pub(super) fn recognise(start: &[u8]) -> Option<Code> {
    if start.starts_with(b"%PDF") {
        return Some(codes::FILE_PDF);
    }
    let text = decoded(start);
    let text = text.trim_start();
    let lower = fold(text);
    let begins = |words: &[&str]| words.iter().any(|word| lower.starts_with(word));
    if begins(&["<!doctype html", "<html", "<table", "<meta", "<head", "<body"]) {
        Some(codes::FILE_HTML)
    } else if begins(&["<?xml", "<!doctype", "<bmecat", "<workbook", "<!--"]) {
        // some programs write an HTML page after an XML declaration
        Some(if lower.contains("<html") { codes::FILE_HTML } else { codes::FILE_XML })
    } else if is_datanorm(text) {
        Some(codes::FILE_DATANORM)
    } else if is_sap_list(text) {
        Some(codes::FILE_SAP_LIST)
    } else {
        None
    }
}

/// Text that is sufficient to identify the file; of UTF-16 only every other byte.
fn decoded(start: &[u8]) -> String {
    let start = start.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(start);
    let is_wide = start.starts_with(b"\xFF\xFE") || start.starts_with(b"\xFE\xFF");
    let bytes = start.iter().copied().filter(|byte| !is_wide || (*byte != 0 && *byte < 0xFE));
    bytes.map(char::from).collect()
}

/// True for DATANORM 4 (`V 050101...`) and 5 (`V;050;A;...`), whose rows begin with the letter of their kind.
fn is_datanorm(text: &str) -> bool {
    let mut lines = text.lines().filter(|line| !line.trim().is_empty());
    let Some(head) = lines.next() else { return false };
    let is_head = match head.strip_prefix('V') {
        Some(rest) if rest.starts_with(';') => {
            rest.split(';').nth(1).is_some_and(|version| version.starts_with("05"))
        }
        Some(rest) => {
            rest.starts_with(' ')
                && rest.trim_start().len() > 20
                && rest.trim_start().starts_with(|c: char| c.is_ascii_digit())
        }
        None => false,
    };
    let is_of_kind = |line: &str| {
        let mut signs = line.chars();
        signs.next().is_some_and(|kind| "ABCDEGJPRSTWZ".contains(kind)) && signs.next() == Some(';')
    };
    is_head && lines.next().is_none_or(is_of_kind)
}

/// True for a list that SAP has written as unconverted text: lines of dashes around rows between bars.
fn is_sap_list(text: &str) -> bool {
    let lines = || text.lines().map(str::trim).filter(|line| !line.is_empty()).take(40);
    let is_rule = |line: &str| line.len() > 9 && line.chars().all(|c| matches!(c, '-' | '|' | '+'));
    let is_row = |line: &str| line.starts_with('|') && line.ends_with('|') && line.len() > 9;
    lines().any(is_rule) && lines().filter(|line| is_row(line) && !is_rule(line)).count() > 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_files_are_reported_by_their_kind() {
        let wide: Vec<u8> =
            b"\xFF\xFE".iter().copied().chain("<html><table>".bytes().flat_map(|byte| [byte, 0])).collect();
        for (start, expected) in [
            (&b"%PDF-1.7"[..], Some(codes::FILE_PDF)),
            (b"<?xml version=\"1.0\"?><BMECAT/>", Some(codes::FILE_XML)),
            (b"\xEF\xBB\xBF<?xml version=\"1.0\"?><html>", Some(codes::FILE_HTML)),
            (b"\r\n <!DOCTYPE HTML>", Some(codes::FILE_HTML)),
            (b"<table><tr><td>A</td></tr>", Some(codes::FILE_HTML)),
            (&wide, Some(codes::FILE_HTML)),
            (b"V;050;A;20261127;EUR;;;;;;;;;;;\r\nA;N;4711;HEB\r\n", Some(codes::FILE_DATANORM)),
            (
                b"V 271126Preisliste Stahl                     04EUR\r\nA;N;4711;00;HEB\r\n",
                Some(codes::FILE_DATANORM),
            ),
            (b"-----------\n|Material |ME|\n-----------\n|HEB-1    |M |\n", Some(codes::FILE_SAP_LIST)),
            (b"Artikelnummer;Lager\r\nV;DU\r\n", None),
            (b"V;Lager;Menge\r\nHEB;DU;1\r\n", None),
            (b"Artikel|Lager|Menge\r\nHEB|DU|1\r\n", None),
            (b"a < b;c\r\n", None),
            (b"", None),
        ] {
            assert_eq!(recognise(start), expected, "{}", String::from_utf8_lossy(start));
        }
    }
}
