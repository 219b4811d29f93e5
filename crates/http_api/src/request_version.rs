//! Version of the record to be changed, moved from the `If-Match` header into the body.

use std::collections::BTreeMap;

use actix_web::{
    HttpRequest,
    http::{Method, header::IF_MATCH},
    web::Bytes,
};
use serde_json::{Map, Value, value::RawValue};
use values::{Error, Result, Violations};

use crate::codes;

/// Returns the version in the header; `None` without the header, and for `*`.
pub(super) fn read_version(request: &HttpRequest) -> Result<Option<i64>> {
    let mut sent = request.headers().get_all(IF_MATCH);
    let Some(first) = sent.next() else { return Ok(None) };
    let text = first.to_str().ok().filter(|_| sent.next().is_none()).map(str::trim);
    let tag = |text: &str| text.strip_prefix('"')?.strip_suffix('"')?.parse().ok();
    match text {
        Some("*") => Ok(None),
        Some(text) if let Some(version) = tag(text) => Ok(Some(version)),
        _ => Err(Violations::error("If-Match", codes::INVALID_PARAMETER.with("expected", "\"7\""))),
    }
}

/// Adds the version in the header to the body of a change.
///
/// # Errors
/// [`codes::STALE`] if the body has another version.
pub(super) fn add_version(request: &HttpRequest) -> Result<impl FnOnce(Bytes) -> Result<Bytes> + use<>> {
    let is_change = [Method::PUT, Method::PATCH].contains(request.method());
    let version = if is_change { read_version(request)? } else { None };
    Ok(move |body| match version {
        Some(version) => with_version(body, version),
        None => Ok(body),
    })
}

fn with_version(body: Bytes, version: i64) -> Result<Bytes> {
    // the reader of the body refuses values other than objects
    let Ok(fields) = serde_json::from_slice::<Map<String, Value>>(&body) else { return Ok(body) };
    match fields.get("version") {
        Some(Value::Number(sent_version)) if sent_version.as_i64() != Some(version) => {
            Err(codes::STALE.into())
        }
        Some(sent_version) if !sent_version.is_null() => Ok(body),
        _ => {
            // amounts stay as they were sent
            let mut fields: BTreeMap<String, &RawValue> =
                serde_json::from_slice(&body).map_err(Error::internal)?;
            let version = RawValue::from_string(version.to_string()).map_err(Error::internal)?;
            fields.insert("version".to_owned(), &version);
            Ok(serde_json::to_vec(&fields).map_err(Error::internal)?.into())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_version_of_the_request_is_added_to_its_body() {
        let add_version = |body: &str| with_version(Bytes::copy_from_slice(body.as_bytes()), 7);
        let text = |body: &str| String::from_utf8(add_version(body).unwrap().to_vec()).unwrap();
        assert_eq!(text("{}"), r#"{"version":7}"#);
        assert_eq!(text(r#"{"density":7.850}"#), r#"{"density":7.850,"version":7}"#, "as it was written");
        assert_eq!(text(r#"{"version":null}"#), r#"{"version":7}"#);
        assert_eq!(text(r#"{"version":7}"#), r#"{"version":7}"#);
        assert_eq!(text("[1]"), "[1]");
        assert_eq!(add_version(r#"{"version":6}"#).unwrap_err().code(), codes::STALE);
    }
}
