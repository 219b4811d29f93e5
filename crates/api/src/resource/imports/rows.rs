//! Results of the rows of an import, and the reasons for refused ones.

use http_api::{
    access::Authorized,
    answer::{Created, OkPage, created, ok_page},
    input::{Body, Db, Id, List, Pages, RequestInfo},
    publish,
    routes::{Answer, Routes},
};
use imports::import::{
    Import, Imports,
    correction::{self, CorrectedRow},
    refusal::{NamedFault, Refusal, RefusedLine},
    report,
    row::{self, ImportRow, ImportRows, Outcome},
    uploader,
};
use serde::{Deserialize, Serialize};
use store::{Scope, resource};
use utoipa::ToSchema;
use values::{Code, Decimal, Language, Message};

use super::{ImportView, load_view};
use crate::{
    codes,
    resource::{
        history::{
            changes::{ChangeView, load_change_views},
            texts::HistoryTexts,
        },
        visible_messages,
    },
    state::Server,
    work,
};

pub(crate) fn routes(routes: &mut Routes) {
    publish!(routes, Imports: rows, errors, correct);
}

/// Result of a row, or the expected one in a dry run.
#[derive(Serialize, ToSchema)]
#[schema(as = ImportRow)]
struct ImportRowView {
    /// Line of the file where the row starts, from 1.
    #[schema(example = 2)]
    line: i64,
    outcome: Outcome,
    /// Kind of the record: `article`.
    #[schema(example = "article")]
    record: String,
    /// Id of the record; `null` if the row was refused, or a dry run would create it.
    #[schema(required)]
    record_id: Option<i64>,
    /// Name of the record; `null` if the row was refused.
    #[schema(required, example = "HEB-200-S235JR")]
    record_name: Option<String>,
    /// Changes of the record, as in the history.
    changes: Vec<ChangeView>,
    /// Warnings about an accepted row, for example that a former name was used.
    warnings: Vec<RowError>,
    /// Reasons why it was refused, or the number that it waits for; as long as refused rows are stored.
    errors: Vec<RowError>,
    /// Change of a price of the record in percent, up or down, for the same quantity of the same unit; the
    /// largest if there are several.
    #[schema(required, example = "4.2")]
    price_change: Option<Decimal>,
}

/// Refused row.
#[derive(Serialize, ToSchema)]
struct RefusedRow {
    /// Line of the file where the row starts, from 1.
    #[schema(example = 17)]
    line: i64,
    errors: Vec<RowError>,
    /// Texts of the file, numbers with its decimal sign. Empty if they are longer than 2,000 bytes together:
    /// such a row is corrected in the error file.
    cells: Vec<RowCell>,
}

/// Maximum size of a refused row's cells in an answer.
const CELLS_MAX: usize = 2_000;

/// Cell of a refused row.
#[derive(Serialize, ToSchema)]
#[schema(as = ImportRowCell)]
struct RowCell {
    /// Heading of the column in the file; empty if it has none.
    #[schema(example = "Lager")]
    column: String,
    #[schema(example = "DU")]
    value: String,
}

/// Refused rows with corrected cells.
#[derive(Debug, Deserialize, ToSchema)]
#[schema(as = ImportCorrectionInput)]
#[serde(deny_unknown_fields)]
struct CorrectionInput {
    #[schema(min_items = 1, max_items = 500)]
    rows: Vec<CorrectedRowInput>,
}

/// Refused row with corrected cells.
#[derive(Debug, Deserialize, ToSchema)]
#[schema(as = ImportCorrectedRow)]
#[serde(deny_unknown_fields)]
struct CorrectedRowInput {
    /// Line of the file where the row starts, from 1.
    #[schema(minimum = 1, example = 17)]
    line: i64,
    /// Texts of all its cells, in the order of the columns.
    #[schema(max_items = 200, example = json!(["HEB-200-S235JR-12.1", "DU", "12,1"]))]
    cells: Vec<String>,
}

/// Error or warning of a row.
#[derive(Serialize, ToSchema)]
struct RowError {
    /// Heading of the column in the file; `null` for the whole row.
    #[schema(required, example = "Werkstoff")]
    column: Option<String>,
    code: Code,
    #[schema(example = "Unbekannter Wert")]
    message: String,
}

impl ImportRowView {
    fn new(
        row: ImportRow,
        changes: Vec<ChangeView>,
        refused: Option<&RefusedLine>,
        texts: &HistoryTexts,
        scope: &Scope,
    ) -> Self {
        let warnings = row.warnings();
        let warnings = warnings.iter().map(|warning| (warning.column(), &warning.fault.message));
        let warning = |(column, message): (Option<String>, Message)| {
            // an undo has no file: the edited field is one of the record
            let is_field = message.code == codes::EDITED_SINCE;
            let column = column
                .map(|column| if is_field { texts.field(&row.record, &column).to_owned() } else { column });
            RowError { column, code: message.code, message: message.text(texts.language) }
        };
        let warnings = visible_messages(scope, warnings).into_iter().map(warning).collect();
        let ImportRow { line, outcome, record, record_id, record_name, change_percent, .. } = row;
        let record_name = (!record_name.is_empty()).then_some(record_name);
        let price_change = change_percent.filter(|_| scope.may(pricing::permissions::VIEW_PRICE));
        let errors = refused.map(|refused| errors_of(refused, texts.language)).unwrap_or_default();
        Self { line, outcome, record, record_id, record_name, changes, warnings, errors, price_change }
    }
}

