//! Storage of files under generated keys; a file is durable before its key is returned.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

use chrono::TimeDelta;
use futures_util::{StreamExt, TryStreamExt, stream::BoxStream};
use object_store::{
    MultipartUpload, ObjectStore, ObjectStoreExt, WriteMultipart, local::LocalFileSystem,
    path::Path as ObjectPath,
};
use sha2::{Digest, Sha256};
use tempfile::{NamedTempFile, TempPath};
use tokio::{
    fs::File,
    io::{AsyncReadExt, AsyncWriteExt},
    runtime::Handle,
};
use values::{Error, Result};

use crate::{
    bucket::{self, Bucket},
    codes,
};

/// Storage of files, with a folder for temporary ones.
#[derive(Debug, Clone)]
pub struct Storage {
    store: Arc<dyn ObjectStore>,
    /// Folder or address of the bucket.
    place: Arc<str>,
    /// True if files are reached over a network.
    is_remote: bool,
    spool: PathBuf,
    reserve: Reserve,
}

/// Capacity of a disk in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Room {
    pub total: u64,
    pub free: u64,
}

/// Part of the disk that stays free.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Reserve {
    /// A twentieth of the disk, but at most two GiB.
    #[default]
    Usual,
    Bytes(u64),
}

impl Reserve {
    fn is_exceeded(self, room: Room) -> bool {
        const AT_MOST: u64 = 2 << 30;
        let reserve = match self {
            Self::Usual => (room.total / 20).min(AT_MOST),
            Self::Bytes(bytes) => bytes,
        };
        room.free < reserve
    }
}

/// Stored file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredFile {
    pub key: String,
    pub size: u64,
    /// Hash in hexadecimal.
    pub sha256: String,
}

/// Size of the parts of a multipart upload: the smallest that S3 accepts.
const PART: usize = 5 << 20;
/// Number of parts that are uploaded at a time.
const PARTS_AT_ONCE: usize = 2;
/// Key of the file with the id of the installation.
const MARKER: &str = "installation/id";

/// Content of a file, in chunks.
pub type FileStream = BoxStream<'static, std::io::Result<Bytes>>;

impl Storage {
    /// Stores files in `uploads` below the folder, and temporary ones in `spool` beside it.
    pub fn in_folder(folder: &Path) -> Result<Self> {
        let uploads = folder.join("uploads");
        std::fs::create_dir_all(&uploads)?;
        let store = LocalFileSystem::new_with_prefix(&uploads).map_err(Error::file)?.with_fsync(true);
        Self::new(folder, Arc::new(store), &uploads.display().to_string(), false)
    }

    /// Stores files in a bucket, and temporary ones below the folder. Nothing is sent yet.
    pub fn in_bucket(folder: &Path, bucket: &Bucket) -> Result<Self> {
        Self::new(folder, bucket.open()?, &bucket.address.to_string(), true)
    }

    fn new(folder: &Path, store: Arc<dyn ObjectStore>, place: &str, is_remote: bool) -> Result<Self> {
        let spool = folder.join("spool");
        std::fs::create_dir_all(&spool)?;
        Ok(Self { store, place: place.into(), is_remote, spool, reserve: Reserve::default() })
    }

    /// Sets the part of the disk that stays free for data more important than files.
    #[must_use]
    pub fn with_reserve(self, reserve: Reserve) -> Self {
        Self { reserve, ..self }
    }

    /// Capacity and free space of the disk.
    pub fn room(&self) -> Result<Room> {
        let disk = rustix::fs::statvfs(&self.spool).map_err(std::io::Error::from)?;
        Ok(Room { total: disk.f_blocks * disk.f_frsize, free: disk.f_bavail * disk.f_frsize })
    }

    /// Rejects further files if the disk is nearly full: the rest is reserved for sign-ins and small changes.
    pub fn check_free_space(&self) -> Result<()> {
        if self.reserve.is_exceeded(self.room()?) { Err(codes::DISK_NEARLY_FULL.into()) } else { Ok(()) }
    }

    /// Deletes all temporary files; only for a process that is known to be alone.
    pub fn empty_spool(&self) -> std::io::Result<()> {
        for entry in std::fs::read_dir(&self.spool)? {
            std::fs::remove_file(entry?.path())?;
        }
        Ok(())
    }

