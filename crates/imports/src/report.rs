//! What an import refused: as a list for the screen, and as a file to be corrected and uploaded again. Both are made
//! from the kept rows when they are asked for, so that there is never half a file.

use std::{collections::HashSet, fs::File};

use kernel::{Language, Page, Paging, Result, Scope};
use sea_orm::{ColumnTrait, ConnectionTrait, PaginatorTrait, QueryFilter, QueryOrder, QuerySelect};

use crate::{
    import::{Import, Imports},
    refusal::{Column, Refusal, Refusals, RefusedLine},
};
use sheets::{
    RowFault,
    error_file::{self, ErrorFile},
};
use storage::{Spool, Storage};

/// Rows that are in memory at a time.
const PAGE: u64 = 500;

/// Refused rows of an import, in the order of the file.
pub async fn refusals(
    db: &impl ConnectionTrait,
    scope: &Scope,
    import_id: i64,
    paging: Paging,
) -> Result<Page<RefusedLine>> {
    scope.get::<Imports>(db, import_id).await?;
    let all = scope.parts::<Refusals>([import_id]);
    let total = all.clone().count(db).await?;
    let lines = all.select_only().columns([Column::Line, Column::Messages]).order_by_asc(Column::Line);
    let rows = lines.offset(paging.offset()).limit(paging.size).into_model().all(db).await?;
    Ok(paging.of(rows, total))
}

/// The name of the error file, where there is one: when an import has ended, not long ago, and refused rows.
pub fn error_file_name(import: &Import, language: Language) -> Option<String> {
    (import.is_final() && import.rows_refused + import.rows_unresolved > 0 && import.files_kept())
        .then(|| error_file::name(&import.upload_file, language))
}

/// The error file of an import, written anew; it goes when it is closed.
pub async fn error_file(
    db: &impl ConnectionTrait,
    scope: &Scope,
    storage: &Storage,
    import: &Import,
    language: Language,
) -> Result<File> {
    refused_rows(db, scope, storage, import, language, Lines::All).await
}

/// Which of the refused rows are meant.
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
            let faults: Vec<RowFault> = messages.0.into_iter().map(|named| named.fault).collect();
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
