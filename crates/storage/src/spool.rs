//! Temporary files that one thread writes while another produces their rows, so that memory does not grow
//! with their length.

use std::{
    fs::File,
    io::{BufWriter, Seek},
};

use tokio::{sync::mpsc, task::JoinHandle};
use values::{Error, Result};

use crate::Storage;

/// Temporary file that another thread writes; only a few chunks are in memory at a time.
pub struct Spool<T> {
    sender: mpsc::Sender<Vec<T>>,
    writing: JoinHandle<Result<File>>,
}

impl<T: Send + 'static> Spool<T> {
    /// Starts the writer. `write` writes all chunks until the end. The file is deleted when it is closed.
    pub fn begin(
        storage: &Storage,
        write: impl FnOnce(BufWriter<File>, &mut dyn Iterator<Item = Vec<T>>) -> Result<BufWriter<File>>
        + Send
        + 'static,
    ) -> Result<Self> {
        let target = BufWriter::new(storage.spool_file()?.into_file());
        let (sender, mut receiver) = mpsc::channel(2);
        let writing = tokio::task::spawn_blocking(move || {
            let written = write(target, &mut std::iter::from_fn(|| receiver.blocking_recv()))?;
            let mut file = written.into_inner().map_err(Error::internal)?;
            file.rewind().map_err(Error::internal)?;
            Ok(file)
        });
        Ok(Self { sender, writing })
    }

    /// Adds a chunk; false if the writer has failed, in which case `finish` returns the error.
    pub async fn add(&self, chunk: Vec<T>) -> bool {
        self.sender.send(chunk).await.is_ok()
    }

    /// Waits until everything is written and returns the file.
    pub async fn finish(self) -> Result<File> {
        drop(self.sender);
        self.writing.await.map_err(Error::internal)?
    }
}