    /// Folder or address of the bucket, for messages.
    pub fn place(&self) -> &str {
        &self.place
    }

    /// Key of the file with the id of the installation.
    pub fn marker_key(&self) -> &'static str {
        MARKER
    }

    /// Reads the id of the installation that the files belong to, if there is one.
    pub async fn marker(&self) -> Result<Option<String>> {
        let Some(content) = self.find(MARKER).await? else { return Ok(None) };
        let pieces: Vec<Bytes> = content.try_collect().await.map_err(|error| self.failed(error))?;
        Ok(Some(String::from_utf8_lossy(&pieces.concat()).trim().to_owned()))
    }

    /// Writes the id of the installation that the files belong to.
    pub async fn mark(&self, installation: &str) -> Result<()> {
        let content = installation.to_owned().into_bytes();
        self.store.put(&MARKER.into(), content.into()).await.map_err(|error| self.failed_call(error))?;
        Ok(())
    }

    /// Creates an empty temporary file, which is deleted when it is dropped.
    pub fn spool_file(&self) -> Result<NamedTempFile> {
        Ok(NamedTempFile::new_in(&self.spool)?)
    }

    /// Deletes temporary files that killed processes have left; none is needed for a day.
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

    /// Stores a copy of a file, which is durable when this returns.
    pub async fn store(&self, folder: &str, path: &Path) -> Result<StoredFile> {
        self.store_open(folder, File::open(path).await?).await
    }

    /// Same for an open file, from its beginning.
    pub async fn store_file(&self, folder: &str, file: std::fs::File) -> Result<StoredFile> {
        self.store_open(folder, File::from_std(file)).await
    }

    async fn store_open(&self, folder: &str, file: File) -> Result<StoredFile> {
        let key = fresh_key(folder);
        let (size, sha256) = self.write(&key, file).await?;
        Ok(StoredFile { key, size, sha256 })
    }

    /// Restores a file under its former key. It is durable when this returns.
    pub async fn restore(&self, key: &str, file: std::fs::File) -> Result<()> {
        self.write(key, File::from_std(file)).await.map(|_| ())
    }

    /// Writes a file, in parts if it is large; returns its size and hash.
    async fn write(&self, key: &str, mut file: File) -> Result<(u64, String)> {
        let failed = |error| self.failed_call(error);
        let (path, mut part) = (ObjectPath::from(key), read_part(&mut file).await?);
        if part.is_empty() {
            return Err(values::Violations::error("file", codes::FILE_EMPTY));
        }
        let (mut hash, mut size) = (Sha256::new_with_prefix(&part), part.len() as u64);
        if part.len() < PART {
            self.store.put(&path, part.into()).await.map_err(failed)?;
            return Ok((size, hex::encode(hash.finalize())));
        }
        let mut upload = Upload::new(self.store.put_multipart(&path).await.map_err(failed)?);
        loop {
            upload.add(part.into()).await.map_err(failed)?;
            part = read_part(&mut file).await?;
            if part.is_empty() {
                break;
            }
            hash.update(&part);
            size += part.len() as u64;
        }
        upload.finish().await.map_err(failed)?;
        Ok((size, hex::encode(hash.finalize())))
    }

    /// Stores bytes and returns their key. They are durable when this returns.
    pub async fn store_bytes(&self, folder: &str, bytes: Vec<u8>) -> Result<String> {
        let key = fresh_key(folder);
        let stored = self.store.put(&key.as_str().into(), bytes.into()).await;
        stored.map_err(|error| self.failed_call(error))?;
        Ok(key)
    }

    /// Reads a file; `None` if there is none with this key.
    pub async fn find(&self, key: &str) -> Result<Option<FileStream>> {
        match self.store.get(&key.into()).await {
            Ok(object) => Ok(Some(object.into_stream().map_err(std::io::Error::other).boxed())),
            Err(error @ object_store::Error::NotFound { .. }) if !bucket::lacks_bucket(&error) => Ok(None),
            Err(error) => Err(self.failed_call(error)),
        }
    }

    /// Reads a stored file.
    ///
    /// # Errors
    /// [`codes::STORED_FILE_MISSING`] if the file is missing, for example because several processes do not
    /// share their files.
    pub async fn read(&self, key: &str) -> Result<FileStream> {
        self.find(key).await?.ok_or_else(|| {
            tracing::error!(
                key,
                place = self.place(),
                "a file is missing: do all processes share their files?"
            );
            codes::STORED_FILE_MISSING.into()
        })
    }

    /// Copies a stored file to the local disk, where it stays until it is dropped.
    pub async fn fetch(&self, key: &str) -> Result<TempPath> {
        Ok(self.fetch_hashed(key).await?.0)
    }

    /// Same, and checks that the file is unchanged.
    ///
    /// # Errors
    /// [`codes::FILE_CHANGED`] if it is not.
    pub async fn fetch_unchanged(&self, key: &str, sha256: &str) -> Result<TempPath> {
        let (path, actual_sha256) = self.fetch_hashed(key).await?;
        if actual_sha256 != sha256 {
            return Err(codes::FILE_CHANGED.into());
        }
        Ok(path)
    }

    async fn fetch_hashed(&self, key: &str) -> Result<(TempPath, String)> {
        let path = self.spool_file()?.into_temp_path();
        let mut file = File::create(&path).await?;
        let (mut content, mut hash) = (self.read(key).await?, Sha256::new());
        while let Some(bytes) = content.try_next().await.map_err(|error| self.failed(error))? {
            hash.update(&bytes);
            file.write_all(&bytes).await?;
        }
        file.flush().await?;
        Ok((path, hex::encode(hash.finalize())))
    }

    /// Deletes a file that nothing refers to. If that fails, the only harm is a superfluous file.
    pub async fn discard(&self, key: &str) {
        if let Err(error) = self.store.delete(&key.into()).await {
            tracing::warn!(%error, key, "a file that is not needed stays behind");
        }
    }

    /// Keys of the files in a folder that are at least a day old, so that a row would refer to them by now.
    pub async fn keys_older_than_a_day(&self, folder: &str) -> Result<Vec<String>> {
        let before = values::now() - TimeDelta::days(1);
        let files = self.store.list(Some(&folder.into()));
        let settled = files.try_filter(|file| std::future::ready(file.last_modified < before));
        let keys = settled.map_ok(|file| file.location.to_string()).try_collect().await;
        keys.map_err(|error| self.failed_call(error))
    }

    /// Keys of all files.
    pub async fn keys(&self) -> Result<Vec<String>> {
        let keys = self.store.list(None).map_ok(|file| file.location.to_string()).try_collect().await;
        keys.map_err(|error| self.failed_call(error))
    }

    fn failed_call(&self, error: object_store::Error) -> Error {
        if self.is_remote { Error::FilesAway(bucket::reason(&error)) } else { Error::file(error) }
    }

    /// Converts an error that occurred while reading a file.
    fn failed(&self, error: std::io::Error) -> Error {
        if self.is_remote { Error::FilesAway(error.to_string()) } else { error.into() }
    }
}

