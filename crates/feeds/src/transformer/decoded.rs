//! A reader of text in the encoding that its XML declaration names, with a limit for each record.

use std::io::{self, BufRead, Read};

use encoding_rs::{Decoder, DecoderResult, Encoding, UTF_8, WINDOWS_1252};

/// The bytes in which a declaration is looked for.
const DECLARATION_BYTES: usize = 200;
const CHUNK_BYTES: usize = 16 << 10;

/// UTF-8 from a file in an encoding. It fails when a record is longer than its limit.
pub(super) struct DecodedReader<R> {
    inner: R,
    decoder: Decoder,
    text: Vec<u8>,
    position: usize,
    is_over: bool,
    record_max: usize,
    bytes_left: usize,
    line: u64,
}

impl<R: BufRead> DecodedReader<R> {
    /// Looks at the declaration; `None` if it names an encoding that is not read.
    pub(super) fn new(mut inner: R, record_max: usize) -> io::Result<Option<Self>> {
        let start = inner.fill_buf()?;
        let start = String::from_utf8_lossy(start.get(..DECLARATION_BYTES).unwrap_or(start)).into_owned();
        let Some(encoding) = declared(&start) else { return Ok(None) };
        Ok(Some(Self {
            inner,
            decoder: encoding.new_decoder_with_bom_removal(),
            text: Vec::new(),
            position: 0,
            is_over: false,
            record_max,
            bytes_left: record_max,
            line: 1,
        }))
    }

    /// Begins a record, which may be as long as the limit again.
    pub(super) fn begin_record(&mut self) {
        self.bytes_left = self.record_max;
    }

    pub(super) const fn line(&self) -> u64 {
        self.line
    }

    fn refill(&mut self) -> io::Result<()> {
        while self.position == self.text.len() && !self.is_over {
            let input = self.inner.fill_buf()?;
            let input = input.get(..CHUNK_BYTES).unwrap_or(input);
            self.is_over = input.is_empty();
            self.text.resize(CHUNK_BYTES * 3 + 16, 0);
            let (result, read, written) =
                self.decoder.decode_to_utf8_without_replacement(input, &mut self.text, self.is_over);
            self.inner.consume(read);
            self.text.truncate(written);
            self.position = 0;
            if let DecoderResult::Malformed(..) = result {
                return Err(io::ErrorKind::InvalidData.into());
            }
        }
        Ok(())
    }
}

/// The encoding of a document: that of its declaration, or else UTF-8.
fn declared(start: &str) -> Option<&'static Encoding> {
    let Some((_, rest)) = start.split_once("encoding=") else { return Some(UTF_8) };
    let quote = rest.chars().next().filter(|quote| matches!(quote, '"' | '\''))?;
    let label = rest.split(quote).nth(1)?;
    let encoding = Encoding::for_label(label.as_bytes())?;
    // others are either not found in such files or not readable byte by byte
    let is_western = encoding == UTF_8 || encoding == WINDOWS_1252 || encoding.is_single_byte();
    is_western.then_some(encoding)
}

impl<R: BufRead> BufRead for DecodedReader<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.refill()?;
        let available = self.text.get(self.position..).unwrap_or_default();
        if self.bytes_left == 0 && !available.is_empty() {
            return Err(io::ErrorKind::FileTooLarge.into());
        }
        Ok(available.get(..self.bytes_left).unwrap_or(available))
    }

    fn consume(&mut self, bytes: usize) {
        let consumed = self.text.get(self.position..self.position + bytes).unwrap_or_default();
        self.line += consumed.split(|byte| *byte == b'\n').skip(1).count() as u64;
        self.position += bytes;
        self.bytes_left -= bytes;
    }
}

impl<R: BufRead> Read for DecodedReader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let mut available = self.fill_buf()?;
        let read = available.read(buffer)?;
        self.consume(read);
        Ok(read)
    }
}
