//! Settings of an import: how its file is read, where that is not recognised, and values for which the file
//! has no column.

use std::{collections::HashSet, path::Path};

use sea_orm::FromJsonQueryResult;
use serde::{Deserialize, Serialize};
use sheets::{
    Cell, Encoding, ReadOptions,
    header::Title,
    number::Style,
    options::{self, DELIMITERS, ENCODINGS},
};
use utoipa::ToSchema;
use validator::Validate;
use values::{Language, Result, Violations, input::violations_below, rule::printable};

use super::{
    Import,
    mapping::{ENTRIES_MAX, Mapping},
};
use crate::{
    codes,
    columns::{DeclaredColumns, Meaning},
    import_type::ImportType,
};

/// Settings for reading and completing a file. Missing settings are recognised from the file.
#[derive(
    Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, FromJsonQueryResult, ToSchema, Validate,
)]
#[serde(deny_unknown_fields)]
#[schema(as = ImportSettings)]
pub struct Settings {
    /// Line of the headings, from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(minimum = 1, maximum = 1_048_576, example = 3)]
    #[validate(range(min = 1, max = 1_048_576))]
    pub header_line: Option<u32>,
    /// Worksheet of a workbook.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(max_length = 255, example = "Bestand")]
    #[validate(length(max = 255), custom(function = printable))]
    pub sheet: Option<String>,
    /// Delimiter between the cells of a text file: `;`, `,`, `|` or a tab.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(max_length = 1, example = ";")]
    #[validate(length(max = 1))]
    pub delimiter: Option<String>,
    /// Encoding of a text file: `UTF-8`, `Windows-1252` or `Windows-1250`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(max_length = 255, example = "Windows-1252")]
    #[validate(length(max = 255))]
    pub encoding: Option<String>,
    /// Decimal sign of numbers: `,` or `.`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(max_length = 1, example = ",")]
    #[validate(length(max = 1))]
    pub decimal_sign: Option<String>,
    /// Constant values of fields for which the file has no column.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(max_items = 550)]
    #[validate(length(max = ENTRIES_MAX), nested)]
    pub constants: Option<Vec<Constant>>,
    /// True to sum the quantities of several rows of one stock, such as batches; otherwise all rows but the
    /// first are refused. Only for stocks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(example = false)]
    pub sum_rows: Option<bool>,
}

/// Field with the same value in every row of a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema, Validate)]
#[serde(deny_unknown_fields)]
#[schema(as = ImportConstant)]
pub struct Constant {
    /// Key of the field.
    #[schema(max_length = 255, example = "warehouse")]
    #[validate(length(max = 255))]
    pub field: String,
    /// Value, in the notation of a cell.
    #[schema(max_length = 255, example = "DU")]
    #[validate(length(max = 255), custom(function = printable))]
    pub value: String,
}

impl Settings {
    /// True if no setting is made.
    pub fn is_empty(&self) -> bool {
        *self == Self { constants: self.constants.clone().filter(Vec::is_empty), ..Self::default() }
    }

    /// Values that every row has in addition to its cells.
    pub fn constants(&self) -> &[Constant] {
        self.constants.as_deref().unwrap_or_default()
    }

    /// True if quantities of rows for the same stock are added up.
    pub fn sums_rows(&self) -> bool {
        self.sum_rows.unwrap_or_default()
    }

    /// Number style, if it was chosen.
    pub(crate) fn style(&self) -> Option<Style> {
        match self.decimal_sign.as_deref()? {
            "." => Some(Style::Point),
            _ => Some(Style::Comma),
        }
    }

    /// Settings of a file that was generated from rows of this one: it has one heading line, and the
    /// constants as columns.
    pub(crate) fn for_rewritten_file(&self) -> Self {
        Self { decimal_sign: self.decimal_sign.clone(), sum_rows: self.sum_rows, ..Self::default() }
    }

