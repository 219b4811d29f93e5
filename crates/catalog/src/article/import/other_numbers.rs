//! Columns of other numbers. A cell holds several, separated by commas or semicolons; a number that contains
//! a separator is quoted. A cell replaces all numbers of the column's kind.

use std::collections::{HashMap, HashSet};

use imports::cells::{CellChange, Line, content};
use sheets::{RowFault, header::Heading, number};
use store::{
    Scope, Write,
    audit::{Change, table},
};
use values::{Message, Phrase, Result, Violations};

use crate::{
    article::{
        Article,
        other_number::{self, Key, NumberKind, NumberOwner, OtherNumber, OtherNumbers},
    },
    codes,
};

pub(super) static GTIN: Heading = Heading {
    de: "GTIN",
    en: "GTIN",
    synonyms: &["GTIN (EAN)", "EAN", "EAN-Code", "EAN-Nr.", "EAN 13", "Barcode"],
    help: Some(Phrase { de: "Mehrere durch Komma getrennt", en: "Several with commas between them" }),
};
pub(super) static DRAWING: Heading = Heading {
    de: "Zeichnungsnummer",
    en: "Drawing number",
    synonyms: &["Zeichnungs-Nr.", "Zeichn.-Nr.", "Zeichnung", "Drawing no", "Drawing"],
    help: Some(Phrase { de: "Mehrere durch Komma getrennt", en: "Several with commas between them" }),
};
pub(super) static FREE: Heading = Heading {
    de: "Weitere Nummer",
    en: "Other number",
    synonyms: &["Weitere Nummern", "Zusatznummer", "Other numbers", "Alternative number"],
    help: Some(Phrase { de: "Mehrere durch Komma getrennt", en: "Several with commas between them" }),
};

pub(super) const KINDS: [(NumberKind, &Heading); 3] =
    [(NumberKind::Gtin, &GTIN), (NumberKind::Drawing, &DRAWING), (NumberKind::Free, &FREE)];

/// Column with the other numbers of one kind.
#[derive(Clone, Copy)]
pub(super) struct NumbersColumn {
    pub kind: NumberKind,
    pub index: usize,
}

/// Complete numbers of one kind, as a row gives them.
#[derive(Debug, Clone)]
pub struct NumbersOfKind {
    pub kind: NumberKind,
    pub numbers: Vec<OtherNumber>,
}

impl NumbersColumn {
    /// Reads the numbers of a row; `None` if the cell is empty.
    pub(super) fn read_cell(self, line: Line<'_>, faults: &mut Vec<RowFault>) -> Option<NumbersOfKind> {
        let Self { kind, index } = self;
        match line.read_change(index, faults, |cell| {
            let text = cell.as_str().trim();
            if number::is_scientific(text) {
                return Err(codes::SCIENTIFIC_NUMBER.with("value", text));
            }
            read(kind, content(cell))
        }) {
            CellChange::Keep => None,
            CellChange::Clear => Some(NumbersOfKind { kind, numbers: Vec::new() }),
            CellChange::Set(numbers) => Some(NumbersOfKind { kind, numbers }),
        }
    }
}

fn read(kind: NumberKind, cell: &str) -> Result<Vec<OtherNumber>, Message> {
    let inputs: Vec<_> = split(cell).into_iter().map(|number| OtherNumber { kind, number }).collect();
    let mut faults = Violations::new();
    let numbers = other_number::read(&inputs, &mut faults);
    match faults.into_iter().next() {
        Some(fault) => Err(fault.message),
        None => Ok(numbers),
    }
}

const QUOTE: char = '"';
const SEPARATORS: [char; 2] = [',', ';'];

/// Splits a cell into numbers.
fn split(cell: &str) -> Vec<String> {
    let (mut numbers, mut number, mut quoted) = (Vec::new(), String::new(), false);
    let mut characters = cell.chars().peekable();
    while let Some(character) = characters.next() {
        match character {
            QUOTE if quoted && characters.peek() == Some(&QUOTE) => {
                characters.next();
                number.push(QUOTE);
            }
            QUOTE if quoted || number.trim().is_empty() => quoted = !quoted,
            character if SEPARATORS.contains(&character) && !quoted => {
                numbers.push(std::mem::take(&mut number));
            }
            character => number.push(character),
        }
    }
    numbers.push(number);
    numbers.into_iter().map(|number| number.trim().to_owned()).filter(|number| !number.is_empty()).collect()
}

/// Joins numbers to a cell that [`split`] reads back.
pub(super) fn joined<'n>(numbers: impl Iterator<Item = &'n str>) -> Option<String> {
    let numbers: Vec<String> = numbers
        .map(|number| {
            if number.contains(SEPARATORS) || number.starts_with(QUOTE) {
                format!("\"{}\"", number.replace('"', "\"\""))
            } else {
                number.to_owned()
            }
        })
        .collect();
    (!numbers.is_empty()).then(|| numbers.join(", "))
}

