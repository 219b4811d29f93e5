//! Refused rows, stored as they were uploaded, with all faults of each.

pub mod entity;

use sea_orm::{FromJsonQueryResult, FromQueryResult};
use serde::{Deserialize, Serialize};
use store::Part;
use values::{Language, rule::TEXT_MAX, shortened};

pub use self::entity::{ActiveModel, Column, Entity as Refusals, Model as Refusal};
use super::Imports;
use sheets::{Cell, RowFault, number::Style};

use crate::codes;

impl Part for Refusals {
    type Whole = Imports;
    const WHOLE: Column = Column::ImportId;
}

/// Cells of a row in stored form.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, FromJsonQueryResult)]
pub struct Cells(pub Vec<Cell>);

/// Maximum number of faults that are stored for a row; further ones appear after these are corrected.
const FAULTS_MAX: usize = 20;

/// Faults of a row with the names of the columns, so that the file is not needed to show them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, FromJsonQueryResult)]
pub struct Faults(pub Vec<NamedFault>);

/// Fault of a row.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NamedFault {
    /// Name of the column in the file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    #[serde(flatten)]
    pub fault: RowFault,
}

/// Refused row without its cells, which may be long.
#[derive(Debug, FromQueryResult)]
pub struct RefusedLine {
    pub line: i64,
    pub messages: Faults,
}

impl Refusal {
    /// Heading and text of each cell, numbers with the decimal sign of the file.
    pub fn shown_cells(&self, header: &[String], style: Style) -> Vec<(String, String)> {
        let sign = if style == Style::Point { "." } else { "," };
        let text = |cell: &Cell| match cell {
            Cell::Number { number } => number.replace('.', sign),
            Cell::Text(text) => text.trim().to_owned(),
            Cell::Value { json } => json.clone(),
        };
        let names = header.iter().cloned().chain(std::iter::repeat(String::new()));
        names.zip(self.cells.0.iter().map(text)).collect()
    }
}

impl Faults {
    /// Adds the names of columns to faults. `place` is the place of the row in a document, which also
    /// prefixes its columns: `articles.17.number`.
    pub(crate) fn with_column_names(mut faults: Vec<RowFault>, header: &[Cell], place: Option<&str>) -> Self {
        if let Some(more @ 1..) = faults.len().checked_sub(FAULTS_MAX) {
            faults.truncate(FAULTS_MAX);
            faults.push(RowFault::in_row(codes::MORE_PROBLEMS.with("count", more)));
        }
        let name = |fault: &RowFault| {
            let column = fault.column.and_then(|column| header.get(column)).map(|cell| cell.as_str().trim());
            let column = column.filter(|name| !name.is_empty());
            let with_place =
                |place: &str| column.map_or(place.to_owned(), |column| format!("{place}.{column}"));
            place.map(with_place).or_else(|| column.map(str::to_owned))
        };
        let named_faults = faults.into_iter().map(|fault| NamedFault { name: name(&fault), fault });
        Self(named_faults.collect())
    }
}

impl NamedFault {
    /// Returns the message in a language.
    pub fn text(&self, language: Language) -> String {
        self.fault.message.text(language)
    }

    /// Shortened name of the column.
    pub fn column(&self) -> Option<String> {
        self.name.as_deref().map(|name| shortened(name, TEXT_MAX).into_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_is_stored_compactly_and_read_back() {
        let cells =
            Cells(vec![Cell::Text("IPE".into()), Cell::Number { number: "12.1".into() }, Cell::default()]);
        let stored = serde_json::to_value(&cells).unwrap();
        assert_eq!(stored.to_string(), r#"["IPE",{"number":"12.1"},""]"#);
        assert_eq!(serde_json::from_value::<Cells>(stored).unwrap(), cells);

        let header = [Cell::Text(" Länge [m] ".into())];
        let faults = vec![
            RowFault { column: Some(0), message: codes::NOT_A_NUMBER.with("value", "x") },
            RowFault { column: None, message: codes::REPEATED_ROW.with("line", 2) },
            RowFault { column: Some(7), message: codes::REQUIRED.into() },
        ];
        let named_faults = Faults::with_column_names(faults.clone(), &header, Some("articles.17"));
        let actual: Vec<_> = named_faults.0.iter().filter_map(|fault| fault.name.as_deref()).collect();
        assert_eq!(actual, ["articles.17.Länge [m]", "articles.17", "articles.17"]);
        let faults = Faults::with_column_names(faults, &header, None);
        assert_eq!(faults.0[0].name.as_deref(), Some("Länge [m]"));
        assert_eq!((&faults.0[1].name, &faults.0[2].name), (&None, &None));
        let stored = serde_json::to_value(&faults).unwrap();
        assert_eq!(serde_json::from_value::<Faults>(stored).unwrap(), faults);
    }
}