impl RefusedRow {
    fn new(row: &Refusal, import: &Import, language: Language) -> Self {
        let errors = row.messages.0.iter().map(|fault| RowError::new(fault, language)).collect();
        let header = import.header.as_ref().map_or(&[][..], |header| &header.0);
        let cells = row
            .shown_cells(header, import.style().unwrap_or_default())
            .into_iter()
            .map(|(column, value)| RowCell { column, value });
        let cells: Vec<_> = cells.collect();
        let bytes: usize = cells.iter().map(|cell| cell.value.len()).sum();
        let cells = if bytes > CELLS_MAX { Vec::new() } else { cells };
        Self { line: row.line, errors, cells }
    }
}

impl RowError {
    fn new(fault: &NamedFault, language: Language) -> Self {
        Self { message: fault.text(language), column: fault.column(), code: fault.fault.message.code }
    }
}

fn errors_of(row: &RefusedLine, language: Language) -> Vec<RowError> {
    row.messages.0.iter().map(|fault| RowError::new(fault, language)).collect()
}

/// Lists the results of the rows, in the order of the file; for 90 days, those with changes for 400.
#[utoipa::path(get, path = "/api/admin/imports/{id}/rows")]
async fn rows(
    by: Authorized<imports::may::ViewImport>,
    Db(db): Db,
    RequestInfo(request): RequestInfo,
    Id(id): Id,
    List(query): List<ImportRows>,
) -> Answer<OkPage<ImportRowView>> {
    let import = by.scope().get::<Imports>(&db, id).await?;
    if query.filters_by(row::CHANGE_FIELD) {
        by.scope().demand(pricing::permissions::VIEW_PRICE)?;
    }
    let page = row::list(&db, by.scope(), id, &query).await?;
    let views = async |rows: Vec<ImportRow>| {
        let visible_changes = |row: &ImportRow| {
            let mut changes = row.changes();
            resource::hide(by.scope(), &row.record, &mut changes);
            changes
        };
        let refused = rows
            .iter()
            .filter(|_| import.check_content(by.scope()).is_ok())
            .filter(|row| matches!(row.outcome, Outcome::Refused | Outcome::Unresolved));
        let refused = report::refused_lines(&db, by.scope(), id, refused.map(|row| row.line)).await?;
        let changes = rows.iter().map(visible_changes).collect();
        let changes = load_change_views(&db, by.scope(), changes).await?;
        let texts = HistoryTexts::new(request.language)?;
        let view = |(row, changes): (ImportRow, _)| {
            let refused = refused.get(&row.line);
            ImportRowView::new(row, changes, refused, &texts, by.scope())
        };
        Ok(rows.into_iter().zip(changes).map(view).collect())
    };
    Ok(ok_page(page.detailed(views).await?))
}

/// Lists the refused rows, in the order of the file.
#[utoipa::path(get, path = "/api/admin/imports/{id}/errors")]
async fn errors(
    by: Authorized<imports::may::ViewImport>,
    Db(db): Db,
    RequestInfo(request): RequestInfo,
    Id(id): Id,
    Pages(paging): Pages,
) -> Answer<OkPage<RefusedRow>> {
    let import = by.scope().get::<Imports>(&db, id).await?;
    import.check_content(by.scope())?;
    let page = report::refusals(&db, by.scope(), id, paging).await?;
    Ok(ok_page(page.map(|row| RefusedRow::new(&row, &import, request.language))))
}

/// Imports refused rows with corrected cells, as an import of its own (`replays` names this one). The columns
/// are those of the file; all other rows stay refused. Not available for a dry run, or for an import that
/// takes effect as a whole.
#[utoipa::path(post, path = "/api/admin/imports/{id}/corrections")]
async fn correct(
    by: Authorized<imports::may::CreateImport>,
    Server(state): Server,
    RequestInfo(request): RequestInfo,
    Id(id): Id,
    Body(input): Body<CorrectionInput>,
) -> Answer<Created<ImportView>> {
    let language = request.language;
    let uploader = uploader::Uploader { scope: by.scope(), rights: by.caller.rights, language };
    let row = |CorrectedRowInput { line, cells }| CorrectedRow { line, cells };
    let rows = input.rows.into_iter().map(row).collect();
    let import = correction::correct(work::services(&state), uploader, id, rows).await?;
    state.imports_waiting.notify_one();
    Ok(created(load_view(import, &state, by.scope(), language).await?))
}
