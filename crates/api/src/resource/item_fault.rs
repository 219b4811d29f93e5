//! Errors and warnings of one item among many, as bulk calls, quotes and comparisons answer them.

use kernel::{Code, Language, Message};
use serde::Serialize;
use utoipa::ToSchema;

/// One thing that is wrong with an item, or to be said of it.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct ItemFault {
    /// `null`: the item as a whole.
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
