//! Suggested meanings of unknown columns: by similar headings, and by the values of their cells.

use std::collections::HashSet;

use sheets::{Cell, header};
use store::{Database, Scope};
use values::{Result, Unit};

use crate::{
    columns::{DeclaredColumns, Field, Meaning},
    registry::AnyImporter,
};

/// Field that a column may mean.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Suggestion {
    pub field: String,
    pub reason: Reason,
}

/// Reason for a suggestion.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reason {
    /// Similar heading.
    Heading,
    /// Values that all occur in the field.
    Values,
}

/// Maximum number of different values of a column that are looked up.
const VALUES_MAX: usize = 100;
/// Minimum length of similar words; shorter ones are similar by chance.
const ALIKE_MIN: usize = 5;

/// Columns and their cells in the first rows.
pub(crate) struct Unknown<'a> {
    pub meanings: &'a [Meaning],
    pub names: Vec<&'a str>,
    pub rows: &'a [(u32, Vec<Cell>)],
}

/// Suggestions for columns without a meaning, one for each column; only fields that no other column has.
/// `constant_fields` are already set by constants.
pub(crate) async fn suggest(
    db: &Database,
    importer: &dyn AnyImporter,
    scope: &Scope,
    declared: &DeclaredColumns,
    fields: &[Field],
    columns: Unknown<'_>,
    constant_fields: impl Iterator<Item = String>,
) -> Result<Vec<Option<Suggestion>>> {
    let mut used: HashSet<String> = constant_fields.collect();
    used.extend(columns.meanings.iter().filter_map(|meaning| match meaning {
        Meaning::Field { key, .. } => Some(key.clone()),
        Meaning::Unread | Meaning::Nameless | Meaning::Unknown => None,
    }));
    // a file needs only one of several fields that identify the same thing
    for group in declared.required() {
        if group.iter().any(|key| used.contains(key)) {
            used.extend(group);
        }
    }
    let mut suggestions = Vec::new();
    for (at, meaning) in columns.meanings.iter().enumerate() {
        let name = columns.names.get(at).copied().unwrap_or_default();
        let suggestion = if *meaning == Meaning::Unknown {
            let values = values(columns.rows, at);
            let by_values = importer.field_of_values(db, scope, &values).await?;
            let by_values = by_values.or_else(|| field_of_units(&values, fields));
            let suggestion_for = |reason| move |field: String| Suggestion { field, reason };
            by_values
                .map(suggestion_for(Reason::Values))
                .filter(|suggestion| !used.contains(&suggestion.field))
                .or_else(|| {
                    let free = fields.iter().filter(|field| !used.contains(&field.key));
                    most_alike(name, free).map(suggestion_for(Reason::Heading))
                })
        } else {
            None
        };
        used.extend(suggestion.iter().map(|suggestion| suggestion.field.clone()));
        suggestions.push(suggestion);
    }
    Ok(suggestions)
}

/// Different values of a column.
fn values(rows: &[(u32, Vec<Cell>)], column: usize) -> Vec<String> {
    let cells = rows.iter().filter_map(|(_, cells)| Some(cells.get(column)?.as_str().trim()));
    let mut values: Vec<String> = cells.filter(|text| !text.is_empty()).map(str::to_owned).collect();
    values.sort_unstable();
    values.dedup();
    values.truncate(VALUES_MAX);
    values
}

/// Field for the unit of quantities, if all values are units.
fn field_of_units(values: &[String], fields: &[Field]) -> Option<String> {
    let are_units = !values.is_empty() && values.iter().all(|value| Unit::parse_multiple(value).is_some());
    let field = fields.iter().find(|field| field.key == "quantity_unit").filter(|_| are_units)?;
    Some(field.key.clone())
}

/// Field with the heading that is most similar to a name.
fn most_alike<'f>(name: &str, fields: impl Iterator<Item = &'f Field>) -> Option<String> {
    let name = header::key(name);
    let alike = fields.filter_map(|field| {
        let headings = [field.label.as_str(), field.key.as_str()];
        let headings = headings.into_iter().chain(field.synonyms.iter().copied());
        let nearest = headings.filter_map(|heading| distance(&name, &header::key(heading))).min()?;
        Some((nearest, field))
    });
    alike.min_by_key(|(nearest, _)| *nearest).map(|(_, field)| field.key.clone())
}

/// Distance between two similar names: one contains the other, or they differ by a letter or two.
fn distance(name: &str, heading: &str) -> Option<usize> {
    if name.len() < ALIKE_MIN || heading.len() < ALIKE_MIN {
        return None;
    }
    if name.contains(heading) {
        return Some(1 + (name.len() - heading.len()) / 4);
    }
    let edits = edits(name, heading);
    (edits <= name.len().max(heading.len()) / 5).then_some(edits)
}

/// Edit distance between two words.
fn edits(one: &str, other: &str) -> usize {
    let other: Vec<char> = other.chars().collect();
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (at, letter) in one.chars().enumerate() {
        let mut before = at;
        let mut left = at + 1;
        let mut next = vec![left];
        for (other_letter, cell) in other.iter().zip(row.iter().skip(1)) {
            left = (before + usize::from(letter != *other_letter)).min(left + 1).min(cell + 1);
            before = *cell;
            next.push(left);
        }
        row = next;
    }
    row.last().copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn field(key: &str, label: &str, synonyms: &[&'static str]) -> Field {
        Field { key: key.into(), label: label.into(), help: None, synonyms: synonyms.to_vec(), unit: None }
    }

    #[test]
    fn similar_headings_suggest_their_field() {
        let fields = [
            field("article_number", "Artikelnummer", &["Art.-Nr."]),
            field("quantity", "Menge", &["Lagerbestand"]),
            field("price", "Preis", &["Verkaufspreis"]),
        ];
        for (name, expected) in [
            ("Artikelnumer", Some("article_number")),
            ("Unsere Artikelnummer", Some("article_number")),
            ("Lagerbestand aktuell", Some("quantity")),
            ("Verkaufspreis netto", Some("price")),
            ("Farbe", None),
            ("Mengo", Some("quantity")),
            ("ME", None),
        ] {
            assert_eq!(most_alike(name, fields.iter()).as_deref(), expected, "{name}");
        }
    }

    #[test]
    fn the_edit_distance_is_counted() {
        for (one, other, expected) in
            [("", "", 0), ("abc", "abc", 0), ("abc", "ab", 1), ("abc", "axc", 1), ("", "ab", 2)]
        {
            assert_eq!(edits(one, other), expected, "{one} {other}");
        }
    }
}
