//! Mapping: the meaning of columns of a file whose names do not say it. It refers to columns by name; if
//! several columns share a name, entries apply to the first, the second and so on.

use std::collections::HashMap;

use sea_orm::FromJsonQueryResult;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use sheets::{
    Cell, MAX_COLUMNS,
    header::{ColumnMapping, Title, is_own},
};
use utoipa::ToSchema;
use validator::{Validate, ValidationError};
use values::{Error, Language, Message, Result, Violations, fold, rule::printable};

use crate::{
    codes,
    columns::{DeclaredColumns, Meaning},
};

/// Maximum number of entries: one for each column.
pub(crate) const ENTRIES_MAX: u64 = MAX_COLUMNS as u64;

/// Meanings of columns; a column without an entry has the meaning of its name.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, FromJsonQueryResult)]
pub struct Mapping(pub Vec<MappedColumn>);

/// Meaning of a column.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema, Validate)]
#[serde(deny_unknown_fields)]
#[schema(as = ImportMappedColumn)]
pub struct MappedColumn {
    /// Name of the column in the file.
    #[schema(max_length = 255, example = "Art.-Nr. Lieferant")]
    #[validate(length(max = 255), custom(function = heading))]
    pub column: String,
    /// Field of the column; `null` if the column is ignored.
    #[serde(deserialize_with = "Option::deserialize")]
    #[schema(required, max_length = 255, example = "external_article_number")]
    #[validate(length(max = 255))]
    pub field: Option<String>,
    /// Quantity and unit of the column's prices (`100 kg`), or the unit of its quantities (`t`). Takes
    /// precedence over a unit in the heading, which is used if this is missing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(max_length = 255, example = "100 kg")]
    #[validate(length(max = 255), custom(function = printable))]
    pub unit: Option<String>,
}

/// Checks for printable text that may have several lines, like headings of workbooks.
fn heading(text: &str) -> Result<(), ValidationError> {
    printable(&text.replace(['\n', '\r', '\t'], " "))
}

/// Mapping applied to a header.
struct MappedHeader {
    titles: Vec<Title>,
    /// Index of the column of each entry.
    places: Vec<Option<usize>>,
}

impl Mapping {
    /// Header of a file with the meaning of its columns.
    pub fn titles(&self, header: &[Cell]) -> Vec<Title> {
        self.placed(header).titles
    }

    fn placed(&self, header: &[Cell]) -> MappedHeader {
        let mut titles = Title::from_header(header);
        let mut used_columns = vec![false; titles.len()];
        let mut places = Vec::with_capacity(self.0.len());
        for MappedColumn { column, field, unit } in &self.0 {
            let folded_name = folded(column);
            let is_it = |(index, title): &(usize, &Title)| {
                used_columns.get(*index) == Some(&false) && folded(&title.name) == folded_name
            };
            let place = titles.iter().enumerate().find(is_it).map(|(index, _)| index);
            if let Some(index) = place
                && let (Some(title), Some(is_used)) = (titles.get_mut(index), used_columns.get_mut(index))
            {
                *is_used = true;
                title.mapping = field.clone().map_or(ColumnMapping::Ignored, ColumnMapping::Field);
                title.unit.clone_from(unit);
            }
            places.push(place);
        }
        MappedHeader { titles, places }
    }

    /// True if all columns and fields of the mapping exist in this header and type.
    pub(crate) fn fits(&self, header: &[Cell], declared: &DeclaredColumns) -> bool {
        let fields = self.0.iter().filter_map(|entry| entry.field.as_deref());
        self.placed(header).places.iter().all(Option::is_some)
            && fields.into_iter().all(|field| declared.is_field(field))
    }

    /// Path of a header problem: the unit of the column that it names, or the mapping as a whole.
    pub(crate) fn path_of(&self, problem: &Message) -> String {
        let column = problem.value("column").filter(|_| problem.code == codes::COLUMN_REFUSED).map(folded);
        let is_it = |entry: &MappedColumn| column.as_deref() == Some(&*folded(&entry.column));
        self.0.iter().position(is_it).map_or_else(|| "mapping".to_owned(), |at| format!("mapping.{at}.unit"))
    }

