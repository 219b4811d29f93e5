//! Corrections of refused rows on screen, imported as an import of their own like a corrected error file.

use std::collections::HashSet;

use sea_orm::{ColumnTrait, QueryFilter};
use sheets::{
    Content, Dialect, Format,
    table::{self, CellContent},
};
use store::{Database, Scope};
use values::{Error, Result, Violations};

use super::{
    FOLDER, Import, Imports,
    refusal::{Column, Refusals},
    replay_cause::ReplayCause,
    services::ImportServices,
    settings::Settings,
    strategy::Strategy,
    upload::{self, ImportInput, ReplayedImport},
    uploader::{Uploader, writer},
};
use crate::codes;

/// Maximum number of rows in one correction.
pub const ROWS_MAX: usize = 500;

/// Refused row with corrected cells.
#[derive(Debug, Clone)]
pub struct CorrectedRow {
    pub line: i64,
    /// Texts, one for each heading.
    pub cells: Vec<String>,
}

/// Queues corrected rows.
///
/// # Errors
/// Fails if a row was not refused or has other columns, and for an import that takes effect as a whole.
pub async fn correct(
    services: ImportServices<'_>,
    by: Uploader<'_>,
    id: i64,
    rows: Vec<CorrectedRow>,
) -> Result<Import> {
    let ImportServices { db, storage, registry } = services;
    let import = by.scope.get::<Imports>(db, id).await?;
    let writer = writer(db, registry, by, import.r#type, import.aim_id).await?;
    let by = Uploader { scope: &writer, ..by };
    import.check_content(by.scope)?;
    import.check_files_kept()?;
    let header = import.header.clone().filter(|_| is_correctable(&import)).ok_or(codes::NOT_CORRECTABLE)?;
    check(db, by.scope, &import, header.0.len(), &rows).await?;

    let target = storage.spool_file()?.into_file();
    let header: Vec<CellContent> = header.0.into_iter().map(CellContent::Text).collect();
    let cells = |row: CorrectedRow| row.cells.into_iter().map(CellContent::Text).collect();
    let rows: Vec<Vec<CellContent>> = rows.into_iter().map(cells).collect();
    let written = tokio::task::spawn_blocking(move || {
        let mut file =
            table::write(target, Format::Csv(Dialect::GERMAN), &header, &mut std::iter::once(rows))?;
        std::io::Seek::rewind(&mut file).map_err(Error::file)?;
        Ok::<_, Error>(file)
    });
    let stored = storage.store_file(FOLDER, written.await.map_err(Error::internal)??).await?;
    let name = import.upload_file.rsplit_once('.').map_or(&*import.upload_file, |(stem, _)| stem);
    let input = ImportInput {
        name: import.name.clone(),
        aim: import.aim_id,
        // the original file has already removed records that it did not name
        strategy: if import.strategy == Strategy::OnlyExisting {
            import.strategy
        } else {
            Strategy::default()
        },
        mapping: import.mapping.clone(),
        settings: import.settings.as_ref().map(Settings::for_rewritten_file),
        replays: Some(ReplayedImport {
            import: import.id,
            cause: ReplayCause::Correction,
            number_style: import.number_style.clone(),
        }),
        ..ImportInput::new(import.r#type, format!("{name}.csv"))
    };
    let queued = upload::create(db, by, input, &stored).await;
    if queued.is_err() {
        storage.discard(&stored.key).await;
    }
    queued
}

/// True for imports whose refused rows can be imported separately.
fn is_correctable(import: &Import) -> bool {
    let is_table = import.r#type.holds() == Content::Table && import.undoes.is_none();
    import.is_final() && !import.dry_run && is_table && !import.r#type.is_whole()
}

async fn check(
    db: &Database,
    scope: &Scope,
    import: &Import,
    width: usize,
    rows: &[CorrectedRow],
) -> Result<()> {
    let mut wrong = Violations::new();
    if rows.is_empty() {
        wrong.add("rows", codes::REQUIRED);
    }
    if rows.len() > ROWS_MAX {
        wrong.add("rows", codes::TOO_MANY.with("max", ROWS_MAX));
    }
    wrong.check()?;
    let lines: Vec<i64> = rows.iter().map(|row| row.line).collect();
    let refused = scope.parts::<Refusals>([import.id]).filter(Column::Line.is_in(lines));
    let refused: HashSet<i64> = refused.all(db).await?.into_iter().map(|row| row.line).collect();
    let mut wrong = Violations::new();
    let mut seen = HashSet::new();
    for (at, row) in rows.iter().enumerate() {
        if !refused.contains(&row.line) {
            wrong.add(format!("rows.{at}.line"), codes::UNKNOWN_REFERENCE);
        } else if !seen.insert(row.line) {
            wrong.add(format!("rows.{at}.line"), codes::DUPLICATE);
        }
        if row.cells.len() != width {
            let count = codes::CELL_COUNT.with("found", row.cells.len()).with("expected", width);
            wrong.add(format!("rows.{at}.cells"), count);
        }
    }
    wrong.check()
}
