//! Encodings of text files: first the byte order mark decides, then the validity of the bytes as UTF-8, then
//! the old code pages are tried.
//!
//! A file that is UTF-8 except for some places is read as UTF-8: its broken rows are refused, and all others
//! are read correctly. Read in an old code page, in which all bytes are valid, every umlaut would silently
//! become two wrong characters.

use std::io::{self, Read, Seek, SeekFrom};

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{
    Decoder, DecoderResult, EncoderResult, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1250, WINDOWS_1252,
};

/// Encoding of a text file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Encoding {
    Utf8,
    Utf8WithMark,
    Utf16LittleEndian,
    Utf16BigEndian,
    /// Code page of Windows in Central Europe.
    Windows1250,
    /// Code page of Windows in Western Europe, in which spreadsheet programs write "CSV" there.
    Windows1252,
}

/// Detected encoding of a whole file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct DetectedEncoding {
    pub encoding: Encoding,
    /// Number of places that are invalid in this encoding.
    pub broken: u64,
}

const CHUNK: usize = 64 * 1024;

impl DetectedEncoding {
    /// Reads the whole file in chunks; the position afterwards is undefined.
    pub(super) fn in_file(file: &mut (impl Read + Seek)) -> io::Result<Self> {
        let mut start = Vec::new();
        file.take(3).read_to_end(&mut start)?;
        let marked = [Encoding::Utf8WithMark, Encoding::Utf16LittleEndian, Encoding::Utf16BigEndian]
            .into_iter()
            .find(|marked| start.starts_with(marked.mark()));
        file.seek(SeekFrom::Start(marked.map_or(0, |marked| marked.mark().len() as u64)))?;
        let encoding = marked.unwrap_or(Encoding::Utf8);
        let stats = ByteStats::count(file, encoding)?;
        let broken = stats.broken;
        if marked.is_some() || stats.is_plausible() {
            return Ok(Self { encoding, broken });
        }
        file.rewind()?;
        Ok(Self { encoding: code_page(file)?, broken: 0 })
    }
}

impl DetectedEncoding {
    /// Uses the chosen encoding; for UTF-8 with the byte order mark if the file has one.
    pub(super) fn chosen(file: &mut (impl Read + Seek), encoding: Encoding) -> io::Result<Self> {
        let mut start = Vec::new();
        file.take(3).read_to_end(&mut start)?;
        let is_marked = encoding == Encoding::Utf8 && start.starts_with(Encoding::Utf8WithMark.mark());
        Ok(Self { encoding: if is_marked { Encoding::Utf8WithMark } else { encoding }, broken: 0 })
    }
}

impl Encoding {
    /// Name for people.
    pub fn name(self) -> &'static str {
        match self {
            Self::Utf8WithMark => "UTF-8 (BOM)",
            other => other.old_name().unwrap_or("UTF-8"),
        }
    }

    /// Name of an encoding that people should no longer use; `None` for UTF-8.
    pub(super) fn old_name(self) -> Option<&'static str> {
        match self {
            Self::Utf8 | Self::Utf8WithMark => None,
            Self::Utf16LittleEndian | Self::Utf16BigEndian => Some("UTF-16"),
            Self::Windows1250 => Some("Windows-1250"),
            Self::Windows1252 => Some("Windows-1252"),
        }
    }

    /// True if a text is misread: it has a broken place, or in an old code page two characters that are one
    /// in UTF-8, such as `Ã¤` for `ä`.
    pub(super) fn misreads(self, text: &str) -> bool {
        if text.is_ascii() {
            return false;
        }
        if text.contains('\u{FFFD}') {
            return true;
        }
        if !matches!(self, Self::Windows1250 | Self::Windows1252) {
            return false;
        }
        let mut bytes = Vec::new();
        self.encode_single_bytes(text, &mut bytes);
        bytes.windows(2).any(|pair| matches!(pair, [0xC2 | 0xC3, 0x80..=0xBF]))
    }

    /// Byte order mark.
    pub(super) fn mark(self) -> &'static [u8] {
        match self {
            Self::Utf8WithMark => b"\xEF\xBB\xBF",
            Self::Utf16LittleEndian => b"\xFF\xFE",
            Self::Utf16BigEndian => b"\xFE\xFF",
            Self::Utf8 | Self::Windows1250 | Self::Windows1252 => b"",
        }
    }

    /// Decoder for the bytes after the byte order mark.
    pub(super) fn decoder(self) -> Decoder {
        self.standard().new_decoder_without_bom_handling()
    }

    /// Appends the text in this encoding; characters that it does not have become question marks.
    pub(super) fn encode(self, text: &str, bytes: &mut Vec<u8>) {
        match self {
            Self::Utf8 | Self::Utf8WithMark => bytes.extend_from_slice(text.as_bytes()),
            Self::Utf16LittleEndian => bytes.extend(text.encode_utf16().flat_map(u16::to_le_bytes)),
            Self::Utf16BigEndian => bytes.extend(text.encode_utf16().flat_map(u16::to_be_bytes)),
            Self::Windows1250 | Self::Windows1252 => self.encode_single_bytes(text, bytes),
        }
    }

    fn encode_single_bytes(self, mut text: &str, bytes: &mut Vec<u8>) {
        let mut encoder = self.standard().new_encoder();
        loop {
            bytes.reserve(text.len() + 1);
            let (result, byte_count) = encoder.encode_from_utf8_to_vec_without_replacement(text, bytes, true);
            text = text.get(byte_count..).unwrap_or_default();
            match result {
                EncoderResult::InputEmpty => return,
                EncoderResult::OutputFull => {}
                EncoderResult::Unmappable(_) => bytes.push(b'?'),
            }
        }
    }

    fn standard(self) -> &'static encoding_rs::Encoding {
        match self {
            Self::Utf8 | Self::Utf8WithMark => UTF_8,
            Self::Utf16LittleEndian => UTF_16LE,
            Self::Utf16BigEndian => UTF_16BE,
            Self::Windows1250 => WINDOWS_1250,
            Self::Windows1252 => WINDOWS_1252,
        }
    }
}

