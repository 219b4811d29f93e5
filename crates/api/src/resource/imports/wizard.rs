//! Steps before an import: the columns of a type, a template, an inspection of the file, and the meanings
//! that an earlier import gave to the same columns.

use std::{collections::HashSet, future::Ready, future::ready};

use actix_web::{FromRequest, HttpRequest, dev::Payload};
use chrono::{DateTime, Utc};
use feeds::transformer::PriceFormat;
use http_api::{
    access::Authorized,
    answer::{Download, NoContent, OkJson, download_file, no_content, ok_json},
    contract::{self, Schemas},
    export::{FileFormat, Labels, write_limited},
    input::{self, Db, Id, Input, RequestInfo},
    problem::Refusal,
    publish,
    routes::{Answer, Routes},
    upload::{Fields, Form, Upload},
};
use imports::{
    columns::{DeclaredColumns, Field, Meaning},
    import::{
        self, Imports,
        inspection::{self, AppliedProfile, FormerMapping, InspectedColumn, Inspection, ToInspect},
        mapping::MappedColumn,
        settings::{Constant, Settings},
        suggestion::{Reason, Suggestion},
    },
    import_profile::{self, ImportProfile},
    import_type::ImportType,
    may,
};
use pricing::price_side::price_basis::PriceBasis;
use serde::Serialize;
use sheets::{Format, header::UnitKind, number::Style};
use utoipa::{ToSchema, openapi::path::Operation};
use values::{Code, Decimal, Language, Message, Result, Unit, Violations};

use super::price_format::{convert_price_file, read_format};
use crate::{codes, resource::texts_of, state::Server, work::IMPORT_TYPES};

pub(crate) fn routes(routes: &mut Routes) {
    publish!(routes, Imports: columns, template, inspect, forget_mapping);
}

/// File to be inspected.
#[derive(ToSchema)]
#[schema(as = ImportInspectionInput)]
struct InspectForm {
    /// File in CSV or XLSX, recognised by its content.
    #[schema(value_type = String, format = Binary)]
    #[expect(dead_code, reason = "documentation: the file itself streams to the disk")]
    file: (),
    r#type: ImportType,
    /// Price list of the file, only with the type `PriceList`.
    price_list_id: Option<i64>,
    /// Import profile whose mapping applies, and whose settings apply unless others are sent.
    profile_id: Option<i64>,
    /// Format of a price file that is not a table: it is converted first. The notes name the records without
    /// a row.
    price_format: Option<PriceFormat>,
    /// Settings for reading and completing the file, as for the import: a JSON object.
    #[schema(value_type = Option<String>, max_length = 131_072, example = r#"{"header_line":3}"#)]
    settings: Option<Settings>,
}

/// Columns of files of a type.
#[derive(Serialize, ToSchema)]
#[schema(as = ImportColumns)]
struct ColumnsView {
    r#type: ImportType,
    fields: Vec<FieldView>,
    /// Groups of fields, of each of which a file needs one.
    #[schema(example = json!([["article_number", "external_article_number"]]))]
    required: Vec<Vec<String>>,
    /// Groups of fields, of each of which a file has all or none.
    #[schema(example = json!([["article_number", "external_article_number"]]))]
    together: Vec<Vec<String>>,
}

/// Meaning of a column.
#[derive(Serialize, ToSchema)]
#[schema(as = ImportField)]
struct FieldView {
    /// Key in a mapping; a column of this name is recognised as well.
    #[schema(example = "article_number")]
    key: String,
    /// Usual heading of the column.
    #[schema(example = "Artikelnummer")]
    label: String,
    #[schema(required, example = "Ohne Angabe in Stück")]
    help: Option<&'static str>,
    /// Other names by which a column is recognised, besides those of the other language.
    #[schema(example = json!(["Art.-Nr."]))]
    synonyms: Vec<&'static str>,
    /// Meaning of a unit behind the name of such a column; `null` if there can be none.
    #[schema(required)]
    unit: Option<UnitKindView>,
}

/// Meaning of a unit behind the name of a column.
#[derive(Serialize, ToSchema)]
#[schema(as = ImportUnitKind)]
#[serde(rename_all = "lowercase")]
enum UnitKindView {
    /// Unit of its prices; a mapping can choose it.
    Price,
    /// Unit of its quantities; a mapping can choose it.
    Quantity,
    /// Unit of its other numbers.
    Other,
}

