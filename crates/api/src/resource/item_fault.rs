//! Errors and warnings of one item among many, in answers of bulk calls, quotes and comparisons.

use serde::Serialize;
use utoipa::ToSchema;
use values::{Code, Language, Message};

/// Error or warning of an item.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct ItemFault {
    /// Field of the item; `null` for the item as a whole.
    #[schema(required, example = "quantity")]
    field: Option<String>,
    code: Code,
    #[schema(example = "Unbekannter Wert")]
    message: String,
}

impl ItemFault {
    pub(super) fn new(field: Option<String>, message: &Message, language: Language) -> Self {
        Self { field, code: message.code, message: message.text(language) }
    }
}
