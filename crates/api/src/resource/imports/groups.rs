//! Errors of the rows of an import, grouped by reason and column.

use http_api::{
    access::Authorized,
    answer::{OkJson, ok_json},
    input::{Db, Id, RequestInfo},
    publish,
    routes::{Answer, Routes},
};
use imports::{
    import::{
        Imports,
        report::{self, FaultGroup},
    },
    may,
};
use serde::Serialize;
use utoipa::ToSchema;
use values::{Code, Language};

pub(crate) fn routes(routes: &mut Routes) {
    publish!(routes, Imports: error_groups);
}

/// Errors of the rows of an import: the most frequent ones first, at most a hundred reasons.
#[derive(Serialize, ToSchema)]
#[schema(as = ImportErrorGroups)]
struct ErrorGroups {
    data: Vec<ErrorGroup>,
}

/// Rows with the same error in the same column.
#[derive(Serialize, ToSchema)]
#[schema(as = ImportErrorGroup)]
struct ErrorGroup {
    /// Heading of the column in the file; `null` for the whole row.
    #[schema(required, example = "Werkstoff")]
    column: Option<String>,
    code: Code,
    /// Number of such rows.
    #[schema(example = 12)]
    rows: i64,
    /// First of these rows.
    first: Vec<ErrorExample>,
}

/// Row with the error.
#[derive(Serialize, ToSchema)]
#[schema(as = ImportErrorExample)]
struct ErrorExample {
    /// Line of the file where the row starts, from 1.
    #[schema(example = 17)]
    line: i64,
    #[schema(example = "Unbekannter Wert")]
    message: String,
}

impl ErrorGroup {
    fn new(FaultGroup { rows, first }: FaultGroup, language: Language) -> Option<Self> {
        let (_, fault) = first.first()?;
        let (column, code) = (fault.column(), fault.fault.message.code);
        let first =
            first.iter().map(|(line, fault)| ErrorExample { line: *line, message: fault.text(language) });
        Some(Self { column, code, rows, first: first.collect() })
    }
}

/// Lists the errors of the rows by reason and column: their number, and the first rows.
#[utoipa::path(get, path = "/api/admin/imports/{id}/error-groups")]
async fn error_groups(
    by: Authorized<may::ViewImport>,
    Db(db): Db,
    RequestInfo(request): RequestInfo,
    Id(id): Id,
) -> Answer<OkJson<ErrorGroups>> {
    by.scope().get::<Imports>(&db, id).await?.check_content(by.scope())?;
    let groups = report::fault_groups(&db, by.scope(), id).await?.into_iter();
    let data = groups.filter_map(|group| ErrorGroup::new(group, request.language)).collect();
    Ok(ok_json(ErrorGroups { data }))
}
