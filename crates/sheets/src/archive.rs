//! Zip container of a workbook. Its claimed sizes are checked before anything is unpacked, and enforced while
//! unpacking.

use std::{
    fs::File,
    io::{self, BufReader, Read, Seek, SeekFrom},
};

use values::{Error, Result};
use zip::{ZipArchive, read::ZipFile, result::ZipError};

use crate::codes;

const MAX_PARTS: usize = 200;
const MAX_PART: u64 = 200 << 20;
const MAX_TOTAL: u64 = 300 << 20;
/// Maximum compression ratio beyond the first MiB; no real data is compressed that far.
const MAX_RATIO: u64 = 200;
const RATIO_COUNTS_FROM: u64 = 1 << 20;

/// End record of a zip file: its signature, the length that is inspected, and the longest comment after it.
const END_SIGNATURE: [u8; 4] = *b"PK\x05\x06";
const END_LENGTH: u64 = 22;
const MAX_COMMENT: u64 = u16::MAX as u64;

/// Zip file whose claims are within the limits.
pub(super) struct Archive {
    zip: ZipArchive<BufReader<File>>,
}

/// Part of a zip file, unpacked while it is read, up to its claimed size.
pub(super) struct Part<'a> {
    packed: ZipFile<'a, BufReader<File>>,
    remaining: u64,
}

impl Archive {
    pub(super) fn open(mut file: File) -> Result<Self> {
        if claimed_parts(&mut file).map_err(Error::internal)? > MAX_PARTS {
            return Err(codes::FILE_BOMB.into());
        }
        let mut zip = ZipArchive::new(BufReader::new(file)).map_err(damaged)?;
        check_claims(&mut zip)?;
        Ok(Self { zip })
    }

    /// Returns the part of this name, ignoring case and the spelling of its path.
    pub(super) fn part(&mut self, name: &str) -> Result<Option<Part<'_>>> {
        let normalised_name = normalised(name);
        let has_name = |index: &usize| {
            let name = self.zip.name_for_index(*index);
            matches!(name, Some(Ok(name)) if normalised(&name) == normalised_name)
        };
        let position = (0..self.zip.len()).find(has_name);
        let Some(index) = position else { return Ok(None) };
        let packed = self.zip.by_index(index).map_err(damaged)?;
        let remaining = packed.size();
        Ok(Some(Part { packed, remaining }))
    }
}

impl Read for Part<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.packed.read(buffer)?;
        self.remaining =
            self.remaining.checked_sub(count as u64).ok_or_else(|| io::Error::other("more than claimed"))?;
        Ok(count)
    }
}

/// Normalises a name in a zip file for comparison: lower case, no leading slash, forward slashes.
fn normalised(name: &str) -> String {
    name.trim_start_matches('/').replace('\\', "/").to_lowercase()
}

/// Highest number of parts that any end record of the file claims. It is checked first, because the directory
/// is read into memory by that number.
fn claimed_parts(file: &mut File) -> io::Result<usize> {
    let length = file.seek(SeekFrom::End(0))?;
    file.seek(SeekFrom::Start(length.saturating_sub(END_LENGTH + MAX_COMMENT)))?;
    let mut end = Vec::new();
    file.read_to_end(&mut end)?;
    file.rewind()?;
    let claims = end
        .windows(12)
        .filter(|window| window.starts_with(&END_SIGNATURE))
        .filter_map(|record| record.last_chunk::<2>().map(|count| usize::from(u16::from_le_bytes(*count))));
    Ok(claims.max().unwrap_or(0))
}

fn check_claims(zip: &mut ZipArchive<BufReader<File>>) -> Result<()> {
    if zip.len() > MAX_PARTS {
        return Err(codes::FILE_BOMB.into());
    }
    let mut total: u64 = 0;
    for index in 0..zip.len() {
        let part = zip.by_index_raw(index).map_err(damaged)?;
        if part.encrypted() {
            return Err(codes::FILE_ENCRYPTED.into());
        }
        total = total.saturating_add(part.size());
        let too_tight = part.size() > RATIO_COUNTS_FROM && part.size() / MAX_RATIO > part.compressed_size();
        if part.size() > MAX_PART || total > MAX_TOTAL || too_tight {
            return Err(codes::FILE_BOMB.into());
        }
    }
    Ok(())
}

