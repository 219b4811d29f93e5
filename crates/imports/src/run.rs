//! Runs one import: a thread reads the file, batches of rows are applied one by one, and each batch commits
//! together with the progress. Even after crashes, every row is applied exactly once.

use std::{
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use background::{Attempts, ShutdownSignal};
use sea_orm::ActiveValue::Set;
use store::{Database, Scope, Write};
use tokio::{sync::Semaphore, time::Instant};
use values::{Code, Error, Message, TenantId};

pub(crate) use self::reading::usual_style;
use self::{
    authority::Authority,
    contention::is_conflict,
    queue::Stop,
    reading::{Batch, Look, OpenedFile, ReadFile, open, read_ahead, survey},
};
use crate::{
    apply::{Applying, RowResult},
    codes,
    columns::DeclaredColumns,
    import::{
        Import, ImportStatus,
        refusal::{self, Cells, Faults, Refusals},
        row::{self, ImportRows, Outcome, packed},
        row_counts::RowCounts,
        settings::recognise,
        strategy::Strategy,
        uploader,
    },
    registry::Registry,
};
use sheets::{
    Cell, Content, Format, ReadOptions, Row,
    number::Style,
    summing::{SumColumns, Sums},
};
use storage::Storage;

pub mod authority;
mod batches;
pub(crate) mod contention;
pub(crate) mod queue;
mod reading;
mod slice;
mod staged_batches;
pub mod staging;
pub mod stopping;
mod switch;
mod undo;
pub mod worker;

/// Maximum number of rows in a batch, since long rows take much memory.
const BATCH_ROWS: usize = 1_000;
/// Maximum number of problems of a header that are reported.
const MESSAGES_MAX: usize = 20;
/// Number of new records after which the planner's statistics are updated, and again after four times as
/// many.
const GROWN: i64 = 5_000;
/// Maximum time that a batch waits for other writers.
const PATIENCE: Duration = Duration::from_mins(10);

/// Dependencies for running an import.
pub(crate) struct Runner<'a> {
    pub db: &'a Database,
    pub storage: &'a Storage,
    pub registry: &'a Registry,
    pub authority: &'a dyn Authority,
    /// Turns for applying batches, granted in order of request.
    pub turns: &'a Semaphore,
    /// Becomes true when the process is to end.
    pub ending: ShutdownSignal,
}