/// Maximum time that parts in transit get before their upload is aborted.
const ARRIVES_WITHIN: Duration = Duration::from_secs(2);

/// Multipart upload. It is aborted if it is dropped before it is complete.
struct Upload(Option<WriteMultipart>);

impl Upload {
    fn new(parts: Box<dyn MultipartUpload>) -> Self {
        Self(Some(WriteMultipart::new_with_chunk_size(parts, PART)))
    }

    async fn add(&mut self, bytes: Bytes) -> object_store::Result<()> {
        if let Some(parts) = &mut self.0 {
            parts.wait_for_capacity(PARTS_AT_ONCE).await?;
            parts.put(bytes);
        }
        Ok(())
    }

    async fn finish(mut self) -> object_store::Result<()> {
        if let Some(parts) = &mut self.0 {
            parts.wait_for_capacity(0).await?;
        }
        match self.0.take() {
            Some(parts) => parts.finish().await.map(|_| ()),
            None => Ok(()),
        }
    }
}

impl Drop for Upload {
    fn drop(&mut self) {
        let (Some(mut parts), Ok(runtime)) = (self.0.take(), Handle::try_current()) else { return };
        runtime.spawn(async move {
            // A part that arrives after the abort could stay behind.
            let arrived = async { while parts.wait_for_capacity(0).await.is_err() {} };
            let _ = tokio::time::timeout(ARRIVES_WITHIN, arrived).await;
            if let Err(error) = parts.abort().await {
                tracing::warn!(%error, "the parts of a file that was not stored stay behind");
            }
        });
    }
}