    /// Header of a file with the meaning of its columns, or the violations of the mapping, each at its entry.
    pub(crate) fn check(
        &self,
        header: &[Cell],
        declared: &DeclaredColumns,
        language: Language,
    ) -> Result<Vec<Title>> {
        let mut wrong = Violations::new();
        if self.0.len() > MAX_COLUMNS {
            wrong.add("mapping", codes::TOO_MANY.with("max", MAX_COLUMNS));
            return Err(Error::Invalid(wrong));
        }
        let MappedHeader { titles, places } = self.placed(header);
        let meanings = declared.meanings(&titles);
        for (number, (entry, place)) in self.0.iter().zip(&places).enumerate() {
            let Some(place) = *place else {
                let missing = codes::MAPPED_COLUMN_MISSING.with("column", &entry.column);
                let names = header.iter().map(|cell| cell.as_str().trim());
                wrong.add(format!("mapping.{number}.column"), missing.list("found", names));
                continue;
            };
            let Some(field) = &entry.field else { continue };
            if !entry.is_of(declared, number, &mut wrong) {
                continue;
            }
            let means_it = |meaning: &Meaning| matches!(meaning, Meaning::Field { key, .. } if key == field);
            let twin =
                meanings.iter().enumerate().find(|(index, meaning)| *index != place && means_it(meaning));
            if let Some(other) = twin.and_then(|(index, _)| titles.get(index)) {
                let twice = codes::FIELD_MAPPED_TWICE.with("field", declared.label(field, language));
                wrong.add(format!("mapping.{number}.field"), twice.with("column", other.name.trim()));
            }
        }
        wrong.check()?;
        Ok(titles)
    }

    /// Adds the violations of a mapping that do not depend on a file, each at its entry.
    pub(crate) fn check_fields(&self, declared: &DeclaredColumns, wrong: &mut Violations) {
        let mut columns: HashMap<&str, &str> = HashMap::new();
        for (number, entry) in self.0.iter().enumerate() {
            let Some(field) = entry.field.as_deref().filter(|_| entry.is_of(declared, number, wrong)) else {
                continue;
            };
            if let Some(other) = columns.insert(field, &entry.column) {
                let twice = codes::FIELD_MAPPED_TWICE.with("field", field).with("column", other);
                wrong.add(format!("mapping.{number}.field"), twice);
            }
        }
    }

    /// Columns of its entries that a header does not have.
    pub(crate) fn missing_columns(&self, header: &[Cell]) -> Vec<String> {
        let places = self.placed(header).places;
        let missing = self.0.iter().zip(places).filter(|(_, place)| place.is_none());
        missing.map(|(entry, _)| entry.column.clone()).collect()
    }
}

impl MappedColumn {
    /// True if the type has this field; adds violations of field and unit.
    fn is_of(&self, declared: &DeclaredColumns, number: usize, wrong: &mut Violations) -> bool {
        let Some(field) = &self.field else { return true };
        if !declared.is_field(field) {
            wrong.add(format!("mapping.{number}.field"), codes::NO_SUCH_IMPORT_FIELD.with("field", field));
            return false;
        }
        if self.unit.is_some() && declared.unit_kind(field).is_none() {
            wrong.add(format!("mapping.{number}.unit"), codes::NO_UNIT_EXPECTED);
        }
        true
    }
}

/// Hash that files with the same columns share, in any order; columns that an error file adds are ignored.
pub(crate) fn header_key(header: &[Cell]) -> String {
    let mut names: Vec<String> =
        header.iter().map(|cell| cell.as_str().trim()).filter(|name| !is_own(name)).map(folded).collect();
    names.sort_unstable();
    hex::encode(Sha256::digest(names.join("\n")))
}

fn folded(name: &str) -> String {
    fold(name.trim())
}
