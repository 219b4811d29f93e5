//! Compound files, the container that office programs used before zip: old workbooks, and new ones behind a password.

use std::{
    fs::File,
    io::{self, Read, Seek},
};

use kernel::Code;

/// How every compound file begins.
pub(super) const SIGNATURE: &[u8] = b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1";

/// The streams by which it shows what it is, and what is said then. A compound file is never read, so that it is enough that
/// the name of a stream occurs.
const STREAMS: [(&str, Code); 3] = [
    ("EncryptedPackage", Code::FileEncrypted),
    ("Workbook", Code::FileOldExcel),
    // of Excel 5 and 95
    ("Book", Code::FileOldExcel),
];

const CHUNK: usize = 64 * 1024;

/// What is said of a compound file.
pub(super) fn what(file: &mut File) -> io::Result<Code> {
    let names = STREAMS.map(|(name, code)| (as_written(name), code));
    let mut found = Code::FileUnreadable;
    file.rewind()?;
    // The end of the chunk before is looked at again: a name may lie across.
    let (mut window, mut best) = (Vec::new(), names.len());
    let longest = names.iter().map(|(name, _)| name.len()).max().unwrap_or_default();
    loop {
        let start = window.len();
        file.by_ref().take(CHUNK as u64).read_to_end(&mut window)?;
        if window.len() == start {
            return Ok(found);
        }
        for (rank, (name, code)) in names.iter().enumerate().take(best) {
            if window.windows(name.len()).any(|bytes| bytes == name) {
                (best, found) = (rank, *code);
                break;
            }
        }
        window.drain(..window.len().saturating_sub(longest));
    }
}

/// The name of a stream as the directory has it, with what follows it.
fn as_written(name: &str) -> Vec<u8> {
    name.encode_utf16().chain([0]).flat_map(u16::to_le_bytes).collect()
}