/// Lookup tables for the other numbers of a batch: their owners, and the first line that names each.
#[derive(Default)]
pub(super) struct NumberLookup {
    owners: HashMap<Key, NumberOwner>,
    by_article: HashMap<i64, Vec<OtherNumber>>,
    first_lines: HashMap<Key, u32>,
}

impl NumberLookup {
    /// Loads the owners of the numbers in these lines.
    pub(super) async fn resolve(
        &mut self,
        tx: &Write,
        scope: &Scope,
        columns: &[NumbersColumn],
        lines: &[Line<'_>],
    ) -> Result<()> {
        let mut keys = HashSet::new();
        for line in lines {
            let cells = columns.iter().filter_map(|column| column.read_cell(*line, &mut Vec::new()));
            for number in cells.flat_map(|cell| cell.numbers) {
                self.first_lines.entry(number.key()).or_insert(line.row.line);
                keys.insert(number.key());
            }
        }
        self.owners = other_number::find_owners(tx, scope, keys).await?;
        Ok(())
    }

    /// Loads the other numbers of these articles.
    pub(super) async fn load_existing(
        &mut self,
        tx: &Write,
        scope: &Scope,
        articles: &[&Article],
    ) -> Result<()> {
        self.by_article =
            other_number::load_by_article(tx, scope, articles.iter().map(|article| article.id)).await?;
        Ok(())
    }

    /// Reads the numbers of a row, and whether its article has exactly these already.
    pub(super) fn read_row(
        &self,
        columns: &[NumbersColumn],
        line: Line<'_>,
        existing: Option<&Article>,
    ) -> Result<(Vec<NumbersOfKind>, bool), Vec<RowFault>> {
        let mut faults = Vec::new();
        let mut cells = Vec::new();
        for column in columns {
            let Some(cell) = column.read_cell(line, &mut faults) else { continue };
            for number in &cell.numbers {
                let key = number.key();
                let owner = self
                    .owners
                    .get(&key)
                    .filter(|owner| existing.map(|article| article.id) != Some(owner.id));
                let first = self.first_lines.get(&key).filter(|first| **first != line.row.line);
                let fault = match (owner, first) {
                    (Some(owner), _) => codes::OTHER_NUMBER_TAKEN.with("article", &owner.article_number),
                    (None, Some(first)) => codes::REPEATED_ROW.with("line", first),
                    (None, None) => continue,
                };
                faults.push(RowFault::in_cell(column.index, fault));
                break;
            }
            cells.push(cell);
        }
        if !faults.is_empty() {
            return Err(faults);
        }
        let existing_numbers =
            existing.and_then(|article| self.by_article.get(&article.id)).map_or(&[][..], Vec::as_slice);
        let same = cells.iter().all(|cell| {
            let numbers_of_kind: Vec<_> =
                existing_numbers.iter().filter(|number| number.kind == cell.kind).collect();
            numbers_of_kind.len() == cell.numbers.len()
                && cell.numbers.iter().all(|number| numbers_of_kind.contains(&number))
        });
        Ok((cells, same))
    }
}

impl NumberLookup {
    /// Change of other numbers by a row, in the form of the history.
    pub(super) fn change(&self, cells: &[NumbersOfKind], existing: Option<&Article>) -> Option<Change> {
        let existing_numbers =
            existing.and_then(|article| self.by_article.get(&article.id)).map_or(&[][..], Vec::as_slice);
        let of_kinds = |number: &&OtherNumber| cells.iter().any(|cell| cell.kind == number.kind);
        let cell_numbers = || cells.iter().flat_map(|cell| &cell.numbers);
        let removed = existing_numbers
            .iter()
            .filter(of_kinds)
            .filter(|number| !cell_numbers().any(|one| one == *number));
        let added = cell_numbers().filter(|number| !existing_numbers.contains(number));
        let as_json = |numbers: Vec<&OtherNumber>| serde_json::to_value(numbers).unwrap_or_default();
        let (removed, added): (Vec<_>, Vec<_>) = (removed.collect(), added.collect());
        (!removed.is_empty() || !added.is_empty()).then(|| Change {
            field: table::<OtherNumbers>().to_owned(),
            from: as_json(removed),
            to: as_json(added),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn several_numbers_in_one_cell_are_split_and_joined_without_loss() {
        for (cell, numbers) in [
            ("A 1", &["A 1"][..]),
            ("A 1, B;C ;", &["A 1", "B", "C"]),
            ("\"A,1\"; B", &["A,1", "B"]),
            ("\"A \"\"1\"\"\", B", &["A \"1\"", "B"]),
            ("3\" Rohr", &["3\" Rohr"]),
            (" , ;", &[]),
            ("\"A", &["A"]),
        ] {
            assert_eq!(split(cell), numbers, "{cell}");
            let written = joined(numbers.iter().copied()).unwrap_or_default();
            assert_eq!(split(&written), numbers, "{written}");
        }
    }
}