/// Reads the next part of a file; only the last one is shorter.
async fn read_part(file: &mut File) -> Result<Vec<u8>> {
    let mut part = Vec::new();
    file.take(PART as u64).read_to_end(&mut part).await?;
    Ok(part)
}

/// SHA-256 in hexadecimal.
pub fn sha256(bytes: &[u8]) -> String {
    hex::encode(Sha256::digest(bytes))
}

fn fresh_key(folder: &str) -> String {
    format!("{folder}/{}", uuid::Uuid::now_v7())
}

pub use object_store::PutPayload;
/// Chunk of a file.
pub type Bytes = <PutPayload as IntoIterator>::Item;

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_file_is_stored_and_read_back_completely() {
        let folder = tempfile::tempdir().unwrap();
        let storage = Storage::in_folder(folder.path()).unwrap();
        let content: Vec<u8> = (0..3_000_000_u32).map(|index| index.to_le_bytes()[0]).collect();
        let upload = folder.path().join("upload");
        std::fs::write(&upload, &content).unwrap();

        let stored = storage.store("imports", &upload).await.unwrap();
        assert_eq!(stored.size, content.len() as u64);
        assert_eq!(stored.sha256.len(), 64);
        assert_eq!(storage.store("imports", &upload).await.unwrap().sha256, stored.sha256);
        let fetched = storage.fetch(&stored.key).await.unwrap();
        assert_eq!(std::fs::read(&fetched).unwrap(), content);

        storage.discard(&stored.key).await;
        assert!(storage.fetch(&stored.key).await.is_err());
    }

    #[test]
    fn spooled_files_are_deleted_after_a_day() {
        let folder = tempfile::tempdir().unwrap();
        let storage = Storage::in_folder(folder.path()).unwrap();
        let (old, new) = (storage.spool_file().unwrap(), storage.spool_file().unwrap());
        let long_ago = std::time::SystemTime::now() - Duration::from_hours(25);
        old.as_file().set_modified(long_ago).unwrap();
        storage.clean_up().unwrap();
        assert_eq!((old.path().exists(), new.path().exists()), (false, true));
    }

    #[tokio::test]
    async fn keys_older_than_a_day_are_listed() {
        let folder = tempfile::tempdir().unwrap();
        let storage = Storage::in_folder(folder.path()).unwrap();
        assert_eq!(storage.keys_older_than_a_day("images").await.unwrap(), Vec::<String>::new());
        let old = storage.store_bytes("images", b"old".to_vec()).await.unwrap();
        storage.store_bytes("images", b"new".to_vec()).await.unwrap();
        storage.store_bytes("imports", b"else".to_vec()).await.unwrap();
        let file = std::fs::File::open(folder.path().join("uploads").join(&old)).unwrap();
        file.set_modified(std::time::SystemTime::now() - Duration::from_hours(25)).unwrap();
        assert_eq!(storage.keys_older_than_a_day("images").await.unwrap(), [old]);
    }

    #[test]
    fn the_reserve_is_a_twentieth_of_the_disk_but_at_most_two_gigabytes() {
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
            assert_eq!(reserve.is_exceeded(Room { total, free }), touched, "{reserve:?} {total} {free}");
        }
    }

    #[test]
    fn files_are_refused_if_the_disk_is_nearly_full() {
        let folder = tempfile::tempdir().unwrap();
        let storage = Storage::in_folder(folder.path()).unwrap();
        let room = storage.room().unwrap();
        assert!(0 < room.free && room.free < room.total);
        let keeping = |bytes| storage.clone().with_reserve(Reserve::Bytes(bytes)).check_free_space();
        keeping(0).unwrap();
        assert!(
            matches!(keeping(u64::MAX), Err(Error::Refused(message)) if message.code == codes::DISK_NEARLY_FULL)
        );
    }

    #[tokio::test]
    async fn an_empty_file_is_not_stored() {
        let folder = tempfile::tempdir().unwrap();
        let storage = Storage::in_folder(folder.path()).unwrap();
        let upload = folder.path().join("upload");
        std::fs::write(&upload, b"").unwrap();
        assert!(matches!(storage.store("imports", &upload).await, Err(Error::Invalid(_))));
        assert_eq!(std::fs::read_dir(folder.path().join("uploads")).unwrap().count(), 0);
    }
}