impl Runner<'_> {
    /// Works on a claimed import until it has ended, is lost, the process ends, or the machine has a problem.
    /// Returns true if the import still belongs to this worker and waits for the machine.
    pub(crate) async fn run(&self, import: &Import) -> bool {
        let mut notes = Vec::new();
        let outcome = match queue::given_up(import) {
            Some(message) => Err(Stop::Failed(vec![message])),
            None => self.apply(import, &mut notes).await,
        };
        let recorded = match outcome {
            Ok(End::Finished(counts)) => {
                let of_import = if import.undoes.is_some() { undo::verdict } else { verdict };
                let (status, messages) = of_import(counts);
                queue::finish(self.db, self.authority, import, status, &final_messages(messages, notes)).await
            }
            Ok(End::Recorded) => Ok(()),
            Ok(End::Interrupted) => queue::release(self.db, import).await,
            Err(Stop::Failed(messages)) => self.fail(import, &final_messages(messages, notes)).await,
            Err(Stop::Broken(error)) if self.ending.is_set() => {
                tracing::warn!(import = import.id, %error, "an import was interrupted as the process ends");
                queue::release(self.db, import).await
            }
            Err(stop) => Err(stop),
        };
        self.authority.notify_progress();
        match recorded {
            Ok(()) => tracing::info!(import = import.id, "import done"),
            Err(Stop::Lost) => tracing::warn!(import = import.id, "import lost to another worker"),
            Err(Stop::Failed(_)) => {}
            Err(Stop::Broken(error)) => {
                tracing::error!(import = import.id, %error, "import interrupted");
                return error.fault().is_some();
            }
        }
        false
    }

    /// Applies the file; `notes` collects remarks on how it was read.
    async fn apply(&self, import: &Import, notes: &mut Vec<Message>) -> Result<End, Stop> {
        let claimed = Instant::now();
        let scope = self.scope(import).await?;
        let importer = self.registry.get(import.r#type).map_err(reading_stop)?;
        let aimed = importer.writer(self.db, &scope, import.aim_id).await;
        aimed.map_err(|error| target_stop(error, importer.aim_gone()))?;
        if let Some(undone) = import.undoes {
            return self.run_undo(import, &scope, undone).await;
        }
        let path =
            self.storage.fetch_unchanged(&import.upload_key, &import.sha256).await.map_err(reading_stop)?;
        let path: &Path = &path;

        let declared = Arc::new(importer.declared(self.db).await?);
        let opened = self.open(import, &declared, path).await?;
        notes.clone_from(&opened.notes);
        let titles = import.titles(&opened.header);
        let not_read = declared.irrelevant_columns(&titles);
        if !not_read.is_empty() {
            notes.push(Message::from(codes::COLUMNS_NOT_READ).list("columns", not_read));
        }
        let prepared = importer.prepare(self.db, scope, import, &titles).await?;
        let mut applying = prepared.map_err(Stop::Failed)?;
        let mut file =
            ReadFile { content: import.r#type.holds(), options: opened.options.clone(), sums: None };
        let look = match (import.rows_total, import.style()) {
            // an earlier worker has surveyed the same file
            (Some(rows), Some(style)) => Look {
                rows,
                hidden: import.rows_hidden.unwrap_or_default(),
                sums: 0,
                footnotes: Vec::new(),
                style,
            },
            (_, style) => self.look_through(import, path, &opened, applying.numbers(), style).await?,
        };
        if let Some(columns) = applying.sum_columns().filter(|_| import.sums_rows()) {
            file.sums = Some(Arc::new(self.sum_rows(import, path, &file, columns, look.style).await?));
        }
        let summed_up = file.sums.as_ref().map_or(0, |sums| sums.0.left_out());
        // the count of an earlier worker already excludes them
        let rows = if import.rows_total.is_some() { look.rows } else { look.rows - count_of(summed_up) };
        let look = Look { rows, ..look };
        if summed_up > 0 {
            notes.push(codes::ROWS_SUMMED_UP.with("count", summed_up));
        }
        if look.sums > 0 {
            notes.push(codes::SUM_ROWS_LEFT_OUT.with("count", look.sums));
        }
        if !look.footnotes.is_empty() {
            notes.push(codes::FOOTNOTES_LEFT_OUT.list("texts", &look.footnotes));
        }
        if look.hidden > 0 {
            let code = if import.skip_hidden_rows {
                codes::HIDDEN_ROWS_LEFT_OUT
            } else {
                codes::HIDDEN_ROWS_IMPORTED
            };
            notes.push(code.with("count", look.hidden));
        }
        let reading = Reading { style: look.style, options: &opened.options, header: &opened.header };
        queue::begin(self.db, import, look.rows, look.hidden, Some(reading)).await?;
        self.authority.notify_progress();

        applying.read_as(look.style);
        // a dry run starts from the first row, since no record shows which ones its rows have named
        let checkpoint = if import.dry_run { 0 } else { done_before(import) };
        let batches = read_ahead(path.to_owned(), file, checkpoint);
        let done = if applying.stages_rows() {
            self.stage_all(import, &mut *applying, &scope, &opened.header, batches, claimed).await?
        } else {
            self.apply_all(import, &mut *applying, &scope, &opened.header, batches, claimed).await?
        };
        let Some(counts) = done else { return Ok(End::Interrupted) };
        let wrong = counts.sum([Outcome::Refused, Outcome::Unresolved]);
        if importer.is_whole() && wrong > 0 {
            // a dry run reports the same
            return Err(codes::NOTHING_APPLIED.with("count", wrong).into());
        }
        if applying.stages_rows() {
            self.switch(import, &mut *applying, &scope, counts, notes).await?;
            return Ok(End::Recorded);
        }
        if import.strategy == Strategy::ReplaceAll {
            self.end_with_rest(import, &mut *applying, &scope, counts, notes).await?;
            return Ok(End::Recorded);
        }
        Ok(End::Finished(counts))
    }

    /// Surveys the file: number of rows, number of hidden ones, and the number style unless it is known.
    async fn look_through(
        &self,
        import: &Import,
        path: &Path,
        opened: &OpenedFile,
        numbers: Vec<usize>,
        style: Option<Style>,
    ) -> Result<Look, Stop> {
        let (content, options) = (import.r#type.holds(), opened.options.clone());
        let survey = self
            .blocking(import, path.to_owned(), move |path, rows| {
                survey(path, content, &options, &numbers, rows)
            })
            .await?;
        if survey.rows == 0 {
            let is_document = opened.format == Format::Json;
            return Err(if is_document { codes::LISTS_EMPTY } else { codes::NO_ROWS }.into());
        }
        let style = style.unwrap_or_else(|| survey.evidence.style(usual_style(opened.format)));
        Ok(Look {
            rows: count_of(survey.rows),
            hidden: count_of(survey.hidden),
            sums: count_of(survey.sums),
            footnotes: survey.footnotes,
            style,
        })
    }

    /// Opens the file with its recognised sheet and headings.
    async fn open(
        &self,
        import: &Import,
        declared: &Arc<DeclaredColumns>,
        path: &Path,
    ) -> Result<OpenedFile, Stop> {
        let (r#type, options) = (import.r#type, import.read_options(declared));
        let (declared, mapping) = (declared.clone(), import.mapping.clone());
        self.blocking(import, path.to_owned(), move |path, _| {
            let options = recognise(path, r#type, &options, &declared, mapping.as_ref())?;
            open(path, r#type.holds(), options)
        })
        .await
    }

    /// Sums rows of the same record.
    async fn sum_rows(
        &self,
        import: &Import,
        path: &Path,
        file: &ReadFile,
        columns: SumColumns,
        style: Style,
    ) -> Result<(Sums, SumColumns), Stop> {
        let (content, options) = (file.content, file.options.clone());
        self.blocking(import, path.to_owned(), move |path, _| {
            let mut sheet = sheets::open_with(path, content, &options)?;
            let sums = Sums::collect(&mut sheet.rows()?, &columns, style)?;
            Ok((sums, columns))
        })
        .await
    }

    /// Removes the records that the file does not name and ends the import, both in one transaction.
    async fn end_with_rest(
        &self,
        import: &Import,
        applying: &mut dyn Applying,
        scope: &Scope,
        counts: RowCounts,
        notes: &[Message],
    ) -> Result<(), Stop> {
        let mut attempts = Attempts::within(PATIENCE);
        loop {
            let turn = self.turns.acquire().await.map_err(Error::internal)?;
            let mut notes = notes.to_vec();
            let outcome = self.try_to_end_with_rest(import, applying, scope, counts, &mut notes).await;
            drop(turn);
            match outcome {
                Err(Stop::Broken(error)) if is_conflict(&error, applying) => {
                    self.wait_for_others(import, error, &mut attempts).await?;
                }
                outcome => return outcome,
            }
        }
    }

    async fn try_to_end_with_rest(
        &self,
        import: &Import,
        applying: &mut dyn Applying,
        scope: &Scope,
        counts: RowCounts,
        notes: &mut Vec<Message>,
    ) -> Result<(), Stop> {
        let tx = self.db.begin_long().await?;
        queue::lock_owned(&tx, import).await?;
        let counts = counts + remove_rest(&tx, import, applying, scope, counts, notes).await?;
        let (status, messages) = verdict(counts);
        let status = partial_status(status, notes);
        queue::end(&tx, self.authority, import, status, &final_messages(messages, std::mem::take(notes)))
            .await?;
        Ok(tx.commit().await?)
    }

    /// Scope of the import's principal, if they still may import.
    async fn scope(&self, import: &Import) -> Result<Scope, Stop> {
        let principal = import.principal().ok_or(codes::CREATOR_GONE)?;
        let tenant = TenantId(import.tenant_id);
        let needs = uploader::demanded(principal, import.r#type, import.needs());
        let scope = self.authority.scope_of(principal, tenant, &needs).await?;
        scope.ok_or_else(|| uploader::not_permitted(principal).into())
    }

    /// Reads on a blocking thread, and renews the lease as long as the reading makes progress.
    async fn blocking<T: Send + 'static>(
        &self,
        import: &Import,
        path: PathBuf,
        read: impl FnOnce(&Path, &AtomicU64) -> values::Result<T> + Send + 'static,
    ) -> Result<T, Stop> {
        let progress = Arc::new(AtomicU64::new(0));
        let rows = progress.clone();
        let mut reading = tokio::task::spawn_blocking(move || read(&path, &rows));
        let mut previous_rows = 0;
        loop {
            if let Ok(outcome) = tokio::time::timeout(Duration::from_secs(5), &mut reading).await {
                return outcome.map_err(Error::internal)?.map_err(reading_stop);
            }
            let rows = progress.load(Ordering::Relaxed);
            if rows > previous_rows {
                queue::renew(self.db, import).await?;
            }
            previous_rows = rows;
        }
    }
}

/// Removes the records that the file does not name, in one step, if all of its rows were applied and there
/// are no more removals than the dry run has announced. A dry run only reports each of these records.
async fn remove_rest(
    tx: &Write,
    import: &Import,
    applying: &mut dyn Applying,
    scope: &Scope,
    counts: RowCounts,
    notes: &mut Vec<Message>,
) -> Result<RowCounts, Stop> {
    let wrong = counts.sum([Outcome::Refused, Outcome::Unresolved]);
    if wrong > 0 && !import.dry_run {
        notes.push(codes::NOTHING_REMOVED.with("count", wrong));
        return Ok(RowCounts::default());
    }
    let unnamed_ids = applying.unnamed_ids(tx).await?;
    let count = i64::try_from(unnamed_ids.len()).unwrap_or(i64::MAX);
    let last = queue::last_line(tx, import).await?;
    if let Some(expected) = import.removals_expected.filter(|expected| !import.dry_run && *expected < count) {
        notes.push(codes::MORE_WOULD_GO.with("count", count).with("expected", expected));
        return Ok(RowCounts::default());
    }
    remove(tx, import, applying, scope, &unnamed_ids, last).await
}

/// Removes records that a file does not name, or determines the results in a dry run, and adds a row for each
/// after those of the file.
async fn remove(
    tx: &Write,
    import: &Import,
    applying: &mut dyn Applying,
    scope: &Scope,
    rest: &[i64],
    last: u32,
) -> Result<RowCounts, Stop> {
    let (mut removed, mut line) = (RowCounts::default(), last);
    for ids in rest.chunks(BATCH_ROWS) {
        let applied = applying.remove(tx, ids).await?;
        removed = removed + count_rows(&applied);
        let lines = (line + 1..).zip(&applied);
        scope.insert_parts::<ImportRows>(tx, import.id, row::to_rows(applying.record(), &[], lines)).await?;
        line = line.saturating_add(u32::try_from(applied.len()).unwrap_or(u32::MAX));
    }
    queue::record(tx, import, line, removed).await?;
    Ok(removed)
}

fn count_rows(applied: &[RowResult]) -> RowCounts {
    RowCounts::new(applied.iter().map(RowResult::outcome))
}

/// Last line that earlier workers have applied.
fn done_before(import: &Import) -> u32 {
    u32::try_from(import.checkpoint).unwrap_or_default()
}

/// End of the work on an import.
enum End {
    Finished(RowCounts),
    /// Ended and recorded.
    Recorded,
    /// Interrupted by the end of the process or another tenant's turn; the import continues later.
    Interrupted,
}

impl From<Code> for Stop {
    fn from(code: Code) -> Self {
        Self::Failed(vec![code.into()])
    }
}

/// Converts an error while reading: a refusal concerns the file, any other error the machine.
fn reading_stop(error: Error) -> Stop {
    match error {
        Error::Refused(message) => Stop::Failed(vec![message]),
        error => Stop::Broken(error),
    }
}

/// Converts an error about the target: it existed at the upload, so if it is not found it is gone.
fn target_stop(error: Error, missing_code: Option<Code>) -> Stop {
    match (error, missing_code) {
        (Error::Invalid(_), Some(code)) => code.into(),
        (error, _) => reading_stop(error),
    }
}

fn verdict(counts: RowCounts) -> (ImportStatus, Vec<Message>) {
    let failed_rows = counts.sum([Outcome::Refused, Outcome::Unresolved]);
    match (failed_rows, counts.total() - failed_rows) {
        (0, _) if counts.get(Outcome::Held) == 0 => (ImportStatus::Success, Vec::new()),
        (1.., 0) if counts.get(Outcome::Refused) > 0 => {
            (ImportStatus::Failed, vec![codes::ALL_ROWS_REFUSED.into()])
        }
        _ => (ImportStatus::PartialSuccess, Vec::new()),
    }
}

/// Turns success into partial success for a file that was to replace all records, but has removed none.
fn partial_status(status: ImportStatus, notes: &[Message]) -> ImportStatus {
    let withheld = [codes::NOTHING_REMOVED, codes::MORE_WOULD_GO];
    let is_partial =
        status == ImportStatus::Success && notes.iter().any(|note| withheld.contains(&note.code));
    if is_partial { ImportStatus::PartialSuccess } else { status }
}

/// Messages for the end of an import: a limited number of problems, and the notes on how the file was read.
fn final_messages(mut messages: Vec<Message>, notes: Vec<Message>) -> Vec<Message> {
    if let Some(more @ 1..) = messages.len().checked_sub(MESSAGES_MAX) {
        messages.truncate(MESSAGES_MAX);
        messages.push(codes::MORE_PROBLEMS.with("count", more));
    }
    messages.extend(notes);
    messages
}

/// Reading of a file, as its import records it.
pub(crate) struct Reading<'a> {
    pub style: Style,
    pub options: &'a ReadOptions,
    pub header: &'a [Cell],
}

fn count_of(count: u64) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

/// Place of a row within a document.
fn placed<'r>(import: &Import, row: &'r Row) -> Option<&'r str> {
    let is_of_document = import.undoes.is_none() && import.r#type.holds() != Content::Table;
    row.cells.first().filter(|_| is_of_document).map(Cell::as_str)
}

/// Rows of a batch with their results.
struct AppliedBatch<'a> {
    rows: &'a [Row],
    /// Result of each row.
    results: &'a [RowResult],
}

/// Stores the results of a batch's rows, and cells and reasons of the refused ones.
async fn save_rows(
    tx: &Write,
    authority: &dyn Authority,
    scope: &Scope,
    import: &Import,
    record: &'static str,
    header: &[Cell],
    AppliedBatch { rows: batch, results }: AppliedBatch<'_>,
) -> values::Result<()> {
    let rows = row::to_rows(record, header, batch.iter().map(|row| row.line).zip(results));
    let rows = if authority.packs_rows(tx).await? { packed::pack(rows) } else { rows };
    scope.insert_parts::<ImportRows>(tx, import.id, rows).await?;
    let refused = batch.iter().zip(results).filter_map(|(row, result)| match result {
        RowResult::Refused(faults) | RowResult::Unresolved(faults) => Some(refusal::ActiveModel {
            line: Set(i64::from(row.line)),
            cells: Set(Cells(row.cells.clone())),
            messages: Set(Faults::with_column_names(faults.clone(), header, placed(import, row))),
            ..Default::default()
        }),
        RowResult::Done { .. } => None,
    });
    scope.insert_parts::<Refusals>(tx, import.id, refused.collect()).await
}
