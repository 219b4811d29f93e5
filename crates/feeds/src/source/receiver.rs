//! The near end of a file: writes, hashes and counts what arrives, and stops at the limit.

use sha2::{Digest, Sha256};
use tokio::io::{AsyncWrite, AsyncWriteExt};

use super::{Result, SourceFailure};

/// A complete file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FetchedFile {
    pub bytes: u64,
    /// The hash of its bytes, in hexadecimal digits.
    pub sha256: String,
}

/// Writes what arrives of a file.
pub(super) struct Receiver<W> {
    name: String,
    writer: W,
    max: u64,
    bytes: u64,
    hash: Sha256,
}

impl<W: AsyncWrite + Unpin + Send> Receiver<W> {
    pub(super) fn new(name: &str, writer: W, max: u64) -> Self {
        Self { name: name.to_owned(), writer, max, bytes: 0, hash: Sha256::new() }
    }

    pub(super) const fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Rejects a file whose announced size is above the limit.
    pub(super) fn check_announced(&self, size: Option<u64>) -> Result<()> {
        if size.is_some_and(|size| size > self.max) { Err(self.too_large().into()) } else { Ok(()) }
    }

    pub(super) async fn write(&mut self, data: &[u8]) -> Result<()> {
        self.bytes += data.len() as u64;
        if self.bytes > self.max {
            return Err(self.too_large().into());
        }
        self.hash.update(data);
        self.writer.write_all(data).await.map_err(|error| not_stored(&error))?;
        Ok(())
    }

    /// Compares the sizes before and after with the bytes that were read. At least one of them must be there.
    pub(super) fn check_complete(&self, before: Option<u64>, after: Option<u64>) -> Result<()> {
        let is_complete = before.is_some() && before == after && before == Some(self.bytes);
        if is_complete { Ok(()) } else { Err(SourceFailure::FileChanged(self.name.clone()).into()) }
    }

    pub(super) async fn finish(mut self) -> Result<FetchedFile> {
        self.writer.flush().await.map_err(|error| not_stored(&error))?;
        Ok(FetchedFile { bytes: self.bytes, sha256: hex::encode(self.hash.finalize()) })
    }

    fn too_large(&self) -> SourceFailure {
        SourceFailure::FileTooLarge { name: self.name.clone(), max: self.max }
    }
}

fn not_stored(error: &std::io::Error) -> SourceFailure {
    tracing::warn!(%error, "a fetched file cannot be written");
    SourceFailure::NotStored
}
