//! Archive: a ZIP file, so that it can be inspected by hand. Its last entry is the manifest; without one it
//! is incomplete.

use std::{
    fs::File,
    io::{self, BufReader, BufWriter, Read, Seek, Write},
    path::Path,
};

use storage::Storage;
use values::{Error, Result};
use zip::{CompressionMethod, ZipArchive, ZipWriter, read::ZipFile, write::SimpleFileOptions};

use super::{FILES, FORMAT, Manifest, sync_folder};

const MANIFEST: &str = "manifest.json";

pub(super) struct Writer(ZipWriter<BufWriter<File>>);

impl Writer {
    /// Creates a file that only its owner can read.
    pub(super) fn create(path: &Path) -> Result<Self> {
        let mut options = File::options();
        options.write(true).create(true).truncate(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let file = options.open(path)?;
        Ok(Self(ZipWriter::new(BufWriter::new(file))))
    }

    /// Adds the content of a reader; returns its size in bytes.
    pub(super) fn add(&mut self, name: &str, mut content: impl Read) -> Result<u64> {
        self.begin(name)?;
        Ok(io::copy(&mut content, &mut self.0)?)
    }

    /// Begins an entry; everything written from now on is its content.
    pub(super) fn begin(&mut self, name: &str) -> Result<()> {
        let options =
            SimpleFileOptions::default().compression_method(CompressionMethod::Deflated).large_file(true);
        self.0.start_file(name, options).map_err(Error::file)
    }

    pub(super) fn write(&mut self, bytes: &[u8]) -> Result<()> {
        Ok(self.0.write_all(bytes)?)
    }

    /// Writes the manifest and flushes everything to disk.
    pub(super) fn finish(mut self, manifest: &Manifest) -> Result<()> {
        let text = serde_json::to_vec_pretty(manifest).map_err(Error::internal)?;
        self.add(MANIFEST, text.as_slice())?;
        let file = self.0.finish().map_err(Error::file)?;
        Ok(file.into_inner().map_err(io::IntoInnerError::into_error)?.sync_all()?)
    }
}

pub(super) struct Archive(ZipArchive<BufReader<File>>);

impl Archive {
    pub(super) fn open(path: &Path) -> Result<Self> {
        let file =
            File::open(path).map_err(|error| Error::internal(format!("{}: {error}", path.display())))?;
        let archive = ZipArchive::new(BufReader::new(file));
        Ok(Self(archive.map_err(|error| damaged(&error))?))
    }

    /// Reads everything and compares all checksums.
    pub(super) fn verify(&mut self) -> Result<Manifest> {
        let mut text = Vec::new();
        self.entry(MANIFEST)?.read_to_end(&mut text)?;
        let manifest: Manifest = serde_json::from_slice(&text).map_err(|error| damaged(&error))?;
        if manifest.format != FORMAT {
            return Err(Error::internal(format!(
                "the backup has the format {}, not {FORMAT}",
                manifest.format
            )));
        }
        let mut files = 0;
        for index in 0..self.0.len() {
            let mut entry = self.0.by_index(index).map_err(|error| damaged(&error))?;
            let file = name_of(&entry)?.starts_with(FILES);
            io::copy(&mut entry, &mut io::sink()).map_err(|error| damaged(&error))?;
            files += usize::from(file);
        }
        if files != manifest.files {
            return Err(Error::internal("the backup is damaged: files are missing"));
        }
        Ok(manifest)
    }

    pub(super) fn entry(&mut self, name: &str) -> Result<impl Read> {
        self.0.by_name(name).map_err(|error| damaged(&error))
    }

    /// Stores the files under their original keys. Each is durable when this returns.
    pub(super) async fn restore_files(&mut self, storage: &Storage) -> Result<()> {
        for index in 0..self.0.len() {
            let Some((key, file)) = self.unpack_file(index, storage)? else { continue };
            storage.restore(&key, file).await?;
        }
        Ok(())
    }

    /// Unpacks an entry into the spool if it is a file; returns its key and its content.
    fn unpack_file(&mut self, index: usize, storage: &Storage) -> Result<Option<(String, File)>> {
        let mut entry = self.0.by_index(index).map_err(|error| damaged(&error))?;
        let name = name_of(&entry)?;
        let Some(key) = name.strip_prefix(FILES) else { return Ok(None) };
        if !is_key(key) {
            return Err(Error::internal(format!("the backup is damaged: {key} is no name of a file")));
        }
        let mut file = storage.spool_file()?.into_file();
        io::copy(&mut entry, &mut file)?;
        file.rewind()?;
        Ok(Some((key.to_owned(), file)))
    }
}

/// Writes an entry to disk.
pub(super) fn unpack(entry: &mut impl Read, path: &Path) -> Result<()> {
    let mut file = File::create_new(path)?;
    io::copy(entry, &mut file)?;
    file.sync_all()?;
    sync_folder(path)
}

fn name_of(entry: &ZipFile<'_, BufReader<File>>) -> Result<String> {
    Ok(entry.name().map_err(|error| damaged(&error))?.into_owned())
}

fn damaged(error: &impl std::fmt::Display) -> Error {
    Error::internal(format!("the backup is damaged: {error}"))
}

/// True for keys of our own form, `imports/0197…`: others could lead out of the folder.
pub(super) fn is_key(key: &str) -> bool {
    let plain = |part: &str| {
        !part.is_empty()
            && part.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_')
    };
    key.split_once('/').is_some_and(|(folder, name)| plain(folder) && plain(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_keys_below_their_folder_are_accepted() {
        assert!(is_key("imports/0197a5c2-7b1e-7cc0-8000-000000000000"));
        for bad in ["", "x", "/x", "x/", "../x", "x/..", "x/y/z", "x/y.z", "x\\y/z", "C:/x"] {
            assert!(!is_key(bad), "{bad}");
        }
    }
}
