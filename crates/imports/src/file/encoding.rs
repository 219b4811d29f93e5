//! Encodings of text files: a byte order mark decides, then whether all bytes are UTF-8, then the old code pages.

use std::io::{self, Read, Seek};

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{
    Decoder, DecoderResult, EncoderResult, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1250, WINDOWS_1252,
};

/// How a text file is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Encoding {
    Utf8,
    Utf8WithMark,
    Utf16LittleEndian,
    Utf16BigEndian,
    /// The code page of Windows in Central Europe.
    Windows1250,
    /// The code page of Windows in Western Europe: what a spreadsheet program writes as "CSV" there.
    Windows1252,
}

const CHUNK: usize = 64 * 1024;

impl Encoding {
    /// The encoding of a whole file. Reads all of it where there is no byte order mark, a chunk at a time; the position
    /// afterwards is undefined.
    pub(super) fn detect(file: &mut (impl Read + Seek)) -> io::Result<Self> {
        let mut start = Vec::new();
        file.take(3).read_to_end(&mut start)?;
        for marked in [Self::Utf8WithMark, Self::Utf16LittleEndian, Self::Utf16BigEndian] {
            if start.starts_with(marked.mark()) {
                return Ok(marked);
            }
        }
        file.rewind()?;
        if is_utf8(file)? {
            return Ok(Self::Utf8);
        }
        file.rewind()?;
        code_page(file)
    }

    /// The byte order mark.
    pub(super) fn mark(self) -> &'static [u8] {
        match self {
            Self::Utf8WithMark => b"\xEF\xBB\xBF",
            Self::Utf16LittleEndian => b"\xFF\xFE",
            Self::Utf16BigEndian => b"\xFE\xFF",
            Self::Utf8 | Self::Windows1250 | Self::Windows1252 => b"",
        }
    }

    /// Decodes what follows the byte order mark.
    pub(super) fn decoder(self) -> Decoder {
        self.standard().new_decoder_without_bom_handling()
    }

    /// Appends the text in this encoding; what the encoding does not have becomes a question mark.
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
            let (result, read) = encoder.encode_from_utf8_to_vec_without_replacement(text, bytes, true);
            text = text.get(read..).unwrap_or_default();
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

fn is_utf8(file: &mut impl Read) -> io::Result<bool> {
    let mut decoder = UTF_8.new_decoder_without_bom_handling();
    let mut text = String::with_capacity(CHUNK + 16);
    for_each_chunk(file, |mut bytes, last| {
        loop {
            text.clear();
            match decoder.decode_to_string_without_replacement(bytes, &mut text, last) {
                (DecoderResult::InputEmpty, _) => return true,
                (DecoderResult::Malformed(..), _) => return false,
                (DecoderResult::OutputFull, read) => bytes = bytes.get(read..).unwrap_or_default(),
            }
        }
    })
}

/// Western Europe unless the text clearly is Central European: with the hint "de" even short cells such as `Ø 12` are
/// not mistaken for another code page, and of the rest no guess is trusted.
fn code_page(file: &mut impl Read) -> io::Result<Encoding> {
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
    for_each_chunk(file, |bytes, last| {
        detector.feed(bytes, last);
        true
    })?;
    let guess = detector.guess(Some(b"de"), Utf8Detection::Deny);
    Ok(if guess == WINDOWS_1250 { Encoding::Windows1250 } else { Encoding::Windows1252 })
}

/// Calls `take` with each chunk and whether it is the last, for as long as that is wanted; whether it was to the end.
fn for_each_chunk(file: &mut impl Read, mut take: impl FnMut(&[u8], bool) -> bool) -> io::Result<bool> {
    let mut chunk = vec![0; CHUNK];
    loop {
        let read = file.read(&mut chunk)?;
        let bytes = chunk.get(..read).unwrap_or_default();
        if !take(bytes, read == 0) {
            return Ok(false);
        }
        if read == 0 {
            return Ok(true);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::*;

    fn detected(bytes: &[u8]) -> Encoding {
        Encoding::detect(&mut Cursor::new(bytes)).unwrap()
    }

    #[test]
    fn a_byte_order_mark_decides() {
        assert_eq!(detected(b"\xEF\xBB\xBFArtikel"), Encoding::Utf8WithMark);
        assert_eq!(detected(b"\xFF\xFEA\0"), Encoding::Utf16LittleEndian);
        assert_eq!(detected(b"\xFE\xFF\0A"), Encoding::Utf16BigEndian);
    }

    #[test]
    fn without_a_mark_valid_utf8_is_utf8_wherever_its_first_umlaut_stands() {
        let late = "a".repeat(CHUNK - 1) + "ä";
        for text in ["", "Artikel", "Träger", &late, &(late.clone() + &late)] {
            assert_eq!(detected(text.as_bytes()), Encoding::Utf8);
        }
        let cut = &late.as_bytes()[..late.len() - 1];
        assert_eq!(detected(cut), Encoding::Windows1252, "a cut character is not UTF-8");
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
    fn what_an_encoding_lacks_becomes_a_question_mark() {
        let mut bytes = Vec::new();
        Encoding::Windows1252.encode("Ø 12 ≤ 日本", &mut bytes);
        assert_eq!(bytes, b"\xD8 12 ? ??");
    }

    #[test]
    fn text_comes_back_in_every_encoding() {
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
