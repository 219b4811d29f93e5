//! Report of refused rows: as a list for the screen, and as a file to be corrected and uploaded again. Both
//! are generated from stored rows on request, so that there is never an incomplete file.

use std::{
    collections::{HashMap, HashSet},
    fs::File,
};

use lists::{Page, Paging};
use sea_orm::{
    ColumnTrait, ConnectionTrait, DbBackend, PaginatorTrait, QueryFilter, QueryOrder, QuerySelect, Statement,
};
use store::Scope;
use values::{Error, Language, Result};

use super::{Import, Imports};
use crate::import::refusal::{Column, NamedFault, Refusal, Refusals, RefusedLine};
use sheets::{
    RowFault,
    error_file::{self, ErrorFile},
};
use storage::{Spool, Storage};

/// Number of rows that are in memory at a time.
const PAGE: u64 = 500;

/// Maximum number of fault groups in a report, the largest first.
const GROUPS_MAX: i64 = 100;
/// Number of sample rows for each group.
const EXAMPLES: i64 = 3;

/// Group of rows with the same fault in the same column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FaultGroup {
    /// Number of rows.
    pub rows: i64,
    /// First rows, with their faults.
    pub first: Vec<(i64, NamedFault)>,
}

/// Faults in the rows of an import, grouped by reason and column, the largest group first.
pub async fn fault_groups(
    db: &impl ConnectionTrait,
    scope: &Scope,
    import_id: i64,
) -> Result<Vec<FaultGroup>> {
    let import = scope.get::<Imports>(db, import_id).await?;
    let (code, name, fault, faults) = match db.get_database_backend() {
        DbBackend::Postgres => (
            "fault.value->'message'->>'code'",
            "coalesce(fault.value->>'name', '')",
            "CAST(fault.value AS text)",
            "jsonb_array_elements(messages) AS fault(value)",
        ),
        _ => (
            "json_extract(fault.value, '$.message.code')",
            "coalesce(json_extract(fault.value, '$.name'), '')",
            "fault.value",
            "json_each(messages) AS fault",
        ),
    };
    let sql = format!(
        "WITH fault_of_row AS (SELECT line, {code} AS code, {name} AS name, min({fault}) AS fault \
         FROM import_error, {faults} WHERE import_id = $1 GROUP BY 1, 2, 3), \
         counted AS (SELECT line, code, name, fault, \
         row_number() OVER (PARTITION BY code, name ORDER BY line) AS place, \
         count(*) OVER (PARTITION BY code, name) AS many FROM fault_of_row) \
         SELECT line, code, name, fault, many FROM counted WHERE place <= $2 \
         ORDER BY many DESC, code, name, line LIMIT $3"
    );
    let values = [import.id.into(), EXAMPLES.into(), (GROUPS_MAX * EXAMPLES).into()];
    let statement = Statement::from_sql_and_values(db.get_database_backend(), sql, values);
    let mut groups: Vec<((String, String), FaultGroup)> = Vec::new();
    for row in db.query_all_raw(statement).await? {
        let key: (String, String) = (row.try_get("", "code")?, row.try_get("", "name")?);
        let fault: String = row.try_get("", "fault")?;
        let fault = (row.try_get("", "line")?, serde_json::from_str(&fault).map_err(Error::internal)?);
        match groups.last_mut() {
            Some((last_key, group)) if *last_key == key => group.first.push(fault),
            _ => groups.push((key, FaultGroup { rows: row.try_get("", "many")?, first: vec![fault] })),
        }
    }
    Ok(groups.into_iter().map(|(_, group)| group).collect())
}

/// Refused rows of an import, in the order of the file.
pub async fn refusals(
    db: &impl ConnectionTrait,
    scope: &Scope,
    import_id: i64,
    paging: Paging,
) -> Result<Page<Refusal>> {
    scope.get::<Imports>(db, import_id).await?;
    let all = scope.parts::<Refusals>([import_id]);
    let total = all.clone().count(db).await?;
    let lines = all.order_by_asc(Column::Line).offset(paging.offset()).limit(paging.size);
    Ok(paging.page_with(lines.all(db).await?, total))
}

/// Refused rows among these lines of an import, if they are still stored.
pub async fn refused_lines(
    db: &impl ConnectionTrait,
    scope: &Scope,
    import_id: i64,
    lines: impl Iterator<Item = i64>,
) -> Result<HashMap<i64, RefusedLine>> {
    let lines: Vec<i64> = lines.collect();
    if lines.is_empty() {
        return Ok(HashMap::new());
    }
    let rows = scope.parts::<Refusals>([import_id]).filter(Column::Line.is_in(lines));
    let rows = rows.select_only().columns([Column::Line, Column::Messages]);
    let rows: Vec<RefusedLine> = rows.into_model().all(db).await?;
    Ok(rows.into_iter().map(|row| (row.line, row)).collect())
}

/// Name of the error file, if there is one: the import has ended recently and refused rows.
pub fn error_file_name(import: &Import, language: Language) -> Option<String> {
    (import.is_final() && import.rows_refused + import.rows_unresolved > 0 && import.files_kept())
        .then(|| error_file::name(&import.upload_file, language))
}

/// Generates the error file of an import; it is deleted when it is closed.
pub async fn error_file(
    db: &impl ConnectionTrait,
    scope: &Scope,
    storage: &Storage,
    import: &Import,
    language: Language,
) -> Result<File> {
    refused_rows(db, scope, storage, import, language, Lines::All).await
}

/// Selection among the refused rows.
pub(crate) enum Lines {
    All,
    These(HashSet<i64>),
}

/// Refused rows as a file that can be imported.
pub(crate) async fn refused_rows(
    db: &impl ConnectionTrait,
    scope: &Scope,
    storage: &Storage,
    import: &Import,
    language: Language,
    lines: Lines,
) -> Result<File> {
    let upload = storage.fetch(&import.upload_key).await?;
    let content = import.r#type.holds();
    let spool = Spool::begin(storage, move |target, chunks| {
        let sheet = sheets::open_as(&upload, content)?;
        let mut file = ErrorFile::new(target, sheet.format(), sheet.header(), language)?;
        for Refusal { line, cells, messages, .. } in chunks.flatten() {
            let faults: Vec<RowFault> = messages.0.into_iter().map(|named_fault| named_fault.fault).collect();
            file.add(u32::try_from(line).unwrap_or_default(), &cells.0, &faults)?;
        }
        file.finish()
    })?;
    let mut after = 0;
    loop {
        let mut rows = scope
            .parts::<Refusals>([import.id])
            .filter(Column::Line.gt(after))
            .order_by_asc(Column::Line)
            .limit(PAGE)
            .all(db)
            .await?;
        let Some(last) = rows.last() else { break };
        after = last.line;
        if let Lines::These(lines) = &lines {
            rows.retain(|row| lines.contains(&row.line));
        }
        if !spool.add(rows).await {
            break;
        }
    }
    spool.finish().await
}