/// Quantity and unit that a price is for, or the unit of a quantity.
#[derive(Serialize, ToSchema)]
#[schema(as = ImportMeasure)]
struct MeasureView {
    /// Quantity; `null` if it is not given.
    #[schema(required, example = "100")]
    quantity: Option<Decimal>,
    /// Unit; `null` if it is not given.
    #[schema(required, example = "kg")]
    unit: Option<Unit>,
}

/// Result of an inspection of a file. None of it is stored.
#[derive(Serialize, ToSchema)]
#[schema(as = ImportInspection)]
struct InspectionView {
    r#type: ImportType,
    format: FormatView,
    /// Encoding of a text file.
    #[schema(required, example = "Windows-1252")]
    encoding: Option<&'static str>,
    /// Delimiter of the cells of a text file.
    #[schema(required, example = ";")]
    delimiter: Option<String>,
    #[schema(example = ",")]
    decimal_sign: &'static str,
    /// Worksheets of a workbook that are not hidden.
    #[schema(example = json!(["Bestand"]))]
    sheets: Vec<String>,
    /// Worksheet that is read.
    #[schema(required, example = "Bestand")]
    sheet: Option<String>,
    /// Line with the names of the columns, from 1.
    #[schema(example = 1)]
    header_line: u32,
    /// Number of rows; `null` for more than 50,000.
    #[schema(required, example = 250)]
    rows: Option<u64>,
    /// Number of those rows, or of the first 50,000, that are hidden in the spreadsheet, by a filter for
    /// example.
    #[schema(example = 0)]
    hidden_rows: u64,
    /// Number of rows with sums, which are left out.
    #[schema(example = 0)]
    sum_rows: u64,
    /// Lines below the table that are left out; not determined for a file with more than 50,000 rows.
    #[schema(example = json!(["Preise freibleibend"]))]
    footnotes: Vec<String>,
    /// True if `sum_rows` is a choice: a stock has several rows.
    can_sum_rows: bool,
    /// Notes about an unusual way in which the file was read.
    #[schema(example = json!(["Als Windows-1252 gelesen"]))]
    notes: Vec<String>,
    columns: Vec<ColumnView>,
    /// Lines of the samples of each column.
    #[schema(example = json!([2, 3]))]
    sample_lines: Vec<u32>,
    fields: Vec<FieldView>,
    #[schema(example = json!([["article_number", "external_article_number"]]))]
    required: Vec<Vec<String>>,
    #[schema(example = json!([["article_number", "external_article_number"]]))]
    together: Vec<Vec<String>>,
    /// Errors that an import would report for the columns with their present meanings.
    problems: Vec<HeaderProblem>,
    /// Import profile that was applied: its mapping is included already.
    #[schema(required)]
    profile: Option<AppliedProfileView>,
    /// Meanings that an earlier import gave to the same columns; they are included already. Not with a
    /// profile.
    #[schema(required)]
    remembered: Option<RememberedView>,
    /// Type whose columns fit better.
    #[schema(required)]
    better_type: Option<ImportType>,
}

#[derive(Serialize, ToSchema)]
#[schema(as = ImportFileFormat)]
#[serde(rename_all = "lowercase")]
enum FormatView {
    Csv,
    Xlsx,
    Json,
}

/// Column of a file with its meaning.
#[derive(Serialize, ToSchema)]
#[schema(as = ImportColumn)]
struct ColumnView {
    /// Name in the file; empty if it has none.
    #[schema(example = "Art.-Nr.")]
    name: String,
    /// Field that it is read as, including remembered meanings; `null` if it is not read.
    #[schema(required, example = "article_number")]
    field: Option<String>,
    /// Field recognised by its name alone.
    #[schema(required, example = "article_number")]
    recognised: Option<String>,
    /// Name by which it was recognised.
    #[schema(required, example = "Art.-Nr.")]
    recognised_by: Option<String>,
    /// True if it needs no meaning: it belongs to an error file or an export, or has neither name nor
    /// content.
    unread: bool,
    /// Unit behind its name, in brackets for example.
    #[schema(required, example = "EUR/100 kg")]
    heading_unit: Option<String>,
    /// Remembered unit; it takes precedence over the heading's.
    #[schema(required, example = "100 kg")]
    chosen_unit: Option<String>,
    /// Quantity and unit from both; `null` if they cannot be read.
    #[schema(required)]
    measure: Option<MeasureView>,
    /// Suggested meaning of a column that has none; an import does not assume it.
    #[schema(required)]
    suggestion: Option<SuggestionView>,
    /// Cells in the first rows.
    #[schema(example = json!(["HEB-200-S235JR-12.1"]))]
    samples: Vec<String>,
}

