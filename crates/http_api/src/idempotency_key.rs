//! Header `Idempotency-Key`: read from requests, and documented.

use actix_web::{
    HttpRequest,
    http::header::{HeaderName, HeaderValue},
};
use utoipa::openapi::{
    Required,
    path::{Operation, ParameterBuilder, ParameterIn},
};
use values::{Result, Violations};

use crate::{codes, contract::text};

const KEY: &str = "Idempotency-Key";
const KEY_MAX: usize = 255;
/// Response header that marks a stored answer.
pub(super) const REPLAYED: HeaderName = HeaderName::from_static("idempotent-replayed");

/// Returns the key, with or without the quotation marks of a structured field.
pub(super) fn read_key(request: &HttpRequest) -> Result<Option<String>> {
    let mut sent = request.headers().get_all(KEY);
    let Some(first) = sent.next() else { return Ok(None) };
    let refused = |code: values::Message| Err(Violations::error(KEY, code));
    if sent.next().is_some() {
        return refused(codes::DUPLICATE_PARAMETER.into());
    }
    let Some(text) = readable(first) else { return refused(codes::NOT_PRINTABLE.into()) };
    let text = text.strip_prefix('"').and_then(|text| text.strip_suffix('"')).unwrap_or(text);
    match text.len() {
        0 => refused(codes::REQUIRED.into()),
        1..=KEY_MAX => Ok(Some(text.to_owned())),
        _ => refused(codes::TOO_LONG.with("max", KEY_MAX)),
    }
}

fn readable(value: &HeaderValue) -> Option<&str> {
    value.to_str().ok().map(str::trim).filter(|text| text.bytes().all(|byte| (b' '..=b'~').contains(&byte)))
}

/// Documents the header with the key.
pub(super) fn describe_key(operation: &mut Operation) {
    let parameter = ParameterBuilder::new()
        .name(KEY)
        .parameter_in(ParameterIn::Header)
        .required(Required::False)
        .description(Some(
            "Unique key that the caller chooses for each call. A call repeated with its key within 24 hours \
             is processed once and gets the same response again; a different call with the same key is \
             refused with 422 `key_reused`",
        ))
        .schema(Some(text()));
    operation.parameters.get_or_insert_default().push(parameter.build().into());
}
