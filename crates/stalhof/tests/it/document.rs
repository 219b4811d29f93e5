//! OpenAPI document as clients read it.

use serde_json::Value;

pub(crate) fn document() -> Value {
    serde_json::from_str(api::app::openapi()).unwrap()
}

/// Resolves a reference; other values are returned unchanged.
pub(crate) fn resolved<'d>(document: &'d Value, of: &'d Value) -> &'d Value {
    of["$ref"].as_str().map_or(of, |reference| document.pointer(&reference[1..]).unwrap())
}
