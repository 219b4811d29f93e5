//! Physical lines of a text file, decoded as a stream: at most one line and one chunk are in memory.

use std::io::Read;

use encoding_rs::Decoder;
use values::{Error, Result};

use super::{ROW_BYTES, encoding::Encoding};
use crate::codes;

const CHUNK: usize = 64 * 1024;
/// Ctrl-Z, with which very old programs end a text file.
const END_OF_FILE: char = '\u{1A}';

/// Line with its terminator (`\r\n`, `\n` or `\r`; the last may have none) and its number in the file, from
/// 1.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Line {
    pub number: u32,
    pub text: String,
}

impl Line {
    /// Text and terminator.
    pub(super) fn parts(&self) -> (&str, &str) {
        let body = self.text.trim_end_matches(['\r', '\n']);
        self.text.split_at(body.len())
    }
}

/// Reader of lines.
pub(super) struct Lines<R> {
    source: R,
    decoder: Decoder,
    chunk: Vec<u8>,
    decoded: String,
    /// Start of the next line in `decoded`.
    start: usize,
    at_end: bool,
    number: u32,
}

impl<R: Read> Lines<R> {
    /// Creates a reader; `source` must be positioned after the byte order mark.
    pub(super) fn new(source: R, encoding: Encoding) -> Self {
        Self {
            source,
            decoder: encoding.decoder(),
            chunk: vec![0; CHUNK],
            decoded: String::new(),
            start: 0,
            at_end: false,
            number: 0,
        }
    }

    /// Reads the next line; a line that is longer than any row is an error.
    pub(super) fn next(&mut self) -> Result<Option<Line>> {
        let length = loop {
            match self.line_length() {
                Some(length) => break length,
                None if self.at_end => break self.rest().len(),
                None if self.rest().len() > ROW_BYTES => {
                    let refused = codes::LINE_TOO_LONG.with("line", self.number + 1);
                    return Err(refused.with("max", format!("{} MiB", ROW_BYTES >> 20)).into());
                }
                None => self.decode_more()?,
            }
        };
        if length == 0 {
            return Ok(None);
        }
        let text = self.rest().get(..length).unwrap_or_default().to_owned();
        self.start += length;
        self.number += 1;
        Ok(Some(Line { number: self.number, text }))
    }

    fn rest(&self) -> &str {
        self.decoded.get(self.start..).unwrap_or_default()
    }

    /// Length of the next line with its terminator; `None` if more text is needed to determine it.
    fn line_length(&self) -> Option<usize> {
        let rest = self.rest().as_bytes();
        let end = rest.iter().position(|byte| matches!(byte, b'\n' | b'\r'))?;
        match (rest.get(end), rest.get(end + 1)) {
            (Some(b'\r'), Some(b'\n')) => Some(end + 2),
            (Some(b'\r'), None) if !self.at_end => None,
            _ => Some(end + 1),
        }
    }

    fn decode_more(&mut self) -> Result<()> {
        self.decoded.drain(..self.start);
        self.start = 0;
        let byte_count = self.source.read(&mut self.chunk).map_err(Error::internal)?;
        self.at_end = byte_count == 0;
        let bytes = self.chunk.get(..byte_count).unwrap_or_default();
        self.decoded.reserve(self.decoder.max_utf8_buffer_length(byte_count).unwrap_or(3 * CHUNK));
        // Malformed bytes become U+FFFD and are refused with their row.
        let _ = self.decoder.decode_to_string(bytes, &mut self.decoded, self.at_end);
        if self.at_end {
            let length = self.decoded.trim_end_matches(END_OF_FILE).len();
            self.decoded.truncate(length.max(self.start));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::*;

    fn lines(bytes: impl AsRef<[u8]>, encoding: Encoding) -> Vec<String> {
        let mut lines = Lines::new(Cursor::new(bytes), encoding);
        std::iter::from_fn(|| lines.next().unwrap()).map(|line| line.text).collect()
    }

    #[test]
    fn each_of_the_three_terminators_ends_a_line_and_is_kept() {
        assert_eq!(lines("a\r\nb\nc\rd", Encoding::Utf8), ["a\r\n", "b\n", "c\r", "d"]);
        assert_eq!(lines("\n\n\r\n\r", Encoding::Utf8), ["\n", "\n", "\r\n", "\r"]);
        assert_eq!(lines("", Encoding::Utf8), [""; 0]);
    }

    #[test]
    fn a_terminator_split_across_two_chunks_counts_once() {
        for length in CHUNK - 3..CHUNK + 3 {
            let text = "x".repeat(length) + "\r\nnext";
            let actual = lines(&text, Encoding::Utf8);
            assert_eq!(actual.len(), 2, "{length}");
            assert_eq!(actual.concat(), text);
        }
    }

    #[test]
    fn utf16_is_decoded_across_chunks_and_half_a_character_is_marked() {
        let text = "Träger Ø 12 𝔸\n".repeat(9_999);
        let mut bytes = Vec::new();
        Encoding::Utf16LittleEndian.encode(&text, &mut bytes);
        assert_eq!(lines(&bytes, Encoding::Utf16LittleEndian).concat(), text);
        assert_eq!(lines(b"\0a\0", Encoding::Utf16BigEndian), ["a\u{FFFD}"]);
    }

    #[test]
    fn the_end_of_file_character_is_not_part_of_the_text() {
        for text in ["a;b\r\n\u{1A}", "a;b\r\n\u{1A}\u{1A}"] {
            assert_eq!(lines(text, Encoding::Utf8), ["a;b\r\n"]);
        }
        assert_eq!(lines("a;b\u{1A}", Encoding::Windows1252), ["a;b"]);
        assert_eq!(lines("\u{1A}", Encoding::Utf8), [""; 0]);
        assert_eq!(lines("a\u{1A}b\r\n", Encoding::Utf8), ["a\u{1A}b\r\n"], "elsewhere it is a character");
        let late = "x".repeat(CHUNK - 1) + "\n";
        assert_eq!(lines(late.clone() + "\u{1A}", Encoding::Utf8), [late]);
    }

    #[test]
    fn an_endless_line_is_refused_with_its_number() {
        let text = "a\nb\n".to_owned() + &"x".repeat(ROW_BYTES + CHUNK + 1);
        let mut lines = Lines::new(Cursor::new(text), Encoding::Utf8);
        assert!(lines.next().unwrap().is_some() && lines.next().unwrap().is_some());
        match lines.next().unwrap_err() {
            Error::Refused(message) => {
                assert_eq!(message, codes::LINE_TOO_LONG.with("line", 3).with("max", "1 MiB"));
            }
            other => panic!("{other}"),
        }
    }
}
