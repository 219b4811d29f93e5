//! Files: under names of our own, on disk before anybody is told that they are there.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

use chrono::TimeDelta;
use futures_util::{StreamExt, TryStreamExt, stream::BoxStream};
use kernel::{Code, Error, Result};
use object_store::{ObjectStore, ObjectStoreExt, buffered::BufWriter, local::LocalFileSystem};
use sha2::{Digest, Sha256};
use tempfile::{NamedTempFile, TempPath};
use tokio::{
    fs::File,
    io::{AsyncReadExt, AsyncWriteExt},
};

/// Where files are kept, and a folder for files that are only needed for a while.
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
    pub async fn keep(&self, folder: &str, path: &Path) -> Result<Stored> {
        let key = fresh_key(folder);
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

    /// Keeps bytes; their key. They are durable when this returns.
    pub async fn keep_bytes(&self, folder: &str, bytes: Vec<u8>) -> Result<String> {
        let key = fresh_key(folder);
        self.store.put(&key.as_str().into(), bytes.into()).await.map_err(Error::internal)?;
        Ok(key)
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

    /// Forgets a file that nothing refers to. Should that fail, it is no harm but a file too many.
    pub async fn discard(&self, key: &str) {
        if let Err(error) = self.store.delete(&key.into()).await {
            tracing::warn!(%error, key, "a file that is not needed stays behind");
        }
    }

    /// The keys of files in a folder that have been kept for a day: long enough for whoever kept them to refer to them.
    pub async fn settled(&self, folder: &str) -> Result<Vec<String>> {
        let before = kernel::now() - TimeDelta::days(1);
        let files = self.store.list(Some(&folder.into()));
        let settled = files.try_filter(|file| std::future::ready(file.last_modified < before));
        settled.map_ok(|file| file.location.to_string()).try_collect().await.map_err(Error::internal)
    }
}

/// Hexadecimal.
pub fn sha256(bytes: &[u8]) -> String {
    hex::encode(Sha256::digest(bytes))
}

fn fresh_key(folder: &str) -> String {
    format!("{folder}/{}", uuid::Uuid::now_v7())
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

        let stored = storage.keep("imports", &upload).await.unwrap();
        assert_eq!(stored.size, content.len() as u64);
        assert_eq!(stored.sha256.len(), 64);
        assert_eq!(storage.keep("imports", &upload).await.unwrap().sha256, stored.sha256);
        let fetched = storage.fetch(&stored.key).await.unwrap();
        assert_eq!(std::fs::read(&fetched).unwrap(), content);

        storage.discard(&stored.key).await;
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
    async fn bytes_settle_after_a_day() {
        let folder = tempfile::tempdir().unwrap();
        let storage = Storage::in_folder(folder.path()).unwrap();
        assert_eq!(storage.settled("images").await.unwrap(), Vec::<String>::new());
        let old = storage.keep_bytes("images", b"old".to_vec()).await.unwrap();
        storage.keep_bytes("images", b"new".to_vec()).await.unwrap();
        storage.keep_bytes("imports", b"else".to_vec()).await.unwrap();
        let file = std::fs::File::open(folder.path().join("uploads").join(&old)).unwrap();
        file.set_modified(std::time::SystemTime::now() - Duration::from_hours(25)).unwrap();
        assert_eq!(storage.settled("images").await.unwrap(), [old]);
    }

    #[tokio::test]
    async fn an_empty_file_is_not_kept() {
        let folder = tempfile::tempdir().unwrap();
        let storage = Storage::in_folder(folder.path()).unwrap();
        let upload = folder.path().join("upload");
        std::fs::write(&upload, b"").unwrap();
        assert!(matches!(storage.keep("imports", &upload).await, Err(Error::Invalid(_))));
        assert_eq!(std::fs::read_dir(folder.path().join("uploads")).unwrap().count(), 0);
    }
}