    /// Adds all violations of the settings of an upload, each at its field.
    pub(crate) fn check(&self, r#type: ImportType, declared: &DeclaredColumns, wrong: &mut Violations) {
        wrong.extend(violations_below("settings", self));
        self.check_choices(r#type, declared, wrong);
    }

    /// Adds violations by choices and fields that a type of import does not have; the rules of the fields are
    /// checked already.
    pub(crate) fn check_choices(
        &self,
        r#type: ImportType,
        declared: &DeclaredColumns,
        wrong: &mut Violations,
    ) {
        let one_of = |allowed: &[&str]| codes::INVALID_PARAMETER.with("expected", allowed.join(" "));
        if self.delimiter.as_deref().is_some_and(|sign| delimiter(sign).is_none()) {
            wrong.add("settings.delimiter", one_of(&[";", ",", "|", "\\t"]));
        }
        if self.encoding.as_deref().is_some_and(|name| encoding(name).is_none()) {
            wrong.add("settings.encoding", one_of(&ENCODINGS.map(Encoding::name)));
        }
        if self.decimal_sign.as_deref().is_some_and(|sign| sign != "," && sign != ".") {
            wrong.add("settings.decimal_sign", one_of(&[",", "."]));
        }
        if self.sums_rows() && r#type != ImportType::Stock {
            wrong.add("settings.sum_rows", codes::NOT_FOR_THIS_TYPE);
        }
        for (at, Constant { field, value }) in self.constants().iter().enumerate() {
            if !declared.is_field(field) {
                wrong.add(
                    format!("settings.constants.{at}.field"),
                    codes::NO_SUCH_IMPORT_FIELD.with("field", field),
                );
            }
            if value.trim().is_empty() {
                wrong.add(format!("settings.constants.{at}.value"), codes::REQUIRED);
            }
        }
    }

    /// Options of the reader. Constants become columns under the names of their fields.
    pub(crate) fn options(
        &self,
        declared: &DeclaredColumns,
        language: Language,
        skips_hidden_rows: bool,
    ) -> ReadOptions {
        let constant =
            |Constant { field, value }: &Constant| (declared.label(field, language), value.clone());
        ReadOptions {
            header_line: self.header_line,
            sheet: self.sheet.clone(),
            delimiter: self.delimiter.as_deref().and_then(delimiter),
            encoding: self.encoding.as_deref().and_then(encoding),
            skips_hidden_rows,
            constants: self.constants().iter().map(constant).collect(),
        }
    }

    /// Sets the sheet and the line of the headings that were recognised.
    pub(crate) fn with_recognised(self, options: &ReadOptions) -> Self {
        Self { sheet: options.sheet.clone(), header_line: options.header_line, ..self }
    }
}

/// Completes options with the sheet and the headings that are recognised in the file.
pub(crate) fn recognise(
    path: &Path,
    r#type: ImportType,
    options: &ReadOptions,
    declared: &DeclaredColumns,
    mapping: Option<&Mapping>,
) -> Result<ReadOptions> {
    let count_fields = |cells: &[Cell]| {
        let titles = Title::from_header(cells);
        let titles = mapping.map_or(titles, |mapping| mapping.titles(cells));
        let fields = declared.meanings(&titles).into_iter().filter_map(|meaning| match meaning {
            Meaning::Field { key, .. } => Some(key),
            Meaning::Unread | Meaning::Nameless | Meaning::Unknown => None,
        });
        fields.collect::<HashSet<_>>().len()
    };
    options::recognise(path, r#type.holds(), options, &count_fields)
}

impl Import {
    /// True if several rows of one record are summed.
    pub(crate) fn sums_rows(&self) -> bool {
        self.settings.as_ref().is_some_and(Settings::sums_rows)
    }

    /// Options of the reader.
    pub(crate) fn read_options(&self, declared: &DeclaredColumns) -> ReadOptions {
        let settings = self.settings.clone().unwrap_or_default();
        settings.options(declared, self.language(), self.skip_hidden_rows)
    }
}

fn delimiter(text: &str) -> Option<char> {
    DELIMITERS.into_iter().find(|sign| text.chars().eq([*sign]))
}

fn encoding(name: &str) -> Option<Encoding> {
    ENCODINGS.into_iter().find(|encoding| encoding.name().eq_ignore_ascii_case(name.trim()))
}
