//! Recognition of files by their first bytes: text, workbook or JSON document, or a reason to refuse the file.

use std::{
    fs::File,
    io::{Read, Seek},
};

use values::{Error, Result};

use crate::{codes, compound, foreign, json};

/// Kind of a file that is read.
pub(crate) enum Kind {
    Text,
    Xlsx,
    Json,
}

impl Kind {
    /// Recognises the kind of a file by its first bytes. A text file has hardly any control characters; a picture
    /// or a program has many.
    pub(crate) fn recognise(file: &mut File) -> Result<Self> {
        let mut start = Vec::new();
        file.by_ref().take(4096).read_to_end(&mut start).map_err(Error::internal)?;
        file.rewind().map_err(Error::internal)?;
        let marked = [b"\xFF\xFE", b"\xFE\xFF"].iter().any(|mark| start.starts_with(*mark));
        let is_control =
            |byte: &&u8| byte.is_ascii_control() && !matches!(byte, b'\t' | b'\n' | b'\r' | 0x1A);
        let controls = start.iter().filter(is_control).count();
        if start.starts_with(b"PK") {
            Ok(Self::Xlsx)
        } else if start.starts_with(compound::SIGNATURE) {
            Err(compound::error_code(file).map_err(Error::internal)?.into())
        } else if !marked && is_utf16(&start) {
            Err(codes::FILE_UTF16.into())
        } else if let Some(code) = foreign::recognise(&start) {
            Err(code.into())
        } else if !marked && controls * 50 > start.len() {
            Err(codes::FILE_UNREADABLE.into())
        } else if json::is_document(&start) {
            Ok(Self::Json)
        } else {
            Ok(Self::Text)
        }
    }
}

/// True if every second byte, and hardly any other, is zero, as in UTF-16 of Latin letters.
fn is_utf16(start: &[u8]) -> bool {
    let zeros = |first: usize| start.iter().skip(first).step_by(2).filter(|byte| **byte == 0).count();
    let (low, high) = (zeros(0), zeros(1));
    let (few, many) = (low.min(high), low.max(high));
    many * 4 > start.len() && few * 50 < start.len()
}
