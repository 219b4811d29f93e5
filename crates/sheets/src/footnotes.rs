//! Footnotes: lines below a table that concern all of it, such as `Preise freibleibend` or `Stand:
//! 27.11.2026`.
//!
//! A footnote is recognised by its words and its place: a single text that begins like a remark or contains
//! its words, after the last real row. Rows that may be footnotes wait until a later row shows that they are
//! not. A row with a second filled cell is never a footnote, unless both are `Stand:` and a date.

use std::collections::VecDeque;

use super::{Record, is_blank};

/// Maximum number of rows that wait for the end of the table.
const WAITING_MAX: usize = 20;

/// Beginnings of remarks, folded.
const BEGINNINGS: [&str; 31] = [
    "alle preise",
    "alle angaben",
    "alle mengen",
    "anmerkung",
    "anmerkungen",
    "bemerkung",
    "bemerkungen",
    "druckdatum",
    "erstellt am",
    "es gelten",
    "ende der liste",
    "ende des berichts",
    "fussnote",
    "gedruckt am",
    "gultig ab",
    "gultig bis",
    "gultig vom",
    "hinweis",
    "hinweise",
    "irrtum",
    "preise",
    "stand",
    "zwischenverkauf",
    "all prices",
    "as of",
    "end of list",
    "end of report",
    "note",
    "notes",
    "prices",
    "printed on",
];

/// Words that occur in remarks, folded.
const WORDS: [&str; 18] = [
    "freibleibend",
    "unverbindlich",
    "vorbehalten",
    "vorbehaltlich",
    "zwischenverkauf",
    "mehrwertsteuer",
    "umsatzsteuer",
    "mwst",
    "ust",
    "legierungszuschlag",
    "geschaftsbedingungen",
    "lieferbedingungen",
    "allgemeinen",
    "agb",
    "non-binding",
    "excluding",
    "vat",
    "reserved",
];

/// Queue of rows that may be footnotes, and the footnotes.
#[derive(Debug, Default)]
pub(super) struct Footnotes {
    waiting: Vec<Record>,
    ready: VecDeque<Record>,
    /// Texts of the footnotes, once the table has ended.
    texts: Vec<String>,
}

impl Footnotes {
    /// Texts of the footnotes; empty before the table has ended.
    pub(super) fn texts(&self) -> &[String] {
        &self.texts
    }

    /// Returns the next record that certainly is a row.
    pub(super) fn take(&mut self) -> Option<Record> {
        self.ready.pop_front()
    }

    /// Adds a record of the table.
    pub(super) fn push(&mut self, record: Record, columns: usize) {
        let may_be_one = columns > 1 && record.faults.is_empty() && text_of(&record).is_some();
        if may_be_one && self.waiting.len() < WAITING_MAX {
            self.waiting.push(record);
        } else {
            self.ready.extend(self.waiting.drain(..));
            self.ready.push_back(record);
        }
    }

    /// Ends the table: rows that still wait are footnotes.
    pub(super) fn end(&mut self) {
        self.texts.extend(self.waiting.drain(..).filter_map(|record| text_of(&record)));
    }
}

/// Text of a record that reads like a footnote.
fn text_of(record: &Record) -> Option<String> {
    let mut filled = record.cells.iter().map(|cell| cell.as_str().trim()).filter(|text| !is_blank(text));
    let (first, second, third) = (filled.next()?, filled.next(), filled.next());
    match (second, third) {
        (None, _) => is_remark(first).then(|| first.to_owned()),
        // `Stand:` next to its date
        (Some(date), None) if first.ends_with(':') && is_remark(first) && is_date(date) => {
            Some(format!("{first} {date}"))
        }
        _ => None,
    }
}

fn is_remark(text: &str) -> bool {
    let folded = values::fold(text.trim_start_matches(['*', '-', '–', ' ', '(']));
    let begins = |beginning: &&str| {
        let rest = folded.strip_prefix(*beginning);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with([' ', ':', '.', ',']))
    };
    // a single word may be a number or a designation
    if !folded.contains([' ', ':']) {
        return false;
    }
    let mut words = folded.split(|c: char| !c.is_alphanumeric() && c != '-');
    BEGINNINGS.iter().any(begins) || words.any(|word| WORDS.contains(&word))
}

/// True for `27.11.2026`, `2026-11-27` and `11/2026`, but for no quantity or price.
fn is_date(text: &str) -> bool {
    let parts: Vec<&str> = text.split(['.', '-', '/']).collect();
    let are_numbers =
        parts.iter().all(|part| (1..=4).contains(&part.len()) && part.bytes().all(|c| c.is_ascii_digit()));
    let has_year =
        parts.iter().any(|part| part.len() == 4 && (part.starts_with("19") || part.starts_with("20")));
    are_numbers && has_year && (parts.len() == 3 || (parts.len() == 2 && text.contains('/')))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Cell;

    fn text(cells: &[&str]) -> Option<String> {
        let cells = cells.iter().map(|text| Cell::text(text)).collect();
        text_of(&Record { line: 9, hidden: false, cells, faults: Vec::new() })
    }

    #[test]
    fn remarks_are_distinguished_from_rows() {
        for remark in [
            "Preise freibleibend",
            "Alle Preise zzgl. MwSt.",
            "* Alle Angaben ohne Gewähr",
            "Stand: 27.11.2026",
            "Stand 11/2026",
            "Es gelten unsere AGB.",
            "Irrtum und Zwischenverkauf vorbehalten",
            "(Gültig ab 01.12.2026)",
            "zzgl. Legierungszuschlag",
            "All prices excl. VAT",
            "Prices subject to change without notice",
        ] {
            assert_eq!(text(&["", remark, ""]).as_deref(), Some(remark));
        }
        assert_eq!(text(&["Stand:", "27.11.2026"]).as_deref(), Some("Stand: 27.11.2026"));
        assert_eq!(text(&["", "Gültig ab:", "", "11/2026"]).as_deref(), Some("Gültig ab: 11/2026"));
        for row in [
            &["HEB 200 S235JR"][..],
            &["HEB-200"],
            &["4711"],
            &["12,5"],
            &["Standrohr"],
            &["Stand"],
            &["Preise"],
            &["Notentür T30"],
            &["Standrohr 2 Zoll"],
            // a number next to a quantity or a price
            &["Preise freibleibend", "12"],
            &["Stand:", "12,5"],
            &["Stand:", "12.5"],
            &["Stand:", "2026"],
            &["Stand:", "1.234.567"],
            &["Stand:", "27.11.2026", "5"],
            &["Hinweis:", "HEB 200"],
            &[""],
            &[],
        ] {
            assert_eq!(text(row), None, "{row:?}");
        }
    }
}
