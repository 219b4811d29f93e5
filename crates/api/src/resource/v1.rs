//! What programs of integrators work with: their own numbers in place of ids, many records at once, and only what they need.

use kernel::{Code, Language, Message};
use serde::Serialize;
use utoipa::ToSchema;

use crate::http::routes::Routes;

mod availability;
mod changes;
mod lookup;
mod price_lists;
mod put;
mod quotes;
mod read;

pub(crate) fn routes(routes: &mut Routes) {
    availability::routes(routes);
    changes::routes(routes);
    lookup::routes(routes);
    price_lists::routes(routes);
    put::routes(routes);
    quotes::routes(routes);
    read::routes(routes);
}

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