/// Count of the non-ASCII characters of a file that are valid in an encoding.
#[derive(Default)]
struct ByteStats {
    /// Valid characters.
    whole: u64,
    /// Common ones among them that no text of an old code page contains by chance: there they would be `Ã¤`
    /// or `â€“`.
    evidence: u64,
    /// Invalid places.
    broken: u64,
}

impl ByteStats {
    /// True if the file is in this encoding despite its broken places. Rows that are wrongly read as UTF-8
    /// are refused, but rows that are wrongly read in a code page would be imported. So a tenth of the
    /// non-ASCII characters is enough evidence, if these are common ones.
    fn is_plausible(&self) -> bool {
        self.evidence.saturating_mul(10) >= self.broken || self.whole / 10 >= self.broken
    }

    fn count(file: &mut impl Read, encoding: Encoding) -> io::Result<Self> {
        let mut stats = Self::default();
        let mut decoder = encoding.decoder();
        let mut text = String::with_capacity(2 * CHUNK);
        for_each_chunk(file, |mut bytes, last| {
            loop {
                text.clear();
                let (result, byte_count) =
                    decoder.decode_to_string_without_replacement(bytes, &mut text, last);
                // Each non-ASCII character has exactly one leading byte.
                stats.whole += text.bytes().filter(|byte| *byte >= 0xC0).count() as u64;
                stats.evidence +=
                    text.bytes().filter(|byte| matches!(byte, 0xC2 | 0xC3 | 0xE2)).count() as u64;
                match result {
                    DecoderResult::InputEmpty => return,
                    DecoderResult::Malformed(..) => stats.broken += 1,
                    DecoderResult::OutputFull => {}
                }
                bytes = bytes.get(byte_count..).unwrap_or_default();
            }
        })?;
        Ok(stats)
    }
}

/// Detects the code page: Western Europe unless the text clearly is Central European. With the hint "de" even
/// short cells such as `Ø 12` are not mistaken for another code page; all other guesses are ignored.
fn code_page(file: &mut impl Read) -> io::Result<Encoding> {
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
    for_each_chunk(file, |bytes, last| {
        detector.feed(bytes, last);
    })?;
    let guess = detector.guess(Some(b"de"), Utf8Detection::Deny);
    Ok(if guess == WINDOWS_1250 { Encoding::Windows1250 } else { Encoding::Windows1252 })
}

