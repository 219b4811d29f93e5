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
    uploads: PathBuf,
    spool: PathBuf,
    reserve: Reserve,
}

/// What a disk holds, in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Room {
    pub total: u64,
    pub free: u64,
}

/// How much of the disk is kept free.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Reserve {
    /// A twentieth of it, but not more than two GiB.
    #[default]
    Usual,
    Bytes(u64),
}

impl Reserve {
    fn is_touched(self, room: Room) -> bool {
        const AT_MOST: u64 = 2 << 30;
        let kept = match self {
            Self::Usual => (room.total / 20).min(AT_MOST),
            Self::Bytes(bytes) => bytes,
        };
        room.free < kept
    }
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
            std::fs::create_dir_all(folder)?;
        }
        let store = LocalFileSystem::new_with_prefix(&uploads).map_err(Error::file)?.with_fsync(true);
        Ok(Self { store: Arc::new(store), uploads, spool, reserve: Reserve::default() })
    }

    /// Keeps so much free for what matters more than files.
    #[must_use]
    pub fn with_reserve(self, reserve: Reserve) -> Self {
        Self { reserve, ..self }
    }

    /// How much the disk holds and how much of it is free, in bytes.
    pub fn room(&self) -> Result<Room> {
        let disk = rustix::fs::statvfs(&self.spool).map_err(std::io::Error::from)?;
        Ok(Room { total: disk.f_blocks * disk.f_frsize, free: disk.f_bavail * disk.f_frsize })
    }

    /// Refuses to take in more when the disk is nearly full: what is left is for signing in and for small changes.
    pub fn admit(&self) -> Result<()> {
        if self.reserve.is_touched(self.room()?) { Err(Code::DiskNearlyFull.into()) } else { Ok(()) }
    }

    /// Removes everything that is in transit; for a process that is known to be alone.
    pub fn empty_spool(&self) -> std::io::Result<()> {
        for entry in std::fs::read_dir(&self.spool)? {
            std::fs::remove_file(entry?.path())?;
        }
        Ok(())
    }

    /// The folder below which files are kept by their keys.
    pub fn folder(&self) -> &Path {
        &self.uploads
    }

    /// An empty file that goes when it is dropped.
    pub fn spool_file(&self) -> Result<NamedTempFile> {
        Ok(NamedTempFile::new_in(&self.spool)?)
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
        self.keep_from(folder, File::open(path).await?).await
    }

    /// The same of an open file, from its beginning.
    pub async fn keep_file(&self, folder: &str, file: std::fs::File) -> Result<Stored> {
        self.keep_from(folder, File::from_std(file)).await
    }

    async fn keep_from(&self, folder: &str, mut file: File) -> Result<Stored> {
        let key = fresh_key(folder);
        let mut writer = BufWriter::new(self.store.clone(), key.as_str().into());
        let (mut hash, mut size) = (Sha256::new(), 0);
        let mut chunk = vec![0; CHUNK];
        loop {
            let read = file.read(&mut chunk).await?;
            let bytes = chunk.get(..read).unwrap_or_default();
            if bytes.is_empty() {
                break;
            }
            hash.update(bytes);
            size += bytes.len() as u64;
            writer.write_all(bytes).await?;
        }
        if size == 0 {
            return Err(kernel::Violations::of("file", Code::FileEmpty));
        }
        writer.shutdown().await?;
        let sha256 = hex::encode(hash.finalize());
        Ok(Stored { key, size, sha256 })
    }

    /// Keeps bytes; their key. They are durable when this returns.
    pub async fn keep_bytes(&self, folder: &str, bytes: Vec<u8>) -> Result<String> {
        let key = fresh_key(folder);
        self.store.put(&key.as_str().into(), bytes.into()).await.map_err(Error::file)?;
        Ok(key)
    }

    /// The bytes of a kept file.
    ///
    /// # Errors
    /// [`Code::StoredFileMissing`] of a file that is not here: several processes that do not share their files look so.
    pub async fn read(&self, key: &str) -> Result<BoxStream<'static, std::io::Result<Bytes>>> {
        match self.store.get(&key.into()).await {
            Ok(object) => Ok(object.into_stream().map_err(std::io::Error::other).boxed()),
            Err(error @ object_store::Error::NotFound { .. }) => {
                tracing::error!(key, %error, "a file is not here: do all processes share the data folder?");
                Err(Code::StoredFileMissing.into())
            }
            Err(error) => Err(Error::file(error)),
        }
    }

    /// A kept file as one on the local disk, for as long as it is needed.
    pub async fn fetch(&self, key: &str) -> Result<TempPath> {
        Ok(self.fetch_hashed(key).await?.0)
    }

    /// The same of a file that must be as it was kept.
    ///
    /// # Errors
    /// [`Code::FileChanged`]
    pub async fn fetch_unchanged(&self, key: &str, sha256: &str) -> Result<TempPath> {
        let (path, found) = self.fetch_hashed(key).await?;
        if found != sha256 {
            return Err(Code::FileChanged.into());
        }
        Ok(path)
    }

    async fn fetch_hashed(&self, key: &str) -> Result<(TempPath, String)> {
        let path = self.spool_file()?.into_temp_path();
        let mut file = File::create(&path).await?;
        let object = self.store.get(&key.into()).await.map_err(Error::file)?;
        let (mut bytes, mut hash) = (object.into_stream().map_err(std::io::Error::other), Sha256::new());
        while let Some(bytes) = bytes.try_next().await? {
            hash.update(&bytes);
            file.write_all(&bytes).await?;
        }
        file.flush().await?;
        Ok((path, hex::encode(hash.finalize())))
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
        settled.map_ok(|file| file.location.to_string()).try_collect().await.map_err(Error::file)
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

    #[test]
    fn a_twentieth_of_a_disk_is_kept_free_but_not_more_than_two_gigabytes() {
        const GIB: u64 = 1 << 30;
        for (reserve, total, free, touched) in [
            (Reserve::Usual, 100, 5, false),
            (Reserve::Usual, 100, 4, true),
            (Reserve::Usual, 1000 * GIB, 2 * GIB, false),
            (Reserve::Usual, 1000 * GIB, 2 * GIB - 1, true),
            (Reserve::Bytes(50), 100, 50, false),
            (Reserve::Bytes(50), 100, 49, true),
            (Reserve::Bytes(0), 100, 0, false),
        ] {
            assert_eq!(reserve.is_touched(Room { total, free }), touched, "{reserve:?} {total} {free}");
        }
    }

    #[test]
    fn nothing_is_taken_in_when_the_disk_is_nearly_full() {
        let folder = tempfile::tempdir().unwrap();
        let storage = Storage::in_folder(folder.path()).unwrap();
        let room = storage.room().unwrap();
        assert!(0 < room.free && room.free < room.total);
        let keeping = |bytes| storage.clone().with_reserve(Reserve::Bytes(bytes)).admit();
        keeping(0).unwrap();
        assert!(
            matches!(keeping(u64::MAX), Err(Error::Refused(message)) if message.code == Code::DiskNearlyFull)
        );
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
