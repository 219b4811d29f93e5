//! Catalogue of the transformers that can be chosen, each with a version and samples of input and output.

use values::{Phrase, Result};

use super::{Conversion, convert, datanorm};
use crate::{
    codes,
    settings::fields::{FileKind, Transformer},
};

/// Transformer in the list that users choose from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TransformerEntry {
    pub transformer: Transformer,
    /// Incremented when a change makes the same file produce a different table.
    pub version: u32,
    pub title: Phrase,
    /// The kinds of files that it reads.
    pub file_kinds: &'static [FileKind],
    /// For each sample its title, its bytes and, for stocks, the element with the quantity.
    samples: &'static [(&'static str, &'static [u8], Option<&'static str>)],
}

/// A file, and the table that it becomes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TransformerSample {
    pub title: &'static str,
    pub input: String,
    /// A CSV file with the headings of imports.
    pub output: String,
}

/// All transformers, in the order in which they are offered.
pub const TRANSFORMERS: [TransformerEntry; 4] = [
    TransformerEntry {
        transformer: Transformer::Standard,
        version: 1,
        title: Phrase { de: "Stalhof-Standard (CSV, XLSX)", en: "Stalhof standard (CSV, XLSX)" },
        file_kinds: &FileKind::ALL,
        samples: &[],
    },
    TransformerEntry {
        transformer: Transformer::ImportProfile,
        version: 1,
        title: Phrase { de: "Importprofil", en: "Import profile" },
        file_kinds: &FileKind::ALL,
        samples: &[],
    },
    TransformerEntry {
        transformer: Transformer::Datanorm,
        version: 2,
        title: Phrase { de: "DATANORM 4 und 5", en: "DATANORM 4 and 5" },
        file_kinds: &[FileKind::Price],
        samples: &[
            ("DATANORM 4", include_bytes!("samples/datanorm4.001"), None),
            ("DATANORM 5", include_bytes!("samples/datanorm5.001"), None),
        ],
    },
    TransformerEntry {
        transformer: Transformer::Bmecat,
        version: 3,
        title: Phrase { de: "BMEcat 1.2 und 2005", en: "BMEcat 1.2 and 2005" },
        file_kinds: &FileKind::ALL,
        samples: &[
            ("BMEcat 1.2", include_bytes!("samples/bmecat12.xml"), None),
            ("BMEcat 2005", include_bytes!("samples/bmecat2005.xml"), None),
            ("BMEcat 2005, UDX.NORD.STOCK", include_bytes!("samples/bmecat2005.xml"), Some("UDX.NORD.STOCK")),
        ],
    },
];

impl TransformerEntry {
    /// Returns the samples with their tables; none for tables that are read as they are.
    pub fn samples(&self) -> Result<Vec<TransformerSample>> {
        let Some(format) = self.transformer.price_format() else { return Ok(Vec::new()) };
        let conversion = |element: Option<&str>| match element {
            None => Conversion::from(format),
            Some(element) => Conversion::BmecatStocks { quantity_element: element.to_owned() },
        };
        let samples = self.samples.iter();
        samples.map(|(title, file, element)| sample(&conversion(*element), title, file)).collect()
    }
}

fn sample(conversion: &Conversion, title: &'static str, file: &[u8]) -> Result<TransformerSample> {
    let mut csv = Vec::new();
    convert(conversion, file, &mut csv)?;
    let output = String::from_utf8(csv).map_err(|_| codes::INVALID_CHARACTERS)?;
    let output = output.trim_start_matches('\u{feff}').to_owned();
    Ok(TransformerSample { title, input: datanorm::decode(file), output })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_transformer_is_in_the_catalog_with_readable_samples() {
        assert_eq!(TRANSFORMERS.map(|entry| entry.transformer), Transformer::ALL);
        for entry in TRANSFORMERS {
            let samples = entry.samples().unwrap();
            assert_eq!(samples.is_empty(), entry.transformer.price_format().is_none());
            for sample in samples {
                assert!(sample.input.contains("äger") || sample.input.contains("IPE"), "{}", sample.input);
                assert!(sample.output.lines().count() > 1, "{}", sample.output);
                assert!(sample.output.starts_with("\"Externe Artikelnummer\""), "{}", sample.output);
            }
            let takes_stocks = entry.file_kinds.contains(&FileKind::Stock);
            assert_eq!(takes_stocks, entry.transformer != Transformer::Datanorm);
        }
    }
}