/// Field that a column may mean.
#[derive(Serialize, ToSchema)]
#[schema(as = ImportSuggestion)]
struct SuggestionView {
    #[schema(example = "article_number")]
    field: String,
    reason: ReasonView,
}

/// Evidence for a suggestion.
#[derive(Serialize, ToSchema)]
#[schema(as = ImportSuggestionReason)]
#[serde(rename_all = "lowercase")]
enum ReasonView {
    /// The heading is similar to one of the field's.
    Heading,
    /// All values in the first rows fit the field.
    Values,
}

/// Error of a header.
#[derive(Serialize, ToSchema)]
#[schema(as = ImportHeaderProblem)]
struct HeaderProblem {
    code: Code,
    /// Name of the refused column in the file; `null` for the header as a whole.
    #[schema(required, example = "Preis [CHF/t]")]
    column: Option<String>,
    #[schema(example = "Es fehlt die Spalte „Lager“")]
    message: String,
}

/// Meanings that an earlier import gave to its columns.
#[derive(Serialize, ToSchema)]
#[schema(as = RememberedImportMapping)]
struct RememberedView {
    import_id: i64,
    created_at: DateTime<Utc>,
    columns: Vec<MappedColumn>,
    /// Values that all its rows shared: suggested, not assumed.
    constants: Vec<Constant>,
}

/// Import profile that a file was read with.
#[derive(Serialize, ToSchema)]
#[schema(as = AppliedImportProfile)]
struct AppliedProfileView {
    id: i64,
    #[schema(example = "Bestandsliste aus dem ERP")]
    name: String,
    version: i64,
    settings: Settings,
    /// Columns of its mapping that the file does not have.
    #[schema(example = json!(["Art.-Nr. Lieferant"]))]
    missing_columns: Vec<String>,
}

impl From<AppliedProfile> for AppliedProfileView {
    fn from(AppliedProfile { profile, missing_columns }: AppliedProfile) -> Self {
        let ImportProfile { id, name, version, settings, .. } = profile;
        Self { id, name, version, settings, missing_columns }
    }
}

impl Form for InspectForm {
    const FIELD_MAX_BYTES: usize = 128 * 1024;

