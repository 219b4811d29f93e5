//! The reading of an import's file: its format and headings, a look at all rows, and rows in batches.

use std::{
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};

use kernel::Message;
use sheets::{
    Cell, Content, Format, ReadOptions, Row,
    number::{Evidence, Style},
    summing::{SumColumns, Sums},
};
use tokio::sync::mpsc;

use super::{BATCH_ROWS, of_the_file, queue::Stop};

/// The most bytes of a batch.
const BATCH_BYTES: usize = 4 << 20;
/// The number of batches that are read ahead.
const READ_AHEAD: usize = 2;

/// The reading of a file's rows.
#[derive(Clone)]
pub(super) struct ReadFile {
    pub(super) content: Content,
    pub(super) options: ReadOptions,
    pub(super) sums: Option<Arc<(Sums, SumColumns)>>,
}

/// A file after its first lines.
pub(super) struct Opened {
    pub(super) options: ReadOptions,
    pub(super) format: Format,
    pub(super) notes: Vec<Message>,
    pub(super) header: Vec<Cell>,
}

/// The decimal style of a file whose numbers show none: with commas between cells a comma is no decimal sign.
pub(crate) fn usual_style(format: Format) -> Style {
    match format {
        Format::Csv(dialect) if dialect.delimiter == ',' => Style::Point,
        _ => Style::Comma,
    }
}

/// Opens a file to read its format and headings.
pub(super) fn open(path: &Path, content: Content, options: ReadOptions) -> kernel::Result<Opened> {
    let sheet = sheets::open_with(path, content, &options)?;
    let (format, notes, header) = (sheet.format(), sheet.notes().to_vec(), sheet.header().to_vec());
    Ok(Opened { options, format, notes, header })
}

/// The result of a look at all rows of a file, as the import records it.
pub(super) struct Look {
    pub(super) rows: i64,
    /// The number of rows that are hidden in the spreadsheet.
    pub(super) hidden: i64,
    /// The number of rows with sums that are left out.
    pub(super) sums: i64,
    /// The footnotes that are left out.
    pub(super) footnotes: Vec<String>,
    pub(super) style: Style,
}

/// The result of a look at all rows. A file that is damaged anywhere is refused before anything of it is applied.
pub(super) struct Survey {
    pub(super) rows: u64,
    /// The number of rows that are hidden in the spreadsheet.
    pub(super) hidden: u64,
    pub(super) sums: u64,
    pub(super) footnotes: Vec<String>,
    pub(super) evidence: Evidence,
}

/// Looks at all rows of a file.
pub(super) fn survey(
    path: &Path,
    content: Content,
    options: &ReadOptions,
    numbers: &[usize],
    progress: &AtomicU64,
) -> kernel::Result<Survey> {
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

/// Reads the rows behind line `checkpoint` in batches, some ahead.
pub(super) fn read_ahead(path: PathBuf, file: ReadFile, checkpoint: u32) -> mpsc::Receiver<Batch> {
    let (sender, receiver) = mpsc::channel(READ_AHEAD);
    tokio::task::spawn_blocking(move || {
        if let Err(error) = send_batches(&path, &file, checkpoint, &sender) {
            // The receiver is gone, or learns it now.
            let _ = sender.blocking_send(Err(of_the_file(error)));
        }
    });
    receiver
}

fn send_batches(
    path: &Path,
    file: &ReadFile,
    checkpoint: u32,
    sender: &mpsc::Sender<Batch>,
) -> kernel::Result<()> {
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
        // Nobody receives any more: nothing is left to do.
        let _ = sender.blocking_send(Ok(batch));
    }
    Ok(())
}
