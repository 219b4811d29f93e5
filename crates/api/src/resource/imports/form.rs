//! Form of an upload, and the fields that it shares with the wizard's form.

use feeds::transformer::PriceFormat;
use http_api::upload::{Fields, Form};
use imports::{
    import::{
        mapping::Mapping,
        settings::Settings,
        strategy::{ReplaceScope, Strategy},
    },
    import_type::ImportType,
};
use utoipa::ToSchema;
use values::{Result, Violations};

use super::price_format::read_format;
use crate::codes;

/// File to be imported.
#[derive(ToSchema)]
#[schema(as = ImportInput)]
pub(super) struct UploadForm {
    /// File in CSV or XLSX, recognised by its content.
    #[schema(value_type = String, format = Binary)]
    #[expect(dead_code, reason = "documentation: the file itself streams to the disk")]
    file: (),
    pub(super) r#type: ImportType,
    /// Price list of the file, only with the type `PriceList`: the file takes effect as a whole or not at
    /// all.
    pub(super) price_list_id: Option<i64>,
    /// Import profile whose settings and mapping apply unless others are sent; refused if the file lacks a
    /// column of the mapping.
    pub(super) profile_id: Option<i64>,
    /// Format of a price file that is not a table: it is converted first, and stored as CSV. Records that
    /// cannot be converted have no row; an inspection of the file names them.
    pub(super) price_format: Option<PriceFormat>,
    #[schema(max_length = 255, example = "Lieferprogramm November")]
    pub(super) name: Option<String>,
    /// True to check and count everything without writing.
    #[schema(default = false)]
    pub(super) dry_run: Option<bool>,
    /// True to leave out rows that are hidden in the spreadsheet, by a filter for example; otherwise they are
    /// imported like all others. An inspection of the file shows their number, and the import's message what
    /// was done with them.
    pub(super) skip_hidden_rows: Option<bool>,
    /// Strategy for records that do not exist yet and for those that the file does not name; by default
    /// `add_and_replace`.
    pub(super) strategy: Option<Strategy>,
    /// Records that a file with `replace_all` replaces: stocks in the warehouses that it names, or all
    /// stocks; by default `named_warehouses`.
    pub(super) replace_scope: Option<ReplaceScope>,
    /// Fields of columns whose names are not recognised: a JSON list of
    /// `{ "column": "Art.-Nr.", "field": "article_number" }`, with `null` for a column to be skipped. Refused if the
    /// file has no such column. Suggested again for files with the same columns.
    #[schema(value_type = Option<String>, max_length = 131_072, example = r#"[{"column":"Art.-Nr. Lieferant","field":"external_article_number"}]"#)]
    pub(super) mapping: Option<Mapping>,
    /// Settings for reading and completing the file, if they are not recognised: a JSON object with
    /// `header_line`, `sheet`, `delimiter`, `encoding`, `decimal_sign`, `constants` for columns that the file
    /// lacks, and `sum_rows`.
    #[schema(value_type = Option<String>, max_length = 131_072, example = r#"{"constants":[{"field":"warehouse","value":"DU"}]}"#)]
    pub(super) settings: Option<Settings>,
}

/// Reads the type of the import.
pub(super) fn read_type(fields: &mut Fields, violations: &mut Violations) -> Option<ImportType> {
    match fields.remove("type").map(|name| ImportType::parse(&name)) {
        Some(Some(kind)) => Some(kind),
        Some(None) => {
            let names: Vec<_> = ImportType::ALL.iter().map(|kind| kind.as_str()).collect();
            violations.add("type", codes::INVALID_PARAMETER.with("expected", names.join(", ")));
            None
        }
        None => {
            violations.add("type", codes::REQUIRED);
            None
        }
    }
}