    fn read(mut fields: Fields) -> Result<Self> {
        let mut violations = Violations::new();
        let r#type = super::form::read_type(&mut fields, &mut violations);
        let price_list_id = super::form::read_id("price_list_id", &mut fields, &mut violations);
        let profile_id = super::form::read_id("profile_id", &mut fields, &mut violations);
        let price_format = read_format(&mut fields, &mut violations);
        let settings = super::form::read_settings(&mut fields, &mut violations);
        for unknown in fields.into_keys() {
            violations.add(unknown, codes::UNKNOWN_FIELD);
        }
        violations.check()?;
        let r#type = r#type.ok_or_else(|| Violations::error("type", codes::REQUIRED))?;
        Ok(Self { file: (), r#type, price_list_id, profile_id, price_format, settings })
    }
}

impl From<Field> for FieldView {
    fn from(Field { key, label, help, synonyms, unit }: Field) -> Self {
        let unit = unit.map(|kind| match kind {
            UnitKind::Price => UnitKindView::Price,
            UnitKind::Quantity => UnitKindView::Quantity,
            UnitKind::Other => UnitKindView::Other,
        });
        Self { key, label, help, synonyms, unit }
    }
}

fn field_views(fields: Vec<Field>) -> Vec<FieldView> {
    fields.into_iter().map(FieldView::from).collect()
}

impl ColumnsView {
    fn new(r#type: ImportType, declared: &DeclaredColumns, language: Language) -> Self {
        Self {
            r#type,
            fields: field_views(declared.fields(language, &HashSet::new())),
            required: declared.required(),
            together: declared.together(),
        }
    }
}

impl InspectionView {
    fn new(r#type: ImportType, inspection: Inspection, language: Language) -> Self {
        let (format, encoding, delimiter) = match inspection.format {
            Format::Csv(dialect) => {
                (FormatView::Csv, Some(dialect.encoding.name()), Some(dialect.delimiter.to_string()))
            }
            Format::Xlsx => (FormatView::Xlsx, None, None),
            Format::Json => (FormatView::Json, None, None),
        };
        let samples = |index: usize| {
            let cells = inspection.first.iter().map(|(_, cells)| cells.get(index));
            cells.map(|cell| cell.map(|cell| sample_text(cell.as_str())).unwrap_or_default()).collect()
        };
        let columns = inspection.columns.into_iter().enumerate();
        let columns = columns.map(|(index, column)| ColumnView::new(column, samples(index))).collect();
        let problem = |message: Message| HeaderProblem {
            code: message.code,
            column: message
                .value("column")
                .filter(|_| message.code == codes::COLUMN_REFUSED)
                .map(str::to_owned),
            message: message.text(language),
        };
        Self {
            r#type,
            format,
            encoding,
            delimiter,
            decimal_sign: if inspection.style == Style::Comma { "," } else { "." },
            sheets: inspection.sheets,
            sheet: inspection.sheet,
            header_line: inspection.header_line,
            rows: inspection.rows,
            hidden_rows: inspection.hidden_rows,
            sum_rows: inspection.sum_rows,
            footnotes: inspection.footnotes.iter().map(|text| sample_text(text)).collect(),
            can_sum_rows: inspection.can_sum_rows,
            notes: inspection.notes.iter().map(|note| note.text(language)).collect(),
            columns,
            sample_lines: inspection.first.iter().map(|(line, _)| *line).collect(),
            fields: field_views(inspection.fields),
            required: inspection.required,
            together: inspection.together,
            problems: inspection.problems.into_iter().map(problem).collect(),
            profile: inspection.profile.map(AppliedProfileView::from),
            remembered: inspection.remembered.map(|FormerMapping { import, mapping, constants }| {
                RememberedView {
                    import_id: import.id,
                    created_at: import.created_at,
                    columns: mapping.0,
                    constants,
                }
            }),
            better_type: inspection.better,
        }
    }
}

impl ColumnView {
    fn new(inspected: InspectedColumn, samples: Vec<String>) -> Self {
        let InspectedColumn { name, recognised, meaning, heading_unit, chosen_unit, suggestion } = inspected;
        let suggestion = suggestion.map(|Suggestion { field, reason }| SuggestionView {
            field,
            reason: match reason {
                Reason::Heading => ReasonView::Heading,
                Reason::Values => ReasonView::Values,
            },
        });
        let measure = chosen_unit.as_deref().or(heading_unit.as_deref());
        let measure = measure.and_then(|measure| PriceBasis::read(measure).ok());
        let measure = measure.map(|PriceBasis { quantity, unit }| MeasureView { quantity, unit });
        let is_empty = samples.iter().all(|sample: &String| sample.trim().is_empty());
        let unread = match &recognised {
            Meaning::Unread => true,
            Meaning::Nameless => is_empty,
            Meaning::Field { .. } | Meaning::Unknown => false,
        };
        let (recognised, recognised_by) = match recognised {
            Meaning::Field { key, by } => (Some(key), Some(by)),
            Meaning::Unread | Meaning::Nameless | Meaning::Unknown => (None, None),
        };
        let field = if let Meaning::Field { key, .. } = meaning { Some(key) } else { None };
        Self {
            name: name.trim().to_owned(),
            field,
            recognised,
            recognised_by,
            unread,
            heading_unit,
            chosen_unit,
            measure,
            suggestion,
            samples,
        }
    }
}

/// Shortens a cell to a sample.
fn sample_text(text: &str) -> String {
    const MAX: usize = 100;
    values::shortened(text.trim(), MAX).into_owned()
}

/// Type of the import; `type` in the query.
struct ImportTypeInput(ImportType);

const TYPE: &str = "type";

impl FromRequest for ImportTypeInput {
    type Error = Refusal;
    type Future = Ready<Result<Self, Refusal>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let parameter = input::parameters(request).into_iter().find(|(name, _)| name == TYPE);
        let mut fields =
            Fields::from_iter(parameter.map(|(name, value)| (name.into_owned(), value.into_owned())));
        let mut violations = Violations::new();
        let r#type = super::form::read_type(&mut fields, &mut violations);
        let r#type =
            violations.check().and_then(|()| r#type.ok_or_else(|| Violations::error(TYPE, codes::REQUIRED)));
        ready(r#type.map(Self).map_err(Refusal))
    }
}

impl Input for ImportTypeInput {
    fn describe(operation: &mut Operation, schemas: &mut Schemas) {
        contract::required_parameter(
            operation,
            TYPE,
            "What the file is a file of",
            schemas.refer::<ImportType>(),
        );
    }
}

/// Lists the columns of files of a type, in the caller's language.
#[utoipa::path(get, path = "/api/admin/imports/columns")]
async fn columns(
    _: Authorized<may::CreateImport>,
    Db(db): Db,
    RequestInfo(request): RequestInfo,
    ImportTypeInput(r#type): ImportTypeInput,
) -> Answer<OkJson<ColumnsView>> {
    let declared = inspection::declared(&db, &IMPORT_TYPES, r#type).await?;
    Ok(ok_json(ColumnsView::new(r#type, &declared, request.language)))
}

/// Downloads a template: the usual columns, and one or two existing rows, which an import accepts unchanged.
#[utoipa::path(get, path = "/api/admin/imports/template")]
async fn template(
    by: Authorized<may::CreateImport>,
    Server(state): Server,
    RequestInfo(request): RequestInfo,
    ImportTypeInput(r#type): ImportTypeInput,
    format: FileFormat,
) -> Answer<Download> {
    let language = request.language;
    let uploader = import::uploader::Uploader { scope: by.scope(), rights: by.caller.rights, language };
    let template = inspection::template(&state.db, &IMPORT_TYPES, uploader, r#type).await?;
    let file = write_limited(&**state, (&by.caller).into(), async || {
        let target = state.storage.spool_file()?.into_file();
        let FileFormat(format) = format;
        let written = tokio::task::spawn_blocking(move || {
            let mut file = template.written(target, format)?;
            std::io::Seek::rewind(&mut file).map_err(values::Error::file)?;
            Ok(file)
        });
        written.await.map_err(values::Error::internal)?
    });
    let labels = Labels::new(texts_of::<Imports>()?, language)?;
    let name = format!(
        "{}-{}.{}",
        labels.choice_text("type", r#type),
        labels.text(&["templates", "file"]),
        format.extension()
    );
    Ok(download_file(name, file.await?))
}

/// Inspects a file as an import of the type would read it: its format, the meanings of its columns, its first
/// rows. Nothing is imported or stored.
#[utoipa::path(post, path = "/api/admin/imports/inspect")]
async fn inspect(
    by: Authorized<may::CreateImport>,
    Server(state): Server,
    RequestInfo(request): RequestInfo,
    Upload { form, file }: Upload<InspectForm>,
) -> Answer<OkJson<InspectionView>> {
    let language = request.language;
    let uploader = import::uploader::Uploader { scope: by.scope(), rights: by.caller.rights, language };
    let InspectForm { r#type, price_list_id, profile_id, price_format, settings, .. } = form;
    let (file, notes) = convert_price_file(&state, r#type, price_format, file).await?;
    let profile = import_profile::find_for_type(&state.db, by.scope(), profile_id, r#type).await?;
    let inspected = ToInspect { r#type, aim: price_list_id, settings, profile, file: file.content.path() };
    let mut report = inspection::inspect(&state.db, &IMPORT_TYPES, uploader, inspected).await?;
    report.notes.extend(notes);
    Ok(ok_json(InspectionView::new(r#type, report, language)))
}

/// Forgets the meanings that an import gave to its columns: they are not suggested any more for files with
/// the same columns.
#[utoipa::path(delete, path = "/api/admin/imports/{id}/mapping")]
async fn forget_mapping(by: Authorized<may::CreateImport>, Db(db): Db, Id(id): Id) -> Answer<NoContent> {
    Ok(no_content(import::forget_mapping(&db, by.scope(), id).await?))
}
