//! Compound files, the container of office programs before zip: old workbooks, and new ones with a password.

use std::{
    fs::File,
    io::{self, Read, Seek},
};

use values::Code;

use crate::codes;

/// First bytes of every compound file.
pub(super) const SIGNATURE: &[u8] = b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1";

/// Streams that identify the kind of file, with the error for each. A compound file is never parsed; it is
/// enough that the name of a stream occurs.
const STREAMS: [(&str, Code); 3] = [
    ("EncryptedPackage", codes::FILE_ENCRYPTED),
    ("Workbook", codes::FILE_OLD_EXCEL),
    // Excel 5 and 95
    ("Book", codes::FILE_OLD_EXCEL),
];

const CHUNK: usize = 64 * 1024;

/// Error for a compound file, by its kind.
pub(super) fn error_code(file: &mut File) -> io::Result<Code> {
    let names = STREAMS.map(|(name, code)| (as_written(name), code));
    let mut result = codes::FILE_UNREADABLE;
    file.rewind()?;
    // The end of the previous chunk is searched again, since a name may span two chunks.
    let (mut window, mut best) = (Vec::new(), names.len());
    let longest = names.iter().map(|(name, _)| name.len()).max().unwrap_or_default();
    loop {
        let start = window.len();
        file.by_ref().take(CHUNK as u64).read_to_end(&mut window)?;
        if window.len() == start {
            return Ok(result);
        }
        for (rank, (name, code)) in names.iter().enumerate().take(best) {
            if window.windows(name.len()).any(|bytes| bytes == name) {
                (best, result) = (rank, *code);
                break;
            }
        }
        window.drain(..window.len().saturating_sub(longest));
    }
}

/// Name of a stream as the directory stores it: UTF-16 with a terminating zero.
fn as_written(name: &str) -> Vec<u8> {
    name.encode_utf16().chain([0]).flat_map(u16::to_le_bytes).collect()
}