/// Reads the id of a record that the file is for or is read with.
pub(super) fn read_id(name: &str, fields: &mut Fields, violations: &mut Violations) -> Option<i64> {
    let id = fields.remove(name)?;
    let parsed_id = id.trim().parse().ok();
    if parsed_id.is_none() {
        violations.add(name, codes::INVALID_PARAMETER.with("expected", "1, 2, 3, …"));
    }
    parsed_id
}

/// Reads a boolean field.
fn read_flag(name: &str, fields: &mut Fields, violations: &mut Violations) -> Option<bool> {
    let text = fields.remove(name)?.trim().to_ascii_lowercase();
    match text.as_str() {
        "true" | "1" => Some(true),
        "false" | "0" => Some(false),
        _ => {
            violations.add(name, codes::INVALID_PARAMETER.with("expected", "true, false, 1, 0"));
            None
        }
    }
}

/// Reads a mapping as JSON; an empty one counts as none.
fn read_mapping(text: &str, violations: &mut Violations) -> Option<Mapping> {
    let Ok(columns) = serde_json::from_str(text) else {
        let expected = r#"[{ "column": "…", "field": "…" }]"#;
        violations.add("mapping", codes::INVALID_PARAMETER.with("expected", expected));
        return None;
    };
    Some(Mapping(columns)).filter(|Mapping(columns)| !columns.is_empty())
}

/// Reads settings as JSON.
pub(super) fn read_settings(fields: &mut Fields, violations: &mut Violations) -> Option<Settings> {
    let text = fields.remove("settings")?;
    let settings = serde_json::from_str(&text).ok();
    if settings.is_none() {
        let expected = r#"{ "header_line": 1, "constants": [{ "field": "…", "value": "…" }] }"#;
        violations.add("settings", codes::INVALID_PARAMETER.with("expected", expected));
    }
    settings
}

impl Form for UploadForm {
    /// Maximum size of a field, enough for a mapping of all columns of a file.
    const FIELD_MAX_BYTES: usize = 128 * 1024;

    fn read(mut fields: Fields) -> Result<Self> {
        let mut violations = Violations::new();
        let r#type = read_type(&mut fields, &mut violations);
        let price_list_id = read_id("price_list_id", &mut fields, &mut violations);
        let profile_id = read_id("profile_id", &mut fields, &mut violations);
        let price_format = read_format(&mut fields, &mut violations);
        let dry_run = read_flag("dry_run", &mut fields, &mut violations);
        let skip_hidden_rows = read_flag("skip_hidden_rows", &mut fields, &mut violations);
        let strategy = fields.remove("strategy").and_then(|name| {
            let strategy = Strategy::ALL.into_iter().find(|strategy| strategy.as_str() == name.trim());
            if strategy.is_none() {
                let names = Strategy::ALL.map(Strategy::as_str).join(", ");
                violations.add("strategy", codes::INVALID_PARAMETER.with("expected", names));
            }
            strategy
        });
        let replace_scope = fields.remove("replace_scope").and_then(|name| {
            let replace_scope = ReplaceScope::ALL.into_iter().find(|scope| scope.as_str() == name.trim());
            if replace_scope.is_none() {
                let names = ReplaceScope::ALL.map(ReplaceScope::as_str).join(", ");
                violations.add("replace_scope", codes::INVALID_PARAMETER.with("expected", names));
            }
            replace_scope
        });
        let name = fields.remove("name");
        let mapping = fields.remove("mapping").and_then(|mapping| read_mapping(&mapping, &mut violations));
        let settings = read_settings(&mut fields, &mut violations);
        for unknown in fields.into_keys() {
            violations.add(unknown, codes::UNKNOWN_FIELD);
        }
        violations.check()?;
        let r#type = r#type.ok_or_else(|| Violations::error("type", codes::REQUIRED))?;
        Ok(Self {
            file: (),
            r#type,
            price_list_id,
            profile_id,
            price_format,
            name,
            dry_run,
            skip_hidden_rows,
            strategy,
            replace_scope,
            mapping,
            settings,
        })
    }
}
