//! XML parts of a workbook, event by event, with a limit on the size of each stretch of XML.

use std::io::{self, BufRead, BufReader, Read};

use quick_xml::{
    Reader, XmlVersion,
    escape::resolve_predefined_entity,
    events::{BytesRef, BytesStart, Event},
};
use values::{Error, Result};

use super::archive::Part;
use crate::codes;

/// Maximum depth of elements in a workbook.
const MAX_DEPTH: usize = 64;

/// Part that is being read.
pub(super) struct Xml<'a> {
    reader: Reader<Stretch<BufReader<Part<'a>>>>,
    buffer: Vec<u8>,
    depth: usize,
    /// Line of the sheet for errors.
    pub line: u32,
}

/// Reader that fails once a stretch is exceeded, until it is renewed.
struct Stretch<R> {
    inner: R,
    remaining: usize,
}

#[derive(Debug)]
struct StretchExceeded;

impl<'a> Xml<'a> {
    /// Creates a reader that reads at most `stretch` bytes before [`Xml::renew`] is called.
    pub(super) fn new(part: Part<'a>, stretch: usize) -> Self {
        let mut reader = Reader::from_reader(Stretch {
            inner: BufReader::with_capacity(1 << 16, part),
            remaining: stretch,
        });
        reader.config_mut().expand_empty_elements = true;
        Self { reader, buffer: Vec::new(), depth: 0, line: 1 }
    }

    /// Allows another stretch.
    pub(super) fn renew(&mut self, stretch: usize) {
        self.reader.get_mut().remaining = stretch;
    }

    pub(super) fn next(&mut self) -> Result<Event<'_>> {
        self.buffer.clear();
        let event = match self.reader.read_event_into(&mut self.buffer) {
            Ok(event) => event,
            Err(error) => return Err(refused(&error, self.line)),
        };
        match event {
            Event::Start(_) => self.depth += 1,
            Event::End(_) => self.depth -= 1,
            Event::DocType(_) => return Err(codes::FILE_UNREADABLE.into()),
            _ => {}
        }
        if self.depth > MAX_DEPTH { Err(codes::FILE_BOMB.into()) } else { Ok(event) }
    }

    /// Appends the text up to the end of the element that was just opened.
    pub(super) fn text(&mut self, text: &mut String) -> Result<()> {
        loop {
            let line = self.line;
            match self.next()? {
                Event::Text(part) => text.push_str(&part.xml10_content()),
                Event::CData(part) => text.push_str(&part.xml10_content()),
                Event::GeneralRef(reference) => {
                    push_reference(&reference, text).ok_or_else(|| damaged(line))?;
                }
                Event::Start(_) => self.skip()?,
                Event::End(_) => return Ok(()),
                Event::Eof => return Err(damaged(line)),
                _ => {}
            }
        }
    }

    /// Appends the text of a string item: its runs without the reading aids of East Asian scripts.
    pub(super) fn string_item(&mut self, text: &mut String) -> Result<()> {
        let mut depth = 0;
        loop {
            let line = self.line;
            match self.next()? {
                Event::Start(element) => match name(&element) {
                    "t" => self.text(text)?,
                    "rPh" => self.skip()?,
                    _ => depth += 1,
                },
                Event::End(_) if depth == 0 => return Ok(()),
                Event::End(_) => depth -= 1,
                Event::Eof => return Err(damaged(line)),
                _ => {}
            }
        }
    }

    /// Skips to the end of the element that was just opened.
    pub(super) fn skip(&mut self) -> Result<()> {
        let outside = self.depth - 1;
        while self.depth > outside {
            if matches!(self.next()?, Event::Eof) {
                return Err(damaged(self.line));
            }
        }
        Ok(())
    }

    /// Unpacks the rest, which shows if the part is complete.
    pub(super) fn finish(&mut self) -> Result<()> {
        let rest = &mut self.reader.get_mut().inner;
        io::copy(rest, &mut io::sink()).map(|_| ()).map_err(|_| damaged(self.line))
    }
}

/// Local name of an element.
pub(super) fn name<'e>(element: &'e BytesStart<'_>) -> &'e str {
    element.local_name().into_inner()
}

/// Attribute by its local name.
pub(super) fn attribute(element: &BytesStart<'_>, attribute_name: &str) -> Option<String> {
    let attribute = element
        .attributes()
        .with_checks(false)
        .filter_map(Result::ok)
        .find(|attribute| attribute.key.local_name().into_inner() == attribute_name)?;
    attribute.normalized_value(XmlVersion::Implicit1_0).ok().map(std::borrow::Cow::into_owned)
}

pub(super) fn damaged(line: u32) -> Error {
    codes::FILE_DAMAGED.with("line", line).into()
}

fn push_reference(reference: &BytesRef<'_>, text: &mut String) -> Option<()> {
    match reference.resolve_char_ref().ok()? {
        Some(character) => text.push(character),
        None => text.push_str(resolve_predefined_entity(reference)?),
    }
    Some(())
}

fn refused(error: &quick_xml::Error, line: u32) -> Error {
    match error {
        quick_xml::Error::Io(cause)
            if cause.get_ref().is_some_and(<dyn std::error::Error + Send + Sync>::is::<StretchExceeded>) =>
        {
            codes::FILE_BOMB.into()
        }
        _ => damaged(line),
    }
}

impl<R: BufRead> BufRead for Stretch<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        let buffered = self.inner.fill_buf()?;
        if self.remaining == 0 && !buffered.is_empty() {
            return Err(io::Error::other(StretchExceeded));
        }
        Ok(buffered.get(..self.remaining).unwrap_or(buffered))
    }

    fn consume(&mut self, bytes: usize) {
        self.remaining -= bytes;
        self.inner.consume(bytes);
    }
}

impl<R: BufRead> Read for Stretch<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let mut available = self.fill_buf()?;
        let count = available.read(buffer)?;
        self.consume(count);
        Ok(count)
    }
}

impl std::fmt::Display for StretchExceeded {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("one stretch of XML is longer than any cell")
    }
}

impl std::error::Error for StretchExceeded {}
