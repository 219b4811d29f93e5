//! Uploaded files: under names of our own, on disk before anybody is told that they are there.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

use futures_util::{StreamExt, TryStreamExt, stream::BoxStream};
use kernel::{Code, Error, Result};
use object_store::{ObjectStore, ObjectStoreExt, buffered::BufWriter, local::LocalFileSystem};
use sha2::{Digest, Sha256};
use tempfile::{NamedTempFile, TempPath};
use tokio::{
    fs::File,
    io::{AsyncReadExt, AsyncWriteExt},
};

/// Where uploads are kept, and a folder for files that are only needed for a while.
#[derive(Debug, Clone)]
pub struct Storage {
    store: Arc<dyn ObjectStore>,
    spool: PathBuf,
}

/// A file that is kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stored {
    pub key: String,
    pub size: u64,
    /// Hexadecimal.
    pub sha256: String,
}

const CHUNK: usize = 256 * 1024;

impl Storage {
    /// Keeps files in `uploads` below the folder and spools to `spool` beside it.
    pub fn in_folder(folder: &Path) -> Result<Self> {
        let (uploads, spool) = (folder.join("uploads"), folder.join("spool"));
        for folder in [&uploads, &spool] {
            std::fs::create_dir_all(folder).map_err(Error::internal)?;
        }
        let store = LocalFileSystem::new_with_prefix(uploads).map_err(Error::internal)?.with_fsync(true);
        Ok(Self { store: Arc::new(store), spool })
    }

    /// An empty file that goes when it is dropped.
    pub fn spool_file(&self) -> Result<NamedTempFile> {
        NamedTempFile::new_in(&self.spool).map_err(Error::internal)
    }

    /// Removes what killed processes have left in transit: nothing takes a day to arrive.
    pub fn clean_up(&self) -> std::io::Result<()> {
        for entry in std::fs::read_dir(&self.spool)? {
            let entry = entry?;
            let age = entry.metadata()?.modified()?.elapsed().unwrap_or_default();
            if age > Duration::from_hours(24) {
                std::fs::remove_file(entry.path())?;
            }
        }
        Ok(())
    }

    /// Keeps a copy of a file. It is durable when this returns.
    pub async fn keep(&self, path: &Path) -> Result<Stored> {
        let key = format!("imports/{}", uuid::Uuid::now_v7());
        let mut file = File::open(path).await.map_err(Error::internal)?;
        let mut writer = BufWriter::new(self.store.clone(), key.as_str().into());
        let (mut hash, mut size) = (Sha256::new(), 0);
        let mut chunk = vec![0; CHUNK];
        loop {
            let read = file.read(&mut chunk).await.map_err(Error::internal)?;
            let bytes = chunk.get(..read).unwrap_or_default();
            if bytes.is_empty() {
                break;
            }
            hash.update(bytes);
            size += bytes.len() as u64;
            writer.write_all(bytes).await.map_err(Error::internal)?;
        }
        if size == 0 {
            return Err(kernel::Violations::of("file", Code::FileEmpty));
        }
        writer.shutdown().await.map_err(Error::internal)?;
        let sha256 = hex::encode(hash.finalize());
        Ok(Stored { key, size, sha256 })
    }

    /// The bytes of a kept file.
    pub async fn read(&self, key: &str) -> Result<BoxStream<'static, std::io::Result<Bytes>>> {
        let object = self.store.get(&key.into()).await.map_err(Error::internal)?;
        Ok(object.into_stream().map_err(std::io::Error::other).boxed())
    }

    /// A kept file as one on the local disk, for as long as it is needed.
    pub async fn fetch(&self, key: &str) -> Result<TempPath> {
        let path = self.spool_file()?.into_temp_path();
        let mut file = File::create(&path).await.map_err(Error::internal)?;
        let mut bytes = self.read(key).await?;
        while let Some(bytes) = bytes.try_next().await.map_err(Error::internal)? {
            file.write_all(&bytes).await.map_err(Error::internal)?;
        }
        file.flush().await.map_err(Error::internal)?;
        Ok(path)
    }

    /// Forgets a file that no import came of.
    pub async fn discard(&self, stored: &Stored) {
        if let Err(error) = self.store.delete(&stored.key.as_str().into()).await {
            tracing::warn!(%error, key = stored.key, "an upload that is not needed stays behind");
        }
    }
}

pub use object_store::PutPayload;
/// A piece of a file.
pub type Bytes = <PutPayload as IntoIterator>::Item;

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_file_is_kept_and_comes_back_whole() {
        let folder = tempfile::tempdir().unwrap();
        let storage = Storage::in_folder(folder.path()).unwrap();
        let content: Vec<u8> = (0..3_000_000_u32).map(|index| index.to_le_bytes()[0]).collect();
        let upload = folder.path().join("upload");
        std::fs::write(&upload, &content).unwrap();

        let stored = storage.keep(&upload).await.unwrap();
        assert_eq!(stored.size, content.len() as u64);
        assert_eq!(stored.sha256.len(), 64);
        assert_eq!(storage.keep(&upload).await.unwrap().sha256, stored.sha256);
        let fetched = storage.fetch(&stored.key).await.unwrap();
        assert_eq!(std::fs::read(&fetched).unwrap(), content);

        storage.discard(&stored).await;
        assert!(storage.fetch(&stored.key).await.is_err());
    }

    #[test]
    fn what_was_left_in_transit_goes_after_a_day() {
        let folder = tempfile::tempdir().unwrap();
        let storage = Storage::in_folder(folder.path()).unwrap();
        let (old, new) = (storage.spool_file().unwrap(), storage.spool_file().unwrap());
        let long_ago = std::time::SystemTime::now() - Duration::from_hours(25);
        old.as_file().set_modified(long_ago).unwrap();
        storage.clean_up().unwrap();
        assert_eq!((old.path().exists(), new.path().exists()), (false, true));
    }

    #[tokio::test]
    async fn an_empty_file_is_not_kept() {
        let folder = tempfile::tempdir().unwrap();
        let storage = Storage::in_folder(folder.path()).unwrap();
        let upload = folder.path().join("upload");
        std::fs::write(&upload, b"").unwrap();
        assert!(matches!(storage.keep(&upload).await, Err(Error::Invalid(_))));
        assert_eq!(std::fs::read_dir(folder.path().join("uploads")).unwrap().count(), 0);
    }
}
