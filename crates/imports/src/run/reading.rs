//! Reading of an import's file: its format and headings, a survey of all rows, and rows in batches.

use std::{
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};

use sheets::{
    Cell, Content, Format, ReadOptions, Row,
    number::{Evidence, Style},
    summing::{SumColumns, Sums},
};
use tokio::sync::mpsc;
use values::Message;

use super::{BATCH_ROWS, queue::Stop, reading_stop};

/// Maximum size of a batch in bytes.
const BATCH_BYTES: usize = 4 << 20;
/// Number of batches that are read ahead.
const READ_AHEAD: usize = 2;

/// Options for reading a file's rows.
#[derive(Clone)]
pub(super) struct ReadFile {
    pub(super) content: Content,
    pub(super) options: ReadOptions,
    pub(super) sums: Option<Arc<(Sums, SumColumns)>>,
}

/// File after its first lines.
pub(super) struct OpenedFile {
    pub(super) options: ReadOptions,
    pub(super) format: Format,
    pub(super) notes: Vec<Message>,
    pub(super) header: Vec<Cell>,
}

/// Number style of a file whose numbers show none: if commas separate cells, they are no decimal signs.
pub(crate) fn usual_style(format: Format) -> Style {
    match format {
        Format::Csv(dialect) if dialect.delimiter == ',' => Style::Point,
        _ => Style::Comma,
    }
}

/// Opens a file to read its format and headings.
pub(super) fn open(path: &Path, content: Content, options: ReadOptions) -> values::Result<OpenedFile> {
    let sheet = sheets::open_with(path, content, &options)?;
    let (format, notes, header) = (sheet.format(), sheet.notes().to_vec(), sheet.header().to_vec());
    Ok(OpenedFile { options, format, notes, header })
}

/// Result of a survey, as the import records it.
pub(super) struct Look {
    pub(super) rows: i64,
    /// Number of rows that are hidden in the spreadsheet.
    pub(super) hidden: i64,
    /// Number of sum rows that are left out.
    pub(super) sums: i64,
    /// Footnotes that are left out.
    pub(super) footnotes: Vec<String>,
    pub(super) style: Style,
}

/// Survey of all rows. A file that is damaged anywhere is refused before any of it is applied.
pub(super) struct Survey {
    pub(super) rows: u64,
    /// Number of rows that are hidden in the spreadsheet.
    pub(super) hidden: u64,
    pub(super) sums: u64,
    pub(super) footnotes: Vec<String>,
    pub(super) evidence: Evidence,
}

/// Surveys all rows of a file.
pub(super) fn survey(
    path: &Path,
    content: Content,
    options: &ReadOptions,
    numbers: &[usize],
    progress: &AtomicU64,
) -> values::Result<Survey> {
    let mut sheet = sheets::open_with(path, content, options)?;
    let mut survey =
        Survey { rows: 0, hidden: 0, sums: 0, footnotes: Vec::new(), evidence: Evidence::default() };
    let mut rows = sheet.rows()?;
    for row in rows.by_ref() {
        let row = row?;
        for cell in numbers.iter().filter_map(|index| row.cells.get(*index)) {
            survey.evidence.see(cell);
        }
        survey.rows += 1;
        progress.store(survey.rows, Ordering::Relaxed);
    }
    survey.hidden = rows.hidden_rows();
    survey.sums = rows.sum_rows();
    survey.footnotes = rows.footnotes().to_vec();
    Ok(survey)
}

pub(super) type Batch = Result<Vec<Row>, Stop>;

/// Reads the rows after line `checkpoint` in batches, some ahead.
pub(super) fn read_ahead(path: PathBuf, file: ReadFile, checkpoint: u32) -> mpsc::Receiver<Batch> {
    let (sender, receiver) = mpsc::channel(READ_AHEAD);
    tokio::task::spawn_blocking(move || {
        if let Err(error) = send_batches(&path, &file, checkpoint, &sender) {
            // The receiver is gone, or gets the error now.
            let _ = sender.blocking_send(Err(reading_stop(error)));
        }
    });
    receiver
}

fn send_batches(
    path: &Path,
    file: &ReadFile,
    checkpoint: u32,
    sender: &mpsc::Sender<Batch>,
) -> values::Result<()> {
    let mut sheet = sheets::open_with(path, file.content, &file.options)?;
    let (mut batch, mut bytes) = (Vec::new(), 0);
    for row in sheet.rows()? {
        let row = row?;
        if row.line <= checkpoint {
            continue;
        }
        let row = match &file.sums {
            Some(sums) => sums.0.apply(row, &sums.1),
            None => Some(row),
        };
        let Some(row) = row else { continue };
        bytes += row.cells.iter().map(|cell| cell.as_str().len()).sum::<usize>();
        batch.push(row);
        if batch.len() == BATCH_ROWS || bytes > BATCH_BYTES {
            bytes = 0;
            if sender.blocking_send(Ok(std::mem::take(&mut batch))).is_err() {
                return Ok(());
            }
        }
    }
    if !batch.is_empty() {
        // Without a receiver there is nothing left to do.
        let _ = sender.blocking_send(Ok(batch));
    }
    Ok(())
}