fn damaged(error: ZipError) -> Error {
    match error {
        ZipError::Io(error) if error.raw_os_error().is_some() => Error::internal(error),
        ZipError::UnsupportedArchive(_) | ZipError::CompressionMethodNotSupported(_) => {
            codes::FILE_UNREADABLE.into()
        }
        _ => codes::FILE_DAMAGED.with("line", 1).into(),
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use zip::{CompressionMethod, ZipWriter, write::SimpleFileOptions};

    use super::*;
    use values::Code;

    fn file(bytes: &[u8]) -> File {
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(bytes).unwrap();
        file.rewind().unwrap();
        file
    }

    fn zipped(parts: impl IntoIterator<Item = (String, Vec<u8>)>) -> Vec<u8> {
        let mut zip = ZipWriter::new(io::Cursor::new(Vec::new()));
        let options = SimpleFileOptions::default().compression_method(CompressionMethod::Deflated);
        for (name, content) in parts {
            zip.start_file(name, options).unwrap();
            zip.write_all(&content).unwrap();
        }
        zip.finish().unwrap().into_inner()
    }

    fn refused(bytes: &[u8]) -> Option<Code> {
        match Archive::open(file(bytes)) {
            Ok(_) => None,
            Err(Error::Refused(message)) => Some(message.code),
            Err(other) => panic!("{other}"),
        }
    }

    /// Text that compresses badly.
    fn noise(length: usize) -> Vec<u8> {
        let mut state = 1_u32;
        let mut next = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            state.to_be_bytes()[0]
        };
        (0..length).map(|_| next()).collect()
    }

    #[test]
    fn an_ordinary_archive_opens_and_its_parts_are_found_by_any_spelling() {
        let bytes = zipped([("xl/Workbook.xml".to_owned(), b"content".to_vec())]);
        let mut archive = Archive::open(file(&bytes)).unwrap();
        for name in ["xl/workbook.xml", "/xl/workbook.xml", "XL\\Workbook.xml"] {
            let mut text = String::new();
            archive.part(name).unwrap().unwrap().read_to_string(&mut text).unwrap();
            assert_eq!(text, "content");
        }
        assert!(archive.part("xl/other.xml").unwrap().is_none());
    }

    #[test]
    fn zip_bombs_are_refused_by_declared_sizes_and_part_counts() {
        let part = |length: usize| vec![b'<'; length];
        let name = |index: usize| format!("{index}.xml");
        assert_eq!(refused(&zipped([(name(1), part(64 << 20))])), Some(codes::FILE_BOMB), "ratio");
        assert_eq!(refused(&zipped([(name(1), part(1 << 20))])), None, "small parts may be packed tightly");
        assert_eq!(
            refused(&zipped((0..201).map(|index| (name(index), part(1))))),
            Some(codes::FILE_BOMB),
            "parts"
        );
        assert_eq!(
            refused(&zipped((0..70_000).map(|index| (name(index), part(0))))),
            Some(codes::FILE_BOMB),
            "zip64"
        );
        let loose = [noise(2 << 20), part((201 << 20) - (2 << 20))].concat();
        assert_eq!(refused(&zipped([(name(1), loose)])), Some(codes::FILE_BOMB), "one part");
        let loose = [noise(2 << 20), part(100 << 20)].concat();
        let three = (0..3).map(|index| (name(index), loose.clone()));
        assert_eq!(refused(&zipped(three)), Some(codes::FILE_BOMB), "in total");
    }

    #[test]
    fn a_part_longer_than_declared_is_not_unpacked() {
        let mut bytes = zipped([("a.xml".to_owned(), vec![b'<'; 1 << 19])]);
        // The claimed length is in the directory entry, 24 bytes after its signature.
        let entry = bytes.windows(4).rposition(|window| window == b"PK\x01\x02").unwrap();
        bytes[entry + 24..entry + 28].copy_from_slice(&1_000_u32.to_le_bytes());
        let mut archive = Archive::open(file(&bytes)).unwrap();
        let mut part = archive.part("a.xml").unwrap().unwrap();
        assert!(io::copy(&mut part, &mut io::sink()).is_err());
    }

    #[test]
    fn invalid_zip_files_are_reported_as_damaged() {
        let whole = zipped([("a.xml".to_owned(), noise(10_000))]);
        for bytes in
            [&b""[..], b"PK", b"PK\x03\x04rest", &whole[..whole.len() / 2], &whole[..whole.len() - 1]]
        {
            assert_eq!(refused(bytes), Some(codes::FILE_DAMAGED), "{} bytes", bytes.len());
        }
    }
}
