//! What is wrong with the rows of an import, gathered by reason and column.

use imports::import::{
    Imports,
    report::{self, FaultGroup},
};
use kernel::{Code, Language, may};
use serde::Serialize;
use utoipa::ToSchema;

use crate::{
    http::{
        access::Authorized,
        answer::{Shown, shown},
        input::{About, Db, Id},
        routes::{Answer, Routes},
    },
    publish,
};

pub(crate) fn routes(routes: &mut Routes) {
    publish!(routes, Imports: error_groups);
}

/// What is wrong with the rows of an import: what concerns most rows first, at most a hundred reasons.
#[derive(Serialize, ToSchema)]
#[schema(as = ImportErrorGroups)]
struct ErrorGroups {
    data: Vec<ErrorGroup>,
}

/// Rows with the same thing wrong in the same column.
#[derive(Serialize, ToSchema)]
#[schema(as = ImportErrorGroup)]
struct ErrorGroup {
    /// What the column is called in the file; `null`: the whole row.
    #[schema(required, example = "Werkstoff")]
    column: Option<String>,
    code: Code,
    /// How many there are.
    #[schema(example = 12)]
    rows: i64,
    /// The first of them.
    first: Vec<ErrorExample>,
}

/// One of the rows.
#[derive(Serialize, ToSchema)]
#[schema(as = ImportErrorExample)]
struct ErrorExample {
    /// Where it starts in the file, from 1.
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

/// Tells what is wrong with the rows, by reason and column: in how many rows, and in which first.
#[utoipa::path(get, path = "/api/admin/imports/{id}/error-groups")]
async fn error_groups(
    by: Authorized<may::ViewImport>,
    Db(db): Db,
    About(request): About,
    Id(id): Id,
) -> Answer<Shown<ErrorGroups>> {
    by.scope().get::<Imports>(&db, id).await?.check_content(by.scope())?;
    let groups = report::fault_groups(&db, by.scope(), id).await?.into_iter();
    let data = groups.filter_map(|group| ErrorGroup::new(group, request.language)).collect();
    Ok(shown(ErrorGroups { data }))
}
