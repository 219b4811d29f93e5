//! A kind of files as settings describe it, saved or entered.

use imports::import_type::ImportType;

use super::{
    FtpSettings, FtpSettingsInput,
    fields::{FileKind, PriceFile, StockFile, Transformer},
};
use crate::transformer::Conversion;

/// The files of a kind: their names, and the way in which they are read.
#[derive(Debug, Clone, Copy)]
pub struct FileSource<'a> {
    pub is_enabled: bool,
    /// The pattern of their names.
    pub file_name: Option<&'a str>,
    pub transformer: Transformer,
    /// The import profile that they are read by.
    pub profile_id: Option<i64>,
    pub import_type: ImportType,
    /// Element of a BMEcat file with the quantity.
    pub quantity_element: Option<&'a str>,
    /// The name of the price list of which each file becomes the next version.
    pub price_list: Option<&'a str>,
}

impl<'a> FileSource<'a> {
    fn prices(file: &'a PriceFile, profile_id: Option<i64>) -> Self {
        let PriceFile { enabled, file_name, transformer, as_price_list, price_list_name } = file;
        Self {
            is_enabled: *enabled,
            file_name: file_name.as_deref(),
            transformer: *transformer,
            profile_id,
            quantity_element: None,
            import_type: if *as_price_list { ImportType::PriceList } else { ImportType::Price },
            price_list: price_list_name.as_deref().filter(|_| *as_price_list),
        }
    }

    fn stocks(file: &'a StockFile, profile_id: Option<i64>) -> Self {
        let StockFile { enabled, file_name, transformer, quantity_element } = file;
        Self {
            is_enabled: *enabled,
            file_name: file_name.as_deref(),
            transformer: *transformer,
            profile_id,
            quantity_element: quantity_element.as_deref(),
            import_type: ImportType::Stock,
            price_list: None,
        }
    }
}

impl FileSource<'_> {
    /// The way in which a file becomes a table; `None` if it is one.
    pub fn conversion(&self) -> Option<Conversion> {
        let format = self.transformer.price_format()?;
        Some(match self.quantity_element {
            Some(element) => Conversion::BmecatStocks { quantity_element: element.to_owned() },
            None => format.into(),
        })
    }
}

impl FtpSettings {
    /// Returns the settings of one kind of file.
    pub fn file(&self, kind: FileKind) -> FileSource<'_> {
        match kind {
            FileKind::Price => FileSource::prices(&self.price_file, self.price_profile_id),
            FileKind::Stock => FileSource::stocks(&self.stock_file, self.stock_profile_id),
        }
    }
}

impl FtpSettingsInput {
    /// Returns the settings of one kind of file.
    pub fn file(&self, kind: FileKind) -> FileSource<'_> {
        match kind {
            FileKind::Price => FileSource::prices(&self.price_file, self.price_profile_id),
            FileKind::Stock => FileSource::stocks(&self.stock_file, self.stock_profile_id),
        }
    }
}