/// Calls `take` with each chunk, and with true for the last one, which is empty.
fn for_each_chunk(file: &mut impl Read, mut take: impl FnMut(&[u8], bool)) -> io::Result<()> {
    let mut chunk = vec![0; CHUNK];
    loop {
        let byte_count = file.read(&mut chunk)?;
        take(chunk.get(..byte_count).unwrap_or_default(), byte_count == 0);
        if byte_count == 0 {
            return Ok(());
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::*;

    fn looked_at(bytes: impl AsRef<[u8]>) -> DetectedEncoding {
        DetectedEncoding::in_file(&mut Cursor::new(bytes)).unwrap()
    }

    fn detected(bytes: &[u8]) -> Encoding {
        looked_at(bytes).encoding
    }

    #[test]
    fn the_encoding_is_detected_from_most_of_the_file() {
        use Encoding::{Utf8, Utf8WithMark, Utf16BigEndian, Utf16LittleEndian, Windows1252};
        let before = "a".repeat(CHUNK - 1);
        let row = "Träger;Länge\r\n";
        let old = b"Tr\xE4ger;L\xE4nge\r\n";
        let cut = |text: &str| text.as_bytes()[..text.len() - 1].to_vec();
        for (what, bytes, encoding, broken) in [
            ("nothing", Vec::new(), Utf8, 0),
            ("ASCII", b"Artikel;12,5".to_vec(), Utf8, 0),
            ("UTF-8", row.into(), Utf8, 0),
            ("UTF-8 across two chunks", (before.clone() + "ä").into(), Utf8, 0),
            ("UTF-8 late", (before.repeat(3) + row).into(), Utf8, 0),
            ("UTF-8 with a mark", b"\xEF\xBB\xBFArtikel".to_vec(), Utf8WithMark, 0),
            ("with a mark and a broken byte", b"\xEF\xBB\xBFArtikel\xE4".to_vec(), Utf8WithMark, 1),
            ("UTF-8 with one broken byte", [row.as_bytes(), b"\xFF\r\n"].concat(), Utf8, 1),
            ("UTF-8 with a broken byte first", [b"\xFF;", row.as_bytes()].concat(), Utf8, 1),
            (
                "broken at the border of chunks",
                [before.as_bytes(), b"\xC3;", row.as_bytes()].concat(),
                Utf8,
                1,
            ),
            ("UTF-8 with many broken bytes", [row.repeat(9).as_bytes(), &old.repeat(9)].concat(), Utf8, 18),
            ("UTF-8 that ends within a character", cut(&(row.to_owned() + "ä")), Utf8, 1),
            ("Windows-1252", old.to_vec(), Windows1252, 0),
            ("Windows-1252 late", [before.as_bytes(), old].concat(), Windows1252, 0),
            ("some UTF-8 in Windows-1252", [&old.repeat(9), row.as_bytes()].concat(), Utf8, 18),
            ("hardly any UTF-8 in Windows-1252", [&old.repeat(11), row.as_bytes()].concat(), Windows1252, 0),
            ("Windows-1252 that is UTF-8 by chance", b"\x84gro\xDF\x93, \xD8\xB1 2".to_vec(), Windows1252, 0),
            ("UTF-8 of another script", ["Труба;".repeat(9).as_bytes(), b"\xE4"].concat(), Utf8, 1),
            ("a single byte in ASCII may be anything", cut(&(before + "ä")), Windows1252, 0),
            ("UTF-16, little end first", b"\xFF\xFEA\0\xE4\0".to_vec(), Utf16LittleEndian, 0),
            ("UTF-16, big end first", b"\xFE\xFF\0A\0\xE4".to_vec(), Utf16BigEndian, 0),
            ("UTF-16 that ends within a character", b"\xFF\xFEA\0\xE4".to_vec(), Utf16LittleEndian, 1),
            ("UTF-16 with half a pair", b"\xFF\xFE\0\xD8A\0".to_vec(), Utf16LittleEndian, 1),
        ] {
            assert_eq!(looked_at(bytes), DetectedEncoding { encoding, broken }, "{what}");
        }
    }

    #[test]
    fn texts_in_another_encoding_than_their_file_are_detected() {
        for (encoding, text, misread) in [
            (Encoding::Utf8, "Träger", false),
            (Encoding::Utf8, "Tr\u{FFFD}ger", true),
            (Encoding::Utf8, "TrÃ¤ger", false),
            (Encoding::Windows1252, "TrÃ¤ger", true),
            (Encoding::Windows1252, "GrÃ¶ÃŸe", true),
            (Encoding::Windows1252, "Â½ Zoll", true),
            (Encoding::Windows1252, "Träger, Größe, 100 µm, ½ Zoll, – „groß“", false),
            (Encoding::Windows1252, "São Paulo, Ãlter, Â", false),
            (Encoding::Windows1250, "TrĂ¤ger", true),
            (Encoding::Windows1250, "Łódź, Träger", false),
            (Encoding::Utf16LittleEndian, "TrÃ¤ger", false),
        ] {
            assert_eq!(encoding.misreads(text), misread, "{text} in {encoding:?}");
        }
    }

    #[test]
    fn short_german_cells_are_western_european() {
        for text in [
            "Ø 12",
            "100 µm",
            "Träger",
            "Stück;Größe",
            "m²",
            "±0,5 mm",
            "½ Zoll",
            "Rohr 1/2\" – 6 m",
            "€/t",
            "é",
        ] {
            let mut bytes = Vec::new();
            Encoding::Windows1252.encode(text, &mut bytes);
            assert_eq!(detected(&bytes), Encoding::Windows1252, "{text}");
        }
    }

    #[test]
    fn characters_that_an_encoding_lacks_become_question_marks() {
        let mut bytes = Vec::new();
        Encoding::Windows1252.encode("Ø 12 ≤ 日本", &mut bytes);
        assert_eq!(bytes, b"\xD8 12 ? ??");
    }

    #[test]
    fn text_is_encoded_and_decoded_in_utf8_utf16_and_windows_1252() {
        let text = "Träger; Ø 12 – „groß“ 1 €";
        for encoding in [
            Encoding::Utf8,
            Encoding::Utf8WithMark,
            Encoding::Utf16LittleEndian,
            Encoding::Utf16BigEndian,
            Encoding::Windows1252,
        ] {
            let mut bytes = Vec::new();
            encoding.encode(text, &mut bytes);
            let mut decoded = String::with_capacity(200);
            let _ = encoding.decoder().decode_to_string(&bytes, &mut decoded, true);
            assert_eq!(decoded, text, "{encoding:?}");
        }
    }
}
