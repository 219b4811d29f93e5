//! Files that one thread writes while another reads rows for them, so that memory does not grow with their length.

use std::{
    fs::File,
    io::{BufWriter, Seek},
};

use kernel::{Error, Result};
use tokio::{sync::mpsc, task::JoinHandle};

use crate::Storage;

/// A file that another thread writes while rows are read; a few chunks are in memory at a time.
pub struct Spool<T> {
    sender: mpsc::Sender<Vec<T>>,
    writing: JoinHandle<Result<File>>,
}

impl<T: Send + 'static> Spool<T> {
    /// `write` writes what arrives, to the end. The file goes when it is closed.
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

    /// Whether more is wanted: a writer that has failed says why at the end.
    pub async fn add(&self, chunk: Vec<T>) -> bool {
        self.sender.send(chunk).await.is_ok()
    }

    pub async fn finish(self) -> Result<File> {
        drop(self.sender);
        self.writing.await.map_err(Error::internal)?
    }
}
